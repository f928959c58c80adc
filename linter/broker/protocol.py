"""Cases about single RocketMQ classes in, one JSON object each, and what those classes answer out.

The kinds and their fields are those of ``fixtures/oracle``: tags, build, hash, sql, allocate, validate, register,
each with a ``version``. What the model does not judge is answered with ``"unsupported": true``.
"""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from subdrift.linter.broker.allocate import (
    NEARBY_PREFIX,
    AllocationError,
    Averagely,
    AveragelyByCircle,
    ByConfig,
    ByMachineRoom,
    ConsistentHash,
    MachineRoomNearby,
    MessageQueue,
    Strategy,
    allocate,
    in_client_order,
    in_queue_order,
)
from subdrift.linter.broker.filter import (
    MissingExpressionError,
    SubscriptionData,
    build_subscription,
    is_tag_type,
)
from subdrift.linter.broker.group import (
    CHANNEL_EXPIRED_MS,
    Change,
    ConsumerGroupInfo,
    ConsumeType,
    Heartbeat,
    close,
    expire,
    register,
    unregister,
)
from subdrift.linter.broker.names import (
    check_broker_topic,
    check_group,
    check_topic,
    is_closed_to_sending,
    is_system_group,
    is_system_topic,
)
from subdrift.linter.broker.selector import (
    CastError,
    ConversionError,
    SelectorRejected,
    SelectorTooDeep,
    compile_selector,
)
from subdrift.linter.broker.versions import Version, VersionError
from subdrift.linter.broker.vocabulary import MessageModel
from subdrift.linter.model.tags import TagSyntaxError, java_hash, java_order, parse_tags

Answer = dict[str, object]

UNSUPPORTED: Final[Answer] = {"unsupported": True}

RING_NODES_MAX: Final = 1_000_000
"""Larger hash rings (clients times virtual nodes) are not built."""
NESTED_STRATEGIES_MAX: Final = 50


class CaseError(ValueError):
    """A case that cannot be read: which field, and what was expected."""


class _UnsupportedError(Exception):
    """The model does not judge this case."""


def answer(case: object) -> Answer:
    """The result fields of a case, ``id`` first; raises CaseError for one that is malformed."""
    fields = _Fields(case)
    kind = fields.text("kind")
    version = fields.version()
    answer_kind = _KINDS.get(kind)
    try:
        result = UNSUPPORTED if answer_kind is None else answer_kind(fields, version)
    except _UnsupportedError:
        result = UNSUPPORTED
    return {"id": identity(case), **result}


def identity(case: object) -> str | int | None:
    """The ``id`` of a case, None if it has none that is a text or number."""
    value = case.get("id") if isinstance(case, dict) else None
    return value if isinstance(value, str | int) else None


class _Fields:
    """The fields of a JSON object, each checked when asked for."""

    def __init__(self, value: object, place: str = "the case") -> None:
        if not isinstance(value, dict):
            raise CaseError(f"{place} is no JSON object")
        self.values: Mapping[str, object] = value
        self._place = place

    def _get(self, name: str) -> object:
        if name not in self.values:
            raise CaseError(f"{self._place} has no field {name!r}")
        return self.values[name]

    def _wrong(self, name: str, expected: str) -> CaseError:
        return CaseError(f"field {name!r} of {self._place} is not {expected}")

    def text(self, name: str, default: str | None = None) -> str:
        value = default if default is not None and name not in self.values else self._get(name)
        if not isinstance(value, str):
            raise self._wrong(name, "a text")
        return value

    def text_or_null(self, name: str) -> str | None:
        value = self.values.get(name)
        if value is not None and not isinstance(value, str):
            raise self._wrong(name, "a text or null")
        return value

    def integer(self, name: str, default: int | None = None) -> int:
        value = default if default is not None and name not in self.values else self._get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(name, "an integer")
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.values.get(name, default)
        if not isinstance(value, bool):
            raise self._wrong(name, "true or false")
        return value

    def version(self) -> Version:
        try:
            return Version.parse(self.text("version"))
        except VersionError as error:
            raise CaseError(str(error)) from error

    def items(self, name: str) -> list[object]:
        value = self._get(name)
        if not isinstance(value, list):
            raise self._wrong(name, "a list")
        return value

    def texts(self, name: str) -> list[str]:
        values = self.items(name)
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) < len(values):
            raise self._wrong(name, "a list of texts")
        return texts

    def objects(self, name: str) -> list["_Fields"]:
        return [_Fields(value, f"{name} {n}") for n, value in enumerate(self.items(name), start=1)]

    def queues(self, name: str, topic: str) -> list[MessageQueue]:
        queues = []
        for value in self.items(name):
            match value:
                case [str(broker_name), int(queue_id)]:
                    queues.append(MessageQueue(topic, broker_name, queue_id))
                case _:
                    raise self._wrong(name, "a list of [broker name, queue id]")
        return queues

    def property_maps(self, name: str) -> list[Mapping[str, str] | None]:
        maps: list[Mapping[str, str] | None] = []
        for value in self.items(name):
            if value is not None and not (
                isinstance(value, dict) and all(isinstance(text, str) for text in value.values())
            ):
                raise self._wrong(name, "a list of objects with text values, or nulls")
            maps.append(value)
        return maps


def _tags(case: _Fields, version: Version) -> Answer:
    try:
        parsed = parse_tags(case.text_or_null("expr"))
    except TagSyntaxError as error:
        return {"error": "Exception", "message": str(error)}
    return {
        "subString": parsed.text,
        "tagsSet": sorted(parsed.tags, key=java_order),
        "codeSet": sorted(parsed.codes),
    }


def _build(case: _Fields, version: Version) -> Answer:
    expression_type = case.text_or_null("type")
    result: Answer = {"isTagType": is_tag_type(expression_type)}
    try:
        built = build_subscription(case.text("topic"), case.text_or_null("expr"), expression_type)
    except (TagSyntaxError, MissingExpressionError) as error:
        return {**result, "error": _thrown(error), "message": str(error)}
    return {
        **result,
        "subString": built.text,
        "tagsSet": sorted(built.tags, key=java_order),
        "codeSet": sorted(built.codes),
        "type": built.expression_type,
    }


def _thrown(error: TagSyntaxError | MissingExpressionError) -> str:
    return "Exception" if isinstance(error, TagSyntaxError) else "IllegalArgumentException"


def _hash(case: _Fields, version: Version) -> Answer:
    return {"hash": java_hash(case.text("text"))}


def _sql(case: _Fields, version: Version) -> Answer:
    maps = case.property_maps("props")
    try:
        selector = compile_selector(case.text("expr"), version)
    except SelectorRejected as rejected:
        return {"compiles": False, "cause": rejected.cause.value}
    except SelectorTooDeep as error:
        raise _UnsupportedError from error
    result: Answer = {"compiles": True}
    if (text := selector.text) is not None:
        result["text"] = text
    if selector.tail is not None:
        result["tail"] = selector.tail
    values = []
    for properties in maps:
        try:
            value = selector.evaluate(properties)
        except ConversionError:
            values.append("!RuntimeException:NumberFormatException")
        except CastError:
            values.append("!ClassCastException")
        else:
            values.append("N" if value is None else "T" if value else "F")
    return {**result, "values": values}


def _allocate(case: _Fields, version: Version) -> Answer:
    topic = case.text("topic")
    queues = case.queues("queues", topic)
    clients = case.texts("clients")
    if case.flag("sort", default=False):
        queues, clients = in_queue_order(queues), in_client_order(clients)
    strategy = _strategy(case, case.text("strategy"), topic, NESTED_STRATEGIES_MAX)
    if case.integer("virtualNodes", 0) * len(clients) > RING_NODES_MAX:
        raise _UnsupportedError
    try:
        share = allocate(strategy, case.text_or_null("self"), queues, clients, version)
    except AllocationError as error:
        return {"error": "IllegalArgumentException", "message": str(error)}
    return {"share": [[queue.broker_name, queue.queue_id] for queue in share]}


def _strategy(case: _Fields, name: str, topic: str, nested_max: int) -> Strategy:
    if name.startswith(NEARBY_PREFIX) and nested_max > 0:
        return MachineRoomNearby(_strategy(case, name.removeprefix(NEARBY_PREFIX), topic, nested_max - 1))
    match name:
        case "AVG":
            return Averagely()
        case "AVG_BY_CIRCLE":
            return AveragelyByCircle()
        case "CONSISTENT_HASH":
            return ConsistentHash(case.integer("virtualNodes", ConsistentHash().virtual_nodes))
        case "CONFIG":
            return ByConfig(tuple(case.queues("config", topic)))
        case "MACHINE_ROOM":
            return ByMachineRoom(frozenset(case.texts("rooms")))
        case _:
            raise _UnsupportedError


def _validate(case: _Fields, version: Version) -> Answer:
    name = case.text_or_null("name")
    result: Answer = {
        "group": check_group(name).value,
        "topic": check_topic(name, version).value,
        "brokerTopic": check_broker_topic(name, version).value,
    }
    if name is None:
        return result
    return {
        **result,
        "systemTopic": is_system_topic(name, version),
        "notAllowedSend": is_closed_to_sending(name, version),
        "systemGroup": is_system_group(name),
    }


def _register(case: _Fields, version: Version) -> Answer:
    group: ConsumerGroupInfo | None = None
    steps = []
    for step in case.objects("steps"):
        answered: Answer = {}
        try:
            change = _register_step(group, step, version)
        except (TagSyntaxError, MissingExpressionError) as error:
            change = Change(group)
            answered["error"] = _thrown(error)
        else:
            if step.text("op") == "heartbeat":
                answered["changed"] = change.changed
        group = change.group
        notified = None if change.notified is None else sorted(change.notified, key=java_order)
        steps.append({**answered, "notified": notified, **_described(group)})
    return {"steps": steps}


_NOW_MS: Final = 0
"""Register cases have no clock of their own: all that matters is that an expired connection is old."""


def _register_step(group: ConsumerGroupInfo | None, step: _Fields, version: Version) -> Change:
    channel = step.text("channel")
    notify = step.flag("notify", default=True)
    match step.text("op"):
        case "heartbeat":
            return register(group, _heartbeat(step, channel), _NOW_MS, version, notify)
        case "unregister":
            return unregister(group, channel, version, notify)
        case "close":
            return close(group, channel, version)
        case "expire":
            return expire(_with_silent(group, channel), _NOW_MS)
        case op:
            raise CaseError(f"unknown op {op!r}")


def _with_silent(group: ConsumerGroupInfo | None, channel: str) -> ConsumerGroupInfo | None:
    """The group with one connection's last heartbeat too long ago."""
    if group is None:
        return None
    long_ago_ms = _NOW_MS - CHANNEL_EXPIRED_MS - 1
    return replace(
        group,
        channels=tuple(
            replace(c, last_heartbeat_ms=long_ago_ms) if c.channel == channel else c for c in group.channels
        ),
    )


def _heartbeat(step: _Fields, channel: str) -> Heartbeat:
    try:
        model = MessageModel(step.text("model", MessageModel.CLUSTERING.value))
        consume_type = ConsumeType(step.text("consumeType", ConsumeType.PASSIVELY.value))
    except ValueError as error:
        raise CaseError(str(error)) from error
    subscriptions = tuple(map(_subscription, step.objects("subs")))
    return Heartbeat(channel, step.text("client"), subscriptions, model, consume_type)


def _subscription(sub: _Fields) -> SubscriptionData:
    return build_subscription(
        sub.text("topic"), sub.text_or_null("expr"), sub.text_or_null("type"), sub.integer("version")
    )


def _described(group: ConsumerGroupInfo | None) -> Answer:
    if group is None:
        return {"table": None}
    return {
        "table": {
            s.topic: [s.text, s.expression_type, s.version]
            for s in sorted(group.subscriptions, key=lambda s: java_order(s.topic))
        },
        "clients": list(group.client_ids()),
        "model": group.message_model.value,
        "consumeType": group.consume_type.value,
    }


_KINDS: Final[Mapping[str, Callable[[_Fields, Version], Answer]]] = {
    "tags": _tags,
    "build": _build,
    "hash": _hash,
    "sql": _sql,
    "allocate": _allocate,
    "validate": _validate,
    "register": _register,
}

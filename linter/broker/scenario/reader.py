"""A what-if scenario: TOML or JSON text in, a checked `Scenario` out, or every mistake with its place and remedy.

The format is the `scenario` object of the recorded traces, unchanged, with a few additions for people: classes of
messages instead of single ones, versions, client ids, a name and a description. What is left out has a default: members
start in the order they are listed, and every tag that somebody mentions is sent.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from subdrift.linter.broker.scenario import (
    STRATEGIES,
    ConsumeFrom,
    Member,
    Message,
    Options,
    Scenario,
    ScenarioStep,
    TagClass,
    Timing,
    Verb,
)
from subdrift.linter.broker.scenario.document import (
    DocumentReader,
    ScenarioError,
    ScenarioProblem,
    kind_of,
    listed,
)
from subdrift.linter.broker.selector import SelectorRejected, SelectorTooDeep, compile_selector
from subdrift.linter.broker.versions import LATEST, Version
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel, Subscription
from subdrift.linter.model.tags import TagSyntaxError, java_order, parse_tags
from subdrift.linter.text.bounded import BoundedError, check_json, check_toml
from subdrift.linter.text.near import nearest
from subdrift.linter.text.places import Path, json_lines, toml_lines

QUEUES_MAX: Final = 1024
"""Queues of a topic a scenario may name."""
MEMBERS_MAX: Final = 64
MESSAGES_MAX: Final = 100_000


def parse_scenario(text: str, name: str) -> Scenario:
    """The scenario a file holds; JSON if the text begins with `{`, TOML otherwise.

    A whole recorded trace is accepted too: then its `scenario` counts, and its versions. Raises ScenarioError.
    """
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return _from(_json(text, name), name, lambda: json_lines(text))
    return _from(_toml(text, name), name, lambda: toml_lines(text))


def _json(text: str, name: str) -> object:
    _check(text, name, check_json)
    try:
        return json.loads(text.lstrip("\ufeff"))
    except json.JSONDecodeError as error:
        remedy = f"mend the JSON at column {error.colno}"
        raise ScenarioError(name, (ScenarioProblem("the file", error.lineno, error.msg, remedy),)) from error


def _check(text: str, name: str, check: Callable[[str], None]) -> None:
    """Refuse what a parser would choke on, as a mistake of the file."""
    try:
        check(text)
    except BoundedError as error:
        problem = ScenarioProblem("the file", error.line, error.message, "no scenario needs that")
        raise ScenarioError(name, (problem,)) from error


def _toml(text: str, name: str) -> object:
    _check(text, name, check_toml)
    try:
        return tomllib.loads(text.lstrip("\ufeff").replace("\r\n", "\n"))
    except ValueError as error:  # also a date that does not exist
        message, _, place = str(error).partition(" (at ")
        words = place.replace(",", " ").split()
        line = int(words[1]) if len(words) > 1 and words[0] == "line" and words[1].isdigit() else None
        remedy = "mend the TOML; a JSON scenario begins with {"
        raise ScenarioError(name, (ScenarioProblem("the file", line, message, remedy),)) from error


def _from(value: object, name: str, lines: Callable[[], Mapping[Path, int]]) -> Scenario:
    reader = DocumentReader(lines)
    path: Path = ()
    versions: object = None
    if isinstance(value, dict) and "scenario" in value and "topics" not in value:
        versions = value.get("versions")
        value, path = value["scenario"], ("scenario",)
    scenario = _scenario(reader, value, path, name, versions)
    if reader.problems or scenario is None:
        raise ScenarioError(name, tuple(sorted(reader.problems, key=lambda one: one.line or 0)))
    return scenario


T = TypeVar("T")

KEYS: Final = (
    "id",
    "name",
    "description",
    "topics",
    "brokers",
    "timing",
    "members",
    "idOrder",
    "sameClientId",
    "steps",
    "messages",
    "messageClasses",
    "brokerConfig",
    "requestMode",
    "proxy",
    "brokerVersion",
    "clientVersion",
)
"""The keys of a scenario; the recordings use all but name, description, brokers, messageClasses and versions."""

MEMBER_KEYS: Final = (
    "name",
    "clientKind",
    "messageModel",
    "subscriptions",
    "options",
    "process",
    "clientVersion",
    "clockOffsetS",
    "clientId",
    "assigned",
)
OPTION_KEYS: Final = (
    "postSubscriptionWhenPull",
    "strategy",
    "orderly",
    "consumeFromWhere",
    "failFirst",
    "useHeartbeatV2",
    "clientRebalance",
)


def _scenario(
    reader: DocumentReader, value: object, path: Path, name: str, versions: object
) -> Scenario | None:
    table = reader.table(value, path, KEYS)
    if reader.problems and not table:
        return None
    missing = [key for key in ("topics", "members") if key not in table]
    for key in missing:
        reader.wrong(path, f"{key!r} is missing", f"add {key!r}")
    if missing:
        return None
    given = reader.table(versions, ("versions",), ("broker", "client")) if versions is not None else {}
    broker_version = _version(reader, table, path, "brokerVersion", given.get("broker"))
    client_version = _version(reader, table, path, "clientVersion", given.get("client"))
    brokers = _names(reader, table.get("brokers", ["b"]), (*path, "brokers"), None)
    if not brokers:
        reader.wrong((*path, "brokers"), "there is no broker", "name at least one, or leave the key out")
    topics = _topics(reader, table["topics"], (*path, "topics"), brokers or ("b",))
    members = _members(reader, table["members"], (*path, "members"), topics, broker_version)
    names = tuple(one.name for one in members)
    order = _id_order(reader, table, (*path, "idOrder"), members)
    messages = _messages(reader, table.get("messages", []), (*path, "messages"), topics)
    written = reader.items(table.get("messageClasses", []), (*path, "messageClasses"))
    classes = tuple(_class(reader, one, at, topics) for one, at in written)
    phases = {one.phase for one in messages}
    steps = _steps(reader, table, path, names, phases, topics, brokers, broker_version)
    used = {one.topic for one in messages} | {one.topic for one in classes}
    _check_queues(reader, (*path, "topics"), topics, used if "steps" in table else set(topics))
    pop = _is(reader, table, path, "requestMode", "POP", "PULL", 'write "POP" or leave the key out')
    proxy_apart = _is(reader, table, path, "proxy", "cluster", "local", 'write "local" or "cluster"')
    return Scenario(
        id=reader.text(table.get("id", table.get("name", name)), (*path, "id")),
        description=reader.text(table.get("description", ""), (*path, "description")),
        topics=tuple(topics.items()),
        brokers=brokers,
        timing=reader.choice(Timing, table.get("timing", "default"), (*path, "timing"), Timing.DEFAULT),
        members=members,
        id_order=order,
        id_order_given="idOrder" in table or bool(_by_client_id(members)),
        same_client_id=_names(reader, table.get("sameClientId", []), (*path, "sameClientId"), names),
        steps=steps,
        messages=messages,
        classes=classes,
        broker_config=_config(reader, table.get("brokerConfig"), (*path, "brokerConfig")),
        pop=pop,
        proxy_apart=proxy_apart,
        broker_version=broker_version,
        client_version=client_version,
    )


def _check_queues(reader: DocumentReader, path: Path, topics: Mapping[str, int], used: set[str]) -> None:
    """A topic that is sent to needs queues."""
    for topic in [name for name, count in topics.items() if count == 0 and name in used]:
        reader.wrong(
            (*path, topic),
            "the queue count is 0",
            "write the number of queues, at least 1; 0 stands for a topic without a route, to which nothing is sent",
        )


def _is(
    reader: DocumentReader, table: dict[str, object], path: Path, key: str, this: str, other: str, remedy: str
) -> bool:
    """Whether a key says the one of two words, the other one being what holds without it."""
    said = table.get(key, other)
    if said not in (this, other):
        reader.wrong((*path, key), f"{said!r} is not known here", remedy)
    return said == this


def _id_order(
    reader: DocumentReader, table: dict[str, object], path: Path, members: tuple[Member, ...]
) -> tuple[str, ...]:
    """The members in the order of client ids: as written, by the ids that are said, else as they are listed."""
    names = tuple(one.name for one in members)
    order = _by_client_id(members) or names
    if "idOrder" in table:
        order = _names(reader, table["idOrder"], path, names)
    if not reader.problems and set(order) != set(names):
        absent = listed(one for one in names if one not in order)
        reader.wrong(path, f"it leaves out {absent}", "list every member once, in the order of client ids")
    return order


def _by_client_id(members: tuple[Member, ...]) -> tuple[str, ...]:
    """The members in the order of their client ids; none if an id is not said."""
    known = sorted((java_order(one.client_id), one.name) for one in members if one.client_id is not None)
    return tuple(name for _, name in known) if len(known) == len(members) else ()


def _version(
    reader: DocumentReader, table: dict[str, object], path: Path, key: str, recorded: object
) -> Version:
    if key in table:
        return reader.version(table[key], (*path, key)) or LATEST
    if recorded is not None:
        return reader.version(recorded, ("versions", key.removesuffix("Version"))) or LATEST
    return LATEST


def _config(reader: DocumentReader, value: object, path: Path) -> tuple[tuple[str, str], ...]:
    """Broker settings; true, false and numbers are taken as their text, which is what a broker file holds."""
    if isinstance(value, dict):
        value = {key: str(one).lower() if isinstance(one, bool | int) else one for key, one in value.items()}
    return reader.texts(value, path)


def _names(
    reader: DocumentReader, value: object, path: Path, known: tuple[str, ...] | None
) -> tuple[str, ...]:
    """A list of names, none twice, all of them among `known` where that is given."""
    found: list[str] = []
    for one, at in reader.items(value, path):
        text = reader.text(one, at)
        if text in found:
            reader.wrong(at, f"{text!r} is listed twice", "list it once")
        elif known is not None and text not in known:
            reader.wrong(at, f"there is no member {text!r}", f"write one of {listed(known)}")
        else:
            found.append(text)
    return tuple(found)


def _topics(reader: DocumentReader, value: object, path: Path, brokers: tuple[str, ...]) -> dict[str, int]:
    if not isinstance(value, dict):
        reader.wrong(
            path, f"expected a table, found {kind_of(value)}", "write topic names and their numbers of queues"
        )
        return {}
    if not value:
        reader.wrong(path, "there is no topic", "name at least one topic and its number of queues")
    found = {}
    for topic, count in value.items():
        at = (*path, str(topic))
        if count == 0 and not isinstance(count, bool):
            found[str(topic)] = 0
            continue
        found[str(topic)] = reader.number(count, at, 1, QUEUES_MAX)
        if found[str(topic)] % len(brokers):
            reader.wrong(
                at,
                f"{found[str(topic)]} queues cannot be spread evenly over {len(brokers)} brokers",
                "write the number of queues of all brokers together",
            )
    return found


def _members(
    reader: DocumentReader, value: object, path: Path, topics: Mapping[str, int], broker: Version
) -> tuple[Member, ...]:
    found: list[Member] = []
    entries = reader.items(value, path)
    if isinstance(value, list) and not 1 <= len(entries) <= MEMBERS_MAX:
        reader.wrong(path, f"{len(entries)} members", f"list 1 to {MEMBERS_MAX} members")
        return ()
    for one, at in entries:
        member = _member(reader, one, at, topics, broker)
        if member.name and any(other.name == member.name for other in found):
            reader.wrong((*at, "name"), f"two members are called {member.name!r}", "rename one of them")
        found.append(member)
    return tuple(found)


def _member(
    reader: DocumentReader, value: object, path: Path, topics: Mapping[str, int], broker: Version
) -> Member:
    table = reader.table(value, path, MEMBER_KEYS)
    if isinstance(value, dict) and "name" not in table:
        reader.wrong(path, "'name' is missing", "give every member a name")
    kind = reader.choice(ClientKind, table.get("clientKind", "push"), (*path, "clientKind"), ClientKind.PUSH)
    subscriptions: list[Subscription] = []
    for one, at in reader.items(table.get("subscriptions", []), (*path, "subscriptions")):
        subscription = _subscription(reader, one, at, topics, broker)
        if any(other.topic == subscription.topic for other in subscriptions):
            reader.wrong(
                (*at, "topic"),
                f"topic {subscription.topic!r} is subscribed twice by one member",
                "keep one: RocketMQ itself only keeps the last",
            )
        subscriptions.append(subscription)
    process = table.get("process")
    if process not in (None, "own", "shared"):
        reader.wrong((*path, "process"), f"{process!r} is not known here", 'write "own" or leave the key out')
    version = (
        reader.version(table["clientVersion"], (*path, "clientVersion")) if "clientVersion" in table else None
    )
    return Member(
        name=reader.name(table.get("name", "?"), (*path, "name")),
        kind=kind,
        model=reader.choice(
            MessageModel,
            table.get("messageModel", "CLUSTERING"),
            (*path, "messageModel"),
            MessageModel.CLUSTERING,
        ),
        subscriptions=tuple(subscriptions),
        options=_options(reader, table.get("options", {}), (*path, "options")),
        own_process=process == "own",
        client_version=version,
        clock_offset_s=reader.number(
            table.get("clockOffsetS", 0), (*path, "clockOffsetS"), -86_400_000, 86_400_000
        )
        if "clockOffsetS" in table
        else 0,
        client_id=reader.name(table["clientId"], (*path, "clientId")) if "clientId" in table else None,
        assigned=_assigned(reader, table.get("assigned", {}), (*path, "assigned"), kind, topics),
    )


def _assigned(
    reader: DocumentReader, value: object, path: Path, kind: ClientKind, topics: Mapping[str, int]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    table = reader.table(value, path, topics)
    if table and kind is not ClientKind.PULL:
        reader.wrong(path, "only a pull consumer is assigned queues", 'write clientKind "pull"')
    return tuple(
        (
            topic,
            tuple(
                reader.number(one, at, 0, topics[topic] - 1) for one, at in reader.items(each, (*path, topic))
            ),
        )
        for topic, each in table.items()
    )


def _subscription(
    reader: DocumentReader, value: object, path: Path, topics: Mapping[str, int], broker: Version
) -> Subscription:
    table = reader.table(value, path, ("topic", "type", "expression"))
    if isinstance(value, dict) and "topic" not in table:
        reader.wrong(path, "'topic' is missing", "name the topic")
    topic = reader.text(table.get("topic", ""), (*path, "topic"))
    if topic and topic not in topics:
        reader.wrong(
            (*path, "topic"),
            f"topic {topic!r} is not under topics",
            f"add it there with its number of queues, or write one of {listed(topics)}",
        )
    kind = reader.choice(FilterType, table.get("type", "TAG"), (*path, "type"), FilterType.TAG)
    given = table.get("expression", "*")
    expression = "" if given is None else reader.text(given, (*path, "expression"))
    try:
        if kind is FilterType.TAG:
            parse_tags(expression)
        else:
            compile_selector(expression, broker)
    except TagSyntaxError:
        reader.wrong(
            (*path, "expression"),
            f"{expression!r} holds separators only, subscribe throws for it",
            'name tags, "A || B", or write "*"',
        )
    except SelectorRejected as error:
        reader.wrong(
            (*path, "expression"),
            f"the broker does not compile {expression!r} ({error.reason})",
            "mend the SQL92 expression, or write type TAG",
        )
    except SelectorTooDeep as error:
        reader.wrong((*path, "expression"), str(error), "write it with fewer parentheses and operators")
    return Subscription(topic, kind, expression)


def _options(reader: DocumentReader, value: object, path: Path) -> Options:
    table = reader.table(value, path, OPTION_KEYS)

    def taken(key: str, take: Callable[[object, Path], T], default: T) -> T:
        return take(table[key], (*path, key)) if key in table else default

    strategy = taken("strategy", reader.text, "AVG")
    if strategy not in STRATEGIES:
        close = nearest(strategy, STRATEGIES)
        remedy = f"did you mean {close!r}?" if close else f"write one of {listed(STRATEGIES)}"
        reader.wrong((*path, "strategy"), f"strategy {strategy!r} is not known here", remedy)
    return Options(
        post_subscription=taken("postSubscriptionWhenPull", reader.flag, False),
        strategy=strategy,
        orderly=taken("orderly", reader.flag, False),
        consume_from=taken(
            "consumeFromWhere",
            lambda one, at: reader.choice(ConsumeFrom, one, at, ConsumeFrom.LAST),
            ConsumeFrom.LAST,
        ),
        fail_first=taken("failFirst", lambda one, at: reader.number(one, at, 0, MESSAGES_MAX), 0),
        heartbeat_v2=taken("useHeartbeatV2", reader.flag, False),
        client_rebalance=taken("clientRebalance", reader.flag, True),
    )


def _messages(
    reader: DocumentReader, value: object, path: Path, topics: Mapping[str, int]
) -> tuple[Message, ...]:
    entries = reader.items(value, path)
    if len(entries) > MESSAGES_MAX:
        reader.wrong(path, f"{len(entries)} messages", f"list at most {MESSAGES_MAX}, or use messageClasses")
        return ()
    found: dict[str, Message] = {}
    for one, at in entries:
        message = _message(reader, one, at, topics)
        if message.id in found:
            reader.wrong((*at, "id"), f"two messages are called {message.id!r}", "rename one of them")
        found[message.id] = message
    return tuple(found.values())


def _message(reader: DocumentReader, value: object, path: Path, topics: Mapping[str, int]) -> Message:
    table = reader.table(value, path, ("id", "topic", "queue", "tag", "properties", "phase", "size"))
    for key in ("id", "topic", "queue"):
        if isinstance(value, dict) and key not in table:
            reader.wrong(path, f"{key!r} is missing", f"add {key!r}")
    topic = _known_topic(reader, table, path, topics)
    queues = topics.get(topic, 0)
    return Message(
        id=reader.name(table.get("id", "?"), (*path, "id")),
        topic=topic,
        queue=reader.number(table["queue"], (*path, "queue"), 0, queues - 1)
        if "queue" in table and queues
        else 0,
        tag=_tag(reader, table, path),
        properties=reader.texts(table.get("properties"), (*path, "properties")),
        phase=reader.number(table.get("phase", 1), (*path, "phase"), 1, MESSAGES_MAX),
        size=reader.number(table.get("size", 0), (*path, "size"), 0, 2**31 - 1),
    )


def _class(reader: DocumentReader, value: object, path: Path, topics: Mapping[str, int]) -> TagClass:
    table = reader.table(value, path, ("topic", "tag", "properties", "label"))
    if isinstance(value, dict) and "topic" not in table:
        reader.wrong(path, "'topic' is missing", "name the topic")
    return TagClass(
        topic=_known_topic(reader, table, path, topics),
        tag=_tag(reader, table, path),
        properties=reader.texts(table.get("properties"), (*path, "properties")),
        label=reader.text(table.get("label", ""), (*path, "label")),
    )


def _known_topic(
    reader: DocumentReader, table: dict[str, object], path: Path, topics: Mapping[str, int]
) -> str:
    topic = reader.text(table.get("topic", ""), (*path, "topic"))
    if "topic" in table and topic not in topics:
        reader.wrong((*path, "topic"), f"there is no topic {topic!r}", f"write one of {listed(topics)}")
    return topic


def _tag(reader: DocumentReader, table: dict[str, object], path: Path) -> str | None:
    """The tag; an empty one is none, as a message constructed with "" has no tag property."""
    tag = table.get("tag")
    return None if tag is None else reader.text(tag, (*path, "tag")) or None


def _steps(
    reader: DocumentReader,
    table: dict[str, object],
    path: Path,
    members: tuple[str, ...],
    phases: set[int],
    topics: Mapping[str, int],
    brokers: tuple[str, ...],
    broker: Version,
) -> tuple[ScenarioStep, ...]:
    """The steps; without any, the members start one after the other and everything is sent and judged."""
    if "steps" not in table:
        default = [ScenarioStep(Verb.START, (name,)) for name in members]
        default.append(ScenarioStep(Verb.SETTLE, ms=4000))
        for phase in sorted(phases or {1}):
            default += [ScenarioStep(Verb.SEND, phase=phase), ScenarioStep(Verb.JUDGE)]
        return tuple(default)
    found = []
    for one, at in reader.items(table["steps"], (*path, "steps")):
        step = reader.table(one, at, tuple(verb.value for verb in Verb))
        if len(step) != 1:
            if isinstance(one, dict) and len(one) != 1:
                reader.wrong(at, f"a step does one thing, this one does {len(one)}", "split it into steps")
            continue
        ((verb, value),) = step.items()
        found.append(_step(reader, Verb(verb), value, (*at, verb), members, topics, brokers, broker))
    return tuple(found)


def _restart_of_one(
    reader: DocumentReader, value: object, path: Path, brokers: tuple[str, ...]
) -> ScenarioStep:
    table = reader.table(value, path, ("broker", "ms"))
    named = reader.text(table.get("broker", ""), (*path, "broker"))
    if named not in brokers:
        reader.wrong((*path, "broker"), f"there is no broker {named!r}", f"write one of {listed(brokers)}")
    down = reader.number(table.get("ms", 0), (*path, "ms"), 0, _MS_MAX)
    return ScenarioStep(Verb.BROKER_RESTART, ms=down, label=named)


_TIMED: Final = (Verb.WAIT, Verb.SETTLE, Verb.BROKER_RESTART, Verb.EXPIRE)
_OF_MEMBERS: Final = (Verb.START, Verb.CREATE, Verb.STOP, Verb.KILL, Verb.FREEZE, Verb.THAW)
_MS_MAX: Final = 100_000_000


def _step(
    reader: DocumentReader,
    verb: Verb,
    value: object,
    path: Path,
    members: tuple[str, ...],
    topics: Mapping[str, int],
    brokers: tuple[str, ...],
    broker: Version,
) -> ScenarioStep:
    if verb in _OF_MEMBERS:
        listed = value if isinstance(value, list) and verb is Verb.START else [value]
        return ScenarioStep(verb, _names(reader, listed, path, members))
    if verb is Verb.BROKER_RESTART and isinstance(value, dict):
        return _restart_of_one(reader, value, path, brokers)
    if verb in _TIMED:
        return ScenarioStep(verb, ms=reader.number(value, path, 0, _MS_MAX))
    if verb is Verb.JUDGE:
        seconds = 0 if value is True else reader.number(value, path, 1, _MS_MAX // 1000)
        return ScenarioStep(verb, ms=seconds * 1000)
    if verb is Verb.SEND:
        return ScenarioStep(verb, phase=reader.number(value, path, 1, MESSAGES_MAX))
    if verb is Verb.SNAPSHOT:
        return ScenarioStep(verb, label=str(value))
    if verb is Verb.DUMP:
        return ScenarioStep(verb)
    keys = ("member", "subscription") if verb is Verb.SUBSCRIBE else ("member", "topic")
    table = reader.table(value, path, keys)
    for key in keys:
        if isinstance(value, dict) and key not in table:
            reader.wrong(path, f"{key!r} is missing", f"add {key!r}")
    who = _names(reader, [table["member"]], (*path, "member"), members) if "member" in table else ()
    if verb is Verb.UNSUBSCRIBE:
        return ScenarioStep(verb, who, topic=_known_topic(reader, table, path, topics))
    subscription = (
        _subscription(reader, table["subscription"], (*path, "subscription"), topics, broker)
        if "subscription" in table
        else None
    )
    return ScenarioStep(
        verb, who, topic=subscription.topic if subscription else "", subscription=subscription
    )

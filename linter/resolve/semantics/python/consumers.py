"""The Python client libraries: what makes a consumer, and what calls on it do. They become events of its log."""

from __future__ import annotations

from typing import Any

from subdrift.linter.clients import python as tables
from subdrift.linter.clients.apis import Action
from subdrift.linter.clients.python import Maker, Shape
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Attribute
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.clients import Client, log
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, leaves
from subdrift.linter.resolve.execute.values import (
    Entry,
    Function,
    Guarded,
    LibraryConstant,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python.natives import Call

_ATTRIBUTES = {"g": Attribute.GROUP, "n": Attribute.NAME_SERVER, "i": Attribute.NAMESPACE}
_NAMES = {
    Shape.CALLBACK: ("topic", "callback", "expression"),
    Shape.FILTER: ("topic", "filter_expression"),
    Shape.SELECTOR: ("topic", "selector", "listener"),
    Shape.EXPRESSION: ("topic", "expression"),
}
_STARTS = frozenset({"start", "startup"})
HTTP = "the HTTP client"


def construct(call: Call, name: str) -> Guarded:
    """A call of a client library by full name: a consumer, a value object of the library; UNSET for anything else."""
    maker = tables.maker(name)
    if maker is not None:
        made = call.make(name)
        become(call, made, maker)
        return made
    if name in tables.HTTP_CLIENT:
        return call.make(HTTP)
    record = tables.record(name)
    if record is not None:
        return _record(call, name, record)
    module, _, function = name.rpartition(".")
    if tables.is_client_module(module) and call.values:
        return _function(call, function)
    return UNSET


def _record(call: Call, name: str, parameters: tuple[tuple[str, str | None], ...]) -> Object:
    """A filter or configuration: its parameters as fields, what is not given as the library's default."""
    made = call.make(name)
    for index, (parameter, default) in enumerate(parameters):
        value = call.get(index, parameter)
        if value is UNSET and default is not None:
            value = text(default)
        if value is UNSET and call.arguments.open is not None:
            value = call.arguments.open
        if value is not UNSET:
            made.fields["type" if parameter == "filter_type" else parameter] = apply(_word, value)
    return made


def _word(leaf: Any) -> Any:
    """A constant of a client library in the words of the model."""
    if isinstance(leaf, TypeValue) and leaf.declared is None:
        known = tables.ENUM_VALUES.get(".".join(leaf.name.split(".")[-2:]))
        if known is not None:
            return text(known)
        return LibraryConstant(leaf.name.rpartition(".")[0], leaf.simple)
    return leaf


def _function(call: Call, function: str) -> Guarded:
    """The functions of `librocketmqclientpython`, whose first argument is the consumer."""
    operation = tables.FUNCTIONS.get(function)
    if function.startswith("RegisterMessageCallbackOrderly"):
        operation = "orderly"
    if operation is None:
        return UNSET

    def one(leaf: Any) -> Guarded:
        if not isinstance(leaf, Object) or leaf.client is None:
            return UNSET
        rest = Call(call.python, call.run, call.arguments.__class__(call.values[1:]), call.frame, call.at)
        if operation == "orderly":
            _log(rest, leaf.client, Action.SET, (text("ORDERLY"),), Attribute.CONSUME_MODE)
        else:
            operate(rest, leaf, operation)
        return leaf

    return call.each(call.values[0], one)


def become(call: Call, made: Object, maker: Maker) -> None:
    """The object is a consumer from here on; its constructor's arguments are its first settings."""
    assert call.at is not None
    client = Client(maker.api, {}, made, call.run.guard, call.at, call.frame, shape=maker.shape.value)
    client.escaped = maker is tables.HTTP  # it has no start
    made.client = client
    made.fields["<maker>"] = maker
    call.run.makes(client)
    topic: Guarded = UNSET
    expression: Guarded = UNSET
    for index, (name, role) in enumerate(maker.parameters):
        value = call.get(index, name)
        if value is UNSET and call.arguments.open is not None and role == "g":
            value = Unknown(
                call.arguments.open.why, call.arguments.open.detail or phrase("arguments-passed-on")
            )
        if value is UNSET or (value is None and role != "g"):
            continue
        match role:
            case "g" | "n" | "i":
                _log(call, client, Action.SET, (value,), _ATTRIBUTES[role])
            case "o":
                _log(call, client, Action.SET, (apply(_orderly, value),), Attribute.CONSUME_MODE)
            case "m":
                _log(call, client, Action.SET, (apply(_model, value),), Attribute.MESSAGE_MODEL)
            case "c" | "k":
                _configuration(call, client, value, pure=role == "k")
            case "s":
                _table(call, client, value)
            case "b" | "t":
                topic = value
                if role == "b":
                    expression = Unknown(Why.NOT_APPLICABLE, phrase("lite-consumer-has-no-filter"))
            case "e":
                expression = value
            case _:
                call.run.defer(value)
    if topic is not UNSET:
        _log(call, client, Action.SUBSCRIBE, (topic,) if expression is UNSET else (topic, expression))
    if maker.mode:
        _log(call, client, Action.SET, (text(maker.mode),), Attribute.CONSUME_MODE)


def _log(
    call: Call,
    client: Client,
    action: Action,
    values: tuple[Guarded, ...],
    attribute: Attribute | None = None,
    at: Location | None = None,
) -> None:
    place = at or call.at
    assert place is not None
    log(call.run, client, action, values, place, call.frame, attribute)


def _orderly(leaf: Any) -> Any:
    if isinstance(leaf, bool):
        return text("ORDERLY" if leaf else "CONCURRENTLY")
    return leaf if isinstance(leaf, Unknown) else Unknown(Why.DYNAMIC, "orderly")


def _model(leaf: Any) -> Any:
    if isinstance(leaf, int) and leaf in (0, 1):
        return text("CLUSTERING" if leaf else "BROADCASTING")
    return _word(leaf)


def _configuration(call: Call, client: Client, value: Guarded, *, pure: bool) -> None:
    """What a configuration object says about the consumer."""
    keys = (
        (
            ("consumer_group", Attribute.GROUP),
            ("namesrv_addr", Attribute.NAME_SERVER),
            ("message_model", Attribute.MESSAGE_MODEL),
        )
        if pure
        else (("namespace", Attribute.NAMESPACE), ("endpoints", Attribute.NAME_SERVER))
    )
    for key, attribute in keys:

        def held(leaf: Any, name: str = key) -> Any:
            if isinstance(leaf, Object):
                return leaf.fields.get(name, UNSET)
            return Unknown(leaf.why, leaf.detail) if isinstance(leaf, Unknown) else Unknown(Why.DYNAMIC, name)

        found = apply(held, value)
        if found is UNSET or (
            isinstance(found, Text) and found.known == "" and attribute is Attribute.NAMESPACE
        ):
            continue
        _log(call, client, Action.SET, (apply(_model, found),), attribute)


def _table(call: Call, client: Client, value: Guarded) -> None:
    """A table of subscriptions: each where its topic is written, else where its entry is, as far as that is seen."""
    entries = value.entries if isinstance(value, Object) and value.open is None else None
    if entries is None:
        _log(call, client, Action.TABLE, (apply(_snapshot, value),))
        return
    before = call.run.guard
    for entry in entries:
        written = isinstance(entry.key, Text) and len(entry.key.steps) == 1
        place = entry.key.steps[0].at if written else entry.at
        call.run.guard = both(before, entry.guard)
        _log(call, client, Action.SUBSCRIBE, (entry.key, apply(_filter, entry.value)), at=place)
    call.run.guard = before


def _snapshot(leaf: Any) -> Any:
    """A table of subscriptions as it is now."""
    if isinstance(leaf, Object) and leaf.entries is not None:
        made = Object(leaf.declared, leaf.type, leaf.number, leaf.at)
        made.entries = [Entry(entry.guard, entry.key, entry.value, entry.at) for entry in leaf.entries]
        made.open = leaf.open
        return made
    return leaf


def operate(call: Call, made: Object, name: str) -> Guarded:
    """A call on a consumer; UNSET for a method that its library does not have."""
    client = made.client
    assert client is not None
    maker = made.fields["<maker>"]
    assert isinstance(maker, Maker)
    if name in _STARTS:
        _log(call, client, Action.START, ())
        return None
    if name in tables.SETTERS:
        attribute = tables.SETTERS[name]
        value = call.get(0, "value")
        if value is UNSET and call.arguments.names:
            value = next(iter(call.arguments.names.values()))
        if value is not UNSET:
            shown = apply(_model, value) if attribute is Attribute.MESSAGE_MODEL else value
            _log(call, client, Action.SET, (shown,), attribute)
        return None
    if name == "unsubscribe" and call.values:
        _log(call, client, Action.UNSUBSCRIBE, (call.values[0],))
        return made if maker.shape is Shape.FILTER else None
    if name == "pull" and maker.pulls:
        _subscribe(call, client, call.get(0, "topic"), call.get(1, "expression"))
        return call.unknown("pull()")
    if name == "subscribe":
        return _subscribed(call, made, client, maker)
    for value in (*call.values, *call.arguments.names.values()):
        call.run.defer(value)
    if name in (
        "shutdown",
        "subscribe_lite",
        "set_session_credentials",
        "set_message_trace",
        "set_thread_count",
    ):
        return None
    return UNSET


def _subscribed(call: Call, made: Object, client: Client, maker: Maker) -> Guarded:
    given = {name: call.get(index, name) for index, name in enumerate(_NAMES[maker.shape])}
    topic = given["topic"]
    if topic is UNSET:
        open_ = call.arguments.open
        topic = Unknown(Why.UNSUPPORTED, phrase("arguments-passed-on")) if open_ is not None else None
    second = given.get("callback", UNSET)
    expression = given.get("expression", given.get("filter_expression", given.get("selector", UNSET)))
    if (
        maker.shape is Shape.CALLBACK
        and expression is UNSET
        and isinstance(second, Object)
        and "expression" in second.fields
    ):
        expression = second
    for value in given.values():
        if value is not UNSET and any(isinstance(leaf, Function | Object) for _, leaf in leaves(value)):
            call.run.defer(value)
    _subscribe(call, client, topic, expression)
    return made if maker.shape is Shape.FILTER else None


def _subscribe(call: Call, client: Client, topic: Guarded, expression: Guarded) -> None:
    values = (topic,) if expression is UNSET else (topic, apply(_filter, expression))
    _log(call, client, Action.SUBSCRIBE, values)


def _filter(leaf: Any) -> Any:
    """An expression as the rows read it: a text, or an object with `expression` and `type`."""
    if isinstance(leaf, TypeValue) and leaf.simple == "SUBSCRIBE_ALL":
        return text("*")
    if isinstance(leaf, Object) and leaf.constant and "<plain>" in leaf.fields:
        return leaf.fields["<plain>"]
    if isinstance(leaf, Object) and (leaf.items is not None or leaf.entries is not None):
        return Unknown(Why.DYNAMIC, phrase("collection"))
    return leaf


def may_set(call: Call) -> None:
    """A function that nobody knows gets consumers: it may set how their messages are shared."""
    for value in (*call.values, *call.arguments.names.values()):
        for _, leaf in leaves(value, call.run.guard):
            if isinstance(leaf, Object) and leaf.client is not None:
                _log(call, leaf.client, Action.SET, (call.unknown(""),), Attribute.MESSAGE_MODEL)


def http_consumer(call: Call) -> Object:
    """`client.get_consumer(instance, topic, group, tag)`."""
    made = call.make("mq_http_sdk.mq_consumer.MQConsumer")
    become(call, made, tables.HTTP)
    return made


def is_http_client(leaf: Object) -> bool:
    return leaf.type == HTTP


__all__ = ["become", "construct", "http_consumer", "is_http_client", "operate"]

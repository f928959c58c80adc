"""Python where sends are looked for: calls that send become `Client`s of the run."""

from __future__ import annotations

from typing import Any

from subdrift.linter.clients.apis import Action
from subdrift.linter.clients.sends import (
    PYTHON_DELAYS,
    PYTHON_MAKERS,
    PYTHON_PUTS_PROPERTY,
    PYTHON_SENDS,
    PYTHON_SETS_KEYS,
    PYTHON_SETS_NO_PROPERTY,
    PYTHON_TELLING,
    python_message,
    python_producer,
)
from subdrift.linter.model.api import SENDERS
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Attribute
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.clients import Client, log
from subdrift.linter.resolve.execute.guards import UNSET, apply, ite
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Entry, Frame, Guarded, Object, TypeValue, Unknown, text
from subdrift.linter.resolve.semantics.carried import DELAY, KEYS, UNSEEN, carrying, delayed, lost
from subdrift.linter.resolve.semantics.python.consumers import HTTP
from subdrift.linter.resolve.semantics.python.language import Python

_SETTERS = {"set_topic": "topic", "set_tags": "tag", "set_message_tag": "tag"}
_PROPERTIES = "properties"
"""The attribute of a message with the map of its properties."""
_HTTP_API = "py-http-send"
_HTTP_PRODUCER = "mq_http_sdk.mq_producer.MQProducer"


class SendingPython(Python):
    """What producers and messages do; all else is as in the language."""

    def call_value(
        self, run: Interpreter, leaf: Any, arguments: Arguments, frame: Frame | None, at: Location | None
    ) -> Guarded:
        if isinstance(leaf, TypeValue) and leaf.declared is None and at is not None:
            if python_message(leaf.name):
                made = run.make(None, leaf.name, at)
                made.fields[_PROPERTIES] = held = run.make(None, "dict", at)
                held.entries = []
                of_topic = python_message(leaf.name) != _HTTP_API
                part = "topic" if of_topic else "tag"
                value = arguments.get(*((0, "topic") if of_topic else (1, "message_tag")), UNSET)
                if value is not UNSET:
                    made.fields[part] = value
                return made
            api = python_producer(leaf.name)
            if api:
                made = run.make(None, leaf.name, at)
                within = frame or run.frame(None, None)
                made.client = Client(api, {}, made, run.guard, at, within)
                by_group = {"py-send": "group_id", "pyrocketmq-send": "producer_group"}.get(api)
                group = arguments.get(0, by_group, UNSET) if by_group else UNSET
                if group is not UNSET:
                    log(run, made.client, Action.SET, (group,), at, within, Attribute.GROUP)
                if api == "py-grpc-send":
                    _configure(run, made.client, arguments.get(0, "client_configuration", UNSET), at, within)
                return made
        return super().call_value(run, leaf, arguments, frame, at)

    def method(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: Location | None
    ) -> Guarded:
        if name in PYTHON_SENDS and at is not None:
            api = _api(run, leaf, name, arguments)
            if api:
                first = arguments.get(0, "message", arguments.get(0, "msg", UNSET))
                sent = arguments.values if name == "send_batch" else [first]
                for message in sent:
                    _note(run, api, leaf, message, at, frame)
                for value in (*arguments.values[1:], *arguments.names.values()):
                    run.defer(value)
                return Unknown(Why.DYNAMIC, f"{name}()")
        if name in PYTHON_MAKERS and isinstance(leaf, Object) and leaf.type == HTTP and at is not None:
            return _bound(run, name, arguments, at, frame)
        if isinstance(leaf, Object) and leaf.declared is None:
            if python_message(leaf.type):
                _change(run, leaf, name, arguments, at)
                return None
            if leaf.client is not None and leaf.client.api in SENDERS:
                if name == "set_namespace" and arguments.values and at is not None:
                    log(run, leaf.client, Action.SET, (arguments.values[0],), at, frame, Attribute.NAMESPACE)
                return Unknown(Why.DYNAMIC, f"{name}()")
        return super().method(run, leaf, name, arguments, frame, at)


def _change(run: Interpreter, message: Object, name: str, arguments: Arguments, at: Location | None) -> None:
    """What a method of a message changes of it."""
    part, values = _SETTERS.get(name), arguments.values
    held = message.fields.get(_PROPERTIES)
    if part is not None and values:
        message.fields[part] = ite(run.guard, values[0], message.fields.get(part, UNSET))
    elif name in PYTHON_DELAYS and values:
        delay = delayed(PYTHON_DELAYS[name], values[0])
        message.fields[DELAY] = ite(run.guard, delay, message.fields.get(DELAY))
    elif not isinstance(held, Object) or held.entries is None or name in PYTHON_SETS_NO_PROPERTY:
        return
    elif name in PYTHON_SETS_KEYS:
        held.entries.append(Entry(run.here(held), text(KEYS), True, at))
    elif name in PYTHON_PUTS_PROPERTY and (key := arguments.get(0, "key", UNSET)) is not UNSET:
        held.entries.append(Entry(run.here(held), key, True, at))
    elif name.startswith(("set", "put", "add", "update")):
        held.open = Unknown(Why.DYNAMIC, f"{name}()")


def _bound(run: Interpreter, name: str, arguments: Arguments, at: Location, frame: Frame) -> Object:
    """A producer of one topic, made by the HTTP client."""
    made = run.make(None, _HTTP_PRODUCER, at)
    made.client = Client(_HTTP_API, {}, made, run.guard, at, frame)
    for index, parameter in enumerate(PYTHON_MAKERS[name]):
        value = arguments.get(index, parameter, UNSET)
        if parameter == "topic_name":
            made.fields["topic"] = value
        elif value is not UNSET:
            log(run, made.client, Action.SET, (value,), at, frame, Attribute.NAMESPACE)
    return made


def _configure(run: Interpreter, client: Client, value: Guarded, at: Location, frame: Frame) -> None:
    """The namespace of a gRPC client's configuration."""
    held = apply(
        lambda leaf: leaf.fields.get("namespace", UNSET) if isinstance(leaf, Object) else UNSET, value
    )
    if held is not UNSET:
        log(run, client, Action.SET, (held,), at, frame, Attribute.NAMESPACE)


def _api(run: Interpreter, leaf: Any, name: str, arguments: Arguments) -> str:
    """The API a call sends by, "" where it is not a send."""
    if isinstance(leaf, Object):
        if leaf.client is not None:
            return leaf.client.api if leaf.client.api in SENDERS else ""
        if leaf.declared is None:
            return ""
    elif not isinstance(leaf, Unknown):
        return ""
    given = arguments.values[0] if arguments.values else None
    if isinstance(given, Object) and given.declared is None and python_message(given.type):
        return python_message(given.type)
    return "py-send" if isinstance(leaf, Unknown) and name in PYTHON_TELLING else ""


def _note(run: Interpreter, api: str, leaf: Any, message: Guarded, at: Location, frame: Frame) -> None:
    if run.guard is False:
        return
    sent = Client(api, {}, run.make(None, "send", at), run.guard, at, frame)
    if isinstance(leaf, Object) and leaf.client is not None:
        sent.shape = "seen"
        sent.events += [event for event in leaf.client.events if event.action is Action.SET]
    topic, tag = (apply(lambda each, part=part: _held(each, part), message) for part in ("topic", "tag"))
    if api == _HTTP_API:  # its messages name no topic
        held = leaf.fields.get("topic", UNSET) if isinstance(leaf, Object) else UNSET
        topic = Unknown(Why.DYNAMIC, phrase("sender-is-not-seen")) if held is UNSET else held
    sent.carries = carrying(message, run.guard, _properties)
    log(run, sent, Action.SUBSCRIBE, (topic, tag), at, frame)
    run.makes(sent)


def _properties(leaf: Any) -> Object | str:
    """The map of a message's properties, or why they are not known."""
    held = leaf.fields.get(_PROPERTIES) if isinstance(leaf, Object) and leaf.declared is None else None
    is_map = isinstance(held, Object) and held.entries is not None and python_message(leaf.type)
    return held if is_map and isinstance(held, Object) else UNSEEN


def _held(leaf: Any, part: str) -> Any:
    if isinstance(leaf, Object) and leaf.declared is None and python_message(leaf.type):
        return leaf.fields[part] if part in leaf.fields else lost(leaf.fields.get(_PROPERTIES))
    if isinstance(leaf, Unknown):
        return Unknown(leaf.why, leaf.detail, steps=leaf.steps, needs=leaf.needs)
    return Unknown(Why.DYNAMIC, phrase("argument", "message"))

"""Java and Kotlin where sends are looked for: calls that send become `Client`s of the run, messages and their builders hold
the topic and tag they were given.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from subdrift.linter.clients.apis import Action, JavaConsumer, Operation
from subdrift.linter.clients.sends import (
    BUILDERS,
    JAVA_MESSAGES,
    JAVA_SENDERS,
    PUTS_PROPERTY,
    SEND_CONSTANTS,
    SETS_NO_PROPERTY,
    SETS_PROPERTIES,
    TEMPLATE_DELAYS,
    JavaMessage,
    JavaSender,
    Roles,
)
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Attribute
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.clients import Carrying, Client, log
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, leaves, pick, under
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.sending import (
    BINDING,
    DESTINATION,
    SENDING,
    Written,
    by_api,
    java_message,
    java_sender,
    sender_of,
)
from subdrift.linter.resolve.execute.values import (
    Bound,
    Frame,
    Function,
    Guarded,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.carried import DELAY, KEYS, PROPERTIES, UNSEEN, carrying, delayed, lost
from subdrift.linter.resolve.semantics.jvm import consumers, elements, maps, spring_messages
from subdrift.linter.resolve.semantics.jvm.collections import new_map
from subdrift.linter.resolve.semantics.jvm.forms.common import Making
from subdrift.linter.resolve.semantics.jvm.java import Java
from subdrift.linter.resolve.semantics.jvm.kotlin import Kotlin

_TOPIC, _TAG = "<topic>", "<tag>"
"""Fields of messages, which no field of a program is named like."""

_PARTS = {"t": _TOPIC, "g": _TAG}
_GETTERS = {"getTopic": _TOPIC, "getTag": _TAG, "getTags": _TAG}
_OF_MESSAGES = (
    frozenset(_GETTERS)
    | PUTS_PROPERTY
    | SETS_PROPERTIES
    | {name for row in JAVA_MESSAGES for name in (*row.setters, *row.delays)}
)
_GRPC = "org.apache.rocketmq.client.apis.producer.Producer"


class Sending:
    """What calls on senders, messages and builders of messages do; all else is as in the language above."""

    def call_method(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        if name in SENDING.operations:
            place = run.place(frame, run.called)
            row = _sender(run, leaf, name, arguments, place)
            if row is not None:
                seen = leaf if isinstance(leaf, Object | Unknown) else Unknown(Why.DYNAMIC, name)
                _note(run, row, seen, name, arguments, place, frame)
                return run.unknown(Why.DYNAMIC, f"{name}()", frame, at)
        elif name in BUILDERS and not arguments.values:
            return _blank(run, run.make(None, BUILDERS[name], run.place(frame, at)))
        elif name == "newProducerBuilder" and not arguments.values:
            row = java_sender(_GRPC)
            assert row is not None
            return _producer(run, row, _GRPC, run.place(frame, at), frame)
        elif name in _MAKERS and isinstance(leaf, Object | Unknown):
            made = _bound(run, leaf, name, arguments, run.place(frame, at), frame)
            if made is not None:
                return made
        if isinstance(leaf, Object):
            found = _of_message(run, leaf, name, arguments)
            if found is not UNSET:
                return found
            if name == "setProducer" and leaf.client is not None and arguments.values:
                leaf.fields["producer"] = arguments.values[0]
        if isinstance(leaf, Unknown | Object):
            row = _row_of(run, leaf)
            if row is not None and name in row.gives:
                given = leaf.fields.get("producer") if isinstance(leaf, Object) else None
                unknown = Unknown(Why.DYNAMIC, f"{name}()", None, TypeValue(None, row.gives[name]))
                return unknown if given is None else given
        found = spring_messages.called(run, leaf, name, arguments, run.place(frame, at))
        if found is not UNSET:
            return found
        given = super().call_method(run, leaf, name, arguments, frame, at)  # type: ignore[misc]
        channel = spring_messages.channel(run, leaf, name, arguments, given, run.place(frame, at))
        return given if channel is UNSET else channel

    def injected(self, run: Interpreter, named: str, name: str, near: Class) -> Guarded:
        return spring_messages.injected(run, named, name, near)

    def library_constant(self, run: Interpreter, owner: str, member: str, frame: Frame, at: ir.At) -> Guarded:
        known = SEND_CONSTANTS.get(owner, {}).get(member)
        if known is not None:
            step = Step(run.place(frame, at), f"{owner.rpartition('.')[2]}.{member}")
            return text(known, (step,), frame=frame.number)
        return super().library_constant(run, owner, member, frame, at)  # type: ignore[misc]

    def _library_object(
        self, run: Interpreter, name: str, node: ir.New, arguments: Arguments, frame: Frame, at: Location
    ) -> Guarded:
        message = java_message(name)
        if message is not None:
            made = run.make(None, name, at)
            _fill(run, made, message.constructors, arguments)
            return made
        of_spring = spring_messages.made(run, name, arguments, at)
        if of_spring is not None:
            return of_spring
        sender = java_sender(name)
        if sender is not None:
            made = _producer(run, sender, name, at, frame)
            consumers.construct(run, made, _as_consumer(sender.api), arguments, at, frame)
            return made
        return super()._library_object(run, name, node, arguments, frame, at)  # type: ignore[misc]

    def _library_part(self, making: Making) -> None:
        above = making.run.scope.library_supers(making.declared)
        if not any(_extends(making, each) for each in above):
            super()._library_part(making)  # type: ignore[misc]

    def _above(self, making: Making) -> None:
        above = making.run.scope.direct_super(making.declared)
        if not isinstance(above, str) or not _extends(making, above):
            super()._above(making)  # type: ignore[misc]

    def _inherited(
        self,
        run: Interpreter,
        this: Guarded,
        around: Class,
        node: ir.Call,
        arguments: Arguments,
        frame: Frame,
    ) -> Guarded:
        """A call without a receiver in a class that extends a sender or a message."""
        if node.name in SENDING.operations or node.name in _OF_MESSAGES:
            for _, leaf in leaves(this, run.guard):
                if isinstance(leaf, Object) and leaf.declared is not None:
                    run.called = node.name_at
                    if _row_of(run, leaf) is not None or _message_of(run, leaf) is not None:
                        return self.call_method(run, leaf, node.name, arguments, frame, node.at)
        return super()._inherited(run, this, around, node, arguments, frame)  # type: ignore[misc]


class SendingJava(Sending, Java):
    pass


class SendingKotlin(Sending, Kotlin):
    pass


def _extends(making: Making, above: str) -> bool:
    """What an object is by a sender or message of a library that its class extends; False where it is neither."""
    run, made, _, arguments, frame, at = making
    message = java_message(above)
    if message is not None:
        _fill(run, made, message.constructors, arguments)
        return True
    sender = java_sender(above)
    if sender is None or made.client is not None:
        return False
    made.client = _client(run, sender, made, at, frame)
    consumers.construct(run, made, _as_consumer(sender.api), arguments, at, frame)
    return True


# -- senders --------------------------------------------------------------------------------------------------------


@cache
def _as_consumer(api: str) -> JavaConsumer:
    """The constructors and setters of a sender, in the form of those of consumers."""
    row = by_api(api)
    operations = {name: Operation(Action.SET, attribute) for name, attribute in row.settings.items()}
    operations["setClientConfiguration"] = Operation(Action.CONFIGURATION)
    return JavaConsumer(api, row.types, operations, tuple(row.constructors.items()))


def _client(run: Interpreter, row: JavaSender, made: Object, at: Location, frame: Frame) -> Client:
    """What is known of a sender. It is not one of the run's own: those are its sends."""
    return Client(row.api, _as_consumer(row.api).operations, made, run.guard, at, frame)


def _producer(run: Interpreter, row: JavaSender, name: str, at: Location, frame: Frame) -> Object:
    made = run.make(None, name, at)
    made.client = _client(run, row, made, at, frame)
    return made


def _row_of(run: Interpreter, leaf: Unknown | Object) -> JavaSender | None:
    """What an object sends by, as far as its own type tells."""
    if isinstance(leaf, Object):
        if leaf.client is not None and leaf.client.api in _APIS:
            return by_api(leaf.client.api)
        return java_sender(leaf.type) if leaf.declared is None else sender_of(run.scope, leaf.declared)
    if leaf.type is None:
        return None
    return (
        java_sender(leaf.type.name)
        if leaf.type.declared is None
        else sender_of(run.scope, leaf.type.declared)
    )


_APIS = frozenset(row.api for row in JAVA_SENDERS)
_MAKERS = {name: row for row in JAVA_SENDERS for name in row.makers}


def _bound(
    run: Interpreter, leaf: Object | Unknown, name: str, arguments: Arguments, at: Location, frame: Frame
) -> Object | None:
    """A sender to one topic, made by a client; None where it is not one that makes such."""
    row = _MAKERS[name]
    type_ = leaf.type if isinstance(leaf, Object) else leaf.type.name if leaf.type is not None else ""
    roles = row.makers[name].get(len(arguments.values))
    if type_ != row.maker or roles is None:
        return None
    made = _producer(run, row, row.types[0], at, frame)
    assert made.client is not None
    for role, value in zip(roles, arguments.values, strict=True):
        if role == "t":
            made.fields[_TOPIC] = value
        elif role == "n":
            log(run, made.client, Action.SET, (value,), at, frame, Attribute.NAMESPACE)
    return made


def _sender(
    run: Interpreter, leaf: Any, name: str, arguments: Arguments, place: Location
) -> JavaSender | None:
    """What a call sends by; None where it is not a send."""
    if leaf is None:  # what fills it was not run
        return _written(run).at(place)
    if not isinstance(leaf, Object | Unknown):
        return None
    row = _row_of(run, leaf)
    declared = leaf.declared if isinstance(leaf, Object) else leaf.type.declared if leaf.type else None
    if declared is not None and row is not None:
        own = run.scope.methods(declared, name, len(arguments))
        if own and not all(method.abstract for method in own):
            return None  # the program's own method of that name
    if row is None and isinstance(leaf, Unknown) and declared is None:
        row = _written(run).at(place) or _by_message(run, leaf, arguments)
    return row if row is not None and name in row.methods else None


def _by_message(run: Interpreter, leaf: Unknown, arguments: Arguments) -> JavaSender | None:
    """What sends the message that something of an unknown type is given."""
    if leaf.type is not None and not run.scope.is_absent(leaf.type.name):
        return None
    for _, each in leaves(arguments.values[0]) if arguments.values else ():
        name = each.type if isinstance(each, Object) and each.declared is None else ""
        if isinstance(each, Unknown) and each.type is not None:
            name = each.type.name
        row = java_message(name)
        if row is not None:
            run.needed |= leaf.needs  # its source tells what it is
            return by_api(row.api)
    return None


def _written(run: Interpreter) -> Written:
    found: Written = run.heap.setdefault("written sends", None) or Written(run.scope)
    run.heap["written sends"] = found
    return found


def _note(
    run: Interpreter,
    row: JavaSender,
    leaf: Object | Unknown,
    name: str,
    arguments: Arguments,
    place: Location,
    frame: Frame,
) -> None:
    """Keeps a send: the sender's settings as they are now, then where the message goes."""
    roles = _roles(row.methods[name], len(arguments.values))
    values = arguments.values
    order = _order(row, leaf, name, values)
    if name == "convertAndSend" and len(values) == 2 and any(map(_is_processor, leaves(values[1]))):
        roles = "D"
    for index, role in enumerate(roles):
        if role == "D":
            unknown = Unknown(Why.DYNAMIC, phrase("default-destination"))
            _keep(run, row, leaf, (unknown,), place, frame, DESTINATION)
        elif index >= len(values):
            _keep(run, row, leaf, (Unknown(Why.DYNAMIC, phrase("arguments-passed-on")),), place, frame)
        elif role == "d":
            carries = _of_template(run, name, values, index + 1)
            _keep(run, row, leaf, (values[index],), place, frame, DESTINATION, order, carries)
        elif role == "m":
            _message(run, row, leaf, values[index], place, frame, order)
        elif role == "h":
            binding = values[0] if roles[0] == "b" else spring_messages.binding_of(leaf)
            message = values[_held_at(roles, values)]
            values_of = (binding, spring_messages.tag_of(run, message))
            carries = spring_messages.carried(run, [message], stream=True)
            _keep(run, row, leaf, values_of, place, frame, BINDING, carries=carries)
            break
    for value in values:
        if any(isinstance(each, Function | Bound | Object) for _, each in leaves(value)):
            run.defer(value)


def _of_template(run: Interpreter, name: str, values: Sequence[Guarded], index: int) -> Carrying:
    """What a method of a template sends beside the destination; the message, or its payload, is the argument at an index. What
    `convertAndSend` gets behind that are headers, or what changes the message."""
    delay: Guarded = None
    at, how = TEMPLATE_DELAYS.get(name, {}).get(len(values), (0, ""))
    if how:
        delay = delayed(how, values[at])
    elif (name == "sendAndReceive" and len(values) == 5) or name in (
        "syncSendDelayMessage",
        "asyncSendDelayMessage",
    ):
        delay = Unknown(Why.DYNAMIC, phrase("argument", "delay"))
    sources = values[index:] if name == "convertAndSend" else values[index : index + 1]
    return spring_messages.carried(run, sources, delay)


_NO_ORDER = frozenset({"sendMessageInTransaction", "sendAndReceive", "request", "sendDirect"})


def _order(row: JavaSender, leaf: Object | Unknown, name: str, values: Sequence[Guarded]) -> str:
    """How a call sends: `ORDERLY`, messages of one key to one queue; `CONCURRENTLY`, to the queues in turn; `TRANSACTION`,
    for the broker to ask the group about; "" where that is not known."""
    if name.endswith(("Orderly", "OneWayOrderly")):
        return "ORDERLY"
    if name == "sendMessageInTransaction" and row.api in ("send", "spring-send"):
        return "TRANSACTION"
    if name in _NO_ORDER:
        return ""
    if row.api == "spring-send":
        return "CONCURRENTLY"
    if row.api == "ons-send":
        kind = (
            leaf.type.name
            if isinstance(leaf, Unknown) and leaf.type is not None
            else getattr(leaf, "type", "")
        )
        return "ORDERLY" if "Order" in str(kind).rpartition(".")[2] and len(values) == 2 else ""
    if row.api != "send":
        return ""
    kinds = {_second(one) for _, one in leaves(values[1])} if len(values) > 1 else {"CONCURRENTLY"}
    return kinds.pop() if len(kinds) == 1 else ""


def _second(leaf: Any) -> str:
    """What the second argument of a producer's `send` makes of the order: a selector of queues keeps it."""
    if isinstance(leaf, Function | Bound):
        return "ORDERLY"  # a callback has two methods: no function stands for it
    if isinstance(leaf, int | float):
        return "CONCURRENTLY"
    if isinstance(leaf, Unknown):
        simple = leaf.type.simple if leaf.type is not None else ""
    else:
        simple = leaf.type.rpartition(".")[2] if isinstance(leaf, Object) else ""
        if isinstance(leaf, Object) and leaf.declared is not None:
            above = {one.rpartition(".")[2] for one in (ref.name for ref in leaf.declared.decl.supers)}
            simple = next(iter(above & {"MessageQueueSelector", "SendCallback"}), simple)
    if simple in ("MessageQueueSelector", "SelectMessageQueueByHash"):
        return "ORDERLY"
    return "CONCURRENTLY" if simple in ("long", "int", "SendCallback") else ""


def _is_processor(alternative: tuple[Guarded, Guarded]) -> bool:
    """Whether an argument is a `MessagePostProcessor`: what stands before it is the payload then."""
    leaf = alternative[1]
    kind = (
        leaf.type.name if isinstance(leaf, Unknown) and leaf.type is not None else getattr(leaf, "type", "")
    )
    return isinstance(leaf, Function | Bound) or str(kind).endswith("MessagePostProcessor")


def _held_at(roles: str, values: Sequence[Guarded]) -> int:
    """Which argument is what is sent: the first that may be, or a later one that is a message where the first is a name."""
    places = [index for index, role in enumerate(roles) if role == "h" and index < len(values)]
    for index in places[1:]:
        if any(spring_messages.is_message(one) for _, one in leaves(values[index])):
            return index
    return places[0]


def _roles(by_count: Roles, count: int) -> str:
    return by_count.get(count, by_count.get(0, ""))


def _message(
    run: Interpreter,
    row: JavaSender,
    leaf: Object | Unknown,
    message: Guarded,
    place: Location,
    frame: Frame,
    order: str,
) -> None:
    """A message, or each of a collection of them."""
    before = run.guard
    single: Guarded = UNSET
    for guard, each in leaves(message, run.guard):
        if isinstance(each, Object) and each.items is not None:
            items = each.items
            if each.open is not None:
                items = [*items, (True, each.open)]
            for there, item in items:
                run.guard = both(guard, there)
                if run.guard is not False:
                    _message(run, row, leaf, item, place, frame, order)
            run.guard = before
        else:
            single = pick(guard, each, single)
    if single is UNSET:
        return
    topic, tag = (apply(lambda each, part=part: _held(each, part), single) for part in (_TOPIC, _TAG))
    if row.makers:  # its messages name no topic
        held = leaf.fields.get(_TOPIC, UNSET) if isinstance(leaf, Object) else UNSET
        topic = Unknown(Why.DYNAMIC, phrase("sender-is-not-seen")) if held is UNSET else held
    carries = carrying(single, run.guard, lambda each: _properties(run, each))
    _keep(run, row, leaf, (topic, tag), place, frame, order=order, carries=carries)


def _properties(run: Interpreter, leaf: Any) -> Object | str:
    """The map of a message's properties, or why they are not known."""
    held = leaf.fields.get(PROPERTIES) if isinstance(leaf, Object) and not leaf.handed else None
    if isinstance(held, Object):
        return held
    return leaf.detail or UNSEEN if isinstance(leaf, Unknown) else UNSEEN


def _held(leaf: Any, part: str) -> Any:
    """The topic or tag that a message holds."""
    if leaf is UNSET:
        return UNSET
    if isinstance(leaf, Object) and part in leaf.fields:
        return leaf.fields[part]
    if isinstance(leaf, Object) and _is_message(leaf):
        return lost(leaf.fields.get(PROPERTIES))
    if isinstance(leaf, Unknown):
        symbol = None if leaf.symbol is None else ("field", leaf.symbol, part)
        return Unknown(leaf.why, leaf.detail, symbol, needs=leaf.needs, steps=leaf.steps)
    return Unknown(Why.DYNAMIC, phrase("argument", "message"))


def _keep(
    run: Interpreter,
    row: JavaSender,
    leaf: Object | Unknown,
    values: tuple[Guarded, ...],
    place: Location,
    frame: Frame,
    kind: str = "",
    order: str = "",
    carries: Carrying | None = None,
) -> None:
    if run.guard is False:
        return
    sent = Client(row.api, {}, run.make(None, "send", place), run.guard, place, frame)
    sent.carries = carries
    if order:
        log(run, sent, Action.SET, (text(order),), place, frame, Attribute.CONSUME_MODE)
    if isinstance(leaf, Unknown) and leaf.type is not None and leaf.type.declared is None:
        sent.shape = "injected"
    source: Any = leaf
    if isinstance(leaf, Object):
        source = next((one for _, one in leaves(leaf.fields.get("producer"))), None) or leaf
    made = source.client if isinstance(source, Object) else None
    if made is not None and made.api in _APIS:
        sent.shape = "seen"  # the sender was seen being made: what nobody set of it has the library's default
        sent.events += [event for event in made.events if event.action is Action.SET]
    log(run, sent, Action.SUBSCRIBE, values, place, frame, type_=kind)
    run.makes(sent)


# -- messages -------------------------------------------------------------------------------------------------------


def _is_message(made: Object) -> bool:
    return made.declared is None and java_message(made.type) is not None


def _message_of(run: Interpreter, made: Object) -> JavaMessage | None:
    """The row of the message that an object is, by its own class or one above."""
    if made.declared is None:
        return java_message(made.type)
    above = run.scope.library_supers(made.declared)
    return next((row for each in above if (row := java_message(each)) is not None), None)


def _blank(run: Interpreter, made: Object) -> Object:
    """A message without properties."""
    made.fields[PROPERTIES] = new_map(run, "java.util.HashMap", made.at)
    return made


def _fill(run: Interpreter, made: Object, constructors: Roles, arguments: Arguments) -> None:
    _blank(run, made)
    for role, value in zip(_roles(constructors, len(arguments.values)), arguments.values, strict=False):
        if role in _PARTS:
            made.fields[_PARTS[role]] = value
        elif role == "y" and not (value is None or (isinstance(value, Text) and value.known == "")):
            _put(run, made, text(KEYS), value)


def _put(run: Interpreter, made: Object, key: Guarded, value: Guarded) -> None:
    held = made.fields.get(PROPERTIES)
    if isinstance(held, Object):
        maps.put(run, held, key, value)


def _of_message(run: Interpreter, made: Object, name: str, arguments: Arguments) -> Guarded:
    """A call on a message or its builder; UNSET on anything else, and where the program says itself what it does."""
    row = _message_of(run, made)
    if row is None or (made.declared is not None and run.scope.methods(made.declared, name, len(arguments))):
        return UNSET
    role = row.setters.get(name)
    values = arguments.values
    held = made.fields.get(PROPERTIES)
    if role in _PARTS and len(values) == 1:
        before = made.fields.get(_PARTS[role])
        made.fields[_PARTS[role]] = pick(run.guard, values[0], before)
    elif role == "y" and values:
        _put(run, made, text(KEYS), values[0])
    elif name in row.delays and len(values) == 1:
        made.fields[DELAY] = pick(run.guard, delayed(row.delays[name], values[0]), made.fields.get(DELAY))
    elif name in PUTS_PROPERTY and len(values) == 2:
        _put(run, made, *values)
    elif name in _GETTERS and not values:
        return under(made.fields.get(_GETTERS[name]), run.guard)
    elif name in ("getProperties", "getUserProperties") and not values and isinstance(held, Object):
        return held
    elif not name.startswith(("set", "put", "add", "build")):
        return UNSET
    elif isinstance(held, Object) and name in SETS_PROPERTIES and len(values) == 1:
        spring_messages.copy(run, held, values[0], replaces=True)
    elif isinstance(held, Object) and name not in SETS_NO_PROPERTY:
        elements.forget(run, held, Unknown(Why.DYNAMIC, f"{name}()"))
    return made

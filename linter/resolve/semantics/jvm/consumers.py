"""What calls on consumers, their builders and factories do: they become events of the consumer's log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from subdrift.linter.clients.apis import (
    LISTENER_MODES,
    ONS_PROPERTIES,
    Action,
    JavaConsumer,
    JavaFactory,
    Operation,
)
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Attribute
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute import clients
from subdrift.linter.resolve.execute.callbacks import begin, listen
from subdrift.linter.resolve.execute.clients import Client, log
from subdrift.linter.resolve.execute.guards import apply, both, leaves, pick, settle
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.needs import COMPARED
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Bound,
    Frame,
    Function,
    Guarded,
    LibraryConstant,
    Object,
    Text,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.jvm import views

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

_ROLES = {"g": Attribute.GROUP, "n": Attribute.NAMESPACE, "a": Attribute.STRATEGY}
_FLUENT = ("grpc-", "http")


def construct(
    run: Interpreter,
    made: Object,
    row: JavaConsumer,
    arguments: Arguments,
    at: Location,
    frame: Frame,
    types: Sequence[str] = (),
) -> None:
    """The arguments of a consumer's constructor, by the roles the tables give them; `types` as of `roles_of`."""
    client = made.client
    assert client is not None
    roles = clients.roles_of(row, arguments.values, types)
    if row.default_group:
        log(run, client, Action.SET, (text(row.default_group),), at, frame, Attribute.GROUP)
    if roles is None or arguments.open is not None:
        if arguments.values or arguments.open is not None:
            unknown = Unknown(Why.UNSUPPORTED, phrase("constructor-that-is-not-known"))
            log(run, client, Action.SET, (unknown,), at, frame, Attribute.GROUP)
    else:
        apply_roles(run, client, roles, arguments.values, at, frame)
    if client.mode:
        log(run, client, Action.SET, (text(client.mode),), at, frame, Attribute.CONSUME_MODE)


def apply_roles(
    run: Interpreter, client: Client, roles: str, values: list[Guarded], at: Location, frame: Frame
) -> None:
    topic: Guarded = None
    expression: Guarded = None
    for role, value in zip(roles, values, strict=True):
        if role == "-" or (role != "g" and value is None):
            continue
        if role == "p":
            log(run, client, Action.PROPERTIES, (snapshot(value),), at, frame)
        elif role == "t":
            topic = value
        elif role == "e":
            expression = value
        elif value is None:  # a null group: what checks it is not read here, and it is not the default one
            unknown = Unknown(Why.DYNAMIC, phrase("it-is-null"))
            log(run, client, Action.SET, (unknown,), at, frame, _ROLES[role])
        else:
            given = apply(_type_text, value) if role == "a" else value
            log(run, client, Action.SET, (given,), at, frame, _ROLES[role])
    if topic is not None:
        log(run, client, Action.SUBSCRIBE, (topic, expression), at, frame)
        log(run, client, Action.START, (), at, frame)


def from_factory(
    run: Interpreter, factory: JavaFactory, arguments: Arguments, at: Location, frame: Frame
) -> Object:
    """The consumer (or its builder) that a library's factory method makes."""
    made = run.make(None, factory.api, at)
    client = clients.make_java(run, clients.java_row(factory.api), made, at, frame, factory.mode)
    apply_roles(run, client, factory.roles[len(arguments.values)], arguments.values, at, frame)
    if client.mode:
        log(run, client, Action.SET, (text(client.mode),), at, frame, Attribute.CONSUME_MODE)
    return made


def operate(
    java: Java, run: Interpreter, made: Object, name: str, arguments: Arguments, frame: Frame, at: ir.At
) -> Guarded:
    """A call on a consumer object or its builder."""
    client = made.client
    assert client is not None
    values = arguments.values
    if arguments.open is not None:
        values = [*values, *[arguments.open] * (2 - len(values))]
    if client.of_any:
        run.missed.add(name)
    operation = client.operations.get(name)
    place = run.place(frame, run.called)
    if operation is None:
        return _other_call(run, made, name, arguments, frame, place)
    _note(run, client, operation, values, place, frame)
    if client.api.startswith(_FLUENT):
        return made
    return None


def _note(
    run: Interpreter, client: Client, operation: Operation, values: list[Guarded], at: Location, frame: Frame
) -> None:
    match operation.action:
        case Action.START | Action.CLEAR:
            log(run, client, operation.action, (), at, frame)
            if operation.action is Action.START:
                begin(run, client)
        case Action.SET if values:
            value = values[0]
            if operation.attribute is Attribute.STRATEGY:
                value = apply(_type_text, value)
            log(run, client, Action.SET, (value,), at, frame, operation.attribute)
        case Action.LISTENER if values:
            mode = listener_mode(run, values[-1])
            log(run, client, Action.SET, (mode,), at, frame, Attribute.CONSUME_MODE)
            listen(run, client, values[-1])
        case Action.PROPERTIES if values:
            log(run, client, Action.PROPERTIES, (snapshot(values[0]),), at, frame)
        case Action.CONFIGURATION:
            for value in values[:1]:
                _configure(run, client, value, at, frame)
        case Action.SUBSCRIBE:
            kept = tuple(values[:2]) if client.class_filter and len(values) == 3 else tuple(values[:3])
            kept = (*kept[:1], *(apply(_not_listed, value) for value in kept[1:]))
            kind = "CLASS" if client.class_filter and len(values) == 3 else ""
            log(run, client, Action.SUBSCRIBE, kept, at, frame, type_=kind)
            for value in values[1:]:
                listen(run, client, value)
        case Action.SET:
            return
        case _:
            log(run, client, operation.action, tuple(snapshot(value) for value in values), at, frame)
            for value in values[1:]:
                listen(run, client, value)


def _not_listed(leaf: Any) -> Any:
    """What nobody knows may be a collection or a text: here it is one."""
    if isinstance(leaf, Object) and (leaf.items is not None or leaf.entries is not None):
        return leaf.open or Unknown(Why.DYNAMIC, phrase("collection"))
    return leaf


_CONFIGURED = {"namespace": Attribute.NAMESPACE, "endpoints": Attribute.NAME_SERVER}


def _configure(run: Interpreter, client: Client, value: Guarded, at: Location, frame: Frame) -> None:
    """A gRPC client's configuration; of one that is not seen being built the client's defaults are assumed."""
    for name, attribute in _CONFIGURED.items():
        held = apply(
            lambda leaf, name=name: leaf.fields.get(name) if isinstance(leaf, Object) else None, value
        )
        if any(leaf is not None for _, leaf in leaves(held)):
            given = apply(lambda leaf: text("") if leaf is None else leaf, held)
            log(run, client, Action.SET, (given,), at, frame, attribute)


def _type_text(leaf: Any) -> Any:
    if isinstance(leaf, Object):
        return text(leaf.type.rpartition(".")[2])
    return leaf


_INNER = frozenset({"getDefaultMQPullConsumer", "getDefaultMQPushConsumer", "getDefaultLitePullConsumer"})


def _other_call(
    run: Interpreter, made: Object, name: str, arguments: Arguments, frame: Frame, at: Location
) -> Guarded:
    """A call the tables do not list: getters give back what was set, the rest changes nothing that is compared."""
    client = made.client
    assert client is not None
    if name in clients.READS_QUEUES:
        values = arguments.values
        log(run, client, Action.TOPIC, (), at, frame, type_=name)
        for value in values:
            _queues(run, client, value, at, frame)
    if name in _INNER:
        return made
    if name == "shutdown":
        log(run, client, Action.STOP, (), at, frame)
    if name in ("getSubscription", "getRegisterTopics"):
        return run.make(None, "View", at, fields={"client": made, "kind": text(name)})
    if name == "getConsumerGroup" or name == "getGroup":
        unknown = Unknown(Why.DYNAMIC, f"{name}()", ("call", ("object", made.number), name))
        return settled(client, Attribute.GROUP, made.fields.get(GIVEN_GROUP, unknown))
    if name in _PARTS and not arguments.values:
        action, given = _PARTS[name]
        found = made.fields.get(
            given, Unknown(Why.DYNAMIC, f"{name}()", ("call", ("object", made.number), name))
        )
        for event in client.events:
            if event.action is action:
                found = pick(event.guard, event.values[0], found)
        return found
    for value in arguments.values:
        listen(run, client, value)
    if client.api.startswith(_FLUENT) or name == "shutdown":
        return made if client.api.startswith(_FLUENT) else None
    return Unknown(Why.DYNAMIC, f"{name}()", ("call", ("object", made.number), name))


def _queues(run: Interpreter, client: Client, value: Guarded, at: Location, frame: Frame) -> None:
    """`assign(queues)`: the topics of the queues that are written out."""
    before = run.guard
    for outer, leaf in leaves(value, before):
        items = leaf.items if isinstance(leaf, Object) else None
        for guard, item in items or ():
            for run.guard, queue in leaves(item, both(outer, guard)):
                if isinstance(queue, Object) and queue.type.endswith("MessageQueue"):
                    topic = queue.fields.get("topic")
                    if topic is not None:
                        log(run, client, Action.TOPIC, (topic,), at, frame, type_="assign")
    run.guard = before


def view_call(
    run: Interpreter, view: Object, name: str, arguments: Arguments, frame: Frame, at: Location
) -> Guarded:
    """`consumer.getSubscription().put(topic, expression)`, `consumer.getRegisterTopics().add(topic)`."""
    made = view.fields["client"]
    assert isinstance(made, Object)
    assert made.client is not None
    if name in ("put", "add") and arguments.values:
        log(run, made.client, Action.SUBSCRIBE, tuple(arguments.values[:2]), at, frame)
    return None


GIVEN_GROUP = "<group>"
GIVEN_TOPIC = "<topic>"
GIVEN_EXPRESSION = "<expression>"
"""The fields of a consumer that a library makes, or of its container, with what the library gives it."""

_PARTS = {
    "getTopic": (Action.PART_TOPIC, GIVEN_TOPIC),
    "getSelectorExpression": (Action.PART_EXPRESSION, GIVEN_EXPRESSION),
}
"""What asks an object with one subscription for a part of it."""


def settled(client: Client, attribute: Attribute, found: Guarded = None) -> Guarded:
    """What an attribute was last set to; `found` where it was not."""
    for event in client.events:
        if event.action is Action.SET and event.attribute is attribute:
            found = pick(event.guard, event.values[0], found)
    return found


def elsewhere(
    run: Interpreter, leaf: Unknown, name: str, arguments: Arguments, frame: Frame, at: ir.At
) -> None:
    """A consumer that nobody has seen being made is configured: noted for `unrecognised-use`, with the calls that led to it."""
    assert leaf.type is not None
    row = clients.java_view(leaf.type.name)
    if any(one.method is not None and one.method.name == "prepareStart" for one in clients.frames_of(frame)):
        return  # the consumer of the listener itself, read with its annotation
    if _is_made_here_too(leaf, frame) or (isinstance(leaf.symbol, tuple) and leaf.symbol[:1] == ("mocked",)):
        return
    if row is not None and name in row.operations:
        operation = row.operations[name]
        quiet = operation.action is Action.SET and operation.attribute not in COMPARED
        if operation.action not in (Action.START, Action.LISTENER) and not quiet:
            stack = (*clients.stack_of(frame), run.place(frame, at))
            run.heap.setdefault("elsewhere", []).append((stack, leaf, name))


def _is_made_here_too(leaf: Unknown, frame: Frame) -> bool:
    """Whether a field that may already be filled is filled with a consumer of this code where it is not."""
    match leaf.symbol:
        case ("field", ("object", number), str(name)):
            this = frame.this
            held = this.fields.get(name) if isinstance(this, Object) and this.number == number else None
            return any(isinstance(one, Object) and one.client is not None for _, one in leaves(held))
    return False


def listener_mode(run: Interpreter, value: Guarded) -> Guarded:
    """The consume mode a listener gives away by its types."""

    def mode(leaf: Any) -> Any:
        if isinstance(leaf, Object):
            names = [leaf.type.rpartition(".")[2]]
            if leaf.declared is not None:
                names = [ref.name for each in run.scope.supers(leaf.declared) for ref in each.decl.supers]
            for name in names:
                found = LISTENER_MODES.get(name.rpartition(".")[2])
                if found:
                    return text(found)
        if isinstance(leaf, Function):
            names = [leaf.interface, *(p.type.name for p in leaf.params if p.type is not None)]
            names += _names_in(leaf.body)
            for name in names:
                found = LISTENER_MODES.get(name.rpartition(".")[2])
                if found:
                    return text(found)
        if isinstance(leaf, Unknown) and leaf.type is not None:
            found = LISTENER_MODES.get(leaf.type.simple)
            if found:
                return text(found)
        if isinstance(leaf, Bound):
            return _bound_mode(run, leaf)
        return run.due(Unknown(Why.DYNAMIC, phrase("listener-is-not-seen")), leaf)

    return apply(mode, value)


def _bound_mode(run: Interpreter, leaf: Bound) -> Any:
    for _, target in leaves(leaf.target):
        declared = target.declared if isinstance(target, Object) else getattr(target, "declared", None)
        if declared is None:
            continue
        for each in run.scope.supers(declared):
            for method in each.methods.get(leaf.name, ()):
                refs = [p.type.name for p in method.decl.params if p.type is not None]
                if method.decl.returns is not None:
                    refs.append(method.decl.returns.name)
                for name in refs:
                    found = LISTENER_MODES.get(name.rpartition(".")[2])
                    if found:
                        return text(found)
    return run.due(Unknown(Why.DYNAMIC, phrase("listener-is-not-seen")), leaf.target)


def _names_in(body: tuple[ir.Stmt, ...]) -> list[str]:
    """The names of types a lambda's returns mention: `return ConsumeOrderlyStatus.SUCCESS`."""
    return [
        node.target.name
        for node in islice(nodes(body), 5_000)
        if isinstance(node, ir.Attribute) and isinstance(node.target, ir.Name)
    ]


def properties(value: Any, assignment: Mapping[int, int]) -> dict[Attribute, Guarded]:
    """What a `Properties` object says about a consumer under some choices; `GROUP_ID` wins over `ConsumerId`."""
    found: dict[Attribute, tuple[str, Guarded]] = {}
    for entry in (value.entries or ()) if isinstance(value, Object) else ():
        if settle(entry.guard, assignment) is not True:
            continue
        key = settle(entry.key, assignment)
        name = key.known if isinstance(key, Text) else key.name if isinstance(key, LibraryConstant) else None
        attribute = ONS_PROPERTIES.get(name or "")
        if attribute is not None and not (
            name == "ConsumerId" and found.get(attribute, ("",))[0] == "GROUP_ID"
        ):
            found[attribute] = (name or "", settle(entry.value, assignment))
    return {attribute: item for attribute, (_, item) in found.items()}


def snapshot(value: Guarded) -> Guarded:
    """A collection as it is now: what is put into it later is not what the call was given."""

    def copy(leaf: Any) -> Any:
        if (
            isinstance(leaf, Object)
            and leaf.client is None
            and (leaf.items is not None or leaf.entries is not None)
        ):
            made = Object(leaf.declared, leaf.type, leaf.number, leaf.at, dict(leaf.fields))
            made.items, made.entries, made.open = views.copied(leaf)
            return made
        return leaf

    return apply(copy, value)

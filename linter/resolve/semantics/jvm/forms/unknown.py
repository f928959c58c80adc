"""Calls of what is not known, or only by its declared type: it may be any of the types below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.location import Location
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute import clients
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.given_up import lose_by_name, lose_called, lose_held
from subdrift.linter.resolve.execute.guards import UNSET, both, choose, either, pick
from subdrift.linter.resolve.execute.havoc import OF_FUNCTIONS, OUT, assigned, forget_called
from subdrift.linter.resolve.execute.identity import as_it_is, lasting, symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.needs import LEFT
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.reach import Reach
from subdrift.linter.resolve.execute.values import Bound, Frame, Function, Guarded, Object, TypeValue, Unknown
from subdrift.linter.resolve.semantics.jvm import beans, consumers, looked_up, managed
from subdrift.linter.resolve.semantics.jvm.forms.construction import UNNAMED
from subdrift.linter.resolve.semantics.jvm.library import kinds, statics, unknowns

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


IMPLEMENTATIONS_MAX = 16
"""Implementations of one interface that a call is followed into."""

_OF_ALL = frozenset({"toString", "equals", "hashCode", "getClass"})
"""Methods that tell nothing of the class of what they are called on."""

_HELD: Mapping[tuple[str, str], int] = {
    ("Entry", "getKey"): 0, ("Entry", "getValue"): 1, ("Map", "get"): 1, ("Map", "getOrDefault"): 1, ("List", "get"): 0,
    ("Supplier", "get"): 0, ("Iterator", "next"): 0,
}  # fmt: skip
"""Methods of the library that give what their receiver holds -> the place of its type among the type arguments."""


_GIVEN: Mapping[str, str] = {
    "getEnvironment": "org.springframework.core.env.Environment",
    "getApplicationContext": "org.springframework.context.ApplicationContext",
    "getBeanFactory": "org.springframework.beans.factory.BeanFactory",
    "getAutowireCapableBeanFactory": "org.springframework.beans.factory.BeanFactory",
}
"""What contexts, and events about them, give."""

_OF_CONTEXTS = (*managed.CONTAINERS, "ContextRefreshedEvent", "ContextStartedEvent", "ApplicationReadyEvent",
                "ApplicationStartedEvent", "ApplicationPreparedEvent", "ConditionContext")  # fmt: skip


class Asked(NamedTuple):
    """A call of a method on a value that nobody knows."""

    java: Java
    run: Interpreter
    leaf: Unknown
    name: str
    arguments: Arguments
    frame: Frame
    at: ir.At


def on_unknown(
    java: Java, run: Interpreter, leaf: Unknown, name: str, arguments: Arguments, frame: Frame, at: ir.At
) -> Guarded:
    place = run.place(frame, at)
    declared = leaf.type.declared if leaf.type is not None else None
    if leaf.type is not None and leaf.type.guessed and name in _OF_ALL:
        declared = None  # what every object has, it may have of any class
    if declared is not None and declared.file.model:
        if declared.concrete:
            stand_in = one_object(java, run, leaf, declared, place)
            return java._on_object(run, stand_in, name, arguments, frame, at)
    elif declared is not None:
        return _on_declared(Asked(java, run, leaf, name, arguments, frame, at), declared)
    if leaf.type is not None and clients.java_view(leaf.type.name) is not None:
        consumers.elsewhere(run, leaf, name, arguments, frame, at)
    run.misses_call(name, leaf, arguments)
    if leaf.type is None:
        may_be_own(run, leaf, name, frame)
    if name in OF_FUNCTIONS and leaf.type is None:
        run.loses_call("")  # it may be a function
    if leaf.needs and any(
        isinstance(each, Function | Bound) and run.may_lead(each) for each in arguments.values
    ):
        run.heap.setdefault(LEFT, set()).update(leaf.needs)  # of them it is called with what they would tell
    found = unknowns.unknown_method(java, run, leaf, name, arguments, frame, place)
    if found is UNSET and leaf.type is not None and leaf.type.simple.endswith(managed.CONTAINERS):
        found = looked_up.looked_up(java, run, name, arguments, frame.owner)
    if found is not UNSET:
        return found
    result = _told_of(Asked(java, run, leaf, name, arguments, frame, at))
    lose_held(run, name, leaf)
    if leaf.type is None:
        lose_by_name(run, name, arguments.values)
    return run.havoc(name, result, leaf, arguments)


def may_be_own(run: Interpreter, leaf: Unknown, name: str, frame: Frame) -> None:
    """What a method is called on may be an object of the program's own that code nobody sees has: its method may run."""
    forget_called(run, None, name, leaf)
    lose_called(run, name, leaf)
    if run.brief or name in run.hot_names:  # such a call is told by itself
        return
    known = run.heap.setdefault("called unseen", set())
    fresh = [
        one
        for one in run.heap.get(OUT, {}).values()
        if (one.number, name) not in known and _does_something(run, one.declared, name)
    ]
    known |= {(one.number, name) for one in fresh}
    if fresh:
        before = run.guard
        bound = [Bound(one, name, frame) for one in fresh]
        run.guard = both(before, run.runs_it(name, bound))
        run.hand_over(bound, leaf, before)
        run.guard = before


def _does_something(run: Interpreter, declared: Class, name: str) -> bool:
    """Whether a class has a method of a name that does more than to give what is there."""
    known: dict[tuple[Class, str], bool] = run.heap.setdefault("does something", {})
    if (declared, name) not in known:
        methods = [one for each in run.scope.supers(declared) for one in each.methods.get(name, ())]
        known[declared, name] = any(
            isinstance(node, ir.Call | ir.Assign | ir.New)
            for one in methods
            for node in nodes(one.decl.body or ())
        )
    return known[declared, name]


def _told_of(asked: Asked) -> Unknown:
    """What a call nobody can see into gives: the same for the same receiver and arguments, unless it is known
    to change from call to call."""
    _, run, leaf, name, arguments, frame, at = asked
    symbols = tuple(map(lasting, arguments.values))
    symbol: object = None
    receiver = as_it_is(run, leaf)
    if receiver is not None and None not in symbols and not kinds.changes(name):
        symbol = ("call", receiver, name, symbols)
    is_function = leaf.type is not None and leaf.type.simple in kinds.FUNCTIONAL and name in OF_FUNCTIONS
    if kinds.is_fresh(name) or is_function:
        symbol = ("fresh", run.unique())
    call = statics.asked(name, arguments)
    detail = f"{leaf.detail}.{call}" if leaf.detail else call
    given = run.unknown(leaf.why, detail, frame, at, symbol=symbol)
    guessed = statics.by_class_literal(given, arguments)
    if guessed is not given:
        return guessed
    held = leaf.type
    index = _HELD.get((held.simple, name)) if held is not None else None
    if held is not None and name in _GIVEN and not arguments.values and held.simple.endswith(_OF_CONTEXTS):
        return replace(given, type=TypeValue(None, _GIVEN[name]))
    if held is None or index is None or index >= len(held.args):
        return given
    return run.with_type(given, held.args[index], frame)


def _on_declared(asked: Asked, declared: Class) -> Guarded:
    """A call on an object nobody has seen being made, of a declared type: what its implementations do."""
    java, run, leaf, name, arguments, frame, at = asked
    place = run.place(frame, at)
    target = beans.instance_for(java, run, leaf, declared)
    if isinstance(target, Object):
        return java._on_object(run, target, name, arguments, frame, at)
    forget_called(run, declared, name, leaf)
    if declared.kind == "enum" and any(one.body is not None for one in declared.decl.constants):
        java.prepare(run, declared)
        constants = [java.constant(run, declared, one) for one in declared.constants]
        return _on_one_of(asked, declared, len(constants), constants.__getitem__)
    if declared.kind == "enum":  # an object of no other kind: which of the constants it is nobody knows
        methods = run.scope.methods(declared, name, len(arguments))
        if methods and not methods[0].abstract:
            return java._dispatch(run, methods, leaf, arguments, frame, place)
    further = run.certain and not declared.concrete and not declared.file.machinery
    implementations = classes_of(java, run, declared, name, len(arguments))
    if not declared.concrete and any("." in each and run.scope.lacks_own(each) for each in leaf.needs):
        implementations = []  # it may be of a class that is not in sight
    if (
        further
        and len(implementations) == 1
        and _gives_a_value(run.scope.methods(declared, name, len(arguments)))
    ):
        run.needed.add(f"<{declared.simple}")
    if not implementations:
        return _of_none(asked, declared)
    unnamed = [one for one in run.heap.get(UNNAMED, ()) if run.scope.is_a(one.declared, declared)]
    several = [*implementations, *unnamed][:IMPLEMENTATIONS_MAX]

    def object_of(way: int) -> Object:
        one = several[way]
        return one if isinstance(one, Object) else one_object(java, run, leaf, one, place)

    if len(several) == 1:
        return java._on_object(run, object_of(0), name, arguments, frame, at)
    return _on_one_of(asked, declared, len(several), object_of)


def _of_none(asked: Asked, declared: Class) -> Guarded:
    """A call on an object of a type that nobody in sight implements."""
    java, run, leaf, name, arguments, _, _ = asked
    methods = run.scope.methods(declared, name, len(arguments))
    result = _told_of(asked)
    if not declared.file.machinery:
        below = f"<{declared.simple}"
        result = replace(result, needs=result.needs | leaf.needs | {below})
        run.hands_over(below, arguments)
    run.loses_call(name)
    if declared.is_interface:
        run.loses_call("")  # a function may stand for it
    run.havoc(name, result, None, arguments)
    if methods and methods[0].decl.returns is not None:
        return java._typed(run, result, methods[0].decl.returns, methods[0].owner)
    return result


def _on_one_of(asked: Asked, declared: Class, ways: int, object_of: Callable[[int], Object]) -> Guarded:
    """A call on an object that is one of some, each way of one choice: the same whatever is asked of the object."""
    java, run, leaf, name, arguments, frame, at = asked
    place = run.place(frame, at)
    key = ("subtype", symbol_of(leaf) or ("at", place, frame.number), declared.name, ways)
    number = run.decide(key, ways, "subtype", place, shown=declared.simple)
    before, after, found_value = run.guard, False, UNSET
    for index in range(ways):
        run.guard = both(before, choose(number, ways, index))
        if run.guard is False:
            continue
        here = run.guard
        value = java._on_object(run, object_of(index), name, arguments, frame, at)
        found_value = pick(here, value, found_value)
        after = either(after, run.guard)
    run.guard = after
    return None if found_value is UNSET else found_value


def classes_of(java: Java, run: Interpreter, declared: Class, name: str, count: int) -> list[Class]:
    """The classes that an unknown object of a type may have, none where none of them has a method: all of them, since
    the object has one class whatever is asked of it."""
    found = run.scope.implementations(declared, demand=False)
    with_it = [
        each
        for each in found
        if (methods := run.scope.methods(each, name, count)) and not methods[0].abstract
    ]
    return list(found) if with_it else []


def one_object(java: Java, run: Interpreter, leaf: Unknown, declared: Class, at: Location) -> Object:
    """An object for one nobody has seen being made: its fields are whatever a framework or nobody set."""
    key = ("stand-in", leaf.symbol if leaf.symbol is not None else id(leaf), declared)  # which it keeps
    found = run.heap.get(key)
    if found is None:
        found = run.make(declared, declared.name, at)
        found.open = leaf
        run.heap[key] = found
        if declared.file.model:
            fill_unknown(java, run, found, leaf, declared)
            return found
        found.bean = True
        before, run.guard, clients_before = run.guard, True, len(run.clients)
        counts = any(_counts(decl) for each in run.scope.supers(declared) for decl in each.fields.values())
        reach = Reach.reached(run, [], run.statics.values()) if counts else None
        java._run_fields(run, found, declared)
        if reach is not None:  # when it was made, before or behind others, nobody knows
            reach.forget_changes(run, True, leaf)
        run.guard = before
        for client in run.clients[clients_before:]:
            client.of_any = client.escaped = True
        may_be_set(java, run, found, leaf, declared)
        if leaf.needs and run.certain and run.may_lead(found):
            run.needed |= leaf.needs  # what has made it says what it holds
    assert isinstance(found, Object)
    return found


def _counts(decl: ir.FieldDecl) -> bool:
    """Whether each object's field gets another value."""
    return not decl.static and any(
        type(node) is ir.Assign
        or (type(node) is ir.Call and (kinds.changes(node.name) or kinds.is_fresh(node.name)))
        for node in nodes(decl.value)
    )


def may_be_set(java: Java, run: Interpreter, made: Object, leaf: Unknown, declared: Class) -> None:
    """Who made an object that nobody has seen being made may have given its fields other values than their
    initialisers do, and have called methods that do."""
    for owner in run.scope.supers(declared):
        called = (one for name, methods in owner.methods.items() for one in methods if name != "<init>")
        written = frozenset[str]().union(*map(assigned, called))
        given = {param.name for each in owner.methods.get("<init>", ()) for param in each.decl.params}
        given |= {param.name for param in owner.decl.components or ()}
        for name, decl in owner.fields.items():
            slot = java.slot(run, made, name, owner)
            fixed = decl.final and name not in given and not _counts(decl)
            is_late = decl.value is None and name in written
            if decl.static or not (is_late or (decl.value is not None and slot in made.fields)):
                continue
            held = made.fields.get(slot)
            empty = isinstance(held, Object) and not held.items and not held.entries
            if fixed and not empty:  # an empty collection is there to be filled
                continue
            symbol = ("field", leaf.symbol or ("object", made.number), name)
            unknown = Unknown(leaf.why, f"{declared.simple}.{name}", symbol)
            if isinstance(held, Object) and (held.items is not None or held.entries is not None):
                held.open = held.open or unknown  # what made the object may have put something in
            elif not isinstance(held, Object | Function | Bound) or (
                isinstance(held, Object) and bool(held.constant)
            ):
                made.fields[slot] = java._typed(run, unknown, decl.type, owner)


def fill_unknown(java: Java, run: Interpreter, made: Object, leaf: Unknown, declared: Class) -> None:
    """The fields of an object of a library's class that nobody has seen being made."""
    near = run.frame(declared, None)
    variables = [name for name, _ in declared.decl.parameters]
    args = leaf.type.args if leaf.type is not None else ()
    for name, decl in declared.fields.items():
        if decl.static or decl.type is None:
            continue
        if run.type_named(decl.type.name, near) is declared:
            made.fields[name] = (
                None  # another one, which it would ask in its turn, tells no more than it does
            )
            continue
        symbol = ("field", leaf.symbol or ("object", made.number), name)
        value = Unknown(leaf.why, leaf.detail, symbol, steps=leaf.steps, needs=leaf.needs)
        index = variables.index(decl.type.name) if decl.type.name in variables else -1
        if index < 0:
            value = run.with_type(value, decl.type, near)
        elif index < len(args):
            value = run.with_type(value, args[index], near)
        made.fields[name] = value


def _gives_a_value(methods: Sequence[Method]) -> bool:
    return any(each.decl.returns is None or each.decl.returns.name != "void" for each in methods)

"""Methods of values of the library: of texts, numbers and objects, and what is left to say where nothing is modelled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute import clients
from subdrift.linter.resolve.execute.callbacks import lose_until_joined
from subdrift.linter.resolve.execute.calls import CALLED
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, either, negate, pick, some, under
from subdrift.linter.resolve.execute.handed import entry_of, functions_in
from subdrift.linter.resolve.execute.identity import as_it_is, lasting, symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.loops import ending, fail
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.state import READS
from subdrift.linter.resolve.execute.values import (
    CONSTANT,
    Bound,
    Frame,
    Guarded,
    LibraryConstant,
    Long,
    Object,
    Single,
    Step,
    Text,
    TypeValue,
    Unknown,
    is_whole,
    made_of,
    text,
    widened,
)
from subdrift.linter.resolve.semantics.jvm import (
    collectors,
    consumers,
    documents,
    list_views,
    lists,
    maps,
    order,
    streams,
    views,
)
from subdrift.linter.resolve.semantics.jvm.calls import OBJECTS, Call
from subdrift.linter.resolve.semantics.jvm.collections import collection_method, each_item, walked
from subdrift.linter.resolve.semantics.jvm.equality import equal
from subdrift.linter.resolve.semantics.jvm.library import objects, surroundings
from subdrift.linter.resolve.semantics.jvm.library.kinds import (
    changes,
    is_throwable,
    thrown_message,
    thrown_with,
)
from subdrift.linter.resolve.semantics.jvm.library.tasks import (
    drain,
    functional_default,
    hand_over,
    is_thread,
    thread_name,
)
from subdrift.linter.resolve.semantics.jvm.library.texts import text_call
from subdrift.linter.resolve.semantics.jvm.natives import (
    codes,
    hocon,
    injection,
    reflection,
    scanning,
    services,
    switches,
    trees,
    wholes,
)
from subdrift.linter.resolve.semantics.jvm.natives import collections as native_collections
from subdrift.linter.resolve.semantics.jvm.natives import numbers as native_numbers
from subdrift.linter.resolve.semantics.jvm.natives import streams as native_streams
from subdrift.linter.resolve.semantics.jvm.natives import texts as native_texts
from subdrift.linter.resolve.semantics.jvm.operators import convert
from subdrift.linter.resolve.semantics.jvm.static_types import is_box

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


def method(
    java: Java, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, place: Location
) -> Guarded:
    """`leaf.name(…)` on a value of the library."""
    call = Call(java, run, leaf, name, arguments.values, frame, place)
    if made_of(leaf) == CONSTANT:
        return _bound_constant(call, leaf)
    if isinstance(leaf, Text):
        return text_call(call, leaf, arguments)
    if isinstance(leaf, bool | int | float | Test):
        return _number_method(call, leaf)
    if isinstance(leaf, LibraryConstant):
        return _constant_method(call, leaf)
    if isinstance(leaf, Object):
        return _on_object(call, leaf, arguments)
    return Unknown(Why.UNSUPPORTED, name)


def _bound_constant(call: Call, leaf: Text) -> Guarded:
    """A method of a constant of an enumeration that configuration names: which one it is tells an environment alone."""
    if call.name == "equals" and len(call.args) == 1:
        return apply(lambda other: equal(leaf, other), call.args[0])
    marks = tuple(map(symbol_of, (leaf, *call.args)))
    return Unknown(Why.DYNAMIC, f"{call.name}()", None if None in marks else ("constant", call.name, *marks))


def _constant_method(call: Call, leaf: LibraryConstant) -> Guarded:
    name, frame = call.name, call.frame
    if name == "name" and frame is not None and frame.owner is not None and frame.owner.file.model:
        return text(leaf.name)  # a model asks for a word of its library
    if name in ("name", "toString", "getModeCN"):
        return call.java.shown(call.run, leaf)
    if name == "equals" and call.args:
        return apply(lambda other: equal(leaf, other), call.args[0])
    operands = tuple(map(symbol_of, call.args))
    mark = None if None in operands else ("constant", leaf.owner, leaf.name, name, *operands)
    return Unknown(Why.DYNAMIC, f"{leaf.name}.{name}()", mark, needs=frozenset({leaf.owner}))


def _on_object(call: Call, leaf: Object, arguments: Arguments) -> Guarded:
    java, run, name, frame, place = call.java, call.run, call.name, call.frame, call.place
    found = _wrapper_method(call, leaf)
    if found is NotImplemented:
        found = collection_method(of_element(call, leaf, arguments), leaf)
    if found is NotImplemented:
        found = object_method(java, run, leaf, name, arguments, frame, place)
        if found is UNSET:
            found = NotImplemented
    if found is not NotImplemented:
        return found
    factory = clients.java_factory(name, leaf.type, len(arguments.values))
    if factory is not None:
        return consumers.from_factory(run, factory, arguments, place, frame)
    for value in arguments.values:
        hand_over(run, value, name, frame, place)
    return _unmodelled(call, leaf, arguments)


def of_element(call: Call, leaf: Object, arguments: Arguments) -> Call:
    """A call of `remove` on a list of Java: what takes a number as an object looks for that, and not for its place."""
    near, written = arguments.near, arguments.written
    if (
        call.name != "remove"
        or views.shape_of(leaf) != "list"
        or near is None
        or not len(written) == len(arguments.values) == 1
    ):
        return call
    number = all(is_whole(one) for one in some(arguments.values[0], 2))
    return (
        call.renamed("removeFirstOccurrence", *call.args)
        if number and is_box(call.run, written[0].value, near)
        else call
    )


def _unmodelled(call: Call, leaf: Object, arguments: Arguments) -> Guarded:
    """A method that nothing is known of: a name may say that it sets or gets a field, or builds."""
    run, name, values = call.run, call.name, arguments.values
    holds = leaf.items is not None or leaf.entries is not None
    is_modelled = holds or "text" in leaf.fields
    is_modelled = is_modelled or views.is_entry(leaf) or leaf.type.rpartition(".")[2] in OBJECTS
    writes = not READS.match(name)
    reason = Unknown(
        Why.DYNAMIC, f"{name}()", entry_of(run, leaf, values if writes else ()) if holds else None
    )
    if views.BY_USE in leaf.fields:
        leaf.fields[views.UNORDERED] = True
    receiver = leaf if is_modelled or (writes and leaf.declared) else None
    kept = run.havoc(name, reason, receiver, arguments, reads=not writes)
    if writes and not is_modelled and not run.brief:
        run.hand_over((leaf,), reason)
        run.defer(leaf)
    elif not is_modelled and not run.brief:  # to give something it may run a function that it holds
        run.hand_over([one for _, one in functions_in(run, (leaf,)) if type(one) in CALLED], reason)
    field = name[3:4].lower() + name[4:]
    if writes and "" in leaf.fields:  # what holds one thing may hold another one now
        leaf.fields[""] = pick(run.guard, Unknown(Why.DYNAMIC, "get()"), leaf.fields[""])
    if name.startswith("set") and len(values) == 1:
        before = leaf.fields.get(field, Unknown(Why.DYNAMIC, field))
        leaf.fields[field] = pick(run.guard, values[0], before)
        return leaf
    if name.startswith("get") and not values and field in leaf.fields:
        return under(leaf.fields[field], run.guard)
    if name in ("build", "builder"):
        return leaf
    if kept is not reason or holds:
        return kept
    symbols = tuple(map(lasting, values))
    unsure = None in symbols or changes(name) or is_modelled  # a collection may say something else each time
    symbol = None if unsure else ("call", as_it_is(run, leaf), name, symbols)
    return Unknown(Why.DYNAMIC, f"{leaf.type.rpartition('.')[2]}.{name}()", symbol)


def _number_method(call: Call, leaf: Any) -> Guarded:
    match call.name:
        case "toString":
            return call.java.shown(call.run, leaf)
        case "equals":
            return apply(lambda other: equal(leaf, other), call.args[0])
        case "intValue" | "longValue" | "booleanValue" | "shortValue" | "byteValue":
            return convert(leaf, call.name.removesuffix("Value"))
        case "doubleValue" | "floatValue":
            return widened(leaf, call.name.removesuffix("Value")) if isinstance(leaf, int | float) else leaf
        case "compareTo" | "compare":
            return apply(lambda other: _compared(leaf, other), call.args[0])
        case "hashCode" if is_whole(leaf) or type(leaf) is bool:
            return order.signed_hash(leaf)
        case "getClass" if isinstance(leaf, bool | Test | float | Long):
            kind = {Single: "Float", float: "Double", Long: "Long"}.get(type(leaf), "Boolean")
            return TypeValue(None, f"java.lang.{kind}")
        case "getClass":  # of an Integer, or of a Long
            return Unknown(Why.DYNAMIC, "getClass()", ("class of", leaf))
    return call.unknown()


def _compared(one: Any, other: Any) -> Any:
    return (
        (one > other) - (one < other) if isinstance(other, int | float) else Unknown(Why.DYNAMIC, "compareTo")
    )


def _wrapper_method(call: Call, leaf: Object) -> Guarded:
    simple = leaf.type.rpartition(".")[2]
    handler = OBJECTS.get(simple)
    return handler(call, leaf) if handler is not None else NotImplemented


def object_method(
    java: Java, run: Interpreter, leaf: Object, name: str, arguments: Arguments, frame: Frame, place: Location
) -> Guarded:
    """What every object has, and what a declared class inherits from the library; UNSET where nothing is known."""
    call = Call(java, run, leaf, name, arguments.values, frame, place)
    found = _of_every_object(call, leaf)
    if found is UNSET and leaf.constant:
        found = _of_enum_constant(call, leaf)
    if found is UNSET:
        found = _of_throwable(call, leaf)
    return _inherited(call, leaf) if found is UNSET and leaf.declared is not None else found


def _of_every_object(call: Call, leaf: Object) -> Guarded:
    args, declared = call.args, leaf.declared
    match call.name:
        case "toString" if not args:
            return call.java.shown(call.run, leaf)
        case "equals" if len(args) == 1:
            return apply(lambda other: equal(leaf, other), args[0])
        case "clone" if not args and declared is not None and leaf.items is None and leaf.entries is None:
            return _cloned(call.run, leaf, call.place)
        case "hashCode" if not args:
            return Unknown(Why.DYNAMIC, "hashCode", ("hash", leaf.number))
        case "getClass" if not args:
            return TypeValue(declared, declared.name if declared else leaf.type)
    return UNSET


def of_class_above(call: Call, leaf: Object) -> Guarded:
    """`super.name(…)` where no class of the program above has such a method; UNSET where nothing is known."""
    match call.name:
        case "clone" if not call.args:
            return _of_every_object(call, leaf)
        case "equals" if len(call.args) == 1 and leaf.declared is not None:
            above = call.run.scope.library_supers(leaf.declared)
            return UNSET if above else apply(lambda other: other is leaf, call.args[0])
        case "toString" if leaf.constant and not call.args:
            return _constant_name(leaf)
    return _of_throwable(call, leaf)


def _of_enum_constant(call: Call, leaf: Object) -> Guarded:
    run, args, declared = call.run, call.args, leaf.declared
    mine = leaf.fields.get("<ordinal>")
    match call.name:
        case "getDeclaringClass" if not args and declared is not None:
            of = next((one for one in run.scope.supers(declared) if one.kind == "enum"), declared)
            return TypeValue(of, of.name)
        case "name" if not args:
            return call.java.shown(run, leaf) if declared is None else _constant_name(leaf)
        case "ordinal" if not args:
            return mine
        case "compareTo" if len(args) == 1:

            def compared(other: Any) -> Any:
                theirs = other.fields.get("<ordinal>") if isinstance(other, Object) else None
                if isinstance(mine, int) and isinstance(theirs, int):
                    return mine - theirs
                return Unknown(Why.DYNAMIC, "compareTo")

            return apply(compared, args[0])
    return UNSET


SUPPRESSED: Final = "<suppressed>"
"""The field of an exception with those that were thrown while it was on its way."""


def suppress(run: Interpreter, leaf: Object, others: Iterable[tuple[Guarded, Guarded]]) -> None:
    """Others that were thrown are told by an exception, each where its guard holds."""
    leaf.fields[SUPPRESSED] = (*leaf.fields.get(SUPPRESSED, ()), *others)


def _suppressed(call: Call, leaf: Object) -> Object:
    """An array of those that were suppressed on this path, as long as that is known."""
    here = call.run.guard
    there = [(guard, one) for guard, one in leaf.fields.get(SUPPRESSED, ()) if both(here, guard) is not False]
    unsure = any(either(negate(here), guard) is not True for guard, _ in there)
    return call.listed("[]", [(True, one) for _, one in there], call.unknown() if unsure else None)


def _of_throwable(call: Call, leaf: Object) -> Guarded:
    if call.name == "getSuppressed" and not call.args and is_throwable(call.run, leaf):
        return _suppressed(call, leaf)
    if call.name == "addSuppressed" and len(call.args) == 1 and is_throwable(call.run, leaf):
        suppress(call.run, leaf, [(call.run.guard, call.args[0])])
        return None
    if call.args or (held := thrown_with(leaf)) is None:
        return UNSET
    match call.name:
        case "getMessage" | "getLocalizedMessage":
            return thrown_message(call.java, call.run, held)
        case "getCause":
            causes = (one for one in held if isinstance(one, Object) and is_throwable(call.run, one))
            return next(causes, None)
    return UNSET


def _inherited(call: Call, leaf: Object) -> Guarded:
    """What a declared class has of the library's classes above it."""
    run, name, args = call.run, call.name, call.args
    assert leaf.declared is not None
    if is_thread(run, leaf):
        if name == "start":
            run.put_off(run.guard, Bound(leaf, "run", call.frame))
            lose_until_joined(run, leaf)
        if name == "join":
            drain(run)
        if name in ("start", "join"):
            return None
        if name in ("getName", "setName"):
            return thread_name(leaf, name, args)
    if name == "load" and args and leaf.entries is not None:
        documents.load(call, leaf, args[0])
        return None
    if leaf.items is not None or leaf.entries is not None:
        found = collection_method(call, leaf)
        if found is not NotImplemented:
            return found
    for each in run.scope.library_supers(leaf.declared):
        composed = functional_default(call, leaf, each.rpartition(".")[2])
        if composed is not UNSET:
            return composed
    if (name == "forEach" and args) or (name == "spliterator" and not args):
        found_items = walked(call.java, run, leaf, call.frame)
        if found_items is None:
            return UNSET
        if name == "spliterator":
            return call.listed("List", found_items)
        each_item(call, found_items, args[0])
        fail(run, ending(leaf))
        return None
    return UNSET


def _cloned(run: Interpreter, leaf: Object, place: Location) -> Guarded:
    """`Object.clone()`: another object of the class whose fields hold the same."""
    assert leaf.declared is not None
    if leaf.client is not None or leaf.open is not None or leaf.bean:
        return Unknown(Why.DYNAMIC, "clone()")
    if not any(each.rpartition(".")[2] == "Cloneable" for each in run.scope.library_supers(leaf.declared)):
        return Unknown(Why.DYNAMIC, "clone()")  # it throws, unless a class nobody sees says otherwise
    made = run.make(leaf.declared, leaf.type, place, fields=dict(leaf.fields))
    made.outer, made.captured = leaf.outer, leaf.captured
    return made


def _constant_name(leaf: Object) -> Text:
    steps = (Step(leaf.at, phrase("enum-constant-named", leaf.constant)),) if leaf.at else ()
    return text(leaf.constant, steps)


NATIVES = (
    native_collections, native_numbers, native_streams, native_texts, lists, maps, streams, codes, hocon, injection, reflection,
    collectors, switches, trees, scanning, services, list_views, objects, surroundings, wholes,
)  # fmt: skip
"""The modules whose native functions are declared because they are imported."""

"""Extension functions of lists, sets and arrays that models leave to native code."""

from __future__ import annotations

from typing import Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute.guards import UNSET, both, either, negate, pick
from subdrift.linter.resolve.execute.havoc import some_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    UNIT,
    Bound,
    Frame,
    Function,
    Guarded,
    Object,
    TypeValue,
    Unknown,
    is_whole,
    text,
)
from subdrift.linter.resolve.semantics.jvm import strictness, views
from subdrift.linter.resolve.semantics.jvm.calls import Call
from subdrift.linter.resolve.semantics.jvm.collections import stream_of, where_there
from subdrift.linter.resolve.semantics.jvm.elements import at, size
from subdrift.linter.resolve.semantics.jvm.kotlin_frames import code_of
from subdrift.linter.resolve.semantics.jvm.kotlin_library.values import (
    BOUNDS,
    ENDS,
    SAME,
    SEQUENCE,
    STREAMS,
    as_list,
    as_sequence,
    combined,
    contains,
    in_range,
    java,
    negated,
    not_empty,
    numbers,
    of,
    present,
    range_of,
    take_in,
    walked,
)
from subdrift.linter.resolve.semantics.jvm.library import kinds
from subdrift.linter.resolve.semantics.jvm.operators import raise_in, raise_where
from subdrift.linter.resolve.semantics.jvm.order import ordered
from subdrift.linter.resolve.semantics.jvm.streams import stream_method

_RUN_FOR_SOME = frozenset({"map", "flatMap", "any", "all", "none"})
"""Functions that run one they are given for some element where nobody knows the elements."""


def _drawn(call: Call, leaf: Object) -> Guarded:
    """A sequence that hands over its elements one by one, each when it is asked for."""
    models = call.run.scope.models
    modules = models.package("kotlin.sequences") if models is not None else ()
    making = next((list(one.methods["drawnFrom"]) for one in modules if "drawnFrom" in one.methods), None)
    if making is None:
        return call.unknown("asSequence()")
    return call.java._dispatch(call.run, making, None, Arguments([leaf]), call.frame, call.place)


def sequence_of(call: Call, made: Object) -> Guarded:
    """A sequence of known elements: a list that stands for it where nobody can tell the difference."""
    sure = made.open is None and all(guard is True for guard, _ in made.items or ())
    if sure and call.frame is not None and _watches(call.run, call.frame):
        return _drawn(call, made)
    return as_sequence(made)


def _watches(run: Interpreter, frame: Frame) -> bool:
    """Whether functions in the code around do more with what a sequence hands them than give a value: then it shows in which
    order, and how often, they run."""
    body = code_of(frame)
    known: dict[int, tuple[Any, bool]] = run.heap.setdefault("watching", {})  # by its id, and kept for it
    if id(body) not in known:
        handed = (
            argument.value
            for node in nodes(body)
            if isinstance(node, ir.Call) and node.name in _LAZY
            for argument in node.args
        )
        known[id(body)] = (
            body,
            any(isinstance(one, ir.Lambda) and any(map(_writes, nodes(one.body))) for one in handed),
        )
    return known[id(body)][1]


def _writes(node: Any) -> bool:
    return isinstance(node, ir.Assign) or (isinstance(node, ir.Call) and node.name in _WRITING)


_LAZY = frozenset(
    {
        *STREAMS,
        "onEach",
        "filterNot",
        "filterNotNull",
        "mapIndexed",
        "mapNotNull",
        "filterIndexed",
        "distinctBy",
        "onEachIndexed",
    }
)
"""Functions of a sequence that run what they are given when an element is asked for."""

_WRITING = frozenset(
    {"add", "addAll", "addFirst", "addLast", "append", "incrementAndGet", "getAndIncrement", "put", "remove"}
)


def on_items(call: Call, leaf: Object, arguments: Arguments) -> Guarded:
    run, name, values = call.run, call.name, arguments.values
    stream = stream_of(call.java, run, leaf, call.frame, call.place)
    found = stream.items or []
    sure = all(guard is True for guard, _ in found) and stream.open is None
    if stream.open is not None and values and name in _RUN_FOR_SOME:
        # what is made for the elements nobody knows is in what comes out: whoever has that may do anything with it
        made_of = call.invoke(values[0], some_of(run, stream.open))
        run.havoc(name, stream.open, None, Arguments([made_of]))
        if not found:
            return Unknown(Why.DYNAMIC, f"{name}()")
    if name in ("take", "drop") and values and isinstance(values[0], int) and values[0] < 0:
        raise_in(
            run, "IllegalArgumentException", text(f"Requested element count {values[0]} is less than zero.")
        )
        return UNSET
    if name in STREAMS and leaf.entries is None and (values or name == "distinct"):
        inner = Call(call.java, run, stream, STREAMS[name], values, call.frame, call.place)
        made = as_list(stream_method(inner, stream))
        return as_sequence(made) if SEQUENCE in leaf.fields else made
    if name in ENDS and (values or (name == "sum" and sure)):
        inner = Call(call.java, run, stream, ENDS[name], values, call.frame, call.place)
        before = views.changes(leaf)
        ended = stream_method(inner, stream)
        strictness.unchanged(call, leaf, before)
        if ended is NotImplemented or name not in ("onEach", "forEach"):
            return ended
        return leaf if name == "onEach" else UNIT
    if name in SAME:
        kinds = {"Set": "LinkedHashSet", "Array": "[]", "Mutable": "ArrayList"}
        made = of(call, found, stream.open, next((kinds[one] for one in kinds if one in name), "List"))
        return sequence_of(call, made) if name in ("asSequence", "constrainOnce") else made
    for answer in (_made_of_items, _told_of_items):
        given = answer(call, stream, arguments)
        if given is not NotImplemented:
            return given
    return _changed(call, leaf, values, sure=sure)


def _way(known: range) -> int:
    return 1 if known.step > 0 else -1


_PICKS = frozenset(
    {"first", "firstOrNull", "find", "single", "singleOrNull", "last", "lastOrNull", "findLast"}
)


def _made_of_items(call: Call, stream: Object, arguments: Arguments) -> Guarded:
    """Functions that give other collections of the elements."""
    run, name, values = call.run, call.name, arguments.values
    found = stream.items or []
    match name:
        case "filterNotNull":  # what nobody knows is taken to be there
            return of(
                call, [(both(g, there), v) for g, one in found for there, v in present(one)], stream.open
            )
        case "reversed" if (known := range_of(call.target)) is not None:
            return numbers(
                call, range(known.stop - _way(known), known.start - _way(known), -known.step), stepped=True
            )
        case "reversed" | "asReversed" | "sortedWith":
            return _ordered(call, stream, values)
        case "filterIsInstance" if arguments.types or (values and isinstance(values[0], TypeValue)):
            ref = arguments.types[0] if arguments.types else ir.TypeRef(values[0].name)
            tested = [(g, v, call.java.is_instance(run, v, ref, call.frame)) for g, v in found]
            if all(type(holds) is bool for _, _, holds in tested) and call.frame is not None:
                return of(call, [(g, v) for g, v, holds in tested if holds], stream.open)
        case "plus" | "minus":
            return combined(run, "+" if name == "plus" else "-", call.target, values[0])
        case "step" if (
            isinstance(values[0], int) and values[0] > 0 and (known := range_of(call.target)) is not None
        ):
            return numbers(call, range(known.start, known.stop, _way(known) * values[0]), stepped=True)
        case "step" if stream.open is None and isinstance(values[0], int) and values[0] > 0:
            if all(guard is True for guard, _ in found) and BOUNDS[0] in call.target.fields:
                return _stepped(call, found, values[0])
    return NotImplemented


def _told_of_items(call: Call, stream: Object, arguments: Arguments) -> Guarded:
    """Functions that give one of the elements, or say something of them."""
    run, name, values, leaf = call.run, call.name, arguments.values, call.target
    if name in _PICKS:
        return _picked(call, stream.items or [], stream.open, values)
    match name:
        case "indexOf" | "lastIndexOf" if stream.open is not None:
            return Unknown(Why.DYNAMIC, f"{name}()")
        case "get" | "elementAt" if values and leaf.entries is None:
            return at(run, leaf, values[0])
        case "count" if not values:
            return size(stream)
        case "isNotEmpty" | "any":
            return not_empty(stream)
        case "isNullOrEmpty" | "none" | "isEmpty":
            return negated(not_empty(stream))
        case "contains":
            return contains(run, leaf, values[0])
        case "component1" | "component2" | "component3" | "component4" | "component5":
            return at(run, leaf, int(name[-1]) - 1)
    return NotImplemented


def _changed(call: Call, leaf: Object, values: list[Guarded], *, sure: bool) -> Guarded:
    """Functions that change a list."""
    name = call.name
    match name:
        case "removeAll" | "retainAll" if values and isinstance(values[0], Function | Bound):
            test = values[0] if name == "removeAll" else _refusing(call, values[0])
            return java(call, leaf, "removeIf", [test])
        case "removeAt" if values:
            return java(call, leaf, "remove", values)
        case "remove" if len(values) == 1 and isinstance(values[0], int) and views.shape_of(leaf) == "list":
            return _removed(call, leaf, values[0])
        case "plusAssign" if len(values) == 1:
            run = call.run
            take_in(run, leaf, run.over(values[0], lambda one: walked(call.java, run, leaf, one)), True)
            run.bound(leaf)
            return True
    return NotImplemented


def _stepped(call: Call, found: list[tuple[Guarded, Guarded]], step: int) -> Object:
    """`range step n`."""
    made = of(call, found[::step], None)
    held = [item for _, item in made.items or ()]
    if not held or not is_whole(held[0]) or len(found) < 2:
        return in_range(made, Unknown(Why.DYNAMIC, phrase("range")))
    way = step if found[1][1] > found[0][1] else -step
    shown = f"{held[0]} downTo {held[-1]} step {step}" if way < 0 else f"{held[0]}..{held[-1]} step {step}"
    return in_range(made, text(shown))


def _removed(call: Call, leaf: Object, value: int) -> Guarded:
    """`list.remove(number)` takes out the first element that is equal; Java's takes out the one at a place."""
    place = java(call, leaf, "indexOf", [value])
    if not is_whole(place):
        return call.run.havoc("remove", Unknown(Why.DYNAMIC, "remove()"), leaf, Arguments([value]))
    if place >= 0:
        java(call, leaf, "remove", [place])
    return place >= 0


def _refusing(call: Call, function_: Guarded) -> Function:
    """The opposite of a condition."""

    def native(run: Interpreter, given: Arguments, caller: Any, place: Any) -> Guarded:
        return negated(call.invoke(function_, *given.values))

    return Function((), (), None, "retainAll", native=native)


def _ordered(call: Call, stream: Object, values: list[Guarded]) -> Object:
    """The elements in another order; nothing is known of them where nobody knows that order."""
    found, result = stream.items or [], None
    if stream.open is None and all(guard is True for guard, _ in found):
        result = ordered(call, found, values[0]) if call.name == "sortedWith" else found[::-1]
    if result is None:
        return of(call, [], stream.open or Unknown(Why.DYNAMIC, phrase("order")))
    made = of(call, result, None)
    if call.name != "sortedWith" and kinds.SHOWN in call.target.fields:
        return in_range(made, Unknown(Why.DYNAMIC, phrase("range")))
    return made


def _picked(
    call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, values: list[Guarded]
) -> Guarded:
    """The first or last element, or the one that a condition holds for."""
    if values:
        found = [(both(g, call.holds(call.invoke(values[0], v))), v) for g, v in where_there(call.run, found)]
    value: Guarded = None if open_ is None else some_of(call.run, open_)
    last = "ast" in call.name
    there: Guarded = open_ is not None
    for guard, item in found if last else reversed(found):
        value = pick(guard, item, value)
        there = either(there, guard)
    if not call.name.endswith("OrNull") and not call.name.startswith("find"):
        said = call.unknown("getMessage()") if values else text("List is empty.")
        raise_where(call.run, negate(there), "NoSuchElementException", said)
        several = call.name == "single" and open_ is None and [guard for guard, _ in found].count(True) > 1
        raise_where(call.run, several, "IllegalArgumentException", call.unknown("getMessage()"))
    if call.name == "singleOrNull" and [guard for guard, _ in found].count(True) > 1:
        return None
    return value

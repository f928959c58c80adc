"""Kotlin's functions without a receiver."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.guards import UNSET, apply, leaves
from subdrift.linter.resolve.execute.identity import PRESENT
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import UNIT, Bound, Function, Guarded, Object, Text, Unknown
from subdrift.linter.resolve.semantics.jvm import order
from subdrift.linter.resolve.semantics.jvm.calls import Call, Given
from subdrift.linter.resolve.semantics.jvm.collections import ARRAY_MAX, each_item, for_some, once
from subdrift.linter.resolve.semantics.jvm.kotlin_library import turns
from subdrift.linter.resolve.semantics.jvm.kotlin_library.items import sequence_of
from subdrift.linter.resolve.semantics.jvm.kotlin_library.values import (
    LISTS,
    MAPS,
    pair,
    pairs,
    present,
)
from subdrift.linter.resolve.semantics.jvm.maps import put
from subdrift.linter.resolve.semantics.jvm.natives.collections import written_at
from subdrift.linter.resolve.semantics.jvm.order import arranged, comparator_of

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.kotlin import Kotlin

SILENT = frozenset({"println", "print", "assert", "synchronized"})

DELEGATED = "<delegated>"
"""The type of what a local variable with a delegate holds: that, and what it is told of the variable."""


def function(kotlin: Kotlin, call: Call, arguments: Arguments) -> Guarded:
    """A function of the standard library; NotImplemented for another name."""
    arguments = replace(arguments, values=Given(arguments.values))
    run, name, values = call.run, call.name, arguments.values
    if name in LISTS:
        return _collection(call, arguments)
    if name in MAPS:
        return _map(call, arguments)
    if (made := _array(call, values)) is not None:
        return made
    if name == "<property>":  # what the delegate of a local variable is told of it
        told = values[0]  # not known where it is nested too deep to be worked out
        return kotlin.property_value(run, (told.known or "") if isinstance(told, Text) else "")
    if name == "<delegated>":
        return _delegated(kotlin, call, values)
    if name in _OF_MODELS and call.frame.owner is not None and call.frame.owner.file.model:
        return (
            apply(lambda *given: _OF_MODELS[name](call, *given), *values)
            if values
            else _OF_MODELS[name](call)
        )
    match name, len(values):
        case "Pair", 2:
            return pair(run, values[0], values[1], call.place)
        case "Triple", 3:
            made = pair(run, values[0], values[1], call.place)
            made.type, made.fields["third"] = "Pair", values[2]
            return made
        case "lazy", count if count:
            return call.made("Lazy", function=values[-1])
        case "run" | "synchronized", count if count:
            return call.invoke(values[-1])
        case "with", 2:
            return kotlin.call_on(run, values[1], values[0], [], call.frame, call.place)
        case "repeat", 2:
            return _repeat(call, values[0], values[1])
    return UNIT if name in SILENT else NotImplemented


def _compares(call: Call, value: Guarded) -> bool:
    """Whether the first argument of a sorted collection is a comparator, and none of its elements."""
    if isinstance(value, Object) and value.declared is not None:
        return any(one.endswith("Comparator") for one in call.run.scope.library_supers(value.declared))
    return isinstance(value, Function | Bound) and comparator_of(value)


def _collection(call: Call, arguments: Arguments) -> Guarded:
    name, values = call.name, arguments.values
    by = values[0] if name == "sortedSetOf" and values and _compares(call, values[0]) else None
    made = call.all_of(LISTS[name], values if by is None else values[1:])
    if by is not None:
        order.sort_by(call, made, by)
    if name in ("sequenceOf", "emptySequence"):
        return sequence_of(call, made)
    if name == "listOfNotNull":
        made.items = [pair_ for one in values for pair_ in present(one)]
    if made.type.endswith("Set"):
        once(call.run, made)
    arranged(call, made)
    if arguments.open is not None:
        made.open = arguments.open
    return made


def _map(call: Call, arguments: Arguments) -> Object:
    run, name = call.run, call.name
    made = call.table(MAPS[name])
    values = arguments.values
    if name == "sortedMapOf" and values and _compares(call, values[0]):
        order.sort_by(call, made, values[0])
        values = values[1:]
    for guard, leaf in [each for one in values for each in leaves(one, run.guard)]:
        before, run.guard = run.guard, True if guard is run.guard else guard
        for inner, key, value in pairs(leaf):
            if key is UNSET:
                made.open = leaf if isinstance(leaf, Unknown) else Unknown(Why.DYNAMIC, f"{name}()")
                put(run, made, made.open, made.open, call.place)  # it may be in the place of one before it
            elif inner is True:
                put(run, made, key, value, written_at(key, call.place))
        run.guard = before
    if arguments.open is not None:
        made.open = arguments.open
    arranged(call, made)
    return made


def _array(call: Call, values: list[Guarded]) -> Object | None:
    """`Array(3) { … }`, `List(3) { … }`, `IntArray(3)`; None for another function."""
    name, count = call.name, values[0] if values else None
    lists = {"List": "List", "MutableList": "ArrayList"}
    held: list[tuple[Guarded, Guarded]]
    if not isinstance(count, int):
        return None
    if len(values) == 2 and (name in lists or name.endswith("Array")):
        held = [(True, call.invoke(values[1], number)) for number in range(min(count, ARRAY_MAX))]
    elif len(values) == 1 and name in _ARRAYS:
        held = [(True, _ARRAYS[name])] * max(0, min(count, ARRAY_MAX))
    else:
        return None
    return call.listed(lists.get(name, "[]"), held)


def _delegated(kotlin: Kotlin, call: Call, values: list[Guarded]) -> Object:
    """A local variable with a delegate."""
    run = call.run
    made = call.made(DELEGATED)
    told = Arguments([None, values[1]])

    def provided(one: Any) -> Guarded:
        if not kotlin.provides(run, one):
            return one
        return kotlin.call_method(run, one, "provideDelegate", told, call.frame, (1, 1, 1, 1))

    made.fields["property"] = values[1]
    made.fields["delegate"] = run.over(values[0], provided)
    return made


_ARRAYS: dict[str, Guarded] = {
    **dict.fromkeys(("IntArray", "LongArray", "ShortArray", "ByteArray"), 0),
    **dict.fromkeys(("DoubleArray", "FloatArray"), 0.0),
    "BooleanArray": False,
    "arrayOfNulls": None,
}
"""Functions that make an array of a length -> what it holds at first."""


def _present_one(call: Call, leaf: Any) -> Any:
    """A value that is taken to be there where nobody knows it: nobody asks whether it is null."""
    if not isinstance(leaf, Unknown):
        return leaf
    return replace(leaf, symbol=(PRESENT, leaf.symbol or call.run.unique()))


_OF_MODELS: dict[str, Callable[..., Any]] = {"inTime": _present_one, **turns.FUNCTIONS}
"""Functions that only models call."""


def _repeat(call: Call, count: Guarded, body: Guarded) -> Guarded:
    if isinstance(count, int):
        each_item(call, [(True, number) for number in range(min(count, ARRAY_MAX))], body)
    else:
        unknown = Unknown(Why.DYNAMIC, "it")
        for_some(call, body, unknown, unknown)
    return UNIT

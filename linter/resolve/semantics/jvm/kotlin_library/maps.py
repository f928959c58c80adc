"""Extension functions of maps."""

from __future__ import annotations

from subdrift.linter.resolve.execute.guards import leaves, negate
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import UNIT, Bound, Entry, Function, Guarded, Object, text
from subdrift.linter.resolve.semantics.jvm import order, views
from subdrift.linter.resolve.semantics.jvm.calls import Call
from subdrift.linter.resolve.semantics.jvm.kotlin_library.values import (
    ENDS,
    STREAMS,
    combined,
    contains,
    negated,
    not_empty,
    of_list,
    otherwise,
    take_in,
)
from subdrift.linter.resolve.semantics.jvm.maps import entry_object, looked_up, put
from subdrift.linter.resolve.semantics.jvm.natives.collections import written_at
from subdrift.linter.resolve.semantics.jvm.operators import raise_where

_WITH_DEFAULT = "<with default>"
"""The map that a view with a default shows, and the function that gives the default of a key."""

_OF_ENTRIES = frozenset(
    {*STREAMS, *ENDS, "mapNotNull", "flatMap", "toList", "count", "first", "firstOrNull", "maxByOrNull", "minByOrNull",
     "maxBy", "minBy", "associate", "sumOf", "partition", "find", "forEachIndexed", "groupBy", "joinToString", "onEach",
     "mapIndexed", "sortedBy", "single", "map", "asSequence", "iterator",
     "asIterable", "firstNotNullOf", "firstNotNullOfOrNull", "mapNotNullTo", "mapTo", "flatMapTo", "maxOf", "maxOfOrNull",
     "minOf", "minOfOrNull", "maxWith", "minWith", "maxWithOrNull", "minWithOrNull"}
) - {"filter"}  # fmt: skip
"""Functions of a map that are those of the list of its entries."""


def on_map(call: Call, leaf: Object, arguments: Arguments) -> Guarded:
    name, values = call.name, arguments.values
    for answer in (_asked_of_map, _made_of_map):
        found = answer(call, leaf, values)
        if found is not NotImplemented:
            return found
    if name == "forEach" and len(values) == 1 and _parameters(call, values[0]) == 2:
        return NotImplemented  # Java's, with key and value
    if name in _OF_ENTRIES:
        as_pairs = name == "toList"
        parts = [
            (one.guard, call.made("Pair", key=one.key, value=one.value))
            if as_pairs
            else (one.guard, entry_object(call.run, one, call.place))
            for one in leaf.entries or ()
        ]
        found = call.listed("List", parts, leaf.open)
        result = of_list(call, found, arguments)
        return leaf if name == "onEach" and result is found else result
    return NotImplemented


def _asked_of_map(call: Call, leaf: Object, values: list[Guarded]) -> Guarded:
    run, name = call.run, call.name
    match name:
        case "set":
            put(run, leaf, values[0], values[1], written_at(values[0], call.place))
            return UNIT
        case "getOrPut" | "getOrElse":
            there, value = looked_up(call, leaf, values[0])
            given = otherwise(call, negate(there), value, values[1])
            if name == "getOrPut":
                put(run, leaf, values[0], given)
            return given
        case "getValue":
            base, default = leaf.fields.get(_WITH_DEFAULT, (leaf, None))
            there, value = looked_up(call, base, values[-1])
            if default is not None:
                return otherwise(call, negate(there), value, default, values[-1])
            shown = call.java.shown(run, values[-1]).known
            missing = f"Key {shown} is missing in the map."
            message = call.unknown("getMessage()") if shown is None else text(missing)
            raise_where(run, negate(there), "NoSuchElementException", message)
            return value
        case "isNotEmpty" | "any" if not values:
            return not_empty(leaf)
        case "isNullOrEmpty" | "none" | "isEmpty" if not values:
            return negated(not_empty(leaf))
        case "orEmpty":
            return leaf
        case "contains":
            return contains(run, leaf, values[0])
        case "putAll" | "plusAssign":
            take_in(run, leaf, values[0], True)
            return UNIT
    return NotImplemented


def _made_of_map(call: Call, leaf: Object, values: list[Guarded]) -> Guarded:
    """Functions that give another map."""
    run, name = call.run, call.name
    match name:
        case "toMap" | "toMutableMap" | "toSortedMap" if name != "toMap" or not values:
            kind = "Map" if name == "toMap" else "LinkedHashMap"
            entries = [Entry(e.guard, e.key, e.value, e.at) for e in leaf.entries or ()]
            made = call.table(kind, entries, leaf.open)
            if name == "toSortedMap":
                made.type = "TreeMap"
                if values:
                    order.sort_by(call, made, values[0])
                order.arranged(call, made)
            return made
        case "plus" | "minus":
            return combined(run, "+" if name == "plus" else "-", leaf, values[0])
        case "withDefault":
            made = call.table("LinkedHashMap")
            views.shows(made, leaf)  # what is put into one is in the other
            made.fields[_WITH_DEFAULT] = (leaf, values[0])
            return made
    return NotImplemented


def _parameters(call: Call, function_: Guarded) -> int:
    """How many arguments a function takes that a map may hand an entry, or its key and value."""
    if not isinstance(function_, Bound):
        return len(function_.params) if isinstance(function_, Function) else 1
    scope = call.run.scope
    for _, leaf in leaves(function_.target, call.run.guard):
        if not isinstance(leaf, Object) or leaf.declared is None:
            return 2  # Java's: of a class that knows nothing of entries
        if not scope.methods(leaf.declared, function_.name, 1):
            return 2
    return 1

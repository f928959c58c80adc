"""Kotlin's extension functions, by what they are called on: numbers, builders, pairs, null, and the rest in rooms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import apply, leaves, negate, pick, under
from subdrift.linter.resolve.execute.loops import ending, fail
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import Bound, Function, Guarded, Object, Text, Unknown, text
from subdrift.linter.resolve.semantics.jvm import views
from subdrift.linter.resolve.semantics.jvm.calls import Call, Given
from subdrift.linter.resolve.semantics.jvm.collections import ARRAY_MAX, stream_of
from subdrift.linter.resolve.semantics.jvm.equality import absent
from subdrift.linter.resolve.semantics.jvm.kotlin_library.items import on_items
from subdrift.linter.resolve.semantics.jvm.kotlin_library.maps import on_map
from subdrift.linter.resolve.semantics.jvm.kotlin_library.members import MEMBERS, lazy
from subdrift.linter.resolve.semantics.jvm.kotlin_library.texts import OF_CHARACTERS, on_text
from subdrift.linter.resolve.semantics.jvm.kotlin_library.values import (
    EMPTY,
    ENDS,
    SAME,
    STREAMS,
    in_range,
    is_empty,
    java,
    numbers,
    of,
    of_list,
    pair,
)
from subdrift.linter.resolve.semantics.jvm.kotlin_texts import TEXTS
from subdrift.linter.resolve.semantics.jvm.natives.numbers import digits
from subdrift.linter.resolve.semantics.jvm.operators import binary, convert

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.kotlin import Kotlin

SCOPE = frozenset({"let", "also", "apply", "run", "takeIf", "takeUnless", "to"})


_OF_ITERABLES = frozenset(
    {*STREAMS, *ENDS, *SAME, "associate", "associateBy", "associateWith", "chunked", "contains", "count", "distinctBy",
     "dropLast", "elementAt", "elementAtOrNull", "filterIsInstance", "filterNot", "filterNotNull", "find", "findLast",
     "first", "firstOrNull", "flatten", "fold", "forEachIndexed", "getOrElse", "getOrNull", "groupBy", "indexOf",
     "joinToString", "last", "lastOrNull", "mapIndexed", "mapNotNull", "max", "maxBy", "maxByOrNull", "maxOrNull", "min",
     "minBy", "minByOrNull", "minOrNull", "minus", "partition", "plus", "reduce", "reversed", "single", "singleOrNull",
     "sorted", "sortedBy", "sortedByDescending", "sortedDescending", "sortedWith", "sumOf", "takeLast", "toMap",
     "toSortedSet", "withIndex", "zip"}
)  # fmt: skip
"""Functions of what the program's own `iterator()` gives."""


_INFIX = {"and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>", "ushr": ">>>"}
"""Functions of numbers and truth values that are operators in Java."""


def method(kotlin: Kotlin, call: Call, arguments: Arguments) -> Guarded:
    """An extension function of the standard library; NotImplemented where there is none of the name."""
    leaf, name = call.target, call.name
    if isinstance(leaf, Object) and leaf.type == "Pair" and leaf.declared is None and "key" in leaf.fields:
        found = _on_pair(call, leaf, name, arguments)
        if found is not NotImplemented:
            return found
    if leaf is None and name == "equals" and arguments.values:
        return _on_null(call)
    if arguments.names and not isinstance(leaf, Text) and name != "joinToString":
        placed = _by_place(arguments)
        if placed is None and isinstance(leaf, Object) and leaf.declared and name not in _OF_ITERABLES:
            return NotImplemented  # a function of the program, or a class of it
        if placed is None:
            unknown = Unknown(Why.DYNAMIC, f"{name}()")
            every = [*arguments.values, *arguments.names.values()]
            return call.run.havoc(name, unknown, leaf, Arguments([leaf, *every]))
        arguments = placed
        call = call.renamed(name, *placed.values)
    arguments = replace(arguments, values=Given(arguments.values))
    values = arguments.values
    if name in SCOPE:
        found = _scope(kotlin, call, leaf, values)
        if found is not NotImplemented:
            return found
    if leaf is None:
        return _on_null(call)
    if is_empty(leaf):
        return _on_empty(kotlin, call, leaf, arguments)
    if isinstance(leaf, bool | int | Test) and name in _INFIX and len(values) == 1:
        return apply(lambda right: binary(call.java, call.run, _INFIX[name], leaf, right), values[0])
    if isinstance(leaf, Text):
        if leaf.char and name in _RANGES and len(values) == 1:
            return _letters(call, leaf, values[0])
        return on_text(call, leaf, arguments)
    if isinstance(leaf, bool):
        return {"not": not leaf}.get(name, NotImplemented) if not values else NotImplemented
    if isinstance(leaf, int | float):
        return _on_number(call, leaf, values)
    if isinstance(leaf, Object):
        return _on_object(kotlin, call, leaf, arguments)
    if isinstance(leaf, Unknown) and name in (*STREAMS, *ENDS, *SAME) and name not in ("take", "drop"):
        return on_items(call, stream_of(call.java, call.run, leaf, call.frame, call.place), arguments)
    return NotImplemented


_RANGES = frozenset({"rangeTo", "until", "rangeUntil", "downTo"})


def _on_object(kotlin: Kotlin, call: Call, leaf: Object, arguments: Arguments) -> Guarded:
    name = call.name
    if leaf.type == "Lazy" and name == "getValue":
        return lazy(call, leaf)
    if "text" in leaf.fields and leaf.type in ("StringBuilder", "StringBuffer"):
        found = _on_builder(kotlin, call, leaf, arguments)
        if found is not NotImplemented:
            return found
    if name == "toPair" and views.is_entry(leaf):
        return pair(call.run, views.entry_part(leaf, "key"), views.entry_part(leaf, "value"), call.place)
    if leaf.type == "Stream":
        return NotImplemented
    if leaf.entries is not None and leaf.declared is None:
        found = on_map(call, leaf, arguments)
        if found is not NotImplemented or name == "forEach":
            return found
    if leaf.items is not None or leaf.entries is not None:
        return on_items(call, leaf, arguments)
    if leaf.declared is not None and name in _OF_ITERABLES and call.frame is not None:
        inside = kotlin.items(call.run, leaf, call.frame)
        if inside is not None:
            made = of(call, inside, leaf.open)
            found = of_list(call, made, arguments)
            fail(call.run, ending(leaf))
            return leaf if name == "onEach" and found is made else found
    return NotImplemented


def _on_builder(kotlin: Kotlin, call: Call, leaf: Object, arguments: Arguments) -> Guarded:
    """A function of a `StringBuilder`: its own, or one of the text that it holds."""
    name, values = call.name, arguments.values
    if name == "appendLine":
        for one in (*values, text("\n")):
            java(call, leaf, "append", [one])
        return leaf
    if name == "clear" and not values:
        java(call, leaf, "setLength", [0])
        return leaf
    asked = name in TEXTS or name in OF_CHARACTERS or name in STREAMS or name in ENDS
    own = name in MEMBERS["StringBuilder"] and name not in _OF_WRITTEN
    if (asked or name in _OF_WRITTEN) and not own and call.frame is not None:
        held = under(leaf.fields["text"], call.run.guard)
        return kotlin.call_method(call.run, held, name, arguments, call.frame, (1, 1, 1, 1))
    return NotImplemented


_OF_WRITTEN = frozenset(
    {"isEmpty", "isNotEmpty", "isBlank", "isNotBlank", "last", "first", "endsWith", "startsWith", "contains", "get",
     "removeSuffix", "removePrefix", "trim", "lastOrNull", "firstOrNull"}
)  # fmt: skip
"""What Kotlin asks a `StringBuilder` as it asks any text."""


def _on_pair(call: Call, leaf: Object, name: str, arguments: Arguments) -> Guarded:
    """What a pair or a triple has beside its parts."""
    parts = {each: leaf.fields[key] for each, key in _PARTS.items() if key in leaf.fields}
    if name == "toList" and not arguments.values:
        return of(call, [(True, part) for part in parts.values()], None)
    if name == "copy":
        for index, each in enumerate(parts):
            parts[each] = arguments.get(index, each, parts[each])
        made = pair(call.run, parts["first"], parts["second"], call.place)
        if "third" in parts:
            made.fields["third"] = parts["third"]
        return made
    return NotImplemented


_PARTS = {"first": "key", "second": "value", "third": "third"}


def _scope(kotlin: Kotlin, call: Call, leaf: Any, values: list[Guarded]) -> Guarded:
    run, name = call.run, call.name
    if name == "to" and len(values) == 1:
        return pair(run, leaf, values[0], call.place)
    if len(values) != 1 or not any(isinstance(each, Function | Bound) for _, each in leaves(values[0])):
        return NotImplemented
    match name:
        case "let" | "also":
            on_receiver = isinstance(values[0], Function) and values[0].interface == "this->"
            if on_receiver:
                found = kotlin.call_on(run, values[0], leaf, [], call.frame, call.place)
            else:
                found = call.invoke(values[0], leaf)
            return found if name == "let" else leaf
        case "run":
            return kotlin.call_on(run, values[0], leaf, [], call.frame, call.place)
        case "apply":
            kotlin.call_on(run, values[0], leaf, [], call.frame, call.place)
            return leaf
        case "takeIf" | "takeUnless":
            holds = call.holds(call.invoke(values[0], leaf))
            return pick(holds if name == "takeIf" else negate(holds), leaf, None)
    return NotImplemented


_OF_TEXTS_ALONE = frozenset(
    {"isBlank", "isNotBlank", "ifBlank", "trim", "trimIndent", "split", "lines", "replace", "uppercase", "lowercase",
     "removePrefix", "removeSuffix", "substringBefore", "substringAfter", "startsWith", "endsWith", "toInt",
     "toIntOrNull", "toLongOrNull", "toBoolean", "padStart", "padEnd", "toRegex", "lineSequence"}
)  # fmt: skip


def _on_empty(kotlin: Kotlin, call: Call, leaf: Unknown, arguments: Arguments) -> Guarded:
    """A function of what is empty, whether it is a text or a collection."""
    if call.name in _OF_TEXTS_ALONE:
        return kotlin.call_method(call.run, text(""), call.name, arguments, call.frame, (1, 1, 1, 1))
    if call.name == "orEmpty":
        return leaf
    texts = call.name == "plus" and any(isinstance(one, Text) for one in arguments.values)
    return NotImplemented if texts else of_list(call, call.listed("List"), arguments)


def _on_null(call: Call) -> Guarded:
    match call.name:
        case "orEmpty":
            return Unknown(Why.DYNAMIC, "orEmpty()", EMPTY)
        case "isNullOrEmpty" | "isNullOrBlank":
            return True
        case "toString":
            return text("null")
        case "equals":
            return apply(absent, call.args[0])
    return NotImplemented


def _on_number(call: Call, leaf: Any, values: list[Guarded]) -> Guarded:
    name = call.name
    if not values and (kind := _CONVERSIONS.get(name)) is not None:
        return convert(leaf, kind)
    if not isinstance(leaf, int):
        return NotImplemented
    if name in _RANGES and len(values) == 1:
        other = values[0]
        if not isinstance(other, int):
            return call.listed("List", open_=call.unknown(phrase("range")))
        if name == "downTo":
            return numbers(call, range(leaf, other - 1, -1))
        return numbers(call, range(leaf, other + (name == "rangeTo")))
    if name in ("plus", "minus", "times", "rem", "div") and len(values) == 1:
        sign = {"plus": "+", "minus": "-", "times": "*", "rem": "%", "div": "/"}[name]
        return apply(lambda other: call.java.binary(call.run, sign, leaf, other), values[0])
    if name == "toString" and len(values) == 1:
        if isinstance(values[0], int) and 2 <= values[0] <= 36:
            return text(digits(leaf, values[0]))
        return Unknown(Why.DYNAMIC, "toString()")
    if name == "compareTo" and isinstance(values[0], int):
        return (leaf > values[0]) - (leaf < values[0])
    if name == "inv" and not values:
        return ~leaf
    if name == "mod" and isinstance(values[0], int) and values[0]:
        return leaf % values[0]
    return NotImplemented


_CONVERSIONS = {
    f"to{kind.title()}": kind for kind in ("byte", "short", "int", "long", "float", "double", "char")
}


def _letters(call: Call, first: Text, last: Guarded) -> Object:
    """`'a'..'c'`."""
    if not first.known or not isinstance(last, Text) or not last.known:
        return call.listed("List", open_=call.unknown(phrase("range")))
    begin, end = ord(first.known), ord(last.known)
    if call.name == "downTo":
        codes = range(begin, end - 1, -1)
    else:
        codes = range(begin, end + (call.name == "rangeTo"))
    made = call.all_of("List", [text(chr(code), first.steps, char=True) for code in codes[:ARRAY_MAX]])
    if codes[ARRAY_MAX:]:
        made.open = call.unknown(phrase("range"))
    is_shown = call.name == "rangeTo"
    bounds = (first, last) if call.name in ("rangeTo", "downTo") else ()
    shown = text(f"{first.known}..{last.known}") if is_shown else call.unknown(phrase("range"))
    return in_range(made, shown, bounds)


def _by_place(arguments: Arguments) -> Arguments | None:
    """One argument that is named, at its place: alone, or before a lambda behind the parentheses; None for any others."""
    before = list(arguments.names.values())
    if len(before) > 1 or any(not isinstance(one, Function) for one in arguments.values):
        return None
    return replace(arguments, values=[*before, *arguments.values], names={})

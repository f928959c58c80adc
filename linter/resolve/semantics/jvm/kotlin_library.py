"""Kotlin's standard library on abstract values: rows of names that Java has too, and the functions it has alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, either, leaves, negate, pick, under
from subdrift.linter.resolve.execute.identity import PRESENT
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    TEXT_MAX,
    UNIT,
    Bound,
    Entry,
    Function,
    Gap,
    Guarded,
    LibraryConstant,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.jvm import order, views
from subdrift.linter.resolve.semantics.jvm.calls import Call, Given, at_of, peer
from subdrift.linter.resolve.semantics.jvm.collections import (
    ARRAY_MAX,
    each_item,
    join_items,
    new_list,
    new_map,
    stream_of,
)
from subdrift.linter.resolve.semantics.jvm.elements import at, size
from subdrift.linter.resolve.semantics.jvm.kotlin_texts import TEXTS, digits
from subdrift.linter.resolve.semantics.jvm.library import instances, kinds, texts
from subdrift.linter.resolve.semantics.jvm.maps import find, put, remove
from subdrift.linter.resolve.semantics.jvm.natives.collections import written_at
from subdrift.linter.resolve.semantics.jvm.operators import absent, binary, convert, equal, raise_in, unary
from subdrift.linter.resolve.semantics.jvm.order import ordered
from subdrift.linter.resolve.semantics.jvm.streams import stream_method
from subdrift.linter.resolve.semantics.jvm.texts import format_text, pattern_of

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.kotlin import Kotlin

# -- rows -----------------------------------------------------------------------------------------------------------

LISTS = {
    "listOf": "List", "setOf": "Set", "emptyList": "List", "emptySet": "Set", "arrayOf": "[]", "intArrayOf": "[]",
    "listOfNotNull": "List", "mutableListOf": "ArrayList", "arrayListOf": "ArrayList", "mutableSetOf": "LinkedHashSet",
    "linkedSetOf": "LinkedHashSet", "hashSetOf": "HashSet", "sequenceOf": "List", "emptyArray": "[]",
    "ArrayList": "ArrayList", "LinkedHashSet": "LinkedHashSet", "HashSet": "HashSet", "ArrayDeque": "ArrayDeque",
    "emptySequence": "List", "sortedSetOf": "TreeSet", "longArrayOf": "[]",
    "charArrayOf": "[]", "doubleArrayOf": "[]", "booleanArrayOf": "[]",
}  # fmt: skip
"""Functions that make a list, set or array of their arguments -> the type of the collection."""

MAPS = {
    "mapOf": "Map", "emptyMap": "Map", "mutableMapOf": "LinkedHashMap", "linkedMapOf": "LinkedHashMap",
    "hashMapOf": "HashMap", "LinkedHashMap": "LinkedHashMap", "HashMap": "HashMap", "sortedMapOf": "TreeMap",
}  # fmt: skip

MUTABLE = frozenset(
    {"ArrayList", "LinkedHashSet", "HashSet", "LinkedHashMap", "HashMap", "ArrayDeque", "TreeSet", "TreeMap"}
)
"""Types of collections that can change."""

BUILDERS = {
    "buildList": "ArrayList", "buildSet": "LinkedHashSet", "buildMap": "LinkedHashMap",
    "buildString": "StringBuilder",
}  # fmt: skip

AS_IN_JAVA = {
    "uppercase": "toUpperCase", "lowercase": "toLowerCase", "trimStart": "stripLeading", "trimEnd": "stripTrailing",
    "toUpperCase": "toUpperCase", "toLowerCase": "toLowerCase", "plus": "concat",
}  # fmt: skip
"""Functions of texts that Java has by another name."""

STREAMS = {
    "map": "map", "filter": "filter", "flatMap": "flatMap", "distinct": "distinct", "take": "limit", "drop": "skip",
    "takeWhile": "takeWhile", "dropWhile": "dropWhile",
}  # fmt: skip
"""Functions of collections that are stages of a stream."""

ENDS = {
    "any": "anyMatch", "all": "allMatch", "none": "noneMatch", "forEach": "forEach", "onEach": "forEach", "sum": "sum",
}  # fmt: skip

SAME = frozenset(
    {"toList", "toMutableList", "asSequence", "asIterable", "toSet", "toMutableSet", "toTypedArray",
     "toHashSet", "toCollection", "orEmpty", "sequence", "constrainOnce", "asList", "toIntArray"}
)  # fmt: skip

SCOPE = frozenset({"let", "also", "apply", "run", "takeIf", "takeUnless", "to"})

SILENT = frozenset({"println", "print", "assert", "synchronized"})

PROPERTIES = {"keys": "keySet", "values": "values", "size": "size", "length": "length", "entries": "entrySet"}
"""Properties of collections and texts -> Java's methods."""

MEMBERS = {
    "items": frozenset({"add", "addAll", "remove", "clear", "contains", "get", "set", "removeAll", "addLast", "addFirst",
                        "removeAt", "removeFirst", "removeLast", "removeIf", "retainAll", "isEmpty", "isNotEmpty", "indexOf",
                        "first", "last", "sort", "reverse", "containsAll"}),
    "entries": frozenset({"load", "loadFromXML", "isEmpty", "isNotEmpty", "getOrPut", "getValue", "clear", "containsValue",
                          "put", "putAll", "remove", "get", "containsKey", "getOrDefault", "putIfAbsent", "set",
                          "setProperty", "getProperty", "computeIfAbsent"}),
    "StringBuilder": frozenset({"append", "insert", "appendLine", "deleteCharAt", "reverse", "setLength", "setCharAt",
                                "replace", "delete", "clear", "isEmpty", "isNotEmpty", "isBlank", "isNotBlank", "last",
                                "first", "endsWith", "startsWith", "contains", "indexOf", "lastIndexOf", "get",
                                "toString", "substring", "removeSuffix", "removePrefix", "trim", "lastOrNull",
                                "firstOrNull"}),
}  # fmt: skip
"""Methods that an implicit receiver of a library's type is known to have."""


# -- values ---------------------------------------------------------------------------------------------------------


def has_member(leaf: Any, name: str) -> bool:
    """Whether a value of the library is known to have a method."""
    if isinstance(leaf, Object):
        if leaf.items is not None:
            return name in MEMBERS["items"]
        if leaf.entries is not None:
            return name in MEMBERS["entries"]
        if leaf.declared is not None:
            return False
        return name in MEMBERS.get(leaf.type.rpartition(".")[2], ())
    return False


def entry(run: Interpreter, one: Entry, place: Location | None) -> Object:
    made = run.make(None, "Entry", place)
    made.fields["key"], made.fields["value"] = one.key, one.value
    return made


def pair(run: Interpreter, first: Guarded, second: Guarded, place: Location | None) -> Object:
    made = run.make(None, "Pair", place)
    made.fields["key"], made.fields["value"] = first, second
    return made


def property_name(method: str) -> str:
    """The property a getter's name stands for, "" for another name."""
    return method[3].lower() + method[4:] if method.startswith("get") and len(method) > 3 else ""


def property_of(call: Call, leaf: Any) -> Guarded:
    """A property of the library; NotImplemented where there is none of the name."""
    name = call.name
    if isinstance(leaf, Text):
        return _of_text(call, leaf)
    if isinstance(leaf, LibraryConstant) and name == "name":
        return call.java.shown(call.run, leaf)
    if is_empty(leaf) and name in ("length", "size"):
        return 0
    if not isinstance(leaf, Object):
        return NotImplemented
    if leaf.constant and name in ("name", "ordinal"):
        return _of_object(call, leaf, name)
    if "key" in leaf.fields and name in _PAIRS:
        return under(leaf.fields.get(_PAIRS[name]), call.run.guard)
    if leaf.items is not None or leaf.entries is not None:
        found = _of_collection(call, leaf)
        if found is not NotImplemented:
            return found
    if name == "length" and "text" in leaf.fields:
        return _java(call, leaf, "length", [])
    if leaf.type == "Lazy" and name == "value":
        return _lazy(call, leaf)
    if name == "message" or (name == "cause" and leaf.items is None and leaf.entries is None):
        return _of_object(call, leaf, f"get{name.title()}")
    return NotImplemented


def _of_text(call: Call, leaf: Text) -> Guarded:
    known = leaf.known
    match call.name:
        case "length":
            return _java(call, leaf, "length", [])
        case "indices" if known is not None:
            return _numbers(call, range(len(known)))
        case "lastIndex" if known is not None:
            return len(known) - 1
        case "code" if known and len(known) == 1:
            return ord(known)
    return NotImplemented


def _of_collection(call: Call, leaf: Object) -> Guarded:
    name = call.name
    if leaf.items is not None and name in ("indices", "lastIndex"):
        count = size(leaf)
        if isinstance(count, int):
            return count - 1 if name == "lastIndex" else _numbers(call, range(count))
    sure = leaf.items and leaf.open is None and all(guard is True for guard, _ in leaf.items)
    if sure and leaf.items and name in _OF_RANGES:
        return leaf.items[_OF_RANGES[name]][1]
    if name in PROPERTIES and (leaf.entries is not None or name == "size"):
        return _java(call, leaf, PROPERTIES[name], [])
    return NotImplemented


def _of_object(call: Call, leaf: Object, name: str) -> Guarded:
    """What every object has; NotImplemented where nothing is known of it."""
    found = instances.object_method(call.java, call.run, leaf, name, Arguments([]), call.frame, call.place)
    return NotImplemented if found is UNSET else found


_OF_RANGES = {"start": 0, "first": 0, "endInclusive": -1, "last": -1}
_PAIRS = {"index": "key", "first": "key", "second": "value", "key": "key", "value": "value", "third": "third"}


def _java(call: Call, leaf: Any, name: str, values: list[Guarded]) -> Guarded:
    return instances.method(call.java, call.run, leaf, name, Arguments(values), call.frame, call.place)


def _numbers(call: Call, numbers: range) -> Object:
    made = new_list(call.run, "List", call.place)
    made.items = [(True, number) for number in numbers[:ARRAY_MAX]]
    return _in_range(made, text(_range_text(numbers)))


def _in_range(made: Object, shown: Guarded) -> Object:
    """A list that stands for a range, with the text of that."""
    made.fields[kinds.SHOWN] = shown
    return made


def _range_text(numbers: range) -> str:
    if numbers.step == 1:
        return f"{numbers.start}..{numbers.stop - 1}"
    first, last = numbers.start, numbers[-1] if numbers else numbers.start + (1 if numbers.step < 0 else -1)
    if numbers.step > 0:
        return f"{first}..{last} step {numbers.step}"
    return f"{first} downTo {last} step {-numbers.step}"


def _lazy(call: Call, leaf: Object) -> Guarded:
    """The value of `lazy { … }`: computed when it is first read."""
    run = call.run
    if "value" not in leaf.fields:
        before, raised = run.guard, run.raised
        run.guard, run.raised = True, []
        leaf.fields["value"] = Unknown(Why.CYCLE, "lazy")
        leaf.fields["value"] = call.invoke(leaf.fields["function"])
        run.guard, run.raised = before, raised
    return under(leaf.fields["value"], run.guard)


# -- operators ------------------------------------------------------------------------------------------------------


def contains(run: Interpreter, holder: Any, value: Any) -> Any:
    """`value in holder`."""
    if isinstance(holder, Object) and holder.entries is not None:
        there, _ = find(run, holder, value)
        return there
    if isinstance(holder, Object) and holder.items is not None:
        found: Guarded = False
        for guard, item in holder.items:
            same = apply(equal, item, value)
            for path, one in leaves(same):
                if isinstance(one, Test):
                    return one
                if one:
                    found = either(found, both(guard, path))
        if holder.open is not None and found is not True:
            return Test("true", (Unknown(Why.DYNAMIC, "in"),))
        return found
    if (
        isinstance(holder, Text)
        and isinstance(value, Text)
        and holder.known is not None
        and value.known is not None
    ):
        return value.known in holder.known
    return Test("true", (Unknown(Why.DYNAMIC, "in"),))


def combined(run: Interpreter, operator: str, left: Object, right: Any) -> Any:
    """`list + element`, `list + list`, `map + pair`, and the same with `-`: a new collection."""
    if left.declared is not None or (left.items is None and left.entries is None):
        return NotImplemented
    made = run.make(None, {"ArrayList": "List", "LinkedHashMap": "Map"}.get(left.type, left.type), left.at)
    made.open = left.open
    made.items = None if left.items is None else list(left.items)
    made.entries = (
        None if left.entries is None else [Entry(e.guard, e.key, e.value, e.at) for e in left.entries]
    )
    take_in(run, made, right, True, removes=operator == "-")
    run.bound(made)
    return made


def take_in(run: Interpreter, leaf: Object, value: Guarded, guard: Guarded, *, removes: bool = False) -> None:
    """Adds to a collection, or takes out of it, one element or all of another collection."""
    before = run.guard
    for path, one in leaves(value, guard):
        run.guard = path if guard is not True or path is not True else before
        if leaf.entries is not None:
            for inner, key, held in _pairs(one):
                if removes:
                    remove(run, leaf, one if key is UNSET else key)
                elif key is not UNSET:
                    outside = run.guard
                    run.guard = both(outside, inner)
                    put(run, leaf, key, held)
                    run.guard = outside
            continue
        if isinstance(one, Object) and one.declared is None and one.items is not None:
            several = list(one.items)
            if one.open is not None and not removes:
                leaf.open = leaf.open or one.open
        else:
            several = [(True, one)]
        assert leaf.items is not None
        for inner, item in several:
            if removes:
                run.work(len(leaf.items))
                leaf.items = [
                    (g, v)
                    for g, v in leaf.items
                    if not (apply(equal, v, item) is True and run.here(leaf) is True)
                ]
            elif "Set" not in leaf.type or contains(run, leaf, item) is not True:
                place = len(leaf.items)
                if in_table := order.is_table(leaf):
                    place = order.table_place(leaf, [value for _, value in leaf.items], item)
                leaf.items.insert(place, (both(run.here(leaf), inner), item))
                if in_table:
                    order.grow(leaf, before=False)
        if (
            isinstance(one, Unknown)
            and not removes
            and one.type is not None
            and one.type.simple in ("List", "Set")
        ):
            leaf.open = one
    run.guard = before


def _pairs(value: Any) -> list[tuple[Guarded, Guarded, Guarded]]:
    if isinstance(value, Object) and value.entries is not None:
        return [(each.guard, each.key, each.value) for each in value.entries]
    if isinstance(value, Object) and "key" in value.fields:
        return [(True, value.fields["key"], value.fields["value"])]
    if isinstance(value, Object) and value.items is not None:
        return [(both(g, inner), k, v) for g, one in value.items for inner, k, v in _pairs(one)]
    return [(True, UNSET, None)]


DELEGATED = "<delegated>"
"""The type of what a local variable with a delegate holds: that, and what it is told of the variable."""


# -- functions without a receiver -----------------------------------------------------------------------------------


def function(kotlin: Kotlin, call: Call, arguments: Arguments) -> Guarded:
    """A function of the standard library; NotImplemented for another name."""
    arguments = replace(arguments, values=Given(arguments.values))
    run, name, values = call.run, call.name, arguments.values
    if name in LISTS:
        return _collection(call, arguments)
    if name in MAPS:
        return _map(call, arguments)
    if name in BUILDERS and values:
        return _built(kotlin, call, values)
    if (made := _array(call, values)) is not None:
        return made
    if name == "<property>":  # what the delegate of a local variable is told of it
        return kotlin.property_value(run, values[0].known or "")
    if name == "<delegated>":
        return _delegated(kotlin, call, values)
    if name in _OF_MODELS and call.frame.owner is not None and call.frame.owner.file.model:
        return apply(lambda *given: _OF_MODELS[name](call, *given), *values)
    match name, len(values):
        case "Pair", 2:
            return pair(run, values[0], values[1], call.place)
        case "Triple", 3:
            made = pair(run, values[0], values[1], call.place)
            made.type, made.fields["third"] = "Pair", values[2]
            return made
        case "lazy", count if count:
            made = run.make(None, "Lazy", call.place)
            made.fields["function"] = values[-1]
            return made
        case "run" | "synchronized", count if count:
            return call.invoke(values[-1])
        case "with", 2:
            return kotlin.call_on(run, values[1], values[0], [], call.frame, call.place)
        case "repeat", 2:
            return _repeat(call, values[0], values[1])
        case "maxOf" | "minOf", _ if all(isinstance(one, int) for one in values):
            return max(values) if name == "maxOf" else min(values)
    return UNIT if name in SILENT else NotImplemented


def _collection(call: Call, arguments: Arguments) -> Object:
    run, name, values = call.run, call.name, arguments.values
    made = new_list(run, LISTS[name], call.place)
    made.items = [(True, one) for one in values]
    if name in ("ArrayList", "LinkedHashSet", "HashSet", "ArrayDeque"):
        made.items = []
        for one in [] if not values or type(values[0]) is int else values[:1]:
            take_in(run, made, one, run.guard)
            if not (isinstance(one, Object) and one.items is not None):
                made.items, made.open = [], Unknown(Why.DYNAMIC, f"{name}()")
            elif one.open is not None:
                made.open = one.open
    if name == "listOfNotNull":
        made.items = [pair_ for one in values for pair_ in _present(one)]
    if made.type.endswith("Set"):
        _distinct(call.run, made)
    if made.type == "TreeSet":
        _sort(call, made)
    if arguments.open is not None:
        made.open = arguments.open
    return made


def _map(call: Call, arguments: Arguments) -> Object:
    run, name = call.run, call.name
    made = new_map(run, MAPS[name], call.place)
    for guard, leaf in [each for one in arguments.values for each in leaves(one, run.guard)]:
        before, run.guard = run.guard, True if guard is run.guard else guard
        for inner, key, value in _pairs(leaf):
            if key is UNSET:
                made.open = leaf if isinstance(leaf, Unknown) else Unknown(Why.DYNAMIC, f"{name}()")
            elif inner is True:
                put(run, made, key, value, written_at(key, call.place))
        run.guard = before
    if arguments.open is not None:
        made.open = arguments.open
    if made.type == "TreeMap":
        _sort(call, made)
    return made


def _built(kotlin: Kotlin, call: Call, values: list[Guarded]) -> Guarded:
    """`buildList { … }` and its like."""
    run, kind = call.run, BUILDERS[call.name]
    if kind.endswith("Map"):
        made = new_map(run, kind, call.place)
    elif kind == "StringBuilder":
        made = run.make(None, kind, call.place)
        made.fields["text"] = text("")
    else:
        made = new_list(run, kind, call.place)
    kotlin.call_on(run, values[-1], made, [], call.frame, call.place)
    return under(made.fields["text"], run.guard) if kind == "StringBuilder" else made


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
    made = new_list(call.run, lists.get(name, "[]"), call.place)
    made.items = held
    return made


def _delegated(kotlin: Kotlin, call: Call, values: list[Guarded]) -> Object:
    """A local variable with a delegate."""
    run = call.run
    made = run.make(None, DELEGATED, call.place)
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


def _pieces(call: Call, pattern: Any, input_: Any) -> Any:
    """What of a text matches a pattern (lists of the match, its place and its groups), and what is between (lists of one)."""
    if not isinstance(pattern, Text) or not isinstance(input_, Text):
        return Unknown(Why.DYNAMIC, "Regex")
    known = input_.known
    regex = None if pattern.known is None or known is None else pattern_of(pattern.known, known)
    if regex is None or known is None:
        return Unknown(Why.DYNAMIC, "Regex")
    found: list[list[Guarded]] = []
    position = 0
    for match in regex.finditer(known):
        if match.start() > position:
            found.append([text(known[position : match.start()], input_.steps)])
        groups = [text(one or "", input_.steps) for one in match.groups()]
        found.append([text(match[0], input_.steps), match.start(), *groups])
        position = match.end()
    if position < len(known):
        found.append([text(known[position:], input_.steps)])
    call.run.work(len(found))
    lists = [_of(call, [(True, part) for part in piece], None) for piece in found]
    return _of(call, [(True, one) for one in lists], None)


_OF_MODELS: dict[str, Callable[..., Any]] = {"inTime": _present_one, "piecesOf": _pieces}
"""Functions that only models call."""


def _sort(call: Call, made: Object, *comparator: Guarded) -> None:
    """Puts what a sorted set or map holds in its order; nothing is known of it where nobody knows that."""
    if made.items is not None:
        held = made.items
        result = ordered(call, held, *comparator) if all(guard is True for guard, _ in held) else None
        made.items = result or []
        lost = result is None
    else:
        entries = made.entries or []
        keys = [(True, each.key) for each in entries]
        places = ordered(call, keys, *comparator) if all(each.guard is True for each in entries) else None
        order = [key for _, key in places or ()]
        made.entries = [next(each for each in entries if each.key is key) for key in order]
        lost = places is None
    if lost:
        made.open = made.open or Unknown(Why.DYNAMIC, phrase("order"))


def _present(value: Guarded) -> list[tuple[Guarded, Guarded]]:
    there = apply(lambda leaf: leaf is not None, value)
    return [(there, value)] if there is not False else []


def _distinct(run: Interpreter, made: Object) -> None:
    kept: list[tuple[Guarded, Guarded]] = []
    for guard, value in made.items or ():
        run.work(len(kept))
        if not any(g is True and apply(equal, v, value) is True for g, v in kept):
            kept.append((guard, value))
    made.items = kept


def _repeat(call: Call, count: Guarded, body: Guarded) -> Guarded:
    if isinstance(count, int):
        found = [(True, number) for number in range(min(count, ARRAY_MAX))]
        each_item(call, found, body)
    else:
        call.invoke(body, Unknown(Why.DYNAMIC, "it"))
    return UNIT


def _fail_where(call: Call, guard: Guarded, type_: str, message: str = "") -> None:
    run = call.run
    if guard is False:
        return
    before = run.guard
    run.guard = both(before, guard)
    if run.guard is not False:
        raise_in(run, type_, text(message) if message else Unknown(Why.DYNAMIC, "getMessage()"))
    run.guard = both(before, negate(guard))


# -- functions on a receiver ----------------------------------------------------------------------------------------


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

_RUN_FOR_SOME = frozenset({"map", "flatMap", "any", "all", "none"})
"""Functions that run one they are given for some element where nobody knows the elements."""

_INFIX = {"and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>", "ushr": ">>>"}
"""Functions of numbers and truth values that are operators in Java."""


def method(kotlin: Kotlin, call: Call, arguments: Arguments) -> Guarded:
    """An extension function of the standard library; NotImplemented where there is none of the name."""
    leaf, name = call.target, call.name
    if isinstance(leaf, Object) and leaf.type == "Pair" and leaf.declared is None and "key" in leaf.fields:
        found = _on_pair(call, leaf, name, arguments)
        if found is not NotImplemented:
            return found
    if arguments.names and not isinstance(leaf, Text) and name != "joinToString":
        placed = _by_place(arguments)
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
        return _on_text(call, leaf, arguments)
    if isinstance(leaf, bool):
        return {"not": not leaf}.get(name, NotImplemented) if not values else NotImplemented
    if isinstance(leaf, int | float):
        return _on_number(call, leaf, values)
    if isinstance(leaf, Object):
        return _on_object(kotlin, call, leaf, arguments)
    if isinstance(leaf, Unknown) and name in (*STREAMS, *ENDS, *SAME) and name not in ("take", "drop"):
        return _on_items(call, stream_of(call.java, call.run, leaf, call.frame, call.place), arguments)
    return NotImplemented


_RANGES = frozenset({"rangeTo", "until", "rangeUntil", "downTo"})


def _on_object(kotlin: Kotlin, call: Call, leaf: Object, arguments: Arguments) -> Guarded:
    name = call.name
    if leaf.type == "Lazy" and name == "getValue":
        return _lazy(call, leaf)
    if "text" in leaf.fields and leaf.type in ("StringBuilder", "StringBuffer"):
        found = _on_builder(kotlin, call, leaf, arguments)
        if found is not NotImplemented:
            return found
    if name == "toPair" and views.is_entry(leaf):
        return pair(call.run, views.entry_part(leaf, "key"), views.entry_part(leaf, "value"), call.place)
    if leaf.type == "Stream":
        return NotImplemented
    if leaf.entries is not None and leaf.declared is None:
        found = _on_map(call, leaf, arguments)
        if found is not NotImplemented or name == "forEach":
            return found
    if leaf.items is not None or leaf.entries is not None:
        return _on_items(call, leaf, arguments)
    if leaf.declared is not None and name in _OF_ITERABLES and call.frame is not None:
        inside = kotlin.items(call.run, leaf, call.frame)
        if inside is not None:
            made = _of(call, inside, None)
            found = _of_list(call, made, arguments)
            return leaf if name == "onEach" and found is made else found
    return NotImplemented


def _on_builder(kotlin: Kotlin, call: Call, leaf: Object, arguments: Arguments) -> Guarded:
    """A function of a `StringBuilder`: its own, or one of the text that it holds."""
    name, values = call.name, arguments.values
    if name == "appendLine":
        for one in (*values, text("\n")):
            _java(call, leaf, "append", [one])
        return leaf
    if name == "clear" and not values:
        _java(call, leaf, "setLength", [0])
        return leaf
    asked = name in TEXTS or name in _OF_CHARACTERS or name in STREAMS or name in ENDS
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
        return _of(call, [(True, part) for part in parts.values()], None)
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


EMPTY = ("empty",)
"""The symbol of what `null.orEmpty()` gives: an empty text, or an empty collection."""

_OF_TEXTS_ALONE = frozenset(
    {"isBlank", "isNotBlank", "ifBlank", "trim", "trimIndent", "split", "lines", "replace", "uppercase", "lowercase",
     "removePrefix", "removeSuffix", "substringBefore", "substringAfter", "startsWith", "endsWith", "toInt",
     "toIntOrNull", "toLongOrNull", "toBoolean", "padStart", "padEnd", "toRegex", "lineSequence"}
)  # fmt: skip


def is_empty(leaf: Any) -> bool:
    """Whether a value is what `null.orEmpty()` gives."""
    return isinstance(leaf, Unknown) and leaf.symbol == EMPTY


def emptied(value: Guarded) -> Guarded:
    """A value handed over as a text: what may be an empty collection is an empty text there."""
    return apply(lambda one: text("") if is_empty(one) else one, value)


def _on_empty(kotlin: Kotlin, call: Call, leaf: Unknown, arguments: Arguments) -> Guarded:
    """A function of what is empty, whether it is a text or a collection."""
    if call.name in _OF_TEXTS_ALONE:
        return kotlin.call_method(call.run, text(""), call.name, arguments, call.frame, (1, 1, 1, 1))
    if call.name == "orEmpty":
        return leaf
    texts = call.name == "plus" and any(isinstance(one, Text) for one in arguments.values)
    return NotImplemented if texts else _of_list(call, new_list(call.run, "List", call.place), arguments)


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
        if name in ("coerceAtLeast", "coerceAtMost", "coerceIn") and all(
            type(one) is float for one in values
        ):
            return (
                sorted((leaf, *values))[1]
                if name == "coerceIn"
                else (max if name == "coerceAtLeast" else min)(leaf, values[0])
            )
        return NotImplemented
    if name in _RANGES and len(values) == 1:
        other = values[0]
        if not isinstance(other, int):
            made = new_list(call.run, "List", call.place)
            made.open = Unknown(Why.DYNAMIC, phrase("range"))
            return made
        if name == "downTo":
            return _numbers(call, range(leaf, other - 1, -1))
        return _numbers(call, range(leaf, other + (name == "rangeTo")))
    if name in ("plus", "minus", "times", "rem", "div") and len(values) == 1:
        sign = {"plus": "+", "minus": "-", "times": "*", "rem": "%", "div": "/"}[name]
        return apply(lambda other: call.java.binary(call.run, sign, leaf, other), values[0])
    if name in ("inc", "dec") and not values:
        return leaf + {"inc": 1, "dec": -1}[name]
    if name == "toString" and len(values) == 1:
        if isinstance(values[0], int) and 2 <= values[0] <= 36:
            return text(digits(leaf, values[0]))
        return Unknown(Why.DYNAMIC, "toString()")
    if name == "compareTo" and isinstance(values[0], int):
        return (leaf > values[0]) - (leaf < values[0])
    if name == "inv" and not values:
        return ~leaf
    if name in ("coerceAtLeast", "coerceAtMost") and isinstance(values[0], int):
        return max(leaf, values[0]) if name == "coerceAtLeast" else min(leaf, values[0])
    if name == "coerceIn" and all(isinstance(one, int) for one in values) and len(values) == 2:
        return max(values[0], min(leaf, values[1]))
    if name == "mod" and isinstance(values[0], int) and values[0]:
        return leaf % values[0]
    return NotImplemented


_CONVERSIONS = {
    f"to{kind.title()}": kind for kind in ("byte", "short", "int", "long", "float", "double", "char")
}


def _letters(call: Call, first: Text, last: Guarded) -> Object:
    """`'a'..'c'`."""
    made = new_list(call.run, "List", call.place)
    if not first.known or not isinstance(last, Text) or not last.known:
        made.open = Unknown(Why.DYNAMIC, phrase("range"))
        return made
    begin, end = ord(first.known), ord(last.known)
    if call.name == "downTo":
        codes = range(begin, end - 1, -1)
    else:
        codes = range(begin, end + (call.name == "rangeTo"))
    made.items = [(True, text(chr(code), first.steps, char=True)) for code in codes[:ARRAY_MAX]]
    shown = (
        text(f"{first.known}..{last.known}")
        if call.name == "rangeTo"
        else Unknown(Why.DYNAMIC, phrase("range"))
    )
    return _in_range(made, shown)


# -- texts ----------------------------------------------------------------------------------------------------------


def _by_place(arguments: Arguments) -> Arguments | None:
    """One argument that is named, at its place: alone, or before a lambda behind the parentheses; None for any others."""
    before = list(arguments.names.values())
    if len(before) > 1 or any(not isinstance(one, Function) for one in arguments.values):
        return None
    return replace(arguments, values=[*before, *arguments.values], names={})


def _on_text(call: Call, leaf: Text, arguments: Arguments) -> Guarded:
    name, values = call.name, arguments.values
    for answer in (_asked_of_text, _converted):
        found = answer(call, leaf, values)
        if found is not NotImplemented:
            return found
    if len(values) == 1 and isinstance(values[0], LibraryConstant) and name in _IN_A_LOCALE:
        return _on_text(call, leaf, replace(arguments, values=Given([])))
    if name in AS_IN_JAVA and not values:
        return _java(call, leaf, AS_IN_JAVA[name], [])
    if name in ("trim", "trimStart", "trimEnd"):
        if not values:
            return _java(call, leaf, {"trim": "strip"}.get(name, AS_IN_JAVA.get(name, name)), [])
        if any(isinstance(one, Function | Bound) for one in values):
            return NotImplemented
        if any(not isinstance(one, Text) for one in values):
            return texts.opaque_call(call.run, leaf, name, Arguments(list(values)))
    if leaf.known is not None and _characters_wanted(name, values):
        made = new_list(call.run, "List", call.place)
        made.items = [(True, text(each, leaf.steps, char=True, frame=leaf.frame)) for each in leaf.known]
        found = _of_list(call, made, arguments)
        return _spelled(found, leaf) if name in _SPELLED else found
    every = [*values, *arguments.names.values()]
    return apply(lambda *rest: _computed(call, leaf, name, rest, tuple(arguments.names)), *every)


_IN_A_LOCALE = frozenset({"uppercase", "lowercase", "titlecase", "capitalize"})


def _asked_of_text(call: Call, leaf: Text, values: list[Guarded]) -> Guarded:
    name = call.name
    match name:
        case "toString" if leaf.char:
            return call.java.shown(call.run, leaf)
        case "orEmpty" | "toString" | "asSequence":
            return leaf
        case "substring" if len(values) == 1 and (part := _stretch(values[0])) is not None:
            return _java(call, leaf, name, list(part))
        case "isNullOrEmpty":
            return _java(call, leaf, "isEmpty", [])
        case "isNullOrBlank":
            return _java(call, leaf, "isBlank", [])
        case "isNotEmpty" | "isNotBlank":
            return _negated(_java(call, leaf, name.replace("Not", ""), []))
        case "ifEmpty" | "ifBlank":
            missing = call.holds(_java(call, leaf, name.replace("if", "is"), []))
            return _otherwise(call, missing, leaf, values[0])
    return NotImplemented


def _converted(call: Call, leaf: Text, values: list[Guarded]) -> Guarded:
    name = call.name
    match name:
        case "format" | "formatted" if not values:
            return leaf
        case "format" | "formatted":
            return apply(lambda *rest: format_text(call.java, call.run, leaf, rest), *values)
        case "plus":
            return apply(lambda other: call.java.binary(call.run, "+", leaf, other), values[0])
        case "toBoolean" | "toBooleanStrict":
            return peer("Boolean", "parseBoolean")(_with_arguments(call, [leaf]))
        case "toInt" | "toLong" | "toIntOrNull" | "toLongOrNull" if values:
            return _by_radix(leaf, values[0], absent="OrNull" in name)
        case "toInt" | "toLong" if not leaf.char:
            return peer(*_PARSERS[name])(_with_arguments(call, [leaf]))
        case "toInt" | "toLong" if leaf.known:
            return ord(leaf.known)
    return NotImplemented


_PARSERS = {"toInt": ("Integer", "parseInt"), "toLong": ("Long", "parseLong")}

_OF_CHARACTERS = frozenset(
    {"count", "first", "filterNot", "forEachIndexed", "firstOrNull", "fold", "mapIndexed", "last", "lastOrNull", "find",
     "partition", "groupBy", "associateWith", "associateBy", "sumOf", "mapNotNull", "single", "reduce", "withIndex"}
)  # fmt: skip
"""Functions of a text that are those of the list of its characters."""


_SPELLED = frozenset({"filter", "filterNot", "takeWhile", "dropWhile", "partition"})
"""Functions of characters that give a text, or two."""


def _characters_wanted(name: str, values: list[Guarded]) -> bool:
    if any(isinstance(one, Function | Bound) for one in values):
        return name in (*STREAMS, *ENDS, *_OF_CHARACTERS)
    alone = ("toList", "asIterable", "toSet", "toSortedSet", "single", "firstOrNull", "lastOrNull")
    return name in alone and not values


def _spelled(found: Guarded, leaf: Text) -> Guarded:
    if isinstance(found, Object) and found.type == "Pair":
        for part in ("key", "value"):
            found.fields[part] = _spelled(found.fields[part], leaf)
        return found
    if isinstance(found, Object) and all(g is True for g, _ in found.items or ()):
        return text("".join(one.known or "" for _, one in found.items or ()), leaf.steps, frame=leaf.frame)
    return Text((Gap(Why.DYNAMIC, "characters"),), leaf.steps)


def _otherwise(call: Call, missing: Guarded, value: Guarded, other: Guarded, *arguments: Guarded) -> Guarded:
    """A value, or where it is missing what a function gives."""
    run = call.run
    if missing is False:
        return value
    before = run.guard
    run.guard = both(before, missing)
    fallback = call.invoke(other, *arguments) if run.guard is not False else None
    run.guard = either(run.guard, both(before, negate(missing)))
    return pick(missing, fallback, value)


def _stretch(value: Guarded) -> tuple[int, int] | None:
    """A range of whole numbers as a begin and an end, None for anything else."""
    if not isinstance(value, Object) or kinds.SHOWN not in value.fields or not value.items:
        return None
    held = [item for _, item in value.items]
    whole = all(type(one) is int for one in held) and held == list(range(held[0], held[0] + len(held)))
    return (held[0], held[-1] + 1) if whole else None


def _with_arguments(call: Call, values: list[Guarded]) -> Call:
    return Call(call.java, call.run, None, call.name, values, call.frame, call.place)


def _computed(call: Call, leaf: Text, name: str, rest: tuple[Any, ...], names: tuple[str, ...]) -> Any:
    """A function of a known text with known arguments; NotImplemented where Java has it or it cannot be known."""
    known = leaf.known
    positional = len(rest) - len(names)
    given = [one.known if isinstance(one, Text) else one for one in rest]
    named = dict(zip(names, given[positional:], strict=True))
    if any(isinstance(one, Object) and one.declared is not None for one in rest):
        return NotImplemented
    operation = TEXTS.get(name)
    usable = all(isinstance(one, str | int) for one in given)
    if known is None or operation is None or not usable:
        if name in TEXTS or name in AS_IN_JAVA:
            return texts.opaque_call(call.run, leaf, name, Arguments(list(rest)))
        return NotImplemented
    try:
        result = operation(known, *given[:positional], **named)
    except (TypeError, IndexError, ValueError):  # another overload, or what Kotlin throws at too
        return texts.opaque_call(call.run, leaf, name, Arguments(list(rest)))
    if isinstance(result, str):
        if len(result) > TEXT_MAX:
            return Text(
                (Gap(Why.TOO_MANY, phrase("text-of-more-than-characters", f"{TEXT_MAX:,}")),), leaf.steps
            )
        made = text(result, leaf.steps, char=name in _GIVE_CHARACTERS, frame=leaf.frame)
        return call.run.wrote(made)
    if isinstance(result, list):
        call.run.work(len(result))
        found = new_list(call.run, "List", call.place)
        found.items = [(True, text(one, leaf.steps, frame=leaf.frame)) for one in result]
        return found
    return result


_GIVE_CHARACTERS = frozenset({"first", "last", "get", "uppercaseChar", "lowercaseChar", "titlecaseChar"})


def _by_radix(leaf: Text, radix: Guarded, *, absent: bool) -> Guarded:
    """`"ff".toInt(16)`."""
    if leaf.known is None or not isinstance(radix, int) or not 2 <= radix <= 36:
        return Unknown(Why.DYNAMIC, "toInt()")
    try:
        return int(leaf.known, radix)
    except ValueError:
        return None if absent else Unknown(Why.DYNAMIC, "toInt()")


# -- maps -----------------------------------------------------------------------------------------------------------


_WITH_DEFAULT = "<with default>"
"""The map that a view with a default shows, and the function that gives the default of a key."""


def _on_map(call: Call, leaf: Object, arguments: Arguments) -> Guarded:
    run, name, values = call.run, call.name, arguments.values
    for answer in (_asked_of_map, _made_of_map):
        found = answer(call, leaf, values)
        if found is not NotImplemented:
            return found
    if name == "forEach" and len(values) == 1 and _parameters(call, values[0]) == 2:
        return NotImplemented  # Java's, with key and value
    if name in (*STREAMS, *ENDS, "mapNotNull", "flatMap", "toList", "count", "first", "firstOrNull", "maxByOrNull",
                "minByOrNull", "maxBy", "minBy", "associate", "sumOf", "partition", "find", "forEachIndexed",
                "groupBy", "joinToString", "onEach", "mapIndexed", "sortedBy", "single", "map", "asSequence"):  # fmt: skip
        found = new_list(run, "List", call.place)
        made_of = entry if name != "toList" else lambda run, one, place: pair(run, one.key, one.value, place)
        found.items = [(e.guard, made_of(run, e, call.place)) for e in leaf.entries or ()]
        found.open = leaf.open
        result = _of_list(call, found, arguments)
        return leaf if name == "onEach" and result is found else result
    return NotImplemented


def _asked_of_map(call: Call, leaf: Object, values: list[Guarded]) -> Guarded:
    run, name = call.run, call.name
    match name:
        case "set":
            put(run, leaf, values[0], values[1], written_at(values[0], call.place))
            return UNIT
        case "getOrPut" | "getOrElse":
            there, value = find(run, leaf, values[0])
            found = _otherwise(call, negate(there), value, values[1])
            if name == "getOrPut":
                put(run, leaf, values[0], found)
            return found
        case "getValue":
            base, default = leaf.fields.get(_WITH_DEFAULT, (leaf, None))
            there, value = find(run, base, values[-1])
            if default is not None:
                return _otherwise(call, negate(there), value, default, values[-1])
            shown = call.java.shown(run, values[-1]).known
            said = "" if shown is None else f"Key {shown} is missing in the map."
            _fail_where(call, negate(there), "NoSuchElementException", said)
            return value
        case "isNotEmpty" | "any" if not values:
            return _not_empty(leaf)
        case "isNullOrEmpty" | "none" if not values:
            return _negated(_not_empty(leaf))
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
        case "mapValues" | "mapKeys" | "filterKeys" | "filterValues" | "filter" | "filterNot":
            return _map_stage(call, leaf, values[0])
        case "toMap" | "toMutableMap" | "toSortedMap":
            made = new_map(run, "Map" if name == "toMap" else "LinkedHashMap", call.place)
            made.entries = [Entry(e.guard, e.key, e.value, e.at) for e in leaf.entries or ()]
            made.open = leaf.open
            if name == "toSortedMap":
                _sort(call, made, *values)
            return made
        case "plus" | "minus":
            return combined(run, "+" if name == "plus" else "-", leaf, values[0])
        case "withDefault":
            made = new_map(run, "LinkedHashMap", call.place)
            made.entries, made.open, made.born = leaf.entries, leaf.open, leaf.born
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


def _map_stage(call: Call, leaf: Object, function_: Guarded) -> Object:
    run, name = call.run, call.name
    made = new_map(run, "Map", call.place)
    made.open = leaf.open
    assert made.entries is not None
    for each in leaf.entries or ():
        before = run.guard
        run.guard = both(before, each.guard)
        if run.guard is False:
            run.guard = before
            continue
        given = {"filterKeys": each.key, "filterValues": each.value}.get(name, entry(run, each, call.place))
        result = call.invoke(function_, given)
        run.guard = before
        if name == "mapValues":
            made.entries.append(Entry(each.guard, each.key, result, each.at))
        elif name == "mapKeys":
            made.entries.append(Entry(each.guard, result, each.value, each.at))
        else:
            holds = call.holds(result)
            guard = both(each.guard, negate(holds) if name == "filterNot" else holds)
            if guard is not False:
                made.entries.append(Entry(guard, each.key, each.value, each.at))
    return made


def _not_empty(leaf: Object) -> Guarded:
    return apply(lambda n: n > 0 if isinstance(n, int) else Test("true", (n,)), size(leaf))


def _negated(value: Guarded) -> Guarded:
    return apply(lambda one: unary("!", one), value)


# -- lists, sets, arrays --------------------------------------------------------------------------------------------


def _of_list(call: Call, made: Object, arguments: Arguments) -> Guarded:
    """The same function of a list: of the entries of a map, the characters of a text, or what an iterator gives."""
    return call.java.call_method(call.run, made, call.name, arguments, call.frame, at_of(call.place))


def _on_items(call: Call, leaf: Object, arguments: Arguments) -> Guarded:
    run, name, values = call.run, call.name, arguments.values
    stream = stream_of(call.java, run, leaf, call.frame, call.place)
    found = stream.items or []
    sure = all(guard is True for guard, _ in found) and stream.open is None
    if stream.open is not None and values and name in _RUN_FOR_SOME:
        # what is made for the elements nobody knows is in what comes out: whoever has that may do anything with it
        made_of = call.invoke(values[0], stream.open)
        run.havoc(name, stream.open, None, Arguments([made_of]))
        if not found:
            return Unknown(Why.DYNAMIC, f"{name}()")
    if name in STREAMS and (values or name == "distinct"):
        inner = Call(call.java, run, stream, STREAMS[name], values, call.frame, call.place)
        if name == "flatMap":
            inner.args = Given([_flattening(call, values[0])])
        return _as_list(stream_method(inner, stream))
    if name in ENDS and (values or (name == "sum" and sure)):
        inner = Call(call.java, run, stream, ENDS[name], values, call.frame, call.place)
        ended = stream_method(inner, stream)
        if ended is NotImplemented or name not in ("onEach", "forEach"):
            return ended
        return leaf if name == "onEach" else UNIT
    if name == "toSortedSet":
        made = _of(call, found, stream.open, "TreeSet")
        _sort(call, made, *values)
        return made
    if name in SAME:
        kinds = {"Set": "LinkedHashSet", "Array": "[]", "Mutable": "ArrayList"}
        return _of(call, found, stream.open, next((kinds[one] for one in kinds if one in name), "List"))
    for answer in (_made_of_items, _told_of_items):
        given = answer(call, stream, arguments)
        if given is not NotImplemented:
            return given
    return _changed(call, leaf, values, sure=sure)


_ORDERS = frozenset(
    {"sorted", "sortedBy", "sortedByDescending", "sortedDescending", "reversed", "asReversed", "sortedWith"}
)
_PICKS = frozenset(
    {"first", "firstOrNull", "find", "single", "singleOrNull", "last", "lastOrNull", "findLast"}
)


def _made_of_items(call: Call, stream: Object, arguments: Arguments) -> Guarded:
    """Functions that give other collections of the elements."""
    run, name, values = call.run, call.name, arguments.values
    found = stream.items or []
    if name in _ORDERS:
        return _ordered(call, found, stream.open, values)
    match name:
        case "filterNotNull" | "mapNotNull":
            if name == "mapNotNull":
                found = _each(call, found, lambda one, _: call.invoke(values[0], one))
            there = [(both(g, present), v) for g, v in found for present, v in _present(v)]
            return _of(call, there, stream.open)
        case "filterIsInstance" if arguments.types or (values and isinstance(values[0], TypeValue)):
            ref = arguments.types[0] if arguments.types else ir.TypeRef(values[0].name)
            tested = [(g, v, call.java.is_instance(run, v, ref, call.frame)) for g, v in found]
            if all(type(holds) is bool for _, _, holds in tested) and call.frame is not None:
                return _of(call, [(g, v) for g, v, holds in tested if holds], stream.open)
        case "plus" | "minus":
            return combined(run, "+" if name == "plus" else "-", call.target, values[0])
        case "step" if stream.open is None and isinstance(values[0], int) and values[0] > 0:
            if all(guard is True for guard, _ in found):
                return _stepped(call, found, values[0])
    return NotImplemented


def _told_of_items(call: Call, stream: Object, arguments: Arguments) -> Guarded:
    """Functions that give one of the elements, or say something of them."""
    run, name, values, leaf = call.run, call.name, arguments.values, call.target
    found = stream.items or []
    if name in _PICKS:
        return _picked(call, found, stream.open, values)
    match name:
        case "indexOf" | "lastIndexOf" if stream.open is not None:
            return Unknown(Why.DYNAMIC, f"{name}()")
        case "get" | "elementAt" if values and leaf.entries is None:
            return at(run, leaf, values[0])
        case "joinToString":
            return _joined(call, found, stream.open, arguments)
        case "count" if not values:
            return size(stream)
        case "isNotEmpty" | "any":
            return _not_empty(stream)
        case "isNullOrEmpty" | "none" | "isEmpty":
            return _negated(_not_empty(stream))
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
            return _java(call, leaf, "removeIf", [test])
        case "removeAt" if values:
            return _java(call, leaf, "remove", values)
        case "remove" if len(values) == 1 and isinstance(values[0], int) and views.shape_of(leaf) == "list":
            return _removed(call, leaf, values[0])
        case "removeFirst" | "removeLast" | "removeFirstOrNull" | "removeLastOrNull":
            return _taken(call, leaf, name) if sure and leaf.declared is None else NotImplemented
        case "plusAssign" | "addAll" if len(values) == 1:
            take_in(call.run, leaf, values[0], True)
            call.run.bound(leaf)
            return True
    return NotImplemented


def _stepped(call: Call, found: list[tuple[Guarded, Guarded]], step: int) -> Object:
    """`range step n`."""
    made = _of(call, found[::step], None)
    held = [item for _, item in made.items or ()]
    if not held or type(held[0]) is not int or len(found) < 2:
        return _in_range(made, Unknown(Why.DYNAMIC, phrase("range")))
    way = step if found[1][1] > found[0][1] else -step
    shown = f"{held[0]} downTo {held[-1]} step {step}" if way < 0 else f"{held[0]}..{held[-1]} step {step}"
    return _in_range(made, text(shown))


def _removed(call: Call, leaf: Object, value: int) -> Guarded:
    """`list.remove(number)` takes out the first element that is equal; Java's takes out the one at a place."""
    place = _java(call, leaf, "indexOf", [value])
    if type(place) is not int:
        return call.run.havoc("remove", Unknown(Why.DYNAMIC, "remove()"), leaf, Arguments([value]))
    if place >= 0:
        _java(call, leaf, "remove", [place])
    return place >= 0


def _refusing(call: Call, function_: Guarded) -> Function:
    """The opposite of a condition."""

    def native(run: Interpreter, given: Arguments, caller: Any, place: Any) -> Guarded:
        return _negated(call.invoke(function_, *given.values))

    return Function((), (), None, "retainAll", native=native)


def _taken(call: Call, leaf: Object, name: str) -> Guarded:
    """The first or last element, which is taken out."""
    if not leaf.items:
        if name.endswith("OrNull"):
            return None
        _fail_where(call, True, "NoSuchElementException")
        return UNSET
    held = leaf.items[0 if "First" in name else -1][1]
    if call.run.here(leaf) is not True:
        return NotImplemented
    leaf.items = leaf.items[1:] if "First" in name else leaf.items[:-1]
    return held


def _of(
    call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, kind: str = "List"
) -> Object:
    made = new_list(call.run, kind, call.place)
    made.items, made.open = [(g, v) for g, v in found if g is not False], open_
    if kind.endswith("Set"):
        _distinct(call.run, made)
    return made


def _as_list(value: Guarded) -> Guarded:
    if isinstance(value, Object) and value.type == "Stream":
        value.type = "List"
    return value


def _flattening(call: Call, function_: Guarded) -> Function:
    def native(run: Interpreter, given: Arguments, caller: Any, place: Any) -> Guarded:
        return call.invoke(function_, *given.values)

    return Function((), (), None, "flatMap", native=native)


def _each(
    call: Call, found: list[tuple[Guarded, Guarded]], action: Callable[[Guarded, int], Guarded]
) -> list[tuple[Guarded, Guarded]]:
    """A function of element and place, run for each element on its own path."""
    run = call.run
    result: list[tuple[Guarded, Guarded]] = []
    going = run.guard
    for index, (guard, value) in enumerate(found):
        run.guard = both(going, guard)
        if run.guard is False:
            continue
        result.append((guard, action(value, index)))
        going = either(run.guard, both(going, negate(guard)) if guard is not True else False)
    run.guard = going
    return result


def _ordered(
    call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, values: list[Guarded]
) -> Object:
    """The elements in another order; nothing is known of them where nobody knows that order."""
    name = call.name
    sure = open_ is None and all(guard is True for guard, _ in found)
    if name in ("reversed", "asReversed"):
        result = found[::-1] if sure else None
        if result is not None and isinstance(call.target, Object) and kinds.SHOWN in call.target.fields:
            return _in_range(_of(call, result, None), Unknown(Why.DYNAMIC, phrase("range")))
    else:
        comparator = values[0] if values else None
        if name != "sortedWith":
            comparator = call.run.make(None, "Comparator", call.place)
            comparator.fields["key"] = values[0] if values else None
            comparator.fields["reverse"] = name.endswith("Descending")
        result = ordered(call, found, comparator) if sure else None
    if result is None:
        return _of(call, [], open_ or Unknown(Why.DYNAMIC, phrase("order")))
    return _of(call, result, None)


def _picked(
    call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, values: list[Guarded]
) -> Guarded:
    """The first or last element, or the one that a condition holds for."""
    if values:
        answers = _each(call, found, lambda one, _: call.holds(call.invoke(values[0], one)))
        found = [(both(g, holds), v) for (g, v), (_, holds) in zip(found, answers, strict=False)]
    value: Guarded = open_
    last = "ast" in call.name
    there: Guarded = open_ is not None
    for guard, item in found if last else reversed(found):
        value = pick(guard, item, value)
        there = either(there, guard)
    if not call.name.endswith("OrNull") and not call.name.startswith("find"):
        said = "" if values else "List is empty."
        _fail_where(call, negate(there), "NoSuchElementException", said)
        several = call.name == "single" and open_ is None and [guard for guard, _ in found].count(True) > 1
        _fail_where(call, several, "IllegalArgumentException")
    if call.name == "singleOrNull" and [guard for guard, _ in found].count(True) > 1:
        return None
    return value


def _joined(
    call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, arguments: Arguments
) -> Guarded:
    values, names = list(arguments.values), arguments.names
    transform = names.get("transform")
    if values and isinstance(values[-1], Function | Bound):
        transform = values.pop()
    order = ("separator", "prefix", "postfix", "limit", "truncated")
    given = {name: names.get(name, values[i] if i < len(values) else None) for i, name in enumerate(order)}
    if open_ is not None:
        return Text((Gap(open_.why, open_.detail or phrase("joined-list"), open_.symbol),))
    most = -1 if given["limit"] is None else given["limit"]
    if not isinstance(most, int) or (most >= 0 and any(guard is not True for guard, _ in found)):
        return Text((Gap(Why.DYNAMIC, phrase("joined-list")),))
    rest = [] if most < 0 or len(found) <= most else [(True, given["truncated"] or text("..."))]
    found = found[:most] if rest else found
    if transform is not None:
        found = _each(call, found, lambda one, _: call.invoke(transform, one))
    found = [*found, *rest]
    separator = text(", ") if given["separator"] is None else given["separator"]
    prefix = text("") if given["prefix"] is None else given["prefix"]
    return join_items(call, separator, found, prefix, given["postfix"])

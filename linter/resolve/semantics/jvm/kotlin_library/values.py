"""Kotlin's collections, pairs and ranges on abstract values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, either, leaves, negate, pick
from subdrift.linter.resolve.execute.havoc import alike
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import Guarded, Object, Text, Unknown, is_whole, text
from subdrift.linter.resolve.semantics.jvm import elements, order, views
from subdrift.linter.resolve.semantics.jvm.calls import Call, at_of
from subdrift.linter.resolve.semantics.jvm.collections import ARRAY_MAX, new_list, once
from subdrift.linter.resolve.semantics.jvm.elements import changed, may_equal, size
from subdrift.linter.resolve.semantics.jvm.equality import OWN_EQUALITY, equal
from subdrift.linter.resolve.semantics.jvm.library import instances, kinds
from subdrift.linter.resolve.semantics.jvm.maps import has, put, remove
from subdrift.linter.resolve.semantics.jvm.operators import unary

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

LISTS = {
    "listOf": "List", "setOf": "Set", "emptyList": "List", "emptySet": "Set", "arrayOf": "[]", "intArrayOf": "[]",
    "listOfNotNull": "List", "mutableListOf": "ArrayList", "arrayListOf": "ArrayList", "mutableSetOf": "LinkedHashSet",
    "linkedSetOf": "LinkedHashSet", "hashSetOf": "HashSet", "sequenceOf": "List", "emptyArray": "[]",
    "emptySequence": "List", "sortedSetOf": "TreeSet", "longArrayOf": "[]",
    "charArrayOf": "[]", "doubleArrayOf": "[]", "booleanArrayOf": "[]",
}  # fmt: skip
"""Functions that make a list, set or array of their arguments -> the type of the collection."""


MAPS = {
    "mapOf": "Map", "emptyMap": "Map", "mutableMapOf": "LinkedHashMap", "linkedMapOf": "LinkedHashMap",
    "hashMapOf": "HashMap", "sortedMapOf": "TreeMap",
}  # fmt: skip


READ_ONLY = frozenset({"List", "Set", "Map", "Collection", "Iterable", "[]", "Stream"})
"""Types of collections that cannot change: `+=` gives another one."""


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


def pair(run: Interpreter, first: Guarded, second: Guarded, place: Location | None) -> Object:
    return run.make(None, "Pair", place, fields={"key": first, "value": second})


def java(call: Call, leaf: Any, name: str, values: list[Guarded]) -> Guarded:
    return instances.method(call.java, call.run, leaf, name, Arguments(values), call.frame, call.place)


def numbers(call: Call, numbers: range, *, stepped: bool = False) -> Object:
    """`stepped`: a progression, whose text says by how much."""
    made = call.all_of("List", numbers[:ARRAY_MAX])
    if numbers[ARRAY_MAX:]:
        made.open = call.unknown(phrase("range"))
    last = numbers[-1] if numbers else numbers.stop - numbers.step
    return in_range(made, text(_range_text(numbers, stepped)), (numbers.start, last, numbers.step))


def in_range(made: Object, shown: Guarded, bounds: tuple[Guarded, ...] = ()) -> Object:
    """A list that stands for a range, with the text of that, and where it begins and ends."""
    made.fields[kinds.SHOWN] = shown
    made.fields[OWN_EQUALITY] = _equal_ranges
    made.fields.update(zip(BOUNDS, bounds, strict=False))
    return made


def _equal_ranges(left: Object, right: Object) -> bool | Test:
    """Ranges are equal to ranges that hold the same, lists to none."""
    if left.type == right.type and (kinds.SHOWN in left.fields) != (kinds.SHOWN in right.fields):
        return False
    one, other = range_of(left), range_of(right)
    if one is None or other is None:
        return Test("true", (Unknown(Why.DYNAMIC, "=="),))
    return one == other


SEQUENCE = "<sequence>"
"""The field of a list that stands for a sequence."""


def as_sequence(made: Any) -> Any:
    """A list that stands for a sequence, which is equal to itself alone."""
    if isinstance(made, Object) and made.items is not None and made.declared is None:
        made.fields[SEQUENCE] = True
        made.fields[kinds.SHOWN] = Unknown(Why.DYNAMIC, "toString()")
        made.fields[OWN_EQUALITY] = lambda left, right: False
    return made


BOUNDS = ("start", "endInclusive", "step")
"""Fields of a range."""


def range_of(leaf: Any) -> range | None:
    """The whole numbers that a range stands for; None for anything else."""
    if not isinstance(leaf, Object) or leaf.declared is not None:
        return None
    start, last, step = map(leaf.fields.get, BOUNDS)
    if not (is_whole(start) and is_whole(last) and is_whole(step)):
        return None
    return range(start, last + (1 if step > 0 else -1), step)


def _range_text(numbers: range, stepped: bool) -> str:
    if numbers.step == 1 and not stepped:
        return f"{numbers.start}..{numbers.stop - 1}"
    first, last = numbers.start, numbers[-1] if numbers else numbers.stop - (1 if numbers.step > 0 else -1)
    if numbers.step > 0:
        return f"{first}..{last} step {numbers.step}"
    return f"{first} downTo {last} step {-numbers.step}"


def contains(run: Interpreter, holder: Any, value: Any) -> Any:
    """`value in holder`."""
    if isinstance(holder, Object) and holder.entries is not None:
        return has(run, holder, value)
    if isinstance(holder, Object) and holder.items is not None:
        known = range_of(holder) if is_whole(value) else None
        return elements.contains(holder.items, value, holder.open) if known is None else int(value) in known
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
    made.items, made.entries, made.open = views.copied(left)
    take_in(run, made, right, True, removes=operator == "-")
    run.bound(made)
    return made


def _depth(value: Guarded) -> int:
    """How many collections stand in one another; as few as can be seen."""
    if not isinstance(value, Object) or value.declared is not None or value.items is None:
        return 0
    return 1 + max((_depth(item) for _, item in value.items), default=0)


def can_change(leaf: Object) -> bool:
    """Whether `+=` changes a collection."""
    return leaf.type not in READ_ONLY and (leaf.items is not None or leaf.entries is not None)


def is_like_elements(leaf: Object, value: Object) -> bool:
    """Whether a collection is one of those that another one holds: it is added as one element."""
    return bool(value.items) and any(_depth(item) == _depth(value) for _, item in leaf.items or ())


_ITERABLE = frozenset({"Iterable", "Sequence"})


def walked(java: Java, run: Interpreter, leaf: Object, value: Any) -> Any:
    """What a collection takes in of a value: of a sequence, or an object of the program's that is iterable, the elements."""
    declared = value.declared if isinstance(value, Object) else None
    if declared is None or value.items is not None or value.entries is not None:
        return value
    if _ITERABLE.isdisjoint(each.rpartition(".")[2] for each in run.scope.library_supers(declared)):
        return value
    if any(isinstance(one, Object) and one.declared is declared for _, one in leaf.items or ()):
        return value
    made = new_list(run, "List", value.at)
    found = java.items(run, value, run.frame(declared, value))
    made.items = found or []
    made.open = Unknown(Why.DYNAMIC, phrase("collection")) if found is None else value.open
    return made


def _take_out(run: Interpreter, leaf: Object, one: Any) -> None:
    """Takes a key out of a map, or all that a collection holds where none of the keys is one."""
    many = isinstance(one, Object) and one.declared is None and one.items is not None
    if isinstance(one, Unknown) or (many and any(_depth(entry.key) for entry in leaf.entries or ())):
        elements.forget(run, leaf, one if isinstance(one, Unknown) else Unknown(Why.DYNAMIC, "minus()"))
        return
    if many and one.open is not None:
        elements.forget(run, leaf, one.open)
    before = run.guard
    for inner, key in list(one.items) if many else [(True, one)]:
        run.guard = both(before, inner)
        remove(run, leaf, key)
    run.guard = before


def take_in(run: Interpreter, leaf: Object, value: Guarded, guard: Guarded, *, removes: bool = False) -> None:
    """Adds to a collection, or takes out of it, one element or all of another collection."""
    before = run.guard
    for path, one in leaves(value, guard):
        run.guard = path if guard is not True or path is not True else before
        if leaf.entries is not None and removes:
            _take_out(run, leaf, one)
            continue
        if leaf.entries is not None:
            entries = pairs(one)
            more = one if isinstance(one, Unknown) else getattr(one, "open", None)
            if more is None and any(key is UNSET for _, key, _ in entries):
                more = Unknown(Why.DYNAMIC, phrase("map"))
            if more is not None and not is_empty(more):
                elements.forget(run, leaf, more)
            for inner, key, held in entries:
                if key is not UNSET:
                    outside = run.guard
                    run.guard = both(outside, inner)
                    put(run, leaf, key, held)
                    run.guard = outside
            continue
        if isinstance(one, Object) and one.declared is None and one.items is not None:
            several = list(one.items)
            if one.open is not None and removes:
                elements.forget(run, leaf, one.open)
            elif one.open is not None:
                leaf.open = leaf.open or one.open
        else:
            several = [(True, one)]
        assert leaf.items is not None
        alone = removes and "Set" not in leaf.type and several and several[0][1] is one
        for inner, item in several:
            if alone:
                _take_first(run, leaf, item)
            elif removes:
                run.work(len(leaf.items))
                if any(may_equal(v, item) for _, v in leaf.items):  # which are taken out nobody knows
                    elements.forget(run, leaf, Unknown(Why.DYNAMIC, "minus()"))
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
                changed(run, leaf)
                if in_table:
                    order.grow(leaf, before=False)
        if isinstance(one, Unknown) and not removes and _may_be_several(one):
            leaf.open = leaf.open or alike(one, leaf)
    run.guard = before


def _take_first(run: Interpreter, leaf: Object, item: Guarded) -> None:
    """Takes out of a list the first element that is equal to one."""
    run.work(len(leaf.items or ()))
    for place, (guard, held) in enumerate(leaf.items or ()):
        found = apply(equal, held, item)
        if found is False:
            continue
        if found is True and guard is True and run.here(leaf) is True and leaf.open is None:
            assert leaf.items is not None
            leaf.items = leaf.items[:place] + leaf.items[place + 1 :]
            changed(run, leaf)
        else:  # which one is taken out nobody knows
            elements.forget(run, leaf, Unknown(Why.DYNAMIC, "minus()"))
        return
    if leaf.open is not None:
        elements.forget(run, leaf, leaf.open)


def _may_be_several(unknown: Unknown) -> bool:
    """Whether something that nobody knows may be a collection that is added to another one."""
    return unknown.type is None or unknown.type.simple in ("List", "Set", *_ITERABLE)


def pairs(value: Any) -> list[tuple[Guarded, Guarded, Guarded]]:
    if isinstance(value, Object) and value.entries is not None:
        return [(each.guard, each.key, each.value) for each in value.entries]
    if isinstance(value, Object) and "key" in value.fields:
        return [(True, value.fields["key"], value.fields["value"])]
    if isinstance(value, Object) and value.items is not None:
        return [(both(g, inner), k, v) for g, one in value.items for inner, k, v in pairs(one)]
    return [(True, UNSET, None)]


def present(value: Guarded) -> list[tuple[Guarded, Guarded]]:
    there = apply(lambda leaf: leaf is not None, value)
    return [(there, value)] if there is not False else []


EMPTY = ("empty",)
"""The symbol of what `null.orEmpty()` gives: an empty text, or an empty collection."""


def is_empty(leaf: Any) -> bool:
    """Whether a value is what `null.orEmpty()` gives."""
    return isinstance(leaf, Unknown) and leaf.symbol == EMPTY


def emptied(value: Guarded) -> Guarded:
    """A value handed over as a text: what may be an empty collection is an empty text there."""
    return apply(lambda one: text("") if is_empty(one) else one, value)


def otherwise(call: Call, missing: Guarded, value: Guarded, other: Guarded, *arguments: Guarded) -> Guarded:
    """A value, or where it is missing what a function gives."""
    run = call.run
    if missing is False:
        return value
    before = run.guard
    run.guard = both(before, missing)
    fallback = call.invoke(other, *arguments) if run.guard is not False else None
    run.guard = either(run.guard, both(before, negate(missing)))
    return pick(missing, fallback, value)


def not_empty(leaf: Object) -> Guarded:
    return apply(lambda n: n > 0 if isinstance(n, int) else Test("true", (n,)), size(leaf))


def negated(value: Guarded) -> Guarded:
    return apply(lambda one: unary("!", one), value)


def of_list(call: Call, made: Object, arguments: Arguments) -> Guarded:
    """The same function of a list: of the entries of a map, the characters of a text, or what an iterator gives."""
    return call.java.call_method(call.run, made, call.name, arguments, call.frame, at_of(call.place))


def of(call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, kind: str = "List") -> Object:
    made = call.listed(kind, [pair for pair in found if pair[0] is not False], open_)
    if kind.endswith("Set"):
        once(call.run, made)
    return made


def as_list(value: Guarded) -> Guarded:
    if isinstance(value, Object) and value.type == "Stream":
        value.type = "List"
    return value

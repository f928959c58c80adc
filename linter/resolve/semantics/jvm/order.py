"""The order in which Java's collections are walked: sorted ones, heaps, and tables by the hashes of their keys."""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cmp_to_key
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import UNSET, apply, either
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.values import (
    Bound,
    Function,
    Guarded,
    LibraryConstant,
    Long,
    Object,
    Text,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.jvm.equality import OWN_EQUALITY
from subdrift.linter.resolve.semantics.jvm.texts import compared as compared_texts
from subdrift.linter.resolve.semantics.jvm.texts import java_hash
from subdrift.linter.resolve.semantics.jvm.views import (
    KIND,
    UNORDERED,
    VIEW,
    entry_part,
    is_entry,
    kind_of,
    shape_of,
)

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.calls import Call

COMPARATOR: Final = "<comparator>"
"""The field of a sorted collection that holds what it is sorted by."""
OWN_KEY: Final = "<own key>"
"""The field of a sorted map with a comparator: a function that gives the key it has in the place of another."""
CAPACITY: Final = "<capacity>"
"""The field of a table that holds how many places it has."""

_SORTED: Final = frozenset(
    {"TreeMap", "TreeSet", "ConcurrentSkipListMap", "ConcurrentSkipListSet", "EnumMap", "EnumSet"}
)
_HASHED: Final = frozenset({"HashMap", "HashSet", "ConcurrentHashMap", "ConcurrentMap"})
_TREES: Final = frozenset({"TreeSet", "ConcurrentSkipListSet"})
TREE_MAPS: Final = frozenset({"TreeMap", "ConcurrentSkipListMap"})
_HEAPS: Final = frozenset({"PriorityQueue", "PriorityBlockingQueue"})
ARRANGED: Final = _SORTED | _HASHED | _HEAPS
_FIRST_CAPACITY: Final = 16
KEPT: Final = frozenset({COMPARATOR, OWN_KEY, CAPACITY, KIND, UNORDERED})
"""What a copy of a collection has of it beside its elements."""

Pair = tuple[Guarded, Guarded]


class _NotKnown(Exception):
    """Nobody knows which of two comes first."""


def sort_key(value: Any) -> Any:
    """The natural order of texts, numbers and enum constants; None for anything else."""
    if isinstance(value, Text) and value.known is not None:
        return (1, value.known)
    if isinstance(value, int | float):
        return (0, value)
    if isinstance(value, Object) and isinstance(value.fields.get("<ordinal>"), int):
        return (0, value.fields["<ordinal>"])
    return None


def ordered(call: Call, found: Sequence[Pair], comparator: Guarded = None) -> list[Pair] | None:
    """Elements in the order of a comparator, without one in their own; None where nobody knows it."""
    if comparator is None:
        keys = [sort_key(value) for _, value in found]
        if None not in keys:
            places = sorted(range(len(found)), key=keys.__getitem__)
            return [found[place] for place in places]
    try:
        by = cmp_to_key(comparison(call, comparator))
        return sorted(found, key=lambda pair: by(pair[1]))
    except _NotKnown:
        return None


def comparison(call: Call, comparator: Guarded = None) -> Callable[[Any, Any], int]:
    """What a comparator says of two values. The function raises where nobody knows."""

    def compare(one: Any, other: Any) -> int:
        if isinstance(comparator, LibraryConstant) and comparator.name == "CASE_INSENSITIVE_ORDER":
            one, other = _caseless(one), _caseless(other)
        elif comparator is not None:
            return _number(call.invoke(comparator, one, other))
        left, right = sort_key(one), sort_key(other)
        if left is not None and right is not None:
            return _difference(left[1], right[1], by_place=isinstance(one, Object))
        declared = one.declared if isinstance(one, Object) else None
        if declared is None or not call.run.scope.methods(declared, "compareTo", 1):
            raise _NotKnown
        return _number(call.method(one, "compareTo", other))

    return compare


def _difference(left: Any, right: Any, *, by_place: bool) -> int:
    """What Java's `compareTo` gives: of texts the distance of the first characters that differ, or of the lengths, of constants
    of an enumeration that of their places, of numbers the sign."""
    if isinstance(left, str):
        return compared_texts(left, right)
    return int(left - right) if by_place else int(left > right) - int(left < right)


def _caseless(value: Any) -> Any:
    return text(value.known.upper().lower()) if isinstance(value, Text) and value.known is not None else value


def _number(answer: Guarded) -> int:
    if isinstance(answer, bool) or not isinstance(answer, int):
        raise _NotKnown
    return answer


# -- after a change ---------------------------------------------------------------------------------------------------


def arranged(call: Call, leaf: Object) -> None:
    """Puts what a sorted collection, table or heap holds in the order in which it is walked, as far as that is known. A
    table is filled anew."""
    kind = kind_of(leaf)
    if kind not in ARRANGED:
        return
    if kind in _HASHED:
        _fill(leaf)
        return
    held: list[tuple[Guarded, Any]] = (
        [(entry.key, entry) for entry in leaf.entries]
        if leaf.entries is not None
        else [(pair[1], pair) for pair in leaf.items or ()]
    )
    if len(held) < 2:
        return
    if kind in _HEAPS:
        found = _heaped(call, leaf, held)
    else:
        pairs = ordered(
            call, [(index, key) for index, (key, _) in enumerate(held)], leaf.fields.get(COMPARATOR)
        )
        if pairs is not None and leaf.items is not None and any(_has_order(key) for _, key in pairs):
            pairs = _once(call, leaf, pairs)
        found = None if pairs is None else [held[int(index)][1] for index, _ in pairs]
    if found is None:  # which one is the first nobody knows
        reason = Unknown(Why.DYNAMIC, phrase("collection"))
        if leaf.items is not None:
            forget_contents(call.run, reason, [leaf])
        leaf.open = leaf.open or reason
    elif leaf.entries is not None:
        leaf.entries = found
    else:
        leaf.items = found


def _once(call: Call, leaf: Object, pairs: Sequence[Pair]) -> list[Pair]:
    """Of sorted elements, those that compare as equal once."""
    compare = comparison(call, leaf.fields.get(COMPARATOR))
    kept: list[Pair] = []
    for pair in pairs:
        if not kept or compare(kept[-1][1], pair[1]):
            kept.append(pair)
    return kept


# -- tables -----------------------------------------------------------------------------------------------------------


def is_table(leaf: Object) -> bool:
    """Whether a collection is walked in the order of a hash table."""
    return kind_of(leaf) in _HASHED


def allocate(leaf: Object, count: int) -> None:
    """A table made for so many places has the next power of two."""
    leaf.fields[CAPACITY] = 1 << max(count - 1, 0).bit_length()


def prepare(leaf: Object, count: int) -> None:
    """`putAll` makes room for so many entries at once."""
    if not is_table(leaf) or not count:
        return
    if CAPACITY not in leaf.fields:
        allocate(leaf, max(int(count / 0.75 + 1), 1))
    while count > _threshold(leaf):
        _double(leaf)


def table_place(leaf: Object, keys: Sequence[Guarded], key: Guarded, *, head: bool = False) -> int:
    """Where a new key stands in the order of a table: behind, or before (`head`), those of its bucket."""
    capacity = leaf.fields.setdefault(CAPACITY, _FIRST_CAPACITY)
    buckets = [_bucket(each, capacity) for each in (*keys, key)]
    if None in buckets:
        leaf.fields[UNORDERED] = True
        return len(keys)
    *others, own = buckets
    return (bisect_left if head else bisect_right)(others, own)  # type: ignore[type-var]


def grow(leaf: Object, *, before: bool) -> None:
    """A table that holds more than three quarters of its places gets twice as many; `compute` and its like ask that
    before they add an entry, the others afterwards."""
    held = (leaf.items if leaf.items is not None else leaf.entries) or ()
    if not is_table(leaf):
        return
    if before and CAPACITY not in leaf.fields:
        leaf.fields[CAPACITY] = _FIRST_CAPACITY
    if len(held) > _threshold(leaf):
        guards = [pair[0] for pair in leaf.items or ()] or [entry.guard for entry in leaf.entries or ()]
        if any(guard is not True for guard in guards):
            leaf.fields[UNORDERED] = True
        _double(leaf)


def _threshold(leaf: Object) -> int:
    return int(leaf.fields.get(CAPACITY, _FIRST_CAPACITY) * 0.75)


def _double(leaf: Object) -> None:
    capacity = leaf.fields[CAPACITY] = leaf.fields.get(CAPACITY, _FIRST_CAPACITY) * 2
    buckets = [_bucket(key, capacity) for key in _keys(leaf)]
    known = [each for each in buckets if each is not None]
    if len(known) < len(buckets):
        leaf.fields[UNORDERED] = True
        return
    places = sorted(range(len(known)), key=known.__getitem__)
    if leaf.items is not None:
        leaf.items = [leaf.items[place] for place in places]
    elif leaf.entries is not None:
        leaf.entries = [leaf.entries[place] for place in places]


def _keys(leaf: Object) -> list[Guarded]:
    return (
        [value for _, value in leaf.items] if leaf.items is not None else [e.key for e in leaf.entries or ()]
    )


def _bucket(key: Guarded, capacity: int) -> int | None:
    code = hash_code(key)
    return None if code is None else (code ^ (code >> 16)) & (capacity - 1)


def _fill(leaf: Object) -> None:
    """Adds what a table holds one after the other."""
    if leaf.items is not None:
        pairs, leaf.items = leaf.items, []
        for pair in pairs:
            leaf.items.insert(table_place(leaf, _keys(leaf), pair[1]), pair)
            grow(leaf, before=False)
    elif leaf.entries is not None:
        entries, leaf.entries = leaf.entries, []
        for entry in entries:
            leaf.entries.insert(table_place(leaf, _keys(leaf), entry.key), entry)
            grow(leaf, before=False)


def hash_code(value: Any) -> int | None:
    """`hashCode()` without its sign, None for what has one that nobody knows."""
    if isinstance(value, Text) and value.known is not None:
        if value.char:
            return ord(value.known[0]) & 0xFFFF
        return java_hash(value.known) & 0xFFFFFFFF
    if isinstance(value, bool):
        return 1231 if value else 1237
    if isinstance(value, int):
        is_long = type(value) is Long or not -(2**31) <= value < 2**31
        return (value ^ value >> 32 if is_long else value) & 0xFFFFFFFF
    if isinstance(value, float):
        bits = int.from_bytes(struct.pack(">d", value), "big")
        return (bits ^ bits >> 32) & 0xFFFFFFFF
    if isinstance(value, Object):
        return _hash_of_object(value)
    return 0 if value is None else None


def _hash_of_object(value: Object) -> int | None:
    """The hash of a collection, or of an entry, by what it holds."""
    if is_entry(value):
        parts = (entry_part(value, "key"), entry_part(value, "value"))
        codes = [hash_code(part) for part in parts]
        return None if None in codes else (codes[0] or 0) ^ (codes[1] or 0)
    shape = shape_of(value)
    if (
        value.open is not None
        or shape in ("array", "other")
        or value.declared is not None
        or OWN_EQUALITY in value.fields
    ):
        return None
    total = 1 if shape == "list" else 0
    if value.entries is not None:
        pairs = [(entry.guard, hash_code(entry.key), hash_code(entry.value)) for entry in value.entries]
        found = [(guard, None if None in (a, b) else (a or 0) ^ (b or 0)) for guard, a, b in pairs]
    elif value.items is not None:
        found = [(guard, hash_code(item)) for guard, item in value.items]
    else:
        return None
    for guard, code in found:
        if guard is not True or code is None:
            return None
        total = ((total * 31 if shape == "list" else total) + code) & 0xFFFFFFFF
    return total


def signed_hash(value: Any) -> int | Unknown:
    """`hashCode()` of a collection, a number or a truth value."""
    code = hash_code(value)
    if code is None:
        return Unknown(Why.DYNAMIC, "hashCode", ("hash", value.number))
    return code - (1 << 32) if code >> 31 else code


# -- heaps ------------------------------------------------------------------------------------------------------------


def _heaped(call: Call, leaf: Object, held: list[tuple[Guarded, Any]]) -> list[Any] | None:
    """What was added last rises in the heap; where it was filled, or much was taken away, it is put in order from below."""
    compare = comparison(call, leaf.fields.get(COMPARATOR))
    heap = [pair for _, pair in held]
    try:
        if call.name in ("add", "offer", "put", "addAll"):
            for place in range(len(heap)):
                _rise(heap, place, compare)
        else:
            for place in range(len(heap) // 2 - 1, -1, -1):
                _sink(heap, place, compare)
    except _NotKnown:
        return None
    return heap


def is_heap(leaf: Object) -> bool:
    """Whether a collection is a heap."""
    return kind_of(leaf) in _HEAPS


def is_sorted(leaf: Object) -> bool:
    """Whether the elements of a collection, and not who adds them, decide where they stand."""
    return kind_of(leaf) in _SORTED | _HEAPS


def _rise(heap: list[Any], place: int, compare: Callable[[Any, Any], int]) -> None:
    while place > 0:
        above = (place - 1) // 2
        if compare(heap[place][1], heap[above][1]) >= 0:
            return
        heap[place], heap[above] = heap[above], heap[place]
        place = above


def _sink(heap: list[Any], place: int, compare: Callable[[Any, Any], int]) -> None:
    while (child := 2 * place + 1) < len(heap):
        if child + 1 < len(heap) and compare(heap[child][1], heap[child + 1][1]) > 0:
            child += 1
        if compare(heap[place][1], heap[child][1]) <= 0:
            return
        heap[place], heap[child] = heap[child], heap[place]
        place = child


def take_top(call: Call, leaf: Object) -> None:
    """`PriorityQueue.poll`: the last element takes the place of the first, and sinks. To be called before the first goes."""
    heap = leaf.items
    if heap is None or len(heap) < 2 or kind_of(leaf) not in _HEAPS or call.run.guard is not True:
        return
    top, last = heap[0], heap.pop()
    if not heap:
        heap.append(last)
        return
    rest = [last, *heap[1:]]
    try:
        _sink(rest, 0, comparison(call, leaf.fields.get(COMPARATOR)))
    except _NotKnown:
        heap.append(last)
        return
    leaf.items = [top, *rest]


def comparator_of(value: Any) -> bool:
    """Whether an argument of a constructor is what the collection is sorted by."""
    if isinstance(value, Function | Bound | LibraryConstant):
        return True
    return isinstance(value, Object) and value.items is None and value.entries is None


def _has_order(value: Guarded) -> bool:
    """Whether an object compares itself with others, by which two may be one that are not equal."""
    return type(value) is Object and value.declared is not None and "<ordinal>" not in value.fields


def by_comparator(call: Call, leaf: Object, value: Guarded) -> Guarded:
    """The guard under which a set with a comparator holds a value; None where it has none, or nobody knows."""
    by_itself = kind_of(leaf) in _TREES and _has_order(value)
    if (COMPARATOR not in leaf.fields and not by_itself) or leaf.open is not None:
        return None
    compare = comparison(call, leaf.fields.get(COMPARATOR))
    there: Guarded = False
    try:
        for guard, item in leaf.items or ():
            if compare(item, value) == 0:
                there = either(there, guard)
    except _NotKnown:
        return None
    return there


def sort_by(call: Call, leaf: Object, comparator: Guarded = None) -> None:
    """A new collection is sorted by a comparator, without one by its elements; by that its keys are equal too."""
    compare = comparison(call, comparator)

    def own(leaf: Object, key: Guarded) -> Guarded:
        if comparator is None and not _has_order(key):
            return key
        try:
            return next((each.key for each in leaf.entries or () if compare(each.key, key) == 0), key)
        except _NotKnown:
            return Unknown(Why.DYNAMIC, phrase("entry-of-a-map"))

    if comparator is not None:
        leaf.fields[COMPARATOR] = comparator
    leaf.fields[OWN_KEY] = own


def own_key(leaf: Object, key: Guarded) -> Guarded:
    """The key that a map holds in the place of this one."""
    own = leaf.fields.get(OWN_KEY)
    return key if own is None else apply(lambda one: own(leaf, one), key)


def part(call: Call, leaf: Object) -> Callable[[Object], Sequence[int] | Unknown]:
    """What `headMap`, `tailMap`, `subSet` and their like show of a sorted collection: the places, whenever it is asked."""

    def places(base: Object) -> Sequence[int] | Unknown:
        found = within(call, base, _keys(base), call.args)
        return found if isinstance(found, Unknown) else range(found.start, found.stop)

    return places


def place(call: Call) -> Callable[[Object, Guarded], int | Unknown | None]:
    """Where a new key goes in a sorted collection of which `headMap`, `descendingSet` and their like show a part; None where
    they do not take it."""

    def found(base: Object, key: Guarded) -> int | Unknown | None:
        inside = within(call, base, [key], call.args)
        if isinstance(inside, Unknown):
            return inside
        return _first_not_below(call, base, key) if inside.start < inside.stop else None

    return found


def _first_not_below(call: Call, base: Object, key: Guarded) -> int | Unknown:
    keys = _keys(base)
    try:
        compare = _ascending(call, base, keys)
        return sum(compare(one, key) < 0 for one in keys)
    except _NotKnown:
        return call.unknown()


def _ascending(call: Call, leaf: Object, keys: Sequence[Guarded]) -> Callable[[Any, Any], int]:
    """What compares the keys of a sorted collection, or of a view of one; raises where they do not go upwards."""
    base = leaf
    while VIEW in base.fields:
        base = base.fields[VIEW].base
    compare = comparison(call, base.fields.get(COMPARATOR))
    if any(compare(one, other) >= 0 for one, other in pairwise(keys)):
        raise _NotKnown
    return compare


def beside(call: Call, leaf: Object, keys: list[Guarded], wanted: Guarded) -> int | Unknown | None:
    """The place that `floor`, `lower`, `ceiling` or `higher` give in a sorted collection; None where there is none."""
    try:
        compare = _ascending(call, leaf, keys)
        signs = [compare(key, wanted) for key in keys]
    except _NotKnown:
        return call.unknown()
    below = call.name.startswith(("floor", "lower"))
    same = call.name.startswith(("floor", "ceiling"))
    fits = [
        place for place, sign in enumerate(signs) if ((sign < 0) == below and sign) or (same and not sign)
    ]
    return None if not fits else fits[-1] if below else fits[0]


def within(call: Call, leaf: Object, keys: list[Guarded], args: Sequence[Guarded]) -> slice | Unknown:
    """The places of `headMap`, `tailMap`, `subMap` and their like for sets in a sorted collection."""
    kind = call.name[:3]
    bounds = [each for each in args if not isinstance(each, bool)]
    flags = [each for each in args if isinstance(each, bool)]
    low = bounds[0] if kind in ("tai", "sub") else UNSET
    high = bounds[-1] if kind in ("hea", "sub") else UNSET
    with_low = flags[0] if flags and low is not UNSET else True
    with_high = flags[-1] if flags and high is not UNSET else False
    try:
        compare = _ascending(call, leaf, keys)
        if low is not UNSET and high is not UNSET and compare(low, high) > 0:
            return call.unknown()  # it is refused
        start = 0 if low is UNSET else sum(compare(key, low) < (0 if with_low else 1) for key in keys)
        end = (
            len(keys) if high is UNSET else sum(compare(key, high) < (1 if with_high else 0) for key in keys)
        )
    except _NotKnown:
        return call.unknown()
    return slice(start, max(start, end))

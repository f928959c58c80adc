"""The order in which Java's collections are walked: sorted ones, heaps, and tables by the hashes of their keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.interpreter import Arguments
from subdrift.linter.resolve.execute.values import (
    Bound,
    Function,
    Guarded,
    LibraryConstant,
    Object,
    Text,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.jvm.texts import java_hash

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.calls import Call

COMPARATOR: Final = "<comparator>"
"""The field of a sorted collection that holds what it is sorted by."""
CAPACITY: Final = "<capacity>"
"""The field of a table that holds how many places it has."""

_SORTED: Final = frozenset(
    {"TreeMap", "TreeSet", "ConcurrentSkipListMap", "ConcurrentSkipListSet", "EnumMap", "EnumSet"}
)
_HASHED: Final = frozenset({"HashMap", "HashSet", "ConcurrentHashMap", "ConcurrentMap"})
_HEAPS: Final = frozenset({"PriorityQueue", "PriorityBlockingQueue"})
ARRANGED: Final = _SORTED | _HASHED | _HEAPS
_FIRST_CAPACITY: Final = 16

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
        if isinstance(comparator, Object) and comparator.type == "Comparator":
            return _by_keys(call, found, comparator)
        compare = comparison(call, comparator)
        places = _compared(compare, [value for _, value in found], reverse=False)
        return [found[place] for place in places]
    except _NotKnown:
        return None


def _by_keys(call: Call, found: Sequence[Pair], comparator: Object) -> list[Pair]:
    """Sorting is stable: the last key of a chain comes first."""
    result = list(found)
    for each in reversed(_chain(comparator)):
        by = each.fields.get("key")
        keys = [value if by is None else call.invoke(by, value) for _, value in result]
        reverse = bool(each.fields.get("reverse"))
        if all(map(_is_absent_or_known, keys)):
            known = [_with_null(key, last=bool(each.fields.get("nulls last"))) for key in keys]
            places = sorted(range(len(result)), key=known.__getitem__, reverse=reverse)
        else:
            places = _compared(comparison(call), keys, reverse=reverse)
        result = [result[place] for place in places]
    return result


def _compared(compare: Callable[[Any, Any], int], keys: list[Guarded], *, reverse: bool) -> list[int]:
    """The places of keys in the order of a function of two of them."""
    by = cmp_to_key(compare)
    return sorted(range(len(keys)), key=lambda place: by(keys[place]), reverse=reverse)


def _is_absent_or_known(key: Guarded) -> bool:
    return key is None or sort_key(key) is not None


def _with_null(key: Any, *, last: bool) -> Any:
    own = sort_key(key)
    if key is None:
        return (2 if last else -1, 0)
    return own


def _chain(comparator: Object) -> list[Object]:
    found: list[Object] = []
    current: Any = comparator
    while isinstance(current, Object):
        found.append(current)
        current = current.fields.get("then")
    return found


def comparison(call: Call, comparator: Guarded = None) -> Callable[[Any, Any], int]:
    """What a comparator says of two values. The function raises where nobody knows."""

    def compare(one: Any, other: Any) -> int:
        if isinstance(comparator, Object) and comparator.type == "Comparator":
            return _by_chain(call, _chain(comparator), one, other)
        if isinstance(comparator, LibraryConstant) and comparator.name == "CASE_INSENSITIVE_ORDER":
            one, other = _caseless(one), _caseless(other)
        elif comparator is not None:
            return _number(call.invoke(comparator, one, other))
        left, right = sort_key(one), sort_key(other)
        if left is not None and right is not None:
            return int(left > right) - int(left < right)
        declared = one.declared if isinstance(one, Object) else None
        if declared is None or not call.run.scope.methods(declared, "compareTo", 1):
            raise _NotKnown
        given = Arguments([other])
        return _number(call.java.call_method(call.run, one, "compareTo", given, call.frame, _at(call)))

    return compare


def _caseless(value: Any) -> Any:
    return text(value.known.upper().lower()) if isinstance(value, Text) and value.known is not None else value


def _at(call: Call) -> tuple[int, int, int, int]:
    span = call.place.span
    return (span.line, span.column, span.end_line, span.end_column)


def _by_chain(call: Call, chain: list[Object], one: Any, other: Any) -> int:
    for each in chain:
        by = each.fields.get("key")
        left, right = (one, other) if by is None else (call.invoke(by, one), call.invoke(by, other))
        found = comparison(call)(left, right)
        if found:
            return -found if each.fields.get("reverse") else found
    return 0


def _number(answer: Guarded) -> int:
    if isinstance(answer, bool) or not isinstance(answer, int):
        raise _NotKnown
    return answer


# -- after a change ---------------------------------------------------------------------------------------------------


def arranged(call: Call, leaf: Object) -> None:
    """Puts what a sorted collection, heap or table holds in the order in which it is walked, as far as that is known."""
    kind = leaf.type.rpartition(".")[2]
    if kind not in ARRANGED:
        return
    held: list[tuple[Guarded, Any]] = (
        [(entry.key, entry) for entry in leaf.entries]
        if leaf.entries is not None
        else [(pair[1], pair) for pair in leaf.items or ()]
    )
    if kind in _HASHED:
        found = _by_hash(leaf, held)
    elif kind in _HEAPS:
        found = _heaped(call, leaf, held)
    else:
        pairs = ordered(
            call, [(index, key) for index, (key, _) in enumerate(held)], leaf.fields.get(COMPARATOR)
        )
        found = None if pairs is None else [held[int(index)][1] for index, _ in pairs]
    if found is None:
        if kind not in _HASHED and len(held) > 1:  # which one is the first nobody knows
            reason = Unknown(Why.DYNAMIC, phrase("collection"))
            if leaf.items is not None:
                forget_contents(call.run, reason, [leaf])
            leaf.open = leaf.open or reason
        return
    if leaf.entries is not None:
        leaf.entries = found
    else:
        leaf.items = found


def _by_hash(leaf: Object, held: list[tuple[Guarded, Any]]) -> list[Any] | None:
    capacity = max(leaf.fields.get(CAPACITY, 0), _FIRST_CAPACITY)
    while len(held) > capacity * 3 // 4:
        capacity *= 2
    leaf.fields[CAPACITY] = capacity
    if len(held) < 2:
        return None
    places = []
    for key, _ in held:
        code = hash_code(key)
        if code is None:
            return None
        places.append((code ^ (code >> 16)) & (capacity - 1))
    order = sorted(range(len(held)), key=places.__getitem__)
    return [held[index][1] for index in order]


def hash_code(value: Any) -> int | None:
    """`hashCode()` without its sign, None for what has one that nobody knows."""
    if isinstance(value, Text) and value.known is not None:
        if value.char:
            return ord(value.known[0]) & 0xFFFF
        return java_hash(value.known) & 0xFFFFFFFF
    if isinstance(value, bool):
        return 1231 if value else 1237
    if isinstance(value, int):
        return value & 0xFFFFFFFF if -(2**31) <= value < 2**31 else (value ^ value >> 32) & 0xFFFFFFFF
    return 0 if value is None else None


def _heaped(call: Call, leaf: Object, held: list[tuple[Guarded, Any]]) -> list[Any] | None:
    """What was added last rises in the heap; what was taken from its top has left the last in its place."""
    compare = comparison(call, leaf.fields.get(COMPARATOR))
    heap = [pair for _, pair in held]
    try:
        if call.name in ("add", "offer", "put"):
            _rise(heap, len(heap) - 1, compare)
        else:
            for place in range(len(heap) // 2 - 1, -1, -1):
                _sink(heap, place, compare)
    except _NotKnown:
        return None
    return heap


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
    if (
        heap is None
        or len(heap) < 2
        or leaf.type.rpartition(".")[2] not in _HEAPS
        or call.run.guard is not True
    ):
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
    return isinstance(value, Object) and (
        value.type == "Comparator" or (value.items is None and value.entries is None)
    )


def beside(call: Call, leaf: Object, keys: list[Guarded], wanted: Guarded) -> int | Unknown | None:
    """The place that `floor`, `lower`, `ceiling` or `higher` give in a sorted collection; None where there is none."""
    compare = comparison(call, leaf.fields.get(COMPARATOR))
    try:
        signs = [compare(key, wanted) for key in keys]
    except _NotKnown:
        return Unknown(Why.DYNAMIC, f"{call.name}()")
    below = call.name.startswith(("floor", "lower"))
    same = call.name.startswith(("floor", "ceiling"))
    fits = [
        place for place, sign in enumerate(signs) if ((sign < 0) == below and sign) or (same and not sign)
    ]
    return None if not fits else fits[-1] if below else fits[0]


def within(call: Call, leaf: Object, keys: list[Guarded], args: Sequence[Guarded]) -> slice | Unknown:
    """The places of `headMap`, `tailMap`, `subMap` and their like for sets in a sorted collection."""
    compare = comparison(call, leaf.fields.get(COMPARATOR))
    kind = call.name[:3]
    bounds = [each for each in args if not isinstance(each, bool)]
    flags = [each for each in args if isinstance(each, bool)]
    low = bounds[0] if kind in ("tai", "sub") else UNSET
    high = bounds[-1] if kind in ("hea", "sub") else UNSET
    with_low = flags[0] if flags and low is not UNSET else True
    with_high = flags[-1] if flags and high is not UNSET else False
    try:
        start = 0 if low is UNSET else sum(compare(key, low) < (0 if with_low else 1) for key in keys)
        end = (
            len(keys) if high is UNSET else sum(compare(key, high) < (1 if with_high else 0) for key in keys)
        )
    except _NotKnown:
        return Unknown(Why.DYNAMIC, f"{call.name}()")
    return slice(start, max(start, end))

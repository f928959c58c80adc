"""What is equal to what in Python, and what that makes of sets and keys."""

from __future__ import annotations

import sys
from typing import Any, Final

from msgspec import Struct

from subdrift.linter.clients.python import is_client_module
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.drawing import LAZY, pull_all
from subdrift.linter.resolve.execute.guards import UNSET, Diagram, either, pick, under
from subdrift.linter.resolve.execute.handed import beyond
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    Bound,
    Entry,
    Function,
    Gap,
    Guarded,
    Key,
    LibraryConstant,
    Object,
    Text,
    TypeValue,
    Unknown,
)


def plain(value: Any) -> Any:
    """What a member of an enumeration with a mixed-in type is to operators, and a name of a module that nobody sees."""
    if type(value) is TypeValue:
        return unseen_name(value) or value
    return value.fields["<plain>"] if isinstance(value, Object) and "<plain>" in value.fields else value


def unseen_name(value: TypeValue) -> Unknown | None:
    """What nobody knows where a name of a module that nobody sees may hold anything; None for a class, which is written
    `Like` no other, and for what is Python's own."""
    owner, _, simple = value.name.rpartition(".")
    is_class = simple[:1].isupper() and not simple.isupper()
    if value.declared is not None or not owner or is_class:
        return None
    if owner.partition(".")[0] in _KNOWN or is_client_module(owner):
        return None
    return Unknown(Why.UNDEFINED, simple, ("library", value.name))


_KNOWN: Final = frozenset({"builtins", "_native", *sys.stdlib_module_names})
"""Modules of which names that nobody models are taken for functions and classes."""


def distinct(items: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """The items of a set: equal ones once, under either guard."""
    found: list[tuple[Any, Any]] = []
    places: dict[object, int] = {}
    others: list[int] = []  # places of those that only `equal` can compare
    for guard, item in items:
        own = _own_value(item)
        if own is None:
            index = next((at for at, (_, each) in enumerate(found) if equal(item, each) is True), -1)
        elif own in places:
            index = places[own]
        else:
            index = next((at for at in others if equal(item, found[at][1]) is True), -1)
        if index >= 0:
            known, each = found[index]
            found[index] = (either(known, guard), each)
            continue
        if own is None:
            others.append(len(found))
        else:
            places[own] = len(found)
        found.append((guard, item))
    return found


_DEPTH_MAX = 3
"""How deep tuples may stand in one another where they are told from others: each part of one may be the same tuple."""


def is_told(item: Any, depth: int = _DEPTH_MAX) -> bool:
    """Whether it is known which of others a value equals: how many different ones there are hangs on that."""
    if item is None or isinstance(item, Function | Bound | TypeValue | LibraryConstant):
        return True
    if isinstance(item, Object):
        return item.open is None
    if isinstance(item, tuple):
        return depth > 0 and all(is_told(part, depth - 1) for part in item)
    return _own_value(item) is not None


OF = "<mapping>"
"""The field of a view that holds the map it shows."""


def live(leaf: Any) -> Any:
    """A collection; a view as its map is now, an iterator with all that is still to come."""
    if isinstance(leaf, Object) and LAZY in leaf.fields:
        pull_all(leaf)
    if isinstance(leaf, Object) and OF in leaf.fields:
        shown = leaf.fields[OF]
        assert isinstance(shown, Object)
        entries = [entry for entry in shown.entries or () if entry.guard is not False]
        if leaf.type == "items":
            leaf.items = [(entry.guard, (entry.key, entry.value)) for entry in entries]
        else:
            leaf.items = [(e.guard, e.key if leaf.type == "keys" else e.value) for e in entries]
        leaf.open = shown.open
    return leaf


_PARTS_MAX = 16
"""Parts of a tuple that is told from others by what it holds."""


def _own_value(item: Any, depth: int = _DEPTH_MAX) -> object:
    """What two items that are known have in common where they are equal, and only there; None for others."""
    if isinstance(item, Text):
        return None if item.known is None else ("text", item.known)
    if isinstance(item, tuple) and len(item) <= _PARTS_MAX and depth:
        parts = tuple(_own_value(part, depth - 1) for part in item)
        return None if None in parts else ("tuple", parts)
    return ("number", item) if isinstance(item, int | float) else None


_KEYS = "<keys>"
"""The field of a map that holds its `_Keys`."""


class _Keys(Struct, eq=False):
    """The entries of a map by their keys, as long as it has so many: those told by their value, and the others."""

    entries: list[Entry]
    count: int
    known: dict[object, list[Entry]]
    others: list[Entry]
    last: Entry | None = None

    def holds(self, entries: list[Entry]) -> bool:
        """Whether nothing but more entries has come to the map."""
        count = self.count
        return (
            self.entries is entries
            and count <= len(entries)
            and (not count or entries[count - 1] is self.last)
        )


def keyed(holder: Object, key: Any) -> list[Entry]:
    """The entries of a map whose key may equal one: with a key that is known, those under it and under unknown ones."""
    entries = holder.entries or []
    own = None if isinstance(key, Diagram) else _own_value(key)
    if own is None:
        return entries
    index = holder.fields.get(_KEYS)
    if not isinstance(index, _Keys) or not index.holds(entries):
        index = holder.fields[_KEYS] = _Keys(entries, 0, {}, [])
    for entry in entries[index.count :]:
        value = None if isinstance(entry.key, Diagram) else _own_value(entry.key)
        (index.others if value is None else index.known.setdefault(value, [])).append(entry)
    index.count = len(entries)
    index.last = entries[-1] if entries else None
    found = index.known.get(own, [])
    return [*found, *index.others] if index.others else found


def put(made: Object, key: Guarded, value: Guarded, guard: Guarded, at: Location | None = None) -> None:
    """`made[key] = value` where the guard holds; `at` is the place of the key."""
    assert made.entries is not None
    guard = under(guard, made.born)
    for entry in keyed(made, key):
        if (
            not isinstance(key, Diagram)
            and not isinstance(entry.key, Diagram)
            and equal(entry.key, key) is True
        ):
            entry.value = pick(guard, value, entry.value if entry.guard is not False else UNSET)
            entry.guard = either(entry.guard, guard)
            entry.at = at if guard is True else entry.at
            return
    made.entries.append(Entry(guard, key, value, at))


def may_replace(made: Object, guard: Guarded, reason: Unknown) -> None:
    """A map takes in another of which nobody knows all: what it holds may be something else now, and there may be more."""
    if made.entries:
        made.entries.append(Entry(under(guard, made.born), Unknown(reason.why, reason.detail), reason))
    made.open = made.open or reason


def identical(left: Any, right: Any) -> bool | Test:
    """`is`."""
    if left is None or right is None:
        return absent(right if left is None else left)
    if isinstance(left, bool) or isinstance(right, bool):
        for known, other in ((left, right), (right, left)):
            if isinstance(known, bool) and isinstance(other, Test):
                return other if known else other.negate()
            if isinstance(known, bool) and isinstance(other, Unknown):
                return equal(left, right)
        return type(left) is type(right) and left == right
    if isinstance(left, Object) and isinstance(right, Object):
        return left is right
    return equal(left, right)


def absent(value: Any) -> bool | Test:
    """Whether a value is None."""
    if value is None:
        return True
    if isinstance(value, Unknown):
        if isinstance(value.symbol, tuple) and value.symbol[:1] in (("parameter",), ("injected",)):
            return False  # what a caller hands over is there
        return Test("present", (value,), True)
    if isinstance(value, Text) and len(value.parts) == 1:
        part = value.parts[0]
        if isinstance(part, Key) and part.default is None and part.variable == "env":
            return Test("present", (value,), True)
    return False


COMPARED_MAX = 20_000
"""Collections inside two that are compared, those that stand there twice counted twice."""

_compared = [COMPARED_MAX]  # what is left of it

OWN_EQUALITY = "<equal>"
"""The field of an object of the program that holds what its class says `==` is, a function of it and the other value."""


def equal(left: Any, right: Any, depth: int = 0) -> bool | Test:
    """`==`."""
    if left is right and not isinstance(left, Unknown):
        return True
    left, right = plain(left), plain(right)
    if isinstance(left, Test) or isinstance(right, Test):
        for known, other in ((left, right), (right, left)):
            if isinstance(known, bool) and isinstance(other, Test):
                return other if known else other.negate()
        return Test("true", (Unknown(Why.DYNAMIC, phrase("comparison")),))
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        one, other = symbol_of(left), symbol_of(right)
        if one is not None and one == other:
            return True
        return Test("equal", _ordered(left, right))
    if isinstance(left, Text) and isinstance(right, Text):
        a, b = left.known, right.known
        if a is not None and b is not None:
            return a == b
        return True if _settled(left) and left.parts == right.parts else Test("equal", _ordered(left, right))
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right
    if not depth:
        _compared[0] = COMPARED_MAX
    _compared[0] -= 1
    if depth > 10 or _compared[0] < 0:
        return Test("true", (Unknown(Why.TOO_MANY, phrase("deep-comparison")),))
    if isinstance(left, tuple) and isinstance(right, tuple):
        return _all_equal(list(left), list(right), depth)
    for one, another in ((left, right), (right, left)):
        if isinstance(one, tuple) and isinstance(another, Object) and another.type == "tuple":
            return Test(
                "true", (Unknown(Why.DYNAMIC, phrase("comparison")),)
            )  # of a length that nobody knows
        if isinstance(one, tuple) and isinstance(another, Object) and "<compare>" in another.fields:
            if another.items is None:  # a dataclass is no tuple
                continue
            return _all_equal(list(one), [item for _, item in another.items], depth)
    if isinstance(left, TypeValue) and isinstance(right, TypeValue):
        return left == right
    if isinstance(left, LibraryConstant) and isinstance(right, LibraryConstant):
        return left == right
    for one, another in ((left, right), (right, left)):
        if isinstance(one, Object) and OWN_EQUALITY in one.fields:
            found: bool | Test = one.fields[OWN_EQUALITY](one, another)
            return found
    if isinstance(left, Object) and isinstance(right, Object):
        return _equal_objects(left, right, depth)
    return False


def _settled(value: Text) -> bool:
    """Whether equal parts make equal texts: a gap without symbol may be anything each time."""
    return all(not isinstance(part, Gap) or part.symbol is not None for part in value.parts)


def _equal_objects(left: Object, right: Object, depth: int) -> bool | Test:
    if left.constant or right.constant:
        return False
    if "<compare>" in left.fields and left.declared is right.declared:  # of a dataclass or named tuple
        names = left.fields.get("<compared>", left.fields["<compare>"])
        if names is None:  # a dataclass with `eq=False`
            return False
        return _all_equal([left.fields.get(n) for n in names], [right.fields.get(n) for n in names], depth)
    if "<compare>" in left.fields and "<compare>" in right.fields and left.items and right.items:
        mine, theirs = [item for _, item in left.items], [item for _, item in right.items]
        return _all_equal(mine, theirs, depth)  # of two named tuples
    if left.declared is not None or right.declared is not None:
        return False
    if left.type == "bytes" and right.type == "bytes":
        return equal(left.fields["<text>"], right.fields["<text>"])
    if left.type == right.type == "types.SimpleNamespace" and left.open is None and right.open is None:
        if left.fields.keys() != right.fields.keys():
            return False
        return _all_equal(list(left.fields.values()), [right.fields[name] for name in left.fields], depth)
    more = beyond(left) or beyond(right)
    if more is not None:
        return Test("true", (more,))
    unsure = Test("true", (Unknown(Why.DYNAMIC, phrase("comparison")),))
    if left.items is not None and right.items is not None:
        if any(guard is not True for guard, _ in (*left.items, *right.items)):
            return unsure
        mine, theirs = [item for _, item in left.items], [item for _, item in right.items]
        if (left.type in _SETS) != (right.type in _SETS):
            return False
        if left.type in _SETS:
            return _equal_sets(mine, theirs, depth)
        if left.type != right.type and not {left.type, right.type}.isdisjoint(_ROWS):
            return False
        if left.type in _ALONE:
            return False
        return _all_equal(mine, theirs, depth)
    if left.entries is not None and right.entries is not None:
        if any(entry.guard is not True for entry in (*left.entries, *right.entries)):
            return unsure
        if any(_own_value(entry.key) is None for entry in (*left.entries, *right.entries)):
            return unsure
        counts = left.type == right.type == "Counter"  # what is not there counts as nothing
        of_left, of_right = (
            [entry for entry in each.entries or () if not (counts and entry.value == 0)]
            for each in (left, right)
        )
        if len(of_left) != len(of_right):
            return False
        if left.type == right.type == "OrderedDict":
            same = _all_equal([each.key for each in of_left], [each.key for each in of_right], depth)
            if same is not True:
                return same
        pairs = [(entry.value, other.value) for entry in of_left for other in keyed(right, entry.key)]
        return len(pairs) == len(of_left) and _all_equal([a for a, _ in pairs], [b for _, b in pairs], depth)
    return False


_SETS: Final = frozenset({"set", "frozenset", "keys", "items"})
_ROWS: Final = frozenset({"list", "range", "deque"})
"""Kinds of collections that equal others of their kind alone."""
_ALONE: Final = frozenset({"values", "generator"})
"""Those that equal nothing but themselves."""


def _equal_sets(left: list[Any], right: list[Any], depth: int) -> bool | Test:
    mine, theirs = set(map(_own_value, left)), set(map(_own_value, right))
    if None not in mine and None not in theirs:
        return mine == theirs
    found = [[equal(a, b, depth + 1) for b in right] for a in left]
    if any(isinstance(each, Test) for row in found for each in row):
        return Test("true", (Unknown(Why.DYNAMIC, phrase("comparison")),))
    return len(left) == len(right) and all(True in row for row in found)


def _all_equal(left: list[Any], right: list[Any], depth: int) -> bool | Test:
    if len(left) != len(right):
        return False
    open_: Test | None = None
    for one, other in zip(left, right, strict=True):
        if isinstance(one, Diagram) or isinstance(other, Diagram):
            open_ = Test("true", (Unknown(Why.DYNAMIC, phrase("comparison")),))
            continue
        found = equal(one, other, depth + 1)
        if found is False:
            return False
        if isinstance(found, Test):
            open_ = found
    return True if open_ is None else open_


def _ordered(left: Any, right: Any) -> tuple[Any, Any]:
    """Operands of a symmetrical test in one order, so that `a == b` and `b == a` are one choice."""
    known = (
        left is None
        or isinstance(left, bool | int | float)
        or (isinstance(left, Text) and left.known is not None)
    )
    return (right, left) if known else (left, right)

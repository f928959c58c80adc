"""The elements of collections, each under the guard that it is there under, and the few ways in which they change.

Peers on lists, sets, queues and maps read and change what these hold through the functions here alone, so that a view
shows its base, a collection that cannot change raises, and an iterator finds out that its collection was changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.calls import one_of
from subdrift.linter.resolve.execute.deferred import known_texts
from subdrift.linter.resolve.execute.guards import (
    CROWDED,
    UNSET,
    apply,
    both,
    crowded,
    either,
    instead,
    leaves,
    negate,
    pick,
    under,
)
from subdrift.linter.resolve.execute.havoc import forget_contents, reached_from, some_of
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import Frame, Guarded, Long, Object, Text, Unknown
from subdrift.linter.resolve.semantics.jvm.equality import equal
from subdrift.linter.resolve.semantics.jvm.operators import plain, raise_in
from subdrift.linter.resolve.semantics.jvm.views import (
    ALL,
    CHANGES,
    FIXED,
    HELD,
    UNORDERED,
    VIEW,
    Pair,
    View,
    changes,
    held,
    mapped,
    one_more,
    refresh,
    shape_of,
)

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.calls import Call

# -- questions --------------------------------------------------------------------------------------------------------


def is_settled(run: Interpreter, leaf: Object) -> bool:
    """Whether all that a collection holds is seen, and all of it there on the path that is being run."""
    if leaf.open is not None:
        return False
    if leaf.items is not None:
        return all(guard is True or under(guard, run.guard) is True for guard, _ in leaf.items)
    return all(entry.guard is True or under(entry.guard, run.guard) is True for entry in leaf.entries or ())


def changed(run: Interpreter, leaf: Object) -> None:
    """A collection got or lost an element, or does as if: who walks over it finds out."""
    before = leaf.fields.get(CHANGES)
    if before is not None:
        leaf.fields[CHANGES] = pick(run.guard, apply(one_more, before), before)


def size(leaf: Object) -> Guarded:
    """The number of elements, under guards where some are."""
    refresh(leaf)
    if leaf.open is not None:
        symbol = symbol_of(leaf.open)
        return Unknown(leaf.open.why, leaf.open.detail, None if symbol is None else ("size", symbol))
    if leaf.items is not None:
        guards = [guard for guard, _ in leaf.items]
        keys = [value for _, value in leaf.items] if shape_of(leaf) == "set" else []
    elif leaf.entries is not None:
        guards = [entry.guard for entry in leaf.entries]
        keys = [entry.key for entry in leaf.entries]
    else:
        return Unknown(Why.DYNAMIC, phrase("size"))
    if len(keys) > 1 and not (all(map(_is_whole, keys)) and _apart(keys)):
        # one may be another, and then there are fewer
        return Unknown(Why.DYNAMIC, phrase("size"))
    found: Guarded = 0
    for guard in guards:
        found = (
            found + 1
            if guard is True and isinstance(found, int)
            else pick(guard, apply(one_more, found), found)
        )
        if crowded(found):
            return CROWDED
    return found


def _is_whole(value: Guarded, depth: int = 3) -> bool:
    """Whether a value is fully known, and where it equals others by what it holds, that too."""
    if not plain(value):
        return False
    if type(value) is not Object or value.constant or not depth:
        return True
    decl = value.declared.decl if value.declared is not None else None
    if decl is not None and (decl.data or decl.kind == "record"):
        parts = [value.fields.get(each.name) for each in decl.components or ()]
    elif value.type == "Pair":
        parts = [value.fields.get(each) for each in ("key", "value", "third")]
    else:
        parts = [part for _, part in value.items or ()]
    return all(_is_whole(part, depth - 1) for part in parts)


def _apart(keys: Sequence[Guarded]) -> bool:
    """Whether no two of some known elements may be equal: a number may be a `long` that is not known to be one."""
    longs = {key for key in keys if type(key) is Long}
    return not any(type(key) is int and key in longs for key in keys)


def at(run: Interpreter, leaf: Object, index: Guarded) -> Guarded:
    """The element at an index."""
    assert leaf.items is not None

    def one(number: Any) -> Box:
        if not isinstance(number, int) or isinstance(number, bool):
            symbol = symbol_of(number)
            mark = None if symbol is None else ("at", leaf.number, symbol, ("once", run.unique()))
            return Box(one_of(run, reached_from(run, [leaf]), Unknown(Why.DYNAMIC, phrase("element"), mark)))
        return Box(_nth(leaf, number, None if leaf.open is None else some_of(run, leaf.open)))

    return opened(apply(one, index), run.guard)


def _nth(leaf: Object, number: int, unseen: Unknown | None = None) -> Guarded:
    """`unseen`: one of the elements that nobody sees."""
    assert leaf.items is not None
    if UNORDERED in leaf.fields and (len(leaf.items) > 1 or unseen is not None):
        return unseen or Unknown(Why.DYNAMIC, phrase("element"))
    if all(guard is True for guard, _ in leaf.items):
        if 0 <= number < len(leaf.items):
            return leaf.items[number][1]
        if unseen is not None:
            return unseen
        return Unknown(Why.DYNAMIC, phrase("element-out-of-bounds"), ("bounds", leaf.number, number))
    # guarded elements move up where earlier ones are not there
    found: Guarded = unseen or Unknown(Why.DYNAMIC, phrase("element-out-of-bounds"))
    count: Guarded = 0
    for guard, value in leaf.items:
        here = both(guard, apply(lambda n: n == number, count))
        found = pick(here, value, found)
        count = pick(guard, apply(one_more, count), count)
        if crowded(count):  # what comes after can no longer be told apart
            return apply(lambda n, element: element if n > number else CROWDED, count, found)
    return found


def may_equal(value: Guarded, other: Guarded, equality: Callable[[Any, Any], Any] = equal) -> bool:
    """Whether two values may be equal, and need not be."""
    return any(isinstance(one, Test) for _, one in leaves(apply(equality, value, other)))


def contains(
    found: Sequence[Pair], value: Guarded, open_: Unknown | None, run: Interpreter | None = None
) -> Guarded:
    """The guard under which one of some elements equals a value; a test where nobody knows. `run`: what environments know of
    the texts among them is asked for where that decides."""
    there: Guarded = False
    unsure: Test | None = None
    for guard, item in found:
        match = apply(equal, item, value)
        for inner, one in leaves(match):
            if isinstance(one, Test):
                unsure = one
            elif one:
                there = either(there, both(guard, inner))
    if there is True:
        return True
    if unsure is not None and open_ is None and run is not None:
        told = [
            (inner, one)
            for guard, item in found
            for inner, one in leaves(known_texts(run, item, None), guard)
        ]
        return contains(told, known_texts(run, value, None), None)
    if unsure is not None or open_ is not None:
        symbols = tuple(symbol_of(leaf) for _, leaf in leaves(value))
        symbol = None if None in symbols else ("contains", symbols, len(found))
        return Test("true", (Unknown(Why.DYNAMIC, "contains()", symbol),))
    return there


class Box:
    """Keeps a guarded value a leaf of another diagram for a moment."""

    __slots__ = ("value",)

    def __init__(self, value: Guarded) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and (self.value is other.value or bool(self.value == other.value))

    def __hash__(self) -> int:
        return id(self)


def opened(value: Guarded, guard: Guarded) -> Guarded:
    """The guarded value inside boxed leaves."""
    found: Guarded = UNSET
    for path, box in leaves(value, guard):
        found = pick(path, box.value if isinstance(box, Box) else box, found)
    return None if found is UNSET else under(found, guard)


# -- changes ----------------------------------------------------------------------------------------------------------


def fail(call: Call, error: str, guard: Guarded = True) -> Guarded:
    """A call raises where a guard holds. Where code runs for which other code prepares the ground, it does not: what it
    gives then is unknown."""
    run = call.run
    before = run.guard
    run.guard = both(before, guard)
    if run.guard is not False and not run.stand_in:
        run.throw(call.made(error))
        run.guard = both(before, negate(guard))
    else:
        run.guard = before
    return UNSET if run.guard is False else Unknown(Why.DYNAMIC, phrase("element-out-of-bounds"))


def insert(call: Call, leaf: Object, index: int, value: Guarded) -> None:
    """Puts an element at a place of a list, on the path that is being run."""
    part = mapped(leaf)
    if FIXED in leaf.fields or (part is not None and part[0].item is not None):
        fail(call, "UnsupportedOperationException")
        return
    if part is not None and part[0].start is None:
        _insert_in_part(call, leaf, part[0], value)
        return
    if part is not None:
        shown = part[0]
        assert shown.start is not None
        insert(call, shown.base, shown.start + index, value)
        shown.end += 1
        shown.changes = changes(shown.base)
        seen(leaf)
        return
    assert leaf.items is not None
    leaf.items.insert(index, (call.run.here(leaf), value))
    changed(call.run, leaf)


def _insert_in_part(call: Call, leaf: Object, shown: View, value: Guarded) -> None:
    """Adds an element by a view that shows others or another order than its base."""
    if shown.places is None:
        fail(call, "UnsupportedOperationException")
        return
    place = None if shown.place is None else shown.place(shown.base, value)
    if shown.place is not None and place is None:
        fail(call, "IllegalArgumentException")
    elif isinstance(place, int):
        insert(call, shown.base, place, value)
        seen(leaf)
    else:
        forget(call.run, leaf, call.unknown())


def through(
    run: Interpreter, leaf: Object, key: Guarded, change: Callable[[Object], Guarded], *, adds: bool = False
) -> Guarded:
    """A change of a map by a view of it, at a key. A part of a sorted map takes some keys only."""
    shown: View = leaf.fields[VIEW]
    place = 0 if shown.places is None else None if shown.place is None else shown.place(shown.base, key)
    if isinstance(place, Unknown) or (place is None and shown.place is None):
        forget(run, leaf, Unknown(Why.DYNAMIC, phrase("map")))
        return Unknown(Why.DYNAMIC, phrase("entry-of-a-map"))
    if place is None:
        if adds:
            raise_in(run, "IllegalArgumentException")
        return None
    found = change(shown.base)
    seen(leaf)
    return found


def seen(leaf: Object) -> None:
    """What a change made of a view's base is what it shows."""
    shown: View = leaf.fields[VIEW]
    shown.shown = list(held(leaf))
    refresh(leaf)


def drop(call: Call, leaf: Object, goes: Sequence[Guarded]) -> None:
    """Takes elements or entries away, each where its guard of these holds on the path that is being run."""
    if all(each is False for each in goes):
        return
    if FIXED in leaf.fields:
        fail(call, "UnsupportedOperationException", any_of(goes))
        return
    part = mapped(leaf)
    if part is not None:
        shown, places = part
        every: list[Guarded] = [False] * len(held(shown.base))
        for place, one in zip(places, goes, strict=False):
            every[place] = one
        before = len(every)
        drop(call, shown.base, every)
        shown.end -= before - len(held(shown.base))
        shown.changes = changes(shown.base)
        seen(leaf)
        return
    run = call.run
    path = run.here(leaf)
    if leaf.items is not None:
        left = [
            (_less(guard, one, path), value) for (guard, value), one in zip(leaf.items, goes, strict=True)
        ]
        leaf.items = [pair for pair in left if pair[0] is not False]
    else:
        for entry, one in zip(leaf.entries or (), goes, strict=True):
            entry.guard = _less(entry.guard, one, path)
        leaf.entries = [entry for entry in leaf.entries or () if entry.guard is not False]
    changed(run, leaf)


def _less(guard: Guarded, one: Guarded, path: Guarded) -> Guarded:
    return guard if one is False else both(guard, negate(both(one, path)))


def any_of(guards: Iterable[Guarded]) -> Guarded:
    """The guard under which one of some holds."""
    found: Guarded = False
    for one in guards:
        found = either(found, one)
    return found


def replace(call: Call, leaf: Object, index: int, value: Guarded) -> None:
    """Another element at a place, on the path that is being run."""
    if leaf.fields.get(FIXED) in (HELD, ALL):
        fail(call, "UnsupportedOperationException")
        return
    part = mapped(leaf)
    if part is not None:
        shown, places = part
        replace(call, shown.base, places[index], value)
        seen(leaf)
        return
    assert leaf.items is not None
    guard, old = leaf.items[index]
    leaf.items[index] = (guard, pick(call.run.here(leaf), value, old))


def arrange(run: Interpreter, leaf: Object, found: Sequence[Pair]) -> None:
    """The same number of elements, in another order or others in their places, on the path that is being run."""
    part = mapped(leaf)
    assert leaf.items is not None
    if part is None:
        leaf.items = instead(run.here(leaf), list(found), leaf.items)
        return
    shown, places = part
    every = list(held(shown.base))
    for place, pair in zip(places, found, strict=True):
        every[place] = pair
    arrange(run, shown.base, every)
    seen(leaf)


def set_at(run: Interpreter, leaf: Object, index: Guarded, value: Guarded) -> None:
    """Another element at an index that may not be known: of an array."""
    assert leaf.items is not None
    for guard, number in leaves(index, run.guard):
        if isinstance(number, int) and 0 <= number < len(leaf.items):
            old_guard, old = leaf.items[number]
            leaf.items[number] = (old_guard, pick(under(guard, leaf.born), value, old))
        elif not isinstance(number, int):
            unsettle(run, leaf, phrase("element"), index)


def overwrite(frame: Frame, bytes_: Text) -> None:
    """Bytes are the text they stand for: where they are changed in place, variables that hold them are not known."""
    for name, value in frame.variables.items():
        if value is bytes_:
            frame.variables[name] = Unknown(Why.DYNAMIC, phrase("array"))


def unsettle(run: Interpreter, leaf: Object, what: str, *sources: Guarded) -> None:
    """Something was written, moved or taken away, and nobody knows where (`sources` would tell): the texts and numbers a
    collection holds may be others, the objects are still among what it holds."""
    part = mapped(leaf)
    if part is not None:
        unsettle(run, part[0].base, what, *sources)
        seen(leaf)
        return
    unknown = run.due(Unknown(Why.DYNAMIC, what), *sources)
    assert isinstance(unknown, Unknown)
    leaf.open = leaf.open or unknown
    leaf.fields[UNORDERED] = True

    def one(value: Any) -> Any:
        return unknown if value is None or isinstance(value, Text | int | float | Unknown) else value

    if leaf.items is not None:
        leaf.items = [(guard, apply(one, value)) for guard, value in leaf.items]
    for entry in leaf.entries or ():
        entry.value = apply(one, entry.value)


def forget(run: Interpreter, leaf: Object, reason: Unknown) -> None:
    """Nobody knows what a collection, and what it shows, holds."""
    forget_contents(run, reason, [leaf])
    refresh(leaf)

"""Collections as others see them: what they are compared as, and what a view of another one shows of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import Struct

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import apply, either
from subdrift.linter.resolve.execute.values import Entry, Guarded, Object, Unknown

Pair = tuple[Guarded, Guarded]

KIND: Final = "<kind>"
"""The field of an object of a declared class that extends a collection of the library: the simple name of that."""
PRIMITIVE: Final = "<primitive>"
"""The field of an array that holds the primitive type of its elements, where that is known."""
FIXED: Final = "<fixed>"
"""The field of a collection that cannot be changed, or not in every way: `SIZE`, `HELD` or `ALL`."""
SIZE: Final = "size"
"""An element may be replaced, as those of `Arrays.asList`."""
HELD: Final = "held"
"""What would change nothing does not raise, as with `Collections.emptyList`."""
ALL: Final = "all"
"""Every method that is there for a change raises."""
UNORDERED: Final = "<unordered>"
"""The field of a collection that is walked in an order nobody knows."""
BY_USE: Final = "<by use>"
"""The field of a map whose entries stand in the order of their last use."""
VIEW: Final = "<view>"
_BASE: Final = "<base>"
CHANGES: Final = "<changes>"

_QUEUES: Final = frozenset(
    {"ArrayDeque", "PriorityQueue", "ConcurrentLinkedQueue", "LinkedBlockingQueue", "BlockingQueue", "Queue", "Deque",
     "ConcurrentLinkedDeque", "ArrayBlockingQueue", "PriorityBlockingQueue", "LinkedBlockingDeque"}
)  # fmt: skip


def kind_of(leaf: Object) -> str:
    """The simple name of the library's type whose behaviour a collection has."""
    kind = leaf.fields.get(KIND)
    return kind if type(kind) is str else leaf.type.rpartition(".")[2]


def shape_of(leaf: Object) -> str:
    """What a collection is compared as: `list`, `set`, `map`, `array`, or `other`, which equals itself only."""
    kind = kind_of(leaf)
    if leaf.entries is not None:
        return "map"
    if kind in ("[]", "Stream"):
        return "array"
    return "set" if "Set" in kind else "other" if kind in _QUEUES or kind == "Collection" else "list"


def held(leaf: Object) -> Sequence[Any]:
    """The elements or entries of a collection."""
    return (leaf.items if leaf.items is not None else leaf.entries) or ()


def copied(leaf: Object) -> tuple[list[Any] | None, list[Entry] | None, Unknown | None]:
    """Elements, entries and the rest of a collection for another one that is changed by itself."""
    entries = None if leaf.entries is None else [Entry(e.guard, e.key, e.value, e.at) for e in leaf.entries]
    return None if leaf.items is None else list(leaf.items), entries, leaf.open


def pairs(leaf: Object) -> list[tuple[Guarded, ...]]:
    """(guard, element) or (guard, key, value) of all that a collection holds."""
    if leaf.items is not None:
        return list(leaf.items)
    return [(entry.guard, entry.key, entry.value) for entry in leaf.entries or ()]


# -- entries --------------------------------------------------------------------------------------------------------

ENTRY: Final = "<entry>"
"""The field of an entry's object that holds the entry it shows, and writes to."""

_ENTRIES: Final = frozenset({"Entry", "SimpleEntry", "SimpleImmutableEntry"})


def is_entry(leaf: Object) -> bool:
    """Whether an object is an entry of a map."""
    return "key" in leaf.fields and leaf.type.rpartition(".")[2] in _ENTRIES


def entry_part(leaf: Object, name: str) -> Guarded:
    """The `key` or `value` that an entry's object shows."""
    entry: Any = leaf.fields.get(ENTRY)
    if isinstance(entry, Entry):
        return entry.key if name == "key" else entry.value
    return leaf.fields.get(name)


# -- views ----------------------------------------------------------------------------------------------------------


class View(Struct, eq=False):
    """What a view shows of `base`: the elements or entries at `places` (None: all of them), each entry as `item` gives
    it (None: as itself). One that shows `start` to `end` of a list takes new elements, at that place; one of what is sorted,
    where `place` says: a place of the base, None for what it does not take."""

    base: Object
    places: Callable[[Object], Sequence[int] | Unknown] | None = None
    item: Callable[[Entry], Guarded] | None = None
    place: Callable[[Object, Guarded], int | Unknown | None] | None = None
    start: int | None = None
    end: int = 0
    changes: Guarded = 0
    shown: Sequence[Any] = ()
    parts: Sequence[Any] = ()


def view(made: Object, shown: View) -> Object:
    """Makes a new collection the view of another one."""
    made.fields[VIEW], made.fields[_BASE] = shown, shown.base
    shown.changes = changes(shown.base)
    if UNORDERED in shown.base.fields:
        made.fields[UNORDERED] = True
    refresh(made)
    return made


def shows(made: Object, value: Guarded) -> None:
    """A collection of a declared class that leaves what it is to another one shows what that holds."""
    if VIEW in made.fields or (made.items is None and made.entries is None):
        return
    if type(value) is Object and (value.items is None, value.entries is None) == (
        made.items is None,
        made.entries is None,
    ):
        view(made, View(value))
    else:
        made.open = Unknown(Why.DYNAMIC, phrase("collection"))


def refresh(leaf: object) -> None:
    """Gives a view what its base holds now. One that was written past the functions here leaves its base unknown."""
    if type(leaf) is not Object or VIEW not in leaf.fields:
        return
    shown: View = leaf.fields[VIEW]
    base = shown.base
    refresh(base)
    if (leaf.open is None or base.open is None) and not same(held(leaf), shown.shown):
        _lose(base, Unknown(Why.DYNAMIC, phrase("collection")))
    leaf.open = base.open
    every: Sequence[Any] = (base.items if base.items is not None else base.entries) or ()
    places = places_of(shown)
    if isinstance(places, Unknown):
        leaf.open, places = places, ()
    parts = [every[place] for place in places]
    if shown.item is not None:
        if not same(parts, shown.parts):
            leaf.items = [(entry.guard, shown.item(entry)) for entry in parts]
        else:  # the same entries are the same objects
            leaf.items = [
                (entry.guard, pair[1] if isinstance(pair[1], Object) else shown.item(entry))
                for entry, pair in zip(parts, shown.shown, strict=True)
            ]
        shown.parts, shown.shown = parts, list(leaf.items)
    elif base.entries is not None:
        leaf.entries = parts
        shown.shown = list(parts)
    else:
        leaf.items = parts
        shown.shown = list(parts)


def same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _lose(base: Object, reason: Unknown) -> None:
    base.open = base.open or reason
    if base.items is not None:
        base.items = []
    if base.entries is not None:
        base.entries = []
    if VIEW in base.fields:
        base.fields[VIEW].shown = ()
        _lose(base.fields[VIEW].base, reason)


def places_of(shown: View) -> Sequence[int] | Unknown:
    base = shown.base
    count = len((base.items if base.items is not None else base.entries) or ())
    if shown.start is not None:
        return range(min(shown.start, count), min(shown.end, count))
    return range(count) if shown.places is None else shown.places(base)


def mapped(leaf: Object) -> tuple[View, Sequence[int]] | None:
    """The view that a collection is, and the places of its elements in the base."""
    if VIEW not in leaf.fields:
        return None
    shown: View = leaf.fields[VIEW]
    places = places_of(shown)
    return shown, () if isinstance(places, Unknown) else places


def root(leaf: Object) -> Object:
    """The collection that a view shows in the end; any other itself."""
    while VIEW in leaf.fields:
        leaf = leaf.fields[VIEW].base
    return leaf


def is_stale(leaf: Object) -> Guarded:
    """The guard under which a part of a list is used after that list was changed otherwise: that raises."""
    shown = leaf.fields.get(VIEW)
    if not isinstance(shown, View):
        return False
    own: Guarded = False
    if shown.start is not None:
        own = apply(differ, changes(shown.base), shown.changes)
    return either(own, is_stale(shown.base))


def differ(one: Any, other: Any) -> bool:
    """Whether two numbers of changes are known, and others."""
    return isinstance(one, int) and isinstance(other, int) and one != other


def changes(leaf: Object) -> Guarded:
    """How often a collection has got or lost elements since this was asked first: from then on it is counted."""
    shown = leaf.fields.get(VIEW)
    return leaf.fields.setdefault(CHANGES, 0) if not isinstance(shown, View) else changes(shown.base)


def one_more(count: Any) -> Any:
    """The next number; what is too much to be told apart stays unknown."""
    return count + 1 if isinstance(count, int) else count

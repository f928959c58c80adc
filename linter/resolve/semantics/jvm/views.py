"""Collections that show another one: `map.keySet()`, `list.subList(…)`, `Arrays.asList(array)`; a write to one is seen in both.

A view is an object with items of its own, which are those of its base whenever it is asked; what a call makes of them is
written to the base.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Entry, Guarded, Object, Unknown

VIEW = "<view>"
"""The field of a view that says what it shows."""

Pair = tuple[Guarded, Guarded]


class View(Struct, eq=False):
    """What a view shows: the entries of a map, each as `item` gives it, or the elements of a list from `start` to `end`
    (None: to where it ends)."""

    base: Object
    item: Callable[[Entry], Guarded] | None = None
    start: int = 0
    end: int | None = None
    seen: Sequence[Pair] = ()
    parts: Sequence[Entry] = ()


def refresh(leaf: object) -> None:
    """Gives a view what its base holds now."""
    view = leaf.fields.get(VIEW) if isinstance(leaf, Object) else None
    if not isinstance(leaf, Object) or not isinstance(view, View):
        return
    base = view.base
    refresh(base)
    leaf.open = base.open
    if view.item is not None:
        view.parts = list(base.entries or ())
        leaf.items = [(entry.guard, view.item(entry)) for entry in view.parts]
    else:
        leaf.items = (base.items or [])[view.start : view.end]
    view.seen = list(leaf.items)


def write_back(run: Interpreter, leaf: Object) -> None:
    """Writes what a call has made of a view to what it shows."""
    view = leaf.fields.get(VIEW)
    if not isinstance(view, View):
        return
    base = view.base
    if leaf.open is not base.open and leaf.open is not None:
        forget_contents(run, leaf.open, [base])
    elif _same(leaf.items or (), view.seen):
        return
    elif view.item is None:
        rest = (base.items or [])[view.end :] if view.end is not None else []
        base.items = [*(base.items or [])[: view.start], *(leaf.items or ()), *rest]
        if view.end is not None:
            view.end = view.start + len(leaf.items or ())
    else:
        _write_entries(run, base, view, leaf.items or [])
    view.seen = list(leaf.items or ())
    write_back(run, base)


def _write_entries(run: Interpreter, base: Object, view: View, left: Sequence[Pair]) -> None:
    """Entries whose item a call took away go; what cannot be told apart is not known any more."""
    position = 0
    for entry, (_, item) in zip(view.parts, view.seen, strict=True):
        if position < len(left) and left[position][1] is item:
            entry.guard = left[position][0]
            position += 1
        else:
            entry.guard = False
    if position < len(left):
        forget_contents(run, Unknown(Why.DYNAMIC, base.type), [base])
        return
    base.entries = [entry for entry in base.entries or () if entry.guard is not False]


def _same(one: Sequence[Pair], other: Sequence[Pair]) -> bool:
    return len(one) == len(other) and all(
        a[0] is b[0] and a[1] is b[1] for a, b in zip(one, other, strict=True)
    )

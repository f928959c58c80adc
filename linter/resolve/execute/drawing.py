"""Iterators whose elements come as they are asked for: what makes one runs when somebody wants it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import both, choose, either, negate
from subdrift.linter.resolve.execute.values import Guarded, Object, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.interpreter import Interpreter

LAZY: Final = "<lazy>"
"""The field of an iterator that holds what is still to come."""

SIZED: Final = "<sized>"
"""The field of a stream with the one whose elements it has as many of: how many there are is told without drawing them."""

DRAWN_MAX: Final = 512
"""Elements of an iterator that are drawn at once."""

BUILT_MAX: Final = 65_536
"""Elements of a collection that is built."""

Coming = Generator[tuple[Guarded, Guarded], None, Guarded]
"""Elements with their guards, one after the other; in the end the guard under which nothing was thrown meanwhile."""


class Lazy(Struct, eq=False):
    """What is still to come of an iterator, and the guard that it was made under."""

    run: Interpreter
    rest: Coming
    born: Guarded
    busy: bool = False


def coming(run: Interpreter, made: Object, rest: Coming) -> Object:
    """An iterator of what is still to come."""
    made.items = []
    made.fields[LAZY] = Lazy(run, rest, run.guard)
    return made


def pull(leaf: Object) -> bool:
    """Draws the next element of an iterator into its items, as far as there is one. On a part of the paths it is drawn from
    as a whole: what it does later would be done on some of them alone."""
    lazy = leaf.fields.get(LAZY)
    if lazy is None or lazy.busy or lazy.run.guard is False:
        return False
    whole = lazy.run.guard == lazy.born
    return _drawn(leaf, lazy, 1 if whole else DRAWN_MAX)


def pull_all(leaf: Object, most: int = DRAWN_MAX) -> None:
    """Draws all that is still to come of an iterator into its items, `most` of it."""
    lazy = leaf.fields.get(LAZY)
    if lazy is None or lazy.busy or lazy.run.guard is False:
        return
    _drawn(leaf, lazy, most + 1)
    if LAZY in leaf.fields:
        leaf.items = (leaf.items or [])[:most]
        drop(leaf, Unknown(Why.TOO_MANY, phrase("more-than-elements", most)))


def may_be_drawn(run: Interpreter, leaf: Object, most: int, taken: Callable[[Guarded], None]) -> None:
    """Code that nobody sees has an iterator, and may go through it or leave it. `taken` is told of each element, before the
    iterator goes on."""
    if (lazy := leaf.fields.get(LAZY)) is not None:
        before, key = run.guard, ("gone through", leaf.number, run.unique())
        lazy.born = both(lazy.born, choose(run.decide(key, 2, "condition", leaf.at), 2, 0))
        draw_each(leaf, most, taken)
        run.guard = before


def draw_each(leaf: Object, most: int, taken: Callable[[Guarded], None]) -> None:
    """Draws all that is still to come of an iterator, one after the other; `taken` as in `may_be_drawn`."""
    lazy = leaf.fields.get(LAZY)
    if lazy is None or lazy.busy or lazy.run.guard is False:
        return
    for _ in range(most):
        if lazy.run.guard is False or not _drawn(leaf, lazy, 1):
            return
        taken((leaf.items or [])[-1][1])
    drop(leaf, Unknown(Why.TOO_MANY, phrase("more-than-elements", most)))


def drop(leaf: Object, reason: Unknown) -> None:
    """Nobody knows what else comes of an iterator."""
    leaf.fields.pop(LAZY, None)
    leaf.open = leaf.open or reason


def _drawn(leaf: Object, lazy: Lazy, most: int) -> bool:
    run = lazy.run
    before, last, nesting = run.guard, run.last, run.nesting
    run.guard = lazy.born
    run.nesting = 0
    run.depth += 1
    lazy.busy = True
    alive: Guarded = True
    found: list[tuple[Guarded, Guarded]] = []
    try:
        for _ in range(most):
            try:
                guard, item = next(lazy.rest)
            except StopIteration as end:
                alive = end.value
                leaf.fields.pop(LAZY, None)
                break
            found.append((True if guard == lazy.born else guard, item))
    finally:
        lazy.busy = False
        run.depth -= 1
        run.nesting = nesting
        run.last = last
        run.guard = both(before, either(alive, negate(lazy.born)))  # where it is not, nothing is drawn
    leaf.items = [*(leaf.items or ()), *found]
    return bool(found)


def items_of(leaf: Any) -> list[tuple[Guarded, Guarded]]:
    """All that an iterator gives, drawn by now."""
    pull_all(leaf)
    return list(leaf.items or ())

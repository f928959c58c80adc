"""Values under guards: decision diagrams over the choices of a run.

A *choice* is a point at which execution can go several ways (a condition nobody can know, the implementations of an
interface), numbered in the order of discovery. A *guarded value* is a plain value, or a `Diagram` that picks one by a
choice; a *guard* is a guarded truth value. Diagrams are ordered by the number of their choice and reduced, so equal
guards are equal objects by `==`, and nothing is enumerated before the very end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from linter.model.expr import Why
from linter.resolve.execute.values import Unknown

ALTERNATIVES_MAX = 300
"""Branches of one value; a value with more is not known."""

CROWDED = Unknown(Why.TOO_MANY, f"more than {ALTERNATIVES_MAX:,} alternatives")


GUARD_MAX = 600
"""Branches of one guard."""


class Overgrown(Exception):
    """A guard has more than `GUARD_MAX` branches: execution ends there."""


class Diagram:
    """`branches[i]` is the guarded value where the choice number `choice` takes its i-th way. `size` counts branches,
    those of shared parts again."""

    __slots__ = ("_hash", "branches", "choice", "size")

    def __init__(self, choice: int, branches: tuple[Any, ...]) -> None:
        self.choice = choice
        self.branches = branches
        self._hash = hash((choice, branches))
        self.size: int = 1 + sum(each.size if type(each) is Diagram else 1 for each in branches)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Diagram)
            and self._hash == other._hash
            and self.choice == other.choice
            and all(same(a, b) for a, b in zip(self.branches, other.branches, strict=True))
        )

    def __repr__(self) -> str:
        return f"<{self.choice}: {', '.join(map(repr, self.branches))}>"


class _Unset:
    """The value of a variable that no path has written."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = _Unset()


def same(one: Any, other: Any) -> bool:
    """Equality of plain values: `1`, `True` and `1.0` are three values."""
    return one is other or (type(one) is type(other) and bool(one == other))


def _node(choice: int, branches: list[Any]) -> Any:
    first = branches[0]
    if all(same(first, each) for each in branches[1:]):
        return first
    return Diagram(choice, tuple(branches))


def _cofactor(value: Any, choice: int, index: int) -> Any:
    return value.branches[index] if type(value) is Diagram and value.choice == choice else value


def _top(values: tuple[Any, ...]) -> tuple[int, int]:
    """The first choice of some guarded values, one of them a diagram at least, and the number of its ways."""
    best: Diagram | None = None
    for value in values:
        if type(value) is Diagram and (best is None or value.choice < best.choice):
            best = value
    assert best is not None
    return best.choice, len(best.branches)


def choose(choice: int, ways: int, index: int) -> Diagram:
    """The guard under which a choice takes one of its ways."""
    return Diagram(choice, tuple(way == index for way in range(ways)))


def apply(function: Callable[..., Any], *values: Any) -> Any:
    """A function of plain values, applied to guarded ones."""
    if not any(type(value) is Diagram for value in values):
        return function(*values)
    choice, ways = _top(values)
    return _node(
        choice, [apply(function, *(_cofactor(v, choice, way) for v in values)) for way in range(ways)]
    )


def both(one: Any, other: Any) -> Any:
    """The conjunction of two guards."""
    if one is True or other is False:
        return other
    if other is True or one is False or one is other:
        return one
    if one.size + other.size > GUARD_MAX:
        raise Overgrown
    choice, ways = _top((one, other))
    return _node(choice, [both(_cofactor(one, choice, i), _cofactor(other, choice, i)) for i in range(ways)])


def either(one: Any, other: Any) -> Any:
    """The disjunction of two guards."""
    if one is False or other is True:
        return other
    if other is False or one is True or one is other:
        return one
    if one.size + other.size > GUARD_MAX:
        raise Overgrown
    choice, ways = _top((one, other))
    return _node(
        choice, [either(_cofactor(one, choice, i), _cofactor(other, choice, i)) for i in range(ways)]
    )


def negate(guard: Any) -> Any:
    """The negation of a guard."""
    if type(guard) is not Diagram:
        return not guard
    return _node(guard.choice, [negate(branch) for branch in guard.branches])


def pick(guard: Any, new: Any, old: Any) -> Any:
    """`new` where the guard holds, else `old`; a variable not written before is `new` throughout."""
    if guard is True or old is UNSET:
        return new
    if guard is False or same(new, old):
        return old
    if type(old) is Diagram and old.size > ALTERNATIVES_MAX:
        return pick(guard, new, CROWDED)
    choice, ways = _top((guard, new, old))
    return _node(
        choice,
        [
            pick(_cofactor(guard, choice, i), _cofactor(new, choice, i), _cofactor(old, choice, i))
            for i in range(ways)
        ],
    )


def under(value: Any, guard: Any) -> Any:
    """The value as far as the guard can tell: choices that the guard has decided are gone."""
    if type(value) is not Diagram or type(guard) is not Diagram:
        return value
    if guard.choice < value.choice:
        kept = [under(value, each) for each in guard.branches if each is not False]
        return kept[0] if kept and all(same(kept[0], each) for each in kept) else value
    if guard.choice == value.choice:
        ways = [
            None if allowed is False else under(branch, allowed)
            for branch, allowed in zip(value.branches, guard.branches, strict=True)
        ]
        live = [way for way, allowed in zip(ways, guard.branches, strict=True) if allowed is not False]
        if not live:
            return value
        return _node(
            value.choice,
            [live[0] if allowed is False else way for way, allowed in zip(ways, guard.branches, strict=True)],
        )
    return _node(value.choice, [under(branch, guard) for branch in value.branches])


def leaves(value: Any, guard: Any = True) -> list[tuple[Any, Any]]:
    """Every plain value that is possible where the guard holds, each once with the guard of its own."""
    if guard is False:
        return []
    if type(value) is not Diagram:
        return [(guard, value)]
    found: list[list[Any]] = []

    def visit(part: Any, path: Any) -> None:
        if path is False:
            return
        if type(part) is Diagram:
            for index, branch in enumerate(part.branches):
                visit(branch, both(path, choose(part.choice, len(part.branches), index)))
            return
        for entry in found:
            if same(entry[1], part):
                entry[0] = either(entry[0], path)
                return
        found.append([path, part])

    visit(value, guard)
    return [(path, leaf) for path, leaf in found]


def choices(value: Any) -> Iterator[int]:
    """The choices a guarded value depends on, with repetitions."""
    stack = [value]
    while stack:
        part = stack.pop()
        if type(part) is Diagram:
            yield part.choice
            stack.extend(part.branches)


def settle(value: Any, assignment: Mapping[int, int]) -> Any:
    """The plain value where each choice takes its assigned way (the first where none is assigned)."""
    while type(value) is Diagram:
        value = value.branches[assignment.get(value.choice, 0)]
    return value

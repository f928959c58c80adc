"""Values under guards: decision diagrams over the choices of a run.

A *choice* is a point at which execution can go several ways (a condition nobody can know, the implementations of an
interface), numbered in the order of discovery. A *guarded value* is a plain value, or a `Diagram` that picks one by a
choice; a *guard* is a guarded truth value. Diagrams are ordered by the number of their choice and reduced, so equal
guards are equal objects by `==`, and nothing is enumerated before the very end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import reduce
from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.values import Unknown

ALTERNATIVES_MAX = 300
"""Branches of one value; a value with more is not known."""

CROWDED = Unknown(Why.TOO_MANY, phrase("more-than-alternatives", f"{ALTERNATIVES_MAX:,}"))

GUARD_MAX = 600
"""Branches of one guard."""


def crowded(value: Any) -> bool:
    """Whether a value is one of too many; what is put together step by step is given up where it becomes that."""
    return type(value) is Diagram and value.size > ALTERNATIVES_MAX


class Overgrown(Exception):
    """A guard has more than `GUARD_MAX` branches: execution ends there."""


class Diagram:
    """`branches[i]` is the guarded value where the choice number `choice` takes its i-th way. `size` counts branches,
    those of shared parts again."""

    __slots__ = ("_hash", "branches", "choice", "size")

    def __init__(self, choice: int, branches: tuple[Any, ...]) -> None:
        self.choice = choice
        self.branches = branches
        self._hash: int | None = None  # few are ever asked for theirs
        size = 1
        for each in branches:
            size += each.size if type(each) is Diagram else 1
        self.size: int = size

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.choice, self.branches))
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Diagram)
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


NODES_MAX = 200_000
"""Diagrams that are shared at once; beyond it sharing begins anew."""

_nodes: dict[tuple[int, ...], Diagram] = {}
_both: dict[tuple[int, int], tuple[Any, Any, Any]] = {}
_either: dict[tuple[int, int], tuple[Any, Any, Any]] = {}
_negated: dict[int, tuple[Any, Any]] = {}
_picked: dict[tuple[int, int, int], tuple[Any, Any, Any, Any]] = {}
_under: dict[tuple[int, int], tuple[Any, Any, Any]] = {}
_leaves: dict[tuple[int, int], tuple[Any, Any, list[tuple[Any, Any]]]] = {}
_alternatives: dict[int, tuple[Any, dict[tuple[type, Any], Any]]] = {}
_ways: dict[tuple[int, int, int], tuple[Any, Any]] = {}
# Diagrams of equal branches are one object, and what was computed of two objects is kept by their identities: an
# operation visits each pair of nodes once, however many paths lead to it. What is kept holds its operands, so that
# no identity is used twice.
_TABLES: tuple[dict[Any, Any], ...] = (
    _nodes, _both, _either, _negated, _picked, _under, _leaves, _alternatives, _ways,
)  # fmt: skip


def forget() -> None:
    """Lets go of the diagrams of earlier runs; those still in use stay what they are."""
    for table in _TABLES:
        table.clear()


def _node(choice: int, branches: list[Any]) -> Any:
    first = branches[0]
    if len(branches) == 2:  # nearly all of them
        second = branches[1]
        if first is second or (type(first) is not bool and same(first, second)):
            return first
        key: tuple[int, ...] = (choice, id(first), id(second))
    else:
        for each in branches:
            if each is not first and not same(first, each):
                break
        else:
            return first
        key = (choice, *map(id, branches))
    found = _nodes.get(key)
    if found is None:
        if len(_nodes) >= NODES_MAX:
            forget()
        found = _nodes[key] = Diagram(choice, tuple(branches))
    return found


def _cofactor(value: Any, choice: int, index: int) -> Any:
    return value.branches[index] if type(value) is Diagram and value.choice == choice else value


def _cofactors(value: Any, choice: int, ways: int) -> tuple[Any, ...]:
    return value.branches if type(value) is Diagram and value.choice == choice else (value,) * ways


def _top(values: tuple[Any, ...]) -> tuple[int, int]:
    """The first choice of some guarded values, one of them a diagram at least, and the number of its ways."""
    best: Diagram | None = None
    for value in values:
        if type(value) is Diagram and (best is None or value.choice < best.choice):
            best = value
    assert best is not None
    return best.choice, len(best.branches)


def _pairs(one: Any, other: Any) -> tuple[int, list[tuple[Any, Any]]]:
    """The first choice of two guarded values, one of them a diagram at least, and both of them under each way."""
    if type(other) is not Diagram or (type(one) is Diagram and one.choice < other.choice):
        return one.choice, [(branch, other) for branch in one.branches]
    if type(one) is not Diagram or other.choice < one.choice:
        return other.choice, [(one, branch) for branch in other.branches]
    return one.choice, list(zip(one.branches, other.branches, strict=True))


def choose(choice: int, ways: int, index: int) -> Diagram:
    """The guard under which a choice takes one of its ways."""
    found: Diagram = _node(choice, [way == index for way in range(ways)])
    return found


def apply(function: Callable[..., Any], *values: Any) -> Any:
    """A function of plain values, applied to guarded ones."""
    for value in values:
        if type(value) is Diagram:
            return _apply(function, values, {})
    return function(*values)


def _apply(function: Callable[..., Any], values: tuple[Any, ...], done: dict[tuple[int, ...], Any]) -> Any:
    if Diagram not in map(type, values):
        return function(*values)
    key = tuple(map(id, values))
    if key not in done:
        choice, ways = _top(values)
        done[key] = _node(
            choice,
            [
                _apply(function, tuple([_cofactor(v, choice, way) for v in values]), done)
                for way in range(ways)
            ],
        )
    return done[key]


def both(one: Any, other: Any) -> Any:
    """The conjunction of two guards."""
    if one is True or other is False:
        return other
    if other is True or one is False or one is other:
        return one
    if one.size + other.size > GUARD_MAX:
        raise Overgrown
    key = (id(one), id(other))
    found = _both.get(key)
    if found is None:
        choice, pairs = _pairs(one, other)
        found = _both[key] = (one, other, _node(choice, [both(a, b) for a, b in pairs]))
    return found[2]


def either(one: Any, other: Any) -> Any:
    """The disjunction of two guards."""
    if one is False or other is True:
        return other
    if other is False or one is True or one is other:
        return one
    if one.size + other.size > GUARD_MAX:
        raise Overgrown
    key = (id(one), id(other))
    found = _either.get(key)
    if found is None:
        choice, pairs = _pairs(one, other)
        found = _either[key] = (one, other, _node(choice, [either(a, b) for a, b in pairs]))
    return found[2]


def negate(guard: Any) -> Any:
    """The negation of a guard."""
    if type(guard) is not Diagram:
        return not guard
    found = _negated.get(id(guard))
    if found is None:
        negated = _node(guard.choice, [negate(branch) for branch in guard.branches])
        found = _negated[id(guard)] = (guard, negated)
    return found[1]


def pick(guard: Any, new: Any, old: Any) -> Any:
    """`new` where the guard holds, else `old`; a local variable not written before is `new` throughout, since no path
    reads one that it has not written. What falls back to something where it is not written is kept by `ite`."""
    return new if old is UNSET else ite(guard, new, old)


def ite(guard: Any, new: Any, old: Any) -> Any:
    """`new` where the guard holds, else `old`; UNSET is kept as one of the values where nothing was written."""
    if guard is True:
        return new
    if guard is False or same(new, old):
        return old
    if crowded(old):
        return ite(guard, new, CROWDED)
    key = (id(guard), id(new), id(old))
    found = _picked.get(key)
    if found is None:
        top = guard
        if type(new) is Diagram and new.choice < top.choice:
            top = new
        if type(old) is Diagram and old.choice < top.choice:
            top = old
        choice, ways = top.choice, len(top.branches)
        guards, news, olds = (
            _cofactors(guard, choice, ways),
            _cofactors(new, choice, ways),
            _cofactors(old, choice, ways),
        )
        picked = _node(choice, list(map(ite, guards, news, olds)))
        found = _picked[key] = (guard, new, old, picked)
    return found[3]


def or_else(value: Any, otherwise: Any) -> Any:
    """The value where it was written, else another."""
    if type(value) is not Diagram:
        return otherwise if value is UNSET else value
    return apply(lambda leaf, other: other if leaf is UNSET else leaf, value, otherwise)


def is_written(value: Any) -> Any:
    """The guard under which a value was written."""
    return apply(lambda leaf: leaf is not UNSET, value)


def is_partial(value: Any) -> bool:
    """Whether a value was written on some paths only."""
    return type(value) is Diagram and is_written(value) is not True


def instead(guard: Any, found: list[tuple[Any, Any]], old: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """The items of a collection, with the guards they are there under: those `found` where a guard holds, else the old ones."""
    if guard is True:
        return found
    if len(found) == len(old) and all(under(there, guard) is True for there, _ in (*found, *old)):
        return [
            (there, pick(guard, new, before)) for (_, new), (there, before) in zip(found, old, strict=True)
        ]
    elsewhere = negate(guard)
    pairs = [(both(there, guard), new) for there, new in found]
    pairs += [(both(there, elsewhere), before) for there, before in old]
    return [(there, value) for there, value in pairs if there is not False]


def under(value: Any, guard: Any) -> Any:
    """The value as far as the guard can tell: choices that the guard has decided are gone."""
    if type(value) is not Diagram or type(guard) is not Diagram:
        return value
    key = (id(value), id(guard))
    found = _under.get(key)
    if found is None:
        found = _under[key] = (value, guard, _as_far_as(value, guard))
    return found[2]


def _as_far_as(value: Diagram, guard: Diagram) -> Any:
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
    """Every plain value that is possible where the guard holds, each once with the guard of its own, in a fixed order."""
    if guard is False:
        return []
    if type(value) is not Diagram:
        return [(guard, value)]
    key = (id(value), id(guard))
    found = _leaves.get(key)
    if found is None:
        parts = _parts(value)
        possible: Iterable[tuple[type, Any]] = parts
        if guard is not True:
            possible = _possible(value, guard)
        pairs = [(both(guard, parts[mark]), mark[1]) for mark in possible]
        found = _leaves[key] = (value, guard, pairs)
    return list(found[2])


def _parts(part: Any) -> dict[tuple[type, Any], Any]:
    """The plain values of a guarded value (with their types: `1` and `True` are two), and the guards they stand under, in the
    order of their first path."""
    if type(part) is not Diagram:
        return {(type(part), part): True}
    found = _alternatives.get(id(part))
    if found is None:
        merged: dict[tuple[type, Any], list[Any]] = {}
        for way, branch in enumerate(part.branches):
            for mark, there in _parts(branch).items():
                if mark not in merged:
                    merged[mark] = [False] * len(part.branches)
                merged[mark][way] = there
        parts = {mark: _node(part.choice, guards) for mark, guards in merged.items()}
        found = _alternatives[id(part)] = (part, parts)
    return found[1]


def some(value: Any, most: int) -> list[Any]:
    """Up to so many plain values that are possible, without their guards; equal ones may be among them."""
    if type(value) is not Diagram:
        return [value]
    found: list[Any] = []
    stack: list[Any] = [value]
    seen: set[int] = set()
    while stack and len(found) < most:
        part = stack.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if type(part) is Diagram:
            stack.extend(reversed(part.branches))
        else:
            found.append(part)
    return found


def _possible(value: Diagram, guard: Any) -> Iterable[tuple[type, Any]]:
    """The plain values of a diagram that a guard allows, with their types, in the order of their first path."""
    found: dict[tuple[type, Any], None] = {}
    seen: dict[tuple[int, int], tuple[Any, Any]] = {}
    stack: list[tuple[Any, Any]] = [(value, guard)]
    while stack:
        part, allowed = stack.pop()
        if allowed is False or (id(part), id(allowed)) in seen:
            continue
        seen[id(part), id(allowed)] = (part, allowed)
        if type(part) is Diagram:
            ways = [(branch, _settled(allowed, part.choice, way)) for way, branch in enumerate(part.branches)]
            stack.extend(reversed(ways))
        else:
            found.setdefault((type(part), part))
    return found


def _settled(guard: Any, choice: int, way: int) -> Any:
    """A guard where one choice has taken its way."""
    if type(guard) is not Diagram or guard.choice > choice:
        return guard
    if guard.choice == choice:
        return guard.branches[way]
    key = (id(guard), choice, way)
    found = _ways.get(key)
    if found is None:
        settled = _node(guard.choice, [_settled(each, choice, way) for each in guard.branches])
        found = _ways[key] = (guard, settled)
    return found[1]


def choices(value: Any) -> Iterator[int]:
    """The choices a guarded value depends on, with repetitions."""
    return (part.choice for part in _diagrams(value))


def _diagrams(value: Any) -> Iterator[Diagram]:
    """Every diagram inside a guarded value, once."""
    stack = [value]
    seen: set[int] = set()
    while stack:
        part = stack.pop()
        if type(part) is Diagram and id(part) not in seen:
            seen.add(id(part))
            yield part
            stack.extend(part.branches)


def forced(guard: Any) -> dict[int, int]:
    """The choices that take one and the same way wherever the guard holds."""
    found: dict[int, int] = {}
    ways = {part.choice: len(part.branches) for part in _diagrams(guard)}
    for number, count in ways.items():
        live = [way for way in range(count) if narrow(guard, {number: way}) is not False]
        if len(live) == 1:
            found[number] = live[0]
    return found


def narrow(value: Any, assignment: Mapping[int, int]) -> Any:
    """The guarded value where the assigned choices take their ways; the others stay open."""
    if not assignment or type(value) is not Diagram:
        return value
    done: dict[int, Any] = {}

    def visit(part: Any) -> Any:
        if type(part) is not Diagram:
            return part
        if id(part) not in done:
            way = assignment.get(part.choice)
            done[id(part)] = (
                visit(part.branches[way])
                if way is not None
                else _node(part.choice, [visit(branch) for branch in part.branches])
            )
        return done[id(part)]

    return visit(value)


def somehow(guard: Any, numbers: Set[int]) -> Any:
    """The guard under which another holds in some way of some choices."""
    if type(guard) is not Diagram:
        return guard
    ways = [somehow(each, numbers) for each in guard.branches]
    return reduce(either, ways) if guard.choice in numbers else _node(guard.choice, ways)


def settle(value: Any, assignment: Mapping[int, int]) -> Any:
    """The plain value where each choice takes its assigned way (the first where none is assigned)."""
    while type(value) is Diagram:
        value = value.branches[assignment.get(value.choice, 0)]
    return value

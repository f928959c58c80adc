"""Operations on guarded values, held against their meaning: one assignment of all choices after the other."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.resolve.execute import guards

CHOICES = 4
ASSIGNMENTS = [dict(enumerate(ways)) for ways in product(range(2), repeat=CHOICES)]


def made(leaf: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Guarded values over the plain values of a strategy, given by their table."""
    return st.lists(leaf, min_size=2**CHOICES, max_size=2**CHOICES).map(_of_table)


def _of_table(table: list[Any], choice: int = 0) -> Any:
    if len(table) == 1:
        return table[0]
    half = len(table) // 2
    first, second = _of_table(table[:half], choice + 1), _of_table(table[half:], choice + 1)
    return guards.pick(guards.choose(choice, 2, 0), first, second)


GUARDS = made(st.booleans())
VALUES = made(st.sampled_from([1, True, 1.0, "a", None, ("t",)]))


def table(value: Any) -> list[Any]:
    return [guards.settle(value, one) for one in ASSIGNMENTS]


def typed(values: list[Any]) -> list[tuple[type, Any]]:
    return [(type(value), value) for value in values]


@given(GUARDS, GUARDS)
def test_guards(one: Any, other: Any) -> None:
    left, right = table(one), table(other)
    assert table(guards.both(one, other)) == [a and b for a, b in zip(left, right, strict=True)]
    assert table(guards.either(one, other)) == [a or b for a, b in zip(left, right, strict=True)]
    assert table(guards.negate(one)) == [not a for a in left]
    assert (one == other) == (left == right), "equal guards are equal diagrams"


@given(VALUES)
def test_a_value_made_twice_is_one(value: Any) -> None:
    before = table(value)
    guards.forget()
    assert guards.same(_of_table(before), value)


@given(GUARDS, VALUES, VALUES, st.booleans())
def test_values(guard: Any, new: Any, old: Any, anew: bool) -> None:
    holds, left, right = table(guard), table(new), table(old)
    if anew:
        guards.forget()  # diagrams made before are as good as new ones
    picked = [a if g else b for g, a, b in zip(holds, left, right, strict=True)]
    assert typed(table(guards.pick(guard, new, old))) == typed(picked)
    pairs = guards.apply(lambda a, b: (type(a), a, b), new, old)
    assert table(pairs) == [(type(a), a, b) for a, b in zip(left, right, strict=True)]
    seen = guards.under(new, guard)
    assert [a for a, g in zip(typed(table(seen)), holds, strict=True) if g] == [
        a for a, g in zip(typed(left), holds, strict=True) if g
    ]


@given(VALUES, GUARDS)
@settings(max_examples=200)
def test_leaves(value: Any, guard: Any) -> None:
    shown = list(zip(table(guard), typed(table(value)), strict=True))
    found = guards.leaves(value, guard)
    leaves = [(type(leaf), leaf) for _, leaf in found]
    assert len(leaves) == len(set(leaves))
    assert set(leaves) == {v for g, v in shown if g}
    for where, leaf in found:
        assert table(where) == [g and v == (type(leaf), leaf) for g, v in shown]


def test_sharing_keeps_operations_linear() -> None:
    """The parity of six choices has 64 paths and 12 nodes; one of 200 is more than a guard may hold."""
    parity: Any = False
    for number in range(6):
        way = guards.choose(number, 2, 0)
        parity = guards.either(
            guards.both(way, guards.negate(parity)), guards.both(guards.negate(way), parity)
        )
    value = guards.pick(parity, "odd", "even")
    assert guards.both(parity, guards.negate(parity)) is False
    assert guards.under(value, parity) == "odd"
    assert [leaf for _, leaf in guards.leaves(value, guards.negate(parity))] == ["even"]
    assert guards.apply(len, value) != guards.apply(str, value)
    assert len(set(guards.choices(value))) == 6
    with pytest.raises(guards.Overgrown):
        _parity(200)


def _parity(count: int) -> Any:
    found: Any = False
    for number in range(count):
        way = guards.choose(number, 2, 0)
        found = guards.either(guards.both(way, guards.negate(found)), guards.both(guards.negate(way), found))
    return found

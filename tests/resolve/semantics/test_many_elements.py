"""Lists of more elements under conditions of their own than are told apart: what follows from their number is unknown."""

from __future__ import annotations

from subdrift.linter.model.location import START, Location, Origin
from subdrift.linter.resolve.execute import guards
from subdrift.linter.resolve.execute.values import Object, Unknown
from subdrift.linter.resolve.semantics.jvm import elements

CONDITIONS = 40
"""Their sums are more than `guards.ALTERNATIVES_MAX` alternatives."""


def made(conditions: int) -> Object:
    listed = Object(None, "ArrayList", 1, Location(Origin("app", "A.java"), START))
    listed.items = [(guards.choose(number, 2, 0), f"element {number}") for number in range(conditions)]
    return listed


def test_the_size_of_a_list_under_a_few_conditions_is_counted() -> None:
    assert {leaf for _, leaf in guards.leaves(elements.size(made(3)))} == {0, 1, 2, 3}


def test_the_size_of_a_list_under_too_many_conditions_is_unknown() -> None:
    assert any(isinstance(leaf, Unknown) for _, leaf in guards.leaves(elements.size(made(CONDITIONS))))


def test_an_element_of_a_list_under_too_many_conditions_may_be_unknown() -> None:
    found = [leaf for _, leaf in guards.leaves(elements._nth(made(CONDITIONS), 0))]
    assert "element 0" in found
    assert any(isinstance(leaf, Unknown) for leaf in found)

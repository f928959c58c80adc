"""Planted disagreements of generated organisations are found, each with its level, and members have their scopes."""

from __future__ import annotations

from subdrift import rules
from subdrift.linter.pipeline import analyse
from tests.oracle import organisations


def test_generated_organisations_are_told_as_they_were_planted() -> None:
    score = organisations.scored(range(1, 4))
    assert score.is_right, "\n".join(score.lines)
    assert score.planted >= 18


def test_a_result_that_says_nothing_is_not_right() -> None:
    made = organisations.drawn(1)
    score = organisations.Score()
    score.add(1, made, analyse((), rules.ALL))
    assert not score.is_right
    assert score.found == score.right_levels == score.right_scopes == 0

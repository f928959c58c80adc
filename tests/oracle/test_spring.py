"""What real Spring started, against what subdrift lists: thresholds over all recorded starts."""

from __future__ import annotations

from functools import cache

import pytest

from tests.oracle import spring
from tests.oracle.spring import Kind, Score

WRONG_MAX = 0.005
"""Share of the starts in which a value may be another one, or a consumer be made up."""

RIGHT_MIN = 0.985
"""Share of the starts, those of `FALLS_SHORT` left out, in which all is right."""

FALLS_SHORT = {
    "twenty-factory-beans": "what the object of a factory bean holds",
    "seventeen-gray-environment": "a source of properties that code adds",
    "eighteen-annotation-rewrite": "an annotation that code writes into",
    "ten-functional-beans": "what an initializer that is a function is handed",
    "ten-customizers": "a topic that is subscribed twice: both rows are told, and a rule says which one counts",
    "ten-numbers": "a sum of a stream of numbers of configuration",
    "eleven-profile-suffix": "a profile from outside that nothing in sight names",
    "eleven-property-source": "a source of properties that code adds",
    "sixteen-property-source-profile": "a profile from outside that nothing in sight names",
    "twentyone-converter": "what a converter of the program makes of configured texts",
    "twentyone-hierarchy": "a source of properties that code adds",
    "twentyone-on-demand": "how often a method that the application offers is called, if at all",
    "twentyone-remote-fallback": "what another server says, and what holds where it does not answer",
    "twentyone-resources": "YAML that a factory of Spring reads, and a profile that a file of the application alone names",
    "fourteen-default-properties": "the text of an array whose length hangs on the environment",
}
"""Cases by the beginning of their ids, with what is not known there: nothing in them is wrong, but not all is told."""


@cache
def _verdicts() -> tuple[spring.Verdict, ...]:
    return tuple(spring.verdicts())


def _score(*, known: bool) -> Score:
    """Of all starts, or of those in which all can be `known`."""
    score = Score()
    for verdict in _verdicts():
        if not known or not verdict.case.id.startswith(tuple(FALLS_SHORT)):
            score.add(verdict)
    return score


def test_no_value_is_made_up() -> None:
    score = _score(known=False)
    assert score.starts["all"] > 1_800
    assert score.share(Kind.WRONG, Kind.PHANTOM) <= WRONG_MAX, score.table()


def test_nearly_every_start_is_right() -> None:
    score = _score(known=True)
    assert score.right["all"] / score.starts["all"] >= RIGHT_MIN, score.table()


@pytest.mark.parametrize("case", FALLS_SHORT)
def test_what_falls_short_is_named(case: str) -> None:
    starts = [verdict for verdict in _verdicts() if verdict.case.id.startswith(case)]
    assert starts
    assert not all(verdict.is_right for verdict in starts), f"take it out: {FALLS_SHORT[case]}"


def test_an_empty_list_misses_what_was_started() -> None:
    start = next(one for one in spring.starts() if one.units)
    case = spring.cases()[start.case]
    assert [kind for kind, _, _ in spring.judged(case, start, [])] == [Kind.MISSING] * len(start.units)


def test_another_group_is_wrong_and_a_further_row_is_made_up() -> None:
    start = next(one for one in spring.starts() if one.case == "plain-rk27" or len(one.units) == 1)
    case = spring.cases()[start.case]
    rows = [row for row in spring.rows_of(case) if not row["disabled"]]
    assert [kind for kind, _, _ in spring.judged(case, start, rows)] == [Kind.EXACT]
    other = [{**row, "group": "another"} for row in rows]
    assert [kind for kind, _, _ in spring.judged(case, start, other)] == [Kind.WRONG]
    ghost = {**rows[0], "symbol": "com.acme.Ghost", "path": "Ghost.java", "group": "g0", "topic": "t0"}
    assert Kind.PHANTOM in [kind for kind, _, _ in spring.judged(case, start, [*rows, ghost])]

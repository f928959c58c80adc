"""What real Spring started, against what subdrift lists: thresholds over all recorded starts."""

from __future__ import annotations

from functools import cache

from tests.oracle import spring
from tests.oracle.spring import Kind, Score

WRONG_MAX = 0.005
"""Share of the starts in which a value may be another one, or a consumer be made up."""

RIGHT_MIN = 0.985


@cache
def _score() -> Score:
    score = Score()
    for verdict in spring.verdicts():
        score.add(verdict)
    return score


def test_no_value_is_made_up() -> None:
    score = _score()
    assert score.starts["all"] > 1_800
    assert score.share(Kind.WRONG, Kind.PHANTOM) <= WRONG_MAX, score.table()


def test_nearly_every_start_is_right() -> None:
    score = _score()
    assert score.right["all"] / score.starts["all"] >= RIGHT_MIN, score.table()


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

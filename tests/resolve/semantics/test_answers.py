"""What execution says that Python and libraries answer: the same as they do, or unknown."""

from __future__ import annotations

import pytest

from tests.oracle import analyzer
from tests.resolve.semantics.answers import Question, areas, recorded

CONSUMER = """
from rocketmq.client import PushConsumer
consumer = PushConsumer("g-{number}")
consumer.subscribe("t", print, made)
consumer.start()
"""
EVERY = 4
"""One in so many questions is asked."""
AT_ONCE = 100
KNOWN = 0.6
"""What share of the questions is answered, at least; of pydantic a third less, whose releases differ."""
OTHERWISE = {
    "1 in C": "from 3.12 on it is asked for values, too",
}
"""Answers that other releases give."""


def told(asked: list[Question]) -> dict[int, set[str | None]]:
    """What is said of each question, by its place."""
    found: dict[int, set[str | None]] = {}
    for start in range(0, len(asked), AT_ONCE):
        part = enumerate(asked[start : start + AT_ONCE], start)
        files = {f"p{number}.py": one.program + CONSUMER.format(number=number) for number, one in part}
        for row in analyzer.rows(files):
            number = (row["group"] or "").removeprefix("g-") or row["path"][1:-3]  # of too many alternatives
            found.setdefault(int(number), set()).add(row["expression"])
    return found


@pytest.mark.parametrize("area", areas())
def test_what_is_asked_is_answered_as_it_is_or_not_known(area: str) -> None:
    asked = list(recorded(area))[::EVERY]
    found = told(asked)
    wrong = [
        (one.section, one.parts, one.answer, found.get(number, set()))
        for number, one in enumerate(asked)
        if one.parts[-1] not in OTHERWISE and not {one.answer, None} & found.get(number, set())
    ]
    assert wrong == []
    exact = sum(found.get(number) == {one.answer} for number, one in enumerate(asked))
    assert exact > len(asked) * (KNOWN if area != "pydantic" else KNOWN * 2 / 3)

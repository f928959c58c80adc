"""Values that models of pydantic take for their types: the same as pydantic makes of them, or unknown."""

from __future__ import annotations

from tests.oracle import analyzer
from tests.resolve.semantics.coercions import HEAD, MADE, MODEL, REFUSED, recorded

CONSUMER = """
from rocketmq.client import PushConsumer
consumer = PushConsumer("g-{number}")
consumer.subscribe("t", print, made)
consumer.start()
"""
EVERY = 3
"""One in so many questions is asked."""


def test_a_value_is_what_pydantic_makes_of_it_or_unknown() -> None:
    asked = list(recorded())[::EVERY]
    files = {
        f"p{number}.py": HEAD
        + MODEL.format(type=kind)
        + MADE.format(value=value)
        + CONSUMER.format(number=number)
        for number, (kind, value, _) in enumerate(asked)
    }
    told: dict[str, set[str | None]] = {}
    for row in analyzer.rows(files):
        told.setdefault(row["group"], set()).add(row["expression"])
    wrong = []
    exact = 0
    for number, (kind, value, made) in enumerate(asked):
        found = told.get(f"g-{number}", set())
        exact += found == {made}
        if None not in found and made not in found:
            wrong.append((kind, value, made, found))
    assert wrong == []
    assert {made for *_, made in asked} > {REFUSED}
    assert exact > len(asked) // 3

"""Wire text: what is written comes back, and what was not written so is refused."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from subdrift.linter.model import wire
from subdrift.linter.model.consumer import Confidence, Consumer, TrailStep, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Condition
from subdrift.linter.model.location import Span
from tests.rules.members import member, place

PLAIN = member("a", ("T", "A || B"), ("U", None, "SQL92"))
FULL = replace(
    PLAIN,
    group=Value("g", trail=(TrailStep(place("b", 3), '"g"'),), confidence=Confidence.LOW, default=True),
    namespace=Value(None, Why.DYNAMIC, "key", symbol="${key}"),
    subscriptions=(replace(PLAIN.subscriptions[0], late=True, dropped=place("a", 7)),),
    conditions=(Condition("profile", "dev", Span(1, 2, 3, 4)),),
    environments=("", "dev"),
    owners=("@acme",),
)


@pytest.mark.parametrize(
    "one",
    [
        PLAIN,
        FULL,
        replace(PLAIN, symbol='订单 \x00 "quoted" \\'),
        replace(PLAIN, symbol="half \ud83d a pair"),
    ],
    ids=["plain", "full", "any text", "half a surrogate pair"],
)
def test_a_consumer_comes_back(one: Consumer) -> None:
    assert wire.loads(Consumer, wire.dumps(one)) == one


@pytest.mark.parametrize(
    "change",
    [
        lambda data: [*data, None],
        lambda data: data[:5],
        lambda data: [*data[:3], ["place"], *data[4:]],
        lambda data: [*data[:7], ["g", "no such reason", "", [], 2, False, ""], *data[8:]],
        lambda data: {"id": data[0]},
    ],
    ids=["too long", "too short", "no place", "no reason", "no array"],
)
def test_text_of_another_shape_is_refused(change: object) -> None:
    assert callable(change)
    with pytest.raises(wire.WireError, match="not the wire text of Consumer"):
        wire.loads(Consumer, json.dumps(change(json.loads(wire.dumps(FULL)))))

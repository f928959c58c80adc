"""What findings once said of the cost and real brokers refuted (C01 to C22): what they say now holds of those runs."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from subdrift.linter.broker.assume import Assume
from subdrift.linter.broker.members import predict_group
from subdrift.linter.broker.outcomes import possibilities
from subdrift.linter.model.prediction import ClassOutcome, Prediction, Share
from tests.broker.recorded import Record
from tests.broker.test_replay import agrees, phases_of, question
from tests.rules.members import member, value

ADVICE = Path(__file__).parents[2] / "fixtures" / "advice"


@cache
def costs() -> tuple[dict[str, Any], ...]:
    found = []
    for file in sorted(ADVICE.glob("advice-*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            found += [one for line in lines if (one := json.loads(line))["id"].startswith("C")]
    return tuple(found)


def last_ones(raw: dict[str, Any]) -> dict[str, Any]:
    """C22 subscribes to one topic twice; its client keeps the last."""
    members = [
        {**one, "subscriptions": list({each["topic"]: each for each in one["subscriptions"]}.values())}
        for one in raw["scenario"]["members"]
    ]
    return {**raw, "scenario": {**raw["scenario"], "members": members}}


RUNS = [last_ones(one) for one in costs()]
named = pytest.mark.parametrize("raw", RUNS, ids=lambda raw: f"{raw['id']}-{raw['versions']['broker']}")


@named
def test_every_message_ends_in_a_way_that_was_called_possible(raw: dict[str, Any]) -> None:
    record = Record(raw)
    messages = 0
    for phase, sending in phases_of(record):
        for message in record.scenario.messages:
            if str(message.phase) == phase.name:
                found = possibilities(record.scenario, sending, question(message))
                assert agrees(record, message, phase, found), message.id
                messages += 1
    assert messages


def foreseen(raw: dict[str, Any]) -> Prediction:
    """What a finding about these members rests on: from their code alone."""
    filters = raw["scenario"].get("brokerConfig", {}).get("enablePropertyFilter") == "true"
    members = tuple(
        replace(
            member(
                one["name"],
                *((each["topic"], each["expression"], each["type"]) for each in one["subscriptions"]),
                model=one["messageModel"],
            ),
            strategy=value(one["options"].get("strategy", "")),
        )
        for one in raw["scenario"]["members"]
    )
    return predict_group(members, Assume(property_filter=filters))


def observed(raw: dict[str, Any]) -> Iterator[tuple[str, str, Counter[str], int]]:
    """Topic and tag, how many of its messages were lost, stuck or received twice, and how many there were."""
    record = Record(raw)
    (phase,) = [one for one in record.phases if one.own and one.name != "end"][:1] or record.phases[-1:]
    kinds: dict[tuple[str, str], list[tuple[str, int, str]]] = {}
    for one in record.scenario.messages:
        kinds.setdefault((one.topic, one.tag or ""), []).append((one.topic, one.queue, one.id))
    for (topic, tag), sent in kinds.items():
        found: Counter[str] = Counter()
        for _, queue, name in sent:
            receivers = record.receivers(name, phase.judged_ms)
            passed = record.passed_by_anybody(name, topic, queue, phase)
            found["duplicate"] += len(receivers) > 1
            found["lost"] += not receivers and passed
            found["stuck"] += not receivers and not passed
        yield topic, tag, found, len(sent)


def ranges(prediction: Prediction, topic: str, tag: str) -> dict[str, Share]:
    """The shares that are possible for a tag that somebody wants, over all winners."""
    told = prediction.topic(topic)
    classes: list[ClassOutcome] = []
    for outcome in told.outcomes if told is not None else ():
        own = [one for one in outcome.classes if one.message.tag == tag]
        classes += [one for one in own or outcome.classes if one.message.wanted_by]
    return {
        name: Share.over(getattr(one, name) for one in classes)
        for name in ("lost", "stuck", "duplicate")
        if classes
    }


CLUSTERED = [one for one in RUNS if one["id"].split("/")[0] in ("C01", "C08", "C09", "C10", "C12", "C14")]


@pytest.mark.parametrize("raw", CLUSTERED, ids=lambda raw: raw["id"])
def test_what_a_finding_says_of_the_cost_is_what_was_lost_stuck_or_came_twice(raw: dict[str, Any]) -> None:
    prediction = foreseen(raw)
    judged = 0
    for topic, tag, found, sent in observed(raw):
        for name, share in ranges(prediction, topic, tag).items():
            assert share.low <= found[name] / sent <= share.high, (tag, name, found, share)
            judged += 1
    assert judged


def test_mixed_strategies_hand_a_quarter_on_twice_and_no_more_is_said() -> None:
    """C12: "possibly all" was printed."""
    for raw in (one for one in RUNS if one["id"].startswith("C12")):
        shares = [ranges(foreseen(raw), topic, tag)["duplicate"] for topic, tag, *_ in observed(raw)]
        assert max(float(one.high) for one in shares) < 1

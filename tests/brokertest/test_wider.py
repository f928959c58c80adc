"""Recorded runs with several brokers, namespaces and kinds of clients: what was received is what the model calls possible."""

import gzip
import json
from functools import cache
from pathlib import Path

import pytest

from tests.brokertest.catalogue import OTHER_CLIENT
from tests.brokertest.hosts import Json
from tests.brokertest.verdict import judge
from tests.brokertest.wider import wider_scenarios

FOLDER = Path(__file__).parents[2] / "fixtures" / "traces" / "wider"
FILES = sorted(FOLDER.glob("*.jsonl.gz"))
BROKERS = sorted(OTHER_CLIENT)


@cache
def records(broker: str) -> tuple[Json, ...]:
    found: list[Json] = []
    for file in FILES:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            found += (one for line in lines if (one := json.loads(line))["versions"]["broker"] == broker)
    return tuple(found)


@pytest.mark.parametrize("broker", BROKERS)
def test_what_was_received_was_called_possible(broker: str) -> None:
    verdicts = [verdict for record in records(broker) for verdict in judge(record)]
    assert [(one.scenario, one.phase, one.differences) for one in verdicts if not one.agrees] == []
    judged, left = sum(one.judged for one in verdicts), sum(one.open for one in verdicts)
    print(
        f"{broker}: {len(verdicts)} phases, {judged} messages, {left} with two ends where winner and owners are given"
    )
    assert judged > 300


@pytest.mark.parametrize("broker", BROKERS)
def test_every_scenario_is_recorded(broker: str) -> None:
    known = {one["id"] for one in records(broker)}
    assert {one["id"] for one in wider_scenarios(broker, OTHER_CLIENT[broker])} == known


def test_a_delivery_to_somebody_else_is_found() -> None:
    (record,) = [one for one in records("5.3.3") if one["id"] == "two-brokers/agree"]
    first, *rest = record["observed"]["deliveries"]
    stranger = {"A": "B", "B": "A"}[first["member"]]
    changed = {**record["observed"], "deliveries": [{**first, "member": stranger}, *rest]}
    assert not all(one.agrees for one in judge({**record, "observed": changed}))

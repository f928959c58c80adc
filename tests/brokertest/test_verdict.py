"""The live proof's judgement, tested on recordings: what was observed agrees, what is tampered with does not."""

import gzip
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.brokertest.verdict import judge

TRACES = Path(__file__).parents[2] / "fixtures" / "traces" / "seed-4.8.0.jsonl.gz"


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    with gzip.open(TRACES, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in islice(lines, 12)]


def test_recorded_runs_agree_with_the_model(records: list[dict[str, Any]]) -> None:
    verdicts = [verdict for record in records for verdict in judge(record)]
    assert len(verdicts) >= len(records)
    assert [v.differences for v in verdicts if not v.agrees] == []


def test_a_delivery_that_did_not_happen_is_found(records: list[dict[str, Any]]) -> None:
    record = next(r for r in records if r["observed"]["deliveries"])
    missing = record["observed"]["deliveries"][0]["message"]
    kept = [d for d in record["observed"]["deliveries"] if d["message"] != missing]
    (verdict,) = judge({**record, "observed": {**record["observed"], "deliveries": kept}})
    assert any(line.startswith(f"{missing} received by nobody") for line in verdict.differences)


def test_a_subscription_that_nobody_could_have_set_is_found(records: list[dict[str, Any]]) -> None:
    record = json.loads(json.dumps(records[0]))
    record["observed"]["phases"][0]["winner"]["T"]["expression"] = "somebody else's"
    (verdict,) = judge(record)
    assert any('is held by "somebody else\'s"' in line for line in verdict.differences)

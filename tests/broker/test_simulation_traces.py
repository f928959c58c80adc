"""Recorded scenarios simulated: some seed ends as the real cluster did, in nearly every run.

Not in all: the latencies of the machine that recorded are not known, and what POP reads is chance. The share that is
asked for is below what was measured, so that it holds on the recordings that are added later.
"""

import gzip
import json
from collections import defaultdict
from pathlib import Path

import pytest

from subdrift.linter.broker.scenario import Scenario
from subdrift.linter.broker.simulation.run import simulate
from tests.broker.decoded import scenario_from

TRACES = sorted((Path(__file__).parents[2] / "fixtures" / "traces").glob("*.jsonl.gz"))
SEEDS = 12
MISSED_AT_MOST = 0.08
"""Part of the runs of a file, and two runs on top, for the short files."""

Received = frozenset[tuple[str, str]]
"""Message and member; retries left out, as they depend on what failed first."""


def test_there_are_recordings() -> None:
    assert len(TRACES) >= 15


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def test_simulated_runs_of_recorded_scenarios_reach_what_was_observed(path: Path) -> None:
    """Every run of a scenario is looked for among the outcomes of the same seeds."""
    observed: dict[str, list[Received]] = defaultdict(list)
    scenarios: dict[str, Scenario] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            scenarios.setdefault(record["id"], scenario_from(record))
            deliveries = record["observed"]["deliveries"]
            observed[record["id"]].append(
                frozenset((d["message"], d["member"]) for d in deliveries if d["reconsume"] == 0)
            )
    missed: dict[str, int] = {}
    for name, runs in observed.items():
        open_runs = list(runs)
        for seed in range(SEEDS):
            result = simulate(scenarios[name], seed)
            received = frozenset((d.message, d.member) for d in result.deliveries if d.reconsume == 0)
            open_runs = [one for one in open_runs if one != received]
            if not open_runs:
                break
        if open_runs:
            missed[name] = len(open_runs)
    total = sum(map(len, observed.values()))
    count = sum(missed.values())
    print(f"{path.name}: {total - count} of {total} runs reached, missed: {missed}")
    assert count <= 2 + MISSED_AT_MOST * total, missed

"""Commands that plans print, run by themselves: `mqadmin` did what plans say, and waits take as long as they say."""

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from subdrift.linter.report.language import language
from tests.brokertest.commands import RUNS, command_scenarios
from tests.brokertest.hosts import Json

FOLDER = Path(__file__).parents[2] / "fixtures" / "advice"
BROKERS = ["5.3.3"]


@cache
def records(broker: str) -> dict[str, Json]:
    with gzip.open(FOLDER / f"commands-{broker}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return {one["id"]: one for one in map(json.loads, lines)}


def runs(broker: str, name: str) -> list[Json]:
    """The observations of each run of a scenario."""
    return [records(broker)[f"commands/{name}/{number}"]["observed"] for number in range(1, RUNS + 1)]


@pytest.mark.parametrize("broker", BROKERS)
def test_every_command_was_run_as_plans_print_it_now(broker: str) -> None:
    said = {one["id"]: one["steps"] for one in command_scenarios(broker)}
    assert {name: one["scenario"]["steps"] for name, one in records(broker).items()} == said


@pytest.mark.parametrize("broker", BROKERS)
def test_a_group_that_is_created_with_leave_to_broadcast_may(broker: str) -> None:
    for seen in runs(broker, "broadcast"):
        assert all("success" in one for one in seen["mqadmin"])
        assert seen["held"] == [{"group": "2", "broadcast": True}, {"group": "3", "broadcast": False}]
        got = Counter(one["member"] for one in seen["deliveries"])
        assert got["W"] > 50
        assert got["V"] == 0


@pytest.mark.parametrize("mode", ["cluster", "local"])
def test_offsets_of_grpc_members_alone_are_found_once_the_topic_for_retries_exists(mode: str) -> None:
    for seen in runs("5.3.3", f"retry-topic/{mode}"):
        created, before, topic, after = seen["mqadmin"]
        assert "success" in created
        assert "No topic route info in name server for the topic: %RETRY%g" in before
        assert "success" in topic
        assert "success" in after
        old, new = (one["offsets"]["T"] for one in seen["held"])
        assert new
        assert all(0 < int(new[queue]) <= int(old[queue]) for queue in new)


@pytest.mark.parametrize("broker", BROKERS)
def test_how_long_it_takes_until_a_group_has_an_offset_at_every_queue_is_what_plans_say(broker: str) -> None:
    """None of the quiet queues had a message. A lite pull consumer never gives them one."""
    assert "20 to 55 s in recorded runs; lite pull" in language("en").word("rollout.supposed.offsets")
    waits = {
        name: wait
        for name, one in records(broker).items()
        if "/offsets/" in name
        for wait in one["observed"]["waits"]
    }
    assert len(waits) == 6 * RUNS
    for name, wait in waits.items():
        assert wait["ok"] is ("lite-pull" not in name), name
        assert not wait["ok"] or 19 <= wait["s"] <= 56, (name, wait)

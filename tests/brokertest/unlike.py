"""Situations that differ in kind from those that are drawn: how listeners work, what brokers are told, whose clock is right.

What was foretold of each was written before its first run. `drawn` and `fresh` have clients with one thread, brokers that
create groups by themselves and end in order, and one clock.
"""

from collections.abc import Iterator
from typing import Final

from .cases import OLD, POP, case, member, one_killed, tagged
from .hosts import Json
from .rarer import AS_NOW, NOTHING, ONCE

MOVE: Final[Json] = {"split": {"B": "2"}}
CLOSED: Final[Json] = {"autoCreateSubscriptionGroup": "false"}
"""Brokers as they are in production: only what somebody has created is there."""


def having(options: Json, *texts: str) -> list[Json]:
    """Members of one topic with such options."""
    return [{**one, "options": options} for one in tagged(*texts)]


def _listeners() -> Iterator[Json]:
    """Many threads, of which one is busy for seconds; batches; lite pull as it is shipped."""
    threads: Json = {"threads": 20, "slowTags": {"y": 9_000}}
    batch: Json = {"batch": 16, "slowMs": 30}
    failing = [
        {**one, "options": {**batch, "failFirst": 4}, "after": batch} for one in tagged("x || y", "x || z")
    ]
    lite: Json = {"autoCommitMs": 5_000, "slowMs": 20}
    pulls = [{**one, "clientKind": "litepull"} for one in having(lite, "x", "x", "x")]
    slow: Json = {"everyMs": 500, "steadyMs": 12_000, "drainS": 90}
    yield case(
        "unlike/threads/tags",
        having(threads, "x || y", "x || y"),
        "careful",
        to="x || y || z",
        **slow,
        foretold=ONCE,
    )
    yield case(
        "unlike/threads/split", having(threads, "x || y", "x || z"), "pause", **MOVE, **slow, foretold=NOTHING
    )
    yield case(
        "unlike/batch/split",
        failing,
        "careful",
        **MOVE,
        betweenMs=4_000,
        retried=True,
        drainS=90,
        foretold=AS_NOW,
    )
    yield case(
        "unlike/lite-commits-rarely/tags", pulls, "careful", to="x || y", steadyMs=12_000, foretold=ONCE
    )


def _brokers(modern: bool) -> Iterator[Json]:
    """No groups by themselves; a broker that is killed, and forgets what it had not written."""
    two = tagged("x || y", "x || z")
    dead: Json = {"brokerConfig": OLD, "steadyMs": 12_000, "betweenMs": 500, "drainS": 90}
    created: Json = {"brokerConfig": CLOSED, "createGroup": True}
    yield case("unlike/no-groups-by-themselves/split", two, "pause", **MOVE, **created, foretold=NOTHING)
    yield case(
        "unlike/no-groups-by-themselves/split/rolling",
        two,
        "careful",
        **MOVE,
        **created,
        betweenMs=4_000,
        foretold=AS_NOW,
    )
    yield case(
        "unlike/broker-killed/split/old",
        two,
        "pause",
        **MOVE,
        **dead,
        brokerRestart={"before": 3, "ms": 3_000, "kill": True},
        foretold=NOTHING,
    )
    yield case(
        "unlike/broker-killed/tags",
        tagged("x", "x", "x"),
        "careful",
        to="z",
        steadyMs=12_000,
        drainS=90,
        brokerRestart={"before": 2, "ms": 3_000, "kill": True},
        foretold=ONCE,
    )
    if modern:
        popping = [
            {
                **one,
                "options": {"clientRebalance": False, "failFirst": 4},
                "after": {"clientRebalance": False},
            }
            for one in tagged("x || y", "x || y")
        ]
        yield case(
            "unlike/pop/tags",
            popping,
            "careful",
            to="x || z",
            requestMode="POP",
            brokerConfig=POP,
            retried=True,
            drainS=120,
            steadyMs=8_000,
            foretold=ONCE,
        )


def _groups() -> Iterator[Json]:
    """Topics that only some share, with tags of their own; many members under load; a start that takes long; kills."""
    torn = [
        member("A", ("T", "x"), ("U", "*")),
        member("B", ("T", "y"), ("V", "*")),
        member("C", ("T", "x || y")),
    ]
    both = [member("A", ("T", "x"), ("U", "a || b")), member("B", ("T", "y"), ("U", "b || c"))]
    crowd = [{**one, "name": name} for one, name in zip(tagged("x", "y", "z") * 2, "ABCDEF", strict=True)]
    dead = [{**one, "process": "own"} for one in tagged("x || y", "x || z")]
    yield case(
        "unlike/torn/tags",
        torn,
        "careful",
        3,
        to="x || y",
        steadyMs=8_000,
        foretold="x and y as now until nobody sends them; then nothing",
    )
    yield case(
        "unlike/two-topics/split/old",
        both,
        "pause",
        5,
        **MOVE,
        brokerConfig=OLD,
        steadyMs=8_000,
        foretold=NOTHING,
    )
    yield case(
        "unlike/two-topics/split/rolling", both, "careful", 2, **MOVE, betweenMs=4_000, foretold=AS_NOW
    )
    yield case(
        "unlike/crowd/tags",
        one_killed(crowd),
        "careful",
        16,
        to="x || y || z",
        everyMs=40,
        betweenMs=0,
        gapMs=0,
        foretold="what only some ask for as now until nobody sends it; then nothing",
    )
    yield case(
        "unlike/slow-start/split",
        tagged("x || y", "x || z", "x || z"),
        "careful",
        5,
        split={"B": "2", "C": "2"},
        mode="surge",
        gapMs=25_000,
        everyMs=200,
        foretold=AS_NOW,
    )
    yield case(
        "unlike/all-killed/split/old",
        dead,
        "pause",
        3,
        **MOVE,
        mode="kill",
        gapMs=0,
        brokerConfig=OLD,
        steadyMs=8_000,
        drainS=90,
        foretold=NOTHING,
    )


def _clocks() -> Iterator[Json]:
    """The clock of one member runs a minute ahead of the others', or behind."""

    def apart(who: int, seconds: int, *texts: str) -> list[Json]:
        found = tagged(*texts)
        found[who] |= {"process": "own", "clockOffsetS": seconds}
        return found

    yield case(
        "unlike/clock-ahead/split/two-stay",
        apart(1, 600, "x || y", "x || z", "x || y"),
        "careful",
        1,
        **MOVE,
        betweenMs=4_000,
        foretold=AS_NOW,
    )
    yield case("unlike/clock-ahead/tags", apart(1, 60, "x", "x", "x"), "careful", to="z", foretold=ONCE)
    yield case(
        "unlike/clock-behind/tags",
        apart(0, -60, "x || y", "x || z"),
        "pause",
        3,
        to="x || y || z",
        foretold=NOTHING,
    )


def unlike_cases(modern: bool) -> list[Json]:
    """All of them."""
    return [*_listeners(), *_brokers(modern), *_groups(), *_clocks()]

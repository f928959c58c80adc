"""Situations that nobody had carried a plan out in: what was foretold of each was written before its first run.

`foretold` says which messages the plan's text announces as lost or handled twice.
"""

from typing import Final

from .cases import FILTER, OLD, case, member, one_killed, tagged
from .hosts import Json

AS_NOW: Final = "as it is now until all have moved; then nothing"
NOTHING: Final = "nothing is lost"
ONCE: Final = "nothing is lost, nothing comes twice but by restarts"


def splits() -> list[Json]:
    """Groups of their own, where several leave, somebody dies, waits, or was there before."""
    two = tagged("x || y", "x || z")
    five = tagged("a || b", "a || b", *["b || c"] * 3)
    wide = [member("A", ("T", "*")), member("B", ("T", "*"), messageModel="BROADCASTING")]
    sql = [member("A", ("T", "x")), member("B", ("T", "TAGS = 'y'"), kind="SQL92")]
    ordered = [{**one, "options": {"orderly": True}} for one in tagged("x || y", "x || y", "x || z")]
    strategies = [
        {**one, "options": {"strategy": strategy}}
        for one, strategy in zip(tagged("*", "*"), ("AVG", "AVG_BY_CIRCLE"), strict=True)
    ]
    move: Json = {"split": {"B": "2"}}
    unread = "what waits in the queue that nobody reads is read from its first message; nothing is lost"
    retried = [two[0], {**two[1], "options": {"failFirst": 6}, "after": {}}]
    return [
        case(
            "rarer/split/two-leave/one-queue",
            tagged("x || y", "x || z", "x || w"),
            "careful",
            1,
            split={"B": "2", "C": "3"},
            betweenMs=4_000,
            foretold=AS_NOW,
        ),
        case(
            "rarer/split/five/one-queue",
            five,
            "careful",
            1,
            split=dict.fromkeys("CDE", "2"),
            betweenMs=4_000,
            foretold=AS_NOW,
        ),
        case(
            "rarer/split/killed-meanwhile",
            one_killed(two),
            "careful",
            **move,
            killed={"before": 2, "member": "A"},
            foretold=AS_NOW,
        ),
        case(
            "rarer/split/backlog/old",
            wide,
            "pause",
            **move,
            slowMs=150,
            drainS=120,
            steadyMs=8_000,
            brokerConfig=OLD,
            foretold="nothing is lost; what B reads while both its instances run comes twice",
        ),
        case(
            "rarer/split/filter-off",
            sql,
            "pause",
            **move,
            filterOff=True,
            refused=["B0", "B1"],
            foretold="x is safe; y waits for a member that no broker as shipped lets start",
        ),
        case(
            "rarer/split/orderly/three-one-killed",
            one_killed(ordered),
            "careful",
            3,
            split={"C": "2"},
            mode="kill",
            gapMs=1_000,
            drainS=110,
            foretold=AS_NOW,
        ),
        case(
            "rarer/split/retry",
            retried,
            "pause",
            **move,
            retried=True,
            foretold="what B failed to handle just before its stop goes to A; nothing else is lost",
        ),
        case(
            "rarer/split/used-before/old",
            two,
            "pause",
            **move,
            usedBefore={"B": "2"},
            brokerConfig=OLD,
            foretold=NOTHING,
        ),
        case("rarer/split/strategies", strategies, "pause", **move, foretold=unread),
        case("rarer/split/strategies/old", strategies, "pause", **move, brokerConfig=OLD, foretold=unread),
        case("rarer/split/replicas", two, "pause", 8, **move, replicas=2, foretold=NOTHING),
        case(
            "rarer/split/replicas/rolling", two, "careful", 3, **move, replicas=2, betweenMs=4_000, foretold=AS_NOW
        ),
        case(
            "rarer/split/heartbeats-between",
            two,
            "careful",
            2,
            **move,
            betweenMs=32_000,
            everyMs=250,
            foretold=AS_NOW,
        ),
    ]  # fmt: skip


def changes() -> list[Json]:
    """Tags and unions: ghosts, kills, replicas, a member that is new, a broker that restarts."""
    topics = [member("A", ("T", "*")), member("B", ("U", "*")), member("C", ("T", "*"))]
    pair = topics[:2]
    new = member("N", ("T", "x || y"))
    down: Json = {"brokerRestart": {"before": 1, "ms": 3_000}, "steadyMs": 8_000}
    return [
        case("rarer/union/ghost/one-queue", topics, "pause", 1, union=True, steadyMs=8_000, foretold=NOTHING),
        case(
            "rarer/union/ghost/one-queue/old",
            topics,
            "pause",
            1,
            union=True,
            steadyMs=8_000,
            brokerConfig=OLD,
            foretold=NOTHING,
        ),
        case("rarer/union/broker-restart", pair, "pause", union=True, foretold=NOTHING, **down),
        case("rarer/split/topics/broker-restart", pair, "pause", split={"B": "2"}, foretold=NOTHING, **down),
        case(
            "rarer/tags/killed-meanwhile",
            [tagged("x")[0], {**tagged("x", "x")[1], "process": "own"}, tagged("x", "x", "x")[2]],
            "careful",
            to="x || y",
            killed={"before": 1, "member": "B"},
            foretold=ONCE,
        ),
        case(
            "rarer/tags/disagree/five/one-queue",
            tagged("a", "a || b", "b", "c", "b || c"),
            "pause",
            1,
            to="a || b || c",
            foretold=NOTHING,
        ),
        case("rarer/tags/replace/replicas", tagged("x", "x"), "careful", 5, to="z", replicas=2, foretold=ONCE),
        case(
            "rarer/tags/disagree/replicas",
            tagged("x || y", "x || z"),
            "careful",
            3,
            to="x || y || z",
            replicas=2,
            foretold="y and z as now until nobody sends them; then nothing",
        ),
        case("rarer/tags/one-joins", tagged("x", "x"), "careful", to="x || y", joins=new, foretold=ONCE),
        case(
            "rarer/tags/heartbeats-between",
            tagged("x || y", "x || y", "x || y"),
            "careful",
            4,
            to="x || z",
            betweenMs=32_000,
            everyMs=250,
            foretold=ONCE,
        ),
    ]  # fmt: skip


def mixed(other: str) -> list[Json]:
    """Half of the members are clients of the other generation."""
    move: Json = {"split": {"B": "2"}}

    def half(*texts: str) -> list[Json]:
        members = tagged(*texts)
        return [*members[:1], *({**one, "clientVersion": other} for one in members[1:])]

    two = half("x || y", "x || z")
    return [
        case("rarer/mixed/tags/narrow", half(*["x || y"] * 3), "careful", to="x", foretold=ONCE),
        case("rarer/mixed/tags/disagree", two, "pause", 2, to="x || y || z", foretold=NOTHING),
        case("rarer/mixed/split/rolling", two, "careful", 1, **move, betweenMs=4_000, foretold=AS_NOW),
        case("rarer/mixed/split/old", two, "pause", **move, brokerConfig=OLD, foretold=NOTHING),
    ]


def popping() -> list[Json]:
    """The broker hands queues and messages out (POP); the new group pulls until it is told otherwise."""
    two = [{**one, "options": {"clientRebalance": False}} for one in tagged("x || y", "x || z")]
    more: Json = {
        "requestMode": "POP",
        "brokerConfig": {**FILTER, "timerWheelEnable": "true"},
        "split": {"B": "2"},
        "drainS": 120,
        "retried": True,
    }
    return [
        case("rarer/pop/split", two, "pause", **more, foretold="what B popped and did not handle goes to A"),
        case("rarer/pop/split/rolling", two, "careful", **more, foretold=AS_NOW),
    ]


def apart(upgrade: Json) -> list[Json]:
    """Members that keep offsets for themselves, messages that come late, topics that only some share, other clients."""
    move: Json = {"split": {"B": "2"}}
    wide = [{**one, "messageModel": "BROADCASTING"} for one in tagged("x", "x")]
    at_odds = [{**one, "messageModel": "BROADCASTING"} for one in tagged("x || y", "x || z")]
    narrow = tagged("x || y", "x || y")
    ring = [{**one, "options": {"strategy": "CONSISTENT_HASH"}} for one in tagged("x || y", "x || z")]
    pulls = [tagged("x || y")[0], {**tagged("", "x || z")[1], "options": {"postSubscriptionWhenPull": True}}]
    shared = [member("A", ("T", "x || y")), member("B", ("T", "x || z"), ("U", "*"))]
    one_more = [member("A", ("T", "x"), ("U", "*")), member("B", ("T", "x"))]
    overlap = [member("A", ("T", "*"), ("U", "*")), member("B", ("U", "*"), ("V", "*"))]
    files = "nothing is lost, if the files of offsets survive: they do not"
    late: Json = {"to": "x", "delays": {"y": 3}, "drainS": 60}
    return [
        case("rarer/tags/broadcasting", wide, "careful", to="x || y", foretold=files),
        case(
            "rarer/tags/broadcasting/kept",
            [{**one, "instance": one["name"]} for one in wide],
            "careful",
            to="x || y",
            gapMs=2_000,
            foretold="nothing is lost, if the files of offsets survive: they do",
        ),
        case(
            "rarer/split/broadcasting-both",
            at_odds,
            "pause",
            **move,
            steadyMs=8_000,
            foretold=f"B loses nothing; A: {files}",
        ),
        case("rarer/tags/narrow/delayed", narrow, "careful", **late, foretold=NOTHING),
        case(
            "rarer/tags/narrow/delayed/not-waited",
            narrow,
            "careful",
            **late,
            unwaited=True,
            foretold="y that arrives after the restarts is filtered",
        ),
        case(
            "rarer/tags/narrow/retry",
            [{**one, "options": {"failFirst": 6}, "after": {}} for one in narrow],
            "careful",
            to="x",
            retried=True,
            drainS=90,
            foretold=NOTHING,
        ),
        case(
            "rarer/tags/narrow/broadcasting",
            [{**one, "messageModel": "BROADCASTING"} for one in narrow],
            "careful",
            to="y",
            foretold=files,
        ),
        case("rarer/tags/one-shared-topic", one_more, "careful", to="x || y", foretold=ONCE),
        case("rarer/tags/consistent-hash", ring, "pause", 8, to="x || y || z", foretold=NOTHING),
        case("rarer/split/consistent-hash", ring, "careful", 8, **move, betweenMs=4_000, foretold=AS_NOW),
        case("rarer/split/post-subscription", pulls, "careful", **move, betweenMs=4_000, foretold=AS_NOW),
        case("rarer/split/one-shared-topic", shared, "pause", **move, steadyMs=8_000, foretold=NOTHING),
        case(
            "rarer/split/one-shared-topic/old",
            shared,
            "pause",
            **move,
            steadyMs=8_000,
            brokerConfig=OLD,
            foretold=NOTHING,
        ),
        case("rarer/union/overlapping", overlap, "pause", 3, union=True, steadyMs=8_000, foretold=NOTHING),
        case(
            "rarer/split/replicas/surge",
            tagged("x || y", "x || z"),
            "careful",
            5,
            **move,
            replicas=2,
            mode="surge",
            foretold=AS_NOW,
        ),
        case(
            "rarer/split/two-brokers/three-groups",
            tagged("a", "b", "c"),
            "pause",
            2,
            split={"B": "2", "C": "3"},
            brokers=["b", "c"],
            steadyMs=12_000,
            foretold=NOTHING,
        ),
        case(
            "rarer/split/namespace-upgrade",
            [member("A", ("n1%T", "x || y")), member("B", ("n1%T", "x || z"))],
            "careful",
            **move,
            namespace="n1",
            upgrade=upgrade,
            betweenMs=4_000,
            foretold=AS_NOW,
        ),
    ]  # fmt: skip


def rarer_cases(broker: str, other: str) -> list[Json]:
    """All of them; `other`: a client of the other generation."""
    modern = broker.startswith("5.")
    upgrade = {"from": other} if modern else {"to": other}
    return [*splits(), *changes(), *mixed(other), *apart(upgrade), *(popping() if modern else [])]

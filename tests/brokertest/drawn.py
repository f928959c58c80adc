"""Situations drawn afresh after the plans of `rarer` were mended; what was foretold of each was written before its run."""

from typing import Final

from .cases import FILTER, OLD, case, member, one_killed, tagged
from .hosts import Json
from .rarer import AS_NOW, NOTHING, ONCE

HELD_BACK: Final = "what only some ask for as now until nobody sends it; then nothing"
MOVE: Final[Json] = {"split": {"B": "2"}}
KILL: Final[Json] = {"mode": "kill", "gapMs": 1_000}
STEADY: Final[Json] = {"steadyMs": 8_000}


def lite(name: str, text: str) -> Json:
    return member(name, ("T", text), clientKind="litepull")


def failing(members: list[Json], times: int = 6) -> list[Json]:
    """Their listeners fail that often, before they are restarted."""
    return [
        {**one, "options": {**one.get("options", {}), "failFirst": times}, "after": {}} for one in members
    ]


def changes() -> list[Json]:
    """Other tags for all, and one set of topics for all."""
    six = [{**one, "name": name} for one, name in zip(tagged("x") * 6, "ABCDEF", strict=True)]
    late: Json = {"transactions": {"y": "late"}, "drainS": 60, "everyMs": 300}
    grown: Json = {"grows": {"before": 1, "to": {"T": 6}}}
    two = tagged("x || y", "x || z")
    topics = [member("A", ("T", "*")), member("B", ("U", "*"))]
    wide = [member("A", ("T", "*"), messageModel="BROADCASTING"), member("B", ("U", "*"))]
    ghost = member("G", ("T", "w"))
    return [
        case("drawn/tags/star-to-list", tagged("*", "*"), "careful", to="x || y", foretold=ONCE),
        case("drawn/tags/one-hash/disagree", tagged("Aa", "BB"), "careful", to="Aa || BB", foretold=HELD_BACK),
        case("drawn/tags/one-hash/pause", tagged("Aa", "BB", "x"), "pause", 5, to="*", foretold=NOTHING),
        case(
            "drawn/tags/six-members/one-queue", one_killed(six), "careful", 1, to="x || z", **KILL, foretold=ONCE
        ),
        case(
            "drawn/tags/not-restarted", tagged("x", "x || y", "x"), "careful", 3, to="x || y", gapMs=0, betweenMs=0,
            foretold=HELD_BACK,
        ),
        case("drawn/tags/lite-pull", [lite("A", "x || y"), lite("B", "x || y")], "careful", to="z", foretold=ONCE),
        case("drawn/tags/lite-and-push", [tagged("x")[0], lite("B", "x || y")], "careful", to="x || y", foretold=HELD_BACK),
        case("drawn/tags/narrow/transactions", tagged("x || y", "x || y"), "careful", to="x", **late, foretold=NOTHING),
        case(
            "drawn/tags/narrow/transactions/not-waited", tagged("x || y", "x || y"), "careful", to="x", **late,
            unwaited=True, foretold="y that is committed after the restarts is filtered",
        ),
        case(
            "drawn/tags/disagree/delayed/not-waited", two, "careful", to="x || y || z", delays={"y": 3}, drainS=60,
            unwaited=True, foretold="y that arrives before the last restart fares as now",
        ),
        case("drawn/tags/queues-grow", tagged("x", "x"), "careful", to="x || y", **grown, foretold=ONCE),
        case("drawn/tags/ghost", tagged("x"), "careful", 1, to="x || y", ghost=ghost, foretold=AS_NOW),
        case("drawn/tags/long-pause", one_killed(two), "pause", 3, to="x || y || z", betweenMs=60_000, everyMs=250,
             drainS=90, foretold=NOTHING),
        case("drawn/tags/careless/narrow", tagged(*["x || y"] * 3), "careless", 5, to="x", gapMs=1_500, betweenMs=6_000,
             foretold="y is lost from the first restart on, at least two fifths of it"),
        case("drawn/union/retry/orderly", failing([{**one, "options": {"orderly": True}} for one in topics]), "pause",
             union=True, **STEADY, drainS=110, retried=True, foretold=NOTHING),
        case("drawn/union/retry/old", failing(topics), "pause", 3, union=True, **STEADY, drainS=90, retried=True,
             brokerConfig=OLD, foretold=NOTHING),
        case("drawn/union/broadcasting", wide, "pause", union=True, **STEADY,
             foretold="B has a half of T stuck before; A misses what is sent while it is stopped"),
        case("drawn/namespace/union", [member("A", ("n1%T", "*")), member("B", ("n1%U", "*"))], "pause", union=True,
             namespace="n1", **STEADY, foretold=NOTHING),
    ]  # fmt: skip


def splits() -> list[Json]:
    """Groups of their own."""
    two = tagged("x || y", "x || z")
    ring = tagged("a || b", "b || c", "c || a")
    topics = [member("A", ("T", "*")), member("B", ("U", "*"))]
    since = [
        {**one, "options": {"consumeFromWhere": "CONSUME_FROM_TIMESTAMP", "consumeSinceS": 5}}
        for one in topics
    ]
    sql = [
        member("A", ("T", "a > 1"), kind="SQL92", asks=["a=2", "a=3"]),
        member("B", ("T", "a > 2 OR a < 2"), kind="SQL92", asks=["a=1", "a=3"]),
    ]
    mixed = [tagged("x")[0], tagged("", "*")[1], member("C", ("T", "*"), messageModel="BROADCASTING")]
    torn = [member("A", ("T", "*")), member("B", ("T", "*"), ("U", "*")), member("C", ("U", "*"))]
    all_leave: Json = {"split": {"A": "2", "B": "3"}}
    grown: Json = {"grows": {"before": 2, "to": {"T": 6}}}
    idle: Json = {"idle": [3], "brokerConfig": OLD}
    return [
        case("drawn/split/lite-pull/old", [two[0], lite("B", "x || z")], "pause", **MOVE, brokerConfig=OLD, foretold=NOTHING),
        case("drawn/split/lite-pull/rolling", [lite("A", "x || y"), lite("B", "x || z")], "careful", **MOVE,
             betweenMs=4_000, foretold=AS_NOW),
        case("drawn/split/sql-both/rolling", sql, "careful", 5, **MOVE, brokerConfig=FILTER, foretold=AS_NOW,
             properties={"a=1": {"a": "1"}, "a=2": {"a": "2"}, "a=3": {"a": "3"}}),
        case("drawn/split/all-leave/retry", failing(two), "pause", **all_leave, retried=True, drainS=90,
             foretold="what was to be tried again comes to nobody; nothing else is lost"),
        case("drawn/split/renamed/old", tagged("x", "x"), "careful", split={"A": "2", "B": "2"}, brokerConfig=OLD,
             foretold=ONCE),
        case("drawn/split/renamed/one-member", tagged("x"), "careful", 3, split={"A": "2"}, foretold=ONCE),
        case("drawn/split/overlapping/two-brokers/broker-restart", ring, "pause", 4, split={"B": "2", "C": "3"},
             brokers=["b", "c"], brokerRestart={"before": 1, "ms": 4_000, "broker": "c"}, **STEADY, foretold=NOTHING),
        case("drawn/split/overlapping/rolling", ring, "careful", 2, split={"B": "2", "C": "3"}, betweenMs=4_000,
             foretold=AS_NOW),
        case("drawn/split/broadcasting-comes-along", mixed, "pause", split={"B": "2", "C": "2"}, **STEADY,
             foretold="half of what B reads is stuck, before and after; C misses nothing"),
        case("drawn/split/queues-grow/rolling", two, "careful", 3, **MOVE, **grown, betweenMs=4_000, foretold=AS_NOW),
        case("drawn/split/queues-grow", two, "pause", 3, **MOVE, **grown, foretold=NOTHING),
        case("drawn/split/offsets-reset", two, "careful", **MOVE, reset={"before": 1, "backMs": 15_000}, **STEADY,
             foretold=f"{AS_NOW}; much comes twice"),
        case("drawn/split/ghost/one-queue", tagged("x || y", "x || z"), "careful", 1, **MOVE,
             ghost=member("G", ("T", "w")), betweenMs=4_000, foretold=AS_NOW),
        case("drawn/split/quiet-queue/old", two, "pause", **MOVE, **idle, steadyMs=4_000,
             foretold="what is sent to the quiet queue while all are stopped is lost: it has no offset yet"),
        case("drawn/split/quiet-queue/later/old", two, "pause", **MOVE, **idle, steadyMs=32_000, foretold=NOTHING),
        case("drawn/split/since/old", since, "pause", **MOVE, **STEADY, brokerConfig=OLD, foretold=NOTHING),
        case("drawn/split/backlog/rolling", two, "careful", 2, **MOVE, slowMs=150, drainS=150, betweenMs=4_000,
             everyMs=200, foretold=AS_NOW),
        case("drawn/split/still-torn", torn, "pause", 3, **MOVE, **STEADY,
             foretold="a part of T and U waits for good after the last step, as the plan says"),
        case("drawn/split/two-kinds-leave-together", tagged("x", "y", "z"), "pause", split={"B": "2", "C": "2"},
             foretold="y and z are lost in part after the last step, as the plan says"),
        case("drawn/split/careless/three/old", ring, "careless", 3, split={"B": "2", "C": "3"}, gapMs=3_000,
             brokerConfig=OLD, foretold="what is sent between stop and start is lost"),
        case("drawn/namespace/split/topics/old",
             [member("A", ("n1%T", "*")), member("B", ("n1%U", "*"))], "pause", **MOVE, namespace="n1", **STEADY,
             brokerConfig=OLD, foretold=NOTHING),
        case("drawn/namespace/split/retry",
             failing([member("A", ("n1%T", "x || y")), member("B", ("n1%T", "x || z"))]), "careful", **MOVE,
             namespace="n1", retried=True, drainS=90, betweenMs=4_000, foretold=AS_NOW),
    ]  # fmt: skip


def mixed(other: str) -> list[Json]:
    """Clients of both generations, two of each member, surge and kills."""
    members = tagged("x || y", "x || z", "x || z")
    half = [*members[:1], *({**one, "clientVersion": other} for one in members[1:])]
    return [
        case("drawn/mixed/split/replicas/killed", one_killed(half), "careful", 7, split={"B": "2", "C": "2"},
             replicas=2, **KILL, foretold=AS_NOW),
        case("drawn/mixed/tags/orderly", [{**one, "options": {"orderly": True}} for one in half], "pause", 3,
             to="x || y || z", drainS=110, foretold=NOTHING),
    ]  # fmt: skip


def second_heartbeat() -> list[Json]:
    """Clients of 5.x that leave out of a heartbeat what has not changed; the broker forgets it when it restarts."""
    two = [{**one, "options": {"useHeartbeatV2": True}} for one in tagged("x || y", "x || z")]
    return [
        case("drawn/heartbeat-v2/split", two, "pause", **MOVE, brokerRestart={"before": 1, "ms": 3_000}, **STEADY,
             foretold=NOTHING),
        case("drawn/heartbeat-v2/tags", two, "careful", to="x || y || z", brokerRestart={"before": 2, "ms": 3_000},
             **STEADY, foretold=HELD_BACK),
    ]  # fmt: skip


def again(upgrade: Json) -> list[Json]:
    """Drawn after what the first of them showed was mended."""
    two = tagged("x || y", "x || z")
    five = [
        {**one, "options": {"strategy": "CONSISTENT_HASH"}} for one in tagged("a", "a", "b", "b", "a || b")
    ]
    pulls = [member("A", ("T", "*"), clientKind="litepull"), member("B", ("U", "*"), clientKind="litepull")]
    wide = [
        {**one, "messageModel": "BROADCASTING", "instance": one["name"]} for one in tagged("x || y", "x || y")
    ]
    three = [member(name, (topic, "*")) for name, topic in zip("ABC", "TUV", strict=True)]
    sql = [*tagged("x || y", "x"), member("C", ("T", "TAGS = 'z'"), kind="SQL92")]
    ordered = [{**one, "options": {"orderly": True}} for one in tagged("x", "x", "x")]
    names = ["b", "c"]
    return [
        case("drawn/again/split/delayed", two, "pause", **MOVE, delays={"z": 3}, drainS=60, foretold=NOTHING),
        case("drawn/tags/two-brokers/broker-restart", two, "careful", to="x || y || z", brokers=["b", "c"],
             brokerRestart={"before": 2, "ms": 4_000, "broker": "c"}, **STEADY, foretold=HELD_BACK),
        case("drawn/again/split/five/consistent-hash", one_killed(five), "pause", 12, split=dict.fromkeys("CD", "2"),
             foretold="b is lost in part by E, whose group stays at odds; the plan says so"),
        case("drawn/again/union/lite-pull/old", pulls, "pause", union=True, **STEADY, brokerConfig=OLD, foretold=NOTHING),
        case("drawn/again/split/topics/lite-pull/old", pulls, "pause", 3, **MOVE, **STEADY, brokerConfig=OLD,
             foretold=NOTHING),
        case("drawn/again/tags/narrow/broadcasting/two-brokers", wide, "careful", to="x", brokers=names, gapMs=2_000,
             foretold="nothing is lost, if the files of offsets survive: they do"),
        case("drawn/again/tags/disagree/broker-restart/killed",
             [{**tagged("x || y")[0]}, {**tagged("", "x || z")[1], "process": "own"}], "pause", 5, to="x || y || z",
             brokerRestart={"before": 1, "ms": 3_000}, killed={"before": 0, "member": "B"}, **STEADY, foretold=NOTHING),
        case("drawn/again/split/both-used-before/old", tagged("a || b", "b || c", "c || a"), "careful", 6,
             split={"B": "2", "C": "3"}, usedBefore={"B": "2", "C": "3"}, brokerConfig=OLD, betweenMs=4_000,
             foretold=AS_NOW),
        case("drawn/again/namespace/tags/two-brokers",
             [member(name, ("n1%T", text)) for name, text in zip("AB", ("x || y", "y || z"), strict=True)], "careful",
             to="y", namespace="n1", brokers=names, replicas=2, foretold=HELD_BACK),
        case("drawn/again/split/sql-leaves/surge", sql, "careful", 6, split={"C": "2"}, brokerConfig=FILTER,
             mode="surge", betweenMs=4_000, foretold=AS_NOW),
        case("drawn/again/union/three/queues-grow", one_killed(three), "pause", 3, union=True, **STEADY,
             grows={"before": 1, "to": {"T": 6, "V": 4}}, foretold=NOTHING),
        case("drawn/again/tags/upgrade/orderly/surge", ordered, "careful", 5, to="x || y", mode="surge", upgrade=upgrade,
             drainS=110, foretold=ONCE),
        case("drawn/again/split/transactions/rolling", two, "careful", **MOVE, transactions={"z": "late"}, betweenMs=4_000,
             restMs=30_000, drainS=90, foretold=AS_NOW),
        case("drawn/again/tags/chinese", tagged("订单", "订单 || 退款", "*"), "careful", to="订单 || 退款 || 取消",
             foretold="what only some ask for as now until nobody sends it; then nothing"),
    ]  # fmt: skip


def drawn_cases(other: str) -> list[Json]:
    """The first of them; `other`: a client of the other generation."""
    return [*changes(), *splits(), *mixed(other)]

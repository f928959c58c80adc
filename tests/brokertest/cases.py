"""Plans that are carried out: groups, goals and circumstances, in the words of `plans`. `catalogue` lists all.

Each is a plan that `subdrift rollout` prints for such a group; `order` says which of its orders is done.
"""

from typing import Any, Final

from .hosts import Json

OLD: Final = {"fileReservedTime": "0", "mappedFileSizeCommitLog": str(4 << 20)}
"""A broker whose topics have lost their first messages: a new group begins at their end."""
OLD_4: Final = {"accessMessageInMemoryMaxRatio": "0"}
"""The same for 4.x, whose brokers ask whether the first message is still in memory."""
POP: Final = {"timerWheelEnable": "true"}
POPPED_MS: Final = 75_000
"""What a gRPC client that stops was given and did not answer for comes again after a minute."""
FILTER: Final = {"enablePropertyFilter": "true"}


def member(name: str, *subscriptions: tuple[str, str], kind: str = "TAG", **more: Any) -> Json:
    own = [{"topic": topic, "type": kind, "expression": text} for topic, text in subscriptions]
    return {"name": name, "subscriptions": own, **more}


def tagged(*expressions: str) -> list[Json]:
    return [member(name, ("T", text)) for name, text in zip("ABCDE", expressions, strict=False)]


def case(name: str, members: list[Json], order: str, queues: int = 4, **more: Any) -> Json:
    topics = dict.fromkeys((one["topic"] for each in members for one in each["subscriptions"]), queues)
    return {"id": name, "members": members, "topics": topics, "order": order, **more}


def tag_cases() -> list[Json]:
    return [
        case("tags/widen", tagged("x", "x"), "careful", to="x || y"),
        case("tags/widen/surge", tagged("x", "x"), "careful", to="x || y", mode="surge", timing="fast"),
        case("tags/widen/8-queues-5-members", tagged(*["x"] * 5), "careful", 8, to="x || y"),
        case(
            "tags/widen/no-pause-between", tagged("x", "x", "x"), "careful", to="x || y", gapMs=0, betweenMs=0
        ),
        case("tags/narrow", tagged("x || y", "x || y"), "careful", to="x"),
        case("tags/narrow/one-queue", tagged("x || y", "x || y"), "careful", 1, to="x"),
        case("tags/replace", tagged("x || y", "x || y"), "careful", to="x || z"),
        case(
            "tags/replace/killed",
            [{**one, "process": "own"} for one in tagged("x", "x")],
            "careful",
            to="z",
            mode="kill",
            gapMs=1000,
        ),
        case("tags/replace/surge", tagged("x", "x", "x"), "careful", 2, to="z", mode="surge", timing="fast"),
        case("tags/disagree/widen", tagged("x || y", "x || z"), "careful", to="x || y || z"),
        case("tags/disagree/widen/one-queue", tagged("x || y", "x || z"), "careful", 1, to="x || y || z"),
        case("tags/disagree/widen/slow", tagged("x || y", "x || z"), "careful", to="x || y || z", slowMs=30),
        case("tags/disagree/pause", tagged("x || y", "x || z"), "pause", to="x || y || z"),
        case("tags/disagree/pause/one-queue", tagged("x || y", "x || z"), "pause", 1, to="x || y || z"),
        case(
            "tags/disagree/pause/five",
            tagged("a", "b", "c", "d", "e"),
            "pause",
            8,
            to="a || b || c || d || e",
        ),
        case("tags/disagree/replace", tagged("a || b", "b || c", "c || d"), "careful", to="a || d"),
        case(
            "tags/disagree/replace/surge",
            tagged("a || b", "b || c", "c || d"),
            "careful",
            to="a || d",
            mode="surge",
            timing="fast",
        ),
        case("tags/disagree/star", tagged("x", "*"), "careful", to="*"),
        case("tags/disagree/star/pause", tagged("x", "*"), "pause", to="*"),
        case("tags/careless/disagree", tagged("x || y", "x || z"), "careless", to="x || y || z", gapMs=1500),
        case("tags/separator", tagged("x,y", "x,y"), "careful", to="x || y"),
        case("tags/separator/mixed", tagged("x,y", "x || y"), "careful", to="x || y"),
        case("tags/star-in-list", tagged("x || *", "x || *"), "careful", to="*"),
        case("tags/spelling", tagged("x || y", "y || x"), "careful", to="x || y"),
    ]


def split_cases() -> list[Json]:
    two = tagged("x || y", "x || z")
    move: Json = {"split": {"B": "2"}}
    same = tagged("x", "x")
    topics = [member("A", ("T", "*")), member("B", ("U", "*"))]
    sql = [member("A", ("T", "x")), member("B", ("T", "TAGS = 'y'"), kind="SQL92")]
    wide = [member("A", ("T", "*")), member("B", ("T", "*"), messageModel="BROADCASTING")]
    three = tagged("x || y", "x || z", "x || z")
    found = [
        case("split/tags", two, "pause", **move),
        case("split/tags/rolling", two, "careful", **move),
        case("split/tags/rolling/surge", two, "careful", **move, mode="surge"),
        case(
            "split/tags/rolling/killed",
            [{**one, "process": "own"} for one in two],
            "careful",
            **move,
            mode="kill",
            gapMs=1000,
        ),
        case("split/tags/one-queue", two, "pause", 1, **move),
        case("split/tags/one-queue/rolling", two, "careful", 1, **move, betweenMs=5_000),
        case("split/tags/three/rolling", three, "careful", 2, split={"B": "2", "C": "2"}, betweenMs=4_000),
        case(
            "split/tags/three-groups",
            tagged("a", "b", "c"),
            "pause",
            6,
            split={"B": "2", "C": "3"},
            steadyMs=12_000,
        ),
        case("split/tags/slow", two, "pause", **move, slowMs=30, everyMs=200),
        case("split/tags/slow/rolling", two, "careful", **move, slowMs=30, everyMs=200),
        case("split/same", same, "pause", **move),
        case("split/same/rolling", same, "careful", **move),
        case("split/topics", topics, "pause", **move, steadyMs=8_000),
        case("split/message-model", wide, "pause", **move, steadyMs=8_000),
        case("split/careless", two, "careless", **move, gapMs=3_000),
        case("union/topics", topics, "pause", union=True, steadyMs=8_000),
        case("union/topics/careless", topics, "careless", union=True, steadyMs=8_000),
        case("split/topics/one-after-the-other", topics, "pause", **move, steadyMs=8_000, stopGapMs=4_000),
    ]
    old = [
        {**one, "id": f"{one['id']}/old", "brokerConfig": OLD} for one in found if "killed" not in one["id"]
    ]
    filters = [
        case("split/filter-type", sql, "pause", **move, brokerConfig=FILTER),
        case("split/filter-type/rolling", sql, "careful", **move, brokerConfig=FILTER),
    ]
    return [*found, *filters, *old]


def one_killed(members: list[Json]) -> list[Json]:
    """The first of them has a JVM of its own, which is killed."""
    return [{**members[0], "process": "own"}, *members[1:]]


def more_cases() -> list[Json]:
    """Other numbers of queues and members, surge and kills, for kinds of plans that had few runs."""
    kill: Json = {"mode": "kill", "gapMs": 1000}
    surge: Json = {"mode": "surge", "timing": "fast"}
    sql = [member("A", ("T", "x")), member("B", ("T", "TAGS = 'y'"), kind="SQL92")]
    both = [*sql, member("C", ("T", "x"))]
    wide = [member("A", ("T", "*")), member("B", ("T", "*"), messageModel="BROADCASTING")]
    topics = [member("A", ("T", "*")), member("B", ("U", "*"))]
    three_topics = [*topics, member("C", ("V", "*"))]
    move: Json = {"split": {"B": "2"}}
    found = [
        case("more/tags/widen/8-queues-4-members", tagged(*["x"] * 4), "careful", 8, to="x || y", **surge),
        case(
            "more/tags/widen/one-killed", one_killed(tagged("x", "x", "x")), "careful", 2, to="x || y", **kill
        ),
        case("more/tags/narrow/7-queues-3-members", tagged(*["x || y"] * 3), "careful", 7, to="x", **surge),
        case(
            "more/tags/narrow/one-killed", one_killed(tagged(*["x || y"] * 4)), "careful", 5, to="y", **kill
        ),
        case("more/tags/replace/5-queues", tagged("x || y", "x || y"), "careful", 5, to="y || z"),
        case(
            "more/tags/disagree/one-killed",
            one_killed(tagged("x || y", "x || z", "x")),
            "careful",
            3,
            to="x || y || z",
            **kill,
        ),
        case("more/tags/disagree/8-queues", tagged("x", "y"), "pause", 8, to="x || y"),
        case("more/tags/disagree/five", tagged("a", "a || b", "b", "b || c", "*"), "pause", 6, to="*"),
        case("more/split/same/three", tagged("x", "x", "x"), "careful", 6, split={"B": "2", "C": "3"}),
        case(
            "more/split/tags/one-killed", one_killed(tagged("x || y", "x || z")), "careful", 5, **move, **kill
        ),
    ]
    splits = [
        case("more/split/topics/three", three_topics, "pause", 3, split={"B": "2", "C": "3"}, steadyMs=8_000),
        case("more/split/topics/one-queue", topics, "pause", 1, **move, steadyMs=8_000),
        case("more/split/message-model/8-queues", wide, "pause", 8, **move, steadyMs=8_000),
        case("more/split/message-model/one-queue", wide, "pause", 1, **move, steadyMs=8_000),
        case("more/union/three", three_topics, "pause", 6, union=True, steadyMs=8_000),
        case("more/union/one-queue", topics, "pause", 1, union=True, steadyMs=8_000),
        case(
            "more/split/tags/five",
            tagged("a || b", "a || b", "b || c", "b || c", "b || c"),
            "pause",
            8,
            split=dict.fromkeys("CDE", "2"),
        ),
    ]
    filters = [
        case("more/split/filter-type/one-queue", sql, "pause", 1, **move),
        case("more/split/filter-type/8-queues", sql, "careful", 8, **move),
        case("more/split/filter-type/three", both, "pause", 3, **move),
    ]
    old = [{**one, "id": f"{one['id']}/old", "brokerConfig": OLD} for one in splits]
    return [*found, *splits, *old, *({**one, "brokerConfig": FILTER} for one in filters)]


def orderly_cases() -> list[Json]:
    """Listeners that handle each queue in order hold a lock on it at the broker, for 60 s where they are killed."""

    def ordered(*expressions: str) -> list[Json]:
        return [{**one, "options": {"orderly": True}} for one in tagged(*expressions)]

    slow: Json = {"drainS": 110}
    kill: Json = {"mode": "kill", "gapMs": 1000}
    two = ordered("x || y", "x || z")
    return [
        case("orderly/tags/widen", ordered("x", "x"), "careful", to="x || y", **slow),
        case(
            "orderly/tags/widen/three",
            ordered(*["x"] * 3),
            "careful",
            8,
            to="x || y",
            betweenMs=0,
            gapMs=0,
            **slow,
        ),
        case(
            "orderly/tags/replace/surge",
            ordered("x", "x"),
            "careful",
            to="z",
            mode="surge",
            timing="fast",
            **slow,
        ),
        case(
            "orderly/tags/narrow/one-killed",
            one_killed(ordered(*["x || y"] * 2)),
            "careful",
            to="x",
            **kill,
            **slow,
        ),
        case("orderly/tags/disagree/pause", two, "pause", to="x || y || z", **slow),
        case("orderly/split", two, "pause", split={"B": "2"}, **slow),
        case("orderly/split/rolling", two, "careful", split={"B": "2"}, **slow),
    ]


def remedy_cases() -> list[Json]:
    """Remedies that are not plans of `rollout`: all members stop and start anew, or one after the other, as they shall be."""

    def members(before: list[Json], after: Json, text: str = "x") -> list[Json]:
        return [
            {**member(name, ("T", text)), "options": own, "after": after}
            for name, own in zip("ABC", before, strict=False)
        ]

    mixed: list[Json] = [{"strategy": "AVG"}, {"strategy": "AVG_BY_CIRCLE"}]
    modes: list[Json] = [{"orderly": True}, {}]
    places: list[Json] = [{"consumeFromWhere": f"CONSUME_FROM_{one}_OFFSET"} for one in ("FIRST", "LAST")]
    together: Json = {"order": "pause", "restart": "together"}
    rolling: Json = {"order": "careful", "restart": "one after the other"}
    first: Json = {"order": "pause", "restart": "first use", "brokerConfig": OLD}
    since: list[Json] = [
        {"consumeFromWhere": "CONSUME_FROM_TIMESTAMP", "consumeSinceS": seconds} for seconds in (3600, 0)
    ]
    young: Json = {"order": "pause", "restart": "first use"}
    average: Json = {"strategy": "AVG"}
    return [
        case("remedy/allocation-strategy/4-queues", members(mixed, average), **together),
        case(
            "remedy/allocation-strategy/8-queues", members([*mixed, average], average), queues=8, **together
        ),
        case("remedy/allocation-strategy/circle", members(mixed, mixed[1]), queues=5, **together),
        case("remedy/consume-mode/orderly", members(modes, {"orderly": True}), drainS=110, **rolling),
        case("remedy/consume-mode/concurrently", members(modes, {}), drainS=110, **rolling),
        case(
            "remedy/consume-mode/orderly/together", members(modes, {"orderly": True}), drainS=110, **together
        ),
        case("remedy/consume-from/same", members([places[0]] * 2, places[0]), **first),
        case("remedy/consume-from/mixed", members(places, places[0]), **{**first, "gap": True}),
        case("remedy/consume-from/an-hour-ago", members([since[0]] * 2, {}), **first),
        case("remedy/consume-from/now", members([since[1]] * 2, {}), **{**first, "gap": True}),
        case("remedy/consume-from/now/young", members([since[1]] * 2, {}), **young),
    ]


def wider_cases(upgrade: Json) -> list[Json]:
    """Two brokers, a namespace, and clients of 5.x in the place of those of 4.x (`upgrade`: from, or to what version)."""
    two = tagged("x || y", "x || z")
    topics = [member("A", ("T", "*")), member("B", ("U", "*"))]
    move: Json = {"split": {"B": "2"}}
    plans = [
        case("tags/widen", tagged("x", "x"), "careful", to="x || y"),
        case("tags/replace/surge", tagged("x", "x"), "careful", to="z", mode="surge", timing="fast"),
        case("tags/disagree/widen", two, "careful", to="x || y || z"),
        case("tags/disagree/pause", two, "pause", 2, to="x || y || z"),
        case("split/pause", two, "pause", **move),
        case("split/rolling", two, "careful", 2, **move, betweenMs=4_000),
        case("split/topics", topics, "pause", **move, steadyMs=8_000),
        case("union", topics, "pause", union=True, steadyMs=8_000),
    ]
    within = [
        case(name, [member("A", ("n1%T", "x || y")), member("B", ("n1%T", "x || z"))], order, **more)
        for name, order, more in (
            ("tags/disagree/widen", "careful", {"to": "x || y || z"}),
            ("split/pause", "pause", move),
            ("split/rolling", "careful", move),
        )
    ]
    upgraded = [one for one in plans if "topics" not in one["id"]]
    same = [{**member(name, ("T", "x")), "options": {}, "after": {}} for name in "ABC"]
    upgraded.append(case("restart", same, "careful", restart="one after the other"))
    return [
        *({**one, "id": f"two-brokers/{one['id']}", "brokers": ["b", "c"]} for one in plans),
        *({**one, "id": f"namespace/{one['id']}", "namespace": "n1"} for one in within),
        *({**one, "id": f"upgrade/{one['id']}", "upgrade": upgrade} for one in upgraded),
    ]


def settled_cases() -> list[Json]:
    """Remedies that make members alike: they all stop, and start anew with one filter, one model, one kind of client."""
    together: Json = {"order": "pause", "restart": "together"}
    rolling: Json = {"order": "careful", "restart": "one after the other"}
    first: Json = {"options": {"consumeFromWhere": "CONSUME_FROM_FIRST_OFFSET"}}
    alike = {"subscriptions": [{"topic": "T", "type": "TAG", "expression": "x || y"}]}
    above = {"subscriptions": [{"topic": "T", "type": "SQL92", "expression": "a > 1"}]}
    wide = [member("A", ("T", "*")), member("B", ("T", "*"), messageModel="BROADCASTING")]
    clustering = [{**one, "becomes": {"messageModel": "CLUSTERING"}} for one in wide]
    mixed = [
        {**member("A", ("T", "*")), "options": {"strategy": "AVG"}, "after": {"strategy": "AVG"}},
        {**member("B", ("T", "*")), "options": {"strategy": "AVG_BY_CIRCLE"}, "after": {"strategy": "AVG"}},
    ]
    from_first = [{**one, "after": {**one["after"], **first["options"]}} for one in mixed]
    filters = [
        {**member("A", ("T", "x || y")), "becomes": alike},
        {**member("B", ("T", "TAGS = 'x'"), kind="SQL92"), "becomes": alike},
    ]
    selectors = [
        {**member("A", ("T", "a > 1"), kind="SQL92"), "becomes": above},
        {**member("B", ("T", "a > 2"), kind="SQL92"), "becomes": above},
    ]
    sent: Json = {"sent": ["two", "three"], "properties": {"two": {"a": "2"}, "three": {"a": "3"}}}
    young = [
        case("remedy/allocation-strategy/all", mixed, **together, gap=True),
        case("remedy/allocation-strategy/all/rolling", mixed, **rolling, gap=True),
        case("remedy/allocation-strategy/from-first", from_first, **together),
        case("remedy/allocation-strategy/from-first/rolling", from_first, **rolling),
        case("remedy/message-model/same", clustering, **together),
        case(
            "remedy/message-model/same/from-first",
            [{**one, "becomes": {**one["becomes"], **first}} for one in clustering],
            **together,
        ),
    ]
    filtered = [
        case("remedy/filter-type/same", filters, **together),
        case("remedy/sql/same", selectors, **together, **sent),
    ]
    old = [{**one, "id": f"{one['id']}/old", "brokerConfig": OLD} for one in young]
    young = [{key: value for key, value in one.items() if key != "gap"} for one in young]
    return [*young, *old, *({**one, "brokerConfig": FILTER} for one in filtered)]


def said_alike_cases(broker: str) -> list[Json]:
    """Remedies of findings that are told by themselves: one listener, one spelling, another tag, names for clients."""
    rolling: Json = {"order": "careful", "restart": "one after the other"}
    clash = tagged("Aa || BB", "Aa || BB")
    same = [{**member(name, ("T", "x")), "options": {}, "after": {}, "instance": "same"} for name in "AB"]
    named = [{**one, "becomes": {"instance": one["name"]}} for one in same]
    unnamed = [{**one, "instance": ""} for one in same]
    found = [
        case("remedy/shared-group/same", tagged("x || y", "x || y"), **rolling),
        case("remedy/almost-equal-tags/same", tagged("pay", "PAY"), "careful", to="PAY"),
        case("remedy/tag-hash-collision/rename", clash, "careful", to="Aa || CC"),
        case("remedy/same-client-id/name", named, **rolling, refused=["B0"]),
    ]
    upgrade = {"to": "5.3.3"} if broker == "4.8.0" else {"from": "4.8.0"}
    found.append(case("remedy/same-client-id/version", unnamed, **rolling, refused=["B0"], upgrade=upgrade))
    return found


def given_up_cases() -> list[Json]:
    """Instead of one member that gives up a topic while the others go on: that member stops, or all give it up."""
    both = [member(name, ("T", "*"), ("U", "*")) for name in "AB"]
    return [
        case("remedy/given-up/stop", both, "careful", givesUp="A"),
        case("remedy/given-up/all", both, "careful", givesUp="U"),
    ]


def interrupted_cases() -> list[Json]:
    """The broker ends and comes back while a plan is carried out."""
    two = tagged("x || y", "x || z")
    down: Json = {"brokerRestart": {"before": 1, "ms": 3_000}, "steadyMs": 8_000}
    move: Json = {"split": {"B": "2"}}
    return [
        case("broker-restart/tags/replace", tagged("x", "x"), "careful", to="z", **down),
        case("broker-restart/tags/disagree", two, "careful", to="x || y || z", **down),
        case("broker-restart/split/pause", two, "pause", **move, **down),
        case("broker-restart/split/rolling", two, "careful", **move, **down),
    ]


def grpc_pair() -> list[Json]:
    return [member(name, ("T", text), clientKind="grpc") for name, text in (("F", "x || y"), ("G", "x || z"))]


def grpc_cases(mode: str) -> list[Json]:
    """Nobody but gRPC members: no heartbeat creates the group's topic for retries."""
    more: Json = {
        "brokerConfig": POP,
        "proxy": mode,
        "betweenMs": 6_000,
        "steadyMs": 12_000,
        "drainS": 90,
        "restMs": POPPED_MS,
        "retried": True,
    }
    same = [{**one, "subscriptions": grpc_pair()[0]["subscriptions"]} for one in grpc_pair()]
    return [
        case(f"grpc-{mode}/alone/split/pause", grpc_pair(), "pause", split={"G": "2"}, **more),
        case(f"grpc-{mode}/alone/split/rolling", grpc_pair(), "careful", split={"G": "2"}, **more),
        case(f"grpc-{mode}/alone/tags/widen", grpc_pair(), "careful", to="x || y || z", **more),
        case(f"grpc-{mode}/alone/tags/narrow", same, "careful", to="x", **more),
    ]


def proxied_cases(mode: str) -> list[Json]:
    """gRPC members, through a proxy, get a group of their own, or take over from remoting ones."""
    more: Json = {
        "brokerConfig": POP,
        "proxy": mode,
        "betweenMs": 8_000,
        "steadyMs": 12_000,
        "drainS": 90,
        "restMs": POPPED_MS,
    }
    pair = [member("A", ("T", "x || y")), member("G", ("T", "x || z"), clientKind="grpc")]
    moving = [
        {**member("A", ("T", "x")), "becomes": {"clientKind": "grpc"}},
        member("G", ("T", "x"), clientKind="grpc"),
    ]
    return [
        case(f"grpc-{mode}/split/pause", pair, "pause", split={"G": "2"}, **more),
        case(f"grpc-{mode}/split/rolling", pair, "careful", split={"G": "2"}, **more),
        case(f"grpc-{mode}/move", moving, "careful", restart="one after the other", **more),
    ]

"""What the live proof runs: a handful of groups, in the scenario format of the recorded traces.

Chosen so that each mechanism is met once: the race for the table, a member without a queue, a ghost, flapping topics,
hash collisions, SQL92, a member's own filter, a blank and a reordered list, a kill.
"""

from .hosts import Json


def tag(topic: str, expression: str, kind: str = "TAG") -> Json:
    return {"topic": topic, "type": kind, "expression": expression}


def member(name: str, *subscriptions: Json, **more: object) -> Json:
    return {
        "name": name,
        "clientKind": "push",
        "messageModel": "CLUSTERING",
        "subscriptions": list(subscriptions),
        "options": {},
        **more,
    }


def messages(
    topic: str, queues: int, tags: list[str | None], phase: int = 1, prefix: str = "m"
) -> list[Json]:
    """One message per tag, message i in queue i modulo the number of queues."""
    return [
        {"id": f"{prefix}{i}", "topic": topic, "queue": i % queues, "tag": t, "phase": phase}
        for i, t in enumerate(tags)
    ]


def grid(topic: str, queues: int, tags: list[str | None], prefix: str) -> list[Json]:
    """Every tag into every queue."""
    return messages(topic, queues, [t for t in tags for _ in range(queues)], prefix=prefix)


def joined(names: list[str], gap_ms: int = 1500) -> list[Json]:
    """Start the members one after the other and let them settle."""
    steps: list[Json] = []
    for i, name in enumerate(names):
        steps += ([{"wait": gap_ms}] if i else []) + [{"start": name}]
    return [*steps, {"settle": 4000}]


SENT: list[Json] = [{"send": 1}, {"judge": True}]
SENT_AGAIN: list[Json] = [{"send": 2}, {"judge": True}]
FIRST_THEN_SECOND: list[str | None] = [*["TagA"] * 4, *["TagB"] * 4]


def scenario(
    name: str, queues: int, members: list[Json], steps: list[Json], sent: list[Json], **more: object
) -> Json:
    return {
        "id": name,
        "topics": {"T": queues},
        "timing": "fast",
        "members": members,
        "idOrder": [m["name"] for m in members],
        "steps": steps,
        "messages": sent,
        **more,
    }


def all_scenarios() -> list[Json]:
    a, b = member("A", tag("T", "TagA")), member("B", tag("T", "TagB"))
    posts = {"options": {"postSubscriptionWhenPull": True}}
    eight = messages("T", 4, FIRST_THEN_SECOND)
    eight_again = messages("T", 4, FIRST_THEN_SECOND, phase=2, prefix="n")
    hashes: list[str | None] = [*["Aa"] * 4, *["BB"] * 4]
    twelve: list[str | None] = [*FIRST_THEN_SECOND, *["TagC"] * 4]
    everything_a: list[str | None] = ["TagA"] * 10
    slow = {"timing": "default"}
    join_ab = joined(["A", "B"])
    return [
        scenario("O-000/newcomer-sorts-last", 4, [a, b], join_ab + SENT, eight, **slow),
        scenario("O-000/newcomer-sorts-first", 4, [a, b], join_ab + SENT, eight, idOrder=["B", "A"], **slow),
        scenario(
            "O-004a/10-seconds-apart",
            4,
            [member("C1", tag("TopicTest", "*")), member("C2", tag("mytest", "*"))],
            [*joined(["C1", "C2"], 10_000), {"send": 1}, {"judge": 45}],
            grid("TopicTest", 4, [None], "t") + grid("mytest", 4, [None], "y"),
            topics={"TopicTest": 4, "mytest": 4},
            **slow,
        ),
        scenario("D4/newcomer-sorts-last", 1, [a, b], join_ab + SENT, messages("T", 1, FIRST_THEN_SECOND)),
        scenario(
            "D4/newcomer-sorts-first",
            1,
            [a, b],
            join_ab + SENT,
            messages("T", 1, FIRST_THEN_SECOND),
            idOrder=["B", "A"],
        ),
        scenario(
            "D5/ghost",
            2,
            [member("c1", tag("T", "TagA")), member("c2", tag("T", "TagA")), member("c3", tag("T", "TagB"))],
            [*joined(["c1", "c2", "c3"], 2500), {"stop": "c3"}, {"settle": 6000}, *SENT],
            messages("T", 2, everything_a),
        ),
        scenario(
            "D7/star-beside-a-tag", 4, [a, member("S", tag("T", "*"))], joined(["A", "S"]) + SENT, eight
        ),
        scenario(
            "D8/rolling-upgrade",
            4,
            [a, member("B", tag("T", "TagA||TagB"))],
            [*join_ab, *SENT, {"stop": "A"}, {"settle": 6000}, *SENT_AGAIN],
            eight + eight_again,
        ),
        scenario(
            "D9/order-and-spaces",
            4,
            [member("A", tag("T", "TagA||TagB")), member("B", tag("T", " TagB ||  TagA"))],
            join_ab + SENT,
            eight,
        ),
        scenario("D10/blank-beside-a-tag", 4, [member("A", tag("T", " ")), b], join_ab + SENT, eight),
        scenario(
            "D12/hash-collision",
            4,
            [member("A", tag("T", "Aa")), member("B", tag("T", "BB"))],
            join_ab + SENT,
            messages("T", 4, hashes),
        ),
        scenario(
            "D14/sql-beside-a-tag",
            4,
            [a, member("S", tag("T", "TAGS = 'TagB'", "SQL92"))],
            joined(["A", "S"]) + SENT,
            eight,
            brokerConfig={"enablePropertyFilter": "true"},
        ),
        scenario(
            "D14/a-tag-beside-sql",
            4,
            [a, member("S", tag("T", "TAGS = 'TagB'", "SQL92"))],
            joined(["S", "A"]) + SENT,
            eight,
            brokerConfig={"enablePropertyFilter": "true"},
        ),
        scenario(
            "D16/broadcasting-beside-clustering",
            4,
            [member("C", tag("T", "*")), member("B", tag("T", "*"), messageModel="BROADCASTING")],
            [*joined(["B", "C"]), {"wait": 6000}, *SENT],
            eight,
        ),
        scenario(
            "D19/lite-pull-beside-push",
            4,
            [a, member("L", tag("T", "TagB"), clientKind="litepull")],
            joined(["A", "L"], 2000) + SENT,
            eight,
        ),
        scenario("D23/both-send-their-filter", 4, [{**a, **posts}, {**b, **posts}], join_ab + SENT, eight),
        scenario(
            "D27/three-tags",
            4,
            [a, b, member("C", tag("T", "TagC"))],
            joined(["A", "B", "C"], 3000) + SENT,
            messages("T", 4, twelve),
        ),
        scenario(
            "X3/killed",
            4,
            [a, member("B", tag("T", "TagB"), process="own")],
            [*join_ab, *SENT, {"kill": "B"}, {"settle": 6000}, *SENT_AGAIN],
            eight + eight_again,
        ),
    ]

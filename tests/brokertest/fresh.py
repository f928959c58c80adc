"""Plans for groups that nobody thought of: a seed in, cases out. What a plan says is written down before it is carried out.

Members, filters, queues, the order of steps and the circumstances are drawn; what is foretold of a case is the title of
its plan. A seed is drawn after whatever the one before it showed is mended, and never again.
"""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Final

from subdrift.linter.broker.rollout.plan import Order, Plan, RolloutError
from subdrift.linter.report.language import language
from subdrift.linter.report.rollouts import Told

from .cases import OLD, case, member, one_killed
from .hosts import Json
from .plans import plan_of

SEEDS: Final = {
    24_101: (18, False),
    24_201: (14, False),
    24_202: (14, True),
    24_301: (8, False),
    24_302: (8, True),
}
"""Seed -> how many cases, and whether more circumstances are drawn: what happens on the way, and how messages come."""
_TAGS: Final = "abcd"
_NAMES: Final = "ABCDE"


@cache
def fresh_cases(other: str) -> tuple[Json, ...]:
    """All of them; `other`: a client of the other generation."""
    return tuple(one for seed in SEEDS for one in drawn(seed, other))


def drawn(seed: int, other: str) -> Iterator[Json]:
    """So many cases that have a plan with something to do."""
    (count, wide), random, number = SEEDS[seed], Random(seed), 0
    while number < count:
        one = _drawn(random, other)
        one |= _meanwhile(random, one) if wide else {}
        plan = _plan(one)
        ways = [way for way in plan.ways if way.steps] if plan else []
        if plan is None or not ways:
            continue
        number += 1
        careful = [way for way in ways if way.order is not Order.CARELESS]
        way = random.choice(careful if careful and random.random() < 0.9 else ways)
        kind = next(key for key in ("to", "split", "union") if key in one)
        foretold = Told(plan, language("en")).title(way)
        one |= {
            "id": f"fresh/{seed}/{number:02d}/{kind}",
            "order": way.order.value,
            "foretold": foretold,
        }
        yield one


def _plan(one: Json) -> Plan | None:
    try:
        return plan_of(one)
    except RolloutError:
        return None


def _drawn(random: Random, other: str) -> Json:
    """A group, a goal and circumstances, without an order."""

    def perhaps(part: float) -> bool:
        return random.random() < part

    kind = random.choices(["to", "split", "union"], [4, 5, 2])[0]
    members = [_member(random, kind, name) for name in _NAMES[: random.randint(2, 4 + (kind != "union"))]]
    more: Json = {"betweenMs": random.choice([0, 1_500, 4_000]), "steadyMs": random.choice([3_000, 9_000])}
    if kind == "to":
        more["to"] = _tags(random)
    elif kind == "split":
        leaving = random.sample(members, random.randint(1, len(members) - (not perhaps(0.1))))
        more["split"] = {one["name"]: random.choice("23") for one in leaving}
    else:
        more["union"] = True
    if perhaps(0.35):
        more |= {"mode": "surge"} if perhaps(0.6) else {"mode": "kill", "gapMs": 1_000}
    else:
        more["gapMs"] = random.choice([0, 300, 2_000])
    members = one_killed(members) if more.get("mode") == "kill" else members
    options: Json = {}
    if perhaps(0.2):
        options, more["drainS"] = {"orderly": True}, 110
    elif perhaps(0.25):
        options = {"strategy": random.choice(["AVG_BY_CIRCLE", "CONSISTENT_HASH"])}
    if perhaps(0.2):
        more |= {"slowMs": random.choice([20, 80]), "everyMs": 200, "drainS": 110}
    if perhaps(0.15):
        more["replicas"] = 2
    members = [{**one, "options": options} for one in members]
    if perhaps(0.15):
        members = [{**one, "clientKind": "litepull"} for one in members]
    elif perhaps(0.2):
        members[-1]["clientVersion"] = other
    elif perhaps(0.1):
        members[-1]["messageModel"] = "BROADCASTING"
    queues = random.randint(1, 8)
    if perhaps(0.2):
        more["brokers"], queues = ["b", "c"], 2 * ((queues + 1) // 2)
    elif perhaps(0.5):
        more["brokerConfig"] = OLD
    if perhaps(0.15):
        more["grows"] = {"before": random.randint(0, 1), "to": {"T": queues + 2}}
    return case("", members, "", queues, **more)


def _meanwhile(random: Random, one: Json) -> Json:
    """What happens on the way that no plan is told of, and messages that come late or again; often nothing."""
    members, last = one["members"], one["members"][-1]
    found: Json = {"drainS": max(one.get("drainS", 45), 90)}
    what = random.choice(["", "retry", "delay", "killed", "restart", "heartbeats", "namespace", "used"])
    if what == "retry":
        failing = {**last, "options": {**last["options"], "failFirst": 6}, "after": last["options"]}
        found |= {"members": [*members[:-1], failing], "retried": True}
    elif what == "delay" and "union" not in one:
        found["delays"] = {random.choice(_TAGS): 3}
    elif what == "killed" and last.get("clientKind", "push") == "push":
        found |= {"members": [*members[:-1], {**last, "process": "own"}]}
        found["killed"] = {"before": 0, "member": last["name"]}
    elif what == "restart" and "brokerConfig" not in one and "brokers" not in one:
        found["brokerRestart"] = {"before": 1, "ms": 3_000}
    elif what == "heartbeats":
        found |= {"betweenMs": 32_000, "everyMs": 250}
    elif what == "namespace":
        spaced = [
            {
                **each,
                "subscriptions": [{**sub, "topic": f"n1%{sub['topic']}"} for sub in each["subscriptions"]],
            }
            for each in members
        ]
        topics = {f"n1%{topic}": queues for topic, queues in one["topics"].items()}
        found |= {"members": spaced, "topics": topics, "namespace": "n1"} if "grows" not in one else {}
    elif what == "used" and "split" in one:
        found["usedBefore"] = {name: group for name, group in one["split"].items() if group == "2"}
    return found


def _member(random: Random, kind: str, name: str) -> Json:
    if kind == "union":
        topics = random.sample("TU", random.randint(1, 2))
        return member(name, *((topic, "*") for topic in sorted(topics)))
    return member(name, ("T", "*" if random.random() < 0.1 else _tags(random)))


def _tags(random: Random) -> str:
    return " || ".join(sorted(random.sample(_TAGS, random.randint(1, 3))))

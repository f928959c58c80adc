"""What needs more than one broker, one kind of client or one kind of message: scenarios in the words of `scenarios`.

Beside the keys of a scenario file they have some that only a run can use; `wider_record` takes them out for the model, or
says in its words what they come to:

* a member's `namespace`, with topics named as brokers know them (`n1%T`): members of another namespace are another group;
  `namespaceV2`, which no open-source broker looks at;
* `assigned`: the queues a lite pull consumer reads in assign mode, where it subscribes to nothing;
* a message's `delayLevel` (it arrives with the `judge` that follows) and `transaction` (commit or rollback);
* `proxy`: gRPC members reach the broker through a proxy that holds the broker (local) or stands beside it (cluster).
"""

from collections.abc import Iterator

from .hosts import Json
from .scenarios import (
    SENT,
    SENT_AGAIN,
    grid,
    joined,
    member,
    messages,
    scenario,
    tag,
)

BROKERS = ["b", "c"]
OWN_KEYS = {"namespace", "namespaceV2"}
POP = {"timerWheelEnable": "true"}
"""Without its timer a broker serves no pop."""
CLUSTERED_LATER = 12_000
"""A gRPC client pops some seconds after its start."""


def wider_scenarios(broker: str, other_client: str) -> list[Json]:
    """Those that a broker of this version can take; `other_client`: a version to mix with the broker's own."""
    found = [
        *_two_brokers(),
        *_namespaces(),
        *_lite(),
        *_kinds_of_messages(),
        *_unsubscribed(),
        *_refused(),
        *_mixed(other_client),
    ]
    if broker.startswith("5."):
        found += [*_second_namespaces(), *_pop(), *_proxied("local"), *_proxied("cluster")]
    return found


def _tags(queues: int, *names: str, prefix: str = "m", phase: int = 1) -> list[Json]:
    every: list[str | None] = [name for name in names for _ in range(queues)]
    return messages("T", queues, every, phase, prefix)


def _two_brokers() -> Iterator[Json]:
    a, b, c = member("A", tag("T", "TagA")), member("B", tag("T", "TagB")), member("C", tag("T", "TagC"))
    same = [a, member("B", tag("T", "TagA"))]
    eight, twice = _tags(8, "TagA", "TagB"), _tags(8, "TagA", "TagB", prefix="n", phase=2)
    more: Json = {"brokers": BROKERS}
    again = {**more, "timing": "fast"}
    yield scenario("two-brokers/tags", 8, [a, b], joined(["A", "B"]) + SENT, eight, **more)
    yield scenario(
        "two-brokers/tags/first", 8, [a, b], joined(["A", "B"]) + SENT, eight, idOrder=["B", "A"], **more
    )
    yield scenario(
        "two-brokers/one-queue-each", 2, [a, b], joined(["A", "B"]) + SENT, _tags(2, "TagA", "TagB"), **more
    )
    yield scenario(
        "two-brokers/three",
        6,
        [a, b, c],
        joined(["A", "B", "C"], 3000) + SENT,
        _tags(6, "TagA", "TagB", "TagC"),
        **more,
    )
    yield scenario("two-brokers/agree", 8, same, joined(["A", "B"]) + SENT, _tags(8, "TagA"), **more)
    star = [a, member("S", tag("T", "*"))]
    yield scenario("two-brokers/star", 4, star, joined(["A", "S"]) + SENT, _tags(4, "TagA", "TagB"), **more)
    apart = [member("c1", tag("X", "*")), member("c2", tag("Y", "*"))]
    yield scenario(
        "two-brokers/topics",
        0,
        apart,
        [*joined(["c1", "c2"], 10_000), {"send": 1}, {"judge": 45}],
        grid("X", 8, [None], "x") + grid("Y", 8, [None], "y"),
        **{**more, "topics": {"X": 8, "Y": 8}, "timing": "default"},
    )
    ghost = [member("c1", tag("T", "TagA")), member("c2", tag("T", "TagA")), member("c3", tag("T", "TagB"))]
    left = [*joined(["c1", "c2", "c3"], 2500), {"stop": "c3"}, {"settle": 6000}]
    yield scenario("two-brokers/ghost", 2, ghost, left + SENT, _tags(2, "TagA", "TagB"), **more)
    wide = [member("C", tag("T", "*")), member("B", tag("T", "*"), messageModel="BROADCASTING")]
    yield scenario(
        "two-brokers/broadcasting",
        4,
        wide,
        [*joined(["B", "C"]), {"wait": 6000}, *SENT],
        _tags(4, "TagA"),
        **more,
    )
    restart: list[Json] = [{"brokerRestart": {"broker": "c", "ms": 3000}}, {"wait": 22_000}, {"settle": 6000}]
    for name, members, order in (("agree", same, "AB"), ("tags", [a, b], "AB")):
        steps = [*joined(list(order)), *SENT, *restart, *SENT_AGAIN]
        yield scenario(f"two-brokers/restarted/{name}", 8, members, steps, eight + twice, **again)
    yield scenario(
        "two-brokers/restarted/ghost",
        2,
        ghost,
        [*left, *SENT, *restart, *SENT_AGAIN],
        _tags(2, "TagA", "TagB") + _tags(2, "TagA", "TagB", prefix="n", phase=2),
        **again,
    )


def _namespaces() -> Iterator[Json]:
    def within(name: str, space: str, expression: str) -> Json:
        return member(name, tag(f"{space}%T", expression), namespace=space)

    topics = {"n1%T": 4, "n2%T": 4, "T": 4}
    every = [
        {**one, "topic": topic, "id": f"{topic}-{one['id']}"}
        for topic in topics
        for one in _tags(4, "TagA", "TagB")
    ]
    more: Json = {"topics": topics}
    join = joined(["A", "B"])
    for name, pair in (
        ("two", [within("A", "n1", "TagA"), within("B", "n2", "TagB")]),
        ("same", [within("A", "n1", "TagA"), within("B", "n1", "TagB")]),
        ("one-without", [within("A", "n1", "TagA"), member("B", tag("T", "TagB"))]),
    ):
        yield scenario(f"namespace/{name}", 4, pair, join + SENT, every, **more)


def _second_namespaces() -> Iterator[Json]:
    """`namespaceV2` is a field of requests that open-source brokers pass over: one group."""
    a, b = member("A", tag("T", "TagA")), member("B", tag("T", "TagB"))
    join = joined(["A", "B"])
    two = [{**a, "namespaceV2": "n1"}, {**b, "namespaceV2": "n2"}]
    yield scenario("namespace-v2/two", 4, two, join + SENT, _tags(4, "TagA", "TagB"))
    yield scenario("namespace-v2/one-without", 4, [two[0], b], join + SENT, _tags(4, "TagA", "TagB"))


def _lite() -> Iterator[Json]:
    def lite(name: str, expression: str) -> Json:
        return member(name, tag("T", expression), clientKind="litepull")

    def reading(name: str, *queues: int) -> Json:
        return member(name, clientKind="pull", assigned={"T": list(queues)})

    a, eight = member("A", tag("T", "TagA")), _tags(4, "TagA", "TagB")
    join = joined(["A", "L"], 2000)
    yield scenario("lite/both", 4, [lite("A", "TagA"), lite("L", "TagB")], join + SENT, eight)
    yield scenario("lite/agree", 4, [lite("A", "TagA"), lite("L", "TagA")], join + SENT, eight)
    yield scenario("lite/first", 4, [a, lite("L", "TagB")], join + SENT, eight, idOrder=["L", "A"])
    yield scenario("lite/star", 4, [a, lite("L", "*")], joined(["L", "A"], 2000) + SENT, eight)
    for name, queues in (("all", (0, 1, 2, 3)), ("half", (2, 3)), ("other-half", (0, 1))):
        steps = [*joined(["A", "L"], 2000), {"wait": 8000}, *SENT]
        yield scenario(f"lite/assigned/{name}", 4, [a, reading("L", *queues)], steps, eight)
    pair = [reading("K", 0, 1), reading("L", 2, 3)]
    yield scenario("lite/assigned/two", 4, pair, [*joined(["K", "L"], 2000), {"wait": 8000}, *SENT], eight)


def _kinds_of_messages() -> Iterator[Json]:
    a, b = member("A", tag("T", "TagA")), member("B", tag("T", "TagB"))
    wide = [member("A", tag("T", "TagA || TagB")), member("B", tag("T", "TagA || TagB"))]
    eight = _tags(4, "TagA", "TagB")
    later: list[Json] = [{"send": 1}, {"wait": 9000}, {"judge": True}]
    for level in (1, 2):
        late = [{**one, "delayLevel": level} for one in eight]
        yield scenario(f"delayed/tags/level-{level}", 4, [a, b], joined(["A", "B"]) + later, late)
        yield scenario(f"delayed/agree/level-{level}", 4, wide, joined(["A", "B"]) + later, late)
    late = [{**one, "delayLevel": 3} for one in eight]  # 10 s: B has joined by then
    changes: list[Json] = [
        *joined(["A"]),
        {"send": 1},
        {"start": "B"},
        {"settle": 5000},
        {"wait": 8000},
        {"judge": True},
    ]
    yield scenario("delayed/joins-meanwhile", 4, [a, b], changes, late)
    for name, pair in (("tags", [a, b]), ("agree", wide)):
        sent = [
            {**one, "transaction": "rollback" if n % 4 == 3 else "commit"}
            for n, one in enumerate(_tags(8, "TagA", "TagB"))
        ]
        for one in sent:
            one["queue"] %= 4
        yield scenario(
            f"transaction/{name}",
            4,
            pair,
            [*joined(["A", "B"]), {"send": 1}, {"wait": 3000}, {"judge": True}],
            sent,
        )


def _unsubscribed() -> Iterator[Json]:
    """A topic that nobody wants any more, taken out by one member after the other."""
    both = [tag("T", "*"), tag("U", "*")]
    members = [member("A", *both), member("B", *both)]
    steps: list[Json] = [{"unsubscribe": {"member": name, "topic": "U"}} for name in "AB"]
    sent = [*grid("T", 4, ["x"], "t"), *grid("U", 4, ["x"], "u")]
    every = [*joined(["A", "B"]), *steps, {"wait": 8000}, *SENT]
    yield scenario("unsubscribed/all", 0, members, every, sent, topics={"T": 4, "U": 4})
    one = [*joined(["A", "B"]), steps[0], {"wait": 8000}, *SENT]
    yield scenario("unsubscribed/one", 0, members, one, sent, topics={"T": 4, "U": 4})


def _refused() -> Iterator[Json]:
    """Brokers as they are shipped: `enablePropertyFilter` is false."""
    a, b = member("A", tag("T", "TagA")), member("B", tag("T", "TagA"))
    s = member("S", tag("T", "TAGS = 'TagB'", "SQL92"))
    again = member("A2", tag("T", "TagA"))
    eight, then = _tags(4, "TagA", "TagB"), _tags(4, "TagA", "TagB", prefix="n", phase=2)
    yield scenario("sql-refused/joins", 4, [a, s], joined(["A", "S"]) + SENT, eight)
    yield scenario("sql-refused/joins/first", 4, [a, s], joined(["A", "S"]) + SENT, eight, idOrder=["S", "A"])
    yield scenario("sql-refused/began", 4, [a, s], joined(["S", "A"]) + SENT, eight)
    yield scenario("sql-refused/two-healthy", 4, [a, b, s], joined(["A", "B", "S"], 2500) + SENT, eight)
    yield scenario("sql-refused/healthy-joins", 4, [a, s, b], joined(["A", "S", "B"], 2500) + SENT, eight)
    restarted: list[Json] = [{"stop": "A"}, {"wait": 500}, {"start": "A2"}, {"settle": 6000}]
    steps = [*joined(["A", "S"]), {"send": 1}, {"judge": 12}, *restarted, *SENT_AGAIN]
    yield scenario("sql-refused/restarted", 4, [a, s, again], steps, eight + then)
    gone: list[Json] = [{"stop": "S"}, *restarted]
    steps = [*joined(["A", "S"]), {"send": 1}, {"judge": 12}, *gone, *SENT_AGAIN]
    yield scenario("sql-refused/removed-and-restarted", 4, [a, s, again], steps, eight + then)


def _mixed(other: str) -> Iterator[Json]:
    """Clients of 4.x and 5.x in one group."""
    a, b = member("A", tag("T", "TagA")), member("B", tag("T", "TagB"))
    strange: Json = {"clientVersion": other}
    eight = _tags(4, "TagA", "TagB")
    join = joined(["A", "B"])
    for name, pair in (("joins", [a, {**b, **strange}]), ("began", [{**a, **strange}, b])):
        yield scenario(f"mixed/{name}", 4, pair, join + SENT, eight)
        yield scenario(f"mixed/{name}/first", 4, pair, join + SENT, eight, idOrder=["B", "A"])
        yield scenario(f"mixed/{name}/one-queue", 1, pair, join + SENT, _tags(1, "TagA", "TagB"))
    same = [a, {**member("B", tag("T", "TagA")), **strange}, member("C", tag("T", "TagA"))]
    yield scenario("mixed/agree", 4, same, joined(["A", "B", "C"], 2500) + SENT, eight)
    ghost = [
        member("c1", tag("T", "TagA")),
        {**member("c2", tag("T", "TagA")), **strange},
        member("c3", tag("T", "TagB")),
    ]
    steps = [*joined(["c1", "c2", "c3"], 2500), {"stop": "c3"}, {"settle": 6000}, *SENT]
    yield scenario("mixed/ghost", 2, ghost, steps, _tags(2, "TagA", "TagB"))
    apart = [member("C1", tag("X", "*")), {**member("C2", tag("Y", "*")), **strange}]
    yield scenario(
        "mixed/topics",
        0,
        apart,
        [*joined(["C1", "C2"], 10_000), {"send": 1}, {"judge": 45}],
        grid("X", 4, [None], "x") + grid("Y", 4, [None], "y"),
        topics={"X": 4, "Y": 4},
        timing="default",
    )
    wide = [
        member("C", tag("T", "*")),
        {**member("B", tag("T", "*"), messageModel="BROADCASTING"), **strange},
    ]
    yield scenario("mixed/broadcasting", 4, wide, [*joined(["B", "C"]), {"wait": 6000}, *SENT], eight)


def _pop() -> Iterator[Json]:
    def popping(name: str, expression: str, **options: object) -> Json:
        return member(name, tag("T", expression), options={"clientRebalance": False, **options})

    more: Json = {"requestMode": "POP", "brokerConfig": POP}
    long: list[Json] = [{"send": 1}, {"wait": 25_000}, {"judge": True}]
    join = joined(["A", "B"], 3000)
    eight = _tags(4, "TagA", "TagB")
    for name, members in (
        ("agree", [popping("A", "TagA || TagB"), popping("B", "TagA || TagB")]),
        ("agree/retry", [popping("A", "TagA || TagB", failFirst=2), popping("B", "TagA || TagB")]),
        ("tags/retry", [popping("A", "TagA", failFirst=2), popping("B", "TagB")]),
        ("star/retry", [popping("A", "TagA", failFirst=1), popping("B", "*")]),
        ("beside-pull", [popping("A", "TagA"), member("B", tag("T", "TagA"))]),
    ):
        yield scenario(f"pop/{name}", 4, members, [*join, *long], eight, **more)


def _proxied(mode: str) -> Iterator[Json]:
    def grpc(name: str, expression: str, **options: object) -> Json:
        return member(name, tag("T", expression), clientKind="grpc", options=options)

    more: Json = {"proxy": mode, "brokerConfig": POP}
    a, eight = member("A", tag("T", "TagA")), _tags(4, "TagA", "TagB")
    long: list[Json] = [{"wait": CLUSTERED_LATER}, {"send": 1}, {"wait": 20_000}, {"judge": True}]
    for name, members in (
        ("alone", [grpc("G", "TagA")]),
        ("agree", [grpc("F", "TagA || TagB"), grpc("G", "TagA || TagB")]),
        ("tags", [grpc("F", "TagA"), grpc("G", "TagB")]),
        ("agree/retry", [grpc("F", "TagA || TagB", failFirst=2), grpc("G", "TagA || TagB")]),
        ("beside/agree", [a, grpc("G", "TagA")]),
        ("beside/tags", [a, grpc("G", "TagB")]),
    ):
        steps = [*joined([one["name"] for one in members], 3000), *long]
        yield scenario(f"grpc-{mode}/{name}", 4, members, steps, eight, **more)
    sql = {**more, "brokerConfig": {**POP, "enablePropertyFilter": True}}
    for name, selector in (("compiled", "TAGS = 'TagA'"), ("refused", "TAGS = ")):
        members = [member("G", tag("T", selector, "SQL92"), clientKind="grpc")]
        yield scenario(f"grpc-{mode}/sql/{name}", 4, members, [*joined(["G"]), *long], eight, **sql)
    began = [*joined(["G", "A"], 3000), *long]
    yield scenario(f"grpc-{mode}/beside/began", 4, [a, grpc("G", "TagB")], began, eight, **more)


def compact(record: Json) -> Json:
    """What is kept of a run: without heartbeats and pulls, which nothing here is judged by."""
    kept = {
        k: v for k, v in record["observed"].items() if k not in ("heartbeats", "progress", "pullErrorLog")
    }
    return {**record, "observed": kept}


def wider_record(record: Json) -> Iterator[tuple[str, Json]]:
    """Each group of a record, named by its namespace, as the model reads it."""
    members = record["scenario"]["members"]
    for space in dict.fromkeys(one.get("namespace", "") for one in members):
        yield space, _of_group(record, [one for one in members if one.get("namespace", "") == space], space)


def _of_group(record: Json, members: list[Json], space: str) -> Json:
    whole: Json = record["scenario"]
    names = {one["name"] for one in members}
    topics = {one["topic"] for each in members for one in each["subscriptions"]}
    topics |= {topic for one in members for topic in one.get("assigned", {})}
    found = dict(whole)
    found["members"] = [{k: v for k, v in one.items() if k not in OWN_KEYS} for one in members]
    found["topics"] = {topic: count for topic, count in whole["topics"].items() if topic in topics}
    found["messages"] = [
        {key: value for key, value in one.items() if key not in ("delayLevel", "transaction")}
        for one in whole["messages"]
        if one["topic"] in topics and one.get("transaction") != "rollback"
    ]
    delayed = {one["phase"] for one in whole["messages"] if "delayLevel" in one}
    found["steps"] = list(_arriving(list(_steps(whole["steps"], names)), delayed))
    found["idOrder"] = [one for one in whole["idOrder"] if one in names]
    observed = record.get("observed", {})
    if "phases" in observed:
        phases = [_phase(one, space, names) for one in observed["phases"]]
        observed = {**observed, "phases": phases}
        observed["clientIds"] = [one for one in observed["clientIds"] if one in names]
    return {**record, "scenario": found, "observed": observed}


def _phase(phase: Json, space: str, names: set[str]) -> Json:
    found = {**phase, **phase.get("namespaces", {}).get(space, {})}
    found.pop("namespaces", None)
    if "allocation" in found:
        found["allocation"] = {name: share for name, share in found["allocation"].items() if name in names}
    return found


def _steps(steps: list[Json], names: set[str]) -> Iterator[Json]:
    for step in steps:
        ((verb, value),) = step.items()
        if verb not in ("start", "stop", "kill") or value in names:
            yield step


def _arriving(steps: list[Json], delayed: set[int]) -> Iterator[Json]:
    """Delayed messages arrive when the wait for them is over."""
    waiting: list[Json] = []
    for step in steps:
        if step.get("send") in delayed:
            waiting.append(step)
            continue
        if "judge" in step:
            yield from waiting
            waiting = []
        yield step

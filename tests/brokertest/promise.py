"""A recorded plan -> what was promised and what arrived: nothing may be lost that no state of the plan announced."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from subdrift.linter.broker.classes import ANY_LABEL, OTHER_LABEL, UNTAGGED_LABEL
from subdrift.linter.broker.rollout.plan import Do, Loss, Order, Plan, State, Step
from subdrift.linter.broker.versions import Feature, Version, behaves

from .catalogue import all_cases
from .hosts import Json
from .plans import UNUSED, plain, plan_of, states_at
from .repeats import Handled, Repeats, repeats_in
from .streams import NOTHING_READ

OFFSETS_MS = 60_000
"""Plans say that a queue has an offset after 20 to 55 s."""
MOVING_MS = 1_000
"""Plans say that it is as before until queues have moved after a step."""


@dataclass
class Outcome:
    """One carried-out plan."""

    name: str
    broker: str
    order: str
    sent: int = 0
    lost: int = 0
    """Sent and never handled by a job that asks for it."""
    before: int = 0
    """Of these, sent before the first step was done."""
    unhandled: int = 0
    """Of those lost after it, received by members that do another job."""
    promised: bool = True
    """Whether no state after the first step, and no step, was said to lose anything."""
    once: bool = True
    """Whether no state after the first step, and no step, was said to let anything come twice."""
    twice: int = 0
    announced: int = 0
    """Lost or stuck as the state they were sent in says."""
    broken: list[str] = field(default_factory=list)
    """What was lost without a word."""
    complaints: list[str] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        return not self.broken and not self.complaints


def outcome_of(record: Json) -> Outcome:
    """What became of every message of a recorded plan, held against the plan as it is worked out now."""
    case = _as_worded(record)
    plan = plan_of(case)
    way = plan.way(Order(case["order"]))
    assert way is not None, case["id"]
    found = Outcome(record["id"], record["versions"]["broker"], case["order"])
    if len(way.steps) != len(record["scenario"]["marks"]):
        found.complaints.append("the plan has other steps now")
        return found
    refused = set(record["observed"]["startErrors"])
    if refused != set(case.get("refused", [])):
        found.complaints.append(f"did not start: {sorted(refused)}")
    found.complaints += [
        f"waited in vain: {one}"
        for one in record["observed"]["waits"]
        if not one["ok"] and one["wait"] != "drain" and not plan.lite  # as plans say of lite pull
    ]
    unread = any(one.from_first for one in way.steps)
    found.complaints += [
        f"mqadmin: {one[:120]}"
        for one in record["observed"]["mqadmin"]
        if "success" not in one and not (unread and NOTHING_READ in one)
    ]
    bare = _without_offset(record) if plan.supposes_offsets else set()
    states = [plan.now, *(one.after for one in way.steps)]
    found.once = way.is_once
    found.promised = not (_warned(case, way.steps) or ("idle" in case and bare))
    jobs = _jobs(plan, case)
    last = [begin for _, begin, _ in states_at(record)][-1] + MOVING_MS
    handled, again = (
        _handled(record, plan.pops or "retried" in case),
        {one["message"] for one in record["observed"]["deliveries"] if not one["ok"]},
    )
    repeats = repeats_in(record, way.steps, last)
    skewed = any("clockOffsetS" in one for one in case["members"])
    locked = any(one.what == "lock" for one in plan.supposed) and _asks_for_locks(record)
    same = [states.index(one) for one in states]
    read_ms = _Reading(record)

    @cache
    def waiting(near: tuple[int, ...], job: tuple[str, ...]) -> list[State]:
        return [each for number in near for each in _read_in(same[number], states, job)]

    @cache
    def losing(near: tuple[int, ...], topic: str, tag: str | None, job: tuple[str, ...]) -> list[Loss]:
        return [one for state in waiting(near, job) for one in _about(state, topic, tag, job)]

    for message in record["observed"]["stream"]:
        message = {**message, "topic": plain(case, message["topic"])}
        near = tuple(_near(record, message["atMs"]))
        found.sent += 1
        for job in jobs:
            waited = waiting(near, job)
            losses = losing(near, message["topic"], message["tag"], job)
            if not any(_wants(plan, case, message, job, waited)):
                continue
            got = [one for one in handled.get(message["id"], ()) if one.member in job]
            if got:
                got = _of_one_client(case, got)
                _hold(found, message, job, got, repeats, any(one.twice.is_possible for one in losses))
                continue
            found.lost += 1
            early = message["atMs"] < _first_step(record)
            found.before += early
            found.unhandled += not early and message["id"] in handled
            near_steps = tuple(_steps_near(record, message["atMs"], way.steps))
            gap = locked or any(one.gap or (one.together and "stopGapMs" in case) for one in near_steps)
            gap = gap or any(name in job for one in near_steps for name in one.forgets)
            gap = gap or ("split" in case and _is_stopping(record, way.steps, message["atMs"]))
            gap = gap or "unwaited" in case  # what is delayed comes too late, as the plan says
            gap = gap or "tools" in case  # of a version that plans warn of
            gap = gap or ("restart" in case and early)  # as the finding says
            gap = gap or ("split" in case and message["id"] in again)  # "that wait for another try stay"
            gap = gap or ("ghost" in case and message["atMs"] < last)  # nobody told the plan of it
            gap = gap or skewed  # clocks that agree are supposed
            gap = gap or ((message["topic"], message["queue"]) in bare and message["atMs"] < last)
            if not gap and not way.is_safe:  # what is said of a step holds for what still waits then
                until = read_ms.of(message, job)
                states_then = _states_until(record, states, message["atMs"], until)
                about = (_about(state, message["topic"], message["tag"], job) for state in states_then)
                losses = [*losses, *(one for each in about for one in each)]
            if gap or any(one.lost.is_possible or one.stuck.is_possible for one in losses):
                found.announced += 1
            else:
                found.broken.append(
                    f"{message['id']} {message['tag']} at {message['atMs']} for {'+'.join(job)}"
                )
    return found


def _handled(record: Json, retried: bool) -> dict[str, list[Handled]]:
    """Who handled each message when, in their order; of one that lies in several places the first time alone. `retried`:
    what failed, or was given to a member that stopped, counts when it comes again."""
    known = {one["name"]: one for one in record["scenario"]["members"]}
    found: dict[str, list[Handled]] = {}
    places: dict[str, set[tuple[int, int]]] = {}
    for one in sorted(record["observed"]["deliveries"], key=lambda one: int(one["atMs"])):
        if one["ok"] and (one["reconsume"] == 0 or retried):
            client = known[one["member"]]
            handled = Handled(one["atMs"], client["member"], client.get("group", ""), client["name"])
            found.setdefault(one["message"], []).append(handled)
        if one["reconsume"] == 0 and one["offset"] >= 0:  # gRPC clients do not tell it
            places.setdefault(one["message"], set()).add((one["queue"], one["offset"]))
    for message, where in places.items():
        if len(where) > 1:  # its sender, or the check of its transaction, sent it again
            once = {(one.member, one.group): one for one in reversed(found.get(message, []))}
            found[message] = list(once.values())
    return found


def _of_one_client(case: Json, got: list[Handled]) -> list[Handled]:
    """Of a BROADCASTING member that has several clients each shall have it: what the first one of them handled."""
    each = {one["name"] for one in case["members"] if one.get("messageModel") == "BROADCASTING"}
    if "replicas" not in case or got[0].member not in each:
        return got
    return [one for one in got if one.client == got[0].client]


def _asks_for_locks(record: Json) -> bool:
    """Whether a BROADCASTING client asks for locks, as plans suppose that none does."""
    return any(
        one.get("messageModel") == "BROADCASTING"
        and not behaves(
            Feature.BROADCASTING_ORDERLY_NEEDS_NO_LOCK,
            Version.parse(one.get("clientVersion", record["versions"]["client"])),
        )
        for one in record["scenario"]["members"]
    )


def _hold(
    found: Outcome, message: Json, job: tuple[str, ...], got: Sequence[Handled], repeats: Repeats, told: bool
) -> None:
    """Count what came twice; what no word of the plan announced breaks its promise."""
    if len(got) > 1:
        found.twice += 1
        if not told and not all(repeats.announced(one, two) for one, two in pairwise(got)):
            found.broken.append(f"{message['id']} {message['tag']} comes twice to {'+'.join(job)}")


def _without_offset(record: Json) -> set[tuple[str, int]]:
    """Topics and queues that may have no offset of the group when the plan first stops a member: nobody had received anything
    of them by then, as they were empty or pulls of their owner were refused, and less than a minute had passed."""
    case, seen = record["scenario"]["case"], record["observed"]
    begin = next(one["atMs"] for one in seen["steps"] if "stream" in one)
    planned = seen["steps"][record["scenario"]["marks"][0][0] :]
    until = next((one["atMs"] for one in planned if {"stop", "stopAll", "kill"} & set(one)), begin)
    got = {(one["topic"], one["queue"]) for one in seen["deliveries"] if one["atMs"] < until}
    every = {(one["topic"], one["queue"]) for one in seen["stream"]}
    return {(plain(case, topic), queue) for topic, queue in every - got if until - begin < OFFSETS_MS}


def _warned(case: Json, steps: Sequence[Step]) -> bool:
    """Whether something may be lost from the first step on, as the plan says."""
    told = any(key in case for key in ("stopGapMs", "tools", "unwaited"))
    told = told or any(one.gap or one.forgets for one in steps)
    return told or not all(one.after.is_safe for one in steps)


def _as_worded(record: Json) -> Json:
    """The case that was carried out, with what is said of it today: that a step loses something (`gap`)."""
    case: Json = record["scenario"]["case"]
    now = _cases(record["versions"]["broker"]).get(case["id"], {})
    return {**case, **{key: now[key] for key in ("gap",) if key in now}}


@cache
def _cases(broker: str) -> dict[str, Json]:
    return {one["id"]: one for one in all_cases(broker)}


def outcomes_table(outcomes: Sequence[Outcome]) -> str:
    """One line a plan: what was sent, what was lost before its first step and after, and whether that was announced."""
    rows: list[tuple[str, ...]] = [
        ("plan", "order", "broker", "sent", "lost before", "lost after", "twice", "promise")
    ]
    for one in sorted(outcomes, key=lambda one: (one.name, one.broker)):
        kept = "kept" if one.kept else "BROKEN: " + "; ".join([*one.complaints, *one.broken][:3])
        numbers = (one.sent, one.before, one.lost - one.before, one.twice)
        rows.append((one.name, one.order, one.broker, *map(str, numbers), kept))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, f"{sum(one.kept for one in outcomes)} of {len(outcomes)} promises kept"])


def _first_step(record: Json) -> int:
    """When the first step was done: what is sent until then fares as before."""
    return int(next(begin for number, begin, _ in states_at(record) if number == 1))


def _jobs(plan: Plan, case: Json) -> Sequence[tuple[str, ...]]:
    """Who shares a group in the end does one job; so does a member that joins. Each BROADCASTING member has its own."""
    in_the_end = {one["name"]: {**one, **one.get("becomes", {})} for one in case["members"]}
    apart = {name for name, one in in_the_end.items() if one.get("messageModel") == "BROADCASTING"}
    groups: dict[str, list[str]] = {}
    for one in plan.goal:
        groups.setdefault(one.member if one.member in apart else f"group {one.group}", []).append(one.member)
    if "joins" in case:
        groups[f"group {plan.group}"].append(case["joins"]["name"])
    return [tuple(each) for each in groups.values()]


def _wants(
    plan: Plan, case: Json, message: Json, job: tuple[str, ...], waited: Sequence[State]
) -> Iterator[bool]:
    """Who asks for it now or shall; a BROADCASTING member that does not yet ask for it misses nothing."""
    known = {one["name"]: one["asks"] for one in case["members"] if "asks" in one}
    alone = any(one.get("messageModel") == "BROADCASTING" for one in case["members"])
    later = [one for state in waited for one in state.placements] if alone else plan.goal
    for one in (*plan.now.placements, *later):
        if one.member in job:
            for each in one.subscriptions:
                if each.topic == message["topic"]:
                    yield _asks(each.expression, each.filter_type.value, message, known.get(one.member))


def _asks(expression: str, kind: str, message: Json, known: Sequence[str] | None) -> bool:
    """Whether a subscription asks for a message; `known`: the tags that come with what a selector asks for."""
    if kind == "SQL92":
        return f"'{message['tag']}'" in expression if known is None else message["tag"] in known
    tags = [one.strip() for one in expression.split("||")]
    return expression in ("", "*") or message["tag"] in tags


def _label(tag: str | None) -> tuple[str, ...]:
    if tag is None:
        return (UNTAGGED_LABEL, ANY_LABEL, OTHER_LABEL)
    return (ANY_LABEL, OTHER_LABEL) if tag == UNUSED else (tag,)


def _about(state: State, topic: str, tag: str | None, job: tuple[str, ...]) -> Iterator[Loss]:
    for one in state.losses:
        if one.topic == topic and one.tag in _label(tag) and {*job} <= {*(one.job or job)}:
            yield one


def _read_in(number: int, states: Sequence[State], job: tuple[str, ...]) -> Iterator[State]:
    """A state, and, while nobody in it does the job, those that follow until somebody does: what waits is read there."""
    for one in states[number:]:
        yield one
        if any(placed.member in job for placed in one.placements):
            return


def _near(record: Json, at: int) -> Iterator[int]:
    """The number of the state a message was sent in; while a step was done, and queues moved after it, it and the one
    before, and those that began before queues had moved."""
    spans = list(states_at(record))
    for number, begin, until in spans:
        if at <= until:
            yield number
            if at < begin + MOVING_MS and number:
                yield number - 1
            for follows, begins, _ in spans[number + 1 :]:
                if until >= begin + MOVING_MS:
                    return
                yield follows
                begin, until = begins, spans[follows][2]
            return


class _Reading:
    """When the messages of each queue were handled."""

    def __init__(self, record: Json) -> None:
        self.ended = int(record["observed"]["steps"][-1]["doneMs"])
        known = {one["name"]: one["member"] for one in record["scenario"]["members"]}
        sent = {one["id"]: one for one in record["observed"]["stream"]}
        self.handled: dict[tuple[str, int], list[tuple[int, str, int]]] = {}
        for one in record["observed"]["deliveries"]:
            if (message := sent.get(one["message"])) is not None:
                queue = (message["topic"], message["queue"])
                row = (int(message["atMs"]), known[one["member"]], int(one["atMs"]))
                self.handled.setdefault(queue, []).append(row)

    def of(self, message: Json, job: tuple[str, ...]) -> int:
        """Until when a message may have waited: who does the job handled a later one of its queue, or nothing any more."""
        rows = self.handled.get((message["topic"], message["queue"]), ())
        return min(
            (at for sent, member, at in rows if sent > message["atMs"] and member in job), default=self.ended
        )


def _states_until(record: Json, states: Sequence[State], at: int, until: int) -> list[State]:
    """The states that began between two times."""
    return [states[number] for number, begin, _ in states_at(record) if at <= begin <= until]


def _is_stopping(record: Json, steps: Sequence[Step], at: int) -> bool:
    """Whether members that do different jobs were stopping then: until the last one has, it reads what the others left."""
    done = record["observed"]["steps"]
    spans = (
        (done[first]["atMs"], done[last]["doneMs"])
        for step, (first, last) in zip(steps, record["scenario"]["marks"], strict=True)
        if step.do is Do.STOP and len(step.members) > 1
    )
    return any(begin - MOVING_MS <= at <= end for begin, end in spans)


def _steps_near(record: Json, at: int, steps: Sequence[Step]) -> Iterator[Step]:
    """The steps that were done when a message was sent, or followed next: what waits is theirs, too. Until queues have
    moved after a step, the one before it as well."""
    for number, begin, until in states_at(record):
        if at <= until:
            moving = at < begin + MOVING_MS
            yield from steps[max(0, number - 1 - moving) : number + 1]
            return

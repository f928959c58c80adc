"""Plans of `subdrift rollout`, carried out literally: a case in, the scenario that does its steps out.

Nothing is done here that a plan does not say: who is stopped and started, in which group, what is no longer sent, which
offsets are cloned, and the waits as the steps word them. `marks` names the first and last step of the scenario that
belong to each step of the plan, so that a verdict can say in which state a message was sent.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from msgspec.structs import replace

from subdrift.linter.broker.classes import ANY_LABEL, OTHER_LABEL, UNTAGGED_LABEL
from subdrift.linter.broker.rollout import regroup, tags
from subdrift.linter.broker.rollout.plan import (
    Change,
    Do,
    Order,
    Placement,
    Plan,
    Setting,
    State,
    Step,
    Way,
)
from subdrift.linter.model.prediction import Basis
from subdrift.linter.report.language import language
from subdrift.linter.report.rollouts import Told
from tests.broker.decoded import scenario_from

from .hosts import Json

GROUP: Final = "g"
JOIN_MS: Final = 1_500
STEADY_MS: Final = 3_000
BESIDE_MS: Final = 25_000
"""A BROADCASTING member that joins late learns of its queues by the next rebalance, 20 s apart."""
UNUSED: Final = "unused"
"""A tag that no member names."""
DELAY_MS: Final = {3: 10_000, 4: 30_000}
"""Levels of delay, as brokers have them unless they are told otherwise."""
LATE_MS: Final = 16_000
"""What a check of its transaction commits arrives so late at most."""
USED_MS: Final = 6_000
"""A new group that was in use before was so for so long."""
_OF_RUNS: Final = ("autoCommitMs", "batch", "consumeSinceS", "failFirst", "slowMs", "slowTags", "threads")
"""Options that no plan knows of."""
_MEANWHILE: Final = ("brokerRestart", "killed", "grows", "reset")
"""What happens before a step (`before`): a broker restarts, a member is killed and comes back, topics get more queues, the
group's offsets are reset."""
COMMAND: Final = re.compile("`mqadmin ([^`]+)`")


def plan_of(case: Json) -> Plan:
    """What `subdrift rollout` answers for a case, without simulated runs; worked out once for all orders and brokers."""
    apart = {"id", "foretold"} | (set() if {"restart", "givesUp"} & set(case) else {"order"})
    return worked_out(json.dumps({key: value for key, value in case.items() if key not in apart}))


@cache
def worked_out(text: str) -> Plan:
    """The plan for a case as JSON."""
    case: Json = json.loads(text)
    space = case.get("namespace", "")
    topics = {plain(case, topic): queues for topic, queues in case["topics"].items()}
    document = {"members": [_known(case, one) for one in case["members"]], "topics": topics}
    members = scenario_from({**document, "steps": [], "messages": []}, "case").members
    pop, apart = case.get("requestMode") == "POP", case.get("proxy") == "cluster"
    setting = Setting(GROUP, members, tuple(topics.items()), space, pop, apart)
    if "restart" in case:
        return _restarts(setting, case)
    if "givesUp" in case:
        return _given_up(setting, case)
    if "to" in case:
        return tags.plan(setting, setting.queues[0][0], case["to"], runs=0)
    if "split" in case:
        return regroup.split(setting, case["split"], property_filter="filterOff" not in case, runs=0)
    return regroup.union(setting, runs=0)


def plain(case: Json, topic: str) -> str:
    """A topic as code names it: without the namespace, which the client adds."""
    return topic.removeprefix(f"{case['namespace']}%") if "namespace" in case else topic


def _known(case: Json, member: Json) -> Json:
    """A member without what only its run needs."""
    own = ("after", "becomes", "instance", "asks", "clockOffsetS")
    options = {key: value for key, value in member.get("options", {}).items() if key not in _OF_RUNS}
    return {
        **{key: value for key, value in member.items() if key not in own},
        "options": options,
        "subscriptions": [{**one, "topic": plain(case, one["topic"])} for one in member["subscriptions"]],
    }


def _restarts(setting: Setting, case: Json) -> Plan:
    """All members stop and start with other settings (`after`), or one after the other; nothing may be lost."""
    now = setting.placements()
    names = tuple(one.member for one in now)
    sent = tuple(
        (each.topic, ANY_LABEL if each.expression == "*" else tag.strip())
        for each in now[0].subscriptions
        for tag in case.get("sent", each.expression.split("||"))
    )
    state = State(now, sent)
    start = Step(Do.START, state, names, gap="gap" in case)
    if case["restart"] == "first use":
        return _the_way(case, State((), sent), (start,), setting)
    if case["restart"] == "together":
        return _the_way(case, state, (Step(Do.STOP, State((), sent), names, together=True), start), setting)
    return _the_way(case, state, tuple(Step(Do.RESTART, state, (name,)) for name in names), setting)


def _given_up(setting: Setting, case: Json) -> Plan:
    """A member stops, or all members unsubscribe from a topic that nobody sends to any more, one after the other."""
    now, given_up = setting.placements(), case["givesUp"]
    every = tuple((topic, ANY_LABEL) for topic in setting.topics)
    if given_up not in setting.topics:
        rest = tuple(one for one in now if one.member != given_up)
        return _the_way(case, State(now, every), (Step(Do.STOP, State(rest, every), (given_up,)),), setting)
    after = State(now, tuple(one for one in every if one[0] != given_up))
    steps = [Step(one, after, topics=(given_up,)) for one in (Do.STOP_SENDING, Do.WAIT_UNTIL_CONSUMED)]
    steps += [Step(Do.RESTART, after, (one.member,), topics=(given_up,)) for one in now]
    return _the_way(case, State(now, every), tuple(steps), setting)


def _the_way(case: Json, now: State, steps: tuple[Step, ...], setting: Setting) -> Plan:
    ways = (Way(Order(case["order"]), steps),)
    return Plan(GROUP, "", setting.placements(), Change.NOTHING, now, ways, Basis.RECORDED, pops=setting.pops)


def scenario_of(case: Json) -> Json:
    """The scenario that carries out one order of a case's plan."""
    plan = plan_of(case)
    way = plan.way(Order(case["order"]))
    if way is None:
        raise ValueError(f"{case['id']}: the plan has no order {case['order']!r}")
    return _Carried(case, plan, way).scenario()


class _Carried:
    def __init__(self, case: Json, plan: Plan, way: Way) -> None:
        self.case, self.plan, self.way = case, plan, way
        self.told = Told(plan, language("en"))
        others = [case[one] for one in ("joins", "ghost") if one in case]
        self.members: dict[str, Json] = {one["name"]: one for one in (*case["members"], *others)}
        self.clients: list[Json] = []
        self.running: dict[str, list[str]] = {}
        """Member (with `+` for an instance beside it) -> its clients, one for each replica."""
        self.steps: list[Json] = []
        self.marks: list[list[int]] = []

    def scenario(self) -> Json:
        if "createGroup" in self.case:
            self.steps.append({"mqadmin": {"command": f"updateSubGroup -c CLUSTER -g {GROUP}", "tools": ""}})
        for number, one in enumerate(self.plan.now.placements):
            self.steps += [{"wait": JOIN_MS}] if number else []
            self._start(self._new(one, False))
        if "ghost" in self.case:
            self._haunt(self.case["ghost"]["name"])
        self.steps.append({"settle": 4000})
        sent = self._first_sent()
        self.steps.append({"stream": {"kinds": self._kinds(sent), "everyMs": self.case.get("everyMs", 100)}})
        self.steps.append({"wait": self.case.get("steadyMs", STEADY_MS)})
        before, placements = sent, self.plan.now.placements
        self._use_before(placements)
        for number, step in enumerate(self.way.steps):
            begin = len(self.steps)
            self._meanwhile(number, placements)
            self._do(step, placements)
            if step.after.sent != before and self.case["order"] != Order.CARELESS.value:
                self.steps.append({"tags": self._kinds(step.after.sent)})
            if step.do is Do.STOP_SENDING:
                if "unwaited" not in self.case:
                    late = {*self.case.get("delays", {}).values()}
                    self.steps += [{"wait": DELAY_MS[level] + 1_000} for level in late]
                    self.steps += [{"wait": LATE_MS}] * ("transactions" in self.case)
                self.steps.append({"note": True})
            before, placements = step.after.sent, step.after.placements
            self.marks.append([begin, len(self.steps) - 1])
            self.steps.append({"wait": self.case.get("betweenMs", 1_500)})
        if "joins" in self.case:
            new = self.case["joins"]["name"]
            last = placements[-1]
            self._start(self._new(Placement(new, last.group, last.subscriptions), False))
        self.steps += [
            {"wait": 4_000},
            {"endstream": True},
            *[{"wait": self.case[one]} for one in ("restMs",) if one in self.case],
            {"settle": 4_000},
            {"drain": self.case.get("drainS", 45)},
            {"snapshot": "end"},
        ]
        order = [one["name"] for name in self.members for one in self.clients if one["member"] == name]
        return {
            "id": self.case["id"],
            "topics": {**self.case["topics"], **self.case.get("grows", {}).get("to", {})},
            "timing": self.case.get("timing", "default"),
            "members": self.clients,
            "idOrder": order,
            "steps": self.steps,
            "messages": [],
            "marks": self.marks,
            "case": self.case,
            **{
                key: self.case[key]
                for key in (
                    "brokerConfig",
                    "brokers",
                    "proxy",
                    "delays",
                    "transactions",
                    "idle",
                    "properties",
                    "requestMode",
                )
                if key in self.case
            },
            **({"growsFrom": self.case["topics"]} if "grows" in self.case else {}),
        }

    def _first_sent(self) -> tuple[tuple[str, str], ...]:
        """What is sent before the first step: of a careless change everything at once."""
        return self.way.steps[0].after.sent if self.case["order"] == "careless" else self.plan.now.sent

    def _named(self, topic: str) -> str:
        """A topic as brokers know it."""
        return f"{self.case['namespace']}%{topic}" if "namespace" in self.case else topic

    def _meanwhile(self, number: int, placements: Sequence[Placement]) -> None:
        """What happens before a step that no plan asks for."""
        happens = {
            one: what for one in _MEANWHILE if (what := self.case.get(one, {})).get("before") == number
        }
        if "brokerRestart" in happens:
            what = happens["brokerRestart"]
            alone = set(what) == {"before", "ms"}
            down = what["ms"] if alone else {key: value for key, value in what.items() if key != "before"}
            self.steps.append({"brokerRestart": down})
        if "killed" in happens:
            self._kill(next(one for one in placements if one.member == happens["killed"]["member"]))
        if "grows" in happens:
            self.steps.append({"grow": list(happens["grows"]["to"])})
        if "reset" in happens:
            self.steps += [
                {"reset": {"topic": topic, "backMs": happens["reset"]["backMs"]}}
                for topic in self.case["topics"]
            ]

    def _haunt(self, name: str) -> None:
        """Somebody joins, owns no queue, and leaves: its subscription stays."""
        own = self.members[name]["subscriptions"]
        placed = self.plan.now.placements[0]
        asked = [
            replace(placed.subscriptions[0], topic=one["topic"], expression=one["expression"]) for one in own
        ]
        (client,) = self._new(Placement(name, GROUP, tuple(asked)), False)
        self.steps += [{"wait": JOIN_MS}, {"start": client}, {"wait": 4_000}, {"stop": client}]

    def _kinds(self, sent: Iterable[tuple[str, str]]) -> list[list[str | None]]:
        listed = [(self._named(topic), label) for topic, label in sent]
        unnamed: dict[str, str | None] = {OTHER_LABEL: UNUSED, UNTAGGED_LABEL: None}
        if all(label == ANY_LABEL for _, label in listed):  # else a tag is called so
            unnamed[ANY_LABEL] = UNUSED
        return [[topic, unnamed.get(label, label)] for topic, label in listed]

    def _new(self, one: Placement, from_first: bool) -> list[str]:
        """New clients for a placement, which take the member's place."""
        again = any(each["member"] == one.member for each in self.clients)
        found = [self._client(one, from_first, again) for _ in range(self.case.get("replicas", 1))]
        self.running[one.member + "+" * one.beside * (one.group != GROUP)] = found
        return found

    def _start(self, names: Iterable[str]) -> None:
        for name in names:
            self.steps += [{"start": name}, {"wait": JOIN_MS}]

    def _use_before(self, placements: Iterable[Placement]) -> None:
        """Groups that shall be new were in use for a while: an earlier attempt, given up."""
        for one in placements:
            if (group := self.case.get("usedBefore", {}).get(one.member)) is not None:
                client = self._client(replace(one, group=group), False, False)
                self.steps += [{"start": client}, {"wait": USED_MS}, {"stop": client}, {"wait": USED_MS}]

    def _kill(self, one: Placement) -> None:
        """A process ends, and what watches it starts it again as it was."""
        self.steps += [{"kill": name} for name in self.running[one.member]]
        self._start(self._new(one, False))

    def _client(self, one: Placement, from_first: bool, again: bool) -> str:
        member = self.members[one.member]
        name = f"{one.member}{sum(each['member'] == one.member for each in self.clients)}"
        upgrade, moment = self.case.get("upgrade", {}), "to" if again else "from"
        options = dict(member["after"] if again and "after" in member else member.get("options", {}))
        if "slowMs" in self.case:
            options["slowMs"] = self.case["slowMs"]
        if from_first:
            options["consumeFromWhere"] = "CONSUME_FROM_FIRST_OFFSET"
        subscriptions = [
            {"topic": self._named(each.topic), "type": each.filter_type.value, "expression": each.expression}
            for each in one.subscriptions
        ]
        group = {} if one.group == GROUP else {"group": one.group}
        self.clients.append(
            {
                **{key: value for key, value in member.items() if key not in ("after", "becomes", "asks")},
                "name": name,
                "member": one.member,
                "options": options,
                **({"clientVersion": upgrade[moment]} if moment in upgrade else {}),
                **({"namespace": self.case["namespace"]} if "namespace" in self.case else {}),
                "subscriptions": subscriptions,
                **(member.get("becomes", {}) if again else {}),
                **group,
            }
        )
        return name

    def _do(self, step: Step, before: Sequence[Placement]) -> None:
        placed = {one.member: one for one in step.after.placements}
        match step.do:
            case Do.RESTART:
                self._restart(step, placed[step.members[0]])
            case Do.STOP:
                gap = self.case.get("stopGapMs")
                killed = [name for name in step.members if self._is_killed(name)]
                self.steps += [{"kill": client} for name in killed for client in self.running.pop(name)]
                stopped = [
                    client for name in step.members if name not in killed for client in self.running.pop(name)
                ]
                if (step.together or "split" in self.case) and gap is None:
                    self.steps.append({"stopAll": stopped})
                else:
                    self.steps += [each for name in stopped for each in ({"stop": name}, {"wait": gap or 0})]
                self.steps += [{"awake": True}] * ("idle" in self.case)
            case Do.START:
                for name in step.members:
                    self._start(self._new(placed[name], step.from_first))
            case Do.START_BESIDE:
                new = next(one for one in step.after.placements if one not in before)
                self._start(self._new(new, step.from_first))
                self.steps.append({"wait": BESIDE_MS})
            case Do.CREATE_GROUP | Do.CREATE_RETRY_TOPIC | Do.CLONE_OFFSETS:
                tools = self.case.get("tools", "") if step.do is Do.CLONE_OFFSETS else ""
                commands = COMMAND.findall(self.told.step(step, self.way))
                self.steps += [{"mqadmin": {"command": one, "tools": tools}} for one in commands]
            case Do.WAIT_UNTIL_CONSUMED:
                seen = {"wait": JOIN_MS} if step.members else {"consumed": True}
                self.steps.append(seen)
                if all(one.get("clientKind") == "grpc" for one in self.case["members"]):
                    self.steps.append({"mqadmin": {"command": "consumerProgress -g g", "tools": ""}})
            case Do.STOP_SENDING | Do.START_SENDING:
                pass  # the tags that are sent are those of the state

    def _is_killed(self, member: str) -> bool:
        """Whether it is killed where a plan lets it stop."""
        return self.case.get("mode") == "kill" and self.members[member].get("process") == "own"

    def _restart(self, step: Step, new: Placement) -> None:
        old = self.running[new.member]
        if self.case.get("givesUp") in step.topics:
            for name in old:
                self.steps.append({"unsubscribe": {"member": name, "topic": step.topics[0]}})
            return
        mode, gap = self.case.get("mode", "restart"), {"wait": self.case.get("gapMs", 300)}
        for stopped, started in zip(old, self._new(new, step.from_first), strict=True):
            if mode == "surge":
                self.steps += [{"start": started}, {"wait": max(gap["wait"], 1_000)}, {"stop": stopped}]
            else:
                killed = self._is_killed(new.member)
                self.steps += [{"kill" if killed else "stop": stopped}, gap, {"start": started}]


def states_at(record: Json) -> Iterator[tuple[int, int, int]]:
    """For each state of the plan its number, and from when until when the group was in it; 0 is before the first step.

    Between two states lie the steps that change it. Milliseconds of the record.
    """
    steps, marks = record["observed"]["steps"], record["scenario"]["marks"]
    begin = next(one["atMs"] for one in steps if "stream" in one)
    for number, (first, last) in enumerate(marks):
        yield number, begin, steps[first]["atMs"]
        begin = steps[last]["doneMs"]
    yield len(marks), begin, steps[-1]["doneMs"]

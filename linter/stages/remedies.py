"""What to do about a disagreement: its members in, remedies that were judged for them out, the safest first.

Whether members of a group run one listener or several decides: one list of tags for all is right for one listener, and
wrong for several, where half of what only one of them handles would go to another. The plans are those of `subdrift
rollout`; a finding names the command that prints one.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Final

from subdrift.linter.model.api import Client
from subdrift.linter.model.called import short_names
from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rollout, Rule
from subdrift.linter.model.message import Message, quoted, say

if TYPE_CHECKING:
    from subdrift.linter.broker.assume import Assume
    from subdrift.linter.broker.rollout.plan import Plan, Setting

MEMBERS_MAX: Final = 8
"""Members of a group whose remedies name a command; of more a reader is told what to do, and looks at the whole."""
JUDGED_MAX: Final = 3
"""Members for which a finding says how much of their messages one list of tags would mislead."""
QUEUES_MAX: Final = 4
"""Queues that are supposed for that at most: more change little, and cost time."""
MOVES_MAX: Final = 3
"""Members that a command moves."""
STEPS_MAX: Final = 4
"""Remedies of a finding."""
_NOT_OF_A_NAME: Final = re.compile(r"[^%|A-Za-z0-9_-]+")

_OF_JOBS: Final = frozenset(
    ("divergent-tags", "divergent-topics", "divergent-filter-type", "divergent-sql", "shared-group")
)
"""Rules of which a member's job decides what helps: different listeners need groups of their own."""
_SAME: Final = {
    "shared-group": "shared-group.same",
    "divergent-message-model": "divergent-message-model.same",
    "divergent-filter-type": "divergent-filter-type.same",
    "divergent-sql": "divergent-sql.same",
}
"""What makes members alike, where that settles a finding."""
_REMEDIED: Final = _OF_JOBS | {"divergent-message-model"}
"""Rules whose advice hangs on who the members are."""
_SETTLED: Final = frozenset(
    ("divergent-consume-mode", "divergent-consume-from", "group-of-another-service", "almost-equal-tags")
)
"""Rules whose findings are gone, too, once members that are at odds have groups of their own."""

_WITH_SIDES: Final = (
    _REMEDIED - {"shared-group"} | _SETTLED - {"group-of-another-service"} | {"divergent-allocation-strategy"}
)
"""Rules whose remark says on which side each member stands."""


def remedies(
    parts: Sequence[tuple[Rule, Remark]], group: ConsumerGroup, members: Sequence[Consumer], assume: Assume
) -> tuple[tuple[Message, ...], Rollout | None]:
    """What to do about the findings of one cause, and the goal of the first plan that is named; what the remarks say
    themselves where nothing more can be said for these members."""
    own = [(rule.name, remark) for rule, remark in parts if not _is_copies(remark)]
    judged = {rule for rule, _ in own} & _REMEDIED
    left = [part for part in parts if part[0].name not in judged | (_SETTLED if judged else set())]
    chosen = _Remedies(own, group, members, assume)
    found = list(chosen.all()) if judged else []
    said = [chosen.measured(rule.name, remark.help) for rule, remark in left]
    kept = [one for each in said for one in (each[:1] if judged else each)]
    return tuple(dict.fromkeys([*found, *kept]))[:STEPS_MAX], chosen.goal


def _is_copies(remark: Remark) -> bool:
    return remark.message.code == "shared-group.copies"


def _as_name(text: str) -> str:
    return _NOT_OF_A_NAME.sub("-", text).strip("-")


def listener(member: Consumer) -> str:
    """What does the work: the simple name of the class that listens. Copies of it in two packages do the same."""
    return member.symbol.partition("#")[0].rpartition(".")[2]


class _Remedies:
    def __init__(
        self,
        remarks: Sequence[tuple[str, Remark]],
        group: ConsumerGroup,
        members: Sequence[Consumer],
        assume: Assume,
    ) -> None:
        self.remarks, self.group, self.assume = remarks, group, assume
        self.members = tuple({one.id: one for one in members}.values())
        self.names = short_names(planned(group))
        self.goal: Rollout | None = None
        """What the first plan that is told leads to."""
        self.jobs = {one.id: listener(one) for one in self.members}
        self.one_job = len(set(self.jobs.values())) == 1
        self.tellable = (
            len(self.members) <= MEMBERS_MAX and all(one.id in self.names for one in self.members)
        ) and all(_is_known(one) and one.traits.client is Client.REMOTING for one in self.members)

    def all(self) -> Iterator[Message]:
        """The remedies of all rules, the safest first; what makes members alike only where it settles every rule."""
        first = dict(reversed(self.remarks))
        alone = self.remarks[0][0] if len(self.remarks) == 1 else ""
        if self.one_job and alone == "divergent-tags":
            yield from self._widen(first[alone])
        if self.one_job and alone == "divergent-topics":
            yield say("remedy.union", group=self.group.name)
        yield self._split()
        if not self.one_job and "divergent-tags" in first:
            yield self._never_widen(first["divergent-tags"])
        if not self.one_job and "divergent-topics" in first:
            yield say("remedy.never-union")
        if alone in _SAME and (self.one_job or alone == "shared-group"):
            yield say(_SAME[alone])

    def measured(self, rule: str, said: tuple[Message, ...]) -> tuple[Message, ...]:
        """A rule's advice; where the members are known, what it costs them, and the command that splits them."""
        if not self.tellable:
            return said
        if rule == "divergent-allocation-strategy":
            first = self._one_strategy()
        elif rule == "divergent-consume-mode":
            first = self._one_mode()
        else:
            return said
        goal = self.goal
        split, self.goal = self._split(), goal  # what comes second is not what a page shows
        return (first or said[0], split)

    def _alike(self) -> tuple[Plan | None, str]:
        """The plan by which all members divide queues as the first one does, if there is one, and how that does."""
        from subdrift.linter.broker.rollout import regroup
        from subdrift.linter.broker.rollout.plan import RolloutError

        names = [_strategy(one) for one in self.members]
        if None in names:
            return None, ""
        broker, client = self.assume.broker_version, self.assume.client_version
        try:
            setting = self._setting()
            goal = setting.members[0].options.strategy
            return regroup.one_strategy(setting, goal, broker, client, runs=0), names[0] or ""
        except RolloutError:
            return None, ""

    def _one_strategy(self) -> Message | None:
        """What restarts one after the other leave unread and repeat, and that all together leave nothing, by the model."""
        plan, strategy = self._alike()
        if plan is None or not (plan.ways[0].is_safe and plan.ways[0].is_once):
            return None
        states = [plan.now, *(step.after for way in plan.ways for step in way.steps)]
        losses = [one for state in states for one in state.losses]
        return say(
            "remedy.one-strategy",
            strategy=strategy,
            stuck=_percent(max((one.stuck.high for one in losses), default=Fraction(0))),
            twice=_percent(max((one.twice.high for one in losses), default=Fraction(0))),
        )

    def _one_mode(self) -> Message | None:
        """Which part of the queues keeps its order now: that of the orderly members, whoever has which client id."""
        from subdrift.linter.broker.members import sides
        from subdrift.linter.broker.partition import Partition

        plan, _ = self._alike()
        if plan is None or not all(one.is_safe for one in plan.ways):  # restarts alone lose something
            return None
        orderly = sum(one.consume_mode.text == "ORDERLY" for one in self.members) * self.assume.instances
        found = Partition(sides(self.members, self.assume), self.assume.queues).counted(
            orderly, orderly, False
        )
        if found is None:
            return None
        low, high = (_percent(one) for one in (found.low, found.high))
        return say("remedy.one-mode", share=low if low == high else f"{low[:-2]}-{high}")

    def _moves(self) -> dict[str, str]:
        """Who leaves for which group: all but the members that do the first one's work and stand on its side."""
        sides = self._sides()
        by_job = not self.one_job and any(rule in _OF_JOBS for rule, _ in self.remarks)
        apart = {one.id: (self.jobs[one.id] if by_job else "", sides.get(one.id, ())) for one in self.members}
        stays = next(
            (one for one in self.members if one.message_model.text != "BROADCASTING"), self.members[0]
        )
        leaving = [one for one in self.members if apart[one.id] != apart[stays.id]]
        parted = {apart[one.id] for one in leaving}
        groups: dict[object, str] = {}
        moves = {}
        for one in leaving:
            side, name = apart[one.id], self.names[one.id]
            alone = [apart[other.id] for other in leaving].count(side) == 1
            of_job = not alone and [job for job, _ in parted].count(side[0]) == 1
            suffix = (of_job and _as_name(side[0])) or _as_name(name)
            moves[name] = groups.setdefault(side, f"{self.group.name}-{suffix}")
        return moves

    def _sides(self) -> dict[str, tuple[tuple[str, int], ...]]:
        """Where each member stands in what the group is at odds about."""
        found: dict[str, tuple[tuple[str, int], ...]] = {}
        for rule, remark in self.remarks:
            if rule not in _WITH_SIDES:
                continue
            members = iter(remark.members)
            for number, count in enumerate(remark.counts):
                for one in islice(members, count):
                    found[one.id] = (*found.get(one.id, ()), (rule, number))
        return found

    def _split(self) -> Message:
        moves = self._moves() if self.tellable else {}
        promise = self._promise(moves) if 0 < len(moves) <= MOVES_MAX else ""
        if not promise:
            return say("remedy.split.untold", group=self.group.name)
        self.goal = self.goal or Rollout(split=tuple(moves.items()))
        options = " ".join(f"--split {shlex.quote(f'{name}={group}')}" for name, group in moves.items())
        several = ".several" if len(moves) > 1 else ""
        return say(
            f"remedy.split{several}",
            members=[quoted(one) for one in moves],
            command=f"subdrift rollout {shlex.quote(self.group.name)} {options}",
            promise=say(promise),
        )

    def _promise(self, moves: dict[str, str]) -> str:
        """What the orders of the split promise, "" where none is worked out; that they keep it is a matter of their
        judgement, and of recorded runs."""
        from subdrift.linter.broker.rollout import regroup
        from subdrift.linter.broker.rollout.plan import Order, RolloutError

        if any(
            self.names[one.id] in moves and one.message_model.text == "BROADCASTING" for one in self.members
        ):
            return "remedy.promise.twice"
        try:
            careful = Order.CAREFUL in regroup.orders_of_split(self._setting(), moves)
        except RolloutError:
            return ""
        return "remedy.promise.either" if careful else "remedy.promise.pause"

    def _setting(self) -> Setting:
        return setting_of(self.group.name, self.members, self.names, self.assume.queues_of)

    def _widen(self, remark: Remark) -> Iterator[Message]:
        tags = self._all_tags(remark.topic)
        if self.tellable and tags:
            to = shlex.quote(tags)
            self.goal = Rollout(topic=remark.topic or "", to=tags)
            command = (
                f"subdrift rollout {shlex.quote(self.group.name)} {shlex.quote(remark.topic or '')} --to {to}"
            )
            yield from self._handled(tags)
            yield say("remedy.widen", tags=tags, command=command)
        else:
            yield say("remedy.widen.untold")

    def _handled(self, tags: str) -> Iterator[Message]:
        """What the listener's code says of these tags, where it looks at tags itself: those it does not name it skips."""
        seen = [one for one in self.members if one.tags]
        for member in seen if tags != "*" else ():
            named = {step.what for step in member.tags}
            lacking = [one for one in tags.split(" || ") if one not in named]
            place = f"{member.tags[0].at.origin.path}:{member.tags[0].at.span.line}"
            if lacking:
                missing = [quoted(one) for one in lacking]
                yield say("remedy.widen.lacks", listener=listener(member), tags=missing, place=place)
                return

    def _all_tags(self, topic: str | None) -> str:
        from subdrift.linter.model.tags import parse_tags

        found: dict[str, None] = {}
        for member in self.members:
            for one in member.subscriptions:
                if one.topic.text == topic and one.expression.text is not None:
                    tags = parse_tags(one.expression.text)
                    if tags.is_all:
                        return "*"
                    found |= dict.fromkeys(sorted(tags.tags))
        return " || ".join(found)

    def _never_widen(self, remark: Remark) -> Message:
        """One list of tags for all: how much of what one listener alone handles would go to another."""
        judged = self.tellable and len(self.members) <= JUDGED_MAX
        share = self._misled(remark.topic or "") if judged else None
        if share is None:
            return say("remedy.never-widen.untold")
        return say("remedy.never-widen", share=_percent(share))

    def _misled(self, topic: str) -> Fraction | None:
        from subdrift.linter.broker.rollout import tags
        from subdrift.linter.broker.rollout.plan import Order, RolloutError

        jobs = {
            self.names[one.id]: tuple(
                self.names[other.id] for other in self.members if self.jobs[other.id] == self.jobs[one.id]
            )
            for one in self.members
        }
        broker, client = self.assume.broker_version, self.assume.client_version
        try:
            goal = self._all_tags(topic)
            plan = tags.plan(self._setting(), topic, goal, broker, client, jobs, runs=0)
        except RolloutError:
            return None
        careful = plan.way(Order.CAREFUL)
        lost = [one.lost.high for one in careful.steps[-1].after.losses] if careful and careful.steps else []
        return max(lost, default=Fraction(0)) or None


def planned(group: ConsumerGroup) -> tuple[Consumer, ...]:
    """The members that `subdrift rollout` plans for: those of the first environment that has any."""
    return next((found for one in group.environments if (found := group.members(one))), ())


def setting_of(
    name: str, consumers: Sequence[Consumer], names: Mapping[str, str], queues_of: Callable[[str], int]
) -> Setting:
    """What a plan for these members is worked out for. Raises RolloutError."""
    from subdrift.linter.broker.members import clients
    from subdrift.linter.broker.rollout.plan import Setting

    members = clients(consumers, names)
    topics = dict.fromkeys(one.topic for each in members for one in each.subscriptions)
    return Setting(name, members, tuple((topic, min(QUEUES_MAX, queues_of(topic))) for topic in topics))


def plan_of(goal: Rollout, group: ConsumerGroup, queues: int) -> Plan | None:
    """The plan that a finding advises, without simulated runs; None where there is none for the members it is told of
    (those of another environment may differ)."""
    from subdrift.linter.broker.rollout import regroup, tags
    from subdrift.linter.broker.rollout.plan import RolloutError

    members = tuple({one.id: one for one in planned(group)}.values())
    try:
        setting = setting_of(group.name, members, short_names(members), lambda topic: queues)
        if goal.split:
            return regroup.split(setting, dict(goal.split), runs=0)
        return tags.plan(setting, goal.topic, goal.to, runs=0)
    except RolloutError:
        return None


def _is_known(member: Consumer) -> bool:
    """Whether a plan for it supposes nothing."""
    from subdrift.linter.broker.members import supposed

    return (
        not member.choice
        and not supposed((member,), {member.id: ""})
        and all(
            one.topic.text is not None and one.expression.text is not None for one in member.subscriptions
        )
    )


def _strategy(member: Consumer) -> str | None:
    """The class by which a member divides queues, None where no plan can be worked out for it."""
    from subdrift.linter.broker.members import STRATEGY_OF_CLASS
    from subdrift.linter.broker.scenario import STRATEGIES

    value = member.strategy
    text = "AVG" if value.text is None and value.not_applicable else value.text
    name = None if text is None else text.rpartition(".")[2] or "AVG"
    known = (one for one, short in STRATEGY_OF_CLASS.items() if name in (one, short) and short in STRATEGIES)
    return next(known, None)


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):.3g} %"

"""What to do about a disagreement: its members in, remedies that were judged for them out, the safest first.

Whether members of a group run one listener or several decides: one list of tags for all is right for one listener, and
wrong for several, where half of what only one of them handles would go to another. The plans are those of `subdrift
rollout`; a finding names the command that prints one.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from subdrift.linter.model.api import Client
from subdrift.linter.model.called import short_names
from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rule
from subdrift.linter.model.message import Message, quoted, say

if TYPE_CHECKING:
    from subdrift.linter.broker.assume import Assume
    from subdrift.linter.broker.rollout.plan import Setting

MEMBERS_MAX: Final = 8
"""Members of a group whose remedies name a command; of more a reader is told what to do, and looks at the whole."""
JUDGED_MAX: Final = 3
"""Members for which a finding says how much of their messages one list of tags would mislead."""
QUEUES_MAX: Final = 4
"""Queues that are supposed for that at most: more change little, and cost time."""
MOVES_MAX: Final = 3
"""Members that a command moves."""
_NOT_OF_A_NAME: Final = re.compile(r"[^%|A-Za-z0-9_-]+")

_REMEDIED: Final = frozenset(
    (
        "divergent-tags",
        "divergent-topics",
        "divergent-filter-type",
        "divergent-sql",
        "divergent-message-model",
        "shared-group",
    )
)
"""Rules whose advice hangs on who the members are."""


def remedies(
    rule: Rule, remark: Remark, group: ConsumerGroup, members: Sequence[Consumer], assume: Assume
) -> tuple[Message, ...]:
    """What to do; the remark's own help where nothing more can be said for these members."""
    if rule.name not in _REMEDIED or remark.message.code == "shared-group.copies":
        return remark.help
    found = _Remedies(rule.name, remark, group, members, assume)
    return tuple(found.all()) or remark.help


def listener(member: Consumer) -> str:
    """What does the work: the simple name of the class that listens. Copies of it in two packages do the same."""
    return member.symbol.partition("#")[0].rpartition(".")[2]


class _Remedies:
    def __init__(
        self, rule: str, remark: Remark, group: ConsumerGroup, members: Sequence[Consumer], assume: Assume
    ) -> None:
        self.rule, self.remark, self.group, self.assume = rule, remark, group, assume
        self.members = tuple({one.id: one for one in members}.values())
        self.names = short_names(_planned(group))
        self.jobs = {one.id: listener(one) for one in self.members}
        self.one_job = len(set(self.jobs.values())) == 1
        self.tellable = (
            len(self.members) <= MEMBERS_MAX and all(one.id in self.names for one in self.members)
        ) and all(_is_known(one) and one.traits.client is Client.REMOTING for one in self.members)

    def all(self) -> Iterator[Message]:
        """The remedies of the rule, the safest first."""
        if self.rule == "divergent-tags" and self.one_job:
            yield from self._widen()
        if self.rule == "divergent-topics" and self.one_job:
            yield say("remedy.union", group=self.group.name)
        yield self._split()
        if self.rule == "divergent-tags" and not self.one_job:
            yield self._never_widen()
        if self.rule == "shared-group":
            yield say("shared-group.same")
        if self.rule == "divergent-topics" and not self.one_job:
            yield say("remedy.never-union")
        if self.rule == "divergent-message-model":
            yield say("divergent-message-model.same")
        if self.rule in ("divergent-filter-type", "divergent-sql") and self.one_job:
            yield say(f"{self.rule}.same")

    def _moves(self) -> dict[str, str]:
        """Who leaves for which group: all but the members that do the first one's work, or stand on its side."""
        if self.rule == "divergent-message-model":
            apart = {one.id: str(one.message_model.text == "BROADCASTING") for one in self.members}
        elif self.one_job:
            apart = dict(self._sides())
        else:
            apart = self.jobs
        first = apart.get(self.members[0].id, "")
        if self.rule == "divergent-message-model":
            first = "False"
        groups: dict[str, str] = {}
        moves = {}
        for one in self.members:
            side = apart.get(one.id, first)
            if side != first:
                name = self.names[one.id]
                suffix = _NOT_OF_A_NAME.sub("-", name).strip("-")
                moves[name] = groups.setdefault(side, f"{self.group.name}-{suffix}")
        return moves

    def _sides(self) -> Iterator[tuple[str, str]]:
        members = iter(self.remark.members)
        for number, count in enumerate(self.remark.counts):
            for _ in range(count):
                if (one := next(members, None)) is not None:
                    yield one.id, str(number)

    def _split(self) -> Message:
        moves = self._moves() if self.tellable else {}
        promise = self._promise(moves) if 0 < len(moves) <= MOVES_MAX else ""
        if not promise:
            return say("remedy.split.untold", group=self.group.name)
        options = " ".join(f"--split {shlex.quote(f'{name}={group}')}" for name, group in moves.items())
        return say(
            "remedy.split",
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
        from subdrift.linter.broker.members import clients
        from subdrift.linter.broker.rollout.plan import Setting

        members = clients(self.members, self.names)
        topics = dict.fromkeys(one.topic for each in members for one in each.subscriptions)
        queues = tuple((topic, min(QUEUES_MAX, self.assume.queues_of(topic))) for topic in topics)
        return Setting(self.group.name, members, queues)

    def _widen(self) -> Iterator[Message]:
        tags = self._all_tags()
        if self.tellable and tags:
            to = shlex.quote(tags)
            command = f"subdrift rollout {shlex.quote(self.group.name)} {shlex.quote(self.remark.topic or '')} --to {to}"
            yield say("remedy.widen", tags=tags, command=command)
        else:
            yield say("remedy.widen.untold")

    def _all_tags(self) -> str:
        from subdrift.linter.model.tags import parse_tags

        found: dict[str, None] = {}
        for member in self.members:
            for one in member.subscriptions:
                if one.topic.text == self.remark.topic and one.expression.text is not None:
                    tags = parse_tags(one.expression.text)
                    if tags.is_all:
                        return "*"
                    found |= dict.fromkeys(sorted(tags.tags))
        return " || ".join(found)

    def _never_widen(self) -> Message:
        """One list of tags for all: how much of what one listener alone handles would go to another."""
        judged = self.tellable and len(self.members) <= JUDGED_MAX
        share = self._misled() if judged else None
        if share is None:
            return say("remedy.never-widen.untold")
        return say("remedy.never-widen", share=f"{float(share * 100):.3g} %")

    def _misled(self) -> Fraction | None:
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
            goal = self._all_tags()
            plan = tags.plan(self._setting(), self.remark.topic or "", goal, broker, client, jobs, runs=0)
        except RolloutError:
            return None
        careful = plan.way(Order.CAREFUL)
        lost = [one.lost.high for one in careful.steps[-1].after.losses] if careful and careful.steps else []
        return max(lost, default=Fraction(0)) or None


def _planned(group: ConsumerGroup) -> tuple[Consumer, ...]:
    """The members that `subdrift rollout` plans for: those of the first environment that has any."""
    return next((found for one in group.environments if (found := group.members(one))), ())


def _is_known(member: Consumer) -> bool:
    return not member.choice and all(
        one.topic.text is not None and one.expression.text is not None for one in member.subscriptions
    )

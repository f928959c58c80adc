"""Consumers of one group of which some listen in order (ORDERLY) and some do not (CONCURRENTLY).

Order holds only where an orderly consumer owns the queue: it locks its queues on the broker, and a concurrent one
takes none of these locks and hands messages of one queue to many threads.

Mirrors: client ConsumeMessageOrderlyService#lockMQPeriodically, RebalanceImpl#updateProcessQueueTableInRebalance,
4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.rules.filters import meeting
from subdrift.rules.sides import Voice, named, remark, sides


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for the group, where members that share a topic differ."""
    found = sides(
        Voice(mode, quoted(mode), member.at, say("listens", mode=mode), member, member.consume_mode)
        for member in meeting(members)
        if member.traits.has_mode
        and member.message_model.text != "BROADCASTING"
        and (mode := member.consume_mode.text) is not None
    )
    yield from remark(
        found,
        message=say("divergent-consume-mode", group=group.name, sides=named(found)),
        topic=None,
        remedy=(say("divergent-consume-mode.orderly"), say("divergent-consume-mode.split")),
    )


RULE = Rule(
    "divergent-consume-mode",
    at_most=Severity.WARNING,
    scope=Scope.GROUP,
    check_group=check,
    predicted=False,
    contrasts=True,
)

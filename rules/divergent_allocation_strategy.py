"""Consumers of one group that divide the queues by different strategies.

Each client works out by itself which queues are its own, from the same list of client ids. Under different strategies
the answers do not fit together: some queues belong to two clients, some to none.

Mirrors: client RebalanceImpl#rebalanceByTopic, AllocateMessageQueueStrategy, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.api import Client
from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.linter.model.prediction import Fate
from subdrift.rules.sides import Voice, named, remark, sides


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for the group."""
    found = sides(
        Voice(name, quoted(name), member.at, say("allocates-by", strategy=name), member, member.strategy)
        for member in members
        if member.traits.client is Client.REMOTING
        and member.message_model.text == "CLUSTERING"
        and (name := _name(member)) is not None
    )
    yield from remark(
        found,
        message=say("divergent-allocation-strategy", group=group.name, sides=named(found)),
        topic=None,
        remedy=(say("divergent-allocation-strategy.same"), say("give-own-groups")),
    )


def _name(member: Consumer) -> str | None:
    """The strategy by its class name; the default has the name that RocketMQ's class has."""
    text = member.strategy.text
    if text is None:
        return None
    name = text.rpartition(".")[2]
    return "AllocateMessageQueueAveragely" if name in ("AVG", "") else name


RULE = Rule(
    "divergent-allocation-strategy",
    at_most=Severity.ERROR,
    scope=Scope.GROUP,
    check_group=check,
    contrasts=True,
    explains=(Fate.STUCK, Fate.DUPLICATE),
)

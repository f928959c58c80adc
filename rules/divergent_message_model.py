"""Consumers of one group of which some are CLUSTERING and some BROADCASTING.

A broadcasting consumer reads every queue for itself, and is counted all the same when the queues are divided among
the clustering ones: its share is read by no clustering consumer. Its heartbeats leave out the retry topic and so
delete it for the group.

Mirrors: client RebalanceImpl#rebalanceByTopic, broker.client.ConsumerGroupInfo#updateChannel, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.linter.model.prediction import Fate
from subdrift.rules.sides import Voice, named, remark, sides


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for the group. Clients whose model the server decides take no part."""
    found = sides(
        Voice(model, quoted(model), member.at, say("consumes-in", mode=model), member, member.message_model)
        for member in members
        if member.traits.has_model and (model := member.message_model.text) is not None
    )
    yield from remark(
        found,
        message=say("divergent-message-model", group=group.name, sides=named(found)),
        topic=None,
        remedy=(say("give-own-groups"), say("divergent-message-model.same")),
    )


RULE = Rule(
    "divergent-message-model",
    at_most=Severity.ERROR,
    scope=Scope.GROUP,
    check_group=check,
    contrasts=True,
    explains=(Fate.STUCK, Fate.DUPLICATE),
)

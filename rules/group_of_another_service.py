"""One group whose consumers belong to different owners, as the CODEOWNERS files of their repositories say.

All members of a group are instances of one service to RocketMQ: they divide the messages, and what one of them
subscribes to decides what the others get. Two teams that share a group change each other's deliveries with a release.

Mirrors: broker ConsumerGroupInfo (one subscription table for a group), client RebalanceImpl#rebalanceByTopic, 4.8.0 to
5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say, verbatim
from subdrift.rules.sides import Voice, named, remark, sides


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for the group, where two members have owners and none in common."""
    owned = [member for member in members if member.owners and member.scope == "main"]
    strangers = any(
        one.isdisjoint(other) for one, other in combinations({frozenset(each.owners) for each in owned}, 2)
    )
    if not strangers:
        return
    found = sides(
        Voice(shown, quoted(shown), member.at, say("owned-by", owners=verbatim(shown)), member)
        for member in owned
        for shown in [" ".join(member.owners)]
    )
    yield from remark(
        found,
        message=say("group-of-another-service", group=group.name, sides=named(found)),
        topic=None,
        remedy=(say("give-own-groups"), say("group-of-another-service.agree")),
    )


RULE = Rule(
    "group-of-another-service",
    at_most=Severity.WARNING,
    scope=Scope.GROUP,
    check_group=check,
    predicted=False,
    contrasts=True,
)

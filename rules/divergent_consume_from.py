"""Consumers of one group that begin at different places where the group has no offset yet: `ConsumeFromWhere`.

Each client asks the broker for the group's offset of a queue and uses its own setting only where there is none: in a
new group, or for a new queue. Which messages a new group begins with then depends on who owns the queue first.

Mirrors: client RebalancePushImpl#computePullFromWhere, ConsumerGroupInfo#updateChannel (the last heartbeat's setting is
what consoles show), 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.api import Client
from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.rules.filters import meeting
from subdrift.rules.sides import Voice, named, remark, sides


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for the group, where members that share a topic differ."""
    found = sides(
        Voice(where, quoted(where), member.at, say("begins", where=where), member, member.consume_from)
        for member in meeting(members)
        if member.traits.client is Client.REMOTING
        and member.message_model.text == "CLUSTERING"
        and (where := member.consume_from.text) is not None
    )
    yield from remark(
        found,
        message=say("divergent-consume-from", group=group.name, sides=named(found)),
        topic=None,
        remedy=(say("divergent-consume-from.same"),),
    )


RULE = Rule(
    "divergent-consume-from",
    at_most=Severity.NOTE,
    scope=Scope.GROUP,
    check_group=check,
    predicted=False,
    contrasts=True,
)

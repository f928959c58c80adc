"""One group with clients of both protocols: remoting (4.x and classic 5.x clients) and gRPC (the new 5.x clients).

The remoting members divide the queues among themselves and read them through; the gRPC members pop from all queues.
Both receive, each by its own rules: shares, order and redelivery are not those of either kind alone. gRPC members send
no subscription that the remoting ones could be compared with, so no console shows it.

Mirrors: proxy ReceiveMessageActivity, broker PopMessageProcessor, client RebalanceImpl, 5.0.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.api import Client
from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say, verbatim
from subdrift.linter.model.prediction import Fate
from subdrift.rules.filters import meetings
from subdrift.rules.sides import Voice, remark, sides

_SHOWN = {Client.REMOTING: "remoting", Client.GRPC: "gRPC"}


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for the group, where members that share a topic speak different protocols."""
    spoken = {
        id(member): shown for member in members if (shown := _SHOWN.get(member.traits.client)) is not None
    }
    mixed = {
        id(member)
        for _, met in meetings(members)
        if len({spoken[id(member)] for member, _ in met if id(member) in spoken}) > 1
        for member, _ in met
    }
    found = sides(
        Voice(shown, verbatim(shown), member.at, say("speaks", protocol=shown), member)
        for member in members
        if id(member) in mixed and (shown := spoken.get(id(member))) is not None
    )
    yield from remark(
        found,
        message=say("mixed-client-generations", group=group.name),
        topic=None,
        remedy=(say("mixed-client-generations.split"), say("mixed-client-generations.move")),
    )


RULE = Rule(
    "mixed-client-generations",
    at_most=Severity.WARNING,
    scope=Scope.GROUP,
    check_group=check,
    predicted=False,
    contrasts=True,
    explains=(Fate.DUPLICATE, Fate.UNEXPECTED),
)

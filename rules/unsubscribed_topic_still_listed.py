"""A consumer that unsubscribes from a topic while it runs, beside others of its group that go on with it.

`unsubscribe` is the client's own affair: the next heartbeat, up to 30 s later, leaves the topic out, which deletes it
from the table of the whole group; the others' heartbeats put it back, so consoles list it now and then. The queues go
on being divided among all members: what falls to the one that unsubscribed is read by nobody.

Mirrors: client DefaultMQPushConsumerImpl#unsubscribe, RebalanceImpl#truncateMessageQueueNotMyTopic, broker
ConsumerGroupInfo#updateSubscription, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say
from subdrift.rules.filters import meetings
from subdrift.rules.sides import Voice, remark, sides


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each topic that some members give up while they run, and others keep."""
    for topic, met in meetings(members):
        clustering = [
            (member, one)
            for member, one in met
            if member.api == "push" and member.message_model.text == "CLUSTERING"
        ]
        gone = sides(
            Voice("gone", quoted(topic), one.dropped, say("gives-up", topic=topic), member)
            for member, one in clustering
            if one.dropped is not None
        )
        kept = sides(
            Voice("kept", quoted(topic), one.at, say("goes-on"), member)
            for member, one in clustering
            if one.dropped is None
        )
        yield from remark(
            (*gone, *kept),
            message=say("unsubscribed-topic-still-listed", group=group.name, topic=topic),
            topic=topic,
            remedy=(say("unsubscribed-topic-still-listed.all"), say("give-own-groups")),
        )


RULE = Rule(
    "unsubscribed-topic-still-listed",
    at_most=Severity.WARNING,
    scope=Scope.GROUP,
    check_group=check,
    predicted=False,
    contrasts=True,
)

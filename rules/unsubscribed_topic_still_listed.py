"""A consumer that unsubscribes from a topic while it runs, beside others of its group that go on with it.

`unsubscribe` is the client's own affair: the next heartbeat, up to 30 s later, leaves the topic out, which deletes it
from the table of the whole group; the others' heartbeats put it back, so consoles list it now and then. The queues go
on being divided among all members: what falls to the one that unsubscribed is read by nobody.

Mirrors: client DefaultMQPushConsumerImpl#unsubscribe, RebalanceImpl#truncateMessageQueueNotMyTopic, broker
ConsumerGroupInfo#updateSubscription, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from linter.model.consumer import Consumer, ConsumerGroup
from linter.model.finding import Place, Remark, Rule, Scope, Severity
from linter.model.message import say
from rules.filters import meetings


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each topic that some members give up while they run, and others keep."""
    for topic, met in meetings(members):
        clustering = [
            (member, one)
            for member, one in met
            if member.api == "push" and member.message_model.text == "CLUSTERING"
        ]
        gone = [(member, one) for member, one in clustering if one.dropped is not None]
        kept = [(member, one) for member, one in clustering if one.dropped is None]
        if gone and kept:
            places = [
                Place(one.dropped, say("gives-up", topic=topic), member.scope)
                for member, one in gone
                if one.dropped is not None
            ]
            places += [Place(one.at, say("goes-on"), member.scope, side=1) for member, one in kept]
            yield Remark(
                message=say("unsubscribed-topic-still-listed", group=group.name, topic=topic),
                topic=topic,
                places=tuple(dict.fromkeys((places[0], places[len(gone)], *places))),
                differs=("unsubscribed",),
                members=tuple(member for member, _ in (*gone, *kept)),
                help=(say("unsubscribed-topic-still-listed.all"), say("give-own-groups")),
                counts=(len(gone), len(kept)),
            )


RULE = Rule(
    "unsubscribed-topic-still-listed",
    at_most=Severity.WARNING,
    scope=Scope.GROUP,
    check_group=check,
    predicted=False,
)

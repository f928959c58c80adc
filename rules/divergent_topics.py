"""Consumers of one group that do not subscribe to the same topics.

The broker keeps one table of topics for a whole group. Every heartbeat deletes from it what this member does not
subscribe, and the queues of each topic are divided among all members of the group, subscribed or not: the queues
of a member that does not want the topic are read by nobody.

Only clients that send heartbeats of the classic protocol take part: the 5.x gRPC clients allow different topics.
Mirrors: broker.client.ConsumerGroupInfo#updateSubscription, client RebalanceImpl#rebalanceByTopic, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from subdrift.linter.model.api import Client, ConsumerKind
from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.expr import Why
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import quoted, say, verbatim
from subdrift.linter.model.prediction import Fate
from subdrift.rules.filters import by_topic
from subdrift.rules.sides import NAMES_LISTED_MAX, Voice, listed, named, remark, sides


class _Topics(Struct, frozen=True):
    """The topics a member is known to have; `complete` where it is certain that there are no others."""

    member: Consumer
    known: frozenset[str]
    complete: bool


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """A topic that one member subscribes and another is known not to subscribe."""
    spoken = [_topics(member) for member in members if member.traits.client is Client.REMOTING]
    everything = frozenset[str]().union(*(one.known for one in spoken))
    missing = frozenset[str]().union(*(everything - one.known for one in spoken if one.complete))
    if not missing:
        return
    voices = (_voice(one, missing) for one in spoken if one.complete or one.known & missing)
    found = sides(voices)
    yield from remark(
        found,
        message=say("divergent-topics", group=group.name, sides=named(found)),
        topic=None,
        remedy=(say("give-own-groups"),),
    )


def _topics(member: Consumer) -> _Topics:
    known = frozenset(by_topic(member))
    complete = bool(member.subscriptions) and all(one.topic.known for one in member.subscriptions)
    return _Topics(member, known, complete or _registers_nothing(member))


def _registers_nothing(member: Consumer) -> bool:
    """A pull consumer that names its queues itself is in the group all the same, with an empty heartbeat."""
    return member.traits.kind is ConsumerKind.PULL and all(
        one.topic.why is Why.NEVER_SUBSCRIBED for one in member.subscriptions
    )


def _voice(one: _Topics, missing: frozenset[str]) -> Voice:
    topics = sorted(one.known)
    odd = next((by_topic(one.member)[topic] for topic in topics if topic in missing), None)
    at = odd.at if odd else one.member.at
    others = [] if one.complete else [say("others-not-known")]
    names = [*map(quoted, topics), *others]
    said = names[0] if len(names) == 1 else say("set-of", names=listed(names, NAMES_LISTED_MAX))
    bare = listed([*map(verbatim, topics), *others], NAMES_LISTED_MAX)
    label = say("subscribes-to", names=bare or say("no-topic"))
    if not names:
        said = say("no-topic")
    value = "\n".join([*topics, *([] if one.complete else ["?"])])
    return Voice(value, said, at, label, one.member, odd.topic if odd else None)


RULE = Rule(
    "divergent-topics",
    at_most=Severity.ERROR,
    scope=Scope.GROUP,
    check_group=check,
    contrasts=True,
    explains=(Fate.STUCK, Fate.DELAYED),
)

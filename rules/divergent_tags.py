"""Consumers of one group that filter one topic by different tags.

The broker keeps one subscription per topic for a whole group; a newer one replaces it. Pulls that carry no
filter of their own, a push consumer's default, are filtered by it: what only another consumer wants is skipped.
The sets of tags are compared, as the broker does; their order is the business of `tag-order-differs`.

Mirrors: broker.client.ConsumerGroupInfo#updateSubscription, broker.filter.ExpressionMessageFilter, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say
from subdrift.linter.model.prediction import Fate
from subdrift.rules.filtering import filtering
from subdrift.rules.filters import TAG, meetings
from subdrift.rules.sides import named, remark


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each topic whose tags differ."""
    for topic, met in meetings(members):
        found = filtering(met, TAG, lambda asked: say("subscribes-to", names=asked))
        yield from remark(
            found,
            message=say("divergent-tags", group=group.name, topic=topic, sides=named(found)),
            topic=topic,
            remedy=(say("give-own-groups"),),
        )


RULE = Rule(
    "divergent-tags",
    at_most=Severity.ERROR,
    scope=Scope.GROUP,
    check_group=check,
    contrasts=True,
    explains=(Fate.LOST, Fate.UNEXPECTED),
)

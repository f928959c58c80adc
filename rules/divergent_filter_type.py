"""Consumers of one group that filter one topic in different ways: by tags, by SQL92, by a filter class.

The broker keeps one subscription per topic for a whole group, type included. While the SQL92 one holds, consumers
that filter by tags get only what the selector lets pass; while the list of tags holds, the SQL92 consumer gets
what the tags let pass, unfiltered. Where the broker does not allow SQL92 at all, its pulls fail for everybody.

Mirrors: broker.client.ConsumerGroupInfo#updateSubscription, broker.filter.ExpressionMessageFilter, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from subdrift.linter.model.consumer import Consumer, ConsumerGroup, Subscription
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say, verbatim
from subdrift.linter.model.prediction import Fate
from subdrift.rules.filters import meetings
from subdrift.rules.sides import Voice, named, remark, sides


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each topic with several filter types; the expressions may be unknown."""
    for topic, met in meetings(members):
        found = sides(_voices(met))
        # an edited expression is another state of the same disagreement
        said = tuple(sorted({_said(one) for _, one in met if one.filter_type.text is not None}))
        for one in remark(
            found,
            message=say("divergent-filter-type", group=group.name, topic=topic, sides=named(found)),
            topic=topic,
            remedy=(say("give-own-groups"), say("divergent-filter-type.same")),
        ):
            yield replace(one, differs=said)


def _voices(met: list[tuple[Consumer, Subscription]]) -> Iterator[Voice]:
    for member, subscription in met:
        kind = subscription.filter_type.text
        if kind is not None:
            expression = subscription.expression.text
            if expression is None:
                label = say("filters-by", type=kind)
            else:
                label = say("filters-by-expression", type=kind, expression=expression)
            written = subscription.filter_type if subscription.filter_type.trail else subscription.expression
            yield Voice(kind, verbatim(kind), subscription.at, label, member, written)


def _said(one: Subscription) -> str:
    return f"{one.filter_type.text} {one.expression.text if one.expression.text is not None else '?'}"


RULE = Rule(
    "divergent-filter-type",
    at_most=Severity.ERROR,
    scope=Scope.GROUP,
    check_group=check,
    contrasts=True,
    explains=(Fate.LOST, Fate.UNEXPECTED, Fate.FAILS_TO_START),
)

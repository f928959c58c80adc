"""A consumer that subscribes to one topic twice, with different filters.

A client keeps one subscription per topic: the later call replaces the earlier one, its tags are not added.
The same filter twice changes nothing and is not reported.

Mirrors: client RebalanceImpl#getSubscriptionInner().put in DefaultMQPushConsumerImpl#subscribe, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from subdrift.linter.model.consumer import Consumer, Subscription
from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import Message, quoted, say
from subdrift.rules.filters import EVERYTHING, SQL92, TAG, Filter, filter_of
from subdrift.rules.sides import source

HARMLESS: Final = say("nothing-lost-by-it")
"""Said where the last call asks for all that the earlier ones do: they are idle, and nothing is lost by it."""


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each topic with several known filters; the place is the call that counts."""
    by_topic: dict[str, list[Subscription]] = {}
    for subscription in consumer.subscriptions:
        if subscription.topic.text is not None and filter_of(subscription) is not None:
            by_topic.setdefault(subscription.topic.text, []).append(subscription)
    repeated = ((topic, calls) for topic, calls in by_topic.items() if len(set(map(filter_of, calls))) > 1)
    for ordinal, (topic, calls) in enumerate(repeated):
        *earlier, last = calls
        asked = [one for call in calls if (one := filter_of(call))]
        by_sql = any(one.type == SQL92 for one in asked)
        named = {} if consumer.group.text is None else {"group": consumer.group.text}
        cost = _cost(asked)
        yield Remark(
            message=say(
                "topic-subscribed-twice.in-group" if named else "topic-subscribed-twice",
                topic=topic,
                count=len(calls),
                last=asked[-1].said,
                before=asked[-2].said,
                **named,
            ),
            topic=topic,
            places=_places(earlier, last, consumer.scope),
            differs=tuple(one.key for one in asked),
            members=(consumer,),
            help=(say("topic-subscribed-twice.or" if by_sql else "topic-subscribed-twice.join"),),
            ordinal=ordinal,
            cost=cost,
            at_most=Severity.NOTE if cost is HARMLESS else None,
        )


def _cost(asked: list[Filter]) -> Message:
    """Which tags of the earlier calls never arrive."""
    *earlier, last = asked
    if any(one.type != TAG for one in asked):
        return say("topic-subscribed-twice.only", last=last.said)
    if last.key == EVERYTHING:
        return HARMLESS
    if any(one.key == EVERYTHING for one in earlier):
        return say("topic-subscribed-twice.only", last=last.said)
    gone = sorted(frozenset().union(*(one.tags or () for one in earlier)) - (last.tags or frozenset()))
    if not gone:
        return HARMLESS
    return say("tags-lost", tags=[quoted(one) for one in gone])


def _places(earlier: list[Subscription], last: Subscription, scope: str) -> tuple[Place, ...]:
    found: dict[Location, Place] = {
        last.at: Place(
            last.at, say("this-one-counts", filter=_spelled(last)), scope, source(last.expression), 1
        )
    }
    for one in earlier:
        label = say("replaced", filter=_spelled(one))
        found.setdefault(one.at, Place(one.at, label, scope, source(one.expression)))
    return tuple(found.values())


def _spelled(subscription: Subscription) -> Message:
    asked = filter_of(subscription)
    return asked.bare if asked else say("not-known")


RULE = Rule("topic-subscribed-twice", at_most=Severity.ERROR, scope=Scope.CONSUMER, check_consumer=check)

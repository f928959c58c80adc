"""A consumer that subscribes one topic twice, with different filters.

A client keeps one subscription per topic: the later call replaces the earlier one, its tags are not added.
The same filter twice changes nothing and is not reported.

Mirrors: client RebalanceImpl#getSubscriptionInner().put in DefaultMQPushConsumerImpl#subscribe, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from linter.model.consumer import Consumer, Subscription
from linter.model.finding import Place, Remark, Rule, Scope, Severity
from linter.model.location import Location
from rules.filters import filter_of


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each topic with several known filters; the place is the call that counts."""
    by_topic: dict[str, list[Subscription]] = {}
    for subscription in consumer.subscriptions:
        if subscription.topic.text is not None and filter_of(subscription) is not None:
            by_topic.setdefault(subscription.topic.text, []).append(subscription)
    repeated = ((topic, calls) for topic, calls in by_topic.items() if len(set(map(filter_of, calls))) > 1)
    for ordinal, (topic, calls) in enumerate(repeated):
        *earlier, last = calls
        texts = [asked.text for call in calls if (asked := filter_of(call))]
        yield Remark(
            message=(
                f"Topic `{topic}` is subscribed {len(calls)} times by one consumer{_of(consumer)}:"
                f" {texts[-1]} replaces {texts[-2]}."
            ),
            topic=topic,
            places=_places(earlier, last, consumer.scope),
            differs=tuple(texts),
            members=(consumer,),
            help="Subscribe once, with all tags joined by `||`.",
            ordinal=ordinal,
        )


def _of(consumer: Consumer) -> str:
    return "" if consumer.group.text is None else f" of group `{consumer.group.text}`"


def _places(earlier: list[Subscription], last: Subscription, scope: str) -> tuple[Place, ...]:
    found: dict[Location, Place] = {last.at: Place(last.at, f"this one counts: {_spelled(last)}", scope)}
    for one in earlier:
        found.setdefault(one.at, Place(one.at, f"replaced: {_spelled(one)}", scope))
    return tuple(found.values())


def _spelled(subscription: Subscription) -> str:
    asked = filter_of(subscription)
    return asked.text.replace("`", "") if asked else "not known"


RULE = Rule(
    "topic-subscribed-twice",
    "one consumer subscribes one topic twice, the later filter replaces the earlier",
    at_most=Severity.ERROR,
    scope=Scope.CONSUMER,
    check_consumer=check,
)

"""Tag expressions in which `*` is the name of a tag: `A || *`, ` * `, `**`.

Only an expression that is exactly `*` (or empty) means all messages. Blanks around it or a tag beside it make it
an ordinary name, and hardly anybody sends messages with the tag `*`.

Mirrors: FilterAPI#buildSubscriptionData, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from linter.model.consumer import Consumer
from linter.model.finding import Place, Remark, Rule, Scope, Severity
from rules.filters import TAG, filter_of


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each subscription with a tag made of stars only."""
    ordinal = 0
    for subscription in consumer.subscriptions:
        asked = filter_of(subscription)
        stars = sorted(tag for tag in (asked.tags if asked and asked.tags else ()) if not tag.strip("*"))
        if asked is None or asked.type != TAG or not stars:
            continue
        text = subscription.expression.text or ""
        where = "" if subscription.topic.text is None else f" of topic `{subscription.topic.text}`"
        where += "" if consumer.group.text is None else f" in group `{consumer.group.text}`"
        yield Remark(
            message=(
                f"In the tag expression `{text}`{where} `{stars[0]}` is the name of a tag and does not mean all messages."
            ),
            topic=subscription.topic.text,
            places=(Place(subscription.at, f'a tag called "{stars[0]}"', consumer.scope),),
            differs=(text,),
            members=(consumer,),
            help="Write `*` alone, without blanks, for all messages; or only the tags that are wanted.",
            ordinal=ordinal,
        )
        ordinal += 1


RULE = Rule(
    "star-in-list",
    "a star that is a tag's name and not the wildcard",
    at_most=Severity.ERROR,
    scope=Scope.CONSUMER,
    check_consumer=check,
)

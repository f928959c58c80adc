"""Tag expressions in which `*` is the name of a tag: `A || *`, ` * `, `**`.

Only an expression that is exactly `*` (or empty) means all messages. Blanks around it or a tag beside it make it
an ordinary name, and hardly anybody sends messages with the tag `*`.

Mirrors: FilterAPI#buildSubscriptionData, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import Message, quoted, say
from subdrift.rules.filters import TAG, filter_of
from subdrift.rules.sides import source
from subdrift.rules.subject import subject


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each subscription with a tag made of stars only."""
    ordinal = 0
    for subscription in consumer.subscriptions:
        asked = filter_of(subscription)
        stars = sorted(tag for tag in (asked.tags if asked and asked.tags else ()) if not tag.strip("*"))
        if asked is None or asked.type != TAG or not stars:
            continue
        text = subscription.expression.text or ""
        yield Remark(
            message=say(
                "star-in-list", expression=text, subject=subject(consumer, subscription), tag=stars[0]
            ),
            topic=subscription.topic.text,
            places=(
                Place(
                    subscription.at,
                    say("a-tag-called", tag=stars[0]),
                    consumer.scope,
                    source(subscription.expression),
                ),
            ),
            differs=(text,),
            members=(consumer,),
            help=(say("star-in-list.tags"), say("star-in-list.all")),
            cost=_cost(asked.tags or frozenset(), stars[0]),
            ordinal=ordinal,
        )
        ordinal += 1


def _cost(tags: frozenset[str], star: str) -> Message:
    others = sorted(tag for tag in tags if tag.strip("*"))
    if others:
        return say("star-in-list.only", tags=[quoted(one) for one in others])
    return say("no-message-unless", tag=star)


RULE = Rule("star-in-list", at_most=Severity.ERROR, scope=Scope.CONSUMER, check_consumer=check)

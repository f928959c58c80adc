"""Subscriptions and the three places that filter by them: consume queue, commit log, client.

Mirrors: FilterAPI#build, ExpressionType and SubscriptionData of the protocol; MessageExtBrokerInner#tagsString2tagsCode
and ExpressionMessageFilter of the broker; PullAPIWrapper#processPullResult of the client. RocketMQ 4.8.0 to 5.3.3
agree on all of it. Class filters (classFilterMode) are not modelled.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from subdrift.linter.broker.selector import Selector
from subdrift.linter.model.tags import ALL_TAGS, java_hash, parse_tags

TAG: Final = "TAG"
SQL92: Final = "SQL92"

UNTAGGED_CODE: Final = 0
"""The tags code of a message without a tag; a tag may hash to it too."""


class MissingExpressionError(ValueError):
    """A subscription of another type than TAG needs an expression; ``subscribe`` throws for it."""


class SubscriptionData(Struct, frozen=True):
    """What one member asks of one topic, and what the broker keeps of it for the whole group."""

    topic: str
    text: str
    """The expression verbatim (``subString``), ``"*"`` for a missing one."""
    expression_type: str
    """TAG, SQL92, or whatever else the client wrote."""
    version: int
    """``subVersion``: milliseconds of the *client's* clock, raised when its share of the topic changes."""
    tags: frozenset[str] = frozenset()
    codes: frozenset[int] = frozenset()


def is_tag_type(expression_type: str | None) -> bool:
    """Whether the broker filters by tag codes: no type, an empty one, or TAG in capitals."""
    return expression_type is None or expression_type in ("", TAG)


def build_subscription(
    topic: str, expression: str | None, expression_type: str | None = None, version: int = 0
) -> SubscriptionData:
    """What ``subscribe`` makes of an expression of a type; None for the type means TAG.

    Only None and exactly TAG parse tags: the empty type counts as a tag type, yet has no codes, and passes nothing
    but ``*``. Raises TagSyntaxError, or MissingExpressionError for another type without an expression.
    """
    if expression_type is None or expression_type == TAG:
        parsed = parse_tags(expression)
        return SubscriptionData(topic, parsed.text, TAG, version, parsed.tags, parsed.codes)
    if not expression:
        raise MissingExpressionError(f"Expression can't be null! {expression_type}")
    return SubscriptionData(topic, expression, expression_type, version)


def tags_code(tag: str | None) -> int:
    """The code the consume queue holds for a message: the hash of its whole tag, neither split nor trimmed."""
    return java_hash(tag) if tag else UNTAGGED_CODE


def passes_consume_queue(subscription: SubscriptionData | None, code: int | None) -> bool:
    """Whether a message passes the first stage, which sees its tags code alone; what is not TAG passes here.

    The bloom filter of the consume queue extension, off by default, is not modelled.
    """
    if subscription is None or code is None or not is_tag_type(subscription.expression_type):
        return True
    return subscription.text == ALL_TAGS or code in subscription.codes


def passes_commit_log(
    subscription: SubscriptionData | None, selector: Selector | None, properties: Mapping[str, str] | None
) -> bool:
    """Whether a message passes the second stage, which evaluates the compiled expression of what is not TAG.

    ``selector`` is the group's filter data, not the text of the subscription; None, where it did not compile,
    passes everything.
    """
    if subscription is None or is_tag_type(subscription.expression_type) or selector is None:
        return True
    return selector.delivers(properties)


def client_keeps(own: SubscriptionData, tag: str | None) -> bool:
    """Whether a member hands a message on that the broker sent: by its own tags, if it has any."""
    return not own.tags or tag in own.tags

"""What a subscription does to messages here: the filter of one pull, and what counts as wanted.

Mirrors: ExpressionMessageFilter of the broker, RocketMQ 4.8.0 to 5.3.3.
"""

from typing import Final

from msgspec import Struct

from subdrift.linter.broker.filter import (
    SubscriptionData,
    is_tag_type,
    passes_commit_log,
    passes_consume_queue,
)
from subdrift.linter.broker.selector import Selector, compile_selector
from subdrift.linter.broker.simulation.store import StoredMessage
from subdrift.linter.broker.versions import Version
from subdrift.linter.model.tags import ALL_TAGS

RETRY_PREFIX: Final = "%RETRY%"
GROUP: Final = "g"
"""A scenario has one group; recordings call it so too."""
RETRY_TOPIC: Final = RETRY_PREFIX + GROUP


class PullFilter(Struct, frozen=True):
    """What the broker tests messages with, fixed when a pull begins to be processed."""

    subscription: SubscriptionData
    selector: Selector | None = None
    """For SQL92: the expression to evaluate; without one everything passes."""

    def passes(self, message: StoredMessage) -> bool:
        if not passes_consume_queue(self.subscription, message.tags_code):
            return False
        return self.selector is None or passes_commit_log(
            self.subscription, self.selector, properties(message)
        )


def properties(message: StoredMessage) -> dict[str, str]:
    """What SQL92 sees: the user properties, and the tag as TAGS."""
    seen = dict(message.properties)
    if message.tag is not None:
        seen["TAGS"] = message.tag
    return seen


def wants(subscription: SubscriptionData, message: StoredMessage, version: Version) -> bool:
    """Whether the message is meant for this subscriber; a list of blanks wants nothing."""
    if not is_tag_type(subscription.expression_type):
        return compile_selector(subscription.text, version).delivers(properties(message))
    return subscription.text == ALL_TAGS or message.tag in subscription.tags

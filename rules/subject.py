"""Of which topic and group a consumer rule speaks, as far as they are known."""

from __future__ import annotations

from linter.model.consumer import Consumer, Subscription
from linter.model.message import Message, say


def subject(consumer: Consumer, subscription: Subscription) -> Message:
    """A part of a sentence: " of topic `T` in group `G`", or less of it."""
    topic, group = subscription.topic.text, consumer.group.text
    if topic is not None and group is not None:
        return say("of-topic-in-group", topic=topic, group=group)
    if topic is not None:
        return say("of-topic", topic=topic)
    if group is not None:
        return say("in-group", group=group)
    return say("nowhere")

"""What a remark speaks of: the topic and group as far as they are known, and the application."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from subdrift.linter.model.consumer import Consumer, Subscription
from subdrift.linter.model.message import Message, say


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


def application(member: Consumer) -> str:
    """Repository and folder of the deployable; a library's listener is named with the repository it runs in."""
    repo, folder = _deployed(member)
    return f"{repo}/{folder}".rstrip("/.")


def within_repository(members: Iterable[Consumer]) -> Callable[[Consumer], str]:
    """What `application` says, without the repository where that is the same for all."""
    several = len({_deployed(one)[0] for one in members}) > 1
    return lambda member: (
        application(member) if several else _deployed(member)[1].strip(".") or application(member)
    )


def _deployed(member: Consumer) -> tuple[str, str]:
    repo, apart, folder = member.deployable.rpartition(":")
    return (repo if apart else member.at.origin.repo), folder

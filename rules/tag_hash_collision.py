"""Two tags of one topic with the same hash code, so that a broker takes one for the other.

The consume queue holds the hash of a tag, and the broker compares hashes: a pull for one of the tags brings the other
too. A push consumer with tags of its own drops it; one without tags gets what it did not ask for.

Mirrors: MessageExtBrokerInner#tagsString2tagsCode, ExpressionMessageFilter#isMatchedByConsumeQueue, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from linter.model.consumer import Consumer, ConsumerGroup, Subscription
from linter.model.finding import Remark, Rule, Scope, Severity
from linter.model.message import quoted, say
from linter.model.tags import java_hash
from rules.filters import TAG, filter_of, meetings
from rules.sides import Voice, named, remark, sides, source


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each hash of a topic that several tags have."""
    for topic, met in meetings(members):
        by_hash: dict[int, set[str]] = {}
        for tag in {tag for _, one in met for tag in _tags(one)}:
            by_hash.setdefault(java_hash(tag), set()).add(tag)
        for code, alike in sorted(by_hash.items()):
            if len(alike) > 1:
                found = sides(_voices(met, alike))
                yield from remark(
                    found,
                    message=say(
                        "tag-hash-collision", group=group.name, topic=topic, tags=named(found), code=code
                    ),
                    topic=topic,
                    remedy=(say("tag-hash-collision.rename"),),
                )


def _tags(subscription: Subscription) -> frozenset[str]:
    asked = filter_of(subscription)
    return asked.tags if asked is not None and asked.type == TAG and asked.tags else frozenset()


def _voices(met: list[tuple[Consumer, Subscription]], alike: set[str]) -> Iterator[Voice]:
    for member, one in met:
        for tag in sorted(_tags(one) & alike):
            yield Voice(
                tag, quoted(tag), one.at, say("a-tag-called", tag=tag), member, source(one.expression)
            )


RULE = Rule(
    "tag-hash-collision",
    at_most=Severity.NOTE,
    scope=Scope.GROUP,
    check_group=check,
    predicted=False,
)

"""Two tags of one topic with the same hash code, so that a broker takes one for the other.

The consume queue holds the hash of a tag, and the broker compares hashes: a pull for one of the tags brings the other
too. A push consumer with tags of its own drops it; one without tags gets what it did not ask for.

Mirrors: MessageExtBrokerInner#tagsString2tagsCode, ExpressionMessageFilter#isMatchedByConsumeQueue, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say
from subdrift.linter.model.tags import java_hash
from subdrift.rules.sides import named, remark
from subdrift.rules.tags import families


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each hash of a topic that several tags have."""
    for topic, code, found in families(members, java_hash):
        yield from remark(
            found,
            message=say("tag-hash-collision", group=group.name, topic=topic, tags=named(found), code=code),
            topic=topic,
            remedy=(say("tag-hash-collision.rename"),),
        )


RULE = Rule(
    "tag-hash-collision", at_most=Severity.NOTE, scope=Scope.GROUP, check_group=check, predicted=False
)

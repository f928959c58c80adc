"""Tags of one topic that differ only by case, width or invisible characters.

Tags are compared exactly: `Paid`, `PAID` and `ＰＡＩＤ` are three tags, and a message has one of them.

Mirrors: MessageExtBrokerInner#tagsString2tagsCode, FilterAPI#buildSubscriptionData, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Remark, Rule, Scope, Severity
from subdrift.linter.model.message import say
from subdrift.rules.sides import named, remark
from subdrift.rules.tags import families


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each family of such tags of one topic, told apart by member."""
    for topic, _, found in families(members, _folded):
        yield from remark(
            found,
            message=say("almost-equal-tags", group=group.name, topic=topic, tags=named(found)),
            topic=topic,
            remedy=(say("almost-equal-tags.same"),),
        )


def _folded(tag: str) -> str:
    text = unicodedata.normalize("NFKC", tag).casefold()
    return "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Zs"))


RULE = Rule(
    "almost-equal-tags", at_most=Severity.WARNING, scope=Scope.GROUP, check_group=check, predicted=False
)

"""Tags of one topic that differ only by case, width or invisible characters.

Tags are compared exactly: `Paid`, `PAID` and `ＰＡＩＤ` are three tags, and a message has one of them.

Mirrors: MessageExtBrokerInner#tagsString2tagsCode, FilterAPI#buildSubscriptionData, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from linter.model.consumer import Consumer, ConsumerGroup, Subscription
from linter.model.finding import Remark, Rule, Scope, Severity
from linter.model.message import quoted, say
from rules.filters import TAG, filter_of, meetings
from rules.sides import Voice, named, remark, sides, source


def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
    """One remark for each family of such tags of one topic, told apart by member."""
    for topic, met in meetings(members):
        spellings: dict[str, set[str]] = {}
        for tag in sorted({tag for _, one in met for tag in _tags(one)}):
            spellings.setdefault(_folded(tag), set()).add(tag)
        for alike in spellings.values():
            if len(alike) > 1:
                found = sides(_voices(met, alike))
                yield from remark(
                    found,
                    message=say("almost-equal-tags", group=group.name, topic=topic, tags=named(found)),
                    topic=topic,
                    remedy=(say("almost-equal-tags.same"),),
                )


def _tags(subscription: Subscription) -> frozenset[str]:
    asked = filter_of(subscription)
    return asked.tags if asked is not None and asked.type == TAG and asked.tags else frozenset()


def _folded(tag: str) -> str:
    text = unicodedata.normalize("NFKC", tag).casefold()
    return "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Zs"))


def _voices(met: list[tuple[Consumer, Subscription]], alike: set[str]) -> Iterator[Voice]:
    for member, one in met:
        for tag in sorted(_tags(one) & alike):
            yield Voice(
                tag, quoted(tag), one.at, say("a-tag-called", tag=tag), member, source(one.expression)
            )


RULE = Rule(
    "almost-equal-tags",
    at_most=Severity.WARNING,
    scope=Scope.GROUP,
    check_group=check,
    predicted=False,
)

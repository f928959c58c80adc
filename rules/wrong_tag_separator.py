"""Tag expressions that are no list of tags: another separator than `||`, odd blanks, no tag at all, or SQL.

Only `||` separates tags, and only blanks up to U+0020 are trimmed. Everything else becomes part of a tag's name,
without any error: the consumer waits for a tag that nobody sends. Only separators make `subscribe` throw; blanks
alone subscribe to nothing.

Mirrors: FilterAPI#buildSubscriptionData, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from linter.model.consumer import Consumer, Subscription
from linter.model.finding import Place, Remark, Rule, Scope, Severity
from linter.model.tags import TagSyntaxError, parse_tags
from rules.filters import TAG

_SEPARATOR = re.compile(r"[|｜,，;；、]+|&&|＆＆|\s+(?:or|and)\s+", re.IGNORECASE)
"""What people write between tags; `||` itself is gone when a tag is searched for it."""

_ODD_BLANKS = "\u00a0\u1680\u2000-\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff\u0085"
_ODD_END = re.compile(f"^[{_ODD_BLANKS}]|[{_ODD_BLANKS}]$")

_OPERAND = r"(?:'[^']*'|\"[^\"]*\"|-?[0-9]|TRUE\b|FALSE\b)"
_SQL = re.compile(
    rf"^[\s(]*(?:NOT\s+)?[A-Za-z_$][\w$]*\s*(?:(?:=|<>|<=|>=|<|>)\s*{_OPERAND}"
    r"|\s(?:IS\s+(?:NOT\s+)?NULL\b|(?:NOT\s+)?IN\s*\(|(?:NOT\s+)?BETWEEN\s+\S+\s+AND\b))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Mistake:
    """The end of a sentence that begins with the expression, a label for its place, and what to do."""

    message: str
    label: str
    remedy: str


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each subscription by tags whose expression is written wrongly."""
    ordinal = 0
    for subscription in consumer.subscriptions:
        text = subscription.expression.text
        if text is None or subscription.filter_type.text != TAG:
            continue
        mistake = _mistake(text)
        if mistake is not None:
            yield Remark(
                message=f"The tag expression `{text}`{_of(consumer, subscription)} {mistake.message}.",
                topic=subscription.topic.text,
                places=(Place(subscription.at, mistake.label, consumer.scope),),
                differs=(text,),
                members=(consumer,),
                help=mistake.remedy,
                ordinal=ordinal,
            )
            ordinal += 1


def _of(consumer: Consumer, subscription: Subscription) -> str:
    topic = subscription.topic.text
    group = consumer.group.text
    return (f" of topic `{topic}`" if topic is not None else "") + (
        f" in group `{group}`" if group is not None else ""
    )


def _mistake(text: str) -> _Mistake | None:
    try:
        tags = parse_tags(text)
    except TagSyntaxError:
        return _Mistake(
            "holds separators only, so `subscribe` throws",
            "no tag between the separators",
            "Name the tags, or write `*` for all messages.",
        )
    if tags.is_all:
        return None
    if not tags.tags:
        return _Mistake(
            "names no tag, so the broker lets no message pass",
            "no tag",
            "Name the tags, or write `*` for all messages.",
        )
    if _SQL.search(text):
        return _Mistake(
            "is an SQL92 selector that is used as the name of one tag",
            "one tag, not a selector",
            "Say that it is SQL92: `MessageSelector.bySql(...)`, `selectorType = SelectorType.SQL92`.",
        )
    odd = sorted(tag for tag in tags.tags if _SEPARATOR.search(tag))
    if odd:
        return _Mistake(
            f"names one tag called `{odd[0]}`, because only `||` separates tags",
            f'one tag called "{odd[0]}"',
            f"Write `{_meant(text)}`.",
        )
    if any(_ODD_END.search(tag) for tag in tags.tags):
        return _Mistake(
            "has a blank at the end of a tag that RocketMQ does not remove, so it belongs to the tag's name",
            "a full-width, no-break or invisible blank",
            f"Write `{_meant(text)}`, with ordinary blanks.",
        )
    return None


def _meant(text: str) -> str:
    blanks = re.compile(f"[{_ODD_BLANKS}]")
    parts = (part.strip() for part in _SEPARATOR.split(blanks.sub(" ", text)))
    return " || ".join(dict.fromkeys(part for part in parts if part)) or "*"


RULE = Rule(
    "wrong-tag-separator",
    "a tag expression that is no list of tags joined by `||`",
    at_most=Severity.ERROR,
    scope=Scope.CONSUMER,
    check_consumer=check,
)

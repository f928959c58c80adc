"""Tag expressions that are not a list of tags: another separator than `||`, odd blanks, no tag at all, or SQL.

Only `||` separates tags, and only blanks up to U+0020 are trimmed. Everything else becomes part of a tag's name,
without any error: the consumer waits for a tag that nobody sends. Only separators make `subscribe` throw; blanks
alone subscribe to nothing.

Mirrors: FilterAPI#buildSubscriptionData, 4.8.0 to 5.3.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Place, Remark, Rule, Scope, Severity
from subdrift.linter.model.message import Message, quoted, say
from subdrift.linter.model.tags import TagSyntaxError, parse_tags
from subdrift.rules.filters import TAG
from subdrift.rules.sides import source
from subdrift.rules.subject import subject

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


class _Mistake(Struct, frozen=True):
    """The message's code, a label for the place, what to do, what the message names besides the expression, what is lost."""

    code: str
    label: Message
    remedy: Message
    tag: str = ""
    cost: Message | None = None


def check(consumer: Consumer) -> Iterator[Remark]:
    """One remark for each subscription by tags whose expression is written wrongly."""
    ordinal = 0
    for subscription in consumer.subscriptions:
        text = subscription.expression.text
        if text is None or subscription.filter_type.text != TAG:
            continue
        mistake = _mistake(text, consumer.api)
        if mistake is not None:
            more = {"tag": mistake.tag} if mistake.tag else {}
            yield Remark(
                message=say(
                    f"wrong-tag-separator.{mistake.code}",
                    expression=text,
                    subject=subject(consumer, subscription),
                    **more,
                ),
                topic=subscription.topic.text,
                places=(
                    Place(subscription.at, mistake.label, consumer.scope, source(subscription.expression)),
                ),
                differs=(text,),
                members=(consumer,),
                help=(mistake.remedy,),
                cost=mistake.cost,
                ordinal=ordinal,
            )
            ordinal += 1


def _mistake(text: str, api: str) -> _Mistake | None:
    named = say("wrong-tag-separator.name-tags")
    try:
        tags = parse_tags(text)
    except TagSyntaxError:
        return _Mistake("separators-only", say("no-tag-between"), named)
    if tags.is_all:
        return None
    if not tags.tags:
        return _Mistake("no-tag", say("no-tag"), named)
    if _SQL.search(text):
        remedy = say(f"wrong-tag-separator.say-sql{'.python' if api.startswith('py-') else ''}")
        return _Mistake("sql", say("one-tag-no-selector"), remedy, cost=say("no-message-unless", tag=text))
    odd = sorted(tag for tag in tags.tags if _SEPARATOR.search(tag))
    if odd:
        remedy = say("wrong-tag-separator.write", meant=_meant(text))
        cost = _lost_unless(odd, tags.tags)
        return _Mistake("one-tag", say("one-tag-called", tag=odd[0]), remedy, odd[0], cost)
    odd = sorted(tag for tag in tags.tags if _ODD_END.search(tag))
    if odd:
        remedy = say("wrong-tag-separator.blanks", meant=_meant(text))
        return _Mistake("odd-blank", say("odd-blank"), remedy, cost=_lost_unless(odd, tags.tags))
    return None


def _lost_unless(odd: list[str], written: frozenset[str]) -> Message | None:
    """What is lost where no producer sends a tag that is written so: the tags that were meant by it, if any."""
    meant = {one for tag in odd for one in _meant(tag).split(" || ")} - written - {"*"}
    if not meant:
        return say("no-message-unless", tag=odd[0]) if len(odd) == len(written) else None
    return say("tags-lost-unless", tags=[quoted(one) for one in sorted(meant)], tag=odd[0])


def _meant(text: str) -> str:
    blanks = re.compile(f"[{_ODD_BLANKS}]")
    parts = (part.strip() for part in _SEPARATOR.split(blanks.sub(" ", text)))
    return " || ".join(dict.fromkeys(part for part in parts if part)) or "*"


RULE = Rule("wrong-tag-separator", at_most=Severity.ERROR, scope=Scope.CONSUMER, check_consumer=check)

"""What a subscription asks for, apart from how it is written: the same filter gives the same `Filter`.

Unknown parts give None. A consumer that subscribes a topic twice is left with the later filter, as in the client.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from subdrift.linter.model.consumer import Consumer, Subscription
from subdrift.linter.model.message import Message, quoted, say, verbatim
from subdrift.linter.model.tags import TagSyntaxError, parse_tags

TAG: Final = "TAG"
SQL92: Final = "SQL92"
EVERYTHING: Final = "*"
"""The key of the filter that lets every message pass."""

_RETRY_PREFIX: Final = "%RETRY%"

_SQL_TOKEN = re.compile(
    r"[ \t\n\r\f]+"
    r"|(?P<token>'(?:[^']|'')*'|[A-Za-z_$][A-Za-z0-9_$]*|[0-9.]+(?:[eE][+-]?[0-9]+)?[lL]?|<>|<=|>=|.)",
    re.DOTALL,
)


class Filter(Struct, frozen=True):
    """What passes: `tags` None where it is not a list of tags. `said` names it in a sentence, `bare` in a
    label: neither tells two filters apart."""

    type: str
    tags: frozenset[str] | None
    key: str
    said: Message
    bare: Message

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Filter) and (self.type, self.key, self.tags) == (
            other.type,
            other.key,
            other.tags,
        )

    def __hash__(self) -> int:
        return hash((self.type, self.key))


def filter_of(subscription: Subscription) -> Filter | None:
    """The filter of a subscription; None where type or expression is unknown, or `subscribe` throws."""
    kind = subscription.filter_type.text
    expression = subscription.expression.text
    return None if kind is None or expression is None else _filter(kind, expression)


@lru_cache(maxsize=1_024)
def _filter(kind: str, expression: str) -> Filter | None:
    """What every rule asks of every member; members of a group say much the same."""
    if kind != TAG:
        key = same_sql(expression) if kind == SQL92 else expression
        return Filter(kind, None, key, quoted(expression), verbatim(expression))
    try:
        parsed = parse_tags(expression)
    except TagSyntaxError:
        return None
    if parsed.is_all:
        return Filter(TAG, frozenset(), EVERYTHING, say("all-tags"), say("all-tags-bare"))
    if not parsed.tags:
        return Filter(TAG, frozenset(), "", say("no-tag-at-all"), say("no-tag-at-all"))
    tags = sorted(parsed.tags)
    spelled = " || ".join(tags)
    return Filter(TAG, parsed.tags, "||".join(tags), quoted(spelled), verbatim(spelled))


def same_sql(expression: str) -> str:
    """A spelling that is equal for two selectors which differ in white space outside strings only.

    Where a comment may stand, white space can end it, so the text is left alone.
    """
    if "--" in expression or "/*" in expression:
        return expression
    return " ".join(token for match in _SQL_TOKEN.finditer(expression) if (token := match["token"]))


def by_topic(consumer: Consumer) -> dict[str, Subscription]:
    """The known topics of a consumer with the subscription that counts, in the order of the source.

    The retry topic is the client's own affair and left out.
    """
    found: dict[str, Subscription] = {}
    for subscription in consumer.subscriptions:
        topic = subscription.topic.text
        if topic is not None and not topic.startswith(_RETRY_PREFIX):
            found[topic] = subscription
    return found


def meetings(members: tuple[Consumer, ...]) -> Iterator[tuple[str, list[tuple[Consumer, Subscription]]]]:
    """Every known topic, sorted, with the members that subscribe it and the subscription that counts."""
    for topic, met in _LAST.of(members):
        yield topic, list(met)


class _Last:
    """The meetings of the members that were asked for last: one rule after the other asks for the same."""

    def __init__(self) -> None:
        self._members: tuple[Consumer, ...] = ()
        self._found: list[tuple[str, list[tuple[Consumer, Subscription]]]] = []

    def of(self, members: tuple[Consumer, ...]) -> list[tuple[str, list[tuple[Consumer, Subscription]]]]:
        if members is not self._members:
            found: dict[str, list[tuple[Consumer, Subscription]]] = {}
            for member in members:
                for topic, subscription in by_topic(member).items():
                    found.setdefault(topic, []).append((member, subscription))
            self._members, self._found = members, sorted(found.items(), key=lambda one: one[0])
        return self._found


_LAST = _Last()


def meeting(members: tuple[Consumer, ...]) -> tuple[Consumer, ...]:
    """The members that subscribe to a topic another one subscribes to as well."""
    shared = {id(member) for _, met in meetings(members) if len(met) > 1 for member, _ in met}
    return tuple(member for member in members if id(member) in shared)

"""Tag expressions: the text of a subscription in, the tags and tag hashes RocketMQ makes of it out.

The broker filters by the hashes and the client by the tags themselves; only the console looks at the text.
What surprises: only ``"*"`` is the wildcard, so ``" * "`` and ``"a||*"`` name a tag called ``*``; a list of
blanks names no tag at all, which the broker reads as "nothing" and the client as "everything".

Mirrors: FilterAPI#buildSubscriptionData, RocketMQ 4.8.0 to 5.3.3, which agree on every text.
"""

import struct
from functools import lru_cache
from typing import Final

from msgspec import Struct

ALL_TAGS: Final = "*"
"""The one expression that selects every message."""

SEPARATOR: Final = "||"

CACHED_EXPRESSIONS_MAX: Final = 65_536
"""How many parsed expressions are kept; organisations repeat a few expressions very often."""

_JAVA_BLANKS: Final = "".join(map(chr, range(0x21)))
"""What ``String.trim`` removes: every unit up to U+0020, and nothing else that Unicode calls a blank."""


class TagSyntaxError(ValueError):
    """The expression holds separators only; ``subscribe`` throws for it."""


class TagFilter(Struct, frozen=True):
    """A parsed tag expression: the filter part of ``SubscriptionData`` of type TAG."""

    text: str
    """The expression verbatim, spaces included; ``"*"`` where it was missing or empty (``subString``)."""
    tags: frozenset[str]
    """The trimmed tags (``tagsSet``); empty for the wildcard and for a list of blanks."""
    codes: frozenset[int]
    """The hashes of the tags (``codeSet``); fewer than the tags where hashes collide."""

    @property
    def is_all(self) -> bool:
        """Whether the broker lets every message pass."""
        return self.text == ALL_TAGS

    def matches_code(self, code: int) -> bool:
        """Whether the broker lets a message with this tags code pass (an untagged message has code 0).

        Mirrors the TAG branch of ExpressionMessageFilter#isMatchedByConsumeQueue, RocketMQ 4.8.0 to 5.3.3.
        """
        return self.text == ALL_TAGS or code in self.codes

    def matches_tag(self, tag: str | None) -> bool:
        """Whether the client keeps a message with this tag (None: untagged) that the broker sent.

        A filter without tags keeps everything. Mirrors PullAPIWrapper#processPullResult, 4.8.0 to 5.3.3.
        """
        return not self.tags or tag in self.tags


def java_trim(text: str) -> str:
    """What ``String.trim`` leaves: no unit up to U+0020 at either end."""
    return text.strip(_JAVA_BLANKS)


def java_hash(text: str) -> int:
    """``String.hashCode``: a signed 32-bit sum over UTF-16 units; unpaired surrogates count as themselves."""
    units = text.encode("utf-16-be", "surrogatepass")
    value = 0
    for unit in struct.unpack(f">{len(units) // 2}H", units):
        value = (31 * value + unit) & 0xFFFFFFFF
    return value - 0x1_0000_0000 if value >= 0x8000_0000 else value


def java_order(text: str) -> bytes:
    """A sort key that gives ``String.compareTo`` order, which is by UTF-16 units and not by code points."""
    return text.encode("utf-16-be", "surrogatepass")


@lru_cache(maxsize=CACHED_EXPRESSIONS_MAX)
def parse_tags(expression: str | None) -> TagFilter:
    """The filter a tag expression stands for; None and ``""`` mean the wildcard.

    Raises TagSyntaxError for an expression of separators only. Cached, with a bound.
    Mirrors FilterAPI#buildSubscriptionData, RocketMQ 4.8.0 to 5.3.3.
    """
    if expression is None or expression in ("", ALL_TAGS):
        return TagFilter(ALL_TAGS, frozenset(), frozenset())
    if not expression.replace(SEPARATOR, ""):
        raise TagSyntaxError("subString split error")
    tags = frozenset(tag for part in expression.split(SEPARATOR) if (tag := java_trim(part)))
    return TagFilter(expression, tags, frozenset(map(java_hash, tags)))

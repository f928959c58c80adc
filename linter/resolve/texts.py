"""Texts put together from several values, and cut into parts."""

from __future__ import annotations

from collections.abc import Sequence

from subdrift.linter.model.consumer import Confidence
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.values import Constant, Many, Missing, Null, Text, Trail, Val

TEXT_MAX = 65_536
"""Characters of one text that is put together; the longest selector a broker takes is far below."""

TRAIL_MAX = 64
"""Places told of the way to one text that is put together; the first ones are kept."""


def joined(values: Sequence[Val]) -> Text | Missing:
    """The texts of several values, one behind the other: their trails joined, as confident as the least of them. The first
    that has no text is the reason why there is none."""
    texts: list[Text] = []
    for value in values:
        match value:
            case Missing():
                return value
            case Text():
                texts.append(value)
            case Constant(text=text):
                texts.append(text)
            case Null():
                texts.append(Text("null", value.trail))
            case _:
                return Missing(Why.UNSUPPORTED, phrase("value-not-a-text"))
    return merged(texts, "".join(text.text for text in texts))


def merged(texts: Sequence[Text], text: str) -> Text | Missing:
    """A text made from several others."""
    if len(text) > TEXT_MAX:
        return Missing(Why.TOO_MANY, phrase("text-of-more-than-characters", f"{TEXT_MAX:,}"))
    trail: Trail = ()
    for one in texts:
        if len(trail) < TRAIL_MAX:
            trail = (trail + one.trail)[:TRAIL_MAX]
    confidence = min((one.confidence for one in texts), default=Confidence.HIGH)
    return Text(text, trail, confidence, any(one.default for one in texts))


def split(target: Text, separator: str) -> Val:
    """A text cut at a separator, as Java does it: empty parts at the end are left out."""
    parts = target.text.split(separator)
    while len(parts) > 1 and parts[-1] == "":
        parts.pop()
    return Many(tuple(merged([target], part) for part in parts), target.trail)

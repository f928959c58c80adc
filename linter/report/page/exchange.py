"""A topic as a picture: who sends to it on the left, the groups that read it on the right, tags and expressions on the lines.

Places and texts, as in `picture`, whose template draws these too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from subdrift.linter.model.topics import Topic, application_of
from subdrift.linter.report.language import Language
from subdrift.linter.report.page.picture import WIDTH, Box, Edge, Picture, Text, fitted

SIDES_MAX: Final = 8
"""Boxes on each side; the others are counted."""
_SIDE: Final = 170
_TOPIC: Final = 150
_LABELS: Final = 155
_HEIGHT: Final = 34
_STEP: Final = 50
_LEFT: Final = (WIDTH - _TOPIC) // 2
_RIGHT: Final = _LEFT + _TOPIC

End = tuple[str, str, bool]
"""One side of a topic: its name, what stands on its line, and whether nobody asks for some of it, or sends it."""


def senders_of(topic: Topic, language: Language) -> list[End]:
    """The applications that send to it, each with its tags."""
    word = language.word
    found: dict[str, set[str | None]] = {}
    for one in topic.sent:
        found.setdefault(application_of(one.sender), set()).add(one.tag)
    unread = set(topic.unread)

    def told(tags: set[str | None]) -> str:
        named = (word("page.unknown-tag") if tag is None else tag or word("sends.no-tag") for tag in tags)
        return language.comma.join(sorted(named))

    return [(name, told(tags), not unread.isdisjoint(tags)) for name, tags in sorted(found.items())]


def readers_of(topic: Topic, language: Language) -> list[End]:
    """The groups that read it, each with what it asks for."""
    unsent = set(topic.unsent)
    found = {
        (
            one.group,
            one.subscription.expression.text or language.word("page.unknown-tag"),
            bool(one.tags and not unsent.isdisjoint(one.tags)),
        )
        for one in topic.read
    }
    return sorted(found)


def picture(topic: Topic, language: Language) -> Picture:
    """The picture of a topic."""
    nobody = language.word("page.nobody")
    sending, reading = senders_of(topic, language), readers_of(topic, language)
    count = max(1, min(SIDES_MAX, len(sending)), min(SIDES_MAX, len(reading)))
    bottom = count * _STEP - (_STEP - _HEIGHT)
    middle = bottom // 2
    boxes: list[Box] = []
    edges: list[Edge] = []
    for ends, right in ((sending, False), (reading, True)):
        shown = ends[:SIDES_MAX] or [(nobody, "", True)]
        top = (bottom - len(shown) * _STEP + (_STEP - _HEIGHT)) // 2
        for number, (name, text, odd) in enumerate(shown):
            y = top + number * _STEP
            x = WIDTH - _SIDE if right else 0
            boxes.append(Box(x, y, _SIDE, _HEIGHT, (fitted(x + 10, y + 21, name, _SIDE - 20),)))
            edges.append(_edge(y + _HEIGHT // 2, middle, text, odd, right=right, missing=not ends))
        if len(ends) > SIDES_MAX:
            note = language.word("and-more", count=len(ends) - SIDES_MAX)
            boxes.append(Box(0, bottom, 0, 0, (Text(WIDTH - _SIDE if right else 0, bottom + 14, note),)))
    height = bottom + 24 * (max(len(sending), len(reading)) > SIDES_MAX)
    label = fitted(_LEFT + 10, middle + 4, topic.name, _TOPIC - 20)
    own = Box(_LEFT, middle - _HEIGHT // 2, _TOPIC, _HEIGHT, (label,))
    return Picture(height, tuple(boxes), (own,), tuple(edges), _words(topic, sending, reading, language))


def _edge(y: int, middle: int, text: str, odd: bool, *, right: bool, missing: bool) -> Edge:
    """From a sender's box to the topic, or from the topic to a group's box."""
    if right:
        start, bend, end = _RIGHT, WIDTH - _SIDE - _LABELS, WIDTH - _SIDE
        half = (start + bend) // 2
        path = f"M{start} {middle}C{half} {middle} {half} {y} {bend} {y}H{end}"
        return Edge(path, fitted(bend + 8, y - 5, text, _LABELS - 12), odd, missing)
    bend = _SIDE + _LABELS
    half = (bend + _LEFT) // 2
    path = f"M{_SIDE} {y}H{bend}C{half} {y} {half} {middle} {_LEFT} {middle}"
    return Edge(path, fitted(_SIDE + 8, y - 5, text, _LABELS - 12), odd, missing)


def _words(topic: Topic, sending: Sequence[End], reading: Sequence[End], language: Language) -> str:
    """The picture for those who do not see it."""

    def told(ends: Sequence[End]) -> str:
        shown = [f"{name} {text}" for name, text, _ in ends[:SIDES_MAX]]
        if len(ends) > SIDES_MAX:
            shown.append(language.word("and-more", count=len(ends) - SIDES_MAX))
        return language.comma.join(shown) or language.word("page.nobody")

    return language.word(
        "page.picture-of-topic", topic=topic.name, senders=told(sending), readers=told(reading)
    )

"""A consumer group as a picture: members on the left, topics on the right, what is asked for on the lines between.

Only places and texts are made here; the template draws them. Members that ask for the same are one box, so a picture
stays small however large the group is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec import Struct

from subdrift.linter.model.consumer import Consumer, Subscription
from subdrift.linter.report.language import Language
from subdrift.linter.report.names import Names
from subdrift.linter.report.terminal import cells, first_cells, last_cells, spelled

MEMBERS_MAX: Final = 8
"""Boxes on the left; the others are counted."""
NAMED_MAX: Final = 3
"""Members a box names."""
LINES_MAX: Final = 6
"""Subscriptions of one box that are drawn."""
TOPICS_MAX: Final = 12

WIDTH: Final = 860
_BOX: Final = 250
_TOPIC: Final = 200
_LABELS: Final = 250
"""Units between a box and where lines bend, for what is asked for."""
_ROW: Final = 30
_NAME: Final = 18
_CELL: Final = 7.3
"""Units of one cell of the fixed-width letters at their size."""


class Text(Struct, frozen=True):
    """A line of text at its place; `whole` where it had to be cut, else ""."""

    x: int
    y: int
    shown: str
    whole: str = ""


class Box(Struct, frozen=True):
    """A box with its texts; `differs` where it is at odds with the others."""

    x: int
    y: int
    width: int
    height: int
    texts: tuple[Text, ...]
    differs: bool = False


class Edge(Struct, frozen=True):
    """A line as an SVG path with its label. `missing`: there is no such subscription where others have one."""

    path: str
    label: Text
    differs: bool
    missing: bool = False


class Picture(Struct, frozen=True):
    """What is drawn, the size of it, and the same in words."""

    height: int
    boxes: tuple[Box, ...]
    topics: tuple[Box, ...]
    edges: tuple[Edge, ...]
    words: str
    width: int = WIDTH


class Odds(Struct, frozen=True):
    """What the findings about a group are at odds about."""

    topics: Collection[str] = ()
    """Topics whose filters differ."""
    missing: bool = False
    """Whether members differ in which topics they subscribe to."""
    model: bool = False


_Line = tuple[str, str]
"""Topic and what is asked for."""


class _Side(Struct, frozen=True):
    """Members that ask for the same."""

    names: tuple[str, ...]
    model: str
    lines: tuple[_Line, ...]


def picture(consumers: Iterable[Consumer], names: Names, odds: Odds, language: Language) -> Picture | None:
    """The picture of a group; None where no member subscribes to anything that is known."""
    every = _sides(consumers, names, language)
    topics = list(dict.fromkeys(topic for side in every for topic, _ in side.lines))
    if not topics:
        return None
    sides, hidden = every[:MEMBERS_MAX], every[MEMBERS_MAX:]
    shared = {topic for topic in topics if all(any(topic == one for one, _ in side.lines) for side in every)}
    models = {side.model for side in every}
    absent = language.word("page.not-subscribed")
    rows: list[tuple[_Side, list[tuple[str, str, bool, bool]], int]] = []
    for side in sides:
        lines = [(topic, text, topic in odds.topics, False) for topic, text in side.lines[:LINES_MAX]]
        if odds.missing:
            own = {topic for topic, _ in side.lines}
            room = LINES_MAX - len(lines)
            lines = [(t, x, bad or t not in shared, m) for t, x, bad, m in lines]
            lines += [(topic, absent, True, True) for topic in topics if topic not in own][: max(0, room)]
        rows.append((side, lines, len(side.lines) - min(LINES_MAX, len(side.lines))))
    boxes, ports, bottom = _boxes(rows, odds.model and len(models) > 1, language)
    drawn = topics[:TOPICS_MAX]
    right, anchors, lowest = _topics(drawn, ports, odds)
    edges = tuple(
        _edge(y, anchors[topic], text, bad, missing)
        for y, topic, text, bad, missing in ports
        if topic in anchors
    )
    notes = []
    if hidden:
        notes.append(language.word("page.more-members", count=sum(len(side.names) for side in hidden)))
    if len(topics) > len(drawn):
        notes.append(language.word("more-topics", count=len(topics) - len(drawn)).strip())
    height = max(bottom, lowest)
    if notes:
        note = language.comma.join(notes)
        boxes = (*boxes, Box(0, height, 0, 0, (Text(0, height + 14, note),)))
        height += 24
    return Picture(height, boxes, right, edges, _words(every, language))


def _sides(consumers: Iterable[Consumer], names: Names, language: Language) -> list[_Side]:
    """Members by what they ask for: most members first."""
    found: dict[tuple[str, tuple[_Line, ...]], dict[str, None]] = {}
    listed = [one for one in consumers if not one.disabled]
    rows = Counter(one.id for one in listed)
    for one in listed:
        lines = tuple(sorted({_line(each, language) for each in one.subscriptions}))
        name = names.get(one.id, one.id)
        if rows[one.id] > 1:
            shown = (each or language.word("without-profile") for each in one.environments)
            name = f"{name} [{language.comma.join(shown)}]"
        if one.scope != "main":
            name = language.word("label-in-scope", label=name, scope=language.word(f"scope.{one.scope}"))
        found.setdefault((one.message_model.text or "", lines), {})[name] = None
    sides = [_Side(tuple(sorted(named)), model, lines) for (model, lines), named in found.items()]
    return sorted(sides, key=lambda side: (-len(side.names), side.names, side.lines))


def _line(one: Subscription, language: Language) -> _Line:
    topic = one.topic.text if one.topic.text is not None else f"? {language.detail(one.topic.detail)}".strip()
    text = (
        one.expression.text
        if one.expression.text is not None
        else f"? {language.detail(one.expression.detail)}".strip()
    )
    kind = one.filter_type.text
    if kind is not None and kind != "TAG":
        text = f"{kind}: {text}"
    return topic, text or language.word("no-tag-at-all")


def _boxes(
    rows: Sequence[tuple[_Side, list[tuple[str, str, bool, bool]], int]],
    models_differ: bool,
    language: Language,
) -> tuple[tuple[Box, ...], list[tuple[int, str, str, bool, bool]], int]:
    """The boxes of the members, the ends of their lines, and where the last box ends."""
    boxes = []
    ports = []
    y = 0
    for side, lines, left in rows:
        texts = list(side.names[:NAMED_MAX])
        if len(side.names) > NAMED_MAX:
            texts.append(language.word("and-more", count=len(side.names) - NAMED_MAX))
        if side.model and (models_differ or side.model != "CLUSTERING"):
            texts.append(side.model)
        if left:
            texts.append(language.word("page.more-lines", count=left))
        height = max(len(texts) * _NAME + 14, len(lines) * _ROW, 34)
        top = y + (height - len(texts) * _NAME) // 2 + 13
        shown = tuple(fitted(10, top + number * _NAME, text, _BOX - 20) for number, text in enumerate(texts))
        boxes.append(Box(0, y, _BOX, height, shown, models_differ))
        start = y + (height - len(lines) * _ROW) // 2 + _ROW // 2 + 5
        ports += [(start + number * _ROW, *line) for number, line in enumerate(lines)]
        y += height + 14
    return tuple(boxes), ports, y - 14


def _topics(
    topics: Sequence[str], ports: Sequence[tuple[int, str, str, bool, bool]], odds: Odds
) -> tuple[tuple[Box, ...], dict[str, int], int]:
    """The boxes of the topics, each near the lines that lead to it, and where the last one ends."""
    wanted = {}
    for topic in topics:
        drawn = [(y, missing) for y, name, _, _, missing in ports if name == topic]
        ends = [y for y, missing in drawn if not missing] or [y for y, _ in drawn]
        if ends:
            wanted[topic] = sum(ends) // len(ends)
    boxes = []
    anchors = {}
    free = 0
    for topic in sorted(wanted, key=lambda one: (wanted[one], one)):
        y = max(free, wanted[topic] - 17)
        text = fitted(WIDTH - _TOPIC + 10, y + 21, topic, _TOPIC - 20)
        boxes.append(Box(WIDTH - _TOPIC, y, _TOPIC, 34, (text,), topic in odds.topics))
        anchors[topic] = y + 17
        free = y + 34 + 10
    return tuple(boxes), anchors, free - 10


def _edge(y: int, end: int, text: str, differs: bool, missing: bool) -> Edge:
    bend, right = _BOX + _LABELS, WIDTH - _TOPIC
    half = (bend + right) // 2
    path = f"M{_BOX} {y}H{bend}C{half} {y} {half} {end} {right} {end}"
    return Edge(path, fitted(_BOX + 8, y - 5, text, _LABELS - 8), differs, missing)


def fitted(x: int, y: int, text: str, room: int) -> Text:
    """The text as far as it fits, with its end; what could turn the direction of writing counts as it is spelled."""
    shown = spelled(text)
    most = int(room / _CELL)
    if cells(shown) <= most:
        return Text(x, y, shown)
    half = (most - 1) // 2  # names that are alike in their beginning differ in their end
    return Text(x, y, f"{first_cells(shown, most - 1 - half)}…{last_cells(shown, half)}", shown)


def _words(sides: Sequence[_Side], language: Language) -> str:
    """The picture for those who do not see it."""
    parts = []
    for side in sides[:MEMBERS_MAX]:
        named = list(side.names[:NAMED_MAX])
        if len(side.names) > NAMED_MAX:
            named.append(language.word("and-more", count=len(side.names) - NAMED_MAX))
        asked = language.comma.join(f"{topic} {text}" for topic, text in side.lines[:LINES_MAX])
        parts.append(
            language.word(
                "page.asks-for", members=language.joined(named), lines=asked or language.word("no-topic")
            )
        )
    return " ".join(parts)

"""Places in source code as frames: path, line numbers, the code, carets under it and a label.

  --> src/main/java/OrderListener.java:23:26
   |
23 |     selectorExpression = "PAID || REFUNDED",
   |                          ^^^^^^^^^^^^^^^^^^ subscribes to PAID, REFUNDED
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from subdrift.linter.model.location import START, Location, Span
from subdrift.linter.report.content import Texts
from subdrift.linter.report.terminal import (
    TAB_CELLS,
    Style,
    cells,
    first_cells,
    last_cells,
    safe,
    spelled,
    wrapped,
)

SPAN_LINES_MAX = 8
"""Lines of one place that are shown; of a longer one the first and the last."""
LABEL_CELLS_MIN = 24
"""Cells a label needs beside its carets; where there are fewer, it goes below them."""
CELLS_BEFORE = 24
INDENT_KEPT = 4

_CUT = "…"


def gutter_of(places: Sequence[Location]) -> int:
    """The width of the line numbers, equal for all frames of one finding."""
    return max((len(str(at.span.end_line)) for at in places), default=1)


def where(at: Location, home: str) -> str:
    """`path:line:col`, led by the repository where it is not the one everybody has in mind."""
    place = f"{safe(at.origin.path)}:{at.span.line}:{at.span.column}"
    return place if at.origin.repo == home else f"{safe(at.origin.repo)}  {place}"


_SETTING = re.compile(
    r"""[\w.$\[\]"'-]+\s*(?::\s|=)\s*(?P<value>(?:"[^"]*"|'[^']*'|[^\s#]|\s+(?![\s#])|(?<!\s)\#)+)"""
)
"""A setting: its key, and what follows it up to a comment."""


def value_of(at: Location, texts: Texts) -> Location:
    """The value of a setting whose key stands there; the place itself where it is not the key of one."""
    if at.origin.path.rpartition(".")[2] not in ("yml", "yaml", "properties", "toml"):
        return at
    line = texts.line(at.origin, at.span.line)
    if line is None or line[: at.span.column - 1].strip(" -"):
        return at
    found = _SETTING.match(line, at.span.column - 1)
    if found is None:
        return at
    span = Span(at.span.line, found.start("value") + 1, at.span.line, found.end("value") + 1)
    return Location(at.origin, span)


def frame(
    at: Location,
    label: str,
    texts: Texts,
    style: Style,
    home: str,
    gutter: int,
    primary: bool = True,
    used: str = "",
    about: str = "",
) -> Iterator[str]:
    """The lines of one frame; without code only the place and its label. `about` and `used` stand below the place."""
    arrow = "-->" if primary else "==>"
    color = "red" if primary else "blue"
    place = where(at, home)
    yield f"{' ' * gutter}{style.paint(arrow, 'blue')} {place}"
    if about:
        yield from wrapped(safe(about.strip()), style.width, " " * (gutter + 4), " " * (gutter + 5))
    if used:
        yield f"{' ' * gutter}    {used}"
    bar = style.paint(" " * gutter + " |", "blue")
    lines = [] if at.span == START else list(_lines(at, texts))
    if not lines:
        if label:
            for line in wrapped(safe(label), style.width - gutter - 3):
                yield f"{bar} {style.paint(line, color)}"
        return
    yield bar
    draw = _one_line if len(lines) == 1 else _several_lines
    yield from draw(at, lines, safe(label), style, gutter, color)


def _one_line(
    at: Location, lines: list[tuple[int, str]], label: str, style: Style, gutter: int, color: str
) -> Iterator[str]:
    """A line of code, marked below, with the label behind the marks or under them."""
    bar, room = style.paint(" " * gutter + " |", "blue"), style.width - gutter - 3
    number, text = lines[0]
    code, start, width = _window(text, at.span.column, _end(at, text), room, style.ascii)
    yield f"{_number(number, gutter, style)} {style.plain(code)}"
    marks, rest = "^" * width, []
    if label and cells(label) <= room - start - width - 1:
        marks += f" {label}"
    elif label:
        indent = " " * min(start, max(0, room - LABEL_CELLS_MIN))
        rest = wrapped(label, room, indent, indent)
    yield f"{bar} {' ' * start}{style.paint(marks, color)}"
    yield from (f"{bar} {style.paint(line, color)}" for line in rest)


def _several_lines(
    at: Location, lines: list[tuple[int, str]], label: str, style: Style, gutter: int, color: str
) -> Iterator[str]:
    """Lines of code with an edge to the left, and the label under them."""
    bar, room = style.paint(" " * gutter + " |", "blue"), style.width - gutter - 3
    for index, (number, text) in enumerate(lines):
        code, _, _ = _window(text, 1, 1, room - 2, style.ascii)
        edge = style.paint("/" if index == 0 else "|", color)
        shown = _number(number, gutter, style) if number else style.paint(f"{'...':<{gutter + 2}}", "blue")
        yield f"{shown} {edge} {style.plain(code)}".rstrip()
    last = lines[-1][1]
    reach = min(max(1, cells(_flat(last[: at.span.end_column - 1]))), room - 2)
    yield f"{bar} {style.paint('|' + '_' * reach + '^', color)}"
    if label:
        yield from (f"{bar} {style.paint(line, color)}" for line in wrapped(label, room, "  ", "  "))


def _lines(at: Location, texts: Texts) -> Iterator[tuple[int, str]]:
    """Number and text of the lines of a place; number 0 stands for lines left out."""
    first = texts.line(at.origin, at.span.line)
    if first is None or (not first.strip() and at.span.end_line == at.span.line):
        return
    numbers = list(range(at.span.line, at.span.end_line + 1))
    if len(numbers) > 1 and at.span.end_column <= 1:
        numbers.pop()
    cut = len(numbers) > SPAN_LINES_MAX
    shown = [*numbers[: SPAN_LINES_MAX - 3], 0, *numbers[-2:]] if cut else numbers
    for number in shown:
        yield number, (texts.line(at.origin, number) or "") if number else ""


def _end(at: Location, text: str) -> int:
    return at.span.end_column if at.span.end_line == at.span.line else len(text) + 1


def _number(number: int, gutter: int, style: Style) -> str:
    return style.paint(f"{number:>{gutter}} |", "blue")


def _window(text: str, column: int, end_column: int, room: int, ascii_only: bool) -> tuple[str, int, int]:
    """The part of a line that is shown, and where in it the carets start and how many there are, in cells."""
    begin = min(column - 1, len(text))
    before = _flat(text[:begin])
    marked = _flat(text[begin : max(begin, end_column - 1)])
    after = _flat(text[max(begin, end_column - 1) :])
    indent = len(before) - len(before.lstrip())
    if cells(before) + cells(marked) > room and indent > INDENT_KEPT:
        before = before[indent - INDENT_KEPT :]  # the margin goes first
    room -= 4  # for what stands in place of that which is cut
    if cells(before) + cells(marked) + cells(after) > room:
        if cells(before) > CELLS_BEFORE and cells(before) + cells(marked) > room - CELLS_BEFORE:
            before = _CUT + last_cells(before, CELLS_BEFORE)
        if cells(before) + cells(marked) > room:
            marked = first_cells(marked, room - cells(before)) + _CUT
            after = ""
        elif cells(before) + cells(marked) + cells(after) > room:
            after = first_cells(after, room - cells(before) - cells(marked)) + _CUT
    # an ASCII output spells the cut with three dots, so the carets must be counted after that
    shift = 2 * before.startswith(_CUT) if ascii_only else 0
    return (before + marked + after).rstrip(), cells(before) + shift, max(1, cells(marked))


def _flat(text: str) -> str:
    return spelled(text).replace("\t", " " * TAB_CELLS)

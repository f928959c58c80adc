"""Places in source code as frames: path, line numbers, the code, carets under it and a label.

  --> src/main/java/OrderListener.java:23:26
   |
23 |     selectorExpression = "PAID || REFUNDED",
   |                          ^^^^^^^^^^^^^^^^^^ subscribes to PAID, REFUNDED
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from linter.model.location import START, Location
from linter.report.content import Texts
from linter.report.terminal import TAB_CELLS, Style, cells, safe, spelled

SPAN_LINES_MAX = 8
"""Lines of one place that are shown; of a longer one the first and the last."""
CODE_CELLS_MAX = 160
"""Cells of one code line that are shown, around the place."""
CELLS_BEFORE = 24

_CUT = "…"


def gutter_of(places: Sequence[Location]) -> int:
    """The width of the line numbers, equal for all frames of one finding."""
    return max((len(str(at.span.end_line)) for at in places), default=1)


def where(at: Location, home: str) -> str:
    """`path:line:col`, led by the repository where it is not the one everybody has in mind."""
    place = f"{safe(at.origin.path)}:{at.span.line}:{at.span.column}"
    return place if at.origin.repo == home else f"{safe(at.origin.repo)}  {place}"


def frame(
    at: Location, label: str, texts: Texts, style: Style, home: str, gutter: int, primary: bool = True
) -> Iterator[str]:
    """The lines of one frame; without code only the place and its label."""
    arrow = "-->" if primary else "==>"
    color = "red" if primary else "blue"
    yield f"{' ' * gutter}{style.paint(arrow, 'blue')} {where(at, home)}"
    bar = style.paint(" " * gutter + " |", "blue")
    lines = [] if at.span == START else list(_lines(at, texts))
    if not lines:
        if label:
            yield f"{bar} {style.paint(safe(label), color)}"
        return
    yield bar
    if len(lines) == 1:
        number, text = lines[0]
        code, start, width = _window(text, at.span.column, _end(at, text), style)
        yield f"{_number(number, gutter, style)} {style.plain(code)}"
        marks = style.paint(f"{'^' * width} {safe(label)}".rstrip(), color)
        yield f"{bar} {' ' * start}{marks}"
        return
    for index, (number, text) in enumerate(lines):
        code, _, _ = _window(text, 1, 1, style)
        edge = style.paint("/" if index == 0 else "|", color)
        shown = _number(number, gutter, style) if number else style.paint(f"{'...':<{gutter + 2}}", "blue")
        yield f"{shown} {edge} {style.plain(code)}".rstrip()
    last = lines[-1][1]
    reach = max(1, cells(_flat(last[: at.span.end_column - 1])))
    marks = "|" + "_" * reach + f"^ {safe(label)}"
    yield f"{bar} {style.paint(marks.rstrip(), color)}"


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


def _window(text: str, column: int, end_column: int, style: Style) -> tuple[str, int, int]:
    """The part of a line that is shown, and where in it the carets start and how many there are, in cells."""
    begin = min(column - 1, len(text))
    before = _flat(text[:begin])
    marked = _flat(text[begin : max(begin, end_column - 1)])
    after = _flat(text[max(begin, end_column - 1) :])
    room = max(CODE_CELLS_MAX, style.width)
    if cells(before) + cells(marked) + cells(after) > room:
        if cells(before) > CELLS_BEFORE and cells(before) + cells(marked) > room - CELLS_BEFORE:
            before = _CUT + _last(before, CELLS_BEFORE)
        if cells(before) + cells(marked) > room:
            marked = _first(marked, room - cells(before)) + _CUT
            after = ""
        elif cells(before) + cells(marked) + cells(after) > room:
            after = _first(after, room - cells(before) - cells(marked)) + _CUT
    # an ASCII output spells the cut with three dots, so the carets must be counted after that
    shift = 2 * before.startswith(_CUT) if style.ascii else 0
    return (before + marked + after).rstrip(), cells(before) + shift, max(1, cells(marked))


def _first(text: str, room: int) -> str:
    taken = 0
    for index, char in enumerate(text):
        taken += cells(char)
        if taken > room:
            return text[:index]
    return text


def _last(text: str, room: int) -> str:
    return _first(text[::-1], room)[::-1]


def _flat(text: str) -> str:
    return spelled(text).replace("\t", " " * TAB_CELLS)

r"""Unicode escapes are applied before anything else is read, in any place of a Java file (JLS 3.3)."""

from __future__ import annotations

import re

from linter.languages.text import Places

_ESCAPE = re.compile(rb"\\\\|\\u+([0-9a-fA-F]{4})(?:\\u+([0-9a-fA-F]{4}))?")


def translate(data: bytes, places: Places) -> tuple[bytes, Places]:
    r"""The text with `\u0041` as `A`, and its places in the text as written.

    Half a character (a surrogate without its partner) stays an escape, and so does a NUL, which ends a text for the parser.
    """
    parts: list[bytes] = []
    rows: list[int] = []
    columns: list[int] = []
    last = 0
    position = 0
    while match := _ESCAPE.search(data, position):
        start, position = match.span()
        first, second = match.groups()
        if first is None:
            continue
        units = first + second if second and _high(first) else first
        if len(units) == 4 and second:
            position = match.end(1)  # the second one is looked at by itself
        try:
            text = bytes.fromhex(units.decode()).decode("utf-16-be").encode()
        except UnicodeDecodeError:
            position = match.end(1)
            continue
        if text == b"\0":
            continue
        parts += (data[last:start], text)
        for table, known in ((rows, places.rows), (columns, places.columns)):
            table += known[last:start]
            table += [known[start]] * len(text)
        last = position
    if not parts:
        return data, places
    parts.append(data[last:])
    moved = Places(b"")
    moved.rows = rows + places.rows[last:]
    moved.columns = columns + places.columns[last:]
    return b"".join(parts), moved


def _high(unit: bytes) -> bool:
    return 0xD800 <= int(unit, 16) < 0xDC00

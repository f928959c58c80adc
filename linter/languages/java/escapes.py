r"""Unicode escapes are applied before anything else is read, in any place of a Java file (JLS 3.3)."""

from __future__ import annotations

import re

_ESCAPE = re.compile(rb"\\\\|\\u+([0-9a-fA-F]{4})(?:\\u+([0-9a-fA-F]{4}))?")


def translate(data: bytes) -> tuple[bytes, tuple[list[int], list[int]] | None]:
    r"""The text with `\u0041` as `A`, and the marks that `Places` needs to find its places in the text as written.

    Half a character (a surrogate without its partner) stays an escape, and so does a NUL, which ends a text for the parser.
    """
    parts: list[bytes] = []
    moved = [0]
    written = [0]
    last = length = position = 0
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
        length += start - last + len(text)
        last = position
        moved.append(length)
        written.append(last)
    if not parts:
        return data, None
    parts.append(data[last:])
    return b"".join(parts), (moved, written)


def _high(unit: bytes) -> bool:
    return 0xD800 <= int(unit, 16) < 0xDC00

"""Bytes of a source file -> text to parse, and places in it for byte offsets of the parser."""

from __future__ import annotations

from linter.model import ir

CONTENT_MAX = 2 * 1024 * 1024
"""Bytes of a file that are read."""

_COUNT = list(range(4096))


def decode(content: bytes) -> tuple[bytes, str]:
    """The content as UTF-8 without a byte order mark, and the encoding it was in."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace").encode(), "utf-16"
    content = content.removeprefix(b"\xef\xbb\xbf")
    for encoding in ("utf-8", "gb18030"):
        try:
            return content.decode(encoding).encode(), encoding
        except UnicodeDecodeError:
            pass
    return content.decode("latin-1").encode(), "latin-1"


class Places:
    """By byte of UTF-8 text, and for its end: the line and the column, from 1, in code points.

    `rows` and `columns` are lists as long as the text and one more, so that a place costs four look-ups.
    """

    __slots__ = ("columns", "rows")

    def __init__(self, data: bytes) -> None:
        rows: list[int] = []
        columns: list[int] = []
        for number, line in enumerate(data.split(b"\n"), 1):
            length = len(line) + 1
            rows += [number] * length
            if not line.isascii():
                columns += _columns(line)
            elif length < len(_COUNT):
                columns += _COUNT[1 : length + 1]
            else:
                columns += range(1, length + 1)
        self.rows = rows
        self.columns = columns

    def at(self, start: int, end: int) -> ir.At:
        """The place of the bytes from `start` until before `end`."""
        return (self.rows[start], self.columns[start], self.rows[end], self.columns[end])


def _columns(line: bytes) -> list[int]:
    """The columns of a line's bytes, and of its end; a character's later bytes share its column."""
    columns = []
    column = 0
    for byte in line:
        column += byte & 0xC0 != 0x80  # not a continuation byte
        columns.append(column)
    columns.append(column + 1)
    return columns

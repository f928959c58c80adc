"""Bytes of a source file -> text to parse, and places in it for byte offsets of the parser."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from subdrift.linter.model import ir

_BEGINS = bytes(byte & 0xC0 != 0x80 for byte in range(256))
"""By byte whether a character begins with it."""

CONTENT_MAX = 2 * 1024 * 1024
"""Bytes of a file that are read."""


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
    """Where the bytes of UTF-8 text stand: lines and columns from 1, in code points.

    The line last asked for is kept: what is asked next mostly lies in it too.
    """

    __slots__ = ("_base", "_codes", "_data", "_high", "_low", "_marks", "_row", "_starts", "_wide")

    def __init__(self, data: bytes, marks: tuple[list[int], list[int]] | None = None) -> None:
        """Places in `data`. `marks`: offsets asked for count in another text; from each of the first list on, they run on
        from the offset of `data` at the same position of the second."""
        self._data = data
        self._marks = marks
        starts = [0]
        end = 0
        for line in data.split(b"\n"):
            end += len(line) + 1
            starts.append(end)
        self._starts = starts
        self._wide: dict[int, list[int] | None] | None = None if data.isascii() else {}
        self._codes: list[int] | None = None
        self._row = self._base = self._low = self._high = 0

    def between(self, start: int, end: int) -> ir.At:
        """The place of the bytes from `start` until before `end`."""
        if self._marks is not None:
            start, end = self._unmoved(start), self._unmoved(end)
        if not self._low <= start < self._high:
            self._row = row = bisect_right(self._starts, start, 0, len(self._starts) - 1)
            self._low = self._starts[row - 1]
            self._high = self._starts[row]
            self._base = self._low - 1
            self._codes = self._columns(row)
        row, base = self._row, self._base
        if self._codes is not None:
            column = self._codes[start - base - 1]
            if end < self._high:
                return (row, column, row, self._codes[end - base - 1])
        else:
            column = start - base
            if end < self._high:
                return (row, column, row, end - base)
        row_end = bisect_right(self._starts, end, 0, len(self._starts) - 1)
        codes = self._columns(row_end)
        offset = end - self._starts[row_end - 1]
        return (row, column, row_end, offset + 1 if codes is None else codes[offset])

    def _unmoved(self, offset: int) -> int:
        assert self._marks is not None
        moved, written = self._marks
        position = bisect_right(moved, offset) - 1
        return written[position] + offset - moved[position]

    def _columns(self, row: int) -> list[int] | None:
        """By byte of a line: its column; None where that is the byte's number. A character's later bytes share its column."""
        if self._wide is None:
            return None
        if row not in self._wide:
            line = self._data[self._starts[row - 1] : self._starts[row] - 1]
            known = None
            if not line.isascii():
                known = list(accumulate(line.translate(_BEGINS)))
                known.append(known[-1] + 1)
            self._wide[row] = known
        return self._wide[row]

"""Bytes of a Python file -> its text and lines, decoded as CPython does; `ast` columns -> code points."""

from __future__ import annotations

import ast
import codecs
import re

from subdrift.linter.model.ir import At

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_LINE_END = re.compile(r"\r\n|\r|\n")
_NO_TEXT = frozenset({"idna", "punycode", "undefined"})
"""Codecs of single labels: nobody writes files in them, and they take quadratic time."""


def decode(content: bytes) -> str:
    """The text by byte-order mark, PEP 263 cookie or UTF-8; what does not decode becomes U+FFFD.

    A cookie stands in the first line, or in the second behind a blank or comment line. An unknown encoding is read as
    UTF-8. Never raises.
    """
    if content.startswith(codecs.BOM_UTF8):
        return content[len(codecs.BOM_UTF8) :].decode("utf-8", "replace")
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    encoding = _cookie(content)
    try:
        if codecs.lookup(encoding).name not in _NO_TEXT:
            return content.decode(encoding, "replace")
    except (LookupError, ValueError, AssertionError):  # no such codec, or one that is no text encoding
        pass
    return content.decode("utf-8", "replace")


def _cookie(content: bytes) -> str:
    for line in re.split(rb"\r\n|\r|\n", content[:4096], maxsplit=2)[:2]:
        if cookie := _COOKIE.match(line):
            return cookie.group(1).decode("ascii", "replace")
        if not _BLANK.match(line):
            break
    return "utf-8"


class Text:
    """A text with its lines, as CPython counts them."""

    __slots__ = ("_maps", "ends", "lines", "plain", "whole")

    def __init__(self, whole: str) -> None:
        self.whole = whole
        self.lines = _LINE_END.split(whole)
        self.plain = whole.isascii()
        """Whether places are those of the tree, plus one."""
        self.ends: dict[tuple[int, int], tuple[int, int]] = {}
        """Where what ends in a `pass` that stands for something else ends in truth."""
        self._maps: dict[int, list[int]] = {}

    def replaced(self, places: dict[tuple[int, int], At]) -> None:
        """From now on the tree is that of a text in which a `pass` stands at each key, for what is at its place."""
        self.ends = {(line, offset + len("pass")): at[2:] for (line, offset), at in places.items()}
        self.plain = self.plain and not places

    def column(self, line: int, offset: int) -> int:
        """The column, from 1 in code points, of the byte `offset` (from 0, in UTF-8) of a `line` (from 1)."""
        if self.plain:
            return offset + 1
        columns = self._maps.get(line)
        if columns is None:
            columns = self._maps[line] = self._map(line)
        return columns[offset] if offset < len(columns) else offset + 1

    def _map(self, line: int) -> list[int]:
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        if text.isascii():
            return list(range(1, len(text) + 2))
        columns: list[int] = []
        for column, character in enumerate(text, 1):
            columns += [column] * len(character.encode("utf-8", "replace"))
        columns.append(len(text) + 1)
        return columns

    def at(
        self, node: ast.expr | ast.stmt | ast.pattern | ast.arg | ast.keyword | ast.excepthandler | ast.alias
    ) -> At:
        """The place of a node."""
        line, end_line = node.lineno, node.end_lineno or node.lineno
        end = node.col_offset if node.end_col_offset is None else node.end_col_offset
        start = self.column(line, node.col_offset)
        if (end_line, end) in self.ends:
            return (line, start, *self.ends[end_line, end])
        return (line, start, end_line, self.column(end_line, end))

    def end(self) -> At:
        """From the beginning of the text to its end."""
        return (1, 1, len(self.lines), len(self.lines[-1]) + 1)

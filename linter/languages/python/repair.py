"""A text that the grammar cannot read as a whole -> one it can: the statements it stumbles over are taken out.

The parser goes on behind an error, but what it makes of an open bracket is anything: `y = 1 +` and `z = 2` become `y = 2`.
So lines are looked at one by one. What cannot be read by itself becomes spaces around a single `0`, so that everything
else keeps its place; with the head of a block goes what stands in it, as it would mean something else without.
"""

from __future__ import annotations

import re

from msgspec import Struct
from tree_sitter import Node, Tree

from subdrift.linter.languages import trees
from subdrift.linter.languages.python.syntax import GRAMMAR, TYPE_PARAMETERS
from subdrift.linter.languages.text import Places
from subdrift.linter.model.ir import At

_ROUNDS_MAX = 12
_ROUNDS_BYTES = 2 * 1024 * 1024
"""Times that a text is parsed again, and bytes of it, in all; twice in any case."""

_CUTS_MAX = 200
"""Statements that are taken out one by one; where there are more, all the rest is broken."""

_RESTS_MAX = 8
"""Lines behind an open bracket at which reading may begin anew."""

_LINES_MAX = 30_000
"""Statements of a text that are told apart; of one with more, nothing is read."""

_LINE_MAX = 20_000
"""Bytes of a line that is looked at by itself."""

_TOKEN = re.compile(
    rb'''("""|\'\'\')'''
    rb"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*\'"""
    rb"""|\#[^\n]*|(\\?\n)|([(\[{])|([)\]}])""",
    re.DOTALL,
)
_STARTS = re.compile(rb"(?:async\s+def|def|class|import|from|try|while|with|return|raise|@)\b|@")
"""What begins a statement even where a bracket was left open."""
_CONTINUES = re.compile(rb"(?:else|elif|except|finally)\b|[)\]}]")
_HEADS = (
    (re.compile(rb"(?:else|elif)\b"), b"if 0:\n 0\n", b"\n 0\n"),
    (re.compile(rb"(?:except|finally)\b"), b"try:\n 0\n", b"\n 0\n"),
    (re.compile(rb"try\b"), b"", b"\n 0\nfinally:\n 0\n"),
    (re.compile(rb"case\b"), b"match 0:\n ", b"\n  0\n"),
    (re.compile(rb"match\b"), b"", b"\n case _:\n  0\n"),
    (re.compile(rb"@"), b"", b"\ndef f(): 0\n"),
    (re.compile(rb""), b"", b"\n 0\n"),
)
"""What makes the head of a block a statement, put before and behind it."""


class _Line(Struct):
    """A statement or the head of one: its lines (from 0, the end exclusive), its indentation, where it may be cut short, and
    where inside its brackets lines end and comments stand."""

    first: int
    end: int
    indent: int
    rests: list[int]
    joints: list[tuple[int, int]]


def repaired(data: bytes, parsed: bytes, tree: Tree) -> tuple[Tree, dict[int, At]]:
    """The tree of a text without what is broken in it; by offset each `0` that stands for something, and its place. `parsed`
    is what the parser was handed for the text."""
    return _Repair(data, parsed, tree).run()


class _Repair:
    def __init__(self, data: bytes, parsed: bytes, tree: Tree) -> None:
        self._data = bytearray(parsed)
        self._tree = tree
        self._places = Places(data)
        self._written = data.split(b"\n")
        self._starts = [0]
        for line in self._written:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._lines = _lines(data, self._written)
        if len(self._lines) > _LINES_MAX:
            self._lines[:] = [_Line(self._lines[0].first, len(self._written), 0, [], [])]
        self._cuts: dict[int, At] = {}
        self._gone: set[int] = set()

    def run(self) -> tuple[Tree, dict[int, At]]:
        for number in range(min(_ROUNDS_MAX, max(2, _ROUNDS_BYTES // (len(self._data) + 1)))):
            errors = _errors(self._tree)
            if not errors:
                break
            if number == 0:
                found = self._unreadable()
            else:
                found = self._at(errors if number > _ROUNDS_MAX // 2 else errors[:1])
            for index in found:
                self._cut(index)
            again = trees.parse(GRAMMAR.parser, bytes(self._data))
            if again is None:
                break
            self._tree = again
        return self._tree, self._cuts

    def _unreadable(self) -> list[int]:
        """The lines that cannot be read by themselves, in what the parser says is broken."""
        rows = [
            (child.start_point.row, child.end_point.row)
            for child in self._tree.root_node.children
            if child.has_error or child.is_error or child.is_missing
        ]
        low = min((low for low, _ in rows), default=0)
        high = max((high for _, high in rows), default=len(self._written))
        found: list[int] = []
        for index, line in enumerate(self._lines):
            if line.first > high or line.end <= low:
                continue
            if _readable(self._text(line.first, line.end)):
                self._join(line)
                continue
            line.end = next((rest for rest in line.rests if _readable(self._text(rest, line.end))), line.end)
            found.append(index)
            if len(found) == _CUTS_MAX:
                self._lines[index].end = len(self._written)
                del self._lines[index + 1 :]
                break
        return found

    def _join(self, line: _Line) -> None:
        """Makes one line of a statement: behind a sign the grammar takes a line that begins further left for the end of the
        block, brackets or not."""
        for start, end in line.joints:
            self._data[start:end] = b" " * (end - start)

    def _at(self, errors: list[Node]) -> list[int]:
        """The lines in which errors stand."""
        rows = {error.start_point.row for error in errors}
        found = [
            index
            for index, line in enumerate(self._lines)
            if index not in self._gone and any(line.first <= row < line.end for row in rows)
        ]
        return found or [index for index in range(len(self._lines)) if index not in self._gone][:1]

    def _text(self, first: int, end: int) -> bytes:
        return b"\n".join(self._written[first:end]).strip()

    def _cut(self, index: int) -> None:
        """Takes a statement out: with its decorators, with what is deeper, and all of it where a part of it is broken."""
        if index in self._gone:
            return
        lines = self._lines
        indent = lines[index].indent
        first, last = index, index + 1
        while self._continues(first):
            before = first - 1
            while before >= 0 and lines[before].indent > indent:
                before -= 1
            if before < 0 or lines[before].indent < indent or before in self._gone:
                break
            first = before
        while first > 0 and lines[first - 1].indent == indent and self._begins(first - 1, b"@"):
            first -= 1
        while last < len(lines) and (
            lines[last].indent > indent or (lines[last].indent == indent and self._continues(last))
        ):
            last += 1
        self._blank(first, last)

    def _begins(self, index: int, sign: bytes) -> bool:
        return self._written[self._lines[index].first].lstrip().startswith(sign)

    def _continues(self, index: int) -> bool:
        return _CONTINUES.match(self._written[self._lines[index].first].lstrip()) is not None

    def _blank(self, first: int, last: int) -> None:
        self._gone.update(range(first, last))
        begin = self._starts[self._lines[first].first]
        row = self._lines[last - 1].end
        while row > self._lines[first].first + 1 and not self._written[row - 1].strip():
            row -= 1
        written = self._written[self._lines[first].first]
        begin += len(written) - len(written.lstrip())
        end = self._starts[row - 1] + len(self._written[row - 1].rstrip())
        for place in [place for place in self._cuts if begin <= place < end]:
            del self._cuts[place]
        self._cuts[begin] = self._places.between(begin, end)
        for offset in range(begin, end):
            if self._data[offset] != 10:
                self._data[offset] = 32
        self._data[begin] = ord("0")


def _readable(text: bytes) -> bool:
    """Whether a statement, or the head of one, can be read by itself."""
    if not text or len(text) > _LINE_MAX:
        return not text
    before, behind = next((before, behind) for begins, before, behind in _HEADS if begins.match(text))
    for made in (text + b"\n", before + text + behind):
        tree = trees.parse(GRAMMAR.parser, made)
        if tree is not None and not _errors(tree):
            return True
    return False


def _errors(tree: Tree) -> list[Node]:
    """What is broken in a tree. The default of a type parameter (Python 3.13) is not: the grammar does not know it yet."""
    found = trees.broken(tree.root_node)
    return [node for node in found if node.parent is None or node.parent.kind_id != TYPE_PARAMETERS]


def _lines(data: bytes, written: list[bytes]) -> list[_Line]:
    """The statements and heads of a text, told apart by indentation, with strings and brackets skipped."""
    found: list[_Line] = []
    position = number = depth = 0
    fresh = True  # at the beginning of a line that does not go on with the one before
    while True:
        if fresh and number < len(written):
            stripped = written[number].lstrip(b" \t\f")
            indent = len(written[number][: len(written[number]) - len(stripped)].expandtabs())
            if depth and _STARTS.match(stripped):
                depth = 0
            if stripped and not stripped.startswith(b"#"):
                if not depth:
                    if found:
                        found[-1].end = number
                    found.append(_Line(number, len(written), indent, [], []))
                elif found[-1].indent == indent and len(found[-1].rests) < _RESTS_MAX:
                    found[-1].rests.append(number)
        fresh = False
        token = _TOKEN.search(data, position)
        if token is None:
            return found
        position = token.end()
        if depth and found and (token[2] or token[0].startswith(b"#")):
            found[-1].joints.append(token.span())
        if token[1]:
            end = data.find(token[1], position)
            end = len(data) if end < 0 else end
            number += data.count(b"\n", position, end)
            position = end + 3
        elif token[2]:
            number += 1
            fresh = not token[2].startswith(b"\\")
        elif token[3]:
            depth += 1
        elif token[4]:
            depth = max(depth - 1, 0)

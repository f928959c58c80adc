"""A text with syntax errors -> one without: unreadable statements become `pass`, everything keeps its place.

Statements are told apart by indentation, with strings and brackets skipped; an unreadable compound statement is entered, so
what is lost is the smallest statement that can be named.
"""

from __future__ import annotations

import re

from subdrift.linter.languages.python.text import Text
from subdrift.linter.languages.python.tree import tree_of
from subdrift.linter.model.ir import At

_NESTED_MAX = 20
"""Levels of compound statements that are entered."""

_RESTS_MAX = 8
"""Lines behind an open bracket at which reading may begin anew."""

_TOKEN = re.compile(
    r'''("""|\'\'\')'''
    r"""|"(?:\\.|[^"\\\n\r])*"|'(?:\\.|[^'\\\n\r])*\'"""
    r"""|\#[^\n\r]*|(\\?(?:\r\n|\r|\n))|([(\[{])|([)\]}])"""
)
_STARTS = re.compile(r"(?:async\s+def|def|class|import|from|try|while|with|return|raise|@)\b|@")
"""What begins a statement even where a bracket was left open."""
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b|[)\]}]")


def repaired(text: Text) -> tuple[str, dict[tuple[int, int], At]]:
    """The patched text, and for every `pass` in it that stands for what was cut out (by line and offset) that place."""
    repair = _Repair(text)
    repair.block(0, len(text.lines), 0)
    return "\n".join(repair.lines), repair.replaced


class _Repair:
    def __init__(self, text: Text) -> None:
        self.lines = list(text.lines)
        self._written = text.lines
        self.replaced: dict[tuple[int, int], At] = {}
        self._starts, self._held = _statement_starts(text)

    def block(self, first: int, last: int, depth: int) -> None:
        """Makes the statements in lines `first` to `last` (exclusive) readable."""
        starts = [line for line in range(first, last) if line in self._starts]
        if not starts:
            return
        indent = min(self._starts[line] for line in starts)
        heads = [
            line
            for line in starts
            if self._starts[line] == indent and not _CONTINUES.match(self.lines[line].lstrip())
        ]
        heads = _with_decorators(heads, self.lines)
        if not heads:
            self._cut(first, last)
            return
        if starts[0] < heads[0]:  # deeper than what follows, or an `else` without its `if`
            self._cut(starts[0], heads[0], heads[0])
        for head, following in zip(heads, [*heads[1:], last], strict=True):
            self._statement(head, following, depth)

    def _statement(self, first: int, last: int, depth: int) -> None:
        if self._readable(first, last) or self._modernised(first, last):
            return
        bodies = self._bodies(first, last)
        if bodies and self._readable(
            first, bodies[0][0]
        ):  # a statement without a body, and deeper lines behind it
            self._cut(bodies[0][0], last, first)
            return
        if depth < _NESTED_MAX:
            for begin, end in bodies:
                self.block(begin, end, depth + 1)
            if self._readable(first, last) or self._modernised(first, last):
                return
        self._cut(first, self._readable_rest(first, last))

    def _readable_rest(self, first: int, last: int) -> int:
        """The line from which the rest of an unreadable statement is readable by itself: one line is deeper than it may
        be, or a bracket was left open. `last` if there is none."""
        indent = self._starts[first]
        rests = [line for line in range(first + 1, last) if self._held.get(line) == indent]
        return next((line for line in rests[:_RESTS_MAX] if self._readable(line, last)), last)

    def _bodies(self, first: int, last: int) -> list[tuple[int, int]]:
        """The runs of lines that stand deeper than the line `first`."""
        indent = self._starts[first]
        found: list[tuple[int, int]] = []
        begin = None
        for line in [*(line for line in range(first, last) if line in self._starts), last]:
            deeper = line < last and self._starts[line] > indent
            if deeper and begin is None:
                begin = line
            elif not deeper and begin is not None:
                found.append((begin, line))
                begin = None
        return found

    def _readable(self, first: int, last: int) -> bool:
        text = "\n".join(self.lines[first:last]) + "\n"
        return tree_of("if 1:\n" + text if self.lines[first][:1] in " \t\f" else text) is not None

    def _modernised(self, first: int, last: int) -> bool:
        """Whether a statement of a newer Python could be put into the form of this one."""
        from subdrift.linter.languages.python.newer import modernised

        lines = modernised(self.lines[first:last])
        if lines is None:
            return False
        before = self.lines[first:last]
        self.lines[first:last] = lines
        if self._readable(first, last):
            return True
        self.lines[first:last] = before
        return False

    def _cut(self, first: int, last: int, like: int | None = None) -> None:
        """Puts a `pass` in the place of some lines, as deep as the first of them or as the line `like`."""
        while last > first + 1 and not self._written[last - 1].strip():
            last -= 1
        start = _indent(self._written[first])
        prefix = start if like is None else _indent(self._written[like])
        for place in [place for place in self.replaced if first <= place[0] - 1 < last]:
            del self.replaced[place]
        end = len(self._written[last - 1].rstrip()) + 1
        self.replaced[first + 1, len(prefix)] = (first + 1, len(start) + 1, last, end)
        self.lines[first] = prefix + "pass"
        self.lines[first + 1 : last] = [""] * (last - first - 1)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _with_decorators(heads: list[int], lines: list[str]) -> list[int]:
    """Without the heads that only go on with the decorators before them."""
    return [
        head
        for index, head in enumerate(heads)
        if index == 0 or not lines[heads[index - 1]].lstrip().startswith("@")
    ]


def _statement_starts(text: Text) -> tuple[dict[int, int], dict[int, int]]:
    """The lines (from 0) on which a statement begins, and those on which one would if no bracket were open; with their
    indentation."""
    found: dict[int, int] = {}
    held: dict[int, int] = {}
    whole = text.whole
    position = line = depth = 0
    fresh = True  # at the beginning of a line that does not go on with the one before
    while True:
        if fresh and line < len(text.lines):
            written = text.lines[line]
            stripped = written.lstrip(" \t\f")
            if depth and _STARTS.match(stripped):
                depth = 0
            if stripped and not stripped.startswith("#"):
                lines = held if depth else found
                lines[line] = len(written[: len(written) - len(stripped)].expandtabs())
        fresh = False
        token = _TOKEN.search(whole, position)
        if token is None:
            return found, held
        position = token.end()
        if token[1]:
            end = whole.find(token[1], position)
            if end < 0:
                end = len(whole)
            inside = whole[position:end]
            line += inside.count("\n") + inside.replace("\r\n", "").count("\r")
            position = end + 3
        elif token[2]:
            line += 1
            fresh = not token[2].startswith("\\")
        elif token[3]:
            depth += 1
        elif token[4]:
            depth = max(depth - 1, 0)

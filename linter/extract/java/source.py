"""Bytes of a Java file -> one syntax tree with spans in code points, and the way down to any byte of it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache

import tree_sitter_java
from tree_sitter import Language, Node, Parser, Tree

from linter.clients.apis import JAVA_CONSUMERS, JAVA_FACTORIES
from linter.model.facts import Problem
from linter.model.location import START, Span
from linter.model.message import Message, say

CONTENT_MAX = 2 * 1024 * 1024
"""Bytes of a file that are read."""

TIMED_FROM = 256 * 1024
"""Files above this many bytes are parsed through a callback, which can be stopped."""

PARSE_STEPS_MAX = 40_000
"""Progress reports of the parser before a big file is given up; 2 MiB of real Java take about 10,000."""

DEPTH_MAX = 600
"""Nodes between the root and a place we look at."""


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_java.language()))


class Source:
    """One parsed file. `data` is UTF-8 whatever the file was; `problems` say what was lost on the way."""

    __slots__ = ("_ascii", "_near", "_standing", "_starts", "data", "errors", "problems", "root")

    def __init__(self, content: bytes) -> None:
        self.problems: list[Problem] = []
        self.data = self._decode(content)
        self._ascii = self.data.isascii()
        self._starts: list[int] | None = None
        self._near: tuple[int, int, list[Node]] | None = None
        self._standing: dict[bytes, list[int]] | None = None
        tree = self._parse()
        self.root: Node | None = tree.root_node if tree is not None else None
        self.errors: tuple[tuple[int, int], ...] = ()
        if self.root is not None and self.root.has_error:
            self.errors = tuple((node.start_byte, node.end_byte) for node in _errors(self.root))
            first = self.errors[0] if self.errors else (0, 0)
            self.problem("parse-error", say("syntax-error"), self.span_of(*first))

    def _decode(self, content: bytes) -> bytes:
        if len(content) > CONTENT_MAX:
            self.problem("skipped-file", say("too-many-bytes", count=len(content), most=CONTENT_MAX), START)
            return b""
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            return content.decode("utf-16", "replace").encode("utf-8", "replace")
        content = content.removeprefix(b"\xef\xbb\xbf")
        try:
            content.decode()
            return content
        except UnicodeDecodeError:
            pass
        for encoding in ("gb18030", "latin-1"):
            try:
                text = content.decode(encoding)
            except UnicodeDecodeError:
                continue
            self.problem("parse-error", say("not-utf8", encoding=encoding), START)
            return text.encode("utf-8", "replace")
        raise AssertionError("latin-1 decodes any bytes")

    def _parse(self) -> Tree | None:
        data = self.data
        if len(data) < TIMED_FROM:
            return _parser().parse(data)
        steps = 0

        def stop(_offset: int, _error: bool) -> bool:
            nonlocal steps
            steps += 1
            return steps >= PARSE_STEPS_MAX

        def chunk(offset: int, _point: object) -> bytes:
            return data[offset : offset + 65536]

        try:
            return _parser().parse(chunk, progress_callback=stop)
        except ValueError:  # what the binding raises for a parse that was stopped
            self.problem("parse-error", say("parsing-given-up"), START)
            _parser().reset()
            return None

    def problem(self, name: str, message: Message, at: Span) -> None:
        self.problems.append(Problem(name, message, None, at))

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def span(self, node: Node) -> Span:
        return self.span_of(node.start_byte, node.end_byte)

    def span_of(self, start: int, end: int) -> Span:
        """Bytes -> lines and columns from 1, in code points, end exclusive."""
        starts = self._starts
        if starts is None:
            starts = self._starts = [
                0,
                *(match.end() for match in re.finditer(b"\n", self.data)),
                CONTENT_MAX * 8,
            ]
        row = bisect_right(starts, start) - 1
        end_row = row if end < starts[row + 1] else bisect_right(starts, end) - 1
        return Span(
            row + 1, self._column(starts[row], start), end_row + 1, self._column(starts[end_row], end)
        )

    def _column(self, line: int, offset: int) -> int:
        if self._ascii:
            return offset - line + 1
        return len(self.data[line:offset].decode("utf-8", "replace")) + 1

    def path(self, start: int, end: int, top: Node | None = None) -> list[Node]:
        """The nodes from `top` (else the root) down to the smallest that holds these bytes; empty if too deep."""
        if top is None and self._near is not None and self._near[0] <= start and end <= self._near[1]:
            path = list(self._near[2])
            node: Node | None = path[-1]
        else:
            node = top if top is not None else self.root
            path = [node] if node is not None else []
        first = len(path)
        while node is not None and node.child_count:  # asking a leaf for its child crashes the binding
            child = node.first_child_for_byte(start)
            if child is None or child.start_byte > start or child.end_byte < end:
                break
            path.append(child)
            if len(path) > DEPTH_MAX:
                return []
            node = child
        if top is None and first == 1:
            self._remember(path)
        return path

    def _remember(self, path: list[Node]) -> None:
        """Keeps the way down to the method last visited: what is asked next mostly lies in it too."""
        for position, node in enumerate(path):
            if node.type in ("method_declaration", "constructor_declaration"):
                self._near = (node.start_byte, node.end_byte, path[: position + 1])
                return

    def words(self, word: bytes, start: int = 0, end: int = CONTENT_MAX * 4) -> list[int]:
        """Where a whole word stands between two bytes, in code or not; a missing identifier's empty one nowhere."""
        data = self.data
        found: list[int] = []
        offset = data.find(word, start, end) if word else -1
        while offset >= 0:
            after = offset + len(word)
            if (after >= len(data) or not _INSIDE[data[after]]) and (
                offset == 0 or not _INSIDE[data[offset - 1]]
            ):
                found.append(offset)
            offset = data.find(word, after, end)
        return found

    def standing(self, word: bytes, start: int = 0, end: int = CONTENT_MAX * 4) -> list[int]:
        """As `words`, for one of the words that every file is searched for: they are found in one pass."""
        if self._standing is None:
            self._standing = {}
            for match in _standing().finditer(self.data):
                self._standing.setdefault(match[0], []).append(match.start())
        found = self._standing.get(word, [])
        return found[bisect_left(found, start) : bisect_left(found, end)] if start else found

    def mentions(self, word: bytes, start: int, end: int) -> bool:
        """Whether a whole word stands between two bytes."""
        data = self.data
        offset = data.find(word, start, end) if word else -1
        while offset >= 0:
            after = offset + len(word)
            if (after >= len(data) or not _INSIDE[data[after]]) and (
                offset == 0 or not _INSIDE[data[offset - 1]]
            ):
                return True
            offset = data.find(word, after, end)
        return False

    def broken(self, node: Node) -> bool:
        """Whether the node touches a part of the file that does not parse."""
        return bool(self.errors) and (
            node.has_error
            or any(start <= node.end_byte and node.start_byte <= end for start, end in self.errors)
        )


STANDING = frozenset(
    name.encode()
    for names in (
        (each.rpartition(".")[2] for row in JAVA_CONSUMERS for each in row.types),
        (factory.method for factory in JAVA_FACTORIES),
        (name for row in JAVA_CONSUMERS for name in row.operations),
        (
            "getSubscription",
            "getRegisterTopics",
            "return",
            "main",
            "SpringBootApplication",
            "SpringCloudApplication",
        ),
    )
    for name in names
)
"""The words every file is searched for."""


@cache
def _standing() -> re.Pattern[bytes]:
    """The standing words, grouped by their first letters so that few alternatives are tried."""
    heads: dict[bytes, list[bytes]] = {}
    for word in sorted(STANDING):
        heads.setdefault(word[:3], []).append(word[3:])
    parts = [
        re.escape(head) + b"(?:" + b"|".join(map(re.escape, tails)) + b")" for head, tails in heads.items()
    ]
    return re.compile(rb"\b(?:" + b"|".join(parts) + rb")(?![\w$])")


_INSIDE = tuple(chr(byte).isalnum() or byte >= 0x80 or chr(byte) in "_$" for byte in range(256))
"""By byte: whether it may be part of a word."""

ERRORS_MAX = 50
"""Syntax errors of one file whose places are remembered."""


def _errors(root: Node) -> list[Node]:
    found: list[Node] = []
    stack = [root]
    while stack and len(found) < ERRORS_MAX:
        node = stack.pop()
        if node.is_error or node.is_missing:
            found.append(node)
        elif node.has_error:
            stack.extend(reversed(node.children))
    return found

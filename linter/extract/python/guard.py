"""Bytes of a Python file -> text that LibCST can parse safely, or the one problem that stands for the file.

LibCST crashes or stalls on inputs that `ast.parse` refuses or reads in milliseconds, so `ast` goes first and
its tree is measured: nesting (LibCST and its position provider recurse), and the number of nodes (each costs
tens of microseconds and half a kilobyte).
"""

from __future__ import annotations

import ast
import codecs
import re
import warnings
from dataclasses import dataclass

from linter.model.facts import Problem
from linter.model.location import START, Span
from linter.model.message import say

SOURCE_BYTES_MAX = 512 * 1024
"""Larger files are left out: nodes take some 490 times the source."""

NODES_MAX = 100_000
"""Syntax nodes; some six seconds of LibCST on a slow machine."""

FRAMES_MAX = 600
"""Python frames the nesting of a file may cost LibCST, of the interpreter's 1,000."""

_FRAMES_NESTED = 7
_FRAMES_CHAINED = 2
_CHAINED = (ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Attribute, ast.IfExp, ast.Lambda, ast.If, ast.Compare)
_LEAVES = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


@dataclass(frozen=True, slots=True)
class Source:
    """A text both parsers accept, with the tree of the first."""

    text: str
    tree: ast.Module


def accept(content: bytes) -> Source | Problem:
    """The text of a file and its `ast`, or why the file is not read. Never raises."""
    if len(content) > SOURCE_BYTES_MAX:
        return Problem(
            "skipped-file",
            say("too-many-bytes", count=len(content), most=SOURCE_BYTES_MAX),
            say("split-or-exclude"),
            START,
        )
    text = decode(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        line = max(error.lineno or 1, 1)
        column = max(error.offset or 1, 1)
        at = Span(line, column, line, column)
        return Problem("parse-error", say("not-python-3", reason=error.msg), say("file-not-read"), at)
    except (ValueError, RecursionError, MemoryError) as error:
        return Problem(
            "parse-error",
            say("does-not-parse", language="Python", reason=str(error) or type(error).__name__),
            say("file-not-read"),
            START,
        )
    nodes, frames = _measure(tree)
    if nodes > NODES_MAX:
        return Problem(
            "skipped-file",
            say("too-many-nodes", count=nodes, most=NODES_MAX),
            say("split-or-exclude"),
            START,
        )
    if frames > FRAMES_MAX:
        return Problem(
            "skipped-file",
            say("nested-too-deeply", language="Python"),
            say("split-deepest"),
            START,
        )
    return Source(text, tree)


def decode(content: bytes) -> str:
    """The text by byte-order mark, PEP 263 cookie or UTF-8; what does not decode becomes U+FFFD."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if content.startswith(mark):
            body = content[len(mark) :] if encoding == "utf-8" else content
            return body.decode(encoding, "replace")
    encoding = "utf-8"
    for line in content.split(b"\n", 2)[:2]:
        if cookie := _COOKIE.match(line):
            encoding = cookie.group(1).decode("ascii", "replace")
            break
    try:
        return content.decode(encoding, "replace")
    except (LookupError, ValueError, AssertionError):  # no such codec, or one that is no text encoding
        return content.decode("utf-8", "replace")


def _measure(tree: ast.Module) -> tuple[int, int]:
    """The number of nodes and the frames their deepest nesting costs; without recursion."""
    nodes = deepest = 0
    stack: list[tuple[ast.AST, int]] = [(tree, 0)]
    while stack:
        node, frames = stack.pop()
        nodes += 1
        frames += _FRAMES_CHAINED if isinstance(node, _CHAINED) else _FRAMES_NESTED
        deepest = max(deepest, frames)
        stack.extend(
            (child, frames) for child in ast.iter_child_nodes(node) if not isinstance(child, _LEAVES)
        )
    return nodes, deepest

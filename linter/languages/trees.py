"""Text -> syntax tree, bounded in time; where it is broken."""

from __future__ import annotations

from tree_sitter import Node, Parser, Tree

TIMED_FROM = 256 * 1024
"""Texts above this many bytes are parsed through a callback, which can be stopped."""

PARSE_STEPS_MAX = 40_000
"""Progress reports of the parser before a big text is given up; 2 MiB of real Java take about 10,000."""

BROKEN_MAX = 50
"""Syntax errors of one file whose places are kept."""


def parse(parser: Parser, data: bytes) -> Tree | None:
    """The tree of a text, or None where the parser takes too long for it."""
    if len(data) < TIMED_FROM:
        return parser.parse(data)
    steps = 0

    def stop(_offset: int, _error: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps >= PARSE_STEPS_MAX

    def chunk(offset: int, _point: object) -> bytes:
        return data[offset : offset + 65536]

    try:
        return parser.parse(chunk, progress_callback=stop)
    except ValueError:  # what the binding raises for a parse that was stopped
        parser.reset()
        return None


def broken(root: Node) -> list[Node]:
    """The outermost nodes of a tree that are syntax errors, in order."""
    found: list[Node] = []
    stack = [root] if root.has_error else []
    while stack and len(found) < BROKEN_MAX:
        node = stack.pop()
        if node.is_error or node.is_missing:
            found.append(node)
        elif node.has_error:
            stack.extend(reversed(node.children))
    return found

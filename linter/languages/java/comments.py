"""The comments of a Java file."""

from __future__ import annotations

from linter.languages import trees
from linter.languages.java.syntax import COMMENTS, GRAMMAR
from linter.languages.text import CONTENT_MAX, Places, decode
from linter.model import ir


def comments(content: bytes) -> tuple[list[str], list[tuple[ir.At, str]]]:
    """The lines of a file, and the place and text of each comment in it."""
    data = b"" if len(content) > CONTENT_MAX else decode(content)[0]
    tree = trees.parse(GRAMMAR.parser, data)
    found: list[tuple[ir.At, str]] = []
    places = Places(data)
    stack = [tree.root_node] if tree is not None else []
    while stack:
        node = stack.pop()
        if node.kind_id in COMMENTS:
            text = data[node.start_byte : node.end_byte].decode("utf-8", "replace")
            found.append((places.between(node.start_byte, node.end_byte), text))
        else:
            stack.extend(reversed(node.children))
    return data.decode("utf-8", "replace").split("\n"), found

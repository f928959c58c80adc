"""What Java has and its grammar does not yet: `super(…)` and `this(…)` behind other statements (Java 25), imports of modules,
patterns of records in other types (`case Shape.Circle(var r)`).

Such a text is parsed again in a spelling that the grammar takes. Nothing changes its place, and names are read from the text
as it was written.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from subdrift.linter.languages.java.syntax import kind

CONSTRUCTOR_CALL = kind("explicit_constructor_invocation")
IMPORT = kind("import_declaration")

MODULE_IMPORT = re.compile(r"import\s+module\s*[^\s.;]")
"""How an import of a module begins."""

_CALLED = frozenset({b"super", b"this"})
_OPENS = re.compile(rb"\s*\(")
_MATCHES = frozenset({b"case", b"instanceof"})
_PATTERN = re.compile(rb"(?:^|(?<=[(,]))\s*([\w$.\s]+?)\s*(?:<[^()]*>\s*)?\(|[()]")


EXPORTED = {
    "java.base": (
        "java.io",
        "java.math",
        "java.net",
        "java.nio",
        "java.nio.charset",
        "java.nio.file",
        "java.security",
        "java.text",
        "java.time",
        "java.time.format",
        "java.util",
        "java.util.concurrent",
        "java.util.concurrent.atomic",
        "java.util.function",
        "java.util.regex",
        "java.util.stream",
    )
}
"""The packages that programs use of a module. Others are taken to export the package of their own name."""


def respelled(root: Node, data: bytes) -> bytes:
    """A text with syntax errors, of the same length, without those that are none in newer versions of Java."""
    made = bytearray(data)
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind_id == IMPORT:
            words = node.children[1:]
            first = _leaf(words[0]) if node.has_error and words else node
            if data[first.start_byte : first.end_byte] == b"module":
                made[first.start_byte : first.end_byte] = b" " * len(b"module")
        elif node.child_count:
            if node.kind_id != CONSTRUCTOR_CALL:
                stack += node.children
        elif data[node.start_byte : node.end_byte] in _CALLED and _OPENS.match(data, node.end_byte):
            made[node.start_byte] = ord("$")
        elif data[node.start_byte : node.end_byte] in _MATCHES:
            _join_names(made, node.end_byte)
    return bytes(made)


def _join_names(made: bytearray, start: int) -> None:
    """`Shape.Circle(…)` of a pattern that begins here is one name: `Shape$Circle(…)`."""
    depth = 0
    for found in _PATTERN.finditer(bytes(made[start:])):
        name = found.group(1)
        if depth == 0 and (name is None or found.start()):
            return
        depth += -1 if found.group() == b")" else 1
        for at in range(*found.span(1)) if name is not None and b"." in name else ():
            if made[start + at] in b". \t\r\n":
                made[start + at] = ord("$")
        if depth == 0:
            return


def _leaf(node: Node) -> Node:
    while node.child_count:
        node = node.children[0]
    return node

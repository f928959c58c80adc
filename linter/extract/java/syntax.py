"""Small questions to syntax nodes."""

from __future__ import annotations

from tree_sitter import Node

_STRAIGHT = frozenset({"expression_statement", "return_statement", "try_statement", "synchronized_statement"})
NUMBERS = frozenset({
    "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal",
})  # fmt: skip


def arguments(node: Node) -> list[Node]:
    """The argument nodes of a call, comments left out."""
    held = node.child_by_field_name("arguments")
    return code(held) if held is not None else []


def code(node: Node) -> list[Node]:
    """The named children that are no comments."""
    return [child for child in node.named_children if not child.type.endswith("_comment")]


def blocks(path: list[Node]) -> int:
    """How many statements that may run several times or not at all stand around the last node."""
    return sum(node.type.endswith("_statement") and node.type not in _STRAIGHT for node in path)

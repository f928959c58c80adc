"""The grammar of tree-sitter-python: its node kinds, signs and fields by number."""

from __future__ import annotations

import tree_sitter_python
from tree_sitter import Language, Node

from subdrift.linter.languages.trees import Grammar

GRAMMAR = Grammar(Language(tree_sitter_python.language()))

kind = GRAMMAR.kind
kinds = GRAMMAR.kinds
token = GRAMMAR.token
field = GRAMMAR.field

COMMENTS = kinds("comment line_continuation")
"""They may stand between any two nodes."""

ATTRIBUTE = kind("attribute")
BINARY = kind("binary_operator")
CALL = kind("call")
CONCATENATED = kind("concatenated_string")
DOTTED = kind("dotted_name")
GENERATOR = kind("generator_expression")
GENERIC = kind("generic_type")
IDENTIFIER = kind("identifier")
KEYWORD = kind("keyword_argument")
LIST_SPLAT = kind("list_splat")
MEMBER_TYPE = kind("member_type")
NONE = kind("none")
PARENTHESES = kind("parenthesized_expression")
SPLAT_TYPE = kind("splat_type")
STARRED = kinds("list_splat list_splat_pattern")
STRING = kind("string")
SUBSCRIPT_KIND = kind("subscript")
TUPLES = kinds("tuple expression_list tuple_pattern pattern_list")
TYPE_KIND = kind("type")
TYPE_PARAMETERS = kind("type_parameter")
UNION_TYPE = kind("union_type")

ARGUMENTS = field("arguments")
ATTRIBUTE_NAME = field("attribute")
FUNCTION = field("function")
LEFT = field("left")
NAME = field("name")
OBJECT = field("object")
OPERATOR = field("operator")
RIGHT = field("right")
SUBSCRIPT = field("subscript")
VALUE = field("value")


def first(node: Node) -> Node | None:
    """The first named child that is not a comment."""
    for index in range(node.named_child_count):
        child = node.named_child(index)
        if child is not None and child.kind_id not in COMMENTS:
            return child
    return None


def last(node: Node) -> Node | None:
    """The last named child that is not a comment."""
    for index in range(node.named_child_count - 1, -1, -1):
        child = node.named_child(index)
        if child is not None and child.kind_id not in COMMENTS:
            return child
    return None


_WRAPPED = frozenset({PARENTHESES, TYPE_KIND})
_TUPLE_PATTERN = kinds("tuple_pattern")


def bare(node: Node) -> Node:
    """A node without the parentheses around it, and without the mark that it is a type."""
    while _is_wrapped(node):
        inner = first(node)
        if inner is None:
            return node
        node = inner
    return node


def _is_wrapped(node: Node) -> bool:
    kind = node.kind_id
    return kind in _WRAPPED or (
        kind in _TUPLE_PATTERN and not any(each.type == "," for each in node.children)
    )

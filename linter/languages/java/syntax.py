"""The grammar of tree-sitter-java: its parser, and its node kinds and fields by number."""

from __future__ import annotations

import tree_sitter_java
from tree_sitter import Language, Parser

LANGUAGE = Language(tree_sitter_java.language())
PARSER = Parser(LANGUAGE)

NAMES = {number: LANGUAGE.node_kind_for_id(number) or "" for number in range(LANGUAGE.node_kind_count)}
"""Node kind or token by number."""


def kind(name: str) -> int:
    """The number of a named node kind. Raises `LookupError` for one that the grammar does not have."""
    return _number(name, named=True)


def token(text: str) -> int:
    """The number of a keyword or sign. Raises `LookupError` for one that the grammar does not have."""
    return _number(text, named=False)


def _number(name: str, named: bool) -> int:
    number = LANGUAGE.id_for_node_kind(name, named)
    if number is None:
        raise LookupError(f"the Java grammar has no {name}")
    return number


def field(name: str) -> int:
    """The number of a field. Raises `LookupError` for one that the grammar does not have."""
    number = LANGUAGE.field_id_for_name(name)
    if number is None:
        raise LookupError(f"the Java grammar has no field {name}")
    return number


COMMENTS = frozenset({kind("line_comment"), kind("block_comment")})
"""They may stand between any two nodes."""

"""The grammar of tree-sitter-kotlin: its node kinds, signs and fields by number."""

from __future__ import annotations

import tree_sitter_kotlin
from tree_sitter import Language

from subdrift.linter.languages.trees import Grammar

GRAMMAR = Grammar(Language(tree_sitter_kotlin.language()))

kind = GRAMMAR.kind
token = GRAMMAR.token
field = GRAMMAR.field

COMMENTS = GRAMMAR.kinds("line_comment block_comment shebang")
"""They may stand between any two nodes."""


def ended(data: bytes) -> bytes:
    """The text with a line end: the grammar skips an annotation up to the next white space, and looks for that for ever
    beyond the end of the text."""
    return data if data.endswith(b"\n") else data + b"\n"

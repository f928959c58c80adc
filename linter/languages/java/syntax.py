"""The grammar of tree-sitter-java: its node kinds, signs and fields by number."""

from __future__ import annotations

import tree_sitter_java
from tree_sitter import Language

from subdrift.linter.languages.trees import Grammar

GRAMMAR = Grammar(Language(tree_sitter_java.language()))
NAMES = GRAMMAR.names

kind = GRAMMAR.kind
token = GRAMMAR.token
field = GRAMMAR.field

COMMENTS = GRAMMAR.kinds("line_comment block_comment")
"""They may stand between any two nodes."""

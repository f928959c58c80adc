"""Text -> CPython's syntax tree."""

from __future__ import annotations

import ast
import warnings


def tree_of(text: str) -> ast.Module | None:
    """The tree of a text that is Python, as the running interpreter sees it, and nested within its bounds."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of literals with odd escapes
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None

"""The comments of a Python file."""

from __future__ import annotations

from subdrift.linter.languages import trees
from subdrift.linter.languages.python.syntax import GRAMMAR, kinds
from subdrift.linter.languages.python.text import decode
from subdrift.linter.model import ir

_COMMENT = kinds("comment")


def comments(content: bytes) -> tuple[list[str], list[tuple[ir.At, str]]]:
    """The lines of a file, and the place and text of each comment in it."""
    text = decode(content)
    return text.split("\n"), trees.comments(GRAMMAR, _COMMENT, text.encode("utf-8", "replace"))

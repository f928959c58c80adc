"""The comments of a Kotlin file."""

from __future__ import annotations

from subdrift.linter.languages import trees
from subdrift.linter.languages.kotlin.syntax import COMMENTS, GRAMMAR, ended
from subdrift.linter.languages.text import decode
from subdrift.linter.model import ir


def comments(content: bytes) -> tuple[list[str], list[tuple[ir.At, str]]]:
    """The lines of a file, and the place and text of each comment in it."""
    data = ended(decode(content)[0])
    return data.decode("utf-8", "replace").split("\n"), trees.comments(GRAMMAR, COMMENTS, data)

"""Bytes of a Python file -> a tree of `ast` and its text, whatever the bytes are.

Two parsers share the work. `ast` is CPython's own, nine times faster than LibCST without positions and thirty times
faster than LibCST with them, and it refuses hostile input (deep nesting) instead of crashing; but it reads only what the
running interpreter reads, and gives nothing for a file with one error. Statements it refuses are cut out (`recover`), and
those in a newer Python are read by LibCST, whose grammar is its own (`newer`).
"""

from __future__ import annotations

import ast

from msgspec import Struct

from subdrift.linter.languages.python.text import Text, decode
from subdrift.linter.languages.python.tree import tree_of
from subdrift.linter.model.ir import At
from subdrift.linter.model.message import Message, say

SOURCE_BYTES_MAX = 1024 * 1024
"""Larger files are left out: they are data or generated, and syntax trees take hundreds of times the source."""


class Source(Struct, frozen=True):
    """What is known of a file. `tree` None: nothing, for the reason `skipped` or because all of it is `broken`.
    `replaced`: the line and byte offset of each `pass` that stands for unreadable statements, with their place."""

    text: Text
    tree: ast.Module | None
    broken: tuple[At, ...] = ()
    replaced: dict[tuple[int, int], At] | None = None
    skipped: Message | None = None


def parse(content: bytes) -> Source:
    """The tree of a file, as far as it can be read. Never raises."""
    if len(content) > SOURCE_BYTES_MAX:
        reason = say("too-many-bytes", count=len(content), most=SOURCE_BYTES_MAX)
        return Source(Text(""), None, skipped=reason)
    text = Text(decode(content))
    tree = tree_of(text.whole)
    if tree is not None:
        return Source(text, tree)
    from subdrift.linter.languages.python.recover import repaired  # needed for few files

    patched, replaced = repaired(text)
    tree = tree_of(patched)
    if tree is None:
        return Source(text, None, (text.end(),))
    text.replaced(replaced)
    return Source(text, tree, tuple(sorted(replaced.values())), replaced)

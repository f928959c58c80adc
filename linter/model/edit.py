"""Changes to source text: what `--fix` writes, and why it leaves something as it is."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from subdrift.linter.model.location import Span


class Left(Enum):
    """Why a change was not made."""

    COMPOSED = "composed"
    """The value is put together of several pieces, or nobody wrote it in this form."""
    SHARED = "shared"
    """What is written there is used for something else, too."""
    UNREADABLE = "unreadable"
    """The file is not UTF-8, or is none that its grammar reads whole."""
    SPELLED = "spelled"
    """The literal is written with escapes, or in a form that cannot hold the new text."""
    STATEMENT = "statement"
    """The call is not a plain statement that stands before the one that replaces it."""


class Retext(Struct, frozen=True):
    """The literal, or the key with its value, at `at` that says `old` is to say `new`."""

    at: Span
    old: str
    new: str


class Removal(Struct, frozen=True):
    """The call whose method's name stands at `at` is to go: one of those at `covers`, behind it, does what it does."""

    at: Span
    covers: tuple[Span, ...]


Edit = Retext | Removal


class Rewritten(Struct, frozen=True):
    """The text of a file after the edits that could be made; `left` has the others."""

    text: str
    left: dict[Edit, Left]

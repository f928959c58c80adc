"""What a settings file may hold, and what is said of one that holds more."""

from __future__ import annotations

from collections.abc import Iterable

from subdrift.linter.model.facts import ConfigEntry, Problem
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import Message, say

FILE_BYTES_MAX = 2 * 1024 * 1024
"""Larger settings files are left out."""

NESTING_MAX = 60
"""Brackets or block levels inside one another; LibYAML's composer recurses in C."""

DOCUMENTS_MAX = 500
"""Documents of one YAML file that are read."""

ENTRIES_MAX = 50_000
"""Values of one file that are kept."""

CHARS_MAX = 16 << 20
"""Characters of all keys and values of one file: of a section, a name that many values have counts for each of them, and
of YAML what an alias stands for."""


def too_many(count: int) -> Problem:
    """The problem of a file with more settings than are kept."""
    return Problem("skipped-file", say("too-many-settings", most=ENTRIES_MAX), say("split-the-file"), START)


def too_large() -> Problem:
    """The problem of a file whose settings take more room than they may."""
    return Problem(
        "skipped-file", say("settings-too-large", most=CHARS_MAX >> 20), say("split-the-file"), START
    )


def refused(what: Message, text: str, index: int) -> Problem:
    """The problem of a file that its application cannot read either: what it says is worth nothing."""
    line = text.count("\n", 0, index) + 1
    column = index - text.rfind("\n", 0, index)
    at = Span(line, column, line, column + 1)
    return Problem("parse-error", what, say("mend-the-file"), at)


def bounded(entries: Iterable[ConfigEntry]) -> tuple[tuple[ConfigEntry, ...], tuple[Problem, ...]]:
    """As many entries as one file may have; no more of them are made."""
    found: list[ConfigEntry] = []
    chars = 0
    for entry in entries:
        chars += len(entry.key) + len(entry.text)
        if len(found) == ENTRIES_MAX:
            return tuple(found), (too_many(ENTRIES_MAX),)
        if chars > CHARS_MAX:
            return (), (too_large(),)
        found.append(entry)
    return tuple(found), ()

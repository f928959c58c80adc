"""CODEOWNERS (GitHub, GitLab, Gitea) -> the patterns it lists with their owners, in the order of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from subdrift.linter.model.facts import FileFacts, OwnedFiles
from subdrift.linter.model.location import Span

FILE_BYTES_MAX: Final = 3 << 20
"""What GitHub reads at most."""
LINES_MAX: Final = 20_000
OWNERS_MAX: Final = 20
"""Owners of one line that are kept."""
OWNER_CHARS_MAX: Final = 120

_WORD = re.compile(r"(?:\\.|\S)+")
_SECTION = re.compile(r"\^?\[(?P<name>[^\]]*)\](?:\[\d+\])?(?P<owners>.*)")
"""GitLab's `[Section][2] @default-owner`: its owners hold for the lines below it that name none."""


def read_file(name: str, content: bytes) -> FileFacts | None:
    """The facts of a file named CODEOWNERS; None where it lists nothing."""
    found = lines_of(content)
    return FileFacts("owners", owned=found) if found else None


def lines_of(content: bytes) -> tuple[OwnedFiles, ...]:
    """The lines of a CODEOWNERS file; a file that is too large has none."""
    if len(content) > FILE_BYTES_MAX:
        return ()
    return tuple(_lines(content.decode("utf-8", "replace")))


def _lines(text: str) -> Iterator[OwnedFiles]:
    default: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines()[:LINES_MAX], 1):
        written = line.strip()
        if not written or written.startswith(("#", "!")):  # nothing can be taken out again
            continue
        section = _SECTION.fullmatch(written)
        if section is not None:
            default = _owners(_WORD.findall(section["owners"]))
            continue
        pattern, *names = _WORD.findall(written)
        at = Span(number, 1, number, len(line) + 1)
        yield OwnedFiles(re.sub(r"\\(.)", r"\1", pattern), _owners(names) or default, at)


def _owners(words: list[str]) -> tuple[str, ...]:
    """The owners among the words of a line, up to a comment: `@user`, `@organisation/team`, an address of mail."""
    named: list[str] = []
    for word in words:
        if word.startswith("#"):
            break
        if "@" in word:
            named.append(word[:OWNER_CHARS_MAX])
    return tuple(sorted(set(named[:OWNERS_MAX])))

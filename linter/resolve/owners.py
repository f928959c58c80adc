"""Who owns a file, by the CODEOWNERS file of its repository. Mirrors GitHub: the last pattern that matches counts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from linter.model.facts import OwnedFiles
from linter.resolve.place import Placed

FOLDERS: Final = (".github/", "", "docs/", ".gitlab/", ".gitea/")
"""Where the file may stand; the first one that is there counts."""

STARS_MAX: Final = 12
"""Stars in one pattern; one with more matches nothing, for the time it may take."""


class Owners:
    """The owners of the files of one repository."""

    def __init__(self, files: Iterable[Placed]) -> None:
        found = {placed.origin.path: placed.facts.owned for placed in files if placed.facts.owned}
        lines = next((found[path] for each in FOLDERS if (path := f"{each}CODEOWNERS") in found), ())
        self._lines: tuple[OwnedFiles, ...] = tuple(reversed(lines))

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of a file, sorted; nobody where no line speaks of it, or the last one that does names nobody."""
        return next((line.owners for line in self._lines if _matcher(line.pattern)(path)), ())


class _Pattern:
    __slots__ = ("_regex",)

    def __init__(self, pattern: str) -> None:
        self._regex = None if pattern.count("*") > STARS_MAX else re.compile(_regex(pattern))

    def __call__(self, path: str) -> bool:
        return self._regex is not None and self._regex.match(path) is not None


@lru_cache(1 << 12)
def _matcher(pattern: str) -> _Pattern:
    return _Pattern(pattern)


def _regex(pattern: str) -> str:
    """The pattern as GitHub reads it: rooted if a slash stands before its end; a folder's name owns all below it."""
    rooted = "/" in pattern.rstrip("/")
    body = pattern.strip("/")
    parts = []
    for token in re.findall(r"/\*\*/|\*\*/|/\*\*|\*+|\?|[^*?/]+|/", body):
        match token:
            case "/**/":
                parts.append("/(?:.*/)?")
            case "**/":
                parts.append("(?:.*/)?")
            case "/**":
                parts.append("/.*")
            case "?":
                parts.append("[^/]")
            case _ if token.startswith("*"):
                parts.append("[^/]*")
            case _:
                parts.append(re.escape(token))
    below = "/" if pattern.endswith("/") else "(?:/|$)"
    if body.endswith("/*"):
        below = "$"  # the files of a folder, not those of the folders in it
    return f"^{'' if rooted else '(?:.*/)?'}{''.join(parts)}{below}"

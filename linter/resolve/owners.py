"""Who owns a file, by the CODEOWNERS file of its repository. Mirrors GitHub: the last pattern that matches counts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Final

from msgspec import Struct

from subdrift.linter.model.facts import OwnedFiles
from subdrift.linter.model.placed import Placed

FOLDERS: Final = (".github/", "", "docs/", ".gitlab/", ".gitea/")
"""Where the file may stand; the first one that is there counts."""


class Owners:
    """The owners of the files of one repository: what the lines of its file say, `default` where none speaks."""

    def __init__(self, lines: Sequence[OwnedFiles] = (), default: tuple[str, ...] = ()) -> None:
        self._lines = tuple((_Pattern.of(line), line) for line in reversed(lines))
        self._default = default
        self._known: dict[str, tuple[str, ...]] = {}

    @classmethod
    def among(cls, files: Iterable[Placed]) -> Owners:
        """Those of the file that counts among the files of a repository."""
        found = {placed.origin.path: placed.facts.owned for placed in files if placed.facts.owned}
        return cls(found.get(find(found), ()))

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of a file, sorted; nobody where the last line that speaks of it names nobody."""
        owners = self._known.get(path)
        if owners is None:
            parts = path.split("/")
            said = (line.owners for pattern, line in self._lines if pattern.matches(parts))
            owners = self._known[path] = next(said, self._default)
        return owners

    @property
    def whole(self) -> tuple[str, ...]:
        """The owners of what no line is more exact about: those of the line `*`, else the default."""
        return self.of(_ANY_FILE)


def find(paths: Container[str]) -> str:
    """The file that counts among the paths of a repository, "" where there is none."""
    return next((path for each in FOLDERS if (path := f"{each}CODEOWNERS") in paths), "")


_ANY_FILE: Final = "a-folder-nobody-names/a-file-nobody-names"


class _Pattern(Struct, frozen=True):
    """A pattern as GitHub reads it: rooted if a slash stands before its end; the name of a folder owns all below it.

    `folder`: it names folders only. `whole`: it names the files of a folder, not those of the folders in it.
    """

    parts: tuple[str, ...]
    folder: bool
    whole: bool

    @classmethod
    def of(cls, line: OwnedFiles) -> _Pattern:
        body = line.pattern.strip("/")
        rooted = "/" in line.pattern.rstrip("/")
        parts = tuple(body.split("/"))
        return cls(
            parts if rooted else ("**", *parts), line.pattern.endswith("/"), rooted and parts[-1] == "*"
        )

    def matches(self, path: Sequence[str]) -> bool:
        """Whether it matches a file; takes no more steps than parts of the pattern times parts of the path."""
        reached = {0}
        """Numbers of parts of the path that the parts of the pattern so far may stand for."""
        for part in self.parts:
            if part == "**":
                reached = set(range(min(reached), len(path) + 1))
            else:
                reached = {at + 1 for at in reached if at < len(path) and _fits(part, path[at])}
            if not reached:
                return False
        if self.whole:
            return len(path) in reached
        return not self.folder or min(reached) < len(path)


def _fits(pattern: str, name: str) -> bool:
    """Whether a name fits a pattern of `*` and `?`; the last star gives way, so that no other has to be tried again."""
    at = position = 0
    star, resumed = -1, 0
    while position < len(name):
        if at < len(pattern) and pattern[at] == "*":
            star, resumed = at, position
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", name[position]):
            at, position = at + 1, position + 1
        elif star >= 0:
            resumed += 1
            at, position = star + 1, resumed
        else:
            return False
    return not pattern[at:].strip("*")

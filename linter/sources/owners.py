"""`CODEOWNERS` of a repository in, the owners of a path out, as GitHub and GitLab read it.

The last line that matches a path decides; a line without owners takes them away. GitLab's sections (`[Name] @owner`,
`^[Name]`) give their owners to lines that name none. A line that cannot be read owns nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from linter.sources.ignore import IgnoreRule, is_ignored, parse_rules

FILES: Final = (
    ".github/CODEOWNERS",
    ".gitlab/CODEOWNERS",
    ".gitea/CODEOWNERS",
    "CODEOWNERS",
    "docs/CODEOWNERS",
)
"""Where such a file lies; the first one there is counts."""
FILE_BYTES_MAX: Final = 3 << 20
"""What GitHub reads at most."""
LINES_MAX: Final = 5_000

_SECTION: Final = re.compile(r"\^?\[[^\]]+\](?:\[\d+\])?(?P<owners>.*)")
_PATTERN_END: Final = re.compile(r"(?<!\\)\s+")
_COMMENT: Final = re.compile(r"(?:^|\s)#.*")


@dataclass(frozen=True, slots=True)
class _Line:
    rules: tuple[IgnoreRule, ...]
    direct: bool
    """Whether it means the files of a folder and nothing deeper: `docs/*`."""
    owners: tuple[str, ...]

    def matches(self, path: str) -> bool:
        if is_ignored(path, False, self.rules):
            return True
        if self.direct:
            return False
        parts = path.split("/")
        return any(
            is_ignored("/".join(parts[:end]), True, self.rules) for end in range(len(parts) - 1, 0, -1)
        )


@dataclass(frozen=True, slots=True)
class Owners:
    """The lines of one file."""

    lines: tuple[_Line, ...] = ()

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of a path relative to the repository's root; none where no line names any."""
        return next((line.owners for line in reversed(self.lines) if line.matches(path)), ())


def find(paths: Iterable[str]) -> str:
    """The file that counts among the paths of a repository, "" where there is none."""
    there = {path for path in paths if path.endswith("CODEOWNERS")}
    return next((file for file in FILES if file in there), "")


def parse(content: bytes) -> Owners:
    """The lines of a `CODEOWNERS` file; a file that is too large owns nothing."""
    if len(content) > FILE_BYTES_MAX:
        return Owners()
    lines: list[_Line] = []
    inherited: tuple[str, ...] = ()
    for raw in content.decode("utf-8", "replace").splitlines()[:LINES_MAX]:
        text = _COMMENT.sub("", raw).strip()
        section = _SECTION.fullmatch(text)
        if section:
            inherited = tuple(section["owners"].split())
            continue
        pattern, *rest = _PATTERN_END.split(text, maxsplit=1)
        rules = parse_rules(pattern, "") if pattern and not pattern.startswith("!") else ()
        if rules:
            owners = tuple(rest[0].split()) if rest else inherited
            lines.append(_Line(rules, pattern.endswith("/*"), owners))
    return Owners(tuple(lines))

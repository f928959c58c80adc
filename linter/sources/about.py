"""What a repository tells about itself besides its sources: its commit, where it comes from, who owns what in it.

Owners are those of CODEOWNERS, line by line as its hosts read it; where no line speaks, `spec.owner` of a
`catalog-info.yaml` at the root. All of it is text from outside, kept within bounds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from linter.sources import git
from linter.sources.checkout import origin_url
from linter.sources.ignore import IgnoreRule, is_ignored, parse_rules
from linter.sources.tree import Tree

OWNER_FILES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where they may lie; the first that is there counts."""
CATALOG_FILE = "catalog-info.yaml"
OWNERS_MAX = 20
"""Owners kept of one file."""
OWNER_CHARS_MAX = 120
RULES_MAX = 2_000

_SECTION = re.compile(r"\^?\[[^\]]*\](?:\[\d+\])?(?P<owners>.*)")
_ANY_FILE = "a-folder-nobody-names/a-file-nobody-names"
_CREDENTIALS = re.compile(r"^(?P<scheme>[a-z][a-z0-9+.-]*://)[^/@]*@", re.IGNORECASE)
_URL = re.compile(r"(?:https?|ssh|git)://\S+|[^\s/:]+@[^\s/:]+:\S+")
_URL_CHARS_MAX = 500


@dataclass(frozen=True, slots=True)
class Owners:
    """Who owns the files of a repository. `default` speaks where no line does."""

    lines: tuple[tuple[tuple[IgnoreRule, ...], tuple[str, ...]], ...] = ()
    default: tuple[str, ...] = ()

    @property
    def whole(self) -> tuple[str, ...]:
        """Who owns what no line is more exact about: those of the line `*`, else `default`."""
        return self.of(_ANY_FILE)

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of a file: the last line that matches it speaks, also with nobody."""
        parents = path.split("/")
        folders = ["/".join(parts) for parts in (parents[:end] for end in range(1, len(parents)))]
        for rules, owners in reversed(self.lines):
            if is_ignored(path, False, rules) or any(is_ignored(one, True, rules) for one in folders):
                return owners
        return self.default


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit and when it was made, in seconds since 1970; "" and None where it is not known."""

    head: str = ""
    time: int | None = None


def commit_of(root: str, head: str = "") -> Commit:
    """The commit of a repository, or the one a head names."""
    found = git.ask(
        root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{head or 'HEAD'}^{{commit}}"
    )
    oid = found.out.strip()
    if found.reason or not re.fullmatch(r"[0-9a-f]{40,64}", oid):
        return Commit()
    text = git.ask(root, "cat-file", "commit", oid).out
    for line in text.split("\n\n", 1)[0].splitlines():
        made = re.fullmatch(r"committer .*> (\d{1,12}) [-+]\d{4}", line)
        if made:
            return Commit(oid, int(made[1]))
    return Commit(oid)


def url_of(root: str) -> str:
    """Where a repository was cloned from, without a name or password in it; "" where that is not a place on a network."""
    url = _CREDENTIALS.sub(r"\g<scheme>", origin_url(root))
    return url if len(url) <= _URL_CHARS_MAX and _URL.fullmatch(url) else ""


def owners_of(tree: Tree) -> Owners:
    """The owners a repository names."""
    there = set(tree.files())
    lines: tuple[tuple[tuple[IgnoreRule, ...], tuple[str, ...]], ...] = ()
    for name in OWNER_FILES:
        content = tree.read(name) if name in there else None
        if isinstance(content, bytes):
            lines = tuple(_lines(content.decode("utf-8", "replace").splitlines()))
            break
    content = tree.read(CATALOG_FILE) if CATALOG_FILE in there else None
    return Owners(lines, _catalogued(content) if isinstance(content, bytes) else ())


def _lines(lines: Iterable[str]) -> Iterable[tuple[tuple[IgnoreRule, ...], tuple[str, ...]]]:
    count = 0
    of_section: tuple[str, ...] = ()
    for line in lines:
        text = line.strip()
        if not text or text.startswith(("#", "!")):
            continue
        section = _SECTION.fullmatch(text)
        if section:
            of_section = _named(section["owners"])
            continue
        pattern, *rest = re.split(r"(?<!\\)\s+", text, maxsplit=1)
        rules = parse_rules(pattern, "")
        if rules:
            count += 1
            yield rules, _named(rest[0] if rest else "") or of_section
        if count == RULES_MAX:
            break


def _named(text: str) -> tuple[str, ...]:
    words = text.partition(" #")[0].split()
    return tuple(dict.fromkeys(one[:OWNER_CHARS_MAX] for one in words if "@" in one))[:OWNERS_MAX]


def _catalogued(content: bytes) -> tuple[str, ...]:
    from linter.extract.config import settings

    text = content.decode("utf-8", "replace")
    for entry in settings(CATALOG_FILE, text):
        if entry.key == "spec.owner" and entry.text:
            return (entry.text[:OWNER_CHARS_MAX],)
    return ()

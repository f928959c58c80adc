"""Checkouts on disk: PATHs of the command line in, named repositories with files to read out.

A PATH belongs to the nearest folder around it that has `.git` or `.subdrift.toml`; where there is none it stands for
itself. The whole repository is read, `Repository.selected` says which part of it is to be reported.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from linter.model.finding import Diagnostic
from linter.model.location import START, Location, Origin
from linter.model.message import Message, say
from linter.sources.listing import GitListing, Listing, ancestors, ignored_by_git, public_path, walk, without

SOURCE_BYTES_MAX = 2 << 20
PYTHON_BYTES_MAX = 512 << 10
"""Python is held far below the rest: its syntax tree takes some 490 times the source."""

_MARKS = (".git", ".subdrift.toml")
_CHUNK_BYTES = 1 << 16
_GIT_CONFIG_CHARS_MAX = 1 << 20
_FLAGS = (
    os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
)
_BINARY = getattr(os, "O_BINARY", 0)
_REMOTE = re.compile(r"^(?:(?:https?|ssh|git)://[^/]+/|(?:[^@/:]+@)?[^/:]{2,}:(?!//))(?P<path>.+)$")


class SourceError(Exception):
    """The paths of the command line cannot be turned into repositories; the text says why and what helps."""


@dataclass(slots=True)
class Repository:
    """One checkout. `selected` are PATHs relative to the root whose findings are reported; empty: all of it.

    `only` limits the files themselves, for PATHs that belong to no repository.
    """

    name: str
    root: str
    selected: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    untracked: bool = True
    exclude: tuple[str, ...] = ()
    """Patterns as in .gitignore; matching files are not listed."""
    _listing: Listing | None = field(default=None, repr=False)
    _running: GitListing | None = field(default=None, repr=False)
    _odd: dict[str, str] = field(default_factory=dict, repr=False)

    def start_listing(self) -> None:
        """Let git begin in the background, so that imports and other repositories need not wait for it."""
        if self._listing is None and self._running is None and not self.only and self._is_listed_by_git():
            self._running = GitListing.start(self.root, self.untracked)

    def listing(self) -> Listing:
        """The files, listed once and kept."""
        if self._listing is None:
            self._listing = without(self._list(), self.exclude)
            self._odd = dict(self._listing.odd)
        return self._listing

    def files(self) -> tuple[str, ...]:
        """Paths of all regular files, sorted, relative to the root, valid text."""
        return self.listing().paths

    def path_on_disk(self, path: str) -> str:
        return f"{self.root}/{self._odd.get(path, path)}"

    def read(self, path: str) -> bytes | Diagnostic:
        """The bytes of a file, or why there are none: missing, no permission, a link, larger than the limit."""
        limit = PYTHON_BYTES_MAX if path.endswith((".py", ".pyi")) else SOURCE_BYTES_MAX
        try:
            handle = os.open(self.path_on_disk(path), _FLAGS | _BINARY)
        except (OSError, ValueError) as error:
            return self._unreadable(path, error)
        try:
            content = os.read(handle, _CHUNK_BYTES)
            if len(content) == _CHUNK_BYTES:
                content = _read_rest(handle, content, limit)
        except OSError as error:
            return self._unreadable(path, error)
        finally:
            os.close(handle)
        if len(content) > limit:
            return self._diagnostic(
                "skipped-file", path, say("larger-than", path=path, most=limit >> 10), say("split-the-file")
            )
        return content

    def is_selected(self, path: str) -> bool:
        """Whether findings at this path are reported."""
        return not self.selected or any(path == one or path.startswith(one + "/") for one in self.selected)

    def _is_listed_by_git(self) -> bool:
        if os.path.lexists(self.root + "/.git"):
            return True
        if not any(os.path.lexists(folder + "/.git") for folder in ancestors(self.root)):
            return False
        return ignored_by_git(self.root) is False

    def _list(self) -> Listing:
        if self.only:
            return Listing(tuple(sorted(self.only)))
        self.start_listing()
        if self._running is None:
            return walk(self.root, self.name)
        found = self._running.finish(self.name)
        self._running = None
        if isinstance(found, Listing):
            return found
        return walk(
            self.root, self.name, f"git could not list {self.root} ({found}); the folder was walked instead"
        )

    def _unreadable(self, path: str, error: OSError | ValueError) -> Diagnostic:
        number = error.errno if isinstance(error, OSError) else None
        if number == errno.ELOOP:
            return self._diagnostic("skipped-file", path, say("symbolic-link", path=path), None)
        if number == errno.ENOENT:
            return self._diagnostic(
                "unreadable-file",
                path,
                say("missing-on-disk", path=path),
                say("restore-it"),
            )
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return self._diagnostic(
            "unreadable-file",
            path,
            say("could-not-be-opened", path=path, reason=reason),
            say("check-permissions"),
        )

    def _diagnostic(self, kind: str, path: str, what: Message, help_: Message | None) -> Diagnostic:
        return Diagnostic(kind, what, Location(Origin(self.name, path), START), help_)


def discover(
    paths: Iterable[str],
    org: str | None = None,
    configured_name: Callable[[str], str] = lambda root: "",
    untracked: bool = True,
) -> tuple[Repository, ...]:
    """The repositories of some PATHs, or of every immediate subfolder of `org`, sorted by name.

    `configured_name` gives the name a root's own configuration sets, "" for none; it may raise its own errors.
    Raises `SourceError` for a path that does not exist and for two repositories of one name.
    """
    if org is not None:
        roots = {root: _Wish() for root in subfolders(org)}
    else:
        roots = {}
        for path in paths:
            _wish(path, roots)
    found = [
        Repository(
            name_of(root, configured_name(root)),
            root,
            () if wish.everything else tuple(sorted(wish.selected)),
            () if wish.everything else tuple(sorted(wish.only)),
            untracked,
        )
        for root, wish in roots.items()
    ]
    by_name: dict[str, Repository] = {}
    for repository in found:
        other = by_name.setdefault(repository.name, repository)
        if other is not repository:
            raise SourceError(
                f"two repositories are called {repository.name!r}: {other.root} and {repository.root}; "
                'set `repository = "..."` in the .subdrift.toml of one of them'
            )
    return tuple(by_name[name] for name in sorted(by_name))


def name_of(root: str, configured: str = "") -> str:
    """The name of the repository at a root: as its configuration says, else its git origin, else the folder's."""
    return public_path(configured or _origin_name(root) or os.path.basename(root) or "root")


@dataclass(slots=True)
class _Wish:
    everything: bool = False
    selected: set[str] = field(default_factory=set)
    only: set[str] = field(default_factory=set)


def _wish(path: str, roots: dict[str, _Wish]) -> None:
    full = os.path.realpath(path)
    try:
        is_folder = stat.S_ISDIR(os.stat(full).st_mode)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise SourceError(f"{public_path(path)}: {reason}") from error
    folder = full if is_folder else os.path.dirname(full)
    root = next((one for one in ancestors(folder) if _is_root(one)), None)
    wish = roots.setdefault(root or folder, _Wish())
    if root is None and not is_folder:
        wish.only.add(os.path.basename(full))
    elif full == (root or folder):
        wish.everything = True
    else:
        wish.selected.add(public_path(os.path.relpath(full, root).replace(os.sep, "/")))


def _is_root(folder: str) -> bool:
    return any(os.path.lexists(f"{folder}/{mark}") for mark in _MARKS)


def subfolders(org: str) -> list[str]:
    """The immediate subfolders of a folder, but hidden ones, as absolute paths. Raises `SourceError`."""
    try:
        with os.scandir(org) as entries:
            names = sorted(one.name for one in entries if not one.name.startswith(".") and one.is_dir())
    except OSError as error:
        raise SourceError(f"{public_path(org)}: {error.strerror or error}") from error
    return list(dict.fromkeys(os.path.realpath(os.path.join(org, name)) for name in names))


def _origin_name(root: str) -> str:
    """owner/name of the git origin, "" where there is none; read without git, which costs a process."""
    try:
        with open(_git_folder(root) + "/config", encoding="utf-8", errors="replace") as file:
            url = _origin_url(file.read(_GIT_CONFIG_CHARS_MAX))
    except OSError:
        return ""
    found = _REMOTE.match(url)
    if found is None:
        return ""
    parts = [part for part in found["path"].removesuffix("/").removesuffix(".git").split("/") if part]
    return "/".join(parts[-2:])


def _origin_url(config: str) -> str:
    inside = False
    for line in config.splitlines():
        text = line.strip()
        if text.startswith("["):
            inside = text.lower().replace(" ", "").startswith('[remote"origin"]')
        elif inside and text.partition("=")[0].strip().lower() == "url":
            return text.partition("=")[2].strip()
    return ""


def _git_folder(root: str) -> str:
    """The folder with the configuration: `.git`, or what a `.git` file of a work tree or submodule leads to."""
    folder = root + "/.git"
    if os.path.isfile(folder):
        with open(folder, encoding="utf-8", errors="replace") as file:
            folder = os.path.join(root, file.read(4096).partition("gitdir:")[2].strip())
        common = folder + "/commondir"
        if os.path.isfile(common):
            with open(common, encoding="utf-8", errors="replace") as file:
                folder = os.path.join(folder, file.read(4096).strip())
    return folder


def _read_rest(handle: int, content: bytes, limit: int) -> bytes:
    """The content up to one byte more than the limit."""
    parts = [content]
    size = len(content)
    while size <= limit:
        part = os.read(handle, limit + 1 - size)
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)

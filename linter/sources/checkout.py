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
from dataclasses import dataclass, field, replace

from linter.model.finding import Diagnostic
from linter.model.location import START, Location, Origin
from linter.sources.git import SourceError as SourceError
from linter.sources.git import git_folder
from linter.sources.index import Index, index_in_use
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


def bytes_max(path: str) -> int:
    """The most bytes of a file of that name that are read."""
    return PYTHON_BYTES_MAX if path.endswith((".py", ".pyi")) else SOURCE_BYTES_MAX


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
    staged: bool = False
    """Files are read as they stand in git's index, not in the work tree."""
    typed: dict[str, bytes] = field(default_factory=dict, repr=False)
    """Contents an editor has not written yet, by path; they stand for what is on disk."""
    _whole: Listing | None = field(default=None, repr=False)
    _listing: Listing | None = field(default=None, repr=False)
    _index: Index | None = field(default=None, repr=False)
    _running: GitListing | None = field(default=None, repr=False)
    _odd: dict[str, str] = field(default_factory=dict, repr=False)

    def start_listing(self) -> None:
        """Let git begin in the background, so that imports and other repositories need not wait for it."""
        if self._listing is None and self._running is None and not self.only and self._is_listed_by_git():
            untracked = self.untracked and not self.staged
            self._running = GitListing.start(self.root, untracked, self.index_file())

    def listing(self) -> Listing:
        """The files, listed once and kept."""
        if self._listing is None:
            self._listing = without(self.whole_listing(), self.exclude)
        return self._listing

    def whole_listing(self) -> Listing:
        """The listing before `exclude`. Raises `SourceError` where there is no index to read."""
        if self._whole is None:
            found = self._list()
            self._whole = replace(found, paths=tuple(sorted({*found.paths, *self.typed})))
            self._odd = dict(self._whole.odd)
            if self.staged:
                self._index = Index.of(self.root, self.index_file())
        return self._whole

    def index_file(self) -> str:
        """The index a commit in progress uses, "" for the repository's own."""
        return index_in_use(self.root) if self.staged else ""

    def files(self) -> tuple[str, ...]:
        """Paths of all regular files, sorted, relative to the root, valid text."""
        return self.listing().paths

    def path_on_disk(self, path: str) -> str:
        return f"{self.root}/{self._odd.get(path, path)}"

    def read(self, path: str) -> bytes | Diagnostic:
        """The bytes of a file, or why there are none: missing, no permission, a link, larger than the limit."""
        limit = bytes_max(path)
        if path in self.typed:
            content = self.typed[path]
            return content if len(content) <= limit else self._too_large(path, limit)
        if self._index is not None:
            try:
                staged = self._index.read(self._odd.get(path, path))
            except OSError as error:
                return self._unreadable(path, error)
            if staged is not None:
                return staged if len(staged) <= limit else self._too_large(path, limit)
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
        return content if len(content) <= limit else self._too_large(path, limit)

    def instead_of(self, file: str, content: bytes) -> None:
        """Let a content stand for a file of this checkout, and report what touches that file only."""
        full = os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(file))), os.path.basename(file))
        path = public_path(os.path.relpath(full, self.root).replace(os.sep, "/"))
        self.typed = {path: content}
        self.selected = (path,)

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
            if self.staged:
                raise SourceError(f"{self.root}: is not a git work tree, so nothing is staged")
            return walk(self.root, self.name)
        found = self._running.finish(self.name)
        self._running = None
        if isinstance(found, Listing):
            return found
        if self.staged:
            raise SourceError(f"{self.root}: git could not list what is staged: {found}")
        return walk(
            self.root, self.name, f"git could not list {self.root} ({found}); the folder was walked instead"
        )

    def close(self) -> None:
        """End the git process that reads the index, where there is one."""
        if self._index is not None:
            self._index.close()

    def _too_large(self, path: str, limit: int) -> Diagnostic:
        what = f"is larger than {limit >> 10} KiB and was not read"
        return self._diagnostic("skipped-file", path, what, "split the file")

    def _unreadable(self, path: str, error: OSError | ValueError) -> Diagnostic:
        number = error.errno if isinstance(error, OSError) else None
        if number == errno.ELOOP:
            return self._diagnostic("skipped-file", path, "is a symbolic link and was not followed", "")
        if number == errno.ENOENT:
            return self._diagnostic(
                "unreadable-file",
                path,
                "is tracked, but missing on disk",
                "restore it, or remove it from git too",
            )
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return self._diagnostic(
            "unreadable-file", path, f"could not be opened: {reason}", "check its permissions"
        )

    def _diagnostic(self, kind: str, path: str, what: str, help_: str) -> Diagnostic:
        return Diagnostic(kind, f"{path} {what}", Location(Origin(self.name, path), START), help_)


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
        with open(git_folder(root) + "/config", encoding="utf-8", errors="replace") as file:
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

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

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter import files
from subdrift.linter.files import reason_of
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import START, Location, Origin
from subdrift.linter.model.message import Message, say
from subdrift.linter.sources import git
from subdrift.linter.sources.git import SourceError as SourceError
from subdrift.linter.sources.git import git_folder
from subdrift.linter.sources.index import Index, index_in_use
from subdrift.linter.sources.listing import (
    GitListing,
    Listing,
    ancestors,
    ignored_by_git,
    public_path,
    walk,
    without,
)
from subdrift.linter.sources.objects import Blobs
from subdrift.linter.text.encodings import to_utf8

SOURCE_BYTES_MAX = 2 << 20
PYTHON_BYTES_MAX = 512 << 10
"""Python is held far below the rest: its syntax tree takes some 490 times the source."""

_MARKS = (".git", ".subdrift.toml")
_GIT_CONFIG_BYTES_MAX = 1 << 20
_CONFLICT = re.compile(rb"^<{7} .*^>{7} ", re.MULTILINE | re.DOTALL)
_REMOTE = re.compile(r"^(?:(?:https?|ssh|git)://[^/]+/|(?:[^@/:]+@)?[^/:]{2,}:(?!//))(?P<path>.+)$")


def unmarked(path: str, content: bytes) -> bytes | None:
    """Java in UTF-8, whatever Unicode encoding it is in; None where that is not certain. Other files as they are:

    what reads them at run time decides for itself what they say.
    """
    return to_utf8(content) if b"\0" in content and path.endswith(".java") else content


def bytes_max(path: str) -> int:
    """The most bytes of a file of that name that are read."""
    return PYTHON_BYTES_MAX if path.endswith((".py", ".pyi")) else SOURCE_BYTES_MAX


class Repository(Struct):
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
    typed: dict[str, bytes] = field(default_factory=dict)
    """Contents an editor has not written yet, by path; they stand for what is on disk."""
    _whole: Listing | None = None
    _listing: Listing | None = None
    _index: Index | None = None
    _objects: Blobs | None = None
    _running: GitListing | None = None
    _kept_out: Message | None = None
    """Why git is not asked to list."""
    _odd: dict[str, str] = field(default_factory=dict)
    _real: dict[str, bool] = field(default_factory=dict)
    _unmerged: frozenset[str] = frozenset()

    def start_listing(self) -> None:
        """Let git begin in the background, so that imports and other repositories need not wait for it."""
        if self._listing is None and self._running is None and not self.only and self._is_listed_by_git():
            waiting = git.would_wait(self.root)
            if waiting:
                self._kept_out = say("git.would-wait", path=waiting)
            elif git.lists_elsewhere(self.root):
                self._kept_out = say("git.lists-elsewhere")
            else:
                untracked = self.untracked and not self.staged
                try:
                    self._running = GitListing.start(self.root, untracked, self.index_file())
                    if self._running is None:
                        self._kept_out = say("git.absent")
                except OSError as error:
                    reason = error.strerror or str(error)
                    self._kept_out = say("git.unlisted", path=self.root, reason=reason)

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
            self._unmerged = self._whole.unmerged
            if self.staged:
                self._index = Index.of(self.root, self.index_file())
        return self._whole

    def index_file(self) -> str:
        """The index a commit in progress uses, "" for the repository's own."""
        return index_in_use(self.root) if self.staged else ""

    def files(self) -> tuple[str, ...]:
        """Paths of all regular files, sorted, relative to the root, valid text."""
        return self.listing().paths

    def listed_anew(self) -> tuple[str, ...]:
        """`files` as they are by now."""
        now = type(self)(
            self.name, self.root, self.selected, self.only, self.untracked, self.exclude, self.staged
        )
        try:
            return now.files()
        finally:
            now.close()

    def path_on_disk(self, path: str) -> str:
        return f"{self.root}/{self._odd.get(path, path)}"

    def read(self, path: str) -> bytes | Diagnostic:
        """The bytes of a file, or why there are none: missing, no permission, a link, larger than the limit."""
        limit = bytes_max(path)
        name = self._odd.get(path, path)
        if path in self.typed:
            return self._fitting(path, self.typed[path], limit)
        if self._index is not None:
            try:
                staged = self._index.read(name)
            except OSError as error:
                return self._unreadable(path, error)
            if staged is not None:
                return self._fitting(path, staged, limit)
        if not self._is_below(name.rpartition("/")[0]):
            return self._diagnostic("skipped-file", path, say("behind-symbolic-link", path=path), None)
        try:
            content = files.read(f"{self.root}/{name}", limit, follow=False)
        except FileNotFoundError as error:
            left_out = self._left_out(path)
            if left_out is None:
                return self._unreadable(path, error)
            return left_out if isinstance(left_out, Diagnostic) else self._fitting(path, left_out, limit)
        except (OSError, ValueError) as error:
            return self._unreadable(path, error)
        return self._fitting(path, content, limit)

    def _left_out(self, path: str) -> bytes | Diagnostic | None:
        """A file that the checkout, being sparse, leaves out, as git keeps it; None for any other."""
        oid = self.listing().sparse.get(path)
        if oid is None:
            return None
        if self._objects is None:
            self._objects = Blobs(self.root)
        try:
            content = self._objects.read(oid)
        except OSError as error:
            return self._unreadable(path, error)
        if content is not None:
            return content
        return self._diagnostic(
            "unreadable-file", path, say("not-in-this-clone", path=path), say("sparse-checkout-add")
        )

    def _fitting(self, path: str, content: bytes, limit: int) -> bytes | Diagnostic:
        """The content as it is read, or why it is not."""
        if path in self._unmerged and _CONFLICT.search(content):
            return self._diagnostic(
                "unreadable-file", path, say("in-conflict", path=path), say("resolve-the-conflict")
            )
        if len(content) > limit:
            too_large = say("larger-than", path=path, most=limit >> 10)
            return self._diagnostic("skipped-file", path, too_large, say("split-the-file"))
        text = unmarked(path, content)
        if text is None:
            return self._diagnostic(
                "skipped-file", path, say("encoding-uncertain", path=path), say("save-as-utf-8")
            )
        return text

    def instead_of(self, file: str, content: bytes) -> None:
        """Let a content stand for a file of this checkout, and report what touches that file only."""
        full = os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(file))), os.path.basename(file))
        path = public_path(os.path.relpath(full, self.root).replace(os.sep, "/"))
        self.typed = {path: content}
        self.selected = (path,)

    def _is_below(self, folder: str) -> bool:
        """Whether a folder is reached without a symbolic link; what git tracks may have become one since."""
        known = self._real.get(folder)
        if known is None:
            known = not folder or (
                self._is_below(os.path.dirname(folder)) and not os.path.islink(f"{self.root}/{folder}")
            )
            self._real[folder] = known
        return known

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
                raise SourceError("git.no-work-tree-staged", root=self.root)
            remark = say("git.walked", why=self._kept_out) if self._kept_out else None
            return walk(self.root, self.name, remark)
        found = self._running.finish(self.name)
        self._running = None
        if isinstance(found, Listing):
            return found
        if self.staged:
            raise SourceError("git.staged", root=self.root, reason=found)
        unlisted = say("git.unlisted", path=self.root, reason=found)
        return walk(self.root, self.name, say("git.walked", why=unlisted))

    def close(self) -> None:
        """End the git processes that read the index and objects, where there are some."""
        for one in (self._index, self._objects):
            if one is not None:
                one.close()

    def _unreadable(self, path: str, error: OSError | ValueError) -> Diagnostic:
        if isinstance(error, files.NotRegularError):
            return self._diagnostic("skipped-file", path, say("not-a-regular-file", path=path), None)
        number = error.errno if isinstance(error, OSError) else None
        if number == errno.ELOOP:
            return self._diagnostic("skipped-file", path, say("symbolic-link", path=path), None)
        if number == errno.ENOENT:
            return self._diagnostic(
                "unreadable-file", path, say("missing-on-disk", path=path), say("restore-it")
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
    kind_of: Callable[[str], type[Repository]] = lambda root: Repository,
) -> tuple[Repository, ...]:
    """The repositories of some PATHs, or of every immediate subfolder of `org`, sorted by name.

    `kind_of` says what stands for the repository at a root (`linter.sources.mirror` knows bare ones).
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
        kind_of(root)(
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
                "source.two-of-one-name", name=repr(repository.name), one=other.root, other=repository.root
            )
    return tuple(by_name[name] for name in sorted(by_name))


def name_of(root: str, configured: str = "") -> str:
    """The name of the repository at a root: as its configuration says, else its git origin, else the folder's."""
    folder = os.path.basename(root)
    if git.is_bare(root):
        folder = folder.removesuffix(".git")
    return public_path(configured or _origin_name(root) or folder or "root")


class _Wish(Struct):
    everything: bool = False
    selected: set[str] = field(default_factory=set)
    only: set[str] = field(default_factory=set)


def _wish(path: str, roots: dict[str, _Wish]) -> None:
    try:
        full = os.path.realpath(path)
        is_folder = stat.S_ISDIR(os.stat(full).st_mode)
        if is_folder:
            os.scandir(full).close()
    except (OSError, ValueError) as error:
        raise SourceError("file.cannot", path=public_path(path), reason=reason_of(error)) from error
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
        full = os.path.realpath(org)
        with os.scandir(full) as entries:
            names = sorted(one.name for one in entries if not one.name.startswith(".") and one.is_dir())
    except (OSError, ValueError) as error:
        raise SourceError("file.cannot", path=public_path(org), reason=reason_of(error)) from error
    return list(dict.fromkeys(os.path.realpath(os.path.join(full, name)) for name in names))


def _origin_name(root: str) -> str:
    """owner/name of the git origin, "" where there is none; read without git, which costs a process."""
    found = _REMOTE.match(origin_url(root))
    if found is None:
        return ""
    parts = [part for part in found["path"].removesuffix("/").removesuffix(".git").split("/") if part]
    return "/".join(parts[-2:])


def origin_url(root: str) -> str:
    """The url of the git origin as it is written, "" where there is none; of a bare repository too."""
    try:
        folder = root if git.is_bare(root) else git_folder(root)
        return _origin_url(_text(folder + "/config", _GIT_CONFIG_BYTES_MAX))
    except (OSError, ValueError):
        return ""


def _origin_url(config: str) -> str:
    inside = False
    for line in config.splitlines():
        text = line.strip()
        if text.startswith("["):
            inside = text.lower().replace(" ", "").startswith('[remote"origin"]')
        elif inside and text.partition("=")[0].strip().lower() == "url":
            return text.partition("=")[2].strip()
    return ""


def _text(path: str, bytes_max: int) -> str:
    return files.read(path, bytes_max).decode("utf-8", "replace")

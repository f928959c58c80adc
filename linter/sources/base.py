"""An earlier state of a checkout: the commit a change is compared with, read from git's objects where it differs.

What has not changed since is read where it lies, so a base costs as much as the change is large.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.languages import language_of, other_language
from subdrift.linter.model.location import START, Location, Origin
from subdrift.linter.model.message import Message, phrase, say
from subdrift.linter.sources import git
from subdrift.linter.sources.checkout import Repository, bytes_max
from subdrift.linter.sources.git import SourceError, ask, is_bare, is_unborn
from subdrift.linter.sources.index import Changed, differences
from subdrift.linter.sources.listing import Listing, ancestors, public_path, without
from subdrift.linter.sources.objects import Blobs

_REGULAR = ("100644", "100755", "100664")
_CONFIGURATIONS = (".subdrift.toml", "pyproject.toml")
_SHORT = 9
"""Hexadecimal digits of a commit that are shown."""


class Base(Struct, frozen=True):
    """The commit (or the empty tree) to compare with, and what a reader calls it."""

    tree: str
    name: str


def commit(root: str, revision: str) -> Base:
    """The commit a revision names. HEAD of a repository without a commit is the empty tree. Raises `SourceError`."""
    if is_bare(root):
        raise SourceError("git.bare-base", root=root)
    found = ask(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if not found.reason:
        oid = found.out.strip()
        shown = oid[:_SHORT] if oid.startswith(revision) else f"{revision} ({oid[:_SHORT]})"
        return Base(oid, shown)
    if not _inside(root):
        raise SourceError("git.no-work-tree-base", root=root)
    if revision == "HEAD" and is_unborn(root):
        empty = ask(root, "hash-object", "-t", "tree", os.devnull)
        if not empty.reason:
            return Base(empty.out.strip(), phrase("empty-repository"))
    oid = ask(root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision).out.strip()
    if oid and oid != revision and ask(root, "cat-file", "-t", oid).reason:
        raise SourceError("git.commit-gone", root=root, revision=revision, oid=oid[:_SHORT])
    raise SourceError("git.no-revision", root=root, revision=repr(revision), here=_absent(root))


def merge_base(root: str, branch: str) -> Base:
    """The best common ancestor of HEAD and a branch. Raises `SourceError`."""
    other = commit(root, branch)
    found = ask(root, "merge-base", "HEAD", other.tree)
    if found.reason and not found.is_silent:
        raise SourceError("git.failed", root=root, name="merge-base", reason=found.reason)
    if found.reason:
        raise SourceError("git.no-common-commit", root=root, branch=repr(branch), here=_absent(root))
    oid = found.out.strip()
    return Base(oid, phrase("merge-base", branch, oid[:_SHORT]))


def _inside(root: str) -> bool:
    return any(os.path.lexists(folder + "/.git") for folder in ancestors(root))


def _absent(root: str) -> Message:
    """What to do about a commit that is not here."""
    if ask(root, "rev-parse", "--is-shallow-repository").out.strip() != "true":
        return say("nowhere")
    return say("git.shallow")


class Edit(Struct, frozen=True):
    """A file whose content is another now."""

    origin: Origin
    now: bytes
    before: bytes


class BaseTree(Struct):
    """A checkout as it was at a commit. Close it: it keeps a git process for reading."""

    now: Repository
    base: Base
    exclude: tuple[str, ...] = ()
    """Patterns as in `Repository`, of the base's own configuration."""
    _changed: Mapping[str, Changed] | None = None
    _listing: Listing | None = None
    _blobs: Blobs | None = None

    @property
    def name(self) -> str:
        return self.now.name

    def leave_out(self, patterns: tuple[str, ...]) -> None:
        """Go by these patterns from now on: the base's configuration is read before it says what is left out."""
        self.exclude, self._listing = patterns, None

    def start_listing(self) -> None:
        """Nothing is to be had ahead of time: the checkout has listed already."""

    def changed(self) -> Mapping[str, Changed]:
        """What the change touched among the tracked files, by path. Raises `SourceError`."""
        if self._changed is None:
            self._hold()
            cached = ("--cached",) if self.now.staged else ()
            found = differences(
                self.now.root, "diff-index", *cached, self.base.tree, index=self.now.index_file()
            )
            self._changed = {public_path(name): one for name, one in found.items()}
        return self._changed

    def touches(self, path: str) -> bool:
        """Whether a path is not, or may not be, what it was."""
        return path in self.changed() or path in self.now.whole_listing().others

    def edits(self) -> tuple[Edit, ...] | None:
        """The files that are ever read and have another content now; a configuration counts as read. None where such a
        file has come or gone, or cannot be read."""
        if any(map(_is_read, self.now.whole_listing().others)):
            return None
        found = []
        for path in filter(_is_read, self.changed()):
            now, before = self.now.read(path), self.read(path)
            if not isinstance(now, bytes) or not isinstance(before, bytes):
                return None
            if now != before:
                found.append(Edit(Origin(self.name, path), now, before))
        return tuple(found)

    def listing(self) -> Listing:
        """The files of the base. What the checkout could not list the base could not either."""
        if self._listing is None:
            now = self.now.whole_listing()
            kept = {path for path in now.paths if not self.touches(path)}
            kept |= {path for path, one in self.changed().items() if one.mode in _REGULAR}
            listing = replace(
                now,
                paths=tuple(sorted(kept)),
                diagnostics=tuple(one for one in now.diagnostics if not self.touches(one.at.origin.path)),
                others=frozenset(),
            )
            self._listing = without(listing, self.exclude)
        return self._listing

    def files(self) -> tuple[str, ...]:
        return self.listing().paths

    def read(self, path: str) -> bytes | Diagnostic:
        """The bytes of a file. Raises `SourceError` where the commit's are not in this copy of the repository."""
        found = self.changed().get(path)
        if found is None:
            return self.now.read(path)
        if found.mode not in _REGULAR:
            return self._diagnostic("unreadable-file", path, say("not-in-base", path=path))
        try:
            content = self._reader().read(found.oid)
        except OSError as error:
            raise self._missing("git.file-damaged", path, str(error)) from error
        if content is None:
            is_partial = git.is_partial(self.now.root)
            raise self._missing("git.partial" if is_partial else "git.file-damaged", path, found.oid[:_SHORT])
        if len(content) > bytes_max(path):
            what = say("larger-than", path=path, most=bytes_max(path) >> 10)
            return self._diagnostic("skipped-file", path, what, say("split-the-file"))
        return content

    def _hold(self) -> None:
        """That git compares with the trees of the commit, and not with others that lie in their places."""
        try:
            self._reader().trees(self.base.tree)
        except OSError as error:
            raise SourceError(
                "git.list", root=self.now.root, head=self.base.name, reason=str(error)
            ) from error

    def _reader(self) -> Blobs:
        if self._blobs is None:
            self._blobs = Blobs(self.now.root)
        return self._blobs

    def _missing(self, code: str, path: str, reason: str) -> SourceError:
        name, short = self.base.name, self.base.tree[:_SHORT]
        return SourceError(code, root=self.now.root, path=path, detail=name, short=short, reason=reason)

    def close(self) -> None:
        """End the git process."""
        if self._blobs is not None:
            self._blobs.close()

    def _diagnostic(self, kind: str, path: str, what: Message, help_: Message | None = None) -> Diagnostic:
        return Diagnostic(kind, what, Location(Origin(self.name, path), START), help_)


def _is_read(path: str) -> bool:
    return path in _CONFIGURATIONS or language_of(path) is not None or other_language(path) is not None

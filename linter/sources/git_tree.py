"""The files of one commit of a git repository (bare or not), read from its objects: no checkout, no work tree.

What it gives is what a clean checkout of that commit would give, as far as a commit tells: symbolic links and
submodules are left out and said, pointers to large files kept elsewhere (Git LFS) too.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import START, Location, Origin
from subdrift.linter.model.message import Message, say
from subdrift.linter.sources.about import Commit, commit_of
from subdrift.linter.sources.checkout import SourceError, bytes_max, unmarked
from subdrift.linter.sources.git import ask, is_empty
from subdrift.linter.sources.listing import Listing, public_path, without
from subdrift.linter.sources.objects import AHEAD_MAX, Blobs, TooLargeError

_TARGET_BYTES_MAX = 4096
_LFS = b"version https://git-lfs.github.com/spec/"
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_COMMITTED = re.compile(rb"^committer [^\n]*> (\d{1,12}) [+-]\d{4}$", re.MULTILINE)


def unlisted(root: str, head: str, reason: str) -> SourceError:
    """Why a commit cannot be listed: what git says of it, which of a HEAD that leads nowhere is little, else a `reason`."""
    branch = ask(root, "symbolic-ref", "--quiet", head).out.strip() if head == "HEAD" else ""
    if branch and ask(root, "rev-parse", "--verify", "--quiet", "--end-of-options", branch).reason:
        return SourceError("git.head-nowhere", root=root, branch=branch)
    said = ask(root, "cat-file", "-t", "--end-of-options", head).reason
    return SourceError("git.list", root=root, head=head, reason=said or reason)


class GitTree(Struct):
    """The tree of `head` (a commit or anything git resolves to one) in the repository at `root`.

    `name` and `exclude` as in `Repository`. Close it: it keeps a git process for reading.
    """

    name: str
    root: str
    head: str
    exclude: tuple[str, ...] = ()
    _objects: dict[str, str] = field(default_factory=dict)
    _listing: Listing | None = None
    _blobs: Blobs | None = None

    @classmethod
    def listed(cls, name: str, root: str, head: str, objects: Mapping[str, str]) -> GitTree:
        """A tree whose files are known: by path the object, as `objects_of` gives them."""
        return cls(name, root, head, (), dict(objects), Listing(tuple(sorted(objects))))

    def objects_of(self, paths: Iterable[str]) -> list[str]:
        """The objects of files of the listing."""
        self.listing()
        return [self._objects[path] for path in paths]

    def start_listing(self) -> None:
        """Nothing is to be had ahead of time."""

    def listing(self) -> Listing:
        """The files, listed once and kept. Raises `SourceError` where git cannot list the commit."""
        if self._listing is None:
            self._listing = without(self._list(), self.exclude)
        return self._listing

    def narrowed(self, exclude: tuple[str, ...]) -> GitTree:
        """The same tree without what these patterns name, listed and read by the same processes: close one of the two."""
        whole = self.listing()
        self._reader()
        return replace(self, exclude=exclude, _listing=without(whole, exclude))

    def commit(self) -> Commit:
        """The commit, read as any object where `head` is its id; else as git resolves it."""
        if _ID.fullmatch(self.head):
            try:
                text = self._reader().read(self.head) or b""
            except OSError:  # git may still tell in another way why it cannot
                text = b""
            committed = _COMMITTED.search(text.partition(b"\n\n")[0])
            if committed is not None:
                return Commit(self.head, int(committed[1]))
        return commit_of(self.root, self.head)

    def files(self) -> tuple[str, ...]:
        """Paths of all regular files, sorted, valid text."""
        return self.listing().paths

    def expected(self, paths: Iterable[str]) -> Iterator[str]:
        """The paths, which are read one after the other, while git is asked for the next few."""
        self.listing()
        coming = iter(paths)
        while batch := tuple(islice(coming, AHEAD_MAX)):
            oids = [self._objects[path] for path in batch if path in self._objects]
            with contextlib.suppress(OSError):  # to read the first of them says why
                self._reader().expect(oids)
            yield from batch

    def read(self, path: str) -> bytes | Diagnostic:
        """The bytes of a file, or why there are none: not in the commit, too large, not in the object store."""
        self.listing()
        oid = self._objects.get(path)
        if oid is None:
            return self._diagnostic("unreadable-file", path, say("not-in-commit", path=path))
        limit = bytes_max(path)
        try:
            content = self._reader().read(oid, limit)
        except TooLargeError:
            return self._diagnostic(
                "skipped-file", path, say("larger-than", path=path, most=limit >> 10), say("split-the-file")
            )
        except OSError as error:
            reason = say("not-read-from-git", path=path, reason=str(error))
            return self._diagnostic("unreadable-file", path, reason)
        if content is None:
            return self._diagnostic("unreadable-file", path, say("not-in-this-copy", path=path))
        if content.startswith(_LFS):
            return self._diagnostic("skipped-file", path, say("in-git-lfs", path=path))
        text = unmarked(path, content)
        if text is None:
            return self._diagnostic(
                "skipped-file", path, say("encoding-uncertain", path=path), say("save-as-utf-8")
            )
        return text

    def close(self) -> None:
        """End the git process."""
        if self._blobs is not None:
            self._blobs.close()

    def _list(self) -> Listing:
        diagnostics = []
        links = []
        try:
            for one in self._reader().entries(self.head):
                path = public_path(os.fsdecode(one.path))
                if one.is_link:
                    links.append((path, one.oid))
                elif one.is_file and path in self._objects:
                    what = say("same-name-encoded", path=path)
                    diagnostics.append(self._diagnostic("skipped-file", path, what))
                elif one.is_file:
                    self._objects[path] = one.oid
                elif not one.is_tree:
                    what = say("git-submodule", path=path)
                    diagnostics.append(
                        self._diagnostic("skipped-file", path, what, say("give-as-repository"))
                    )
        except OSError as error:
            if self.head == "HEAD" and is_empty(self.root):
                return Listing((), remark=say("git.bare-empty", path=self.root))
            raise unlisted(self.root, self.head, str(error)) from error
        for path, oid in links:
            diagnostics += self._link(path, oid)
        return Listing(tuple(sorted(self._objects)), (), tuple(sorted(diagnostics, key=lambda one: one.at)))

    def _link(self, path: str, oid: str) -> list[Diagnostic]:
        """A link whose target stays in the tree loses nothing; others are said."""
        try:
            target = os.fsdecode(self._reader().read(oid, _TARGET_BYTES_MAX) or b"")
        except OSError:  # an object that is damaged, or a target nobody can have: where it leads is not known
            target = ""
        inside = os.path.normpath(os.path.join(os.path.dirname(path), target))
        if target and not target.startswith("/") and not inside.startswith(".."):
            return []
        what = say("symbolic-link-out", path=path)
        return [self._diagnostic("skipped-file", path, what)]

    def _reader(self) -> Blobs:
        if self._blobs is None:
            self._blobs = Blobs(self.root)
        return self._blobs

    def _diagnostic(self, kind: str, path: str, what: Message, help_: Message | None = None) -> Diagnostic:
        return Diagnostic(kind, what, Location(Origin(self.name, path), START), help_)

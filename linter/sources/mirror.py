"""Bare repositories and mirrors beside checkouts: what HEAD holds, read from git's objects."""

from __future__ import annotations

from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.message import Message, say
from subdrift.linter.sources.checkout import Repository, SourceError
from subdrift.linter.sources.git import ask, is_bare, would_wait
from subdrift.linter.sources.git_tree import GitTree
from subdrift.linter.sources.listing import Listing


def kind_of(root: str) -> type[Repository]:
    """What stands for the repository at a root, for `discover`."""
    return Mirror if is_bare(root) else Repository


class Mirror(Repository):
    """A bare repository beside checkouts: the tree of its HEAD, read from git's objects."""

    _tree: GitTree | None = None

    def start_listing(self) -> None:
        """Nothing is to be had ahead of time."""

    def whole_listing(self) -> Listing:
        """The listing before `exclude`; empty, with a remark, before the first commit."""
        if self.staged:
            raise SourceError("git.bare-staged", root=self.root)
        if self._whole is None:
            why_not = self._without_commit()
            try:
                self._whole = Listing((), remark=why_not) if why_not else self._head().listing()
            except SourceError as error:  # one of many, and the others are read
                self._whole = Listing((), remark=say("git.nothing-read", why=error.message))
        return self._whole

    def read(self, path: str) -> bytes | Diagnostic:
        return self._head().read(path)

    def close(self) -> None:
        if self._tree is not None:
            self._tree.close()

    def _head(self) -> GitTree:
        if self._tree is None:
            self._tree = GitTree(self.name, self.root, "HEAD")
        return self._tree

    def _without_commit(self) -> Message | None:
        """Why there is no commit to read, None where there is one."""
        if waiting := would_wait(self.root):
            return say("git.nothing-read", why=say("git.would-wait", path=waiting))
        found = ask(self.root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        if found.reason.startswith("git ended"):  # it says nothing more of a name that stands for nothing
            return say("git.bare-empty", path=self.root)
        if not found.reason:
            return None
        return say("git.nothing-read", why=say("file.cannot", path=self.root, reason=found.reason))


def settings_files(root: str, names: tuple[str, ...]) -> dict[str, bytes]:
    """Those of the files of HEAD of a bare repository, by name."""
    mirror = Mirror("", root)
    try:
        there = set(mirror.files())
        found = {name: mirror.read(name) for name in names if name in there}
        return {name: content for name, content in found.items() if isinstance(content, bytes)}
    finally:
        mirror.close()

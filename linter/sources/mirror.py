"""Bare repositories and mirrors beside checkouts: what HEAD holds, read from git's objects."""

from __future__ import annotations

from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.sources.checkout import Repository, SourceError
from subdrift.linter.sources.git import is_bare
from subdrift.linter.sources.git_tree import GitTree
from subdrift.linter.sources.listing import Listing, not_read


def kind_of(root: str) -> type[Repository]:
    """What stands for the repository at a root, for `discover`."""
    return Mirror if is_bare(root) else Repository


class Mirror(Repository):
    """A bare repository beside checkouts: the tree of its HEAD, read from git's objects."""

    _tree: GitTree | None = None

    def start_listing(self) -> None:
        """Nothing is to be had ahead of time."""

    def whole_listing(self) -> Listing:
        """The listing before `exclude`; empty before the first commit, with a remark, and where git cannot list it, with a
        diagnostic."""
        if self.staged:
            raise SourceError("git.bare-staged", root=self.root)
        if self._whole is None:
            try:
                self._whole = self._head().listing()
            except SourceError as error:  # one of many, and the others are read
                self._whole = Listing((), diagnostics=(not_read(self.name, error.message),))
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


def settings_files(root: str, names: tuple[str, ...]) -> dict[str, bytes]:
    """Those of the files of HEAD of a bare repository, by name."""
    mirror = Mirror("", root)
    try:
        there = set(mirror.files())
        found = {name: mirror.read(name) for name in names if name in there}
        return {name: content for name, content in found.items() if isinstance(content, bytes)}
    finally:
        mirror.close()

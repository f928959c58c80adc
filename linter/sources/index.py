"""What is staged: the content of git's index where the work tree says something else.

A commit in progress (`git commit -a`, `git commit FILE`) has an index of its own, which git names to its hooks.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from msgspec import Struct

from subdrift.linter.sources.git import SourceError, ask, git_folder, no_filters
from subdrift.linter.sources.listing import ancestors
from subdrift.linter.sources.objects import Blobs


class Changed(Struct, frozen=True):
    """One entry of git's raw difference: what was there before. `mode` "000000" where nothing was."""

    mode: str
    oid: str
    status: str


def index_in_use(root: str) -> str:
    """The index git names to its hooks, where it is one of the repository around `root`; else ""."""
    named = os.environ.get("GIT_INDEX_FILE", "")
    if not named:
        return ""
    path = os.path.realpath(named)
    top = next((folder for folder in ancestors(root) if os.path.lexists(folder + "/.git")), None)
    if top is None or not os.path.exists(path):
        return ""
    return path if path.startswith(os.path.realpath(git_folder(top)) + os.sep) else ""


def differences(root: str, *command: str, index: str = "") -> Mapping[str, Changed]:
    """What a plumbing command (`diff-files`, `diff-index`) reports below `root`, by name. Raises `SourceError`.

    Plumbing compares what git knows of a file: one that was only touched may be reported too. Submodules are not
    looked into, for each has a configuration of its own.
    """
    name, *rest = command
    form = ("--raw", "-z", "--no-abbrev", "--no-renames", "--relative", "--ignore-submodules=all")
    answer = ask(root, name, *form, *rest, index=index, switches=no_filters(root))
    if answer.reason:
        raise SourceError("git.failed", root=root, name=name, reason=answer.reason)
    found = {}
    parts = answer.out.split("\0")
    for head, path in zip(parts[::2], parts[1::2], strict=False):
        mode, _, oid, _, status = head.removeprefix(":").split(" ")
        found[path] = Changed(mode, oid, status[0])
    return found


class Index(Struct):
    """The files whose staged content is not what the work tree holds. Close it: it keeps a git process."""

    differing: Mapping[str, Changed]
    _blobs: Blobs

    @classmethod
    def of(cls, root: str, index: str = "") -> Index:
        """Raises `SourceError`."""
        return cls(differences(root, "diff-files", index=index), Blobs(root))

    def read(self, name: str) -> bytes | None:
        """The staged bytes of a file, by its name on disk; None where those on disk are the same. Raises `OSError`."""
        found = self.differing.get(name)
        if found is None or found.status == "U":
            return None  # a file in conflict has no one staged content
        content = self._blobs.read(found.oid)
        if content is None:
            raise OSError("its staged content is not in this copy of the repository")
        return content

    def close(self) -> None:
        self._blobs.close()

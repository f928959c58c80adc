"""Git, the only program that is ever run: which commands, in which surroundings, for how long.

A checkout may be anybody's, and its `.git` names programs to start: hooks, a file system monitor, filters, an external
diff, an ssh command, a helper for credentials, a remote to fetch missing objects from. Only commands that need none of
them are run: `ls-files`, `check-ignore`, `ls-tree`, `cat-file`, `rev-parse`, `merge-base`, `symbolic-ref`, `hash-object`,
and of comparisons the plumbing that never looks into contents, `diff-files` and `diff-index`. Each is switched off
besides, and nothing of the caller's `GIT_*` is passed on.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from linter import files

LISTING_SECONDS_MAX: Final = 120.0
"""Git may take this long to list a work tree; after that the folder is walked instead."""

_LINK_BYTES_MAX: Final = 4096
_OFF: Final = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.sshCommand=false",
    "core.askPass=false",
    "core.pager=cat",
    "core.alternateRefsCommand=false",
    "credential.helper=",
    "diff.external=",
    "protocol.allow=never",
    "uploadpack.packObjectsHook=",
    "gc.auto=0",
    "maintenance.auto=false",
)
"""Of a repository's configuration, whatever starts a program or a connection."""

_PROCESSES: Final[set[subprocess.Popen[bytes]]] = set()


class SourceError(Exception):
    """A source cannot be opened as it was asked for; the text says why and what helps."""


def start(
    root: str, *arguments: str, stdin: int = subprocess.DEVNULL, index: str = ""
) -> subprocess.Popen[bytes]:
    """Git with these arguments in a folder, its output to be read. Raises `OSError` where there is no git.

    `index` is another index file than the repository's own.
    """
    switches = [part for one in _OFF for part in ("-c", one)]
    process = subprocess.Popen(
        ("git", "--no-pager", "--no-replace-objects", *switches, *arguments),
        cwd=root,
        env=environment(os.environ) | ({"GIT_INDEX_FILE": index} if index else {}),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if stdin == subprocess.DEVNULL else subprocess.DEVNULL,
    )
    _PROCESSES.difference_update([one for one in _PROCESSES if one.returncode is not None])
    _PROCESSES.add(process)
    return process


def environment(of: Mapping[str, str]) -> dict[str, str]:
    """The caller's variables without `GIT_*`, and those that keep git from waiting, fetching and writing."""
    kept = {key: value for key, value in of.items() if not key.upper().startswith("GIT_")}
    return kept | {
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "LC_ALL": "C",
    }


def finish(process: subprocess.Popen[bytes], seconds: float = LISTING_SECONDS_MAX) -> tuple[bytes, bytes]:
    """What a process said, or `TimeoutError` once it was killed for taking too long."""
    try:
        return process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise TimeoutError(f"git took longer than {seconds:.0f} s") from None


def stop() -> None:
    """End every git process that still runs."""
    for process in _PROCESSES:
        if process.poll() is None:
            process.kill()


def would_wait(root: str) -> str:
    """The first of the files git opens that it would wait on for ever, "" where there is none.

    Files of the same names further down are bounded by `LISTING_SECONDS_MAX`.
    """
    for name in (".git", ".git/HEAD", ".git/config", ".git/index", ".git/info/exclude", ".gitignore"):
        path = f"{root}/{name}"
        try:
            mode = os.stat(path).st_mode
            waits = not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and not os.path.samefile(path, os.devnull)
        except OSError:
            continue
        if waits:
            return name
    return ""


def is_bare(root: str) -> bool:
    """Whether a folder is a repository without a work tree: a bare one, or a mirror."""
    return (
        not os.path.lexists(root + "/.git")
        and os.path.isfile(root + "/HEAD")
        and os.path.isdir(root + "/objects")
        and os.path.isdir(root + "/refs")
    )


def git_folder(root: str) -> str:
    """The folder with the configuration: `.git`, or what a `.git` file of a work tree or submodule leads to."""
    folder = root + "/.git"
    if os.path.isfile(folder):
        folder = os.path.join(root, _text(folder).partition("gitdir:")[2].strip())
        common = folder + "/commondir"
        if os.path.isfile(common):
            folder = os.path.join(folder, _text(common).strip())
    return folder


def _text(path: str) -> str:
    return files.read(path, _LINK_BYTES_MAX).decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Answer:
    """What one command gave. `reason` is the first line of its complaint where it failed, else ""."""

    out: str
    reason: str = ""


def ask(root: str, *arguments: str, index: str = "") -> Answer:
    """The answer of one git command; a git that cannot be started is a reason too."""
    try:
        process = start(root, *arguments, index=index)
    except OSError as error:
        return Answer("", f"git could not be started: {error.strerror or error}")
    try:
        out, errors = finish(process)
    except TimeoutError as error:
        return Answer("", str(error))
    if not process.returncode:
        return Answer(os.fsdecode(out))
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    return Answer("", lines[0] if lines else f"git ended with {process.returncode}")


@dataclass(slots=True)
class Blobs:
    """The objects of the repository around `root`, asked for one by one. Close it: it keeps a process."""

    root: str
    _reader: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def read(self, oid: str) -> bytes | None:
        """One object; None where this copy of the repository does not have it. Raises `OSError`."""
        if self._reader is None:
            self._reader = start(self.root, "cat-file", "--batch", stdin=subprocess.PIPE)
        assert self._reader.stdin is not None
        assert self._reader.stdout is not None
        self._reader.stdin.write(f"{oid}\n".encode())
        self._reader.stdin.flush()
        head = self._reader.stdout.readline().split()
        if len(head) != 3:
            if not head:
                self.close()
                raise OSError("git ended")
            return None
        content = self._reader.stdout.read(int(head[2]))
        self._reader.stdout.read(1)
        return content

    def close(self) -> None:
        """End the git process."""
        if self._reader is not None:
            if self._reader.stdin:
                self._reader.stdin.close()
            self._reader.terminate()
            self._reader.wait()
            self._reader = None

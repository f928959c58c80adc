"""Git as a source of bytes: one answer of one command, and objects by their id from one process."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field

LOCAL_GIT_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
)


class SourceError(Exception):
    """A source cannot be opened as it was asked for; the text says why and what helps."""


def start(
    root: str, *arguments: str, stdin: bool = False, errors: bool = True, index: str = ""
) -> subprocess.Popen[bytes]:
    """A running git in a folder. `index` is another index file than the repository's own. Raises `OSError`."""
    environment = {k: v for k, v in os.environ.items() if k not in LOCAL_GIT_VARIABLES}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    if index:
        environment["GIT_INDEX_FILE"] = index
    return subprocess.Popen(
        # a checkout may be anybody's: its configuration must not start programs
        ("git", "-c", "core.fsmonitor=false", *arguments),
        cwd=root,
        env=environment,
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if errors else subprocess.DEVNULL,
    )


def git_folder(root: str) -> str:
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
    out, errors = process.communicate()
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
            self._reader = start(self.root, "cat-file", "--batch", stdin=True, errors=False)
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

"""Git, the only program that is ever run: which commands, in which surroundings, for how long.

A checkout may be anybody's, and its `.git` names programs to start: hooks, a file system monitor, filters, an external
diff, an ssh command, a helper for credentials, a remote to fetch missing objects from. Only commands that need none of
them are run (`ls-files`, `check-ignore`, `ls-tree`, `cat-file`, `rev-parse`), each is switched off besides, and nothing
of the caller's `GIT_*` is passed on.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Mapping
from typing import Final

LISTING_SECONDS_MAX: Final = 120.0
"""Git may take this long to list a work tree; after that the folder is walked instead."""

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


def start(root: str, *arguments: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """Git with these arguments in a folder, its output to be read. Raises `OSError` where there is no git."""
    switches = [part for one in _OFF for part in ("-c", one)]
    process = subprocess.Popen(
        ("git", "--no-pager", "--no-replace-objects", *switches, *arguments),
        cwd=root,
        env=environment(os.environ),
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

"""`python -m tests.hostile.killer HOW COUNT WATCHED DROPPED -- ARGUMENTS`: runs that are killed while they write.

Runs the command once and forks a run for each kill, so that every kill falls into the work itself. HOW is `step` (the
n-th run dies just before its n-th change of the file system, until one outlives that) or `random` (runs that are killed
at a random moment of their work, until COUNT of them were). A moment is so many seconds of the processor, for what a run
takes of the clock on the wall is its neighbours' doing. WATCHED is a file and DROPPED a folder that every third run begins
without; "" for none. Prints a JSON list of `[killed, digest of WATCHED]`, one for each run.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.hostile.kit import neighbours, used

_CHANGES = ("os.rename", "os.chmod", "os.remove", "os.mkdir", "os.truncate", "sqlite3.connect")
_STEPS_MAX = 50
_RUNS_PER_KILL_MAX = 5
"""A run may need less of the processor than those before it, and outlive its moment."""


def child(arguments: Sequence[str], step: int) -> int:
    """Begin a run in a process of its own; with `step` it kills itself before that change."""
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for handle in range(3):
        os.dup2(nowhere, handle)
    seen = 0

    def stop(name: str, given: tuple[object, ...]) -> None:
        nonlocal seen
        flags = given[2] if name == "open" and isinstance(given[2], int) else 0
        if name in _CHANGES or flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            seen += 1
            if seen == step:
                os.kill(os.getpid(), signal.SIGKILL)

    if step:
        sys.addaudithook(stop)
    from subdrift.linter.cli import run

    code = 70
    try:
        code = run(list(arguments))
    finally:
        os._exit(code)


def ended(pid: int) -> bool:
    """Whether a run was killed; waits for its end."""
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status)


def await_end(pid: int, seconds: float = float("inf")) -> float:
    """Waits until a process has ended, or has used so much of the processor; what it has used."""
    while (now := used(pid)) < seconds:
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break
        time.sleep(0.0005)
    return now


def digest(watched: str) -> str:
    """What a file holds, "" where there is none; of a registry its rows, for the file says when it was made."""
    try:
        content = Path(watched).read_bytes()
    except OSError:
        return ""
    if content.startswith(b"SQLite format 3\0"):
        try:
            with contextlib.closing(
                sqlite3.connect(f"file:{watched}?mode=ro&immutable=1", uri=True)
            ) as database:
                content = "\n".join(one for one in database.iterdump() if "'taken'" not in one).encode()
        except sqlite3.Error as error:
            content = f"half a registry: {error}".encode()
    return hashlib.sha256(content).hexdigest()


def warm() -> None:
    """A run over another tree: those that are killed find imported and made what it needed."""
    from subdrift.linter.cli import run

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        neighbours(Path(folder))
        run(["check", folder, "--no-cache", "--jobs", "1"])


def main() -> None:
    how, count, watched, dropped, _, *arguments = sys.argv[1:]
    warm()
    found: list[tuple[bool, str]] = []
    if how == "step":
        for step in range(1, _STEPS_MAX):
            found.append((ended(child(arguments, step)), digest(watched)))
            if not found[-1][0]:
                break
    else:
        choose = random.Random(int(count))
        pid = child(arguments, 0)
        whole = await_end(pid)
        ended(pid)
        hits = 0
        for number in range(int(count) * _RUNS_PER_KILL_MAX):
            if hits == int(count):
                break
            if dropped and number % 3 == 0:
                shutil.rmtree(dropped, ignore_errors=True)
            pid = child(arguments, 0)
            await_end(pid, choose.uniform(0.0, whole))
            os.kill(
                pid, signal.SIGKILL
            )  # nothing happens to one that has ended and waits to be asked for its code
            found.append((ended(pid), digest(watched)))
            hits += found[-1][0]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()

"""A scan on executors in processes of their own, by a driver that cannot read files; run by `test_cluster`. One executor
is killed when all files are read.

Arguments: organisation, output folder, file for what was found.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import NoReturn

from subdrift.linter import extract
from subdrift.linter.model import wire
from subdrift.linter.sources.checkout import Repository
from subdrift.spark_jobs import scan, work


def forbidden(*_: object, **__: object) -> NoReturn:
    raise AssertionError("the driver read a file of a repository")


def executors() -> list[int]:
    """The processes of executors that this driver has started."""
    listed = subprocess.run(
        ["ps", "-ww", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(maxsplit=2) for line in listed.splitlines()[1:]]
    own = {os.getpid()}
    for _ in rows:
        more = {int(pid) for pid, parent, *_ in rows if int(parent) in own} - own
        if not more:
            break
        own |= more
    backend = "org.apache.spark.executor.CoarseGrainedExecutorBackend"
    return [int(pid) for pid, _, *args in rows if int(pid) in own and args and backend in args[0]]


class Killing:
    """Takes what a scan tells of its progress, and kills an executor when consuming begins."""

    def __init__(self) -> None:
        self.killed = 0

    def __call__(self, text: str) -> None:
        if not self.killed and "consuming" in text:
            self.killed = executors()[0]
            os.kill(self.killed, signal.SIGKILL)


def main(org: str, out: str, found: str) -> None:
    # executors import these modules anew, so only this process is without them
    Repository.read = forbidden  # type: ignore[method-assign]
    work.read_all = forbidden  # type: ignore[attr-defined]
    extract.read = forbidden
    killing = Killing()
    done = scan(org, None, out, master="local-cluster[2,1,1024]", progress=killing)
    with open(found, "w", encoding="utf-8") as file:
        json.dump(
            {
                "driver": os.getpid(),
                "killed": killing.killed,
                "workers": done.counts.workers,
                "findings": [wire.dumps(one) for one in done.triaged.findings],
                "diagnostics": [wire.dumps(one) for one in done.triaged.diagnostics],
            },
            file,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A scan on executors in processes of their own, by a driver that cannot read files; run by `test_cluster`.

Arguments: organisation, output folder, file for what was found.
"""

from __future__ import annotations

import json
import os
import sys
from typing import NoReturn

from linter import extract
from linter.model import wire
from linter.sources.checkout import Repository
from spark_jobs import scan, work


def forbidden(*_: object, **__: object) -> NoReturn:
    raise AssertionError("the driver read a file of a repository")


def main(org: str, out: str, found: str) -> None:
    # executors import these modules anew, so only this process is without them
    Repository.read = forbidden  # type: ignore[method-assign]
    work.read_all = forbidden  # type: ignore[attr-defined]
    extract.read = forbidden
    done = scan(org, None, out, master="local-cluster[2,1,1024]")
    with open(found, "w", encoding="utf-8") as file:
        json.dump(
            {
                "driver": os.getpid(),
                "workers": done.counts.workers,
                "findings": [wire.dumps(one) for one in done.triaged.findings],
                "diagnostics": [wire.dumps(one) for one in done.triaged.diagnostics],
            },
            file,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])

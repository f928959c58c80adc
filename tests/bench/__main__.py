"""`python -m tests.bench [--only PART …] [TREE…]`: what runs cost, as ratios to floors measured in the same run.

P is a bare interpreter, R is ripgrep counting a word that no file holds, over the files the scanner reads. Results come
first: what does not give what it must is not measured. A table of budgets and what was measured ends the run, each line
with what was found. No figure here fails anything.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from subdrift import linter
from tests.bench import groups, organisations, registry, trees
from tests.bench.table import Bench, Part, WrongResultError, show

PARTS: dict[str, Part] = {
    "start": trees.start,
    "trees": trees.trees,
    "sparse": trees.sparse,
    "hook": trees.hook,
    "organisation": organisations.one_process,
    "memory": trees.memory,
    "memory-organisation": organisations.memory,
    "groups": groups.measured,
    "against": registry.measured,
    "spark": organisations.spark,
    "groups-spark": groups.on_spark,
    "cluster": organisations.cluster,
    "growth": trees.growth,
}
NOT_ASKED = frozenset({"growth"})
"""Parts that run only when they are named."""
NEEDS_RIPGREP = frozenset({"trees", "sparse"})


def main() -> int:
    options = _options()
    chosen = options.only or [name for name in PARTS if name not in NOT_ASKED]
    missing = shutil.which("rg") is None or shutil.which("xargs") is None
    if missing and NEEDS_RIPGREP.intersection(chosen):
        print(
            "R is measured with ripgrep, and `rg` (or `xargs`) is not installed: "
            "apt-get install ripgrep findutils, or brew install ripgrep",
            file=sys.stderr,
        )
        return 2
    with tempfile.TemporaryDirectory(prefix="subdrift-bench-") as folder:
        bench = Bench(options, Path(folder))
        _machine(options.rounds)
        try:
            for name in chosen:
                PARTS[name](bench)
        except WrongResultError as error:
            print(f"stopped: {error}", file=sys.stderr)
            return 1
        finally:
            show(bench.table)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("trees", nargs="*", metavar="TREE", help="repositories on disk, dense with consumers")
    parser.add_argument(
        "--only", nargs="+", choices=PARTS, metavar="PART", help=f"parts to run: {', '.join(PARTS)}"
    )
    parser.add_argument("--rounds", type=int, default=5, help="counted rounds (default 5)")
    parser.add_argument(
        "--synthetic", type=int, default=6_500, metavar="FILES", help="of part sparse (default 6500)"
    )
    parser.add_argument(
        "--organisation",
        type=int,
        nargs="+",
        default=[100, 1_000, 3_000],
        metavar="REPOSITORIES",
        help="sizes of part organisation, one run each without a cache (default 100 1000 3000)",
    )
    parser.add_argument(
        "--repositories",
        type=int,
        nargs="+",
        default=[1_000],
        help="sizes of parts spark and memory-organisation (default 1000)",
    )
    parser.add_argument("--cluster", type=int, default=100, metavar="REPOSITORIES", help="of part cluster")
    parser.add_argument("--subscriptions", type=int, default=1_000_000, help="of part groups-spark")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help="what earlier runs gave for trees: compared, and added to where new",
    )
    return parser.parse_args()


def _machine(count: int) -> None:
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(
        f"subdrift {linter.__version__}, Python {platform.python_version()}, {git}, {cores} cores{load}, {count} rounds"
    )


if __name__ == "__main__":
    sys.exit(main())

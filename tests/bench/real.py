"""`python -m tests.bench.real [--base TREE] CHECKOUT…`: what a cold run over real repositories costs, in figures alone.

Each CHECKOUT is a repository, or a folder of repositories. `--base` is a source tree of another state of this project, such as
`git worktree add ../base main` makes: each repository is then run by both, in turn, and the rows of `list` are compared. CPU
seconds are those of user and system, of the fastest of `--rounds`, with one process; nothing here fails on a figure.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.real", description=__doc__)
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--base", type=Path, help="a source tree to compare with")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    sources = [ROOT] if options.base is None else [options.base.resolve(), ROOT]
    print("\t".join(("repository", *(["base s"] if options.base else []), "now s", "rows", "gone", "new")))
    sums = [0.0] * len(sources)
    for checkout in _repositories(options.checkouts):
        best = [float("inf")] * len(sources)
        rows: list[Counter[str]] = [Counter() for _ in sources]
        for _ in range(options.rounds):
            for number, source in enumerate(sources):
                seconds, rows[number] = _listed(source, checkout)
                best[number] = min(best[number], seconds)
        sums = [a + b for a, b in zip(sums, best, strict=True)]
        gone, new = (rows[0] - rows[-1]).total(), (rows[-1] - rows[0]).total()
        _line(checkout.name, best, str(rows[-1].total()), str(gone), str(new))
    _line("all", sums)
    return 0


def _line(name: str, seconds: Sequence[float], *rest: str) -> None:
    print("\t".join((name, *(f"{one:.2f}" for one in seconds), *rest)), flush=True)


def _repositories(given: Sequence[Path]) -> Iterator[Path]:
    for path in given:
        inside = sorted(each for each in path.iterdir() if (each / ".git").exists())
        yield from [path] if (path / ".git").exists() or not inside else inside


def _listed(source: Path, checkout: Path) -> tuple[float, Counter[str]]:
    """The CPU seconds of a cold `list` by the code of a source tree, and its rows."""
    before = _cpu()
    command = [sys.executable, "-m", "subdrift", "list", str(checkout), "--isolated", "--no-cache", "-j", "1"]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    found = subprocess.run(
        [*command, "--output-format", "jsonl"],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode > 1:
        raise SystemExit(f"{checkout}: {found.stderr.strip()[-400:]}")
    return _cpu() - before, Counter(found.stdout.splitlines())


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.oracle`: generate programs, run them, and score the analyzer against what the runs did.

Programs and their truth are kept in a folder, so that scoring again is quick. ONLY is a program's name (p000042, which
shows everything about it) or a regular expression for a whole tag: then the first programs from SEED on that have the
tag are taken. Thresholds are shares of the expectations. Exit 0; 1 beyond a threshold; 2 for what cannot be done.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tests.oracle import analyzer, report, store
from tests.oracle.analyzer import Row
from tests.oracle.generate import PYTHON_SHARE
from tests.oracle.program import Program
from tests.oracle.report import Thresholds
from tests.oracle.score import Judged, judge
from tests.oracle.truth import TruthError

LOOKED_AT_MAX = 200_000
"""So many seeds are looked at for a tag."""

Scored = tuple[Program, list[Row], Judged]


def main() -> int:
    options = _options()
    try:
        return _run(options)
    except (TruthError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first program")
    parser.add_argument("--python", type=float, default=PYTHON_SHARE, help="share of Python programs")
    parser.add_argument("--only", default="", help="a program, or a pattern for a whole tag")
    parser.add_argument("--max-tags", type=int, default=999, help="small programs only")
    parser.add_argument("--folder", type=Path, default=Path("build/oracle"), help="where programs are kept")
    parser.add_argument("--sample", type=Path, help="score the programs of this .jsonl.gz file instead")
    parser.add_argument("--details", type=Path, metavar="FILE", help="write every deviation here")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N programs with deviations in full"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes for running and scoring")
    parser.add_argument("--command", default="", help="another analyzer; {dir} is the program's folder")
    for name in ("exact", "wrong", "missing", "infeasible"):
        default = getattr(Thresholds(), name)
        parser.add_argument(f"--{name}", type=float, default=default, metavar="SHARE", help="threshold")
    return parser.parse_args()


def _run(options: argparse.Namespace) -> int:
    begin = time.perf_counter()
    programs, failed = [], 0
    for program in _programs(options):
        if program.error:
            failed += 1
            print(f"{program.name}: no truth: {program.error.strip()[:600]}", file=sys.stderr)
        elif len(program.tags) <= options.max_tags:
            programs.append(program)
    ready = time.perf_counter()
    scored = list(_scored(programs, options.command, options.jobs))
    lines = [line for program, _, judged in scored for line in report.deviations(program, judged.notes)]
    if options.details:
        options.details.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    if _is_program(options.only):
        print("\n".join(line for one in scored for line in report.full(*one)))
        return 0
    faulty = [one for one in scored if not one[2].clean][: options.show]
    print("\n".join(line for one in faulty for line in (*report.full(*one), "")))
    print(report.table((program, judged) for program, _, judged in scored))
    print(
        f"{failed} without truth; {ready - begin:.1f} s for programs, {time.perf_counter() - ready:.1f} s for scoring"
    )
    total = report.totals(judged for _, _, judged in scored)
    total["wrong"] = total["false"] + total["phantom"]
    thresholds = Thresholds(options.exact, options.wrong, options.missing, options.infeasible)
    broken = list(thresholds.broken(total))
    print("".join(f"FAILED: {each}\n" for each in broken), end="")
    return 1 if broken or not scored else 0


def _programs(options: argparse.Namespace) -> Iterator[Program]:
    if options.sample:
        return (one for one in store.load(options.sample) if _selected(one, options.only))
    seeds: list[int] | range
    if _is_program(options.only):
        seeds = [int(options.only[1:])]
    elif options.only:
        seeds = store.seeds_with(options.only, options.seed, options.programs, options.python, LOOKED_AT_MAX)
    else:
        seeds = range(options.seed, options.seed + options.programs)
    return store.programs(options.folder, seeds, options.python, options.jobs)


def _is_program(only: str) -> bool:
    return re.fullmatch(r"p\d+", only) is not None


def _selected(program: Program, only: str) -> bool:
    return not only or program.name == only or any(re.fullmatch(only, tag) for tag in program.tags)


def _scored(programs: list[Program], command: str, jobs: int) -> Iterator[Scored]:
    score = partial(_score, command)
    if jobs == 1:
        yield from map(score, programs)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(score, programs, chunksize=8)


def _score(command: str, program: Program) -> Scored:
    rows = analyzer.rows(program.files, command)
    return program, rows, judge(program, rows)


if __name__ == "__main__":
    sys.exit(main())

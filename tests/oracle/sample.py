"""`python -m tests.oracle.sample`: choose the recorded sample anew from generated programs, and run it again.

The sample holds at least one program for every feature; half of it has none of the features that
came with this project (`is_first`), so that figures of before stay comparable. Programs written by hand (seed 0) are
kept and run again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tests.oracle import java, python, store
from tests.oracle.frame import Table
from tests.oracle.generate import PYTHON_SHARE
from tests.oracle.program import Program
from tests.oracle.truth import record

SAMPLE: Final = Path(__file__).parents[2] / "fixtures" / "oracle" / "programs" / "sample.jsonl.gz"
SEED: Final = 20_000
LOOKED_AT: Final = 2_000
HALF: Final = 105
"""So many programs of the first grammar, and as many with later features."""

SIZE_OF_ANY: Final = 3_000
"""What a program costs besides its characters, when small ones are preferred."""
FIRST_MODULES: Final = frozenset(
    {
        "java_values",
        "java_bodies",
        "java_shapes",
        "java_tables",
        "python_values",
        "python_shapes",
        "python_wraps",
    }
)
"""Modules of the grammar whose features make the half that is comparable."""


@cache
def features() -> dict[str, bool]:
    """Every tag of a registered feature; True for those of the first grammar."""
    found: dict[str, bool] = {}
    for module in (java, python):
        for table in vars(module).values():
            if isinstance(table, Table):
                for row in table.rows:
                    if row.tag:
                        found[row.tag] = row.feature.__module__.rsplit(".", 1)[1] in FIRST_MODULES
    return found


def is_first(program: Program) -> bool:
    """Whether all features of a program are of the first grammar."""
    known = features()
    return all(known.get(tag, True) for tag in program.tags)


def choose(programs: Iterable[Program]) -> list[Program]:
    """Programs that hold every tag, few and small, then others until both halves are there."""
    good = sorted((one for one in programs if not one.error and one.truth), key=_size)
    wanted = set(features())
    chosen: dict[str, Program] = {}
    while wanted:
        best = max(good, key=lambda program: len(wanted & set(program.tags)) / (_size(program) + SIZE_OF_ANY))
        if not wanted & set(best.tags):
            print(f"no program with {', '.join(sorted(wanted))}", file=sys.stderr)
            break
        wanted -= set(best.tags)
        chosen[best.name] = best
    for first in (False, True):
        have = sum(is_first(program) == first for program in chosen.values())
        others = [one for one in good if one.name not in chosen and is_first(one) == first]
        step = max(1, len(others) // HALF)
        chosen |= {program.name: program for program in others[::step][: max(0, HALF - have)]}
    return sorted(chosen.values(), key=lambda program: program.seed)


def _size(program: Program) -> int:
    return sum(map(len, program.files.values()))


def by_hand(programs: Iterable[Program]) -> Iterator[Program]:
    return (program for program in programs if program.seed == 0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.sample", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/oracle"))
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    seeds = range(SEED, SEED + LOOKED_AT)
    generated = choose(store.programs(options.folder, seeds, PYTHON_SHARE, options.jobs))
    kept = record(list(by_hand(store.load(SAMPLE))), options.jobs)
    store.save(SAMPLE, [*kept, *generated])
    print(
        f"{len(kept)} by hand, {len(generated)} generated, {sum(map(is_first, generated))} of them of the first grammar"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

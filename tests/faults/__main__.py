"""`python -m tests.faults --minutes 10`: faults at random, each answer beside that of a run from nothing; counts printed.

Exit code 1 where an answer was wrong. `--seed` begins with the same faults again. Without Java those on Spark are left out.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults.loop import ON_SPARK, QUICK, Outcome, Place
from tests.spark.conftest import has_java

ASKED = "network"
"""With `--only` alone: it takes minutes, and on a machine that is busy executors are lost without it."""
QUICK_PER_SPARK = 5
"""Faults of files for each that needs Spark, which takes much longer."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("tests.faults")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=time.time_ns() & 0xFFFF)
    parser.add_argument("--only", choices=[*QUICK, *ON_SPARK], action="append")
    given = parser.parse_args(arguments)
    names = given.only or [
        *(list(QUICK) * QUICK_PER_SPARK),
        *((one for one in ON_SPARK if one != ASKED) if has_java() else ()),
    ]
    chance = random.Random(given.seed)
    counts: Counter[tuple[str, str]] = Counter()
    wrong: list[tuple[int, str, Outcome]] = []
    spark = None
    if "state" in names:
        from subdrift.spark_jobs.session import session

        spark = session(None)
    end = time.monotonic() + given.minutes * 60
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        first = list(dict.fromkeys(names))  # each kind once, however slow the machine
        while time.monotonic() < end:
            name = first.pop() if first else chance.choice(names)
            seed = chance.randrange(1 << 30)
            found = (QUICK | ON_SPARK)[name](place, random.Random(seed))
            counts[name, found.kind] += 1
            if found.kind == "wrong":
                wrong.append((seed, name, found))
                print(f"wrong: {name} seed {seed}: {found.done}\n{found.said[:2_000]}", file=sys.stderr)
    if spark is not None:
        spark.stop()
    for name in dict.fromkeys(names):
        kinds = ", ".join(f"{kind} {count}" for (of, kind), count in sorted(counts.items()) if of == name)
        print(f"{name}: {sum(count for (of, _), count in counts.items() if of == name)} faults: {kinds}")
    print(f"seed {given.seed}: {sum(counts.values())} faults, {len(wrong)} wrong answers")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

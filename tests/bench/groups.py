"""`python -m tests.bench.groups [SUBSCRIPTIONS]`: what judging costs beside extracting, subscription by subscription.

Groups are drawn with the skew of a large organisation: one group holds a quarter of all rows, most have a handful of
alike members, one in sixteen drifts by a tag. `extract` is reading the synthetic tree of `tests.bench.generator` that
declares such consumers, parsing only, in this process; `judge` is stages.groups and stages.judge over consumers already
at hand. The ratio judge / extract is the figure; the results are compared with what was drawn before anything is printed.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from linter import stages
from linter.broker.assume import Assume
from linter.extract import read
from linter.model.consumer import Consumer
from linter.model.finding import Severity
from rules import ALL
from tests.bench.generator import Knobs, generate
from tests.rules.members import member

ROWS_PER_GROUP = 21
HOT_SHARE = 4
"""One row in so many belongs to the hot group."""
DRIFT_EVERY = 16
TAGS = ("PAID", "SHIPPED", "REFUNDED", "CLOSED", "OPENED")


def consumers(count: int, seed: int) -> Iterator[tuple[Consumer, bool]]:
    """Consumers of one subscription each, and whether their group drifts."""
    chance = random.Random(seed)
    groups = max(1, count // ROWS_PER_GROUP)
    for row in range(count):
        group = 0 if row % HOT_SHARE == 0 else 1 + chance.randrange(groups)
        drifts = group % DRIFT_EVERY == 1
        tags = [TAGS[group % 5], TAGS[(group + 1) % 5]]
        if drifts and row % 2:
            tags[1] = TAGS[(group + 2) % 5]
        yield (
            member(f"s{row}", (f"TOPIC_{group % 97}", " || ".join(tags)), group=f"group-{group}"),
            drifts,
        )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.groups", description=__doc__)
    parser.add_argument("subscriptions", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    made = list(consumers(options.subscriptions, options.seed))
    drifting = {each.group.text for each, drifts in made if drifts}
    gc.collect()
    gc.freeze()
    start = time.perf_counter()
    groups = stages.groups(each for each, _ in made)
    verdicts = [stages.judge(group, ALL, Assume()) for group in groups]
    judged = time.perf_counter() - start
    wrong = {v.group for v in verdicts if any(f.level is Severity.ERROR for f in v.findings)} - drifting
    if wrong:
        print(f"judged wrongly: {sorted(wrong)[:5]}", file=sys.stderr)
        return 2
    found = sum(1 for verdict in verdicts if verdict.findings)
    per_judged = judged / len(made)
    per_extracted, sites = _extraction(options.seed)
    print(
        f"{len(made)} subscriptions in {len(groups)} groups, the largest {max(v.consumers for v in verdicts)}; {found} drift"
    )
    print(f"extract: {per_extracted * 1e6:8.1f} µs a subscription ({sites} sites)")
    print(f"judge:   {per_judged * 1e6:8.1f} µs a subscription")
    print(f"judge / extract: {per_judged / per_extracted:.3f}")
    return 0


def _extraction(seed: int) -> tuple[float, int]:
    """Seconds to read one subscription's share of the files that declare consumers."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder), Knobs(files=2_000, seed=seed))
        contents = [
            (str(path), path.read_bytes())
            for path in sorted(Path(folder).rglob("*"))
            if path.suffix in (".java", ".py")
        ]
        candidates = [(path, content) for path, content in contents if stages.survey(path, content).candidate]
        read(*candidates[0])  # imports the parser
        start = time.perf_counter()
        facts = [read(path, content) for path, content in candidates]
        spent = time.perf_counter() - start
    sites = sum(len(each.sites) for each in facts if each is not None)
    return spent / sites, sites


if __name__ == "__main__":
    sys.exit(main())

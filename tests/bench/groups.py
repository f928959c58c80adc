"""`python -m tests.bench.groups [SUBSCRIPTIONS] [--spark]`: what judging costs beside extracting, subscription by subscription.

Groups are drawn with the skew of a large organisation: one group holds a quarter of all rows, most have a handful of
alike members, one in sixteen drifts by a tag. `extract` is reading the synthetic tree of `tests.bench.generator` that
declares such consumers, parsing only, in this process; `judge` is stages.groups and stages.judge over consumers already
at hand. The ratio judge / extract is the figure; the results are compared with what was drawn before anything is printed.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from subdrift.linter import stages
from subdrift.linter.broker.assume import Assume
from subdrift.linter.extract import read
from subdrift.linter.model import wire
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Finding, Severity
from subdrift.rules import ALL
from tests.bench.generator import Knobs, generate
from tests.bench.measure import watched
from tests.bench.table import ROOT, Bench, WrongResultError, surroundings
from tests.rules.members import member

ROWS_PER_GROUP = 21
HOT_SHARE = 4
"""One row in so many belongs to the hot group."""
DRIFT_EVERY = 16
SPARK_SECONDS = 90.0
EXECUTOR_MEMORY = "2g"
WORKER_MIB = 300.0
"""Budgets: time and Java heap for a million subscriptions on Spark, memory of a Python worker."""
TAGS = ("PAID", "SHIPPED", "REFUNDED", "CLOSED", "OPENED")


def consumers(count: int, seed: int, first: int = 0) -> Iterator[tuple[Consumer, bool]]:
    """Consumers of one subscription each, and whether their group drifts; those of a run of `count`, from `first` on."""
    groups = max(1, count // ROWS_PER_GROUP)
    for row in range(first, count):
        yield _consumer(row, groups, seed)


def _consumer(row: int, groups: int, seed: int) -> tuple[Consumer, bool]:
    chance = random.Random(seed * 1_000_003 + row)
    group = 0 if row % HOT_SHARE == 0 else 1 + chance.randrange(groups)
    drifts = group % DRIFT_EVERY == 1
    tags = [TAGS[group % 5], TAGS[(group + 1) % 5]]
    if drifts and row % 2:
        tags[1] = TAGS[(group + 2) % 5]
    topic = (f"TOPIC_{group % 97}", " || ".join(tags))
    return member(f"s{row}", topic, group=f"group-{group}"), drifts


def rows(numbers: Iterable[int], groups: int, seed: int) -> Iterator[tuple[Any, ...]]:
    """The rows of consumers of some numbers, as consuming gives them."""
    for number in numbers:
        one, _ = _consumer(number, groups, seed)
        key = stages.group_key(one)
        assert key is not None
        yield "consumer", one.at.origin.repo, *key, one.id, wire.dumps(one)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.groups", description=__doc__)
    parser.add_argument("subscriptions", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--spark", action="store_true", help="judge on Spark, and tell how long it took")
    options = parser.parse_args()
    if options.spark:
        print(json.dumps(_judged_on_spark(options.subscriptions, options.seed)))
        return 0
    try:
        _judged(options.subscriptions, options.seed)
    except WrongResultError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def measured(bench: Bench) -> None:
    """A part of the bench: judging in one process."""
    found = _judged(100_000, 7)
    bench.add("judge / extract, 100,000 subscriptions", None, "x", found.share, found.results)


def on_spark(bench: Bench) -> None:
    """A part of the bench: judging on Spark, with the memory of one executor."""
    count = bench.options.subscriptions
    code, said, worker = watched(
        [sys.executable, "-m", "tests.bench.groups", str(count), "--spark"],
        {**surroundings(), "PYSPARK_SUBMIT_ARGS": f"--driver-memory {EXECUTOR_MEMORY} pyspark-shell"},
        ROOT,
    )
    if code != 0:
        raise WrongResultError(f"judging {count} subscriptions on Spark: exit code {code}")
    told = json.loads(said)
    shown = f"{told['groups']:,} groups, {told['drifting']:,} drift, the largest {told['largest']:,}"
    print(f"\n{count:,} subscriptions judged on Spark in {told['seconds']:.1f} s: {shown}")
    budget = SPARK_SECONDS if count == 1_000_000 else None
    bench.add(f"groups on Spark, {count:,} subscriptions", budget, "s", told["seconds"], shown)
    bench.add("  largest Python worker of it", WORKER_MIB, "MiB", worker / (1 << 20))


def _judged_on_spark(count: int, seed: int) -> dict[str, Any]:
    """Draws the consumers on executors, keeps them, and judges them: only that is counted."""
    from subdrift.linter.settings import Settings
    from subdrift.spark_jobs import session
    from subdrift.spark_jobs.judging import NOBODY, judged
    from subdrift.spark_jobs.publishing import rows_of
    from subdrift.spark_jobs.routing import to_judge
    from subdrift.spark_jobs.steps import Piece, Steps, mapped
    from subdrift.spark_jobs.storage import Folder

    spark = session.session("local[2]")
    groups = max(1, count // ROWS_PER_GROUP)
    with tempfile.TemporaryDirectory() as place:
        steps = Steps(spark, Folder(spark, place), lambda text: print(text, file=sys.stderr))
        numbers = spark.sparkContext.range(count, numSlices=8)
        step, _ = steps.done(numbers, rows, "drawn", by_repo=False, groups=groups, seed=seed)
        consumed = steps.records([Piece("consumed", step, 0, NOBODY)])
        begun = time.perf_counter()
        piece, told = judged(mapped(consumed, to_judge, only=None), steps, Settings(), count)
        seconds = time.perf_counter() - begun
        verdicts = mapped(steps.records([piece]), rows_of, kind="verdict").toLocalIterator()
        sizes = sorted(json.loads(row[-1])["consumers"] for row in verdicts)
        loaded = (wire.loads(Finding, row[-1]) for row in told if row[0] == "finding")
        found = {one.group for one in loaded if _is_drift(one) and one.group}
    spark.stop()
    if sum(sizes) != count:
        raise WrongResultError(f"{count} consumers were drawn, {sum(sizes)} judged")
    wrong = [name for name in found if int(name.rpartition("-")[2]) % DRIFT_EVERY != 1]
    if wrong or not found:
        raise WrongResultError(f"judged wrongly: {sorted(wrong)[:5]}")
    return {
        "seconds": seconds,
        "groups": len(sizes),
        "largest": sizes[-1],
        "drifting": len(found),
    }


@dataclass(frozen=True, slots=True)
class _Judged:
    share: float
    results: str


def _is_drift(finding: Finding) -> bool:
    """All members of a group are programs of their own, which is an error beside (`shared-group`)."""
    return finding.rule == "divergent-tags" and finding.level is Severity.ERROR


def _judged(count: int, seed: int) -> _Judged:
    made = list(consumers(count, seed))
    drifting = {each.group.text for each, drifts in made if drifts}
    gc.collect()
    gc.freeze()
    start = time.perf_counter()
    groups = stages.groups(each for each, _ in made)
    verdicts = [stages.judge(group, ALL, Assume()) for group in groups]
    judged = time.perf_counter() - start
    wrong = {v.group for v in verdicts if any(map(_is_drift, v.findings))} ^ drifting
    if wrong:
        raise WrongResultError(f"judged wrongly: {sorted(map(str, wrong))[:5]}")
    found = sum(1 for verdict in verdicts if verdict.findings)
    per_judged = judged / len(made)
    per_extracted, sites = _extraction(seed)
    results = f"{len(groups):,} groups, {found:,} drift, the largest {max(v.consumers for v in verdicts):,}"
    print(f"\n{len(made):,} subscriptions: {results}")
    print(f"extract: {per_extracted * 1e6:8.1f} µs a subscription ({sites} sites)")
    print(f"judge:   {per_judged * 1e6:8.1f} µs a subscription")
    print(f"judge / extract: {per_judged / per_extracted:.3f}")
    return _Judged(per_judged / per_extracted, results)


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

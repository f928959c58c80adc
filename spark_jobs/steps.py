"""The steps of a scan: functions of `spark_jobs.work` done by Spark, their rows kept below the output folder, progress told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark import TaskContext
from pyspark.accumulators import Accumulator
from pyspark.core.broadcast import Broadcast
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

from subdrift.spark_jobs import rows as shapes
from subdrift.spark_jobs import work
from subdrift.spark_jobs.arrow import map_in_arrow, rows_frame
from subdrift.spark_jobs.rows import TOLD, Row
from subdrift.spark_jobs.storage import Folder, reaching
from subdrift.spark_jobs.told import Told, ear

SHARES_PER_CORE = 2
"""Shares of work for each core: enough to even out, few enough that starting them costs nothing."""
BESIDE = 2
"""Steps that are done beside the others: what they wait for is mostly Spark's planning and its file systems."""
TOLD_EVERY_SECONDS = 5.0
"""How often progress is told while repositories are read."""
WATCHED_EVERY_SECONDS = 10.0
IDLE_SECONDS = 60.0
"""Work that no executor takes up for so long is said."""
FEW_NAMES = 200
"""Names of repositories that a plan can hold as they are: a join with them would cost a job of its own."""
_READING = (work.survey_repositories, work.read_candidates, work.read_demanded)

Progress = Callable[[str], None]


class Idle:
    """For how long there has been work that nobody does."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._last: list[tuple[int, int, int]] = []

    def seen(self, stages: list[tuple[int, int, int]], now: float) -> float:
        """Seconds since any stage has had a running task or got one done; 0 where none is waiting. `now` in seconds."""
        waits = bool(stages) and not any(active for _, active, _ in stages)
        if not waits:
            self._since = None
        elif self._since is None or stages != self._last:
            self._since = now
        self._last = stages
        return 0.0 if self._since is None else now - self._since


class Steps:
    """Does one step after the other; what a step gives is written before the next begins, so nothing is done twice."""

    def __init__(self, spark: SparkSession, folder: Folder, progress: Progress | None = None) -> None:
        self.spark = spark
        self.folder = folder
        self.started = time.monotonic()
        self.cores = max(2, spark.sparkContext.defaultParallelism)
        self.shares = self.cores * SHARES_PER_CORE
        self._progress = progress or (lambda text: None)
        self._names: set[str] = set()
        self._said = ""
        self._waiting = ""

    def say(self, text: str) -> None:
        """Tells how far the scan is, and what it waits for."""
        self._said = text
        self._progress(f"{time.monotonic() - self.started:6.1f} s  {text}{self._waiting}")

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Says where no executor takes up a task, as long as this lasts: Spark itself waits for ever."""
        ended = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(ended,), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()

    def _watch(self, ended: threading.Event) -> None:
        idle = Idle()
        while not ended.wait(WATCHED_EVERY_SECONDS):
            seconds = idle.seen(self._stages(), time.monotonic())
            was, self._waiting = self._waiting, ""
            if seconds >= IDLE_SECONDS:
                master = self.spark.sparkContext.master
                self._waiting = (
                    f"; no executor has taken up a task for {seconds:.0f} s: has {master} any that are free?"
                )
            if self._waiting or was:
                self.say(self._said)

    def _stages(self) -> list[tuple[int, int, int]]:
        """The stages that are being done: which, how many of their tasks run, how many are done."""
        tracker = self.spark.sparkContext.statusTracker()
        found = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
        return [(one.stageId, one.numActiveTasks, one.numCompletedTasks) for one in found if one is not None]

    @contextmanager
    def counting(self, count: int) -> Iterator[Accumulator[int]]:
        """Says now and then how many repositories have been read, as tasks end and add to what this gives."""
        done = self.spark.sparkContext.accumulator(0)
        begun = time.monotonic()
        ended = threading.Event()

        def tell() -> None:
            while not ended.wait(TOLD_EVERY_SECONDS):
                seconds = max(time.monotonic() - begun, 0.001)
                self.say(
                    f"{done.value:,} of {count:,} repositories read, {done.value / seconds:,.0f} a second"
                )

        teller = threading.Thread(target=tell, daemon=True)
        teller.start()
        try:
            yield done
        finally:
            ended.set()
            teller.join()

    @contextmanager
    def beside(self) -> Iterator[Callable[..., None]]:
        """Does what is given to it while other steps are done, as far as there are cores; raises what they raise."""
        with ThreadPoolExecutor(BESIDE) as pool:
            begun: list[Future[None]] = []
            try:
                yield lambda task, *arguments: begun.append(pool.submit(task, *arguments))
                for one in begun:
                    one.result()
            finally:  # what has not begun when something fails need not begin
                pool.shutdown(cancel_futures=True)

    def done(
        self,
        frame: DataFrame,
        function: work.Work,
        ddl: str,
        name: str,
        count: Accumulator[int] | None = None,
        **arguments: object,
    ) -> tuple[DataFrame, Told]:
        """A step: its rows, kept, and what its tasks have told. `count` adds up the repositories they have read."""
        told = ear(self.spark)
        kept = self.keep(mapped(frame, function, ddl, told, count, **arguments), name)
        return kept, told.value

    def keep(self, frame: DataFrame, name: str) -> DataFrame:
        """Rows, computed once and for all."""
        place = name
        while place in self._names:
            place = f"{name}-{len(self._names)}"
        self._names.add(place)
        return self.folder.keep(frame, place)

    def collect(self, frame: DataFrame) -> list[Any]:
        """Rows that come to the driver. Raises `StorageError` where what they are made from cannot be read."""
        with reaching(self.folder.path):
            return list(frame.collect())

    def frame(self, rows: Iterable[Sequence[object]], ddl: str) -> DataFrame:
        """Rows of the driver's."""
        return rows_frame(self.spark, rows, ddl)

    def of(self, frame: DataFrame, repos: Iterable[str], how: str = "semi") -> DataFrame:
        """The rows of some repositories, which every task is told; with `anti` those of all others."""
        found = sorted(repos)
        if len(found) <= FEW_NAMES:
            theirs = F.coalesce(F.col("repo").isin(found), F.lit(False))
            return frame.filter(theirs if how == "semi" else ~theirs)
        names = self.frame([(repo,) for repo in found], "repo string")
        return frame.join(F.broadcast(names), "repo", how).select(*frame.columns)

    def union(self, frames: Iterable[DataFrame], ddl: str) -> DataFrame:
        """The rows of all frames; `ddl` is the schema of each."""
        found: DataFrame | None = None
        for frame in frames:
            found = frame if found is None else found.unionByName(frame)
        return self.frame([], ddl) if found is None else found


def spread(frame: DataFrame, shares: int) -> DataFrame:
    """Rows of one share in one partition; a partition of its own for each where Spark can (4.1 and later)."""
    if hasattr(frame, "repartitionById"):
        return frame.repartitionById(shares, "share")
    return frame.repartition(shares, "share")


def mapped(
    frame: DataFrame,
    function: work.Work,
    ddl: str,
    told: Accumulator[Told] | None = None,
    count: Accumulator[int] | None = None,
    **arguments: object,
) -> DataFrame:
    """A function of `spark_jobs.work` over each partition; what it tells goes to `told`, the number of repositories it has
    read to `count`."""
    return map_in_arrow(frame, partial(_apply, function, ddl, told, count, arguments), ddl)


def _apply(
    function: work.Work,
    ddl: str,
    told: Accumulator[Told] | None,
    count: Accumulator[int] | None,
    arguments: Mapping[str, object],
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    more = {name: one.value if isinstance(one, Broadcast) else one for name, one in arguments.items()}
    context = TaskContext.get()
    if function in _READING and context and context.attemptNumber():
        more["alone"] = True
    heard: Told = set()

    def kept() -> Iterator[Row]:
        for row in function(shapes.rows_of(batches), **more):
            if told is not None and row[0] in TOLD:
                heard.add(row)
            else:
                yield row

    yield from shapes.batches_of(kept(), shapes.arrow_schema(ddl))
    if told is not None:
        told.add(heard)
    if count is not None:
        count.add(len({row[1] for row in heard if row[0] == "repository"}))

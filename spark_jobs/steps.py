"""The steps of a scan: functions of `spark_jobs.work` done by Spark, their rows kept below the output folder, progress told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct
from pyspark import TaskContext
from pyspark.accumulators import Accumulator
from pyspark.core.broadcast import Broadcast
from pyspark.core.rdd import RDD
from pyspark.sql import SparkSession

from subdrift.linter import workers
from subdrift.spark_jobs import routing, work
from subdrift.spark_jobs.here import Here
from subdrift.spark_jobs.records import Record, lines, repo_of
from subdrift.spark_jobs.rows import TOLD, Row
from subdrift.spark_jobs.storage import Folder, reaching
from subdrift.spark_jobs.told import Told, ear

SHARES_PER_CORE = 2
"""Shares of work for each core: enough to even out, few enough that starting them costs nothing."""
TOLD_EVERY_SECONDS = 5.0
"""How often progress is told while repositories are read."""
WATCHED_EVERY_SECONDS = 10.0
IDLE_SECONDS = 60.0
"""Work that no executor takes up for so long is said."""
HERE_BYTES = 512 << 10
"""Records of so many bytes are worked on at the driver: a job of Spark's takes longer."""
LIGHT = 32
"""Of so many times more, where they are only looked through."""
PICKED_BYTES = 16 << 20
"""Records of so many bytes are picked out of the files they are in, which are not read for the others."""
BESIDE_SECONDS = 60.0
"""For so long a process beside the driver may read."""
_READING = (work.survey_repositories, work.read_candidates, routing.demanded)
"""What opens repositories, which executors alone can, and reads what may end its process."""

_PLACE = "at"
"""The kind of told rows that say where a record is: (kind, repository, and as in `At`)."""

T = TypeVar("T")
Progress = Callable[[str], None]
Given = RDD[Any] | Here
At = dict[str, list[tuple[int, int, int]]]
"""By repository the places of its records in the files of a step: which file, from where, how long."""


class Piece(Struct, frozen=True):
    """What a step has left of some repositories: `repos`, whose records count. `role`: `first` sight, `late` for what a round
    (`number`) asked for, `consumed` for what repositories come to, `asked` for what they have looked up, `judged`;
    `lookups` are by bucket what repositories have looked up and hold."""

    role: str
    step: str
    number: int
    repos: frozenset[str]

    def of(self, repos: Collection[str], without: bool = False) -> Piece:
        """That of some of the repositories, or of all others."""
        found = self.repos.difference(repos) if without else self.repos.intersection(repos)
        return Piece(self.role, self.step, self.number, found)


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
        self.at: dict[str, At] = {}
        self._progress = progress or (lambda text: None)
        self._count = 0
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

    def records(self, pieces: Iterable[Piece]) -> Given:
        """The records of some pieces that count."""
        return self.sent([Way.of(pieces, iter)])

    def sent(self, ways: Sequence[Way], more: Sequence[Any] = (), here: int = 1) -> Given:
        """What functions make of the records of some pieces, and some values besides. A union of Spark's own would have two
        Python processes for each task. `here`: how many times more the driver does of it."""
        live: dict[str, frozenset[str]] = {}
        for way in ways:
            for step, repos in way.live.items():
                live[step] = live.get(step, frozenset()) | repos
        places = {
            step: [one for repo in repos for one in self.at[step].get(repo, ())]
            for step, repos in live.items()
        }
        size = sum(length for found in places.values() for _, _, length in found)
        if not live or size <= HERE_BYTES * here:
            lines = (line for step, found in places.items() for line in self.folder.picked(step, found))
            return Here([list(_sent(ways, more, 0, lines))])
        if size <= PICKED_BYTES and 2 * size < sum(map(self._size, live)):
            picked = [line for step, found in places.items() for line in self.folder.picked(step, found)]
            found = self.rdd(picked, self.cores)
        else:
            found = self.folder.lines(sorted(live))
            if found.getNumPartitions() > self.cores:
                found = found.coalesce(self.cores)
        return found.mapPartitionsWithIndex(partial(_sent, ways, more))

    def _size(self, step: str) -> int:
        return sum(length for found in self.at[step].values() for _, _, length in found)

    def rdd(self, values: Sequence[Any], count: int) -> RDD[Any]:
        """Values of the driver's, in so many tasks."""
        return self.spark.sparkContext.parallelize(values, count)

    def done(
        self,
        given: Given,
        function: Callable[..., Iterator[Row]],
        name: str,
        count: Accumulator[int] | None = None,
        by_repo: bool = True,
        both: Collection[str] = (),
        tells: Collection[str] = TOLD,
        beside: bool = False,
        **arguments: object,
    ) -> tuple[str, Told]:
        """A step: a function over the values of each task. Its name, under which its rows are kept, and what its tasks have
        told: rows of the kinds `tells`, which are not kept unless they go `both` ways. `count` adds up the repositories they
        have read. `beside`: what is read is so little that a process beside the driver, if it may, is done with it
        before Spark has begun."""
        self._count += 1
        step = f"{name}-{self.folder.scan}-{self._count}"
        way = _Kept(step, by_repo, frozenset(both), frozenset(tells))
        made = None
        if isinstance(given, Here) and function not in _READING:
            made = _made_here(given, function, way, _unwrapped(arguments))
        elif isinstance(given, Here) and beside and self._is_local:
            made = _made_beside(given, function, way, _unwrapped(arguments))
        if made is not None:
            heard, parts = made
            self.folder.keep_here(parts, step)
        else:
            if isinstance(given, Here):
                given = self.rdd(given.parts, len(given.parts)).flatMap(iter)
            told = ear(self.spark)
            apply = partial(_apply, function, way, told.add, count, arguments)
            self.folder.keep(given.mapPartitionsWithIndex(apply), step)
            heard = told.value
        self.at[step] = {}
        for _, repo, *place in (row for row in heard if row[0] == _PLACE):
            self.at[step].setdefault(repo, []).append(tuple(place))
        return step, {row for row in heard if row[0] != _PLACE}

    @property
    def _is_local(self) -> bool:
        """Whether executors are threads of this machine: the driver sees what they see."""
        return (self.spark.sparkContext.master or "").partition("[")[0] == "local"

    def collect(self, found: Given) -> list[Any]:
        """Values that come to the driver. Raises `StorageError` where what they are made from cannot be read."""
        with reaching(self.folder.path):
            return list(found.collect())

    def shared(self, value: T) -> Shared[T]:
        """A value that executors get once."""
        return Shared(value, self.spark)


class Shared(Generic[T]):
    """A value of the driver's that executors get once, if one of them needs it: there it is the value itself."""

    def __init__(self, value: T, spark: SparkSession) -> None:
        self.value = value
        self._spark = spark
        self._sent: Broadcast[T] | None = None

    def __reduce__(self) -> tuple[Callable[[Broadcast[T]], T], tuple[Broadcast[T]]]:
        if self._sent is None:
            self._sent = self._spark.sparkContext.broadcast(self.value)
        return _value_of, (self._sent,)


def _value_of(sent: Broadcast[T]) -> T:
    return sent.value


def spread(sent: Given, shares: int) -> Given:
    """What is sent to some shares, each in a task of its own."""
    return sent.partitionBy(shares, int)


def mapped(found: Given, function: Callable[..., Iterator[Any]], **arguments: object) -> Given:
    """A function over the values of each task."""
    return found.mapPartitions(partial(_mapped, function, arguments))


def _mapped(
    function: Callable[..., Iterator[Any]], arguments: Mapping[str, object], values: Iterable[Any]
) -> Iterator[Any]:
    return function(values, **_unwrapped(arguments))


def _unwrapped(arguments: Mapping[str, object]) -> dict[str, Any]:
    return {name: one.value if isinstance(one, Shared) else one for name, one in arguments.items()}


class Way(NamedTuple):
    """What becomes of records: those of which repositories count, by step, and a function over them."""

    live: dict[str, frozenset[str]]
    function: Callable[..., Iterator[Any]]
    arguments: dict[str, object]

    @classmethod
    def of(cls, pieces: Iterable[Piece], function: Callable[..., Iterator[Any]], **arguments: object) -> Way:
        """That of the records of some pieces that count."""
        live: dict[str, frozenset[str]] = {}
        for piece in pieces:
            if piece.repos:
                live[piece.step] = live.get(piece.step, frozenset()) | piece.repos
        return cls(live, function, arguments)


def _sent(ways: Sequence[Way], more: Sequence[Any], number: int, lines: Iterable[bytes]) -> Iterator[Any]:
    if not number:
        yield from more
    unwrapped = [(way.live, way.function, _unwrapped(way.arguments)) for way in ways]
    for line in lines:
        record = Record.of(line)
        for live, function, arguments in unwrapped:
            if record.repo in live.get(record.step, ()):
                yield from function([record], **arguments)


class _Kept(NamedTuple):
    """How rows of a step are kept and told."""

    step: str
    by_repo: bool
    both: frozenset[str]
    tells: frozenset[str]


def _made_here(
    given: Here, function: Callable[..., Iterator[Row]], way: _Kept, arguments: Mapping[str, object]
) -> tuple[Told, Sequence[list[bytes]]]:
    """What a step tells, and the lines it keeps, done in this process."""
    heard: Told = set()
    made = given.mapPartitionsWithIndex(partial(_apply, function, way, heard.update, None, arguments))
    return heard, made.parts


def _made_beside(
    given: Here, function: Callable[..., Iterator[Row]], way: _Kept, arguments: Mapping[str, object]
) -> tuple[Told, Sequence[list[bytes]]] | None:
    """The same in a process beside this one; None where that has not ended well: Spark does it, and says what is wrong."""
    try:
        return workers.apart(BESIDE_SECONDS, _made_here, given, function, way, arguments)
    except Exception:  # noqa: BLE001 - whatever it is, the job comes to it again
        return None


def _apply(
    function: Callable[..., Iterator[Row]],
    way: _Kept,
    tell: Callable[[Told], None],
    count: Accumulator[int] | None,
    arguments: Mapping[str, object],
    number: int,
    values: Iterable[Any],
) -> Iterator[bytes]:
    more = _unwrapped(arguments)
    context = TaskContext.get()
    if function in _READING and context and context.attemptNumber():
        more["alone"] = True
    if function is routing.judged:
        more["task"] = number
    heard: Told = set()

    def kept() -> Iterator[Row]:
        for row in function(values, **more):
            if row[0] in way.tells:
                heard.add(row)
            if row[0] not in way.tells or row[0] in way.both:
                yield row

    start = 0
    for line in lines(way.step, kept(), way.by_repo):
        heard.add((_PLACE, repo_of(line), number, start, len(line)))
        start += len(line) + 1
        yield line
    tell(heard)
    if count is not None:
        count.add(len({row[1] for row in heard if row[0] == "repository"}))

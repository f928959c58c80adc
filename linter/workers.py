"""Files -> facts on several cores, and a process to lose for a file that kills or stalls its reader.

Small work is done in place: a pool costs more than it gains below some 2 MB of Java or half of that of Python. A dead
or overdue worker costs one file: its chunk is retried file by file, the culprit becomes a diagnostic.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from msgspec import Struct

from subdrift.linter import net
from subdrift.linter.extract import read
from subdrift.linter.model.facts import FileFacts, Problem
from subdrift.linter.model.location import START
from subdrift.linter.model.message import say
from subdrift.linter.room import with_room

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

P = ParamSpec("P")
T = TypeVar("T")

POOL_BYTES_MIN = 2 << 20
PYTHON_WEIGHT = 2
"""A byte of Python takes twice as long as one of Java."""
CHUNK_FILES = 32
FILE_SECONDS_MAX = 20.0
"""One file may keep a worker this long; a hostile one must not keep the run."""


class Job(Struct, frozen=True):
    """A file to read: its path names the language."""

    path: str
    content: bytes


def processors() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def read_all(jobs: Sequence[Job], workers: int, isolated: bool = False) -> list[FileFacts | None]:
    """The facts of every job, in order. `isolated` uses processes to lose however small the work is."""
    if isolated:
        return _pooled(jobs, max(workers, 1)) if jobs else []
    weight = sum(len(job.content) * (PYTHON_WEIGHT if job.path.endswith(".py") else 1) for job in jobs)
    if workers < 2 or weight < POOL_BYTES_MIN:
        return _chunk(jobs)
    return _pooled(jobs, workers)


def _pooled(jobs: Sequence[Job], workers: int) -> list[FileFacts | None]:
    import multiprocessing
    from concurrent.futures import Future, ProcessPoolExecutor

    context = multiprocessing.get_context()  # the platform's own way: forking is not safe everywhere
    _import_parsers(jobs)
    # large files first, so that no worker is left with one at the end
    order = sorted(range(len(jobs)), key=lambda index: -len(jobs[index].content))
    chunks = [order[start : start + CHUNK_FILES] for start in range(0, len(order), CHUNK_FILES)]
    results: list[FileFacts | None] = [None] * len(jobs)
    failed: list[int] = []
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin)
    try:
        futures: list[tuple[list[int], Future[list[FileFacts | None]]]] = [
            (chunk, pool.submit(_chunk, [jobs[index] for index in chunk])) for chunk in chunks
        ]
        for chunk, future in futures:
            try:
                for index, facts in zip(chunk, future.result(FILE_SECONDS_MAX * 2), strict=True):
                    results[index] = facts
            except (OSError, RuntimeError, TimeoutError):  # a broken pool is a RuntimeError
                failed += chunk
    finally:
        _stop(pool)
    for index in failed:
        results[index] = _alone(jobs[index])
    return results


def _begin() -> None:
    """A worker ends with its parent, however that ends, and leaves it to the parent to say that it was interrupted."""
    import multiprocessing
    import signal
    import threading

    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    from multiprocessing import connection

    connection.wait([sentinel])
    os._exit(1)


def _import_parsers(jobs: Iterable[Job]) -> None:
    """Reads one empty file of each language, so that forked workers share what the parsers import."""
    for suffix in sorted({job.path.rpartition(".")[2] for job in jobs}):
        read(f"empty.{suffix}", b"")


def _chunk(jobs: Sequence[Job]) -> list[FileFacts | None]:
    return with_room(lambda: [_netted(job) for job in jobs])


def _netted(job: Job) -> FileFacts | None:
    try:
        with net.under(size=net.FILE_BYTES_MAX):
            return read(job.path, job.content)
    except net.Overdue:
        return _left_out("file-took-too-long")
    except MemoryError:
        return _left_out("file-took-too-much")


def _left_out(why: str) -> FileFacts:
    return FileFacts("unknown", problems=(Problem("skipped-file", say(why), say("split-or-exclude"), START),))


def _alone(job: Job) -> FileFacts | None:
    """One suspicious file in a process of its own, bounded in time."""
    try:
        return apart(FILE_SECONDS_MAX, _chunk, [job])[0]
    except (OSError, RuntimeError, TimeoutError) as error:
        return _left_out("file-took-too-long" if isinstance(error, TimeoutError) else "file-ended-its-reader")


def apart(seconds: float, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What a function gives in a process of its own, which it may end. Raises what the function raises, `RuntimeError` where
    the process has ended before it, `TimeoutError` where it takes longer than `seconds`."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # the platform's own way: forking is not safe everywhere
    pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(), initializer=_begin)
    try:
        return pool.submit(function, *arguments, **named).result(seconds)
    finally:
        _stop(pool)


def _stop(pool: ProcessPoolExecutor) -> None:
    """Ends a pool at once, also one whose worker hangs."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        if process.is_alive():
            process.kill()

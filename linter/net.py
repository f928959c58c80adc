"""A last net under one piece of work: processor time and address space, in this process.

Whatever reads a file or runs a program counts what it does, and ends by that. What takes long or much between two counts
ends here, so that it costs its file and never the run. Where the platform has no such limits, and in another thread
than the main one, there is no net.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

try:
    import resource
    import signal
except ImportError:  # Windows
    HAS_LIMITS = False
else:
    HAS_LIMITS = hasattr(signal, "setitimer") and hasattr(resource, "RLIMIT_AS")

SECONDS_MAX: Final = 8.0
"""Processor time of one piece of work. Bounds end what they know in a fraction of it."""

AGAIN_SECONDS: Final = 1.0
"""What work has to end by itself once it is told that its time is over."""

BYTES_MAX: Final = 768 << 20
"""Address space that a run of a program may take beside what is taken ..."""

FILE_BYTES_MAX: Final = 2 << 30
"""... and reading a file: a parser in C ends the process where it gets none, so this lies beyond what the largest takes ..."""

TOTAL_BYTES_MAX: Final = 4 << 30
"""... up to so much for the process; beyond it each may take ..."""

BYTES_MIN: Final = 128 << 20
"""... as much as that, so that one after the other does not fill the machine."""

SEEN_SECONDS: Final = 0.1
"""How long the address space is taken for what it was: most work takes less time than to look at it."""


class Overdue(BaseException):
    """Work took too much processor time; not an `Exception`, so that nobody who guards against bugs takes it for one."""


def _end() -> None:
    raise Overdue


class _Net:
    """What holds now: what to call when time is over, None once that was done; the address space as it was last seen."""

    end: Callable[[], None] | None = None
    taken: int = 0
    seen: float = -1.0


@contextmanager
def under(end: Callable[[], None] = _end, size: int = BYTES_MAX) -> Iterator[None]:
    """Work that takes more than `size` bytes meets `MemoryError`. One that takes too long is told by `end`, and meets
    `Overdue` if it goes on."""
    if not HAS_LIMITS or threading.current_thread() is not threading.main_thread():
        yield
        return
    rings = _rings()
    limits = resource.getrlimit(resource.RLIMIT_AS)
    try:
        _limit(limits, size)
        if rings:
            _Net.end = end
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_MAX, AGAIN_SECONDS)
        yield
    finally:
        if rings:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, limits)


def _rings() -> bool:
    """Whether the signal is ours: another's use of it stays."""
    handler = signal.getsignal(signal.SIGVTALRM)
    if handler is signal.SIG_DFL:
        signal.signal(signal.SIGVTALRM, _ring)
        return True
    return handler is _ring


def _ring(number: int, frame: FrameType | None) -> None:
    end, _Net.end = _Net.end, None
    if end is None:
        raise Overdue
    end()


def _limit(limits: tuple[int, int], size: int) -> None:
    now = time.monotonic()
    if not 0 <= now - _Net.seen < SEEN_SECONDS:
        _Net.taken, _Net.seen = _taken(), now
    if _Net.taken:
        most = min(_Net.taken + size, max(_Net.taken + BYTES_MIN, TOTAL_BYTES_MAX))
        soft, hard = limits
        known = [each for each in (most, soft, hard) if each != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_AS, (min(known), hard))


def _taken() -> int:
    """The address space that this process has, 0 where the platform does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0

"""Mutate seeds by bytes and by pieces, run them, and keep what raises or takes too long as the smallest input found."""

from __future__ import annotations

import contextlib
import random
import resource
import signal
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from tests.fuzz.surfaces import CORPUS, Surface

INPUT_BYTES_MAX = 30_000
BYTES_MIN = 64 << 20
"""Below this no input is large, whatever its size: parsers and tables are loaded with the first."""
TRIES = 3
"""An input that took long is tried again so often: a machine may be busy for a moment."""
SECONDS_MAX = 60.0
"""After this an input is stopped, where the interpreter gets a word in."""

_SIGNS = (
    b"",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\n",
    b"\r",
    b"\t",
    b'"',
    b"'",
    b"\\",
    b"(",
    b")",
    b"{",
    b"}",
    b"[",
    b"]",
    b"<",
    b">",
    b"&",
    b"%",
    b"${",
    b"\\u",
    "\u202e".encode(),
    "\U0001f600".encode(),
    b"\xed\xa0\x80",
    b"9" * 50,
)


@dataclass(frozen=True, slots=True)
class Trouble:
    """An input that brings a surface down, and how."""

    surface: str
    content: bytes
    what: str


class TooLongError(BaseException):
    """An input took longer than anything may."""


def seeds_of(surface: Surface) -> tuple[bytes, ...]:
    """The surface's own seeds and every input that once brought it down."""
    kept = sorted((CORPUS / surface.name).glob("*")) if (CORPUS / surface.name).is_dir() else []
    return (*(path.read_bytes() for path in kept), *surface.seeds(), b"")


def mutated(seeds: tuple[bytes, ...], words: tuple[bytes, ...], choose: random.Random) -> bytes:
    """One input: a seed with a few changes, of bytes or of whole pieces."""
    content = bytearray(choose.choice(seeds))
    for _ in range(choose.choice((1, 1, 2, 3, 5, 9))):
        at = choose.randint(0, len(content))
        end = min(len(content), at + choose.choice((0, 1, 2, 8, 40)))
        match choose.randrange(9):
            case 0:
                content[at:end] = choose.randbytes(choose.randint(0, 6))
            case 1:
                content[at:end] = choose.choice(_SIGNS)
            case 2:
                content[at:at] = choose.choice(words or _SIGNS)
            case 3:
                del content[at:end]
            case 4:
                content[at:at] = bytes(content[at:end]) * choose.choice((1, 3, 50))
            case 5:
                other = choose.choice(seeds)
                begin = choose.randint(0, len(other))
                content[at:end] = other[begin : begin + choose.randint(0, 200)]
            case 6:
                content[at:at] = choose.choice(words or _SIGNS) * choose.choice((2, 30, 300))
            case 7:
                del content[at:]
            case _:
                lines = bytes(content).split(b"\n")
                choose.shuffle(lines)
                content = bytearray(b"\n".join(lines))
        del content[INPUT_BYTES_MAX:]
    return bytes(content)


def pace() -> float:
    """How much slower this machine is now than the one the limits were set on."""
    begun = time.process_time()
    sum(index * index for index in range(1_000_000))
    return max(1.0, (time.process_time() - begun) / 0.06)


def trouble(
    surface: Surface, content: bytes, slowness: float, clock: Callable[[], float] = time.process_time
) -> str:
    """What an input does that none may; "" for nothing. Time is the process's own, not that of its neighbours."""
    _forget_peak()
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = clock()
    try:
        with _limit(SECONDS_MAX):
            surface.take(content)
    except surface.allowed:
        pass
    except TooLongError:
        return f"took longer than {SECONDS_MAX:.0f} s"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
        return f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held
    seconds = clock() - begun
    if peak << 10 > BYTES_MIN and (used := _bytes_of(surface, content)) > _bytes_allowed(surface, content):
        return f"held {used >> 20} MiB for {len(content)} bytes"
    allowed = max(surface.seconds_min, surface.microseconds_per_byte * len(content) / 1e6) * slowness
    return f"took {seconds:.1f} s for {len(content)} bytes" if seconds > allowed else ""


def _forget_peak() -> None:
    """What this process once held would hide what an input makes it hold; only Linux can forget it."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _bytes_allowed(surface: Surface, content: bytes) -> int:
    return max(BYTES_MIN, surface.bytes_per_byte * len(content))


def _bytes_of(surface: Surface, content: bytes) -> int:
    """The most that Python holds at once for an input, over what it held before."""
    tracemalloc.start()
    try:
        surface.take(content)
    except surface.allowed:
        pass
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return most


def fuzz(
    surface: Surface, seconds: float, choose: random.Random, runs_max: int = 1 << 60
) -> tuple[int, list[Trouble]]:
    """How many inputs were tried in that time, and those that brought the surface down, made small."""
    seeds = seeds_of(surface)
    slowness = pace()
    end = time.monotonic() + seconds
    tried = 0
    found: dict[str, Trouble] = {}
    for content in _inputs(seeds, surface, choose):
        if time.monotonic() > end or tried >= runs_max:
            break
        tried += 1
        what = trouble(surface, content, slowness)
        for _ in range(TRIES):
            if not what.startswith("took"):
                break
            what = trouble(surface, content, pace())
        kind = what.partition(":")[0].partition(" ")[0]
        if what and kind not in found:
            found[kind] = Trouble(surface.name, smaller(surface, content, kind), what)
    return tried, list(found.values())


def _inputs(seeds: tuple[bytes, ...], surface: Surface, choose: random.Random) -> Iterator[bytes]:
    yield from seeds
    while True:
        yield mutated(seeds, surface.words, choose)


def smaller(surface: Surface, content: bytes, kind: str, tries_max: int = 300) -> bytes:
    """Leave out pieces as long as the trouble stays of that kind."""
    if kind == "took":
        return content
    size, tries = max(1, len(content) // 2), 0
    while size and tries < tries_max:
        for at in range(0, len(content), size):
            shorter = content[:at] + content[at + size :]
            tries += 1
            if trouble(surface, shorter, 100.0).startswith(kind):
                content = shorter
                break
            if tries >= tries_max:
                break
        else:
            size //= 2
    return content


class _limit:  # noqa: N801 - reads as a statement
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __enter__(self) -> None:
        signal.signal(signal.SIGPROF, self._stop)
        signal.setitimer(signal.ITIMER_PROF, self.seconds)  # of the processor: neighbours take none of it

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)

    @staticmethod
    def _stop(number: int, frame: FrameType | None) -> None:
        raise TooLongError

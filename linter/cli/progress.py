"""What is being done, on stderr: a line of a terminal that is gone when the work is done, and one line every half minute
where a log is written, so that long work is not silent."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from subdrift.linter.cli.output import complain
from subdrift.linter.report.terminal import first_cells, safe

WIDTH = 80
"""Cells of a terminal that does not tell its size."""
LOG_SECONDS = 30.0
"""Between two lines in a log."""
_AFRESH = "\r\x1b[K"


@contextmanager
def progress(wanted: bool = True) -> Iterator[Callable[[str], None] | None]:
    """What shows a text in place of the one before, in a log now and then; None where nobody looks."""
    stream = sys.stderr
    if not wanted or stream is None or stream.closed:
        yield None
        return
    if not stream.isatty() or _is_dumb():
        with _now_and_then() as tell:
            yield tell
        return
    shown = False

    def show(text: str) -> None:
        nonlocal shown
        try:
            width = os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError):
            width = 0
        stream.write(_AFRESH + first_cells(safe(text), (width or WIDTH) - 1))
        stream.flush()
        shown = True

    try:
        yield show
    finally:
        if shown:
            stream.write(_AFRESH)
            stream.flush()


@contextmanager
def _now_and_then() -> Iterator[Callable[[str], None]]:
    """What is told a text that is written every `LOG_SECONDS`, however long nothing else is told."""
    begun = time.monotonic()
    ended = threading.Event()
    told = ""

    def tell() -> None:
        while not ended.wait(LOG_SECONDS):
            if told:
                complain(f"{told.strip()} ({time.monotonic() - begun:.0f} s)")

    def show(text: str) -> None:
        nonlocal told
        told = text

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield show
    finally:
        ended.set()
        teller.join()


def _is_dumb() -> bool:
    return os.environ.get("TERM", "") in ("", "dumb") or bool(os.environ.get("CI"))

"""A line on stderr that says what is being done, on a terminal and nowhere else; it is gone when the work is done."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from subdrift.linter.report.terminal import first_cells, safe

WIDTH = 80
"""Cells of a terminal that does not tell its size."""
_AFRESH = "\r\x1b[K"


@contextmanager
def progress(wanted: bool = True) -> Iterator[Callable[[str], None] | None]:
    """What shows a text in place of the one before; None where nobody looks."""
    stream = sys.stderr
    if not wanted or stream is None or stream.closed or not stream.isatty() or _is_dumb():
        yield None
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


def _is_dumb() -> bool:
    return os.environ.get("TERM", "") in ("", "dumb") or bool(os.environ.get("CI"))

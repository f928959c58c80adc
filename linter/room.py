"""Room for the frames of deep calls.

CPython keeps the frames of Python's functions in chunks of 16 KB, and maps a chunk anew whenever a call crosses the end of one
(`push_chunk` in Python/pystate.c, since 3.11). A loop whose calls do so spends more time in the kernel than in itself, and
whether it does hangs on how deep it happens to be called. A frame that needs much gets a chunk of its own, twice as large as it
needs at most; what it calls goes on in that chunk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

FRAME_SLOTS = 1 << 20
"""Slots of the frame that is said to be needed, of 8 bytes each; memory that nobody touches is not taken."""


def with_room(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What a function gives, called where some 8 MB of frames have room."""
    return function(*arguments, **named)


with_room.__code__ = with_room.__code__.replace(co_stacksize=FRAME_SLOTS)

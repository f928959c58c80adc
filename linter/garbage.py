"""When the interpreter looks for objects that only hold one another."""

from __future__ import annotations

import gc

ALLOCATIONS = 200_000
"""Between two looks; a large tree gains about a tenth of its time by it."""


def look_seldom() -> None:
    """Facts are many small objects that live to the end: looking for cycles among them often is waste."""
    gc.set_threshold(ALLOCATIONS, 20, 50)

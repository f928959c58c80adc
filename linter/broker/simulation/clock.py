"""The virtual clock: actions with a time in, the earliest out. Time is in microseconds after the first step."""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Final

MS: Final = 1_000
"""Microseconds of a millisecond: versions are milliseconds, so several events share one."""
SECOND: Final = 1_000 * MS

Action = Callable[[], None]


class Agenda:
    """What is still to happen, in the order of time; events of one instant keep the order they were added in."""

    __slots__ = ("_added", "_waiting", "now_us")

    def __init__(self) -> None:
        self.now_us = 0
        self._added = 0
        self._waiting: list[tuple[int, int, Action]] = []

    def after(self, delay_us: int, action: Action) -> None:
        """Adds an action; a delay below 0 counts as 0."""
        self._added += 1
        heappush(self._waiting, (self.now_us + max(0, delay_us), self._added, action))

    @property
    def next_us(self) -> int | None:
        """When the next action is due; None: nothing is left to happen."""
        return self._waiting[0][0] if self._waiting else None

    def take(self) -> Action:
        """Moves the clock to the next action and takes it; raises IndexError where there is none."""
        self.now_us, _, action = heappop(self._waiting)
        return action

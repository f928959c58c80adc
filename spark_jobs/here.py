"""Work that is smaller than what a job of Spark's costs is done at the driver, by the same functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

Values = Iterable[Any]


class Here:
    """The values of some tasks, with as much of an RDD as the steps of a scan use."""

    def __init__(self, parts: Sequence[list[Any]]) -> None:
        self.parts = parts

    def mapPartitionsWithIndex(self, function: Callable[[int, Values], Values]) -> Here:  # noqa: N802 - PySpark's name
        """What a function makes of each task's number and values."""
        return Here([list(function(number, part)) for number, part in enumerate(self.parts)])

    def mapPartitions(self, function: Callable[[Values], Values]) -> Here:  # noqa: N802 - PySpark's name
        """What a function makes of each task's values."""
        return Here([list(function(part)) for part in self.parts])

    def partitionBy(self, count: int, task_of: Callable[[Any], int]) -> Here:  # noqa: N802 - PySpark's name
        """Pairs, each in the task that its key belongs to."""
        parts: list[list[Any]] = [[] for _ in range(count)]
        for pair in self.collect():
            parts[task_of(pair[0]) % count].append(pair)
        return Here(parts)

    def repartitionAndSortWithinPartitions(  # noqa: N802 - PySpark's name
        self, count: int, task_of: Callable[[Any], int]
    ) -> Here:
        """The same, sorted by key."""
        return Here([sorted(part, key=_first) for part in self.partitionBy(count, task_of).parts])

    def values(self) -> Here:
        """The second of each pair."""
        return self.mapPartitions(_seconds)

    def collect(self) -> list[Any]:
        """All values."""
        return [value for part in self.parts for value in part]

    toLocalIterator = collect  # noqa: N815 - PySpark's name


def _first(pair: tuple[Any, Any]) -> Any:
    return pair[0]


def _seconds(pairs: Values) -> Iterator[Any]:
    return (value for _, value in pairs)

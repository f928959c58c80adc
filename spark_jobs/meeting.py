"""Which repositories have looked up what files of others hold. Plain Python on hashes; no Spark in here.

Both sides are cut by hash into buckets, so that those of one key meet in one task.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from subdrift.spark_jobs.records import Record, hashed, hashes
from subdrift.spark_jobs.rows import Row


class Plan(Struct):
    """Where repositories are consumed. `shares`: which; `places`: by repository, also of those that others take in, the shares
    that get all of its files; `lent`: by hash of a key the shares that get every file that has it."""

    shares: Mapping[str, int]
    places: Mapping[str, tuple[int, ...]]
    lent: Mapping[int, frozenset[int]]


class Side(NamedTuple):
    """Hashes of a repository in one bucket: those it has looked up, or those of its files."""

    asks: bool
    repo: str
    packed: bytes


class Met(NamedTuple):
    """What a repository has looked up of what others hold, as packed hashes; `lacks`: a share it is in did not have all."""

    repo: str
    packed: bytes
    lacks: bool


def asking(records: Iterable[Record], buckets: int) -> Iterator[tuple[int, Side]]:
    """What the repositories of some records have looked up, by bucket."""
    for record in records:
        keys = [key for row in record.rows("asks") for key in json.loads(row[6])]
        yield from _cut(True, record.repo, hashed(keys), buckets)


def holding(records: Iterable[Record], buckets: int, kinds: Container[str]) -> Iterator[tuple[int, Side]]:
    """What the files of some records are found under, by bucket."""
    for record in records:
        found = {one for row in record.rows("index") if row[4] in kinds for one in hashes(row[6])}
        yield from _cut(False, record.repo, array("Q", found).tobytes(), buckets)


def held(pairs: Iterable[tuple[str, bytes]], buckets: int) -> Iterator[tuple[int, Side]]:
    """The same for hashes at hand, by repository."""
    for repo, packed in pairs:
        yield from _cut(False, repo, packed, buckets)


def _cut(asks: bool, repo: str, packed: bytes, buckets: int) -> Iterator[tuple[int, Side]]:
    found: list[array[int]] = [array("Q") for _ in range(buckets)]
    for one in hashes(packed):
        found[one % buckets].append(one)
    yield from ((bucket, Side(asks, repo, part.tobytes())) for bucket, part in enumerate(found) if part)


BUCKETS = 256
"""What repositories have looked up, and hold, is kept for the next scan in so many parts."""
_ASKED, _HELD = "was-asked", "was-held"


def looked_up(sides: Iterable[tuple[int, Side]]) -> Iterator[Row]:
    """What is kept of some buckets: (kind, bucket, repository, hashes)."""
    rows = [(_ASKED if side.asks else _HELD, str(bucket), side.repo, side.packed) for bucket, side in sides]
    yield from sorted(rows, key=lambda row: row[1:3])


def among(records: Iterable[Record], asks: bool, wanted: Container[int]) -> Iterator[tuple[str, bytes]]:
    """(repository, hashes): those of `looked_up` that are wanted."""
    for record in records:
        for _, _, repo, packed in record.rows(_ASKED if asks else _HELD):
            found = [one for one in hashes(packed) if one in wanted]
            if found:
                yield repo, array("Q", found).tobytes()


class _Holders:
    """The repositories that hold one key: how many, the first, and by share how many are in it."""

    __slots__ = ("count", "first", "inside")

    def __init__(self) -> None:
        self.count = 0
        self.first = ""
        self.inside: dict[int, int] = {}

    def add(self, repo: str, places: Iterable[int]) -> None:
        self.first = self.first or repo
        self.count += 1
        for share in places:
            self.inside[share] = self.inside.get(share, 0) + 1


def met(sides: Iterable[tuple[int, Side]], plan: Plan) -> Iterator[Met]:
    """Of one bucket; `plan` is that of the step in which these things were looked up."""
    asks: list[Side] = []
    holds: list[Side] = []
    for _, side in sides:
        (asks if side.asks else holds).append(side)
    holders: dict[int, _Holders] = {one: _Holders() for side in asks for one in hashes(side.packed)}
    seen: set[tuple[int, str]] = set()
    for side in holds:
        for one in hashes(side.packed):
            found = holders.get(one)
            if found is not None and (one, side.repo) not in seen:
                seen.add((one, side.repo))
                found.add(side.repo, plan.places.get(side.repo, ()))
    for side in asks:
        matched = array("Q")
        lacks = False
        share = plan.shares.get(side.repo, -1)
        for one in hashes(side.packed):
            found = holders[one]
            if found.count > (found.first == side.repo):
                matched.append(one)
                lacks = lacks or (
                    share not in plan.lent.get(one, ()) and found.inside.get(share, 0) < found.count
                )
        if matched:
            yield Met(side.repo, matched.tobytes(), lacks)


def differing(rows: Iterable[tuple[int, tuple[bool, tuple[object, ...]]]]) -> Iterator[tuple[str, bytes]]:
    """By repository the hashes under which files are found that are not the same as in an earlier scan. In: (share, (whether
    of that scan, `index` row)), those of a repository in one share."""
    sides: tuple[dict[str, dict[str, tuple[bytes, bytes]]], ...] = ({}, {})
    for _, (old, row) in rows:
        repo, path, mark, packed = str(row[1]), str(row[2]), row[5], row[6]
        assert isinstance(mark, bytes)
        assert isinstance(packed, bytes)
        if mark:
            files = sides[old].setdefault(repo, {})
            files[path] = max(files.get(path, (b"", b"")), (mark, packed))
    for repo in sorted(sides[0].keys() | sides[1].keys()):
        now, then = (side.get(repo, {}) for side in sides)
        paths = [
            path for path in now.keys() | then.keys() if now.get(path, ("",))[0] != then.get(path, ("",))[0]
        ]
        found = {
            one for path in paths for side in (now, then) if path in side for one in hashes(side[path][1])
        }
        if paths:
            yield repo, array("Q", found).tobytes()

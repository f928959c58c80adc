"""Which records go to which task, and what is done with them there: the halves of the steps before and after rows are
exchanged. No Spark in here."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from subdrift.linter import stages
from subdrift.linter.settings import Settings
from subdrift.spark_jobs import tables, work
from subdrift.spark_jobs.inputs import Setup
from subdrift.spark_jobs.meeting import Plan
from subdrift.spark_jobs.records import Record, hashed, hashes, pack, unpack
from subdrift.spark_jobs.rows import Row

KINDS = ("file",)
KINDS_WHOLE = ("file", "lasting")
"""Kinds of files that count where the run holds a candidate."""

Sent = tuple[int, Any]
"""A share, and what goes there."""


# -- demand -------------------------------------------------------------------------------------------------------


def parts(records: Iterable[Record], shares: Mapping[tuple[str, int], int]) -> Iterator[Sent]:
    """The parts of large repositories: (share, `part` row)."""
    for record in records:
        for row in record.rows("listing"):
            if row[0] == "part":
                yield shares[record.repo, row[3]], row


class Asking(Struct):
    """Where the repositories go that a round of demand asks; `searched`: those that it searches; `unchanged`: those an earlier
    scan has asked for some of it already."""

    shares: Mapping[str, int]
    unchanged: frozenset[str]
    searched: frozenset[str]


def to_demand(
    records: Iterable[Record], asking: Asking, kinds: Collection[str], old: bool = False
) -> Iterator[Sent]:
    """(share, (repository, rows)): what is listed and read of a repository; of an `old` scan its files and their reasons."""
    for record in records:
        share = asking.shares.get(record.repo)
        if share is None:
            continue
        if old:
            rows = [(f"old-{kind}", *row) for kind, *row in record.rows("facts", "index", "why")]
        else:
            index = record.rows("index")
            rows = [row[:4] for row in index if row[4] in kinds]
            if record.repo in asking.searched:
                rows += record.rows("listing")
            if record.repo in asking.unchanged:
                rows.append(("unchanged", record.repo, "", 0))
        if rows:
            yield share, (record.repo, pack(rows))


def demanded(
    sent: Iterable[Sent],
    request: stages.Request,
    more: stages.Request,
    number: int,
    setup: Setup,
    alone: bool = False,
) -> Iterator[Row]:
    """`work.read_demanded` of what `to_demand` gives."""
    by_repo: dict[str, list[bytes]] = {}
    for _, (repo, blob) in sent:
        by_repo.setdefault(repo, []).append(blob)
    rows = (row for repo in sorted(by_repo) for row in sorted(_rows(by_repo[repo]), key=_listed))
    yield from work.read_demanded(rows, request, more, number, setup, alone)


def _rows(blobs: Iterable[bytes]) -> Iterator[Row]:
    for blob in blobs:
        yield from unpack(blob)


def _listed(row: Row) -> tuple[str, int]:
    return row[0], row[3]


# -- consuming ----------------------------------------------------------------------------------------------------


def to_consume(records: Iterable[Record], plan: Plan, kinds: Collection[str]) -> Iterator[Sent]:
    """(share, (whole repository's own share, repository, blobs of facts and answers))."""
    for record in records:
        places = plan.places.get(record.repo, ())
        blobs = [record.blobs[name] for name in ("facts", "answers") if name in record.blobs]
        if blobs:
            for share in places:
                yield share, (plan.shares.get(record.repo) == share, blobs)
        if plan.lent and "facts" in record.blobs:
            yield from _lent(record, plan, frozenset(places), kinds)


def _lent(record: Record, plan: Plan, places: frozenset[int], kinds: Collection[str]) -> Iterator[Sent]:
    wanted: dict[str, set[int]] = {}
    for row in record.rows("index"):
        shares = {share for one in hashes(row[6]) for share in plan.lent.get(one, ())} - places
        if shares and row[4] in kinds:
            wanted.setdefault(row[2], set()).update(shares)
    if not wanted:
        return
    by_share: dict[int, list[Row]] = {}
    for row in record.rows("facts"):
        for share in wanted.get(row[2], ()):
            by_share.setdefault(share, []).append(row)
    yield from ((share, (False, [pack(rows)])) for share, rows in by_share.items())


def consumed(
    sent: Iterable[Sent],
    structure: work.Structure,
    clusters: Settings,
    kinds: Collection[str],
    *,
    sends: bool = False,
) -> Iterator[Row]:
    """`work.consume` of what `to_consume` gives; a share in each task."""
    rows: list[Row] = []
    for share, (own, blobs) in sent:
        turn = work.OWN if own else work.LENT
        for blob in blobs:
            rows += ((share, turn, "answers" if kind == "answers" else "file", *row)
                     for kind, *row in unpack(blob) if kind in ("answers", *kinds))  # fmt: skip
    rows.sort(key=lambda row: (row[0], row[1], row[3], row[2], row[4], row[5]))
    yield from work.consume(rows, structure, clusters, sends=sends)


def indexed(
    records: Iterable[Record], kinds: Collection[str], old: bool, shares: int
) -> Iterator[tuple[int, tuple[bool, Row]]]:
    """(share, (whether that was an earlier scan, `index` row)) of the files that count; a repository has one share."""
    for record in records:
        share = share_of((record.repo,)) % shares
        yield from ((share, (old, row)) for row in record.rows("index") if row[4] in kinds)


# -- judging ------------------------------------------------------------------------------------------------------


def spot_of(row: Row) -> str:
    """What brings rows of judging together, before or after it: a kind of unknown values, or a group."""
    kind, cluster, namespace, group, key = row[:5]
    return str(key) if kind in ("spot", "unknown") else "\n".join(("", cluster, namespace, group))


def spots(records: Iterable[Record]) -> Iterator[int]:
    """Hashes of what the rows of some records are judged together with, each once."""
    found = {spot_of((row[0], *row[2:])) for record in records for row in record.rows("members", "unknown")
             if row[4] is not None}  # fmt: skip
    yield from hashes(hashed(found))


def to_judge(
    records: Iterable[Record], only: Collection[int] | None, before: bool = False
) -> Iterator[tuple[tuple[str, ...], tuple[Any, Any]]]:
    """(what it is sorted by, (key, text)): rows of consuming whose spot is one of `only`, or rows of an earlier judging
    (`before`) whose spot is none of these."""
    for record in records:
        rows = record.rows(*record.blobs) if before else record.rows("members", "unknown")
        for row in rows:
            kind, cluster, namespace, group, key, text = row if before else (row[0], *row[2:])
            if group is None:
                continue
            spot = spot_of((kind, cluster, namespace, group, key))
            if only is not None and (hashes(hashed([spot]))[0] in only) == before:
                continue
            told = text if kind == "unknown" and not before else ""
            yield (spot, "before" if before else "", cluster, namespace, group, kind, told), (key, text)


def share_of(key: tuple[str, ...]) -> int:
    """The task of what is sorted by this: one spot has one."""
    return zlib.crc32(key[0].encode("utf-8", "backslashreplace"))


def judged(
    rows: Iterable[tuple[tuple[str, ...], tuple[Any, Any]]], settings: Settings, task: int = 0
) -> Iterator[Row]:
    """What judging them gives, with how many groups there are and, by repository, how many places of unknown values, of
    this `task`: `groups` and `blind`."""
    counts: Counter[tuple[str, str]] = Counter()
    for row in _judged(rows, settings):
        if row[0] in ("verdict", "named"):
            counts["groups", ""] += 1
        elif row[0] == "spot":
            counts["blind", row[1]] += 1
        yield row
    for (kind, repo), count in sorted(counts.items()):
        yield kind, repo, "", "", str(task), str(count)


def _judged(rows: Iterable[tuple[tuple[str, ...], tuple[Any, Any]]], settings: Settings) -> Iterator[Row]:
    old: list[Row] = []

    def new() -> Iterator[Row]:
        for (spot, before, cluster, namespace, group, kind, _), (key, text) in rows:
            if before:
                old.append((kind, cluster, namespace, group, key, text))
            else:
                yield spot, kind, cluster, namespace, group, key, text

    for row in work.judge(new(), settings):
        yield from old
        old.clear()
        yield row
    yield from old


# -- tables -------------------------------------------------------------------------------------------------------

SUBSCRIPTIONS, GROUPS, BLIND_SPOTS = LARGE = range(3)
"""Tables that executors write."""
_Keyed = tuple[tuple[Any, ...], tables.Record]
"""A row of a table with what it is sorted by, of which the table is first."""


def table_of(key: tuple[Any, ...]) -> int:
    """The table of a row."""
    return int(key[0])


def subscriptions(records: Iterable[Record]) -> Iterator[_Keyed]:
    """The rows of the table of that name."""
    for record in records:
        for kind, _, *order, text in record.rows("members"):
            if kind == "consumer":
                for number, row in enumerate(tables.subscriptions([(text,)])):
                    yield (SUBSCRIPTIONS, *map(_first_if_none, order), number), row


def verdicts(records: Iterable[Record]) -> Iterator[_Keyed]:
    """The rows of groups, and of places of unknown values."""
    for record in records:
        for _, *order, text in record.rows("verdict"):
            yield (GROUPS, *order), json.loads(text)
        for row in record.rows("spot"):
            yield blind_spot(json.loads(row[-1]))


def blind_spot(row: tables.Record) -> _Keyed:
    """A row of that table."""
    order = ("repo", "path", "line", "column", "field", "reason", "detail")
    return (BLIND_SPOTS, *(_first_if_none(tables.clean(row[name])) for name in order)), row


def _first_if_none(value: Any) -> tuple[bool, Any]:
    return value is not None, value

"""What a scan leaves for the next one, beside its tables.

A later scan goes through the same rounds. A repository whose commit is the same is not read again: of each round it has what
it had then, as far as the round asks for the same. And it is not consumed again unless something it looked up has changed by
then. So what is kept is what each round has read and why, what each repository has looked up, asked for and come to, and the
verdicts.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import pyarrow as pa  # type: ignore[import-untyped]
from msgspec import Struct

from subdrift.linter import stages
from subdrift.spark_jobs.arrow import column_of
from subdrift.spark_jobs.inputs import Source
from subdrift.spark_jobs.records import hashes
from subdrift.spark_jobs.rows import Row
from subdrift.spark_jobs.state_manifest import Manifest
from subdrift.spark_jobs.steps import At, Piece
from subdrift.spark_jobs.storage import Folder
from subdrift.spark_jobs.told import Told

STATE = "state"
"""Below the output folder: the tables of this module."""

STEPS = f"{STATE}/steps"
"""Below it a folder for each step of this scan, or of one before it whose records still count."""
TOLD_STATE = f"{STATE}/told"
"""What the driver knows: see `Left.rows`."""
TOLD_SENDS = f"{STATE}/told-of-sends"
"""The same of what sends, where that was looked for."""
COLUMNS = ("kind", "repo", "path", "number", "text")
_BATCH_ROWS = 10_000


class Left(Struct):
    """What the driver knows of a scan.

    `made`: what must be the same for its rows to stand for those of another; `whole`: what of all repositories together
    decides what one comes to. `told` was told by reading, `wanted` by consuming: in which round which repository wanted
    what. `came`: the last round in which a repository was consumed. `held` and `looked`: the told rows of that name. `asked`:
    what each round has looked for in all repositories, the first being 1. `pieces` are what its steps have left, `said` the
    told rows of consuming that reports are made from, `met` the hashes each repository has looked up that others hold, `at`
    where the records of each step are.
    """

    made: str
    whole: str
    told: Told
    wanted: dict[int, Told]
    came: dict[str, int]
    held: Told
    looked: Told
    asked: dict[int, stages.Request]
    pieces: list[Piece] = []
    said: Told = set()
    met: dict[str, set[int]] = {}
    at: dict[str, At] = {}

    def rows(self) -> Iterator[Row]:
        """As rows of a table."""
        yield "made", "", "", 0, self.made
        yield "whole", "", "", 0, self.whole
        yield from ((f"told-{row[0]}", *row[1:]) for row in sorted(self.told, key=_order))
        for number, rows in sorted(self.wanted.items()):
            yield from ((f"wanted-{kind}", repo, "", number, name) for kind, repo, name in sorted(rows))
        yield from (("came", repo, "", number, None) for repo, number in sorted(self.came.items()))
        yield from (("held", repo, key, 0, text) for _, repo, _, _, _, key, text in sorted(self.held))
        yield from (("looked", repo, "", 0, text) for _, repo, *_, text in sorted(self.looked))
        for one in self.pieces:
            yield f"piece-{one.role}", "", one.step, one.number, json.dumps(sorted(one.repos))
        yield from ((f"said-{row[0]}", row[1], row[5], 0, row[6]) for row in sorted(self.said))
        for repo, found in sorted(self.met.items()):
            yield "met", repo, "", 0, array("Q", sorted(found)).tobytes().hex()
        for step, places in sorted(self.at.items()):
            yield "at", "", step, 0, json.dumps(places)
        for number, request in sorted(self.asked.items()):
            yield from (("asked-name", "", "", number, name) for name in request.names)
            yield from (("asked-file", "", "", number, name) for name in sorted(request.files))
            yield from (("asked-pair", "", "", number, json.dumps(pair)) for pair in sorted(request.learned))

    def table(self) -> pa.Table:
        """The same as a table."""
        types = dict.fromkeys(COLUMNS, pa.string()) | {"number": pa.int64()}
        columns = zip(COLUMNS, zip(*self.rows(), strict=True), strict=True)
        return pa.table({name: column_of(values, types[name]) for name, values in columns})

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Left:
        """Of such rows."""
        left = cls("", "", set(), {}, {}, set(), set(), {})
        names: dict[int, set[str]] = {}
        files: dict[int, set[str]] = {}
        pairs: dict[int, set[tuple[str, str]]] = {}
        for kind, repo, path, number, text in rows:
            match kind.partition("-"):
                case ("made", _, _):
                    left.made = text
                case ("whole", _, _):
                    left.whole = text
                case ("told", _, told):
                    left.told.add((told, repo, path, number, text))
                case ("wanted", _, wanted):
                    left.wanted.setdefault(number, set()).add((wanted, repo, text))
                case ("came", _, _):
                    left.came[repo] = number
                case ("held", _, _):
                    left.held.add(("held", repo, "", "", "", path, text))
                case ("looked", _, _):
                    left.looked.add(("looked", repo, "", "", "", "", text))
                case ("piece", _, role):
                    left.pieces.append(Piece(role, path, number, frozenset(_read(text))))
                case ("said", _, said):
                    left.said.add((said, repo, "", "", "", path, text))
                case ("met", _, _):
                    left.met[repo] = set(hashes(bytes.fromhex(text)))
                case ("at", _, _):
                    left.at[path] = _read(text)
                case (_, _, "name"):
                    names.setdefault(number, set()).add(text)
                case (_, _, "file"):
                    files.setdefault(number, set()).add(text)
                case _:
                    owner, name = json.loads(text)
                    pairs.setdefault(number, set()).add((owner, name))
        for number in sorted({*names, *files, *pairs}):
            found = tuple(sorted(names.get(number, ())))
            base_names = frozenset(files.get(number, ()))
            left.asked[number] = stages.Request(found, base_names, frozenset(pairs.get(number, ())))
        return left

    @property
    def repos(self) -> tuple[str, ...]:
        return tuple(sorted(row[1] for row in self.told if row[0] == "repository"))

    def heads(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """By root the name and the commit of what was read at one."""
        found: dict[str, list[tuple[str, str]]] = {}
        for kind, repo, source, _, commit in self.told:
            if kind == "head":
                found.setdefault(Source.loads(source).root, []).append((repo, commit))
        return found


class Before(Struct):
    """An earlier scan: what its driver knew, where its steps are, and what proves that they are whole."""

    left: Left
    manifest: Manifest

    @classmethod
    def of(cls, folder: Folder, manifest: Manifest, made: str, name: str = TOLD_STATE) -> Before | None:
        """What is below a folder, which is whole; None where that was made otherwise."""
        table = folder.load_table(name)
        left = Left.of(_rows_of(table))
        return cls(left, manifest) if left.made == made else None

    @property
    def steps(self) -> set[str]:
        """The steps whose records still count."""
        return {one.step for one in self.left.pieces}

    def pieces(self, role: str) -> list[Piece]:
        """What its steps of one kind have left."""
        return [one for one in self.left.pieces if one.role == role]


def _rows_of(table: pa.Table) -> Iterator[Row]:
    """The rows of such a table, some at a time; what most of them share is there once."""
    for batch in table.select(COLUMNS).to_batches(_BATCH_ROWS):
        for kind, repo, *more in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            yield (sys.intern(kind), sys.intern(repo), *more)


def _order(row: Row) -> tuple[object, ...]:
    """What told rows are sorted by; not all of them have a text."""
    *before, text = row
    return (*before, text or "")


def _read(text: str) -> Any:
    """What a text of this module's says; names in it may hold half a surrogate pair, which Python's own reader takes."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return json.loads(text)


def round_of(row: Row) -> int:
    """The round in which reading has told a row, 0 for first sight."""
    kind, _, path, number, _ = row
    if kind == "parsed":
        return int([*path.split(" ", 2), "0"][2])
    return number // 2 if kind in ("build", "start", "uses", "used-before", "diagnostic") else 0

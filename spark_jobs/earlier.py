"""What a scan leaves for the next one, beside its tables.

A later scan goes through the same rounds. A repository whose commit is the same is not read again: of each round it has what
it had then, as far as the round asks for the same. And it is not consumed again unless something it looked up has changed by
then. So what is kept is what each round has read and why, what each repository has looked up, asked for and come to, and the
verdicts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from pyspark.sql import DataFrame

from subdrift.linter import stages
from subdrift.spark_jobs.inputs import Source
from subdrift.spark_jobs.rows import CONSUMED, JUDGED, READ, Row
from subdrift.spark_jobs.storage import Folder
from subdrift.spark_jobs.told import Told

STATE = "state"
"""Below the output folder: the tables of this module."""

READ_STATE = f"{STATE}/read"
"""`READ` rows: those of listing; of files `first-` rows, which were read at first sight, and `late-` rows, which were asked
for (number: as in `READ`); and why each file was asked for, `defined` and `used`."""
CONSUMED_STATE = f"{STATE}/consumed"
JUDGED_STATE = f"{STATE}/judged"
TOLD_STATE = f"{STATE}/told"
"""`READ` rows of the driver's: see `Left.rows`."""


class Left(Struct):
    """What the driver knows of a scan.

    `made`: what must be the same for its rows to stand for those of another; `whole`: what of all repositories together
    decides what one comes to. `told` was told by reading, `wanted` by consuming: in which round which repository wanted
    what. `came`: the last round in which a repository was consumed. `held` and `looked`: the told rows of that name. `asked`:
    what each round has looked for in all repositories, the first being 1.
    """

    made: str
    whole: str
    told: Told
    wanted: dict[int, Told]
    came: dict[str, int]
    held: Told
    looked: Told
    asked: dict[int, stages.Request]

    def rows(self) -> Iterator[Row]:
        """As rows of a table."""
        yield "made", "", "", 0, self.made
        yield "whole", "", "", 0, self.whole
        yield from ((f"told-{row[0]}", *row[1:]) for row in sorted(self.told, key=str))
        for number, rows in sorted(self.wanted.items()):
            yield from ((f"wanted-{kind}", repo, "", number, name) for kind, repo, name in sorted(rows))
        yield from (("came", repo, "", number, None) for repo, number in sorted(self.came.items()))
        yield from (("held", repo, key, 0, text) for _, repo, _, _, _, key, text in sorted(self.held))
        yield from (("looked", repo, "", 0, text) for _, repo, *_, text in sorted(self.looked))
        for number, request in sorted(self.asked.items()):
            yield from (("asked-name", "", "", number, name) for name in request.names)
            yield from (("asked-file", "", "", number, name) for name in sorted(request.files))
            yield from (("asked-pair", "", "", number, json.dumps(pair)) for pair in sorted(request.learned))

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
    """An earlier scan: what its driver knew, and its rows: `READ`, `CONSUMED`, `JUDGED`.

    Of consuming there are `asked` rows besides: what a repository looked up (key) in any step, the last one or not.
    """

    left: Left
    read: DataFrame
    consumed: DataFrame
    judged: DataFrame

    @classmethod
    def of(cls, folder: Folder, made: str) -> Before | None:
        """What is below a folder, which is whole; None where that was made otherwise."""
        table = folder.load_table(TOLD_STATE)
        left = Left.of(zip(*(table.column(name).to_pylist() for name in table.column_names), strict=True))
        if left.made != made:
            return None
        return cls(
            left,
            folder.read(READ_STATE, READ),
            folder.read(CONSUMED_STATE, CONSUMED),
            folder.read(JUDGED_STATE, JUDGED),
        )


def round_of(row: Row) -> int:
    """The round in which reading has told a row, 0 for first sight."""
    kind, _, path, number, _ = row
    if kind == "parsed":
        return int([*path.split(" ", 2), "0"][2])
    return number // 2 if kind in ("build", "start") else 0

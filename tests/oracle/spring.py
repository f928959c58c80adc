"""What real Spring started, held against what subdrift lists: the cases of `fixtures/oracle/spring`, replayed.

Each case is a small repository, each start one run of one of its applications under one profile. What Spring started
is paired with the rows of `subdrift list`; each pair, and each row that is too much, is one of `Kind`. Everything runs
in this process. `python -m tests.oracle.spring [part of an id or feature]` prints the table by feature and the faults.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from subdrift import rules
from subdrift.linter import pipeline
from subdrift.linter.report import listing
from subdrift.linter.sources.checkout import Repository

DATA = Path(__file__).parents[2] / "fixtures" / "oracle" / "spring"
Row = dict[str, Any]

_FIELDS = (
    "group", "topic", "expression", "filter_type", "message_model", "consume_mode", "namespace",
)  # fmt: skip
_API = {
    "listener": ("spring-listener",), "stream": ("stream",), "lite-pull": ("spring-lite-pull", "spring-ext"),
}  # fmt: skip
_FOR_WANT_OF_A_VALUE = re.compile(
    r"Could not resolve placeholder|ircular placeholder|illegal characters|group|Illegal.*topic|topic", re.I
)
"""Why a start fails that an analysis can foresee: another failure is not judged."""


class Kind(Enum):
    """What becomes of a consumer that Spring started, of a row, or of a start that failed."""

    EXACT = "exact"
    UNKNOWN = (
        "unknown"  # nothing wrong, but a value is null that Spring knew, or no row speaks of the profile
    )
    WRONG = "WRONG"  # another value is given
    MISSING = "missing"  # no row, or only a disabled one
    PHANTOM = "phantom"  # a live row without conditions for what Spring never started
    HEDGED = "hedged"  # the same with conditions, or under a profile that no row mentions
    FAIL_SEEN = "fail-seen"  # it does not start for want of a value, and something is unknown here
    FAIL_BLIND = "fail-blind"  # it does not start for want of a value, and all is claimed to be known
    FAIL_OTHER = "fail-other"  # it does not start for another reason


RIGHT = frozenset({Kind.EXACT, Kind.HEDGED, Kind.FAIL_SEEN, Kind.FAIL_OTHER})


@dataclass(frozen=True)
class Case:
    """One repository; `files` maps paths to texts."""

    id: str
    setup: str
    features: tuple[str, ...]
    files: Mapping[str, str]


@dataclass(frozen=True)
class Unit:
    """One subscription of a consumer that Spring started; `where` are classes, `frames` methods of the case's own."""

    kind: str
    where: tuple[str, ...]
    frames: tuple[str, ...]
    binding: str
    values: Mapping[str, str | None]

    def __str__(self) -> str:
        name = self.binding or next(iter(self.where), "?")
        return f"{self.kind} {name} {self.values['group']}/{self.values['topic']}"


@dataclass(frozen=True)
class Start:
    """One start of one application of a case under one profile, or as a deployment file starts it; `failed` says why it
    did not come up, `active` which profile the deployment named."""

    case: str
    app: str
    profile: str
    failed: str | None
    units: tuple[Unit, ...]
    active: str = ""


@dataclass(frozen=True)
class Verdict:
    """One start judged: every unit, every row too much."""

    start: Start
    case: Case
    found: tuple[tuple[Kind, str, tuple[str, ...]], ...]

    @property
    def is_right(self) -> bool:
        return all(kind in RIGHT for kind, _, _ in self.found)


@dataclass
class Score:
    """Counts by feature, setup and in all: of starts, of right ones, and of each kind."""

    starts: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Counter[Kind]] = field(default_factory=dict)

    def add(self, verdict: Verdict) -> None:
        for name in (*verdict.case.features, f"setup {verdict.case.setup}", "all"):
            self.starts[name] += 1
            self.right[name] += verdict.is_right
            self.kinds.setdefault(name, Counter()).update(kind for kind, _, _ in verdict.found)

    def share(self, *kinds: Kind) -> float:
        """Occurrences of the kinds, as a share of the starts."""
        return sum(self.kinds["all"][kind] for kind in kinds) / self.starts["all"]

    def table(self) -> str:
        lines = [f"{'feature':28}{'starts':>7}{'right':>7}" + "".join(f"{k.value:>11}" for k in Kind)]
        for name in sorted(self.starts, key=lambda name: (name == "all", name.startswith("setup"), name)):
            counts = "".join(f"{self.kinds[name][kind]:>11}" for kind in Kind)
            lines.append(f"{name:28}{self.starts[name]:>7}{self.right[name]:>7}{counts}")
        return "\n".join(lines)


# -- the record ---------------------------------------------------------------------------------------------------


def _lines(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


@cache
def cases() -> Mapping[str, Case]:
    return {
        raw["id"]: Case(raw["id"], raw["setup"], tuple(raw["features"]), raw["files"])
        for raw in _lines("cases.jsonl.gz")
    }


@cache
def starts() -> tuple[Start, ...]:
    return tuple(
        Start(
            raw["id"],
            raw["app"],
            raw["profile"],
            raw.get("reason", "") if raw["status"] == "failed" else None,
            tuple(_units(raw)),
            ",".join(raw.get("active") or ()) if ":" in raw["profile"] else "",
        )
        for raw in _lines("truth.jsonl.gz")
        if raw["status"] in ("started", "failed")
    )


def _units(raw: Mapping[str, Any]) -> Iterator[Unit]:
    for one in raw.get("consumers", ()):
        frames = [each.partition(":")[0] for each in one.get("frames", ())]
        where = [one["class"]] if one.get("class") else [each.rpartition(".")[0] for each in frames]
        for each in one.get("subscriptions") or [{"topic": None, "expression": None, "type": None}]:
            values = {
                "group": one["group"],
                "topic": each["topic"],
                "expression": each["expression"],
                "filter_type": each["type"],
                "message_model": one["messageModel"],
                "consume_mode": one.get("consumeMode"),
                "namespace": one.get("namespace") or "",
            }
            yield Unit(one["kind"], _plain(where), _plain(frames), one.get("binding") or "", values)


def _plain(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.replace("$", ".") for name in names)


# -- running ------------------------------------------------------------------------------------------------------


def rows_of(case: Case) -> list[Row]:
    """What `subdrift list` says of a case."""
    with tempfile.TemporaryDirectory(prefix="spring-") as folder:
        for path, text in case.files.items():
            target = Path(folder) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode("utf-8"))
        result = pipeline.analyse(
            [Repository("case", folder)], rules.ALL, options=pipeline.Options(workers=1)
        )
    return listing.rows(result.consumers)


def verdicts(only: str = "") -> Iterator[Verdict]:
    """The starts of the cases with `only` in their id or among their features, judged."""
    wanted = {
        case.id: case for case in cases().values() if not only or only in case.id or only in case.features
    }
    rows = {name: rows_of(case) for name, case in wanted.items()}
    for start in starts():
        case = wanted.get(start.case)
        if case is not None:
            yield Verdict(start, case, tuple(judged(case, start, rows[case.id])))


# -- judging ------------------------------------------------------------------------------------------------------


def judged(case: Case, start: Start, rows: Sequence[Row]) -> Iterator[tuple[Kind, str, tuple[str, ...]]]:
    """What becomes of everything that Spring started, and of every row that is too much, with notes."""
    mine, fallen = _of_start(start, rows)
    if start.failed is not None:
        yield _failed(start.failed, [row for row in mine if not row["disabled"]])
        return
    pairs = _paired(case, start.units, mine)
    for number, unit in enumerate(start.units):
        row = mine[pairs[number]] if number in pairs else None
        if row is None and _is_raw(unit) and any(_same_place(unit, each, case) for each in rows):
            yield Kind.FAIL_SEEN, str(unit), ()
        elif row is None:
            yield Kind.MISSING, str(unit), ()
        elif row["disabled"]:
            yield Kind.MISSING, str(unit), (f"disabled: {row['conditions']}",)
        else:
            kind, notes = _compared(unit, row)
            if kind is Kind.WRONG and fallen:
                kind, notes = Kind.UNKNOWN, ("no row speaks of this profile", *notes)
            yield kind, str(unit), notes
    taken = set(pairs.values())
    choices = {mine[index]["choice"] for index in taken} - {""}
    for index, row in enumerate(mine):
        if index in taken or row["disabled"] or row["choice"] in choices:
            continue
        yield (Kind.HEDGED if row["conditions"] or fallen else Kind.PHANTOM), _shown(row), ()


def _of_start(start: Start, rows: Sequence[Row]) -> tuple[list[Row], bool]:
    """The rows that hold for a start, and whether they are those without profile because no row knows its own."""
    mine = [row for row in rows if row["scope"] != "test" and row["deployable"] in (start.app, "unknown")]
    known = {name for row in mine for name in row["environments"]}
    named = [start.profile, start.active]
    named += [each for each in known if each[:1] == "!" and start.profile and each[1:] not in named]
    here = next((name for name in named if name in known), "")
    return [row for row in mine if here in row["environments"]], here == "" != start.profile


def _failed(reason: str, live: Sequence[Row]) -> tuple[Kind, str, tuple[str, ...]]:
    shown = reason[:200]
    if not _FOR_WANT_OF_A_VALUE.search(reason):
        return Kind.FAIL_OTHER, shown, ()
    dark = any(
        why != "not-applicable" and name != "client_version"
        for row in live
        for name, why in row["unresolved"].items()
    )
    if dark or not live:
        return Kind.FAIL_SEEN, shown, ()
    return Kind.FAIL_BLIND, shown, tuple(map(_shown, live))


def _paired(case: Case, units: Sequence[Unit], rows: Sequence[Row]) -> dict[int, int]:
    """Units and the rows that stand for them, the likeliest pairs first."""
    likely = sorted(
        (
            (-likeness, i, j)
            for i, unit in enumerate(units)
            for j, row in enumerate(rows)
            if (likeness := _likeness(unit, row, case)) > 0
        )
    )
    found: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in likely:
        if i not in found and j not in taken:
            found[i] = j
            taken.add(j)
    return found


def _likeness(unit: Unit, row: Row, case: Case) -> float:
    kinds = _API.get(unit.kind)
    if row["api"] not in kinds if kinds is not None else row["api"] in chain(*_API.values()):
        return 0
    place = _same_place(unit, row, case)
    same = row["topic"] == unit.values["topic"] and row["group"] == unit.values["group"]
    if not place and not same:
        return 0
    weights = (("topic", 2.0), ("group", 2.0), ("expression", 1.0))
    equal = sum(
        weight for name, weight in weights if row[name] is not None and row[name] == unit.values[name]
    )
    return place + equal + (0 if row["disabled"] else 0.25)


def _is_raw(unit: Unit) -> bool:
    """Whether a consumer came up with the text of a placeholder that nothing answers, where other environments do."""
    return any("${" in (value or "") for value in unit.values.values())


def _same_place(unit: Unit, row: Row, case: Case) -> float:
    """How surely a row speaks of the place where Spring started a consumer."""
    symbol, path = row["symbol"].replace("$", "."), row["path"]
    if unit.kind == "lite-pull":
        return 5
    if unit.kind == "stream":
        return 8 if unit.binding and symbol == unit.binding else 0
    found = 0.0
    for where in unit.where[:1] if unit.kind == "listener" else unit.where:
        if symbol == where or symbol.startswith(f"{where}."):
            found = max(found, 8.0 if symbol == where or symbol in unit.frames else 7.5)
        elif path.endswith(f"/{where.replace('.', '/')}.java"):
            found = max(found, 6.0)
    if found or not unit.where:
        return found or 1
    if unit.kind != "listener":
        return 1 if path.endswith(".xml") or len(unit.where) == 1 else 0.5
    simple = re.escape(symbol.rpartition(".")[2])
    mine = f"{unit.where[0].replace('.', '/')}.java"
    text = next((text for name, text in case.files.items() if name.endswith(mine)), "")
    inherits = simple and re.search(rf"(extends|implements)\s[^{{]*\b{simple}\b|@{simple}\b", text)
    return 5 if inherits else 0


def _compared(unit: Unit, row: Row) -> tuple[Kind, tuple[str, ...]]:
    worst, notes = Kind.EXACT, []
    for name in _FIELDS:
        says, really = row[name], unit.values[name]
        if says is None:
            why = row["unresolved"].get(name)
            if not _may_be_null(name, why, really, unit):
                notes.append(f"{name}: unknown ({why}), really {really!r}")
                worst = worst if worst is Kind.WRONG else Kind.UNKNOWN
        elif (really is not None or name == "topic") and not _equal(name, says, really, unit):
            notes.append(f"{name}: says {says!r}, really {really!r}")
            worst = Kind.WRONG
    return worst, tuple(notes)


def _may_be_null(name: str, why: str | None, really: str | None, unit: Unit) -> bool:
    if not really or why == "not-applicable" or "${" in really:
        return True
    return name == "consume_mode" and unit.kind == "push"  # a listener object made elsewhere decides


def _equal(name: str, says: str, really: str | None, unit: Unit) -> bool:
    if name == "expression" and unit.values["filter_type"] != "SQL92":
        return _tags(says) == _tags(really)
    if name == "filter_type":
        return says == (really or "TAG")
    return says == really


def _tags(text: str | None) -> frozenset[str]:
    return frozenset(part.strip() for part in ((text or "").strip() or "*").split("||"))


def _shown(row: Row) -> str:
    conditions = [each["text"] for each in row["conditions"]]
    values = f"{row['group']}/{row['topic']}/{row['expression']}"
    place = f"{row['path']}:{row['line']}"
    return f"{row['api']} {row['symbol']} {place} {values} in {row['environments']} if {conditions}"


def main(only: str = "") -> int:
    """Prints every fault and the table; 1 where a value is wrong or a consumer is made up."""
    score = Score()
    for verdict in verdicts(only):
        score.add(verdict)
        for kind, what, notes in verdict.found:
            if kind not in RIGHT:
                start = verdict.start
                print(f"{kind.value:10} {start.case} {start.app} [{start.profile}] {what}")
                print("".join(f"{'':11}{note}\n" for note in notes), end="")
    print(score.table())
    return 1 if score.kinds and score.share(Kind.WRONG, Kind.PHANTOM) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))

"""`python -m tests.oracle.sequences`: replays the recorded sequences, and prints what of each type is modelled.

`--record` draws and runs them anew (needs a JDK 17). A method is *modelled* where a sequence that calls it came out
right, *havoc* where every one that calls it is unknown; *not tried* are the public methods that no row calls, as
`javap` and `dir` list them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Final

from tests.oracle.analyzer import rows
from tests.oracle.sequences.calls import Language, Sequence, Type, sequence, types
from tests.oracle.sequences.programs import files, run

RECORDED: Final = Path(__file__).parents[3] / "fixtures" / "sequences"
LANGUAGES: Final[tuple[Language, ...]] = ("java", "python")
SEED: Final = 23
OF_EACH: Final = 200
"""So many are drawn of each type, beside one for each single call."""
OF_A_PROGRAM: Final = 20

KINDS: Final = ("exact", "unknown", "false", "silent")
COVERED: Final = ("methods modelled", "havoc", "not tried")

_VALUES: Final[dict[str, object]] = {
    "iterator": iter(()),
    "generator": (each for each in "ab"),
    "dict.keys": dict.fromkeys("ab").keys(),
}
"""An object of each type that has no name of its own."""


@dataclass(slots=True)
class Replayed:
    """What came of the sequences of one type."""

    counts: Counter[str] = field(default_factory=Counter)
    modelled: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)


def tables(language: Language) -> dict[str, Type]:
    """The types of a language by name."""
    text = (Path(__file__).parent / f"{language}.txt").read_text(encoding="utf-8")
    return {one.name: one for one in types(language, text)}


def load(language: Language) -> Iterator[Sequence]:
    """The recorded sequences."""
    with gzip.open(RECORDED / f"{language}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            raw = json.loads(line)
            yield Sequence(raw["type"], raw["number"], tuple(raw["methods"]), tuple(raw["body"]), raw["text"])


def record(language: Language) -> None:
    """Draw, run and write the sequences of a language."""
    drawn = [
        sequence(one, number, SEED)
        for one in tables(language).values()
        for number in range(len(one.calls) + OF_EACH)
    ]
    text = "".join(json.dumps(asdict(one)) + "\n" for one in run(language, drawn))
    RECORDED.mkdir(exist_ok=True)
    (RECORDED / f"{language}.jsonl.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def chunks(sequences: Iterable[Sequence]) -> Iterator[list[Sequence]]:
    """As many sequences of one type as one program holds."""
    by_type: defaultdict[str, list[Sequence]] = defaultdict(list)
    for one in sequences:
        by_type[one.type].append(one)
    for several in by_type.values():
        yield from (several[start : start + OF_A_PROGRAM] for start in range(0, len(several), OF_A_PROGRAM))


def replay(language: Language, several: list[Sequence], into: Replayed) -> None:
    """Analyse a program of these sequences: each text is right, unknown, false, or has no row."""
    said: defaultdict[str | None, list[str | None]] = defaultdict(list)
    for row in rows(files(language, several)):
        said[row["group"]].append(row["topic"])
    for one in several:
        topics = said[f"g-{one.number}"]
        kind = (
            "silent"
            if not topics
            else "exact"
            if one.text in topics
            else "unknown"
            if None in topics
            else "false"
        )
        into.counts[kind] += 1
        into.called.update(one.methods)
        if kind == "exact":
            into.modelled.update(one.methods)
        elif kind != "unknown":
            body = "\n    ".join(one.body)
            into.faults.append(
                f"{kind}: {one.type} {one.number}\n    {body}\n  truth {one.text}\n  said  {topics}"
            )


def public(one: Type) -> set[str]:
    """The public methods that a type really has."""
    if one.language == "java":
        listed = subprocess.run(
            ["javap", "-public", one.full], capture_output=True, text=True, check=False
        ).stdout
        return set(re.findall(r"(\w+)\(", listed)) - {one.name, "forName"}
    if one.full in _VALUES:
        return set(dir(_VALUES[one.full]))
    module, _, name = one.full.rpartition(".")
    return set(dir(getattr(import_module(module or "builtins"), name)))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.sequences", description=__doc__)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--only", default="", help="a type")
    parser.add_argument("--language", choices=LANGUAGES, action="append")
    parser.add_argument("--show", type=int, default=2, help="so many faults of each type")
    options = parser.parse_args()
    faulty = 0
    for language in options.language or LANGUAGES:
        if options.record:
            record(language)
        found: defaultdict[str, Replayed] = defaultdict(Replayed)
        for several in chunks(load(language)):
            if not options.only or several[0].type == options.only:
                replay(language, several, found[several[0].type])
        total: Counter[str] = Counter()
        for name, one in found.items():
            faulty += len(one.faults)
            total += one.counts
            total += Counter(covered(tables(language)[name], one))
            print(line(tables(language)[name], one))
            print("".join(f"{fault}\n" for fault in one.faults[: options.show]), end="", flush=True)
        print(
            f"{language}, {len(found)} types:",
            ", ".join(f"{kind} {total[kind]}" for kind in (*KINDS, *COVERED)),
        )
    return int(bool(faulty))


def covered(one: Type, replayed: Replayed) -> dict[str, int]:
    """How many methods of a type are modelled, havoc, and not tried."""
    tried = (len(replayed.modelled), len(replayed.called - replayed.modelled))
    return dict(zip(COVERED, (*tried, len(_untried(one, replayed))), strict=True))


def _untried(one: Type, replayed: Replayed) -> set[str]:
    return {name for name in public(one) - replayed.called if not name.startswith("_")}


def line(one: Type, replayed: Replayed) -> str:
    """One line: how sequences came out, then methods modelled, havoc, not tried."""
    counts = replayed.counts
    havoc = sorted(replayed.called - replayed.modelled)
    untried = sorted(_untried(one, replayed))
    figures = " ".join(f"{kind} {counts[kind]}" for kind in KINDS)
    return (
        f"{one.language} {one.name}: {figures}; methods modelled {len(replayed.modelled)}, "
        f"havoc {len(havoc)} ({' '.join(havoc)}), not tried {len(untried)} ({' '.join(untried)})"
    )


if __name__ == "__main__":
    sys.exit(main())

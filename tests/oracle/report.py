"""Judged programs -> tables, thresholds, and one program with all its deviations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Final

from tests.oracle.analyzer import Row
from tests.oracle.program import Program
from tests.oracle.score import Judged, Note, knowable, shown

ALL: Final = "ALL"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Shares of the expectations: `exact` at least, the others at most. `wrong` is false values and phantoms."""

    exact: float = 0.0
    wrong: float = float("inf")
    missing: float = float("inf")
    infeasible: float = float("inf")

    def broken(self, counts: Mapping[str, int]) -> Iterator[str]:
        """A sentence for each threshold that is not met."""
        for each in fields(self):
            bound: float = getattr(self, each.name)
            share = counts[each.name] / max(1, counts["expected"])
            if share < bound if each.name == "exact" else share > bound:
                side = "at least" if each.name == "exact" else "at most"
                yield f"{each.name} {share:.2%}, {side} {bound:.2%} is asked for"


def table(results: Iterable[tuple[Program, Judged]]) -> str:
    """The figures over all programs, then a row for each feature, the most harmful first.

    A program counts for each of its features. *Excess*: how much more often a program with the feature has a fault than
    all programs.
    """
    by_tag: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for program, judged in results:
        own = Counter({"programs": 1, "clean": int(judged.clean)}) + judged.counts
        for tag in (ALL, "language-" + program.language, *program.tags):
            by_tag[tag].update(own)
    total = by_tag[ALL]
    order = sorted(by_tag.items(), key=lambda one: (one[0] != ALL, _clean(one[1]), one[0]))
    head = (
        "feature", "programs", "without a fault", "expected", "exact", "unknown", "missing", "false values",
        "phantoms", "infeasible", "excess",
    )  # fmt: skip
    cells = [head, *(_cells(tag, counts, total) for tag, counts in order)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in cells]
    return "\n".join([*(line.rstrip() for line in lines), "", *summary(total)])


def _clean(counts: Counter[str]) -> float:
    return counts["clean"] / max(1, counts["programs"])


def _cells(tag: str, counts: Counter[str], total: Counter[str]) -> tuple[str, ...]:
    exact = f"{counts['exact'] / max(1, counts['expected']):.1%}"
    numbers = [counts[name] for name in ("unknown", "missing", "false", "phantom", "infeasible")]
    before = [tag, str(counts["programs"]), str(counts["clean"]), str(counts["expected"]), exact]
    return (*before, *map(str, numbers), f"{_clean(total) - _clean(counts):+.2f}")


def summary(total: Counter[str]) -> Iterator[str]:
    """The figures over all programs in a few lines."""
    expected = max(1, total["expected"])
    shares = [
        f"{name} {total[name] / expected:.2%}"
        for name in ("exact", "unknown", "missing", "false", "phantom", "infeasible")
    ]
    yield f"{total['programs']} programs, {total['expected']} expectations: " + ", ".join(shares)
    yield "wrong rows by kind: " + _kinds(total, "wrong:")
    yield "unknown by field: " + _kinds(total, "unknown:")
    yield (
        f"consumers {total['consumers']}, whole {total['whole']}; rows {total['rows']}; "
        f"duplicates {total['duplicate']}; noise {total['noise']}; low confidence and wrong {total['wrong-low']}"
    )


def _kinds(total: Counter[str], prefix: str) -> str:
    found = [
        f"{name[len(prefix) :]} {count}" for name, count in total.most_common() if name.startswith(prefix)
    ]
    return ", ".join(found) or "none"


def totals(results: Iterable[Judged]) -> Counter[str]:
    """The counts over all programs."""
    total: Counter[str] = Counter()
    for judged in results:
        total.update(programs=1, clean=int(judged.clean))
        total.update(judged.counts)
    return total


def deviations(program: Program, notes: Iterable[Note]) -> Iterator[str]:
    """The deviations of one program, a line each."""
    for note in notes:
        yield f"{program.name}  {note.what:<10} {note.kind:<18} {note.said}"


def full(program: Program, rows: Iterable[Row], judged: Judged) -> Iterator[str]:
    """One program: sources with line numbers, what its runs did, the analyzer's rows, the deviations."""
    yield f"== {program.name}: {program.language}, {', '.join(program.tags)}"
    yield f"   mains {', '.join(program.mains)}; inputs {list(map(list, program.inputs))}"
    for path, text in sorted(program.files.items()):
        if path.endswith((".java", ".py")) and text:
            yield f"\n-- {path}"
            for number, line in enumerate(text.splitlines(), 1):
                yield f"{number:4} {line}"
    yield "\n-- what the runs did"
    for made in program.truth:
        yield f"{made.api} made at {' < '.join(made.created)}"
        for variant in made.variants:
            state = "started" if variant.started else "NEVER STARTED"
            yield f"    group {_text(variant.group)} {variant.model} {state}"
            for each in variant.subscriptions:
                extra = "" if each.required else " (taken back or replaced)"
                at = each.places[0] if each.places else "?"
                said = f"{_text(each.topic)} {_text(each.expression)} {each.filter_type}"
                yield f"        {said} at {at}{extra}"
    yield "\n-- the analyzer's rows"
    numbers: dict[str, int] = {}
    for row in rows:
        yield f"#{numbers.setdefault(row['consumer'], len(numbers) + 1)} {shown(row)}"
    yield "\n-- deviations"
    yield from deviations(program, judged.notes) if judged.notes else ["none"]


def _text(text: str | None) -> str:
    return "null" if text is None else repr(text) if knowable(text) else f"{text!r} (cannot be known)"

"""`python -m tests.oracle.ablation`: takes knowledge away and runs every recorded program.

What is not known may cost an exact answer. It must not make a row false or a phantom, nor let a subscription go without
a row. Taken away: each single piece of what execution knows of libraries (`knowledge.py`), random tenths and halves of
them, each file but those of mains and of consumers, each configuration file. A subscription that only a withheld file shows is
no fault (`is_out_of_sight`).
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final

from tests.oracle import edge, idioms, kotlin, sample, store, written
from tests.oracle.analyzer import rows
from tests.oracle.knowledge import Piece, listed, without
from tests.oracle.program import Program
from tests.oracle.score import judge
from tests.oracle.sound import faults

SOURCES: Final = (".java", ".kt", ".py")
BUILT: Final = ("pom.xml",)
TENTH: Final = 0.1
HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one analysis of one program gave."""

    exact: int
    expected: int
    faults: tuple[str, ...]
    used: frozenset[Piece] = frozenset()


@dataclass(slots=True)
class Total:
    """One kind of ablation: how often it was done, how many programs were analysed, what they gave."""

    ablations: int = 0
    runs: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def take(self, outcome: Outcome, program: str, gone: str) -> None:
        self.runs += 1
        self.counts["exact"] += outcome.exact
        self.counts["expected"] += outcome.expected
        self.faults += (f"{program}  without {gone}  {fault}" for fault in outcome.faults)


@cache
def programs() -> dict[str, Program]:
    """Every recorded program, and the small repositories of `fixtures/edge`, by name; a name that stands twice is also its
    draw's."""
    found: dict[str, Program] = {}
    for path in (written.RECORDED, sample.SAMPLE, kotlin.RECORDED, *map(idioms.recorded, idioms.DRAWS)):
        for one in store.load(path):
            found[f"{path.name.partition('.')[0]} {one.name}" if one.name in found else one.name] = one
    found |= {one.name: one for one in edge.programs()}
    return {name: program for name, program in found.items() if not program.error}


@cache
def whole(name: str) -> Outcome:
    """A program with all that is known; its own faults are not those of an ablation."""
    return analysed(programs()[name], frozenset())


def analysed(program: Program, gone: Set[Piece], withheld: str = "") -> Outcome:
    """A program analysed without some pieces, or without a file. An analysis that fails is a fault."""
    with without(gone) as watch:
        try:
            found = rows({path: text for path, text in program.files.items() if path != withheld})
        except Exception as error:  # noqa: BLE001 - that it ends is what is looked for
            return Outcome(0, 0, (f"ended: {error!r}",), frozenset(watch.used))
    judged = judge(program, found)
    said = tuple(faults(program, found, judged, possible=True))
    return Outcome(judged.counts["exact"], judged.counts["expected"], said, frozenset(watch.used))


def ablated(name: str, gone: Set[Piece]) -> Outcome:
    """A program without some pieces: as it is where it asks for none of them, without the faults it has anyway."""
    before = whole(name)
    outcome = before if gone.isdisjoint(before.used) else analysed(programs()[name], gone)
    return replace(outcome, faults=tuple(each for each in outcome.faults if each not in before.faults))


def withheld(name: str) -> Iterator[str]:
    """The files that a program can lack: any that is not of a main, a build, or a place of a consumer."""
    program = programs()[name]
    needed = {*program.mains, *BUILT}
    for main in program.mains:
        path = main.replace(".", "/")
        needed |= {f"src/main/java/{path}.java", f"src/main/kotlin/{path.removesuffix('Kt')}.kt"}
    for made in program.truth:
        stacks = [made.created, *(s.places for variant in made.variants for s in variant.subscriptions)]
        needed |= {place.rpartition(":")[0] for stack in stacks for place in stack[:1]}
    if len(program.files) > 1:
        yield from (path for path in program.files if path not in needed)


_DECLARED: Final = re.compile(
    r"\b(?:class|interface|enum|record|object)\s+(\w+)|^(?:def|async def|fun)\s+(?:<[^>]*>\s*)?(?:\w+\.)?(\w+)",
    re.M,
)
_WORDS: Final = re.compile(r"\w+")


def is_out_of_sight(name: str, withheld: str, fault: str) -> bool:
    """Whether nothing that is left leads to a consumer that no row stands for once a file is withheld: its main names nothing
    that is declared in the file it is made in, nor in what names that, and so on.

    That it is made stands in the withheld file alone, and no analysis can tell: a main that calls `new Missing().start()`
    is any main. Files go by the names they declare, so that a name too many leads to more.
    """
    if not fault.startswith("silent"):
        return False
    program = programs()[name]
    files = {one: text for one, text in program.files.items() if one != withheld and one.endswith(SOURCES)}
    stack = [place.partition(":")[0] for place in fault.rpartition("made at ")[2].split(", ")]
    mains = {one for one in files if one in program.mains or _main_of(one) in program.mains}
    used = {one: set(_WORDS.findall(text)) for one, text in files.items()}
    reached = mains.intersection(stack) or mains
    while more := {
        one
        for one in files
        if one not in reached and any(_names(one, files) & used[each] for each in reached)
    }:
        reached |= more
    return stack[0] not in reached


def _names(path: str, files: Mapping[str, str]) -> set[str]:
    """The names of what a file declares."""
    return {Path(path).stem, *(each for found in _DECLARED.findall(files[path]) for each in found if each)}


def _main_of(path: str) -> str:
    """The class that runs as a file's main."""
    stem = path.removeprefix("src/main/java/").removeprefix("src/main/kotlin/").replace("/", ".")
    return f"{stem.removesuffix('.kt')}Kt" if path.endswith(".kt") else stem.removesuffix(".java")


def universe(names: list[str]) -> list[Piece]:
    """All pieces that matter to some programs: those that are listed, and those that one of them asks for."""
    return sorted(set(listed()).union(*(whole(name).used for name in names)))


def drawn(seed: str, piece: Piece) -> float:
    """A number of [0, 1) that is a piece's own: one more piece changes the draw of no other."""
    return int.from_bytes(hashlib.sha256(f"{seed} {piece}".encode()).digest()[:8]) / 2**64


def singles(names: list[str], total: Total, most: int | None, seed: str) -> None:
    """Each single piece that some program asks for, or so many of them at random."""
    used = {piece for name in names for piece in whole(name).used}
    for piece in sorted(used, key=lambda one: drawn(seed, one))[:most]:
        total.ablations += 1
        for name in names:
            if piece in whole(name).used:
                total.take(ablated(name, {piece}), name, piece)


def shares(names: list[str], total: Total, share: float, times: int, seed: str) -> None:
    """A random share of all pieces, so many times."""
    every = universe(names)
    for turn in range(times):
        gone = frozenset(one for one in every if drawn(f"{seed} {turn}", one) < share)
        total.ablations += 1
        for name in names:
            outcome = ablated(name, gone)
            few = f": {' + '.join(smallest(name, gone, outcome.faults[0]))}" if outcome.faults else ""
            total.take(outcome, name, f"{share:.0%} #{turn}{few}")


def smallest(name: str, gone: Set[Piece], fault: str) -> list[Piece]:
    """The pieces without which a program has a fault, as few as giving them back by halves, quarters, one by one tells."""
    left = sorted(gone)  # a model that is gone is not asked for
    size = len(left) // 2
    while size:
        start = 0
        while start < len(left):
            fewer = left[:start] + left[start + size :]
            if fault in ablated(name, frozenset(fewer)).faults:
                left = fewer
            else:
                start += size
        size //= 2
    return left


def files(names: list[str], total: Total, *, sources: bool) -> None:
    """Each source file, or each other file, that is not needed."""
    for name in names:
        for path in withheld(name):
            if path.endswith(SOURCES) is sources:
                total.ablations += 1
                outcome = analysed(programs()[name], frozenset(), path)
                known = whole(name).faults
                kept = tuple(
                    each
                    for each in outcome.faults
                    if each not in known and not is_out_of_sight(name, path, each)
                )
                total.take(replace(outcome, faults=kept), name, path)


KINDS: Final = ("single", "tenth", "half", "source file", "configuration file")


def run(kind: str, names: list[str], times: int, seed: int) -> Total:
    """One kind of ablation over some programs; `times` is how often (of `single`: how many pieces, 0 all)."""
    total = Total()
    own = f"{seed} {kind}"
    if kind == "single":
        singles(names, total, times or None, own)
    elif kind in ("tenth", "half"):
        shares(names, total, TENTH if kind == "tenth" else HALF, times, own)
    else:
        files(names, total, sources=kind == "source file")
    return total


def _part(task: tuple[str, list[str], int, int]) -> Total:
    return run(*task)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.ablation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tenths", type=int, default=200)
    parser.add_argument("--halves", type=int, default=50)
    parser.add_argument("--only", default="", help="programs whose name holds this")
    parser.add_argument("--kind", action="append", choices=KINDS, help="all by default")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", type=int, default=20, help="so many faults of each kind")
    parser.add_argument("--details", type=Path, help="write every fault here")
    options = parser.parse_args()
    names = [name for name in programs() if options.only in name]
    print(f"seed {options.seed}; {len(names)} programs; {len(universe(names))} pieces")
    own = [f"{name}  {fault}" for name in names for fault in whole(name).faults]
    print(f"with everything known: {len(own)} faults, not counted below")
    times = {"tenth": options.tenths, "half": options.halves}
    details = []
    for kind in options.kind or KINDS:
        tasks = [
            (kind, names[start :: options.jobs], times.get(kind, 0), options.seed)
            for start in range(options.jobs)
        ]
        total = _sum(tasks, options.jobs)
        print(line(kind, total), flush=True)
        print("".join(f"    {fault}\n" for fault in total.faults[: options.show]), end="")
        details += total.faults
    if options.details:
        options.details.write_text("".join(f"{each}\n" for each in details), encoding="utf-8")
    return int(bool(details))


def _sum(tasks: list[tuple[str, list[str], int, int]], jobs: int) -> Total:
    if jobs == 1:
        return _part(tasks[0])
    total = Total()
    with ProcessPoolExecutor(jobs) as pool:
        for part in pool.map(_part, tasks):
            by_piece = tasks[0][0] in ("single", "tenth", "half")
            total.ablations = (
                max(total.ablations, part.ablations) if by_piece else total.ablations + part.ablations
            )
            total.runs += part.runs
            total.counts += part.counts
            total.faults += part.faults
    return total


def line(kind: str, total: Total) -> str:
    """One line of the table."""
    counts = Counter(_kind(fault) for fault in total.faults)
    exact = total.counts["exact"] / max(1, total.counts["expected"])
    return (
        f"{kind}: {total.ablations} ablations, {total.runs} programs, exact {exact:.2%}; "
        f"false {counts['false']}, phantom {counts['phantom']}, silent {counts['silent']}, ended {counts['ended']}"
    )


def _kind(fault: str) -> str:
    kind = fault.split("  ", 2)[2].split(":", 1)[0]
    if kind in ("silent", "ended"):
        return kind
    return "phantom" if kind in ("never-run", "never-started") else "false"


if __name__ == "__main__":
    sys.exit(main())

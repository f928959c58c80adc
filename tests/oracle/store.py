"""Programs with their truth on disk, so that scoring again neither generates nor runs them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.oracle.generate import generate, grammar_version
from tests.oracle.program import Program, dumps, loads
from tests.oracle.truth import record

BATCH = 200
"""So many programs are run at a time."""


def programs(folder: Path, seeds: Iterable[int], python_share: float, jobs: int) -> Iterator[Program]:
    """The programs of these seeds in their order, from the folder where it holds them, else made and kept there.

    A kept program of another grammar is made again. A program without truth is given with its error.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wanted = list(seeds)
    for start in range(0, len(wanted), BATCH):
        batch = wanted[start : start + BATCH]
        kept = {seed: _kept(_file(folder, seed, python_share)) for seed in batch}
        absent = [generate(seed, python_share) for seed in batch if kept[seed] is None]
        for made in record(absent, jobs) if absent else []:
            kept[made.seed] = made
            _file(folder, made.seed, python_share).write_text(dumps(made) + "\n", encoding="utf-8")
        yield from (program for program in kept.values() if program is not None)


def seeds_with(pattern: str, seed: int, count: int, python_share: float, looked_at_max: int) -> list[int]:
    """The first `count` seeds from `seed` on whose program has a tag that matches all of the pattern."""
    found: list[int] = []
    for one in range(seed, seed + looked_at_max):
        if any(re.fullmatch(pattern, tag) for tag in generate(one, python_share).tags):
            found.append(one)
            if len(found) == count:
                break
    return found


def load(path: Path) -> Iterator[Program]:
    """The programs of a `.jsonl.gz` file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield loads(line)


def save(path: Path, found: Iterable[Program]) -> None:
    """Write a `.jsonl.gz` file; equal programs give equal bytes."""
    text = "".join(dumps(program) + "\n" for program in found)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def _file(folder: Path, seed: int, python_share: float) -> Path:
    return folder / f"p{seed:06d}-{round(100 * python_share)}.json"


def _kept(path: Path) -> Program | None:
    if not path.exists():
        return None
    program = loads(path.read_text(encoding="utf-8"))
    return program if program.grammar == grammar_version() else None

"""What a bench has measured: lines of the closing table, and the ways to run the program under measurement."""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.measure import Command, Ratio, Sample

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Measured:
    """One line of the closing table; without a budget there is nothing to keep. `results` are those of the run."""

    work: str
    budget: float | None
    unit: str
    found: float
    results: str = ""

    @property
    def is_missed(self) -> bool:
        return self.budget is not None and self.found > self.budget


class WrongResultError(Exception):
    """A run did not give what it must; its speed means nothing."""


@dataclass(slots=True)
class Bench:
    """One run of the bench: its options, a folder for what it generates, and what it has measured so far."""

    options: argparse.Namespace
    scratch: Path
    table: list[Measured] = field(default_factory=list)

    def add(self, work: str, budget: float | None, unit: str, found: float, results: str = "") -> None:
        self.table.append(Measured(work, budget, unit, found, results))


Part = Callable[[Bench], None]


def show(table: list[Measured]) -> None:
    """Prints the closing table."""
    width = max((len(one.work) for one in table), default=4)
    print(f"\n{'work':<{width}} {'budget':>10} {'measured':>12}")
    for one in table:
        budget = "" if one.budget is None else f"{one.budget:.2f}"
        kept = "  MISSED" if one.is_missed else ""
        shown = f"  {one.results}" if one.results else ""
        print(f"{one.work:<{width}} {budget:>10} {one.found:>8.2f} {one.unit:<3}{kept}{shown}")


def check(*arguments: str | Path, cache: Path | None) -> list[str]:
    """The command line of a check that never fails for what it finds."""
    where = ["--no-cache"] if cache is None else ["--cache-dir", str(cache)]
    return [sys.executable, "-m", "subdrift", "check", *map(str, arguments), *where, "--exit-zero"]


def environment() -> dict[str, str]:
    """What runs are started with: this project's sources, and compiled modules kept as an installation keeps them."""
    return {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": ""}


def surroundings() -> dict[str, str]:
    """The whole environment of a run."""
    return {**os.environ, **environment()}


def command(name: str, arguments: list[str], cwd: Path = ROOT, **more: Any) -> Command:
    """Something to measure."""
    return Command(name, arguments, cwd, environment=environment(), **more)


def line(name: str, samples: list[Sample], ratios: dict[str, Ratio]) -> None:
    """Prints one measured command: medians, and ratios to floors."""
    wall = statistics.median(one.wall for one in samples) * 1000
    cpu = statistics.median(one.cpu for one in samples) * 1000
    codes = sorted({one.code for one in samples})
    parts = [
        f"{each.median:6.1f} {unit} (min {each.minimum:.1f}, cpu {each.cpu:.1f}{', noisy' if each.is_noisy else ''})"
        for unit, each in ratios.items()
    ]
    shown = "" if codes == [0] else f"  exit codes {codes}"
    print(f"  {name:<16} {wall:8.0f} ms wall {cpu:8.0f} ms cpu  {'  '.join(parts)}{shown}", flush=True)

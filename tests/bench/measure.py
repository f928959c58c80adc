"""Processes measured in paired rounds: wall and CPU time of the whole tree of processes, ratios within a round."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SAMPLE_SECONDS = 0.01
NOISY = 1.3
"""Spread between minimum and median above which a figure is not worth a conclusion."""


@dataclass(frozen=True, slots=True)
class Command:
    """What is measured; `prepare` runs before each round and is not."""

    name: str
    arguments: Sequence[str]
    cwd: Path
    prepare: Callable[[], None] = lambda: None
    environment: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    wall: float
    cpu: float
    code: int


def once(command: Command) -> Sample:
    """One run. CPU time includes the children it waited for."""
    command.prepare()
    start = time.perf_counter()
    process = subprocess.Popen(
        command.arguments,
        cwd=command.cwd,
        env={**os.environ, **(command.environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return Sample(wall, usage.ru_utime + usage.ru_stime, process.returncode)


def rounds(commands: Sequence[Command], count: int) -> dict[str, list[Sample]]:
    """A B C A B C …, after one round that is not counted."""
    found: dict[str, list[Sample]] = {command.name: [] for command in commands}
    for number in range(count + 1):
        for command in commands:
            sample = once(command)
            if number:
                found[command.name].append(sample)
    return found


@dataclass(frozen=True, slots=True)
class Ratio:
    """Of one command to a floor, paired by round."""

    median: float
    minimum: float
    cpu: float

    @property
    def is_noisy(self) -> bool:
        return self.median > NOISY * self.minimum


def ratio(samples: Sequence[Sample], floor: Sequence[Sample]) -> Ratio:
    walls = [one.wall / other.wall for one, other in zip(samples, floor, strict=True)]
    cpus = [one.cpu / max(other.cpu, 1e-6) for one, other in zip(samples, floor, strict=True)]
    return Ratio(statistics.median(walls), min(walls), statistics.median(cpus))


def peak_bytes(command: Command) -> int:
    """The largest proportional set size of the whole tree of processes; 0 where the system does not tell."""
    command.prepare()
    process = subprocess.Popen(
        command.arguments,
        cwd=command.cwd,
        env={**os.environ, **(command.environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(_proportional, tree(process.pid))))
        time.sleep(SAMPLE_SECONDS)
    return peak


def watched(arguments: Sequence[str], environment: Mapping[str, str], cwd: Path) -> tuple[int, str, int]:
    """Runs a command to its end: exit code, standard output, and the proportional set size of its largest Python process
    but itself, which is 0 where the system does not tell."""
    process = subprocess.Popen(arguments, cwd=cwd, env=environment, stdout=subprocess.PIPE, text=True)
    peak = 0
    while process.poll() is None:
        workers = (pid for pid in tree(process.pid) if pid != process.pid and _is_python(pid))
        peak = max(peak, max(map(_proportional, workers), default=0))
        time.sleep(10 * SAMPLE_SECONDS)
    assert process.stdout is not None
    with process.stdout as said:
        return process.returncode, said.read(), peak


def _is_python(pid: int) -> bool:
    try:
        return "python" in os.path.basename(os.readlink(f"/proc/{pid}/exe"))
    except OSError:
        return False  # it has ended meanwhile


def tree(pid: int) -> list[int]:
    """A process and all that come from it."""
    found = [pid]
    for one in found:
        try:
            for task in Path(f"/proc/{one}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            continue  # it has ended meanwhile
    return found


def _proportional(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass  # it has ended meanwhile
    return 0

"""One hostile case as data: what is made, what is run, and what is allowed to come out."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent.parent
SECONDS_MAX = 900.0
"""The end of patience with a run that hangs; never a bound that a case is held to."""
TRIES = 3
NOT_OURS = ("GIT_", "SUBDRIFT_", "PRE_COMMIT", "NO_COLOR", "FORCE_COLOR", "COLUMNS")

LISTENER = """package {package};
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.springframework.stereotype.Component;
@RocketMQMessageListener(consumerGroup = "{group}", topic = {topic}, selectorExpression = "{tags}")
@Component
public class {name} implements RocketMQListener<String> {{
  public void onMessage(String m) {{}}
  {body}
}}
"""
BENIGN = "error[divergent-tags]"
"""What the two neighbours that every hostile tree holds must still bring."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run gave. `seconds` are those of the processor that it and its workers used, however busy the machine
    is; `elapsed` those of the clock on the wall."""

    code: int
    out: str
    err: str
    seconds: float
    elapsed: float

    @property
    def all(self) -> str:
        return self.out + self.err


def run(
    *arguments: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    prepare: Callable[[], None] | None = None,
    stdin: bytes = b"",
) -> Ran:
    """Run the command to its end; no run may show a traceback or call itself broken."""
    begun, used = time.perf_counter(), _used()
    done = subprocess.run(
        command(*arguments),
        cwd=cwd,
        env=environment(env),
        input=stdin,
        capture_output=True,
        timeout=SECONDS_MAX,
        check=False,
        preexec_fn=prepare,
    )
    ran = Ran(
        done.returncode,
        done.stdout.decode("utf-8", "replace"),
        done.stderr.decode("utf-8", "replace"),
        _used() - used,
        time.perf_counter() - begun,
    )
    for never in (
        "Traceback",
        "internal error",
        "eading failed:",
        "his program failed:",
        "Exception ignored",
    ):
        assert never not in ran.all, ran.all[-3000:]
    return ran


def used(pid: int) -> float:
    """Seconds of the processor that a process has used; Linux numbers the clocks of processes so. Raises `OSError`."""
    return time.clock_gettime((~pid << 3) | 2)


def _used() -> float:
    """Seconds of the processor that all children which have ended used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "subdrift", *map(str, arguments)]


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(NOT_OURS)}
    return kept | {"PYTHONPATH": str(ROOT)} | dict(more or {})


def listener(
    root: Path, name: str, tags: str, topic: str = '"T"', group: str = "g", body: str = "", package: str = "x"
) -> Path:
    path = root / f"{name}.java"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        LISTENER.format(name=name, tags=tags, topic=topic, group=group, body=body, package=package),
        encoding="utf-8",
    )
    return path


def neighbours(root: Path) -> None:
    """Two listeners that disagree: an error that nothing beside them may hide."""
    listener(root / "benign", "A", "a")
    listener(root / "benign", "B", "b")


def git(root: Path, *arguments: str) -> str:
    """Git for making trees, with a name and without anybody's configuration."""
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main")
    alone = {**environment(), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    return subprocess.run(
        ["git", *who, *arguments], cwd=root, env=alone, capture_output=True, text=True, check=True
    ).stdout


@cache
def floor() -> float:
    """Seconds of the processor for a run over the neighbours alone; the better of two."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        neighbours(root)
        return min(run("check", root, "--no-cache").seconds for _ in range(2))


def bounded(ran: Ran, times: float, again: Callable[[], Ran]) -> None:
    """Asserts that a run takes less than so many floors. What seems to take more is measured again, beside a floor that is
    measured again: neighbours that take caches and memory slow down both, but not at every moment alike."""
    for _ in range(TRIES):
        if ran.seconds < times * floor():
            return
        floor.cache_clear()
        ran = again()
    assert ran.seconds < times * floor(), f"{ran.seconds:.1f} s, floor {floor():.2f} s"


@dataclass(frozen=True, slots=True)
class Case:
    """A tree, and what a run over it must and must not do.

    `make` fills a folder that holds the neighbours already. `codes` are the exit codes allowed, `times` the time as a
    multiple of the floor, `named` what stdout or stderr must say, `never` what they must not; `found` whether the
    neighbours' error must be there.
    """

    name: str
    make: Callable[[Path], object]
    codes: tuple[int, ...] = (1,)
    times: float = 12.0
    named: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    found: bool = True
    command: tuple[str, ...] = ("check", "{root}", "--no-cache")

    def hold(self, root: Path) -> Ran:
        neighbours(root)
        self.make(root)
        line = [part.replace("{root}", str(root)) for part in self.command]
        ran = run(*line)
        assert ran.code in self.codes, ran.all[-3000:]
        for text in self.named:
            assert text in " ".join(ran.all.split()), f"{text!r} is not in:\n{ran.all[-3000:]}"
        for text in self.never:
            assert text not in ran.all
        if self.found:
            assert BENIGN in ran.out, ran.all[-3000:]
        bounded(ran, self.times, lambda: run(*line))
        return ran

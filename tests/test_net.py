"""Work that takes too long or too much costs its file, said by name, and the run goes on."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from subdrift.linter import extract, net, pipeline, workers
from subdrift.linter.clients.apis import Action
from subdrift.linter.resolve import programs
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.sources.checkout import Repository

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux's /proc")

GOOD = (
    "from rocketmq.client import PushConsumer\nc = PushConsumer('good')\nc.subscribe('t', print)\nc.start()\n"
)
BAD = GOOD.replace("good", "bad")


def spin() -> None:
    while True:
        pass


def spin_and_guard() -> None:
    """As code does that takes every exception for a bug of its own."""
    while True:
        try:
            spin()
        except Exception:  # noqa: BLE001
            continue


def linger() -> None:
    """As what is slow and comes to an end."""
    end = time.process_time() + 0.6
    while time.process_time() < end:
        pass


def grow() -> None:
    held = []
    while True:
        held.append(bytearray(64 << 20))


def die() -> None:
    os._exit(3)


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(net, "SECONDS_MAX", 0.5)
    monkeypatch.setattr(net, "AGAIN_SECONDS", 0.2)
    monkeypatch.setattr(net, "FILE_BYTES_MAX", 512 << 20)
    before = resource.getrlimit(resource.RLIMIT_AS)
    yield
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


def _analysed(folder: Path) -> tuple[set[str | None], list[tuple[str, str]], dict[str, str]]:
    """Groups that are known, diagnostics by file, and the first reason of each row without a group by file."""
    (folder / "good.py").write_text(GOOD, encoding="utf-8")
    (folder / "bad.py").write_text(BAD, encoding="utf-8")
    result = pipeline.analyse([Repository("r", str(folder))], (), options=pipeline.Options(workers=1))
    groups = {one.group.text for one in result.consumers}
    unknown = {one.at.origin.path: one.group.detail for one in result.consumers if one.group.text is None}
    return groups, [(d.at.origin.path, d.name) for d in result.diagnostics], unknown


@pytest.mark.parametrize("escape", [spin, spin_and_guard, grow])
def test_a_program_that_escapes_its_bounds_is_named_and_the_others_are_run(
    escape: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    makes = Interpreter.makes

    def escaping(run: Interpreter, client: Any) -> None:
        if client.at.origin.path == "bad.py":
            escape()
        makes(run, client)

    monkeypatch.setattr(Interpreter, "makes", escaping)
    groups, told, unknown = _analysed(tmp_path)
    assert groups == {"good", None}
    assert ("bad.py", "not-followed") in told
    assert {path for path, _ in told} == {"bad.py"}
    what = "more-memory-than-a-run-may-take" if escape is grow else "more-time-than-a-run-may-take"
    assert what in unknown["bad.py"]


@pytest.mark.parametrize("escape", [spin, linger])
def test_behind_the_end_of_a_program_that_took_too_long_its_factory_may_make_another_consumer(
    escape: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opens = "def opened(group):\n c = PushConsumer(group)\n c.subscribe('t', print)\n c.start()\n"
    (tmp_path / "bad.py").write_text(
        f"from rocketmq.client import PushConsumer\n{opens}opened('first')\nslow = {{}}.get('x')\nopened('second')\n",
        encoding="utf-8",
    )
    step = Interpreter.step

    def escaping(run: Interpreter) -> None:
        if not run.stopped and any(one.action is Action.START for each in run.clients for one in each.events):
            escape()
        step(run)

    monkeypatch.setattr(Interpreter, "step", escaping)
    result = pipeline.analyse([Repository("r", str(tmp_path))], (), options=pipeline.Options(workers=1))
    groups = [one.group.text for one in result.consumers]
    assert sorted(groups, key=str) == [None, "first"]


@pytest.mark.parametrize("escape", [spin, grow])
def test_a_consumer_whose_alternatives_escape_their_bounds_is_told_as_one_of_too_many(
    escape: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = programs.Rows.replay

    def escaping(rows: Any, client: Any, *rest: Any) -> Any:
        if client.at.origin.path == "bad.py":
            escape()
        return replay(rows, client, *rest)

    monkeypatch.setattr(programs.Rows, "replay", escaping)
    groups, _, unknown = _analysed(tmp_path)
    assert groups == {"good", None}
    assert "than-a-run-may-take" in unknown["bad.py"]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(
    ("escape", "told"),
    [(spin, "file-took-too-long"), (grow, "file-took-too-much"), (die, "file-ended-its-reader")],
)
def test_a_file_that_escapes_its_reader_is_left_out_and_the_others_are_read(
    escape: Callable[[], None], told: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = extract.read

    def escaping(path: str, content: bytes) -> Any:
        if path == "bad.py":
            escape()
        return read(path, content)

    monkeypatch.setattr(workers, "read", escaping)
    jobs = [workers.Job(name, GOOD.encode()) for name in ("one.py", "bad.py", "two.py")]
    pooled = count > 1 or escape is die  # in one process a death ends the run
    one, bad, two = workers.read_all(jobs, count, isolated=pooled)
    assert one is not None
    assert one == two
    assert bad is not None
    assert bad.unit is None
    assert [(each.name, each.message.code) for each in bad.problems] == [("skipped-file", told)]


GOES_ON = """
import time
from subdrift.linter import net
from subdrift.linter.cli import interrupt
interrupt.install()
net.SECONDS_MAX = 0.2
try:
    with net.under():
        while True:
            pass
except net.Overdue:
    time.sleep(interrupt.GRACE_S * 3)
    print("went on")
"""


def test_the_net_does_not_end_a_command_as_an_interrupt_does() -> None:
    """The thread that watches for SIGINT is told of each signal, that of the net too."""
    done = subprocess.run(
        [sys.executable, "-c", GOES_ON], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "went on\n", "")

"""`check --watch`: a report for each change that matters, and none without one, until Ctrl-C."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from subdrift.linter import cli
from subdrift.linter.cli import watch
from tests.adopt.scratch import LISTENER

WAIT_S = 120.0
"""For a report, on a machine that has other things to do."""
WAITING = "watching for changes"


class Watched:
    """One `check --watch` that runs, and what it has printed."""

    def __init__(self, folder: Path, out: Path, process: subprocess.Popen[bytes]) -> None:
        self.folder = folder
        self.process = process
        self._out = out

    def write(self, name: str, tags: str, path: str = "") -> None:
        file = self.folder / (path or f"{name}.java")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(LISTENER.format(name=name, tags=tags, group="g", topic="T"), encoding="utf-8")

    def said(self) -> str:
        return self._out.read_text(encoding="utf-8")

    def until(self, reports: int) -> str:
        """Wait for so many reports; the last one."""
        end = time.monotonic() + WAIT_S
        while self.said().count(WAITING) < reports:
            assert time.monotonic() < end, self.said()
            assert self.process.poll() is None, self.said()
            time.sleep(0.05)
        return self.said().split(WAITING)[-2]

    def rests(self) -> None:
        """Nothing more is reported for some looks."""
        reports = self.said().count(WAITING)
        time.sleep(3 * watch.LOOK_S)
        assert self.said().count(WAITING) == reports, self.said()

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(WAIT_S)


@contextmanager
def watching(tmp_path: Path, *arguments: str) -> Iterator[Watched]:
    folder, out = tmp_path / "shop", tmp_path / "out.txt"
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "subdrift", "check", "--watch", *arguments]
    with out.open("wb") as printed:
        process = subprocess.Popen(command, cwd=folder, stdout=printed, stderr=subprocess.STDOUT)
    try:
        yield Watched(folder, out, process)
    finally:
        process.kill()
        process.wait()


def shop(tmp_path: Path, other: str) -> None:
    before = Watched(tmp_path / "shop", tmp_path, None)  # type: ignore[arg-type]
    before.write("A", "PAID")
    before.write("B", other)


def test_each_change_is_reported_and_nothing_else(tmp_path: Path) -> None:
    shop(tmp_path, "PAID")
    with watching(tmp_path) as run:
        assert "1 group consistent (2 consumers, 2 files; 0 blind spots)" in run.until(1)
        run.rests()  # its own cache is no change
        run.write("B", "SHIPPED")
        assert "divergent-tags" in (second := run.until(2))
        assert "Compared with the last run: 1 new, 0 changed, 0 gone." in second
        run.write("B", "REFUNDED")
        assert "Compared with the last run: 0 new, 1 changed, 0 gone." in run.until(3)
        (run.folder / "notes").mkdir()  # a folder is no change, and a file in it is one
        run.rests()
        run.write("C", "PAID", "notes/C.java")
        assert "Checked 3 files, 3 consumers, 1 group" in run.until(4)
        (run.folder / "notes/C.java").unlink()
        run.write("B", "PAID")
        assert "Compared with the last run: 0 new, 0 changed, 1 gone." in run.until(5)
        assert run.end() == 130
        assert run.said().endswith("subdrift: interrupted\n")


def test_a_configuration_that_is_being_edited_ends_nothing(tmp_path: Path) -> None:
    shop(tmp_path, "SHIPPED")
    with watching(tmp_path, "--output", f"json={tmp_path / 'report.json'}") as run:
        run.until(1)
        configuration = run.folder / ".subdrift.toml"
        configuration.write_text("[rules\n", encoding="utf-8")
        assert ".subdrift.toml:1: is not valid TOML" in run.until(2)
        run.rests()
        configuration.write_text(
            "fail-on = 'never'\n[rules.divergent-tags]\nlevel = 'off'\n", encoding="utf-8"
        )
        assert "divergent-tags" not in run.until(3)
        configuration.unlink()
        assert "divergent-tags" in run.until(4)
        assert '"divergent-tags"' in (tmp_path / "report.json").read_text(encoding="utf-8")


def test_a_new_repository_of_the_organisation_is_a_change(tmp_path: Path) -> None:
    shop(tmp_path, "PAID")
    with watching(tmp_path, "--org", str(tmp_path / "shop")) as run:
        run.until(1)
        run.write("A", "PAID", "billing/A.java")
        assert "1 consumer" in run.until(2)


def test_it_ends_with_its_reader(tmp_path: Path) -> None:
    shop(tmp_path, "SHIPPED")
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "subdrift", "check", "--watch"]
    done = subprocess.run(
        command, cwd=tmp_path / "shop", stdout=writer, stderr=subprocess.PIPE, timeout=WAIT_S, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_is_cleared_before_each_report(tmp_path: Path) -> None:
    shop(tmp_path, "SHIPPED")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "subdrift", "check", "--watch", "--quiet"]
    with subprocess.Popen(command, cwd=tmp_path / "shop", stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        said = b""
        while WAITING.encode() not in said:
            said += os.read(ours, 65536)
        process.send_signal(signal.SIGINT)
    os.close(ours)
    assert said.startswith(b"\x1b[H\x1b[2J")
    assert b"divergent-tags" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--fix",), "does not go with --fix"),
        (("--staged",), "does not go with --staged"),
        (("--registry-out", "x"), "does not go with --registry-out"),
        (("--output-format", "json"), "prints one of text, concise"),
        (("--org", "nowhere"), "nowhere"),
    ],
)
def test_what_does_not_go_with_it_is_said_at_once(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["check", "--watch", *arguments]) == 2
    assert words in capsys.readouterr().err

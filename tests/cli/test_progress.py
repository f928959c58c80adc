"""The progress line: on a terminal, one line, gone in the end; in a log one every half minute; never for `--quiet`."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from subdrift.linter.cli.progress import progress

ROOT = Path(__file__).parent.parent.parent


def seen(*arguments: str, **variables: str) -> str:
    """What a terminal gets on stderr."""
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    command = [sys.executable, "-m", "subdrift", "check", "--no-cache", "--exit-zero", *arguments]
    subprocess.run(
        command,
        cwd=ROOT,
        env=environment | {"TERM": "xterm"} | variables,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        check=True,
    )
    os.close(theirs)
    found = b""
    try:
        while part := os.read(ours, 65536):
            found += part
    except OSError:
        pass  # the other end is closed, and everything was read
    os.close(ours)
    return found.decode()


def test_a_terminal_is_told_what_is_being_done_and_keeps_nothing_of_it() -> None:
    said = seen("--org", "fixtures/orgs/shop")
    assert "reading 6 repositories" in said
    assert "judging 9 groups" in said
    assert "\n" not in said
    assert said.endswith("\r\x1b[K")


@pytest.mark.parametrize(
    ("arguments", "variables"), [(("--quiet",), {}), ((), {"TERM": "dumb"}), ((), {"CI": "true"})]
)
def test_nothing_is_said_where_it_is_not_wanted(
    arguments: tuple[str, ...], variables: dict[str, str]
) -> None:
    assert seen("--org", "fixtures/orgs/shop", *arguments, **variables) == ""


def test_a_log_gets_a_line_now_and_then_and_of_short_work_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with progress() as show:
        assert show is not None
        show("reading")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("subdrift.linter.cli.progress.LOG_SECONDS", 0.05)
    with progress() as show:
        assert show is not None
        show("reading")
        time.sleep(0.3)  # nothing else is told meanwhile
    lines = capsys.readouterr().err.splitlines()
    assert 2 <= len(lines) <= 6
    assert set(lines) == {"subdrift: reading (0 s)"}
    with progress(wanted=False) as show:
        assert show is None

"""Files are put in place whole, and what ended writers have left beside them is removed by the next."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from subdrift.linter import files

WRITER = """
import sys, time
from subdrift.linter import files
with files.beside(sys.argv[1]):
    print("begun", flush=True)
    time.sleep(60)
"""


def left(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.startswith(".subdrift-"))


def begun(path: Path) -> subprocess.Popen[str]:
    writer = subprocess.Popen((sys.executable, "-c", WRITER, str(path)), stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "begun\n"
    return writer


def test_what_a_killed_writer_has_left_is_removed_by_the_next_and_that_of_a_living_one_stays(
    tmp_path: Path,
) -> None:
    killed, living = begun(tmp_path / "file"), begun(tmp_path / "file")
    try:
        assert len(left(tmp_path)) == 2
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        files.write(str(tmp_path / "file"), b"new")
        assert len(left(tmp_path)) == 1
        assert (tmp_path / "file").read_bytes() == b"new"
    finally:
        living.kill()
        living.wait()
    files.write(str(tmp_path / "other"), b"")
    assert left(tmp_path) == []


def test_only_files_that_are_called_as_ours_are_removed(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"mine")
    (tmp_path / ".subdrift-1-0123456789abcdef").symlink_to(tmp_path / "target")
    os.mkfifo(tmp_path / ".subdrift-2-0123456789abcdef")
    (tmp_path / ".subdrift-3-0123456789abcdef").mkdir()
    (tmp_path / ".subdrift-baseline.json").write_bytes(b"{}")
    files.write(str(tmp_path / "file"), b"new")
    assert len(left(tmp_path)) == 4
    assert (tmp_path / "target").read_bytes() == b"mine"


def test_what_fails_leaves_the_old_file_and_nothing_beside(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), files.beside(str(tmp_path / "file")):
        raise ZeroDivisionError
    assert os.listdir(tmp_path) == ["file"]

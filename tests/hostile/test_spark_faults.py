"""`scan`, stopped where it hurts: a worker killed, the driver killed, no room for the output. Minutes: `make hostile` alone.

Afterwards the tables are those of a clean run, or of the run before; what is half-made is not taken for a result.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as parquet  # type: ignore[import-untyped]
import pytest

from tests.hostile.kit import ROOT, SECONDS_MAX, command, environment
from tests.spark.conftest import java as java

pytestmark = [pytest.mark.spark, pytest.mark.slow]

KILLS = int(os.environ.get("SUBDRIFT_SPARK_KILLS", "3"))
TABLES = ("subscriptions", "groups", "findings", "diagnostics")
ORG = ROOT / "fixtures" / "orgs" / "shop"
OURS = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}


def scan(out: Path, *more: str) -> list[str]:
    return command("scan", "--org", ORG, "--out", out, "--output-format", "json", *more)


def tables(out: Path) -> dict[str, object]:
    """What the tables hold; a folder without the mark of a whole result holds nothing."""
    if not (out / "_SUCCESS").exists():
        return {}
    return {name: parquet.read_table(out / name).to_pylist() for name in TABLES}


def ended(out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        scan(out, *more),
        env=environment(OURS),
        capture_output=True,
        text=True,
        timeout=2 * SECONDS_MAX,
        check=False,
    )


@pytest.fixture(scope="module")
def clean(java: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float, str]:
    """A folder with the tables of an undisturbed scan, its seconds and its report."""
    out = tmp_path_factory.mktemp("clean") / "out"
    begun = time.monotonic()
    done = ended(out)
    assert done.returncode == 1, done.stderr[-2000:]
    assert sorted(os.listdir(out)) == sorted(("_SUCCESS", *TABLES)) or "._SUCCESS.crc" in os.listdir(out)
    return out, time.monotonic() - begun, done.stdout


def below(leader: int) -> Iterator[tuple[int, str]]:
    """Processes of a session, with their command lines."""
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if os.getsid(int(name)) == leader:
                yield (
                    int(name),
                    Path("/proc", name, "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"),
                )
        except (OSError, ProcessLookupError):
            continue


def test_a_driver_that_is_killed_leaves_the_tables_of_before(
    clean: tuple[Path, float, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, seconds, report = clean
    out = tmp_path / "out"
    shutil.copytree(good, out)
    wanted = tables(good)
    choose, hit = random.Random(5), 0
    for _ in range(KILLS):
        process = subprocess.Popen(
            scan(out, "--replace"), env=environment(OURS), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        try:
            process.wait(choose.uniform(0.3, 1.0) * seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # Python and its Java
            process.wait()
            hit += 1
        found = tables(out)
        assert found in ({}, wanted), "half a result has the mark of a whole one"
    assert ended(out, "--replace").stdout == report
    assert tables(out) == wanted
    assert "_work" not in os.listdir(out)
    with capsys.disabled():
        print(f"\na scan: driver killed while running: {hit} of {KILLS}; tables equal afterwards")
    assert hit


def test_a_worker_that_is_killed_is_replaced(clean: tuple[Path, float, str], tmp_path: Path) -> None:
    good, _, report = clean
    out = tmp_path / "out"
    process = subprocess.Popen(
        scan(out),
        env=environment(OURS),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    killed = 0
    deadline = time.monotonic() + SECONDS_MAX
    while killed < 1 and process.poll() is None and time.monotonic() < deadline:
        workers = [pid for pid, line in below(process.pid) if "pyspark.daemon" in line]
        if len(workers) > 1:  # the daemon forks a worker for each task
            os.kill(max(workers), signal.SIGKILL)
            killed += 1
        time.sleep(0.05)
    told, said = process.communicate(timeout=2 * SECONDS_MAX)
    assert killed
    assert process.returncode == 1, said[-2000:]
    assert told == report
    assert tables(out) == tables(good)


def test_an_output_folder_without_room_is_said_and_holds_no_result(
    clean: tuple[Path, float, str], tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], check=False).returncode:
        pytest.skip("may not mount a small file system")
    try:
        failed = ended(disk / "out")
        assert failed.returncode == 2
        assert failed.stdout == ""
        assert "No space left on device" in failed.stderr, failed.stderr[-2000:]
        assert "Traceback" not in failed.stderr
        assert tables(disk / "out") == {}
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        assert ended(disk / "out", "--replace").stdout == clean[2]
        assert tables(disk / "out") == tables(clean[0])
    finally:
        subprocess.run(["umount", "-l", disk], check=True)

"""The tables of a scan are put in place as a whole: whatever ends a scan, its folder holds the old tables, or the new
ones, or says that they are not whole."""

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
from typing import Any

import pyarrow.parquet as parquet  # type: ignore[import-untyped]
import pytest
from pyspark.sql import SparkSession

from subdrift.spark_jobs import ScanError, scan
from subdrift.spark_jobs.earlier import STATE, TOLD_STATE
from subdrift.spark_jobs.inputs import Setup
from subdrift.spark_jobs.pipeline import Scan
from subdrift.spark_jobs.steps import Steps
from subdrift.spark_jobs.storage import SUCCESS, WORK, Folder, StorageError
from subdrift.spark_jobs.tables import NAMES

pytestmark = pytest.mark.spark

HOSTILE = bool(os.environ.get("SUBDRIFT_HOSTILE"))
KILLED = 12 if HOSTILE else 1
"""Drivers that are killed; one costs the start of a Spark."""
SECONDS_MAX = 540
TOLD_APART = ("subscriptions", "groups")
KIB = 1 << 10
SOURCE = """\
from rocketmq.client import PushConsumer
c = PushConsumer("{group}")
c.subscribe("orders", print, "paid")
c.start()
"""


@pytest.fixture(scope="module")
def made(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An organisation, and below the same folder tables of it: `old`, and `new` as a scan after a change would leave them."""
    folder = tmp_path_factory.mktemp("made")
    written(folder / "org", "old")
    scan(str(folder / "org"), None, str(folder / "old"))
    written(folder / "org", "new")
    shutil.copytree(folder / "old", folder / "new")
    for name in TOLD_APART:
        for file in (folder / "new" / name).glob("*.parquet"):
            table = parquet.read_table(str(file))
            index = table.column_names.index("consumer_group")
            parquet.write_table(table.set_column(index, "consumer_group", [["new"] * len(table)]), str(file))
            file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    return folder


def written(org: Path, group: str) -> None:
    (org / "app").mkdir(parents=True, exist_ok=True)
    (org / "app" / "main.py").write_text(SOURCE.format(group=group))


def groups_in(out: Path) -> dict[str, set[str]]:
    """The groups that two tables name: those of one scan name one."""
    return {
        name: set(parquet.read_table(str(out / name)).column("consumer_group").to_pylist())
        for name in TOLD_APART
    }


def state_of(spark: SparkSession, out: Path) -> str:
    """`old`, `new`, or `refused`: what a reader that asks for `_SUCCESS` makes of a folder. Anything else fails."""
    if not (out / SUCCESS).exists():
        steps = Steps(spark, Folder(spark, str(out)))
        with pytest.raises(ScanError, match=f"holds no ({SUCCESS}|{STATE})"):
            Scan(steps, Setup(), str(out))
        return "refused"
    assert all((out / name / SUCCESS).exists() for name in (*NAMES, TOLD_STATE))
    found = groups_in(out)
    assert found in ({name: {"old"} for name in found}, {name: {"new"} for name in found})
    return next(iter(found["groups"]))


class Ended(Exception):
    """Stands for the end of the driver."""


class Ending:
    """Hadoop's file system, which ends the driver at one of the calls that change something."""

    CHANGES = frozenset({"delete", "rename", "create"})

    def __init__(self, system: Any, calls: int) -> None:
        self._system = system
        self.left = calls

    def __getattr__(self, name: str) -> Any:
        if name in self.CHANGES:
            if self.left == 0:
                raise Ended
            self.left -= 1
        return getattr(self._system, name)


def test_ended_at_any_step_of_putting_in_place_it_is_old_or_refused_or_new(
    made: Path, spark: SparkSession, tmp_path: Path
) -> None:
    old, new = made / "old", made / "new"
    assert (state_of(spark, old), state_of(spark, new)) == ("old", "new")
    assert not (old / WORK).exists()
    names = (*NAMES, STATE)
    seen: list[str] = []
    for calls in range(100):
        out = tmp_path / "out"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(old, out)
        folder = Folder(spark, str(out))
        folder.take()
        for name in names:
            shutil.copytree(new / name, out / folder.staged / name)
        folder._system = Ending(folder._system, calls)
        try:
            folder.put_in_place(names)
        except Ended:
            seen.append(state_of(spark, out))
            continue
        seen.append(state_of(spark, out))
        break
    assert [state for state, before in zip(seen, ["", *seen[:-1]], strict=True) if state != before] == [
        "old",
        "refused",
        "new",
    ]
    assert seen.count("refused") >= 2 * len(names)


def test_what_an_ended_first_scan_has_left_is_not_in_the_way(spark: SparkSession, tmp_path: Path) -> None:
    ended = Folder(spark, str(tmp_path))
    (tmp_path / ended.staged / "groups").mkdir(parents=True)
    folder = Folder(spark, str(tmp_path))
    assert folder.is_empty()
    folder.take()
    assert not (tmp_path / ended.work).exists()
    folder.leave()
    assert not (tmp_path / WORK).exists()
    (tmp_path / "groups").mkdir()
    assert not Folder(spark, str(tmp_path)).is_empty()


@pytest.mark.parametrize("number", range(KILLED))
def test_a_killed_driver_leaves_the_old_tables_or_the_new_ones(
    number: int, made: Path, spark: SparkSession, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(made / "old", out)
    org = made / "org"
    driver = subprocess.Popen(
        [sys.executable, "-m", "subdrift", "scan", "--org", org, "--out", out, "--replace", "--exit-zero"],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    staged = f"{WORK}/*/tables"
    steps = [staged, *(f"{staged}/{name}" for name in (*NAMES, TOLD_STATE))]
    awaited = steps[-1] if number == 0 else random.Random(number).choice(steps)
    try:
        end = time.monotonic() + SECONDS_MAX
        while driver.poll() is None and not any(out.glob(awaited)) and time.monotonic() < end:
            time.sleep(0.002)
        time.sleep(random.Random(number).choice((0, 0.01, 0.1, 0.3)))
    finally:
        if driver.poll() is None:
            os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()

    assert state_of(spark, out) in ("old", "refused", "new")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few pages."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={32 * KIB}", "tmpfs", str(place)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"no file system can be mounted here: {error}")
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_folder_is_named_and_nothing_is_taken_for_a_result(
    made: Path, spark: SparkSession, small: Path
) -> None:
    with pytest.raises(ScanError, match=f"{small}/out: No space left on device"):
        scan(str(made / "org"), None, str(small / "out"))
    assert not (small / "out" / SUCCESS).exists()


def test_of_two_scans_into_one_folder_the_later_one_stands(
    spark: SparkSession, tmp_path: Path, made: Path
) -> None:
    """The second begins and ends while the first is between two of its steps, whichever."""
    written(tmp_path / "other", "other")
    out = tmp_path / "out"
    steps: list[str] = []
    scan(str(made / "org"), None, str(out), progress=steps.append)
    for number in range(1, len(steps)) if HOSTILE else (len(steps) // 2,):
        numbers = iter(range(1, 100))

        def overtaken(_: str, numbers: Iterator[int] = numbers, number: int = number) -> None:
            if next(numbers) == number:
                scan(str(tmp_path / "other"), None, str(out), replace=True)

        with pytest.raises(ScanError, match=f"^{out}: another scan has begun to write there"):
            scan(str(made / "org"), None, str(out), replace=True, progress=overtaken)
        assert groups_in(out) == {name: {"other"} for name in TOLD_APART}
        assert (out / SUCCESS).exists()


def test_tables_that_are_not_whole_are_refused(made: Path, spark: SparkSession, tmp_path: Path) -> None:
    shutil.copytree(made / "old", tmp_path / "first")
    (tmp_path / "first" / SUCCESS).unlink()
    with pytest.raises(ScanError, match="ended before its tables were whole; scan without --since"):
        scan(str(made / "org"), None, str(tmp_path / "second"), since=str(tmp_path / "first"))


def test_what_cannot_be_moved_is_said(spark: SparkSession, tmp_path: Path) -> None:
    folder = Folder(spark, str(tmp_path / "out"))
    folder.take()
    with pytest.raises(StorageError, match="groups"):
        folder.put_in_place(["groups"])

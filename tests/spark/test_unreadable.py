"""A scan answers for repositories that cannot be read as `check --org` does: words, rows, counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.adopt.scratch import subdrift
from tests.hostile.damaged import DAMAGES, UNREADABLE, damaged, made, mirror
from tests.spark.test_agreement import rows

pytestmark = pytest.mark.spark


def test_damaged_repositories_are_told_as_by_check(spark: SparkSession, tmp_path: Path) -> None:
    org = tmp_path / "org"
    source = made(tmp_path / "source")
    for name in DAMAGES:
        damaged(name, source, org / f"{name}.git")
    mirror(source, org / "other.git")
    checked = subdrift("check", "--org", org, "--no-cache", "--output-format", "json")

    out, registry = tmp_path / "out", tmp_path / "registry.db"
    scanned = subdrift(
        "scan", "--org", org, "--out", out, "--output-format", "json", "--registry-out", registry
    )

    assert scanned.out == checked.out
    unreadable = [name for name, (_, kind) in DAMAGES.items() if kind == UNREADABLE]
    assert json.loads(scanned.out)["summary"]["unreachable"] == len(unreadable)
    assert [row["unreachable"] for row in rows(out / "runs")] == [len(unreadable)]
    spots = {row["repo"] for row in rows(out / "blind_spots") if row["path"] == "."}
    assert spots == set(unreadable)
    assert (scanned.code, checked.code) == (2, 1)
    assert "repositories could not be read, and nothing was written that would leave them out" in scanned.err
    assert not registry.exists()
    remarks = [line for line in checked.err.splitlines() if "without a commit" in line]
    assert remarks
    assert [line for line in scanned.err.splitlines() if "without a commit" in line] == remarks


def test_where_nothing_can_be_read_a_scan_answers_nothing(spark: SparkSession, tmp_path: Path) -> None:
    org = tmp_path / "org"
    damaged("no-objects", made(tmp_path / "source"), org / "one.git")
    assert subdrift("scan", "--org", org, "--out", tmp_path / "out").code == 2
    assert subdrift("check", "--org", org, "--no-cache").code == 2

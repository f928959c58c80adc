"""A scan publishes the registry that one process publishes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from subdrift.spark_jobs import scan
from tests.registry.kit import against, committed, copied, published, repositories_of

pytestmark = pytest.mark.spark


def rows(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every table; of when it was published, nothing."""
    database = sqlite3.connect(file)
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {name: sorted(database.execute(f"SELECT * FROM {name}")) for name in names}
    database.close()
    found["meta"] = [row for row in found["meta"] if row[0] != "taken"]
    return found


@pytest.mark.parametrize("name", ["shop", "shared-listener"])
def test_a_scan_publishes_what_one_process_publishes(name: str, spark: SparkSession, tmp_path: Path) -> None:
    org = copied(name, tmp_path / "org")
    first = repositories_of(org)[0]
    (first / "CODEOWNERS").write_text("*.java @acme/java\n*.py @acme/python\n")
    committed(first)
    mine = published(org, tmp_path / "one.db")

    scan(str(org), None, str(tmp_path / "out"), registry_out=str(tmp_path / "spark.db"))

    theirs, ours = rows(tmp_path / "spark.db"), rows(mine)
    for table in ours:
        assert theirs[table] == ours[table], table
    assert against(first, tmp_path / "spark.db").findings == against(first, mine).findings

"""A scan publishes the registry that one process publishes."""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from subdrift.spark_jobs import scan
from tests.registry.kit import against, committed, copied, published, repositories_of

pytestmark = pytest.mark.spark

QUERIES = (
    "SELECT name, head, time, url, owners, answers, clusters FROM repositories",
    "SELECT r.name, f.path, f.digest, f.build, f.silences, f.facts FROM files f JOIN repositories r ON r.id = f.repository",
    "SELECT r.name, s.path FROM starts s JOIN repositories r ON r.id = s.repository",
    "SELECT h.key, r.name, f.path FROM holds h JOIN files f ON f.id = h.file JOIN repositories r ON r.id = f.repository",
    "SELECT a.key, r.name FROM asks a JOIN repositories r ON r.id = a.repository",
    "SELECT p.coordinate, r.name FROM provides p JOIN repositories r ON r.id = p.repository",
    "SELECT t.folder, r.name, o.name FROM takes t JOIN repositories r ON r.id = t.repository "
    "JOIN repositories o ON o.id = t.taken",
    "SELECT r.name, c.namespace, c.grp, c.consumer FROM consumers c JOIN repositories r ON r.id = c.repository",
    "SELECT r.name, l.path, l.line, l.text FROM lines l JOIN repositories r ON r.id = l.repository",
    "SELECT r.name, o.path, o.owners FROM owners o JOIN repositories r ON r.id = o.repository",
)


def rows(file: Path) -> list[list[tuple[object, ...]]]:
    database = sqlite3.connect(file)
    found = [
        sorted(
            tuple(zlib.decompress(one) if isinstance(one, bytes) and len(one) > 16 else one for one in row)
            for row in database.execute(query)
        )
        for query in QUERIES
    ]
    database.close()
    return found


@pytest.mark.parametrize("name", ["shop", "shared-listener"])
def test_a_scan_publishes_what_one_process_publishes(name: str, spark: SparkSession, tmp_path: Path) -> None:
    org = copied(name, tmp_path / "org")
    first = repositories_of(org)[0]
    (first / "CODEOWNERS").write_text("*.java @acme/java\n*.py @acme/python\n")
    committed(first)
    mine = published(org, tmp_path / "one.db")

    scan(str(org), None, str(tmp_path / "out"), registry_out=str(tmp_path / "spark.db"))

    for query, theirs, ours in zip(QUERIES, rows(tmp_path / "spark.db"), rows(mine), strict=True):
        assert theirs == ours, query
    assert against(first, tmp_path / "spark.db").findings == against(first, mine).findings

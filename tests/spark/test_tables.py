"""The queries of docs/spark.md, run by DuckDB over the tables of two scans."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest
from pyspark.sql import SparkSession

from subdrift.linter.model.counts import Tally
from subdrift.linter.model.unknown import count_blind
from subdrift.linter.pipeline import analyse
from subdrift.linter.sources.checkout import discover
from subdrift.rules import ALL
from subdrift.spark_jobs import scan
from tests.registry.kit import committed, copied, repositories_of

pytestmark = pytest.mark.spark

PAGE = Path(__file__).parents[2] / "docs" / "spark.md"


def queries() -> list[str]:
    (block,) = re.findall(r"```sql\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return [query.strip() for query in block.split(";") if query.strip()]


def test_every_example_query_answers(spark: SparkSession, tmp_path: Path) -> None:
    org = copied("shop", tmp_path / "org")
    orders = org / "orders"
    (orders / "CODEOWNERS").write_text("* @acme/orders\n")
    head = committed(orders)
    blind = org / "blind"
    blind.mkdir()
    (blind / "main.py").write_text(
        "import os\nfrom rocketmq.client import PushConsumer\n"
        'c = PushConsumer("blind-cg")\nc.subscribe(os.environ["TOPIC"], print)\nc.start()\n'
    )
    scan(str(org), None, str(tmp_path / "subdrift-before"))
    main = org / "notify" / "notify" / "main.py"
    main.write_text(main.read_text().replace('"||".join(POINTS_TAGS)', '"CHANGED"'))
    scan(str(org), None, str(tmp_path / "subdrift"))

    console, owned, changed, dark, losses = (
        duckdb.execute(query.replace("/srv/", f"{tmp_path}/")).fetchall() for query in queries()
    )

    result = analyse(discover([], str(org)), ALL)
    assert {group for group, *_ in console} >= {"audit-cg", "points-cg"}
    assert {repo for repo, *_ in owned} == {"orders"}
    assert {(change, rule, group) for change, rule, group, _ in changed} >= {
        ("new", "divergent-tags", "points-cg"),
        ("fixed", "tag-order-differs", "points-cg"),
    }
    assert ("blind", "topic", "set-at-deploy", 1) in dark
    assert sum(count for *_, count in dark) == count_blind(result.consumers, result.diagnostics).total()
    assert losses
    assert all(0 < lost <= 1 for lost, *_ in losses)
    table = tmp_path / "subdrift" / "repositories" / "*.parquet"
    rows = duckdb.execute(f"select repo, commit, owners, findings from '{table}' order by repo").fetchall()
    assert [repo for repo, *_ in rows] == [folder.name for folder in repositories_of(org)]
    assert ("orders", head, ["@acme/orders"]) in [row[:3] for row in rows]
    (run,) = duckdb.execute(
        f"select errors, finished >= started from '{tmp_path}/subdrift/runs/*.parquet'"
    ).fetchall()
    assert run == (Tally.of(result.findings, ()).errors, True)

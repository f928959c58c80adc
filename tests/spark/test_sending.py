"""Who sends what to whom: a scan and one process give the same, and publish the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as parquet  # type: ignore[import-untyped]
import pytest
from pyspark.sql import SparkSession

from subdrift.linter import settings
from subdrift.spark_jobs import scan
from subdrift.spark_jobs.tables import SCHEMA_VERSION
from tests.adopt.scratch import subdrift
from tests.registry.kit import committed, published, repositories_of
from tests.spark.test_registry import rows as tables_of
from tests.spark.test_since import manifest, said, tables

pytestmark = pytest.mark.spark

CHECKED = "[senders]\ncheck = true\n"
COMMON = """package common;
public class Topics { public static final String ORDER = "ORDER"; public static final String REGION = "region"; }
"""
SENDER = """package {name};
import common.Topics;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.springframework.stereotype.Service;
@Service class Sender {{
  private final DefaultMQProducer producer = new DefaultMQProducer("{name}-pg");
  void send(String body, String any) throws Exception {{
    Message message = new Message(Topics.ORDER, "{tag}", body.getBytes());
    message.putUserProperty({key}, "eu");
    producer.send(message);
    // subdrift: ignore[topic-nobody-reads] read by a tool
    producer.send(new Message("TOOL-{name}", body.getBytes()));
    producer.send(new Message("DANGLING-{name}", body.getBytes()));
  }}
}}
"""
TEST = """package {name};
class SenderTest {{ void test(org.apache.rocketmq.client.producer.DefaultMQProducer producer) throws Exception {{
  producer.send(new org.apache.rocketmq.common.message.Message("TESTED", new byte[0]));
}} }}
"""
READER = """from rocketmq.client import PushConsumer

consumer = PushConsumer("{name}-cg")
consumer.subscribe("{topic}", print, "{tags}")
consumer.start()
"""
BY_SQL = """package {name};
import org.apache.rocketmq.client.consumer.*;
class Reader {{
  public static void main(String[] args) throws Exception {{
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("{name}-sql");
    consumer.subscribe("ORDER", MessageSelector.bySql("{key} = 'eu'"));
    consumer.start();
  }}
}}
"""
BUILD = """<project><modelVersion>4.0.0</modelVersion>
<groupId>g</groupId><artifactId>{}</artifactId><version>1</version>{}
</project>
"""
TAKES = """<dependencies>
<dependency><groupId>g</groupId><artifactId>common</artifactId><version>1</version></dependency>
</dependencies>"""


@pytest.fixture
def org(tmp_path: Path) -> Path:
    """Constants in one repository, six that send with them, and readers of which some wait for what nobody sends."""
    org = tmp_path / "org"

    def put(path: str, text: str) -> None:
        (org / path).parent.mkdir(parents=True, exist_ok=True)
        (org / path).write_text(text)

    put(".subdrift.toml", CHECKED)
    put("common/src/main/java/common/Topics.java", COMMON)
    put("common/pom.xml", BUILD.format("common", ""))
    for number in range(6):
        name, key = f"shop{number}", "Topics.REGION" if number % 2 else '"city"'
        sender = SENDER.format(name=name, tag="PAID" if number else "SHIPPED", key=key)
        put(f"{name}/src/main/java/{name}/Sender.java", sender)
        put(f"{name}/src/test/java/{name}/SenderTest.java", TEST.format(name=name))
        put(f"{name}/pom.xml", BUILD.format(name, TAKES))
        tags = "PAID" if number % 2 else "REFUNDED"
        put(f"reader{number}/main.py", READER.format(name=f"r{number // 2}", topic="ORDER", tags=tags))
        sql = BY_SQL.format(name=f"by{number}", key=("region", "city", "weight")[number % 3])
        put(f"by{number}/src/main/java/by{number}/Reader.java", sql)
    put("late/main.py", READER.format(name="late", topic="NOBODY", tags="*"))
    return org


def plain(rows: list[dict[str, object]]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def test_a_scan_and_one_process_agree_on_what_is_sent_and_publish_the_same(
    org: Path, spark: SparkSession, tmp_path: Path
) -> None:
    out, file = tmp_path / "out", tmp_path / "spark.db"
    own = settings.load(str(org))

    done = scan(str(org), None, str(out), settings=own, registry_out=str(file))

    checked = json.loads(
        subdrift("check", "--org", org, "--no-cache", "--output-format", "json", "--show-suppressed").out
    )
    mine = {(one["rule"], one["level"], one["identity"], one["suppressed"]) for one in checked["findings"]}
    theirs = {(one.rule, one.level.text, one.identity, one.suppressed) for one in done.triaged.findings}
    assert theirs == mine
    rules = {rule for rule, *_ in theirs}
    assert rules >= {"property-nobody-sets", "topic-nobody-reads", "topic-nobody-sends"}
    assert any(suppressed == "read by a tool" for *_, suppressed in theirs)
    senders = {
        one.identity: [(each.tag, each.places) for each in one.senders] for one in done.triaged.findings
    }
    assert any(places for told in senders.values() for _, places in told)

    listed = map(
        json.loads,
        subdrift("list", "--sends", "--org", org, "--no-cache", "--output-format", "jsonl").out.splitlines(),
    )
    table = parquet.read_table(str(out / "sends")).to_pylist(maps_as_pydicts="strict")
    assert plain(table) == plain([{**row, "schema_version": SCHEMA_VERSION} for row in listed])
    told = json.loads(subdrift("topics", "--org", org, "--no-cache", "--output-format", "json").out)["topics"]
    topics = parquet.read_table(str(out / "topics")).to_pylist(maps_as_pydicts="strict")
    assert plain(topics) == plain([{"schema_version": SCHEMA_VERSION, **row} for row in told])
    assert not any(row["topic"] == "TESTED" for row in topics)

    ours, spark_s = tables_of(published(org, tmp_path / "one.db")), tables_of(file)
    for name in ours:
        assert spark_s[name] == ours[name], name


def test_after_a_change_what_sends_is_read_again_where_it_has_changed(
    org: Path, spark: SparkSession, tmp_path: Path
) -> None:
    own = settings.load(str(org))
    for folder in repositories_of(org):
        committed(folder)
    one = str(manifest(org, tmp_path / "one.jsonl"))
    scan(None, one, str(tmp_path / "out"), settings=own)
    sender = org / "shop1" / "src" / "main" / "java" / "shop1" / "Sender.java"
    sender.write_text(sender.read_text().replace("PAID", "RETURNED").replace("region", "area"))
    committed(org / "shop1")
    two = str(manifest(org, tmp_path / "two.jsonl"))
    whole = scan(None, two, str(tmp_path / "whole"), settings=own)
    for folder in repositories_of(org):
        if folder.name != "shop1":
            shutil.rmtree(folder)

    again = scan(None, two, str(tmp_path / "out"), settings=own, since=str(tmp_path / "out"), replace=True)

    assert said(again) == said(whole)
    assert tables(tmp_path / "out") == tables(tmp_path / "whole")
    assert "RETURNED" in str(tables(tmp_path / "out")["sends"])


def test_without_the_rules_about_senders_nothing_is_looked_for(
    org: Path, spark: SparkSession, tmp_path: Path
) -> None:
    (org / ".subdrift.toml").unlink()

    scan(str(org), None, str(tmp_path / "out"))

    assert parquet.read_table(str(tmp_path / "out" / "sends")).num_rows == 0
    assert parquet.read_table(str(tmp_path / "out" / "topics")).num_rows == 0

"""A scan that goes by an earlier one gives what a scan of everything gives, and opens no repository that has not changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from pyspark.core.rdd import RDD
from pyspark.sql import SparkSession

from subdrift.linter.cli.news import earlier
from subdrift.linter.report import json as report
from subdrift.linter.sources.checkout import Repository
from subdrift.spark_jobs import ScanError, ScanReport, scan, steps
from subdrift.spark_jobs.state_manifest import LocalFiles
from subdrift.spark_jobs.storage import Folder, _HadoopFiles
from subdrift.spark_jobs.tables import NAMES
from tests.adopt.scratch import environment
from tests.registry.kit import committed, copied, repositories_of
from tests.spark.rescans import rescans
from tests.spark.test_agreement import in_one_process, rows

pytestmark = pytest.mark.spark


def git(folder: Path, *arguments: str) -> str:
    command = ("git", *arguments)
    done = subprocess.run(command, cwd=folder, env=environment(), check=True, capture_output=True, text=True)
    return done.stdout.strip()


def manifest(org: Path, file: Path) -> Path:
    """Every repository at its HEAD, by commit."""
    lines = [
        {"repo": folder.name, "path": str(folder), "head": git(folder, "rev-parse", "HEAD")}
        for folder in repositories_of(org)
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def tables(out: Path) -> dict[str, list[str]]:
    return {name: sorted(map(str, rows(out / name))) for name in NAMES if name != "runs"}


def said(done: ScanReport) -> tuple[object, ...]:
    counts = done.counts
    return report.render(done.content), done.triaged, counts.files, counts.parsed, counts.groups


@pytest.fixture
def org(tmp_path: Path) -> Path:
    found = copied("shop", tmp_path / "org")
    for folder in repositories_of(found):
        committed(folder)
    return found


def test_after_a_change_only_the_changed_repository_is_opened(
    org: Path, spark: SparkSession, tmp_path: Path
) -> None:
    scan(None, str(manifest(org, tmp_path / "one.jsonl")), str(tmp_path / "first"))
    main = org / "notify" / "notify" / "main.py"
    main.write_text(main.read_text().replace('"||".join(POINTS_TAGS)', '"CHANGED"'))
    git(org / "notify", "commit", "-q", "-a", "-m", "two")
    two = str(manifest(org, tmp_path / "two.jsonl"))
    whole = scan(None, two, str(tmp_path / "whole"))
    for folder in repositories_of(org):
        if folder.name != "notify":
            shutil.rmtree(folder)
    told: list[str] = []

    again = scan(None, two, str(tmp_path / "again"), since=str(tmp_path / "first"), progress=told.append)

    assert any("5 repositories are at the commit of the earlier scan" in line for line in told)
    assert "CHANGED" in report.render(again.content)
    assert said(again) == said(whole)
    assert tables(tmp_path / "again") == tables(tmp_path / "whole")
    third = scan(None, two, str(tmp_path / "again"), since=str(tmp_path / "again"), replace=True)
    assert said(third) == said(whole)
    assert third.before is not None
    assert whole.before is None
    beside = earlier(third.triaged, third.before, "again")
    assert not beside.new | beside.changed
    assert not beside.gone
    assert again.before is not None
    beside = earlier(again.triaged, again.before, "first")
    rules = {one.identity: one.rule for one in again.triaged.findings}
    assert {rules[one] for one in beside.new} == {"divergent-tags"}
    assert [one.rule for one in beside.gone] == ["tag-order-differs"]


def test_a_change_is_read_beside_the_driver_and_by_spark_where_that_does_not_end_well(
    org: Path, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = str(tmp_path / "first")
    scan(None, str(manifest(org, tmp_path / "one.jsonl")), first)
    main = org / "notify" / "notify" / "main.py"
    main.write_text(main.read_text().replace('"||".join(POINTS_TAGS)', '"CHANGED"'))
    git(org / "notify", "commit", "-q", "-a", "-m", "two")
    two = str(manifest(org, tmp_path / "two.jsonl"))
    executors: list[str] = []
    kept = Folder.keep

    def keep(self: Folder, found: RDD[bytes], step: str) -> None:
        executors.append(step)
        kept(self, found, step)

    monkeypatch.setattr(Folder, "keep", keep)

    beside = scan(None, two, str(tmp_path / "beside"), since=first)
    assert not executors
    assert "CHANGED" in report.render(beside.content)

    monkeypatch.setattr("subdrift.spark_jobs.work.opened", lambda *_: os._exit(9))
    tried = scan(None, two, str(tmp_path / "tried"), since=first)
    assert [name.partition("-")[0] for name in executors][:1] == ["read"]
    assert said(tried) == said(beside)


def test_without_an_earlier_scan_it_says_so(org: Path, spark: SparkSession, tmp_path: Path) -> None:
    one = str(manifest(org, tmp_path / "one.jsonl"))
    with pytest.raises(ScanError, match="holds no state of an earlier scan"):
        scan(None, one, str(tmp_path / "out"), since=str(tmp_path / "nothing"))


def test_a_state_that_is_not_whole_is_said_and_everything_is_read(
    org: Path, spark: SparkSession, tmp_path: Path
) -> None:
    """Each file with each damage: `test_state_manifest.py`."""
    one = str(manifest(org, tmp_path / "one.jsonl"))
    whole = scan(None, one, str(tmp_path / "first"))
    steps = tmp_path / "first" / "state" / "steps"
    part = max(steps.glob("consumed-*/part-*"), key=lambda file: file.stat().st_size)
    part.unlink()
    again = scan(None, one, str(tmp_path / "again"), since=str(tmp_path / "first"))
    name = part.relative_to(tmp_path / "first")
    said_so = f"state of the earlier scan is not whole ({name} is missing): everything is read"
    assert again.remarks == (f"{tmp_path}/first: the {said_so}",)
    assert said(again) == said(whole)
    assert again.before is not None
    (tmp_path / "first" / "state" / "manifest.json").write_bytes(b"{}")
    again = scan(None, one, str(tmp_path / "third"), since=str(tmp_path / "first"))
    assert "does not prove that it is whole" in again.remarks[0]
    assert said(again) == said(whole)


def test_files_of_hadoop_are_those_of_this_machine(org: Path, spark: SparkSession, tmp_path: Path) -> None:
    """What proves a state whole on a cluster's file system is worked out by Java, and is the same."""
    for name in ("one", "two/three"):
        (tmp_path / "out" / "state" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / "state" / name).write_bytes(name.encode() * 100_000)
    folder = Folder(spark, str(tmp_path / "out"))
    local, of_hadoop = LocalFiles(str(tmp_path / "out")), _HadoopFiles(spark, folder._system, folder.path)
    assert (
        of_hadoop.lengths("state")
        == local.lengths("state")
        == {"state/one": 300_000, "state/two/three": 900_000}
    )
    assert [of_hadoop.digest(one) for one in local.lengths("state")] == [
        *map(local.digest, local.lengths("state"))
    ]
    assert of_hadoop.lengths("nothing") == {}
    places = [(1, 5), (299_999, 1), (2, 0)]
    assert of_hadoop.cut("state/one", places) == local.cut("state/one", places) == [b"neone", b"e", b""]


@pytest.mark.parametrize(("seed", "here"), [(1, steps.HERE_BYTES), (2, -1)])
def test_after_random_edits_a_scan_that_goes_by_the_one_before_is_that_of_one_process(
    seed: int, here: int, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the driver, and by executors. More of them: `python -m tests.spark.rescans`."""
    monkeypatch.setattr(steps, "HERE_BYTES", here)
    org = copied("shop", tmp_path / "org")
    for folder in repositories_of(copied("shared-listener", tmp_path / "more")):
        folder.rename(org / folder.name)
    found = list(rescans(org, tmp_path, scans=3, seed=seed))
    assert [(one.edits, one.differs) for one in found] == [(one.edits, ()) for one in found]
    assert min(one.consumed for one in found[1:]) < found[0].consumed


def test_what_others_looked_up_and_a_change_brings_or_takes_is_consumed_again(
    spark: SparkSession, tmp_path: Path
) -> None:
    """A constant of another repository that no build file declares: it is gone, and comes back; a third repository is left
    alone."""
    org = tmp_path / "org"
    names = org / "names" / "com" / "acme" / "names" / "Names.java"
    files = {org / "one" / "One.java": LISTENER, names: TOPICS, org / "other" / "Other.java": OTHER}
    for file, text in files.items():
        file.parent.mkdir(parents=True)
        file.write_text(text)
    for folder in repositories_of(org):
        committed(folder)
    told: list[str] = []

    def topics(number: int) -> set[object]:
        since = str(tmp_path / f"out-{number - 1}") if number else ""
        out = tmp_path / f"out-{number}"
        scan(None, str(manifest(org, tmp_path / "m.jsonl")), str(out), since=since, progress=told.append)
        return {row["topic"] for row in rows(out / "subscriptions")}

    assert topics(0) == {"ORDERS", "OTHERS"}
    told.clear()
    names.write_text(TOPICS.replace("ORDERS", "PARCELS"))
    committed(org / "names")
    assert topics(1) == {"PARCELS", "OTHERS"}
    # `names` and `one` at first sight and with the constant; `other` not once
    assert all("consuming 3" not in line for line in told)
    names.unlink()
    committed(org / "names")
    assert topics(2) == {None, "OTHERS"}
    names.write_text(TOPICS)
    committed(org / "names")
    assert topics(3) == {"ORDERS", "OTHERS"}
    told.clear()
    assert topics(4) == {"ORDERS", "OTHERS"}
    assert not any("consuming" in line for line in told)


LISTENER = """package com.acme;
import com.acme.names.Names;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class One {
  public static void main(String[] args) throws Exception {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");
    consumer.subscribe(Names.TOPIC, "*");
    consumer.start();
  }
}
"""
OTHER = LISTENER.replace("class One", "class Other").replace("Names.TOPIC", '"OTHERS"').replace('"g"', '"h"')
TOPICS = 'package com.acme.names;\npublic class Names { public static final String TOPIC = "ORDERS"; }\n'


def test_a_class_of_another_repository_makes_a_consumer_whether_the_build_file_names_it_or_not(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Without the class nothing tells that its caller is worth running; then the build file names it, and no source has
    changed."""
    org = tmp_path / "org"
    files = {
        org / "lib" / "pom.xml": POM.format(name="lib", more=""),
        org / "lib" / "src" / "main" / "java" / "com" / "acme" / "lib" / "Bus.java": BUS,
        org / "user" / "pom.xml": POM.format(name="user", more=""),
        org / "user" / "src" / "main" / "java" / "com" / "acme" / "user" / "User.java": USER,
    }
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for folder in repositories_of(org):
        committed(folder)

    def scanned(name: str, since: str = "") -> tuple[ScanReport, dict[str, list[str]]]:
        lines = str(manifest(org, tmp_path / f"{name}.jsonl"))
        done = scan(None, lines, str(tmp_path / name), since=since and str(tmp_path / since))
        return done, tables(tmp_path / name)

    first, before = scanned("first")
    repositories = [Repository(folder.name, str(folder)) for folder in repositories_of(org)]
    assert first.triaged.findings == in_one_process(tuple(repositories))[1].findings
    assert "ORDERS" in str(before["subscriptions"])
    depends = "<dependencies><dependency><groupId>com.acme</groupId><artifactId>lib</artifactId>"
    depends += "<version>1</version></dependency></dependencies>"
    (org / "user" / "pom.xml").write_text(POM.format(name="user", more=depends))
    committed(org / "user")
    (again, tables_again), (whole, tables_whole) = scanned("again", "first"), scanned("whole")
    assert said(again) == said(whole)
    assert tables_again == tables_whole


CHAIN = {
    "lib/src/main/java/com/lib/Base.java": """package com.lib;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
public abstract class Base {
  protected abstract String topic();
  public void begin() throws Exception {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("base");
    consumer.subscribe(topic(), "a");
    consumer.start();
  }
}
""",
    "mid/src/main/java/com/mid/Mid.java": """package com.mid;
import com.lib.Base;
public abstract class Mid extends Base {
  protected abstract String name();
  protected String topic() { return "t-" + name(); }
}
""",
    "app/src/main/java/com/app/Main.java": """package com.app;
import com.mid.Mid;
public class Main extends Mid {
  protected String name() { return "x"; }
  public static void main(String[] args) throws Exception { new Main().begin(); }
}
""",
}


def test_what_is_used_over_a_third_repository_is_found_after_a_change(
    spark: SparkSession, tmp_path: Path
) -> None:
    org = tmp_path / "org"
    for path, text in CHAIN.items():
        (org / path).parent.mkdir(parents=True)
        (org / path).write_text(text)
    for folder in repositories_of(org):
        committed(folder)

    def topics(name: str, since: str = "") -> list[object]:
        scan(None, str(manifest(org, tmp_path / "m.jsonl")), str(tmp_path / name), since=since)
        return [row["topic"] for row in rows(tmp_path / name / "subscriptions")]

    assert topics("one") == ["t-x", "t-x"]  # of the library by itself, and of the application
    main = org / "app" / "src" / "main" / "java" / "com" / "app" / "Main.java"
    main.write_text(f"{main.read_text()}// says the same\n")
    committed(org / "app")
    assert topics("two", str(tmp_path / "one")) == ["t-x", "t-x"]


POM = """<project><modelVersion>4.0.0</modelVersion><groupId>com.acme</groupId><artifactId>{name}</artifactId>
<version>1</version>{more}</project>
"""
BUS = """package com.acme.lib;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
public class Bus {
  public static void listen(String topic) throws Exception {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");
    consumer.subscribe(topic, "*");
    consumer.start();
  }
}
"""
USER = """package com.acme.user;
import com.acme.lib.Bus;
class User {
  public static void main(String[] args) throws Exception {
    Bus.listen("ORDERS");
  }
}
"""

"""One process and Spark give the same: findings, subscriptions, diagnostics, and the report."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pyarrow.parquet as parquet  # type: ignore[import-untyped]
import pytest
from pyspark.sql import SparkSession

from subdrift.linter import cli
from subdrift.linter.model.counts import Tally
from subdrift.linter.model.unknown import unread
from subdrift.linter.pipeline import Result, analyse
from subdrift.linter.report import json as report
from subdrift.linter.report import listing, page
from subdrift.linter.report.content import Content, Texts, nothing
from subdrift.linter.sources.checkout import Repository, discover
from subdrift.linter.triage import Triaged, triage
from subdrift.rules import ALL
from subdrift.spark_jobs import ScanError, scan, steps
from subdrift.spark_jobs.earlier import STATE
from subdrift.spark_jobs.storage import SUCCESS
from subdrift.spark_jobs.tables import NAMES, SCHEMA_VERSION
from tests.test_cases import CASES, read_cases
from tests.words import en

pytestmark = pytest.mark.spark

ORGS = Path(__file__).parents[2] / "fixtures" / "orgs"


def in_one_process(repositories: tuple[Repository, ...]) -> tuple[Result, Triaged]:
    result = analyse(repositories, ALL)
    suppressions = [
        (placed.origin, one) for placed in result.suppressions for one in placed.facts.suppressions
    ]
    return result, triage(result.findings, result.diagnostics, suppressions, result.consumers, ALL)


def json_of(result: Result, found: Triaged, version: str) -> str:
    blind = tuple(unread(found.diagnostics))
    content = Content(
        version, found.findings, found.diagnostics, result.consumers, result.files, "", unread=blind
    )
    return report.render(content)


def rows(table: Path) -> list[dict[str, object]]:
    """The rows of a table, read without Spark: each of its reads would cost several jobs."""
    found: list[dict[str, object]] = parquet.read_table(str(table)).to_pylist(maps_as_pydicts="strict")
    return found


def as_in_tables(row: dict[str, object]) -> dict[str, object]:
    """A row of `list` under the names of the tables: `group` is a reserved word there."""
    named = {"consumer_group" if name == "group" else name: value for name, value in row.items()}
    return named | {"schema_version": SCHEMA_VERSION}


def plain(value: object) -> object:
    """A row as a table gives it back."""
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("org", sorted(path.name for path in ORGS.iterdir() if path.is_dir()))
def test_spark_and_one_process_agree_on_a_sample_organisation(
    org: str, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "HERE_BYTES", -1)  # executors do it all, however little it is
    out = tmp_path / "out"
    result, expected = in_one_process(discover([], str(ORGS / org)))

    done = scan(str(ORGS / org), None, str(out))

    assert result.consumers
    assert done.triaged.findings == expected.findings
    assert done.triaged.diagnostics == expected.diagnostics
    assert report.render(done.content) == json_of(result, expected, done.content.version)
    assert (done.counts.files, done.counts.parsed) == (result.files, result.parsed)
    subscriptions = sorted(map(str, map(plain, map(as_in_tables, listing.rows(result.consumers)))))
    assert sorted(map(str, map(plain, rows(out / "subscriptions")))) == subscriptions
    assert len(rows(out / "groups")) == len(result.verdicts)
    assert {row["identity"] for row in rows(out / "findings")} == {one.identity for one in result.findings}
    assert len(rows(out / "diagnostics")) == len(expected.diagnostics)
    (run,) = rows(out / "runs")
    counts = Tally.of(expected.findings, expected.diagnostics)
    assert [run[f"{name}s"] for name in ("error", "warning", "note", "diagnostic")] == [
        counts.errors,
        counts.warnings,
        counts.notes,
        counts.diagnostics,
    ]
    assert run["suppressed"] == counts.suppressed
    assert (out / SUCCESS).exists()
    shown = (path.name for path in out.iterdir() if not path.name.startswith((".", "_")))
    assert sorted(shown) == sorted((*NAMES, STATE))


def test_they_agree_on_what_repositories_use_of_others(spark: SparkSession, tmp_path: Path) -> None:
    """The cases of one process, each with packages and repositories of its own, as one organisation."""
    cases = list(read_cases(CASES / "resolve" / "repositories.md"))
    for number, case in enumerate(cases):
        for path, text in case.files.items():
            target = tmp_path / "org" / f"{number}-{path}"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(re.sub(r"\bcom\.", f"com{number}.", text), encoding="utf-8")
    result, _ = in_one_process(discover([], str(tmp_path / "org")))

    scan(str(tmp_path / "org"), None, str(tmp_path / "out"))

    assert len(result.consumers) >= len(cases) > 5
    subscriptions = sorted(map(str, map(plain, map(as_in_tables, listing.rows(result.consumers)))))
    assert sorted(map(str, map(plain, rows(tmp_path / "out" / "subscriptions")))) == subscriptions


def git(folder: Path, *arguments: str) -> str:
    command = ("git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments)
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


SHARED = "GROUP = 'mail-cg'\nTOPIC = 'MAIL'\n"
CONSUMER = """\
from rocketmq.client import PushConsumer

from names import GROUP, TOPIC

consumer = PushConsumer(GROUP)
consumer.subscribe(TOPIC, print, "{tags}")
consumer.start()
"""


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """A committed repository whose work tree was emptied since, a folder, and one that is not there."""
    committed = tmp_path / "committed"
    plain_folder = tmp_path / "with space 中文"
    for folder, tags in ((committed, "a"), (plain_folder, "b")):
        folder.mkdir()
        (folder / "names.py").write_text(SHARED)
        (folder / "main.py").write_text(CONSUMER.format(tags=tags))
    (plain_folder / "large.py").write_text("#" * (600 << 10))
    git(committed, "init", "-q")
    git(committed, "add", ".")
    git(committed, "commit", "-q", "-m", "one")
    head = git(committed, "rev-parse", "HEAD").strip()
    (committed / "main.py").unlink()
    lines = [
        {"repo": "one/committed", "path": "committed", "head": head},
        {"repo": "two/folder", "path": str(plain_folder)},
        {"repo": "gone", "path": "nowhere"},
    ]
    file = tmp_path / "manifest.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_a_manifest_is_read_from_commits_and_folders_and_a_missing_path_costs_that_repository(
    manifest: Path, spark: SparkSession, tmp_path: Path
) -> None:
    said: list[str] = []

    done = scan(None, str(manifest), str(tmp_path / "out"), progress=said.append)

    git(tmp_path / "committed", "checkout", "-q", ".")
    repositories = (
        Repository("one/committed", str(tmp_path / "committed")),
        Repository("two/folder", str(tmp_path / "with space 中文")),
    )
    _, expected = in_one_process(repositories)
    assert [one.rule for one in done.triaged.findings] == ["divergent-tags"]
    assert done.triaged.findings == expected.findings
    gone = [one for one in done.triaged.diagnostics if one.at.origin.repo == "gone"]
    assert [(one.name, one.at.origin.path) for one in gone] == [("unreadable-file", ".")]
    assert [one for one in done.triaged.diagnostics if one not in gone] == list(expected.diagnostics)
    assert "skipped-file" in {one.name for one in done.triaged.diagnostics}
    assert (done.counts.repositories, done.counts.unreachable) == (3, 1)
    assert done.content.skipped_files == 2
    assert any("round 1" in text for text in said)


def test_a_suppression_on_one_side_stays_visible_and_on_both_sides_silences(
    spark: SparkSession, tmp_path: Path
) -> None:
    org = tmp_path / "org"
    for name, tags in (("one", "a"), ("two", "b")):
        (org / name).mkdir(parents=True)
        text = CONSUMER.format(tags=tags)
        comment = "  # subdrift: ignore[divergent-tags] agreed with two"
        (org / name / "main.py").write_text(text.replace(f'"{tags}")', f'"{tags}"){comment}'))
        (org / name / "names.py").write_text(SHARED)
    both = scan(str(org), None, str(tmp_path / "out"))
    assert [one.suppressed for one in both.triaged.findings] == ["agreed with two"]

    (org / "two" / "main.py").write_text(CONSUMER.format(tags="b"))
    one_side = scan(str(org), None, str(tmp_path / "out"), replace=True)
    assert [one.suppressed for one in one_side.triaged.findings] == [None]
    assert "Suppressed on one side" in en(one_side.triaged.findings[0].suppressed_on)


def test_a_folder_that_holds_something_is_replaced_only_when_told(
    spark: SparkSession, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("kept")
    org = tmp_path / "org"
    (org / "empty").mkdir(parents=True)
    with pytest.raises(ScanError, match="not empty"):
        scan(str(org), None, str(out))

    done = scan(str(org), None, str(out), replace=True)

    assert (done.counts.repositories, done.counts.files, done.counts.consumers) == (1, 0, 0)
    assert (out / "mine.txt").read_text() == "kept"
    assert rows(out / "subscriptions") == []


def test_repositories_of_one_name_end_the_scan_naming_both(spark: SparkSession, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / "org" / folder).mkdir(parents=True)
        (tmp_path / "org" / folder / ".subdrift.toml").write_text('repository = "same"\n')
    with pytest.raises(ScanError, match=r"'same'.*org/a and .*org/b"):
        scan(str(tmp_path / "org"), None, str(tmp_path / "out"))


def test_the_page_of_a_scan_is_that_of_a_check(spark: SparkSession, tmp_path: Path) -> None:
    org = tmp_path / "org"
    for repo, tags in (("one", '"a"'), ("two", '"b"'), ("three", 'System.getenv("TAGS")'), ("four", '"a"')):
        (org / repo).mkdir(parents=True)
        (org / repo / "CODEOWNERS").write_text(f"* @team/{repo}\n")
        (org / repo / "A.java").write_text(
            f"""package {repo};
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class A {{
  public static void main(String[] args) throws Exception {{
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");
    consumer.subscribe("T", {tags});
    consumer.start();
  }}
}}
"""
        )
    file = tmp_path / "check.html"
    options = ("--org", str(org), "--no-cache", "--exit-zero", "--output", f"html={file}")
    assert cli.run(["check", *options]) == 0

    done = scan(str(org), None, str(tmp_path / "out"))

    found = page.render(done.content, Texts(nothing))
    assert "@team/two" in found
    assert "TAGS" in found
    checked = re.sub(
        '<p class="dim made">.*?</p>\n', "", file.read_text(encoding="utf-8")
    )  # how each was made
    assert found == re.sub("<pre>.*?</pre>", "", checked)

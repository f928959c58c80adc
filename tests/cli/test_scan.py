"""`scan` from outside, as far as no Spark is needed; the rest is held by the agreement tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter import cli
from subdrift.linter.settings import Settings
from subdrift.linter.triage import Triaged
from tests.report import sample

ROOT = Path(__file__).parent.parent.parent


def test_without_pyspark_it_is_one_sentence_and_two(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "sys.modules['pyspark'] = None\n"
        "from subdrift.linter.cli import main\n"
        f"sys.argv = ['subdrift', 'scan', '--org', {str(tmp_path)!r}, '--out', {str(tmp_path / 'out')!r}]\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "subdrift: scan needs Apache Spark: pip install 'subdrift[spark]'\n"


class ScanError(Exception):
    pass


class PySparkException(Exception):
    pass


PySparkException.__module__ = "pyspark.errors.exceptions.base"


class FakeSpark(Struct):
    """Stands in for `spark_jobs.pipeline`, whose import alone would start what needs pyspark."""

    raises: Exception | None = None
    given: dict[str, Any] | None = None

    def scan(self, **given: Any) -> SimpleNamespace:
        self.given = given
        if self.raises:
            raise self.raises
        content = replace(sample.CONTENT, home="")
        counts = SimpleNamespace(files=7, consumers=3)
        found = Triaged(content.findings, content.diagnostics)
        return SimpleNamespace(
            content=content,
            triaged=found,
            counts=counts,
            remarks=("odd\x1b listing",),
            before=None,
            unpublished=(),
            nothing_read=False,
        )


@pytest.fixture
def spark(monkeypatch: pytest.MonkeyPatch) -> FakeSpark:
    fake = FakeSpark()
    pipeline = ModuleType("subdrift.spark_jobs.pipeline")
    vars(pipeline).update(scan=fake.scan, ScanError=ScanError)
    monkeypatch.setitem(sys.modules, "subdrift.spark_jobs.pipeline", pipeline)
    return fake


def test_options_and_settings_reach_the_job(
    spark: FakeSpark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".subdrift.toml").write_text("fail-on = 'never'\n")
    arguments = ["scan", "--org", str(tmp_path), "--out", "o", "--master", "m", "--replace"]
    arguments += [
        "--registry-out",
        "r.db",
        "--config",
        "assume.queues = 8",
        "--no-untracked",
        "--output-format",
        "concise",
    ]
    assert cli.run(arguments) == 0
    assert spark.given is not None
    settings = spark.given.pop("settings")
    assert isinstance(settings, Settings)
    assert (settings.fail_on, settings.assume.everywhere.queues) == ("never", 8)
    assert callable(spark.given.pop("progress"))
    assert spark.given == {
        "org": str(tmp_path),
        "manifest": None,
        "out": "o",
        "master": "m",
        "replace": True,
        "overrides": ["assume.queues = 8"],
        "isolated": False,
        "untracked": False,
        "show_suppressed": False,
        "registry_out": "r.db",
        "since": "",
        "force": False,
    }
    captured = capsys.readouterr()
    assert "error[divergent-tags]" in captured.out
    assert captured.err == "subdrift: odd\\x1b listing\n"


def test_the_threshold_holds_for_a_scan_too(spark: FakeSpark) -> None:
    assert cli.run(["scan", "--org", ".", "--out", "o", "--isolated"]) == 1
    assert cli.run(["scan", "--org", ".", "--out", "o", "--isolated", "--exit-zero"]) == 0


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (ScanError("o is not empty"), "subdrift: o is not empty\n"),
        (
            PySparkException("[JAVA_GATEWAY_EXITED] Java gateway\nmore"),
            "[JAVA_GATEWAY_EXITED] Java gateway; is Java 17",
        ),
        (PySparkException("[UNRESOLVED] a column\nmore"), "subdrift: Spark gave up: [UNRESOLVED] a column\n"),
    ],
)
def test_what_spark_cannot_do_is_said(
    spark: FakeSpark, raised: Exception, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spark.raises = raised
    assert cli.run(["scan", "--org", ".", "--out", "o", "--isolated"]) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""


def test_a_pyspark_that_is_too_old_is_named(tmp_path: Path) -> None:
    script = (
        "import sys, types\n"
        "old = types.ModuleType('pyspark')\n"
        "old.__version__ = '3.5.6'\n"
        "sys.modules['pyspark'] = old\n"
        "from subdrift.linter.cli import main\n"
        f"sys.argv = ['subdrift', 'scan', '--org', {str(tmp_path)!r}, '--out', {str(tmp_path / 'out')!r}]\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "subdrift: scan needs Apache Spark 4.0 or later, and the pyspark here is 3.5.6: pip install"
    )
    assert done.stderr.count("\n") == 1

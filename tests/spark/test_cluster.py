"""With executors in processes of their own, they read the files and the driver reads none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

from linter.model import wire
from linter.sources.checkout import discover
from tests.spark.test_agreement import ORGS, in_one_process

pytestmark = pytest.mark.spark

SECONDS_MAX = 540
"""A cluster whose executors do not fit its workers asks for others for ever."""


def test_two_executors_extract_and_the_driver_reads_nothing(java: None, tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    root = Path(__file__).parents[2]
    environment = os.environ | {
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join([str(root), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "PYSPARK_SUBMIT_ARGS": " ".join(
            (
                "--conf spark.executor.memory=512m",
                # reading starts when both executors are there, so both get their share
                "--conf spark.scheduler.minRegisteredResourcesRatio=1.0",
                "--conf spark.scheduler.maxRegisteredResourcesWaitingTime=120s",
                "pyspark-shell",
            )
        ),
    }
    command = (sys.executable, "-m", "tests.spark.cluster_job")
    arguments = (str(ORGS / "shop"), str(tmp_path / "out"), str(found))

    done = subprocess.run(
        (*command, *arguments),
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
    )

    assert done.returncode == 0, done.stderr[-4000:]
    said = json.loads(found.read_text())
    executors = {tuple(worker.split()[::2]) for worker in said["workers"]}
    assert len(executors) == 2
    assert str(said["driver"]) not in {part for worker in said["workers"] for part in worker.split()}
    _, expected = in_one_process(discover([], str(ORGS / "shop")))
    assert said["findings"] == [wire.dumps(one) for one in expected.findings]
    assert said["diagnostics"] == [wire.dumps(one) for one in expected.diagnostics]
    assert expected.findings

"""With executors in processes of their own, they read the files and the driver reads none; one that dies changes nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

from subdrift.linter.model import wire
from subdrift.linter.sources.checkout import discover
from tests.spark.test_agreement import in_one_process

pytestmark = pytest.mark.spark

SECONDS_MAX = 1_500
"""A cluster whose executors do not fit its workers asks for others for ever; no busy machine takes as long."""
SOURCE = """\
from rocketmq.client import PushConsumer
c = PushConsumer("orders-cg")
c.subscribe("orders", print, "{tag}")
c.start()
"""


@pytest.fixture
def org(tmp_path: Path) -> Path:
    """Two repositories that disagree: a share for each executor, and no round of demand."""
    for name in ("billing", "shipping"):
        folder = tmp_path / "org" / name
        folder.mkdir(parents=True)
        (folder / "main.py").write_text(SOURCE.format(tag=name))
    return tmp_path / "org"


def test_two_executors_extract_one_is_killed_and_the_driver_reads_nothing(
    java: None, org: Path, tmp_path: Path
) -> None:
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
                "--conf spark.scheduler.maxRegisteredResourcesWaitingTime=600s",
                "pyspark-shell",
            )
        ),
    }
    command = (sys.executable, "-m", "tests.spark.cluster_job")
    arguments = (str(org), str(tmp_path / "out"), str(found))

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
    assert said["killed"] > 0
    _, expected = in_one_process(discover([], str(org)))
    assert said["findings"] == [wire.dumps(one) for one in expected.findings]
    assert said["diagnostics"] == [wire.dumps(one) for one in expected.diagnostics]
    assert expected.findings

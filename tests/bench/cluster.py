"""A standalone Spark cluster on this machine: a master and some workers, each a process of its own, ended at the end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

import pyspark

from tests.bench.table import ROOT

START_SECONDS_MAX = 600
_MASTER = re.compile(r"Starting Spark master at (spark://\S+)")
_WORKER = re.compile(r"Successfully registered with master")
MEMORY = "1g"


class ClusterError(Exception):
    """The cluster did not start; the text says which part and what it said last."""


class Standalone:
    """`url` is what `--master` takes, `surroundings` what a driver needs in its environment. `workers` may be ended by hand."""

    def __init__(self, folder: Path, workers: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._count = workers
        self.workers: list[subprocess.Popen[bytes]] = []
        self._master: subprocess.Popen[bytes] | None = None
        self.url = ""
        self.surroundings = {
            "SPARK_HOME": str(Path(pyspark.__file__).parent),
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON": sys.executable,
            "PYTHONPATH": str(ROOT),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_SUBMIT_ARGS": "--conf spark.executor.memory=512m --conf spark.driver.host=127.0.0.1 "
            "--conf spark.scheduler.minRegisteredResourcesRatio=1.0 pyspark-shell",
        }

    def __enter__(self) -> Standalone:
        try:
            self._master = self._start(
                "master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0"
            )
            self.url = self._said("master", self._master, _MASTER)
            for number in range(self._count):
                name = f"worker-{number}"
                place = str(self._folder / name)
                options = ("--host", "127.0.0.1", "--cores", "1", "--memory", MEMORY, "--work-dir", place)
                one = self._start(name, "org.apache.spark.deploy.worker.Worker", *options, self.url)
                self.workers.append(one)
                self._said(name, one, _WORKER)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends what was started."""
        processes = [*self.workers, *filter(None, [self._master])]
        for one in processes:
            if one.poll() is None:
                one.terminate()
        for one in processes:
            try:
                one.wait(30)
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()

    def _start(self, name: str, kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        home = self.surroundings["SPARK_HOME"]
        with (self._folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                [f"{home}/bin/spark-class", kind, "--webui-port", "0", *arguments],
                cwd=self._folder,
                env={**os.environ, **self.surroundings, "SPARK_LOG_DIR": str(self._folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def _said(self, name: str, process: subprocess.Popen[bytes], pattern: re.Pattern[str]) -> str:
        """Waits for a line in the log of a process; the address in it, if any."""
        log = self._folder / f"{name}.log"
        end = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < end and process.poll() is None:
            found = pattern.search(log.read_text(errors="replace"))
            if found:
                return found[1] if found.groups() else ""
            time.sleep(0.1)
        last = log.read_text(errors="replace").splitlines()[-5:]
        raise ClusterError(f"the {name} did not start: {' / '.join(last)}")

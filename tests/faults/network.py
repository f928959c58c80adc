"""A network that parts workers of Spark from their master and from the driver, for a while or for good.

Two network namespaces with one cable between them: the master, the driver and a worker at one end, a worker at the other. Needs
the right to make namespaces, `ip`, and Java 17.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pyspark

from tests.adopt.scratch import Ran

ROOT: Final = Path(__file__).parents[2]
HOME: Final = Path(pyspark.__file__).parent
NEAR: Final = "10.213.77.1"
FAR: Final = "10.213.77.2"
SECONDS_MAX: Final = 1_800.0
LOST_SECONDS: Final = 40
"""After which Spark takes a worker for lost; two minutes if nobody says otherwise."""
CONF: Final = {
    "spark.driver.host": NEAR,
    "spark.driver.bindAddress": NEAR,
    "spark.network.timeout": f"{LOST_SECONDS}s",
    "spark.network.timeoutInterval": "2s",
    "spark.executor.heartbeatInterval": "2s",
    "spark.executor.memory": "512m",
    "spark.rpc.askTimeout": f"{LOST_SECONDS}s",
    "spark.shuffle.io.maxRetries": "1",
    "spark.shuffle.io.retryWait": "1s",
}


def may_part() -> bool:
    """Whether this process may make network namespaces."""
    return (
        bool(shutil.which("ip"))
        and not subprocess.run(("unshare", "-n", "true"), capture_output=True, check=False).returncode
    )


def ip(*arguments: str, check: bool = True) -> None:
    subprocess.run(("ip", *arguments), check=check, capture_output=not check)


class Network:
    """Both ends of a cable. `part` takes the plug out, `mend` puts it in again."""

    def __init__(self) -> None:
        self.near, self.far = (f"subdrift-{end}-{os.getpid()}" for end in ("near", "far"))

    def __enter__(self) -> Network:
        for end in (self.near, self.far):
            ip("netns", "add", end)
            ip("-n", end, "link", "set", "lo", "up")
        ip("-n", self.near, "link", "add", "plug", "type", "veth", "peer", "name", "plug", "netns", self.far)
        for end, address in ((self.near, NEAR), (self.far, FAR)):
            ip("-n", end, "address", "add", f"{address}/24", "dev", "plug")
        self.mend()
        return self

    def __exit__(self, *_: object) -> None:
        for end in (self.near, self.far):
            ip("netns", "delete", end, check=False)

    def part(self) -> None:
        ip("-n", self.far, "link", "set", "plug", "down")

    def mend(self) -> None:
        for end in (self.near, self.far):
            ip("-n", end, "link", "set", "plug", "up")


def environment(**more: str) -> dict[str, str]:
    own = {
        "SPARK_HOME": str(HOME),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
        "SPARK_NO_DAEMONIZE": "1",
    }
    return {**os.environ, **own, **more}


@contextmanager
def standalone(network: Network, folder: Path) -> Iterator[str]:
    """A master with two workers, one at each end; the master's address."""
    master = f"spark://{NEAR}:7077"
    started = []

    def start(end: str, address: str, name: str, *arguments: str) -> None:
        with open(folder / f"{name}.log", "w") as log:
            started.append(
                subprocess.Popen(
                    ("ip", "netns", "exec", end, str(HOME / "bin/spark-class"), *arguments),
                    env=environment(SPARK_LOCAL_IP=address, SPARK_WORKER_DIR=str(folder / name)),
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
            )

    deploy = "org.apache.spark.deploy"
    start(
        network.near, NEAR, "master", f"{deploy}.master.Master", "--host", NEAR, "--port", "7077",
        "--webui-port", "0",
    )  # fmt: skip
    for end, address, name in ((network.near, NEAR, "one"), (network.far, FAR, "two")):
        start(end, address, name, f"{deploy}.worker.Worker", "--host", address, "-c", "1", "-m", "1g", master)
    try:
        patience = time.monotonic() + SECONDS_MAX
        while (folder / "master.log").read_text().count("Registering worker") < 2:
            if time.monotonic() > patience:
                raise TimeoutError((folder / "master.log").read_text()[-2_000:])
            time.sleep(0.5)
        yield master
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait()


def parted(org: Path, folder: Path, chance: random.Random) -> tuple[str, Ran]:
    """What was done to the network during a scan, and what the scan said."""
    log = folder / "err"
    with Network() as network, standalone(network, folder) as master:
        conf = " ".join(f"--conf {key}={value}" for key, value in CONF.items())
        command = (sys.executable, "-m", "subdrift", "scan", "--org", str(org), "--master", master)
        outputs = ("--out", str(folder / "out"), "--output-format", "json")
        with open(folder / "stdout", "w+") as stdout, open(log, "w+") as stderr:
            process = subprocess.Popen(
                ("ip", "netns", "exec", network.near, *command, *outputs),
                cwd=ROOT,
                env=environment(SPARK_LOCAL_IP=NEAR, PYSPARK_SUBMIT_ARGS=f"{conf} pyspark-shell"),
                stdout=stdout,
                stderr=stderr,
            )
            end = time.monotonic() + SECONDS_MAX
            # executors of both ends are at work once both workers have a folder of this application's
            while process.poll() is None and not list((folder / "two").glob("app-*")):
                time.sleep(0.1)
            time.sleep(chance.random() * 8)
            network.part()
            seconds = chance.choice((3, 2 * LOST_SECONDS, None))
            if seconds is not None:
                time.sleep(seconds)
                network.mend()
            while process.poll() is None and time.monotonic() < end:
                time.sleep(0.2)
            ended = process.poll() is not None
            if not ended:
                process.kill()
                process.wait()
        done = f"parted for {'good' if seconds is None else f'{seconds} s'}"
        said = log.read_text()
        lines = [line for line in said.splitlines() if line.startswith("subdrift: ")]
        err = "\n".join(lines) if ended else f"the scan did not end\n{said[-2_000:]}"
        return done, Ran(process.returncode if ended else -1, (folder / "stdout").read_text(), err)

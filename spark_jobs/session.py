"""The Spark a scan runs on: the one that is running, or one that is started for it."""

from __future__ import annotations

import os
import sys
import threading
import time

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.sql import SparkSession

from subdrift.spark_jobs.inputs import ScanError
from subdrift.spark_jobs.steps import Progress

MASTER = "local[*, 4]"
"""Without another master: all cores of this machine, and a second try for a share that lost its worker."""

SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For the Java of one machine, whose cores belong to Python: compiling well takes longer than what it would save."""

CONNECTING_SECONDS = 10.0
"""How often it is said that a master has not answered."""


def connected(master: str | None, progress: Progress | None = None) -> SparkSession:
    """The Spark of a master; of a cluster's it is said that it is waited for. Raises `ScanError` where none answers."""
    if master is None or master.startswith("local"):
        return session(master)
    begun = time.monotonic()
    answered = threading.Event()

    def tell() -> None:
        while not answered.wait(CONNECTING_SECONDS):
            if progress is not None:
                progress(f"{time.monotonic() - begun:6.1f} s  {master} has not answered yet")

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        return session(master)
    except Py4JJavaError as error:
        seconds = time.monotonic() - begun
        cause = error.java_exception
        while cause.getCause() is not None:
            cause = cause.getCause()
        said = str(cause.getMessage() or "").strip().partition("\n")[0]
        raise ScanError(
            f"{master}: Spark could not be started there ({said} {seconds:.0f} s after it was asked); "
            "is the address right, and does a master run there?"
        ) from error
    finally:
        answered.set()
        teller.join()


def session(master: str | None) -> SparkSession:
    """The Spark a scan starts where there is none."""
    # workers must be this very Python, unless whoever submits says otherwise
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("subdrift scan").config("spark.ui.enabled", "false")
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    if master or not submitted:
        builder = builder.master(master or MASTER)
    if not submitted:
        builder = builder.config("spark.log.level", "ERROR").config("spark.ui.showConsoleProgress", "false")
        builder = builder.config("spark.python.daemon.module", "subdrift.spark_jobs.daemon")
        if (master or MASTER).startswith("local"):
            builder = builder.config("spark.driver.extraJavaOptions", SHORT_LIVED)
    return builder.getOrCreate()

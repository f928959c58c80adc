"""One Spark for all tests that ask for it, started when first asked for; without Java they are skipped, loudly."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

REQUIRED = "SUBDRIFT_REQUIRE_JAVA"
"""Set where a skip for want of Java is a failure."""


def has_java() -> bool:
    """Whether a Java answers: PySpark looks in JAVA_HOME, then on the path."""
    home = os.environ.get("JAVA_HOME")
    program = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if not program:
        return False
    try:
        return subprocess.run([program, "-version"], capture_output=True, timeout=60).returncode == 0
    except OSError:
        return False


@pytest.fixture(scope="session")
def java() -> None:
    """Java, or a reason."""
    if not has_java():
        if os.environ.get(REQUIRED):
            pytest.fail(f"Java 17 is needed: {REQUIRED} is set")
        pytest.skip("NO JAVA: Spark was not tested; install Java 17")


@pytest.fixture(scope="session")
def spark(java: None) -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2, 4]")
        .appName("subdrift tests")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    yield session
    session.stop()

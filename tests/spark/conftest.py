"""One Spark for all tests that ask for it, started when first asked for; without Java they are skipped, loudly."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from subdrift.spark_jobs.session import session as started

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
    session = started("local[2, 4]")
    yield session
    session.stop()

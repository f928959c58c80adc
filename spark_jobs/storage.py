"""Folders a cluster shares, through Hadoop's file systems: local, HDFS, S3 and whatever else it is configured for."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from linter.registry.entries import Published
from linter.registry.writer import publish as write_registry

WORK = "_work"
"""Below the output folder: what one round of a scan leaves to the next; removed at the end."""


def absolute(folder: str) -> str:
    """A folder as every executor understands it: local paths become absolute."""
    return folder if "://" in folder else os.path.abspath(folder)


class StorageError(Exception):
    """A folder or file that Spark cannot reach; the text names it and the cause."""


_JAVA = re.compile(r"(?:\w+\.)*(?P<kind>\w+(?:Exception|Error)): (?P<text>.*)")


@contextmanager
def reaching(path: str) -> Iterator[None]:
    """Raises `StorageError` where Hadoop's file system gives up, with the first cause instead of a call's name."""
    try:
        yield
    except Py4JJavaError as error:
        cause = error.java_exception
        while cause.getCause() is not None:
            cause = cause.getCause()
        kind = str(cause.getClass().getSimpleName())
        text = (str(cause.getMessage() or "").strip().splitlines() or [""])[0]
        raise StorageError(f"{path}: {told(kind, text, path.partition('://')[0])}") from error
    except PySparkException as error:  # PySpark words some of Java's exceptions itself, by class and message
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        found = _JAVA.fullmatch(first)
        kind, text = (found["kind"], found["text"]) if found else ("", first)
        raise StorageError(f"{path}: {told(kind, text, path.partition('://')[0])}") from error


def told(kind: str, text: str, scheme: str) -> str:
    """The first cause in words, and what would help. `kind` is a Java exception's class, `text` its message."""
    if kind in ("ClassNotFoundException", "UnsupportedFileSystemException"):
        return (
            f"this Spark has no file system for {scheme}:// ({text}); "
            f"add its package, such as `--packages org.apache.hadoop:hadoop-aws:VERSION` for s3a"
        )
    if kind in (
        "UnknownHostException",
        "ConnectException",
        "NoRouteToHostException",
        "SocketTimeoutException",
    ):
        return f"cannot be reached ({kind}: {text})"
    return ": ".join(filter(None, (kind, text)))


class Folder:
    """The output folder of a scan, and in it a place for what its rounds hand on."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        self.spark = spark
        self.path = path
        jvm: Any = spark._jvm
        self._jvm_path = jvm.org.apache.hadoop.fs.Path
        with reaching(path):
            self._system: Any = self._jvm_path(path).getFileSystem(spark._jsc.hadoopConfiguration())

    def is_empty(self) -> bool:
        """Whether the folder holds nothing, or is not there."""
        path = self._jvm_path(self.path)
        with reaching(self.path):
            return not self._system.exists(path) or len(self._system.listStatus(path)) == 0

    def holds(self, name: str) -> bool:
        """Whether there is a folder of that name below this one."""
        with reaching(self.path):
            return bool(self._system.exists(self._jvm_path(f"{self.path}/{name}")))

    def read(self, name: str, ddl: str) -> DataFrame:
        """A table below this folder."""
        return self.spark.read.schema(ddl).parquet(f"{self.path}/{name}")

    def remove(self, name: str) -> None:
        """Deletes a folder below this one; nothing happens where there is none."""
        self._system.delete(self._jvm_path(f"{self.path}/{name}"), True)

    def keep(self, frame: DataFrame, name: str) -> DataFrame:
        """Computes a frame once and for all: what follows reads the result and never repeats the work."""
        path = f"{self.path}/{WORK}/{name}"
        frame.write.mode("overwrite").option("compression", "zstd").parquet(path)
        return self.spark.read.schema(frame.schema).parquet(path)

    def publish(self, path: str, published: Published) -> None:
        """Writes a registry: to a local file, or beside its place in another file system and then into it."""
        if "://" not in path:
            write_registry(path, published)
            return
        with tempfile.TemporaryDirectory() as folder:
            local = os.path.join(folder, "registry.db")
            write_registry(local, published)
            target = self._jvm_path(path)
            beside = self._jvm_path(f"{path}.{os.urandom(4).hex()}")
            with reaching(path):
                system = target.getFileSystem(self.spark._jsc.hadoopConfiguration())
                system.copyFromLocalFile(False, True, self._jvm_path(f"file://{local}"), beside)
                system.delete(target, False)
                system.rename(beside, target)

    def write(self, frame: DataFrame, name: str) -> None:
        """A table of the result."""
        frame.write.mode("overwrite").option("compression", "zstd").parquet(f"{self.path}/{name}")

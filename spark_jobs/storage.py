"""Folders a cluster shares, through Hadoop's file systems: local, HDFS, S3 and whatever else it is configured for."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from typing import Any

from pyspark.sql import DataFrame, SparkSession

WORK = "_work"
"""Below the output folder: a folder for each scan, with what one round leaves to the next; removed at its end."""

DONE = "_SUCCESS"
"""Below the output folder: written last, so that the tables beside it are whole and of one scan."""


def absolute(folder: str) -> str:
    """A folder as every executor understands it: local paths become absolute."""
    return folder if "://" in folder else os.path.abspath(folder)


class Folder:
    """The output folder of a scan, and in it a place for what its rounds hand on."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        self.spark = spark
        self.path = path
        self._own = f"{WORK}/{secrets.token_hex(8)}"
        jvm: Any = spark._jvm
        self._jvm_path = jvm.org.apache.hadoop.fs.Path
        self._system: Any = self._jvm_path(path).getFileSystem(spark._jsc.hadoopConfiguration())

    def held(self, name: str = "") -> list[str]:
        """The names in the folder, or in one below it; none where there is none."""
        path = self._at(name)
        if not self._system.exists(path):
            return []
        return sorted(one.getPath().getName() for one in self._system.listStatus(path))

    def remove(self, name: str) -> None:
        """Deletes a folder below this one; nothing happens where there is none."""
        self._system.delete(self._at(name), True)

    def leave(self) -> None:
        """Removes what this scan has worked with; that of another one stays."""
        self.remove(self._own)
        if not self.held(WORK):
            self.remove(WORK)

    def publish(self, names: Iterable[str]) -> None:
        """Puts the written tables in place of those that are there. Raises `OSError` where that is not possible.

        `DONE` is gone before the first of them changes and there again after the last one.
        """
        self.remove(DONE)
        for name in names:
            self.remove(name)
            if not self._system.rename(self._at(f"{self._own}/tables/{name}"), self._at(name)):
                raise OSError(f"{self.path}/{name}: the table could not be put in place")
        self._system.create(self._at(DONE), True).close()

    def _at(self, name: str) -> Any:
        return self._jvm_path(f"{self.path}/{name}" if name else self.path)

    def keep(self, frame: DataFrame, name: str) -> DataFrame:
        """Computes a frame once and for all: what follows reads the result and never repeats the work."""
        path = f"{self.path}/{self._own}/{name}"
        frame.write.mode("overwrite").option("compression", "zstd").parquet(path)
        return self.spark.read.schema(frame.schema).parquet(path)

    def write(self, frame: DataFrame, name: str) -> None:
        """A table of the result, to be seen when it is published."""
        path = f"{self.path}/{self._own}/tables/{name}"
        frame.write.mode("overwrite").option("compression", "zstd").parquet(path)

"""Folders a cluster shares, through Hadoop's file systems: local, HDFS, S3 and whatever else it is configured for."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import groupby
from operator import itemgetter
from typing import IO, Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as parquet  # type: ignore[import-untyped]
from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.core.rdd import RDD
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from subdrift.linter.files import read as read_file
from subdrift.linter.registry.entries import Published
from subdrift.linter.registry.writer import publish as write_registry
from subdrift.spark_jobs import state_manifest
from subdrift.spark_jobs.state_manifest import Files, LocalFiles, Manifest

WORK = "_work"
"""Below the output folder: what one round of a scan leaves to the next, and the tables until they are whole, in a folder of
each scan's own; removed at the end. No reader of Parquet looks into it."""
MINE = "mine"
"""In the folder of a scan, as long as no other has begun to write to the same place."""
SUCCESS = "_SUCCESS"
"""Below the output folder: an empty file that is written last. Without it a scan was ended while it put its tables in place."""

_SPECIAL = re.compile(r"[\\,\[\]{}*?^]")
"""What Hadoop takes for more than a letter of a name."""
_PART = "part-{:05}"
"""A file of a step."""
_ONE_FILE = "part-00000.zstd.parquet"
"""The name of a table's file that Spark did not write."""


def absolute(folder: str) -> str:
    """A folder as every executor understands it: local paths become absolute. Raises `StorageError`."""
    try:
        return folder if "://" in folder else os.path.abspath(folder)
    except OSError as error:  # the folder this runs in has gone
        raise StorageError(f"{folder}: {error.strerror}") from error


class StorageError(Exception):
    """A folder or file that Spark cannot reach; the text names it and the cause."""


FULL = "No space left on device"
"""What every system says of a full disk."""
WORKER = "org.apache.spark.api.python.PythonException"
"""The class of what a Python worker raised."""
_JAVA = re.compile(r"(?:\w+\.)*(?P<kind>\w+(?:Exception|Error)): (?P<text>.*)")


@contextmanager
def reaching(path: str) -> Iterator[None]:
    """Raises `StorageError` where Hadoop's file system gives up, with the first cause instead of a call's name."""
    try:
        yield
    except Py4JJavaError as error:
        if FULL in str(error):
            raise StorageError(f"{path}: {FULL}") from error
        if WORKER in str(error):
            raise  # code of ours, in a worker
        cause = error.java_exception
        while cause.getCause() is not None:
            cause = cause.getCause()
        kind = str(cause.getClass().getSimpleName())
        text = (str(cause.getMessage() or "").strip().splitlines() or [""])[0]
        raise StorageError(f"{path}: {told(kind, text, path.partition('://')[0])}") from error
    except PySparkException as error:
        if FULL in str(error):  # said by a task, with its whole history around it
            raise StorageError(f"{path}: {FULL}") from error
        # PySpark words some of Java's exceptions itself, by class and message
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


@contextmanager
def reading_files(path: str) -> Iterator[None]:
    """Raises `StorageError` for what reading files raises, wherever they lie."""
    try:
        with reaching(path):
            yield
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror or error}") from error


class _HadoopFiles:
    """`Files` of a file system of Hadoop's. The bytes go through the driver's Java, not through Python."""

    def __init__(self, spark: SparkSession, system: Any, folder: str) -> None:
        jvm: Any = spark._jvm
        self._jvm = jvm
        self._system = system
        self._root = jvm.org.apache.hadoop.fs.Path(folder)
        self._start = len(str(system.makeQualified(self._root).toString())) + 1

    def lengths(self, name: str) -> dict[str, int]:
        folder = self._jvm.org.apache.hadoop.fs.Path(self._root, name)
        if not self._system.exists(folder):
            return {}
        found = {}
        entries = self._system.listFiles(folder, True)
        while entries.hasNext():
            one = entries.next()
            found[str(one.getPath().toString())[self._start :]] = int(one.getLen())
        return found

    def digest(self, path: str) -> str:
        digest = self._jvm.java.security.MessageDigest.getInstance("SHA-256")
        nowhere = self._jvm.java.io.OutputStream.nullOutputStream()
        sink = self._jvm.java.security.DigestOutputStream(nowhere, digest)
        source = self._system.open(self._jvm.org.apache.hadoop.fs.Path(self._root, path))
        self._jvm.org.apache.hadoop.io.IOUtils.copyBytes(source, sink, 1 << 16, True)
        return bytes(digest.digest()).hex()

    def cut(self, path: str, places: Iterable[tuple[int, int]]) -> list[bytes]:
        stream = self._system.open(self._jvm.org.apache.hadoop.fs.Path(self._root, path))
        found = []
        for start, length in places:
            stream.seek(start)
            found.append(bytes(stream.readNBytes(length)))
        stream.close()
        return found


class Folder:
    """The output folder of a scan, and in it a place for what its rounds hand on.

    Of several scans into one folder the last to begin goes on: the others find that it is not theirs any more. There is
    no lock in Hadoop's file systems that ends with the one who holds it.
    """

    def __init__(self, spark: SparkSession, path: str) -> None:
        self.spark = spark
        self.path = path
        self.scan = os.urandom(8).hex()
        self.work = f"{WORK}/{self.scan}"
        self._steps: dict[str, str] = {}
        self._inherited: list[str] = []
        jvm: Any = spark._jvm
        self._jvm_path = jvm.org.apache.hadoop.fs.Path
        with reaching(path):
            self._system: Any = self._jvm_path(path).getFileSystem(spark._jsc.hadoopConfiguration())

    def is_empty(self) -> bool:
        """Whether the folder holds nothing but what an ended scan has left of its work, or is not there."""
        path = self._jvm_path(self.path)
        with reaching(self.path):
            return not self._system.exists(path) or all(
                one.getPath().getName() == WORK for one in self._system.listStatus(path)
            )

    @property
    def staged(self) -> str:
        """Where tables lie until all of them are written."""
        return f"{self.work}/tables"

    def take(self) -> None:
        """Begin to write here: what ended scans have left is removed, and one that still runs has lost its place."""
        with reaching(self.path):
            self._system.create(self._below(f"{self.work}/{MINE}"), True).close()
            for one in self._system.listStatus(self._below(WORK)):
                if f"{WORK}/{one.getPath().getName()}" != self.work:
                    self._system.delete(one.getPath(), True)

    def check(self) -> None:
        """Raises `StorageError` where another scan has begun to write here since."""
        if not self.holds(f"{self.work}/{MINE}"):
            raise StorageError(
                f"{self.path}: another scan has begun to write there, and this one was given up; "
                f"wait until it has ended, or name another folder with --out"
            )

    def leave(self) -> None:
        """Removes what this scan has kept here."""
        self.remove(WORK if self.holds(f"{self.work}/{MINE}") else self.work)

    def holds(self, name: str) -> bool:
        """Whether there is a file or folder of that name below this one."""
        with reaching(self.path):
            return bool(self._system.exists(self._below(name)))

    def _below(self, name: str) -> Any:
        return self._jvm_path(f"{self.path}/{name}")

    def remove(self, name: str) -> None:
        """Deletes a file or folder below this one; nothing happens where there is none."""
        with reaching(self.path):
            self._system.delete(self._below(name), True)

    def keep(self, found: RDD[bytes], step: str) -> None:
        """Writes the lines of a step, computed once and for all: what follows reads them and never repeats the work."""
        place = f"{self.path}/{self.work}/{step}"
        with reaching(self.path):
            found.saveAsTextFile(place)
        self._steps[step] = place

    def keep_here(self, parts: Sequence[Iterable[bytes]], step: str) -> None:
        """The same for lines that are with the driver."""
        place = f"{self.path}/{self.work}/{step}"
        with tempfile.TemporaryDirectory() as folder, reaching(self.path):
            for number, part in enumerate(parts):
                local = os.path.join(folder, _PART.format(number))
                with open(local, "wb") as file:
                    file.writelines(line + b"\n" for line in part)
                source = self._jvm_path(f"file://{local}")
                self._system.copyFromLocalFile(
                    True, True, source, self._jvm_path(f"{place}/{_PART.format(number)}")
                )
        self._steps[step] = place

    def picked(self, step: str, places: Iterable[tuple[int, int, int]]) -> Iterator[bytes]:
        """Lines of a step by where they are: which file, from where, how long."""
        place = self._steps[step]
        files = self._files(place)
        for number, run in groupby(sorted(places), itemgetter(0)):
            name = _PART.format(number)
            with reading_files(f"{place}/{name}"):
                found = files.cut(name, [(start, length) for _, start, length in run])
            if not all(line.startswith(step.encode() + b"\t") for line in found):
                raise StorageError(f"{place}/{name}: is not as it was written")
            yield from found

    def lines(self, steps: Iterable[str]) -> RDD[bytes]:
        """The lines of some steps."""
        places = ",".join(_SPECIAL.sub(r"\\\g<0>", self._steps[step]) for step in steps)
        with reaching(self.path):
            found: RDD[Any] = self.spark.sparkContext.textFile(places, 1, use_unicode=False)
            return found

    def know(self, steps: Iterable[str], place: str) -> None:
        """Steps of an earlier scan, and the folder they are in."""
        self._steps |= {step: f"{place}/{step}" for step in steps}

    def stage_step(self, step: str, name: str) -> None:
        """Puts the lines of a step among the staged tables, in a folder of that name: moved there where they are in this scan's
        own, else as a copy, if they are not of the very folder the tables will be in, where they stay until then."""
        source = self._jvm_path(self._steps[step])
        if self._steps[step] == f"{self.path}/{name}/{step}":
            self._inherited.append(f"{name}/{step}")
            return
        target = self._below(f"{self.staged}/{name}/{step}")
        with reaching(self.path):
            self._system.mkdirs(target.getParent())
            own = self._steps[step].startswith(f"{self.path}/{self.work}/")
            configuration = self.spark._jsc.hadoopConfiguration()
            system = source.getFileSystem(configuration)
            if own:
                moved = self._system.rename(source, target)
            else:
                moved = self._copied(system, source, target, configuration)
            if not moved:
                self.check()
                raise StorageError(f"{self._steps[step]}: cannot be put in place")
        self._steps[step] = f"{self.path}/{self.staged}/{name}/{step}"

    def _copied(self, system: Any, source: Any, target: Any, configuration: Any) -> bool:
        jvm: Any = self.spark._jvm
        return bool(
            jvm.org.apache.hadoop.fs.FileUtil.copy(system, source, self._system, target, False, configuration)
        )

    def _stage_files(self, files: Iterable[tuple[str, str]], name: str) -> None:
        """Local files as the files of a table."""
        with reaching(self.path):
            for local, base in files:
                target = self._below(f"{self.staged}/{name}/{base}")
                self._system.copyFromLocalFile(True, True, self._jvm_path(f"file://{local}"), target)
            self._system.create(self._below(f"{self.staged}/{name}/{SUCCESS}"), True).close()

    def stage_chunks(self, chunks: Iterable[tuple[int, bytes]], name: str) -> None:
        """The files of a table, in pieces as they come: (which file, bytes)."""
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            files: dict[int, IO[bytes]] = {}
            with reaching(self.path):
                for number, chunk in chunks:
                    if number not in files:
                        files[number] = stack.enter_context(open(os.path.join(folder, str(number)), "wb"))
                    files[number].write(chunk)
            stack.close()
            named = (
                (os.path.join(folder, str(number)), f"part-{number:05}.zstd.parquet") for number in files
            )
            self._stage_files(named, name)

    def stage_table(self, table: pa.Table, name: str) -> None:
        """The same for rows that are with the driver, without a job of Spark's."""
        with tempfile.TemporaryDirectory() as folder:
            local = os.path.join(folder, "rows.parquet")
            parquet.write_table(table, local, compression="zstd")
            self._stage_files([(local, _ONE_FILE)], name)

    def load_table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """The rows of such a table below this folder, or some columns of them."""
        with tempfile.TemporaryDirectory() as folder:
            local = os.path.join(folder, "rows.parquet")
            with reaching(f"{self.path}/{name}"):
                source = self._below(f"{name}/{_ONE_FILE}")
                self._system.copyToLocalFile(False, source, self._jvm_path(f"file://{local}"), True)
            try:
                # `read_table` loads a tenth of a second's worth of Arrow that nothing here needs
                with parquet.ParquetFile(local) as file:
                    return file.read(None if columns is None else list(columns))
            except (OSError, pa.ArrowException) as error:
                raise StorageError(f"{self.path}/{name}: {error}") from error

    def seal(self, made: str, names: Sequence[str], at: str, before: Manifest | None = None) -> None:
        """Writes what proves the staged tables of these names whole into the folder `at` of one of them: nothing of them is
        written after that. What they take over from tables at their place is as the manifest of those has it (`before`)."""
        with reading_files(self.path):
            files = self._files(f"{self.path}/{self.staged}")
            manifest = Manifest.of(self.scan, made, files, names)
        if before is not None:
            manifest = manifest.along(before, self._inherited)
        with tempfile.TemporaryDirectory() as folder:
            local = os.path.join(folder, state_manifest.FILE)
            with open(local, "w", encoding="ascii") as file:
                file.write(manifest.dumps())
            target = self._below(f"{self.staged}/{at}/{state_manifest.FILE}")
            with reaching(self.path):
                self._system.copyFromLocalFile(True, True, self._jvm_path(f"file://{local}"), target)

    def manifest(self, at: str) -> Manifest | None:
        """What `seal` has left below this folder; None where that is not there, or not as it was written."""
        name = f"{at}/{state_manifest.FILE}"
        try:
            if not self.holds(name):
                return None
            with tempfile.TemporaryDirectory() as folder, reaching(f"{self.path}/{name}"):
                local = os.path.join(folder, state_manifest.FILE)
                self._system.copyToLocalFile(
                    False, self._below(name), self._jvm_path(f"file://{local}"), True
                )
                return Manifest.loads(read_file(local, state_manifest.BYTES_MAX))
        except (StorageError, OSError):  # its checksum of Hadoop's says that it is damaged
            return None

    def differing(self, manifest: Manifest, name: str) -> str:
        """What of the tables below a name is not as `manifest` has it, "" where all of it is. Raises `StorageError`."""
        with reading_files(f"{self.path}/{name}"):
            return manifest.differing(self._files(self.path), name)

    def _files(self, path: str) -> Files:
        system = self._jvm_path(path).getFileSystem(self.spark._jsc.hadoopConfiguration())
        if system.getUri().getScheme() == "file":
            return LocalFiles(str(self._jvm_path(path).toUri().getPath()))
        return _HadoopFiles(self.spark, system, path)

    def put_in_place(self, names: Iterable[str]) -> None:
        """Puts the staged tables in the place of those that are there. A reader who asks for `_SUCCESS` sees the old
        tables, or the new ones, or that they are not whole: ended at any step, this leaves one of the three."""
        with reaching(self.path):
            self.check()
            self._delete(SUCCESS)
            for step in self._inherited:
                self.check()
                target = self._below(f"{self.staged}/{step}")
                self._system.mkdirs(target.getParent())
                if not self._system.rename(self._below(step), target):
                    self.check()
                    raise StorageError(f"{self.path}/{step}: cannot be put in place")
            for name in names:
                self.check()
                self._delete(name)
                moved = False
                try:
                    moved = self._system.rename(self._below(f"{self.staged}/{name}"), self._below(name))
                finally:
                    if not moved:
                        self._delete(
                            SUCCESS
                        )  # of another scan, which ended between the check and the deletion
                if not moved:
                    self.check()
                    raise StorageError(f"{self.path}/{name}: cannot be put in place")
            self.check()
            self._system.create(self._below(SUCCESS), True).close()
            staged = f"{self.path}/{self.staged}/"
            self._steps = {
                step: place.replace(staged, f"{self.path}/") for step, place in self._steps.items()
            }

    def _delete(self, name: str) -> None:
        path = self._below(name)
        if self._system.exists(path) and not self._system.delete(path, True):
            raise StorageError(f"{self.path}/{name}: cannot be removed")

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

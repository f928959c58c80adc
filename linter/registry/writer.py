"""A run in, a registry file out: written beside its place, put there whole. A reader never sees half of one."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from subdrift import linter
from subdrift.linter import files, stages
from subdrift.linter.files import reason_of
from subdrift.linter.model import wire
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.registry import seal
from subdrift.linter.registry.entries import LINE_CHARS_MAX, About, FileRow, Published, places_of
from subdrift.linter.registry.schema import (
    APPLICATION_ID,
    FORMAT,
    INDEXES,
    SCHEMA_VERSION,
    SHAPE,
    TABLES,
    RegistryError,
)

COMPRESSION = 6


def publish(path: str, published: Published) -> None:
    """Write a registry and put it in the place of an older one. Raises `RegistryError`."""
    folder = os.path.dirname(path)
    if os.path.lexists(path) and (os.path.islink(path) or not os.path.isfile(path)):
        raise RegistryError("registry.not-regular", path=path)
    try:
        with files.beside(path) as (beside, handle):
            _write(beside, published)
            seal.put(beside)
            os.fchmod(handle, 0o644 & ~files.umask())
            os.fsync(handle)
            os.replace(beside, path)
            _sync(folder or ".")
    except (OSError, sqlite3.Error) as error:
        raise RegistryError("registry.not-written", path=path, reason=reason_of(error)) from error


def digest_of(placed: Placed) -> bytes:
    """Equal for files of equal facts."""
    return _digest(wire.dumps(placed.facts))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:16]


def _sync(path: str) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write(path: str, published: Published) -> None:
    # nobody else knows the file, and not every file system locks files
    database = sqlite3.connect(f"{Path(path).absolute().as_uri()}?nolock=1", uri=True, isolation_level=None)
    try:
        for pragma in (
            "page_size = 8192",
            "journal_mode = OFF",  # the file is thrown away if anything goes wrong
            "synchronous = OFF",
            f"application_id = {APPLICATION_ID}",
        ):
            database.execute(f"PRAGMA {pragma}").fetchall()
        database.execute("BEGIN")
        for statement in TABLES:
            database.execute(statement)
        _Tables(database).fill(published)
        for statement in INDEXES:
            database.execute(statement)
        database.execute("COMMIT")
    finally:
        database.close()


class _Tables:
    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database
        self.numbers: dict[str, int] = {}

    def fill(self, published: Published) -> None:
        many = self.database.executemany
        repositories = sorted(published.repositories, key=lambda one: one.name)
        self.numbers = {one.name: number for number, one in enumerate(repositories, 1)}
        many("INSERT INTO repositories VALUES (?, ?, ?, ?, ?, ?, ?, ?)", map(self._repository, repositories))
        for number, one in enumerate(published.files, 1):
            self._file(number, one)
        starts = {self._place(origin) for origin in published.starts}
        many("INSERT INTO starts VALUES (?, ?)", sorted(starts))
        self._edges(published)
        consumers = self._consumers(published.consumers)
        many("INSERT OR REPLACE INTO lines VALUES (?, ?, ?, ?)", self._lines(published.lines))
        owned = (
            (*self._place(origin), json.dumps(names, ensure_ascii=True)) for origin, names in published.owners
        )
        many("INSERT OR REPLACE INTO owners VALUES (?, ?, ?)", owned)
        meta = {
            "format": FORMAT,
            "schema": str(SCHEMA_VERSION),
            "tool": linter.__version__,
            "shape": SHAPE,
            "taken": str(published.taken),
            "repositories": str(len(repositories)),
            "consumers": str(consumers),
        }
        many("INSERT INTO meta VALUES (?, ?)", meta.items())

    def _repository(self, one: About) -> tuple[object, ...]:
        return (
            self.numbers[one.name],
            _plain(one.name),
            _plain(one.head),
            one.time,
            _plain(one.url),
            json.dumps(one.owners, ensure_ascii=True),
            wire.dumps(one.answers),
            json.dumps(one.clusters, ensure_ascii=True),
        )

    def _file(self, number: int, one: FileRow) -> None:
        repository, path = self._place(one.origin)
        packed = zlib.compress(one.text.encode(), COMPRESSION)
        row = (number, repository, path, _digest(one.text), one.build, one.silences, packed)
        self.database.execute("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        keys = {_plain(key) for key in one.keys}
        self.database.executemany("INSERT INTO holds VALUES (?, ?)", ((key, number) for key in sorted(keys)))

    def _edges(self, published: Published) -> None:
        many = self.database.executemany
        edges = published.edges
        asks = {(key, self.numbers[repo]) for repo, key in published.asks if not stages.is_library_key(key)}
        asks |= {(f"coordinate:{coordinate}", self.numbers[repo]) for repo, coordinate in edges.declares}
        many("INSERT INTO asks VALUES (?, ?)", sorted({(_plain(key), number) for key, number in asks}))
        provides = {
            (_plain(coordinate.rpartition(":")[2]), _plain(coordinate), self.numbers[repo])
            for repo, coordinate in edges.provides
        }
        many("INSERT INTO provides VALUES (?, ?, ?)", sorted(provides))
        takes = {
            (self.numbers[taken], _plain(folder), self.numbers[repo]) for repo, taken, folder in edges.takes
        }
        many("INSERT INTO takes VALUES (?, ?, ?)", sorted(takes))

    def _consumers(self, consumers: Iterable[tuple[str, Consumer]]) -> int:
        count = 0
        for repo, consumer in consumers:
            key = stages.group_key(consumer)
            if key is None:
                continue
            count += 1
            _, namespace, group = key
            text = zlib.compress(wire.dumps(consumer).encode(), COMPRESSION)
            row = (count, self.numbers[repo], _plain(namespace), _plain(group), text)
            self.database.execute("INSERT INTO consumers VALUES (?, ?, ?, ?, ?)", row)
            others = {self.numbers[name] for name in _others(consumer) if name in self.numbers}
            self.database.executemany(
                "INSERT INTO involves VALUES (?, ?)",
                ((other, count) for other in sorted(others - {self.numbers[repo]})),
            )
        return count

    def _lines(self, lines: Iterable[tuple[Origin, int, str]]) -> Iterator[tuple[int, str, int, str]]:
        for origin, number, text in lines:
            yield *self._place(origin), number, _plain(text[:LINE_CHARS_MAX])

    def _place(self, origin: Origin) -> tuple[int, str]:
        return self.numbers[origin.repo], _plain(origin.path)


def _others(consumer: Consumer) -> set[str]:
    return {at.origin.repo for at in places_of(consumer)}


def _plain(text: str) -> str:
    """Text a database can hold: lone surrogates (which Java sources can write) as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()

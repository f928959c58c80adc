"""A run in, a registry file out: written beside its place, put there whole. A reader never sees half of one."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final, TypeVar

from subdrift import linter
from subdrift.linter import files, stages
from subdrift.linter.files import reason_of
from subdrift.linter.model import wire
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.location import Origin
from subdrift.linter.model.topics import counts, topics_of
from subdrift.linter.registry import seal
from subdrift.linter.registry.blocks import PLAIN_BYTES, Content, pack, pack_contents
from subdrift.linter.registry.entries import (
    LINE_CHARS_MAX,
    About,
    AskedFor,
    FileRow,
    Listed,
    Published,
    places_of,
    stands_in,
)
from subdrift.linter.registry.keys import ENTRIES, Kind, group_name, halves, spelled
from subdrift.linter.registry.schema import (
    APPLICATION_ID,
    FORMAT,
    INDEXES,
    SCHEMA_VERSION,
    SHAPE,
    TABLES,
    RegistryError,
)

COMPRESSION: Final = 9
MEMBERS_BYTES: Final = 1 << 15
LINES_BYTES: Final = 1 << 15
"""Bytes of a block of consumers, and of one of lines, unpacked, after which another one is begun."""

Row = TypeVar("Row")


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
            "page_size = 1024",
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


_GATHERED: Final = (
    "CREATE TEMP TABLE given_files (repository INTEGER, builds INTEGER, silences INTEGER, path TEXT, digest BLOB, "
    "brief INTEGER, text TEXT, unit BLOB, keys TEXT)",
    "CREATE TEMP TABLE given_members (namespace TEXT, grp TEXT, repository INTEGER, consumer TEXT, leads TEXT, topics TEXT, "
    "stands TEXT)",
    "CREATE TEMP TABLE given_senders (repository INTEGER, consumer TEXT, topics TEXT, stands TEXT)",
    "CREATE TEMP TABLE given_topics (name TEXT, sends INTEGER, number INTEGER, repository INTEGER)",
    "CREATE TEMP TABLE given_keys (high INTEGER, low INTEGER, number INTEGER)",
    "CREATE TEMP TABLE given_lines (repository INTEGER, path TEXT, line INTEGER, text TEXT)",
)
"""Rows as they come, to be read in order: they may be more than fit into memory."""


class _Tables:
    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database
        self.numbers: dict[str, int] = {}
        self.asks: dict[str, set[int]] = {}
        self.asked: dict[int, list[AskedFor]] = {}
        self.involved: dict[int, list[int]] = {}
        self.unknown_topics = 0

    def fill(self, published: Published) -> None:
        for statement in _GATHERED:
            self.database.execute(statement)
        repositories = sorted(published.repositories, key=lambda one: one.name)
        self.numbers = {one.name: number for number, one in enumerate(repositories, 1)}
        self._names(published)
        self._files(published.files)
        consumers = self._members(published.consumers)
        unknown_readers, self.unknown_topics = self.unknown_topics, 0
        self._senders(published.sends or ())
        self._topics()
        self._shown(published)
        self._repositories(published, repositories)
        meta = {
            "format": FORMAT,
            "schema": str(SCHEMA_VERSION),
            "tool": linter.__version__,
            "shape": SHAPE,
            "taken": str(published.taken),
            "repositories": str(len(repositories)),
            "consumers": str(consumers),
            "buckets": str(self._keys()),
            "senders": str(int(published.sends is not None)),
            "unknown_senders": str(self.unknown_topics),
            "unknown_readers": str(unknown_readers),
        }
        self._many("INSERT INTO meta VALUES (?, ?)", meta.items())

    def _many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        self.database.executemany(sql, rows)

    def _rows(self, sql: str, *values: object) -> sqlite3.Cursor:
        return self.database.execute(sql, values)

    def _repositories(self, published: Published, repositories: Iterable[About]) -> None:
        starts: dict[int, set[str]] = {}
        for origin in published.starts:
            number, path = self._place(origin)
            starts.setdefault(number, set()).add(path)
        takers: dict[int, set[tuple[int, str]]] = {}
        for repo, taken, folder in published.edges.takes:
            takers.setdefault(self.numbers[taken], set()).add((self.numbers[repo], _plain(folder)))
        of_it = "SELECT DISTINCT name FROM given_topics WHERE repository = ? ORDER BY name"
        for one in repositories:
            number = self.numbers[one.name]
            row = (
                *(number, _plain(one.name), _plain(one.head), one.time, _plain(one.url)),
                json.dumps(one.owners, ensure_ascii=True),
                wire.dumps(one.answers),
                json.dumps(one.clusters, ensure_ascii=True),
                pack(sorted(starts.get(number, ()))),
                pack(self.asked.get(number, [])),
                pack(sorted(takers.get(number, ()))),
                pack(self.involved.get(number, [])),
                pack([name for (name,) in self._rows(of_it, number)]),
            )
            self._rows("INSERT INTO repositories VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *row)

    def _found(self, kind: Kind, names: Iterable[str], number: int) -> None:
        self._many(
            "INSERT INTO given_keys VALUES (?, ?, ?)", ((*halves(kind, name), number) for name in names)
        )

    def _names(self, published: Published) -> None:
        edges = published.edges
        for repo, key in published.asks:
            if not stages.is_library_key(key):
                self.asks.setdefault(key, set()).add(self.numbers[repo])
        for repo, coordinate in edges.declares:
            self.asks.setdefault(f"coordinate:{coordinate}", set()).add(self.numbers[repo])
        for key, numbers in self.asks.items():
            for number in numbers:
                self._found(Kind.ASKS, [key], number)
        for repo, coordinate in edges.provides:
            self._found(Kind.COORDINATE, [coordinate], self.numbers[repo])
            self._found(Kind.ARTIFACT, [coordinate.rpartition(":")[2]], self.numbers[repo])

    def _keys(self) -> int:
        """The number of buckets."""
        ((count,),) = self._rows("SELECT count(*) FROM (SELECT DISTINCT * FROM given_keys)")
        buckets: int = max(1, count // ENTRIES)
        rows = self._rows("SELECT DISTINCT high % ?, low, number FROM given_keys ORDER BY 1, 2, 3", buckets)
        for bucket, entries in groupby(rows, key=itemgetter(0)):
            packed = zlib.compress(spelled(entry[1:] for entry in entries), COMPRESSION)
            self._rows("INSERT INTO keys VALUES (?, ?)", bucket, packed)
        return buckets

    # -- files ----------------------------------------------------------------------------------------------

    def _files(self, files: Iterable[FileRow]) -> None:
        self._many("INSERT INTO given_files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", map(self._file, files))
        rows = self._rows("SELECT * FROM given_files ORDER BY repository, builds DESC, silences DESC, path")
        first = 1
        for alike, some in groupby(rows, key=lambda row: tuple(row[:3])):
            for block in _blocks(some, lambda row: len(row[6]) + len(row[7]), PLAIN_BYTES):
                self._block(first, alike, block)
                first += len(block)

    def _file(self, one: FileRow) -> tuple[object, ...]:
        number, path = self._place(one.origin)
        keys = json.dumps(one.keys)
        return number, one.builds, one.silences, path, one.digest, one.brief, one.text, one.unit, keys

    def _block(self, first: int, alike: tuple[int, ...], rows: Sequence[sqlite3.Row]) -> None:
        listed: list[Listed] = []
        for number, (*_, path, digest, brief, _text, _unit, written) in enumerate(rows, first):
            keys = json.loads(written)
            self._found(Kind.HOLDS, keys, number)
            foreign = [key for key in keys if self.asks.get(key, frozenset()) - {alike[0]}]
            if foreign:
                self.asked.setdefault(alike[0], []).append((path, digest, tuple(map(_plain, foreign))))
            listed.append((path, digest, bool(brief)))
        facts = pack_contents(Content(row[6], row[7]) for row in rows)
        self._rows("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?)", first, *alike, pack(listed), facts)

    # -- consumers ------------------------------------------------------------------------------------------

    def _members(self, consumers: Iterable[tuple[str, Consumer]]) -> int:
        self._many("INSERT INTO given_members VALUES (?, ?, ?, ?, ?, ?, ?)", self._given(consumers))
        rows = self._rows("SELECT * FROM given_members ORDER BY grp, namespace, repository, consumer")
        first = 1
        for block in _blocks(rows, lambda row: len(row[3]), MEMBERS_BYTES):
            for number, (namespace, group, repository, _, leads, topics, stands) in enumerate(block, first):
                if group:
                    self._found(Kind.GROUP, [group_name(namespace, group)], number)
                for other in json.loads(leads):
                    if other != repository:
                        self.involved.setdefault(other, []).append(number)
                self._of_topics(topics, False, number, {repository, *json.loads(stands)})
            members = [
                (repository, namespace, group, text) for namespace, group, repository, text, *_ in block
            ]
            self._rows("INSERT INTO members VALUES (?, ?)", first, pack(members))
            first += len(block)
        return first - 1

    def _given(self, consumers: Iterable[tuple[str, Consumer]]) -> Iterator[tuple[object, ...]]:
        for repo, consumer in consumers:
            key, topics = stages.group_key(consumer), self._topics_of(consumer)
            if key is None and not topics:
                continue
            _, namespace, group = key or ("", "", "")
            others = sorted(
                {self.numbers[name] for name in _repositories_of(consumer) if name in self.numbers}
            )
            yield (
                *(_plain(namespace), _plain(group), self.numbers[repo], wire.dumps(consumer)),
                *(json.dumps(others if key else []), json.dumps(topics), self._stands(consumer)),
            )

    def _senders(self, sends: Iterable[tuple[str, Consumer]]) -> None:
        given = (
            (self.numbers[repo], wire.dumps(one), json.dumps(self._topics_of(one)), self._stands(one))
            for repo, one in sends
        )
        self._many("INSERT INTO given_senders VALUES (?, ?, ?, ?)", given)
        rows = self._rows(
            "SELECT * FROM given_senders WHERE topics != '[]' ORDER BY topics, repository, consumer"
        )
        first = 1
        for block in _blocks(rows, lambda row: len(row[1]), MEMBERS_BYTES):
            for number, (repository, _, topics, stands) in enumerate(block, first):
                self._of_topics(topics, True, number, {repository, *json.loads(stands)})
            sends_of_it = [(repository, "", "", text) for repository, text, *_ in block]
            self._rows("INSERT INTO senders VALUES (?, ?)", first, pack(sends_of_it))
            first += len(block)

    def _topics_of(self, consumer: Consumer) -> list[str]:
        """The topics by which it is found; an unknown one is counted."""
        found = topics_of(consumer) if counts(consumer) else ()
        self.unknown_topics += None in found
        return sorted(_plain(one) for one in set(found) if one)

    def _stands(self, consumer: Consumer) -> str:
        """The repositories in which it stands, which need not be those whose deployables hold it."""
        names = stands_in(consumer) & self.numbers.keys()
        return json.dumps(sorted(self.numbers[name] for name in names))

    def _of_topics(self, topics: str, sends: bool, number: int, repositories: set[int]) -> None:
        given = (
            (name, sends, number, repository) for name in json.loads(topics) for repository in repositories
        )
        self._many("INSERT INTO given_topics VALUES (?, ?, ?, ?)", given)

    def _topics(self) -> None:
        rows = self._rows("SELECT DISTINCT name, sends, number FROM given_topics ORDER BY 1, 2, 3")
        for name, some in groupby(rows, key=itemgetter(0)):
            numbers: tuple[list[int], list[int]] = [], []
            for _, sends, number in some:
                numbers[not sends].append(number)
            self._rows("INSERT INTO topics VALUES (?, ?, ?)", name, *map(pack, numbers))

    # -- for readers ----------------------------------------------------------------------------------------

    def _shown(self, published: Published) -> None:
        given = "INSERT INTO given_lines VALUES (?, ?, ?, ?)"
        for origin, number, text in published.lines:
            self._rows(given, *self._place(origin), number, _plain(text[:LINE_CHARS_MAX]))
        owners = {self._place(origin): names for origin, names in published.owners}
        for place in owners:
            self._rows(given, *place, None, "")
        lines = self._rows("SELECT DISTINCT * FROM given_lines ORDER BY repository, path, line")
        files = (
            (place, owners.get(place), [row[2:] for row in some if row[2] is not None])
            for place, some in groupby(lines, key=lambda row: (row[0], row[1]))
        )
        for repository, some in groupby(files, key=lambda one: one[0][0]):
            for block in _blocks(some, lambda one: sum(len(text) for _, text in one[2]), LINES_BYTES):
                shown = [(path, names, texts) for (_, path), names, texts in block]
                self._rows("INSERT INTO shown VALUES (?, ?, ?)", repository, shown[0][0], pack(shown))

    def _place(self, origin: Origin) -> tuple[int, str]:
        return self.numbers[origin.repo], _plain(origin.path)


def _blocks(rows: Iterable[Row], size: Callable[[Row], int], most: int) -> Iterator[list[Row]]:
    """Rows cut into blocks of about so many bytes."""
    block: list[Row] = []
    total = 0
    for row in rows:
        if block and total + size(row) > most:
            yield block
            block, total = [], 0
        block.append(row)
        total += size(row)
    if block:
        yield block


def _repositories_of(consumer: Consumer) -> set[str]:
    return {at.origin.repo for at in places_of(consumer)}


def _plain(text: str) -> str:
    """Text a database can hold: lone surrogates (which Java sources can write) as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()

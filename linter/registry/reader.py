"""A registry file, opened as text from outside: nothing in it is believed before it was looked at.

Only what is asked for is read, by group and by key, so a check costs what its own groups and names cost.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter import stages
from subdrift.linter.files import reason_of
from subdrift.linter.model.answers import Answers
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.registry import checked, seal
from subdrift.linter.registry.blocks import Block, inflated, unpack
from subdrift.linter.registry.checked import DamagedError
from subdrift.linter.registry.entries import LINE_CHARS_MAX, About, AskedFor, Clusters, Listed, Members, Shown
from subdrift.linter.registry.keys import Bucket, Kind, group_name, halves
from subdrift.linter.registry.schema import (
    APPLICATION_ID,
    FORMAT,
    INDEXES,
    META,
    SCHEMA_VERSION,
    SHAPE,
    TABLES,
    RegistryError,
)

_HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\0"
_PARAMETERS_MAX = 500
"""Values of one query: SQLite takes more, older ones not much more."""
_ROWS_MAX = 1 << 22
"""Rows one answer may have: far above what any organisation holds."""

_LISTED = "first, repository, listed"


class Stored(Struct, frozen=True):
    """A file without its facts."""

    id: int
    origin: Origin
    digest: bytes
    brief: bool


class Row(Struct, frozen=True):
    """A consumer with the repository whose deployable holds it."""

    id: int
    repo: str
    consumer: Consumer


class Registry:
    """One registry. Close it; or use it as a context."""

    def __init__(self, path: str) -> None:
        """Raises `RegistryError` for what is not a registry that this version reads."""
        self.path = path
        self._database, self._is_sealed = _opened(path)
        self._at_hand: tuple[int, Block | None] = 0, None
        self._briefly: dict[str, FileFacts] = {}
        try:
            self._schema()
            self.meta = self._meta()
            rows = self._all("SELECT id, name FROM repositories")
            self._names: dict[int, str] = {}
            for number, name in rows:
                if type(number) is not int or not checked.is_name(name):
                    raise self._damaged("a repository without a name")
                self._names[number] = name
            self._numbers = {name: number for number, name in self._names.items()}
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Registry:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._database.close()

    # -- what it is -----------------------------------------------------------------------------------------

    @property
    def taken(self) -> int:
        """When it was published, in seconds since 1970."""
        return int(self.meta["taken"])

    @property
    def repositories(self) -> Collection[str]:
        return self._numbers.keys()

    def about(self, repo: str) -> About | None:
        """A repository; None for one it does not hold."""
        rows = self._all(
            "SELECT name, head, time, url, owners, answers, clusters FROM repositories WHERE name = ?", repo
        )
        return next((self._about(row) for row in rows), None)

    def _about(self, row: tuple[Any, ...]) -> About:
        name, head, time, url, owners, answers, clusters = row
        try:
            if not all(isinstance(one, str) for one in (head, url)) or not isinstance(time, int | None):
                raise DamagedError("a repository without a commit")
            return About(
                name, head, time, url, _texts(owners), checked.checked(Answers, answers), _clusters(clusters)
            )
        except DamagedError as error:
            raise self._damaged(str(error)) from error

    def clusters(self, without: Collection[str]) -> dict[str, tuple[str, ...]]:
        """Name servers by the name their repositories give them."""
        found: dict[str, tuple[str, ...]] = {}
        for name, text in self._all("SELECT name, clusters FROM repositories WHERE clusters != '[]'"):
            if name in without:
                continue
            try:
                for cluster, addresses in _clusters(text):
                    found[cluster] = tuple(dict.fromkeys((*found.get(cluster, ()), *addresses)))
            except DamagedError as error:
                raise self._damaged(str(error)) from error
        return found

    # -- files ----------------------------------------------------------------------------------------------

    def files_of(self, repo: str) -> tuple[Stored, ...]:
        """Every file it holds of a repository."""
        return self._stored("repository = ?", repo)

    def files_asked_for(self, repo: str) -> tuple[AskedFor, ...]:
        """Its files of a repository that others look up, each with the keys they do so by."""
        found: tuple[AskedFor, ...] = self._of_repository("asked", tuple[AskedFor, ...], repo)
        for path, *_ in found:
            self._path(path)
        return found

    def holding(self, keys: Iterable[str], without: Collection[str]) -> tuple[Stored, ...]:
        """The files that are found by any of the keys, of other repositories than these."""
        numbers = sorted({number for found in self._found(Kind.HOLDS, keys).values() for number in found})
        found: list[Stored] = []
        listed: dict[int, Stored] = {}
        for number in numbers:
            if number not in listed:
                listed = {one.id: one for one in self._listed(self._block_of("files", _LISTED, number))}
            if number not in listed:
                raise self._damaged("a file that is not there")
            if listed[number].origin.repo not in without:
                found.append(listed[number])
        return tuple(found)

    def facts(self, files: Iterable[Stored]) -> tuple[Placed, ...]:
        """The facts of files."""
        try:
            return tuple(
                Placed(one.origin, self._facts(one)) for one in sorted(files, key=lambda each: each.id)
            )
        except DamagedError as error:
            raise self._damaged(str(error)) from error

    def _facts(self, one: Stored) -> FileFacts:
        first, block = self._at_hand
        if block is None or not first <= one.id < first + len(block):
            ((first, packed),) = self._block_of("files", "first, facts", one.id)
            block = Block(packed)
            self._at_hand = first, block
        if not one.id < first + len(block):
            raise DamagedError("a file that is not there")
        content = block[one.id - first]
        if not content.unit:
            return checked.checked(FileFacts, content.text)
        if content.text not in self._briefly:  # of files with a unit nearly all texts are alike
            self._briefly[content.text] = checked.checked(FileFacts, content.text)
        found = replace(self._briefly[content.text], unit=checked.unit(content.unit))
        return stages.whole(found) if one.brief else found

    def builds(self, repo: str) -> tuple[Placed, ...]:
        """The build files of a repository."""
        return self.facts(self._stored("repository = ? AND builds", repo))

    def silencing(self, origins: Collection[Origin]) -> tuple[Placed, ...]:
        """Those of the files that hold suppressions."""
        held = (self._stored("repository = ? AND silences", one) for one in {one.repo for one in origins})
        return self.facts(one for some in held for one in some if one.origin in origins)

    def starts(self, repo: str) -> tuple[Origin, ...]:
        """The files of a repository in which a process may start."""
        return tuple(
            Origin(repo, self._path(path)) for path in self._of_repository("starts", tuple[str, ...], repo)
        )

    # -- edges ----------------------------------------------------------------------------------------------

    def asking(self, keys: Iterable[str], without: Collection[str]) -> dict[str, frozenset[str]]:
        """By key the repositories whose consumers hang on it."""
        found = {
            key: frozenset(map(self._name, numbers)) - frozenset(without)
            for key, numbers in self._found(Kind.ASKS, keys).items()
        }
        return {key: repos for key, repos in found.items() if repos}

    def providing(self, coordinates: Iterable[str]) -> frozenset[str]:
        """The repositories that build any of the coordinates."""
        return self._repositories(Kind.COORDINATE, coordinates)

    def naming(self, artifacts: Iterable[str]) -> frozenset[str]:
        """The repositories that build an artifact of any of these names, whatever its group."""
        return self._repositories(Kind.ARTIFACT, artifacts)

    def _repositories(self, kind: Kind, names: Iterable[str]) -> frozenset[str]:
        found = self._found(kind, names).values()
        return frozenset(self._name(number) for numbers in found for number in numbers)

    def taking(self, repo: str) -> tuple[tuple[str, str], ...]:
        """The repositories that take a module of this one in, each with the module's folder."""
        found = self._of_repository("takers", tuple[tuple[int, str], ...], repo)
        return tuple((self._name(number), folder) for number, folder in found)

    # -- consumers ------------------------------------------------------------------------------------------

    def members(self, groups: Iterable[tuple[str, str]], without: Collection[str]) -> tuple[Row, ...]:
        """The consumers of groups (namespace, group) that deployables of other repositories hold."""
        names = {group_name(_plain(namespace), _plain(group)) for namespace, group in groups}
        found = self._found(Kind.GROUP, names).values()
        rows = self._rows({number for numbers in found for number in numbers}, without)
        return tuple(row for row, name in rows if name in names)

    def topics_of(self, repo: str) -> tuple[str, ...]:
        """The topics that a repository reads or sends to."""
        found: tuple[str, ...] = self._of_repository("topics", tuple[str, ...], repo)
        return found

    def topics(self) -> dict[str, tuple[tuple[int, ...], tuple[int, ...]]]:
        """All topics, each with the numbers of what sends to it and of what reads it (`senders`, `readers`)."""
        rows = self._all("SELECT name, senders, readers FROM topics")
        numbers = tuple[int, ...]
        return {
            self._text(name): (self._unpacked(numbers, senders), self._unpacked(numbers, readers))
            for name, senders, readers in rows
        }

    @property
    def knows_senders(self) -> bool:
        """Whether what sends was looked for when it was published."""
        return self.meta["senders"] == "1"

    @property
    def unknown_senders(self) -> int:
        """How many rows of what sends, in all repositories, have a topic that is not known."""
        return int(self.meta["unknown_senders"])

    @property
    def unknown_readers(self) -> int:
        """The same of what reads."""
        return int(self.meta["unknown_readers"])

    def senders(self, numbers: Iterable[int]) -> tuple[Row, ...]:
        """What sends, by number."""
        return tuple(row for row, _ in self._rows(numbers, (), "senders"))

    def readers(self, numbers: Iterable[int]) -> tuple[Row, ...]:
        """Consumers by number."""
        return tuple(row for row, _ in self._rows(numbers, ()))

    def involving(self, repo: str, without: Collection[str]) -> tuple[Row, ...]:
        """The consumers of other repositories whose places or values lead through this one."""
        numbers = self._of_repository("involved", tuple[int, ...], repo)
        return tuple(row for row, _ in self._rows(numbers, without))

    def _rows(
        self, numbers: Iterable[int], without: Collection[str], table: str = "members"
    ) -> Iterator[tuple[Row, str]]:
        """Rows by number, each with the name of its group."""
        first = 0
        block: tuple[Members, ...] = ()
        for number in sorted(numbers):
            if not first <= number < first + len(block):
                ((first, packed),) = self._block_of(table, "first, consumers", number)
                block = self._unpacked(tuple[Members, ...], packed)
            if not number < first + len(block):
                raise self._damaged("a consumer that is not there")
            repository, namespace, group, text = block[number - first]
            repo = self._name(repository)
            if repo in without:
                continue
            try:
                yield Row(number, repo, checked.checked(Consumer, text)), group_name(namespace, group)
            except DamagedError as error:
                raise self._damaged(str(error)) from error

    # -- for readers ----------------------------------------------------------------------------------------

    def line(self, origin: Origin, number: int) -> str | None:
        """One line of a file, as it was published; None where it is not kept."""
        shown = self._shown(origin)
        lines = () if shown is None else shown[2]
        return next((text[:LINE_CHARS_MAX] for line, text in lines if line == number), None)

    def owners(self, origin: Origin) -> tuple[str, ...]:
        """Who owns a file."""
        shown = self._shown(origin)
        if shown is not None and shown[1] is not None:
            return shown[1]
        about = self.about(origin.repo)
        return about.owners if about is not None else ()

    def _shown(self, origin: Origin) -> Shown | None:
        path = _plain(origin.path)
        rows = self._all(
            "SELECT lines FROM shown WHERE repository = ? AND path <= ? ORDER BY path DESC LIMIT 1",
            self._numbers.get(origin.repo),
            path,
        )
        shown: list[Shown] = [one for (packed,) in rows for one in self._unpacked(tuple[Shown, ...], packed)]
        return next((one for one in shown if one[0] == path), None)

    # -- the database ---------------------------------------------------------------------------------------

    def _schema(self) -> None:
        rows = self._all("SELECT sql FROM sqlite_master WHERE name = 'meta' AND type = 'table'")
        if [sql for (sql,) in rows] != [TABLES[0]]:
            raise RegistryError("registry.none", path=self.path)
        version = self._all("SELECT value FROM meta WHERE key = 'schema'")
        if version and str(version[0][0]).isdecimal() and int(version[0][0]) > SCHEMA_VERSION:
            raise RegistryError("registry.newer", path=self.path)
        found = {sql for (sql,) in self._all("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
        if found != {*TABLES, *INDEXES}:
            raise self._damaged("its tables are not those of a registry")

    def _meta(self) -> dict[str, str]:
        meta = {key: value for key, value in self._all("SELECT key, value FROM meta") if key in META}
        numbers = set(META) - {"format", "tool", "shape"}
        if (
            meta.get("format") != FORMAT
            or set(meta) != set(META)
            or not all(
                isinstance(meta[one], str) and meta[one].isdecimal() and len(meta[one]) < 12
                for one in numbers
            )
        ):
            raise RegistryError("registry.none", path=self.path)
        if meta["shape"] != SHAPE or int(meta["schema"]) != SCHEMA_VERSION:
            raise RegistryError("registry.other-version", path=self.path, tool=meta["tool"][:40])
        if not self._is_sealed:
            raise self._damaged("it has no checksum")
        return meta

    def _all(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            rows = self._database.execute(sql, values).fetchmany(_ROWS_MAX)
        except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
            raise self._damaged(str(error)) from error
        return rows

    def _found(self, kind: Kind, names: Iterable[str]) -> dict[str, tuple[int, ...]]:
        """The numbers that are found by names, of those that find any."""
        sought: dict[int, list[tuple[int, str]]] = {}
        for name in names:
            high, low = halves(kind, name)
            sought.setdefault(high % int(self.meta["buckets"]), []).append((low, name))
        found: dict[str, tuple[int, ...]] = {}
        every = list(sought)
        for start in range(0, len(every), _PARAMETERS_MAX):
            part = every[start : start + _PARAMETERS_MAX]
            holes = ", ".join("?" * len(part))
            for number, packed in self._all(
                f"SELECT bucket, entries FROM keys WHERE bucket IN ({holes})", *part
            ):
                bucket = self._bucket(packed)
                found |= {name: numbers for low, name in sought[number] if (numbers := bucket.numbers(low))}
        return found

    def _bucket(self, packed: object) -> Bucket:
        try:
            return Bucket(inflated(packed))
        except DamagedError as error:
            raise self._damaged(str(error)) from error

    def _unpacked(self, kind: Any, packed: object) -> Any:
        try:
            return unpack(kind, packed)
        except DamagedError as error:
            raise self._damaged(str(error)) from error

    def _of_repository(self, column: str, kind: Any, repo: str) -> Any:
        """What is kept of a repository in a packed column; nothing for one it does not hold."""
        rows = self._all(f"SELECT {column} FROM repositories WHERE id = ?", self._numbers.get(repo))
        return next((self._unpacked(kind, packed) for (packed,) in rows), ())

    def _block_of(self, table: str, columns: str, number: int) -> list[tuple[Any, ...]]:
        """The block of a number."""
        rows = self._all(
            f"SELECT {columns} FROM {table} WHERE first <= ? ORDER BY first DESC LIMIT 1", number
        )
        if not rows or type(rows[0][0]) is not int:
            raise self._damaged("a number that is not there")
        return rows

    def _stored(self, where: str, repo: str) -> tuple[Stored, ...]:
        rows = self._all(f"SELECT {_LISTED} FROM files WHERE {where} ORDER BY first", self._numbers.get(repo))
        return tuple(self._listed(rows))

    def _listed(self, rows: Iterable[Sequence[Any]]) -> Iterator[Stored]:
        """The files of blocks."""
        for first, repository, packed in rows:
            listed: tuple[Listed, ...] = self._unpacked(tuple[Listed, ...], packed)
            for number, (path, digest, brief) in enumerate(listed, first):
                yield Stored(number, Origin(self._name(repository), self._path(path)), digest, brief)

    def _name(self, number: object) -> str:
        name = self._names.get(number) if isinstance(number, int) else None
        if name is None:
            raise self._damaged("a row of a repository that is not there")
        return name

    def _text(self, text: object) -> str:
        if not isinstance(text, str):
            raise self._damaged("a number where a text should be")
        return text

    def _path(self, path: object) -> str:
        if not isinstance(path, str) or not checked.is_path(path):
            raise self._damaged("a path that leads out of its repository")
        return path

    def _damaged(self, reason: str) -> RegistryError:
        return RegistryError("registry.damaged", path=self.path, what=reason)


def _opened(path: str) -> tuple[sqlite3.Connection, bool]:
    """The database, and whether it has a checksum, which then fits."""
    head = b""
    try:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            raise RegistryError("registry.link", path=path)
        if not stat.S_ISREG(mode):
            raise RegistryError("file.not-regular", path=path)
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            head = file.read(_HEADER_BYTES)
    except (OSError, ValueError) as error:
        code = "registry.absent" if isinstance(error, FileNotFoundError) else "file.cannot"
        raise RegistryError(code, path=path, reason=reason_of(error)) from error
    if not head.startswith(_MAGIC) or head[68:72] != APPLICATION_ID.to_bytes(4, "big"):
        raise RegistryError("registry.none", path=path)
    page = int.from_bytes(head[16:18], "big") or 1
    pages = int.from_bytes(head[28:32], "big")
    if size != pages * (65536 if page == 1 else page):
        raise RegistryError("registry.cut-off", path=path)
    try:
        written, found = seal.read(path)
    except OSError as error:
        raise RegistryError("file.cannot", path=path, reason=reason_of(error)) from error
    if written and written != found:
        raise RegistryError("registry.damaged", path=path, what="its checksum is another one")
    name = "".join(
        f"%{byte:02X}" if byte in b"%?#" or byte > 126 else chr(byte) for byte in os.fsencode(path)
    )
    uri = f"file:{'' if os.path.isabs(path) else './'}{name}?mode=ro&immutable=1"
    try:
        database = sqlite3.connect(uri, uri=True, isolation_level=None)
        for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON", "mmap_size = 0"):
            database.execute(f"PRAGMA {pragma}").fetchall()
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, checked.TEXT_BYTES_MAX)
    except sqlite3.Error as error:
        raise RegistryError("registry.damaged", path=path, what=str(error)) from error
    return database, written == found


def _texts(text: object) -> tuple[str, ...]:
    found = _json(text)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise DamagedError("a list of texts that is none")
    return tuple(found)


def _clusters(text: object) -> Clusters:
    found = _json(text)
    try:
        pairs = [(name, addresses) for name, addresses in found]
    except (TypeError, ValueError) as error:
        raise DamagedError("clusters that are none") from error
    for name, addresses in pairs:
        if not isinstance(name, str) or not isinstance(addresses, list):
            raise DamagedError("clusters that are none")
        if not all(isinstance(one, str) for one in addresses):
            raise DamagedError("clusters that are none")
    return tuple((name, tuple(addresses)) for name, addresses in pairs)


def _json(text: object) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError) as error:
        raise DamagedError("JSON that is none") from error


def _plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()

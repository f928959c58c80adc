"""A registry file, opened as text from outside: nothing in it is believed before it was looked at.

Only what is asked for is read, by group and by key, so a check costs what its own groups and names cost.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from subdrift.linter.files import reason_of
from subdrift.linter.model.answers import Answers
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.registry import checked, seal
from subdrift.linter.registry.checked import DamagedError
from subdrift.linter.registry.entries import LINE_CHARS_MAX, About, Clusters
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

K = TypeVar("K")


class Stored(Struct, frozen=True):
    """A file without its facts."""

    id: int
    origin: Origin
    digest: bytes


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
                name,
                head,
                time,
                url,
                _texts(owners),
                checked.checked(Answers, answers),
                _clusters(clusters),
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
        return self._stored("SELECT id, repository, path, digest FROM files WHERE repository = ?", [repo])

    def files_asked_for(self, repo: str) -> tuple[tuple[Stored, str], ...]:
        """Its files of a repository that others look up, each with the keys they do so by."""
        number = self._numbers.get(repo)
        rows = self._all(
            "SELECT DISTINCT f.id, f.repository, f.path, f.digest, h.key FROM files f "
            "JOIN holds h ON h.file = f.id JOIN asks a ON a.key = h.key "
            "WHERE f.repository = ? AND a.repository != f.repository",
            number,
        )
        return tuple((self._stored_row(row[:4]), self._text(row[4])) for row in rows)

    def holding(self, keys: Iterable[str], without: Collection[str]) -> tuple[Stored, ...]:
        """The files that are found by any of the keys, of other repositories than these."""
        found: dict[int, Stored] = {}
        sql = (
            "SELECT f.id, f.repository, f.path, f.digest FROM holds h JOIN files f ON f.id = h.file "
            "WHERE h.key IN ({})"
        )
        for row in self._each(sql, keys):
            stored = self._stored_row(row)
            if stored.origin.repo not in without:
                found[stored.id] = stored
        return tuple(found[number] for number in sorted(found))

    def facts(self, files: Iterable[Stored]) -> tuple[Placed, ...]:
        """The facts of files."""
        by_id = {one.id: one.origin for one in files}
        rows = self._each("SELECT id, facts FROM files WHERE id IN ({})", by_id)
        try:
            return tuple(Placed(by_id[number], checked.unpacked(FileFacts, text)) for number, text in rows)
        except DamagedError as error:
            raise self._damaged(str(error)) from error

    def builds(self, repo: str) -> tuple[Placed, ...]:
        """The build files of a repository."""
        sql = "SELECT id, repository, path, digest FROM files WHERE repository = ? AND build"
        return self.facts(self._stored(sql, [repo]))

    def silencing(self, origins: Collection[Origin]) -> tuple[Placed, ...]:
        """Those of the files that hold suppressions."""
        repos = {origin.repo for origin in origins}
        sql = "SELECT id, repository, path, digest FROM files WHERE repository = ? AND silences"
        return self.facts(one for one in self._stored(sql, repos) if one.origin in origins)

    def starts(self, repo: str) -> tuple[Origin, ...]:
        """The files of a repository in which a process may start."""
        rows = self._all("SELECT path FROM starts WHERE repository = ?", self._numbers.get(repo))
        return tuple(Origin(repo, self._path(path)) for (path,) in rows)

    # -- edges ----------------------------------------------------------------------------------------------

    def asking(self, keys: Iterable[str], without: Collection[str]) -> dict[str, frozenset[str]]:
        """By key the repositories whose consumers hang on it."""
        found: dict[str, set[str]] = {}
        for key, number in self._each("SELECT key, repository FROM asks WHERE key IN ({})", keys):
            repo = self._name(number)
            if repo not in without:
                found.setdefault(key, set()).add(repo)
        return {key: frozenset(repos) for key, repos in found.items()}

    def providing(self, coordinates: Iterable[str]) -> frozenset[str]:
        """The repositories that build any of the coordinates."""
        wanted = set(coordinates)
        sql = "SELECT coordinate, repository FROM provides WHERE artifact IN ({})"
        artifacts = {one.rpartition(":")[2] for one in wanted}
        return frozenset(
            self._name(number) for found, number in self._each(sql, artifacts) if found in wanted
        )

    def naming(self, artifacts: Iterable[str]) -> frozenset[str]:
        """The repositories that build an artifact of any of these names, whatever its group."""
        rows = self._each("SELECT repository FROM provides WHERE artifact IN ({})", artifacts)
        return frozenset(self._name(number) for (number,) in rows)

    def taking(self, repo: str) -> tuple[tuple[str, str], ...]:
        """The repositories that take a module of this one in, each with the module's folder."""
        rows = self._all("SELECT repository, folder FROM takes WHERE taken = ?", self._numbers.get(repo))
        return tuple((self._name(number), self._text(folder)) for number, folder in rows)

    # -- consumers ------------------------------------------------------------------------------------------

    def members(self, groups: Iterable[tuple[str, str]], without: Collection[str]) -> tuple[Row, ...]:
        """The consumers of groups (namespace, group) that deployables of other repositories hold."""
        wanted = {(_plain(namespace), _plain(group)) for namespace, group in groups}
        sql = "SELECT id, repository, consumer, namespace, grp FROM consumers WHERE grp IN ({})"
        rows = self._each(sql, {group for _, group in wanted})
        return self._rows((row[:3] for row in rows if row[3:] in wanted), without)

    def involving(self, repo: str, without: Collection[str]) -> tuple[Row, ...]:
        """The consumers of other repositories whose places or values lead through this one."""
        sql = (
            "SELECT c.id, c.repository, c.consumer FROM involves i JOIN consumers c ON c.id = i.consumer "
            "WHERE i.repository = ?"
        )
        return self._rows(self._all(sql, self._numbers.get(repo)), without)

    def _rows(self, rows: Iterable[Sequence[Any]], without: Collection[str]) -> tuple[Row, ...]:
        found: list[Row] = []
        for number, repository, text in rows:
            repo = self._name(repository)
            if repo in without:
                continue
            try:
                found.append(Row(number, repo, checked.unpacked(Consumer, text)))
            except DamagedError as error:
                raise self._damaged(str(error)) from error
        return tuple(found)

    # -- for readers ----------------------------------------------------------------------------------------

    def line(self, origin: Origin, number: int) -> str | None:
        """One line of a file, as it was published; None where it is not kept."""
        rows = self._all(
            "SELECT text FROM lines WHERE repository = ? AND path = ? AND line = ?",
            self._numbers.get(origin.repo),
            _plain(origin.path),
            number,
        )
        return next((self._text(text)[:LINE_CHARS_MAX] for (text,) in rows), None)

    def owners(self, origin: Origin) -> tuple[str, ...]:
        """Who owns a file."""
        rows = self._all(
            "SELECT owners FROM owners WHERE repository = ? AND path = ?",
            self._numbers.get(origin.repo),
            _plain(origin.path),
        )
        try:
            found = next((_texts(text) for (text,) in rows), None)
        except DamagedError as error:
            raise self._damaged(str(error)) from error
        if found is None:
            about = self.about(origin.repo)
            return about.owners if about is not None else ()
        return found

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
        numbers = ("schema", "taken", "repositories", "consumers")
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

    def _each(self, sql: str, values: Iterable[object]) -> Iterator[tuple[Any, ...]]:
        """The rows of a query over any number of values, which stand in its braces."""
        every = [_plain(one) if isinstance(one, str) else one for one in values]
        for start in range(0, len(every), _PARAMETERS_MAX):
            part = every[start : start + _PARAMETERS_MAX]
            yield from self._all(sql.format(", ".join("?" * len(part))), *part)

    def _stored(self, sql: str, repos: Iterable[str]) -> tuple[Stored, ...]:
        return tuple(
            self._stored_row(row) for repo in sorted(repos) for row in self._all(sql, self._numbers.get(repo))
        )

    def _stored_row(self, row: Sequence[Any]) -> Stored:
        number, repository, path, digest = row
        if type(number) is not int or not isinstance(digest, bytes):
            raise self._damaged("a file without a number")
        return Stored(number, Origin(self._name(repository), self._path(path)), digest)

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

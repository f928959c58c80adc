"""Facts of files by content: equal bytes read by an equal extractor are never read twice, wherever they lie.

One SQLite file in `.subdrift_cache/<version>/`, safe for runs at the same time. A damaged entry or database is a
miss, a folder that cannot be written is read only; nothing here ever fails a run. Nothing is written when nothing
changed, except that entries in use are marked as such once in `TOUCH_DAYS`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import time
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from subdrift.linter import files
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.wire import SCHEMA_VERSION, WireError, dumps, loads

if TYPE_CHECKING:
    import sqlite3

CACHE_FOLDER = ".subdrift_cache"
CACHE_BYTES_MAX = 256 << 20
"""Beyond this the entries that were not used for the longest time go, until three quarters are left."""
TOUCH_DAYS = 7
LOCK_WAIT_S = 2.0
KEYS_PER_QUERY = 500

_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# Facts kept by subdrift; safe to delete.\n"
_DATABASE = "facts.db"
_SIDE_FILES = ("-wal", "-shm", "-journal")
_MARKS = ("CACHEDIR.TAG", ".gitignore")
_SCHEMA = (
    "CREATE TABLE entry (key BLOB PRIMARY KEY, used INTEGER NOT NULL, value BLOB NOT NULL) WITHOUT ROWID"
)
"""As SQLite keeps the text of it."""
_FOLDER_MODE = 0o755
"""Whatever the umask says: who may write here decides what a later run believes."""
_SECONDS_PER_DAY = 86_400


def key_of(digest: bytes, language: str, extractor: str) -> bytes:
    """The key of what `extractor` (a version) reads in a file whose content has that SHA-256."""
    head = "\0".join((str(SCHEMA_VERSION), extractor, language))
    return hashlib.sha256(digest + head.encode("utf-8", "surrogatepass")).digest()


def versions_of_package(folder: str, parts: Collection[str] = ()) -> tuple[str, str]:
    """A digest of a package's sources, library models too, and one of those in some of its folders: facts of another
    state of the extractor are never served.

    Empty where the sources cannot be listed (an application in an archive); the release number must do then.
    """
    whole, part = hashlib.sha256(), hashlib.sha256()
    try:
        for path in sorted(_source_files(folder)):
            with open(path, "rb", 0) as file:
                content = file.read()
            name = os.path.relpath(path, folder)
            content += f"\0{name}\0{len(content)}\0".encode()
            whole.update(content)
            if name.partition(os.sep)[0] in parts:
                part.update(content)
    except OSError:
        return "", ""
    return whole.hexdigest()[:16], part.hexdigest()[:16]


def remove(folder: str) -> bool:
    """Delete a cache folder. False where there is none, or where it does not bear our mark."""
    try:
        ours = files.read(os.path.join(folder, "CACHEDIR.TAG"), len(_TAG), follow=False)[: len(_TAG)] == _TAG
    except OSError:
        return False
    if ours:
        shutil.rmtree(folder)
    return ours


def key_of_last(kind: str, repositories: Iterable[str], program: str, answers: str = "") -> bytes:
    """The key of what the last run over some repositories (under some answers) leaves for the next one."""
    text = "\0".join((kind, program, answers, *repositories))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def key_of_run(state: bytes, program: str) -> bytes:
    """The key of what a whole run found out, apart from those of facts: `state` is all it has seen."""
    return hashlib.sha256(b"run\0" + program.encode("utf-8", "surrogatepass") + b"\0" + state).digest()


class Cache:
    """Facts by key. Use as a context manager, in one process; several runs may share the folder."""

    def __init__(
        self, folder: str | None, version: str, bytes_max: int = CACHE_BYTES_MAX, is_ours: bool = True
    ) -> None:
        """`folder` is the cache folder itself (`.../.subdrift_cache`); None keeps nothing and finds nothing.

        Nothing in the folder is followed as a symbolic link, and the folder itself only if a person named it:
        `is_ours` says that nobody did. Then it must belong to who runs this, and nobody else may write there.
        """
        self.hits = 0
        self.misses = 0
        self.remark = ""
        """Why nothing is kept, where that is not what was asked for."""
        self._folder = folder
        self._home = None if folder is None else os.path.join(folder, version)
        self._bytes_max = bytes_max
        self._connection: sqlite3.Connection | None = None
        self._may_write = folder is not None
        self._opened = False
        self._old: list[bytes] = []
        self._is_ours = is_ours

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, keys: Iterable[bytes]) -> dict[bytes, FileFacts | None]:
        """The entries that are there; a stored None says the file holds nothing."""
        wanted = list(dict.fromkeys(keys))
        found: dict[bytes, FileFacts | None] = {}
        if wanted and self._open(create=False):
            today = _today()
            for start in range(0, len(wanted), KEYS_PER_QUERY):
                for key, used, value in self._select(wanted[start : start + KEYS_PER_QUERY]):
                    try:
                        found[key] = _decode(key, value)
                    except WireError:
                        continue  # damaged: a miss, and replaced by what is put next
                    if used + TOUCH_DAYS <= today:
                        self._old.append(key)
        self.hits += len(found)
        self.misses += len(wanted) - len(found)
        return found

    def put(self, entries: Mapping[bytes, FileFacts | None]) -> None:
        """Keep entries, replacing those of the same key."""
        if not entries or not self._may_write or not self._open(create=True):
            return
        today = _today()
        self._insert([(key, today, _encode(key, facts)) for key, facts in entries.items()])

    def get_text(self, key: bytes) -> str | None:
        """The text that is kept under a key; None where there is none, or a damaged one."""
        if not self._open(create=False):
            return None
        for _, used, value in self._select([key]):
            try:
                text = _checked(key, value)
            except WireError:
                return None
            if used + TOUCH_DAYS <= _today():
                self._old.append(key)
            return text
        return None

    @property
    def is_aging(self) -> bool:
        """Whether something that was found has not been used for days. What belongs to it should be looked up too then: what
        is not used is the first to go."""
        return bool(self._old)

    def put_text(self, key: bytes, text: str) -> None:
        """Keep an ASCII text, replacing that of the same key."""
        if self._may_write and self._open(create=True):
            self._insert([(key, _today(), _sealed(key, text))])

    def _insert(self, rows: Sequence[tuple[object, ...]]) -> None:
        self._write("INSERT OR REPLACE INTO entry (key, used, value) VALUES (?, ?, ?)", rows)
        self._evict()

    def close(self) -> None:
        if self._old:
            today = _today()
            self._write("UPDATE entry SET used = ? WHERE key = ?", [(today, key) for key in self._old])
            self._old.clear()
        if self._connection is not None:
            self._connection.close()
            self._connection = None
            self._opened = False

    def _open(self, create: bool) -> bool:
        if self._connection is not None:
            return True
        if self._home is None or (self._opened and not create):
            return False
        self._opened = True
        path = os.path.join(self._home, _DATABASE)
        if (odd := self._odd_one(path)) is not None:
            self._give_up(odd)
            return False
        if not os.path.exists(path) and not (create and self._prepare()):
            return False
        import sqlite3  # only a run with candidates needs it

        for attempt in range(2):
            try:
                self._connection = self._connect(path)
                return True
            except sqlite3.OperationalError as error:
                self._give_up(_said(error, path))
                return False
            except sqlite3.DatabaseError as error:
                if attempt or not self._discard(path):
                    self._give_up(str(error))
                    return False
        return False

    def _odd_one(self, path: str) -> str | None:
        """What of the folder's own files is a link or no file; a cache folder may come with anybody's checkout."""
        assert self._folder is not None
        assert self._home is not None
        folders = [self._folder] * self._is_ours + [self._home]
        names = [path, *(path + suffix for suffix in _SIDE_FILES)]
        names += [os.path.join(self._folder, name) for name in _MARKS]
        for name, is_wanted in [(one, stat.S_ISDIR) for one in folders] + [
            (one, stat.S_ISREG) for one in names
        ]:
            try:
                about = os.lstat(name)
            except OSError:
                continue  # it is not there, or opening it will say why not
            mode = about.st_mode
            if stat.S_ISLNK(mode):
                return f"{name} is a symbolic link and was not followed"
            if not is_wanted(mode):
                return f"{name} is not a {'folder' if is_wanted is stat.S_ISDIR else 'regular file'}"
            is_mark = os.path.basename(name) in _MARKS
            if self._is_ours and not is_mark and (why := _whose(about)):
                return f"{name} {why}; --cache-dir uses it nevertheless, `subdrift clean` removes it"
        return None

    def _connect(self, path: str) -> sqlite3.Connection:
        import sqlite3

        paths = [os.path.dirname(path)] + [path] * os.path.exists(path)
        self._may_write = all(os.access(one, os.W_OK) for one in paths)
        # without write permission not even WAL's side files can be made, so the file must be taken as it stands
        mode = "rwc" if self._may_write else "ro&immutable=1"
        connection = sqlite3.connect(
            f"file:{_quote(path)}?mode={mode}", uri=True, timeout=LOCK_WAIT_S, isolation_level=None
        )
        try:
            connection.execute("PRAGMA trusted_schema=OFF")
            schema = connection.execute("SELECT sql FROM sqlite_master").fetchall()
            if schema not in ([], [(_SCHEMA,)]):
                # a view or trigger under our names could compute for ever
                raise sqlite3.DatabaseError("the cache has tables that are not ours")
            if self._may_write:
                _changed_to_wal(connection)
                connection.execute("PRAGMA synchronous=NORMAL")
                if not schema:
                    connection.execute(_SCHEMA.replace("TABLE", "TABLE IF NOT EXISTS"))
            else:
                connection.execute("SELECT key, used, value FROM entry LIMIT 1").fetchone()
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _select(self, keys: list[bytes]) -> list[tuple[bytes, int, bytes]]:
        import sqlite3

        if self._connection is None:
            return []
        marks = ",".join("?" * len(keys))
        try:
            rows = self._connection.execute(
                f"SELECT key, used, value FROM entry WHERE key IN ({marks})", keys
            )
            return [row for row in rows if isinstance(row[1], int) and isinstance(row[2], bytes)]
        except sqlite3.Error as error:
            self._break(error)
            return []

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        import sqlite3

        if self._connection is None or not self._may_write:
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(statement, rows)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._break(error)

    def _evict(self) -> None:
        import sqlite3

        if self._connection is None:
            return
        try:
            size = self._bytes_used()
            while size > self._bytes_max:
                (count,) = self._connection.execute("SELECT count(*) FROM entry").fetchone()
                excess = max(1, count * (size - self._bytes_max * 3 // 4) // size)
                self._connection.execute(
                    "DELETE FROM entry WHERE key IN (SELECT key FROM entry ORDER BY used LIMIT ?)", (excess,)
                )
                before, size = size, self._bytes_used()
                if count <= excess or size >= before:
                    break
        except sqlite3.Error as error:
            self._break(error)

    def _bytes_used(self) -> int:
        connection = self._connection
        if connection is None:
            return 0
        pages, free, page_bytes = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * page_bytes

    def _prepare(self) -> bool:
        """Make the folders, marked so that git, backups and people leave them alone."""
        if self._folder is None or self._home is None:
            return False
        try:
            # a folder that holds something already is somebody's: no mark, so that nothing in it is ignored or deleted
            ours = not os.path.isdir(self._folder) or not os.listdir(self._folder)
            for one in (self._folder, self._home):
                os.makedirs(one, _FOLDER_MODE, exist_ok=True)
            for name, content in ((".gitignore", b"*\n"), ("CACHEDIR.TAG", _TAG)):
                path = os.path.join(self._folder, name)
                if ours and not os.path.lexists(path):
                    files.write(path, content)
        except OSError as error:
            self._give_up(f"{error.filename or self._folder}: {error.strerror or error}")
            return False
        return True

    def _discard(self, path: str) -> bool:
        """Throw a damaged database away; another run may have done so already."""
        for suffix in ("", *_SIDE_FILES):
            try:
                os.unlink(path + suffix)
            except FileNotFoundError:
                continue
            except OSError:
                return False
        return True

    def _break(self, error: Exception) -> None:
        """A database that answers with errors is not asked again in this run; the next one starts afresh."""
        import sqlite3

        if self._connection is not None:
            self._connection.close()
            self._connection = None
        damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
        if damaged and self._may_write and self._home is not None:
            self._discard(os.path.join(self._home, _DATABASE))
        self._give_up(str(error) if self._home is None else _said(error, os.path.join(self._home, _DATABASE)))

    def _give_up(self, reason: str) -> None:
        self.remark = f"the cache was not used: {reason}"
        self._may_write = False
        self._home = None
        self._old.clear()


def _encode(key: bytes, facts: FileFacts | None) -> bytes:
    return _sealed(key, "" if facts is None else dumps(facts))


def _decode(key: bytes, value: bytes) -> FileFacts | None:
    text = _checked(key, value)
    return loads(FileFacts, text) if text else None


def _sealed(key: bytes, text: str) -> bytes:
    content = text.encode("ascii")
    return _checksum(key, content) + content


def _checked(key: bytes, value: bytes) -> str:
    content = value[4:]
    if _checksum(key, content) != value[:4]:
        raise WireError("damaged")
    return content.decode("ascii")


def _checksum(key: bytes, content: bytes) -> bytes:
    """A value that has come under another key is as damaged as one that was changed."""
    return zlib.crc32(content, zlib.crc32(key)).to_bytes(4, "big")


def _changed_to_wal(connection: sqlite3.Connection) -> None:
    """The way a new database is written: SQLite does not wait by itself for another run that changes it at the same moment."""
    import sqlite3

    end = time.monotonic() + LOCK_WAIT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)


def _said(error: Exception, path: str) -> str:
    """What SQLite says of a database; of a lock that it did not get, whose it is and what to do."""
    import sqlite3

    if not isinstance(error, sqlite3.OperationalError):
        return str(error)
    code = error.sqlite_errorcode & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PROTOCOL) and not files.locks(path):
        return f"the file system of {path} does not lock files; --cache-dir names a folder of this machine"
    if code == sqlite3.SQLITE_BUSY:
        return (
            f"another run has held the lock of {path} for {LOCK_WAIT_S:.0f} s; this run read everything itself, "
            f"and where no other is going on, `subdrift clean` removes it"
        )
    return str(error)


def _whose(about: os.stat_result) -> str:
    """Why what stands in a folder that nobody named may be another's, "" where it is ours (or the system's) alone."""
    if about.st_uid not in (os.geteuid(), 0):
        return "belongs to another user"
    return "can be written by others" if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH) else ""


def _source_files(folder: str) -> Iterable[str]:
    stack = [folder]
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    stack.append(entry.path)
                elif entry.name.endswith((".py", ".java", ".kt")):
                    yield entry.path


def _quote(path: str) -> str:
    return "".join(
        f"%{byte:02X}" if chr(byte) in "%?#" or byte > 126 else chr(byte) for byte in os.fsencode(path)
    )


def _today() -> int:
    return int(time.time()) // _SECONDS_PER_DAY

"""The format of a registry: one SQLite database, its tables, and what tells it apart from any other.

Nothing resolved from R's files alone is kept for R: a check of R reads the other repositories' rows and its own tree.
Facts and consumers are wire text (`linter.model.wire`), many to a compressed block (`blocks`); `keys` says in which number of
a file, consumer or repository a name is found.
"""

from __future__ import annotations

from typing import Final

from subdrift.linter.model.message import UnusableError

APPLICATION_ID: Final = 0x53554244  # "SUBD"
SCHEMA_VERSION: Final = 4
"""Of tables and of the wire text in them: raised whenever an older reader could not read a newer file."""

FORMAT: Final = "subdrift registry"

SHAPE: Final = "afc8c08f2cca955f"
"""Equal for programs that spell facts and consumers alike: a digest of `wire.shape` of both and of answers, which a test
works out."""

TABLES: Final = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # `taken` of `meta` and `time` count seconds since 1970; `owners` is who owns what no line of CODEOWNERS names, as JSON.
    # `starts` are paths; `asked` its files that others look up: path, digest, the keys they do so by; `takers` the
    # repositories that take a module of it in, with the module's folder; `involved` the members of others that lead through it;
    # `topics` those that it reads or sends to
    "CREATE TABLE repositories (id INTEGER PRIMARY KEY, name TEXT NOT NULL, head TEXT NOT NULL, time INTEGER, "
    "url TEXT NOT NULL, owners TEXT NOT NULL, answers TEXT NOT NULL, clusters TEXT NOT NULL, "
    "starts BLOB NOT NULL, asked BLOB NOT NULL, takers BLOB NOT NULL, involved BLOB NOT NULL, topics BLOB NOT NULL)",
    # files of one repository, numbered from `first`: path, digest, flags of each; and their facts
    "CREATE TABLE files (first INTEGER PRIMARY KEY, repository INTEGER NOT NULL, builds INTEGER NOT NULL, "
    "silences INTEGER NOT NULL, listed BLOB NOT NULL, facts BLOB NOT NULL)",
    # consumers, numbered from `first`, ordered by group, "" where that is not known; and what sends
    "CREATE TABLE members (first INTEGER PRIMARY KEY, consumers BLOB NOT NULL)",
    "CREATE TABLE senders (first INTEGER PRIMARY KEY, consumers BLOB NOT NULL)",
    # the numbers of what sends to a topic and of what reads it
    "CREATE TABLE topics (name TEXT PRIMARY KEY, senders BLOB NOT NULL, readers BLOB NOT NULL) WITHOUT ROWID",
    # what is looked up by a name: `entries` are the rest of a hash of the kind and the name, and the number found by it
    "CREATE TABLE keys (bucket INTEGER PRIMARY KEY, entries BLOB NOT NULL)",
    # lines and owners of files of one repository, ordered by path, from `path` on
    "CREATE TABLE shown (repository INTEGER NOT NULL, path TEXT NOT NULL, lines BLOB NOT NULL, "
    "PRIMARY KEY (repository, path)) WITHOUT ROWID",
)
INDEXES: Final = ("CREATE INDEX files_by_repository ON files (repository, builds, silences)",)

META: Final = (
    *("format", "schema", "tool", "shape", "taken", "repositories", "consumers", "buckets"),
    *("senders", "unknown_senders", "unknown_readers"),
)
"""The keys of `meta`. `buckets` counts those of `keys`, `taken` seconds since 1970; `shape` stands for the classes that the
wire text spells; `senders` is 1 where what sends was looked for, else 0; `unknown_senders` and `unknown_readers` count those
whose topic is not known."""


class RegistryError(UnusableError):
    """A registry that cannot be written or read; the text names the file and what to do."""

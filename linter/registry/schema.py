"""The format of a registry: one SQLite database, its tables, and what tells it apart from any other.

Nothing resolved from R's files alone is kept for R: a check of R reads the other repositories' rows and its own tree.
Facts and consumers are wire text (`linter.model.wire`), compressed; key columns are what they are found by.
"""

from __future__ import annotations

from typing import Final

from subdrift.linter.model.message import UnusableError

APPLICATION_ID: Final = 0x53554244  # "SUBD"
SCHEMA_VERSION: Final = 2
"""Of tables and of the wire text in them: raised whenever an older reader could not read a newer file."""

FORMAT: Final = "subdrift registry"

SHAPE: Final = "67629dce66047f88"
"""Equal for programs that spell facts and consumers alike: a digest of `wire.shape` of both and of answers, which a test
works out."""

TABLES: Final = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # `taken` counts seconds since 1970; `owners` is who owns what no line of CODEOWNERS names, as JSON
    "CREATE TABLE repositories (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, head TEXT NOT NULL, "
    "time INTEGER, url TEXT NOT NULL, owners TEXT NOT NULL, answers TEXT NOT NULL, clusters TEXT NOT NULL)",
    "CREATE TABLE files (id INTEGER PRIMARY KEY, repository INTEGER NOT NULL, path TEXT NOT NULL, "
    "digest BLOB NOT NULL, build INTEGER NOT NULL, silences INTEGER NOT NULL, facts BLOB NOT NULL)",
    "CREATE TABLE starts (repository INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY (repository, path)) "
    "WITHOUT ROWID",
    # the keys of `stages.keys_of`, and those of `Known.asked` by the repository whose consumers hang on them
    "CREATE TABLE holds (key TEXT NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (key, file)) WITHOUT ROWID",
    "CREATE TABLE asks (key TEXT NOT NULL, repository INTEGER NOT NULL, PRIMARY KEY (key, repository)) "
    "WITHOUT ROWID",
    "CREATE TABLE provides (artifact TEXT NOT NULL, coordinate TEXT NOT NULL, repository INTEGER NOT NULL, "
    "PRIMARY KEY (artifact, coordinate, repository)) WITHOUT ROWID",
    "CREATE TABLE takes (taken INTEGER NOT NULL, folder TEXT NOT NULL, repository INTEGER NOT NULL, "
    "PRIMARY KEY (taken, folder, repository)) WITHOUT ROWID",
    "CREATE TABLE consumers (id INTEGER PRIMARY KEY, repository INTEGER NOT NULL, namespace TEXT NOT NULL, "
    "grp TEXT NOT NULL, consumer BLOB NOT NULL)",
    # other repositories that a consumer's places and values lead through
    "CREATE TABLE involves (repository INTEGER NOT NULL, consumer INTEGER NOT NULL, "
    "PRIMARY KEY (repository, consumer)) WITHOUT ROWID",
    "CREATE TABLE lines (repository INTEGER NOT NULL, path TEXT NOT NULL, line INTEGER NOT NULL, "
    "text TEXT NOT NULL, PRIMARY KEY (repository, path, line)) WITHOUT ROWID",
    "CREATE TABLE owners (repository INTEGER NOT NULL, path TEXT NOT NULL, owners TEXT NOT NULL, "
    "PRIMARY KEY (repository, path)) WITHOUT ROWID",
)
INDEXES: Final = (
    "CREATE UNIQUE INDEX files_by_path ON files (repository, path)",
    "CREATE INDEX files_that_build ON files (repository) WHERE build",
    "CREATE INDEX holds_by_file ON holds (file)",
    "CREATE INDEX consumers_by_group ON consumers (grp, namespace)",
    "CREATE INDEX consumers_by_repository ON consumers (repository)",
)


META: Final = ("format", "schema", "tool", "shape", "taken", "repositories", "consumers")
"""The keys of `meta`. `taken` counts seconds since 1970; `shape` stands for the classes that the wire text spells."""


class RegistryError(UnusableError):
    """A registry that cannot be written or read; the text names the file and what to do."""

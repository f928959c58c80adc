"""Rows between the stages: tuples in Python, Arrow batches on the way, cut into runs of one key.

Key columns are plain text; what they lead to is wire text (`linter.model.wire`), which no column type could hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]

BATCH_ROWS_MAX = 1_000
BATCH_CHARS_MAX = 8 << 20

Row = tuple[Any, ...]
Batches = Iterator[pa.RecordBatch]

READ = "kind string, repo string, path string, number bigint, text string"
"""What listing and reading give. By kind, as rows:

- `part` (path: the source, number: which part, text: paths), `objects` (the same of a commit, text: of each of these paths the
  object and its size), `answers`, `owners`, `listing-diagnostic` (text) for each
  repository;
- `file` and, where it counts only if the run holds a candidate, `lasting` (number: when it was read, text: facts or null);
- `hold` (text: a key other files can find this file under);
- `diagnostic`, and `lasting-diagnostic` (text);
- `defined` (text: a name this file was asked for), `used` (text: a pair of names as JSON that this file uses);

and as what the driver is told:

- `repository` (path: the source as JSON, number: files), `clusters`, `remark`, `fatal` (text) for each repository;
- `about` (path: its answers, text: commit, time, url and owners as JSON);
- `head` (path: the source, text: the commit it is read at);
- `sized` (path: which part, number: characters of its paths), `files` (number: looked at),
  `parsed` (path: kind of the files and which part, number: files that gave facts, text: characters of those),
  `spent` (number: milliseconds its reading took), `worker` (text: host, process, and that of its parent);
- `build` (text: facts that hold a build file alone), `start` (a process may start in this file; number: when it was read).

Files are read at 0, at first sight; in round N of demand at 2N those that may define what was asked for, and at 2N + 1 those
that use it.
"""

CONSUMED = "kind string, repo string, cluster string, namespace string, grp string, key string, text string"
"""What consuming a repository gives. By kind, as rows:

- `consumer` (key: its id), and `named` for one that is counted as a group and compared with none;
- `finding` of a consumer without group (key: its place in the order), `shown` (text: that consumer);
- `diagnostic`, `suppression` (key: repository and path as JSON);
- `ask` (key: what was looked up);
- `unknown` (cluster, namespace, group: the place, key: field, cause and detail as JSON, text: group, consumer and
  deployable as JSON);

and as what the driver is told:

- `type`, `caller`, `file-wanted` (key: a wanted name); `held` (key: a repository, text: how many consumers in its code);
  `looked` (text: a digest of all it looked up).
"""

WANTED = ("type", "caller", "file-wanted")
"""Kinds of told rows of consuming that ask for what has not been read."""

TOLD = frozenset(
    {
        "repository", "clusters", "remark", "fatal", "about", "head", "sized", "files", "parsed", "spent", "worker",
        "build", "start", *WANTED, "held", "looked",
    }
)  # fmt: skip
"""Kinds of rows that hold names and counts: they go to the driver with the end of a task and are in no table."""

FILES = ("file", "hold", "diagnostic")
"""Kinds of `READ` rows that files give."""

LISTED = ("part", "objects", "answers", "owners", "listing-diagnostic")
"""Kinds of `READ` rows that say what a repository is; the others say what its files hold."""

JUDGED = "kind string, cluster string, namespace string, grp string, key string, text string"
"""What judging gives. By kind, as rows:

- `verdict` (text: the row of the group's table as JSON), or `named` for a group whose consumers are compared with none;
  `finding` (key: its place in the order), `shown` (text: a consumer of a group that has findings);
- `spot` (cluster, namespace, group: the place of an unknown value, key: field, cause and detail as JSON, text: the row of
  its table as JSON), `unknown` (the same key, the first place, text: how many places).
"""

_ARROW = {"string": pa.string(), "bigint": pa.int64()}


def arrow_schema(ddl: str) -> pa.Schema:
    """The Arrow form of one of the schemas above."""
    fields = (column.split() for column in ddl.split(","))
    return pa.schema([pa.field(name, _ARROW[type_]) for name, type_ in fields])


def key_text(text: str) -> str:
    """Text that any column can hold: lone surrogates (which Java sources can write) as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def rows_of(batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
    """The rows of some batches, one after the other."""
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def batches_of(rows: Iterable[Row], schema: pa.Schema) -> Batches:
    """Rows as batches, bounded in rows and in text."""
    held: list[Row] = []
    size = 0
    for row in rows:
        held.append(row)
        size += sum(len(value) for value in row if isinstance(value, str))
        if len(held) >= BATCH_ROWS_MAX or size >= BATCH_CHARS_MAX:
            yield _batch(held, schema)
            held, size = [], 0
    if held:
        yield _batch(held, schema)


def _batch(rows: Sequence[Row], schema: pa.Schema) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def runs(rows: Iterable[Row], key: Callable[[Row], object]) -> Iterator[Iterator[Row]]:
    """Neighbouring rows of one key, across the borders of batches; rows must come sorted."""
    for _, run in groupby(rows, key):
        yield run

"""Rows between the stages: tuples, cut into runs of one key. What their keys lead to is wire text (`linter.model.wire`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

BATCH_CHARS_MAX = 8 << 20
"""Text of a record, from which on another one is begun."""

Row = tuple[Any, ...]

# What listing and reading give: (kind, repo, path, number, text). By kind, as rows:
#
# - `part` (path: the source, number: which part, text: paths), `objects` (the same of a commit, text: the
#   objects of these paths), `answers`, `owners` (text) for each repository;
# - `file` and, where it counts only if the run holds a candidate, `lasting` (number: when it was read, text: its facts);
# - `index` for each file that was read, whether it gave facts or not (number, then: `file` or `lasting`, a hash of its facts,
#   the hashes of the keys other files can find it under: `records.hashed`);
# - `defined` (text: a name this file was asked for), `used` (text: a pair of names as JSON that this file uses);
#
# and as what the driver is told:
#
# - `repository` (path: the source as JSON, number: files), `clusters`, `remark`, `fatal` (text) for each repository, `owned`
#   where a file of it names owners;
# - `about` (path: its answers, text: commit, time, url and owners as JSON);
# - `head` (path: the source, text: the commit it is read at);
# - `sized` (path: which part, number: characters of its paths), `files` (number: looked at),
#   `parsed` (path: kind of the files and which part, number: files that gave facts, text: characters of those),
#   `spent` (number: milliseconds its reading took), `worker` (text: host, process, and that of its parent);
# - `build` (text: facts that hold a build file alone), `start` (a process may start in this file; number: when it was read);
# - `diagnostic`, `lasting-diagnostic`, `listing-diagnostic` (number: when, text);
# - `uses` (text: a pair of names as JSON that some file of the repository uses), and `used-before` for one that an earlier
#   scan has found; `took` (a file that was taken over from an earlier scan, number: when it was read).
#
# Files are read at 0, at first sight; in round N of demand at 2N those that may define what was asked for, and at 2N + 1 those
# that use it.
#
# What consuming a repository gives: (kind, repo, cluster, namespace, group, key, text). By kind, as rows:
#
# - `consumer` (key: its id), and `named` for one that is counted as a group and compared with none;
# - `asks` (text: what was looked up, as JSON);
# - `unknown` (cluster, namespace, group: the place, key: field, cause and detail as JSON, text: group, consumer and
#   deployable as JSON);
#
# and as what the driver is told:
#
# - `finding` of a consumer without group (key: its place in the order), `shown` (text: that consumer);
# - `diagnostic`, `suppression` (key: repository and path as JSON);
# - `type`, `caller`, `file-wanted` (key: a wanted name); `held` (key: a repository, text: how many consumers in its code);
#   `looked` (text: a digest of all it looked up).
#
# What judging gives: (kind, cluster, namespace, group, key, text). By kind, as rows:
#
# - `verdict` (text: the row of the group's table as JSON), or `named` for a group whose consumers are compared with none;
# - `spot` (cluster, namespace, group: the place of an unknown value, key: field, cause and detail as JSON, text: the row of
#   its table as JSON);
#
# and, as the driver is told too: `finding` (key: its place in the order), `shown` (text: a consumer of a group that has
# findings), `unknown` (the key of `spot`, the first place, text: how many places).

#
# What is kept of what repositories have looked up (`was-asked`), and of what their files are found under (`was-held`), is cut
# by hash: (kind, bucket, repository, hashes).

BLOBS = {
    "part": "listing", "objects": "listing", "file": "facts", "lasting": "facts", "defined": "why", "used": "why",
    "consumer": "members", "named": "members",
}  # fmt: skip
"""By kind of row the blob of a record it goes into; others have one of their own."""

WANTED = ("type", "caller", "file-wanted")
"""Kinds of told rows of consuming that ask for what has not been read."""

SAID = ("finding", "shown", "diagnostic", "suppression")
"""Kinds of told rows of consuming that reports are made from."""

TOLD = frozenset(
    {
        "repository", "clusters", "owned", "remark", "fatal", "about", "head", "sized", "files", "parsed", "spent", "worker",
        "build", "start", "lasting-diagnostic", "listing-diagnostic", "uses", "used-before", "took", *WANTED, *SAID,
        "held", "looked",
    }
)  # fmt: skip
"""Kinds of rows that go to the driver with the end of a task: names, counts, and what findings and diagnostics are."""


def key_text(text: str) -> str:
    """Text that any column can hold: lone surrogates (which Java sources can write) as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def runs(rows: Iterable[Row], key: Callable[[Row], object]) -> Iterator[Iterator[Row]]:
    """Neighbouring rows of one key; rows must come sorted."""
    for _, run in groupby(rows, key):
        yield run


def owners_key(repo: str) -> str:
    """The key under which the file that names a repository's owners is held."""
    return f"owners:{repo}"

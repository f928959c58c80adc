"""Rows at rest: one line of text for a repository and a step, its rows in blobs by the work that needs them.

What a task does not need it neither unpacks nor, for the most part, looks at: the name of the step and of the repository stand
first. A blob is msgpack, so a file that somebody else wrote can be wrong, but cannot make anything run.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import msgspec
from msgspec import Struct

from subdrift.spark_jobs.rows import BATCH_CHARS_MAX, BLOBS, Row

_FAST = 1  # level of compression: a tenth larger than the usual one, at a third of the time
_ROWS = msgspec.msgpack.Decoder(list[tuple])  # type: ignore[type-arg]
HASH_BYTES = 8


def pack(rows: Sequence[Row]) -> bytes:
    """Rows as text without blanks."""
    return base64.b64encode(zlib.compress(msgspec.msgpack.encode(rows), _FAST))


def unpack(blob: bytes) -> list[Row]:
    """The rows of a blob."""
    return _ROWS.decode(zlib.decompress(base64.b64decode(blob)))


class Record(Struct):
    """The rows that a step has given for a repository, or a part of them; those of no repository have "" for its name."""

    step: str
    repo: str
    blobs: dict[str, bytes]

    def rows(self, *names: str) -> list[Row]:
        """The rows in blobs of these names."""
        return [row for name in names if name in self.blobs for row in unpack(self.blobs[name])]

    @classmethod
    def of(cls, line: bytes) -> Record:
        """The record of a line."""
        step, repo, *blobs = line.split(b"\t")
        pairs = (blob.partition(b" ") for blob in blobs)
        return cls(step.decode(), json.loads(repo), {name.decode(): blob for name, _, blob in pairs})


def lines(step: str, rows: Iterable[Row], by_repo: bool = True) -> Iterator[bytes]:
    """Rows as lines. Neighbours of one repository go into one, up to a size; `by_repo`: whether rows have any."""
    for repo, run in groupby(rows, lambda row: str(row[1]) if by_repo else ""):
        held: dict[str, list[Row]] = {}
        size = 0
        for row in run:
            kind = str(row[0])
            name = BLOBS.get(kind, kind)
            if size >= BATCH_CHARS_MAX and name != "index":  # which goes with the facts before it
                yield _line(step, repo, held)
                held, size = {}, 0
            held.setdefault(name, []).append(row)
            size += sum(len(value) for value in row if isinstance(value, str))
        if held:
            yield _line(step, repo, held)


def _line(step: str, repo: str, held: dict[str, list[Row]]) -> bytes:
    blobs = (b"%s %s" % (name.encode(), pack(rows)) for name, rows in held.items())
    return b"\t".join((step.encode(), json.dumps(repo).encode(), *blobs))


def repo_of(line: bytes) -> str:
    """The repository of a line."""
    return str(json.loads(line.split(b"\t", 2)[1]))


def hashed(keys: Iterable[str]) -> bytes:
    """Texts as hashes of eight bytes each: which of them are equal is asked of millions."""
    return b"".join(
        hashlib.blake2b(key.encode("utf-8", "backslashreplace"), digest_size=HASH_BYTES).digest()
        for key in sorted(set(keys))
    )


def hashes(packed: bytes) -> array[int]:
    """The hashes as numbers."""
    found = array("Q")
    found.frombytes(packed)
    return found

"""What proves that tables are whole: their files, each with its length and digest, written last and compared before use.

Copies that were cut short, life-cycle rules and disks take files away, shorten them or change a bit; what is left looks like
the tables of a smaller organisation.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from typing import Final, Protocol

from msgspec import Struct

FILE: Final = "manifest.json"
SCHEMA_VERSION: Final = 1
BYTES_MAX: Final = 64 << 20
_CHUNK_BYTES: Final = 1 << 20


class Files(Protocol):
    """The files below a folder, by their path from there."""

    def lengths(self, name: str) -> dict[str, int]:
        """How many bytes each file below a folder of that name has; empty where there is none. Raises `OSError`."""

    def digest(self, path: str) -> str:
        """The SHA-256 of a file, in hexadecimal digits. Raises `OSError`."""

    def cut(self, path: str, places: Iterable[tuple[int, int]]) -> list[bytes]:
        """Pieces of a file: from where, how long. Raises `OSError`."""


class LocalFiles(Struct, frozen=True):
    """`Files` of this machine."""

    folder: str

    def lengths(self, name: str) -> dict[str, int]:
        found: dict[str, int] = {}
        folders = [name]
        while folders:
            below = folders.pop()
            try:
                entries = list(os.scandir(f"{self.folder}/{below}"))
            except FileNotFoundError:
                continue
            for one in entries:
                if one.is_dir(follow_symlinks=False):
                    folders.append(f"{below}/{one.name}")
                else:
                    found[f"{below}/{one.name}"] = one.stat().st_size
        return found

    def digest(self, path: str) -> str:
        digest = hashlib.sha256()
        with open(f"{self.folder}/{path}", "rb", 0) as file:
            while part := file.read(_CHUNK_BYTES):
                digest.update(part)
        return digest.hexdigest()

    def cut(self, path: str, places: Iterable[tuple[int, int]]) -> list[bytes]:
        with open(f"{self.folder}/{path}", "rb", 0) as file:
            return [os.pread(file.fileno(), length, start) for start, length in places]


class Manifest(Struct, frozen=True):
    """The files of some tables. `scan` is the scan that wrote them, `made` what decided what they hold (`Left.made`)."""

    scan: str
    made: str
    files: Mapping[str, tuple[int, str]]

    @classmethod
    def of(cls, scan: str, made: str, files: Files, names: Iterable[str]) -> Manifest:
        """Of what lies below folders of these names. Raises `OSError`."""
        lengths = {path: length for name in names for path, length in files.lengths(name).items()}
        return cls(scan, made, {path: (lengths[path], files.digest(path)) for path in sorted(lengths)})

    def along(self, other: Manifest, folders: Iterable[str]) -> Manifest:
        """With the files of another one that lie below some folders."""
        more = {
            path: one for path, one in other.files.items() for name in folders if path.startswith(f"{name}/")
        }
        return Manifest(self.scan, self.made, {**self.files, **more})

    def dumps(self) -> str:
        """Two lines: what it says, and the SHA-256 of that."""
        said = {"schema_version": SCHEMA_VERSION, "scan": self.scan, "made": self.made, "files": self.files}
        line = json.dumps(said, sort_keys=True)
        return f"{line}\n{_digest(line)}\n"

    @classmethod
    def loads(cls, content: bytes) -> Manifest | None:
        """The manifest of these bytes; None where it is not as it was written, or of another form."""
        line, _, rest = content.decode("ascii", "replace").partition("\n")
        if rest != f"{_digest(line)}\n":
            return None
        said = json.loads(line)
        if said["schema_version"] != SCHEMA_VERSION:
            return None
        files = {path: (length, digest) for path, (length, digest) in said["files"].items()}
        return cls(said["scan"], said["made"], files)

    def differing(self, files: Files, name: str) -> str:
        """What of a folder is not as it was written, "" where all of it is. Raises `OSError`.

        A file that does not count for a reader (its name begins with a dot: a checksum of Hadoop's, what a system keeps) may be
        missing, but not be another.
        """
        there = files.lengths(name)
        written = {path: one for path, one in self.files.items() if path.startswith(f"{name}/")}
        if not written:
            return f"{name} is not in {FILE}"
        for path, (length, _) in written.items():
            if path not in there and not _is_hidden(path):
                return f"{path} is missing"
            if there.get(path, length) != length:
                return f"{path} has {there[path]} bytes instead of {length}"
        if odd := sorted(path for path in there if path not in written and not self._is_apart(path)):
            return f"{odd[0]} was added"
        changed = (
            path for path, (_, digest) in written.items() if path in there and files.digest(path) != digest
        )
        return next((f"{path} was changed" for path in changed), "")

    def _is_apart(self, path: str) -> bool:
        """Whether a file that was not written with the tables changes nothing: the manifest itself, and a hidden one that
        is not the checksum of one of them."""
        folder, _, base = path.rpartition("/")
        if base == FILE:
            return True
        return _is_hidden(path) and f"{folder}/{base[1:].removesuffix('.crc')}" not in self.files


def _is_hidden(path: str) -> bool:
    return path.rpartition("/")[2].startswith(".")


def _digest(line: str) -> str:
    return hashlib.sha256(line.encode("ascii", "replace")).hexdigest()

"""The checksum of a registry: a bit that is another one anywhere in the file is noticed before anything is asked of it.

A CRC-32 of the whole file stands in the four bytes of SQLite's header that are left to applications (`user_version`),
worked out with zeros in their place. It holds against disks and copies, not against somebody who writes a registry.
"""

from __future__ import annotations

import zlib
from typing import Final

_AT: Final = 60
_ZEROS: Final = bytes(4)
_CHUNK_BYTES: Final = 1 << 20


def put(path: str) -> None:
    """Write the checksum of a finished registry into it. Raises `OSError`."""
    _, found = read(path)
    with open(path, "r+b") as file:
        file.seek(_AT)
        file.write(found.to_bytes(4, "big"))


def read(path: str) -> tuple[int, int]:
    """The checksum that stands in a file, and the one it has. Raises `OSError`."""
    with open(path, "rb", 0) as file:
        head = file.read(_AT + len(_ZEROS))
        written = int.from_bytes(head[_AT:], "big")
        found = zlib.crc32(head[:_AT] + _ZEROS)
        while part := file.read(_CHUNK_BYTES):
            found = zlib.crc32(part, found)
    return written, found

"""What a registry is asked by: names, hashed, and the numbers of files, consumers and repositories found by them.

Entries lie in buckets by one half of the hash; the other half is kept beside the number. Two names of one hash would find
each other's numbers too, one look-up in four thousand million times the entries of a bucket.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from enum import StrEnum
from struct import pack, unpack
from typing import Final

from subdrift.linter.registry.checked import DamagedError

ENTRIES: Final = 256
"""Entries of one bucket, about."""
_ENTRY_BYTES: Final = 8

Half = tuple[int, int]


class Kind(StrEnum):
    """What a name is looked up for."""

    HOLDS = "holds"  # files
    ASKS = "asks"  # repositories whose consumers hang on it
    ARTIFACT = "artifact"  # repositories that build it
    COORDINATE = "coordinate"
    GROUP = "group"  # consumers; its name is that of `group_name`


def group_name(namespace: str, group: str) -> str:
    return f"{namespace}\0{group}"


def halves(kind: Kind, name: str) -> Half:
    """What chooses the bucket, and what is kept in it: 32 bits each."""
    text = f"{kind} {name}".encode("utf-8", "backslashreplace")
    number = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
    return number >> 32, number & 0xFFFFFFFF


def spelled(entries: Iterable[Half]) -> bytes:
    """The entries (rest of the hash, number) of one bucket, which come in order."""
    every = list(entries)
    numbers = (*(rest for rest, _ in every), *(number for _, number in every))
    return pack(f"<{len(numbers)}I", *numbers)


class Bucket:
    """The entries of one bucket. Raises `DamagedError`."""

    def __init__(self, entries: bytes) -> None:
        if len(entries) % _ENTRY_BYTES:
            raise DamagedError("keys that are none")
        count = len(entries) // _ENTRY_BYTES
        every = unpack(f"<{2 * count}I", entries)
        self._rests, self._numbers = every[:count], every[count:]

    def numbers(self, rest: int) -> tuple[int, ...]:
        return self._numbers[bisect_left(self._rests, rest) : bisect_right(self._rests, rest)]

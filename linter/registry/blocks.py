"""Rows of a registry that are kept together, as one compressed text: most of what one row says stands in its neighbours too.

A unit is taken apart first: the places of its nodes, which are more than half of it, are numbers that lie close to each
other and compress well by themselves, by columns. Everything here is text from outside: sizes are bounded, shapes checked.
"""

from __future__ import annotations

import lzma
import struct
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, chain, repeat
from operator import add, sub
from typing import Any, Final

import msgspec
from msgspec import Struct

from subdrift.linter.registry.checked import TEXT_BYTES_MAX, DamagedError

PLAIN_BYTES: Final = 1 << 17
"""Bytes of one block of facts, unpacked, after which another one is begun."""

_FILTERS: Final = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 2 * PLAIN_BYTES}]
_HOLE: Final = b"\xc1"
"""Stands for a place in the MessagePack of a unit: the one byte that the format never uses."""
_PLACE: Final = struct.Struct(">HHBHBHBH")
"""A place as MessagePack: an array of four numbers of 16 bits."""
_COLUMNS: Final = 4
_NUMBER_MAX: Final = (1 << 15) - 1


class Content(Struct, frozen=True):
    """The facts of one file: wire text without the unit, and the unit, b"" where there is none."""

    text: str
    unit: bytes


class _Block(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Files, and the places of all their units, by columns. `places` counts those of each file, -1 for none taken out."""

    texts: tuple[str, ...]
    units: tuple[bytes, ...]
    places: tuple[int, ...]
    columns: tuple[bytes, ...]


def pack(value: object, level: int = 9) -> bytes:
    """A small text: whatever msgspec writes."""
    return zlib.compress(msgspec.msgpack.encode(value), level)


def unpack(kind: Any, packed: object) -> Any:
    """What `pack` was given, of the type it should have. Raises `DamagedError`."""
    return _decoded(kind, inflated(packed))


def inflated(packed: object) -> bytes:
    """What zlib has compressed. Raises `DamagedError`."""
    if not isinstance(packed, bytes):
        raise DamagedError("not a packed text")
    stream = zlib.decompressobj()
    try:
        text = stream.decompress(packed, TEXT_BYTES_MAX)
    except zlib.error as error:
        raise DamagedError("not a packed text") from error
    if not stream.eof:
        raise DamagedError("a text that does not end")
    return text


def pack_contents(contents: Iterable[Content]) -> bytes:
    """One block of facts."""
    texts: list[str] = []
    units: list[bytes] = []
    counts: list[int] = []
    columns: list[list[int]] = [[] for _ in range(_COLUMNS)]
    for one in contents:
        found = _taken_apart(one.unit)
        texts.append(one.text)
        units.append(one.unit if found is None else found[0])
        counts.append(-1 if found is None else len(found[1]))
        for column, numbers in zip(columns, _by_column(found[1] if found else ()), strict=True):
            column.extend(numbers)
    block = _Block(tuple(texts), tuple(units), tuple(counts), tuple(map(_planes, columns)))
    return lzma.compress(msgspec.msgpack.encode(block), lzma.FORMAT_RAW, filters=_FILTERS)


class Block:
    """The files of a block, in their order; each is put together when it is asked for."""

    def __init__(self, packed: object) -> None:
        """Raises `DamagedError`."""
        block: _Block = _decoded(_Block, _unpressed(packed))
        self._starts = list(accumulate((max(0, one) for one in block.places), initial=0))
        if {len(one) for one in block.columns} != {2 * self._starts[-1]} or len(block.columns) != _COLUMNS:
            raise DamagedError("places that are none")
        if not len(block.texts) == len(block.units) == len(block.places):
            raise DamagedError("files that are none")
        self._block = block

    def __len__(self) -> int:
        return len(self._block.texts)

    def __getitem__(self, index: int) -> Content:
        """Raises `DamagedError`."""
        block, unit, count = self._block, self._block.units[index], self._block.places[index]
        if count >= 0:
            start, total = self._starts[index], self._starts[-1]
            unit = _put_together(unit, [_numbers(one, start, count, total) for one in block.columns])
        return Content(block.texts[index], unit)


def _unpressed(packed: object) -> bytes:
    if not isinstance(packed, bytes):
        raise DamagedError("not a packed text")
    stream = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_FILTERS)
    try:
        text = stream.decompress(packed, TEXT_BYTES_MAX)
    except (lzma.LZMAError, EOFError) as error:
        raise DamagedError("not a packed text") from error
    if not stream.eof:
        raise DamagedError("a text that does not end")
    return text


@cache
def _decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind)


def _decoded(kind: Any, text: bytes) -> Any:
    try:
        return _decoder(kind).decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise DamagedError("a text of another kind") from error


# -- the places of a unit -------------------------------------------------------------------------------------------


def _taken_apart(unit: bytes) -> tuple[bytes, list[list[int]]] | None:
    """A unit with holes for its places, and those; None for one that could not be put together again."""
    places: list[list[int]] = []
    hole = msgspec.Raw(_HOLE)

    def cut(value: Any) -> Any:
        if type(value) is not list:
            return value
        if len(value) == _COLUMNS and all(type(one) is int for one in value):
            places.append(value)
            return hole
        return [cut(one) for one in value]

    holed = msgspec.msgpack.encode(cut(msgspec.msgpack.decode(unit))) if unit else b""
    fits = all(0 <= one <= _NUMBER_MAX for place in places for one in place)
    return (holed, places) if fits and holed.count(_HOLE) == len(places) else None


def _put_together(holed: bytes, columns: Sequence[Sequence[int]]) -> bytes:
    parts = holed.split(_HOLE)
    if len(parts) != len(columns[0]) + 1:
        raise DamagedError("a unit with other places")
    lines = list(accumulate(columns[0]))
    ends = map(add, lines, columns[2])
    stops = map(add, columns[1], columns[3])
    wide = repeat(0xCD)
    try:
        places = list(map(_PLACE.pack, repeat(0x94CD), lines, wide, columns[1], wide, ends, wide, stops))
    except struct.error as error:
        raise DamagedError("a place out of its file") from error
    return b"".join(chain.from_iterable(zip(parts, places, strict=False))) + parts[-1]


def _by_column(places: Sequence[Sequence[int]]) -> Iterator[Iterable[int]]:
    """Lines from place to place, columns, lines and columns from the start to the end: mostly small numbers."""
    lines = [one[0] for one in places]
    yield map(sub, lines, [0, *lines])
    yield (one[1] for one in places)
    yield (one[2] - one[0] for one in places)
    yield (one[3] - one[1] for one in places)


def _planes(numbers: Sequence[int]) -> bytes:
    """The low bytes of all numbers, then the high ones."""
    written = array("h", numbers)
    if sys.byteorder == "big":
        written.byteswap()
    joined = written.tobytes()
    return joined[0::2] + joined[1::2]


def _numbers(planes: bytes, start: int, count: int, total: int) -> array[int]:
    """Some of the numbers of a column."""
    joined = bytearray(2 * count)
    joined[0::2], joined[1::2] = planes[start : start + count], planes[total + start : total + start + count]
    read = array("h")
    read.frombytes(joined)
    if sys.byteorder == "big":
        read.byteswap()
    return read

"""Rows of the published tables as Parquet, written by whoever has them."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as parquet  # type: ignore[import-untyped]

from subdrift.spark_jobs import tables

CHUNK_BYTES = 1 << 20

_PLAIN = {
    "int": pa.int32(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "string": pa.string(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}


def schema_of(ddl: str) -> pa.Schema:
    """The Arrow form of a table's schema. Spark's own reader of these would be a second of its Java for each scan."""
    return pa.schema(_fields(iter(re.findall(r"\w+|[<>,]", ddl))))


def _fields(words: Iterator[str]) -> list[pa.Field]:
    """Names with their types, up to an end, which is taken too."""
    found = []
    more = ","
    while more == ",":
        found.append(pa.field(next(words), _type(words)))
        more = next(words, ">")
    return found


def _type(words: Iterator[str]) -> pa.DataType:
    word = next(words)
    if word in _PLAIN:
        return _PLAIN[word]
    next(words)
    if word == "struct":
        return pa.struct(_fields(words))
    inner = _type(words)
    if word == "map":
        next(words)
        inner, key = _type(words), inner
    next(words)
    return pa.map_(key, inner) if word == "map" else pa.list_(pa.field("element", inner))


def column_of(values: Sequence[object], kind: pa.DataType) -> pa.Array:
    """Values as a column; text no column can hold is escaped."""
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        return pa.array(list(map(tables.clean, values)), kind)


def files_of(
    records: Iterable[tables.Record], schema: pa.Schema, rows_max: int
) -> Iterator[tuple[int, bytes]]:
    """Records as the bytes of files of so many rows at most, in pieces: (which file, bytes). One file at least."""
    number = rows = 0
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "rows.parquet")
        writer = parquet.ParquetWriter(place, schema, compression="zstd")
        for batch in tables.batches(records, schema):
            if rows and rows + batch.num_rows > rows_max:
                writer.close()
                yield from _pieces(number, place)
                number, rows = number + 1, 0
                writer = parquet.ParquetWriter(place, schema, compression="zstd")
            writer.write_batch(batch)
            rows += batch.num_rows
        writer.close()
        yield from _pieces(number, place)


def _pieces(number: int, place: str) -> Iterator[tuple[int, bytes]]:
    with open(place, "rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            yield number, chunk

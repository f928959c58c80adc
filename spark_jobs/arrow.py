"""Rows of the published tables as Parquet, written by whoever has them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as parquet  # type: ignore[import-untyped]
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import LongType, StructField, StructType, TimestampType

from subdrift.spark_jobs import tables

CHUNK_BYTES = 1 << 20


def schema_of(ddl: str) -> pa.Schema:
    """The Arrow form of a table's schema."""
    schema = StructType.fromDDL(ddl)
    assert isinstance(schema, StructType)
    times = {one.name for one in schema if isinstance(one.dataType, TimestampType)}
    # a time needs a zone, which only a session has
    plain = StructType([StructField(one.name, LongType()) if one.name in times else one for one in schema])
    moment = pa.timestamp("us", tz="UTC")
    return pa.schema([one.with_type(moment) if one.name in times else one for one in to_arrow_schema(plain)])


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

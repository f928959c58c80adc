"""Arrow in and out of Spark: `DataFrame.mapInArrow` without pandas, and small frames made of Arrow tables.

PySpark's own method (4.0 to 4.3) first asks for pandas, which mapping Arrow batches never uses: its wrapper is shared
with functions that do. This takes the same steps without that question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import LongType, StructField, StructType, TimestampType
from pyspark.sql.udf import UserDefinedFunction
from pyspark.util import PythonEvalType

Mapper = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def map_in_arrow(frame: DataFrame, function: Mapper, ddl: str) -> DataFrame:
    """The frame with `function` applied to the batches of each partition; `ddl` is the schema of what it gives."""
    udf = UserDefinedFunction(function, ddl, evalType=PythonEvalType.SQL_MAP_ARROW_ITER_UDF)
    column: Any = udf(*(frame[name] for name in frame.columns))
    mapped = frame._jdf.mapInArrow(column._jc, False, None)
    return DataFrame(mapped, frame.sparkSession)


def frame_of(spark: SparkSession, records: Iterable[Mapping[str, Any]], ddl: str) -> DataFrame:
    """Some records of the driver's as a frame: a part of the plan, where Python rows would cost a job of workers."""
    plain, times = _without_times(ddl)
    values = [{**one, **{name: _micros(one[name]) for name in times}} for one in records]
    table = pa.Table.from_pylist(values, schema=to_arrow_schema(plain))
    frame = spark.createDataFrame(table, schema=plain)
    for name in times:
        frame = frame.withColumn(name, F.timestamp_micros(name))
    return frame


def schema_of(ddl: str) -> pa.Schema:
    """The Arrow form of a table's schema."""
    plain, times = _without_times(ddl)
    moment = pa.timestamp("us", tz="UTC")
    return pa.schema([one.with_type(moment) if one.name in times else one for one in to_arrow_schema(plain)])


def _without_times(ddl: str) -> tuple[StructType, list[str]]:
    """A schema with a number for each time, and the names of those: how a time goes to Arrow and back is another matter
    in each PySpark; a number is a number."""
    schema = StructType.fromDDL(ddl)
    assert isinstance(schema, StructType)
    times = [one.name for one in schema if isinstance(one.dataType, TimestampType)]
    return StructType(
        [StructField(one.name, LongType()) if one.name in times else one for one in schema]
    ), times


def _micros(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)


def rows_frame(spark: SparkSession, rows: Iterable[Sequence[Any]], ddl: str) -> DataFrame:
    """The same for tuples."""
    schema = StructType.fromDDL(ddl)
    assert isinstance(schema, StructType)
    return frame_of(spark, (dict(zip(schema.names, row, strict=True)) for row in rows), ddl)

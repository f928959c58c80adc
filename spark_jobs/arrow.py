"""`DataFrame.mapInArrow` without pandas.

PySpark's own method (4.0 to 4.3) first asks for pandas, which mapping Arrow batches never uses: its wrapper is shared
with functions that do. This takes the same steps without that question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import DataFrame
from pyspark.sql.udf import UserDefinedFunction
from pyspark.util import PythonEvalType

Mapper = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def map_in_arrow(frame: DataFrame, function: Mapper, ddl: str) -> DataFrame:
    """The frame with `function` applied to the batches of each partition; `ddl` is the schema of what it gives."""
    udf = UserDefinedFunction(function, ddl, evalType=PythonEvalType.SQL_MAP_ARROW_ITER_UDF)
    column: Any = udf(*(frame[name] for name in frame.columns))
    mapped = frame._jdf.mapInArrow(column._jc, False, None)
    return DataFrame(mapped, frame.sparkSession)

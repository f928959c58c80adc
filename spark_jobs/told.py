"""What tasks tell the driver besides the rows they give: names and counts, at the price of no job.

They are tuples in a set, so a task that is done twice (its worker was lost) tells nothing twice.
"""

from __future__ import annotations

from pyspark.accumulators import Accumulator, AccumulatorParam
from pyspark.sql import SparkSession

from subdrift.spark_jobs.rows import Row

Told = set[Row]


class _Rows(AccumulatorParam[Told]):
    def zero(self, value: Told) -> Told:
        return set()

    def addInPlace(self, value1: Told, value2: Told) -> Told:  # noqa: N802 - PySpark's name
        value1 |= value2
        return value1


def ear(spark: SparkSession) -> Accumulator[Told]:
    """Takes what the tasks of one step tell; its `value` holds when the step has ended."""
    return spark.sparkContext.accumulator(set(), _Rows())

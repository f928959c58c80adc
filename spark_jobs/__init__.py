"""The stages on Apache Spark: an organisation in, tables and the report of `check` out."""

from subdrift.spark_jobs.supported import check

check()

from subdrift.spark_jobs.pipeline import ScanError, ScanReport, scan  # noqa: E402 - not before the version is known

__all__ = ["ScanError", "ScanReport", "scan"]

"""The stages on Apache Spark: an organisation in, tables and the report of `check` out."""

from spark_jobs.pipeline import ScanError, ScanReport, scan

__all__ = ["ScanError", "ScanReport", "scan"]

"""Starts the Python workers of executors, with what they work with loaded: once for all of them, and not in each.

`spark.python.daemon.module` names this module; it is run in the place of PySpark's own.
"""

from __future__ import annotations

import gc

from pyspark.daemon import manager

from subdrift.linter.garbage import look_seldom
from subdrift.spark_jobs import meeting, publishing, routing  # noqa: F401 - to be there when a worker is born

if __name__ == "__main__":
    look_seldom()
    gc.freeze()  # code lives to the end
    manager()

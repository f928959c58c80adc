"""Which PySpark the jobs run on; asked before anything of it is used, so that an old one is named and not met."""

from __future__ import annotations

import re

OLDEST = (4, 0)
UNSUPPORTED = "pyspark.version"
"""The `name` of the `ImportError` that says so."""


def check() -> None:
    """Raises `ImportError`: without PySpark its own, with one that is too old a sentence that names it."""
    import pyspark

    found = pyspark.__version__
    numbers = tuple(int(part) for part in re.findall(r"\d+", found)[:2])
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise ImportError(
            f"scan needs Apache Spark {oldest} or later, and the pyspark here is {found}: pip install 'subdrift[spark]', "
            "or submit to a cluster that has it",
            name=UNSUPPORTED,
        )

"""`python -m tests.bench.scan`: one scan in a Spark that was started before the clock was; run by the bench."""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from pathlib import Path

from pyspark.sql import SparkSession

from subdrift.linter.garbage import look_seldom
from subdrift.linter.report import json as report
from subdrift.spark_jobs import scan
from subdrift.spark_jobs.session import session
from tests.bench.measure import tree


def steps(spark: SparkSession) -> dict[str, int]:
    """How many jobs, stages and tasks this Spark has done: what a scan costs whatever it scans."""
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(number) for number in tracker.getJobIdsForGroup()]
    stages = [tracker.getStageInfo(number) for job in jobs if job for number in job.stageIds]
    return {"jobs": len(jobs), "stages": len(stages), "tasks": sum(one.numTasks for one in stages if one)}


def cpu_seconds() -> float:
    """What this process and all that it has started have used: Java, and the workers of executors."""
    used = 0
    for pid in tree(os.getpid()):
        try:
            told = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            continue  # it has ended meanwhile
        used += sum(map(int, told.rpartition(")")[2].split()[11:15]))
    return used / os.sysconf("SC_CLK_TCK")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scan")
    parser.add_argument("--org")
    parser.add_argument("--manifest")
    parser.add_argument("--out", required=True)
    parser.add_argument("--since", default="")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--told", type=Path, required=True)
    options = parser.parse_args()
    look_seldom()  # as the command itself
    begun = time.perf_counter()
    spark = session(options.master)
    started = time.perf_counter()
    done = scan(
        options.org,
        options.manifest,
        options.out,
        replace=True,
        since=options.since,
        progress=lambda text: print(f"    {text}", file=sys.stderr, flush=True),
    )
    ended = time.perf_counter()
    said = {
        "session": started - begun,
        "seconds": ended - started,
        "report": report.render(done.content),
        "workers": len({worker.split()[-1] for worker in done.counts.workers}),
        "steps": steps(spark),
        "cpu": cpu_seconds(),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    options.told.write_text(json.dumps(said))
    spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Verdicts of groups, and the places of unknown values: anew where a repository that was consumed anew has a part in them."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

from subdrift.linter.settings import Settings
from subdrift.spark_jobs import work
from subdrift.spark_jobs.consuming import Consuming
from subdrift.spark_jobs.earlier import JUDGED_STATE
from subdrift.spark_jobs.rows import JUDGED
from subdrift.spark_jobs.steps import Steps, mapped

_COLUMNS = ("cluster", "namespace", "grp", "kind")


def judge(consuming: Consuming, steps: Steps, settings: Settings) -> DataFrame:
    """What judging all that was consumed gives, staged for the next scan."""
    steps.say("judging groups")
    rows = spotted(consuming.consumed())
    before = consuming.before
    if before is None or not consuming.carried:
        return steps.folder.stage(judged(rows, steps, settings), JUDGED_STATE)
    gone = consuming.carried_over(before.consumed, "semi")
    touched = spotted(consuming.fresh()).select("spot").unionByName(spotted(gone).select("spot"))
    touched = steps.keep(touched.distinct(), "touched")
    anew = judged(rows.join(touched, "spot", "semi"), steps, settings)
    spot = F.when(F.col("kind").isin("spot", "unknown"), F.col("key")).otherwise(_group())
    old = before.judged.withColumn("spot", spot).join(touched, "spot", "anti")
    whole = anew.unionByName(old.select(*anew.columns))
    return steps.folder.stage(whole.coalesce(steps.shares), JUDGED_STATE)


def judged(rows: DataFrame, steps: Steps, settings: Settings) -> DataFrame:
    """What judging some rows of consuming gives, with what brings them together (`spotted`): rows of one group, or of one
    kind of value, meet in one task."""
    rows = rows.repartition(steps.shares, "spot").sortWithinPartitions("spot", *_COLUMNS, "told")
    rows = rows.select("spot", "kind", "cluster", "namespace", "grp", "key", "text")
    return mapped(rows, work.judge, JUDGED, settings=settings)


def spotted(consumed: DataFrame) -> DataFrame:
    """The rows judging takes, each with what it is judged together with."""
    rows = consumed.filter("kind in ('consumer', 'named', 'unknown') and grp is not null")
    spot = F.when(F.col("kind") == "unknown", F.col("key")).otherwise(_group())
    told = F.when(F.col("kind") == "unknown", F.col("text"))  # of one place the same in each run
    return rows.select(spot.alias("spot"), told.alias("told"), *_COLUMNS, "key", "text")


def _group() -> Column:
    return F.concat_ws("\n", F.lit(""), "cluster", "namespace", "grp")

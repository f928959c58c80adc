"""Verdicts of groups, and the places of unknown values: anew where a repository that was consumed anew has a part in them."""

from __future__ import annotations

from subdrift.linter.settings import Settings
from subdrift.spark_jobs import routing
from subdrift.spark_jobs.consuming import Consuming
from subdrift.spark_jobs.steps import LIGHT, Given, Piece, Steps, Way
from subdrift.spark_jobs.told import Told

TASK_CONSUMERS = 50_000
"""Consumers that one task of judging has at most, but for those of one group."""
_BOTH = ("finding", "shown", "unknown")
_TOLD = frozenset({*_BOTH, "groups", "blind"})
NOBODY = frozenset({""})
"""The repository of what belongs to none."""


def judge(consuming: Consuming, steps: Steps, settings: Settings, consumers: int) -> tuple[Piece, Told]:
    """What judging all that was consumed gives; and, told, what reports are made from."""
    steps.say("judging groups")
    only = None
    ways = []
    if consuming.carried and consuming.before is not None:
        again = [*consuming.fresh(), *consuming.carried_over("consumed", without=True)]
        spots = steps.sent([Way.of(again, routing.spots)], here=LIGHT)
        only = steps.shared(frozenset(steps.collect(spots)))
        ways.append(Way.of(consuming.before.pieces("judged"), routing.to_judge, only=only, before=True))
    ways.append(Way.of(consuming.consumed(), routing.to_judge, only=only))
    given = steps.sent(ways, here=1 if only is None else LIGHT)
    return judged(given, steps, settings, consumers)


def judged(given: Given, steps: Steps, settings: Settings, consumers: int) -> tuple[Piece, Told]:
    """What judging some rows of `routing.to_judge` gives: those of one group, or of one kind of value, meet in one task."""
    tasks = max(steps.cores, consumers // TASK_CONSUMERS)
    step, told = steps.done(
        given.repartitionAndSortWithinPartitions(tasks, routing.share_of),
        routing.judged,
        "judged",
        by_repo=False,
        both=_BOTH,
        tells=_TOLD,
        settings=settings,
    )
    return Piece("judged", step, 0, NOBODY), told

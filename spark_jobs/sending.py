"""Who sends what to whom: the repositories read and consumed once more, for what sends, and its rows joined with those of what
consumes.

They are joined on the driver, by what joins them in one process: a topic may be another one mistyped, and a send of which the
topic is not known may be to any.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter import stages
from subdrift.linter.model import wire
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.topics import Map, joined
from subdrift.spark_jobs import publishing
from subdrift.spark_jobs.consuming import Consuming
from subdrift.spark_jobs.earlier import Before
from subdrift.spark_jobs.inputs import Setup, Source
from subdrift.spark_jobs.reading import Reading
from subdrift.spark_jobs.steps import Piece, Steps, mapped


class Sending(Struct):
    """What was read for it, what the repositories came to, in order, and the map of both."""

    reading: Reading
    consuming: Consuming
    sends: tuple[Consumer, ...]
    map: Map


def looked_for(
    steps: Steps, setup: Setup, sources: Sequence[Source], consumed: Sequence[Piece], before: Before | None
) -> Sending:
    """Looks for what sends; `consumed` is what the repositories consume, `before` what an earlier scan has left of this."""
    steps.say("looking for what sends")
    reading = Reading(steps, replace(setup, sends=True), before)
    reading.begin(sources)
    consuming = Consuming(steps, reading, before)
    resolved(reading, consuming)
    consumers, sends = _held(steps, consumed), _held(steps, consuming.consumed())
    whole = setup.settings.senders_complete or len(reading.repos) > 1
    return Sending(reading, consuming, sends, joined(consumers, sends, organisation=whole))


def _held(steps: Steps, pieces: Sequence[Piece]) -> tuple[Consumer, ...]:
    texts = steps.collect(mapped(steps.records(pieces), publishing.consumers))
    found = (wire.loads(Consumer, text) for text in texts)
    return tuple(sorted(found, key=lambda one: (one.at, one.id, one.environments)))


def resolved(reading: Reading, consuming: Consuming) -> int:
    """Consumes the repositories, and reads on, until nothing new is asked for; the rounds that took."""
    number = rounds = 0
    due = consuming.begin()
    while True:
        consuming.settle(due, number)
        rounds += 1
        if rounds >= stages.ROUNDS_MAX:
            break
        changed = reading.demanded(consuming.wanted(number), rounds)
        if not changed:
            break
        number = rounds
        due = consuming.touched(number, changed)
    due = consuming.overdue(number)
    if due:
        consuming.settle(due, number)
    return rounds

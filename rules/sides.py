"""The sides of a disagreement as a report shows them: one place of each side first, then the others in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from linter.model.consumer import Consumer, Value
from linter.model.finding import Place, Remark, Severity
from linter.model.location import Location, Span
from linter.model.message import Message, say

SIDES_NAMED_MAX: Final = 4
"""Sides a message names; the others it counts."""

NAMES_LISTED_MAX: Final = 6
"""Names a message or label lists of one set; the others it counts."""


@dataclass(frozen=True, slots=True)
class Voice:
    """One member's part: the value it stands for (equal values are one side), said, and where it says so.

    `source` is where the value was written, if that is elsewhere: two deployables may run one line of a library
    with values of their own.
    """

    value: str
    said: Message
    at: Location
    label: Message
    member: Consumer
    source: Location | None = None

    @property
    def rank(self) -> tuple[bool, Location]:
        return self.member.scope != "main", self.at


def sides(voices: Iterable[Voice]) -> tuple[tuple[Voice, ...], ...]:
    """The voices grouped by value: main code before tests and samples, then by place."""
    found: dict[str, list[Voice]] = {}
    for voice in sorted(voices, key=lambda voice: (voice.rank, voice.value)):
        found.setdefault(voice.value, []).append(voice)
    return tuple(map(tuple, found.values()))


def source(value: Value) -> Location | None:
    """Where the text of a value was written; None where it has no trail, or was put together from several places.

    Pieces on one line are one place.
    """
    pieces = [step.at for step in value.trail if step.what.startswith('"')]
    if len(pieces) < 2:
        return value.trail[-1].at if value.trail else None
    first, last = min(pieces), max(pieces)
    if first.origin != last.origin or first.span.line != last.span.end_line:
        return None
    span = Span(first.span.line, first.span.column, last.span.end_line, last.span.end_column)
    return Location(first.origin, span)


def places(of: tuple[tuple[Voice, ...], ...]) -> tuple[Place, ...]:
    """The places of all sides in turn, each place once.

    A line that stands for several sides comes first, and each of these shows where its value was written.
    """
    shared = _shared(of)
    found = {at: Place(at, label, scope) for at, (label, scope) in shared.items()}
    for turn in zip_longest(*of):
        for number, voice in enumerate(turn):
            if voice is not None:
                at = voice.source if voice.at in shared and voice.source is not None else voice.at
                written = None if voice.source == at else voice.source
                found.setdefault(at, Place(at, voice.label, voice.member.scope, written, number))
    return tuple(found.values())


def _shared(of: tuple[tuple[Voice, ...], ...]) -> dict[Location, tuple[Message, str]]:
    """The lines that stand for more than one side, with what is said there and their scope."""
    once: dict[Location, Message] = {}
    twice: dict[Location, tuple[Message, str]] = {}
    for side in of:
        here = {voice.at: voice for voice in side}
        for at, voice in here.items():
            if at in once:
                label = voice.label if voice.label == once[at] else say("declared-once")
                twice[at] = (label, voice.member.scope)
        once |= {at: voice.label for at, voice in here.items()}
    return twice


def named(of: tuple[tuple[Voice, ...], ...]) -> tuple[Message, ...]:
    """The values of the sides, for a sentence; of many the first ones and a count."""
    return listed([side[0].said for side in of], SIDES_NAMED_MAX)


def listed(said: Sequence[Message], most: int) -> tuple[Message, ...]:
    """All of them, or the first ones and a count."""
    if len(said) <= most:
        return tuple(said)
    return (*said[: most - 1], say("and-more", count=len(said) - most + 1))


def remark(
    of: tuple[tuple[Voice, ...], ...],
    *,
    message: Message,
    topic: str | None,
    remedy: tuple[Message, ...],
    at_most: Severity | None = None,
) -> Iterator[Remark]:
    """The one remark that these sides disagree; none where there are fewer than two."""
    if len(of) > 1:
        yield Remark(
            message=message,
            topic=topic,
            places=places(of),
            differs=tuple(sorted(side[0].value for side in of)),
            members=tuple(voice.member for side in of for voice in side),
            help=remedy,
            counts=tuple(map(len, of)),
            at_most=at_most,
        )

"""The sides of a disagreement: who says what, where, in an order that does not depend on the order of files.

Every side shows a place before any side shows a second one, so that a bounded list of places shows them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from linter.model.consumer import Consumer, Value
from linter.model.finding import Place, Remark
from linter.model.location import Location

SIDES_NAMED_MAX: Final = 4
"""Sides a message names; the others it counts."""

NAMES_LISTED_MAX: Final = 6
"""Names a message or label lists of one set; the others it counts."""


@dataclass(frozen=True, slots=True)
class Voice:
    """One member's part: the value it stands for (equal values are one side), spelled, and where it says so.

    `source` is where the value was written, if that is elsewhere: two deployables may run one line of a library
    with values of their own.
    """

    value: str
    text: str
    at: Location
    label: str
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
    """Where the text of a value was written; None where it has no trail."""
    return value.trail[-1].at if value.trail else None


def places(of: tuple[tuple[Voice, ...], ...]) -> tuple[Place, ...]:
    """The places of all sides in turn, each place once.

    A line that stands for several sides comes first, and each of these shows where its value was written.
    """
    shared = _shared(of)
    found = {at: Place(at, "declared once, with different values", scope) for at, scope in shared.items()}
    for turn in zip_longest(*of):
        for voice in turn:
            if voice is not None:
                at = voice.source if voice.at in shared and voice.source is not None else voice.at
                found.setdefault(at, Place(at, voice.label, voice.member.scope))
    return tuple(found.values())


def _shared(of: tuple[tuple[Voice, ...], ...]) -> dict[Location, str]:
    """The lines that stand for more than one side, with their scope."""
    once: set[Location] = set()
    twice: dict[Location, str] = {}
    for side in of:
        here = {voice.at: voice.member.scope for voice in side}
        twice.update((at, scope) for at, scope in here.items() if at in once)
        once.update(here)
    return twice


def named(of: tuple[tuple[Voice, ...], ...]) -> str:
    """What the sides say, for a sentence: `A`, `B` and 3 more."""
    return listed([side[0].text for side in of], SIDES_NAMED_MAX)


def listed(texts: list[str], most: int) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b and 7 more`."""
    if len(texts) > most:
        texts = [*texts[: most - 1], f"{len(texts) - most + 1} more"]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def remark(
    of: tuple[tuple[Voice, ...], ...], *, message: str, topic: str | None, remedy: str
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
        )

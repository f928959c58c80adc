"""Bars: what becomes of messages, from where to where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from subdrift.linter.broker.rollout.plan import State
from subdrift.linter.model.prediction import ALL, NONE, ZERO, ClassOutcome, Share
from subdrift.linter.report import rollouts


class Segment(Struct, frozen=True):
    """A part of a bar: what becomes of these messages, from where to where in percent, and whether in every case."""

    fate: str
    start: float
    width: float
    sure: bool


class Bar(Struct, frozen=True):
    """One kind of messages and its fate, drawn and in words."""

    label: str
    segments: tuple[Segment, ...]
    words: str


def state_bar(told: rollouts.Told, state: State) -> Bar:
    """What becomes of what is sent in a state of a plan, on average over the kinds of messages and those who do a job."""

    def part(shares: Sequence[Share]) -> Share:
        count = max(1, len(shares))
        return Share(sum((x.low for x in shares), ZERO) / count, sum((x.high for x in shares), ZERO) / count)

    shares = {
        "lost": part([one.lost for one in state.losses]),
        "stuck": part([one.stuck for one in state.losses]),
        "delayed": NONE if state.placements else ALL,
    }
    return Bar("", tuple(segments(shares)), told.losses(state))


def harm(fates: Sequence[ClassOutcome]) -> tuple[Fraction, Fraction, Fraction]:
    return (
        max(one.lost.high for one in fates),
        max(one.stuck.high for one in fates),
        max(one.delayed.high for one in fates),
    )


def segments(shares: dict[str, Share]) -> Iterator[Segment]:
    """What is certain first, then what is possible, then what arrives in every case."""
    parts = [(fate, share.low, True) for fate, share in shares.items()]
    parts += [(fate, share.high - share.low, False) for fate, share in shares.items()]
    start = Fraction(0)
    for fate, width, sure in parts:
        width = min(width, 1 - start)
        if width > 0:
            yield Segment(fate, round(float(start * 100), 2), round(float(width * 100), 2), sure)
        start += width
    if start < 1:
        yield Segment("arrive", round(float(start * 100), 2), round(float((1 - start) * 100), 2), True)

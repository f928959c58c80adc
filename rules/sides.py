"""The sides of a disagreement as a report shows them: one place of each side first, then the others in turn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from msgspec import Struct

from subdrift.linter.model.consumer import Consumer, Value
from subdrift.linter.model.finding import Place, Remark, Severity
from subdrift.linter.model.location import Location, Span
from subdrift.linter.model.message import Message, say
from subdrift.linter.model.topics import Read, Sent

SIDES_NAMED_MAX: Final = 4
"""Sides a message names; the others it counts."""

NAMES_LISTED_MAX: Final = 6
"""Names a message or label lists of one set; the others it counts."""

SIDES_COMPARED_MAX: Final = 8
"""Other sides that a composed value is held against, to tell the piece that differs."""


class Voice(Struct, frozen=True):
    """One member's part: the value it stands for (equal values are one side), said, and where it says so.

    `wrote` is the value where its text was written, which may be elsewhere: two deployables may run one line of a
    library with values of their own.
    """

    value: str
    said: Message
    at: Location
    label: Message
    member: Consumer
    wrote: Value | None = None

    @property
    def rank(self) -> tuple[bool, tuple[str | int, ...]]:
        return self.member.scope != "main", self.at.order


def sides(voices: Iterable[Voice]) -> tuple[tuple[Voice, ...], ...]:
    """The voices grouped by value: main code before tests and samples, then by place."""
    found: dict[str, list[Voice]] = {}
    for voice in sorted(voices, key=lambda voice: (voice.rank, voice.value)):
        found.setdefault(voice.value, []).append(voice)
    return tuple(map(tuple, found.values()))


def source(value: Value, others: Sequence[Value] = ()) -> Location | None:
    """Where the text of a value was written; None where it has no trail, or none of its pieces is known.

    Of a value that was put together it is what `others`, the values of the other sides, do not have; of several lines
    the piece at which it begins to differ.
    """
    pieces = _pieces(value)
    if len(pieces) < 2:
        return pieces[0].at if pieces else value.trail[-1].at if value.trail else None
    shared = {step.at for other in others for step in other.trail}
    said = [frozenset(_WORD.findall(other.text or "")) for other in others]
    telling = [
        piece
        for piece in pieces
        if piece.at not in shared
        and (piece.text is None or any(not words.issuperset(_WORD.findall(piece.text)) for words in said))
    ]
    written = [step.at for step in value.trail if step.what.startswith('"')]
    own = [piece for piece in pieces if piece.in_place]
    whole = _line([piece.at for piece in telling]) or _line(written)
    return whole or _first_different(value.text or "", telling, own, others)


_WORD: Final = re.compile(r"[^\W_]+")
_PLACEHOLDER: Final = re.compile(r"\$\{([^}:]*)[^}]*\}")


class _Piece(Struct, frozen=True):
    """A literal or a key's value that a text was put together from; `text` None where only its place is known."""

    text: str | None
    at: Location
    start: int
    """Where it stands in the text; -1 where that is not known."""
    in_place: bool = False
    """Whether it was written where the text was put together, and is not a constant's or a key's."""


def _pieces(value: Value) -> list[_Piece]:
    """What a text was put together from, in the order of its trail."""
    literals = [step.what[1:-1] for step in value.trail if step.what.startswith('"')]
    of_keys = _filled_in(literals[0], value.text or "") if len(literals) == 1 else {}
    text = value.text or ""
    found: list[_Piece] = []
    named = False
    for step in value.trail:
        if step.what.startswith("`"):
            filled = of_keys.get(step.what.split("`")[1])
            found.append(_Piece(filled, step.at, text.find(filled) if filled else -1))
        elif step.what.startswith('"') and step.what[1:-1] in text:
            # a stretch is explained once: a literal of which nothing is left in the text is a template, or told twice
            literal = step.what[1:-1]
            found.append(_Piece(literal, step.at, text.find(literal), not named))
            text = text.replace(literal, "\0" * len(literal), 1)
        named = not step.what.startswith('"')
    return found


def _filled_in(template: str, text: str) -> dict[str, str]:
    """What stands in the text for each placeholder of the template it was made from."""
    parts = _PLACEHOLDER.split(template)
    pattern = "".join("(.*)" if number % 2 else re.escape(part) for number, part in enumerate(parts))
    match = re.fullmatch(pattern, text, re.DOTALL)
    return dict(zip(parts[1::2], match.groups(), strict=True)) if match else {}


def _first_different(
    text: str, telling: Sequence[_Piece], own: Sequence[_Piece], others: Sequence[Value]
) -> Location | None:
    """The piece with the first sign that the text of another side does not have there: a telling one with it or behind
    it, else one that was written in place: the text of a constant says nothing about the order it is used in."""
    for other in others:
        if other.text is not None and other.text != text:
            same = next(
                (at for at, pair in enumerate(zip(text, other.text, strict=False)) if len({*pair}) > 1),
                min(len(text), len(other.text)),
            )
            behind = [
                one for one in (*telling, *own) if one.start >= 0 and one.start + len(one.text or "") > same
            ]
            fit = [one for one in behind if one in telling] or [one for one in behind if one.start <= same]
            return min(fit, key=lambda one: one.start).at if fit else None
    return None


def _line(pieces: Sequence[Location]) -> Location | None:
    """The stretch from the first to the last of these where it lies on one line."""
    if not pieces:
        return None
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
    written = _written(of)
    found = {at: Place(at, label, scope) for at, (label, scope) in shared.items()}
    for turn in zip_longest(*of):
        for number, voice in enumerate(turn):
            if voice is not None:
                value_at = written.get(id(voice.wrote))
                at = value_at if voice.at in shared and value_at is not None else voice.at
                if at not in found:
                    elsewhere = None if value_at == at else value_at
                    found[at] = Place(at, voice.label, voice.member.scope, elsewhere, number)
    return tuple(found.values())


def _written(of: tuple[tuple[Voice, ...], ...]) -> dict[int, Location | None]:
    """Where each side's values were written, by the identity of the value: of a composed one what the others lack."""
    firsts = [next((voice.wrote for voice in side if voice.wrote is not None), None) for side in of]
    found: dict[int, Location | None] = {}
    for number, side in enumerate(of):
        others = [one for other, one in enumerate(firsts) if one is not None and other != number]
        for voice in side:
            if voice.wrote is not None and id(voice.wrote) not in found:
                found[id(voice.wrote)] = source(voice.wrote, others[:SIDES_COMPARED_MAX])
    return found


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
    cost: Message | None = None,
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
            cost=cost,
        )


def sending(one: Sent, topic: str, side: int = 0) -> Place:
    """Where a message is sent to a topic."""
    at, label = one.message.at, say("sends-to", topic=topic)
    return Place(at, label, one.sender.scope, source(one.message.topic), side=side)


def reading(one: Read, topic: str, side: int = 0) -> Place:
    """Where a topic is subscribed to."""
    at, label = one.subscription.at, say("reads-topic", topic=topic)
    return Place(at, label, one.reader.scope, source(one.subscription.topic), side=side)

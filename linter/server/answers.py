"""What stands at a place: problems, values with their trails, and the members of groups, as an editor asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from subdrift.linter.model.consumer import Consumer, Value
from subdrift.linter.model.finding import Severity
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.report.content import Content
from subdrift.linter.report.language import Language
from subdrift.linter.report.organisation import beside
from subdrift.linter.report.sides import cost_of, linked, notes, where
from subdrift.linter.report.terminal import safe
from subdrift.linter.report.unresolved import answer, meaning
from subdrift.linter.server.project import Checked
from subdrift.linter.stages import group_key

TRAIL_MAX = 12
"""Steps of a trail that a hover shows."""


class Problem(Struct, frozen=True):
    """A part of a finding or a diagnostic at one place; `level` None for a diagnostic. `others` are the further sides."""

    at: Location
    name: str
    level: Severity | None
    text: str
    url: str = ""
    others: tuple[tuple[Location, str], ...] = ()


class Named(Struct, frozen=True):
    """A value of a consumer at a place where it is used or written."""

    at: Span
    field: str
    value: Value
    consumer: Consumer


class Lens(Struct, frozen=True):
    """What stands above a consumer: `order-cg: 3 members, 2 repositories`, and where the members are."""

    at: Span
    text: str
    members: tuple[Location, ...]


class Answers:
    """The answers of one run."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.content: Content = checked.content
        self.language: Language = checked.content.language
        self.problems: dict[Origin, list[Problem]] = {}
        for one in self._problems():
            self.problems.setdefault(one.at.origin, []).append(one)
        self._named: dict[Origin, dict[Named, None]] = {}
        self._groups: dict[tuple[str, str, str], list[Consumer]] = {}
        for consumer in self.content.consumers:
            for origin, named in _values(consumer):
                self._named.setdefault(origin, {})[named] = None
            key = group_key(consumer)
            if key is not None:
                self._groups.setdefault(key, []).append(consumer)

    def _problems(self) -> Iterator[Problem]:
        for part in self.content.entries:
            said = (part.message, cost_of(part, self.content), *part.steps, *notes(part))
            text = "\n".join(one for one in (*said, *linked(part, self.content)) if one)
            for place in part.places:
                others = tuple(
                    (one.shown, f"{one.label}{beside(one.at.origin, self.content)}")
                    for one in part.places
                    if one is not place
                )
                url = self.content.page_about(part.rule)
                yield Problem(place.at, part.rule, part.level, text, url, others)
        for one in self.content.shown_diagnostics:
            text = "\n".join(filter(None, (one.message, one.help)))
            yield Problem(one.at, one.name, None, text, self.content.page_about(one.name))

    def at(self, origin: Origin, line: int, column: int) -> tuple[Named, ...]:
        """The values that are used or written at a position, those of the smallest place that holds it."""
        here = [one for one in self._named.get(origin, ()) if _holds(one.at, line, column)]
        if not here:
            return ()
        smallest = min(_size(one.at) for one in here)
        return tuple(one for one in here if _size(one.at) == smallest)

    def hover(self, named: Iterable[Named]) -> str:
        """The values in plain text, which no source file can make markup of: what each is, or why it is not known, and how
        it came about."""
        blocks = dict.fromkeys(self._told(one) for one in named)
        return "\n\n".join(blocks)

    def _told(self, one: Named) -> str:
        word, value = self.language.word, one.value
        field = word(f"field.{one.field}")
        if value.text is None:
            why = value.why.value if value.why else "unsupported"
            detail = word("server.detail", detail=self.language.detail(value.detail)) if value.detail else ""
            said = word("server.unknown", field=field, why=meaning(why, self.language), detail=detail)
            lines = [said, self.language.text(answer(why, value.detail))]
        else:
            confidence = word(f"confidence.{value.confidence.text}")
            lines = [word("server.value", field=field, value=value.text, confidence=confidence)]
        steps = list(dict.fromkeys(value.trail))[:TRAIL_MAX]
        lines += [f"- {where(step.at, self.content)}: {self.language.detail(step.what)}" for step in steps]
        return "\n".join(safe(line) for line in lines if line)

    def lenses(self, origin: Origin) -> Iterator[Lens]:
        """One for each consumer of a known group in a file."""
        seen: set[tuple[Span, tuple[str, str, str]]] = set()
        for consumer in self.content.consumers:
            key = group_key(consumer)
            if consumer.at.origin != origin or key is None or (consumer.at.span, key) in seen:
                continue
            seen.add((consumer.at.span, key))
            members = {one.id: one.at for one in self._groups[key]}
            repositories = len({at.origin.repo for at in members.values()})
            text = self.language.word(
                "server.lens", group=key[2], members=len(members), repositories=repositories
            )
            yield Lens(consumer.at.span, text, tuple(dict.fromkeys(members.values())))

    def written(self, origin: Origin, named: Sequence[Named]) -> tuple[Location, ...]:
        """Where values used in a file are written, if that is elsewhere; else the other members of their groups."""
        ends = dict.fromkeys(one.value.trail[-1].at for one in named if one.value.trail)
        away = tuple(
            at for at in ends if at.origin != origin or not any(_within(at.span, one.at) for one in named)
        )
        return away or tuple(at for at in self.members(named) if Location(origin, named[0].at) != at)

    def members(self, named: Iterable[Named]) -> tuple[Location, ...]:
        """The members of the groups of some values, each once."""
        keys = dict.fromkeys(group_key(one.consumer) for one in named)
        return tuple(dict.fromkeys(each.at for key in keys if key for each in self._groups[key]))


def _values(consumer: Consumer) -> Iterator[tuple[Origin, Named]]:
    """The values of a consumer at each place where they are used or written."""
    found = [("group", consumer.group, consumer.at), ("namespace", consumer.namespace, consumer.at)]
    found.append(("message_model", consumer.message_model, consumer.at))
    for one in consumer.subscriptions:
        found += [("topic", one.topic, one.at), ("expression", one.expression, one.at)]
    for field, value, at in found:
        if value.not_applicable or (field in ("namespace", "message_model") and value.default):
            continue
        for place in dict.fromkeys((at, *(step.at for step in value.trail))):
            yield place.origin, Named(place.span, field, value, consumer)


def _holds(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def _within(span: Span, other: Span) -> bool:
    return _holds(other, span.line, span.column) and _holds(other, span.end_line, span.end_column)


def _size(span: Span) -> tuple[int, int]:
    lines = span.end_line - span.line
    return lines, span.end_column - span.column if not lines else 0

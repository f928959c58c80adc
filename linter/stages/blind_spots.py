"""Consumers -> diagnostics about what could not be determined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from linter.model.consumer import Consumer
from linter.model.expr import Why
from linter.model.finding import Diagnostic
from linter.model.location import Location
from linter.model.message import Message, say
from linter.model.unknown import UnknownValue, unknown_values


def blind_spots(consumers: Iterable[Consumer]) -> Iterator[Diagnostic]:
    """One diagnostic for the values of one place that are not known for one cause."""
    found: dict[tuple[Location, Why, str], list[UnknownValue]] = {}
    for one in unknown_values(consumers):
        found.setdefault((one.at, one.why, one.value.detail), []).append(one)
    for (at, why, detail), alike in found.items():
        yield Diagnostic("unresolved-value", _sentence(alike, why, detail), at, _remedy(why, detail))


def _sentence(alike: list[UnknownValue], why: Why, detail: str) -> Message:
    if why is Why.NEVER_SUBSCRIBED:
        return say("never-subscribes")
    reason = say(f"why.{why.value}")
    if detail:
        reason = say("reason-with-detail", reason=reason, detail=detail)
    names = dict.fromkeys(one.field for one in alike)
    fields = [say(f"field.{name}") for name in names]
    group = alike[0].consumer.group.text
    if group is not None and "group" not in names:
        return say("unresolved-value.of-group", field=fields, group=group, reason=reason)
    return say("unresolved-value", field=fields, reason=reason)


def _remedy(why: Why, detail: str) -> Message | None:
    if why in (Why.UNDEFINED, Why.EXTERNAL_CONFIG, Why.SET_AT_DEPLOY) and detail:
        return say("answer-in-values", key=detail)
    if why is Why.AMBIGUOUS:
        return say("declare-dependency")
    return None

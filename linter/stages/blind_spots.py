"""What of a consumer is not known, said once for each value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from linter.model.consumer import Consumer, Value
from linter.model.expr import Why
from linter.model.finding import Diagnostic
from linter.model.location import Location
from linter.model.message import Message, say


def blind_spots(consumers: Iterable[Consumer]) -> Iterator[Diagnostic]:
    """One diagnostic for the values of one place that are not known for one cause; test code is counted by `list` alone."""
    found: dict[tuple[Location, Why, str], tuple[Consumer, dict[str, None]]] = {}
    for consumer in consumers:
        if consumer.scope == "test" or consumer.disabled:
            continue
        for at, name, value in _values_at(consumer):
            if value.known or value.not_applicable or value.why is None:
                continue
            _, names = found.setdefault((at, value.why, value.detail), (consumer, {}))
            names[name] = None
    for (at, why, detail), (consumer, names) in found.items():
        sentence = _blind_sentence(consumer.group.text, tuple(names), why, detail)
        yield Diagnostic("unresolved-value", sentence, at, _remedy(why, detail))


def _values_at(consumer: Consumer) -> Iterator[tuple[Location, str, Value]]:
    yield consumer.at, "group", consumer.group
    yield consumer.at, "namespace", consumer.namespace
    yield consumer.at, "message_model", consumer.message_model
    for one in consumer.subscriptions:
        yield one.at, "topic", one.topic
        yield one.at, "expression", one.expression
        yield one.at, "filter_type", one.filter_type


def _blind_sentence(group: str | None, names: tuple[str, ...], why: Why, detail: str) -> Message:
    if why is Why.NEVER_SUBSCRIBED:
        return say("never-subscribes")
    reason = say(f"why.{why.value}")
    if detail:
        reason = say("reason-with-detail", reason=reason, detail=detail)
    fields = [say(f"field.{name}") for name in names]
    if group is not None and "group" not in names:
        return say("unresolved-value.of-group", field=fields, group=group, reason=reason)
    return say("unresolved-value", field=fields, reason=reason)


def _remedy(why: Why, detail: str) -> Message | None:
    if why in (Why.UNDEFINED, Why.EXTERNAL_CONFIG, Why.SET_AT_DEPLOY) and detail:
        return say("answer-in-values", key=detail)
    if why is Why.AMBIGUOUS:
        return say("declare-dependency")
    return None

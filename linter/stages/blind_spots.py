"""What of a consumer is not known, said once for each value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from linter.model.consumer import Consumer, Value
from linter.model.expr import Why
from linter.model.finding import Diagnostic
from linter.model.location import Location
from linter.model.message import Message, say


def blind_spots(consumers: Iterable[Consumer]) -> Iterator[Diagnostic]:
    """One diagnostic for each value of a member that is not known; test code is counted by `list` alone."""
    seen: set[tuple[Location, str, str]] = set()
    for consumer in consumers:
        if consumer.scope == "test" or consumer.disabled:
            continue
        for at, name, value in _values_at(consumer):
            if value.known or value.not_applicable or value.why is None:
                continue
            if name == "consume_mode" or (at, name, value.detail) in seen:
                continue
            seen.add((at, name, value.detail))
            yield Diagnostic("unresolved-value", _blind_sentence(consumer, name, value), at, _remedy(value))


def _values_at(consumer: Consumer) -> Iterator[tuple[Location, str, Value]]:
    yield consumer.at, "group", consumer.group
    yield consumer.at, "namespace", consumer.namespace
    yield consumer.at, "message_model", consumer.message_model
    for one in consumer.subscriptions:
        yield one.at, "topic", one.topic
        yield one.at, "expression", one.expression
        yield one.at, "filter_type", one.filter_type


def _blind_sentence(consumer: Consumer, name: str, value: Value) -> Message:
    if value.why is Why.NEVER_SUBSCRIBED:
        return say("never-subscribes")
    assert value.why is not None
    reason = say(f"why.{value.why.value}")
    if value.detail:
        reason = say("reason-with-detail", reason=reason, detail=value.detail)
    field = say(f"field.{name}")
    if consumer.group.text is not None and name != "group":
        return say("unresolved-value.of-group", field=field, group=consumer.group.text, reason=reason)
    return say("unresolved-value", field=field, reason=reason)


def _remedy(value: Value) -> Message | None:
    if value.why in (Why.UNDEFINED, Why.EXTERNAL_CONFIG, Why.SET_AT_DEPLOY) and value.detail:
        return say("answer-in-values", key=value.detail)
    if value.why is Why.AMBIGUOUS:
        return say("declare-dependency")
    return None

"""Consumers -> diagnostics about what could not be determined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from subdrift.linter.model.consumer import Consumer, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.message import Message, say
from subdrift.linter.model.unknown import UnknownValue, is_key, unknown_values


def blind_spots(consumers: Iterable[Consumer]) -> Iterator[Diagnostic]:
    """One diagnostic for each blind spot."""
    for one in unknown_values(consumers):
        yield Diagnostic("unresolved-value", _blind_sentence(one), one.at, _remedy(one.value))


def _blind_sentence(one: UnknownValue) -> Message:
    if one.why is Why.NEVER_SUBSCRIBED:
        return say("never-subscribes")
    reason = say(f"why.{one.why.value}")
    environments = one.consumer.environments
    if one.why is Why.UNDEFINED and "" not in environments:  # another environment has it
        reason = say("undefined-in", environments=", ".join(environments))
    if one.value.detail:
        reason = say("reason-with-detail", reason=reason, detail=one.value.detail)
    field = say(f"field.{one.field}")
    group = one.consumer.group.text
    if group is not None and one.field != "group":
        return say("unresolved-value.of-group", field=field, group=group, reason=reason)
    return say("unresolved-value", field=field, reason=reason)


def _remedy(value: Value) -> Message | None:
    if value.why in (Why.UNDEFINED, Why.EXTERNAL_CONFIG, Why.SET_AT_DEPLOY) and is_key(value.detail):
        return say("answer-in-values", key=say("key-and-text", key=value.detail))
    if value.why is Why.AMBIGUOUS:
        return say("declare-dependency")
    return None

"""Consumers -> their blind spots: values that a rule or the model needs and does not have. The one definition of it.

Every command counts by it: the diagnostics of a run, the counts of reports and of the page, `unresolved`, `list`,
the tables of a scan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from linter.model.consumer import Consumer, Value
from linter.model.expr import Why
from linter.model.location import Location

_NEVER = Value(None, Why.NEVER_SUBSCRIBED)


@dataclass(frozen=True, slots=True)
class UnknownValue:
    """A value that is not known: its field as rows name it, why, where, and the first consumer that has it."""

    field: str
    value: Value
    at: Location
    consumer: Consumer

    @property
    def why(self) -> Why:
        return self.value.why or Why.UNSUPPORTED


def unknown_values(consumers: Iterable[Consumer]) -> Iterator[UnknownValue]:
    """The blind spots of some consumers; each place, field and cause once.

    A value of test code, or of a consumer that takes no part in its group, is needed by nobody; nor is a consume
    mode: rules take an unknown one for any.
    """
    seen: set[tuple[str, Location, Why | None, str]] = set()
    for consumer in consumers:
        if consumer.scope == "test" or not consumer.takes_part:
            continue
        for field, value, at in _needed(consumer):
            if value.known or value.not_applicable:
                continue
            cause = (field, at, value.why, value.detail)
            if cause not in seen:
                seen.add(cause)
                yield UnknownValue(field, value, at, consumer)


def count_unknown(consumers: Iterable[Consumer]) -> Counter[str]:
    """How many values are not known, by field."""
    return Counter(one.field for one in unknown_values(consumers))


def _needed(consumer: Consumer) -> Iterator[tuple[str, Value, Location]]:
    yield "group", consumer.group, consumer.at
    yield "namespace", consumer.namespace, consumer.at
    yield "message_model", consumer.message_model, consumer.at
    for one in consumer.subscriptions:
        yield "topic", one.topic, one.at
        yield "expression", one.expression, one.at
        yield "filter_type", one.filter_type, one.at
    if not consumer.subscriptions:
        yield "topic", _NEVER, consumer.at

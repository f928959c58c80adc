"""Consumers and diagnostics -> blind spots: values that a rule or the model needs and does not have, files that were not
read, code that was not understood. The one definition of it.

Every command counts by it: the diagnostics of a run, the counts of reports and of the page, `unresolved`, `list`,
the tables of a scan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from subdrift.linter.model.consumer import Consumer, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import Message

NOT_READ = frozenset(("unreadable-file", "skipped-file", "unread-language"))
"""Diagnostics about a file or folder that was not read although it might have mattered."""

NOT_UNDERSTOOD = frozenset(("parse-error", "unrecognised-use", "not-followed", "internal-error"))
"""Diagnostics about a place in a file: what stands there may be missing from every comparison."""

_LOST = frozenset(("unreadable-file", "internal-error"))
_LOST_MESSAGES = frozenset(("file-took-too-long", "file-ended-its-reader"))

_NEVER = Value(None, Why.NEVER_SUBSCRIBED)


class UnknownValue(Struct, frozen=True):
    """A value that is not known: its field as rows name it, why, where, and the first consumer that has it."""

    field: str
    value: Value
    at: Location
    consumer: Consumer

    @property
    def why(self) -> Why:
        return self.value.why or Why.UNSUPPORTED


def unknown_values(consumers: Iterable[Consumer]) -> Iterator[UnknownValue]:
    """The values of some consumers that are not known; each place, field and cause once.

    A value of test code, or of a consumer that takes no part in its group, is needed by nobody; nor is a consume
    mode: rules take an unknown one for any. A consumer that no run came to is one unknown, of the field `consumer`.
    """
    seen: set[tuple[str, Location, Why | None, str]] = set()
    told: set[Location] = set()
    for consumer in consumers:
        if consumer.scope == "test":
            continue
        if consumer.not_reached and consumer.at not in told:
            told.add(consumer.at)
            yield UnknownValue("consumer", _why_not_reached(consumer), consumer.at, consumer)
        if not consumer.takes_part:
            continue
        for field, value, at in _needed(consumer):
            if value.known or value.not_applicable:
                continue
            cause = (field, at, value.why, value.detail)
            if cause not in seen:
                seen.add(cause)
                yield UnknownValue(field, value, at, consumer)


def _why_not_reached(consumer: Consumer) -> Value:
    """What is known of a consumer that no run came to: its group may be written where it is made."""
    text = next(one.text for one in consumer.conditions if one.kind == "not-reached")
    return Value(None, Why.DYNAMIC, text) if consumer.group.known else consumer.group


def unread(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The blind spots that are no values: what was not read or not understood; each place and cause once.

    What is suppressed has been looked at, and is none.
    """
    seen: set[tuple[str, Location, Message]] = set()
    for one in diagnostics:
        if one.suppressed is None and one.name in NOT_READ | NOT_UNDERSTOOD:
            cause = (one.name, one.at, one.message)
            if cause not in seen:
                seen.add(cause)
                yield one


def lost(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """What another run over the same sources might read: files and repositories that could not be opened, and those that a
    reader has failed on. What is suppressed has been looked at, and does not count."""
    for one in diagnostics:
        if one.suppressed is None and (one.name in _LOST or one.message.code in _LOST_MESSAGES):
            yield one


def unreachable(diagnostics: Iterable[Diagnostic]) -> frozenset[str]:
    """The repositories that could not be opened or listed at all."""
    return frozenset(
        one.at.origin.repo
        for one in diagnostics
        if one.name == "unreadable-file" and one.at.origin.path == "."
    )


def count_unread(diagnostics: Iterable[Diagnostic]) -> Counter[str]:
    """How many files were not read (`file`) and places not understood (`place`)."""
    return Counter("file" if one.name in NOT_READ else "place" for one in unread(diagnostics))


def count_blind(consumers: Iterable[Consumer], diagnostics: Iterable[Diagnostic]) -> Counter[str]:
    """How many blind spots there are: values that are not known by their field, then `file` and `place`."""
    return Counter(one.field for one in unknown_values(consumers)) + count_unread(diagnostics)


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


def is_key(detail: str) -> bool:
    """Whether what a value hangs on is a key, a variable or a constant, which `[values]` answers by that name."""
    return bool(detail) and all(char.isalnum() or char in "._-[]" for char in detail)

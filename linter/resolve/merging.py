"""Rows of one member in several environments become its consumers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.location import Origin
from subdrift.linter.resolve.assemble import Row


def merged(
    rows: Iterable[Row], is_defined: Callable[[str], bool], program_of: Callable[[Origin], str]
) -> Iterator[Consumer]:
    """Rows of one member with equal values become one that lists their environments; ids and choices are given.

    The id names the program: where an application is packaged once more inside another deployable, the rows of both are
    those of one member.
    """
    members: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        members.setdefault(row.member, []).append(row)
    ordinals: dict[tuple[Origin, str, str], int] = {}
    for group in members.values():
        symbol = group[0].consumer.symbol
        stands = group[0].code or group[0].consumer.at.origin
        program = program_of(stands)
        place = (stands, symbol, program)
        ordinal = ordinals[place] = ordinals.get(place, -1) + 1
        name = f"{stands.repo}:{program}:{stands.path}:{symbol}:{ordinal}"
        rows_of_one = _told_apart(_told_once(_without_empty_profile(group, is_defined)))
        exclusive = len({row.alternative for row in rows_of_one}) > 1
        merged: dict[object, Consumer] = {}
        for row in rows_of_one:
            consumer = row.consumer
            key = (_values(consumer), row.alternative)
            kept = merged.get(key)
            if kept is None:
                merged[key] = replace(consumer, id=name, choice=name if exclusive else "")
            else:
                environments = (*kept.environments, *consumer.environments)
                merged[key] = replace(kept, environments=tuple(dict.fromkeys(environments)))
        yield from merged.values()


def _without_empty_profile(group: list[Row], is_defined: Callable[[str], bool]) -> list[Row]:
    """Drops rows of environments in which the application cannot start.

    The row without profile, where it lacks a key that a profile answers; any row that lacks what a deployment sets.
    """
    if any(row.deployed and not row.undefined for row in group):
        group = [row for row in group if row.deployed or not row.undefined]
    named = [row for row in group if row.consumer.environments[0] != ""]
    if not named or all(not row.undefined for row in group):
        return group
    answered = [row for row in named if not row.undefined]
    missing = {key for row in group if row.consumer.environments[0] == "" for key in row.undefined}
    if not answered or not any(map(is_defined, missing)):
        return group
    return [row for row in group if row.consumer.environments[0] != "" or not row.undefined]


def _told_once(group: list[Row]) -> list[Row]:
    """Leaves out rows that a profile switches off, where the consumer runs in another environment."""
    live = any(not row.consumer.disabled for row in group)
    return [row for row in group if not (live and row.consumer.disabled and _is_off_by_profile(row.consumer))]


def _told_apart(group: list[Row]) -> list[Row]:
    """Leaves out alternatives that say what another one says, with other values that nobody knows; what stays hangs on the
    conditions of both."""
    found: dict[object, Row] = {}
    for row in group:
        consumer = row.consumer
        shown = tuple((name, value.text, value.why, value.symbol) for name, value in consumer.values)
        unknown = any(text is None and not symbol for _, text, _, symbol in shown)
        key = (consumer.environments, shown, _values(consumer)[1:], None if unknown else row.alternative)
        kept = found.get(key)
        if kept is None:
            found[key] = row
        elif kept.alternative != row.alternative:
            both = tuple(one for one in kept.consumer.conditions if one in consumer.conditions)
            found[key] = replace(kept, consumer=replace(kept.consumer, conditions=both))
    return list(found.values())


def _is_off_by_profile(consumer: Consumer) -> bool:
    return any(condition.kind == "profile" for condition in consumer.conditions)


def _values(consumer: Consumer) -> tuple[object, ...]:
    return (
        tuple((name, value.text, value.why, value.detail) for name, value in consumer.values),
        tuple(one.at for one in consumer.subscriptions),
        consumer.disabled,
        bool(consumer.conditions),
        any(one.kind == "never-started" for one in consumer.conditions),
        tuple((one.kind, one.text) for one in consumer.switches),
    )

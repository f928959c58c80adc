"""A group of thousands of members that say the same: rules look at some of each shape, the others are counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec.structs import replace

from subdrift.linter.model.consumer import Consumer, Value
from subdrift.linter.model.finding import Remark
from subdrift.linter.model.location import Location

EXAMPLES_MAX = 64
"""Members of one shape that group rules look at; the others could add places only, and are counted."""


def shapes_of(consumers: Iterable[Consumer]) -> dict[int, int]:
    """`id` of each consumer -> the number of its shape."""
    numbers: dict[tuple[object, ...], int] = {}
    return {id(one): numbers.setdefault(_shape(one), len(numbers)) for one in consumers}


def _shape(one: Consumer) -> tuple[object, ...]:
    """Equal for consumers of which rules and model say the same, places apart."""
    return (
        one.api,
        one.scope,
        one.group.text,
        one.namespace.text,
        one.version,
        one.broken,
        one.disabled,
        one.group.confidence,
        one.namespace.confidence,
        one.consume_mode.text,
        one.consume_mode.confidence,
        _known(one.message_model),
        one.instance_name.text,
        one.post_subscription.text,
        one.strategy.text,
        one.consume_from.text,
        one.owners,
        tuple(
            (
                _known(each.topic),
                _known(each.expression),
                _known(each.filter_type),
                each.late,
                each.dropped is not None,
            )
            for each in one.subscriptions
        ),
    )


def _known(value: Value) -> tuple[object, ...]:
    return (value.text, value.why, value.confidence)


def examples_of(
    members: tuple[Consumer, ...], shapes: Mapping[int, int]
) -> tuple[tuple[Consumer, ...], Mapping[int, Sequence[Consumer]]]:
    """The first members of each shape, and by shape those that were left out."""
    if len(members) <= EXAMPLES_MAX:
        return members, {}
    found: dict[int, list[Consumer]] = {}
    for member in members:
        found.setdefault(shapes[id(member)], []).append(member)
    if max(map(len, found.values())) <= EXAMPLES_MAX:
        return members, {}
    others = {shape: alike[EXAMPLES_MAX:] for shape, alike in found.items() if len(alike) > EXAMPLES_MAX}
    left_out = {id(one) for alike in others.values() for one in alike}
    return tuple(one for one in members if id(one) not in left_out), others


def counting(remark: Remark, others: Mapping[int, Sequence[Consumer]], shapes: Mapping[int, int]) -> Remark:
    """The remark with the number of further places that the members left out would have added."""
    shown = {place.at for place in remark.places}
    places = {
        at
        for shape in dict.fromkeys(shapes[id(member)] for member in remark.members)
        for one in others.get(shape, ())
        if (at := _place(one, remark.topic)) not in shown
    }
    return replace(remark, more_places=len(places), counts=tuple(_counts(remark, others, shapes)))


def _counts(
    remark: Remark, others: Mapping[int, Sequence[Consumer]], shapes: Mapping[int, int]
) -> Iterator[int]:
    """The consumers on each side, those among them that the rule was not shown."""
    members = iter(remark.members)
    for count in remark.counts:
        alike = {shapes[id(member)] for member in islice(members, count)}
        yield count + sum(len(others.get(shape, ())) for shape in alike)


def _place(member: Consumer, topic: str | None) -> Location:
    """Where a member says what a remark about the topic is about."""
    if topic is None:
        return member.at
    return next((one.at for one in reversed(member.subscriptions) if one.topic.text == topic), member.at)

"""Members that filter one topic, as sides: those with the same filter of one type are one side."""

from __future__ import annotations

from collections.abc import Callable

from subdrift.linter.model.consumer import Consumer, Subscription
from subdrift.linter.model.message import Message
from subdrift.rules.filters import filter_of
from subdrift.rules.sides import Voice, sides


def filtering(
    met: list[tuple[Consumer, Subscription]], type_: str, label: Callable[[Message], Message]
) -> tuple[tuple[Voice, ...], ...]:
    """The sides of those that filter by this type; `label` puts what they ask for under the caret."""
    return sides(
        Voice(asked.key, asked.said, one.at, label(asked.bare), member, one.expression)
        for member, one in met
        if (asked := filter_of(one)) is not None and asked.type == type_
    )

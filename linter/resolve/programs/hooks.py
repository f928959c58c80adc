"""What code does to the consumer of a declared listener: in its hook (`prepareStart`), or to its container."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.consumer import Subscription, Value
from subdrift.linter.model.facts import Attribute

HOOKED = frozenset(("spring-listener", "spring-listener-v5"))
"""The declared listeners that the library hands their consumer, or its builder, before it starts."""


class Hooked(Struct, frozen=True):
    """What code does to the consumer of a listener's annotation, under one set of choices.

    `removed` are topics it unsubscribes from; None where it clears all subscriptions. `parts` are those of the one subscription
    that it sets, by the names of the fields of `Subscription`. `alternative` tells the sets of
    choices apart, `asked`: whether configuration was asked for.
    """

    settings: Mapping[Attribute, Value]
    subscriptions: tuple[Subscription, ...]
    removed: frozenset[str] | None
    alternative: tuple[object, ...]
    asked: bool
    parts: Mapping[str, Value] = {}

    def after(self, declared: Sequence[Subscription]) -> list[Subscription]:
        """The subscriptions of a consumer that was declared with some."""
        if self.parts:
            return [replace(one, **self.parts) for one in declared]
        if self.removed is None:
            return list(self.subscriptions)
        gone = self.removed | {one.topic.text for one in self.subscriptions}
        kept = [one for one in declared if one.topic.text is None or one.topic.text not in gone]
        return [*kept, *self.subscriptions]

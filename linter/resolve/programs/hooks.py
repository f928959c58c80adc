"""What the hook of a declared listener (`prepareStart`) does to its consumer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from subdrift.linter.model.consumer import Subscription, Value
from subdrift.linter.model.facts import Attribute

HOOKED = frozenset(("spring-listener", "spring-listener-v5"))
"""The declared listeners that the library hands their consumer, or its builder, before it starts."""


class Hooked(Struct, frozen=True):
    """What a listener's hook (`prepareStart`) does to the consumer of its annotation, under one set of choices.

    `removed` are topics it unsubscribes from; None where it clears all subscriptions. `alternative` tells the sets of
    choices apart, `asked`: whether configuration was asked for.
    """

    settings: Mapping[Attribute, Value]
    subscriptions: tuple[Subscription, ...]
    removed: frozenset[str] | None
    alternative: tuple[object, ...]
    asked: bool

    def after(self, declared: Sequence[Subscription]) -> list[Subscription]:
        """The subscriptions of a consumer that was declared with some."""
        if self.removed is None:
            return list(self.subscriptions)
        gone = self.removed | {one.topic.text for one in self.subscriptions}
        kept = [one for one in declared if one.topic.text is None or one.topic.text not in gone]
        return [*kept, *self.subscriptions]

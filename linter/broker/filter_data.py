"""The broker's store of compiled expressions, apart from the subscription table.

A pull of a topic whose subscription is not TAG is filtered by what this store holds for topic and group. It outlives
the table: an entry is neither cleared when the table loses the topic nor when a TAG subscription wins or the group
goes offline, it is only marked dead and purged a day later. So the effective expression is the one with the greatest
version ever registered, even if the table was filled anew with an older one.

Mirrors: ConsumerFilterManager#register, #unRegister and #clean and ConsumerFilterData of the broker, RocketMQ 4.8.0
to 5.3.3; bloom filters are left out.
"""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.broker.filter import SQL92, SubscriptionData, is_tag_type
from subdrift.linter.broker.selector import Selector, SelectorRejected, compile_selector
from subdrift.linter.broker.versions import LATEST, Version

PURGED_AFTER_MS: Final = 24 * 60 * 60 * 1000
"""How long a dead entry stays."""


class FilterData(Struct, frozen=True):
    """The compiled expression of one group for one topic."""

    topic: str
    group: str
    expression: str
    expression_type: str
    version: int
    """The greatest version that registered it."""
    selector: Selector
    dead_since_ms: int | None = None
    """None while the last heartbeat of the group mentioned the topic."""


class FilterStore(Struct, frozen=True):
    """All entries of a broker, at most one for each topic and group."""

    entries: tuple[FilterData, ...] = ()

    def find(self, topic: str, group: str) -> FilterData | None:
        """The entry that filters a topic for a group, dead or alive."""
        return next((e for e in self.entries if e.topic == topic and e.group == group), None)

    def registered(
        self, group: str, subscriptions: Sequence[SubscriptionData], now_ms: int, version: Version = LATEST
    ) -> "FilterStore":
        """The store after a heartbeat, accepted by the table or not: the versions here are its own.

        Raises SelectorTooDeep for an expression whose fate depends on the virtual machine.
        """
        store = self
        for subscription in subscriptions:
            if not is_tag_type(subscription.expression_type) and subscription.text:
                store = store._with(group, subscription, version)
        mentioned = {s.topic for s in subscriptions}
        return store._dead(lambda e: e.group == group and e.topic not in mentioned, now_ms)

    def unregistered(self, group: str, now_ms: int) -> "FilterStore":
        """The store after the last member of a group has gone."""
        return self._dead(lambda e: e.group == group, now_ms)

    def purged(self, now_ms: int) -> "FilterStore":
        """The store without entries that have been dead for a day."""
        return FilterStore(
            tuple(
                e
                for e in self.entries
                if e.dead_since_ms is None or now_ms - e.dead_since_ms < PURGED_AFTER_MS
            )
        )

    def _with(self, group: str, subscription: SubscriptionData, version: Version) -> "FilterStore":
        old = self.find(subscription.topic, group)
        if old is not None:
            if subscription.version < old.version:
                return self
            unchanged = (old.expression, old.expression_type) == (
                subscription.text,
                subscription.expression_type,
            )
            if unchanged or subscription.version == old.version:
                # An equal version revives a dead entry, but never changes its expression.
                return self._replaced(old, replace(old, version=subscription.version, dead_since_ms=None))
        return self._replaced(old, _compiled(group, subscription, version))

    def _replaced(self, old: FilterData | None, new: FilterData | None) -> "FilterStore":
        """An expression that does not compile takes the old entry with it."""
        kept = tuple(e for e in self.entries if e is not old)
        return FilterStore(kept if new is None else (*kept, new))

    def _dead(self, affected: Callable[[FilterData], bool], now_ms: int) -> "FilterStore":
        return FilterStore(
            tuple(
                replace(e, dead_since_ms=now_ms) if e.dead_since_ms is None and affected(e) else e
                for e in self.entries
            )
        )


def _compiled(group: str, subscription: SubscriptionData, version: Version) -> FilterData | None:
    """None where compiling fails, as it does for every type but SQL92."""
    if subscription.expression_type != SQL92:
        return None
    try:
        selector = compile_selector(subscription.text, version)
    except SelectorRejected:
        return None
    return FilterData(subscription.topic, group, subscription.text, SQL92, subscription.version, selector)

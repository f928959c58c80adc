"""Who owns the queues of a topic, over every order of client ids: sides in, parts of the queues as exact shares out.

Nothing is known of the ids, so every order of them may occur. Where all members compute the same partition the part of
some of them follows from their number; where strategies are mixed every order is looked at, up to a bound.

Mirrors: AllocateMessageQueueStrategy and RebalanceImpl#rebalanceByTopic, RocketMQ 4.8.0 to 5.3.3.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import factorial, prod
from typing import Final

from subdrift.linter.broker.allocate import average_share, circle_share
from subdrift.linter.broker.side import Side
from subdrift.linter.model.prediction import ALL, NONE, Share

ORDERS_MAX: Final = 2_000
"""Orders of client ids that are enumerated where strategies are mixed; beyond, shares are ranges from 0 to 1."""
OWNERS_MAX: Final = 200_000
"""Orders of client ids times queues that are enumerated where strategies are mixed."""
ORDERS_COUNTED_MAX: Final = 10_000_000
"""Larger numbers of orders are not printed."""
BY_INDEX: Final = ("AVG", "AVG_BY_CIRCLE")
"""Strategies that look at positions in the id list only."""
UNKNOWN: Final = Share(Fraction(0), Fraction(1))


class Partition:
    """How the queues of one topic are divided among all clients of a group.

    `is_one`: all members compute the same partition, with an owner for every queue. `is_mixed`: they surely do not.
    """

    def __init__(self, sides: Sequence[Side], queues: int) -> None:
        self.sides = sides
        self.queues = queues
        self.clients = sum(side.clients for side in sides)
        strategies = {side.strategy for side in sides if not side.pops}
        self.is_one = len(strategies) <= 1 and strategies <= {*BY_INDEX, "CONSISTENT_HASH"}
        self.is_mixed = self.clients > 1 and not self.is_one and None not in {one.strategy for one in sides}

    def owned(self, certain: frozenset[str], possible: frozenset[str], unowned: bool) -> Share:
        """The part of the queues owned by these sides, over all orders of client ids.

        `certain` count in any case, `possible` at most; `unowned`: queues without an owner count too.
        """
        low = sum(side.clients for side in self.sides if side.label in certain)
        high = sum(side.clients for side in self.sides if side.label in possible)
        share = self.counted(low, high, unowned)
        if share is not None:
            return share
        if self._by_index() and self.orders_listed():
            return self._over_orders(certain, possible, unowned)
        return UNKNOWN

    def counted(self, low: int, high: int, unowned: bool) -> Share | None:
        """The part of the queues that so many clients own, `low` in any case and `high` at most.

        None where the answer rests on the order of the ids, because strategies are mixed or not known.
        """
        every = self.clients
        if high == 0 and (not unowned or self.is_one):
            return NONE
        if low == every and self.is_one:
            return ALL
        if self.is_one and self._by_index():
            return Share(
                Fraction(self.queues - self._largest(every - low), self.queues),
                Fraction(self._largest(high), self.queues),
            )
        return None

    def _largest(self, clients: int) -> int:
        """The queues of the first so many positions of the id list; AVG and AVG_BY_CIRCLE give these the most."""
        size, larger = divmod(self.queues, self.clients)
        return clients * size + min(clients, larger)

    def _by_index(self) -> bool:
        return {side.strategy for side in self.sides if not side.pops} <= set(BY_INDEX)

    def orders_listed(self) -> bool:
        """Whether every order of the client ids is looked at where strategies are mixed."""
        count = orders(self.sides)
        return 0 < count <= ORDERS_MAX and count * self.queues <= OWNERS_MAX

    def _over_orders(self, certain: frozenset[str], possible: frozenset[str], unowned: bool) -> Share:
        """Members with different strategies: look at every order. A queue counts where any of its owners does."""
        low, high = self.queues, 0
        for owners in _owners(
            tuple((side.label, side.clients, side.strategy or "") for side in self.sides), self.queues
        ):
            low = min(low, sum(bool(one & certain) or (unowned and not one) for one in owners))
            high = max(high, sum(bool(one & possible) or (unowned and not one) for one in owners))
        return Share(Fraction(low, self.queues), Fraction(high, self.queues))

    def doubled(self, certain: frozenset[str], possible: frozenset[str]) -> Share:
        """The part of the queues with more than one owner among these sides, over all orders of client ids."""
        if self.is_one or self.clients < 2:  # one client shares with nobody
            return NONE
        if not (self._by_index() and self.orders_listed()):
            return UNKNOWN
        sides = tuple((side.label, side.clients, side.strategy or "") for side in self.sides)
        every = _owners(sides, self.queues)
        low = min(sum(len(one & certain) > 1 for one in owners) for owners in every)
        high = max(sum(len(one & possible) > 1 for one in owners) for owners in every)
        return Share(Fraction(low, self.queues), Fraction(high, self.queues))


def orders(sides: Iterable[Side]) -> int:
    """Orders of client ids that differ in more than the names of alike clients; 0 if there are very many."""
    counts = [side.clients for side in sides]
    if sum(counts) > 64:
        return 0
    every = factorial(sum(counts)) // prod(map(factorial, counts))
    return every if every <= ORDERS_COUNTED_MAX else 0


@lru_cache(maxsize=64)
def _owners(sides: tuple[tuple[str, int, str], ...], queues: int) -> tuple[tuple[frozenset[str], ...], ...]:
    """Who owns the queues, for every order of the clients of (label, clients, strategy): each way once."""
    found: dict[tuple[frozenset[str], ...], None] = {}
    strategies = {label: strategy for label, _, strategy in sides}
    for order in _arrangements([(label, count) for label, count, _ in sides]):
        owners: list[set[str]] = [set() for _ in range(queues)]
        for index, label in enumerate(order):
            take = circle_share if strategies[label] == "AVG_BY_CIRCLE" else average_share
            for queue in take(queues, len(order), index):
                owners[queue].add(label)
        found[tuple(sorted(map(frozenset, owners), key=sorted))] = None
    return tuple(found)


def _arrangements(counts: list[tuple[str, int]]) -> Iterator[tuple[str, ...]]:
    """Every order of the clients, alike ones not told apart."""
    if all(count == 0 for _, count in counts):
        yield ()
        return
    for position, (label, count) in enumerate(counts):
        if count:
            rest = [*counts[:position], (label, count - 1), *counts[position + 1 :]]
            for tail in _arrangements(rest):
                yield (label, *tail)

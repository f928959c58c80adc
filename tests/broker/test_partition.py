"""Parts of the queues that some sides own, over every order of client ids: exact where it can be, and never beyond."""

from __future__ import annotations

from fractions import Fraction

import pytest

from subdrift.linter.broker.partition import Partition, orders
from subdrift.linter.broker.side import Side
from subdrift.linter.broker.vocabulary import ClientKind, MessageModel
from subdrift.linter.model.prediction import ALL, NONE, Share


def side(label: str, clients: int = 1, strategy: str | None = "AVG") -> Side:
    return Side(label, clients, ClientKind.PUSH, MessageModel.CLUSTERING, (), strategy=strategy)


def owned(partition: Partition, *labels: str, unowned: bool = False) -> Share:
    return partition.owned(frozenset(labels), frozenset(labels), unowned)


@pytest.mark.parametrize(
    ("clients", "count"),
    [((1,), 1), ((1, 1), 2), ((2, 1), 3), ((63, 1), 64), ((64, 1), 0), ((12, 12), 2_704_156), ((13, 13), 0)],
)
def test_orders_of_ids_are_counted_as_long_as_the_number_says_something(
    clients: tuple[int, ...], count: int
) -> None:
    assert orders(side(f"m{number}", each) for number, each in enumerate(clients)) == count


def test_the_parts_of_one_partition_depend_on_who_comes_first() -> None:
    partition = Partition((side("a"), side("b", 2)), 4)
    assert owned(partition, "a") == Share(Fraction(1, 4), Fraction(2, 4))
    assert owned(partition, "b") == Share(Fraction(2, 4), Fraction(3, 4))
    assert owned(partition, "a", "b") == ALL
    assert owned(partition) == NONE
    assert partition.is_one
    assert not partition.is_mixed


def test_under_mixed_strategies_queues_have_two_owners_or_none() -> None:
    partition = Partition((side("a"), side("b", strategy="AVG_BY_CIRCLE")), 4)
    assert partition.is_mixed
    assert owned(partition, "a") == Share(Fraction(2, 4), Fraction(2, 4))
    assert owned(partition, unowned=True) == Share(Fraction(1, 4), Fraction(1, 4))


def test_of_strategies_that_are_not_known_nothing_is_said() -> None:
    partition = Partition((side("a"), side("b", strategy=None)), 4)
    assert owned(partition, "a") == Share(Fraction(0), Fraction(1))
    assert not partition.is_one
    assert not partition.is_mixed


def test_orders_beyond_the_bound_are_not_listed() -> None:
    six = tuple(side(f"m{n}", strategy="AVG_BY_CIRCLE" if n % 2 else "AVG") for n in range(6))
    assert Partition(six, 4).orders_listed()  # 720
    assert not Partition((*six, side("m6")), 4).orders_listed()  # 5,040
    assert Partition(six, 277).orders_listed()
    assert not Partition(six, 278).orders_listed()


def test_a_member_alone_owns_everything_whatever_its_strategy() -> None:
    assert owned(Partition((side("a", strategy="CONSISTENT_HASH"),), 4), "a") == ALL
    assert not Partition((side("a", strategy="MACHINE_ROOM"),), 4).is_mixed

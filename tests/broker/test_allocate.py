"""Queue shares: partitions where all agree, overlaps and gaps where they do not."""

from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subdrift.linter.broker.allocate import (
    AllocationError,
    Averagely,
    AveragelyByCircle,
    ByConfig,
    ByMachineRoom,
    ConsistentHash,
    MachineRoomNearby,
    MessageQueue,
    Strategy,
    allocate,
    average_share,
    circle_share,
    in_client_order,
    in_queue_order,
)
from subdrift.linter.broker.versions import Version

QUEUES = tuple(MessageQueue("TopicTest", "broker-a", n) for n in range(8))

client_ids = st.lists(
    st.text(st.characters(), min_size=1, max_size=12), min_size=1, max_size=8, unique=True
).map(in_client_order)
queue_lists = st.lists(
    st.builds(
        MessageQueue, st.just("T"), st.sampled_from(["a", "broker-b", "订单", "😀"]), st.integers(0, 40)
    ),
    min_size=1,
    max_size=30,
    unique=True,
).map(in_queue_order)
whole_strategies = st.sampled_from(
    [
        Averagely(),
        AveragelyByCircle(),
        ConsistentHash(),
        MachineRoomNearby(Averagely(), lambda name: name[0], lambda client: client[0]),
        MachineRoomNearby(ConsistentHash(3), lambda name: name[0], lambda client: client[0]),
    ]
)


@given(whole_strategies, queue_lists, client_ids)
def test_with_equal_inputs_every_queue_has_exactly_one_owner(
    strategy: Strategy, queues: list[MessageQueue], clients: list[str]
) -> None:
    shares = [allocate(strategy, client, queues, clients) for client in clients]
    assert in_queue_order(chain.from_iterable(shares)) == queues


@given(queue_lists, client_ids, st.text(st.characters(), min_size=1, max_size=12))
def test_consistent_hashing_lets_a_joining_member_only_take_queues(
    queues: list[MessageQueue], clients: list[str], joining: str
) -> None:
    if joining in clients:
        return
    joined = in_client_order([*clients, joining])
    for client in clients:
        before = set(allocate(ConsistentHash(), client, queues, clients))
        assert set(allocate(ConsistentHash(), client, queues, joined)) <= before


@given(st.integers(0, 200), st.integers(1, 50))
def test_average_shares_are_consecutive_blocks_that_differ_by_at_most_one(queues: int, clients: int) -> None:
    shares = [average_share(queues, clients, index) for index in range(clients)]
    assert list(chain.from_iterable(shares)) == list(range(queues))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1
    assert all(len(earlier) >= len(later) for earlier, later in pairwise(shares))


@given(st.integers(0, 200), st.integers(1, 50))
def test_circular_shares_partition_the_queues_too(queues: int, clients: int) -> None:
    shares = [circle_share(queues, clients, index) for index in range(clients)]
    assert sorted(chain.from_iterable(shares)) == list(range(queues))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


@given(queue_lists, client_ids)
def test_the_short_forms_and_the_strategies_give_the_same_shares(
    queues: list[MessageQueue], clients: list[str]
) -> None:
    for index, client in enumerate(clients):
        for strategy, share in ((Averagely(), average_share), (AveragelyByCircle(), circle_share)):
            positions = share(len(queues), len(clients), index)
            assert allocate(strategy, client, queues, clients) == tuple(queues[n] for n in positions)


def test_a_share_of_millions_of_queues_is_a_range() -> None:
    assert average_share(10_000_001, 3, 2) == range(6_666_668, 10_000_001)


def test_an_id_listed_twice_leaves_queues_to_nobody() -> None:
    clients = ["10.0.0.1@1", "10.0.0.1@1", "10.0.0.2@1"]
    shares = {client: allocate(Averagely(), client, QUEUES[:6], clients) for client in clients}
    assert {client: [q.queue_id for q in share] for client, share in shares.items()} == {
        "10.0.0.1@1": [0, 1],
        "10.0.0.2@1": [4, 5],
    }


def test_members_with_different_strategies_overlap_and_leave_gaps() -> None:
    clients = ["a", "b"]
    shares = allocate(Averagely(), "a", QUEUES, clients) + allocate(AveragelyByCircle(), "b", QUEUES, clients)
    assert len(set(shares)) < len(shares)
    assert set(shares) < set(QUEUES)


def test_the_hash_ring_of_the_specification_is_reproduced() -> None:
    clients = ["192.168.0.1@1001", "192.168.0.1@1002", "192.168.0.2@2001"]
    shares = [[q.queue_id for q in allocate(ConsistentHash(), c, QUEUES, clients)] for c in clients]
    assert shares == [[0, 1, 2], [3, 5], [4, 6, 7]]


def test_client_ids_sort_as_texts() -> None:
    assert in_client_order(["x@9", "x@10", "x@DEFAULT"]) == ["x@10", "x@9", "x@DEFAULT"]


def test_an_id_that_is_not_listed_gets_nothing() -> None:
    assert allocate(Averagely(), "z", QUEUES, ["a"]) == ()


@pytest.mark.parametrize(
    ("own_id", "queues", "clients", "message"),
    [
        (None, QUEUES, ["a"], "currentCID is empty"),
        ("", QUEUES, [""], "currentCID is empty"),
        ("a", (), ["a"], "mqAll is null or mqAll empty"),
        ("a", QUEUES, [], "cidAll is null or cidAll empty"),
    ],
)
def test_empty_input_is_refused(
    own_id: str | None, queues: tuple[MessageQueue, ...], clients: list[str], message: str
) -> None:
    for strategy in (Averagely(), AveragelyByCircle(), ConsistentHash(), MachineRoomNearby()):
        with pytest.raises(AllocationError, match=message):
            allocate(strategy, own_id, queues, clients)
    room = ByMachineRoom(frozenset({"r"}))
    assert allocate(room, own_id, queues, clients, Version.parse("4.9.3")) == ()
    with pytest.raises(AllocationError, match=message):
        allocate(room, own_id, queues, clients, Version.parse("4.9.4"))


def test_a_fixed_list_is_what_everybody_gets() -> None:
    fixed = ByConfig(QUEUES[2:4])
    assert allocate(fixed, None, (), ()) == allocate(fixed, "a", QUEUES, ["b"]) == QUEUES[2:4]


def test_a_negative_number_of_virtual_nodes_is_refused_before_anything_else() -> None:
    with pytest.raises(AllocationError, match="illegal virtualNodeCnt :-1"):
        allocate(MachineRoomNearby(ConsistentHash(-1)), None, (), ())


def test_a_queue_without_a_room_is_refused() -> None:
    with pytest.raises(AllocationError, match="Machine room is null for mq"):
        allocate(MachineRoomNearby(), "r-1", [MessageQueue("T", "plain", 0)], ["r-1"])

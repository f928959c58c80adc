"""Queue allocation: who gets which queues of a topic, by the six strategies of the client.

Every member computes its own share from the queue list and *all* client ids of the group, sorted the same way; no
member sees another's result. Members with different strategies, lists or duplicate ids therefore overlap or leave
queues to nobody, which is the caller's business to notice.

Mirrors: AllocateMessageQueueAveragely, ...AveragelyByCircle, ...ConsistentHash, ...ByConfig, ...ByMachineRoom and
AllocateMachineRoomNearby#allocate of the client, RocketMQ 4.8.0 to 5.3.3.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from hashlib import md5
from typing import Final, assert_never

from msgspec import Struct

from subdrift.linter.broker.versions import LATEST, Feature, Version, behaves
from subdrift.linter.model.tags import java_order

DEFAULT_VIRTUAL_NODES: Final = 10

NEARBY_PREFIX: Final = "MACHINE_ROOM_NEARBY-"


class AllocationError(ValueError):
    """The strategy throws IllegalArgumentException: the client skips this topic and keeps the queues it has."""


class MessageQueue(Struct, frozen=True):
    """One queue of a topic on one broker."""

    topic: str
    broker_name: str
    queue_id: int

    def __str__(self) -> str:
        return f"MessageQueue [topic={self.topic}, brokerName={self.broker_name}, queueId={self.queue_id}]"


class Averagely(Struct, frozen=True):
    """Contiguous blocks whose sizes differ by at most one; the default of every client."""

    name: str = "AVG"


class AveragelyByCircle(Struct, frozen=True):
    """Queues dealt out one by one."""

    name: str = "AVG_BY_CIRCLE"


class ConsistentHash(Struct, frozen=True):
    """A ring of MD5 positions; 0 virtual nodes allocate nothing, a negative number raises AllocationError."""

    virtual_nodes: int = DEFAULT_VIRTUAL_NODES
    name: str = "CONSISTENT_HASH"


class ByConfig(Struct, frozen=True):
    """A fixed list of queues, whatever the members are."""

    queues: tuple[MessageQueue, ...] = ()
    name: str = "CONFIG"


class ByMachineRoom(Struct, frozen=True):
    """Only queues of brokers named ``room@name`` with a room of this set; all others belong to nobody."""

    rooms: frozenset[str] = frozenset()
    name: str = "MACHINE_ROOM"


def room_before_dash(name: str) -> str:
    """The room of a broker name or client id, as one user resolver might say: what precedes the first ``-``."""
    room, dash, _ = name.partition("-")
    return room if dash else ""


class MachineRoomNearby(Struct, frozen=True):
    """An inner strategy within each room; rooms without members are divided among all.

    The resolvers are the user's code in RocketMQ; an empty room from either raises AllocationError.
    """

    inner: "Strategy" = Averagely()
    broker_room: Callable[[str], str] = room_before_dash
    client_room: Callable[[str], str] = room_before_dash

    @property
    def name(self) -> str:
        return NEARBY_PREFIX + self.inner.name


Strategy = Averagely | AveragelyByCircle | ConsistentHash | ByConfig | ByMachineRoom | MachineRoomNearby


def average_share(queues: int, clients: int, index: int) -> range:
    """The queue positions the client at a position of the id list gets by AVG.

    ``queues >= 0``, ``clients >= 1`` and ``0 <= index < clients``; no list is built, so large numbers cost nothing.
    Mirrors AllocateMessageQueueAveragely#allocate, RocketMQ 4.8.0 to 5.3.3.
    """
    size, larger = divmod(queues, clients)
    start = index * size + min(index, larger)
    return range(start, start + size + (index < larger))


def circle_share(queues: int, clients: int, index: int) -> range:
    """The queue positions the client at a position of the id list gets by AVG_BY_CIRCLE; arguments as above."""
    return range(index, queues, clients)


def in_queue_order(queues: Iterable[MessageQueue]) -> list[MessageQueue]:
    """Queues as the client sorts them: topic and broker name by UTF-16 units, then queue id."""
    return sorted(queues, key=lambda q: (java_order(q.topic), java_order(q.broker_name), q.queue_id))


def in_client_order(clients: Iterable[str]) -> list[str]:
    """Client ids as the client sorts them: by UTF-16 units, so ``x@10`` comes before ``x@9``."""
    return sorted(clients, key=java_order)


def allocate(
    strategy: Strategy,
    own_id: str | None,
    queues: Sequence[MessageQueue],
    clients: Sequence[str],
    version: Version = LATEST,
) -> tuple[MessageQueue, ...]:
    """The share of one client, in the order the strategy finds it.

    Both lists are taken as they are: sort them first (``in_queue_order``, ``in_client_order``) as the client does.
    An id that is not in the list gets nothing. ``version`` is the client's.

    Raises AllocationError where RocketMQ throws: an empty own id, queue list or id list (not for CONFIG, nor for
    MACHINE_ROOM before 4.9.4), a negative number of virtual nodes, a queue or client without a room.
    """
    _check_construction(strategy)
    match strategy:
        case ByConfig():
            return strategy.queues
        case ByMachineRoom():
            if behaves(Feature.MACHINE_ROOM_CHECKS_INPUT, version):
                _check_input(own_id, queues, clients)
            return _machine_room_share(strategy, own_id, queues, clients)
        case _:
            _check_input(own_id, queues, clients)
    if own_id is None or own_id not in clients:
        return ()
    match strategy:
        case Averagely():
            positions = average_share(len(queues), len(clients), clients.index(own_id))
            return tuple(queues[positions.start : positions.stop])
        case AveragelyByCircle():
            return tuple(queues[clients.index(own_id) :: len(clients)])
        case ConsistentHash():
            ring = _ring(tuple(clients), strategy.virtual_nodes)
            return tuple(q for q in queues if ring.owner(str(q)) == own_id)
        case MachineRoomNearby():
            return _nearby_share(strategy, own_id, queues, clients, version)
        case _:
            assert_never(strategy)


def _check_construction(strategy: Strategy) -> None:
    """What constructors of RocketMQ throw; it comes before any look at the input."""
    if isinstance(strategy, MachineRoomNearby):
        _check_construction(strategy.inner)
    if isinstance(strategy, ConsistentHash) and strategy.virtual_nodes < 0:
        raise AllocationError(f"illegal virtualNodeCnt :{strategy.virtual_nodes}")


def _check_input(own_id: str | None, queues: Sequence[MessageQueue], clients: Sequence[str]) -> None:
    """AbstractAllocateMessageQueueStrategy#check."""
    if not own_id:
        raise AllocationError("currentCID is empty")
    if not queues:
        raise AllocationError("mqAll is null or mqAll empty")
    if not clients:
        raise AllocationError("cidAll is null or cidAll empty")


def _machine_room_share(
    strategy: ByMachineRoom, own_id: str | None, queues: Sequence[MessageQueue], clients: Sequence[str]
) -> tuple[MessageQueue, ...]:
    if own_id is None or own_id not in clients:
        return ()
    index = clients.index(own_id)
    open_queues = [q for q in queues if _room_by_at_sign(q.broker_name) in strategy.rooms]
    size, rest = divmod(len(open_queues), len(clients))
    share = open_queues[index * size : (index + 1) * size]
    if index < rest:
        share.append(open_queues[size * len(clients) + index])
    return tuple(share)


def _room_by_at_sign(broker_name: str) -> str | None:
    """The room of ``room@name``; None unless there are two parts, of which empty ones at the end do not count."""
    parts = broker_name.split("@")
    while parts and not parts[-1]:
        parts.pop()
    return parts[0] if len(parts) == 2 else None


def _nearby_share(
    strategy: MachineRoomNearby,
    own_id: str,
    queues: Sequence[MessageQueue],
    clients: Sequence[str],
    version: Version,
) -> tuple[MessageQueue, ...]:
    queues_of: dict[str, list[MessageQueue]] = {}
    for queue in queues:
        if not (room := strategy.broker_room(queue.broker_name)):
            raise AllocationError(f"Machine room is null for mq {queue}")
        queues_of.setdefault(room, []).append(queue)
    clients_of: dict[str, list[str]] = {}
    for client in clients:
        if not (room := strategy.client_room(client)):
            raise AllocationError(f"Machine room is null for consumer id {client}")
        clients_of.setdefault(room, []).append(client)

    own_room = strategy.client_room(own_id)
    share: tuple[MessageQueue, ...] = ()
    if nearby := queues_of.pop(own_room, None):
        share += allocate(strategy.inner, own_id, nearby, clients_of[own_room], version)
    for room in sorted(queues_of.keys() - clients_of.keys(), key=java_order):
        share += allocate(strategy.inner, own_id, queues_of[room], clients, version)
    return share


class _Ring(Struct, frozen=True):
    """Positions in order, and the client at each."""

    positions: tuple[int, ...]
    clients: tuple[str, ...]

    def owner(self, key: str) -> str | None:
        """The client of the first position at or after the key's, wrapping; None on an empty ring."""
        if not self.positions:
            return None
        return self.clients[bisect_left(self.positions, _position(key)) % len(self.positions)]


_RINGS_MAX: Final = 64


@lru_cache(maxsize=_RINGS_MAX)
def _ring(clients: tuple[str, ...], virtual_nodes: int) -> _Ring:
    """ConsistentHashRouter: an id listed twice goes on counting its nodes; on one position the later node wins."""
    nodes: dict[int, str] = {}
    seen: dict[str, int] = {}
    for client in clients:
        first = seen.get(client, 0)
        seen[client] = first + virtual_nodes
        for k in range(first, first + virtual_nodes):
            nodes[_position(f"{client}-{k}")] = client
    positions = tuple(sorted(nodes))
    return _Ring(positions, tuple(nodes[p] for p in positions))


def _position(key: str) -> int:
    """The first four bytes of the key's MD5, unsigned.

    The key's bytes are UTF-8, as on every platform since 5.0.0 and with that default charset before; like
    ``String.getBytes``, an unpaired surrogate becomes ``?``.
    """
    return int.from_bytes(md5(_utf_8(key), usedforsecurity=False).digest()[:4], "big")


def _utf_8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        joined = text.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")
        return joined.encode("utf-8", "replace")

"""The rebalance thread of a client: when it runs, which queues it takes and drops, and what follows from a change.

Mirrors: RebalanceService, RebalanceImpl#rebalanceByTopic and #updateProcessQueueTableInRebalance, RebalancePushImpl of
the client, RocketMQ 4.8.0 to 5.3.3.
"""

from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.broker.allocate import (
    AllocationError,
    Averagely,
    AveragelyByCircle,
    ConsistentHash,
    MessageQueue,
    Strategy,
    allocate,
    in_client_order,
    in_queue_order,
)
from subdrift.linter.broker.simulation.clock import MS, SECOND
from subdrift.linter.broker.simulation.process import Process, RemoteError, Sleep
from subdrift.linter.broker.simulation.subscription import RETRY_PREFIX
from subdrift.linter.broker.simulation.trace import Kind
from subdrift.linter.broker.versions import Feature

if TYPE_CHECKING:
    from subdrift.linter.broker.simulation.client import Client

MIN_INTERVAL_US: Final = 1 * SECOND
"""`[>=5.2.0]` between two runs, and from the creation of the instance to the first."""
DISPATCH_DELAY_US: Final = 500 * MS
"""`[>=5.0.0]` before the first pull of a new queue, and after a lock that failed."""
PULL_IDLE_MAX_US: Final = 120 * SECOND
"""A queue that was not pulled for longer is dropped and taken again."""
POP_QUEUE: Final = -1
"""The queue id that stands for all queues of a broker."""

STRATEGIES: Final[dict[str, Strategy]] = {
    one.name: one for one in (Averagely(), AveragelyByCircle(), ConsistentHash())
}
BROKER_STRATEGIES: Final = ("AVG", "AVG_BY_CIRCLE")
"""What a broker that assigns queues knows by name."""


class OwnedQueue(Struct):
    """What a client keeps for a queue it works on (`ProcessQueue`)."""

    queue: MessageQueue
    next_offset: int
    last_pull_us: int
    dropped: bool = False
    locked: bool = False
    end: int = 0
    """One more than the largest offset that was cached."""
    cached: set[int] = field(default_factory=set)
    """Offsets that were pulled and not yet consumed."""


class Rebalance:
    """One thread: a run wakes by itself after a while, or is woken; wake-ups during a run are one more run."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._order = client.cluster.random.random()
        self._running = False
        self._wanted = False
        self._last_us = client.cluster.agenda.now_us
        self._turn = 0

    def created(self) -> None:
        """The instance is created now: from here the first interval counts."""
        self._last_us = self._client.cluster.agenda.now_us

    def schedule(self, delay_us: int) -> None:
        """The next run begins after a delay, unless something wakes the thread before."""
        self._turn += 1
        turn = self._turn

        def due() -> None:
            if turn == self._turn and not self._running:
                self._client.spawn(self._run())

        self._client.later(delay_us, due)

    def wake(self) -> None:
        if self._running:
            self._wanted = True
            return
        wait = 0
        if self._client.has(Feature.REBALANCE_PACED):
            wait = self._last_us + MIN_INTERVAL_US - self._client.cluster.agenda.now_us
        if wait > 0:
            self.schedule(wait)
        else:
            self._client.spawn(self._run())

    def _run(self) -> Process[None]:
        client = self._client
        self._running = True
        self._turn += 1  # whatever was scheduled is replaced
        client.cluster.note(Kind.REBALANCE, client.member.name)
        balanced = yield from self._all_topics()
        self._running = False
        self._last_us = client.cluster.agenda.now_us
        wait = client.cluster.scenario.timing.rebalance_ms * MS
        if client.has(Feature.REBALANCE_PACED) and not balanced:
            wait = MIN_INTERVAL_US
        self.schedule(wait)
        if self._wanted:
            self._wanted = False
            self.wake()

    def _all_topics(self) -> Process[bool]:
        client, balanced = self._client, True
        for topic in sorted(client.subscriptions, key=lambda topic: hash_order(topic, self._order)):
            try:
                balanced = (yield from self._topic(topic)) and balanced
            except RemoteError:
                balanced = False
        for queue in [queue for queue in client.owned if queue.topic not in client.subscriptions]:
            self._drop(queue)  # truncateMessageQueueNotMyTopic
        return balanced

    def _topic(self, topic: str) -> Process[bool]:
        """Whether the client works on exactly its share afterwards, or need not."""
        client = self._client
        queues = client.routes.get(topic)
        stalled = client.cluster.latency.stall(client.member.name, client.cluster.random)
        if client.broadcasting:
            if queues is None:
                yield from self._routeless(topic)
                return True
            share: tuple[MessageQueue, ...] | None = queues
        else:
            ids = yield from self._client_ids(topic)
            if queues is None:
                if not topic.startswith(RETRY_PREFIX):
                    yield from self._routeless(topic)
                return True
            if ids is None:
                return True
            share = self._share(topic, queues, ids)
        if share is None:
            return False
        yield Sleep(stalled)
        if (yield from self._apply(topic, share)):
            yield from self._changed(topic)
        return client.broadcasting or {queue for queue in client.owned if queue.topic == topic} == set(share)

    def _routeless(self, topic: str) -> Process[None]:
        if self._client.has(Feature.ROUTELESS_TOPIC_RAISES_VERSION):
            yield from self._changed(topic)

    def _client_ids(self, topic: str) -> Process[tuple[str, ...] | None]:
        """All ids of the group, from a random broker of the topic's route (`findConsumerIdList`)."""
        client = self._client
        if topic not in client.routes:
            yield from client.update_route(topic)
        queues = client.routes.get(topic)
        if not queues:
            return None
        broker = client.cluster.random.choice(sorted({queue.broker_name for queue in queues}))
        ids = yield from client.call(broker, lambda at, _: at.client_ids())
        return ids or None

    def _share(
        self, topic: str, queues: tuple[MessageQueue, ...], ids: tuple[str, ...]
    ) -> tuple[MessageQueue, ...] | None:
        """The queues this member should work on; None where the strategy throws or the broker does not know it."""
        client = self._client
        if not client.options.client_rebalance and not client.options.orderly and client.has(Feature.POP):
            if client.cluster.scenario.pop and not topic.startswith(RETRY_PREFIX):
                names = sorted({queue.broker_name for queue in queues})
                return tuple(MessageQueue(topic, name, POP_QUEUE) for name in names)
            if client.options.strategy not in BROKER_STRATEGIES:
                return None
        strategy = STRATEGIES[client.options.strategy]
        try:
            return allocate(
                strategy, client.client_id, in_queue_order(queues), in_client_order(ids), client.version
            )
        except AllocationError:
            return None

    def _apply(self, topic: str, share: tuple[MessageQueue, ...]) -> Process[bool]:
        """Drops and adds queues; whether anything changed."""
        client, changed = self._client, False
        now = client.cluster.agenda.now_us
        for queue in [queue for queue in client.owned if queue.topic == topic]:
            idle = now - client.owned[queue].last_pull_us > PULL_IDLE_MAX_US and client.raises_versions
            if queue not in share or idle:
                self._drop(queue)
                changed = True
        added: list[OwnedQueue] = []
        all_locked = True
        for queue in share:
            if queue in client.owned:
                continue
            locked = client.options.orderly and not (
                client.broadcasting and client.has(Feature.BROADCASTING_ORDERLY_NEEDS_NO_LOCK)
            )
            if locked and not (yield from self._lock(queue)):
                all_locked = False
                continue
            client.offsets.forget(queue)
            try:
                offset = 0 if queue.queue_id == POP_QUEUE else (yield from client.offsets.start_of(queue))
            except RemoteError:
                continue
            client.owned[queue] = OwnedQueue(queue, offset, client.cluster.agenda.now_us, locked=locked)
            added.append(client.owned[queue])
        delay = DISPATCH_DELAY_US if client.has(Feature.FIRST_PULL_DELAYED) else 0
        if not all_locked and delay:
            client.later(delay, client.wake_rebalance)
        for owned in added:
            client.later(delay, partial(client.pull, owned))
        if changed or added:
            client.cluster.note_share(client, topic)
        return changed or bool(added)

    def _changed(self, topic: str) -> Process[None]:
        """`messageQueueChanged` of push consumers: the version becomes now, and a heartbeat goes out at once."""
        client = self._client
        held = client.subscriptions.get(topic)
        if held is None or not client.raises_versions:
            return
        client.subscriptions[topic] = replace(held, version=client.now_ms)
        details = {"version": str(client.now_ms)}
        client.cluster.note(Kind.RAISE, client.member.name, topic=topic, details=details)
        yield from client.heartbeat(raised=True)

    def _drop(self, queue: MessageQueue) -> None:
        client = self._client
        owned = client.owned.pop(queue)
        owned.dropped = True
        client.offsets.persist(queue)
        client.offsets.forget(queue)
        if owned.locked and not client.broadcasting:
            self.unlock(queue)
        client.cluster.note_share(client, queue.topic)

    # orderly: a queue is read only under a lock that the broker gives to one client

    def _lock(self, queue: MessageQueue) -> Process[bool]:
        client = self._client
        try:
            return (yield from client.call(queue.broker_name, lambda at, _: at.lock(queue, client.client_id)))
        except RemoteError:
            return False

    def unlock(self, queue: MessageQueue) -> None:
        """One way."""
        client = self._client
        client.tell(queue.broker_name, lambda at, _: at.unlock(queue, client.client_id))

    def renew_locks(self) -> None:
        if not self._client.broadcasting:
            for owned in self._client.owned.values():
                self._client.spawn(self._renew(owned))

    def _renew(self, owned: OwnedQueue) -> Process[None]:
        owned.locked = yield from self._lock(owned.queue)


def hash_order(topic: str, salt: float) -> tuple[int, str]:
    """An order of topics that is arbitrary but fixed for a client, as that of its hash map."""
    value = round(salt * 2**32)
    for unit in topic:
        value = (value * 1_000_003 ^ ord(unit)) & 0xFFFFFFFF
    return value, topic

"""One client instance with one consumer: timers, heartbeats, rebalance; what it does with its queues is its kind's.

Mirrors: MQClientInstance, RebalanceService, RebalanceImpl and RebalancePushImpl of the client, 4.8.0 to 5.3.3.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from linter.broker.allocate import (
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
from linter.broker.filter import SubscriptionData, build_subscription, is_tag_type
from linter.broker.scenario import ConsumeFrom, Member, MessageModel, Subscription
from linter.broker.simulation.clock import MS, SECOND
from linter.broker.simulation.subscription import RETRY_PREFIX
from linter.broker.simulation.trace import Kind
from linter.broker.versions import Feature, Version, behaves

if TYPE_CHECKING:
    from linter.broker.simulation.broker import Broker
    from linter.broker.simulation.cluster import Cluster

T = TypeVar("T")

FIRST_HEARTBEAT_US: Final = 1 * SECOND
FIRST_PERSIST_US: Final = 10 * SECOND
FIRST_ROUTE_POLL_US: Final = 10 * MS
MIN_REBALANCE_INTERVAL_US: Final = 1 * SECOND
DISPATCH_DELAY_US: Final = 500 * MS
PULL_IDLE_MAX_US: Final = 120 * SECOND
LOCK_RENEWAL_US: Final = 20 * SECOND
DEFAULT_TOPIC_UNTIL: Final = Version(5, 0, 0)
"""Clients before it ask for the route of TBW102 too and so know all brokers, whatever they subscribe; recordings show
it of 4.8.0 and 4.9.8 and the opposite of 5.3.3."""
POP_QUEUE: Final = -1
"""The queue id that stands for all queues of a broker."""

Respond = Callable[[object], None]


class RemoteError(Exception):
    """A request was not answered: the broker is away, or the connection broke."""


@dataclass(frozen=True, slots=True)
class Sleep:
    """The process waits so long."""

    us: int


@dataclass(frozen=True, slots=True)
class Ask:
    """The process waits for a broker; the handler runs there and answers at once or later."""

    broker: str
    handler: "Callable[[Broker, str, Respond], None]"
    heartbeat: bool = False
    """Whether the broker's heartbeat threads do it: they may be late, and then come after what was sent later."""


Process = Generator[Sleep | Ask, None, T]


@dataclass(slots=True)
class OwnedQueue:
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


class Client(ABC):
    """What all consumers have in common."""

    passive = True
    """CONSUME_PASSIVELY in heartbeats: push consumers."""
    raises_versions = True
    """Whether a changed share raises the version and sends a heartbeat: push consumers only."""

    def __init__(self, cluster: "Cluster", member: Member, client_id: str, incarnation: int) -> None:
        self.cluster, self.member, self.client_id = cluster, member, client_id
        self.key = f"{member.name}#{incarnation}"
        self.version = cluster.scenario.version_of(member)
        self.options = member.options
        self.subscriptions: dict[str, SubscriptionData] = {}
        self.routes: dict[str, tuple[MessageQueue, ...]] = {}
        self.owned: dict[MessageQueue, OwnedQueue] = {}
        self.offsets: dict[MessageQueue, int] = {}
        self.connections: dict[str, str] = {}
        self.alive = True
        self.started = False
        self.frozen = False
        self.lost_heartbeats = 0
        self._backlog: list[Callable[[], None]] = []
        self._default_topic_known = False
        self._connected = 0
        self._heartbeating = False
        self._fingerprints: dict[str, object] = {}
        self._topic_order = cluster.random.random()
        self._rebalancing = False
        self._wanted = False
        self._last_rebalance_us = 0
        self._tick = 0
        for subscription in member.subscriptions:
            self.hold(subscription)

    # clock and processes

    @property
    def now_ms(self) -> int:
        """The member's own clock."""
        return self.cluster.agenda.now_us // MS + self.cluster.skew_ms.get(self.member.name, 0)

    def has(self, feature: Feature) -> bool:
        return behaves(feature, self.version)

    def later(self, delay_us: int, action: Callable[[], None]) -> None:
        """Does something in this process after a while: not if it is dead by then, after the thaw if frozen."""

        def act() -> None:
            if not self.alive:
                return
            if self.frozen:
                self._backlog.append(act)
            else:
                action()

        self.cluster.agenda.after(delay_us, act)

    def thaw(self) -> None:
        self.frozen = False
        waiting, self._backlog = self._backlog, []
        for action in waiting:
            self.cluster.agenda.after(0, action)

    def spawn(self, process: Process[object]) -> None:
        self._advance(process, None)

    def _advance(self, process: Process[object], error: RemoteError | None) -> None:
        if not self.alive:
            process.close()
            return
        try:
            effect = process.throw(error) if error is not None else next(process)
        except (StopIteration, RemoteError):
            return
        match effect:
            case Sleep(us):
                self.later(us, lambda: self._advance(process, None))
            case Ask():
                self.cluster.request(self, effect, lambda failed: self._advance(process, failed))

    def call(self, broker: str, work: "Callable[[Broker, str], T]", heartbeat: bool = False) -> Process[T]:
        """A request that the broker answers at once; `work` gets the broker and the channel."""
        box: list[T] = []

        def handle(at: "Broker", channel: str, respond: Respond) -> None:
            box.append(work(at, channel))
            respond(None)

        yield Ask(broker, handle, heartbeat)
        return box[0]

    def tell(self, broker: str, work: "Callable[[Broker, str], object]") -> None:
        """A one-way request; lost where the broker is away."""
        self.cluster.one_way(self, broker, work)

    def channel(self, broker: str) -> str:
        """The connection to a broker, a new one where there is none. `[>=5.2.0]` a new one sends a heartbeat."""
        if broker not in self.connections:
            self._connected += 1
            self.connections[broker] = f"{self.key}/{broker}/{self._connected}"
            if self.started and self.has(Feature.HEARTBEAT_ON_NEW_CONNECTION):
                self.later(self.cluster.one_way_us(), lambda: self.spawn(self._on_connection(broker)))
        return self.connections[broker]

    def _on_connection(self, broker: str) -> Process[None]:
        yield from self.heartbeat((broker,))
        self.wake_rebalance()

    # subscriptions

    def hold(self, subscription: Subscription) -> None:
        """`subscribe`: the last call for a topic wins, with a new version."""
        self.subscriptions[subscription.topic] = build_subscription(
            subscription.topic, subscription.expression, subscription.filter_type.value, self.now_ms
        )

    def subscribe(self, subscription: Subscription) -> None:
        self.hold(subscription)
        if self.started:
            self.spawn(self.heartbeat())

    def unsubscribe(self, topic: str) -> None:
        self.subscriptions.pop(topic, None)

    @property
    def broadcasting(self) -> bool:
        return self.member.model is MessageModel.BROADCASTING

    @property
    def checked_subscriptions(self) -> tuple[SubscriptionData, ...]:
        """What a broker is asked about before the start: everything that is not TAG."""
        return tuple(held for held in self.subscriptions.values() if not is_tag_type(held.expression_type))

    def refused(self) -> Process[str]:
        """MQClientInstance#checkClientInBroker: one random broker's verdict on every expression that is not TAG."""
        for held in self.checked_subscriptions:
            brokers = sorted({q.broker_name for q in self.routes.get(held.topic, ())})
            if brokers:
                reason = yield from self._check(self.cluster.random.choice(brokers), held)
                if reason:
                    return reason
        return ""

    def _check(self, broker: str, held: SubscriptionData) -> Process[str]:
        return (yield from self.call(broker, lambda at, _: at.check_client(held)))

    # start and stop

    def start(self) -> None:
        self.started = True
        self._last_rebalance_us = self.cluster.agenda.now_us  # the instance is created now
        delay = self.cluster.latency.spin_up(self.cluster.random)
        self.later(delay, lambda: self.spawn(self._start()))

    @abstractmethod
    def _start(self) -> Process[None]: ...

    def start_timers(self) -> None:
        """MQClientInstance#start: everything periodic."""
        timing = self.cluster.scenario.timing
        self._every(FIRST_HEARTBEAT_US, timing.heartbeat_ms * MS, lambda: self.spawn(self.heartbeat()))
        self._every(FIRST_ROUTE_POLL_US, timing.route_poll_ms * MS, self.poll_routes)
        self._every(FIRST_PERSIST_US, timing.persist_ms * MS, self.persist_all)
        if self.options.orderly:
            self._every(FIRST_HEARTBEAT_US, LOCK_RENEWAL_US, self._renew_locks)
        self._schedule_tick(timing.rebalance_ms * MS)

    def _every(self, first_us: int, then_us: int, action: Callable[[], None]) -> None:
        def again() -> None:
            self.later(then_us, again)
            action()

        self.later(first_us, again)

    def stop(self) -> None:
        """Orderly shutdown: persist, unregister at all brokers, close the connections."""
        self.persist_all()
        for owned in self.owned.values():
            owned.dropped = True
            if owned.locked:
                self._unlock(owned.queue)
        for broker in sorted(self.connections):
            self.tell(broker, lambda at, channel: at.unregister(channel))
        self.alive = False
        self.cluster.close_connections(self)

    def kill(self) -> None:
        self.alive = False
        self.cluster.close_connections(self)

    # routes

    def poll_routes(self) -> None:
        self.spawn(self._poll_routes())

    def _poll_routes(self) -> Process[None]:
        for topic in tuple(self.subscriptions):
            yield from self.update_route(topic)
        self._default_topic_known = self.version < DEFAULT_TOPIC_UNTIL

    def update_route(self, topic: str) -> Process[None]:
        """Asks the name server; a topic it does not know leaves things as they are."""
        yield Sleep(self.cluster.rpc_us())
        queues = self.cluster.route(topic)
        if queues:
            self.routes[topic] = queues

    @property
    def brokers(self) -> tuple[str, ...]:
        """The brokers this client knows: those of its topics' routes."""
        if self._default_topic_known:
            return self.cluster.scenario.brokers
        return tuple(sorted({queue.broker_name for queues in self.routes.values() for queue in queues}))

    # heartbeat

    def heartbeat(self, to: tuple[str, ...] | None = None, full: bool = False) -> Process[None]:
        """To all known brokers, or to those given; dropped where another one is in progress (`tryLock`)."""
        if self._heartbeating:
            why = "another is in progress"
            self.cluster.note(
                Kind.HEARTBEAT_DROPPED, self.member.name, details={"why": why, "raised": str(full)}
            )
            return
        if self.lost_heartbeats:
            self.lost_heartbeats -= 1
            self.cluster.note(Kind.HEARTBEAT_DROPPED, self.member.name, details={"why": "lost on the way"})
            return
        self._heartbeating = True
        if full:
            self._fingerprints.clear()
        try:
            for broker in to if to is not None else self.brokers:
                try:
                    yield from self._heartbeat_one(broker)
                except RemoteError:
                    continue
        finally:
            self._heartbeating = False

    def _heartbeat_one(self, broker: str) -> Process[None]:
        held = tuple(self.subscriptions[topic] for topic in sorted(self.subscriptions))
        if not self.options.heartbeat_v2 or not self.has(Feature.HEARTBEAT_V2):
            yield from self.call(broker, lambda at, channel: at.heartbeat(self, channel, held, None), True)
            return
        # V2: the subscriptions are left out where the broker has seen this fingerprint from us
        fingerprint = frozenset((one.topic, one.expression_type, one.text) for one in held)
        sent = None if self._fingerprints.get(broker) == fingerprint else held
        changed = yield from self.call(
            broker, lambda at, channel: at.heartbeat(self, channel, sent, fingerprint), True
        )
        if changed is None:  # a broker that does not know V2
            return
        self._fingerprints[broker] = fingerprint
        if changed:
            self._fingerprints.pop(broker)

    # rebalance

    def wake_rebalance(self) -> None:
        """Wakes the rebalance thread; during a run one more run follows."""
        if not self.started:
            return
        if self._rebalancing:
            self._wanted = True
            return
        self._tick += 1  # whatever was scheduled is replaced
        wait = 0
        if self.has(Feature.REBALANCE_PACED):
            wait = self._last_rebalance_us + MIN_REBALANCE_INTERVAL_US - self.cluster.agenda.now_us
        if wait > 0:
            self._schedule_tick(wait)
        else:
            self.spawn(self._rebalance_run())

    def _schedule_tick(self, delay_us: int) -> None:
        self._tick += 1
        tick = self._tick

        def due() -> None:
            if tick == self._tick and not self._rebalancing:
                self.spawn(self._rebalance_run())

        self.later(delay_us, due)

    def _rebalance_run(self) -> Process[None]:
        self._rebalancing = True
        self._tick += 1
        self.cluster.note(Kind.REBALANCE, self.member.name)
        balanced = yield from self._rebalance_all()
        self._rebalancing = False
        self._last_rebalance_us = self.cluster.agenda.now_us
        wait = self.cluster.scenario.timing.rebalance_ms * MS
        if self.has(Feature.REBALANCE_PACED) and not balanced:
            wait = MIN_REBALANCE_INTERVAL_US
        self._schedule_tick(wait)
        if self._wanted:
            self._wanted = False
            self.wake_rebalance()

    def _rebalance_all(self) -> Process[bool]:
        balanced = True
        for topic in sorted(self.subscriptions, key=lambda t: hash_order(t, self._topic_order)):
            try:
                balanced = (yield from self._rebalance_topic(topic)) and balanced
            except RemoteError:
                balanced = False
        for queue in [q for q in self.owned if q.topic not in self.subscriptions]:
            self._drop(queue)  # truncateMessageQueueNotMyTopic
        return balanced

    def _rebalance_topic(self, topic: str) -> Process[bool]:
        queues = self.routes.get(topic)
        stalled = self.cluster.latency.stall(self.member.name, self.cluster.random)
        if self.broadcasting:
            if queues is None:
                yield from self._routeless(topic)
                return True
            yield Sleep(stalled)
            changed = yield from self._apply(topic, queues)
            if changed:
                yield from self.share_changed(topic)
            return True
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
            yield from self.share_changed(topic)
        return {q for q in self.owned if q.topic == topic} == set(share)

    def _routeless(self, topic: str) -> Process[None]:
        if self.has(Feature.ROUTELESS_TOPIC_RAISES_VERSION):
            yield from self.share_changed(topic)

    def _share(
        self, topic: str, queues: tuple[MessageQueue, ...], ids: tuple[str, ...]
    ) -> tuple[MessageQueue, ...] | None:
        """The queues this member should work on; None where the strategy throws or the broker does not know it."""
        if not self.options.client_rebalance and not self.options.orderly and self.has(Feature.POP):
            if self.cluster.scenario.pop and not topic.startswith(RETRY_PREFIX):
                names = sorted({queue.broker_name for queue in queues})
                return tuple(MessageQueue(topic, name, POP_QUEUE) for name in names)
            if self.options.strategy not in ("AVG", "AVG_BY_CIRCLE"):
                return None  # the broker allocates by name and knows only these
        try:
            return allocate(
                STRATEGIES[self.options.strategy],
                self.client_id,
                in_queue_order(queues),
                in_client_order(ids),
                self.version,
            )
        except AllocationError:
            return None

    def _client_ids(self, topic: str) -> Process[tuple[str, ...] | None]:
        """All ids of the group, from a random broker of the topic's route (`findConsumerIdList`)."""
        if topic not in self.routes:
            yield from self.update_route(topic)
        queues = self.routes.get(topic)
        if not queues:
            return None
        broker = self.cluster.random.choice(sorted({queue.broker_name for queue in queues}))
        ids = yield from self.call(broker, lambda at, _: at.client_ids())
        return ids or None

    def _apply(self, topic: str, share: tuple[MessageQueue, ...]) -> Process[bool]:
        """Drops and adds queues (`updateProcessQueueTableInRebalance`); whether anything changed."""
        changed = False
        now = self.cluster.agenda.now_us
        for queue in [q for q in self.owned if q.topic == topic]:
            expired = now - self.owned[queue].last_pull_us > PULL_IDLE_MAX_US and self.raises_versions
            if queue not in share or expired:
                self._drop(queue)
                changed = True
        added: list[OwnedQueue] = []
        all_locked = True
        for queue in share:
            if queue in self.owned:
                continue
            locked = False
            if self.options.orderly and not self.broadcasting:
                locked = yield from self._lock(queue)
                if not locked:
                    all_locked = False
                    continue
            self.offsets.pop(queue, None)
            try:
                offset = 0 if queue.queue_id == POP_QUEUE else (yield from self._start_offset(queue))
            except RemoteError:
                continue
            owned = OwnedQueue(queue, offset, self.cluster.agenda.now_us, locked=locked)
            self.owned[queue] = owned
            added.append(owned)
            changed = True
        if not all_locked and self.has(Feature.FIRST_PULL_DELAYED):
            self.later(DISPATCH_DELAY_US, self.wake_rebalance)
        delay = DISPATCH_DELAY_US if self.has(Feature.FIRST_PULL_DELAYED) else 0
        for owned in added:
            self.later(delay, partial(self.pull, owned))
        if changed:
            self.cluster.note_share(self, topic)
        return changed

    def share_changed(self, topic: str) -> Process[None]:
        """RebalancePushImpl#messageQueueChanged: the version becomes now, and a heartbeat goes out at once."""
        held = self.subscriptions.get(topic)
        if held is None or not self.raises_versions:
            return
        self.subscriptions[topic] = replace(held, version=self.now_ms)
        self.cluster.note(Kind.RAISE, self.member.name, topic=topic, details={"version": str(self.now_ms)})
        yield from self.heartbeat(full=True)

    def _drop(self, queue: MessageQueue) -> None:
        owned = self.owned.pop(queue)
        owned.dropped = True
        self._persist(queue)
        self.offsets.pop(queue, None)
        if owned.locked:
            self._unlock(queue)
        self.cluster.note_share(self, queue.topic)

    # offsets

    def _start_offset(self, queue: MessageQueue) -> Process[int]:
        """Where a queue that was just taken over begins (RebalancePushImpl#computePullFromWhere)."""
        name, retry = queue.broker_name, queue.topic.startswith(RETRY_PREFIX)
        if self.broadcasting:
            stored: int | None = self.cluster.local_offsets.get((self.client_id, queue))
        else:
            stored = yield from self.call(name, lambda at, _: at.query_offset(queue))
        if stored is None:
            match self.options.consume_from:
                case ConsumeFrom.LAST if retry:
                    stored = 0
                case ConsumeFrom.TIMESTAMP if not retry:
                    stored = 0  # half an hour back: before everything a scenario sends
                case ConsumeFrom.FIRST:
                    stored = 0
                case _:
                    stored = yield from self.call(name, lambda at, _: at.log(queue).end)
        else:
            self.offsets[queue] = stored
        return stored

    def commit_locally(self, queue: MessageQueue, offset: int) -> None:
        """The consume offset this client knows; it never goes back."""
        if offset > self.offsets.get(queue, -1):
            self.offsets[queue] = offset

    def persist_all(self) -> None:
        for queue in tuple(self.offsets):
            if queue in self.owned:
                self._persist(queue)
            else:
                self.offsets.pop(queue)

    def _persist(self, queue: MessageQueue) -> None:
        offset = self.offsets.get(queue)
        if offset is None:
            return
        if self.broadcasting:
            self.cluster.local_offsets[(self.client_id, queue)] = offset
        else:
            self.tell(queue.broker_name, lambda at, _: at.commit(queue, offset))

    # orderly

    def _lock(self, queue: MessageQueue) -> Process[bool]:
        try:
            return (yield from self.call(queue.broker_name, lambda at, _: at.lock(queue, self.client_id)))
        except RemoteError:
            return False

    def _unlock(self, queue: MessageQueue) -> None:
        self.tell(queue.broker_name, lambda at, _: at.unlock(queue, self.client_id))

    def _renew_locks(self) -> None:
        for owned in self.owned.values():
            if not self.broadcasting:
                self.spawn(self._renew(owned))

    def _renew(self, owned: OwnedQueue) -> Process[None]:
        owned.locked = yield from self._lock(owned.queue)

    @abstractmethod
    def pull(self, owned: OwnedQueue) -> None:
        """Begins to read a queue; goes on by itself until the queue is dropped."""


STRATEGIES: Final[dict[str, Strategy]] = {
    "AVG": Averagely(),
    "AVG_BY_CIRCLE": AveragelyByCircle(),
    "CONSISTENT_HASH": ConsistentHash(),
}


def hash_order(topic: str, salt: float) -> tuple[int, str]:
    """An order of topics that is arbitrary but fixed for a client, as that of its hash map."""
    value = round(salt * 2**32)
    for unit in topic:
        value = (value * 1_000_003 ^ ord(unit)) & 0xFFFFFFFF
    return value, topic

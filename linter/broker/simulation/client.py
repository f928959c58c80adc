"""One client instance with one consumer: processes, connections, subscriptions, timers, routes and heartbeats.

What it does with its queues is the business of its kind. Mirrors: MQClientInstance of the client, RocketMQ 4.8.0 to
5.3.3.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from subdrift.linter.broker.allocate import MessageQueue
from subdrift.linter.broker.filter import SubscriptionData, build_subscription, is_tag_type
from subdrift.linter.broker.scenario import Member
from subdrift.linter.broker.simulation.clock import MS, SECOND
from subdrift.linter.broker.simulation.offsets import OffsetStore
from subdrift.linter.broker.simulation.process import Ask, Process, RemoteError, Respond, Sleep
from subdrift.linter.broker.simulation.pull import PullAnswer, PullRequest
from subdrift.linter.broker.simulation.rebalance import OwnedQueue, Rebalance
from subdrift.linter.broker.simulation.trace import Kind
from subdrift.linter.broker.versions import Feature, Version, behaves
from subdrift.linter.broker.vocabulary import MessageModel, Subscription

if TYPE_CHECKING:
    from subdrift.linter.broker.simulation.broker import Broker
    from subdrift.linter.broker.simulation.cluster import Cluster

T = TypeVar("T")

FIRST_HEARTBEAT_US: Final = 1 * SECOND
FIRST_PERSIST_US: Final = 10 * SECOND
FIRST_ROUTE_POLL_US: Final = 10 * MS
LOCK_RENEWAL_US: Final = 20 * SECOND
DEFAULT_TOPIC_UNTIL: Final = Version(5, 0, 0)
"""Clients before it ask for the route of TBW102 too and so know all brokers, whatever they subscribe; recordings show
it of 4.8.0 and 4.9.8 and the opposite of 5.3.3."""


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
        self.offsets = OffsetStore(self)
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
        self.rebalance = Rebalance(self)
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

    def answer(self, request: PullRequest) -> Process[PullAnswer]:
        """What the broker answers to a pull, when it does; raises RemoteError where it is gone by then."""
        box: list[PullAnswer] = []

        def handle(at: "Broker", channel: str, respond: Respond) -> None:
            def answered(answer: PullAnswer) -> None:
                box.append(answer)
                respond(None)

            at.pulls.pull(self, channel, request, answered)

        yield Ask(request.queue.broker_name, handle)
        return box[0]

    # start and stop

    def start(self) -> None:
        self.started = True
        self.rebalance.created()
        delay = self.cluster.latency.spin_up(self.cluster.random)
        self.later(delay, lambda: self.spawn(self._start()))

    @abstractmethod
    def _start(self) -> Process[None]: ...

    def start_timers(self) -> None:
        """MQClientInstance#start: everything periodic."""
        timing = self.cluster.scenario.timing
        self._every(FIRST_HEARTBEAT_US, timing.heartbeat_ms * MS, lambda: self.spawn(self.heartbeat()))
        self._every(FIRST_ROUTE_POLL_US, timing.route_poll_ms * MS, self.poll_routes)
        self._every(FIRST_PERSIST_US, timing.persist_ms * MS, self.offsets.persist_all)
        if self.options.orderly:
            self._every(FIRST_HEARTBEAT_US, LOCK_RENEWAL_US, self.rebalance.renew_locks)
        self.rebalance.schedule(timing.rebalance_ms * MS)

    def _every(self, first_us: int, then_us: int, action: Callable[[], None]) -> None:
        def again() -> None:
            self.later(then_us, again)
            action()

        self.later(first_us, again)

    def stop(self) -> None:
        """Orderly shutdown: persist, unregister at all brokers, close the connections."""
        self.offsets.persist_all()
        for owned in self.owned.values():
            owned.dropped = True
            if owned.locked and not self.broadcasting:
                self.rebalance.unlock(owned.queue)
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

    def heartbeat(self, to: tuple[str, ...] | None = None, raised: bool = False) -> Process[None]:
        """To all known brokers, or to those given; dropped where another one is in progress (`tryLock`)."""
        if self._heartbeating:
            why = "another is in progress"
            self.cluster.note(
                Kind.HEARTBEAT_DROPPED, self.member.name, details={"why": why, "raised": str(raised)}
            )
            return
        if self.lost_heartbeats:
            self.lost_heartbeats -= 1
            self.cluster.note(Kind.HEARTBEAT_DROPPED, self.member.name, details={"why": "lost on the way"})
            return
        self._heartbeating = True
        if raised:
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

    # what the kinds do

    def wake_rebalance(self) -> None:
        """Wakes the rebalance thread; a member that is not started has none."""
        if self.started:
            self.rebalance.wake()

    @abstractmethod
    def pull(self, owned: OwnedQueue) -> None:
        """Begins to read a queue; goes on by itself until the queue is dropped."""

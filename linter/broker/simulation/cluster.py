"""The whole cluster as one step function: brokers, name server, network, clients, and the faults done to them.

A cluster changes only in `step`, `apply` and `send`; two clusters of one scenario and seed, treated alike, have the
same history.
"""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Final, assert_never

from msgspec import Struct

from subdrift.linter.broker.allocate import MessageQueue, in_queue_order
from subdrift.linter.broker.scenario import Member, Message, Scenario
from subdrift.linter.broker.simulation import faults
from subdrift.linter.broker.simulation.broker import Broker
from subdrift.linter.broker.simulation.client import Client
from subdrift.linter.broker.simulation.clock import MS, Agenda
from subdrift.linter.broker.simulation.gateway import GrpcConsumer
from subdrift.linter.broker.simulation.latency import Latency
from subdrift.linter.broker.simulation.lite_pull import LitePullConsumer, PullConsumer
from subdrift.linter.broker.simulation.process import Ask, RemoteError
from subdrift.linter.broker.simulation.push import PushConsumer
from subdrift.linter.broker.simulation.store import StoredMessage
from subdrift.linter.broker.simulation.subscription import RETRY_TOPIC, wants
from subdrift.linter.broker.simulation.trace import Kind, TraceEvent
from subdrift.linter.broker.vocabulary import ClientKind, Subscription

ROUTE_REGISTRATION_US: Final = 5 * MS
"""From a new topic on a broker to its route at the name server."""


class Delivery(Struct, frozen=True):
    """A listener received a message."""

    at_ms: int
    message: str
    member: str
    topic: str
    queue: int
    """Where it was read: for a retried message a queue of the retry topic."""
    offset: int
    reconsume: int
    ok: bool
    """Whether the listener accepted it."""


class Cluster:
    """One group on a cluster, at rest at time 0: topics exist, no client runs."""

    def __init__(self, scenario: Scenario, seed: int = 0, latency: Latency | None = None) -> None:
        self.scenario = scenario
        self.random = Random(seed)
        self.latency = latency or Latency()
        self.agenda = Agenda()
        self.trace: list[TraceEvent] = []
        self.deliveries: list[Delivery] = []
        self.start_errors: dict[str, str] = {}
        self.clients: dict[str, Client] = {}
        self.ids: dict[str, str] = client_ids(scenario)
        self.skew_ms: dict[str, int] = {m.name: m.clock_offset_s * 1000 for m in scenario.members}
        self.local_offsets: dict[tuple[str, MessageQueue], int] = {}
        self.last_share_change_us = 0
        self._wanted: dict[str, frozenset[str]] = {}
        self._topics: dict[tuple[str, str], int] = {}
        self._routes: dict[tuple[str, str], int] = {}
        self._incarnations: dict[str, int] = {}
        self._channels: dict[str, Client] = {}
        self._waiting: dict[int, tuple[Client, str, Callable[[RemoteError | None], None]]] = {}
        self._requests = 0
        self.brokers: dict[str, Broker] = {name: Broker(self, name) for name in scenario.brokers}
        for topic, count in scenario.topics:
            for name in scenario.brokers:
                self._topics[topic, name] = self._routes[topic, name] = count // len(scenario.brokers)

    # time

    @property
    def now_ms(self) -> int:
        return self.agenda.now_us // MS

    def one_way_us(self) -> int:
        return self.latency.draw(self.latency.one_way_us, self.random)

    def rpc_us(self) -> int:
        return self.one_way_us() + self.one_way_us()

    def step(self) -> tuple[TraceEvent, ...]:
        """Lets the next thing happen and returns what is to be told of it; timers never run out."""
        before = len(self.trace)
        self.agenda.take()()
        return tuple(self.trace[before:])

    def run(self, duration_ms: int) -> None:
        """Lets everything happen that is due within a time, and moves the clock to its end."""
        self.run_us(duration_ms * MS)

    def run_us(self, duration_us: int) -> None:
        """The same for microseconds."""
        end = self.agenda.now_us + duration_us
        while (due := self.agenda.next_us) is not None and due <= end:
            self.agenda.take()()
        self.agenda.now_us = end

    # topics and messages

    def queues_on(self, broker: str, topic: str) -> int:
        """How many queues the broker has of a topic, 0 if it does not know it."""
        return self._topics.get((topic, broker), 0)

    def create_topic(self, broker: str, topic: str, count: int) -> bool:
        """Creates a topic on a broker unless it exists; clients find it a little later."""
        if (topic, broker) in self._topics:
            return False
        self._set_queues(broker, topic, count)
        return True

    def _set_queues(self, broker: str, topic: str, count: int) -> None:
        self._topics[topic, broker] = count

        def registered() -> None:
            self._routes[topic, broker] = count

        self.agenda.after(ROUTE_REGISTRATION_US, registered)

    def route(self, topic: str) -> tuple[MessageQueue, ...]:
        """The queues of a topic as the name server lists them, none if it does not know the topic."""
        return tuple(
            MessageQueue(topic, broker, queue_id)
            for (name, broker), count in sorted(self._routes.items())
            if name == topic
            for queue_id in range(count)
        )

    def position(self, queue: MessageQueue) -> int:
        """The place of a queue among all queues of its topic; -1 for the pseudo queue of POP."""
        if queue.queue_id < 0:
            return -1
        before = sum(
            count
            for (topic, broker), count in self._topics.items()
            if topic == queue.topic and broker < queue.broker_name
        )
        return before + queue.queue_id

    def queues(self, topic: str) -> tuple[MessageQueue, ...]:
        """All queues of a topic in their order, whatever clients know of them."""
        return tuple(
            in_queue_order(
                MessageQueue(topic, broker, queue_id)
                for (name, broker), count in self._topics.items()
                if name == topic
                for queue_id in range(count)
            )
        )

    def send(self, message: Message) -> None:
        """The message is stored in its queue at once."""
        stored = StoredMessage(message.id, message.topic, message.tag, message.properties, message.size)
        queue = self.queues(message.topic)[message.queue]
        if any(client.alive for client in self.clients.values()):
            self._wanted[message.id] = self.wanting(stored)
        self.brokers[queue.broker_name].append(queue, stored)

    def wanted_by(self, message: StoredMessage) -> frozenset[str]:
        """Members whose own subscription matched when it was sent; if there were none at all, those of now."""
        wanted = self._wanted.get(message.id)
        return self.wanting(message) if wanted is None else wanted

    def wanting(self, message: StoredMessage) -> frozenset[str]:
        """Members whose own subscription matches a message now."""
        return frozenset(
            name
            for name, client in self.clients.items()
            if client.alive
            and (held := client.subscriptions.get(message.topic)) is not None
            and wants(held, message, self.scenario.broker_version)
        )

    # network

    def request(self, client: Client, ask: Ask, resume: Callable[[RemoteError | None], None]) -> None:
        """Sends a request; `resume` runs in the client when it is answered, or with an error."""
        channel = client.channel(ask.broker)
        self._channels[channel] = client
        self._requests += 1
        number = self._requests
        self._waiting[number] = (client, channel, resume)

        def answered(_: object) -> None:
            if self._waiting.pop(number, None) is not None:
                client.later(self.one_way_us(), lambda: resume(None))

        def arrives() -> None:
            broker = self.brokers[ask.broker]
            if number not in self._waiting:
                return
            if not broker.up:
                self._fail(number)
                return
            ask.handler(broker, channel, answered)

        busy = self.latency.stall(ask.broker, self.random) if ask.heartbeat else 0
        self.agenda.after(self.one_way_us() + busy, arrives)

    def _fail(self, number: int) -> None:
        client, channel, resume = self._waiting.pop(number)
        self._channels.pop(channel, None)
        if client.connections.get(_broker_of(channel)) == channel:
            del client.connections[_broker_of(channel)]
        client.later(self.one_way_us(), lambda: resume(RemoteError(channel)))

    def one_way(self, client: Client, broker: str, work: Callable[[Broker, str], object]) -> None:
        """Sends something that is not answered; it arrives even if the client dies meanwhile."""
        channel = client.channel(broker)
        self._channels[channel] = client

        def arrives() -> None:
            if self.brokers[broker].up:
                work(self.brokers[broker], channel)

        self.agenda.after(self.one_way_us(), arrives)

    def notify(self, channel: str) -> None:
        """The broker's word that the group changed reaches a client, if it is still there."""
        client = self._channels.get(channel)
        if client is not None:
            client.later(self.one_way_us(), client.wake_rebalance)

    def close_connections(self, client: Client) -> None:
        """A process ends: its brokers see the connections close, after what was sent before."""
        for broker, channel in sorted(client.connections.items()):
            self.agenda.after(2 * self.latency.one_way_us, partial(self._closed, broker, channel))
            self._channels.pop(channel, None)
        client.connections.clear()

    def _closed(self, broker: str, channel: str) -> None:
        if self.brokers[broker].up:
            self.brokers[broker].closed(channel)

    def break_channel(self, channel: str) -> None:
        """A broker gives a connection up; what waits on it fails in the client."""
        client = self._channels.pop(channel, None)
        if client is not None and client.connections.get(_broker_of(channel)) == channel:
            del client.connections[_broker_of(channel)]
        for number in [n for n, (_, used, _) in self._waiting.items() if used == channel]:
            self._fail(number)

    # what clients report

    def note(
        self,
        kind: Kind,
        member: str = "",
        broker: str = "",
        topic: str = "",
        queue: MessageQueue | None = None,
        details: Mapping[str, str] | None = None,
    ) -> None:
        """Adds to the trace."""
        position = -1
        if queue is not None:
            topic, broker, position = queue.topic, queue.broker_name, self.position(queue)
        self.trace.append(
            TraceEvent(self.now_ms, kind, member, broker, topic, position, tuple((details or {}).items()))
        )

    def note_share(self, client: Client, topic: str) -> None:
        """A member's share changed; changes of the retry topic do not keep a group from being settled."""
        if topic != RETRY_TOPIC:
            self.last_share_change_us = self.agenda.now_us
        queues = ",".join(map(str, self.share(client, topic)))
        self.note(Kind.SHARE, client.member.name, topic=topic, details={"queues": queues})

    def share(self, client: Client, topic: str) -> tuple[int, ...]:
        """Positions of the queues a client works on."""
        return tuple(sorted(self.position(queue) for queue in client.owned if queue.topic == topic))

    def delivered(
        self, client: Client, queue: MessageQueue, offset: int, message: StoredMessage, ok: bool
    ) -> None:
        name = client.member.name
        self.deliveries.append(
            Delivery(
                self.now_ms,
                message.id,
                name,
                message.topic,
                self.position(queue),
                offset,
                message.reconsume,
                ok,
            )
        )
        details = {
            "message": message.id,
            "offset": str(offset),
            "reconsume": str(message.reconsume),
            "ok": str(ok),
        }
        self.note(Kind.DELIVERED, name, queue=queue, details=details)

    def start_failed(self, client: Client, reason: str) -> None:
        self.start_errors[client.member.name] = reason
        self.note(Kind.START_FAILED, client.member.name, details={"why": reason})

    def name_of(self, client_id: str) -> str:
        """Whose id it is; the first member's where several share it."""
        return next(name for name, known in self.ids.items() if known == client_id)

    # faults

    def apply(self, fault: faults.Fault) -> None:
        """Does something to the cluster; what makes no sense in its state (to stop what does not run) does nothing."""
        match fault:
            case faults.Create(name):
                self._create(name)
            case faults.Start(name):
                self._start(name)
            case faults.Stop(name):
                if (client := self._running(name)) and not client.frozen:
                    client.stop()
            case faults.Kill(name):
                if client := self._running(name):
                    client.kill()
            case faults.Freeze(name):
                if client := self._running(name):
                    client.frozen = True
            case faults.Thaw(name):
                if client := self._running(name):
                    client.thaw()
            case faults.SkewClock(name, ahead_ms):
                self.skew_ms[name] = ahead_ms
            case faults.LoseHeartbeats(name, count):
                if client := self._running(name):
                    client.lost_heartbeats += count
            case faults.BreakConnections(name):
                if client := self._running(name):
                    self._break(client)
            case faults.RestartBroker(broker, down_ms):
                self._restart(self.brokers[broker], down_ms)
            case faults.Subscribe(name, subscription):
                self._subscribe(name, subscription)
            case faults.Unsubscribe(name, topic):
                if client := self._running(name):
                    client.unsubscribe(topic)
            case faults.AddQueues(topic, broker, count):
                if (topic, broker) in self._topics:
                    self._set_queues(broker, topic, self._topics[topic, broker] + count)
            case _:
                assert_never(fault)

    def _running(self, name: str) -> Client | None:
        client = self.clients.get(name)
        return client if client is not None and client.alive and client.started else None

    def _create(self, name: str) -> Client:
        known = self.clients.get(name)
        if known is not None and known.alive:
            return known
        self._incarnations[name] = self._incarnations.get(name, 0) + 1
        member = self.scenario.member(name)
        self.clients[name] = make_client(self, member, self.ids[name], self._incarnations[name])
        return self.clients[name]

    def _start(self, name: str) -> None:
        client = self._create(name)
        if not client.started:
            client.later(self.latency.draw(self.latency.start_us, self.random), client.start)

    def _subscribe(self, name: str, subscription: Subscription) -> None:
        client = self.clients.get(name)
        if client is not None and client.alive:
            client.subscribe(subscription)

    def _break(self, client: Client) -> None:
        for broker, channel in sorted(client.connections.items()):
            self.break_channel(channel)
            self.agenda.after(self.one_way_us(), partial(self._closed, broker, channel))

    def _restart(self, broker: Broker, down_ms: int) -> None:
        if not broker.up:
            return
        broker.shut_down()
        cut = sorted(channel for channel in self._channels if _broker_of(channel) == broker.name)
        for channel in cut:
            self.break_channel(channel)
        self.agenda.after(down_ms * MS, broker.boot)


def _broker_of(channel: str) -> str:
    return channel.split("/")[1]


def client_ids(scenario: Scenario) -> dict[str, str]:
    """The client ids that the scenario gives, else ids that sort as it says; those members that share one get that of the
    first of them.

    CONSISTENT_HASH looks at the ids themselves, so its shares are those of these ids only.
    """
    given = {one.name: one.client_id for one in scenario.members}
    if all(given.values()) and not scenario.same_client_id:
        return {name: given[name] or "" for name in scenario.id_order}
    ids = {}
    for name in scenario.id_order:
        owner = scenario.same_client_id[0] if name in scenario.same_client_id else name
        ids[name] = f"{scenario.id_order.index(owner):03d}-{owner}"
    return ids


def make_client(cluster: Cluster, member: Member, client_id: str, incarnation: int) -> Client:
    """The client class for a member's kind."""
    match member.kind:
        case ClientKind.PUSH:
            return PushConsumer(cluster, member, client_id, incarnation)
        case ClientKind.LITE_PULL:
            return LitePullConsumer(cluster, member, client_id, incarnation)
        case ClientKind.PULL:
            return PullConsumer(cluster, member, client_id, incarnation)
        case ClientKind.GRPC:
            return GrpcConsumer(cluster, member, client_id, incarnation)
        case _:
            assert_never(member.kind)

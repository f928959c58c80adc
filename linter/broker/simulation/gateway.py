"""A 5.x client that talks gRPC to a proxy in the broker's process: it pops with its own filter.

Mirrors: ClientActivity#reportClientSettings and the POP path of the proxy in local mode, RocketMQ 5.3.3; from the
source, no recording shows it.
"""

from typing import TYPE_CHECKING

from subdrift.linter.broker.allocate import MessageQueue
from subdrift.linter.broker.scenario import Member
from subdrift.linter.broker.simulation.client import Client
from subdrift.linter.broker.simulation.clock import MS, SECOND
from subdrift.linter.broker.simulation.listener import Listener
from subdrift.linter.broker.simulation.pop import PopLoop
from subdrift.linter.broker.simulation.process import Process
from subdrift.linter.broker.simulation.rebalance import POP_QUEUE, OwnedQueue

if TYPE_CHECKING:
    from subdrift.linter.broker.simulation.cluster import Cluster

SETTINGS_US = 5 * 60 * SECOND
"""How often the settings, and with them the subscriptions, are reported again."""


class GrpcConsumer(Client):
    """Its settings register it beside remoting members and tell nobody; its heartbeats only refresh the connection."""

    raises_versions = False

    def __init__(self, cluster: "Cluster", member: Member, client_id: str, incarnation: int) -> None:
        super().__init__(cluster, member, client_id, incarnation)
        self._pop = PopLoop(self, Listener(self))

    def _start(self) -> Process[None]:
        for topic in tuple(self.subscriptions):
            yield from self.update_route(topic)
        self._settings()
        heartbeat_us = self.cluster.scenario.timing.heartbeat_ms * MS
        self._every(heartbeat_us, heartbeat_us, self._refresh)
        self._every(SETTINGS_US, SETTINGS_US, self._settings)
        for topic in tuple(self.subscriptions):
            for broker in sorted({q.broker_name for q in self.routes.get(topic, ())}):
                queue = MessageQueue(topic, broker, POP_QUEUE)
                self.owned[queue] = OwnedQueue(queue, 0, self.cluster.agenda.now_us)
                self.pull(self.owned[queue])
            self.cluster.note_share(self, topic)

    def _settings(self) -> None:
        held = tuple(self.subscriptions[topic] for topic in sorted(self.subscriptions))
        for broker in self.brokers:
            self.tell(broker, lambda at, channel: at.register(self, channel, held, notify=False))

    def _refresh(self) -> None:
        for broker in self.brokers:
            self.tell(broker, lambda at, channel: at.register(self, channel, None, notify=False))

    def wake_rebalance(self) -> None:
        """The proxy has no rebalance."""

    def pull(self, owned: OwnedQueue) -> None:
        self._pop.run(owned)

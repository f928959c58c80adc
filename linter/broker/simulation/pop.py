"""POP at a client: it asks for messages of a topic again and again, whichever queue they are in.

Mirrors: DefaultMQPushConsumerImpl#popMessage of the client, RocketMQ 5.3.3.
"""

from typing import TYPE_CHECKING, Final

from subdrift.linter.broker.allocate import MessageQueue
from subdrift.linter.broker.filter import SubscriptionData, client_keeps
from subdrift.linter.broker.simulation.client import Client
from subdrift.linter.broker.simulation.clock import SECOND
from subdrift.linter.broker.simulation.listener import Listener
from subdrift.linter.broker.simulation.pop_processor import Popped
from subdrift.linter.broker.simulation.process import Ask, Process, RemoteError, Respond
from subdrift.linter.broker.simulation.rebalance import OwnedQueue
from subdrift.linter.broker.simulation.store import StoredMessage

if TYPE_CHECKING:
    from subdrift.linter.broker.simulation.broker import Broker

RETRY_AFTER_ERROR_US: Final = 3 * SECOND


class PopLoop:
    """Pops one topic at one broker again and again."""

    def __init__(self, client: "Client", listener: Listener) -> None:
        self.client, self.listener = client, listener

    def run(self, owned: OwnedQueue) -> None:
        held = self.client.subscriptions.get(owned.queue.topic)
        if owned.dropped or held is None:
            return
        owned.last_pull_us = self.client.cluster.agenda.now_us
        self.client.spawn(self._pop(owned, held))

    def _pop(self, owned: OwnedQueue, held: SubscriptionData) -> Process[None]:
        box: list[Popped] = []

        def handle(at: "Broker", channel: str, respond: Respond) -> None:
            def answered(popped: Popped) -> None:
                box.append(popped)
                respond(None)

            at.pops.pop(self.client, channel, held, answered)

        try:
            yield Ask(owned.queue.broker_name, handle)
        except RemoteError:
            self.client.later(RETRY_AFTER_ERROR_US, lambda: self.run(owned))
            return
        for queue, offset, message in box[0]:
            if client_keeps(held, message.tag):
                self._take(queue, offset, message)
        self.run(owned)

    def _take(self, queue: MessageQueue, offset: int, message: StoredMessage) -> None:
        def consume() -> None:
            if not self.listener.takes(queue, offset, message):
                self.client.tell(queue.broker_name, lambda at, _: at.pops.again(message))

        self.listener.soon(consume)

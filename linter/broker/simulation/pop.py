"""POP: a consumer takes messages from all queues of a broker with its own filter; nobody owns a queue.

Mirrors: DefaultMQPushConsumerImpl#popMessage of the client and PopMessageProcessor of the broker, RocketMQ 5.3.3; coarser
than these: acknowledging takes no time, and a refused message comes back once, after the time of the retry topic.
"""

from typing import TYPE_CHECKING, Final

from linter.broker.allocate import MessageQueue
from linter.broker.filter import SubscriptionData, client_keeps
from linter.broker.simulation.client import Ask, Client, OwnedQueue, Process, RemoteError, Respond
from linter.broker.simulation.clock import SECOND
from linter.broker.simulation.listener import Listener
from linter.broker.simulation.store import StoredMessage

if TYPE_CHECKING:
    from linter.broker.simulation.broker import Broker

RETRY_AFTER_ERROR_US: Final = 3 * SECOND

Popped = tuple[tuple[MessageQueue, int, StoredMessage], ...]


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

            at.pop(self.client, channel, held, answered)

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
                self.client.tell(queue.broker_name, lambda at, _: at.pop_again(message))

        self.listener.soon(consume)

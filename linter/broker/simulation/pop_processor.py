"""POP at a broker: one request reads all queues of a topic, by its own filter, and what it skips is passed for all.

Mirrors: PopMessageProcessor#processRequest and PopLongPollingService of the broker, RocketMQ 5.3.3; coarser than these:
an acknowledgement takes no time and is never missing, and a message wakes one request that waits, whatever its filter.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from subdrift.linter.broker.allocate import MessageQueue
from subdrift.linter.broker.filter import SubscriptionData
from subdrift.linter.broker.simulation.clock import SECOND
from subdrift.linter.broker.simulation.pull_processor import attached_filter
from subdrift.linter.broker.simulation.store import StoredMessage
from subdrift.linter.broker.simulation.trace import Kind

if TYPE_CHECKING:
    from subdrift.linter.broker.simulation.broker import Broker
    from subdrift.linter.broker.simulation.client import Client

SUSPEND_US: Final = 20 * SECOND
BATCH: Final = 32
RETRY_PREFIX: Final = "%POP_RETRY%"
"""Before a topic: where its refused messages are read again, by whoever pops next."""

Popped = tuple[tuple[MessageQueue, int, StoredMessage], ...]
"""Queue, offset and message of what one request was given."""


class HeldPop(Struct, frozen=True):
    """A request that found nothing."""

    client: "Client"
    channel: str
    held: SubscriptionData
    until_us: int
    answered: Callable[[Popped], None]


class PopProcessor:
    """What becomes of POP requests; the offsets they reached are the group's."""

    def __init__(self, broker: "Broker") -> None:
        self._broker = broker
        self._held: list[HeldPop] = []
        self._reached: dict[MessageQueue, int] = {}

    def pop(
        self, client: "Client", channel: str, held: SubscriptionData, answered: Callable[[Popped], None]
    ) -> None:
        """Reads from a random queue on, the topic's retry queue last; answers later where nothing is found.

        Without the timer wheel no request is ever answered.
        """
        broker = self._broker
        if not broker.setting("timerWheelEnable", True):
            return
        found: list[tuple[MessageQueue, int, StoredMessage]] = []
        for queue in self._queues(held.topic):
            if len(found) >= BATCH:
                break
            offset = self._reached.get(queue, broker.offsets.get(queue, 0))
            if offset < broker.log(queue).end:
                found += self._read(client, queue, offset, held, BATCH - len(found))
        if found:
            answered(tuple(found))
        else:
            until = broker.cluster.agenda.now_us + SUSPEND_US
            self._held.append(HeldPop(client, channel, held, until, answered))

    def _queues(self, topic: str) -> list[MessageQueue]:
        broker = self._broker
        count = broker.cluster.queues_on(broker.name, topic)
        first = broker.cluster.random.randrange(count) if count else 0
        queues = [MessageQueue(topic, broker.name, (first + i) % count) for i in range(count)]
        return [*queues, MessageQueue(RETRY_PREFIX + topic, broker.name, 0)]

    def _read(
        self, client: "Client", queue: MessageQueue, offset: int, held: SubscriptionData, most: int
    ) -> list[tuple[MessageQueue, int, StoredMessage]]:
        broker = self._broker
        read = broker.log(queue).read(offset, most, attached_filter(held, broker.version).passes, True)
        self._reached[queue] = read.next_offset
        details = {
            "offset": str(offset),
            "next": str(read.next_offset),
            "expression": held.text,
            "version": str(held.version),
            "passed": ",".join(message.id for _, message in read.messages),
            "skipped": str(read.next_offset - offset - len(read.messages)),
        }
        broker.cluster.note(Kind.PULL, client.member.name, queue=queue, details=details)
        broker.commit(queue, read.next_offset)
        return [(queue, at, message) for at, message in read.messages]

    def again(self, message: StoredMessage) -> None:
        """A refused message becomes visible again."""
        broker = self._broker
        broker.deliver_later(message, MessageQueue(RETRY_PREFIX + message.topic, broker.name, 0))

    def arrived(self, queue: MessageQueue) -> None:
        """One of the requests that wait for the topic is processed again."""
        topic = queue.topic.removeprefix(RETRY_PREFIX)
        waiting = [pop for pop in self._held if pop.held.topic == topic]
        if waiting:
            pop = self._broker.cluster.random.choice(waiting)
            self._held.remove(pop)
            self.pop(pop.client, pop.channel, pop.held, pop.answered)

    def check_held(self) -> None:
        """Every 5 s: who has waited long enough is told that there is nothing."""
        now = self._broker.cluster.agenda.now_us
        for pop in [pop for pop in self._held if now >= pop.until_us]:
            self._held.remove(pop)
            pop.answered(())

    def forget(self, channel: str) -> None:
        """The connection is gone: nobody can be answered on it."""
        self._held = [pop for pop in self._held if pop.channel != channel]

    def forget_all(self) -> None:
        self._held.clear()

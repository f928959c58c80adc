"""The consume offsets a client knows, and where a queue it takes over begins.

Mirrors: RemoteBrokerOffsetStore, LocalFileOffsetStore and RebalancePushImpl#computePullFromWhere of the client, RocketMQ
4.8.0 to 5.3.3.
"""

from typing import TYPE_CHECKING

from subdrift.linter.broker.allocate import MessageQueue
from subdrift.linter.broker.scenario import ConsumeFrom
from subdrift.linter.broker.simulation.process import Process
from subdrift.linter.broker.simulation.subscription import RETRY_PREFIX

if TYPE_CHECKING:
    from subdrift.linter.broker.simulation.client import Client


class OffsetStore:
    """At the broker for CLUSTERING, in a file of the client for BROADCASTING; told of changes now and then."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._known: dict[MessageQueue, int] = {}

    def get(self, queue: MessageQueue) -> int | None:
        """The offset this client would persist, None where it knows none."""
        return self._known.get(queue)

    def advance(self, queue: MessageQueue, offset: int) -> None:
        """Everything before the offset is done with; it never goes back."""
        if offset > self._known.get(queue, -1):
            self._known[queue] = offset

    def replace(self, queue: MessageQueue, offset: int) -> None:
        """The offset was illegal: it becomes what the broker said."""
        self._known[queue] = offset

    def forget(self, queue: MessageQueue) -> None:
        self._known.pop(queue, None)

    def persist(self, queue: MessageQueue) -> None:
        """One way; nothing happens where no offset is known."""
        client, offset = self._client, self._known.get(queue)
        if offset is None:
            return
        if client.broadcasting:
            client.cluster.local_offsets[client.client_id, queue] = offset
        else:
            client.tell(queue.broker_name, lambda at, _: at.commit(queue, offset))

    def persist_all(self) -> None:
        """Persists the queues the client works on and forgets the others."""
        for queue in tuple(self._known):
            if queue in self._client.owned:
                self.persist(queue)
            else:
                self.forget(queue)

    def start_of(self, queue: MessageQueue) -> Process[int]:
        """Where a queue that was just taken over begins: the stored offset, else by consumeFromWhere."""
        client, name, retry = self._client, queue.broker_name, queue.topic.startswith(RETRY_PREFIX)
        if client.broadcasting:
            stored: int | None = client.cluster.local_offsets.get((client.client_id, queue))
        else:
            stored = yield from client.call(name, lambda at, _: at.query_offset(queue))
        if stored is not None:
            self._known[queue] = stored
            return stored
        match client.options.consume_from:
            case ConsumeFrom.LAST if retry:
                return 0
            case ConsumeFrom.TIMESTAMP if not retry:
                return 0  # half an hour back: before everything a scenario sends
            case ConsumeFrom.FIRST:
                return 0
            case _:
                return (yield from client.call(name, lambda at, _: at.log(queue).end))

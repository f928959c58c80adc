"""The application behind a push consumer: one thread that takes one message after the other."""

from typing import TYPE_CHECKING

from subdrift.linter.broker.allocate import MessageQueue
from subdrift.linter.broker.simulation.clock import Action
from subdrift.linter.broker.simulation.store import StoredMessage

if TYPE_CHECKING:
    from subdrift.linter.broker.simulation.client import Client


class Listener:
    """Refuses its first messages if the scenario says so; an orderly listener accepts all."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._to_refuse = 0 if client.options.orderly else client.options.fail_first
        self._free_at_us = 0

    def soon(self, action: Action) -> None:
        """Does something once the thread has come to it."""
        cluster = self._client.cluster
        now = cluster.agenda.now_us
        self._free_at_us = max(self._free_at_us, now) + cluster.latency.draw(
            cluster.latency.consume_us, cluster.random
        )
        self._client.later(self._free_at_us - now, action)

    def takes(self, queue: MessageQueue, offset: int, message: StoredMessage) -> bool:
        """Hands the message over; whether it was accepted."""
        accepted = self._to_refuse == 0
        self._to_refuse = max(0, self._to_refuse - 1)
        self._client.cluster.delivered(self._client, queue, offset, message, accepted)
        return accepted

"""Consumers whose application fetches messages itself: lite pull in subscribe mode, and the old pull consumer.

Mirrors: DefaultLitePullConsumerImpl and DefaultMQPullConsumerImpl of the client, RocketMQ 4.8.0 to 5.3.3.
"""

from typing import TYPE_CHECKING, Final

from subdrift.linter.broker.filter import SubscriptionData, build_subscription, client_keeps, is_tag_type
from subdrift.linter.broker.simulation.client import Client
from subdrift.linter.broker.simulation.clock import MS, SECOND
from subdrift.linter.broker.simulation.process import Process, RemoteError
from subdrift.linter.broker.simulation.pull import LITE_BATCH, LITE_SUSPEND_US, PullRequest
from subdrift.linter.broker.simulation.rebalance import OwnedQueue
from subdrift.linter.broker.simulation.store import Code, StoredMessage
from subdrift.linter.broker.versions import Feature
from subdrift.linter.broker.vocabulary import Subscription

if TYPE_CHECKING:
    pass

RETRY_AFTER_ERROR_US: Final = 1 * SECOND
POLL_US: Final = 5 * MS
"""From a message in the cache to the application that polls in a loop."""


class LitePullConsumer(Client):
    """DefaultLitePullConsumer with subscribe: its pulls carry its own expression, its shares raise no version."""

    passive = False
    raises_versions = False

    def _start(self) -> Process[None]:
        self.start_timers()
        for topic in tuple(self.subscriptions):
            yield from self.update_route(topic)
        reason = yield from self.refused()
        if reason:
            self.cluster.start_failed(self, reason)
            return
        # no heartbeat and no rebalance here: both begin with the timer, 1 s later

    def pull(self, owned: OwnedQueue) -> None:
        if owned.dropped:
            return
        held = self.subscriptions.get(owned.queue.topic)
        if held is not None:
            owned.last_pull_us = self.cluster.agenda.now_us
            self.spawn(self._pull(owned, held))

    def _pull(self, owned: OwnedQueue, held: SubscriptionData) -> Process[None]:
        request = PullRequest(
            owned.queue,
            owned.next_offset,
            0 if is_tag_type(held.expression_type) else held.version,
            LITE_BATCH,
            LITE_SUSPEND_US,
            held,
            None,
            lite=self.has(Feature.LITE_PULL_HAS_OWN_REQUEST_CODE),
        )
        try:
            answer = yield from self.answer(request)
        except RemoteError:
            self.later(RETRY_AFTER_ERROR_US, lambda: self.pull(owned))
            return
        if owned.dropped:
            return
        if answer.code not in (
            Code.SUCCESS,
            Code.PULL_NOT_FOUND,
            Code.PULL_RETRY_IMMEDIATELY,
            Code.PULL_OFFSET_MOVED,
        ):
            self.later(RETRY_AFTER_ERROR_US, lambda: self.pull(owned))
            return
        owned.next_offset = answer.next_offset
        for offset, message in answer.messages:
            if client_keeps(held, message.tag):
                self._poll_soon(owned, offset, message)
        self.pull(owned)

    def _poll_soon(self, owned: OwnedQueue, offset: int, message: StoredMessage) -> None:
        def polled() -> None:
            if not owned.dropped:
                self.cluster.delivered(self, owned.queue, offset, message, True)
                self.offsets.advance(owned.queue, offset + 1)  # what was skipped behind it is not committed

        self.later(POLL_US, polled)


class PullConsumer(Client):
    """DefaultMQPullConsumer: it reports the topics it registered, with `*` and version 0, and pulls nothing by itself."""

    passive = False
    raises_versions = False

    def _start(self) -> Process[None]:
        self.start_timers()
        for topic in tuple(self.subscriptions):
            yield from self.update_route(topic)

    def hold(self, subscription: Subscription) -> None:
        self.subscriptions[subscription.topic] = build_subscription(subscription.topic, "*")

    def pull(self, owned: OwnedQueue) -> None:
        """The application's business; scenarios have no word for it."""

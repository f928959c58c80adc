"""The push consumer: pulls for ever, hands messages to its listener, commits what was consumed or skipped.

Mirrors: DefaultMQPushConsumerImpl#pullMessage, PullAPIWrapper#processPullResult, ConsumeMessageConcurrentlyService and
ConsumeMessageOrderlyService of the client, RocketMQ 4.8.0 to 5.3.3.
"""

from functools import partial
from typing import TYPE_CHECKING, Final

from subdrift.linter.broker.filter import SubscriptionData, build_subscription, client_keeps
from subdrift.linter.broker.scenario import Member
from subdrift.linter.broker.simulation.client import Client
from subdrift.linter.broker.simulation.clock import MS, SECOND
from subdrift.linter.broker.simulation.listener import Listener
from subdrift.linter.broker.simulation.pop import PopLoop
from subdrift.linter.broker.simulation.process import Process, RemoteError
from subdrift.linter.broker.simulation.pull import PUSH_BATCH, PUSH_SUSPEND_US, PullAnswer, PullRequest
from subdrift.linter.broker.simulation.rebalance import OwnedQueue
from subdrift.linter.broker.simulation.store import Code, StoredMessage
from subdrift.linter.broker.simulation.subscription import RETRY_TOPIC
from subdrift.linter.broker.simulation.trace import Kind
from subdrift.linter.broker.versions import Feature

if TYPE_CHECKING:
    from subdrift.linter.broker.simulation.cluster import Cluster

RETRY_AFTER_ERROR_US: Final = 3 * SECOND
FLOW_CONTROL_US: Final = 50 * MS
CACHED_MAX: Final = 1000
OFFSET_REPAIR_US: Final = 10 * SECOND
CONSUME_AGAIN_US: Final = 5 * SECOND
"""A message that could not be sent back is consumed again after so long."""


class PushConsumer(Client):
    """DefaultMQPushConsumer, concurrent or orderly, CLUSTERING or BROADCASTING."""

    def __init__(self, cluster: "Cluster", member: Member, client_id: str, incarnation: int) -> None:
        super().__init__(cluster, member, client_id, incarnation)
        self._listener = Listener(self)
        self._pop = PopLoop(self, self._listener)

    def _start(self) -> Process[None]:
        if not self.broadcasting:
            self.subscriptions[RETRY_TOPIC] = build_subscription(RETRY_TOPIC, "*", version=self.now_ms)
        self.start_timers()
        for topic in tuple(self.subscriptions):
            yield from self.update_route(topic)
        if self.checked_subscriptions and self.brokers:
            reason = yield from self.refused()
            if reason:
                self.cluster.start_failed(self, reason)
                if self.has(Feature.FAILED_EXPRESSION_CHECK_LEAVES_NO_CONSUMER):
                    self.stop()
                return
        yield from self.heartbeat()
        self.wake_rebalance()

    def pull(self, owned: OwnedQueue) -> None:
        if owned.dropped:
            return
        if owned.queue.queue_id < 0:
            self._pop.run(owned)
            return
        owned.last_pull_us = self.cluster.agenda.now_us
        held = self.subscriptions.get(owned.queue.topic)
        if len(owned.cached) > CACHED_MAX:
            self.later(FLOW_CONTROL_US, lambda: self.pull(owned))
        elif held is None or (self.options.orderly and not self.broadcasting and not owned.locked):
            self.later(RETRY_AFTER_ERROR_US, lambda: self.pull(owned))
        else:
            self.spawn(self._pull(owned, held))

    def _pull(self, owned: OwnedQueue, held: SubscriptionData) -> Process[None]:
        commit = None if self.broadcasting else self.offsets.get(owned.queue)
        request = PullRequest(
            owned.queue,
            owned.next_offset,
            held.version,
            PUSH_BATCH,
            PUSH_SUSPEND_US,
            held if self.options.post_subscription else None,
            commit if commit else None,  # an offset of 0 is not sent
        )
        try:
            answer = yield from self.answer(request)
        except RemoteError:
            self.later(RETRY_AFTER_ERROR_US, lambda: self.pull(owned))
            return
        self._answered(owned, held, answer)

    def _answered(self, owned: OwnedQueue, held: SubscriptionData, answer: PullAnswer) -> None:
        if owned.dropped:
            return
        match answer.code:
            case Code.SUCCESS:
                owned.next_offset = answer.next_offset
                kept = []
                for offset, message in answer.messages:
                    if client_keeps(held, message.tag):
                        kept.append((offset, message))
                    else:
                        details = {"message": message.id, "offset": str(offset), "expression": held.text}
                        self.cluster.note(Kind.DROPPED, self.member.name, queue=owned.queue, details=details)
                self._cache(owned, kept)
                self.pull(owned)
            case Code.PULL_NOT_FOUND | Code.PULL_RETRY_IMMEDIATELY:
                owned.next_offset = answer.next_offset
                if not owned.cached:  # correctTagsOffset
                    self.offsets.advance(owned.queue, answer.next_offset)
                self.pull(owned)
            case Code.PULL_OFFSET_MOVED:
                self._repair(owned, answer.next_offset)
            case _:
                self.later(RETRY_AFTER_ERROR_US, lambda: self.pull(owned))

    def _repair(self, owned: OwnedQueue, offset: int) -> None:
        """OFFSET_ILLEGAL: the queue is given up, its offset becomes what the broker said; a rebalance takes it again."""
        owned.dropped = True

        def repair() -> None:
            if self.owned.get(owned.queue) is not owned:
                return
            self.offsets.replace(owned.queue, offset)
            self.offsets.persist(owned.queue)
            del self.owned[owned.queue]
            self.offsets.forget(owned.queue)
            self.cluster.note_share(self, owned.queue.topic)
            if self.has(Feature.OFFSET_ILLEGAL_REPAIRED_AT_ONCE):
                self.wake_rebalance()

        self.later(0 if self.has(Feature.OFFSET_ILLEGAL_REPAIRED_AT_ONCE) else OFFSET_REPAIR_US, repair)

    # consumption

    def _cache(self, owned: OwnedQueue, kept: list[tuple[int, StoredMessage]]) -> None:
        for offset, message in kept:
            owned.cached.add(offset)
            owned.end = max(owned.end, offset + 1)
            self._listener.soon(partial(self._consume, owned, offset, message))

    def _consume(self, owned: OwnedQueue, offset: int, message: StoredMessage) -> None:
        if owned.dropped:
            return
        if not self._listener.takes(owned.queue, offset, message) and not self.broadcasting:
            self.spawn(self._send_back(owned, offset, message))
        else:
            self._consumed(owned, offset)

    def _send_back(self, owned: OwnedQueue, offset: int, message: StoredMessage) -> Process[None]:
        try:
            yield from self.call(owned.queue.broker_name, lambda at, _: at.send_back(message))
        except RemoteError:
            self.later(CONSUME_AGAIN_US, lambda: self._consume(owned, offset, message))
            return
        self._consumed(owned, offset)

    def _consumed(self, owned: OwnedQueue, offset: int) -> None:
        owned.cached.discard(offset)
        if not owned.dropped:
            self.offsets.advance(owned.queue, min(owned.cached, default=owned.end))

"""One broker: the group's registration, topics and offsets, locks; requests for messages go to its two processors.

Mirrors: ClientManageProcessor#heartBeat, ConsumerManager, ConsumerFilterManager, ConsumerOffsetManager and
RebalanceLockManager of the broker, RocketMQ 4.8.0 to 5.3.3.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from subdrift.linter.broker.allocate import MessageQueue
from subdrift.linter.broker.filter import SubscriptionData
from subdrift.linter.broker.filter_data import FilterStore
from subdrift.linter.broker.group import (
    CHANNEL_SCAN_MS,
    Change,
    ConsumerGroupInfo,
    ConsumeType,
    Heartbeat,
    close,
    expire,
    register,
    unregister,
)
from subdrift.linter.broker.selector import SelectorRejected, SelectorTooDeep, compile_selector
from subdrift.linter.broker.simulation.clock import MS, SECOND
from subdrift.linter.broker.simulation.pop_processor import PopProcessor
from subdrift.linter.broker.simulation.pull_processor import PullProcessor
from subdrift.linter.broker.simulation.store import Code, QueueLog, StoredMessage
from subdrift.linter.broker.simulation.subscription import GROUP, RETRY_TOPIC
from subdrift.linter.broker.simulation.trace import Kind
from subdrift.linter.broker.versions import Feature, behaves

if TYPE_CHECKING:
    from subdrift.linter.broker.simulation.client import Client
    from subdrift.linter.broker.simulation.cluster import Cluster

HOLD_CHECK_US: Final = 5 * SECOND
"""How often held pulls are looked at (PullRequestHoldService with long polling)."""
LOCK_LIFE_US: Final = 60 * SECOND
DELAYS_S: Final = (10, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800, 3600, 7200)
"""After the first, second, ... refusal by a listener: delay levels 3 and up; then the message is dead."""


class Broker:
    """A master with its store; what survives a restart is what a real one keeps on disk."""

    def __init__(self, cluster: "Cluster", name: str) -> None:
        self.cluster, self.name = cluster, name
        self.version = cluster.scenario.broker_version
        self.config = dict(cluster.scenario.broker_config)
        self.up = True
        self.logs: dict[MessageQueue, QueueLog] = {}
        self.offsets: dict[MessageQueue, int] = {}
        self.filters = FilterStore()
        self.configured = False
        self.group: ConsumerGroupInfo | None = None
        self.pulls = PullProcessor(self)
        self.pops = PopProcessor(self)
        self.locks: dict[MessageQueue, tuple[str, int]] = {}
        self._fingerprint: object = None
        self._life = 0
        self.boot()

    def has(self, feature: Feature) -> bool:
        return behaves(feature, self.version)

    def setting(self, name: str, default: bool) -> bool:
        return self.config.get(name, str(default)).strip().lower() == "true"

    def rejects(self, client: "Client") -> bool:
        """`[>=5.0.0]` whether the broker is set to serve no pull consumers and this is one."""
        rejecting = self.setting("rejectPullConsumerEnable", False) and self.has(
            Feature.PULL_CONSUMER_REJECTABLE
        )
        return rejecting and not client.passive

    # life

    def boot(self) -> None:
        self.up = True
        self._life += 1
        random = self.cluster.random
        self._every(round(HOLD_CHECK_US * random.random()), HOLD_CHECK_US, self._check_held)
        self._every(CHANNEL_SCAN_MS * MS, CHANNEL_SCAN_MS * MS, self._expire_channels)

    def shut_down(self) -> None:
        """Everything in memory goes: registrations, held pulls, locks."""
        self.up = False
        self._become(Change(None))
        self.pulls.forget_all()
        self.pops.forget_all()
        self.locks.clear()
        self._fingerprint = None

    def _every(self, first_us: int, then_us: int, action: Callable[[], None]) -> None:
        life = self._life

        def again() -> None:
            if self.up and life == self._life:
                self.cluster.agenda.after(then_us, again)
                action()

        self.cluster.agenda.after(first_us, again)

    # registration

    def heartbeat(
        self,
        client: "Client",
        channel: str,
        subscriptions: tuple[SubscriptionData, ...] | None,
        fingerprint: object,
    ) -> bool | None:
        """One heartbeat; without subscriptions (V2) it only refreshes the channel.

        Returns whether the group's fingerprint changed, None where heartbeats V2 are not known or not used.
        """
        sent = ", ".join(f"{s.topic}={s.text}@{s.version}" for s in subscriptions or ())
        self.cluster.note(Kind.HEARTBEAT, client.member.name, self.name, details={"subscriptions": sent})
        if self.rejects(client):
            return None
        if not self.configured and self.setting("autoCreateSubscriptionGroup", True):
            self.configured = True
        if self.configured:
            self.cluster.create_topic(self.name, RETRY_TOPIC, 1)
        elif not self.has(Feature.UNCONFIGURED_GROUP_REGISTERED):
            return None
        self.register(client, channel, subscriptions)
        known = self._fingerprint
        self._fingerprint = 0 if fingerprint is None else fingerprint
        if fingerprint is None or not self.has(Feature.HEARTBEAT_V2):
            return None
        return known is not None and known != fingerprint

    def register(
        self,
        client: "Client",
        channel: str,
        subscriptions: tuple[SubscriptionData, ...] | None,
        notify: bool = True,
    ) -> None:
        """ConsumerManager#registerConsumer; without subscriptions only the connection is registered."""
        table = self.group.subscriptions if self.group is not None else ()
        kind = ConsumeType.PASSIVELY if client.passive else ConsumeType.ACTIVELY
        heartbeat = Heartbeat(
            channel,
            client.client_id,
            table if subscriptions is None else subscriptions,
            client.member.model,
            kind,
        )
        told = notify and self.setting("notifyConsumerIdsChangedEnable", True)
        self._become(register(self.group, heartbeat, self._now_ms, self.version, told))
        if subscriptions is not None:
            self.filters = self.filters.registered(GROUP, subscriptions, self._now_ms, self.version)

    def unregister(self, channel: str) -> None:
        """UNREGISTER_CLIENT: the connection leaves the group, its subscriptions stay in force."""
        self._become(unregister(self.group, channel, self.version))

    def closed(self, channel: str) -> None:
        """A connection is lost: as unregistering, and nobody can be answered on it."""
        self._forget(channel)
        self._become(close(self.group, channel, self.version))

    def _expire_channels(self) -> None:
        """The scan sends no notification; the members left notice at their next rebalance."""
        before = self.group
        if before is None:
            return
        self._become(expire(before, self._now_ms))
        left = {c.channel for c in self.group.channels} if self.group is not None else set()
        for channel in before.channels:
            if channel.channel not in left:
                self._forget(channel.channel)
                self.cluster.break_channel(channel.channel)

    def _become(self, change: Change) -> None:
        """Takes over the group's new state, tells what changed in it and whom the broker notifies."""
        before, self.group = self.group, change.group
        old = {s.topic: s for s in before.subscriptions} if before is not None else {}
        new = {s.topic: s for s in self.group.subscriptions} if self.group is not None else {}
        for topic in sorted(old.keys() | new.keys()):
            if old.get(topic) != new.get(topic):
                self._note_table(topic, new.get(topic))
        ids = self.client_ids()
        if ids != (before.client_ids() if before is not None else ()):
            names = ",".join(map(self.cluster.name_of, ids))
            self.cluster.note(Kind.CLIENT_IDS, broker=self.name, details={"ids": names})
        if self.group is None and before is not None:
            self.filters = self.filters.unregistered(GROUP, self._now_ms)
        if change.notified is not None:
            self.cluster.note(Kind.NOTIFY, broker=self.name)
            for channel in change.notified:
                self.cluster.notify(channel)

    @property
    def _now_ms(self) -> int:
        return self.cluster.agenda.now_us // MS

    def client_ids(self) -> tuple[str, ...]:
        """All ids of the group, duplicates included, whatever they subscribe."""
        return self.group.client_ids() if self.group is not None else ()

    def check_client(self, held: SubscriptionData) -> str:
        """CHECK_CLIENT_CONFIG: why an expression that is not TAG is refused, "" if it is not."""
        if not self.setting("enablePropertyFilter", False):
            return (
                f"CODE: {Code.SYSTEM_ERROR}  the broker does not support consumer to filter message by SQL92"
            )
        try:
            compile_selector(held.text, self.version)
        except (SelectorRejected, SelectorTooDeep) as error:
            return f"CODE: {Code.SUBSCRIPTION_PARSE_FAILED}  {error}"
        return ""

    def _note_table(self, topic: str, held: SubscriptionData | None) -> None:
        details = {}
        if held is not None:
            details = {"expression": held.text, "type": held.expression_type, "version": str(held.version)}
        self.cluster.note(Kind.TABLE, broker=self.name, topic=topic, details=details)

    def _check_held(self) -> None:
        self.pulls.check_held()
        self.pops.check_held()

    def _forget(self, channel: str) -> None:
        """The connection is gone: nobody can be answered on it."""
        self.pulls.forget(channel)
        self.pops.forget(channel)

    # store and offsets

    def log(self, queue: MessageQueue) -> QueueLog:
        return self.logs.setdefault(queue, QueueLog())

    def append(self, queue: MessageQueue, message: StoredMessage) -> None:
        """Stores a message; it becomes readable at once, and what waits for it hears of it a little later."""
        self.log(queue).messages.append(message)

        def dispatched() -> None:
            if self.up:
                self.pulls.arrived(queue, message)
                self.pops.arrived(queue)

        self.cluster.agenda.after(self.cluster.one_way_us(), dispatched)

    def query_offset(self, queue: MessageQueue) -> int | None:
        """The stored offset; without one 0, as topics are young here and nothing was ever deleted.

        `[>=5.1.0]` an empty queue has no entry to be young: None, and the client asks for its end, which is 0.
        """
        stored = self.offsets.get(queue)
        if stored is not None:
            return stored
        if self.log(queue).end == 0 and self.has(Feature.YOUNG_QUEUE_TEST_ASKS_FOR_RESIDENT_ENTRY):
            return None
        return 0

    def commit(self, queue: MessageQueue, offset: int) -> None:
        """Stores what it is told, backwards too."""
        if self.offsets.get(queue) != offset:
            self.offsets[queue] = offset
            self.cluster.note(Kind.COMMIT, broker=self.name, queue=queue, details={"offset": str(offset)})

    def send_back(self, message: StoredMessage) -> None:
        """CONSUMER_SEND_MSG_BACK: the message is read again from the retry topic, later each time."""
        self.deliver_later(message, MessageQueue(RETRY_TOPIC, self.name, 0))

    def deliver_later(self, message: StoredMessage, to: MessageQueue) -> None:
        """Stores a refused message again after the delay of its level; after the last one it is dead."""
        if message.reconsume < len(DELAYS_S):
            again = replace(message, reconsume=message.reconsume + 1)
            delay = DELAYS_S[message.reconsume] * SECOND
            self.cluster.agenda.after(delay, lambda: self.append(to, again))

    def lock(self, queue: MessageQueue, client_id: str) -> bool:
        """RebalanceLockManager#tryLock: free, expired or already its own."""
        now = self.cluster.agenda.now_us
        holder, until = self.locks.get(queue, ("", 0))
        if holder not in ("", client_id) and now < until:
            return False
        self.locks[queue] = (client_id, now + LOCK_LIFE_US)
        return True

    def unlock(self, queue: MessageQueue, client_id: str) -> None:
        if self.locks.get(queue, ("", 0))[0] == client_id:
            del self.locks[queue]

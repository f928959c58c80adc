"""One broker: the group's registration, pulls with all checks in the broker's order, held pulls, offsets, locks, POP.

Mirrors: ClientManageProcessor#heartBeat, ConsumerManager, PullMessageProcessor#processRequest, PullRequestHoldService,
ConsumerFilterManager, ConsumerOffsetManager and RebalanceLockManager of the broker, RocketMQ 4.8.0 to 5.3.3.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from linter.broker.allocate import MessageQueue
from linter.broker.filter import SubscriptionData, is_tag_type
from linter.broker.filter_data import FilterStore
from linter.broker.group import (
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
from linter.broker.scenario import MessageModel
from linter.broker.selector import SelectorRejected, SelectorTooDeep, compile_selector
from linter.broker.simulation.clock import MS, SECOND
from linter.broker.simulation.pull import PullAnswer, PullRequest
from linter.broker.simulation.store import Code, QueueLog, StoredMessage
from linter.broker.simulation.subscription import GROUP, RETRY_TOPIC, PullFilter
from linter.broker.simulation.trace import Kind
from linter.broker.versions import Feature, behaves

if TYPE_CHECKING:
    from linter.broker.simulation.client import Client
    from linter.broker.simulation.cluster import Cluster
    from linter.broker.simulation.pop import Popped

HOLD_CHECK_US: Final = 5 * SECOND
"""How often held pulls are looked at (PullRequestHoldService with long polling)."""
LOCK_LIFE_US: Final = 60 * SECOND
DELAYS_S: Final = (10, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800, 3600, 7200)
"""After the first, second, ... refusal by a listener: delay levels 3 and up; then the message is dead."""
POP_SUSPEND_US: Final = 20 * SECOND
POP_BATCH: Final = 32
POP_RETRY: Final = "%POP_RETRY%"

Answered = Callable[[PullAnswer], None]


@dataclass(frozen=True, slots=True)
class HeldPull:
    """A pull that waits for messages, with the filter of the moment it came."""

    client: "Client"
    channel: str
    request: PullRequest
    filter: PullFilter
    until_us: int
    answered: Answered


@dataclass(frozen=True, slots=True)
class HeldPop:
    client: "Client"
    held: SubscriptionData
    until_us: int
    answered: "Callable[[Popped], None]"


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
        self.held: list[HeldPull] = []
        self.held_pops: list[HeldPop] = []
        self.locks: dict[MessageQueue, tuple[str, int]] = {}
        self.popped: dict[MessageQueue, int] = {}
        self._fingerprint: object = None
        self._life = 0
        self.boot()

    def has(self, feature: Feature) -> bool:
        return behaves(feature, self.version)

    def setting(self, name: str, default: bool) -> bool:
        return self.config.get(name, str(default)).strip().lower() == "true"

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
        self.held.clear()
        self.held_pops.clear()
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
        rejects = self.setting("rejectPullConsumerEnable", False) and self.has(
            Feature.PULL_CONSUMER_REJECTABLE
        )
        if rejects and not client.passive:
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
        self.forget(channel)
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
                self.forget(channel.channel)
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

    # pull

    def pull(self, client: "Client", channel: str, request: PullRequest, answered: Answered) -> None:
        """PullMessageProcessor: answers at once, or keeps the request until there is something to read."""
        if request.lite and not self.has(Feature.POP):  # request code 361 came with 5.0.0
            if self.has(Feature.UNKNOWN_REQUEST_ANSWERED):
                answered(PullAnswer(Code.REQUEST_CODE_NOT_SUPPORTED))
            return  # otherwise never answered: the caller's timeout is left out, it would only ask again
        found = self._filter_for(client, request)
        if isinstance(found, Code):
            self._refuse(client, request, found)
            answered(PullAnswer(found))
            return
        answer = self._read(client, request, found)
        if request.commit is not None:
            self.commit(request.queue, request.commit)
        if answer.code is Code.PULL_NOT_FOUND and request.suspend_us:
            until = self.cluster.agenda.now_us + request.suspend_us
            self.held.append(HeldPull(client, channel, request, found, until, answered))
            return
        answered(answer)

    def _filter_for(self, client: "Client", request: PullRequest) -> PullFilter | Code:
        """The checks before the store is read, in the broker's order."""
        topic = request.queue.topic
        if not self.configured:
            if not self.setting("autoCreateSubscriptionGroup", True):
                return Code.SUBSCRIPTION_GROUP_NOT_EXIST
            self.configured = True
        queues = self.cluster.queues_on(self.name, topic)
        if not queues:
            return Code.TOPIC_NOT_EXIST
        if not 0 <= request.queue.queue_id < queues:
            return (
                Code.INVALID_PARAMETER
                if self.has(Feature.QUEUE_ID_ILLEGAL_IS_INVALID_PARAMETER)
                else Code.SYSTEM_ERROR
            )
        if request.attached is not None:
            found: PullFilter | Code = self._attached_filter(request.attached)
        else:
            found = self._table_filter(topic, request.version)
        if isinstance(found, Code):
            return found
        if not is_tag_type(found.subscription.expression_type) and not self.setting(
            "enablePropertyFilter", False
        ):
            return Code.SYSTEM_ERROR
        if (
            self.has(Feature.PULL_CONSUMER_REJECTABLE)
            and self.setting("rejectPullConsumerEnable", False)
            and not client.passive
        ):
            return Code.SUBSCRIPTION_NOT_EXIST
        return found

    def _attached_filter(self, held: SubscriptionData) -> PullFilter | Code:
        if is_tag_type(held.expression_type):
            return PullFilter(held)
        try:
            return PullFilter(held, compile_selector(held.text, self.version))
        except (SelectorRejected, SelectorTooDeep):
            return PullFilter(held)  # not rejected on this path: everything passes

    def _table_filter(self, topic: str, version: int) -> PullFilter | Code:
        if self.group is None:
            return Code.SUBSCRIPTION_NOT_EXIST
        if self.group.message_model is MessageModel.BROADCASTING and not self.setting(
            "consumeBroadcastEnable", True
        ):
            return Code.NO_PERMISSION
        held = self.group.subscription(topic)
        if held is None:
            return Code.SUBSCRIPTION_NOT_EXIST
        if held.version < version:
            return Code.SUBSCRIPTION_NOT_LATEST
        if is_tag_type(held.expression_type):
            return PullFilter(held)
        data = self.filters.find(topic, GROUP)
        if data is None:
            return Code.FILTER_DATA_NOT_EXIST
        if data.version < version:
            return Code.FILTER_DATA_NOT_LATEST
        return PullFilter(held, data.selector)

    def _refuse(self, client: "Client", request: PullRequest, code: Code) -> None:
        details = {"code": str(int(code)), "version": str(request.version)}
        self.cluster.note(Kind.REFUSED, client.member.name, self.name, queue=request.queue, details=details)

    def _read(self, client: "Client", request: PullRequest, found: PullFilter) -> PullAnswer:
        goes_to_end = self.has(Feature.OFFSET_BEYOND_MAX_GOES_TO_MAX)
        read = self.log(request.queue).read(request.offset, request.most, found.passes, goes_to_end)
        if read.code is not Code.PULL_NOT_FOUND:
            passed = ",".join(message.id for _, message in read.messages)
            held = found.subscription
            details = {
                "offset": str(request.offset),
                "next": str(read.next_offset),
                "expression": held.text,
                "version": str(held.version),
                "passed": passed,
                "skipped": str(max(0, read.next_offset - request.offset - len(read.messages))),
            }
            self.cluster.note(Kind.PULL, client.member.name, self.name, queue=request.queue, details=details)
        return PullAnswer(read.code, read.next_offset, read.messages)

    # long polling

    def arrived(self, queue: MessageQueue, message: StoredMessage) -> None:
        """A message is readable: held pulls whose own filter lets it pass are processed again, from scratch."""
        for held in [h for h in self.held if h.request.queue == queue and h.filter.passes(message)]:
            self._wake(held)
        waiting = [p for p in self.held_pops if p.held.topic == queue.topic]
        if waiting:
            pop = self.cluster.random.choice(waiting)
            self.held_pops.remove(pop)
            self.pop(pop.client, "", pop.held, pop.answered)

    def _check_held(self) -> None:
        """Every 5 s: whatever has unseen messages, matching or not, and whatever has waited long enough."""
        now = self.cluster.agenda.now_us
        for held in tuple(self.held):
            if self.log(held.request.queue).end > held.request.offset or now >= held.until_us:
                self._wake(held)
        for pop in [p for p in self.held_pops if now >= p.until_us]:
            self.held_pops.remove(pop)
            pop.answered(())

    def _wake(self, held: HeldPull) -> None:
        self.held.remove(held)
        request = held.request
        again = PullRequest(
            request.queue,
            request.offset,
            request.version,
            request.most,
            0,
            request.attached,
            None,
            request.lite,
            request.passive,
        )
        self.cluster.agenda.after(0, lambda: self._again(held, again))

    def _again(self, held: HeldPull, request: PullRequest) -> None:
        if self.up and held.client.connections.get(self.name) == held.channel:
            self.pull(held.client, held.channel, request, held.answered)

    def forget(self, channel: str) -> None:
        """The connection is gone: nobody can be answered on it."""
        self.held = [held for held in self.held if held.channel != channel]
        self.held_pops = [pop for pop in self.held_pops if pop.client.connections.get(self.name) != channel]

    # store and offsets

    def log(self, queue: MessageQueue) -> QueueLog:
        return self.logs.setdefault(queue, QueueLog())

    def append(self, queue: MessageQueue, message: StoredMessage) -> None:
        self.log(queue).messages.append(message)
        self.cluster.agenda.after(
            self.cluster.one_way_us(), lambda: self.arrived(queue, message) if self.up else None
        )

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
        if message.reconsume >= len(DELAYS_S):
            return  # to the dead letter queue
        again = StoredMessage(
            message.id, message.topic, message.tag, message.properties, message.size, message.reconsume + 1
        )
        retry = MessageQueue(RETRY_TOPIC, self.name, 0)
        delay = DELAYS_S[message.reconsume] * SECOND
        self.cluster.agenda.after(delay, lambda: self.append(retry, again))

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

    # POP

    def pop(
        self, client: "Client", channel: str, held: SubscriptionData, answered: "Callable[[Popped], None]"
    ) -> None:
        """Reads all queues of the topic from a random one on, with the filter of the request; what it skips is passed."""
        found: list[tuple[MessageQueue, int, StoredMessage]] = []
        count = self.cluster.queues_on(self.name, held.topic)
        filter_ = self._attached_filter(held)
        if isinstance(filter_, Code) or not self.setting("timerWheelEnable", True):
            return  # never served
        begin = self.cluster.random.randrange(count) if count else 0
        queues = [MessageQueue(held.topic, self.name, (begin + i) % count) for i in range(count)]
        queues.append(MessageQueue(POP_RETRY + held.topic, self.name, 0))
        for queue in queues:
            if len(found) >= POP_BATCH:
                break
            log = self.log(queue)
            offset = self.popped.get(queue, self.offsets.get(queue, 0))
            if offset >= log.end:
                continue
            read = log.read(offset, POP_BATCH - len(found), filter_.passes, True)
            self.popped[queue] = read.next_offset
            details = {"offset": str(offset), "next": str(read.next_offset), "expression": held.text}
            details["passed"] = ",".join(message.id for _, message in read.messages)
            self.cluster.note(Kind.PULL, client.member.name, self.name, queue=queue, details=details)
            self.commit(queue, read.next_offset)
            found += ((queue, at, message) for at, message in read.messages)
        if found:
            answered(tuple(found))
        else:
            until = self.cluster.agenda.now_us + POP_SUSPEND_US
            self.held_pops.append(HeldPop(client, held, until, answered))

    def pop_again(self, message: StoredMessage) -> None:
        """A refused message becomes visible again in the topic's own retry queue."""
        again = StoredMessage(
            message.id, message.topic, message.tag, message.properties, message.size, message.reconsume + 1
        )
        retry = MessageQueue(POP_RETRY + message.topic, self.name, 0)
        delay = DELAYS_S[min(message.reconsume, len(DELAYS_S) - 1)] * SECOND
        self.cluster.agenda.after(delay, lambda: self.append(retry, again))

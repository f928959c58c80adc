"""Pulls at a broker: all checks in the broker's order, the read, and long polling.

Mirrors: PullMessageProcessor#processRequest and PullRequestHoldService of the broker, RocketMQ 4.8.0 to 5.3.3.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.broker.allocate import MessageQueue
from subdrift.linter.broker.filter import SubscriptionData, is_tag_type
from subdrift.linter.broker.selector import SelectorRejected, SelectorTooDeep, compile_selector
from subdrift.linter.broker.simulation.pull import PullAnswer, PullRequest
from subdrift.linter.broker.simulation.store import Code, StoredMessage
from subdrift.linter.broker.simulation.subscription import GROUP, PullFilter
from subdrift.linter.broker.simulation.trace import Kind
from subdrift.linter.broker.versions import Feature, Version
from subdrift.linter.broker.vocabulary import MessageModel

if TYPE_CHECKING:
    from subdrift.linter.broker.simulation.broker import Broker
    from subdrift.linter.broker.simulation.client import Client

Answered = Callable[[PullAnswer], None]


class HeldPull(Struct, frozen=True):
    """A pull that waits for messages, with the filter of the moment it came."""

    client: "Client"
    channel: str
    request: PullRequest
    filter: PullFilter
    until_us: int
    answered: Answered


class PullProcessor:
    """What becomes of pulls; the held ones do not survive the broker."""

    def __init__(self, broker: "Broker") -> None:
        self._broker = broker
        self._held: list[HeldPull] = []

    def pull(self, client: "Client", channel: str, request: PullRequest, answered: Answered) -> None:
        """Answers at once, or keeps the request until there is something to read."""
        broker = self._broker
        if request.lite and not broker.has(Feature.POP):  # request code 361 came with 5.0.0
            if broker.has(Feature.UNKNOWN_REQUEST_ANSWERED):
                answered(PullAnswer(Code.REQUEST_CODE_NOT_SUPPORTED))
            return  # otherwise never answered: the caller's timeout is left out, it would only ask again
        found = self._filter_for(client, request)
        if isinstance(found, Code):
            self._refuse(client, request, found)
            answered(PullAnswer(found))
            return
        answer = self._read(client, request, found)
        if request.commit is not None:
            broker.commit(request.queue, request.commit)
        if answer.code is Code.PULL_NOT_FOUND and request.suspend_us:
            until = broker.cluster.agenda.now_us + request.suspend_us
            self._held.append(HeldPull(client, channel, request, found, until, answered))
            return
        answered(answer)

    def _filter_for(self, client: "Client", request: PullRequest) -> PullFilter | Code:
        """The checks before the store is read, in the broker's order."""
        broker = self._broker
        topic = request.queue.topic
        if not broker.configured:
            if not broker.setting("autoCreateSubscriptionGroup", True):
                return Code.SUBSCRIPTION_GROUP_NOT_EXIST
            broker.configured = True
        queues = broker.cluster.queues_on(broker.name, topic)
        if not queues:
            return Code.TOPIC_NOT_EXIST
        if not 0 <= request.queue.queue_id < queues:
            invalid = broker.has(Feature.QUEUE_ID_ILLEGAL_IS_INVALID_PARAMETER)
            return Code.INVALID_PARAMETER if invalid else Code.SYSTEM_ERROR
        if request.attached is not None:
            found: PullFilter | Code = attached_filter(request.attached, broker.version)
        else:
            found = self._table_filter(topic, request.version)
        if isinstance(found, Code):
            return found
        is_tag = is_tag_type(found.subscription.expression_type)
        if not is_tag and not broker.setting("enablePropertyFilter", False):
            return Code.SYSTEM_ERROR
        return Code.SUBSCRIPTION_NOT_EXIST if broker.rejects(client) else found

    def _table_filter(self, topic: str, version: int) -> PullFilter | Code:
        broker = self._broker
        if broker.group is None:
            return Code.SUBSCRIPTION_NOT_EXIST
        broadcasting = broker.group.message_model is MessageModel.BROADCASTING
        if broadcasting and not broker.setting("consumeBroadcastEnable", True):
            return Code.NO_PERMISSION
        held = broker.group.subscription(topic)
        if held is None:
            return Code.SUBSCRIPTION_NOT_EXIST
        if held.version < version:
            return Code.SUBSCRIPTION_NOT_LATEST
        if is_tag_type(held.expression_type):
            return PullFilter(held)
        data = broker.filters.find(topic, GROUP)
        if data is None:
            return Code.FILTER_DATA_NOT_EXIST
        if data.version < version:
            return Code.FILTER_DATA_NOT_LATEST
        return PullFilter(held, data.selector)

    def _refuse(self, client: "Client", request: PullRequest, code: Code) -> None:
        broker = self._broker
        details = {"code": str(int(code)), "version": str(request.version)}
        broker.cluster.note(
            Kind.REFUSED, client.member.name, broker.name, queue=request.queue, details=details
        )

    def _read(self, client: "Client", request: PullRequest, found: PullFilter) -> PullAnswer:
        broker = self._broker
        goes_to_end = broker.has(Feature.OFFSET_BEYOND_MAX_GOES_TO_MAX)
        read = broker.log(request.queue).read(request.offset, request.most, found.passes, goes_to_end)
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
            broker.cluster.note(
                Kind.PULL, client.member.name, broker.name, queue=request.queue, details=details
            )
        return PullAnswer(read.code, read.next_offset, read.messages)

    # long polling

    def arrived(self, queue: MessageQueue, message: StoredMessage) -> None:
        """A message is readable: held pulls whose own filter lets it pass are processed again, from scratch."""
        for held in [h for h in self._held if h.request.queue == queue and h.filter.passes(message)]:
            self._wake(held)

    def check_held(self) -> None:
        """Every 5 s: whatever has unseen messages, matching or not, and whatever has waited long enough."""
        now = self._broker.cluster.agenda.now_us
        for held in tuple(self._held):
            if self._broker.log(held.request.queue).end > held.request.offset or now >= held.until_us:
                self._wake(held)

    def _wake(self, held: HeldPull) -> None:
        self._held.remove(held)
        self._broker.cluster.agenda.after(0, lambda: self._again(held))

    def _again(self, held: HeldPull) -> None:
        """From scratch, by the table of now; not held a second time, and the offset that rode along counts no more."""
        broker = self._broker
        if broker.up and held.client.connections.get(broker.name) == held.channel:
            request = replace(held.request, suspend_us=0, commit=None)
            self.pull(held.client, held.channel, request, held.answered)

    def forget(self, channel: str) -> None:
        """The connection is gone: nobody can be answered on it."""
        self._held = [held for held in self._held if held.channel != channel]

    def forget_all(self) -> None:
        self._held.clear()


def attached_filter(held: SubscriptionData, version: Version) -> PullFilter:
    """The filter of a request that carries its own subscription; one that does not compile lets everything pass."""
    if is_tag_type(held.expression_type):
        return PullFilter(held)
    try:
        return PullFilter(held, compile_selector(held.text, version))
    except (SelectorRejected, SelectorTooDeep):
        return PullFilter(held)

"""What a scenario says: one group on one cluster, and what happens to it. `reader` reads it from a file, `given` what was
observed of it.
"""

from enum import Enum
from typing import Final

from msgspec import Struct

from subdrift.linter.broker.versions import Version
from subdrift.linter.broker.vocabulary import ClientKind, MessageModel, Subscription

STRATEGIES: Final = ("AVG", "AVG_BY_CIRCLE", "CONSISTENT_HASH")
"""Strategies a scenario may name; the others need rooms or a fixed list, which it cannot give."""


class Timing(Enum):
    """The clients' intervals: their own, or shortened as in the recordings."""

    DEFAULT = "default"
    FAST = "fast"

    @property
    def heartbeat_ms(self) -> int:
        return 30_000 if self is Timing.DEFAULT else 5_000

    @property
    def rebalance_ms(self) -> int:
        return 20_000 if self is Timing.DEFAULT else 5_000

    @property
    def route_poll_ms(self) -> int:
        return 30_000 if self is Timing.DEFAULT else 5_000

    @property
    def persist_ms(self) -> int:
        return 5_000 if self is Timing.DEFAULT else 1_000


class ConsumeFrom(Enum):
    LAST = "CONSUME_FROM_LAST_OFFSET"
    FIRST = "CONSUME_FROM_FIRST_OFFSET"
    TIMESTAMP = "CONSUME_FROM_TIMESTAMP"


class Options(Struct, frozen=True):
    """Settings of one consumer; the defaults are RocketMQ's."""

    post_subscription: bool = False
    """`postSubscriptionWhenPull`: every pull carries the member's own expression."""
    strategy: str = "AVG"
    orderly: bool = False
    consume_from: ConsumeFrom = ConsumeFrom.LAST
    fail_first: int = 0
    """Its listener answers RECONSUME_LATER to so many first deliveries."""
    heartbeat_v2: bool = False
    client_rebalance: bool = True
    """False: the broker assigns queues, and with `requestMode = "POP"` the member pops."""


class Member(Struct, frozen=True):
    """One client object of the group."""

    name: str
    kind: ClientKind
    model: MessageModel
    subscriptions: tuple[Subscription, ...]
    options: Options = Options()
    own_process: bool = False
    client_version: Version | None = None
    """Only where it differs from the scenario's."""
    clock_offset_s: int = 0
    """Its clock runs ahead by so many seconds."""
    client_id: str | None = None
    """As consoles and logs print it; None where the scenario does not say it."""

    assigned: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Topics and queues that a pull consumer reads by itself, with `*`, whoever owns them (`assign`)."""

    def reads(self, topic: str, queue: int) -> bool:
        """Whether it was assigned that queue."""
        return queue in dict(self.assigned).get(topic, ())

    def subscription(self, topic: str) -> Subscription | None:
        """Its subscription of that topic; the last one wins, as in `subscriptionInner`. None: it has none."""
        return next((one for one in reversed(self.subscriptions) if one.topic == topic), None)


class Message(Struct, frozen=True):
    id: str
    topic: str
    queue: int
    tag: str | None
    """None for a message without a tag."""
    properties: tuple[tuple[str, str], ...] = ()
    """User properties, without the tag."""
    phase: int = 1
    """The `send` step that sends it."""
    size: int = 0


class TagClass(Struct, frozen=True):
    """Any number of messages of one kind, spread evenly over the queues of the topic."""

    topic: str
    tag: str | None
    properties: tuple[tuple[str, str], ...] = ()
    label: str = ""


class Verb(Enum):
    """What a step does; the comment says what the step's fields mean."""

    START = "start"  # members
    CREATE = "create"  # members: constructed and subscribed, not started
    STOP = "stop"  # members: orderly shutdown
    KILL = "kill"  # members: SIGKILL of the JVM
    FREEZE = "freeze"  # members: SIGSTOP
    THAW = "thaw"  # members: SIGCONT
    WAIT = "wait"  # ms
    SETTLE = "settle"  # ms, and until no allocation changed for 2.5 s
    SEND = "send"  # phase
    JUDGE = "judge"  # ms: longest wait; 0 for the usual 34 s
    SNAPSHOT = "snapshot"  # label
    SUBSCRIBE = "subscribe"  # members, subscription
    UNSUBSCRIBE = "unsubscribe"  # members, topic
    BROKER_RESTART = "brokerRestart"  # ms it is down, label: which one ("": all)
    EXPIRE = "expire"  # ms
    DUMP = "dump"


class ScenarioStep(Struct, frozen=True):
    """One step; which fields count depends on the verb."""

    verb: Verb
    members: tuple[str, ...] = ()
    ms: int = 0
    phase: int = 0
    label: str = ""
    topic: str = ""
    subscription: Subscription | None = None


class Scenario(Struct, frozen=True):
    """One group on one cluster, and what happens to it."""

    id: str
    description: str
    topics: tuple[tuple[str, int], ...]
    """Name and number of queues, over all brokers together; 0: the topic has no route."""
    brokers: tuple[str, ...]
    """Names of the masters; each has the same number of queues of every topic."""
    timing: Timing
    members: tuple[Member, ...]
    id_order: tuple[str, ...]
    """Members in the order of their client ids."""
    id_order_given: bool
    """False where the order is only that of the list of members."""
    same_client_id: tuple[str, ...]
    steps: tuple[ScenarioStep, ...]
    messages: tuple[Message, ...]
    classes: tuple[TagClass, ...]
    broker_config: tuple[tuple[str, str], ...]
    pop: bool
    proxy_apart: bool
    """gRPC members come through a proxy beside the brokers, which does not tell them of its members."""
    broker_version: Version
    client_version: Version

    def queues(self, topic: str) -> int:
        """Number of queues of a topic, 0 for one that has no route or is not known."""
        return dict(self.topics).get(topic, 0)

    def member(self, name: str) -> Member:
        """The member of that name; raises KeyError."""
        for one in self.members:
            if one.name == name:
                return one
        raise KeyError(name)

    def version_of(self, member: Member) -> Version:
        return member.client_version or self.client_version

    @property
    def property_filter(self) -> bool:
        """Whether the broker lets clients filter by SQL92 (`enablePropertyFilter`, false by default)."""
        return dict(self.broker_config).get("enablePropertyFilter", "false").strip().lower() == "true"

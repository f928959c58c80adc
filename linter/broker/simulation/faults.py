"""What can be done to a cluster from outside: the steps of scenarios, and the accidents they have no word for."""

from dataclasses import dataclass

from linter.broker.vocabulary import Subscription


@dataclass(frozen=True, slots=True)
class Create:
    """The consumer object is made and subscribed, its versions are taken; it is not started."""

    member: str


@dataclass(frozen=True, slots=True)
class Start:
    """`start()`; of a member that was stopped or killed a new object is made first."""

    member: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Orderly shutdown: offsets are persisted, the client unregisters."""

    member: str


@dataclass(frozen=True, slots=True)
class Kill:
    """The process dies: connections break, nothing is persisted or unregistered."""

    member: str


@dataclass(frozen=True, slots=True)
class Freeze:
    """The process stops, its connections stay; what reaches it waits."""

    member: str


@dataclass(frozen=True, slots=True)
class Thaw:
    member: str


@dataclass(frozen=True, slots=True)
class SkewClock:
    """The member's clock runs ahead by so much from now on, behind where negative."""

    member: str
    ahead_ms: int


@dataclass(frozen=True, slots=True)
class LoseHeartbeats:
    """The member's next heartbeats never reach a broker."""

    member: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class BreakConnections:
    """All connections of the member break; it does not notice before its next request."""

    member: str


@dataclass(frozen=True, slots=True)
class RestartBroker:
    """The broker is away for a while; queues, offsets and SQL filters survive, the group's table does not."""

    broker: str
    down_ms: int


@dataclass(frozen=True, slots=True)
class Subscribe:
    """`subscribe` at run time: replaces the subscription of the topic and sends a heartbeat at once."""

    member: str
    subscription: Subscription


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    """`unsubscribe` at run time: nothing is sent before the next heartbeat."""

    member: str
    topic: str


@dataclass(frozen=True, slots=True)
class AddQueues:
    """The topic gets more queues on one broker; clients learn it at their next look at the route."""

    topic: str
    broker: str
    count: int


Fault = (
    Create
    | Start
    | Stop
    | Kill
    | Freeze
    | Thaw
    | SkewClock
    | LoseHeartbeats
    | BreakConnections
    | RestartBroker
    | Subscribe
    | Unsubscribe
    | AddQueues
)

"""What can be done to a cluster from outside: the steps of scenarios, and the accidents they have no word for."""

from msgspec import Struct

from subdrift.linter.broker.vocabulary import Subscription


class Create(Struct, frozen=True):
    """The consumer object is made and subscribed, its versions are taken; it is not started."""

    member: str


class Start(Struct, frozen=True):
    """`start()`; of a member that was stopped or killed a new object is made first."""

    member: str


class Stop(Struct, frozen=True):
    """Orderly shutdown: offsets are persisted, the client unregisters."""

    member: str


class Kill(Struct, frozen=True):
    """The process dies: connections break, nothing is persisted or unregistered."""

    member: str


class Freeze(Struct, frozen=True):
    """The process stops, its connections stay; what reaches it waits."""

    member: str


class Thaw(Struct, frozen=True):
    member: str


class SkewClock(Struct, frozen=True):
    """The member's clock runs ahead by so much from now on, behind where negative."""

    member: str
    ahead_ms: int


class LoseHeartbeats(Struct, frozen=True):
    """The member's next heartbeats never reach a broker."""

    member: str
    count: int = 1


class BreakConnections(Struct, frozen=True):
    """All connections of the member break; it does not notice before its next request."""

    member: str


class RestartBroker(Struct, frozen=True):
    """The broker is away for a while; queues, offsets and SQL filters survive, the group's table does not."""

    broker: str
    down_ms: int


class Subscribe(Struct, frozen=True):
    """`subscribe` at run time: replaces the subscription of the topic and sends a heartbeat at once."""

    member: str
    subscription: Subscription


class Unsubscribe(Struct, frozen=True):
    """`unsubscribe` at run time: nothing is sent before the next heartbeat."""

    member: str
    topic: str


class AddQueues(Struct, frozen=True):
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

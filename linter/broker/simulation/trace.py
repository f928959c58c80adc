"""What a simulation tells: one record per thing that happened, structured; rendering is done elsewhere."""

from enum import Enum

from msgspec import Struct


class Kind(Enum):
    """What happened; the comment names the details an event of this kind carries."""

    STEP = "step"  # verb: a step of the scenario, or a fault, begins
    HEARTBEAT = "heartbeat"  # subscriptions: `topic=expression@version`, in the order of topics
    HEARTBEAT_DROPPED = "heartbeat-dropped"  # why, and whether it should have carried a raised version
    TABLE = "table"  # expression, type, version; without an expression: the topic was deleted
    CLIENT_IDS = "client-ids"  # ids: the group's list at a broker changed
    NOTIFY = "notify"  # the broker tells its channels that the group changed
    REBALANCE = "rebalance"  # a rebalance run begins
    SHARE = "share"  # queues: what the member works on of a topic, after a change
    RAISE = "raise"  # version: the member's share changed, its version is now
    PULL = "pull"  # offset, next, expression, version, passed, skipped: a read that moved
    REFUSED = "refused"  # code, version: a pull was answered with an error
    DELIVERED = "delivered"  # message, offset, reconsume, ok
    DROPPED = "dropped"  # message, offset: the client's own filter threw it away
    COMMIT = "commit"  # offset: the group's offset at the broker moved
    START_FAILED = "start-failed"  # why


class TraceEvent(Struct, frozen=True):
    """One thing that happened; an empty text or -1 where a field does not apply."""

    at_ms: int
    kind: Kind
    member: str = ""
    broker: str = ""
    topic: str = ""
    queue: int = -1
    """The position among all queues of the topic, as scenarios count them."""
    details: tuple[tuple[str, str], ...] = ()

    def detail(self, name: str) -> str:
        """The detail of that name, "" if there is none."""
        return dict(self.details).get(name, "")

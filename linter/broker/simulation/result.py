"""What one simulated run of a scenario came to, in the words of the recorded traces."""

from enum import Enum

from msgspec import Struct

from subdrift.linter.broker.simulation.cluster import Delivery
from subdrift.linter.broker.simulation.trace import TraceEvent


class Standing(Enum):
    """Where a message stands at the end of a run, which need not be the end of its way; the worst that fits, in this order."""

    DELIVERED = "delivered"
    """A member that wants it received it."""
    LOST = "lost"
    """Wanted, received by no member that wants it, and the committed offset is past it."""
    PASSED = "passed"
    """As lost, but the offset its reader went on to is not committed yet: a new reader of the queue may see it."""
    WAITING = "waiting"
    """Wanted, and not read for the group: stuck or delayed. BROADCASTING members may have received it."""
    UNWANTED = "unwanted"
    """No member's own subscription matches it."""


class TableEntry(Struct, frozen=True):
    """A subscription in the group's table at one broker."""

    topic: str
    expression: str
    filter_type: str
    version: int


class TableChange(Struct, frozen=True):
    """The table changed; no entry: the topic was deleted."""

    at_ms: int
    broker: str
    topic: str
    entry: TableEntry | None


class Allocation(Struct, frozen=True):
    member: str
    topic: str
    queues: tuple[int, ...]


class QueueState(Struct, frozen=True):
    topic: str
    queue: int
    committed: int | None
    """The group's offset; None where nothing was ever committed."""
    end: int


class Phase(Struct, frozen=True):
    """The state at a `judge` or `snapshot` step."""

    name: str
    sent_ms: int
    judged_ms: int
    winners: tuple[TableEntry, ...]
    """The table of the first broker that has one."""
    sql_filters: tuple[TableEntry, ...]
    shares: tuple[Allocation, ...]
    queues: tuple[QueueState, ...]

    def winner(self, topic: str) -> TableEntry | None:
        """The subscription in force for a topic, None while it is not in the table."""
        return next((entry for entry in self.winners if entry.topic == topic), None)


class MessageFate(Struct, frozen=True):
    """What became of one message."""

    message: str
    fate: Standing
    members: tuple[str, ...]
    """Who received it, each once, in the order of names; also those that do not want it."""


class SimulationResult(Struct, frozen=True):
    """One possible history of a scenario."""

    scenario: str
    seed: int
    phases: tuple[Phase, ...]
    deliveries: tuple[Delivery, ...]
    fates: tuple[MessageFate, ...]
    """Of every message that was sent, at the end of the run."""
    table_history: tuple[TableChange, ...]
    trace: tuple[TraceEvent, ...]
    start_errors: tuple[tuple[str, str], ...]

    @property
    def lost(self) -> tuple[str, ...]:
        """Ids of the lost messages."""
        return tuple(one.message for one in self.fates if one.fate is Standing.LOST)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Ids of messages that are wanted and were not read."""
        return tuple(one.message for one in self.fates if one.fate is Standing.WAITING)

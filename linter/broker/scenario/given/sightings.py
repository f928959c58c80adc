"""What a text says of a group, in the text's own names: client ids, broker names, addresses. Filled line by line."""

from msgspec import Struct, field

from subdrift.linter.broker.scenario.document import ScenarioProblem


class Entry(Struct, frozen=True):
    """A subscription as a text shows it."""

    topic: str
    expression: str
    filter_type: str | None
    """None where the text does not say it."""
    version: int | None = None


class Connection(Struct, frozen=True):
    """A client of the group."""

    client_id: str
    ip: str
    line: int


class Owned(Struct, frozen=True):
    """A queue and the client that works on it: its id or its address; None for nobody."""

    topic: str
    broker: str
    queue: int
    client: str | None
    line: int
    cut: bool = False
    """The table may have cut the topic's name off."""
    own: bool = False
    """The client says it of itself, and nothing of the queues of others."""


class Beat(Struct, frozen=True):
    """What one client asks for: its heartbeat, the part of one that holds the subscriptions (then the client id is not
    known), or what it answers to consumerStatus (then without versions)."""

    client_id: str | None
    entries: tuple[Entry, ...]
    line: int


class Received(Struct, frozen=True):
    """A message that some member received."""

    topic: str
    tag: str | None
    properties: tuple[tuple[str, str], ...]
    line: int


class Sightings(Struct):
    """Everything that was found in one file."""

    connections: list[Connection] = field(default_factory=list)
    table: dict[str, tuple[Entry | None, int]] = field(default_factory=dict)
    """Topic -> what the broker holds, None for removed, and the line; the last line counts."""
    owned: list[Owned] = field(default_factory=list)
    """The last line about a queue counts."""
    beats: list[Beat] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    """Topic -> line."""
    received: list[Received] = field(default_factory=list)
    groups: dict[str, int] = field(default_factory=dict)
    """Consumer groups that are named, with the first line of each."""
    only: str = ""
    """The group to read about; what is about others is passed over. "": there is one."""
    problems: list[ScenarioProblem] = field(default_factory=list)
    """What cannot be read."""
    unused: list[ScenarioProblem] = field(default_factory=list)
    """What can be read and says nothing that is of use here."""

    @property
    def is_empty(self) -> bool:
        return not (
            self.connections
            or self.table
            or self.owned
            or self.beats
            or self.refused
            or self.received
            or self.unused
            or self.problems
        )

    def is_other(self, group: str) -> bool:
        """Whether this is a group that nobody asked about."""
        return bool(self.only) and group != self.only

    def wrong(self, line: int, message: str, remedy: str) -> None:
        self.problems.append(ScenarioProblem("the text", line, message, remedy))

    def skip(self, line: int, message: str, remedy: str) -> None:
        self.unused.append(ScenarioProblem("not used", line, message, remedy))

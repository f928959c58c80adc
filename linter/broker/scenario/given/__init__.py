"""What was observed of a group, to be put in place of what is predicted. `reader` reads it from what people have at hand.

Each kind of text has a module: `recording` (the `observed` object of a recorded trace), `console` (tables of mqadmin),
`wire` (JSON of heartbeats and of the broker's table), `logs` (lines of broker, client and article logs).
"""

from collections.abc import Mapping

from msgspec import Struct

from subdrift.linter.broker.scenario.document import ScenarioProblem
from subdrift.linter.broker.vocabulary import Subscription

Shares = Mapping[str, Mapping[str, tuple[int, ...]]]
"""Member -> topic -> queues."""


class Passed(Struct, frozen=True):
    """A message that a member without a filter of its own received: the broker's filter let it pass."""

    topic: str
    tag: str | None
    properties: tuple[tuple[str, str], ...] = ()


class Observation(Struct, frozen=True):
    """What was seen at one judgement; None for what was not looked at."""

    winner: Mapping[str, Subscription] | None = None
    """Topic -> what the broker's table held; a topic that is missing was not in it at that moment."""
    sql: Mapping[str, str] | None = None
    """Topic -> the SQL92 expression in the broker's separate store."""
    shares: Shares | None = None
    looked_at: frozenset[str] | None = None
    """Topics whose queues were looked at; None: those of every topic."""
    refused: frozenset[str] = frozenset()
    """Topics whose pulls were seen to be answered with code 24: they are not always in the table."""
    passed: tuple[Passed, ...] = ()


class Given(Struct, frozen=True):
    """Observations by phase; those under "" hold for every phase."""

    id_order: tuple[str, ...] | None
    phases: Mapping[str, Observation]
    unused: tuple[ScenarioProblem, ...] = ()
    """What was readable and yet not used, with the reason."""

    def of(self, phase: str) -> Observation | None:
        """What was observed in a phase, None if nothing was."""
        return self.phases.get(phase) or self.phases.get("")

"""What an expression is evaluated in, and the choices it leaves open."""

from __future__ import annotations

from msgspec import Struct, field

from subdrift.linter.model.location import Origin, Span
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.definitions import Definitions
from subdrift.linter.resolve.execute.program import Program
from subdrift.linter.resolve.modules import Modules


class Choice(Struct, frozen=True):
    """An alternative that evaluation met: its place."""

    origin: Origin
    span: Span


class Fork(Exception):
    """Evaluation met an alternative that is not decided yet."""

    def __init__(self, choice: Choice, count: int) -> None:
        super().__init__(choice)
        self.choice = choice
        self.count = count


class World(Struct):
    """Everything resolution looks things up in; the same for all deployables of a run.

    `wanted` are pairs of simple names (type, member) whose uses execution asked for; `wanted_files` are the
    base names of files that code loads; `ran` are the sources whose code was run.
    """

    modules: Modules
    definitions: Definitions
    files: dict[Origin, Placed]
    by_name: dict[str, list[Placed]]
    program: Program
    wanted: set[tuple[str, str]] = field(default_factory=set)
    wanted_files: set[str] = field(default_factory=set)
    ran: set[Origin] = field(default_factory=set)
    _stems: frozenset[str] | None = None

    @property
    def stems(self) -> frozenset[str]:
        """The first part, and the first two, of the packages of Java and Kotlin."""
        if self._stems is None:
            packages = [one.facts.package.split(".") for one in self.files.values() if one.facts.on_jvm]
            self._stems = frozenset(".".join(parts[:count]) for parts in packages for count in (1, 2))
        return self._stems

"""What an expression is evaluated in, and the choices it leaves open."""

from __future__ import annotations

from itertools import takewhile

from msgspec import Struct, field

from subdrift.linter.model.location import Origin, Span
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve.definitions import Definitions
from subdrift.linter.resolve.execute.program import Program
from subdrift.linter.resolve.modules import Deployable, Modules


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

    def file_named(self, path: str, near: Placed, deployable: Deployable) -> Placed | None:
        """The settings file that code loads by a path: on a Java class path in the deployable's own modules, in their order;
        else the nearest one of that name."""
        tail = path.replace("\\", "/").removeprefix("./").lstrip("/")
        self.wanted_files.add(tail.rpartition("/")[2])
        named = [
            placed
            for placed in self.by_name.get(tail.rpartition("/")[2], ())
            if f"/{placed.origin.path}".endswith(f"/{tail.removeprefix('../')}")
        ]
        if near.facts.on_jvm:
            order = {key: index for index, key in enumerate(deployable.takes_in)}
            tested = scope_of(near.origin.path) == "test"
            ranked = [
                (order[key], placed.origin, placed)
                for placed in named
                if (key := self.modules.of(placed.origin)) in order
                and (tested or scope_of(placed.origin.path) != "test")
            ]
        else:
            ranked = [
                (-_shared(near.origin.path, placed.origin.path), placed.origin, placed)
                for placed in named
                if placed.origin.repo == near.origin.repo
            ]
        return min(ranked, key=lambda one: one[:2], default=(0, near.origin, None))[2]


def _shared(one: str, other: str) -> int:
    """How many folders two paths have in common."""
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

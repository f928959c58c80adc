"""How a run is to be done, what it sees of the files, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from subdrift.linter import stages
from subdrift.linter.model.answers import Answers
from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import Diagnostic, Finding, Verdict
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.modules import Modules

if TYPE_CHECKING:
    from subdrift.linter.broker.assume import Assume
    from subdrift.linter.model.topics import Map
    from subdrift.linter.registry.beyond import Again


class Options(Struct, frozen=True):
    """How to run: `workers` processes at most (0: as many as processors).

    `extractor` is part of the keys of facts, `program` of those of whole runs. `material`: it is asked for. `sends`: the
    run's rows are what programs send (`resolve.sends`), and nothing is judged.
    """

    workers: int = 0
    extractor: str = ""
    program: str = ""
    material: bool = False
    sends: bool = False
    progress: Callable[[str], None] | None = None


class Policy(Struct, frozen=True):
    """What the configuration decides for the stages."""

    answers: Mapping[str, Answers] = field(default_factory=dict)
    assume: Callable[[str], Assume] | None = None
    cluster_of: Callable[[str], str] = lambda address: ""


class Material(Struct, frozen=True):
    """What a run was made from: what a registry keeps of it."""

    files: tuple[Placed, ...]
    starts: tuple[Origin, ...]
    units: tuple[stages.Unit, ...]
    modules: Modules


class Sight(Struct, frozen=True, eq=False):
    """What a run has looked at: the files it parsed, and what it looked for in the others."""

    parsed: frozenset[Origin]
    demand: stages.Demand

    def passes_over(self, origin: Origin, *contents: bytes) -> bool:
        """Whether the run would come to the same with any of these in a file of that name."""
        return origin not in self.parsed and all(
            stages.is_passed_over(origin.path, content) and not self.demand.may_ask_for(content)
            for content in contents
        )


class Looked(Struct, eq=False):
    """What a run saw in each file and made of each group, for a run over a tree that has most of them too.

    `same` says of a file that it is in both and has not changed.
    """

    files: dict[Origin, tuple[bytes, stages.Survey]] = field(default_factory=dict)
    """The SHA-256 of a file's bytes, and what they tell before parsing."""
    placed: dict[Origin, tuple[Placed | None, bytes]] = field(default_factory=dict)
    """What a file says, and the key of that in the cache."""
    verdicts: dict[tuple[ConsumerGroup, Assume], Verdict] = field(default_factory=dict)
    same: Callable[[Origin], bool] = field(default=lambda origin: False)


class Seen(Struct, frozen=True):
    """What a run saw of the files, for another run over the very same ones that looks for something else: the SHA-256 (empty
    without a cache) and the survey of each, and of those that were parsed what they say and the key of that in the cache."""

    surveys: Mapping[Origin, tuple[bytes, stages.Survey]] = field(default_factory=dict)
    facts: Mapping[Origin, tuple[Placed | None, bytes]] = field(default_factory=dict)


class Result(Struct, frozen=True):
    """Everything a report needs. `files` were looked at, `parsed` read; `timings` are seconds by stage.

    `foreign` are the ids of consumers that repositories outside of the run hold. `sight` is None where the run was taken
    over from an earlier one, or asked other repositories; `material` where it was taken over and nobody asked for it. `again`
    is what stands for rows of a registry. `sending` is the run for what sends, and `map` joins it with this one, where
    anything asked for them.
    """

    consumers: tuple[Consumer, ...]
    groups: tuple[ConsumerGroup, ...]
    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]
    diagnostics: tuple[Diagnostic, ...]
    suppressions: tuple[Placed, ...]
    files: int
    parsed: int
    rounds: int
    timings: tuple[tuple[str, float], ...]
    material: Material | None
    foreign: frozenset[str] = frozenset()
    sight: Sight | None = None
    seen: Seen = field(default_factory=Seen)
    again: Again | None = None
    sending: Result | None = None
    map: Map | None = None

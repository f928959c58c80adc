"""What the files and the deployables of a run come to, and what is kept of that for the next run."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from subdrift.linter import stages
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.placed import Placed
from subdrift.linter.pipeline.result import Material
from subdrift.linter.resolve.modules import Modules


class OfFiles(Struct, frozen=True):
    """What the files of a run say beside their consumers: how many gave facts, what is wrong with them, and those with
    suppressions."""

    count: int
    problems: tuple[Diagnostic, ...]
    silencing: tuple[Placed, ...]

    @classmethod
    def of(cls, placed: Collection[Placed], repos: Collection[str]) -> OfFiles:
        """Of the facts of a run; what other repositories' files say is theirs."""
        mine = [one for one in placed if one.origin.repo in repos]
        said = [one for one in mine if one.facts.suppressions]
        return cls(
            len(placed),
            tuple(problem for one in mine for problem in stages.problems(one)),
            tuple(Placed(one.origin, _silencing(one.facts)) for one in said),
        )


def _silencing(facts: FileFacts) -> FileFacts:
    return FileFacts(facts.language, suppressions=facts.suppressions)


class Come(Struct, frozen=True):
    """What a run has come to."""

    units: Sequence[stages.Unit]
    of_files: OfFiles
    material: Material | None


class Resolved(Struct, frozen=True):
    """All files in sight, their modules, and what the deployables came to."""

    files: tuple[Placed, ...]
    modules: Modules
    units: Sequence[stages.Unit]


class Earlier(Struct, frozen=True):
    """What is kept of a run: the files it asked for (repository, path, SHA-256 in hex), and what each deployable came
    to, None where that was too much to keep."""

    files: tuple[tuple[str, str, str], ...]
    of_files: OfFiles
    units: tuple[stages.Unit, ...] | None

"""The programs of a deployable are run, each in what its language means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from subdrift.linter.model.location import START, Location
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.beside import Beside
from subdrift.linter.resolve.configuration import Configuration
from subdrift.linter.resolve.execute.declarations import File
from subdrift.linter.resolve.execute.entries import Executed, execute
from subdrift.linter.resolve.execute.program import Program
from subdrift.linter.resolve.execute.scope import Scope
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.programs.settings import ConfiguredSettings
from subdrift.linter.resolve.world import World


class Programs(Struct):
    """The executed programs of one deployable; `at` is the beginning of its first file. `kept`: what whoever makes rows in
    several environments has found out for all of them. `followed` as in `Consumers`. `elsewhere`: a consumer is not there in
    an environment that has been asked, and may be in another."""

    executed: Executed
    scope: Scope
    program: Program
    at: Location
    beside: Beside
    files: tuple[File, ...]
    kept: dict[object, Any] = field(default_factory=dict)
    followed: set[Location] = field(default_factory=set)
    elsewhere: bool = False


_LANGUAGES = ("java", "kotlin", "python")


class _Languages(dict[str, Any]):
    """What languages mean, by name: a language's library is imported where code of it runs, and nowhere else."""

    def __missing__(self, language: str) -> Any:
        made: Any
        if language == "python":
            from subdrift.linter.resolve.semantics.python.language import Python

            made = Python()
        elif language == "kotlin":
            from subdrift.linter.resolve.semantics.jvm.kotlin import Kotlin

            made = Kotlin()
        else:
            from subdrift.linter.resolve.semantics.jvm import Java

            made = Java()
        self[language] = made
        return made


class _Sending(_Languages):
    """The same where sends are looked for."""

    def __missing__(self, language: str) -> Any:
        from subdrift.linter.resolve.semantics import sends

        made = self[language] = sends.semantics(language)
        return made


def run_programs(
    world: World,
    program: Program,
    deployable: Deployable,
    files: Sequence[Placed],
    configuration: Configuration | None = None,
) -> Programs:
    """Executes what the deployable's files make consumers with; asks for callers that are not in sight."""
    scope = Scope(program, world.definitions, deployable)
    if configuration is not None:
        scope.settings = ConfiguredSettings(world, deployable, configuration)
    semantics = _Sending() if program.marks.telling else _Languages()
    lowered: list[File] = []
    for placed in files:
        file = program.file(placed.origin)
        if file is not None and file.language in _LANGUAGES:
            lowered.append(file)
    executed = execute(scope, lowered, semantics.__getitem__, program.slice)
    world.wanted |= executed.wanted
    world.ran.update(method.owner.origin for _, run, _ in executed.runs for method in run.ran)
    classes = tuple(one for file in lowered for one in file.all_classes())
    beside = Beside(executed, scope, classes)
    return Programs(executed, scope, program, next(iter(files)).at(START), beside, tuple(lowered))

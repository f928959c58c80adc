"""What a round of reading carries over from the round before: deployables that would come to the same once more.

A deployable looks up types, subtypes, callers and settings, found or not. It would come to the same as long as its own
files and modules are what they were, nothing that has come into sight since has a key it looked up (`keys_of`), and as
much of its code can reach a client library as before.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from linter.model.location import Origin
from linter.model.placed import Placed
from linter.resolve.execute.program import Program
from linter.resolve.modules import Deployable, ModuleKey, Modules
from linter.stages.unit import Unit, keys_of


@dataclass(frozen=True, slots=True)
class Carried:
    """What a deployable came to, with all that it looked up: `missing` (types), `extended`, and `callers` as in
    `Definitions` and `World.wanted`, `keys` as in `keys_of`; `reaching`: its code that could reach a client library;
    `postponed`: some of its tests were not run yet."""

    unit: Unit
    missing: frozenset[str]
    extended: frozenset[str]
    callers: frozenset[tuple[str, str]]
    keys: frozenset[str]
    reaching: frozenset[object]
    postponed: bool


@dataclass(frozen=True, slots=True)
class Changes:
    """What has come into sight between two rounds: the modules that have more files, or run in other deployables; the keys
    of these files; and the repositories that have more files of Python, in which any module may import any other."""

    modules: frozenset[ModuleKey]
    keys: frozenset[str]
    scripts: frozenset[str]

    @classmethod
    def between(
        cls, before: Container[Origin], then: Modules, now: Iterable[Placed], modules: Modules
    ) -> Changes | None:
        """None where nothing can be carried over: settings or builds have come, which may mean something everywhere, or
        Kotlin, whose functions outside of classes have no type to ask for."""
        new = [placed for placed in now if placed.origin not in before]
        if any(placed.facts.unit is None or placed.facts.language == "kotlin" for placed in new):
            return None
        keys = frozenset(key for placed in new for key in keys_of(placed))
        scripts = frozenset(placed.origin.repo for placed in new if placed.facts.language == "python")
        touched = {modules.of(placed.origin) for placed in new}
        if then is not modules:
            touched.update(key for key in modules.modules if then.together(key) != modules.together(key))
        return cls(frozenset(touched), keys, scripts)

    def touch(self, deployable: Deployable, earlier: Carried) -> bool:
        """Whether a deployable that came to something before may come to something else now."""
        return deployable.key.repo in self.scripts or not (
            self.modules.isdisjoint(deployable.takes_in)
            and self.keys.isdisjoint(earlier.keys)
            and self.keys.isdisjoint(earlier.unit.asked)
        )


def reaching(program: Program, files: Sequence[Placed]) -> frozenset[object]:
    """What tells how much of the code of some files can reach a client library, and what it calls to do so."""
    whole = program.slice
    inside = frozenset(placed.origin for placed in files)
    found: set[object] = set()
    for placed in files:
        file = program.file(placed.origin)
        if file is None or file.language == "python":
            continue
        for one in file.all_classes():
            if one in whole.made:
                found.add(one)
            for methods in one.methods.values():
                for method in methods:
                    if method in whole.hot:
                        found.add(method)
                    for name in whole.methods[method].called & whole.names if method in whole.methods else ():
                        found.add((name, whole.touching.get(name, frozenset()) <= inside))
    return frozenset(found)

"""What a deployable came to, and what a later round, or a later run, needs to know to take it over.

A deployable looks up types, subtypes, callers and settings, found or not. It would come to the same as long as its own
files and modules are what they were, nothing that has come into sight or changed since has a key it looked up
(`keys_of`), and as much of the code it runs can reach a client library as before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Sequence

from msgspec import Struct

from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.configuration.surroundings import ANY_FILE, base_name, is_values
from subdrift.linter.resolve.consumers import Consumers
from subdrift.linter.resolve.execute.declarations import File
from subdrift.linter.resolve.execute.program import Program
from subdrift.linter.resolve.execute.slice import Slice
from subdrift.linter.resolve.modules import Deployable, ModuleKey, Modules
from subdrift.linter.stages.unit import keys_of, settings_key


class Carried(Struct, frozen=True):
    """What a deployable came to (`found`; None: it was not kept), with all that it looked up: `asked` as in
    `Definitions`, `missing` (types), `extended`, `callers` as in `World.wanted`, `files` as in `World.wanted_files`, and
    `keys` as in `keys_of` and `settings_key`. `ran` are the sources of other modules whose code it ran, `reaching` tells by
    what its code could reach a client library; `postponed`: it is not settled yet."""

    found: Consumers | None
    asked: frozenset[str]
    missing: frozenset[str]
    extended: frozenset[str]
    callers: frozenset[tuple[str, str]]
    files: frozenset[str]
    keys: frozenset[str]
    ran: frozenset[Origin]
    reaching: str
    postponed: bool


class Changes(Struct, frozen=True):
    """What has come into sight or changed: the modules that have such files, or run in other deployables; the keys of these
    files; the files that have changed; and the repositories that have such files of Python, in which any module may
    import any other."""

    modules: frozenset[ModuleKey]
    keys: frozenset[str]
    scripts: frozenset[str]
    files: frozenset[Origin] = frozenset()

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

    @classmethod
    def within(cls, pairs: Iterable[tuple[Placed, Placed]], modules: Modules) -> Changes | None:
        """Files before and after an edit; None where nothing can be carried over: what they configure, or what all of a
        repository's code is read by, has changed with them."""
        found: list[Placed] = []
        keys: set[str] = set()
        for one, other in pairs:
            if _only_settings(one) and _only_settings(other):
                found.append(other)
                keys.update(map(settings_key, (base_name(other.origin.path), ANY_FILE)))
                continue
            if one.facts.language == "kotlin" or _common(one) != _common(other):
                return None
            found += (one, other)
            # calls that were there before: what followed them has the file among those of `Carried.ran`
            same = _calls(one) == _calls(other)
            both = keys_of(one) | keys_of(other)
            keys.update(key for key in both if not (same and key.startswith("call:")))
        return cls(
            frozenset(modules.of(placed.origin) for placed in found),
            frozenset(keys),
            frozenset(placed.origin.repo for placed in found if placed.facts.language == "python"),
            frozenset(placed.origin for placed in found),
        )

    def touch(self, deployable: Deployable, earlier: Carried) -> bool:
        """Whether a deployable that came to something before may come to something else now."""
        return deployable.key.repo in self.scripts or not (
            self.modules.isdisjoint(deployable.takes_in)
            and self.keys.isdisjoint(earlier.keys)
            and self.keys.isdisjoint(earlier.asked)
            and self.files.isdisjoint(earlier.ran)
        )


def _only_settings(placed: Placed) -> bool:
    """Whether a file has keys with texts and says nothing else: the modules it lies in read them, and those that look up a
    file of its name. What tells others what to read (of deployments, charts, builds) means something everywhere."""
    facts = placed.facts
    told = FileFacts(
        "config",
        config=facts.config,
        text=facts.text,
        suppressions=facts.suppressions,
        problems=facts.problems,
    )
    keyed = not any(entry.file or entry.holder for entry in facts.config)
    return facts == told and keyed and not is_values(placed.origin.path)


def _common(placed: Placed) -> object:
    """What of a source file means something for code that names nothing in it; a file without code means something
    everywhere."""
    facts = placed.facts
    if facts.unit is None:
        return object()
    imports = tuple(name for name in facts.imports if not name.startswith("java."))
    declared = facts.types if facts.language == "xml" else ()
    configured = (facts.config, facts.environment, declared, facts.applications, facts.runs)
    return (facts.language, facts.package, imports, configured)


def _calls(placed: Placed) -> object:
    """What each method of a source file calls on what."""
    assert placed.facts.unit is not None
    whole = Slice([File.of(placed, placed.facts.unit)])
    methods = {
        (one.owner.origin, one.owner.name, one.name, one.number): names.calls
        for one, names in whole.methods.items()
    }
    bodies = {one.name: names.calls for one, names in whole.bodies.items()}
    return (methods, bodies, placed.facts.unit.calls)


def reaching(program: Program, files: Sequence[Placed], ran: Iterable[Origin]) -> str:
    """A digest of how much of the code of some files, and of those they ran code of, can reach a client library, and of
    what it calls to do so."""
    whole = program.slice
    inside = frozenset(placed.origin for placed in files)
    found: list[str] = []
    for origin in {*inside, *ran}:
        file = program.file(origin)
        if file is not None and file.language != "python":
            marks, calls = whole.reaching(file)
            found += marks
            found += (f"{mark}\0{whole.touching.get(name, frozenset()) <= inside}" for mark, name in calls)
    return hashlib.sha256("\n".join(sorted(found)).encode("utf-8", "surrogatepass")).hexdigest()

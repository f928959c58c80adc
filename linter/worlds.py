"""Several repositories in one process: each is worked out by itself, and again with what others hold of what it looked up.

The world of a repository has its own files, those of the repositories that its build files take in, and the files of others
that it has looked something up in. Nothing else could change what it comes to, so the cost of an organisation is that of
its repositories, and of what crosses them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from msgspec import Struct, field

from subdrift.linter import stages
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.modules import Deployable, Modules

Files = Mapping[str, Mapping[Origin, Placed]]
"""By repository the files that were read by now."""


class World(Struct, frozen=True):
    """What a repository is worked out in; its files become more while it asks. `modules` are those of all repositories."""

    repo: str
    modules: Modules
    deployables: tuple[Deployable, ...]
    placed: Files
    inside: tuple[str, ...]
    lent: Set[Origin]

    @property
    def files(self) -> list[Placed]:
        """All files of it by now."""
        others = (self.placed[origin.repo][origin] for origin in self.lent if origin.repo not in self.inside)
        return [*(one for repo in self.inside for one in self.placed.get(repo, {}).values()), *others]

    @property
    def told(self) -> list[object]:
        """What its deployables can be told of modules."""
        return [self.modules.told(one) for one in self.deployables]

    @property
    def state(self) -> object:
        """Equal where the repository would come to the same."""
        return frozenset(one.origin for one in self.files), self.told


Named = tuple[str, str]
"""The package and the simple name of a type."""


class _Asked(Struct):
    """What the repositories have looked up: by key those that did; by simple name those that want the subtypes of a type, and
    by the name of a call those that want the callers of a class, each with the packages that the type may be in. `declared`
    are the types of each."""

    declared: Mapping[str, Set[Named]]
    by_key: dict[str, set[str]] = field(default_factory=dict)
    below: dict[str, dict[tuple[str, str], frozenset[str]]] = field(default_factory=dict)
    calls: dict[str, dict[tuple[str, str], frozenset[str]]] = field(default_factory=dict)

    def add(self, repo: str, known: stages.Known) -> None:
        packages = _packages(known.files)
        for one in known.came_to.values():
            for owner, name in one.callers:
                if owner == "import":
                    self.by_key.setdefault(f"import:{name}", set()).add(repo)
                else:
                    self.calls.setdefault(name, {})[owner, repo] = frozenset(packages.get(owner, ()))
            for key in one.asked:
                kind, _, name = key.partition(":")
                if kind == "below":
                    self.below.setdefault(name, {})[name, repo] = frozenset(packages.get(name, ()))
                elif kind != "call":  # whose class is not told by the key
                    self.by_key.setdefault(key, set()).add(repo)

    def held(self, placed: Placed) -> set[str]:
        """The repositories that have looked up something a file holds, its callers and subtypes left out."""
        return {repo for key in stages.keys_of(placed) for repo in self.by_key.get(key, ())}

    def users(self, placed: Placed) -> Iterator[tuple[str, Named]]:
        """The types that a file may call, or extend, and whose callers or subtypes are wanted; with the repositories that want
        them. A type that its own repository declares is that one."""
        unit = placed.facts.unit
        if unit is None:
            return
        called = {name for name, _ in unit.calls}
        # a static import names the class, and the code behind it does not
        named = called.union(unit.names, *(_PARTS(one) for one in placed.facts.imports))
        wanted = [self.calls[name] for name in called & self.calls.keys()]
        wanted += [
            self.below[name]
            for key in stages.keys_of(placed)
            if key.startswith("below:") and (name := key.removeprefix("below:")) in self.below
        ]
        own = self.declared[placed.origin.repo]
        for askers in wanted:
            for (owner, repo), packages in askers.items():
                for package in (packages or {""}) if owner in named else ():
                    means_own = (package, owner) in own
                    if (repo == placed.origin.repo) == means_own and _sees(placed, package):
                        yield repo, (package, owner)


_PARTS = re.compile(r"\w+").findall


def _sees(placed: Placed, package: str) -> bool:
    """Whether a file can name a type of a package: it is in it, imports something of it, or writes its name out. Modules of
    Python have none to go by."""
    facts = placed.facts
    if facts.language == "python" or not package or facts.package == package:
        return True
    if any(one.startswith(f"{package}.") for one in facts.imports):
        return True
    return facts.unit is not None and set(package.split(".")) <= set(facts.unit.names)


def _packages(files: Iterable[Placed]) -> dict[str, set[str]]:
    """By simple name of a type the packages it is declared in; those of Python are called ""."""
    found: dict[str, set[str]] = {}
    for placed in files:
        for type_ in placed.facts.types:
            found.setdefault(_simple(type_.name), set()).add(placed.facts.package)
    return found


def _simple(name: str) -> str:
    return name.rpartition(".")[2]


class Worlds:
    """What the repositories of a run come to. `placed` are the files read by now, `starts` those a process may start in."""

    def __init__(self, repos: Iterable[str], placed: Files, starts: Sequence[Origin]) -> None:
        self.repos = tuple(sorted(repos))
        self.placed = placed
        self.starts = starts
        self.known: dict[str, stages.Known] = {}
        self.modules = Modules((), (), self.repos)
        self._lent: dict[str, set[Origin]] = {repo: set() for repo in self.repos}
        self._worked: dict[str, object] = {}

    def settle(self, work_out: Callable[[World, stages.Known | None], stages.Known]) -> None:
        """Works out every repository whose world is another than when it was worked out last, until none is: worlds only grow,
        and no further than all files. `work_out` is given what was known of it before."""
        while True:
            due = [one for one in self._worlds() if self._worked.get(one.repo) != one.state]
            for world in due:
                known = self.known[world.repo] = work_out(world, self.known.get(world.repo))
                known.world.program.let_go()
                self._worked[world.repo] = world.state
            if not due:
                return
            self._lend()

    @property
    def packages(self) -> Mapping[str, Set[str]]:
        """By simple name of a type the packages it is declared in."""
        return _packages(one for inside in self.placed.values() for one in inside.values())

    def _worlds(self) -> Iterator[World]:
        every = (placed for repo in self.repos for _, placed in sorted(self.placed.get(repo, {}).items()))
        builds = tuple(placed for placed in every if placed.facts.build)
        self.modules = Modules.like(self.modules, builds, self.starts, self.repos)
        deployables: dict[str, list[Deployable]] = {}
        for one in self.modules.deployables:
            deployables.setdefault(one.key.repo, []).append(one)
        for repo in self.repos:
            mine = tuple(deployables.get(repo, ()))
            inside = dict.fromkeys((repo, *sorted({key.repo for one in mine for key in one.takes_in})))
            yield World(repo, self.modules, mine, self.placed, tuple(inside), self._lent[repo])

    @property
    def wanted(self) -> stages.Wanted:
        """What all of them asked for in the end."""
        every = [known.wanted() for known in self.known.values()]
        return stages.Wanted(
            frozenset().union(*(one.types for one in every)),
            frozenset().union(*(one.callers for one in every)),
            frozenset().union(*(one.files for one in every)),
        )

    def _lend(self) -> None:
        """Lends each repository the files of others that it has looked something up in, and to what uses types of others the
        files that declare them, and those that these use."""
        every = [placed for inside in self.placed.values() for placed in inside.values()]
        declaring: dict[Named, list[Origin]] = {}
        declared: dict[str, set[Named]] = {repo: set() for repo in self.placed}
        for placed in every:
            for type_ in placed.facts.types:
                named = (placed.facts.package, _simple(type_.name))
                declared[placed.origin.repo].add(named)
                declaring.setdefault(named, []).append(placed.origin)
        asked = _Asked(declared)
        for repo, known in self.known.items():
            asked.add(repo, known)
        uses: dict[Origin, set[Origin]] = {}
        for placed in every:
            origin = placed.origin
            for repo in asked.held(placed) - {origin.repo}:
                self._lent[repo].add(origin)
            for repo, named in asked.users(placed):
                of_own = named in declared[origin.repo]
                uses.setdefault(origin, set()).update(
                    one for one in declaring.get(named, ()) if not of_own or one.repo == origin.repo
                )
                if repo != origin.repo:
                    self._lent[repo].add(origin)
        for origin in uses:
            self._lent[origin.repo].update(one for one in _reached(origin, uses) if one.repo != origin.repo)


def _reached(origin: Origin, uses: Mapping[Origin, Set[Origin]]) -> set[Origin]:
    """What a file uses, and what that uses."""
    found: set[Origin] = set()
    stack = [origin]
    while stack:
        fresh = uses.get(stack.pop(), set()) - found
        found |= fresh
        stack += fresh
    return found

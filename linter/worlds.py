"""Several repositories in one process: each is worked out by itself, and again with what others hold of what it looked up.

The world of a repository has its own files, those of the repositories that its build files take in, and the files of others
that it has looked something up in. Nothing else could change what it comes to, so the cost of an organisation is that of
its repositories, and of what crosses them.
"""

from __future__ import annotations

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


class _Asked(Struct):
    """What the repositories have looked up: by key those that did; by simple name those that want the subtypes of a type, and
    by the name of a call those that want the callers of a class, each with the packages that the type may be in. `declared`
    are the types of each."""

    declared: Mapping[str, Set[str]]
    by_key: dict[str, set[str]] = field(default_factory=dict)
    below: dict[str, dict[str, frozenset[str]]] = field(default_factory=dict)
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
                    self.below.setdefault(name, {})[repo] = frozenset(packages.get(name, ()))
                elif kind != "call":  # whose class is not told by the key
                    self.by_key.setdefault(key, set()).add(repo)

    def held(self, placed: Placed) -> Iterator[str]:
        """The repositories that have looked up something a file holds, its callers left out."""
        for key in stages.keys_of(placed):
            yield from self.by_key.get(key, ())
            if key.startswith("below:"):
                for repo, packages in self.below.get(key.removeprefix("below:"), {}).items():
                    if _sees(placed, packages):
                        yield repo

    def users(self, placed: Placed) -> Iterator[tuple[str, str]]:
        """The classes whose callers are wanted and that a file may call, with the repositories that want them."""
        unit = placed.facts.unit
        if unit is None:
            return
        called = {name for name, _ in unit.calls}
        named = called | set(unit.names)
        own = self.declared[placed.origin.repo]
        for name in called & self.calls.keys():
            for (owner, repo), packages in self.calls[name].items():
                if owner not in named or repo == placed.origin.repo:
                    continue
                others = {package for package in packages if f"{package}.{owner}" not in own}
                if (others or not packages) and _sees(placed, others):
                    yield owner, repo


def _sees(placed: Placed, packages: Set[str]) -> bool:
    """Whether a file can name a type of one of some packages: it is in it, or imports something of it. Modules of Python have
    no packages to go by."""
    facts = placed.facts
    if facts.language == "python" or not packages or facts.package in packages:
        return True
    return any(one.startswith(f"{package}.") for one in facts.imports for package in packages if package)


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
        """Works out every repository whose world is another than when it was worked out last, until none is. `work_out` is
        given what was known of it before."""
        for _ in range(stages.ROUNDS_MAX):
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
        """Lends each repository the files of others that it has looked something up in, and to what calls something of
        another the classes that it calls."""
        asked = _Asked(
            {
                repo: {type_.name for placed in inside.values() for type_ in placed.facts.types}
                for repo, inside in self.placed.items()
            }
        )
        for repo, known in self.known.items():
            asked.add(repo, known)
        every = [pair for inside in self.placed.values() for pair in inside.items()]
        users: dict[tuple[str, str], set[str]] = {}
        for origin, placed in every:
            for owner, repo in asked.users(placed):
                users.setdefault((owner, repo), set()).add(origin.repo)
                self._lent[repo].add(origin)
            for repo in asked.held(placed):
                if repo != origin.repo:
                    self._lent[repo].add(origin)
        for origin, placed in every:
            for type_ in placed.facts.types if users else ():
                for user in users.get((_simple(type_.name), origin.repo), ()):
                    self._lent[user].add(origin)

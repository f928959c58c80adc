"""Build files -> modules, what each takes in, and which run by themselves.

A module is a Maven module, Gradle subproject or Python project, the repository root where there is none. A
deployable is a module that runs, with the closure of modules it depends on, across repositories by coordinate.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from msgspec.structs import replace

from subdrift.linter.model.facts import BOOT_PARENT, BuildFile, Dependency, ResourceFolder
from subdrift.linter.model.location import START, Location, Origin
from subdrift.linter.model.placed import Placed, scope_of, spring_file
from subdrift.linter.resolve.modules.builds import Builds
from subdrift.linter.resolve.modules.parts import (
    SPRING_FOLDERS,
    Deployable,
    Module,
    ModuleKey,
    Resources,
    Ring,
    applied,
    coordinates_of,
    folder_of,
    is_gradle,
)
from subdrift.linter.resolve.modules.rings import rings, way_around

CLOSURE_MAX = 2_000
"""Modules one deployable may take in; the rest is left out (a number no build comes near)."""

RING_MAX = 20
"""Modules that may take each other in; of more, none takes in another one of them (each would hold all)."""


class Modules(Builds):
    """All modules of a run, and who takes in whom."""

    def __init__(
        self, builds: Iterable[Placed], entry_points: Iterable[Origin], repos: Sequence[str]
    ) -> None:
        super().__init__(builds)
        self.repos = tuple(repos)
        self._found: dict[tuple[str, str], ModuleKey] = {}
        self._resources: dict[ModuleKey, Resources] = {}
        self._pinned: dict[ModuleKey, Sequence[Dependency]] = {}
        self._versions: dict[tuple[ModuleKey, int, tuple[str, ...], bool], tuple[str, Location] | None] = {}
        self._inside: dict[tuple[ModuleKey, int], frozenset[ModuleKey]] = {}
        self._keys = self._all_keys(repos)
        self._starts = self._starting(entry_points)
        self.modules: dict[ModuleKey, Module] = {key: self._module(key) for key in sorted(self._keys)}
        self._rings: dict[ModuleKey, Ring] = {
            key: ring for ring in self._found_rings() for key in ring.modules
        }

    @classmethod
    def like(
        cls, earlier: Modules | None, builds: Sequence[Placed], starts: Iterable[Origin], repos: Sequence[str]
    ) -> Modules:
        """The modules of a round, with what those of the round before have worked out where its build files are the same."""
        if earlier is None or [id(one) for one in earlier.builds] != [id(one) for one in builds]:
            return cls(builds, starts, repos)
        return earlier._started_at(starts) if earlier.repos == tuple(repos) else cls(builds, starts, repos)

    def _started_at(self, entry_points: Iterable[Origin]) -> Modules:
        """The modules of the same build files where other files start a program."""
        starts = self._starting(entry_points)
        if starts == self._starts:
            return self
        made = copy.copy(self)
        for derived in ("deployables", "_takers"):
            made.__dict__.pop(derived, None)
        made._starts = starts
        made.modules = {
            key: module if (runs := made._runs(key)) is module.runs else replace(module, runs=runs)
            for key, module in self.modules.items()
        }
        return made

    def _found_rings(self) -> Iterable[Ring]:
        """The rings of modules in dependencies that are not for tests."""
        direct: dict[ModuleKey, tuple[ModuleKey, ...]] = {}
        single: dict[tuple[ModuleKey, ModuleKey], Dependency] = {}
        for key, module in self.modules.items():
            reached: dict[ModuleKey, None] = {}
            for dependency in module.dependencies:
                targets = self._declared_targets(key, dependency)
                reached.update(dict.fromkeys(targets))
                if len(targets) == 1:
                    single.setdefault((key, targets[0]), dependency)
            direct[key] = tuple(reached)
        for members in rings(self.modules, direct.__getitem__):
            around = way_around(members, direct.__getitem__)
            edges = [single.get(edge) for edge in pairwise(around)]
            sure = all(edges) and len({key.repo for key in members}) == 1
            refused = sure and all(self._is_of_a_reactor(key) for key in members)
            first = self.modules[around[0]].build
            where = None if first is None else Location(first, edges[0].at if edges[0] is not None else START)
            yield Ring(frozenset(members), around, where, refused, len(members) > RING_MAX)

    def _is_of_a_reactor(self, key: ModuleKey) -> bool:
        """Whether Maven or Gradle builds a module; both refuse modules that take each other in."""
        files = self._builds.get(key) or self._unwritten(key)
        return bool(files) and files[0][1].kind in ("maven", "gradle")

    def ring_of(self, key: ModuleKey) -> Ring | None:
        """The ring a module is in; None where it is in none."""
        return self._rings.get(key)

    def _starting(self, entry_points: Iterable[Origin]) -> tuple[frozenset[ModuleKey], frozenset[ModuleKey]]:
        """The modules in which a process may start, and those with the settings of an application of their own."""
        places = [origin for origin in entry_points if scope_of(origin.path) != "test"]
        settings = {origin for origin in places if spring_file(origin.path) is not None}
        return (
            frozenset(self.of(origin) for origin in places if origin not in settings),
            frozenset(self.of(origin) for origin in settings),
        )

    def _runs(self, key: ModuleKey) -> bool:
        files = self._builds.get(key) or self._unwritten(key)
        return key in self._starts[0] or any(build.runs for _, build in files)

    def of(self, origin: Origin) -> ModuleKey:
        """The module a file belongs to: the nearest folder above it that is one."""
        start = folder = folder_of(origin.path)
        known = self._found.get((origin.repo, start))
        if known is not None:
            return known
        key = ModuleKey(origin.repo, folder)
        while folder and key not in self._keys:
            folder = folder_of(folder)
            key = ModuleKey(origin.repo, folder)
        self._found[origin.repo, start] = key
        return key

    @cached_property
    def deployables(self) -> tuple[Deployable, ...]:
        """Every deployable, and every module that does not run as an unknown one (for its tests alone, where a
        deployable takes it in, or a module that nobody takes in); in order of their keys."""
        known = [
            Deployable(key, self._closure(key))
            for key, module in self.modules.items()
            if module.runs and not module.aggregates
        ]
        inside = {key for deployable in known for key in deployable.takes_in[1:]}
        known = [each for each in known if self._is_packaged(each.key) or each.key not in inside]
        taken = {key for deployable in known for key in deployable.takes_in}
        running = {deployable.key for deployable in known}
        rest = {key: self._closure(key) for key in self.modules if key not in running}
        below = {key for closure in rest.values() for key in closure[1:]}
        taken |= {key for one, closure in rest.items() if one not in below for key in closure[1:]}
        unknown = [
            Deployable(key, closure, known=False, tests_only=key in taken) for key, closure in rest.items()
        ]
        return tuple(known + unknown)

    def _is_packaged(self, key: ModuleKey) -> bool:
        """Whether a module is made to run by itself, whoever takes it in: its build says so, or a parent's whose plugin it
        inherits, or it has the port or the name of an application. A `main` alone may be a scratch in a library."""
        files = self._builds.get(key, [])
        if any(build.runs for _, build in files):
            return True
        if key not in self._starts[0]:
            return False
        return key in self._starts[1] or any(
            parent.runs for _, build in files for parent in self._parents(key, build)
        )

    def together(self, one: ModuleKey, *others: ModuleKey) -> tuple[Deployable, ...]:
        """The deployables whose process holds all the modules: known ones first, then those that nobody takes in."""
        beside = [self._takers.get(other, {}) for other in others]
        return tuple(
            deployable
            for key, deployable in self._takers.get(one, {}).items()
            if all(key in each for each in beside)
        )

    @cached_property
    def _takers(self) -> Mapping[ModuleKey, Mapping[ModuleKey, Deployable]]:
        running = [each for each in self.deployables if each.known]
        rest = [each for each in self.deployables if not each.known and not each.tests_only]
        below = {key for each in rest for key in each.takes_in[1:]}
        found: dict[ModuleKey, dict[ModuleKey, Deployable]] = {}
        for deployable in (*running, *sorted(rest, key=lambda each: (each.key in below, each.key))):
            for key in deployable.takes_in:
                found.setdefault(key, {})[deployable.key] = deployable
        return found

    def program(self, deployable: Deployable, key: ModuleKey) -> Deployable:
        """The deployable whose program a site of a module is: the smallest that holds it, of a deployable and those it takes
        in. An application that is packaged once more inside another one is one program."""
        asked = (deployable.key, len(deployable.takes_in))
        inside = self._inside.get(asked)
        if inside is None:
            inside = self._inside[asked] = frozenset(deployable.takes_in)
        takers = self._takers.get(key, {})
        few, many = (inside, takers) if len(inside) < len(takers) else (takers, inside)
        holders = [takers[one] for one in few if one in many and takers[one].known]
        return min(holders, key=lambda each: (len(each.takes_in), each.key), default=deployable)

    def told(self, deployable: Deployable) -> tuple[object, ...]:
        """Everything a deployable can be told of modules: what it is made of means the same where this is equal."""
        takers = (next(iter(self._takers.get(key, ())), None) for key in deployable.takes_in)
        targets = (
            self._targets(key, one) for key in deployable.takes_in for one in self.modules[key].dependencies
        )
        return (
            deployable,
            self.boot_version(deployable),
            *((self.modules[key], self.resources(key), self._pins(key)) for key in deployable.takes_in),
            *takers,
            *(self.program(deployable, key).key for key in deployable.takes_in),
            *targets,
        )

    def edge(self, source: ModuleKey, target: ModuleKey) -> Dependency | None:
        """The declared dependency by which `source` takes in `target`, directly or through others."""
        seen = {source}
        queue: list[tuple[ModuleKey, Dependency | None]] = [(source, None)]
        while queue and len(seen) < CLOSURE_MAX:
            current, first = queue.pop(0)
            for dependency in self.modules[current].dependencies if current in self.modules else ():
                for key in self._targets(current, dependency):
                    if key == target:
                        return first or dependency
                    if key not in seen:
                        seen.add(key)
                        queue.append((key, first or dependency))
        return None

    def _all_keys(self, repos: Sequence[str]) -> set[ModuleKey]:
        keys = {ModuleKey(repo, "") for repo in repos} | set(self._builds)
        for key, build in self._settings.items():
            keys |= self._included(key, build)
        return keys

    def _module(self, key: ModuleKey) -> Module:
        files = self._builds.get(key) or self._unwritten(key)
        runs = self._runs(key)
        if not files:
            return Module(key, "", "", (), runs, False, None)
        origin, build = files[0]
        properties = dict(self._inherited(key, build))
        properties.update(
            {"project.artifactId": build.coordinate.rpartition(":")[2], "project.version": build.version}
        )
        managed = {
            applied(entry.coordinate, properties): applied(entry.version, properties)
            for entry in (*self._managed(key, build), *self._catalogue(key.repo))
        }
        dependencies = tuple(
            Dependency(
                coordinate,
                applied(entry.version, properties) or managed.get(coordinate, ""),
                entry.at,
                entry.test,
            )
            for _, each in files
            for entry in each.dependencies
            for coordinate in coordinates_of(entry.coordinate, properties)
        )
        dependencies += tuple(self._inherited_dependencies(key, build, properties, managed, dependencies))
        return Module(
            key,
            applied(self._coordinate(key, build), properties),
            applied(self._version(key, build), properties),
            dependencies,
            runs,
            all(each.aggregates for _, each in files),
            origin,
            tuple(sorted(properties.items())),
        )

    @cached_property
    def _by_coordinate(self) -> Mapping[str, tuple[ModuleKey, ...]]:
        found: dict[str, list[ModuleKey]] = {}
        for key, module in self.modules.items():
            if module.coordinate:
                found.setdefault(module.coordinate, []).append(key)
        return {coordinate: tuple(keys) for coordinate, keys in found.items()}

    def _targets(self, source: ModuleKey, dependency: Dependency) -> tuple[ModuleKey, ...]:
        found = self._declared_targets(source, dependency)
        ring = self._rings.get(source)
        return found if ring is None or not ring.cut else tuple(k for k in found if k not in ring.modules)

    def _declared_targets(self, source: ModuleKey, dependency: Dependency) -> tuple[ModuleKey, ...]:
        if dependency.test:
            return ()
        if dependency.coordinate.startswith(":"):
            folder = dependency.coordinate.strip(":").replace(":", "/")
            for depth in range(source.folder.count("/") + 2):
                base = "/".join(source.folder.split("/")[:depth]) if source.folder else ""
                key = ModuleKey(source.repo, f"{base}/{folder}".strip("/"))
                if key in self.modules:
                    return (key,)
            return ()
        keys = self._by_coordinate.get(dependency.coordinate, ())
        near = tuple(key for key in keys if key.repo == source.repo)
        return near or keys

    def _closure(self, key: ModuleKey) -> tuple[ModuleKey, ...]:
        order = [key]
        seen = {key}
        for current in order:
            for dependency in self.modules[current].dependencies:
                for target in self._targets(current, dependency):
                    if target not in seen and len(order) < CLOSURE_MAX:
                        seen.add(target)
                        order.append(target)
        return tuple(order)

    def version_of(
        self, deployable: Deployable, coordinates: Sequence[str], own: bool = False
    ) -> tuple[str, Location] | None:
        """The version in which a deployable takes in one of the artifacts, and where it is declared.

        `own`: as its own repository's build files say it, by a dependency or a managed version. None where it is not
        declared, managed outside the run, or computed.
        """
        asked = (deployable.key, len(deployable.takes_in), tuple(coordinates), own)
        if asked not in self._versions:
            self._versions[asked] = self._find_version(deployable, coordinates, own)
        return self._versions[asked]

    def _find_version(
        self, deployable: Deployable, coordinates: Sequence[str], own: bool
    ) -> tuple[str, Location] | None:
        for key in deployable.takes_in:
            if own and key.repo != deployable.key.repo:
                continue
            module = self.modules[key]
            declared = (*module.dependencies, *(self._pins(key) if own else ()))
            for dependency in declared:
                plain = dependency.coordinate
                if plain in coordinates and dependency.version and "$" not in dependency.version:
                    assert module.build is not None
                    return dependency.version, Location(module.build, dependency.at)
        return None

    def _pins(self, key: ModuleKey) -> Sequence[Dependency]:
        """The managed versions of a module, nearest first; they hold for what its dependencies bring along too."""
        found = self._pinned.get(key)
        if found is None:
            found = self._pinned[key] = [
                entry
                for _, build in self._builds.get(key, ())[:1]
                for entry in reversed(self._managed(key, build))
            ]
        return found

    def boot_version(self, deployable: Deployable) -> tuple[int, ...] | None:
        """The version of Spring Boot a deployable is built with, None where no build file of the run tells."""
        for key in deployable.takes_in[:1]:
            for text in self._boot_versions(key):
                numbers = re.findall(r"\d+", text)[:3]
                if numbers and "$" not in text:
                    return tuple(int(number) for number in numbers)
        return None

    def _boot_versions(self, key: ModuleKey) -> Iterable[str]:
        """What the build files of a module say of Spring Boot's version, the nearest first."""
        for _, build in self._builds.get(key, []):
            properties = dict(self.modules[key].properties)
            for each in (build, *self._parents(key, build)):
                named = [*([each.parent] if each.parent else []), *each.managed, *each.dependencies]
                for one in named:
                    if (
                        applied(one.coordinate, properties).startswith("org.springframework.boot:")
                        and one.version
                    ):
                        yield applied(one.version, properties)

    def resources(self, key: ModuleKey) -> Resources:
        """What the build of a module does with its resources."""
        found = self._resources.get(key)
        if found is None:
            found = self._resources[key] = self._resources_of(key)
        return found

    def expands(self, key: ModuleKey) -> bool:
        """Whether a Gradle build fills in `${…}` of resources by itself (`processResources { expand … }`)."""
        files = [build for _, build in self._builds.get(key, ()) if is_gradle(build)]
        return any(each.delimiters == "$" for build in files for each in (build, *self._parents(key, build)))

    def _resources_of(self, key: ModuleKey) -> Resources:
        maven = [build for _, build in self._builds.get(key, []) if build.kind == "maven"]
        if not maven:
            return Resources(False, (), "", ())
        chain = [maven[0], *self._parents(key, maven[0])]
        top = chain[-1].parent
        spring = top is not None and top.coordinate == BOOT_PARENT
        folders = next((build.resources for build in chain if build.resources), ())
        known = (
            top is None or spring or bool(folders)
        )  # folders that a pom names replace those of all above it
        delimiters = next((build.delimiters for build in chain if build.delimiters), "")
        if not folders:
            folders = SPRING_FOLDERS if spring else (ResourceFolder("src/main/resources", False),)
        properties = dict(self.modules[key].properties)
        folders = tuple(replace(each, directory=applied(each.directory, properties)) for each in folders)
        names = {**properties, **self._project(key, maven[0])}
        return Resources(
            known,
            tuple(each for each in folders if "$" not in each.directory),
            delimiters or ("@" if spring else "$@"),
            tuple(sorted(names.items())),
            frozenset(name for build in chain for name in build.varied),
        )

    def _project(self, key: ModuleKey, build: BuildFile) -> dict[str, str]:
        """The properties Maven makes of a pom's own elements."""
        module = self.modules[key]
        group, _, artifact = module.coordinate.rpartition(":")
        own = {
            "artifactId": artifact,
            "groupId": group,
            "version": module.version,
            "name": build.name or artifact,
            "build.finalName": f"{artifact}-{module.version}",
        }
        if build.parent is not None:
            above, _, parent = build.parent.coordinate.rpartition(":")
            own |= {
                "parent.artifactId": parent,
                "parent.groupId": above,
                "parent.version": build.parent.version,
            }
        known = {name: text for name, text in own.items() if text and "$" not in text}
        return {f"{stem}.{name}": text for stem in ("project", "pom") for name, text in known.items()}

    def is_own(self, coordinate: str) -> bool:
        """Whether an artifact is a module of the run."""
        return coordinate.startswith(":") or coordinate in self._by_coordinate

    def depends_on(self, deployable: Deployable, coordinate: str) -> bool:
        """Whether any module of a deployable declares the artifact."""
        return any(
            dependency.coordinate == coordinate
            for key in deployable.takes_in
            for dependency in self.modules[key].dependencies
        )

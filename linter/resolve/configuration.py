"""The configuration one deployable runs with in one environment: key -> text, with Spring's precedence.

Highest first: answers of `.subdrift.toml`, visible deployment variables, mounted files and the working directory over
the class path, a later active profile over an earlier one over none, a `config/` folder over its parent,
`.properties` over YAML, a later document over an earlier one, what a file imports over the file itself;
`application` over `@PropertySource` over `bootstrap`. Of two files of one name on the class path only the first is
loaded: the deployable's own, then those of the modules it takes in. A key is found as written; a key in Spring's
canonical form (lower case, dashes) also finds its relaxed spellings.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.model.facts import ConfigEntry, Told, Type
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.placed import Placed, scope_of, spring_file
from subdrift.linter.resolve.deployments import UNDECIDED, Deployment, Deployments
from subdrift.linter.resolve.environment import Entry, Environment, Layer, listed
from subdrift.linter.resolve.frameworks import Framework, framework_of
from subdrift.linter.resolve.keys import is_canonical, of_profile, relaxed, strip_prefix, variables_of
from subdrift.linter.resolve.modules import Deployable, Modules, Resources
from subdrift.linter.resolve.placeholder import Parts, parse
from subdrift.linter.resolve.profiles import names_in, profile_holds
from subdrift.linter.resolve.resources import (
    Import,
    copied_to,
    filled_in,
    imports_of,
    is_test_resource,
    literals,
    location,
    property_sources,
    resource_of,
)
from subdrift.linter.resolve.spring import centre_copies, config_server
from subdrift.linter.resolve.spring.applications import Started
from subdrift.linter.resolve.spring.config_server import Client, Served
from subdrift.linter.resolve.spring.locations import CLASS_PATH, FILE, Found, Locations, locations, place_of

IMPORTS_MAX = 1_000
"""Files one configuration imports, directly and through others; the rest is left out (no application comes near)."""

DEPLOYMENTS_MAX = 64
"""Deployment files that set variables of one deployable; the rest is left out (no repository comes near)."""

PLAIN_STEPS_MAX = 1_000
"""Placeholders followed in one text that names profiles or files; a text with more stays as written."""

_BY_PROFILE = re.compile(r"\$\{spring\.profiles\.active(?::[^}]*)?\}")
"""The active profile in the name of a file."""

GIVEN = -1
"""The location of a file that a deployment puts where Spring looks for it: above all that the build packages."""

IMPORTED = -1_000
"""The location of what a deployment imports."""

_CENTRES = ("nacos", "apollo", "consul", "zookeeper", "polaris", "kubernetes")
_CENTRE_IMPORTS = (*_CENTRES, "configserver", "vault")
_CENTRE_ARTIFACTS = {
    "spring-cloud-starter-alibaba-nacos-config": "nacos",
    "nacos-config-spring-boot-starter": "nacos",
    "apollo-client": "apollo",
    "apollo-client-config-data": "apollo",
    "spring-cloud-starter-config": "the config server",
    "spring-cloud-config-client": "the config server",
    "spring-cloud-starter-consul-config": "consul",
    "spring-cloud-starter-zookeeper-config": "zookeeper",
    "spring-cloud-starter-tencent-polaris-config": "polaris",
}
_BOOTSTRAPPING = ("spring-cloud-starter-bootstrap",)
_KNOWN_GROUPS = (
    "org.springframework", "org.apache.", "com.alibaba", "org.projectlombok", "mysql", "com.mysql", "org.mybatis",
    "com.baomidou", "junit", "org.junit", "io.netty", "com.google", "com.fasterxml", "cn.hutool", "redis.clients",
    "org.redisson", "io.micrometer", "ch.qos", "org.slf4j", "io.springfox", "io.swagger", "com.github",
)  # fmt: skip
"""Groups of public libraries that bring no bootstrap starter in."""


class Surroundings(Struct, frozen=True):
    """The files of a run by base name, and the deployment files of each repository. `wanted` collects base names
    of files that a configuration names and that were not read yet."""

    by_name: Mapping[str, Sequence[Placed]] = field(default_factory=dict)
    deployments: Mapping[str, Sequence[Placed]] = field(default_factory=dict)
    mounted: Mapping[str, Sequence[Placed]] = field(default_factory=dict)
    wanted: set[str] = field(default_factory=set)
    values: Mapping[tuple[str, str], Sequence[Placed]] = field(default_factory=dict)
    """The values files of each Helm chart, by repository and folder, the chart's own first."""
    settings: Mapping[str, Sequence[Placed]] = field(default_factory=dict)
    """The files of each repository that are called as Spring's are."""

    def settings_at(self, repo: str, path: str) -> Iterator[Placed]:
        """The settings file of a path, or those below a folder."""
        for placed in self.settings.get(repo, ()):
            if placed.origin.path == path or placed.origin.path.startswith(f"{path}/"):
                yield placed

    @classmethod
    def of(cls, files: Iterable[Placed], wanted: set[str]) -> Surroundings:
        by_name: dict[str, list[Placed]] = {}
        deployments: dict[str, list[Placed]] = {}
        mounted: dict[str, list[Placed]] = {}
        values: dict[tuple[str, str], list[Placed]] = {}
        settings: dict[str, list[Placed]] = {}
        for placed in files:
            if placed.facts.config and spring_file(placed.origin.path) is not None:
                settings.setdefault(placed.origin.repo, []).append(placed)
            if _VALUES.fullmatch(_base(placed.origin.path)):
                folder = placed.origin.path.rpartition("/")[0]
                values.setdefault((placed.origin.repo, folder), []).append(placed)
            by_name.setdefault(_base(placed.origin.path), []).append(placed)
            if placed.facts.environment or placed.facts.mounts or placed.facts.launches:
                deployments.setdefault(placed.origin.repo, []).append(placed)
            if any(entry.file for entry in placed.facts.config):
                mounted.setdefault(placed.origin.repo, []).append(placed)
        for every in values.values():
            every.sort(key=lambda placed: (len(_base(placed.origin.path)), placed.origin))
        return cls(by_name, deployments, mounted, wanted, values, settings)


class _Source(Struct, frozen=True):
    """A file (or the part of one) a deployable loads, and what its entries inherit from how it is loaded."""

    placed: Placed
    entries: tuple[ConfigEntry, ...]
    layer: Layer
    location: int
    file_profile: str
    rank: tuple[int, ...]
    when: tuple[tuple[str, ...], ...] = ()
    copied: bool = False
    lifted: bool = False


class Configuration:
    """All configuration of one deployable; `Environment` views apply profiles.

    `tests`: seen from its test code, whose resources come first on the class path. `applications`: what starts in it,
    where that is known; then beans, not this, say which property sources are read. `under`: as one deployment has it, which
    says itself which files are read.
    """

    def __init__(
        self,
        deployable: Deployable,
        modules: Modules,
        files: Iterable[Placed],
        answers: Mapping[tuple[str, str], str],
        answers_at: Location | None,
        surroundings: Surroundings | None = None,
        *,
        tests: bool = False,
        applications: Sequence[Started] = (),
        under: Deployment | None = None,
    ) -> None:
        self.answers = answers
        self.answers_at = answers_at
        self.asked: set[str] = set()
        self._looked_up: set[str] = set()
        self._under = under
        self._deployable = deployable
        self._modules = modules
        self._files = tuple(files)
        self._surroundings = surroundings or Surroundings()
        self._tests = tests
        self.applications = tuple(applications)
        told = under.of_files if under is not None else {}
        self.locations = locations(
            self.applications, {key: each.text or "" for key, (each, _) in told.items()}
        )
        self._entries: dict[str, list[Entry]] = {}
        self._relaxed: dict[str, list[Entry]] = {}
        self._environments: dict[str, Environment] = {}
        self._resources: dict[str, list[Placed]] = {}
        self._names: list[str] = []
        self.fills: dict[str, list[Entry]] = {}
        self._load()
        self.profiles = self._profiles()

    @cached_property
    def named(self) -> frozenset[str]:
        """The profiles that the conditions of the code, and of XML files, name."""
        found: set[str] = set()
        for placed in self._files:
            if scope_of(placed.origin.path) == "test":
                continue
            for bean in placed.facts.beans:
                for text in bean.profiles:
                    found.update(re.split(r"[,;\s]+", text))
            for type_ in placed.facts.types if placed.facts.on_jvm else ():
                for use in (*type_.annotations, *(a for method in type_.methods for a in method.annotations)):
                    if use.candidates and use.candidates[0].rpartition(".")[2] == "Profile":
                        for text in literals(use.argument("value")):
                            found.update(names_in(text))
        return frozenset(name.lstrip("!") for name in found if name.lstrip("!"))

    @cached_property
    def framework(self) -> Framework:
        """What reads the settings files of the deployable."""
        modules = (self._modules.modules.get(key) for key in self._deployable.takes_in)
        return framework_of(
            each.coordinate for module in modules if module for each in module.dependencies if not each.test
        )

    @cached_property
    def boot(self) -> tuple[int, ...] | None:
        """The version of Spring Boot, None where the build does not tell."""
        return self._modules.boot_version(self._deployable)

    # -- loading --------------------------------------------------------------------------------------------

    def _load(self) -> None:
        order = {key: index for index, key in enumerate(self._deployable.takes_in)}
        found: dict[tuple[str, int], list[tuple[int, Placed, Found]]] = {}
        elsewhere: list[tuple[int, Placed]] = []
        types: list[tuple[Placed, Type]] = []
        for placed in self._files:
            path = placed.origin.path
            facts = placed.facts
            if facts.build is not None and facts.build.filters:
                self._fill(placed, facts.build.filters)
            if not facts.config:
                if facts.on_jvm and (self._tests or scope_of(path) != "test"):
                    types += [(placed, type_) for type_ in facts.types if type_.annotations]
                continue
            module = self._modules.of(placed.origin)
            if module not in order:
                continue
            test = is_test_resource(path)
            if test and not (self._tests and module == self._deployable.key):
                continue
            resource = self._found_as(placed)
            index = order[module] * 2 + (0 if test else 1)
            if resource is not None:
                self._resources.setdefault(resource[1], []).append(placed)
            seen = self.locations.found(*resource) if resource is not None else None
            if seen is not None and resource is not None:
                if resource[0] == 1 or module == self._deployable.key:
                    found.setdefault((resource[1], resource[0]), []).append((index, placed, seen))
            elif spring_file(path) is not None:
                elsewhere.append((index, placed))
        for named in self._resources.values():
            named.sort(key=lambda each: (order[self._modules.of(each.origin)], each.origin))
        sources: list[_Source] = []
        for candidates in found.values():
            first = min(index for index, _, _ in candidates)
            sources += [_source(placed, seen, index) for index, placed, seen in candidates if index == first]
        for name in self.locations.names if self.applications else ():
            if name != "application":
                for suffix in ("properties", "yml", "yaml"):
                    self._surroundings.wanted.update((f"{name}.{suffix}", f"{name}-*.{suffix}"))
        sources += self._imported_by_deployment()
        sources += self._given_for_profiles()
        for source in sources:
            self._add(source)
        self._stray(elsewhere)
        self._sort()
        self._import(sources, types)
        self._sort()
        if self._serve() or self._keep():
            self._sort()

    def _sort(self) -> None:
        self._names = sorted(self._relaxed)
        for entries in (*self._entries.values(), *self._relaxed.values()):
            if len(entries) > 1:
                entries.sort(key=lambda entry: (entry.layer, entry.location, entry.rank, entry.at))

    def _add(self, source: _Source) -> None:
        for entry in self._entries_of(source):
            self._put(entry)

    def _entries_of(self, source: _Source) -> Iterator[Entry]:
        for entry in source.entries:
            when = (*source.when, entry.profiles) if entry.profiles else source.when
            shown = source.file_profile or ",".join(entry.profiles) or ",".join(when[0] if when else ())
            yield Entry(
                entry.key,
                entry.text,
                source.placed.at(entry.at),
                shown,
                when,
                source.layer,
                source.location,
                source.file_profile,
                (*source.rank, -entry.document, 0),
                source.copied,
                undecided=entry.text == UNDECIDED,
                lifted=source.lifted,
            )

    def _fill(self, pom: Placed, filters: Sequence[tuple[str, str]]) -> None:
        """The property files a Maven module fills its resources from, which no look-up sees."""
        module = self._modules.modules[self._modules.of(pom.origin)]
        properties = dict(module.properties)
        for profile, written in filters:
            plain = re.sub(r"\$\{([^}]+)\}", lambda match: properties.get(match[1], match[0]), written)
            plain = re.sub(r"^(?:\$\{(?:project\.)?basedir\}/|\./)", "", plain)
            if "$" in plain:
                continue
            path = f"{module.key.folder}/{plain}".lstrip("/")
            named = self._surroundings.by_name.get(_base(path), ())
            origin = Origin(pom.origin.repo, path)
            found = next((p for p in named if p.origin == origin and p.facts.config), None)
            if found is None:
                self._surroundings.wanted.add(_base(path))
                continue
            when = ((profile,),) if profile else ()
            for entry in reversed(found.facts.config):
                made = Entry(entry.key, entry.text, found.at(entry.at), profile, when)
                self.fills.setdefault(entry.key, []).insert(0, made)  # a later file wins

    def _put(self, entry: Entry) -> None:
        self._entries.setdefault(entry.key, []).append(entry)
        self._relaxed.setdefault(relaxed(entry.key), []).append(entry)

    def _stray(self, elsewhere: Sequence[tuple[int, Placed]]) -> None:
        """Files in folders that nothing loads by itself: one folder for each build profile, or a lone file.

        Several files of one name in different folders are alternatives named by their folders
        (`resources/dev/application.yml`); a lone one answers only what no other file does.
        """
        named: dict[str, list[tuple[int, Placed]]] = {}
        for index, placed in elsewhere:
            named.setdefault(_base(placed.origin.path), []).append((index, placed))
        given = {one.placed.origin for each in self.deployments.values() for one in each.files}
        for base, candidates in named.items():
            kind = spring_file(base)
            assert kind is not None
            folders = [_folder_name(placed.origin.path) for _, placed in candidates]
            layer = Layer.BOOTSTRAP if kind[0] == "bootstrap" else Layer.APPLICATION
            lone = len(candidates) == 1
            if lone and (candidates[0][1].origin in given or self._is_known_apart(candidates[0][1])):
                continue
            if not lone and (kind[1] or len(set(folders)) != len(candidates)):
                continue  # which of them runs is told nowhere
            for (index, placed), folder in zip(candidates, folders, strict=True):
                profile = kind[1] if lone else folder
                self._add(
                    _Source(
                        placed,
                        placed.facts.config,
                        Layer.ELSEWHERE if lone else layer,
                        2,
                        profile,
                        (1, 0, 1, index),
                        ((profile,),) if profile else (),
                        copied=True,
                    )
                )

    def _serve(self) -> bool:
        """Adds what a config server of the repository serves; True where there was anything."""
        if not self.applications or self.centre != "the config server":
            return False
        imported = next(
            (e for e in self.below_or_at("spring.config.import") if "configserver:" in e.text), None
        )
        if imported is None and not self.bootstraps:
            return False
        name = self._first_text("spring.cloud.config.name") or self._first_text("spring.application.name")
        client = Client(tuple(listed(name or "application")), self._first_text("spring.cloud.config.profile"))
        by_name = self._surroundings.by_name
        repo = self._deployable.key.repo
        found = False
        for server in config_server.servers(by_name, self._modules, repo):
            wanted = self._surroundings.wanted.add
            for one in config_server.served(server, client, by_name, self._modules, wanted):
                if one.profile and client.profile and one.profile not in listed(client.profile):
                    continue
                found = True
                self._add(self._served(one, client, imported))
        return found

    def _keep(self) -> bool:
        """Adds the copies of what a centre serves that the repository keeps; True where there was any."""
        centre = self.centre
        if not self.applications or not centre or not self.bootstraps:
            return False
        stem = f"spring.cloud.{centre}.config" if centre in _CENTRES else "spring.cloud.config"
        told = {
            strip_prefix(each.key, stem) or "": self.plain(self.filtered(each)).strip()
            for each in self.below(stem)
        }
        repo = self._deployable.key.repo
        asked = centre_copies.names(centre, self._first_text, told)
        found = list(
            centre_copies.kept(asked, repo, self._surroundings.by_name, self._surroundings.wanted.add)
        )
        for one in found:
            when = ((one.profile,),) if one.profile else ()
            entries = tuple(each for each in one.placed.facts.config if not each.file)
            self._add(_Source(one.placed, entries, Layer.CENTRE, 1, one.profile, one.rank, when, copied=True))
        return bool(found)

    def _served(self, one: Served, client: Client, imported: Entry | None) -> _Source:
        """A served file: above all local ones, or where `spring.config.import` names the server, there."""
        profile = one.profile
        fixed = listed(client.profile)
        when = ((profile,),) if profile and not fixed else ()
        entries = tuple(e for e in one.placed.facts.config if not e.file)
        if fixed:
            entries = tuple(
                replace(e, profiles=())
                for e in entries
                if not e.profiles or any(profile_holds(each, tuple(fixed)) for each in e.profiles)
            )
        rank = (-one.name, 0 if one.placed.origin.path.endswith(".properties") else 1)
        position = -fixed.index(profile) - 1 if profile in fixed else 0
        if imported is None:
            return _Source(
                one.placed, entries, Layer.CENTRE, -one.place, "" if fixed else profile,
                (position, *rank), when, copied=True,
            )  # fmt: skip
        return _Source(
            one.placed, entries, imported.layer, imported.location, imported.file_profile or profile,
            (*imported.rank[:-1], -1, position, -one.place, *rank), (*imported.when, *when), copied=True,
            lifted=bool(profile) and not imported.file_profile,
        )  # fmt: skip

    def below_or_at(self, key: str) -> tuple[Entry, ...]:
        return (*self.candidates(key, loosely=True), *self.below(key))

    def _first_text(self, key: str) -> str:
        """The text of a key that files without profile answer, "" where none does."""
        for entry in self.candidates(key, loosely=True):
            if not entry.when:
                return self.plain(self.filtered(entry)).strip()
        return ""

    def _is_known_apart(self, placed: Placed) -> bool:
        """Whether the build is known not to put a file where Spring looks: it stands beside one that is read."""
        if not self.applications or not self._modules.resources(self._modules.of(placed.origin)).known:
            return False
        return "src/main/" in placed.origin.path or "src/test/" in placed.origin.path

    def _import(self, sources: Sequence[_Source], types: Sequence[tuple[Placed, Type]]) -> None:
        """Follows `spring.config.import`, `@PropertySource` and names given by other readers."""
        queue = list(sources)
        seen: set[tuple[Origin, frozenset[tuple[str, ...]]]] = set()
        for source in queue:
            if len(seen) > IMPORTS_MAX:
                break
            resource = self._found_as(source.placed)
            for entry, number, named in imports_of(source.entries):
                target = replace(named, path=self.plain(named.path))
                target = target.seen_from(resource[1]) if resource is not None else target
                when = (*source.when, entry.profiles) if entry.profiles else source.when
                rank = (*source.rank, -entry.document, -1 - number)
                for placed, profile in self._named(target):
                    mark = (placed.origin, frozenset((*when, (profile,))))
                    if mark in seen:
                        continue
                    seen.add(mark)
                    made = _Source(
                        placed,
                        tuple(e for e in placed.facts.config if not e.file),
                        Layer.CENTRE if target.centre else source.layer,
                        source.location,
                        source.file_profile or profile,
                        (*rank, -1 if profile else 0),
                        (*when, (profile,)) if profile else when,
                        copied=bool(target.centre),
                        lifted=bool(profile) and not source.file_profile,
                    )
                    self._add(made)
                    queue.append(made)
        wanted = [*self._of_beans(types)]
        if not self.applications:
            named_by_code = (named for _, type_ in types for named in property_sources(type_))
            wanted += [
                (Layer.PROPERTY_SOURCE, (1, 1, -number), one) for number, one in enumerate(named_by_code)
            ]
        for layer, rank, named in wanted:
            for placed, profile in self._named(replace(named, path=self.plain(named.path))):
                mark = (placed.origin, frozenset())
                if mark not in seen and not profile:
                    seen.add(mark)
                    self._add(_Source(placed, placed.facts.config, layer, 1, "", rank))

    def _of_beans(
        self, types: Sequence[tuple[Placed, Type]]
    ) -> Iterator[tuple[Layer, tuple[int, ...], Import]]:
        """What bean files set inline, and the settings files they name, each with where it stands. Bean files they import
        are asked for.

        Of several configurers the first that is registered fills in all placeholders it can, and all with a default; of
        its files the last wins; `local-override` puts them above the environment.
        Mirrors PlaceholderConfigurerSupport, Spring Framework 5.3.
        """
        order = [
            re.split("[/:]", text)[-1]
            for _, type_ in types
            for use in type_.annotations
            if any(name.rpartition(".")[2] == "ImportResource" for name in use.candidates)
            for argument in ("value", "locations")
            for text in literals(use.argument(argument))
        ]
        files = [p for p in self._files if p.facts.language == "xml" and not is_test_resource(p.origin.path)]
        place = {name: number for number, name in reversed(list(enumerate(order)))}
        files.sort(key=lambda placed: place.get(_base(placed.origin.path), len(order)))
        configurers = count()
        for placed in files:
            if placed.facts.config:
                self._add(_Source(placed, placed.facts.config, Layer.PROPERTY_SOURCE, 1, "", (2, 0, 0)))
            for text in placed.facts.imports:
                if text.endswith(".xml"):
                    self._surroundings.wanted.add(re.split("[/:]", text)[-1])
                    continue
                configurer = next(configurers)
                layer = Layer.PROGRAM if text[:1] == "!" else Layer.PROPERTY_SOURCE
                for number, part in enumerate(text.lstrip("!").split(",")):
                    named = location(part)
                    if named is not None and not named.centre:
                        yield Layer.LATER if configurer else layer, (1, 1, configurer, -number), named

    def _named(self, location: Import) -> list[tuple[Placed, str]]:
        """The files an import means, each with the profile its name adds ("" for the file itself)."""
        base = _base(location.path)
        if location.path.endswith("/") and not location.centre:
            return list(self._in_folder(location.path))
        if not base or "$" in location.path or "@" in base:
            return []
        tail = location.path.removeprefix("./").lstrip("/")
        for target, placed in self._under.mounted.items() if self._under is not None else ():
            if location.scheme == "file" and target.endswith(f"/{tail}"):
                return [(placed, "")]
        if location.centre:
            copies = [
                placed
                for placed in self._surroundings.by_name.get(base, ())
                if placed.origin.repo == self._deployable.key.repo
                and placed.facts.config
                and not is_test_resource(placed.origin.path)
            ]
            if not copies:
                self._surroundings.wanted.add(base)
            return [(copies[0], "")] if len(copies) == 1 else []
        found = [
            placed
            for placed in self._resources.get(posixpath.normpath(location.path).lstrip("/"), [])
            if location.scheme != "file" or (self._found_as(placed) or (0,))[0] == 0
        ][:1]
        if not found:
            near = [
                placed
                for placed in self._surroundings.by_name.get(base, ())
                if placed.facts.config
                and self._modules.of(placed.origin) in self._deployable.takes_in
                and f"/{placed.origin.path}".endswith(f"/{tail}")
                and (self._tests or not is_test_resource(placed.origin.path))
                and (self._found_as(placed) or (0,))[0] == 0
            ]
            found = near if len(near) == 1 else []
        if not found:
            self._surroundings.wanted.add(base)
        stem, _, suffix = location.path.lstrip("/").rpartition(".")
        if found:
            self._surroundings.wanted.add(f"{_base(stem)}-*.{suffix}")
        variant = re.compile(re.escape(stem) + r"-([^/]+)\." + re.escape(suffix))
        variants = [
            (placed[0], match[1])
            for resource, placed in self._resources.items()
            if (match := variant.fullmatch(resource)) and spring_file(resource) is None
        ]
        return [(placed, "") for placed in found] + (variants if found else [])

    def _in_folder(self, path: str) -> Iterator[tuple[Placed, str]]:
        """The configuration files of a folder of the class path that is imported as a whole, the last wins."""
        _, folder = place_of(path)
        inside = Locations(self.locations.names, {(CLASS_PATH, folder): (0, 0)})
        for resource, placed in sorted(self._resources.items()):
            seen = inside.found(CLASS_PATH, resource)
            if seen is not None and seen.name != "bootstrap":
                yield placed[0], seen.profile

    def _found_as(self, placed: Placed) -> tuple[int, str] | None:
        """Where a file is found at run time (see `resource_of`), as its build copies it."""
        path = placed.origin.path
        module = self._modules.of(placed.origin)
        resources = self._modules.resources(module)
        found = resource_of(path, module.folder)
        if not resources.known or is_test_resource(path) or (found is not None and found[0] == 0):
            return found
        copied = copied_to(path, module.folder, resources.folders)
        return (1, copied[0]) if copied is not None else None

    def is_filtered(self, origin: Origin) -> tuple[bool, Resources]:
        """Whether the build replaces properties in a file, and how; the first is True where that is not known."""
        module = self._modules.of(origin)
        resources = self._modules.resources(module)
        if not resources.known:
            return True, resources
        copied = copied_to(origin.path, module.folder, resources.folders)
        return copied is not None and copied[1], resources

    def filtered(self, entry: Entry) -> str:
        """The text with the build's properties replaced as far as the build tells; others stay as written."""
        if entry.text.count("@") < 2 and "${" not in entry.text:
            return entry.text
        filtered, resources = self.is_filtered(entry.at.origin)
        if filtered and resources.known:
            return filled_in(entry.text, resources.delimiters, dict(resources.properties).get)
        if not filtered:
            return entry.text
        module = self._modules.modules.get(self._modules.of(entry.at.origin))
        return filled_in(entry.text, "@", dict(module.properties if module else ()).get)

    def plain(self, text: str) -> str:
        """A text with the placeholders that files without profile answer; others stay as written."""
        if "${" not in text:
            return text
        made = "".join(self._plain_parts(parse(text), 0, count(1)))
        return made if "\0" not in made else text

    def _plain_parts(self, parts: Parts, depth: int, steps: Iterator[int]) -> Iterator[str]:
        for part in parts:
            if isinstance(part, str):
                yield part
                continue
            if next(steps) > PLAIN_STEPS_MAX:
                yield "\0"
                return
            key = "".join(self._plain_parts(part.key, depth + 1, steps))
            entry = next((e for e in self.candidates(key, loosely=False) if not e.when), None)
            if entry is not None and depth < 8:
                yield from self._plain_parts(parse(entry.text), depth + 1, steps)
            elif part.default is not None:
                yield from self._plain_parts(part.default, depth + 1, steps)
            else:
                yield "\0"

    # -- looking up -----------------------------------------------------------------------------------------

    def _profiles(self) -> tuple[str, ...]:
        names: set[str] = set()
        for entries in (*self._entries.values(), *self.fills.values()):
            for entry in entries:
                for group in entry.when:
                    for expression in group:
                        names.update(names_in(expression))
        for name in self._children_names("spring.profiles.group"):
            names.add(name)
        names.update(self.named)
        names.update(self._of_property_sources())
        keys = self.framework.profile_keys
        active = {part for key in keys for e in self.candidates(key, loosely=True) for part in listed(e.text)}
        return (*sorted(names - {"default"}), *sorted(self._without(active)))

    def _without(self, active: Collection[str]) -> set[str]:
        """`!dev` where a file holds without a profile that files make active: what runs when another one is named."""
        found: set[str] = set()
        for entries in self._entries.values() if active else ():
            for entry in entries:
                found.update(each.strip() for group in entry.when for each in group)
        return {each for each in found if each[:1] == "!" and each[1:] in active}

    def _of_property_sources(self) -> Iterator[str]:
        """The profiles for which there is a file that a `@PropertySource` names by the active profile."""
        for placed in self._files:
            if not placed.facts.on_jvm or scope_of(placed.origin.path) == "test":
                continue
            for type_ in placed.facts.types:
                for use in type_.annotations:
                    if not any(name.rpartition(".")[2] == "PropertySource" for name in use.candidates):
                        continue
                    for written in literals(use.argument("value")):
                        yield from self._profiles_of_name(written)

    def _profiles_of_name(self, written: str) -> Iterator[str]:
        around = _BY_PROFILE.split(written.partition(":")[2] or written)
        if len(around) != 2:
            return
        before, after = (each.lstrip("/") for each in around)
        self._surroundings.wanted.add(f"{_base(before + 'x')[:-1]}*{after}")
        for resource in self._resources:
            name = resource[len(before) : len(resource) - len(after)]
            if resource.startswith(before) and resource.endswith(after) and re.fullmatch(r"[\w-]+", name):
                yield name

    def _children_names(self, prefix: str) -> Iterator[str]:
        for entry in self.below(prefix):
            rest = strip_prefix(entry.key, prefix)
            if rest:
                yield re.split(r"[.\[]", rest, maxsplit=1)[0]

    @cached_property
    def centre(self) -> str:
        """The configuration centre the deployable reads at run time, "" for none."""
        for centre in (*_CENTRES, ""):
            stem = f"spring.cloud.{centre}.config" if centre else "spring.cloud.config"
            keys = [e for e in self.below(stem) if not e.key.startswith("spring.cloud.config.server")]
            stems = (stem, f"{centre}.config", *(("apollo.bootstrap",) if centre == "apollo" else ()))
            keys += [e for other in stems[1:] if centre for e in self.below(other)]
            if centre == "apollo":
                keys += self.candidates("apollo.meta", loosely=True)
            if keys and not any(self._says(f"{each}.enabled", "false") for each in stems):
                return centre or "the config server"
        for entry in (
            *self.candidates("spring.config.import", loosely=True),
            *self.below("spring.config.import"),
        ):
            for centre in _CENTRE_IMPORTS:
                if f"{centre}:" in entry.text:
                    return "the config server" if centre == "configserver" else centre
        for key in self._deployable.takes_in:
            module = self._modules.modules.get(key)
            for dependency in module.dependencies if module else ():
                centre = _CENTRE_ARTIFACTS.get(dependency.coordinate.rpartition(":")[2], "")
                stem = f"spring.cloud.{centre}.config" if centre in _CENTRES else "spring.cloud.config"
                if centre and not dependency.test and not self._says(f"{stem}.enabled", "false"):
                    return centre
        return ""

    def _says(self, key: str, text: str) -> bool:
        found = next((e for e in self.candidates(key, loosely=True) if not e.when), None)
        return found is not None and found.text.strip().lower() == text

    def environment(self, name: str) -> Environment:
        """The view with one profile active, with none (""), or under one of `deployments`."""
        found = self._environments.get(name)
        if found is None:
            deployment = self.deployments.get(name) if ":" in name else None
            apart = deployment is not None and self._under is None and self._reads_otherwise(deployment)
            found = Environment(self._as_under(deployment) if apart else self, name)
            self._environments[name] = found
        return found

    def _reads_otherwise(self, deployment: Deployment) -> bool:
        """Whether under a deployment other files are read than without it."""
        return bool(deployment.of_files) or any(
            entry.text.endswith(_base(target))
            for target in deployment.mounted
            for entry in self.below_or_at("spring.config.import")
        )

    def _as_under(self, deployment: Deployment | None) -> Configuration:
        """The configuration as a deployment has it that says which files are read."""
        made = self._like(tests=self._tests, under=deployment)
        made.asked, made._looked_up = self.asked, self._looked_up
        return made

    @cached_property
    def for_tests(self) -> Configuration:
        """What the test code of the deployable sees."""
        if self._tests or not any(is_test_resource(placed.origin.path) for placed in self._files):
            return self
        return self._like(tests=True)

    def _like(self, *, tests: bool, under: Deployment | None = None) -> Configuration:
        """Another one of the same deployable and files."""
        return Configuration(
            self._deployable,
            self._modules,
            self._files,
            self.answers,
            self.answers_at,
            self._surroundings,
            tests=tests,
            applications=self.applications,
            under=under,
        )

    @cached_property
    def deployments(self) -> Mapping[str, Deployment]:
        """What the deployment files of the repository tell this deployable, by the name of the deployment."""
        return Deployments(self._deployable, self._modules, self._surroundings).found

    def given(self, name: str) -> Iterator[Entry]:
        """The entries of the settings files that a deployment puts where Spring looks for them."""
        for source in self._given(name):
            yield from self._entries_of(source)

    def _given(self, name: str) -> Iterator[_Source]:
        for number, one in enumerate(self.deployments[name].files):
            seen = self.locations.found(FILE, one.name) or Locations().found(FILE, one.name)
            if seen is not None:
                yield replace(_source(one.placed, seen, -number, one.entries), location=GIVEN)

    def _imported_by_deployment(self) -> Iterator[_Source]:
        """What a deployment imports stands above all that the application finds by itself."""
        told = self._under.of_files if self._under is not None else {}
        for key, (entry, placed) in told.items():
            if key == "spring.config.import":
                made = ConfigEntry(key, entry.text or "", (), 0, entry.at)
                yield _Source(placed, (made,), Layer.APPLICATION, IMPORTED, "", (0, 0, 0, 0))

    def _given_for_profiles(self) -> Iterator[_Source]:
        """The files of deployments that are named by a profile: who makes it active need not be in sight."""
        for name in self.deployments:
            for source in self._given(name):
                if source.file_profile:
                    yield replace(source, copied=True)

    def ask(self, key: str) -> None:
        """Notes which deployment alternatives set a key that was looked up."""
        if not self.deployments or key in self._looked_up:
            return
        if not self._looked_up:
            self.asked |= self._everywhere
        self._looked_up.add(key)
        variables = variables_of(key)
        for variable in (key, *variables):
            self.asked.update(self._set_by.get(variable, ()))
        start = relaxed(key)
        numbered = re.compile(rf"(?:{'|'.join(map(re.escape, variables))})_\d+_?(?:_.*)?")
        for told, names in self._set_by.items():
            if (told.startswith(start) and (told == start or told[len(start)] in ".[")) or numbered.fullmatch(
                told
            ):
                self.asked |= names

    @cached_property
    def _everywhere(self) -> frozenset[str]:
        """The deployments that may say something of any key: they make profiles active, or say which files are read."""
        return frozenset(
            name
            for name, one in self.deployments.items()
            if self._reads_otherwise(one)
            or (
                self.profiles
                and any(
                    relaxed(key).startswith("spring.profiles.") or key.startswith("SPRING_PROFILES_")
                    for key in one.told
                )
            )
        )

    @cached_property
    def _set_by(self) -> Mapping[str, set[str]]:
        """The deployments that set a variable as it is written, or a key in its relaxed form."""
        found: dict[str, set[str]] = {}
        for name, deployment in self.deployments.items():
            told = {
                relaxed(of_profile(one)[1]) if entry.told < Told.VARIABLE else one
                for one, (entry, _) in deployment.told.items()
            }
            told |= {one for one in deployment.told if "." in one}
            for one in (*told, *(relaxed(each.key) for file in deployment.files for each in file.entries)):
                found.setdefault(one, set()).add(name)
        return found

    def is_loaded(self, entry: Entry) -> bool:
        """Whether a file is read at all: one for the bootstrap context only where there is such a context."""
        return entry.layer is not Layer.BOOTSTRAP or self.bootstraps

    @cached_property
    def bootstraps(self) -> bool:
        """Whether `bootstrap` files are read: since Spring Boot 2.4 only with a starter for them.

        A dependency from outside the run may bring that starter in; only known groups surely do not.
        """
        if self.boot is None or self.boot < (2, 4) or not self.applications:
            return True
        for key in self._deployable.takes_in:
            for dependency in self._modules.modules[key].dependencies:
                group, _, artifact = dependency.coordinate.rpartition(":")
                if dependency.test or self._modules.is_own(dependency.coordinate):
                    continue
                if artifact in _BOOTSTRAPPING or not group.startswith(_KNOWN_GROUPS):
                    return True
        return False

    def property_source(self, path: str, *, yaml: bool) -> Iterator[tuple[Placed, ConfigEntry]]:
        """The entries of a file a `@PropertySource` names. YAML without a factory of its own is read line by line as
        if it were properties, so that only the last part of each key is left."""
        found = location(self.plain(path))
        if found is None:
            return
        for placed, profile in self._named(found):
            if profile:
                continue
            is_yaml = placed.origin.path.endswith((".yml", ".yaml"))
            for entry in placed.facts.config:
                if entry.file:
                    continue
                if is_yaml and not yaml:
                    entry = replace(entry, key=re.split(r"[.\[]", entry.key)[-1].rstrip("]"))
                yield placed, entry

    def candidates(self, key: str, *, loosely: bool) -> tuple[Entry, ...]:
        """Every entry for a key, best first: as written, or also in relaxed spellings."""
        if loosely or is_canonical(key):
            return tuple(self._relaxed.get(relaxed(key), ()))
        return tuple(self._entries.get(key, ()))

    def below(self, prefix: str) -> tuple[Entry, ...]:
        """Every entry whose key lies below a prefix, relaxed."""
        stem = relaxed(prefix)
        found: list[Entry] = []
        for opening in (".", "["):
            start = stem + opening
            index = bisect_left(self._names, start)
            while index < len(self._names) and self._names[index].startswith(start):
                found += self._relaxed[self._names[index]]
                index += 1
        return tuple(found)


_VALUES = re.compile(r"values(?:[._-].+)?\.ya?ml")


def _source(
    placed: Placed, seen: Found, index: int, entries: tuple[ConfigEntry, ...] | None = None
) -> _Source:
    """A file that Spring finds by its name."""
    layer = Layer.BOOTSTRAP if seen.name == "bootstrap" else Layer.APPLICATION
    when = ((seen.profile,),) if seen.profile else ()
    rank = (*seen.rank, index)
    held = placed.facts.config if entries is None else entries
    return _Source(placed, held, layer, seen.location, seen.profile, rank, when)


def _base(path: str) -> str:
    return path.rpartition("/")[2]


def _folder_name(path: str) -> str:
    """The folder that tells siblings apart: `dev` of `resources/dev/…`, `resources-dev/…`, `dev/config/…`."""
    folders = [part for part in path.split("/")[:-1] if part not in ("config", "resources", "conf")]
    last = folders[-1] if folders else ""
    return last.removeprefix("resources-").removeprefix("resources_")

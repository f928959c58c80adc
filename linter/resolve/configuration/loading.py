"""The files that a deployable loads, and what they import."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.facts import ConfigEntry, Type
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed, scope_of, spring_file
from subdrift.linter.resolve.configuration.centre import CENTRES, Centre
from subdrift.linter.resolve.configuration.surroundings import base_name
from subdrift.linter.resolve.deployments import UNDECIDED, Deployment, Deployments
from subdrift.linter.resolve.environment import Entry, Layer, listed
from subdrift.linter.resolve.keys import relaxed, strip_prefix
from subdrift.linter.resolve.profiles import profile_holds
from subdrift.linter.resolve.resources import (
    Import,
    copied_to,
    imports_of,
    is_copy,
    is_test_resource,
    literals,
    location,
    property_sources,
    resource_of,
)
from subdrift.linter.resolve.spring import centre_copies, config_server
from subdrift.linter.resolve.spring.config_server import Client, Served
from subdrift.linter.resolve.spring.locations import CLASS_PATH, FILE, Found, Locations, place_of

IMPORTS_MAX = 1_000
"""Files one configuration imports, directly and through others; the rest is left out (no application comes near)."""

GIVEN = -1
"""The location of a file that a deployment puts where Spring looks for it: above all that the build packages."""

IMPORTED = -1_000
"""The location of what a deployment imports."""


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


class Loading(Centre):
    """Loads the files of a deployable."""

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
            if module not in order or is_copy(path):
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
            named = self._surroundings.by_name.get(base_name(path), ())
            origin = Origin(pom.origin.repo, path)
            found = next((p for p in named if p.origin == origin and p.facts.config), None)
            if found is None:
                self._surroundings.wanted.add(base_name(path))
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
            named.setdefault(base_name(placed.origin.path), []).append((index, placed))
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
        stem = f"spring.cloud.{centre}.config" if centre in CENTRES else "spring.cloud.config"
        told = {
            strip_prefix(each.key, stem) or "": self.plain(self.filtered(each.text, each.at.origin)).strip()
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
        files.sort(key=lambda placed: place.get(base_name(placed.origin.path), len(order)))
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
        base = base_name(location.path)
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
            self._surroundings.wanted.add(f"{base_name(stem)}-*.{suffix}")
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

    def _given(self, name: str) -> Iterator[_Source]:
        for number, one in enumerate(self.deployments[name].files):
            seen = self.locations.found(FILE, one.name) or Locations().found(FILE, one.name)
            if seen is not None:
                yield replace(_source(one.placed, seen, -number, one.entries), location=GIVEN)

    @cached_property
    def deployments(self) -> Mapping[str, Deployment]:
        """What the deployment files of the repository tell this deployable, by the name of the deployment."""
        return Deployments(self._deployable, self._modules, self._surroundings).found


def _source(
    placed: Placed, seen: Found, index: int, entries: tuple[ConfigEntry, ...] | None = None
) -> _Source:
    """A file that Spring finds by its name."""
    layer = Layer.BOOTSTRAP if seen.name == "bootstrap" else Layer.APPLICATION
    when = ((seen.profile,),) if seen.profile else ()
    rank = (*seen.rank, index)
    held = placed.facts.config if entries is None else entries
    return _Source(placed, held, layer, seen.location, seen.profile, rank, when)


def _folder_name(path: str) -> str:
    """The folder that tells siblings apart: `dev` of `resources/dev/…`, `resources-dev/…`, `dev/config/…`."""
    folders = [part for part in path.split("/")[:-1] if part not in ("config", "resources", "conf")]
    last = folders[-1] if folders else ""
    return last.removeprefix("resources-").removeprefix("resources_")

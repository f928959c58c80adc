"""The files a Spring Cloud Config server of the same repository serves to an application.

Only the native back end, whose files lie in the tree. Mirrors NativeEnvironmentRepository, spring-cloud-config 3.1: for
names and profiles of the client it loads `application` and the names, the last name and the last location win.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from subdrift.linter.model.placed import Placed, scope_of, spring_file
from subdrift.linter.resolve.environment import listed
from subdrift.linter.resolve.modules import ModuleKey, Modules
from subdrift.linter.resolve.resources import copied_to, is_test_resource, resource_of

_LOCATIONS = "spring.cloud.config.server.native.search-locations"
_DEFAULT = ("classpath:/", "classpath:/config", "file:./", "file:./config")
_SUFFIXES = ("properties", "yml", "yaml")


class Client(Struct, frozen=True):
    """What an application asks a server for. `profile` is "" where the active profiles decide."""

    names: tuple[str, ...]
    profile: str = ""


class Served(Struct, frozen=True):
    """One file a server serves: higher `place`s and `name`s win; `profile` is that of the file's name."""

    placed: Placed
    place: int
    name: int
    profile: str


def servers(files: Mapping[str, Sequence[Placed]], modules: Modules, repo: str) -> Iterator[ModuleKey]:
    """The modules of a repository that run a config server."""
    found: dict[ModuleKey, None] = {}
    for held in files.values():
        for placed in held:
            if placed.origin.repo != repo or not placed.facts.on_jvm:
                continue
            if scope_of(placed.origin.path) != "test" and any(
                use.candidates and use.candidates[0].endswith(".EnableConfigServer")
                for type_ in placed.facts.types
                for use in type_.annotations
            ):
                found[modules.of(placed.origin)] = None
    yield from sorted(found)


def served(
    server: ModuleKey,
    client: Client,
    files: Mapping[str, Sequence[Placed]],
    modules: Modules,
    wanted: Callable[[str], None],
) -> Iterator[Served]:
    """The files a server has for a client, as far as they are read; `wanted` takes the names of those that are not."""
    names = tuple(dict.fromkeys(("application", *client.names)))
    for name in names:
        for suffix in _SUFFIXES:
            wanted(f"{name}.{suffix}")
            wanted(f"{name}-*.{suffix}")
    for place, text in enumerate(_locations(server, files, modules)):
        for number, application in enumerate(client.names if "{application}" in text else ("",)):
            folder = text.replace("{application}", application)
            for placed, relative in _files_in(folder, server, files, modules):
                for index, name in enumerate(names):
                    match = re.fullmatch(rf"{re.escape(name)}(?:-(.+))?\.(?:properties|ya?ml)", relative)
                    if match is not None and (match[1] or "") not in names:
                        yield Served(placed, place * 100 + number, index, match[1] or "")


def _locations(server: ModuleKey, files: Mapping[str, Sequence[Placed]], modules: Modules) -> tuple[str, ...]:
    found: list[tuple[str, str]] = []
    for held in files.values():
        for placed in held:
            if spring_file(placed.origin.path) is None or modules.of(placed.origin) != server:
                continue
            if is_test_resource(placed.origin.path):
                continue
            for entry in placed.facts.config:
                plain = entry.key.replace("searchLocations", "search-locations")
                if plain == _LOCATIONS or plain.startswith(f"{_LOCATIONS}["):
                    found.append((plain, entry.text))
    texts = [part for _, text in sorted(found) for part in listed(text)]
    return tuple(texts) or _DEFAULT


def _files_in(
    location: str, server: ModuleKey, files: Mapping[str, Sequence[Placed]], modules: Modules
) -> Iterator[tuple[Placed, str]]:
    """The configuration files directly in a location, with their base names."""
    plain = location.removeprefix("optional:")
    scheme, colon, rest = plain.partition(":")
    folder = (rest if colon else plain).replace("//", "/").strip("/")
    folder = re.sub(r"^(?:\./)+|^\.$", "", folder)
    for held in files.values():
        for placed in held:
            if not placed.facts.config or placed.origin.repo != server.repo:
                continue
            path = placed.origin.path
            if scheme == "classpath" and colon:
                found = _on_class_path(placed, server, modules)
            elif folder and path.startswith(f"{server.folder}/{folder}/".lstrip("/")):
                found = path[len(f"{server.folder}/".lstrip("/")) :]
            else:
                found = path
            if found is not None and found.rpartition("/")[0] == folder:
                yield placed, found.rpartition("/")[2]


def _on_class_path(placed: Placed, server: ModuleKey, modules: Modules) -> str | None:
    if modules.of(placed.origin) != server or is_test_resource(placed.origin.path):
        return None
    resources = modules.resources(server)
    if resources.known:
        copied = copied_to(placed.origin.path, server.folder, resources.folders)
        return copied[0] if copied is not None else None
    found = resource_of(placed.origin.path, server.folder)
    return found[1] if found is not None and found[0] == 1 else None

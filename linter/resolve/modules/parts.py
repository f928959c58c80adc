"""What modules are told as: their keys, what is deployed, rings that take each other in, folders and coordinates."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from subdrift.linter.model.facts import BuildFile, Dependency, ResourceFolder
from subdrift.linter.model.location import Location, Origin

_PROPERTY = re.compile(r"\$\{([^}]+)\}")


class ModuleKey(Struct, frozen=True, order=True):
    """A module: repository and folder ("" for its root)."""

    repo: str
    folder: str

    def __str__(self) -> str:
        return self.folder or "."


class Module(Struct, frozen=True):
    """One module. `coordinate` is "" where the build gives none; `dependencies` keep their declared versions."""

    key: ModuleKey
    coordinate: str
    version: str
    dependencies: tuple[Dependency, ...]
    runs: bool
    aggregates: bool
    build: Origin | None
    properties: tuple[tuple[str, str], ...] = ()


class Deployable(Struct, frozen=True):
    """What runs as one process. `takes_in` lists its modules, itself first; `known` is False for a module that
    neither runs nor is taken in by anything seen. `tests_only`: a library that others take in, for its own test code,
    which nobody takes in."""

    key: ModuleKey
    takes_in: tuple[ModuleKey, ...]
    known: bool = True
    tests_only: bool = False

    @property
    def name(self) -> str:
        return str(self.key) if self.known else ""

    def name_in(self, repo: str) -> str:
        """Its name as code of a repository is told of it: with its own repository where that is another one."""
        return self.name if not self.name or repo == self.key.repo else f"{self.key.repo}:{self.name}"


class Ring(Struct, frozen=True):
    """Modules that take each other in. `around` is the shortest way from the first of them back to it, `at` where that begins.

    `refused`: Maven or Gradle does not build them. `cut`: they are too many, and none takes in another one of them.
    """

    modules: frozenset[ModuleKey]
    around: tuple[ModuleKey, ...]
    at: Location | None
    refused: bool
    cut: bool


SPRING_FOLDERS = (
    ResourceFolder(
        "src/main/resources",
        True,
        ("**/application*.yml", "**/application*.yaml", "**/application*.properties"),
    ),
    ResourceFolder(
        "src/main/resources",
        False,
        (),
        ("**/application*.yml", "**/application*.yaml", "**/application*.properties"),
    ),
)
"""The resource folders of Spring Boot's own parent."""


class Resources(Struct, frozen=True):
    """What a build does with resources: the folders it copies, what it writes around properties, and their texts.

    `known` is False where another build tool, or a parent outside the run, may do otherwise. `varied` are the properties
    that a profile of the build may set otherwise.
    """

    known: bool
    folders: tuple[ResourceFolder, ...]
    delimiters: str
    properties: tuple[tuple[str, str], ...]
    varied: frozenset[str] = frozenset()


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def joined(folder: str, relative: str) -> str | None:
    """The folder a relative path leads to; None when it leaves the repository."""
    parts = [part for part in folder.split("/") if part]
    for step in relative.split("/"):
        if step == "..":
            if not parts:
                return None
            parts.pop()
        elif step not in ("", "."):
            parts.append(step)
    return "/".join(parts)


def is_gradle(build: BuildFile) -> bool:
    return build.kind.startswith("gradle")


def coordinates_of(text: str, properties: Mapping[str, str]) -> tuple[str, ...]:
    """The coordinates a dependency names: one, or those of a catalogue's bundle."""
    return tuple(part.strip() for part in applied(text, properties).split(",") if part.strip())


def applied(text: str, properties: Mapping[str, str]) -> str:
    """`${property}` replaced as Maven does, a few levels deep; what is unknown stays as written."""
    for _ in range(5):
        replaced = _PROPERTY.sub(lambda match: properties.get(match[1], match[0]), text)
        if replaced == text:
            break
        text = replaced
    return text

"""The entries that are loaded, by key, and texts that name profiles or files."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from itertools import count

from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.configuration.surroundings import Surroundings
from subdrift.linter.resolve.deployments import Deployment
from subdrift.linter.resolve.environment import Entry, Environment
from subdrift.linter.resolve.keys import is_canonical, relaxed
from subdrift.linter.resolve.modules import Deployable, Modules, Resources
from subdrift.linter.resolve.placeholder import Parts, parse
from subdrift.linter.resolve.resources import copied_to, filled_in
from subdrift.linter.resolve.spring.applications import Started
from subdrift.linter.resolve.spring.locations import Locations

PLAIN_STEPS_MAX = 1_000
"""Placeholders followed in one text that names profiles or files; a text with more stays as written."""

BY_PROFILE = re.compile(r"\$\{spring\.profiles\.active(?::[^}]*)?\}")
"""The active profile in the name of a file."""


def _nothing(name: str) -> None:
    """What the filters of a build say of a property where they are not asked."""


class Lookups:
    """The entries a deployable has loaded, whatever profiles they are for."""

    answers: Mapping[tuple[str, str], str]
    answers_at: Location | None
    asked: set[str]
    applications: tuple[Started, ...]
    locations: Locations
    fills: dict[str, list[Entry]]
    _looked_up: set[str]
    _under: Deployment | None
    _deployable: Deployable
    _modules: Modules
    _files: tuple[Placed, ...]
    _surroundings: Surroundings
    _tests: bool
    _entries: dict[str, list[Entry]]
    _relaxed: dict[str, list[Entry]]
    _environments: dict[str, Environment]
    _resources: dict[str, list[Placed]]
    _names: list[str]

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

    def below_or_at(self, key: str) -> tuple[Entry, ...]:
        return (*self.candidates(key, loosely=True), *self.below(key))

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

    def _first_text(self, key: str) -> str:
        """The text of a key that files without profile answer, "" where none does."""
        for entry in self.candidates(key, loosely=True):
            if not entry.when:
                return self.plain(self.filtered(entry.text, entry.at.origin)).strip()
        return ""

    def filtered(self, text: str, origin: Origin, filled: Callable[[str], str | None] = _nothing) -> str:
        """A text of a file with the build's properties replaced as far as the build tells, and `filled` as far as a file of
        its filters does; others stay as written."""
        if text.count("@") < 2 and "${" not in text:
            return text
        filtered, resources = self.is_filtered(origin)
        if not filtered:
            return text
        module = self._modules.modules.get(self._modules.of(origin))
        properties = dict(resources.properties if resources.known else module.properties if module else ())

        def known(name: str) -> str | None:
            found = filled(name)
            return properties.get(name) if found is None else found

        if resources.known:
            return filled_in(text, resources.delimiters, known)
        return filled_in(filled_in(text, "$", filled), "@", known)

    def is_filtered(self, origin: Origin) -> tuple[bool, Resources]:
        """Whether the build replaces properties in a file, and how; the first is True where that is not known."""
        module = self._modules.of(origin)
        resources = self._modules.resources(module)
        if not resources.known:
            return True, resources
        copied = copied_to(origin.path, module.folder, resources.folders)
        return copied is not None and copied[1], resources

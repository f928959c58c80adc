"""The configuration one deployable runs with in one environment: key -> text, with Spring's precedence.

Highest first: answers of `.subdrift.toml`, visible deployment variables, profile files and documents over plain
ones, `application` over `bootstrap`, `.properties` over YAML, a `config/` folder over its parent, the deployable's
own files over those of the modules it takes in. A key is found as written; a key in Spring's canonical form
(lower case, dashes) also finds its relaxed spellings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from linter.model.facts import ConfigEntry
from linter.model.location import Location
from linter.resolve.modules import Deployable, ModuleKey, Modules
from linter.resolve.place import Placed, scope_of, spring_file

PROFILES_MAX = 24
"""Profiles of one deployable that are evaluated; more are left out with a diagnostic."""

_CANONICAL = re.compile(r"[a-z0-9.\[\]-]+")
_CENTRES = ("nacos", "apollo", "consul", "configserver", "zookeeper", "polaris", "kubernetes")


@dataclass(frozen=True, slots=True)
class Entry:
    """One configured text and where it stands; `profile` "" unless only that profile has it."""

    key: str
    text: str
    at: Location
    profile: str
    rank: tuple[int, ...]


def relaxed(key: str) -> str:
    """The form in which Spring's relaxed spellings of one key are equal."""
    return key.replace("-", "").replace("_", "").lower()


class Configuration:
    """All configuration of one deployable; `Environment` views apply profiles."""

    def __init__(
        self,
        deployable: Deployable,
        modules: Modules,
        files: Iterable[Placed],
        answers: Mapping[str, str],
        answers_at: Location | None,
        extra: frozenset[str] = frozenset(),
    ) -> None:
        self._entries: dict[str, list[Entry]] = {}
        self._relaxed: dict[str, list[Entry]] = {}
        self.answers = answers
        self.answers_at = answers_at
        order = {key: index for index, key in enumerate(deployable.takes_in)}
        profiles: set[str] = set()
        for placed in files:
            module = modules.of(placed.origin)
            if module not in order or not placed.facts.config:
                continue
            kind = spring_file(placed.origin.path)
            if kind is None and placed.origin.path.rpartition("/")[2] not in extra:
                continue
            name, profile = kind or ("imported", "")
            for entry in placed.facts.config:
                for active in entry.profiles or ("",):
                    self._add(placed, entry, name, profile or active, order[module], profiles)
            if profile:
                profiles.add(profile)
        self.profiles = tuple(sorted(profiles))
        for entries in (*self._entries.values(), *self._relaxed.values()):
            entries.sort(key=lambda entry: entry.rank)

    def _add(
        self, placed: Placed, entry: ConfigEntry, name: str, profile: str, module: int, profiles: set[str]
    ) -> None:
        path = placed.origin.path
        if profile and not profile.startswith("!"):
            profiles.add(profile)
        rank = (
            0 if profile else 1,
            {"application": 0, "imported": 1, "bootstrap": 2}[name],
            module,
            0 if "/config/" in path else 1,
            0 if path.endswith(".properties") else 1,
            -entry.document,
        )
        made = Entry(entry.key, entry.text, placed.at(entry.at), profile, rank)
        self._entries.setdefault(entry.key, []).append(made)
        self._relaxed.setdefault(relaxed(entry.key), []).append(made)

    @cached_property
    def centre(self) -> str:
        """The configuration centre the deployable reads at run time, "" for none."""
        for key, entries in self._entries.items():
            plain = relaxed(key)
            if plain.startswith("spring.config.import"):
                for entry in entries:
                    for centre in _CENTRES:
                        if f"{centre}:" in entry.text:
                            return centre
            for centre in _CENTRES:
                if plain.startswith((f"spring.cloud.{centre}.config.", f"{centre}.config.")) and not (
                    plain.endswith(".enabled") and entries[0].text.strip().lower() == "false"
                ):
                    return centre
            if plain.startswith(("apollo.bootstrap", "apollo.meta")):
                return "apollo"
        return ""

    def environment(self, name: str) -> Environment:
        return Environment(self, name)

    def candidates(self, key: str, *, loosely: bool) -> tuple[Entry, ...]:
        """Every entry for a key, best first: as written, or also in relaxed spellings."""
        exact = tuple(self._entries.get(key, ()))
        if loosely or _CANONICAL.fullmatch(key):
            return exact + tuple(e for e in self._relaxed.get(relaxed(key), ()) if e.key != key)
        return exact

    def below(self, prefix: str) -> tuple[Entry, ...]:
        """Every entry whose key lies below a prefix, relaxed."""
        stem = relaxed(prefix)
        return tuple(
            entry
            for key, entries in self._relaxed.items()
            if key.startswith((stem + ".", stem + "["))
            for entry in entries
        )


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """A configuration with one profile active ("" for what runs when nobody names one)."""

    configuration: Configuration
    name: str

    @property
    def active(self) -> tuple[str, ...]:
        """The active profiles, the one that wins first."""
        named = [self.name] if self.name else []
        found = list(named)
        if not named:
            found += self._plain("spring.profiles.active")
        for key in ("spring.profiles.include", *(f"spring.profiles.group.{name}" for name in tuple(found))):
            found += self._plain(key)
        return tuple(dict.fromkeys(found))

    def _plain(self, key: str) -> list[str]:
        """A comma list written in a file without profile; placeholders and filters give nothing."""
        texts: list[str] = []
        for entry in self.configuration.candidates(key, loosely=True):
            if not entry.profile and "$" not in entry.text and "@" not in entry.text:
                texts = [part.strip() for part in entry.text.split(",")]
                break
        else:
            for index in range(PROFILES_MAX):
                listed = self.configuration.candidates(f"{key}[{index}]", loosely=True)
                if not listed or "$" in listed[0].text or "@" in listed[0].text:
                    break
                texts.append(listed[0].text.strip())
        return [text for text in texts if text]

    def lookup(self, key: str, *, loosely: bool = False) -> Entry | None:
        """The entry that holds for a key here, None when no file without or with an active profile has it."""
        active = self.active
        plain: Entry | None = None
        best: tuple[int, Entry] | None = None
        for entry in self.configuration.candidates(key, loosely=loosely):
            if not entry.profile:
                plain = plain or entry
            elif self._holds(entry.profile, active):
                position = active.index(entry.profile) if entry.profile in active else len(active)
                if best is None or position < best[0]:
                    best = (position, entry)
        return best[1] if best else plain

    @staticmethod
    def _holds(profile: str, active: tuple[str, ...]) -> bool:
        """Whether a document's profile expression holds: a name, `!name`, or names with `&` and `|`."""
        if profile in active:
            return True
        if profile.startswith("!"):
            return profile[1:].strip() not in active
        if "|" in profile:
            return any(Environment._holds(part.strip(), active) for part in profile.strip("() ").split("|"))
        if "&" in profile:
            return all(Environment._holds(part.strip(), active) for part in profile.strip("() ").split("&"))
        return False

    def children(self, prefix: str) -> tuple[str, ...]:
        """The names directly below a prefix in files that hold here, as written, in order of their places."""
        active = self.active
        depth = len(prefix)
        found: dict[str, Location] = {}
        for entry in self.configuration.below(prefix):
            if entry.profile and not self._holds(entry.profile, active):
                continue
            rest = _strip_prefix(entry.key, prefix)
            if rest is None:
                continue
            name = (
                re.split(r"[.\[]", rest, maxsplit=1)[0]
                if not rest.startswith("[")
                else rest[: rest.index("]") + 1]
            )
            if name and (name not in found or entry.at < found[name]):
                found[name] = entry.at
        del depth
        return tuple(sorted(found, key=lambda name: found[name]))


def _strip_prefix(key: str, prefix: str) -> str | None:
    """What follows a relaxed prefix in a key as written, without the dot; None when it is not below."""
    want = relaxed(prefix)
    for index in range(len(key) + 1):
        if (index == len(key) or key[index] in ".[") and relaxed(key[:index]) == want:
            return key[index + 1 :] if index < len(key) and key[index] == "." else key[index:]
    return None


def resources_module(modules: Modules, placed: Placed) -> ModuleKey | None:
    """The module whose class path holds a configuration file; None for test resources."""
    return None if scope_of(placed.origin.path) == "test" else modules.of(placed.origin)

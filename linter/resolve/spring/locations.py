"""Where Spring Boot looks for configuration files, and how files found at several places rank.

Mirrors ConfigDataEnvironment and StandardConfigDataLocationResolver, Spring Boot 2.4 to 3.4: a location set later stands
over one set before, the working directory over the class path, `config/` over the folder around it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from subdrift.linter.resolve.environment import listed
from subdrift.linter.resolve.spring.applications import Started

FILE, CLASS_PATH = 0, 1
"""Where a file is found at run time: the working directory, or the class path."""

_STANDARD = {
    (FILE, ""): (0, 2),
    (FILE, "config"): (0, 1),
    (CLASS_PATH, ""): (1, 2),
    (CLASS_PATH, "config"): (1, 1),
}
_MICROPROFILE = (CLASS_PATH, "META-INF", "properties")
"""Where MicroProfile looks, below `application.properties`."""
_SUFFIXES = ("properties", "yml", "yaml")


class Found(Struct, frozen=True):
    """How a configuration file ranks: `location`, then the profile, then `rank`; the lower one wins."""

    name: str
    profile: str
    location: int
    rank: tuple[int, int, int]


class Locations(Struct, frozen=True):
    """The names and places an application looks for. Places are (where, folder) -> (location, rank)."""

    names: tuple[str, ...] = ("application",)
    places: Mapping[tuple[int, str], tuple[int, int]] = field(default_factory=lambda: _STANDARD)

    def found(self, where: int, resource: str) -> Found | None:
        """How a file ranks that is found under a name; None for one that is not looked for."""
        folder, _, base = resource.rpartition("/")
        stem, _, suffix = base.rpartition(".")
        if (where, folder, suffix) == _MICROPROFILE and stem.startswith("microprofile-config"):
            return Found("microprofile-config", stem[len("microprofile-config-") :], 2, (0, 0, 0))
        if suffix not in _SUFFIXES:
            return None
        for index, name in enumerate((*self.names, "bootstrap")):
            if stem != name and not stem.startswith(f"{name}-"):
                continue
            place = (
                self.places.get((where, folder)) if name != "bootstrap" else _STANDARD.get((where, folder))
            )
            if place is None and where == FILE and re.fullmatch(r"config/[^/]+", folder):
                place = (0, 0) if (FILE, "config") in self.places else None
            if place is not None:
                rank = (place[1], -index, _SUFFIXES.index(suffix))
                return Found(name, stem[len(name) + 1 :], place[0], rank)
        return None


def locations(applications: Sequence[Started], told: Mapping[str, str]) -> Locations:
    """Where the applications of a deployable look, as far as their code says it, or what they are told (`told`)."""
    settings = {
        key.replace("-", "").lower(): text
        for one in (applications if len(applications) == 1 else ())
        for kind, key, text in one.settings
        if kind != "profiles" and text
    } | {key.replace("-", ""): text for key, text in told.items()}
    named = settings.get("spring.config.name", "")
    names = tuple(listed(named)) or ("application",)
    places = dict(_STANDARD)
    replaced = settings.get("spring.config.location", "")
    if replaced:
        places = {}
        for number, text in enumerate(reversed(replaced.split(","))):
            _place(places, text, number)
    for number, text in enumerate(settings.get("spring.config.additionallocation", "").split(",")):
        if text.strip():
            _place(places, text, -1 - number)
    return Locations(names, places)


def _place(places: dict[tuple[int, str], tuple[int, int]], text: str, location: int) -> None:
    for number, one in enumerate(reversed(text.split(";"))):
        where, folder = place_of(one)
        places[where, folder] = (location, number)


def place_of(text: str) -> tuple[int, str]:
    """(where, folder) of a location as it is written."""
    plain = text.strip().removeprefix("optional:").strip()
    where = FILE
    if plain.startswith(("classpath:", "classpath*:")):
        where, plain = CLASS_PATH, plain.partition(":")[2]
    else:
        plain = plain.removeprefix("file:")
    return where, re.sub(r"^(?:\./)+", "", plain).strip("/").removeprefix("./")

"""What one deployable came to, and the keys by which files and look-ups meet."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.location import Location
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve import definitions
from subdrift.linter.resolve.consumers import Consumers
from subdrift.linter.stages.blind_spots import blind_spots

LIBRARIES = (
    "java.",
    "javax.",
    "jakarta.",
    "org.springframework.",
    "lombok.",
    "kotlin.",
    "scala.",
    "reactor.",
)
"""What the names of library types begin with whose sources no repository of an organisation holds."""


class Unit(Struct, frozen=True):
    """What one deployable of `repo` came to, and what it looked up (as in `Known.asked`)."""

    repo: str
    found: Consumers
    asked: frozenset[str]


def with_unmet(units: Iterable[Unit]) -> list[Unit]:
    """The units of repositories, with the consumers of places that none of a repository's deployables has followed: each
    told once, by the first that takes its module in."""
    found = list(units)
    followed = {(unit.repo, at) for unit in found for at in unit.found.followed}
    for index, unit in enumerate(found):
        told: list[Consumer] = []
        fresh: set[Location] = set()
        for one in unit.found.unmet:
            if (unit.repo, one.at) not in followed:
                told.append(one)
                fresh.add(one.at)
        followed |= {(unit.repo, at) for at in fresh}
        if unit.found.unmet or unit.found.followed:
            diagnostics = (*unit.found.diagnostics, *blind_spots(told))
            consumers = (*unit.found.consumers, *told)
            found[index] = replace(unit, found=Consumers(consumers, diagnostics))
    return found


def is_library_key(key: str) -> bool:
    """Whether a key of `Known.asked` is a type of a library: no repository of an organisation answers it, and which of
    several deployables asks first is chance."""
    kind, _, name = key.partition(":")
    return kind == "type" and name.startswith(LIBRARIES)


def settings_key(name: str) -> str:
    """The key under which a deployable has looked up settings files of a base name outside of its modules."""
    return f"settings:{name}"


def keys_of(placed: Placed) -> frozenset[str]:
    """The keys under which other files can find a file, in the spelling of `Known.asked`."""
    found = set(definitions.keys_of(placed))
    if placed.facts.unit is not None:
        found |= {f"call:{name}" for name, _ in placed.facts.unit.calls}
    if placed.facts.language == "python" and placed.facts.unit is not None:
        imports = placed.facts.unit.imports
        found |= {f"import:{part}" for one in imports for part in (*one.path.split("."), one.member) if part}
    return frozenset(found)

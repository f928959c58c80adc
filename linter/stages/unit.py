"""What one deployable came to, and the keys by which files and look-ups meet."""

from __future__ import annotations

from msgspec import Struct

from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve import definitions
from subdrift.linter.resolve.consumers import Consumers

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


def is_library_key(key: str) -> bool:
    """Whether a key of `Known.asked` is a type of a library: no repository of an organisation answers it, and which of
    several deployables asks first is chance."""
    kind, _, name = key.partition(":")
    return kind == "type" and name.startswith(LIBRARIES)


def keys_of(placed: Placed) -> frozenset[str]:
    """The keys under which other files can find a file, in the spelling of `Known.asked`."""
    found = set(definitions.keys_of(placed))
    if placed.facts.unit is not None:
        found |= {f"call:{name}" for name, _ in placed.facts.unit.calls}
    if placed.facts.language == "python" and placed.facts.unit is not None:
        imports = placed.facts.unit.imports
        found |= {f"import:{part}" for one in imports for part in (*one.path.split("."), one.member) if part}
    return frozenset(found)

"""What settings answer for a repository."""

from __future__ import annotations

from dataclasses import dataclass

from linter.model.location import Location


@dataclass(frozen=True, slots=True)
class Answers:
    """What the configuration of a repository settles: `[values]` (key, profile or "", text) and where it stands."""

    values: tuple[tuple[str, str, str], ...] = ()
    at: Location | None = None

"""How much the report for people shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Detail:
    """`all_places`: every place instead of one of each side; `verbose`: what lies behind the assumptions."""

    all_places: bool = False
    verbose: bool = False

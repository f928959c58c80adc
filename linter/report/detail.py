"""How much the report for people shows."""

from __future__ import annotations

from msgspec import Struct


class Detail(Struct, frozen=True):
    """`all_places`: every place instead of one of each side; `verbose`: what lies behind the assumptions."""

    all_places: bool = False
    verbose: bool = False

"""How much the report for people shows."""

from __future__ import annotations

from msgspec import Struct


class Detail(Struct, frozen=True):
    """`all_places`: every place instead of one of each side; `samples`: findings of samples and
    tests beside others; `verbose`: what lies behind the assumptions."""

    all_places: bool = False
    samples: bool = False
    verbose: bool = False

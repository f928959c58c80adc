"""Regular expressions that programs hold: those that cannot take long on a text."""

from __future__ import annotations

import re
from typing import Final

COSTLY: Final = re.compile(r"[*+?}]\)*[*+{]|\([^()]*[*+?{|][^()]*\)+[*+{]|\)\)+[*+{]")
"""A repetition inside another."""

COST_MAX: Final = 1e7
LENGTH_MAX: Final = 200
"""Characters of a pattern."""


def affordable(pattern: str, length: int) -> bool:
    """Whether a pattern can be looked for in a text of a length: at most `COST_MAX` steps however it goes about it."""
    if len(pattern) > LENGTH_MAX or COSTLY.search(pattern):
        return False
    return float(length + 1) ** (1 + sum(map(pattern.count, "*+?{"))) <= COST_MAX

"""Blanks between Chinese and Latin text, where a template meets what is filled into it.

One blank stands between a Chinese character and a letter, digit or quoted code; none beside full-width punctuation.
Only the seams are set: what a name or an expression holds stays as it is.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from typing import Final

_HAN: Final = "\u4e00-\u9fff"
_FULL_WIDTH: Final = "，。；：、！？（）“”《》"
_LATIN: Final = "0-9A-Za-z`"
_HAN_THEN_LATIN: Final = re.compile(f"[{_HAN}][{_LATIN}]")
_LATIN_THEN_HAN: Final = re.compile(f"[{_LATIN}%][{_HAN}]")


def beside(left: str, right: str) -> str:
    """Two pieces of a Chinese sentence as one."""
    before, after = left.rstrip(" "), right.lstrip(" ")
    if not before or not after:
        return left + right
    if before[-1] in _FULL_WIDTH or after[0] in _FULL_WIDTH:
        return before + after
    seam = left[-1] + right[0]
    if _HAN_THEN_LATIN.match(seam) or _LATIN_THEN_HAN.match(seam):
        return f"{left} {right}"
    return left + right


def filled(template: str, parameters: Mapping[str, str]) -> str:
    """A Chinese template with its parameters, each set beside its neighbours; what is quoted as code stays as it is."""
    told, quoted = "", False
    for literal, name, spec, _ in string.Formatter().parse(template):
        told = told + literal if quoted else beside(told, literal)
        quoted ^= literal.count("`") % 2 == 1
        if name is not None:
            value = format(parameters[name], spec or "")
            told = told + value if quoted else beside(told, value)
    return told

"""Blanks between Chinese and Latin text, where a template meets what is filled into it.

One blank stands between a Chinese character and a letter, digit or quoted code; none beside full-width punctuation.
Only the seams are set: what a name or an expression holds stays as it is.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Final

_FULL_WIDTH: Final = "，。；：、！？（）“”《》"
_LATIN: Final = frozenset(string.ascii_letters + string.digits + "`")


def beside(left: str, right: str) -> str:
    """Two pieces of a Chinese sentence as one."""
    before, after = left.rstrip(" "), right.lstrip(" ")
    if not before or not after:
        return left + right
    if before[-1] in _FULL_WIDTH or after[0] in _FULL_WIDTH:
        return before + after
    last, first = left[-1], right[0]
    if (_is_han(last) and first in _LATIN) or ((last in _LATIN or last == "%") and _is_han(first)):
        return f"{left} {right}"
    return left + right


def _is_han(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


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

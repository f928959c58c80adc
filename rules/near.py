"""Names of which one is probably the other, mistyped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

WORD_CHARS_MIN: Final = 5
"""Letters of a word of which one may be wrong: of shorter ones many differ by a letter and mean two things."""
_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def nearly(name: str, known: Iterable[str]) -> str:
    """The known name of which a name is a slip: other case or separators, or one letter of one word; "" where none is."""
    own = words(name)
    return next((one for one in sorted(known) if one != name and _is_slip(own, words(one))), "")


def words(name: str) -> tuple[str, ...]:
    """The words of a name, in small letters, however they are parted."""
    return tuple(word.lower() for word in _WORDS.findall(name))


def _is_slip(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if "".join(one) == "".join(other):
        return True
    if len(one) != len(other):
        return False
    different = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(different) == 1 and _is_one_letter(*different[0])


def _is_one_letter(one: str, other: str) -> bool:
    """Whether two words differ by a letter that is missing, too much, another or in the wrong place, not at the beginning."""
    short, long = sorted((one, other), key=len)
    if len(short) < WORD_CHARS_MIN or not (one + other).isalpha() or short[0] != long[0]:
        return False
    at = next((index for index, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(long) == len(short) + 1:
        return short[at:] == long[at + 1 :]
    swapped = short[:at] + short[at : at + 2][::-1] + short[at + 2 :]
    return len(short) == len(long) and long in (swapped, short[:at] + long[at : at + 1] + short[at + 1 :])

"""Regular expressions that programs hold: those that cannot take long on a text."""

from __future__ import annotations

import re
from typing import Final

COSTLY: Final = re.compile(r"[*+?}]\)*[*+{]|\([^()]*[*+?{|][^()]*\)+[*+{]|\)\)+[*+{]")
"""A repetition inside another."""

COST_MAX: Final = 1e7
LENGTH_MAX: Final = 200
"""Characters of a pattern."""

_ATOM: Final = re.compile(
    r"(?P<other>[|^$]|\\[bBAZz]|\(\?[imsx]+\))|(?P<open>\((?:\?(?:P?<\w+>|[:=!]|<[=!]))?)|(?P<close>\))|"
    r"(?P<one>\\[^1-9]|\[\^?\]?(?:\\.|[^\]\\])+\]|[^*+?{\\\[()]|\{(?!(?:\d+|\d*,\d*)\}))"
)
_TIMES: Final = re.compile(r"(?P<many>[*+]|\{\d*,\d*\})[?+]?|(?P<optional>\?)[?+]?|(?P<times>\{\d+\})[?+]?")
_CHARACTERS: Final = [*map(chr, range(128)), "é", "中"]


_SINGLE: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
"""What stands for one character."""

_VERBOSE: Final = re.compile(r"(?P<kept>\\.|\[\^?\]?(?:\\.|[^\]\\])*\])|\s+|#[^\n]*", re.DOTALL)


def terse(pattern: str) -> str:
    """A pattern of `re.VERBOSE` as it is without that."""
    return _VERBOSE.sub(lambda found: found["kept"] or "", pattern)


_PREFIX: Final = re.compile(r"(?:[^\\\[\](){}*+?.|^$]|\\\W|\{(?!\d|,))+")
"""What a pattern begins with as it stands."""


def affordable(pattern: str, length: int, *, anchored: bool = False, text: str | None = None) -> bool:
    """Whether a pattern can be looked for in a text of a length, `anchored`: at one place of it: at most `COST_MAX` steps
    however it goes about it. `text`: the text itself, where only what the pattern begins with is a place to begin at."""
    if len(pattern) > LENGTH_MAX or COSTLY.search(_SINGLE.sub("a", pattern)):
        return False
    places = 1 if anchored else length + 1 if text is None else _places(pattern, text)
    return estimate(pattern, length) * places <= COST_MAX * (length + 1)


def _places(pattern: str, text: str) -> int:
    """At how many places of a text a pattern may fit at most."""
    count, plain = 1, text.lower()
    for each in _alternatives(pattern):
        found = _PREFIX.match(each)
        written = found[0] if found is not None else ""
        if found is not None and each[found.end() : found.end() + 1] in ("*", "?", "{"):
            written = written[:-1].removesuffix("\\")
        if not (literal := re.sub(r"\\(.)", r"\1", written).lower()):
            return len(text) + 1
        count += len(re.findall(f"(?={re.escape(literal)})", plain))
    return count


def _alternatives(pattern: str) -> list[str]:
    """The parts of a pattern between the bars that stand in no group."""
    plain = _SINGLE.sub(lambda found: "a" * len(found[0]), pattern)
    parts, depth, begins = [], 0, 0
    for place, sign in enumerate(plain):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            parts.append(pattern[begins:place])
            begins = place + 1
    return [*parts, pattern[begins:]]


def estimate(pattern: str, length: int) -> float:
    """The steps that looking for a pattern in a text of a length takes at most, as far as no repetition holds another."""
    steps = 0.0
    for each in _alternatives(pattern):
        power = _power(each)
        if power is None:
            power = 1 + sum(map(pattern.count, "*+?{"))
        try:
            steps += float(length + 1) ** power
        except OverflowError:
            return float("inf")
    return steps


def _power(pattern: str) -> int | None:
    """The power of a text's length that bounds the steps: neighbouring repetitions that take the same characters can share
    them out in as many ways as there are places, others in one. None for a pattern that is not plain enough."""
    ways, position, optional = 0, 0, 0
    before: frozenset[str] = frozenset()  # what repetitions take behind which nothing has to stand
    while position < len(pattern):
        atom = _ATOM.match(pattern, position)
        if atom is None:
            return None
        times = _TIMES.match(pattern, atom.end())
        position = times.end() if times else atom.end()
        often = bool(times and (times["many"] or times["times"]))
        optional += bool(times and times["optional"])
        if atom["close"] is not None and often:
            return None
        if atom["one"] is None:
            continue
        try:
            single = re.compile(atom["one"])
        except re.error:
            return None
        taken = frozenset(filter(single.fullmatch, _CHARACTERS))
        if times and times["many"]:
            ways += not taken.isdisjoint(before)
            apart = times["many"] == "+" and taken.isdisjoint(before)
            before = taken if apart else taken | before
        elif not (times and times["optional"]) and taken.isdisjoint(before):
            before = frozenset()
    return 2 + ways + optional // 4

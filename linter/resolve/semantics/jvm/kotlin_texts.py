"""Kotlin's functions of texts that Java has not, on Python's texts. Their parameters are called as Kotlin calls them."""

# ruff: noqa: N803

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from subdrift.linter.resolve.execute.values import TEXT_MAX
from subdrift.linter.resolve.semantics.jvm.texts import compared, replaced


def _trim_indent(known: str) -> str:
    lines = known.splitlines()
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    least = min(indents, default=0)
    kept = [line[least:] for line in lines]
    if kept and not kept[0].strip():
        kept = kept[1:]
    if kept and not kept[-1].strip():
        kept = kept[:-1]
    return "\n".join(kept)


def _trim_margin(known: str, margin: str = "|") -> str:
    lines = known.splitlines()
    kept = [
        line.lstrip()[len(margin) :] if line.lstrip().startswith(margin) else line
        for index, line in enumerate(lines)
        if line.strip() or index not in (0, len(lines) - 1)
    ]
    return "\n".join(kept)


def _starts(known: str, prefix: str, startIndex: Any = 0, ignoreCase: Any = False) -> bool:
    """`startsWith`: from the beginning, or from a place on."""
    start, small = (0, startIndex) if isinstance(startIndex, bool) else (startIndex, ignoreCase)
    return _pattern(known, prefix, small).match(known, _least(start, 0)) is not None


def _pattern(known: str, word: str, ignore_case: object) -> re.Pattern[str]:
    """Finds a word in a text as it is, or in small and capital letters, where that is the same to Kotlin. Raises `TypeError`
    for other arguments."""
    if not isinstance(word, str) or not isinstance(ignore_case, bool):
        raise TypeError(word)
    if ignore_case and not (known.isascii() and word.isascii()):
        raise TypeError(word)
    return re.compile(re.escape(word), re.IGNORECASE if ignore_case else 0)


def _replaced(known: str, old: str, new: str, ignore_case: object, count: int = 0) -> str:
    pattern = _pattern(known, old, ignore_case)
    if not ignore_case and not count:
        return replaced(known, old, new)
    if len(known) + len(known) * len(new) > TEXT_MAX:
        return "x" * (TEXT_MAX + 1)
    return pattern.sub(lambda _: new, known, count)


def _split(known: str, *delimiters: Any, ignoreCase: object = False, limit: int = 0) -> list[str]:
    found = "|".join(_pattern(known, one, ignoreCase).pattern for one in delimiters)
    if limit < 0 or limit == 1 or not found:
        raise TypeError(limit)
    return re.split(found, known, maxsplit=max(0, limit - 1), flags=re.IGNORECASE if ignoreCase else 0)


def _part(known: str, separator: str, missing: str | None, *, before: bool, last: bool) -> str:
    place = known.rfind(separator) if last else known.find(separator)
    if place < 0:
        return known if missing is None else missing
    return known[:place] if before else known[place + len(separator) :]


def _number(known: str, bits: int = 32) -> int | None:
    number = int(known) if re.fullmatch(r"[+-]?\d{1,30}", known) else None
    return number if number is not None and -(1 << bits - 1) <= number < 1 << bits - 1 else None


_BLANK = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""What Kotlin takes for white space: Java's `strip` leaves the spaces that break no line."""


def _one(known: str, changed: str) -> str:
    """A letter, as it is where the changed one has several."""
    return changed if len(changed) == 1 else known


_SPACES = "".join(map(chr, range(33)))
"""What numbers with a point may stand between."""


def _real_or_null(known: str) -> float | None:
    bare = known.strip(_SPACES)
    if bare.lstrip("+-") not in ("NaN", "Infinity") and not re.fullmatch(r"[\w+.-]*\d[\w+.-]*", bare):
        return None
    return _real(bare)


def _real(known: str) -> float:
    """A number that Java reads as Python does. Raises `ValueError` for another text."""
    if not re.fullmatch(r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?", known):
        raise ValueError(known)
    return float(known)


def _least(number: int, least: int) -> int:
    """The number of a call that throws where it is smaller. Raises `ValueError` there."""
    if number < least:
        raise ValueError(number)
    return number


def _without(known: str, prefix: str, suffix: str | None = None) -> str:
    """`removeSurrounding`; called with one text alone, that is what stands on both sides."""
    last = prefix if suffix is None else suffix
    both = known.startswith(prefix) and known.endswith(last) and len(known) >= len(prefix) + len(last)
    return known[len(prefix) : len(known) - len(last)] if both else known


TEXTS: dict[str, Callable[..., Any]] = {
    "trim": lambda known, *chars: known.strip("".join(chars) or _BLANK),
    "trimStart": lambda known, *chars: known.lstrip("".join(chars) or _BLANK),
    "trimEnd": lambda known, *chars: known.rstrip("".join(chars) or _BLANK),
    "isBlank": lambda known: not known.strip(_BLANK),
    "trimIndent": _trim_indent,
    "trimMargin": lambda known, marginPrefix="|": _trim_margin(known, marginPrefix),
    "removePrefix": lambda known, prefix: known.removeprefix(prefix),
    "removeSuffix": lambda known, suffix: known.removesuffix(suffix),
    "removeSurrounding": _without,
    "padStart": lambda known, length, padChar=" ": known.rjust(min(_least(length, 0), TEXT_MAX + 1), padChar),
    "padEnd": lambda known, length, padChar=" ": known.ljust(min(_least(length, 0), TEXT_MAX + 1), padChar),
    "replace": lambda known, oldValue, newValue, ignoreCase=False: _replaced(
        known, oldValue, newValue, ignoreCase
    ),
    "replaceFirst": lambda known, oldValue, newValue, ignoreCase=False: _replaced(
        known, oldValue, newValue, ignoreCase, 1
    ),
    "split": _split,
    "lines": lambda known: re.split("\r\n|\n|\r", known),
    "lineSequence": lambda known: re.split("\r\n|\n|\r", known),
    "splitToSequence": _split,
    "substringBefore": lambda known, delimiter, missingDelimiterValue=None: _part(
        known, delimiter, missingDelimiterValue, before=True, last=False
    ),
    "substringAfter": lambda known, delimiter, missingDelimiterValue=None: _part(
        known, delimiter, missingDelimiterValue, before=False, last=False
    ),
    "substringBeforeLast": lambda known, delimiter, missingDelimiterValue=None: _part(
        known, delimiter, missingDelimiterValue, before=True, last=True
    ),
    "substringAfterLast": lambda known, delimiter, missingDelimiterValue=None: _part(
        known, delimiter, missingDelimiterValue, before=False, last=True
    ),
    "take": lambda known, n: known[: _least(n, 0)],
    "drop": lambda known, n: known[_least(n, 0) :],
    "takeLast": lambda known, n: known[max(0, len(known) - _least(n, 0)) :],
    "dropLast": lambda known, n: known[: max(0, len(known) - _least(n, 0))],
    "first": lambda known: known[0],
    "last": lambda known: known[-1],
    "get": lambda known, index: known[_least(index, 0)],
    "reversed": lambda known: known[::-1],
    "capitalize": lambda known: known[:1].upper() + known[1:],
    "decapitalize": lambda known: known[:1].lower() + known[1:],
    "titlecase": lambda known: known[:1].upper() + known[1:],
    "uppercaseChar": lambda known: _one(known, known.upper()),
    "lowercaseChar": lambda known: _one(known, known.lower()),
    "compareTo": lambda known, other, ignoreCase=False: (
        compared(known.upper().lower(), other.upper().lower()) if ignoreCase else compared(known, other)
    ),
    "equals": lambda known, other, ignoreCase=False: (
        _pattern(known, other, ignoreCase).fullmatch(known) is not None
    ),
    "startsWith": _starts,
    "endsWith": lambda known, suffix, ignoreCase=False: (
        _pattern(known, suffix, ignoreCase).fullmatch(known, max(0, len(known) - len(suffix))) is not None
    ),
    "contains": lambda known, other, ignoreCase=False: (
        _pattern(known, other, ignoreCase).search(known) is not None
    ),
    "toIntOrNull": _number,
    "toLongOrNull": lambda known: _number(known, 64),
    "toShortOrNull": lambda known: _number(known, 16),
    "toByteOrNull": lambda known: _number(known, 8),
    "toDouble": _real,
    "toDoubleOrNull": _real_or_null,
    "prependIndent": lambda known, indent="    ": indent + replaced(known, "\n", f"\n{indent}"),
    "chunked": lambda known, size: [known[i : i + size] for i in range(0, len(known), _least(size, 1))],
    "commonPrefixWith": lambda known, other: known[
        : next(
            (i for i, (a, b) in enumerate(zip(known, other, strict=False)) if a != b),
            min(len(known), len(other)),
        )
    ],
    "isDigit": lambda known: known.isdecimal(),
    "isLetter": lambda known: known.isalpha(),
    "isLetterOrDigit": lambda known: known.isalpha() or known.isdecimal(),
    "isUpperCase": lambda known: known.isupper(),
    "count": lambda known: len(known),
}
"""Functions of texts that Java has not, or means otherwise."""

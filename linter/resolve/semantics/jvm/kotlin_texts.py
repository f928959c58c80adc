"""Kotlin's functions of texts that Java has not, on Python's texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from subdrift.linter.resolve.execute.values import TEXT_MAX
from subdrift.linter.resolve.semantics.jvm.texts import replaced


def digits(number: int, radix: int) -> str:
    """A number in another radix."""
    found = ""
    rest = abs(number)
    while rest or not found:
        found = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % radix] + found
        rest //= radix
    return f"-{found}" if number < 0 else found


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


def _split(known: str, *separators: Any) -> list[str]:
    words = [one for one in separators if isinstance(one, str)]
    return re.split("|".join(map(re.escape, words)), known)


def _part(known: str, separator: str, *missing: str, before: bool, last: bool) -> str:
    place = known.rfind(separator) if last else known.find(separator)
    if place < 0:
        return missing[0] if missing else known
    return known[:place] if before else known[place + len(separator) :]


def _number(known: str) -> int | None:
    return int(known) if re.fullmatch(r"[+-]?[0-9]+", known) else None


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


TEXTS: dict[str, Callable[..., Any]] = {
    "trim": lambda known, *chars: known.strip("".join(chars)),
    "trimStart": lambda known, *chars: known.lstrip("".join(chars)),
    "trimEnd": lambda known, *chars: known.rstrip("".join(chars)),
    "trimIndent": _trim_indent,
    "trimMargin": _trim_margin,
    "removePrefix": lambda known, prefix: known.removeprefix(prefix),
    "removeSuffix": lambda known, suffix: known.removesuffix(suffix),
    "removeSurrounding": lambda known, one, other=None: (
        known[len(one) : len(known) - len(other or one)]
        if known.startswith(one)
        and known.endswith(other or one)
        and len(known) >= len(one) + len(other or one)
        else known
    ),
    "padStart": lambda known, width, fill=" ": known.rjust(min(width, TEXT_MAX + 1), fill),
    "padEnd": lambda known, width, fill=" ": known.ljust(min(width, TEXT_MAX + 1), fill),
    "replace": replaced,
    "replaceFirst": lambda known, old, new: known.replace(old, new, 1),
    "split": _split,
    "lines": lambda known: re.split("\r\n|\n|\r", known),
    "lineSequence": lambda known: re.split("\r\n|\n|\r", known),
    "splitToSequence": _split,
    "substringBefore": lambda known, sep, *m: _part(known, sep, *m, before=True, last=False),
    "substringAfter": lambda known, sep, *m: _part(known, sep, *m, before=False, last=False),
    "substringBeforeLast": lambda known, sep, *m: _part(known, sep, *m, before=True, last=True),
    "substringAfterLast": lambda known, sep, *m: _part(known, sep, *m, before=False, last=True),
    "take": lambda known, count: known[: _least(count, 0)],
    "drop": lambda known, count: known[_least(count, 0) :],
    "takeLast": lambda known, count: known[max(0, len(known) - _least(count, 0)) :],
    "dropLast": lambda known, count: known[: max(0, len(known) - _least(count, 0))],
    "first": lambda known: known[0],
    "last": lambda known: known[-1],
    "get": lambda known, index: known[_least(index, 0)],
    "reversed": lambda known: known[::-1],
    "capitalize": lambda known: known[:1].upper() + known[1:],
    "decapitalize": lambda known: known[:1].lower() + known[1:],
    "titlecase": lambda known: known[:1].upper() + known[1:],
    "uppercaseChar": lambda known: known.upper(),
    "lowercaseChar": lambda known: known.lower(),
    "equals": lambda known, other: known == other,
    "startsWith": lambda known, other: known.startswith(other),
    "endsWith": lambda known, other: known.endswith(other),
    "contains": lambda known, other: other in known,
    "toIntOrNull": _number,
    "toLongOrNull": _number,
    "toDouble": _real,
    "toDoubleOrNull": _real,
    "prependIndent": lambda known, indent="    ": indent + replaced(known, "\n", f"\n{indent}"),
    "chunked": lambda known, count: [known[i : i + count] for i in range(0, len(known), _least(count, 1))],
    "commonPrefixWith": lambda known, other: known[
        : next(
            (i for i, (a, b) in enumerate(zip(known, other, strict=False)) if a != b),
            min(len(known), len(other)),
        )
    ],
    "isDigit": lambda known: known.isdigit(),
    "isLetter": lambda known: known.isalpha(),
    "isLetterOrDigit": lambda known: known.isalnum(),
    "isUpperCase": lambda known: known.isupper(),
    "count": lambda known: len(known),
}
"""Functions of texts that Java has not, or means otherwise."""

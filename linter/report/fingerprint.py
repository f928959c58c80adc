"""GitHub's `primaryLocationLineHash`: a rolling hash over what follows a line, so that alerts survive moved code.

Computed as the upload action computes it, because it warns about every value that differs from its own.
Mirrors: github/codeql-action src/fingerprints.ts (hash).
"""

from __future__ import annotations

import struct

BLOCK_SIZE = 100
"""UTF-16 units, blanks not counted, that a line's hash covers."""

_FACTOR = 37
_MASK = (1 << 64) - 1
_FIRST = pow(_FACTOR, BLOCK_SIZE, 1 << 64)
_TAB, _LF, _CR, _SPACE, _EOF = 9, 10, 13, 32, 65535


def line_hashes(content: bytes) -> dict[int, str]:
    """The hash of every line, by its number from 1: hexadecimal, and how often this value was met before."""
    units = _without_blanks(content.decode("utf-8", "replace"))
    found: dict[int, str] = {}
    met: dict[int, int] = {}
    starts = _line_starts(units)
    value = 0
    # the hash of a line is the state once BLOCK_SIZE units from its start are in the window
    due = {start + BLOCK_SIZE: number for number, start in enumerate(starts, 1)}
    padded = units + [0] * BLOCK_SIZE
    for index in range(len(padded) + 1):
        number = due.get(index)
        if number is not None:
            met[value] = met.get(value, 0) + 1
            found[number] = f"{value:x}:{met[value]}"
        if index < len(padded):
            left = padded[index - BLOCK_SIZE] if index >= BLOCK_SIZE else 0
            value = (_FACTOR * value + padded[index] - _FIRST * left) & _MASK
    return found


def _without_blanks(text: str) -> list[int]:
    """UTF-16 units without spaces and tabs, every line end one LF, and the end marked."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace(" ", "").replace("\t", "")
    encoded = text.encode("utf-16-le", "surrogatepass")
    return [*struct.unpack(f"<{len(encoded) // 2}H", encoded), _EOF]


def _line_starts(units: list[int]) -> list[int]:
    return [0] + [index + 1 for index, unit in enumerate(units) if unit == _LF]

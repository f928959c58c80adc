"""Literals of Java and Kotlin as values."""

from __future__ import annotations

import re
from math import isfinite

_ESCAPE = re.compile(r"\\(?:u+([0-9a-fA-F]{4})|([0-3]?[0-7]{1,2})|(\n|\r\n?)|(.))", re.DOTALL)
_NAMED = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "s": " "} | {sign: sign for sign in "\"'\\$"}
_SURROGATE = re.compile("[\ud800-\udfff]")

INTEGER_DIGITS_MAX = 80
"""Characters of an integer literal; 64 binary digits, a prefix and some underscores."""


def unescape(text: str) -> str | None:
    r"""The text that a literal's inside stands for: `\n`, `\101`, `\u0041`, a `\` at a line's end. None where half a
    character remains (a surrogate without its partner), and for an escape that no compiler takes (`\q`)."""
    if "\\" not in text:
        return text
    try:
        text = _ESCAPE.sub(_escaped, text)
    except KeyError:
        return None
    if _SURROGATE.search(text):
        try:
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            return None
    return text


def _escaped(match: re.Match[str]) -> str:
    code, octal, line, name = match.groups()
    if code:
        return chr(int(code, 16))
    if octal:
        return chr(int(octal, 8))
    return "" if line else _NAMED[name]


def text_block(raw: str) -> str | None:
    """The text of the inside of a Java text block: the first line is dropped, the common indentation and trailing
    blanks are stripped, then escapes are applied."""
    lines = raw.replace("\r\n", "\n").replace("\r", "\n").split("\n")[1:]
    if not lines:
        return unescape(raw)
    counted = [line for line in lines[:-1] if line.strip(_BLANK)] + lines[-1:]
    indent = min(len(line) - len(line.lstrip(_BLANK)) for line in counted)
    return unescape("\n".join(line[indent:].rstrip(_BLANK) for line in lines))


_BLANK = " \t\f"


def integer(text: str, wraps: bool = True) -> int | None:
    """The value of an integer literal (`1_000`, `0xFFL`, `0b1`, `017`); None for digits that are not a number. With `wraps`
    it has 32 or 64 bits, of which Java's other notations than the decimal one may set the sign."""
    if len(text) > INTEGER_DIGITS_MAX:
        return None
    digits = text.replace("_", "").lower()
    bits = 32
    if digits.endswith("l"):
        digits, bits = digits[:-1], 64
    try:
        if digits.startswith("0x"):
            value = int(digits[2:], 16)
        elif digits.startswith("0b"):
            value = int(digits[2:], 2)
        elif digits.startswith("0") and len(digits) > 1:
            value = int(digits, 8)
        else:
            value = int(digits)
            return value if value <= 1 << 63 else None
    except ValueError:
        return None
    if not wraps:
        return value if value < 1 << 63 else None
    if value >= 1 << bits:
        return None
    return value - (1 << bits) if value >> (bits - 1) else value


def real(text: str) -> float | None:
    """The value of a floating point literal, also a hexadecimal one."""
    digits = text.replace("_", "").lower()
    try:
        if digits.startswith("0x"):
            value = float.fromhex(digits.rstrip("fd") if "p" in digits else digits)
        else:
            value = float(digits.rstrip("fd"))
    except (ValueError, OverflowError):
        return None
    return value if isfinite(value) else None

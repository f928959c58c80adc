"""Python's literals as written -> their values, as CPython has them whatever version runs this."""

from __future__ import annotations

import re

_OPENING = re.compile(r"([A-Za-z]{0,2})('''|\"\"\"|'|\")")
_ESCAPE = re.compile(
    r"\\(?:(\n)|([\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^{}\n]*)\}|([xuUN]))"
)
_BYTES_ESCAPE = re.compile(r"\\(?:(\n)|([\\'\"abfnrtv])|([0-7]{1,3})|x([0-9a-fA-F]{2})|()()()(x))")
_SHORT = {
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_BRACES = re.compile(r"\\N\{[^{}\n]*\}|\{\{|\}\}")

INTEGERS = range(-(2**63), 2**63)
"""Those that are lowered as constants."""


class MalformedError(ValueError):
    """An escape that means nothing."""


def opening(written: str) -> tuple[str, str]:
    """The prefix of a literal in lower case, and its quotes; no quotes where it is not one of today's Python."""
    found = _OPENING.match(written)
    return (found[1].lower(), found[2]) if found else ("", "")


def text(inside: str, prefix: str) -> str:
    """The value of what stands between the quotes of a literal that is not formatted; of bytes, as Latin-1.

    Raises `MalformedError` for what CPython refuses.
    """
    if "b" in prefix:
        if not inside.isascii():
            raise MalformedError(inside)
        return inside if "r" in prefix or "\\" not in inside else _BYTES_ESCAPE.sub(_byte, inside)
    return inside if "r" in prefix or "\\" not in inside else _ESCAPE.sub(_character, inside)


def formatted_text(inside: str, prefix: str) -> str:
    """The value of a stretch of text between the fields of an f-string, its braces doubled. Raises `MalformedError`."""
    if "{" not in inside and "}" not in inside:
        return text(inside, prefix)
    if "r" in prefix:
        return inside.replace("{{", "{").replace("}}", "}")
    return text(_BRACES.sub(lambda found: found[0][0] if found[0][0] != "\\" else found[0], inside), prefix)


def number(written: str) -> int | float | None:
    """The value of a number; None for an imaginary one, and for what only Python 2 or nobody reads."""
    try:
        return int(written, 0) if written[:1] != "." else float(written)
    except ValueError:
        pass
    try:
        return None if written.isdigit() else float(written)
    except ValueError:
        return None


def _character(found: re.Match[str]) -> str:
    newline, short, octal, two, four, eight, name, wrong = found.groups()
    if short:
        return _SHORT[short]
    if newline:
        return ""
    if octal:
        return chr(int(octal, 8))
    if name is not None:
        return _named(name)
    digits = two or four or eight
    if wrong or int(digits, 16) > 0x10FFFF:
        raise MalformedError(found[0])
    return chr(int(digits, 16))


def _byte(found: re.Match[str]) -> str:
    newline, short, octal, two, _, _, _, wrong = found.groups()
    if wrong:
        raise MalformedError(found[0])
    if short:
        return _SHORT[short]
    return "" if newline else chr(int(octal, 8) & 0xFF) if octal else chr(int(two, 16))


def _named(name: str) -> str:
    import unicodedata  # few files name a character

    try:
        found = unicodedata.lookup(name)
    except KeyError:
        raise MalformedError(name) from None
    if len(found) != 1:  # a named sequence, which a literal may not hold
        raise MalformedError(name)
    return found

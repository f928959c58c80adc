"""TOML and JSON of people who may mean harm: may a parser have this text, or one sentence with the line.

The parsers of the standard library recurse with the nesting, refuse long numbers with an error of their own kind, and
take quadratic time for keys of many parts. One pass over the tokens finds these before they are asked.
"""

from __future__ import annotations

import re
from typing import Final

NESTING_MAX: Final = 64
"""Brackets and braces inside one another."""
KEY_PARTS_MAX: Final = 64
"""Parts of one dotted key or table name."""
DIGITS_MAX: Final = 400
"""Digits of one number: more than any of ours needs, fewer than Python converts (4,300)."""

# every quantifier is possessive and every text may end with the file, so no character is looked at twice
_TOKEN: Final = (
    r'(?P<text>"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\Z)?'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)?"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?)"
    r"|(?P<comment>\#[^\n]*+)"
    r"|(?P<mark>[\[\]{}=:,\n])"
    r"|(?P<bare>[^\s\[\]{}=:,\#\"']++)"
)
_JSON_TOKEN: Final = (
    r'(?P<text>"(?:[^"\\\n]|\\[^\n])*+"?)|(?P<comment>(?!))|(?P<mark>[\[\]{}:,\n])|(?P<bare>[^\s\[\]{}:,"]++)'
)
_NUMBER: Final = re.compile(r"[-+]?[0-9a-fA-FxX_]*+(?:\.[0-9_]*+)?(?:[eE][-+]?[0-9_]*+)?")


class BoundedError(Exception):
    """Why a text is not parsed; `line` counts from 1. `kind` is `nesting`, `key-parts` or `digits`, `most` its bound."""

    def __init__(self, line: int, kind: str, most: int) -> None:
        super().__init__(line, kind, most)
        self.line = line
        self.kind = kind
        self.most = most

    @property
    def message(self) -> str:
        return _SENTENCES[self.kind].format(most=self.most)


_SENTENCES: Final = {
    "nesting": "is nested deeper than {most} levels",
    "key-parts": "has a key of more than {most} parts",
    "digits": "has a number of more than {most} digits",
}


def check_toml(text: str) -> None:
    """Refuse a TOML text that tomllib would choke on. Linear in the text. Raises `BoundedError`."""
    _check(text, re.compile(_TOKEN, re.DOTALL))


def check_json(text: str) -> None:
    """Refuse a JSON text that the json module would choke on. Linear in the text. Raises `BoundedError`."""
    _check(text, re.compile(_JSON_TOKEN))


def _check(text: str, tokens: re.Pattern[str]) -> None:
    line, depth, parts = 1, 0, 0
    for found in tokens.finditer(text):
        match found.lastgroup:
            case "mark":
                sign = found[0]
                parts = 0
                if sign == "\n":
                    line += 1
                elif sign in "[{":
                    depth += 1
                    if depth > NESTING_MAX:
                        raise BoundedError(line, "nesting", NESTING_MAX)
                elif sign in "]}":
                    depth = max(0, depth - 1)
            case "bare":
                bare = found[0]
                parts += bare.count(".")
                if parts >= KEY_PARTS_MAX:
                    raise BoundedError(line, "key-parts", KEY_PARTS_MAX)
                number = _NUMBER.match(bare) if len(bare) > DIGITS_MAX else None
                if number is not None and number.end() > DIGITS_MAX:  # parsers convert it before what follows
                    raise BoundedError(line, "digits", DIGITS_MAX)
            case "text":
                line += found[0].count("\n")

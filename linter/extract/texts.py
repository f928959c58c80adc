"""The text of a settings file, and the suppressions in its comments."""

from __future__ import annotations

import re

from subdrift.linter.extract.suppressions import MARK, suppressions
from subdrift.linter.model.facts import Suppression
from subdrift.linter.model.location import Span


def decode(content: bytes) -> str:
    """UTF-8 (with or without mark), UTF-16 by its mark, else Latin-1: never fails, one code point a character."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def comments_of(text: str, content: bytes, marks: str = "#") -> tuple[Suppression, ...]:
    """Suppressions in comments that begin at the start of a line or after a blank."""
    if MARK not in content:
        return ()
    lines = re.split(r"\r\n|\r|\n", text)
    found = []
    for number, line in enumerate(lines, 1):
        for match in re.finditer(rf"(?:^|\s)([{re.escape(marks)}])", line):
            at = Span(number, match.start(1) + 1, number, len(line) + 1)
            found.append((at, line[match.start(1) :]))
            break
    return suppressions(lines, found)


def joined(prefix: str, key: str) -> str:
    """A key below a prefix; Spring's brackets stay where they protect more than letters, digits and dashes."""
    if len(key) > 2 and key.startswith("[") and key.endswith("]"):
        if prefix and re.search(r"[^A-Za-z0-9-]", key[1:-1]):
            return f"{prefix}{key}"
        key = key[1:-1]
    return f"{prefix}.{key}" if prefix else key

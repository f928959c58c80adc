"""`.properties` -> `ConfigEntry`s, as `java.util.Properties` reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from subdrift.linter.extract.bounded import ENTRIES_MAX, refused, too_many
from subdrift.linter.extract.sections import PROFILE_KEYS, entry_of, on_platform
from subdrift.linter.extract.texts import comments_of, decode
from subdrift.linter.model.facts import ConfigEntry, FileFacts, Problem
from subdrift.linter.model.location import Span
from subdrift.linter.model.message import say

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)|\\\Z", re.S)


def properties_file(content: bytes) -> FileFacts:
    """The facts of a `.properties` file."""
    text = decode(content)
    try:
        entries = properties(text)
    except MalformedError as error:
        problem = refused(say("properties.unicode"), error.text, len(error.text))
        return FileFacts("config", suppressions=comments_of(text, content, "#!"), problems=(problem,))
    problems: tuple[Problem, ...] = ()
    if len(entries) > ENTRIES_MAX:
        problems = (too_many(len(entries)),)
        del entries[ENTRIES_MAX:]
    return FileFacts(
        "config", config=tuple(entries), suppressions=comments_of(text, content, "#!"), problems=problems
    )


def properties(text: str) -> list[ConfigEntry]:
    """The entries of a `.properties` text, of all its documents. Raises `MalformedError`."""
    entries: list[ConfigEntry] = []
    document = 0
    pending: list[tuple[str, str, Span]] = []

    def flush() -> None:
        profiles: tuple[str, ...] = ()
        for key, value, _ in pending:
            if re.sub(r"\[\d+\]$", "", key) in PROFILE_KEYS:
                profiles += tuple(part.strip() for part in value.split(",") if part.strip())
        profiles = on_platform(profiles, ((key, value) for key, value, _ in pending))
        entries.extend(entry_of(key, value, profiles, document, at) for key, value, at in pending)
        pending.clear()

    for line in properties_lines(text):
        if line is None:
            flush()
            document += 1
        else:
            pending.append(line)
    flush()
    return entries


def properties_lines(text: str) -> Iterator[tuple[str, str, Span] | None]:
    """(key, value, span) of each property as java.util.Properties reads them; None where `#---` ends a document."""
    lines = re.split(r"\r\n|\r|\n", text)
    number = 0
    while number < len(lines):
        raw = lines[number]
        number += 1
        body = raw.lstrip(" \t\f")
        if not body or body[0] in "#!":
            if raw.rstrip() in ("#---", "!---"):
                yield None
            continue
        start = Span(number, len(raw) - len(body) + 1, number, len(raw) + 1)
        logical = [body]
        while _continues(logical[-1]) and number < len(lines):
            logical[-1] = logical[-1][:-1]
            logical.append(lines[number].lstrip(" \t\f"))
            number += 1
        end = len(lines[number - 1]) + 1
        key, value = _split_property("".join(logical))
        if "\\" not in raw:
            yield key, value, Span(start.line, start.column, number, end)
        elif _malformed("".join(logical)):
            raise MalformedError("\n" * (start.line - 1) + raw)
        else:
            yield _unescape(key), _unescape(value), Span(start.line, start.column, number, end)


def _continues(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _split_property(line: str) -> tuple[str, str]:
    index = 0
    while index < len(line):
        char = line[index]
        if char == "\\":
            index += 2
            continue
        if char in "=: \t\f":
            break
        index += 1
    key, rest = line[:index], line[index:].lstrip(" \t\f")
    if rest[:1] in ("=", ":"):
        rest = rest[1:].lstrip(" \t\f")
    return key, rest


class MalformedError(Exception):
    """A `\\u` that java.util.Properties refuses, and the file with it; `text` is the file up to it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def _malformed(line: str) -> bool:
    return any(found[1] == "u" for found in _ESCAPE.finditer(line))


def _unescape(text: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        escape = match[1] or ""
        if len(escape) == 5:
            return chr(int(escape[1:], 16))
        return {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}.get(escape, escape)

    text = _ESCAPE.sub(replaced, text)
    if any("\ud800" <= char <= "\udfff" for char in text):  # pairs written as two escapes
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text

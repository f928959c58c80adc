"""HOCON, as far as programs write their settings in it: https://github.com/lightbend/config/blob/main/HOCON.md

What is read is a tree whose substitutions are still to be looked up, since another file may define them.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

DEPTH_MAX: Final = 60
NODES_MAX: Final = 20_000
INCLUDES_MAX: Final = 8

_SPACE: Final = r"[ \t\r\f\v\ufeff\xa0]*+"
_BREAK: Final = r"(?:\s|,|#[^\n]*+|//[^\n]*+)*+"
_BLANK: Final = r"(?:\s|#[^\n]*+|//[^\n]*+)*+"
_QUOTED: Final = r'"(?:[^"\\\n]|\\[^\n])*+"'
_TRIPLE: Final = r'(?s)"""(.*?)"""(?!")'
_BARE: Final = r'(?:(?!//)[^$"{}\[\]:=,+#`^?!@*&\\\s])++'
_SUBSTITUTION: Final = r"\$\{(\??)([^}\n]*)\}"
_INCLUDE: Final = r'include\s+(?:required\s*\(\s*)?(?:classpath|file|url)?\s*\(?\s*"([^"\n]*)"[ \t]*\)*'
_INTEGER: Final = r"-?(?:0|[1-9][0-9]{0,17})"

_compiled: Final = cache(re.compile)
"""A pattern, compiled when the first text in HOCON is read."""


class HoconError(ValueError):
    """The text is not HOCON, or too much of it."""


class Scalar(NamedTuple):
    """A text, number, truth value or null, and the line it is on."""

    value: str | int | bool | None
    line: int


class Substitution(NamedTuple):
    """`${path}`, `${?path}`."""

    path: tuple[str, ...]
    optional: bool
    line: int


class Joined(NamedTuple):
    """Values one after the other: texts put together, objects merged, lists appended."""

    parts: tuple[Any, ...]
    line: int


class Over(NamedTuple):
    """A value that stands over an earlier one, which holds where its substitution is not defined."""

    before: Any
    after: Any


Include = Callable[[str], str | None]
"""The text of a file that is included; None where it is not there."""


def parse(text: str, include: Include) -> dict[str, Any]:
    """The tree of a text. Raises `HoconError`."""
    root: dict[str, Any] = {}
    _Reader(text, include, 0).document(root)
    return root


def merge(target: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Sets a value below a path, as a later line does."""
    *above, last = path
    for name in above:
        inner = target.get(name)
        if not isinstance(inner, dict):
            inner = target[name] = {} if not isinstance(inner, Joined | Substitution | Over) else inner
        if not isinstance(inner, dict):
            raise HoconError("a key below a substitution")
        target = inner
    before = target.get(last)
    if isinstance(before, dict) and isinstance(value, dict):
        for name, each in value.items():
            merge(before, (name,), each)
    elif isinstance(value, Joined | Substitution | Over) and last in target:
        target[last] = Over(before, value)
    else:
        target[last] = value


def path_of(written: str) -> tuple[str, ...]:
    """The parts of a path: `a.b."c.d"`."""
    found = [
        json.loads(part) if part.startswith('"') else part.strip()
        for part in re.findall(r'"(?:[^"\\]|\\.)*"|[^."]+', written.strip())
    ]
    if not found or not all(found):
        raise HoconError("a path")
    return tuple(found)


class _Reader:
    def __init__(self, text: str, include: Include, depth: int) -> None:
        self.text = text
        self.at = 0
        self.include = include
        self.depth = depth
        self.nodes = 0
        self.breaks = [found.start() for found in re.finditer("\n", text)]

    def line(self) -> int:
        return bisect_left(self.breaks, self.at) + 1

    def skip(self, pattern: str) -> None:
        found = _compiled(pattern).match(self.text, self.at)
        self.at = found.end() if found else self.at

    def peek(self, what: str) -> bool:
        return self.text.startswith(what, self.at)

    def take(self, what: str) -> None:
        if not self.peek(what):
            raise HoconError(f"line {self.line()}")
        self.at += len(what)

    def document(self, root: dict[str, Any]) -> None:
        self.skip(_BLANK)
        if self.peek("{"):
            self.at += 1
            self.members(root, "}", 0)
            self.take("}")
            self.skip(_BREAK)
        else:
            self.members(root, "", 0)
        if self.at < len(self.text):
            raise HoconError(f"line {self.line()}")

    def members(self, into: dict[str, Any], end: str, depth: int) -> None:
        self.count(depth)
        self.skip(_BREAK)
        while self.at < len(self.text) and not (end and self.peek(end)):
            included = _compiled(_INCLUDE).match(self.text, self.at)
            if included is not None:
                self.at = included.end()
                self.included(included[1], into)
            else:
                self.member(into, depth)
            self.skip(_BREAK)

    def included(self, name: str, into: dict[str, Any]) -> None:
        found = self.include(name)
        if found is None:
            return
        if self.depth >= INCLUDES_MAX:
            raise HoconError("includes")
        inner: dict[str, Any] = {}
        _Reader(found, self.include, self.depth + 1).document(inner)
        for key, value in inner.items():
            merge(into, (key,), value)

    def member(self, into: dict[str, Any], depth: int) -> None:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in ":={+\n":
            quoted = _compiled(_QUOTED).match(self.text, self.at)
            self.at = quoted.end() if quoted is not None else self.at + 1
        path = path_of(self.text[start : self.at])
        self.skip(_BLANK)
        appends = self.peek("+=")
        if appends:
            self.at += 1
        if self.peek("{"):
            value = self.value(depth + 1)
        else:
            if not (self.peek(":") or self.peek("=")):
                raise HoconError(f"line {self.line()}")
            self.at += 1
            self.skip(_BLANK)
            value = self.value(depth + 1)
        if appends:
            value = Joined((Substitution(path, True, self.line()), [value]), self.line())
        merge(into, path, value)

    def count(self, depth: int) -> None:
        self.nodes += 1
        if depth > DEPTH_MAX or self.nodes > NODES_MAX:
            raise HoconError("too much")

    def value(self, depth: int) -> Any:
        """Values up to the end of the line, put together."""
        self.count(depth)
        line = self.line()
        parts: list[Any] = []
        while True:
            before = self.at
            self.skip(_SPACE)
            if self.at >= len(self.text) or self.text[self.at] in "\n,}]#" or self.peek("//"):
                break
            if parts and self.at > before:
                parts.append(self.text[before : self.at])
            parts.append(self.part(depth))
        return _joined(parts, line)

    def part(self, depth: int) -> Any:
        """One value; a text without quotes as a `str`, one with them as a `Scalar`."""
        if self.peek("{"):
            self.at += 1
            made: dict[str, Any] = {}
            self.members(made, "}", depth + 1)
            self.take("}")
            return made
        if self.peek("["):
            return self.listed(depth)
        line = self.line()
        for pattern in (_SUBSTITUTION, _TRIPLE, _QUOTED, _BARE):
            found = _compiled(pattern).match(self.text, self.at)
            if found is None:
                continue
            self.at = found.end()
            if pattern is _SUBSTITUTION:
                return Substitution(path_of(found[2]), bool(found[1]), line)
            if pattern is _TRIPLE:
                return Scalar(found[1], line)
            if pattern is _BARE:
                return found[0]
            try:
                return Scalar(json.loads(found[0]), line)
            except ValueError as error:
                raise HoconError(f"line {line}") from error
        raise HoconError(f"line {line}")

    def listed(self, depth: int) -> list[Any]:
        self.take("[")
        found: list[Any] = []
        self.skip(_BREAK)
        while not self.peek("]"):
            if self.at >= len(self.text):
                raise HoconError("a list without end")
            found.append(self.value(depth + 1))
            self.skip(_BREAK)
        self.take("]")
        return found


def _joined(parts: list[Any], line: int) -> Any:
    """The value that the parts of a line are."""
    if not parts:
        raise HoconError(f"line {line}")
    if all(isinstance(each, str) for each in parts):
        return Scalar(_plain("".join(parts)), line)
    kept = [each for each in parts if not (isinstance(each, str) and not each.strip())]
    if len(kept) == 1 and not isinstance(kept[0], str):
        return kept[0]
    if all(isinstance(each, Scalar | str) for each in parts):
        return Scalar("".join(each if isinstance(each, str) else text_of(each) for each in parts), line)
    if any(isinstance(each, dict | list) for each in kept):
        if any(isinstance(each, Scalar | str) for each in kept):
            raise HoconError(f"line {line}")
        return Joined(tuple(kept), line)
    return Joined(tuple(parts), line)


def text_of(scalar: Scalar) -> str:
    """A scalar as a part of a text."""
    value = scalar.value
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return value if isinstance(value, str) else json.dumps(value)


def _plain(written: str) -> str | int | bool | None:
    """What a text without quotes stands for; another number than a whole one stays as it is written."""
    if written in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[written]
    return int(written) if _compiled(_INTEGER).fullmatch(written) else written

"""Paths of files in Python code, as far as their ends are written."""

from __future__ import annotations

from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.values import Guarded, Object, Text, Unknown

FILE = "io.TextIOWrapper"
"""The kind of an open file."""

WRITING = frozenset("wax+")
"""In the mode of a file: it is written."""

_PATH = phrase("path-of-a-file")
_READING = frozenset(
    {"open", "read", "read_text", "read_bytes", "absolute", "resolve", "expanduser", "__enter__"}
)


def path_of(leaf: Any) -> str | None:
    """The end of the path, as far as it is written, of a path, an open file or its content; None where nothing is."""
    if isinstance(leaf, Text):
        return leaf.known
    if isinstance(leaf, Object) and leaf.type == FILE:
        return path_of(leaf.fields["path"])
    return _tail(leaf.symbol) if isinstance(leaf, Unknown) else None


def _tail(symbol: object) -> str | None:
    """The path in the symbol of an unknown: one that was named, what a method gives that reads it, or one beside it."""
    match symbol:
        case ("path", str(tail)):
            return tail
        case ("call", "open", inner, ("text", (str(mode),))):
            return None if WRITING.intersection(mode) else _tail(inner)
        case ("call", "with_name", inner, ("text", (str(name),))):
            return "/".join([*(_tail(inner) or "").split("/")[:-1], name])
        case ("call", "with_suffix", inner, ("text", (str(suffix),))) if _tail(inner):
            return (_tail(inner) or "").rpartition(".")[0] + suffix
        case ("call", "joinpath", inner, *parts):
            named = [
                each[1][0] for each in parts if isinstance(each, tuple) and each[0] == "text" and each[1]
            ]
            before = _tail(inner)
            return "/".join([*([before] if before else []), *named]) if len(named) == len(parts) else None
        case ("call", str(name), inner) if name in _READING:
            return _tail(inner)
    return None


def path(tail: str) -> Unknown:
    """A path of which the end is written."""
    return Unknown(Why.DYNAMIC, _PATH, ("path", tail.replace("\\", "/").removeprefix("./")))


def below(left: Any, right: Any) -> Unknown | None:
    """`left / right`; None where it is no path."""
    if not isinstance(right, Text) or right.known is None:
        return None
    before = path_of(left)
    if isinstance(left, Text) and before is not None:
        return None  # texts are not divided
    return path(f"{before}/{right.known}" if before else right.known) if isinstance(left, Unknown) else None


def joined(values: list[Guarded]) -> Unknown | None:
    """`os.path.join` where only the last parts are written."""
    written: list[str] = []
    for value in reversed(values):
        part = path_of(value)
        if part is None:
            break
        written.insert(0, part)
    return path("/".join(written)) if written and len(written) < len(values) else None

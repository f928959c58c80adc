"""Texts that Java programs read piece by piece: readers and scanners over a text of their own, settings in such a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from subdrift.linter.resolve.execute.guards import apply, pick
from subdrift.linter.resolve.execute.values import Guarded, Object, Text, text
from subdrift.linter.resolve.semantics.jvm.operators import raise_in

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.calls import Call

SOURCES: Final = (
    "StringReader",
    "ByteArrayInputStream",
    "Scanner",
    "BufferedReader",
    "InputStreamReader",
    "LineNumberReader",
)
"""Classes whose first argument is a text, or another one of them."""

_SOURCE: Final = "<source>"
_READ: Final = "<read>"


def open_source(made: Object, value: Guarded) -> bool:
    """A reader of a text, or around another reader, with which it shares how far it has come."""
    if isinstance(value, Text):
        made.fields[_SOURCE], made.fields[_READ], made.fields["whole"] = made, 0, value
        return True
    if isinstance(value, Object) and isinstance(value.fields.get(_SOURCE), Object):
        made.fields[_SOURCE] = value.fields[_SOURCE]
        return True
    return False


def rest(reader: Guarded) -> Guarded:
    """The text that is still to be read; None where it is not known to be a text of the program."""
    source = reader.fields.get(_SOURCE) if isinstance(reader, Object) else None
    if not isinstance(source, Object):
        return None

    def remaining(whole: Any, position: Any) -> Any:
        known = whole.known if isinstance(whole, Text) else None
        return None if known is None else text(known[position:], whole.steps)

    return apply(remaining, source.fields["whole"], source.fields[_READ])


def reader_method(call: Call, leaf: Object) -> Guarded:
    """What a reader gives next."""
    source, left = leaf.fields.get(_SOURCE), rest(leaf)
    if not isinstance(source, Object) or not isinstance(left, Text) or left.known is None:
        return NotImplemented
    known, run = left.known, call.run
    lines = [text(line, left.steps) for line in known.splitlines()]

    def take(match: re.Match[str] | None, ended: Guarded = None) -> Guarded:
        if match is None:
            if call.name not in ("readLine",):
                raise_in(run, "NoSuchElementException")
            return ended
        position = source.fields[_READ]
        source.fields[_READ] = pick(run.guard, apply(lambda at: at + match.end(), position), position)
        return text(match[1], left.steps)

    match call.name:
        case "hasNextLine" | "ready":
            return bool(known)
        case "nextLine" | "readLine":
            return take(re.match(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)", known) if known else None)
        case "hasNext":
            return bool(known.strip())
        case "next":
            return take(re.match(r"\s*(\S+)", known))
        case "hasNextInt":
            return re.match(r"\s*[+-]?\d+(?!\S)", known) is not None
        case "nextInt":
            taken = take(re.match(r"\s*([+-]?\d+)(?!\S)", known))
            return int(taken.known) if isinstance(taken, Text) and taken.known else taken
        case "lines":
            return call.all_of("Stream", lines)
        case "readLines" | "lineSequence":
            source.fields[_READ] = source.fields["whole"] and len(source.fields["whole"].known)
            return call.all_of("List", lines)
        case "readText":
            source.fields[_READ] = len(source.fields["whole"].known)
            return left
        case "close":
            return None
    return NotImplemented


_ESCAPES: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


def properties(known: str) -> Iterator[tuple[str, str]]:
    """Keys and values of a text in the format of `java.util.Properties`."""
    lines = iter(re.split(r"\r\n|\r|\n", known))
    for first in lines:
        line = first.lstrip(" \t\f")
        if not line or line[0] in "#!":
            continue
        parts = [line]
        while (len(parts[-1]) - len(parts[-1].rstrip("\\"))) % 2:  # it goes on in the next line
            parts[-1] = parts[-1][:-1]
            parts.append(next(lines, "").lstrip(" \t\f"))
        line = "".join(parts)
        key = re.match(r"(?:\\.|[^\\\s=:])*", line)
        assert key is not None
        value = re.sub(r"\A[ \t\f]*[=:]?[ \t\f]*", "", line[key.end() :])
        yield _unescaped(key[0]), _unescaped(value)


def _unescaped(part: str) -> str:
    def one(match: re.Match[str]) -> str:
        said = match[1]
        return chr(int(said[1:], 16)) if len(said) == 5 else _ESCAPES.get(said, said)

    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", one, part)

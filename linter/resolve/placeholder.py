"""`${key:default}` in a text: parts in order, nesting kept, as Spring's PropertyPlaceholderHelper reads it."""

from __future__ import annotations

from msgspec import Struct

NESTING_MAX = 20
"""Placeholders inside placeholders; a deeper text is taken literally."""


class Placeholder(Struct, frozen=True):
    """`${key:default}`; both sides may hold placeholders. `default` None: none was written."""

    key: tuple[str | Placeholder, ...]
    default: tuple[str | Placeholder, ...] | None


Parts = tuple[str | Placeholder, ...]


def parse(text: str) -> Parts:
    """The text as literal parts and placeholders. An unclosed `${` is literal."""
    if "${" not in text:
        return (text,) if text else ()
    return _parts(text, 0)


def _parts(text: str, depth: int) -> Parts:
    parts: list[str | Placeholder] = []
    position = 0
    while True:
        start = text.find("${", position)
        end = _close(text, start + 2) if start >= 0 else -1
        if start < 0 or end < 0 or depth >= NESTING_MAX:
            break
        if start > position:
            parts.append(text[position:start])
        parts.append(_placeholder(text[start + 2 : end], depth + 1))
        position = end + 1
    if position < len(text):
        parts.append(text[position:])
    return tuple(parts)


def _placeholder(inside: str, depth: int) -> Placeholder:
    colon = _colon(inside)
    if colon < 0:
        return Placeholder(_parts(inside, depth), None)
    return Placeholder(_parts(inside[:colon], depth), _parts(inside[colon + 1 :], depth))


def _close(text: str, start: int) -> int:
    """The index of the brace that closes a placeholder opened before `start`, -1 if none does: any brace is one inside."""
    depth = 0
    for position in range(start, len(text)):
        if text[position] == "{":
            depth += 1
        elif text[position] == "}":
            if depth == 0:
                return position
            depth -= 1
    return -1


def _colon(inside: str) -> int:
    depth = 0
    position = 0
    while position < len(inside):
        if inside.startswith("${", position):
            depth += 1
            position += 2
            continue
        if inside[position] == "}" and depth:
            depth -= 1
        elif inside[position] == ":" and not depth:
            return position
        position += 1
    return -1

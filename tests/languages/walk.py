"""Ways through a lowered form."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from subdrift.linter.model import ir


def nodes(value: object) -> list[msgspec.Struct]:
    """Every record in a lowered form."""
    found: list[msgspec.Struct] = []
    stack = [value]
    while stack:
        inner = stack.pop()
        if isinstance(inner, msgspec.Struct):
            found.append(inner)
            stack.extend(getattr(inner, name) for name in inner.__struct_fields__)
        elif isinstance(inner, tuple):
            stack.extend(inner)
    return found


def places(value: object) -> Iterator[ir.At]:
    """Every place in a lowered form."""
    for node in nodes(value):
        for name in ("at", "name_at"):
            if (at := getattr(node, name, None)) is not None:
                yield at


def text_at(content: bytes, at: ir.At) -> str:
    """The text of a place on one line."""
    line, column, end_line, end_column = at
    assert line == end_line
    return content.decode().split("\n")[line - 1][column - 1 : end_column - 1]

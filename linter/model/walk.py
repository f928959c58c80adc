"""Every record below some parts of lowered code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar

from subdrift.linter.model import ir

REMEMBERED_MAX = 1 << 14
"""Pieces of code of which what one function says is remembered; beyond it remembering begins anew."""

_Said = TypeVar("_Said")

_PLAIN = ("at", "name_at", "name", "operator", "kind", "label", "simple")


class _Parts(dict[type, tuple[str, ...]]):
    def __missing__(self, kind: type) -> tuple[str, ...]:
        fields: tuple[str, ...] = kind.__struct_fields__ if issubclass(kind, ir.Record) else ()
        found = self[kind] = tuple(each for each in fields if each not in _PLAIN)
        return found


PARTS = _Parts()
"""By kind of record the names of its fields that may hold further ones; none of what is not a record."""


def nodes(*parts: Any, enters: Callable[[Any], bool] | None = None) -> Iterator[Any]:
    """Every record in `parts` (records and tuples of them), outer before inner, in the order in which code is written;
    not what is inside those that `enters` is false of."""
    stack: list[Any] = [parts]
    while stack:
        node = stack.pop()
        if type(node) is tuple:
            stack.extend(reversed(node))
        elif isinstance(node, ir.Record):
            yield node
            if enters is None or enters(node):
                stack.extend([part for name in reversed(PARTS[type(node)]) if (part := getattr(node, name))])


def remembered(function: Callable[[Any], _Said]) -> Callable[[Any], _Said]:
    """A function of lowered code, which never changes: what it says of a piece of it is kept, by the identity of the piece."""
    known: dict[int, tuple[Any, _Said]] = {}

    @wraps(function)
    def said(code: Any) -> _Said:
        found = known.get(id(code))
        if found is None:
            if len(known) >= REMEMBERED_MAX:
                known.clear()
            found = known[id(code)] = (
                code,
                function(code),
            )  # what is kept holds the code: no identity is used twice
        return found[1]

    return said

"""Every node below some parts of a unit, in the order in which code is written and runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from subdrift.linter.model import ir


class _Parts(dict[type, tuple[str, ...]]):
    """The fields of a record that may hold others."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        plain = ("at", "name_at", "name", "operator", "kind", "label")
        found = tuple(each for each in kind.__struct_fields__ if each not in plain)  # type: ignore[attr-defined]
        self[kind] = found
        return found


PARTS = _Parts()


def nodes(*parts: Any) -> Iterator[ir.Record]:
    """Every record in `parts` (records and tuples of them), outer before inner."""
    stack: list[Any] = list(reversed(parts))
    while stack:
        node = stack.pop()
        if type(node) is tuple:
            stack.extend(reversed(node))
        elif isinstance(node, ir.Record):
            yield node
            stack.extend(getattr(node, name) for name in reversed(PARTS[type(node)]))

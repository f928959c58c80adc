"""Expressions inside one another: how deep they may lie, their parts, and what is not lowered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tree_sitter import Node

from subdrift.linter.languages.python.syntax import (
    ATTRIBUTE,
    ATTRIBUTE_NAME,
    CALL,
    FUNCTION,
    IDENTIFIER,
    KEYWORD,
    STARRED,
    VALUE,
    bare,
    first,
)
from subdrift.linter.languages.python.types import Types
from subdrift.linter.languages.text import Places
from subdrift.linter.model import ir

DEPTH_MAX = 200
"""Levels of the lowered form. Deeper ones become `Opaque`: whoever walks a unit may recurse."""

NESTED_MAX = 90
"""Nested expressions and statements, chains like `a + b + c` counted once: each costs up to six frames here."""


class Nested(Types):
    """Lowers what stands in an expression, and collects `calls` and `names` on the way."""

    def __init__(self, data: bytes, places: Places) -> None:
        super().__init__(data, places)
        self.depth = 0
        self.nested = 0
        self.classes: list[str] = []  # enclosing classes, from outside
        self.generator = False  # whether the function at hand holds a `YieldPoint`
        self._star = -1  # the offset of a star that the grammar gave to less than it belongs to

    def expression(self, node: Node) -> ir.Expr:
        """The lowered form of any expression."""
        raise NotImplementedError

    def too_deep(self) -> bool:
        return self.depth >= DEPTH_MAX or self.nested >= NESTED_MAX

    def optional(self, node: Node | None) -> ir.Expr | None:
        return None if node is None else self.expression(node)

    def field_of(self, node: Node, number: int) -> ir.Expr:
        """A part that the grammar always has."""
        part = node.child_by_field_id(number)
        return ir.Opaque("missing", self.at(node)) if part is None else self.expression(part)

    def expressions(self, nodes: Sequence[Node]) -> tuple[ir.Expr, ...]:
        return tuple([self.expression(node) for node in nodes])

    def items(self, nodes: Sequence[Node]) -> tuple[ir.Expr, ...]:
        """What stands between commas: the only place of a star outside of calls."""
        return tuple([self._item(node) for node in nodes])

    def _item(self, node: Node) -> ir.Expr:
        """The grammar reads `*a.b` as `(*a).b`."""
        if self.data[node.start_byte : node.start_byte + 1] != b"*" or node.kind_id in STARRED:
            return self.expression(node)
        operand = node
        while operand.kind_id not in STARRED and operand.child_count:
            operand = operand.children[0]
        star, start = node.start_byte, (first(operand) or operand).start_byte
        between, outer = self.between, self._star
        self.between = partial(moved, between, star, start)
        self._star = star
        value = self.expression(node)
        self.between, self._star = between, outer
        return ir.Spread(value, self.at(node))

    def _unstarred(self, node: Node) -> Node:
        inner = first(node) if node.kind_id in STARRED and node.start_byte == self._star else None
        return node if inner is None else bare(inner)

    def opaque(self, node: Node, what: str) -> ir.Opaque:
        """What is not lowered. Its calls and names stay in the index."""
        stack = [node]
        while stack:
            inner = stack.pop()
            if inner.kind_id == CALL:
                self.calls.add((self._called(inner), -1))
            elif inner.kind_id == IDENTIFIER:
                self.names.add(self.name(inner))
                continue
            elif inner.kind_id == KEYWORD:
                stack += inner.children_by_field_id(VALUE)
                continue
            stack += inner.named_children
        return ir.Opaque(what, self.at(node))

    def _called(self, node: Node) -> str:
        function = node.child_by_field_id(FUNCTION)
        if function is not None and (function := bare(function)).kind_id == ATTRIBUTE:
            function = function.child_by_field_id(ATTRIBUTE_NAME)
        return "" if function is None or function.kind_id != IDENTIFIER else self.name(function)


def moved(between: Callable[[int, int], ir.At], old: int, new: int, start: int, end: int) -> ir.At:
    """The place of bytes, where what begins at `old` is to begin at `new`."""
    return between(new if start == old else start, end)

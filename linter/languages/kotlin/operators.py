"""Operators of Kotlin -> `ir`; what chains to the left is walked, not descended."""

from __future__ import annotations

from tree_sitter import Node

from subdrift.linter.languages.kotlin.syntax import field, kind, token
from subdrift.linter.languages.kotlin.types import Types
from subdrift.linter.languages.trees import LEVELS_MAX
from subdrift.linter.model import ir

BINARY = kind("binary_expression")
INFIX = kind("infix_expression")
RANGE = kind("range_expression")
NOT_IN = token("!in")
NOT_IS = token("!is")
SAFE_CAST = token("as?")
STEPS = frozenset({token("++"), token("--")})
LEFT = field("left")
OPERATOR = field("operator")
RIGHT = field("right")
_LEFT_DEEP = frozenset({BINARY, INFIX, RANGE})


class Operators(Types):
    """Lowers what is made of operands."""

    __slots__ = ()

    def binary(self, node: Node, depth: int) -> ir.Expr:
        """Operators and infix calls, which chain to the left."""
        links: list[tuple[Node, Node, Node | None]] = []
        left: Node | None = node
        while left is not None and left.kind_id in _LEFT_DEEP:
            parts = self.children(left)
            if len(parts) != 3:
                break
            links.append((left, parts[1], parts[2]))
            left = parts[0]
        if not links:
            return self.unknown(node, depth)
        level = depth + len(links)
        if level > LEVELS_MAX:
            kept = max(LEVELS_MAX - depth, 0)
            value: ir.Expr = self.cut(links[kept][0])
            links = links[:kept]
            level = depth + kept
        else:
            value = self.needed(left, node, level)
        for link, operator, right in reversed(links):
            at = self.at(link)
            name = self.text(operator)
            if link.kind_id == BINARY:
                other = self.needed(right, link, level)
                if name == "?:":
                    value = ir.Elvis(value, other, at)
                elif name == ">" and isinstance(value, ir.Binary) and value.operator == "<":  # not Kotlin
                    value = ir.Opaque("comparison", at, (value, other))
                else:
                    value = ir.Binary(name, value, other, at)
            else:
                if link.kind_id == RANGE:
                    name = "rangeTo" if name == ".." else "rangeUntil"
                other = self.needed(right, link, level + 2)
                name = name.strip("`")
                self.calls.add((name, 1))
                value = ir.Call(value, name, (ir.Argument(other),), at, self.at(operator))
            level -= 1
        return value

    def unary(self, node: Node, depth: int) -> ir.Expr:
        parts = self.children(node)
        at = self.at(node)
        if len(parts) != 2:
            return self.unknown(node, depth)
        first, last = parts
        if first.is_named:
            return self._signed(last, self.expr(first, depth), at, behind=True)
        return self._signed(first, self.expr(last, depth), at)

    def assigned(self, value: Node, node: Node, depth: int) -> ir.Expr:
        """What a property is declared with: of one of which the grammar skips a part it is not what is left."""
        found = self.expr(value, depth)
        if any(child.is_error for child in node.children):
            return ir.Opaque("error", self.at(node), (found,))
        return found

    def _signed(self, sign: Node, value: ir.Expr, at: ir.At, behind: bool = False) -> ir.Expr:
        if sign.kind_id in STEPS:
            return ir.Assign(value, ir.Const(1, at), at, self.text(sign)[:1], behind)
        return ir.Unary(self.text(sign), value, at)

    def assignment(self, node: Node, depth: int) -> ir.Expr:
        operator = node.child_by_field_id(OPERATOR)
        return ir.Assign(
            self.needed(node.child_by_field_id(LEFT), node, depth),
            self.needed(node.child_by_field_id(RIGHT), node, depth),
            self.at(node),
            "" if operator is None else self.text(operator)[:-1],
        )

    def contained(self, node: Node, depth: int) -> ir.Expr:
        """`a in b`, `a !in b`."""
        left, sign, right = self._three(node)
        at = self.at(node)
        name = "!in" if sign is not None and sign.kind_id == NOT_IN else "in"
        return ir.Binary(name, self.needed(left, node, depth), self.needed(right, node, depth), at)

    def _three(self, node: Node) -> tuple[Node | None, Node | None, Node | None]:
        left, right = node.child_by_field_id(LEFT), node.child_by_field_id(RIGHT)
        signs = [child for child in node.children if not child.is_named]
        return left, signs[0] if signs else None, right

    def is_(self, node: Node, depth: int) -> ir.Expr:
        left, sign, right = self._three(node)
        value = self.needed(left, node, depth)
        if right is None:
            return ir.Opaque("is_expression", self.at(node), (value,))
        negated = sign is not None and sign.kind_id == NOT_IS
        return ir.InstanceOf(value, self.type(right, depth), self.at(node), negated=negated)

    def as_(self, node: Node, depth: int) -> ir.Expr:
        left, sign, right = self._three(node)
        value = self.needed(left, node, depth)
        if right is None:
            return ir.Opaque("as_expression", self.at(node), (value,))
        safe = sign is not None and sign.kind_id == SAFE_CAST
        return ir.Cast(self.type(right, depth), value, self.at(node), safe)

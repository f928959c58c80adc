"""Operators of Python -> `ir`: chains of them, comparisons, conditions."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from subdrift.linter.languages.python import literals
from subdrift.linter.languages.python.nested import DEPTH_MAX, Nested
from subdrift.linter.languages.python.syntax import (
    BINARY,
    LEFT,
    NAME,
    OPERATOR,
    RIGHT,
    VALUE,
    bare,
    field,
    kind,
    kinds,
    token,
)
from subdrift.linter.model import ir

_COMPARE = {
    "==": "==",
    "!=": "!=",
    "<>": "!=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
    "is": "===",
    "is not": "!==",
    "in": "in",
    "not in": "!in",
}
BOOLEAN = kind("boolean_operator")
NAMED = kind("named_expression")
NUMBERS = kinds("integer float")
_AND = token("and")
ARGUMENT = field("argument")
OPERATORS = field("operators")


class Operators(Nested):
    """Lowers what is made of operands."""

    def _binary(self, node: Node) -> ir.Expr:
        """`a + b + c` leans to the left and may be long."""
        if self._mixes_bits(node):
            return self._bits(node)
        links = [node]
        depth = self.depth
        while len(links) < DEPTH_MAX - depth:
            left = links[-1].child_by_field_id(LEFT)
            if left is None or (left := bare(left)).kind_id != BINARY or self._mixes_bits(left):
                break
            links.append(left)
        self.depth = depth + len(links)
        value = self.field_of(links[-1], LEFT)
        while links:
            link = links.pop()
            self.depth = depth + len(links)
            operator = link.child_by_field_id(OPERATOR)
            written = "" if operator is None else self.text(operator)
            value = ir.Binary(written, value, self.field_of(link, RIGHT), self.at(link))
        return value

    def _operator(self, node: Node) -> str:
        operator = node.child_by_field_id(OPERATOR) if node.kind_id == BINARY else None
        return "" if operator is None else self.text(operator)

    def _mixes_bits(self, node: Node) -> bool:
        """Whether `&` stands beside `^`: the grammar has `a ^ b & c` as `(a ^ b) & c`."""
        operator = self._operator(node)
        if operator != "&" and operator != "^":
            return False
        sides = (node.child_by_field_id(LEFT), node.child_by_field_id(RIGHT))
        return any(
            side is not None and self._operator(side) in "&^" and self._operator(side) for side in sides
        )

    def _bits(self, node: Node) -> ir.Expr:
        """`a ^ b & c` as Python has it: `&` binds closer."""
        operands: list[Node] = []
        operators: list[str] = []
        stack: list[Node | str] = [node]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                operators.append(item)
            elif (operator := self._operator(item)) in ("&", "^"):
                sides = [item.child_by_field_id(RIGHT), operator, item.child_by_field_id(LEFT)]
                stack += [each for each in sides if each is not None]
            else:
                operands.append(item)
        if len(operands) != len(operators) + 1:
            return self.opaque(node, node.type)
        depth = self.depth
        self.depth += len(operands)
        values = [(self.expression(each), each.start_byte, each.end_byte) for each in operands]
        self.depth = depth
        terms = [values[0]]
        for operator, right in zip(operators, values[1:], strict=True):
            if operator == "^":
                terms.append(right)
            else:
                terms[-1] = self._joined("&", terms[-1], right)
        whole = terms[0]
        for term in terms[1:]:
            whole = self._joined("^", whole, term)
        return whole[0]

    def _joined(
        self, operator: str, left: tuple[ir.Expr, int, int], right: tuple[ir.Expr, int, int]
    ) -> tuple[ir.Expr, int, int]:
        at = self.between(left[1], right[2])
        return ir.Binary(operator, left[0], right[0], at), left[1], right[2]

    def _logical(self, node: Node) -> ir.Expr:
        """`a and b and c`, of which the grammar makes pairs that lean to the left."""
        operator = node.child_by_field_id(OPERATOR)
        sign = _AND if operator is None else operator.kind_id
        operands: list[Node] = []
        left: Node | None = node
        while left is not None:
            held = left.child_by_field_id(OPERATOR) if left.kind_id == BOOLEAN else None
            if held is None or held.kind_id != sign:
                operands.append(left)
                break
            right = left.child_by_field_id(RIGHT)
            if right is not None:
                operands.append(right)
            left = left.child_by_field_id(LEFT)
        depth = self.depth
        self.depth += len(operands).bit_length()
        values = self.expressions(operands[::-1])
        self.depth = depth
        return balanced("&&" if sign == _AND else "||", values)

    def _not(self, node: Node) -> ir.Expr:
        return ir.Unary("!", self.field_of(node, ARGUMENT), self.at(node))

    def _unary(self, node: Node) -> ir.Expr:
        sign = node.child_by_field_id(OPERATOR)
        written = "" if sign is None else self.text(sign)
        operand = node.child_by_field_id(ARGUMENT)
        if written == "-" and operand is not None and (operand := bare(operand)).kind_id in NUMBERS:
            value = literals.number(self.text(operand))
            if isinstance(value, float) or (value is not None and -value in literals.INTEGERS):
                return ir.Const(-value, self.at(node))
        return ir.Unary(written, self.field_of(node, ARGUMENT), self.at(node))

    def _compare(self, node: Node) -> ir.Expr:
        operators = [
            _COMPARE.get(" ".join(self.text(each).split()), "")
            for each in node.children_by_field_id(OPERATORS)
        ]
        operands = self.named(node)
        if len(operands) != len(operators) + 1 or "" in operators:
            return self.opaque(node, node.type)
        if len(operators) == 1:
            right = self.expression(operands[1])
            return ir.Binary(operators[0], self.expression(operands[0]), right, self.at(node))
        depth = self.depth
        self.depth += len(operators).bit_length()
        left = self.expression(operands[0])
        pairs: list[ir.Expr] = []
        for index, operator in enumerate(operators):
            right = again = self.expression(operands[index + 1])
            if index + 1 < len(operators) and not isinstance(right, ir.Const | ir.Name):
                again = ir.Name(f"${right.at[0]}:{right.at[1]}", right.at)
                right = ir.Assign(again, right, right.at)
            pairs.append(ir.Binary(operator, left, right, from_to(left, right)))
            left = again
        self.depth = depth
        return balanced("&&", pairs)

    def _conditional(self, node: Node) -> ir.Expr:
        parts = self.named(node)
        if len(parts) != 3:
            return self.opaque(node, node.type)
        then, test, otherwise = parts
        if then.kind_id == NAMED:  # `n := a if b else c`, which the grammar has as `(n := a) if b else c`
            value = then.child_by_field_id(VALUE)
            held = ir.Conditional(
                self.expression(test),
                self.field_of(then, VALUE),
                self.expression(otherwise),
                self.between((value or then).start_byte, node.end_byte),
            )
            return ir.Assign(self.field_of(then, NAME), held, self.at(node))
        return ir.Conditional(
            self.expression(test), self.expression(then), self.expression(otherwise), self.at(node)
        )

    def _union_type(self, node: Node) -> ir.Expr:
        parts = self.named(node)
        value = self.expression(parts[0])
        for part in parts[1:]:
            right = self.expression(part)
            value = ir.Binary("|", value, right, from_to(value, right))
        return value


def balanced(operator: str, values: Sequence[ir.Expr]) -> ir.Expr:
    """`a operator b operator c …` for an associative operator, as deep as the logarithm of its length."""
    row = list(values)
    while len(row) > 1:
        paired: list[ir.Expr] = [
            ir.Binary(operator, left, right, from_to(left, right))
            for left, right in zip(row[::2], row[1::2], strict=False)
        ]
        if len(row) % 2:
            paired.append(row[-1])
        row = paired
    return row[0]


def from_to(left: ir.Expr, right: ir.Expr) -> ir.At:
    return (left.at[0], left.at[1], right.at[2], right.at[3])

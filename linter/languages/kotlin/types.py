"""Names and types: what every part of a Kotlin file is made of."""

from __future__ import annotations

from tree_sitter import Node

from subdrift.linter.languages.jvm.lowering import Operands
from subdrift.linter.languages.kotlin.syntax import COMMENTS, kind
from subdrift.linter.languages.trees import LEVELS_MAX
from subdrift.linter.model import ir

CALL = kind("call_expression")
FUNCTION_TYPE = kind("function_type")
IDENTIFIER = kind("identifier")
NAVIGATION = kind("navigation_expression")
PARAMETER = kind("parameter")
PARAMETER_TYPES = kind("function_type_parameters")
UNARY = kind("unary_expression")
TYPE_ARGUMENTS = kind("type_arguments")
TYPE_MODIFIERS = kind("type_modifiers")
TYPE_PROJECTION = kind("type_projection")
USER_TYPE = kind("user_type")
VALUE_ARGUMENTS = kind("value_arguments")
VARIANCE = kind("variance_modifier")

RECEIVER_FUNCTION = "this->"
"""The name of `A.(B) -> C` as a type, whose first argument is the receiver; `(B) -> C` is `->`."""

UNKNOWN_TYPE = ir.TypeRef("?")


class Types(Operands):
    """One Kotlin file while it is lowered."""

    __slots__ = ()

    COMMENTS = COMMENTS

    def word(self, node: Node) -> str:
        """An identifier without the backticks it may be written in."""
        text = self.text(node)
        return text[1:-1] if text[:1] == "`" and len(text) > 1 else text

    def cut(self, node: Node) -> ir.Opaque:
        """A node that lies too deep. The names and calls in it still count."""
        stack = [node]
        while stack:
            inner = stack.pop()
            number = inner.kind_id
            if number == IDENTIFIER:
                self.names.add(self.word(inner))
            elif number == CALL:
                callee, *given = self.children(inner)
                while callee.kind_id == UNARY and callee.child_count:  # a sign before it
                    callee = callee.children[-1]
                last = self.named(callee)[-1:] if callee.kind_id == NAVIGATION else [callee]
                if last and last[0].kind_id == IDENTIFIER:
                    self.calls.add((self.word(last[0]), self.count(given)))
            if inner.child_count:
                stack.extend(inner.children)
        return ir.Opaque("too-many", self.at(node))

    def count(self, given: list[Node]) -> int:
        """How many arguments a call's parts behind the callee hold."""
        total = 0
        for part in given:
            if part.kind_id == VALUE_ARGUMENTS:
                total += len(self.named(part))
            elif part.kind_id != TYPE_ARGUMENTS:
                total += 1
        return total

    def type(self, node: Node, depth: int) -> ir.TypeRef:
        """A type as written, without `?`."""
        if depth > LEVELS_MAX:
            self.cut(node)
            return UNKNOWN_TYPE
        number = node.kind_id
        if number == USER_TYPE:
            words: list[str] = []
            arguments: tuple[ir.TypeRef, ...] = ()
            for child in node.named_children:
                inner = child.kind_id
                if inner == IDENTIFIER:
                    words.append(self.word(child))
                elif inner == TYPE_ARGUMENTS:
                    arguments = tuple(self.projection(each, depth + 3) for each in self.named(child))
            self.names.update(words)
            return ir.TypeRef(".".join(words), arguments)
        if number == IDENTIFIER:
            name = self.word(node)
            self.names.add(name)
            return ir.TypeRef(name)
        if number == FUNCTION_TYPE:
            types: list[ir.TypeRef] = []
            name = "->"
            for child in self.named(node):
                parts = self.named(child) if child.kind_id == PARAMETER_TYPES else [child]
                if child.kind_id == PARAMETER_TYPES and types:
                    name = RECEIVER_FUNCTION
                for part in parts:
                    if part.kind_id == PARAMETER:
                        part = self.named(part)[-1]
                    if part.kind_id != TYPE_MODIFIERS:
                        types.append(self.type(part, depth + 3))
            return ir.TypeRef(name, tuple(types))
        inner_types = [child for child in self.named(node) if child.kind_id != TYPE_MODIFIERS]
        return self.type(inner_types[0], depth + 1) if inner_types else UNKNOWN_TYPE

    def projection(self, node: Node, depth: int) -> ir.TypeRef:
        """A type argument: `T`, `*`, `out T`, `in T`."""
        if node.kind_id != TYPE_PROJECTION:
            return self.type(node, depth)
        variance = ""
        of: ir.TypeRef | None = None
        for child in self.named(node):
            if child.kind_id == VARIANCE:
                variance = self.text(child)
            elif child.kind_id != TYPE_MODIFIERS:
                of = self.type(child, depth + 1)
        if of is None:
            return UNKNOWN_TYPE
        if not variance:
            return of
        return ir.TypeRef("? super" if variance == "in" else "?", (of,))

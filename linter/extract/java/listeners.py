"""A message listener -> the consume mode it stands for."""

from __future__ import annotations

from tree_sitter import Node

from linter.clients.apis import LISTENER_MODES
from linter.extract.java.expressions import Expressions
from linter.extract.java.names import Scope
from linter.extract.java.syntax import code
from linter.model.expr import Call, Expr, Literal, Member, Name, Param, TypeName
from linter.model.location import Span


class Listeners:
    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.source = expressions.source
        self.names = expressions.names

    def mode(self, arg: Node, scope: Scope | None) -> Expr | None:
        """The consume mode a listener stands for: by its type, its cast, or what its lambda returns; a type of
        another file is left to whoever knows its supertypes. None when nothing can be told."""
        at = self.source.span(arg)
        node = arg
        while node.type == "parenthesized_expression" and code(node):
            node = code(node)[0]
        if node.type == "lambda_expression":
            return self._word(self.source.data[node.start_byte : node.end_byte], at)
        if node.type == "method_reference":
            return self._reference(node, scope, at)
        kinds = self.expressions.kinds.types_of(node, scope)
        mode = self._listener(kinds)
        if mode:
            return Literal(mode, at)
        if node.type == "identifier":
            variable = self.expressions.flow.variable(node, self.source.text(node))
            values = [value for value in variable.values if value is not None] if variable else []
            if len(values) == 1 and values[0].type in ("lambda_expression", "object_creation_expression"):
                return self.mode(values[0], scope)
        value = self.expressions.expr(node, scope)
        if isinstance(value, Param | Name | Call | Member):
            return value if isinstance(value, Param) else TypeName(kinds, at) if kinds else None
        return TypeName(kinds, at) if kinds else None

    def _listener(self, kinds: tuple[str, ...]) -> str:
        """The mode of a listener type, through supertypes declared in this file."""
        pending, seen = list(kinds), set(kinds)
        while pending:
            name = pending.pop(0)
            mode = LISTENER_MODES.get(name.rpartition(".")[2])
            if mode is not None:
                return mode
            scope = self.names.by_name.get(name)
            for names in scope.supers if scope is not None else ():
                pending += [each for each in names if each not in seen]
                seen.update(names)
        return ""

    def _word(self, text: bytes, at: Span) -> Expr | None:
        for word, mode in LISTENER_MODES.items():
            if word.encode() in text:
                return Literal(mode, at)
        return None

    def _reference(self, node: Node, scope: Scope | None, at: Span) -> Expr | None:
        parts = code(node)
        if scope is None or not parts or parts[0].type != "this":
            return None
        for method in scope.methods.get(self.source.text(parts[-1]), ()):
            kind = method.child_by_field_name("type")
            if kind is not None:
                return self._word(self.source.data[kind.start_byte : kind.end_byte], at)
        return None

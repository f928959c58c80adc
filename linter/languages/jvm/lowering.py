"""What lowering a file of Java and one of Kotlin have in common."""

from __future__ import annotations

from abc import abstractmethod

from tree_sitter import Node

from subdrift.linter.languages.trees import Reader
from subdrift.linter.model import ir


class Operands(Reader):
    """A file whose expressions are lowered operand by operand."""

    __slots__ = ()

    @abstractmethod
    def expr(self, node: Node, depth: int) -> ir.Expr:
        """Any expression."""

    def needed(self, node: Node | None, parent: Node, depth: int) -> ir.Expr:
        """A part that only a syntax error leaves out."""
        return ir.Opaque("missing", self.at(parent)) if node is None else self.expr(node, depth)

    def unknown(self, node: Node, depth: int) -> ir.Expr:
        """A node that is no expression we know: its parts still run."""
        parts = tuple(self.expr(child, depth + 1) for child in self.named(node))
        return ir.Opaque(node.type, self.at(node), parts)


class Body:
    """What the body of a type declares, while it is read."""

    __slots__ = ("constants", "fields", "initialisers", "interfaces", "kind", "methods", "owner", "types")

    def __init__(self, owner: str, of: str) -> None:
        self.owner = owner
        self.kind = of
        self.interfaces = 0
        self.fields: list[ir.FieldDecl] = []
        self.methods: list[ir.MethodDecl] = []
        self.types: list[ir.ClassDecl] = []
        self.constants: list[ir.EnumConstant] = []
        self.initialisers: list[ir.Initialiser] = []

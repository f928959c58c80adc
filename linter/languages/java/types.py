"""Names, places and types: what every part of a Java file is made of."""

from __future__ import annotations

from tree_sitter import Node

from subdrift.linter.languages.java.syntax import COMMENTS, NAMES, field, kind, token
from subdrift.linter.languages.jvm.lowering import Operands
from subdrift.linter.languages.text import Places
from subdrift.linter.languages.trees import LEVELS_MAX
from subdrift.linter.model import ir

DIMENSIONS_MAX = 255
"""Dimensions of an array; class files cannot hold more."""

CALL = kind("method_invocation")
CREATION = kind("object_creation_expression")
IDENTIFIER = kind("identifier")
TYPE_IDENTIFIER = kind("type_identifier")
GENERIC_TYPE = kind("generic_type")
SCOPED_TYPE = kind("scoped_type_identifier")
ARRAY_TYPE = kind("array_type")
ANNOTATED_TYPE = kind("annotated_type")
TYPE_ARGUMENTS = kind("type_arguments")
WILDCARD = kind("wildcard")
SUPER = kind("super")
ANNOTATIONS = frozenset({kind("annotation"), kind("marker_annotation")})
PRIMITIVES = frozenset(
    {kind("integral_type"), kind("floating_point_type"), kind("boolean_type"), kind("void_type")}
)
BRACKET = token("[")

ARGUMENTS = field("arguments")
NAME = field("name")
TYPE = field("type")

UNKNOWN_TYPE = ir.TypeRef("?")


class Types(Operands):
    """One Java file while it is lowered."""

    __slots__ = ("simple",)

    COMMENTS = COMMENTS

    def __init__(self, data: bytes, places: Places) -> None:
        super().__init__(data, places)
        self.simple: dict[str, ir.TypeRef] = {}

    def cut(self, node: Node) -> ir.Opaque:
        """A node that lies too deep. The names and calls in it still count."""
        stack = [node]
        while stack:
            inner = stack.pop()
            number = inner.kind_id
            if number in (IDENTIFIER, TYPE_IDENTIFIER):
                self.names.add(self.text(inner))
            elif number in (CALL, CREATION):
                name = inner.child_by_field_id(NAME if number == CALL else TYPE)
                arguments = inner.child_by_field_id(ARGUMENTS)
                if name is not None and arguments is not None and name.child_count < DIMENSIONS_MAX:
                    simple = self.text(name).partition("<")[0].rpartition(".")[2]
                    self.calls.add((simple.strip(), len(self.named(arguments))))
            if inner.child_count:
                stack.extend(inner.children)
        return ir.Opaque("too-many", self.at(node))

    # -- types ------------------------------------------------------------------------------------------------------

    def type(self, node: Node, depth: int) -> ir.TypeRef:
        """A type as written."""
        number = node.kind_id
        if number in (TYPE_IDENTIFIER, IDENTIFIER):
            name = self.text(node)
            known = self.simple.get(name)
            if known is None:
                self.names.add(name)
                known = self.simple[name] = ir.TypeRef(name)
            return known
        if number in PRIMITIVES:
            return ir.TypeRef(self.text(node))
        if depth > LEVELS_MAX:
            self.cut(node)
            return UNKNOWN_TYPE
        if number == GENERIC_TYPE:
            base = UNKNOWN_TYPE
            arguments: tuple[ir.TypeRef, ...] = ()
            for child in node.children:
                inner = child.kind_id
                if inner == TYPE_ARGUMENTS:
                    arguments = tuple(
                        self.type(argument, depth + 3)
                        for argument in child.named_children
                        if argument.kind_id not in COMMENTS
                    )
                elif inner in (TYPE_IDENTIFIER, SCOPED_TYPE):
                    base = self.type(child, depth + 1)
            return ir.TypeRef(base.name, arguments) if arguments else base
        if number == ARRAY_TYPE:
            element, *others = self.children(node)
            return self.array(self.type(element, depth + 1), others[-1] if others else None)
        if number == SCOPED_TYPE:
            return self._scoped(node, depth)
        if number == ANNOTATED_TYPE:
            inner_types = [child for child in self.named(node) if child.kind_id not in ANNOTATIONS]
            return self.type(inner_types[-1], depth + 1) if inner_types else UNKNOWN_TYPE
        if number == WILDCARD:
            return self._wildcard(node, depth)
        return UNKNOWN_TYPE

    def _scoped(self, node: Node, depth: int) -> ir.TypeRef:
        words = []
        inner: Node | None = node
        while inner is not None:
            number = inner.kind_id
            if number == TYPE_IDENTIFIER:
                words.append(self.text(inner))
                break
            children = inner.named_children
            inner = None
            for child in children:
                number = child.kind_id
                if number in (SCOPED_TYPE, GENERIC_TYPE):
                    inner = child
                elif number == TYPE_ARGUMENTS:
                    for argument in self.named(child):
                        self.type(argument, depth + 3)
            words += [self.text(child) for child in reversed(children) if child.kind_id == TYPE_IDENTIFIER]
        self.names.update(words)
        return ir.TypeRef(".".join(reversed(words)))

    def _wildcard(self, node: Node, depth: int) -> ir.TypeRef:
        children = self.named(node)
        bound = next((child for child in reversed(children) if child.kind_id != SUPER), None)
        if bound is None or bound.kind_id in ANNOTATIONS:
            return UNKNOWN_TYPE
        name = "? super" if any(child.kind_id == SUPER for child in children) else "?"
        return ir.TypeRef(name, (self.type(bound, depth + 2),))

    def array(self, element: ir.TypeRef, dimensions: Node | None) -> ir.TypeRef:
        """The type with the dimensions written behind it, or behind the name of a variable."""
        if dimensions is None:
            return element
        count = sum(child.kind_id == BRACKET for child in dimensions.children)
        for _ in range(min(count, DIMENSIONS_MAX)):
            element = ir.TypeRef("[]", (element,))
        return element

    def variable_type(self, node: Node | None, depth: int) -> ir.TypeRef | None:
        """The declared type of a variable; None for `var`."""
        if node is None:
            return None
        if node.kind_id == TYPE_IDENTIFIER and self.text(node) == "var":
            return None
        return self.type(node, depth)

    def dotted(self, node: Node) -> str:
        """A name with dots as written, without blanks and comments."""
        name = self.text(node)
        if name.replace(".", "").isidentifier():
            return name
        words = []
        stack = [node]
        while stack:
            inner = stack.pop()
            if inner.kind_id == IDENTIFIER:
                words.append(self.text(inner))
            stack.extend(reversed(inner.children))
        return ".".join(words)


def sign(node: Node) -> str:
    """The text of a keyword or sign."""
    return NAMES.get(node.kind_id, "")

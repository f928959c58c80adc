"""Python functions, classes and modules -> `ir`."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from subdrift.linter.languages.python.expressions import BODY, DICT_SPLAT, PARAMETERS, TYPE
from subdrift.linter.languages.python.statements import (
    ASSIGNMENT,
    CLASS,
    DECORATED,
    EXPRESSION_STATEMENT,
    FUNCTION_DEFINITION,
    Statements,
)
from subdrift.linter.languages.python.syntax import (
    IDENTIFIER,
    KEYWORD,
    LEFT,
    LIST_SPLAT,
    NAME,
    RIGHT,
    SPLAT_TYPE,
    bare,
    field,
    first,
    kind,
    last,
)
from subdrift.linter.model import ir

MODULE = "~"
"""The name of a file as a type."""

BODY_NAME = "<module>"
"""The name of the method that holds its statements."""

_CONSTRAINED = kind("constrained_type")
_DECORATOR = kind("decorator")
_RETURN_TYPE = field("return_type")
_SUPERCLASSES = field("superclasses")
_TYPE_PARAMETERS = field("type_parameters")


class Declarations(Statements):
    """Lowers one file."""

    def module(self, root: Node, end: ir.At) -> ir.ClassDecl:
        """The file as a type of kind `module`."""
        body = self.block(root)
        name_at = (1, 1, 1, 1)
        method = ir.MethodDecl(BODY_NAME, (), None, body, end, name_at, static=True)
        return ir.ClassDecl(MODULE, "module", end, name_at, methods=(method,), static=True)

    def function(self, node: Node) -> ir.MethodDecl:
        """A function, or a method where a class body is being lowered."""
        method = self.class_body
        annotations, node = self._decorated(node)
        written = node.child_by_field_id(PARAMETERS)
        parameters = () if written is None else self.parameters(written)
        returns = self.type(node.child_by_field_id(_RETURN_TYPE))
        outer = self.generator, self.loops, self.class_body
        self.generator, self.loops, self.class_body = False, [], False
        body: tuple[ir.Stmt, ...] | None = self.block(node.child_by_field_id(BODY))
        generator = self.generator
        self.generator, self.loops, self.class_body = outer
        names = {annotation.name.rpartition(".")[2] for annotation in annotations}
        if method and "abstractmethod" in names and not body:
            body = None
        name, name_at = self._named(node)
        return ir.MethodDecl(
            "<init>" if method and name == "__init__" else name,
            parameters,
            returns,
            body,
            self._declared_at(node, annotations),
            name_at,
            static=not method or "staticmethod" in names or name == "__new__",
            annotations=annotations,
            generator=generator,
            asynchronous=any(child.type == "async" for child in node.children),
        )

    def class_(self, node: Node) -> ir.ClassDecl:
        annotations, node = self._decorated(node)
        supers: list[ir.TypeRef] = []
        computed: list[ir.Argument] = []
        keywords: list[ir.Argument] = []
        written = node.child_by_field_id(_SUPERCLASSES)
        for base in [] if written is None else self.named(written):
            if base.kind_id == KEYWORD or base.kind_id == DICT_SPLAT:
                keywords.append(self.argument(base))
            elif (found := None if base.kind_id == LIST_SPLAT else self.type(base)) is not None:
                supers.append(found)
            else:
                computed.append(self.argument(base))
        name, name_at = self._named(node)
        outer = self.generator, self.loops, self.class_body
        self.loops, self.class_body = [], True
        self.classes.append(name)
        members = _Members()
        body = node.child_by_field_id(BODY)
        for statement in [] if body is None else self.named(body):
            self._member(statement, members)
        self.classes.pop()
        self.generator, self.loops, self.class_body = outer
        return ir.ClassDecl(
            name,
            "class",
            self._declared_at(node, annotations),
            name_at,
            tuple(supers),
            annotations=annotations,
            fields=tuple(members.fields),
            methods=tuple(members.methods),
            types=tuple(members.types),
            initialisers=tuple(members.initialisers),
            parameters=self._type_parameters(node),
            abstract=any(method.body is None for method in members.methods),
            static=True,
            keywords=(*computed, *keywords),
        )

    def _decorated(self, node: Node) -> tuple[tuple[ir.Annotation, ...], Node]:
        """The decorators of a declaration, and what they stand before."""
        if node.kind_id != DECORATED:
            return (), node
        *decorators, inner = self.named(node)
        found: list[ir.Annotation] = []
        for decorator in decorators:
            written = first(decorator) if decorator.kind_id == _DECORATOR else None
            if written is not None:
                at = self.at(bare(written))
                line, column, _, _ = self.at(decorator)
                found.append(self.annotation(written, (line, column, *at[2:]) if line == at[0] else at))
        return tuple(found), inner

    def _type_parameters(self, node: Node) -> tuple[tuple[str, ir.TypeRef | None], ...]:
        """Those of `class C[T: Bound]`."""
        written = node.child_by_field_id(_TYPE_PARAMETERS)
        found: list[tuple[str, ir.TypeRef | None]] = []
        for each in [] if written is None or written.has_error else self.named(written):
            named: Node | None = bare(each)
            bound: Node | None = None
            if named is not None and named.kind_id == _CONSTRAINED:
                named, bound = self.named(named)[0], self.named(named)[-1]
                named = bare(named)
            if named is not None and named.kind_id == SPLAT_TYPE:
                named = first(named)
            if named is not None and named.kind_id == IDENTIFIER:
                found.append((self.name(named), self.type(bound)))
        return tuple(found)

    def _member(self, node: Node, members: _Members) -> None:
        """One statement of a class body."""
        inner = last(node) if node.kind_id == DECORATED else node
        declares = inner is not None and inner.kind_id in (FUNCTION_DEFINITION, CLASS) and not self.too_deep()
        if declares and not self.is_unreadable(node):
            self.depth += 1
            self.nested += 1
            if inner is not None and inner.kind_id == CLASS:
                members.types.append(self.class_(node))
            else:
                members.methods.append(self.function(node))
            self.nested -= 1
            self.depth -= 1
        elif (made := self._field(node)) is not None:
            members.fields.append(made)
        elif body := self.statements([node]):
            members.initialisers.append(ir.Initialiser(body, True, self.place(node)))

    def _field(self, node: Node) -> ir.FieldDecl | None:
        """`name: type = value` or `name = value`; None for another statement."""
        written = (
            first(node) if node.kind_id == EXPRESSION_STATEMENT and not self.is_unreadable(node) else None
        )
        left = (
            written.child_by_field_id(LEFT) if written is not None and written.kind_id == ASSIGNMENT else None
        )
        if written is None or left is None or (left := bare(left)).kind_id != IDENTIFIER:
            return None
        right, annotation = written.child_by_field_id(RIGHT), written.child_by_field_id(TYPE)
        at = self.at(node)
        if annotation is not None:
            type_ = self.type(annotation)
            static = type_ is not None and type_.name.rpartition(".")[2] == "ClassVar"
            value = self.optional(right)
            return ir.FieldDecl(
                self.name(left), type_, value, at, static=static, annotations=self.annotated(annotation)
            )
        if right is None or right.kind_id == ASSIGNMENT:
            return None
        return ir.FieldDecl(self.name(left), None, self.expression(right), at, static=True)

    # -- places

    def _declared_at(self, node: Node, annotations: Sequence[ir.Annotation]) -> ir.At:
        """From the first decorator to the end of the body."""
        at = self.place(node)
        return (*annotations[0].at[:2], *at[2:]) if annotations else at

    def _named(self, node: Node) -> tuple[str, ir.At]:
        """The name of a function or class, and its place."""
        name = node.child_by_field_id(NAME)
        return ("", self.at(node)) if name is None else (self.name(name), self.at(name))


class _Members:
    """What a class body holds, so far."""

    __slots__ = ("fields", "initialisers", "methods", "types")

    def __init__(self) -> None:
        self.fields: list[ir.FieldDecl] = []
        self.methods: list[ir.MethodDecl] = []
        self.types: list[ir.ClassDecl] = []
        self.initialisers: list[ir.Initialiser] = []

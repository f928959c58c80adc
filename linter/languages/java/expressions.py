"""Java expressions. Chains (`a.b().c()`, `a + b + c`) are walked, not descended: they may be thousands long."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from tree_sitter import Node

from subdrift.linter.languages.java.syntax import COMMENTS, field, kind, token
from subdrift.linter.languages.java.types import (
    ANNOTATIONS,
    ARGUMENTS,
    ARRAY_TYPE,
    CALL,
    GENERIC_TYPE,
    IDENTIFIER,
    NAME,
    PRIMITIVES,
    SCOPED_TYPE,
    SUPER,
    TYPE,
    TYPE_IDENTIFIER,
    Types,
    sign,
)
from subdrift.linter.languages.jvm import literals
from subdrift.linter.languages.trees import LEVELS_MAX
from subdrift.linter.model import ir

BINARY = kind("binary_expression")
BLOCK = kind("block")
CLASS_BODY = kind("class_body")
DIMENSIONS = kind("dimensions")
DIMENSIONS_EXPR = kind("dimensions_expr")
ELEMENT_PAIR = kind("element_value_pair")
FIELD_ACCESS = kind("field_access")
INTERPOLATION = kind("string_interpolation")
INDEX = kind("array_access")
MODIFIERS = kind("modifiers")
PARENTHESES = kind("parenthesized_expression")
RECORD_PATTERN = kind("record_pattern")
RECORD_PATTERN_BODY = kind("record_pattern_body")
RECORD_COMPONENT = kind("record_pattern_component")
STRING = kind("string_literal")
THIS = kind("this")
TYPE_PATTERN = kind("type_pattern")
UNDERSCORE = kind("underscore_pattern")
DOT = token(".")
NEW = token("new")

ALTERNATIVE = field("alternative")
BODY = field("body")
CONDITION = field("condition")
DIMENSIONS_FIELD = field("dimensions")
CONSEQUENCE = field("consequence")
FIELD = field("field")
KEY = field("key")
LEFT = field("left")
OBJECT = field("object")
OPERAND = field("operand")
OPERATOR = field("operator")
PARAMETERS = field("parameters")
PATTERN = field("pattern")
RIGHT = field("right")
VALUE = field("value")

SUBJECT = "subject"
"""What a pattern in a switch is matched with: `Opaque(SUBJECT)`."""


class Expressions(Types):
    """Expressions, annotations and patterns."""

    __slots__ = ()

    @abstractmethod
    def block(self, node: Node, depth: int) -> tuple[ir.Stmt, ...]:
        """The statements of a block."""

    @abstractmethod
    def cases(self, node: Node, depth: int, value: bool) -> tuple[ir.Expr, tuple[ir.Case, ...]]:
        """Subject and cases of a switch."""

    @abstractmethod
    def parameters(self, node: Node | None, depth: int) -> tuple[ir.Param, ...]:
        """Declared parameters."""

    @abstractmethod
    def anonymous(self, node: Node, supers: tuple[ir.TypeRef, ...], depth: int) -> ir.ClassDecl:
        """The class that a body after `new T()` or an enum constant declares."""

    def expr(self, node: Node, depth: int) -> ir.Expr:
        """Any expression."""
        if depth > LEVELS_MAX:
            return self.cut(node)
        return _EXPRESSIONS.get(node.kind_id, Expressions.unknown)(self, node, depth + 2)

    # -- leaves -----------------------------------------------------------------------------------------------------

    def name(self, node: Node, depth: int) -> ir.Expr:
        start = node.start_byte
        end = node.end_byte
        if self.plain is not None:
            name = self.plain[start:end]
        else:
            name = self.data[start:end].decode("utf-8", "replace")
        at = self.between(start, end)
        if not name:
            return ir.Opaque("missing", at)
        self.names.add(name)
        return ir.Name(name, at)

    def string(self, node: Node, depth: int) -> ir.Expr:
        raw = self.text(node)
        at = self.at(node)
        if raw.startswith('"""'):
            if node.child_count > 2 and any(child.kind_id == INTERPOLATION for child in node.children):
                return self.unknown(node, depth)
            value = literals.text_block(raw[3:-3])
        elif "\\" not in raw:
            return ir.Const(raw[1:-1], at)
        elif any(child.kind_id == INTERPOLATION for child in node.children):
            return self.unknown(node, depth)
        else:
            value = literals.unescape(raw[1:-1])
        return ir.Opaque("escape", at) if value is None else ir.Const(value, at)

    def character(self, node: Node, depth: int) -> ir.Expr:
        value = literals.unescape(self.text(node)[1:-1])
        at = self.at(node)
        return ir.Opaque("escape", at) if value is None else ir.Const(value, at, True)

    def integer(self, node: Node, depth: int) -> ir.Expr:
        written = self.text(node)
        value = literals.integer(written)
        at = self.at(node)
        return ir.Opaque("number", at) if value is None else ir.Const(value, at, long=written[-1] in "lL")

    def real(self, node: Node, depth: int) -> ir.Expr:
        written = self.text(node)
        value = literals.real(written)
        at = self.at(node)
        if value is None:
            return ir.Opaque("number", at)
        single = written[-1] in "fF" and not written.startswith(("0x", "0X"))
        return ir.Cast(ir.TypeRef("float"), ir.Const(value, at), at) if single else ir.Const(value, at)

    def true(self, node: Node, depth: int) -> ir.Expr:
        return ir.Const(True, self.at(node))

    def false(self, node: Node, depth: int) -> ir.Expr:
        return ir.Const(False, self.at(node))

    def null(self, node: Node, depth: int) -> ir.Expr:
        return ir.Const(None, self.at(node))

    def this(self, node: Node, depth: int) -> ir.Expr:
        return ir.This(self.at(node))

    def super(self, node: Node, depth: int) -> ir.Expr:
        return ir.Super(self.at(node))

    # -- chains -----------------------------------------------------------------------------------------------------

    def chain(self, node: Node, depth: int) -> ir.Expr:
        """Calls, field accesses and array accesses: down the receivers, then up."""
        links: list[tuple[int, Node, Node | None, Node | None]] = []  # kind, link, name or index, arguments
        target: Node | None = node
        name: Node | None
        arguments: Node | None
        while target is not None:
            number = target.kind_id
            if number == CALL:
                link = target
                children = link.children
                count = len(children)
                if count == 4 and children[1].kind_id == DOT and children[2].kind_id == IDENTIFIER:
                    target, _, name, arguments = children
                elif count == 2:
                    target = None
                    name, arguments = children
                else:
                    target = link.child_by_field_id(OBJECT)
                    name = link.child_by_field_id(NAME)
                    arguments = link.child_by_field_id(ARGUMENTS)
                    if target is not None and any(child.kind_id == SUPER for child in children[1:-2]):
                        links += ((CALL, link, name, arguments), (SUPER, target, None, None))  # I.super.f()
                        break
                links.append((CALL, link, name, arguments))
            elif number == FIELD_ACCESS:
                link = target
                children = link.children
                if len(children) == 3 and children[1].kind_id == DOT:
                    target, _, name = children
                else:
                    target = link.child_by_field_id(OBJECT)
                    name = link.child_by_field_id(FIELD)
                    if target is not None and any(child.kind_id == SUPER for child in children[1:-1]):
                        links += ((FIELD_ACCESS, link, name, None), (SUPER, target, None, None))
                        break
                if name is not None and name.kind_id == THIS:
                    links.append((THIS, link, target, None))
                    break
                links.append((FIELD_ACCESS, link, name, None))
            elif number == INDEX:
                link = target
                target = link.child_by_field_name("array")
                links.append((INDEX, link, link.child_by_field_name("index"), None))
            else:
                break
        return self._built(links, target, depth)

    def _built(
        self, links: list[tuple[int, Node, Node | None, Node | None]], base: Node | None, depth: int
    ) -> ir.Expr:
        level = depth + len(links)
        value: ir.Expr | None
        if level > LEVELS_MAX:
            kept = max(LEVELS_MAX - depth, 0)
            value = self.cut(links[kept][1])
            links = links[:kept]
            level = depth + kept
        elif links[-1][0] == SUPER or links[-1][0] == THIS:
            number, link, owner, _ = links.pop()
            owner = link if number == SUPER else owner
            name = "" if owner is None else self.path(owner)
            value = ir.Super(self.at(link), name) if number == SUPER else ir.This(self.at(link), name)
        else:
            value = None if base is None else self.expr(base, level)
        for number, link, part, arguments in reversed(links):
            at = self.between(link.start_byte, link.end_byte)
            if number == CALL:
                name = "" if part is None else self.text(part)
                given = () if arguments is None else self.arguments(arguments, level)
                self.calls.add((name, len(given)))
                value = ir.Call(value, name, given, at, at if part is None else self.at(part))
            elif value is None:
                value = ir.Opaque("missing", at)
            elif number == FIELD_ACCESS:
                name = "" if part is None else self.text(part)
                self.names.add(name)
                value = ir.Attribute(value, name, at)
            else:
                value = ir.Index(value, self.needed(part, link, level), at)
            level -= 1
        return ir.Opaque("missing", (1, 1, 1, 1)) if value is None else value

    def path(self, node: Node) -> str:
        """A type name that stands where an expression may: `Outer` of `Outer.this`."""
        name = self.dotted(node)
        self.names.update(name.split("."))
        return name

    def arguments(self, node: Node, depth: int) -> tuple[ir.Argument, ...]:
        children = node.children
        count = len(children)
        if count == 2:
            return ()
        if count == 3 and children[1].kind_id not in COMMENTS:
            return (ir.Argument(self.expr(children[1], depth + 1)),)
        return tuple(
            ir.Argument(self.expr(child, depth + 1))
            for child in node.named_children
            if child.kind_id not in COMMENTS
        )

    def binary(self, node: Node, depth: int) -> ir.Expr:
        links: list[tuple[Node, str, Node | None]] = []
        left: Node | None = node
        while left is not None and left.kind_id == BINARY:
            link = left
            children = link.children
            if len(children) == 3:
                left, operator, right = children
                links.append((link, sign(operator), right))
            else:
                left = link.child_by_field_id(LEFT)
                found = link.child_by_field_id(OPERATOR)
                links.append((link, "" if found is None else sign(found), link.child_by_field_id(RIGHT)))
        level = depth + len(links)
        if level > LEVELS_MAX:
            kept = max(LEVELS_MAX - depth, 0)
            value: ir.Expr = self.cut(links[kept][0])
            links = links[:kept]
            level = depth + kept
        else:
            value = self.needed(left, node, level)
        for link, name, part in reversed(links):
            value = ir.Binary(name, value, self.needed(part, link, level), self.at(link))
            level -= 1
        return value

    # -- the rest ---------------------------------------------------------------------------------------------------

    def parentheses(self, node: Node, depth: int) -> ir.Expr:
        inner = node
        while inner.kind_id == PARENTHESES:
            parts = self.named(inner)
            if not parts:
                return ir.Opaque("missing", self.at(inner))
            inner = parts[-1]
        return self.expr(inner, depth)

    def assignment(self, node: Node, depth: int) -> ir.Expr:
        operator = node.child_by_field_id(OPERATOR)
        return ir.Assign(
            self.needed(node.child_by_field_id(LEFT), node, depth),
            self.needed(node.child_by_field_id(RIGHT), node, depth),
            self.at(node),
            "" if operator is None else sign(operator)[:-1],
        )

    def update(self, node: Node, depth: int) -> ir.Expr:
        operator = ""
        operand: Node | None = None
        old = False
        for child in self.children(node):
            if child.is_named:
                operand = child
            else:
                operator = sign(child)[:1]
                old = operand is not None
        at = self.at(node)
        return ir.Assign(self.needed(operand, node, depth), ir.Const(1, at), at, operator, old)

    def unary(self, node: Node, depth: int) -> ir.Expr:
        operator = node.child_by_field_id(OPERATOR)
        operand = self.needed(node.child_by_field_id(OPERAND), node, depth)
        return ir.Unary("" if operator is None else sign(operator), operand, self.at(node))

    def conditional(self, node: Node, depth: int) -> ir.Expr:
        return ir.Conditional(
            self.needed(node.child_by_field_id(CONDITION), node, depth),
            self.needed(node.child_by_field_id(CONSEQUENCE), node, depth),
            self.needed(node.child_by_field_id(ALTERNATIVE), node, depth),
            self.at(node),
        )

    def cast(self, node: Node, depth: int) -> ir.Expr:
        value = self.needed(node.child_by_field_id(VALUE), node, depth)
        at = self.at(node)
        for written in reversed(node.children_by_field_name("type")):
            value = ir.Cast(self.type(written, depth), value, at)
            depth += 1
            if depth > LEVELS_MAX:
                break
        return value

    def instance_of(self, node: Node, depth: int) -> ir.Expr:
        value = self.needed(node.child_by_field_id(LEFT), node, depth)
        pattern = node.child_by_field_id(PATTERN)
        at = self.at(node)
        if pattern is not None:
            shape = self.pattern(pattern, depth)
            name = shape.name if isinstance(shape, ir.Pattern) else "?"
            return ir.InstanceOf(
                value, ir.TypeRef(name), at, pattern=shape if isinstance(shape, ir.Pattern) else None
            )
        written = node.child_by_field_id(RIGHT)
        if written is None:
            return ir.Opaque("instanceof_expression", at, (value,))
        bound = node.child_by_field_id(NAME)
        return ir.InstanceOf(value, self.type(written, depth), at, "" if bound is None else self.text(bound))

    def class_literal(self, node: Node, depth: int) -> ir.Expr:
        return ir.TypeLiteral(self.type(node.children[0], depth), self.at(node))

    def lambda_(self, node: Node, depth: int) -> ir.Expr:
        declared = node.child_by_field_id(PARAMETERS)
        params: tuple[ir.Param, ...]
        if declared is None:
            params = ()
        elif declared.kind_id == IDENTIFIER:
            params = (ir.Param(self.text(declared), None, self.at(declared)),)
        else:
            params = self.parameters(declared, depth)
        body = node.child_by_field_id(BODY)
        statements: tuple[ir.Stmt, ...]
        if body is None:
            statements = ()
        elif body.kind_id == BLOCK:
            statements = self.block(body, depth)
        else:
            statements = (ir.Return(self.expr(body, depth), self.at(body)),)
        return ir.Lambda(params, statements, self.at(node))

    def reference(self, node: Node, depth: int) -> ir.Expr:
        children = self.children(node)
        first, last = children[0], children[-1]
        target: ir.Expr
        if first.kind_id == SCOPED_TYPE and (owner := self._super_owner(first)) is not None:
            target = ir.Super(self.at(first), self.text(owner))
            self.names.add(target.type)
        elif first.kind_id in (GENERIC_TYPE, ARRAY_TYPE, SCOPED_TYPE, TYPE_IDENTIFIER):
            target = ir.TypeLiteral(self.type(first, depth), self.at(first))
        else:
            target = self.expr(first, depth)
        if last.kind_id != NEW:
            name = called = self.text(last)
        else:
            name = "<init>"
            match target:
                case ir.TypeLiteral(type=written):
                    called = written.name.rpartition(".")[2]
                case ir.Name(name=called) | ir.Attribute(name=called):
                    pass
                case _:
                    called = name
        self.calls.add((called, -1))
        return ir.MethodRef(target, name, self.at(node))

    def _super_owner(self, node: Node) -> Node | None:
        """`I` of `I.super::f`, which the grammar reads as a type."""
        parts = self.named(node)
        return parts[0] if len(parts) == 2 and self.text(parts[1]) == "super" else None

    def creation(self, node: Node, depth: int) -> ir.Expr:
        written = node.child_by_field_id(TYPE)
        declared = None
        outer: Node | None = None
        for child in node.children:
            number = child.kind_id
            if number == CLASS_BODY:
                declared = child
            elif number == DOT:
                outer = node.children[0]
        if written is None:
            return self.unknown(node, depth)
        of = self.type(written, depth)
        arguments = node.child_by_field_id(ARGUMENTS)
        given = () if arguments is None else self.arguments(arguments, depth)
        self.calls.add((of.name.rpartition(".")[2], len(given)))
        return ir.New(
            of,
            given,
            self.at(node),
            None if declared is None else self.anonymous(declared, (of,), depth),
            None if outer is None else self.expr(outer, depth),
        )

    def array_creation(self, node: Node, depth: int) -> ir.Expr:
        value = node.child_by_field_id(VALUE)
        written = node.child_by_field_id(TYPE)
        if written is None:
            return self.unknown(node, depth)
        of = self.type(written, depth)
        if value is not None:
            made = self.expr(value, depth)
            of = self.array(of, node.child_by_field_id(DIMENSIONS_FIELD))
            return ir.Cast(of, made, self.at(node)) if written.kind_id in PRIMITIVES else made
        sizes: list[ir.Expr] = []
        for child in node.children:
            if child.kind_id == DIMENSIONS_EXPR:
                inner = [part for part in self.named(child) if part.kind_id not in ANNOTATIONS]
                sizes.append(self.needed(inner[-1] if inner else None, child, depth))
            elif child.kind_id == DIMENSIONS:
                of = self.array(of, child)
        return ir.NewArray(of, tuple(sizes), self.at(node))

    def items(self, node: Node, depth: int) -> ir.Expr:
        return ir.Sequence(
            "array",
            tuple(
                self.expr(child, depth + 1) for child in node.named_children if child.kind_id not in COMMENTS
            ),
            self.at(node),
        )

    def switch_value(self, node: Node, depth: int) -> ir.Expr:
        subject, cases = self.cases(node, depth, value=True)
        return ir.SwitchValue(subject, cases, self.at(node))

    def template(self, node: Node, depth: int) -> ir.Expr:
        """`STR."a\\{b}c"` (a preview of Java 21); other processors are not known."""
        parts = self.named(node)
        processor, text = parts[0], parts[-1]
        if self.text(processor) != "STR" or text.kind_id != STRING or self.text(text).startswith('"""'):
            return self.unknown(node, depth)
        found: list[ir.Expr] = []
        for child in text.children:
            at = self.at(child)
            if child.kind_id == INTERPOLATION:
                inner = self.named(child)
                found.append(self.needed(inner[0] if inner else None, child, depth))
            elif child.is_named:
                value = literals.unescape(self.text(child))
                found.append(ir.Opaque("escape", at) if value is None else ir.Const(value, at))
        return ir.Join(tuple(found), self.at(node))

    # -- annotations ------------------------------------------------------------------------------------------------

    def annotation(self, node: Node, depth: int) -> ir.Annotation:
        name = node.child_by_field_id(NAME)
        arguments = node.child_by_field_id(ARGUMENTS)
        given: list[ir.Argument] = []
        for child in () if arguments is None else self.named(arguments):
            if child.kind_id == ELEMENT_PAIR:
                key = child.child_by_field_id(KEY)
                value = self.needed(child.child_by_field_id(VALUE), child, depth + 1)
                given.append(ir.Argument(value, "" if key is None else self.text(key)))
            else:
                given.append(ir.Argument(self.expr(child, depth + 1), "value"))
        written = "" if name is None else self.path(name)
        return ir.Annotation(written, tuple(given), self.at(node))

    def annotation_value(self, node: Node, depth: int) -> ir.Expr:
        """An annotation as an argument of another."""
        inner = self.annotation(node, depth)
        return ir.New(ir.TypeRef(inner.name), inner.args, inner.at)

    # -- patterns ---------------------------------------------------------------------------------------------------

    def pattern(self, node: Node, depth: int) -> ir.Expr | ir.Pattern:
        """A pattern behind `case` or `instanceof`, or inside a record pattern."""
        if depth > LEVELS_MAX:
            return self.cut(node)
        depth += 3
        number = node.kind_id
        if number in (TYPE_PATTERN, RECORD_COMPONENT):
            parts = [part for part in self.named(node) if part.kind_id != MODIFIERS]
            if len(parts) == 1:
                return self.pattern(parts[0], depth)
            if not parts:
                return ir.Pattern("capture", "", (), (), self.at(node))
            written = self.variable_type(parts[0], depth)
            name = "_" if parts[1].kind_id == UNDERSCORE else self.text(parts[1])
            at = self.at(node)
            if written is None:
                return ir.Pattern("capture", name, (), (), at)
            return ir.InstanceOf(ir.Opaque(SUBJECT, at), written, at, "" if name == "_" else name)
        if number == UNDERSCORE:
            return ir.Pattern("capture", "_", (), (), self.at(node))
        if number == RECORD_PATTERN:
            name = ""
            inner: tuple[ir.Expr | ir.Pattern, ...] = ()
            for part in self.named(node):
                if part.kind_id == RECORD_PATTERN_BODY:
                    inner = tuple(self.pattern(each, depth) for each in self.named(part))
                elif part.kind_id == IDENTIFIER:
                    name = "".join(self.path(part).split())
                else:
                    name = self.type(part, depth).name
            return ir.Pattern("class", name, ("",) * len(inner), inner, self.at(node))
        parts = self.named(node)
        if len(parts) == 1:
            return self.pattern(parts[0], depth)
        return self.unknown(node, depth)


_EXPRESSIONS: dict[int, Callable[[Expressions, Node, int], ir.Expr]] = {
    kind(name): handler
    for names, handler in (
        ("identifier type_identifier", Expressions.name),
        ("string_literal", Expressions.string),
        ("character_literal", Expressions.character),
        (
            "decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal",
            Expressions.integer,
        ),
        ("decimal_floating_point_literal hex_floating_point_literal", Expressions.real),
        ("true", Expressions.true),
        ("false", Expressions.false),
        ("null_literal", Expressions.null),
        ("this", Expressions.this),
        ("super", Expressions.super),
        ("method_invocation field_access array_access", Expressions.chain),
        ("binary_expression", Expressions.binary),
        ("parenthesized_expression", Expressions.parentheses),
        ("assignment_expression", Expressions.assignment),
        ("update_expression", Expressions.update),
        ("unary_expression", Expressions.unary),
        ("ternary_expression", Expressions.conditional),
        ("cast_expression", Expressions.cast),
        ("instanceof_expression", Expressions.instance_of),
        ("class_literal", Expressions.class_literal),
        ("lambda_expression", Expressions.lambda_),
        ("method_reference", Expressions.reference),
        ("object_creation_expression", Expressions.creation),
        ("array_creation_expression", Expressions.array_creation),
        ("array_initializer element_value_array_initializer", Expressions.items),
        ("switch_expression", Expressions.switch_value),
        ("template_expression", Expressions.template),
        ("annotation marker_annotation", Expressions.annotation_value),
    )
    for name in names.split()
}

COMPOUND = frozenset(_EXPRESSIONS) - {
    kind(name) for name in ("identifier", "type_identifier", "this", "super", "true", "false", "null_literal")
}
"""Expressions that are more than a word."""

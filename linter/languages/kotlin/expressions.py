"""Kotlin expressions without control flow. Chains (`a.b().c()`, `a + b + c`) are walked, not descended."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeGuard

from tree_sitter import Node

from subdrift.linter.languages.jvm import literals
from subdrift.linter.languages.kotlin.repair import Taken
from subdrift.linter.languages.kotlin.strings import Strings
from subdrift.linter.languages.kotlin.syntax import GRAMMAR, kind, token
from subdrift.linter.languages.kotlin.types import (
    CALL,
    IDENTIFIER,
    NAVIGATION,
    TYPE_ARGUMENTS,
    UNARY,
    USER_TYPE,
    VALUE_ARGUMENTS,
)
from subdrift.linter.languages.trees import LEVELS_MAX
from subdrift.linter.model import ir

ANNOTATED_LAMBDA = kind("annotated_lambda")
ANNOTATION = kind("annotation")
CLASS_BODY = kind("class_body")
CONSTRUCTED = kind("constructor_invocation")
FUNCTION_BODY = kind("function_body")
INDEX = kind("index_expression")
LABEL = kind("label")
LAMBDA = kind("lambda_literal")
LAMBDA_PARAMETERS = kind("lambda_parameters")
MULTI_VARIABLE = kind("multi_variable_declaration")
OBJECT = kind("object_literal")
PARENTHESES = kind("parenthesized_expression")
PARAMETERS = kind("function_value_parameters")
SPREAD = kind("spread_expression")
USE_SITE = kind("use_site_target")
VARIABLE = kind("variable_declaration")

ARROW = token("->")
ASSIGN = token("=")
BANGS = token("!!")
CLASS = token("class")
COLONS = token("::")
SAFE = token("?.")

JVM_CLASS = frozenset({"java", "javaClass", "javaObjectType", "kotlin"})
"""What makes the JVM's class of `T::class`, and `T::class` of it."""

Link = tuple[int, Node, Node | None, Sequence[Node], bool]
"""Kind, node, name (or index), what is handed over, whether the link is `?.`."""


class Expressions(Strings):
    """Expressions, annotations, arguments."""

    __slots__ = ()

    taken: Taken

    @abstractmethod
    def lambda_body(self, nodes: list[Node], depth: int) -> tuple[ir.Stmt, ...]:
        """The statements of a lambda; its last expression is returned."""

    @abstractmethod
    def function_body(self, node: Node, depth: int) -> tuple[ir.Stmt, ...]:
        """The statements of a function, whose body may be an expression."""

    @abstractmethod
    def parameters(self, node: Node, depth: int) -> tuple[ir.Param, ...]:
        """Declared parameters of a function."""

    @abstractmethod
    def anonymous(self, node: Node, depth: int) -> ir.ClassDecl:
        """The class of `object : T { … }`."""

    @abstractmethod
    def jump(self, node: Node, depth: int) -> ir.Stmt | None:
        """`return`, `throw`, `break` or `continue`; None for any other node."""

    @abstractmethod
    def control(self, node: Node, depth: int) -> ir.Expr | None:
        """`if`, `when` or `try` as a value; None for any other node."""

    def expr(self, node: Node, depth: int) -> ir.Expr:
        """Any expression."""
        if depth > LEVELS_MAX:
            return self.cut(node)
        handler = _EXPRESSIONS.get(node.kind_id)
        if handler is not None:
            return handler(self, node, depth + 2)
        found = self.control(node, depth + 2)
        if found is not None:
            return found
        jump = self.jump(node, depth + 3)
        if jump is not None:
            return ir.BlockValue((jump,), jump.at)
        return self.unknown(node, depth + 2)

    # -- leaves -----------------------------------------------------------------------------------------------------

    def name(self, node: Node, depth: int) -> ir.Expr:
        name = self.text(node)
        at = self.at(node)
        match name:
            case "true" | "false":
                return ir.Const(name == "true", at)
            case "null":
                return ir.Const(None, at)
            case "":
                return ir.Opaque("missing", at)
            case "break" | "continue":
                jump = self.jump(node, depth)
                return ir.Opaque(name, at) if jump is None else ir.BlockValue((jump,), at)
        if name.startswith("["):  # an empty list, see `spelling`
            return ir.Sequence("array", (), at)
        name = name.strip("`")
        self.names.add(name)
        return ir.Name(name, at)

    def number(self, node: Node, depth: int) -> ir.Expr:
        at = self.at(node)
        value = literals.integer(self.text(node).replace("u", "").replace("U", ""), wraps=False)
        is_long = self.text(node).rstrip("uU")[-1:] == "L"
        return ir.Opaque("number", at) if value is None else ir.Const(value, at, long=is_long)

    def real(self, node: Node, depth: int) -> ir.Expr:
        written = self.text(node)
        value = literals.real(written)
        at = self.at(node)
        if value is None:
            return ir.Opaque("number", at)
        made = ir.Const(value, at)
        return ir.Cast(ir.TypeRef("float"), made, at) if written[-1] in "fF" else made

    def character(self, node: Node, depth: int) -> ir.Expr:
        value = literals.unescape(self.text(node)[1:-1])
        at = self.at(node)
        return ir.Opaque("escape", at) if value is None else ir.Const(value, at, True)

    def this(self, node: Node, depth: int) -> ir.Expr:
        owner = [child for child in node.named_children if child.kind_id == IDENTIFIER]
        return ir.Name(f"this@{self.word(owner[0])}", self.at(node)) if owner else ir.This(self.at(node))

    def super(self, node: Node, depth: int) -> ir.Expr:
        for child in node.named_children:
            if child.kind_id == USER_TYPE:
                return ir.Super(self.at(node), self.type(child, depth).name)
        return ir.Super(self.at(node))

    # -- chains -----------------------------------------------------------------------------------------------------

    def chain(self, node: Node, depth: int) -> ir.Expr:
        """Calls, members, indexes and `!!`: down the receivers, then up.

        The grammar binds a prefix sign to the first receiver (`!a.b()` as `(!a).b()`); Kotlin to the whole.
        """
        links: list[Link] = []
        signs: list[Node] = []
        target: Node | None = node
        while target is not None:
            number = target.kind_id
            if number == CALL:
                target = self._call(target, links, signs)
            elif number == NAVIGATION:
                link = target
                parts = self.children(link)
                if len(parts) != 3 or parts[1].kind_id == COLONS:
                    break
                target = parts[0]
                links.append((NAVIGATION, link, parts[2], (), parts[1].kind_id == SAFE))
            elif number == INDEX:
                link = target
                target, *given = self.named(link)
                links.append((INDEX, link, None, given, False))
            elif number == UNARY and links:
                parts = self.children(target)
                if len(parts) == 2 and parts[1].kind_id == BANGS:
                    links.append((BANGS, target, None, (), False))
                    target = parts[0]
                elif len(parts) == 2 and parts[1].is_named:
                    signs.append(parts[0])
                    target = parts[1]
                else:
                    break
            elif number == UNARY:
                parts = self.children(target)
                if len(parts) != 2 or parts[1].kind_id != BANGS:
                    break
                links.append((BANGS, target, None, (), False))
                target = parts[0]
            else:
                break
        if not links:
            return self.unary(node, depth) if node.kind_id == UNARY else self.reference(node, depth)
        if depth + len(signs) > LEVELS_MAX:
            return self.cut(node)
        value = self._built(links, target, depth + len(signs), signs)
        for sign in reversed(signs):
            value = self._signed(sign, value, self.between(sign.start_byte, node.end_byte))
        return value

    def _call(self, node: Node, links: list[Link], signs: list[Node]) -> Node | None:
        """Adds the link of a call, and the signs before it; its receiver."""
        callee, given = self._callee(node)
        parts = self.children(callee)
        while callee.kind_id == UNARY and len(parts) == 2 and parts[1].is_named:
            signs.append(parts[0])
            callee = parts[1]
            parts = self.children(callee)
        if callee.kind_id == NAVIGATION and len(parts) == 3 and parts[1].kind_id != COLONS:
            links.append((CALL, node, parts[2], given, parts[1].kind_id == SAFE))
            return parts[0]
        if callee.kind_id == IDENTIFIER:
            links.append((CALL, node, callee, given, False))
            return None
        links.append((CALL, node, None, given, False))
        return callee

    def _callee(self, node: Node) -> tuple[Node, list[Node]]:
        """What is called, and what is handed to it; a lambda behind the arguments is one of them."""
        callee, *given = self.children(node)
        if len(given) == 1 and given[0].kind_id == ANNOTATED_LAMBDA:
            inner = self.children(callee) if callee.kind_id == CALL else []
            if inner and inner[-1].kind_id == VALUE_ARGUMENTS:
                return inner[0], [*inner[1:], given[0]]
        return callee, given

    def _built(self, links: list[Link], base: Node | None, depth: int, signs: list[Node]) -> ir.Expr:
        level = depth + len(links)
        value: ir.Expr | None
        if level > LEVELS_MAX:
            kept = max(LEVELS_MAX - depth, 0)
            value = self.cut(links[kept][1])
            links = links[:kept]
            level = depth + kept
        else:
            value = None if base is None else self.expr(base, level)
        for number, link, part, given, safe in reversed(links):
            begin = link.start_byte
            if signs:  # the signs before the first receiver are not part of it
                begin = max(begin, signs[-1].end_byte)
            at = self.between(begin, link.end_byte)
            if number == CALL:
                name = "" if part is None else self.word(part)
                handed = self.handed(given, level)
                if name:
                    self.calls.add((name, len(handed)))
                types = self.typed(link, part, given, level)
                if name == "orEmpty" and not handed and _is_text(value):
                    value = ir.Elvis(value, ir.Const("", at), at)
                    continue
                value = ir.Call(value, name, handed, at, at if part is None else self.at(part), safe, types)
            elif value is None:
                value = ir.Opaque("missing", at)
            elif number == NAVIGATION:
                name = "" if part is None else self.word(part)
                if name in JVM_CLASS and isinstance(value, ir.TypeLiteral):
                    continue
                if name in JVM_CLASS and isinstance(value, ir.Attribute) and value.name == "javaClass":
                    continue
                self.names.add(name)
                if name == "isInitialized" and isinstance(value, ir.MethodRef):
                    value = ir.Binary("!=", _read(value), ir.Const(None, at), at)
                    continue
                value = ir.Attribute(value, name, at, safe)
            elif number == BANGS:
                value = ir.Unary("!!", value, at)
            elif len(given) == 1:
                value = ir.Index(value, self.expr(given[0], level), at)
            else:
                value = ir.Index(value, ir.Sequence("indices", self.all(given, level + 1), at), at)
            level -= 1
        return ir.Opaque("missing", (1, 1, 1, 1)) if value is None else value

    def all(self, nodes: Sequence[Node], depth: int) -> tuple[ir.Expr, ...]:
        return tuple(self.expr(each, depth) for each in nodes)

    def typed(
        self, node: Node, name: Node | None, given: Sequence[Node], depth: int
    ) -> tuple[ir.TypeRef, ...]:
        """The type arguments of a call."""
        taken = None if name is None else self.taken.types.get(name.end_byte)
        if taken is not None:
            given = (taken,)
        parts = [each for part in given if part.kind_id == TYPE_ARGUMENTS for each in self.named(part)]
        return tuple(self.projection(each, depth) for each in parts)

    def handed(self, given: Sequence[Node], depth: int) -> tuple[ir.Argument, ...]:
        """The arguments of a call; a lambda behind the parentheses is the last one."""
        found: list[ir.Argument] = []
        for part in given:
            number = part.kind_id
            if number == VALUE_ARGUMENTS:
                found += self._arguments(self.named(part), depth + 2)
            elif number == TYPE_ARGUMENTS:
                for each in self.named(part):
                    self.projection(each, depth)
            else:
                found.append(ir.Argument(self.expr(part, depth + 2)))
        return tuple(found)

    def _arguments(self, nodes: list[Node], depth: int) -> list[ir.Argument]:
        """The arguments between parentheses."""
        return [self.argument(node, depth) for node in nodes]

    def argument(self, node: Node, depth: int) -> ir.Argument:
        parts = self.children(node)
        if node.kind_id == PARENTHESES:
            parts = parts[1:-1]
        name = ""
        if len(parts) > 2 and parts[1].kind_id == ASSIGN:
            name = self.word(parts[0])
            parts = parts[2:]
        if not parts:
            return ir.Argument(ir.Opaque("missing", self.at(node)), name)
        if parts[0].kind_id == SPREAD:
            inner = self.named(parts[0])
            return ir.Argument(self.needed(inner[-1] if inner else None, node, depth), name, "*")
        if not parts[0].is_named:  # `*values` behind a name
            return ir.Argument(self.needed(parts[-1], node, depth), name, "*")
        return ir.Argument(self.expr(parts[-1], depth), name)

    def reference(self, node: Node, depth: int) -> ir.Expr:
        """`target::name`, `::name`, `T::class`."""
        parts = self.children(node)
        at = self.at(node)
        if len(parts) < 2 or parts[-2].kind_id != COLONS:
            return self.unknown(node, depth)
        name = self.word(parts[-1])
        if name == "class":
            return self._class_of(parts[0], at, depth)
        self.calls.add((name, -1))
        target: ir.Expr | None = None
        if parts[0].kind_id in _TYPES:
            target = ir.TypeLiteral(self.type(parts[0], depth), self.at(parts[0]))
        elif parts[0].kind_id != COLONS:
            target = self.expr(parts[0], depth)
        return ir.MethodRef(target, name, at)

    def _class_of(self, node: Node, at: ir.At, depth: int) -> ir.Expr:
        """`T::class` is a type as a value; `value::class` the attribute that the JVM has for it."""
        if node.kind_id in _TYPES:
            return ir.TypeLiteral(self.type(node, depth), at)
        target = self.expr(node, depth)
        words: list[str] = []
        inner = target
        while isinstance(inner, ir.Attribute):
            words.append(inner.name)
            inner = inner.target
        if isinstance(inner, ir.Name):
            words.append(inner.name)
            if words[0][:1].isupper():
                return ir.TypeLiteral(ir.TypeRef(".".join(reversed(words))), at)
        return ir.Attribute(target, "javaClass", at)

    # -- operators --------------------------------------------------------------------------------------------------

    def parentheses(self, node: Node, depth: int) -> ir.Expr:
        inner = node
        while inner.kind_id == PARENTHESES:
            parts = self.named(inner)
            if not parts:
                return ir.Opaque("missing", self.at(inner))
            inner = parts[-1]
        return self.expr(inner, depth)

    def labelled(self, node: Node, depth: int) -> ir.Expr:
        """`label@ value`; of a lambda, the label is its own."""
        parts = self.named(node)
        jump = self.jump(node, depth)
        if jump is not None:
            return ir.BlockValue((jump,), jump.at)
        value = self.needed(parts[-1] if len(parts) > 1 else None, node, depth)
        if isinstance(value, ir.Lambda):
            label = self.text(parts[0]).rstrip("@ ")
            return ir.Lambda(value.params, value.body, value.at, value.implicit, label)
        return value

    def annotated(self, node: Node, depth: int) -> ir.Expr:
        parts = [part for part in self.named(node) if part.kind_id != ANNOTATION]
        return self.needed(parts[-1] if parts else None, node, depth)

    def items(self, node: Node, depth: int) -> ir.Expr:
        return ir.Sequence("array", self.all(self.named(node), depth + 1), self.at(node))

    # -- functions and objects as values ----------------------------------------------------------------------------

    def lambda_(self, node: Node, depth: int) -> ir.Expr:
        label = ""
        inner = node
        if node.kind_id == ANNOTATED_LAMBDA:
            for child in node.named_children:
                if child.kind_id == LABEL:
                    label = self.text(child).rstrip("@ ")
                elif child.kind_id == LAMBDA:
                    inner = child
        at = self.at(inner)
        params: tuple[ir.Param, ...] = ()
        body: list[Node] = []
        implicit = True
        for child in self.children(inner):
            if child.kind_id == LAMBDA_PARAMETERS:
                params = tuple(self.variable(each, depth + 2) for each in self.named(child))
            elif child.kind_id == ARROW:
                implicit = False
            elif child.is_named:
                body.append(child)
        if self.data[inner.start_byte : inner.start_byte + 3] == b"fun":  # see `spelling`
            label = "fun"
        elif implicit:
            params = (ir.Param("it", None, at),)
        return ir.Lambda(params, self.lambda_body(body, depth + 1), at, implicit, label)

    def variable(self, node: Node, depth: int) -> ir.Param:
        """A variable of a lambda, a loop or a declaration; several in parentheses are a pattern."""
        at = self.at(node)
        if node.kind_id == MULTI_VARIABLE:
            return ir.Param("", None, at, pattern=self.pattern(node))
        name = ""
        of: ir.TypeRef | None = None
        nullable = False
        for child in self.named(node):
            if child.kind_id == IDENTIFIER:
                name = self.word(child)
            elif child.kind_id in _TYPES:
                of = self.type(child, depth)
                nullable = child.kind_id == _NULLABLE
        return ir.Param(name, of, at, nullable=nullable)

    def bound(self, node: Node) -> ir.Name:
        """The name of a variable, as a target."""
        words = [part for part in self.named(node) if part.kind_id == IDENTIFIER]
        return ir.Name(self.word(words[0]), self.at(words[0])) if words else ir.Name("_", self.at(node))

    def pattern(self, node: Node) -> ir.Sequence:
        """`(a, b)` as a target of an assignment."""
        names = tuple(self.bound(child) for child in self.named(node) if child.kind_id == VARIABLE)
        return ir.Sequence("tuple", names, self.at(node))

    def anonymous_function(self, node: Node, depth: int) -> ir.Expr:
        params: tuple[ir.Param, ...] = ()
        body: tuple[ir.Stmt, ...] = ()
        for child in self.named(node):
            if child.kind_id == PARAMETERS:
                params = self.parameters(child, depth)
            elif child.kind_id == FUNCTION_BODY:
                body = self.function_body(child, depth)
        return ir.Lambda(params, body, self.at(node), label="fun")

    def object_(self, node: Node, depth: int) -> ir.Expr:
        declared = self.anonymous(node, depth)
        of = declared.supers[0] if declared.supers else ir.TypeRef("Any")
        given = declared.super_args or ()
        self.calls.add((of.name.rpartition(".")[2], len(given)))
        body = ir.ClassDecl(
            declared.name,
            declared.kind,
            declared.at,
            declared.name_at,
            declared.supers,
            declared.interfaces,
            None,
            (),
            declared.fields,
            declared.methods,
            declared.types,
            initialisers=declared.initialisers,
            delegates=declared.delegates,
        )
        return ir.New(of, given, self.at(node), body)

    # -- annotations ------------------------------------------------------------------------------------------------

    def annotation(self, node: Node, depth: int, behind: Node | None = None) -> list[ir.Annotation]:
        """`@Name(…)`, `@site:Name`, `@[A B]`. `behind`: the parentheses, where they are not part of the node."""
        found: list[ir.Annotation] = []
        at = self.at(node) if behind is None else self.between(node.start_byte, behind.end_byte)
        for child in self.named(node):
            if child.kind_id == CONSTRUCTED:
                parts = self.named(child)
                given: list[ir.Argument] = []
                for part in parts[1:]:
                    for each in self.handed((part,), depth + 1):
                        lone = not each.name and not given
                        value = _annotation_value(each.value)
                        given.append(ir.Argument(value, "value" if lone else each.name, each.spread))
                found.append(ir.Annotation(self.type(parts[0], depth).name, tuple(given), at))
            elif child.kind_id != USE_SITE and child.kind_id in _TYPES:
                handed = self.handed((behind,), depth + 1) if behind is not None else ()
                args = tuple(
                    ir.Argument(_annotation_value(each.value), each.name or "value") for each in handed
                )
                found.append(ir.Annotation(self.type(child, depth).name, args, at))
        return found


_NULLABLE = GRAMMAR.kind("nullable_type")
_TYPES = GRAMMAR.kinds("user_type nullable_type non_nullable_type function_type parenthesized_type")


def _read(node: ir.MethodRef) -> ir.Expr:
    """The property that a reference is of."""
    return (
        ir.Name(node.name, node.at) if node.target is None else ir.Attribute(node.target, node.name, node.at)
    )


_TEXTS = frozenset(
    {"format", "getProperty", "getenv", "joinToString", "lowercase", "padEnd", "padStart", "prependIndent", "readLine",
     "removePrefix", "removeSuffix", "removeSurrounding", "substring", "substringAfter", "substringAfterLast",
     "substringBefore", "substringBeforeLast", "toLowerCase", "toString", "toUpperCase", "trim", "trimEnd", "trimIndent",
     "trimMargin", "trimStart", "uppercase"}
)  # fmt: skip
_OF_ITS_KIND = frozenset(
    {
        "also",
        "apply",
        "drop",
        "dropLast",
        "filter",
        "ifEmpty",
        "reversed",
        "take",
        "takeIf",
        "takeLast",
        "takeUnless",
    }
)


def _is_text(value: ir.Expr | None) -> TypeGuard[ir.Expr]:
    """Whether an expression is surely a text or null: `orEmpty()` is a function of collections, too."""
    while isinstance(value, ir.Call) and value.name in _OF_ITS_KIND:
        value = value.target
    return isinstance(value, ir.Call) and value.name in _TEXTS and value.target is not None


def _annotation_value(value: ir.Expr) -> ir.Expr:
    """An annotation inside another looks like a call of its class."""
    match value:
        case ir.Call(target=None) if value.name[:1].isupper():
            return ir.New(ir.TypeRef(value.name), value.args, value.at)
        case ir.Sequence():
            return ir.Sequence(value.kind, tuple(map(_annotation_value, value.items)), value.at)
    return value


_EXPRESSIONS: dict[int, Callable[[Expressions, Node, int], ir.Expr]] = {
    number: handler
    for names, handler in (
        ("identifier", Expressions.name),
        ("number_literal", Expressions.number),
        ("float_literal", Expressions.real),
        ("character_literal", Expressions.character),
        ("string_literal multiline_string_literal", Expressions.string),
        ("this_expression", Expressions.this),
        ("super_expression", Expressions.super),
        (
            "call_expression navigation_expression index_expression unary_expression callable_reference",
            Expressions.chain,
        ),
        ("binary_expression infix_expression range_expression", Expressions.binary),
        ("assignment", Expressions.assignment),
        ("in_expression", Expressions.contained),
        ("is_expression", Expressions.is_),
        ("as_expression", Expressions.as_),
        ("parenthesized_expression", Expressions.parentheses),
        ("labeled_expression", Expressions.labelled),
        ("annotated_expression", Expressions.annotated),
        ("collection_literal", Expressions.items),
        ("lambda_literal annotated_lambda", Expressions.lambda_),
        ("anonymous_function", Expressions.anonymous_function),
        ("object_literal", Expressions.object_),
    )
    for number in GRAMMAR.kinds(names)
}

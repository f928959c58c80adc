"""Java statements."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from tree_sitter import Node

from subdrift.linter.languages.java.expressions import (
    ALTERNATIVE,
    BLOCK,
    BODY,
    COMPOUND,
    CONDITION,
    CONSEQUENCE,
    MODIFIERS,
    OBJECT,
    VALUE,
    Expressions,
)
from subdrift.linter.languages.java.syntax import COMMENTS, field, kind, token
from subdrift.linter.languages.java.types import ARGUMENTS, CALL, NAME, TYPE
from subdrift.linter.languages.text import Places
from subdrift.linter.languages.trees import LEVELS_MAX
from subdrift.linter.model import ir

CATCH = kind("catch_clause")
CATCH_PARAMETER = kind("catch_formal_parameter")
CATCH_TYPE = kind("catch_type")
FINALLY = kind("finally_clause")
GUARD = kind("guard")
IF = kind("if_statement")
LOCAL = kind("local_variable_declaration")
PATTERN_KIND = kind("pattern")
RESOURCE = kind("resource")
SWITCH = kind("switch_expression")
SWITCH_LABEL = kind("switch_label")
SWITCH_RULE = kind("switch_rule")
EXPRESSION_STATEMENT = kind("expression_statement")
DEFAULT = token("default")

CONSTRUCTOR = field("constructor")
DECLARATOR = field("declarator")
DIMENSIONS = field("dimensions")
INIT = field("init")
RESOURCES = field("resources")
UPDATE = field("update")


class Statements(Expressions):
    """Statements. A handler appends what its node becomes: nothing, one or several statements."""

    __slots__ = ("locals",)

    def __init__(self, data: bytes, places: Places) -> None:
        super().__init__(data, places)
        self.locals: set[str] = set()
        """The names of local variables."""

    @abstractmethod
    def declaration(self, node: Node, depth: int, within: str = "") -> ir.ClassDecl | None:
        """A declared type; None for a node that does not declare one. `within`: the kind of the type around it, "local" in a
        body, "" for a file."""

    def statement(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        """Any statement."""
        handler = _STATEMENTS.get(node.kind_id)
        if depth > LEVELS_MAX:
            if node.is_named and node.kind_id not in COMMENTS:
                out.append(ir.Do(self.cut(node), self.at(node)))
        elif handler is not None:
            handler(self, node, out, depth + 2)
        elif node.is_named:
            self.otherwise(node, out, depth + 2)

    def block(self, node: Node, depth: int) -> tuple[ir.Stmt, ...]:
        out: list[ir.Stmt] = []
        for child in node.named_children:
            self.statement(child, out, depth + 1)
        return tuple(out)

    def body(self, node: Node | None, depth: int) -> tuple[ir.Stmt, ...]:
        """The statements of a branch or loop, which needs no braces."""
        if node is None:
            return ()
        if node.kind_id == BLOCK:
            return self.block(node, depth)
        out: list[ir.Stmt] = []
        self.statement(node, out, depth + 1)
        return tuple(out)

    def ignored(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        """A comment."""

    def otherwise(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        """A syntax error, or a node that is no statement: what can be read in it."""
        at = self.at(node)
        if not node.is_error:
            out.append(ir.Do(self.expr(node, depth), at))
            return
        out.append(ir.Do(ir.Opaque("ERROR", at), at))
        for child in node.named_children:
            if child.kind_id in HANDLED or child.is_error:
                self.statement(child, out, depth)
            else:
                self.cut(child)

    def _local(self, node: Node | None) -> str:
        """The name of a variable that is declared."""
        if node is None:
            return ""
        name = self.text(node)
        self.locals.add(name)
        return name

    def local(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        written = self.variable_type(node.child_by_field_id(TYPE), depth)
        for child in node.children:
            if child.kind_id == MODIFIERS and child.child_count > 1:
                self.cut(child)  # a local variable's annotations do not run
        for declarator in node.children_by_field_id(DECLARATOR):
            name = declarator.child_by_field_id(NAME)
            value = declarator.child_by_field_id(VALUE)
            of = written
            if of is not None and declarator.child_count > 1:
                of = self.array(of, declarator.child_by_field_id(DIMENSIONS))
            out.append(
                ir.Let(
                    self._local(name),
                    of,
                    None if value is None else self.expr(value, depth),
                    self.at(declarator),
                )
            )

    def expression(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        child = node.children[0]
        if child.kind_id in COMMENTS or not child.is_named:
            parts = self.named(node)
            if not parts:
                return
            child = parts[0]
        name = child.child_by_field_id(NAME) if child.kind_id == CALL else None
        if child.kind_id == SWITCH:
            self.switch(child, out, depth)
        elif name is not None and self.text(name) in ("super", "this"):  # as `newer` spells it
            self.constructor_call(child, out, depth)
        else:
            out.append(ir.Do(self.expr(child, depth), self.at(node)))

    def switch(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        subject, cases = self.cases(node, depth, value=False)
        out.append(ir.Switch(subject, cases, self.at(node)))

    def _first(self, node: Node) -> Node | None:
        parts = self.named(node)
        return parts[0] if parts else None

    def return_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        value = self._first(node)
        out.append(ir.Return(None if value is None else self.expr(value, depth), self.at(node)))

    def yield_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        out.append(ir.Yield(self.needed(self._first(node), node, depth), self.at(node)))

    def throw(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        out.append(ir.Throw(self.needed(self._first(node), node, depth), self.at(node)))

    def if_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        """An `if` with all its `else if`, which may be thousands."""
        arms: list[tuple[Node, ir.Expr, tuple[ir.Stmt, ...]]] = []
        rest: tuple[ir.Stmt, ...] = ()
        inner: Node | None = node
        while inner is not None:
            if depth > LEVELS_MAX:
                rest = (ir.Do(self.cut(inner), self.at(inner)),)
                break
            if inner.kind_id != IF:
                rest = self.body(inner, depth)
                break
            test = self.needed(inner.child_by_field_id(CONDITION), inner, depth)
            arms.append((inner, test, self.body(inner.child_by_field_id(CONSEQUENCE), depth)))
            inner = inner.child_by_field_id(ALTERNATIVE)
            depth += 2
        for arm, test, then in reversed(arms):
            rest = (ir.If(test, then, rest, self.at(arm)),)
        out.extend(rest)

    def while_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        test = self.needed(node.child_by_field_id(CONDITION), node, depth)
        out.append(ir.While(test, self.body(node.child_by_field_id(BODY), depth), self.at(node)))

    def do(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        body = self.body(node.child_by_field_id(BODY), depth)
        test = self.needed(node.child_by_field_id(CONDITION), node, depth)
        out.append(ir.While(test, body, self.at(node), after=True))

    def for_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        at = self.at(node)
        before: list[ir.Stmt] = []
        for child in node.children_by_field_id(INIT):
            if child.kind_id == LOCAL:
                self.statement(child, before, depth + 1)
            else:
                before.append(ir.Do(self.expr(child, depth + 2), self.at(child)))
        condition = node.child_by_field_id(CONDITION)
        loop = ir.While(
            ir.Const(True, at) if condition is None else self.expr(condition, depth + 1),
            self.body(node.child_by_field_id(BODY), depth + 1),
            at,
            tuple(self.expr(child, depth + 2) for child in node.children_by_field_id(UPDATE)),
        )
        out.append(ir.Block((*before, loop), at) if before else loop)

    def for_each(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        name = node.child_by_field_id(NAME)
        target = (
            ir.Opaque("missing", self.at(node)) if name is None else ir.Name(self._local(name), self.at(name))
        )
        of = self.variable_type(node.child_by_field_id(TYPE), depth)
        if of is not None:
            of = self.array(of, node.child_by_field_id(DIMENSIONS))
        source = self.needed(node.child_by_field_id(VALUE), node, depth)
        out.append(
            ir.ForEach(target, of, source, self.body(node.child_by_field_id(BODY), depth), self.at(node))
        )

    def labelled(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        name, *rest = self.named(node)
        body: list[ir.Stmt] = []
        for child in rest:
            self.statement(child, body, depth + 1)
        out.append(ir.Block(tuple(body), self.at(node), self.text(name)))

    def break_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        label = self._first(node)
        out.append(ir.Break(self.at(node), "" if label is None else self.text(label)))

    def continue_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        label = self._first(node)
        out.append(ir.Continue(self.at(node), "" if label is None else self.text(label)))

    def assert_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        """Not run unless the virtual machine is told to."""
        at = self.at(node)
        parts = tuple(self.expr(child, depth + 1) for child in self.named(node))
        out.append(ir.Do(ir.Opaque("assert", at, parts), at))

    def synchronized(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        body = node.child_by_field_id(BODY)
        statements: list[ir.Stmt] = [
            ir.Do(self.expr(child, depth), self.at(child)) for child in self.named(node) if child != body
        ]
        statements.extend(self.body(body, depth))
        out.append(ir.Block(tuple(statements), self.at(node)))

    def nested(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        out.append(ir.Block(self.block(node, depth), self.at(node)))

    def define(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        declared = self.declaration(node, depth, "local")
        if declared is not None:
            out.append(ir.Define(declared, self.at(node)))

    def constructor_call(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        """`this(…)`, `super(…)`, `outer.super(…)`."""
        at = self.at(node)
        which = node.child_by_field_id(CONSTRUCTOR) or node.child_by_field_id(NAME)
        name_at = at if which is None else self.at(which)
        outer = node.child_by_field_id(OBJECT)
        if outer is not None:
            out.append(ir.Do(self.expr(outer, depth), self.at(outer)))
        target = ir.Super(name_at) if which is not None and self.text(which) == "super" else ir.This(name_at)
        arguments = node.child_by_field_id(ARGUMENTS)
        given = () if arguments is None else self.arguments(arguments, depth)
        self.calls.add(("<init>", len(given)))
        out.append(ir.Do(ir.Call(target, "<init>", given, at, name_at), at))

    def try_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        at = self.at(node)
        catches: list[ir.Catch] = []
        final: tuple[ir.Stmt, ...] = ()
        for child in node.named_children:
            number = child.kind_id
            if number == CATCH:
                catches.append(self._catch(child, depth + 1))
            elif number == FINALLY:
                final = self.body(self._first(child), depth)
        body = node.child_by_field_id(BODY)
        declared = node.child_by_field_id(RESOURCES)
        if declared is None:
            out.append(ir.Try(self.body(body, depth), tuple(catches), (), final, at))
            return
        resources = tuple(
            self._resource(child, depth + 2) for child in self.named(declared) if child.kind_id == RESOURCE
        )
        within = self.body(body, depth + 2)
        for each in reversed(resources):  # the ones before it are closed where one cannot be opened
            within = (ir.With((each,), within, at),)
        inner = within[0] if resources else ir.Block(within, at)
        out.append(ir.Try((inner,), tuple(catches), (), final, at) if catches or final else inner)

    def _catch(self, node: Node, depth: int) -> ir.Catch:
        types: list[ir.TypeRef] = []
        name = ""
        for child in node.named_children:
            if child.kind_id == CATCH_PARAMETER:
                for part in self.named(child):
                    if part.kind_id == CATCH_TYPE:
                        types = [self.type(each, depth + 2) for each in self.named(part)]
                bound = child.child_by_field_id(NAME)
                name = self._local(bound)
        return ir.Catch(tuple(types), name, self.body(node.child_by_field_id(BODY), depth), self.at(node))

    def _resource(self, node: Node, depth: int) -> ir.Resource:
        value = node.child_by_field_id(VALUE)
        if value is None:
            return ir.Resource(self.needed(self._first(node), node, depth), None)
        name = node.child_by_field_id(NAME)
        target = None if name is None else ir.Name(self._local(name), self.at(name))
        written = self.variable_type(node.child_by_field_id(TYPE), depth)
        return ir.Resource(self.expr(value, depth), target, written)

    # -- switch -----------------------------------------------------------------------------------------------------

    def cases(self, node: Node, depth: int, value: bool) -> tuple[ir.Expr, tuple[ir.Case, ...]]:
        body = node.child_by_field_id(BODY)
        subject = self.needed(node.child_by_field_id(CONDITION), node, depth)
        groups = () if body is None else self.named(body)
        return subject, tuple(self._case(group, depth + 2, value) for group in groups)

    def _case(self, node: Node, depth: int, value: bool) -> ir.Case:
        labels: list[ir.Expr | ir.Pattern] = []
        default = False
        guard: ir.Expr | None = None
        body: list[ir.Stmt] = []
        arrow = node.kind_id == SWITCH_RULE
        for child in node.named_children:
            number = child.kind_id
            if number == SWITCH_LABEL:
                for part in child.children:
                    inner = part.kind_id
                    if inner == DEFAULT or (part.is_named and self.text(part) == "default"):
                        default = True
                    elif inner == GUARD:
                        test = self._first(part)
                        guard = self.needed(test, part, depth)
                    elif inner == PATTERN_KIND:
                        labels.append(self.pattern(part, depth))
                    elif part.is_named and inner not in COMMENTS:
                        labels.append(self.expr(part, depth))
            elif not arrow:
                self.statement(child, body, depth)
            elif number == BLOCK:
                body.extend(self.block(child, depth))
            elif value and number == EXPRESSION_STATEMENT:
                result = self._first(child)
                if result is not None:
                    body.append(ir.Yield(self.expr(result, depth), self.at(result)))
            else:
                self.statement(child, body, depth)
        if default:
            labels.clear()
        return ir.Case(tuple(labels), tuple(body), self.at(node), guard, falls=not arrow)


_STATEMENTS: dict[int, Callable[[Statements, Node, list[ir.Stmt], int], None]] = {
    kind(name): handler
    for names, handler in (
        ("line_comment block_comment", Statements.ignored),
        ("local_variable_declaration", Statements.local),
        ("expression_statement", Statements.expression),
        ("switch_expression", Statements.switch),
        ("return_statement", Statements.return_),
        ("yield_statement", Statements.yield_),
        ("throw_statement", Statements.throw),
        ("if_statement", Statements.if_),
        ("while_statement", Statements.while_),
        ("do_statement", Statements.do),
        ("for_statement", Statements.for_),
        ("enhanced_for_statement", Statements.for_each),
        ("labeled_statement", Statements.labelled),
        ("break_statement", Statements.break_),
        ("continue_statement", Statements.continue_),
        ("assert_statement", Statements.assert_),
        ("synchronized_statement", Statements.synchronized),
        ("block", Statements.nested),
        (
            "class_declaration interface_declaration enum_declaration record_declaration "
            "annotation_type_declaration",
            Statements.define,
        ),
        ("explicit_constructor_invocation", Statements.constructor_call),
        ("try_statement try_with_resources_statement", Statements.try_),
    )
    for name in names.split()
}

HANDLED = frozenset({*_STATEMENTS, *COMPOUND})
"""Statements, and expressions with parts: what is read inside a syntax error."""

"""Kotlin statements, and control flow as values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from tree_sitter import Node

from subdrift.linter.languages.kotlin.expressions import (
    ANNOTATION,
    ARROW,
    LABEL,
    LAMBDA,
    MULTI_VARIABLE,
    VARIABLE,
    Expressions,
)
from subdrift.linter.languages.kotlin.operators import NOT_IN, NOT_IS
from subdrift.linter.languages.kotlin.syntax import COMMENTS, GRAMMAR, field, kind, token
from subdrift.linter.languages.kotlin.types import IDENTIFIER, USER_TYPE
from subdrift.linter.languages.trees import LEVELS_MAX
from subdrift.linter.model import ir

ASSIGNMENT = kind("assignment")
BLOCK = kind("block")
CATCH = kind("catch_block")
DELEGATE = kind("property_delegate")
DO = kind("do_while_statement")
FINALLY = kind("finally_block")
FOR = kind("for_statement")
IF = kind("if_expression")
LABELLED = kind("labeled_expression")
MODIFIERS = kind("modifiers")
PROPERTY = kind("property_declaration")
RANGE_TEST = kind("range_test")
RETURN = kind("return_expression")
THROW = kind("throw_expression")
TRY = kind("try_expression")
TYPE_TEST = kind("type_test")
WHEN = kind("when_expression")
WHEN_ENTRY = kind("when_entry")
WHEN_SUBJECT = kind("when_subject")
WHILE = kind("while_statement")

ASSIGN = token("=")
CLOSING = token(")")
COMMA = token(",")
ELSE = token("else")
IN = token("in")

CONDITION = field("condition")
LABEL_FIELD = field("label")

JUMPS = frozenset({RETURN, THROW})
NO_VALUE = frozenset({ASSIGNMENT, FOR, WHILE, DO, PROPERTY}) | GRAMMAR.kinds(
    "class_declaration object_declaration function_declaration type_alias"
)

SUBJECT = "subject"
"""What a condition of `when (subject)` is about: `Opaque(SUBJECT)`; as a condition by itself it always holds."""

VALUED_MAX = 200
"""Branches looked at to tell whether an `if` or `when` has a value."""


class Statements(Expressions):
    """Statements. A handler appends what its node becomes: nothing, one or several statements."""

    __slots__ = ()

    @abstractmethod
    def declaration(self, node: Node, depth: int) -> ir.ClassDecl | ir.MethodDecl | None:
        """A declared type or function; None for a node that does not declare one."""

    def statement(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        """Any statement."""
        number = node.kind_id
        if number in COMMENTS or not node.is_named:
            return
        if depth > LEVELS_MAX:
            out.append(ir.Do(self.cut(node), self.at(node)))
            return
        handler = _STATEMENTS.get(number)
        if handler is not None:
            handler(self, node, out, depth + 2)
            return
        jump = self.jump(node, depth + 2)
        if jump is not None:
            out.append(jump)
        elif node.is_error:
            self.recovered(node, out, depth + 2)
        elif number != LABEL and number != ANNOTATION:
            out.append(ir.Do(self.expr(node, depth + 1), self.at(node)))

    def recovered(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        """What can be read inside a syntax error."""
        at = self.at(node)
        out.append(ir.Do(ir.Opaque("ERROR", at), at))
        for child in node.named_children:
            if child.child_count and child.kind_id != USER_TYPE:
                self.statement(child, out, depth)
            else:
                self.cut(child)

    def jump(self, node: Node, depth: int) -> ir.Stmt | None:
        number = node.kind_id
        if number == RETURN:
            label = node.child_by_field_id(LABEL_FIELD)
            parts = [part for part in self.named(node) if part != label]
            value = self.expr(parts[-1], depth) if parts else None
            return ir.Return(value, self.at(node), "" if label is None else self.word(label))
        if number == THROW:
            parts = self.named(node)
            return ir.Throw(self.needed(parts[-1] if parts else None, node, depth), self.at(node))
        if number == IDENTIFIER:
            match self.text(node):
                case "break":
                    return ir.Break(self.at(node))
                case "continue":
                    return ir.Continue(self.at(node))
        elif number == LABELLED:
            parts = self.named(node)
            if len(parts) == 2 and parts[0].kind_id == LABEL:
                match self.text(parts[0]).rstrip("@ "):
                    case "break":
                        return ir.Break(self.at(node), self.word(parts[1]))
                    case "continue":
                        return ir.Continue(self.at(node), self.word(parts[1]))
        return None

    # -- bodies -----------------------------------------------------------------------------------------------------

    def block(self, node: Node, depth: int) -> tuple[ir.Stmt, ...]:
        out: list[ir.Stmt] = []
        for child in node.named_children:
            self.statement(child, out, depth + 1)
        return tuple(out)

    def body(self, node: Node | None, depth: int) -> tuple[ir.Stmt, ...]:
        """The statements of a branch or loop, which needs no braces."""
        if node is None or not node.is_named:
            return ()
        if node.kind_id == BLOCK:
            return self.block(node, depth)
        out: list[ir.Stmt] = []
        self.statement(node, out, depth + 1)
        return tuple(out)

    def tail(
        self, nodes: list[Node], depth: int, result: Callable[[ir.Expr, ir.At], ir.Stmt]
    ) -> tuple[ir.Stmt, ...]:
        """Statements of which the last is a value, where it has one."""
        out: list[ir.Stmt] = []
        kept = [node for node in nodes if node.kind_id not in COMMENTS]
        for node in kept[:-1]:
            self.statement(node, out, depth)
        if kept:
            last = kept[-1]
            if last.is_error or last.kind_id in JUMPS or not self.valued(last):
                self.statement(last, out, depth)
            elif (jump := self.jump(last, depth)) is not None:
                out.append(jump)
            else:
                out.append(result(self.expr(last, depth), self.at(last)))
        return tuple(out)

    def lambda_body(self, nodes: list[Node], depth: int) -> tuple[ir.Stmt, ...]:
        return self.tail(nodes, depth, ir.Return)

    def function_body(self, node: Node, depth: int) -> tuple[ir.Stmt, ...]:
        parts = self.named(node)
        if not parts:
            return ()
        if parts[-1].kind_id == BLOCK and node.children[0].kind_id != ASSIGN:
            return self.block(parts[-1], depth)
        return (ir.Return(self.expr(parts[-1], depth), self.at(parts[-1])),)

    def value(self, node: Node | None, parent: Node, depth: int) -> ir.Expr:
        """A branch as a value."""
        if node is None or not node.is_named:
            return ir.Opaque("unit", self.at(parent))
        at = self.at(node)
        if node.kind_id == BLOCK:
            statements = self.tail(list(node.named_children), depth + 1, ir.Yield)
            match statements:
                case (ir.Yield(value=only),):
                    return only
            return ir.BlockValue(statements, at)
        if node.kind_id in NO_VALUE:
            return ir.BlockValue(self.body(node, depth), at)
        return self.expr(node, depth)

    def valued(self, node: Node) -> bool:
        """Whether a node in the last place of a lambda or branch is an expression with a value."""
        stack = [node]
        for _ in range(VALUED_MAX):
            if not stack:
                return True
            inner = stack.pop()
            number = inner.kind_id
            if number in NO_VALUE:
                return False
            if number == BLOCK:
                parts = self.named(inner)
                if not parts:
                    return False
                stack.append(parts[-1])
            elif number == IF:
                _, then, otherwise = self.branches(inner)
                if then is None or otherwise is None:
                    return False
                stack += (otherwise, then)
            elif number == WHEN:
                for entry in inner.named_children:
                    if entry.kind_id == WHEN_ENTRY:
                        parts = self.named(entry)
                        stack += parts[-1:]
            elif number == LABELLED:
                parts = self.named(inner)
                stack += parts[-1:]
        return True

    # -- if ---------------------------------------------------------------------------------------------------------

    def branches(self, node: Node) -> tuple[Node | None, Node | None, Node | None]:
        """Condition, consequence and alternative of an `if`."""
        parts = self.children(node)
        closing = next(
            (position for position, part in enumerate(parts) if part.kind_id == CLOSING), len(parts)
        )
        then = otherwise = None
        behind = False
        for part in parts[closing + 1 :]:
            if part.kind_id == ELSE:
                behind = True
            elif part.is_named and behind:
                otherwise = self.taken.loops.get(part.start_byte, part)
            elif part.is_named:
                then = self.taken.loops.get(part.start_byte, part)
        return node.child_by_field_id(CONDITION), then, otherwise

    def if_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
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
            condition, then, otherwise = self.branches(inner)
            arms.append((inner, self.needed(condition, inner, depth), self.body(then, depth)))
            inner = otherwise
            depth += 2
        for arm, test, statements in reversed(arms):
            rest = (ir.If(test, statements, rest, self.at(arm)),)
        out.extend(rest)

    def control(self, node: Node, depth: int) -> ir.Expr | None:
        number = node.kind_id
        if number == IF:
            return self.if_value(node, depth)
        at = self.at(node)
        if number == WHEN:
            before, subject, cases = self.cases(node, depth, self.case_value)
            switch = ir.SwitchValue(subject, cases, at)
            return switch if before is None else ir.BlockValue((before, ir.Yield(switch, at)), at)
        if number == TRY:
            return ir.BlockValue((self.tried(node, depth + 1, self.branch_value),), at)
        if number == BLOCK:
            return self.value(node, node, depth)
        return None

    def if_value(self, node: Node, depth: int) -> ir.Expr:
        arms: list[tuple[Node, ir.Expr, ir.Expr]] = []
        inner: Node | None = node
        while inner is not None and inner.kind_id == IF and depth <= LEVELS_MAX:
            condition, then, otherwise = self.branches(inner)
            arms.append((inner, self.needed(condition, inner, depth), self.value(then, inner, depth)))
            inner = otherwise
            depth += 1
        if inner is not None and depth > LEVELS_MAX:
            rest: ir.Expr = self.cut(inner)
        else:
            rest = self.value(inner, arms[-1][0], depth)
        for arm, test, then_value in reversed(arms):
            rest = ir.Conditional(test, then_value, rest, self.at(arm))
        return rest

    def branch_value(self, node: Node | None, depth: int) -> tuple[ir.Stmt, ...]:
        """A block whose last expression is the value of what it is a branch of."""
        if node is None:
            return ()
        if node.kind_id == BLOCK:
            return self.tail(list(node.named_children), depth + 1, ir.Yield)
        return self.tail([node], depth + 1, ir.Yield)

    def case_value(self, node: Node | None, depth: int) -> tuple[ir.Stmt, ...]:
        if node is not None and node.kind_id != BLOCK and node.kind_id not in NO_VALUE:
            jump = self.jump(node, depth)
            return (ir.Yield(self.expr(node, depth), self.at(node)) if jump is None else jump,)
        return self.branch_value(node, depth)

    # -- when -------------------------------------------------------------------------------------------------------

    def when(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        before, subject, cases = self.cases(node, depth, self.body)
        at = self.at(node)
        switch = ir.Switch(subject, cases, at)
        out.append(switch if before is None else ir.Block((before, switch), at))

    def cases(
        self, node: Node, depth: int, body: Callable[[Node | None, int], tuple[ir.Stmt, ...]]
    ) -> tuple[ir.Let | None, ir.Expr | None, tuple[ir.Case, ...]]:
        """The variable that the subject is bound to, the subject, the cases."""
        before: ir.Let | None = None
        subject: ir.Expr | None = None
        cases: list[ir.Case] = []
        for child in self.named(node):
            if child.kind_id == WHEN_SUBJECT:
                parts = [part for part in self.named(child) if part.kind_id != ANNOTATION]
                subject = self.needed(parts[-1] if parts else None, child, depth)
                if len(parts) > 1 and parts[0].kind_id == VARIABLE:
                    bound = self.variable(parts[0], depth)
                    before = ir.Let(bound.name, bound.type, subject, self.at(child))
                    subject = self.bound(parts[0])
            elif child.kind_id == WHEN_ENTRY:
                cases.append(self._case(child, depth + 2, body))
        return before, subject, tuple(cases)

    def _case(
        self, node: Node, depth: int, body: Callable[[Node | None, int], tuple[ir.Stmt, ...]]
    ) -> ir.Case:
        labels: list[ir.Expr] = []
        guard: ir.Expr | None = None
        guarded = behind = False
        statements: tuple[ir.Stmt, ...] = ()
        conditions = set(node.children_by_field_id(CONDITION))
        for part in self.children(node):
            if part in conditions:
                if guarded:
                    guard = self.expr(part, depth + 1)
                elif self.text(part) == "else":  # before a guard, see `spelling`
                    labels.append(ir.Opaque(SUBJECT, self.at(part)))
                else:
                    labels.append(self._label(part, depth + 1))
            elif part.kind_id == COMMA:
                guarded = self.text(part) != ","
            elif part.kind_id == ARROW:
                behind = True
            elif behind and part.is_named:
                statements = body(part, depth)
        return ir.Case(tuple(labels), statements, self.at(node), guard)

    def _label(self, node: Node, depth: int) -> ir.Expr:
        at = self.at(node)
        subject = ir.Opaque(SUBJECT, at)
        parts = self.named(node)
        if node.kind_id == TYPE_TEST and parts:
            negated = node.children[0].kind_id == NOT_IS
            return ir.InstanceOf(subject, self.type(parts[-1], depth), at, negated=negated)
        if node.kind_id == RANGE_TEST and parts:
            sign = "!in" if node.children[0].kind_id == NOT_IN else "in"
            return ir.Binary(sign, subject, self.expr(parts[-1], depth), at)
        return self.expr(node, depth)

    # -- try --------------------------------------------------------------------------------------------------------

    def try_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        out.append(self.tried(node, depth, self.body))

    def tried(
        self, node: Node, depth: int, body: Callable[[Node | None, int], tuple[ir.Stmt, ...]]
    ) -> ir.Try:
        statements: tuple[ir.Stmt, ...] = ()
        catches: list[ir.Catch] = []
        final: tuple[ir.Stmt, ...] = ()
        for child in self.named(node):
            if child.kind_id == BLOCK:
                statements = body(child, depth)
            elif child.kind_id == FINALLY:
                final = self.body(_last(self.named(child)), depth)
            elif child.kind_id == CATCH:
                name = ""
                types: tuple[ir.TypeRef, ...] = ()
                handler: Node | None = None
                for part in self.named(child):
                    if part.kind_id == IDENTIFIER:
                        name = self.word(part)
                    elif part.kind_id == BLOCK:
                        handler = part
                    elif part.kind_id != ANNOTATION:
                        types = (self.type(part, depth),)
                catches.append(ir.Catch(types, name, body(handler, depth + 1), self.at(child)))
        return ir.Try(statements, tuple(catches), (), final, self.at(node))

    # -- loops and labels -------------------------------------------------------------------------------------------

    def looped(self, node: Node, loop: ir.Stmt, out: list[ir.Stmt]) -> None:
        """A loop, in a block with its label where it has one."""
        for child in node.named_children:
            if child.kind_id == LABEL:
                out.append(ir.Block((loop,), self.at(node), self.text(child).rstrip("@ ")))
                return
        out.append(loop)

    def for_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        target: ir.Expr = ir.Opaque("missing", self.at(node))
        of: ir.TypeRef | None = None
        source: Node | None = None
        body: Node | None = None
        inside, closed = False, False
        for child in self.children(node):
            number = child.kind_id
            if number == MULTI_VARIABLE:
                target = self.pattern(child)
            elif number == VARIABLE:
                bound = self.variable(child, depth)
                target, of = self.bound(child), bound.type
            elif number == IN:
                inside = True
            elif number == CLOSING and inside:
                closed = True
            elif child.is_named and closed:
                body = child
            elif child.is_named and inside:
                source = child
        values = self.needed(source, node, depth + 1)
        self.looped(node, ir.ForEach(target, of, values, self.body(body, depth + 1), self.at(node)), out)

    def while_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        condition = node.child_by_field_id(CONDITION)
        test = self.needed(condition, node, depth + 1)
        parts = [part for part in self.named(node) if part != condition and part.kind_id != LABEL]
        body = self.body(_last(parts), depth + 1)
        self.looped(node, ir.While(test, body, self.at(node), after=node.kind_id == DO), out)

    def labelled_(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        jump = self.jump(node, depth)
        parts = self.named(node)
        if jump is not None:
            out.append(jump)
        elif len(parts) > 1 and parts[0].kind_id == LABEL and parts[-1].kind_id != LAMBDA:
            body: list[ir.Stmt] = []
            self.statement(parts[-1], body, depth + 1)
            out.append(ir.Block(tuple(body), self.at(node), self.text(parts[0]).rstrip("@ ")))
        else:
            out.append(ir.Do(self.expr(node, depth), self.at(node)))

    def nested(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        out.append(ir.Block(self.block(node, depth), self.at(node)))

    # -- declarations in a body -------------------------------------------------------------------------------------

    def define(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        declared = self.declaration(node, depth)
        if declared is not None:
            out.append(ir.Define(declared, self.at(node)))

    def local(self, node: Node, out: list[ir.Stmt], depth: int) -> None:
        """`val x = …`; `val (a, b) = …` declares its names, then assigns to them; `by d` is the value that d gives."""
        at = self.at(node)
        bound: Node | None = None
        value: ir.Expr | None = None
        assigned = delegated = False
        for child in self.children(node):
            number = child.kind_id
            if number in (VARIABLE, MULTI_VARIABLE):
                bound = child
            elif number == ASSIGN:
                assigned = True
            elif number == DELEGATE:
                parts = self.named(child)
                inner = self.needed(_last(parts), child, depth + 1)
                where = self.at(child)
                value = ir.Call(inner, "getValue", (), where, where)
                delegated = True
            elif assigned and child.is_named:
                value = self.assigned(child, node, depth)
                assigned = False
        if bound is None:
            out.append(ir.Do(ir.Opaque("property_declaration", at), at))
        elif bound.kind_id == VARIABLE:
            declared = self.variable(bound, depth)
            if (
                delegated and isinstance(value, ir.Call) and value.target is not None
            ):  # asked anew for each read
                name = ir.Argument(ir.Const(declared.name, value.at))
                described = ir.Call(None, "<property>", (name,), value.at, value.name_at)
                told = (ir.Argument(value.target), ir.Argument(described))
                value = ir.Call(None, "<delegated>", told, value.at, value.name_at)
            out.append(ir.Let(declared.name, declared.type, value, at))
        else:
            target = self.pattern(bound)
            out += [
                ir.Let(each.name, None, None, each.at) for each in target.items if isinstance(each, ir.Name)
            ]
            out.append(
                ir.Do(ir.Assign(target, self.needed(None, node, depth) if value is None else value, at), at)
            )


def _last(nodes: list[Node]) -> Node | None:
    return nodes[-1] if nodes else None


_STATEMENTS: dict[int, Callable[[Statements, Node, list[ir.Stmt], int], None]] = {
    number: handler
    for names, handler in (
        ("if_expression", Statements.if_),
        ("when_expression", Statements.when),
        ("try_expression", Statements.try_),
        ("for_statement", Statements.for_),
        ("while_statement do_while_statement", Statements.while_),
        ("labeled_expression", Statements.labelled_),
        ("block", Statements.nested),
        ("property_declaration", Statements.local),
        ("class_declaration object_declaration function_declaration type_alias", Statements.define),
    )
    for number in GRAMMAR.kinds(names)
}

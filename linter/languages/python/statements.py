"""Python statements -> `ir`."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence

from tree_sitter import Node

from subdrift.linter.languages.python import literals
from subdrift.linter.languages.python.expressions import BODY, TYPE
from subdrift.linter.languages.python.loops import InSwitch, Loop
from subdrift.linter.languages.python.patterns import AS_PATTERN, Group, Patterns
from subdrift.linter.languages.python.syntax import (
    COMMENTS,
    DOTTED,
    IDENTIFIER,
    LEFT,
    NAME,
    OPERATOR,
    PARENTHESES,
    RIGHT,
    STRING,
    TUPLES,
    TYPE_PARAMETERS,
    VALUE,
    bare,
    field,
    first,
    kind,
    kinds,
    last,
    token,
)
from subdrift.linter.languages.text import Places
from subdrift.linter.model import ir

BROKEN = "syntax error"
"""What the `Opaque` stands for that takes the place of unreadable statements."""

_ELIF_MAX = 20
"""Longer `elif` chains become one `Switch` without subject: nested, they would be as deep as they are long."""

_LOST_MAX = 2_000
"""Characters of what cannot be read that are searched for what it assigns."""

_TARGETS = re.compile(
    r"^\s*([\w*,\s]+?)\s*(?::[^=\n]*)?(?:[-+*/%&|^@]|//|\*\*|<<|>>)?=(?!=)|\bfor\s+([^\n]+?)\s+in\b|\bas\s+(\w+)"
    r"|\b(?:def|class)\s+(\w+)",
    re.M,
)
_NAME = re.compile(r"[^\W\d]\w*")

_INDENT_MAX = 400
"""Bytes before a statement in which its line begins, where nothing else stands in that."""

ASSIGNMENT = kind("assignment")
BLOCKS = kinds("block")
CLASS = kind("class_definition")
DECORATED = kind("decorated_definition")
EXPRESSION_STATEMENT = kind("expression_statement")
FUNCTION_DEFINITION = kind("function_definition")
IMPORTS = kinds("import_statement import_from_statement future_import_statement")

_ALIASED = kind("aliased_import")
_AUGMENTED = kind("augmented_assignment")
_CLAUSES = kinds("elif_clause else_clause except_clause finally_clause case_clause")
_COMPOUND = (
    BLOCKS
    | _CLAUSES
    | kinds(
        "if_statement for_statement while_statement try_statement with_statement match_statement function_definition"
        " class_definition decorated_definition"
    )
)
_ELIF = kind("elif_clause")
_EXCEPT = kind("except_clause")
_FINALLY = kind("finally_clause")
_CASE = kind("case_clause")
_CASE_PATTERN = kind("case_pattern")
_CONSTANTS = kinds("integer float true false none ellipsis")
_TEXTS = kinds("string concatenated_string")
_RELATIVE = kind("relative_import")
_IMPORT_PREFIX = kind("import_prefix")
_SEMICOLON = token(";")
_WILDCARD = kind("wildcard_import")
_WITH_ITEM = kind("with_item")

ALIAS = field("alias")
ALTERNATIVE = field("alternative")
CAUSE = field("cause")
CONDITION = field("condition")
CONSEQUENCE = field("consequence")
GUARD = field("guard")
MODULE_NAME = field("module_name")
SUBJECT = field("subject")


class Statements(Patterns):
    """Lowers the statements of one file."""

    def __init__(self, data: bytes, places: Places, cut: Mapping[int, ir.At]) -> None:
        """`cut`: where in `data` a statement stands for others that cannot be read, and their place."""
        super().__init__(data, places)
        self.imports: list[ir.Import] = []
        self.broken: list[ir.At] = list(cut.values())
        self.class_body = False
        self.loops: list[Loop] = []
        self._cut = cut
        self._tried = False  # inside a `try` that handles a failing import

    @abstractmethod
    def function(self, node: Node) -> ir.MethodDecl:
        """A function, or a method where a class body is being lowered."""

    @abstractmethod
    def class_(self, node: Node) -> ir.ClassDecl:
        """A class."""

    # -- blocks

    def block(self, node: Node | None) -> tuple[ir.Stmt, ...]:
        return () if node is None else self.statements(node.named_children)

    def statements(self, nodes: Sequence[Node]) -> tuple[ir.Stmt, ...]:
        lowered: list[ir.Stmt] = []
        indent: int | None = None
        for node in nodes:
            if node.kind_id in COMMENTS:
                continue
            start = node.start_point
            indent = start.column if indent is None else indent
            if start.column > indent and self._begins_line(node):  # deeper than it may be
                lowered.append(self._unread(node))
                continue
            if node.kind_id in IMPORTS and not node.has_error:
                lowered += self._import(node)
                continue
            statement = self.statement(node)
            if statement is not None:
                lowered.append(statement)
        return tuple(lowered)

    def _begins_line(self, node: Node) -> bool:
        before = self.data[max(node.start_byte - _INDENT_MAX, 0) : node.start_byte]
        return not before.rpartition(b"\n")[2].strip(b" \t")

    def statement(self, node: Node) -> ir.Stmt | None:
        """None: it does nothing (`pass`, a text alone)."""
        lower = _STATEMENTS.get(node.kind_id)
        if lower is None or self.too_deep():
            return ir.Do(self.opaque(node, "nesting" if lower else node.type), self.place(node))
        if self._cut and node.start_byte in self._cut:
            at = self._cut[node.start_byte]
            return self._lost(ir.Opaque(BROKEN, at), at)
        if self.is_unreadable(node):
            return self._unread(node)
        self.depth += 1
        self.nested += 1
        lowered = lower(self, node)
        self.nested -= 1
        self.depth -= 1
        return lowered

    def is_unreadable(self, node: Node) -> bool:
        """Whether what is broken in a statement is more than a statement inside it."""
        return node.has_error and _unreadable(node)

    def _unread(self, node: Node) -> ir.Stmt:
        """What is not Python 3."""
        at = self.place(node)
        self.broken.append(at)
        return self._lost(self.opaque(node, BROKEN), at)

    def _lost(self, opaque: ir.Expr, at: ir.At) -> ir.Stmt:
        """What nobody can read: what it assigns is not known."""
        lines = self.data.split(b"\n")[at[0] - 1 : at[2]]
        written = b"\n".join(lines).decode("utf-8", "replace")[:_LOST_MAX]
        found = {
            name
            for each in _TARGETS.finditer(written)
            for name in _NAME.findall(next(filter(None, each.groups())))
        }
        lost = [ir.Do(ir.Assign(ir.Name(name, at), opaque, at), at) for name in sorted(found)]
        return ir.Block((ir.Do(opaque, at), *lost), at) if lost else ir.Do(opaque, at)

    def place(self, node: Node) -> ir.At:
        """Where a statement stands: the grammar counts the comments behind a block to it."""
        return self.between(node.start_byte, self.end(node))

    def end(self, node: Node) -> int:
        of = node.id
        while node.kind_id in _COMPOUND:
            inner = last(node)
            if inner is None:
                break
            node = inner
        else:
            following = node.next_sibling
            if following is not None and following.kind_id == _SEMICOLON and node.id != of:
                return following.end_byte
        return node.end_byte

    def _pass(self, node: Node) -> ir.Stmt | None:
        return None

    # -- simple statements

    def _expression(self, node: Node) -> ir.Stmt | None:
        parts = self.named(node)
        if len(parts) > 1 or (parts and parts[0].end_byte < node.end_byte):  # `a, b` or `a,`
            at = self.at(node)
            return ir.Do(ir.Sequence("tuple", self.items(parts), at), at)
        if not parts:
            return None
        inner = parts[0]
        if inner.kind_id == ASSIGNMENT:
            return self._assign(inner)
        if inner.kind_id == _AUGMENTED:
            return self._augmented(inner)
        inner = bare(inner)
        if inner.kind_id in _CONSTANTS or (inner.kind_id in _TEXTS and not self._formatted(inner)):
            return None
        return ir.Do(self.expression(inner), self.at(node))

    def _formatted(self, node: Node) -> bool:
        """Whether a literal is a f-string, with fields or without."""
        parts = [node] if node.kind_id == STRING else self.named(node)
        return any(set("ft") & set(literals.opening(self.text(part))[0]) for part in parts)

    def _assign(self, node: Node) -> ir.Stmt | None:
        annotation = node.child_by_field_id(TYPE)
        if annotation is not None:
            return self._annotated(node, annotation)
        at = self.at(node)
        targets: list[Node] = []
        right: Node | None = node
        while right is not None and right.kind_id == ASSIGNMENT:
            target = right.child_by_field_id(LEFT)
            if target is not None:
                targets.append(target)
            right = right.child_by_field_id(RIGHT)
        if right is None:
            return self._unread(node)
        value = self.expression(right)
        for target in targets:
            value = ir.Assign(self.expression(target), value, at)
        return ir.Do(value, at)

    def _alias(self, node: Node) -> ir.Stmt:
        """`type X = int`: an assignment."""
        at = self.at(node)
        name, value = node.child_by_field_id(LEFT), node.child_by_field_id(RIGHT)
        if name is None or value is None:
            return self._unread(node)
        name = bare(name)
        if name.kind_id != IDENTIFIER:
            name = first(name) or name
        return ir.Do(ir.Assign(self.expression(name), self.expression(value), at), at)

    def _annotated(self, node: Node, annotation: Node) -> ir.Stmt | None:
        type_ = self.type(annotation)
        at = self.at(node)
        left, right = node.child_by_field_id(LEFT), node.child_by_field_id(RIGHT)
        if left is None:
            return self._unread(node)
        if right is not None:
            target, value = self.expression(left), self.expression(right)
            return ir.Do(ir.Assign(target, value, at, type=type_), at)
        left = bare(left)
        if left.kind_id == IDENTIFIER:
            return ir.Let(self.name(left), type_, None, at)
        return None

    def _augmented(self, node: Node) -> ir.Stmt:
        target, value = self.field_of(node, LEFT), self.field_of(node, RIGHT)
        operator = node.child_by_field_id(OPERATOR)
        at = self.at(node)
        written = "" if operator is None else self.text(operator).removesuffix("=")
        return ir.Do(ir.Assign(target, value, at, written), at)

    def _return(self, node: Node) -> ir.Stmt:
        return ir.Return(self.optional(first(node)), self.at(node))

    def _raise(self, node: Node) -> ir.Stmt:
        cause = node.child_by_field_id(CAUSE)
        value = first(node)
        if value is not None and cause is not None and value.id == cause.id:
            value = None
        return ir.Throw(self.optional(value), self.at(node), self.optional(cause))

    def _assert(self, node: Node) -> ir.Stmt:
        at = self.at(node)
        parts = self.expressions(self.named(node))
        arguments = tuple([ir.Argument(part) for part in parts[1:2]])
        error = ir.Call(None, "AssertionError", arguments, at, at)
        return ir.If(ir.Unary("!", parts[0], parts[0].at), (ir.Throw(error, at),), (), at)

    def _delete(self, node: Node) -> ir.Stmt:
        targets = self.named(node)
        if len(targets) == 1 and targets[0].type == "expression_list":
            targets = self.named(targets[0])
        return ir.Delete(self.expressions(targets), self.at(node))

    def _global(self, node: Node) -> ir.Stmt:
        return ir.Scope("global", tuple([self.name(name) for name in self.named(node)]), self.at(node))

    def _nonlocal(self, node: Node) -> ir.Stmt:
        return ir.Scope("nonlocal", tuple([self.name(name) for name in self.named(node)]), self.at(node))

    def _import(self, node: Node) -> list[ir.Stmt]:
        module = node.child_by_field_id(MODULE_NAME)
        level = 0
        path: str | None = None
        if module is not None:
            prefix = first(module) if module.kind_id == _RELATIVE else None
            if prefix is not None and prefix.kind_id == _IMPORT_PREFIX:
                level = self.text(prefix).count(".")
            names = (
                [each for each in self.named(module) if each.kind_id == DOTTED]
                if prefix is not None
                else [module]
            )
            path = self.dotted(names[0]) if names else ""
        elif node.type == "future_import_statement":
            path = "__future__"
        defined: list[ir.Stmt] = []
        wildcards = [each for each in node.named_children if each.kind_id == _WILDCARD]
        for item in [*node.children_by_field_id(NAME), *wildcards]:
            at = self.at(item)
            renamed = item.kind_id == _ALIASED
            alias = item.child_by_field_id(ALIAS) if renamed else None
            written = item.child_by_field_id(NAME) if renamed else item
            name = "*" if item.kind_id == _WILDCARD else self.dotted(written)
            other = "" if alias is None else self.name(alias)
            if path is None:
                made = ir.Import(name, other, at, tried=self._tried)
            else:
                star = name == "*"
                bound = "" if star else other or name
                made = ir.Import(path, bound, at, name, level, wildcard=star, tried=self._tried)
            self.names.update(part for part in (*made.path.split("."), made.member) if part not in ("", "*"))
            self.imports.append(made)
            defined.append(ir.Define(made, at))
        return defined

    # -- flow

    def _if(self, node: Node) -> ir.Stmt:
        arms = [node]
        rest: Node | None = None
        for each in node.children_by_field_id(ALTERNATIVE):
            if each.kind_id == _ELIF:
                arms.append(each)
            else:
                rest = each.child_by_field_id(BODY)
        end = self.end(node)
        if len(arms) > _ELIF_MAX:
            return self._chain_of_conditions(arms, rest, end)
        depth = self.depth
        lowered: list[tuple[ir.Expr, tuple[ir.Stmt, ...], ir.At]] = []
        for arm in arms:
            at = self.between(arm.start_byte, end)
            lowered.append(
                (self.field_of(arm, CONDITION), self.block(arm.child_by_field_id(CONSEQUENCE)), at)
            )
            self.depth += 1
        otherwise = self.block(rest)
        self.depth = depth
        for test, then, at in reversed(lowered):
            statement = ir.If(test, then, otherwise, at)
            otherwise = (statement,)
        return statement

    def _chain_of_conditions(self, arms: list[Node], rest: Node | None, end: int) -> ir.Stmt:
        with InSwitch(self):
            cases = [
                ir.Case(
                    (self.field_of(arm, CONDITION),),
                    self.block(arm.child_by_field_id(CONSEQUENCE)),
                    self.between(arm.start_byte, end),
                )
                for arm in arms
            ]
            if rest is not None:
                start = first(rest)
                at = self.between(rest.start_byte if start is None else start.start_byte, self.end(rest))
                cases.append(ir.Case((), self.block(rest), at))
        return ir.Switch(None, tuple(cases), self.between(arms[0].start_byte, end))

    def _loop(self, node: Node) -> tuple[tuple[ir.Stmt, ...], tuple[ir.Stmt, ...], Loop]:
        """The body of a loop, what stands behind its `else`, and the loop."""
        loop = Loop()
        self.loops.append(loop)
        body = self.block(node.child_by_field_id(BODY))
        self.loops.pop()
        return body, self._else(node), loop

    def _else(self, node: Node) -> tuple[ir.Stmt, ...]:
        clause = node.child_by_field_id(ALTERNATIVE)
        return () if clause is None else self.block(clause.child_by_field_id(BODY))

    def _for(self, node: Node) -> ir.Stmt:
        target = self.field_of(node, LEFT)
        source = self.several(node.children_by_field_id(RIGHT), node)
        at = self.place(node)
        body, otherwise, loop = self._loop(node)
        return loop.around(ir.ForEach(target, None, source, body, at, otherwise), at)

    def _while(self, node: Node) -> ir.Stmt:
        test = self.field_of(node, CONDITION)
        at = self.place(node)
        body, otherwise, loop = self._loop(node)
        return loop.around(ir.While(test, body, at, otherwise=otherwise), at)

    def _break(self, node: Node) -> ir.Stmt:
        at = self.at(node)
        if not self.loops or not self.loops[-1].switches:
            return ir.Break(at)
        loop = self.loops[-1]
        loop.label = loop.label or f"${at[0]}:{at[1]}"
        return ir.Break(at, loop.label)

    def _continue(self, node: Node) -> ir.Stmt:
        return ir.Continue(self.at(node))

    def _try(self, node: Node) -> ir.Stmt:
        clauses = self.named(node)
        handlers = [each for each in clauses if each.kind_id == _EXCEPT]
        tried = self._tried
        self._tried = tried or any(self._handles_import(handler) for handler in handlers)
        body = self.block(node.child_by_field_id(BODY))
        self._tried = tried
        catches = tuple([self._catch(handler) for handler in handlers])
        otherwise = final = ()  # type: tuple[ir.Stmt, ...]
        for each in clauses:
            if each.kind_id == _FINALLY:
                final = self.block(self.named(each)[-1])
            elif each.kind_id != _EXCEPT and each.kind_id in _CLAUSES:
                otherwise = self.block(each.child_by_field_id(BODY))
        return ir.Try(body, catches, otherwise, final, self.place(node))

    def _caught(self, node: Node) -> tuple[list[Node], Node | None, Node | None]:
        """The types of a handler, the expression that gives them, and the name it binds."""
        written = node.children_by_field_id(VALUE)
        name: Node | None = None
        if len(written) == 1 and written[0].kind_id in AS_PATTERN:
            target = written[0].child_by_field_id(ALIAS)
            name = None if target is None else first(target)
            inner = first(written[0])
            written = [] if inner is None else [inner]
        elif written and (target := node.child_by_field_id(ALIAS)) is not None:
            name = target if target.kind_id == IDENTIFIER else first(target)
        if len(written) != 1:
            return [bare(each) for each in written], written[0] if written else None, name
        only = bare(written[0])
        return ([bare(each) for each in self.named(only)] if only.kind_id in TUPLES else [only]), only, name

    def _handles_import(self, node: Node) -> bool:
        """Whether a handler takes the error of an import that fails."""
        types, written, _ = self._caught(node)
        if written is None:
            return True
        return any(self.dotted(each) in ("ImportError", "ModuleNotFoundError", "Exception") for each in types)

    def _catch(self, node: Node) -> ir.Catch:
        written, whole, name = self._caught(node)
        types = [found for item in written if self.dotted(item) and (found := self.type(item))]
        computed = self.expression(whole) if whole is not None and len(types) < len(written) else None
        bound = "" if name is None else self.name(name)
        body = self.block(last(node))
        group = any(child.type in ("*", "except*") for child in node.children)
        return ir.Catch(tuple(types), bound, body, self.place(node), computed, group)

    def _with(self, node: Node) -> ir.Stmt:
        resources: list[ir.Resource] = []
        clause = first(node)
        for item in [] if clause is None else self.named(clause):
            value = item.child_by_field_id(VALUE) if item.kind_id == _WITH_ITEM else item
            if value is None:
                continue
            if value.kind_id == PARENTHESES and (inner := bare(value)).kind_id in AS_PATTERN:
                value = inner  # `with (a as b):`
            target: Node | None = None
            if value.kind_id in AS_PATTERN:
                alias = value.child_by_field_id(ALIAS)
                target = None if alias is None else first(alias)
                value = first(value) or value
            resources.append(ir.Resource(self.expression(value), self.optional(target)))
        return ir.With(tuple(resources), self.block(node.child_by_field_id(BODY)), self.place(node))

    # -- match

    def _match(self, node: Node) -> ir.Stmt:
        subjects = node.children_by_field_id(SUBJECT)
        body = node.child_by_field_id(BODY)
        subject = self.several(subjects, node)
        with InSwitch(self):
            cases = (
                []
                if body is None
                else [self._case(case) for case in self.named(body) if case.kind_id == _CASE]
            )
        return ir.Switch(subject, tuple(cases), self.place(node))

    def _case(self, node: Node) -> ir.Case:
        patterns: list[Group] = [[each] for each in node.named_children if each.kind_id == _CASE_PATTERN]
        clause = node.child_by_field_id(GUARD)
        condition = None if clause is None else first(clause)
        guard = self.optional(condition)
        labels: tuple[ir.Expr | ir.Pattern, ...]
        body = node.child_by_field_id(CONSEQUENCE)
        start = self.start(patterns[0]) if patterns else node.start_byte
        open_ended = bool(patterns) and self._comma_behind(patterns[-1][0])
        if len(patterns) > 1 or open_ended:
            at = self.between(patterns[0][0].start_byte, patterns[-1][0].end_byte + open_ended)
            start = patterns[0][0].start_byte
            labels = (self.sequence(patterns, at),)
        elif not patterns or (guard is None and self.wildcard(patterns[0])):
            labels = ()
        elif alternatives := self.alternatives(patterns[0]):
            labels = tuple([self.label(each) for each in alternatives])
        else:
            labels = (self.label(patterns[0]),)
        end = node.end_byte if body is None else self.end(body)
        return ir.Case(labels, self.block(body), self.between(start, end), guard)

    def _comma_behind(self, node: Node) -> bool:
        following = node.next_sibling
        return following is not None and following.type == ","


def _unreadable(node: Node) -> bool:
    """Whether what is broken in a statement is more than a statement inside it."""
    if node.kind_id not in _COMPOUND:
        return True
    for child in node.children:
        if child.kind_id in _COMPOUND:
            if child.kind_id not in BLOCKS and child.has_error and _unreadable(child):
                return True
        elif child.has_error and child.kind_id != TYPE_PARAMETERS:
            return True
    return False


def _definition(self: Statements, node: Node) -> ir.Stmt:
    inner = node
    if node.kind_id == DECORATED:
        inner = last(node) or node
    what = self.class_(node) if inner.kind_id == CLASS else self.function(node)
    return ir.Define(what, self.place(inner))


_S = Statements
_BY_NAME: dict[str, Callable[[Statements, Node], ir.Stmt | None]] = {
    "expression_statement": _S._expression,
    "return_statement": _S._return,
    "raise_statement": _S._raise,
    "assert_statement": _S._assert,
    "delete_statement": _S._delete,
    "global_statement": _S._global,
    "nonlocal_statement": _S._nonlocal,
    "type_alias_statement": _S._alias,
    "pass_statement": _S._pass,
    "print_statement exec_statement": _S._unread,
    "if_statement": _S._if,
    "for_statement": _S._for,
    "while_statement": _S._while,
    "break_statement": _S._break,
    "continue_statement": _S._continue,
    "try_statement": _S._try,
    "with_statement": _S._with,
    "match_statement": _S._match,
    "function_definition class_definition decorated_definition": _definition,
}
_STATEMENTS = {number: lower for names, lower in _BY_NAME.items() for number in kinds(names)}

"""Python statements, functions and classes -> `ir`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from subdrift.linter.languages.python.expressions import BINARY, Expressions
from subdrift.linter.languages.python.text import Text
from subdrift.linter.languages.python.types import dotted
from subdrift.linter.model import ir

MODULE = "~"
"""The name of a file as a type."""

BODY = "<module>"
"""The name of the method that holds its statements."""

BROKEN = "syntax error"
"""What the `Opaque` stands for that takes the place of unreadable statements."""

_ELIF_MAX = 20
"""Longer `elif` chains become one `Switch` without subject: nested, they would be as deep as they are long."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Statements(Expressions):
    """Lowers the statements of one file. `broken` are the places where a `pass` stands for what cannot be read."""

    def __init__(self, text: Text, broken: dict[tuple[int, int], ir.At]) -> None:
        super().__init__(text)
        self.imports: list[ir.Import] = []
        self._broken = broken
        self._loops: list[_Loop] = []
        self._class_body = False
        self._tried = False  # inside a `try` that handles a failing import
        self._statements: dict[type[ast.stmt], Callable[[Any], ir.Stmt | None]] = {
            ast.Expr: self._do,
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.Return: self._return,
            ast.Raise: self._raise,
            ast.Assert: self._assert,
            ast.If: self._if,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.While: self._while,
            ast.Match: self._match,
            ast.Break: self._break,
            ast.Continue: lambda node: ir.Continue(self.at(node)),
            ast.Try: self._try,
            ast.TryStar: self._try,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.FunctionDef: lambda node: ir.Define(self.function(node), self.at(node)),
            ast.AsyncFunctionDef: lambda node: ir.Define(self.function(node), self.at(node)),
            ast.ClassDef: lambda node: ir.Define(self.class_(node), self.at(node)),
            ast.Delete: lambda node: ir.Delete(self.expressions(node.targets), self.at(node)),
            ast.Global: lambda node: ir.Scope("global", tuple(node.names), self.at(node)),
            ast.Nonlocal: lambda node: ir.Scope("nonlocal", tuple(node.names), self.at(node)),
            ast.Pass: self._pass,
        }
        if alias := getattr(ast, "TypeAlias", None):  # Python 3.12 and newer parse it themselves
            self._statements[alias] = self._alias

    def module(self, tree: ast.Module) -> ir.ClassDecl:
        """The file as a type of kind `module`."""
        body = self.block(tree.body)
        at = self.text.end()
        name_at = (1, 1, 1, 1)
        method = ir.MethodDecl(BODY, (), None, body, at, name_at, static=True)
        return ir.ClassDecl(MODULE, "module", at, name_at, methods=(method,), static=True)

    # -- blocks

    def block(self, nodes: Sequence[ast.stmt]) -> tuple[ir.Stmt, ...]:
        lowered: list[ir.Stmt] = []
        for node in nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                lowered += self._import(node)
                continue
            statement = self.statement(node)
            if statement is not None:
                lowered.append(statement)
        return tuple(lowered)

    def statement(self, node: ast.stmt) -> ir.Stmt | None:
        """None: it does nothing (`pass`, a text alone)."""
        lower = self._statements.get(type(node))
        if lower is None or self.too_deep():
            return ir.Do(self.opaque(node, "nesting" if lower else type(node).__name__), self.at(node))
        self.depth += 1
        self.nested += 1
        lowered = lower(node)
        self.nested -= 1
        self.depth -= 1
        return lowered

    def _pass(self, node: ast.Pass) -> ir.Stmt | None:
        at = self._broken.get((node.lineno, node.col_offset))
        return None if at is None else ir.Do(ir.Opaque(BROKEN, at), at)

    # -- simple statements

    def _do(self, node: ast.Expr) -> ir.Stmt | None:
        if isinstance(node.value, ast.Constant):
            return None
        return ir.Do(self.expression(node.value), self.at(node))

    def _assign(self, node: ast.Assign) -> ir.Stmt:
        at = self.at(node)
        value = self.expression(node.value)
        for target in node.targets:
            value = ir.Assign(self.expression(target), value, at)
        return ir.Do(value, at)

    def _alias(self, node: Any) -> ir.Stmt:
        """`type X = int`: an assignment."""
        at = self.at(node)
        return ir.Do(ir.Assign(self.expression(node.name), self.expression(node.value), at), at)

    def _annotated(self, node: ast.AnnAssign) -> ir.Stmt | None:
        type_ = self.type(node.annotation)
        at = self.at(node)
        if node.value is not None:
            target, value = self.expression(node.target), self.expression(node.value)
            return ir.Do(ir.Assign(target, value, at, type=type_), at)
        if isinstance(node.target, ast.Name):
            return ir.Let(node.target.id, type_, None, at)
        return None

    def _augmented(self, node: ast.AugAssign) -> ir.Stmt:
        target, value = self.expression(node.target), self.expression(node.value)
        at = self.at(node)
        return ir.Do(ir.Assign(target, value, at, BINARY[type(node.op)]), at)

    def _return(self, node: ast.Return) -> ir.Stmt:
        return ir.Return(self.optional(node.value), self.at(node))

    def _raise(self, node: ast.Raise) -> ir.Stmt:
        return ir.Throw(self.optional(node.exc), self.at(node), self.optional(node.cause))

    def _assert(self, node: ast.Assert) -> ir.Stmt:
        at = self.at(node)
        test = self.expression(node.test)
        arguments = () if node.msg is None else (ir.Argument(self.expression(node.msg)),)
        error = ir.Call(None, "AssertionError", arguments, at, at)
        return ir.If(ir.Unary("!", test, test.at), (ir.Throw(error, at),), (), at)

    def _import(self, node: ast.Import | ast.ImportFrom) -> list[ir.Stmt]:
        defined: list[ir.Stmt] = []
        for alias in node.names:
            at = self.text.at(alias)
            if isinstance(node, ast.Import):
                made = ir.Import(alias.name, alias.asname or "", at, tried=self._tried)
            else:
                star = alias.name == "*"
                name = "" if star else alias.asname or alias.name
                made = ir.Import(
                    node.module or "", name, at, alias.name, node.level, wildcard=star, tried=self._tried
                )
            self.names.update(part for part in (*made.path.split("."), made.member) if part not in ("", "*"))
            self.imports.append(made)
            defined.append(ir.Define(made, at))
        return defined

    # -- flow

    def _if(self, node: ast.If) -> ir.Stmt:
        arms = [node]
        while len(arms[-1].orelse) == 1 and isinstance(following := arms[-1].orelse[0], ast.If):
            arms.append(following)
        if len(arms) > _ELIF_MAX:
            return self._chain_of_conditions(arms)
        depth = self.depth
        lowered: list[tuple[ir.Expr, tuple[ir.Stmt, ...], ir.At]] = []
        for arm in arms:
            lowered.append((self.expression(arm.test), self.block(arm.body), self.at(arm)))
            self.depth += 1
        otherwise = self.block(arms[-1].orelse)
        self.depth = depth
        for test, then, at in reversed(lowered):
            statement = ir.If(test, then, otherwise, at)
            otherwise = (statement,)
        return statement

    def _chain_of_conditions(self, arms: list[ast.If]) -> ir.Stmt:
        with _InSwitch(self):
            cases = [
                ir.Case((self.expression(arm.test),), self.block(arm.body), self.at(arm)) for arm in arms
            ]
            if last := arms[-1].orelse:
                at = (*self.at(last[0])[:2], *self.at(last[-1])[2:])
                cases.append(ir.Case((), self.block(last), at))
        return ir.Switch(None, tuple(cases), self.at(arms[0]))

    def _loop(self, body: Sequence[ast.stmt]) -> tuple[tuple[ir.Stmt, ...], _Loop]:
        loop = _Loop()
        self._loops.append(loop)
        lowered = self.block(body)
        self._loops.pop()
        return lowered, loop

    def _for(self, node: ast.For | ast.AsyncFor) -> ir.Stmt:
        target, source = self.expression(node.target), self.expression(node.iter)
        at = self.at(node)
        body, loop = self._loop(node.body)
        return loop.around(ir.ForEach(target, None, source, body, at, self.block(node.orelse)), at)

    def _while(self, node: ast.While) -> ir.Stmt:
        test = self.expression(node.test)
        at = self.at(node)
        body, loop = self._loop(node.body)
        return loop.around(ir.While(test, body, at, otherwise=self.block(node.orelse)), at)

    def _break(self, node: ast.Break) -> ir.Stmt:
        at = self.at(node)
        if not self._loops or not self._loops[-1].switches:
            return ir.Break(at)
        loop = self._loops[-1]
        loop.label = loop.label or f"${at[0]}:{at[1]}"
        return ir.Break(at, loop.label)

    def _try(self, node: ast.Try | ast.TryStar) -> ir.Stmt:
        tried = self._tried
        self._tried = tried or any(_handles_import(handler) for handler in node.handlers)
        body = self.block(node.body)
        self._tried = tried
        catches = tuple([self._catch(handler) for handler in node.handlers])
        return ir.Try(body, catches, self.block(node.orelse), self.block(node.finalbody), self.at(node))

    def _catch(self, node: ast.ExceptHandler) -> ir.Catch:
        types: list[ir.TypeRef] = []
        computed: ir.Expr | None = None
        if node.type is not None:
            written = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            types = [found for item in written if dotted(item) and (found := self.type(item))]
            if len(types) < len(written):
                computed = self.expression(node.type)
        return ir.Catch(tuple(types), node.name or "", self.block(node.body), self.text.at(node), computed)

    def _with(self, node: ast.With | ast.AsyncWith) -> ir.Stmt:
        resources = [
            ir.Resource(self.expression(item.context_expr), self.optional(item.optional_vars))
            for item in node.items
        ]
        return ir.With(tuple(resources), self.block(node.body), self.at(node))

    # -- match

    def _match(self, node: ast.Match) -> ir.Stmt:
        subject = self.expression(node.subject)
        with _InSwitch(self):
            cases = tuple([self._case(case) for case in node.cases])
        return ir.Switch(subject, cases, self.at(node))

    def _case(self, node: ast.match_case) -> ir.Case:
        pattern = node.pattern
        labels: tuple[ir.Expr | ir.Pattern, ...]
        guard = self.optional(node.guard)
        if (
            isinstance(pattern, ast.MatchAs)
            and pattern.pattern is None
            and not pattern.name
            and guard is None
        ):
            labels = ()
        elif isinstance(pattern, ast.MatchOr):
            labels = tuple([self._label(inner) for inner in pattern.patterns])
        else:
            labels = (self._label(pattern),)
        line, column, _, _ = self.text.at(pattern)
        body = self.block(node.body)
        _, _, end_line, end_column = self.at(node.body[-1])
        return ir.Case(labels, body, (line, column, end_line, end_column), guard)

    def _label(self, node: ast.pattern) -> ir.Expr | ir.Pattern:
        if isinstance(node, ast.MatchValue):
            return self.expression(node.value)
        if isinstance(node, ast.MatchSingleton):
            return ir.Const(node.value, self.text.at(node))
        return self._pattern(node)

    def _pattern(self, node: ast.pattern) -> ir.Pattern:
        at = self.text.at(node)
        if self.too_deep():
            return ir.Pattern("value", "", (), (ir.Opaque("nesting", at),), at)
        self.depth += 1
        self.nested += 1
        lowered = self._pattern_of(node, at)
        self.nested -= 1
        self.depth -= 1
        return lowered

    def _pattern_of(self, node: ast.pattern, at: ir.At) -> ir.Pattern:
        if isinstance(node, ast.MatchAs):
            if node.pattern is None:
                return ir.Pattern("capture", node.name or "_", (), (), at)
            return ir.Pattern("as", node.name or "_", (), (self._pattern(node.pattern),), at)
        if isinstance(node, ast.MatchOr):
            return ir.Pattern("or", "", (), tuple([self._pattern(part) for part in node.patterns]), at)
        if isinstance(node, ast.MatchSequence):
            return ir.Pattern("sequence", "", (), tuple([self._pattern(part) for part in node.patterns]), at)
        if isinstance(node, ast.MatchStar):
            return ir.Pattern("star", node.name or "_", (), (), at)
        if isinstance(node, ast.MatchClass):
            self.names.update(dotted(node.cls).split("."))
            keys = ("",) * len(node.patterns) + tuple(node.kwd_attrs)
            parts = [self._pattern(part) for part in (*node.patterns, *node.kwd_patterns)]
            return ir.Pattern("class", dotted(node.cls), keys, tuple(parts), at)
        if isinstance(node, ast.MatchMapping):
            return self._mapping(node, at)
        label = self._label(node)
        return ir.Pattern("value", "", (), (label,), at)

    def _mapping(self, node: ast.MatchMapping, at: ir.At) -> ir.Pattern:
        """`keys` are texts where they are; another key makes the pattern opaque. The rest is a star at the end."""
        parts: list[ir.Expr | ir.Pattern] = []
        keys: list[str] = []
        for key, value in zip(node.keys, node.patterns, strict=True):
            lowered = self.expression(key)
            if not (isinstance(lowered, ir.Const) and isinstance(lowered.value, str)):
                return ir.Pattern("value", "", (), (ir.Opaque("mapping pattern", at, (lowered,)),), at)
            keys.append(lowered.value)
            parts.append(self._pattern(value))
        if node.rest is not None:
            keys.append("")
            parts.append(ir.Pattern("star", node.rest, (), (), at))
        return ir.Pattern("mapping", "", tuple(keys), tuple(parts), at)

    # -- functions and classes

    def function(self, node: _Function) -> ir.MethodDecl:
        """A function, or a method where a class body is being lowered."""
        method = self._class_body
        annotations = self.decorators(node)
        parameters = self.parameters(node.args)
        returns = self.type(node.returns)
        outer = self.generator, self._loops, self._class_body
        self.generator, self._loops, self._class_body = False, [], False
        body: tuple[ir.Stmt, ...] | None = self.block(node.body)
        generator = self.generator
        self.generator, self._loops, self._class_body = outer
        names = {annotation.name.rpartition(".")[2] for annotation in annotations}
        if method and "abstractmethod" in names and not body:
            body = None
        line, column, _, _ = self.at(node)
        return ir.MethodDecl(
            "<init>" if method and node.name == "__init__" else node.name,
            parameters,
            returns,
            body,
            self._declared_at(node, annotations),
            self._after_word(node, "def", node.name, (line, column)),
            static=not method or "staticmethod" in names or node.name == "__new__",
            annotations=annotations,
            generator=generator,
        )

    def decorators(self, node: _Function | ast.ClassDef) -> tuple[ir.Annotation, ...]:
        return tuple([self.annotation(item, self._with_sign(self.at(item))) for item in node.decorator_list])

    def class_(self, node: ast.ClassDef) -> ir.ClassDecl:
        annotations = self.decorators(node)
        supers: list[ir.TypeRef] = []
        keywords: list[ir.Argument] = []
        for base in node.bases:
            found = None if isinstance(base, ast.Starred) else self.type(base)
            if found is not None:
                supers.append(found)
            else:
                keywords.append(self._argument(base))
        keywords += [self._argument(keyword) for keyword in node.keywords]
        outer = self.generator, self._loops, self._class_body
        self._loops, self._class_body = [], True
        self.classes.append(node.name)
        members = _Members()
        for statement in node.body:
            self._member(statement, members)
        self.classes.pop()
        self.generator, self._loops, self._class_body = outer
        line, column, _, _ = self.at(node)
        return ir.ClassDecl(
            node.name,
            "class",
            self._declared_at(node, annotations),
            self._after_word(node, "class", node.name, (line, column)),
            tuple(supers),
            annotations=annotations,
            fields=tuple(members.fields),
            methods=tuple(members.methods),
            types=tuple(members.types),
            initialisers=tuple(members.initialisers),
            parameters=self._type_parameters(node),
            abstract=any(method.body is None for method in members.methods),
            static=True,
            keywords=tuple(keywords),
        )

    def _type_parameters(self, node: ast.ClassDef) -> tuple[tuple[str, ir.TypeRef | None], ...]:
        """Those of `class C[T: Bound]`, where the running interpreter knows them."""
        written: list[Any] = getattr(node, "type_params", [])
        return tuple([(item.name, self.type(getattr(item, "bound", None))) for item in written])

    def _member(self, node: ast.stmt, members: _Members) -> None:
        """One statement of a class body."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not self.too_deep():
            self.depth += 1
            self.nested += 1
            members.methods.append(self.function(node))
            self.nested -= 1
            self.depth -= 1
        elif isinstance(node, ast.ClassDef) and not self.too_deep():
            self.depth += 1
            self.nested += 1
            members.types.append(self.class_(node))
            self.nested -= 1
            self.depth -= 1
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            type_ = self.type(node.annotation)
            members.fields.append(
                ir.FieldDecl(
                    node.target.id,
                    type_,
                    self.optional(node.value),
                    self.at(node),
                    static=type_ is not None and type_.name.rpartition(".")[2] == "ClassVar",
                    annotations=self.metadata(node.annotation),
                )
            )
        elif (
            isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        ):
            value = self.expression(node.value)
            members.fields.append(ir.FieldDecl(node.targets[0].id, None, value, self.at(node), static=True))
        elif body := self.block([node]):
            members.initialisers.append(ir.Initialiser(body, True, self.at(node)))

    # -- places

    def _declared_at(self, node: _Function | ast.ClassDef, annotations: Sequence[ir.Annotation]) -> ir.At:
        """From the first decorator to the end of the body."""
        at = self.at(node)
        return (*annotations[0].at[:2], *at[2:]) if annotations else at

    def _with_sign(self, at: ir.At) -> ir.At:
        """The place of a decorator with its `@`, where that stands in the same line."""
        sign = self.text.lines[at[0] - 1].rfind("@", 0, at[1] - 1)
        return (at[0], sign + 1, at[2], at[3]) if sign >= 0 else at

    def _after_word(self, node: ast.stmt, word: str, name: str, start: tuple[int, int]) -> ir.At:
        """The place of the name in `def name`, `class name`; of the word where the name is written otherwise."""
        line, column = start
        written = self.text.lines[line - 1]
        after = written.find(word, column - 1) + len(word)
        found = written.find(name, after)
        if found < 0 or written[after:found].strip():
            return (line, column, line, column + len(word))
        return (line, found + 1, line, found + 1 + len(name))


def _handles_import(node: ast.ExceptHandler) -> bool:
    """Whether a handler takes the error of an import that fails."""
    if node.type is None:
        return True
    written = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    return any(dotted(each) in ("ImportError", "ModuleNotFoundError", "Exception") for each in written)


class _Members:
    """What a class body holds, so far."""

    __slots__ = ("fields", "initialisers", "methods", "types")

    def __init__(self) -> None:
        self.fields: list[ir.FieldDecl] = []
        self.methods: list[ir.MethodDecl] = []
        self.types: list[ir.ClassDecl] = []
        self.initialisers: list[ir.Initialiser] = []


class _Loop:
    """A loop whose body is being lowered: how many switches are between it and here, the label `break` needs."""

    __slots__ = ("label", "switches")

    def __init__(self) -> None:
        self.label = ""
        self.switches = 0

    def around(self, statement: ir.Stmt, at: ir.At) -> ir.Stmt:
        return ir.Block((statement,), at, self.label) if self.label else statement


class _InSwitch:
    """What stands inside is in a `Switch`, which a `break` without label would leave instead of the loop."""

    __slots__ = ("_statements",)

    def __init__(self, statements: Statements) -> None:
        self._statements = statements

    def __enter__(self) -> None:
        if self._statements._loops:
            self._statements._loops[-1].switches += 1

    def __exit__(self, *_: object) -> None:
        if self._statements._loops:
            self._statements._loops[-1].switches -= 1

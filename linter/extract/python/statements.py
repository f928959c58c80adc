"""Python statements in source order: what names hold after assignments, branches, loops and imports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import libcst as cst

from linter.clients import python as clients
from linter.extract.python.calls import Calls
from linter.extract.python.scope import (
    ClassInfo,
    Scope,
    has_param,
    one_of,
)
from linter.extract.python.texts import concat
from linter.model.expr import (
    Argument,
    Call,
    Entries,
    Expr,
    Items,
    Literal,
    LoopVar,
    Member,
    Unknown,
    Why,
)
from linter.model.facts import (
    Field,
)
from linter.model.location import Span

if TYPE_CHECKING:
    from libcst.metadata import CodeRange


class Statements(Calls):
    """Runs statements over scopes; the subclass knows functions and classes."""

    def __init__(
        self, positions: Mapping[cst.CSTNode, CodeRange], tracked: frozenset[str], once: frozenset[str]
    ) -> None:
        super().__init__(positions, tracked, once)
        self.client_imports: list[tuple[str, str, Span]] = []
        self.runs = False
        self.module_spans: dict[str, Span] = {}
        self.imported: list[str] = []
        self.branches: tuple[tuple[Span, int], ...] = ()

    # -- hooks of the subclasses -----------------------------------------------------------------------------

    def define(self, node: cst.FunctionDef, scope: Scope, owner: ClassInfo | None) -> None:
        """Met a function, or a method of `owner`."""
        raise NotImplementedError

    def define_class(self, node: cst.ClassDef, scope: Scope) -> None:
        """Met a class."""
        raise NotImplementedError

    # -- statements ------------------------------------------------------------------------------------------

    def block(self, statements: Iterable[cst.CSTNode], scope: Scope) -> bool:
        """Run statements; True when control does not reach their end."""
        return any(self.statement(statement, scope) for statement in statements)

    def statement(self, node: cst.CSTNode, scope: Scope) -> bool:
        match node:
            case cst.SimpleStatementLine(body=body) | cst.SimpleStatementSuite(body=body):
                return self.block(body, scope)
            case cst.IndentedBlock(body=body):
                return self.block(body, scope)
            case cst.Assign(targets=targets, value=value):
                held = self.expr(value, scope)
                for target in targets:
                    self.assign(target.target, held, scope, plain=True)
            case cst.AnnAssign(target=target, value=optional):
                if optional is not None:
                    self.assign(target, self.expr(optional, scope), scope, plain=True)
            case cst.AugAssign(target=target, operator=operator, value=value):
                before = self.expr(target, scope)
                added = self.expr(value, scope)
                at = self.span(node)
                result: Expr = Unknown(Why.UNSUPPORTED, "arithmetic", at)
                if isinstance(operator, cst.AddAssign):
                    a, b = self.known(before), self.known(added)
                    both = isinstance(a, Items) and isinstance(b, Items)
                    if isinstance(a, Items) and isinstance(b, Items):
                        result = Items((*a.items, *b.items), at)
                    else:
                        result = concat([before, added], at)
                    if scope.loops and not both:
                        result = Unknown(Why.UNSUPPORTED, "a text built in a loop", at)
                self.assign(target, result, scope)
            case cst.Expr(value=value):
                self._expression_statement(value, scope)
            case cst.Return(value=optional):
                if optional is not None:
                    scope.returns.append(self.expr(optional, scope))
                return True
            case cst.Raise():
                self.visit(node, scope)
                return True
            case cst.Break() | cst.Continue():
                return False
            case cst.If():
                return self._if(node, scope)
            case cst.For(target=target, iter=iterated, body=body, orelse=orelse):
                before_env = dict(scope.env)
                scope.loops += 1
                self.bind_loop(target, iterated, self.span(node), scope)
                self.block([body], scope)
                scope.loops -= 1
                self._merge(scope, [before_env, dict(scope.env)])
                if orelse is not None:
                    self.block([orelse.body], scope)
            case cst.While(test=test, body=body, orelse=orelse):
                self.expr(test, scope)
                before_env = dict(scope.env)
                scope.loops += 1
                self.block([body], scope)
                scope.loops -= 1
                self._merge(scope, [before_env, dict(scope.env)])
                if orelse is not None:
                    self.block([orelse.body], scope)
            case cst.Try() | cst.TryStar():
                return self._try(node, scope)
            case cst.With(items=items, body=body):
                for item in items:
                    held = self.expr(item.item, scope)
                    if item.asname is not None and isinstance(item.asname.name, cst.BaseExpression):
                        self.assign(item.asname.name, held, scope)
                return self.block([body], scope)
            case cst.Match(subject=subject, cases=cases):
                self.expr(subject, scope)
                before_env = dict(scope.env)
                outcomes = [before_env]
                for case in cases:
                    scope.env = dict(before_env)
                    if not self.block([case.body], scope):
                        outcomes.append(scope.env)
                self._merge(scope, outcomes)
            case cst.FunctionDef():
                self.define(node, scope, None)
            case cst.ClassDef():
                self.define_class(node, scope)
            case cst.Import() | cst.ImportFrom():
                self._import(node, scope)
            case cst.Global(names=names):
                scope.globals.update(name.name.value for name in names)
            case _:
                self.visit(node, scope)
        return False

    def _expression_statement(self, value: cst.BaseExpression, scope: Scope) -> None:
        if isinstance(value, cst.Yield) and isinstance(value.value, cst.BaseExpression):
            scope.returns.append(self.expr(value.value, scope))
            return
        held = self.expr(value, scope)
        if not isinstance(value, cst.Call) or not isinstance(value.func, cst.Attribute):
            return
        # a call that changes what a local name holds
        method, target = value.func.attr.value, value.func.value
        current = self._local(target, scope)
        if current is None:
            return
        key, before = current
        args = [argument.value for argument in held.args] if isinstance(held, Member) and held.args else []
        if method == "append" and isinstance(before, Items) and args:
            self._rebind(key, Items((*before.items, args[0]), before.at), target, scope)
        elif method == "update" and isinstance(before, Entries) and args:
            added = self.known(args[0])
            if isinstance(added, Entries):
                self._rebind(key, Entries((*before.entries, *added.entries), before.at), target, scope)
        elif method in ("read", "read_file") and _fresh_parser(before) and isinstance(before, Call):
            paths = args or (list(self._argument_values(value, scope)))
            if paths:
                path = self.opened(paths[0])
                several = self.known(path)
                path = several.items[0] if isinstance(several, Items) and several.items else path
                mark = Argument(Literal("ini", before.at))
                loaded = Call(("builtin:load_file",), (Argument(path), mark), before.at)
                self._rebind(key, loaded, target, scope)

    def _argument_values(self, node: cst.Call, scope: Scope) -> list[Expr]:
        return [self.expr(argument.value, scope) for argument in node.args]

    def _local(self, target: cst.BaseExpression, scope: Scope) -> tuple[str, Expr] | None:
        if isinstance(target, cst.Name):
            key = target.value
            if scope.is_module and key in self.once and len(self.module_values.get(key, ())) == 1:
                return key, self.module_values[key][0]
        elif (
            isinstance(target, cst.Attribute)
            and isinstance(target.value, cst.Name)
            and target.value.value == scope.self_name
        ):
            key = f"{scope.self_name}.{target.attr.value}"
        else:
            return None
        return (key, scope.env[key]) if key in scope.env else None

    def _rebind(self, key: str, value: Expr, target: cst.BaseExpression, scope: Scope) -> None:
        if scope.is_module and key in self.module_values:
            self.module_values[key] = [value]
        if "." in key:
            self.assign(target, value, scope)
        scope.env[key] = value

    def _if(self, node: cst.If, scope: Scope) -> bool:
        if scope.is_module and _is_main_test(node.test):
            self.runs = True
        self.expr(node.test, scope)
        before = dict(scope.env)
        around, at = self.branches, self.span(node)
        exclusive = not scope.loops  # another turn of a loop may take the other branch
        self.branches = (*around, (at, 0)) if exclusive else around
        ended = self.block([node.body], scope)
        first = scope.env
        scope.env = dict(before)
        other_ended = False
        self.branches = (*around, (at, 1)) if exclusive else around
        if isinstance(node.orelse, cst.If):
            other_ended = self._if(node.orelse, scope)
        elif node.orelse is not None:
            other_ended = self.block([node.orelse.body], scope)
        self.branches = around
        second = scope.env
        self._merge(
            scope, [env for env, over in ((first, ended), (second, other_ended)) if not over] or [first]
        )
        return ended and other_ended

    def _try(self, node: cst.Try | cst.TryStar, scope: Scope) -> bool:
        before = dict(scope.env)
        ended = self.block([node.body], scope)
        after = dict(scope.env)
        outcomes = [] if ended else [after]
        for handler in node.handlers:
            scope.env = dict(before) | after
            if handler.name is not None and isinstance(handler.name.name, cst.Name):
                at = self.span(handler.name.name)
                scope.env[handler.name.name.value] = Unknown(Why.DYNAMIC, "an exception", at)
            if not self.block([handler.body], scope):
                outcomes.append(scope.env)
        self._merge(scope, outcomes or [after])
        if node.orelse is not None and not ended:
            ended = self.block([node.orelse.body], scope)
        if node.finalbody is not None:
            ended = self.block([node.finalbody.body], scope) or ended
        return ended and not outcomes

    def _merge(self, scope: Scope, outcomes: list[dict[str, Expr]]) -> None:
        """After branches: a name holds one of what the branches left in it."""
        if len(outcomes) == 1:
            scope.env = outcomes[0]
            return
        merged: dict[str, Expr] = {}
        for env in outcomes:
            for name, value in env.items():
                present = merged.get(name)
                if present is None:
                    merged[name] = value
                elif present is not value:
                    merged[name] = one_of([present, value], value.at)
        scope.env = merged

    # -- imports ---------------------------------------------------------------------------------------------

    def _import(self, node: cst.Import | cst.ImportFrom, scope: Scope) -> None:
        if isinstance(node, cst.Import):
            for alias in node.names:
                module = dotted(alias.name)
                self.imported.append(module)
                if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
                    self._bind_import(alias.asname.name.value, module, "", alias)
                else:
                    self._bind_import(module.partition(".")[0], module.partition(".")[0], "", alias)
                    if clients.is_client_module(module):
                        self.client_imports.append((module.rpartition(".")[2], module, self.span(alias)))
            return
        module = "." * len(node.relative) + (dotted(node.module) if node.module is not None else "")
        self.imported.append(module)
        if isinstance(node.names, cst.ImportStar):
            self.stars.append(module)
            return
        for alias in node.names:
            name = alias.name.value if isinstance(alias.name, cst.Name) else dotted(alias.name)
            local = (
                alias.asname.name.value
                if alias.asname is not None and isinstance(alias.asname.name, cst.Name)
                else name
            )
            self.imported.append(f"{module}{name}" if module.endswith(".") else f"{module}.{name}")
            self._bind_import(local, module, name, alias)

    def _bind_import(self, local: str, module: str, name: str, node: cst.ImportAlias) -> None:
        self.imports.setdefault(local, (module, name))
        if name and clients.maker(f"{module}.{name}") is not None:
            self.imports[local] = (module, name)
            self.client_imports.append((local, f"{module}.{name}", self.span(node)))

    # -- assignments -----------------------------------------------------------------------------------------

    def assign(self, target: cst.BaseExpression, value: Expr, scope: Scope, plain: bool = False) -> None:
        match target:
            case cst.Name(value=name):
                self._assign_name(name, value, scope, self.span(target), plain)
            case cst.Attribute(value=cst.Name(value=owner), attr=cst.Name(value=name)):
                self.expr(target.value, scope)
                holder: Scope | None = scope
                while holder is not None and not (holder.self_name and holder.self_name == owner):
                    holder = holder.parent
                if holder is not None:
                    holder.env[f"{owner}.{name}"] = value
                    info = self.classes.get(holder.type[2:]) if holder.type.startswith("~.") else None
                    if info is not None:
                        held = info.attributes.setdefault(name, [])
                        if value not in held and len(held) < 20:
                            held.append(value)
                elif owner in self.classes and not has_param(value):
                    info = self.classes[owner]
                    present = info.fields.get(name)
                    values = [present.value] if present is not None and present.value is not None else []
                    info.fields[name] = Field(
                        name, (), (), one_of([*values, value], value.at), True, False, (), self.span(target)
                    )
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                parts = self.known(value)
                for index, element in enumerate(elements):
                    at = self.span(element.value)
                    if isinstance(element, cst.StarredElement):
                        self.assign(element.value, Unknown(Why.UNSUPPORTED, "*", at), scope)
                    elif isinstance(parts, Items) and len(parts.items) == len(elements):
                        self.assign(element.value, parts.items[index], scope, plain)
                    elif isinstance(parts, LoopVar):
                        deeper = LoopVar(parts.loop, parts.source, (*parts.path, index), at)
                        self.assign(element.value, deeper, scope)
                    else:
                        picked = Call(
                            ("builtin:getitem",), (Argument(value), Argument(Literal(str(index), at))), at
                        )
                        self.assign(element.value, picked, scope)
            case cst.Subscript(
                value=owner_node, slice=[cst.SubscriptElement(slice=cst.Index(value=key_node))]
            ):
                key = self.expr(key_node, scope)
                current = self._local(owner_node, scope)
                if current is None:
                    self.expr(owner_node, scope)
                elif isinstance(current[1], Entries):
                    before = current[1]
                    self._rebind(
                        current[0], Entries((*before.entries, (key, value)), before.at), owner_node, scope
                    )
            case cst.StarredElement():
                self.assign(target.value, value, scope)
            case _:
                self.visit(target, scope)

    def _assign_name(self, name: str, value: Expr, scope: Scope, at: Span, plain: bool) -> None:
        if scope.is_module or name in scope.globals:
            if name in scope.globals and not scope.is_module and has_param(value):
                value = Unknown(Why.DYNAMIC, f"set by {scope.symbol.rpartition('#')[2]}", value.at)
            held = self.module_values.setdefault(name, [])
            if value not in held and len(held) < 20:
                held.append(value)
            self.module_spans.setdefault(name, at)
            self.module.env[name] = value
            return
        scope.env[name] = value


def _fresh_parser(value: Expr) -> bool:
    return isinstance(value, Call) and value.candidates == ("builtin:load_file",) and not value.args


def _is_main_test(test: cst.BaseExpression) -> bool:
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return False
    sides = (test.left, test.comparisons[0].comparator)
    names = [side.value for side in sides if isinstance(side, cst.Name)]
    texts = [side.evaluated_value for side in sides if isinstance(side, cst.SimpleString)]
    return names == ["__name__"] and texts == ["__main__"]


def dotted(node: cst.BaseExpression) -> str:
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if isinstance(node, cst.Name):
        parts.append(node.value)
    return ".".join(reversed(parts))

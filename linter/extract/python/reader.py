"""Statements of a Python file -> types, consumer sites, uses and call sites.

Statements run in source order over scopes: first the module, then the bodies of classes, functions and methods
that it queued. What a consumer object is told (`subscribe`, `set_group`, …) is kept as an event and linked to
its site when the whole file is known, for methods and functions may stand before the place that makes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import libcst as cst

from linter.extract.python import clients
from linter.extract.python.clients import Maker, Shape
from linter.extract.python.scope import (
    ClassInfo,
    Scope,
    has_param,
    is_none,
    one_of,
)
from linter.extract.python.values import Values, concat
from linter.model.expr import (
    Argument,
    Call,
    Created,
    Entries,
    EnvVar,
    Expr,
    Items,
    Literal,
    LoopVar,
    Member,
    Name,
    New,
    OneOf,
    Param,
    This,
    Unknown,
    Why,
    walk,
)
from linter.model.facts import (
    AnnotationUse,
    Attribute,
    CallSite,
    ConsumerSite,
    Field,
    Method,
    Problem,
    Setting,
    SubscriptionSite,
    Type,
    TypeKind,
    Use,
)
from linter.model.location import START, Span

if TYPE_CHECKING:
    from libcst.metadata import CodeRange

LINK_DEPTH_MAX = 12
"""Names, attributes and base classes followed to find the consumer an expression stands for."""

_FIXTURES = (
    "pytest.fixture",
    "pytest_asyncio.fixture",
    "contextlib.contextmanager",
    "contextlib.asynccontextmanager",
)
_ENUMS = ("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag")
_TEXT_ENUMS = ("enum.StrEnum", "str")
_DATACLASSES = (
    "dataclasses.dataclass",
    "attr.s",
    "attr.attrs",
    "attrs.define",
    "attrs.frozen",
    "attr.dataclass",
    "pydantic.dataclasses.dataclass",
)
_RECORDS = (
    "typing.NamedTuple",
    "pydantic.BaseModel",
    "pydantic_settings.BaseSettings",
    "pydantic.BaseSettings",
    "pydantic.v1.BaseSettings",
)
_SETTINGS = ("pydantic_settings.BaseSettings", "pydantic.BaseSettings", "pydantic.v1.BaseSettings")
_FIELDS = ("dataclasses.field", "pydantic.Field", "attr.ib", "attrs.field", "pydantic.fields.Field")
_ABSTRACT = ("abc.ABC", "abc.ABCMeta", "typing.Protocol")
_RUNNERS = (
    "threading.Thread",
    "multiprocessing.Process",
    "multiprocessing.context.Process",
    "threading.Timer",
)


@dataclass(slots=True)
class Site:
    """A consumer site while the file is read."""

    maker: Maker
    at: Span
    symbol: str
    type: str
    settings: list[Setting] = field(default_factory=list)
    subscriptions: list[SubscriptionSite] = field(default_factory=list)


@dataclass(slots=True)
class Event:
    """One call on what may be a consumer; `shape` is guessed from the file's imports until it is linked."""

    method: str
    receiver: Expr
    args: tuple[Argument, ...]
    at: Span
    symbol: str
    type: str


class Reader(Values):
    """Walks a module once; `finish` links what was found."""

    def __init__(
        self, positions: Mapping[cst.CSTNode, CodeRange], tracked: frozenset[str], once: frozenset[str]
    ) -> None:
        super().__init__(positions, tracked, once)
        self.sites: dict[Span, Site] = {}
        self.events: dict[Span, Event] = {}
        self.calls: list[CallSite] = []
        self.client_imports: list[tuple[str, str, Span]] = []
        self.client_names_used: set[str] = set()
        self.functions: dict[str, Method] = {}
        self.runs = False
        self._queue: list[tuple[cst.FunctionDef, Scope, ClassInfo | None, str]] = []
        self._module_fields: dict[str, Field] = {}
        self._module_spans: dict[str, Span] = {}
        self.imported: list[str] = []

    # -- modules ---------------------------------------------------------------------------------------------

    def read(self, module: cst.Module) -> None:
        self.block(module.body, self.module)
        while self._queue:
            batch, self._queue = self._queue, []
            for node, scope, owner, name in batch:
                self._function(node, scope, owner, name)

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
                    result = Items((*a.items, *b.items), at) if isinstance(a, Items) and isinstance(b, Items) else concat([before, added], at)  # fmt: skip
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
                self._define(node, scope, None)
            case cst.ClassDef():
                self._class(node, scope)
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
        ended = self.block([node.body], scope)
        first = scope.env
        scope.env = dict(before)
        other_ended = False
        if isinstance(node.orelse, cst.If):
            other_ended = self._if(node.orelse, scope)
        elif node.orelse is not None:
            other_ended = self.block([node.orelse.body], scope)
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
                module = _dotted(alias.name)
                self.imported.append(module)
                if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
                    self._bind_import(alias.asname.name.value, module, "", alias)
                else:
                    self._bind_import(module.partition(".")[0], module.partition(".")[0], "", alias)
                    if clients.is_client_module(module):
                        self.client_imports.append((module.rpartition(".")[2], module, self.span(alias)))
            return
        module = "." * len(node.relative) + (_dotted(node.module) if node.module is not None else "")
        self.imported.append(module)
        if isinstance(node.names, cst.ImportStar):
            self.stars.append(module)
            return
        for alias in node.names:
            name = alias.name.value if isinstance(alias.name, cst.Name) else _dotted(alias.name)
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
                else:
                    self._set_attribute(owner, name, value, scope)
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

    def _set_attribute(self, owner: str, name: str, value: Expr, scope: Scope) -> None:
        """`settings.group = "g"` on a local object: later reads of the same name see it only here."""

    def _assign_name(self, name: str, value: Expr, scope: Scope, at: Span, plain: bool) -> None:
        if scope.is_module or name in scope.globals:
            if name in scope.globals and not scope.is_module and has_param(value):
                value = Unknown(Why.DYNAMIC, f"set by {scope.symbol.rpartition('#')[2]}", value.at)
            held = self.module_values.setdefault(name, [])
            if value not in held and len(held) < 20:
                held.append(value)
            self._module_spans.setdefault(name, at)
            self.module.env[name] = value
            return
        scope.env[name] = value

    # -- functions -------------------------------------------------------------------------------------------

    def _decorators(self, nodes: Sequence[cst.Decorator], scope: Scope) -> tuple[AnnotationUse, ...]:
        found = []
        for node in nodes:
            inner = node.decorator
            func = inner.func if isinstance(inner, cst.Call) else inner
            held = self.expr(inner, scope)
            names = self.full_names(self.expr(func, scope)) or (_dotted(func),)
            args: tuple[Argument, ...] = ()
            if isinstance(held, Call | New):
                args = held.args
            elif isinstance(held, Member):
                args = held.args or ()
            elif isinstance(inner, cst.Call):
                args = self.arguments(inner.args, scope)
            keyed = tuple(
                (a.name or ("value" if index == 0 else str(index)), a.value) for index, a in enumerate(args)
            )
            found.append(AnnotationUse(names, keyed, self.span(node)))
        return tuple(found)

    def _define(self, node: cst.FunctionDef, scope: Scope, owner: ClassInfo | None) -> None:
        """Note a function and queue its body, which runs after all that surrounds it."""
        name = node.name.value
        if owner is not None:
            owner.method_names.add(name)
            self._queue.append((node, scope, owner, name))
            return
        full = name if scope.is_module else f"{scope.symbol.partition('#')[2]}.{name}"
        scope.functions[name] = full
        self._queue.append((node, scope, None, full))

    def _parameters(
        self, node: cst.FunctionDef, scope: Scope, outer: Scope, skip_first: bool, fixture: bool
    ) -> list[Field]:
        result: list[Field] = []
        params = node.params
        ordered = [*params.posonly_params, *params.params]
        for index, param in enumerate((*ordered, *params.kwonly_params)):
            name, at = param.name.value, self.span(param.name)
            if skip_first and index == 0 and ordered:
                scope.self_name = name
                continue
            types = self._annotation(param.annotation, outer)
            default = self.expr(param.default, outer) if param.default is not None else None
            result.append(Field(name, types, (), default, False, False, (), at))
            scope.env[name] = Param(name, at)
            if fixture and default is None:
                local = self.module.functions.get(name)
                found = (
                    (f"~#{local}",)
                    if local
                    else (f".conftest#{name}", f"..conftest#{name}", f"conftest#{name}")
                )
                if name not in ("request", "self", "monkeypatch", "tmp_path", "caplog", "capsys"):
                    scope.env[name] = Call(found, (), at)
                    if not local:
                        self.imported += [".conftest", "..conftest", "conftest"]
        if isinstance(params.star_arg, cst.Param):
            at = self.span(params.star_arg.name)
            scope.env[params.star_arg.name.value] = Unknown(Why.DYNAMIC, f"*{params.star_arg.name.value}", at)
        if params.star_kwarg is not None:
            scope.kwargs = params.star_kwarg.name.value
            scope.env[scope.kwargs] = Unknown(
                Why.DYNAMIC, f"**{scope.kwargs}", self.span(params.star_kwarg.name)
            )
        return result

    def _annotation(self, node: cst.Annotation | None, scope: Scope) -> tuple[str, ...]:
        if node is None:
            return ()
        inner: cst.BaseExpression = node.annotation
        if isinstance(inner, cst.Subscript):  # Optional[X], Annotated[X, …]
            first = inner.slice[0].slice if inner.slice else None
            if _dotted(inner.value).rpartition(".")[2] in (
                "Optional",
                "Annotated",
                "ClassVar",
                "Final",
            ) and isinstance(first, cst.Index):
                inner = first.value
        if isinstance(inner, cst.BinaryOperation):
            inner = inner.left
        name = inner.evaluated_value if isinstance(inner, cst.SimpleString) else _dotted(inner)
        if not isinstance(name, str) or not name.replace(".", "").replace("_", "").isalnum():
            return ()
        root, _, rest = name.partition(".")
        value = self.lookup(root, self.span(inner), scope)
        return tuple(f"{path}.{rest}" if rest else path for path in self.full_names(value)) or (name,)

    def _function(self, node: cst.FunctionDef, outer: Scope, owner: ClassInfo | None, name: str) -> None:
        annotations = self._decorators(node.decorators, outer if owner is None else self.module)
        decorator_names = {candidate for use in annotations for candidate in use.candidates}
        static = "staticmethod" in decorator_names
        fixture = bool(decorator_names & set(_FIXTURES[:2])) or (name.rpartition(".")[2].startswith("test"))
        if owner is None:
            symbol, type_ = f"~#{name}", outer.type
        else:
            symbol, type_ = f"{owner.name}#{'<init>' if name == '__init__' else name}", owner.name
        parent: Scope | None = outer
        scope = Scope(symbol, type_, parent)
        if owner is None:
            scope.self_name = ""
        params = self._parameters(node, scope, outer, owner is not None and not static, fixture)
        self.block([node.body], scope)
        params += [
            keyword for keyword in scope.keywords.values() if all(p.name != keyword.name for p in params)
        ]
        assigns: tuple[tuple[str, Expr], ...] = ()
        if owner is not None and scope.self_name:
            prefix = scope.self_name + "."
            assigns = tuple(
                (key[len(prefix) :], value) for key, value in scope.env.items() if key.startswith(prefix)
            )
        returns = one_of(scope.returns, scope.returns[0].at) if scope.returns else None
        summary = Method(
            "<init>" if owner is not None and name == "__init__" else name,
            tuple(params),
            returns,
            self._annotation(node.returns, outer),
            assigns,
            static or "classmethod" in decorator_names or owner is None,
            any(candidate.rpartition(".")[2] == "abstractmethod" for candidate in decorator_names)
            or _only_raises(node),
            annotations,
            self.span(node.name),
        )
        if owner is not None:
            owner.methods.append(summary)
        else:
            self.functions[name] = summary

    # -- classes ---------------------------------------------------------------------------------------------

    def _class(self, node: cst.ClassDef, scope: Scope) -> None:
        nested = scope.type and not scope.symbol.partition("#")[2]
        inside = scope.symbol.partition("#")[2].replace("<init>", "__init__")
        local = node.name.value
        if nested:
            local = f"{scope.type[2:]}.{local}"
        elif not scope.is_module:
            local = f"{scope.type[2:] + '.' if scope.type else ''}{inside}.{local}" if inside else local
        full = f"~.{local}"
        bases: list[tuple[str, ...]] = []
        maker: Maker | None = None
        annotations = self._decorators(node.decorators, scope)
        for argument in node.bases:
            base_node = argument.value.value if isinstance(argument.value, cst.Subscript) else argument.value
            value = self.expr(base_node, scope)
            names = (
                tuple(dict.fromkeys(candidate.replace("#", ".") for candidate in value.candidates))
                if isinstance(value, Name)
                else self.full_names(value)
            )
            if names:
                bases.append(names)
            for candidate in self.full_names(value):
                maker = maker or clients.maker(candidate)
                self.client_names_used.add(candidate)
                if candidate.startswith("~.") and candidate[2:] in self.classes:
                    maker = maker or self.classes[candidate[2:]].maker
        info = ClassInfo(full, tuple(bases), maker, annotations, self.span(node.name))
        self.classes[local] = info
        if not scope.is_module and not nested:
            scope.env[node.name.value] = Name((full,), info.at, exact=True)
        body = Scope(full, full, scope if not scope.is_module else self.module)
        flat = {candidate for names in bases for candidate in names}
        for statement in node.body.body:
            self._class_statement(statement, info, body, flat)
        self._records(info, flat)

    def _class_statement(self, node: cst.CSTNode, info: ClassInfo, body: Scope, bases: set[str]) -> None:
        match node:
            case cst.SimpleStatementLine(body=statements) | cst.SimpleStatementSuite(body=statements):
                for statement in statements:
                    self._class_statement(statement, info, body, bases)
            case cst.Assign(targets=targets, value=value):
                held = self.expr(value, body)
                for target in targets:
                    self._class_field(target.target, held, None, info, body, bases)
            case cst.AnnAssign(target=target, annotation=annotation, value=optional):
                default = self._field_default(optional, body) if optional is not None else None
                self._class_field(target, default, annotation, info, body, bases)
            case cst.FunctionDef():
                outer = body.parent or self.module
                self._define(node, outer, info)
            case cst.ClassDef():
                if node.name.value == "Config":
                    info.env_prefix = info.env_prefix or _env_prefix(node)
                self._class(node, body)
            case cst.If(body=inner, orelse=orelse):
                self.expr(node.test, body)
                for part in inner.body:
                    self._class_statement(part, info, body, bases)
                if isinstance(orelse, cst.Else):
                    for part in orelse.body.body:
                        self._class_statement(part, info, body, bases)
            case _:
                self.statement(node, body)

    def _field_default(self, node: cst.BaseExpression, scope: Scope) -> Expr | None:
        """The default in `= field(default=…)` and `= Field(…)`; other values as they are. None: required."""
        if isinstance(node, cst.Call):
            names = self.full_names(self.expr(node.func, scope))
            if any(name in _FIELDS for name in names):
                default: Expr | None = None
                for index, argument in enumerate(node.args):
                    key = argument.keyword.value if argument.keyword is not None else ""
                    if key == "default" or (key == "" and index == 0):
                        default = (
                            None
                            if isinstance(argument.value, cst.Ellipsis)
                            else self.expr(argument.value, scope)
                        )
                    elif key in ("default_factory", "factory"):
                        made = argument.value
                        default = (
                            self.expr(made.body, scope)
                            if isinstance(made, cst.Lambda)
                            else self._made(made, scope)
                        )
                for argument in node.args:
                    key = argument.keyword.value if argument.keyword is not None else ""
                    if key in ("env", "validation_alias", "alias") and isinstance(
                        argument.value, cst.SimpleString
                    ):
                        variable = self.expr(argument.value, scope)
                        default = EnvVar(variable, default, self.span(node))
                return default
        return self.expr(node, scope)

    def _made(self, node: cst.BaseExpression, scope: Scope) -> Expr:
        value = self.expr(node, scope)
        if isinstance(value, Name) and value.candidates[0] in ("list", "dict", "set", "tuple"):
            empty: Expr = Entries((), value.at) if value.candidates[0] == "dict" else Items((), value.at)
            return empty
        if isinstance(value, Name):
            return self._plain_call(value, None, "", (), value.at, scope)
        return value

    def _class_field(
        self, target: cst.BaseExpression, value: Expr | None, annotation: cst.Annotation | None, info: ClassInfo,
        body: Scope, bases: set[str],
    ) -> None:  # fmt: skip
        if isinstance(target, cst.Tuple | cst.List):
            parts = self.known(value) if value is not None else None
            for index, element in enumerate(target.elements):
                if isinstance(parts, Items) and index < len(parts.items):
                    self._class_field(element.value, parts.items[index], None, info, body, bases)
            return
        if not isinstance(target, cst.Name):
            if value is not None:
                self.assign(target, value, body)
            return
        name, at = target.value, self.span(target)
        is_enum = bool(bases & set(_ENUMS))
        if name == "model_config" and isinstance(value, Unknown | New | Entries | Call):
            info.env_prefix = info.env_prefix or _prefix_of(value)
        if value is not None:
            body.env[name] = value
        if is_enum and value is not None and not name.startswith("_") and annotation is None:
            value = New((info.name,), (Argument(value),), value.at)
        elif bases & set(_SETTINGS) and annotation is not None and not isinstance(value, EnvVar):
            value = EnvVar(Literal(name.upper(), at), value, at)
        present = info.fields.get(name)
        if present is not None and present.value is not None and value is not None and present.value != value:
            value = one_of([present.value, value], at)
        types = self._annotation(annotation, body)
        info.fields[name] = Field(name, types, (), value, True, False, (), at)

    def _records(self, info: ClassInfo, bases: set[str]) -> None:
        """Give enumerations, dataclasses, named tuples and pydantic models the constructor they get at run time."""
        if info.env_prefix:
            for name, held in info.fields.items():
                if isinstance(held.value, EnvVar) and held.value.name == Literal(name.upper(), held.at):
                    variable = Literal(f"{info.env_prefix}{name}".upper(), held.at)
                    info.fields[name] = replace(
                        held, value=EnvVar(variable, held.value.default, held.value.at)
                    )
        if "__init__" in info.method_names:
            return
        if bases & set(_ENUMS):
            params: tuple[Field, ...] = (Field("value", (), (), None, False, True, (), info.at),)
            info.fields.setdefault("value", Field("value", (), (), None, False, True, (), info.at))
        elif bases & set(_RECORDS) or any(
            c in _DATACLASSES for use in info.annotations for c in use.candidates
        ):
            params = tuple(
                replace(held, static=False)
                for held in info.fields.values()
                if held.type or held.value is not None
            )
            params = tuple(p for p in params if p.name not in ("model_config", "Config"))
        else:
            return
        for param in params:
            info.fields[param.name] = replace(info.fields[param.name], static=False)
        assigns = tuple((p.name, Param(p.name, p.at)) for p in params)
        info.methods.append(Method("<init>", params, None, (), assigns, False, False, (), info.at))

    # -- client calls ----------------------------------------------------------------------------------------

    def client_call(
        self,
        node: cst.Call,
        target: Expr | None,
        names: Sequence[str],
        args: tuple[Argument, ...],
        scope: Scope,
    ) -> Expr | None:
        simple = node.func.attr.value if isinstance(node.func, cst.Attribute) else ""
        for name in names:
            maker = clients.maker(name) or self._derived(name)
            if maker is not None:
                self.client_names_used.add(name)
                return self._make(maker, node, args, scope)
            module, _, function = name.rpartition(".")
            if function in clients.FUNCTIONS and clients.is_client_module(module) and args:
                self._event(clients.FUNCTIONS[function], args[0].value, args[1:], node, scope)
                return args[0].value
            if (
                function.startswith("RegisterMessageCallbackOrderly")
                and clients.is_client_module(module)
                and args
            ):
                self._event("orderly", args[0].value, (), node, scope)
                return args[0].value
        if target is None or not simple:
            return None
        if simple == "__init__":
            return self._base_init(node, target, args, scope)
        if simple == "get_consumer" and self._http_client(target):
            return self._make(clients.HTTP, node, args, scope)
        if simple == "pull" and self._pulls(target):
            self._event("pull", target, args, node, scope)
            return Unknown(Why.DYNAMIC, "pull()", self.span(node))
        if simple in clients.METHODS and self._may_be_consumer(target, simple, scope):
            self._event(simple, target, args, node, scope)
            result: Expr = Member(target, simple, args, self.span(node))
            self.note_call(node, simple, result, args, scope)
            return result
        return None

    def _derived(self, name: str) -> Maker | None:
        """The row of a class of this file that extends a consumer class and has no constructor of its own."""
        info = self.classes.get(name[2:]) if name.startswith("~.") else None
        if info is None or info.maker is None or "__init__" in info.method_names:
            return None
        parent = next(
            (b for names in info.bases for b in names if b.startswith("~.") and b[2:] in self.classes), None
        )
        return info.maker if parent is None else self._derived(parent)

    def _http_client(self, target: Expr) -> bool:
        held = self.known(target)
        if isinstance(held, New):
            return any(name in clients.HTTP_CLIENT for name in held.candidates)
        if isinstance(held, Literal | Items | Entries):
            return False
        return any(module.partition(".")[0] == "mq_http_sdk" for module in self.imported)

    def _pulls(self, target: Expr) -> bool:
        return any(site.maker.pulls for site in self._linked(target, "", 0))

    def _may_be_consumer(self, target: Expr, method: str, scope: Scope) -> bool:
        held = self.known(target)
        if isinstance(held, This):
            info = self.classes.get(scope.type[2:]) if scope.type.startswith("~.") else None
            return info is not None and info.maker is not None and method not in info.method_names
        if isinstance(held, New):
            own = next(
                (
                    self.classes[c[2:]]
                    for c in held.candidates
                    if c.startswith("~.") and c[2:] in self.classes
                ),
                None,
            )
            return own is None or (method not in own.method_names and own.maker is not None)
        return isinstance(held, Created | OneOf | Name | Member | Param | Call | LoopVar)

    def _base_init(
        self, node: cst.Call, target: Expr, args: tuple[Argument, ...], scope: Scope
    ) -> Expr | None:
        """`super().__init__(…)` and `Base.__init__(self, …)`: a consumer where the base class is one, else a call."""
        info = self.classes.get(scope.type[2:]) if scope.type.startswith("~.") else None
        if info is None:
            return None
        if isinstance(target, Name):
            args = args[1:]
        if info.maker is not None and not any(
            b.startswith("~.") and "__init__" in self.classes[b[2:]].method_names
            for names in info.bases
            for b in names
            if b.startswith("~.") and b[2:] in self.classes
        ):
            made = self._make(info.maker, node, args, scope)
            info.own_sites.append(self.span(node))
            return made
        for names in info.bases:
            simple = names[0].rpartition(".")[2]
            if simple in self.tracked or "<init>" in self.tracked:
                candidates = tuple(f"{name}#<init>" for name in names)
                at = self.span(node.func.attr) if isinstance(node.func, cst.Attribute) else self.span(node)
                self.calls.append(CallSite(simple, candidates, None, args, at, scope.symbol, scope.type))
                break
        return Unknown(Why.DYNAMIC, "super().__init__()", self.span(node))

    def _make(self, maker: Maker, node: cst.Call, args: tuple[Argument, ...], scope: Scope) -> Expr:
        at = self.span(node)
        site = Site(maker, at, scope.symbol, scope.type)
        self.sites[at] = site
        given = _by_parameter(args, maker.parameters)
        known_names = {name for name, _ in maker.parameters}
        name_at = self.span(node.func.attr if isinstance(node.func, cst.Attribute) else node.func)
        topic: Expr | None = None
        expression: Expr | None = None
        opaque = next((a.value for a in args if a.name in ("*", "**")), None)
        for name, role in maker.parameters:
            value = given.get(name)
            if value is None:
                if role == "g" and opaque is not None:
                    value = Unknown(Why.UNSUPPORTED, "arguments passed on", opaque.at)
                    site.settings.append(Setting(Attribute.GROUP, value, at))
                continue
            if is_none(value) and role != "g":
                continue
            match role:
                case "g":
                    site.settings.append(Setting(Attribute.GROUP, value, value.at))
                case "o":
                    site.settings.append(Setting(Attribute.CONSUME_MODE, _orderly(value), value.at))
                case "m":
                    site.settings.append(Setting(Attribute.MESSAGE_MODEL, _model(value), value.at))
                case "n":
                    site.settings.append(Setting(Attribute.NAME_SERVER, value, value.at))
                case "i":
                    site.settings.append(Setting(Attribute.NAMESPACE, value, value.at))
                case "c":
                    self._configuration(site, value)
                case "k":
                    self._pure_configuration(site, value)
                case "s":
                    self._table(site, value, name_at)
                case "b" | "t":
                    topic = value
                case "e":
                    expression = value
                case _:
                    pass
        if topic is not None:
            lite = any(role == "b" for _, role in maker.parameters)
            if lite:
                expression = Unknown(Why.NOT_APPLICABLE, "a lite consumer has no filter", name_at)
            site.subscriptions.append(SubscriptionSite(name_at, topic, expression, None))
        if maker.mode:
            site.settings.append(Setting(Attribute.CONSUME_MODE, Literal(maker.mode, at), at))
        self._check_arguments(maker, args, known_names)
        return Created(at, at)

    def _check_arguments(self, maker: Maker, args: tuple[Argument, ...], names: set[str]) -> None:
        """Unknown keywords of a client constructor are other options of it; nothing to say."""

    def _configuration(self, site: Site, value: Expr) -> None:
        for key, attribute, default in (
            ("namespace", Attribute.NAMESPACE, Literal("", value.at)),
            ("endpoints", Attribute.NAME_SERVER, None),
        ):
            held = self.item(None, value, Literal(key, value.at), default, value.at, self.module)
            if isinstance(self.known(value), Entries) and isinstance(held, Call):
                entries = self.known(value)
                assert isinstance(entries, Entries)
                found = [v for k, v in entries.entries if isinstance(k, Literal) and k.text == key]
                held = found[-1] if found else held
            if isinstance(held, Literal) and held.text == "" and attribute is Attribute.NAMESPACE:
                continue
            site.settings.append(Setting(attribute, held, held.at))

    def _pure_configuration(self, site: Site, value: Expr) -> None:
        for key, attribute in (
            ("consumer_group", Attribute.GROUP),
            ("namesrv_addr", Attribute.NAME_SERVER),
            ("message_model", Attribute.MESSAGE_MODEL),
        ):
            held = self.item(None, value, Literal(key, value.at), None, value.at, self.module)
            entries = self.known(value)
            if isinstance(entries, Entries):
                found = [v for k, v in entries.entries if isinstance(k, Literal) and k.text == key]
                if not found:
                    continue
                held = found[-1]
            site.settings.append(Setting(attribute, held, held.at))

    def _filter(self, value: Expr | None) -> tuple[Expr | None, Expr | None]:
        """Expression and filter type of a filter object, a selector, a bare text or nothing."""
        if value is None or is_none(value):
            return None, None
        held = self.known(value)
        if isinstance(held, Entries):
            found = {k.text: v for k, v in held.entries if isinstance(k, Literal)}
            if "expression" in found or "filter_type" in found:
                return found.get("expression"), found.get("filter_type")
        if isinstance(held, Literal):
            return held, None
        if isinstance(held, Name) and held.candidates[0].rpartition("#")[2] == "SUBSCRIBE_ALL":
            return None, None
        at = value.at
        return (
            Call(("builtin:getitem",), (Argument(value), Argument(Literal("expression", at)), Argument(Literal("*", at))), at),
            Call(("builtin:getitem",), (Argument(value), Argument(Literal("filter_type", at)), Argument(Literal("TAG", at))), at),
        )  # fmt: skip

    def _table(self, site: Site, value: Expr, at: Span) -> None:
        held = self.known(value)
        if isinstance(held, Entries):
            for key, filter_ in held.entries:
                expression, kind = self._filter(filter_)
                site.subscriptions.append(SubscriptionSite(key.at, key, expression, kind))
            return
        site.subscriptions.append(SubscriptionSite(at, value, None, None, table=True))

    def _event(
        self, method: str, receiver: Expr, args: tuple[Argument, ...], node: cst.Call, scope: Scope
    ) -> None:
        at = self.span(node.func.attr if isinstance(node.func, cst.Attribute) else node.func)
        self.events[at] = Event(method, receiver, args, at, scope.symbol, scope.type)

    # -- other calls -----------------------------------------------------------------------------------------

    def note_call(
        self, node: cst.Call, callee: str, result: Expr, args: tuple[Argument, ...], scope: Scope
    ) -> None:
        if not self.tracked:
            return
        self._note_indirect(node, args, scope)
        final = ""
        candidates: tuple[str, ...] = ()
        receiver: Expr | None = None
        match result:
            case New(candidates=names):
                final = names[0].rpartition(".")[2]
                candidates = tuple(f"{name}#<init>" for name in names)
                if final not in self.tracked and callee in self.tracked:
                    final = callee
            case Call(candidates=names):
                final = names[0].rpartition("#")[2].rpartition(".")[2]
                candidates = names
                if final not in self.tracked and callee in self.tracked:
                    final = callee
            case Member(target=target, name=name):
                final = name
                receiver = target
                if isinstance(target, This) and scope.type:
                    candidates = (f"{scope.type}#{name}",)
            case _:
                final = callee
        if final not in self.tracked:
            return
        at = self.span(node.func.attr if isinstance(node.func, cst.Attribute) else node.func)
        self.calls.append(CallSite(final, candidates, receiver, args, at, scope.symbol, scope.type))

    def _note_indirect(self, node: cst.Call, args: tuple[Argument, ...], scope: Scope) -> None:
        """`Thread(target=f, args=(…))`, `submit(f, …)`, `partial(f, …)`: calls of `f` with those arguments."""
        given = {argument.name: argument.value for argument in args if argument.name}
        plain = [argument.value for argument in args if not argument.name]
        target = given.get("target")
        passed: list[Argument] = []
        if target is not None:
            rows = given.get("args")
            if isinstance(rows, Items):
                passed = [Argument(item) for item in rows.items]
            named = given.get("kwargs")
            if isinstance(named, Entries):
                passed += [
                    Argument(value, key.text) for key, value in named.entries if isinstance(key, Literal)
                ]
        else:
            name = (
                node.func.attr.value
                if isinstance(node.func, cst.Attribute)
                else node.func.value
                if isinstance(node.func, cst.Name)
                else ""
            )
            if name not in (
                "submit",
                "partial",
                "to_thread",
                "run_in_executor",
                "apply_async",
                "spawn",
                "add_job",
            ):
                return
            skip = 1 if name == "run_in_executor" else 0
            if len(plain) <= skip:
                return
            target, passed = plain[skip], [Argument(value) for value in plain[skip + 1 :]]
            passed += [argument for argument in args if argument.name]
        at = target.at
        if isinstance(target, Name):
            simple = target.candidates[0].replace("#", ".").rpartition(".")[2]
            if simple in self.tracked:
                self.calls.append(
                    CallSite(simple, target.candidates, None, tuple(passed), at, scope.symbol, scope.type)
                )
        elif isinstance(target, Member) and target.args is None and target.name in self.tracked:
            own = (f"{scope.type}#{target.name}",) if isinstance(target.target, This) and scope.type else ()
            self.calls.append(
                CallSite(target.name, own, target.target, tuple(passed), at, scope.symbol, scope.type)
            )

    # -- linking ---------------------------------------------------------------------------------------------

    def _linked(self, value: Expr, type_: str, depth: int) -> list[Site]:
        """The sites of this file whose consumer an expression certainly is."""
        if depth > LINK_DEPTH_MAX:
            return []
        match value:
            case Created(site=span):
                return [self.sites[span]] if span in self.sites else []
            case OneOf(options=options):
                return [site for option in options for site in self._linked(option, type_, depth + 1)]
            case Items(items=items):
                return [site for item in items for site in self._linked(item, type_, depth + 1)]
            case LoopVar(source=source, path=path):
                held = self.known(source)
                return self._linked(held, type_, depth + 1) if isinstance(held, Items) and not path else []
            case Name(candidates=candidates):
                owner, _, member = candidates[0].partition("#")
                if owner == "~" and member:
                    return [
                        s for v in self.module_values.get(member, ()) for s in self._linked(v, "", depth + 1)
                    ]
                if owner.startswith("~.") and member and owner[2:] in self.classes:
                    return self._attribute_sites(owner, member, depth)
                return []
            case This():
                info = self.classes.get(type_[2:]) if type_ else None
                return (
                    [self.sites[span] for span in info.own_sites if span in self.sites]
                    if info is not None
                    else []
                )
            case Member(target=This(), name=name, args=None) if type_:
                return self._attribute_sites(type_, name, depth)
            case Member(target=New(candidates=candidates), name=name, args=None):
                return (
                    self._attribute_sites(candidates[0], name, depth)
                    if candidates[0].startswith("~.")
                    else []
                )
            case _:
                return []

    def _attribute_sites(self, type_: str, name: str, depth: int) -> list[Site]:
        info = self.classes.get(type_[2:])
        if info is None:
            return []
        values = list(info.attributes.get(name, ()))
        held = info.fields.get(name)
        if held is not None and held.value is not None:
            values.append(held.value)
        found = [site for value in values for site in self._linked(value, type_, depth + 1)]
        if found or values:
            return found
        parents = [base for names in info.bases for base in names if base.startswith("~.")]
        return [site for base in parents for site in self._attribute_sites(base, name, depth + 1)]

    def link(self) -> list[Use]:
        """Give every event to its site, or make it a use of a consumer from elsewhere."""
        uses: list[Use] = []
        default = self._default_shape()
        for event in sorted(self.events.values(), key=lambda e: e.at):
            sites = list({site.at: site for site in self._linked(event.receiver, event.type, 0)}.values())
            if sites:
                for site in sites:
                    for what in self._what(event, site.maker.shape):
                        here = event.symbol == site.symbol or (
                            event.type == site.type and not any(has_param(value) for value in _values(what))
                        )
                        if here and isinstance(what, Setting):
                            site.settings.append(what)
                        elif here and isinstance(what, SubscriptionSite):
                            site.subscriptions.append(what)
                        else:
                            uses.append(
                                Use(Created(site.at, event.receiver.at), what, event.symbol, event.type)
                            )
                continue
            for what in self._what(event, default):
                uses.append(Use(event.receiver, what, event.symbol, event.type))
        return uses

    def _default_shape(self) -> Shape:
        """How `subscribe` of a consumer from elsewhere is read: as the library this file imports does."""
        for module in self.imported:
            if module.startswith("pyrocketmq"):
                return Shape.SELECTOR
            if module == "rocketmq" or module.startswith("rocketmq.v5"):
                return Shape.FILTER
            if module == "librocketmqclientpython":
                return Shape.EXPRESSION
        return Shape.CALLBACK

    def _what(self, event: Event, shape: Shape) -> list[Setting | SubscriptionSite]:
        if event.method in clients.SETTERS:
            if not event.args:
                return []
            attribute = clients.SETTERS[event.method]
            value = event.args[0].value
            return [
                Setting(attribute, _model(value) if attribute is Attribute.MESSAGE_MODEL else value, event.at)
            ]
        if event.method == "orderly":
            return [Setting(Attribute.CONSUME_MODE, Literal("ORDERLY", event.at), event.at)]
        if event.method == "pull":
            given = _by_parameter(event.args, (("topic", ""), ("expression", "")))
            topic = given.get("topic")
            return (
                [SubscriptionSite(event.at, topic, given.get("expression"), None)]
                if topic is not None
                else []
            )
        if event.method == "subscribe_lite":
            return []  # a lite topic below the bound one: dynamic by design
        names = {
            Shape.CALLBACK: ("topic", "callback", "expression"),
            Shape.FILTER: ("topic", "filter_expression"),
            Shape.SELECTOR: ("topic", "selector", "listener"),
            Shape.EXPRESSION: ("topic", "expression"),
        }[shape]
        given = _by_parameter(event.args, tuple((name, "") for name in names))
        topic = given.get("topic")
        if topic is None:
            if any(argument.name in ("*", "**") for argument in event.args):
                topic = Unknown(Why.UNSUPPORTED, "arguments passed on", event.at)
            else:
                return []
        if event.method == "unsubscribe":
            return [SubscriptionSite(event.at, topic, None, None, removes=True)]
        expression: Expr | None = None
        kind: Expr | None = None
        match shape:
            case Shape.CALLBACK:
                second = given.get("callback")
                third = given.get("expression")
                if third is None and second is not None and isinstance(self.known(second), Entries):
                    expression, kind = self._filter(second)
                else:
                    expression = None if third is not None and is_none(third) else third
                    self._check_callback(second, third, event)
            case Shape.FILTER:
                expression, kind = self._filter(given.get("filter_expression"))
            case Shape.SELECTOR:
                expression, kind = self._filter(given.get("selector"))
            case Shape.EXPRESSION:
                expression = given.get("expression")
        return [SubscriptionSite(event.at, topic, expression, kind)]

    def _check_callback(self, second: Expr | None, third: Expr | None, event: Event) -> None:
        if third is None and second is not None and isinstance(self.known(second), Literal):
            text = self.known(second)
            assert isinstance(text, Literal)
            problem = Problem(
                "unrecognised-use",
                f"{text.text!r} stands in the place of the callback: the filter stays '*'",
                "subscribe takes (topic, callback, expression); give the expression as third argument",
                second.at,
            )
            if problem not in self.problems:
                self.problems.append(problem)

    # -- results ---------------------------------------------------------------------------------------------

    def types(self) -> tuple[Type, ...]:
        fields = []
        for name, values in self.module_values.items():
            at = self._module_spans.get(name, START)
            fields.append(Field(name, _types_of(values), (), one_of(values, values[0].at) if values else None, True, len(values) == 1, (), at))  # fmt: skip
        methods = tuple(self.functions.values())
        result = [Type("~", TypeKind.MODULE, (), (), tuple(fields), methods, False, START)]
        for info in self.classes.values():
            held = dict(info.fields)
            for name, values in info.attributes.items():
                if name in held:
                    held[name] = replace(held[name], static=False)
                held.setdefault(name, Field(name, _types_of(values), (), None, False, False, (), info.at))
            flat = {candidate for names in info.bases for candidate in names}
            kind = TypeKind.ENUM if flat & set(_ENUMS) else TypeKind.CLASS
            abstract = bool(flat & set(_ABSTRACT)) or any(method.abstract for method in info.methods)
            abstract = abstract or self._lacks_values(info)
            result.append(
                Type(
                    info.name,
                    kind,
                    info.bases,
                    info.annotations,
                    tuple(held.values()),
                    tuple(info.methods),
                    abstract,
                    info.at,
                )
            )
        return tuple(result)

    def _lacks_values(self, info: ClassInfo) -> bool:
        """Whether a class makes a consumer from attributes of `self` that only its subclasses can give."""
        outside = any(base not in ("object", "builtins.object") for names in info.bases for base in names)
        for site in self.sites.values():
            if site.type != info.name:
                continue
            parts = [setting.value for setting in site.settings if setting.attribute is Attribute.GROUP]
            parts += [each.topic for each in site.subscriptions]
            for part in (inner for value in parts for inner in walk(value)):
                if isinstance(part, Member) and part.args is None and isinstance(part.target, This):
                    held = info.fields.get(part.name)
                    assigned = part.name in info.attributes or part.name in info.method_names
                    empty = held is not None and (held.value is None or is_none(held.value))
                    if not assigned and (empty or (held is None and not outside)):
                        return True
        return False

    def consumer_sites(self) -> tuple[ConsumerSite, ...]:
        return tuple(
            ConsumerSite(
                site.maker.api,
                site.at,
                site.symbol,
                site.type,
                tuple(site.settings),
                tuple(site.subscriptions),
            )
            for site in sorted(self.sites.values(), key=lambda s: s.at)
        )


def _fresh_parser(value: Expr) -> bool:
    return isinstance(value, Call) and value.candidates == ("builtin:load_file",) and not value.args


def _is_main_test(test: cst.BaseExpression) -> bool:
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return False
    sides = (test.left, test.comparisons[0].comparator)
    names = [side.value for side in sides if isinstance(side, cst.Name)]
    texts = [side.evaluated_value for side in sides if isinstance(side, cst.SimpleString)]
    return names == ["__name__"] and texts == ["__main__"]


def _dotted(node: cst.BaseExpression) -> str:
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if isinstance(node, cst.Name):
        parts.append(node.value)
    return ".".join(reversed(parts))


def _only_raises(node: cst.FunctionDef) -> bool:
    """Whether a body only raises NotImplementedError (after its docstring)."""
    statements = list(node.body.body)
    if len(statements) > 2 or not statements:
        return False
    last = statements[-1]
    if (
        not isinstance(last, cst.SimpleStatementLine)
        or not last.body
        or not isinstance(last.body[0], cst.Raise)
    ):
        return False
    raised = last.body[0].exc
    raised = raised.func if isinstance(raised, cst.Call) else raised
    return isinstance(raised, cst.Name) and raised.value == "NotImplementedError"


def _env_prefix(node: cst.ClassDef) -> str:
    for statement in node.body.body:
        if isinstance(statement, cst.SimpleStatementLine):
            for part in statement.body:
                if isinstance(part, cst.Assign) and isinstance(part.value, cst.SimpleString):
                    target = part.targets[0].target
                    text = part.value.evaluated_value
                    if (
                        isinstance(target, cst.Name)
                        and target.value == "env_prefix"
                        and isinstance(text, str)
                    ):
                        return text
    return ""


def _prefix_of(value: Expr) -> str:
    """`env_prefix` of a pydantic `SettingsConfigDict(…)` or a plain dict."""
    if isinstance(value, New | Call):
        found = next((a.value for a in value.args if a.name == "env_prefix"), None)
        return found.text if isinstance(found, Literal) else ""
    if isinstance(value, Entries):
        for key, held in value.entries:
            if isinstance(key, Literal) and key.text == "env_prefix" and isinstance(held, Literal):
                return held.text
    return ""


def _by_parameter(args: tuple[Argument, ...], parameters: tuple[tuple[str, str], ...]) -> dict[str, Expr]:
    given: dict[str, Expr] = {}
    position = 0
    for argument in args:
        if argument.name in ("*", "**"):
            position = len(parameters)
        elif argument.name:
            given[argument.name] = argument.value
        elif position < len(parameters):
            given[parameters[position][0]] = argument.value
            position += 1
    return given


def _orderly(value: Expr) -> Expr:
    """`orderly=` in the words of the model."""
    at = value.at
    if isinstance(value, Literal):
        return Literal("ORDERLY" if value.text == "True" else "CONCURRENTLY", at)
    words = Entries(
        (
            (Literal("True", at), Literal("ORDERLY", at)),
            (Literal("False", at), Literal("CONCURRENTLY", at)),
        ),
        at,
    )
    return Call(("builtin:getitem",), (Argument(words), Argument(value)), at)


def _model(value: Expr) -> Expr:
    if isinstance(value, Literal) and value.text in ("0", "1"):
        return Literal("BROADCASTING" if value.text == "0" else "CLUSTERING", value.at)
    return value


def _values(what: Setting | SubscriptionSite) -> tuple[Expr | None, ...]:
    if isinstance(what, Setting):
        return (what.value,)
    return (what.topic, what.expression, what.filter_type)


def _types_of(values: list[Expr]) -> tuple[str, ...]:
    for value in values:
        if isinstance(value, New):
            return value.candidates
    return ()

"""Python functions and classes -> `Type`s with fields and methods; bodies run after what surrounds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from linter.clients import python as clients
from linter.clients.python import Maker
from linter.extract.python.scope import (
    ClassInfo,
    Scope,
    one_of,
)
from linter.extract.python.statements import Statements, dotted
from linter.model.expr import (
    Argument,
    Call,
    Entries,
    EnvVar,
    Expr,
    Items,
    Literal,
    Member,
    Name,
    New,
    Param,
    Unknown,
    Why,
)
from linter.model.facts import (
    AnnotationUse,
    Field,
    Method,
    Type,
    TypeKind,
)
from linter.model.location import START

if TYPE_CHECKING:
    from libcst.metadata import CodeRange

_FIXTURES = (
    "pytest.fixture",
    "pytest_asyncio.fixture",
    "contextlib.contextmanager",
    "contextlib.asynccontextmanager",
)
_ENUMS = ("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag")
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


class Declarations(Statements):
    """Reads declarations; the subclass knows consumers."""

    def __init__(
        self, positions: Mapping[cst.CSTNode, CodeRange], tracked: frozenset[str], once: frozenset[str]
    ) -> None:
        super().__init__(positions, tracked, once)
        self.client_names_used: set[str] = set()
        self._functions: dict[str, Method] = {}
        self._queue: list[tuple[cst.FunctionDef, Scope, ClassInfo | None, str]] = []

    def lacks_values(self, info: ClassInfo) -> bool:
        """Whether a class cannot run by itself: it makes a consumer from what only its subclasses have."""
        raise NotImplementedError

    def read(self, module: cst.Module) -> None:
        """Run the module, then the bodies it queued, then those they queued."""
        self.block(module.body, self.module)
        while self._queue:
            batch, self._queue = self._queue, []
            for node, scope, owner, name in batch:
                self._function(node, scope, owner, name)

    # -- functions -------------------------------------------------------------------------------------------

    def _decorators(self, nodes: Sequence[cst.Decorator], scope: Scope) -> tuple[AnnotationUse, ...]:
        found = []
        for node in nodes:
            inner = node.decorator
            func = inner.func if isinstance(inner, cst.Call) else inner
            held = self.expr(inner, scope)
            names = self.full_names(self.expr(func, scope)) or (dotted(func),)
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

    def define(self, node: cst.FunctionDef, scope: Scope, owner: ClassInfo | None) -> None:
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
            if dotted(inner.value).rpartition(".")[2] in (
                "Optional",
                "Annotated",
                "ClassVar",
                "Final",
            ) and isinstance(first, cst.Index):
                inner = first.value
        if isinstance(inner, cst.BinaryOperation):
            inner = inner.left
        name = inner.evaluated_value if isinstance(inner, cst.SimpleString) else dotted(inner)
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
            self._functions[name] = summary

    # -- classes ---------------------------------------------------------------------------------------------

    def define_class(self, node: cst.ClassDef, scope: Scope) -> None:
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
                self.define(node, outer, info)
            case cst.ClassDef():
                if node.name.value == "Config":
                    info.env_prefix = info.env_prefix or _env_prefix(node)
                self.define_class(node, body)
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
            return self.plain_call(value, None, "", (), value.at, scope)
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

    # -- the result ------------------------------------------------------------------------------------------

    def types(self) -> tuple[Type, ...]:
        fields = []
        for name, values in self.module_values.items():
            at = self.module_spans.get(name, START)
            value = one_of(values, values[0].at) if values else None
            fields.append(Field(name, _types_of(values), (), value, True, len(values) == 1, (), at))
        methods = tuple(self._functions.values())
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
            abstract = abstract or self.lacks_values(info)
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


def _types_of(values: list[Expr]) -> tuple[str, ...]:
    for value in values:
        if isinstance(value, New):
            return value.candidates
    return ()

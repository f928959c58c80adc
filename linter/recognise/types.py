"""The types a file declares -> `Type` facts: constants, annotations, and what methods say of themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Expr, Items, New, OneOf, Unknown, Why
from subdrift.linter.model.facts import AnnotationUse, Field, Method, Type, TypeKind
from subdrift.linter.model.location import Span
from subdrift.linter.recognise.names import Names, Scope
from subdrift.linter.recognise.values import Values

RETURNS_MAX = 16
"""Return statements of one method that are read."""

_SILENT = frozenset({"Override", "SuppressWarnings"})
"""Annotations that nobody asks about, and that stand at most methods."""

_RETURNING = frozenset({"selectImports"})
"""Methods, other than those of beans, whose written results are asked for."""


class Types:
    """Reads the declarations of one file of a language of the JVM."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.values = Values(names)

    def all(self) -> tuple[Type, ...]:
        return tuple(self._type(scope) for scope in self.names.scopes)

    def _type(self, scope: Scope) -> Type:
        decl = scope.decl
        return Type(
            scope.name,
            scope.kind,
            scope.supers,
            self.annotations(decl.annotations, scope),
            tuple(self._fields(scope)),
            tuple(self._method(method, scope) for method in decl.methods),
            scope.kind is TypeKind.INTERFACE or (scope.kind is TypeKind.CLASS and decl.abstract),
            Span(*decl.name_at),
            _is_inner(scope),
        )

    # -- annotations ------------------------------------------------------------------------------------------

    def annotations(self, written: Iterable[ir.Annotation], scope: Scope) -> tuple[AnnotationUse, ...]:
        """The annotations of a declaration inside a type (or of the type itself)."""
        return tuple(
            self._annotation(each, scope) for each in written if each.name.rpartition(".")[2] not in _SILENT
        )

    def _annotation(self, written: ir.Annotation, scope: Scope) -> AnnotationUse:
        args: dict[str, Expr] = {}
        last = ""
        for one in written.args:
            value = self.values.of(one.value, scope)
            if one.name or not last:
                last = one.name or "value"
                args[last] = value
            else:  # Kotlin's way to write the elements of an array
                before = args[last]
                listed = before.items if isinstance(before, Items) else (before,)
                args[last] = Items((*listed, value), Span(*written.at))
        return AnnotationUse(self.names.types(written.name, scope), tuple(args.items()), Span(*written.at))

    # -- fields -----------------------------------------------------------------------------------------------

    def _fields(self, scope: Scope) -> Iterator[Field]:
        decl = scope.decl
        for component in decl.components or ():
            if component.property:
                default = component.default if scope.kind is TypeKind.ANNOTATION else None
                yield self._field(
                    component.name,
                    component.type,
                    None if default is None else self.values.of(default, scope),
                    scope,
                    component.at,
                    component.annotations,
                )
        for constant in decl.constants:
            at = _named(constant.name, constant.at)
            value = New((scope.name,), (), at)
            yield Field(constant.name, (scope.name,), (), value, True, True, (), at)
        for field in decl.fields:
            yield self._declared(field, scope)
        for inner in scope.nested.values():
            if inner.decl.kind == "companion":
                yield from (self._declared(field, inner) for field in inner.decl.fields)

    def _declared(self, field: ir.FieldDecl, scope: Scope) -> Field:
        constants = scope.kind in (TypeKind.INTERFACE, TypeKind.ANNOTATION) and not self.names.kotlin
        value: Expr | None = None
        if field.value is not None and (constants or field.static or field.final):
            null = isinstance(field.value, ir.Const) and field.value.value is None
            value = None if null else self.values.of(field.value, scope)
        static = field.static or scope.static or (constants and scope.kind is TypeKind.INTERFACE)
        return self._field(
            field.name,
            field.type,
            value,
            scope,
            field.at,
            field.annotations,
            static=static,
            final=constants or field.final,
        )

    def _field(
        self,
        name: str,
        ref: ir.TypeRef | None,
        value: Expr | None,
        scope: Scope,
        at: ir.At,
        annotations: tuple[ir.Annotation, ...],
        *,
        static: bool = False,
        final: bool = False,
    ) -> Field:
        return Field(
            name,
            self.names.of_type(ref, scope),
            self.names.element_of(ref, scope),
            value,
            static,
            final,
            self.annotations(annotations, scope),
            _named(name, at),
        )

    # -- methods ----------------------------------------------------------------------------------------------

    def _method(self, method: ir.MethodDecl, scope: Scope) -> Method:
        annotations = self.annotations(method.annotations, scope)
        simple = {each.name.rpartition(".")[2] for each in method.annotations}
        asked = method.name in _RETURNING or not simple.isdisjoint(("Bean",))
        returns = self._returns(method, scope) if asked else self._handed_up(method, scope)
        declared = self.names.of_type(method.returns, scope)
        if method.returns is None and isinstance(returns, New):
            declared = returns.candidates  # a Kotlin function's type need not be written
        return Method(
            method.name,
            returns,
            declared,
            method.static or scope.static,
            method.body is None,
            annotations,
            Span(*method.name_at),
        )

    def _handed_up(self, method: ir.MethodDecl, scope: Scope) -> Expr | None:
        """What a class tells a superclass that may be a library's: a name that a method without arguments gives, the
        arguments of the superclass's constructor."""
        if not scope.supers or scope.kind is not TypeKind.CLASS or not method.body or method.static:
            return None
        first = method.body[0]
        if method.name == "<init>":
            call = next((one.value for one in method.body if isinstance(one, ir.Do) and _hands_up(one)), None)
            if isinstance(call, ir.Call):
                own = {each.name for each in method.params}
                own |= {one.name for one in method.body if isinstance(one, ir.Let)}
                given = tuple(
                    Unknown(Why.DYNAMIC, f"parameter {one.value.name}", Span(*one.value.at))
                    if isinstance(one.value, ir.Name) and one.value.name in own
                    else self.values.of(one.value, scope)
                    for one in call.args
                )
                return Items(given, Span(*call.at)) if given else None
            return None
        if method.params or len(method.body) > 1 or not isinstance(first, ir.Return):
            return None
        told = first.value
        named = isinstance(told, ir.Name | ir.Attribute) and told.name.isupper()
        if named or (isinstance(told, ir.Const) and isinstance(told.value, str)):
            return self.values.of(told, scope) if told is not None else None
        return None

    def _returns(self, method: ir.MethodDecl, scope: Scope) -> Expr | None:
        """What the return statements of a method say, a local by what was assigned to it."""
        locals_: dict[str, list[ir.Expr]] = {}
        returned: list[ir.Expr] = []
        for one in statements(method.body or ()):
            if isinstance(one, ir.Let) and one.value is not None:
                locals_.setdefault(one.name, []).append(one.value)
            elif isinstance(one, ir.Do) and isinstance(one.value, ir.Assign):
                if isinstance(one.value.target, ir.Name):
                    locals_.setdefault(one.value.target.name, []).append(one.value.value)
            elif isinstance(one, ir.Return) and one.value is not None:
                returned.append(one.value)
        options: dict[Expr, None] = {}
        for node in returned[:RETURNS_MAX]:
            meant = locals_.get(node.name, [node]) if isinstance(node, ir.Name) else [node]
            options.update(dict.fromkeys(self.values.of(each, scope) for each in meant[:RETURNS_MAX]))
        if len(options) > 1:
            return OneOf(tuple(options), Span(*method.at))
        return next(iter(options), None)


def statements(body: Iterable[ir.Stmt]) -> Iterator[ir.Stmt]:
    """The statements of a body and of what is nested in it, in source order; not those of lambdas and classes."""
    stack = list(body)[::-1]
    while stack:
        one = stack.pop()
        yield one
        inner: list[ir.Stmt] = []
        match one:
            case ir.If(then=then, otherwise=otherwise):
                inner = [*then, *otherwise]
            case ir.ForEach(body=nested, otherwise=otherwise) | ir.While(body=nested, otherwise=otherwise):
                inner = [*nested, *otherwise]
            case ir.Switch(cases=cases):
                inner = [each for case in cases for each in case.body]
            case ir.Try(body=nested, catches=catches, otherwise=otherwise, final=final):
                caught = [each for handler in catches for each in handler.body]
                inner = [*nested, *caught, *otherwise, *final]
            case ir.With(body=nested) | ir.Block(body=nested):
                inner = list(nested)
        stack.extend(reversed(inner))


def _hands_up(one: ir.Stmt) -> bool:
    """Whether a statement is a constructor's `super(…)`."""
    call = one.value if isinstance(one, ir.Do) else None
    return isinstance(call, ir.Call) and call.name == "<init>" and isinstance(call.target, ir.Super)


def _is_inner(scope: Scope) -> bool:
    """Whether a nested class is not static, written or implied."""
    outer = scope.parent
    return (
        outer is not None
        and scope.decl.kind == "class"
        and outer.kind not in (TypeKind.INTERFACE, TypeKind.ANNOTATION)
        and not scope.decl.static
    )


def _named(name: str, at: ir.At) -> Span:
    """The place of the name a declaration begins with."""
    return Span(at[0], at[1], at[0], at[1] + len(name))

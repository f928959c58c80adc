"""Written constants -> `Expr`: arguments of annotations and initialisers, with imports applied, nothing evaluated.

What code computes is not read here; it is run (`linter.resolve.execute`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from subdrift.linter.clients.apis import JAVA_CONSTANTS
from subdrift.linter.model import ir
from subdrift.linter.model.expr import (
    Call,
    Concat,
    Expr,
    Items,
    Literal,
    Member,
    Name,
    New,
    OneOf,
    TypeName,
    Unknown,
    Why,
)
from subdrift.linter.model.location import Span
from subdrift.linter.model.message import phrase
from subdrift.linter.recognise.names import Names, Scope

DEPTH_MAX = 60
"""Expressions inside expressions."""

TERMS_MAX = 2_000
"""Terms of one sum, elements of one list."""

_OPAQUE = {"ERROR": Why.BROKEN, "too-many": Why.TOO_MANY}
"""Why a value is not known, by what was not lowered."""

_CLASS_NAMES = {
    "getSimpleName": "simple_name",
    "getName": "qualified_name",
    "getCanonicalName": "qualified_name",
    "getTypeName": "qualified_name",
}


class Values:
    """Reads the constants of one file."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def of(self, node: ir.Expr, scope: Scope | None, depth: int = 0) -> Expr:
        """What an expression says, where `scope` is the type it stands in."""
        at = Span(*node.at)
        if depth > DEPTH_MAX:
            return Unknown(Why.TOO_MANY, phrase("expression-that-is-too-large"), at)
        match node:
            case ir.Const(value=value):
                return _constant(value, at)
            case ir.Name(name=name):
                return self._name(name, scope, at)
            case ir.Attribute(target=target, name=name):
                return self._attribute(node, target, name, scope, at, depth)
            case ir.Binary(operator="+"):
                return self._sum(node, scope, at, depth)
            case ir.Unary(operator="-", operand=ir.Const(value=int() | float() as number)) if not isinstance(
                number, bool
            ):
                return Literal(f"-{number}", at)
            case ir.Conditional(then=then, otherwise=otherwise):
                options = [self.of(one, scope, depth + 1) for one in (then, otherwise)]
                return OneOf(tuple(dict.fromkeys(options)), at)
            case ir.Join(parts=parts):
                return Concat(tuple(self.of(part, scope, depth + 1) for part in parts), at)
            case ir.Sequence(items=items) if len(items) <= TERMS_MAX:
                return Items(tuple(self.of(item, scope, depth + 1) for item in items), at)
            case ir.TypeLiteral(type=ref):
                return TypeName(self.names.of_type(ref, scope), at)
            case ir.New(type=ref, args=args):
                return New(self.names.of_type(ref, scope), self._given(args, scope, depth), at)
            case ir.Cast(type=ref, value=inner):
                return _cast(ref.name, self.of(inner, scope, depth + 1), at)
            case ir.Call(target=ir.TypeLiteral() as of, name=called) if (
                called in _CLASS_NAMES and not node.args
            ):
                return Call(_CLASS_NAMES[called], (self.of(of, scope, depth + 1),), at)
            case ir.Call(target=None, name="arrayOf", args=args) if self.names.kotlin:
                return Items(tuple(self.of(one.value, scope, depth + 1) for one in args), at)
            case ir.Call(target=None, name=called, args=args) if (
                self.names.kotlin and called and self.names.is_type(called, scope)
            ):
                return New(self.names.types(called, scope), self._given(args, scope, depth), at)
            case ir.Call(name=called):
                return Unknown(Why.DYNAMIC, phrase("call-of", called), at)
            case ir.Opaque(what=what):
                return Unknown(_OPAQUE.get(what, Why.UNSUPPORTED), what, at)
            case _:
                return Unknown(Why.UNSUPPORTED, type(node).__name__, at)

    def _given(
        self, args: Iterable[ir.Argument], scope: Scope | None, depth: int
    ) -> tuple[tuple[str, Expr], ...]:
        """Arguments by name, as those of an annotation inside another."""
        return tuple((one.name or "value", self.of(one.value, scope, depth + 1)) for one in args)

    # -- sums -------------------------------------------------------------------------------------------------

    def _sum(self, node: ir.Binary, scope: Scope | None, at: Span, depth: int) -> Expr:
        terms: list[ir.Expr] = []
        left: ir.Expr = node
        while isinstance(left, ir.Binary) and left.operator == "+":
            terms.append(left.right)
            if len(terms) > TERMS_MAX:
                return Unknown(Why.TOO_MANY, phrase("sum-with-too-many-terms"), at)
            left = left.left
        terms.append(left)
        terms.reverse()
        if _is_number(terms[0]) and _is_number(terms[1]):
            return Unknown(Why.UNSUPPORTED, "arithmetic", at)
        return Concat(tuple(self.of(term, scope, depth + 1) for term in terms), at)

    # -- names ------------------------------------------------------------------------------------------------

    def _name(self, name: str, scope: Scope | None, at: Span) -> Expr:
        if self.names.is_type(name, scope):
            return Name(self.names.types(name, scope), at)
        candidates = self.names.members(name, scope)
        return _library_constant(candidates, at) or Name(candidates, at)

    def _attribute(
        self, node: ir.Expr, target: ir.Expr, name: str, scope: Scope | None, at: Span, depth: int
    ) -> Expr:
        if isinstance(target, ir.This) and scope is not None:
            owners = self.names.types(target.type, scope) if target.type else (scope.name,)
            return Name(tuple(f"{owner}#{name}" for owner in owners), at)
        if isinstance(target, ir.Super) and scope is not None:
            return Name(tuple(f"{one}#{name}" for names in scope.supers for one in names), at)
        parts = dotted(node)
        if not parts:
            return Member(self.of(target, scope, depth + 1), name, at)
        return self._qualified(parts, scope, at)

    def _qualified(self, parts: list[str], scope: Scope | None, at: Span) -> Expr:
        """`a.b.C.D`: a field's fields, or a member of a type, told apart by declarations, then by spelling."""
        if self.names.is_variable(parts[0], scope) and not self.names.is_qualified(parts, scope):
            found: Expr = self._name(parts[0], scope, at)
            rest = 1
        else:
            rest = self.names.type_length(parts, scope)
            candidates = self.names.types(".".join(parts[:rest]), scope)
            if rest == len(parts):
                return Name(candidates, at)
            members = tuple(f"{candidate}#{parts[rest]}" for candidate in candidates)
            found = _library_constant(members, at) or Name(members, at)
            rest += 1
        for part in parts[rest:]:
            found = Member(found, part, at)
        return found


def _cast(to: str, value: Expr, at: Span) -> Expr:
    """A constant in another primitive type, as far as its text is the same or a character there; an object stays itself."""
    if to not in _PRIMITIVES:
        return value
    text = value.text if isinstance(value, Literal) else ""
    if to == "char" and text.isascii() and text.isdigit() and len(text) > 1:
        return Literal(chr(int(text)), at) if int(text) <= _CHAR_MAX else Unknown(Why.UNSUPPORTED, "cast", at)
    whole = to in ("int", "long") and re.fullmatch(r"-?\d{2,9}", text) is not None
    return value if whole else Unknown(Why.UNSUPPORTED, "cast", at)


_PRIMITIVES = frozenset({"char", "byte", "short", "int", "long", "float", "double"})
_CHAR_MAX = 0xFFFF


def dotted(node: ir.Expr) -> list[str]:
    """The names of `a.b.c`; empty when something else is among them."""
    parts: list[str] = []
    current = node
    while isinstance(current, ir.Attribute) and len(parts) <= DEPTH_MAX:
        parts.append(current.name)
        current = current.target
    if not isinstance(current, ir.Name):
        return []
    return [current.name, *reversed(parts)]


def _constant(value: str | int | float | bool | None, at: Span) -> Expr:
    if value is None:
        return Call("none", (), at)
    if isinstance(value, bool):
        return Literal("true" if value else "false", at)
    return Literal(value if isinstance(value, str) else str(value), at)


def _is_number(node: ir.Expr) -> bool:
    if isinstance(node, ir.Binary):
        return _is_number(node.left) and _is_number(node.right)
    return (
        isinstance(node, ir.Const)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    )


def _library_constant(candidates: tuple[str, ...], at: Span) -> Expr | None:
    """A constant of a client library (`MessageModel.BROADCASTING`) as the text it stands for."""
    for candidate in candidates:
        owner, _, member = candidate.partition("#")
        text = JAVA_CONSTANTS.get(owner, {}).get(member)
        if text is not None:
            return Literal(text, at)
    return None

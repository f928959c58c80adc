"""Annotations as values, as `typing`, `inspect` and `dataclasses` hand them out: a class, or a form with arguments."""

from __future__ import annotations

import ast
import collections.abc
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    Frame,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import classes, equality
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.functions import module_frame
from subdrift.linter.resolve.semantics.python.natives import Call, native
from subdrift.linter.resolve.semantics.python.signatures import code_of, returned

ALIAS: Final = "types.GenericAlias"
_ORIGIN, _ARGS = "__origin__", "__args__"
_UNION: Final = TypeValue(None, "typing.Union")
_UNION_TYPE: Final = TypeValue(None, "types.UnionType")
_NONE: Final = TypeValue(None, "types.NoneType")
_BUILT_IN: Final = {
    "List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type",
}  # fmt: skip
_PLAIN: Final = frozenset({"int", "str", "bool", "float", "bytes", "complex", "object", "NoneType"})
"""Classes of Python that take no arguments."""

_GENERIC: Final = frozenset({"Generic", "Protocol"})
_FORMS: Final = frozenset({"ClassVar", "Final", "Generic", "Protocol"})
"""What is its own origin."""

_STRIPPED: Final = frozenset({"Annotated", "Required", "NotRequired", "ReadOnly"})


def alias(run: Interpreter, origin: Guarded, args: Sequence[Guarded], at: Location | None) -> Object:
    """`Origin[args]`."""
    fields: dict[str, Any] = {_ORIGIN: origin, _ARGS: tuple(args), equality.OWN_EQUALITY: _equal}
    return run.make(None, ALIAS, at, fields=fields)


def with_arguments(kind: TypeValue, key: Guarded) -> TypeValue:
    """`Kind[key]` as a value: the class, which knows what it was given."""
    return replace(kind, given=key if isinstance(key, tuple) else (key,))


def _equal(one: Object, other: Any) -> bool | Test:
    """Aliases that are written elsewhere are classes here: nobody knows whether one is equal to its origin."""
    if isinstance(other, TypeValue):
        unsure = Test("true", (Unknown(Why.DYNAMIC, ALIAS),))
        return unsure if equality.equal(one.fields[_ORIGIN], other) is not False else False
    if not isinstance(other, Object) or other.type != ALIAS:
        return False
    return equality.equal(
        (one.fields[_ORIGIN], one.fields[_ARGS]), (other.fields[_ORIGIN], other.fields[_ARGS]), 1
    )


def hint(
    call: Call, written: ir.FieldDecl | ir.Param, frame: Frame, *, resolved: bool, extras: bool = False
) -> Guarded:
    """What an annotation is; behind `from __future__ import annotations` its text, unless it is `resolved`. `extras`: with
    what `Annotated` adds."""
    given = next((one.value for one in written.annotations if one.name == ir.WRITTEN), None)
    whole = given.value if isinstance(given, ir.Const) else None
    later = module_frame(frame).variables.get("annotations", UNSET)
    if written.type is None and whole is None:
        return UNSET
    if not isinstance(whole, str):
        whole = written.type.name if written.type is not None else ""
    if not resolved and isinstance(later, TypeValue) and later.name == "__future__.annotations":
        return text(whole)
    marks = (one.value for one in written.annotations if one.name != ir.WRITTEN)
    return _Reading(call, frame, resolved, marks if extras or not resolved else None).of(whole)


class _Reading:
    def __init__(
        self, call: Call, frame: Frame, resolved: bool, marks: Iterator[ir.Expr | None] | None
    ) -> None:
        self.call = call
        self.frame = frame
        self.resolved = resolved
        self.marks = marks

    def of(self, written: str) -> Guarded:
        try:
            tree = ast.parse(written.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return self.call.unknown(written)
        found = self._value(tree.body)
        return None if found is _NONE and not self.resolved else found

    def _value(self, node: ast.expr) -> Guarded:
        if isinstance(node, ast.Constant) and node.value is None:
            return _NONE
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.of(node.value) if self.resolved else text(node.value)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._named(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._alias(_UNION_TYPE, self._united([node.left, node.right]))
        if isinstance(node, ast.Subscript):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return self._generic(node.value, parts)
        return self.call.unknown(ast.unparse(node))

    def _named(self, node: ast.Name | ast.Attribute) -> Guarded:
        """A class, or a variable that holds a form of one."""
        written = ast.unparse(node)
        found = self.call.python.type_of(self.call.run, ir.TypeRef(written), self.frame)
        if found is None and isinstance(node, ast.Name):
            held = self.call.python.variable(self.frame, node.id)
            if isinstance(held, tuple | Function) or (isinstance(held, Object) and held.type == ALIAS):
                return held  # what `NewType` makes is a function
        if found is None:
            return self.call.unknown(written)
        return found.given[0] if self.marks is None and found.given and found.simple in _STRIPPED else found

    def _generic(self, target: ast.expr, parts: Sequence[ast.expr]) -> Guarded:
        name = ast.unparse(target).rpartition(".")[2]
        if name in _STRIPPED and self.marks is None:
            return self._value(parts[0])
        if name == "Annotated":
            return self._alias(
                self._value(target), [self._value(parts[0]), *(self._mark(each) for each in parts[1:])]
            )
        if name == "Optional":
            return self._alias(_UNION, self._united([*parts, ast.Constant(None)]))
        if name == "Union":
            return self._alias(_UNION, self._united(parts))
        origin = self._value(target)
        if name == "Literal" and all(isinstance(each, ast.Constant) for each in parts):
            values = [each.value for each in parts if isinstance(each, ast.Constant)]
            return self._alias(origin, [text(one) if isinstance(one, str) else one for one in values])
        if name in _BUILT_IN:
            origin = TypeValue(None, f"builtins.{_BUILT_IN[name]}")
        elif isinstance(origin, TypeValue) and origin.name.startswith("typing.") and name not in _FORMS:
            origin = (
                TypeValue(None, f"collections.abc.{name}")
                if name in collections.abc.__all__
                else self.call.unknown(name)
            )
        return self._alias(origin, [self._value(each) for each in parts])

    def _mark(self, node: ast.expr) -> Guarded:
        """What `Annotated` adds: a call as the program writes it, a name, a constant."""
        if isinstance(node, ast.Call) and self.marks is not None:
            written = next(self.marks, None)
            return (
                self.call.unknown("Annotated")
                if written is None
                else self.call.run.value(written, self.frame)
            )
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return text(node.value)
        if isinstance(node, ast.Constant) and not isinstance(node.value, bytes | complex | type(...)):
            return node.value
        found = self.call.python.variable(self.frame, node.id) if isinstance(node, ast.Name) else UNSET
        return self.call.unknown(ast.unparse(node)) if found is UNSET else found

    def _alias(self, origin: Guarded, args: Sequence[Guarded]) -> Object:
        return alias(self.call.run, origin, args, self.call.at)

    def _united(self, parts: Sequence[ast.expr]) -> list[Guarded]:
        flat: list[Guarded] = []
        for each in map(self._value, parts):
            inner = each.fields[_ARGS] if isinstance(each, Object) and _is_union(each) else (each,)
            flat.extend(one for one in inner if not any(equality.equal(one, kept) is True for kept in flat))
        return flat


def _is_union(made: Object) -> bool:
    return made.type == ALIAS and made.fields[_ORIGIN] in (_UNION, _UNION_TYPE)


@native("_native.hints")
def _hints(call: Call) -> Guarded:
    """`hints(value, resolved, extras)`: the annotations of a function's parameters, or of the fields of a class and those
    above it."""
    return call.each(call.get(0), partial(_of, call))


def _of(call: Call, leaf: Any) -> Guarded:
    made = call.run.make(None, "dict", call.at)
    made.entries = []
    resolved = call.get(1) is True
    info = classes.info_of(call.run, leaf.declared) if isinstance(leaf, TypeValue) and leaf.declared else None
    code, skipped = (None, 0) if info is not None and resolved else code_of(call, leaf)
    if code is None and (info is None or not resolved or classes.unseen(call.run, info.declared) is not None):
        return unknown_from((leaf,), "get_type_hints()")
    found = _fields(call, info) if code is None and info is not None else []
    if code is not None:
        found = [(param, code.frame) for param in code.decl.params[skipped:]]
    for decl, frame in found:
        value = hint(call, decl, frame, resolved=resolved, extras=call.get(2) is True)
        if value is not UNSET:
            equality.put(made, text(decl.name), value, True)
    if code is not None and code.decl.returns is not None:
        equality.put(made, text("return"), returned(call, code.decl.returns, code.frame, UNSET), True)
    return made


def _fields(call: Call, info: classes.ClassInfo) -> list[tuple[ir.FieldDecl | ir.Param, Frame]]:
    above = [classes.info_of(call.run, each) for each in reversed(info.order) if not isinstance(each, str)]
    return [(decl, each.frame) for each in above if each is not None for decl in each.annotated]


@native("typing.get_args", "typing_extensions.get_args")
def _get_args(call: Call) -> Guarded:
    return call.each(call.get(0), lambda leaf: _part(leaf, _ARGS, ()))


@native("typing.get_origin", "typing_extensions.get_origin")
def _get_origin(call: Call) -> Guarded:
    return call.each(call.get(0), lambda leaf: _part(leaf, _ORIGIN, None))


def parts_of(written: Guarded) -> tuple[Guarded, tuple[Guarded, ...] | None]:
    """The origin of a form of a type, and its arguments; the type itself and None for one that is not a form."""
    if isinstance(written, tuple):
        return _UNION, written
    if isinstance(written, Object) and written.type == ALIAS:
        return written.fields[_ORIGIN], written.fields[_ARGS]
    if isinstance(written, TypeValue) and written.given:
        found = _of_value(written, _ARGS)
        return _of_value(written, _ORIGIN), found if isinstance(found, tuple) else ()
    return written, None


def _part(leaf: Any, name: str, nothing: Guarded) -> Guarded:
    if isinstance(leaf, Object) and leaf.type == ALIAS:
        return leaf.fields[name]
    if isinstance(leaf, TypeValue) and leaf.given:
        return _of_value(leaf, name)
    if isinstance(leaf, tuple):  # a union that is written as a value
        return leaf if name == _ARGS else unknown_from(leaf, "get_origin()")
    if leaf is None or isinstance(leaf, Text) or (isinstance(leaf, TypeValue) and _takes_none(leaf)):
        return nothing
    return unknown_from((leaf,), f"typing.{name}")


def _of_value(kind: TypeValue, name: str) -> Guarded:
    """What `Kind[…]` in code is of, or was given."""
    simple, given = kind.simple, kind.given
    if simple == "Optional":
        return _UNION if name == _ORIGIN else (*given, _NONE)
    if name == _ARGS:
        return tuple(_NONE if each is None else each for each in given)
    if simple in _BUILT_IN and kind.name.startswith("typing."):
        return TypeValue(None, f"builtins.{_BUILT_IN[simple]}")
    return replace(kind, given=())


def _takes_none(kind: TypeValue) -> bool:
    """Whether a class takes no arguments: it is not one that was given some."""
    if kind.declared is None:
        return kind.simple in _PLAIN and kind.name.partition(".")[0] in ("builtins", "types")
    decl = kind.declared.decl
    return not decl.parameters and not any(
        ref.args or ref.name.rpartition(".")[2] in _GENERIC for ref in decl.supers
    )

"""What `inspect` and `typing` ask of functions: their parameters, and the types that these are annotated with."""

from __future__ import annotations

from typing import Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import UNSET, apply
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    Bound,
    Frame,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import classes, constructors, equality, lazies
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.functions import GENERATOR, Code, Coroutine
from subdrift.linter.resolve.semantics.python.natives import Call, native

_KINDS = {"/": 0, "": 1, "...": 2, "*": 3, "**": 4}
"""`inspect.Parameter.kind`."""


@native("_native.parameters")
def _parameters(call: Call) -> Guarded:
    """`parameters(function, missing)`: name, kind, default and annotation of each parameter a caller gives, and as the last
    what it returns; unknown for what is not a function of the program."""
    return call.each(call.get(0), lambda leaf: _of(call, leaf))


def _of(call: Call, leaf: Any) -> Guarded:
    code, skipped = code_of(call, leaf)
    if code is None:
        return unknown_from((leaf,), "signature()")
    missing = call.get(1)
    found: list[Guarded] = []
    for param in code.decl.params[skipped:]:
        default = code.defaults.get(param.name, missing)
        # `x: T = None` may have been `Optional[T]`: the annotation is kept as T
        hint = _unknown(param.name) if default is None else returned(call, param.type, code.frame, missing)
        found.append((text(param.name), _KINDS[param.kind], default, hint))
    return (*found, returned(call, code.decl.returns, code.frame, missing))


def code_of(call: Call, leaf: Any) -> tuple[Code | None, int]:
    """The function behind a value, and how many of its parameters are filled by what it is bound to."""
    if isinstance(leaf, TypeValue) and leaf.declared is not None:
        info = classes.info_of(call.run, leaf.declared)
        own = classes.class_attribute(call.run, leaf.declared, "__init__")
        known = (
            info is not None and constructors.filling(call.run, info) is None and isinstance(own, Function)
        )
        return (own.native, 1) if known and isinstance(own.native, Code) else (None, 0)
    if isinstance(leaf, Object) and leaf.declared is not None:
        leaf = classes.method_of(call.python, call.run, leaf, "__call__", call.frame)
    leaf = classes.function_of(leaf)
    if isinstance(leaf, Bound) or not isinstance(leaf, Function) or not isinstance(leaf.native, Code):
        return None, 0
    return leaf.native, int(leaf.native.this is not UNSET)


def _unknown(name: str) -> Unknown:
    return Unknown(Why.DYNAMIC, phrase("argument", name))


def returned(call: Call, ref: ir.TypeRef | None, frame: Frame, missing: Guarded) -> Guarded:
    """The class that an annotation names; unknown for anything else that one can be."""
    if ref is None:
        return missing
    if ref.name == "None":
        return None
    if ref.name == "Union":
        kinds = tuple(returned(call, each, frame, missing) for each in ref.args)
        return kinds if all(isinstance(each, TypeValue) for each in kinds) else _unknown(ref.name)
    found = UNSET if ref.args else call.python.type_of(call.run, ref, frame)
    return found if isinstance(found, TypeValue) else _unknown(ref.name)


@native("_native.kind")
def _kind(call: Call) -> Guarded:
    """`kind(value)`: "function", "coroutine function", "method", "coroutine", "generator", "other"; unknown for what nobody
    sees."""

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Unknown):
            return unknown_from((leaf,), "kind()")
        native = leaf.native if isinstance(leaf, Function) else None
        if isinstance(native, Coroutine):
            return text("coroutine")
        if isinstance(leaf, Object) and leaf.type == "generator" and lazies.DRAWN not in leaf.fields:
            asynchronous = leaf.fields.get(GENERATOR)
            return text("generator") if asynchronous is False else unknown_from((leaf,), "kind()")
        if not isinstance(native, Code):
            return text("other")
        if native.decl.asynchronous and not native.decl.generator:
            return text("coroutine function")
        return text("function" if native.this is UNSET else "method")

    return call.each(call.get(0), one)


@native("_native.is_known")
def _is_known(call: Call) -> Guarded:
    """`is_known(value)`: whether anything is known of a value."""
    return apply(
        lambda leaf: (
            not isinstance(leaf, Unknown | Test) and not (isinstance(leaf, Text) and leaf.known is None)
        ),
        call.get(0),
    )


@native("_native.same")
def _same(call: Call) -> Guarded:
    """`same(one, other)`: whether two values are certainly equal."""
    return _is_same(*call.values)


def _is_same(one: Guarded, other: Guarded) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, Object) and isinstance(other, Object) and one.entries and other.entries:
        names = [tuple((e.guard, e.key, e.value) for e in each) for each in (one.entries, other.entries)]
        return one.open is other.open is None and _is_same(*names)
    return one is other or apply(equality.equal, one, other) is True

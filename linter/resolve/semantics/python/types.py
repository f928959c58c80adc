"""Python's builtins that ask for and make types, and those that read and write attributes by name."""

from __future__ import annotations

import abc
import binascii
import builtins as _builtins
import collections
import csv
import dataclasses
import datetime
import decimal
import enum
import json
import json.decoder
import numbers
import tomllib
import types
import typing
from collections.abc import Container
from functools import partial
from typing import Any, Final

from subdrift.linter.clients.python import maker
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET, apply, is_partial, is_written, or_else, pick
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    Bound,
    Entry,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import class_definitions, classes, containers, lazies, operators
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.equality import plain as plain_of
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, SET_UNSEEN, Call, native

_OWN = {
    "builtins": _builtins,
    **{
        each.__name__: each
        for each in (
            *(
                binascii,
                collections,
                collections.abc,
                csv,
                dataclasses,
                datetime,
                decimal,
                enum,
                json,
                json.decoder,
            ),
            *(numbers, tomllib, abc, types, typing),
        )
    },
}


@native("builtins.isinstance")
def _isinstance(call: Call) -> Guarded:
    kinds = _types(call, call.get(1))
    return apply(lambda leaf: any_instance(call.run, leaf, kinds), call.get(0))


def any_instance(run: Interpreter, leaf: Any, kinds: list[Any]) -> bool | Test:
    """Whether a value is of one of some types."""
    unsure: Test | None = None
    leaf = plain_of(leaf) if type(leaf) is TypeValue else leaf
    for kind in kinds:
        found = is_instance(run, leaf, kind) if isinstance(kind, TypeValue) else _unsure(leaf, kind)
        if found is True:
            return True
        if isinstance(found, Test):
            unsure = found
    return unsure if unsure is not None else False


def _types(call: Call, value: Guarded) -> list[Any]:
    if isinstance(value, tuple):
        return [kind for each in value for kind in _types(call, each)]
    return [value]


_KINDS: dict[str, tuple[str, ...]] = {
    "builtins.list": ("list",),
    "builtins.set": ("set",),
    "builtins.frozenset": ("frozenset",),
    "builtins.dict": ("dict", "defaultdict", "OrderedDict", "Counter"),
    "builtins.bytes": ("bytes",),
    "builtins.slice": ("slice",),
    "collections.deque": ("deque",),
    "collections.defaultdict": ("defaultdict",),
    "collections.OrderedDict": ("OrderedDict",),
    "typing.Callable": (),
}

_ITERABLE = frozenset({"Iterable", "Sequence", "Collection", "Container", "Sized", "MutableSequence"})


def is_instance(run: Interpreter, leaf: Any, kind: TypeValue) -> bool | Test:
    """`isinstance(leaf, kind)`."""
    if isinstance(leaf, Unknown | Test):
        known = leaf.type.declared if isinstance(leaf, Unknown) and leaf.type is not None else None
        if known is not None and kind.declared is not None and classes.is_subclass(run, known, kind.declared):
            return True
        return _unsure(leaf, kind)
    name, simple = kind.name, kind.simple
    if name == "builtins.object":
        return True
    if kind.args or name in ("typing.Union", "typing.Optional"):  # of an alias nobody asks, or of its parts
        return _unsure(leaf, kind)
    asked = classes.asks_metaclass(run, kind, "__instancecheck__", leaf)
    if asked is not UNSET:
        found = operators.truth(asked)
        return found if isinstance(found, bool) else _unsure(leaf, kind)
    if isinstance(leaf, TypeValue) and leaf.declared is not None and kind.declared is not None:
        info = classes.info_of(run, leaf.declared)
        meta = info.meta if info is not None else None
        if meta is not None and meta.declared is not None:
            return classes.is_subclass(run, meta.declared, kind.declared)
    if isinstance(leaf, Object) and leaf.declared is not None:
        return _is_made_by(run, leaf, leaf.declared, kind)
    if kind.declared is not None:
        protocol = classes.protocol_members(run, kind.declared)
        own = next((plain for plain in _SAMPLES if isinstance(leaf, plain)), None)
        if protocol is not None and own is not None:
            return all(hasattr(_SAMPLES[own], name) for name in protocol)
        return False if protocol is None else _unsure(leaf, kind)
    if isinstance(leaf, TypeValue):
        if name == "builtins.type" and leaf.declared is None:
            return _is_class(leaf, kind)
        return simple in ("type", "Callable")
    if isinstance(leaf, Object):
        return _is_of_library(leaf, kind)
    for plain, full, simples in _PLAIN:
        if isinstance(leaf, plain):
            return name in full or simple in simples
    return _unsure(leaf, kind)


_PLAIN: tuple[tuple[Any, Container[str], Container[str]], ...] = (
    (Text, ("builtins.str",), ("Sequence", "Iterable", "Hashable", "Sized")),
    (bool, ("builtins.bool", "builtins.int"), ("Number", "Integral", "Hashable")),
    (int, ("builtins.int",), ("Number", "Integral", "Hashable")),
    (float, ("builtins.float",), ("Number", "Real", "Hashable")),
    (tuple, ("builtins.tuple",), _ITERABLE),
    (type(None), ("types.NoneType", "builtins.NoneType"), ()),
    ((Function, Bound), (), ("Callable", "FunctionType", "MethodType", "LambdaType")),
)
"""Plain values -> the full and the simple names of the types they have."""

_SAMPLES: Final[dict[Any, Any]] = {Text: "", bool: False, int: 0, float: 0.0, tuple: (), type(None): None}
"""Plain values -> one that has the attributes of theirs."""


def _is_made_by(run: Interpreter, leaf: Object, declared: Class, kind: TypeValue) -> bool | Test:
    """Whether an object of a class of the program is one of another class, or of a library's."""
    if kind.declared is not None:
        protocol = classes.protocol_members(run, kind.declared)
        nominal = classes.is_subclass(run, declared, kind.declared)
        if nominal or protocol is None or classes.has_all(run, leaf, protocol):
            return nominal or protocol is not None
        return _unsure(leaf, kind) if leaf.open is not None else False
    info = classes.info_of(run, declared)
    above = info.library if info is not None else []
    if kind.name in above or (info is not None and info.is_tuple and kind.name == "builtins.tuple"):
        return True
    if any(below(each, kind.name) for each in above):
        return True
    told = real(f"collections.{declared.simple}") if declared.file.model else None
    wanted = real(kind.name) or real(f"collections.abc.{kind.simple}")
    if told is not None and wanted is not None:
        return issubclass(told, wanted)
    return _unsure(leaf, kind) if "<unknown>" in above else False


def _is_of_library(leaf: Object, kind: TypeValue) -> bool | Test:
    simple = kind.simple
    if kind.name in _KINDS:
        return leaf.type in _KINDS[kind.name]
    own = map if lazies.DRAWN in leaf.fields else _COLLECTIONS.get(leaf.type)
    above = real(kind.name) or real(f"collections.abc.{simple}")
    if own is not None and above is not None:
        return issubclass(own, above)
    if leaf.entries is not None:
        return simple in ("Mapping", "MutableMapping", *_ITERABLE) and simple not in _SEQUENCES
    if leaf.items is not None:
        return simple in _ITERABLE or (simple in ("Set", "MutableSet") and leaf.type in containers.SETS)
    return below(leaf.type, kind.name)


_SEQUENCES = ("Sequence", "MutableSequence")

_COLLECTIONS: dict[str, type] = {
    **{each.__name__: each for each in (list, range, set, frozenset, dict, bytes)},
    **{each.__name__: each for each in (collections.deque, collections.defaultdict)},
    **{each.__name__: each for each in (collections.OrderedDict, collections.Counter)},
    "keys": type({}.keys()),
    "values": type({}.values()),
    "items": type({}.items()),
    "generator": types.GeneratorType,
}
"""The kinds of collections, as Python's own classes."""


def _is_class(leaf: TypeValue, kind: TypeValue) -> bool | Test:
    """Whether a library's name is that of a class: it may be a module or a function."""
    if "." not in leaf.name:
        return False
    return real(leaf.name) is not None or maker(leaf.name) is not None or _unsure(leaf, kind)


def real(name: str) -> type | None:
    """The class of Python's own with a full name, of the modules where programs find what they ask for."""
    module, _, simple = name.rpartition(".")
    found = getattr(_OWN.get("types" if simple == "NoneType" else module), simple, None)
    return found if isinstance(found, type) else None


def below(name: str, above: str) -> bool:
    """Whether a class of a library, by its full name, is another or below it, as far as Python's own say."""
    one, other = real(name), real(above)
    return name == above or (one is not None and other is not None and issubclass(one, other))


def is_own(name: str) -> bool:
    """Whether a full name is that of a class of Python's own, of which it is known what is above it."""
    return real(name) is not None


def _unsure(leaf: Any, kind: Any) -> Test:
    symbol = symbol_of(leaf)
    shown = kind.name if isinstance(kind, TypeValue) else "?"
    key = None if symbol is None else ("isinstance", symbol, shown)
    return Test("true", (Unknown(Why.DYNAMIC, phrase("isinstance", shown), key),))


@native("builtins.issubclass")
def _issubclass(call: Call) -> Guarded:
    kinds = _types(call, call.get(1))

    def one(leaf: Any) -> bool | Test:
        if not isinstance(leaf, TypeValue) or not all(isinstance(kind, TypeValue) for kind in kinds):
            return _unsure(leaf, kinds[0])
        if any(
            classes.asks_metaclass(call.run, kind, "__subclasscheck__", leaf) is not UNSET for kind in kinds
        ):
            return _unsure(leaf, kinds[0])
        if any(kind.name == "builtins.object" for kind in kinds):
            return True
        if leaf.declared is None:
            return any(kind.declared is None and below(leaf.name, kind.name) for kind in kinds)
        info = classes.info_of(call.run, leaf.declared)
        above = info.library if info is not None else []
        return any(
            classes.is_subclass(call.run, leaf.declared, kind.declared or kind.name)
            or any(below(each, kind.name) for each in above)
            for kind in kinds
        )

    return apply(one, call.get(0))


@native("builtins.getattr")
def _getattr(call: Call) -> Guarded:
    def one(leaf: Any, name: Any) -> Guarded:
        known = name.known if isinstance(name, Text) else None
        if known is None:
            return unknown_from((leaf, name), "getattr()")
        default = call.get(2)
        before, raised = call.run.guard, len(call.run.raised)
        call.run.handlers.append(lambda error: default is not UNSET if _no_attribute((True, error)) else None)
        try:
            found = call.python.find(call.run, leaf, known, call.frame)
        finally:
            call.run.handlers.pop()
        thrown = call.run.raised[raised:]
        if default is not UNSET and thrown and all(map(_no_attribute, thrown)):
            del call.run.raised[raised:]
            found = (
                default if call.run.guard is False else pick(call.run.guard, or_else(found, default), default)
            )
            call.run.guard = before
            return found
        if found is UNSET and call.run.guard is not False:
            if default is UNSET or isinstance(leaf, Unknown):
                return call.python.attribute(call.run, leaf, known, call.frame, call.code_at)
            return default
        if not is_partial(found):
            return found
        return or_else(found, Unknown(Why.UNDEFINED, known) if default is UNSET else default)

    return call.each(call.get(0), lambda leaf: call.each(call.get(1), lambda name: one(leaf, name)))


def _no_attribute(thrown: tuple[Guarded, Guarded]) -> bool:
    return isinstance(thrown[1], Object) and thrown[1].type == "builtins.AttributeError"


@native("builtins.hasattr")
def _hasattr(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        name = call.get(1)
        known = name.known if isinstance(name, Text) else None
        owner, _, simple = leaf.name.rpartition(".") if isinstance(leaf, TypeValue) else ("", "", "")
        own = vars(real(owner) or type).get(simple) if owner else None
        if isinstance(leaf, Object) and leaf.declared is None and lazies.DRAWN not in leaf.fields:
            own = _COLLECTIONS.get(leaf.type)  # no object of these has an attribute of its own
        if known is not None and own is not None:
            return hasattr(own, known)
        if known is None or (
            isinstance(leaf, Unknown | Test | TypeValue) and getattr(leaf, "declared", None) is None
        ):
            return _unsure(leaf, TypeValue(None, f"hasattr {known}"))
        before, raised = call.run.guard, list(call.run.raised)
        call.run.handlers.append(lambda error: True if _no_attribute((True, error)) else None)
        try:
            found = call.python.find(call.run, leaf, known, call.frame)
        finally:
            call.run.handlers.pop()
        failed, unsure = call.run.guard is False, len(call.run.raised) > len(raised)
        call.run.guard, call.run.raised = before, raised
        if unsure and not failed:
            return _unsure(leaf, TypeValue(None, f"hasattr {known}"))
        return False if failed else is_written(found)

    return call.each(call.get(0), one)


@native("builtins.setattr")
def _setattr(call: Call) -> Guarded:
    name = call.get(1)
    if isinstance(name, Text) and name.known is not None:
        known = name.known
        call.each(
            call.get(0),
            lambda leaf: call.python.set_attribute(
                call.run, leaf, known, call.get(2), call.frame, call.code_at
            ),
        )
    else:
        call.each(call.get(0), lambda leaf: _opened(leaf, name))
    return None


@native("builtins.delattr")
def _delattr(call: Call) -> Guarded:
    leaf, name = call.get(0), call.get(1)
    if isinstance(leaf, Object) and isinstance(name, Text) and name.known is not None:
        call.python.delete_attribute(call.run, leaf, name.known, call.frame, call.code_at)
        return None
    return call.python.unseen(call.run, leaf, "__delattr__", call.arguments, call.at)


@native("object.__setattr__")
def _set_on_object(call: Call) -> Guarded:
    """It asks no method of the class, and writes what is frozen."""
    leaf, name = call.get(0), call.get(1)
    if isinstance(leaf, Object) and call.at is not None and isinstance(name, Text) and name.known is not None:
        classes.write(call.python, call.run, leaf, name.known, call.get(2), call.frame, call.at)
        return None
    return _setattr(call)


@native("object.__getattribute__")
def _read_on_object(call: Call) -> Guarded:
    """It asks no method of the class."""
    leaf, name = call.get(0), call.get(1)
    if (
        isinstance(leaf, Object)
        and leaf.declared is not None
        and isinstance(name, Text)
        and name.known is not None
    ):
        found = classes.read(call.python, call.run, leaf, name.known, call.frame)
        if found is not UNSET:
            return found
    return call.python.unseen(call.run, leaf, "__getattribute__", call.arguments, call.at)


@native("object.__delattr__")
def _delete_on_object(call: Call) -> Guarded:
    leaf, name = call.get(0), call.get(1)
    if isinstance(leaf, Object) and isinstance(name, Text) and name.known is not None:
        classes.delete(call.run, leaf, name.known)
        return None
    return unknown_from((leaf, name), "__delattr__()")


def _opened(leaf: Any, name: Guarded) -> None:
    if isinstance(leaf, Object):
        leaf.open = unknown_from((name,), "setattr()")
        classes.forget_fields(leaf, leaf.open)


@native("builtins.dir")
def _dir(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Object) and leaf.type == "module" and "<stars>" not in leaf.fields:
            if "__dir__" in leaf.fields:
                return FUNCTIONS["builtins.sorted"](call.given(call.apply(leaf.fields["__dir__"])))
            shown = _variables(call, dict(sorted(leaf.fields.items())))
            return containers.made_of(call.run, "list", containers.pairs(shown) or [], call.at)
        declared = leaf.declared if isinstance(leaf, Object | TypeValue) else None
        info = classes.info_of(call.run, declared) if declared is not None else None
        if info is None or (isinstance(leaf, Object) and leaf.open is not None):
            return unknown_from((leaf,), "dir()")
        if (
            isinstance(leaf, Object)
            and classes.class_attribute(call.run, info.declared, "__dir__") is not UNSET
        ):
            hook = classes.method_of(call.python, call.run, leaf, "__dir__", call.frame)
            return FUNCTIONS["builtins.sorted"](call.given(call.apply(hook)))
        every = [classes.info_of(call.run, each) for each in info.order if isinstance(each, Class)]
        names = {name for above in every if above is not None for name in above.attributes}
        if isinstance(leaf, Object):
            names |= {name for name in leaf.fields if name.isidentifier()}
        return containers.made_of(call.run, "list", [(True, text(name)) for name in sorted(names)], call.at)

    return call.each(call.values[0], one) if call.values else _variables(call, call.frame.variables)


@native("builtins.vars")
def _vars(call: Call) -> Guarded:
    if not call.values:
        return _variables(call, call.frame.variables)

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Object):
            return classes.own_dict(call.run, leaf)
        info = (
            classes.info_of(call.run, leaf.declared)
            if isinstance(leaf, TypeValue) and leaf.declared
            else None
        )
        own = real(leaf.name) if isinstance(leaf, TypeValue) and leaf.declared is None else None
        if own is not None:
            return _variables(call, {name: TypeValue(None, f"{leaf.name}.{name}") for name in vars(own)})
        return _variables(call, info.attributes) if info is not None else unknown_from((leaf,), "vars()")

    return call.each(call.values[0], one)


@native("builtins.locals")
def _locals(call: Call) -> Guarded:
    return _variables(call, call.frame.variables)


@native("builtins.globals")
def _globals(call: Call) -> Guarded:
    current = call.frame
    while current.parent is not None:
        current = current.parent
    return _variables(call, current.variables)


def _variables(call: Call, variables: dict[str, Guarded]) -> Object:
    made = call.run.make(None, "dict", call.at)
    made.entries = [
        Entry(True, text(name), value)
        for name, value in variables.items()
        if name[:1] not in "<$" and value is not UNSET
    ]
    unseen = variables.get(SET_UNSEEN)
    made.open = unseen if isinstance(unseen, Unknown) else None
    return made


def kind_of(leaf: Any) -> str | None:
    """The simple name of a value's class; None where that is not known."""
    if isinstance(leaf, Unknown | Test | TypeValue | Function | Bound):
        return None
    if isinstance(leaf, Object):
        return leaf.declared.simple if leaf.declared is not None else leaf.type.rpartition(".")[2]
    return "str" if isinstance(leaf, Text) else type(leaf).__name__


@native("builtins.type")
def _type(call: Call) -> Guarded:
    if len(call.values) != 1:
        return apply(partial(_made_class, call), *call.values[:1])

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Object) and lazies.DRAWN not in leaf.fields:
            if leaf.declared is not None:
                return TypeValue(leaf.declared, leaf.declared.name)
            own = _COLLECTIONS.get(leaf.type)
            if own is not None:
                return TypeValue(None, f"{own.__module__}.{own.__name__}")
            return TypeValue(None, leaf.type if "." in leaf.type else f"builtins.{leaf.type}")
        if isinstance(leaf, Text):
            return TypeValue(None, "builtins.str")
        if leaf is None:
            return TypeValue(None, "types.NoneType")
        if isinstance(leaf, bool | int | float | tuple):
            return TypeValue(None, f"builtins.{type(leaf).__name__}")
        if isinstance(leaf, Unknown) and leaf.type is not None and leaf.type.declared is not None:
            return leaf.type
        info = (
            classes.info_of(call.run, leaf.declared)
            if isinstance(leaf, TypeValue) and leaf.declared is not None
            else None
        )
        if info is not None and info.meta is not None:
            return info.meta
        return unknown_from((leaf,), "type()")  # of a library's class it may be one below

    return apply(one, call.values[0])


def _made_class(call: Call, name: Any, **keywords: Guarded) -> Guarded:
    """`type(name, bases, namespace)`."""
    bases, space = call.get(1), call.get(2)
    entries = space.entries if isinstance(space, Object) and space.open is None else None
    title = name.known if isinstance(name, Text) else None
    if (
        title is None
        or not title.isidentifier()
        or not isinstance(bases, tuple)
        or not all(isinstance(base, TypeValue) for base in bases)
        or entries is None
        or not all(entry.guard is True and isinstance(entry.key, Text) for entry in entries)
        or None in (held := {entry.key.known: entry.value for entry in entries})
        or call.at is None
    ):
        return call.unknown(phrase("class-made-while-running"), Why.UNSUPPORTED)
    decl = ir.ClassDecl(title, "class", call.place, call.place)
    return class_definitions.made_of(
        call.python, call.run, decl, list(bases), {**call.arguments.names, **keywords}, call.frame, held
    )


def made_by_metaclass(call: Call, meta: TypeValue) -> Guarded:
    """`Meta(name, bases, namespace)`."""
    return apply(partial(_made_class, call, metaclass=meta), call.get(0))


@native("builtins.callable")
def _callable(call: Call) -> Guarded:
    def one(leaf: Any) -> bool | Test:
        if isinstance(leaf, Unknown) or (type(leaf) is TypeValue and plain_of(leaf) is not leaf):
            return _unsure(leaf, TypeValue(None, "Callable"))
        if isinstance(leaf, Object) and leaf.declared is not None:
            return classes.class_attribute(call.run, leaf.declared, "__call__") is not UNSET
        return isinstance(leaf, Function | Bound | TypeValue)

    return apply(one, call.get(0))

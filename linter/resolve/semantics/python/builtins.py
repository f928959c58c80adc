"""Python's builtin functions of plain values; those of collections, of types and of attributes have rooms of their own."""

from __future__ import annotations

import builtins as _builtins
import math
from functools import partial
from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import UNSET, apply
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    join,
    text,
)
from subdrift.linter.resolve.semantics.python import classes, containers, equality, operators
from subdrift.linter.resolve.semantics.python.concrete import computed, unknown_from
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, SET_UNSEEN, Call, Native, native, pure
from subdrift.linter.resolve.semantics.python.texts import encoded
from subdrift.linter.resolve.semantics.python.types import below

NAMES = frozenset(dir(_builtins))

for _each in (abs, ascii, bin, chr, divmod, hex, oct, ord, round, float):
    pure(f"builtins.{_each.__name__}", _each)


def _of_own_class(function: Native, *names: str) -> Native:
    """A function of numbers that a class of the program may answer itself, by the first of some methods that it has."""

    def run(call: Call) -> Guarded:
        if not call.values:
            return function(call)

        def one(leaf: Any) -> Guarded:
            hook: Guarded = UNSET
            if isinstance(leaf, Object) and leaf.declared is not None:
                found = (classes.method_of(call.python, call.run, leaf, name, call.frame) for name in names)
                hook = next((each for each in found if each is not UNSET), UNSET)
            given = Arguments([leaf, *call.values[1:]], call.arguments.names)
            rest = Call(call.python, call.run, given, call.frame, call.at)
            return function(rest) if hook is UNSET else call.apply(hook, *call.values[1:])

        return call.each(call.get(0), one)

    return run


for _each in (abs, divmod, round, float):
    _known = FUNCTIONS[f"builtins.{_each.__name__}"]
    FUNCTIONS[f"builtins.{_each.__name__}"] = _of_own_class(_known, f"__{_each.__name__}__")
for _name in ("floor", "ceil", "trunc"):
    pure(f"math.{_name}", getattr(math, _name), f"math.{_name}()")
    FUNCTIONS[f"math.{_name}"] = _of_own_class(FUNCTIONS[f"math.{_name}"], f"__{_name}__", "__float__")
pure("builtins.str.maketrans", str.maketrans)


@native("builtins.pow")
def _pow(call: Call) -> Guarded:
    if len(call.values) != 2:
        return apply(lambda *each: computed(call.run, pow, call.at, *each, detail="pow()"), *call.values)
    return apply(lambda a, b: operators.binary(call.run, "**", a, b, lambda _: text("")), *call.values)


@native("builtins.repr")
def _repr(call: Call) -> Guarded:
    return call.each(call.get(0), lambda leaf: call.python.represented(call.run, leaf))


@native("builtins.str")
def _str(call: Call) -> Guarded:
    if not call.values:
        return text("")
    if len(call.values) > 1 or call.arguments.names:
        return apply(
            lambda *given: computed(call.run, str, call.at, *given),
            *call.values,
            *call.arguments.names.values(),
        )
    return call.each(call.values[0], lambda leaf: call.python.shown(call.run, leaf))


def _int(call: Call) -> Guarded:
    if not call.values:
        return 0
    given = [*call.values, *(value for name, value in call.arguments.names.items() if name == "base")]
    return apply(lambda *each: _as_int(call, *each), *map(equality.plain, given))


FUNCTIONS["builtins.int"] = _of_own_class(_int, "__int__", "__index__", "__trunc__")


def _as_int(call: Call, *given: Any) -> Any:
    raised = call.run.guard
    found = computed(call.run, lambda *each: int(*each), call.at, *given, detail="int()")
    if isinstance(found, Unknown):
        symbol = symbol_of(given[0])
        found = Unknown(found.why, found.detail, None if symbol is None else ("int", symbol))
        if raised is call.run.guard and not isinstance(given[0], int | float):
            containers.fails(call.run, "ValueError", found, call.at)
        return found
    return found


@native("builtins.bool")
def _bool(call: Call) -> Guarded:
    return call.each(call.get(0, default=False), lambda leaf: call.python.truth_in(call.run, leaf))


@native("builtins.bytearray")
def _bytearray(call: Call) -> Guarded:
    return Unknown(Why.UNSUPPORTED, "bytearray()", ("bytearray", call.run.unique()))  # it changes


@native("builtins.bytes")
def _bytes(call: Call) -> Guarded:
    value = call.get(0)
    if isinstance(value, Text):
        return encoded(call, value, call.get(1, "encoding", UNSET), call.get(2, "errors", text("strict")))
    return value if isinstance(value, Object) and value.type == "bytes" else unknown_from((value,), "bytes()")


@native("builtins.id")
def _id(call: Call) -> Guarded:
    """A number that nobody knows, the same for the same object."""

    def one(leaf: Any) -> Guarded:
        if not isinstance(leaf, Object | Function | TypeValue):
            return unknown_from((leaf,), "id()")
        mark = ("id", leaf if isinstance(leaf, TypeValue) else id(leaf))
        made, _ = call.run.heap.setdefault(mark, (call.make("builtins.int"), leaf))
        return made

    return apply(one, call.get(0))


@native("builtins.exec")
def _exec(call: Call) -> Guarded:
    """It may set any name of the code that calls it, or of the mappings that it gets."""
    forget_contents(call.run, call.unknown("exec()"), call.values[1:])
    if len(call.values) == 1:
        call.frame.variables[SET_UNSEEN] = call.unknown("exec()")
    return FUNCTIONS["builtins.eval"](call)


@native("builtins.hash", "builtins.input", "builtins.eval")
def _dynamic(call: Call) -> Guarded:
    return call.unknown(phrase("known-only-at-run-time"))


@native("builtins.print", "builtins.breakpoint")
def _print(call: Call) -> Guarded:
    return None


@native("builtins.object")
def _object(call: Call) -> Guarded:
    return call.make("object")


@native("builtins.property", "enum.property", "types.DynamicClassAttribute")
def _property(call: Call) -> Guarded:
    return call.make("builtins.property", fget=call.get(0, "fget", None), fset=call.get(1, "fset", None))


@native("builtins.staticmethod", "abc.abstractstaticmethod")
def _staticmethod(call: Call) -> Guarded:
    return call.make("builtins.staticmethod", function=call.get(0))


@native("builtins.classmethod", "abc.abstractclassmethod")
def _classmethod(call: Call) -> Guarded:
    return call.make("builtins.classmethod", function=call.get(0))


@native("types.MethodType")
def _bound_method(call: Call) -> Guarded:
    function, value = call.get(0), call.get(1)
    kind = TypeValue(getattr(value, "declared", None), getattr(value, "type", ""))
    return classes.bind_to(call.python, call.run, function, value, kind, call.frame)


@native("builtins.super")
def _super(call: Call) -> Guarded:
    return call.unknown(phrase("super-with-arguments"), Why.UNSUPPORTED)


@native("builtins.slice")
def _slice(call: Call) -> Guarded:
    values = [None, *call.values, None] if len(call.values) == 1 else [*call.values, None, None]
    return call.make("slice", lower=values[0], upper=values[1], step=values[2])


@native("builtins.format")
def _format(call: Call) -> Guarded:
    return apply(
        lambda leaf, how: call.python.formatted(call.run, leaf, "", how),
        call.get(0),
        call.get(1, default=text("")),
    )


def _of_system(call: Call, number: Any, what: Any, *files: Any) -> Guarded:
    """The text of an `OSError`."""
    if len(files) > 1:
        return unknown_from(files, "OSError()")
    pieces = [
        text("[Errno "),
        call.python.shown(call.run, number),
        text("] "),
        call.python.shown(call.run, what),
    ]
    file = call.python.represented(call.run, files[0]) if files else text("")
    return join([*pieces, text(": "), file]) if files and isinstance(file, Text) else join(pieces)


def exception(call: Call, name: str) -> Object:
    """An instance of a builtin exception."""
    made = call.make(name)
    made.fields["args"] = tuple(call.values)
    if call.values and below(name, "builtins.SyntaxError"):
        made.fields["msg"] = call.values[0]
    if below(name, "builtins.SystemExit"):
        made.fields["code"] = call.get(0, default=None) if len(call.values) < 2 else tuple(call.values)
    if 1 < len(call.values) < 6 and below(name, "builtins.OSError"):  # a number, a text, files
        made.fields["args"] = tuple(call.values[:2])
        made.fields.update(zip(("errno", "strerror", "filename"), call.values, strict=False))
        made.fields["<message>"] = apply(partial(_of_system, call), *call.values)
        return made
    made.fields["<message>"] = (
        call.values[0] if len(call.values) == 1 else text("") if not call.values else UNSET
    )
    if made.fields["<message>"] is UNSET:
        made.fields["<message>"] = tuple(call.values)
    return made

"""What Kotlin's scopes are made of: frames and receivers, parameters, the names of types and imports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.scope import DEFAULT_PACKAGES
from subdrift.linter.resolve.execute.values import Bound, Frame, Function, Guarded, Object, TypeValue

ALWAYS = DEFAULT_PACKAGES["kotlin"]
"""Packages whose functions need no import."""

CAPTURED = frozenset({"<captured>"})
"""What marks a frame that holds the variables of one turn of a loop, for a lambda."""

RECEIVER_FUNCTION = "this->"
"""The name of a type of functions on a receiver, as it is lowered."""

FUNCTIONS = frozenset({"->", RECEIVER_FUNCTION})

TYPES = {
    "Int": "int", "Long": "long", "Short": "short", "Byte": "byte", "Boolean": "boolean", "Char": "char",
    "Double": "double", "Float": "float", "Any": "Object", "Array": "[]", "MutableList": "List",
    "MutableMap": "Map", "MutableSet": "Set", "MutableCollection": "Collection",
}  # fmt: skip
"""Kotlin's names of types -> Java's."""

_VALUES = frozenset(
    {*TYPES, "String", "CharSequence", "List", "Map", "Set", "Collection", "Iterable", "Pair"}
) - {"Any"}
"""Types of the library of which no function is."""


def chain(frame: Frame) -> Iterator[Frame]:
    """A frame and those of the code around it."""
    current: Frame | None = frame
    while current is not None:
        yield current
        current = current.parent


def code_of(frame: Frame) -> Sequence[ir.Stmt]:
    """The statements that a frame runs."""
    if frame.function is not None:
        return frame.function.body
    return (frame.method.decl.body if frame.method is not None else None) or ()


def has_receiver(frame: Frame) -> bool:
    """Whether a frame's `this` is a receiver: of an extension function, or of a lambda it was given."""
    if frame.function is not None and frame.function.this is not None:
        return True
    return frame.function is None and frame.method is not None and frame.method.decl.receiver is not None


def is_last_of_class(frame: Frame) -> bool:
    """Whether the code around a frame is of another class."""
    return frame.parent is None or frame.parent.owner is not frame.owner


def receivers(frame: Frame) -> Iterator[Guarded]:
    """What `this` is in a frame and in the code around it, innermost first."""
    last: Guarded = UNSET
    for current in chain(frame):
        if current.this is not None and current.this is not last:
            last = current.this
            yield last


def reified(frame: Frame, name: str) -> TypeValue | None:
    """The type that a type parameter stands for, where the call tells."""
    for current in chain(frame):
        found = current.variables.get(f"<{name}>")
        if isinstance(found, TypeValue):
            return found
        if isinstance(current.this, Object) and current.this.captured is not None and current.parent is None:
            return reified(current.this.captured, name)
    return None


def without_variable(frame: Frame, name: str) -> Frame:
    """The frame and those around it without a variable of a name that is no local function."""
    parent = None if frame.parent is None else without_variable(frame.parent, name)
    held = frame.variables.get(name)
    hides = name in frame.variables and not (isinstance(held, Function) and held.method is not None)
    if parent is frame.parent and not hides:
        return frame
    variables = (
        {key: value for key, value in frame.variables.items() if key != name} if hides else frame.variables
    )
    return replace(frame, variables=variables, parent=parent)


def _takes_function(run: Interpreter, ref: ir.TypeRef | None, near: Class) -> bool:
    """Whether a parameter of a type may get a lambda."""
    if ref is None or ref.name in FUNCTIONS:
        return True
    named = run.scope.named(ref.name, near)
    if isinstance(named, Class):
        above = named.decl.supers
        return named.is_interface or (
            named.kind == "alias" and bool(above) and _takes_function(run, above[0], named)
        )
    return ref.name not in _VALUES


def lambda_last(run: Interpreter, method: Method, arguments: Arguments) -> Arguments:
    """A lambda behind the parentheses is the last parameter's, whatever defaults stand before it."""
    params = method.decl.params
    values = arguments.values
    if not values or not params or not isinstance(values[-1], Function | Bound):
        return arguments
    last = params[-1]
    place = len(values) - 1
    written = arguments.written
    between = len(written) == len(values) and type(written[-1].value) is not ir.Lambda
    if between and place < len(params) and _takes_function(run, params[place].type, method.owner):
        return arguments  # it stands between the parentheses
    straight = place == len(params) - 1 and not arguments.names and not any(one.kind for one in params)
    if last.kind or last.name in arguments.names or straight:
        return arguments
    if not _takes_function(run, last.type, method.owner):
        return arguments
    own = params[place].type if place < len(params) else None
    if own is not None and own.name in FUNCTIONS and (last.type is None or last.type.name not in FUNCTIONS):
        return arguments
    return replace(arguments, values=values[:-1], names={**arguments.names, last.name: values[-1]})


def takes_lambda(run: Interpreter, method: Method, arguments: Arguments) -> bool:
    """Whether a method has all that it needs where a lambda behind the parentheses is its last parameter's."""
    placed = lambda_last(run, method, arguments)
    given = len(placed.values)
    return placed is arguments or all(
        place < given or one.name in placed.names or one.default is not None or one.kind
        for place, one in enumerate(method.decl.params)
    )


def own_parameters(function: Function) -> tuple[ir.Param, ...]:
    """The parameters of a lambda without the implicit `it`."""
    return () if function.implicit else function.params


def names_it(function: Function) -> bool:
    """Whether a lambda without parameters of its own mentions `it`."""
    return bool(function.params) and any(
        isinstance(node, ir.Name) and node.name == "it" for node in nodes(function.body)
    )


def assigned_in(body: Any) -> frozenset[str]:
    """The names that code assigns to."""
    every = nodes(tuple(body))
    return frozenset(
        one.target.name for one in every if isinstance(one, ir.Assign) and isinstance(one.target, ir.Name)
    )


def imported_as(frame: Frame, name: str) -> str:
    """The name something has where it is declared."""
    assert frame.owner is not None
    full = frame.owner.file.single.get(name)
    return name if full is None else full.rpartition(".")[2]


def call_of(name: str, at: ir.At) -> ir.Call:
    return ir.Call(None, name, (), at, at)


def as_new(node: ir.Call) -> ir.New:
    return ir.New(ir.TypeRef(node.name), node.args, node.at)

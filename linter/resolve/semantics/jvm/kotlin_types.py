"""What Kotlin sources say of types where a call does not name them."""

from __future__ import annotations

from collections.abc import Sequence, Set

from subdrift.linter.model import ir
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import leaves
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Bound,
    Frame,
    Function,
    Guarded,
    Long,
    Object,
    Text,
    TypeValue,
    Unknown,
)
from subdrift.linter.resolve.semantics.jvm.kotlin_frames import FUNCTIONS, code_of
from subdrift.linter.resolve.semantics.jvm.static_types import declared_with

DELEGATES = frozenset({"Lazy", "ReadOnlyProperty", "ReadWriteProperty", "PropertyDelegateProvider"})
"""Types of what a property is delegated to; the last of their arguments is its type."""


def mentions(ref: ir.TypeRef, name: str) -> bool:
    return ref.name == name or any(mentions(each, name) for each in ref.args)


def final_type(value: Guarded) -> TypeValue | str | None:
    """The type of a value whose class has no subclasses, or its name in the library."""
    if isinstance(value, bool):
        return "Boolean"
    if isinstance(value, int | float):
        return "Long" if isinstance(value, Long) else "Int" if isinstance(value, int) else "Double"
    if isinstance(value, Text):
        return "Char" if value.char else "String"
    declared = value.declared if isinstance(value, Object) else None
    if declared is not None and isinstance(value, Object) and value.constant:
        of = declared if declared.kind == "enum" else declared.outer  # it may have a body of its own
        return TypeValue(of, of.name) if of is not None and of.kind == "enum" else None
    if declared is not None and declared.kind in ("class", "object") and not declared.decl.supers:
        return TypeValue(declared, declared.name)
    return None


def made_by(run: Interpreter, function: Function) -> ir.TypeRef | None:
    """The type of what a function's code ends with, where that says it: a constructor's call, a literal."""
    last = function.body[-1] if function.body else None
    value = last.value if isinstance(last, ir.Return | ir.Do) else None
    kind = literal_type(value)
    if kind:
        return ir.TypeRef(kind)
    if not isinstance(value, ir.Call) or value.target is not None or function.frame is None:
        return None
    named = run.type_named(value.name, function.frame)
    return ir.TypeRef(value.name) if isinstance(named, Class) and not named.is_interface else None


def given_by(method: ir.MethodDecl) -> ir.TypeRef | None:
    """The type that a function is declared to give; else that of the delegate that its expression is."""
    last = method.body[-1] if method.returns is None and method.body else None
    value = last.value if isinstance(last, ir.Return) and len(method.body or ()) == 1 else None
    if not isinstance(value, ir.Call) or value.target is not None or value.name not in {"lazy", *DELEGATES}:
        return method.returns
    if value.types:
        return ir.TypeRef(value.name, value.types)
    inside = value.args[-1].value if value.args else None
    ends = inside.body[-1] if isinstance(inside, ir.Lambda) and inside.body else None
    call = ends.value if isinstance(ends, ir.Return) else None
    told = isinstance(call, ir.Call) and len(call.types) == 1 and value.name == "lazy"
    return ir.TypeRef("Lazy", call.types) if told and isinstance(call, ir.Call) else None


def literal_type(node: ir.Expr | None) -> str:
    """The name of the type of a literal, "" for anything else."""
    if isinstance(node, ir.Join):
        return "String"
    if not isinstance(node, ir.Const) or node.value is None:
        return ""
    kinds = {
        str: "Char" if node.char else "String",
        int: "Long" if node.long else "Int",
        float: "Double",
        bool: "Boolean",
    }
    return kinds[type(node.value)]


def function_type(run: Interpreter, ref: ir.TypeRef, near: Class) -> tuple[ir.TypeRef, ...] | None:
    """What a function of a type takes and gives; None for another type. `Handler<A>` may be a name for `(A) -> Unit`."""
    if ref.name in FUNCTIONS:
        return ref.args if ref.name == "->" else ref.args[1:]
    named = run.scope.named(ref.name, near)
    if not isinstance(named, Class) or named.kind != "alias" or not named.decl.supers:
        return None
    found = function_type(run, named.decl.supers[0], named)
    stand = dict(zip((name for name, _ in named.decl.parameters), ref.args, strict=False))
    return None if found is None else tuple(stand.get(each.name, each) for each in found)


def referred(run: Interpreter, function: Bound, count: int) -> list[Method]:
    """The one method that a reference to a method of an object of the program means."""
    declared = function.target.declared if isinstance(function.target, Object) else None
    found = [] if declared is None else run.scope.methods(declared, function.name, count)
    return found[:1]


def of_declared(
    run: Interpreter, methods: Sequence[Method], on: ir.Name, near: Frame | None
) -> Sequence[Method]:
    """Of extension functions those for the type that a variable is declared with: they are chosen by it, whatever it holds."""
    above = types_of(run, on, near)
    if above is None:
        return methods
    return [m for m in methods if simple(m.decl.receiver) in (*above, *dict(m.decl.parameters))]


def types_of(run: Interpreter, on: ir.Name, near: Frame | None) -> Set[str] | None:
    """The simple names of the types that a variable is of by what it is declared with; None where that is not told."""
    name = declared_with(run, on, near) if near is not None else ""
    if not name or near is None or _is_cast_there(on.name, near):
        return None
    declared = run.type_named(name, near)
    if not isinstance(declared, Class):
        return {"Any"} if name == "Any" else None
    above = {"Any", *(one.simple for one in run.scope.supers(declared))}
    return above if declared.kind != "alias" and not run.scope.library_supers(declared) else None


def simple(ref: ir.TypeRef | None) -> str:
    """The name of a type without what is around it."""
    return "" if ref is None else ref.name.rpartition(".")[2]


def _is_cast_there(name: str, frame: Frame) -> bool:
    """Whether code around asks what a variable is of, and may take it for that from there on."""
    asked = (
        node.subject if isinstance(node, ir.Switch | ir.SwitchValue) else node.value
        for node in nodes(code_of(frame))
        if isinstance(node, ir.InstanceOf | ir.Cast | ir.Switch | ir.SwitchValue)
    )
    return any(isinstance(one, ir.Name) and one.name == name for one in asked) or (
        frame.parent is not None and _is_cast_there(name, frame.parent)
    )


def given_for(
    run: Interpreter, value: Guarded, interface: Class | str, place: int
) -> tuple[ir.TypeRef, Frame] | None:
    """What a value has for a type parameter of an interface of the program: what its class says there, or what the parameter
    of a lambda that stands for the interface is declared with."""
    if not isinstance(interface, Class) or place >= len(interface.decl.parameters):
        return None
    if isinstance(value, Object) and value.declared is not None:
        for one in run.scope.supers(value.declared):
            for ref in one.decl.supers:
                if (
                    ref.name == interface.simple
                    and place < len(ref.args)
                    and ref.args[place].name not in one.variables
                ):
                    return ref.args[place], run.frame(one, None)
    if isinstance(value, Function) and value.frame is not None and interface.is_interface:
        name = interface.decl.parameters[place][0]
        abstract = [m for methods in interface.methods.values() for m in methods if m.abstract]
        for param, own in (
            zip(abstract[0].decl.params, value.params, strict=False) if len(abstract) == 1 else ()
        ):
            if param.type is not None and param.type.name == name and own.type is not None:
                return own.type, value.frame
    return None


_PLAIN = frozenset({"String", "CharSequence", "Int", "Long", "Double", "Boolean", "Char"})


def is_of_others(run: Interpreter, method: Method, arguments: Arguments) -> bool:
    """Whether a text, number or truth value is given where a method takes objects of a declared class, or functions, or a
    function where it takes such values."""
    params = method.decl.params
    for place, value in enumerate(arguments.values[: len(params)]):
        held = [one for _, one in leaves(value, run.guard) if not isinstance(one, Unknown)]
        functions = bool(held) and all(isinstance(one, Function | Bound) for one in held)
        is_last = functions and place == len(arguments.values) - 1
        ref = params[-1 if is_last else place].type
        plain = any(isinstance(one, Text | bool | int | float) for one in held)
        if ref is not None and ((ref.name in FUNCTIONS and plain) or (ref.name in _PLAIN and functions)):
            return True
        declared = run.scope.named(ref.name, method.owner) if ref is not None else None
        if plain and isinstance(declared, Class) and declared.kind not in ("alias", "interface"):
            return True
    return False

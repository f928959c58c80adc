"""What a name means, and is made to mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.clients.python import maker
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.exceptions import may_refuse
from subdrift.linter.resolve.execute.guards import UNSET, Diagram, apply, pick, under
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Frame, Guarded, Object, Step, Text, TypeValue, Unknown
from subdrift.linter.resolve.semantics.python import classes, library, modelled
from subdrift.linter.resolve.semantics.python.classes import info_of
from subdrift.linter.resolve.semantics.python.forms.common import is_modelled
from subdrift.linter.resolve.semantics.python.functions import (
    CLASS_BODY,
    enclosing,
    module_frame,
    own_modules,
)

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


def name(python: Python, run: Interpreter, node: ir.Name, frame: Frame) -> Guarded:
    found = python.variable(frame, node.name)
    if found is not UNSET:
        value = under(found, run.guard)
        return python._seen(value, frame) if node.name not in frame.variables else value
    if node.name in library.BUILTINS:
        return _builtin(python, run, node.name)
    stars = module_frame(frame).variables.get("<stars>", ())
    if stars:  # a library's names: the last one that may have it
        having = (each for each in reversed(stars) if _has(python, run, each, node.name))
        return python.of_library(run, next(having, stars[-1]), node.name)
    found = run.unknown(Why.UNDEFINED, node.name, frame, node.at)
    may_refuse(run, "builtins.NameError", found, run.place(frame, node.at))
    return found


def _has(python: Python, run: Interpreter, module: str, name: str) -> bool:
    """Whether it is known that a library's module has a name."""
    full = f"{module}.{name}"
    if name[:1] == "_" or full in library.FUNCTIONS or maker(full):
        return name[:1] != "_"
    told = modelled.member(python, run, module, name)
    return told is not UNSET and not (isinstance(told, TypeValue) and told.name.startswith("_native."))


def _builtin(python: Python, run: Interpreter, name: str) -> Guarded:
    told = modelled.member(python, run, "builtins", name) if name in _TOLD else UNSET
    return TypeValue(None, f"builtins.{name}") if told is UNSET else told


_TOLD = frozenset({"BaseExceptionGroup", "ExceptionGroup"})
"""Builtins that are told as programs."""


def variable(python: Python, frame: Frame, name: str) -> Guarded:
    """A variable of the frame or of the code around it, UNSET where there is none."""
    current: Frame | None = frame
    if f"global {name}" in frame.shared:
        return module_frame(frame).variables.get(name, UNSET)
    while current is not None:
        if (current is frame or CLASS_BODY not in current.shared) and name in current.variables:
            return current.variables[name]
        current = current.parent
    return UNSET


def seen(python: Python, value: Guarded, frame: Frame) -> Guarded:
    """A constant used in a frame counts as brought in there."""
    if isinstance(value, Text) and not is_modelled(frame):
        return Text(value.parts, value.steps, value.char, frame.number)
    return value


def assign_name(python: Python, run: Interpreter, name: str, value: Guarded, frame: Frame, at: ir.At) -> None:
    if f"outer {name}" in frame.shared and frame.parent is not None:
        assign_name(python, run, name, value, frame.parent, at)
        return
    target = frame
    if f"global {name}" in frame.shared:
        target = module_frame(frame)
    elif f"nonlocal {name}" in frame.shared:
        outer = enclosing(frame.parent) if frame.parent is not None else None
        while outer is not None and name not in outer.variables:
            outer = outer.parent
        target = outer or frame
    in_module = target.method is None or target.method.name == "<module>" or CLASS_BODY in target.shared
    if in_module and not is_modelled(frame):
        value = stamped(python, run, value, name, frame, at)
    target.variables[name] = pick(run.guard, value, target.variables.get(name, UNSET))


def stamped(python: Python, run: Interpreter, value: Guarded, name: str, frame: Frame, at: ir.At) -> Guarded:
    """A constant of a module or class: the place of its name joins its way."""
    step = Step(run.place(frame, at), name)

    def one(leaf: Any) -> Any:
        if isinstance(leaf, Text) and step not in leaf.steps:
            return Text(leaf.parts, (step, *leaf.steps), leaf.char, leaf.frame)
        return leaf

    return apply(one, value) if isinstance(value, Text | Diagram) else value


def type_of(python: Python, run: Interpreter, ref: ir.TypeRef, frame: Frame) -> TypeValue | None:
    """The class that an annotation names, seen from a frame."""
    head, *rest = ref.name.split(".")
    value = python.variable(frame, head)
    if value is UNSET and head in library.BUILTINS:
        value = _builtin(python, run, head)
    for name in rest:
        if isinstance(value, Object) and value.type == "module":
            value = value.fields.get(name, UNSET)
        elif isinstance(value, TypeValue) and value.declared is None:
            value = python.of_library(run, value.name, name)
        elif isinstance(value, TypeValue) and value.declared is not None:
            value = classes.class_attribute(run, value.declared, name)
    return replace(value, args=ref.args) if isinstance(value, TypeValue) else None


def typed(python: Python, run: Interpreter, value: Guarded, ref: ir.TypeRef | None, frame: Frame) -> Guarded:
    """An unknown value gets the type it is annotated with."""
    if type(value) is Unknown and value.type is None and ref is not None:
        found = python.type_of(run, ref, frame)
        return value if found is None else replace(value, type=found)
    return value


def family(python: Python, run: Interpreter, declared: Class) -> Sequence[Class]:
    """A class, and those of the program above it."""
    info = info_of(run, declared)
    return [declared] if info is None else [each for each in info.order if isinstance(each, Class)]


def shared(python: Python, run: Interpreter) -> list[Guarded]:
    """What the modules of the program hold, which any code may change."""
    return [value for frame in own_modules(run) for value in frame.variables.values()]


def namespace(python: Python, run: Interpreter, declared: Class) -> dict[str, Guarded] | None:
    """The attributes of a class, which any code may write."""
    info = info_of(run, declared)
    return None if info is None else info.attributes

"""What native code asks of the library's models in source: an object of one of their classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.guards import pick
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import Frame, Guarded, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


def static_call(
    java: Java,
    run: Interpreter,
    owner: str,
    name: str,
    values: list[Guarded],
    frame: Frame | None,
    place: Location | None,
) -> Guarded:
    """What a static method of a modelled class gives, unknown where there is no such model."""
    declared = run.scope.models.type(owner) if run.scope.models is not None else None
    methods = run.scope.methods(declared, name, len(values)) if declared is not None else []
    if not methods:
        unknown = Unknown(Why.DYNAMIC, f"{owner.rpartition('.')[2]}.{name}()")
        return run.havoc(name, unknown, None, Arguments(values))
    return java._dispatch(run, methods, None, Arguments(values), frame, place)


def optional(
    java: Java, run: Interpreter, value: Guarded, frame: Frame | None, place: Location | None
) -> Guarded:
    """An `Optional` of a value that may be null."""
    return static_call(java, run, "java.util.Optional", "ofNullable", [value], frame, place)


def optional_text(java: Java, run: Interpreter, value: Guarded, frame: Frame, place: Location) -> Guarded:
    """An `Optional` of a configured text, empty in the environments that do not have it."""
    span = place.span
    at = (span.line, span.column, span.end_line, span.end_column)
    there = run.guard_of(Test("present", (value,)), frame, at)
    return optional(java, run, pick(there, value, None), frame, place)


def construct(
    java: Java, run: Interpreter, owner: str, frame: Frame, place: Location, *values: Guarded
) -> Guarded:
    """A new object of a modelled class, unknown where there is no such model."""
    declared = run.scope.models.type(owner) if run.scope.models is not None else None
    if declared is None:
        unknown = Unknown(Why.DYNAMIC, f"{owner.rpartition('.')[2]}()")
        return run.havoc("<init>", unknown, None, Arguments(list(values)))
    return java.instantiate(run, declared, Arguments(list(values)), frame, place)

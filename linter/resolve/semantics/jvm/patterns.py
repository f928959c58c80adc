"""Patterns of records, and the variables that patterns bind."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET, both, pick
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.statements import matched
from subdrift.linter.resolve.execute.values import Frame, Guarded, Object, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.interpreter import Interpreter
    from subdrift.linter.resolve.semantics.jvm.java import Java


ANY: Final = ir.TypeRef("Object")


def bind(run: Interpreter, name: str, type_: ir.TypeRef | None, value: Guarded, frame: Frame) -> None:
    """A variable of a pattern, on the path of the alternative that it is matched with."""
    if name and name != "_":
        frame.variables[name] = pick(run.guard, value, frame.variables.get(name, UNSET))
        frame.declared[name] = type_ or ANY


def matches(java: Java, run: Interpreter, leaf: Any, pattern: ir.Pattern, frame: Frame) -> Guarded:
    """Whether a value is what a pattern says: of a record its type, then its components in order."""
    if pattern.kind == "capture":
        bind(run, pattern.name, None, leaf, frame)
        return True
    if pattern.kind == "value":
        return java.match(run, leaf, pattern.parts[0], frame)
    named = run.type_named(pattern.name, frame)
    asked = java.is_instance(run, leaf, ir.TypeRef(pattern.name), frame)
    holds = run.guard_of(asked, frame, pattern.at)
    if holds is False:
        return False
    components = (named.decl.components if isinstance(named, Class) else None) or ()
    for part, component in zip_longest(pattern.parts, components[: len(pattern.parts)]):
        name = "" if component is None else component.name
        inner = leaf.fields.get(name) if isinstance(leaf, Object) else _part_of(leaf, name)
        if isinstance(part, ir.InstanceOf) and component is not None and _takes_all(part, component.type):
            bind(run, part.name, part.type, inner, frame)
        else:
            holds = both(holds, matched(run, inner, part, frame, pattern.at))
    return holds


def _part_of(leaf: Any, name: str) -> Unknown:
    """A component of a record that nobody sees."""
    symbol = symbol_of(leaf)
    return Unknown(Why.DYNAMIC, name, None if symbol is None else ("component", symbol, name))


def _takes_all(part: ir.InstanceOf, declared: ir.TypeRef | None) -> bool:
    """Whether a pattern takes whatever a component is, null too."""
    return declared is not None and part.type.name in ("Object", declared.name)

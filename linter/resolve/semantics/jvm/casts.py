"""Which values a cast of Java or Kotlin refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.exceptions import may_refuse
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Frame, Long, Object, Text, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

FINAL: Final = frozenset({"String", "Boolean", "Integer", "Long", "Int"})
"""Classes that no other is below, and whose values are told apart; `5` may be an `Integer` or a `Long`."""


def is_refused(java: Java, run: Interpreter, leaf: Any, type_: ir.TypeRef, frame: Frame) -> bool:
    """Whether a value is surely none of a type."""
    simple = type_.name.rpartition(".")[2]
    if isinstance(leaf, Text) or type(leaf) is bool:
        return simple in FINAL and java.is_instance(run, leaf, type_, frame) is False
    if isinstance(leaf, int | float):
        of_a_long = type(leaf) is Long and simple in ("Integer", "Short", "Byte")
        if type(leaf) is int and simple == "Long":  # it need not be one
            may_refuse(run, "ClassCastException", Unknown(Why.DYNAMIC, "Long"), None)
        return of_a_long or simple in ("String", "Boolean")
    if not isinstance(leaf, Object) or leaf.declared is None or run.stand_in:
        return False
    named = run.type_named(type_.name, frame)
    if not isinstance(named, Class):
        return simple in FINAL
    is_made = not leaf.bean and leaf.declared.concrete and not named.file.model
    may_be = named.is_interface and not is_made  # a class below its own may implement it
    return (
        not may_be
        and not run.scope.is_a(leaf.declared, named)
        and not run.scope.library_supers(leaf.declared)
    )

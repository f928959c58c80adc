"""What a container puts into the fields of objects and classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Guarded, Object, Unknown
from subdrift.linter.resolve.semantics.jvm import beans
from subdrift.linter.resolve.semantics.jvm.bound import through_setter
from subdrift.linter.resolve.semantics.jvm.forms.common import ZERO
from subdrift.linter.resolve.semantics.jvm.managed import (
    INJECT,
    VALUE,
    annotated,
    holds_container,
    injected_setter,
    is_found,
    kebab,
    lombok_constructed,
    may_be_injected,
)

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


def field_value(java: Java, run: Interpreter, made: Object, holder: Class, decl: ir.FieldDecl) -> Guarded:
    """What a container puts into a field; UNSET where none does."""
    value = annotated(decl.annotations, VALUE)
    if value is not None:
        return beans.value_of(java, run, value, holder, decl.type, decl.name)
    prefix = made.fields.get("<prefix>")
    if isinstance(prefix, str):
        return through_setter(java, run, made, decl, holder, f"{prefix}.{kebab(decl.name)}")
    if annotated(decl.annotations, INJECT) is not None:
        found = beans.injected(java, run, decl.type, beans.Place(decl.name, decl.annotations, holder))
        if decl.type is None or not beans.is_optional(decl.annotations):
            return found
        initial = run.value(decl.value, run.frame(holder, made)) if decl.value is not None else None
        return beans.if_there(run, decl.type, holder, found, initial)
    if made.bean:
        if holds_container(holder, decl):
            return beans.injected(java, run, decl.type, beans.Place(decl.name, (), holder))
        if decl.final and decl.value is None and lombok_constructed(holder):
            return beans.injected(java, run, decl.type, beans.Place(decl.name, decl.annotations, holder))
        if made.open is not None or run.scope.has_method(
            holder, f"set{decl.name[:1].upper()}{decl.name[1:]}"
        ):
            setter = injected_setter(run, holder, decl)
            if setter is not None:
                return beans.injected(java, run, decl.type, beans.Place(decl.name, decl.annotations, holder))
        if made.open is not None:
            return _field_unknown(run, made, holder, decl)
        if may_be_injected(run, holder, decl):
            symbol = ("field", ("object", made.number), decl.name)
            found = Unknown(Why.DYNAMIC, phrase("injected", decl.name), symbol)
            return (
                run.with_type(found, decl.type, run.frame(holder, None)) if decl.type is not None else found
            )
    return UNSET


def _field_unknown(run: Interpreter, made: Object, holder: Class, decl: ir.FieldDecl) -> Unknown:
    assert made.open is not None
    symbol = ("field", ("object", made.number), decl.name)
    found = Unknown(made.open.why, f"{holder.simple}.{decl.name}", symbol)
    return run.with_type(found, decl.type, run.frame(holder, None)) if decl.type is not None else found


def static_value(java: Java, run: Interpreter, holder: Class, decl: ir.FieldDecl) -> Guarded:
    """A static field that begins with nothing and that other code fills: a setter of a bean from `@Value`, or a method the
    container calls when the bean is made. Not known where some other method does that has not run; UNSET where none does."""
    if holds_container(holder, decl):
        return beans.injected(java, run, decl.type, beans.Place(decl.name, (), holder))
    written = False
    for methods in holder.methods.values():
        for method in methods:
            value = method.annotation(*VALUE)
            if value is None and method.decl.params:
                value = annotated(method.decl.params[0].annotations, VALUE)
            if value is not None and method.arity == 1 and method.assigns(decl.name):
                return beans.value_of(java, run, value, holder, decl.type)
            if decl.type is None or decl.final or decl.type.name in ZERO or not method.assigns(decl.name):
                continue
            if decl.type.name != "String":
                written = written or (run.begins_amid and method not in run.ran)
                continue
            if (
                method.annotation("PostConstruct") is not None
                and is_found(run.scope, holder)
                and _is_cold(run, method)
            ):
                return _made_up(java, run, holder, method, decl)
            written = written or method not in run.ran
    if written:
        shown = f"{holder.simple}.{decl.name}"
        return java._typed(
            run, Unknown(Why.DYNAMIC, shown, ("static", holder.name, decl.name)), decl.type, holder
        )
    return UNSET


def _is_cold(run: Interpreter, method: Method) -> bool:
    """Whether a method makes no consumer, so that it may run aside."""
    return run.hot is not None and method not in run.hot


def _made_up(java: Java, run: Interpreter, holder: Class, method: Method, decl: ir.FieldDecl) -> Guarded:
    """What a static field holds when the container has made the bean: beans come before those they are injected in."""
    made = beans.instance(java, run, holder)
    before, raised = run.guard, run.raised
    run.guard, run.raised = True, []
    run.invoke(method, made, Arguments([]), None, None)
    run.guard, run.raised = before, raised
    return run.statics.get((holder, decl.name), UNSET)

"""What code did that was not run to its end: the fields it may have written are not known any more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.guards import UNSET, leaves, pick
from subdrift.linter.resolve.execute.values import Guarded, Object, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.interpreter import Interpreter
    from subdrift.linter.resolve.execute.program import Class, Method

REACHED_MAX = 256
"""Methods of one object followed from one that was given up; with more the rest is not followed."""


def lose(run: Interpreter, method: Method, handed: Iterable[Guarded]) -> None:
    """Forgets what a method that was given up may have written to what it runs on and what it got.

    Not in a test: it prepares whole servers, and to go on behind what was given up of them costs more than all else.
    """
    if run.brief:
        return
    known = run.scope.program.slice.methods.get(method)
    if known is None:
        return
    for value in handed:
        for _, leaf in leaves(value, run.guard):
            if isinstance(leaf, Object) and leaf.declared is not None:
                forget_fields(run, leaf, written(run, leaf.declared, method, known.called))


def forget_fields(run: Interpreter, made: Object, names: Iterable[str] | None = None) -> None:
    """The named fields of an object, or all that are no constants, hold something nobody can know."""
    declared = made.declared
    if declared is None:
        return
    if names is None:
        names = [name for each in run.scope.supers(declared) for name in each.fields]
    for name in sorted(set(names)):
        found = run.scope.field(declared, name)
        if found is None or found[1].final:
            continue
        holder, decl = found
        value: Guarded = Unknown(
            Why.DYNAMIC, f"{holder.simple}.{name}", ("lost", made.number, name, run.steps)
        )
        if decl.type is not None:
            value = run.with_type(value, decl.type, run.frame(holder, None))
        if decl.static:
            run.statics[holder, name] = pick(run.guard, value, run.statics.get((holder, name), UNSET))
        else:
            made.fields[name] = pick(run.guard, value, made.fields.get(name, UNSET))


def written(run: Interpreter, declared: Class, method: Method | None, called: Iterable[str]) -> set[str]:
    """The fields of a class that a method writes, by itself or through methods of the class that it calls by name."""
    family = run.scope.supers(declared)
    methods = run.scope.program.slice.methods
    names = set(called)
    found: set[str] = set()
    seen: set[Method] = set()
    stack = [method] if method is not None and method.owner in family else []
    stack += [each for name in names for one in family for each in one.methods.get(name, ())]
    while stack and len(seen) < REACHED_MAX:
        current = stack.pop()
        if current in seen:
            continue
        seen.add(current)
        found |= assigned(current)
        reached = methods.get(current)
        for name in reached.called - names if reached is not None else ():
            names.add(name)
            stack += [each for one in family for each in one.methods.get(name, ())]
    return found


def assigned(method: Method) -> set[str]:
    """The names of its object's fields that a method gives a value, locals left out."""
    return assigned_in(method.decl.body or (), {param.name for param in method.decl.params})


def assigned_in(body: Any, local: Iterable[str] = ()) -> set[str]:
    """The names that code assigns, by themselves or on `this`; not those it declares itself."""
    plain: set[str] = set()
    own: set[str] = set()
    declared = set(local)
    stack: list[Any] = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack += node
        elif isinstance(node, ir.Record):
            if isinstance(node, ir.Let):
                declared.add(node.name)
            elif isinstance(node, ir.Assign):
                target = node.target
                if isinstance(target, ir.Name):
                    plain.add(target.name)
                elif isinstance(target, ir.Attribute) and isinstance(target.target, ir.This):
                    own.add(target.name)
            stack += [getattr(node, name) for name in node.__struct_fields__]
    return own | (plain - declared)

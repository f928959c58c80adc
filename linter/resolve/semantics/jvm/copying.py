"""Library calls that fill the fields of an object by their names: `BeanUtils.copyProperties`, `MixAll.properties2Object`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from subdrift.linter.resolve.execute.guards import UNSET, leaves, pick
from subdrift.linter.resolve.execute.havoc import forget_fields
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Guarded, Object

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

_TO_FIRST = ("org.apache.commons.beanutils.", "commons.beanutils.")
"""Packages whose `copyProperties` takes the object to fill first; all others take it second."""


def fill(java: Java, run: Interpreter, owner: str, name: str, arguments: list[Guarded]) -> None:
    """What such a call writes. Fields that come of an object at hand get its values, those of anything else are unknown."""
    if name == "properties2Object" and len(arguments) == 2:
        _forget(run, arguments[1])
    elif name == "copyProperties" and len(arguments) >= 2:
        source, target = arguments[0], arguments[1]
        if any(part in owner for part in _TO_FIRST):
            source, target = target, source
        if len(arguments) > 2:  # all but those that are named: which ones, nobody sees
            _forget(run, target)
        else:
            _copy(java, run, source, target)


def _copy(java: Java, run: Interpreter, source: Guarded, target: Guarded) -> None:
    before = run.guard
    for guard, filled in leaves(target, before):
        if not isinstance(filled, Object) or filled.declared is None:
            continue
        run.guard = guard
        for inner, held in leaves(source, guard):
            run.guard = inner
            if isinstance(held, Object) and held.declared is not None:
                _copy_one(java, run, held, filled)
            elif held is not None:
                forget_fields(run, filled)
    run.guard = before


def _copy_one(java: Java, run: Interpreter, source: Object, target: Object) -> None:
    assert source.declared is not None
    assert target.declared is not None
    for each in run.scope.supers(target.declared):
        for name, decl in each.fields.items():
            found = run.scope.field(source.declared, name)
            if decl.static or decl.final or found is None or found[1].static:
                continue
            value = java.read(run, source, name, *found)
            own = run.scope.field(target.declared, name)
            held = java.read(run, target, name, *own) if own is not None else UNSET
            target.fields[name] = pick(run.guard, value, held)


def _forget(run: Interpreter, value: Guarded) -> None:
    before = run.guard
    for guard, leaf in leaves(value, before):
        if isinstance(leaf, Object):
            run.guard = guard
            forget_fields(run, leaf)
    run.guard = before

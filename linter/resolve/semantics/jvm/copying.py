"""Library calls that fill the fields of an object by their names: `BeanUtils.copyProperties`, `MixAll.properties2Object`."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET, leaves, pick
from subdrift.linter.resolve.execute.havoc import forget_fields
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Guarded, Object, Text

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

_TO_FIRST = ("org.apache.commons.beanutils.", "commons.beanutils.")
"""Packages whose `copyProperties` takes the object to fill first; all others take it second."""


_COPYING = ("org.springframework.beans.", "org.apache.commons.beanutils.", "cn.hutool.core.bean.")
"""Packages whose `copyProperties` is known to do nothing else."""


def fill(java: Java, run: Interpreter, owner: str, name: str, arguments: list[Guarded]) -> bool:
    """What such a call writes. Fields that come of an object at hand get its values, those of anything else are unknown.
    Gives whether it does nothing else."""
    if name == "properties2Object" and len(arguments) == 2:
        _forget(run, arguments[1])
    elif name == "copyProperties" and len(arguments) >= 2:
        source, target = arguments[0], arguments[1]
        if any(part in owner for part in _TO_FIRST):
            source, target = target, source
        left = {each.known for each in arguments[2:] if isinstance(each, Text)}
        if None in left or len(left) < len(arguments) - 2:  # all but those that nobody knows
            _forget(run, target)
            return False
        _copy(java, run, source, target, left)
        return owner.startswith(_COPYING) and all(isinstance(one, Object) for one in (source, target))
    return False


def _copy(java: Java, run: Interpreter, source: Guarded, target: Guarded, left: Set[str | None]) -> None:
    before = run.guard
    for guard, filled in leaves(target, before):
        if not isinstance(filled, Object) or filled.declared is None:
            continue
        run.guard = guard
        for inner, held in leaves(source, guard):
            run.guard = inner
            if isinstance(held, Object) and held.declared is not None:
                _copy_one(java, run, held, filled, left)
            elif held is not None:
                forget_fields(run, filled)
    run.guard = before


def _copy_one(java: Java, run: Interpreter, source: Object, target: Object, left: Set[str | None]) -> None:
    """Copies what has a getter here and a setter there, all but the properties that are `left` alone."""
    assert source.declared is not None
    assert target.declared is not None
    for each in run.scope.supers(target.declared):
        for name, decl in each.fields.items():
            found = run.scope.field(source.declared, name)
            if decl.static or decl.final or found is None or found[1].static or name in left:
                continue
            if not (_is_got(run, source.declared, name) and _is_set(run, target.declared, name)):
                continue
            value = java.read(run, source, name, *found)
            own = run.scope.field(target.declared, name)
            held = java.read(run, target, name, *own) if own is not None else UNSET
            target.fields[name] = pick(run.guard, value, held)


def _is_got(run: Interpreter, declared: Class, name: str) -> bool:
    title = f"{name[:1].upper()}{name[1:]}"
    found = (run.scope.methods(declared, f"{word}{title}", 0) for word in ("get", "is"))
    return declared.file.language != "java" or any(found)


def _is_set(run: Interpreter, declared: Class, name: str) -> bool:
    found = run.scope.methods(declared, f"set{name[:1].upper()}{name[1:]}", 1)
    return declared.file.language != "java" or bool(found)


def _forget(run: Interpreter, value: Guarded) -> None:
    before = run.guard
    for guard, leaf in leaves(value, before):
        if isinstance(leaf, Object):
            run.guard = guard
            forget_fields(run, leaf)
    run.guard = before

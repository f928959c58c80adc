"""Classes of the program that code looks for in packages (`ScannedClasses`): what the models of Spring's scanner stand on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.deferred import known_texts
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import Guarded, Text, TypeValue, Unknown
from subdrift.linter.resolve.semantics.jvm.calls import Call, static
from subdrift.linter.resolve.semantics.jvm.natives import declared_annotations

_OWNER: Final = "ScannedClasses"


def _class(value: Guarded) -> Class | None:
    return value.declared if isinstance(value, TypeValue) else None


@static(_OWNER, "annotated")
def _annotated(call: Call) -> Guarded:
    """The classes below a package that carry an annotation, on themselves or on one of theirs."""
    kind = _class(call.args[0])
    if kind is None:
        return call.unknown()
    run, inherits = call.run, kind.annotation("Inherited") is not None
    carriers = [
        one
        for one in run.scope.implementations(kind)
        if declared_annotations.merged_annotation(run, one, None, kind, inherits=inherits, merges=True)
        is not None
    ]
    return run.over(known_texts(run, call.args[1], call.place), partial(_below, call, carriers))


@static(_OWNER, "assignable")
def _assignable(call: Call) -> Guarded:
    """The classes below a package that are of a type."""
    kind = _class(call.args[0])
    if kind is None:
        return call.unknown()
    package = known_texts(call.run, call.args[1], call.place)
    return call.run.over(package, partial(_below, call, call.run.scope.implementations(kind)))


def _below(call: Call, every: Iterable[Class], leaf: Any) -> Guarded:
    known = leaf.known if isinstance(leaf, Text) else None
    if known is None or "*" in known:
        return call.unknown()
    package = known.replace("/", ".")
    found = [
        one
        for one in every
        if scope_of(one.origin.path) != "test" and f"{one.file.unit.package}.".startswith(f"{package}.")
    ]
    found.sort(key=lambda one: one.name)
    return call.listed("[]", list(_guarded(call, found)))


def _guarded(call: Call, found: Iterable[Class]) -> Iterator[tuple[Guarded, Guarded]]:
    """Each class, one with a condition where that may hold."""
    for one in found:
        conditional = any(
            each.name.rpartition(".")[2].startswith(("Conditional", "Profile"))
            for each in one.decl.annotations
        )
        whether = Unknown(Why.DYNAMIC, one.simple, ("scanned", one.name))
        there = call.holds(Test("true", (whether,))) if conditional else True
        yield there, TypeValue(one, one.name)


@static(_OWNER, "isConcrete")
def _is_concrete(call: Call) -> Guarded:
    declared = _class(call.args[0])
    return call.unknown() if declared is None else declared.concrete


@static(_OWNER, "isIndependent")
def _is_independent(call: Call) -> Guarded:
    """Whether a class needs no object of one around it."""
    declared = _class(call.args[0])
    return call.unknown() if declared is None else declared.outer is None or declared.decl.static


@static(_OWNER, "attributes")
def _attributes(call: Call) -> Guarded:
    """The attributes of an annotation by its full name, null where a class has none."""
    declared = _class(call.args[0])
    return call.unknown() if declared is None else call.run.over(call.args[1], partial(_of, call, declared))


def _of(call: Call, declared: Class, leaf: Any) -> Guarded:
    known = leaf.known if isinstance(leaf, Text) else None
    kind = call.run.scope.named(known, declared) if known is not None else None
    if not isinstance(kind, Class):
        return call.unknown()
    found = declared_annotations.merged_annotation(
        call.run, declared, None, kind, inherits=False, merges=True
    )
    return declared_annotations.as_table(call, found)

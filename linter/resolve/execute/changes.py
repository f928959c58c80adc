"""What code changes, by its text: what it gives a value, and what it calls methods on that change something."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any, Final

from subdrift.linter.model import ir
from subdrift.linter.model.walk import nodes, remembered
from subdrift.linter.resolve.execute.havoc import mentioned_in

CHANGES: Final = re.compile(
    r"(?:and|or|xor|flip|add|append|put|offer|push|pop|poll|remove|clear|retain|replace|set|compute|merge|insert|delete"
    r"|update|discard|extend|sort|reverse|rotate|shuffle|swap|fill|load|drain|increment|decrement|accumulate|getAnd"
    r"|compareAnd|take|next|copy|arraycopy|subscribe|unsubscribe|write|plusAssign|minusAssign)(?![a-z])"
    r"|\w+And(?:Get|Set|Add|Put)(?![a-z])|setdefault|difference_|intersection_|symmetric_"
)
"""Names of library methods that change what they are called on, or what they are given."""


def changed_in(body: Any, but: Container[str] = ()) -> set[str]:
    """The names of variables and fields whose contents code changes, by these or by other names that it has for them; not
    by the methods `but`."""
    changed: set[str] = set()
    other: dict[str, set[str]] = {}
    for node in nodes(body):
        name, of = "", None
        if isinstance(node, ir.Let):
            name, of = node.name, node.value
        elif isinstance(node, ir.ForEach) and isinstance(node.target, ir.Name):
            name, of = node.target.name, node.source
        elif isinstance(node, ir.InstanceOf):
            name, of = node.name, node.value
        elif isinstance(node, ir.Assign):
            if node.operator and not (node.operator == "+" and "add" in but):
                changed |= mentioned_in(node.target)  # a collection may be what `+=` adds to
            if isinstance(node.target, ir.Index):
                changed |= mentioned_in(node.target)
            elif isinstance(node.target, ir.Name):
                name, of = node.target.name, node.value
        elif isinstance(node, ir.Call):
            given = [each.value for each in node.args]
            for each in given:
                for param in each.params if isinstance(each, ir.Lambda) else ():
                    other.setdefault(param.name, set()).update(mentioned_in((node.target, *given)))
            if CHANGES.match(node.name) and node.name not in but:
                is_static = isinstance(node.target, ir.Name) and node.target.name[:1].isupper()
                changed |= mentioned_in((node.target, *(given if is_static else ())))
        if name and of is not None:
            other.setdefault(name, set()).update(mentioned_in(of))
    stack = list(changed)
    while stack:
        for alias in other.get(stack.pop(), set()) - changed:
            changed.add(alias)
            stack.append(alias)
    return changed


@remembered
def assigned_fields(body: Any) -> frozenset[tuple[bool, str]]:
    """The fields that code gives a value, and whether they are those of its own object, or of one around."""
    local: set[str] = set()
    bare: set[str] = set()
    found: set[tuple[bool, str]] = set()
    for node in nodes(body):
        kind = type(node)
        if kind is ir.Let or kind is ir.Param:
            local.add(node.name)
        elif kind is ir.Assign:
            target = node.target
            if type(target) is ir.Name:
                bare.add(target.name)
            elif type(target) is ir.Attribute:
                found.add((type(target.target) is ir.This, target.name))
    return frozenset(found.union((True, name) for name in bare - local))


def assigned_on_types(body: Any) -> frozenset[tuple[str, str]]:
    """The fields that code gives a value which it names with the type that has them."""
    return frozenset(pair for pair in assigned_parts(body) if pair[0][:1].isupper())


@remembered
def called_in(body: Any) -> frozenset[str]:
    return frozenset(node.name for node in nodes(body) if type(node) is ir.Call and node.target is not None)


@remembered
def parts_changed(body: Any) -> frozenset[str]:
    """The names of what code changes, be it of its own or a part of something else."""
    assigned = (
        node.target.name
        for node in nodes(body)
        if type(node) is ir.Assign and type(node.target) is ir.Attribute
    )
    return frozenset((*changed_in(body), *assigned))


@remembered
def assigned_parts(body: Any) -> frozenset[tuple[str, str]]:
    """What code gives a value of what has a name, as pairs of that and the part's."""
    targets = (node.target for node in nodes(body) if type(node) is ir.Assign)
    return frozenset(
        (each.target.name, each.name)
        for each in targets
        if type(each) is ir.Attribute and type(each.target) is ir.Name
    )


_SETTLES: Final = re.compile(
    r"(?:complete|countDown|release|acquire|emit|tryEmit|trySend|resume|fail|cancel)(?![a-z])"
)


@remembered
def settled_in(body: Any) -> frozenset[str]:
    """The names of futures, latches, channels and the like that code brings on."""
    called = (node for node in nodes(body) if type(node) is ir.Call and _SETTLES.match(node.name))
    return frozenset(name for each in called for name in mentioned_in(each.target))

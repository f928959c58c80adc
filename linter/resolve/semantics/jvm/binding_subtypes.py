"""Which class Jackson makes where a document names it: `@JsonTypeInfo` by a property, its `@JsonSubTypes`, `@JsonTypeName`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from subdrift.linter.model import ir
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.values import Frame, Text
from subdrift.linter.resolve.semantics.jvm.binding_policies import OF_JACKSON

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.values import Entry
    from subdrift.linter.resolve.semantics.jvm.binding import Binding

TYPE_INFO = "JsonTypeInfo"
_INCLUDED = frozenset({"PROPERTY", "EXISTING_PROPERTY"})


class Meant(NamedTuple):
    """The class that a document names, and what it says of an object of it."""

    declared: Class
    entries: Mapping[str | None, Entry]


def meant(binding: Binding, declared: Class, entries: Mapping[str | None, Entry]) -> Meant | None:
    """The class to be made; None where that is not followed."""
    if not binding.policy.marks & OF_JACKSON:
        return Meant(declared, entries)
    found = next(
        ((one, mark) for one in binding.run.scope.supers(declared) for mark in _marks(one, TYPE_INFO)), None
    )
    if found is None:
        return Meant(declared, entries)
    owner, mark = found
    near = binding.run.frame(owner, None)
    told = {argument.name: argument.value for argument in mark.args}
    if _word(told.get("use")) != "NAME" or _word(told.get("include"), "PROPERTY") not in _INCLUDED:
        return None
    key = next(iter(binding.texts(mark, ("property",), near)), "@type")
    held = entries.get(key)
    name = held.value.known if held is not None and isinstance(held.value, Text) else None
    named = dict(_names(binding, owner, near)).get(name) if name is not None else None
    if named is None or not binding.run.scope.is_a(named, declared):
        return None
    visible = "visible" in told and binding.run.value(told["visible"], near) is True
    return Meant(
        named, entries if visible else {each: entry for each, entry in entries.items() if each != key}
    )


def _marks(one: Class, name: str) -> Iterator[ir.Annotation]:
    return (mark for mark in one.decl.annotations if mark.name.rpartition(".")[2] == name)


def _word(value: ir.Expr | None, other: str = "") -> str:
    return value.name if isinstance(value, ir.Attribute | ir.Name) else other if value is None else ""


def _names(binding: Binding, owner: Class, near: Frame) -> Iterator[tuple[str, Class]]:
    """The names that documents have for the classes below one, as annotations say them."""
    for mark in _marks(owner, "JsonSubTypes"):
        for argument in mark.args:
            listed: Any = (
                argument.value.items if isinstance(argument.value, ir.Sequence) else (argument.value,)
            )
            for each in listed:
                yield from _named(binding, each, near)


def _named(binding: Binding, each: Any, near: Frame) -> Iterator[tuple[str, Class]]:
    """`@Type(value = A.class, name = "a")`; without a name the class says it by `@JsonTypeName`."""
    if not isinstance(each, ir.New):
        return
    told = {argument.name or "value": argument.value for argument in each.args}
    literal = told.get("value")
    declared = (
        binding.run.type_named(literal.type.name, near) if isinstance(literal, ir.TypeLiteral) else None
    )
    if not isinstance(declared, Class):
        return
    as_mark = ir.Annotation("Type", each.args, each.at)
    names = binding.texts(as_mark, ("name", "names"), near)
    own = binding.run.frame(declared, None)
    names = names or [
        name for mark in _marks(declared, "JsonTypeName") for name in binding.texts(mark, ("value",), own)
    ]
    yield from ((name, declared) for name in names)

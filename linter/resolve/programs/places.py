"""Where a subscription stands: the outermost call whose arguments supply its values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute import guards
from subdrift.linter.resolve.execute.clients import frames_of
from subdrift.linter.resolve.execute.values import Frame, Object, Text, Unknown


def line_of(frame: Frame, at: Location, values: Sequence[Any]) -> Location:
    """The outermost call whose arguments supply a value; else the place itself."""
    born = {value.frame for value in values if isinstance(value, Text) and value.frame}
    if born.isdisjoint(one.number for one in frames_of(frame)):  # unknown, or written beside a field
        return _made_known(frame, at, [one for one in values if _can_be_told(one)])
    found = at
    inner = at
    for one in frames_of(frame):
        if one.number in born:
            found = inner
        if one.called_at is not None and not one.inlined:
            inner = one.called_at
    return found


def _can_be_told(value: Any) -> bool:
    """Whether a value can be told from others."""
    return isinstance(value, Text) or (isinstance(value, Unknown) and value.symbol is not None)


def _made_known(frame: Frame, at: Location, values: Sequence[Any]) -> Location:
    """The call in the code where values of no call come into sight: outward as long as they are arguments, or held by the
    object that the code runs on."""
    found = at
    for one in frames_of(frame):
        if one.inlined:
            continue
        given = [one.variables.get(param.name) for param in one.method.decl.params] if one.method else []
        if _is_held(values, given):
            if one.called_at is None:
                return at
            found = one.called_at
        elif not (isinstance(one.this, Object) and _is_held(values, one.this.fields.values())):
            return found
    return found


def _is_held(values: Sequence[Any], held: Iterable[Any]) -> bool:
    """Whether one of some values is held, be it under a choice."""
    return any(value == leaf for each in held for _, leaf in guards.leaves(each) for value in values)


def handed_over(frame: Frame, call: Location, values: Sequence[Any]) -> bool:
    """Whether one of some values is among the variables of the code that a call entered."""
    told = [value for value in values if _can_be_told(value) and (type(value) is Unknown or value.frame)]
    for one in frames_of(frame):
        if one.called_at == call and not one.inlined:
            held = [leaf for variable in one.variables.values() for _, leaf in guards.leaves(variable)]
            items = [
                leaf
                for each in held
                if isinstance(each, Object) and each is not one.this
                for item in (
                    *(item for _, item in each.items or ()),
                    *(entry.value for entry in each.entries or ()),
                    *each.fields.values(),
                )
                for _, leaf in guards.leaves(item)
            ]
            flat = [
                part for leaf in (*held, *items) for part in (leaf if isinstance(leaf, tuple) else (leaf,))
            ]
            return any(_is_same(leaf, each) for leaf in flat for each in told)
    return True


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values are one, whatever it is."""
    if type(one) is not type(other):
        return False
    return bool(one.parts == other.parts if type(one) is Text else one.symbol == other.symbol)

"""Patterns of `match`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import Diagram, apply, both
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    Entry,
    Frame,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import classes, constructors, containers, equality, library
from subdrift.linter.resolve.semantics.python.classes import info_of
from subdrift.linter.resolve.semantics.python.concrete import unknown_from

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


def match(python: Python, run: Interpreter, leaf: Any, label: Any, frame: Frame) -> Guarded:
    """Whether a value fits the label of a case, which binds what that captures."""
    if isinstance(label, ir.Pattern):
        case = _Case(python, run, frame)
        holds = case.holds(leaf, label)
        for name, value, at in case.bound if holds is not False else ():
            python.assign_name(run, name, value, frame, at)
        return holds
    value = run.value(label, frame)
    if isinstance(label, ir.Const) and (label.value is None or isinstance(label.value, bool)):
        return apply(equality.identical, leaf, value)
    return apply(lambda one, other: python.binary(run, "==", one, other), leaf, value)


_ITERATED = frozenset({"generator", "values", "items"})
"""What one goes through, which is not a sequence."""


class _Case:
    """A pattern that is held against a value: what it captures is bound once all of it fits."""

    def __init__(self, python: Python, run: Interpreter, frame: Frame) -> None:
        self.python = python
        self.run = run
        self.frame = frame
        self.bound: list[tuple[str, Guarded, ir.At]] = []

    def holds(self, leaf: Any, label: Any) -> Guarded:
        """Whether a value fits."""
        if not isinstance(label, ir.Pattern):
            return match(self.python, self.run, leaf, label, self.frame)
        if isinstance(leaf, Diagram):
            return Test("true", (Unknown(Why.UNSUPPORTED, phrase("pattern")),))
        match label.kind:
            case "capture":
                self.binds(label, leaf)
                return True
            case "value":
                return self.holds(leaf, label.parts[0])
            case "as":
                holds = self.holds(leaf, label.parts[0])
                self.binds(label, leaf)
                return holds
            case "or":
                return _any(self.one_of(leaf, part) for part in label.parts)
        if isinstance(leaf, Unknown | Test):
            return self.unsure(leaf, label)
        kinds = {"sequence": self.sequence, "mapping": self.mapping, "class": self.of_class}
        return kinds[label.kind](leaf, label) if label.kind in kinds else False

    def unsure(self, leaf: Unknown | Test, label: ir.Pattern) -> Test:
        """Nobody knows whether a value fits, and what is captured then."""
        for name in _captured(label):
            self.bound.append((name, unknown_from((leaf,), phrase("part-of-a-match")), label.at))
        symbol = symbol_of(leaf)
        key = None if symbol is None else ("matches", symbol, label.at)
        return Test("true", (Unknown(Why.DYNAMIC, phrase("match"), key),))

    def binds(self, label: ir.Pattern, value: Guarded) -> None:
        if label.name != "_":
            self.bound.append((label.name, value, label.at))

    def one_of(self, leaf: Any, label: Any) -> Guarded:
        """Whether one of some alternatives fits: what others capture is not bound."""
        before = len(self.bound)
        holds = self.holds(leaf, label)
        if holds is False:
            del self.bound[before:]
        return holds

    def sequence(self, leaf: Any, pattern: ir.Pattern) -> Guarded:
        if isinstance(leaf, Object) and leaf.declared is not None and "<compare>" not in leaf.fields:
            is_one = library.is_instance(self.run, leaf, _SEQUENCE)
            return False if is_one is False else self.unsure(Unknown(Why.DYNAMIC, phrase("match")), pattern)
        if isinstance(leaf, Text) or (
            isinstance(leaf, Object)
            and (
                leaf.items is None
                or leaf.type in containers.SETS
                or leaf.type not in containers.LISTS - _ITERATED
            )
        ):
            return False
        pairs = containers.pairs(leaf)
        if pairs is None:
            return False
        more = leaf.open if isinstance(leaf, Object) else None
        if more is not None or any(guard is not True for guard, _ in pairs):
            return self.unsure(more or Unknown(Why.DYNAMIC, phrase("match")), pattern)
        items = [item for _, item in pairs]
        star = next(
            (
                i
                for i, part in enumerate(pattern.parts)
                if isinstance(part, ir.Pattern) and part.kind == "star"
            ),
            None,
        )
        if star is None:
            if len(items) != len(pattern.parts):
                return False
            return _all(self.holds(item, part) for item, part in zip(items, pattern.parts, strict=True))
        tail = len(pattern.parts) - star - 1
        if len(items) < star + tail:
            return False
        rest = pattern.parts[star]
        assert isinstance(rest, ir.Pattern)
        if rest.name != "_":
            middle = containers.made_of(
                self.run, "list", [(True, each) for each in items[star : len(items) - tail]], None
            )
            self.binds(rest, middle)
        parts = (*pattern.parts[:star], *pattern.parts[star + 1 :])
        chosen = (*items[:star], *items[len(items) - tail :]) if tail else tuple(items[:star])
        return _all(self.holds(item, part) for item, part in zip(chosen, parts, strict=True))

    def mapping(self, leaf: Any, pattern: ir.Pattern) -> Guarded:
        if isinstance(leaf, Object) and leaf.entries is None and leaf.declared is not None:
            is_one = library.is_instance(self.run, leaf, _MAPPING)
            return False if is_one is False else self.unsure(Unknown(Why.DYNAMIC, phrase("match")), pattern)
        if not isinstance(leaf, Object) or leaf.entries is None:
            return False
        found: list[Guarded] = []
        for key, part in zip(pattern.keys, pattern.parts, strict=True):
            if isinstance(part, ir.Pattern) and part.kind == "star":
                rest = self.run.make(None, "dict", leaf.at)
                rest.open = leaf.open
                rest.entries = [
                    Entry(each.guard, each.key, each.value, each.at)
                    for each in leaf.entries
                    if not (isinstance(each.key, Text) and each.key.known in pattern.keys)
                ]
                self.binds(part, rest)
                continue
            value, there = containers.lookup(self.run, leaf, text(key))
            if there is False:
                return False
            found += [there, self.holds(value, part)]
        return _all(found)

    def of_class(self, leaf: Any, pattern: ir.Pattern) -> Guarded:
        named = self.python.type_of(self.run, ir.TypeRef(pattern.name), self.frame)
        if named is None:
            return Test("true", (Unknown(Why.DYNAMIC, phrase("match")),))
        holds = library.is_instance(self.run, leaf, named)
        if holds is not True:
            return holds
        names: list[str] = []
        if named.declared is not None:
            listed = containers.pairs(classes.class_attribute(self.run, named.declared, "__match_args__"))
            info = info_of(self.run, named.declared)
            if listed is not None:
                names = [item.known or "" for _, item in listed if isinstance(item, Text)]
            elif info is not None:
                names = [decl.name for _, decl in constructors.dataclass_fields(self.run, info)]
        found: list[Guarded] = []
        for place, (key, part) in enumerate(zip(pattern.keys, pattern.parts, strict=True)):
            if not key and named.declared is None:
                found.append(self.holds(leaf, part))  # str(x), int(x): the value itself
                continue
            name = key or (names[place] if place < len(names) else "")
            found.append(
                self.holds(self.python.attribute(self.run, leaf, name, self.frame, pattern.at), part)
            )
        return _all(found)


_SEQUENCE = TypeValue(None, "collections.abc.Sequence")
_MAPPING = TypeValue(None, "collections.abc.Mapping")


def _captured(pattern: ir.Pattern) -> Iterable[str]:
    """The names a pattern binds."""
    if pattern.kind in ("capture", "star", "as") and pattern.name != "_":
        yield pattern.name
    for part in pattern.parts:
        if isinstance(part, ir.Pattern):
            yield from _captured(part)


def _all(found: Iterable[Guarded]) -> Guarded:
    """Whether all parts hold; a part that nobody knows makes the whole a test."""
    unsure: Guarded = True
    for each in found:
        if each is False:
            return False
        if each is not True:
            unsure = each if unsure is True or isinstance(unsure, Test) else both(unsure, each)
    return unsure


def _any(found: Iterable[Guarded]) -> Guarded:
    unsure: Guarded = False
    for each in found:
        if each is True:
            return True
        if each is not False:
            unsure = each
    return unsure

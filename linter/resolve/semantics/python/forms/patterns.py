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
from subdrift.linter.resolve.execute.values import Entry, Frame, Guarded, Object, Text, Unknown, text
from subdrift.linter.resolve.semantics.python import classes, constructors, containers, equality, library
from subdrift.linter.resolve.semantics.python.classes import info_of
from subdrift.linter.resolve.semantics.python.concrete import unknown_from

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


def match(python: Python, run: Interpreter, leaf: Any, label: Any, frame: Frame) -> Guarded:
    if isinstance(label, ir.Pattern):
        return python._pattern(run, leaf, label, frame)
    value = run.value(label, frame)
    if isinstance(label, ir.Const) and (label.value is None or isinstance(label.value, bool)):
        return apply(equality.identical, leaf, value)
    return apply(lambda one, other: python.binary(run, "==", one, other), leaf, value)


def pattern(python: Python, run: Interpreter, leaf: Any, pattern: ir.Pattern, frame: Frame) -> Guarded:
    if isinstance(leaf, Diagram):
        return Test("true", (Unknown(Why.UNSUPPORTED, phrase("pattern")),))
    if pattern.kind == "capture":
        if pattern.name != "_":
            python.assign_name(run, pattern.name, leaf, frame, pattern.at)
        return True
    if pattern.kind == "value":
        return python.match(run, leaf, pattern.parts[0], frame)
    if pattern.kind == "as":
        holds = python.match(run, leaf, pattern.parts[0], frame)
        if holds is not False:
            python.assign_name(run, pattern.name, leaf, frame, pattern.at)
        return holds
    if pattern.kind == "or":
        return _any(python.match(run, leaf, part, frame) for part in pattern.parts)
    if isinstance(leaf, Unknown | Test):
        for name in _captured(pattern):
            python.assign_name(run, name, unknown_from((leaf,), phrase("part-of-a-match")), frame, pattern.at)
        symbol = symbol_of(leaf)
        key = None if symbol is None else ("matches", symbol, pattern.at)
        return Test("true", (Unknown(Why.DYNAMIC, phrase("match"), key),))
    if pattern.kind == "sequence":
        return python._match_sequence(run, leaf, pattern, frame)
    if pattern.kind == "mapping":
        return python._match_mapping(run, leaf, pattern, frame)
    if pattern.kind == "class":
        return python._match_class(run, leaf, pattern, frame)
    return False


def match_sequence(python: Python, run: Interpreter, leaf: Any, pattern: ir.Pattern, frame: Frame) -> Guarded:
    if isinstance(leaf, Text) or (
        isinstance(leaf, Object) and (leaf.items is None or leaf.type in containers.SETS)
    ):
        return False
    pairs = containers.pairs(leaf)
    if pairs is None:
        return False
    if any(guard is not True for guard, _ in pairs):
        return Test("true", (Unknown(Why.DYNAMIC, phrase("match")),))
    items = [item for _, item in pairs]
    star = next(
        (i for i, part in enumerate(pattern.parts) if isinstance(part, ir.Pattern) and part.kind == "star"),
        None,
    )
    if star is None:
        if len(items) != len(pattern.parts):
            return False
        return _all(
            python.match(run, item, part, frame) for item, part in zip(items, pattern.parts, strict=True)
        )
    tail = len(pattern.parts) - star - 1
    if len(items) < star + tail:
        return False
    rest = pattern.parts[star]
    assert isinstance(rest, ir.Pattern)
    if rest.name != "_":
        middle = containers.made_of(
            run, "list", [(True, each) for each in items[star : len(items) - tail]], None
        )
        python.assign_name(run, rest.name, middle, frame, rest.at)
    parts = (*pattern.parts[:star], *pattern.parts[star + 1 :])
    chosen = (*items[:star], *items[len(items) - tail :]) if tail else tuple(items[:star])
    return _all(python.match(run, item, part, frame) for item, part in zip(chosen, parts, strict=True))


def match_mapping(python: Python, run: Interpreter, leaf: Any, pattern: ir.Pattern, frame: Frame) -> Guarded:
    if not isinstance(leaf, Object) or leaf.entries is None:
        return False
    found: list[Guarded] = []
    for key, part in zip(pattern.keys, pattern.parts, strict=True):
        if isinstance(part, ir.Pattern) and part.kind == "star":
            rest = run.make(None, "dict", leaf.at)
            rest.open = leaf.open
            rest.entries = [
                Entry(each.guard, each.key, each.value, each.at)
                for each in leaf.entries
                if not (isinstance(each.key, Text) and each.key.known in pattern.keys)
            ]
            python.assign_name(run, part.name, rest, frame, part.at)
            continue
        value, there = containers.lookup(run, leaf, text(key))
        if there is False:
            return False
        found += [there, python.match(run, value, part, frame)]
    return _all(found)


def match_class(python: Python, run: Interpreter, leaf: Any, pattern: ir.Pattern, frame: Frame) -> Guarded:
    named = python.type_of(run, ir.TypeRef(pattern.name), frame)
    if named is None:
        return Test("true", (Unknown(Why.DYNAMIC, phrase("match")),))
    holds = library.is_instance(run, leaf, named)
    if holds is not True:
        return holds
    names: list[str] = []
    if named.declared is not None:
        listed = containers.pairs(classes.class_attribute(run, named.declared, "__match_args__"))
        info = info_of(run, named.declared)
        if listed is not None:
            names = [item.known or "" for _, item in listed if isinstance(item, Text)]
        elif info is not None:
            names = [decl.name for _, decl in constructors.dataclass_fields(run, info)]
    found: list[Guarded] = []
    for place, (key, part) in enumerate(zip(pattern.keys, pattern.parts, strict=True)):
        if not key and named.declared is None:
            found.append(python.match(run, leaf, part, frame))  # str(x), int(x): the value itself
            continue
        name = key or (names[place] if place < len(names) else "")
        found.append(python.match(run, python.attribute(run, leaf, name, frame, pattern.at), part, frame))
    return _all(found)


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

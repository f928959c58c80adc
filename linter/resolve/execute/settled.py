"""Which methods of a run over sends need none of their callers: of all that they send topic and tag are written within, so
that no caller can make them send anything else.

What a method sends by its parameters, or by the fields of an object that others fill, is asked for as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute import guards
from subdrift.linter.resolve.execute.clients import Client, frames_of
from subdrift.linter.resolve.execute.declarations import Method
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Decision
from subdrift.linter.resolve.execute.scope import Scope
from subdrift.linter.resolve.execute.slice import Slice
from subdrift.linter.resolve.execute.values import Frame, Gap, Key, LibraryConstant, Text, Unknown

LEAVES_MAX = 100
"""Values of one message that are looked at."""

_ELSEWHERE = frozenset({Why.EXTERNAL_CONFIG, Why.SET_AT_DEPLOY, Why.UNDEFINED, Why.UNSUPPORTED, Why.TOO_MANY})
"""Reasons that no caller takes away."""

_OF_CALLERS = frozenset({"parameter", "stand-in", "object", "arguments", "fresh", "havoc", "answer", "once"})
"""Roots of symbols for what a caller may hand over, or nobody knows."""

_OF_CONFIGURATION = frozenset({"part", "element", "entry", "bean", "profiles"})
"""Tests that configuration decides."""


def settled(scope: Scope, whole: Slice, runs: Iterable[tuple[str, Interpreter, bool]]) -> set[Method]:
    """The methods that no caller can make send anything else. `runs` as in `Executed.runs`."""
    known: set[Method] = set()
    open_: set[Method] = set()
    for _, run, unreached in runs:
        if unreached or run.ended is not None or run.died is not None:
            open_ |= run.ran
            continue
        for client in run.clients:
            through = list(frames_of(client.events[-1].frame))
            asked = _open_in(scope, client, run, through)
            for index, frame in enumerate(through):
                if frame.method is not None:
                    (open_ if index in asked else known).add(frame.method)
        lost = run.unfollowed & whole.names
        open_ |= {
            one for one in run.ran if one in whole.hot and not lost.isdisjoint(whole.methods[one].called)
        }
    return {one for one in known - open_ if not _is_lent(scope, one)}


def _is_lent(scope: Scope, method: Method) -> bool:
    """Whether another deployable takes in the module of a method: who calls it there says which of them send. A component is
    part of each of them, and is entered in each."""
    from subdrift.linter.resolve.semantics.jvm import managed

    if managed.is_found(scope, method.owner):
        return False
    modules = scope.definitions.modules
    return any(one.key != scope.deployable.key for one in modules.together(modules.of(method.owner.origin)))


def _open_in(scope: Scope, client: Client, run: Interpreter, through: Sequence[Frame]) -> set[int]:
    """Which of the calls on the way to a send, counted from the innermost, others may make with something else to send."""
    values = client.events[-1].values
    every = set(range(len(through)))
    if client.unreached or client.perhaps or not all(_is_decided(one) for one in _choices(run, *values)):
        return every
    leaves = (leaf for value in values for leaf in guards.some(value, LEAVES_MAX))
    places = [_written_in(scope, leaf, through) for leaf in leaves]
    if None in places:
        return every
    found = set(range(max((one for one in places if one is not None), default=0)))
    for one in _choices(run, client.born):  # whether it is sent
        if one.kind == "subtype":
            return every
        if one.at is not None and one.test is not None and one.test.kind in ("equal", "true"):
            place = _place_of(scope, one.at, through)
            if place is not None and any(map(_is_given, one.test.operands)):
                found.add(place)
    return found


def _choices(run: Interpreter, *values: Any) -> Iterator[Decision]:
    return (run.decisions[number] for value in values for number in guards.choices(value))


def _is_given(operand: Any) -> bool:
    """Whether what is tested comes of a parameter: a caller may well decide it."""
    stack = [operand.symbol] if isinstance(operand, Unknown) else []
    if isinstance(operand, Text):
        stack = [part.symbol for part in operand.parts if isinstance(part, Gap)]
    while stack:
        symbol = stack.pop()
        if isinstance(symbol, tuple):
            if symbol[:1] == ("parameter",):
                return True
            stack.extend(symbol)
    return False


def _is_decided(one: Decision) -> bool:
    """Whether configuration makes a choice, and no caller."""
    test = one.test
    return test is not None and (
        test.kind in _OF_CONFIGURATION
        or all(
            isinstance(each, str | bool | int) or (isinstance(each, Text) and not _has_gaps(each))
            for each in test.operands
        )
    )


def _has_gaps(value: Text) -> bool:
    return any(
        _is_open(part) if isinstance(part, Gap) else isinstance(part, Key) and _has_gaps(part.key)
        for part in value.parts
    )


def _is_open(unknown: Gap | Unknown) -> bool:
    """Whether a caller may say what is not known: not of what a container hands over."""
    return unknown.why not in _ELSEWHERE and not _is_injected(unknown.symbol)


def _is_injected(symbol: object) -> bool:
    """Whether all that a value came of is injected, or written."""
    if not isinstance(symbol, tuple) or not symbol:
        return isinstance(symbol, str)
    if symbol[0] in ("injected", "text"):
        return True
    parts = symbol[1:] if isinstance(symbol[0], str) else symbol
    return symbol[0] not in _OF_CALLERS and all(one == () or _is_injected(one) for one in parts)


def _written_in(scope: Scope, leaf: Any, through: Sequence[Frame]) -> int | None:
    """In which of the calls on the way to a send, counted from the innermost, its topic or tag is written; None where it is
    not known for a reason that a caller may take away."""
    if leaf is None or leaf is guards.UNSET or (isinstance(leaf, Unknown) and not _is_open(leaf)):
        return 0
    if isinstance(leaf, LibraryConstant):  # its file may come, and say more
        return len(through) - 1
    if not isinstance(leaf, Text) or _has_gaps(leaf):
        return None
    numbers = [one.number for one in through]
    entry = len(through) - 1
    found = numbers.index(leaf.frame) if leaf.frame in numbers else entry
    for step in leaf.steps:
        place = _place_of(scope, step.at, through)
        found = max(found, entry if place is None else place)
    return found


def _place_of(scope: Scope, at: Location, through: Sequence[Frame]) -> int | None:
    """In which of some calls a place is; 0 for constants and settings, None for what others may have handed over."""
    file = scope.program.file(at.origin)
    if file is None:
        return 0
    place = (at.span.line, at.span.column)
    for index, frame in enumerate(through):
        method = frame.method
        if method is not None and method.owner.file is file and _holds(method.decl.at, place):
            return index
    fields = (one for each in file.all_classes() for one in each.fields.values() if _holds(one.at, place))
    return 0 if any((one.static and one.final) or one.annotations for one in fields) else None


def _holds(span: ir.At, place: tuple[int, int]) -> bool:
    return span[:2] <= place < span[2:]

"""`try`, `with`, and what goes on behind what was thrown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    both,
    either,
    leaves,
    negate,
    pick,
)
from subdrift.linter.resolve.execute.slice import Names
from subdrift.linter.resolve.execute.statements import gives_up, only_tells
from subdrift.linter.resolve.execute.values import (
    Frame,
    Guarded,
    Loop,
)

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.interpreter import Interpreter


def _left_since(loops: Sequence[Loop], before: Sequence[tuple[Guarded, Guarded]]) -> Guarded:
    """The guard under which loops, and blocks that have a value, were left since they were as they were before."""
    found: Guarded = False
    for loop, (broken, continued) in zip(loops, before, strict=False):
        for guard, other in ((loop.broken, broken), (loop.continued, continued)):
            if guard is not other:
                found = either(found, both(guard, negate(other)))
    return found


def try_(run: Interpreter, node: ir.Try, frame: Frame) -> None:
    outer, run.raised = run.raised, []
    mark = len(outer)
    returned = frame.returned
    left = [(loop.broken, loop.continued) for loop in frame.loops]
    doubts = run.doubts
    run.handlers.append(partial(is_handled, run, node.catches, frame))
    try:
        run.run(node.body, frame)
    finally:
        run.handlers.pop()
    if run.doubts > doubts and not run.brief:  # what nobody sees may have thrown
        for name in Names(one.body for one in node.catches).called & run.hot_names:
            run.loses_call(name)
    thrown, run.raised = run.raised, outer
    if run.guard is not False and node.otherwise:
        run.run(node.otherwise, frame)
    after = run.guard
    for guard, value in thrown:
        after = either(after, handle(run, node.catches, guard, value, frame))
    run.guard = after
    if node.final:
        everywhere = after
        for guard, _ in run.raised[mark:]:
            everywhere = either(everywhere, guard)
        if frame.returned is not returned:
            everywhere = either(everywhere, frame.returned)
        run.guard = either(everywhere, _left_since(frame.loops, left))
        everywhere = run.guard
        if everywhere is not False:
            run.run(node.final, frame)
        run.guard = both(run.guard, after)


def is_handled(run: Interpreter, catches: Sequence[ir.Catch], frame: Frame, error: Any) -> bool | None:
    """Whether one of some handlers takes an error and does something: one that gives up, or only says so, makes no
    difference to what a program does that works. None where none takes it."""
    semantics = run.semantics(frame)
    for one in catches:
        if semantics.catches(run, error, one.types, frame):
            return not gives_up(one.body) and not all(map(only_tells, one.body))
    return None


def handle(
    run: Interpreter, catches: Sequence[ir.Catch], guard: Guarded, value: Guarded, frame: Frame
) -> Guarded:
    """What goes on after one thrown value: the first handler that takes it, else it goes on outwards."""
    semantics = run.semantics(frame)
    after: Guarded = False
    for inner, leaf in leaves(value, guard):
        handler = next((one for one in catches if semantics.catches(run, leaf, one.types, frame)), None)
        if handler is None:
            run.raised.append((inner, leaf))
            continue
        run.guard = inner
        if handler.name:
            frame.variables[handler.name] = pick(inner, leaf, frame.variables.get(handler.name, UNSET))
        frame.variables["<caught>"] = leaf
        run.run(handler.body, frame)
        after = either(after, run.guard)
    return after


def with_(run: Interpreter, node: ir.With, frame: Frame) -> None:
    semantics = run.semantics(frame)
    entered: list[Guarded] = []
    for resource in node.resources:
        value = run.value(resource.value, frame)
        if run.guard is False:
            return
        entered.append(value)
        bound = run.over(value, lambda leaf: semantics.enter(run, leaf, frame, node.at))
        if resource.target is not None:
            run.assign(resource.target, bound, frame, node.at)
    mark = len(run.raised)
    returned = frame.returned
    run.run(node.body, frame)
    after = run.guard
    left = both(frame.returned, negate(returned)) if frame.returned is not returned else False
    for value in reversed(entered):
        thrown = run.raised[mark:]
        if left is not False:
            run.guard = left
            run.over(value, lambda leaf: semantics.leave(run, leaf, frame, node.at))
        if after is not False:
            run.guard = after
            run.over(value, lambda leaf: semantics.leave(run, leaf, frame, node.at))
            after = both(run.guard, after) if run.guard is not False else after
        if thrown:
            after = either(after, swallowed(run, value, mark, frame, node.at))
    run.guard = after


def swallowed(run: Interpreter, value: Guarded, mark: int, frame: Frame, at: ir.At) -> Guarded:
    """The guard under which the end of a `with` keeps what its body threw from going on outwards."""
    semantics = run.semantics(frame)
    thrown = run.raised[mark:]
    del run.raised[mark:]
    after: Guarded = False
    for guard, what in thrown:
        for inner, leaf in leaves(value, guard):
            run.guard = inner
            if semantics.swallows(run, leaf, what, frame, at):
                after = either(after, run.guard)
            elif run.guard is not False:
                run.raised.append((inner, what))
    return after

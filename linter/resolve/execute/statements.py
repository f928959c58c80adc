"""Statements that do not loop: declarations, returns, branches, switches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    apply,
    both,
    either,
    leaves,
    negate,
    pick,
    some,
    under,
)
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.state import NEEDS_LEAVES_MAX, PRIMITIVE, READERS
from subdrift.linter.resolve.execute.values import (
    UNIT,
    Frame,
    Guarded,
    Loop,
    Object,
    Text,
    TypeValue,
    Unknown,
)

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.interpreter import Interpreter


def gives_up(body: Sequence[ir.Stmt]) -> bool:
    """Whether a branch ends in an exception or the end of the process."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ir.Throw):
        return True
    return (
        isinstance(last, ir.Do)
        and isinstance(last.value, ir.Call)
        and last.value.name in ("exit", "halt", "_exit", "fail")
    )


def only_tells(statement: ir.Stmt) -> bool:
    """Whether a statement only writes to a log."""
    return (
        isinstance(statement, ir.Do)
        and isinstance(statement.value, ir.Call)
        and (statement.value.name in READERS or statement.value.name == "printStackTrace")
    )


def handed_over(leaf: Any) -> Any:
    """A parameter is there where code only asks whether it is: `if (x != null) use(x)`."""
    if isinstance(leaf, Test) and leaf.kind == "present":
        symbol = symbol_of(leaf.operands[0])
        if isinstance(symbol, tuple) and symbol[:1] in (("parameter",), ("injected",)):
            return not leaf.negated
    return leaf


def nothing(frame: Frame) -> Guarded:
    """What a function gives that gives nothing."""
    return UNIT if frame.owner is not None and frame.owner.file.language == "kotlin" else None


_ASKS = frozenset({ir.Call, ir.Elvis})


def wants(run: Interpreter, node: ir.Expr | None, of: tuple[ir.TypeRef, Frame] | None) -> None:
    """Tells a call what type its result is declared to be of, also where another value stands for null."""
    call = node.value if type(node) is ir.Elvis else node
    run.wanted = (call, of) if type(call) is ir.Call and of is not None else None


def declare_type(frame: Frame, name: str, ref: ir.TypeRef | None) -> None:
    """A variable is of a type from here on, whatever another of its name was before."""
    if ref is None or ref.name == "var":
        frame.declared.pop(name, None)
    else:
        frame.declared[name] = ref


def let(run: Interpreter, node: ir.Let, frame: Frame) -> None:
    if node.type is not None:
        declare_type(frame, node.name, node.type)
    if node.type is not None and type(node.value) in _ASKS:
        wants(run, node.value, (node.type, frame))
    value = UNSET if node.value is None else run.typed(run.value(node.value, frame), node.type, frame)
    if frame.closures and node.name in frame.variables:
        semantics: Any = run.semantics(frame)
        semantics.declares_anew(frame, node.name)
    if value is UNSET and node.name in frame.variables:
        return
    frame.variables[node.name] = value if run.guard is True else kept(run, frame, node.name, value)


def kept(run: Interpreter, frame: Frame, name: str, value: Guarded) -> Guarded:
    return pick(run.guard, value, frame.variables.get(name, UNSET))


def do(run: Interpreter, node: ir.Do, frame: Frame) -> None:
    run._statement = node.value
    run.value(node.value, frame)


def return_(run: Interpreter, node: ir.Return, frame: Frame) -> None:
    if type(node.value) in _ASKS:
        if frame.function is not None:
            wants(run, node.value, frame.function.gives)
        elif frame.method is not None and frame.method.decl.returns is not None:
            wants(run, node.value, (frame.method.decl.returns, frame))
    value = nothing(frame) if node.value is None else run.value(node.value, frame)
    if run.guard is False:
        return
    if frame.function is None and frame.method is not None:
        returns = frame.method.decl.returns
        if returns is not None and returns.name in PRIMITIVE:
            value = run.typed(value, returns, frame)
    leaves_from = getattr(run.semantics(frame), "returning", None)
    target = frame if leaves_from is None else leaves_from(node, frame)
    target.result = pick(run.guard, value, target.result if target.wrote else UNSET)
    target.wrote = True
    target.returned = either(target.returned, run.guard)
    run.guard = False


def yield_(run: Interpreter, node: ir.Yield, frame: Frame) -> None:
    value = run.value(node.value, frame)
    if run.guard is False or not frame.loops:  # a `yield` outside of a switch: no compiler takes it
        return
    frame.value = pick(run.guard, value, frame.value)
    loop = frame.loops[-1]
    for each in reversed(frame.loops):
        if each.label == "<value>":
            loop = each
            break
    loop.broken = either(loop.broken, run.guard)
    run.guard = False


def throw(run: Interpreter, node: ir.Throw, frame: Frame) -> None:
    value: Guarded = UNSET
    if node.value is not None:
        value = run.over(run.value(node.value, frame), partial(_error, run, node, frame))
    else:
        value = caught(frame) or Unknown(Why.DYNAMIC, phrase("exception"))
    cause = None if node.cause is None else run.value(node.cause, frame)
    for _, leaf in leaves(value):
        if isinstance(leaf, Object) and leaf is not (around := caught(frame)):
            under_way = Unknown(Why.DYNAMIC, phrase("exception")) if run.raised and around is None else around
            leaf.fields["__cause__"], leaf.fields["__context__"] = cause, under_way
    run.throw(value)


CAUGHT = "<caught>"
"""The variable of a frame that holds what the handler takes that runs in it."""


def caught(frame: Frame) -> Any:
    """What the handler around takes; None outside of one."""
    current: Frame | None = frame
    while current is not None and current.variables.get(CAUGHT) is None:
        current = current.caller
    return None if current is None else current.variables[CAUGHT]


def _error(run: Interpreter, node: ir.Throw, frame: Frame, leaf: Any) -> Guarded:
    """What is thrown: `raise Error` makes one."""
    if isinstance(leaf, Text | int | tuple):  # nothing that can be thrown
        return run.make(None, "builtins.TypeError", run.place(frame, node.at))
    if not isinstance(leaf, TypeValue):
        return leaf
    return run.call(leaf, Arguments([]), frame, run.place(frame, node.at))


def if_(run: Interpreter, node: ir.If, frame: Frame) -> None:
    if refuses(run, node, frame):
        return
    test = run.value(node.test, frame)
    if run.guard is False:
        return
    if not node.otherwise:
        test = apply(handed_over, test)
    branches(run, node, test, frame)


def branches(run: Interpreter, node: ir.If, test: Guarded, frame: Frame) -> bool:
    """Runs both branches, each under its guard."""
    return _both_ways(run, node, run.guard_of(test, frame, node.at), frame)


def _both_ways(run: Interpreter, node: ir.If, holds: Guarded, frame: Frame) -> bool:
    """Runs one branch where a condition holds, the other where it does not."""
    before = run.guard
    run.guard = both(before, holds)
    if run.guard is not False:
        run.run(node.then, frame)
    after, run.guard = run.guard, both(before, negate(holds))
    if run.guard is not False:
        run.run(node.otherwise, frame)
    run.guard = either(after, run.guard)
    return True


def is_caught(run: Interpreter, body: Sequence[ir.Stmt], frame: Frame) -> bool:
    """Whether a handler takes what a branch throws and does something then: a program goes on that way too."""
    last = body[-1]
    if not run.handlers or type(last) is not ir.Throw or last.value is None:
        return False
    before, raised = run.guard, len(run.raised)
    value = run.value(last.value, frame)
    run.guard = before
    del run.raised[raised:]
    for leaf in some(value, NEEDS_LEAVES_MAX):
        taken = next((t for handles in reversed(run.handlers) if (t := handles(leaf)) is not None), None)
        if taken:
            return True
    return False


def refuses(run: Interpreter, node: ir.If, frame: Frame) -> bool:
    """`if (bad) throw …` under a condition nobody can know: the other branch is what runs."""
    leaves_then, leaves_else = gives_up(node.then), gives_up(node.otherwise)
    if not leaves_then and not (node.otherwise and leaves_else):
        return False
    test = run.value(node.test, frame)
    if run.guard is False:
        return True
    semantics = run.semantics(frame)
    before = run.guard
    refused: Guarded = False
    caught: bool | None = None
    for guard, leaf in leaves(test, before):
        truth = leaf if isinstance(leaf, Test) else semantics.truth(leaf)
        if isinstance(truth, Test):
            if caught is None:
                caught = is_caught(run, node.then if leaves_then else node.otherwise, frame)
            if caught:
                return branches(run, node, test, frame)
            truth = not leaves_then
        refused = either(refused, both(guard, truth))
    holds = under(refused, before)
    if run.stand_in and before is True and type(holds) is bool and holds is leaves_then:
        holds = not holds  # who calls this has seen to it that it is not refused
    return _both_ways(run, node, holds, frame)


def block(run: Interpreter, node: ir.Block, frame: Frame) -> None:
    if not node.label:
        run.run(node.body, frame)
        return
    loop = Loop(node.label, turns=False)
    frame.loops.append(loop)
    run.run(node.body, frame)
    frame.loops.pop()
    run.guard = either(run.guard, loop.broken)


def switch(run: Interpreter, node: ir.Switch, frame: Frame) -> None:
    run_cases(run, node.subject, node.cases, frame, node.at, "")


def run_cases(
    run: Interpreter, subject: ir.Expr | None, cases: Sequence[ir.Case], frame: Frame, at: ir.At, label: str
) -> None:
    value = True if subject is None else run.value(subject, frame)
    without = getattr(run.semantics(frame), "without_null", None)
    if without is not None and subject is not None:
        without(run, value, cases, frame)
    if run.guard is False:
        return
    loop = Loop(label, turns=False)
    frame.loops.append(loop)
    left = run.guard
    falling: Guarded = False
    matched: list[tuple[int, Guarded]] = []
    default: int | None = None
    for index, case in enumerate(cases):
        if not case.labels:
            default = index
            continue
        taken = matches(run, case, value, left, frame, conditions=subject is None)
        matched.append((index, taken))
        left = both(left, negate(taken))
    if default is not None:
        matched.append((default, left))
        left = False
    for index, taken in sorted(matched, key=lambda pair: pair[0]):
        run.guard = either(taken, falling)
        falling = False
        if run.guard is False:
            continue
        run.run(cases[index].body, frame)
        if cases[index].falls:
            falling = run.guard
        else:
            loop.broken = either(loop.broken, run.guard)
    frame.loops.pop()
    run.guard = either(either(left, falling), loop.broken)


def matches(
    run: Interpreter, case: ir.Case, value: Guarded, left: Guarded, frame: Frame, *, conditions: bool
) -> Guarded:
    taken: Guarded = False
    before, run.guard = run.guard, left
    for label in case.labels:
        if run.guard is False:
            break
        if conditions and not isinstance(label, ir.Pattern):
            holds = run.guard_of(run.value(label, frame), frame, case.at)
        else:
            holds = matched(run, value, label, frame, case.at)
        taken = either(taken, both(run.guard, holds))
    if case.guard is not None and taken is not False:
        run.guard = taken
        taken = both(taken, run.guard_of(run.value(case.guard, frame), frame, case.at))
    run.guard = before
    return both(taken, left)


def matched(run: Interpreter, value: Guarded, label: Any, frame: Frame, at: ir.At) -> Guarded:
    """The guard under which a value is what a label says, each of its alternatives on its own path."""
    holds: Guarded = False
    before = left = run.guard
    for guard, leaf in leaves(value, before):
        run.guard = guard
        truth = run.guard_of(run.semantics(frame).match(run, leaf, label, frame), frame, at)
        holds = either(holds, both(guard, truth))
        left = both(left, either(negate(guard), run.guard))  # asking may throw
    run.guard = left
    return holds


def define(run: Interpreter, node: ir.Define, frame: Frame) -> None:
    run.semantics(frame).define(run, node.what, frame)


def delete(run: Interpreter, node: ir.Delete, frame: Frame) -> None:
    for target in node.targets:
        if isinstance(target, ir.Name):
            frame.variables.pop(target.name, None)
        elif isinstance(target, ir.Index):
            holder = run.value(target.target, frame)
            key = run.value(target.index, frame)
            semantics = run.semantics(frame)
            run.over(holder, lambda leaf: semantics.delete(run, leaf, key, frame, node.at))  # noqa: B023
        elif isinstance(target, ir.Attribute):
            holder = run.value(target.target, frame)
            semantics = run.semantics(frame)
            run.over(holder, lambda leaf: semantics.delete_attribute(run, leaf, target.name, frame, node.at))  # noqa: B023


def share(run: Interpreter, node: ir.Scope, frame: Frame) -> None:
    frame.shared = frame.shared | {f"{node.kind} {name}" for name in node.names}

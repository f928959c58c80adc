"""`try`, `with`, and what goes on behind what was thrown."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import nodes, remembered
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, choose, either, leaves, negate, pick
from subdrift.linter.resolve.execute.havoc import assigned_in, written_in
from subdrift.linter.resolve.execute.statements import CAUGHT, gives_up, only_tells
from subdrift.linter.resolve.execute.values import Frame, Guarded, TypeValue, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.interpreter import Interpreter


LEADING = "leading names"
"""Where a run of Python keeps the names by which code leads to a consumer."""


class Ways:
    """The ways out of a block of a frame, as they were before it."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._returned = frame.returned
        self._loops = [(loop.broken, loop.continued) for loop in frame.loops]

    def taken(self) -> Guarded:
        """The guard under which the frame has returned since, or loops and blocks that have a value were left."""
        frame = self._frame
        pairs = [(frame.returned, self._returned)]
        for loop, (broken, continued) in zip(frame.loops, self._loops, strict=False):
            pairs += [(loop.broken, broken), (loop.continued, continued)]
        found: Guarded = False
        for guard, before in pairs:
            if guard is not before:
                found = either(found, both(guard, negate(before)))
        return found

    def undo(self, thrown: Guarded) -> None:
        """What was on its way out throws instead at the end of the block."""
        if thrown is False:
            return
        frame, stays = self._frame, negate(thrown)
        frame.returned = both(frame.returned, stays)
        for loop in frame.loops[: len(self._loops)]:
            loop.broken, loop.continued = both(loop.broken, stays), both(loop.continued, stays)


def try_(run: Interpreter, node: ir.Try, frame: Frame) -> None:
    tried = Tried(run, node, frame)
    tried.go_on()
    try:
        run.run(node.body, frame)
    finally:
        tried.pause()
    _ran(run, tried.ending(), frame)


Blocks = Generator[Sequence[ir.Stmt], None, Guarded]
"""Blocks to be run, one after the other; in the end the guard under which it goes on behind them."""


def _ran(run: Interpreter, blocks: Blocks, frame: Frame) -> Guarded:
    while True:
        try:
            block = next(blocks)
        except StopIteration as end:
            guard: Guarded = end.value
            return guard
        run.run(block, frame)


class Tried:
    """A `try` whose body is under way; a generator may stop in it."""

    def __init__(self, run: Interpreter, node: ir.Try, frame: Frame) -> None:
        self._run = run
        self._node = node
        self._frame = frame
        self._thrown: list[tuple[Guarded, Any]] = []
        self._ways = Ways(frame)
        self._handler = Handler(run, node.catches, frame)

    def go_on(self) -> None:
        """What runs from here on is in its body."""
        self._outer, self._run.raised = self._run.raised, self._thrown
        self._run.handlers.append(self._handler)

    def pause(self) -> None:
        """What runs from here on is not."""
        self._run.handlers.pop()
        self._thrown, self._run.raised = self._run.raised, self._outer

    def ending(self) -> Blocks:
        """Its body has come to its end: handlers, and what runs in any case."""
        run, node, frame = self._run, self._node, self._frame
        mark = len(run.raised)
        if run.guard is not False and node.otherwise:
            yield node.otherwise
        after = run.guard
        for guard, value in self._thrown:
            after = either(after, (yield from _handling(run, node.catches, guard, value, frame)))
        run.guard = either(after, self._ways.taken())
        is_model = frame.owner is not None and frame.owner.file.model
        if not self._handler.waiting and run.guard is not False and not (is_model and after is False):
            self._forget_untold()
        run.guard = after
        if node.final:
            everywhere = after
            for guard, _ in run.raised[mark:]:
                everywhere = either(everywhere, guard)
            run.guard = begun = either(everywhere, self._ways.taken())
            waiting = len(run.raised)
            if begun is not False:
                yield node.final
            if run.guard is not begun:  # what it throws, or is left by, comes in the place of what was thrown
                ended = run.guard
                run.raised[mark:waiting] = [
                    (both(guard, ended), value) for guard, value in run.raised[mark:waiting]
                ]
            run.guard = both(run.guard, after)
        return run.guard

    def _forget_untold(self) -> None:
        """Code that nobody sees may have thrown what a handler takes that was left out: what it writes is not known."""
        run, frame = self._run, self._frame
        told = list(self._handler.leading(run.handlers))
        for one in self._node.catches:
            if not any(one is each for each in told) and not gives_up(one.body):
                self._forget_answer()
                names = written_in(one.body) | assigned_in(one.body) | _flags_in(self._node.body)
                run.semantics(frame).forget(run, frozenset(names), frame, one.at)
                if one.body and isinstance(one.body[-1], ir.Break) and frame.loops:
                    frame.loops[-1].left = True

    def _forget_answer(self) -> None:
        """A truth value or number that the body has returned tells that nothing was thrown: it may be another one."""
        frame, taken = self._frame, self._ways.taken()
        if taken is False or not frame.wrote or not _answers(self._node.body):
            return

        def other(leaf: Any) -> Any:
            is_flag = isinstance(leaf, bool | int)
            return (
                Unknown(Why.DYNAMIC, phrase("exception"), ("thrown", self._run.unique())) if is_flag else leaf
            )

        frame.result = pick(taken, apply(other, frame.result), frame.result)


class Handler(Struct, eq=False):
    """The handlers around what is being run, of one `try`."""

    run: Interpreter
    catches: Sequence[ir.Catch]
    frame: Frame
    waiting: bool = True
    """Whether nothing that nobody sees was called inside yet."""

    def __call__(self, error: Any) -> bool | None:
        """Whether one of them takes an error and does something: one that gives up, or only says so, makes no difference to
        what a program does that works. None where none takes it."""
        semantics = self.run.semantics(self.frame)
        for one in self.catches:
            if semantics.catches(self.run, error, one.types, self.frame) is not False:
                return not gives_up(one.body) or self._is_expected_outside(one.body)
        return None

    def _is_expected_outside(self, body: Sequence[ir.Stmt]) -> bool:
        """Whether a handler around this one takes by its name what a handler throws instead, and does something then."""
        thrown = body[-1].value if body and isinstance(body[-1], ir.Throw) else None
        made = thrown.type if isinstance(thrown, ir.New) else thrown
        name = made.name.rpartition(".")[2] if isinstance(made, ir.TypeRef | ir.Call) else ""
        handlers = self.run.handlers
        around = handlers[: handlers.index(self)] if name and self in handlers else ()
        return any(
            not gives_up(one.body) and any(each.name.rpartition(".")[2] == name for each in one.types)
            for outer in around
            if isinstance(outer, Handler)
            for one in outer.catches
        )

    def leading(self, around: Sequence[Any]) -> Iterator[ir.Catch]:
        """Those that lead to a consumer, by the names that they call, and those that give something in place of what was
        asked for, or throw what a handler `around` them does so for."""
        reaches, names = self.run.scope.program.reaches, self.run.heap.get(LEADING, self.run.hot_names)
        for one in self.catches:
            if reaches(one.body, names) or _gives(one.body) or self._expects(one):
                yield one
            elif gives_up(one.body):
                outer = (each for each in around if isinstance(each, Handler))
                yield from (one for each in outer if any(each.leading(())))

    def rescues(self) -> bool:
        """Whether one of them leads to a consumer, by the names that it calls."""
        names = self.run.heap.get(LEADING, self.run.hot_names)
        return any(self.run.scope.program.reaches(one.body, names) for one in self.catches)

    def kinds(self, around: Sequence[Any]) -> Iterator[TypeValue | None]:
        """The types of what code that nobody sees may throw, for each of those that lead to a consumer."""
        for one in dict.fromkeys(self.leading(around)):
            kind = self.run.type_named(one.types[0].name, self.frame) if one.types else None
            known = None if isinstance(kind, str) else kind
            yield TypeValue(known, known.name if known else one.types[0].name) if one.types else None

    def _expects(self, one: ir.Catch) -> bool:
        """Whether a handler goes on where what was asked for is refused, or takes an error of the program's own."""
        return not gives_up(one.body) and any(
            each.name.rpartition(".")[2] in OF_CHECKS
            or isinstance(self.run.type_named(each.name, self.frame), Class)
            for each in one.types
        )


class Suppressing(Struct, eq=False):
    """What takes an exception in the body of a `with suppress(…)`, of which the rest is left out then."""

    takes: Callable[[Any], bool]
    types: Sequence[TypeValue]
    leads: bool = False
    """Whether the body leads to a consumer, or gives something a value."""
    waiting: bool = True

    def __call__(self, error: Any) -> bool | None:
        return True if self.takes(error) else None

    def kinds(self, around: Sequence[Any]) -> Sequence[TypeValue | None]:
        """The type of what code that nobody sees may throw."""
        return (self.types or (None,))[:1] if self.leads else ()


@remembered
def _answers(body: Any) -> bool:
    """Whether code returns a truth value or a number as it is written there."""
    returned = (one.value for one in nodes(body) if type(one) is ir.Return)
    return any(type(value) is ir.Const and isinstance(value.value, int) for value in returned)


@remembered
def _flags_in(body: Any) -> frozenset[str]:
    """The names of what code gives a truth value or a number, which tells how far it has come."""
    declared = {one.name for one in nodes(body) if type(one) is ir.Let}
    found: set[str] = set()
    for one in nodes(body):
        if type(one) is ir.Assign and type(one.target) is ir.Name and type(one.value) is ir.Const:
            found |= {one.target.name} if isinstance(one.value.value, int) else set()
    return frozenset(found - declared)


OF_CHECKS = frozenset(
    {
        *(
            "IllegalArgumentException",
            "IllegalStateException",
            "NullPointerException",
            "NumberFormatException",
        ),
        *("IndexOutOfBoundsException", "NoSuchElementException", "UnsupportedOperationException"),
        *(
            "ValueError",
            "KeyError",
            "IndexError",
            "LookupError",
            "TypeError",
            "AttributeError",
            "AssertionError",
        ),
    }
)
"""Errors by which code refuses what it gets: who takes one by its name expects it. `Exception`, and an error of the world
outside, is most often taken for the log."""


def _gives(body: Sequence[ir.Stmt]) -> bool:
    """Whether a handler ends with a value, or sets one, that is not nothing; one that writes to a log, too, gives an error."""
    given = (
        one.value if isinstance(one, ir.Do) and isinstance(one.value, ir.Assign) else one for one in body
    )
    return not any(map(only_tells, body)) and any(
        isinstance(one, ir.Yield | ir.Return | ir.Assign)
        and not (_is_nothing(one.value) and not getattr(one, "operator", ""))
        for one in given
    )


def _is_nothing(value: ir.Expr | None) -> bool:
    return value is None or (isinstance(value, ir.Const) and not isinstance(value.value, str))


def may_throw(run: Interpreter, reason: Unknown) -> None:
    """A call of what nobody sees may throw: a handler around it that leads to a consumer runs then, and goes on from what
    there was at the first such call."""
    for place, handler in reversed(list(enumerate(run.handlers))):
        if not isinstance(handler, Handler | Suppressing) or not handler.waiting:
            continue
        handler.waiting = False
        for kind in handler.kinds(run.handlers[:place]):
            error = Unknown(reason.why, phrase("exception"), ("thrown", run.unique()), kind)
            inner = any(
                isinstance(each, Handler) and each(error) is not None for each in run.handlers[place + 1 :]
            )
            if inner or handler(error) is None or run.guard is False:
                continue
            _throw_or_not(run, error)


def may_fail(run: Interpreter, reason: Unknown) -> None:
    """Something is asked of what nobody knows, which may throw: told where a handler around it leads to a consumer."""
    if any(isinstance(each, Handler) and each.waiting and each.rescues() for each in run.handlers):
        may_throw(run, reason)


def may_refuse(
    run: Interpreter, error: str, reason: Unknown, at: Location | None, *, surely: bool = False
) -> None:
    """An operation may throw an error, told where a handler takes that by its name, as one does that expects it; or does so
    `surely`, told where any handler takes it."""
    if not run.handlers or run.guard is False:
        return
    owner = error.rpartition(".")[0]
    thrown, any_other = run.make(None, error, at), run.make(None, f"{owner}.Exception".lstrip("."), at)
    taking = next((handles for handles in reversed(run.handlers) if handles(thrown) is not None), None)
    if taking is not None and surely:
        run.throw(thrown)
    elif taking is not None and taking(any_other) is None:
        run.perhaps(thrown, reason)


def either_way(run: Interpreter, error: Any) -> None:
    """What is there to throw may do so or not: where a handler takes that, both are told."""
    if run.guard is False or all(handles(error) is None for handles in run.handlers):
        return
    _throw_or_not(run, error)


def _throw_or_not(run: Interpreter, error: Any) -> None:
    at = run.place(run.last[0], run.last[1].at) if run.last else None
    thrown = choose(run.decide(("raises", at, run.unique()), 2, "condition", at), 2, 0)
    before = run.guard
    run.guard = both(before, thrown)
    run.throw(error)
    run.guard = both(before, negate(thrown))


def handle(
    run: Interpreter, catches: Sequence[ir.Catch], guard: Guarded, value: Guarded, frame: Frame
) -> Guarded:
    """What goes on after one thrown value."""
    return _ran(run, _handling(run, catches, guard, value, frame), frame)


def _handling(
    run: Interpreter, catches: Sequence[ir.Catch], guard: Guarded, value: Guarded, frame: Frame
) -> Blocks:
    """The first handler that takes a thrown value, else it goes on outwards. One of which nobody knows whether it does is a
    choice."""
    semantics = run.semantics(frame)
    after: Guarded = False
    for left, leaf in leaves(value, guard):
        if catches and catches[0].group:
            after = either(after, (yield from _parted(run, catches, left, leaf, frame)))
            continue
        for handler in catches:
            takes = semantics.catches(run, leaf, handler.types, frame)
            if takes is False or left is False:
                continue
            taken = left
            if takes is None:
                at = run.place(frame, handler.at)
                taken = both(left, choose(run.decide(("takes", at, run.unique()), 2, "condition", at), 2, 0))
            left = both(left, negate(taken))
            run.guard = taken
            if handler.name:
                frame.variables[handler.name] = pick(taken, leaf, frame.variables.get(handler.name, UNSET))
            around = frame.variables.get(CAUGHT)
            frame.variables[CAUGHT] = leaf
            yield handler.body
            frame.variables[CAUGHT] = around
            if handler.name:  # it ends with its handler
                frame.variables[handler.name] = pick(taken, UNSET, frame.variables.get(handler.name, UNSET))
            after = either(after, run.guard)
        if left is not False:
            run.raised.append((left, leaf))
    return after


def _parted(run: Interpreter, catches: Sequence[ir.Catch], guard: Guarded, leaf: Any, frame: Frame) -> Blocks:
    """What goes on after a thrown value of which each handler takes its part, whatever the others do: where all of it is
    taken, and none of them throws."""
    semantics = run.semantics(frame)
    after, rest = guard, leaf
    for handler in catches:
        if rest is None:
            break
        run.guard = guard
        taken, rest = semantics.parted(run, rest, handler.types, frame)
        if taken is None:
            continue
        if handler.name:
            frame.variables[handler.name] = taken
        yield handler.body
        after = both(after, run.guard)
    if rest is not None:
        run.guard = guard
        run.throw(rest)
        after = False
    return after


def with_(run: Interpreter, node: ir.With, frame: Frame) -> None:
    ways = Ways(frame)
    entered = enter(run, node, frame)
    around = len(run.handlers)
    run.handlers += suppressing(run, node, frame, [value for value, _ in entered])
    try:
        run.run(node.body, frame)
    finally:
        del run.handlers[around:]
    leave(run, node, frame, entered, ways)


def suppressing(
    run: Interpreter, node: ir.With, frame: Frame, values: Sequence[Guarded]
) -> list[Suppressing]:
    """What takes an exception in the body of a `with` over some values."""
    found: Any = getattr(run.semantics(frame), "suppressing", None)
    taking: list[Suppressing] = [each for value in values for each in found(run, value)] if found else []
    for each in taking:
        names = run.heap.get(LEADING, run.hot_names)
        reaches = run.scope.program.reaches
        each.leads = each.leads or bool(assigned_in(node.body)) or reaches(node.body, names)
    return taking


Entered = tuple[Guarded, int]
"""What was entered, and how much had been thrown by then, for which it does not end."""


def enter(run: Interpreter, node: ir.With, frame: Frame) -> list[Entered]:
    """What a `with` begins, up to where it throws."""
    semantics = run.semantics(frame)
    entered: list[Entered] = []
    for resource in node.resources:
        value = run.value(resource.value, frame)
        if run.guard is False:
            break
        bound = run.over(value, lambda leaf: semantics.enter(run, leaf, frame, node.at))
        if run.guard is False:
            break
        entered.append((value, len(run.raised)))
        if resource.target is not None:
            run.assign(resource.target, bound, frame, node.at)
    return entered


def leave(run: Interpreter, node: ir.With, frame: Frame, entered: Sequence[Entered], ways: Ways) -> None:
    """The end of a `with`."""
    semantics = run.semantics(frame)
    after = run.guard
    left = ways.taken()
    for value, mark in reversed(entered):
        thrown = run.raised[mark:]
        if left is not False:
            run.guard = left
            run.over(value, lambda leaf: semantics.leave(run, leaf, frame, node.at))
            ways.undo(both(left, negate(run.guard)))
            left = run.guard
        if after is not False:
            run.guard = after
            run.over(value, lambda leaf: semantics.leave(run, leaf, frame, node.at))
            after = run.guard
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

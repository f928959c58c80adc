"""Functions that stop amid what they do: generators at each `yield`, coroutines at each `await` of what is not there yet."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from typing import Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import PARTS, nodes
from subdrift.linter.resolve.execute.drawing import pull
from subdrift.linter.resolve.execute.exceptions import Tried, Ways, leave, suppressing
from subdrift.linter.resolve.execute.guards import UNSET, Diagram, both, either, negate, some
from subdrift.linter.resolve.execute.handed import escape
from subdrift.linter.resolve.execute.havoc import mentioned_in, written_in
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.loops import (
    ENDLESS,
    GENERATED_MAX,
    LOOP_MAX,
    SOME,
    forget_left,
    go_through,
    holds_more,
    turned,
)
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.reach import Reach
from subdrift.linter.resolve.execute.statements import matches
from subdrift.linter.resolve.execute.values import Frame, Guarded, Loop, Object, Unknown
from subdrift.linter.resolve.execute.waiting import is_steady, may_leave
from subdrift.linter.resolve.semantics.python import modelled
from subdrift.linter.resolve.semantics.python.lazies import (
    LEAVES_MAX,
    RESULT,
    SENT,
    THROWN,
    Pairs,
    each,
    iterated,
    unsure,
)

IDLE_MAX = 8
"""Turns of a loop that waits in each of them, and does nothing else that is looked at."""

SLEEP = "~._Sleep"
"""The class of what a coroutine waits for that sleeps, in the model of asyncio."""

Stopping = Generator[tuple[Guarded, Guarded], None, Guarded]
"""What stops, and comes to a value in the end."""

AWAITED = "<awaited>"
"""How variables of a frame begin that hold what a `yield` or an `await` has come to, up to where its expression is run."""


def steps(run: Interpreter, body: Sequence[ir.Stmt], frame: Frame, made: Object) -> Pairs:
    """Runs the body of a function from one place where it stops to the next; a statement in which it is not known where that
    is runs as a whole."""
    for node in body:
        if run.guard is False:
            return
        if not _points(run, node) and not (is_coroutine(frame) and isinstance(node, ir.With)):
            run.run((node,), frame)
            continue
        match node:
            case ir.Do(value=value) | ir.Return(value=value) | ir.Throw(value=value) if _is_plain(run, value):
                yield from _asked(run, value, frame, made)
                if run.guard is not False:
                    run.run((node,), frame)
            case ir.If() if _is_plain(run, node.test):
                yield from _branches(run, node, frame, made)
            case ir.ForEach() if not node.otherwise and _is_plain(run, node.source):
                yield from _turns(run, node, frame, made)
            case ir.While() if not (node.otherwise or node.update or node.after) and _is_plain(
                run, node.test
            ):
                yield from _while(run, node, frame, made)
            case ir.Try():
                yield from _tried(run, node, frame, made)
            case ir.With() if all(_is_plain(run, one.value) for one in node.resources):
                yield from _apart(run, _with(run, node, frame, made))
            case ir.Block(label=""):
                yield from steps(run, node.body, frame, made)
            case ir.Block():
                yield from _left(run, node.body, node.label, frame, made)
            case ir.Switch() if _is_plain(run, node.subject) and not any(map(_acts, node.cases)):
                yield from _cases(run, node, frame, made)
            case _:
                yield from _at_once(run, made, frame, partial(run.run, (node,), frame))


def is_coroutine(frame: Frame) -> bool:
    """Whether a frame is that of an `async` function that is not a generator."""
    code = frame.method.decl if frame.method is not None else None
    return code is not None and code.asynchronous and not code.generator


_POINTS = "python points"
_STOPPING = (ir.YieldPoint, ir.Await)


def _as_run(node: Any) -> list[Any]:
    """The records of some code in the order in which they are run: the inner ones first."""
    found: list[Any] = []
    stack: list[Any] = [node]
    while stack:
        one = stack.pop()
        if type(one) is tuple:
            stack.extend(one)
        elif isinstance(one, ir.Record):
            found.append(one)
            stack.extend(part for name in PARTS[type(one)] if (part := getattr(one, name)))
    return found[::-1]


def _points(run: Interpreter, node: Any) -> list[ir.YieldPoint | ir.Await]:
    """The places in some code where a function may stop, the innermost first."""
    if type(node) is tuple:
        return [point for part in node for point in _points(run, part)]
    known: dict[int, tuple[list[ir.YieldPoint | ir.Await], Any]] = run.heap.setdefault(_POINTS, {})
    found = known.get(id(node))
    if found is None:
        found = known[id(node)] = ([one for one in _as_run(node) if type(one) in _STOPPING], node)
    return found[0]


def _is_plain(run: Interpreter, expression: Any) -> bool:
    """Whether an expression can be run once all its places to stop have been come through: none of them may be skipped, and
    nothing acts before one of them but what it asks for itself."""
    points = _points(run, expression)
    if not points:
        return True
    every = _as_run(expression)
    last = max(place for place, one in enumerate(every) if one is points[-1])
    apart = [*points, *(one for one in every if type(one) is ir.Lambda)]
    inside = {id(one) for each in apart for one in nodes(each)}
    return not any(_points(run, _perhaps(one)) for one in every) and not any(
        type(one) is ir.Call and id(one) not in inside for one in every[:last]
    )


def _perhaps(node: Any) -> Any:
    """The parts of an expression that do not run once and before all else of it."""
    match node:
        case ir.Conditional():
            return (node.then, node.otherwise)
        case ir.Binary(operator="and" | "or"):
            return node.right
        case ir.Comprehension(clauses=(first, *rest)):
            return (node.element, node.value, first.conditions, *rest)
        case ir.Assign() if node.operator:
            return node.value
        case ir.Lambda():
            return node.body
    return ()


def came_to(frame: Frame, point: ir.YieldPoint | ir.Await) -> Guarded:
    """What the code of a frame has come to at a place where it stopped; UNSET where it has not been there."""
    return frame.variables.pop(f"{AWAITED}{id(point)}", UNSET)


def _asked(run: Interpreter, expression: Any, frame: Frame, made: Object) -> Pairs:
    """Stops at the places in an expression where that does; what these come to is kept for it."""
    for point in _points(run, expression):
        value = None if point.value is None else run.value(point.value, frame)
        if run.guard is False:
            return
        if isinstance(point, ir.Await):
            result = yield from _awaiting(run, value, frame, point.at, made)
        elif point.all:
            value = iterated(run.semantics(frame), run, value, frame)
            yield from _handed_on(run, value, frame, point.at, made)
            result = value.fields.get(RESULT) if isinstance(value, Object) else None
        else:
            result = yield from _given(run, value, frame, made)
        if run.guard is False:
            return
        frame.variables[f"{AWAITED}{id(point)}"] = result


def _given(run: Interpreter, value: Guarded, frame: Frame, made: Object) -> Stopping:
    """`yield value`."""
    here = run.guard
    if frame.caller is None:  # nobody sees the code that takes it, which may run it before it wants the next
        escape(run, value, Unknown(Why.DYNAMIC, frame.method.name if frame.method is not None else ""))
    yield here, value
    run.guard = here
    if THROWN in made.fields:
        run.throw(made.fields.pop(THROWN))
    return made.fields.pop(SENT, None)


def _awaiting(run: Interpreter, value: Guarded, frame: Frame, at: ir.At, made: Object) -> Stopping:
    """`await value`."""
    python: Any = run.semantics(frame)
    place = run.place(frame, at)
    if isinstance(value, Diagram) or not is_coroutine(frame):
        return python.awaited(run, value, frame, place)
    source = python.waiting(run, value, frame, place)
    if run.guard is False or not (isinstance(source, Object) and source.type == "generator"):
        return source
    here, mark = run.guard, len(run.raised)
    while source.items or pull(source):
        assert source.items
        item = source.items.pop(0)[1]
        for thrown, _ in run.raised[mark:]:
            here = both(here, negate(thrown))
        yield here, item
        run.guard, mark = here, len(run.raised)
        if THROWN in made.fields:
            source.fields[THROWN] = made.fields.pop(THROWN)
    return source.fields.get(RESULT)


def _at_once(run: Interpreter, made: Object, frame: Frame, runs: Callable[[], None]) -> Pairs:
    """Runs something as a whole, and gives what came of it then; what it throws is thrown behind that."""
    if is_coroutine(frame):
        runs()
        return
    mark, before = len(run.raised), run.guard
    found: list[tuple[Guarded, Guarded]] = []
    frame.yielded = found
    runs()
    after, late = run.guard, run.raised[mark:]
    for name in (SOME, ENDLESS):
        if name in frame.variables:
            made.fields[name] = frame.variables[name]
    if SOME in frame.variables:
        made.open = frame.variables[SOME]
    elif ENDLESS in frame.variables:
        made.open = Unknown(Why.TOO_MANY, phrase("more-than-elements", GENERATED_MAX))
    if found:
        del run.raised[mark:]
        run.guard = before
        yield from found
        run.raised += late
    run.guard = after


def _handed_on(run: Interpreter, source: Guarded, frame: Frame, at: ir.At, made: Object) -> Pairs:
    """`yield from source`."""
    here = run.guard
    for guard, item in each(run, source, frame, at):
        more = unsure(run, source)
        if more is not None:
            made.open = made.fields[SOME] = more
        yield both(here, guard), item
        run.guard = here
        for name in (SENT, THROWN):
            if name in made.fields and isinstance(source, Object):
                source.fields[name] = made.fields.pop(name)
    if isinstance(source, Object) and THROWN in source.fields:  # it was no generator
        run.throw(source.fields.pop(THROWN))


def _certain(run: Interpreter, value: Guarded, frame: Frame) -> bool | None:
    """Whether a value is true; None where nobody knows, or code of the program says it."""
    if isinstance(value, Diagram) or (isinstance(value, Object) and value.declared is not None):
        return None
    truth = value if isinstance(value, Test) else run.semantics(frame).truth(value)
    return truth if isinstance(truth, bool) else None


def _branches(run: Interpreter, node: ir.If, frame: Frame, made: Object) -> Pairs:
    yield from _asked(run, node.test, frame, made)
    if run.guard is False:
        return
    holds = _certain(run, run.value(node.test, frame), frame)
    if holds is None:
        yield from _at_once(run, made, frame, lambda: run.run((node,), frame))
    else:
        yield from steps(run, node.then if holds else node.otherwise, frame, made)


def _cases(run: Interpreter, node: ir.Switch, frame: Frame, made: Object) -> Pairs:
    """A `match`, or a chain of tests, of which it is known which one holds."""
    yield from _asked(run, node.subject, frame, made)
    if run.guard is False:
        return
    value = True if node.subject is None else run.value(node.subject, frame)
    here, bound = run.guard, dict(frame.variables)
    for case in node.cases:
        asks = node.subject is None
        taken = matches(run, case, value, here, frame, conditions=asks) if case.labels else here
        if taken is here:
            yield from _left(run, case.body, "", frame, made)
            return
        if taken is not False:
            frame.variables.clear()
            frame.variables |= bound
            yield from _at_once(run, made, frame, partial(run.run, (node,), frame))
            return


def _acts(case: ir.Case) -> bool:
    """Whether it does something to ask whether a case holds."""
    return any(
        type(one) in (ir.Call, ir.Assign, ir.Await, ir.YieldPoint) for one in nodes((case.labels, case.guard))
    )


def _left(run: Interpreter, body: Sequence[ir.Stmt], label: str, frame: Frame, made: Object) -> Pairs:
    """Runs what a `break` may leave that has its label."""
    loop = Loop(label, turns=False)
    frame.loops.append(loop)
    yield from steps(run, body, frame, made)
    frame.loops.pop()
    run.guard = either(run.guard, loop.broken)


def _turns(run: Interpreter, node: ir.ForEach, frame: Frame, made: Object) -> Pairs:
    yield from _asked(run, node.source, frame, made)
    if run.guard is False:
        return
    source = iterated(run.semantics(frame), run, run.value(node.source, frame), frame)
    if run.guard is False:
        return
    for leaf in some(source, LEAVES_MAX):
        if type(leaf) is Object and leaf.type == "generator" and not leaf.items:
            pull(leaf)
    if any(map(holds_more, some(source, LEAVES_MAX))):
        yield from _at_once(run, made, frame, lambda: go_through(run, node, frame, source))
        return
    loop = Loop(known=True)
    frame.loops.append(loop)
    for guard, item in each(run, source, frame, node.at):
        going = run.guard
        here = both(going, guard)
        if here is not False:
            run.guard = here
            run.assign(node.target, item, frame, node.at)
            loop.continued = False
            before = run.steps
            yield from steps(run, node.body, frame, made)
            turned(run, before)
            skipped = both(going, negate(guard)) if guard is not True else False
            going = either(either(run.guard, loop.continued), skipped)
        run.guard = going
        if going is False:
            break
    frame.loops.pop()
    forget_left(run, loop, node.body, frame, node.at)
    run.guard = either(run.guard, loop.broken)


def _while(run: Interpreter, node: ir.While, frame: Frame, made: Object) -> Pairs:
    loop, idle = Loop(), _Idle(run, node, frame)
    frame.loops.append(loop)
    holds: bool | None = None
    for _ in range(LOOP_MAX):
        yield from _asked(run, node.test, frame, made)
        holds = _certain(run, run.value(node.test, frame), frame) if run.guard is not False else False
        if not holds:
            break
        loop.continued = False
        before = run.steps
        for pair in steps(run, node.body, frame, made):
            idle.waits(pair[1])
            yield pair
        turned(run, before)
        run.guard = either(run.guard, loop.continued)
        if run.guard is False:
            break
        if idle.has_enough():
            yield from _for_ever(run, frame, node.at, made) if idle.ever else ()
            break
    frame.loops.pop()
    forget_left(run, loop, node.body, frame, node.at)
    if holds is not False and run.guard is not False:
        if holds is None or not is_coroutine(frame):
            yield from _at_once(run, made, frame, lambda: run.run((node,), frame))
        elif not idle.steady:
            run.leave_off(phrase("more-than-turns-of-a-loop", LOOP_MAX), run.place(frame, node.at))
            idle.forget()
    run.guard = either(run.guard, loop.broken)


def _for_ever(run: Interpreter, frame: Frame, at: ir.At, made: Object) -> Pairs:
    """A loop that only ends by what is thrown where it waits."""
    python: Any = run.semantics(frame)
    never = modelled.member(python, run, "asyncio", "_Never")
    if never is not UNSET:
        waits = python.call(run, never, Arguments([]), frame, run.place(frame, at))
        yield from _awaiting(run, waits, frame, at, made)


class _Idle:
    """How often a loop of a coroutine has gone round that only others end: in each turn it has waited for time to pass and
    made no consumer, and so it goes on as long as the others do. What it changes nobody knows then."""

    def __init__(self, run: Interpreter, node: ir.While, frame: Frame) -> None:
        self._run, self._node, self._frame = run, node, frame
        always = isinstance(node.test, ir.Const) and node.test.value is True
        here = is_coroutine(frame)
        self.ever = (
            here and always and not may_leave(run, node, frame)
        )  # it has an end by what is thrown alone
        self.steady = here and (self.ever or (not always and is_steady(run, node, frame)))
        self._turns = self._clients = 0
        self._waits: set[str] = set()
        self._reach: Reach | None = None

    def waits(self, future: Guarded) -> None:
        """It waits for something."""
        self._waits.add(future.type if isinstance(future, Object) else "")

    def has_enough(self) -> bool:
        """Asked behind each turn."""
        run, clients = self._run, len(self._run.clients)
        idle = self.steady and self._waits == {SLEEP} and clients == self._clients
        self._turns = self._turns + 1 if idle else 0
        self._clients = clients
        self._waits.clear()
        if self._turns == IDLE_MAX:
            self._reach = Reach.of_loop(run, self._frame, mentioned_in(self._node.body))
        if self._turns <= IDLE_MAX:
            return False
        self.forget()
        return True

    def forget(self) -> None:
        """What the loop changes is not known."""
        run = self._run
        run.semantics(self._frame).forget(run, written_in(self._node.body), self._frame, self._node.at)
        if self._reach is not None:
            unknown = Unknown(Why.DYNAMIC, phrase("element"))
            self._reach.forget_changes(run, run.guard, unknown, grows=True)


def _apart(run: Interpreter, pairs: Pairs) -> Pairs:
    """Runs what stops, and keeps what it throws apart from what others throw meanwhile."""
    thrown: list[tuple[Guarded, Guarded]] = []
    outer, run.raised = run.raised, thrown
    for pair in pairs:
        run.raised = outer
        yield pair
        outer, run.raised = run.raised, thrown
    run.raised = outer
    outer += thrown


def _tried(run: Interpreter, node: ir.Try, frame: Frame, made: Object) -> Pairs:
    tried = Tried(run, node, frame)
    tried.go_on()
    for pair in steps(run, node.body, frame, made):
        tried.pause()
        yield pair
        tried.go_on()
    tried.pause()
    yield from _apart(run, _ended(run, tried.ending(), frame, made))


def _ended(run: Interpreter, blocks: Iterator[Sequence[ir.Stmt]], frame: Frame, made: Object) -> Pairs:
    for block in blocks:
        yield from steps(run, block, frame, made)


def _with(run: Interpreter, node: ir.With, frame: Frame, made: Object) -> Pairs:
    ways = Ways(frame)
    entered: list[Guarded] = []
    for one in node.resources:
        yield from _asked(run, one.value, frame, made)
        value = run.value(one.value, frame) if run.guard is not False else UNSET
        if run.guard is False:
            break
        bound = yield from _entering(run, value, frame, node.at, made)
        if run.guard is False:
            break
        entered.append(value)
        if one.target is not None:
            run.assign(one.target, bound, frame, node.at)
    taking = suppressing(run, node, frame, entered)
    run.handlers += taking
    for pair in steps(run, node.body, frame, made):
        del run.handlers[len(run.handlers) - len(taking) :]
        yield pair
        run.handlers += taking
    del run.handlers[len(run.handlers) - len(taking) :]
    for value in reversed(entered):
        if _waits(run, value, frame):
            yield from _leaving(run, value, frame, node.at, ways, made)
        else:
            leave(run, node, frame, ((value, 0),), ways)


def _waits(run: Interpreter, value: Guarded, frame: Frame) -> bool:
    """Whether a value is an asynchronous context, begun and ended by code that may stop."""
    python: Any = run.semantics(frame)
    return (
        is_coroutine(frame)
        and isinstance(value, Object)
        and value.declared is not None
        and python.find(run, value, "__enter__", frame) is UNSET
        and python.find(run, value, "__aenter__", frame) is not UNSET
    )


def _entering(run: Interpreter, value: Guarded, frame: Frame, at: ir.At, made: Object) -> Stopping:
    python: Any = run.semantics(frame)
    if not _waits(run, value, frame):
        return run.over(value, lambda leaf: python.enter(run, leaf, frame, at))
    begun = python.method(run, value, "__aenter__", Arguments([]), frame, run.place(frame, at))
    return (yield from _awaiting(run, begun, frame, at, made))


def _leaving(run: Interpreter, value: Guarded, frame: Frame, at: ir.At, ways: Ways, made: Object) -> Pairs:
    python: Any = run.semantics(frame)
    place = run.place(frame, at)
    after = run.guard
    left = ways.taken()
    thrown = list(run.raised)
    run.raised.clear()
    for guard, what in ((either(after, left), None), *thrown):
        if guard is False:
            continue
        run.guard = guard
        given = Arguments([None if what is None else python.kind_of(what), what, None])
        ending = python.method(run, value, "__aexit__", given, frame, place)
        kept = yield from _awaiting(run, ending, frame, at, made)
        if what is None:
            after = both(after, run.guard)
        elif python.perhaps_swallowed(run, kept, what, frame, at):
            after = either(after, run.guard)
        elif run.guard is not False:
            run.raised.append((run.guard, what))
    run.guard = after

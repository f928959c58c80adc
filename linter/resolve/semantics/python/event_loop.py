"""The loop of asyncio: what is due runs first come, first served; time passes where nothing else is due."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.drawing import LAZY, pull
from subdrift.linter.resolve.execute.guards import UNSET, both, either, leaves, negate
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.reach import Reach
from subdrift.linter.resolve.execute.values import Frame, Function, Guarded, Object, Unknown
from subdrift.linter.resolve.semantics.python import lazies, modelled
from subdrift.linter.resolve.semantics.python.lazies import RESULT

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python

TURNS_MAX: Final = 4_096
"""Turns of the loop that one wait may take."""

TIMES_MAX: Final = 512
"""Of these, how often time may pass."""

UNSURE_MAX: Final = 64
"""Turns in a run of which it is not known whether they come."""

STALLS_MAX: Final = 8
"""How often what is waited for comes from outside in one wait."""

NEVER: Final = "~._Never"
"""The class of what a coroutine waits for that goes round for ever, in the model of asyncio."""

THREAD = phrase("thread")
"""The name of what runs in a thread that has begun."""

_LOOP = "python loop"


class _Part(Struct, eq=False):
    """Of a coroutine that goes on later than it does on some paths: where its turn has come for what it waits for now."""

    came: Guarded = False


class _Loop(Struct):
    """What is due, by when and in the order it came, each under its guard. `tasks`: how many are under way; `unsure`: how
    many turns ran on a part of the paths. `standing`: the coroutines that have not come to their end, by number, each with
    its name and what it waited for; "" for one that has shown what it does then. `owned`: the program itself ran the loop
    to its end."""

    due: list[tuple[float, int, Guarded, Guarded]] = field(default_factory=list)
    now: float = 0
    count: int = 0
    tasks: int = 0
    parts: dict[int, _Part] = field(default_factory=dict)
    unsure: int = 0
    standing: dict[int, tuple[str, Guarded]] = field(default_factory=dict)
    owned: bool = False


def of(run: Interpreter) -> _Loop:
    """The loop of a run."""
    found: _Loop = run.heap.setdefault(_LOOP, _Loop())
    return found


def soon(run: Interpreter, function: Guarded, delay: Guarded) -> None:
    """A function is due after a delay; one that nobody knows is longer than all others."""
    loop = of(run)
    for guard, leaf in leaves(delay, run.guard):
        known = isinstance(leaf, int | float) and leaf == leaf
        _due(loop, loop.now + max(leaf, 0) if known else math.inf, guard, function)


def _due(loop: _Loop, when: float, guard: Guarded, function: Guarded) -> None:
    loop.count += 1
    heapq.heappush(loop.due, (when, loop.count, guard, function))


def _turn(python: Python, run: Interpreter, frame: Frame) -> bool:
    """Runs what is due next; whether time passed for that."""
    loop = of(run)
    when, _, guard, function = heapq.heappop(loop.due)
    loop.unsure += guard is not True
    passes, loop.now = when > loop.now, max(loop.now, when) if when < math.inf else loop.now
    before, raised, handlers, last = run.guard, run.raised, run.handlers, run.last
    run.guard, run.raised, run.handlers = guard, [], []
    try:
        python.call(run, function, Arguments([]), frame, None)
    finally:
        run.guard, run.raised, run.handlers, run.last = before, raised, handlers, last
    return passes


def until(python: Python, run: Interpreter, waits: Guarded, frame: Frame, at: Location | None) -> None:
    """Runs what is due up to where it is the turn of the code that waits for something; None: for its next turn. Where
    nothing is due, what tasks wait for comes from outside: once for each, and in the end for that code."""
    woken: list[Guarded] = []

    def wake(*_: Any) -> Guarded:
        woken.append(run.guard)
        return None

    marker = Function((), (), None, "", native=wake)
    stands = modelled.member(python, run, "asyncio", "_stands")
    if waits is not None and stands is not UNSET:
        python.call(run, stands, Arguments([waits, marker]), frame, at)
    else:
        soon(run, marker, 0)
    _go_on(python, run, woken, waits, frame, at)


def _go_on(
    python: Python, run: Interpreter, woken: list[Guarded], waits: Guarded, frame: Frame, at: Location | None
) -> None:
    loop, times, stalls = of(run), 0, 0
    for _ in range(TURNS_MAX):
        if woken and both(run.guard, negate(reduce(either, woken))) is False:
            return
        if loop.unsure > UNSURE_MAX:
            break
        if (not loop.due or loop.due[0][0] > loop.now) and run_later(
            python, run, frame, lambda one: one.name == THREAD
        ):
            continue
        if loop.due and times < TIMES_MAX:
            times += _turn(python, run, frame)
        elif loop.due or stalls >= STALLS_MAX or not _from_outside(python, run, waits, frame, at):
            break
        else:
            stalls += 1
    if loop.due:
        run.leave_off(phrase("more-than-turns-of-a-loop", TURNS_MAX), at)


def run_later(python: Python, run: Interpreter, frame: Frame, takes: Callable[[Function], bool]) -> bool:
    """Of what waits to be run that is run that is taken. Whether there was anything."""
    found = False
    for number, (guard, value, arguments) in list(run.later.items()):
        if not isinstance(value, Function) or value.ran or number not in run.later or not takes(value):
            continue
        del run.later[number]
        found = True
        before, raised = run.guard, run.raised
        run.guard, run.raised = both(before, guard), []
        if run.guard is not False:
            python.call(run, value, arguments, frame, None)
        run.guard, run.raised = before, raised
    return found


def _from_outside(
    python: Python, run: Interpreter, waits: Guarded, frame: Frame, at: Location | None
) -> bool:
    """Ends what tasks wait for and nothing in sight ends; whether there was anything."""
    stalled = modelled.member(python, run, "asyncio", "_stalled")
    if stalled is UNSET:
        return False
    before, run.guard = run.guard, True
    found = python.call(run, stalled, Arguments([waits]), frame, at)
    run.guard = before
    return found is not False


def resumed(
    python: Python,
    run: Interpreter,
    value: Any,
    error: Guarded,
    again: Guarded,
    frame: Frame,
    at: Location | None,
) -> Guarded:
    """Runs a coroutine up to where it waits: (False, for what); (True, what it gave) at its end. Where its turn has come on
    a part of the paths alone, it waits for the others, and does so `again` once nothing else is due: what it does among
    others is not known then."""
    source = python.waiting(run, value, frame, at)
    if not isinstance(source, Object) or source.type != "generator":
        return (True, source)
    lazy = source.fields.get(LAZY)
    if lazy is None or lazy.busy:
        return (True, source.fields.get(RESULT))
    here, part = both(lazy.born, run.guard), of(run).parts.get(source.number)
    if part is not None or here != lazy.born:
        never = modelled.member(python, run, "asyncio", "_Never")
        came = either(part.came, here) if part is not None else here
        is_new = came != lazy.born and (part is None or came != part.came)
        if is_new and not isinstance(error, Object) and never is not UNSET:
            _late(python, run, source, came, again, frame)
            return (False, python.call(run, never, Arguments([]), frame, at))
        here, of(run).parts[source.number] = came, _Part()
    rest = both(run.guard, negate(lazy.born))
    run.guard = lazy.born = here
    is_late = source.number in of(run).parts and isinstance(value, Function)
    reach = Reach.of(run, value, models=False) if is_late else None
    mark = len(run.raised)
    if run.guard is not False and isinstance(error, Object):
        lazies.thrown_into(run, source, error)
    elif run.guard is not False:
        pull(source)
    if reach is not None:
        reach.forget_changes(run, here, Unknown(Why.DYNAMIC, THREAD))
    for thrown, _ in run.raised[mark:]:
        run.guard = both(run.guard, negate(thrown))
    run.guard = either(run.guard, rest)
    items, source.items = source.items or [], []
    waits = items[0][1] if items else None
    ended = LAZY not in source.fields
    _stands(run, source, value, waits, ended=ended and not isinstance(error, Object))
    return (True, source.fields.get(RESULT)) if ended else (False, waits)


def _late(
    python: Python, run: Interpreter, source: Object, came: Guarded, again: Guarded, frame: Frame
) -> None:
    """The turn of a coroutine has come on a part of the paths: it goes on there, unless it does so on more before that."""
    part = of(run).parts[source.number] = _Part(came)

    def go_on(*_: Any) -> Guarded:
        if of(run).parts.get(source.number) is part:
            python.call(run, again, Arguments([]), frame, None)
        return None

    _due(of(run), math.inf, came, Function((), (), None, "", native=go_on))


def _stands(run: Interpreter, source: Object, value: Any, waits: Guarded, *, ended: bool) -> None:
    """Keeps which coroutines have not come to their end, and what they would do nobody has seen."""
    standing = of(run).standing
    name, before = standing.pop(source.number, (getattr(value, "name", ""), None))
    came = isinstance(before, Object) and before.fields.get("_outside") is True
    if not ended:
        standing[source.number] = ("" if came else name, waits)


def lost(run: Interpreter) -> None:
    """At the end: what coroutines do that nobody has seen going on, where that may come of what nobody knows."""
    for name, waits in of(run).standing.values() if run.doubts else ():
        if name and not (isinstance(waits, Object) and waits.type == NEVER):
            run.loses_call(name)


def finish(python: Python, run: Interpreter, source: Object, frame: Frame, at: Location | None) -> Guarded:
    """What a coroutine gives that is run to its end, with all that is due meanwhile."""
    while source.items or pull(source):
        if run.guard is False:
            return UNSET
        assert source.items
        waits = source.items.pop(0)[1]
        until(python, run, waits, frame, at)
    return source.fields.get(RESULT)


def run_out(python: Python, run: Interpreter, frame: Frame) -> bool:
    """Runs what is still due at the end of a program that a framework's loop runs; whether there was anything."""
    loop = of(run)
    if loop.owned or not loop.due:
        return False
    loop.owned = True
    _go_on(python, run, [], None, frame, None)
    return True

"""Threads and tasks of Python, and what classes above them give their objects."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.given_up import lose_given
from subdrift.linter.resolve.execute.guards import UNSET, leaves
from subdrift.linter.resolve.execute.handed import lose_assigned
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.reach import Reach
from subdrift.linter.resolve.execute.values import (
    Bound,
    Entry,
    Function,
    Guarded,
    Object,
    Text,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import classes, constructors, event_loop
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.functions import awaited
from subdrift.linter.resolve.semantics.python.natives import CALLABLES, METHODS, Call, native
from subdrift.linter.resolve.semantics.python.standard.records import as_dict


def _lacks(leaf: Any, count: int, names: Container[str]) -> bool:
    """Whether a function has to be given more than it is."""
    decl, defaults = (
        getattr(getattr(leaf, "native", None), "decl", None),
        getattr(leaf, "defaults", None) or {},
    )
    taken = [one for one in decl.params if one.kind in ("", "/")][count:] if decl is not None else ()
    return any(one.default is None and one.name not in names and one.name not in defaults for one in taken)


_AT_ONCE = frozenset({"run", "run_until_complete"})
"""Of the names by which code is run that somebody schedules those that come back when it has."""


def scheduled(call: Call, guessed: str = "") -> Guarded:
    """`executor.submit(f, x)`, `loop.create_task(f())`, `asyncio.run(main())`: what is called runs here. `guessed`: by this
    name; what a function takes beyond what is here it gets from who runs it, and when it runs nobody knows."""
    target = call.values[0]
    values = call.values[1:]
    if target is None and values:  # loop.run_in_executor(None, f, …)
        target, values = values[0], values[1:]

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Function | Bound) or (
            isinstance(leaf, Object) and f"{leaf.type}.__call__" in CALLABLES
        ):
            more = call.arguments.open
            if guessed and more is None and _lacks(leaf, len(values), call.arguments.names):
                more = Unknown(Why.DYNAMIC, phrase("argument", ""))
            given = Arguments(values, call.arguments.names, more)
            if guessed and guessed not in _AT_ONCE:
                return _sometime(call, leaf, given, guessed)
            found = call.python.call(call.run, leaf, given, call.frame, call.at)
            return awaited(call.python, call.run, found, call.frame, call.at)
        if isinstance(leaf, Object) and leaf.declared is not None:  # what is done with it nobody sees
            return call.python.unseen(call.run, None, "run", call.arguments, call.at)
        return leaf if isinstance(leaf, Object | Unknown) else unknown_from((leaf,), phrase("calculation"))

    return call.each(target, one)


def _sometime(call: Call, leaf: Any, given: Arguments, guessed: str) -> Guarded:
    """What is called runs when nobody knows, so that what it changes is not known. What it throws stays there: more may be
    there by the time it runs, and what it does then is not known either."""
    run, before, raised, handlers = call.run, call.run.guard, call.run.raised, call.run.handlers
    run.raised, run.handlers = [], []
    reach = Reach.of(run, leaf) if isinstance(leaf, Function) else None
    try:
        found = call.python.call(run, leaf, given, call.frame, call.at)
        found = awaited(call.python, run, found, call.frame, call.at)
    finally:
        failed, run.raised, run.handlers = bool(run.raised), raised, handlers
    reason = Unknown(Why.DYNAMIC, f"{guessed}()")
    if failed:
        run.guard, found = before, reason
    if reach is not None and run.guard is not False:
        reach.forget_changes(run, run.guard, reason)
        if failed:
            own = getattr(leaf.native, "arguments", given).values
            forget_contents(run, reason, [*lose_assigned(run, leaf, before, reason), *own])
            lose_given(run, [leaf, *own, *given.values], reason)
    return found


@native(
    "anyio.to_thread.run_sync",
    "trio.to_thread.run_sync",
    "starlette.concurrency.run_in_threadpool",
    "trio.run",
    "anyio.run",
)
def _run(call: Call) -> Guarded:
    return scheduled(call)


@native("_native.awaited")
def _awaited(call: Call) -> Guarded:
    """`awaited(value, beside=())`: what `await value` gives, whatever else runs beside it."""
    return awaited(call.python, call.run, call.get(0), call.frame, call.at)


@native("_native.later")
def _later(call: Call) -> Guarded:
    """`later(function)`: it runs when something waits, or at the end. The function, as `run_later` takes it."""
    function = call.get(0)

    def started(inner: Call) -> Guarded:
        given = Arguments([])
        return call.each(function, lambda leaf: call.python.call(call.run, leaf, given, call.frame, call.at))

    made = call.function(event_loop.THREAD, started)
    call.run.defer(made)
    return made


@native("_native.run_later")
def _run_later(call: Call) -> Guarded:
    """`run_later(only=None)`: what waits to be run is run, or one function of that."""
    only = call.get(0, default=None)
    event_loop.run_later(call.python, call.run, call.frame, lambda one: only in (None, one))
    return None


@native("_native.soon")
def _soon(call: Call) -> Guarded:
    """`soon(function, delay=0)`: the loop of asyncio runs it in its turn."""
    event_loop.soon(call.run, call.get(0), call.get(1, default=0))
    return None


@native("_native.resumed")
def _resumed(call: Call) -> Guarded:
    """`resumed(coroutine, error, again)`: runs it up to where it waits, with an error thrown where it stands."""
    run, error, again = call.run, call.get(1), call.get(2)
    loop = event_loop.of(run)
    loop.tasks += 1
    found = call.each(
        call.get(0),
        lambda leaf: event_loop.resumed(call.python, run, leaf, error, again, call.frame, call.at),
    )
    loop.tasks -= 1
    return found


@native("_native.owned")
def _owned(call: Call) -> Guarded:
    """`owned()`: the program runs the loop itself: what is left at its end is not run any more."""
    event_loop.of(call.run).owned = True
    return None


@native("_native.unknown")
def _unknown(call: Call) -> Guarded:
    """`unknown(reason)`: what comes from somewhere else; the reason is a phrase."""
    reason = call.get(0)
    return call.unknown(phrase(reason.known or "") if isinstance(reason, Text) else "")


def inherited(call: Call, leaf: Object, name: str) -> Guarded:
    """A method that an object of a declared class has from the library class above it."""
    assert leaf.declared is not None
    info = classes.info_of(call.run, leaf.declared)
    library = info.library if info is not None else []
    if name == "_asdict" and info is not None and info.is_tuple:
        names = leaf.fields["<compare>"]
        return call.python.mapping(
            call.run, [Entry(True, text(each), leaf.fields.get(each)) for each in names], call.at
        )
    if name in ("_asdict", "dict", "model_dump") and info is not None and constructors.fills_itself(info):
        return as_dict(call, leaf)
    if name in ("_replace", "copy", "model_copy") and info is not None and constructors.fills_itself(info):
        given = {each: leaf.fields.get(each) for each in leaf.fields.get("<compare>", ())}
        changed = call.get(9, "update", None)
        for _, each in leaves(changed):
            for entry in each.entries or () if isinstance(each, Object) else ():
                if isinstance(entry.key, Text) and entry.key.known is not None:
                    given[entry.key.known] = entry.value
        if name == "_replace" and not call.arguments.names.keys() <= given.keys():
            call.run.throw(call.run.make(None, "builtins.ValueError", call.at))
            return UNSET
        given.update(
            {key: value for key, value in call.arguments.names.items() if key not in ("update", "deep")}
        )
        return call.python.instantiate(call.run, leaf.declared, Arguments([], given), call.frame, call.at)
    known = next((METHODS[f"{above}.{name}"] for above in library if f"{above}.{name}" in METHODS), None)
    return UNSET if known is None else known(call, leaf)

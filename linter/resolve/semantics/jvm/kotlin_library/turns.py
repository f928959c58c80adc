"""What coroutines may do to what they share: functions that only the models of `kotlinx.coroutines` call.

A coroutine is run as a whole when its turn comes. What it does behind a place where it waits may come behind what others do,
or before: what both can reach and one of them writes is not known then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from msgspec import Struct

from subdrift.linter.model.expr import Why
from subdrift.linter.model.ir import Call as CallNode
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute.changes import changed_in
from subdrift.linter.resolve.execute.given_up import lose_before
from subdrift.linter.resolve.execute.guards import apply, some
from subdrift.linter.resolve.execute.havoc import assigned_in, forget_contents, unless_object
from subdrift.linter.resolve.execute.reach import Reach, around, body_of, held_by, with_held
from subdrift.linter.resolve.execute.values import Function, Guarded, Object, Unknown
from subdrift.linter.resolve.semantics.jvm.calls import Call

REACH = "<reach>"
"""The field of an object that holds what a coroutine could reach when it began to wait."""

CODE = "<code>"
"""The field of an object that holds what a coroutine runs."""

_OWN = frozenset({"Job", "Deferred", "CompletableDeferred", "Mutex", "Semaphore", "WaitingScope"})
"""Classes of the models that say themselves what others do to them."""


class _Code(Struct, frozen=True):
    """A function that is looked at, and called by nobody who finds it here."""

    function: Function


def code_of(call: Call, function: Any) -> Guarded:
    """`codeOf(function)`: what a coroutine runs, for the functions below."""
    made = call.made("kotlinx.coroutines.Code")
    if isinstance(function, Function):
        made.fields[CODE] = _Code(function)
    return made


def _function(code: Any) -> Function | None:
    held = code.fields.get(CODE) if isinstance(code, Object) else None
    return held.function if isinstance(held, _Code) else None


def may_write(call: Call, code: Any, other: Any) -> Guarded:
    """`mayWrite(code, other)`: of what a coroutine can reach, what another one may write is not known."""
    function, writing = _function(code), _function(other)
    if function is not None and writing is not None:
        _lose(call, function, writing)
    return None


def lose_written(call: Call, code: Any) -> Guarded:
    """`loseWritten(code)`: what a coroutine may write is not known."""
    return may_write(call, code, code)


def state_of(call: Call, code: Any) -> Guarded:
    """`stateOf(code)`: what a coroutine can reach, as it is now."""
    made, function = call.made("kotlinx.coroutines.State"), _function(code)
    if function is not None:
        made.fields[REACH] = _reach(call, function)
    return made


def forget_since(call: Call, state: Any) -> Guarded:
    """`forgetSince(state)`: what is other than it was then is not known."""
    reach = state.fields.get(REACH) if isinstance(state, Object) else None
    if isinstance(reach, Reach):
        reach.statics |= _own_statics(call)
        reach.forget_changes(call.run, call.run.guard, _reason(call))
    return None


def may_cancel(call: Call, code: Any) -> Guarded:
    """`mayCancel(code)`: whether a coroutine cancels anything."""
    function = _function(code)
    found = nodes(body_of(function)) if function is not None else ()
    return any(type(one) is CallNode and one.name.startswith("cancel") for one in found)


def some_value(call: Call) -> Guarded:
    """`someValue()`: what comes of code that has not gone on yet."""
    return _reason(call)


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "codeOf": code_of,
    "mayWrite": may_write,
    "loseWritten": lose_written,
    "stateOf": state_of,
    "forgetSince": forget_since,
    "mayCancel": may_cancel,
    "someValue": some_value,
}


def _reason(call: Call) -> Unknown:
    return Unknown(Why.DYNAMIC, phrase("thread"), ("turns", call.run.unique()))


def _reach(call: Call, function: Function) -> Reach:
    found = Reach.of(call.run, function)
    found.objects = [one for one in found.objects if one[0].declared is None or not _is_own(one[0])]
    return found


def _is_own(made: Object) -> bool:
    assert made.declared is not None
    return made.declared.file.model and made.declared.simple in _OWN


def _lose(call: Call, function: Function, other: Function) -> None:
    """Forgets what `other` may write of what `function` can reach."""
    run = call.run
    reached = [one for one, *_ in _reach(call, function).objects]
    known = {id(one) for one in reached}
    seen = {id(frame.variables) for each in with_held(function) for frame in around(each)}
    for each in with_held(other):
        body = body_of(each)
        assigned = assigned_in(body, {param.name for param in each.params})
        for frame in around(each):
            for name in sorted(assigned & frame.variables.keys()) if id(frame.variables) in seen else ():
                lost = Unknown(Why.DYNAMIC, name, ("turns", name, run.unique()))
                frame.variables[name] = apply(partial(unless_object, lost), frame.variables[name])
        held = held_by(each, body)
        changed = [leaf for name in sorted(changed_in(body) & held.keys()) for leaf in some(held[name], 8)]
        forget_contents(
            run, _reason(call), [one for one in changed if id(one) in known and _is_of_library(one)]
        )
    kept = _own_statics(call)
    lose_before(run, other, reached)
    run.statics |= kept


def _own_statics(call: Call) -> dict[Any, Guarded]:
    """What the models themselves hold."""
    home = call.frame.owner
    return {at: held for at, held in call.run.statics.items() if home is not None and at[0].file is home.file}


def _is_of_library(leaf: Any) -> bool:
    return (
        type(leaf) is Object and leaf.client is None and (leaf.declared is None or leaf.declared.file.model)
    )

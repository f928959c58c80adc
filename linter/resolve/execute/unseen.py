"""What a run does about code that nobody sees: what it hands over, what that may change, and what it gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.resolve.execute import calls, exceptions
from subdrift.linter.resolve.execute.calls import CALLED
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.drawing import DRAWN_MAX, may_be_drawn
from subdrift.linter.resolve.execute.given_up import lose_given
from subdrift.linter.resolve.execute.guards import Diagram, both, choose, either, leaves, negate, some
from subdrift.linter.resolve.execute.handed import (
    forget_started,
    functions_in,
    held_around,
    leads_to_client,
    whole_of,
)
from subdrift.linter.resolve.execute.havoc import (
    GIVEN,
    OF_FUNCTIONS,
    forget_contents,
    forget_fields,
    may_come_back,
    put_in,
    reached_from,
)
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.state import NEEDS_LEAVES_MAX, READERS, reads_alone
from subdrift.linter.resolve.execute.values import Bound, Function, Guarded, Object, Text, TypeValue, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.interpreter import Interpreter


RUN_AGAIN = "run again"
"""With the symbol of what a call gave that nobody sees in the heap: the functions that it got."""

RUNS_LATER = frozenset({Function, Bound, Object})

_HOLDS = RUNS_LATER | {tuple}


def may_lead(run: Interpreter, leaf: Any) -> bool:
    """Whether an object or function of the program is a consumer, or can reach a client library."""
    kind = type(leaf)
    if kind is Function:
        return leads_to_client(run, leaf)
    if kind is Bound:
        return leaf.name in run.hot_names
    if kind is TypeValue:
        return leaf.declared is not None and not leaf.declared.file.model and _makes(run, leaf.declared)
    if kind is not Object or leaf.client is not None or leaf.declared is None or leaf.declared.file.model:
        return kind is Object and leaf.client is not None
    return _makes(run, leaf.declared)


def _makes(run: Interpreter, declared: Class) -> bool:
    """Whether a class of the program has a method that can reach a client library."""
    known = run.heap.setdefault("leading classes", {})
    if declared not in known:
        family = run.semantics_of(declared.file.language).family(run, declared)
        known[declared] = any(
            run.matters(method, method.decl.body)
            for one in family
            for methods in one.methods.values()
            for method in methods
        )
    found: bool = known[declared]
    return found


def hands_over(run: Interpreter, name: str, arguments: Arguments, *, collections: bool = True) -> None:
    """Code nobody has read, of the type of that name, gets arguments: it is needed where it can do something to a
    consumer, or to what one is made of. `collections`: a collection may be that."""
    if not name:
        return
    for value in (*arguments.values, *arguments.names.values()):
        for leaf in some(value, NEEDS_LEAVES_MAX):
            if type(leaf) is Object and (
                leaf.client is not None
                or (
                    run.certain
                    and (
                        leaf.declared
                        or (collections and (leaf.items is not None or leaf.entries is not None))
                    )
                )
            ):
                run.needed.add(name)
                return
            if type(leaf) is Bound or (type(leaf) is Function and run.matters(None, leaf.body)):
                run.needed.add(name)  # it may run what it is given, or keep it and never do
                return


def havoc(
    run: Interpreter,
    name: str,
    reason: Unknown,
    receiver: Guarded,
    arguments: Arguments,
    *,
    reads: bool = False,
    throws: bool = True,
) -> Guarded:
    """A call that has neither a body nor a model nor a peer: what its receiver and arguments hold may be anything
    from here on, because of `reason`, and functions and consumers among them may be run and started.

    Gives what it comes to: `reason`, or one of the objects it got. `reads`: it leaves its receiver as it is.
    `throws`: it may throw, or wait for other threads.
    """
    if run.guard is False:
        return reason
    is_used = not run.discards
    run.doubts += name not in READERS
    run.unseen += not reads_alone(name)
    every = (*arguments.values, *arguments.names.values())
    values = [value for value in every if type(value) is Diagram or type(value) in _HOLDS]
    before = run.guard
    _may_be_drawn(run, (receiver, *values), reason)
    _defer(run, name, receiver, values)
    if run.brief or name in READERS:
        if run.brief:
            _let_escape(run, values)
        run.guard = before
        return reason
    if throws:
        forget_started(run, reason)
    kept = reached_from(run, (receiver, *values)) if is_used else []
    reason = _with_consumers(run, reason, kept)
    if is_used:
        reason = _may_run_again(run, reason, values, receiver if reads else None)
    may_come_back(run, (receiver, *values))
    written = values if reads else [receiver, *values]
    here = run.guard
    written += _named_methods(run, name, values, arguments)
    again = list(_run_again(run, receiver, name))
    run.hand_over([*written, *again], reason, before)
    # one of them may have left the function around it
    run.guard = before if run.guard is here else both(before, either(run.guard, negate(here)))
    forget_contents(run, reason, written)
    lose_given(run, [*values, *again], reason)
    if name == "invoke":  # by reflection it may call whatever an object has
        _lose_fields(run, values)
    put_in(run, [*written, *(value for value in arguments.values if type(value) is TypeValue)])
    if throws:
        exceptions.may_throw(run, reason)
    return calls.one_of(run, kept, reason)


def _may_be_drawn(run: Interpreter, values: Sequence[Guarded], reason: Unknown) -> None:
    """Code that nobody sees may go through the iterators and streams that it gets, and change what these give."""
    for leaf in (each for value in values for each in some(value, NEEDS_LEAVES_MAX)):
        if type(leaf) is Object:
            may_be_drawn(run, leaf, DRAWN_MAX, lambda item: forget_contents(run, reason, (item,)))


def _defer(run: Interpreter, name: str, receiver: Guarded, values: Sequence[Guarded]) -> None:
    """What a call got may be run later, where the call itself is known to run it if it is one of the program's own."""
    may_keep = any(map(_may_keep, some(receiver, NEEDS_LEAVES_MAX)))
    if name and (may_keep or (receiver is None and _leads_by_function(run, values))):
        run.guard = both(run.guard, run.runs_it(name, values))
    for value in values:
        if type(value) is not Bound or run.brief:  # else it is run here
            run.defer(value)


def _may_run_again(run: Interpreter, reason: Unknown, values: Sequence[Guarded], read: Guarded) -> Unknown:
    """What a call comes to: whatever is done with it may run the functions and methods among its arguments, or those that
    `read` holds."""
    held = list(functions_in(run, (read,))) if read is not None else []
    functions = [
        leaf
        for _, leaf in (*functions_in(run, values), *held)
        if type(leaf) is Function
        or (type(leaf) is Object and not run.may_lead(leaf))  # else it may be that itself
    ]
    if functions:
        reason = replace(reason, symbol=reason.symbol or ("given", run.unique()))
        run.heap[RUN_AGAIN, reason.symbol] = functions
    if any(type(leaf) in CALLED for _, leaf in held):
        run.missed.add("")
    return reason


def _let_escape(run: Interpreter, values: Sequence[Guarded]) -> None:
    """Consumers in a test, where what is prepared is handed to mocks and assertions all the time."""
    for value in values:
        for _, leaf in leaves(value, run.guard):
            if type(leaf) is Object and leaf.client is not None:
                leaf.client.escaped = True


def _with_consumers(run: Interpreter, reason: Unknown, kept: Sequence[Any]) -> Unknown:
    """What a call gives that got consumers: it may hold them."""
    consumers = [one for one in kept if type(one) is Object and one.client is not None]
    if consumers:
        reason = replace(reason, symbol=reason.symbol or ("given", run.unique()))
        run.heap[GIVEN, reason.symbol] = consumers
    return reason


def _run_again(run: Interpreter, receiver: Guarded, name: str) -> Iterator[Guarded]:
    """The functions that a call got that gave this receiver, and the methods of that name of the objects that it got."""
    for leaf in some(receiver, NEEDS_LEAVES_MAX):
        if type(leaf) is Unknown and leaf.symbol is not None:
            for one in run.heap.get((RUN_AGAIN, whole_of(leaf.symbol)), ()):
                yield from (one,) if type(one) is Function else _methods_of(run, one, (name,))
            for one in held_around(run, leaf) if name in OF_FUNCTIONS else ():
                yield from (each for each in one.fields.values() if type(each) is Function)


def _named_methods(
    run: Interpreter, name: str, values: Sequence[Guarded], arguments: Arguments
) -> list[Guarded]:
    """The methods of objects and classes of the program that a call gets by name, or as what reflection found, beside them;
    by reflection it may be any that leads to a consumer."""
    names = {one.known for one in arguments.values if type(one) is Text and one.known is not None}
    names |= {one.method.name for one in arguments.values if type(one) is Function and one.method is not None}
    if not names and name == "invoke":
        names = run.hot_names
    if not names:
        return []
    found: list[Guarded] = []
    for value in (*values, *(one for one in arguments.values if type(one) is TypeValue)):
        for leaf in some(value, NEEDS_LEAVES_MAX):
            found += _methods_of(run, leaf, sorted(names))
    return found


def _methods_of(run: Interpreter, leaf: Any, names: Sequence[str]) -> Iterator[Bound]:
    """The methods of some names of an object or class of the program."""
    declared = leaf.declared if type(leaf) is Object or type(leaf) is TypeValue else None
    if declared is not None and not declared.file.model and run.last is not None:
        family = run.scope.supers(declared)
        yield from (
            Bound(leaf, name, run.last[0]) for name in names if any(name in one.methods for one in family)
        )


def _lose_fields(run: Interpreter, values: Sequence[Guarded]) -> None:
    for leaf in (each for value in values for each in some(value, NEEDS_LEAVES_MAX)):
        if type(leaf) is Object and leaf.declared is not None:
            forget_fields(run, leaf, kept=lambda lost, held: held if run.may_lead(held) else lost)


def _may_keep(leaf: Any) -> bool:
    """Whether something may keep a function that it gets and never run it: a collection, or what nobody knows."""
    if type(leaf) is Unknown:
        return True
    return type(leaf) is Object and (leaf.items is not None or leaf.entries is not None)


def _leads_by_function(run: Interpreter, values: Sequence[Guarded]) -> bool:
    """Whether a function among some values can reach a client library: code that nobody sees need not call it."""
    return any(type(leaf) is Function and run.may_lead(leaf) for _, leaf in functions_in(run, values))


def may_be_held(run: Interpreter, leaf: Unknown) -> None:
    """What nobody knows is called: it may be any function, and one of the map that it comes from."""
    run.loses_call("")
    held = [one for _, one in functions_in(run, (leaf,)) if type(one) in CALLED]
    if held and not run.brief:
        before = run.guard
        run.guard = both(before, run.runs_it("", held))
        run.hand_over(held, leaf, before)
        run.guard = before


def runs_it(run: Interpreter, name: str, values: Sequence[Guarded]) -> Guarded:
    """The guard under which a call of what may keep functions runs those it gets: a choice, but for coroutines, which
    nobody makes to keep them."""
    if all(getattr(getattr(leaf, "native", None), "begins", False) for _, leaf in functions_in(run, values)):
        return True
    frame, statement = run.last or (None, None)
    at = None if frame is None else run.place(frame, getattr(statement, "at", None) or run.called)
    return choose(run.decide(("runs", name, at, run.unique()), 2, "condition", at), 2, 0)

"""What turns of a loop may have written of which nobody knows how many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import nodes, remembered
from subdrift.linter.resolve.execute import given_up
from subdrift.linter.resolve.execute.guards import apply, pick, some, under
from subdrift.linter.resolve.execute.havoc import (
    alike,
    assigned_in,
    chain,
    filled_in,
    forget_contents,
    forget_fields,
    mentioned_in,
    unless_object,
    written,
    written_in,
)
from subdrift.linter.resolve.execute.reach import Reach, around, body_of
from subdrift.linter.resolve.execute.state import NEEDS_LEAVES_MAX
from subdrift.linter.resolve.execute.values import Frame, Function, Object, TypeValue, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.interpreter import Interpreter


@remembered
def named_in(node: ir.ForEach | ir.While) -> frozenset[str]:
    """The variables and fields that the body of a loop names, or calls what they hold."""
    called = {one.name for one in nodes(node.body) if type(one) is ir.Call and one.target is None}
    return frozenset(mentioned_in(node.body) | called)


@remembered
def _assigned(node: ir.ForEach) -> frozenset[str]:
    """What the body of a loop assigns, but its own variable."""
    own = {node.target.name} if isinstance(node.target, ir.Name) else set()
    return frozenset((assigned_in(node.body, own) | written_in(node.body)) - own)


def forget_assigned(run: Interpreter, node: ir.ForEach, frame: Frame) -> None:
    """What a loop with an unknown number of turns assigns is not known."""
    forget_written(run, _assigned(node), node, frame)
    forget_asked(run, node.body, frame, kept=unless_object)


def some_turn(run: Interpreter, node: ir.ForEach | ir.While, frame: Frame, reach: Reach) -> None:
    """The body of a loop is to run for some turn: what it calls may have written something in a turn before."""
    given_up.lose_in_turns(run, frame, node.body, [one for one, *_ in reach.objects])


def forget_written(
    run: Interpreter, names: frozenset[str], node: ir.ForEach | ir.While, frame: Frame
) -> None:
    """What a loop with an unknown number of turns gives variables, or calls methods on, is not known; another object that it
    gives them is some object."""
    run.semantics(frame).forget(run, names, frame, node.at)
    code = (node.body, node.update if type(node) is ir.While else ())
    plain = frozenset().union(*map(_given, code))
    for name in set().union(*map(assigned_in, code)):
        lost = partial(_some_other, run, name, name in plain)
        for held in (one.variables for one in chain(frame) if name in one.variables):
            held[name] = pick(run.guard, apply(lost, held[name]), held[name])
            break


@remembered
def _given(code: Any) -> frozenset[str]:
    """The names of what code gives another value, not one that comes of the value before."""
    return frozenset(
        getattr(one.target, "name", "") for one in nodes(code) if type(one) is ir.Assign and not one.operator
    )


def _taking_in(run: Interpreter, leaf: Any) -> list[str]:
    """The functions of a class by which `+=` and the like change its objects."""
    declared = leaf.declared if type(leaf) is Object else None
    return [
        name
        for each in (run.scope.supers(declared) if declared is not None else ())
        for name in each.methods
        if name.endswith("Assign")
    ]


def _some_other(run: Interpreter, name: str, plain: bool, leaf: Any) -> Any:
    """An object that may be another one; what leads to a consumer is taken to stay, as it does where methods give `this`,
    and what is not assigned `plain` may change itself."""
    if type(leaf) is Function and not run.may_lead(leaf):
        return Unknown(Why.DYNAMIC, name, ("turn", run.unique()))
    if type(leaf) is not Object or leaf.declared is None or leaf.declared.file.model or run.may_lead(leaf):
        return leaf
    if not plain and _taking_in(run, leaf):
        return leaf
    of = TypeValue(leaf.declared, leaf.declared.name)
    return Unknown(Why.DYNAMIC, name, ("turn", run.unique()), of)


_READERS: Final = frozenset({"Scanner", "BufferedReader", "StringTokenizer", "LineNumberReader"})
"""What is read from step by step."""


def forget_readers(run: Interpreter, names: Iterable[str], frame: Frame) -> None:
    """What is read from step by step stands at some place in some turn of a loop."""
    held = (under(frame.variables[name], run.guard) for name in names if name in frame.variables)
    readers = [
        leaf
        for value in held
        for leaf in some(value, NEEDS_LEAVES_MAX)
        if type(leaf) is Object and leaf.type.rpartition(".")[2] in _READERS
    ]
    forget_contents(run, Unknown(Why.DYNAMIC, phrase("element")), readers)


@remembered
def _asked(code: Any) -> tuple[Any, ...]:
    """What of code outside of its functions calls methods of what has a name, or takes something in."""
    return tuple(
        node
        for node in nodes(code, enters=lambda node: not isinstance(node, ir.Lambda | ir.ClassDecl))
        if (type(node) is ir.Assign and node.operator and type(node.target) is ir.Name)
        or (type(node) is ir.Call and isinstance(node.target, ir.Name | ir.This | None))
    )


def forget_asked(
    run: Interpreter,
    code: Any,
    frame: Frame,
    kept: Callable[[Unknown, Any], Any] = lambda unknown, leaf: unknown,
) -> None:
    """What the methods that a loop calls in each turn write in their objects is not known where the number of turns is
    not; `kept` says what becomes of a value that was there."""
    for node in _asked(code):
        if type(node) is ir.Assign:
            for leaf in some(run.value(node.target, frame), NEEDS_LEAVES_MAX):
                if by := _taking_in(run, leaf):
                    forget_fields(run, leaf, written(run, leaf.declared, None, by), kept)
            continue
        if node.target is None:
            _forget_around(run, node.name, frame, kept)
        target = frame.this if node.target is None else run.value(node.target, frame)
        for leaf in some(target, NEEDS_LEAVES_MAX):
            if isinstance(leaf, Object) and leaf.declared is not None:
                assigned = written(run, leaf.declared, None, (node.name,))
                forget_fields(run, leaf, assigned, kept)
                _may_hold_more(
                    run, leaf, assigned | written(run, leaf.declared, None, (node.name,), filled_in)
                )


def _may_hold_more(run: Interpreter, made: Object, names: Iterable[str]) -> None:
    """What turns before have put into the collections of an object may be there in any turn."""
    for name in names:
        for leaf in some(made.fields.get(name), NEEDS_LEAVES_MAX):
            if type(leaf) is Object and (leaf.items is not None or leaf.entries is not None):
                reason = Unknown(Why.DYNAMIC, phrase("element"))
                leaf.open = leaf.open or alike(reason, leaf)


def _forget_around(run: Interpreter, name: str, frame: Frame, kept: Callable[[Unknown, Any], Any]) -> None:
    """What a function held in a variable writes to the variables around it is not known."""
    held = next((one.variables[name] for one in chain(frame) if name in one.variables), None)
    for leaf in some(held, NEEDS_LEAVES_MAX):
        if type(leaf) is not Function:
            continue
        written_by = assigned_in(body_of(leaf), {param.name for param in leaf.params})
        for outer in around(leaf):
            for each in written_by & outer.variables.keys():
                lost = Unknown(Why.DYNAMIC, each, ("lost", outer.number, each, run.steps))
                old = outer.variables[each]
                outer.variables[each] = pick(run.guard, apply(partial(kept, lost), old), old)

"""Loops that wait for another thread: what their tests read, and whether they can be left."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from subdrift.linter.model import ir
from subdrift.linter.model.walk import nodes, remembered
from subdrift.linter.resolve.execute.havoc import (
    assigned_in,
    hands_on,
    mentioned,
    mentioned_in,
    written,
    written_in,
)
from subdrift.linter.resolve.execute.slice_names import Names
from subdrift.linter.resolve.execute.values import Frame, Object

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.declarations import Class
    from subdrift.linter.resolve.execute.interpreter import Interpreter

GETTERS_MAX = 3
"""Getters that a test asks for a flag through."""


_HANDING_OVER = frozenset({"emit", "emitAll", "send", "yield", "yieldAll"})
"""Calls by which code of Kotlin hands on an element, and out of which it is thrown where nobody wants more."""


def _leaves(body: Sequence[ir.Stmt], waits: Callable[[ir.Expr], bool]) -> bool:
    """Whether statements hold a way out of the loop they are the body of, but for a `break` under a test that `waits` for
    another thread."""

    def enters(node: ir.Record) -> bool:
        awaited = isinstance(node, ir.If) and _only_breaks(node) and waits(node.test)
        return not awaited and not isinstance(node, ir.Lambda | ir.ClassDecl)

    return any(
        isinstance(node, ir.Break | ir.Return | ir.Throw)
        or (isinstance(node, ir.Call) and node.name in _HANDING_OVER)
        for node in nodes(tuple(body), enters=enters)
    )


def _only_breaks(node: ir.If) -> bool:
    return not node.otherwise and len(node.then) == 1 and isinstance(node.then[0], ir.Break)


class _Flags(Struct, frozen=True):
    """What a test of flags reads: fields by their `names`, and fields with objects that hold a flag (`holders`), each with
    the getter that reads it, "" for the object itself."""

    names: frozenset[str] = frozenset()
    holders: frozenset[tuple[str, str]] = frozenset()

    def __or__(self, other: _Flags) -> _Flags:
        return _Flags(self.names | other.names, self.holders | other.holders)


def _flags(run: Interpreter, test: ir.Expr, frame: Frame, declared: Class, deep: int = 0) -> _Flags | None:
    """The flags that a test in a class reads: `running`, `!this.stopped`, `a && !b`, by a getter (`!isStopped()`), of an
    object that holds one (`alive.get()`, also compared with a constant); None where it does more."""
    if isinstance(test, ir.Unary):
        return _flags(run, test.operand, frame, declared, deep)
    if isinstance(test, ir.Binary) and test.operator in _JOINING:
        left = _flags(run, test.left, frame, declared, deep)
        right = _flags(run, test.right, frame, declared, deep)
        return left | right if left is not None and right is not None else None
    if isinstance(test, ir.Binary) and test.operator in _COMPARING:
        asked = [one for one in (test.left, test.right) if not _is_constant(one)]
        found = _flags(run, asked[0], frame, declared, deep) if len(asked) == 1 else None
        # a plain field is more often the state of one thread, which code elsewhere moves on
        return None if found is None or found.names else found
    if not isinstance(test, ir.Call):
        name = _field(test, frame)
        if name is None:
            return None
        # what is true in Python may be a list that somebody takes the last element from
        return _Flags(holders=frozenset({(name, "")})) if _is_python(declared) else _Flags(frozenset({name}))
    if test.args or deep >= GETTERS_MAX:
        return None
    if test.target is None or isinstance(test.target, ir.This):
        return _given(run, frame, declared, test.name, deep)
    holder = _field(test.target, frame)
    if holder is None:
        return None
    held = run.value(test.target if not deep else ir.Attribute(ir.This(test.at), holder, test.at), frame)
    if not isinstance(held, Object) or held.declared is None:
        return None
    inside = _given(run, frame, held.declared, test.name, deep)
    return None if inside is None else _Flags(holders=frozenset({(holder, test.name)}))


_JOINING = frozenset({"&&", "||", "and", "or"})


_COMPARING = frozenset({"==", "!=", "===", "!==", "is", "is not"})


def _is_constant(node: ir.Expr) -> bool:
    """Whether code writes a value that is always the same: a literal, or a constant of a type."""
    return isinstance(node, ir.Const) or (
        isinstance(node, ir.Attribute) and isinstance(node.target, ir.Name) and node.name.isupper()
    )


def _field(node: ir.Expr, frame: Frame) -> str | None:
    """The name of a field that is read by it or on `this`; a local variable may be written by a function in the code around."""
    if isinstance(node, ir.Attribute) and isinstance(node.target, ir.This):
        return node.name
    if not isinstance(node, ir.Name):
        return None
    around: Frame | None = frame
    while around is not None and node.name not in around.variables and node.name not in around.declared:
        around = around.parent
    return node.name if around is None else None


def _is_python(one: Class) -> bool:
    return one.file.language == "python"


def _given(run: Interpreter, frame: Frame, declared: Class, name: str, deep: int) -> _Flags | None:
    """The flags that a method of a class gives, and does nothing else; None where it is another one."""
    found = run.scope.methods(declared, name, 0)
    body = found[0].decl.body if found else None
    if body is None or len(body) != 1 or not isinstance(body[0], ir.Return) or body[0].value is None:
        return None
    return _flags(run, body[0].value, frame, declared, deep + 1)


def is_steady(run: Interpreter, node: ir.While, frame: Frame) -> bool:
    """Whether a loop asks for nothing but flags that it does not change, such as `while (running)`: some other
    thread ends it, if anything does."""
    return _waits_for(run, node.test, node, frame)


def _waits_for(run: Interpreter, test: ir.Expr, node: ir.While, frame: Frame) -> bool:
    """Whether a test asks for nothing but flags that a loop does not change."""
    declared = frame.this.declared if isinstance(frame.this, Object) else frame.owner
    flags = _flags(run, test, frame, declared) if declared is not None else None
    if declared is None or flags is None:
        return False
    assigns, called = _assigned_and_called(node)
    body = (node.body, node.update)
    if flags.names & (assigns | written(run, declared, None, called)):
        return False
    if hands_on(body) or written(run, declared, None, called, lambda method: hands_on(method.decl.body)):
        return False  # who gets the object may call what writes it
    holders = {name for name, _ in flags.holders}
    return not holders or not holders & (
        mentioned_in(body, flags.holders)
        | written(run, declared, None, called, partial(mentioned, reads=flags.holders))
    )


@remembered
def _assigned_and_called(node: ir.While) -> tuple[Set[str], set[str]]:
    """What a loop assigns, or declares anew in each turn, and what it calls."""
    body = (node.body, node.update)
    declared = {one.name for one in nodes(node.body) if type(one) is ir.Let}
    return assigned_in(body) | written_in(body) | declared, Names(body).called


def may_leave(run: Interpreter, node: ir.While, frame: Frame) -> bool:
    found = run._left.get(id(node))
    if found is None:
        found = run._left[id(node)] = _leaves(node.body, lambda test: _waits_for(run, test, node, frame))
    return found

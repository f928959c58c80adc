"""What the forms share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.callbacks import lose_later
from subdrift.linter.resolve.execute.drawing import may_be_drawn
from subdrift.linter.resolve.execute.guards import Diagram, leaves
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Bound, Frame, Function, Guarded, Object, Unknown
from subdrift.linter.resolve.semantics.python import escaped
from subdrift.linter.resolve.semantics.python.escaped import ESCAPED_MAX

GIVEN = "python given"
"""With the symbol of what a function gave that nobody knows in the heap: the classes of the objects it got."""


def escape(run: Interpreter, values: Iterable[Guarded]) -> None:
    """What code that nobody sees gets hold of it may call or start: functions, methods and consumers inside collections,
    partial calls and objects too."""
    reason = Unknown(Why.DYNAMIC, phrase("call"))
    seen: set[int] = set()
    stack: list[Guarded] = list(values)
    while stack and len(seen) < ESCAPED_MAX:
        for _, leaf in leaves(stack.pop(), run.guard):
            if isinstance(leaf, tuple):
                stack += leaf
            if id(leaf) in seen or not isinstance(leaf, Object | Function | Bound):
                continue
            seen.add(id(leaf))
            if isinstance(leaf, Bound):
                lose_later(run, leaf, run.guard)
                stack.append(leaf.target)
            elif isinstance(leaf, Function):
                run.defer(leaf)
                stack.append(leaf.this)
            elif leaf.client is not None:
                leaf.client.escaped = True
            else:
                escaped.note(run, leaf)
                may_be_drawn(run, leaf, ESCAPED_MAX, lambda item: forget_contents(run, reason, (item,)))
                stack += [value for _, value in leaf.items or ()]
                stack += [entry.value for entry in leaf.entries or ()]
                if leaf.type != "module":
                    stack += [value for value in leaf.fields.values() if may_hold(value)]


def may_hold(value: Any) -> bool:
    return isinstance(value, Object | Function | Bound | tuple | Diagram)


def is_modelled(frame: Frame) -> bool:
    """Whether the code of a frame is a library's model: no reader looks at its places."""
    return frame.owner is not None and frame.owner.file.model


def method_frame(frame: Frame) -> Frame:
    """The frame of the method around a comprehension, lambda or nested function."""
    current: Frame | None = frame
    while current is not None:
        if current.this is not None:
            return current
        current = current.parent
    return frame


def inside(frame: Frame | None, name: str) -> bool:
    """Whether code runs inside a method of a name: its own use of the operation is the plain one."""
    current = frame
    for _ in range(4):
        if current is None:
            return False
        if current.method is not None and current.method.name == name:
            return True
        current = current.caller
    return False

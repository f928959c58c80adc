"""Events that code of a program tells its container, and who hears them."""

from __future__ import annotations

from functools import partial
from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import both
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import Guarded, Object, Text, Unknown
from subdrift.linter.resolve.semantics.jvm import beans, managed
from subdrift.linter.resolve.semantics.jvm.calls import Call

LISTENERS = "listeners"
"""In the heap of a run: the methods that hear events, each with the component it is called on."""


def publish(call: Call) -> Guarded:
    """`publishEvent(event)`: each listener is called whose parameter the event fits."""
    heard = sorted(call.run.heap[LISTENERS], key=lambda each: managed.order_of(each[1]))
    for one, method in heard:
        call.run.over(call.args[0], partial(_hear, call, one, method))
    return None


def _hear(call: Call, one: Class, method: Method, event: Any) -> Guarded:
    run = call.run
    if not _fits(call, method, event):
        return None
    before, raised = run.guard, run.raised
    run.guard = both(before, _condition(call, method))
    entered: set[int] = run.heap.setdefault(("entered", method), set())
    made = beans.instance(call.java, run, one)
    entered.add(made.number)
    run.invoke(method, made, Arguments([event] if method.arity else []), call.frame, call.place)
    run.guard, run.raised = before, raised
    return None


def _fits(call: Call, method: Method, event: Any) -> bool:
    ref = method.decl.params[0].type if method.decl.params else None
    if ref is None or method.arity != 1:
        return False
    scope = call.run.scope
    named = scope.named(ref.name, method.owner)
    if isinstance(event, Unknown):
        declared = event.type.declared if event.type is not None else None
        if declared is None or not isinstance(named, Class):
            return True
        return scope.is_a(declared, named) or scope.is_a(
            named, declared
        )  # it may be of a class below its own
    if isinstance(event, Object) and event.declared is not None:
        return isinstance(named, Class) and scope.is_a(event.declared, named)
    return isinstance(event, Text) and named in ("String", "java.lang.String")


def _condition(call: Call, method: Method) -> Guarded:
    """The guard under which a listener hears what fits it: what its annotation asks of the event is not calculated."""
    marks = method.annotation("EventListener", "TransactionalEventListener")
    if marks is None or all(each.name != "condition" for each in marks.args):
        return True
    asked = Unknown(Why.DYNAMIC, "condition", ("condition", method.symbol, call.run.unique()))
    return call.holds(Test("true", (asked,)))

"""Objects of the program that code got hold of which nobody sees: what it may have called on them."""

from __future__ import annotations

from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.given_up import lose_used
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.slice_names import Names
from subdrift.linter.resolve.execute.values import Object, Unknown

_ESCAPED = "python escaped"
"""In the heap: such objects, by their numbers."""

ESCAPED_MAX = 256
"""Values that are followed from what is handed to code that nobody sees, and objects that are remembered."""


def note(run: Interpreter, leaf: Object) -> None:
    """Code that nobody sees gets hold of an object."""
    known = run.heap.setdefault(_ESCAPED, {})
    if leaf.declared is not None and not leaf.declared.file.model and len(known) < ESCAPED_MAX:
        known.setdefault(leaf.number, leaf)


def lose(run: Interpreter, reason: Unknown, name: str = "") -> None:
    """A method of a name, or any, may be called on any of these objects: what it writes is not known."""
    for one in () if run.brief else list(run.heap.get(_ESCAPED, {}).values()):
        lose_used(run, one, _methods(run, one, name), reason)


def _methods(run: Interpreter, one: Object, name: str) -> list[Method]:
    """The methods of an object that a call of one by name runs, as far as it calls its own; "" : all."""
    info = run.heap.get(("python class", one.declared))
    order = [each for each in info.order if isinstance(each, Class)] if info is not None else []
    if not name:
        names = {each for above in order for each in above.methods if each != "<init>"}
        return [method for above in order for each in names for method in above.methods.get(each, ())]
    found: list[Method] = []
    stack, seen = [name], {name}
    while stack:
        asked = stack.pop()
        for method in [each for above in order for each in above.methods.get(asked, ())]:
            found.append(method)
            fresh = set(Names((method.decl.body or (),)).called) - seen
            seen |= fresh
            stack += fresh
    return found

"""Objects of the program that code got hold of which nobody sees: what it may have called on them."""

from __future__ import annotations

from functools import partial

from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.given_up import lose_used
from subdrift.linter.resolve.execute.guards import Diagram, apply, pick, some
from subdrift.linter.resolve.execute.havoc import unless_object
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.slice_names import Names
from subdrift.linter.resolve.execute.state import NEEDS_LEAVES_MAX
from subdrift.linter.resolve.execute.values import Guarded, Object, Unknown

_ESCAPED = "python escaped"
"""In the heap: such objects, by their numbers."""

ESCAPED_MAX = 256
"""Values that are followed from what is handed to code that nobody sees, and objects that are remembered."""


def note(run: Interpreter, leaf: Object) -> None:
    """Code that nobody sees gets hold of an object."""
    known = run.heap.setdefault(_ESCAPED, {})
    if leaf.declared is not None and not leaf.declared.file.model and len(known) < ESCAPED_MAX:
        known.setdefault(leaf.number, leaf)


def note_held(run: Interpreter, holder: Object) -> None:
    """Nobody knows any more which of the objects that a collection leads to something is that came of it."""
    seen: set[int] = set()
    stack: list[Guarded] = [holder]
    while stack and len(seen) < ESCAPED_MAX:
        for leaf in some(stack.pop(), NEEDS_LEAVES_MAX):
            if isinstance(leaf, tuple):
                stack += leaf
            elif isinstance(leaf, Object) and id(leaf) not in seen and leaf.type != "module":
                seen.add(id(leaf))
                note(run, leaf)
                stack += [value for _, value in leaf.items or ()]
                stack += [entry.value for entry in leaf.entries or ()]
                stack += [
                    value for value in leaf.fields.values() if isinstance(value, Object | tuple | Diagram)
                ]


def lose(run: Interpreter, reason: Unknown, name: str = "") -> None:
    """A method of a name, or any, may be called on any of these objects: what it writes is not known."""
    for one in () if run.brief else list(run.heap.get(_ESCAPED, {}).values()):
        lose_used(run, one, _methods(run, one, name), reason)


def lose_field(run: Interpreter, name: str, reason: Unknown) -> None:
    """A field of a name is written of what may be any of these objects."""
    for one in () if run.brief else list(run.heap.get(_ESCAPED, {}).values()):
        if name in one.fields:
            held = one.fields[name]
            one.fields[name] = pick(run.guard, apply(partial(unless_object, reason), held), held)


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

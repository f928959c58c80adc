"""`with`, and the exceptions it may swallow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute.exceptions import Suppressing
from subdrift.linter.resolve.execute.guards import UNSET, both, either, leaves, negate, some
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.reach import body_of
from subdrift.linter.resolve.execute.state import NEEDS_LEAVES_MAX
from subdrift.linter.resolve.execute.values import Frame, Function, Guarded, Object, TypeValue, Unknown
from subdrift.linter.resolve.semantics.python import classes, library, modelled
from subdrift.linter.resolve.semantics.python.functions import Suspended, awaited, resume, suspend
from subdrift.linter.resolve.semantics.python.standard import contexts

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


def enter(python: Python, run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> Guarded:
    place = run.place(frame, at)
    if isinstance(leaf, Object):
        if leaf.declared is not None:
            for name in ("__enter__", "__aenter__"):
                hook = classes.method_of(python, run, leaf, name, frame)
                if hook is not UNSET:
                    found = run.over(hook, lambda each: run.call(each, Arguments([]), frame, place))
                    return awaited(python, run, found, frame, place)
        if leaf.type == "contextlib.contextmanager":
            code = leaf.fields["code"]
            made = suspend(run, code, leaf.fields["arguments"], frame, leaf.at)
            run.heap["python suspended", leaf] = made
            return made.value
        if leaf.type == "contextlib.nullcontext":
            return leaf.fields["value"]
        if leaf.type == "contextlib.closing":
            return leaf.fields["value"]
    return leaf


def leave(python: Python, run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> None:
    python.exit(run, leaf, frame, run.place(frame, at))


def end(python: Python, run: Interpreter, leaf: Any, frame: Frame, at: Location | None) -> None:
    """The end of a `with`."""
    if not isinstance(leaf, Object):
        return
    if leaf.declared is not None:
        for name in ("__exit__", "__aexit__"):
            hook = classes.method_of(python, run, leaf, name, frame)
            if hook is not UNSET:
                given = Arguments([None, None, None])
                found = run.over(hook, lambda each: run.call(each, given, frame, at))  # noqa: B023
                awaited(python, run, found, frame, at)
                return
    made = run.heap.get(("python suspended", leaf))
    if isinstance(made, Suspended):
        resume(run, made)
    elif leaf.type == "contextlib.closing":
        run.over(
            leaf.fields["value"], lambda each: python.method(run, each, "close", Arguments([]), frame, at)
        )
    elif leaf.type == contexts.PUSHED:
        run.over(
            leaf.fields["function"],
            lambda each: python.call(run, each, Arguments([None, None, None]), frame, at),
        )
    elif leaf.type == "contextlib.ExitStack":
        unwind(python, run, leaf, UNSET, frame, at)


def unwind(
    python: Python, run: Interpreter, leaf: Object, thrown: Any, frame: Frame, at: Location | None
) -> bool:
    """The end of an `ExitStack`: what was entered last ends first. Whether what was thrown goes no further."""
    place = at.span if at is not None else None
    code_at = (1, 1, 1, 1) if place is None else (place.line, place.column, place.end_line, place.end_column)
    for guard, kind, value, arguments in reversed(leaf.fields.get("<stack>", ())):
        before = run.guard
        run.guard, rest = both(before, guard), both(before, negate(guard))
        if run.guard is not False and kind == "call":
            run.over(value, lambda each: python.call(run, each, arguments, frame, at))  # noqa: B023
        elif run.guard is not False and thrown is UNSET:
            run.over(value, lambda each: python.exit(run, each, frame, at))
        elif run.guard is not False and any(
            python.swallows(run, each, thrown, frame, code_at) for _, each in leaves(value, run.guard)
        ):
            if rest is not False:
                run.raised.append((rest, thrown))
            thrown, rest = UNSET, False
        run.guard = either(run.guard, rest)
    leaf.fields["<stack>"] = ()
    return thrown is UNSET


def perhaps_swallowed(run: Interpreter, value: Guarded, thrown: Any, frame: Frame, at: ir.At) -> bool:
    """Whether the program goes on behind a `with`, by what its end gave: both ways where nobody knows that."""
    before = run.guard
    taken = run.guard_of(value, frame, at)
    if taken is True or taken is False or before is False:
        return taken is True and before is not False
    run.raised.append((both(before, negate(taken)), thrown))
    run.guard = both(before, taken)
    return run.guard is not False


def kind_of(thrown: Any) -> Any:
    """The class of what was thrown."""
    if not isinstance(thrown, Object):
        return thrown
    return TypeValue(thrown.declared, thrown.declared.name if thrown.declared else thrown.type)


def swallows(python: Python, run: Interpreter, leaf: Any, thrown: Any, frame: Frame, at: ir.At) -> bool:
    if isinstance(leaf, Unknown):  # nobody knows whether it does
        asked = Unknown(leaf.why, phrase("exception"), ("swallows", leaf.symbol or run.unique(), at))
        return perhaps_swallowed(run, asked, thrown, frame, at)
    if not isinstance(leaf, Object):
        return False
    place = run.place(frame, at)
    if leaf.type == "contextlib.suppress":
        return _suppresses(run, leaf, thrown)
    if leaf.declared is not None:
        for name in ("__exit__", "__aexit__"):
            hook = classes.method_of(python, run, leaf, name, frame)
            if hook is not UNSET:
                given = Arguments([kind_of(thrown), thrown, None])
                found = run.over(hook, lambda each: run.call(each, given, frame, place))  # noqa: B023
                kept = awaited(python, run, found, frame, place)
                return perhaps_swallowed(run, kept, thrown, frame, at)
    made = run.heap.get(("python suspended", leaf))
    if isinstance(made, Suspended):
        return resume(run, made, thrown)
    if leaf.type == contexts.PUSHED:
        given = Arguments([kind_of(thrown), thrown, None])
        kept = run.over(leaf.fields["function"], lambda each: python.call(run, each, given, frame, place))
        return perhaps_swallowed(run, kept, thrown, frame, at)
    if leaf.type == "contextlib.ExitStack":
        return unwind(python, run, leaf, thrown, frame, place)
    python.exit(run, leaf, frame, place)
    return False


def _suppresses(run: Interpreter, leaf: Object, thrown: Any) -> bool:
    kinds = [kind for kind in leaf.fields["types"] if isinstance(kind, TypeValue)]
    return any(library.is_exception(run, thrown, kind, kind.name) is not False for kind in kinds)


def suppressing(python: Python, run: Interpreter, value: Guarded) -> list[Suppressing]:
    """What takes an exception in the body of a `with`: `suppress(…)`, or an object of a class whose end may do so."""
    held = [leaf for leaf in some(value, NEEDS_LEAVES_MAX) if isinstance(leaf, Object)]
    return [
        Suppressing(
            partial(_suppresses, run, leaf),
            [one for one in leaf.fields["types"] if isinstance(one, TypeValue)],
        )
        for leaf in held
        if leaf.type == "contextlib.suppress"
    ] + [Suppressing(lambda error: True, (), leads=True) for leaf in held if _may_swallow(run, leaf)]


def _may_swallow(run: Interpreter, leaf: Object) -> bool:
    """Whether the end of an object of the program may say that what was thrown is dealt with."""
    if leaf.declared is None or leaf.declared.file.model:
        return False
    ends = (classes.class_attribute(run, leaf.declared, name) for name in ("__exit__", "__aexit__"))
    bodies = (body_of(end) for end in ends if isinstance(end, Function))
    return any(
        type(node) is ir.Return
        and node.value is not None
        and not (type(node.value) is ir.Const and not node.value.value)
        for body in bodies
        for node in nodes(body)
    )


def catches(
    python: Python, run: Interpreter, leaf: Any, types: Sequence[ir.TypeRef], frame: Frame
) -> bool | None:
    if not types:
        return True
    found = [library.is_exception(run, leaf, python.type_of(run, ref, frame), ref.name) for ref in types]
    return True if True in found else None if None in found else False


def parted(
    python: Python, run: Interpreter, leaf: Any, types: Sequence[ir.TypeRef], frame: Frame
) -> tuple[Any, Any]:
    """`except*`: what it takes of what was thrown, and what it leaves."""
    kinds = tuple(python.type_of(run, ref, frame) for ref in types)
    told = modelled.member(python, run, "builtins", "parted")
    found = python.call(run, told, Arguments([leaf, kinds]), frame, None) if None not in kinds else UNSET
    return found if isinstance(found, tuple) else (Unknown(Why.DYNAMIC, phrase("exception")), None)

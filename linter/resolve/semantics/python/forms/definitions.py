"""Functions and classes are defined, and decorated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.declarations import Method
from subdrift.linter.resolve.execute.exceptions import swallowed
from subdrift.linter.resolve.execute.guards import UNSET, either, pick, some
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.unseen import RUN_AGAIN
from subdrift.linter.resolve.execute.values import Bound, Frame, Function, Guarded, Object, TypeValue, Unknown
from subdrift.linter.resolve.semantics.python import class_definitions, classes, library
from subdrift.linter.resolve.semantics.python.classes import info_of
from subdrift.linter.resolve.semantics.python.functions import CLASS_BODY, Code

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


def define(
    python: Python, run: Interpreter, what: ir.ClassDecl | ir.MethodDecl | ir.Import, frame: Frame
) -> None:
    if isinstance(what, ir.Import):
        python.import_(run, what, frame)
    elif isinstance(what, ir.MethodDecl):
        name = "__init__" if what.name == "<init>" else what.name
        python.assign_name(run, name, python.function(run, what, frame), frame, what.name_at)
    else:
        value = class_definitions.define(python, run, what, frame)
        python.assign_name(run, what.name, value, frame, what.name_at)


def function(python: Python, run: Interpreter, decl: ir.MethodDecl, frame: Frame) -> Guarded:
    """What a `def` binds: the function, decorated."""
    assert frame.owner is not None
    known = frame.owner.methods.get(decl.name, ())
    method = next((each for each in known if each.decl is decl), None)
    if method is None:
        method = run.heap.get(("python method", id(decl)))
    if method is None:
        method = Method(frame.owner, decl)
        run.heap["python method", id(decl)] = method
    defaults = {
        param.name: run.value(param.default, frame) for param in decl.params if param.default is not None
    }
    code = Code(python, decl, frame, frame.owner, method, defaults)
    made = Function(decl.params, decl.body or (), None, decl.name, None, method, code, defaults=defaults)
    found = python.decorated(run, made, decl.annotations, frame)
    of_class = CLASS_BODY in frame.shared and decl.name in ("__init_subclass__", "__class_getitem__")
    if not of_class or not isinstance(found, Function):
        return found
    held = run.make(None, "builtins.classmethod", run.place(frame, decl.name_at))
    held.fields["function"] = found
    return held


def decorated(
    python: Python, run: Interpreter, value: Guarded, annotations: Sequence[ir.Annotation], frame: Frame
) -> Guarded:
    """A function or class behind its decorators; one that nobody can see into is taken to give back what it gets,
    and may call it later."""
    for annotation in reversed(annotations):
        if annotation.value is None or run.guard is False:
            continue
        decorator = run.value(annotation.value, frame)
        before = value
        place = run.place(frame, annotation.at)
        value = run.over(
            decorator,
            lambda leaf: (
                inside_of(python, run, leaf, before, frame)  # noqa: B023
                if isinstance(leaf, Object) and _decorates(run, leaf)
                else python.call(run, leaf, Arguments([before]), frame, place)  # noqa: B023
            ),
        )
        unknown = next((leaf for leaf in some(value, 8) if isinstance(leaf, Unknown)), None)
        if unknown is not None and (
            _is_python_s_own(maker_of(python, run, annotation.value, decorator, frame))
            or classes.is_unseen(decorator)
            or classes.is_unseen(unknown)
            or _is_of_own_name(annotation.value, before, frame)
        ):
            run.defer(before)
            value = replace(unknown, symbol=(classes.UNSEEN, run.unique()))
            run.heap[classes.UNSEEN, value.symbol] = before
            behind = run.heap.get((RUN_AGAIN, unknown.symbol), ())
            named = frame.variables.get(annotation.name.partition(".")[0])
            run.heap[RUN_AGAIN, value.symbol] = [
                *behind,
                *(one for one in (before, named) if type(one) is Function),
            ]
            info = (
                info_of(run, before.declared) if isinstance(before, TypeValue) and before.declared else None
            )
            if info is not None:
                info.unseen, value = unknown, before
            continue
        if isinstance(value, Unknown) or value is None or value is UNSET:
            fixture = annotation.name.startswith("pytest.") or annotation.name.endswith("fixture")
            if isinstance(value, Unknown) and isinstance(before, Function) and not fixture:
                run.defer(before)
            value = before
    return value


def _is_of_own_name(node: ir.Expr, value: Guarded, frame: Frame) -> bool:
    """Whether a method stands behind a part of what has its name already (`@name.setter`), as what that is does more than
    the function it was made of."""
    return (
        CLASS_BODY in frame.shared
        and type(value) is Function
        and type(node) is ir.Attribute
        and type(node.target) is ir.Name
        and node.target.name == value.name
    )


def maker_of(python: Python, run: Interpreter, node: ir.Expr, decorator: Guarded, frame: Frame) -> Guarded:
    """What gives a decorator: itself, or what was called for it (`@dataclass(frozen=True)`)."""
    if isinstance(decorator, Unknown) and isinstance(node, ir.Attribute):  # `@name.setter`
        of = run.value(node.target, frame)
        return Bound(of, node.name, frame) if isinstance(of, Object) else decorator
    if not isinstance(node, ir.Call) or not any(type(leaf) is Unknown for leaf in some(decorator, 8)):
        return decorator
    if node.target is None:
        return python.name(run, ir.Name(node.name, node.name_at), frame)
    return run.value(ir.Attribute(node.target, node.name, node.at), frame)


def inside_of(python: Python, run: Interpreter, manager: Object, value: Guarded, frame: Frame) -> Guarded:
    """A function behind a context manager: each call runs inside it."""
    return Function((), (), None, getattr(value, "name", ""), native=Inside(python, manager, value, frame))


class Inside(Struct, eq=False):
    """The native part of a function behind a context manager, which is a method where it stands in a class."""

    python: Python
    manager: Object
    value: Guarded
    frame: Frame
    is_method: bool = True

    def __call__(
        self, run: Interpreter, given: Arguments, caller: Frame | None, place: Location | None
    ) -> Guarded:
        assert self.frame.owner is not None
        python, made, at = self.python, self.manager, self.frame.owner.decl.name_at
        if made.type == "contextlib.contextmanager":
            made = run.make(None, made.type, place, fields=dict(made.fields))
        python.enter(run, made, self.frame, at)
        mark = len(run.raised)
        found = run.over(self.value, lambda each: run.call(each, given, caller, place))
        thrown = run.raised[mark:]
        if run.guard is not False:
            python.exit(run, made, self.frame, place)
        ended = run.guard
        kept = swallowed(run, made, mark, self.frame, at) if thrown else False
        run.guard = either(ended, kept)
        return found if kept is False else pick(kept, None, found)


def _is_python_s_own(value: Guarded) -> bool:
    """Whether a decorator is one of Python's own, or a method of what one made: what it makes of a function is not that
    function."""
    if isinstance(value, Bound) and isinstance(value.target, Object) and value.target.declared is None:
        return value.target.type.split(".")[0] in library.STANDARD | {"builtins"}
    return (
        isinstance(value, TypeValue)
        and value.declared is None
        and value.name.split(".")[0] in library.STANDARD | {"builtins"}
    )


def _decorates(run: Interpreter, leaf: Object) -> bool:
    """Whether a context manager can stand in front of a function."""
    if leaf.declared is None:
        return leaf.type == "contextlib.contextmanager"
    info = info_of(run, leaf.declared)
    return info is not None and "contextlib.ContextDecorator" in info.library

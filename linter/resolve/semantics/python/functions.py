"""Python functions: what a `def` makes, how arguments reach parameters, generators, and context managers made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute import handed
from subdrift.linter.resolve.execute.calls import FREE_STEPS
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.drawing import Coming, coming
from subdrift.linter.resolve.execute.exceptions import may_refuse
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    both,
    either,
    is_partial,
    is_written,
    leaves,
    or_else,
)
from subdrift.linter.resolve.execute.handed import escape
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.loops import SOME
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.state import DEPTH_MAX, RECURSION_MAX, UNSURE_RECURSION_MAX
from subdrift.linter.resolve.execute.values import Entry, Frame, Function, Guarded, Object, Unknown, text
from subdrift.linter.resolve.semantics.python import escaped, event_loop, modelled
from subdrift.linter.resolve.semantics.python.concrete import sequence
from subdrift.linter.resolve.semantics.python.lazies import BEGUN, RESULT
from subdrift.linter.resolve.semantics.python.steps import came_to, steps

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python

CLASS_BODY = "<class body>"
"""In `Frame.shared`: the names of the frame are seen by its own statements only."""


GENERATOR: Final = "<asynchronous>"
"""The field of a generator of a function of the program: whether that is `async`."""


class Code(Struct, eq=False):
    """The native part of a Python function: calls bind arguments as Python does and run the body.

    `frame` is where it was defined, `owner` the class whose body it stands in (of the module for functions), `defaults` are
    evaluated when it is defined, `this` is the receiver of a bound method.
    """

    python: Python
    decl: ir.MethodDecl
    frame: Frame
    owner: Class
    method: Method
    defaults: dict[str, Guarded] = field(default_factory=dict)
    this: Guarded = UNSET

    def __call__(
        self, run: Interpreter, arguments: Arguments, caller: Frame | None, at: Location | None
    ) -> Guarded:
        if not self.decl.asynchronous or self.decl.generator:
            return self.begin(run, arguments, caller, at)
        made = Function((), (), None, self.decl.name, native=Coroutine(self, arguments, caller, at))
        run.heap.setdefault(COROUTINES, []).append((run.guard, made))
        return made

    def begin(
        self, run: Interpreter, arguments: Arguments, caller: Frame | None, at: Location | None
    ) -> Guarded:
        """Runs the body."""
        body = self.decl.body
        if body is None:
            return Unknown(Why.DYNAMIC, f"{self.decl.name}()")
        is_model = self.owner.file.model
        active = run.active(self.method)
        bound = RECURSION_MAX if run.guard is True or is_model else UNSURE_RECURSION_MAX
        if run.depth >= DEPTH_MAX or active > bound:
            return run.endless(self.decl.name, self.decl.params, at)
        if not is_model:
            if not self.decl.generator:
                run.enters(self.method)
            return self._run(run, body, arguments, caller, at)
        before = run.steps
        try:
            return self._run(run, body, arguments, caller, at)
        finally:
            run.steps = max(before, run.steps - FREE_STEPS)

    def _run(
        self,
        run: Interpreter,
        body: Sequence[ir.Stmt],
        arguments: Arguments,
        caller: Frame | None,
        at: Location | None,
    ) -> Guarded:
        frame = self.activation(run, arguments, caller, at)
        if not (self.decl.generator or self.decl.asynchronous):
            return run.activate(self.method, frame, body)
        made = sequence(run, "generator", (), at)
        made.fields[GENERATOR] = self.decl.asynchronous
        coming(run, made, self._giving(run, body, frame, made))
        if caller is None and self.decl.generator:  # nobody sees the code that takes it
            handed.escape(run, made, Unknown(Why.DYNAMIC, f"{self.decl.name}()"))
        return made

    def _giving(self, run: Interpreter, body: Sequence[ir.Stmt], frame: Frame, made: Object) -> Coming:
        """Runs the body as far as somebody wants another element, or up to where it waits."""
        if self.decl.generator:
            frame.yielded = []
        made.fields[BEGUN] = run.guard
        run.enters(self.method)
        yield from steps(run, body, frame, made)
        made.fields[RESULT] = run.given_by(self.method, frame)
        return either(run.guard, frame.returned)

    def activation(
        self, run: Interpreter, arguments: Arguments, caller: Frame | None, at: Location | None
    ) -> Frame:
        """A frame with its parameters bound."""
        frame = run.frame(
            self.owner,
            None if self.this is UNSET else self.this,
            method=self.method,
            parent=enclosing(self.frame),
            caller=caller,
            called_at=at,
        )
        if self.this is not UNSET:
            arguments = Arguments([self.this, *arguments.values], arguments.names, arguments.open)
        elif CLASS_BODY in self.frame.shared and arguments.values:
            frame.this = arguments.values[0]  # called on the class: `super()` is that of the first argument
        bind(self.python, run, self.decl.params, arguments, self.defaults, frame)
        return frame

    def bound(self, run: Interpreter, function: Function, this: Guarded) -> Function:
        """The function as a method of a receiver."""
        code = Code(self.python, self.decl, self.frame, self.owner, self.method, self.defaults, this)
        return Function(
            self.decl.params,
            self.decl.body or (),
            None,
            self.decl.name,
            this,
            self.method,
            code,
            defaults=self.defaults,
        )


COROUTINES = "python coroutines"
"""Where a run keeps its coroutines: what nobody awaits runs at the end."""


class Coroutine(Struct, eq=False):
    """The native part of what a call of an `async` function makes: it runs once, where it is awaited. `begins`: who gets
    it sees to it that it does."""

    code: Code
    arguments: Arguments
    caller: Frame | None
    at: Location | None
    started: Guarded = UNSET
    begins: bool = True

    @property
    def decl(self) -> ir.MethodDecl:
        """The function."""
        return self.code.decl

    @property
    def frame(self) -> Frame:
        """Where the function was defined."""
        return self.code.frame

    def __call__(
        self, run: Interpreter, arguments: Arguments, caller: Frame | None, at: Location | None
    ) -> Guarded:
        source = self.start(run)
        if not isinstance(source, Object) or source.type != "generator":
            return source
        return event_loop.finish(self.code.python, run, source, caller or self.code.frame, at)

    def start(self, run: Interpreter) -> Guarded:
        """What runs its body step by step; something else where that is not run."""
        if self.started is UNSET:
            self.started = self.code.begin(run, self.arguments, self.caller, self.at)
        return self.started


def waiting(python: Python, run: Interpreter, leaf: Any, frame: Frame, at: Location | None) -> Guarded:
    """What gives what `await leaf` waits for, one after the other; the value itself where it waits for nothing."""
    if isinstance(leaf, Function) and isinstance(leaf.native, Coroutine):
        leaf.ran = True
        return leaf.native.start(run)
    if isinstance(leaf, Object) and leaf.declared is not None:
        found = python.find(run, leaf, "__await__", frame)
        if found is not UNSET:
            inner = python.method(run, leaf, "__await__", Arguments([]), frame, at)
            return python.waiting(run, inner, frame, at)
    return leaf


def awaited(python: Python, run: Interpreter, value: Guarded, frame: Frame, at: Location | None) -> Guarded:
    """`await value`, up to its end."""

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Function) and isinstance(leaf.native, Coroutine) and not event_loop.of(run).tasks:
            task = modelled.member(python, run, "asyncio", "Task")
            leaf = python.call(run, task, Arguments([leaf]), frame, at) if task is not UNSET else leaf
        source = python.waiting(run, leaf, frame, at)
        if isinstance(source, Object) and source.type == "generator" and source is not leaf:
            return event_loop.finish(python, run, source, frame, at)
        return source

    return run.over(value, one)


def module_frame(frame: Frame) -> Frame:
    """The frame of the module a frame's code stands in."""
    current = frame
    while current.parent is not None:
        current = current.parent
    return current


MODULES = "python modules"
"""Where a run keeps the frames of the modules it has loaded, by the places of their files."""


def own_modules(run: Interpreter) -> list[Frame]:
    """The frames of the program's own modules that are loaded."""
    loaded: dict[Origin, Frame] = run.heap.get(MODULES, {})
    return [frame for frame in loaded.values() if frame.owner is not None and not frame.owner.file.model]


def enclosing(frame: Frame) -> Frame | None:
    """The frame whose variables the code in a frame sees: not those of a class body."""
    current: Frame | None = frame
    while current is not None and CLASS_BODY in current.shared:
        current = current.parent
    return current


def bind(
    python: Python,
    run: Interpreter,
    params: Sequence[ir.Param],
    arguments: Arguments,
    defaults: dict[str, Guarded],
    frame: Frame,
    *,
    strict: bool = True,
) -> None:
    """Parameters get their arguments: by position, by name, by default; what is missing is unknown. `strict`: others than
    these are refused."""
    values = list(arguments.values)
    names = dict(arguments.names)
    open_ = arguments.open
    for param in params:
        if param.kind == "...":
            value: Guarded = tuple(values)
            if open_ is not None:
                made = run.make(None, "list", None)
                made.items = [(True, each) for each in values]
                made.open = open_
                value = made
            values = []
        elif param.kind == "**":
            rest = run.make(None, "dict", None)
            rest.entries = [Entry(is_written(each), text(name), each) for name, each in names.items()]
            rest.open = open_
            value, names = rest, {}
        elif values and param.kind != "*":
            value = values.pop(0)
        elif param.name in names and param.kind != "/":
            value = names.pop(param.name)
            if is_partial(value):
                value = or_else(value, defaults.get(param.name, Unknown(Why.DYNAMIC, param.name)))
        elif open_ is not None:
            symbol = None if open_.symbol is None else (param.name, open_.symbol)
            value = Unknown(open_.why, open_.detail or phrase("argument", param.name), symbol)
        elif param.name in defaults:
            value = defaults[param.name]
        else:
            value = Unknown(Why.DYNAMIC, phrase("argument", param.name))
            may_refuse(run, "builtins.TypeError", value, frame.called_at, surely=strict)
        frame.variables[param.name] = python.typed(run, value, param.type, frame)
    if values or names:
        surely = strict and (bool(values) or any(is_written(each) is True for each in names.values()))
        reason = Unknown(Why.DYNAMIC, phrase("argument", ""))
        may_refuse(run, "builtins.TypeError", reason, frame.called_at, surely=surely)


def yields(run: Interpreter, node: ir.YieldPoint, frame: Frame, python: Python) -> Guarded:
    """`yield value`: the value joins what the generator gives, where it has not been given yet."""
    found = came_to(frame, node)
    if found is not UNSET:
        if frame.caller is None:  # what has gone on in between, nobody knows
            escaped.lose(run, Unknown(Why.DYNAMIC, f"{frame.method.name if frame.method else ''}()"))
        return found
    target: Frame | None = frame
    while target is not None and target.yielded is None:
        target = target.parent
    value = None if node.value is None else run.value(node.value, frame)
    if target is None or target.yielded is None or run.guard is False:
        return None
    if node.all:
        for guard, leaf in leaves(value, run.guard):
            if isinstance(leaf, Object) and leaf.open is not None:
                target.variables[SOME] = leaf.open
            target.yielded += [
                (both(guard, inner), item) for inner, item in run.elements(leaf, frame, node.at)
            ]
        if isinstance(value, Object):
            return value.fields.get(RESULT)
    else:
        target.yielded.append((run.guard, value))
    if target.caller is None:  # nobody sees the code that takes it, which may run it before it wants the next
        reason = Unknown(Why.DYNAMIC, f"{target.method.name if target.method else ''}()")
        escape(run, value, reason)
        forget_contents(run, reason, (value,))
        escaped.lose(run, reason)
    return Unknown(Why.UNSUPPORTED, "send()")


# -- generators as context managers: what stands before the `yield` runs on entry, what stands behind it on exit


class Suspended(Struct, eq=False):
    """A generator function that stopped at its first `yield`: the blocks around it, from outside, with the place in each."""

    code: Code
    frame: Frame
    path: list[tuple[tuple[ir.Stmt, ...], int]]
    value: Guarded = None


def suspend(
    run: Interpreter, code: Code, arguments: Arguments, caller: Frame | None, at: Location | None
) -> Suspended:
    """Runs a generator function to its first `yield`."""
    frame = code.activation(run, arguments, caller, at)
    run.enters(code.method)
    path = _path(code.decl.body or ())
    made = Suspended(code, frame, path)
    for index, (block, place) in enumerate(path):
        run.run(block[:place], frame)
        if run.guard is False:
            break
        here = block[place]
        if isinstance(here, ir.With):
            _enter(run, here, frame, code)
        if index == len(path) - 1:
            point = _yield_of(here)
            if point is not None and point.value is not None:
                made.value = run.value(point.value, frame)
    if not path:
        run.run(code.decl.body or (), frame)
    return made


def resume(run: Interpreter, made: Suspended, thrown: Any = UNSET) -> bool:
    """Runs the rest of a suspended generator function, with what was thrown at its `yield`; whether it took that."""
    frame = made.frame
    for block, place in reversed(made.path):
        if run.guard is False:
            break
        here = block[place]
        if isinstance(here, ir.Try):
            if thrown is UNSET:
                run.run(here.otherwise, frame)
            elif run.handle(here.catches, thrown, frame):
                thrown = UNSET
            run.run(here.final, frame)
        elif isinstance(here, ir.With):
            for resource in reversed(here.resources):
                value = frame.variables.get(_key(resource), None)
                run.over(value, lambda leaf: made.code.python.leave(run, leaf, frame, here.at))  # noqa: B023
        if thrown is UNSET:
            run.run(block[place + 1 :], frame)
    run.guard = either(run.guard, frame.returned)
    return thrown is UNSET


def _enter(run: Interpreter, node: ir.With, frame: Frame, code: Code) -> None:
    for resource in node.resources:
        value = run.value(resource.value, frame)
        frame.variables[_key(resource)] = value
        entered = run.over(value, lambda leaf: code.python.enter(run, leaf, frame, node.at))
        if resource.target is not None:
            run.assign(resource.target, entered, frame, node.at)


def _key(resource: ir.Resource) -> str:
    return f"<with {resource.value.at}>"


def _path(block: tuple[ir.Stmt, ...]) -> list[tuple[tuple[ir.Stmt, ...], int]]:
    """Where the first `yield` statement of a body stands, block by block from outside."""
    for place, statement in enumerate(block):
        if _yield_of(statement) is not None:
            return [(block, place)]
        if isinstance(statement, ir.Try | ir.With | ir.Block):
            inner = _path(statement.body)
            if inner:
                return [(block, place), *inner]
    return []


def stops_once(decl: ir.MethodDecl) -> bool:
    """Whether a generator function has one `yield`, in no branch and no loop."""
    body = decl.body or ()
    every = nodes(body, enters=lambda node: not isinstance(node, ir.Lambda | ir.ClassDecl | ir.MethodDecl))
    return bool(_path(body)) and sum(type(node) is ir.YieldPoint for node in every) == 1


def _yield_of(statement: ir.Stmt) -> ir.YieldPoint | None:
    if isinstance(statement, ir.Do):
        value: Any = statement.value
        if isinstance(value, ir.Assign):
            value = value.value
        if isinstance(value, ir.YieldPoint):
            return value
    return None

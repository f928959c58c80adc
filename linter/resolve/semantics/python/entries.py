"""Where execution begins in the Python files of a deployable.

A file matters if it imports a client library, or imports, however indirectly, one that matters. Of those every file that
no other imports is a program, as is one that asks whether it is; each program is run by itself. Functions and classes that
make or subscribe consumers and that no program reached are entered afterwards, their arguments unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from linter.clients.python import is_client_module, maker
from linter.model import ir
from linter.model.expr import Why
from linter.model.location import Origin
from linter.resolve.execute.guards import UNSET
from linter.resolve.execute.interpreter import Arguments, Interpreter
from linter.resolve.execute.program import File, Method, Scope
from linter.resolve.execute.values import Frame, Function, Guarded, Object, TypeValue, Unknown
from linter.resolve.semantics.python.classes import class_attribute, info_of
from linter.resolve.semantics.python.functions import Code
from linter.resolve.semantics.python.language import Python
from linter.resolve.semantics.python.names import ModuleIndex

ROOTS_MAX = 128
"""Functions and classes entered by themselves because no program reached them, in one deployable."""

DEFERRED_MAX = 256
"""Callbacks handed to libraries and threads that are run for one entry."""

_MAKERS = frozenset(
    name
    for name in (
        "PushConsumer", "PullConsumer", "SimpleConsumer", "LitePushConsumer", "DefaultMQPushConsumer", "get_consumer",
        "CreatePushConsumer", "ConcurrentConsumer", "OrderlyConsumer", "AsyncConcurrentConsumer", "AsyncOrderlyConsumer",
        "create_consumer", "create_concurrent_consumer", "create_orderly_consumer", "create_async_consumer",
        "create_async_concurrent_consumer", "create_async_orderly_consumer",
    )
    if name.startswith(("get", "Create")) or any(
        maker(f"{module}.{name}") for module in ("rocketmq.client", "rocketmq", "pyrocketmq", "x.rocketmq")
    )
)  # fmt: skip
_OPERATIONS = frozenset({"subscribe", "Subscribe"})


class Execution(Protocol):
    """What runs a deployable (`execute.entries`)."""

    scope: Scope
    scripts: list[File]

    def semantics(self, language: str, /) -> Any: ...
    def start(self, name: str, entry: Any, *, unreached: bool = False) -> Interpreter: ...


def execute_scripts(execution: Any) -> None:
    """Runs the Python files of a deployable."""
    _Scripts(execution).run()


class _Scripts:
    def __init__(self, execution: Any) -> None:
        self.execution = execution
        python = execution.semantics("python")
        assert isinstance(python, Python)
        self.python = python
        self.files: dict[Origin, File] = {file.origin: file for file in execution.scripts}
        self.index = ModuleIndex(self.files)
        self.ran: set[tuple[Origin, ir.At]] = set()

    def run(self) -> None:
        imported = {origin: set(self._imported(file)) for origin, file in self.files.items()}
        matters = {origin for origin, file in self.files.items() if _touches(file)}
        while more := {o for o, others in imported.items() if o not in matters and others & matters}:
            matters |= more
        inner = {other for origin in matters for other in imported[origin] if other != origin}
        for origin in sorted(matters):
            file = self.files[origin]
            if origin not in inner or "__name__" in file.unit.names:
                self._start(origin.path, lambda run, file=file: self.python.module(run, file))
        for origin in sorted(matters):
            for method, owner in _hot(self.files[origin]):
                if len(self.ran) < ROOTS_MAX and (origin, method.name_at) not in self.ran:
                    self.ran.add((origin, method.name_at))
                    self._start(
                        f"{origin.path}#{method.name}",
                        lambda run, origin=origin, method=method, owner=owner: self._enter(run, origin, method, owner),
                    )

    def _imported(self, file: File) -> Iterator[Origin]:
        """The files of the deployable that a file imports."""
        for one in file.unit.imports:
            for path in (one.path, f"{one.path}.{one.member}" if one.path else one.member):
                if one.level:
                    found: object = self.index.relative(file.origin, one.level, path)
                else:
                    found = self.index.absolute(file.origin, path)
                if isinstance(found, Origin):
                    yield found

    def _start(self, name: str, entry: Any) -> None:
        def whole(run: Interpreter) -> None:
            entry(run)
            run.guard, run.raised = True, []
            self._drain(run)

        run = self.execution.start(name, whole)
        self.ran |= {(method.owner.origin, method.decl.name_at) for method in run.ran if isinstance(method, Method)}

    def _drain(self, run: Interpreter) -> None:
        """Runs what was handed to threads and libraries."""
        for _ in range(DEFERRED_MAX):
            if not run.later:
                return
            guard, value, arguments = run.later.pop(0)
            if isinstance(value, Function) and not value.ran:
                code = value.native
                run.guard, run.raised = guard, []
                frame = code.frame if isinstance(code, Code) else value.frame
                run.call(value, arguments, frame, None)
        run.note(f"more than {DEFERRED_MAX} callbacks", None)
        run.later.clear()

    def _enter(self, run: Interpreter, origin: Origin, method: ir.MethodDecl, owner: ir.ClassDecl | None) -> None:
        """Loads a module as others import it, and calls a function or method in it with unknown arguments."""
        file = self.files[origin]
        name = ".".join(part for part in origin.path.removesuffix(".py").split("/") if part != "__init__")
        frame = self.python.module(run, file, name)
        run.guard, run.raised = True, []
        if owner is None:
            self._call(run, frame.variables.get(method.name, UNSET), frame)
            return
        kind = frame.variables.get(owner.name, UNSET)
        if not isinstance(kind, TypeValue) or kind.declared is None:
            return
        made = self._instance(run, kind, frame)
        if isinstance(made, Object) and method.name != "<init>" and not self._has_run(run, method):
            run.guard, run.raised = True, []
            at = owner.name_at
            bound = self.python.attribute(run, made, method.name, frame, at)
            self._call(run, bound, frame)

    def _has_run(self, run: Interpreter, method: ir.MethodDecl) -> bool:
        return any(each.decl is method for each in run.ran)

    def _instance(self, run: Interpreter, kind: TypeValue, frame: Frame) -> Guarded:
        assert kind.declared is not None
        hook = class_attribute(run, kind.declared, "__init__")
        params = hook.params[1:] if isinstance(hook, Function) else ()
        if info_of(run, kind.declared) is None:
            return UNSET
        at = kind.declared.at(kind.declared.decl.name_at)
        return self.python.instantiate(run, kind.declared, _unknown(params, kind.name), frame, at)

    def _call(self, run: Interpreter, value: Guarded, frame: Frame) -> None:
        def one(leaf: Any) -> Guarded:
            if isinstance(leaf, Function):
                params = leaf.params
                if isinstance(leaf.native, Code) and leaf.native.this is not UNSET:
                    params = params[1:]
                return run.call(leaf, _unknown(params, leaf.name), frame, None)
            return UNSET

        if value is not UNSET:
            run.over(value, one)


def _unknown(params: tuple[ir.Param, ...], owner: str) -> Arguments:
    """Arguments that nobody in sight gives; those with a default keep it."""
    names = {
        param.name: Unknown(Why.DYNAMIC, f"argument {param.name}", ("parameter", owner, param.name))
        for param in params
        if param.default is None and param.kind in ("", "*")
    }
    return Arguments([], names)


def _touches(file: File) -> bool:
    """Whether a file imports a client library."""
    return any(is_client_module(one.path) or "rocketmq" in one.path.lower() for one in file.unit.imports)


def _hot(file: File) -> list[tuple[ir.MethodDecl, ir.ClassDecl | None]]:
    """The functions and methods of a module that make or subscribe consumers, or call what does, outermost first."""
    (module,) = file.unit.types
    body = module.methods[0].body or ()
    found: list[tuple[ir.MethodDecl, ir.ClassDecl | None]] = []
    for statement in body:
        if isinstance(statement, ir.Define) and isinstance(statement.what, ir.MethodDecl):
            found.append((statement.what, None))
        elif isinstance(statement, ir.Define) and isinstance(statement.what, ir.ClassDecl):
            found += [(method, statement.what) for method in statement.what.methods]
    called = {id(method): _called(method.body) for method, _ in found}
    hot: dict[int, None] = {}
    names = set(_MAKERS | _OPERATIONS)
    while more := [pair for pair in found if id(pair[0]) not in hot and called[id(pair[0])] & names]:
        for method, owner in more:
            hot[id(method)] = None
            names.add(owner.name if method.name == "<init>" and owner is not None else method.name)
    chosen = [pair for pair in found if id(pair[0]) in hot]

    def inner(pair: tuple[ir.MethodDecl, ir.ClassDecl | None]) -> int:
        """How many of the others call it: what nobody calls comes first."""
        method, owner = pair
        name = owner.name if method.name == "<init>" and owner is not None else method.name
        return sum(name in called[id(other)] for other, _ in chosen if other is not method)

    return sorted(chosen, key=lambda pair: (min(inner(pair), 1), pair[0].at))


def _called(part: Any) -> set[str]:
    """The names that code calls."""
    found: set[str] = set()
    stack = [part]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif isinstance(node, ir.Record):
            if isinstance(node, ir.Call):
                found.add(node.name)
            elif isinstance(node, ir.Name):
                found.add(node.name)
            stack.extend(getattr(node, name) for name in node.__struct_fields__)
    return found

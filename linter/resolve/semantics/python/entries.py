"""Where execution begins in the Python files of a deployable.

A file matters if it imports a client library, or imports, however indirectly, one that matters. Of those every file that
no other imports is a program, as is one that asks whether it is; each program is run by itself. Functions and classes that
make or subscribe consumers and that no program reached are entered afterwards, their arguments unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from subdrift.linter.clients.python import is_client_module, maker
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import scope_of
from subdrift.linter.model.walk import nodes
from subdrift.linter.resolve.execute.budgets import PROGRAM, STEPS_MAX, Budget
from subdrift.linter.resolve.execute.clients import frames_of
from subdrift.linter.resolve.execute.declarations import File, Method
from subdrift.linter.resolve.execute.drawing import items_of
from subdrift.linter.resolve.execute.entries.bounds import SCOUTS_STEPS_MAX
from subdrift.linter.resolve.execute.exceptions import LEADING
from subdrift.linter.resolve.execute.given_up import lose_used
from subdrift.linter.resolve.execute.guards import UNSET, Overgrown, some
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Exhausted, Overdrawn
from subdrift.linter.resolve.execute.reach import Reach
from subdrift.linter.resolve.execute.state import NEEDS_LEAVES_MAX
from subdrift.linter.resolve.execute.values import Frame, Function, Guarded, Object, TypeValue, Unknown
from subdrift.linter.resolve.semantics.python import event_loop
from subdrift.linter.resolve.semantics.python.classes import ClassInfo, class_attribute, info_of
from subdrift.linter.resolve.semantics.python.constructors import filling
from subdrift.linter.resolve.semantics.python.forms.importing import ALONE
from subdrift.linter.resolve.semantics.python.functions import COROUTINES, Code, awaited
from subdrift.linter.resolve.semantics.python.language import Python
from subdrift.linter.resolve.semantics.python.names import ModuleIndex

ROOTS_MAX = 128
"""Functions and classes entered by themselves because no program reached them, in one deployable."""

DEFERRED_MAX = 256
"""Callbacks handed to libraries and threads that are run for one entry."""

INSTANCE_STEPS_MAX = 4_000
"""Statements and calls run to make an object that nobody in sight makes; beyond it nothing is known of its fields."""

SCRIPTS_STEPS_MIN = 24_000
"""Statements and calls run for all entries of a deployable together: hundreds of scripts that each import one large library
would run it hundreds of times ..."""

SCRIPTS_STEPS_A_MAKER = 10_000
"""... more for each function and module that makes a consumer ..."""

SCRIPTS_STEPS_MAX = 150_000
"""... and at most. What is left then and makes a consumer gets `LATE_STEPS_MAX` each, as do programs that lead to one by their
names until twice as much is used up. The others are not run, and counted."""

LATE_STEPS_MAX = 1_000
LATE = Budget(LATE_STEPS_MAX, LATE_STEPS_MAX)
SCOUT = Budget(STEPS_MAX, SCOUTS_STEPS_MAX)
"""What an entry may cost in a round that only learns which files to read."""

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

_Group = tuple[Origin, ir.ClassDecl | None, list[ir.MethodDecl]]
"""Functions of one file that lead to a consumer: one by itself, or the methods of a class."""


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
        self.roots = 0
        self.steps = self.limit = 0  # of all runs so far, and what they may take before the rest gets less
        self.cut = False  # whether a run ended before its end
        self.endless: set[str] = set()  # the modules that no run loads to their end
        sends = execution.scope.program.marks.python
        self.makers = sends or _MAKERS
        models = execution.scope.models
        lent = [
            file for file in (models.own if models else ()) if file.language == "python" and _touches(file)
        ]
        leading = {
            one.name if owner is None else owner.name for file in lent for one, owner in _functions(file)
        }
        modules = {_module_of(file) for file in lent}
        self.names = (sends or _MAKERS | _OPERATIONS) | leading
        self.touching = {origin for origin, file in self.files.items() if _touches(file, modules)}
        self.parts: dict[Origin, list[tuple[ir.At, frozenset[str]]]] = {}
        self.leading: Set[str] = (
            frozenset()
        )  # the names of functions that lead to a consumer, and of what makes one

    def run(self) -> None:
        imported = {origin: set(self._imported(file)) for origin, file in self.files.items()}
        matters = set(self.touching)
        while more := {o for o, others in imported.items() if o not in matters and others & matters}:
            matters |= more
        for origin in matters:
            parts = [part for part in origin.path.removesuffix(".py").split("/") if part != "__init__"]
            if parts:
                self.execution.done.wanted.add(("import", parts[-1]))
        inner = {other for origin in matters for other in imported[origin] if other != origin}
        hot = self._leading(sorted(matters), imported)
        groups = [
            (origin, owner, methods)
            for origin in sorted(matters)
            for owner, methods in _hot(self.files[origin], self.names)
        ]
        makers = sum(self._declares(origin, methods) for origin, _, methods in groups)
        self.limit = min(SCRIPTS_STEPS_MAX, SCRIPTS_STEPS_MIN + SCRIPTS_STEPS_A_MAKER * makers)
        for origin in sorted(matters, key=lambda each: (each not in hot, each)):
            file = self.files[origin]
            if origin not in inner or "__name__" in file.unit.names:
                self._start(
                    origin.path,
                    lambda run, file=file: self.python.module(run, file),
                    file.at((1, 1, 1, 1)),
                    leads=origin in hot,
                )
        self._roots(groups, matters)

    def _roots(self, groups: list[_Group], matters: set[Origin]) -> None:
        """Enters what no program reached: fixtures last, tests call them."""
        for origin, owner, methods in sorted(groups, key=lambda group: any(map(_is_a_fixture, group[2]))):
            waiting = [method for method in methods if (origin, method.name_at) not in self.ran]
            if waiting and self.roots < ROOTS_MAX:
                self.roots += 1
                self._root(origin, owner, waiting, matters)
        made = self._made_in()
        for origin, owner, methods in groups:
            barren = [one for one in methods if self._makes((one,)) and (origin, one.name_at) not in made]
            if barren and self.roots < ROOTS_MAX:
                self.roots += 1
                self._alone(origin, owner, barren)

    def _declares(self, origin: Origin, methods: Iterable[ir.MethodDecl]) -> bool:
        """Whether functions make a consumer of a library that their own file imports."""
        return origin in self.touching and self._makes(methods)

    def _makes(self, methods: Iterable[ir.MethodDecl]) -> bool:
        """Whether functions call what makes a consumer, or sends."""
        return any(not _called(method.body).isdisjoint(self.makers) for method in methods)

    def _leading(self, matters: list[Origin], imported: Mapping[Origin, set[Origin]]) -> set[Origin]:
        """The files whose own statements lead to what makes a consumer, by names, or that import one of these."""
        parts = [(origin, *part) for origin in matters for part in _functions(self.files[origin])]
        called = [_called(method.body) for _, method, _ in parts]
        names: set[str] = set()

        def leads(origin: Origin, found: Set[str]) -> bool:
            return not found.isdisjoint(names) or (
                origin in self.touching and not found.isdisjoint(self.names)
            )

        waiting = list(range(len(parts)))
        while more := [number for number in waiting if leads(parts[number][0], called[number])]:
            for _, method, owner in (parts[number] for number in more):
                names.add(owner.name if method.name == "<init>" and owner is not None else method.name)
            done = set(more)
            waiting = [number for number in waiting if number not in done]
        self.leading = names | self.makers | {"subscribe"}
        own = {origin: self._parts_of(origin, self.files[origin])[-1][1] for origin in matters}
        hot = {origin for origin in matters if leads(origin, own[origin])}
        while more_files := {origin for origin in matters if origin not in hot and imported[origin] & hot}:
            hot |= more_files
        return hot

    def _made_in(self) -> set[tuple[Origin, ir.At]]:
        """The functions that consumers were made in, or called from."""
        return {
            (frame.method.owner.origin, frame.method.decl.name_at)
            for _, _, client, _ in self.execution.done.clients()
            for frame in frames_of(client.frame)
            if frame.method is not None
        }

    def _alone(self, origin: Origin, owner: ir.ClassDecl | None, methods: list[ir.MethodDecl]) -> None:
        """Runs functions that make consumers, and from which no run brought one, without what their module imports: that it
        refuses to be loaded, or costs more than all else, does not keep them from being seen."""
        name = owner.name if owner is not None else methods[0].name

        def entry(run: Interpreter) -> None:
            run.heap[ALONE] = True
            self._enter(run, origin, owner, methods, {origin})

        self._start(f"{origin.path}#{name}", entry, self.files[origin].at(methods[0].name_at), declares=True)

    def _root(
        self, origin: Origin, owner: ir.ClassDecl | None, methods: list[ir.MethodDecl], matters: set[Origin]
    ) -> None:
        unreached = owner is None and self._is_dead(origin, methods[0])
        self.ran |= {(origin, method.name_at) for method in methods}
        name = owner.name if owner is not None else methods[0].name
        stem = origin.path.rpartition("/")[2].removesuffix(".py")
        self.execution.done.wanted.add((name, name))
        if owner is None:
            self.execution.done.wanted.add((stem, name))
        self._start(
            f"{origin.path}#{name}",
            lambda run: self._enter(run, origin, owner, methods, matters),
            self.files[origin].at(methods[0].name_at),
            declares=self._declares(origin, methods),
            unreached=unreached,
        )

    def _is_dead(self, origin: Origin, function: ir.MethodDecl) -> bool:
        """Whether code mentions a function, all of that code has run, and yet the function was not called: it is called
        under a condition that never holds."""
        if self.cut or function.annotations or scope_of(origin.path) == "test":
            return False
        mentioned = False
        for other, file in self.files.items():
            for at, names in self._parts_of(other, file):
                if function.name in names and (other, at) != (origin, function.name_at):
                    if (other, at) not in self.ran:
                        return False
                    mentioned = True
        return mentioned

    def _parts_of(self, origin: Origin, file: File) -> list[tuple[ir.At, frozenset[str]]]:
        """The names that each function of a file mentions, and those that its module's own statements do."""
        found = self.parts.get(origin)
        if found is None:
            (module,) = file.unit.types
            body = module.methods[0].body or ()
            found = self.parts[origin] = []
            own: set[str] = set()
            for statement in body:
                what = statement.what if isinstance(statement, ir.Define) else None
                if isinstance(what, ir.MethodDecl):
                    found.append((what.name_at, frozenset(_mentioned(what.body))))
                elif isinstance(what, ir.ClassDecl):
                    found += [(one.name_at, frozenset(_mentioned(one.body))) for one in what.methods]
                elif what is None:
                    own |= _mentioned(statement)
            found.append((module.methods[0].name_at, frozenset(own)))
        return found

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

    def _start(
        self,
        name: str,
        entry: Any,
        at: Location,
        *,
        leads: bool = False,
        declares: bool = False,
        unreached: bool = False,
    ) -> None:
        """Runs one entry; `leads`: to a consumer, as far as names tell; `declares`: it makes one itself."""
        late = self.steps >= self.limit
        if late and not declares and not (leads and self.steps < 2 * self.limit):
            self.cut = True
            self.execution.done.left[at] = None
            return

        def whole(run: Interpreter) -> None:
            run.heap[LEADING] = self.leading
            entry(run)
            run.come_to_threads()
            run.guard, run.raised = True, []
            self._drain(run)

        module = name.partition("#")[0]
        most = SCOUT if self.execution.scope.program.explores else PROGRAM
        budget = LATE if late or module in self.endless else most
        run = self.execution.start(name, None, whole, budget=budget, unreached=unreached)
        if late and run.ended is not None:
            self.execution.done.left[at] = run
        if module == name and run.ended is not None:
            self.endless.add(module)
        self.cut = self.cut or run.ended is not None or run.died is not None or run.failed is not None
        self.steps += run.steps
        self.ran |= {
            (method.owner.origin, method.decl.name_at) for method in run.ran if isinstance(method, Method)
        }

    def _drain(self, run: Interpreter) -> None:
        """Runs what was handed to threads and libraries."""
        coroutines = run.heap.setdefault(COROUTINES, [])
        for _ in range(DEFERRED_MAX):
            while coroutines and not run.later:
                guard, value = coroutines.pop(0)
                if not value.ran:
                    run.put_off(guard, value)
            if not run.later:
                if event_loop.run_out(self.python, run, run.frame(None, None)):
                    continue
                event_loop.lost(run)
                return
            guard, value, arguments = run.later.pop(next(iter(run.later)))
            if isinstance(value, Function) and not value.ran:
                code = value.native
                run.guard, run.raised = guard, []
                frame = code.frame if isinstance(code, Code) else value.frame
                reach = Reach.of(run, value) if arguments is None or not arguments.values else None
                run.call(value, arguments, frame, None)
                if reach is not None:  # another one may run before it, or it may run again
                    reach.forget_changes(run, guard, Unknown(Why.DYNAMIC, phrase("callback")))
        run.note(phrase("more-than-callbacks", DEFERRED_MAX), None)
        run.later.clear()

    def _enter(
        self,
        run: Interpreter,
        origin: Origin,
        owner: ir.ClassDecl | None,
        methods: list[ir.MethodDecl],
        matters: set[Origin],
    ) -> None:
        """Loads a module as others import it, and calls a function, or the methods of an object, with unknown arguments."""
        frame = self._load(run, origin)
        run.guard, run.raised = True, []
        if owner is None:
            self._call(run, frame.variables.get(methods[0].name, UNSET), frame)
            return
        kind = frame.variables.get(owner.name, UNSET)
        if not isinstance(kind, TypeValue) or kind.declared is None:
            return
        for each in self._concrete(run, kind, matters):
            run.guard, run.raised = True, []
            made = self._instance(run, each, frame)
            for method in methods:
                done = any(one.decl is method for one in run.ran)
                if isinstance(made, Object) and method.name != "<init>" and (not done or each is not kind):
                    run.guard, run.raised = True, []
                    self._used_before(run, made)
                    value = self.python.attribute(run, made, method.name, frame, owner.name_at)
                    try:
                        self._call(run, value, frame)
                    except Overgrown:  # the next method may be one that can be followed
                        run.outgrow()

    def _used_before(self, run: Interpreter, made: Object) -> None:
        """Nobody knows which methods were called on an object before the one that is entered."""
        assert made.declared is not None
        methods = [
            one
            for each in self.python.family(run, made.declared)
            for several in each.methods.values()
            for one in several
            if one.name != "<init>"
        ]
        reason = Unknown(Why.DYNAMIC, phrase("object-of", made.declared.simple))
        lose_used(run, made, methods, reason)

    def _load(self, run: Interpreter, origin: Origin) -> Frame:
        name = ".".join(part for part in origin.path.removesuffix(".py").split("/") if part != "__init__")
        return self.python.module(run, self.files[origin], name)

    def _concrete(self, run: Interpreter, kind: TypeValue, matters: set[Origin]) -> list[TypeValue]:
        """The classes below one, itself where there are none."""
        for origin in sorted(matters):
            run.guard, run.raised = True, []
            self._load(run, origin)
        below = [
            found.declared
            for found in list(run.heap.values())
            if isinstance(found, ClassInfo) and kind.declared in found.order[1:]
        ]
        return [TypeValue(each, each.name) for each in below] or [kind]

    def _instance(self, run: Interpreter, kind: TypeValue, frame: Frame) -> Guarded:
        assert kind.declared is not None
        hook = class_attribute(run, kind.declared, "__init__")
        params = hook.params[1:] if isinstance(hook, Function) else ()
        info = info_of(run, kind.declared)
        if info is None:
            return UNSET
        given = _unknown(params, kind.name)
        if filling(run, info) is not None:
            given.open = Unknown(Why.DYNAMIC, phrase("argument", ""), ("parameter", kind.name, ""))
        at = kind.declared.at(kind.declared.decl.name_at)
        depth, total = run.depth, run.limit
        run.limit = min(total, run.steps + INSTANCE_STEPS_MAX)
        try:
            return self.python.instantiate(run, kind.declared, given, frame, at)
        except (Exhausted, Overdrawn, Overgrown) as ended:
            if run.steps >= total:
                raise
            run.depth = depth
            run.guard, run.raised = True, []
            grown = phrase("more-alternatives-than-can-be-told-apart")
            drawn = phrase("more-than-steps-for-a-value", INSTANCE_STEPS_MAX)
            run.note(grown if isinstance(ended, Overgrown) else drawn, at)
            unknown = Unknown(Why.DYNAMIC, phrase("object-of", kind.simple), ("stand-in", kind.name))
            return run.make(kind.declared, kind.name, at, open=unknown)
        finally:
            run.limit = total

    def _call(self, run: Interpreter, value: Guarded, frame: Frame) -> None:
        def one(leaf: Any) -> Guarded:
            if isinstance(leaf, Function):
                params = leaf.params
                if isinstance(leaf.native, Code) and leaf.native.this is not UNSET:
                    params = params[1:]
                given = _unknown(params, leaf.name)
                for param in params:
                    fixture = self._fixture(run, param.name, frame)
                    if fixture is not UNSET:
                        given.names[param.name] = fixture
                found = awaited(self.python, run, run.call(leaf, given, frame, None), frame, None)
                for made in some(found, NEEDS_LEAVES_MAX):
                    if isinstance(made, Object) and made.client is not None:
                        made.client.escaped = True  # who called it may start it
                return found
            return UNSET

        if value is not UNSET:
            run.over(value, one)

    def _fixture(self, run: Interpreter, name: str, frame: Frame) -> Guarded:
        """What pytest hands to a test for a parameter: the value of the fixture of its name, in the module or the nearest
        `conftest.py`."""
        assert frame.owner is not None
        origin = frame.owner.file.origin
        if scope_of(origin.path) != "test":
            return UNSET
        folder = origin.path.rpartition("/")[0]
        while True:
            for each in (origin, Origin(origin.repo, f"{folder}/conftest.py".lstrip("/"))):
                if each not in self.files or not _is_fixture(self.files[each], name):
                    continue
                value = self._load(run, each).variables.get(name, UNSET)
                if isinstance(value, Function):
                    made = run.call(value, _unknown(value.params, name), frame, None)
                    made = awaited(self.python, run, made, frame, None)
                    if isinstance(made, Object) and made.type == "generator":
                        given = items_of(made)
                        return given[0][1] if given else None
                    return made
            if not folder:
                return UNSET
            folder = folder.rpartition("/")[0]


def _is_fixture(file: File, name: str) -> bool:
    """Whether a module has a fixture of this name."""
    (module,) = file.unit.types
    return any(
        isinstance(each, ir.Define)
        and isinstance(each.what, ir.MethodDecl)
        and each.what.name == name
        and _is_a_fixture(each.what)
        for each in module.methods[0].body or ()
    )


def _is_a_fixture(decl: ir.MethodDecl) -> bool:
    return any(one.name.endswith("fixture") for one in decl.annotations)


def _unknown(params: tuple[ir.Param, ...], owner: str) -> Arguments:
    """Arguments that nobody in sight gives."""
    names = {
        param.name: Unknown(Why.DYNAMIC, phrase("argument", param.name), ("parameter", owner, param.name))
        for param in params
        if param.kind in ("", "*")
    }
    more = next((param.name for param in params if param.kind in ("...", "**")), None)
    open_ = (
        None if more is None else Unknown(Why.DYNAMIC, phrase("argument", more), ("parameter", owner, more))
    )
    return Arguments([], names, open_)


def _touches(file: File, models: Set[str] = frozenset()) -> bool:
    """Whether a file imports a client library, or one of some modules."""
    return any(
        is_client_module(one.path)
        or "rocketmq" in one.path.lower()
        or not models.isdisjoint((one.path, f"{one.path}.{one.member}"))
        for one in file.unit.imports
    )


def _module_of(model: File) -> str:
    """The full name of the module that a model is of."""
    path = model.origin.path.removeprefix("models/").removesuffix(".py").removesuffix("/__init__")
    return path.replace("/", ".")


def _functions(file: File) -> Iterator[tuple[ir.MethodDecl, ir.ClassDecl | None]]:
    """The functions of a module, and the methods of its classes with them."""
    (module,) = file.unit.types
    for statement in module.methods[0].body or ():
        what = statement.what if isinstance(statement, ir.Define) else None
        if isinstance(what, ir.MethodDecl):
            yield what, None
        elif isinstance(what, ir.ClassDecl):
            yield from ((method, what) for method in what.methods)


def _hot(file: File, operations: frozenset[str]) -> list[tuple[ir.ClassDecl | None, list[ir.MethodDecl]]]:
    """The functions, and the methods of each class, that call some operations or what does; what nobody among them calls
    first."""
    found = list(_functions(file))
    called = {id(method): _called(method.body) for method, _ in found}
    hot: set[int] = set()
    names = set(operations)
    while more := [pair for pair in found if id(pair[0]) not in hot and called[id(pair[0])] & names]:
        for method, owner in more:
            hot.add(id(method))
            names.add(owner.name if method.name == "<init>" and owner is not None else method.name)
    groups: dict[int, tuple[ir.ClassDecl | None, list[ir.MethodDecl]]] = {}
    for method, owner in found:
        if id(method) in hot:
            groups.setdefault(id(owner or method), (owner, []))[1].append(method)

    def is_called(group: tuple[ir.ClassDecl | None, list[ir.MethodDecl]]) -> bool:
        owner, methods = group
        name = owner.name if owner is not None else methods[0].name
        return any(
            name in called[id(method)]
            for other, inner in groups.values()
            if inner is not methods
            for method in inner
        )

    return sorted(groups.values(), key=is_called)


def _mentioned(part: Any) -> set[str]:
    """The names that code calls, reads or takes from modules, and the words of its texts: `getattr` takes those."""
    return _called(part, (ir.Call, ir.Name, ir.Attribute), texts=True)


def _called(part: Any, kinds: tuple[type, ...] = (ir.Call, ir.Name), *, texts: bool = False) -> set[str]:
    """The names that code calls."""
    found: set[str] = set()
    for node in nodes(part):
        if type(node) in kinds:
            found.add(node.name)
        elif texts and isinstance(node, ir.Const) and isinstance(node.value, str):
            found.update(node.value.split())
    return found

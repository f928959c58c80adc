"""Functions that a program hands to the library, and when they run: at once, in a thread, or whenever it likes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.callbacks import have_again, lose_later, lose_until_joined
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, either, leaves, negate, pick, under
from subdrift.linter.resolve.execute.handed import any_arguments
from subdrift.linter.resolve.execute.havoc import is_called_back
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.unseen import RUNS_LATER
from subdrift.linter.resolve.execute.values import Bound, Frame, Function, Guarded, Object, Text, Unknown
from subdrift.linter.resolve.semantics.jvm.calls import OBJECTS, Call, Given, of_type, static
from subdrift.linter.resolve.semantics.jvm.collections import items
from subdrift.linter.resolve.semantics.jvm.equality import equal
from subdrift.linter.resolve.semantics.jvm.library.kinds import FUNCTIONAL

RUN_NOW = frozenset(
    {
        "forEach",
        "ifPresent",
        "accept",
        "apply",
        "run",
        "call",
        "get",
        "computeIfAbsent",
        "execute",
        "doWith",
        "runInContext",
    }
)
"""Calls on unknown objects that run what they are handed at once."""


def hand_over(run: Interpreter, value: Guarded, name: str, frame: Frame | None, place: Location) -> None:
    """A function handed to code nobody can see into."""
    if name in RUN_NOW:
        whether = run.runs_it(name, (value,))
        for guard, leaf in leaves(value, both(run.guard, whether)):
            if isinstance(leaf, Function | Bound) and guard is not False:
                before, run.guard = run.guard, guard
                run.call(leaf, any_arguments(run, leaf), frame, place)
                run.guard = either(run.guard, both(before, negate(guard)))
        return
    if type(value) is not Bound or run.brief:  # else `havoc` runs it
        run.defer(value)
    for _, leaf in leaves(value, run.guard):
        if isinstance(leaf, Object) and leaf.client is not None:
            leaf.client.escaped = True
        if isinstance(leaf, Object) and leaf.declared is not None:
            leaf.handed = leaf.handed or bool(run.scope.library_supers(leaf.declared))


@static(
    "Executors|ThreadPoolExecutor",
    "newFixedThreadPool",
    "newSingleThreadExecutor",
    "newCachedThreadPool",
    "newScheduledThreadPool",
    "newSingleThreadScheduledExecutor",
    "newVirtualThreadPerTaskExecutor",
)
def _executor(call: Call) -> Guarded:
    return call.made("ExecutorService")


_THREAD: Final = "thread"
"""Where a run keeps which thread it is on: a number, and the object where that is known."""


@contextmanager
def _on_thread(run: Interpreter, thread: Object | None = None) -> Iterator[None]:
    """What runs here does so on a thread of its own."""
    before = run.heap.get(_THREAD)
    run.heap[_THREAD] = (run.unique(), thread)
    try:
        yield
    finally:
        run.heap[_THREAD] = before


@static("OtherThreads", "current")
def _current_number(call: Call) -> Guarded:
    held = call.run.heap.get(_THREAD)
    return 0 if held is None else held[0]


@static("Thread", "currentThread")
def _current(call: Call) -> Guarded:
    held = call.run.heap.get(_THREAD)
    return call.unknown("Thread.currentThread()") if held is None or held[1] is None else held[1]


@static("Thread", "startVirtualThread", effect=Effect.STARTS_ARGUMENT)
def _virtual_thread(call: Call) -> Guarded:
    return _run_task(call, call.args[0])


def _run_task(call: Call, task: Guarded) -> Guarded:
    """A task that another thread runs: the future of what it gives. What it throws is told to who asks for that."""
    run = call.run
    before, raised, asked = run.guard, len(run.raised), not run.discards
    if asked:  # else nobody is told what it throws
        run.handlers.append(lambda error: True)
    with _on_thread(run):
        value = call.invoke(task)
    if asked:
        run.handlers.pop()
    thrown = run.raised[raised:]
    del run.raised[raised:]
    if run.guard is False and not thrown:  # it never ends
        value = Unknown(Why.DYNAMIC, f"{call.name}()")
    future: Guarded = UNSET
    if run.guard is not False or not thrown:
        run.guard = before if run.guard is False else run.guard
        future = call.modelled("java.util.concurrent.CompletableFuture", "completedFuture", value)
    for guard, error in thrown:
        run.guard = guard
        failed = call.modelled("java.util.concurrent.CompletableFuture", "failedFuture", error)
        future = pick(guard, failed, future)
    run.guard = before
    return future


def _scheduled(call: Call, task: Guarded) -> Guarded:
    """The future of a task that runs later, which may be taken back until then."""

    def native(run: Interpreter, inner: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        return call.invoke(task)

    run = call.run
    future = call.constructed(
        "java.util.concurrent.FutureTask", Function((), (), None, "call", native=native)
    )
    for guard, leaf in leaves(future, run.guard):
        if isinstance(leaf, Object):
            run.put_off(guard, Bound(leaf, "run", call.frame))
    lose_until_joined(run, task)
    return future


@static("Predicate", "not", effect=Effect.CALLS_ARGUMENT)
def _predicate_not(call: Call) -> Guarded:
    return compose(call.run, call.args[0], "negate", Arguments([]), call.frame, call.place)


@static("Predicate", "isEqual")
def _predicate_equal(call: Call) -> Guarded:
    def native(run: Interpreter, inner: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        return apply(equal, call.args[0], Given(inner.values)[0])

    return Function((), (), None, call.name, native=native)


def runs_tasks(leaf: Object) -> bool:
    """Whether an object of the library runs what it is given."""
    return OBJECTS.get(leaf.type.rpartition(".")[2]) is executor_method


@of_type("Thread")
def _thread(call: Call, leaf: Object) -> Guarded:
    match call.name:
        case "setName":
            leaf.fields["<super>"] = tuple(call.args)
            return None
        case "getName":
            return thread_name(leaf, "getName", ())
        case "start" | "run":
            task = leaf.fields.get("task")
            if task is not None:
                if call.name == "run":
                    call.run.call(Bound(task, "run", call.frame), Arguments([]), call.frame, call.place)
                else:
                    call.run.put_off(call.run.guard, Bound(leaf, "run", call.frame))
                    lose_until_joined(call.run, task)
            return None
        case "join":
            drain(call.run)
            return None
        case "interrupt" | "stop":
            return None
    return None if call.name.startswith("set") else _told_by(call, leaf)


@of_type("CountDownLatch")
def _latch(call: Call, leaf: Object) -> Guarded:
    count = leaf.fields.get("count")
    match call.name:
        case "countDown":
            less = apply(
                lambda n: max(n - 1, 0) if isinstance(n, int) else Unknown(Why.DYNAMIC, phrase("counter")),
                count,
            )
            leaf.fields["count"] = pick(call.run.guard, less, count)
            return None
        case "getCount":
            drain(call.run)
            return leaf.fields.get("count")
        case "await":
            drain(call.run, lambda: under(leaf.fields.get("count"), call.run.guard) == 0)
            is_open = under(leaf.fields.get("count"), call.run.guard) == 0
            return None if not call.args else is_open or call.unknown("CountDownLatch.await()")
    return NotImplemented


_FORKED: Final = {"invoke": "join", "submit": "fork", "execute": "fork"}
"""What a pool calls of a task that forks."""


def _can_fork(call: Call) -> bool:
    task = call.args[0]
    declared = task.declared if isinstance(task, Object) else None
    return declared is not None and bool(call.run.scope.methods(declared, "fork", 0))


def _told_by(call: Call, leaf: Object) -> Unknown:
    """What a method says that is not followed."""
    return Unknown(
        Why.DYNAMIC, f"{leaf.type.rpartition('.')[2]}.{call.name}()", ("of", leaf.number, call.name)
    )


_AGAIN: Final = frozenset({"scheduleAtFixedRate", "scheduleWithFixedDelay"})


@static("OtherThreads", "repeat")
def _repeats(call: Call) -> Guarded:
    _run_again(call.run, call.args[0])
    return None


def _run_again(run: Interpreter, task: Guarded) -> None:
    """A task that has run runs again and again: nobody knows how often it has by now."""
    for guard, leaf in leaves(task, run.guard):
        if type(leaf) in RUNS_LATER and not run.brief:
            lose_later(run, leaf, guard)


@of_type("ExecutorService", "ScheduledExecutorService", "ThreadPoolExecutor", "ThreadPoolTaskExecutor", "ForkJoinPool",
         "ScheduledThreadPoolExecutor", "Executor", "Timer")  # fmt: skip
def executor_method(call: Call, leaf: Object) -> Guarded:
    if leaf.type.endswith("ForkJoinPool") and call.name in _FORKED and _can_fork(call):
        return call.method(call.args[0], _FORKED[call.name])
    match call.name:
        case (
            "submit" | "execute" | "schedule" | "scheduleAtFixedRate" | "scheduleWithFixedDelay" | "invokeAll"
        ):
            if call.name == "schedule" and not call.run.discards and runs_tasks(leaf):
                return _scheduled(call, call.args[0])
            if call.name != "invokeAll":
                future = _run_task(call, call.args[0])
                if call.name in _AGAIN:
                    _run_again(call.run, call.args[0])
                return future
            started = [
                _run_task(call, item)
                for _, item in items(call.java, call.run, call.args[0], call.frame) or ()
            ]
            return call.all_of("ArrayList", started)
        case "shutdown" | "shutdownNow" | "close":
            leaf.fields["shut"] = pick(call.run.guard, True, leaf.fields.get("shut", False))
            return None if call.name != "shutdownNow" else call.listed("List")
        case "awaitTermination" if leaf.type == "ExecutorService" and leaf.open is None:
            drain(call.run)
            return under(leaf.fields.get("shut", False), call.run.guard)
        case "isShutdown" if leaf.type == "ExecutorService" and leaf.open is None:
            return under(leaf.fields.get("shut", False), call.run.guard)
        case "cancel" | "purge" | "initialize":
            return None
    return None if call.name.startswith("set") else _told_by(call, leaf)


def drain(run: Interpreter, is_enough: Callable[[], bool] = bool) -> None:
    """Runs what was handed to threads and libraries so far, then what that has handed to them, until it is enough."""
    left = DEFERRED_MAX
    have_again(run)
    for _ in range(HANDED_ON_MAX):
        if not run.later:
            return
        together = [*run.later][:left]
        left -= len(together)
        for number in together:
            if is_enough():
                return
            if number not in run.later:
                continue
            guard, value, arguments = run.later.pop(number)
            before, raised = run.guard, run.raised
            run.guard, run.raised = guard, []
            target = value.target if isinstance(value, Bound) else None
            is_thread_of = isinstance(target, Object) and (target.type == "Thread" or is_thread(run, target))
            with _on_thread(run, target if is_thread_of else None):
                deferred(run, value, arguments)
            run.guard, run.raised = before, raised
    if run.later:
        run.leave_off(phrase("more-than-callbacks", DEFERRED_MAX - left), None)


DEFERRED_MAX = 512
"""Callbacks handed to libraries that are run for one entry."""

HANDED_ON_MAX = 6
"""Callbacks that hand on the next one, each in its turn: what tries again in a thread of its own does so without an end."""


def deferred(run: Interpreter, value: Any, arguments: Arguments) -> None:
    """Runs one callback: a function, or the methods of an object that only a library can call."""
    if isinstance(value, Function):
        if not value.ran and run.matters(value.method, value.body):
            missing = [
                Unknown(Why.DYNAMIC, phrase("argument", param.name), ("parameter", param.name, id(value)))
                for param in value.params[len(arguments.values) :]
            ]
            given = Arguments([*arguments.values, *missing])
            if (
                value.native is not None and not value.params and not given.values
            ):  # `::name`: as many as it takes
                given = run.given([], Unknown(Why.DYNAMIC, phrase("argument", ""), ("handed", id(value))))
            run.call(value, given, None, None)
    elif isinstance(value, Bound):
        run.call(value, arguments, None, None)
    elif isinstance(value, Object) and value.declared is not None:
        callbacks(run, value)


def callbacks(run: Interpreter, made: Object) -> None:
    """The methods of an object that implement something of a library: `run`, `call`, a listener's."""
    declared = made.declared
    assert declared is not None
    found = run.scope.callbacks.get(declared)
    if found is None:
        found = run.scope.callbacks[declared] = tuple(_callbacks_of(run, declared))
    for one in found:
        if (one, made.number) in run.ran_on or one in run.circles:
            continue
        missing: list[Guarded] = [
            Unknown(Why.DYNAMIC, f"argument {param.name}", ("parameter", param.name, one.symbol))
            for param in one.decl.params
        ]
        before = run.guard
        run.invoke(one, made, Arguments(missing), None, None, made.captured)
        run.guard = before


def _callbacks_of(run: Interpreter, declared: Class) -> Iterator[Method]:
    """The methods of a class that only a library can call and that can reach a client."""
    of_library = bool(run.scope.library_supers(declared))
    for each in run.scope.supers(declared):
        for methods in each.methods.values():
            for one in methods:
                called = is_called_back(each, one, of_library=of_library)
                if called and run.matters(one, one.decl.body):
                    yield one


OF_THREADS: Final = frozenset(
    """
    activeCount checkAccess currentThread dumpStack enumerate getAllStackTraces getContextClassLoader
    getDefaultUncaughtExceptionHandler getId getName getPriority getStackTrace getState getThreadGroup
    getUncaughtExceptionHandler holdsLock interrupt interrupted isAlive isDaemon isInterrupted isVirtual join onSpinWait
    ofPlatform ofVirtual resume setContextClassLoader setDaemon setDefaultUncaughtExceptionHandler setName setPriority
    setUncaughtExceptionHandler sleep start startVirtualThread stop suspend threadId yield
    """.split()  # noqa: SIM905
)
"""What `Thread` declares, and classes below it have: a call of another name is one of a class around."""


def is_thread(run: Interpreter, leaf: Object) -> bool:
    """Whether the class of an object extends `Thread`."""
    above = run.scope.library_supers(leaf.declared) if leaf.declared is not None else ()
    return any(each.rpartition(".")[2] == "Thread" for each in above)


def thread_name(leaf: Object, name: str, args: Sequence[Guarded]) -> Guarded:
    """`getName()`, `setName(name)` of a thread: without a name of its own it gets one with a number."""
    if name == "setName":
        leaf.fields["<name>"] = args[0] if args else None
        return None
    given = [each for each in leaf.fields.get("<super>", ()) if isinstance(each, Text)]
    return leaf.fields.get("<name>", given[-1] if given else Unknown(Why.DYNAMIC, "getName()"))


def functional_default(call: Call, leaf: Object, interface: str) -> Guarded:
    return (
        compose(call.run, leaf, call.name, Arguments(call.args), call.frame, call.place, interface)
        if interface in FUNCTIONAL
        else UNSET
    )


def compose(
    run: Interpreter,
    leaf: Any,
    name: str,
    arguments: Arguments,
    frame: Frame,
    place: Location,
    interface: str = "",
) -> Guarded:
    """The default methods of functional interfaces: `andThen`, `compose`, `negate`, `and`, `or`. `interface`: that of an
    object."""
    args = arguments.values
    if name not in ("andThen", "compose", "negate", "and", "or") or len(args) != (name != "negate"):
        return UNSET

    def native(run: Interpreter, inner: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        def call(function: Guarded, values: list[Guarded]) -> Guarded:
            return run.over(function, lambda each: run.call(each, Arguments(values), frame, place))

        match name:
            case "compose":
                return call(leaf, [call(args[0], inner.values)])
            case "negate":
                java = run.semantics(frame)
                return apply(lambda one: java.unary(run, "!", one), call(leaf, inner.values))
            case "and" | "or":
                first, second = call(leaf, inner.values), call(args[0], inner.values)
                assert frame.owner is not None
                a = run.guard_of(first, frame, frame.owner.decl.at)
                b = run.guard_of(second, frame, frame.owner.decl.at)
                return both(a, b) if name == "and" else either(a, b)
        first = call(leaf, inner.values)
        kind = leaf.interface if isinstance(leaf, Function | Bound) else interface
        if kind.endswith("Consumer") or (isinstance(leaf, Function) and first is None and not _returns(leaf)):
            return call(args[0], inner.values)  # both get the arguments
        return call(args[0], [first])

    return Function((), (), None, name, native=native)


def _returns(leaf: Function) -> bool:
    return any(isinstance(each, ir.Return) and each.value is not None for each in leaf.body)

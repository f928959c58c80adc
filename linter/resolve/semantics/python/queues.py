"""Queues, executors and threads: what is handed over is there, and what is waited for has run."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import UNSET, both
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Entry, Function, Guarded, Object, Text
from subdrift.linter.resolve.semantics.python import containers, iterables
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, METHODS, Call, native
from subdrift.linter.resolve.semantics.python.standard.threads import LATER

QUEUE: Final = "queue"
EXECUTOR: Final = "executor"
FUTURE: Final = "Future"
_BLOCKED: Final = phrase("element")


@native(
    "queue.Queue", "queue.SimpleQueue", "queue.LifoQueue", "queue.PriorityQueue", "asyncio.Queue", "multiprocessing.Queue",
    "asyncio.LifoQueue", "asyncio.PriorityQueue",
)  # fmt: skip
def _queue(call: Call) -> Guarded:
    return containers.made_of(call.run, QUEUE, [], call.at)


def _kind_of(name: str) -> None:
    plain = FUNCTIONS[name]

    def made(call: Call) -> Guarded:
        found = plain(call)
        assert isinstance(found, Object)
        found.fields["<order>"] = name.rpartition(".")[2]
        return found

    FUNCTIONS[name] = made


for _name in ("queue.LifoQueue", "queue.PriorityQueue", "asyncio.LifoQueue", "asyncio.PriorityQueue"):
    _kind_of(_name)


def _put(call: Call, leaf: Object) -> Guarded:
    assert leaf.items is not None
    leaf.items.append((call.run.guard, call.get(0, "item")))
    if leaf.fields.get("<order>") == "PriorityQueue":
        iterables.sort(Call(call.python, call.run, Arguments([]), call.frame, call.at), leaf)
    return None


def _take(call: Call, leaf: Object) -> Guarded:
    """The next element: one that nobody knows where the queue is empty and somebody waits for it."""
    if not leaf.items:
        run_pending(call)
    waits = call.get(0, "block", True) is not False and call.get(1, "timeout") is UNSET
    if not leaf.items and leaf.open is None and waits:
        return unknown_from((leaf,), _BLOCKED)
    return _taken(call, leaf)


def _take_at_once(call: Call, leaf: Object) -> Guarded:
    return _taken(call, leaf)


def _taken(call: Call, leaf: Object) -> Guarded:
    items = leaf.items or []
    if leaf.open is not None or any(guard is not True for guard, _ in items):
        leaf.open = leaf.open or unknown_from((leaf,), _BLOCKED)
        return leaf.open
    if not items:
        call.run.throw(call.run.make(None, "queue.Empty", call.at))
        return UNSET
    call.run.taken += 1
    place = -1 if leaf.fields.get("<order>") == "LifoQueue" else 0
    _, item = items[place]
    if call.run.guard is True:
        del items[place]
    else:
        leaf.open = unknown_from((leaf,), _BLOCKED)
    return item


def _waited(call: Call, leaf: Object) -> Guarded:
    run_pending(call)
    return None


METHODS[f"{QUEUE}.put"] = METHODS[f"{QUEUE}.put_nowait"] = _put
METHODS[f"{QUEUE}.get"] = _take
METHODS[f"{QUEUE}.get_nowait"] = _take_at_once
METHODS[f"{QUEUE}.join"] = _waited
METHODS[f"{QUEUE}.task_done"] = METHODS[f"{QUEUE}.close"] = lambda call, leaf: None
METHODS[f"{QUEUE}.qsize"] = lambda call, leaf: containers.size(leaf)
METHODS[f"{QUEUE}.full"] = lambda call, leaf: False
METHODS[f"{QUEUE}.empty"] = lambda call, leaf: call.python.unary(call.run, "!", leaf)


# -- threads ----------------------------------------------------------------------------------------------------------


def run_pending(call: Call, only: Any = None) -> None:
    """Runs what threads were started with: all that wait, or the function of one of them."""
    run = call.run
    waiting = [
        each for each in run.later if isinstance(each[1], Function) and (only is None or each[1] is only)
    ]
    for each in waiting:
        guard, value, arguments = each
        if each not in run.later or value.ran:
            continue
        run.later.remove(each)
        before, raised = run.guard, run.raised
        run.guard, run.raised = both(before, guard), []
        if run.guard is not False:
            call.python.call(run, value, arguments, call.frame, call.at)
        run.guard, run.raised = before, raised


@native("_native.run_later")
def _run_later(call: Call) -> Guarded:
    """`run_later()`: what waits to be run is run."""
    run_pending(call)
    return None


def _joined(call: Call, leaf: Object) -> Guarded:
    """`thread.join()`: what it runs has run."""
    started = leaf.fields.get(LATER)
    if started is not None:
        run_pending(call, started)
    return None


METHODS["threading.Thread.join"] = _joined


@native("threading.Timer")
def _timer(call: Call) -> Guarded:
    return call.make(
        "threading.Thread",
        **{
            "<target>": call.get(1, "function", None),
            "<args>": call.get(2, "args", ()) or (),
            "<kwargs>": call.get(3, "kwargs", None),
        },
    )


METHODS["threading.Thread.cancel"] = lambda call, leaf: None


# -- executors --------------------------------------------------------------------------------------------------------


@native(
    "concurrent.futures.ThreadPoolExecutor", "concurrent.futures.ProcessPoolExecutor", "multiprocessing.Pool",
    "multiprocessing.pool.ThreadPool", "multiprocessing.pool.Pool", "multiprocessing.dummy.Pool",
    "concurrent.futures.thread.ThreadPoolExecutor",
)  # fmt: skip
def _executor(call: Call) -> Guarded:
    return call.make(EXECUTOR)


def _future(call: Call, value: Guarded) -> Object:
    return call.make(FUTURE, **{"<result>": value})


def _called(call: Call, function: Guarded, given: Arguments) -> Guarded:
    """What a function gives that runs in another thread: an exception is kept there."""
    run = call.run
    before, raised = run.guard, run.raised
    run.raised = []
    value = run.over(function, lambda leaf: call.python.call(run, leaf, given, call.frame, call.at))
    failed = run.raised
    run.guard, run.raised = before, raised
    if failed and value is UNSET:
        return unknown_from((), phrase("exception"))
    return value


def _submit(call: Call, leaf: Object) -> Guarded:
    rest = Arguments(call.values[1:], call.arguments.names, call.arguments.open)
    return _future(call, _called(call, call.get(0, "fn"), rest))


def _applied(call: Call, leaf: Object) -> Guarded:
    """`pool.apply(f, args, kwds)`."""
    values = [item for _, item in call.items(call.get(1, "args", ())) or ()]
    names = {
        entry.key.known: entry.value
        for entry in _entries(call.get(2, "kwds", None))
        if isinstance(entry.key, Text) and entry.key.known is not None
    }
    return _called(call, call.get(0, "func"), Arguments(values, names))


def _entries(value: Guarded) -> list[Entry]:
    return (value.entries or []) if isinstance(value, Object) else []


def _mapped(call: Call, leaf: Object) -> Guarded:
    return FUNCTIONS["builtins.map"](Call(call.python, call.run, Arguments(call.values), call.frame, call.at))


def _star_mapped(call: Call, leaf: Object) -> Guarded:
    found = []
    for guard, item in call.elements(call.get(1)):
        values = [each for _, each in call.items(item) or ()]
        found.append((guard, call.under(guard, partial(call.apply, call.values[0], *values), UNSET)))
    return containers.made_of(call.run, "list", found, call.at)


METHODS[f"{EXECUTOR}.submit"] = _submit
METHODS[f"{EXECUTOR}.apply"] = _applied
METHODS[f"{EXECUTOR}.apply_async"] = lambda call, leaf: _future(call, _applied(call, leaf))
METHODS[f"{EXECUTOR}.map_async"] = lambda call, leaf: _future(call, _mapped(call, leaf))
METHODS[f"{EXECUTOR}.starmap"] = _star_mapped
for _name in ("map", "imap", "imap_unordered"):
    METHODS[f"{EXECUTOR}.{_name}"] = _mapped
for _name in ("shutdown", "close", "join", "terminate"):
    METHODS[f"{EXECUTOR}.{_name}"] = lambda call, leaf: None
METHODS[f"{FUTURE}.result"] = METHODS[f"{FUTURE}.get"] = lambda call, leaf: leaf.fields["<result>"]
METHODS[f"{FUTURE}.done"] = METHODS[f"{FUTURE}.successful"] = lambda call, leaf: True
METHODS[f"{FUTURE}.wait"] = METHODS[f"{FUTURE}.exception"] = lambda call, leaf: None
METHODS[f"{FUTURE}.cancel"] = METHODS[f"{FUTURE}.cancelled"] = lambda call, leaf: False
METHODS[f"{FUTURE}.add_done_callback"] = lambda call, leaf: _notified(call, leaf)


def _notified(call: Call, leaf: Object) -> Guarded:
    call.apply(call.get(0, "fn"), leaf)
    return None


@native("concurrent.futures.as_completed")
def _as_completed(call: Call) -> Guarded:
    return containers.made_of(call.run, "list", call.elements(call.get(0, "fs")), call.at)


@native("concurrent.futures.wait")
def _wait(call: Call) -> Guarded:
    done = containers.made_of(call.run, "set", call.elements(call.get(0, "fs")), call.at)
    done.open = containers.unsure_length(call, call.get(0, "fs"))
    return (done, containers.made_of(call.run, "set", [], call.at))


__all__ = ["run_pending"]

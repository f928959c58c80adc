"""What code has in its hands that runs it when it likes: listeners of messages, timers, tasks of threads. What these change may
have changed from then on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.clients.apis import Action
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute import given_up
from subdrift.linter.resolve.execute.changes import (
    CHANGES,
    assigned_fields,
    assigned_parts,
    changed_in,
    settled_in,
)
from subdrift.linter.resolve.execute.guards import apply, both, leaves, pick, some, under
from subdrift.linter.resolve.execute.handed import lose_assigned
from subdrift.linter.resolve.execute.havoc import (
    chain,
    enclosing,
    forget_contents,
    forget_fields,
    is_called_back,
    unless_object,
)
from subdrift.linter.resolve.execute.reach import Reach, around, body_of
from subdrift.linter.resolve.execute.values import Bound, Function, Guarded, Object, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.clients import Client
    from subdrift.linter.resolve.execute.declarations import Class, Method
    from subdrift.linter.resolve.execute.interpreter import Interpreter

_RUN_BY: Final = {
    "MessageListener": ("consumeMessage", "consume"),
    "MessageListenerConcurrently": ("consumeMessage",),
    "MessageListenerOrderly": ("consumeMessage",),
    "MessageOrderListener": ("consume",),
    "BatchMessageListener": ("consume",),
    "RocketMQListener": ("onMessage",),
    "RocketMQReplyListener": ("onMessage",),
    "MessageQueueListener": ("messageQueueChanged",),
    "TopicMessageQueueChangeListener": ("onChanged",),
    "SendCallback": ("onSuccess", "onException"),
    "PullCallback": ("onSuccess", "onException"),
    "Runnable": ("run",),
    "Thread": ("run",),
    "TimerTask": ("run",),
    "Callable": ("call",),
}
"""The methods of types of libraries by which these run an object, by simple name; of others it is what overrides theirs."""


LOSING: Final = "functions whose changes are being lost"


def lose_later(run: Interpreter, leaf: Function | Bound | Object, guard: Guarded) -> None:
    """A library got a function or an object, and runs it when it likes: what that changes is not known from here on.

    What it changes may hold other functions, and these what holds it: each is looked at once.
    """
    waiting: list[tuple[Any, Guarded]] | None = run.heap.get(LOSING)
    if waiting is not None:
        waiting.append((leaf, guard))
        return
    seen: set[object] = set()
    waiting = run.heap[LOSING] = [(leaf, guard)]
    try:
        for one, path in waiting:
            code = (id(body_of(one)), id(one.frame)) if type(one) is Function else id(one)
            if (code, path) not in seen:
                seen.add((code, path))
                _lose_one(run, one, path)
    finally:
        del run.heap[LOSING]


def _lose_one(run: Interpreter, leaf: Function | Bound | Object, guard: Guarded) -> None:
    reason = Unknown(Why.DYNAMIC, phrase("callback"))
    before, run.guard = run.guard, guard
    if type(leaf) is Object and leaf.declared is not None:
        for method in _run_by_library(run, leaf.declared):
            _lose_by(run, method, leaf, reason)
    elif type(leaf) is Function:
        _lose_by_function(run, leaf, guard, reason)
    elif type(leaf) is Bound:
        if CHANGES.match(leaf.name):
            forget_contents(run, reason, (under(leaf.target, guard),))
        for made in (one for _, one in leaves(leaf.target, guard) if type(one) is Object):
            for method in _methods(run, made.declared, leaf.name) if made.declared is not None else ():
                _lose_by(run, method, made, reason)
    run.guard = before


LISTENERS: Final = "run from the start of a consumer on"
"""In the heap of a run: what consumers that are not started yet run, with where they got it, by the number of a consumer."""


def listen(run: Interpreter, client: Client, value: Guarded) -> None:
    """A consumer got what it runs, from when it is started on."""
    got = [(guard, leaf) for guard, leaf in leaves(value, run.guard) if type(leaf) in _RUNNABLE]
    if not got:
        return
    for guard, leaf in got:
        run.put_off(guard, leaf)
    run.heap.setdefault(LISTENERS, {}).setdefault(client.object.number, []).extend(got)
    if client.escaped or any(event.action is Action.START for event in client.events):
        begin(run, client)


def begin(run: Interpreter, client: Client) -> None:
    """A consumer is started, or may be by somebody: what it got to run may run from now on."""
    got = run.heap.get(LISTENERS, {}).pop(client.object.number, ())
    for guard, leaf in got if not run.brief else ():
        lose_later(run, leaf, both(run.guard, guard))


_RUNNABLE: Final = frozenset({Function, Bound, Object})

UNDONE: Final = "what threads may have changed"
"""In the heap of a run: what was forgotten as threads were started, to be had again where they have come to their end."""


class _Kept(Struct):
    """What something held before it was forgotten, and what it holds then: values by name, and the elements of objects; and
    what classes that the run comes to later begin without."""

    values: list[tuple[dict[Any, Guarded], Any, Guarded, Guarded]]
    elements: list[tuple[Object, tuple[Any, ...], tuple[Any, ...]]]
    shared: list[Any]


def lose_until_joined(run: Interpreter, value: Guarded) -> None:
    """A thread is started: until somebody waits for its end nobody knows what of it has been run."""
    if run.brief:
        return
    got = [(guard, leaf) for guard, leaf in leaves(value, run.guard) if _is_of_program(leaf)]
    frames = [frame for _, leaf in got if type(leaf) is Function for frame in around(leaf)]
    only = [one for key, one in run.heap.items() if type(key) is tuple and key[0] == "object"]
    reached = Reach.reached(run, frames, [*(leaf for _, leaf in got), *only, *run.statics.values()])
    spaces: list[dict[Any, Guarded]] = [
        *(now for now, _ in reached.spaces),
        *(one.fields for one, *_ in reached.objects),
        run.statics,
    ]
    before = [(space, dict(space)) for space in spaces]
    held = [(one, _elements(one)) for one, *_ in reached.objects]
    shared = run.heap.setdefault(given_up.LATER, [])
    begins = list(shared)
    later, escaped = dict(run.later), [one for one in run.clients if not one.escaped]
    for guard, leaf in got:
        lose_later(run, leaf, guard)
    for one in escaped:
        one.escaped = False
    for number in run.later.keys() - later.keys():
        del run.later[number]
    run.heap.setdefault(UNDONE, []).append(
        _Kept(
            [
                (space, name, value, space[name])
                for space, old in before
                for name, value in old.items()
                if space[name] is not value
            ],
            [(one, old, new) for one, old in held if not _is_same(new := _elements(one), old)],
            [one for one in shared if one not in begins],
        )
    )


def _is_of_program(leaf: Any) -> bool:
    if type(leaf) is Object:
        return leaf.declared is not None and not leaf.declared.file.model
    return type(leaf) in _RUNNABLE


def _elements(one: Object) -> tuple[Any, ...]:
    """What an object holds, such that whatever changes that shows."""
    entries = [part for entry in one.entries or () for part in (entry, entry.guard, entry.value)]
    return one.items, one.entries, one.open, *(one.items or ()), *entries


def _is_same(now: tuple[Any, ...], then: tuple[Any, ...]) -> bool:
    return len(now) == len(then) and all(a is b for a, b in zip(now, then, strict=True))


def have_again(run: Interpreter) -> None:
    """Threads are waited for, and come to their end: what they may have changed is what it was, unless it has been changed
    since, and they are run now."""
    for kept in reversed(run.heap.pop(UNDONE, ())):
        run.heap[given_up.LATER] = [one for one in run.heap[given_up.LATER] if one not in kept.shared]
        for space, name, old, new in kept.values:
            if space.get(name) is new:
                space[name] = old
        for one, before, after in kept.elements:
            if _is_same(_elements(one), after):
                one.items, one.entries, one.open, *_ = before


def _lose_by(run: Interpreter, method: Method, made: Object, reason: Unknown) -> None:
    reached = (one for one, *_ in Reach.reached(run, [], [made, *enclosing(made)]).objects)
    changes = given_up.changes_of(run, method)
    _lose(run, changes, reached, reason)
    settled = settled_in(method.decl.body or ())
    forget_contents(run, reason, [made.fields[name] for name in sorted(settled & made.fields.keys())])
    for frame in chain(made.captured):  # what a class without a name sees around it
        held = frame.variables
        contents = (changes.contents | settled) & held.keys()
        forget_contents(run, reason, [held[name] for name in sorted(contents)])
        for name in sorted(changes.of((method.owner,)) & held.keys()):
            unknown = replace(reason, symbol=("started", name, run.unique()))
            held[name] = pick(run.guard, apply(partial(unless_object, unknown), held[name]), held[name])


def _lose(run: Interpreter, changes: given_up.Changes, reached: Iterable[Object], reason: Unknown) -> None:
    given_up.lose_statics(run, changes)
    given_up.lose_shared(run, changes, reason)
    given_up.lose_plainly(run, changes, reached)


def _lose_by_function(run: Interpreter, function: Function, guard: Guarded, reason: Unknown) -> None:
    lose_assigned(run, function, guard, reason)
    body = body_of(function)
    contents = changed_in(body) | settled_in(body)
    assigned = {name for _, name in assigned_fields(body)}
    held = [
        (frame.variables, frame.this.fields if type(frame.this) is Object else {})
        for frame in around(function)
    ]
    changed = [one[name] for pair in held for one in pair for name in sorted(contents & one.keys())]
    for name, part in sorted(assigned_parts(body)):
        for leaf in (each for pair in held for one in pair for each in some(one.get(name), 4)):
            if type(leaf) is Object and leaf.declared is not None and not leaf.declared.file.model:
                forget_fields(run, leaf, (part,), unless_object)
            elif type(leaf) is Object:
                changed.append(leaf)
    owner = function.frame.owner if function.frame is not None else None
    for one in owner.lexical() if owner is not None else ():
        for name in sorted(assigned & one.fields.keys()):
            if given_up.is_variable(one.fields[name]):
                given_up.lose_static(run, one, name)
        changed += [run.statics[one, name] for name in sorted(contents) if (one, name) in run.statics]
    forget_contents(run, reason, changed)
    changes = given_up.changed_by_calls_of(run, function)
    if changes is not None:
        _lose(run, changes, (one for one, *_ in Reach.of(run, function).objects), reason)


def _run_by_library(run: Interpreter, declared: Class) -> Iterator[Method]:
    """The methods of a class that a library calls which got one of its objects: not those that only types of the program
    above it ask for."""
    family = run.scope.supers(declared)
    above = {each.rpartition(".")[2] for each in run.scope.library_supers(declared)}
    known = {name for each in above for name in _RUN_BY.get(each, ())}
    for each in family:
        for name, methods in each.methods.items():
            if known and name not in known:
                continue
            for one in methods:
                if one.decl.static or one.decl.body is None or name == "<init>":
                    continue
                if known or _overrides_library(run, each, one, is_of_library=bool(above)):
                    yield one


def _overrides_library(run: Interpreter, owner: Class, method: Method, *, is_of_library: bool) -> bool:
    """Whether a method overrides one of a library, and none that a type of the program declares."""
    others = (one for one in run.scope.supers(owner) if one is not owner)
    own = [one for above in others for one in above.methods.get(method.name, ())]
    if owner.file.language != "java" and not own:  # what overrides is not told
        return is_of_library and not method.decl.private
    return is_called_back(owner, method, of_library=is_of_library) and all(
        one.decl.body is not None and one.annotation("Override") for one in own
    )


def _methods(run: Interpreter, declared: Class, name: str) -> Iterable[Method]:
    return [one for each in run.scope.supers(declared) for one in each.methods.get(name, ())]

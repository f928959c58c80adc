"""What Python's iterators give, one element after the other: of collections, of generators, and of what is made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import nodes, remembered
from subdrift.linter.resolve.execute.drawing import LAZY, Coming, coming, drop, pull
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, either, leaves, negate
from subdrift.linter.resolve.execute.handed import beyond
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.loops import ENDLESS, LOOP_MAX, SOME, by_place, is_seen
from subdrift.linter.resolve.execute.protocol import Arguments, Watch
from subdrift.linter.resolve.execute.reach import Reach
from subdrift.linter.resolve.execute.turns import forget_assigned, named_in, some_turn
from subdrift.linter.resolve.execute.values import Bound, Frame, Guarded, Object, Text, TypeValue, Unknown
from subdrift.linter.resolve.semantics.python import containers
from subdrift.linter.resolve.semantics.python.concrete import unknown_from

LEAVES_MAX = 8
"""Possible values of one variable that are looked at."""

Pairs = Iterator[tuple[Guarded, Guarded]]


def following(run: Interpreter, made: Object, rest: Coming, sources: Sequence[Guarded]) -> Object:
    """An iterator of what is still to come, which is drawn from sources: as long as nobody knows how much these hold, nobody
    knows how much it has."""

    def told() -> None:
        found = (unsure(run, source) for source in sources)
        made.open = made.open or next((one for one in found if one is not None), None)

    def drawn() -> Coming:
        while True:
            try:
                pair = next(rest)
            except StopIteration as end:
                told()
                guard: Guarded = end.value
                return guard
            told()
            yield pair

    told()
    made.fields[DRAWN] = True
    return coming(run, made, drawn())


def each(run: Interpreter, value: Guarded, frame: Frame, at: ir.At) -> Pairs:
    """What going through a value gives, as it is when its turn comes. That begins here: a dict that is changed before its
    first key is asked for throws then."""
    parts = [(guard, _of_leaf(run, leaf, frame, at)) for guard, leaf in leaves(value, run.guard)]
    return ((both(outer, inner), item) for outer, pairs in parts for inner, item in pairs)


def iterated(python: Any, run: Interpreter, value: Guarded, frame: Frame) -> Guarded:
    """What the class of an object of the program says to go through instead of it."""
    if not isinstance(value, Object) or value.declared is None or value.constant:
        return value
    found = (python.find(run, value, each, frame) for each in ("__iter__", "__aiter__"))
    hook = next((each for each in found if each is not UNSET), UNSET)
    if hook is UNSET or (isinstance(hook, Bound) and hook.target is value):  # that of a collection
        return value
    given = run.over(hook, lambda leaf: run.call(leaf, Arguments([]), frame, value.at))
    return apply(lambda leaf: _stepping(python, run, leaf, frame), given)


NEXT = ("__next__", "__anext__")
_STOPS = ("builtins.StopIteration", "builtins.StopAsyncIteration")


def _stepping(python: Any, run: Interpreter, leaf: Any, frame: Frame) -> Any:
    """An iterator of a class of the program, as what it gives."""
    if not isinstance(leaf, Object) or leaf.declared is None or leaf.constant:
        return leaf
    if all(python.find(run, leaf, each, frame) is UNSET for each in NEXT):
        return leaf
    made = run.make(None, "generator", leaf.at)
    made.fields[DRAWN] = True
    return coming(run, made, _steps_of(python, run, leaf, frame))


def _steps_of(python: Any, run: Interpreter, leaf: Object, frame: Frame) -> Coming:
    ended: Guarded = False
    for _ in range(LOOP_MAX):
        outer, run.raised = run.raised, []
        value = python.stepped(run, leaf, frame)
        thrown, run.raised = run.raised, outer
        for guard, error in thrown:
            if isinstance(error, Object) and error.type in _STOPS:
                ended = either(ended, guard)
            else:
                run.raised.append((guard, error))
        here = run.guard
        if here is False:
            return ended
        yield here, value
        run.guard = here
    run.note(phrase("more-than-turns-of-a-loop", LOOP_MAX), leaf.at)
    return either(run.guard, ended)


def is_iterable(python: Any, run: Interpreter, leaf: Any, frame: Frame) -> bool:
    """Whether it is known what going through a value gives."""
    if isinstance(leaf, tuple):
        return True
    if isinstance(leaf, Text):
        return leaf.known is not None
    if not isinstance(leaf, Object):
        return isinstance(leaf, TypeValue) and python.items(run, leaf, frame) is not None
    if leaf.items is not None or leaf.entries is not None:
        return True
    if leaf.declared is None:
        return python.items(run, leaf, frame) is not None
    hooks = ("__iter__", "__aiter__", "__next__", "__getitem__")
    return any(python.find(run, leaf, each, frame) is not UNSET for each in hooks)


def _of_leaf(run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> Pairs:
    given = iterated(run.semantics(frame), run, leaf, frame)
    if given is not leaf:
        return iter(()) if given is UNSET else each(run, given, frame, at)
    if isinstance(leaf, Object) and leaf.type == "generator" and (leaf.items or LAZY in leaf.fields):
        return _drawn_from(run, leaf)
    if isinstance(leaf, Object) and leaf.type == "list" and is_seen(leaf):
        return by_place(run, leaf)
    if isinstance(leaf, Object) and leaf.type == "itertools.count" and isinstance(leaf.fields["value"], int):
        return _counted(leaf)
    if isinstance(leaf, Object) and leaf.type == "itertools.cycle":
        return _around(leaf)
    changed = containers.watch(run, leaf) if isinstance(leaf, Object) else None
    return _held(run, leaf, frame, at) if changed is None else _watched(run, leaf, frame, at, changed)


def _held(run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> Pairs:
    yield from run.elements(leaf, frame, at)


def _counted(leaf: Object) -> Pairs:
    while isinstance(leaf.fields["value"], int) and isinstance(leaf.fields["step"], int):
        value = leaf.fields["value"]
        leaf.fields["value"] += leaf.fields["step"]
        yield True, value


def _around(leaf: Object) -> Pairs:
    every = leaf.fields["<items>"]
    while True:
        place = leaf.fields["<place>"]
        leaf.fields["<place>"] = (place + 1) % len(every)
        yield True, every[place]


def _drawn_from(run: Interpreter, leaf: Object) -> Pairs:
    while leaf.items or pull(leaf):
        pair = (leaf.items or [])[0]
        leaf.items = (leaf.items or [])[1:]
        run.taken += 1
        yield pair
    if leaf.open is not None and SOME not in leaf.fields and ENDLESS not in leaf.fields:
        yield True, leaf.open


def _watched(run: Interpreter, leaf: Object, frame: Frame, at: ir.At, changed: Watch) -> Pairs:
    """The elements of a dict or a set, as long as it has as many."""
    for pair in run.elements(leaf, frame, at):
        changed(0)
        if run.guard is False:
            return
        yield pair
    changed(0)


# -- comprehensions -------------------------------------------------------------------------------------------------------


@remembered
def named_outside(node: ir.Comprehension) -> frozenset[str]:
    """The names that `name := value` in a comprehension binds in the code around it."""
    return frozenset(
        each.target.name for each in nodes(node) if type(each) is ir.Assign and type(each.target) is ir.Name
    )


def unsure(run: Interpreter, source: Guarded) -> Unknown | None:
    """Why nobody knows how much a source holds; None where that is known."""
    for _, leaf in leaves(source, run.guard):
        open_ = beyond(leaf) if isinstance(leaf, Object) else leaf
        if isinstance(open_, Unknown):
            return unknown_from((open_,), phrase("element"))
    return None


def comprehended(
    run: Interpreter, node: ir.Comprehension, inner: Frame, first: Guarded, made: Object
) -> Coming:
    """The elements of a comprehension, of which the first source has its value; those of a dict are pairs."""
    return _ended(run, _clause(run, node, 0, inner, first, each(run, first, inner, node.at), made))


def _ended(run: Interpreter, rest: Pairs) -> Coming:
    yield from rest
    return run.guard


def _clause(
    run: Interpreter,
    node: ir.Comprehension,
    number: int,
    inner: Frame,
    source: Guarded,
    turns: Pairs,
    made: Object,
) -> Pairs:
    written = node.clauses[number]
    for guard, item in turns:
        made.open = made.open or unsure(run, source)
        _begin_some(run, node, inner, made)
        going = run.guard
        run.guard = both(going, guard)
        left = both(going, negate(guard)) if guard is not True else False
        if run.guard is not False:
            run.step()
            run.assign(written.target, item, inner, node.at)
        for condition in written.conditions:
            if run.guard is not False:
                holds = run.guard_of(run.value(condition, inner), inner, node.at)
                left = either(left, both(run.guard, negate(holds)))
                run.guard = both(run.guard, holds)
        if run.guard is not False:
            yield from _inside(run, node, number + 1, inner, made)
        going = run.guard = either(run.guard, left)
        if going is False:
            return
        _end_some(run, node, inner, made)


@remembered
def _as_loop(node: ir.Comprehension) -> ir.ForEach | None:
    """The loop that does what a comprehension does beside giving elements, if it may do something."""
    clauses = node.clauses
    parts = [*(one.source for one in clauses[1:]), *(each for one in clauses for each in one.conditions)]
    parts += [node.element, *((node.value,) if node.value is not None else ())]
    if not any(type(each) is ir.Call or type(each) is ir.Assign for each in nodes(tuple(parts))):
        return None
    body = tuple(ir.Do(each, node.at) for each in parts)
    return ir.ForEach(clauses[0].target, None, clauses[0].source, body, node.at)


SOME_TURN = "<some turn>"
"""The field of what a comprehension of unknown length gives: what its turns can reach, as it was before them."""


def _begin_some(run: Interpreter, node: ir.Comprehension, inner: Frame, made: Object) -> None:
    """A turn of unknown number begins: those before it may have written something."""
    loop = _as_loop(node)
    if made.open is None or loop is None or run.brief or SOME_TURN in made.fields:
        return
    reach = made.fields[SOME_TURN] = Reach.of_loop(run, inner, named_in(loop))
    forget_assigned(run, loop, inner)
    some_turn(run, loop, inner, reach)


def _end_some(run: Interpreter, node: ir.Comprehension, inner: Frame, made: Object) -> None:
    """Such a turn has written what nobody knows how many of them did."""
    reach, loop = made.fields.get(SOME_TURN), _as_loop(node)
    if isinstance(reach, Reach) and loop is not None:
        forget_assigned(run, loop, inner)
        reach.forget_changes(run, run.guard, Unknown(Why.DYNAMIC, phrase("element")), grows=True)


def _inside(run: Interpreter, node: ir.Comprehension, number: int, inner: Frame, made: Object) -> Pairs:
    if number < len(node.clauses):
        source = run.value(node.clauses[number].source, inner)
        if run.guard is not False:
            made.open = made.open or unsure(run, source)
            turns = each(run, source, inner, node.at)
            yield from _clause(run, node, number, inner, source, turns, made)
        return
    run.step()
    key = run.value(node.element, inner)
    value = None if node.value is None else run.value(node.value, inner)
    here = run.guard
    if here is not False:
        _end_some(run, node, inner, made)
        yield here, (key, value) if node.kind == "dict" else key
    run.guard = here


DRAWN = "<drawn>"
"""The field of an iterator that a function of the library made: not a generator, though it is as lazy."""

SENT = "<sent>"
"""What was sent to a generator, in its field, and to the code that stands at a `yield`, in the variable of its frame."""

RESULT = "<result>"
"""The field of a generator that has ended: what it returned."""

BEGUN = "<begun>"
"""The field of a generator function's generator of which something was asked for."""

THROWN = "<thrown>"
"""What was thrown into a generator, in its field, up to where its code stands."""


def thrown_into(run: Interpreter, made: Object, error: Guarded) -> bool:
    """`generator.throw(error)`, up to what it gives next; whether it is known what that does."""
    if LAZY not in made.fields and made.open is None and not made.items:
        run.throw(error)
    elif BEGUN not in made.fields and LAZY in made.fields:
        made.fields.pop(LAZY)
        run.throw(error)
    elif LAZY not in made.fields or made.items:
        return False
    else:
        made.fields[THROWN] = error
        pull(made)
    return made.fields.pop(THROWN, UNSET) is UNSET


def let_go(python: Any, run: Interpreter, source: Guarded, frame: Frame) -> None:
    """A loop was left that alone had an iterator."""
    if not isinstance(source, Object) or source.type != "generator" or LAZY not in source.fields:
        return
    before = run.guard
    run.guard = either(before, frame.returned)
    here = run.guard
    close(run, source)
    run.guard = both(before, run.guard) if run.guard is not here else before


def closed(run: Interpreter, made: Object) -> None:
    """`generator.close()`: nothing comes of it any more, whether or not it has begun."""
    lazy = made.fields.get(LAZY)
    if lazy is not None and made.fields.get(BEGUN) == run.guard:
        close(run, made)
        return
    if run.guard is True and (lazy is None or BEGUN not in made.fields):
        made.fields.pop(LAZY, None)
        made.items, made.open = [], None
        return
    elsewhere = negate(run.guard)
    made.items = [(both(there, elsewhere), item) for there, item in made.items or ()]
    if lazy is not None:
        drop(made, Unknown(Why.DYNAMIC, phrase("element")))


def close(run: Interpreter, made: Object) -> None:
    """The end of a generator that nobody wants more of: what its `try` and `with` do in any case."""
    if LAZY not in made.fields or made.fields.get(BEGUN) != run.guard or run.guard is False:
        return
    before, outer, run.raised = run.guard, run.raised, []
    thrown_into(run, made, run.make(None, "builtins.GeneratorExit", made.at))
    late, run.raised = run.raised, outer
    made.fields.pop(LAZY, None)
    made.items, run.guard = [], before
    for guard, error in late:
        if not (
            isinstance(error, Object) and error.type in ("builtins.GeneratorExit", "builtins.StopIteration")
        ):
            run.raised.append((guard, error))
            run.guard = both(run.guard, negate(guard))

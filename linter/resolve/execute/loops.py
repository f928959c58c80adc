"""Loops, their turns, and the ways out of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.model.walk import nodes, remembered
from subdrift.linter.resolve.execute import expressions, handed, statements
from subdrift.linter.resolve.execute.drawing import LAZY, pull
from subdrift.linter.resolve.execute.guards import both, choices, either, leaves, negate, pick, some, under
from subdrift.linter.resolve.execute.havoc import assigned_in, written_in
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.protocol import Arguments, Test, Watch
from subdrift.linter.resolve.execute.reach import Reach
from subdrift.linter.resolve.execute.state import CHOICES_MAX, NEEDS_LEAVES_MAX, PRIMITIVE
from subdrift.linter.resolve.execute.turns import (
    forget_asked,
    forget_assigned,
    forget_readers,
    forget_written,
    named_in,
    some_turn,
)
from subdrift.linter.resolve.execute.values import Frame, Guarded, Loop, Object, Unknown
from subdrift.linter.resolve.execute.waiting import is_steady, may_leave

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.clients import Client
    from subdrift.linter.resolve.execute.interpreter import Interpreter

LOOP_MAX = 256
"""Turns of one loop."""

IDLE_TURNS = 32
"""Turns of a loop that does not count, while no turn touches a consumer."""

STEADY_TURNS = 2
"""Turns of a loop that goes on for ever and does the same each time."""

GENERATED_MAX = 48
"""Turns of such a loop in a generator: so many of its elements are told apart."""

UNSURE_TURNS = 6
"""Turns of a loop that counts, while each may be the last: so often something is tried again."""

ENDLESS = "<endless>"
"""The variable of a generator's frame that says that there are more elements."""

FAILS = "<fails>"
"""The field of an iterator with what is thrown, and where, when nothing more comes of it."""

SOME = "<some>"
"""The variable of a generator's frame that says why nobody knows how many elements there are like those that it gives."""


def holds_more(leaf: Any) -> bool:
    """Whether what a loop goes through has elements that nobody knows."""
    return type(leaf) is Unknown or handed.beyond(leaf) is not None


def _is_unseen(sources: Iterable[Any], turns: Iterable[tuple[Guarded, Guarded]]) -> bool:
    """Whether a loop goes through something of the program of whose elements nobody knows one."""
    own = any(type(leaf) is Object and leaf.items is None and leaf.entries is None for leaf in sources)
    return own and type(turns) is list and any(type(item) is Unknown for _, item in turns)


def for_each(run: Interpreter, node: ir.ForEach, frame: Frame) -> None:
    source = run.value(node.source, frame)
    semantics: Any = run.semantics(frame)
    if hasattr(semantics, "iterated"):
        source = semantics.iterated(run, source, frame)
    iterator = _own_iterator(run, node, source, frame)
    if iterator is not None:
        frame.variables[_iterator_of(node)] = iterator
        run.run((_as_while(node),), frame)
    elif run.guard is not False:
        go_through(run, node, frame, source)
    if type(node.source) is ir.Call and hasattr(semantics, "let_go"):  # nobody else has what it gave
        semantics.let_go(run, source, frame)


def _own_iterator(run: Interpreter, node: ir.ForEach, source: Guarded, frame: Frame) -> Object | None:
    """The iterator of an object of the program, of a class of the program's own: what its methods do is done turn by turn."""
    if type(source) is not Object or source.declared is None or source.declared.file.model:
        return None
    if source.items is not None or source.entries is not None or type(node.target) is not ir.Name:
        return None
    found = run.scope.methods(source.declared, "iterator", 0)
    if (
        run.guard is False
        or not found
        or source.declared.file.language == "python"
        or not _makes_own(found[0].decl)
    ):
        return None
    made = run.invoke(found[0], source, Arguments([]), frame, run.place(frame, node.at), source.captured)
    if not isinstance(made, Object) or made.declared is None or made.declared.file.model:
        return None
    of = made.declared
    return made if all(run.scope.methods(of, name, 0) for name in ("hasNext", "next")) else None


@remembered
def _makes_own(method: ir.MethodDecl) -> bool:
    """Whether a method does no more than to make an object."""
    body = method.body or ()
    return len(body) == 1 and type(body[0]) is ir.Return and type(body[0].value) is ir.New


def _iterator_of(node: ir.ForEach) -> str:
    return f"<iterator {node.at}>"


@remembered
def _as_while(node: ir.ForEach) -> ir.While:
    """A loop over what an iterator gives that stands in a variable."""
    assert type(node.target) is ir.Name
    at = node.source.at
    asked, given = (
        ir.Call(ir.Name(_iterator_of(node), at), each, (), at, at) for each in ("hasNext", "next")
    )
    return ir.While(asked, (ir.Let(node.target.name, node.type, given, node.at), *node.body), node.at)


def go_through(run: Interpreter, node: ir.ForEach, frame: Frame, source: Guarded) -> None:
    """Runs a loop over what a value holds."""
    turns: Iterable[tuple[Guarded, Guarded]]
    unseen: list[Any] = []
    if type(node.target) is ir.Name:
        statements.declare_type(frame, node.target.name, node.type)
    if type(source) is Object and source.type == "generator" and (source.items or pull(source)):
        turns = drawn(run, source)
    elif type(source) is Object and source.type == "list" and is_seen(source):
        turns = by_place(run, source)
    elif type(source) is Object and source.type == "itertools.count":
        turns = counted(run, source, node, frame)
    else:
        turns = [
            (both(guard, inner), item if _is_primitive(node.type) else run.typed(item, node.type, frame))
            for guard, leaf in leaves(source, run.guard)
            for inner, item in run.elements(leaf, frame, node.at, unseen)
        ]
    sources = some(source, NEEDS_LEAVES_MAX)
    more = bool(unseen) or any(map(holds_more, sources)) or _is_unseen(sources, turns)
    unsure = more and not run.brief
    reach = Reach.of_loop(run, frame, named_in(node)) if unsure else None
    if reach is not None:  # some turn, nobody knows which
        forget_assigned(run, node, frame)
        some_turn(run, node, frame, reach)
    given = len(frame.yielded or ())
    known = not unsure and (type(turns) is list or (type(source) is Object and source.type == "list"))
    watch = run.semantics(frame).watch(run, source) if known else None
    broken = run_turns(run, turns, node.target, node.body, frame, node.at, known=known, watch=watch)
    fail(run, ending(source))
    if not unsure and any(map(holds_more, some(source, NEEDS_LEAVES_MAX))) and not run.brief:
        reach = Reach.of_loop(run, frame, named_in(node))  # it came out on the way
    if reach is not None and run.guard is not False:
        forget_assigned(run, node, frame)
        may_give_more(frame, given)
        reach.forget_changes(run, run.guard, Unknown(Why.DYNAMIC, phrase("element")), grows=True)
    if run.guard is not False and node.otherwise:
        run.run(node.otherwise, frame)
    run.guard = either(run.guard, broken)


def _is_primitive(ref: ir.TypeRef | None) -> bool:
    return ref is not None and ref.name in PRIMITIVE


def ending(source: Any) -> Sequence[tuple[Guarded, Guarded]]:
    """What an iterator throws where nothing more comes of it, and where; it does so once."""
    found: Sequence[tuple[Guarded, Guarded]] = source.fields.pop(FAILS, ()) if type(source) is Object else ()
    return found


def fail(run: Interpreter, late: Iterable[tuple[Guarded, Guarded]]) -> None:
    """Throws what iterators end in."""
    for guard, value in late:
        inner = both(run.guard, guard)
        if inner is not False:
            run.raised.append((inner, value))
            run.guard = both(run.guard, negate(inner))


def may_give_more(frame: Frame, before: int) -> None:
    """A loop of an unknown number of turns ends, in which a generator gave something since it had given so many."""
    if frame.yielded is not None and len(frame.yielded) > before:
        frame.variables[SOME] = Unknown(Why.DYNAMIC, phrase("element"))


def drawn(run: Interpreter, source: Object) -> Iterator[tuple[Guarded, Guarded]]:
    """What an iterator still has, one after the other: the body of a loop may draw from it too."""
    for _ in range(LOOP_MAX):
        if not source.items and not pull(source):
            return
        assert source.items
        guard, item = source.items[0]
        source.items = source.items[1:]
        yield guard, item
        if (
            not source.items
            and source.open is not None
            and SOME not in source.fields
            and LAZY not in source.fields
        ):
            yield True, source.open


def is_seen(source: Object) -> bool:
    """Whether all elements of a list are seen, and all of them there."""
    return (
        source.items is not None
        and source.open is None
        and len(source.items) <= LOOP_MAX
        and all(guard is True for guard, _ in source.items)
    )


def by_place(run: Interpreter, source: Object) -> Iterator[tuple[Guarded, Guarded]]:
    """What a list of Python has at each place when its turn comes: the body of a loop may add and take away."""
    held: Sequence[tuple[Guarded, Guarded]] = ()
    for place in range(LOOP_MAX):
        if is_seen(source):
            held = list(source.items or ())
        if place >= len(held):
            return
        run.work(1)
        yield held[place]
    if len(source.items or ()) > LOOP_MAX:
        yield True, Unknown(Why.TOO_MANY, phrase("more-than-elements", LOOP_MAX))


def counted(
    run: Interpreter, source: Object, node: ir.ForEach, frame: Frame
) -> Iterator[tuple[Guarded, Guarded]]:
    """The numbers of a count without an end, fewer where it hangs on something unknown whether there is another turn."""
    decided = len(run.decisions)
    for turn in range(GENERATED_MAX):
        number, step = source.fields["value"], source.fields["step"]
        is_open = turn >= UNSURE_TURNS and len(run.decisions) > decided
        if type(number) is not int or type(step) is not int or is_open:
            break
        source.fields["value"] = number + step
        yield True, number
    source.fields["value"] = run.unknown(Why.DYNAMIC, phrase("element"), frame, node.at)
    forget_assigned(run, node, frame)
    yield True, source.fields["value"]
    forget_assigned(run, node, frame)


def some_element(run: Interpreter, leaf: Any, unknown: Any, frame: Frame) -> Guarded:
    """An element of what nobody can see into, or of what holds more than is known."""
    is_unknown = isinstance(unknown, Unknown)
    whole = symbol_of(leaf)
    symbol = (
        None if whole is None else ("element", whole, ("once", run.unique()))
    )  # another loop's is another
    kind = unknown.type.args[-1] if is_unknown and unknown.type and unknown.type.args else None
    detail = f"element of {unknown.detail if is_unknown else ''}".rstrip(" of")
    item = Unknown(unknown.why if is_unknown else Why.DYNAMIC, detail, symbol)
    return run.due(run.typed(item, kind, frame), leaf)


def run_turns(
    run: Interpreter,
    turns: Iterable[tuple[Guarded, Guarded]],
    target: ir.Expr,
    body: Sequence[ir.Stmt],
    frame: Frame,
    at: ir.At,
    *,
    known: bool = False,
    watch: Watch | None = None,
) -> Guarded:
    """Runs a loop's body for each element; gives the guard under which it was left by `break`, or found nothing more."""
    loop = Loop(known=known)
    frame.loops.append(loop)
    turn = 0
    of = frame.declared.get(target.name) if type(target) is ir.Name else None
    for guard, item in turns:
        going = run.guard  # without the paths on which there was no next one, but something thrown
        if watch is not None:
            going = _watched(run, watch, turn, going, loop)
            turn += 1
        here = both(going, guard)
        skipped = both(going, negate(guard)) if guard is not True else False
        if here is False:
            run.guard = going
            continue
        run.guard = here
        expressions.declare(run, target, frame)
        run.assign(target, run.typed(item, of, frame) if _is_primitive(of) else item, frame, at)
        loop.continued = False
        before = run.steps
        run.run(body, frame)
        turned(run, before)
        run.guard = going = either(either(run.guard, loop.continued), skipped)
        if going is False:
            break
    frame.loops.pop()
    forget_left(run, loop, body, frame, at)
    going = run.guard
    if watch is not None and going is not False:
        run.guard = _watched(run, watch, turn, going, loop)
    return loop.broken


def forget_left(run: Interpreter, loop: Loop, body: Sequence[ir.Stmt], frame: Frame, at: ir.At) -> None:
    """What a loop has written is not known behind it where it may have been left before."""
    if loop.left and run.guard is not False:
        run.semantics(frame).forget(run, written_in(body), frame, at)


def _watched(run: Interpreter, watch: Watch, turn: int, going: Guarded, loop: Loop) -> Guarded:
    """The guard under which a loop has another turn, as far as what it goes through has not been changed."""
    run.guard = going
    ends = watch(turn)
    if ends is False:
        return run.guard
    loop.broken = either(loop.broken, both(run.guard, ends))
    return both(run.guard, negate(ends))


def turned(run: Interpreter, before: int) -> None:
    """A turn costs a step where nothing in it does: loops in loops without statements end at the bound too."""
    if run.steps == before:
        run.step()


def while_(run: Interpreter, node: ir.While, frame: Frame) -> None:
    _While(run, node, frame).go()


class _While:
    """One run of a loop with a test: `left` is where it has been left so far, `unsure` how often nobody could tell whether
    there is another turn."""

    def __init__(self, run: Interpreter, node: ir.While, frame: Frame) -> None:
        self.run, self.node, self.frame = run, node, frame
        self.loop = Loop()
        self.start = run.guard
        self.given = len(frame.yielded or ())
        self.reach: Reach | None = None
        self.left: Guarded = False
        self.turn = 0
        self.taken = run.taken
        self.unseen = self.latest = run.unseen
        self.unsure = 0
        self.decided = len(run.decisions)  # before it
        self.settled = CHOICES_MAX  # up to which its choices are those of every turn
        self.counts: bool | None = None
        self.mark = {id(client): len(client.events) for client in run.clients}
        self.endless = isinstance(node.test, ir.Const) and node.test.value is True
        self.steady = self.endless or is_steady(run, node, frame)
        self.leaving = not self.steady or may_leave(run, node, frame)
        self.most = GENERATED_MAX if self.endless and frame.yielded is not None else STEADY_TURNS

    def go(self) -> None:
        run, node, frame = self.run, self.node, self.frame
        frame.loops.append(self.loop)
        going = self.start
        while going is not False:
            run.guard = going
            before = run.steps
            if not (node.after and self.turn == 0):
                self._test()
            if run.guard is False or not self._take_turn():
                break
            left, going = going, run.guard
            turned(run, before)
            if self._does_the_same(going):
                break
            if self._may_leave_later(left, going):
                self._forget(unsure=True)  # it may be left in any turn, of which the next one is some
                reach = self.reach or Reach.of_loop(run, frame, named_in(node))
                some_turn(run, node, frame, reach)
        frame.loops.pop()
        self._end()

    def _test(self) -> None:
        """Asks whether there is another turn."""
        run, node, frame = self.run, self.node, self.frame
        holds, known = goes_on(run, node, frame, self.unsure)
        if run.guard is False:
            return
        if not known and not self.unsure and not run.brief:
            # some turn, nobody knows which: what it hangs on is not known in it either
            names = written_in(node.body) | written_in(node.update)
            forget_written(run, names, node, frame)
            forget_asked(run, node.test, frame)
            forget_readers(run, names, frame)
            self.reach = Reach.of_loop(run, frame, named_in(node))
            some_turn(run, node, frame, self.reach)
        self.unsure += not known
        self.loop.known = known and not self.endless
        self.left = either(self.left, both(run.guard, negate(holds)))
        run.guard = both(run.guard, holds)

    def _take_turn(self) -> bool:
        """Runs the body once more; false where it ends there."""
        run, node = self.run, self.node
        self.turn += 1
        if self.turn > IDLE_TURNS and self.turn > self._most_turns():
            run.leave_off(phrase("more-than-turns-of-a-loop", self.turn - 1), run.place(self.frame, node.at))
            crowd(run, self.mark, phrase("more-than-turns-of-a-loop", self.turn - 1))
            self.left = either(self.left, run.guard)
            self.unsure = 1
            return False
        self.loop.continued = False
        self.taken = run.taken
        if self.steady and not run.brief:
            self.reach = Reach.of_loop(run, self.frame, named_in(node))
        if (
            self.steady or self.unsure
        ):  # each turn is some turn: what nobody knows answers alike in all of them
            run.unseen = self.unseen
        run.run(node.body, self.frame)
        self.latest = max(self.latest, run.unseen)
        run.guard = either(run.guard, self.loop.continued)
        if run.guard is False:
            return False
        for each in node.update:
            run.value(each, self.frame)
        return True

    def _may_leave_later(self, before: Guarded, going: Guarded) -> bool:
        """Whether a loop has been left in a turn as it may be in another one, nobody knows which: one that goes on for ever,
        or under a condition that a turn does not share with the one before."""
        run = self.run
        decided, self.settled = self.settled, len(run.decisions)
        if self.reach is not None and self.turn < STEADY_TURNS and going != self.start:
            run.turns += 1
            return True
        if going is before or self.unsure or self.steady or run.brief:
            return False
        fresh = [number for number in choices(going) if number >= self.decided]
        varies = any(number >= decided or number in run.once for number in fresh)
        run.turns += varies
        return varies and self.turn == UNSURE_TURNS

    def _most_turns(self) -> int:
        if self.counts is None:
            self.counts = bool(self.node.update) or _counts(self.node)
        return LOOP_MAX if self.counts or touched(self.run, self.mark) else IDLE_TURNS

    def _does_the_same(self, going: Guarded) -> bool:
        """Whether a loop that goes on for ever has done what it does."""
        ends = not self.leaving or going != self.start or self.most > STEADY_TURNS
        if not (self.steady and self.turn >= self.most and ends and self.run.taken == self.taken):
            return False
        self.left = either(self.left, going)  # what happens twice happens for ever
        if self.most > STEADY_TURNS:
            self.frame.variables[ENDLESS] = True
        return True

    def _forget(self, *, unsure: bool) -> None:
        """What turns of an unknown number have changed is not known."""
        run, node, frame = self.run, self.node, self.frame
        if unsure:
            forget_written(run, written_in(node.body) | written_in(node.update), node, frame)
            forget_asked(run, node.test, frame)
        if self.reach is not None and run.guard is not False:
            self.reach.forget_changes(run, run.guard, Unknown(Why.DYNAMIC, phrase("element")), grows=True)

    def _end(self) -> None:
        """What is known behind the loop."""
        run, node, frame = self.run, self.node, self.frame
        if self.endless and self.left is not False and self.leaving and self.loop.broken is False:
            self.left = returned_later(run, self.left, frame, node)
        run.guard = self.left
        run.unseen = self.latest
        if self.unsure:
            may_give_more(frame, self.given)
        self._forget(unsure=self.unsure > 0)
        forget_left(run, self.loop, node.body, frame, node.at)
        if run.guard is not False and node.otherwise:
            run.run(node.otherwise, frame)
        run.guard = either(run.guard, self.loop.broken)


def _counts(node: ir.While) -> bool:
    """Whether a loop asks for a variable that its body assigns."""
    assigned = assigned_in(node.body) | {one.name for one in nodes(node.body) if type(one) is ir.Let}
    return any(type(one) is ir.Name and one.name in assigned for one in nodes(node.test))


def returned_later(run: Interpreter, left: Guarded, frame: Frame, node: ir.While) -> Guarded:
    """A loop that only a `return` leaves comes back with a value, in a turn that was not followed: one nobody knows.
    Gives the guard under which code behind the loop runs."""
    if frame.returned is False:
        return left
    unknown = run.unknown(Why.DYNAMIC, phrase("value-of-a-loop"), frame, node.at)
    frame.result = pick(left, unknown, frame.result)
    frame.returned = either(frame.returned, left)
    return False


def touched(run: Interpreter, mark: Mapping[int, int]) -> list[Client]:
    """The consumers that a loop has made, or done something to; `mark` has how much was done to each before it."""
    return [one for one in run.clients if len(one.events) != mark.get(id(one), -1)]


def crowd(run: Interpreter, mark: Mapping[int, int], why: str) -> None:
    """Of consumers that a loop without an end in sight has touched nothing is compared."""
    for client in touched(run, mark):
        client.crowded = client.crowded or why


def goes_on(run: Interpreter, node: ir.While, frame: Frame, unsure: int) -> tuple[Guarded, bool]:
    """The guard of another turn; under a condition nobody can know the body runs once."""
    before = len(run.decisions)
    test = run.value(node.test, frame)
    semantics = run.semantics(frame)
    holds: Guarded = False
    known = True
    for guard, leaf in leaves(test, run.guard):
        truth = leaf if isinstance(leaf, Test) else semantics.truth(leaf)
        if leaf is None:
            semantics.on_null(run, guard, frame)
        if isinstance(truth, Test):
            known = False
            truth = unsure == 0
        holds = either(holds, both(guard, truth))
    holds = under(holds, run.guard)
    if any(
        number >= before for number in choices(holds)
    ):  # a condition inside of what is asked for each turn
        known = False
        holds = holds if unsure == 0 else False
    return holds, known


def break_(run: Interpreter, node: ir.Break, frame: Frame) -> None:
    for loop in reversed(frame.loops):
        if loop.label == node.label if node.label else loop.label == "":
            loop.broken = either(loop.broken, run.guard)
            break
    run.guard = False


def continue_(run: Interpreter, node: ir.Continue, frame: Frame) -> None:
    inner: Loop | None = None
    for loop in reversed(frame.loops):
        if node.label and loop.label == node.label:
            target = inner or loop
            target.continued = either(target.continued, run.guard)
            break
        if loop.turns:
            inner = loop
            if not node.label:
                loop.continued = either(loop.continued, run.guard)
                break
    run.guard = False

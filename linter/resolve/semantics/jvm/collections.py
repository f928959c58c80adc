"""Lists, sets, maps and arrays of the Java library: how they are made, walked over and called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.drawing import items_of, pull_all
from subdrift.linter.resolve.execute.given_up import lose_before
from subdrift.linter.resolve.execute.guards import (
    CROWDED,
    UNSET,
    apply,
    both,
    choose,
    crowded,
    either,
    leaves,
    negate,
    pick,
    some,
    under,
)
from subdrift.linter.resolve.execute.handed import lose_assigned
from subdrift.linter.resolve.execute.havoc import alike, is_alike, some_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.loops import FAILS, LOOP_MAX, ending, fail, some_element
from subdrift.linter.resolve.execute.peers import Effect, Peer
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.reach import Reach
from subdrift.linter.resolve.execute.state import NEEDS_LEAVES_MAX
from subdrift.linter.resolve.execute.values import (
    Bound,
    Frame,
    Function,
    Guarded,
    Object,
    Unknown,
    join,
    text,
)
from subdrift.linter.resolve.semantics.jvm import elements, order, strictness, views
from subdrift.linter.resolve.semantics.jvm.calls import KINDS, Call, Pair, call_on
from subdrift.linter.resolve.semantics.jvm.equality import equal
from subdrift.linter.resolve.semantics.jvm.operators import raise_where

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

LISTS = frozenset(
    {
        "ArrayList", "LinkedList", "List", "HashSet", "LinkedHashSet", "TreeSet", "Set", "CopyOnWriteArrayList", "Vector",
        "Stack", "ArrayDeque", "Deque", "Queue", "Collection", "Iterable", "ConcurrentLinkedQueue", "LinkedBlockingQueue",
        "CopyOnWriteArraySet", "PriorityQueue", "ConcurrentSkipListSet", "ConcurrentHashSet", "BlockingQueue", "SortedSet",
        "ConcurrentLinkedDeque", "ArrayBlockingQueue", "AbstractList", "SequencedCollection", "PriorityBlockingQueue",
        "LinkedBlockingDeque", "EnumSet",
    }
)  # fmt: skip
MAPS = frozenset(
    {
        "HashMap", "LinkedHashMap", "TreeMap", "ConcurrentHashMap", "Hashtable", "Map", "ConcurrentMap", "EnumMap",
        "Properties", "IdentityHashMap", "WeakHashMap", "SortedMap", "NavigableMap", "ConcurrentSkipListMap", "AbstractMap",
    }
)  # fmt: skip

CURSOR = "java.util.CellCursor"
"""The model that all iterators are objects of."""

ARRAY_MAX = 4_096
"""Elements of one array made without an initialiser."""


def array(run: Interpreter, values: list[Guarded], at_: Location | None) -> Object:
    made = run.make(None, "[]", at_)
    made.items = [(True, value) for value in values]
    return made


def new_list(run: Interpreter, kind: str, at_: Location | None) -> Object:
    made = run.make(None, kind, at_)
    made.items = []
    return made


def new_map(run: Interpreter, kind: str, at_: Location | None) -> Object:
    made = run.make(None, kind, at_)
    made.entries = []
    return made


def items(java: Java, run: Interpreter, leaf: Any, frame: Frame) -> list[tuple[Guarded, Guarded]] | None:
    """What iterating over a value gives, None where nobody can see it; what its iterator throws is thrown."""
    found = walked(java, run, leaf, frame)
    fail(run, ending(leaf))
    return found


def walked(java: Java, run: Interpreter, leaf: Any, frame: Frame) -> list[tuple[Guarded, Guarded]] | None:
    """What iterating over a value gives; what its iterator throws in the end is left to `loops.ending`."""
    views.refresh(leaf)
    if isinstance(leaf, Object):
        if leaf.declared is not None and leaf.items is None:
            return _own_iteration(java, run, leaf, frame)
        if leaf.items is not None:
            pull_all(leaf)
            if (stale := views.is_stale(leaf)) is not False and not run.stand_in:
                raise_where(run, stale, "ConcurrentModificationException")
            run.work(len(leaf.items))
            found = [(under(g, run.guard), v) for g, v in leaf.items]
            if leaf.open is not None and not is_alike(leaf.open, found):
                detail = phrase("element-of", leaf.open.detail)
                found.append((True, replace(some_of(run, leaf.open), detail=detail)))
            return found
    if isinstance(leaf, Function) and leaf.native is None and not leaf.params:  # it stands for an `Iterable`
        made = run.make(
            None, "Iterable", run.place(frame, frame.owner.decl.at) if frame.owner is not None else None
        )
        given = _drawn_from(java, run, made, run.call(leaf, Arguments([]), frame, None), frame)
        fail(run, ending(made))
        return given if made.open is None else None  # there may be more
    return None


def _own_iteration(
    java: Java, run: Interpreter, leaf: Object, frame: Frame
) -> list[tuple[Guarded, Guarded]] | None:
    """A declared class that is iterable: what its iterator gives."""
    assert leaf.declared is not None
    assert frame.owner is not None
    place = frame.owner.decl.at
    iterator: Guarded = leaf
    if run.scope.methods(leaf.declared, "iterator", 0):
        iterator = java.call_method(run, leaf, "iterator", Arguments([]), frame, place)
    elif leaf.declared.file.language != "kotlin" or not run.scope.methods(leaf.declared, "hasNext", 0):
        return None  # Kotlin goes through an iterator as through what has one
    return _drawn_from(java, run, leaf, iterator, frame)


def _drawn_from(
    java: Java, run: Interpreter, leaf: Object, iterator: Guarded, frame: Frame
) -> list[tuple[Guarded, Guarded]] | None:
    """What an iterator of `leaf` gives."""
    assert frame.owner is not None
    place = frame.owner.decl.at
    iterator = under(iterator, run.guard)  # what it is where the loop runs
    if isinstance(iterator, Object) and iterator.type == CURSOR and iterator.fields.get("next") == 0:
        iterator = under(iterator.fields.get("cells"), run.guard)
    unknown = next((one for _, one in leaves(iterator, run.guard) if isinstance(one, Unknown)), None)
    if unknown is not None:
        leaf.open = leaf.open or alike(unknown, leaf)
        return [(True, some_element(run, leaf, unknown, frame))]
    if not isinstance(iterator, Object):
        return None
    if iterator.declared is None:
        seen = items(java, run, iterator, frame)
        if iterator.open is not None:
            leaf.open = leaf.open or alike(iterator.open, leaf)
        return seen
    found: list[tuple[Guarded, Guarded]] = []
    before, mark = run.guard, len(run.raised)
    going: Guarded = True
    for _ in range(LOOP_MAX):
        more = java.call_method(run, iterator, "hasNext", Arguments([]), frame, place)
        if run.guard is False:
            break
        known = all(isinstance(one, bool) for _, one in leaves(more))
        going = both(going, more) if known else going
        if going is False:
            break
        value = java.call_method(run, iterator, "next", Arguments([]), frame, place)
        if run.guard is False:
            break
        found.append((going, value))
        if not known:  # some element
            leaf.open = leaf.open or alike(Unknown(Why.DYNAMIC, "hasNext()"), leaf)
            break
    if run.guard is False and len(run.raised) > mark:
        leaf.fields[FAILS] = tuple(run.raised[mark:])
        del run.raised[mark:]
    run.guard = before
    return found


def copy_items(run: Interpreter, value: Guarded, frame: Frame) -> list[tuple[Guarded, Guarded]] | None:
    views.refresh(value)
    if isinstance(value, Object) and value.items is not None and value.open is None:
        return items_of(value)
    if (
        isinstance(value, Object)
        and value.items is None
        and value.entries is None
        and value.declared is not None
    ):
        found = run.semantics(frame).items(run, value, frame)
        return found if value.open is None else None
    return None


def stream_of(java: Java, run: Interpreter, value: Guarded, frame: Frame, place: Location) -> Object:
    """A stream over a collection's elements, as they are now."""
    made = new_list(run, "Stream", place)
    if isinstance(value, Object):
        found = items_of(value) if value.items is not None else items(java, run, value, frame)
        made.items = found if found is not None else []
        made.open = value.open if found is not None else Unknown(Why.DYNAMIC, phrase("stream"))
    else:
        made.open = value if isinstance(value, Unknown) else Unknown(Why.DYNAMIC, phrase("stream"))
    return made


# -- calls ----------------------------------------------------------------------------------------------------------


def collection_method(call: Call, leaf: Object) -> Guarded:
    """A call on a list, set, map, array or stream; NotImplemented where it is none of them."""
    peer = _peer(leaf, call.name)
    if peer is None:
        return NotImplemented
    views.refresh(leaf)
    run = call.run
    if views.VIEW in leaf.fields:
        stale = views.is_stale(leaf)
        if stale is not False and not _overlooks(call, leaf):
            elements.fail(call, "ConcurrentModificationException", stale)
            if run.guard is False:
                return UNSET
    if (nulls := strictness.refused(call, leaf)) is not False:
        elements.fail(call, "NullPointerException", nulls)
        if run.guard is False:
            return UNSET
    if not peer.effect & Effect.MUTATES_RECEIVER:
        return call_on(call, peer, leaf)
    if leaf.fields.get(views.FIXED) == views.ALL:
        return elements.fail(call, "UnsupportedOperationException")
    if views.VIEW in leaf.fields and leaf.open is not None:
        elements.forget(run, leaf, leaf.open)
        return call.unknown()
    if call.name in ("poll", "remove", "take") and not call.args:
        order.take_top(call, leaf)
    found = call_on(call, peer, leaf)
    if run.guard is not False:
        base = views.root(leaf)
        if not order.is_table(base):
            order.arranged(call, base)
        views.refresh(leaf)
    run.bound(leaf)
    return found


def _overlooks(call: Call, leaf: Object) -> bool:
    """Whether a method of a part of a list does not see that the list was changed otherwise."""
    if call.name == "replaceAll":
        return views.kind_of(views.root(leaf)) == "ArrayList"
    return call.name == "equals" and bool(call.args) and call.args[0] is leaf


def _peer(leaf: Object, name: str) -> Peer | None:
    kind = views.kind_of(leaf)
    if kind in ("Stream", "IntStream"):
        return KINDS.find("stream", name)
    if leaf.entries is not None:
        return KINDS.find("map", name)
    if leaf.items is None:
        return None
    own = KINDS.find("stack", name) if kind == "Stack" else None
    return own or KINDS.find("collection", name)


def cursor(call: Call, leaf: Object, start: Guarded, *, live: bool) -> Guarded:
    """An iterator over a collection: an object of its model."""
    if views.kind_of(leaf).startswith("CopyOnWrite"):
        snapshot = call.listed("List", list(leaf.items or ()), leaf.open)
        snapshot.fields[views.FIXED] = views.ALL
        leaf = snapshot
    return call.constructed(CURSOR, leaf, start, live)


def once(run: Interpreter, made: Object) -> None:
    """The elements of a set: of equal ones the first. An object that may be equal to another is there as a choice."""
    kept: list[tuple[Guarded, Guarded]] = []
    for guard, value in made.items or ():
        if any(known is True and apply(equal, one, value) is True for known, one in kept):
            continue
        if type(value) is Object and any(elements.may_equal(one, value) for _, one in kept):
            number = run.decide(("once", made.number, len(kept)), 2, "condition", made.at)
            guard = both(guard, choose(number, 2, 0))
        kept.append((guard, value))
    made.items = kept


def join_items(
    call: Call,
    separator: Guarded,
    found: list[tuple[Guarded, Guarded]],
    prefix: Guarded = None,
    suffix: Guarded = None,
) -> Guarded:
    """Texts of guarded elements with a separator between those that are there."""
    result: Guarded = (False, text(""))

    def add(state: Any, leaf: Any, sep: Any) -> Any:
        started, so_far = state
        shown = call.java.shown(call.run, leaf)
        pieces = [so_far, call.java.shown(call.run, sep), shown] if started else [so_far, shown]
        return (True, call.run.wrote(join(pieces)))

    for guard, item in found:
        result = pick(guard, apply(add, result, item, separator), result)
        if crowded(result):
            return CROWDED
    body = apply(lambda state: state[1], result)
    if prefix is None and suffix is None:
        return body
    return apply(
        lambda a, b, c: join([call.java.shown(call.run, x) for x in (a, b, c) if x is not None]),
        prefix,
        body,
        suffix,
    )


def where_there(run: Interpreter, found: Iterable[Pair]) -> Iterator[Pair]:
    """Guarded elements, each on the path on which it is there and which those before it have left; afterwards the path is the
    one before, but for what was thrown."""
    going = run.guard
    for guard, value in found:
        run.guard = both(going, guard)
        if run.guard is not False:
            yield guard, value
            going = either(run.guard, both(going, negate(guard)) if guard is not True else False)
    run.guard = going


def each_item(
    call: Call,
    found: list[tuple[Guarded, Guarded]],
    function: Guarded,
    of: Object | None = None,
    more: Unknown | None = None,
) -> None:
    """Runs a function for each guarded element, `of` a collection that finds out where the function changes it; `more`: there
    are others, before or behind them."""
    run = call.run
    before = views.changes(of) if of is not None else None
    reached = [] if more is None else _some_turn(run, function, more)
    for _, item in where_there(run, found):
        if more is None:
            call.invoke(function, item)
        else:
            _on_some(call, function, more, item)
        if of is not None and not strictness.unchanged(call, of, before):
            return
    for each in reached:
        each.forget_changes(run, run.guard, more or call.unknown())


def for_some(call: Call, function: Guarded, reason: Unknown, *values: Guarded) -> None:
    """Runs a function for some element: nobody knows for how many others it ran before, and runs."""
    before = call.run.guard
    reached = _some_turn(call.run, function, reason)
    _on_some(call, function, reason, *values)
    for each in reached:
        each.forget_changes(call.run, before, reason)  # what it did before it threw, too


def _on_some(call: Call, function: Guarded, reason: Unknown, *values: Guarded) -> None:
    def on(leaf: Any) -> Guarded:
        of = leaf.target if isinstance(leaf, Bound) else None
        given = Arguments(list(values))
        if isinstance(of, Object) and of.client is not None:
            given.open = reason  # of a map it may be a key, and its value comes behind it
        return call.run.call(leaf, given, call.frame, call.place)

    call.run.over(function, on)


def _some_turn(run: Interpreter, function: Guarded, reason: Unknown) -> list[Reach]:
    """A function is to be run that may have run before: what it may have written then is not known. What it can reach."""
    if run.brief:
        return []
    given = [leaf for leaf in some(function, NEEDS_LEAVES_MAX) if isinstance(leaf, Function | Bound)]
    reached = [Reach.of(run, leaf) for leaf in given]
    for leaf, reach in zip(given, reached, strict=True):
        if isinstance(leaf, Function):
            lose_assigned(run, leaf, run.guard, reason)
        lose_before(run, leaf, [one for one, *_ in reach.objects])
    return reached

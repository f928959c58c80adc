"""Peers on lists, sets and queues, and on the views of maps that show one element after the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.calls import one_of
from subdrift.linter.resolve.execute.drawing import SIZED, Coming, coming
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, leaves, negate, pick, under
from subdrift.linter.resolve.execute.handed import beyond, entry_of
from subdrift.linter.resolve.execute.havoc import reached_from, some_of
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import Guarded, Object, Unknown, is_whole
from subdrift.linter.resolve.semantics.jvm import elements, order, strictness, views
from subdrift.linter.resolve.semantics.jvm.calls import Call, on
from subdrift.linter.resolve.semantics.jvm.collections import each_item, items, stream_of, where_there
from subdrift.linter.resolve.semantics.jvm.elements import (
    at,
    contains,
    fail,
    is_settled,
    may_equal,
    size,
    unsettle,
)
from subdrift.linter.resolve.semantics.jvm.equality import equal
from subdrift.linter.resolve.semantics.jvm.operators import plain
from subdrift.linter.resolve.semantics.jvm.views import FIXED, UNORDERED, VIEW, Pair, shape_of

_MUTATES: Final = Effect.MUTATES_RECEIVER
_TAKES: Final = Effect.MUTATES_RECEIVER | Effect.STORES_ARGUMENT
_CALLS: Final = Effect.MUTATES_RECEIVER | Effect.CALLS_ARGUMENT
_BOUNDS: Final = "IndexOutOfBoundsException"
_NONE: Final = "NoSuchElementException"


# -- what comes in ----------------------------------------------------------------------------------------------------


@on("collection", "add", "addLast", "offer", "offerLast", "put", "addElement", effect=_TAKES)
def _add(call: Call, leaf: Object) -> Guarded:
    assert leaf.items is not None
    if len(call.args) == 2 and shape_of(leaf) == "list":
        _place(call, leaf, call.args[0], [(True, call.args[1])])
        return None
    there: Guarded = False
    if VIEW in leaf.fields and leaf.fields[VIEW].item is not None:
        return fail(call, "UnsupportedOperationException")
    if shape_of(leaf) == "set":
        there = _holds(call, leaf, call.args[0])
        if there is True:
            return False
    _append(call, leaf, call.args[0], there)
    return there.negate() if isinstance(there, Test) else negate(under(there, call.run.guard))


def _append(call: Call, leaf: Object, value: Guarded, there: Guarded) -> None:
    """Adds a value where it is not there; where nobody knows whether it is, it is beside what it may be."""
    run = call.run
    before = run.guard
    if not isinstance(there, Test):
        run.guard = both(before, negate(there))
    elif any(
        isinstance(one, Object) for _, one in leaves(value)
    ):  # an equal one may differ from it in what it holds
        run.guard = both(before, negate(call.holds(there)))
    if run.guard is not False:
        assert leaf.items is not None
        place, in_table = len(leaf.items), order.is_table(leaf)
        _behind_unseen(leaf)
        if in_table:
            place = order.table_place(leaf, [item for _, item in leaf.items], value)
        elements.insert(call, leaf, place, value)
        if in_table:
            order.grow(leaf, before=False)
    if run.guard is not False:
        run.guard = before


def _behind_unseen(leaf: Object) -> None:
    """An element comes behind those that are there: which place that is nobody knows where there may be more."""
    if leaf.open is not None:
        views.root(leaf).fields[UNORDERED] = leaf.fields[UNORDERED] = True


def _holds(call: Call, leaf: Object, value: Guarded) -> Guarded:
    """The guard under which a set holds a value, by its comparator where it has one."""
    found = order.by_comparator(call, leaf, value)
    return contains(leaf.items or (), value, beyond(leaf), call.run) if found is None else found


@on("collection", "addFirst", "offerFirst", "push", effect=_TAKES)
def _add_first(call: Call, leaf: Object) -> Guarded:
    elements.insert(call, leaf, 0, call.args[0])
    return True if call.name == "offerFirst" else None


@on("stack", "push", effect=_TAKES)
def _push(call: Call, leaf: Object) -> Guarded:
    assert leaf.items is not None
    _behind_unseen(leaf)
    elements.insert(call, leaf, len(leaf.items), call.args[0])
    return call.args[0]


def _place(call: Call, leaf: Object, index: Guarded, found: Sequence[Pair]) -> None:
    """Inserts elements at an index of a list."""
    run = call.run
    assert leaf.items is not None
    if not is_whole(index) or not (is_settled(run, leaf) or index == 0):
        for _, value in found:
            elements.insert(call, leaf, len(leaf.items), value)
        unsettle(run, leaf, f"{call.name}()", index)
    elif not 0 <= index <= len(leaf.items):
        fail(call, _BOUNDS)
    else:
        path = run.guard
        for offset, (guard, value) in enumerate(found):
            run.guard = both(path, guard)
            elements.insert(call, leaf, index + offset, value)
            if run.guard is False:  # it cannot be changed
                return
        run.guard = path


@on("collection", "addAll", effect=_TAKES)
def _add_all(call: Call, leaf: Object) -> Guarded:
    run = call.run
    source = call.args[-1] if call.args else None
    given: list[Pair] = []
    for guard, one in leaves(source, run.guard):
        found = items(call.java, run, one, call.frame)
        if found is None:
            elements.forget(run, leaf, _reason(one))
        elif isinstance(one, Object) and one.items is not None and one.open is not None:
            leaf.open = leaf.open or one.open
            found = found[:-1]  # how many more there are nobody knows
        given += [(both(guard, inner), item) for inner, item in found or ()]
    if len(call.args) == 2:
        _place(call, leaf, call.args[0], given)
        return True
    before = size(leaf)
    path = run.guard
    for guard, item in given:
        run.guard = both(path, guard)
        if run.guard is not False:
            there = _holds(call, leaf, item) if shape_of(leaf) == "set" else False
            if there is not True:
                _append(call, leaf, item, there)
                if run.guard is False:
                    return UNSET
    run.guard = path
    if views.kind_of(leaf) == "ArrayList":
        elements.changed(run, leaf)
    if shape_of(leaf) != "set":
        return len(given) > 0
    return apply(_differ, before, size(leaf))


def _reason(source: object) -> Unknown:
    return source if isinstance(source, Unknown) else Unknown(Why.DYNAMIC, phrase("collection"))


def _differ(one: object, other: object) -> bool | Unknown:
    known = isinstance(one, int) and isinstance(other, int)
    return one != other if known else Unknown(Why.DYNAMIC, "addAll()")


# -- what is there ------------------------------------------------------------------------------------------------------


@on("collection", "get", "elementAt", effect=Effect.MAY_RAISE)
def _get(call: Call, leaf: Object) -> Guarded:
    index = call.args[0]
    if _is_outside(call, leaf, index):
        return fail(call, _BOUNDS)
    return at(call.run, leaf, index)


def _is_outside(call: Call, leaf: Object, index: Guarded) -> bool:
    """Whether an index is surely none of a list."""
    count = len(leaf.items or ())
    return is_whole(index) and not 0 <= index < count and is_settled(call.run, leaf)


def _end(call: Call, leaf: Object, *, last: bool, raises: bool, takes: bool = False) -> Guarded:
    """The first or last element that is there; with none null, or it raises."""
    run = call.run
    assert leaf.items is not None
    more = beyond(leaf)
    sure = leaf.open and not last and UNORDERED not in leaf.fields and leaf.items and leaf.items[0][0] is True
    if more is not None and not sure:
        unseen = some_of(run, replace(more, symbol=more.symbol or entry_of(run, leaf)))
        one = one_of(run, reached_from(run, [leaf]), unseen)
        if takes:
            elements.forget(run, leaf, more)
        return one
    if UNORDERED in leaf.fields and len(leaf.items) > 1:
        if takes:
            unsettle(run, leaf, f"{call.name}()")
        return call.unknown()
    found: Guarded = UNSET
    missing: Guarded = run.guard
    goes: list[Guarded] = [False] * len(leaf.items)
    places = range(len(leaf.items))
    for place in reversed(places) if last else places:
        guard, value = leaf.items[place]
        goes[place] = here = both(missing, guard)
        found = pick(here, value, found)
        missing = both(missing, negate(guard))
        if missing is False:
            break
    if takes:
        elements.drop(call, leaf, goes)
        run.taken += missing is not run.guard
    if missing is False or leaf.open is not None:
        return under(found, run.guard)
    if missing is run.guard and raises:
        return fail(call, _NONE)
    nothing = Unknown(Why.DYNAMIC, phrase("element-out-of-bounds")) if raises else None
    return under(nothing if found is UNSET else pick(missing, nothing, found), run.guard)


_ENDS: Final = (  # of, names, whether it is the last element, raises where there is none, and takes it
    ("collection", ("peek", "peekFirst"), False, False, False),
    ("collection", ("peekLast",), True, False, False),
    ("collection", ("getFirst", "element", "firstElement", "first"), False, True, False),
    ("collection", ("getLast", "lastElement", "last"), True, True, False),
    ("collection", ("poll", "pollFirst"), False, False, True),
    ("collection", ("pollLast",), True, False, True),
    ("collection", ("pop", "removeFirst"), False, True, True),
    ("collection", ("removeLast",), True, True, True),
    ("stack", ("peek",), True, True, False),
    ("stack", ("pop",), True, True, True),
)

for _of, _names, _last, _raises, _takes in _ENDS:
    _effect = (_MUTATES if _takes else Effect.PURE) | (Effect.MAY_RAISE if _raises else Effect.PURE)
    on(_of, *_names, effect=_effect)(partial(_end, last=_last, raises=_raises, takes=_takes))


@on("collection", "take", effect=_MUTATES)
def _wait_for(call: Call, leaf: Object) -> Guarded:
    """It waits for an element where there is none. Another function that takes something may have its name."""
    if call.args:
        return Unknown(Why.DYNAMIC, "take()")
    found = _end(call, leaf, last=False, raises=False, takes=True)
    return apply(lambda one: Unknown(Why.DYNAMIC, "take()") if one is None else one, found)


@on("collection", "size")
@on("map", "size")
def _size(call: Call, leaf: Object) -> Guarded:
    return size(leaf)


@on("collection", "isEmpty", "empty")
@on("map", "isEmpty")
def _is_empty(call: Call, leaf: Object) -> Guarded:
    def one(count: object) -> Guarded:
        if isinstance(count, int):
            return count == 0
        symbol = count.symbol if isinstance(count, Unknown) else None
        mark = (">=", symbol, 1) if symbol else None
        return Test("true", (Unknown(Why.DYNAMIC, "isEmpty()", mark),), True)

    return apply(one, size(leaf))


@on("collection", "contains")
def _contains(call: Call, leaf: Object) -> Guarded:
    return _holds(call, leaf, call.args[0])


@on("collection", "indexOf", "lastIndexOf")
def _index_of(call: Call, leaf: Object) -> Guarded:
    found: Guarded = -1
    if not is_settled(call.run, leaf):
        return call.run.due(Unknown(Why.DYNAMIC, call.name), call.args[0])
    for index, (_, value) in enumerate(leaf.items or ()):
        if may_equal(value, call.args[0]):
            return call.run.due(Unknown(Why.DYNAMIC, call.name), value, call.args[0])
        found = (
            pick(apply(equal, value, call.args[0]), index, found)
            if found == -1 or call.name[0] == "l"
            else found
        )
    return found


@on("collection", "containsAll")
def _contains_all(call: Call, leaf: Object) -> Guarded:
    others = _all_plain(call, leaf)
    if others is None:
        return Unknown(Why.DYNAMIC, call.name)
    return all(contains(leaf.items or (), value, None) is True for _, value in others)


def _all_plain(call: Call, leaf: Object) -> list[Pair] | None:
    """What the other collection holds, where it and this one hold plain values and nothing else."""
    found = items(call.java, call.run, call.args[0], call.frame) if call.args else None
    if found is None or leaf.open is not None or leaf.items is None:
        return None
    return found if all(guard is True and plain(value) for guard, value in [*found, *leaf.items]) else None


@on("collection", "equals")
@on("map", "equals")
def _equals(call: Call, leaf: Object) -> Guarded:
    return apply(lambda other: equal(leaf, other), call.args[0])


@on("collection", "hashCode")
@on("map", "hashCode")
def _hash_code(call: Call, leaf: Object) -> Guarded:
    return order.signed_hash(leaf)


@on("collection", "stream", "parallelStream", "orderedStream")
def _stream(call: Call, leaf: Object) -> Guarded:
    made = stream_of(call.java, call.run, leaf, call.frame, call.place)
    owner = call.frame.owner
    if made.open is None and owner is not None and owner.file.language == "java":
        made.fields[SIZED] = made
        coming(call.run, made, _when_drawn(call, leaf, made))
    return made


def _when_drawn(call: Call, leaf: Object, made: Object) -> Coming:
    """A stream has what its collection holds when somebody wants an element."""
    views.refresh(leaf)
    found = stream_of(call.java, call.run, leaf, call.frame, call.place)
    made.open = made.open or found.open
    yield from found.items or ()
    return call.run.guard


@on("collection", "forEach", effect=Effect.CALLS_ARGUMENT)
def _for_each(call: Call, leaf: Object) -> Guarded:
    each_item(call, items(call.java, call.run, leaf, call.frame) or [], call.args[0], of=leaf, more=leaf.open)
    return None


@on("collection", "drainTo", effect=Effect.MUTATES_RECEIVER | Effect.MUTATES_ARGUMENT)
def _drain_to(call: Call, leaf: Object) -> Guarded:
    if len(call.args) != 1:
        return NotImplemented
    count = size(leaf)
    call.method(call.args[0], "addAll", leaf)
    call.method(leaf, "clear")
    return count


@on("collection", "toArray")
def _to_array(call: Call, leaf: Object) -> Guarded:
    items, given = leaf.items or [], call.args[0] if call.args else None
    there = given.items if isinstance(given, Object) and given.items is not None else []
    if len(there) > len(items):  # a larger array is filled, with a null behind it
        if any(guard is not True for guard, _ in items):
            return call.listed("[]", (), call.unknown())
        items = [*items, (True, None), *there[len(items) + 1 :]]
    return call.listed("[]", items, leaf.open)


@on("collection", "clone")
@on("map", "clone")
def _clone(call: Call, leaf: Object) -> Guarded:
    made = call.made(leaf.type, **{name: value for name, value in leaf.fields.items() if name in order.KEPT})
    made.items, made.entries, made.open = views.copied(leaf)
    return made


# -- what goes --------------------------------------------------------------------------------------------------------


@on("collection", "remove", "removeFirstOccurrence", "removeLastOccurrence", "removeElement", effect=_MUTATES)
def _remove(call: Call, leaf: Object) -> Guarded:
    if not call.args:
        return _end(call, leaf, last=False, raises=True, takes=True)
    run, wanted = call.run, call.args[0]
    if (
        call.name == "remove"
        and shape_of(leaf) == "list"
        and isinstance(wanted, int)
        and type(wanted) is not bool
    ):
        return _remove_at(call, leaf, wanted)
    held = leaf.items or []
    if any(may_equal(value, wanted) for _, value in held) or (
        leaf.open is not None and shape_of(leaf) != "set"
    ):
        unsettle(run, leaf, "remove()", wanted)
        return Unknown(Why.DYNAMIC, "remove()")
    goes: list[Guarded] = [False] * len(held)
    left: Guarded = run.guard
    places = range(len(held))
    for place in reversed(places) if call.name == "removeLastOccurrence" else places:
        here = both(both(left, held[place][0]), apply(equal, held[place][1], wanted))
        goes[place] = here
        left = both(left, negate(here))
    elements.drop(call, leaf, goes)
    return Unknown(Why.DYNAMIC, "remove()") if leaf.open is not None else under(negate(left), run.guard)


def _remove_at(call: Call, leaf: Object, index: int) -> Guarded:
    run = call.run
    assert leaf.items is not None
    if FIXED in leaf.fields:
        return fail(call, "UnsupportedOperationException")
    if _is_outside(call, leaf, index):
        return fail(call, _BOUNDS)
    value = at(run, leaf, index)
    if is_settled(run, leaf):
        elements.drop(call, leaf, [place == index for place in range(len(leaf.items))])
    elif index == 0 and leaf.items:
        return _end(call, leaf, last=False, raises=True, takes=True)
    else:
        unsettle(run, leaf, "remove()")
    return value


@on("collection", "clear", "removeAllElements", effect=_MUTATES)
@on("map", "clear", effect=_MUTATES)
def _clear(call: Call, leaf: Object) -> Guarded:
    if VIEW not in leaf.fields and FIXED not in leaf.fields and call.run.guard is True:
        leaf.open = None
        elements.changed(call.run, leaf)
    elements.drop(call, leaf, [True] * len(views.held(leaf)))
    return None


@on("collection", "removeIf", effect=_CALLS)
def _remove_if(call: Call, leaf: Object) -> Guarded:
    run = call.run
    held = list(leaf.items or ())
    goes: list[Guarded] = [False] * len(held)
    before = views.changes(leaf)
    for _, place in where_there(run, [(guard, place) for place, (guard, _) in enumerate(held)]):
        goes[place] = call.holds(call.invoke(call.args[0], held[place][1]))
    if not strictness.unchanged(call, leaf, before):
        return Unknown(Why.DYNAMIC, "removeIf()")
    elements.drop(call, leaf, goes)
    if leaf.open is not None:
        elements.forget(run, leaf, leaf.open)
        return Unknown(Why.DYNAMIC, "removeIf()")
    gone = elements.any_of(both(guard, one) for (guard, _), one in zip(held, goes, strict=True))
    return under(gone, run.guard)


@on("collection", "retainAll", "removeAll", effect=_MUTATES)
def _of_all(call: Call, leaf: Object) -> Guarded:
    others = _all_plain(call, leaf)
    if others is None:
        elements.forget(call.run, leaf, call.unknown())
        return Unknown(Why.DYNAMIC, call.name)
    keeps = call.name == "retainAll"
    goes = [(contains(others, value, None) is True) != keeps for _, value in leaf.items or ()]
    elements.drop(call, leaf, goes)
    return any(goes)


# -- what moves -------------------------------------------------------------------------------------------------------


@on("collection", "set", "setElementAt", effect=_TAKES | Effect.MAY_RAISE)
def _set(call: Call, leaf: Object) -> Guarded:
    index, value = call.args.first(2)
    if call.name == "setElementAt":
        index, value = value, index
    if _is_outside(call, leaf, index):
        return fail(call, _BOUNDS)
    old = at(call.run, leaf, index)
    if is_whole(index) and is_settled(call.run, leaf):
        elements.replace(call, leaf, index, value)
    else:
        for guard, number in leaves(index, call.run.guard):
            if is_whole(number) and 0 <= number < len(leaf.items or ()) and is_settled(call.run, leaf):
                before, call.run.guard = call.run.guard, guard
                elements.replace(call, leaf, number, value)
                call.run.guard = before
            else:
                unsettle(call.run, leaf, phrase("element"), index)
    return old


@on("collection", "replaceAll", effect=_CALLS)
def _replace_all(call: Call, leaf: Object) -> Guarded:
    before = views.changes(leaf)
    replaced = [(guard, call.invoke(call.args[0], value)) for guard, value in list(leaf.items or ())]
    if not strictness.unchanged(call, leaf, before):
        return None
    if leaf.open is not None:
        elements.forget(call.run, leaf, leaf.open)
    else:
        elements.arrange(call.run, leaf, replaced)
        _moved(call, leaf)
    return None


@on("collection", "sort", effect=_CALLS)
def _sort(call: Call, leaf: Object) -> Guarded:
    sort_in_place(call, leaf, call.args[0] if call.args else None)
    return None


def sort_in_place(call: Call, leaf: Object, comparator: Guarded) -> None:
    """Sorts by a comparator, or by natural order, where that is known; else leaves the order."""
    if leaf.open is not None:  # what nobody has seen may come first
        elements.forget(call.run, leaf, leaf.open)
        return
    found = order.ordered(call, leaf.items or [], comparator)
    if found is None:
        unsettle(call.run, leaf, "sort()", comparator)
    else:
        elements.arrange(call.run, leaf, found)
        _moved(call, leaf)


def _moved(call: Call, leaf: Object) -> None:
    """An `ArrayList` counts a new order as a change."""
    if views.kind_of(leaf) in ("ArrayList", "Vector", "Stack"):
        elements.changed(call.run, leaf)

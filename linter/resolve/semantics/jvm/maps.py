"""Peers on maps: entries under guards, whose keys may be known to be equal, known to differ, or neither."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import known_texts
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    Diagram,
    apply,
    both,
    either,
    leaves,
    negate,
    pick,
    under,
)
from subdrift.linter.resolve.execute.handed import HOLDERS, beyond
from subdrift.linter.resolve.execute.havoc import is_again, some_of, unless_object
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import Entry, Guarded, Object, Text, Unknown, is_whole
from subdrift.linter.resolve.semantics.jvm import elements, order, strictness, views
from subdrift.linter.resolve.semantics.jvm.calls import Call, Of, on
from subdrift.linter.resolve.semantics.jvm.collections import cursor, for_some, where_there
from subdrift.linter.resolve.semantics.jvm.elements import contains, fail, is_settled, may_equal
from subdrift.linter.resolve.semantics.jvm.equality import equal, identical
from subdrift.linter.resolve.semantics.jvm.views import ENTRY, View, view

_MUTATES: Final = Effect.MUTATES_RECEIVER
_TAKES: Final = Effect.MUTATES_RECEIVER | Effect.STORES_ARGUMENT
_CALLS: Final = Effect.MUTATES_RECEIVER | Effect.CALLS_ARGUMENT

# -- what they stand on -----------------------------------------------------------------------------------------------


def _same_object(left: Any, right: Any) -> bool | Test:
    found = identical(left, right)
    return found if isinstance(found, bool | Test) else Test("true", (Unknown(Why.DYNAMIC, "=="),))


def _equality(leaf: Object) -> Callable[[Any, Any], bool | Test]:
    """What says that two keys of a map are one."""
    return _same_object if views.kind_of(leaf) == "IdentityHashMap" else equal


def find(run: Interpreter, leaf: Object, key: Guarded, *, apart: bool = False) -> tuple[Guarded, Guarded]:
    """(guard of being there, value) of a key in a map. `apart`: what environments know of the keys, they have told."""
    key = order.own_key(leaf, key)
    there: Guarded = False
    value: Guarded = None
    unsure = written_later = False
    for entry in _not_others(leaf, key):
        match = apply(_equality(leaf), entry.key, key)
        sure: Guarded = False
        maybe = False
        for guard, one in leaves(match):
            if isinstance(one, Test):
                unsure = maybe = True
            elif one:
                sure = either(sure, guard)
        here = both(entry.guard, sure)
        there = either(there, here)
        value = pick(here, entry.value, value)
        written_later = maybe or (written_later and sure is False)
    if unsure and not apart:
        return find(run, leaf, _told_apart(run, leaf, key), apart=True)
    if there is True and written_later and isinstance(value, Text | int | float):
        detail = phrase("entry-of-a-map")
        return True, run.due(Unknown(Why.DYNAMIC, detail), key, *(entry.key for entry in leaf.entries or ()))
    more = beyond(leaf)
    if unsure or more is not None:
        symbol = symbol_of(key) if not isinstance(key, type(None)) else None
        if symbol is not None and more is not None and is_again(more):
            symbol = symbol, more.symbol  # it may be another one since then
        detail = more.detail if more is not None else phrase("entry-of-a-map")
        why = more.why if more is not None else Why.DYNAMIC
        unknown = Unknown(why, detail, ("entry", leaf.number, symbol or ("once", run.unique())))
        open_ = run.due(unknown, more, key, *(entry.key for entry in leaf.entries or ()))
        run.heap.setdefault(HOLDERS, {})[leaf.number] = leaf
        if there is True:
            return True, value
        return either(there, True), pick(there, value, open_)
    return there, value


def _not_others(leaf: Object, key: Guarded) -> Sequence[Entry]:
    """The entries but those whose key is a known text other than `key`."""
    entries = leaf.entries or ()
    text = key.known if type(key) is Text else None
    if text is None:
        return entries
    return [one for one in entries if type(one.key) is not Text or one.key.known in (text, None)]


def _told_apart(run: Interpreter, leaf: Object, key: Guarded) -> Guarded:
    """A key that may be one of those of a map, which all are the texts that environments know them as from here on."""
    leaf.entries = [
        replace(entry, guard=guard, key=text)
        for entry in leaf.entries or ()
        for guard, text in leaves(known_texts(run, entry.key, None), entry.guard)
    ]
    return known_texts(run, key, None)


def put(
    run: Interpreter,
    leaf: Object,
    key: Guarded,
    value: Guarded,
    place: Location | None = None,
    *,
    head: bool = False,
    apart: bool = False,
) -> Guarded:
    """Writes an entry on the path that is being run; the old value. `head`: a new one comes first in its bucket, as
    those of `merge` and `computeIfAbsent` do. `apart`: what environments know of the keys, they have told."""
    assert leaf.entries is not None
    run.work(4 * len(leaf.entries))  # each key is compared, twice
    if views.VIEW in leaf.fields:
        return elements.through(
            run, leaf, key, lambda base: put(run, base, key, value, place, head=head), adds=True
        )
    key = order.own_key(leaf, key)
    _, old = find(run, leaf, key, apart=apart)
    if type(key) is Diagram:
        before = run.guard
        for path, one in leaves(key, before):
            run.guard = path
            put(run, leaf, one, value, place, head=head, apart=apart)
        run.guard = before
        return old
    here = run.here(leaf)
    near = _not_others(leaf, key)
    for entry in near:
        if apply(_equality(leaf), entry.key, key) is True:
            if either(entry.guard, here) != entry.guard:
                elements.changed(run, leaf)
            entry.value = pick(here, value, entry.value)
            entry.guard = either(entry.guard, here)
            return old
    unsure = [entry for entry in near if may_equal(entry.key, key, _equality(leaf))]
    if unsure and not apart:
        put(run, leaf, _told_apart(run, leaf, key), value, place, head=head, apart=True)
        return old
    for entry in unsure:  # it may be written by what is beside it
        lost = _unknown(run, Unknown(Why.DYNAMIC, phrase("entry-of-a-map")), key)
        entry.value = pick(here, apply(partial(unless_object, lost), entry.value), entry.value)
    index = len(leaf.entries)
    if in_table := order.is_table(leaf):
        index = order.table_place(leaf, [entry.key for entry in leaf.entries], key, head=head)
    leaf.entries.insert(index, Entry(here, key, value, place))
    elements.changed(run, leaf)
    if in_table and not head:
        order.grow(leaf, before=False)
    return old


def remove(run: Interpreter, leaf: Object, key: Guarded) -> Guarded:
    """Takes an entry away on the path that is being run; its value."""
    if views.VIEW in leaf.fields:
        return elements.through(run, leaf, key, lambda base: remove(run, base, key))
    key = order.own_key(leaf, key)
    there, old = find(run, leaf, key)
    near = _not_others(leaf, key)
    if any(may_equal(entry.key, key, _equality(leaf)) for entry in near):
        elements.forget(run, leaf, _unknown(run, Unknown(Why.DYNAMIC, "remove()"), key))
        return old
    for entry in near:
        if apply(_equality(leaf), entry.key, key) is True:
            entry.guard = both(entry.guard, negate(run.here(leaf)))
            elements.changed(run, leaf)
    leaf.entries = [entry for entry in leaf.entries or () if entry.guard is not False]
    return under(pick(there, old, None) if there is not True else old, run.guard)


def _unknown(run: Interpreter, unknown: Unknown, *sources: Guarded) -> Unknown:
    due = run.due(unknown, *sources)
    assert isinstance(due, Unknown)
    return due


def entry_object(run: Interpreter, entry: Entry, at_: Location | None, *, live: bool = True) -> Object:
    """The object of an entry. One that is not `live` shows what it held then, and cannot be written to."""
    made = run.make(None, "Entry", at_)
    made.fields["key"], made.fields["value"] = entry.key, entry.value
    if live:
        made.fields[ENTRY] = entry
    else:
        made.fields[views.FIXED] = views.ALL
    return made


def looked_up(call: Call, leaf: Object, key: Guarded) -> tuple[Guarded, Guarded]:
    """What `find` gives; that a key is there which nobody knows of is a choice."""
    there, value = find(call.run, leaf, key)
    for guard, one in leaves(value):
        if isinstance(one, Unknown) and (one.symbol is None or one.symbol[:1] == ("entry",)):  # type: ignore[index]
            there = both(there, either(negate(guard), call.holds(Test("present", (one,)))))
    return there, value


def _present(call: Call, leaf: Object, key: Guarded) -> tuple[Guarded, Guarded]:
    """(the guard under which a key is there with a value that is not null, that value)."""
    there, value = looked_up(call, leaf, key)
    return both(there, apply(lambda one: one is not None, value)), value


def _where(run: Interpreter, guard: Guarded, action: Callable[[], Guarded]) -> Guarded:
    """What an action gives on the path where a guard holds, UNSET where there is none."""
    before = run.guard
    run.guard = both(before, guard)
    found: Guarded = UNSET
    going: Guarded = False
    if run.guard is not False:
        found = action()
        going = run.guard
    run.guard = either(both(before, negate(guard)), going)
    return found


def _store(call: Call, leaf: Object, key: Guarded, result: Guarded, *, head: bool) -> None:
    """What a function said of a key: its value from now on, or that it goes."""
    run = call.run
    before = run.guard
    for guard, one in leaves(result, before):
        run.guard = guard
        if one is None:
            remove(run, leaf, key)
        else:
            put(run, leaf, key, one, call.place, head=head)
    run.guard = before


# -- one key ----------------------------------------------------------------------------------------------------------


def _used(call: Call, leaf: Object, key: Guarded) -> None:
    """An entry of a map that orders them by use goes to the end; nobody knows the order where it may be another's."""
    if views.BY_USE not in leaf.fields or not leaf.entries:
        return
    run = call.run
    same = [apply(equal, entry.key, key) for entry in leaf.entries]
    settled = all(type(each) is bool for each in same) and run.here(leaf) is True and leaf.open is None
    if not settled or any(entry.guard is not True for entry in leaf.entries):
        leaf.fields[views.UNORDERED] = True
    elif True in same:
        leaf.entries.append(leaf.entries.pop(same.index(True)))


def _drop_eldest(call: Call, leaf: Object) -> None:
    """A `LinkedHashMap` of the program's own asks itself whether its first entry goes."""
    run, at_ = call.run, call.frame.owner.decl.name_at if call.frame.owner is not None else (1, 1, 1, 1)
    if not leaf.entries:
        return
    first = entry_object(run, leaf.entries[0], call.place)
    leaves_ = call.java.call_method(run, leaf, "removeEldestEntry", Arguments([first]), call.frame, at_)
    settled = run.here(leaf) is True and leaf.open is None and leaf.entries[0].guard is True
    if leaves_ is True and settled and views.UNORDERED not in leaf.fields:
        del leaf.entries[0]
        elements.changed(run, leaf)
    elif leaves_ is not False:
        leaf.open = Unknown(Why.DYNAMIC, "removeEldestEntry()")
        leaf.entries = []


def _using(handler: Of) -> Of:
    """A method that uses the entry of its first argument, or puts it there: a map that orders them by use has it last."""

    def used(call: Call, leaf: Object) -> Guarded:
        before = len(leaf.entries or ())
        found = handler(call, leaf)
        if call.run.guard is False or not call.args:
            return found
        _used(call, leaf, call.args[0])
        grown = len(leaf.entries or ()) > before
        if grown and leaf.declared and call.run.scope.methods(leaf.declared, "removeEldestEntry", 1):
            _drop_eldest(call, leaf)
        return found

    return used


@on("map", "put", effect=_TAKES)
@_using
def _put(call: Call, leaf: Object) -> Guarded:
    if len(call.args) != 2:
        return NotImplemented
    _, old = find(call.run, leaf, call.args[0])
    put(call.run, leaf, call.args[0], call.args[1], call.place)
    return under(old, call.run.guard)


@on("map", "get")
@_using
def _get(call: Call, leaf: Object) -> Guarded:
    return under(find(call.run, leaf, call.args[0])[1], call.run.guard)


@on("map", "getOrDefault")
@_using
def _get_or_default(call: Call, leaf: Object) -> Guarded:
    there, value = looked_up(call, leaf, call.args[0])
    return under(pick(there, value, call.args[1] if len(call.args) > 1 else None), call.run.guard)


@on("map", "containsKey")
def _contains_key(call: Call, leaf: Object) -> Guarded:
    return has(call.run, leaf, call.args[0])


def has(run: Interpreter, leaf: Object, key: Guarded) -> Guarded:
    """The guard under which a map has a key; a test where nobody knows."""
    there, value = find(run, leaf, key)
    symbol = value.symbol if isinstance(value, Unknown) else None
    if isinstance(symbol, tuple) and symbol[:1] == ("entry",):
        return Test("present", (value,))
    if isinstance(value, Unknown) and beyond(leaf) is not None:
        return Test("true", (Unknown(Why.DYNAMIC, "containsKey()"),))
    return under(there, run.guard)


@on("map", "containsValue", "contains")
def _contains_value(call: Call, leaf: Object) -> Guarded:
    held = [(entry.guard, entry.value) for entry in leaf.entries or ()]
    return contains(held, call.args[0], beyond(leaf))


@on("map", "putIfAbsent", effect=_TAKES)
@_using
def _put_if_absent(call: Call, leaf: Object) -> Guarded:
    key, value = call.args.first(2)
    present, old = _present(call, leaf, key)
    _where(call.run, negate(present), lambda: put(call.run, leaf, key, value, call.place))
    return under(pick(present, old, None), call.run.guard)


@on("map", "computeIfAbsent", effect=_CALLS)
@_using
def _compute_if_absent(call: Call, leaf: Object) -> Guarded:
    key, function = call.args.first(2)
    order.grow(views.root(leaf), before=True)
    present, old = _present(call, leaf, key)

    def compute() -> Guarded:
        before = views.changes(leaf)
        made = call.invoke(function, key)
        if views.kind_of(leaf) != "LinkedHashMap" or views.BY_USE not in leaf.fields:
            strictness.unchanged(call, leaf, before)
        path = call.run.guard
        for guard, one in leaves(made, path):
            if one is not None:
                call.run.guard = guard
                put(call.run, leaf, key, one, call.place, head=True)
        call.run.guard = path
        return made

    made = _where(call.run, negate(present), compute)
    return under(old if made is UNSET else pick(present, old, made), call.run.guard)


@on("map", "compute", effect=_CALLS)
@_using
def _compute(call: Call, leaf: Object) -> Guarded:
    key, function = call.args.first(2)
    order.grow(views.root(leaf), before=True)
    _, old = find(call.run, leaf, key)
    before = views.changes(leaf)
    result = call.invoke(function, key, old)
    strictness.unchanged(call, leaf, before)
    _store(call, leaf, key, result, head=True)
    return result


@on("map", "computeIfPresent", effect=_CALLS)
@_using
def _compute_if_present(call: Call, leaf: Object) -> Guarded:
    key, function = call.args.first(2)
    present, old = _present(call, leaf, key)

    def compute() -> Guarded:
        result = call.invoke(function, key, old)
        _store(call, leaf, key, result, head=False)
        return result

    result = _where(call.run, present, compute)
    return None if result is UNSET else under(pick(present, result, None), call.run.guard)


@on("map", "merge", effect=_CALLS | Effect.STORES_ARGUMENT)
@_using
def _merge(call: Call, leaf: Object) -> Guarded:
    key, value, function = call.args.first(3)
    order.grow(views.root(leaf), before=True)
    present, old = _present(call, leaf, key)
    before = views.changes(leaf)
    merged = _where(call.run, present, lambda: call.invoke(function, old, value))
    strictness.unchanged(call, leaf, before)
    result = value if merged is UNSET else pick(present, merged, value)
    _store(call, leaf, key, result, head=True)
    return under(result, call.run.guard)


@on("map", "replace", effect=_TAKES)
@_using
def _replace(call: Call, leaf: Object) -> Guarded:
    run, key = call.run, call.args[0]
    there, old = find(run, leaf, key)
    if len(call.args) == 2:
        _where(run, there, lambda: put(run, leaf, key, call.args[1]))
        return under(pick(there, old, None), run.guard)
    same = _same_value(there, old, call.args[1])
    if not isinstance(same, Test):
        _where(run, same, lambda: put(run, leaf, key, call.args[2]))
        return under(same, run.guard)
    elements.forget(run, leaf, Unknown(Why.DYNAMIC, "replace()"))
    return same


def _same_value(there: Guarded, old: Guarded, wanted: Guarded) -> Guarded:
    """The guard under which a key is there with that value; a test where nobody knows."""
    same = apply(equal, old, wanted)
    test = next((one for _, one in leaves(same) if isinstance(one, Test)), None)
    return both(there, same) if test is None else test


@on("map", "remove", effect=_MUTATES)
def _remove(call: Call, leaf: Object) -> Guarded:
    run, key = call.run, call.args[0]
    there, old = find(run, leaf, key)
    if len(call.args) < 2:
        if views.FIXED in leaf.fields:
            fail(call, "UnsupportedOperationException", there)
            return None
        return under(remove(run, leaf, key), run.guard)
    same = _same_value(there, old, call.args[1])
    if isinstance(same, Test):
        elements.forget(run, leaf, Unknown(Why.DYNAMIC, "remove()"))
        return same
    _where(run, same, lambda: remove(run, leaf, key))
    return under(same, run.guard)


# -- all entries ------------------------------------------------------------------------------------------------------


@on("map", "putAll", effect=_TAKES)
def _put_all(call: Call, leaf: Object) -> Guarded:
    run = call.run
    for guard, one in leaves(call.args[0], run.guard):
        views.refresh(one)
        if not isinstance(one, Object) or one.entries is None:
            reason = one if isinstance(one, Unknown) else Unknown(Why.DYNAMIC, phrase("map"))
            elements.forget(run, leaf, reason)
            continue
        order.prepare(leaf, len(one.entries))
        before = run.guard
        for entry in list(one.entries):
            run.guard = both(guard, entry.guard)
            if run.guard is not False:
                put(run, leaf, entry.key, entry.value, entry.at)
        run.guard = before
        if one.open is not None:
            elements.forget(run, leaf, one.open)
    return None


@on("map", "forEach", effect=Effect.CALLS_ARGUMENT)
def _for_each(call: Call, leaf: Object) -> Guarded:
    run = call.run
    before = views.changes(leaf)
    for _, entry in where_there(run, [(entry.guard, entry) for entry in leaf.entries or ()]):
        call.invoke(call.args[0], entry.key, entry.value)
    if leaf.open is not None and run.guard is not False:
        symbol = symbol_of(leaf.open)
        parts = [
            Unknown(leaf.open.why, leaf.open.detail, None if symbol is None else (part, symbol))
            for part in ("key", "value")
        ]
        for_some(call, call.args[0], leaf.open, *parts)
    strictness.unchanged(call, leaf, before)
    return None


@on("map", "replaceAll", effect=_CALLS)
def _replace_all(call: Call, leaf: Object) -> Guarded:
    if leaf.open is not None:
        elements.forget(call.run, leaf, leaf.open)
        return None
    for entry in leaf.entries or ():
        made = call.invoke(call.args[0], entry.key, entry.value)
        entry.value = pick(call.run.here(leaf), made, entry.value)
    return None


# -- views ------------------------------------------------------------------------------------------------------------


@on("map", "keySet", "navigableKeySet", "descendingKeySet", "values", "entrySet", effect=Effect.VIEW)
def _view(call: Call, leaf: Object) -> Object:
    """The keys, values or entries of a map, which write through to it."""
    shown: dict[str, Callable[[Entry], Guarded]] = {
        "entrySet": lambda entry: entry_object(
            call.run, entry, call.place, live=views.FIXED not in leaf.fields
        ),
        "values": lambda entry: entry.value,
    }
    kind = {"values": "Collection", "navigableKeySet": "SortedSet", "descendingKeySet": "SortedSet"}
    made = call.listed(kind.get(call.name, "Set"))
    if views.FIXED in leaf.fields:
        made.fields[views.FIXED] = leaf.fields[views.FIXED]
    places = _backwards if call.name == "descendingKeySet" else None
    return view(made, View(leaf, places, shown.get(call.name, lambda entry: entry.key)))


def _backwards(base: Object) -> Sequence[int]:
    return range(len(base.entries or ()) - 1, -1, -1)


@on("map", "keys", "elements", effect=Effect.VIEW)
def _walk(call: Call, leaf: Object) -> Guarded:
    shown = call.renamed("values" if call.name == "elements" else "keySet")
    return cursor(call, _view(shown, leaf), 0, live=False)


@on("map", "headMap", "tailMap", "subMap", effect=Effect.VIEW)
def _part(call: Call, leaf: Object) -> Guarded:
    made = call.table("SortedMap")
    return view(made, View(leaf, order.part(call, leaf), place=order.place(call)))


@on("map", "descendingMap", effect=Effect.VIEW)
def _descending(call: Call, leaf: Object) -> Guarded:
    return view(call.table("SortedMap"), View(leaf, _backwards, place=order.place(call)))


# -- sorted maps ------------------------------------------------------------------------------------------------------


@on(
    "map",
    "floorKey",
    "floorEntry",
    "lowerKey",
    "lowerEntry",
    "ceilingKey",
    "ceilingEntry",
    "higherKey",
    "higherEntry",
)
def _nearest(call: Call, leaf: Object) -> Guarded:
    if not is_settled(call.run, leaf):
        return call.unknown()
    place = order.beside(call, leaf, [entry.key for entry in leaf.entries or ()], call.args[0])
    return _of(call, (leaf.entries or [])[place]) if is_whole(place) else place


def _of(call: Call, entry: Entry) -> Guarded:
    return entry.key if call.name.endswith("Key") else entry_object(call.run, entry, call.place, live=False)


@on("map", "firstKey", "lastKey", "firstEntry", "lastEntry", effect=Effect.MAY_RAISE)
def _outermost(call: Call, leaf: Object) -> Guarded:
    if leaf.open is not None:
        return some_of(call.run, leaf.open)
    if not is_settled(call.run, leaf):
        return call.unknown()
    if not leaf.entries:
        return fail(call, "NoSuchElementException") if call.name.endswith("Key") else None
    return _of(call, leaf.entries[0 if call.name.startswith("first") else -1])


@on("map", "pollFirstEntry", "pollLastEntry", effect=_MUTATES)
def _poll(call: Call, leaf: Object) -> Guarded:
    if not is_settled(call.run, leaf):
        elements.forget(call.run, leaf, call.unknown())
        return call.unknown()
    if not leaf.entries:
        return None
    place = 0 if "First" in call.name else len(leaf.entries) - 1
    made = _of(call, leaf.entries[place])
    elements.drop(call, leaf, [index == place for index in range(len(leaf.entries))])
    return made

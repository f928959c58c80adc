"""Lists, sets, maps, arrays, iterators and streams of the Java library, with elements under guards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import (
    CROWDED,
    UNSET,
    apply,
    both,
    crowded,
    either,
    instead,
    leaves,
    negate,
    pick,
    under,
)
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.interpreter import Arguments, Interpreter, Test, symbol_of
from subdrift.linter.resolve.execute.values import Entry, Frame, Guarded, Object, Text, Unknown, join, text
from subdrift.linter.resolve.semantics.jvm import modelled, views
from subdrift.linter.resolve.semantics.jvm.operators import absent, equal, plain
from subdrift.linter.resolve.semantics.jvm.order import (
    ARRANGED,
    COMPARATOR,
    arranged,
    beside,
    ordered,
    take_top,
    within,
)

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.calls import Call
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


def _held(run: Interpreter, guard: Guarded) -> bool:
    """Whether what stands under a guard is there on the path that is being run."""
    return guard is True or both(run.guard, negate(guard)) is False


def size(leaf: Object) -> Guarded:
    """The number of elements, under guards where some are."""
    views.refresh(leaf)
    if leaf.open is not None:
        symbol = symbol_of(leaf.open)
        return Unknown(leaf.open.why, leaf.open.detail, None if symbol is None else ("size", symbol))
    found: Guarded = 0
    guards = (
        [guard for guard, _ in leaf.items]
        if leaf.items is not None
        else [entry.guard for entry in leaf.entries or ()]
        if leaf.entries is not None
        else None
    )
    if guards is None:
        return Unknown(Why.DYNAMIC, phrase("size"))
    keys = [entry.key for entry in leaf.entries or ()]
    if len(keys) > 1 and not all(map(plain, keys)):  # one may be another, and then there are fewer
        return Unknown(Why.DYNAMIC, phrase("size"))
    for guard in guards:
        found = (
            found + 1
            if guard is True and isinstance(found, int)
            else pick(guard, apply(_one_more, found), found)
        )
        if crowded(found):
            return CROWDED
    return found


def _one_more(count: Any) -> Any:
    """The next number; what is too much to be told apart stays unknown."""
    return count + 1 if isinstance(count, int) else count


def at(run: Interpreter, leaf: Object, index: Guarded) -> Guarded:
    """The element at an index."""
    assert leaf.items is not None

    def one(number: Any) -> _Box:
        if not isinstance(number, int) or isinstance(number, bool):
            symbol = symbol_of(number)
            return _Box(
                Unknown(
                    Why.DYNAMIC, phrase("element"), None if symbol is None else ("at", leaf.number, symbol)
                )
            )
        return _Box(_nth(leaf, number))

    return opened(apply(one, index), run.guard)


def _nth(leaf: Object, number: int) -> Guarded:
    assert leaf.items is not None
    if all(guard is True for guard, _ in leaf.items):
        if 0 <= number < len(leaf.items):
            return leaf.items[number][1]
        if leaf.open is not None:
            return leaf.open
        return Unknown(Why.DYNAMIC, phrase("element-out-of-bounds"), ("bounds", leaf.number, number))
    # guarded elements move up where earlier ones are not there
    found: Guarded = leaf.open or Unknown(Why.DYNAMIC, phrase("element-out-of-bounds"))
    count: Guarded = 0
    for guard, value in leaf.items:
        here = both(guard, apply(lambda n: n == number, count))
        found = pick(here, value, found)
        count = pick(guard, apply(_one_more, count), count)
        if crowded(count):  # what comes after can no longer be told apart
            return apply(lambda n, element: element if n > number else CROWDED, count, found)
    return found


def set_at(run: Interpreter, leaf: Object, index: Guarded, value: Guarded) -> None:
    assert leaf.items is not None
    for guard, number in leaves(index, run.guard):
        if isinstance(number, int) and 0 <= number < len(leaf.items):
            old_guard, old = leaf.items[number]
            leaf.items[number] = (old_guard, pick(guard, value, old))
        elif not isinstance(number, int):
            unsettle(run, leaf, phrase("element"), index)


def unsettle(run: Interpreter, leaf: Object, what: str, *sources: Guarded) -> None:
    """Something was written, moved or taken away, and nobody knows where (`sources` would tell): the texts and numbers a
    collection holds may be others, the objects are still among what it holds."""
    unknown = run.due(Unknown(Why.DYNAMIC, what), *sources)
    assert isinstance(unknown, Unknown)
    leaf.open = leaf.open or unknown

    def one(value: Any) -> Any:
        return unknown if value is None or isinstance(value, Text | int | float | Unknown) else value

    if leaf.items is not None:
        leaf.items = [(guard, apply(one, value)) for guard, value in leaf.items]
    for entry in leaf.entries or ():
        entry.value = apply(one, entry.value)


def _may_equal(value: Guarded, other: Guarded) -> bool:
    """Whether two values may be equal, and need not be."""
    return any(isinstance(one, Test) for _, one in leaves(apply(equal, value, other)))


class _Box:
    """Keeps a guarded value a leaf of another diagram for a moment."""

    __slots__ = ("value",)

    def __init__(self, value: Guarded) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Box) and (self.value is other.value or bool(self.value == other.value))

    def __hash__(self) -> int:
        return id(self)


def opened(value: Guarded, guard: Guarded) -> Guarded:
    """The guarded value inside boxed leaves."""
    found: Guarded = UNSET
    for path, box in leaves(value, guard):
        found = pick(path, box.value if isinstance(box, _Box) else box, found)
    return None if found is UNSET else under(found, guard)


def items(java: Java, run: Interpreter, leaf: Any, frame: Frame) -> list[tuple[Guarded, Guarded]] | None:
    """What iterating over a value gives, None where nobody can see it."""
    views.refresh(leaf)
    if isinstance(leaf, Object):
        if leaf.declared is not None and leaf.items is None:
            return _own_iteration(java, run, leaf, frame)
        if leaf.items is not None:
            run.work(len(leaf.items))
            found = [(under(g, run.guard), v) for g, v in leaf.items]
            if leaf.open is not None:
                symbol = symbol_of(leaf.open)
                item = Unknown(
                    leaf.open.why,
                    phrase("element-of", leaf.open.detail),
                    None if symbol is None else ("element", symbol),
                )
                found.append((True, item))
            return found
    return None


def _own_iteration(
    java: Java, run: Interpreter, leaf: Object, frame: Frame
) -> list[tuple[Guarded, Guarded]] | None:
    """A declared class that is iterable: what its iterator gives."""
    from subdrift.linter.resolve.execute.interpreter import LOOP_MAX

    assert leaf.declared is not None
    assert frame.owner is not None
    if not run.scope.methods(leaf.declared, "iterator", 0):
        return None
    place = frame.owner.decl.at
    iterator = java.call_method(run, leaf, "iterator", Arguments([]), frame, place)
    if not isinstance(iterator, Object):
        return None
    if iterator.declared is None:
        return items(java, run, iterator, frame)
    found: list[tuple[Guarded, Guarded]] = []
    before = run.guard
    going: Guarded = True
    for _ in range(LOOP_MAX):
        more = java.call_method(run, iterator, "hasNext", Arguments([]), frame, place)
        known = [isinstance(one, bool) for _, one in leaves(more)]
        if not all(known):
            break
        going = both(going, more)
        if going is False:
            break
        found.append((going, java.call_method(run, iterator, "next", Arguments([]), frame, place)))
    run.guard = before
    return found


def copy_items(run: Interpreter, value: Guarded, frame: Frame) -> list[tuple[Guarded, Guarded]] | None:
    views.refresh(value)
    if isinstance(value, Object) and value.items is not None and value.open is None:
        return list(value.items)
    return None


# -- maps -----------------------------------------------------------------------------------------------------------


def find(run: Interpreter, leaf: Object, key: Guarded) -> tuple[Guarded, Guarded]:
    """(guard of being there, value) of a key in a map."""
    there: Guarded = False
    value: Guarded = None
    unsure = written_later = False
    for entry in leaf.entries or ():
        match = apply(equal, entry.key, key)
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
    if there is True and written_later and isinstance(value, Text | int | float):
        detail = phrase("entry-of-a-map")
        return True, run.due(Unknown(Why.DYNAMIC, detail), key, *(entry.key for entry in leaf.entries or ()))
    if unsure or leaf.open is not None:
        symbol = symbol_of(key) if not isinstance(key, type(None)) else None
        detail = leaf.open.detail if leaf.open is not None else phrase("entry-of-a-map")
        why = leaf.open.why if leaf.open is not None else Why.DYNAMIC
        unknown = Unknown(why, detail, None if symbol is None else ("entry", leaf.number, symbol))
        open_ = run.due(unknown, leaf.open, key, *(entry.key for entry in leaf.entries or ()))
        if there is True:
            return True, value
        return either(there, True), pick(there, value, open_)
    return there, value


def put(
    run: Interpreter, leaf: Object, key: Guarded, value: Guarded, place: Location | None = None
) -> Guarded:
    """Writes an entry on the path that is being run; the old value."""
    assert leaf.entries is not None
    run.work(4 * len(leaf.entries))  # each key is compared, twice
    _, old = find(run, leaf, key)
    for entry in leaf.entries:
        if apply(equal, entry.key, key) is True:
            entry.value = pick(run.guard, value, entry.value)
            entry.guard = either(entry.guard, run.guard)
            return old
    leaf.entries.append(Entry(run.guard, key, value, place))
    return old


def _drop_eldest(call: Call, leaf: Object) -> None:
    """A `LinkedHashMap` of the program's own asks itself whether its first entry goes. Which one that is nobody follows where
    a map orders them by use: what it holds is not known then."""
    run, at_ = call.run, call.frame.owner.decl.name_at if call.frame.owner is not None else (1, 1, 1, 1)
    if not leaf.entries:
        return
    first = entry_object(run, leaf.entries[0], call.place)
    leaves_ = call.java.call_method(run, leaf, "removeEldestEntry", Arguments([first]), call.frame, at_)
    if leaves_ is not False:
        leaf.open = Unknown(Why.DYNAMIC, "removeEldestEntry()")
        leaf.entries = []


def remove(run: Interpreter, leaf: Object, key: Guarded) -> Guarded:
    _, old = find(run, leaf, key)
    if any(_may_equal(entry.key, key) for entry in leaf.entries or ()):
        forget_contents(run, run.due(Unknown(Why.DYNAMIC, "remove()"), key), [leaf])
        return old
    for entry in leaf.entries or ():
        if apply(equal, entry.key, key) is True:
            entry.guard = both(entry.guard, negate(run.guard))
    leaf.entries = [entry for entry in leaf.entries or () if entry.guard is not False]
    return old


def entry_object(run: Interpreter, entry: Entry, at_: Location | None) -> Object:
    made = run.make(None, "Entry", at_)
    made.fields["key"], made.fields["value"] = entry.key, entry.value
    made.fields[ENTRY] = entry
    return made


ENTRY = "<entry>"
"""The field of an entry's object that holds the entry it writes to."""

_VIEWED = "<viewed>"
"""The field of a view of a map, and of an iterator, that holds what is changed with it."""


# -- calls ----------------------------------------------------------------------------------------------------------


def collection_method(call: Call, leaf: Object) -> Guarded:
    """A call on a list, set, map, iterator or stream; NotImplemented where it is none of them."""
    views.refresh(leaf)
    held = leaf.items if leaf.items is not None else leaf.entries
    call.run.work(len(held or ()))
    if call.name in ("poll", "remove", "take") and not call.args:
        take_top(call, leaf)
    found = _on_collection(call, leaf)
    if leaf.type in ARRANGED and call.name in _CHANGING:
        arranged(call, leaf)
    call.run.bound(leaf)
    views.write_back(call.run, leaf)
    return found


_CHANGING = frozenset(
    {
        "add", "addAll", "put", "putAll", "putIfAbsent", "computeIfAbsent", "compute", "merge", "offer", "remove", "removeIf",
        "setProperty", "poll",
    }
)  # fmt: skip


def _on_collection(call: Call, leaf: Object) -> Guarded:
    if leaf.type in ("Stream", "IntStream"):
        return stream_method(call, leaf)
    if leaf.type == "Iterator":
        return _iterator(call, leaf)
    if leaf.entries is not None:
        return _map(call, leaf)
    if leaf.items is not None:
        return _list(call, leaf)
    return NotImplemented


def _iterator(call: Call, leaf: Object) -> Guarded:
    run = call.run
    position = leaf.fields.get("position", 0)
    count = size(leaf)
    match call.name:
        case "hasPrevious":
            return apply(lambda p: p > 0, position)
        case "nextIndex" | "previousIndex":
            return apply(lambda p: p - (call.name == "previousIndex"), position)
        case "previous" if leaf.open is None:
            before = apply(lambda p: p - 1, position)
            leaf.fields["position"] = pick(run.guard, before, position)
            return at(run, leaf, before)
        case "set" if isinstance(position, int) and isinstance(viewed := leaf.fields.get(_VIEWED), Object):
            if viewed.items is not None:
                set_at(run, viewed, position - 1, call.args[0])
                views.write_back(run, viewed)
            return None
        case "hasNext" | "hasMoreElements":
            if not all(isinstance(n, int) for _, n in leaves(count)):
                return Test("true", (Unknown(Why.DYNAMIC, "hasNext()"),))
            return apply(lambda p, n: p < n, position, count)
        case "next" | "nextElement":
            if leaf.open is not None and not leaf.items:
                symbol = symbol_of(leaf.open)
                return Unknown(
                    leaf.open.why,
                    phrase("element-of", leaf.open.detail),
                    None if symbol is None else ("element", symbol),
                )
            value = at(run, leaf, position)
            leaf.fields["position"] = pick(run.guard, apply(lambda p: p + 1, position), position)
            return value
        case "remove":
            _taken(run, leaf, position)
            return None
        case "forEachRemaining":
            _each(call, leaf.items or [])
            return None
    return NotImplemented


def _taken(run: Interpreter, leaf: Object, position: Guarded) -> None:
    """`Iterator.remove`: what `next` gave last goes from the collection."""
    viewed = leaf.fields.get(_VIEWED)
    shown = viewed.fields.get(views.VIEW) if isinstance(viewed, Object) else None
    if isinstance(shown, views.View):
        viewed = shown.base
    gone = leaf.items[position - 1] if leaf.items and isinstance(position, int) and position > 0 else None
    while isinstance(viewed, Object):
        if gone is None:
            viewed.open = Unknown(Why.DYNAMIC, "remove()")
        elif viewed.items is not None:
            kept = [
                (both(guard, negate(run.guard)) if item is gone[1] else guard, item)
                for guard, item in viewed.items
            ]
            viewed.items = [pair for pair in kept if pair[0] is not False]
        elif viewed.entries is not None:
            held = gone[1]
            for entry in viewed.entries:
                if entry.key is held or (isinstance(held, Object) and held.fields.get(ENTRY) is entry):
                    entry.guard = both(entry.guard, negate(run.guard))
            viewed.entries = [entry for entry in viewed.entries if entry.guard is not False]
        shown = viewed.fields.get(views.VIEW)
        viewed = shown.base if isinstance(shown, views.View) else viewed.fields.get(_VIEWED)


def iterator(
    call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, viewed: Object | None = None
) -> Object:
    made = call.run.make(None, "Iterator", call.place)
    made.items, made.open = list(found), open_
    if viewed is not None:
        made.fields[_VIEWED] = viewed
    return made


def _each(call: Call, found: list[tuple[Guarded, Guarded]]) -> None:
    each_item(call, found, call.args[0])


def _list(call: Call, leaf: Object) -> Guarded:
    run, args = call.run, call.args
    assert leaf.items is not None
    is_set = "Set" in leaf.type
    match call.name:
        case (
            "add"
            | "addLast"
            | "offer"
            | "push"
            | "addFirst"
            | "offerLast"
            | "put"
            | "addElement"
            | "offerFirst"
        ) if args:
            if len(args) == 2:
                if isinstance(args[0], int):
                    leaf.items.insert(args[0], (run.guard, args[1]))
                else:
                    leaf.items.append((run.guard, args[1]))
                    unsettle(run, leaf, "add()", args[0])
                return None
            if is_set and _is_in(call, leaf, args[0]):
                return False
            if call.name in ("push", "addFirst", "offerFirst"):
                leaf.items.insert(0, (run.guard, args[0]))
                return args[0]
            leaf.items.append((run.guard, args[0]))
            return True
        case "addAll" if args:
            source = args[-1]
            there = len(leaf.items)
            for guard, one in leaves(source, run.guard):
                found = items(call.java, run, one, call.frame)
                if found is None:
                    leaf.open = (
                        one if isinstance(one, Unknown) else Unknown(Why.DYNAMIC, phrase("collection"))
                    )
                for inner, item in found or ():
                    if is_set and any(_held(run, g) and apply(equal, v, item) is True for g, v in leaf.items):
                        continue
                    leaf.items.append((both(guard, inner), item))
            if len(args) == 2 and isinstance(args[0], int):
                added = leaf.items[there:]
                del leaf.items[there:]
                leaf.items[args[0] : args[0]] = added
            elif len(args) == 2:
                unsettle(run, leaf, "addAll()", args[0])
            return True
        case "get" | "elementAt" if args:
            return at(run, leaf, args[0])
        case "getFirst" | "peek" | "element" | "peekFirst" | "firstElement" | "first":
            return at(run, leaf, 0) if leaf.items else None
        case "getLast" | "peekLast" | "lastElement" | "last":
            return at(run, leaf, len(leaf.items) - 1) if leaf.items else None
        case "poll" | "pop" | "removeFirst" | "pollFirst" | "take":
            return _take(run, leaf, 0)
        case "pollLast" | "removeLast":
            return _take(run, leaf, -1)
        case "remove" | "removeFirstOccurrence" if args:
            if call.name == "remove" and isinstance(args[0], int) and not is_set:
                return _take(run, leaf, args[0])
            if any(_may_equal(value, args[0]) for _, value in leaf.items):
                unsettle(run, leaf, "remove()", args[0])
                return Unknown(Why.DYNAMIC, "remove()")
            leaf.items = [
                (both(g, negate(run.guard)) if apply(equal, v, args[0]) is True else g, v)
                for g, v in leaf.items
            ]
            leaf.items = [(g, v) for g, v in leaf.items if g is not False]
            return True
        case "remove":
            return _take(run, leaf, 0)
        case "set" if len(args) == 2:
            old = at(run, leaf, args[0])
            set_at(run, leaf, args[0], args[1])
            return old
        case "clear":
            leaf.items = [(both(g, negate(run.guard)), v) for g, v in leaf.items]
            leaf.items = [(g, v) for g, v in leaf.items if g is not False]
            return None
        case "size":
            return size(leaf)
        case "isEmpty" | "empty":
            count = size(leaf)
            return apply(
                lambda n: (
                    n == 0
                    if isinstance(n, int)
                    else Test(
                        "true", (Unknown(n.why, n.detail, (">=", n.symbol, 1) if n.symbol else None),), True
                    )
                ),
                count,
            )
        case "contains":
            return _contains([(g, v) for g, v in leaf.items], args[0], leaf.open)
        case "indexOf":
            for index, (guard, value) in enumerate(leaf.items):
                if guard is True and apply(equal, value, args[0]) is True:
                    return index
                if _may_equal(value, args[0]):
                    return run.due(Unknown(Why.DYNAMIC, "indexOf"), value, args[0])
            return (
                -1 if all(g is True and plain(v) for g, v in leaf.items) else Unknown(Why.DYNAMIC, "indexOf")
            )
        case "iterator" | "listIterator" | "elements" | "descendingIterator":
            found = list(reversed(leaf.items)) if call.name[0] == "d" else leaf.items
            made = iterator(call, found, leaf.open, leaf)
            if args and isinstance(args[0], int):
                made.fields["position"] = args[0]
            elif args:
                unsettle(run, made, "listIterator()", args[0])
            return made
        case "floor" | "lower" | "ceiling" | "higher" if args and leaf.open is None:
            place = beside(call, leaf, [value for _, value in leaf.items], args[0])
            return place if isinstance(place, Unknown) else None if place is None else leaf.items[place][1]
        case "headSet" | "tailSet" | "subSet" if args and leaf.open is None:
            chosen = within(call, leaf, [value for _, value in leaf.items], args)
            made = new_list(run, leaf.type, call.place)
            made.fields.update(leaf.fields)
            made.open = chosen if isinstance(chosen, Unknown) else None
            made.items = leaf.items[chosen] if isinstance(chosen, slice) else []
            return made
        case "descendingSet":
            made = new_list(run, "LinkedHashSet", call.place)
            made.items, made.open = list(reversed(leaf.items)), leaf.open
            return made
        case "stream" | "parallelStream":
            return stream_of(call.java, run, leaf, call.frame, call.place)
        case "forEach":
            _each(call, items(call.java, run, leaf, call.frame) or [])
            return None
        case "toArray" | "clone":
            made = array(run, [], call.place)
            made.items, made.open = list(leaf.items), leaf.open
            return made
        case "subList" if all(isinstance(a, int) for a in args):
            made = new_list(run, "List", call.place)
            made.fields[views.VIEW] = views.View(leaf, None, args[0], args[1])
            views.refresh(made)
            return made
        case "reversed":
            made = new_list(run, "List", call.place)
            made.items = list(reversed(leaf.items))
            return made
        case "removeIf":
            kept: list[tuple[Guarded, Guarded]] = []
            for guard, value in leaf.items:
                goes = call.holds(call.invoke(args[0], value))
                kept.append((both(guard, negate(both(goes, run.guard))), value))
            before, leaf.items = len(leaf.items), [(g, v) for g, v in kept if g is not False]
            return len(leaf.items) < before
        case "replaceAll":
            replaced = [(g, call.invoke(args[0], v)) for g, v in leaf.items]
            leaf.items = instead(run.guard, replaced, leaf.items)
            return None
        case "sort":
            sort_in_place(call, leaf, args[0] if args else None)
            return None
        case "equals":
            return apply(lambda other: equal(leaf, other), args[0])
        case "containsAll" | "retainAll" | "removeAll" if (others := _all_plain(call, leaf)) is not None:
            held = [_contains(others, value, None) is True for _, value in leaf.items]
            if call.name == "containsAll":
                return all(_contains(leaf.items, value, None) is True for _, value in others)
            gone = negate(run.guard)
            keeps = call.name == "retainAll"
            leaf.items = [
                (g if there == keeps else both(g, gone), v)
                for (g, v), there in zip(leaf.items, held, strict=True)
            ]
            leaf.items = [(g, v) for g, v in leaf.items if g is not False]
            return not all(there == keeps for there in held)
        case "containsAll":
            return Unknown(Why.DYNAMIC, call.name)
        case "retainAll" | "removeAll":
            leaf.open = leaf.open or Unknown(Why.DYNAMIC, call.name)
            leaf.items = []  # which of them are left
            return Unknown(Why.DYNAMIC, call.name)
        case "hashCode":
            return Unknown(Why.DYNAMIC, "hashCode")
        case "getIfAvailable" | "getIfUnique" | "getObject" if leaf.open is None:  # of an `ObjectProvider`
            return at(run, leaf, 0) if leaf.items else call.invoke(args[0]) if args else None
        case "ifAvailable" | "ifUnique" if leaf.open is None and args:
            _each(call, leaf.items[:1])
            return None
        case "orderedStream":
            return stream_of(call.java, run, leaf, call.frame, call.place)
    return NotImplemented


def _all_plain(call: Call, leaf: Object) -> list[tuple[Guarded, Guarded]] | None:
    """What the other collection holds, where it and this one hold plain values and nothing else."""
    found = items(call.java, call.run, call.args[0], call.frame) if call.args else None
    if found is None or leaf.open is not None or leaf.items is None:
        return None
    every = [*found, *leaf.items]
    return found if all(guard is True and plain(value) for guard, value in every) else None


def _contains(found: list[tuple[Guarded, Guarded]], value: Guarded, open_: Unknown | None) -> Guarded:
    there: Guarded = False
    unsure: Test | None = None
    for guard, item in found:
        match = apply(equal, item, value)
        for inner, one in leaves(match):
            if isinstance(one, Test):
                unsure = one
            elif one:
                there = either(there, both(guard, inner))
    if there is True:
        return True
    if unsure is not None or open_ is not None:
        symbols = tuple(symbol_of(leaf) for _, leaf in leaves(value))
        symbol = None if None in symbols else ("contains", symbols, len(found))
        return Test("true", (Unknown(Why.DYNAMIC, "contains()", symbol),))
    return there


def _take(run: Interpreter, leaf: Object, index: int) -> Guarded:
    assert leaf.items is not None
    if not leaf.items or not -len(leaf.items) <= index < len(leaf.items):
        return leaf.open
    guard, value = leaf.items[index]
    left = both(guard, negate(run.guard))
    if left is False:
        del leaf.items[index]
    else:
        leaf.items[index] = (left, value)
    return value


def sort_in_place(call: Call, leaf: Object, comparator: Guarded) -> None:
    """Sorts by a comparator, or by natural order, where that is known; else leaves the order."""
    if leaf.open is not None:  # what nobody has seen may come first
        forget_contents(call.run, leaf.open, [leaf])
        return
    found = ordered(call, leaf.items or [], comparator)
    if found is None:
        unsettle(call.run, leaf, "sort()", comparator)
    else:
        leaf.items = instead(call.run.guard, found, leaf.items or [])


def _map(call: Call, leaf: Object) -> Guarded:
    run, args = call.run, call.args
    assert leaf.entries is not None
    match call.name:
        case "put" if len(args) == 2:
            old = put(run, leaf, args[0], args[1], call.place)
            if leaf.declared is not None and run.scope.methods(leaf.declared, "removeEldestEntry", 1):
                _drop_eldest(call, leaf)
            return old
        case "get":
            return under(find(run, leaf, args[0])[1], run.guard)
        case "getOrDefault":
            there, value = find(run, leaf, args[0])
            return under(pick(there, value, args[1] if len(args) > 1 else None), run.guard)
        case "containsKey":
            there, value = find(run, leaf, args[0])
            if isinstance(value, Unknown) and value.symbol is not None and value.symbol[:1] == ("entry",):  # type: ignore[index]
                return Test("present", (value,))
            return under(there, run.guard)
        case "containsValue":
            return _contains([(e.guard, e.value) for e in leaf.entries], args[0], leaf.open)
        case "putIfAbsent":
            there, value = find(run, leaf, args[0])
            _where(run, _perhaps_absent(leaf, args[0], there), lambda: put(run, leaf, *args))
            return pick(there, value, None)
        case "computeIfAbsent":
            there, value = find(run, leaf, args[0])
            before = run.guard
            run.guard = both(before, _perhaps_absent(leaf, args[0], there))
            made: Guarded = UNSET
            if run.guard is not False:
                made = call.invoke(args[1], args[0])
                put(run, leaf, args[0], made)
            run.guard = before
            return value if made is UNSET else under(pick(there, value, made), before)
        case "compute" | "computeIfPresent":
            there, value = find(run, leaf, args[0])
            if call.name == "computeIfPresent" and there is False:
                return None
            result = call.invoke(args[1], args[0], value)
            if result is None:
                remove(run, leaf, args[0])
            else:
                put(run, leaf, args[0], result)
            return result
        case "merge":
            there, value = find(run, leaf, args[0])
            merged = call.invoke(args[2], value, args[1]) if there is not False else args[1]
            result = pick(there, merged, args[1])
            put(run, leaf, args[0], result)
            return result
        case "putAll":
            for guard, one in leaves(args[0], run.guard):
                if isinstance(one, Object) and one.entries is not None:
                    before = run.guard
                    for entry in list(one.entries):
                        run.guard = both(guard, entry.guard)
                        if run.guard is not False:
                            put(run, leaf, entry.key, entry.value)
                    run.guard = before
                else:
                    leaf.open = one if isinstance(one, Unknown) else Unknown(Why.DYNAMIC, phrase("map"))
            return None
        case "remove":
            return remove(run, leaf, args[0])
        case "clear":
            for entry in leaf.entries:
                entry.guard = both(entry.guard, negate(run.guard))
            leaf.entries = [entry for entry in leaf.entries if entry.guard is not False]
            return None
        case "size":
            return size(leaf)
        case "isEmpty":
            count = size(leaf)
            return apply(
                lambda n: n == 0 if isinstance(n, int) else Test("true", (Unknown(Why.DYNAMIC, "isEmpty"),)),
                count,
            )
        case "entrySet" | "keySet" | "values" | "navigableKeySet":
            return _view(call, leaf, call.name)
        case "keys" | "elements":
            shown = _view(call, leaf, "values" if call.name == "elements" else "keySet")
            return iterator(call, shown.items or [], leaf.open, shown)
        case "forEach":
            before = run.guard
            going: Guarded = before
            for entry in list(leaf.entries):
                here = both(going, entry.guard)
                if here is False:
                    continue
                run.guard = here
                call.invoke(args[0], entry.key, entry.value)
                going = either(
                    run.guard, both(going, negate(entry.guard)) if entry.guard is not True else False
                )
            if leaf.open is not None and going is not False:
                run.guard = going
                symbol = symbol_of(leaf.open)
                parts = [
                    Unknown(leaf.open.why, leaf.open.detail, None if symbol is None else (part, symbol))
                    for part in ("key", "value")
                ]
                call.invoke(args[0], *parts)
                going = run.guard
            run.guard = going
            return None
        case "replace" if len(args) == 2:
            there, value = find(run, leaf, args[0])
            if there is not False:
                _where(run, there, lambda: put(run, leaf, args[0], args[1]))
            return pick(there, value, None)
        case (
            "floorKey"
            | "floorEntry"
            | "lowerKey"
            | "lowerEntry"
            | "ceilingKey"
            | "ceilingEntry"
            | "higherKey"
            | "higherEntry"
        ) if args and leaf.open is None:
            place = beside(call, leaf, [entry.key for entry in leaf.entries], args[0])
            if not isinstance(place, int):
                return place
            nearest = leaf.entries[place]
            return nearest.key if call.name.endswith("Key") else entry_object(run, nearest, call.place)
        case "headMap" | "tailMap" | "subMap" if args and leaf.open is None:
            places = within(call, leaf, [entry.key for entry in leaf.entries], args)
            made = new_map(run, leaf.type, call.place)
            made.fields.update(leaf.fields)
            made.open = places if isinstance(places, Unknown) else None
            made.entries = leaf.entries[places] if isinstance(places, slice) else []
            return made
        case "descendingMap":
            made = new_map(run, "LinkedHashMap", call.place)
            made.entries, made.open = list(reversed(leaf.entries)), leaf.open
            return made
        case "pollFirstEntry" | "pollLastEntry" if leaf.entries and leaf.open is None:
            outermost = leaf.entries[0 if "First" in call.name else -1]
            made = entry_object(run, outermost, call.place)
            remove(run, leaf, outermost.key)
            return made
        case "replaceAll":
            for entry in leaf.entries:
                entry.value = pick(run.guard, call.invoke(args[0], entry.key, entry.value), entry.value)
            return None
        case "firstKey" | "lastKey" | "firstEntry" | "lastEntry":
            if leaf.open is not None:
                return leaf.open
            if not leaf.entries:
                return None
            chosen = leaf.entries[0 if call.name.startswith("first") else -1]
            return chosen.key if call.name.endswith("Key") else entry_object(run, chosen, call.place)
        case "equals":
            return Unknown(Why.DYNAMIC, "equals")
    return NotImplemented


def _view(call: Call, leaf: Object, name: str) -> Object:
    """The keys, values or entries of a map, which write through to it."""
    shown: dict[str, Callable[[Entry], Guarded]] = {
        "entrySet": lambda entry: entry_object(call.run, entry, call.place),
        "values": lambda entry: entry.value,
    }
    made = new_list(call.run, "List", call.place)
    made.fields[views.VIEW] = views.View(leaf, shown.get(name, lambda entry: entry.key))
    views.refresh(made)
    return made


def _perhaps_absent(leaf: Object, key: Guarded, there: Guarded) -> Guarded:
    """The guard under which a key is not there, as far as anybody knows: one that may equal another is put beside it."""
    unsure = any(_may_equal(entry.key, key) for entry in leaf.entries or ())
    return True if unsure else negate(there)


def _where(run: Interpreter, guard: Guarded, action: Callable[[], Guarded]) -> None:
    before = run.guard
    run.guard = both(before, guard)
    if run.guard is not False:
        action()
    run.guard = before


# -- streams --------------------------------------------------------------------------------------------------------


def stream_of(java: Java, run: Interpreter, value: Guarded, frame: Frame, place: Location) -> Object:
    """A stream over a collection's elements, as they are now."""
    made = new_list(run, "Stream", place)
    if isinstance(value, Object):
        found = list(value.items) if value.items is not None else items(java, run, value, frame)
        made.items = found if found is not None else []
        made.open = value.open if found is not None else Unknown(Why.DYNAMIC, phrase("stream"))
    elif isinstance(value, Unknown):
        made.open = value
    return made


def _stream(call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None) -> Object:
    made = new_list(call.run, "Stream", call.place)
    made.items, made.open = found, open_
    return made


def _mapped(
    call: Call, found: list[tuple[Guarded, Guarded]], function: Guarded
) -> list[tuple[Guarded, Guarded]]:
    run = call.run
    before = run.guard
    result: list[tuple[Guarded, Guarded]] = []
    for guard, value in found:
        run.guard = both(before, guard)
        if run.guard is not False:
            result.append((guard, call.invoke(function, value)))
    run.guard = before
    return result


def stream_method(call: Call, leaf: Object) -> Guarded:
    """A stage or an end of a stream. Elements are computed at once, in order."""
    run, args = call.run, call.args
    found = leaf.items or []
    open_ = leaf.open
    if leaf.fields.get("generator") is not None:
        return _generated(call, leaf)
    match call.name:
        case "map" | "mapToObj" | "mapToInt" | "mapToLong":
            if open_ is not None:
                symbol = symbol_of(open_)
                item = Unknown(open_.why, open_.detail, None if symbol is None else ("element", symbol))
                mapped = call.invoke(args[0], item)
                open_ = mapped if isinstance(mapped, Unknown) else Unknown(Why.DYNAMIC, phrase("stream"))
            return _stream(call, _mapped(call, found, args[0]), open_)
        case "filter" | "takeWhile" | "dropWhile":
            kept: list[tuple[Guarded, Guarded]] = []
            going: Guarded = True
            before = run.guard
            for guard, value in found:
                run.guard = both(before, guard)
                if run.guard is False:
                    continue
                holds = call.holds(call.invoke(args[0], value))
                if call.name == "takeWhile":
                    going = holds = both(going, holds)
                elif call.name == "dropWhile":
                    going = both(going, holds)
                    holds = negate(going)
                kept.append((both(guard, holds), value))
            run.guard = before
            return _stream(call, [(g, v) for g, v in kept if g is not False], open_)
        case "flatMap":
            flat: list[tuple[Guarded, Guarded]] = []
            for guard, inner in _mapped(call, found, args[0]):
                for path, one in leaves(inner, guard):
                    for deeper, value in (one.items or ()) if isinstance(one, Object) else ():
                        flat.append((both(path, deeper), value))
            return _stream(call, flat, open_)
        case "peek":
            _each(call, found)
            return leaf
        case "forEach" | "forEachOrdered":
            _each(call, items(call.java, run, leaf, call.frame) or [])
            return None
        case "distinct":
            seen: list[tuple[Guarded, Guarded]] = []
            for guard, value in found:
                if not any(_held(run, g) and apply(equal, v, value) is True for g, v in seen):
                    seen.append((guard, value))
            return _stream(call, seen, open_)
        case "sorted":
            made = _stream(call, list(found), open_)
            sort_in_place(call, made, args[0] if args else None)
            return made
        case "limit" | "skip" if isinstance(args[0], int) and all(g is True for g, _ in found):
            return _stream(call, found[: args[0]] if call.name == "limit" else found[args[0] :], open_)
        case "boxed" | "parallel" | "sequential" | "unordered" | "onClose" | "asLongStream" | "stream":
            return leaf
        case "iterator":
            return iterator(call, found, open_)
        case "toList" | "toArray":
            made = new_list(run, "List" if call.name == "toList" else "[]", call.place)
            made.items, made.open = list(found), open_
            return made
        case "collect" if args:
            return opened(apply(lambda one: _Box(_collect(call, found, open_, one)), args[0]), run.guard)
        case "count":
            return size(leaf)
        case "findFirst" | "findAny" | "max" | "min":
            first: Guarded = None
            if call.name in ("max", "min"):
                chosen = _stream(call, list(found), open_)
                sort_in_place(call, chosen, args[0] if args else None)
                found = chosen.items or []
                if call.name == "max":
                    found = list(reversed(found))
            for guard, item in reversed(found):
                first = pick(guard, item, first)
            if open_ is not None and not found:
                first = open_
            return modelled.optional(call.java, run, first, call.frame, call.place)
        case "anyMatch" | "allMatch" | "noneMatch":
            answers = [(guard, call.holds(answer)) for guard, answer in _mapped(call, found, args[0])]
            any_: Guarded = False
            for guard, answer in answers:
                wanted = negate(answer) if call.name == "allMatch" else answer
                any_ = either(any_, both(guard, wanted))
            if open_ is not None:
                return Test("true", (Unknown(Why.DYNAMIC, f"{call.name}()"),))
            return any_ if call.name == "anyMatch" else negate(any_)
        case "reduce":
            if all(guard is True for guard, _ in found) and open_ is None:
                values = [value for _, value in found]
                if len(args) == 1:
                    result: Guarded = values[0] if values else None
                    for value in values[1:]:
                        result = call.invoke(args[0], result, value)
                    return modelled.optional(call.java, run, result, call.frame, call.place)
                result = args[0]
                for value in values:
                    result = call.invoke(args[1], result, value)
                return result
            return Unknown(Why.DYNAMIC, "reduce")
        case "sum" | "average":
            if all(guard is True and isinstance(value, int) for guard, value in found) and call.name == "sum":
                return sum(value for _, value in found)
            return Unknown(Why.DYNAMIC, call.name)
    return NotImplemented


def _generated(call: Call, leaf: Object) -> Guarded:
    """`Stream.iterate(seed, [test,] step)`: as many elements as `limit` or the test allow."""
    parts = leaf.fields["generator"]
    how = leaf.fields["how"].known
    wanted = call.args[0] if call.name == "limit" and call.args and isinstance(call.args[0], int) else None
    made = new_list(call.run, "Stream", call.place)
    assert made.items is not None
    if how == "generate":
        for _ in range(min(wanted or 0, ARRAY_MAX)):
            made.items.append((True, call.invoke(parts[0])))
        return made if wanted is not None else Unknown(Why.DYNAMIC, phrase("stream"))
    value = parts[0]
    for _ in range(wanted if wanted is not None else 256):
        if len(parts) == 3 and call.invoke(parts[1], value) is not True:
            break
        made.items.append((True, value))
        value = call.invoke(parts[-1], value)
    if wanted is None and len(parts) == 3:
        return stream_method(call, made)
    return made if wanted is not None else Unknown(Why.DYNAMIC, phrase("stream"))


def _collect(
    call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, collector: Any
) -> Guarded:
    run = call.run
    if not isinstance(collector, Object) or collector.type != "Collector":
        return Unknown(Why.DYNAMIC, "collect()")
    kind = collector.fields["kind"].known
    args = collector.fields["arguments"]
    match kind:
        case "joining":
            if open_ is not None:
                return Unknown(open_.why, open_.detail)
            separator, prefix, suffix = (*args, None, None, None)[:3]
            return join_items(call, separator if separator is not None else text(""), found, prefix, suffix)
        case "counting":
            return len(found)
        case "mapping":
            return _collect(call, _mapped(call, found, args[0]), open_, args[1])
        case "collectingAndThen":
            return call.invoke(args[1], _collect(call, found, open_, args[0]))
        case "filtering":
            kept = [(both(g, call.holds(call.invoke(args[0], v))), v) for g, v in found]
            return _collect(call, [(g, v) for g, v in kept if g is not False], open_, args[1])
        case "toMap" | "toConcurrentMap" | "toUnmodifiableMap":
            made = _table(call, args[3] if len(args) > 3 else None)
            made.open = open_
            before = run.guard
            for guard, value in found:
                run.guard = both(before, guard)
                if run.guard is not False:
                    key, item = call.invoke(args[0], value), call.invoke(args[1], value)
                    if len(args) > 2:
                        there, held = find(run, made, key)
                        if there is not False:
                            item = pick(there, call.invoke(args[2], held, item), item)
                    put(run, made, key, item)
            run.guard = before
            for entry in made.entries or ():
                entry.guard = under(entry.guard, before)
            arranged(call, made)
            return made
        case "groupingBy" | "partitioningBy":
            made = _table(call, args[1] if len(args) > 2 else None)
            made.open = open_
            groups: list[tuple[Guarded, list[tuple[Guarded, Guarded]]]] = []
            for guard, value in found:
                key = call.invoke(args[0], value)
                run.work(len(groups))
                for known, members in groups:
                    if apply(equal, known, key) is True:
                        members.append((guard, value))
                        break
                else:
                    groups.append((key, [(guard, value)]))
            assert made.entries is not None
            for key, members in groups:
                if len(args) > 1 and isinstance(args[-1], Object) and args[-1].type == "Collector":
                    group = _collect(call, members, None, args[-1])
                else:
                    group = new_list(run, "List", call.place)
                    group.items = members
                made.entries.append(Entry(True, key, group))
            if kind == "partitioningBy":
                _both_parts(call, made, args)
            arranged(call, made)
            return made
        case "reducing" if len(args) == 2 and all(guard is True for guard, _ in found) and open_ is None:
            total: Guarded = args[0]
            for _, value in found:
                total = call.invoke(args[1], total, value)
            return total
        case "summingInt" | "summingLong" if open_ is None:
            counts = [value for _, value in _mapped(call, found, args[0])]
            whole = all(guard is True for guard, _ in found) and all(isinstance(one, int) for one in counts)
            return sum(counts) if whole else Unknown(Why.DYNAMIC, "collect()")
        case "averagingInt" | "averagingLong" if open_ is None and found:
            counts = [value for _, value in _mapped(call, found, args[0])]
            whole = all(guard is True for guard, _ in found) and all(isinstance(one, int) for one in counts)
            return sum(counts) / len(counts) if whole else Unknown(Why.DYNAMIC, "collect()")
        case "flatMapping":
            flat = stream_method(_of(call, "flatMap", args[0]), _stream(call, found, open_))
            return _collect(call, flat.items or [], flat.open, args[1])
        case "maxBy" | "minBy":
            return stream_method(_of(call, kind[:3], args[0]), _stream(call, found, open_))
    made = new_list(run, "HashSet" if kind and "Set" in kind else "List", call.place)
    made.items, made.open = list(found), open_
    if kind == "toCollection" and args:
        given = call.invoke(args[0])
        if isinstance(given, Object) and given.items is not None:
            made.type, made.fields = given.type, dict(given.fields)
    if made.type == "HashSet" or "Set" in made.type:
        made.items = once(made.items)
    arranged(call, made)
    return made


def _of(call: Call, name: str, *args: Guarded) -> Call:
    """The same call of another method."""
    return type(call)(call.java, call.run, call.target, name, list(args), call.frame, call.place)


def _table(call: Call, factory: Guarded) -> Object:
    """The map that a collector fills: what its factory makes, else a hash table."""
    given = None if factory is None else call.invoke(factory)
    if isinstance(given, Object) and given.entries is not None:
        return given
    return new_map(call.run, "Map" if factory is not None else "HashMap", call.place)


def _both_parts(call: Call, made: Object, args: tuple[Guarded, ...]) -> None:
    """`partitioningBy` has both parts, the false one first, also where one is empty."""
    made.type = "Map"
    assert made.entries is not None
    if any(not isinstance(entry.key, bool) for entry in made.entries):
        return
    for key in (False, True):
        if not any(entry.key is key for entry in made.entries):
            nothing: Guarded = new_list(call.run, "List", call.place)
            if len(args) > 1:
                nothing = _collect(call, [], None, args[-1])
            made.entries.append(Entry(True, key, nothing))
    made.entries.sort(key=lambda entry: entry.key is True)


def _is_in(call: Call, leaf: Object, value: Guarded) -> bool:
    """Whether a set surely holds a value, by its comparator where it has one."""
    if COMPARATOR in leaf.fields:
        place = beside(_of(call, "floor"), leaf, [item for _, item in leaf.items or ()], value)
        if isinstance(place, int) and leaf.items is not None and leaf.items[place][0] is True:
            return not isinstance(beside(_of(call, "lower"), leaf, [leaf.items[place][1]], value), int)
    return any(_held(call.run, g) and apply(equal, v, value) is True for g, v in leaf.items or ())


def once(found: list[tuple[Guarded, Guarded]]) -> list[tuple[Guarded, Guarded]]:
    """The elements of a set: of equal ones the first."""
    kept: list[tuple[Guarded, Guarded]] = []
    for guard, value in found:
        if not any(known is True and apply(equal, one, value) is True for known, one in kept):
            kept.append((guard, value))
    return kept


_ = absent


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


def each_item(call: Call, found: list[tuple[Guarded, Guarded]], function: Guarded) -> None:
    """Runs a function for each guarded element."""
    run = call.run
    going = run.guard
    for guard, item in found:
        here = both(going, guard)
        if here is False:
            continue
        run.guard = here
        call.invoke(function, item)
        going = either(run.guard, both(going, negate(guard)) if guard is not True else False)
    run.guard = going

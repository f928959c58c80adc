"""What collections of the library refuse: nulls, equal keys, and changes while something goes through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from subdrift.linter.resolve.execute.guards import UNSET, apply, both, choose, negate
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Watch
from subdrift.linter.resolve.execute.values import Guarded, Object
from subdrift.linter.resolve.semantics.jvm import elements, order, views
from subdrift.linter.resolve.semantics.jvm.equality import equal
from subdrift.linter.resolve.semantics.jvm.operators import raise_where

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.calls import Call

REFUSES: Final = "<refuses null>"
"""The field of a collection that is not asked for null either, as those of `List.of`."""

_ASK: Final = frozenset(
    {"contains", "indexOf", "lastIndexOf", "get", "getOrDefault", "containsKey", "containsValue"}
)
_KEYED: Final = frozenset(
    {"get", "getOrDefault", "containsKey", "containsValue", "remove", "computeIfAbsent", "computeIfPresent", "compute",
     "put", "putIfAbsent", "replace", "merge", "setProperty", "getProperty"}
)  # fmt: skip
_STORE: Final = frozenset({"put", "putIfAbsent", "replace", "merge", "setProperty"})
_ADD: Final = frozenset({"add", "offer", "push", "put", "addFirst", "addLast", "offerFirst", "offerLast"})
_TABLES: Final = frozenset({"ConcurrentHashMap", "ConcurrentSkipListMap", "Hashtable", "Properties"})
_SORTED: Final = frozenset({"TreeMap", "TreeSet", "ConcurrentSkipListSet"})
_QUEUES: Final = frozenset(
    {"ArrayDeque", "PriorityQueue", "ConcurrentLinkedQueue", "ConcurrentLinkedDeque", "ArrayBlockingQueue",
     "LinkedBlockingQueue", "LinkedBlockingDeque", "PriorityBlockingQueue"}
)  # fmt: skip
_COUNTING: Final = frozenset({"LinkedList", "PriorityQueue"})
"""What counts its elements in each turn, and ends where there are no more."""
_CHECKED: Final = frozenset(
    {"ArrayList", "LinkedList", "Vector", "Stack", "HashMap", "LinkedHashMap", "TreeMap", "Hashtable", "HashSet",
     "LinkedHashSet", "TreeSet", "PriorityQueue", "ArrayDeque"}
)  # fmt: skip
"""What finds out while something goes through it that it was changed."""


def refused(call: Call, leaf: Object) -> Guarded:
    """The guard under which a call has a null that a collection throws for."""
    if not call.args:
        return False
    found = is_null(call.args[0]) if _refuses(leaf, call.name) else False
    if call.name in _STORE and len(call.args) > 1 and views.kind_of(leaf) in _TABLES:
        found = elements.any_of((found, is_null(call.args[1])))
    return found


def _refuses(leaf: Object, name: str) -> bool:
    """Whether a method does not take null as its first argument."""
    kind = views.kind_of(leaf)
    if REFUSES in leaf.fields:
        return name in _ASK
    if kind in _TABLES:
        return name in _KEYED
    if kind in _SORTED and order.COMPARATOR not in leaf.fields:
        return name in _KEYED - {"containsValue"} or name in ("add", "contains")
    return kind in _QUEUES and name in _ADD


def is_null(value: Guarded) -> Guarded:
    """The guard under which a value is null."""
    return apply(lambda one: one is None, value)


def filled(call: Call, made: Guarded, different: Sequence[Guarded] = ()) -> Guarded:
    """A collection of `List.of` and its like, which takes no null, and no equal ones of what has to be `different`."""
    if not isinstance(made, Object):
        return made
    made.fields[REFUSES] = True
    held = [(entry.guard, entry.key) for entry in made.entries or ()]
    held += [(entry.guard, entry.value) for entry in made.entries or ()] + list(made.items or ())
    nulls = elements.any_of(both(guard, is_null(value)) for guard, value in held)
    if nulls is not False:
        elements.fail(call, "NullPointerException", nulls)
    twice = _twice(different)
    if twice is not False and call.run.guard is not False:
        elements.fail(call, "IllegalArgumentException", twice)
    return made if call.run.guard is not False else UNSET


def unmodifiable(call: Call, made: Guarded) -> Guarded:
    """What is collected into a collection of `List.of`, `Set.of` or `Map.of`."""
    if not isinstance(made, Object):
        return made
    made.fields[views.FIXED] = views.ALL
    if views.shape_of(made) != "list":  # walked in another order each time a program is started
        made.type = views.shape_of(made).capitalize()
        made.fields[views.UNORDERED] = views.ALL
    return filled(call, made)


def _twice(values: Sequence[Guarded]) -> Guarded:
    """The guard under which two of some values are equal, as far as that is known."""
    return elements.any_of(
        apply(lambda one, two: equal(one, two) is True, value, other)
        for place, value in enumerate(values)
        for other in values[:place]
    )


def watch(run: Interpreter, source: Guarded) -> Watch | None:
    """Asks before each turn over a collection whether it was changed: then the turn throws, unless the loop is at its end."""
    if type(source) is not Object or source.open is not None or run.stand_in:
        return None
    found = [guard for guard, _ in source.items or ()] + [entry.guard for entry in source.entries or ()]
    base = views.root(source)
    kind = views.kind_of(base)
    if kind not in _CHECKED or not all(guard is True for guard in found):
        return None
    before, last = views.changes(base), len(found)

    def ends(turn: int) -> Guarded:
        now = views.changes(base)
        moved = before is not now and apply(views.differ, before, now)
        if moved is False or base.open is not None:
            return False
        at_end: Guarded = turn == last
        if views.shape_of(base) == "list" or kind in _COUNTING:
            count = elements.size(source)
            at_end = apply(lambda size: size == turn or (kind in _COUNTING and _less(size, turn)), count)
        if kind == "ArrayDeque":
            at_end = turn == last
            if at_end is False:  # it hangs on where the elements stand in its array whether it finds out
                found = choose(run.decide(("moved", run.unique()), 2, "condition", None), 2, 0)
                raise_where(run, both(moved, found), "ConcurrentModificationException")
                return False
        raise_where(run, both(moved, negate(at_end)), "ConcurrentModificationException")
        return both(moved, at_end)

    return ends


def _less(size: Any, turn: int) -> bool:
    return isinstance(size, int) and size < turn


def unchanged(call: Call, leaf: Object, before: Guarded) -> bool:
    """Whether a collection is as it was before a function was called for its elements; where it is not, the call throws."""
    base = views.root(leaf)
    moved = apply(views.differ, before, views.changes(base))
    if moved is not False and views.kind_of(base) in _CHECKED and not call.run.stand_in:
        raise_where(call.run, moved, "ConcurrentModificationException")
    return moved is False

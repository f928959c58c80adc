"""Peers on lists and sets that show a part of them, or one element after the other."""

from __future__ import annotations

from typing import Final

from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.values import Guarded, Object, Unknown, is_whole
from subdrift.linter.resolve.semantics.jvm import order, views
from subdrift.linter.resolve.semantics.jvm.calls import Call, on
from subdrift.linter.resolve.semantics.jvm.collections import cursor, each_item
from subdrift.linter.resolve.semantics.jvm.elements import at, fail, is_settled
from subdrift.linter.resolve.semantics.jvm.views import FIXED, View, shape_of, view

_BOUNDS: Final = "IndexOutOfBoundsException"


@on("collection", "iterator", "listIterator", "elements", effect=Effect.VIEW)
def _iterator(call: Call, leaf: Object) -> Guarded:
    start = call.args[0] if call.args else 0
    return cursor(call, leaf, start, live=shape_of(leaf) == "list")


@on("collection", "descendingIterator", effect=Effect.VIEW)
def _descending_iterator(call: Call, leaf: Object) -> Guarded:
    return cursor(call, _reversed(call, leaf), 0, live=False)


@on("collection", "subList", effect=Effect.VIEW | Effect.MAY_RAISE)
def _sub_list(call: Call, leaf: Object) -> Guarded:
    start, end = call.args.first(2)
    made = call.listed("List")
    if not is_whole(start) or not is_whole(end) or not is_settled(call.run, leaf):
        reason = leaf.open or Unknown(Why.DYNAMIC, "subList()")
        return view(made, View(leaf, lambda _: reason))
    if not 0 <= start <= end <= len(leaf.items or ()):
        return fail(call, _BOUNDS if start <= end else "IllegalArgumentException")
    if FIXED in leaf.fields:
        made.fields[FIXED] = leaf.fields[FIXED]
    return view(made, View(leaf, start=start, end=end))


@on("collection", "reversed", "descendingSet", effect=Effect.VIEW)
def _reversed(call: Call, leaf: Object) -> Guarded:
    owner = call.frame.owner
    if call.name == "reversed" and owner is not None and owner.file.language == "kotlin":
        return NotImplemented  # Kotlin's own function of that name copies
    made = call.listed("Set" if shape_of(leaf) == "set" else "List")
    place = order.place(call) if order.is_sorted(views.root(leaf)) else None
    return view(made, View(leaf, lambda base: range(len(base.items or ()) - 1, -1, -1), place=place))


@on("collection", "floor", "lower", "ceiling", "higher")
def _nearest(call: Call, leaf: Object) -> Guarded:
    if not is_settled(call.run, leaf):
        return call.unknown()
    held = leaf.items or []
    place = order.beside(call, leaf, [value for _, value in held], call.args[0])
    return held[place][1] if is_whole(place) else place


@on("collection", "headSet", "tailSet", "subSet", effect=Effect.VIEW)
def _part(call: Call, leaf: Object) -> Guarded:
    made = call.listed("SortedSet")
    return view(made, View(leaf, order.part(call, leaf), place=order.place(call)))


# -- of Spring's `ObjectProvider` -----------------------------------------------------------------------------------------


@on("collection", "getIfAvailable", "getIfUnique", "getObject", effect=Effect.CALLS_ARGUMENT)
def _provided(call: Call, leaf: Object) -> Guarded:
    if leaf.open is not None:
        return NotImplemented
    return at(call.run, leaf, 0) if leaf.items else call.invoke(call.args[0]) if call.args else None


@on("collection", "ifAvailable", "ifUnique", effect=Effect.CALLS_ARGUMENT)
def _if_provided(call: Call, leaf: Object) -> Guarded:
    if leaf.open is not None:
        return NotImplemented
    each_item(call, (leaf.items or [])[:1], call.args[0])
    return None

"""Static methods of streams and of arrays that become some, and the cells under an iterator."""

from __future__ import annotations

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import counted
from subdrift.linter.resolve.execute.guards import apply, some
from subdrift.linter.resolve.execute.peers import LEAVES_MAX, Effect
from subdrift.linter.resolve.execute.values import Guarded, Object, Unknown, is_whole, text
from subdrift.linter.resolve.semantics.jvm import elements as held
from subdrift.linter.resolve.semantics.jvm import order, views
from subdrift.linter.resolve.semantics.jvm.calls import Call, static
from subdrift.linter.resolve.semantics.jvm.collections import ARRAY_MAX, cursor, items, stream_of
from subdrift.linter.resolve.semantics.jvm.elements import at, unsettle
from subdrift.linter.resolve.semantics.jvm.natives.collections import list_of, span_of


@static("Stream|IntStream|LongStream|DoubleStream", "of")
def _stream_factory(call: Call) -> Guarded:
    made = list_of(call)
    made.type, made.fields = "Stream", {}
    return made


@static("Arrays", "stream")
@static("StreamSupport", "stream")
def _arrays_stream(call: Call) -> Guarded:
    if len(call.args) > 2:  # a part of an array is told by a model
        return NotImplemented
    return stream_of(call.java, call.run, call.args[0], call.frame, call.place)


@static("IntStream|Stream|LongStream", "range", "rangeClosed", cost=span_of)
def _range(call: Call) -> Guarded:
    low, high = (counted(call.run, each, call.place) for each in call.args.first(2))
    ends = some(high, LEAVES_MAX)
    if not isinstance(low, int) or not all(isinstance(each, int) for each in ends):
        return call.listed("Stream", open_=Unknown(Why.DYNAMIC, phrase("range")))
    further = call.name == "rangeClosed"
    every = range(low, min(max(ends) + further, low + ARRAY_MAX))
    return call.listed("Stream", [(apply(lambda end, i=i: i < end + further, high), i) for i in every])


@static("Stream", "concat")
def _concat(call: Call) -> Guarded:
    found = [items(call.java, call.run, value, call.frame) for value in call.args]
    lost = [value for value, held in zip(call.args, found, strict=True) if held is None]
    open_ = lost[-1] if lost else None
    if lost and not isinstance(open_, Unknown):
        open_ = Unknown(Why.DYNAMIC, phrase("stream"))
    made = call.listed("Stream", [pair for held in found for pair in held or ()], open_)
    call.run.bound(made)
    return made


@static("Stream|IntStream|LongStream", "iterate", "generate", effect=Effect.CALLS_ARGUMENT)
def _iterate(call: Call) -> Guarded:
    made = call.listed("Stream")
    made.fields |= {"<generator>": tuple(call.args), "<how>": text(call.name)}
    return made


@static("Stream", "empty")
def _empty_stream(call: Call) -> Guarded:
    return call.listed("Stream")


@static("Collections", "enumeration")
def _enumeration(call: Call) -> Guarded:
    shown = call.args[0]
    if not isinstance(shown, Object) or shown.items is None:
        return NotImplemented
    views.refresh(shown)
    return cursor(call, shown, 0, live=False)


@static("Cells", "count", "changes")
def _cells_count(call: Call) -> Guarded:
    cells = call.args[0]
    if not isinstance(cells, Object):
        return NotImplemented
    views.refresh(cells)
    return held.size(cells) if call.name == "count" else views.changes(cells)


@static("Cells", "check", effect=Effect.MAY_RAISE)
def _cells_check(call: Call) -> Guarded:
    """An iterator finds out that its collection was changed otherwise; those that do not mind show nobody knows what."""
    cells, before = call.args.first(2)
    if not isinstance(cells, Object):
        return None
    views.refresh(cells)
    stale = apply(views.differ, views.changes(cells), before)
    kind = views.kind_of(views.root(cells))
    if stale is not False and kind.startswith(("Concurrent", "ArrayDeque", "Linked", "ArrayBlocking")) and kind not in (
        "LinkedList", "LinkedHashMap", "LinkedHashSet"
    ):  # fmt: skip
        held.forget(call.run, cells, Unknown(Why.DYNAMIC, "next()"))
        return None
    held.fail(call, "ConcurrentModificationException", stale)
    return None


@static("Cells", "at")
def _cells_at(call: Call) -> Guarded:
    cells, place = call.args.first(2)
    if not isinstance(cells, Object) or cells.items is None:
        return call.unknown()
    views.refresh(cells)
    if is_whole(place) and views.UNORDERED in cells.fields and place < len(cells.items):
        return cells.items[place][1]
    return at(call.run, cells, place)


@static("Cells", "remove", "set", "add", effect=Effect.MUTATES_ARGUMENT)
def _cells_change(call: Call) -> Guarded:
    cells, place = call.args.first(2)
    if not isinstance(cells, Object) or cells.items is None:
        return call.unknown()
    views.refresh(cells)
    known = is_whole(place) and held.is_settled(call.run, cells) and 0 <= place <= len(cells.items)
    if not known or order.is_heap(cells):
        unsettle(call.run, cells, f"{call.name}()", place)
    elif call.name == "remove":
        held.drop(call, cells, [index == place for index in range(len(cells.items))])
    elif call.name == "set":
        held.replace(call, cells, place, call.args[2])
    else:
        held.insert(call, cells, place, call.args[2])
    return None

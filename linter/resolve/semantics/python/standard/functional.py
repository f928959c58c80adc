"""Python's `functools`, `itertools`, `typing` and `copy`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.drawing import Coming
from subdrift.linter.resolve.execute.guards import UNSET, Diagram, apply
from subdrift.linter.resolve.execute.values import Entry, Guarded, Object
from subdrift.linter.resolve.semantics.python import classes, containers
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.natives import Call, native

_REPEATED_MAX = 256


@native("abc.abstractmethod", "enum.unique", "atexit.unregister")
def _identity(call: Call) -> Guarded:
    return call.get(0)


@native("itertools.count")
def _count(call: Call) -> Guarded:
    return call.make("itertools.count", value=call.get(0, "start", 0), step=call.get(1, "step", 1))


def islice(call: Call) -> Guarded:
    """`itertools.islice` of what ends."""
    bounds = call.values[1:]
    if not call.goes_through(call.get(0)) or not all(
        each is None or isinstance(each, int) for each in bounds
    ):
        return unknown_from(call.values, "islice()")
    if any(each is not None and each < 0 for each in bounds):
        call.run.throw(call.run.make(None, "builtins.ValueError", call.at))
        return UNSET
    return call.coming(_sliced(call, call.each_of(call.get(0)), slice(*bounds)), call.get(0))


def _sliced(call: Call, source: Iterator[tuple[Guarded, Guarded]], bounds: slice) -> Coming:
    place, wanted, step = 0, bounds.start or 0, bounds.step or 1
    while bounds.stop is None or place < bounds.stop:
        pair = next(source, None)
        if pair is None or call.run.guard is False:
            break
        if place == wanted:
            wanted += step
            yield pair
        place += 1
    return call.run.guard


@native("_native.bounded")
def _bounded(call: Call) -> Guarded:
    """`bounded(rows)`: the rows of a product, as long as there are not very many of them."""
    rows = call.get(0)
    if isinstance(rows, Object) and len(rows.items or ()) > _REPEATED_MAX * 4:
        call.run.note(phrase("very-large-product"), call.at)
        return containers.open_list(call.run, call.unknown("product()", Why.TOO_MANY), call.at)
    return rows


@native("copy.copy")
def _copy(call: Call) -> Guarded:
    return _copied(call, deeply=False)


@native("copy.deepcopy")
def _deep_copy(call: Call) -> Guarded:
    return _copied(call, deeply=True)


def _copied(call: Call, *, deeply: bool) -> Guarded:
    copies: dict[int, Object] = {}

    def one(leaf: Any, deep: bool) -> Any:
        if not isinstance(leaf, Object) or leaf.client is not None or leaf.constant or leaf.type == "module":
            return leaf
        if leaf.number in copies:  # what is there twice is there twice in the copy
            return copies[leaf.number]
        own = classes.method_of(
            call.python, call.run, leaf, "__deepcopy__" if deep else "__copy__", call.frame
        )
        if own is not UNSET:
            copied = call.apply(own, *([call.python.mapping(call.run, [], call.at)] if deep else []))
            return unknown_from((leaf,), "copy()") if isinstance(copied, Diagram) else copied
        call.run.step()
        made = copies[leaf.number] = call.run.make(leaf.declared, leaf.type, leaf.at)

        def again(value: Guarded) -> Guarded:
            return apply(lambda each: one(each, True), value) if deep else value

        made.fields = {name: again(value) for name, value in leaf.fields.items()}
        made.open = leaf.open
        if leaf.items is not None:
            made.items = [(guard, again(item)) for guard, item in leaf.items]
        if leaf.entries is not None:
            made.entries = [Entry(e.guard, e.key, again(e.value)) for e in leaf.entries]
        return made

    return apply(lambda leaf: one(leaf, deeply), call.get(0))

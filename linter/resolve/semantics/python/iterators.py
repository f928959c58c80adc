"""`itertools`, `heapq`, `collections.Counter` and the like on collections whose elements are certainly there."""

from __future__ import annotations

import heapq
import itertools
import math
import textwrap
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from subdrift.linter.resolve.execute.guards import UNSET, apply, both, pick
from subdrift.linter.resolve.execute.loops import ENDLESS, LOOP_MAX
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Guarded, Object, text
from subdrift.linter.resolve.semantics.python import containers, escaped
from subdrift.linter.resolve.semantics.python.concrete import NotKnown, computed, concrete, unknown_from
from subdrift.linter.resolve.semantics.python.equality import is_told, put
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, METHODS, Call, Native, native, pure
from subdrift.linter.resolve.semantics.python.standard.functional import islice

CYCLE: Final = "itertools.cycle"
COUNT: Final = "itertools.count"
ROWS_MAX: Final = 512
"""Combinations that are told apart."""


def endless(value: Any) -> bool:
    """Whether an iterator has no end."""
    if not isinstance(value, Object):
        return False
    return value.type in (CYCLE, COUNT) or ENDLESS in value.fields


def _draw(call: Call, leaf: Object, most: int) -> Iterator[Guarded]:
    """The next elements of an endless iterator."""
    for _ in range(most):
        if leaf.type != CYCLE:
            yield _plain_next(Call(call.python, call.run, Arguments([leaf]), call.frame, call.at))
        else:
            every = leaf.fields["<items>"]
            place = leaf.fields["<place>"]
            leaf.fields["<place>"] = (place + 1) % len(every)
            yield every[place]


def _known(call: Call, value: Guarded) -> list[Guarded] | None:
    """The elements of a collection in which all are certainly there."""
    found = call.items(value)
    if found is None or any(guard is not True for guard, _ in found):
        return None
    if isinstance(value, Object) and value.open is not None:
        return None
    return [item for _, item in found]


def _list(call: Call, items: list[Any]) -> Guarded:
    return containers.made_of(call.run, "list", [(True, item) for item in items], call.at)


@native("itertools.cycle")
def _cycle(call: Call) -> Guarded:
    items = _known(call, call.get(0))
    if items is None:
        return unknown_from(call.values, "cycle()")
    if not items:
        return containers.made_of(call.run, "generator", [], call.at)
    return call.make(CYCLE, **{"<items>": tuple(items), "<place>": 0})


def _with_endless(name: str, of: int, take: Callable[[Call, Object], Guarded], plain: Native) -> None:
    """A function that takes some of an endless iterator, and elsewhere does what it does."""

    def function(call: Call) -> Guarded:
        source = call.get(of)
        if isinstance(source, Object) and endless(source):
            return take(call, source)
        return plain(call)

    FUNCTIONS[name] = function


def _next_of(call: Call, leaf: Object) -> Guarded:
    if leaf.type != CYCLE:
        return _plain_next(call)
    return next(_draw(call, leaf, 1))


_plain_next = FUNCTIONS["builtins.next"]


def _slice_of(call: Call, leaf: Object) -> Guarded:
    bounds = call.values[1:]
    stop = bounds[0] if len(bounds) == 1 else bounds[1] if len(bounds) > 1 else None
    if not isinstance(stop, int) or not 0 <= stop <= LOOP_MAX:
        return unknown_from(call.values, "islice()")
    drawn = list(_draw(call, leaf, stop))
    given = [each for each in bounds if each is None or isinstance(each, int)]
    return _list(call, list(itertools.islice(drawn, *given)))


_with_endless("builtins.next", 0, _next_of, FUNCTIONS["builtins.next"])
for _kind in (CYCLE, COUNT):
    METHODS[f"{_kind}.__next__"] = lambda call, leaf: FUNCTIONS["builtins.next"](
        Call(call.python, call.run, Arguments([leaf]), call.frame, call.at)
    )
_with_endless("itertools.islice", 0, _slice_of, islice)


def _zip_all(call: Call) -> Guarded:
    """`zip`: as long as the shortest; endless iterators give as much as that."""
    if not any(endless(value) for value in call.values):
        return _plain_zip(call)
    columns = [None if endless(value) else _known(call, value) for value in call.values]
    bounded = [each for each in columns if each is not None]
    if not bounded or len(bounded) < sum(not endless(value) for value in call.values):
        return unknown_from(call.values, "zip()")
    count = min(map(len, bounded))
    columns = [
        list(_draw(call, value, count)) if endless(value) else column
        for value, column in zip(call.values, columns, strict=True)
    ]
    return _list(call, list(zip(*[each or () for each in columns], strict=False)))


_plain_zip = FUNCTIONS["builtins.zip"]
FUNCTIONS["builtins.zip"] = _zip_all


# -- heaps, counters ----------------------------------------------------------------------------------------------------


class _Keyed:
    """An element of a heap with its known order. Raises `NotKnown` where nobody knows which of two is less."""

    __slots__ = ("call", "item", "known")

    def __init__(self, call: Call, item: Guarded) -> None:
        self.call = call
        self.item = item
        try:
            self.known = concrete(item)
        except NotKnown:
            self.known = NotKnown

    def __lt__(self, other: _Keyed) -> bool:
        if self.known is not NotKnown and other.known is not NotKnown:
            return bool(self.known < other.known)
        call = self.call
        less = apply(lambda a, b: call.python.binary(call.run, "<", a, b), self.item, other.item)
        if not isinstance(less, bool):
            raise NotKnown
        return less


def _heap(name: str, change: Callable[[list[Any], Any], Any]) -> None:
    """A function of `heapq` that changes the list it is given."""

    def function(call: Call) -> Guarded:
        leaf = call.get(0)
        items = _known(call, leaf)
        if not isinstance(leaf, Object) or items is None or call.run.here(leaf) is not True:
            if isinstance(leaf, Object):
                leaf.open = leaf.open or unknown_from(call.values, f"{name}()")
                escaped.note_held(call.run, leaf)
            return unknown_from(call.values, f"{name}()")
        try:
            held = [_Keyed(call, item) for item in items]
            given = _Keyed(call, call.values[1]) if len(call.values) > 1 else None
            found = change(held, given)
        except (NotKnown, TypeError):
            leaf.open = unknown_from(call.values, f"{name}()")
            escaped.note_held(call.run, leaf)
            return leaf.open
        except IndexError:
            return call.throw("IndexError")
        leaf.items = [(True, each.item) for each in held]
        return found.item if isinstance(found, _Keyed) else None

    FUNCTIONS[f"heapq.{name}"] = function


_heap("heappush", heapq.heappush)
_heap("heappop", lambda held, _: heapq.heappop(held))
_heap("heapify", lambda held, _: heapq.heapify(held))
_heap("heappushpop", heapq.heappushpop)
_heap("heapreplace", heapq.heapreplace)


def _most_common(call: Call, leaf: Object) -> Guarded:
    entries = leaf.entries or []
    count = call.get(0, "n", None)
    whole = all(e.guard is True and isinstance(e.value, int) for e in entries)
    if not whole or leaf.open is not None or not (count is None or isinstance(count, int)):
        return unknown_from((leaf,), "most_common()")
    ordered = sorted(((e.key, e.value) for e in entries), key=lambda pair: -pair[1])
    return _list(call, ordered[:count])


def _counted(call: Call, leaf: Object) -> Guarded:
    entries = leaf.entries or []
    if any(e.guard is not True or not isinstance(e.value, int) for e in entries) or leaf.open is not None:
        return unknown_from((leaf,), "elements()")
    if sum(max(e.value, 0) for e in entries) > LOOP_MAX:
        return unknown_from((leaf,), "elements()")
    return _list(call, [e.key for e in entries for _ in range(e.value)])


def _total(call: Call, leaf: Object) -> Guarded:
    values = [e.value for e in leaf.entries or () if e.guard is True and isinstance(e.value, int)]
    return sum(values) if len(values) == len(leaf.entries or ()) else unknown_from((leaf,), "total()")


def _counts(sign: int) -> Callable[[Call, Object], Guarded]:
    """`update` and `subtract` of a `Counter`: counts of a mapping, or one for each element."""

    def run(call: Call, leaf: Object) -> Guarded:
        for guard, key, count in _given_counts(call):
            if not is_told(key):
                reason = unknown_from((key,), "Counter")
                leaf.open = leaf.open or reason
                leaf.entries = [replace(each, value=reason) for each in leaf.entries or ()]
                continue
            old, there = containers.lookup(call.run, leaf, key)
            before: Guarded = 0 if old is UNSET else pick(there, old, 0)
            put(leaf, key, apply(partial(_summed, sign), before, count), both(call.run.guard, guard))
        return None

    return run


def _summed(sign: int, before: Any, count: Any) -> Guarded:
    plain = isinstance(before, int) and isinstance(count, int)
    return before + sign * count if plain else unknown_from((before, count), "Counter")


def _given_counts(call: Call) -> Iterator[tuple[Guarded, Guarded, Guarded]]:
    for value in call.values:
        if isinstance(value, Object) and value.entries is not None and value.open is None:
            yield from [(entry.guard, entry.key, entry.value) for entry in value.entries]
        elif value is not None:
            yield from ((guard, item, 1) for guard, item in call.elements(value))
    yield from ((True, text(name), count) for name, count in call.arguments.names.items())
    if call.arguments.open is not None:
        yield True, call.arguments.open, 1


METHODS["Counter.update"] = _counts(1)
METHODS["Counter.subtract"] = _counts(-1)
METHODS["Counter.most_common"] = _most_common
METHODS["Counter.elements"] = _counted
METHODS["Counter.total"] = _total


# -- pure functions -------------------------------------------------------------------------------------------------------


for _name in ("sqrt", "gcd", "lcm", "hypot", "log", "log2", "log10", "fabs", "isqrt"):
    pure(f"math.{_name}", getattr(math, _name), f"math.{_name}()")
pure("textwrap.dedent", textwrap.dedent, "textwrap.dedent()")
pure("textwrap.indent", textwrap.indent)


@native("inspect.cleandoc")
def _cleandoc(call: Call) -> Guarded:
    import inspect

    return computed(call.run, inspect.cleandoc, call.at, call.get(0), detail="cleandoc()")


__all__ = ["endless"]

"""Python's builtins that make, read and order collections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cmp_to_key, partial
from typing import Any

from msgspec.structs import replace

from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.drawing import LAZY, Coming, pull
from subdrift.linter.resolve.execute.exceptions import may_refuse
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    apply,
    both,
    either,
    instead,
    is_written,
    negate,
    pick,
)
from subdrift.linter.resolve.execute.loops import is_seen
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import Guarded, Object, Text, TypeValue, Unknown, text
from subdrift.linter.resolve.semantics.python import classes, containers, enumerations, equality, lazies
from subdrift.linter.resolve.semantics.python.concrete import NotKnown, concrete, unknown_from
from subdrift.linter.resolve.semantics.python.equality import put
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, Call, native

_COLLECTIONS = {"list": "list", "set": "set", "frozenset": "frozenset"}


def _collection(call: Call, kind: str) -> Guarded:
    if not call.values:
        return () if kind == "tuple" else containers.made_of(call.run, kind, [], call.at)
    items = call.items(call.values[0])
    if items is None:
        made = containers.made_of(call.run, "list" if kind == "tuple" else kind, [], call.at)
        made.open = unknown_from(call.values[:1], f"{kind}()")
        return made
    open_ = containers.unsure_length(call, call.values[0])
    if open_ is not None and kind == "tuple":
        kind = "list"
    made = call.python.sequence(call.run, kind, items, call.at)  # type: ignore[arg-type]
    if isinstance(made, Object):
        made.open = open_
    return made


for _kind in ("list", "set", "frozenset", "tuple"):
    FUNCTIONS[f"builtins.{_kind}"] = partial(_collection, kind=_kind)


def _mapping(call: Call, kind: str) -> Guarded:
    made = call.run.make(None, kind, call.at)
    made.entries = []
    guard, call.run.guard = call.run.guard, True
    given = [apply(call.as_mapping, value) for value in call.values]
    refused = [containers.update(call.run, made, value, call.items) for value in given]
    call.run.guard = guard
    if any(refused):
        return call.throw("ValueError")
    for name, value in call.arguments.names.items():
        put(made, text(name), value, is_written(value))
    if call.arguments.open is not None:
        equality.may_replace(made, True, call.arguments.open)
    return made


FUNCTIONS["builtins.dict"] = partial(_mapping, kind="dict")
FUNCTIONS["collections.OrderedDict"] = partial(_mapping, kind="OrderedDict")


@native("builtins.len")
def _len(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        leaf = equality.plain(leaf)
        if isinstance(leaf, Text):
            if leaf.known is not None:
                return len(leaf.known)
            return unknown_from((leaf,), "len()")
        if isinstance(leaf, Object) and leaf.declared is not None:
            hook = classes.method_of(call.python, call.run, leaf, "__len__", call.frame)
            if hook is not UNSET:
                return call.apply(hook)
        if isinstance(leaf, TypeValue) and leaf.declared is not None:
            info = classes.info_of(call.run, leaf.declared)
            hook = call.python.of_metaclass(call.run, info, "__len__", leaf, call.frame) if info else UNSET
            if hook is not UNSET:
                return call.apply(hook)
            every = enumerations.members(call.run, leaf.declared)
            return len(every) if every is not None else unknown_from((leaf,), "len()")
        return containers.size(leaf)

    return call.each(call.get(0), one)


@native("builtins.range")
def _range(call: Call) -> Guarded:
    def one(*given: Any) -> Guarded:
        if not all(isinstance(each, int) for each in given):
            return unknown_from(given, "range()")
        try:
            numbers = range(*given)
        except (TypeError, ValueError):
            return call.unknown("range()")
        return containers.numbers_of(call.run, numbers, call.at)

    return apply(one, *call.values)


@native("builtins.enumerate")
def _enumerate(call: Call) -> Guarded:
    start, turns = call.get(1, "start", 0), call.each_of(call.get(0))

    def rows() -> Coming:
        number: Guarded = start if isinstance(start, int) else unknown_from((start,), "enumerate()")
        for guard, item in turns:
            unsure = lazies.unsure(call.run, call.get(0))
            number = number if unsure is None else unknown_from((unsure,), "enumerate()")
            yield guard, (number, item)
            number = pick(guard, apply(_next_number, number), number)
        return call.run.guard

    return call.coming(rows(), call.get(0))


def _next_number(number: Any) -> Any:
    return number + 1 if isinstance(number, int) else number


@native("builtins.zip")
def _zip(call: Call) -> Guarded:
    sources = [call.each_of(value) for value in call.values]
    strict = call.get(9, "strict", False) is True

    def ended(row: list[Any], rest: Sequence[Any]) -> Guarded:
        known = strict and all(lazies.unsure(call.run, value) is None for value in call.values)
        if known and call.run.guard is not False and (row or any(next(each, None) for each in rest)):
            call.throw("ValueError")
        return call.run.guard

    def rows() -> Coming:
        while sources:
            row: list[Any] = []
            for place, source in enumerate(sources):
                pair = next(source, None)
                if pair is None or call.run.guard is False:
                    return ended(row, sources[place + 1 :])
                row.append(pair)
            if any(guard is not True and guard != call.run.guard for guard, _ in row):
                unsure = unknown_from(call.values, "zip()")
                yield True, tuple(unsure for _ in row)
            else:
                yield True, _beside(call, [item for _, item in row])
        return call.run.guard

    if not call.values:
        return call.coming(rows())
    made = call.coming(rows(), *call.values)
    if call.get(9, "strict", False) is not False:  # it throws where one is shorter
        return containers.made_of(call.run, "generator", call.items(made) or [], call.at)
    return made


def _beside(call: Call, row: list[Guarded]) -> tuple[Guarded, ...]:
    """What `zip` gives together; beside an element of what holds more than is seen stands nobody knows what."""
    unsure = [lazies.unsure(call.run, value) for value in call.values]
    return tuple(
        item
        if all(one is None or place == other for other, one in enumerate(unsure))
        else unknown_from((item,), "zip()")
        for place, item in enumerate(row)
    )


@native("builtins.map")
def _map(call: Call) -> Guarded:
    if len(call.values) < 2:
        return unknown_from(call.values, "map()")
    given = Arguments(call.values[1:])
    several = len(given.values) > 1
    source = (
        FUNCTIONS["builtins.zip"](Call(call.python, call.run, given, call.frame, call.at))
        if several
        else given.get(0)
    )

    turns = call.each_of(source)

    def results() -> Coming:
        for guard, item in turns:
            going = call.run.guard
            here = call.run.guard = both(going, guard)
            if here is not False:
                row = item if several and isinstance(item, tuple) else (item,) * len(given.values)
                value = call.apply(call.values[0], *row)
                here, lost = call.run.guard, both(here, negate(call.run.guard))
                if here is not False:
                    yield here, value
                going = both(going, negate(lost))
            call.run.guard = going
        return call.run.guard

    return call.coming(results(), *given.values)


@native("builtins.filter", "itertools.filterfalse")
def _filter(call: Call) -> Guarded:
    turns = call.each_of(call.get(1))

    def kept() -> Coming:
        for guard, item in turns:
            going = call.run.guard
            here = call.run.guard = both(going, guard)
            if call.values[0] is None and isinstance(item, Unknown):
                made.open = made.open or item  # it may be gone
            elif here is not False:
                keeps = item if call.values[0] is None else call.apply(call.values[0], item)
                going = both(going, negate(both(here, negate(call.run.guard))))
                held = both(here, guard_of(call, keeps)) if call.run.guard is not False else False
                if held is not False:
                    call.run.guard = going
                    yield held, item
            call.run.guard = going
        return call.run.guard

    made = call.coming(kept(), call.get(1))
    return made


def guard_of(call: Call, value: Guarded) -> Guarded:
    """The guard under which a value is true."""
    return call.run.guard_of(value, call.frame, call.place)


def _quantified(call: Call, *, every: bool) -> Guarded:
    if not call.goes_through(call.get(0)):
        return Test("true", (unknown_from((call.get(0),), "all()" if every else "any()"),))
    found: Guarded = every
    for guard, item in call.each_of(call.get(0)):
        holds = guard_of(call, item)
        found = both(found, either(negate(guard), holds)) if every else either(found, both(guard, holds))
        if found is not every:
            break
    return found


FUNCTIONS["builtins.any"] = partial(_quantified, every=False)
FUNCTIONS["builtins.all"] = partial(_quantified, every=True)


@native("builtins.sum", "math.fsum")
def _sum(call: Call) -> Guarded:
    items = call.items(call.get(0))
    if items is None or any(guard is not True for guard, _ in items):
        return unknown_from((call.get(0),), "sum()")
    total = call.get(1, "start", 0)
    for _, item in items:
        total = apply(lambda a, b: call.python.binary(call.run, "+", a, b), total, item)
    return total


def _extreme(call: Call, *, largest: bool) -> Guarded:
    source = call.values[0] if len(call.values) == 1 else tuple(call.values)
    items = call.items(source)
    if items is None:
        return unknown_from((source,), "max()" if largest else "min()")
    if not items:
        default = call.get(9, "default")
        return call.throw("ValueError") if default is UNSET else default
    ordered = _sorted(call, items, call.get(9, "key", None), largest)
    if ordered is None:
        return unknown_from((source,), "max()" if largest else "min()")
    found = call.get(9, "default", None)
    for guard, item in reversed(ordered):
        found = pick(guard, item, found)
    return found


FUNCTIONS["builtins.min"] = partial(_extreme, largest=False)
FUNCTIONS["builtins.max"] = partial(_extreme, largest=True)


@native("builtins.sorted")
def _sorted_function(call: Call) -> Guarded:
    items = call.items(call.get(0))
    if items is None:
        return unknown_from((call.get(0),), "sorted()")
    ordered = _sorted(call, items, call.get(9, "key", None), call.get(9, "reverse", False))
    if ordered is None:  # in an order that nobody knows
        made = containers.made_of(call.run, "list", items, call.at)
        made.open = unknown_from((call.get(0), call.get(9, "key", None)), "sorted()")
        return made
    return containers.made_of(call.run, "list", ordered, call.at)


def sort(call: Call, leaf: Object) -> None:
    """`list.sort`. Up to its end the list is empty, and whoever changes it has it throw."""
    held, leaf.items = leaf.items, []
    ordered = _sorted(call, held or [], call.get(9, "key", None), call.get(9, "reverse", False))
    changed, leaf.items = bool(leaf.items), held
    if changed:
        call.throw("ValueError")
    elif ordered is None:
        leaf.open = leaf.open or unknown_from((call.get(9, "key", None),), "sort()")
    else:
        leaf.items = instead(call.run.here(leaf), ordered, leaf.items or [])


def _sorted(
    call: Call, items: list[tuple[Guarded, Guarded]], key: Guarded, reverse: Guarded
) -> list[tuple[Guarded, Guarded]] | None:
    """Items in order, None where their keys are not known."""
    if not isinstance(reverse, bool | int):
        return None
    keyed = [((item if key is None else call.apply(key, item)), (guard, item)) for guard, item in items]
    try:
        known = [(concrete(own), pair) for own, pair in keyed]
        return [pair for _, pair in sorted(known, key=lambda one: one[0], reverse=bool(reverse))]
    except (NotKnown, TypeError):
        pass
    try:  # classes of the program that say what is less
        ordered = sorted(keyed, key=cmp_to_key(partial(_compared, call)), reverse=bool(reverse))
    except NotKnown:
        return None
    return [pair for _, pair in ordered]


def _compared(call: Call, one: tuple[Guarded, Any], other: tuple[Guarded, Any]) -> int:
    """Raises `NotKnown` where nobody knows which of two is less."""
    for left, right, order in ((one[0], other[0], -1), (other[0], one[0], 1)):
        less = apply(lambda a, b: call.python.binary(call.run, "<", a, b), left, right)
        if not isinstance(less, bool):
            raise NotKnown
        if less:
            return order
    return 0


@native("builtins.reversed")
def _reversed(call: Call) -> Guarded:
    source = call.get(0)
    if isinstance(source, Object) and source.declared is not None:
        hook = classes.method_of(call.python, call.run, source, "__reversed__", call.frame)
        if hook is not UNSET:
            return call.apply(hook)
    if isinstance(source, Object) and source.type in ("set", "frozenset"):
        return call.throw("TypeError")
    items = call.items(source)
    if items is None:
        return unknown_from((source,), "reversed()")
    if isinstance(source, Object) and source.type == "list" and is_seen(source):
        return call.coming(_backwards(call, source), source)
    return containers.made_of(call.run, "generator", items[::-1], call.at)


def _backwards(call: Call, source: Object) -> Coming:
    for place in reversed(range(len(source.items or ()))):
        held = source.items or []
        if place < len(held):
            yield held[place]
    return call.run.guard


@native("builtins.iter", "builtins.aiter")
def _iter(call: Call) -> Guarded:
    if len(call.values) == 1:
        source = call.values[0]
        if isinstance(source, Object) and source.declared is not None:
            hook = classes.method_of(call.python, call.run, source, "__iter__", call.frame)
            if hook is not UNSET:
                return call.apply(hook)
        if isinstance(source, Object) and source.type in ("generator", "itertools.count", "itertools.cycle"):
            return source
        if call.goes_through(source):
            made = call.coming(_through(call, call.each_of(source)), source)
            made.fields[containers.UNORDERED] = containers.unordered(source)
            return made
    elif len(call.values) == 2:
        return _until(call, *call.values)
    return unknown_from(call.values, "iter()")


def _through(call: Call, turns: Iterator[tuple[Guarded, Guarded]]) -> Coming:
    yield from turns
    return call.run.guard


def _until(call: Call, function: Guarded, sentinel: Guarded) -> Object:
    """`iter(function, sentinel)`: what a function gives until that comes."""
    made = containers.made_of(call.run, "generator", [], call.at)
    assert made.items is not None
    for _ in range(containers.RANGE_MAX):
        value = call.apply(function)
        if call.run.guard is False:
            return made
        ends = apply(equality.equal, value, sentinel)
        if ends is True:
            return made
        made.items.append((True, value))
        if ends is not False or isinstance(value, Unknown):
            made.open = unknown_from((value,), "iter()")
            return made
    made.open = Unknown(Why.TOO_MANY, "iter()")
    return made


def _stopped(call: Call, leaf: Object) -> Guarded:
    """`StopIteration`, with what the generator returned."""
    error = call.run.make(None, "builtins.StopIteration", call.at)
    error.fields["value"] = leaf.fields.get(lazies.RESULT)
    call.run.throw(error)
    return UNSET


@native("builtins.next", "builtins.anext")
def _next(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Object) and leaf.declared is not None:
            hook = classes.method_of(call.python, call.run, leaf, "__next__", call.frame)
            if hook is not UNSET:
                return call.apply(hook)
        if isinstance(leaf, Object) and leaf.type == "itertools.count":
            value = leaf.fields["value"]
            leaf.fields["value"] = apply(
                lambda n: n + leaf.fields["step"] if isinstance(n, int) else n, value
            )
            return value
        if isinstance(leaf, Object) and LAZY in leaf.fields:
            while not any(guard is True for guard, _ in leaf.items or ()) and pull(leaf):
                pass
            if call.run.guard is False:
                return UNSET
        if isinstance(leaf, Object) and leaf.fields.get(containers.UNORDERED) is not None:
            return leaf.fields[containers.UNORDERED]
        if isinstance(leaf, Object) and leaf.items is not None and (leaf.open is None or leaf.items):
            found: Guarded = UNSET
            left: Guarded = call.run.guard
            taken: list[tuple[Guarded, Guarded]] = []
            for guard, item in leaf.items:
                here = both(left, guard)
                if here is not False:
                    found = item if found is UNSET else pick(here, item, found)
                left = both(left, negate(guard))
                taken.append((both(guard, negate(here)), item))
            call.run.taken += len(leaf.items) > 0
            leaf.items = [pair for pair in taken if pair[0] is not False]
            if found is UNSET:
                default = call.get(1)
                return _stopped(call, leaf) if default is UNSET else default
            if left is not False and call.get(1) is not UNSET:
                return pick(left, call.get(1), found)
            return found
        found = replace(unknown_from((leaf,), "next()"), symbol=("next", call.run.unique()))
        if call.get(1) is UNSET:
            may_refuse(call.run, "builtins.StopIteration", found, call.at)
        return found

    return call.each(call.get(0), one)

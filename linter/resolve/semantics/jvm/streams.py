"""Streams of the Java library: their elements are computed at once, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import fsum
from typing import Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.calls import one_of
from subdrift.linter.resolve.execute.drawing import SIZED, Coming, coming, items_of, pull, pull_all
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    apply,
    both,
    choose,
    either,
    leaves,
    negate,
    pick,
    under,
)
from subdrift.linter.resolve.execute.havoc import is_alike, reached_from, some_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    OF_A_WIDTH,
    Frame,
    Function,
    Guarded,
    Long,
    Object,
    Unknown,
    is_whole,
)
from subdrift.linter.resolve.semantics.jvm.calls import KINDS, Call, Of, call_on, on
from subdrift.linter.resolve.semantics.jvm.collections import ARRAY_MAX, cursor, each_item, items, where_there
from subdrift.linter.resolve.semantics.jvm.elements import fail, is_settled, size
from subdrift.linter.resolve.semantics.jvm.equality import equal
from subdrift.linter.resolve.semantics.jvm.lists import sort_in_place
from subdrift.linter.resolve.semantics.jvm.operators import convert
from subdrift.linter.resolve.semantics.jvm.views import ALL, FIXED, Pair


def stream_made(call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None) -> Object:
    return call.listed("Stream", found, open_)


def mapped(
    call: Call, found: list[tuple[Guarded, Guarded]], function: Guarded
) -> list[tuple[Guarded, Guarded]]:
    return [(guard, call.invoke(function, value)) for guard, value in where_there(call.run, found)]


def stream_method(call: Call, leaf: Object) -> Guarded:
    """A stage or an end of a stream."""
    peer = KINDS.find("stream", call.name)
    return NotImplemented if peer is None else call_on(call, peer, leaf)


def stage(*names: str, effect: Effect = Effect.PURE) -> Callable[[Of], Of]:
    """Declares methods of streams. One that has no end is drawn from as far as they ask."""

    def add(handler: Of) -> Of:
        def drawn(call: Call, leaf: Object) -> Guarded:
            if "<generator>" in leaf.fields:
                return _generated(call, leaf)
            if _is_lazy(call, leaf):
                found = _in_turn(call, leaf, handler)
                if found is not NotImplemented:
                    return found
            pull_all(leaf)
            return handler(call, leaf)

        on("stream", *names, effect=effect)(drawn)
        return handler

    return add


_CALLS = Effect.CALLS_ARGUMENT

_EACH: Final = frozenset(
    {"map", "mapToObj", "mapToInt", "mapToLong", "mapToDouble", "mapMulti", "filter", "flatMap", "flatMapToInt",
     "flatMapToLong", "peek", "asDoubleStream"}
)  # fmt: skip
"""Stages that do something with one element after the other."""

_AS_MANY: Final = frozenset(
    {"map", "mapToObj", "mapToInt", "mapToLong", "mapToDouble", "peek", "asDoubleStream", "sorted"}
)
"""Stages that give one element for each."""

_WHOLE: Final = frozenset({"sorted", "distinct", "takeWhile", "dropWhile", "skip"})
"""Stages that are asked for all of them."""


def _is_lazy(call: Call, leaf: Object) -> bool:
    """Whether a stream of Java runs what it is told when somebody wants an element; where nobody knows which there are, what
    is told is run at once."""
    owner = call.frame.owner
    return leaf.type == "Stream" and leaf.open is None and owner is not None and owner.file.language == "java"


def _next(leaf: Object) -> Pair | None:
    """The next element of a stream, which it has no more then."""
    if not leaf.items and not pull(leaf):
        return None
    held = leaf.items or []
    leaf.items = held[1:]
    return held[0]


def _in_turn(call: Call, leaf: Object, handler: Of) -> Guarded:
    """What a stage or an end of a stream gives that draws from it as far as it has to."""
    name = call.name
    counts = name not in ("limit", "skip") or is_whole(call.args[0])
    if counts and (name in _EACH or name in _WHOLE or name == "limit"):
        made = stream_made(call, [], None)
        if name in _AS_MANY and SIZED in leaf.fields:
            made.fields[SIZED] = leaf.fields[SIZED]
        return coming(call.run, made, _later(call, leaf, handler, made))
    if name in ("forEach", "forEachOrdered", "anyMatch", "allMatch", "noneMatch"):
        return _as_they_come(call, leaf, handler)
    if name == "count" and SIZED in leaf.fields:
        return _count(call, leaf.fields[SIZED])
    if name in ("findFirst", "findAny"):
        while not any(guard is True for guard, _ in leaf.items or ()) and pull(leaf):
            pass
        return handler(call, leaf) if call.run.guard is not False else UNSET
    return NotImplemented


def _later(call: Call, leaf: Object, handler: Of, made: Object) -> Coming:
    if call.name in _WHOLE:
        pull_all(leaf)
        found = handler(call, leaf) if call.run.guard is not False else None
        if isinstance(found, Object):
            made.open = made.open or found.open
            yield from found.items or ()
        else:
            made.open = made.open or Unknown(Why.DYNAMIC, phrase("stream"))
        return call.run.guard
    left = call.args[0] if call.name == "limit" else -1
    while left and (pair := _next(leaf)) is not None and call.run.guard is not False:
        left -= 1
        if call.name == "limit":
            yield pair
            continue
        found = handler(call, stream_made(call, [pair], leaf.open))
        if isinstance(found, Object) and call.run.guard is not False:
            made.open = made.open or found.open
            yield from found.items or ()
    made.open = made.open or leaf.open
    return call.run.guard


def _as_they_come(call: Call, leaf: Object, handler: Of) -> Guarded:
    """`forEach`, and the questions that end once their answer is known."""
    ends = {"anyMatch": True, "allMatch": False, "noneMatch": False}.get(call.name)
    answers: list[Guarded] = []
    while (pair := _next(leaf)) is not None and call.run.guard is not False:
        found = handler(call, stream_made(call, [pair], leaf.open))
        if ends is not None and found is ends:
            return found
        answers.append(found)
    if ends is None:
        return None
    if leaf.open is not None or any(isinstance(one, Test) for each in answers for _, one in leaves(each)):
        return Test("true", (Unknown(Why.DYNAMIC, f"{call.name}()"),))
    total: Guarded = not ends
    for each in answers:
        total = either(total, each) if ends else both(total, each)
    return total


@stage("mapToDouble", effect=_CALLS)
def _map_to_double(call: Call, leaf: Object) -> Guarded:
    made = _map(call, leaf)
    return _as_doubles(call, made) if isinstance(made, Object) else made


@stage("asDoubleStream")
def _as_doubles(call: Call, leaf: Object) -> Guarded:
    items = [(guard, apply(lambda each: convert(each, "double"), one)) for guard, one in leaf.items or ()]
    return stream_made(call, items, leaf.open)


@stage("mapMulti", effect=_CALLS)
def _map_multi(call: Call, leaf: Object) -> Guarded:
    run, made = call.run, call.listed("ArrayList")

    def take(run: Interpreter, given: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        made.items = [*(made.items or ()), (run.guard, given.values[0])]
        return None

    sink = Function((), (), None, "accept", native=take)
    before = run.guard
    for _, value in where_there(run, leaf.items or ()):
        call.invoke(call.args[0], value, sink)
    return stream_made(call, [(under(guard, before), value) for guard, value in made.items or ()], leaf.open)


@stage("map", "mapToObj", "mapToInt", "mapToLong", effect=_CALLS)
def _map(call: Call, leaf: Object) -> Guarded:
    open_ = leaf.open
    if open_ is not None and not is_alike(open_, leaf.items or ()):
        one = call.invoke(call.args[0], some_of(call.run, open_))
        open_ = one if isinstance(one, Unknown) else Unknown(Why.DYNAMIC, phrase("stream"))
    found = mapped(call, leaf.items or [], call.args[0])
    if call.name == "mapToLong":
        found = [(guard, counted(value)) for guard, value in found]
    return stream_made(call, found, open_)


@stage("filter", "takeWhile", "dropWhile", effect=_CALLS)
def _filter(call: Call, leaf: Object) -> Guarded:
    kept: list[Pair] = []
    going: Guarded = True
    for guard, value in where_there(call.run, leaf.items or ()):
        holds = call.holds(call.invoke(call.args[0], value))
        if call.name == "takeWhile":
            going = holds = both(going, holds)
        elif call.name == "dropWhile":
            going = both(going, holds)
            holds = negate(going)
        kept.append((both(guard, holds), value))
    return stream_made(call, [pair for pair in kept if pair[0] is not False], leaf.open)


@stage("flatMap", "flatMapToInt", "flatMapToLong", effect=_CALLS)
def _flat_map(call: Call, leaf: Object) -> Guarded:
    flat: list[Pair] = []
    open_ = leaf.open
    for guard, inner in mapped(call, leaf.items or [], call.args[0]):
        for path, one in leaves(inner, guard):
            if not isinstance(one, Object):
                open_ = open_ or (one if isinstance(one, Unknown) else Unknown(Why.DYNAMIC, phrase("stream")))
                continue
            found = items_of(one)
            open_ = open_ or one.open
            flat += [(both(path, deeper), value) for deeper, value in found]
    return stream_made(call, flat, open_)


@stage("peek", effect=_CALLS)
def _peek(call: Call, leaf: Object) -> Guarded:
    each_item(call, leaf.items or [], call.args[0])
    return leaf


@stage("forEach", "forEachOrdered", effect=_CALLS)
def _for_each(call: Call, leaf: Object) -> Guarded:
    each_item(call, items(call.java, call.run, leaf, call.frame) or [], call.args[0], more=leaf.open)
    return None


@stage("distinct")
def _distinct(call: Call, leaf: Object) -> Guarded:
    seen: list[Pair] = []
    for guard, value in leaf.items or ():
        if not any(is_held(call.run, g) and apply(equal, v, value) is True for g, v in seen):
            seen.append((guard, value))
    return stream_made(call, seen, leaf.open)


def is_held(run: Interpreter, guard: Guarded) -> bool:
    """Whether what stands under a guard is there on the path that is being run."""
    return guard is True or both(run.guard, negate(guard)) is False


@stage("sorted", effect=_CALLS)
def _sorted(call: Call, leaf: Object) -> Object:
    made = stream_made(call, list(leaf.items or ()), leaf.open)
    sort_in_place(call, made, call.args[0] if call.args else None)
    return made


@stage("limit", "skip")
def _part(call: Call, leaf: Object) -> Guarded:
    found, count = leaf.items or [], call.args[0]
    if not is_whole(count) or not all(guard is True for guard, _ in found):
        return NotImplemented
    if is_whole(count) and count < 0:
        return fail(call, "IllegalArgumentException")
    if leaf.open is not None:  # which of them come first nobody knows
        number = call.run.decide(("part", leaf.number), 2, "condition", call.place)
        return stream_made(call, [(choose(number, 2, 0), value) for _, value in found], leaf.open)
    return stream_made(call, found[:count] if call.name == "limit" else found[count:], leaf.open)


@stage("boxed", "parallel", "sequential", "unordered", "onClose", "asLongStream", "stream")
def _same(call: Call, leaf: Object) -> Guarded:
    return leaf


@stage("iterator")
def _iterator(call: Call, leaf: Object) -> Guarded:
    return cursor(call, leaf, 0, live=False)


@stage("toList", "toArray")
def _to_list(call: Call, leaf: Object) -> Guarded:
    made = call.listed("List" if call.name == "toList" else "[]", list(leaf.items or ()), leaf.open)
    if call.name == "toList":
        made.fields[FIXED] = ALL
    return made


@stage("count")
def _count(call: Call, leaf: Object) -> Guarded:
    pull_all(leaf)
    return counted(size(leaf))


@stage("findFirst", "findAny", "max", "min", effect=_CALLS)
def _one(call: Call, leaf: Object) -> Guarded:
    sorted_ = _sorted(call, leaf) if call.name in ("max", "min") else leaf
    found = sorted_.items or []
    first: Guarded = None
    for guard, item in found if call.name == "max" else reversed(found):
        first = pick(guard, item, first)
    if sorted_.open is not None:
        first = one_of(call.run, reached_from(call.run, [sorted_]), some_of(call.run, sorted_.open))
    return _optional(call, first)


def _optional(call: Call, found: Guarded) -> Guarded:
    """An `Optional`; of a number, or where nothing is found, it may be an `OptionalInt` or the like."""
    plain = all(leaf is not None and not isinstance(leaf, int | float) for _, leaf in leaves(found))
    return call.modelled("java.util.Optional", "ofNullable" if plain else "found", found)


@stage("summaryStatistics")
def _summary(call: Call, leaf: Object) -> Guarded:
    numbers = [item for _, item in leaf.items or []]
    if not all(is_whole(number) for number in numbers) or not is_settled(call.run, leaf):
        return Unknown(Why.DYNAMIC, "summaryStatistics()")
    made = call.constructed("java.util.IntSummaryStatistics")
    for number in numbers:
        call.method(made, "accept", number)
    return made


@stage("anyMatch", "allMatch", "noneMatch", effect=_CALLS)
def _match(call: Call, leaf: Object) -> Guarded:
    any_: Guarded = False
    for guard, answer in mapped(call, leaf.items or [], call.args[0]):
        holds = call.holds(answer)
        any_ = either(any_, both(guard, negate(holds) if call.name == "allMatch" else holds))
    if leaf.open is not None:
        return Test("true", (call.unknown(),))
    return any_ if call.name == "anyMatch" else negate(any_)


@stage("reduce", effect=_CALLS)
def _reduce(call: Call, leaf: Object) -> Guarded:
    found, args = leaf.items or [], call.args
    if leaf.open is not None or any(guard is not True for guard, _ in found):
        return Unknown(Why.DYNAMIC, "reduce")
    values = [value for _, value in found]
    if len(args) > 1:
        values.insert(0, args[0])
    result: Guarded = values[0] if values else None
    for value in values[1:]:
        result = call.invoke(args[min(1, len(args) - 1)], result, value)
    if len(args) > 1:
        return result
    return _optional(call, result)


@stage("sum", "average")
def _sum(call: Call, leaf: Object) -> Guarded:
    numbers = [value for _, value in leaf.items or ()]
    known = all(isinstance(value, int | float) for value in numbers)
    if not known or not is_settled(call.run, leaf):
        return Unknown(Why.DYNAMIC, call.name)
    whole = all(isinstance(value, int) for value in numbers)
    if call.name == "sum":  # of many with a point, the library makes up for what rounding loses
        exact = sum(numbers)
        if whole:
            if any(type(value) is Long for value in numbers):
                return convert(exact, "long")
            return exact if -(1 << 31) <= exact < 1 << 31 else OF_A_WIDTH
        return fsum(numbers) if fsum(numbers) == exact else Unknown(Why.DYNAMIC, call.name)
    if not whole:
        return Unknown(Why.DYNAMIC, call.name)
    mean = sum(numbers) / len(numbers) if numbers else None
    return _optional(call, mean)


def _generated(call: Call, leaf: Object) -> Guarded:
    """`Stream.iterate(seed, [test,] step)`: as many elements as `limit`, `takeWhile`, an end or the test allow."""
    name = call.name
    if name in _ONE_BY_ONE and len(leaf.fields["<generator>"]) < 3:
        made = call.listed("Stream")
        made.fields |= leaf.fields
        made.fields["<stages>"] = (*leaf.fields.get("<stages>", ()), (name, call.args))
        return made
    wanted = call.args[0] if name == "limit" and is_whole(call.args.first(1)[0]) else None
    bounded = wanted is not None or name in _SHORT or len(leaf.fields["<generator>"]) == 3
    if not bounded or (wanted is not None and wanted > ARRAY_MAX):
        return Unknown(Why.DYNAMIC, phrase("stream"))
    made = call.listed("Stream")
    assert made.items is not None
    for one in _drawn(call, leaf) if wanted is None or wanted > 0 else ():
        if one is UNSET:
            return Unknown(Why.DYNAMIC, phrase("stream"))
        if name in ("takeWhile", "anyMatch"):
            holds = call.holds(call.invoke(call.args[0], one))
            if type(holds) is not bool:
                return Unknown(Why.DYNAMIC, phrase("stream"))
            if holds is (name == "anyMatch"):
                return True if holds else made
        made.items.append((True, one))
        if len(made.items) == wanted or name in ("findFirst", "findAny"):
            break
    return made if name in ("limit", "takeWhile") else stream_method(call, made)


_ONE_BY_ONE: Final = frozenset({"map", "mapToObj", "mapToInt", "mapToLong", "boxed", "filter", "peek"})
"""Stages of a stream without an end that have none either."""

_SHORT: Final = frozenset({"takeWhile", "findFirst", "findAny", "anyMatch"})
"""What asks for no more than it needs."""

_DRAWN_MAX: Final = 256


def _drawn(call: Call, leaf: Object) -> Iterator[Guarded]:
    """The elements of a stream that is generated, through its stages; UNSET where it is not known whether one is there."""
    parts, generates = leaf.fields["<generator>"], leaf.fields["<how>"].known == "generate"
    value = parts[0]
    for turn in range(max(_DRAWN_MAX, ARRAY_MAX)):
        if turn and not generates:
            value = call.invoke(parts[-1], value)
        if len(parts) == 3 and call.invoke(parts[1], value) is not True:
            return
        held: Guarded = call.listed("Stream", [(True, call.invoke(value) if generates else value)])
        for name, args in leaf.fields.get("<stages>", ()):
            held = call.method(held, name, *args)
        if not isinstance(held, Object) or held.open is not None:
            yield UNSET
            return
        pull_all(held)
        for guard, one in held.items or ():
            yield one if guard is True else UNSET
    yield UNSET


def counted(value: Guarded) -> Guarded:
    """A number of elements, as streams give it."""
    return apply(lambda leaf: Long(leaf) if is_whole(leaf) else leaf, value)

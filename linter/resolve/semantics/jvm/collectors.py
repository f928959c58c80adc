"""Collectors: what becomes of the elements of a stream in the end."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import known_texts
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, leaves, pick, under
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Bound, Entry, Function, Guarded, Object, Unknown, text
from subdrift.linter.resolve.semantics.jvm import strictness
from subdrift.linter.resolve.semantics.jvm.calls import Call
from subdrift.linter.resolve.semantics.jvm.collections import join_items, once, where_there
from subdrift.linter.resolve.semantics.jvm.elements import Box, any_of, fail, may_equal, opened
from subdrift.linter.resolve.semantics.jvm.equality import equal
from subdrift.linter.resolve.semantics.jvm.maps import find, put
from subdrift.linter.resolve.semantics.jvm.operators import raise_in
from subdrift.linter.resolve.semantics.jvm.order import arranged
from subdrift.linter.resolve.semantics.jvm.streams import mapped, stage, stream_made


@stage("collect", effect=Effect.CALLS_ARGUMENT)
def _collected(call: Call, leaf: Object) -> Guarded:
    found = leaf.items or []
    if len(call.args) == 3:
        made = call.invoke(call.args[0])
        for _, one in where_there(call.run, found):
            call.invoke(call.args[1], made, one)
        return made if leaf.open is None else call.run.havoc("collect", leaf.open, made, Arguments([]))
    return opened(apply(lambda one: Box(_collect(call, found, leaf.open, one)), call.args[0]), call.run.guard)


def _collect(
    call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, collector: Any
) -> Guarded:
    if not isinstance(collector, Object) or collector.type != "Collector":
        return Unknown(Why.DYNAMIC, "collect()")
    kind = collector.fields["kind"].known
    args = collector.fields["arguments"]
    if kind.startswith("toUnmodifiable"):
        plain = call.run.make(None, "Collector", collector.at)
        plain.fields = {"kind": text(kind.replace("Unmodifiable", "")), "arguments": args}
        return strictness.unmodifiable(call, _collect(call, found, open_, plain))
    if len(args) < _LEAST.get(kind or "", 0):
        return Unknown(Why.DYNAMIC, f"{kind}()")  # no such call compiles
    match kind:
        case "joining":
            if open_ is not None:
                return Unknown(open_.why, open_.detail)
            separator, prefix, suffix = (*args, None, None, None)[:3]
            return join_items(call, separator if separator is not None else text(""), found, prefix, suffix)
        case "teeing":
            return call.invoke(args[2], *(_collect(call, found, open_, each) for each in args[:2]))
        case "mapping":
            return _collect(call, mapped(call, found, args[0]), open_, args[1])
        case "collectingAndThen":
            return call.invoke(args[1], _collect(call, found, open_, args[0]))
        case "filtering":
            kept = [(both(g, call.holds(call.invoke(args[0], v))), v) for g, v in found]
            return _collect(call, [(g, v) for g, v in kept if g is not False], open_, args[1])
        case "flatMapping":
            return call.method(
                call.method(stream_made(call, found, open_), "flatMap", args[0]), "collect", args[1]
            )
        case "of":
            return _by_own(call, found, open_, args)
        case "toMap" | "toConcurrentMap":
            return _to_map(call, found, open_, args)
        case "groupingBy" | "partitioningBy":
            return _grouped(call, found, open_, kind, args)
    told = _told(call, stream_made(call, found, open_), kind or "", args)
    return _gathered(call, found, open_, kind or "", args) if told is NotImplemented else told


_LEAST = {"teeing": 3, "mapping": 2, "collectingAndThen": 2, "filtering": 2, "flatMapping": 2}
"""How many arguments collectors take that are made of others."""


def _by_own(
    call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, args: tuple[Guarded, ...]
) -> Guarded:
    """`Collector.of(supplier, accumulator, combiner, finisher)`."""
    if open_ is not None:
        return Unknown(open_.why, open_.detail)
    held = call.invoke(args[0])
    for _, value in where_there(call.run, found):
        call.invoke(args[1], held, value)
    finisher = next((each for each in args[3:] if isinstance(each, Function | Bound)), None)
    return held if finisher is None else call.invoke(finisher, held)


_TOLD: Final = {
    "counting": "count", "maxBy": "max", "minBy": "min", "reducing": "reduce", "summingInt": "sum", "summingLong": "sum",
    "averagingInt": "average", "averagingLong": "average", "summarizingInt": "summaryStatistics",
    "summarizingLong": "summaryStatistics",
}  # fmt: skip
"""Collectors that give one value of all elements -> the end of a stream that gives it."""


def _told(call: Call, stream: Object, kind: str, args: tuple[Guarded, ...]) -> Guarded:
    """What a collector that gives one value gives; NotImplemented for another."""
    end = _TOLD.get(kind)
    if end is None:
        return NotImplemented
    if kind.endswith(("Int", "Long")):
        numbers = call.method(stream, "mapToLong" if kind.endswith("Long") else "mapToInt", *args)
        told = call.method(numbers, end)
        return call.method(told, "orElse", 0.0) if end == "average" else told
    if kind == "reducing" and len(args) == 3:
        return call.method(call.method(stream, "map", args[1]), end, args[0], args[2])
    return call.method(stream, end, *args)


def _said_of(call: Call, *leaves_: Any) -> Any:
    """What is said of a key that comes twice."""
    shown = [call.java.shown(call.run, leaf).known for leaf in leaves_]
    if None in shown:
        return Unknown(Why.DYNAMIC, "getMessage()")
    return text("Duplicate key {} (attempted merging values {} and {})".format(*shown))


def _to_map(call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, args: Any) -> Guarded:
    run = call.run
    made = _table(call, args[3] if len(args) > 3 else None)
    made.open = open_
    before = run.guard
    for _, value in where_there(run, found):
        key, item = call.invoke(args[0], value), call.invoke(args[1], value)
        fail(call, "NullPointerException", strictness.is_null(item))
        twice = (e for e in made.entries or () if e.guard is True and apply(equal, e.key, key) is True)
        if len(args) == 2 and (held := next(twice, None)) is not None:
            said = apply(partial(_said_of, call), key, held.value, item)
            raise_in(run, "IllegalStateException", said)
            return UNSET
        if len(args) > 2:
            there, held = find(run, made, key)
            if there is not False:
                item = pick(there, call.invoke(args[2], held, item), item)
        put(run, made, key, item)
    for entry in made.entries or ():
        entry.guard = under(entry.guard, before)
    arranged(call, made)
    return made


def _grouped(
    call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, kind: str, args: Any
) -> Object:
    run = call.run
    made = _table(call, args[1] if len(args) > 2 else None)
    made.open = open_
    groups: list[tuple[Guarded, list[tuple[Guarded, Guarded]]]] = []
    asked = call.holds if kind == "partitioningBy" else (lambda answer: answer)
    keys = [asked(call.invoke(args[0], value)) for _, value in found]
    if any(may_equal(one, key) for place, key in enumerate(keys) for one in keys[:place]):
        keys = [known_texts(run, key, call.place) for key in keys]  # which are one environments know
    keyed = [(path, key, v) for (g, v), one in zip(found, keys, strict=True) for path, key in leaves(one, g)]
    fail(call, "NullPointerException", any_of(path for path, key, _ in keyed if key is None))
    for guard, key, value in keyed:
        run.work(len(groups))
        if any(may_equal(known, key) for known, _ in groups):  # which are one nobody knows
            open_ = made.open = made.open or Unknown(Why.DYNAMIC, phrase("collection"))
        for known, members in groups:
            if equal(known, key) is True:
                members.append((guard, value))
                break
        else:
            groups.append((key, [(guard, value)]))
    assert made.entries is not None
    for key, members in groups:
        if len(args) > 1:
            group = _collect(call, members, open_, args[-1])
        else:
            group = call.listed("List", members, open_)
        there = True if kind == "partitioningBy" else any_of(guard for guard, _ in members)
        made.entries.append(Entry(there, key, group))
    if kind == "partitioningBy":
        _both_parts(call, made, args, open_)
    arranged(call, made)
    return made


def _gathered(
    call: Call, found: list[tuple[Guarded, Guarded]], open_: Unknown | None, kind: str, args: Any
) -> Object:
    """The elements in a collection."""
    made = call.listed("HashSet" if "Set" in kind else "List", list(found), open_)
    if kind == "toCollection" and args:
        given = call.invoke(args[0])
        if isinstance(given, Object) and given.items is not None:
            made.type, made.fields = given.type, dict(given.fields)
    if made.type == "HashSet" or "Set" in made.type:
        once(call.run, made)
    arranged(call, made)
    return made


def _table(call: Call, factory: Guarded) -> Object:
    """The map that a collector fills: what its factory makes, else a hash table."""
    given = None if factory is None else call.invoke(factory)
    if isinstance(given, Object) and given.entries is not None:
        return given
    return call.table("Map" if factory is not None else "HashMap")


def _both_parts(call: Call, made: Object, args: tuple[Guarded, ...], open_: Unknown | None) -> None:
    """`partitioningBy` has both parts, the false one first, also where one is empty."""
    made.type = "Map"
    assert made.entries is not None
    if any(not isinstance(entry.key, bool) for entry in made.entries):
        return
    for key in (False, True):
        if not any(entry.key is key for entry in made.entries):
            nothing = call.listed("List")
            nothing.open = open_
            part = _collect(call, [], open_, args[-1]) if len(args) > 1 else nothing
            made.entries.append(Entry(True, key, part))
    made.entries.sort(key=lambda entry: entry.key is True)

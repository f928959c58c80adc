"""Python's `functools`, `itertools`, `typing` and `copy`."""

from __future__ import annotations

from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.drawing import Coming
from subdrift.linter.resolve.execute.guards import UNSET, apply
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import Entry, Function, Guarded, Object, TypeValue
from subdrift.linter.resolve.semantics.python import containers, equality
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.functions import Code
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, Call, called, method, native

_REPEATED_MAX = 256


@native("functools.partial")
def _partial(call: Call) -> Guarded:
    return call.make(
        "functools.partial",
        function=call.get(0),
        func=call.get(0),
        values=tuple(call.values[1:]),
        args=tuple(call.values[1:]),
        names=dict(call.arguments.names),
    )


@native("functools.partialmethod")
def _partialmethod(call: Call) -> Guarded:
    return call.make(
        "functools.partialmethod",
        function=call.get(0),
        values=tuple(call.values[1:]),
        names=dict(call.arguments.names),
    )


@called("functools.partial")
def _call_partial(call: Call, leaf: Object) -> Guarded:
    values = [*leaf.fields["values"], *call.values]
    names = {**leaf.fields["names"], **call.arguments.names}
    given = Arguments(values, names, call.arguments.open)
    return call.each(
        leaf.fields["function"], lambda each: call.python.call(call.run, each, given, call.frame, call.at)
    )


@native("functools.lru_cache", "functools.cache", "functools.singledispatch", "functools.cached_property")
def _cache(call: Call) -> Guarded:
    function = call.get(0)
    if isinstance(function, Function):
        return call.make("functools.cache", function=function)
    return call.function("lru_cache", lambda inner: inner.make("functools.cache", function=inner.get(0)))


FUNCTIONS["functools.cached_property"] = lambda call: call.make("functools.cached_property", fget=call.get(0))

FUNCTIONS["functools.singledispatch"] = lambda call: call.make(
    "functools.singledispatch", function=call.get(0)
)

FUNCTIONS["functools.singledispatchmethod"] = lambda call: call.make(
    "functools.singledispatchmethod", function=call.get(0)
)


@called("functools.cache")
def _call_cached(call: Call, leaf: Object) -> Guarded:
    """Equal arguments give the very same object."""
    memory = leaf.fields.setdefault("<memory>", [])
    for values, names, result in memory:
        if _same_arguments(call, values, names):
            return result
    result = call.each(
        leaf.fields["function"],
        lambda each: call.python.call(call.run, each, call.arguments, call.frame, call.at),
    )
    if call.run.guard is not False:
        memory.append((list(call.values), dict(call.arguments.names), result))
    return result


def _same_arguments(call: Call, values: list[Guarded], names: dict[str, Guarded]) -> bool:
    mine = call.arguments
    if len(values) != len(mine.values) or names.keys() != mine.names.keys():
        return False
    pairs = [*zip(values, mine.values, strict=True), *((names[key], mine.names[key]) for key in names)]
    return all(one is other or apply(equality.equal, one, other) is True for one, other in pairs)


@method("functools.cache", "cache_clear", "cache_info")
def _cache_clear(call: Call, leaf: Object) -> Guarded:
    leaf.fields["<memory>"] = []
    return None


def _chooses_by(leaf: Object) -> int:
    """The place of the argument whose type decides: behind `self` of a method."""
    return int(leaf.type == "functools.singledispatchmethod")


@method("functools.singledispatchmethod", "register")
@method("functools.singledispatch", "register")
def _register(call: Call, leaf: Object) -> Guarded:
    def register(kind: Guarded, function: Guarded) -> Guarded:
        leaf.fields.setdefault("<register>", []).append((kind, function))
        return function

    first = call.get(0)
    if isinstance(first, Function):
        place = _chooses_by(leaf)
        annotated = first.params[place].type if len(first.params) > place else None
        code = first.native
        kind = (
            call.python.type_of(call.run, annotated, code.frame)
            if annotated is not None and isinstance(code, Code)
            else None
        )
        return register(kind, first)
    if len(call.values) == 2:
        return register(first, call.values[1])
    return call.function("register", lambda inner: register(first, inner.get(0)))


@called("functools.singledispatchmethod")
@called("functools.singledispatch")
def _dispatch(call: Call, leaf: Object) -> Guarded:
    from subdrift.linter.resolve.semantics.python.types import is_instance

    def one(value: Any) -> Guarded:
        for kind, function in reversed(leaf.fields.get("<register>", [])):
            fits = is_instance(call.run, value, kind) if isinstance(kind, TypeValue) else None
            if isinstance(fits, Test):
                unknown = unknown_from((value,), "singledispatch()")
                return call.run.havoc("singledispatch", unknown, None, call.arguments)
            if fits is True:
                return call.python.call(call.run, function, call.arguments, call.frame, call.at)
        return call.python.call(call.run, leaf.fields["function"], call.arguments, call.frame, call.at)

    return call.each(call.get(_chooses_by(leaf)), one)


@native("functools.reduce")
def _reduce(call: Call) -> Guarded:
    items = call.items(call.get(1))
    unsure = containers.unsure_length(call, call.get(1))
    if items is None or unsure is not None or any(guard is not True for guard, _ in items):
        return unknown_from(call.values[1:], "reduce()")
    values = [item for _, item in items]
    if len(call.values) > 2:
        values.insert(0, call.values[2])
    if not values:
        return call.throw("TypeError")
    total = values[0]
    for value in values[1:]:
        total = call.apply(call.values[0], total, value)
    return total


@native("abc.abstractmethod", "typing.overload", "typing.final", "typing.override")
def _identity(call: Call) -> Guarded:
    return call.get(0)


for _name in (
    "typing.runtime_checkable",
    "enum.unique",
    "contextlib.asynccontextmanager",
    "atexit.unregister",
):
    FUNCTIONS[_name] = _identity


@native("itertools.repeat")
def _repeat(call: Call) -> Guarded:
    times = call.get(1, "times")
    if times is UNSET:
        return call.make("itertools.cycle", **{"<items>": (call.get(0),), "<place>": 0})
    if not isinstance(times, int):
        made = containers.made_of(call.run, "list", [], call.at)
        made.open = unknown_from((call.get(0),), "repeat()")
        return made
    return containers.made_of(call.run, "list", [(True, call.get(0))] * min(times, _REPEATED_MAX), call.at)


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
    return call.coming(_sliced(call, slice(*bounds)), call.get(0))


def _sliced(call: Call, bounds: slice) -> Coming:
    place, wanted, step = 0, bounds.start or 0, bounds.step or 1
    source = call.each_of(call.get(0))
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


@native("typing.cast", "typing.assert_type")
def _cast(call: Call) -> Guarded:
    return call.get(1)


@native("typing.NewType", "typing.TypeVar", "typing.ParamSpec")
def _new_type(call: Call) -> Guarded:
    return call.function("NewType", lambda inner: inner.get(0))


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

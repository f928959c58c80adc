"""What Python's builtin functions do."""

from __future__ import annotations

import builtins as _builtins
import collections
import datetime
import decimal
import enum
import numbers
from collections.abc import Callable
from functools import cmp_to_key, partial
from typing import Any

from subdrift.linter.clients.python import maker
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    Diagram,
    apply,
    both,
    either,
    instead,
    is_partial,
    is_written,
    negate,
    or_else,
    pick,
)
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    Bound,
    Entry,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import (
    class_definitions,
    classes,
    containers,
    enumerations,
    operators,
)
from subdrift.linter.resolve.semantics.python.concrete import (
    NotKnown,
    abstract,
    computed,
    concrete,
    unknown_from,
)
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, Call, native
from subdrift.linter.resolve.semantics.python.texts import encoded

NAMES = frozenset(dir(_builtins))
_OWN = {
    "builtins": _builtins,
    **{each.__name__: each for each in (collections, collections.abc, datetime, decimal, enum, numbers)},
}
RANGE_MAX = 512
"""Elements of a `range` that are told apart."""

_PURE: dict[str, Callable[..., Any]] = {
    each.__name__: each for each in (abs, ascii, bin, chr, divmod, hex, oct, ord, pow, round, float)
}
_COLLECTIONS = {"list": "list", "set": "set", "frozenset": "frozenset"}


def _pure(name: str) -> None:
    def run(call: Call) -> Guarded:
        if name == "pow" and len(call.values) == 2:
            return apply(
                lambda a, b: operators.binary(call.run, "**", a, b, lambda _: text("")), *call.values
            )
        return apply(
            lambda *given: computed(call.run, _PURE[name], call.at, *given, detail=f"{name}()"), *call.values
        )

    FUNCTIONS[f"builtins.{name}"] = run


for _name in _PURE:
    _pure(_name)


@native("builtins.str.maketrans")
def _maketrans(call: Call) -> Guarded:
    return computed(call.run, str.maketrans, call.at, *call.values)


@native("builtins.repr")
def _repr(call: Call) -> Guarded:
    return call.each(call.get(0), lambda leaf: call.python.represented(call.run, leaf))


@native("builtins.str")
def _str(call: Call) -> Guarded:
    if not call.values:
        return text("")
    return call.each(call.values[0], lambda leaf: call.python.shown(call.run, leaf))


@native("builtins.int")
def _int(call: Call) -> Guarded:
    if not call.values:
        return 0
    return apply(lambda *given: _as_int(call, *given), *(operators.plain(value) for value in call.values))


def _as_int(call: Call, *given: Any) -> Any:
    raised = call.run.guard
    found = computed(call.run, lambda *each: int(*each), call.at, *given, detail="int()")
    if isinstance(found, Unknown):
        symbol = symbol_of(given[0])
        found = Unknown(found.why, found.detail, None if symbol is None else ("int", symbol))
        if raised is call.run.guard and not isinstance(given[0], int | float):
            containers.fails(call.run, "ValueError", found, call.at)
        return found
    return found


@native("builtins.bool")
def _bool(call: Call) -> Guarded:
    return call.each(call.get(0, default=False), lambda leaf: call.python.truth_in(call.run, leaf))


@native("builtins.bytearray")
def _bytearray(call: Call) -> Guarded:
    return Unknown(Why.UNSUPPORTED, "bytearray()", ("bytearray", call.run.unique()))  # it changes


@native("builtins.bytes")
def _bytes(call: Call) -> Guarded:
    value = call.get(0)
    if isinstance(value, Text):
        return encoded(call, value, call.get(1, "encoding", UNSET), call.get(2, "errors", text("strict")))
    return value if isinstance(value, Object) and value.type == "bytes" else unknown_from((value,), "bytes()")


@native("builtins.list", "builtins.set", "builtins.frozenset", "builtins.tuple")
def _list(call: Call) -> Guarded:
    return _collection(call, "list")


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
    FUNCTIONS[f"builtins.{_kind}"] = lambda call, kind=_kind: _collection(call, kind)


@native("builtins.dict")
def _dict(call: Call) -> Guarded:
    return _mapping(call, "dict")


@native("collections.OrderedDict")
def _ordered_dict(call: Call) -> Guarded:
    return _mapping(call, "OrderedDict")


def _mapping(call: Call, kind: str) -> Object:
    made = call.run.make(None, kind, call.at)
    made.entries = []
    guard, call.run.guard = call.run.guard, True
    for value in call.values:
        containers.update(call.run, made, apply(call.as_mapping, value), call.items)
    call.run.guard = guard
    for name, value in call.arguments.names.items():
        containers.put(made, text(name), value, is_written(value))
    if call.arguments.open is not None:
        operators.may_replace(made, True, call.arguments.open)
    return made


@native("builtins.len")
def _len(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        leaf = operators.plain(leaf)
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
        made = containers.made_of(call.run, "list", [(True, n) for n in numbers[:RANGE_MAX]], call.at)
        if numbers[RANGE_MAX:]:  # `len` is not for numbers beyond the machine's
            call.run.note(phrase("more-than-numbers-of-a-range", RANGE_MAX), call.at)
            made.open = Unknown(Why.TOO_MANY, phrase("long-range"))
        return made

    return apply(one, *call.values)


@native("builtins.enumerate")
def _enumerate(call: Call) -> Guarded:
    unsure = containers.unsure_length(call, call.get(0))
    items = call.items(call.get(0))
    start = call.get(1, "start", 0) if unsure is None else unsure
    if items is None:
        return unknown_from((call.get(0),), "enumerate()")
    found: list[tuple[Guarded, Guarded]] = []
    number: Guarded = start if isinstance(start, int) else unknown_from((start,), "enumerate()")
    for guard, item in items:
        found.append((guard, (number, item)))
        more = apply(lambda n: n + 1 if isinstance(n, int) else n, number)
        number = pick(guard, more, number)
    return containers.made_of(call.run, "list", found, call.at)


@native("builtins.zip", "itertools.zip_longest")
def _zip(call: Call) -> Guarded:
    if len({id(value) for value in call.values}) < len(call.values) and any(map(_is_iterator, call.values)):
        return _drawn_in_turn(call)
    every = [call.items(value) for value in call.values]
    if any(each is None or any(guard is not True for guard, _ in each) for each in every):
        return unknown_from(call.values, "zip()")
    rows = zip(*[[item for _, item in each or ()] for each in every], strict=False)
    return containers.made_of(call.run, "list", [(True, tuple(row)) for row in rows], call.at)


def _is_iterator(value: Guarded) -> bool:
    return isinstance(value, Object) and value.type == "generator"


def _drawn_in_turn(call: Call) -> Guarded:
    """`zip(it, it)`: each of its rows takes as many as there are arguments from the one iterator."""
    source, width = call.values[0], len(call.values)
    same = isinstance(source, Object) and all(value is source for value in call.values)
    items = call.items(source) if same else None
    if items is None or any(guard is not True for guard, _ in items) or call.run.here(source) is not True:
        return unknown_from(call.values, "zip()")
    found = [item for _, item in items]
    rows = [tuple(found[at : at + width]) for at in range(0, len(found) - width + 1, width)]
    return containers.made_of(call.run, "list", [(True, row) for row in rows], call.at)


@native("builtins.map")
def _map(call: Call) -> Guarded:
    if len(call.values) < 2:
        return unknown_from(call.values, "map()")
    if len(call.values) > 2:
        given = Arguments(call.values[1:])
        zipped = FUNCTIONS["builtins.zip"](Call(call.python, call.run, given, call.frame, call.at))
        rows = [
            (guard, item if isinstance(item, tuple) else (item,) * len(given.values))
            for guard, item in call.elements(zipped)
        ]
    else:
        rows = [(guard, (item,)) for guard, item in call.elements(call.values[1])]
    found = []
    before = call.run.guard
    for guard, row in rows:
        call.run.guard = both(before, guard)
        if call.run.guard is not False:
            found.append((guard, call.apply(call.values[0], *row)))
    call.run.guard = before
    made = containers.made_of(call.run, "list", found, call.at)
    made.open = containers.unsure_length(call, *call.values[1:])
    return made


@native("builtins.filter", "itertools.filterfalse")
def _filter(call: Call) -> Guarded:
    found = []
    before = call.run.guard
    for guard, item in call.elements(call.get(1)):
        call.run.guard = both(before, guard)
        if call.run.guard is False:
            continue
        keeps = item if call.values[0] is None else call.apply(call.values[0], item)
        held = guard_of(call, keeps)
        found.append((both(guard, held), item))
    call.run.guard = before
    made = containers.made_of(call.run, "list", found, call.at)
    made.open = containers.unsure_length(call, call.get(1))
    return made


def guard_of(call: Call, value: Guarded) -> Guarded:
    """The guard under which a value is true."""
    at = call.frame.owner.decl.name_at if call.frame.owner is not None else (1, 1, 1, 1)
    if call.at is not None:
        span = call.at.span
        at = (span.line, span.column, span.end_line, span.end_column)
    return call.run.guard_of(value, call.frame, at)


@native("builtins.any", "builtins.all")
def _any(call: Call) -> Guarded:
    return _quantified(call, every=False)


FUNCTIONS["builtins.all"] = lambda call: _quantified(call, every=True)


def _quantified(call: Call, *, every: bool) -> Guarded:
    items = call.items(call.get(0))
    if items is None:
        return Test("true", (unknown_from((call.get(0),), "all()" if every else "any()"),))
    found: Guarded = every
    for guard, item in items:
        holds = guard_of(call, item)
        if every:
            found = both(found, either(negate(guard), holds))
        else:
            found = either(found, both(guard, holds))
    return found


@native("builtins.sum", "math.fsum")
def _sum(call: Call) -> Guarded:
    items = call.items(call.get(0))
    if items is None or any(guard is not True for guard, _ in items):
        return unknown_from((call.get(0),), "sum()")
    total = call.get(1, "start", 0)
    for _, item in items:
        total = apply(lambda a, b: call.python.binary(call.run, "+", a, b), total, item)
    return total


@native("builtins.min", "builtins.max")
def _min(call: Call) -> Guarded:
    return _extreme(call, largest=False)


FUNCTIONS["builtins.max"] = lambda call: _extreme(call, largest=True)


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
    """`list.sort`."""
    ordered = _sorted(call, leaf.items or [], call.get(9, "key", None), call.get(9, "reverse", False))
    if ordered is None:
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
    items = call.items(call.get(0))
    if items is None:
        return unknown_from((call.get(0),), "reversed()")
    return containers.made_of(call.run, "list", items[::-1], call.at)


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
        items = call.items(source)
        if items is not None:
            made = containers.made_of(call.run, "generator", items, call.at)
            made.fields[containers.UNORDERED] = containers.unordered(source)
            made.open = containers.unsure_length(call, source)
            if isinstance(source, Object) and source.type == "list" and source.items is not None:
                made.fields[operators.SOURCE] = (source, len(source.items))
            return made
    return unknown_from(call.values, "iter()")


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
        operators.live(leaf)
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
                leaf.fields.pop(operators.SOURCE, None)
                default = call.get(1)
                return call.throw("StopIteration") if default is UNSET else default
            if left is not False and call.get(1) is not UNSET:
                return pick(left, call.get(1), found)
            return found
        return unknown_from((leaf,), "next()")

    return call.each(call.get(0), one)


@native("builtins.isinstance")
def _isinstance(call: Call) -> Guarded:
    kinds = _types(call, call.get(1))
    return apply(lambda leaf: any_instance(call.run, leaf, kinds), call.get(0))


def any_instance(run: Interpreter, leaf: Any, kinds: list[Any]) -> bool | Test:
    """Whether a value is of one of some types."""
    unsure: Test | None = None
    for kind in kinds:
        found = is_instance(run, leaf, kind) if isinstance(kind, TypeValue) else _unsure(leaf, kind)
        if found is True:
            return True
        if isinstance(found, Test):
            unsure = found
    return unsure if unsure is not None else False


def _types(call: Call, value: Guarded) -> list[Any]:
    if isinstance(value, tuple):
        return [kind for each in value for kind in _types(call, each)]
    return [value]


_KINDS: dict[str, tuple[str, ...]] = {
    "builtins.list": ("list", "values", "items"),
    "builtins.set": ("set",),
    "builtins.frozenset": ("frozenset",),
    "builtins.dict": ("dict", "defaultdict", "OrderedDict", "Counter"),
    "builtins.bytes": ("bytes",),
    "builtins.slice": ("slice",),
    "collections.deque": ("deque",),
    "collections.defaultdict": ("defaultdict",),
    "collections.OrderedDict": ("OrderedDict", "dict"),
    "typing.Callable": (),
}
_ITERABLE = frozenset({"Iterable", "Sequence", "Collection", "Container", "Sized", "MutableSequence"})


def is_instance(run: Interpreter, leaf: Any, kind: TypeValue) -> bool | Test:
    """`isinstance(leaf, kind)`."""
    if isinstance(leaf, Unknown | Test):
        known = leaf.type.declared if isinstance(leaf, Unknown) and leaf.type is not None else None
        if known is not None and kind.declared is not None and classes.is_subclass(run, known, kind.declared):
            return True
        return _unsure(leaf, kind)
    name, simple = kind.name, kind.simple
    if name == "builtins.object":
        return True
    protocol = classes.protocol_members(run, kind.declared) if kind.declared is not None else None
    if isinstance(leaf, Object) and leaf.declared is not None:
        if kind.declared is not None:
            nominal = classes.is_subclass(run, leaf.declared, kind.declared)
            return nominal or (protocol is not None and classes.has_all(run, leaf, protocol))
        info = classes.info_of(run, leaf.declared)
        above = info.library if info is not None else []
        if name in above or (info is not None and info.is_tuple and name == "builtins.tuple"):
            return True
        if any(below(each, name) for each in above):
            return True
        return _unsure(leaf, kind) if "<unknown>" in above else False
    if kind.declared is not None:
        return False if protocol is None else _unsure(leaf, kind)
    if isinstance(leaf, Text):
        return name == "builtins.str" or simple in ("Sequence", "Iterable", "Hashable", "Sized")
    if isinstance(leaf, bool):
        return name in ("builtins.bool", "builtins.int") or simple in ("Number", "Integral", "Hashable")
    if isinstance(leaf, int):
        return name == "builtins.int" or simple in ("Number", "Integral", "Hashable")
    if isinstance(leaf, float):
        return name == "builtins.float" or simple in ("Number", "Real", "Hashable")
    if isinstance(leaf, tuple):
        return name == "builtins.tuple" or simple in _ITERABLE
    if leaf is None:
        return name in ("types.NoneType", "builtins.NoneType")
    if isinstance(leaf, Function | Bound):
        return simple in ("Callable", "FunctionType", "MethodType")
    if isinstance(leaf, TypeValue):
        return (
            _is_class(leaf, kind)
            if name == "builtins.type" and leaf.declared is None
            else simple in ("type", "Callable")
        )
    if isinstance(leaf, Object):
        if name in _KINDS:
            return leaf.type in _KINDS[name]
        if leaf.entries is not None:
            return simple in ("Mapping", "MutableMapping", *_ITERABLE) and simple not in (
                "Sequence",
                "MutableSequence",
            )
        if leaf.items is not None:
            return simple in _ITERABLE or (simple in ("Set", "MutableSet") and leaf.type in containers.SETS)
        return below(leaf.type, name)
    return _unsure(leaf, kind)


def _is_class(leaf: TypeValue, kind: TypeValue) -> bool | Test:
    """Whether a library's name is that of a class: it may be a module or a function."""
    if "." not in leaf.name:
        return False
    return _real(leaf.name) is not None or maker(leaf.name) is not None or _unsure(leaf, kind)


def _real(name: str) -> type | None:
    """The class of Python's own with a full name, of the modules where programs find what they ask for."""
    module, _, simple = name.rpartition(".")
    found = getattr(_OWN.get(module), simple, None)
    return found if isinstance(found, type) else None


def below(name: str, above: str) -> bool:
    """Whether a class of a library, by its full name, is another or below it, as far as Python's own say."""
    one, other = _real(name), _real(above)
    return name == above or (one is not None and other is not None and issubclass(one, other))


def _unsure(leaf: Any, kind: Any) -> Test:
    symbol = symbol_of(leaf)
    shown = kind.name if isinstance(kind, TypeValue) else "?"
    key = None if symbol is None else ("isinstance", symbol, shown)
    return Test("true", (Unknown(Why.DYNAMIC, phrase("isinstance", shown), key),))


@native("builtins.issubclass")
def _issubclass(call: Call) -> Guarded:
    kinds = _types(call, call.get(1))

    def one(leaf: Any) -> bool | Test:
        if not isinstance(leaf, TypeValue) or not all(isinstance(kind, TypeValue) for kind in kinds):
            return _unsure(leaf, kinds[0])
        if leaf.declared is None:
            return any(kind.declared is None and below(leaf.name, kind.name) for kind in kinds)
        return any(classes.is_subclass(call.run, leaf.declared, kind.declared or kind.name) for kind in kinds)

    return apply(one, call.get(0))


@native("builtins.getattr")
def _getattr(call: Call) -> Guarded:
    def one(leaf: Any, name: Any) -> Guarded:
        known = name.known if isinstance(name, Text) else None
        if known is None:
            return unknown_from((leaf, name), "getattr()")
        default = call.get(2)
        before, raised = call.run.guard, len(call.run.raised)
        call.run.handlers.append(lambda error: default is not UNSET if _no_attribute((True, error)) else None)
        found = call.python.find(call.run, leaf, known, call.frame)
        call.run.handlers.pop()
        thrown = call.run.raised[raised:]
        if default is not UNSET and thrown and all(map(_no_attribute, thrown)):
            del call.run.raised[raised:]
            found = (
                default if call.run.guard is False else pick(call.run.guard, or_else(found, default), default)
            )
            call.run.guard = before
            return found
        if found is UNSET and call.run.guard is not False:
            if default is UNSET or isinstance(leaf, Unknown):
                at = call.frame.owner.decl.name_at if call.frame.owner is not None else (1, 1, 1, 1)
                return call.python.attribute(call.run, leaf, known, call.frame, at)
            return default
        if not is_partial(found):
            return found
        return or_else(found, Unknown(Why.UNDEFINED, known) if default is UNSET else default)

    return call.each(call.get(0), lambda leaf: call.each(call.get(1), lambda name: one(leaf, name)))


def _no_attribute(thrown: tuple[Guarded, Guarded]) -> bool:
    return isinstance(thrown[1], Object) and thrown[1].type == "builtins.AttributeError"


@native("builtins.hasattr")
def _hasattr(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        name = call.get(1)
        known = name.known if isinstance(name, Text) else None
        if known is None or (
            isinstance(leaf, Unknown | Test | TypeValue) and getattr(leaf, "declared", None) is None
        ):
            return _unsure(leaf, TypeValue(None, f"hasattr {known}"))
        before, raised = call.run.guard, list(call.run.raised)
        found = call.python.find(call.run, leaf, known, call.frame)
        failed = call.run.guard is False
        call.run.guard, call.run.raised = before, raised
        return False if failed else is_written(found)

    return call.each(call.get(0), one)


@native("builtins.setattr", "object.__setattr__")
def _setattr(call: Call) -> Guarded:
    name = call.get(1)
    at = call.frame.owner.decl.name_at if call.frame.owner is not None else (1, 1, 1, 1)
    if isinstance(name, Text) and name.known is not None:
        known = name.known
        call.each(
            call.get(0),
            lambda leaf: call.python.set_attribute(call.run, leaf, known, call.get(2), call.frame, at),
        )
    else:
        call.each(call.get(0), lambda leaf: _opened(leaf, name))
    return None


def _opened(leaf: Any, name: Guarded) -> None:
    if isinstance(leaf, Object):
        leaf.open = unknown_from((name,), "setattr()")
        classes.forget_fields(leaf, leaf.open)


@native("builtins.dir")
def _dir(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Object) and leaf.type == "module" and "<stars>" not in leaf.fields:
            shown = _variables(call, dict(sorted(leaf.fields.items())))
            return containers.made_of(call.run, "list", containers.pairs(shown) or [], call.at)
        declared = leaf.declared if isinstance(leaf, Object | TypeValue) else None
        info = classes.info_of(call.run, declared) if declared is not None else None
        if info is None or (isinstance(leaf, Object) and leaf.open is not None):
            return unknown_from((leaf,), "dir()")
        every = [classes.info_of(call.run, each) for each in info.order if isinstance(each, Class)]
        names = {name for above in every if above is not None for name in above.attributes}
        if isinstance(leaf, Object):
            names |= {name for name in leaf.fields if name.isidentifier()}
        return containers.made_of(call.run, "list", [(True, text(name)) for name in sorted(names)], call.at)

    return call.each(call.values[0], one) if call.values else _variables(call, call.frame.variables)


@native("builtins.vars")
def _vars(call: Call) -> Guarded:
    if not call.values:
        return _variables(call, call.frame.variables)

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Object):
            return classes.own_dict(call.run, leaf)
        info = (
            classes.info_of(call.run, leaf.declared)
            if isinstance(leaf, TypeValue) and leaf.declared
            else None
        )
        return _variables(call, info.attributes) if info is not None else unknown_from((leaf,), "vars()")

    return call.each(call.values[0], one)


@native("builtins.locals")
def _locals(call: Call) -> Guarded:
    return _variables(call, call.frame.variables)


@native("builtins.globals")
def _globals(call: Call) -> Guarded:
    current = call.frame
    while current.parent is not None:
        current = current.parent
    return _variables(call, current.variables)


def _variables(call: Call, variables: dict[str, Guarded]) -> Object:
    made = call.run.make(None, "dict", call.at)
    made.entries = [
        Entry(True, text(name), value)
        for name, value in variables.items()
        if name[:1] not in "<$" and value is not UNSET
    ]
    return made


@native("builtins.type")
def _type(call: Call) -> Guarded:
    if len(call.values) != 1:
        return apply(partial(_made_class, call), *call.values[:1])

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Object):
            if leaf.declared is not None:
                return TypeValue(leaf.declared, leaf.declared.name)
            return TypeValue(None, leaf.type if "." in leaf.type else f"builtins.{leaf.type}")
        if isinstance(leaf, Text):
            return TypeValue(None, "builtins.str")
        if leaf is None or isinstance(leaf, bool | int | float | tuple):
            return TypeValue(None, f"builtins.{type(leaf).__name__}")
        if isinstance(leaf, Unknown) and leaf.type is not None:
            return leaf.type
        return unknown_from((leaf,), "type()")

    return apply(one, call.values[0])


def _made_class(call: Call, name: Any) -> Guarded:
    """`type(name, bases, namespace)`."""
    bases, space = call.get(1), call.get(2)
    entries = space.entries if isinstance(space, Object) and space.open is None else None
    title = name.known if isinstance(name, Text) else None
    if (
        title is None
        or not title.isidentifier()
        or not isinstance(bases, tuple)
        or not all(isinstance(base, TypeValue) for base in bases)
        or entries is None
        or not all(entry.guard is True and isinstance(entry.key, Text) for entry in entries)
        or None in (held := {entry.key.known: entry.value for entry in entries})
        or call.at is None
    ):
        return call.unknown(phrase("class-made-while-running"), Why.UNSUPPORTED)
    span = call.at.span
    at = (span.line, span.column, span.end_line, span.end_column)
    decl = ir.ClassDecl(title, "class", at, at)
    return class_definitions.made_of(
        call.python, call.run, decl, list(bases), dict(call.arguments.names), call.frame, held
    )


@native("builtins.callable")
def _callable(call: Call) -> Guarded:
    def one(leaf: Any) -> bool | Test:
        if isinstance(leaf, Unknown):
            return _unsure(leaf, TypeValue(None, "Callable"))
        if isinstance(leaf, Object) and leaf.declared is not None:
            return classes.class_attribute(call.run, leaf.declared, "__call__") is not UNSET
        return isinstance(leaf, Function | Bound | TypeValue)

    return apply(one, call.get(0))


@native("builtins.id", "builtins.hash", "builtins.input", "builtins.eval", "builtins.exec")
def _dynamic(call: Call) -> Guarded:
    return call.unknown(phrase("known-only-at-run-time"))


@native("builtins.print", "builtins.breakpoint")
def _print(call: Call) -> Guarded:
    return None


@native("builtins.object")
def _object(call: Call) -> Guarded:
    return call.make("object")


@native("builtins.property")
def _property(call: Call) -> Guarded:
    return call.make("builtins.property", fget=call.get(0, "fget", None), fset=call.get(1, "fset", None))


@native("builtins.staticmethod", "abc.abstractstaticmethod")
def _staticmethod(call: Call) -> Guarded:
    return call.make("builtins.staticmethod", function=call.get(0))


@native("builtins.classmethod", "abc.abstractclassmethod")
def _classmethod(call: Call) -> Guarded:
    return call.make("builtins.classmethod", function=call.get(0))


@native("builtins.super")
def _super(call: Call) -> Guarded:
    return call.unknown(phrase("super-with-arguments"), Why.UNSUPPORTED)


@native("builtins.slice")
def _slice(call: Call) -> Guarded:
    values = [None, *call.values, None] if len(call.values) == 1 else [*call.values, None, None]
    return call.make("slice", lower=values[0], upper=values[1], step=values[2])


@native("builtins.format")
def _format(call: Call) -> Guarded:
    spec = call.get(1, default=text(""))
    from subdrift.linter.resolve.semantics.python import texts

    def one(leaf: Any, how: Any) -> Guarded:
        if not isinstance(how, Text) or how.known is None:
            return unknown_from((leaf, how), "format()")
        return texts.format_value(leaf, "", how.known, lambda value: call.python.shown(call.run, value))

    return apply(one, call.get(0), spec)


def exception(call: Call, name: str) -> Object:
    """An instance of a builtin exception."""
    made = call.make(name)
    made.fields["args"] = tuple(call.values)
    made.fields["<message>"] = (
        call.values[0] if len(call.values) == 1 else text("") if not call.values else UNSET
    )
    if made.fields["<message>"] is UNSET:
        made.fields["<message>"] = tuple(call.values)
    return made


__all__ = [
    "NAMES",
    "Arguments",
    "Diagram",
    "abstract",
    "any_instance",
    "below",
    "exception",
    "is_instance",
    "sort",
]

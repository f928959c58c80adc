"""What Python's standard library does to values: functions by full name, methods and calls of its objects."""

from __future__ import annotations

import ast
import json
import posixpath as _paths
import re
import shlex
import urllib.parse
from collections.abc import Callable
from functools import partial
from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    apply,
    ite,
    leaves,
    or_else,
    pick,
    under,
)
from subdrift.linter.resolve.execute.handed import escape
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    Bound,
    Entry,
    Function,
    Guarded,
    Key,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import classes, containers, operators, paths
from subdrift.linter.resolve.semantics.python.concrete import NotKnown, computed, unknown_from
from subdrift.linter.resolve.semantics.python.functions import Code, awaited
from subdrift.linter.resolve.semantics.python.natives import (
    CALLABLES,
    FUNCTIONS,
    METHODS,
    Call,
    Method,
    native,
)
from subdrift.linter.text.bounded import BoundedError, check_json, check_toml

_REPEATED_MAX = 256


def _method(kind: str, *names: str) -> Callable[[Method], Method]:
    def register(function: Method) -> Method:
        for name in names:
            METHODS[f"{kind}.{name}"] = function
        return function

    return register


def _callable(*kinds: str) -> Callable[[Method], Method]:
    def register(function: Method) -> Method:
        for kind in kinds:
            CALLABLES[f"{kind}.__call__"] = function
        return function

    return register


# -- os -------------------------------------------------------------------------------------------------------------


def variable(key: Any, default: Guarded, at: Location | None) -> Guarded:
    """An environment variable, resolved in each environment."""
    if not isinstance(key, Text):
        return unknown_from((key,), phrase("environment-variable"))
    steps = (
        *key.steps,
        *((Step(at, phrase("environment-variable-named", key.known or "…")),) if at is not None else ()),
    )
    fallback = default if isinstance(default, Text) else None
    return Text((Key(key, fallback, "env"),), steps)


def set_variables(run: Interpreter) -> dict[str, Guarded]:
    """The environment variables that the program has set, by name; UNSET where it has not."""
    found: dict[str, Guarded] = run.heap.setdefault("environment variables", {})
    return found


def set_variable(run: Interpreter, key: Any, value: Guarded) -> None:
    """`os.environ[key] = value`."""
    if isinstance(key, Text) and key.known is not None:
        held = set_variables(run)
        held[key.known] = ite(run.guard, value, held.get(key.known, UNSET))


def once_set(run: Interpreter, key: Any, outside: Guarded) -> Guarded:
    """What the program has set a variable to, `outside` where it has not."""
    put = set_variables(run).get(key.known or "", UNSET) if isinstance(key, Text) else UNSET
    return or_else(under(put, run.guard), outside)


def _variable(call: Call, key: Guarded, default: Guarded) -> Guarded:
    return once_set(call.run, key, _from_outside(call, key, default))


def _from_outside(call: Call, key: Guarded, default: Guarded) -> Guarded:
    def one(name: Any, other: Any) -> Guarded:
        if other is None or isinstance(other, Text):
            return variable(name, other, call.at)
        found = variable(name, None, call.at)
        if isinstance(other, Unknown) or not isinstance(found, Text):
            return unknown_from((name, other), phrase("environment-variable"))
        return variable(name, call.python.shown(call.run, other), call.at)

    return apply(one, key, default)


@native("os.getenv")
def _getenv(call: Call) -> Guarded:
    return _variable(call, call.get(0, "key"), call.get(1, "default", None))


def environment(call: Call, name: str) -> Guarded:
    """A method of `os.environ`."""
    if name == "setdefault" and call.values:
        found = _variable(call, call.values[0], call.get(1, "default", None))
        set_variable(call.run, call.values[0], found)
        return found
    if name == "get" and call.values:
        return _variable(call, call.values[0], call.get(1, "default", None))
    if name == "pop" and call.values:
        return _variable(call, call.values[0], call.get(1, "default", None))
    return call.unknown(phrase("environment"))


@native("os.path.join", "posixpath.join")
def _join(call: Call) -> Guarded:
    def one(*parts: Any) -> Guarded:
        found = paths.joined(parts)
        if found is not None:
            return found
        return computed(call.run, _paths.join, call.at, *parts, detail=phrase("path"))

    return apply(
        one, *(call.each(value, partial(paths.named, call.run, at=call.at)) for value in call.values)
    )


@native("os.path.basename", "os.path.dirname", "os.path.splitext", "os.path.normpath")
def _path(call: Call) -> Guarded:
    return call.unknown(phrase("path"))


def _path_function(name: str) -> None:
    function = getattr(_paths, name)
    FUNCTIONS[f"os.path.{name}"] = lambda call: apply(
        lambda *given: computed(call.run, function, call.at, *given, detail=phrase("path")), *call.values
    )


for _name in ("basename", "dirname", "splitext", "normpath"):
    _path_function(_name)


# -- functools ------------------------------------------------------------------------------------------------------


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


@_callable("functools.partial")
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


@_callable("functools.cache")
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
    return all(one is other or apply(operators.equal, one, other) is True for one, other in pairs)


@_method("functools.cache", "cache_clear", "cache_info")
def _cache_clear(call: Call, leaf: Object) -> Guarded:
    leaf.fields["<memory>"] = []
    return None


def _chooses_by(leaf: Object) -> int:
    """The place of the argument whose type decides: behind `self` of a method."""
    return int(leaf.type == "functools.singledispatchmethod")


@_method("functools.singledispatchmethod", "register")
@_method("functools.singledispatch", "register")
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


@_callable("functools.singledispatchmethod")
@_callable("functools.singledispatch")
def _dispatch(call: Call, leaf: Object) -> Guarded:
    from subdrift.linter.resolve.semantics.python.builtins import is_instance

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
    if items is None or any(guard is not True for guard, _ in items):
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


# -- itertools, operator --------------------------------------------------------------------------------------------


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


@native("itertools.islice")
def _islice(call: Call) -> Guarded:
    bounds = call.values[1:]
    given = call.get(0)
    followed = given.fields.get(operators.SOURCE) if isinstance(given, Object) else None
    unsure = containers.unsure_length(call, given)
    items = call.items(given)
    if items is None or not all(each is None or isinstance(each, int) for each in bounds):
        return unknown_from(call.values, "islice()")
    if unsure is not None:  # any of them may be at those places, or none
        made = containers.made_of(call.run, "list", items, call.at)
        made.open = unsure
        return made
    source = call.get(0)
    if isinstance(source, Object) and source.type == "generator" and call.run.guard is True:
        stop = bounds[0] if len(bounds) == 1 else bounds[1]
        source.items = items[stop:] if isinstance(stop, int) else []
        if followed is not None and isinstance(stop, int):
            source.fields[operators.SOURCE] = (followed[0], len(followed[0].items or ()))
    return containers.made_of(call.run, "list", items[slice(*bounds)], call.at)


@native("_native.bounded")
def _bounded(call: Call) -> Guarded:
    """`bounded(rows)`: the rows of a product, as long as there are not very many of them."""
    rows = call.get(0)
    if isinstance(rows, Object) and len(rows.items or ()) > _REPEATED_MAX * 4:
        call.run.note(phrase("very-large-product"), call.at)
        return containers.open_list(call.run, call.unknown("product()", Why.TOO_MANY), call.at)
    return rows


# -- collections ----------------------------------------------------------------------------------------------------


@native("collections.defaultdict")
def _defaultdict(call: Call) -> Guarded:
    made = FUNCTIONS["builtins.dict"](
        Call(call.python, call.run, Arguments(call.values[1:], call.arguments.names), call.frame, call.at)
    )
    if not isinstance(made, Object):
        return made
    made.type = "defaultdict"
    if call.values and call.values[0] is not None:
        made.fields["<default>"] = call.values[0]
    return made


@native("collections.Counter")
def _counter(call: Call) -> Guarded:
    made = call.run.make(None, "Counter", call.at)
    made.entries = []
    made.fields["<default>"] = 0
    for value in call.values:
        if isinstance(value, Object) and value.entries is not None:
            containers.update(call.run, made, value, call.items)
            continue
        for guard, item in call.elements(value):
            old, there = containers.lookup(call.run, made, item)
            more = (
                1
                if old is UNSET
                else apply(lambda n: n + 1 if isinstance(n, int) else n, pick(there, old, 0))
            )
            containers.put(made, item, more, guard)
    return made


@native("collections.deque")
def _deque(call: Call) -> Guarded:
    items = call.elements(call.values[0]) if call.values else []
    made = containers.made_of(call.run, "deque", items, call.at)
    made.fields["maxlen"] = call.get(1, "maxlen", None)
    containers.shortened(made, 0)
    return made


@native("collections.namedtuple")
def _namedtuple(call: Call) -> Guarded:
    names = call.get(1, "field_names")
    found: list[str] = []
    if isinstance(names, Text) and names.known is not None:
        found = names.known.replace(",", " ").split()
    else:
        found = [item.known or "" for _, item in call.items(names) or () if isinstance(item, Text)]
    defaults = [item for _, item in call.items(call.get(9, "defaults", None)) or ()]
    return call.make(
        "collections.namedtuple", names=tuple(found), defaults=tuple(defaults), title=call.get(0)
    )


@_callable("collections.namedtuple")
def _make_tuple(call: Call, leaf: Object) -> Guarded:
    made = call.make("namedtuple")
    names = leaf.fields["names"]
    defaults = leaf.fields["defaults"]
    for index, name in enumerate(names):
        value = call.get(index, name)
        if value is UNSET:
            place = index - (len(names) - len(defaults))
            value = defaults[place] if place >= 0 else call.unknown(phrase("argument", name))
        made.fields[name] = value
    made.fields["<compare>"] = names
    made.items = [(True, made.fields[name]) for name in names]
    return made


@_method("collections.namedtuple", "_make")
def _made_of(call: Call, leaf: Object) -> Guarded:
    items = call.items(call.get(0))
    if items is None or any(guard is not True for guard, _ in items):
        return unknown_from((call.get(0),), "_make()")
    given = Arguments([item for _, item in items])
    return _make_tuple(Call(call.python, call.run, given, call.frame, call.at), leaf)


@_method("namedtuple", "_replace")
def _replaced(call: Call, leaf: Object) -> Guarded:
    made = call.make("namedtuple", **{**leaf.fields, **call.arguments.names})
    made.items = [(True, made.fields[name]) for name in leaf.fields["<compare>"]]
    return made


@_method("namedtuple", "_asdict")
def _asdict_tuple(call: Call, leaf: Object) -> Guarded:
    return _as_dict(call, leaf)


# -- properties -----------------------------------------------------------------------------------------------------


def _accessor(field: str) -> Method:
    """`@name.setter`: another property with one more function."""

    def made(call: Call, leaf: Object) -> Guarded:
        return call.make("builtins.property", **{**leaf.fields, field: call.get(0)})

    return made


METHODS["builtins.property.getter"] = _accessor("fget")
METHODS["builtins.property.setter"] = _accessor("fset")
METHODS["builtins.property.deleter"] = _accessor("fdel")


# -- dataclasses, enum ----------------------------------------------------------------------------------------------


@native("dataclasses.dataclass", "attr.s", "attr.define", "attrs.define", "attrs.frozen", "attr.attrs")
def _dataclass(call: Call) -> Guarded:
    def mark(value: Guarded, options: dict[str, Guarded]) -> Guarded:
        info = (
            classes.info_of(call.run, value.declared)
            if isinstance(value, TypeValue) and value.declared
            else None
        )
        if info is not None:
            info.dataclass = options
        return value

    if call.values:
        return mark(call.values[0], {})
    options = dict(call.arguments.names)
    return call.function("dataclass", lambda inner: mark(inner.get(0), options))


@native("dataclasses.field", "attr.ib", "attrs.field", "attr.attrib", "pydantic.Field")
def _field(call: Call) -> Guarded:
    names = dict(call.arguments.names)
    if "factory" in names:
        names["default_factory"] = names.pop("factory")
    if call.values:
        names.setdefault("default", call.values[0])
    return call.make("dataclasses.field", **names)


@native("attr.Factory", "attrs.Factory")
def _factory(call: Call) -> Guarded:
    """What makes the default of a field, as `factory=` does."""
    if call.get(1, "takes_self", False) is not False:
        return call.unknown("Factory()")
    return call.make("dataclasses.field", default_factory=call.get(0, "factory"))


@native("dataclasses.replace", "copy.replace", "attr.evolve", "attrs.evolve")
def _replace(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        if not isinstance(leaf, Object) or leaf.declared is None:
            return unknown_from((leaf,), "replace()")
        given = {name: leaf.fields.get(name) for name in leaf.fields.get("<compare>", ())}
        given.update(call.arguments.names)
        return call.python.instantiate(call.run, leaf.declared, Arguments([], given), call.frame, call.at)

    return call.each(call.get(0), one)


@native("dataclasses.asdict", "attr.asdict", "attrs.asdict")
def _asdict(call: Call) -> Guarded:
    return call.each(call.get(0), lambda leaf: _as_dict(call, leaf))


def _as_dict(call: Call, leaf: Any, depth: int = 0) -> Guarded:
    if not isinstance(leaf, Object) or "<compare>" not in leaf.fields or depth > 10:
        return leaf if depth else unknown_from((leaf,), "asdict()")
    made = call.run.make(None, "dict", call.at)
    made.entries = []
    for name in leaf.fields["<compare>"]:
        value = apply(lambda each: _as_dict(call, each, depth + 1), leaf.fields.get(name))
        containers.put(made, text(name), value, True)
    return made


@native("dataclasses.astuple", "attr.astuple", "attrs.astuple")
def _astuple(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        if not isinstance(leaf, Object) or "<compare>" not in leaf.fields:
            return unknown_from((leaf,), "astuple()")
        return tuple(
            apply(one, each) if isinstance(each, Object) and "<compare>" in each.fields else each
            for each in (leaf.fields.get(name) for name in leaf.fields["<compare>"])
        )

    return call.each(call.get(0), one)


@native("dataclasses.is_dataclass")
def _is_dataclass(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        declared = leaf.declared if isinstance(leaf, Object | TypeValue) else None
        info = classes.info_of(call.run, declared) if declared is not None else None
        return info is not None and info.dataclass is not None

    return call.each(call.get(0), one)


@native("dataclasses.fields")
def _fields(call: Call) -> Guarded:
    value = call.get(0)
    declared = value.declared if isinstance(value, Object | TypeValue) else None
    info = classes.info_of(call.run, declared) if declared is not None else None
    if info is None or declared is None or classes.unseen(call.run, declared) is not None:
        return unknown_from((value,), "fields()")

    def shown(holder: classes.ClassInfo, name: str) -> Object:
        written = holder.attributes.get(name, UNSET)
        known: dict[str, Guarded] = {"init": True, "repr": True, "compare": True}
        if isinstance(written, Object) and written.type == "dataclasses.field":
            known |= written.fields
        elif written is not UNSET:
            known["default"] = written
        return call.make("dataclasses.Field", **known, name=text(name))

    return tuple(shown(holder, decl.name) for holder, decl in classes.dataclass_fields(call.run, info))


@native("types.SimpleNamespace", "argparse.Namespace")
def _namespace(call: Call) -> Guarded:
    made = call.make("types.SimpleNamespace", **call.arguments.names)
    made.open = call.arguments.open
    return made


@native("enum.auto")
def _auto(call: Call) -> Guarded:
    return call.make("enum.auto")


# -- typing, copy, contextlib ---------------------------------------------------------------------------------------


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


@native("contextlib.contextmanager")
def _contextmanager(call: Call) -> Guarded:
    function = call.get(0)

    def enter(inner: Call) -> Guarded:
        code = function.native if isinstance(function, Function) else None
        if not isinstance(code, Code):
            return inner.unknown(phrase("context-manager"))
        return _context(inner, code)

    if isinstance(function, Function) and isinstance(function.native, Code):
        return call.make("contextlib.factory", function=function)
    return call.function("contextmanager", enter)


FUNCTIONS["contextlib.asynccontextmanager"] = _contextmanager


@_callable("contextlib.factory")
def _make_context(call: Call, leaf: Object) -> Guarded:
    return _context(call, leaf.fields["function"].native)


def _context(call: Call, code: Code) -> Object:
    """What a function makes that is a context manager; code that nobody sees may enter and leave it."""
    made = call.make("contextlib.contextmanager", code=code, arguments=call.arguments)

    def entered(inner: Call) -> Guarded:
        given = inner.python.enter(inner.run, made, call.frame, code.decl.name_at)
        escape(inner.run, given, Unknown(Why.DYNAMIC, f"{code.decl.name}()"))
        inner.python.exit(inner.run, made, call.frame, call.at)
        return None

    made.fields["<entered>"] = call.function(code.decl.name, entered)
    return made


@native("contextlib.closing", "contextlib.aclosing")
def _closing(call: Call) -> Guarded:
    return call.make("contextlib.closing", value=call.get(0))


@native("contextlib.nullcontext")
def _nullcontext(call: Call) -> Guarded:
    return call.make("contextlib.nullcontext", value=call.get(0, "enter_result", None))


@native("contextlib.ExitStack", "contextlib.AsyncExitStack")
def _exit_stack(call: Call) -> Guarded:
    return call.make("contextlib.ExitStack", **{"<stack>": ()})


@_method("contextlib.ExitStack", "enter_context", "enter_async_context")
def _enter_context(call: Call, leaf: Object) -> Guarded:
    value = call.get(0)
    at = call.frame.owner.decl.name_at if call.frame.owner is not None else (1, 1, 1, 1)
    entered = call.each(value, lambda each: call.python.enter(call.run, each, call.frame, at))
    leaf.fields["<stack>"] = (*leaf.fields["<stack>"], (call.run.guard, "exit", value, None))
    return entered


@_method("contextlib.ExitStack", "callback", "push", "push_async_callback")
def _callback(call: Call, leaf: Object) -> Guarded:
    given = Arguments(call.values[1:], call.arguments.names)
    leaf.fields["<stack>"] = (*leaf.fields["<stack>"], (call.run.guard, "call", call.get(0), given))
    return call.get(0)


@_method("contextlib.ExitStack", "close", "pop_all")
def _close_stack(call: Call, leaf: Object) -> Guarded:
    call.python.exit(call.run, leaf, call.frame, call.at)
    return None


@native("contextlib.suppress", "contextlib.redirect_stdout")
def _suppress(call: Call) -> Guarded:
    return call.make("contextlib.suppress", types=tuple(call.values))


# -- json, string, time and the rest --------------------------------------------------------------------------------


@native("inspect.isabstract")
def _is_abstract(call: Call) -> Guarded:
    """Whether the nearest definition of a name is one marked as abstract."""
    leaf = call.get(0)
    info = classes.info_of(call.run, leaf.declared) if isinstance(leaf, TypeValue) and leaf.declared else None
    if info is None:
        return unknown_from((leaf,), "isabstract()")
    seen: set[str] = set()
    for each in info.order:
        known = None if isinstance(each, str) else classes.info_of(call.run, each)
        for name in known.attributes.keys() - seen if known is not None else ():
            assert known is not None
            if any(m.annotation("abstractmethod") for m in known.declared.methods.get(name, ())):
                return True
            seen.add(name)
    return False


@native("json.loads")
def _loads(call: Call) -> Guarded:
    return apply(lambda leaf: computed(call.run, _json, call.at, leaf, detail="json.loads()"), call.get(0))


def _json(written: str) -> object:
    """Raises `NotKnown` for a text that would take long."""
    try:
        check_json(written)
    except BoundedError as error:
        raise NotKnown from error
    return json.loads(written)


@native("json.dumps")
def _dumps(call: Call) -> Guarded:
    if call.arguments.names:
        return unknown_from(call.values, "json.dumps()")
    return apply(
        lambda leaf: computed(call.run, json.dumps, call.at, leaf, detail="json.dumps()"), call.get(0)
    )


def _pure(name: str, function: Callable[..., Any]) -> None:
    FUNCTIONS[name] = lambda call: apply(
        lambda *given: computed(call.run, function, call.at, *given, detail=f"{function.__name__}()"),
        *call.values,
    )


def _literal(written: str) -> object:
    """Raises `NotKnown` for a text that would take long."""
    if _SIGNS.search(written):
        raise NotKnown
    try:
        check_toml(written)
    except BoundedError as error:
        raise NotKnown from error
    return ast.literal_eval(written)


_SIGNS = re.compile(r"[-+~(\s]{100}")
"""More signs than anyone writes: a parser recurses with them."""

_pure("ast.literal_eval", _literal)
_pure("_native.quoted", urllib.parse.quote)
_pure("_native.unquoted", urllib.parse.unquote)


for _name in (
    "time.time", "time.time_ns", "time.monotonic", "random.random", "random.randint", "random.choice", "uuid.uuid1",
    "uuid.uuid4", "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.date.today", "socket.gethostname",
    "os.getpid", "platform.node", "secrets.token_hex", "getpass.getuser", "os.getcwd", "datetime.now",
):  # fmt: skip
    FUNCTIONS[_name] = lambda call, name=_name: call.unknown(f"{name}()")

for _name in (
    "time.sleep", "signal.pause", "logging.basicConfig", "logging.config.dictConfig", "gc.collect",
    "logging.info", "logging.debug", "logging.warning", "logging.error", "logging.exception", "warnings.warn",
    "sys.path.append", "sys.path.insert", "random.seed", "os.makedirs", "random.shuffle",
):  # fmt: skip
    FUNCTIONS[_name] = lambda call: None


@native("sys.exit", "os._exit", "builtins.exit", "builtins.quit")
def _exit(call: Call) -> Guarded:
    return call.throw("SystemExit")


@native("signal.signal", "atexit.register")
def _registered(call: Call) -> Guarded:
    """Handlers run when the program ends, which changes nothing that is compared."""
    return call.get(0) if call.values and isinstance(call.get(0), Function) else None


@native("shlex.split")
def _words(call: Call) -> Guarded:
    if len(call.arguments) != 1:
        return call.unknown("shlex.split()")
    return apply(
        lambda leaf: computed(call.run, shlex.split, call.at, leaf, detail="shlex.split()"), call.get(0)
    )


@native("importlib.import_module", "builtins.__import__")
def _import_module(call: Call) -> Guarded:
    """A module by its name; one that begins with dots is relative to `package`."""

    def one(leaf: Any) -> Guarded:
        name = leaf.known if isinstance(leaf, Text) else None
        owner = call.frame.owner
        if name is None or owner is None:
            return unknown_from((leaf,), "import_module()")
        if name.startswith("."):
            package = call.get(1, "package", None)
            base = package.known if isinstance(package, Text) else None
            if base is None:
                return unknown_from((leaf, package), "import_module()")
            parts = base.split(".")
            above = len(name) - len(name.lstrip(".")) - 1
            name = ".".join([*parts[: len(parts) - above], name.lstrip(".")])
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            found = call.python.absolute(call.run, owner.file.origin, ".".join(parts[:end]))
        if isinstance(found, TypeValue) and not call.python.is_known(call.run, owner.file.origin, name):
            question = Unknown(Why.DYNAMIC, phrase("whether-is-installed", name), ("installed", name))
            call.run.perhaps(call.run.make(None, "builtins.ModuleNotFoundError", call.at), question)
        return found

    return call.each(call.get(0, "name"), one)


PACKAGE = "<package>"
"""The field of the `__path__` of a package that holds where the package is."""


@native("pkgutil.iter_modules")
def _iter_modules(call: Call) -> Guarded:
    """The modules of a package of the program."""
    source, prefix = call.get(0, "path", None), call.get(1, "prefix", text(""))
    origin = source.fields.get(PACKAGE) if isinstance(source, Object) else None
    if origin is None or not isinstance(prefix, Text) or prefix.known is None:
        return unknown_from((source,), "iter_modules()")
    found: list[tuple[Guarded, Guarded]] = []
    for name, is_package in call.python.modules(call.run).children(origin):
        fields = {"module_finder": None, "name": text(prefix.known + name), "ispkg": is_package}
        made = call.make("namedtuple", **fields, **{"<compare>": tuple(fields)})
        made.items = [(True, value) for value in fields.values()]
        found.append((True, made))
    listed = containers.made_of(call.run, "list", found, call.at)
    listed.open = unknown_from(
        (source,), "iter_modules()"
    )  # only modules that something names have been read
    return listed


# -- threads, tasks -------------------------------------------------------------------------------------------------


@native("threading.Thread", "multiprocessing.Process", "multiprocessing.dummy.Process")
def _thread(call: Call) -> Guarded:
    return call.make(
        "threading.Thread",
        **{
            "<target>": call.get(1, "target", None),
            "<args>": call.get(3, "args", ()),
            "<kwargs>": call.get(4, "kwargs", None),
            "name": call.get(2, "name", call.unknown(phrase("thread"))),
        },
    )


LATER = "<later>"
"""The field of a thread that holds what runs when it is waited for, or at the end."""


def start(call: Call, leaf: Object) -> Guarded:
    """`Thread.start`: the target runs later, when what the caller does next is done."""
    target = leaf.fields.get("<target>")
    values = [item for _, item in call.items(leaf.fields.get("<args>", ())) or ()]
    names: dict[str, Guarded] = {}
    keywords = leaf.fields.get("<kwargs>")
    for entry in keywords.entries or () if isinstance(keywords, Object) else ():
        if isinstance(entry.key, Text) and entry.key.known is not None:
            names[entry.key.known] = entry.value
    if target is not None:
        given = Arguments(values, names)
        later = call.function(
            phrase("thread"),
            lambda inner: inner.each(
                target, lambda each: inner.python.call(inner.run, each, given, call.frame, call.at)
            ),
        )
        leaf.fields[LATER] = later
        call.run.defer(later)
    return None


METHODS["threading.Thread.start"] = start
for _name in ("setDaemon", "terminate", "is_alive"):
    METHODS[f"threading.Thread.{_name}"] = lambda call, leaf: None


def scheduled(call: Call) -> Guarded:
    """`executor.submit(f, x)`, `loop.create_task(f())`, `asyncio.run(main())`: what is called runs here."""
    target = call.values[0]
    values = call.values[1:]
    if target is None and values:  # loop.run_in_executor(None, f, …)
        target, values = values[0], values[1:]

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Function | Bound) or (
            isinstance(leaf, Object) and f"{leaf.type}.__call__" in CALLABLES
        ):
            given = Arguments(values, call.arguments.names, call.arguments.open)
            found = call.python.call(call.run, leaf, given, call.frame, call.at)
            return awaited(call.python, call.run, found, call.frame, call.at)
        return leaf if isinstance(leaf, Object | Unknown) else unknown_from((leaf,), phrase("calculation"))

    return call.each(target, one)


@native(
    "anyio.to_thread.run_sync",
    "trio.to_thread.run_sync",
    "starlette.concurrency.run_in_threadpool",
    "trio.run",
    "anyio.run",
)
def _run(call: Call) -> Guarded:
    return scheduled(call)


@native("_native.awaited")
def _awaited(call: Call) -> Guarded:
    """`awaited(value)`: what `await value` gives."""
    return awaited(call.python, call.run, call.get(0), call.frame, call.at)


@native("_native.later")
def _later(call: Call) -> Guarded:
    """`later(function)`: it runs when something waits, or at the end."""
    call.run.defer(call.get(0))
    return None


@native("threading.local")
def _local(call: Call) -> Guarded:
    return call.make("threading.local")


def inherited(call: Call, leaf: Object, name: str) -> Guarded:
    """A method that an object of a declared class has from the library class above it."""
    assert leaf.declared is not None
    info = classes.info_of(call.run, leaf.declared)
    library = info.library if info is not None else []
    if name == "start" and ("threading.Thread" in library or "multiprocessing.Process" in library):
        if leaf.fields.get("<target>") is not None:
            return start(call, leaf)
        hook = classes.method_of(call.python, call.run, leaf, "run", call.frame)
        if hook is not UNSET:
            leaf.fields[LATER] = hook
            call.run.defer(hook)
        return None
    if name in ("join", "setDaemon") and (
        "threading.Thread" in library or "multiprocessing.Process" in library
    ):
        return METHODS[f"threading.Thread.{name}"](call, leaf)
    if name == "getName" and "threading.Thread" in library:
        return leaf.fields.get("name", UNSET)
    if name in ("_asdict", "dict", "model_dump") and info is not None and classes.fills_itself(info):
        return _as_dict(call, leaf)
    if name in ("_replace", "copy", "model_copy") and info is not None and classes.fills_itself(info):
        given = {each: leaf.fields.get(each) for each in leaf.fields.get("<compare>", ())}
        changed = call.get(9, "update", None)
        for _, each in leaves(changed):
            for entry in each.entries or () if isinstance(each, Object) else ():
                if isinstance(entry.key, Text) and entry.key.known is not None:
                    given[entry.key.known] = entry.value
        given.update(
            {key: value for key, value in call.arguments.names.items() if key not in ("update", "deep")}
        )
        return call.python.instantiate(call.run, leaf.declared, Arguments([], given), call.frame, call.at)
    known = next((METHODS[f"{above}.{name}"] for above in library if f"{above}.{name}" in METHODS), None)
    return UNSET if known is None else known(call, leaf)


def _of_bytes(name: str) -> Method:
    def run(call: Call, leaf: Object) -> Guarded:
        return computed(
            call.run,
            lambda own, *given: getattr(own, name)(*given),
            call.at,
            leaf,
            *call.values,
            detail=f"{name}()",
        )

    return run


for _name in ("hex", "strip", "upper", "lower", "startswith", "endswith", "replace", "split"):
    METHODS[f"bytes.{_name}"] = _of_bytes(_name)


# -- pytest -----------------------------------------------------------------------------------------------------------


@native("pytest.fixture", "pytest_asyncio.fixture")
def _fixture(call: Call) -> Guarded:
    """A fixture is run by the tests that ask for it."""
    if call.values and isinstance(call.values[0], Function):
        return call.values[0]
    return call.function("fixture", lambda inner: inner.get(0))


__all__ = ["CALLABLES", "METHODS", "environment", "inherited", "scheduled", "start", "variable"]

"""Values, objects and functions of Python's builtins and standard library, asked for by full name or by object."""

from __future__ import annotations

import math
import string
import sys
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from subdrift.linter.clients.python import ENUM_VALUES
from subdrift.linter.clients.python import maker as consumer_maker
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.drawing import LAZY
from subdrift.linter.resolve.execute.exceptions import may_refuse
from subdrift.linter.resolve.execute.guards import UNSET, apply
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    Bound,
    Frame,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import (
    builtins,
    collection_methods,
    command_lines,
    consumers,
    containers,
    files,
    hints,
    iterables,
    iterators,
    lazies,
    modelled,
    patterns,
    signatures,
    texts,
    validation,
)
from subdrift.linter.resolve.semantics.python.classes import put_back
from subdrift.linter.resolve.semantics.python.concrete import computed, unknown_from
from subdrift.linter.resolve.semantics.python.equality import put
from subdrift.linter.resolve.semantics.python.functions import Coroutine
from subdrift.linter.resolve.semantics.python.natives import CALLABLES, FUNCTIONS, METHODS, Call
from subdrift.linter.resolve.semantics.python.paths import path_of
from subdrift.linter.resolve.semantics.python.patterns import FLAGS
from subdrift.linter.resolve.semantics.python.standard import contexts, functional, records, system, threads
from subdrift.linter.resolve.semantics.python.standard import texts as standard_texts
from subdrift.linter.resolve.semantics.python.standard.system import environment
from subdrift.linter.resolve.semantics.python.types import below, is_instance, is_own

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python

BUILTINS = builtins.NAMES
_REGISTERING = (
    command_lines, contexts, files, functional, hints, iterators, patterns, records, signatures, standard_texts, validation,
)  # fmt: skip
"""Modules whose functions stand in the table once they are imported."""

STANDARD = frozenset(sys.stdlib_module_names)
"""Modules that are Python's own: nobody looks for their sources."""

_CONSTANTS: dict[str, Guarded] = {
    **{f"re.{name}": value for name, value in FLAGS.items()},
    "math.pi": math.pi,
    "math.inf": math.inf,
    "os.sep": text("/"),
    "os.linesep": text("\n"),
    "os.name": Unknown(Why.DYNAMIC, "os.name", ("os.name",)),
    "sys.platform": Unknown(Why.DYNAMIC, "sys.platform", ("sys.platform",)),
    "sys.argv": Unknown(Why.DYNAMIC, phrase("command-line"), ("sys.argv",)),
    "sys.maxsize": sys.maxsize,
    "typing.TYPE_CHECKING": False,
    **{
        f"string.{name}": text(getattr(string, name))
        for name in (
            "ascii_letters",
            "ascii_lowercase",
            "ascii_uppercase",
            "digits",
            "hexdigits",
            "punctuation",
        )
    },
}
_CHANGING = frozenset(
    {
        "next",
        "__next__",
        "pop",
        "read",
        "readline",
        "recv",
        "get_nowait",
        "random",
        "now",
        "time",
        "uuid4",
        "poll",
    }
)
_SCHEDULED = frozenset(
    {
        "submit",
        "create_task",
        "ensure_future",
        "run_until_complete",
        "run_in_executor",
        "call_soon",
        "call_later",
        "run",
    }
)


def changes(name: str) -> bool:
    """Whether a call of this name may give something else each time."""
    return name in _CHANGING


def constant(run: Interpreter, owner: str, name: str) -> Guarded:
    """The attribute of a library's module or class."""
    full = f"{owner}.{name}"
    if full in _CONSTANTS:
        return _CONSTANTS[full]
    if full == "os.environ":
        return TypeValue(None, full)
    if name in ("__name__", "__qualname__"):
        return text(owner.rpartition(".")[2])
    if name == "name" and ".".join(owner.split(".")[-2:]) in ENUM_VALUES:
        return text(owner.rpartition(".")[2])
    return TypeValue(None, full)


def class_method(above: str, name: str) -> bool:
    """Whether a library class gives the classes below it a class method that execution knows."""
    return f"{above}.{name}" in FUNCTIONS


def call(
    python: Python, run: Interpreter, name: str, arguments: Arguments, frame: Frame, at: Location | None
) -> Guarded:
    """A call of a library function or class by full name, UNSET where execution does not know it."""
    made = Call(python, run, arguments, frame, at)
    found = FUNCTIONS.get(name)
    if found is not None:
        return found(made)
    consumer = consumers.construct(made, name)
    if consumer is not UNSET:
        return consumer
    simple = name.rpartition(".")[2]
    if name.startswith("builtins.") and below(name, "builtins.BaseException"):
        return builtins.exception(made, name)
    if name.startswith("os.environ."):
        return environment(made, simple)
    if simple in _SCHEDULED and arguments.values:
        return threads.scheduled(made, simple)
    own = arguments.values[0] if simple == "__init__" and arguments.values else None
    if isinstance(own, Object) and own.declared is not None and name != "builtins.object.__init__":
        rest = Arguments(arguments.values[1:], arguments.names, arguments.open)
        initialise(python, run, own, name.rpartition(".")[0], rest, frame, at)
        return None
    if name.startswith("builtins.") and name.count(".") == 2:  # str.upper(x), dict.fromkeys(…)
        return _unbound(made, name.split(".")[1], simple)
    if name == "collections.OrderedDict.fromkeys":
        return _unbound(made, "dict", simple)
    return UNSET


def _unbound(call: Call, kind: str, name: str) -> Guarded:
    """A method called on its class: `str.strip(text)`."""
    if kind == "dict" and name == "fromkeys":
        made = call.run.make(None, "dict", call.at)
        made.entries = []
        items = call.items(call.get(0))
        for guard, item in items or ():
            put(made, item, call.get(1, default=None), guard)
        if items is None:
            made.open = unknown_from((call.get(0),), "fromkeys()")
        return made
    if name == "__new__":
        kind_value = call.get(0)
        if isinstance(kind_value, TypeValue) and kind_value.declared is not None:
            made = call.python.raw(call.run, kind_value.declared, call.at)
            call.python.filled(call.run, made, call.values[1:], call.at)
            return made
    if kind == "object" and name in ("__setattr__", "__delattr__", "__getattribute__"):
        return FUNCTIONS[f"object.{name}"](call)
    if kind == "object" and name in ("__init__", "__init_subclass__"):
        return None
    if not call.values:
        return UNSET
    rest = Arguments(call.values[1:], call.arguments.names)
    own = call.values[0]
    if isinstance(own, Object) and (own.items is not None or own.entries is not None):
        found = call.python.of_collection(call.run, own, name, rest.values, call.frame, call.at)
        if found is not UNSET or call.run.guard is False:
            return found
    return call.each(own, lambda leaf: call.python.method(call.run, leaf, name, rest, call.frame, call.at))


def has_method(python: Python, run: Interpreter, leaf: Object, name: str) -> bool:
    """Whether a library object has a method that execution knows, so that it can be taken as a value."""
    return f"{leaf.type}.{name}" in METHODS or leaf.client is not None


def method(
    python: Python,
    run: Interpreter,
    leaf: Any,
    name: str,
    arguments: Arguments,
    frame: Frame,
    at: Location | None,
) -> Guarded:
    """A method of a library's object, UNSET where execution does not know it."""
    made = Call(python, run, arguments, frame, at)
    if isinstance(leaf, TypeValue):
        if leaf.declared is None:
            return python.call_value(run, TypeValue(None, f"{leaf.name}.{name}"), arguments, frame, at)
        return _class_call(made, leaf, name)
    if isinstance(leaf, Object):
        found = _of_object(made, leaf, name)
        if found is not UNSET:
            return found
    if isinstance(leaf, int | float) and name in _OF_NUMBERS and hasattr(leaf, name):
        return computed(run, lambda own: getattr(own, name)(), at, leaf, detail=f"{name}()")
    if isinstance(leaf, tuple) and name in ("index", "count"):
        held = containers.made_of(run, "list", [(True, item) for item in leaf], at)
        return collection_methods.method(run, held, name, arguments, at, made.items)
    if isinstance(leaf, Unknown):
        if name in ("create_task", "ensure_future") and arguments.values:
            return python.call(run, modelled.member(python, run, "asyncio", name), arguments, frame, at)
        if name in _SCHEDULED and arguments.values:
            return threads.scheduled(made, name)
        if name in ("exists", "is_file") and path_of(leaf) is not None:
            return FUNCTIONS["os.path.exists"](Call(python, run, Arguments([leaf]), frame, at))
        if name in ("open", "read_text", "read_bytes") and not files.is_in_sight(made, leaf):
            may_refuse(run, "builtins.FileNotFoundError", unknown_from((leaf,), f"{name}()"), at)
        if name == "map" and len(arguments.values) >= 2:
            return FUNCTIONS["builtins.map"](Call(python, run, Arguments(arguments.values), frame, at))
    if isinstance(leaf, Function) and isinstance(leaf.native, Coroutine):
        source = python.waiting(run, leaf, frame, at)
        return source if name == "__await__" else python.method(run, source, name, arguments, frame, at)
    if isinstance(leaf, Function | Bound) and name == "__call__":
        return python.call(run, leaf, arguments, frame, at)
    if name in _BY_NAME and not arguments.values and not isinstance(leaf, Unknown | TypeValue):
        return FUNCTIONS[_BY_NAME[name]](Call(python, run, Arguments([leaf]), frame, at))
    return UNSET


def _of_object(call: Call, leaf: Object, name: str) -> Guarded:
    python, run, arguments, frame, at = call.python, call.run, call.arguments, call.frame, call.at
    if leaf.client is not None:
        return consumers.operate(call, leaf, name)
    if name == "get_consumer" and consumers.is_http_client(leaf):
        return consumers.http_consumer(call)
    known = METHODS.get(f"{leaf.type}.{name}")
    if known is not None and not is_lost(leaf):
        return known(call, leaf)
    if leaf.type in _FIXED and not hasattr(_FIXED[leaf.type], name):
        run.throw(run.make(None, "builtins.AttributeError", at))
        return UNSET
    if leaf.items is not None and name == "sort":
        iterables.sort(call, leaf)
        return None
    if leaf.items is not None and name == "send":
        if leaf.items == [] and LAZY in leaf.fields and arguments.values:
            if lazies.BEGUN not in leaf.fields and _is_something(arguments.values[0]):
                return call.throw("TypeError")
            leaf.fields[lazies.SENT] = arguments.values[0]
            arguments = Arguments([])
        if arguments.values in ([], [None]):
            return FUNCTIONS["builtins.next"](Call(python, run, Arguments([leaf]), frame, at))
        return _sent(leaf)
    if leaf.type == "generator" and name == "close":
        return lazies.closed(run, leaf)
    if leaf.type == "generator" and name == "throw":
        return _thrown(call, leaf)
    if leaf.entries is not None and leaf.declared is None and name in _KEYED and arguments.names:
        return call.throw("TypeError")
    if leaf.entries is not None and name == "update":
        mapped = [apply(call.as_mapping, value) for value in arguments.values]
        arguments = Arguments(mapped, arguments.names, arguments.open)
    key = arguments.values[0] if leaf.entries is not None and arguments.values else None
    if name in _KEYED and texts.is_of_environment(run, key, at):

        def one(each: Any) -> Guarded:
            given = replace(arguments, values=[each, *arguments.values[1:]])
            return method(python, run, leaf, name, given, frame, at)

        return texts.of_key(run, key, at, one)
    if leaf.items is not None or leaf.entries is not None:
        found = collection_methods.method(run, leaf, name, arguments, at, call.items)
        if found is not UNSET:
            put_back(leaf)
            return found
    return UNSET if leaf.declared is None else threads.inherited(call, leaf, name)


_FIXED: Final = {"range": range, **{name: type(getattr({}, name)()) for name in ("keys", "values", "items")}}
"""Collections that nothing changes, which have the methods Python gives them and no others."""

_OF_NUMBERS = frozenset({"as_integer_ratio", "bit_length", "bit_count", "is_integer", "conjugate", "hex"})

_KEYED = frozenset({"get", "pop", "setdefault"})
"""Methods of mappings that take a key first."""

_BY_NAME = {
    f"__{name}__": f"builtins.{name}" for name in ("str", "repr", "len", "bool", "int", "iter", "next")
}
"""Special methods that are called by their names."""


def _class_call(call: Call, leaf: TypeValue, name: str) -> Guarded:
    """A call on a declared class of what it has from the library."""
    from subdrift.linter.resolve.semantics.python import constructors
    from subdrift.linter.resolve.semantics.python.classes import info_of

    info = info_of(call.run, leaf.declared) if leaf.declared is not None else None
    for above in info.library if info is not None else ():
        known = FUNCTIONS.get(f"{above}.{name}")
        if known is not None:
            given = Arguments([leaf, *call.values], call.arguments.names, call.arguments.open)
            return known(Call(call.python, call.run, given, call.frame, call.at))
    if name == "__new__" or name == "mro":
        return UNSET
    if info is not None and leaf.declared is not None and info.is_tuple and name == "_make":
        items = call.items(call.get(0))
        values = [item for _, item in items or ()]
        fields = constructors.dataclass_fields(call.run, info)
        if items is not None and all(guard is True for guard, _ in items) and len(items) != len(fields):
            return call.throw("TypeError")
        return call.python.instantiate(call.run, leaf.declared, Arguments(values), call.frame, call.at)
    return UNSET


def call_object(
    python: Python, run: Interpreter, leaf: Object, arguments: Arguments, frame: Frame, at: Location | None
) -> Guarded:
    """A call of a library's object that can be called, UNSET for others."""
    known = CALLABLES.get(f"{leaf.type}.__call__")
    return UNSET if known is None or is_lost(leaf) else known(Call(python, run, arguments, frame, at), leaf)


def is_lost(leaf: Object) -> bool:
    """Whether nobody knows what an object that is no collection holds: what nobody sees has had it."""
    return leaf.open is not None and leaf.items is None and leaf.entries is None


def item(
    python: Python, run: Interpreter, leaf: Object, key: Any, frame: Frame, at: Location | None
) -> Guarded:
    """`leaf[key]` of a library's object that has a way of its own, UNSET for others."""
    known = METHODS.get(f"{leaf.type}.__getitem__")
    return (
        UNSET
        if known is None or is_lost(leaf)
        else known(Call(python, run, Arguments([key]), frame, at), leaf)
    )


def element(run: Interpreter, name: str, key: Any, at: Location | None) -> Guarded:
    """`name[key]` of a library's value; UNSET for a generic type."""
    if name == "os.environ":

        def taken(leaf: Any) -> Guarded:
            if leaf is not system.GONE:
                return leaf
            run.throw(run.make(None, "builtins.KeyError", at))
            return UNSET

        return run.over(system.once_set(run, key, system.variable(key, None, at)), taken)
    if name == "sys.argv":
        return Unknown(Why.DYNAMIC, phrase("command-line"))
    member = f"{name.rpartition('.')[2]}.{key.known}" if isinstance(key, Text) else ""
    return TypeValue(None, f"{name}.{key.known}") if member in ENUM_VALUES else UNSET


def contains(run: Interpreter, name: str, item: Any) -> Any:
    """`item in name` of a library's value."""
    if name == "os.environ":
        outside = system.variable(item, None, None)
        put = system.once_set(run, item, UNSET)
        return (
            Test("present", (outside,)) if put is UNSET else apply(lambda leaf: leaf is not system.GONE, put)
        )
    return UNSET


def is_exception(run: Interpreter, leaf: Any, kind: TypeValue | None, written: str) -> bool | None:
    """Whether a handler for a type takes what was thrown; None where nobody knows."""
    if kind is None or kind.name in ("builtins.Exception", "builtins.BaseException"):
        return True
    if isinstance(leaf, Object):
        found = is_instance(run, leaf, kind)
        return found if type(found) is bool else None
    of = leaf.type if isinstance(leaf, Unknown) else leaf
    if not isinstance(of, TypeValue):
        return None
    above = [of.name if "." in of.name else f"builtins.{of.name}"]
    if of.declared is not None:
        from subdrift.linter.resolve.semantics.python.classes import info_of, is_subclass

        info = info_of(run, of.declared)
        above = info.library if info is not None else []
        if is_subclass(run, of.declared, kind.declared or kind.name):
            return True
    if any(below(each, kind.name) for each in above):
        return True
    return False if all(map(is_own, above)) else None


def become(run: Interpreter, made: Object, above: str) -> None:
    """What an object is by a library class its own class extends."""
    if above in ("builtins.list", "collections.deque", "builtins.set"):
        made.items = made.items or []
    elif above in (
        "builtins.dict",
        "collections.OrderedDict",
        "collections.defaultdict",
    ):
        made.entries = made.entries or []


def _is_something(value: Guarded) -> bool:
    return isinstance(value, Text | int | float | tuple | Object)


def _thrown(call: Call, leaf: Object) -> Guarded:
    """`generator.throw(error)`: an error, or the class of one."""
    error = call.get(1, default=None) or call.get(0)
    if isinstance(error, TypeValue):
        error = call.python.call(call.run, error, Arguments([]), call.frame, call.at)
    if not lazies.thrown_into(call.run, leaf, error):
        return _sent(leaf)
    if call.run.guard is False:
        return UNSET
    return FUNCTIONS["builtins.next"](Call(call.python, call.run, Arguments([leaf]), call.frame, call.at))


def _sent(leaf: Object) -> Unknown:
    """What a generator gives for a value it is sent: its body was run without one, so that nobody knows."""
    leaf.open = leaf.open or Unknown(Why.UNSUPPORTED, "send()")
    return leaf.open


def initialise(
    python: Python,
    run: Interpreter,
    made: Object,
    above: str,
    arguments: Arguments,
    frame: Frame,
    at: Location | None,
) -> None:
    """What the constructor of a library class does to an object whose class extends it."""
    given = Call(python, run, arguments, frame, at)
    maker = consumer_maker(above)
    if maker is not None:
        if made.client is None:
            consumers.become(given, made, maker)
    elif below(above, "builtins.BaseException"):
        example = builtins.exception(given, above)
        made.fields.update(example.fields)
    elif made.entries is not None and above.rpartition(".")[2] in ("dict", "OrderedDict"):
        for value in arguments.values:
            containers.update(run, made, value, given.items)
        for name, value in arguments.names.items():
            put(made, text(name), value, run.guard)
    elif made.items is not None and arguments.values and above != "builtins.tuple":
        made.items = list(given.items(arguments.values[0]) or ())
    elif above in FUNCTIONS and made.items is None and made.entries is None:
        example = FUNCTIONS[above](given)
        if isinstance(example, Object) and example.type == above:
            made.fields.update(example.fields)
            made.open = made.open or example.open


__all__ = [
    "BUILTINS",
    "FUNCTIONS",
    "METHODS",
    "STANDARD",
    "Text",
    "apply",
    "call",
    "constant",
    "is_exception",
    "is_instance",
    "method",
]

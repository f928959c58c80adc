"""The Java library on abstract values: where a call goes when no declared method answers it.

Texts are in `texts`, collections and streams in `collections`; here are construction, static calls, conversions,
wrappers that hold one value (`Optional`, `AtomicReference`, `StringBuilder`), threads, and what is not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute import clients
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.deferred import parts, told
from subdrift.linter.resolve.execute.exceptions import may_throw
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    apply,
    both,
    either,
    ite,
    leaves,
    negate,
    pick,
    under,
)
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import (
    Effect,
    Unknowns,
)
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    Bound,
    Entry,
    Frame,
    Function,
    Gap,
    Guarded,
    Key,
    LibraryConstant,
    Object,
    Single,
    Step,
    Text,
    TypeValue,
    Unknown,
    join,
    text,
)
from subdrift.linter.resolve.semantics.jvm import (
    consumers,
    copying,
    documents,
    elements,
    lists,
    maps,
    modelled,
    order,
    readers,
    streams,
    views,
)
from subdrift.linter.resolve.semantics.jvm.calls import (
    PEERS,
    Call,
    Given,
    at_of,
    call_of,
    call_peer,
    peer,
    static,
)
from subdrift.linter.resolve.semantics.jvm.collections import (
    ARRAY_MAX,
    LISTS,
    MAPS,
    array,
    collection_method,
    copy_items,
    each_item,
    items,
    new_list,
    new_map,
    once,
)
from subdrift.linter.resolve.semantics.jvm.elements import at, set_at, size
from subdrift.linter.resolve.semantics.jvm.natives import codes, hocon, injection, reflection, switches, trees
from subdrift.linter.resolve.semantics.jvm.natives import collections as native_collections
from subdrift.linter.resolve.semantics.jvm.natives import numbers as native_numbers
from subdrift.linter.resolve.semantics.jvm.natives import texts as native_texts
from subdrift.linter.resolve.semantics.jvm.natives.collections import characters_of, written_at
from subdrift.linter.resolve.semantics.jvm.operators import convert, equal, plain, raise_in
from subdrift.linter.resolve.semantics.jvm.order import ARRANGED, arranged, comparator_of
from subdrift.linter.resolve.semantics.jvm.texts import edited, is_plain_pattern, text_method
from subdrift.linter.resolve.semantics.jvm.views import ENTRY, entry_part

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

_CHANGING = frozenset(
    {
        "next", "nextInt", "nextLong", "nextBoolean", "nextDouble", "nextLine", "readLine", "read", "random", "randomUUID",
        "currentTimeMillis", "nanoTime", "now", "poll", "take", "hasNext", "hasNextLine", "receive", "incrementAndGet",
        "getAndIncrement", "compareAndSet", "getAndSet", "getAndAdd", "addAndGet", "pop", "tryLock", "isInterrupted",
        "isRunning", "isClosed", "isShutdown",
    }
)  # fmt: skip
"""Calls whose result differs from call to call."""

OF_FUNCTIONS = frozenset({"accept", "apply", "call", "get", "invoke", "run", "test"})
"""The methods of the library's functional interfaces."""

_RUN_NOW = frozenset(
    {
        "forEach",
        "ifPresent",
        "accept",
        "apply",
        "run",
        "call",
        "get",
        "computeIfAbsent",
        "execute",
        "doWith",
        "runInContext",
    }
)
"""Calls on unknown objects that run what they are handed at once."""

_FUNCTIONAL: Mapping[str, int] = {
    "Runnable": 0, "Supplier": 0, "Callable": 0, "Consumer": 1, "Function": 1, "Predicate": 1, "UnaryOperator": 1,
    "BiConsumer": 2, "BiFunction": 2, "BiPredicate": 2, "BinaryOperator": 2, "Comparator": 2, "IntFunction": 1,
    "ToIntFunction": 1, "IntConsumer": 1, "BooleanSupplier": 0, "IntSupplier": 0, "IntPredicate": 1, "IntUnaryOperator": 1,
    "MessageListenerConcurrently": 2, "MessageListenerOrderly": 2, "MessageListener": 1,
}  # fmt: skip

_PARENTS: Mapping[str, str] = {
    "NullPointerException": "RuntimeException", "IllegalArgumentException": "RuntimeException",
    "IllegalStateException": "RuntimeException", "NumberFormatException": "IllegalArgumentException",
    "IndexOutOfBoundsException": "RuntimeException", "ArrayIndexOutOfBoundsException": "IndexOutOfBoundsException",
    "StringIndexOutOfBoundsException": "IndexOutOfBoundsException", "ClassCastException": "RuntimeException",
    "NoSuchElementException": "RuntimeException", "UnsupportedOperationException": "RuntimeException",
    "ArithmeticException": "RuntimeException", "InputMismatchException": "NoSuchElementException",
    "ConcurrentModificationException": "RuntimeException", "DateTimeException": "RuntimeException",
    "RuntimeException": "Exception", "IOException": "Exception", "InterruptedException": "Exception",
    "TimeoutException": "Exception", "ExecutionException": "Exception", "MQClientException": "Exception",
    "ReflectiveOperationException": "Exception", "FileNotFoundException": "IOException",
    "CloneNotSupportedException": "Exception", "CancellationException": "IllegalStateException",
    **dict.fromkeys(("ClassNotFoundException", "InvocationTargetException", "NoSuchMethodException", "NoSuchFieldException",
                     "InstantiationException", "IllegalAccessException"), "ReflectiveOperationException"),
    "JsonMappingException": "JsonProcessingException", "JsonProcessingException": "IOException",
    "JsonSyntaxException": "JsonParseException", "JsonParseException": "RuntimeException", "YAMLException": "RuntimeException",
    "UncheckedIOException": "RuntimeException", "MissingResourceException": "RuntimeException",
    "Exception": "Throwable", "Error": "Throwable", "AssertionError": "Error", "StackOverflowError": "Error",
}  # fmt: skip


# -- types ----------------------------------------------------------------------------------------------------------


_THROWN = ("Exception", "Error", "Throwable")
"""How what is thrown is called: to make one throws nothing."""


_PACKAGES: Mapping[str, str] = {
    **dict.fromkeys(("NoSuchElementException", "InputMismatchException", "ConcurrentModificationException",
                     "MissingResourceException"), "java.util"),
    **dict.fromkeys(("IOException", "FileNotFoundException", "UncheckedIOException"), "java.io"),
    **dict.fromkeys(("TimeoutException", "ExecutionException", "CancellationException"), "java.util.concurrent"),
    "InvocationTargetException": "java.lang.reflect", "DateTimeException": "java.time",
    "MQClientException": "org.apache.rocketmq.client.exception",
    **dict.fromkeys(("JsonMappingException", "JsonProcessingException", "JsonSyntaxException", "JsonParseException",
                     "YAMLException"), ""),
}  # fmt: skip
"""The packages of exceptions that are not of `java.lang`; "" where there are several."""


def throwable_is(name: str, above: str) -> bool:
    """Whether an exception of the library is one of another kind."""
    current: str | None = name.rpartition(".")[2]
    while current is not None:
        if current == above:
            return True
        current = _PARENTS.get(current)
    return False


def is_a(leaf: Object, name: str) -> int:
    """How well a library object fits a type of this simple name: -1 not at all."""
    simple = leaf.type.rpartition(".")[2]
    if simple == name or name == "Object":
        return 5
    if leaf.entries is not None:
        return 3 if name in MAPS else -1
    if leaf.items is not None:
        if leaf.type == "[]":
            return 4 if name == "[]" else -1
        if name in ("Collection", "Iterable"):
            return 3
        is_set = views.shape_of(leaf) == "set"
        return 3 if name in LISTS and ("Set" in name) == is_set else -1
    if simple.endswith(("Exception", "Error")):
        unseen = simple not in _PARENTS and name in ("Throwable", "Exception")
        return 3 if throwable_is(simple, name) or unseen else -1
    if leaf.client is not None:
        return 2 if name.endswith(("Consumer", "Builder")) else -1
    return 0 if name not in ("String", "Integer", "int", "long", "boolean", "Map", "List", "Set") else -1


def functional(name: str, arity: int, declared: Class | None, run: Interpreter) -> int:
    """How well a function of so many parameters fits a type."""
    if name in _FUNCTIONAL:
        return 5 if arity in (-1, _FUNCTIONAL[name]) else -1
    if declared is not None:
        if not declared.is_interface:
            return -1
        counts = {
            method.arity
            for each in run.scope.supers(declared)
            for methods in each.methods.values()
            for method in methods
            if method.abstract
        }
        return (5 if arity in counts or arity == -1 else -1) if counts else 0
    return 0 if name[:1].isupper() and name not in ("List", "Map", "Set", "Integer", "Boolean") else -1


def changes(name: str) -> bool:
    """Whether a call may give another result each time."""
    return name in _CHANGING


def is_fresh(name: str) -> bool:
    """Whether a call makes a value that no other call makes."""
    return "random" in name.lower() or "uuid" in name.lower()


def become(made: Object, above: str) -> None:
    """An object of a declared class that extends a library's collection holds what that holds."""
    simple = above.rpartition(".")[2]
    if simple in MAPS and made.entries is None:
        made.entries, made.fields[views.KIND] = [], simple
    elif simple in LISTS and simple not in ("Iterable", "Collection") and made.items is None:
        made.items, made.fields[views.KIND] = [], simple


def order_by_use(made: Object, values: Sequence[Guarded]) -> None:
    """`new LinkedHashMap<>(size, load, true)`: its entries stand in the order of their last use."""
    if made.entries is not None and len(values) == 3 and values[2] is not False:
        made.fields[views.BY_USE if values[2] is True else views.UNORDERED] = True


def constant(owner: str, member: str) -> Guarded:
    """Constants of the Java library that matter to texts and conditions."""
    key = (owner.rpartition(".")[2], member)
    return _CONSTANTS.get(key, UNSET)


ENUMERATIONS = frozenset(
    {"java.time.DayOfWeek", "java.time.Month", "java.time.temporal.ChronoUnit", "java.math.RoundingMode",
     "java.nio.file.StandardOpenOption", "java.lang.Thread.State", "java.lang.annotation.ElementType",
     "java.lang.annotation.RetentionPolicy", "java.time.format.FormatStyle", "java.util.Locale.Category"}
)  # fmt: skip
"""Enumerations of the Java library that no model declares: the text of a constant is its name."""


_DAYS = ("SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY")

_CONSTANTS: Mapping[tuple[str, str], Guarded] = {
    **{("Calendar", name): number for number, name in enumerate(_DAYS, 1)},
    ("Integer", "SIZE"): 32,
    ("Integer", "BYTES"): 4,
    ("Long", "SIZE"): 64,
    ("Long", "BYTES"): 8,
    ("Integer", "MAX_VALUE"): 2147483647,
    ("Int", "MAX_VALUE"): 2147483647,
    ("Int", "MIN_VALUE"): -2147483648,
    ("Integer", "MIN_VALUE"): -2147483648,
    ("Long", "MAX_VALUE"): 9223372036854775807,
    ("Long", "MIN_VALUE"): -9223372036854775808,
    ("Short", "MAX_VALUE"): 32767,
    ("Short", "MIN_VALUE"): -32768,
    ("Byte", "MAX_VALUE"): 127,
    ("Byte", "MIN_VALUE"): -128,
    ("Boolean", "TRUE"): True,
    ("Boolean", "FALSE"): False,
    ("File", "separator"): text("/"),
}


# -- construction ---------------------------------------------------------------------------------------------------


def _sorted_by(
    run: Interpreter, made: Object, values: Sequence[Guarded], frame: Frame, place: Location
) -> Object:
    """A new collection in its own order; a comparator given to it decides that."""
    if made.type not in ARRANGED:
        return made
    given = next((each for each in values if comparator_of(each)), None)
    java = run.semantics(frame) if frame.owner is not None else None
    call = Call(java, run, made, "<init>", [], frame, place)  # type: ignore[arg-type]
    if given is not None:
        order.sort_by(call, made, given)
    if java is not None and (made.items or made.entries):
        arranged(call, made)
    return made


def _filled_map(run: Interpreter, kind: str, values: Sequence[Guarded], place: Location) -> Object:
    made = new_map(run, kind, place)
    first = values[0] if values else None
    if type(first) is int and order.is_table(made):
        order.allocate(made, first)
    elif kind == "LinkedHashMap":
        order_by_use(made, values)
    if kind == "Hashtable":
        made.fields[views.UNORDERED] = True
    if isinstance(first, Object) and first.entries is not None:
        views.refresh(first)
        order.prepare(made, len(first.entries))
        made.entries = [Entry(e.guard, e.key, e.value) for e in first.entries]
        made.open = first.open
    elif isinstance(first, Unknown):
        made.open = first
    return made


def _filled_list(
    run: Interpreter, kind: str, values: Sequence[Guarded], place: Location, frame: Frame
) -> Object:
    made = new_list(run, kind, place)
    first = values[0] if values else None
    if isinstance(first, int):
        if order.is_table(made):
            order.allocate(made, first)
        return made
    if not values or (kind in ARRANGED and comparator_of(first)):
        return made
    found = copy_items(run, first, frame)
    made.items = found or []
    if found is None:
        made.open = first if isinstance(first, Unknown) else Unknown(Why.DYNAMIC, phrase("collection"))
    elif views.shape_of(made) == "set":
        if order.is_table(made):
            order.allocate(made, max(int(len(made.items) / 0.75) + 1, 16))
        made.items = once(made.items)
    return made


def _made_text(values: Sequence[Guarded]) -> Guarded:
    """`new String(…)`: of characters, of bytes in an encoding, of a part of them."""
    if not values:
        return text("")
    whole = characters_of(values[0])
    bounds = [each for each in values[1:3] if type(each) is int]
    if len(bounds) < 2:
        return whole
    start, count = bounds
    if not isinstance(whole, Text) or whole.known is None or start + count > len(whole.known):
        return Unknown(Why.DYNAMIC, "String")
    return text(whole.known[start : start + count], whole.steps, frame=whole.frame)


def construct(
    run: Interpreter, name: str, ref: ir.TypeRef, arguments: Arguments, place: Location, frame: Frame
) -> Guarded:
    """`new T(…)` of a class whose source is not here."""
    simple = name.rpartition(".")[2]
    values = arguments.values
    if simple in MAPS:
        return _sorted_by(run, _filled_map(run, simple, values, place), values, frame, place)
    if simple in LISTS:
        return _sorted_by(run, _filled_list(run, simple, values, place, frame), values, frame, place)
    made = run.make(None, name, place)
    made.fields["<arguments>"] = tuple(values)
    if simple == "String":
        return _made_text(values)
    if simple in ("StringBuilder", "StringBuffer"):
        _builder(made, values)
    elif simple == "CountDownLatch" and values:
        made.fields["count"] = values[0]
    elif simple in ("Thread",):
        made.fields["task"] = next((v for v in values if not _is_name(v)), None)
        made.fields["<super>"] = tuple(values)
    elif simple == "FilterExpression":
        made.fields["expression"] = values[0] if values else None
        made.fields["type"] = values[1] if len(values) > 1 else text("TAG")
    elif simple == "MessageQueue" and values:
        made.fields["topic"] = values[0]
    elif simple in (
        "SimpleEntry",
        "SimpleImmutableEntry",
        "Pair",
        "ImmutablePair",
        "AbstractMap.SimpleEntry",
    ):
        made.fields["key"], made.fields["value"] = (*values, None, None)[:2]
    elif simple in readers.SOURCES and values and readers.open_source(made, values[0]):
        pass
    elif simple in ("ClassPathResource", "File", "FileInputStream", "InputStreamReader", "BufferedReader",
                    "FileReader", "FileSystemResource", "BufferedInputStream"):  # fmt: skip
        made.fields["path"] = _path_of(values[0]) if values else None
    elif simple in ("AnnotationConfigApplicationContext", "SpringApplication"):
        pass
    else:
        unknown = Unknown(Why.DYNAMIC, phrase("new", simple))
        run.havoc("<init>", unknown, None, arguments, throws=not simple.endswith(_THROWN))
    return made


def _is_name(value: Guarded) -> bool:
    return isinstance(value, Text)


def _path_of(value: Guarded) -> Guarded:
    return value.fields.get("path") if isinstance(value, Object) else value


def _builder(made: Object, values: list[Guarded]) -> None:
    first = values[0] if values else text("")
    made.fields["text"] = first if not isinstance(first, int) else text("")


# -- static calls ---------------------------------------------------------------------------------------------------


def is_static(owner: str, name: str, count: int) -> bool:
    """Whether a method reference `Owner::name` to a library means a static method."""
    return PEERS.find(owner.rpartition(".")[2], name) is not None or (
        owner.rpartition(".")[2] in ("Integer", "Boolean", "Long") and name.startswith(("parse", "valueOf"))
    )


_LANGUAGE = frozenset(
    {"String", "Integer", "Long", "Boolean", "Double", "Character", "Math", "System", "Objects"}
)
"""Classes whose names no project takes for its own."""


def static_call(
    java: Java, run: Interpreter, owner: str, name: str, arguments: Arguments, frame: Frame, place_at: ir.At
) -> Guarded:
    """`Owner.name(…)` of a class whose source is not here."""
    place = run.place(frame, place_at)
    factory = clients.java_factory(name, owner, len(arguments.values))
    if factory is not None:
        return consumers.from_factory(run, factory, arguments, place, frame)
    simple = owner.rpartition(".")[2]
    peer = PEERS.find(simple, name)
    if peer is not None:
        found = call_peer(Call(java, run, None, name, arguments.values, frame, place), peer)
        if found is not NotImplemented:
            own = frame.owner is None or not frame.owner.file.model
            if own and owner not in _LANGUAGE and run.scope.is_absent(owner):
                run.needed.add(owner)  # a class of the project may have the name of a library's
            return found
    if simple == "ClientServiceProvider" or (name == "loadService" and not arguments.values):
        return Unknown(Why.DYNAMIC, "provider", ("provider",), TypeValue(None, owner))
    if simple in ("LoggerFactory", "LogManager", "Logger"):
        return Unknown(Why.DYNAMIC, phrase("logger"), ("logger",))
    for value in arguments.values:
        _hand_over(run, value, name, frame, place)
    copying.fill(java, run, owner, name, arguments.values)
    symbols = tuple(symbol_of(value) for value in arguments.values)
    symbol: object = ("static", owner, name, symbols)
    if None in symbols or changes(name) or name.startswith("new"):
        symbol = None
    elif is_fresh(name):
        symbol = ("fresh", run.unique())
    unknown = run.unknown(Why.DYNAMIC, f"{simple}.{asked(name, arguments)}", frame, place_at, symbol=symbol)
    return run.havoc(name, by_class_literal(unknown, arguments), None, arguments)


ASKED_MAX = 80
"""Characters of an argument that a reason names."""


def asked(name: str, arguments: Arguments) -> str:
    """A call as a reason names it, with its first argument where that is a short text: the key of a setting, most often."""
    first = arguments.values[0] if arguments.values else None
    known = first.known if isinstance(first, Text) else None
    if known is None or not 0 < len(known) <= ASKED_MAX or not known.isprintable():
        return f"{name}()"
    return f'{name}("{known}")'


def by_class_literal(result: Unknown, arguments: Arguments) -> Unknown:
    """What a call gives that is told a class, `fromJson(text, Order.class)`: an object of that class, as far as what it is
    taken for allows."""
    named = [each for each in arguments.values if isinstance(each, TypeValue) and each.declared is not None]
    if len(named) != 1:
        return result
    only = named[0]
    return replace(result, type=TypeValue(only.declared, only.name, only.args, guessed=True))


def _hand_over(run: Interpreter, value: Guarded, name: str, frame: Frame | None, place: Location) -> None:
    """A function handed to code nobody can see into."""
    if name in _RUN_NOW:
        whether = run.runs_it(name, (value,))
        for guard, leaf in leaves(value, both(run.guard, whether)):
            if isinstance(leaf, Function | Bound) and guard is not False:
                before, run.guard = run.guard, guard
                run.call(leaf, Arguments([]), frame, place)
                run.guard = either(run.guard, both(before, negate(guard)))
        return
    if type(value) is not Bound or run.brief:  # else `havoc` runs it
        run.defer(value)
    for _, leaf in leaves(value, run.guard):
        if isinstance(leaf, Object) and leaf.client is not None:
            leaf.client.escaped = True
        if isinstance(leaf, Object) and leaf.declared is not None:
            leaf.handed = leaf.handed or bool(run.scope.library_supers(leaf.declared))


@static("System", "getenv")
def _getenv(call: Call) -> Guarded:
    if not call.args:
        made = call.run.make(None, "Environment", call.place)
        return made
    return apply(lambda leaf: variable(call.run, leaf, None, "env", call.place), call.args[0])


SYSTEM_PROPERTIES = "system properties"
"""In the heap of a run: what the program has set, by name; UNSET where it has not."""


@static("System", "getProperty")
def _get_property(call: Call) -> Guarded:
    default = call.args[1] if len(call.args) > 1 else UNSET
    name = call.args[0].known if isinstance(call.args[0], Text) else None
    put = call.run.heap.get(SYSTEM_PROPERTIES, {}).get(name, UNSET)
    if put is UNSET:
        return _from_outside(call, default)
    if all(leaf is not UNSET for _, leaf in leaves(put, call.run.guard)):
        return under(put, call.run.guard)
    outside = _from_outside(call, default)
    return apply(lambda leaf, other: other if leaf is UNSET else leaf, put, outside)


def _from_outside(call: Call, default: Guarded) -> Guarded:
    if default is UNSET:
        return apply(lambda leaf: variable(call.run, leaf, None, "system", call.place), call.args[0])
    return apply(
        lambda leaf, other: variable(call.run, leaf, other, "system", call.place), call.args[0], default
    )


def variable(run: Interpreter, name: Any, default: Any, kind: str, place: Location) -> Any:
    """A text taken from the environment, with the default a program gives where it is not set."""
    if not isinstance(name, Text) or name.known is None:
        why = name.why if isinstance(name, Unknown) else Why.DYNAMIC
        return Unknown(why, phrase("environment-variable"))
    run_default = default if isinstance(default, Text) else None
    step = Step(place, f"{'environment variable' if kind == 'env' else 'system property'} {name.known}")
    return Text((Key(name, run_default, kind),), (step,))


@static("System", "setProperty", "clearProperty", effect=Effect.MUTATES_RECEIVER)
def _set_property(call: Call) -> Guarded:
    name = call.args[0].known if isinstance(call.args[0], Text) else None
    if name is not None:
        known: dict[str, Guarded] = call.run.heap.setdefault(SYSTEM_PROPERTIES, {})
        value = call.args[1] if call.name == "setProperty" else UNSET
        known[name] = ite(call.run.guard, value, known.get(name, UNSET))
    return None


@static("System", "exit", effect=Effect.MAY_RAISE)
def _exit(call: Call) -> Guarded:
    call.run.guard = False
    return None


MOCKED = "mocked"
"""In the heap of a run: the classes whose static methods a test has replaced."""


@static("Mockito|PowerMockito", "mockStatic", effect=Effect.MUTATES_ARGUMENT)
def _mock_static(call: Call) -> Guarded:
    for _, leaf in leaves(call.args[0]):
        if isinstance(leaf, TypeValue) and leaf.declared is not None:
            call.run.heap.setdefault(MOCKED, set()).add(leaf.declared)
    return NotImplemented


@static("ConfigProvider", "getConfig")
def _microprofile(call: Call) -> Guarded:
    return _configuration("ConfigProvider.getConfig()", "org.eclipse.microprofile.config.Config")


@static("ConfigService", "getAppConfig")
def _apollo(call: Call) -> Guarded:
    return _configuration("ConfigService.getAppConfig()", "com.ctrip.framework.apollo.Config")


def _configuration(shown: str, name: str) -> Guarded:
    return Unknown(Why.DYNAMIC, shown, ("injected", name), TypeValue(None, name))


@static("System", "lineSeparator")
def _line_separator(call: Call) -> Guarded:
    return text("\n")


@static("Binder", "get")
def _binder(call: Call) -> Guarded:
    return call.run.make(None, "Binder", call.place)


@static("Bindable", "of", "listOf", "setOf", "mapOf")
def _bindable(call: Call) -> Guarded:
    from subdrift.linter.resolve.semantics.jvm import beans

    found = beans.bindable(call.run, call.name, Arguments(call.args), call.place)
    return Unknown(Why.DYNAMIC, "Bindable") if found is UNSET else found


@static("MessageSelector", "byTag", "bySql")
def _selector(call: Call) -> Guarded:
    made = call.run.make(None, "MessageSelector", call.place)
    made.fields["expression"] = call.args[0]
    made.fields["type"] = text("SQL92" if call.name == "bySql" else "TAG")
    return made


@static("ClientConfiguration", "newBuilder")
def _client_configuration(call: Call) -> Guarded:
    return call.run.make(None, "ClientConfiguration", call.place)


@static(
    "Executors|ThreadPoolExecutor",
    "newFixedThreadPool",
    "newSingleThreadExecutor",
    "newCachedThreadPool",
    "newScheduledThreadPool",
    "newSingleThreadScheduledExecutor",
    "newVirtualThreadPerTaskExecutor",
)
def _executor(call: Call) -> Guarded:
    return call.run.make(None, "ExecutorService", call.place)


@static("Thread", "startVirtualThread", effect=Effect.STARTS_ARGUMENT)
def _virtual_thread(call: Call) -> Guarded:
    return _run_task(call, call.args[0])


def _run_task(call: Call, task: Guarded) -> Guarded:
    """A task that another thread runs: the future of what it gives. What it throws is told to who asks for that."""
    run = call.run
    before, raised = run.guard, len(run.raised)
    value = call.invoke(task)
    failed = run.guard is False and before is not False
    if failed:
        value = run.raised[raised][1]
        del run.raised[raised:]
        run.guard = before
    name = "failedFuture" if failed else "completedFuture"
    return modelled.static_call(
        call.java, run, "java.util.concurrent.CompletableFuture", name, [value], call.frame, call.place
    )


@static("Comparator", "comparing", "naturalOrder", "reverseOrder", "comparingInt", "comparingLong", "comparingDouble",
         "nullsFirst", "nullsLast")  # fmt: skip
@static("Collections", "reverseOrder")
@static("Entry|Map.Entry", "comparingByKey", "comparingByValue")
def _comparator(call: Call) -> Guarded:
    made = call.run.make(None, "Comparator", call.place)
    first = call.args[0] if call.args else None
    if (
        isinstance(first, Object)
        and first.type == "Comparator"
        and call.name in ("nullsFirst", "nullsLast", "reverseOrder")
    ):
        made.fields.update(first.fields)
        made.fields["nulls last"] = call.name == "nullsLast"
        if call.name == "reverseOrder":
            return _comparator_method(
                Call(call.java, call.run, first, "reversed", [], call.frame, call.place), first
            )
        return made
    if call.name.startswith("comparingBy"):
        part = call.name.removeprefix("comparingBy").lower()
        made.fields["key"] = Bound(TypeValue(None, "java.util.Map.Entry"), f"get{part.title()}", call.frame)
        inner = first
    else:
        made.fields["key"] = first
        inner = call.args[1] if len(call.args) > 1 else None
    made.fields["reverse"] = call.name == "reverseOrder"
    if inner is None:
        return made
    plain_one = isinstance(inner, Object) and inner.type == "Comparator" and inner.fields.get("key") is None
    if not plain_one or inner.fields.get("then") is not None:
        return Unknown(Why.DYNAMIC, f"{call.name}()")
    made.fields["reverse"] = inner.fields.get("reverse")
    return made


_COLLECTORS = (
    "toList", "toSet", "joining", "toMap", "groupingBy", "toUnmodifiableList", "toCollection", "counting", "mapping",
    "partitioningBy", "toUnmodifiableSet", "toConcurrentMap", "toUnmodifiableMap", "filtering", "collectingAndThen",
    "reducing", "summingInt", "summingLong", "flatMapping", "maxBy", "minBy", "averagingInt",
    "averagingLong", "teeing", "summarizingInt", "summarizingLong",
)  # fmt: skip


@static("Collectors", *_COLLECTORS, effect=Effect.CALLS_ARGUMENT)
def _collector(call: Call) -> Guarded:
    made = call.run.make(None, "Collector", call.place)
    made.fields["kind"] = text(call.name)
    made.fields["arguments"] = tuple(call.args)
    return made


@static("PropertiesUtil|PropUtil", "load")
def _load_properties(call: Call) -> Guarded:
    made = modelled.construct(call.java, call.run, "java.util.Properties", call.frame, call.place)
    if isinstance(made, Object):
        documents.load(call, made, call.args[0])
    return made


@static("ClassLoader", "getSystemResourceAsStream")
@static("ResourceUtil", "getStream")
def _resource(call: Call) -> Guarded:
    return documents.resource(call.run, call.args[0], call.place)


@static("Predicate", "not", effect=Effect.CALLS_ARGUMENT)
def _predicate_not(call: Call) -> Guarded:
    return compose(call.run, call.args[0], "negate", Arguments([]), call.frame, call.place)


@static("BinaryOperator", "maxBy", "minBy", effect=Effect.CALLS_ARGUMENT)
def _extreme_by(call: Call) -> Guarded:
    comparator, of_max = call.args[0], call.name == "maxBy"

    def native(run: Interpreter, inner: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        one, other = Given(inner.values).first(2)
        told = run.over(
            comparator,
            lambda leaf: call.java.call_method(
                run, leaf, "compare", Arguments([one, other]), call.frame, (1, 1, 1, 1)
            ),
        )
        if type(told) is not int:
            return Unknown(Why.DYNAMIC, f"{call.name}()")
        return one if (told >= 0 if of_max else told <= 0) else other

    return Function((), (), None, call.name, native=native)


@static("Predicate", "isEqual")
def _predicate_equal(call: Call) -> Guarded:
    def native(run: Interpreter, inner: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        return apply(equal, call.args[0], Given(inner.values)[0])

    return Function((), (), None, call.name, native=native)


@static("Instant|LocalDate|LocalDateTime|UUID|ZonedDateTime", "now", "randomUUID", unknowns=Unknowns.FRESH)
def _moment(call: Call) -> Guarded:
    return Unknown(Why.DYNAMIC, call.name, ("fresh", call.run.unique()))


# -- calls on values ------------------------------------------------------------------------------------------------


def method(
    java: Java, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, place: Location
) -> Guarded:
    """`leaf.name(…)` on a value of the library."""
    call = Call(java, run, leaf, name, arguments.values, frame, place)
    if isinstance(leaf, Text):
        return text_call(call, leaf, arguments)
    if isinstance(leaf, bool | int | float | Test):
        return _number_method(call, leaf)
    if isinstance(leaf, LibraryConstant):
        return _constant_method(call, leaf)
    if isinstance(leaf, Object):
        return _on_object(call, leaf, arguments)
    return Unknown(Why.UNSUPPORTED, name)


def text_call(call: Call, leaf: Text, arguments: Arguments) -> Guarded:
    """A method of a text: what it gives, with the arrays and streams that Java makes of it."""
    run, name, values, place = call.run, call.name, arguments.values, call.place
    first = values[0] if values else None
    if name == "getBytes":
        return leaf  # bytes are only ever read as a text again
    if name == "repeat" and type(first) is int and first < 0:
        raise_in(run, "IllegalArgumentException", text(f"count is negative: {first}"))
        return UNSET
    if leaf.known is not None and _is_outside_of(leaf.known, name, values) and not run.stand_in:
        raise_in(run, "StringIndexOutOfBoundsException")
        return UNSET
    if name == "getClass" and not leaf.char:
        return TypeValue(None, "String")
    if name == "toCharArray" and leaf.known is not None:
        return array(run, [text(char, leaf.steps, char=True, frame=leaf.frame) for char in leaf.known], place)
    if name == "transform" and len(values) == 1 and isinstance(first, Function | Bound):
        return call.invoke(first, leaf)
    if name in ("chars", "lines", "codePoints"):
        return _text_stream(call, leaf)
    if name == "split" and leaf.known is None and len(values) == 1:
        taken = _split_later(run, leaf, first, place)
        if taken is not None:
            return taken
    found = apply(lambda *args: text_method(call.java, run, leaf, name, list(args)), *values)
    if found is NotImplemented or found is UNSET:
        known = told(run, leaf, place)
        if known is not None and known is not leaf:

            def of_known(each: Any) -> Guarded:
                same = each is leaf
                return _opaque_call(run, leaf, name, arguments) if same else text_call(call, each, arguments)

            return run.over(known, of_known)
        found = _opaque_call(run, leaf, name, arguments)
    if isinstance(found, tuple):
        return array(run, list(found), place)
    return apply(lambda each: array(run, list(each), place) if isinstance(each, tuple) else each, found)


def _constant_method(call: Call, leaf: LibraryConstant) -> Guarded:
    name, frame = call.name, call.frame
    if name == "name" and frame is not None and frame.owner is not None and frame.owner.file.model:
        return text(leaf.name)  # a model asks for a word of its library
    if name in ("name", "toString"):
        return call.java.shown(call.run, leaf)
    if name == "equals" and call.args:
        return apply(lambda other: equal(leaf, other), call.args[0])
    operands = tuple(map(symbol_of, call.args))
    mark = None if None in operands else ("constant", leaf.owner, leaf.name, name, *operands)
    return Unknown(Why.DYNAMIC, f"{leaf.name}.{name}()", mark, needs=frozenset({leaf.owner}))


def _on_object(call: Call, leaf: Object, arguments: Arguments) -> Guarded:
    java, run, name, frame, place = call.java, call.run, call.name, call.frame, call.place
    found = _wrapper_method(call, leaf)
    if found is NotImplemented:
        found = collection_method(call, leaf)
    if found is NotImplemented:
        found = object_method(java, run, leaf, name, arguments, frame, place)
        if found is UNSET:
            found = NotImplemented
    if found is not NotImplemented:
        return found
    factory = clients.java_factory(name, leaf.type, len(arguments.values))
    if factory is not None:
        return consumers.from_factory(run, factory, arguments, place, frame)
    for value in arguments.values:
        _hand_over(run, value, name, frame, place)
    return _unmodelled(call, leaf, arguments)


def _unmodelled(call: Call, leaf: Object, arguments: Arguments) -> Guarded:
    """A method that nothing is known of: a name may say that it sets or gets a field, or builds."""
    run, name, values = call.run, call.name, arguments.values
    is_modelled = leaf.items is not None or leaf.entries is not None or "text" in leaf.fields
    is_modelled = is_modelled or views.is_entry(leaf) or leaf.type.rpartition(".")[2] in _OBJECTS
    writes = not _READS.match(name)
    reason = Unknown(Why.DYNAMIC, f"{name}()")
    if views.BY_USE in leaf.fields:
        leaf.fields[views.UNORDERED] = True
    receiver = leaf if is_modelled or (writes and leaf.declared) else None
    kept = run.havoc(name, reason, receiver, arguments, reads=not writes)
    if writes and not is_modelled and not run.brief:
        run.hand_over((leaf,), reason)
        run.defer(leaf)
    field = name[3:4].lower() + name[4:]
    if name.startswith("set") and len(values) == 1:
        before = leaf.fields.get(field, Unknown(Why.DYNAMIC, field))
        leaf.fields[field] = pick(run.guard, values[0], before)
        return leaf
    if name.startswith("get") and not values and field in leaf.fields:
        return under(leaf.fields[field], run.guard)
    if name in ("build", "builder"):
        return leaf
    if kept is not reason:
        return kept
    symbols = tuple(symbol_of(value) for value in values)
    unsure = None in symbols or changes(name)
    symbol = None if unsure else ("call", ("object", leaf.number), name, symbols)
    return Unknown(Why.DYNAMIC, f"{leaf.type.rpartition('.')[2]}.{name}()", symbol)


def _is_outside_of(known: str, name: str, given: Sequence[Guarded]) -> bool:
    """Whether a method of a text is asked for characters that it does not have."""
    if (
        not given
        or name not in ("charAt", "substring", "subSequence")
        or any(type(one) is not int for one in given)
    ):
        return False
    if name == "charAt":
        return not 0 <= given[0] < len(known)
    start, end = given[0], given[1] if len(given) > 1 else len(known)
    return not 0 <= start <= end <= len(known)


_READS = re.compile(
    r"(?!\w+(?:Or(?:Put|Add|Create|Insert)|And[A-Z]))"
    r"(?:get|is|has|contains|to|equals|hash|size|count|peek|first|last|head|tail|floor|ceiling|lower|higher)"
)
"""Methods of collections whose names say that they change nothing."""


def _split_later(run: Interpreter, leaf: Text, separator: Guarded, place: Location | None) -> Object | None:
    """The array that `split` makes of a text with keys: its length differs by environment."""
    pattern = separator.known if isinstance(separator, Text) else None
    if (
        not pattern
        or any(not isinstance(part, str | Key) for part in leaf.parts)
        or not is_plain_pattern(pattern)
    ):
        return None
    found = parts(run, leaf, pattern, place)
    if found is None:
        return None
    made = array(run, [], place)
    made.items = list(found)
    return made


def _text_stream(call: Call, leaf: Text) -> Guarded:
    known = leaf.known
    made = new_list(call.run, "Stream", call.place)
    if known is None:
        made.open = Unknown(Why.DYNAMIC, phrase("text"))
    elif call.name == "lines":
        made.items = [(True, text(line)) for line in known.splitlines()]
    else:
        made.items = [(True, ord(char)) for char in known]
    return made


_NO_TEXT = frozenset(
    {
        "compareTo", "compareToIgnoreCase", "hashCode", "length", "indexOf", "lastIndexOf", "codePointAt", "split", "lines",
        "chars", "codePoints", "toCharArray", "stream", "iterator", "takeIf", "takeUnless",
    }
)  # fmt: skip
"""Methods of texts that give none, and no truth value either."""


def _opaque_call(run: Interpreter, leaf: Text, name: str, arguments: Arguments) -> Guarded:
    symbols = (symbol_of(leaf), *(symbol_of(value) for value in arguments.values))
    symbol = None if None in symbols else ("text", name, *symbols)
    gap = next((part for part in leaf.parts if isinstance(part, Gap)), None)
    if name in (
        "equals",
        "equalsIgnoreCase",
        "startsWith",
        "endsWith",
        "contains",
        "isEmpty",
        "isBlank",
        "matches",
    ):
        return Test("true", (Unknown(Why.DYNAMIC, f"{name}()", symbol),))
    if name in _NO_TEXT or name.endswith("OrNull"):
        return Unknown(Why.DYNAMIC, f"{name}()", symbol)
    key = next((part for part in leaf.parts if isinstance(part, Key)), None)
    if (
        gap is None and key is None and leaf.known is not None
    ):  # a method that is not modelled may refuse a text
        may_throw(run, Unknown(Why.DYNAMIC, f"{name}()", symbol))
    detail = gap.detail if gap else (key.key.known or "") if key else f"{name}()"
    return Text((Gap(gap.why if gap else Why.DYNAMIC, detail, symbol),), leaf.steps)


def _number_method(call: Call, leaf: Any) -> Guarded:
    match call.name:
        case "toString":
            return call.java.shown(call.run, leaf)
        case "equals":
            return apply(lambda other: equal(leaf, other), call.args[0])
        case "intValue" | "longValue" | "booleanValue" | "shortValue" | "byteValue":
            return convert(leaf, call.name.removesuffix("Value"))
        case "doubleValue" | "floatValue":
            return float(leaf) if isinstance(leaf, int | float) else leaf
        case "compareTo" | "compare":
            return apply(lambda other: _compared(leaf, other), call.args[0])
        case "hashCode":
            return leaf if isinstance(leaf, int) else Unknown(Why.DYNAMIC, "hashCode")
        case "getClass" if isinstance(leaf, bool | Test | float):
            kind = "Float" if type(leaf) is Single else "Double" if type(leaf) is float else "Boolean"
            return TypeValue(None, f"java.lang.{kind}")
        case "getClass":  # of an Integer, or of a Long
            return Unknown(Why.DYNAMIC, "getClass()", ("class of", leaf))
    return Unknown(Why.DYNAMIC, f"{call.name}()")


def _compared(one: Any, other: Any) -> Any:
    return (one > other) - (one < other) if isinstance(other, int) else Unknown(Why.DYNAMIC, "compareTo")


def _wrapper_method(call: Call, leaf: Object) -> Guarded:
    simple = leaf.type.rpartition(".")[2]
    handler = _OBJECTS.get(simple)
    return handler(call, leaf) if handler is not None else NotImplemented


ObjectHandler = Callable[[Call, Object], Guarded]
_OBJECTS: dict[str, ObjectHandler] = {}


def runs_tasks(leaf: Object) -> bool:
    """Whether an object of the library runs what it is given."""
    return _OBJECTS.get(leaf.type.rpartition(".")[2]) is _executor_method


def models(name: str) -> bool:
    """Whether objects of a type of that simple name have a behaviour here, and the package does not say whose it is."""
    simple = name.rpartition(".")[2]
    return not name.startswith(("java.", "javax.")) and (
        simple in _OBJECTS or simple in MAPS or simple in LISTS
    )


def _object(*names: str) -> Callable[[ObjectHandler], ObjectHandler]:
    def add(handler: ObjectHandler) -> ObjectHandler:
        for name in names:
            _OBJECTS[name] = handler
        return handler

    return add


@_object("StringBuilder", "StringBuffer")
def _string_builder(call: Call, leaf: Object) -> Guarded:
    run, args = call.run, call.args
    old = leaf.fields.get("text", text(""))
    match call.name:
        case "append" if args:
            return _write(call, leaf, _appended(call, old))
        case "insert" if len(args) == 2:
            return _write(call, leaf, apply(lambda *each: _inserted(call, *each), old, *args))
        case "reverse" | "setLength" | "deleteCharAt" | "delete" | "replace" | "setCharAt":
            return _write(call, leaf, apply(lambda *each: _edited(call, *each), old, *args))
        case "toString":
            return under(old, run.guard)
        case "length" | "isEmpty" | "charAt" | "indexOf" | "lastIndexOf" | "substring":

            def asked(one: Any, *rest: Any) -> Any:
                if isinstance(one, Text):
                    return text_method(call.java, run, one, call.name, list(rest))
                return Unknown(one.why, f"{one.detail}.{call.name}()")

            return apply(asked, old, *args)
    return NotImplemented


def _write(call: Call, leaf: Object, value: Guarded) -> Object:
    leaf.fields["text"] = pick(call.run.guard, value, leaf.fields.get("text", UNSET))
    return leaf


def _appended(call: Call, old: Guarded) -> Guarded:
    run, args = call.run, list(call.args)
    if len(args) == 3 and all(type(each) is int for each in args[1:]):
        if not isinstance(args[0], Text):
            return Text((Gap(Why.UNSUPPORTED, "append"),))
        part = call.renamed("substring", *args[1:])
        args = [text_call(part, args[0], Arguments(args[1:]))]
    return apply(lambda *each: run.wrote(join([call.java.shown(run, one) for one in each])), old, *args)


def _inserted(call: Call, so_far: Any, index: Any, value: Any) -> Any:
    run, shown = call.run, call.java.shown
    if isinstance(so_far, Text) and index == 0:
        return run.wrote(join([shown(run, value), so_far]))
    known = so_far.known if isinstance(so_far, Text) else None
    if known is not None and isinstance(index, int) and 0 <= index <= len(known):
        return run.wrote(join([text(known[:index]), shown(run, value), text(known[index:], so_far.steps)]))
    return run.due(Text((Gap(Why.DYNAMIC, "insert"),)), so_far, value, index)


def _edited(call: Call, so_far: Any, *rest: Any) -> Any:
    known = so_far.known if isinstance(so_far, Text) else None
    if known is None or not all(isinstance(r, int | Text) for r in rest):
        return call.run.due(Text((Gap(Why.DYNAMIC, call.name),)), so_far, *rest)
    result = edited(known, call.name, [r.known if isinstance(r, Text) else r for r in rest])
    if result is None:
        return Text((Gap(Why.DYNAMIC, call.name),))
    return call.run.wrote(join([text(result, so_far.steps)]))


@_object(*readers.SOURCES)
def _reader(call: Call, leaf: Object) -> Guarded:
    return readers.reader_method(call, leaf)


@_object("Thread")
def _thread(call: Call, leaf: Object) -> Guarded:
    match call.name:
        case "setName":
            leaf.fields["<super>"] = tuple(call.args)
            return None
        case "getName":
            return _thread_name(leaf, "getName", ())
        case "start" | "run":
            task = leaf.fields.get("task")
            if task is not None:
                own = Bound(task, "run", call.frame)
                if call.name == "run":
                    call.run.call(own, Arguments([]), call.frame, call.place)
                else:
                    call.run.later.append((call.run.guard, own, Arguments([])))
            return None
        case "join":
            drain(call.run)
            return None
        case "interrupt" | "stop":
            return None
    return None if call.name.startswith("set") else _told_by(call, leaf)


@_object("Binder")
def _bound_by(call: Call, leaf: Object) -> Guarded:
    from subdrift.linter.resolve.semantics.jvm import beans

    found: Guarded = UNSET
    if call.name in ("bind", "bindOrCreate"):
        found = beans.binder(call.java, call.run, Arguments(call.args[:2]), call.frame, call.place)
    if found is UNSET:
        return NotImplemented
    return found.fields["value"] if call.name == "bindOrCreate" and isinstance(found, Object) else found


@_object("CountDownLatch")
def _latch(call: Call, leaf: Object) -> Guarded:
    count = leaf.fields.get("count")
    match call.name:
        case "countDown":
            less = apply(
                lambda n: max(n - 1, 0) if isinstance(n, int) else Unknown(Why.DYNAMIC, phrase("counter")),
                count,
            )
            leaf.fields["count"] = pick(call.run.guard, less, count)
            return None
        case "getCount":
            drain(call.run)
            return leaf.fields.get("count")
        case "await":
            drain(call.run)
            return True if call.args else None
    return NotImplemented


def _told_by(call: Call, leaf: Object) -> Unknown:
    """What a method says that is not followed."""
    return Unknown(
        Why.DYNAMIC, f"{leaf.type.rpartition('.')[2]}.{call.name}()", ("of", leaf.number, call.name)
    )


@_object("ExecutorService", "ScheduledExecutorService", "ThreadPoolExecutor", "ThreadPoolTaskExecutor", "ForkJoinPool",
         "ScheduledThreadPoolExecutor", "Executor", "Timer")  # fmt: skip
def _executor_method(call: Call, leaf: Object) -> Guarded:
    match call.name:
        case (
            "submit" | "execute" | "schedule" | "scheduleAtFixedRate" | "scheduleWithFixedDelay" | "invokeAll"
        ):
            if call.name != "invokeAll":
                return _run_task(call, call.args[0])
            started = [
                _run_task(call, item)
                for _, item in items(call.java, call.run, call.args[0], call.frame) or ()
            ]
            made = new_list(call.run, "ArrayList", call.place)
            made.items = [(True, one) for one in started]
            return made
        case "shutdown" | "close" | "cancel" | "purge" | "initialize":
            return None
    return None if call.name.startswith("set") else _told_by(call, leaf)


def drain(run: Interpreter) -> None:
    """Runs what was handed to threads and libraries so far, then what that has handed to them, and so on."""
    left = DEFERRED_MAX
    for _ in range(HANDED_ON_MAX):
        if not run.later:
            return
        together, run.later = run.later[:left], run.later[left:]
        left -= len(together)
        for guard, value, arguments in together:
            before, raised = run.guard, run.raised
            run.guard, run.raised = guard, []
            deferred(run, value, arguments)
            run.guard, run.raised = before, raised
    if run.later:
        run.leave_off(phrase("more-than-callbacks", DEFERRED_MAX - left), None)


DEFERRED_MAX = 512
"""Callbacks handed to libraries that are run for one entry."""

HANDED_ON_MAX = 6
"""Callbacks that hand on the next one, each in its turn: what tries again in a thread of its own does so without an end."""


def deferred(run: Interpreter, value: Any, arguments: Arguments) -> None:
    """Runs one callback: a function, or the methods of an object that only a library can call."""
    if isinstance(value, Function):
        if not value.ran and run.matters(value.method, value.body):
            missing = [
                Unknown(Why.DYNAMIC, phrase("argument", param.name), ("parameter", param.name, id(value)))
                for param in value.params[len(arguments.values) :]
            ]
            given = Arguments([*arguments.values, *missing])
            if (
                value.native is not None and not value.params and not given.values
            ):  # `::name`: as many as it takes
                given = run.given([], Unknown(Why.DYNAMIC, phrase("argument", ""), ("handed", id(value))))
            run.call(value, given, None, None)
    elif isinstance(value, Bound):
        run.call(value, arguments, None, None)
    elif isinstance(value, Object) and value.declared is not None:
        callbacks(run, value)


def callbacks(run: Interpreter, made: Object) -> None:
    """The methods of an object that implement something of a library: `run`, `call`, a listener's."""
    declared = made.declared
    assert declared is not None
    found = run.scope.callbacks.get(declared)
    if found is None:
        found = run.scope.callbacks[declared] = tuple(_callbacks_of(run, declared))
    for one in found:
        if (one, made.number) in run.ran_on or one in run.circles:
            continue
        missing: list[Guarded] = [
            Unknown(Why.DYNAMIC, f"argument {param.name}", ("parameter", param.name, one.symbol))
            for param in one.decl.params
        ]
        before = run.guard
        run.invoke(one, made, Arguments(missing), None, None, made.captured)
        run.guard = before


def _callbacks_of(run: Interpreter, declared: Class) -> Iterator[Method]:
    """The methods of a class that only a library can call and that can reach a client."""
    if not run.scope.library_supers(declared):
        return
    for each in run.scope.supers(declared):
        for methods in each.methods.values():
            for one in methods:
                if one.abstract or one.decl.static or one.name == "<init>":
                    continue
                if (
                    one.annotation("Override") is None
                    and each.kind != "anonymous"
                    and one.name not in OF_FUNCTIONS
                ):
                    continue
                if run.matters(one, one.decl.body):
                    yield one


@_object("MessageSelector", "FilterExpression")
def _selector_method(call: Call, leaf: Object) -> Guarded:
    match call.name:
        case "getExpression":
            return leaf.fields.get("expression")
        case "getExpressionType" | "getFilterExpressionType":
            return leaf.fields.get("type")
    return NotImplemented


@_object("ClientConfiguration", "ClientConfigurationBuilder")
def _client_configuration_method(call: Call, leaf: Object) -> Guarded:
    """The builder keeps what a consumer is compared by; `build` gives the configuration as it is then."""
    match call.name:
        case "setNamespace" | "setEndpoints" if call.args:
            name = call.name.removeprefix("set").lower()
            leaf.fields[name] = pick(call.run.guard, call.args[0], leaf.fields.get(name))
        case "getNamespace" | "getEndpoints":
            return leaf.fields.get(call.name.removeprefix("get").lower())
        case "build":
            made = call.run.make(None, "ClientConfiguration", call.place)
            made.fields.update(leaf.fields)
            return made
    return leaf


@_object("Annotation")
def _annotation_method(call: Call, leaf: Object) -> Guarded:
    return leaf.fields.get(call.name, NotImplemented) if not call.args else NotImplemented


@_object("View")
def _view(call: Call, leaf: Object) -> Guarded:
    return consumers.view_call(call.run, leaf, call.name, Arguments(call.args), call.frame, call.place)


@_object("Environment")
def _environment(call: Call, leaf: Object) -> Guarded:
    run, place = call.run, call.place
    match call.name:
        case "get":
            return apply(lambda name: variable(run, name, None, "env", place), call.args[0])
        case "getOrDefault":
            return apply(lambda name, other: variable(run, name, other, "env", place), *call.args.first(2))
        case "containsKey":
            return apply(
                lambda name: Test("present", (variable(run, name, None, "env", place),)), call.args[0]
            )
    return NotImplemented


@_object("InputStream", "ClassPathResource", "FileSystemResource", "URL")
def _opened_file(call: Call, leaf: Object) -> Guarded:
    """A file that is named: what is opened of it is of the same file."""
    match call.name:
        case "close" | "reset" | "mark" | "skip":
            return None
        case "getInputStream" | "openStream" | "getFile" | "toURI" | "getURL":
            return leaf
        case "exists" | "isReadable":
            path = leaf.fields.get(documents.PATH)
            known = path.known if isinstance(path, Text) else None
            there = known is not None and documents.entries_of(call.run, known, call.place) is not None
            return True if there else NotImplemented
        case "getPath" | "getFilename":
            return leaf.fields.get(documents.PATH) if call.name == "getPath" else NotImplemented
    return NotImplemented


@_object("Comparator")
def _comparator_method(call: Call, leaf: Object) -> Guarded:
    if call.name == "compare" and len(call.args) == 2:
        return order.compared(call, leaf, *call.args)
    made = call.run.make(None, "Comparator", call.place)
    made.fields.update(leaf.fields)
    if call.name == "reversed":
        made.fields["reverse"] = not leaf.fields.get("reverse")
        inner = leaf.fields.get("then")
        if isinstance(inner, Object):
            made.fields["then"] = _comparator_method(call, inner)
        return made
    if call.name.startswith("thenComparing") and len(call.args) in (1, 2):
        following = call.args[0]
        if len(call.args) == 2:
            following = _comparator(
                Call(call.java, call.run, None, "comparing", call.args, call.frame, call.place)
            )
        if not isinstance(following, Object):
            key, following = following, call.run.make(None, "Comparator", call.place)
            following.fields["key"] = key
        inner = leaf.fields.get("then")
        if isinstance(inner, Object):
            made.fields["then"] = _comparator_method(call, inner)
        else:
            made.fields["then"] = following
        return made
    return NotImplemented


@_object("Entry", "SimpleEntry", "SimpleImmutableEntry", "Pair", "ImmutablePair")
def _entry_method(call: Call, leaf: Object) -> Guarded:
    match call.name:
        case "getKey" | "getLeft" | "key" | "left":
            return under(entry_part(leaf, "key"), call.run.guard)
        case "getValue" | "getRight" | "value" | "right":
            return under(entry_part(leaf, "value"), call.run.guard)
        case "setValue":
            if views.FIXED in leaf.fields:
                return elements.fail(call, "UnsupportedOperationException")
            before = entry_part(leaf, "value")
            leaf.fields["value"] = pick(call.run.guard, call.args[0], before)
            entry = leaf.fields.get(ENTRY)
            if isinstance(entry, Entry):
                entry.value = pick(call.run.guard, call.args[0], entry.value)
            return before
    return NotImplemented


def object_method(
    java: Java, run: Interpreter, leaf: Object, name: str, arguments: Arguments, frame: Frame, place: Location
) -> Guarded:
    """What every object has, and what a declared class inherits from the library; UNSET where nothing is known."""
    call = Call(java, run, leaf, name, arguments.values, frame, place)
    found = _of_every_object(call, leaf)
    if found is UNSET and leaf.constant:
        found = _of_enum_constant(call, leaf)
    if found is UNSET:
        found = _of_throwable(call, leaf)
    return _inherited(call, leaf) if found is UNSET and leaf.declared is not None else found


def _of_every_object(call: Call, leaf: Object) -> Guarded:
    args, declared = call.args, leaf.declared
    match call.name:
        case "toString" if not args:
            return call.java.shown(call.run, leaf)
        case "equals" if len(args) == 1:
            return apply(lambda other: equal(leaf, other), args[0])
        case "clone" if not args and declared is not None and leaf.items is None and leaf.entries is None:
            return _cloned(call.run, leaf, call.place)
        case "hashCode" if not args:
            return Unknown(Why.DYNAMIC, "hashCode", ("hash", leaf.number))
        case "getClass" if not args:
            return TypeValue(declared, declared.name if declared else leaf.type)
    return UNSET


def _of_enum_constant(call: Call, leaf: Object) -> Guarded:
    run, args, declared = call.run, call.args, leaf.declared
    mine = leaf.fields.get("<ordinal>")
    match call.name:
        case "getDeclaringClass" if not args and declared is not None:
            of = next((one for one in run.scope.supers(declared) if one.kind == "enum"), declared)
            return TypeValue(of, of.name)
        case "name" if not args:
            return call.java.shown(run, leaf) if declared is None else _constant_name(leaf)
        case "ordinal" if not args:
            return mine
        case "compareTo" if len(args) == 1:

            def compared(other: Any) -> Any:
                theirs = other.fields.get("<ordinal>") if isinstance(other, Object) else None
                if isinstance(mine, int) and isinstance(theirs, int):
                    return mine - theirs
                return Unknown(Why.DYNAMIC, "compareTo")

            return apply(compared, args[0])
    return UNSET


def _of_throwable(call: Call, leaf: Object) -> Guarded:
    if call.args or (held := _thrown_with(leaf)) is None:
        return UNSET
    match call.name:
        case "getMessage" | "getLocalizedMessage":
            return _message(call.java, call.run, held)
        case "getCause":
            causes = (one for one in held if isinstance(one, Object) and _is_throwable(call.run, one))
            return next(causes, None)
    return UNSET


def _inherited(call: Call, leaf: Object) -> Guarded:
    """What a declared class has of the library's classes above it."""
    run, name, args = call.run, call.name, call.args
    assert leaf.declared is not None
    if is_thread(run, leaf):
        if name == "start":
            run.later.append((run.guard, Bound(leaf, "run", call.frame), Arguments([])))
        if name == "join":
            drain(run)
        if name in ("start", "join"):
            return None
        if name in ("getName", "setName"):
            return _thread_name(leaf, name, args)
    if name == "load" and args and leaf.entries is not None:
        documents.load(call, leaf, args[0])
        return None
    if leaf.items is not None or leaf.entries is not None:
        found = collection_method(call, leaf)
        if found is not NotImplemented:
            return found
    for each in run.scope.library_supers(leaf.declared):
        composed = _functional_default(call, leaf, each.rpartition(".")[2])
        if composed is not UNSET:
            return composed
    if name == "forEach" and args:
        found_items = items(call.java, run, leaf, call.frame)
        if found_items is not None:
            each_item(call, found_items, args[0])
            return None
    return UNSET


def _thrown_with(leaf: Object) -> tuple[Guarded, ...] | None:
    """What an exception was made with; None for what is none of the program's own."""
    for key in ("<arguments>", "<super>"):
        held = leaf.fields.get(key)
        if isinstance(held, tuple):
            return held
    return None


def _cloned(run: Interpreter, leaf: Object, place: Location) -> Guarded:
    """`Object.clone()`: another object of the class whose fields hold the same."""
    assert leaf.declared is not None
    if leaf.client is not None or leaf.open is not None or leaf.bean:
        return Unknown(Why.DYNAMIC, "clone()")
    if not any(each.rpartition(".")[2] == "Cloneable" for each in run.scope.library_supers(leaf.declared)):
        return Unknown(Why.DYNAMIC, "clone()")  # it throws, unless a class nobody sees says otherwise
    made = run.make(leaf.declared, leaf.type, place, fields=dict(leaf.fields))
    made.outer, made.captured = leaf.outer, leaf.captured
    return made


def _message(java: Java, run: Interpreter, held: tuple[Guarded, ...]) -> Guarded:
    """The message of an exception that was made with some arguments: its text, else that of its cause."""
    first = held[0] if held else None
    if first is None or isinstance(first, Text):
        return first
    shown = _thrown_text(java, run, first) if isinstance(first, Object) and len(held) == 1 else None
    return Unknown(Why.DYNAMIC, "getMessage()") if shown is None else shown


def _thrown_text(java: Java, run: Interpreter, leaf: Object) -> Text | None:
    """The text of an exception: the name of its class, and its message."""
    held = _thrown_with(leaf)
    if held is None or not _is_throwable(run, leaf):
        return None
    simple = leaf.type.rpartition(".")[2]
    if leaf.declared is not None:
        name = reflection.binary_name(leaf.declared)
        methods = [
            *run.scope.methods(leaf.declared, "getMessage", 0),
            *run.scope.methods(leaf.declared, "getLocalizedMessage", 0),
        ]
        if methods:
            return None
    elif "." in leaf.type or simple in _PACKAGES:
        package = _PACKAGES.get(simple)
        name = leaf.type if "." in leaf.type else f"{package}.{simple}" if package else ""
    else:
        name = f"java.lang.{simple}" if simple in _PARENTS or simple == "Throwable" else ""
    message = _message(java, run, held)
    if not name or not (message is None or isinstance(message, Text)):
        return None
    return text(name) if message is None else join([text(f"{name}: "), java.shown(run, message)])


def _is_throwable(run: Interpreter, leaf: Object) -> bool:
    above = run.scope.library_supers(leaf.declared) if leaf.declared is not None else (leaf.type,)
    return any(each.endswith(("Exception", "Error", "Throwable")) for each in above)


def is_thread(run: Interpreter, leaf: Object) -> bool:
    """Whether the class of an object extends `Thread`."""
    above = run.scope.library_supers(leaf.declared) if leaf.declared is not None else ()
    return any(each.rpartition(".")[2] == "Thread" for each in above)


def _thread_name(leaf: Object, name: str, args: Sequence[Guarded]) -> Guarded:
    """`getName()`, `setName(name)` of a thread: without a name of its own it gets one with a number."""
    if name == "setName":
        leaf.fields["<name>"] = args[0] if args else None
        return None
    given = [each for each in leaf.fields.get("<super>", ()) if isinstance(each, Text)]
    return leaf.fields.get("<name>", given[-1] if given else Unknown(Why.DYNAMIC, "getName()"))


def _constant_name(leaf: Object) -> Text:
    steps = (Step(leaf.at, phrase("enum-constant-named", leaf.constant)),) if leaf.at else ()
    return text(leaf.constant, steps)


def _functional_default(call: Call, leaf: Object, interface: str) -> Guarded:
    return (
        compose(call.run, leaf, call.name, Arguments(call.args), call.frame, call.place)
        if interface in _FUNCTIONAL
        else UNSET
    )


def compose(
    run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, place: Location
) -> Guarded:
    """The default methods of functional interfaces: `andThen`, `compose`, `negate`, `and`, `or`."""
    args = arguments.values
    if name not in ("andThen", "compose", "negate", "and", "or") or len(args) != (name != "negate"):
        return UNSET

    def native(run: Interpreter, inner: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        def call(function: Guarded, values: list[Guarded]) -> Guarded:
            return run.over(function, lambda each: run.call(each, Arguments(values), frame, place))

        match name:
            case "compose":
                return call(leaf, [call(args[0], inner.values)])
            case "negate":
                java = run.semantics(frame)
                return apply(lambda one: java.unary(run, "!", one), call(leaf, inner.values))
            case "and" | "or":
                first, second = call(leaf, inner.values), call(args[0], inner.values)
                assert frame.owner is not None
                a = run.guard_of(first, frame, frame.owner.decl.at)
                b = run.guard_of(second, frame, frame.owner.decl.at)
                return both(a, b) if name == "and" else either(a, b)
        first = call(leaf, inner.values)
        if isinstance(leaf, Function) and first is None and not _returns(leaf):
            return call(args[0], inner.values)  # a Consumer: both get the argument
        return call(args[0], [first])

    return Function((), (), None, name, native=native)


def _returns(leaf: Function) -> bool:
    return any(isinstance(each, ir.Return) and each.value is not None for each in leaf.body)


SHOWN = "<shown>"
"""The field of a list that stands for a range of Kotlin: the text of that."""


def object_text(java: Java, run: Interpreter, leaf: Object) -> Text | None:
    """`toString()` of library objects, None where nobody can know it."""
    simple = leaf.type.rpartition(".")[2]
    if simple in ("StringBuilder", "StringBuffer"):
        held = leaf.fields.get("text")
        return held if isinstance(held, Text) else None
    run.step()  # lists in lists are printed once for each way that leads to them
    views.refresh(leaf)
    if (stale := views.is_stale(leaf)) is not False:
        if stale is True:
            raise_in(run, "ConcurrentModificationException")
        return None
    if leaf.open is not None or (views.UNORDERED in leaf.fields and len(views.held(leaf)) > 1):
        return None
    if SHOWN in leaf.fields:
        held = leaf.fields[SHOWN]
        return held if isinstance(held, Text) else None
    if leaf.items is not None and leaf.type != "[]":
        return _listed(java, run, "[]", [(guard, (item,)) for guard, item in leaf.items], known=True)
    if leaf.entries is not None:
        return _listed(java, run, "{}", [(one.guard, (one.key, "=", one.value)) for one in leaf.entries])
    if simple in ("Entry", "SimpleEntry"):
        key, value = entry_part(leaf, "key"), entry_part(leaf, "value")
        return join([java.shown(run, key), text("="), java.shown(run, value)])
    if leaf.declared is not None and leaf.declared.kind == "record":
        names = [one.name for one in leaf.declared.decl.components or ()]
        shown = _listed(java, run, "[]", [(True, (f"{name}=", leaf.fields.get(name))) for name in names])
        return None if shown is None else join([text(leaf.declared.simple), shown])
    return _thrown_text(java, run, leaf)


def _listed(
    java: Java,
    run: Interpreter,
    brackets: str,
    rows: Sequence[tuple[Guarded, tuple[Any, ...]]],
    *,
    known: bool = False,
) -> Text | None:
    """Rows of values and the signs between them, in brackets; None where one may be missing or has no text."""
    run.work(len(rows))
    parts = [text(brackets[0])]
    for index, (guard, row) in enumerate(rows):
        if guard is not True:
            return None
        parts += [text(", ")] if index else []
        for one in row:
            if not isinstance(one, str) and not plain(one):
                return None
            shown = text(one) if isinstance(one, str) else java.shown(run, one)
            if known and shown.known is None:
                return None
            parts.append(shown)
    return join([*parts, text(brackets[1])])


def unknown_method(
    java: Java,
    run: Interpreter,
    leaf: Unknown,
    name: str,
    arguments: Arguments,
    frame: Frame,
    place: Location,
) -> Guarded:
    """What is known of a call although its receiver is not; UNSET where nothing is."""
    args = arguments.values
    full = leaf.type.name if leaf.type is not None else ""
    factory = clients.java_factory(name, full, len(args))
    if factory is None and leaf.symbol == ("provider",):
        factory = clients.java_factory(name, "ClientServiceProvider", len(args))
    if factory is not None:
        return consumers.from_factory(run, factory, arguments, place, frame)
    if name in ("getResourceAsStream", "getResource") and args:
        return documents.resource(run, args[0], place)
    call = Call(java, run, leaf, name, args, frame, place)
    for answer in (_asked_of_unknown, _elements_of_unknown, _by_unknown_type):
        found = answer(call, leaf)
        if found is not UNSET:
            return found
    if name in _RUN_NOW and args and any(isinstance(v, Function | Bound) for a in args for _, v in leaves(a)):
        for value in args:
            _hand_over(run, value, name, frame, place)
        return Unknown(leaf.why, f"{leaf.detail}.{name}()")
    return UNSET


def _asked_of_unknown(call: Call, leaf: Unknown) -> Guarded:
    """Questions that one value answers alike each time: their answers have its identity."""
    name, args, symbol = call.name, call.args, symbol_of(leaf)
    if name in ("equals", "equalsIgnoreCase", "contentEquals") and len(args) == 1:
        return apply(lambda other: equal(leaf, other), args[0])
    if symbol is None:
        return UNSET
    if name in ("isEmpty", "isBlank") and not args:
        return Test("true", (Unknown(leaf.why, leaf.detail, (">=", ("size", symbol), 1)),), True)
    if name in ("size", "length") and not args:
        return Unknown(leaf.why, leaf.detail, ("size", symbol))
    if name in ("startsWith", "endsWith", "contains", "matches", "containsKey"):
        inner = symbol_of(args[0]) if args else None
        mark = None if inner is None else (name, symbol, inner)
        return Test("true", (Unknown(leaf.why, f"{leaf.detail}.{name}()", mark),))
    return UNSET


def _elements_of_unknown(call: Call, leaf: Unknown) -> Guarded:
    run, name, args = call.run, call.name, call.args
    if name == "forEach" and args:
        for _, item in run.elements(leaf, call.frame, at_of(call.place)):
            call.invoke(args[0], item)
        return None
    if name in ("stream", "parallelStream", "iterator", "entrySet", "keySet", "values") and not args:
        made = new_list(run, "Stream" if name.endswith(("stream", "Stream")) else "List", call.place)
        made.open = leaf
        return made
    return UNSET


def _by_unknown_type(call: Call, leaf: Unknown) -> Guarded:
    """What the type of a value that nobody knows tells."""
    run, name, args = call.run, call.name, call.args
    full = leaf.type.name if leaf.type is not None else ""
    simple = leaf.type.simple if leaf.type is not None else ""
    if simple in _ENVIRONMENTS and name in _ENVIRONMENT_METHODS:
        return environment_property(call)
    if simple == "Config" and name in ("getValue", "getOptionalValue") and len(args) == 2:
        found = environment_property(call.renamed(name, args[0]))
        optional = name == "getOptionalValue"
        return modelled.optional_text(call.java, run, found, call.frame, call.place) if optional else found
    if simple == "Config" and name == "getProperty" and full.startswith("com.ctrip."):
        return environment_property(call)
    if simple in ("ExecutorService", "Executor", "ThreadPoolExecutor", "ThreadPoolTaskExecutor") and args:
        return _executor_method(call, run.make(None, simple, call.place))
    return UNSET


def forgotten(run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> Any:
    """What is left of a value that was written an unknown number of times."""
    unknown_ = run.unknown(Why.DYNAMIC, phrase("loop"), frame, at)
    if isinstance(leaf, Object):
        if leaf.type.rpartition(".")[2] in ("StringBuilder", "StringBuffer"):
            leaf.fields["text"] = Text((Gap(Why.DYNAMIC, phrase("loop")),), unknown_.steps)
        elif (
            leaf.items is not None
            or leaf.entries is not None
            or (leaf.declared is not None and leaf.declared.file.model)
        ):
            forget_contents(run, unknown_, [leaf])
        return leaf
    if isinstance(leaf, Text | int | float | Unknown) or leaf is None:
        return unknown_
    return leaf


_ENVIRONMENTS = frozenset(
    (
        "Environment",
        "ConfigurableEnvironment",
        "StandardEnvironment",
        "PropertyResolver",
        "ConfigurablePropertyResolver",
    )
)
_ENVIRONMENT_METHODS = frozenset(
    ("getProperty", "getRequiredProperty", "resolvePlaceholders", "resolveRequiredPlaceholders")
)


def environment_property(call: Call) -> Guarded:
    """Spring's `Environment`."""
    if call.name in ("resolvePlaceholders", "resolveRequiredPlaceholders"):
        return apply(
            lambda leaf: (
                Text((Key(leaf, None, "placeholders"),), leaf.steps) if isinstance(leaf, Text) else leaf
            ),
            call.args[0],
        )
    default = next((value for value in call.args[1:] if isinstance(value, Text)), None)

    def look_up(name: Any, other: Any) -> Any:
        if not isinstance(name, Text) or name.known is None:
            return Unknown(Why.DYNAMIC, phrase("configuration-key"))
        return Text((Key(name, other if isinstance(other, Text) else None),), (Step(call.place, name.known),))

    found = apply(look_up, call.args[0], default)
    asked_for = next((one.name for one in call.args[1:] if isinstance(one, TypeValue)), "")
    if not asked_for.endswith(("[]", "List", "Set", "Collection")):
        return found
    made = new_list(call.run, "List", call.place)  # taken apart as Spring converts a text
    items = parts(call.run, found, "", call.place) if isinstance(found, Text) else None
    made.items = list(items or ())
    if not items:
        made.open = Unknown(Why.DYNAMIC, phrase("list-of-configuration"))
    return made


NATIVES = (
    native_collections, native_numbers, native_texts, lists, maps, streams, codes, hocon, injection, reflection, switches,
    trees,
)  # fmt: skip
"""The modules whose native functions are declared because they are imported."""

__all__ = [
    "ARRAY_MAX",
    "Call",
    "Given",
    "array",
    "at",
    "become",
    "changes",
    "compose",
    "constant",
    "construct",
    "convert",
    "drain",
    "functional",
    "is_a",
    "is_static",
    "items",
    "method",
    "object_method",
    "object_text",
    "peer",
    "set_at",
    "size",
    "static_call",
    "throwable_is",
    "unknown_method",
    "written_at",
]  # fmt: skip

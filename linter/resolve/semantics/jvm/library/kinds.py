"""The library's types: how its exceptions descend, which interfaces are functional, what its constants are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import e, pi
from typing import TYPE_CHECKING, Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Guarded, Long, Object, Text, Unknown, join, text
from subdrift.linter.resolve.semantics.jvm import views
from subdrift.linter.resolve.semantics.jvm.calls import OBJECTS
from subdrift.linter.resolve.semantics.jvm.collections import LISTS, MAPS
from subdrift.linter.resolve.semantics.jvm.natives import reflection
from subdrift.linter.resolve.semantics.jvm.operators import plain, raise_in
from subdrift.linter.resolve.semantics.jvm.views import entry_part

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

FUNCTIONAL: Mapping[str, int] = {
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
    **dict.fromkeys(("ArrayStoreException", "NegativeArraySizeException", "SecurityException", "EmptyStackException",
                     "IllegalMonitorStateException", "RejectedExecutionException", "CompletionException",
                     "BufferOverflowException", "BufferUnderflowException", "UndeclaredThrowableException",
                     "EnumConstantNotPresentException", "TypeNotPresentException"), "RuntimeException"),
    **dict.fromkeys(("IllegalFormatException", "PatternSyntaxException", "IllegalThreadStateException",
                     "InvalidPathException", "IllegalCharsetNameException", "UnsupportedCharsetException"),
                    "IllegalArgumentException"),
    **dict.fromkeys(("IllegalFormatConversionException", "MissingFormatArgumentException",
                     "UnknownFormatConversionException", "DuplicateFormatFlagsException"), "IllegalFormatException"),
    "DateTimeParseException": "DateTimeException", "UnsupportedTemporalTypeException": "DateTimeException",
    **dict.fromkeys(("EOFException", "UnsupportedEncodingException", "CharacterCodingException", "MalformedURLException",
                     "UnknownHostException", "SocketException", "InterruptedIOException", "FileSystemException",
                     "NotSerializableException", "ZipException", "ProtocolException"), "IOException"),
    "ConnectException": "SocketException", "BindException": "SocketException",
    "SocketTimeoutException": "InterruptedIOException",
    **dict.fromkeys(("NoSuchFileException", "AccessDeniedException", "FileAlreadyExistsException"), "FileSystemException"),
    **dict.fromkeys(("ParseException", "URISyntaxException", "SQLException", "GeneralSecurityException", "NamingException",
                     "BrokenBarrierException", "PrivilegedActionException"), "Exception"),
    "NoSuchAlgorithmException": "GeneralSecurityException",
    "Exception": "Throwable", "Error": "Throwable", "AssertionError": "Error", "StackOverflowError": "Error",
}  # fmt: skip

_PACKAGES: Mapping[str, str] = {
    **dict.fromkeys(("NoSuchElementException", "InputMismatchException", "ConcurrentModificationException",
                     "MissingResourceException", "EmptyStackException", "IllegalFormatException",
                     "IllegalFormatConversionException", "MissingFormatArgumentException",
                     "UnknownFormatConversionException", "DuplicateFormatFlagsException"), "java.util"),
    **dict.fromkeys(("IOException", "FileNotFoundException", "UncheckedIOException", "EOFException", "InterruptedIOException",
                     "UnsupportedEncodingException", "NotSerializableException"), "java.io"),
    **dict.fromkeys(("TimeoutException", "ExecutionException", "CancellationException", "RejectedExecutionException",
                     "CompletionException", "BrokenBarrierException"), "java.util.concurrent"),
    **dict.fromkeys(("MalformedURLException", "UnknownHostException", "SocketException", "ConnectException", "BindException",
                     "SocketTimeoutException", "ProtocolException", "URISyntaxException"), "java.net"),
    **dict.fromkeys(("NoSuchFileException", "AccessDeniedException", "FileAlreadyExistsException", "FileSystemException",
                     "InvalidPathException"), "java.nio.file"),
    **dict.fromkeys(("CharacterCodingException", "IllegalCharsetNameException", "UnsupportedCharsetException"),
                    "java.nio.charset"),
    **dict.fromkeys(("BufferOverflowException", "BufferUnderflowException"), "java.nio"),
    **dict.fromkeys(("GeneralSecurityException", "NoSuchAlgorithmException", "PrivilegedActionException"), "java.security"),
    "DateTimeParseException": "java.time.format", "UnsupportedTemporalTypeException": "java.time.temporal",
    "ParseException": "java.text", "SQLException": "java.sql", "NamingException": "javax.naming",
    "ZipException": "java.util.zip", "PatternSyntaxException": "java.util.regex",
    "UndeclaredThrowableException": "java.lang.reflect",
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


BUILDERS = frozenset({"StringBuilder", "StringBuffer"})


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
    if simple in BUILDERS:
        return 4 if name in ("CharSequence", "Appendable", "Comparable", "Serializable") else -1
    return 0 if name not in ("String", "Integer", "int", "long", "boolean", "Map", "List", "Set") else -1


def of_these(above: Sequence[str], name: str, full: object) -> int:
    """How well an object of a class below some of the library fits a type: -1 not at all."""
    if full in above or any(each.endswith(f".{name}") for each in above):
        return 4
    if name in ("Collection", "Iterable") and any(each.rpartition(".")[2] in LISTS for each in above):
        return 3
    return 0 if above and name not in ("[]", "String") else -1


def functional(name: str, arity: int, declared: Class | None, run: Interpreter) -> int:
    """How well a function of so many parameters fits a type."""
    if name in FUNCTIONAL:
        return 5 if arity in (-1, FUNCTIONAL[name]) else -1
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
    if made.fields.get(views.KIND) == simple and (simple in _INTERFACES or simple.startswith("Abstract")):
        made.open = Unknown(Why.DYNAMIC, phrase("collection"))  # its methods say what it holds


_INTERFACES = frozenset(
    {"List", "Set", "Map", "SortedSet", "SortedMap", "NavigableSet", "NavigableMap", "Queue", "Deque", "BlockingQueue",
     "MutableList", "MutableSet", "MutableMap", "ConcurrentMap"}
)  # fmt: skip


def constant(owner: str, member: str) -> Guarded:
    """Constants of the Java library that matter to texts and conditions."""
    key = (owner.rpartition(".")[2], member)
    return _CONSTANTS.get(key, UNSET)


ENUMERATIONS = frozenset(
    {"java.time.DayOfWeek", "java.time.Month",
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
    ("Long", "MAX_VALUE"): Long(9223372036854775807),
    ("Long", "MIN_VALUE"): Long(-9223372036854775808),
    ("Short", "MAX_VALUE"): 32767,
    ("Short", "MIN_VALUE"): -32768,
    ("Byte", "MAX_VALUE"): 127,
    ("Byte", "MIN_VALUE"): -128,
    **{(kind, "NaN"): float("nan") for kind in ("Double", "Float")},
    **{(kind, "POSITIVE_INFINITY"): float("inf") for kind in ("Double", "Float")},
    **{(kind, "NEGATIVE_INFINITY"): float("-inf") for kind in ("Double", "Float")},
    ("Math", "PI"): pi,
    ("Math", "E"): e,
    ("Character", "MAX_VALUE"): text("\uffff", char=True),
    ("Character", "MIN_VALUE"): text("\0", char=True),
    ("Boolean", "TRUE"): True,
    ("Boolean", "FALSE"): False,
    ("File", "separator"): text("/"),
}


def models(name: str) -> bool:
    """Whether objects of a type of that simple name have a behaviour here, and the package does not say whose it is."""
    simple = name.rpartition(".")[2]
    return not name.startswith(("java.", "javax.")) and (
        simple in OBJECTS or simple in MAPS or simple in LISTS
    )


def thrown_with(leaf: Object) -> tuple[Guarded, ...] | None:
    """What an exception was made with; None for what is none of the program's own."""
    for key in ("<arguments>", "<super>"):
        held = leaf.fields.get(key)
        if isinstance(held, tuple):
            return held
    return None


def thrown_message(java: Java, run: Interpreter, held: tuple[Guarded, ...]) -> Guarded:
    """The message of an exception that was made with some arguments: its text, else that of its cause."""
    first = held[0] if held else None
    if first is None or isinstance(first, Text):
        return first
    shown = _thrown_text(java, run, first) if isinstance(first, Object) and len(held) == 1 else None
    return Unknown(Why.DYNAMIC, "getMessage()") if shown is None else shown


def _thrown_text(java: Java, run: Interpreter, leaf: Object) -> Text | None:
    """The text of an exception: the name of its class, and its message."""
    held = thrown_with(leaf)
    if held is None or not is_throwable(run, leaf):
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
    message = thrown_message(java, run, held)
    if not name or not (message is None or isinstance(message, Text)):
        return None
    return text(name) if message is None else join([text(f"{name}: "), java.shown(run, message)])


def is_throwable(run: Interpreter, leaf: Object) -> bool:
    above = run.scope.library_supers(leaf.declared) if leaf.declared is not None else (leaf.type,)
    return any(each.endswith(("Exception", "Error", "Throwable")) for each in above)


SHOWN = "<shown>"
"""The field of a list that stands for a range of Kotlin: the text of that."""


def object_text(java: Java, run: Interpreter, leaf: Object) -> Text | None:
    """`toString()` of library objects, None where nobody can know it."""
    simple = leaf.type.rpartition(".")[2]
    run.step()  # lists in lists are printed once for each way that leads to them
    views.refresh(leaf)
    if (stale := views.is_stale(leaf)) is not False:
        if stale is True:
            raise_in(run, "ConcurrentModificationException")
        return None
    if SHOWN in leaf.fields:
        held = leaf.fields[SHOWN]
        return held if isinstance(held, Text) else None
    if leaf.open is not None or (views.UNORDERED in leaf.fields and len(views.held(leaf)) > 1):
        return None
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

"""Which types values are of; the collections of `java.util` as reflection lists them in a JDK 17."""

from __future__ import annotations

from typing import Any, Final

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import Frame, Long, Object, Single, Text, TypeValue, Unknown
from subdrift.linter.resolve.semantics.jvm import views
from subdrift.linter.resolve.semantics.jvm.casts import FINAL
from subdrift.linter.resolve.semantics.jvm.library import kinds

_CLASSES: Final = """
ArrayList: AbstractCollection AbstractList Cloneable Collection Iterable List RandomAccess Serializable
LinkedList: AbstractCollection AbstractList AbstractSequentialList Cloneable Collection Deque Iterable List Queue Serializable
HashSet: AbstractCollection AbstractSet Cloneable Collection Iterable Serializable Set
LinkedHashSet: AbstractCollection AbstractSet Cloneable Collection HashSet Iterable Serializable Set
TreeSet: AbstractCollection AbstractSet Cloneable Collection Iterable NavigableSet Serializable Set SortedSet
CopyOnWriteArrayList: Cloneable Collection Iterable List RandomAccess Serializable
Vector: AbstractCollection AbstractList Cloneable Collection Iterable List RandomAccess Serializable
Stack: AbstractCollection AbstractList Cloneable Collection Iterable List RandomAccess Serializable Vector
ArrayDeque: AbstractCollection Cloneable Collection Deque Iterable Queue Serializable
ConcurrentLinkedQueue: AbstractCollection AbstractQueue Collection Iterable Queue Serializable
LinkedBlockingQueue: AbstractCollection AbstractQueue BlockingQueue Collection Iterable Queue Serializable
CopyOnWriteArraySet: AbstractCollection AbstractSet Collection Iterable Serializable Set
PriorityQueue: AbstractCollection AbstractQueue Collection Iterable Queue Serializable
ConcurrentSkipListSet: AbstractCollection AbstractSet Cloneable Collection Iterable NavigableSet Serializable Set SortedSet
ConcurrentLinkedDeque: AbstractCollection Collection Deque Iterable Queue Serializable
ArrayBlockingQueue: AbstractCollection AbstractQueue BlockingQueue Collection Iterable Queue Serializable
PriorityBlockingQueue: AbstractCollection AbstractQueue BlockingQueue Collection Iterable Queue Serializable
LinkedBlockingDeque: AbstractCollection AbstractQueue BlockingDeque BlockingQueue Collection Deque Iterable Queue Serializable
HashMap: AbstractMap Cloneable Map Serializable
LinkedHashMap: AbstractMap Cloneable HashMap Map Serializable
TreeMap: AbstractMap Cloneable Map NavigableMap Serializable SortedMap
ConcurrentHashMap: AbstractMap ConcurrentMap Map Serializable
Hashtable: Cloneable Dictionary Map Serializable
EnumMap: AbstractMap Cloneable Map Serializable
Properties: Cloneable Dictionary Hashtable Map Serializable
IdentityHashMap: AbstractMap Cloneable Map Serializable
WeakHashMap: AbstractMap Map
ConcurrentSkipListMap: AbstractMap Cloneable ConcurrentMap ConcurrentNavigableMap Map NavigableMap Serializable SortedMap
"""
_INTERFACES: Final = """
List: Collection Iterable
Set: Collection Iterable
Deque: Collection Iterable Queue
Queue: Collection Iterable
Collection: Iterable
BlockingQueue: Collection Iterable Queue
SortedSet: Collection Iterable Set
NavigableSet: Collection Iterable Set SortedSet
AbstractList: AbstractCollection Collection Iterable List
EnumSet: AbstractCollection AbstractSet Cloneable Collection Iterable Serializable Set
Map:
ConcurrentMap: Map
SortedMap: Map
NavigableMap: Map SortedMap
AbstractMap: Map
"""


def _read(table: str) -> dict[str, frozenset[str]]:
    rows = (line.partition(":") for line in table.strip().splitlines())
    return {name.strip(): frozenset(above.split()) for name, _, above in rows}


_MADE: Final = _read(_CLASSES)
_ABOVE: Final = _MADE | _read(_INTERFACES)
"""Simple names -> those of the types above."""
_KNOWN: Final = frozenset(_ABOVE).union(*_ABOVE.values())


def is_instance(leaf: Object, name: str) -> bool | None:
    """Whether an object of the library is of a type of this simple name; None where nobody knows: a `List` may be an
    `ArrayList`, and may be `Serializable`."""
    kind = views.kind_of(leaf)
    if name in ("Object", kind):
        return True
    is_collection = leaf.items is not None or leaf.entries is not None
    if not is_collection or kind in ("[]", "Stream") or name not in _KNOWN:
        fit = kinds.is_a(leaf, name)
        return fit > 0 if fit > 0 or name not in _OF_MANY else _is_of_many(leaf, kind, name, fit)
    above = _ABOVE.get(kind)
    if above is None:
        shape = views.shape_of(leaf).capitalize()
        above = frozenset({"Map"} if leaf.entries is not None else {"Collection", "Iterable", shape})
    if name in above:
        return True
    if kind in _MADE:
        return False
    return None if name not in _ABOVE or not _apart({kind, *above}, {name, *_ABOVE[name]}) else False


def _apart(mine: set[str], others: set[str]) -> bool:
    """Whether no class is of types of both kinds."""
    return ("Map" in mine) != ("Map" in others) or {"List", "Set"} <= mine | others


_OF_MANY: Final = frozenset({"Cloneable", "Comparable", "Enum", "Number", "Record", "Serializable"})
"""Types that classes of the library have which no model says."""


def _is_of_many(leaf: Object, kind: str, name: str, fit: int) -> bool | None:
    if kind == "[]":
        return name in ("Cloneable", "Serializable")
    if leaf.declared is not None and not leaf.declared.file.model:  # by itself, and not by what it extends
        if name == "Record":
            return leaf.declared.kind == "record"
        return bool(leaf.constant) and name in ("Comparable", "Enum", "Serializable")
    return None if fit == 0 or name in ("Cloneable", "Serializable") else False


def is_of(run: Interpreter, leaf: Any, type_: ir.TypeRef, frame: Frame) -> bool | Test:
    """Whether a value is of a type."""
    named = run.type_named(type_.name, frame)
    if leaf is None:
        return False
    if isinstance(leaf, Object) and leaf.declared is not None and isinstance(named, Class):
        return run.scope.is_a(leaf.declared, named)
    simple = type_.name.rpartition(".")[2]
    if isinstance(leaf, Object) and leaf.declared is not None and isinstance(named, str):
        above = {each.rpartition(".")[2] for each in run.scope.library_supers(leaf.declared)}
        if simple in above:
            return True
        if above - _ALONE and simple not in ("Object", *FINAL) and kinds.is_a(leaf, simple) <= 0:
            return Test(
                "true",
                (Unknown(Why.DYNAMIC, phrase("instanceof", type_.name), ("is", leaf.number, simple)),),
            )
    if isinstance(leaf, Text):
        return (
            simple in (("Character",) if leaf.char else ("String", "CharSequence"))
            or simple in _OF_ALL_VALUES
        )
    if isinstance(leaf, TypeValue) and not leaf.guessed:
        return simple in (
            "Class",
            "Type",
            "AnnotatedElement",
            "GenericDeclaration",
            "Serializable",
            "Object",
        )
    if isinstance(leaf, bool):
        return simple == "Boolean" or simple in _OF_ALL_VALUES
    if isinstance(leaf, int | float):
        return simple in (_BOXES[type(leaf)], "Number") or simple in _OF_ALL_VALUES
    if isinstance(leaf, Object):
        if simple == "[]" and views.PRIMITIVE in leaf.fields and type_.args:
            return bool(type_.args[0].name == leaf.fields[views.PRIMITIVE])
        found = is_instance(leaf, simple)
        if found is not None:
            return found
        unsure = Unknown(Why.DYNAMIC, phrase("instanceof", type_.name), ("is", leaf.number, simple))
        return Test("true", (unsure,))
    if isinstance(leaf, Unknown) and leaf.symbol is not None:
        return Test("true", (Unknown(leaf.why, leaf.detail, ("is", leaf.symbol, type_.name)),))
    return Test("true", (Unknown(Why.DYNAMIC, phrase("instanceof", type_.name)),))


_BOXES = {int: "Integer", Long: "Long", float: "Double", Single: "Float"}
"""What a number is as an object: one that is not known to be a `long` is most often none."""

_ALONE = frozenset(
    {"Runnable", "Callable", "Supplier", "Consumer", "Function", "Predicate", "BiConsumer", "BiFunction", "Comparator",
     "Comparable", "Serializable", "Cloneable", "AutoCloseable", "Iterable", "Record", "Enum"}
)  # fmt: skip
"""Types of the library that are no other types of it."""

_OF_ALL_VALUES = frozenset({"Object", "Comparable", "Serializable", "Constable"})
"""Types that texts and numbers are of."""

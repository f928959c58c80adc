"""Classes that leave a collection of the library to another one: `class Table(rows: MutableMap<…>) : MutableMap<…> by rows`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import leaves
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import UNIT, Frame, Guarded, Object
from subdrift.linter.resolve.semantics.jvm.kotlin_library import members

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.kotlin import Kotlin

_OF_ALL = frozenset({"size", "isEmpty", "contains", "containsAll", "iterator"})
_READS = {
    "Map": frozenset({"size", "isEmpty", "get", "containsKey", "containsValue", "keys", "values", "entries"}),
    "List": _OF_ALL | {"get", "listIterator", "subList", "indexOf", "lastIndexOf"},
    "Iterable": frozenset({"iterator"}),
}
_WRITES = {
    "Map": frozenset({"put", "putAll", "remove", "clear"}),
    "List": frozenset({"add", "addAll", "remove", "removeAll", "retainAll", "clear", "set", "removeAt"}),
}
"""What Kotlin's interfaces of collections declare, which is what another one stands for; all else calls these."""

_CHANGING = frozenset(
    {"getOrPut", "putIfAbsent", "computeIfAbsent", "computeIfPresent", "compute", "merge", "removeIf", "replaceAll", "replace",
     "sort", "sortBy", "sortWith", "sortDescending", "reverse", "shuffle", "plusAssign", "minusAssign", "removeFirst",
     "removeLast", "addFirst", "addLast", "fill"}
)  # fmt: skip

OF_ITSELF = frozenset(
    {
        "toString",
        "equals",
        "hashCode",
        "getClass",
        "let",
        "also",
        "apply",
        "run",
        "takeIf",
        "takeUnless",
        "to",
    }
)
"""What an object is asked, whatever stands for its members."""

_OPERATORS = frozenset({"contains", "plusAssign", "minusAssign", "plus", "minus"})


def delegates(value: Guarded) -> bool:
    """Whether a value may be an object that leaves an interface to another one."""
    return any(isinstance(leaf, Object) and "<by>" in leaf.fields for _, leaf in leaves(value))


def _collection(leaf: Object) -> tuple[Guarded, str] | None:
    """The collection of the library that stands for the members of one that a class declares to be, with the kind of that."""
    for of, held in leaf.fields.get("<by>", ()):
        every = [each for _, each in leaves(held)]
        if not isinstance(of, Class) and all(
            isinstance(each, Object) and _is_collection(each) for each in every
        ):
            kind = str(of).rpartition(".")[2].removeprefix("Mutable")
            return held, "Map" if kind.endswith("Map") else kind
    return None


def _is_collection(leaf: Object) -> bool:
    return leaf.entries is not None or leaf.items is not None


def has_member(leaf: Object, name: str) -> bool:
    """Whether the collection that stands for an object is known to have a method."""
    found = _collection(leaf)
    return found is not None and all(members.has_member(each, name) for _, each in leaves(found[0]))


def operator(leaf: Object, name: str) -> bool:
    """Whether an operator of an object is a function of a collection that stands for it."""
    return name in _OPERATORS and _collection(leaf) is not None


def members_of(leaf: Object) -> frozenset[str]:
    """What a collection of the library answers for an object."""
    found = _collection(leaf)
    return (
        frozenset()
        if found is None
        else _READS.get(found[1], _OF_ALL) | _WRITES.get(found[1], _WRITES["List"])
    )


def member(
    kotlin: Kotlin, run: Interpreter, leaf: Object, name: str, arguments: Arguments, frame: Frame, at: ir.At
) -> Guarded:
    """A member that the class does not write itself."""
    found = _collection(leaf)
    assert found is not None
    return run.over(found[0], lambda each: kotlin.call_method(run, each, name, arguments, frame, at))


def extension(
    kotlin: Kotlin, run: Interpreter, leaf: Object, name: str, arguments: Arguments, frame: Frame, at: ir.At
) -> Guarded:
    """Any other function of the library: it calls members, of which the class may have its own."""
    found = _collection(leaf)
    assert found is not None
    assert leaf.declared is not None
    held, kind = found
    meant = _member(kind, name, arguments)
    own = _written(run, leaf.declared)
    if meant is not None and (meant[0] in own or name.endswith("Assign")):
        value = kotlin.call_method(run, leaf, *meant, frame, at)
        return UNIT if name.endswith("Assign") else value
    if not own & (members_of(leaf) if name in _CHANGING else _READS.get(kind, _OF_ALL)):
        return run.over(held, lambda each: kotlin.call_method(run, each, name, arguments, frame, at))
    unknown = run.unknown(Why.DYNAMIC, f"{name}()", frame, at)
    return run.havoc(name, unknown, held, replace(arguments, values=[leaf, *arguments.values]))


def _written(run: Interpreter, declared: Class) -> set[str]:
    """The names of what a class, or one above it, writes itself."""
    found: set[str] = set()
    for each in run.scope.supers(declared):
        found |= {name for name, every in each.methods.items() if any(not one.decl.receiver for one in every)}
        found |= {name for name, decl in each.fields.items() if decl.receiver is None}
    return found


def _member(kind: str, name: str, arguments: Arguments) -> tuple[str, Arguments] | None:
    """The member that an extension function comes to, with its arguments."""
    if len(arguments) != 1 or not arguments.values:
        return None
    one = arguments.values[0]
    many = any(isinstance(each, Object) and _is_collection(each) for _, each in leaves(one))
    if kind != "Map":
        suffix = "All" if many else ""
        by_name = {"plusAssign": f"add{suffix}", "minusAssign": f"remove{suffix}"}
        return (by_name[name], arguments) if name in by_name else None
    if name == "contains":
        return "containsKey", arguments
    if name == "minusAssign" and not many:
        return "remove", arguments
    if name == "plusAssign" and isinstance(one, Object) and "key" in one.fields:
        return "put", Arguments([one.fields["key"], one.fields["value"]])
    return None

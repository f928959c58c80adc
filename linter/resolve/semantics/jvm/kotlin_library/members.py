"""Properties of the library, and which of its types have what members."""

from __future__ import annotations

from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.guards import UNSET, under
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Guarded, LibraryConstant, Object, Text, Unknown
from subdrift.linter.resolve.semantics.jvm.calls import Call
from subdrift.linter.resolve.semantics.jvm.elements import size
from subdrift.linter.resolve.semantics.jvm.kotlin_library.values import BOUNDS, is_empty, java, numbers
from subdrift.linter.resolve.semantics.jvm.library import instances

PROPERTIES = {"keys": "keySet", "values": "values", "size": "size", "length": "length", "entries": "entrySet"}
"""Properties of collections and texts -> Java's methods."""

MEMBERS = {
    "items": frozenset({"add", "addAll", "remove", "clear", "contains", "get", "set", "removeAll", "addLast", "addFirst",
                        "removeAt", "removeFirst", "removeLast", "removeIf", "retainAll", "isEmpty", "isNotEmpty", "indexOf",
                        "first", "last", "sort", "reverse", "containsAll"}),
    "entries": frozenset({"load", "loadFromXML", "isEmpty", "isNotEmpty", "getOrPut", "getValue", "clear", "containsValue",
                          "put", "putAll", "remove", "get", "containsKey", "getOrDefault", "putIfAbsent", "set",
                          "setProperty", "getProperty", "computeIfAbsent"}),
    "StringBuilder": frozenset({"append", "insert", "appendLine", "deleteCharAt", "reverse", "setLength", "setCharAt",
                                "replace", "delete", "clear", "isEmpty", "isNotEmpty", "isBlank", "isNotBlank", "last",
                                "first", "endsWith", "startsWith", "contains", "indexOf", "lastIndexOf", "get",
                                "toString", "substring", "removeSuffix", "removePrefix", "trim", "lastOrNull",
                                "firstOrNull"}),
}  # fmt: skip
"""Methods that an implicit receiver of a library's type is known to have."""


def has_member(leaf: Any, name: str) -> bool:
    """Whether a value of the library is known to have a method."""
    if isinstance(leaf, Object):
        if leaf.items is not None:
            return name in MEMBERS["items"]
        if leaf.entries is not None:
            return name in MEMBERS["entries"]
        if leaf.declared is not None:
            return False
        return name in MEMBERS.get(leaf.type.rpartition(".")[2], ())
    return False


def property_name(method: str) -> str:
    """The property a getter's name stands for, "" for another name."""
    return method[3].lower() + method[4:] if method.startswith("get") and len(method) > 3 else ""


def property_of(call: Call, leaf: Any) -> Guarded:
    """A property of the library; NotImplemented where there is none of the name."""
    name = call.name
    if isinstance(leaf, Text):
        return _of_text(call, leaf)
    if isinstance(leaf, LibraryConstant) and name == "name":
        return call.java.shown(call.run, leaf)
    if is_empty(leaf) and name in ("length", "size"):
        return 0
    if not isinstance(leaf, Object):
        return NotImplemented
    if leaf.constant and name in ("name", "ordinal"):
        return _of_object(call, leaf, name)
    if "key" in leaf.fields and name in _PAIRS:
        return under(leaf.fields.get(_PAIRS[name]), call.run.guard)
    if leaf.items is not None or leaf.entries is not None:
        found = _of_collection(call, leaf)
        if found is not NotImplemented:
            return found
    if name == "length" and "text" in leaf.fields:
        return java(call, leaf, "length", [])
    if leaf.type == "Lazy" and name == "value":
        return lazy(call, leaf)
    if name == "message" or (name == "cause" and leaf.items is None and leaf.entries is None):
        return _of_object(call, leaf, f"get{name.title()}")
    return NotImplemented


def _of_text(call: Call, leaf: Text) -> Guarded:
    known = leaf.known
    match call.name:
        case "length":
            return java(call, leaf, "length", [])
        case "indices" if known is not None:
            return numbers(call, range(len(known)))
        case "lastIndex" if known is not None:
            return len(known) - 1
        case "code" if known and len(known) == 1:
            return ord(known)
    return NotImplemented


def _of_collection(call: Call, leaf: Object) -> Guarded:
    name = call.name
    if leaf.items is not None and name in ("indices", "lastIndex"):
        count = size(leaf)
        if isinstance(count, int):
            return count - 1 if name == "lastIndex" else numbers(call, range(count))
    if name in _OF_RANGES and leaf.items is not None:
        if BOUNDS[_OF_RANGES[name]] in leaf.fields:
            return leaf.fields[BOUNDS[_OF_RANGES[name]]]
        if leaf.items and leaf.open is None and all(guard is True for guard, _ in leaf.items):
            return leaf.items[-_OF_RANGES[name]][1]
    if name in PROPERTIES and (leaf.entries is not None or name == "size"):
        return java(call, leaf, PROPERTIES[name], [])
    return NotImplemented


def _of_object(call: Call, leaf: Object, name: str) -> Guarded:
    """What every object has; NotImplemented where nothing is known of it."""
    found = instances.object_method(call.java, call.run, leaf, name, Arguments([]), call.frame, call.place)
    return NotImplemented if found is UNSET else found


_OF_RANGES = {"start": 0, "first": 0, "endInclusive": 1, "last": 1}

_PAIRS = {"index": "key", "first": "key", "second": "value", "key": "key", "value": "value", "third": "third"}


def lazy(call: Call, leaf: Object) -> Guarded:
    """The value of `lazy { … }`: computed when it is first read."""
    run = call.run
    if "value" not in leaf.fields:
        before, raised = run.guard, run.raised
        run.guard, run.raised = True, []
        leaf.fields["value"] = Unknown(Why.CYCLE, "lazy")
        leaf.fields["value"] = call.invoke(leaf.fields["function"])
        run.guard, run.raised = before, raised
    return under(leaf.fields["value"], run.guard)

"""What an injector reads from classes (`InjectedKeys`): the model of Guice stands on it.

A key is a type and a name: the text of `@Named`, or the simple name of another annotation that qualifies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Entry,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.jvm.calls import Call, static
from subdrift.linter.resolve.semantics.jvm.natives.reflection import given_in, reflected_method, type_of

OWNER: Final = "InjectedKeys"
_PLAIN: Final = frozenset(
    {"Inject", "Nullable", "Nonnull", "NotNull", "CheckForNull", "Provides", "Singleton", "SuppressWarnings", "Deprecated",
     "ProvidesIntoSet", "Exposed", "Override", "VisibleForTesting", "LazySingleton"}
)  # fmt: skip
"""Annotations that qualify nothing."""
_SINGLE: Final = frozenset({"Singleton", "LazySingleton", "ApplicationScoped"})
_BOXES: Final = {
    "int": "Integer", "long": "Long", "boolean": "Boolean", "double": "Double", "float": "Float", "short": "Short",
    "byte": "Byte", "char": "Character",
}  # fmt: skip


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _has(marks: Sequence[ir.Annotation], *names: str) -> bool:
    return any(_last(one.name) in names for one in marks)


def _class(value: Guarded) -> Class | None:
    return value.declared if isinstance(value, TypeValue) else None


def _key(call: Call, wrapper: str, kind: Guarded, name: Guarded) -> Guarded:
    values = (text(wrapper), kind, name)
    return call.constructed("com.google.inject.Key", *values)


def _name_of(call: Call, marks: Sequence[ir.Annotation], owner: Class) -> Guarded:
    """The name that annotations of a place qualify it by; "" where none does."""
    for one in marks:
        if _last(one.name) == "Named":
            return call.run.value(one.args[0].value, call.run.frame(owner, None)) if one.args else text("")
        if _last(one.name) not in _PLAIN:
            return text(_last(one.name))
    return text("")


def _key_at(call: Call, ref: ir.TypeRef | None, marks: Sequence[ir.Annotation], owner: Class) -> Guarded:
    """The key of a field, parameter or result of a type."""
    kind = type_of(call.run, ref, owner)
    wrapper = {"Provider": "provider", "Set": "set", "Map": "map"}.get(kind.simple, "")
    if wrapper and kind.declared is not None and not kind.declared.file.model:
        wrapper = ""
    inner = ref.args[-1] if ref is not None and wrapper and ref.args else None
    if inner is not None and inner.name == "?" and inner.args:
        inner = inner.args[0]
    if inner is not None:
        kind = type_of(call.run, inner, owner)
    return _key(call, wrapper if inner is not None else "", kind, _name_of(call, marks, owner))


def _listed(call: Call, values: list[Guarded]) -> Object:
    return call.all_of("ArrayList", values)


def _keys(call: Call, method: Method) -> Object:
    params = method.decl.params
    return _listed(call, [_key_at(call, each.type, each.annotations, method.owner) for each in params])


@static(OWNER, "key")
def _key_of(call: Call) -> Guarded:
    """`key(type, annotation)`: as a module or program names it, by a class or a `Names.named(…)`."""
    kind, annotation = call.args.first(2)
    name: Guarded = text("")
    if isinstance(annotation, TypeValue):
        name = text(annotation.simple)
    elif isinstance(annotation, Object) and isinstance(annotation.fields.get("value"), Text):
        name = annotation.fields["value"]
    elif annotation is not None:
        return Unknown(Why.DYNAMIC, "key")
    if isinstance(kind, Object) and kind.declared is not None and kind.declared.kind == "anonymous":
        args = kind.declared.decl.supers[0].args if kind.declared.decl.supers else ()
        near = kind.captured.owner if kind.captured is not None else kind.declared
        if args and near is not None:
            return _key_at(call, args[0], (), near)
    return _key(call, "", kind, name)


@static(OWNER, "id")
def _id(call: Call) -> Guarded:
    """The text a type is compared by."""
    kind = call.args[0]
    if not isinstance(kind, TypeValue):
        return Unknown(Why.DYNAMIC, "key")
    return text(_BOXES.get(kind.simple, kind.name if kind.declared is not None else kind.simple))


@static(OWNER, "kind")
def _kind(call: Call) -> Guarded:
    """The type of a constant."""
    value = call.args[0]
    name = {bool: "Boolean", int: "Integer", float: "Double", Text: "String"}.get(type(value))
    if isinstance(value, TypeValue):
        name = "Class"
    if isinstance(value, Object) and value.constant and value.declared is not None:
        return TypeValue(value.declared, value.declared.name)
    return TypeValue(None, name) if name else Unknown(Why.DYNAMIC, "constant")


@static(OWNER, "isSeen")
def _is_seen(call: Call) -> Guarded:
    """Whether all of a module is in sight."""
    leaf = call.args[0]
    seen = isinstance(leaf, Function) or (isinstance(leaf, Object) and leaf.declared is not None)
    if not seen and call.run.certain:
        call.run.needed |= call.run.gathered((leaf,))
    return seen and not (isinstance(leaf, Object) and call.run.absent_above(leaf.declared))


def _declared(call: Call) -> Class | None:
    leaf = call.args[0]
    return leaf.declared if isinstance(leaf, Object | TypeValue) else None


def _methods(call: Call, declared: Class, *marks: str) -> list[Method]:
    return [
        method
        for owner in call.run.scope.supers(declared)
        for name, methods in owner.methods.items()
        for method in methods
        if name != "<init>" and _has(method.decl.annotations, *marks)
    ]


@static(OWNER, "provided")
def _provided(call: Call) -> Guarded:
    """The methods of a module that provide something, by the keys of what that is."""
    made, declared = call.table("LinkedHashMap"), _declared(call)
    for method in _methods(call, declared, "Provides", "ProvidesIntoSet") if declared is not None else ():
        decl = method.decl
        key = _key_at(call, decl.returns, decl.annotations, method.owner)
        if _has(decl.annotations, "ProvidesIntoSet") and isinstance(key, Object):
            key.fields["wrapper"] = text("into set")
        made.entries = [*(made.entries or ()), Entry(True, key, reflected_method(call, method))]
    return made


@static(OWNER, "parameters")
def _parameters(call: Call) -> Guarded:
    code = call.args[0].fields.get("code") if isinstance(call.args[0], Object) else None
    if not isinstance(code, Function) or code.method is None:
        return Unknown(Why.DYNAMIC, "key")
    return _keys(call, code.method)


@static(OWNER, "isSingle")
def _is_single(call: Call) -> Guarded:
    """Whether there is one object for all of a class, or of what a method provides."""
    leaf = call.args[0]
    code = leaf.fields.get("code") if isinstance(leaf, Object) else None
    if isinstance(code, Function) and code.method is not None:
        return _has(code.method.decl.annotations, *_SINGLE)
    declared = _class(leaf)
    return declared is not None and _has(declared.decl.annotations, *_SINGLE)


@static(OWNER, "implemented")
def _implemented(call: Call) -> Guarded:
    """The class that the annotation of an interface names for it."""
    declared = _class(call.args[0])
    for one in declared.decl.annotations if declared is not None else ():
        if declared is not None and _last(one.name) == "ImplementedBy" and one.args:
            return call.run.value(one.args[0].value, call.run.frame(declared, None))
    return None


@static(OWNER, "constructor")
def _constructor(call: Call) -> Guarded:
    """The keys of the constructor that an injector takes; null where it has none, or nobody sees it."""
    declared = _class(call.args[0])
    if declared is None or not declared.concrete:
        return None
    constructors = declared.methods.get("<init>", [])
    for method in constructors:
        if _has(method.decl.annotations, "Inject"):
            return _keys(call, method)
    empty = not constructors or any(not method.decl.params for method in constructors)
    return _listed(call, []) if empty else None


@static(OWNER, "construct", effect=Effect.MAY_RAISE)
def _construct(call: Call) -> Guarded:
    """An object of a class, by the constructor that an injector takes."""
    declared = _class(call.args[0])
    if declared is None:
        return Unknown(Why.DYNAMIC, "constructor")
    given = given_in(call.args[1])
    arguments = Arguments([], open=call.unknown()) if given is None else Arguments(given)
    return call.java.instantiate(call.run, declared, arguments, call.frame, call.place)


@static(OWNER, "fields")
def _fields(call: Call) -> Guarded:
    """The fields of an object that are injected, with their keys."""
    made, declared = call.table("LinkedHashMap"), _declared(call)
    for owner in reversed(call.run.scope.supers(declared)) if declared is not None else ():
        for name, decl in owner.fields.items():
            if _has(decl.annotations, "Inject") and not decl.static:
                field = call.constructed("java.lang.reflect.Field", TypeValue(owner, owner.name), text(name))
                key = _key_at(call, decl.type, decl.annotations, owner)
                made.entries = [*(made.entries or ()), Entry(True, field, key)]
    return made


@static(OWNER, "methods")
def _injected_methods(call: Call) -> Guarded:
    """The methods of an object that are called with what is injected, with the keys of their parameters."""
    made, declared = call.table("LinkedHashMap"), _declared(call)
    for method in _methods(call, declared, "Inject") if declared is not None else ():
        made.entries = [
            *(made.entries or ()),
            Entry(True, reflected_method(call, method), _keys(call, method)),
        ]
    return made


@static(OWNER, "unknown")
def _unknown(call: Call) -> Guarded:
    """An object of a type that somebody else binds."""
    kind: Any = call.args[0]
    name = kind.simple if isinstance(kind, TypeValue) else ""
    return Unknown(Why.DYNAMIC, name, type=kind if isinstance(kind, TypeValue) else None)

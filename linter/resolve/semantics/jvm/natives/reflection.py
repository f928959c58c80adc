"""Members of classes as values (`ReflectedMembers`): what the models of `java.lang.reflect` stand on.

A field is the class that declares it with its name, a method or constructor a function value that stands for its code.
What a class inherits from a library is not among its members, so a list of them is left open there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from subdrift.linter.clients.apis import WORDS
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.deferred import known_texts
from subdrift.linter.resolve.execute.guards import UNSET, apply, leaves, under
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Function,
    Guarded,
    LibraryConstant,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.jvm.calls import Call, at_of, static
from subdrift.linter.resolve.semantics.jvm.casts import is_refused
from subdrift.linter.resolve.semantics.jvm.natives.declared_annotations import (
    annotation,
    annotations_of_type,
    merged_annotation,
)
from subdrift.linter.resolve.semantics.jvm.natives.kotlin_members import with_added
from subdrift.linter.resolve.semantics.jvm.operators import raise_in, raise_where
from subdrift.linter.resolve.semantics.jvm.static_types import BOXED

OWNER: Final = "ReflectedMembers"


PROXY: Final = "<handler>"
"""The field of an object that stands for an interface by a handler."""


PACKAGE: Final = "java.lang.reflect"


def on_class(call: Call, declared: Class) -> Guarded:
    """`type.name(values)` of a declared class as reflection answers it; UNSET where it does not."""
    run, name, values = call.run, call.name, call.args
    itself = TypeValue(declared, declared.name)
    match name:
        case "getDeclaredFields" | "getFields":
            return _fields(call, declared)
        case "getRecordComponents":
            parts = [
                call.constructed(f"{PACKAGE}.RecordComponent", itself, text(n)) for n in _parts(declared)
            ]
            return call.all_of("[]", parts) if declared.kind == "record" else None
        case "getDeclaredField" | "getField" if len(values) == 1:
            return run.over(values[0], lambda leaf: _field(call, declared, leaf))
        case "getDeclaredMethods" | "getMethods":
            methods = [m for m in _methods(run, declared, name) if not m.decl.private or name != "getMethods"]
            return with_added(
                call, _listed(call, declared, [reflected_method(call, m) for m in methods]), declared
            )
        case "getDeclaredMethod" | "getMethod" if values:
            return run.over(values[0], lambda leaf: _named_method(call, declared, leaf, values[1:]))
        case "getDeclaredConstructor" | "getConstructor" if declared.concrete:
            if _lacks_constructor(run, declared, values):
                raise_in(run, "NoSuchMethodException")
                return UNSET
            return call.constructed(f"{PACKAGE}.Constructor", itself, _constructor(run, declared, values))
        case "getDeclaredConstructors" | "getConstructors" if declared.concrete:
            codes: list[Guarded] = [_code(method) for method in declared.methods.get("<init>", ())] or [None]
            made = [call.constructed(f"{PACKAGE}.Constructor", itself, code) for code in codes]
            return call.all_of("[]", made)
    return _of_kind(call, declared)


def _of_kind(call: Call, declared: Class) -> Guarded:
    """What a class is and what is above it."""
    run, name, supers = call.run, call.name, declared.decl.supers
    match name:
        case "getGenericSuperclass" if supers and not declared.is_interface:
            written = supers[: len(supers) - declared.decl.interfaces]
            if not written:
                return TypeValue(None, "Object")
            return _generic(call, written[0], declared)
        case "getGenericInterfaces":
            count = len(supers) if declared.is_interface else declared.decl.interfaces
            written = supers[len(supers) - count :]
            return _listed(call, declared, [_generic(call, each, declared) for each in written])
        case "getSuperclass":
            above = run.scope.direct_super(declared)
            if isinstance(above, Class):
                return TypeValue(above, above.name)
            return TypeValue(None, above or "Object")
        case "getEnclosingClass" | "getDeclaringClass":
            outer = declared.outer
            return None if outer is None or not outer.simple else TypeValue(outer, outer.name)
        case "getPackageName":
            return text(declared.file.unit.package)
        case "isInterface":
            return declared.is_interface
        case "isEnum" | "isAnnotation":
            return declared.kind == name.removeprefix("is").lower()
        case "isPrimitive" | "isArray":
            return False
        case "getModifiers":
            return 1024 * (not declared.concrete) + 8 * declared.decl.static
        case "isAssignableFrom" if isinstance(call.args[0], TypeValue) and call.args[0].declared:
            return run.scope.is_a(call.args[0].declared, declared)
        case "getEnumConstants" if declared.kind == "enum":
            return call.java._enum_call(run, declared, "values", Arguments([]))
    return UNSET


MAKING: Final = frozenset({"newInstance", "getDeclaredConstructor", "getConstructor"})
"""What of reflection leads to an object of a class."""


def on_unread(call: Call, leaf: TypeValue) -> Guarded:
    """An object of a class of the program that no file declares, or its constructor."""
    if call.run.scope.surely_lacks(leaf.name):
        call.run.unread.add(leaf.name)
    if call.name == "newInstance":
        return call.made(leaf.name)
    return call.constructed(f"{PACKAGE}.Constructor", leaf, call.unknown())


def _fields(call: Call, declared: Class) -> Guarded:
    own = call.name == "getDeclaredFields"
    found = [
        call.constructed(f"{PACKAGE}.Field", TypeValue(owner, owner.name), text(each))
        for owner in ((declared,) if own else call.run.scope.supers(declared))
        for each, decl in owner.fields.items()
        if own or decl.public
    ]
    return _listed(call, declared, found)


def _parts(declared: Class) -> list[str]:
    """The names of a record's components."""
    return [each.name for each in declared.decl.components or ()]


def _listed(call: Call, declared: Class, found: list[Guarded]) -> Object:
    made = call.all_of("[]", found)
    if not call.name.startswith("getDeclared") and call.run.scope.library_supers(declared):
        made.open = call.unknown()
    return made


def _field(call: Call, declared: Class, leaf: Any) -> Guarded:
    run, known = call.run, leaf.known if isinstance(leaf, Text) else None
    found = run.scope.field(declared, known) if known is not None else None
    if known is None or (found is None and run.scope.library_supers(declared)):
        return replace(call.unknown(), type=TypeValue(None, f"{PACKAGE}.Field"))
    if found is None or (call.name == "getDeclaredField" and found[0] is not declared):
        raise_in(run, "NoSuchFieldException")
        return UNSET
    return call.constructed(f"{PACKAGE}.Field", TypeValue(found[0], found[0].name), text(known))


def _methods(run: Interpreter, declared: Class, called: str) -> list[Method]:
    owners = (declared,) if called.startswith("getDeclared") else run.scope.supers(declared)
    found: dict[tuple[str, tuple[str, ...]], Method] = {}
    for owner in owners:
        for name, methods in owner.methods.items():
            for method in methods if name != "<init>" else ():
                kinds = tuple(param.type.name if param.type else "" for param in method.decl.params)
                found.setdefault((name, kinds), method)
    return list(found.values())


def _code(method: Method) -> Function:
    return Function(method.decl.params, method.decl.body or (), None, method.name, method=method)


def reflected_method(call: Call, method: Method) -> Guarded:
    """The object of `java.lang.reflect` that stands for a method."""
    owner = TypeValue(method.owner, method.owner.name)
    return call.constructed(f"{PACKAGE}.Method", owner, text(method.name), _code(method))


def _named_method(call: Call, declared: Class, leaf: Any, kinds: Sequence[Guarded]) -> Guarded:
    run = call.run
    known = leaf.known if isinstance(leaf, Text) else None
    kinds = _spread(kinds)
    unknown = replace(call.unknown(), type=TypeValue(None, f"{PACKAGE}.Method"))
    if known is None or not all(isinstance(each, TypeValue) for each in kinds):
        return unknown
    named = [one for one in _methods(run, declared, call.name) if one.name == known]
    found = [one for one in named if _takes(run, one, kinds)]
    if len(found) == 1:
        return reflected_method(call, found[0])
    if (
        found
        or known in GIVEN
        or (declared.kind == "enum" and known in _OF_ENUMS)
        or (declared.kind == "record" and known in _parts(declared))
        or run.scope.library_supers(declared)
        or any(len(one.decl.params) == len(kinds) for one in named)
    ):
        return unknown
    raise_in(run, "NoSuchMethodException")
    return UNSET


GIVEN: Final = frozenset({"toString", "hashCode", "equals", "getClass", "notify", "notifyAll", "wait"})
"""What every object has."""
_OF_ENUMS: Final = frozenset({"name", "ordinal", "values", "valueOf", "compareTo", "getDeclaringClass"})


def _spread(values: Sequence[Guarded]) -> Sequence[Guarded]:
    """Variable arguments, or the array that stands for them."""
    if len(values) == 1 and isinstance(values[0], Object) and values[0].type == "[]":
        return [each for _, each in values[0].items or ()]
    return values


def _generic(call: Call, ref: ir.TypeRef, near: Class) -> Guarded:
    """A type as it is written, with its arguments; those that a variable stands for nobody knows here."""
    run, raw = call.run, type_of(call.run, ref, near)
    if not ref.args:
        return raw
    variables = {name for each in near.lexical() for name, _ in each.decl.parameters}
    arguments = [
        Unknown(Why.DYNAMIC, each.name)
        if each.name in variables or each.name[:1] == "?"
        else type_of(run, each, near)
        for each in ref.args
    ]
    return call.constructed(f"{PACKAGE}.ParameterizedType", raw, call.all_of("[]", arguments))


def _takes(run: Interpreter, method: Method, kinds: Sequence[Guarded]) -> bool:
    """Whether the parameters of a method are of just these types."""
    types = _types(run, method)
    return len(types) == len(kinds) and all(
        one == kind or one.simple == kind.simple for one, kind in zip(types, kinds, strict=True)
    )


def _types(run: Interpreter, method: Method) -> list[TypeValue]:
    return [
        type_of(run, param.type, method.owner, varies=param.kind == "...") for param in method.decl.params
    ]


def type_of(run: Interpreter, ref: ir.TypeRef | None, near: Class, *, varies: bool = False) -> TypeValue:
    if varies:
        return TypeValue(None, "[]", (ref,) if ref is not None else ())
    named = run.scope.named(ref.name, near) if ref is not None else "Object"
    args = ref.args if ref is not None else ()
    return TypeValue(named, named.name, args) if isinstance(named, Class) else TypeValue(None, named, args)


def _constructor(run: Interpreter, declared: Class, kinds: Sequence[Guarded]) -> Guarded:
    found = [one for one in declared.methods.get("<init>", ()) if _takes(run, one, _spread(kinds))]
    return _code(found[0]) if found else None


def _lacks_constructor(run: Interpreter, declared: Class, kinds: Sequence[Guarded]) -> bool:
    """Whether no constructor of a class takes as many parameters as are asked for, by their number alone. An annotation may
    stand for one, and a compiler plugin or a default value of Kotlin."""
    if declared.decl.components is not None or declared.outer is not None:
        return False
    if declared.decl.annotations or declared.file.language != "java":
        return False
    counts = {len(one.decl.params) for one in declared.methods.get("<init>", ())} or {0}
    return len(_spread(kinds)) not in counts


def written_by_reflection(run: Interpreter, target: Guarded) -> None:
    """A method or field that nobody knows sets something of an object: every field that code may set is unknown."""
    for _, leaf in leaves(target, run.guard):
        if not isinstance(leaf, Object) or leaf.declared is None:
            continue
        for owner in run.scope.supers(leaf.declared):
            for name, decl in owner.fields.items():
                if decl.static or decl.final:
                    continue
                symbol = ("field", ("object", leaf.number), name)
                unknown = Unknown(Why.DYNAMIC, f"{leaf.declared.simple}.{name}", symbol)
                leaf.fields[name] = run.typed(unknown, decl.type, run.frame(owner, None))


def owner_of(value: Guarded) -> Class | None:
    return value.declared if isinstance(value, TypeValue) else None


def _named(call: Call) -> tuple[Class, ir.FieldDecl] | None:
    """The field that the first two arguments name."""
    owner, name = call.args.first(2)
    declared = owner_of(owner)
    decl = declared.fields.get(name.known or "") if declared is not None and isinstance(name, Text) else None
    return (declared, decl) if declared is not None and decl is not None else None


@static(OWNER, "typeOf")
def _type_of(call: Call) -> Guarded:
    found = _named(call)
    return type_of(call.run, found[1].type, found[0]) if found is not None else call.unknown()


@static(OWNER, "modifiers")
def _modifiers(call: Call) -> Guarded:
    code = call.args[0]
    if isinstance(code, Function) and code.method is not None:
        decl = code.method.decl
        return 8 * decl.static + 2 * decl.private + 1024 * code.method.abstract
    found = _named(call) if len(call.args) == 2 else None
    return (
        8 * found[1].static + 16 * found[1].final + found[1].public if found is not None else call.unknown()
    )


@static(OWNER, "annotationsOfType")
def _annotations_of_type(call: Call) -> Guarded:
    code, kind = call.args[0], owner_of(call.args[1])
    if not isinstance(code, Function) or code.method is None or kind is None:
        return call.unknown()
    owner, written = code.method.owner, code.method.decl.annotations
    return call.all_of("[]", annotations_of_type(call.run, owner, written, kind))


@static(OWNER, "found")
def _found(call: Call) -> Guarded:
    """The annotation of a type on a class or method, or on one of their annotations; where it `inherits`, on those above,
    where it `merges`, with what those that carry it say."""
    leaf, kind, inherits, merges = call.args[0], owner_of(call.args[1]), call.args[2], call.args[3]
    code = under(leaf.fields.get("code"), call.run.guard) if isinstance(leaf, Object) else None
    method = code.method if isinstance(code, Function) else None
    declared = method.owner if method is not None else owner_of(leaf)
    if kind is None or declared is None or not isinstance(inherits, bool) or not isinstance(merges, bool):
        return call.unknown()
    return merged_annotation(call.run, declared, method, kind, inherits=inherits, merges=merges)


@static(OWNER, "annotation")
def _annotation(call: Call) -> Guarded:
    kind = owner_of(call.args[-1])
    code = call.args[0]
    if kind is None:
        return call.unknown()
    if isinstance(code, Function) and code.method is not None:
        return annotation(call.run, code.method.owner, code.method.decl.annotations, kind)
    found = _named(call) if len(call.args) == 3 else None
    return annotation(call.run, found[0], found[1].annotations, kind) if found else call.unknown()


@static(OWNER, "get")
def _get(call: Call) -> Guarded:
    found = _named(call)
    if found is None:
        return call.unknown()
    owner, decl = found
    if decl.static:
        return call.java.static_field(call.run, owner, decl)
    return call.run.over(call.args[2], lambda leaf: call.java.read(call.run, leaf, decl.name, owner, decl))


@static(OWNER, "set", effect=Effect.MUTATES_ARGUMENT)
def _set(call: Call) -> Guarded:
    found = _named(call)
    target, value = call.args[2], call.args[3]
    if found is None:
        written_by_reflection(call.run, target)
        return None
    owner, decl = found
    if decl.final and call.java._is_constant(call.run, owner, decl):
        return None  # a compiler has put it where it is read
    call.java._write(
        call.run, owner, target, decl.name, call.run.typed(value, decl.type, call.run.frame(owner, None))
    )
    return None


@static(OWNER, "parameters")
def _parameters(call: Call) -> Guarded:
    code = call.args[0]
    if not isinstance(code, Function) or code.method is None:
        return call.unknown()
    return call.all_of("[]", list(_types(call.run, code.method)))


@static(OWNER, "returned")
def _returned(call: Call) -> Guarded:
    code = call.args[0]
    if not isinstance(code, Function) or code.method is None:
        return call.unknown()
    return type_of(call.run, code.method.decl.returns, code.method.owner)


def given_in(values: Guarded) -> list[Guarded] | None:
    """The arguments that an array holds; None where they are not all known to be there."""
    if values is None:
        return []
    if not isinstance(values, Object) or values.open is not None or values.items is None:
        return None
    return [each for _, each in values.items] if all(guard is True for guard, _ in values.items) else None


@static(OWNER, "invoke", effect=Effect.MAY_RAISE | Effect.CALLS_ARGUMENT)
def _invoke(call: Call) -> Guarded:
    code, target, values = call.args.first(3)
    given = given_in(values)
    if not isinstance(code, Function) or code.method is None or given is None:
        written_by_reflection(call.run, target)
        return call.run.havoc("invoke", call.unknown(), target, Arguments([code, target, values]))
    method = code.method
    for param, value in zip(method.decl.params, given, strict=False):
        for guard, leaf in leaves(value, call.run.guard):
            if _is_mismatched(call, param, leaf):
                raise_where(call.run, guard, "IllegalArgumentException", text("argument type mismatch"))
    if call.run.guard is False:
        return UNSET
    return _wrapped(call, lambda: _run(call, method, target, given))


def _run(call: Call, method: Method, target: Guarded, given: list[Guarded]) -> Guarded:
    run, java = call.run, call.java
    if method.decl.static:
        return java._dispatch(run, [method], None, Arguments(given), call.frame, call.place)

    def on(leaf: Any) -> Guarded:
        methods = [method]
        if isinstance(leaf, Object) and leaf.declared is not None and not method.decl.private:
            methods = run.scope.methods(leaf.declared, method.name, len(given)) or methods
        if leaf is None:
            raise_in(run, "NullPointerException")
            return UNSET
        if isinstance(leaf, Unknown) and (leaf.type is None or leaf.type.declared is None):
            leaf = replace(leaf, type=TypeValue(method.owner, method.owner.name))
        if isinstance(leaf, Unknown):
            return java._on_unknown(run, leaf, method.name, Arguments(given), call.frame, at_of(call.place))
        return java._dispatch(run, methods, leaf, Arguments(given), call.frame, call.place)

    return run.over(target, on)


def _is_mismatched(call: Call, param: ir.Param, leaf: Any) -> bool:
    """Whether a method that is called by reflection surely does not take a text, number or truth value."""
    if param.type is None or param.kind or not isinstance(leaf, Text | bool | int | float):
        return False
    boxed = replace(param.type, name=BOXED.get(param.type.name, param.type.name))
    if boxed.name in ("Integer", "Long") and type(leaf) is not bool and not isinstance(leaf, Text):
        return False  # which of the two a number is nobody knows
    return is_refused(call.java, call.run, leaf, boxed, call.frame)


def _wrapped(call: Call, code: Callable[[], Guarded]) -> Guarded:
    """What code gives that reflection runs; what it throws is the cause of an exception of reflection."""
    run = call.run
    mark = len(run.raised)
    found = code()
    for index in range(mark, len(run.raised)):
        guard, thrown = run.raised[index]
        run.raised[index] = (guard, call.made("InvocationTargetException", **{"<arguments>": (thrown,)}))
    return found


@static(OWNER, "construct", effect=Effect.MAY_RAISE | Effect.CALLS_ARGUMENT)
def _construct(call: Call) -> Guarded:
    owner, values = call.args.first(2)
    declared, given = owner_of(owner), given_in(values)
    if isinstance(owner, TypeValue) and declared is None:
        call.run.hands_over(owner.name, Arguments([values]))
        return call.made(owner.name)
    if declared is None or given is None or not declared.concrete:
        return call.run.havoc("newInstance", call.unknown(), None, Arguments([values]))
    return _wrapped(
        call, lambda: call.java.instantiate(call.run, declared, Arguments(given), call.frame, call.place)
    )


@static(OWNER, "proxy", effect=Effect.STORES_ARGUMENT)
def _proxy(call: Call) -> Guarded:
    types, handler = call.args.first(2)
    listed = given_in(types) or []
    declared = owner_of(listed[0]) if len(listed) == 1 else None
    if declared is None or not declared.is_interface:
        return call.run.havoc("newProxyInstance", call.unknown(), None, Arguments([handler]))
    return call.run.make(declared, declared.name, call.place, fields={PROXY: handler})


def on_proxy(call: Call, leaf: Object, method: Method) -> Guarded:
    """A call of a method of an interface that a handler stands for."""
    run = call.run
    given = call.all_of("[]", call.args) if call.args else None
    values = [leaf, reflected_method(call, method), given]
    handler = under(leaf.fields[PROXY], run.guard)

    def handled(each: Any) -> Guarded:
        if isinstance(each, Object):
            return call.method(each, "invoke", *values)
        return run.call(each, Arguments(values), call.frame, call.place)

    return run.over(handler, handled)


@static("InvocationHandler", "invokeDefault", effect=Effect.MAY_RAISE | Effect.CALLS_ARGUMENT)
def _invoke_default(call: Call) -> Guarded:
    """The body that an interface has for a method, run for the object that a handler stands for."""
    target, reflected = call.args.first(2)
    given = given_in(call.args[2]) if len(call.args) == 3 else [*call.args[2:]]
    code = under(reflected.fields.get("code"), call.run.guard) if isinstance(reflected, Object) else None
    if not isinstance(code, Function) or code.method is None or code.method.abstract or given is None:
        return call.run.havoc("invokeDefault", call.unknown(), target, Arguments(list(call.args)))
    return call.java._dispatch(call.run, [code.method], target, Arguments(given), call.frame, call.place)


@static(OWNER, "isDefault")
def _is_default(call: Call) -> Guarded:
    code = call.args[0]
    if not isinstance(code, Function) or code.method is None:
        return call.unknown()
    decl = code.method.decl
    return code.method.owner.is_interface and not (decl.static or decl.private or code.method.abstract)


@static("MessageModel|ConsumeFromWhere|ExpressionType", "valueOf", effect=Effect.MAY_RAISE)
def _word(call: Call) -> Guarded:
    """A constant of an enumeration of the client, by its name."""

    def one(leaf: Any) -> Any:
        known = leaf.known if isinstance(leaf, Text) else None
        return (
            LibraryConstant(_MODELS, known)
            if known in WORDS
            else Unknown(Why.DYNAMIC, phrase("enum-constant"))
        )

    return apply(one, call.args[0])


@static("MessageModel", "values", effect=Effect.PURE)
def _models(call: Call) -> Guarded:
    return call.all_of("[]", [LibraryConstant(_MODELS, name) for name in ("BROADCASTING", "CLUSTERING")])


_MODELS: Final = "org.apache.rocketmq.common.protocol.heartbeat.MessageModel"


@static("Class", "forName")
def _for_name(call: Call) -> Guarded:
    def load(leaf: Any) -> Any:
        known = leaf.known if isinstance(leaf, Text) else None
        if known is None or call.frame.owner is None:
            return Unknown(Why.DYNAMIC, phrase("class-by-name"))
        name = known.replace("$", ".")
        found = call.run.scope.full(name, call.frame.owner.file)
        if found is None:
            call.run.scope.definitions.missing.add(name)
            if not name.startswith("java."):
                unseen = Unknown(Why.UNDEFINED, name, ("class", name))
                call.run.perhaps(call.made("ClassNotFoundException", **{"<arguments>": (leaf,)}), unseen)
        return TypeValue(found, found.name) if found is not None else TypeValue(None, known)

    return call.run.over(known_texts(call.run, call.args[0], call.place), load)


@static("Enum", "valueOf", effect=Effect.MAY_RAISE)
def _enum_value_of(call: Call) -> Guarded:
    owner, name = call.args.first(2)
    if isinstance(owner, TypeValue) and owner.declared is not None:
        return call.java._enum_call(call.run, owner.declared, "valueOf", Arguments([name]))
    return Unknown(Why.DYNAMIC, phrase("enum-constant"))


def binary_name(declared: Class) -> str:
    """The name the JVM has for a class: `$` between nested ones."""
    package = declared.file.unit.package
    inner = declared.name[len(package) + 1 :] if package else declared.name
    return f"{package}.{inner.replace('.', '$')}" if package else inner.replace(".", "$")

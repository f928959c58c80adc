"""Calls: on objects, types, functions, and of what stands above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute import clients
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import UNSET, apply, under
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.slice_names import STANDS_FOR
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
from subdrift.linter.resolve.semantics.jvm import beans, consumers, documents, records
from subdrift.linter.resolve.semantics.jvm.calls import Call, at_of
from subdrift.linter.resolve.semantics.jvm.collections import array
from subdrift.linter.resolve.semantics.jvm.equality import undefined
from subdrift.linter.resolve.semantics.jvm.forms.common import local_frame
from subdrift.linter.resolve.semantics.jvm.library import instances, kinds, statics, tasks
from subdrift.linter.resolve.semantics.jvm.natives import declared_annotations, reflection
from subdrift.linter.resolve.semantics.jvm.operators import raise_in
from subdrift.linter.resolve.semantics.jvm.static_types import BOXED

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


_OF_OBJECTS = frozenset(
    {
        "name",
        "ordinal",
        "toString",
        "hashCode",
        "equals",
        "getClass",
        "compareTo",
        "getMessage",
        "getDeclaringClass",
        "clone",
    }
)

_LANG = frozenset({"Object", "String", "Character", "Boolean", "Integer", "Long", "Short", "Byte", "Double", "Float", "Number",
                   "Void", "Class", "Enum", "Record", "Thread", "Runnable", "Iterable", "Comparable", "CharSequence",
                   "StringBuilder", "Throwable"})  # fmt: skip
"""Names of `java.lang` that no import gives."""

_ANNOTATED = frozenset(
    {"getAnnotation", "getDeclaredAnnotation", "isAnnotationPresent", "getAnnotationsByType",
     "getDeclaredAnnotationsByType"}
)  # fmt: skip


def call_name(java: Java, run: Interpreter, node: ir.Call, arguments: Arguments, frame: Frame) -> Guarded:
    """A call without a receiver: a method of the classes around, or a statically imported one."""
    assert frame.owner is not None
    count = len(arguments)
    at = run.place(frame, node.at)
    this = frame.this
    for around in frame.owner.lexical():
        methods = java._candidates(run, this, around, node.name, count)
        if methods:
            return java._on_own(run, this, around, methods, arguments, frame, at)
        if not count and around.kind == "record" and _has_component(around, node.name):
            return run.over(this, lambda leaf: java.attribute(run, leaf, node.name, frame, node.at))
        if around.kind == "anonymous" or run.scope.library_supers(around):
            found = java._inherited(run, this, around, node, arguments, frame)
            if found is not UNSET:
                return found
        if around.kind == "enum" and node.name in ("values", "valueOf"):
            found = java._enum_call(run, around, node.name, arguments)
            if found is not UNSET:
                return found
        this = java._outer(run, this, around)
    if node.name in _OF_OBJECTS and isinstance(frame.this, Object):
        return java.call_method(run, frame.this, node.name, arguments, frame, node.at)
    file = frame.owner.file
    path = file.members.get(node.name)
    owners = [path.rpartition(".")[0]] if path else list(file.member_wildcards)
    for owner in owners:
        declared = run.scope.named(owner, frame.owner)
        if isinstance(declared, Class):
            methods = run.scope.methods(declared, node.name, count)
            if methods:
                java.prepare(run, declared)
                return java._dispatch(run, methods, None, arguments, frame, at)
            if declared.kind == "enum" and node.name in ("values", "valueOf"):
                return java._enum_call(run, declared, node.name, arguments)
            if declared.file.model and (path or statics.is_static(owner, node.name, count)):
                return statics.static_call(java, run, owner, node.name, arguments, frame, node.at)
        elif path or clients.java_factory(node.name, owner, count):
            return statics.static_call(java, run, owner, node.name, arguments, frame, node.at)
    for absent in run.around(frame):
        run.hands_over(absent.name, arguments)
    unknown = run.unknown(Why.DYNAMIC, f"{node.name}()", frame, node.at)
    return run.havoc(node.name, unknown, None, arguments)


def on_own(
    java: Java,
    run: Interpreter,
    this: Guarded,
    around: Class,
    methods: list[Method],
    arguments: Arguments,
    frame: Frame,
    at: Location,
) -> Guarded:
    def on(leaf: Any) -> Guarded:
        if all(m.decl.static for m in methods):
            return java._dispatch(run, methods, None, arguments, frame, at)
        if isinstance(
            leaf, Function | Bound
        ):  # a default method calls the one a function stands for, or another default one
            private = len(methods) == 1 and methods[0].decl.private
            below = (
                run.scope.methods(leaf.type, methods[0].name, len(arguments))
                if leaf.type and not private
                else ()
            )
            own = list(below) or methods
            if all(m.abstract for m in own):
                return run.call(leaf, _packed(run, own, arguments, at), frame, at)
            return java._dispatch(run, own, leaf, arguments, frame, at)
        target = leaf
        if isinstance(leaf, Object) and leaf.declared is not None:
            if not run.scope.is_a(leaf.declared, around):
                target = java._enclosing(run, leaf, around)
            own = methods
            private = len(methods) == 1 and methods[0].decl.private
            if isinstance(target, Object) and records.is_component(target, methods[0].name, arguments):
                return under(target.fields[methods[0].name], run.guard)
            if isinstance(target, Object) and target.declared is not None and not private:
                own = run.scope.methods(target.declared, methods[0].name, len(arguments)) or methods
            if isinstance(target, Object) and reflection.PROXY in target.fields and not private:
                return java._on_object(run, target, methods[0].name, arguments, frame, at_of(at))
            return java._dispatch(run, own, target, arguments, frame, at)
        return java._dispatch(run, methods, target, arguments, frame, at)

    return run.over(this, on)


def on_each(
    java: Java,
    run: Interpreter,
    methods: list[Method],
    this: Guarded,
    arguments: Arguments,
    frame: Frame | None,
    at: Location | None,
) -> Guarded:
    method = java.overload(run, methods, arguments)
    if method is None:  # of a library that has one more, which its model has not
        name = methods[0].name
        return run.havoc(name, Unknown(Why.DYNAMIC, f"{methods[0].owner.simple}.{name}()"), this, arguments)
    if method.decl.static:
        java.prepare(run, method.owner)
    elif method.decl.annotations and isinstance(this, Object) and this.bean:
        bean = beans.shared(java, run, this, method, arguments)
        if bean is not UNSET:
            return bean
    captured = None
    if isinstance(this, Object) and method.owner.local:
        captured = this.captured if this.declared is method.owner else (this.captured or None)
    elif method.owner.local:
        captured = local_frame(run, method.owner)
    return run.invoke(method, this, arguments, frame, at, captured)


def call_method(
    java: Java, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
) -> Guarded:
    if isinstance(leaf, Object):
        return java._on_object(run, leaf, name, arguments, frame, at)
    if isinstance(leaf, TypeValue):
        return java._on_type(run, leaf, name, arguments, frame, at)
    if isinstance(leaf, Function | Bound):
        return on_function(java, run, leaf, name, arguments, frame, at)
    if isinstance(leaf, Unknown):
        return java._on_unknown(run, leaf, name, arguments, frame, at)
    if leaf is None:
        raise_in(run, "NullPointerException")
        return UNSET
    return instances.method(java, run, leaf, name, arguments, frame, run.place(frame, at))


def on_object(
    java: Java, run: Interpreter, leaf: Object, name: str, arguments: Arguments, frame: Frame, at: ir.At
) -> Guarded:
    place = run.place(frame, at)
    if leaf.declared is not None:
        if records.is_component(leaf, name, arguments):
            return under(leaf.fields[name], run.guard)
        methods = run.scope.methods(leaf.declared, name, len(arguments))
        if methods and reflection.PROXY in leaf.fields:  # also where the interface has a body for it
            given = _packed(run, methods, arguments, place).values
            return reflection.on_proxy(Call(java, run, leaf, name, given, frame, place), leaf, methods[0])
        if methods and not all(method.abstract and method.annotation("Lookup") is None for method in methods):
            return java._dispatch(run, methods, leaf, arguments, frame, place)
        if leaf.client is None or name not in leaf.client.operations:
            found = instances.object_method(java, run, leaf, name, arguments, frame, place)
            if found is not UNSET:
                run.needed |= run.absent_above(leaf.declared)  # which may say it otherwise
                return found
    if leaf.client is not None:
        return consumers.operate(java, run, leaf, name, arguments, frame, at)
    return instances.method(java, run, leaf, name, arguments, frame, place)


def on_type(
    java: Java, run: Interpreter, leaf: TypeValue, name: str, arguments: Arguments, frame: Frame, at: ir.At
) -> Guarded:
    if leaf.declared is not None:
        return _on_declared_type(java, run, leaf, name, arguments, frame, at)
    known = statics.is_static(leaf.name, name, len(arguments))
    if (
        leaf.guessed and not arguments.values and not known
    ):  # `Kind.Order.getName()`: most often of a constant
        owner = leaf.name.rpartition(".")[0]
        return undefined(owner, f"{leaf.name}.{name}()")
    named = leaf.simple[:1].isupper() or leaf.name in BOXED
    if name in ("getSimpleName", "getName") and not arguments.values and named:
        if name == "getSimpleName" or leaf.name in BOXED:
            return text(leaf.simple)
        if leaf.name.rpartition(".")[0].islower():
            return text(leaf.name)
        if leaf.name in _LANG or leaf.name.endswith(("Exception", "Error")):
            return text(f"java.lang.{leaf.name}")
        return run.unknown(Why.DYNAMIC, f"{leaf.name}.class.getName()", frame, at)
    if name == "isArray" and not arguments.values:
        return leaf.name == "[]"
    if name == "isPrimitive" and not arguments.values and (leaf.name in BOXED or leaf.name in _LANG):
        return leaf.name in BOXED
    if name in reflection.MAKING and run.scope.lacks_own(leaf.name):
        return reflection.on_unread(
            Call(java, run, leaf, name, arguments.values, frame, run.place(frame, at)), leaf
        )
    if name in ("isInstance", "cast") and len(arguments.values) == 1:
        return on_class(java, run, leaf, name, arguments.values[0], frame)
    of_platform = leaf.name in _LANG or leaf.name.startswith("java.")
    kind = arguments.values[0] if name in _ANNOTATED and arguments.values else None
    if of_platform and isinstance(kind, TypeValue) and kind.declared is not None:
        # no class of the platform has an annotation of the program
        if name.endswith("ByType"):
            return array(run, [], run.place(frame, at))
        return False if name == "isAnnotationPresent" else None
    return statics.static_call(java, run, leaf.name, name, arguments, frame, at)


def _on_declared_type(
    java: Java, run: Interpreter, leaf: TypeValue, name: str, arguments: Arguments, frame: Frame, at: ir.At
) -> Guarded:
    declared = leaf.declared
    assert declared is not None
    methods = run.scope.methods(declared, name, len(arguments))
    if methods and declared in run.heap.get(statics.MOCKED, ()):
        answer = Unknown(Why.DYNAMIC, f"{declared.simple}.{name}()", (statics.MOCKED, declared.name, name))
        return java._typed(run, answer, methods[0].decl.returns, methods[0].owner)
    if methods and declared.file.language == "java" and not any(one.decl.static for one in methods):
        # where code got the class it may have an object of it: the class itself has no such method
        return java._on_unknown(run, Unknown(Why.DYNAMIC, leaf.name, type=leaf), name, arguments, frame, at)
    if methods:
        java.prepare(run, declared)
        return java._dispatch(run, methods, None, arguments, frame, run.place(frame, at))
    found = java._enum_call(run, declared, name, arguments)
    if found is not UNSET:
        return found
    if name in ("getSimpleName", "getName", "getTypeName", "getCanonicalName"):
        return text(declared.simple if name == "getSimpleName" else reflection.binary_name(declared))
    if name == "newInstance" and not arguments.values and declared.concrete:
        return java.instantiate(run, declared, arguments, frame, run.place(frame, at))
    if name == "getClassLoader" or name == "getClass":
        return Unknown(Why.DYNAMIC, name)
    if name in ("isInstance", "cast") and len(arguments.values) == 1:
        return on_class(java, run, leaf, name, arguments.values[0], frame)
    if name in ("getResourceAsStream", "getResource") and arguments.values:
        return documents.resource(run, arguments.values[0], run.place(frame, at))
    if name in _ANNOTATED and len(arguments.values) == 1:
        kind = arguments.values[0]
        if isinstance(kind, TypeValue) and kind.declared is not None:
            if name.endswith("ByType"):
                place = run.place(frame, at)
                return declared_annotations.class_annotations(run, declared, kind.declared, place)
            found = declared_annotations.class_annotation(run, declared, kind.declared)
            return found is not None if name == "isAnnotationPresent" else found
        if isinstance(kind, TypeValue) and declared_annotations.lacks(run, declared, kind.simple):
            return False if name == "isAnnotationPresent" else None
    found = reflection.on_class(
        Call(java, run, leaf, name, arguments.values, frame, run.place(frame, at)), declared
    )
    if found is not UNSET or run.guard is False:
        return found
    if declared.file.model:
        return statics.static_call(java, run, declared.name, name, arguments, frame, at)
    for above in run.scope.library_supers(declared):
        return statics.static_call(java, run, above, name, arguments, frame, at)
    return run.unknown(Why.UNDEFINED, f"{declared.name}.{name}()", frame, at)


def on_class(
    java: Java, run: Interpreter, leaf: TypeValue, name: str, value: Guarded, frame: Frame
) -> Guarded:
    """`Class.cast(value)`, `Class.isInstance(value)`."""
    if name == "cast":

        def cast(each: Any) -> Guarded:
            if java.refuses(run, each, ir.TypeRef(leaf.name), frame):
                return UNSET
            if isinstance(each, TypeValue) and leaf.declared is not None:  # an object of some class, as above
                each = Unknown(Why.DYNAMIC, each.name)
            is_wider = isinstance(each, Unknown) and (each.type is None or each.type.declared is None)
            return replace(each, type=leaf) if is_wider else each

        return run.over(value, cast)
    return apply(lambda each: java.is_instance(run, each, ir.TypeRef(leaf.name), frame), value)


def enum_call(java: Java, run: Interpreter, declared: Class, name: str, arguments: Arguments) -> Guarded:
    if declared.kind != "enum":
        return UNSET
    if name == "values" and not arguments.values:
        java.prepare(run, declared)
        every = [java.constant(run, declared, one) for one in declared.constants]
        return array(run, every, declared.at(declared.decl.at))
    if name == "valueOf" and len(arguments.values) == 1:

        def pick_one(leaf: Any) -> Guarded:
            known = leaf.known if isinstance(leaf, Text) else None
            if known is None:
                symbol = symbol_of(leaf)
                return Unknown(
                    Why.DYNAMIC,
                    f"{declared.simple}.valueOf",
                    None if symbol is None else ("valueOf", declared.name, symbol),
                    TypeValue(declared, declared.name),
                )
            if known not in declared.constants:
                raise_in(run, "IllegalArgumentException")
                return UNSET
            return java.constant(run, declared, known)

        return run.over(arguments.values[0], pick_one)
    return UNSET


def on_function(
    java: Java, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
) -> Guarded:
    place = run.place(frame, at)
    if name in reflection.GIVEN:
        if name == "getClass":
            return TypeValue(None, "java.lang.$Lambda")
        if name == "equals" and len(arguments) == 1:
            return apply(lambda other: other is leaf, arguments.get(0))
        return run.unknown(Why.DYNAMIC, f"{name}()", frame, at)
    if leaf.type is None and not leaf.interface and name not in STANDS_FOR.values():
        meant = _interfaces_of(run, leaf, name, len(arguments))
        if len(meant) > 1:  # which of them it stands for nobody says, and they differ in what the method is
            unknown = run.unknown(Why.DYNAMIC, f"{name}()", frame, at)
            return run.havoc(name, unknown, None, Arguments([leaf, *arguments.values]))
        leaf.type = next(iter(meant), None)
    if leaf.type is not None:
        methods = run.scope.methods(leaf.type, name, len(arguments))
        if methods and not all(method.abstract for method in methods):
            return java._dispatch(run, methods, leaf, arguments, frame, place)
        arguments = _packed(run, methods, arguments, place)
    elif _is_of_unread(run, leaf):
        # which of the interface's methods stands for the function is not known
        run.unread.add(leaf.interface)
        unknown = run.unknown(Why.DYNAMIC, f"{name}()", frame, at, needs=frozenset({leaf.interface}))
        return run.havoc(name, unknown, None, Arguments([leaf, *arguments.values]))
    composed = tasks.compose(run, leaf, name, arguments, frame, place)
    if composed is not UNSET:
        return composed
    own = leaf.type is None and type(leaf) is Function and leaf.native is None and not leaf.implicit
    if own and len(leaf.params) != len(arguments):  # a default method of a library's interface
        unknown = run.unknown(Why.DYNAMIC, f"{name}()", frame, at)
        return run.havoc(name, unknown, None, Arguments([leaf, *arguments.values]))
    return run.call(leaf, arguments, frame, place)


def call_value(
    java: Java, run: Interpreter, leaf: Any, arguments: Arguments, frame: Frame | None, at: Location | None
) -> Guarded:
    """Calls what stands for a functional interface: a method reference, or an object with one method."""
    if isinstance(leaf, Bound):
        return call_reference(java, run, leaf, arguments, frame, at)
    if isinstance(leaf, Object):
        if leaf.declared is not None:
            method = functional_method(run, leaf.declared, len(arguments))
            if method is not None:
                return java._dispatch(run, [method], leaf, arguments, frame, at)
        return Unknown(Why.DYNAMIC, phrase("call"))
    return Unknown(Why.DYNAMIC, leaf.detail if isinstance(leaf, Unknown) else phrase("call"))


def call_reference(
    java: Java, run: Interpreter, leaf: Bound, arguments: Arguments, frame: Frame | None, at: Location | None
) -> Guarded:
    made = leaf.frame
    assert made is not None
    assert made.owner is not None
    place: ir.At = made.owner.decl.at

    def on(target: Any) -> Guarded:
        caller = run.frame(made.owner, made.this, parent=made, caller=frame, called_at=at)
        if isinstance(target, TypeValue):
            if leaf.name == "<init>":
                ref = ir.New(ir.TypeRef(target.name), (), place)
                if target.declared is not None:
                    return java.instantiate(
                        run, target.declared, arguments, caller, at or run.place(caller, place)
                    )
                if target.name == "[]":
                    return java.empty_array(run, target, arguments.values, at)
                return java._library_object(
                    run, target.name, ref, arguments, caller, at or run.place(caller, place)
                )
            if target.declared is not None:
                count = len(arguments)
                static = [m for m in run.scope.methods(target.declared, leaf.name, count) if m.decl.static]
                if static:
                    return java._dispatch(run, static, None, arguments, caller, at)
                if target.declared.kind == "enum" and leaf.name == "valueOf":
                    return java._enum_call(run, target.declared, leaf.name, arguments)
            of_library = target.declared is None or target.declared.file.model
            if of_library and arguments.values and statics.is_static(target.name, leaf.name, len(arguments)):
                return statics.static_call(java, run, target.name, leaf.name, arguments, caller, place)
            if arguments.values:
                rest = Arguments(arguments.values[1:])
                return run.over(
                    arguments.values[0],
                    lambda each: java.call_method(run, each, leaf.name, rest, caller, place),
                )
        return java.call_method(run, target, leaf.name, arguments, caller, place)

    return run.over(leaf.target, on)


def super_call(java: Java, run: Interpreter, node: ir.Call, frame: Frame) -> Guarded:
    if node.name == "<init>":
        return None
    assert frame.owner is not None
    assert isinstance(node.target, ir.Super)
    arguments = run.arguments(node.args, frame)
    if run.guard is False:
        return UNSET
    at = run.place(frame, node.at)
    above = _meant_by_super(run, node.target.type, frame.owner)
    named_so = ([m for m in each.methods.get(node.name, ()) if not m.abstract] for each in above)
    fitting = ([m for m in methods if m.accepts(len(arguments))] for methods in named_so)
    meant = next(filter(None, fitting), None)
    if meant is not None:
        return run.over(frame.this, lambda leaf: java._dispatch(run, meant, leaf, arguments, frame, at))

    def inherited(leaf: Any) -> Guarded:
        if isinstance(leaf, Object) and leaf.client is not None:
            return consumers.operate(java, run, leaf, node.name, arguments, frame, node.at)
        if isinstance(leaf, Object) and (leaf.items is not None or leaf.entries is not None):
            return instances.method(java, run, leaf, node.name, arguments, frame, at)
        found: Guarded = UNSET
        if isinstance(leaf, Object) and not any(map(run.scope.lacks_own, run.absent_above(leaf.declared))):
            call = Call(java, run, leaf, node.name, arguments.values, frame, at)
            found = instances.of_class_above(call, leaf)
        return run.unknown(Why.DYNAMIC, f"super.{node.name}()", frame, node.at) if found is UNSET else found

    return run.over(frame.this, inherited)


def _meant_by_super(run: Interpreter, name: str, owner: Class) -> Sequence[Class]:
    """The types in which `super`, or `Name.super`, looks for a method, nearest first."""
    above = [each for each in run.scope.supers(owner) if each is not owner]
    if name:
        named = [each for each in above if each.simple == name]
        if named or all(
            each.simple != name for each in owner.lexical()
        ):  # else of an interface that is not here
            return run.scope.supers(named[0]) if named else ()
    if owner.file.language == "java" and not owner.is_interface:
        near = run.scope.direct_super(owner)
        return run.scope.supers(near) if isinstance(near, Class) else ()
    return above


def _packed(run: Interpreter, methods: Sequence[Method], arguments: Arguments, place: Location) -> Arguments:
    """The arguments of a function that stands for a method with a variable parameter: the last ones are an array."""
    if len(methods) != 1 or not methods[0].varargs or arguments.open is not None:
        return arguments
    fixed = methods[0].arity - 1
    values = arguments.values
    only = values[fixed] if len(values) == fixed + 1 else None
    if isinstance(only, Object) and only.type == "[]":
        return arguments
    if isinstance(only, Unknown) and only.type is not None and only.type.name == "[]":
        return arguments
    return Arguments([*values[:fixed], array(run, values[fixed:], place)])


def _has_component(declared: Class, name: str) -> bool:
    return any(component.name == name for component in declared.decl.components or ())


def functional_method(run: Interpreter, declared: Class, count: int) -> Method | None:
    """The one method an object stands for as a function: of its own, or what it implements of an interface."""
    abstract = [
        name
        for each in run.scope.supers(declared)
        for name, methods in each.methods.items()
        if each.is_interface and any(m.abstract for m in methods)
    ]
    above = {each.rpartition(".")[2] for each in run.scope.library_supers(declared)}
    for name in (*abstract, *(STANDS_FOR[each] for each in sorted(above & STANDS_FOR.keys()))):
        found = [m for m in run.scope.methods(declared, name, count) if not m.abstract]
        if found:
            return found[0]
    own = [
        m
        for name, methods in declared.methods.items()
        for m in methods
        if name != "<init>"
        and not m.decl.static
        and not m.abstract
        and m.accepts(count)
        and any(a.name == "Override" for a in m.decl.annotations)
    ]
    if len(own) == 1:
        return own[0]
    every = [
        m
        for name, methods in declared.methods.items()
        for m in methods
        if name != "<init>" and not m.decl.static and not m.abstract and m.accepts(count)
    ]
    return every[0] if len(every) == 1 else None


def _interfaces_of(run: Interpreter, leaf: Function | Bound, name: str, count: int) -> list[Class]:
    """The interfaces of the program that a function may stand for; none where no default method of theirs may be called."""
    if run.scope.defaults is None:
        interfaces = [one for one in run.scope.classes if one.is_interface and not one.file.model]
        written = (pair for one in interfaces for pair in one.methods.items())
        run.scope.defaults = frozenset(name for name, found in written if any(not m.abstract for m in found))
    if name not in run.scope.defaults:
        return []
    if (name, count) not in run.heap.setdefault("default methods", {}):
        named = [one for one in run.scope.classes if one.is_interface and not one.file.model]
        held = [list(run.scope.methods(one, name, count)) for one in named]
        found = [one for one, methods in zip(named, held, strict=True) if methods]
        known = any(not method.abstract for methods in held for method in methods)
        run.heap["default methods"][name, count] = found if known else []
    counts = (len(leaf.params),) if isinstance(leaf, Function) and leaf.native is None else (-1,)
    return [
        one
        for one in run.heap["default methods"][name, count]
        if max(kinds.functional(one.simple, each, one, run) for each in counts) > 0
    ]


def _is_of_unread(run: Interpreter, leaf: Function | Bound) -> bool:
    """Whether a function stands for an interface of the program that no file declares: what is called may be a default
    method of it."""
    return len(leaf.interface) > 1 and run.scope.surely_lacks(leaf.interface)  # one letter: a type variable

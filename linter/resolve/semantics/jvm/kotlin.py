"""Kotlin's names, properties, receivers and standard library (`interpreter.Semantics`); all else is `Java`'s."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute import clients
from subdrift.linter.resolve.execute.guards import UNSET, apply, leaves, pick, under
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.program import DEFAULT_PACKAGES, Class, Method
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    Bound,
    Frame,
    Function,
    Gap,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    join,
    text,
)
from subdrift.linter.resolve.semantics.jvm import beans, kotlin_library, library
from subdrift.linter.resolve.semantics.jvm.java import Java
from subdrift.linter.resolve.semantics.jvm.operators import equal, raise_in

_TYPES = {
    "Int": "int", "Long": "long", "Short": "short", "Byte": "byte", "Boolean": "boolean", "Char": "char",
    "Double": "double", "Float": "float", "Any": "Object", "Array": "[]", "MutableList": "List",
    "MutableMap": "Map", "MutableSet": "Set", "MutableCollection": "Collection",
}  # fmt: skip
"""Kotlin's names of types -> Java's."""

_PROPERTY_OF_TYPE = {"simpleName": "getSimpleName", "name": "getName", "qualifiedName": "getName"}


class Kotlin(Java):
    """The semantics of Kotlin sources."""

    def __init__(self) -> None:
        super().__init__()
        self._given: tuple[TypeValue, ...] = ()  # the type arguments of the call that is being made
        self._assigned: dict[int, tuple[Any, frozenset[str]]] = {}  # of a body, which is kept for its id

    # -- where names are looked up --------------------------------------------------------------------------

    def name(self, run: Interpreter, node: ir.Name, frame: Frame) -> Guarded:
        name = node.name
        if name.startswith("this@"):
            return self._labelled_this(run, name.removeprefix("this@"), frame)
        for current in _chain(frame):
            if name in current.variables:
                value = current.variables[name]
                return None if value is UNSET else value
            if name in current.declared:
                return None
            if _has_receiver(current):
                found = run.over(
                    current.this, lambda leaf: self._property(run, leaf, name, frame, node.at, only=True)
                )
                if found is not UNSET:
                    return found
            if _is_last_of_class(current):
                found = self._of_classes(run, current, name, frame)
                if found is not UNSET:
                    return found
        found = self._top_level(run, name, frame, node.at)
        if found is not UNSET:
            return found
        named = run.type_named(name, frame)
        if isinstance(named, Class):
            return self.type_value(run, named)
        if named != name or name[:1].isupper() or name in _PACKAGES:
            return TypeValue(None, named)
        for receiver in _receivers(frame):
            for _, leaf in leaves(receiver, run.guard):
                if isinstance(leaf, Object) and leaf.declared is None:
                    return self.attribute(run, leaf, name, frame, node.at)
        return TypeValue(None, name)

    def _labelled_this(self, run: Interpreter, label: str, frame: Frame) -> Guarded:
        """`this@Outer`, `this@function`, `this@apply`: an object of the classes around, or a receiver."""
        for current in _chain(frame):
            name = (
                current.function.name if current.function else current.method.name if current.method else ""
            )
            if name == label and _has_receiver(current):
                return current.this
            this: Guarded = current.this
            while isinstance(this, Object) and this.declared is not None:
                if any(each.simple == label for each in run.scope.supers(this.declared)):
                    return this
                this = this.outer or (this.captured.this if this.captured else None)
        labelled = (current.this for current in _chain(frame) if _has_receiver(current))
        return next(labelled, frame.this)

    def type_value(self, run: Interpreter, named: Class) -> Guarded:
        """What the name of a class is as a value: the one object of an `object`, else the class."""
        if named.kind == "alias" and named.decl.supers:
            above = run.scope.named(named.decl.supers[0].name, named)
            return self.type_value(run, above) if isinstance(above, Class) else TypeValue(None, above)
        if named.kind in ("object", "companion"):
            return self.singleton(run, named)
        return TypeValue(named, named.name)

    def singleton(self, run: Interpreter, declared: Class) -> Object:
        """The one object of an `object` or companion, made when it is first asked for."""
        found = run.heap.get(("object", declared))
        if isinstance(found, Object):
            return found
        made = run.make(declared, declared.name, declared.at(declared.decl.name_at))
        run.heap["object", declared] = made
        before, raised = run.guard, run.raised
        run.guard, run.raised = True, []
        at = declared.at(declared.decl.name_at)
        self.initialise(run, made, declared, Arguments([]), run.frame(declared, None), at)
        run.guard, run.raised = before, raised
        return made

    def companion(self, run: Interpreter, declared: Class) -> Iterator[Object]:
        """The companion objects of a class and of those above it."""
        for each in run.scope.supers(declared):
            for inner in each.nested.values():
                if inner.kind == "companion":
                    yield self.singleton(run, inner)

    def _of_classes(self, run: Interpreter, current: Frame, name: str, frame: Frame) -> Guarded:
        """A property or enum constant of the classes around a frame, or of their companions."""
        assert current.owner is not None
        this = self._own_this(current)
        for around in current.owner.lexical():
            found = self._own_field(run, around, this, name)
            if found is not UNSET:
                return found
            for one in self.companion(run, around):
                assert one.declared is not None
                if run.scope.field(one.declared, name) is not None:
                    return self._own_field(run, one.declared, one, name)
            if around.kind == "enum" and name == "entries":
                return self._enum_call(run, around, "values", Arguments([]))
            if name in ("name", "ordinal") and any(one.kind == "enum" for one in run.scope.supers(around)):
                at = around.decl.at
                return run.over(this, partial(self._property, run, name=name, frame=frame, at=at))
            inherited = self._getter(run, around, this, name, frame)
            if inherited is not UNSET:
                return inherited
            this = self._outer(run, this, around)
        return UNSET

    def _own_field(self, run: Interpreter, owner: Class, this: Guarded, name: str) -> Guarded:
        found = None if name in owner.constants else run.scope.field(owner, name)
        if found is None or found[0].file.language != "kotlin" or found[0].kind == "module":
            return super()._own_field(run, owner, this, name)
        holder, decl = found
        return run.over(
            this, lambda leaf: self.read(run, self._holding(run, leaf, holder), name, holder, decl)
        )

    def _getter(self, run: Interpreter, around: Class, this: Guarded, name: str, frame: Frame) -> Guarded:
        """A property that is a getter of a Java class, or of a library's class above."""
        for getter in _getters(name):
            methods = run.scope.methods(around, getter, 0)
            if methods:
                return self._on_own(
                    run, this, around, methods, Arguments([]), frame, around.at(around.decl.at)
                )
        for _, leaf in leaves(this, run.guard):
            if isinstance(leaf, Object) and leaf.client is not None and _settable(leaf, name):
                return self.call_method(run, leaf, _getters(name)[0], Arguments([]), frame, around.decl.at)
        return UNSET

    def _own_this(self, current: Frame) -> Guarded:
        """The object of the class a frame's code stands in; a receiver in between is not it."""
        if current.method is not None and current.method.decl.receiver is not None and current.parent is None:
            return None
        return current.this

    def _top_level(self, run: Interpreter, name: str, frame: Frame, at: ir.At) -> Guarded:
        """A property of a file's top level, or a member imported by its name."""
        assert frame.owner is not None
        file = frame.owner.file
        written = _imported_as(frame, name)
        for module in self._modules(run, name, frame):
            found = module.fields.get(written if module.file is not file else name)
            if found is not None and found.receiver is None:
                return self.static_field(run, module, found)
        full = file.single.get(name)
        if full is not None:
            owner, _, member = full.rpartition(".")
            declared = run.scope.named(owner, frame.owner) if owner[:1] else ""
            if isinstance(declared, Class):
                return self.static(run, declared, member, frame, at)
            if owner.rpartition(".")[2][:1].isupper() and not isinstance(run.type_named(name, frame), Class):
                return self.library_constant(run, owner, member, frame, at)
        for wildcard in file.wildcards:
            if wildcard.rpartition(".")[2][:1].isupper():
                declared = run.scope.named(wildcard, frame.owner)
                if isinstance(declared, Class) and self._has_static(run, declared, name):
                    return self.static(run, declared, name, frame, at)
        return UNSET

    def _has_static(self, run: Interpreter, declared: Class, name: str) -> bool:
        holders = [declared, *(one.declared for one in self.companion(run, declared) if one.declared)]
        return name in declared.constants or any(run.scope.field(each, name) for each in holders)

    def _modules(self, run: Interpreter, name: str, frame: Frame) -> Iterator[Class]:
        """The top levels of files that a name may come from: this file, what is imported, the package, wildcards."""
        assert frame.owner is not None
        file = frame.owner.file
        program = run.scope.program
        yield from (one for one in file.classes.values() if one.kind == "module")
        packages = [file.unit.package, *file.wildcards]
        full = file.single.get(name)
        if full is not None:
            packages.insert(0, full.rpartition(".")[0])
        for package in packages:
            found = [one for one in program.modules(package) if one.file is not file]
            yield from sorted(found, key=lambda one: (run.scope.distance(file, one.origin), one.origin))
            if package:
                run.scope.definitions.missing.add(f"{package}.{name}")

    # -- properties -----------------------------------------------------------------------------------------

    def attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded:
        if isinstance(leaf, TypeValue):
            if name in _PROPERTY_OF_TYPE:
                return self._on_type(run, leaf, _PROPERTY_OF_TYPE[name], Arguments([]), frame, at)
            if name in ("java", "kotlin", "javaObjectType"):
                return leaf
            if name == "enumConstants" and leaf.declared is not None and leaf.declared.kind == "enum":
                return self._enum_call(run, leaf.declared, "values", Arguments([]))
            if leaf.declared is None:
                whole = f"{leaf.name}.{name}"
                if not leaf.simple[:1].isupper() or isinstance(run.type_named(whole, frame), Class):
                    return self._qualified(run, whole, name, frame, at)
            return super().attribute(run, leaf, name, frame, at)
        return self._property(run, leaf, name, frame, at)

    def _qualified(self, run: Interpreter, whole: str, name: str, frame: Frame, at: ir.At) -> Guarded:
        """`com.acme.Topics`, `com.acme.TOPIC`: a name with its package in front."""
        named = run.type_named(whole, frame)
        if isinstance(named, Class):
            return self.type_value(run, named)
        for module in run.scope.program.modules(whole.rpartition(".")[0]):
            if name in module.fields:
                return self.static_field(run, module, module.fields[name])
        return TypeValue(None, named)

    def _property(
        self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At, *, only: bool = False
    ) -> Guarded:
        """A property of a value. `only`: UNSET where the value is not known to have it."""
        if isinstance(leaf, Object):
            if leaf.declared is not None:
                found = run.scope.field(leaf.declared, name)
                if found is not None and found[1].receiver is None:
                    if found[0].file.language == "kotlin":
                        return self.read(run, leaf, name, *found)
                    return super().attribute(run, leaf, name, frame, at)
                for getter in _getters(name):
                    if run.scope.methods(leaf.declared, getter, 0):
                        return self.call_method(run, leaf, getter, Arguments([]), frame, at)
                if leaf.declared.kind in ("object", "companion") and name in leaf.declared.nested:
                    return self.type_value(run, leaf.declared.nested[name])
            if leaf.client is not None and _settable(leaf, name):
                return self.call_method(run, leaf, _getters(name)[0], Arguments([]), frame, at)
        extended = self._extension_property(run, leaf, name, self._modules(run, name, frame))
        if extended is not UNSET:
            return extended
        if isinstance(leaf, Object) and leaf.client is not None and not only:
            return self.call_method(run, leaf, _getters(name)[0], Arguments([]), frame, at)
        if name == "javaClass" and isinstance(leaf, Object):
            return TypeValue(leaf.declared, leaf.declared.name if leaf.declared else leaf.type)
        call = library.Call(self, run, leaf, name, [], frame, run.place(frame, at))
        known = kotlin_library.property_of(call, leaf)
        if known is not NotImplemented:
            return known
        extended = self._extension_property(run, leaf, name, self._models(run, name, frame))
        if extended is not UNSET:
            return extended
        if only:
            return UNSET
        if isinstance(leaf, Object) and (leaf.declared is None or name == "message"):
            if name in leaf.fields:
                return under(leaf.fields[name], run.guard)
            return library.method(
                self, run, leaf, _getters(name)[0], Arguments([]), frame, run.place(frame, at)
            )
        if isinstance(leaf, Unknown) and leaf.type is not None and leaf.type.declared is not None:
            for getter in _getters(name):
                if run.scope.methods(leaf.type.declared, getter, 0):
                    return self.call_method(run, leaf, getter, Arguments([]), frame, at)
        return super().attribute(run, leaf, name, frame, at)

    def _extension_property(
        self, run: Interpreter, leaf: Any, name: str, modules: Iterator[Class]
    ) -> Guarded:
        for module in modules:
            found = module.fields.get(name)
            if found is None or found.receiver is None or found.getter is None:
                continue
            if self._fits(run, leaf, found.receiver, module) >= 0:
                return self._accessor(run, leaf, module, found, found.getter)
        return UNSET

    def _accessor(
        self, run: Interpreter, this: Any, holder: Class, decl: ir.FieldDecl, body: Sequence[ir.Stmt]
    ) -> Guarded:
        """Runs a getter; `field` is what the property holds."""
        method = run.heap.get(("getter", holder, decl.name))
        if method is None:
            written = ir.MethodDecl(f"get-{decl.name}", (), decl.type, tuple(body), decl.at, decl.at)
            method = run.heap["getter", holder, decl.name] = Method(holder, written)
        if run.active(method) > 2:
            return Unknown(Why.CYCLE, decl.name)
        inner = run.frame(holder, this, method=method)
        if isinstance(this, Object):
            inner.variables["field"] = under(this.fields.get(decl.name), run.guard)
        return run.activate(method, inner, body)

    def super_attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded:
        owner = frame.owner
        for each in run.scope.supers(owner) if owner is not None else ():
            decl = each.fields.get(name)
            if each is owner or decl is None or each.file.language != "kotlin":
                continue
            if decl.getter is not None:
                return self._accessor(run, leaf, each, decl, decl.getter)
            if decl.value is not None and decl.final:
                return run.value(decl.value, run.frame(each, leaf))
            return run.unknown(Why.DYNAMIC, f"super.{name}", frame, at)
        return super().super_attribute(run, leaf, name, frame, at)

    def slot(self, run: Interpreter, made: Object, name: str, holder: Class | None) -> str:
        if holder is not None and holder.file.language == "kotlin":
            return name  # properties override each other
        return super().slot(run, made, name, holder)

    def read(self, run: Interpreter, leaf: Any, name: str, holder: Class, decl: ir.FieldDecl) -> Guarded:
        if isinstance(leaf, Object) and leaf.declared is not None:
            holder, decl = run.scope.field(leaf.declared, name) or (holder, decl)
        if isinstance(leaf, Object) and holder.is_interface and "<by>" in leaf.fields:
            for other in self._delegates(run, leaf, holder):
                return run.over(
                    other, lambda each: self._property(run, each, name, run.frame(holder, each), decl.at)
                )
        if decl.getter is not None:
            return self._accessor(run, leaf, holder, decl, decl.getter)
        if isinstance(leaf, Object) and _is_abstract(holder, decl) and name not in leaf.fields:
            for getter in _getters(name):
                if leaf.declared is not None and run.scope.methods(leaf.declared, getter, 0):
                    return self.call_method(
                        run, leaf, getter, Arguments([]), run.frame(holder, leaf), decl.at
                    )
            found = Unknown(Why.DYNAMIC, f"{holder.simple}.{name}")
            return self._typed(run, found, decl.type, holder)
        value = super().read(run, leaf, name, holder, decl)
        return self._delegated(run, value, decl, holder, leaf)

    def _delegates(self, run: Interpreter, leaf: Object, interface: Class) -> Iterator[Guarded]:
        """The objects that stand for an interface in another: `class A : B by b`."""
        for of, held in leaf.fields.get("<by>", ()):
            if not isinstance(of, Class) or run.scope.is_a(of, interface):
                yield held

    def static_field(self, run: Interpreter, holder: Class, decl: ir.FieldDecl) -> Guarded:
        if decl.getter is not None:
            return self._accessor(run, None, holder, decl, decl.getter)
        return self._delegated(run, super().static_field(run, holder, decl), decl, holder, None)

    def _delegated(
        self, run: Interpreter, value: Guarded, decl: ir.FieldDecl, holder: Class, this: Any
    ) -> Guarded:
        """What a delegate gives for its property."""
        if decl.delegate is None:
            return value
        frame = run.frame(holder, None)
        given = Arguments([this, self.property_value(run, decl.name)])

        def ask(leaf: Any) -> Guarded:
            if isinstance(leaf, Object) and leaf.declared is None and leaf.entries is not None:
                return self.call_method(run, leaf, "getValue", Arguments([text(decl.name)]), frame, decl.at)
            return self.call_method(run, leaf, "getValue", given, frame, decl.at)

        return run.over(value, ask)

    def property_value(self, run: Interpreter, name: str) -> Object:
        """What a delegate is told of its property."""
        return run.make(None, "KProperty", None, fields={"name": text(name)})

    def initial(self, run: Interpreter, made: Object, holder: Class, decl: ir.FieldDecl) -> Guarded:
        injected = beans.field_value(self, run, made, holder, decl)
        return None if injected is UNSET else injected

    def prepare(self, run: Interpreter, owner: Class) -> None:
        if owner not in run.prepared and owner.kind == "module":
            run.prepared.add(owner)  # a function's file is made ready by what it reads
            frame = run.frame(owner, None)
            before, raised = run.guard, run.raised
            run.guard, run.raised = True, []
            for decl in owner.decl.fields:
                written = decl.value if decl.delegate is None else decl.delegate
                if written is not None and (owner, decl.name) not in run.statics:
                    value = run.typed(run.value(written, frame), decl.type, frame)
                    run.statics[owner, decl.name] = self.through_name(run, value, owner, decl)
                run.guard = True
            for part in owner.decl.initialisers:
                run.run(part.body, frame)
                run.guard = True
            run.guard, run.raised = before, raised
            return
        super().prepare(run, owner)

    def static(self, run: Interpreter, owner: Class, name: str, frame: Frame, at: ir.At) -> Guarded:
        for each in run.scope.supers(owner):
            if name in each.constants:
                return self.constant(run, each, name)
            if name in each.nested:
                return self.type_value(run, each.nested[name])
        if owner.kind in ("object", "companion"):
            return self.attribute(run, self.singleton(run, owner), name, frame, at)
        if name == "entries" and owner.kind == "enum":
            return self._enum_call(run, owner, "values", Arguments([]))
        if owner.fields.get(name) is None or owner.kind != "module":
            for one in self.companion(run, owner):
                assert one.declared is not None
                if run.scope.field(one.declared, name) is not None:
                    return self._seen(run, self._own_field(run, one.declared, one, name), owner, frame)
        return super().static(run, owner, name, frame, at)

    # -- writing --------------------------------------------------------------------------------------------

    def assign_name(self, run: Interpreter, name: str, value: Guarded, frame: Frame, at: ir.At) -> None:
        for current in _chain(frame):
            if name in current.variables or name in current.declared:
                value = run.typed(value, current.declared.get(name), current)
                current.variables[name] = pick(run.guard, value, current.variables.get(name, UNSET))
                return
            if _has_receiver(current) and self._assign_receiver(run, current.this, name, value, frame, at):
                return
            if _is_last_of_class(current):
                assert current.owner is not None
                this = self._own_this(current)
                for around in current.owner.lexical():
                    if self._write_property(run, around, this, name, value, frame, at):
                        return
                    for one in self.companion(run, around):
                        assert one.declared is not None
                        if self._write_property(run, one.declared, one, name, value, frame, at):
                            return
                    if self._assign_receiver(run, this, name, value, frame, at):
                        return
                    this = self._outer(run, this, around)
        for module in self._modules(run, name, frame):
            if self._write(run, module, None, name, value):
                return
        for receiver in _receivers(frame):
            if any(isinstance(leaf, Object) and leaf.declared is None for _, leaf in leaves(receiver)):
                run.over(receiver, lambda leaf: self.set_attribute(run, leaf, name, value, frame, at))
                return
        frame.variables[name] = pick(run.guard, value, frame.variables.get(name, UNSET))

    def _assign_receiver(
        self, run: Interpreter, receiver: Guarded, name: str, value: Guarded, frame: Frame, at: ir.At
    ) -> bool:
        """Writes a property of a receiver where it has one of the name."""
        if not any(self._has_property(run, leaf, name) for _, leaf in leaves(receiver, run.guard)):
            return False
        run.over(receiver, lambda leaf: self.set_attribute(run, leaf, name, value, frame, at))
        return True

    def _has_property(self, run: Interpreter, leaf: Any, name: str) -> bool:
        if not isinstance(leaf, Object):
            return False
        if leaf.client is not None and _settable(leaf, name):
            return True
        if leaf.declared is None:
            return name in leaf.fields
        setter = f"set{name[:1].upper()}{name[1:]}"
        return run.scope.field(leaf.declared, name) is not None or bool(
            run.scope.methods(leaf.declared, setter, 1)
        )

    def _write_property(
        self,
        run: Interpreter,
        around: Class,
        this: Guarded,
        name: str,
        value: Guarded,
        frame: Frame,
        at: ir.At,
    ) -> bool:
        if run.scope.field(around, name) is None:
            return False
        if any(isinstance(leaf, Object) for _, leaf in leaves(this, run.guard)):
            run.over(this, lambda leaf: self.set_attribute(run, leaf, name, value, frame, at))
            return True
        return self._write(run, around, this, name, value)

    def set_attribute(
        self, run: Interpreter, leaf: Any, name: str, value: Guarded, frame: Frame, at: ir.At
    ) -> None:
        setter = f"set{name[:1].upper()}{name[1:]}"
        if isinstance(leaf, Object):
            found = run.scope.field(leaf.declared, name) if leaf.declared is not None else None
            if found is not None:
                holder, decl = found
                if decl.setter is not None and decl.setter.body is not None:
                    self._set(run, leaf, holder, decl, decl.setter, value)
                    return
                if decl.delegate is not None:
                    self._set_delegated(run, leaf, decl, holder, value)
                    return
                super().set_attribute(run, leaf, name, value, frame, at)
                return
            unset = leaf.declared is not None and not run.scope.methods(leaf.declared, setter, 1)
            if unset and leaf.client is None:
                super().set_attribute(run, leaf, name, value, frame, at)
                return
            run.called = at
            self.call_method(run, leaf, setter, Arguments([value]), frame, at)
        elif isinstance(leaf, Unknown):
            run.called = at
            self.call_method(run, leaf, setter, Arguments([value]), frame, at)
        else:
            super().set_attribute(run, leaf, name, value, frame, at)

    def _set_delegated(
        self, run: Interpreter, this: Object, decl: ir.FieldDecl, holder: Class, value: Guarded
    ) -> None:
        """Hands a value to the delegate of a property."""
        frame = run.frame(holder, this)
        name = decl.name

        def hand(leaf: Any) -> Guarded:
            if isinstance(leaf, Object) and leaf.declared is not None:
                given = Arguments([this, self.property_value(run, name), value])
                return self.call_method(run, leaf, "setValue", given, frame, decl.at)
            if isinstance(leaf, Object) and leaf.entries is not None:
                return self.call_method(run, leaf, "put", Arguments([text(name), value]), frame, decl.at)
            this.fields[name] = pick(run.guard, _held(run, value), this.fields.get(name))
            return None

        run.over(under(this.fields.get(name), run.guard), hand)

    def _set(
        self,
        run: Interpreter,
        this: Object,
        holder: Class,
        decl: ir.FieldDecl,
        setter: ir.MethodDecl,
        value: Guarded,
    ) -> None:
        """Runs a setter; what it leaves in `field` is what the property holds."""
        inner = run.frame(holder, this, method=Method(holder, setter))
        inner.variables["field"] = this.fields.get(decl.name)
        for param in setter.params:
            inner.variables[param.name] = value
        before = run.guard
        run.run(setter.body or (), inner)
        run.guard = before
        this.fields[decl.name] = pick(before, inner.variables["field"], this.fields.get(decl.name))

    def captured(self, frame: Frame) -> Frame:
        """A lambda sees the variables themselves; each turn of a loop has variables of its own, which it keeps."""
        body = frame.function.body if frame.function else frame.method.decl.body if frame.method else None
        if not body or not any(loop.turns for loop in frame.loops):
            return frame
        assigned = self._assigned.get(id(body))
        if assigned is None:
            assigned = self._assigned[id(body)] = (body, _assigned_in(body))
        kept = {
            name: value
            for name, value in frame.variables.items()
            if value is not UNSET and name not in assigned[1]
        }
        return replace(frame, parent=frame, variables=kept, shared=_CAPTURED)

    def augment(self, run: Interpreter, before: Guarded, operator: str, value: Guarded) -> bool:
        """`xs += x` on a collection that can change: it is another call, not another value."""
        found = [leaf for _, leaf in leaves(before, run.guard)]
        name = f"{_OPERATORS.get(operator, operator)}Assign"
        if all(
            isinstance(leaf, Object) and leaf.declared and run.scope.methods(leaf.declared, name, 1)
            for leaf in found
        ):
            for leaf in found:
                methods = run.scope.methods(leaf.declared, name, 1)
                self._dispatch(run, methods, leaf, Arguments([value]), None, leaf.at)
            return bool(found)
        if operator not in ("+", "-") or not found:
            return False
        if not all(isinstance(leaf, Object) and leaf.type in kotlin_library.MUTABLE for leaf in found):
            return False
        for guard, leaf in leaves(before, run.guard):
            kotlin_library.take_in(run, leaf, value, guard, removes=operator == "-")
        return True

    # -- making objects -------------------------------------------------------------------------------------

    def _run_fields(
        self, run: Interpreter, made: Object, declared: Class, constructor: Frame | None = None
    ) -> None:
        if declared.file.language != "kotlin":
            super()._run_fields(run, made, declared, constructor)
            return
        parent = constructor or (made.captured if declared.local else None)
        frame = run.frame(declared, made, parent=parent, method=constructor.method if constructor else None)
        for component in declared.decl.components or ():
            if component.property and constructor is not None and component.name in constructor.variables:
                made.fields[self.slot(run, made, component.name, declared)] = constructor.variables[
                    component.name
                ]
        if frame.parent is not None and constructor is not None:  # what they write are the properties
            own = {each.name for each in declared.decl.components or () if each.property}
            left = {name: value for name, value in constructor.variables.items() if name not in own}
            typed = {name: ref for name, ref in constructor.declared.items() if name not in own}
            frame.parent = replace(constructor, variables=left, declared=typed, this=made)
        for delegate in declared.decl.delegates:
            held = made.fields.setdefault("<by>", ())
            of = run.scope.named(delegate.type.name, declared)
            made.fields["<by>"] = (*held, (of, run.value(delegate.value, frame)))
        parts: list[ir.FieldDecl | ir.Initialiser] = [
            decl for decl in declared.decl.fields if (decl.value is not None or decl.delegate is not None)
        ]
        parts += declared.decl.initialisers
        for part in sorted(parts, key=lambda one: one.at):
            if run.guard is False:
                return
            if isinstance(part, ir.Initialiser):
                run.run(part.body, frame)
            elif not beans.keeps(made, declared, part):
                overriding = None if made.declared is None else run.scope.field(made.declared, part.name)
                if overriding is not None and overriding[0] is not declared:
                    continue
                written = part.value if part.delegate is None else part.delegate
                assert written is not None
                value = run.typed(run.value(written, frame), part.type, frame)
                if declared.kind in ("object", "companion"):
                    value = self.through_name(run, value, declared, part)
                made.fields[self.slot(run, made, part.name, declared)] = value

    # -- calls ----------------------------------------------------------------------------------------------

    def call_name(self, run: Interpreter, node: ir.Call, arguments: Arguments, frame: Frame) -> Guarded:
        self._given = tuple(self._type_value(run, ref, frame) for ref in node.types)
        found = self._call_by_name(run, node, arguments, frame)
        self._given = ()
        return found

    def _call_by_name(self, run: Interpreter, node: ir.Call, arguments: Arguments, frame: Frame) -> Guarded:
        name, count = node.name, len(arguments)
        at = run.place(frame, node.at)
        for current in _chain(frame):
            held = current.variables.get(name, UNSET)
            if held is not UNSET and held is not None:
                return self._call_held(run, held, arguments, frame, at, current.declared.get(name))
            if _has_receiver(current):
                found = self._on_receiver(run, current.this, name, arguments, frame, node.at)
                if found is not NotImplemented:
                    return found
            if _is_last_of_class(current):
                found = self._on_classes(run, current, node, arguments, frame)
                if found is not NotImplemented:
                    return found
        found = self._on_top_level(run, name, arguments, frame, node.at)
        if found is not NotImplemented:
            return found
        named = run.type_named(name, frame)
        if isinstance(named, Class):
            return self._make(run, named, node, arguments, frame, at)
        of_enum = {"enumValues": "values", "enumValueOf": "valueOf"}.get(name)
        if of_enum and self._given:
            return self.call_method(run, self._given[0], of_enum, arguments, frame, node.at)
        call = library.Call(self, run, None, name, arguments.values, frame, at)
        found = kotlin_library.function(self, call, arguments)
        if found is not NotImplemented:
            return found
        found = self._of_modules(run, self._models(run, name, frame), name, arguments, frame, node.at)
        if found is not NotImplemented:
            return found
        receiver = next(_receivers(frame), None)
        if name in kotlin_library.SCOPE and receiver is not None:
            return run.over(
                receiver, lambda leaf: self.call_method(run, leaf, name, arguments, frame, node.at)
            )
        if name[:1].isupper() or "." in named:
            lone = count == 1 and isinstance(arguments.get(0), Function)
            if lone and named.rpartition(".")[2] not in _TAKES_A_TASK and clients.java_class(named) is None:
                return run.typed(arguments.get(0), ir.TypeRef(named), frame)
            return self._library_object(run, named, _as_new(node), arguments, frame, at)
        for receiver in _receivers(frame):
            for _, leaf in leaves(receiver, run.guard):
                if (isinstance(leaf, Object) and leaf.declared is None) or isinstance(leaf, Unknown | Text):
                    return self.call_method(run, leaf, name, arguments, frame, node.at)
        unknown = run.unknown(Why.DYNAMIC, f"{name}()", frame, node.at)
        reached = [current.this for current in _chain(frame) if _has_receiver(current)]
        return run.havoc(name, unknown, None, replace(arguments, values=[*arguments.values, *reached]))

    def _call_held(
        self,
        run: Interpreter,
        held: Guarded,
        arguments: Arguments,
        frame: Frame,
        at: Location,
        ref: ir.TypeRef | None = None,
    ) -> Guarded:
        """Calls a variable: a function, which may be one on a receiver, or an object that can be invoked. `ref`: the type
        it is declared with."""
        values = arguments.values
        extends = ref is not None and ref.name == _RECEIVER_FUNCTION

        def on(leaf: Any) -> Guarded:
            if extends and isinstance(leaf, Function | Bound):
                assert ref is not None
                if len(values) < len(ref.args) - 1:
                    receiver = self._receiver_of(run, ref.args[0], frame)
                    return self.call_on(run, leaf, receiver, values, frame, at)
                return self.call_on(run, leaf, values[0], values[1:], frame, at)
            if (
                ref is not None
                and ref.name == "->"
                and isinstance(leaf, Function)
                and leaf.interface != _RECEIVER_FUNCTION
            ):
                return run.call(leaf, arguments, frame, at)
            if (
                (
                    isinstance(leaf, Function)
                    and leaf.native is None
                    and leaf.method is None
                    and arguments.values
                )
                and len(arguments.values) == len(_written(leaf)) + 1
                and not _names_it(leaf)
            ):
                return self.call_on(run, leaf, arguments.values[0], arguments.values[1:], frame, at)
            declared = leaf.declared if isinstance(leaf, Object) else None
            if declared is not None and run.scope.methods(declared, "invoke", len(arguments)):
                place = declared.decl.at
                return self.call_method(run, leaf, "invoke", arguments, frame, place)
            return run.call(leaf, arguments, frame, at)

        return run.over(held, on)

    def _receiver_of(self, run: Interpreter, ref: ir.TypeRef, frame: Frame) -> Guarded:
        """The innermost implicit receiver of a type."""
        assert frame.owner is not None
        found = list(_receivers(frame))
        for receiver in found:
            fits = [self._fits(run, leaf, ref, frame.owner) for _, leaf in leaves(receiver, run.guard)]
            if fits and min(fits) > 0:
                return receiver
        return found[0] if found else run.unknown(Why.DYNAMIC, ref.name, frame, (1, 1, 1, 1))

    def call_on(
        self,
        run: Interpreter,
        function: Guarded,
        receiver: Guarded,
        values: Sequence[Guarded],
        frame: Frame | None,
        at: Location | None,
    ) -> Guarded:
        """Calls a function with a receiver: `receiver.apply { … }`."""

        def on(leaf: Any) -> Guarded:
            if isinstance(leaf, Function) and leaf.native is None and leaf.method is None:
                leaf.ran = True
                params = leaf.params if values else _written(leaf)
                inner = replace(leaf, this=receiver, params=params)
                return run.call(inner, Arguments(list(values)), frame, at)
            return run.call(leaf, Arguments([receiver, *values]), frame, at)

        return run.over(function, on)

    def _on_receiver(
        self, run: Interpreter, receiver: Guarded, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        """A member of an implicit receiver; NotImplemented where it has none of the name."""
        found = [leaf for _, leaf in leaves(receiver, run.guard)]
        if not found or not all(self._has_member(run, leaf, name, len(arguments)) for leaf in found):
            return NotImplemented
        return run.over(receiver, lambda leaf: self.call_method(run, leaf, name, arguments, frame, at))

    def _has_member(self, run: Interpreter, leaf: Any, name: str, count: int) -> bool:
        if isinstance(leaf, Object):
            if leaf.declared is not None and run.scope.methods(leaf.declared, name, count):
                return True
            if leaf.declared is not None and leaf.declared.decl.data and name == "copy":
                return True
            if leaf.client is not None:
                return name in leaf.client.operations or name.startswith(("set", "get"))
        return kotlin_library.has_member(leaf, name)

    def _on_classes(
        self, run: Interpreter, current: Frame, node: ir.Call, arguments: Arguments, frame: Frame
    ) -> Guarded:
        """A method of the classes around a frame, of their companions, or what a library's class above gives."""
        assert current.owner is not None
        name, count = node.name, len(arguments)
        at = run.place(frame, node.at)
        this = self._own_this(current)
        for around in current.owner.lexical():
            methods = [m for m in run.scope.methods(around, name, count) if m.decl.receiver is None]
            if methods and methods[0].owner.is_interface and _has_delegates(this):
                return run.over(
                    this, lambda leaf: self.call_method(run, leaf, name, arguments, frame, node.at)
                )
            if methods:
                return self._on_own(run, this, around, methods, arguments, frame, at)
            extensions = [m for m in run.scope.methods(around, name, count) if m.decl.receiver is not None]
            for receiver in _receivers(frame):
                fitting = self._fitting(run, extensions, receiver)
                if fitting:
                    return self._extend(run, fitting, receiver, arguments, frame, at)
            for one in self.companion(run, around):
                assert one.declared is not None
                methods = run.scope.methods(one.declared, name, count)
                if methods:
                    return self._dispatch(run, methods, one, arguments, frame, at)
            held = self._own_field(run, around, this, name)
            if held is not UNSET:
                field = run.scope.field(around, name)
                return self._call_held(run, held, arguments, frame, at, field[1].type if field else None)
            if around.kind == "anonymous" or run.scope.library_supers(around):
                found = self._inherited(run, this, around, node, arguments, frame)
                if found is not UNSET:
                    return found
            if around.kind == "enum" and name in ("values", "valueOf"):
                return self._enum_call(run, around, name, arguments)
            if around.decl.data and name == "copy":
                return self.call_method(run, this, name, arguments, frame, node.at)
            this = self._outer(run, this, around)
        return NotImplemented

    def _on_top_level(
        self, run: Interpreter, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        """A function outside of classes, one on an implicit receiver, or a static member imported by its name."""
        found = self._of_modules(run, self._modules(run, name, frame), name, arguments, frame, at)
        if found is not NotImplemented:
            return found
        assert frame.owner is not None
        full = frame.owner.file.single.get(name)
        if full is not None and not name[:1].isupper():
            owner, _, member = full.rpartition(".")
            declared = run.scope.named(owner, frame.owner)
            if isinstance(declared, Class):
                value = self.type_value(run, declared)
                return self.call_method(run, value, member, arguments, frame, at)
            if owner.rpartition(".")[2][:1].isupper():
                return library.static_call(self, run, owner, member, arguments, frame, at)
        return NotImplemented

    def _models(self, run: Interpreter, name: str, frame: Frame) -> Iterator[Class]:
        """The top levels of the library's models that a name may come from."""
        models = run.scope.models
        if models is None or frame.owner is None:
            return
        file = frame.owner.file
        full = file.single.get(name)
        packages = [] if full is None else [full.rpartition(".")[0]]
        packages += [*([file.unit.package] if file.model else ()), *file.wildcards, *_ALWAYS]
        for package in dict.fromkeys(packages):
            yield from models.package(package)

    def _of_modules(
        self,
        run: Interpreter,
        modules: Iterator[Class],
        name: str,
        arguments: Arguments,
        frame: Frame,
        at: ir.At,
    ) -> Guarded:
        """A function outside of classes, or one on an implicit receiver; NotImplemented where there is none."""
        place = run.place(frame, at)
        count = len(arguments)
        for module in modules:
            methods = [m for m in module.methods.get(_imported_as(frame, name), ()) if m.accepts(count)]
            plain = [m for m in methods if m.decl.receiver is None]
            if plain:
                return self._dispatch(run, plain, None, arguments, frame, place)
            for receiver in _receivers(frame):
                fitting = self._fitting(run, methods, receiver)
                if fitting:
                    return self._extend(run, fitting, receiver, arguments, frame, place)
            held = module.fields.get(name)
            if held is not None and held.receiver is None and not name[:1].isupper():
                return self._call_held(run, self.static_field(run, module, held), arguments, frame, place)
        return NotImplemented

    def _make(
        self, run: Interpreter, named: Class, node: ir.Call, arguments: Arguments, frame: Frame, at: Location
    ) -> Guarded:
        """A constructor's call, by the name of a class."""
        if named.kind == "alias":
            value = self.type_value(run, named)
            if isinstance(value, TypeValue) and value.declared is None:
                return self._library_object(run, value.name, _as_new(node), arguments, frame, at)
            if isinstance(value, TypeValue) and value.declared is not None:
                named = value.declared
        if named.is_interface and len(arguments) == 1:
            return run.typed(arguments.get(0), ir.TypeRef(named.name), frame)
        if named.kind in ("object", "companion"):
            return self.call_method(run, self.singleton(run, named), "invoke", arguments, frame, node.at)
        for one in self.companion(run, named):
            assert one.declared is not None
            if run.scope.methods(one.declared, "invoke", len(arguments)) and not any(
                m.accepts(len(arguments)) for m in named.methods.get("<init>", ())
            ):
                return self.call_method(run, one, "invoke", arguments, frame, node.at)
        if not named.concrete:
            return run.unknown(Why.UNSUPPORTED, named.simple, frame, node.at)
        return self.instantiate(run, named, arguments, frame, at, frame.this)

    def initialise(
        self,
        run: Interpreter,
        made: Object,
        declared: Class,
        arguments: Arguments,
        frame: Frame,
        at: Location,
    ) -> None:
        constructors = [m for m in declared.methods.get("<init>", ()) if m.accepts(len(arguments))]
        chosen = self.overload(run, constructors, arguments)
        placed = arguments if chosen is None else _placed(chosen, arguments)
        super().initialise(run, made, declared, placed, frame, at)

    def _dispatch(
        self,
        run: Interpreter,
        methods: list[Method],
        this: Guarded,
        arguments: Arguments,
        frame: Frame | None,
        at: Location | None,
    ) -> Guarded:
        chosen = self.overload(run, methods, arguments) or methods[0]
        chosen = self._overriding(run, chosen, this, arguments)
        arguments = _placed(chosen, arguments)
        around = self._with_types(run, chosen, this)
        if around is not None and not chosen.owner.local:
            return run.invoke(chosen, this, arguments, frame, at, around)
        return super()._dispatch(run, [chosen], this, arguments, frame, at)

    def _with_types(self, run: Interpreter, method: Method, this: Guarded) -> Frame | None:
        """A frame around a function's with the types that its call gives its type parameters: `f<A>()`."""
        given, self._given = self._given, ()
        names = [name for name, _ in method.decl.parameters]
        if not given or len(names) < len(given):
            return None
        around = run.frame(method.owner, this)
        around.variables.update(
            (f"<{name}>", value) for name, value in zip(names, given, strict=False) if value is not None
        )
        return around

    def _overriding(self, run: Interpreter, method: Method, this: Guarded, arguments: Arguments) -> Method:
        """The method that overrides one whose default values a call uses: it has those, and writes none."""
        declared = this.declared if isinstance(this, Object) else None
        params = method.decl.params
        if declared is None or declared is method.owner or len(arguments) >= len(params):
            return method
        for each in run.scope.supers(declared):
            if each is method.owner:
                break
            for other in each.methods.get(method.name, ()):
                if len(other.decl.params) != len(params) or other.decl.body is None:
                    continue
                found = run.heap.get(("defaults", other))
                if found is None:
                    merged = tuple(
                        msgspec.structs.replace(mine, default=theirs.default)
                        for mine, theirs in zip(other.decl.params, params, strict=True)
                    )
                    decl = msgspec.structs.replace(other.decl, params=merged)
                    found = run.heap["defaults", other] = Method(each, decl)
                assert isinstance(found, Method)
                return found
        return method

    def overload(self, run: Interpreter, methods: Sequence[Method], arguments: Arguments) -> Method | None:
        names = set(arguments.names)
        fitting = [m for m in methods if names <= {param.name for param in m.decl.params}]
        return super().overload(run, fitting or methods, arguments)

    def _fits(self, run: Interpreter, leaf: Any, ref: ir.TypeRef, near: Class) -> int:
        if ref.name in ("->", _RECEIVER_FUNCTION):
            return (
                5 if isinstance(leaf, Function | Bound) else 0 if isinstance(leaf, Unknown | Object) else -1
            )
        if isinstance(leaf, Object) and leaf.declared is None and leaf.client is not None:
            named = run.scope.named(ref.name, near)
            return (
                5
                if isinstance(named, str) and named.rpartition(".")[2] == leaf.type.rpartition(".")[2]
                else (
                    2
                    if ref.name in ("Any", *near.variables)
                    else 1
                    if isinstance(named, str) and "Consumer" in named
                    else -1
                )
            )
        held = leaf.items if isinstance(leaf, Object) and leaf.declared is None else None
        if near.file.model and held is not None and ref.name in ("Iterable", "Collection", "List"):
            return 5  # the library has each of these functions for arrays, sets and sequences too
        if ref.name in _TYPES and not isinstance(run.scope.named(ref.name, near), Class):
            ref = ir.TypeRef(_TYPES[ref.name], ref.args)
        return super()._fits(run, leaf, ref, near)

    def call_method(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        place = run.place(frame, at)
        if isinstance(leaf, Function | Bound) and name == "invoke":
            return self._call_held(run, leaf, arguments, frame, place)
        if isinstance(leaf, Object) and leaf.declared is not None:
            if self._is_extended(run, name, frame) and self._is_hidden(run, leaf, name, arguments, frame):
                return run.unknown(Why.DYNAMIC, f"{name}()", frame, at)
            found = self._of_declared(run, leaf, name, arguments, frame, at)
            if found is not NotImplemented:
                return found
        if isinstance(leaf, TypeValue) and leaf.declared is not None:
            for one in self.companion(run, leaf.declared):
                assert one.declared is not None
                if run.scope.methods(one.declared, name, len(arguments)):
                    return self.call_method(run, one, name, arguments, frame, at)
            nested = leaf.declared.nested.get(name)
            if nested is not None:
                return self._make(run, nested, _call_of(name, at), arguments, frame, place)
        if isinstance(leaf, TypeValue) and leaf.declared is None and name[:1].isupper():
            named = run.type_named(f"{leaf.name}.{name}", frame)
            if isinstance(named, Class):
                return self._make(run, named, _call_of(name, at), arguments, frame, place)
            return self._library_object(run, named, _as_new(_call_of(name, at)), arguments, frame, place)
        if isinstance(leaf, TypeValue) and leaf.declared is None and not leaf.simple[:1].isupper():
            for module in run.scope.program.modules(leaf.name):
                methods = [m for m in module.methods.get(name, ()) if m.accepts(len(arguments))]
                if methods:
                    return self._dispatch(run, methods, None, arguments, frame, place)
        extensions = self._extensions(run, leaf, name, arguments, frame)
        if extensions and not self._is_member(run, leaf, name, arguments):
            return self._extend(run, extensions, leaf, arguments, frame, place)
        held = next((c.variables[name] for c in _chain(frame) if name in c.variables), None)
        if isinstance(held, Function):
            return self.call_on(run, held, leaf, arguments.values, frame, place)
        call = library.Call(self, run, leaf, name, arguments.values, frame, place)
        found = kotlin_library.method(self, call, arguments)
        if found is not NotImplemented:
            return found
        modelled = self._extensions_of(run, self._models(run, name, frame), leaf, name, arguments, frame)
        if modelled:
            return self._extend(run, modelled, leaf, arguments, frame, place)
        if (
            isinstance(leaf, Object)
            and leaf.client is not None
            and self._is_unseen(run, leaf, name, arguments)
        ):
            unknown = run.unknown(Why.DYNAMIC, f"{name}()", frame, at)
            return run.havoc(name, unknown, leaf, replace(arguments, values=[leaf, *arguments.values]))
        return super().call_method(run, leaf, name, arguments, frame, at)

    def _is_unseen(self, run: Interpreter, leaf: Object, name: str, arguments: Arguments) -> bool:
        """Whether a function that a consumer does not have is called on it with code: an extension nobody sees, which may
        do anything with both."""
        assert leaf.client is not None
        if name in leaf.client.operations or name.startswith(("set", "register", "get")):
            return False
        values = [*arguments.values, *arguments.names.values()]
        return any(
            isinstance(one, Function | Bound) for value in values for _, one in leaves(value, run.guard)
        )

    def _is_extended(self, run: Interpreter, name: str, frame: Frame) -> bool:
        """Whether a file of the packages in sight declares functions of a name outside of classes."""
        if frame.owner is None:
            return False
        file = frame.owner.file
        packages = (file.unit.package, *file.wildcards)
        return any(name in one.methods for package in packages for one in run.scope.program.modules(package))

    def _is_hidden(
        self, run: Interpreter, leaf: Object, name: str, arguments: Arguments, frame: Frame
    ) -> bool:
        """Whether an extension of a type above is meant where the declared type is that one: nobody follows those."""
        assert leaf.declared is not None
        for method in self._extensions(run, leaf, name, arguments, frame):
            assert method.decl.receiver is not None
            above = run.scope.named(method.decl.receiver.name, method.owner)
            if isinstance(above, Class) and above is not leaf.declared:
                own = run.scope.methods(leaf.declared, name, len(arguments))
                return bool(own) and not run.scope.methods(above, name, len(arguments))
        return False

    def _is_member(self, run: Interpreter, leaf: Any, name: str, arguments: Arguments) -> bool:
        """Whether a consumer has the method itself, by what its arguments are: members come before extensions."""
        if not isinstance(leaf, Object) or leaf.client is None or name not in leaf.client.operations:
            return False
        given = [one for value in arguments.values for _, one in leaves(value, run.guard)]
        if arguments.names or not given:
            return False
        return all(not isinstance(one, Object) or one.declared is None for one in given)

    def _of_declared(
        self, run: Interpreter, leaf: Object, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        """A member of an object whose class is here: written, of a data class, of a delegate, or a property."""
        declared = leaf.declared
        assert declared is not None
        methods = [m for m in run.scope.methods(declared, name, len(arguments)) if m.decl.receiver is None]
        if "<by>" in leaf.fields and methods and methods[0].owner.is_interface:
            for held in self._delegates(run, leaf, methods[0].owner):
                return run.over(held, lambda each: self.call_method(run, each, name, arguments, frame, at))
        if methods and not all(method.abstract for method in methods):
            return self._dispatch(run, methods, leaf, arguments, frame, run.place(frame, at))
        if declared.decl.data:
            components = declared.decl.components or ()
            if name == "copy":
                return self._copy(run, leaf, declared, arguments, frame, run.place(frame, at))
            if name.startswith("component") and name[9:].isdigit() and int(name[9:]) <= len(components):
                return self._property(run, leaf, components[int(name[9:]) - 1].name, frame, at)
        for each in run.scope.supers(declared):
            if name in each.nested:  # `outer.Inner()`
                place = run.place(frame, at)
                return self.instantiate(run, each.nested[name], arguments, frame, place, leaf)
        for _, held in leaf.fields.get("<by>", ()):
            for _, other in leaves(held, run.guard):
                if self._has_member(run, other, name, len(arguments)):
                    return run.over(
                        held, lambda each: self.call_method(run, each, name, arguments, frame, at)
                    )
        found = run.scope.field(declared, name)
        if found is not None and found[1].receiver is None and name not in ("equals", "toString"):
            value = self.read(run, leaf, name, *found)
            if any(isinstance(each, Function | Bound | Object) for _, each in leaves(value)):
                place = run.place(frame, at)
                return self._call_held(run, value, arguments, frame, place, found[1].type)
        for prefix in ("get", "is", "set"):  # as Java calls a property
            if name.startswith(prefix) and len(name) > len(prefix):
                rest = name[len(prefix) :]
                for written in (rest[0].lower() + rest[1:], f"is{rest}"):
                    if run.scope.field(declared, written) is None:
                        continue
                    if prefix == "set" and arguments.values:
                        self.set_attribute(run, leaf, written, arguments.values[0], frame, at)
                        return None
                    if prefix != "set" and not arguments.values:
                        return self._property(run, leaf, written, frame, at)
        return NotImplemented

    def _copy(
        self,
        run: Interpreter,
        leaf: Object,
        declared: Class,
        arguments: Arguments,
        frame: Frame,
        at: Location,
    ) -> Object:
        components = declared.decl.components or ()
        values = [
            arguments.get(index, each.name, under(leaf.fields.get(each.name), run.guard))
            for index, each in enumerate(components)
        ]
        return self.instantiate(run, declared, Arguments(values), frame, at)

    def _extensions(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame
    ) -> list[Method]:
        """The extension functions of a name that are in sight and fit a receiver."""
        count = len(arguments)
        for current in _chain(frame):
            assert current.owner is not None
            for around in current.owner.lexical():
                homes = [around, *(one.declared for one in self.companion(run, around) if one.declared)]
                for home in homes:
                    found = self._fitting(run, run.scope.methods(home, name, count), leaf)
                    if found:
                        return found
        for receiver in _receivers(frame):
            for _, one in leaves(receiver, run.guard):
                if isinstance(one, Object) and one.declared is not None:
                    found = self._fitting(run, run.scope.methods(one.declared, name, count), leaf)
                    if found:
                        return found
        found = self._extensions_of(run, self._modules(run, name, frame), leaf, name, arguments, frame)
        if found:
            return found
        written = _imported_as(frame, name)
        assert frame.owner is not None
        full = frame.owner.file.single.get(name)
        if full is not None:
            declared = run.scope.named(full.rpartition(".")[0], frame.owner)
            if isinstance(declared, Class) and declared.kind in ("object", "companion"):
                return self._fitting(run, run.scope.methods(declared, written, count), leaf)
        return []

    def _extensions_of(
        self,
        run: Interpreter,
        modules: Iterator[Class],
        leaf: Any,
        name: str,
        arguments: Arguments,
        frame: Frame,
    ) -> list[Method]:
        written = _imported_as(frame, name)
        for module in modules:
            methods = [m for m in module.methods.get(written, ()) if m.accepts(len(arguments))]
            found = self._fitting(run, methods, leaf)
            if found:
                return found
        return []

    def _fitting(self, run: Interpreter, methods: Sequence[Method], receiver: Guarded) -> list[Method]:
        found: list[tuple[int, int, Method]] = []
        for number, method in enumerate(methods):
            ref = method.decl.receiver
            if ref is None:
                continue
            variables = {name for name, _ in method.decl.parameters}
            fits = [
                1 if ref.name in variables else self._fits(run, leaf, ref, method.owner)
                for _, leaf in leaves(receiver, run.guard)
            ]
            if fits and min(fits) >= 0:
                found.append((-min(fits), number, method))
        found.sort(key=lambda each: each[:2])
        if len(found) > 1 and found[0][0] == found[1][0]:
            first, second = found[0][2].decl.receiver, found[1][2].decl.receiver
            if first is not None and second is not None and first.name == second.name and first != second:
                return []  # of two types that differ in what they hold
        return [method for _, _, method in found[:1]]

    def _extend(
        self,
        run: Interpreter,
        methods: list[Method],
        receiver: Guarded,
        arguments: Arguments,
        frame: Frame,
        at: Location,
    ) -> Guarded:
        """Runs an extension function: its receiver is `this`, around it the object it is declared in."""
        method = methods[0]
        holder: Guarded = None
        if method.owner.kind in ("object", "companion"):
            holder = self.singleton(run, method.owner)
        elif method.owner.kind != "module":
            holder = next(
                (
                    one
                    for receiver in _receivers(frame)
                    for _, one in leaves(receiver, run.guard)
                    if isinstance(one, Object)
                    and one.declared is not None
                    and run.scope.is_a(one.declared, method.owner)
                ),
                None,
            )
        around = self._with_types(run, method, holder)
        if around is None and method.owner.kind != "module":
            around = run.frame(method.owner, holder)
        return run.over(
            receiver,
            lambda leaf: run.invoke(method, leaf, _placed(method, arguments), frame, at, around),
        )

    def _on_unknown(
        self, run: Interpreter, leaf: Unknown, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        if leaf.type is not None and leaf.type.declared is not None and not arguments.values:
            field = kotlin_library.property_name(name)
            if field and run.scope.field(leaf.type.declared, field):
                return self.attribute(run, leaf, field, frame, at)
        return super()._on_unknown(run, leaf, name, arguments, frame, at)

    # -- control --------------------------------------------------------------------------------------------

    def returning(self, node: ir.Return, frame: Frame) -> Frame:
        """The frame that a `return` leaves: a lambda's for its last value and for a label, else the function's."""
        implicit = not node.label and node.value is not None and node.value.at == node.at
        if implicit or frame.function is None:
            return frame
        around = [one for one in _chain(frame) if one.shared is not _CAPTURED]
        if node.label:
            named = next((one for one in around if one.function and one.function.name == node.label), None)
            if named is not None:
                return named
        for current in around:
            function = current.function
            if function is None or function.name == "fun" or function.method is not None:
                return current
            if node.label and not function.name:
                return current
        return around[-1]

    def define(self, run: Interpreter, what: ir.ClassDecl | ir.MethodDecl | ir.Import, frame: Frame) -> None:
        if isinstance(what, ir.MethodDecl):
            assert frame.owner is not None
            made = Function(what.params, what.body or (), frame, what.name)
            made.method = Method(frame.owner, what)
            frame.variables[what.name] = made
            return
        super().define(run, what, frame)

    # -- operators ------------------------------------------------------------------------------------------

    def binary(self, run: Interpreter, operator: str, left: Any, right: Any) -> Any:
        if operator in ("==", "!="):
            found = equal(left, right)
            if operator == "==":
                return found
            return found.negate() if isinstance(found, Test) else not found
        if operator in ("in", "!in"):
            found = kotlin_library.contains(run, right, left)
            if operator == "in":
                return found
            return found.negate() if isinstance(found, Test) else apply(lambda one: not one, found)
        if operator in ("+", "-") and isinstance(left, Object):
            joined = kotlin_library.combined(run, operator, left, right)
            if joined is not NotImplemented:
                return joined
        name = _OPERATORS.get(operator)
        if name is not None and isinstance(left, Object) and left.declared is not None:
            methods = run.scope.methods(left.declared, name, 1)
            if methods:
                return self._dispatch(run, methods, left, Arguments([right]), None, left.at)
        if name is not None and isinstance(left, Object) and left.items is None and left.entries is None:
            extended = self._extended(run, left, name, [right])
            if extended is not UNSET:
                return extended
        if operator in ("+", "-") and isinstance(left, Text) and left.char and left.known:
            if isinstance(right, int):
                moved = ord(left.known) + (right if operator == "+" else -right)
                return text(chr(moved % 65_536), left.steps, char=True, frame=left.frame)
            if operator == "-" and isinstance(right, Text) and right.char and right.known:
                return ord(left.known) - ord(right.known)
        if operator == "+" and isinstance(left, Text) and left.char and isinstance(right, Text):
            return join([self.shown(run, left), self.shown(run, right)])
        texts = isinstance(left, Text) and isinstance(right, Text) and not left.char
        if texts and operator in _COMPARED and left.known is not None and right.known is not None:
            return _COMPARED[operator](left.known, right.known)
        return super().binary(run, operator, left, right)

    def _extended(self, run: Interpreter, leaf: Any, name: str, values: list[Guarded]) -> Guarded:
        """An operator that an extension function gives, seen from the statement that is being run; UNSET without one."""
        frame = run.last[0] if run.last is not None else None
        if frame is None or frame.owner is None or frame.owner.file.language != "kotlin":
            return UNSET
        arguments = Arguments(values)
        methods = self._extensions(run, leaf, name, arguments, frame)
        if not methods:
            return UNSET
        at = frame.owner.decl.at
        return self._extend(run, methods, leaf, arguments, frame, run.place(frame, at))

    def unary(self, run: Interpreter, operator: str, operand: Any) -> Any:
        if operator == "!!":
            if operand is None:
                raise_in(run, "NullPointerException")
                return UNSET
            return operand
        name = _SIGNS.get(operator)
        if name is not None and isinstance(operand, Object) and operand.declared is not None:
            methods = run.scope.methods(operand.declared, name, 0)
            if methods:
                return self._dispatch(run, methods, operand, Arguments([]), None, operand.at)
        if name is not None and isinstance(operand, Object | Text) and not isinstance(operand, Test):
            found = self._extended(run, operand, name, [])
            if found is not UNSET:
                return found
        return super().unary(run, operator, operand)

    def index(self, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> Guarded:
        if isinstance(leaf, Object) and leaf.items is not None and leaf.type == "[]":
            return super().index(run, leaf, key, frame, at)
        return self.call_method(run, leaf, "get", Arguments([key]), frame, at)

    def set_index(
        self, run: Interpreter, leaf: Any, key: Guarded, value: Guarded, frame: Frame, at: ir.At
    ) -> None:
        if isinstance(leaf, Object) and leaf.items is not None:
            super().set_index(run, leaf, key, value, frame, at)
        elif isinstance(leaf, Object):
            table = leaf.entries is not None and leaf.declared is None
            if leaf.declared is not None and not run.scope.methods(leaf.declared, "set", 2):
                table = bool(run.scope.methods(leaf.declared, "put", 2))
            name = "put" if table or leaf.type.endswith("Properties") else "set"
            self.call_method(run, leaf, name, Arguments([key, value]), frame, at)

    def items(self, run: Interpreter, leaf: Any, frame: Frame) -> list[tuple[Guarded, Guarded]] | None:
        place = frame.owner.at(frame.owner.decl.at) if frame.owner else None
        if isinstance(leaf, Text) and leaf.known is not None:
            return [(True, text(char, leaf.steps, char=True)) for char in leaf.known]
        if isinstance(leaf, Object) and leaf.entries is not None and leaf.open is None:
            return [
                (under(entry.guard, run.guard), kotlin_library.entry(run, entry, place))
                for entry in leaf.entries
            ]
        return super().items(run, leaf, frame)

    def components(
        self, run: Interpreter, leaf: Any, count: int, frame: Frame
    ) -> list[tuple[Guarded, Guarded]] | None:
        """What `val (a, b) = …` takes a value apart into."""
        if isinstance(leaf, Object):
            if "key" in leaf.fields and "value" in leaf.fields:
                third = [leaf.fields["third"]] if "third" in leaf.fields else []
                return [(True, one) for one in (leaf.fields["key"], leaf.fields["value"], *third)][:count]
            if leaf.declared is not None:
                at = leaf.declared.decl.at
                return [
                    (True, self.call_method(run, leaf, f"component{n + 1}", Arguments([]), frame, at))
                    for n in range(count)
                ]
        found = super().items(run, leaf, frame)
        return found if found is None else found[:count]

    def match(self, run: Interpreter, leaf: Any, label: Any, frame: Frame) -> Guarded:
        if isinstance(label, ir.InstanceOf):
            holds = self.is_instance(run, leaf, label.type, frame)
            if not label.negated:
                return holds
            return holds.negate() if isinstance(holds, Test) else not holds
        if isinstance(label, ir.Opaque) and label.what == "subject":
            return True
        if isinstance(label, ir.Binary) and isinstance(label.left, ir.Opaque):
            value = run.value(label.right, frame)
            return apply(lambda other: self.binary(run, label.operator, leaf, other), value)
        return apply(equal, leaf, run.value(label, frame))

    def is_instance(self, run: Interpreter, leaf: Any, type_: ir.TypeRef, frame: Frame) -> bool | Test:
        known = _reified(frame, type_.name)
        if known is not None:
            type_ = ir.TypeRef(known.name, known.args)
        if type_.name == "Any":
            return leaf is not None
        named = _TYPES.get(type_.name, type_.name)
        boxed = {"int": "Integer", "boolean": "Boolean", "long": "Long"}.get(named, named)
        return super().is_instance(run, leaf, ir.TypeRef(boxed, type_.args), frame)

    def _type_value(self, run: Interpreter, ref: ir.TypeRef, frame: Frame) -> TypeValue:
        return _reified(frame, ref.name) or super()._type_value(run, ref, frame)

    def expression(self, run: Interpreter, node: ir.Expr, frame: Frame) -> Guarded:
        if isinstance(node, ir.MethodRef) and node.target is None:
            return self._function_reference(run, node, frame)
        if isinstance(node, ir.TypeLiteral):
            known = _reified(frame, node.type.name)
            if known is not None:
                return known
            for current in _chain(frame):
                if current.method is not None and node.type.name in dict(current.method.decl.parameters):
                    return run.unknown(Why.DYNAMIC, node.type.name, frame, node.at)
            return self._type_value(run, node.type, frame)
        return super().expression(run, node, frame)

    def _function_reference(self, run: Interpreter, node: ir.MethodRef, frame: Frame) -> Guarded:
        """`::name`: a function or constructor, called as by its name."""

        def native(run: Interpreter, given: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
            return self.call_name(run, _call_of(node.name, node.at), given, frame)

        return Function((), (), None, node.name, native=native)

    def call_value(
        self, run: Interpreter, leaf: Any, arguments: Arguments, frame: Frame | None, at: Location | None
    ) -> Guarded:
        if isinstance(leaf, Bound) and leaf.frame is not None and leaf.frame.owner is not None:
            place = leaf.frame.owner.decl.at

            def on(target: Any) -> Guarded:
                rest = arguments
                if (
                    isinstance(target, TypeValue)
                    and arguments.values
                    and not self._is_static(run, target, leaf.name)
                ):
                    target, rest = arguments.values[0], Arguments(arguments.values[1:])
                assert leaf.frame is not None
                where = leaf.frame
                return run.over(target, lambda each: self._called(run, each, leaf.name, rest, where, place))

            return run.over(leaf.target, on)
        if isinstance(leaf, Object | Text | int) and frame is not None and frame.owner is not None:
            return self.call_method(run, leaf, "invoke", arguments, frame, frame.owner.decl.at)
        return super().call_value(run, leaf, arguments, frame, at)

    def _is_static(self, run: Interpreter, target: TypeValue, name: str) -> bool:
        if target.declared is None:
            return name == "<init>"
        return name == "<init>" or any(
            m.decl.static for each in run.scope.supers(target.declared) for m in each.methods.get(name, ())
        )

    def _called(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        """`receiver::name` called: a method, or a property that is read."""
        if name == "<init>" and isinstance(leaf, TypeValue) and leaf.declared is not None:
            return self._make(run, leaf.declared, _call_of(name, at), arguments, frame, run.place(frame, at))
        declared = leaf.declared if isinstance(leaf, Object) and not arguments.values else None
        if declared is not None and run.scope.field(declared, name) is not None:
            return self.attribute(run, leaf, name, frame, at)
        return self.call_method(run, leaf, name, arguments, frame, at)

    def shown(self, run: Interpreter, leaf: Any) -> Text:
        declared = leaf.declared if isinstance(leaf, Object) else None
        if declared is not None and declared.decl.data and not run.scope.methods(declared, "toString", 0):
            parts = [text(f"{declared.simple}(")]
            for index, each in enumerate(declared.decl.components or ()):
                value = leaf.fields.get(each.name)
                parts += [text(f"{', ' if index else ''}{each.name}="), _one_text(self, run, value)]
            return join([*parts, text(")")])
        if isinstance(leaf, Object) and leaf.type == "Pair":
            held = [leaf.fields[name] for name in ("key", "value", "third") if name in leaf.fields]
            parts = [text("(")]
            for index, value in enumerate(held):
                parts += [text(", " if index else ""), _one_text(self, run, value)]
            return join([*parts, text(")")])
        if isinstance(leaf, Object) and leaf.declared is None and leaf.open is None:
            found = self._shown_contents(run, leaf)
            if found is not None:
                return found
        return super().shown(run, leaf)

    def _shown_contents(self, run: Interpreter, leaf: Object) -> Text | None:
        """`[a, b]` of a list or set, `{a=1}` of a map; None where what it holds is not certain."""
        if leaf.items is not None and leaf.type != "[]" and all(guard is True for guard, _ in leaf.items):
            values = [[one] for _, one in leaf.items]
            opening, closing = "[", "]"
        elif leaf.entries is not None and all(each.guard is True for each in leaf.entries):
            values = [[each.key, each.value] for each in leaf.entries]
            opening, closing = "{", "}"
        else:
            return None
        run.work(len(values))
        parts = [text(opening)]
        for index, held in enumerate(values):
            parts += [text(", " if index else ""), _one_text(self, run, held[0])]
            if len(held) > 1:
                parts += [text("="), _one_text(self, run, held[1])]
        return join([*parts, text(closing)])


# -- helpers --------------------------------------------------------------------------------------------------------

_ALWAYS = DEFAULT_PACKAGES["kotlin"]
"""Packages whose functions need no import."""

_PACKAGES = frozenset({"java", "javax", "kotlin", "org", "com", "io", "cn", "net", "jakarta"})
_TAKES_A_TASK = frozenset({"Thread"})
"""Classes of Java that are made with a function; `Name { … }` of another name is a function as that interface."""

_CAPTURED = frozenset({"<captured>"})
"""What marks a frame that holds the variables of one turn of a loop, for a lambda."""

_RECEIVER_FUNCTION = "this->"
"""The name of a type of functions on a receiver, as it is lowered."""

_FUNCTIONS = frozenset({"->", _RECEIVER_FUNCTION})
_OPERATORS = {"+": "plus", "-": "minus", "*": "times", "/": "div", "%": "rem"}
_SIGNS = {"+": "unaryPlus", "-": "unaryMinus", "!": "not", "++": "inc", "--": "dec"}
_COMPARED = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


def _chain(frame: Frame) -> Iterator[Frame]:
    """A frame and those of the code around it."""
    current: Frame | None = frame
    while current is not None:
        yield current
        current = current.parent


def _has_receiver(frame: Frame) -> bool:
    """Whether a frame's `this` is a receiver: of an extension function, or of a lambda it was given."""
    if frame.function is not None and frame.function.this is not None:
        return True
    return frame.function is None and frame.method is not None and frame.method.decl.receiver is not None


def _is_last_of_class(frame: Frame) -> bool:
    """Whether the code around a frame is of another class."""
    return frame.parent is None or frame.parent.owner is not frame.owner


def _receivers(frame: Frame) -> Iterator[Guarded]:
    """What `this` is in a frame and in the code around it, innermost first."""
    last: Guarded = UNSET
    for current in _chain(frame):
        if current.this is not None and current.this is not last:
            last = current.this
            yield last


def _reified(frame: Frame, name: str) -> TypeValue | None:
    """The type that a type parameter stands for, where the call tells."""
    for current in _chain(frame):
        found = current.variables.get(f"<{name}>")
        if isinstance(found, TypeValue):
            return found
    return None


def _getters(name: str) -> tuple[str, ...]:
    """The methods a property of a Java class stands for."""
    if name.startswith("is") and name[2:3].isupper():
        return (name,)
    stem = name[:1].upper() + name[1:]
    return (f"get{stem}",)


def _settable(leaf: Object, name: str) -> bool:
    """Whether a consumer has a property of the name, as far as the tables tell."""
    assert leaf.client is not None
    if name[:1].isupper():
        return False
    stem = name[:1].upper() + name[1:]
    return f"set{stem}" in leaf.client.operations or name in _CLIENT_PROPERTIES


_CLIENT_PROPERTIES = frozenset(
    {
        "consumerGroup", "namesrvAddr", "messageModel", "consumeFromWhere", "instanceName", "subscription",
        "consumeThreadMin", "consumeThreadMax", "consumeMessageBatchMaxSize", "pullBatchSize", "namespace",
        "allocateMessageQueueStrategy", "unitName", "maxReconsumeTimes", "consumeTimeout", "pullInterval",
        "registerTopics", "vipChannelEnabled", "messageListener", "consumeTimestamp", "accessChannel",
    }
)  # fmt: skip


def _placed(method: Method, arguments: Arguments) -> Arguments:
    """A lambda behind the parentheses is the last parameter's, whatever defaults stand before it."""
    params = method.decl.params
    values = arguments.values
    if not values or not params or not isinstance(values[-1], Function | Bound):
        return arguments
    last = params[-1]
    place = len(values) - 1
    if last.kind or last.name in arguments.names or (place == len(params) - 1 and not arguments.names):
        return arguments
    own = params[place].type if place < len(params) else None
    if own is not None and own.name in _FUNCTIONS and (last.type is None or last.type.name not in _FUNCTIONS):
        return arguments
    return Arguments(values[:-1], {**arguments.names, last.name: values[-1]}, arguments.open)


def _written(function: Function) -> tuple[ir.Param, ...]:
    """The parameters of a lambda without the implicit `it`."""
    params = function.params
    return () if len(params) == 1 and params[0].name == "it" and params[0].type is None else params


def _names_it(function: Function) -> bool:
    """Whether a lambda without parameters of its own mentions `it`."""
    stack: list[Any] = list(function.body)
    while stack and function.params:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif isinstance(node, ir.Name) and node.name == "it":
            return True
        elif isinstance(node, ir.Record):
            stack.extend(getattr(node, name) for name in node.__struct_fields__)
    return False


def _assigned_in(body: Any) -> frozenset[str]:
    """The names that code assigns to."""
    found: set[str] = set()
    stack: list[Any] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif isinstance(node, ir.Record):
            if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name):
                found.add(node.target.name)
            stack.extend(getattr(node, name) for name in node.__struct_fields__)
    return frozenset(found)


def _imported_as(frame: Frame, name: str) -> str:
    """The name something has where it is declared."""
    assert frame.owner is not None
    full = frame.owner.file.single.get(name)
    return name if full is None else full.rpartition(".")[2]


def _one_text(kotlin: Kotlin, run: Interpreter, value: Guarded) -> Text:
    """The text of a part of a text; a part that is one of several is not known."""
    found = [leaf for _, leaf in leaves(value, run.guard)]
    if len(found) == 1:
        return kotlin.shown(run, found[0])
    return Text((Gap(Why.DYNAMIC, phrase("one-of-several")),))


def _call_of(name: str, at: ir.At) -> ir.Call:
    return ir.Call(None, name, (), at, at)


def _as_new(node: ir.Call) -> ir.New:
    return ir.New(ir.TypeRef(node.name), node.args, node.at)


def _is_abstract(holder: Class, decl: ir.FieldDecl) -> bool:
    """Whether a property has nothing of its own: no value, accessor or delegate, and nobody sets it later."""
    return (
        holder.file.language == "kotlin"
        and holder.kind in ("interface", "class")
        and (holder.is_interface or holder.decl.abstract)
        and decl.value is None
        and decl.getter is None
        and decl.delegate is None
        and not decl.late
        and not decl.annotations
    )


def _has_delegates(this: Guarded) -> bool:
    return any(isinstance(leaf, Object) and "<by>" in leaf.fields for _, leaf in leaves(this))


def _held(run: Interpreter, value: Guarded) -> Object:
    """What a delegated property holds after it was written."""
    made = run.make(None, "Lazy", None)
    made.fields["value"] = value
    return made

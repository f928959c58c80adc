"""Kotlin's properties: fields, accessors, delegates, extensions; read and written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import UNSET, leaves, pick, under
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
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
from subdrift.linter.resolve.semantics.jvm import injected_fields
from subdrift.linter.resolve.semantics.jvm.calls import Call
from subdrift.linter.resolve.semantics.jvm.kotlin_extensions import Extensions
from subdrift.linter.resolve.semantics.jvm.kotlin_frames import (
    chain,
    has_receiver,
    is_last_of_class,
    receivers,
)
from subdrift.linter.resolve.semantics.jvm.kotlin_library import functions, members
from subdrift.linter.resolve.semantics.jvm.library import instances

_PROPERTY_OF_TYPE = {
    "simpleName": "getSimpleName", "name": "getName", "qualifiedName": "getName",
    **{
        name: f"get{name[0].upper()}{name[1:]}"
        for name in ("declaredMethods", "methods", "declaredFields", "fields", "declaredConstructors", "constructors",
                     "superclass", "interfaces", "annotations", "declaredAnnotations", "packageName", "enclosingClass")
    },
}  # fmt: skip
"""Properties of a class -> Java's methods."""

_INTERFACES = frozenset({"Collection", "Iterable", "List", "Map", "Sequence", "Set", "Stream"})
"""Types of the library of which no object is by itself."""

_CLIENT_PROPERTIES = frozenset(
    {
        "consumerGroup", "namesrvAddr", "messageModel", "consumeFromWhere", "instanceName", "subscription",
        "consumeThreadMin", "consumeThreadMax", "consumeMessageBatchMaxSize", "pullBatchSize", "namespace",
        "allocateMessageQueueStrategy", "unitName", "maxReconsumeTimes", "consumeTimeout", "pullInterval",
        "registerTopics", "vipChannelEnabled", "messageListener", "consumeTimestamp", "accessChannel",
    }
)  # fmt: skip

_ZERO: dict[str, Guarded] = {
    **dict.fromkeys(("Int", "Long", "Short", "Byte"), 0),
    **dict.fromkeys(("Double", "Float"), 0.0),
    "Boolean": False,
    "Char": text("\0", char=True),
}
"""What a property of a type that cannot be null holds before anything is written to it; null of any other type."""
_OF_VALUE: dict[type, Guarded] = {int: 0, float: 0.0, bool: False}
_OF_NUMBERS = ("Any", "Number", "Comparable")
"""Types of which numbers are, too."""


class Properties(Extensions):
    """Reads and writes properties."""

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
        for getter in getters(name):
            methods = run.scope.methods(around, getter, 0)
            if methods:
                return self._on_own(
                    run, this, around, methods, Arguments([]), frame, around.at(around.decl.at)
                )
        for _, leaf in leaves(this, run.guard):
            if isinstance(leaf, Object) and leaf.client is not None and settable(leaf, name):
                return self.call_method(run, leaf, getters(name)[0], Arguments([]), frame, around.decl.at)
            given = (
                self._of_delegate(run, leaf, name, frame, around.decl.at)
                if isinstance(leaf, Object)
                else UNSET
            )
            if given is not UNSET:
                return given
        return UNSET

    def _own_this(self, current: Frame) -> Guarded:
        """The object of the class a frame's code stands in; a receiver in between is not it."""
        if current.method is not None and current.method.decl.receiver is not None and current.parent is None:
            return None
        return current.this

    def _has_static(self, run: Interpreter, declared: Class, name: str) -> bool:
        holders = [declared, *(one.declared for one in self.companion(run, declared) if one.declared)]
        return name in declared.constants or any(run.scope.field(each, name) for each in holders)

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
                    hidden = found[0].file.model and run.scope.methods(leaf.declared, getters(name)[0], 0)
                    if not hidden:
                        return super().attribute(run, leaf, name, frame, at)
                for getter in getters(name):
                    if run.scope.methods(leaf.declared, getter, 0):
                        return self.call_method(run, leaf, getter, Arguments([]), frame, at)
                if leaf.declared.kind in ("object", "companion") and name in leaf.declared.nested:
                    return self.type_value(run, leaf.declared.nested[name])
                given = self._of_delegate(run, leaf, name, frame, at)
                if given is not UNSET:
                    return given
            if leaf.client is not None and settable(leaf, name):
                return self.call_method(run, leaf, getters(name)[0], Arguments([]), frame, at)
        extended = self._extension_property(run, leaf, name, self._modules(run, name, frame), frame)
        if extended is UNSET:
            extended = self._member_extension(run, leaf, name, frame)
        if extended is not UNSET:
            return extended
        if isinstance(leaf, Object) and leaf.client is not None and not only:
            return self.call_method(run, leaf, getters(name)[0], Arguments([]), frame, at)
        if name == "javaClass" and isinstance(leaf, Object):
            if leaf.declared is None and leaf.type.rpartition(".")[2] in _INTERFACES:
                return run.unknown(Why.DYNAMIC, name, frame, at)
            return TypeValue(leaf.declared, leaf.declared.name if leaf.declared else leaf.type)
        if name == "javaClass" and isinstance(leaf, Text | int | float):
            place = run.place(frame, at)
            return instances.method(self, run, leaf, "getClass", Arguments([]), frame, place)
        call = Call(self, run, leaf, name, [], frame, run.place(frame, at))
        known = members.property_of(call, leaf)
        if known is not NotImplemented:
            return known
        extended = self._extension_property(run, leaf, name, self._models(run, name, frame), frame)
        if extended is not UNSET:
            return extended
        if only:
            return UNSET
        if isinstance(leaf, Object) and (leaf.declared is None or name == "message"):
            if name in leaf.fields:
                return under(leaf.fields[name], run.guard)
            return instances.method(
                self, run, leaf, getters(name)[0], Arguments([]), frame, run.place(frame, at)
            )
        if isinstance(leaf, Unknown) and leaf.type is not None and leaf.type.declared is not None:
            for getter in getters(name):
                if run.scope.methods(leaf.type.declared, getter, 0):
                    return self.call_method(run, leaf, getter, Arguments([]), frame, at)
        return super().attribute(run, leaf, name, frame, at)

    def _of_delegate(self, run: Interpreter, leaf: Object, name: str, frame: Frame, at: ir.At) -> Guarded:
        """A property of what stands for an interface of the library in another; UNSET where that has none of the name."""
        for of, held in leaf.fields.get("<by>", ()):
            found = [
                self._property(run, one, name, frame, at, only=True) for _, one in leaves(held, run.guard)
            ]
            if not isinstance(of, Class) and not any(one is UNSET for one in found):
                return run.over(held, lambda one: self._property(run, one, name, frame, at))
        return UNSET

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
            for getter in getters(name):
                if leaf.declared is not None and run.scope.methods(leaf.declared, getter, 0):
                    return self.call_method(
                        run, leaf, getter, Arguments([]), run.frame(holder, leaf), decl.at
                    )
            found = Unknown(Why.DYNAMIC, f"{holder.simple}.{name}")
            return self._typed(run, found, decl.type, holder)
        value = super().read(run, leaf, name, holder, decl)
        if decl.late and value is None:  # whoever sets it has not been seen
            found = Unknown(Why.DYNAMIC, f"{holder.simple}.{name}", ("late", name, run.unique()))
            return self._typed(run, found, decl.type, holder)
        return self._delegated(run, value, decl, holder, leaf) if isinstance(leaf, Object) else value

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

        return run.typed(run.over(value, ask), decl.type, frame)

    def provided(self, run: Interpreter, delegate: Guarded, this: Any, name: str, frame: Frame) -> Guarded:
        """The delegate that another object, which a property is written to be delegated to, provides."""

        def on(leaf: Any) -> Guarded:
            told = [this, self.property_value(run, name)]
            at = frame.owner.decl.at if frame.owner is not None else (1, 1, 1, 1)
            if self.is_property(run, leaf):
                return leaf
            if isinstance(leaf, Function | Bound) and leaf.type is None:  # of an interface that nobody knows
                unknown = run.unknown(Why.DYNAMIC, name, frame, at)
                return run.havoc("provideDelegate", unknown, None, Arguments([leaf, *told]))
            if not self.provides(run, leaf):
                return leaf
            return self.call_method(run, leaf, "provideDelegate", Arguments(told), frame, at)

        return run.over(delegate, on)

    def is_property(self, run: Interpreter, leaf: Any) -> bool:
        """Whether something is a property of an object, picked by its name: `other::name`."""
        held = [one for _, one in leaves(leaf.target)] if isinstance(leaf, Bound) else []
        return bool(held) and all(
            isinstance(one, Object)
            and one.declared is not None
            and run.scope.field(one.declared, leaf.name) is not None
            for one in held
        )

    def on_property(
        self, run: Interpreter, leaf: Bound, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        """Reads or sets a property of an object that is picked by its name."""
        if name.startswith("get"):
            return run.over(leaf.target, lambda one: self.attribute(run, one, leaf.name, frame, at))
        value = arguments.values[-1]
        return run.over(leaf.target, lambda one: self.set_attribute(run, one, leaf.name, value, frame, at))

    def provides(self, run: Interpreter, leaf: Any) -> bool:
        """Whether something is no delegate, but gives one."""
        if isinstance(leaf, Function | Bound):
            return leaf.type is not None and leaf.type.simple == "PropertyDelegateProvider"
        declared = leaf.declared if isinstance(leaf, Object) else None
        return declared is not None and bool(run.scope.methods(declared, "provideDelegate", 2))

    def property_value(self, run: Interpreter, name: str) -> Object:
        """What a delegate is told of its property."""
        return run.make(None, "KProperty", None, fields={"name": text(name)})

    def initial(self, run: Interpreter, made: Object, holder: Class, decl: ir.FieldDecl) -> Guarded:
        injected = injected_fields.field_value(self, run, made, holder, decl)
        return self._unwritten(run, holder, decl) if injected is UNSET else injected

    def _unwritten(self, run: Interpreter, holder: Class, decl: ir.FieldDecl) -> Guarded:
        """What a property holds before its initialiser has run, by its type: that of its value where none is written."""
        value = decl.value
        if (
            decl.nullable
            or decl.delegate is not None
            or (isinstance(value, ir.Const) and value.value is None)
        ):
            return None
        if decl.type is not None:
            return _ZERO.get(decl.type.name)
        if isinstance(value, ir.Const):
            return _ZERO["Char"] if value.char else _OF_VALUE.get(type(value.value))
        overridden = [each.fields.get(decl.name) for each in run.scope.supers(holder)[1:]]
        types = [one.type.name for one in overridden if one is not None and one.type is not None]
        if isinstance(value, ir.Join | ir.Lambda | ir.New | None) or (
            types and types[0] not in (*_ZERO, *_OF_NUMBERS)
        ):
            return None
        return Unknown(Why.DYNAMIC, f"{holder.simple}.{decl.name}")

    def prepare(self, run: Interpreter, owner: Class) -> None:
        if owner not in run.prepared and owner.kind == "module":
            run.prepared.add(owner)  # a function's file is made ready by what it reads
            frame = run.frame(owner, None)
            before, raised = run.guard, run.raised
            run.guard, run.raised = True, []
            for decl in owner.decl.fields:
                written = decl.value if decl.delegate is None else decl.delegate
                if written is not None and (owner, decl.name) not in run.statics:
                    value = run.value(written, frame)
                    if decl.delegate is None:
                        value = run.typed(value, decl.type, frame)
                    else:
                        value = self.provided(run, value, None, decl.name, frame)
                    run.statics[owner, decl.name] = self.through_name(run, value, owner, decl)
                run.guard = True
            for part in owner.decl.initialisers:
                run.run(part.body, frame)
                run.guard = True
            run.guard, run.raised = before, raised
            return
        super().prepare(run, owner)

    def entries(self, run: Interpreter, owner: Class) -> Guarded:
        """The constants of an enumeration as a list."""
        found = self._enum_call(run, owner, "values", Arguments([]))
        if isinstance(found, Object) and found.type == "[]":
            made = run.make(None, "List", found.at)
            made.items, made.open = found.items, found.open
            return made
        return found

    def static(self, run: Interpreter, owner: Class, name: str, frame: Frame, at: ir.At) -> Guarded:
        for each in run.scope.supers(owner):
            if name in each.constants:
                return self.constant(run, each, name)
            if name in each.nested:
                return self.type_value(run, each.nested[name])
        if owner.kind in ("object", "companion"):
            return self.attribute(run, self.singleton(run, owner), name, frame, at)
        if name == "entries" and owner.kind == "enum":
            return self.entries(run, owner)
        if owner.fields.get(name) is None or owner.kind != "module":
            for one in self.companion(run, owner):
                assert one.declared is not None
                if run.scope.field(one.declared, name) is not None:
                    return self._seen(run, self._own_field(run, one.declared, one, name), owner, frame)
        return super().static(run, owner, name, frame, at)

    def on_delegate(
        self, run: Interpreter, held: Object, name: str, values: Sequence[Guarded], frame: Frame, at: ir.At
    ) -> Guarded:
        """Asks the delegate of a local variable for its value, or hands it another one."""
        given = Arguments([None, held.fields["property"], *values])
        return run.over(
            held.fields["delegate"], lambda leaf: self.call_method(run, leaf, name, given, frame, at)
        )

    def assign_name(self, run: Interpreter, name: str, value: Guarded, frame: Frame, at: ir.At) -> None:
        for current in chain(frame):
            held = current.variables.get(name)
            if isinstance(held, Object) and held.type == functions.DELEGATED:
                self.on_delegate(run, held, "setValue", (value,), frame, at)
                return
            if name in current.variables or name in current.declared:
                value = run.typed(value, current.declared.get(name), current)
                current.variables[name] = pick(run.guard, value, current.variables.get(name, UNSET))
                return
        for current in chain(frame):
            if has_receiver(current) and self._assign_receiver(run, current.this, name, value, frame, at):
                return
            if is_last_of_class(current):
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
        for receiver in receivers(frame):
            if any(isinstance(leaf, Object) and leaf.declared is None for _, leaf in leaves(receiver)):
                run.over(receiver, lambda leaf: self.set_attribute(run, leaf, name, value, frame, at))
                return
        run.missed.add(name)  # a property of a receiver that nobody knows
        frame.variables[name] = pick(run.guard, value, frame.variables.get(name, UNSET))

    def _assign_receiver(
        self, run: Interpreter, receiver: Guarded, name: str, value: Guarded, frame: Frame, at: ir.At
    ) -> bool:
        """Writes a property of a receiver where it has one of the name."""
        held = [leaf for _, leaf in leaves(receiver, run.guard) if isinstance(leaf, Object)]
        if not any(
            self._has_property(run, one, name) or self._extended_setter(run, one, name, frame) for one in held
        ):
            return False
        run.over(receiver, lambda leaf: self.set_attribute(run, leaf, name, value, frame, at))
        return True

    def _has_property(self, run: Interpreter, leaf: Object, name: str) -> bool:
        if leaf.client is not None and settable(leaf, name):
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
            extended = self._extended_setter(run, leaf, name, frame)
            if extended is not None and not (leaf.client is not None and settable(leaf, name)):
                assert extended[1].setter is not None
                self._set(run, leaf, *extended, extended[1].setter, value)
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
            if self.is_property(run, leaf) or (isinstance(leaf, Object) and leaf.declared is not None):
                given = Arguments([this, self.property_value(run, name), value])
                return self.call_method(run, leaf, "setValue", given, frame, decl.at)
            if isinstance(leaf, Object) and leaf.entries is not None:
                return self.call_method(run, leaf, "put", Arguments([text(name), value]), frame, decl.at)
            if isinstance(leaf, Unknown):
                return run.havoc("setValue", leaf, leaf, Arguments([value]))
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
        if decl.receiver is None:
            this.fields[decl.name] = pick(before, inner.variables["field"], this.fields.get(decl.name))


def getters(name: str) -> tuple[str, ...]:
    """The methods a property of a Java class stands for."""
    if name.startswith("is") and name[2:3].isupper():
        return (name,)
    stem = name[:1].upper() + name[1:]
    return (f"get{stem}",)


def settable(leaf: Object, name: str) -> bool:
    """Whether a consumer has a property of the name, as far as the tables tell."""
    assert leaf.client is not None
    if name[:1].isupper():
        return False
    stem = name[:1].upper() + name[1:]
    return f"set{stem}" in leaf.client.operations or name in _CLIENT_PROPERTIES


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


def _held(run: Interpreter, value: Guarded) -> Object:
    """What a delegated property holds after it was written."""
    made = run.make(None, "Lazy", None)
    made.fields["value"] = value
    return made

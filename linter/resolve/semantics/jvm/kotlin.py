"""Kotlin's names, calls and objects (`interpreter.Semantics`), on top of its other rooms; all else is `Java`'s."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute import clients, exceptions
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET, leaves
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    UNIT,
    Bound,
    Frame,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    is_whole,
)
from subdrift.linter.resolve.semantics.jvm import views
from subdrift.linter.resolve.semantics.jvm.calls import Call
from subdrift.linter.resolve.semantics.jvm.forms.common import Making
from subdrift.linter.resolve.semantics.jvm.kotlin_frames import (
    RECEIVER_FUNCTION,
    as_new,
    call_of,
    chain,
    has_receiver,
    is_last_of_class,
    lambda_last,
    receivers,
    reified,
    takes_lambda,
    without_variable,
)
from subdrift.linter.resolve.semantics.jvm.kotlin_library import (
    delegating,
    extended,
    functions,
    members,
    values,
)
from subdrift.linter.resolve.semantics.jvm.kotlin_names import Names, is_lambda
from subdrift.linter.resolve.semantics.jvm.library import statics, tasks
from subdrift.linter.resolve.semantics.jvm.order import ARRANGED

_BY_CLASS = frozenset(
    {
        "convertValue",
        "getBean",
        "getBeanProvider",
        "getBeansOfType",
        "getProperty",
        "getRequiredProperty",
        "readValue",
    }
)
"""Methods of Java libraries that Kotlin's extensions of their names call with the class of their type argument behind."""

_PLAIN = frozenset({"Boolean", "String", "Long", "Double", "Float", "Short", "Byte"})
_TAKES_A_FUNCTION = ARRANGED | {"Thread"}
"""Classes of Java that are made with a function; `Name { … }` of another name is a function as that interface."""


_REFUSING: Final = {
    **dict.fromkeys(("require", "requireNotNull"), "IllegalArgumentException"),
    **dict.fromkeys(("check", "checkNotNull", "error"), "IllegalStateException"),
}
"""Functions of Kotlin that are there to throw."""

_MADE: Final = frozenset({"List", "MutableList", "Array"})
"""Functions that are called as types are, and make what a lambda gives."""

_OF_TEXTS: Final = frozenset(
    {
        *("charAt", "codePointAt", "compareTo", "compareToIgnoreCase", "concat", "contains", "contentEquals"),
        *(
            "endsWith",
            "equals",
            "equalsIgnoreCase",
            "getBytes",
            "hashCode",
            "indent",
            "indexOf",
            "intern",
            "isBlank",
        ),
        *(
            "isEmpty",
            "lastIndexOf",
            "length",
            "regionMatches",
            "repeat",
            "replace",
            "replaceAll",
            "replaceFirst",
        ),
        *("startsWith", "strip", "stripIndent", "stripLeading", "stripTrailing", "subSequence", "substring"),
        *("toCharArray", "toLowerCase", "toString", "toUpperCase", "trim"),
    }
)
"""Methods of texts that do in Kotlin what they do in Java."""

_BARE: Final = frozenset({"first", "last", "toString"})
"""Methods that take nothing in Java."""


def _takes_lambda(arguments: Arguments) -> bool:
    return any(map(is_lambda, arguments.values))


def _is_not_java_s(leaf: Any, name: str, arguments: Arguments) -> bool:
    """Whether a call that Kotlin's own library does not answer means no method of Java: one of null is an extension."""
    if leaf is None:
        return True
    if name == "remove" and isinstance(leaf, Object) and views.shape_of(leaf) == "list":
        return any(is_whole(one) for one in arguments.values)  # in Java it is a place
    return (isinstance(leaf, Text) and name not in _OF_TEXTS) or (name in _BARE and bool(arguments.values))


class Kotlin(Names):
    """The semantics of Kotlin sources."""

    def call_name(self, run: Interpreter, node: ir.Call, arguments: Arguments, frame: Frame) -> Guarded:
        name = node.name
        at = run.place(frame, node.at)
        for current in chain(frame):  # variables of the code around come before members of any receiver
            held = current.variables.get(name, UNSET)
            if held is not UNSET and held is not None:
                ref = current.declared.get(name)
                if self._is_held_function(run, held, ref, arguments, frame):
                    ref = None if ref is None else self.meant(run, ref, frame)
                    return self._call_held(run, held, arguments, frame, at, ref)
        for current in chain(frame):
            if has_receiver(current):
                found = self._on_receiver(run, current.this, name, arguments, frame, node.at)
                if found is not NotImplemented:
                    return found
            if is_last_of_class(current):
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
        if of_enum and node.types:
            of = self._type_value(run, node.types[0], frame)
            return self.call_method(run, of, of_enum, arguments, frame, node.at)
        call = Call(self, run, None, name, arguments.values, frame, at)
        found = functions.function(self, call, arguments)
        if found is not NotImplemented:
            return found
        found = self._of_modules(run, self._models(run, name, frame), name, arguments, frame, node.at)
        if found is not NotImplemented:
            return found
        return self._of_others(run, node, named, arguments, frame)

    def _of_others(
        self, run: Interpreter, node: ir.Call, named: str, arguments: Arguments, frame: Frame
    ) -> Guarded:
        """A call by a plain name that neither the program nor Kotlin's library answers: on a receiver, of a class of
        Java, or of nobody knows what."""
        name, count, at = node.name, len(arguments), run.place(frame, node.at)
        receiver = next(receivers(frame), None)
        if name in extended.SCOPE and receiver is not None:
            return run.over(
                receiver, lambda leaf: self.call_method(run, leaf, name, arguments, frame, node.at)
            )
        if name in _MADE and _takes_lambda(arguments):
            return run.havoc(name, run.unknown(Why.DYNAMIC, f"{name}()", frame, node.at), None, arguments)
        simple = named.rpartition(".")[2]
        if simple[:1].isupper():  # an import may be of a function, too
            lone = count == 1 and isinstance(arguments.get(0), Function)
            if lone and simple not in _TAKES_A_FUNCTION and clients.java_class(named) is None:
                return run.typed(arguments.get(0), ir.TypeRef(named, node.types), frame)
            return self._library_object(run, named, as_new(node), arguments, frame, at)
        for receiver in receivers(frame):
            if self._is_cast(run, receiver, name, count):
                on = receiver
                return run.over(on, lambda leaf: self.call_method(run, leaf, name, arguments, frame, node.at))
            for _, leaf in leaves(receiver, run.guard):
                if (isinstance(leaf, Object) and leaf.declared is None) or isinstance(leaf, Unknown | Text):
                    return self.call_method(run, leaf, name, arguments, frame, node.at)
        if name in _REFUSING:
            exceptions.either_way(run, run.make(None, _REFUSING[name], at))
        unknown = run.unknown(Why.DYNAMIC, f"{name}()", frame, node.at)
        run.misses_call(name, unknown, arguments)  # of a receiver that code gives which nobody sees
        self._may_mean(run, name, (unknown,), frame)
        reached = [current.this for current in chain(frame) if has_receiver(current)]
        return run.havoc(name, unknown, None, replace(arguments, values=[*arguments.values, *reached]))

    def _on_receiver(
        self, run: Interpreter, receiver: Guarded, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        """A member of an implicit receiver; NotImplemented where it has none of the name."""
        count = len(arguments)
        found = [leaf for _, leaf in leaves(receiver, run.guard)]
        if not found or not all(self._has_member(run, leaf, name, count) for leaf in found):
            return NotImplemented
        if self._is_out_of_sight(run, receiver, name, frame, count):
            return NotImplemented
        only = found[0].declared if len(found) == 1 and isinstance(found[0], Object) else None
        methods = [] if only is None else run.scope.methods(only, name, count)
        if methods and all(m.decl.receiver is not None for m in methods):  # on what else is in sight
            place = run.place(frame, at)
            for each in receivers(frame):
                if fitting := self._fitting(run, methods, each):
                    return self._extend(run, fitting, each, arguments, frame, place)
        return run.over(receiver, lambda leaf: self.call_method(run, leaf, name, arguments, frame, at))

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
            if methods and methods[0].owner.is_interface and delegating.delegates(this):
                return run.over(
                    this, lambda leaf: self.call_method(run, leaf, name, arguments, frame, node.at)
                )
            if methods:
                return self._on_own(run, this, around, methods, arguments, frame, at)
            extensions = [m for m in run.scope.methods(around, name, count) if m.decl.receiver is not None]
            for receiver in receivers(frame):
                fitting = self._fitting(run, extensions, receiver)
                if fitting:
                    return self._extend(run, fitting, receiver, arguments, frame, at)
            for one in self.companion(run, around):
                assert one.declared is not None
                methods = run.scope.methods(one.declared, name, count)
                if methods:
                    return self._dispatch(run, methods, one, arguments, frame, at)
            held = self._own_field(run, around, this, name)
            if held is not UNSET and self._may_be_called(run, held, count, frame):
                field = run.scope.field(around, name)
                return self._call_held(run, held, arguments, frame, at, field[1].type if field else None)
            if around.decl.data and name == "copy":
                return self.call_method(run, this, name, arguments, frame, node.at)
            if isinstance(this, Object) and delegating.has_member(this, name):
                return self.call_method(run, this, name, arguments, frame, node.at)
            if isinstance(this, Object) and name not in extended.SCOPE:
                call = Call(self, run, this, name, arguments.values, frame, at)
                found = extended.method(self, call, arguments)  # of what the object iterates over
                if found is not NotImplemented:
                    return found
            if around.kind == "anonymous" or run.scope.library_supers(around):
                found = self._inherited(run, this, around, node, arguments, frame)
                if found is not UNSET:
                    return found
            if around.kind == "enum" and name in ("values", "valueOf"):
                return self._enum_call(run, around, name, arguments)
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
                return statics.static_call(self, run, owner, member, arguments, frame, at)
        return NotImplemented

    def _make(
        self, run: Interpreter, named: Class, node: ir.Call, arguments: Arguments, frame: Frame, at: Location
    ) -> Guarded:
        """A constructor's call, by the name of a class."""
        if named.kind == "alias":
            value = self.type_value(run, named)
            if isinstance(value, TypeValue) and value.declared is None:
                return self._library_object(run, value.name, as_new(node), arguments, frame, at)
            if isinstance(value, TypeValue) and value.declared is not None:
                named = value.declared
        if named.kind in ("object", "companion"):
            return self.call_method(run, self.singleton(run, named), "invoke", arguments, frame, node.at)
        for one in self.companion(run, named):
            assert one.declared is not None
            invoked = run.scope.methods(one.declared, "invoke", len(arguments))
            if invoked and not self._is_made(run, named, arguments, frame):
                return self.call_method(run, one, "invoke", arguments, frame, node.at)
        if named.is_interface and len(arguments) == 1:
            return run.typed(arguments.get(0), ir.TypeRef(named.name, node.types), frame)
        if not named.concrete:
            return run.unknown(Why.UNSUPPORTED, named.simple, frame, node.at)
        return self.instantiate(run, named, arguments, frame, at, self._made_in(run, named, frame))

    def _made_in(self, run: Interpreter, named: Class, frame: Frame) -> Guarded:
        """The object that one of an inner class is made in: the nearest receiver in sight of the class around it."""
        around = named.outer
        if around is not None:
            for receiver in receivers(frame):
                found = self._enclosing(run, receiver, around) if isinstance(receiver, Object) else None
                if isinstance(found, Object) and found.declared and run.scope.is_a(found.declared, around):
                    return found
        return frame.this

    def initialise(self, making: Making) -> None:
        run, arguments = making.run, making.arguments
        constructors = making.declared.methods.get("<init>", ())
        chosen = self.overload(run, [m for m in constructors if m.accepts(len(arguments))], arguments)
        placed = arguments if chosen is None else lambda_last(run, chosen, arguments)
        super().initialise(making._replace(arguments=placed))

    def call_method(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        place = run.place(frame, at)
        if isinstance(leaf, Function | Bound) and name == "invoke":
            return self._call_held(run, leaf, arguments, frame, place)
        if name in ("get", "set", "getValue", "setValue") and self.is_property(run, leaf):
            return self.on_property(run, leaf, name, arguments, frame, at)
        if isinstance(leaf, Object) and leaf.declared is not None:
            if self._is_extended(run, name, frame) and self._is_hidden(run, leaf, name, arguments, frame):
                return run.unknown(Why.DYNAMIC, f"{name}()", frame, at)
            found = self._of_declared(run, leaf, name, arguments, frame, at)
            if found is not NotImplemented:
                return found
        if name in extended.SCOPE:
            leaf = self.as_value(run, leaf)
        if isinstance(leaf, TypeValue):
            found = self._of_type(run, leaf, name, arguments, frame, at)
            if found is not NotImplemented:
                return found
        extensions = self._extensions(run, leaf, name, arguments, frame)
        if extensions and not self._is_member(run, leaf, name, arguments):
            return self._extend(run, extensions, leaf, arguments, frame, place)
        near = next((c for c in chain(frame) if name in c.variables), frame)
        held = near.variables.get(name)
        if isinstance(held, Function) and (held.method is None or held.method.decl.receiver is not None):
            ref = near.declared.get(name)
            if ref is not None and ref.name == RECEIVER_FUNCTION and isinstance(leaf, Unknown):
                leaf = run.typed(leaf, ref.args[0], near)
            found = NotImplemented
            if held.method is None and RECEIVER_FUNCTION not in (held.interface, ref and ref.name):
                found = self._of_library(run, leaf, name, arguments, frame, at)  # as in `text.all { … }`
            if found is not NotImplemented:
                return found
            return self.call_on(run, held, leaf, arguments.values, frame, place)
        if arguments.open is not None and not (isinstance(leaf, Object) and leaf.client is not None):
            return run.havoc(name, run.unknown(Why.DYNAMIC, f"{name}()", frame, at), leaf, arguments)
        if isinstance(leaf, Object) and delegating.members_of(leaf) and name not in delegating.OF_ITSELF:
            return delegating.extension(self, run, leaf, name, arguments, frame, at)
        found = self._of_library(run, leaf, name, arguments, frame, at)
        return found if found is not NotImplemented else self._of_java(run, leaf, name, arguments, frame, at)

    def _of_type(
        self, run: Interpreter, leaf: TypeValue, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        """What is called on a name of a class or package; NotImplemented where it declares nothing of the name."""
        place = run.place(frame, at)
        if leaf.declared is not None:
            for one in self.companion(run, leaf.declared):
                assert one.declared is not None
                if run.scope.methods(one.declared, name, len(arguments)):
                    return self.call_method(run, one, name, arguments, frame, at)
            nested = leaf.declared.nested.get(name)
            if nested is not None:
                return self._make(run, nested, call_of(name, at), arguments, frame, place)
            return NotImplemented
        if name[:1].isupper():
            named = run.type_named(f"{leaf.name}.{name}", frame)
            if isinstance(named, Class):
                return self._make(run, named, call_of(name, at), arguments, frame, place)
            return self._library_object(run, named, as_new(call_of(name, at)), arguments, frame, place)
        models = run.scope.models.package(leaf.name) if run.scope.models is not None else ()
        for module in () if leaf.simple[:1].isupper() else (*run.scope.program.modules(leaf.name), *models):
            methods = [m for m in module.methods.get(name, ()) if m.accepts(len(arguments))]
            if methods:
                return self._dispatch(run, methods, None, arguments, frame, place)
        return NotImplemented

    def _of_library(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        """A function of Kotlin's library, native or a model; NotImplemented where it has none of the name."""
        place = run.place(frame, at)
        modelled = arguments.names and self._extensions_of(  # a model knows what its parameters are called
            run, self._models(run, name, frame), leaf, name, arguments, frame
        )
        if not modelled:
            call = Call(self, run, leaf, name, arguments.values, frame, place)
            found = extended.method(self, call, arguments)
            if found is not NotImplemented:
                self._may_mean(run, name, (leaf,), frame)
                return found
            modelled = self._extensions_of(run, self._models(run, name, frame), leaf, name, arguments, frame)
        if not modelled:
            return NotImplemented
        self._may_mean(run, name, (leaf,), frame)
        return self._extend(run, modelled, leaf, arguments, frame, place)

    def _of_java(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        """What is left: a method of Java, or something that nobody sees."""
        if isinstance(leaf, Object):
            lambdas = leaf.items is None and leaf.entries is None
            lambdas = lambdas and _takes_lambda(arguments) and not tasks.runs_tasks(leaf)
            if lambdas and not self._has_member(run, leaf, name, len(arguments)):
                unknown = run.unknown(Why.DYNAMIC, f"{name}()", frame, at)
                return self._runs_on(run, leaf, name, arguments, unknown)
            if leaf.client is not None:
                if self._is_unseen(leaf, name):
                    unknown = run.unknown(Why.DYNAMIC, f"{name}()", frame, at)
                    every = replace(arguments, values=[leaf, *arguments.values])
                    return run.havoc(name, unknown, leaf, every)
                arguments = replace(arguments, values=list(map(values.emptied, arguments.values)))
        if isinstance(leaf, Unknown) and name in run.scope.program.properties():
            run.loses_call("")  # of what it holds
        if (isinstance(leaf, Text) and arguments.names) or _is_not_java_s(leaf, name, arguments):
            return run.havoc(name, run.unknown(Why.DYNAMIC, f"{name}()", frame, at), leaf, arguments)
        if name in _BY_CLASS and len(arguments.types) == 1:
            of = self._type_value(run, arguments.types[0], frame)
            arguments = replace(arguments, values=[*arguments.values, of], types=())
        found = super().call_method(run, leaf, name, arguments, frame, at)
        return UNIT if found is None and self._gives_nothing(leaf, name) else found

    def _of_declared(
        self, run: Interpreter, leaf: Object, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        """A member of an object whose class is here: written, of a data class, of a delegate, or a property."""
        declared = leaf.declared
        assert declared is not None
        methods = [
            m
            for m in run.scope.methods(declared, name, len(arguments))
            if m.decl.receiver is None and takes_lambda(run, m, arguments)
        ]
        if "<by>" in leaf.fields and methods and methods[0].owner.is_interface:
            for held in self._delegates(run, leaf, methods[0].owner):
                return run.over(held, lambda each: self.call_method(run, each, name, arguments, frame, at))
        if declared.decl.data and name == "toString" and not declared.methods.get(name):
            return self.shown(run, leaf)  # its own, whatever the classes above it say
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
        for _, held in () if delegating.members_of(leaf) else leaf.fields.get("<by>", ()):
            for _, other in leaves(held, run.guard):
                if self._has_member(run, other, name, len(arguments)):
                    return run.over(
                        held, lambda each: self.call_method(run, each, name, arguments, frame, at)
                    )
        found = run.scope.field(declared, name)
        if found is not None and found[1].receiver is None and name not in ("equals", "toString"):
            value = self.read(run, leaf, name, *found)
            if self._may_be_called(run, value, len(arguments), frame):
                place = run.place(frame, at)
                return self._call_held(run, value, arguments, frame, place, found[1].type)
        if name in delegating.members_of(leaf):
            return delegating.member(self, run, leaf, name, arguments, frame, at)
        return self._as_java_calls(run, leaf, name, arguments, frame, at)

    def _as_java_calls(
        self, run: Interpreter, leaf: Object, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        """A property that is read or set by the name of its getter or setter."""
        assert leaf.declared is not None
        for prefix in ("get", "is", "set"):
            if name.startswith(prefix) and len(name) > len(prefix):
                rest = name[len(prefix) :]
                for written in (rest[0].lower() + rest[1:], f"is{rest}"):
                    if run.scope.field(leaf.declared, written) is None:
                        continue
                    if prefix == "set" and arguments.values:
                        self.set_attribute(run, leaf, written, arguments.values[0], frame, at)
                        return None
                    if prefix != "set" and not arguments.values:
                        return self._property(run, leaf, written, frame, at)
        return NotImplemented

    def _on_unknown(
        self, run: Interpreter, leaf: Unknown, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        if leaf.type is not None and leaf.type.declared is not None and not arguments.values:
            field = members.property_name(name)
            if field and run.scope.field(leaf.type.declared, field):
                return self.attribute(run, leaf, field, frame, at)
        return super()._on_unknown(run, leaf, name, arguments, frame, at)

    def expression(self, run: Interpreter, node: ir.Expr, frame: Frame) -> Guarded:
        if isinstance(node, ir.MethodRef) and node.target is None:
            return self._function_reference(run, node, frame)
        if isinstance(node, ir.TypeLiteral):
            known = reified(frame, node.type.name)
            if known is not None:
                return known
            for current in chain(frame):
                if current.method is not None and node.type.name in dict(current.method.decl.parameters):
                    return run.unknown(Why.DYNAMIC, node.type.name, frame, node.at)
            return self._type_value(run, node.type, frame)
        return super().expression(run, node, frame)

    def _function_reference(self, run: Interpreter, node: ir.MethodRef, frame: Frame) -> Guarded:
        """`::name`: a function or constructor, called as by its name; a variable of that name is not meant."""
        seen = without_variable(frame, node.name)

        def native(run: Interpreter, given: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
            return self.call_name(run, call_of(node.name, node.at), given, seen)

        around = (*frame.owner.lexical(), *self._modules(run, node.name, frame)) if frame.owner else ()
        meant = next((one for each in around for one in each.methods.get(node.name, ())), None)
        return Function(meant.decl.params if meant else (), (), None, node.name, native=native)

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
        is_task = (
            isinstance(leaf, Object)
            and frame is not None
            and not self._may_be_called(run, leaf, len(arguments), frame)
        )
        if (
            isinstance(leaf, Object | Text | int)
            and not is_task
            and frame is not None
            and frame.owner is not None
        ):
            return self.call_method(run, leaf, "invoke", arguments, frame, frame.owner.decl.at)
        return super().call_value(run, leaf, arguments, frame, at)

    def _is_static(self, run: Interpreter, target: TypeValue, name: str) -> bool:
        if target.declared is None:
            is_kotlins = target.name in _PLAIN  # their functions take one of them
            return name in ("<init>", "valueOf") or (
                not is_kotlins and statics.is_static(target.name, name, 1)
            )
        if name == "valueOf" and target.declared.kind == "enum":
            return True
        own = [m for each in run.scope.supers(target.declared) for m in each.methods.get(name, ())]
        if not own and run.scope.field(target.declared, name) is None:
            return any(
                one.declared and name in one.declared.methods for one in self.companion(run, target.declared)
            )
        return name == "<init>" or any(m.decl.static for m in own)

    def _called(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        """`receiver::name` called: a method, or a property that is read."""
        if name == "<init>" and isinstance(leaf, TypeValue) and leaf.declared is not None:
            return self._make(run, leaf.declared, call_of(name, at), arguments, frame, run.place(frame, at))
        declared = leaf.declared if isinstance(leaf, Object) and not arguments.values else None
        if declared is not None and run.scope.field(declared, name) is not None:
            return self.attribute(run, leaf, name, frame, at)
        return self.call_method(run, leaf, name, arguments, frame, at)

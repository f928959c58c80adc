"""Kotlin's functions: the objects, files and receivers they are looked for in, those that extend a type, and calls of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.expressions import enclosing
from subdrift.linter.resolve.execute.guards import UNSET, both, either, leaves, negate
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Bound, Frame, Function, Guarded, Object, Unknown
from subdrift.linter.resolve.semantics.jvm.kotlin_frames import (
    RECEIVER_FUNCTION,
    TYPES,
    chain,
    has_receiver,
    imported_as,
    lambda_last,
    names_it,
    own_parameters,
    receivers,
    reified,
)
from subdrift.linter.resolve.semantics.jvm.kotlin_sight import Sight
from subdrift.linter.resolve.semantics.jvm.kotlin_types import (
    DELEGATES,
    final_type,
    function_type,
    given_by,
    given_for,
    is_of_others,
    literal_type,
    made_by,
    mentions,
    of_declared,
    referred,
)
from subdrift.linter.resolve.semantics.jvm.library import kinds

_ARRAYS = frozenset(
    {
        "IntArray",
        "LongArray",
        "ShortArray",
        "ByteArray",
        "CharArray",
        "BooleanArray",
        "DoubleArray",
        "FloatArray",
    }
)

_RANGES = frozenset({"IntRange", "LongRange", "CharRange", "IntProgression", "ClosedRange", "OpenEndRange"})
"""Types of what `..` gives."""


def _local_receiver(leaf: Any) -> ir.TypeRef | None:
    """The type that a local function extends."""
    is_local = isinstance(leaf, Function) and leaf.method is not None and leaf.frame is not None
    return leaf.method.decl.receiver if is_local else None


class Functions(Sight):
    """Finds functions, and calls them."""

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
        extends = ref is not None and ref.name == RECEIVER_FUNCTION

        def on(leaf: Any) -> Guarded:
            if isinstance(leaf, Unknown) and leaf.type is None:
                self._may_extend(run, leaf, arguments, frame, at)
            extended = _local_receiver(leaf)
            if extended is not None:
                return self.call_on(run, leaf, self._receiver_of(run, extended, frame), values, frame, at)
            if extends and isinstance(leaf, Function | Bound):
                assert ref is not None
                if len(values) < len(ref.args) - 1:
                    receiver = self._receiver_of(run, ref.args[0], frame)
                    return self.call_on(run, leaf, receiver, values, frame, at)
                return self.call_on(run, leaf, values[0], values[1:], frame, at)
            if ref is None and isinstance(leaf, Function) and leaf.interface == RECEIVER_FUNCTION:
                around = list(receivers(frame))
                if around and len(values) == len(own_parameters(leaf)):
                    return self.call_on(run, leaf, around[0], values, frame, at)
            if (
                ref is not None
                and ref.name == "->"
                and isinstance(leaf, Function)
                and leaf.interface != RECEIVER_FUNCTION
            ):
                return run.call(leaf, arguments, frame, at)
            if (
                (
                    isinstance(leaf, Function)
                    and leaf.native is None
                    and leaf.method is None
                    and arguments.values
                )
                and len(arguments.values) == len(own_parameters(leaf)) + 1
                and not names_it(leaf)
            ):
                return self.call_on(run, leaf, arguments.values[0], arguments.values[1:], frame, at)
            declared = leaf.declared if isinstance(leaf, Object) else None
            if declared is not None and run.scope.methods(declared, "invoke", len(arguments)):
                place = declared.decl.at
                return self.call_method(run, leaf, "invoke", arguments, frame, place)
            return run.call(leaf, arguments, frame, at)

        return run.over(held, on)

    def _may_extend(
        self, run: Interpreter, leaf: Unknown, arguments: Arguments, frame: Frame, at: Location
    ) -> None:
        """What is called may be of a type that a function of the program in sight extends by `invoke`."""
        found = self._extensions(run, leaf, "invoke", arguments, frame)
        if found:
            before = run.guard
            run.guard = both(before, run.runs_it("invoke", arguments.values))
            here = run.guard
            self._extend(run, found, leaf, arguments, frame, at)
            run.guard = either(run.guard, both(before, negate(here)))

    def _receiver_of(self, run: Interpreter, ref: ir.TypeRef, frame: Frame) -> Guarded:
        """The innermost implicit receiver of a type."""
        assert frame.owner is not None
        found = list(receivers(frame))
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
            if isinstance(leaf, Function) and (
                _local_receiver(leaf) or (leaf.native is None and leaf.method is None)
            ):
                leaf.ran = True
                return run.call(replace(leaf, this=receiver), Arguments(list(values)), frame, at)
            return run.call(leaf, Arguments([receiver, *values]), frame, at)

        return run.over(function, on)

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
        arguments = lambda_last(run, chosen, arguments)
        around = self._with_types(run, chosen, this, arguments)
        if around is not None and not chosen.owner.local:
            return run.invoke(chosen, this, arguments, frame, at, around)
        return super()._dispatch(run, [chosen], this, arguments, frame, at)

    def _with_types(
        self, run: Interpreter, method: Method, this: Guarded, arguments: Arguments
    ) -> Frame | None:
        """A frame around a function's with the types that its call gives its type parameters: `f<A>()`."""
        given, near = arguments.types, arguments.near
        names = [name for name, _ in method.decl.parameters]
        if not names or len(names) < len(given) or (given and near is None):
            return None
        known: dict[str, Guarded] = {}
        if near is not None and given:
            known = {n: self._type_value(run, ref, near) for n, ref in zip(names, given, strict=False)}
        elif not method.owner.file.model:
            known = self._inferred(run, method, names, arguments)
        if not known:
            return None
        around = run.frame(method.owner, this)
        around.variables.update((f"<{name}>", value) for name, value in known.items())
        return around

    def _inferred(
        self, run: Interpreter, method: Method, names: Sequence[str], arguments: Arguments
    ) -> dict[str, Guarded]:
        """The type parameters that the arguments tell, and the type that what is given is declared with."""
        known: dict[str, Guarded] = {}
        result = given_by(method.decl)
        while (
            result is not None and result.name in DELEGATES and result.args and arguments.wanted is not None
        ):
            result = result.args[-1]  # what a property is declared with is what its delegate gives
        returns = "" if result is None else result.name
        told = any(param.type is not None and mentions(param.type, returns) for param in method.decl.params)
        if arguments.wanted is not None and returns in names and not told:
            ref, near = arguments.wanted
            free = any(ref.name in dict(one.method.decl.parameters) for one in chain(near) if one.method)
            if not free or reified(near, ref.name) is not None:
                known[returns] = self._type_value(run, ref, near)
        for place, param in enumerate(method.decl.params):
            if param.type is None or param.type.name in known:
                continue
            given = arguments.names.get(param.name, UNSET)
            if given is UNSET:
                given = arguments.get(place)
            of = function_type(run, param.type, method.owner)
            if of is not None and isinstance(given, Function) and given.frame is not None:
                *taken, made = of
                pairs = [(ref, each.type) for ref, each in zip(taken, own_parameters(given), strict=False)]
                for ref, own in (*pairs, (made, made_by(run, given))):
                    if ref.name in names and own is not None:
                        known.setdefault(ref.name, self._type_value(run, own, given.frame))
            if of is not None and isinstance(given, Bound) and isinstance(given.target, Object):
                for each in referred(run, given, len(of) - 1):
                    for ref, taking in zip(of, each.decl.params, strict=False):
                        if ref.name in names and taking.type is not None:
                            near = run.frame(each.owner, None)
                            known.setdefault(ref.name, self._type_value(run, taking.type, near))
            for number, ref in enumerate(param.type.args):
                held = given_for(run, given, run.scope.named(param.type.name, method.owner), number)
                if ref.name in names and held is not None:
                    known.setdefault(ref.name, self._type_value(run, *held))
            if param.type.name not in names:
                continue
            kind = None if param.kind else final_type(given)
            if isinstance(kind, str):
                kind = self._type_value(run, ir.TypeRef(kind), run.frame(method.owner, None))
            if kind is not None:
                known[param.type.name] = kind
        return known

    def wants_as(self, run: Interpreter, call: ir.Call, other: ir.Expr, frame: Frame) -> None:
        """Tells a call that its result is of the type of another value, where that is written out."""
        kind = literal_type(other)
        run.wanted = (call, (ir.TypeRef(kind), frame)) if kind else None

    def parameters(
        self, run: Interpreter, node: ir.Call, frame: Frame
    ) -> Sequence[tuple[ir.TypeRef, Frame] | None] | None:
        """The types that the arguments of a call by a plain name are declared with, where one of them may ask for its own."""
        if not any(type(one.value) is ir.Call and not one.value.types for one in node.args):
            return None
        if node.name == "<delegated>":  # of a local variable, whose name is told to what it is delegated to
            described = node.args[1].value
            told = described.args[0].value if isinstance(described, ir.Call) else None
            kind = frame.declared.get(str(told.value)) if isinstance(told, ir.Const) else None
            return None if kind is None else [(kind, frame), None]
        named = run.type_named(node.name, frame)
        methods: Sequence[Method] = ()
        if isinstance(named, Class):
            methods = named.methods.get("<init>", ())
        elif frame.owner is not None:
            methods = [
                m for one in self._modules(run, node.name, frame) for m in one.methods.get(node.name, ())
            ]
        methods = [m for m in methods if m.accepts(len(node.args))]
        if len(methods) != 1 or methods[0].decl.parameters:
            return None
        params, near = methods[0].decl.params, run.frame(methods[0].owner, None)
        by_name = {param.name: param for param in params}
        chosen = [
            by_name.get(one.name) if one.name else params[place] if place < len(params) else None
            for place, one in enumerate(node.args)
        ]
        return [None if one is None or one.type is None or one.kind else (one.type, near) for one in chosen]

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
        named = run.scope.named(ref.name, near)
        if isinstance(named, Class) and named.kind == "alias" and named.decl.supers:
            ref, near = named.decl.supers[0], named
        if ref.name in ("->", RECEIVER_FUNCTION):
            if (
                isinstance(leaf, Object)
                and leaf.declared is None
                and (leaf.items is not None or leaf.entries is not None)
            ):
                return -1  # a collection of the library is not a function
            if isinstance(leaf, Function) and ref.name == "->" and len(leaf.params) > 1:
                return 5 if len(ref.args) in (0, len(leaf.params) + 1) else 0
            if isinstance(leaf, Function | Bound):
                return 5
            return 0 if isinstance(leaf, Unknown | Object) else -1
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
        if held is not None and leaf.type == "[]" and ref.name in _ARRAYS:
            return 5
        if held is not None and ref.name in _RANGES:
            return 5 if kinds.SHOWN in leaf.fields else -1
        if ref.name == "Comparator" and isinstance(leaf, Function | Bound):
            compares = isinstance(leaf, Function) and (len(leaf.params) == 2 or leaf.interface == ref.name)
            return 5 if compares else -1
        if held is not None and ref.name == "Sequence":
            return 3  # what is known of one is held in a list
        if near.file.model and held is not None and ref.name in ("Iterable", "Collection", "List"):
            return 5  # the library has each of these functions for arrays, sets and sequences too
        if ref.name in TYPES and not isinstance(run.scope.named(ref.name, near), Class):
            ref = ir.TypeRef(TYPES[ref.name], ref.args)
        return super()._fits(run, leaf, ref, near)

    def _is_unseen(self, leaf: Object, name: str) -> bool:
        """Whether a function that a consumer does not have is called on it: an extension nobody sees, which may do anything
        with it."""
        assert leaf.client is not None
        known = name in leaf.client.operations or name == "shutdown"
        return not known and not name.startswith(("set", "register", "get"))

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

    def _extensions(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame
    ) -> list[Method]:
        """The extension functions of a name that are in sight and fit a receiver."""
        count = len(arguments)
        for current in chain(frame):
            assert current.owner is not None
            for around in current.owner.lexical():
                homes = [around, *(one.declared for one in self.companion(run, around) if one.declared)]
                for home in homes:
                    found = self._fitting(run, run.scope.methods(home, name, count), leaf, arguments)
                    if found:
                        return found
        for receiver in receivers(frame):
            for _, one in leaves(receiver, run.guard):
                if isinstance(one, Object) and one.declared is not None:
                    found = self._fitting(run, run.scope.methods(one.declared, name, count), leaf, arguments)
                    if found:
                        return found
        found = self._extensions_of(run, self._modules(run, name, frame), leaf, name, arguments, frame)
        if found:
            return found
        written = imported_as(frame, name)
        assert frame.owner is not None
        full = frame.owner.file.single.get(name)
        if full is not None:
            declared = run.scope.named(full.rpartition(".")[0], frame.owner)
            if isinstance(declared, Class) and declared.kind in ("object", "companion"):
                return self._fitting(run, run.scope.methods(declared, written, count), leaf, arguments)
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
        written = imported_as(frame, name)
        for module in modules:
            methods = [
                m
                for m in module.methods.get(written, ())
                if m.accepts(len(arguments)) and not is_of_others(run, m, arguments)
            ]
            found = self._fitting(run, methods, leaf, arguments)
            if found:
                return found
        return []

    def _fitting(
        self,
        run: Interpreter,
        methods: Sequence[Method],
        receiver: Guarded,
        arguments: Arguments | None = None,
    ) -> list[Method]:
        if len(methods) > 1 and arguments is not None and type(arguments.on) is ir.Name:
            methods = of_declared(run, methods, arguments.on, arguments.near)
        found: list[tuple[int, int, Method]] = []
        for number, method in enumerate(methods):
            ref = method.decl.receiver
            if ref is None:
                continue
            variables = {name for name, _ in method.decl.parameters}
            if method.owner.file.model and ref.name not in variables and _is_open(receiver):
                continue  # the library has functions of that name for other types, too
            fits = [
                1 if leaf is None or ref.name in variables else self._fits(run, leaf, ref, method.owner)
                for _, leaf in leaves(receiver, run.guard)
            ]
            if fits and min(fits) >= 0:
                found.append((-min(fits), number, method))
        found.sort(key=lambda each: each[:2])
        if len(found) > 1 and found[0][0] == found[1][0]:
            first, second = found[0][2].decl.receiver, found[1][2].decl.receiver
            alike = first is not None and second is not None and first.name == second.name and first != second
            if alike or receiver is None:
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
                    for receiver in receivers(frame)
                    for _, one in leaves(receiver, run.guard)
                    if isinstance(one, Object)
                    and one.declared is not None
                    and run.scope.is_a(one.declared, method.owner)
                ),
                None,
            )
            if isinstance(holder, Object) and holder.declared is not None:  # which may override it
                ref = method.decl.receiver
                own = run.scope.methods(holder.declared, method.name, len(arguments))
                own = [m for m in own if m.decl.receiver and ref and m.decl.receiver.name == ref.name]
                method = next(iter(self._fitting(run, own, receiver)), method)
        around = self._with_types(run, method, holder, arguments)
        if around is None and method.owner.kind != "module":
            around = run.frame(method.owner, holder)
        if around is not None and method.owner.local and isinstance(holder, Object):
            around.parent = holder.captured
        return run.over(
            receiver,
            lambda leaf: run.invoke(method, leaf, lambda_last(run, method, arguments), frame, at, around),
        )

    def _labelled_this(self, run: Interpreter, label: str, frame: Frame) -> Guarded:
        """`this@Outer`, `this@function`, `this@apply`: an object of the classes around, or a receiver."""
        for current in chain(frame):
            name = (
                current.function.name if current.function else current.method.name if current.method else ""
            )
            if has_receiver(current):  # which no class's name means
                if name == label:
                    return current.this
                continue
            written = enclosing(current, label)
            if written is not UNSET:
                return written
            this: Guarded = current.this
            while isinstance(this, Object) and this.declared is not None:
                if any(each.simple == label for each in run.scope.supers(this.declared)):
                    return this
                this = this.outer or (this.captured.this if this.captured else None)
        labelled = (current.this for current in chain(frame) if has_receiver(current))
        return next(labelled, frame.this)

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
            methods = [m for m in module.methods.get(imported_as(frame, name), ()) if m.accepts(count)]
            plain = [m for m in methods if m.decl.receiver is None]
            if plain:
                return self._dispatch(run, plain, None, arguments, frame, place)
            for receiver in receivers(frame):
                fitting = self._fitting(run, methods, receiver)
                if fitting and module.file.model:  # native code comes before models
                    return run.over(
                        receiver, lambda leaf: self.call_method(run, leaf, name, arguments, frame, at)
                    )
                if fitting:
                    return self._extend(run, fitting, receiver, arguments, frame, place)
            held = module.fields.get(name)
            if held is not None and held.receiver is None and not _is_class(run, name, frame):
                return self._call_held(run, self.static_field(run, module, held), arguments, frame, place)
        return NotImplemented


def _is_class(run: Interpreter, name: str, frame: Frame) -> bool:
    """Whether a name is that of a class, whose constructor comes before what a property of that name holds."""
    return name[:1].isupper() and isinstance(run.type_named(name, frame), Class)


def _is_open(receiver: Guarded) -> bool:
    """Whether nothing is known of a value, nor of its type."""
    return isinstance(receiver, Unknown) and receiver.type is None

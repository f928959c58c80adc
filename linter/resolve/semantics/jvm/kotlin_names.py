"""What a plain name of Kotlin means: a variable, a member of what is around, a top level's; what code captures."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.walk import nodes, remembered
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import UNSET, leaves
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.statements import wants
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
)
from subdrift.linter.resolve.semantics.jvm import managed, views
from subdrift.linter.resolve.semantics.jvm.kotlin_frames import (
    CAPTURED,
    assigned_in,
    chain,
    code_of,
    has_receiver,
    imported_as,
    is_last_of_class,
    receivers,
    reified,
)
from subdrift.linter.resolve.semantics.jvm.kotlin_library import functions
from subdrift.linter.resolve.semantics.jvm.kotlin_operators import Operators

_VOID = frozenset(
    {"accept", "clear", "close", "countDown", "execute", "forEach", "load", "lock", "print", "printStackTrace", "println",
     "run", "shutdown", "start", "store", "unlock"}
)  # fmt: skip
"""Methods that give nothing wherever Java has them."""

_PACKAGES = frozenset({"java", "javax", "kotlin", "org", "com", "io", "cn", "net", "jakarta"})


def is_lambda(value: Guarded) -> bool:
    """Whether a value is a function that is written where it is."""
    return isinstance(value, Function) and value.native is None and value.method is None


_PLAIN = frozenset(
    {"String", "Int", "Long", "Boolean", "Double", "Char", "Float", "Short", "Byte", "CharSequence"}
)
"""Types of values that only a function of the program can make be called."""


def _around(frame: Frame, variables: dict[str, Guarded]) -> Frame:
    """What lambdas see of a frame, with variables that are not the frame's any more."""
    declared = {name: ref for name, ref in frame.declared.items() if name in variables}
    return replace(frame, parent=frame, variables=variables, declared=declared, shared=CAPTURED, closures=())


def _is_labelled(frame: Frame, label: str) -> bool:
    """Whether a frame is that of a lambda with a label: its own, or the name of the function that it is given to."""
    if frame.function is None:
        return False
    outer = (
        next((one for one in chain(frame.parent) if one.shared is not CAPTURED), None)
        if frame.parent
        else None
    )
    if frame.function.name or outer is None:
        return frame.function.name == label
    given = _lambdas_of_calls(tuple(code_of(outer)))
    return any(called == label and body is frame.function.body for called, body in given)


@remembered
def _lambdas_of_calls(code: Any) -> tuple[tuple[str, Any], ...]:
    """The bodies of the lambdas that calls get, each with the name of what is called."""
    return tuple(
        (node.name, each.value.body)
        for node in nodes(code)
        if type(node) is ir.Call
        for each in node.args
        if type(each.value) is ir.Lambda
    )


class Names(Operators):
    """Finds what names mean."""

    def __init__(self) -> None:
        super().__init__()
        self._assigned: dict[int, tuple[Any, frozenset[str]]] = {}  # of a body, which is kept for its id

    def name(self, run: Interpreter, node: ir.Name, frame: Frame) -> Guarded:
        name = node.name
        if name.startswith("this@"):
            return self._labelled_this(run, name.removeprefix("this@"), frame)
        for current in chain(frame):  # what is local comes before any receiver
            if name in current.variables:
                value = current.variables[name]
                if isinstance(value, Object) and value.type == functions.DELEGATED:
                    return self.on_delegate(run, value, "getValue", (), frame, node.at)
                return None if value is UNSET else value
            if name in current.declared:
                return None
        for current in chain(frame):
            if has_receiver(current) and not self._is_out_of_sight(run, current.this, name, frame):
                found = run.over(
                    current.this, lambda leaf: self._property(run, leaf, name, frame, node.at, only=True)
                )
                if found is not UNSET:
                    return found
            if is_last_of_class(current):
                found = self._of_classes(run, current, name, frame)
                if found is not UNSET:
                    return found
        found = self._top_level(run, name, frame, node.at)
        if found is not UNSET:
            return found
        named = run.type_named(name, frame)
        if isinstance(named, Class):
            value = self.type_value(run, named)
            return value if run.qualifies is node else self.as_value(run, value)
        if named != name or name[:1].isupper() or name in _PACKAGES:
            return UNIT if named in ("Unit", "kotlin.Unit") else TypeValue(None, named)
        for receiver in receivers(frame):
            if self._is_cast(run, receiver, name):
                return run.over(receiver, lambda leaf: self.attribute(run, leaf, name, frame, node.at))
            for _, leaf in leaves(receiver, run.guard):
                if isinstance(leaf, Unknown) or (isinstance(leaf, Object) and leaf.declared is None):
                    return self.attribute(run, leaf, name, frame, node.at)
        return TypeValue(None, name)

    def _is_cast(self, run: Interpreter, receiver: Guarded, name: str, count: int | None = None) -> bool:
        """Whether a receiver is of a class with a property, or method, that the class of the code has not: `is A -> a`."""
        found = [leaf for _, leaf in leaves(receiver, run.guard)]
        return bool(found) and all(
            isinstance(leaf, Object)
            and leaf.declared is not None
            and (
                run.scope.field(leaf.declared, name)
                if count is None
                else run.scope.methods(leaf.declared, name, count)
            )
            for leaf in found
        )

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
                return self.entries(run, around)
            if name in ("name", "ordinal") and any(one.kind == "enum" for one in run.scope.supers(around)):
                at = around.decl.at
                return run.over(this, partial(self._property, run, name=name, frame=frame, at=at))
            inherited = self._getter(run, around, this, name, frame)
            if inherited is not UNSET:
                return inherited
            this = self._outer(run, this, around)
        return UNSET

    def _top_level(self, run: Interpreter, name: str, frame: Frame, at: ir.At) -> Guarded:
        """A property of a file's top level, or a member imported by its name."""
        assert frame.owner is not None
        file = frame.owner.file
        written = imported_as(frame, name)
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

    def captured(self, frame: Frame) -> Frame:
        """A lambda sees the variables themselves; each turn of a loop has variables of its own, which it keeps."""
        body = code_of(frame)
        if not body or not any(loop.turns for loop in frame.loops):
            return frame
        assigned = self._assigned.get(id(body))
        if assigned is None:
            assigned = self._assigned[id(body)] = (body, assigned_in(body))
        kept = {
            name: value
            for name, value in frame.variables.items()
            if value is not UNSET and name not in assigned[1]
        }
        made = _around(frame, kept)
        frame.closures = (*frame.closures, made)
        return made

    def declares_anew(self, frame: Frame, name: str) -> None:
        """A variable of another turn, or of another block: lambdas that were made before go on with the one they saw."""
        seeing = [one for one in frame.closures if name not in one.variables]
        if seeing:
            own = _around(frame, {name: frame.variables[name]})
            for one in seeing:
                one.parent = own
            frame.closures = (*(one for one in frame.closures if name in one.variables), own)

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
            value = run.value(delegate.value, frame)
            made.fields["<by>"] = (*held, (of, value))
            views.shows(made, value)
        parts: list[ir.FieldDecl | ir.Initialiser] = [
            decl for decl in declared.decl.fields if (decl.value is not None or decl.delegate is not None)
        ]
        parts += declared.decl.initialisers
        for part in sorted(parts, key=lambda one: one.at):
            if run.guard is False:
                return
            if isinstance(part, ir.Initialiser):
                run.run(part.body, frame)
            elif not managed.keeps(made, declared, part):
                overriding = None if made.declared is None else run.scope.field(made.declared, part.name)
                written = part.value if part.delegate is None else part.delegate
                assert written is not None
                if part.type is not None:
                    wants(run, written, (part.type, frame))
                value = run.value(written, frame)
                if part.delegate is None:
                    value = run.typed(value, part.type, frame)
                else:
                    value = self.provided(run, value, made, part.name, frame)
                if overriding is not None and overriding[0] is not declared:
                    continue  # what it begins with is worked out, and nobody sees it
                if declared.kind in ("object", "companion"):
                    value = self.through_name(run, value, declared, part)
                made.fields[self.slot(run, made, part.name, declared)] = value

    def _runs_on(
        self, run: Interpreter, leaf: Object, name: str, arguments: Arguments, unknown: Unknown
    ) -> Guarded:
        """An extension that nobody sees: the lambdas it gets may run on what it is called on."""
        given: list[Guarded] = []
        for value in arguments.values:
            if isinstance(value, Function) and is_lambda(value):
                value.ran = True
                value = replace(value, this=leaf)
            given.append(value)
        if leaf.client is not None:  # it may do more with a consumer than its lambdas do
            given.insert(0, leaf)
        return run.havoc(name, unknown, leaf, replace(arguments, values=given))

    def _gives_nothing(self, leaf: Any, name: str) -> bool:
        """Whether a method of a library is known to give nothing, where what it comes to is null."""
        of_client = isinstance(leaf, Object) and leaf.client is not None and not name.startswith("get")
        return of_client or name in _VOID

    def _may_be_called(self, run: Interpreter, value: Guarded, count: int, frame: Frame) -> bool:
        """Whether a property may be meant where something of its name is called: it is a function, has an `invoke`, or
        nobody knows what it holds."""

        def one(leaf: Any) -> bool:
            if isinstance(leaf, Function | Bound | Unknown):
                return True
            own = leaf.declared if isinstance(leaf, Object) else None
            if own is not None and run.scope.methods(own, "invoke", count):
                return True
            return isinstance(leaf, Object | Text | int) and self._is_extended(run, "invoke", frame)

        return any(one(leaf) for _, leaf in leaves(value))

    def _is_held_function(
        self, run: Interpreter, held: Guarded, ref: ir.TypeRef | None, arguments: Arguments, frame: Frame
    ) -> bool:
        """Whether a variable may be meant where something of its name is called, rather than a function further out."""

        def one(leaf: Any) -> bool:
            if isinstance(leaf, Object) and leaf.type == functions.DELEGATED:
                return True
            told = type(leaf) is not Unknown or (ref is not None and ref.name in _PLAIN)
            if told and bool(self._extensions(run, leaf, "invoke", arguments, frame)):
                return True
            unsure = type(leaf) is not Unknown or ref is None or ref.name not in _PLAIN
            return unsure and self._may_be_called(run, leaf, len(arguments), frame)

        return any(one(leaf) for _, leaf in leaves(held))

    def returning(self, node: ir.Return, frame: Frame) -> Frame:
        """The frame that a `return` leaves: a lambda's for its last value and for a label, else the function's."""
        implicit = not node.label and node.value is not None and node.value.at == node.at
        if implicit or frame.function is None:
            return frame
        around = [one for one in chain(frame) if one.shared is not CAPTURED]
        if node.label:
            named = next((one for one in around if _is_labelled(one, node.label)), None)
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

    def _type_value(self, run: Interpreter, ref: ir.TypeRef, frame: Frame) -> TypeValue:
        return reified(frame, ref.name) or super()._type_value(run, self.meant(run, ref, frame), frame)

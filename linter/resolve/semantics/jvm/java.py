"""Java's names, objects, calls and operators (`interpreter.Semantics`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from subdrift.linter.clients.apis import JAVA_CONSTANTS, WORDS
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute import clients
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    apply,
    both,
    choose,
    either,
    leaves,
    negate,
    pick,
    under,
)
from subdrift.linter.resolve.execute.havoc import assigned, filled_in
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.program import Class, Method
from subdrift.linter.resolve.execute.protocol import Arguments, Raise, Test
from subdrift.linter.resolve.execute.values import (
    BY_ZERO,
    OF_A_WIDTH,
    Bound,
    Entry,
    Frame,
    Function,
    Gap,
    Guarded,
    LibraryConstant,
    Object,
    Single,
    Step,
    Text,
    TypeValue,
    Unknown,
    join,
    text,
    widened,
)
from subdrift.linter.resolve.semantics.jvm import beans, consumers, documents, library, records
from subdrift.linter.resolve.semantics.jvm.natives import reflection
from subdrift.linter.resolve.semantics.jvm.operators import (
    OWN_EQUALITY,
    binary,
    convert,
    equal,
    number_text,
    of_width,
    raise_in,
    unary,
    undefined,
    unseen,
)
from subdrift.linter.resolve.semantics.jvm.static_types import (
    BOXED,
    bits_of,
    declared_with,
    fits_written,
    static_types,
)

_ZERO: dict[str, Guarded] = {
    **dict.fromkeys(("int", "long", "short", "byte"), 0),
    **dict.fromkeys(("float", "double"), 0.0),
    "boolean": False,
}


def _gives_a_value(methods: Sequence[Method]) -> bool:
    return any(each.decl.returns is None or each.decl.returns.name != "void" for each in methods)


class Java:
    """The semantics of Java sources."""

    # -- names ----------------------------------------------------------------------------------------------

    def name(self, run: Interpreter, node: ir.Name, frame: Frame) -> Guarded:
        found = self._variable(run, node.name, frame)
        if found is not UNSET:
            return found
        if frame.owner is None or not run.scope.is_memberless(frame.owner, node.name):
            found = self._member(run, node.name, frame, node.at)
            if found is not UNSET:
                return found
        type_ = run.type_named(node.name, frame)
        if isinstance(type_, Class):
            return TypeValue(type_, type_.name)
        constant = node.name.isupper() and len(node.name) > 1  # inherited from a type nobody has read
        if type_ != node.name or (not constant and node.name[:1].isalpha()):
            return TypeValue(None, type_)
        return run.unknown(Why.UNDEFINED, node.name, frame, node.at)

    def _variable(self, run: Interpreter, name: str, frame: Frame) -> Guarded:
        """A local of the frame or of the code around it; a field of a class in between is nearer."""
        current: Frame | None = frame
        while current is not None:
            if name in current.variables:
                value = current.variables[name]
                return None if value is UNSET else value
            if name in current.declared:
                return None
            parent = current.parent
            if parent is not None and parent.owner is not current.owner and current.owner is not None:
                found = self._own_field(run, current.owner, current.this, name)
                if found is not UNSET:
                    return found
            current = parent
        return UNSET

    def _member(self, run: Interpreter, name: str, frame: Frame, at: ir.At) -> Guarded:
        """A field or enum constant of the classes around, or a statically imported one."""
        this = frame.this
        assert frame.owner is not None
        for around in frame.owner.lexical():
            found = self._own_field(run, around, this, name)
            if found is not UNSET:
                own = run.scope.field(around, name)
                return self._seen(run, found, around, frame) if own and _is_static(*own) else found
            this = self._outer(run, this, around)
        file = frame.owner.file
        path = file.members.get(name)
        if path is not None:
            owner, _, member = path.rpartition(".")
            return self._imported(run, owner, member, frame, at)
        for wildcard in file.member_wildcards:
            declared = run.scope.named(wildcard, frame.owner)
            if isinstance(declared, Class) and (
                run.scope.field(declared, name) or name in declared.constants
            ):
                return self.static(run, declared, name, frame, at)
            if name in JAVA_CONSTANTS.get(wildcard, {}):
                return LibraryConstant(wildcard, name)
        return UNSET

    def _imported(self, run: Interpreter, owner: str, member: str, frame: Frame, at: ir.At) -> Guarded:
        assert frame.owner is not None
        declared = run.scope.named(owner, frame.owner)
        if isinstance(declared, Class):
            return self.static(run, declared, member, frame, at)
        return self.library_constant(run, owner, member, frame, at)

    def library_constant(self, run: Interpreter, owner: str, member: str, frame: Frame, at: ir.At) -> Guarded:
        """A constant of a class whose source is not here."""
        known = JAVA_CONSTANTS.get(owner)
        if known is None and "." not in owner:  # two imports with an asterisk may bring it in
            known = _BY_SIMPLE_NAME.get(owner)
        if known is not None and member in known:
            step = Step(run.place(frame, at), f"{owner.rpartition('.')[2]}.{member}")
            return text(known[member], (step,), frame=frame.number)
        if member[:1].isupper() and not member.isupper():
            return TypeValue(None, f"{owner}.{member}", guessed=True)
        found = library.constant(owner, member)
        if found is not UNSET:
            return found
        if not run.brief and run.scope.is_absent(owner):
            run.needed.add(owner)
        return LibraryConstant(owner, member)

    def _own_field(self, run: Interpreter, owner: Class, this: Guarded, name: str) -> Guarded:
        if name in owner.constants:
            return self.constant(run, owner, name)
        found = run.scope.field(owner, name)
        if found is None:
            return UNSET
        holder, decl = found
        if _is_static(holder, decl):
            return self.static_field(run, holder, decl)
        return run.over(
            this, lambda leaf: self.read(run, self._holding(run, leaf, holder), name, holder, decl)
        )

    def _holding(self, run: Interpreter, leaf: Any, holder: Class) -> Any:
        """The object whose field is meant: `leaf`, or one around it, that is of the class that declares it."""
        if not isinstance(leaf, Object) or leaf.declared is None or leaf.declared is holder:
            return leaf
        return self._enclosing(run, leaf, holder)

    def _outer(self, run: Interpreter, this: Guarded, around: Class) -> Guarded:
        """The enclosing instance one class further out."""

        def step(leaf: Any) -> Any:
            if isinstance(leaf, Object):
                if leaf.outer is not None:
                    return leaf.outer
                return leaf.captured.this if leaf.captured is not None else leaf
            return leaf

        return apply(step, this)

    # -- fields ---------------------------------------------------------------------------------------------

    def read(self, run: Interpreter, leaf: Any, name: str, holder: Class, decl: ir.FieldDecl) -> Guarded:
        """The field of an object, as it is on the path that is being run."""
        if isinstance(leaf, Object):
            slot = self.slot(run, leaf, name, holder)
            if slot in leaf.fields:
                return under(leaf.fields[slot], run.guard)
            value = self.initial(run, leaf, holder, decl)
            leaf.fields[slot] = value
            return value
        if isinstance(leaf, Unknown):
            symbol = None if leaf.symbol is None else ("field", leaf.symbol, name)
            found = Unknown(leaf.why, f"{leaf.detail}.{name}".lstrip("."), symbol)
            return self._typed(run, found, decl.type, holder)
        found = Unknown(Why.DYNAMIC, f"{holder.simple}.{name}", ("field", holder.name, name))
        return self._typed(run, found, decl.type, holder)

    def slot(self, run: Interpreter, made: Object, name: str, holder: Class | None) -> str:
        """The key of a field in an object: a field that another class of the object hides has one of its own."""
        declared = made.declared
        if holder is None or declared is None or holder is declared:
            return name
        found = run.scope.field(declared, name)
        return name if found is None or found[0] is holder else f"{holder.name}#{name}"

    def _typed(self, run: Interpreter, value: Unknown, ref: ir.TypeRef | None, near: Class) -> Unknown:
        if ref is None:
            return value
        named = run.scope.named(ref.name, near)
        declared = named if isinstance(named, Class) else None
        made = TypeValue(declared, named.name if isinstance(named, Class) else named, ref.args)
        return Unknown(value.why, value.detail, value.symbol, made, value.steps, value.needs)

    def initial(self, run: Interpreter, made: Object, holder: Class, decl: ir.FieldDecl) -> Guarded:
        """What a field holds before anything is written to it."""
        injected = beans.field_value(self, run, made, holder, decl)
        if injected is not UNSET:
            return injected
        if decl.final and decl.value is not None and self._is_constant(run, holder, decl):
            return self._aside(run, holder, decl)  # a compiler puts it where it is read
        if (
            made.bean
            and decl.type is not None
            and decl.type.name not in _ZERO
            and _filled_later(run, holder, decl)
        ):
            symbol = ("field", ("object", made.number), decl.name)
            unknown = Unknown(Why.DYNAMIC, f"{holder.simple}.{decl.name}", symbol)
            return self._typed(run, unknown, decl.type, holder)
        return _ZERO.get(decl.type.name if decl.type else "")

    def _is_constant(self, run: Interpreter, holder: Class, decl: ir.FieldDecl, depth: int = 0) -> bool:
        """Whether a final field is a constant variable: of a text or number, with literals and such fields only."""
        kind = decl.type.name.rpartition(".")[2] if decl.type is not None else ""
        if (
            not decl.final
            or decl.value is None
            or depth > 8
            or (kind != "String" and kind not in _ZERO and kind != "char")
        ):
            return False
        stack: list[ir.Expr] = [decl.value]
        while stack:
            node = stack.pop()
            if isinstance(node, ir.Binary):
                stack += [node.left, node.right]
            elif isinstance(node, ir.Const):
                if node.value is None:
                    return False
            elif isinstance(node, ir.Name):
                found = run.scope.field(holder, node.name)
                if found is not None and not self._is_constant(run, *found, depth + 1):
                    return False
            elif not (isinstance(node, ir.Attribute) and _is_constant(node)):
                return False
        return True

    def static_field(self, run: Interpreter, holder: Class, decl: ir.FieldDecl) -> Guarded:
        """A static field; a constant expression is evaluated alone, anything else prepares the class."""
        key = (holder, decl.name)
        if key not in run.statics:
            if (
                decl.final
                and decl.value is not None
                and _is_constant(decl.value)
                and self._alone(run, holder, decl)
            ):
                run.statics[key] = Unknown(Why.CYCLE, decl.name)
                run.statics[key] = self._aside(run, holder, decl)
            else:
                self.prepare(run, holder)
        found = run.statics.get(key, UNSET)
        if found is UNSET:
            run.statics[key] = Unknown(Why.CYCLE, decl.name)
            found = beans.static_value(self, run, holder, decl)
            if found is UNSET and holder in run.preparing:
                del run.statics[key]  # it is null until its initialiser has run
                return _ZERO.get(decl.type.name if decl.type else "")
            if found is UNSET:
                found = _ZERO.get(decl.type.name if decl.type else "")
            run.statics[key] = found
        return under(found, run.guard)

    def _alone(self, run: Interpreter, holder: Class, decl: ir.FieldDecl) -> bool:
        """Whether an initialiser of names may be evaluated before its class is prepared: not one that reads what
        initialisers of the class, which are being run, assign."""
        return holder not in run.preparing or self._is_constant(run, holder, decl)

    def _aside(self, run: Interpreter, holder: Class, decl: ir.FieldDecl) -> Guarded:
        """The value of a static initialiser, which runs once whatever path asks first."""
        before, run.guard = run.guard, True
        frame = run.frame(holder, None)
        assert decl.value is not None
        value = run.typed(run.value(decl.value, frame), decl.type, frame)
        run.guard = before
        return self.through_name(run, value, holder, decl)

    def through_name(self, run: Interpreter, value: Guarded, holder: Class, decl: ir.FieldDecl) -> Guarded:
        """A value that was read by its name: the place of the declaration joins its way."""

        def stamped(leaf: Any) -> Any:
            if isinstance(leaf, Text):
                step = Step(holder.at(decl.at), f"{holder.simple}.{decl.name}")
                return leaf if step in leaf.steps else replace_text(leaf, (step, *leaf.steps))
            return leaf

        return apply(stamped, value)

    def prepare(self, run: Interpreter, owner: Class) -> None:
        """Runs the static initialisers of a class, once, in source order."""
        if owner in run.prepared:
            return
        run.prepared.add(owner)
        run.preparing.add(owner)
        above = run.scope.direct_super(owner)
        if isinstance(above, Class):
            self.prepare(run, above)
        before, raised, depth = run.guard, run.raised, run.depth
        run.guard, run.raised = True, []
        run.depth += 1
        for constant in owner.constants:
            self.constant(run, owner, constant)
        parts: list[ir.FieldDecl | ir.Initialiser] = [
            decl for decl in owner.decl.fields if _is_static(owner, decl) and decl.value is not None
        ]
        parts += [one for one in owner.decl.initialisers if one.static]
        frame = run.frame(owner, None)
        for part in sorted(parts, key=lambda one: one.at):
            if isinstance(part, ir.FieldDecl):
                if (owner, part.name) in run.statics:
                    continue
                assert part.value is not None
                if part.type is not None and part.type.name == "String":
                    run.statics[owner, part.name] = Unknown(Why.CYCLE, part.name)
                value = run.typed(run.value(part.value, frame), part.type, frame)
                run.statics[owner, part.name] = self.through_name(run, value, owner, part)
            else:
                run.run(part.body, frame)
            run.guard = True
        run.preparing.discard(owner)
        run.guard, run.raised, run.depth = before, raised, depth

    def static(self, run: Interpreter, owner: Class, name: str, frame: Frame, at: ir.At) -> Guarded:
        """A static member of a declared class."""
        for each in run.scope.supers(owner):
            if name in each.constants:
                return self.constant(run, each, name)
            if name in each.nested:
                return TypeValue(each.nested[name], each.nested[name].name)
            decl = each.fields.get(name)
            if decl is not None:
                value = self.static_field(run, each, decl)
                return self._seen(run, value, each, frame)
        if name == "length" or name == "class":
            return TypeValue(owner, owner.name)
        for library_type in run.scope.library_supers(owner):
            if name in JAVA_CONSTANTS.get(library_type, {}):
                return self.library_constant(run, library_type, name, frame, at)
        return run.unknown(
            Why.UNDEFINED, f"{owner.name}.{name}", frame, at, symbol=("static", owner.name, name)
        )

    def _seen(self, run: Interpreter, value: Guarded, owner: Class, frame: Frame) -> Guarded:
        """A constant used in a frame counts as brought in there."""
        return apply(
            lambda leaf: (
                Text(leaf.parts, leaf.steps, leaf.char, frame.number) if isinstance(leaf, Text) else leaf
            ),
            value,
        )

    def constant(self, run: Interpreter, owner: Class, name: str) -> Object:
        """An enum constant: one object, made when it is first asked for."""
        key = (owner, name)
        found = run.constants.get(key)
        if found is not None:
            return found
        decl = owner.constants[name]
        declared = owner
        if decl.body is not None:
            declared = anonymous(run, decl.body, owner)
        made = run.make(declared, owner.name, owner.at(decl.at), constant=name)
        run.constants[key] = made
        made.fields["<ordinal>"] = list(owner.constants).index(name)
        before, raised = run.guard, run.raised
        run.guard, run.raised = True, []
        frame = run.frame(owner, None)
        arguments = run.arguments(decl.args, frame)
        self.initialise(run, made, owner, arguments, frame, owner.at(decl.at))
        if declared is not owner:
            self._run_fields(run, made, declared)
        run.guard, run.raised = before, raised
        return made

    def assign_name(self, run: Interpreter, name: str, value: Guarded, frame: Frame, at: ir.At) -> None:
        current: Frame | None = frame
        while current is not None:
            if name in current.variables or name in current.declared:
                old = current.variables.get(name, UNSET)
                declared = current.declared.get(name)
                value = run.typed(value, declared, current)
                current.variables[name] = pick(run.guard, value, old)
                return
            parent = current.parent
            if (
                parent is not None
                and parent.owner is not current.owner
                and current.owner is not None
                and self._write(run, current.owner, current.this, name, value)
            ):
                return
            current = parent
        this = frame.this
        assert frame.owner is not None
        for around in frame.owner.lexical():
            if self._write(run, around, this, name, value):
                return
            this = self._outer(run, this, around)
        frame.variables[name] = pick(run.guard, value, frame.variables.get(name, UNSET))

    def _write(self, run: Interpreter, owner: Class, this: Guarded, name: str, value: Guarded) -> bool:
        found = run.scope.field(owner, name)
        if found is None:
            return False
        holder, decl = found
        value = self._declared(run, value, decl, holder)
        if _is_static(holder, decl):
            if (holder, name) not in run.statics and decl.value is not None:
                self.prepare(run, holder)
            old = run.statics.get((holder, name), _ZERO.get(decl.type.name if decl.type else ""))
            run.statics[holder, name] = pick(run.guard, value, old)
            return True
        for guard, leaf in leaves(this, run.guard):
            if isinstance(leaf, Object):
                self._put(run, leaf, name, value, guard, holder, decl)
        return True

    def _declared(self, run: Interpreter, value: Guarded, decl: ir.FieldDecl, holder: Class) -> Guarded:
        """A value as a field of a type takes it."""
        if decl.type is None:
            return value
        kind = decl.type.name
        if kind in ("double", "float"):
            return apply(lambda leaf: widened(leaf, kind) if type(leaf) is int else leaf, value)
        return (
            self._typed(run, value, decl.type, holder)
            if type(value) is Unknown and value.type is None
            else value
        )

    def _put(
        self,
        run: Interpreter,
        made: Object,
        name: str,
        value: Guarded,
        guard: Guarded,
        holder: Class | None = None,
        decl: ir.FieldDecl | None = None,
    ) -> None:
        old: Guarded = UNSET
        slot = self.slot(run, made, name, holder)
        if guard is not True:
            old = made.fields.get(slot, UNSET)
            if old is UNSET:
                old = (
                    self.initial(run, made, holder, decl) if holder is not None and decl is not None else None
                )
        made.fields[slot] = pick(guard, value, old)

    # -- attributes -----------------------------------------------------------------------------------------

    def attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded:
        if isinstance(leaf, TypeValue):
            if leaf.declared is not None:
                return self.static(run, leaf.declared, name, frame, at)
            if name == "this":
                return frame.this
            whole = run.type_named(f"{leaf.name}.{name}", frame)
            if isinstance(whole, Class):
                return TypeValue(whole, whole.name)
            if not leaf.simple[:1].isupper():
                return TypeValue(None, whole)
            return self.library_constant(run, self._full_name(run, leaf.name, frame), name, frame, at)
        if isinstance(leaf, Object):
            if name == "length" and leaf.items is not None:
                return library.size(leaf)
            if leaf.declared is not None:
                found = run.scope.field(leaf.declared, name)
                if found is not None:
                    if _is_static(*found):
                        return self.static_field(run, *found)
                    return self.read(run, leaf, name, *found)
            if name in leaf.fields:
                return under(leaf.fields[name], run.guard)
            if leaf.client is not None:
                return Unknown(Why.DYNAMIC, name)
            return Unknown(Why.UNDEFINED, phrase("attribute", f"{leaf.type.rpartition('.')[2]}.{name}"))
        if isinstance(leaf, Unknown):
            symbol = None if leaf.symbol is None else ("field", leaf.symbol, name)
            found_unknown = Unknown(leaf.why, f"{leaf.detail}.{name}".lstrip("."), symbol, steps=leaf.steps)
            if leaf.type is not None and leaf.type.declared is not None:
                field = run.scope.field(leaf.type.declared, name)
                if field is not None:
                    if _is_static(*field) and field[0].kind != "annotation":
                        return self.static_field(run, *field)
                    return self._typed(run, found_unknown, field[1].type, field[0])
            return found_unknown
        if leaf is None:
            raise_in(run, "NullPointerException")
            return UNSET
        return Unknown(Why.UNSUPPORTED, name)

    def attribute_as(
        self, run: Interpreter, leaf: Any, view: Class, name: str, frame: Frame, at: ir.At
    ) -> Guarded:
        """`((View) object).name`: the field that the declared type has, not one that hides it."""
        if isinstance(leaf, Object) and leaf.declared is not None and leaf.declared is not view:
            found = run.scope.field(view, name)
            if found is not None and not _is_static(*found):
                return self.read(run, leaf, name, *found)
        return self.attribute(run, leaf, name, frame, at)

    def swallows(self, run: Interpreter, leaf: Any, thrown: Any, frame: Frame, at: ir.At) -> bool:
        self.leave(run, leaf, frame, at)  # what a resource throws while it is closed is told beside
        return False

    def captured(self, frame: Frame) -> Frame:
        """Local variables that a lambda or class sees never change: it keeps what they hold where it is made."""
        return msgspec.structs.replace(frame, variables=dict(frame.variables))

    def narrowed(
        self, run: Interpreter, node: ir.Assign, before: Guarded, added: Guarded, value: Guarded, frame: Frame
    ) -> Guarded:
        """What `+=` and the like put into a variable: a value of its type."""
        if value is OF_A_WIDTH or value is BY_ZERO:
            both_sides = ir.Binary(node.operator, node.target, node.value, node.at)
            value = self.of_width(run, both_sides, before, added, frame)
        return apply(lambda old, new: self._narrowed(run, node.target, old, new, frame), before, value)

    def _narrowed(self, run: Interpreter, target: ir.Expr, before: Any, value: Any, frame: Frame) -> Any:
        if isinstance(before, Text) and before.char and type(value) is int:
            return text(chr(value % 65_536), before.steps, char=True, frame=before.frame)
        if type(value) is float and type(before) in (int, Single):
            return convert(value, declared_with(run, target, frame) or "long")
        if type(value) is int and not -128 <= value < 128 and type(before) is int:
            return convert(value, declared_with(run, target, frame))
        return value

    def truth_of(self, run: Interpreter, leaf: Object, frame: Frame) -> Guarded:
        return self.truth(leaf)

    def super_attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded:
        """`super.name`: the field as the class above sees it."""
        owner = frame.owner
        for each in run.scope.supers(owner) if owner is not None else ():
            if each is not owner and name in each.fields:
                decl = each.fields[name]
                if _is_static(each, decl):
                    return self.static_field(run, each, decl)
                return self.read(run, leaf, name, each, decl)
        absent = run.absent_above(owner)
        if absent:
            return run.unknown(Why.DYNAMIC, f"super.{name}", frame, at, needs=absent)
        return self.attribute(run, leaf, name, frame, at)

    def _full_name(self, run: Interpreter, name: str, frame: Frame) -> str:
        return name

    def set_attribute(
        self, run: Interpreter, leaf: Any, name: str, value: Guarded, frame: Frame, at: ir.At
    ) -> None:
        if isinstance(leaf, Object):
            found = run.scope.field(leaf.declared, name) if leaf.declared is not None else None
            if found is not None and _is_static(*found):
                self._write(run, found[0], leaf, name, value)
                return
            if found is not None:
                value = self._declared(run, value, found[1], found[0])
            self._put(run, leaf, name, value, run.guard, *(found or (None, None)))
        elif isinstance(leaf, TypeValue) and leaf.declared is not None:
            self._write(run, leaf.declared, None, name, value)

    # -- objects --------------------------------------------------------------------------------------------

    def family(self, run: Interpreter, declared: Class) -> Sequence[Class]:
        """A class, and those of the program above it."""
        return run.scope.supers(declared)

    def construct(self, run: Interpreter, node: ir.New, arguments: Arguments, frame: Frame) -> Guarded:
        at = run.place(frame, node.at)
        if node.type.name == "[]":
            return library.array(run, [], at)
        outer = frame.this
        named: Class | str
        if node.outer is not None:
            holder = run.value(node.outer, frame)
            outer = holder
            only = next((leaf for _, leaf in leaves(holder, run.guard)), None)
            inner = (
                next(
                    (
                        each.nested[node.type.name]
                        for each in run.scope.supers(only.declared)
                        if node.type.name in each.nested
                    ),
                    None,
                )
                if isinstance(only, Object) and only.declared is not None
                else None
            )
            named = inner or run.type_named(node.type.name, frame)
        else:
            named = run.type_named(node.type.name, frame)
        if node.body is not None:
            assert frame.owner is not None
            declared = anonymous(run, node.body, frame.owner, named, node.type)
            made = run.make(declared, named.name if isinstance(named, Class) else named, at)
            made.captured = self.captured(frame)
            made.outer = frame.this if isinstance(frame.this, Object) else None
            if not isinstance(named, Class) or named.is_interface:
                self._library_part(run, made, declared, arguments, frame, at)
            else:
                self.initialise(run, made, named, arguments, frame, at)
            self._run_fields(run, made, declared)
            return made
        if isinstance(named, Class):
            if not named.concrete:
                return run.unknown(Why.UNSUPPORTED, phrase("new", named.simple), frame, node.at)
            if node.outer is None and named.outer is not None and isinstance(outer, Object):
                outer = self._enclosing(run, outer, named.outer)  # made inside another class of its class
            return self.instantiate(run, named, arguments, frame, at, outer)
        return self._library_object(run, named, node, arguments, frame, at)

    def instantiate(
        self,
        run: Interpreter,
        declared: Class,
        arguments: Arguments,
        frame: Frame,
        at: Location,
        outer: Guarded = None,
        *,
        bean: bool = False,
    ) -> Object:
        """A new object of a declared class, its initialisers and constructor run."""
        self.prepare(run, declared)
        made = run.make(declared, declared.name, at, bean=bean)
        if self._has_equality(run, declared):
            made.fields[OWN_EQUALITY] = partial(self._own_equality, run)
        if declared.local:
            made.captured = self._sees(run, declared, frame)
        if not declared.decl.static:
            made.outer = next(
                (leaf for _, leaf in leaves(outer, run.guard) if isinstance(leaf, Object)), None
            )
        self.initialise(run, made, declared, arguments, frame, at)
        return made

    def _sees(self, run: Interpreter, declared: Class, frame: Frame) -> Frame:
        """What a new object of a class that is declared inside a body sees of that."""
        this = frame.this
        if isinstance(this, Object) and this.declared is declared and this.captured is not None:
            return this.captured  # one of them makes another
        return self.captured(local_frame(run, declared) or frame)

    def _has_equality(self, run: Interpreter, declared: Class) -> bool:
        """Whether a class says itself which objects are equal."""
        key = ("own equality", declared)
        found = run.heap.get(key)
        if found is None:
            found = run.heap[key] = any(not one.abstract for one in run.scope.methods(declared, "equals", 1))
        return bool(found)

    def _own_equality(self, run: Interpreter, left: Object, right: Any) -> bool | Test:
        """What the class of an object says of it and another; a collection asks for it."""
        if left is right:
            return True
        methods = run.scope.methods(left.declared, "equals", 1) if left.declared is not None else []
        if methods and run.guard is not False:
            found = self._dispatch(run, methods, left, Arguments([right]), None, left.at)
            if isinstance(found, bool | Test):
                return found
        return Test("true", (Unknown(Why.DYNAMIC, phrase("comparison")),))

    def _library_part(
        self,
        run: Interpreter,
        made: Object,
        declared: Class,
        arguments: Arguments,
        frame: Frame,
        at: Location,
    ) -> None:
        """What an object is by the library class it extends: a consumer, a collection, a thread."""
        for above in run.scope.library_supers(declared):
            row = clients.java_class(above)
            if row is not None and made.client is None:
                clients.make_java(run, row, made, at, frame)
                consumers.construct(run, made, row, arguments, at, frame)
                return
            library.become(made, above)
            library.order_by_use(made, arguments.values)

    def initialise(
        self,
        run: Interpreter,
        made: Object,
        declared: Class,
        arguments: Arguments,
        frame: Frame,
        at: Location,
    ) -> None:
        """Runs the initialisers and the fitting constructor of a class on an object."""
        constructors = declared.methods.get("<init>", [])
        chosen = self.overload(run, [m for m in constructors if m.accepts(len(arguments))], arguments)
        if declared.kind == "record":
            self._components(run, made, declared, chosen, arguments, frame, at)
            return
        if chosen is None:
            if constructors and len(arguments):
                run.note(phrase("no-constructor-of-fits", declared.simple), at)
            self._above(run, made, declared, Arguments([]), frame, at)
            self._run_fields(run, made, declared)
            return
        self._construct(run, made, declared, chosen, arguments, frame, at)

    def _construct(
        self,
        run: Interpreter,
        made: Object,
        declared: Class,
        method: Method,
        arguments: Arguments,
        caller: Frame,
        at: Location,
    ) -> None:
        """One constructor: what it calls first, the fields, its body."""
        run.ran.add(method)
        body = method.decl.body or ()
        frame = run.frame(
            declared,
            made,
            method=method,
            caller=caller,
            called_at=at,
            parent=made.captured if declared.local else None,
        )
        run.bind(method.decl.params, arguments, frame)
        explicit = _explicit(body)
        if explicit is not None and isinstance(explicit.target, ir.This):
            inner = run.arguments(explicit.args, frame)
            other = self.overload(
                run,
                [m for m in declared.methods["<init>"] if m.accepts(len(inner)) and m is not method],
                inner,
            )
            if declared.kind == "record" and run.guard is not False:
                self._components(run, made, declared, other, inner, frame, run.place(frame, explicit.at))
            elif other is not None and run.guard is not False:
                self._construct(run, made, declared, other, inner, frame, run.place(frame, explicit.at))
        else:
            inner = run.arguments(explicit.args, frame) if explicit is not None else Arguments([])
            place = run.place(frame, explicit.at) if explicit is not None else at
            self._above(run, made, declared, inner, frame, place)
            self._run_fields(run, made, declared, frame)
        run.activate(method, frame, body[1:] if explicit is not None else body)

    def _above(
        self,
        run: Interpreter,
        made: Object,
        declared: Class,
        arguments: Arguments,
        frame: Frame,
        at: Location,
    ) -> None:
        """What the superclass does to the object."""
        above = run.scope.direct_super(declared)
        if isinstance(above, Class):
            self.prepare(run, above)
            self.initialise(run, made, above, arguments, frame, at)
        elif above is not None and declared.kind != "anonymous":
            row = clients.java_class(above)
            if row is not None and made.client is None:
                clients.make_java(run, row, made, at, frame)
                consumers.construct(run, made, row, arguments, at, frame)
            else:
                library.become(made, above)
                library.order_by_use(made, arguments.values)
                made.fields.setdefault("<super>", tuple(arguments.values))
                if run.scope.is_absent(above):
                    run.hands_over(above, arguments)
        elif made.client is None:
            for each in run.scope.library_supers(declared):
                library.become(made, each)

    def _run_fields(
        self, run: Interpreter, made: Object, declared: Class, constructor: Frame | None = None
    ) -> None:
        """Field initialisers and initialiser blocks, in source order. `constructor`: the frame they are run from."""
        parts: list[ir.FieldDecl | ir.Initialiser] = [
            decl for decl in declared.decl.fields if decl.value is not None and not _is_static(declared, decl)
        ]
        parts += [one for one in declared.decl.initialisers if not one.static]
        if not parts:
            return
        frame = run.frame(declared, made, parent=made.captured if declared.local else None)
        for part in sorted(parts, key=lambda one: one.at):
            if run.guard is False:
                return
            if isinstance(part, ir.FieldDecl):
                if beans.keeps(made, declared, part):
                    continue
                assert part.value is not None
                value = run.typed(run.value(part.value, frame), part.type, frame)
                if _is_filled_aside(run, made, declared, part.name):
                    _open(value, f"{declared.simple}.{part.name}")
                made.fields[self.slot(run, made, part.name, declared)] = value
            else:
                run.run(part.body, frame)

    def _components(
        self,
        run: Interpreter,
        made: Object,
        declared: Class,
        chosen: Method | None,
        arguments: Arguments,
        frame: Frame,
        at: Location,
    ) -> None:
        """A record: its components, through the canonical or another constructor."""
        components = declared.decl.components or ()
        if chosen is not None and not chosen.decl.compact:
            self._construct(run, made, declared, chosen, arguments, frame, at)
            return
        inner = run.frame(declared, made, method=chosen, caller=frame, called_at=at)
        run.bind(components, arguments, inner)
        compact = next((m for m in declared.methods.get("<init>", ()) if m.decl.compact), None)
        if compact is not None:
            inner.method = compact
            run.activate(compact, inner, compact.decl.body or ())
        for component in components:
            made.fields[component.name] = inner.variables.get(component.name)

    def _library_object(
        self, run: Interpreter, name: str, node: ir.New, arguments: Arguments, frame: Frame, at: Location
    ) -> Guarded:
        row = clients.java_class(name)
        if row is not None:
            made = run.make(None, name, at)
            clients.make_java(run, row, made, at, frame)
            types = [declared_with(run, each.value, frame) for each in node.args]
            consumers.construct(run, made, row, arguments, at, frame, types)
            return made
        if run.scope.is_absent(name) and library.models(name):
            run.needed.add(name)  # a class of the project may have the name of a library's
        return library.construct(run, name, node.type, arguments, at, frame)

    def injected(self, run: Interpreter, named: str, name: str, near: Class) -> Guarded:
        """The object of a library's type that a container hands out under a name; UNSET where nothing is known of it."""
        return UNSET

    # -- calls ----------------------------------------------------------------------------------------------

    def call_name(self, run: Interpreter, node: ir.Call, arguments: Arguments, frame: Frame) -> Guarded:
        """A call without a receiver: a method of the classes around, or a statically imported one."""
        assert frame.owner is not None
        count = len(arguments)
        at = run.place(frame, node.at)
        this = frame.this
        for around in frame.owner.lexical():
            methods = self._candidates(run, this, around, node.name, count)
            if methods:
                return self._on_own(run, this, around, methods, arguments, frame, at)
            if not count and around.kind == "record" and _has_component(around, node.name):
                return run.over(this, lambda leaf: self.attribute(run, leaf, node.name, frame, node.at))
            if around.kind == "anonymous" or run.scope.library_supers(around):
                found = self._inherited(run, this, around, node, arguments, frame)
                if found is not UNSET:
                    return found
            if around.kind == "enum" and node.name in ("values", "valueOf"):
                found = self._enum_call(run, around, node.name, arguments)
                if found is not UNSET:
                    return found
            this = self._outer(run, this, around)
        if node.name in _OF_OBJECTS and isinstance(frame.this, Object):
            return self.call_method(run, frame.this, node.name, arguments, frame, node.at)
        file = frame.owner.file
        path = file.members.get(node.name)
        owners = [path.rpartition(".")[0]] if path else list(file.member_wildcards)
        for owner in owners:
            declared = run.scope.named(owner, frame.owner)
            if isinstance(declared, Class):
                methods = run.scope.methods(declared, node.name, count)
                if methods:
                    self.prepare(run, declared)
                    return self._dispatch(run, methods, None, arguments, frame, at)
                if declared.kind == "enum" and node.name in ("values", "valueOf"):
                    return self._enum_call(run, declared, node.name, arguments)
                if declared.file.model and (path or library.is_static(owner, node.name, count)):
                    return library.static_call(self, run, owner, node.name, arguments, frame, node.at)
            elif path or clients.java_factory(node.name, owner, count):
                return library.static_call(self, run, owner, node.name, arguments, frame, node.at)
        for absent in run.around(frame):
            run.hands_over(absent.name, arguments)
        unknown = run.unknown(Why.DYNAMIC, f"{node.name}()", frame, node.at)
        return run.havoc(node.name, unknown, None, arguments)

    def _candidates(
        self, run: Interpreter, this: Guarded, around: Class, name: str, count: int
    ) -> list[Method]:
        """The methods of a class around, as the object's own class overrides them."""
        methods = run.scope.methods(around, name, count)
        if not methods:
            return []
        return methods

    def _on_own(
        self,
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
                return self._dispatch(run, methods, None, arguments, frame, at)
            if isinstance(leaf, Function | Bound) and all(m.abstract for m in methods):
                # a default method calls the one a function stands for
                return run.call(leaf, _packed(run, methods, arguments, at), frame, at)
            target = leaf
            if isinstance(leaf, Object) and leaf.declared is not None:
                if not run.scope.is_a(leaf.declared, around):
                    target = self._enclosing(run, leaf, around)
                own = methods
                private = len(methods) == 1 and methods[0].decl.private
                if isinstance(target, Object) and records.is_component(target, methods[0].name, arguments):
                    return under(target.fields[methods[0].name], run.guard)
                if isinstance(target, Object) and target.declared is not None and not private:
                    own = run.scope.methods(target.declared, methods[0].name, len(arguments)) or methods
                return self._dispatch(run, own, target, arguments, frame, at)
            return self._dispatch(run, methods, target, arguments, frame, at)

        return run.over(this, on)

    def _enclosing(self, run: Interpreter, made: Object, around: Class) -> Any:
        current: Any = made
        for _ in range(16):
            if not isinstance(current, Object) or current.declared is None:
                return made
            if run.scope.is_a(current.declared, around):
                return current
            nearer = current.outer
            if nearer is None and current.captured is not None:
                nearer = next((v for _, v in leaves(current.captured.this) if isinstance(v, Object)), None)
            current = nearer
        return made

    def _inherited(
        self,
        run: Interpreter,
        this: Guarded,
        around: Class,
        node: ir.Call,
        arguments: Arguments,
        frame: Frame,
    ) -> Guarded:
        """A method the library class above provides: on a consumer's subclass, a collection, a thread."""
        for _, leaf in leaves(this, run.guard):
            if isinstance(leaf, Object):
                if leaf.client is not None and node.name in leaf.client.operations:
                    return self.call_method(run, leaf, node.name, arguments, frame, node.at)
                if leaf.entries is not None or leaf.items is not None or library.is_thread(run, leaf):
                    return self.call_method(run, leaf, node.name, arguments, frame, node.at)
        return UNSET

    def _dispatch(
        self,
        run: Interpreter,
        methods: list[Method],
        this: Guarded,
        arguments: Arguments,
        frame: Frame | None,
        at: Location | None,
    ) -> Guarded:
        method = self.overload(run, methods, arguments)
        if method is None:
            method = methods[0]
        if method.decl.static:
            self.prepare(run, method.owner)
        captured = None
        if isinstance(this, Object) and method.owner.local:
            captured = this.captured if this.declared is method.owner else (this.captured or None)
        elif method.owner.local:
            captured = local_frame(run, method.owner)
        return run.invoke(method, this, arguments, frame, at, captured)

    def dispatch(
        self,
        run: Interpreter,
        methods: list[Method],
        this: Guarded,
        arguments: Arguments,
        frame: Frame | None,
        at: Location | None,
    ) -> Guarded:
        """Runs the overload of a method that fits the arguments."""
        return self._dispatch(run, methods, this, arguments, frame, at)

    def overload(self, run: Interpreter, methods: Sequence[Method], arguments: Arguments) -> Method | None:
        """The method whose parameters fit the arguments best; a variable one only where no other fits."""
        if not methods:
            return None
        if len(methods) == 1:
            return methods[0]
        static = static_types(run, arguments)
        scored = [
            (not method.varargs, self._fit(run, method, arguments.values, static), -index)
            for index, method in enumerate(methods)
        ]
        possible = [score for score in scored if score[1] >= 0]
        best = max(possible or scored)
        return methods[-best[2]]

    def _fit(
        self, run: Interpreter, method: Method, values: Sequence[Guarded], static: Sequence[str] = ()
    ) -> int:
        total = 0
        params = method.decl.params
        for index, value in enumerate(values):
            param = params[min(index, len(params) - 1)]
            ref = param.type
            if ref is None:
                continue
            if param.kind == "..." and ref.name == "[]" and ref.args:
                ref = ref.args[0]
            written = static[index] if index < len(static) else ""
            if written in _WRITTEN:
                fits = fits_written(written, ref.name.rpartition(".")[2], method, ref.name)
                if fits < 0:
                    return -1
                total += fits
                continue
            worst = 9
            for _, leaf in leaves(value):
                worst = min(worst, self._fits(run, leaf, ref, method.owner))
            if worst < 0:
                return -1
            total += worst
        return total

    def _fits(self, run: Interpreter, leaf: Any, ref: ir.TypeRef, near: Class) -> int:
        """-1: a value of another type; else how well it fits."""
        name = ref.name.rpartition(".")[2]
        if leaf is None:
            return -1 if name in _ZERO or name == "char" else 1
        if name in near.variables or (len(name) == 1 and name.isupper()) or name == "Object":
            return 1
        if isinstance(leaf, Text):
            if leaf.char:
                return 5 if name in ("char", "Character") else 2 if name in ("int", "long") else -1
            return 5 if name == "String" else 3 if name in ("CharSequence", "Comparable") else -1
        if isinstance(leaf, bool):
            return 5 if name in ("boolean", "Boolean") else -1
        if isinstance(leaf, int):
            if name in ("int", "Integer"):
                return 6 if name == "int" else 5
            return 4 if name in ("long", "Long", "short", "byte", "Number", "double", "float") else -1
        if isinstance(leaf, float):
            return 5 if name in ("double", "Double", "float", "Float", "Number") else -1
        named = run.scope.named(ref.name, near)
        if isinstance(leaf, Object):
            if leaf.declared is not None and isinstance(named, Class):
                return 6 if leaf.declared is named else 4 if run.scope.is_a(leaf.declared, named) else -1
            if leaf.declared is not None:
                above = run.scope.library_supers(leaf.declared)
                return (
                    4 if named in above or any(a.endswith(f".{name}") for a in above) else 0 if above else -1
                )
            if isinstance(named, Class) or name in ("String", *_ZERO):
                return -1
            return 5 if leaf.type.rpartition(".")[2] == name else library.is_a(leaf, name)
        if isinstance(leaf, Function | Bound):
            if name in ("String", *_ZERO):
                return -1
            arity = len(leaf.params) if isinstance(leaf, Function) else -1
            return library.functional(name, arity, named if isinstance(named, Class) else None, run)
        if isinstance(leaf, TypeValue):
            return 5 if name == "Class" else -1
        if isinstance(leaf, Unknown) and leaf.type is not None:
            if leaf.type.declared is not None and isinstance(named, Class):
                return 4 if run.scope.is_a(leaf.type.declared, named) else -1
            if leaf.type.simple == name:
                return 5
            return 0 if isinstance(named, str) and leaf.type.declared is None else -1
        return 1

    def call_method(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        if isinstance(leaf, Object):
            return self._on_object(run, leaf, name, arguments, frame, at)
        if isinstance(leaf, TypeValue):
            return self._on_type(run, leaf, name, arguments, frame, at)
        if isinstance(leaf, Function | Bound):
            return self._on_function(run, leaf, name, arguments, frame, at)
        if isinstance(leaf, Unknown):
            return self._on_unknown(run, leaf, name, arguments, frame, at)
        if leaf is None:
            raise_in(run, "NullPointerException")
            return UNSET
        return library.method(self, run, leaf, name, arguments, frame, run.place(frame, at))

    def _on_object(
        self, run: Interpreter, leaf: Object, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        place = run.place(frame, at)
        if leaf.declared is not None:
            if records.is_component(leaf, name, arguments):
                return under(leaf.fields[name], run.guard)
            methods = run.scope.methods(leaf.declared, name, len(arguments))
            if methods and not all(method.abstract for method in methods):
                return self._dispatch(run, methods, leaf, arguments, frame, place)
            if methods and reflection.PROXY in leaf.fields:
                return reflection.on_proxy(self, run, leaf, methods[0], arguments, frame, place)
            if leaf.client is None or name not in leaf.client.operations:
                found = library.object_method(self, run, leaf, name, arguments, frame, place)
                if found is not UNSET:
                    run.needed |= run.absent_above(leaf.declared)  # which may say it otherwise
                    return found
        if leaf.client is not None:
            return consumers.operate(self, run, leaf, name, arguments, frame, at)
        return library.method(self, run, leaf, name, arguments, frame, place)

    def _on_type(
        self, run: Interpreter, leaf: TypeValue, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        declared = leaf.declared
        if declared is not None:
            methods = run.scope.methods(declared, name, len(arguments))
            if methods and declared in run.heap.get(library.MOCKED, ()):
                answer = Unknown(
                    Why.DYNAMIC, f"{declared.simple}.{name}()", (library.MOCKED, declared.name, name)
                )
                return self._typed(run, answer, methods[0].decl.returns, methods[0].owner)
            if methods:
                self.prepare(run, declared)
                return self._dispatch(run, methods, None, arguments, frame, run.place(frame, at))
            found = self._enum_call(run, declared, name, arguments)
            if found is not UNSET:
                return found
            if name in ("getSimpleName", "getName", "getTypeName", "getCanonicalName"):
                return text(declared.simple if name == "getSimpleName" else reflection.binary_name(declared))
            if name == "newInstance" and not arguments.values and declared.concrete:
                return self.instantiate(run, declared, arguments, frame, run.place(frame, at))
            if name == "getClassLoader" or name == "getClass":
                return Unknown(Why.DYNAMIC, name)
            if name in ("isInstance", "cast") and len(arguments.values) == 1:
                return self._on_class(run, leaf, name, arguments.values[0], frame)
            if name in ("getResourceAsStream", "getResource") and arguments.values:
                return documents.resource(run, arguments.values[0], run.place(frame, at))
            if name in _ANNOTATED and len(arguments.values) == 1:
                kind = arguments.values[0]
                if isinstance(kind, TypeValue) and kind.declared is not None:
                    if name.endswith("ByType"):
                        place = run.place(frame, at)
                        return reflection.class_annotations(run, declared, kind.declared, place)
                    found = reflection.class_annotation(run, declared, kind.declared)
                    return found is not None if name == "isAnnotationPresent" else found
            found = reflection.on_class(
                self, run, declared, name, arguments.values, frame, run.place(frame, at)
            )
            if found is not UNSET or run.guard is False:
                return found
            if declared.file.model:
                return library.static_call(self, run, declared.name, name, arguments, frame, at)
            for above in run.scope.library_supers(declared):
                return library.static_call(self, run, above, name, arguments, frame, at)
            return run.unknown(Why.UNDEFINED, f"{declared.name}.{name}()", frame, at)
        known = library.is_static(leaf.name, name, len(arguments))
        if (
            leaf.guessed and not arguments.values and not known
        ):  # `Kind.Order.getName()`: most often of a constant
            owner = leaf.name.rpartition(".")[0]
            return undefined(owner, f"{leaf.name}.{name}()")
        if name in ("getSimpleName", "getName") and not arguments.values and leaf.simple[:1].isupper():
            if name == "getSimpleName":
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
            return reflection.on_unread(self, run, leaf, name, frame, run.place(frame, at))
        if name in ("isInstance", "cast") and len(arguments.values) == 1:
            return self._on_class(run, leaf, name, arguments.values[0], frame)
        return library.static_call(self, run, leaf.name, name, arguments, frame, at)

    def _on_class(
        self, run: Interpreter, leaf: TypeValue, name: str, value: Guarded, frame: Frame
    ) -> Guarded:
        """`Class.cast(value)`, `Class.isInstance(value)`."""
        if name == "cast":
            return value
        return apply(lambda each: self.is_instance(run, each, ir.TypeRef(leaf.name), frame), value)

    def _enum_call(self, run: Interpreter, declared: Class, name: str, arguments: Arguments) -> Guarded:
        if declared.kind != "enum":
            return UNSET
        if name == "values" and not arguments.values:
            self.prepare(run, declared)
            every = [self.constant(run, declared, one) for one in declared.constants]
            return library.array(run, every, declared.at(declared.decl.at))
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
                return self.constant(run, declared, known)

            return run.over(arguments.values[0], pick_one)
        return UNSET

    def _on_function(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        place = run.place(frame, at)
        if leaf.type is not None:
            methods = run.scope.methods(leaf.type, name, len(arguments))
            if methods and not all(method.abstract for method in methods):
                return self._dispatch(run, methods, leaf, arguments, frame, place)
            arguments = _packed(run, methods, arguments, place)
        elif _is_of_unread(run, leaf):
            # which of the interface's methods stands for the function is not known
            run.unread.add(leaf.interface)
            unknown = run.unknown(Why.DYNAMIC, f"{name}()", frame, at, needs=frozenset({leaf.interface}))
            return run.havoc(name, unknown, None, Arguments([leaf, *arguments.values]))
        composed = library.compose(run, leaf, name, arguments, frame, place)
        if composed is not UNSET:
            return composed
        return run.call(leaf, arguments, frame, place)

    def call_value(
        self, run: Interpreter, leaf: Any, arguments: Arguments, frame: Frame | None, at: Location | None
    ) -> Guarded:
        """Calls what stands for a functional interface: a method reference, or an object with one method."""
        if isinstance(leaf, Bound):
            return self._call_reference(run, leaf, arguments, frame, at)
        if isinstance(leaf, Object):
            if leaf.declared is not None:
                method = functional_method(run, leaf.declared, len(arguments))
                if method is not None:
                    return self._dispatch(run, [method], leaf, arguments, frame, at)
            return Unknown(Why.DYNAMIC, phrase("call"))
        return Unknown(Why.DYNAMIC, leaf.detail if isinstance(leaf, Unknown) else phrase("call"))

    def _call_reference(
        self, run: Interpreter, leaf: Bound, arguments: Arguments, frame: Frame | None, at: Location | None
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
                        return self.instantiate(
                            run, target.declared, arguments, caller, at or run.place(caller, place)
                        )
                    if target.name == "[]":
                        return library.array(run, [], at)
                    return self._library_object(
                        run, target.name, ref, arguments, caller, at or run.place(caller, place)
                    )
                if target.declared is not None:
                    count = len(arguments)
                    static = [
                        m for m in run.scope.methods(target.declared, leaf.name, count) if m.decl.static
                    ]
                    if static:
                        return self._dispatch(run, static, None, arguments, caller, at)
                    if target.declared.kind == "enum" and leaf.name == "valueOf":
                        return self._enum_call(run, target.declared, leaf.name, arguments)
                of_library = target.declared is None or target.declared.file.model
                if (
                    of_library
                    and arguments.values
                    and library.is_static(target.name, leaf.name, len(arguments))
                ):
                    return library.static_call(self, run, target.name, leaf.name, arguments, caller, place)
                if arguments.values:
                    rest = Arguments(arguments.values[1:])
                    return run.over(
                        arguments.values[0],
                        lambda each: self.call_method(run, each, leaf.name, rest, caller, place),
                    )
            return self.call_method(run, target, leaf.name, arguments, caller, place)

        return run.over(leaf.target, on)

    def _on_unknown(
        self, run: Interpreter, leaf: Unknown, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        place = run.place(frame, at)
        declared = leaf.type.declared if leaf.type is not None else None
        if declared is not None and declared.file.model:
            if declared.concrete:
                stand_in = self._stand_in(run, leaf, declared, place)
                return self._on_object(run, stand_in, name, arguments, frame, at)
        elif declared is not None:
            return self._on_declared(run, leaf, declared, name, arguments, frame, at)
        if leaf.type is not None and clients.java_view(leaf.type.name) is not None:
            consumers.elsewhere(run, leaf, name, arguments, frame, at)
        run.misses_call(name, leaf)
        if name in library.OF_FUNCTIONS and leaf.type is None:
            run.loses_call("")  # it may be a function
        found = library.unknown_method(self, run, leaf, name, arguments, frame, place)
        if found is UNSET and leaf.type is not None and leaf.type.simple.endswith(beans.CONTAINERS):
            found = beans.looked_up(self, run, name, arguments)
        if found is not UNSET:
            return found
        result = self._result(run, leaf, name, arguments, frame, at)
        return run.havoc(name, result, leaf, arguments)

    def _result(
        self, run: Interpreter, leaf: Unknown, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Unknown:
        """What a call nobody can see into gives: the same for the same receiver and arguments, unless it is known
        to change from call to call."""
        symbols = tuple(symbol_of(value) for value in arguments.values)
        symbol: object = None
        receiver = symbol_of(leaf)
        if receiver is not None and None not in symbols and not library.changes(name):
            symbol = ("call", receiver, name, symbols)
        if library.is_fresh(name):
            symbol = ("fresh", run.unique())
        call = library.asked(name, arguments)
        detail = f"{leaf.detail}.{call}" if leaf.detail else call
        given = run.unknown(leaf.why, detail, frame, at, symbol=symbol)
        guessed = library.by_class_literal(given, arguments)
        if guessed is not given:
            return guessed
        held = leaf.type
        index = _HELD.get((held.simple, name)) if held is not None else None
        if held is None or index is None or index >= len(held.args):
            return given
        return run.with_type(given, held.args[index], frame)

    def _on_declared(
        self,
        run: Interpreter,
        leaf: Unknown,
        declared: Class,
        name: str,
        arguments: Arguments,
        frame: Frame,
        at: ir.At,
    ) -> Guarded:
        """A call on an object nobody has seen being made, of a declared type: what its implementations do."""
        place = run.place(frame, at)
        target = beans.instance_for(self, run, leaf, declared)
        if isinstance(target, Object):
            return self._on_object(run, target, name, arguments, frame, at)
        if declared.kind == "enum" and any(one.body is not None for one in declared.decl.constants):
            self.prepare(run, declared)
            constants = [self.constant(run, declared, one) for one in declared.constants]
            return self._on_one_of(
                run, leaf, declared, len(constants), constants.__getitem__, name, arguments, frame, at
            )
        further = run.certain and not declared.concrete and not declared.file.machinery
        implementations = self._classes_of(run, declared, name, len(arguments))
        if not declared.concrete and any("." in each and run.scope.lacks_own(each) for each in leaf.needs):
            implementations = []  # it may be of a class that is not in sight
        if (
            further
            and len(implementations) == 1
            and _gives_a_value(run.scope.methods(declared, name, len(arguments)))
        ):
            run.needed.add(f"<{declared.simple}")
        if not implementations:
            methods = run.scope.methods(declared, name, len(arguments))
            result = self._result(run, leaf, name, arguments, frame, at)
            if not declared.file.machinery:
                below = f"<{declared.simple}"
                result = replace(result, needs=result.needs | leaf.needs | {below})
                run.hands_over(below, arguments)
            run.loses_call(name)
            if declared.is_interface:
                run.loses_call("")  # a function may stand for it
            run.havoc(name, result, None, arguments)
            if methods and methods[0].decl.returns is not None:
                return self._typed(run, result, methods[0].decl.returns, methods[0].owner)
            return result
        if len(implementations) == 1:
            stand_in = self._stand_in(run, leaf, implementations[0], place)
            return self._on_object(run, stand_in, name, arguments, frame, at)
        ways = min(len(implementations), IMPLEMENTATIONS_MAX)
        return self._on_one_of(
            run,
            leaf,
            declared,
            ways,
            lambda index: self._stand_in(run, leaf, implementations[index], place),
            name,
            arguments,
            frame,
            at,
        )

    def _on_one_of(
        self,
        run: Interpreter,
        leaf: Unknown,
        declared: Class,
        ways: int,
        object_of: Callable[[int], Object],
        name: str,
        arguments: Arguments,
        frame: Frame,
        at: ir.At,
    ) -> Guarded:
        """A call on an object that is one of some, each way of one choice: the same whatever is asked of the object."""
        place = run.place(frame, at)
        key = ("subtype", symbol_of(leaf) or ("at", place, frame.number), declared.name)
        number = run.decide(key, ways, "subtype", place, shown=declared.simple)
        before, after, found_value = run.guard, False, UNSET
        for index in range(ways):
            run.guard = both(before, choose(number, ways, index))
            if run.guard is False:
                continue
            here = run.guard
            value = self._on_object(run, object_of(index), name, arguments, frame, at)
            found_value = pick(here, value, found_value)
            after = either(after, run.guard)
        run.guard = after
        return None if found_value is UNSET else found_value

    def _classes_of(self, run: Interpreter, declared: Class, name: str, count: int) -> list[Class]:
        """The classes that an unknown object of a type may have, none where none of them has a method: all of them, since
        the object has one class whatever is asked of it."""
        found = run.scope.implementations(declared, demand=False)
        with_it = [
            each
            for each in found
            if (methods := run.scope.methods(each, name, count)) and not methods[0].abstract
        ]
        return list(found) if with_it else []

    def _stand_in(self, run: Interpreter, leaf: Unknown, declared: Class, at: Location) -> Object:
        """An object for one nobody has seen being made: its fields are whatever a framework or nobody set."""
        key = ("stand-in", leaf.symbol if leaf.symbol is not None else at, declared)
        found = run.heap.get(key)
        if found is None:
            found = run.make(declared, declared.name, at)
            found.open = leaf
            run.heap[key] = found
            if declared.file.model:
                self._fill_unknown(run, found, leaf, declared)
                return found
            found.bean = True
            before, run.guard = run.guard, True
            self._run_fields(run, found, declared)
            run.guard = before
            self._may_be_set(run, found, leaf, declared)
            if leaf.needs and run.certain and run.may_lead(found):
                run.needed |= leaf.needs  # what has made it says what it holds
        assert isinstance(found, Object)
        return found

    def _may_be_set(self, run: Interpreter, made: Object, leaf: Unknown, declared: Class) -> None:
        """Who made an object that nobody has seen being made may have given its fields other values than their
        initialisers do."""
        for owner in run.scope.supers(declared):
            given = {param.name for each in owner.methods.get("<init>", ()) for param in each.decl.params}
            given |= {param.name for param in owner.decl.components or ()}
            for name, decl in owner.fields.items():
                slot = self.slot(run, made, name, owner)
                fixed = decl.final and name not in given
                if decl.static or fixed or decl.value is None or slot not in made.fields:
                    continue
                held = made.fields[slot]
                symbol = ("field", leaf.symbol or ("object", made.number), name)
                unknown = Unknown(leaf.why, f"{declared.simple}.{name}", symbol)
                if isinstance(held, Object) and (held.items is not None or held.entries is not None):
                    held.open = held.open or unknown  # what made the object may have put something in
                elif not isinstance(held, Object | Function | Bound):
                    made.fields[slot] = self._typed(run, unknown, decl.type, owner)

    def _fill_unknown(self, run: Interpreter, made: Object, leaf: Unknown, declared: Class) -> None:
        """The fields of an object of a library's class that nobody has seen being made."""
        near = run.frame(declared, None)
        variables = [name for name, _ in declared.decl.parameters]
        args = leaf.type.args if leaf.type is not None else ()
        for name, decl in declared.fields.items():
            if decl.static or decl.type is None:
                continue
            symbol = ("field", leaf.symbol or ("object", made.number), name)
            value = Unknown(leaf.why, leaf.detail, symbol, steps=leaf.steps, needs=leaf.needs)
            index = variables.index(decl.type.name) if decl.type.name in variables else -1
            if index < 0:
                value = run.with_type(value, decl.type, near)
            elif index < len(args):
                value = run.with_type(value, args[index], near)
            made.fields[name] = value

    # -- the rest of expressions ----------------------------------------------------------------------------

    def expression(self, run: Interpreter, node: ir.Expr, frame: Frame) -> Guarded:
        match node:
            case ir.Call(target=ir.Super()):
                return self._super_call(run, node, frame)
            case ir.Call(name="<init>"):
                return None
            case ir.Super():
                return frame.this
            case ir.MethodRef(target=ir.TypeLiteral() as literal, name="isInstance" | "cast" as name):
                of = run.value(literal, frame)
                return Function(
                    (), (), None, name,
                    native=lambda run, given, caller, at: self.call_method(run, of, name, given, frame, node.at),
                )  # fmt: skip
            case ir.MethodRef(target=target, name=name):
                return Bound(self._reference_target(run, target, frame), name, frame)
            case ir.TypeLiteral(type=ref):
                return self._type_value(run, ref, frame)
            case ir.NewArray(sizes=sizes, at=at):
                return self._new_array(run, node, sizes, frame, at)
            case ir.Cast(type=ref, value=inner):
                value = run.value(inner, frame)
                return apply(lambda leaf: convert(leaf, ref.name), value)
            case ir.Spread(value=inner):
                return run.value(inner, frame)
            case _:
                return run.unknown(Why.UNSUPPORTED, type(node).__name__.lower(), frame, node.at)

    def _reference_target(self, run: Interpreter, target: ir.Expr | None, frame: Frame) -> Guarded:
        if target is None or isinstance(target, ir.Super):
            return frame.this
        return run.value(target, frame)

    def _type_value(self, run: Interpreter, ref: ir.TypeRef, frame: Frame) -> TypeValue:
        named = run.type_named(ref.name, frame)
        if isinstance(named, Class):
            return TypeValue(named, named.name, ref.args)
        return TypeValue(None, named, ref.args)

    def _new_array(
        self, run: Interpreter, node: ir.NewArray, sizes: Sequence[ir.Expr], frame: Frame, at: ir.At
    ) -> Guarded:
        lengths = [run.value(size, frame) for size in sizes]
        zero = _ZERO.get(node.type.name)

        def build(rest: list[Guarded]) -> Guarded:
            first = rest[0]
            run.step()
            if not isinstance(first, int) or not 0 <= first <= library.ARRAY_MAX:
                made = library.array(run, [], run.place(frame, at))
                made.open = Unknown(Why.DYNAMIC, phrase("array"), needs=run.gathered(lengths))
                return made
            run.work(first)
            items = [build(rest[1:]) if len(rest) > 1 else zero for _ in range(first)]
            return library.array(run, items, run.place(frame, at))

        return build(lengths) if lengths else library.array(run, [], run.place(frame, at))

    def _on_super(
        self,
        run: Interpreter,
        methods: list[Method],
        arguments: Arguments,
        frame: Frame,
        at: Location,
        leaf: Any,
    ) -> Guarded:
        return self._dispatch(run, methods, leaf, arguments, frame, at)

    def _super_call(self, run: Interpreter, node: ir.Call, frame: Frame) -> Guarded:
        if node.name == "<init>":
            return None
        assert frame.owner is not None
        assert isinstance(node.target, ir.Super)
        arguments = run.arguments(node.args, frame)
        if run.guard is False:
            return UNSET
        at = run.place(frame, node.at)
        owner = frame.owner
        above = [each for each in run.scope.supers(owner) if each is not owner]
        if node.target.type:
            named = [each for each in above if each.simple == node.target.type]
            around = any(each.simple == node.target.type for each in owner.lexical())
            above = named if named or not around else above  # else of an interface that is not here
        for each in above:
            methods = [
                m for m in each.methods.get(node.name, ()) if m.accepts(len(arguments)) and not m.abstract
            ]
            if methods:
                call = partial(self._on_super, run, methods, arguments, frame, at)
                return run.over(frame.this, call)

        def inherited(leaf: Any) -> Guarded:
            if isinstance(leaf, Object) and leaf.client is not None:
                return consumers.operate(self, run, leaf, node.name, arguments, frame, node.at)
            if isinstance(leaf, Object) and (leaf.items is not None or leaf.entries is not None):
                return library.method(self, run, leaf, node.name, arguments, frame, at)
            return run.unknown(Why.DYNAMIC, f"super.{node.name}()", frame, node.at)

        return run.over(frame.this, inherited)

    def literal(self, run: Interpreter, node: ir.Const, frame: Frame) -> Guarded:
        if isinstance(node.value, str):
            step = Step(run.place(frame, node.at), f'"{node.value}"')
            char = node.char and len(node.value) == 1  # no compiler takes another one
            return text(node.value, (step,), char=char, frame=frame.number)
        return node.value

    def index(self, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> Guarded:
        if isinstance(leaf, Object) and leaf.items is not None:
            of_list = leaf.type != "[]" and frame.owner is not None and frame.owner.file.language == "kotlin"
            if (leaf.type == "[]" or of_list) and _is_outside(leaf, key) and not run.stand_in:
                raise_in(run, "IndexOutOfBoundsException" if of_list else "ArrayIndexOutOfBoundsException")
                return UNSET
            return library.at(run, leaf, key)
        symbol = symbol_of(leaf)
        inner = symbol_of(key)
        found = Unknown(
            leaf.why if isinstance(leaf, Unknown) else Why.DYNAMIC,
            f"{leaf.detail}[…]" if isinstance(leaf, Unknown) else phrase("element"),
            None if symbol is None or inner is None else ("index", symbol, inner),
        )
        if isinstance(leaf, Unknown) and leaf.type is not None and leaf.type.args:
            return run.typed(found, leaf.type.args[0], frame)
        return found

    def set_index(
        self, run: Interpreter, leaf: Any, key: Guarded, value: Guarded, frame: Frame, at: ir.At
    ) -> None:
        if isinstance(leaf, Object) and leaf.items is not None:
            if leaf.type == "[]" and _is_outside(leaf, key) and not run.stand_in:
                raise_in(run, "ArrayIndexOutOfBoundsException")
                return
            library.set_at(run, leaf, key, value)

    def delete(self, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> None:
        """Java has no such statement."""

    def delete_attribute(self, run: Interpreter, leaf: Any, name: str) -> None:
        """Java has no such statement."""

    def binary(self, run: Interpreter, operator: str, left: Any, right: Any) -> Any:
        return binary(self, run, operator, left, right)

    def hands_alone(self, run: Interpreter, arguments: Arguments) -> bool:
        """Whether the last argument is one element of a variable parameter whatever it is: it is declared as `Object`."""
        types = static_types(run, arguments)
        return bool(types) and types[-1] == "Object"

    def of_width(
        self, run: Interpreter, node: ir.Binary, left: Guarded, right: Guarded, frame: Frame
    ) -> Guarded:
        """What an operator gives whose result differs between 32 and 64 bits: the sources say which are meant. A division by
        zero throws."""
        if right == 0 and node.operator in ("/", "%"):
            raise_in(run, "ArithmeticException", text("/ by zero"))
            return UNSET
        bits = bits_of(run, node, frame)
        return apply(lambda a, b: of_width(node.operator, a, b, bits), left, right) if bits else OF_A_WIDTH

    def unary(self, run: Interpreter, operator: str, operand: Any) -> Any:
        return unary(operator, operand)

    def fallback(self, run: Interpreter, left: Guarded, right: ir.Expr, frame: Frame) -> Guarded:
        return UNSET

    def truth(self, leaf: Any) -> bool | Test:
        if isinstance(leaf, bool):
            return leaf
        if leaf is None:
            return False
        if isinstance(leaf, Text):
            known = leaf.known
            return known == "true" if known is not None else Test("true", (leaf,))
        leaf = unseen(leaf)
        if isinstance(leaf, Unknown):
            return Test("true", (leaf,))
        return True

    def items(self, run: Interpreter, leaf: Any, frame: Frame) -> list[tuple[Guarded, Guarded]] | None:
        return library.items(self, run, leaf, frame)

    def shown(self, run: Interpreter, leaf: Any) -> Text:
        """The text of a value in a concatenation."""
        if isinstance(leaf, Text):
            return leaf if not leaf.char else Text(leaf.parts, leaf.steps, False, leaf.frame)
        if leaf is None:
            return text("null")
        if isinstance(leaf, bool):
            return text("true" if leaf else "false")
        if isinstance(leaf, int | float):
            return text(number_text(leaf))
        if isinstance(leaf, Object):
            return self._object_text(run, leaf)
        if isinstance(leaf, LibraryConstant):
            if leaf.name in WORDS or leaf.owner in library.ENUMERATIONS:
                return text(leaf.name)
            return _gap(
                leaf.owner, leaf.name
            )  # its name is its text only if it is a constant of an enumeration
        if isinstance(leaf, TypeValue):
            return _class_text(leaf)
        if isinstance(leaf, Unknown):
            return Text((Gap(leaf.why, leaf.detail, leaf.symbol, leaf.needs),), leaf.steps)
        return Text((Gap(Why.DYNAMIC, phrase("not-a-text")),))

    def _object_text(self, run: Interpreter, leaf: Object) -> Text:
        if leaf.declared is not None:
            methods = run.scope.methods(leaf.declared, "toString", 0)
            if methods and run.depth < 50 and run.guard is not False:
                value = self._dispatch(run, methods, leaf, Arguments([]), None, leaf.at)
                if isinstance(value, Text):
                    return value
                if value is not None:
                    return Text((Gap(Why.DYNAMIC, f"{leaf.declared.simple}.toString()"),))
            if leaf.constant:
                step = (Step(leaf.at, phrase("enum-constant-named", leaf.constant)),) if leaf.at else ()
                return text(leaf.constant, step)
        found = library.object_text(self, run, leaf)
        return found if found is not None else Text((Gap(Why.DYNAMIC, f"{leaf.type}.toString()"),))

    def refuses(self, run: Interpreter, leaf: Any, type_: ir.TypeRef, frame: Frame) -> bool:
        """Whether a cast of a value to a type throws, for certain; it is thrown then."""
        simple = type_.name.rpartition(".")[2]
        refused = False
        if isinstance(leaf, Text) or type(leaf) is bool:
            refused = simple in _FINAL and self.is_instance(run, leaf, type_, frame) is False
        elif isinstance(leaf, Object) and leaf.declared is not None and not run.stand_in:
            named = run.type_named(type_.name, frame)
            if isinstance(named, Class):
                above = run.scope.library_supers(leaf.declared)
                refused = not named.is_interface and not run.scope.is_a(leaf.declared, named) and not above
            else:
                refused = simple in _FINAL
        if refused:
            raise_in(run, "ClassCastException")
        return refused

    def is_instance(self, run: Interpreter, leaf: Any, type_: ir.TypeRef, frame: Frame) -> bool | Test:
        named = run.type_named(type_.name, frame)
        if leaf is None:
            return False
        if isinstance(leaf, Object) and leaf.declared is not None and isinstance(named, Class):
            return run.scope.is_a(leaf.declared, named)
        simple = type_.name.rpartition(".")[2]
        if isinstance(leaf, Object) and leaf.declared is not None and isinstance(named, str):
            above = {each.rpartition(".")[2] for each in run.scope.library_supers(leaf.declared)}
            if simple in above:
                return True
            if above - _ALONE and simple not in ("Object", *_FINAL) and library.is_a(leaf, simple) <= 0:
                return Test(
                    "true",
                    (Unknown(Why.DYNAMIC, phrase("instanceof", type_.name), ("is", leaf.number, simple)),),
                )
        if isinstance(leaf, Text):
            return (
                simple in (("Character",) if leaf.char else ("String", "CharSequence"))
                or simple in _OF_ALL_VALUES
            )
        if isinstance(leaf, TypeValue) and not leaf.guessed:
            return simple in (
                "Class",
                "Type",
                "AnnotatedElement",
                "GenericDeclaration",
                "Serializable",
                "Object",
            )
        if isinstance(leaf, bool):
            return simple == "Boolean" or simple in _OF_ALL_VALUES
        if isinstance(leaf, int):
            return simple in ("Integer", "Long", "Number") or simple in _OF_ALL_VALUES
        if isinstance(leaf, float):
            return simple in ("Double", "Float", "Number") or simple in _OF_ALL_VALUES
        if isinstance(leaf, Object):
            return library.is_a(leaf, simple) > 0
        if isinstance(leaf, Unknown) and leaf.symbol is not None:
            return Test("true", (Unknown(leaf.why, leaf.detail, ("is", leaf.symbol, type_.name)),))
        return Test("true", (Unknown(Why.DYNAMIC, phrase("instanceof", type_.name)),))

    def sequence(
        self, run: Interpreter, kind: str, items: list[tuple[Guarded, Guarded]], at: Location
    ) -> Any:
        made = run.make(None, "[]" if kind == "array" else "List", at)
        made.items = items
        return made

    def mapping(self, run: Interpreter, entries: list[Entry], at: Location) -> Any:
        made = run.make(None, "Map", at)
        made.entries = entries
        return made

    def catches(self, run: Interpreter, leaf: Any, types: Sequence[ir.TypeRef], frame: Frame) -> bool:
        if not types:
            return True
        for ref in types:
            named = run.type_named(ref.name, frame)
            simple = ref.name.rpartition(".")[2]
            if simple in ("Throwable", "Exception"):
                return True
            if isinstance(leaf, Object):
                if leaf.declared is not None:
                    if isinstance(named, Class):
                        if run.scope.is_a(leaf.declared, named):
                            return True
                    elif any(
                        library.throwable_is(a, simple) for a in run.scope.library_supers(leaf.declared)
                    ):
                        return True
                elif library.throwable_is(leaf.type, simple):
                    return True
            elif isinstance(leaf, Unknown) and leaf.type is not None and leaf.type.declared is not None:
                if isinstance(named, Class) and run.scope.is_a(leaf.type.declared, named):
                    return True
            elif isinstance(leaf, Unknown) and leaf.type is not None:
                if library.throwable_is(leaf.type.simple, simple):
                    return True
            else:
                return True
        return False

    def enter(self, run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> Guarded:
        return leaf

    def leave(self, run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> None:
        if isinstance(leaf, Object) and leaf.declared is not None:
            self._on_object(run, leaf, "close", Arguments([]), frame, at)

    def define(self, run: Interpreter, what: ir.ClassDecl | ir.MethodDecl | ir.Import, frame: Frame) -> None:
        """A class declared inside a body: its name holds in the frame from here on."""
        if isinstance(what, ir.ClassDecl):
            assert frame.owner is not None
            declared = anonymous(run, what, frame.owner)
            frame.types[what.name] = declared
            run.heap["frame", declared] = frame

    def match(self, run: Interpreter, leaf: Any, label: Any, frame: Frame) -> Guarded:
        """Whether a value is what a case label says."""
        if isinstance(label, ir.InstanceOf):
            if label.name:
                frame.variables[label.name] = leaf
            return self.is_instance(run, leaf, label.type, frame)
        if isinstance(label, ir.Pattern):
            return self._pattern(run, leaf, label, frame)
        if isinstance(label, ir.Name):
            enum = None
            if isinstance(leaf, Object) and leaf.constant:
                return leaf.constant == label.name
            if isinstance(leaf, LibraryConstant):
                return equal(leaf, LibraryConstant(leaf.owner, label.name))
            if isinstance(leaf, Unknown) and leaf.type is not None and leaf.type.declared is not None:
                enum = leaf.type.declared
                if label.name in enum.constants:
                    return equal(leaf, self.constant(run, enum, label.name))
        value = run.value(label, frame)
        unnamed = isinstance(label, ir.Name) and isinstance(value, Unknown) and value.why is Why.UNDEFINED
        if unnamed and isinstance(leaf, Text) and leaf.known in WORDS:
            return leaf.known == label.name  # a constant of an enumeration of the library
        return apply(equal, leaf, value)

    def forget(self, run: Interpreter, names: frozenset[str], frame: Frame, at: ir.At) -> None:
        """What a loop with an unknown number of turns wrote is not known any more; consumers stay what they are."""
        for name in names:
            current: Frame | None = frame
            while current is not None and name not in current.variables:
                current = current.parent
            if current is None:
                continue
            value = current.variables[name]
            current.variables[name] = apply(lambda leaf: library.forgotten(run, leaf, frame, at), value)

    def _pattern(self, run: Interpreter, leaf: Any, pattern: ir.Pattern, frame: Frame) -> Guarded:
        """A record pattern: the type, then its components in order."""
        if pattern.kind == "capture":
            if pattern.name and pattern.name != "_":
                frame.variables[pattern.name] = leaf
            return True
        if pattern.kind == "value":
            return self.match(run, leaf, pattern.parts[0], frame)
        if pattern.kind == "class" and isinstance(leaf, Object) and leaf.declared is not None:
            named = run.type_named(pattern.name, frame)
            if not isinstance(named, Class) or not run.scope.is_a(leaf.declared, named):
                return False
            holds: Guarded = True
            for part, component in zip(pattern.parts, named.decl.components or (), strict=False):
                inner = leaf.fields.get(component.name)
                matched: Guarded = False
                for guard, each in leaves(inner, run.guard):
                    found = self.match(run, each, part, frame)
                    matched = either(matched, both(guard, found if not isinstance(found, Test) else True))
                holds = both(holds, matched if matched is not run.guard else True)
            return holds
        return Test("true", (Unknown(Why.UNSUPPORTED, phrase("pattern")),))


# -- helpers --------------------------------------------------------------------------------------------------------

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

IMPLEMENTATIONS_MAX = 16
"""Implementations of one interface that a call is followed into."""


_BY_SIMPLE_NAME = {name.rpartition(".")[2]: values for name, values in JAVA_CONSTANTS.items()}


def _filled_later(run: Interpreter, holder: Class, decl: ir.FieldDecl) -> bool:
    """Whether a bean's field is written by methods alone that make no consumer and that nothing has run: a timer, a
    framework or another bean calls them, and what is there when a consumer is made nobody can see."""
    if decl.final or decl.value is not None or run.hot is None:
        return False
    key = ("writers", holder)
    writers: dict[str, list[Method]] | None = run.heap.get(key)
    if writers is None:
        writers = run.heap[key] = {}
        for name, methods in holder.methods.items():
            for method in methods if name != "<init>" else ():
                for written in assigned(method):
                    writers.setdefault(written, []).append(method)
    found = writers.get(decl.name, ())
    return bool(found) and not any(each in run.hot or each in run.ran for each in found)


def _is_filled_aside(run: Interpreter, made: Object, declared: Class, name: str) -> bool:
    """Whether methods that nothing runs here put something into what a field holds: Spring calls them, or another bean. What
    is there when it is read nobody can see."""
    springs = made.bean or any(
        one.startswith("org.springframework.") for one in run.scope.library_supers(declared)
    )
    return (
        springs
        and run.hot is not None
        and any(
            method not in run.hot and name in filled_in(method)
            for methods in declared.methods.values()
            for method in methods
            if method.name != "<init>"
        )
    )


def _open(value: Guarded, detail: str) -> None:
    for _, leaf in leaves(value):
        if (
            isinstance(leaf, Object)
            and (leaf.items is not None or leaf.entries is not None)
            and leaf.open is None
        ):
            leaf.open = Unknown(Why.DYNAMIC, detail, ("filled", leaf.number))


_HELD: Mapping[tuple[str, str], int] = {
    ("Entry", "getKey"): 0, ("Entry", "getValue"): 1, ("Map", "get"): 1, ("Map", "getOrDefault"): 1, ("List", "get"): 0,
    ("Supplier", "get"): 0, ("Iterator", "next"): 0,
    ("ObjectProvider", "getObject"): 0, ("ObjectProvider", "getIfAvailable"): 0,
}  # fmt: skip
"""Methods of the library that give what their receiver holds -> the place of its type among the type arguments."""


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
    return Arguments([*values[:fixed], library.array(run, values[fixed:], place)])


def _is_static(holder: Class, decl: ir.FieldDecl) -> bool:
    return decl.static or holder.is_interface


def _is_constant(node: ir.Expr) -> bool:
    """Whether an initialiser is made of literals and names only: it may be evaluated alone."""
    match node:
        case ir.Const() | ir.Name():
            return True
        case ir.Attribute(target=target):
            return _is_constant(target)
        case ir.Binary(left=left, right=right):
            return _is_constant(left) and _is_constant(right)
        case _:
            return False


def _is_outside(held: Object, key: Guarded) -> bool:
    """Whether a place is surely none of an array."""
    if type(key) is not int or held.items is None or held.open is not None:
        return False
    return not 0 <= key < len(held.items) and all(guard is True for guard, _ in held.items)


def _has_component(declared: Class, name: str) -> bool:
    return any(component.name == name for component in declared.decl.components or ())


def _explicit(body: Sequence[ir.Stmt]) -> ir.Call | None:
    """The `this(…)` or `super(…)` a constructor begins with."""
    if body and isinstance(body[0], ir.Do) and isinstance(body[0].value, ir.Call):
        call = body[0].value
        if call.name == "<init>" and isinstance(call.target, ir.This | ir.Super):
            return call
    return None


def anonymous(
    run: Interpreter,
    decl: ir.ClassDecl,
    owner: Class,
    above: Class | str | None = None,
    ref: ir.TypeRef | None = None,
) -> Class:
    """The class of a body inside other code, the same for the same declaration."""
    key = ("class", id(decl))
    found = run.heap.get(key)
    if found is None:
        written = decl
        if above is not None and ref is not None and not decl.supers:
            interfaces = 1 if isinstance(above, Class) and above.is_interface else 0
            written = _with_supers(decl, ref, interfaces)
        found = Class.of(owner.file, written, owner, local=True)
        if above is not None and not found.decl.name:
            found.name = f"{owner.name}.<anonymous>"
        run.heap[key] = found
        run.heap["kept", id(decl)] = decl
    assert isinstance(found, Class)
    return found


def _with_supers(decl: ir.ClassDecl, ref: ir.TypeRef, interfaces: int) -> ir.ClassDecl:

    return replace(decl, supers=(ref,), interfaces=interfaces)


def local_frame(run: Interpreter, declared: Class) -> Frame | None:
    """The frame a local class was declared in."""
    current: Class | None = declared
    while current is not None:
        found = run.heap.get(("frame", current))
        if isinstance(found, Frame):
            return found
        current = current.outer if current.local else None
    return None


_STANDS_FOR = {
    "Callable": "call", "Runnable": "run", "Supplier": "get", "Consumer": "accept", "BiConsumer": "accept",
    "Function": "apply", "BiFunction": "apply", "UnaryOperator": "apply", "BinaryOperator": "apply",
    "Predicate": "test", "BiPredicate": "test", "Comparator": "compare",
}  # fmt: skip
"""Functional interfaces of the library, and the method of each that an object of them stands for."""


def functional_method(run: Interpreter, declared: Class, count: int) -> Method | None:
    """The one method an object stands for as a function: of its own, or what it implements of an interface."""
    abstract = [
        name
        for each in run.scope.supers(declared)
        for name, methods in each.methods.items()
        if each.is_interface and any(m.abstract for m in methods)
    ]
    above = {each.rpartition(".")[2] for each in run.scope.library_supers(declared)}
    for name in (*abstract, *(_STANDS_FOR[each] for each in sorted(above & _STANDS_FOR.keys()))):
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


def replace_text(value: Text, steps: tuple[Step, ...]) -> Text:
    return Text(value.parts, steps, value.char, value.frame)


__all__ = ["Java", "Raise", "join", "negate"]


def _class_text(leaf: TypeValue) -> Text:
    """The text of a class as a value: `class app.Main$Part`, `interface app.Part`, `int`."""
    owner, _, name = leaf.name.rpartition(".")
    if leaf.declared is not None:
        kind = "interface" if leaf.declared.kind in ("interface", "annotation") else "class"
        return text(f"{kind} {reflection.binary_name(leaf.declared)}")
    if leaf.name in BOXED or leaf.name == "void":
        return text(leaf.name)
    return _gap(owner, name) if leaf.guessed or not owner.islower() else text(f"class {leaf.name}")


def _gap(owner: str, name: str) -> Text:
    """The text of a constant whose class nobody sees."""
    detail = f"{owner}.{name}"
    return Text((Gap(Why.UNDEFINED, detail, ("constant", detail), frozenset({owner})),))


_FINAL = frozenset({"String", "Boolean", "Integer", "Long", "Int"})
"""Classes that no other is below, and whose values are told apart; `5` may be an `Integer` or a `Long`."""

_ALONE = frozenset(
    {"Runnable", "Callable", "Supplier", "Consumer", "Function", "Predicate", "BiConsumer", "BiFunction", "Comparator",
     "Comparable", "Serializable", "Cloneable", "AutoCloseable", "Iterable", "Record", "Enum"}
)  # fmt: skip
"""Types of the library that are no other types of it."""

_LANG = frozenset({"Object", "String", "Character", "Boolean", "Integer", "Long", "Short", "Byte", "Double", "Float", "Number",
                   "Void", "Class", "Enum", "Record", "Thread", "Runnable", "Iterable", "Comparable", "CharSequence",
                   "StringBuilder", "Throwable"})  # fmt: skip
"""Names of `java.lang` that no import gives."""

_OF_ALL_VALUES = frozenset({"Object", "Comparable", "Serializable", "Constable"})
"""Types that texts and numbers are of."""
_ANNOTATED = frozenset(
    {"getAnnotation", "getDeclaredAnnotation", "isAnnotationPresent", "getAnnotationsByType",
     "getDeclaredAnnotationsByType"}
)  # fmt: skip

_WRITTEN = frozenset({"Object", *BOXED, *BOXED.values()})
"""Types of arguments that are told by how these are declared, not by what they hold."""


def _is_of_unread(run: Interpreter, leaf: Function | Bound) -> bool:
    """Whether a function stands for an interface of the program that no file declares: what is called may be a default
    method of it."""
    return len(leaf.interface) > 1 and run.scope.surely_lacks(leaf.interface)  # one letter: a type variable

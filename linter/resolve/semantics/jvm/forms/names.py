"""What a name means, and is made to mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from subdrift.linter.clients.apis import JAVA_CONSTANTS
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET, apply, pick, under
from subdrift.linter.resolve.execute.identity import as_it_is
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import (
    BY_ZERO,
    OF_A_WIDTH,
    Frame,
    Guarded,
    LibraryConstant,
    Long,
    Object,
    Single,
    Step,
    Text,
    TypeValue,
    Unknown,
    is_whole,
    text,
)
from subdrift.linter.resolve.semantics.jvm.elements import size
from subdrift.linter.resolve.semantics.jvm.forms.common import is_static
from subdrift.linter.resolve.semantics.jvm.library import kinds
from subdrift.linter.resolve.semantics.jvm.operators import convert, raise_in
from subdrift.linter.resolve.semantics.jvm.static_types import declared_with

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


_BY_SIMPLE_NAME = {name.rpartition(".")[2]: values for name, values in JAVA_CONSTANTS.items()}


def name(java: Java, run: Interpreter, node: ir.Name, frame: Frame) -> Guarded:
    found = java._variable(run, node.name, frame)
    if found is not UNSET:
        return found
    if frame.owner is None or not run.scope.is_memberless(frame.owner, node.name):
        found = java._member(run, node.name, frame, node.at)
        if found is not UNSET:
            return found
    type_ = run.type_named(node.name, frame)
    if isinstance(type_, Class):
        return TypeValue(type_, type_.name)
    constant = node.name.isupper() and len(node.name) > 1  # inherited from a type nobody has read
    if type_ != node.name or (not constant and node.name[:1].isalpha()):
        return TypeValue(None, type_)
    return run.unknown(Why.UNDEFINED, node.name, frame, node.at)


def variable(java: Java, run: Interpreter, name: str, frame: Frame) -> Guarded:
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
            found = java._own_field(run, current.owner, current.this, name)
            if found is not UNSET:
                return found
        current = parent
    return UNSET


def member(java: Java, run: Interpreter, name: str, frame: Frame, at: ir.At) -> Guarded:
    """A field or enum constant of the classes around, or a statically imported one."""
    this = frame.this
    assert frame.owner is not None
    for around in frame.owner.lexical():
        found = java._own_field(run, around, this, name)
        if found is not UNSET:
            own = run.scope.field(around, name)
            return java._seen(run, found, around, frame) if own and is_static(*own) else found
        this = java._outer(run, this, around)
    file = frame.owner.file
    path = file.members.get(name)
    if path is not None:
        owner, _, member = path.rpartition(".")
        return java._imported(run, owner, member, frame, at)
    for wildcard in file.member_wildcards:
        declared = run.scope.named(wildcard, frame.owner)
        if isinstance(declared, Class) and (run.scope.field(declared, name) or name in declared.constants):
            return java.static(run, declared, name, frame, at)
        if name in JAVA_CONSTANTS.get(wildcard, {}):
            return LibraryConstant(wildcard, name)
    return UNSET


def imported(java: Java, run: Interpreter, owner: str, member: str, frame: Frame, at: ir.At) -> Guarded:
    assert frame.owner is not None
    declared = run.scope.named(owner, frame.owner)
    if isinstance(declared, Class):
        return java.static(run, declared, member, frame, at)
    return java.library_constant(run, owner, member, frame, at)


def library_constant(
    java: Java, run: Interpreter, owner: str, member: str, frame: Frame, at: ir.At
) -> Guarded:
    """A constant of a class whose source is not here."""
    known = JAVA_CONSTANTS.get(owner)
    if known is None and "." not in owner:  # two imports with an asterisk may bring it in
        known = _BY_SIMPLE_NAME.get(owner)
    if known is not None and member in known:
        step = Step(run.place(frame, at), f"{owner.rpartition('.')[2]}.{member}")
        return text(known[member], (step,), frame=frame.number)
    if member[:1].isupper() and not member.isupper():
        return TypeValue(None, f"{owner}.{member}", guessed=True)
    found = kinds.constant(owner, member)
    if found is not UNSET:
        return found
    if not run.brief and run.scope.is_absent(owner):
        run.needed.add(owner)
    return LibraryConstant(owner, member)


def through_name(java: Java, run: Interpreter, value: Guarded, holder: Class, decl: ir.FieldDecl) -> Guarded:
    """A value that was read by its name: the place of the declaration joins its way."""

    def stamped(leaf: Any) -> Any:
        if isinstance(leaf, Text):
            step = Step(holder.at(decl.at), f"{holder.simple}.{decl.name}")
            return leaf if step in leaf.steps else replace_text(leaf, (step, *leaf.steps))
        return leaf

    return apply(stamped, value)


def assign_name(java: Java, run: Interpreter, name: str, value: Guarded, frame: Frame, at: ir.At) -> None:
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
            and java._write(run, current.owner, current.this, name, value)
        ):
            return
        current = parent
    this = frame.this
    assert frame.owner is not None
    for around in frame.owner.lexical():
        if java._write(run, around, this, name, value):
            return
        this = java._outer(run, this, around)
    frame.variables[name] = pick(run.guard, value, frame.variables.get(name, UNSET))


def captured(java: Java, frame: Frame) -> Frame:
    """Local variables that a lambda or class sees never change: it keeps what they hold where it is made."""
    return msgspec.structs.replace(frame, variables=dict(frame.variables))


def narrowed(
    java: Java,
    run: Interpreter,
    node: ir.Assign,
    before: Guarded,
    added: Guarded,
    value: Guarded,
    frame: Frame,
) -> Guarded:
    """What `+=` and the like put into a variable: a value of its type."""
    if value is OF_A_WIDTH or value is BY_ZERO:
        both_sides = ir.Binary(node.operator, node.target, node.value, node.at)
        value = java.of_width(run, both_sides, before, added, frame)
    return apply(lambda old, new: narrowed_leaf(java, run, node.target, old, new, frame), before, value)


def narrowed_leaf(
    java: Java, run: Interpreter, target: ir.Expr, before: Any, value: Any, frame: Frame
) -> Any:
    if isinstance(before, Text) and before.char and type(value) in (int, Long, float, Single):
        return text(chr(int(value) % 65_536), before.steps, char=True, frame=before.frame)
    if type(value) is float and type(before) in (int, Long, Single):
        return convert(value, declared_with(run, target, frame) or "long")
    if is_whole(value) and not -128 <= value < 128 and is_whole(before):
        return convert(value, declared_with(run, target, frame))
    return value


def truth_of(java: Java, run: Interpreter, leaf: Object, frame: Frame) -> Guarded:
    return java.truth(leaf)


def _field_of(
    run: Interpreter, leaf: Object, declared: Class, name: str, frame: Frame
) -> tuple[Class, ir.FieldDecl] | None:
    """The field of a name: in a method of a class above, `this` has that class's own, not one that hides it."""
    owner = frame.owner
    if owner is not None and owner is not declared and leaf is frame.this and owner.file.language == "java":
        return run.scope.field(owner, name) or run.scope.field(declared, name)
    return run.scope.field(declared, name)


def attribute(java: Java, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded:
    if isinstance(leaf, TypeValue):
        if leaf.declared is not None:
            return java.static(run, leaf.declared, name, frame, at)
        if name == "this":
            return frame.this
        whole = run.type_named(f"{leaf.name}.{name}", frame)
        if isinstance(whole, Class):
            return TypeValue(whole, whole.name)
        if not leaf.simple[:1].isupper():
            return TypeValue(None, whole)
        return java.library_constant(run, full_name(java, run, leaf.name, frame), name, frame, at)
    if isinstance(leaf, Object):
        if name == "length" and leaf.items is not None:
            return size(leaf)
        if leaf.declared is not None:
            found = _field_of(run, leaf, leaf.declared, name, frame)
            if found is not None:
                if is_static(*found):
                    return java.static_field(run, *found)
                return java.read(run, leaf, name, *found)
        if name in leaf.fields:
            return under(leaf.fields[name], run.guard)
        if leaf.client is not None:
            return Unknown(Why.DYNAMIC, name)
        return Unknown(Why.UNDEFINED, phrase("attribute", f"{leaf.type.rpartition('.')[2]}.{name}"))
    if isinstance(leaf, Unknown):
        held = as_it_is(run, leaf)
        symbol = None if held is None else ("field", held, name)
        found_unknown = Unknown(leaf.why, f"{leaf.detail}.{name}".lstrip("."), symbol, steps=leaf.steps)
        if leaf.type is not None and leaf.type.declared is not None:
            field = run.scope.field(leaf.type.declared, name)
            if field is not None:
                if is_static(*field) and field[0].kind != "annotation":
                    return java.static_field(run, *field)
                return java._typed(run, found_unknown, field[1].type, field[0])
        return found_unknown
    if leaf is None:
        raise_in(run, "NullPointerException")
        return UNSET
    return Unknown(Why.UNSUPPORTED, name)


def attribute_as(
    java: Java, run: Interpreter, leaf: Any, view: Class, name: str, frame: Frame, at: ir.At
) -> Guarded:
    """`((View) object).name`: the field that the declared type has, not one that hides it."""
    if isinstance(leaf, Object) and leaf.declared is not None and leaf.declared is not view:
        found = run.scope.field(view, name)
        if found is not None and not is_static(*found):
            return java.read(run, leaf, name, *found)
    return java.attribute(run, leaf, name, frame, at)


def super_attribute(java: Java, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded:
    """`super.name`: the field as the class above sees it."""
    owner = frame.owner
    for each in run.scope.supers(owner) if owner is not None else ():
        if each is not owner and name in each.fields:
            decl = each.fields[name]
            if is_static(each, decl):
                return java.static_field(run, each, decl)
            return java.read(run, leaf, name, each, decl)
    absent = run.absent_above(owner)
    if absent:
        return run.unknown(Why.DYNAMIC, f"super.{name}", frame, at, needs=absent)
    return java.attribute(run, leaf, name, frame, at)


def full_name(java: Java, run: Interpreter, name: str, frame: Frame) -> str:
    return name


def set_attribute(
    java: Java, run: Interpreter, leaf: Any, name: str, value: Guarded, frame: Frame, at: ir.At
) -> None:
    if isinstance(leaf, Object):
        found = _field_of(run, leaf, leaf.declared, name, frame) if leaf.declared is not None else None
        if found is not None and is_static(*found):
            java._write(run, found[0], leaf, name, value)
            return
        if found is not None:
            value = java._declared(run, value, found[1], found[0])
        java._put(run, leaf, name, value, run.guard, *(found or (None, None)))
    elif isinstance(leaf, TypeValue) and leaf.declared is not None:
        java._write(run, leaf.declared, None, name, value)
    else:
        run.unseen += 1


def family(java: Java, run: Interpreter, declared: Class) -> Sequence[Class]:
    """A class, and those of the program above it."""
    return run.scope.supers(declared)


def replace_text(value: Text, steps: tuple[Step, ...]) -> Text:
    return Text(value.parts, steps, value.char, value.frame)

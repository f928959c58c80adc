"""Fields: of objects and of classes, their initial values, how they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from subdrift.linter.clients.apis import JAVA_CONSTANTS
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.exceptions import may_refuse
from subdrift.linter.resolve.execute.given_up import lose_earlier
from subdrift.linter.resolve.execute.guards import UNSET, apply, leaves, pick, under
from subdrift.linter.resolve.execute.havoc import assigned
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import (
    OF_CHARACTERS,
    WIDENING,
    Frame,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    is_whole,
)
from subdrift.linter.resolve.semantics.jvm import injected_fields
from subdrift.linter.resolve.semantics.jvm.forms.common import ZERO, Making, anonymous, is_static
from subdrift.linter.resolve.semantics.jvm.operators import convert

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


def read(java: Java, run: Interpreter, leaf: Any, name: str, holder: Class, decl: ir.FieldDecl) -> Guarded:
    """The field of an object, as it is on the path that is being run."""
    if isinstance(leaf, Object):
        slot = java.slot(run, leaf, name, holder)
        if slot in leaf.fields:
            return under(leaf.fields[slot], run.guard)
        value = java.initial(run, leaf, holder, decl)
        leaf.fields[slot] = value
        return value
    if isinstance(leaf, Unknown):
        symbol = None if leaf.symbol is None else ("field", leaf.symbol, name)
        found = Unknown(leaf.why, f"{leaf.detail}.{name}".lstrip("."), symbol)
        return java._typed(run, found, decl.type, holder)
    found = Unknown(Why.DYNAMIC, f"{holder.simple}.{name}", ("field", holder.name, name))
    return java._typed(run, found, decl.type, holder)


def slot(java: Java, run: Interpreter, made: Object, name: str, holder: Class | None) -> str:
    """The key of a field in an object: a field that another class of the object hides has one of its own."""
    declared = made.declared
    if holder is None or declared is None or holder is declared:
        return name
    found = run.scope.field(declared, name)
    return name if found is None or found[0] is holder else f"{holder.name}#{name}"


def typed(java: Java, run: Interpreter, value: Unknown, ref: ir.TypeRef | None, near: Class) -> Unknown:
    if ref is None:
        return value
    named = run.scope.named(ref.name, near)
    declared = named if isinstance(named, Class) else None
    made = TypeValue(declared, named.name if isinstance(named, Class) else named, ref.args)
    return Unknown(value.why, value.detail, value.symbol, made, value.steps, value.needs)


def initial(java: Java, run: Interpreter, made: Object, holder: Class, decl: ir.FieldDecl) -> Guarded:
    """What a field holds before anything is written to it."""
    injected = injected_fields.field_value(java, run, made, holder, decl)
    if injected is not UNSET:
        return injected
    if decl.final and decl.value is not None and java._is_constant(run, holder, decl):
        return aside(java, run, holder, decl)  # a compiler puts it where it is read
    if (
        made.bean
        and decl.type is not None
        and decl.type.name not in ZERO
        and _filled_later(run, holder, decl)
    ):
        symbol = ("field", ("object", made.number), decl.name)
        unknown = Unknown(Why.DYNAMIC, f"{holder.simple}.{decl.name}", symbol)
        return java._typed(run, unknown, decl.type, holder)
    return ZERO.get(decl.type.name if decl.type else "")


def is_constant(java: Java, run: Interpreter, holder: Class, decl: ir.FieldDecl, depth: int = 0) -> bool:
    """Whether a final field is a constant variable: of a text or number, with literals and such fields only."""
    kind = decl.type.name.rpartition(".")[2] if decl.type is not None else ""
    if (
        not decl.final
        or decl.value is None
        or depth > 8
        or (kind != "String" and kind not in ZERO and kind != "char")
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
            if found is not None and not java._is_constant(run, *found, depth + 1):
                return False
        elif not (isinstance(node, ir.Attribute) and _is_constant(node)):
            return False
    return True


def static_field(java: Java, run: Interpreter, holder: Class, decl: ir.FieldDecl) -> Guarded:
    """A static field; a constant expression is evaluated alone, anything else prepares the class."""
    key = (holder, decl.name)
    if key not in run.statics:
        if (
            decl.final
            and decl.value is not None
            and _is_constant(decl.value)
            and java._alone(run, holder, decl)
        ):
            run.statics[key] = Unknown(Why.CYCLE, decl.name)
            run.statics[key] = aside(java, run, holder, decl)
        else:
            java.prepare(run, holder)
            if run.guard is False:  # its initialisers threw
                return UNSET
    found = run.statics.get(key, UNSET)
    if found is UNSET or (found is None and run.begins_amid):
        run.statics[key] = Unknown(Why.CYCLE, decl.name)
        found = injected_fields.static_value(java, run, holder, decl)
        if found is UNSET and holder in run.preparing:
            del run.statics[key]  # it is null until its initialiser has run
            return ZERO.get(decl.type.name if decl.type else "")
        if found is UNSET:
            found = ZERO.get(decl.type.name if decl.type else "")
        run.statics[key] = found
    return under(found, run.guard)


def alone(java: Java, run: Interpreter, holder: Class, decl: ir.FieldDecl) -> bool:
    """Whether an initialiser of names may be evaluated before its class is prepared: not one that reads what
    initialisers of the class, which are being run, assign."""
    return holder not in run.preparing or java._is_constant(run, holder, decl)


def aside(java: Java, run: Interpreter, holder: Class, decl: ir.FieldDecl) -> Guarded:
    """The value of a static initialiser, which runs once whatever path asks first."""
    before, run.guard = run.guard, True
    frame = run.frame(holder, None)
    assert decl.value is not None
    value = run.typed(run.value(decl.value, frame), decl.type, frame)
    run.guard = before
    return java.through_name(run, value, holder, decl)


def prepare(java: Java, run: Interpreter, owner: Class) -> None:
    """Runs the static initialisers of a class, once, in source order."""
    if owner in run.prepared:
        if ("refused", owner) in run.heap:
            may_refuse(run, "NoClassDefFoundError", Unknown(Why.DYNAMIC, owner.simple), None, surely=True)
        return
    run.prepared.add(owner)
    run.preparing.add(owner)
    refusing = run.make(None, "ExceptionInInitializerError", None) if run.handlers else None
    is_told = refusing is not None and any(handles(refusing) is not None for handles in run.handlers)
    above = run.scope.direct_super(owner)
    if isinstance(above, Class):
        java.prepare(run, above)
    before, raised, handlers, depth = run.guard, run.raised, run.handlers, run.depth
    run.guard, run.raised = True, []  # what is thrown is another error outside
    run.handlers = [lambda error: True] if is_told else []
    run.depth += 1
    thrown: Any = None
    try:
        thrown = _initialise(java, run, owner)
        run.preparing.discard(owner)
    finally:  # also where it comes to a bound, behind which the code around goes on
        run.guard, run.raised, run.handlers, run.depth = before, raised, handlers, depth
    lose_earlier(run, owner)
    if thrown is not None and refusing is not None:
        run.heap["refused", owner] = True
        refusing.fields["<super>"] = (thrown,)
        run.throw(refusing)


def _initialise(java: Java, run: Interpreter, owner: Class) -> Guarded:
    """Runs what a class does when it is first used, in the order of its text. What it surely throws where somebody takes that,
    else None."""
    for constant in owner.constants:
        java.constant(run, owner, constant)
    parts: list[ir.FieldDecl | ir.Initialiser] = [
        decl for decl in owner.decl.fields if is_static(owner, decl) and decl.value is not None
    ]
    parts += [one for one in owner.decl.initialisers if one.static]
    frame = run.frame(owner, None)
    for part in sorted(parts, key=lambda one: one.at):
        if isinstance(part, ir.FieldDecl):
            if part.final and (owner, part.name) in run.statics:
                continue  # asked for before; another one gets its value here, whatever a constructor wrote into it
            assert part.value is not None
            if part.type is not None and part.type.name == "String":
                run.statics[owner, part.name] = Unknown(Why.CYCLE, part.name)
            value = run.typed(run.value(part.value, frame), part.type, frame)
            if run.guard is not False or not run.handlers:
                run.statics[owner, part.name] = java.through_name(run, value, owner, part)
        else:
            run.run(part.body, frame)
        if run.handlers and run.guard is False and len(run.raised) == 1 and run.raised[0][0] is True:
            return run.raised[0][1]
        run.guard = True
    return None


def static(java: Java, run: Interpreter, owner: Class, name: str, frame: Frame, at: ir.At) -> Guarded:
    """A static member of a declared class."""
    for each in run.scope.supers(owner):
        if name in each.constants:
            return java.constant(run, each, name)
        if name in each.nested:
            return TypeValue(each.nested[name], each.nested[name].name)
        decl = each.fields.get(name)
        if decl is not None:
            value = java.static_field(run, each, decl)
            return java._seen(run, value, each, frame)
    if name == "length" or name == "class":
        return TypeValue(owner, owner.name)
    for library_type in run.scope.library_supers(owner):
        if name in JAVA_CONSTANTS.get(library_type, {}):
            return java.library_constant(run, library_type, name, frame, at)
    return run.unknown(Why.UNDEFINED, f"{owner.name}.{name}", frame, at, symbol=("static", owner.name, name))


def seen(java: Java, run: Interpreter, value: Guarded, owner: Class, frame: Frame) -> Guarded:
    """A constant used in a frame counts as brought in there."""
    return apply(
        lambda leaf: (
            Text(leaf.parts, leaf.steps, leaf.char, frame.number) if isinstance(leaf, Text) else leaf
        ),
        value,
    )


def constant(java: Java, run: Interpreter, owner: Class, name: str) -> Object:
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
    java.initialise(Making(run, made, owner, arguments, frame, owner.at(decl.at)))
    if declared is not owner:
        java._run_fields(run, made, declared)
    run.guard, run.raised = before, raised
    return made


def write(java: Java, run: Interpreter, owner: Class, this: Guarded, name: str, value: Guarded) -> bool:
    found = run.scope.field(owner, name)
    if found is None:
        return False
    holder, decl = found
    value = java._declared(run, value, decl, holder)
    if is_static(holder, decl):
        if (holder, name) not in run.statics and decl.value is not None:
            java.prepare(run, holder)
        old = run.statics.get((holder, name), ZERO.get(decl.type.name if decl.type else ""))
        run.statics[holder, name] = pick(run.guard, value, old)
        return True
    for guard, leaf in leaves(this, run.guard):
        if isinstance(leaf, Object):
            java._put(run, leaf, name, value, guard, holder, decl)
    return True


def declared(java: Java, run: Interpreter, value: Guarded, decl: ir.FieldDecl, holder: Class) -> Guarded:
    """A value as a field of a type takes it."""
    if decl.type is None:
        return value
    kind = decl.type.name
    if kind == "[]":
        return java.converted(value, decl.type)
    if kind in WIDENING or (kind in OF_CHARACTERS and type(value) is Text):
        return apply(
            lambda leaf: convert(leaf, kind) if is_whole(leaf) or type(leaf) is Text else leaf, value
        )
    return (
        java._typed(run, value, decl.type, holder) if type(value) is Unknown and value.type is None else value
    )


def put(
    java: Java,
    run: Interpreter,
    made: Object,
    name: str,
    value: Guarded,
    guard: Guarded,
    holder: Class | None = None,
    decl: ir.FieldDecl | None = None,
) -> None:
    old: Guarded = UNSET
    slot = java.slot(run, made, name, holder)
    if guard is not True:
        old = made.fields.get(slot, UNSET)
        if old is UNSET:
            old = java.initial(run, made, holder, decl) if holder is not None and decl is not None else None
    made.fields[slot] = pick(guard, value, old)


def holding(java: Java, run: Interpreter, leaf: Any, holder: Class) -> Any:
    """The object whose field is meant: `leaf`, or one around it, that is of the class that declares it."""
    if not isinstance(leaf, Object) or leaf.declared is None or leaf.declared is holder:
        return leaf
    return java._enclosing(run, leaf, holder)


def outer(java: Java, run: Interpreter, this: Guarded, around: Class) -> Guarded:
    """The enclosing instance one class further out."""

    def step(leaf: Any) -> Any:
        if isinstance(leaf, Object):
            if leaf.outer is not None:
                return leaf.outer
            return leaf.captured.this if leaf.captured is not None else leaf
        return leaf

    return apply(step, this)


def own_field(java: Java, run: Interpreter, owner: Class, this: Guarded, name: str) -> Guarded:
    if name in owner.constants:
        return java.constant(run, owner, name)
    found = run.scope.field(owner, name)
    if found is None:
        return UNSET
    holder, decl = found
    if is_static(holder, decl):
        return java.static_field(run, holder, decl)
    return run.over(this, lambda leaf: java.read(run, java._holding(run, leaf, holder), name, holder, decl))


def injected(java: Java, run: Interpreter, named: str, name: str, near: Class) -> Guarded:
    """The object of a library's type that a container hands out under a name; UNSET where nothing is known of it."""
    return UNSET


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

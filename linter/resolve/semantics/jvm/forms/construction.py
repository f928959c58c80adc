"""Objects are made: constructors, initialisers, components, anonymous classes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute import clients
from subdrift.linter.resolve.execute.callbacks import lose_later
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import leaves
from subdrift.linter.resolve.execute.havoc import called_back, filled_in
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import Frame, Guarded, Object, Unknown
from subdrift.linter.resolve.semantics.jvm import beans, consumers, managed
from subdrift.linter.resolve.semantics.jvm.collections import array
from subdrift.linter.resolve.semantics.jvm.equality import OWN_EQUALITY
from subdrift.linter.resolve.semantics.jvm.forms.common import Making, anonymous, is_static, local_frame
from subdrift.linter.resolve.semantics.jvm.library import kinds
from subdrift.linter.resolve.semantics.jvm.library import making as library_objects
from subdrift.linter.resolve.semantics.jvm.static_types import declared_with
from subdrift.linter.resolve.spring.beans import PROCESSED

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


def construct(java: Java, run: Interpreter, node: ir.New, arguments: Arguments, frame: Frame) -> Guarded:
    at = run.place(frame, node.at)
    if node.type.name == "[]":
        return array(run, [], at)
    if node.outer is None:
        return _made(java, run, node, run.type_named(node.type.name, frame), arguments, frame, frame.this)

    def within(holder: Any) -> Guarded:
        every = run.scope.supers(holder.declared) if isinstance(holder, Object) and holder.declared else ()
        found = (one.nested[node.type.name] for one in every if node.type.name in one.nested)
        named = next(found, None) or run.type_named(node.type.name, frame)
        return _made(java, run, node, named, arguments, frame, holder)

    return run.over(run.value(node.outer, frame), within)


def _made(
    java: Java,
    run: Interpreter,
    node: ir.New,
    named: Class | str,
    arguments: Arguments,
    frame: Frame,
    outer: Guarded,
) -> Guarded:
    """An object of a class that is named, made inside of `outer`."""
    at = run.place(frame, node.at)
    if node.body is not None:
        assert frame.owner is not None
        declared = anonymous(run, node.body, frame.owner, named, node.type, frame)
        made = run.make(declared, named.name if isinstance(named, Class) else named, at)
        made.captured = java.captured(frame)
        made.outer = frame.this if isinstance(frame.this, Object) else None
        if not isinstance(named, Class) or named.is_interface:
            java._library_part(Making(run, made, declared, arguments, frame, at))
        else:
            java.initialise(Making(run, made, named, arguments, frame, at))
        java._run_fields(run, made, declared)
        run.heap.setdefault(UNNAMED, []).append(made)
        return made
    if isinstance(named, Class):
        if not named.concrete:
            return run.unknown(Why.UNSUPPORTED, phrase("new", named.simple), frame, node.at)
        if node.outer is None and named.outer is not None and isinstance(outer, Object):
            outer = java._enclosing(run, outer, named.outer)  # made inside another class of its class
        return java.instantiate(run, named, arguments, frame, at, outer)
    return java._library_object(run, named, node, arguments, frame, at)


UNNAMED = "objects of classes without a name"
"""Where a run keeps them: one that nobody knows may be any of its type."""


def instantiate(
    java: Java,
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
    java.prepare(run, declared)
    made = run.make(declared, declared.name, at, bean=bean)
    if has_equality(java, run, declared):
        made.fields[OWN_EQUALITY] = partial(java._own_equality, run)
    if declared.local:
        made.captured = java._sees(run, declared, frame)
    if not declared.decl.static:
        made.outer = next((leaf for _, leaf in leaves(outer, run.guard) if isinstance(leaf, Object)), None)
    java.initialise(Making(run, made, declared, arguments, frame, at))
    return made


def sees(java: Java, run: Interpreter, declared: Class, frame: Frame) -> Frame:
    """What a new object of a class that is declared inside a body sees of that."""
    this = frame.this
    if isinstance(this, Object) and this.declared is declared and this.captured is not None:
        return this.captured  # one of them makes another
    return java.captured(local_frame(run, declared) or frame)


def has_equality(java: Java, run: Interpreter, declared: Class) -> bool:
    """Whether a class says itself which objects are equal."""
    key = ("own equality", declared)
    found = run.heap.get(key)
    if found is None:
        found = run.heap[key] = any(not one.abstract for one in run.scope.methods(declared, "equals", 1))
    return bool(found)


def own_equality(java: Java, run: Interpreter, left: Object, right: Any) -> bool | Test:
    """What the class of an object says of it and another; a collection asks for it."""
    if left is right:
        return True
    methods = run.scope.methods(left.declared, "equals", 1) if left.declared is not None else []
    if methods and run.guard is not False:
        found = java._dispatch(run, methods, left, Arguments([right]), None, left.at)
        if isinstance(found, bool | Test):
            return found
    return Test("true", (Unknown(Why.DYNAMIC, phrase("comparison")),))


def library_part(java: Java, making: Making) -> None:
    """What an object is by the library class it extends: a consumer, a collection, a thread."""
    run, made, declared, arguments, frame, at = making
    for above in run.scope.library_supers(declared):
        row = clients.java_class(above)
        if row is not None and made.client is None:
            clients.make_java(run, row, made, at, frame)
            consumers.construct(run, made, row, arguments, at, frame)
            return
        kinds.become(made, above)
        library_objects.extended(run, made, arguments.values, frame, at)


def initialise(java: Java, making: Making) -> None:
    """Runs the initialisers and the fitting constructor of a class on an object."""
    run, _, declared, arguments, _, at = making
    constructors = declared.methods.get("<init>", [])
    chosen = java.overload(run, [m for m in constructors if m.accepts(len(arguments))], arguments)
    if declared.kind == "record":
        components(java, making, chosen)
        return
    is_open = arguments.open is not None
    if chosen is None and is_open and len(constructors) == 1:
        chosen = constructors[0]
    if chosen is None:
        asks = constructors and not len(arguments) and not is_open
        injected = managed.constructor_of(declared) if asks else None
        if injected is not None:  # a container that makes it hands over what it has
            given = [beans.parameter(java, run, injected, one) for one in injected.decl.params]
            java._construct(making._replace(arguments=Arguments(given)), injected)
            return
        if constructors and len(arguments):
            run.note(phrase("no-constructor-of-fits", declared.simple), at)
        java._above(making._replace(arguments=Arguments([])))
        java._run_fields(run, making.made, declared)
        if (len(arguments) or is_open) and declared.kind != "anonymous" and run.guard is not False:
            _forget_all(run, making)
        return
    java._construct(making, chosen)


def _forget_all(run: Interpreter, making: Making) -> None:
    """A constructor that is written elsewhere, or not modelled: what it leaves in its object is not known."""
    made, declared = making.made, making.declared
    reason = Unknown(Why.DYNAMIC, phrase("new", declared.simple))
    for each in run.scope.supers(declared):
        for name, decl in each.fields.items():
            if not is_static(each, decl) and not (decl.final and decl.value is not None):
                lost = replace(reason, symbol=("left", made.number, name))
                made.fields[name] = (
                    lost if decl.type is None else run.with_type(lost, decl.type, run.frame(each, None))
                )
    run.havoc("<init>", reason, made, making.arguments)


def run_constructor(java: Java, making: Making, method: Method) -> None:
    """One constructor: what it calls first, the fields, its body."""
    run, made, declared, arguments, caller, at = making
    run.enters(method)
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
    first, explicit = _explicit(body)
    if first:  # what stands before the call (Java 25)
        run.activate(method, frame, body[:first])
    if explicit is not None and isinstance(explicit.target, ir.This):
        inner = run.arguments(explicit.args, frame)
        further = Making(run, made, declared, inner, frame, run.place(frame, explicit.at))
        other = java.overload(
            run, [m for m in declared.methods["<init>"] if m.accepts(len(inner)) and m is not method], inner
        )
        if declared.kind == "record" and run.guard is not False:
            components(java, further, other)
        elif other is not None and run.guard is not False:
            java._construct(further, other)
    else:
        inner = run.arguments(explicit.args, frame) if explicit is not None else Arguments([])
        place = run.place(frame, explicit.at) if explicit is not None else at
        java._above(Making(run, made, declared, inner, frame, place))
        java._run_fields(run, made, declared, frame)
    run.activate(method, frame, body[first + 1 :] if explicit is not None else body)


def above(java: Java, making: Making) -> None:
    """What the superclass does to the object."""
    run, made, declared, arguments, frame, at = making
    above = run.scope.direct_super(declared)
    if isinstance(above, Class):
        java.prepare(run, above)
        java.initialise(making._replace(declared=above))
    elif above is not None and declared.kind != "anonymous":
        row = clients.java_class(above)
        if row is not None and made.client is None:
            clients.make_java(run, row, made, at, frame)
            consumers.construct(run, made, row, arguments, at, frame)
        else:
            kinds.become(made, above)
            library_objects.extended(run, made, arguments.values, frame, at)
            made.fields.setdefault("<super>", tuple(arguments.values))
            if run.scope.is_absent(above):
                run.hands_over(above, arguments)
                # its constructor may call what the class overrides
                called_back(run, made, run.guard, Unknown(Why.DYNAMIC, phrase("new", above)))
                _lose_later(run, made, above)
    elif made.client is None:
        for each in run.scope.library_supers(declared):
            kinds.become(made, each)
        if above is not None and run.scope.is_absent(above):
            _lose_later(run, made, above)


def _may_be_equal(left: Object, right: Any) -> bool | Test:
    """What `equals` says of objects whose class has it of one that nobody sees."""
    return left is right or Test("true", (Unknown(Why.DYNAMIC, "equals()"),))


_OF_INTERFACES: Final = ("java.", "javax.", "org.apache.rocketmq.", "org.springframework.", "kotlin")
"""How the names of types begin that are interfaces, or classes whose constructors call nothing."""


def _lose_later(run: Interpreter, made: Object, above: str) -> None:
    """The constructor of a class that nobody sees may call what a class overrides, and it may say what is equal."""
    if "." in above and not run.brief and not above.startswith(_OF_INTERFACES):
        lose_later(run, made, run.guard)
        if made.declared is not None and not (made.declared.kind == "record" or made.declared.decl.data):
            made.fields.setdefault(OWN_EQUALITY, _may_be_equal)


def run_fields(
    java: Java, run: Interpreter, made: Object, declared: Class, constructor: Frame | None = None
) -> None:
    """Field initialisers and initialiser blocks, in source order. `constructor`: the frame they are run from."""
    parts: list[ir.FieldDecl | ir.Initialiser] = [
        decl for decl in declared.decl.fields if decl.value is not None and not is_static(declared, decl)
    ]
    parts += [one for one in declared.decl.initialisers if not one.static]
    if not parts:
        return
    frame = run.frame(declared, made, parent=made.captured if declared.local else None)
    for part in sorted(parts, key=lambda one: one.at):
        if run.guard is False:
            return
        if isinstance(part, ir.FieldDecl):
            if managed.keeps(made, declared, part):
                continue
            assert part.value is not None
            value = run.typed(run.value(part.value, frame), part.type, frame)
            held = _collections_in(value)
            if held and _is_filled_aside(run, made, declared, part.name):
                for leaf in held:
                    leaf.open = Unknown(
                        Why.DYNAMIC, f"{declared.simple}.{part.name}", ("filled", leaf.number)
                    )
            made.fields[java.slot(run, made, part.name, declared)] = value
        else:
            run.run(part.body, frame)


def components(java: Java, making: Making, chosen: Method | None) -> None:
    """A record: its components, through the canonical or another constructor."""
    run, made, declared, arguments, frame, at = making
    components = declared.decl.components or ()
    if chosen is not None and not chosen.decl.compact:
        java._construct(making, chosen)
        return
    inner = run.frame(declared, made, method=chosen, caller=frame, called_at=at)
    run.bind(components, arguments, inner)
    compact = next((m for m in declared.methods.get("<init>", ()) if m.decl.compact), None)
    if compact is not None:
        inner.method = compact
        run.activate(compact, inner, compact.decl.body or ())
    for component in components:
        made.fields[component.name] = inner.variables.get(component.name)


def library_object(
    java: Java, run: Interpreter, name: str, node: ir.New, arguments: Arguments, frame: Frame, at: Location
) -> Guarded:
    row = clients.java_class(name)
    if row is not None:
        made = run.make(None, name, at)
        clients.make_java(run, row, made, at, frame)
        types = [declared_with(run, each.value, frame) for each in node.args]
        consumers.construct(run, made, row, arguments, at, frame, types)
        return made
    if run.scope.is_absent(name) and kinds.models(name):
        run.needed.add(name)  # a class of the project may have the name of a library's
    return library_objects.construct(run, name, node.type, arguments, at, frame)


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
            method not in run.hot
            and name in filled_in(method)
            and not (method.name in PROCESSED and run.heap.get(managed.AT_HAND))  # run on each of them
            for methods in declared.methods.values()
            for method in methods
            if method.name != "<init>"
        )
    )


def _collections_in(value: Guarded) -> list[Object]:
    """The collections among the alternatives of a value of whose content all is known."""
    return [
        leaf
        for _, leaf in leaves(value)
        if isinstance(leaf, Object)
        and (leaf.items is not None or leaf.entries is not None)
        and leaf.open is None
    ]


def _explicit(body: Sequence[ir.Stmt]) -> tuple[int, ir.Call | None]:
    """The `this(…)` or `super(…)` of a constructor, and how many statements stand before it."""
    for number, each in enumerate(body):
        if isinstance(each, ir.Do) and isinstance(each.value, ir.Call):
            call = each.value
            if call.name == "<init>" and isinstance(call.target, ir.This | ir.Super):
                return number, call
    return 0, None

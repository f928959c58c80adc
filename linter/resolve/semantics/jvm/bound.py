"""Objects that configuration fills: `@ConfigurationProperties`, Spring's `Binder`, `@ConfigMapping`."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.deferred import (
    elements,
    entries,
    is_known,
    lenient,
    parts,
    present,
    settings_of,
    told,
)
from subdrift.linter.resolve.execute.guards import UNSET, apply, both, either, pick
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    CONSTANT,
    INT,
    LONG,
    NUMBERS,
    Entry,
    Frame,
    Guarded,
    Key,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    as_kind,
    made_of,
    text,
)
from subdrift.linter.resolve.semantics.jvm import durations, modelled
from subdrift.linter.resolve.semantics.jvm.forms.common import ZERO, Making
from subdrift.linter.resolve.semantics.jvm.managed import annotated, kebab
from subdrift.linter.resolve.semantics.jvm.records import MAPPED
from subdrift.linter.resolve.semantics.jvm.texts import is_plain_pattern

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


def fill(java: Java, run: Interpreter, made: Object, prefix: str) -> None:
    """Binds the configuration below a key to an object that is made already: what nothing configures stays as it is."""
    made.fields["<prefix>"] = prefix
    made.bean = True
    for owner in run.scope.supers(made.declared) if made.declared is not None else ():
        for decl in owner.decl.fields:
            if not decl.static and (not decl.final or _is_filled(run, decl, owner)):
                slot = java.slot(run, made, decl.name, owner)
                held = made.fields.get(slot, UNSET)
                key = f"{prefix}.{kebab(decl.name)}"
                made.fields[slot] = through_setter(java, run, made, decl, owner, key, held)
    _call_setters(java, run, made, prefix)


def _call_setters(java: Java, run: Interpreter, made: Object, prefix: str) -> None:
    """Hands what configuration has below a key to the setters of properties that no field is called like."""
    owners = run.scope.supers(made.declared) if made.declared is not None else ()
    called = {decl.name for owner in owners for decl in owner.decl.fields}
    for owner in owners:
        for name, methods in owner.methods.items():
            own = f"{name[3:4].lower()}{name[4:]}"
            if name[:3] != "set" or not own or own in called or len(methods) > 1 or methods[0].arity != 1:
                continue
            called.add(own)
            method, param, key = methods[0], methods[0].decl.params[0], f"{prefix}.{kebab(own)}"
            there = _presence(run, key, owner.at(param.at))
            if there is not False and not (method.abstract or method.decl.static or method.decl.private):
                decl = ir.FieldDecl(name=own, type=param.type, value=None, at=param.at)
                _hand(run, made, method, bound(java, run, key, decl, owner), there)


def _presence(run: Interpreter, key: str, place: Location) -> Guarded:
    """The guard under which configuration has something at a key or below it."""
    plain = Text((Key(text(key), None, "property"),))
    if is_known(run, plain):
        return present(run, plain, place)
    below = elements(run, key, place) or [guard for guard, _ in entries(run, key, place) or ()]
    return reduce(either, below, False)


def _hand(run: Interpreter, made: Object, method: Method, value: Guarded, there: Guarded) -> None:
    before, run.guard = run.guard, both(run.guard, there)
    run.invoke(method, made, Arguments([value]), None, None)
    run.guard = before


_COLLECTIONS = frozenset({"List", "Set", "Map", "[]", "Collection"})


def _is_filled(run: Interpreter, decl: ir.FieldDecl, owner: Class) -> bool:
    """Whether configuration is bound to what a field holds, rather than to the field."""
    if decl.type is None:
        return False
    named = run.scope.named(decl.type.name, owner)
    is_object = isinstance(named, Class) and not named.file.model and named.kind != "enum"
    return is_object or decl.type.name.rpartition(".")[2] in _COLLECTIONS


def bound(
    java: Java,
    run: Interpreter,
    key: str,
    decl: ir.FieldDecl,
    holder: Class,
    held: Guarded = UNSET,
    *,
    there: Guarded = True,
    whole: bool = False,
) -> Guarded:
    """A field of a properties class: the configuration below its name, with what it `held` (its initialiser) as default; or an
    element of a list or map that is `there` under a guard. `whole`: it is that, or what all is bound to, and no part."""
    ref = decl.type
    if held is UNSET:
        held = run.value(decl.value, run.frame(holder, None)) if decl.value is not None else UNSET
    named = run.scope.named(ref.name, holder) if ref is not None else "String"
    place = holder.at(decl.at)
    if isinstance(named, Class) and named.file.model and named.kind != "enum":
        return _converted(java, run, named, key, decl, holder, held)
    if isinstance(named, Class) and named.kind != "enum":
        if isinstance(held, Object) and held.declared is not None:
            fill(java, run, held, key)
            return held
        made = _bound_object(java, run, named, key, place)
        return made if whole or _is_made_anyway(run, decl) else pick(_presence(run, key, place), made, None)
    simple = (ref.name if ref is not None else "String").rpartition(".")[2]
    if simple in _COLLECTIONS:
        return _bound_many(java, run, key, decl, holder, held)
    default: Text | None = None
    if held is not UNSET:
        if isinstance(held, Text):
            default = held
        elif isinstance(held, Object) and held.constant:
            default = text(held.constant)
        elif isinstance(held, bool | int):
            default = java.shown(run, held)
    elif ref is not None and ref.name in ZERO:
        default = java.shown(run, ZERO[ref.name])
    kind = made_into(run, ref, holder)
    step = Step(place, f"{holder.simple}.{decl.name}")
    found = Text((Key(text(key), default, "property", kind),), (step,))
    return constants(java, run, ref, holder, found, there)


def _is_made_anyway(run: Interpreter, decl: ir.FieldDecl) -> bool:
    """Whether there is an object for a property below which nothing is configured, or nobody knows whether there is."""
    settings = settings_of(run)
    known = settings is not None and settings.is_application
    return not known or annotated(decl.annotations, ("DefaultValue",)) is not None


def constants(
    java: Java,
    run: Interpreter,
    ref: ir.TypeRef | None,
    near: Class,
    value: Guarded,
    there: Guarded = True,
) -> Guarded:
    """A text of configuration as the constant of an enumeration that it names, where a type says so and environments know
    the text; itself elsewhere. `there`: the guard under which a list has it."""
    named = run.scope.named(ref.name, near) if ref is not None else ""
    if not isinstance(value, Text):
        return value
    if (
        isinstance(named, str)
        and made_of(value) not in NUMBERS
        and run.scope.lacks_own(named)
        and is_known(run, value)
    ):
        run.needed.add(named)  # it may be an enumeration
    if not isinstance(named, Class) or named.kind != "enum":
        return value
    place = value.steps[0].at if value.steps else None
    texts = value if value.known is not None else told(run, value, place, where_there=there is not True)
    if texts is None:
        return value
    java.prepare(run, named)
    by_name = {lenient(name): name for name in named.constants}

    def one(leaf: Any) -> Any:
        name = leaf.known if isinstance(leaf, Text) else None
        found = name if name in named.constants else by_name.get(lenient(name or ""))
        return leaf if found is None else java.constant(run, named, found)

    return apply(one, texts)


_MADE_INTO = {
    **dict.fromkeys(("int", "Integer", "Int", "short", "Short", "byte", "Byte"), INT),
    **dict.fromkeys(("long", "Long"), LONG),
    **dict.fromkeys(("double", "Double", "float", "Float", "BigDecimal", "BigInteger"), "number"),
}
"""Numbers of Java and Kotlin, as `Key.kind`."""


def made_into(run: Interpreter, ref: ir.TypeRef | None, near: Class) -> str:
    """What a text of configuration is made into for a type, as `Key.kind`."""
    named = run.scope.named(ref.name, near) if ref is not None else ""
    return made_into_type(named if isinstance(named, Class) else None, ref.name if ref is not None else "")


def made_into_type(declared: Class | None, name: str) -> str:
    """The same for a type with its source, where that is here, and its name."""
    if declared is not None:
        return CONSTANT if declared.kind == "enum" else ""
    return _MADE_INTO.get(name.rpartition(".")[2], "")


def _converted(
    java: Java, run: Interpreter, named: Class, key: str, decl: ir.FieldDecl, holder: Class, held: Guarded
) -> Guarded:
    """A value of a library's class, which a text of configuration is made into: a `Duration`; of others nobody follows how."""
    step = Step(holder.at(decl.at), f"{holder.simple}.{decl.name}")
    configured = Text((Key(text(key), None, "property"),), (step,))
    there = present(run, configured, step.at)
    unknown = Unknown(Why.DYNAMIC, key, ("setting", key), TypeValue(named, named.name), (step,))
    by_unit = annotated(decl.annotations, ("DurationUnit",)) is not None
    texts = told(run, configured, step.at, where_there=True) if named.name == durations.NAME else None
    made = unknown if texts is None or by_unit else durations.parsed(java, run, texts, unknown)
    return pick(there, made, None if held is UNSET else held)


def mapped(java: Java, run: Interpreter, declared: Class, prefix: str) -> Object:
    """SmallRye's implementation of an interface: what configuration below a prefix makes of the type of each method."""
    made = run.make(declared, declared.name, declared.at(declared.decl.name_at), bean=True)
    made.fields[MAPPED] = True
    for methods in declared.methods.values():
        for method in methods:
            ref = method.decl.returns
            if method.arity or not method.abstract or ref is None:
                continue
            name = _literal(method, "WithName", run) or kebab(method.name)
            key = f"{prefix}.{name}" if prefix else name
            default = annotated(method.decl.annotations, ("WithDefault",))
            written = next((one.value for one in default.args), None) if default is not None else None
            made.fields[method.name] = _of_mapping(java, run, key, ref, written, method)
    return made


def _of_mapping(
    java: Java, run: Interpreter, key: str, ref: ir.TypeRef, written: ir.Expr | None, method: Method
) -> Guarded:
    owner = method.owner
    named = run.scope.named(ref.name, owner)
    if isinstance(named, Class) and named.kind == "interface":
        return mapped(java, run, named, key)
    inner = ref.args[0] if ref.name.rpartition(".")[2] == "Optional" and ref.args else None
    decl = ir.FieldDecl(name=method.name, type=inner or ref, value=written, at=method.decl.name_at)
    found = bound(java, run, key, decl, owner)
    if inner is None:
        return found
    return modelled.optional_text(java, run, found, run.frame(owner, None), owner.at(decl.at))


def _literal(method: Method, name: str, run: Interpreter) -> str | None:
    """The text of a method's annotation, None where it has none that is known."""
    use = annotated(method.decl.annotations, (name,))
    found = run.value(use.args[0].value, run.frame(method.owner, None)) if use and use.args else None
    return found.known if isinstance(found, Text) else None


def _bound_object(java: Java, run: Interpreter, named: Class, key: str, place: Location) -> Object:
    """An object that configuration below a key fills, by its setters, its constructor or a record's components."""
    made = run.make(named, named.name, place, bean=True)
    made.fields["<prefix>"] = key
    constructors = named.methods.get("<init>", [])
    if named.kind == "record":
        fill_record(java, run, made, key, run.frame(named, made), place)
    elif len(constructors) == 1 and constructors[0].decl.params:
        given = [bound_parameter(java, run, key, one, named) for one in constructors[0].decl.params]
        making = Making(run, made, named, Arguments(given), run.frame(named, made), place)
        java._construct(making, constructors[0])
    else:
        java._run_fields(run, made, named)
        _call_setters(java, run, made, key)
    return made


def _bound_many(
    java: Java, run: Interpreter, key: str, decl: ir.FieldDecl, holder: Class, held: Guarded
) -> Guarded:
    """A list or map of configuration: the elements that any environment has, each where it has it. They come in the place
    of those of a list that was `held`, and beside those of a map (ListBinder, MapBinder, Spring Boot 2.0 to 3.4)."""
    ref = decl.type
    assert ref is not None
    place = holder.at(decl.at)
    simple = ref.name.rpartition(".")[2]
    element = ref.args[-1] if ref.args else ir.TypeRef(name="String")
    made = run.make(None, "Map" if simple == "Map" else "List", place)

    def one(below: str, there: Guarded) -> Guarded:
        inside = ir.FieldDecl(name=decl.name, type=element, value=None, at=decl.at)
        return bound(java, run, below, inside, holder, there=there, whole=True)

    if simple == "Map":
        kind = ref.args[0] if ref.args else None
        found = [
            (guard, constants(java, run, kind, holder, text(name)), one(f"{key}.{name}", guard))
            for guard, name in entries(run, key, place) or ()
        ]
        if found and isinstance(held, Object) and held.entries is not None:
            return _put_into(java, run, held, found, holder)
        made.entries = [Entry(*each) for each in found]
        guards = [guard for guard, _, _ in found]
    else:
        guards = elements(run, key, place) or []
        made.items = [(guard, one(f"{key}[{index}]", guard)) for index, guard in enumerate(guards)]
    before = None if held is UNSET else held
    if not guards:
        if _is_nowhere(run, key):
            return before
        made.open = Unknown(Why.DYNAMIC, key, ("setting", key))
    elif before is None or (isinstance(before, Object) and before.items):
        return pick(reduce(either, guards), made, before)
    return made


def _put_into(
    java: Java, run: Interpreter, held: Object, found: list[tuple[Guarded, Guarded, Guarded]], holder: Class
) -> Object:
    before, frame = run.guard, run.frame(holder, None)
    for guard, name, value in found:
        run.guard = both(before, guard)
        java.call_method(run, held, "put", Arguments([name, value]), frame, holder.decl.name_at)
    run.guard = before
    return held


def _is_nowhere(run: Interpreter, key: str) -> bool:
    """Whether no environment of an application has an element below a key."""
    settings = settings_of(run)
    if settings is None or not settings.is_application:
        return False
    return not any(settings.counts(key)) and not any(settings.names(key))


def binder(java: Java, run: Interpreter, arguments: Arguments, frame: Frame, place: Location) -> Guarded:
    """`binder.bind(key, Bindable.listOf(T.class))`: what configuration below a key makes of a type."""
    key, wanted = (*arguments.values, None, None)[:2]
    known = key.known if isinstance(key, Text) else None
    ref: ir.TypeRef | None = None
    if isinstance(wanted, TypeValue):
        ref = ir.TypeRef(wanted.declared.name if wanted.declared is not None else wanted.name)
    elif isinstance(wanted, Object) and isinstance(wanted.fields.get("<bindable>"), ir.TypeRef):
        ref = wanted.fields["<bindable>"]
    if known is None or ref is None or frame.owner is None:
        return UNSET
    at = frame.owner.decl.name_at
    value = bound(java, run, known, ir.FieldDecl("", ref, None, at), frame.owner, whole=True)
    return modelled.optional(java, run, value, frame, place)


def bindable(run: Interpreter, name: str, arguments: Arguments, place: Location) -> Guarded:
    """`Bindable.of(T.class)`, `listOf`, `setOf`, `mapOf`."""
    kinds = [each for each in arguments.values if isinstance(each, TypeValue)]
    if not kinds or len(kinds) != len(arguments.values):
        return UNSET
    run.needed |= {one.name for one in kinds if one.declared is None}
    refs = tuple(ir.TypeRef(one.declared.name if one.declared is not None else one.name) for one in kinds)
    outer = {"listOf": "List", "setOf": "Set", "mapOf": "Map"}.get(name)
    made = run.make(None, "Bindable", place)
    made.fields["<bindable>"] = refs[0] if outer is None else ir.TypeRef(outer, refs)
    return made


def through_setter(
    java: Java,
    run: Interpreter,
    made: Object,
    decl: ir.FieldDecl,
    holder: Class,
    key: str,
    held: Guarded = UNSET,
) -> Guarded:
    """A bound value as its setter stores it; where nothing is configured, the setter is not called, and what the field
    `held` stays."""
    name = f"set{decl.name[:1].upper()}{decl.name[1:]}"
    found = bound(java, run, key, decl, holder, held)
    for method in holder.methods.get(name, ()):
        if method.arity != 1 or _only_stores(method) or not isinstance(found, Text):
            continue
        plain = Text((Key(text(key), None, "property", made_into(run, decl.type, holder)),), found.steps)
        if held is UNSET:
            held = run.value(decl.value, run.frame(holder, made)) if decl.value is not None else None
        made.fields[decl.name] = held
        there = run.guard_of(Test("present", (plain,)), run.frame(holder, made), decl.at)
        _hand(run, made, method, constants(java, run, decl.type, holder, plain), there)
        return made.fields.get(decl.name)
    return found


def _only_stores(method: Method) -> bool:
    body = [each for each in method.decl.body or () if not isinstance(each, ir.Return)]
    return (
        len(body) == 1
        and isinstance(body[0], ir.Do)
        and isinstance(body[0].value, ir.Assign)
        and isinstance(body[0].value.value, ir.Name)
    )


def fill_record(java: Java, run: Interpreter, made: Object, key: str, frame: Frame, place: Location) -> None:
    """A record, by the constructor of its components."""
    declared = made.declared
    assert declared is not None
    given = [bound_parameter(java, run, key, one, declared) for one in declared.decl.components or ()]
    java._components(Making(run, made, declared, Arguments(given), frame, place), None)


def bound_parameter(java: Java, run: Interpreter, prefix: str, param: ir.Param, owner: Class) -> Guarded:
    """A parameter of the constructor that Spring Boot binds a properties class by."""
    default = annotated(param.annotations, ("DefaultValue",))
    value = next((one.value for one in default.args if one.name in ("value", "")), None) if default else None
    decl = ir.FieldDecl(
        name=param.name, type=param.type, value=value, at=param.at, annotations=param.annotations
    )
    return bound(java, run, f"{prefix}.{kebab(param.name)}", decl, owner)


def split_up(run: Interpreter, found: Text, separator: str | None, written: str | None, step: Step) -> Object:
    """The list that a text of configuration stands for; unknown elements where nobody knows how it is taken apart."""
    made = run.make(None, "List", step.at)
    made.items = []
    if separator is not None and (not separator or is_plain_pattern(separator)):
        made.items = [*(parts(run, found, separator, step.at) or ())]
    if not made.items:
        reason = phrase("list-of-configuration")
        made.open = Unknown(Why.DYNAMIC, reason, ("setting", written), None, (step,))
    return made


def of_text(java: Java, run: Interpreter, value: Text, ref: ir.TypeRef, near: Class) -> Guarded:
    """A text that a container hands to a place of another type, made into that. Mirrors TypeConverterDelegate, Spring 5.3."""
    simple = ref.name.rpartition(".")[2]
    known = value.known
    if simple == "[]" and ref.args and ref.args[0].name in ("byte", "char"):
        return value  # what a text stands for here
    if simple in ("List", "Collection", "Set", "[]"):
        made = split_up(
            run, value, "", known, value.steps[0] if value.steps else Step(near.at(near.decl.name_at), "")
        )
        element = ref.args[-1] if ref.args else None
        made.items = [
            (guard, run.typed(one, element, run.frame(near, None))) for guard, one in made.items or ()
        ]
        return made
    if simple == "Class" and known is not None:
        meant = run.scope.named(known.strip(), near)
        return TypeValue(meant if isinstance(meant, Class) else None, getattr(meant, "name", known.strip()))
    if known is not None and simple in ("boolean", "Boolean"):
        return {"true": True, "false": False}.get(known.strip().lower(), value)
    kind = made_into(run, ref, near)
    if known is not None and kind in (INT, LONG):
        return int(known) if known.strip().lstrip("-").isdecimal() else value
    return constants(java, run, ref, near, value if made_of(value) else as_kind(value, kind))

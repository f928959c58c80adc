"""What a container puts into objects: `@Value`, injected beans, properties bound to a class."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from subdrift.linter.clients.apis import Action
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.deferred import elements, entries, parts, settings_of
from subdrift.linter.resolve.execute.guards import UNSET, both
from subdrift.linter.resolve.execute.havoc import lose_written
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    Entry,
    Frame,
    Guarded,
    Key,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.jvm import modelled
from subdrift.linter.resolve.semantics.jvm.candidates import (
    CANDIDATES_MAX,
    Maker,
    conditional,
    one_of,
    presence,
)
from subdrift.linter.resolve.semantics.jvm.records import MAPPED
from subdrift.linter.resolve.semantics.jvm.spel import evaluated, taken_apart
from subdrift.linter.resolve.semantics.jvm.texts import is_plain_pattern
from subdrift.linter.resolve.spring.test_properties import keep_away

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

_INJECT = (
    "Autowired",
    "Resource",
    "Inject",
    "Reference",
    "DubboReference",
    "Qualifier",
    "NacosInjected",
    "ApolloConfig",
)
_VALUE = ("Value", "NacosValue", "ApolloJsonValue", "ConfigProperty", "Property")
_NAMED = ("ConfigProperty", "Property")
"""Annotations of MicroProfile and Micronaut that name a key, with its default beside it."""
_CALLED_BY_CONTAINER = ("Bean", "Autowired", "Inject", "Resource", "PostConstruct", "Produces")
COMPONENTS = (
    "Component", "Service", "Configuration", "Controller", "RestController", "Repository", "SpringBootApplication",
    "ConfigurationProperties", "AutoConfiguration", "RocketMQMessageListener", "TestConfiguration", "Named", "Singleton",
    "SpringBootTest", "ApplicationScoped",
)  # fmt: skip
_TEXTUAL = frozenset(
    {"String", "int", "Integer", "long", "Long", "boolean", "Boolean", "CharSequence", "Object"}
)
CONTAINERS = ("ApplicationContext", "BeanFactory")
"""How the names of the types end that are asked for beans."""

_TOLD = ("setApplicationContext", "setBeanFactory")
_COLLECTIONS = ("List", "Collection", "Set", "Map", "ObjectProvider", "Iterable")


def annotated(annotations: tuple[ir.Annotation, ...], names: tuple[str, ...]) -> ir.Annotation | None:
    return next((one for one in annotations if one.name.rpartition(".")[2] in names), None)


def value_of(
    java: Java,
    run: Interpreter,
    annotation: ir.Annotation,
    owner: Class,
    ref: ir.TypeRef | None,
    own: str = "",
) -> Guarded:
    """What `@Value("…")` gives: a text with placeholders, resolved in each environment. `own` is the name of the field or
    parameter, by which MicroProfile finds a key that is not named."""
    written = next((one.value for one in annotation.args if one.name in ("value", "", "name")), None)
    place = owner.at(annotation.at)
    raw = run.value(written, run.frame(owner, None)) if written is not None else None
    simple = annotation.name.rpartition(".")[2]
    if raw is None and own and simple == "ConfigProperty":
        raw = text(f"{owner.name}.{own}")
    if not isinstance(raw, Text):
        why = raw.why if isinstance(raw, Unknown) else Why.DYNAMIC
        return Unknown(why, "@Value", steps=(Step(place, "@Value"),))
    key = Key(raw, None, "value")
    if simple in _NAMED:
        given = next((one.value for one in annotation.args if one.name == "defaultValue"), None)
        default = run.value(given, run.frame(owner, None)) if given is not None else None
        key = Key(raw, default if isinstance(default, Text) else None, "property")
    shown = f'@{annotation.name}("{raw.known or "…"}")'
    step = Step(place, shown)
    if simple == "ApolloJsonValue":  # the text is JSON, not the value
        return Unknown(Why.EXTERNAL_CONFIG, shown, steps=(step,))
    found = Text((key,), (step,))
    name = ref.name.rpartition(".")[2] if ref is not None else "String"
    if name == "Optional" and simple in _NAMED:
        return modelled.optional_text(java, run, found, run.frame(owner, None), place)
    separator: str | None = ""
    if raw.known is not None and "#{" in raw.known:
        made_by_spel = evaluated(run, raw.known, owner, step, partial(_called, java, run, owner))
        if made_by_spel is not None and (
            name not in (*_COLLECTIONS, "[]") or isinstance(made_by_spel, Object)
        ):
            return made_by_spel
        parted = taken_apart(raw.known, step)
        if parted is not None:
            found, separator = parted
    if name in ("List", "Set", "[]", "Collection", "Map"):
        made = run.make(None, "List", place)
        if name != "Map" and separator is not None and (not separator or is_plain_pattern(separator)):
            made.items = list(parts(run, found, separator, place) or [])
        else:
            made.items = []
        if not made.items:
            made.open = Unknown(
                Why.DYNAMIC, phrase("list-of-configuration"), ("setting", raw.known), None, (step,)
            )
        return made
    return found


def _called(java: Java, run: Interpreter, near: Class, name: str) -> Guarded:
    """The component of a name, as an expression asks for it."""
    declared = run.scope.named(f"{name[:1].upper()}{name[1:]}", near)
    if isinstance(declared, Class) and is_component(declared) and bean_name(declared) == name:
        return instance(java, run, declared)
    needs = frozenset() if isinstance(declared, Class) else frozenset({declared})
    return Unknown(Why.DYNAMIC, phrase("injected", name), ("injected", name), needs=needs)


def field_value(java: Java, run: Interpreter, made: Object, holder: Class, decl: ir.FieldDecl) -> Guarded:
    """What a container puts into a field; UNSET where none does."""
    value = annotated(decl.annotations, _VALUE)
    if value is not None:
        return value_of(java, run, value, holder, decl.type, decl.name)
    prefix = made.fields.get("<prefix>")
    if isinstance(prefix, str):
        return _through_setter(java, run, made, decl, holder, f"{prefix}.{kebab(decl.name)}")
    if annotated(decl.annotations, _INJECT) is not None:
        return injected(java, run, decl.type, decl.annotations, decl.name, holder)
    if made.bean:
        if _holds_container(holder, decl):
            return injected(java, run, decl.type, (), decl.name, holder)
        if decl.final and decl.value is None and _lombok_constructed(holder):
            return injected(java, run, decl.type, decl.annotations, decl.name, holder)
        if made.open is not None or run.scope.has_method(
            holder, f"set{decl.name[:1].upper()}{decl.name[1:]}"
        ):
            setter = _injected_setter(run, holder, decl)
            if setter is not None:
                return injected(java, run, decl.type, decl.annotations, decl.name, holder)
        if made.open is not None:
            return _field_unknown(run, made, holder, decl)
        if _may_be_injected(run, holder, decl):
            symbol = ("field", ("object", made.number), decl.name)
            found = Unknown(Why.DYNAMIC, phrase("injected", decl.name), symbol)
            return (
                run.with_type(found, decl.type, run.frame(holder, None)) if decl.type is not None else found
            )
    return UNSET


_NEVER_INJECT = (
    "lombok.", "java.lang.", "javax.validation.", "jakarta.validation.", "javax.persistence.", "jakarta.persistence.",
    "com.fasterxml.", "org.jetbrains.", "io.swagger.", "org.springframework.lang.", "org.hibernate.", "javax.annotation.N",
    "jakarta.annotation.N", "com.google.gson.", "org.springframework.format.", "org.checkerframework.",
)  # fmt: skip
"""Annotations of fields that put nothing there, by the beginning of their full names."""

_JAVA_LANG = frozenset({"Deprecated", "SuppressWarnings", "SafeVarargs", "Override"})


def _may_be_injected(run: Interpreter, holder: Class, decl: ir.FieldDecl) -> bool:
    """Whether a framework may fill a bean's field on account of an annotation that nobody knows here."""
    if decl.final or decl.static or decl.value is not None:
        return False
    for one in decl.annotations:
        named = run.scope.named(one.name, holder)
        full = named.name if isinstance(named, Class) else named
        if not full.startswith(_NEVER_INJECT) and full not in _JAVA_LANG:
            return True
    return False


def _field_unknown(run: Interpreter, made: Object, holder: Class, decl: ir.FieldDecl) -> Unknown:
    assert made.open is not None
    symbol = ("field", ("object", made.number), decl.name)
    found = Unknown(made.open.why, f"{holder.simple}.{decl.name}", symbol)
    return run.with_type(found, decl.type, run.frame(holder, None)) if decl.type is not None else found


def _injected_setter(run: Interpreter, holder: Class, decl: ir.FieldDecl) -> Method | None:
    name = f"set{decl.name[:1].upper()}{decl.name[1:]}"
    for method in holder.methods.get(name, ()):
        if method.annotation(*_INJECT, *_VALUE) is not None:
            return method
    return None


def _lombok_constructed(holder: Class) -> bool:
    return holder.annotation("RequiredArgsConstructor", "AllArgsConstructor", "Data") is not None


def static_value(java: Java, run: Interpreter, holder: Class, decl: ir.FieldDecl) -> Guarded:
    """A static field without an initialiser that other code fills: a setter of a bean from `@Value`, or a method the
    container calls when the bean is made. Not known where some other method does; UNSET where none does."""
    if _holds_container(holder, decl):
        return injected(java, run, decl.type, (), decl.name, holder)
    written = False
    for methods in holder.methods.values():
        for method in methods:
            value = method.annotation(*_VALUE)
            if value is None and method.decl.params:
                value = annotated(method.decl.params[0].annotations, _VALUE)
            if value is not None and method.arity == 1 and method.assigns(decl.name):
                return value_of(java, run, value, holder, decl.type)
            if decl.final or decl.type is None or decl.type.name != "String" or not method.assigns(decl.name):
                continue
            if (
                method.annotation("PostConstruct") is not None
                and is_component(holder)
                and _is_cold(run, method)
            ):
                return _made_up(java, run, holder, method, decl)
            written = written or method not in run.ran
    if written:
        shown = f"{holder.simple}.{decl.name}"
        return Unknown(Why.DYNAMIC, shown, ("static", holder.name, decl.name))
    return UNSET


def _holds_container(holder: Class, decl: ir.FieldDecl) -> bool:
    """Whether a field is where a class that is told of its container keeps it."""
    if decl.value is not None or decl.type is None or not decl.type.name.endswith(CONTAINERS):
        return False
    told = (each for name in _TOLD for each in holder.methods.get(name, ()))
    return any(method.arity == 1 and method.assigns(decl.name) for method in told)


def _is_cold(run: Interpreter, method: Method) -> bool:
    """Whether a method makes no consumer, so that it may run aside."""
    return run.hot is not None and method not in run.hot


def _made_up(java: Java, run: Interpreter, holder: Class, method: Method, decl: ir.FieldDecl) -> Guarded:
    """What a static field holds when the container has made the bean: beans come before those they are injected in."""
    made = instance(java, run, holder)
    before, raised = run.guard, run.raised
    run.guard, run.raised = True, []
    run.invoke(method, made, Arguments([]), None, None)
    run.guard, run.raised = before, raised
    return run.statics.get((holder, decl.name), UNSET)


def keeps(made: Object, declared: Class, decl: ir.FieldDecl) -> bool:
    """Whether a container's value stands over the written initialiser."""
    if made.bean and annotated(decl.annotations, _INJECT) is not None:
        return True
    return annotated(decl.annotations, _VALUE) is not None or isinstance(made.fields.get("<prefix>"), str)


def bound(java: Java, run: Interpreter, key: str, decl: ir.FieldDecl, holder: Class) -> Guarded:
    """A field of a properties class: the configuration below its name, with the initialiser as default."""
    ref = decl.type
    named = run.scope.named(ref.name, holder) if ref is not None else "String"
    place = holder.at(decl.at)
    if isinstance(named, Class) and named.kind != "enum":
        return _bound_object(java, run, named, key, place)
    simple = (ref.name if ref is not None else "String").rpartition(".")[2]
    if simple in ("List", "Set", "Map", "[]", "Collection"):
        return _bound_many(java, run, key, decl, holder)
    default: Text | None = None
    if decl.value is not None:
        value = run.value(decl.value, run.frame(holder, None))
        if isinstance(value, Text):
            default = value
        elif isinstance(value, bool | int):
            default = java.shown(run, value)
    return Text((Key(text(key), default, "property"),), (Step(place, f"{holder.simple}.{decl.name}"),))


def _mapped(java: Java, run: Interpreter, declared: Class, prefix: str) -> Object:
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
        return _mapped(java, run, named, key)
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
        for component in named.decl.components or ():
            made.fields[component.name] = _bound_parameter(java, run, key, component, named)
    elif len(constructors) == 1 and constructors[0].decl.params:
        given = [_bound_parameter(java, run, key, one, named) for one in constructors[0].decl.params]
        java._construct(run, made, named, constructors[0], Arguments(given), run.frame(named, made), place)
    else:
        java._run_fields(run, made, named)
    return made


def _bound_many(java: Java, run: Interpreter, key: str, decl: ir.FieldDecl, holder: Class) -> Guarded:
    """A list or map of configuration: the elements that any environment has, each where it has it."""
    ref = decl.type
    assert ref is not None
    place = holder.at(decl.at)
    simple = ref.name.rpartition(".")[2]
    element = ref.args[-1] if ref.args else ir.TypeRef(name="String")
    made = run.make(None, "Map" if simple == "Map" else "List", place)

    def one(below: str) -> Guarded:
        return bound(
            java, run, below, ir.FieldDecl(name=decl.name, type=element, value=None, at=decl.at), holder
        )

    if simple == "Map":
        named = entries(run, key, place)
        made.entries = [Entry(guard, text(name), one(f"{key}.{name}")) for guard, name in named or ()]
        is_known = named is not None
    else:
        there = elements(run, key, place)
        made.items = [(guard, one(f"{key}[{index}]")) for index, guard in enumerate(there or ())]
        is_known = there is not None
    if not is_known:
        if decl.value is not None and _is_nowhere(run, key):
            return run.value(decl.value, run.frame(holder, None))
        made.open = Unknown(Why.DYNAMIC, key, ("setting", key))
    return made


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
    value = bound(java, run, known, ir.FieldDecl("", ref, None, at), frame.owner)
    return modelled.optional(java, run, value, frame, place)


def bindable(run: Interpreter, name: str, arguments: Arguments, place: Location) -> Guarded:
    """`Bindable.of(T.class)`, `listOf`, `setOf`, `mapOf`."""
    kinds = [each for each in arguments.values if isinstance(each, TypeValue)]
    if not kinds or len(kinds) != len(arguments.values):
        return UNSET
    refs = tuple(ir.TypeRef(one.declared.name if one.declared is not None else one.name) for one in kinds)
    outer = {"listOf": "List", "setOf": "Set", "mapOf": "Map"}.get(name)
    made = run.make(None, "Bindable", place)
    made.fields["<bindable>"] = refs[0] if outer is None else ir.TypeRef(outer, refs)
    return made


def _through_setter(
    java: Java, run: Interpreter, made: Object, decl: ir.FieldDecl, holder: Class, key: str
) -> Guarded:
    """A bound value as its setter stores it; where nothing is configured, the setter is not called."""
    name = f"set{decl.name[:1].upper()}{decl.name[1:]}"
    found = bound(java, run, key, decl, holder)
    for method in holder.methods.get(name, ()):
        if method.arity != 1 or _only_stores(method) or not isinstance(found, Text):
            continue
        plain = Text((Key(text(key), None, "property"),), found.steps)
        initial = run.value(decl.value, run.frame(holder, made)) if decl.value is not None else None
        made.fields[decl.name] = initial
        before = run.guard
        frame = run.frame(holder, made)
        there = run.guard_of(Test("present", (plain,)), frame, decl.at)
        run.guard = both(before, there)
        run.invoke(method, made, Arguments([plain]), None, None)
        run.guard = before
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


def _started(java: Java, run: Interpreter, name: str, frame: Frame, at: ir.At, leaf: Any) -> Guarded:
    return java.call_method(run, leaf, name, Arguments([]), frame, at)


def _bind(java: Java, run: Interpreter, made: Object, prefix: str) -> None:
    """Binds configuration to an object that a method has made and filled already."""
    made.fields["<prefix>"] = prefix
    made.bean = True
    if made.declared is None:
        return
    for each in run.scope.supers(made.declared):
        for decl in each.decl.fields:
            if not decl.static and not decl.final and not isinstance(decl.value, ir.New):
                made.fields[decl.name] = field_value(java, run, made, each, decl)


def _bound_parameter(java: Java, run: Interpreter, prefix: str, param: ir.Param, owner: Class) -> Guarded:
    """A parameter of the constructor that Spring Boot binds a properties class by."""
    default = annotated(param.annotations, ("DefaultValue",))
    value = next((one.value for one in default.args if one.name in ("value", "")), None) if default else None
    decl = ir.FieldDecl(name=param.name, type=param.type, value=value, at=param.at)
    return bound(java, run, f"{prefix}.{kebab(param.name)}", decl, owner)


def kebab(name: str) -> str:
    """A field's name as configuration spells it."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: f"-{match[1].lower()}", name)


def injected(
    java: Java,
    run: Interpreter,
    ref: ir.TypeRef | None,
    annotations: tuple[ir.Annotation, ...],
    name: str,
    near: Class,
) -> Guarded:
    """An object a container hands out, by its type (and name, where several fit)."""
    if ref is None:
        return Unknown(Why.DYNAMIC, phrase("injected", name), ("injected", name))
    simple = ref.name.rpartition(".")[2]
    if simple in _COLLECTIONS and ref.args:
        return _all_beans(java, run, ref, near)
    if simple == "Optional" and ref.args:
        held = injected(java, run, ref.args[0], annotations, name, near)
        before, run.guard = run.guard, True
        made = modelled.optional(java, run, held, None, near.at(near.decl.name_at))
        run.guard = before
        return made
    named = run.scope.named(ref.name, near)
    mapping = named.annotation("ConfigMapping") if isinstance(named, Class) else None
    if isinstance(named, Class) and mapping is not None:
        prefix = _prefix(run, mapping, named)
        if isinstance(prefix, str):
            return _mapped(java, run, named, prefix)
    if isinstance(named, Class):
        return bean(java, run, named, qualifier(annotations) or name)
    found = _factory_bean(java, run, named, qualifier(annotations) or name)
    if found is UNSET:
        found = java.injected(run, named, qualifier(annotations) or name, near)
    if found is not UNSET:
        return found
    said = qualifier(annotations)
    shown = f'{simple} "{said}"' if said else simple
    return Unknown(
        Why.DYNAMIC, phrase("injected", shown), ("injected", named, said), TypeValue(None, named, ref.args)
    )


def qualifier(annotations: tuple[ir.Annotation, ...]) -> str:
    for one in annotations:
        if one.name.rpartition(".")[2] in ("Qualifier", "Resource", "Named", "Inject"):
            for argument in one.args:
                if argument.name in ("value", "name", "") and isinstance(argument.value, ir.Const):
                    return str(argument.value.value)
    return ""


def _all_beans(java: Java, run: Interpreter, ref: ir.TypeRef, near: Class) -> Guarded:
    """`List<T>`, `Map<String, T>`: every bean of the type."""
    element = ref.args[-1]
    named = run.scope.named(element.name, near)
    if not isinstance(named, Class):
        return Unknown(
            Why.DYNAMIC,
            phrase("injected", element.name),
            ("injected", "all", named),
            TypeValue(None, ref.name, ref.args),
        )
    return _gathered(java, run, _all_makers(run, named), ref.name.endswith("Map"))


def _all_makers(run: Interpreter, named: Class) -> list[Maker]:
    components = [each for each in run.scope.implementations(named) if is_component(each)]
    return [*components, *_makers(run, named)]


_LAST = 2**31 - 1


def _order_of(maker: Maker) -> int:
    """The place that `@Order` gives a bean in a list; without one it is among the last."""
    annotation = maker.annotation("Order")
    for one in annotation.args if annotation is not None else ():
        value = one.value.operand if isinstance(one.value, ir.Unary) else one.value
        if isinstance(value, ir.Const) and isinstance(value.value, int):
            return value.value if value is one.value else -value.value
    return _LAST


def _gathered(java: Java, run: Interpreter, makers: list[Maker], by_name: bool) -> Guarded:
    makers = makers if by_name else sorted(makers, key=_order_of)
    beans = [
        made_by(java, run, each) if isinstance(each, Method) else instance(java, run, each) for each in makers
    ]
    guarded = list(zip(presence(run, makers), makers, beans, strict=True))
    made = run.make(None, "Map" if by_name else "List", None)
    if by_name:
        made.entries = [Entry(guard, text(_name_of(maker)), one) for guard, maker, one in guarded]
    else:
        made.items = [(guard, one) for guard, _, one in guarded]
    return made


def looked_up(java: Java, run: Interpreter, name: str, arguments: Arguments) -> Guarded:
    """What code asks the container for by class; UNSET where that is not known. The beans of a container that a program
    starts are made by the container's own run."""
    wanted = [each for each in arguments.values if isinstance(each, TypeValue)]
    if name not in ("getBean", "getBeansOfType") or len(wanted) != 1 or run.heap.get("program"):
        return UNSET
    declared, full = wanted[0].declared, wanted[0].name
    if name == "getBeansOfType":
        makers: list[Maker] = [*_makers(run, full)] if declared is None else _all_makers(run, declared)
        if makers or (declared is not None and _is_application(run)):
            if not makers:
                run.heap.setdefault("absent beans", set()).add(declared)
            return _gathered(java, run, makers, by_name=True)
    else:
        said = next((each.known for each in arguments.values if isinstance(each, Text)), None) or ""
        found = _factory_bean(java, run, full, said) if declared is None else bean(java, run, declared, said)
        if found is not UNSET:
            return found
    if declared is not None or not run.scope.is_absent(full):
        return UNSET
    symbol = ("injected", name, full)
    return Unknown(Why.DYNAMIC, phrase("injected", wanted[0].simple), symbol, needs=frozenset({full}))


def _is_application(run: Interpreter) -> bool:
    settings = settings_of(run)
    return settings is not None and settings.is_application


def _name_of(maker: Maker) -> str:
    return factory_name(maker) if isinstance(maker, Method) else bean_name(maker)


def bean_name(declared: Class) -> str:
    """The name a component has in its container."""
    for annotation in declared.decl.annotations:
        if annotation.name.rpartition(".")[2] in COMPONENTS:
            for argument in annotation.args:
                if argument.name in ("value", "") and isinstance(argument.value, ir.Const):
                    return str(argument.value.value)
    simple = declared.simple
    return simple if simple[:2].isupper() else simple[:1].lower() + simple[1:]


def is_component(declared: Class) -> bool:
    """Whether a class's own annotations make it a component."""
    return declared.annotation(*COMPONENTS) is not None


def bean(java: Java, run: Interpreter, declared: Class, name: str) -> Guarded:
    """The one object of a type in a container; unknown where several could be meant."""
    made = _factory_bean(java, run, declared, name)
    if made is not UNSET:
        return made
    open_to_conditions = _by_conditions(java, run, declared, name)
    if open_to_conditions is not UNSET:
        return open_to_conditions
    candidates = [each for each in run.scope.implementations(declared, demand=False) if is_component(each)]
    if candidates and run.certain and not declared.file.machinery:
        run.needed.add(f"<{declared.simple}")
    if not candidates and declared.concrete:
        candidates = [declared]
    if len(candidates) > 1:
        named = [each for each in candidates if bean_name(each) == name or each.simple == name]
        primary = [each for each in candidates if each.annotation("Primary") is not None]
        candidates = named or primary or candidates
    if len(candidates) == 1:
        return instance(java, run, candidates[0])
    if run.heap.get("given") and _declared_makers(run, declared):
        # what the test names keeps away all that are in sight: it is another
        return Unknown(Why.DYNAMIC, phrase("injected", declared.simple), ("injected", declared.name, name))
    return Unknown(
        Why.DYNAMIC,
        phrase("injected", declared.simple),
        ("injected", declared.name, name),
        TypeValue(declared, declared.name),
        needs=frozenset() if declared.file.machinery else _needs_of(run, declared),
    )


def _needs_of(run: Interpreter, declared: Class) -> frozenset[str]:
    unread: frozenset[str] = run.heap.get("configured by", frozenset())
    return unread | {f"<{declared.simple}"}


def _by_conditions(java: Java, run: Interpreter, declared: Class, name: str) -> Guarded:
    """One of several beans of a type that conditions choose from; UNSET where they are not written."""
    makers: list[Maker] = [each for each in run.scope.implementations(declared) if is_component(each)]
    makers += _makers(run, declared)
    named = [each for each in makers if _name_of(each) == name]
    primary = [each for each in makers if _is_primary(each)]
    makers = named if len(named) == 1 else primary if len(primary) == 1 else makers
    if not 1 < len(makers) <= CANDIDATES_MAX or not any(conditional(each) for each in makers):
        return UNSET
    beans = [
        made_by(java, run, each) if isinstance(each, Method) else instance(java, run, each) for each in makers
    ]
    otherwise = Unknown(
        Why.DYNAMIC,
        phrase("injected", declared.simple),
        ("injected", declared.name, name),
        TypeValue(declared, declared.name),
    )
    return one_of(run, makers, beans, otherwise)


def _is_primary(maker: Maker) -> bool:
    return maker.annotation("Primary") is not None


def _factory_bean(java: Java, run: Interpreter, wanted: Class | str, name: str) -> Guarded:
    """What a `@Bean` method of the run returns for a type."""
    fitting = _makers(run, wanted)
    if len(fitting) > 1:
        fitting = [m for m in fitting if m.name == name or factory_name(m) == name] or fitting
    if len(fitting) != 1:
        return UNSET
    return made_by(java, run, fitting[0])


def _makers(run: Interpreter, wanted: Class | str) -> list[Method]:
    """The `@Bean` methods of the run that return a type."""
    given = run.heap.get("given")
    return [each for each in _declared_makers(run, wanted) if not given or not keep_away(each, given)]


def _declared_makers(run: Interpreter, wanted: Class | str) -> list[Method]:
    factories: list[Method] = run.heap.get("bean methods", [])
    fitting = []
    for method in factories:
        returns = method.decl.returns
        if returns is None:
            continue
        named = run.scope.named(returns.name, method.owner)
        if (
            named is wanted
            or named == wanted
            or (isinstance(named, Class) and isinstance(wanted, Class) and run.scope.is_a(named, wanted))
        ):
            fitting.append(method)
    return fitting


def factory_name(method: Method) -> str:
    annotation = method.annotation("Bean")
    for argument in annotation.args if annotation else ():
        if argument.name in ("name", "value") and isinstance(argument.value, ir.Const):
            return str(argument.value.value)
    return method.name


def made_by(java: Java, run: Interpreter, method: Method) -> Guarded:
    """The object of a `@Bean` method: the method runs once."""
    key = ("bean", method)
    if key in run.heap:
        return run.heap[key]
    run.heap[key] = Unknown(Why.CYCLE, method.name)
    before, raised = run.guard, run.raised
    run.guard, run.raised = True, []
    this = None if method.decl.static else instance(java, run, method.owner)
    arguments = Arguments([parameter(java, run, method, one) for one in method.decl.params])
    value = run.invoke(method, this, arguments, None, None)
    bind = method.annotation("ConfigurationProperties")
    if bind is not None and isinstance(value, Object):
        bound_to = _prefix(run, bind, method.owner)
        if isinstance(bound_to, str) and bound_to:
            _bind(java, run, value, bound_to)
            if value.declared is None:
                _bind_by_setters(run, value, bound_to, method)
    run.guard, run.raised = before, raised
    run.heap[key] = value
    bean_annotation = method.annotation("Bean")
    for argument in bean_annotation.args if bean_annotation else ():
        if argument.name == "initMethod" and isinstance(argument.value, ir.Const):
            started = str(argument.value.value)
            if started:
                frame = run.frame(method.owner, this)
                call = partial(_started, java, run, started, frame, getattr(argument, "at", method.decl.at))
                run.over(value, call)
    returns = method.decl.returns
    if returns is not None and returns.name.rpartition(".")[2] in _CALLED_AT_START:
        run.defer(value)
    return value


def _bind_by_setters(run: Interpreter, made: Object, prefix: str, method: Method) -> None:
    """Hands what configuration has below a key to the setters of a library's object, before the container starts it.

    Mirrors JavaBeanBinder and ConfigurationPropertiesBindingPostProcessor, Spring Boot 2.0 to 3.4.
    """
    at, before = method.decl.at, run.guard
    client = next((each for each in run.clients if each.object is made), None)
    if client is not None and any(event.action is Action.START for event in client.events):
        return
    for guard, name in entries(run, prefix, method.owner.at(at)) or ():
        setter = "set" + "".join(part[:1].upper() + part[1:] for part in name.split("-"))
        step = Step(method.owner.at(at), f"`{prefix}.{name}`")
        frame = run.frame(method.owner, None)
        frame.variables["@made"] = made
        frame.variables["@set"] = Text((Key(text(f"{prefix}.{name}"), None, "property"),), (step,))
        run.guard = both(before, guard)
        run.value(ir.Call(ir.Name("@made", at), setter, (ir.Argument(ir.Name("@set", at)),), at, at), frame)
    run.guard = before


_CALLED_AT_START = frozenset(
    {"CommandLineRunner", "ApplicationRunner", "SmartInitializingSingleton", "InitializingBean"}
)
"""Interfaces of beans with one method, which the container calls when all beans are made."""


def instance(java: Java, run: Interpreter, declared: Class) -> Object:
    """The one bean of a class: made once, its constructor handed what the container has."""
    key = ("bean", declared)
    found = run.heap.get(key)
    if isinstance(found, Object):
        return found
    made = run.make(declared, declared.name, declared.at(declared.decl.name_at), bean=True)
    run.heap[key] = made
    prefix = declared.annotation("ConfigurationProperties")
    stem = _prefix(run, prefix, declared) if prefix is not None else ""
    if isinstance(stem, Unknown):  # which keys fill it is not known, so nothing of it is
        made.open, prefix, stem = stem, None, ""
    if prefix is not None:
        made.fields["<prefix>"] = stem
    before, raised = run.guard, run.raised
    run.guard, run.raised = True, []
    java.prepare(run, declared)
    frame = run.frame(declared, made)
    at = declared.at(declared.decl.name_at)
    constructors = declared.methods.get("<init>", [])
    chosen = next((m for m in constructors if m.annotation(*_INJECT)), None)
    if chosen is None and constructors:
        chosen = (
            max(constructors, key=lambda m: m.arity)
            if len(constructors) == 1
            else min(constructors, key=lambda m: m.arity)
        )
    if chosen is not None and declared.kind != "record":
        if prefix is not None and chosen.decl.params and declared.annotation(*COMPONENTS[:6]) is None:
            given = [_bound_parameter(java, run, stem, one, declared) for one in chosen.decl.params]
        else:
            given = [parameter(java, run, chosen, one) for one in chosen.decl.params]
        arguments = Arguments(given)
        java._construct(run, made, declared, chosen, arguments, frame, at)
    elif declared.kind == "record" and prefix is not None:
        for component in declared.decl.components or ():
            made.fields[component.name] = _bound_parameter(java, run, stem, component, declared)
    elif declared.kind == "record":
        for component in declared.decl.components or ():  # nobody sees it being made
            unknown = Unknown(
                Why.DYNAMIC,
                f"{declared.simple}.{component.name}",
                ("field", ("object", made.number), component.name),
            )
            made.fields[component.name] = java._typed(run, unknown, component.type, declared)
    else:
        java._above(run, made, declared, Arguments([]), frame, at)
        java._run_fields(run, made, declared)
    if is_component(declared):
        _settle(run, made, declared)
    elif prefix is None:
        _leave_open(java, run, made, declared)
    run.guard, run.raised = before, raised
    return made


def _leave_open(java: Java, run: Interpreter, made: Object, declared: Class) -> None:
    """An object that nobody in sight makes stands for all of its class: a text that has a setter and that no constructor
    gave is whatever others set, rather than null."""
    for owner in run.scope.supers(declared):
        for name, decl in owner.fields.items():
            if (
                decl.static
                or decl.final
                or decl.annotations
                or decl.type is None
                or decl.type.name != "String"
            ):
                continue
            slot = java.slot(run, made, name, owner)
            if slot in made.fields and made.fields[slot] is not None:
                continue
            setter = run.scope.methods(owner, f"set{name[:1].upper()}{name[1:]}", 1)
            if decl.value is None and (setter or owner.annotation("Data", "Setter") is not None):
                symbol = ("field", ("object", made.number), name)
                unknown = Unknown(Why.DYNAMIC, f"{owner.simple}.{name}", symbol)
                made.fields[slot] = java._typed(run, unknown, decl.type, owner)


def _settle(run: Interpreter, made: Object, declared: Class) -> None:
    """What the container calls before it hands a bean to others. One that fails for certain is not believed: what it
    writes is not known."""
    seen: set[str] = set()
    for each in run.scope.supers(declared):
        for methods in each.methods.values():
            for method in methods:
                initial = method.annotation("PostConstruct") is not None or (
                    method.name == "afterPropertiesSet"
                )
                if (
                    not initial
                    or method.arity
                    or method.abstract
                    or method.decl.static
                    or method.name in seen
                ):
                    continue
                seen.add(method.name)
                entered: set[int] = run.heap.setdefault(("entered", method), set())
                entered.add(made.number)
                run.guard, run.raised = True, []
                run.invoke(method, made, Arguments([]), None, None)
                if run.guard is False:
                    run.guard = True
                    lose_written(run, method, (made,))


def _prefix(run: Interpreter, annotation: ir.Annotation, owner: Class) -> str | Unknown:
    """The prefix of the keys that fill a bean, "" for none; unknown where its constant is."""
    for argument in annotation.args:
        if argument.name in ("prefix", "value", ""):
            found = run.value(argument.value, run.frame(owner, None))
            if isinstance(found, Text) and found.known is not None:
                return found.known
            if isinstance(found, Unknown):
                return found
            return Unknown(Why.DYNAMIC, phrase("not-a-text"))
    return ""


def parameter(java: Java, run: Interpreter, method: Method, param: ir.Param) -> Guarded:
    """What a container hands to a parameter of a constructor, a `@Bean` or a life-cycle method."""
    value = annotated(param.annotations, _VALUE)
    if value is not None:
        return value_of(java, run, value, method.owner, param.type, param.name)
    if param.type is not None and param.type.name.rpartition(".")[2] in _TEXTUAL:
        name = qualifier(param.annotations) or param.name
        named = [each for each in _makers_of_text(run, param.type) if _name_of(each) == name]
        if len(named) == 1 and named[0] is not method:
            return made_by(java, run, named[0])
        found = Unknown(
            Why.DYNAMIC,
            phrase("parameter-of", param.name, method.name),
            ("parameter", method.symbol, method.number, param.name),
        )
        return run.with_type(found, param.type, run.frame(method.owner, None))
    return injected(java, run, param.type, param.annotations, param.name, method.owner)


def argument(java: Java, run: Interpreter, method: Method, param: ir.Param) -> Guarded:
    """What code that nobody sees hands to a parameter: a bean, where the container has one or calls the method itself;
    of other objects, such as what a request or a job is about, nothing is known."""
    named = run.scope.named(param.type.name, method.owner) if param.type is not None else ""
    if (
        not isinstance(named, Class)
        or method.annotation(*_CALLED_BY_CONTAINER) is not None
        or (method.name == "<init>" and is_component(method.owner))
        or any(is_component(each) for each in run.scope.implementations(named, demand=False))
        or _makers(run, named)
    ):
        return parameter(java, run, method, param)
    return Unknown(
        Why.DYNAMIC,
        phrase("parameter-of", param.name, method.name),
        ("parameter", method.symbol, method.number, param.name),
        TypeValue(named, named.name),
    )


def _makers_of_text(run: Interpreter, ref: ir.TypeRef) -> list[Method]:
    """The `@Bean` methods that return a plain value of a type."""
    factories: list[Method] = run.heap.get("bean methods", [])
    simple = ref.name.rpartition(".")[2]
    return [
        each
        for each in factories
        if each.decl.returns is not None and each.decl.returns.name.rpartition(".")[2] == simple
    ]


def instance_for(java: Java, run: Interpreter, leaf: Unknown, declared: Class) -> Guarded:
    """The bean an unknown of a declared type stands for, where a container injected it; None elsewhere."""
    if isinstance(leaf.symbol, tuple) and leaf.symbol[:1] == ("injected",) and len(leaf.symbol) == 2:
        return bean(java, run, declared, "")
    return None


_ = Frame

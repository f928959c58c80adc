"""What a container puts into objects: `@Value`, injected beans, properties bound to a class."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from subdrift.linter.clients.apis import Action
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.clients import java_class
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.deferred import TEXTS_MAX, entries
from subdrift.linter.resolve.execute.guards import UNSET, both, either, leaves, pick, some
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
    as_kind,
    text,
)
from subdrift.linter.resolve.semantics.jvm import modelled
from subdrift.linter.resolve.semantics.jvm.bound import (
    bound_parameter,
    constants,
    fill,
    fill_record,
    made_into,
    mapped,
    split_up,
)
from subdrift.linter.resolve.semantics.jvm.candidates import (
    CANDIDATES_MAX,
    Maker,
    conditional,
    one_of,
    presence,
)
from subdrift.linter.resolve.semantics.jvm.forms.common import Making
from subdrift.linter.resolve.semantics.jvm.managed import (
    COMPONENTS,
    VALUE,
    all_makers,
    all_names,
    annotated,
    bean_name,
    components_of,
    constructor_of,
    declared_makers,
    is_found,
    is_named,
    is_primary,
    is_prototype,
    leave_open,
    makers_of,
    name_of,
    names_of,
    needs_of,
    order_of,
    prefix_of,
    qualifier,
    settle,
)
from subdrift.linter.resolve.semantics.jvm.spel import evaluated, taken_apart

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

_NAMED = ("ConfigProperty", "Property")
"""Annotations of MicroProfile and Micronaut that name a key, with its default beside it."""

_CALLED_BY_CONTAINER = ("Bean", "Autowired", "Inject", "Resource", "PostConstruct", "Produces")

_TEXTUAL = frozenset(
    {"String", "int", "Integer", "long", "Long", "boolean", "Boolean", "CharSequence", "Object"}
)

_HOLDING = ("Optional", "ObjectProvider", "ObjectFactory", "Provider")
"""Types of what holds a bean, or gives one."""

_COLLECTIONS = ("List", "Collection", "Set", "Map", "Iterable")


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
    frame = run.frame(owner, None)
    raw = run.value(written, frame) if written is not None else None
    simple = annotation.name.rpartition(".")[2]
    if raw is None and own and simple == "ConfigProperty":
        raw = text(f"{owner.name}.{own}")
    if not isinstance(raw, Text):
        why = raw.why if isinstance(raw, Unknown) else Why.DYNAMIC
        return Unknown(why, "@Value", steps=(Step(place, "@Value"),))
    kind = made_into(run, ref, owner)
    default = _default_of(run, annotation, frame) if simple in _NAMED else None
    key = Key(raw, default, "property" if simple in _NAMED else "value", kind)
    shown = f'@{annotation.name}("{raw.known or "…"}")'
    step = Step(place, shown)
    if simple == "ApolloJsonValue":  # the text is JSON, not the value
        return Unknown(Why.EXTERNAL_CONFIG, shown, steps=(step,))
    found = Text((key,), (step,))
    name = ref.name.rpartition(".")[2] if ref is not None else "String"
    if name == "Optional" and simple in _NAMED:
        return modelled.optional_text(java, run, found, frame, place)
    separator: str | None = ""
    many = name in (*_COLLECTIONS, "[]")
    if raw.known is not None and "#{" in raw.known:
        told = evaluated(run, raw.known, owner, step, partial(component_called, java, run, owner))
        if told is not UNSET and (not many or all(isinstance(one, Object) for one in some(told, TEXTS_MAX))):
            return told
        parted = taken_apart(raw.known, step)
        if parted is not None:
            found, separator = parted
    if many:
        element = ref.args[-1] if ref is not None and ref.args else None
        made = split_up(run, found, None if name == "Map" else separator, raw.known, step)
        kind = made_into(run, element, owner)
        made.items = [
            (guard, constants(java, run, element, owner, as_kind(item, kind), guard))
            for guard, item in made.items or ()
        ]
        return made
    return constants(java, run, ref, owner, found)


def _default_of(run: Interpreter, annotation: ir.Annotation, frame: Frame) -> Text | None:
    given = next((one.value for one in annotation.args if one.name == "defaultValue"), None)
    default = run.value(given, frame) if given is not None else None
    return default if isinstance(default, Text) else None


def component_called(java: Java, run: Interpreter, near: Class, name: str) -> Guarded:
    """The bean of a name, as an expression or code asks for it."""
    found = bean_named(java, run, name)
    if not isinstance(found, Unknown):
        return found
    declared = run.scope.named(f"{name[:1].upper()}{name[1:]}", near)
    needs = frozenset() if isinstance(declared, Class) else frozenset({declared})
    return Unknown(Why.DYNAMIC, phrase("injected", name), ("injected", name), needs=needs)


def _started(java: Java, run: Interpreter, name: str, frame: Frame, at: ir.At, leaf: Any) -> Guarded:
    declared = leaf.declared if isinstance(leaf, Object) and leaf.client is None else None
    if declared is not None and not run.scope.has_method(declared, name):
        return None  # the default of a bean file, which is not for all beans
    return java.call_method(run, leaf, name, Arguments([]), frame, at)


def bean_named(java: Java, run: Interpreter, name: str) -> Guarded:
    """The bean of a name, of whatever type it is."""
    makers: list[Maker] = [each for each in run.heap.get("bean methods", ()) if name in names_of(each)]
    makers += [each for each in components_of(run.scope) if bean_name(run, each) == name]
    unknown = Unknown(Why.DYNAMIC, phrase("injected", name), ("injected", name))
    if len(makers) == 1:
        return object_of(java, run, makers[0])
    return one_of(run, makers, [object_of(java, run, each) for each in makers], unknown)


class Place(NamedTuple):
    """Where a container puts a bean: a field or parameter in a class, by its name and annotations."""

    name: str
    annotations: tuple[ir.Annotation, ...]
    near: Class

    @property
    def said(self) -> str:
        """The name that a qualifier says, "" for none."""
        return qualifier(self.annotations)

    def chosen(self, run: Interpreter, makers: list[Maker]) -> list[Maker]:
        """Those of the makers of a type that it takes."""
        return _chosen(run, makers, self.said or self.name, qualified=bool(self.said))


def injected(java: Java, run: Interpreter, ref: ir.TypeRef | None, place: Place) -> Guarded:
    """An object a container hands out, by its type (and name, where several fit)."""
    near, said = place.near, place.said
    if ref is None:
        return bean_named(java, run, said or place.name)
    simple = ref.name.rpartition(".")[2]
    if simple in _COLLECTIONS and ref.args:
        return _all_beans(java, run, ref, place)
    if simple in _HOLDING and ref.args:
        return _held(java, run, ref, place)
    named = run.scope.named(ref.name, near)
    mapping = named.annotation("ConfigMapping") if isinstance(named, Class) else None
    if isinstance(named, Class) and mapping is not None:
        prefix = prefix_of(run, mapping, named)
        if isinstance(prefix, str):
            return mapped(java, run, named, prefix)
    name = said or place.name
    if isinstance(named, Class):
        return bean(java, run, named, name, qualified=bool(said))
    found = factory_bean(java, run, named, name, qualified=bool(said))
    if found is UNSET:
        found = java.injected(run, named, name, near)
    if found is not UNSET:
        return found
    shown = f'{simple} "{said}"' if said else simple
    return Unknown(
        Why.DYNAMIC,
        phrase("injected", shown),
        ("injected", named, said),
        TypeValue(None, named, ref.args),
        needs=frozenset({named}),
    )


def _held(java: Java, run: Interpreter, ref: ir.TypeRef, place: Place) -> Guarded:
    """`Optional<T>`, `ObjectProvider<T>`: a bean where there is one."""
    inner, near = ref.args[0], place.near
    at, frame = near.at(near.decl.name_at), run.frame(near, None)
    one = if_there(run, inner, near, injected(java, run, inner, place), None)
    before, run.guard = run.guard, True
    if ref.name.endswith("Optional"):
        made = modelled.optional(java, run, one, None, at)
    else:
        every = _all_beans(java, run, ir.TypeRef("List", (inner,)), Place("", (), near))
        several = len(place.chosen(run, all_of(run, run.scope.named(inner.name, near)))) > 1
        made = modelled.construct(java, run, _PROVIDER, frame, at, one, every, several)
    run.guard = before
    return made


_PROVIDER = "org.springframework.beans.factory.ObjectProvider"


def all_of(run: Interpreter, named: Class | str) -> list[Maker]:
    return all_makers(run, named) if isinstance(named, Class) else [*makers_of(run, named)]


def if_there(run: Interpreter, ref: ir.TypeRef, near: Class, held: Guarded, otherwise: Guarded) -> Guarded:
    """A bean of a type where the container has one, elsewhere another value; where nothing in sight makes one it is not known
    whether there is one."""
    if ref.name.rpartition(".")[2] in _COLLECTIONS and ref.args:
        ref = ref.args[-1]
    named = run.scope.named(ref.name, near)
    makers = all_of(run, named)
    there: Guarded = False
    if not makers:
        declared = named if isinstance(named, Class) else None
        full = named.name if isinstance(named, Class) else named
        kind = TypeValue(declared, full, ref.args)
        whether = Unknown(Why.DYNAMIC, phrase("injected", ref.name), ("bean of", full), kind)
        if otherwise is None and isinstance(held, Object | Unknown):
            return replace(whether, needs=held.needs) if isinstance(held, Unknown) else whether
        there = run.guard_of(Test("true", (whether,)), run.frame(near, None), near.decl.name_at)
    for guard in presence(run, makers):
        there = either(there, guard)
    return pick(there, held, otherwise)


def is_optional(annotations: tuple[ir.Annotation, ...]) -> bool:
    """Whether a container leaves a place alone where it has no bean for it."""
    for one in annotations:
        required = next((each.value for each in one.args if each.name == "required"), None)
        if one.name.rpartition(".")[2] == "Nullable" or (
            isinstance(required, ir.Const) and required.value is False
        ):
            return True
    return False


def _all_beans(java: Java, run: Interpreter, ref: ir.TypeRef, place: Place) -> Guarded:
    """`List<T>`, `Map<String, T>`: every bean of the type; where there is none, the bean that is such a collection."""
    element = ref.args[-1]
    near = place.near
    named = run.scope.named(element.name, near)
    makers = all_of(run, named)
    if not makers:
        whole = place.chosen(run, [*makers_of(run, run.scope.named(ref.name, near))])
        if len(whole) == 1:
            return object_of(java, run, whole[0])
    found = gathered(java, run, makers, ref.name.endswith("Map")) if makers else None
    if not isinstance(named, Class):
        unknown = Unknown(
            Why.DYNAMIC,
            phrase("injected", element.name),
            ("injected", "all", named),
            TypeValue(None, ref.name, ref.args),
            needs=frozenset({named}),
        )
        if found is None:
            return unknown
        found.open = unknown if java_class(named) is None else None  # a library may have some of its own
    return found or gathered(java, run, [], ref.name.endswith("Map"))


def gathered(java: Java, run: Interpreter, makers: list[Maker], by_name: bool) -> Object:
    makers = makers if by_name else sorted(makers, key=order_of)
    guarded = list(
        zip(presence(run, makers), makers, [object_of(java, run, each) for each in makers], strict=True)
    )
    made = run.make(None, "Map" if by_name else "List", None)
    if by_name:
        made.entries = [Entry(guard, text(name_of(run, maker)), one) for guard, maker, one in guarded]
    else:
        made.items = [(guard, one) for guard, _, one in guarded]
    return made


def bean(java: Java, run: Interpreter, declared: Class, name: str, *, qualified: bool = False) -> Guarded:
    """The one object of a type in a container; unknown where several could be meant. `name` is that of the place it is for,
    or the one it is `qualified` by."""
    factories = makers_of(run, declared)
    components = [each for each in run.scope.implementations(declared) if is_found(run.scope, each)]
    if components and run.certain and not declared.file.machinery:
        run.needed.add(f"<{declared.simple}")
    makers = _chosen(run, [*components, *factories], name, qualified=qualified)
    unknown = Unknown(
        Why.DYNAMIC,
        phrase("injected", declared.simple),
        ("injected", declared.name, name),
        TypeValue(declared, declared.name),
    )
    if len(makers) != 1 and len(factories) == 1:
        makers = [*factories]
    if len(makers) == 1:
        return object_of(java, run, makers[0])
    if 1 < len(makers) <= CANDIDATES_MAX and any(conditional(each) for each in makers):
        return one_of(run, makers, [object_of(java, run, each) for each in makers], unknown)
    if not makers and declared.concrete:
        return instance(java, run, declared)
    if run.heap.get("given") and declared_makers(run, declared):
        return replace(
            unknown, type=None
        )  # what the test names keeps away all that are in sight: it is another
    needs = frozenset() if declared.file.machinery else needs_of(run, declared)
    return replace(unknown, needs=needs)


def _chosen(run: Interpreter, makers: list[Maker], name: str, *, qualified: bool) -> list[Maker]:
    """Those of the makers of a type that a place takes: a qualifier decides, then `@Primary`, then the place's name.

    Mirrors DefaultListableBeanFactory.determineAutowireCandidate, Spring 5.3.
    """
    named = [each for each in makers if name in (*all_names(run, each), getattr(each, "simple", ""))]
    primary = [each for each in makers if is_primary(each)]
    if qualified:
        return named or [each for each in makers if not is_named(each)]
    return primary if len(primary) == 1 else named or makers


def object_of(java: Java, run: Interpreter, maker: Maker) -> Guarded:
    return made_by(java, run, maker) if isinstance(maker, Method) else instance(java, run, maker)


def factory_bean(java: Java, run: Interpreter, wanted: str, name: str, *, qualified: bool) -> Guarded:
    """What a `@Bean` method of the run returns for a type of a library; UNSET where none, or several, do."""
    fitting = _chosen(run, [*makers_of(run, wanted)], name, qualified=qualified)
    return object_of(java, run, fitting[0]) if len(fitting) == 1 else UNSET


def made_by(java: Java, run: Interpreter, method: Method) -> Guarded:
    """The object of a `@Bean` method: the method runs once."""
    key = ("bean", method)
    if key in run.heap:
        return run.heap[key]
    before, raised = run.guard, run.raised
    run.guard, run.raised = True, []
    if method.owner.concrete and not method.decl.static:
        instance(java, run, method.owner)
        if key in run.heap:  # the object it runs on is filled with what it makes
            run.guard, run.raised = before, raised
            return run.heap[key]
    run.heap[key] = Unknown(Why.CYCLE, method.name)
    this = None if method.decl.static else _configuration(java, run, method.owner)
    arguments = Arguments([parameter(java, run, method, one) for one in method.decl.params])
    value = run.invoke(method, this, arguments, None, None)
    bind = method.annotation("ConfigurationProperties")
    if bind is not None and isinstance(value, Object):
        bound_to = prefix_of(run, bind, method.owner)
        if isinstance(bound_to, str) and bound_to:
            fill(java, run, value, bound_to)
            if value.declared is None:
                run.needed.add(value.type)  # its fields and setters say what is bound
                _bind_by_setters(run, value, bound_to, method)
    run.guard, run.raised = before, raised
    run.heap[key] = value
    for _, leaf in leaves(value):
        if isinstance(leaf, Object) and leaf.declared is not None and not leaf.constant:
            leaf.bean = True  # the container fills what it has not filled yet
            _tell_name(run, leaf, leaf.declared, names_of(method)[0])
    bean_annotation = method.annotation("Bean")
    for argument in bean_annotation.args if bean_annotation else ():
        if argument.name == "initMethod" and isinstance(argument.value, ir.Const):
            started = str(argument.value.value)
            if started:
                frame = run.frame(method.owner, this, method=method)
                run.over(value, partial(_started, java, run, started, frame, method.decl.at))
    returns = method.decl.returns
    if returns is not None and returns.name.rpartition(".")[2] in _CALLED_AT_START:
        run.defer(value)
    return value


def shared(java: Java, run: Interpreter, leaf: Object, method: Method, arguments: Arguments) -> Guarded:
    """The bean of a method that a configuration class calls on itself, of which there is one, or that the container makes a
    method look up; UNSET for any other call.

    Mirrors ConfigurationClassEnhancer, Spring 5.3: static methods, and those of classes without proxies, are just called.
    """
    if len(arguments) or method.decl.static:
        return UNSET
    if method.annotation("Lookup") is not None:
        return injected(java, run, method.decl.returns, Place("", method.decl.annotations, method.owner))
    if method.annotation("Bean") is None:
        return UNSET
    declared = leaf.declared
    marks = declared.annotation("Configuration", "SpringBootApplication") if declared is not None else None
    if (
        marks is None
        or run.heap.get(("bean", declared)) is not leaf
        or method.annotation("Scope") is not None
    ):
        return UNSET
    proxied = next((one.value for one in marks.args if one.name == "proxyBeanMethods"), None)
    return UNSET if proxied is not None else made_by(java, run, method)


def _configuration(java: Java, run: Interpreter, declared: Class) -> Guarded:
    """The object a `@Bean` method runs on: of an interface's or an abstract class's, the configuration class below it."""
    return instance(java, run, declared) if declared.concrete else bean(java, run, declared, "")


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
    """The one bean of a class: made once, its constructor handed what the container has. Of a prototype each is another."""
    key = ("bean", declared)
    found = run.heap.get(key)
    being_made: list[Class] = run.heap.setdefault("beans being made", [])
    if isinstance(found, Object) and (declared in being_made or not is_prototype(declared)):
        return found
    being_made.append(declared)
    try:
        return _made_anew(java, run, declared)
    finally:
        being_made.pop()


def _made_anew(java: Java, run: Interpreter, declared: Class) -> Object:
    """A bean of a class, which the container knows from here on."""
    made = run.make(declared, declared.name, declared.at(declared.decl.name_at), bean=True)
    run.heap["bean", declared] = made
    prefix = declared.annotation("ConfigurationProperties")
    stem = prefix_of(run, prefix, declared) if prefix is not None else ""
    if isinstance(stem, Unknown):  # which keys fill it is not known, so nothing of it is
        made.open, prefix, stem = stem, None, ""
    by_constructor = declared.kind == "record"
    before, raised = run.guard, run.raised
    run.guard, run.raised = True, []
    java.prepare(run, declared)
    frame = run.frame(declared, made)
    at = declared.at(declared.decl.name_at)
    chosen = constructor_of(declared)
    if chosen is not None and declared.kind != "record":
        if prefix is not None and chosen.decl.params and declared.annotation(*COMPONENTS[:6]) is None:
            by_constructor = True
            given = [bound_parameter(java, run, stem, one, declared) for one in chosen.decl.params]
        else:
            given = [parameter(java, run, chosen, one) for one in chosen.decl.params]
        java._construct(Making(run, made, declared, Arguments(given), frame, at), chosen)
    elif declared.kind == "record" and prefix is not None:
        fill_record(java, run, made, stem, frame, at)
    elif declared.kind == "record":
        for component in declared.decl.components or ():
            symbol = ("field", ("object", made.number), component.name)  # nobody sees it being made
            unknown = Unknown(Why.DYNAMIC, f"{declared.simple}.{component.name}", symbol)
            made.fields[component.name] = java._typed(run, unknown, component.type, declared)
    else:
        java._above(Making(run, made, declared, Arguments([]), frame, at))
        java._run_fields(run, made, declared)
    if prefix is not None and not by_constructor:
        fill(java, run, made, stem)
    _tell_name(run, made, declared, bean_name(run, declared))
    if is_found(run.scope, declared):
        settle(run, made, declared)
    elif prefix is None:
        leave_open(java, run, made, declared)
    run.guard, run.raised = before, raised
    return made


def _tell_name(run: Interpreter, made: Object, declared: Class, name: str) -> None:
    """`BeanNameAware`: a bean is told its name before it is called back."""
    if any(name.endswith("BeanNameAware") for name in run.scope.library_supers(declared)):
        for method in run.scope.methods(declared, "setBeanName", 1):
            run.guard = True
            run.invoke(method, made, Arguments([text(name)]), None, None)


def parameter(java: Java, run: Interpreter, method: Method, param: ir.Param) -> Guarded:
    """What a container hands to a parameter of a constructor, a `@Bean` or a life-cycle method."""
    value = annotated(param.annotations, VALUE)
    if value is not None:
        return value_of(java, run, value, method.owner, param.type, param.name)
    if param.type is not None and param.type.name.rpartition(".")[2] in _TEXTUAL:
        name = qualifier(param.annotations) or param.name
        named = [each for each in _makers_of_text(run, param.type) if name_of(run, each) == name]
        if len(named) == 1 and named[0] is not method:
            return made_by(java, run, named[0])
        found = Unknown(
            Why.DYNAMIC,
            phrase("parameter-of", param.name, method.name),
            ("parameter", method.symbol, method.number, param.name),
        )
        return run.with_type(found, param.type, run.frame(method.owner, None))
    found = injected(java, run, param.type, Place(param.name, param.annotations, method.owner))
    if param.type is None or not is_optional(param.annotations):
        return found
    return if_there(run, param.type, method.owner, found, None)


def argument(java: Java, run: Interpreter, method: Method, param: ir.Param) -> Guarded:
    """What code that nobody sees hands to a parameter: a bean, where the container has one or calls the method itself;
    of other objects, such as what a request or a job is about, nothing is known."""
    named = run.scope.named(param.type.name, method.owner) if param.type is not None else ""
    if (
        not isinstance(named, Class)
        or method.annotation(*_CALLED_BY_CONTAINER) is not None
        or (method.name == "<init>" and is_found(run.scope, method.owner))
        or any(is_found(run.scope, each) for each in run.scope.implementations(named, demand=False))
        or makers_of(run, named)
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

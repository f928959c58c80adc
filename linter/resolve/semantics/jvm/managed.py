"""What a Spring, CDI or Micronaut container reads off classes and methods: names, qualifiers, order, who makes which bean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.deferred import settings_of
from subdrift.linter.resolve.execute.given_up import lose_written
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.scope import Scope
from subdrift.linter.resolve.execute.values import Object, Text, Unknown
from subdrift.linter.resolve.semantics.jvm.candidates import Maker
from subdrift.linter.resolve.semantics.jvm.natives import declared_annotations
from subdrift.linter.resolve.spring.annotations import META_MAX
from subdrift.linter.resolve.spring.test_properties import keep_away

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


INJECT = (
    "Autowired",
    "Resource",
    "Inject",
    "Reference",
    "DubboReference",
    "Qualifier",
    "NacosInjected",
    "ApolloConfig",
)

VALUE = ("Value", "NacosValue", "ApolloJsonValue", "ConfigProperty", "Property")

COMPONENTS = (
    "Component", "Service", "Configuration", "Controller", "RestController", "Repository", "SpringBootApplication",
    "ConfigurationProperties", "AutoConfiguration", "RocketMQMessageListener", "TestConfiguration", "Named", "Singleton",
    "SpringBootTest", "ApplicationScoped",
)  # fmt: skip

AT_HAND = "beans at hand"
"""In the heap of a run: what makes the beans of which a loop over all may make something."""

CONTAINERS = ("ApplicationContext", "BeanFactory")
"""How the names of the types end that are asked for beans."""

_TOLD = ("setApplicationContext", "setBeanFactory")


def annotated(annotations: tuple[ir.Annotation, ...], names: tuple[str, ...]) -> ir.Annotation | None:
    return next((one for one in annotations if one.name.rpartition(".")[2] in names), None)


_NEVER_INJECT = (
    "lombok.", "java.lang.", "javax.validation.", "jakarta.validation.", "javax.persistence.", "jakarta.persistence.",
    "com.fasterxml.", "org.jetbrains.", "io.swagger.", "org.springframework.lang.", "org.hibernate.", "javax.annotation.N",
    "jakarta.annotation.N", "com.google.gson.", "org.springframework.format.", "org.checkerframework.",
)  # fmt: skip
"""Annotations of fields that put nothing there, by the beginning of their full names."""

_JAVA_LANG = frozenset({"Deprecated", "SuppressWarnings", "SafeVarargs", "Override"})


def may_be_injected(run: Interpreter, holder: Class, decl: ir.FieldDecl) -> bool:
    """Whether a framework may fill a bean's field on account of an annotation that nobody knows here."""
    if decl.final or decl.static or decl.value is not None:
        return False
    for one in decl.annotations:
        named = run.scope.named(one.name, holder)
        full = named.name if isinstance(named, Class) else named
        if not full.startswith(_NEVER_INJECT) and full not in _JAVA_LANG:
            return True
    return False


def injected_setter(run: Interpreter, holder: Class, decl: ir.FieldDecl) -> Method | None:
    name = f"set{decl.name[:1].upper()}{decl.name[1:]}"
    for method in holder.methods.get(name, ()):
        if method.annotation(*INJECT, *VALUE) is not None:
            return method
    return None


def lombok_constructed(holder: Class) -> bool:
    return holder.annotation("RequiredArgsConstructor", "AllArgsConstructor", "Data") is not None


def holds_container(holder: Class, decl: ir.FieldDecl) -> bool:
    """Whether a field is where a class that is told of its container keeps it."""
    if decl.value is not None or decl.type is None or not decl.type.name.endswith(CONTAINERS):
        return False
    told = (each for name in _TOLD for each in holder.methods.get(name, ()))
    return any(method.arity == 1 and method.assigns(decl.name) for method in told)


def keeps(made: Object, declared: Class, decl: ir.FieldDecl) -> bool:
    """Whether a container's value stands over the written initialiser."""
    if made.bean and annotated(decl.annotations, INJECT) is not None:
        return True
    return annotated(decl.annotations, VALUE) is not None or isinstance(made.fields.get("<prefix>"), str)


def kebab(name: str) -> str:
    """A field's name as configuration spells it."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: f"-{match[1].lower()}", name)


def qualifier(annotations: tuple[ir.Annotation, ...]) -> str:
    for one in annotations:
        if one.name.rpartition(".")[2] in ("Qualifier", "Resource", "Named", "Inject"):
            for argument in one.args:
                if argument.name in ("value", "name", "") and isinstance(argument.value, ir.Const):
                    return str(argument.value.value)
    return ""


def all_makers(run: Interpreter, named: Class) -> list[Maker]:
    """What makes the beans of a type, or those that carry an annotation, on themselves or on a class above them."""
    found = run.scope.implementations(named)
    if named.kind == "annotation":
        found = tuple(dict.fromkeys(one for each in found for one in run.scope.implementations(each)))
    components = [each for each in found if is_found(run.scope, each)]
    kinds = found if named.kind == "annotation" else (named,)
    return [*components, *dict.fromkeys(maker for kind in kinds for maker in makers_of(run, kind))]


def is_found(scope: Scope, declared: Class) -> bool:
    """Whether a scan makes a component of a class, also for an annotation of the program."""
    return is_component(declared) or any(
        _is_stereotype(scope, declared, one) for one in declared.decl.annotations
    )


def components_of(scope: Scope) -> list[Class]:
    """The components of a deployable."""
    if scope.components is None:
        main = (one for one in scope.classes if scope_of(one.origin.path) != "test")
        scope.components = [one for one in main if one.concrete and is_found(scope, one)]
    return scope.components


def _is_stereotype(scope: Scope, declared: Class, one: ir.Annotation, depth: int = META_MAX) -> bool:
    """Whether an annotation of the program carries one that makes a component, or one that does."""
    named = scope.named(one.name, declared)
    if not isinstance(named, Class) or named.kind != "annotation" or depth == 0:
        return False
    return is_component(named) or any(
        _is_stereotype(scope, named, each, depth - 1) for each in named.decl.annotations
    )


_LAST = 2**31 - 1


def order_of(maker: Maker) -> int:
    """The place that `@Order` gives a bean in a list; without one it is among the last."""
    annotation = maker.annotation("Order")
    for one in annotation.args if annotation is not None else ():
        value = one.value.operand if isinstance(one.value, ir.Unary) else one.value
        if isinstance(value, ir.Const) and isinstance(value.value, int):
            return value.value if value is one.value else -value.value
    return _LAST


def is_application(run: Interpreter) -> bool:
    settings = settings_of(run)
    return settings is not None and settings.is_application


def name_of(run: Interpreter, maker: Maker) -> str:
    return names_of(maker)[0] if isinstance(maker, Method) else bean_name(run, maker)


def all_names(run: Interpreter, maker: Maker) -> tuple[str, ...]:
    """The names by which a bean is asked for: its own, and what its qualifier says."""
    own = names_of(maker) if isinstance(maker, Method) else (bean_name(run, maker),)
    return (*own, qualifier(maker.decl.annotations))


def is_named(maker: Maker) -> bool:
    """Whether the names of a bean are all written out."""
    written = (one for one in maker.decl.annotations if one.name.rpartition(".")[2] in _NAMING)
    return all(isinstance(one.value, ir.Const | ir.Sequence) for use in written for one in use.args)


_NAMING = frozenset({"Bean", "Qualifier", "Named", *COMPONENTS})
"""Annotations that name a bean."""


def bean_name(run: Interpreter, declared: Class) -> str:
    """The name a component has in its container.

    Mirrors AnnotationBeanNameGenerator, Spring 5.3; what `@AliasFor` says counts since 6.1.
    """
    for annotation in declared.decl.annotations:
        if annotation.name.rpartition(".")[2] in COMPONENTS or _is_stereotype(
            run.scope, declared, annotation
        ):
            for argument in annotation.args:
                if argument.name in ("value", ""):
                    found = run.value(argument.value, run.frame(declared, None))
                    if isinstance(found, Text) and found.known:
                        return found.known
    settings = settings_of(run)
    boot = settings.boot if settings is not None else None
    carried = None if boot is not None and boot < (3, 2) else _name_carried(run, declared)
    package = declared.file.unit.package
    short = declared.name[len(package) + 1 :] if package else declared.name  # with the classes around it
    plain = short if len(short) > 1 and short[:2].isupper() else short[:1].lower() + short[1:]
    return carried or plain


def _name_carried(run: Interpreter, declared: Class) -> str | None:
    """The name that annotations of the program hand on to the one that makes a component."""
    if not any(_is_stereotype(run.scope, declared, one) for one in declared.decl.annotations):
        return None
    for made, kind in declared_annotations.meant(run, declared, declared.decl.annotations, merges=True):
        for name, decl in kind.fields.items():
            target, attribute = declared_annotations.alias(run, kind, decl)
            given = made.fields.get(name)
            named = isinstance(target, str) and target.rpartition(".")[2] in COMPONENTS
            if named and attribute == "value" and isinstance(given, Text) and given.known:
                return given.known
    return None


def is_component(declared: Class) -> bool:
    """Whether a class's own annotations make it a component, or it holds the methods that make beans: they run where the
    class is a bean itself, be it imported or inside a component."""
    return declared.annotation(*COMPONENTS) is not None or (
        declared.concrete
        and any(one.annotation("Bean") is not None for found in declared.methods.values() for one in found)
    )


def is_prototype(declared: Class) -> bool:
    """Whether the container makes a further object of a class for each that asks."""
    scope = declared.annotation("Scope")
    for one in scope.args if scope is not None else ():
        if one.name in ("value", "scopeName", ""):
            if isinstance(one.value, ir.Const):
                return one.value.value == "prototype"
            return getattr(one.value, "name", "").endswith("PROTOTYPE")
    return False


def needs_of(run: Interpreter, declared: Class) -> frozenset[str]:
    unread: frozenset[str] = run.heap.get("configured by", frozenset())
    return unread | {f"<{declared.simple}"}


def is_primary(maker: Maker) -> bool:
    return maker.annotation("Primary") is not None


def makers_of(run: Interpreter, wanted: Class | str) -> list[Method]:
    """The `@Bean` methods of the run that return a type."""
    given = run.heap.get("given")
    return [each for each in declared_makers(run, wanted) if not given or not keep_away(each, given)]


def declared_makers(run: Interpreter, wanted: Class | str) -> list[Method]:
    factories: list[Method] = run.heap.get("bean methods", [])
    fitting = []
    for method in factories:
        returns = method.decl.returns
        if returns is None:
            continue
        named = run.scope.named(returns.name, method.owner)
        fits = named is wanted or named == wanted
        if isinstance(named, Class) and isinstance(wanted, Class):
            fits = fits or run.scope.is_a(named, wanted)
        if fits and _is_candidate(method):
            fitting.append(method)
    return fitting


def names_of(method: Method) -> tuple[str, ...]:
    """The names of the bean that a `@Bean` method makes, the first of which counts."""
    annotation = method.annotation("Bean")
    for argument in annotation.args if annotation else ():
        if argument.name in ("name", "value"):
            value = argument.value
            said = value.items if isinstance(value, ir.Sequence) else (value,)
            found = tuple(str(each.value) for each in said if isinstance(each, ir.Const))
            if found:
                return found
    return (method.name,)


def _is_candidate(method: Method) -> bool:
    """Whether the bean of a `@Bean` method is one of those that are found by their type."""
    annotation = method.annotation("Bean")
    return annotation is None or not any(
        one.name == "autowireCandidate" and isinstance(one.value, ir.Const) and one.value.value is False
        for one in annotation.args
    )


def constructor_of(declared: Class) -> Method | None:
    """The constructor that the container calls."""
    constructors = declared.methods.get("<init>", [])
    chosen = next((m for m in constructors if m.annotation(*INJECT)), None)
    if chosen is None and constructors:
        chosen = min(constructors, key=lambda m: m.arity)
    return chosen


def prefix_of(run: Interpreter, annotation: ir.Annotation, owner: Class) -> str | Unknown:
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


def settle(run: Interpreter, made: Object, declared: Class) -> None:
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
                    lose_written(run, method, (made,), Unknown(Why.DYNAMIC, f"{method.name}()"))


def leave_open(java: Java, run: Interpreter, made: Object, declared: Class) -> None:
    """An object that nobody in sight makes stands for all of its class: a text or collection that has a setter and that no
    constructor gave is whatever others set, rather than null or empty."""
    for owner in run.scope.supers(declared):
        for name, decl in owner.fields.items():
            if decl.static or decl.final or decl.annotations or decl.type is None:
                continue
            setter = run.scope.methods(owner, f"set{name[:1].upper()}{name[1:]}", 1)
            if not setter and owner.annotation("Data", "Setter") is None:
                continue
            slot = java.slot(run, made, name, owner)
            held = made.fields.get(slot)
            symbol = ("field", ("object", made.number), name)
            unknown = Unknown(Why.DYNAMIC, f"{owner.simple}.{name}", symbol)
            if isinstance(held, Object) and (held.items == [] or held.entries == []):
                held.open = held.open or unknown
            elif held is None and decl.value is None and _is_set_by_others(decl.type):
                made.fields[slot] = java._typed(run, unknown, decl.type, owner)


def _is_set_by_others(ref: ir.TypeRef) -> bool:
    return ref.name in ("String", "List", "Set", "Collection", "Map", "[]")

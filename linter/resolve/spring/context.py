"""The beans of one deployable in one environment, registered in Spring's order, and why other classes are none.

Configuration classes are parsed from the sources of the applications: nested classes, property sources, component
scans, imports, bean methods, superclasses, each in that order; then auto-configurations; then the bean methods of all
of them are registered, where conditions on beans are asked. Mirrors ConfigurationClassParser and
ConfigurationClassBeanDefinitionReader, Spring 5.3 and 6.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct, field

from subdrift.linter.model.expr import Expr, Items, Literal, Name, New, OneOf, TypeName
from subdrift.linter.model.facts import AnnotationUse, Condition, Method, TypeKind, XmlBean
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve.definitions import Ambiguous, TypeDef
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.evaluate import World
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.profiles import profile_holds
from subdrift.linter.resolve.resources import is_test_resource
from subdrift.linter.resolve.spring.annotations import Annotations, Meant
from subdrift.linter.resolve.spring.applications import Started
from subdrift.linter.resolve.spring.conditions import HOLDS, Conditions, Outcome

CLASSES_MAX = 20_000
"""Configuration classes of one application; more are not parsed."""

STEREOTYPES = frozenset({
    "Component", "Service", "Repository", "Controller", "RestController", "Configuration", "SpringBootApplication",
    "SpringBootConfiguration", "SpringCloudApplication", "ControllerAdvice", "RestControllerAdvice", "Named",
    "ManagedBean", "JsonComponent", "AutoConfiguration", "TestConfiguration", "TestComponent", "Endpoint",
    "EnableBinding", "ExtRocketMQConsumerConfiguration", "ExtRocketMQTemplateConfiguration",
    "ExtConsumerResetConfiguration", "ExtProducerResetConfiguration",
})  # fmt: skip
"""Annotations that make a scanned class a bean."""

_CONFIGURATIONS = frozenset({
    "Configuration", "SpringBootApplication", "SpringBootConfiguration", "SpringCloudApplication", "AutoConfiguration",
    "TestConfiguration",
})  # fmt: skip
_SCANNING = frozenset({"SpringBootApplication", "SpringCloudApplication"})
_AUTO = frozenset({"EnableAutoConfiguration", *_SCANNING})
_AUTO_KEY = "org.springframework.boot.autoconfigure.EnableAutoConfiguration"
_IMPORTS = "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports"
_FACTORIES = "META-INF/spring.factories"
_TOLD_KEYS = (
    "org.springframework.context.ApplicationListener",
    "org.springframework.context.ApplicationContextInitializer",
    "org.springframework.boot.SpringApplicationRunListener",
)
_SELECTORS = ("ImportSelector", "DeferredImportSelector")
_REGISTRARS = ("ImportBeanDefinitionRegistrar",)

Key = tuple[Origin, str]


class Bean(Struct, frozen=True):
    """One bean definition. `type` is the class of its object, `method` what makes it (None: the class itself).

    `names` are the full names under which a condition finds it; `open` what may keep it from existing.
    """

    name: str
    type: TypeDef | None
    names: frozenset[str]
    owner: TypeDef
    method: Method | None = None
    open: tuple[Condition, ...] = ()
    lazy: bool = False
    prototype: bool = False
    enhanced: bool = False


class _Configured(Struct):
    """A configuration class on its way: how it came in, and whether it stays."""

    type: TypeDef
    open: tuple[Condition, ...]
    importers: list[_Configured] = field(default_factory=list)
    scanned: bool = False
    auto: bool = False
    methods: list[tuple[TypeDef, Method]] = field(default_factory=list)
    properties: list[TypeDef] = field(default_factory=list)
    resources: list[str] = field(default_factory=list)
    skipped: Condition | None = None


def _opened(made: _Configured, depth: int = 0) -> tuple[Condition, ...]:
    """What may keep a configuration class, or those that bring it in, from being one."""
    above = (
        _opened(made.importers[0], depth + 1) if len(made.importers) == 1 and depth < _IMPORTED_MAX else ()
    )
    return (*above, *made.open)


_IMPORTED_MAX = 32
"""Imports of imports that conditions are collected over."""


class Context(Struct):
    """What was registered. `refused` says why a class, or the method of a class, is no bean."""

    beans: list[Bean] = field(default_factory=list)
    refused: dict[tuple[Key, str, Span | None], Condition] = field(default_factory=dict)
    packages: list[str] = field(default_factory=list)
    registrars: list[TypeDef] = field(default_factory=list)
    told: list[TypeDef] = field(default_factory=list)
    """Listeners and initializers that `spring.factories` names: Spring Boot makes them itself, and they are no beans."""
    files: dict[Origin, tuple[Condition, ...]] = field(default_factory=dict)
    """The XML files that are loaded, each with what may keep it from being."""

    def of_type(self, key: Key) -> tuple[Bean, ...]:
        """The beans whose objects are of exactly this class."""
        return tuple(bean for bean in self.beans if bean.type is not None and bean.type.key == key)

    def made_by(self, key: Key, method: Span) -> tuple[Bean, ...]:
        """The beans that a method of a class makes."""
        return tuple(
            bean
            for bean in self.beans
            if bean.method is not None and bean.owner.key == key and bean.method.at == method
        )


class Registry:
    """Registers the beans of some applications of a deployable in one environment."""

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        files: Sequence[Placed],
        annotations: Annotations,
    ) -> None:
        self.world = world
        self.deployable = deployable
        self.environment = environment
        self.annotations = annotations
        self.conditions = Conditions(world, deployable, environment)
        self.context = Context()
        self._files = [p for p in files if p.facts.on_jvm and scope_of(p.origin.path) != "test"]
        self._config_files = files
        self._configured: dict[Key, _Configured] = {}
        self._order: list[_Configured] = []
        self._roots: set[Key] = set()
        self._auto = False
        self._excluded: set[str] = set()
        self._by_package: dict[str, list[TypeDef]] | None = None

    def run(self, applications: Sequence[Started]) -> Context:
        self._ask_for_subclasses()
        for application in applications:
            for candidates in application.sources:
                found = self._find(candidates, application.placed)
                if found is not None:
                    self._roots.add(found.key)
                    self._parse(found, None)
        self.context.told += self._told()
        parsed = len(self._order)
        self._load(self._order)
        if self._auto:
            self._excluded.update(self._excluded_by_configuration())
            for name, placed in sorted(self._auto_configurations(), key=lambda each: each[0]):
                found = self._find((name.replace("$", "."),), placed)
                if found is not None and name not in self._excluded:
                    self._parse(found, None, auto=True)
            self._load(self._order[parsed:])
        return self.context

    @property
    def excluded(self) -> frozenset[str]:
        """The auto-configurations that the application leaves out, by full name."""
        return frozenset(self._excluded)

    def _excluded_by_configuration(self) -> Iterator[str]:
        key = "spring.autoconfigure.exclude"
        single = self.environment.lookup(key, loosely=True)
        for entry in (single,) if single is not None else self.environment.list_source(key) or ():
            text = self.conditions.resolved(entry.text, entry.at) or ""
            yield from (part.strip() for part in text.split(","))

    def _ask_for_subclasses(self) -> None:
        """Asks for the classes that inherit bean methods: nothing else in their files may tell of them."""
        for placed in self._files:
            for each in placed.facts.types:
                made = TypeDef(placed, each)
                if each.abstract and any(self._is_bean_method(made, method) for method in each.methods):
                    self.world.definitions.subtypes(made, self.deployable)

    # -- parsing ----------------------------------------------------------------------------------------------

    def _parse(
        self,
        type_: TypeDef,
        importer: _Configured | None,
        *,
        scanned: bool = False,
        auto: bool = False,
        opened: tuple[Condition, ...] = (),
        held: Outcome | None = None,
    ) -> None:
        known = self._configured.get(type_.key)
        if known is not None:
            if importer is not None and known.importers:
                known.importers.append(importer)
            known.scanned = known.scanned or scanned
            return
        if len(self._configured) >= CLASSES_MAX:
            return
        meant = self.annotations.of_type(type_)
        outcome = held or self.conditions.asked(meant)
        if outcome.failed:
            self._refuse(type_, outcome.failed)
            return
        made = _Configured(type_, (*opened, *outcome.open), [importer] if importer else [], scanned, auto)
        self._configured[type_.key] = made
        for nested in self._nested(type_):
            self._parse(nested, made)
        current: TypeDef | None = type_
        seen: set[Key] = set()
        while current is not None and current.key not in seen:
            seen.add(current.key)
            self._process(current, made, meant if current is type_ else self.annotations.of_type(current))
            current = self._superclass(current)
        self._order.append(made)

    def _process(self, type_: TypeDef, made: _Configured, meant: Sequence[Meant]) -> None:
        """What one class, or one of its superclasses, brings in."""
        for each in meant:
            if each.simple == "PropertySource":
                self._property_source(each)
            elif each.simple == "PropertySources":
                for inner in each.elements("value"):
                    if isinstance(inner, New):
                        self._property_source(_inside(inner, each))
        scans = self._scans(meant)
        if not scans and type_.key in self._roots and any(each.simple and not each.known for each in meant):
            # an annotation of a library nobody sees may stand for that of Spring Boot
            use = AnnotationUse(
                ("org.springframework.boot.autoconfigure.SpringBootApplication",), (), type_.type.at
            )
            scans = [Meant("SpringBootApplication", use, type_.placed, type_.type.at, type_.placed.origin)]
            self._auto = True
        for each in scans:
            self._scan(each, type_, made)
        for each in meant:
            if each.simple in _AUTO:
                self._auto = True
                for one in (*each.elements("exclude"), *each.elements("excludeName")):
                    self._excluded.update(self._class_texts(one, each.placed))
            if each.simple == "Import" or each.simple == "ImportAutoConfiguration":
                for one in each.elements("value", "classes"):
                    self._import(one, each, made)
            if each.simple == "ImportResource":
                for one in each.elements("value", "locations"):
                    text = self.conditions.text(one, each.placed)
                    if text:
                        made.resources.append(text)
            if each.simple == "EnableConfigurationProperties":
                for one in each.elements("value"):
                    found = self._class(one, each.placed)
                    if found is not None:
                        made.properties.append(found)
            if each.simple == "ConfigurationPropertiesScan":
                made.properties += self._properties_in(each, type_)
        for method in type_.type.methods:
            if self._is_bean_method(type_, method):
                made.methods.append((type_, method))
        for candidates in type_.type.supers:
            above = self._find(candidates, type_.placed)
            if above is not None and above.type.kind is TypeKind.INTERFACE:
                for method in above.type.methods:
                    if not method.abstract and self._is_bean_method(above, method):
                        made.methods.append((above, method))

    def _nested(self, type_: TypeDef) -> Iterator[TypeDef]:
        """Member classes that may be configuration, static or not."""
        prefix = f"{type_.name}."
        for each in type_.placed.facts.types:
            if not each.name.startswith(prefix) or "." in each.name[len(prefix) :]:
                continue
            found = TypeDef(type_.placed, each)
            if each.kind is TypeKind.CLASS and not each.abstract and self._is_candidate(found):
                yield found

    def _is_candidate(self, type_: TypeDef) -> bool:
        """Whether a class is configuration in the wide sense: a component, or one that imports, scans, makes beans."""
        meant = self.annotations.of_type(type_)
        return (
            any(each.simple in STEREOTYPES for each in meant)
            or any(each.simple in ("ComponentScan", "Import", "ImportResource") for each in meant)
            or any(self._is_bean_method(type_, method) for method in type_.type.methods)
        )

    def _is_bean_method(self, type_: TypeDef, method: Method) -> bool:
        return any(each.simple == "Bean" for each in self.annotations.of(type_.placed, method.annotations))

    def _superclass(self, type_: TypeDef) -> TypeDef | None:
        for candidates in type_.type.supers:
            found = self._find(candidates, type_.placed)
            if found is not None and found.type.kind is TypeKind.CLASS:
                return found
        return None

    # -- property sources -------------------------------------------------------------------------------------

    def _property_source(self, each: Meant) -> None:
        factory = each.argument("factory")
        named = factory.candidates[0] if isinstance(factory, TypeName) and factory.candidates else ""
        name = self.conditions.text(given, each.placed) if (given := each.argument("name")) else None
        for one in each.elements("value"):
            text = self.conditions.text(one, each.placed)
            if text is None:
                continue
            self.environment.add_property_source(
                self.conditions.resolved(text, Location(each.placed.origin, each.use.at)) or text,
                yaml=bool(named),  # a factory is there to read what is not properties
                name=name or "",
            )

    # -- scans ------------------------------------------------------------------------------------------------

    def _scans(self, meant: Sequence[Meant]) -> list[Meant]:
        """The scans a class asks for: its own replace those that its other annotations stand for."""
        direct: list[Meant] = []
        for each in meant:
            if each.simple == "ComponentScan" and each.direct:
                direct.append(each)
            elif each.simple == "ComponentScans":
                direct += [_inside(one, each) for one in each.elements("value") if isinstance(one, New)]
        if direct:
            return direct
        return [each for each in meant if each.simple in _SCANNING or each.simple == "ComponentScan"][:1]

    def _scan(self, each: Meant, type_: TypeDef, made: _Configured) -> None:
        packages = list(self._packages(each, type_))
        self.context.packages += [name for name in packages if name not in self.context.packages]
        include, exclude = self._filters(each, "includeFilters"), self._filters(each, "excludeFilters")
        defaults = self._text(each, "useDefaultFilters", "true") != "false"
        lazily = self._text(each, "lazyInit", "false") == "true"
        auto = {name for name, _ in self._auto_configurations()} if each.simple in _SCANNING else set()
        for name in packages:
            for found in self._types_below(name):
                if found.name in auto or found.key in self._configured:
                    continue
                outcome = self._matches(found, include, exclude, defaults=defaults)
                if outcome is None:
                    continue
                if outcome.failed is not None:
                    self._refuse(found, outcome.failed)
                    continue
                self._scanned(found, outcome, made, lazily)

    def _scanned(self, found: TypeDef, outcome: Outcome, by: _Configured, lazily: bool) -> None:
        meant = self.annotations.of_type(found)
        held = self.conditions.asked(meant)
        if held.failed is not None:
            self._refuse(found, held.failed)
            return
        opened = _opened(by)
        bean = self._bean_of(found, meant, (*opened, *outcome.open, *held.open), lazily=lazily)
        self.context.beans.append(bean)
        self._parse(found, None, scanned=True, opened=opened, held=held)

    def _packages(self, each: Meant, type_: TypeDef) -> Iterator[str]:
        texts = each.elements("scanBasePackages") if each.simple in _SCANNING else each.elements("value")
        texts += each.elements("basePackages") if each.simple not in _SCANNING else ()
        classes = "scanBasePackageClasses" if each.simple in _SCANNING else "basePackageClasses"
        named = False
        for one in texts:
            text = self.conditions.text(one, each.placed)
            at = Location(each.placed.origin, each.use.at)
            for part in re.split(r"[,;\s]+", self.conditions.resolved(text, at) or "" if text else ""):
                if part:
                    named = True
                    yield part
        for one in each.elements(classes):
            found = self._class(one, each.placed)
            if found is not None:
                named = True
                yield found.placed.facts.package
            elif isinstance(one, TypeName) and one.candidates:
                named = True
                yield one.candidates[0].rpartition(".")[0]
        if not named:
            yield type_.placed.facts.package

    def _types_below(self, pattern: str) -> list[TypeDef]:
        """The classes of the deployable in a package and those below it; a pattern may hold `*` and `**`."""
        if self._by_package is None:
            self._by_package = {}
            for placed in self._files:
                if not self._is_on_class_path(placed):
                    continue
                for each in placed.facts.types:
                    self._by_package.setdefault(placed.facts.package, []).append(TypeDef(placed, each))
        if "*" in pattern:
            parts = [re.escape(part) for part in re.split(r"(\*\*|\*)", pattern)]
            body = "".join(parts).replace(re.escape("**"), ".*").replace(re.escape("*"), "[^.]*")
            matches = re.compile(f"{body}(?:\\..*)?").fullmatch
        else:
            matches = (
                re.compile(f"{re.escape(pattern)}(?:\\..*)?").fullmatch
                if pattern
                else re.compile(".*").fullmatch
            )
        found = [each for package, types in self._by_package.items() if matches(package) for each in types]
        return sorted(found, key=lambda each: (each.name, each.placed.origin))

    def _is_on_class_path(self, placed: Placed) -> bool:
        return not is_test_resource(placed.origin.path)

    def _filters(self, each: Meant, attribute: str) -> list[Meant]:
        return [_inside(one, each) for one in each.elements(attribute) if isinstance(one, New)]

    def _matches(
        self, found: TypeDef, include: Sequence[Meant], exclude: Sequence[Meant], *, defaults: bool
    ) -> Outcome | None:
        """Whether a scan takes a class: None where it is not meant, an outcome where a filter refuses it."""
        if found.type.kind is not TypeKind.CLASS or found.type.abstract or found.type.inner:
            return None
        taken = defaults and self.is_component(found)
        taken = taken or any(self._filter_holds(each, found) for each in include)
        if not taken:
            return None
        for each in exclude:
            if self._filter_holds(each, found):
                why = phrase("excluded-by-a-filter-of-the-scan")
                return Outcome(Condition("not-scanned", why, found.type.at, found.placed.origin))
        return HOLDS

    def _filter_holds(self, each: Meant, found: TypeDef) -> bool:
        kind = each.argument("type")
        name = kind.candidates[0].rpartition("#")[2] if isinstance(kind, Name) and kind.candidates else ""
        name = name or "ANNOTATION"
        if name == "REGEX":
            texts = [self.conditions.text(one, each.placed) for one in each.elements("pattern")]
            return any(_fits(text, found.name) for text in texts if text)
        if name == "ASPECTJ":
            texts = [self.conditions.text(one, each.placed) for one in each.elements("pattern")]
            return any(_fits_aspectj(text, found.name) for text in texts if text)
        for one in each.elements("value", "classes"):
            if not isinstance(one, TypeName):
                continue
            if name == "ASSIGNABLE_TYPE" and not set(one.candidates).isdisjoint(self._names_of(found)):
                return True
            if name == "ANNOTATION" and any(
                not set(one.candidates).isdisjoint(meant.use.candidates)
                for meant in self.annotations.of_type(found)
            ):
                return True
        return False

    def is_component(self, type_: TypeDef) -> bool:
        """Whether a scan takes a class for its annotations; one that nothing here knows may be a stereotype."""
        meant = self.annotations.of_type(type_)
        if any(each.simple in STEREOTYPES for each in meant):
            return True
        return any(not each.known and each.simple for each in meant)

    # -- imports ----------------------------------------------------------------------------------------------

    def _import(self, one: Expr, each: Meant, made: _Configured) -> None:
        found = self._class(one, each.placed)
        if found is None:
            return
        above = self._names_of(found)
        if any(name.rpartition(".")[2] in _SELECTORS for name in above):
            self._select(found, made)
        elif any(name.rpartition(".")[2] in _REGISTRARS for name in above):
            self.context.registrars.append(found)
        else:
            self._parse(found, made)

    def _select(self, selector: TypeDef, made: _Configured) -> None:
        """The classes that an import selector returns, where it returns them written out."""
        for method in selector.methods("selectImports"):
            expressions = list(_returned(method.returns))
            if not expressions or len(_options(method.returns)) > 1:
                self.context.registrars.append(selector)  # what it selects is decided when it runs
                return
            for expr in expressions:
                texts = self._class_texts(expr, selector.placed)
                if not texts and selector not in self.context.registrars:
                    self.context.registrars.append(selector)
                for text in texts:
                    found = self._find((text.replace("$", "."),), selector.placed)
                    if found is not None:
                        self._parse(found, made)

    def _class_texts(self, expr: Expr, placed: Placed) -> tuple[str, ...]:
        if isinstance(expr, TypeName):
            return expr.candidates
        text = self.conditions.text(expr, placed)
        return (text,) if text else ()

    def _auto_configurations(self) -> list[tuple[str, Placed]]:
        """The classes that the modules of the deployable offer as auto-configurations, as its Boot reads them."""
        found: list[tuple[str, Placed]] = []
        boot = self.environment.configuration.boot
        for placed in self._config_files:
            path = placed.origin.path
            if not path.endswith((_IMPORTS, _FACTORIES)) or is_test_resource(path):
                continue
            if path.endswith(_IMPORTS) and (boot is None or boot >= (2, 7)):
                found += [(entry.key, placed) for entry in placed.facts.config]
            elif path.endswith(_FACTORIES) and (boot is None or boot < (3, 0)):
                for entry in placed.facts.config:
                    if entry.key == _AUTO_KEY:
                        found += [(name, placed) for name in _listed(entry.text)]
        return found

    def _told(self) -> Iterator[TypeDef]:
        for placed in self._config_files:
            if not placed.origin.path.endswith(_FACTORIES) or is_test_resource(placed.origin.path):
                continue
            for entry in placed.facts.config:
                for name in _listed(entry.text) if entry.key in _TOLD_KEYS else ():
                    found = self._find((name.replace("$", "."),), placed)
                    if found is not None:
                        yield found

    # -- registering ------------------------------------------------------------------------------------------

    def _load(self, order: Sequence[_Configured]) -> None:
        """Registers the classes and their bean methods, one configuration class after the other."""
        for made in order:
            meant = self.annotations.of_type(made.type)
            skipped = self._skipped_by_importers(made)
            if skipped is None:
                asked = partial(self._on_bean, made=made)
                outcome = self.conditions.asked(meant, asked, beans_only=True)
                made.open = tuple(dict.fromkeys((*made.open, *outcome.open)))
                skipped = outcome.failed
            made.skipped = skipped
            if skipped is not None:
                self._refuse(made.type, skipped)
                self.context.beans = [
                    bean
                    for bean in self.context.beans
                    if bean.method is not None or bean.owner.key != made.type.key
                ]
                continue
            if not made.scanned:
                self.context.beans.append(self._bean_of(made.type, meant, made.open))
            for one in made.properties:
                self.context.beans.append(self._bean_of(one, self.annotations.of_type(one), ()))
            lazily = any(each.simple == "Lazy" and _is_on(each) for each in meant)
            for owner, method in made.methods:
                self._bean_method(owner, method, made, lazily)
            for text in made.resources:
                self._resource(text, made)

    def _resource(self, text: str, made: _Configured) -> None:
        """Loads a file of XML beans, with what it imports."""
        path = re.sub(r"^(?:classpath\*?:|file:)", "", text).lstrip("/")
        if not path.endswith(".xml"):
            return
        found = [
            p
            for p in self._config_files
            if f"/{p.origin.path}".endswith(f"/{path}") and p.facts.language == "xml"
        ]
        if not found:
            self.world.wanted_files.add(path.rpartition("/")[2])
        for placed in found[:1]:
            if placed.origin in self.context.files:
                continue
            self.context.files[placed.origin] = made.open
            active = self.environment.active or self.environment.default_profiles
            for one in placed.facts.beans:
                names = [re.split(r"[,;\s]+", each) for each in one.profiles]
                if all(any(profile_holds(name, active) for name in listed) for listed in names):
                    self._declared(one, placed, made)
            for imported in placed.facts.imports:
                self._resource(imported, made)

    def _declared(self, one: XmlBean, placed: Placed, made: _Configured) -> None:
        """A bean or a component scan of an XML file."""
        if one.scan:
            packages = [part for part in re.split(r"[,;\s]+", one.name) if part]
            self.context.packages += [name for name in packages if name not in self.context.packages]
            start = len(self._order)
            for name in packages:
                for found in self._types_below(name):
                    if found.key not in self._configured and self._matches(found, (), (), defaults=True):
                        self._scanned(found, HOLDS, made, lazily=False)
            self._load(self._order[start:])
            return
        type_ = self._find((one.name.replace("$", "."),), placed)
        if type_ is not None:
            names = self._names_of(type_)
            self.context.beans.append(
                Bean(one.name, type_, names, type_, None, made.open, one.lazy, one.prototype)
            )

    def _skipped_by_importers(self, made: _Configured) -> Condition | None:
        if made.scanned or not made.importers:
            return None
        conditions = [importer.skipped for importer in made.importers]
        return conditions[0] if all(one is not None for one in conditions) else None

    def _bean_method(self, owner: TypeDef, method: Method, made: _Configured, lazily: bool) -> None:
        meant = self.annotations.of(owner.placed, method.annotations)
        outcome = self.conditions.asked(meant, lambda each: self._on_bean(each, made, method, owner))
        if outcome.failed is not None:
            self._refuse(owner, outcome.failed, method)
            return
        use = next(each for each in meant if each.simple == "Bean")
        named = next(iter(use.elements("name", "value")), None)
        name = (self.conditions.text(named, owner.placed) if named is not None else None) or method.name
        declared = self._find(method.return_type, owner.placed)
        opened = tuple(dict.fromkeys((*made.open, *outcome.open)))
        if not opened:
            said = phrase("another-bean-has-its-name")
            self._replace_component(name, Condition("disabled", said, method.at, owner.placed.origin))
        types: list[TypeDef | None] = list(self.made(method, owner))
        for type_ in types or [declared]:
            self.context.beans.append(
                Bean(
                    name,
                    type_,
                    frozenset((*method.return_type, *(self._names_of(declared) if declared else ()))),
                    owner,
                    method,
                    opened,
                    self._is_lazy(meant, lazily),
                    _is_prototype(meant, self.conditions),
                )
            )

    def _replace_component(self, name: str, why: Condition) -> None:
        """A method takes the name of a component: it replaces it, or the application does not start."""
        for bean in [one for one in self.context.beans if one.method is None and one.name == name]:
            self.context.beans.remove(bean)
            self._refuse(bean.owner, why)

    def made(self, method: Method, owner: TypeDef) -> list[TypeDef]:
        """The classes of what a method returns, as far as it makes them itself."""
        found: dict[Key, TypeDef] = {}
        for expr in _options(method.returns):
            if isinstance(expr, New):
                type_ = self._find(expr.candidates, owner.placed)
                if type_ is not None:
                    found[type_.key] = type_
        return list(found.values())

    def _bean_of(
        self, type_: TypeDef, meant: Sequence[Meant], open_: Sequence[Condition], *, lazily: bool = False
    ) -> Bean:
        stereotype = next((each for each in meant if each.simple in STEREOTYPES and each.direct), None)
        given = stereotype.argument("value") if stereotype is not None else None
        text = self.conditions.text(given, type_.placed) if given is not None else None
        package = type_.placed.facts.package
        short = type_.name[len(package) + 1 :] if package else type_.name
        return Bean(
            text or (short if short[1:2].isupper() else short[:1].lower() + short[1:]),
            type_,
            self._names_of(type_),
            type_,
            None,
            tuple(dict.fromkeys(open_)),
            self._is_lazy(meant, lazily),
            _is_prototype(meant, self.conditions),
            self._is_enhanced(meant),
        )

    def _is_lazy(self, meant: Sequence[Meant], otherwise: bool) -> bool:
        for each in meant:
            if each.simple == "Lazy":
                return _is_on(each)
        return otherwise or self.environment.is_lazy

    def _is_enhanced(self, meant: Sequence[Meant]) -> bool:
        """Whether the class of the object is a generated subclass, which has no annotation of its own."""
        for each in meant:
            if each.simple in _CONFIGURATIONS and each.simple != "AutoConfiguration":
                return self._text(each, "proxyBeanMethods", "true") != "false"
        return False

    # -- conditions on beans ----------------------------------------------------------------------------------

    def _on_bean(
        self, each: Meant, made: _Configured, method: Method | None = None, owner: TypeDef | None = None
    ) -> Outcome:
        """Mirrors OnBeanCondition: only what is registered already counts."""
        missing = each.simple == "ConditionalOnMissingBean"
        types = (*each.elements("value"), *each.elements("type"))
        wanted = [self._class_texts(one, each.placed) for one in types]
        names: list[str] = []
        for one in each.elements("name"):
            names += self._class_texts(one, each.placed)
        if each.argument("annotation") is not None or each.argument("parameterizedContainer") is not None:
            return Outcome(open=(each.condition("bean", _shown(each)),))
        if not wanted and not names and method is not None:
            wanted.append(method.return_type)
        condition = each.condition("missing-bean" if missing else "bean", _shown_wanted(wanted, names))
        for candidates in wanted:
            asked = self._find(
                candidates, each.placed
            )  # read, with what is below it, before it is looked for
            if asked is not None:
                self.world.definitions.extended.add(asked.name.rpartition(".")[2])
        present: list[bool | None] = [self._has_bean(candidates, made, owner) for candidates in wanted]
        present += [any(bean.name == name for bean in self.context.beans) for name in names]
        if missing:
            if any(one is True for one in present):
                return Outcome(condition)
            return Outcome(open=(condition,)) if None in present else HOLDS
        if any(one is False for one in present):
            return Outcome(condition)
        return Outcome(open=(condition,)) if None in present else HOLDS

    def _has_bean(self, candidates: Sequence[str], made: _Configured, owner: TypeDef | None) -> bool | None:
        """Whether a bean of a type is registered by now; None where a library may have registered one."""
        wanted = frozenset(candidates)
        opened = False
        for bean in self.context.beans:
            if not wanted.isdisjoint(bean.names):
                if not bean.open:
                    return True
                opened = True
        if opened:
            return None
        if made.auto and self._find(candidates, made.type.placed) is None:
            return None  # auto-configurations of libraries may come before
        return False

    # -- small things -----------------------------------------------------------------------------------------

    def _names_of(self, type_: TypeDef) -> frozenset[str]:
        found = {type_.name}
        for each in self.world.definitions.supers(type_, self.deployable):
            found.add(each.name)
            for candidates in each.type.supers:
                found.update(candidates)
        return frozenset(found)

    def _find(self, candidates: Sequence[str], near: Placed) -> TypeDef | None:
        """A class of the deployable; another module's is none of its own."""
        try:
            found = self.world.definitions.first(candidates, near, self.deployable)
        except Ambiguous:
            return None
        return found.type if found is not None else None

    def _class(self, expr: Expr, placed: Placed) -> TypeDef | None:
        return self._find(expr.candidates, placed) if isinstance(expr, TypeName) else None

    def _text(self, each: Meant, attribute: str, default: str) -> str:
        found = each.argument(attribute)
        text = self.conditions.text(found, each.placed) if found is not None else None
        return (text if text is not None else default).lower()

    def _properties_in(self, each: Meant, type_: TypeDef) -> list[TypeDef]:
        found = []
        for name in self._packages(each, type_):
            found += [
                one
                for one in self._types_below(name)
                if any(meant.simple == "ConfigurationProperties" for meant in self.annotations.of_type(one))
                and not self.is_component(one)
            ]
        return found

    def _refuse(self, type_: TypeDef, condition: Condition, method: Method | None = None) -> None:
        mark = (type_.key, method.name if method else "", method.at if method else None)
        self.context.refused.setdefault(mark, condition)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _inside(one: New, outer: Meant) -> Meant:
    """An annotation written inside another."""
    use = AnnotationUse(one.candidates, tuple((arg.name, arg.value) for arg in one.args), one.at)
    simple = one.candidates[0].rpartition(".")[2] if one.candidates else ""
    return Meant(simple, use, outer.placed, outer.at, outer.file)


def _is_on(each: Meant) -> bool:
    value = each.argument("value")
    return not (isinstance(value, Literal) and value.text == "false")


def _is_prototype(meant: Sequence[Meant], conditions: Conditions) -> bool:
    """Whether the scope of a bean is another than singleton."""
    for each in meant:
        if each.simple in ("Scope", "RequestScope", "SessionScope", "RefreshScope"):
            if each.simple != "Scope":
                return each.simple != "RefreshScope"
            value = each.argument("value", "scopeName")
            text = conditions.text(value, each.placed) if value is not None else ""
            if text is None and isinstance(value, Name):
                text = "singleton" if value.candidates[0].endswith("SINGLETON") else "prototype"
            return (text or "singleton") != "singleton"
    return False


def _options(expr: Expr | None) -> tuple[Expr, ...]:
    if expr is None:
        return ()
    return expr.options if isinstance(expr, OneOf) else (expr,)


def _returned(expr: Expr | None) -> Iterator[Expr]:
    for one in _options(expr):
        if isinstance(one, Items):
            yield from one.items
        else:
            yield one


def _fits(pattern: str, name: str) -> bool:
    try:
        return re.fullmatch(pattern, name) is not None
    except re.error:
        return False


def _fits_aspectj(pattern: str, name: str) -> bool:
    """A type pattern of AspectJ: `..` any packages, `*` a part of a name, `+` left out."""
    parts = re.split(r"(\.\.|\*)", pattern.strip().rstrip("+"))
    body = "".join(
        r"\.(?:.*\.)?" if part == ".." else "[^.]*" if part == "*" else re.escape(part) for part in parts
    )
    return re.fullmatch(body, name) is not None


def _shown(each: Meant) -> str:
    return f"@{each.simple}"


def _shown_wanted(wanted: Sequence[Sequence[str]], names: Sequence[str]) -> str:
    return ", ".join([*(each[0].rpartition(".")[2] for each in wanted if each), *names])

"""The beans of one deployable in one environment, registered in Spring's order, and why other classes are not beans.

Configuration classes are parsed from the sources of the applications: nested classes, property sources, component
scans, imports, bean methods, superclasses, each in that order; then auto-configurations; then the bean methods of all
of them are registered, where conditions on beans are asked. Mirrors ConfigurationClassParser and
ConfigurationClassBeanDefinitionReader, Spring 5.3 and 6.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial

from subdrift.linter.model.expr import Expr, New, TypeName
from subdrift.linter.model.facts import AnnotationUse, Condition, TypeKind
from subdrift.linter.model.location import Location
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.definitions import TypeDef
from subdrift.linter.resolve.environment import listed
from subdrift.linter.resolve.resources import is_test_resource
from subdrift.linter.resolve.spring.annotations import Meant
from subdrift.linter.resolve.spring.applications import Started
from subdrift.linter.resolve.spring.beans import Configured, Context, Key, opened_by
from subdrift.linter.resolve.spring.conditions import Outcome
from subdrift.linter.resolve.spring.defining import Defining, is_on, options, returned
from subdrift.linter.resolve.spring.scans import SCANNING, inside

CLASSES_MAX = 20_000
"""Configuration classes of one application; more are not parsed."""

_AUTO = frozenset({"EnableAutoConfiguration", *SCANNING})

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


class Registry(Defining):
    """Registers the beans of some applications of a deployable in one environment."""

    def run(self, applications: Sequence[Started]) -> Context:
        self._ask_for_subclasses()
        for name in [name for one in applications for kind, name, _ in one.settings if kind == "file"]:
            self.environment.add_property_source(name, yaml=not name.endswith(".properties"), name="")
        for application in applications:
            self._read_what_prepares(application)
            for candidates in application.sources:
                found = self._find(candidates, application.placed)
                if found is not None:
                    self._roots.add(found.key)
                    self._parse(found, None)
        self.context.told += self._told()
        self._load([*self._order])
        for text in [name for one in applications for kind, name, _ in one.settings if kind == "beans"]:
            self._resource(text)
        parsed = len(self._order)
        if self._auto:
            self._excluded.update(self._excluded_by_configuration())
            for name, placed in sorted(self._auto_configurations(), key=lambda each: each[0]):
                found = self._find((name.replace("$", "."),), placed)
                if found is not None and name not in self._excluded:
                    self._parse(found, None, auto=True)
            self._load(self._order[parsed:])
        return self.context

    def _read_what_prepares(self, application: Started) -> None:
        """Asks for the code that may change the environment of an application before it is used."""
        names = [name for kind, name, _ in application.settings if kind == "uses"]
        told = self.environment.lookup("context.initializer.classes", loosely=True)
        for name in (*names, *(listed(told.text) if told is not None else ())):
            self._find((name,), application.placed)

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

    def _parse(
        self,
        type_: TypeDef,
        importer: Configured | None,
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
        made = Configured(type_, (*opened, *outcome.open), [importer] if importer else [], scanned, auto)
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

    def _process(self, type_: TypeDef, made: Configured, meant: Sequence[Meant]) -> None:
        """What one class, or one of its superclasses, brings in."""
        for each in meant:
            if each.simple == "PropertySource":
                self._property_source(each)
            elif each.simple == "PropertySources":
                for inner in each.elements("value"):
                    if isinstance(inner, New):
                        self._property_source(inside(inner, each))
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

    def _scan(self, each: Meant, type_: TypeDef, made: Configured) -> None:
        packages = list(self._packages(each, type_))
        self.context.packages += [name for name in packages if name not in self.context.packages]
        include, exclude = self._filters(each, "includeFilters"), self._filters(each, "excludeFilters")
        defaults = self._text(each, "useDefaultFilters", "true") != "false"
        lazily = self._text(each, "lazyInit", "false") == "true"
        auto = {name for name, _ in self._auto_configurations()} if each.simple in SCANNING else set()
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

    def _scanned(self, found: TypeDef, outcome: Outcome, by: Configured, lazily: bool) -> None:
        meant = self.annotations.of_type(found)
        held = self.conditions.asked(meant)
        if held.failed is not None:
            self._refuse(found, held.failed)
            return
        opened = opened_by(by)
        bean = self._bean_of(found, meant, (*opened, *outcome.open, *held.open), lazily=lazily)
        self.context.beans.append(bean)
        self._parse(found, None, scanned=True, opened=opened, held=held)

    def _import(self, one: Expr, each: Meant, made: Configured) -> None:
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

    def _select(self, selector: TypeDef, made: Configured) -> None:
        """The classes that an import selector returns, where it returns them written out."""
        for method in selector.methods("selectImports"):
            expressions = list(returned(method.returns))
            if not expressions or len(options(method.returns)) > 1:
                self.context.registrars.append(selector)  # what it selects is decided when it runs
                return
            for expr in expressions:
                texts = self._class_texts(expr, selector.placed) if len(options(expr)) == 1 else []
                if not texts and selector not in self.context.registrars:
                    self.context.registrars.append(selector)
                for text in texts:
                    found = self._find((text.replace("$", "."),), selector.placed)
                    if found is not None:
                        self._parse(found, made)

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
                        found += [(name, placed) for name in listed(entry.text)]
        return found

    def _told(self) -> Iterator[TypeDef]:
        for placed in self._config_files:
            if not placed.origin.path.endswith(_FACTORIES) or is_test_resource(placed.origin.path):
                continue
            for entry in placed.facts.config:
                for name in listed(entry.text) if entry.key in _TOLD_KEYS else ():
                    found = self._find((name.replace("$", "."),), placed)
                    if found is not None:
                        yield found

    def _load(self, order: Sequence[Configured]) -> None:
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
            lazily = any(each.simple == "Lazy" and is_on(each) for each in meant)
            for owner, method in made.methods:
                self._bean_method(owner, method, made, lazily)
            for text in made.resources:
                self._resource(text, made)

    def _resource(self, text: str, made: Configured | None = None) -> None:
        """Loads a file of XML beans, with what it imports. `made`: the class that imports it."""
        path = re.sub(r"^(?:classpath\*?:|file:)", "", text).lstrip("/")
        if not path.endswith(".xml"):
            return
        pattern = f"*/{path.replace('**', '*')}"
        found = [
            p
            for p in self._config_files
            if p.facts.language == "xml" and fnmatchcase(f"/{p.origin.path}", pattern)
        ]
        if not found:
            self.world.wanted_files.add(path.rpartition("/")[2])
        for placed in found if "*" in path else found[:1]:
            if placed.origin in self.context.files:
                continue
            self.context.files[placed.origin] = made.open if made is not None else ()
            start = len(self._order)
            for type_ in placed.facts.types[:1]:
                self._parse(TypeDef(placed, type_), made)
            self._load(self._order[start:])

"""Which classes a component scan takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from subdrift.linter.model.expr import Expr, Name, New, TypeName
from subdrift.linter.model.facts import AnnotationUse, Condition, Method, TypeKind
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve.definitions import Ambiguous, TypeDef
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.resources import is_test_resource
from subdrift.linter.resolve.spring.annotations import Annotations, Meant
from subdrift.linter.resolve.spring.beans import Configured, Context, Key
from subdrift.linter.resolve.spring.conditions import HOLDS, Conditions, Outcome
from subdrift.linter.resolve.world import World

STEREOTYPES = frozenset({
    "Component", "Service", "Repository", "Controller", "RestController", "Configuration", "SpringBootApplication",
    "SpringBootConfiguration", "SpringCloudApplication", "ControllerAdvice", "RestControllerAdvice", "Named",
    "ManagedBean", "JsonComponent", "AutoConfiguration", "TestConfiguration", "TestComponent", "Endpoint",
    "EnableBinding", "ExtRocketMQConsumerConfiguration", "ExtRocketMQTemplateConfiguration",
    "ExtConsumerResetConfiguration", "ExtProducerResetConfiguration",
})  # fmt: skip
"""Annotations that make a scanned class a bean."""

SCANNING = frozenset({"SpringBootApplication", "SpringCloudApplication"})


class Scanning:
    """Finds the classes that annotations of an application name, and those that its scans take."""

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
        self._configured: dict[Key, Configured] = {}
        self._order: list[Configured] = []
        self._roots: set[Key] = set()
        self._auto = False
        self._excluded: set[str] = set()
        self._by_package: dict[str, list[TypeDef]] | None = None

    def _find(self, candidates: Sequence[str], near: Placed) -> TypeDef | None:
        """A class of the deployable; another module's is none of its own."""
        try:
            found = self.world.definitions.first(candidates, near, self.deployable)
        except Ambiguous:
            return None
        return found.type if found is not None else None

    def _class(self, expr: Expr, placed: Placed) -> TypeDef | None:
        return self._find(expr.candidates, placed) if isinstance(expr, TypeName) else None

    def _class_texts(self, expr: Expr, placed: Placed) -> tuple[str, ...]:
        if isinstance(expr, TypeName):
            return expr.candidates
        text = self.conditions.text(expr, placed)
        return (text,) if text else ()

    def _text(self, each: Meant, attribute: str, default: str) -> str:
        found = each.argument(attribute)
        text = self.conditions.text(found, each.placed) if found is not None else None
        return (text if text is not None else default).lower()

    def _names_of(self, type_: TypeDef) -> frozenset[str]:
        found = {type_.name}
        for each in self.world.definitions.supers(type_, self.deployable):
            found.add(each.name)
            for candidates in each.type.supers:
                found.update(candidates)
        return frozenset(found)

    def is_component(self, type_: TypeDef) -> bool:
        """Whether a scan takes a class for its annotations; one that nothing here knows may be a stereotype."""
        meant = self.annotations.of_type(type_)
        if any(each.simple in STEREOTYPES for each in meant):
            return True
        return any(not each.known and each.simple for each in meant)

    def _is_bean_method(self, type_: TypeDef, method: Method) -> bool:
        return any(each.simple == "Bean" for each in self.annotations.of(type_.placed, method.annotations))

    def _is_candidate(self, type_: TypeDef) -> bool:
        """Whether a class is configuration in the wide sense: a component, or one that imports, scans, makes beans."""
        meant = self.annotations.of_type(type_)
        return (
            any(each.simple in STEREOTYPES for each in meant)
            or any(each.simple in ("ComponentScan", "Import", "ImportResource") for each in meant)
            or any(self._is_bean_method(type_, method) for method in type_.type.methods)
        )

    def _nested(self, type_: TypeDef) -> Iterator[TypeDef]:
        """Member classes that may be configuration, static or not: the last that is written comes first, as compilers list
        them and Spring reads them."""
        prefix = f"{type_.name}."
        for each in reversed(type_.placed.facts.types):
            if not each.name.startswith(prefix) or "." in each.name[len(prefix) :]:
                continue
            found = TypeDef(type_.placed, each)
            if each.kind is TypeKind.CLASS and not each.abstract and self._is_candidate(found):
                yield found

    def _superclass(self, type_: TypeDef) -> TypeDef | None:
        for candidates in type_.type.supers:
            found = self._find(candidates, type_.placed)
            if found is not None and found.type.kind is TypeKind.CLASS:
                return found
        return None

    def _scans(self, meant: Sequence[Meant]) -> list[Meant]:
        """The scans a class asks for: its own replace those that its other annotations stand for."""
        direct: list[Meant] = []
        for each in meant:
            if each.simple == "ComponentScan" and each.direct:
                direct.append(each)
            elif each.simple == "ComponentScans":
                direct += [inside(one, each) for one in each.elements("value") if isinstance(one, New)]
        if direct:
            return direct
        return [each for each in meant if each.simple in SCANNING or each.simple == "ComponentScan"][:1]

    def _packages(self, each: Meant, type_: TypeDef) -> Iterator[str]:
        texts = each.elements("scanBasePackages") if each.simple in SCANNING else each.elements("value")
        texts += each.elements("basePackages") if each.simple not in SCANNING else ()
        classes = "scanBasePackageClasses" if each.simple in SCANNING else "basePackageClasses"
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
        return [inside(one, each) for one in each.elements(attribute) if isinstance(one, New)]

    def _matches(
        self, found: TypeDef, include: Sequence[Meant], exclude: Sequence[Meant], *, defaults: bool
    ) -> Outcome | None:
        """Whether a scan takes a class: None where it is not meant, an outcome where a filter refuses it."""
        abstract = found.type.abstract and not _looks_up(found)
        if found.type.kind is not TypeKind.CLASS or abstract or found.type.inner:
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


def inside(one: New, outer: Meant) -> Meant:
    """An annotation written inside another."""
    use = AnnotationUse(one.candidates, one.args, one.at)
    simple = one.candidates[0].rpartition(".")[2] if one.candidates else ""
    return Meant(simple, use, outer.placed, outer.at, outer.file)


def _looks_up(found: TypeDef) -> bool:
    """Whether the container makes a subclass of a class, for methods that look a bean up."""
    uses = (use for method in found.type.methods for use in method.annotations)
    return any(name.rpartition(".")[2] == "Lookup" for use in uses for name in use.candidates[:1])

"""Whether Spring registers what a consumer site declares: a listener's class, or the method that makes a consumer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Items, TypeName
from subdrift.linter.model.facts import AnnotationUse, Condition, ConsumerSite, Method, TypeKind
from subdrift.linter.model.location import Origin, Span
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.model.walk import remembered
from subdrift.linter.resolve.definitions import TypeDef
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.declarations import Method as ExecutedMethod
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.spring.annotations import Annotations, Meant
from subdrift.linter.resolve.spring.beans import CALLBACKS, REGISTERING, SCANNERS, Bean, Context
from subdrift.linter.resolve.spring.conditions import Conditions
from subdrift.linter.resolve.spring.context import Registry
from subdrift.linter.resolve.spring.handed import Handed
from subdrift.linter.resolve.spring.scans import STEREOTYPES
from subdrift.linter.resolve.world import World

CLASSIC = ("org.apache.rocketmq:rocketmq-spring-boot-starter", "org.apache.rocketmq:rocketmq-spring-boot")
_ANNOTATED = frozenset({"spring-listener", "spring-listener-v5", "spring-ext", "spring-ext-v5"})
_FUNCTIONS = {f"java.util.function.{name.title()}": name for name in ("consumer", "function", "supplier")}
_CALLED = frozenset({"PostConstruct", "EventListener"})


class Registered(Struct, frozen=True):
    """One consumer that Spring makes of a site, with what may keep it from running; or `refused`, why none is made."""

    ordinal: int
    conditions: tuple[Condition, ...] = ()
    refused: Condition | None = None


def is_made_by_code(world: World, deployable: Deployable, type_name: str) -> bool:
    """Whether a `@Bean` method or an `@Import` of the deployable makes a bean of a class, where no application is known.

    Asks for files that speak of the class.
    """
    world.definitions.extended.add(type_name.rpartition(".")[2])
    for placed in world.files.values():
        if placed.facts.types and world.modules.of(placed.origin) in deployable.takes_in:
            for type_ in placed.facts.types:
                if any(_imports(use, type_name) for use in type_.annotations):
                    return True
                for method in type_.methods:
                    if type_name in method.return_type and any(map(_is_bean, method.annotations)):
                        return True
    return False


def without_application(
    world: World,
    deployable: Deployable,
    environment: Environment,
    annotations: Annotations,
    placed: Placed,
    site: ConsumerSite,
) -> tuple[Registered, ...] | None:
    """What keeps a listener from running, as its class and those around it say; None where they say nothing."""
    owner = world.definitions.own(placed.origin, site.type) if site.api in _ANNOTATED else None
    written: list[Meant] = []
    while owner is not None:
        written += annotations.of_type(owner)
        owner = world.definitions.own(placed.origin, owner.name.rpartition(".")[0])
    outcome = Conditions(world, deployable, environment).asked(written)
    unmade = [each for each in site.conditions if each.kind == "not-a-bean"]
    if unmade and is_made_by_code(world, deployable, site.type):
        unmade = []
    refused = outcome.failed or next(iter(unmade), None)
    return (Registered(0, outcome.open, refused),) if refused or outcome.open or site.conditions else None


def _is_bean(use: AnnotationUse) -> bool:
    return any(name.rpartition(".")[2] == "Bean" for name in use.candidates)


def _imports(use: AnnotationUse, type_name: str) -> bool:
    value = use.argument("value")
    if value is None or not any(name.rpartition(".")[2] == "Import" for name in use.candidates):
        return False
    named = value.items if isinstance(value, Items) else (value,)
    return any(isinstance(one, TypeName) and type_name in one.candidates for one in named)


_STARTER = frozenset(
    f"org.apache.rocketmq.spring.autoconfigure.{name}"
    for name in ("RocketMQAutoConfiguration", "ListenerContainerConfiguration")
)
"""What registers the containers of annotated listeners. Mirrors rocketmq-spring 2.0.4 to 2.3.5."""


@remembered
def _handing(unit: ir.Unit) -> frozenset[str]:
    """The calls of a file by which code hands classes to the container."""
    return frozenset(name for name, _ in unit.calls if name in REGISTERING or name in SCANNERS)


_FACTORIES = frozenset({"FactoryBean", "SmartFactoryBean", "AbstractFactoryBean"})


def _lazy(at: Span) -> Condition:
    return Condition("lazy", phrase("made-only-when-it-is-asked-for"), at)


class Registrations:
    """Answers for one deployable in one environment."""

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        files: Sequence[Placed],
        annotations: Annotations,
    ) -> None:
        self._world = world
        self._environment = environment
        self._deployable = deployable
        self._annotations = annotations
        registry = Registry(world, deployable, environment, files, annotations)
        self._registry = registry
        self._context: Context = registry.run(environment.configuration.applications)
        self._handed = Handed(world, deployable, self._context)

    @cached_property
    def _version(self) -> tuple[int, ...]:
        """The version of the starter, empty where it is not known."""
        declared = self._world.modules.version_of(self._deployable, CLASSIC)
        numbers = re.findall(r"\d+", declared[0])[:3] if declared is not None else []
        return tuple(int(number) for number in numbers)

    @property
    def _looks_everywhere(self) -> bool:
        """Whether the starter asks the context for annotated beans, as before 2.2.2: then all of them are made."""
        return () < self._version < (2, 2, 2)

    @property
    def _starts_once(self) -> bool:
        """Whether the starter starts all it has found at one time, as 2.3.1 does."""
        return self._version >= (2, 3, 1)

    def functions(self) -> tuple[tuple[str, str, Placed, Span, tuple[Condition, ...]], ...]:
        """The beans that Spring Cloud Function knows: name, kind (consumer, function, supplier), place, and what may
        keep it from existing."""
        found = []
        for bean in self._context.beans:
            kind = next((kind for name, kind in _FUNCTIONS.items() if name in bean.names), "")
            if kind:
                at = bean.method.at if bean.method is not None else bean.owner.type.at
                found.append((bean.name, kind, bean.owner.placed, at, bean.open))
        return tuple(found)

    def is_refused(self, name: str) -> bool:
        """Whether a condition keeps the `@Bean` method of a name from being one."""
        return any(refused == name for _, refused, _ in self._context.refused)

    def holds(self, placed: Placed, type_name: str) -> bool:
        """Whether a class is a bean, so that its annotations have effect."""
        return any(
            bean.owner.key == (placed.origin, type_name)
            for bean in self._context.beans
            if bean.method is None
        )

    def of(self, placed: Placed, site: ConsumerSite) -> tuple[Registered, ...] | None:
        """What becomes of a site; None where Spring has no say in it."""
        if scope_of(placed.origin.path) == "test":
            return None
        if not placed.facts.on_jvm:
            return None
        if site.api in _ANNOTATED:
            listener = self._world.definitions.own(placed.origin, site.symbol)
            return self._listener(listener, site) if listener is not None else None
        return None

    @cached_property
    def may_start_consumers(self) -> bool:
        """Whether code of the deployable, or a bean that calls methods, may start a consumer that is a bean."""
        return bool(self._calling.get("start"))

    # -- listeners --------------------------------------------------------------------------------------------

    def _listener(self, type_: TypeDef, site: ConsumerSite) -> tuple[Registered, ...]:
        beans = self._context.of_type(type_.key)
        if not site.api.startswith("spring-ext") and _STARTER & self._registry.excluded:
            return (Registered(0, refused=Condition("disabled", phrase("starter-is-excluded"), site.at)),)
        found: list[Registered] = []
        gap: Condition | None = None
        for bean in beans:
            refused = self._not_started(bean, site)
            if refused is None:
                asked = not self._makes_all(site) and self._handed.is_made(bean) is None
                found.append(Registered(len(found), (*bean.open, *((_lazy(site.at),) if asked else ()))))
            gap = gap or refused
        if found:
            return tuple(found)
        gap = gap or self._why_not(type_, site)
        return (self._unless_registered(type_, gap, site.at),)

    def _unless_registered(self, type_: TypeDef, gap: Condition, at: Span) -> Registered:
        """Why a class is no bean, or that code may make it one which no annotation declares."""
        by = self._registered_by(type_) if gap.kind == "not-a-bean" else ""
        return Registered(0, (Condition("registrar", by, at),)) if by else Registered(0, refused=gap)

    def _registered_by(self, type_: TypeDef) -> str:
        """The class or file whose code may hand a class to the container, "" for none."""
        if self._context.registrars:
            return self._context.registrars[0].name.rpartition(".")[2]
        simple = type_.name.rpartition(".")[2]
        for origin, placed in self._world.files.items():
            unit = placed.facts.unit
            if unit is None or not _handing(unit).intersection(
                REGISTERING if simple in unit.names else SCANNERS
            ):
                continue
            inside = self._world.modules.of(origin) in self._deployable.takes_in
            if inside and origin != type_.key[0] and scope_of(origin.path) != "test":
                return origin.path.rpartition("/")[2].partition(".")[0]
        return ""

    def _makes_all(self, site: ConsumerSite) -> bool:
        """Whether the starter makes the annotated beans that nothing else has made."""
        return site.api.startswith("spring-ext") or self._looks_everywhere

    def _not_started(self, bean: Bean, site: ConsumerSite) -> Condition | None:
        """Why the starter overlooks a bean. Mirrors RocketMQMessageListenerBeanPostProcessor, rocketmq-spring 2.2.3:
        it sees the beans that exist once the context is refreshed, by their own class."""
        if self._makes_all(site):
            return None
        if bean.prototype or self._is_made_late(bean):
            return Condition("scope", phrase("not-a-singleton"), site.at)
        made = self._handed.is_made(bean)
        if made is False or (made is None and self._starts_once):
            return _lazy(site.at)
        if bean.enhanced and bean.method is None:
            return Condition(
                "configuration", phrase("spring-makes-a-subclass-without-the-annotation"), site.at
            )
        return None

    def _is_made_late(self, bean: Bean) -> bool:
        """Whether a bean is made when the starter has started what it found: 2.3.1 starts with the life cycle, beans in the
        scope `refresh` are made behind it."""
        if bean.method is not None or not self._starts_once:
            return False
        return any(each.simple == "RefreshScope" for each in self._annotations.of_type(bean.owner))

    def _why_not(self, type_: TypeDef, site: ConsumerSite) -> Condition:
        refused = self._context.refused.get((type_.key, "", None))
        if refused is not None:
            return refused
        made = self._refused_method(type_)
        if made is not None:
            return made
        if type_.type.abstract or type_.type.kind is TypeKind.INTERFACE:
            return Condition("abstract", phrase("annotation-is-not-inherited"), site.at)
        if not self._registry.is_component(type_):
            return Condition("not-a-bean", "", site.at)
        if type_.type.inner:  # a bean only as a member of one
            outer = (type_.key[0], type_.name.rpartition(".")[0])
            if (refused := self._context.refused.get((outer, "", None))) is not None:
                return refused
            return Condition("not-a-bean", phrase("inner-class-that-is-not-static"), site.at)
        packages = ", ".join(self._context.packages) or "nothing"
        return Condition("not-scanned", f"scanned: {packages}", site.at)

    def _refused_method(self, type_: TypeDef) -> Condition | None:
        """The condition of a method, or of its class, that would have made a bean of the class."""
        for (key, name, at), condition in self._context.refused.items():
            owner = self._world.definitions.own(*key)
            if owner is None:
                continue
            for method in owner.type.methods:
                if name and method.at != at:
                    continue
                meant = self._annotations.of(owner.placed, method.annotations)
                if any(each.simple == "Bean" for each in meant) and any(
                    made.key == type_.key for made in self._registry.made(method, owner)
                ):
                    return condition
        return None

    # -- consumers that code makes ----------------------------------------------------------------------------

    def entered(
        self, origin: Origin, type_name: str, name: str, at: Span, this: Class | None = None
    ) -> Registered | None:
        """What becomes of what a method makes on a bean of a class; None where Spring has no say in it."""
        owner = self._world.definitions.own(origin, type_name)
        if owner is None or scope_of(origin.path) == "test":
            return None
        if name == "<init>" and this is not None:
            made = self._world.definitions.own(this.origin, this.name) or owner
            found = self._called(made, at)
            if found.refused is None or found.refused.kind != "not-a-bean" or not self._is_constructed(made):
                return found
            whether = phrase("its-maker-is-reached", made.name.rpartition(".")[2])
            return Registered(0, (Condition("condition", whether, at),))
        method = next((m for m in owner.methods(name) if m.at.line == at.line), None)
        if method is None:
            return None
        below = self._world.definitions.own(this.origin, this.name) if this is not None else None
        return self._decided(owner, method, at, below or owner)

    def _is_constructed(self, owner: TypeDef) -> bool:
        """Whether code of another file makes objects of a class, which need not be beans then."""
        makers = self._calling.get(owner.name.rpartition(".")[2])
        return bool(makers and makers - {owner.placed.origin})

    @cached_property
    def _calling(self) -> Mapping[str, set[Origin]]:
        """The files of the deployable, tests left out, by what they call."""
        found: dict[str, set[Origin]] = {}
        for origin, placed in self._world.files.items():
            unit = placed.facts.unit
            if unit is None or scope_of(origin.path) == "test":
                continue
            if self._world.modules.of(origin) in self._deployable.takes_in:
                for name, _ in unit.calls:
                    found.setdefault(name, set()).add(origin)
        return found

    def _decided(self, owner: TypeDef, method: Method, at: Span, this: TypeDef) -> Registered | None:
        meant = self._annotations.of(owner.placed, method.annotations)
        if any(each.simple == "Bean" for each in meant):
            made = self._context.made_by(owner.key, method.at)
            refused = self._context.refused.get((owner.key, method.name, method.at))
            refused = refused or self._context.refused.get((owner.key, "", None))
            if made:
                return self._brought_up(made, at)
            if refused is not None:
                return Registered(0, refused=refused)
            if owner.placed.facts.language == "xml" and owner.placed.origin not in self._context.files:
                return Registered(
                    0, (Condition("not-imported", phrase("nothing-in-sight-loads-this-file"), at),)
                )
            return self._unless_registered(owner, self._why_no_bean(owner, at), at)
        if method.name == "getObject" and _FACTORIES & self._names_above(this) == {"FactoryBean"}:
            said = self._called(this, at)  # its product is made when something asks for it
            return (
                said if said.refused is not None else Registered(said.ordinal, (*said.conditions, _lazy(at)))
            )
        return self._called(this, at) if self._is_called_by_spring(owner, method) else None

    def _brought_up(self, beans: Sequence[Bean], at: Span) -> Registered:
        """Whether any of some beans is made when the application starts."""
        live = [bean for bean in beans if self._handed.is_made(bean)]
        if live:
            return Registered(0, live[0].open if len(live) == 1 else ())
        if any(self._handed.is_made(bean) is None for bean in beans):
            return Registered(0, (_lazy(at),))
        return Registered(0, refused=_lazy(at))

    def _is_called_by_spring(self, owner: TypeDef, method: Method) -> bool:
        """Whether Spring calls a method on the beans of its class, and normally nobody else does."""
        meant = self._annotations.of(owner.placed, method.annotations)
        if any(each.simple in _CALLED for each in meant):
            return True
        return not self._names_above(owner).isdisjoint(CALLBACKS.get(method.name, ()))

    def _names_above(self, owner: TypeDef) -> set[str]:
        """The simple names of what a class and those above it extend and implement."""
        return {
            candidate.rpartition(".")[2]
            for each in self._world.definitions.supers(owner, self._deployable)
            for candidates in each.type.supers
            for candidate in candidates
        }

    def is_bean(self, origin: Origin, type_name: str) -> bool:
        """Whether a class, or one below it, is a bean; True also for what is not read here."""
        owner = self._world.definitions.own(origin, type_name)
        return owner is None or bool(self._beans_below(owner))

    def makes(self, maker: Class | ExecutedMethod) -> bool | None:
        """Whether a component's class, or a `@Bean` method, makes a bean here; None where that is open, or not asked of
        Spring: in a test."""
        declared = maker.owner if isinstance(maker, ExecutedMethod) else maker
        owner = self._world.definitions.own(declared.origin, declared.name)
        if owner is None or scope_of(declared.origin.path) == "test":
            return True
        if isinstance(maker, ExecutedMethod):
            line = maker.owner.at(maker.decl.name_at).span.line
            method = next((m for m in owner.methods(maker.name) if m.at.line == line), None)
            beans: Sequence[Bean] = self._context.made_by(owner.key, method.at) if method is not None else ()
        else:
            beans = self._context.of_type(owner.key)
        if not beans and self._context.registrars:
            return None
        return bool(beans) if all(not bean.open for bean in beans[:1]) else None

    def _beans_below(self, owner: TypeDef) -> list[Bean]:
        return [
            bean
            for bean in self._context.beans
            if bean.type is not None
            and (
                bean.type.key == owner.key or self._world.definitions.is_a(bean.type, owner, self._deployable)
            )
        ]

    def _called(self, owner: TypeDef, at: Span) -> Registered:
        """A method Spring calls on a bean: it runs where the class, or one below it, is a bean."""
        beans = self._beans_below(owner)
        if beans:
            return self._brought_up(beans, at)
        if any(
            told.key == owner.key or self._world.definitions.is_a(told, owner, self._deployable)
            for told in self._context.told
        ):
            return Registered(0)
        return self._unless_registered(owner, self._why_no_bean(owner, at), at)

    def _why_no_bean(self, owner: TypeDef, at: Span) -> Condition:
        refused = self._context.refused.get((owner.key, "", None))
        if refused is not None:
            return refused
        meant = self._annotations.of_type(owner)
        if any(each.simple in STEREOTYPES for each in meant):
            packages = ", ".join(self._context.packages) or "nothing"
            return Condition("not-scanned", f"scanned: {packages}", at)
        return Condition("not-a-bean", owner.name.rpartition(".")[2], at)

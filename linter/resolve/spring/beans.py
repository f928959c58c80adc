"""Bean definitions, and what came of registering them."""

from __future__ import annotations

from msgspec import Struct, field

from subdrift.linter.model.facts import Condition, Method
from subdrift.linter.model.location import Origin, Span
from subdrift.linter.resolve.definitions import TypeDef

Key = tuple[Origin, str]

CALLBACKS = {
    "afterPropertiesSet": frozenset({"InitializingBean"}),
    "run": frozenset({"CommandLineRunner", "ApplicationRunner"}),
    "start": frozenset({"SmartLifecycle"}),
    "onApplicationEvent": frozenset({"ApplicationListener"}),
    "afterSingletonsInstantiated": frozenset({"SmartInitializingSingleton"}),
    "setApplicationContext": frozenset({"ApplicationContextAware"}),
    "createInstance": frozenset({"AbstractFactoryBean"}),
    "postProcessBeanDefinitionRegistry": frozenset({"BeanDefinitionRegistryPostProcessor"}),
    "postProcessBeanFactory": frozenset({"BeanFactoryPostProcessor", "BeanDefinitionRegistryPostProcessor"}),
}
"""Methods that Spring calls on beans, with the interfaces that declare them."""

PROCESSED = ("postProcessBeforeInitialization", "postProcessAfterInitialization")
PROCESSORS = frozenset(
    {"BeanPostProcessor", "InstantiationAwareBeanPostProcessor", "SmartInstantiationAwareBeanPostProcessor",
     "DestructionAwareBeanPostProcessor"}
)  # fmt: skip
"""What Spring calls with every bean, and the interfaces that declare it."""

EVERY_BEAN = frozenset({"getBeanDefinitionNames", "getBeanNamesForType", "getBeansOfType"})
"""How code asks a container for all beans: the latter two with `Object.class`."""

PUBLISHING = "publishEvent"
PUBLISHERS = frozenset(
    {"ApplicationEventPublisher", "ApplicationContext", "ConfigurableApplicationContext", "WebApplicationContext",
     "GenericApplicationContext", "AbstractApplicationContext"}
)  # fmt: skip
"""How code tells an event, and on which types."""

REGISTERING = frozenset({
    "registerBeanDefinition", "registerBean", "registerSingleton", "createBean", "autowireBean", "genericBeanDefinition",
    "rootBeanDefinition", "RootBeanDefinition", "GenericBeanDefinition", "AnnotatedGenericBeanDefinition",
})  # fmt: skip
"""How code hands a class or an object to the container."""

REGISTRARS = {
    "ImportBeanDefinitionRegistrar": "registerBeanDefinitions",
    "BeanDefinitionRegistryPostProcessor": "postProcessBeanDefinitionRegistry",
    "BeanFactoryPostProcessor": "postProcessBeanFactory",
}
"""Interfaces of what Spring calls to have beans defined, with the method."""

SCANNERS = frozenset({"ClassPathBeanDefinitionScanner", "ClassPathScanningCandidateComponentProvider"})
"""What code looks for classes with that it does not name."""


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


class Configured(Struct):
    """A configuration class on its way: how it came in, and whether it stays."""

    type: TypeDef
    open: tuple[Condition, ...]
    importers: list[Configured] = field(default_factory=list)
    scanned: bool = False
    auto: bool = False
    methods: list[tuple[TypeDef, Method]] = field(default_factory=list)
    properties: list[TypeDef] = field(default_factory=list)
    resources: list[str] = field(default_factory=list)
    skipped: Condition | None = None


def opened_by(made: Configured, depth: int = 0) -> tuple[Condition, ...]:
    """What may keep a configuration class, or those that bring it in, from being one."""
    above = (
        opened_by(made.importers[0], depth + 1) if len(made.importers) == 1 and depth < _IMPORTED_MAX else ()
    )
    return (*above, *made.open)


_IMPORTED_MAX = 32
"""Imports of imports that conditions are collected over."""


class Context(Struct):
    """What was registered. `refused` says why a class, or the method of a class, is not a bean."""

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

"""Beans that are made though nothing says so where they are defined: lazy ones and prototypes that other beans are handed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from subdrift.linter.model import ir
from subdrift.linter.resolve.definitions import TypeDef
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.spring.beans import Bean, Context
from subdrift.linter.resolve.world import World

_INJECT = frozenset({"Autowired", "Resource", "Inject", "Reference"})
_MANY = frozenset({"List", "Collection", "Set", "Map", "[]", "Iterable", "Optional"})
_ASKING = frozenset({
    "getBean", "getBeansOfType", "getBeansWithAnnotation", "getBeanProvider", "getObject", "getIfAvailable", "ifAvailable",
    "getIfUnique", "ifUnique", "stream", "orderedStream",
})  # fmt: skip
"""How code asks a container, or a provider, for beans."""

_TAKING = ("Component", "Service", "Configuration", "Controller", "RestController", "SpringBootApplication")
"""Annotations of classes that beans are handed to."""

_AWAKE = frozenset({"CommandLineRunner", "ApplicationRunner", "SmartLifecycle", "ApplicationListener"})
"""Types whose beans Spring asks for itself when it starts."""


class Handed:
    """Answers for the beans of one deployable in one environment."""

    def __init__(self, world: World, deployable: Deployable, context: Context) -> None:
        self._world = world
        self._deployable = deployable
        self._context = context

    def is_made(self, bean: Bean) -> bool | None:
        """Whether a bean is made when its application starts; None where code may ask for it."""
        if _is_eager(bean) or id(bean) in self._made:
            return True
        return None if self._may_be_asked_for(bean) else False

    @cached_property
    def _made(self) -> frozenset[int]:
        """The beans that are made for others: those that such a bean is handed, and so on."""
        waiting = {id(bean): bean for bean in self._context.beans if not _is_eager(bean)}
        found: set[int] = set()
        queue = [bean for bean in self._context.beans if _is_eager(bean)] if waiting else []
        for bean in queue:
            for simple, name in self._taken(bean):
                fitting = [one for one in waiting.values() if simple in self._simple_names(one)]
                if name and len(fitting) > 1:
                    fitting = [one for one in fitting if one.name == name]
                for one in fitting:
                    found.add(id(one))
                    queue.append(waiting.pop(id(one)))
        return frozenset(found)

    def _may_be_asked_for(self, bean: Bean) -> bool:
        self._world.definitions.extended.update(_TAKING)  # whoever takes it need not be read yet
        for placed in self._world.files.values():
            unit = placed.facts.unit
            if unit is None or not {name for name, _ in unit.calls} & _ASKING:
                continue
            own = bean.owner.placed.origin == placed.origin
            if not own and not self._simple_names(bean).isdisjoint(unit.names):
                return True
        return False

    def _simple_names(self, bean: Bean) -> frozenset[str]:
        return frozenset(name.rpartition(".")[2] for name in bean.names)

    def _taken(self, bean: Bean) -> Iterator[tuple[str, str]]:
        """The simple names of the types that a bean is handed objects of, each with the name of the place, "" where it takes
        all of them."""
        if bean.method is not None:
            for decl in self._methods_of(bean.owner, bean.method.name):
                yield from _parameters(decl)
            return
        for owner in self._world.definitions.supers(bean.owner, self._deployable):
            found = owner.declaration
            if found is None:
                continue
            constructors = [one for one in found.methods if one.name == "<init>"]
            chosen = [one for one in constructors if _is_marked(one.annotations)] or constructors
            for decl in (*(chosen if len(chosen) == 1 else ()), *found.methods):
                if decl in chosen or (decl.name != "<init>" and _is_marked(decl.annotations)):
                    yield from _parameters(decl)
            for param in found.components or ():
                yield from _named(param.type, param.name, param.annotations)
            for field in found.fields:
                if _is_marked(field.annotations):
                    yield from _named(field.type, field.name, field.annotations)

    def _methods_of(self, owner: TypeDef, name: str) -> Iterator[ir.MethodDecl]:
        found = owner.declaration
        yield from (one for one in found.methods if one.name == name) if found is not None else ()


def _is_eager(bean: Bean) -> bool:
    awake = bean.lazy and not _AWAKE.isdisjoint(name.rpartition(".")[2] for name in bean.names)
    return not bean.prototype and (not bean.lazy or awake)


def _is_marked(annotations: tuple[ir.Annotation, ...]) -> bool:
    return any(one.name.rpartition(".")[2] in _INJECT for one in annotations)


def _parameters(decl: ir.MethodDecl) -> Iterator[tuple[str, str]]:
    for param in decl.params:
        yield from _named(param.type, param.name, param.annotations)


def _named(
    ref: ir.TypeRef | None, name: str, annotations: tuple[ir.Annotation, ...]
) -> Iterator[tuple[str, str]]:
    """The type that a place takes; nothing where it is handed what asks for the bean later."""
    if ref is None or any(one.name.rpartition(".")[2] == "Lazy" for one in annotations):
        return
    simple = ref.name.rpartition(".")[2]
    if simple in _MANY and ref.args:
        yield ref.args[-1].name.rpartition(".")[2], ""
    else:
        yield simple, name

"""Bean definitions of configuration classes, and the conditions on other beans that keep them out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from subdrift.linter.model.expr import Expr, Items, Literal, Name, New, OneOf
from subdrift.linter.model.facts import Condition, Method
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.definitions import TypeDef
from subdrift.linter.resolve.spring.annotations import Meant
from subdrift.linter.resolve.spring.beans import Bean, Configured, Key
from subdrift.linter.resolve.spring.conditions import HOLDS, Conditions, Outcome
from subdrift.linter.resolve.spring.scans import STEREOTYPES, Scanning

_CONFIGURATIONS = frozenset({
    "Configuration", "SpringBootApplication", "SpringBootConfiguration", "SpringCloudApplication", "AutoConfiguration",
    "TestConfiguration",
})  # fmt: skip


class Defining(Scanning):
    """Registers bean definitions."""

    def _refuse(self, type_: TypeDef, condition: Condition, method: Method | None = None) -> None:
        mark = (type_.key, method.name if method else "", method.at if method else None)
        self.context.refused.setdefault(mark, condition)

    def _bean_method(self, owner: TypeDef, method: Method, made: Configured, lazily: bool) -> None:
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
        for expr in options(method.returns):
            if isinstance(expr, New):
                type_ = self._find(expr.candidates, owner.placed)
                if type_ is not None:
                    found[type_.key] = type_
        return list(found.values())

    def _bean_of(
        self, type_: TypeDef, meant: Sequence[Meant], open_: Sequence[Condition], *, lazily: bool = False
    ) -> Bean:
        text = next((name for each in meant if (name := self._said(each, meant))), None)
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

    def _said(self, each: Meant, meant: Sequence[Meant]) -> str | None:
        """The name that an annotation gives a component.

        Mirrors AnnotationBeanNameGenerator, Spring 5.3; what `@AliasFor` says counts since 6.1.
        """
        boot = self.environment.configuration.boot
        carried = each.simple in STEREOTYPES and (each.direct or boot is None or boot >= (3, 2))
        own = each.direct and not each.simple and any(one.simple in STEREOTYPES for one in meant)
        given = each.argument("value") if carried or own else None
        return self.conditions.text(given, each.placed) if given is not None else None

    def _is_lazy(self, meant: Sequence[Meant], otherwise: bool) -> bool:
        for each in meant:
            if each.simple == "Lazy":
                return is_on(each)
        return otherwise or self.environment.is_lazy

    def _is_enhanced(self, meant: Sequence[Meant]) -> bool:
        """Whether the class of the object is a generated subclass, which has no annotation of its own."""
        for each in meant:
            if each.simple in _CONFIGURATIONS and each.simple != "AutoConfiguration":
                return self._text(each, "proxyBeanMethods", "true") != "false"
        return False

    def _on_bean(
        self, each: Meant, made: Configured, method: Method | None = None, owner: TypeDef | None = None
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
        present += [self._has_named(name) for name in names]
        if missing:
            if any(one is True for one in present):
                return Outcome(condition)
            return Outcome(open=(condition,)) if None in present else HOLDS
        if any(one is False for one in present):
            return Outcome(condition)
        return Outcome(open=(condition,)) if None in present else HOLDS

    def _has_named(self, name: str) -> bool | None:
        """Whether a bean of a name is registered by now; None where that is open."""
        found = [bean for bean in self.context.beans if bean.name == name]
        return None if found and all(bean.open for bean in found) else bool(found)

    def _has_bean(self, candidates: Sequence[str], made: Configured, owner: TypeDef | None) -> bool | None:
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

    def _skipped_by_importers(self, made: Configured) -> Condition | None:
        if made.scanned or not made.importers:
            return None
        conditions = [importer.skipped for importer in made.importers]
        return conditions[0] if all(one is not None for one in conditions) else None


def is_on(each: Meant) -> bool:
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


def options(expr: Expr | None) -> tuple[Expr, ...]:
    if expr is None:
        return ()
    return expr.options if isinstance(expr, OneOf) else (expr,)


def returned(expr: Expr | None) -> Iterator[Expr]:
    for one in options(expr):
        if isinstance(one, Items):
            yield from one.items
        else:
            yield one


def _shown(each: Meant) -> str:
    return f"@{each.simple}"


def _shown_wanted(wanted: Sequence[Sequence[str]], names: Sequence[str]) -> str:
    return ", ".join([*(each[0].rpartition(".")[2] for each in wanted if each), *names])

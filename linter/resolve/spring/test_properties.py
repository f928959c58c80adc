"""A test that says itself what its application is made of and configured by -> the beans that this brings or keeps away.

Mirrors `TestPropertySourceUtils#convertInlinedPropertiesToMap` of spring-test 6.1 and `OnPropertyCondition` of Spring
Boot 3.2; inlined properties stand above every file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from subdrift.linter.model import ir
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.scope import Scope
from subdrift.linter.resolve.keys import relaxed

_SOURCES = {"TestPropertySource": ("properties",), "SpringBootTest": ("properties", "value", "")}
"""Annotations of tests, and the arguments that hold properties."""

_CLASSES = {
    "Import": ("value", ""),
    "SpringBootTest": ("classes",),
    "ContextConfiguration": ("classes", "value", ""),
}
"""Annotations of tests, and the arguments that name classes of configuration."""

_ENTRY = re.compile(r"\s*([^\s=:]+)\s*[=:]?\s*(.*?)\s*", re.DOTALL)


def inlined(test: Class, scope: Scope) -> dict[str, str]:
    """The properties that the annotations of a test name, by their relaxed keys; those of the class stand above those
    of the ones above it."""
    found: dict[str, str] = {}
    for one in scope.supers(test):
        for annotation in one.decl.annotations:
            names = _SOURCES.get(annotation.name.rpartition(".")[2], ())
            own = {
                relaxed(match[1]): match[2]
                for argument in annotation.args
                if argument.name in names
                for text in _texts(argument.value)
                for line in text.splitlines()
                if (match := _ENTRY.fullmatch(line)) is not None
            }
            found = own | found
    return found


def configured_by(test: Class, scope: Scope) -> tuple[list[Method], frozenset[str]]:
    """The `@Bean` methods of the classes that the annotations of a test name, and the names of those that nobody has
    read."""
    made: list[Method] = []
    absent: set[str] = set()
    for one in scope.supers(test):
        for annotation in one.decl.annotations:
            names = _CLASSES.get(annotation.name.rpartition(".")[2], ())
            for argument in annotation.args:
                for ref in _types(argument.value) if argument.name in names else ():
                    named = scope.named(ref.name, one)
                    if isinstance(named, str):
                        absent |= {named} if scope.is_absent(named) else set()
                        continue
                    methods = (m for each in named.below() for found in each.methods.values() for m in found)
                    made += (method for method in methods if method.annotation("Bean") is not None)
    return made, frozenset(absent)


def keep_away(maker: Class | Method, given: Mapping[str, str]) -> bool:
    """Whether a property says that a component's class, or a `@Bean` method, makes no bean."""
    owner = maker.owner if isinstance(maker, Method) else maker
    written = [*maker.decl.annotations, *(one for each in owner.lexical() for one in each.decl.annotations)]
    return any(
        _is_refused(annotation, given)
        for annotation in written
        if annotation.name.rpartition(".")[2] == "ConditionalOnProperty"
    )


def _is_refused(annotation: ir.Annotation, given: Mapping[str, str]) -> bool:
    values = {argument.name or "value": tuple(_texts(argument.value)) for argument in annotation.args}
    prefix = "".join(values.get("prefix", ()))
    prefix = f"{prefix}." if prefix and not prefix.endswith(".") else prefix
    wanted = "".join(values.get("havingValue", ()))
    for name in (*values.get("name", ()), *values.get("value", ())):
        text = given.get(relaxed(f"{prefix}{name}"))
        if text is None or "$" in text:
            continue
        if (text.lower() != wanted.lower()) if wanted else (text.lower() == "false"):
            return True
    return False


def _texts(expr: object) -> Iterator[str]:
    """The texts that are written, alone or in an array."""
    if isinstance(expr, ir.Const) and isinstance(expr.value, str):
        yield expr.value
    elif isinstance(expr, ir.Sequence):
        for item in expr.items:
            yield from _texts(item)


def _types(expr: object) -> Iterator[ir.TypeRef]:
    """The types that are named, alone or in an array."""
    if isinstance(expr, ir.TypeLiteral):
        yield expr.type
    elif isinstance(expr, ir.Sequence):
        for item in expr.items:
            yield from _types(item)

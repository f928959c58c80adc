"""Kotlin source -> facts: the types a file declares, by name; what its code does is run, see `linter.resolve.execute`."""

from __future__ import annotations

from collections.abc import Iterator

from linter.languages.kotlin import lower
from linter.model import ir
from linter.model.facts import FileFacts, Method, Problem, Type, TypeKind
from linter.model.location import Span
from linter.model.message import say

_KINDS = {"interface": TypeKind.INTERFACE, "enum": TypeKind.ENUM, "annotation": TypeKind.ANNOTATION}
_LISTENERS = frozenset(
    {"RocketMQMessageListener", "ExtRocketMQConsumerConfiguration", "ExtConsumerResetConfiguration"}
)
_STARTS = frozenset({"SpringBootApplication", "SpringCloudApplication"})


def read_file(name: str, content: bytes) -> FileFacts:
    """The `Reader` of `linter.extract`."""
    unit = lower(content, name.rpartition(".")[0])
    single = {one.name: one.path for one in unit.imports if not one.wildcard}
    wildcards = [one.path for one in unit.imports if one.wildcard]
    problems = [Problem("parse-error", say("syntax-error"), None, Span(*at)) for at in unit.broken[:1]]
    problems += [_unread(one) for decl in unit.types for one in _listeners(decl)]
    types = tuple(
        each for decl in unit.types for each in _types(decl, unit.package, unit.package, single, wildcards)
    )
    runs = any(
        method.name == "main"
        or any(one.name.rpartition(".")[2] in _STARTS for decl in unit.types for one in decl.annotations)
        for decl in unit.types
        for method in decl.methods
    )
    return FileFacts(
        "kotlin",
        unit.package,
        (*single.values(), *(f"{path}.*" for path in wildcards)),
        types,
        problems=tuple(problems),
        runs=runs,
        unit=unit,
    )


def _listeners(decl: ir.ClassDecl) -> Iterator[ir.Annotation]:
    """The annotations that declare a consumer, on a class or on what is nested in it."""
    yield from (one for one in decl.annotations if one.name.rpartition(".")[2] in _LISTENERS)
    for inner in decl.types:
        yield from _listeners(inner)


def _unread(annotation: ir.Annotation) -> Problem:
    return Problem(
        "unrecognised-use",
        say("kotlin-listener", annotation=annotation.name),
        say("check-by-hand"),
        Span(*annotation.at),
    )


def _types(
    decl: ir.ClassDecl, prefix: str, package: str, single: dict[str, str], wildcards: list[str]
) -> Iterator[Type]:
    name = f"{prefix}.{decl.name}" if prefix else decl.name
    supers = []
    for ref in decl.supers:
        head, _, rest = ref.name.partition(".")
        tail = f".{rest}" if rest else ""
        found = [single[head] + tail] if head in single else []
        if not found:
            found = [f"{each}.{ref.name}" if each else ref.name for each in (prefix, package, *wildcards)]
        supers.append(tuple(found))
    methods = tuple(
        Method(one.name, None, (), False, one.body is None, (), Span(*one.name_at)) for one in decl.methods
    )
    kind = _KINDS.get(decl.kind, TypeKind.CLASS)
    yield Type(
        name,
        kind,
        tuple(supers),
        (),
        (),
        methods,
        decl.abstract or kind is TypeKind.INTERFACE,
        Span(*decl.name_at),
    )
    for inner in decl.types:
        yield from _types(inner, name, package, single, wildcards)

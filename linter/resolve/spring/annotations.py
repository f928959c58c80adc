"""The annotations in force at a place: those written there, and those they stand for (meta-annotations)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.expr import Expr, Items, Literal, TypeName
from subdrift.linter.model.facts import AnnotationUse, Condition, Field, TypeKind
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.definitions import Ambiguous, Definitions, TypeDef
from subdrift.linter.resolve.modules import Deployable

META_MAX = 8
"""Annotations followed from one to the next; nobody nests them deeper."""

_JAVA = frozenset({"Target", "Retention", "Documented", "Inherited", "Repeatable"})
_LIBRARIES = (
    "java.",
    "javax.",
    "jakarta.",
    "org.springframework.",
    "lombok.",
    "org.apache.rocketmq.spring.annotation.",
    "org.apache.rocketmq.client.annotation.",
    "kotlin.",
)
"""Packages whose annotations are known here; those of starters' forks may be stereotypes."""


class Meant(Struct, frozen=True):
    """One annotation in force. `simple` is its name, "" for one of the run's own; `at` is the place written in code.

    `known` is False for an annotation that is neither of the run nor of a library whose annotations are known here.
    """

    simple: str
    use: AnnotationUse
    placed: Placed
    at: Span
    file: Origin
    """Where `at` is."""
    direct: bool = True
    known: bool = True

    def condition(self, kind: str, text: str) -> Condition:
        """That it makes something hang on."""
        return Condition(kind, text, self.at, self.file)

    def argument(self, *names: str) -> Expr | None:
        return next((found for name in names if (found := self.use.argument(name)) is not None), None)

    def elements(self, *names: str) -> tuple[Expr, ...]:
        """The elements of an attribute that is an array, written as one or as a lone value."""
        found = self.argument(*names)
        if found is None:
            return ()
        return found.items if isinstance(found, Items) else (found,)


class Annotations:
    """Looks annotations up for one deployable."""

    def __init__(self, definitions: Definitions, deployable: Deployable) -> None:
        self._definitions = definitions
        self._deployable = deployable
        self._kept: dict[tuple[Origin, tuple[AnnotationUse, ...]], tuple[Meant, ...]] = {}

    def of_type(self, type_: TypeDef) -> tuple[Meant, ...]:
        return self.of(type_.placed, type_.type.annotations)

    def of(self, placed: Placed, uses: Sequence[AnnotationUse]) -> tuple[Meant, ...]:
        """Every annotation that `uses` mean, outer ones before those they stand for."""
        mark = (placed.origin, tuple(uses))
        found = self._kept.get(mark)
        if found is None:
            found = self._kept[mark] = tuple(
                meant
                for use in uses
                for meant in self._expanded(use, placed, Location(placed.origin, use.at), 0)
            )
        return found

    def _expanded(self, use: AnnotationUse, placed: Placed, at: Location, depth: int) -> Iterator[Meant]:
        own = self._own(use, placed)
        simple = use.candidates[0].rpartition(".")[2] if use.candidates else ""
        if own is None:
            known = any(name.startswith(_LIBRARIES) for name in use.candidates)
            yield Meant(simple, use, placed, at.span, at.origin, depth == 0, known)
            return
        use = use.declared_as([field.name for field in own.type.fields])
        yield Meant("", use, placed, at.span, at.origin, depth == 0)
        if depth >= META_MAX:
            return
        for inner in own.type.annotations:
            name = inner.candidates[0].rpartition(".")[2] if inner.candidates else ""
            if name not in _JAVA and own.name not in inner.candidates:
                yield from self._expanded(_merged(inner, use, own), own.placed, at, depth + 1)

    def _own(self, use: AnnotationUse, placed: Placed) -> TypeDef | None:
        if len(use.candidates) == 1 and use.candidates[0].startswith(_LIBRARIES):
            return None
        try:
            found = self._definitions.first(use.candidates, placed, self._deployable)
        except Ambiguous:
            return None
        if found is None or found.type.type.kind is not TypeKind.ANNOTATION:
            return None
        return found.type


def _merged(inner: AnnotationUse, outer: AnnotationUse, own: TypeDef) -> AnnotationUse:
    """An annotation as the one that carries it overrides its attributes: `@AliasFor`, or the same name."""
    given: dict[str, Expr] = {}
    for field in own.type.fields:
        alias = _alias(field, inner)
        written = outer.argument(field.name)
        if alias:
            value = written if written is not None else field.value
            if value is not None and (written is not None or not _is_empty(value)):
                given[alias] = value
        elif written is not None and field.name != "value" and inner.argument(field.name) is not None:
            given[field.name] = written
    if not given:
        return inner
    return replace(inner, args=tuple(_overridden(dict(inner.args), given).items()))


def _overridden(args: Mapping[str, Expr], given: Mapping[str, Expr]) -> dict[str, Expr]:
    return {**args, **given}


def _is_empty(value: Expr) -> bool:
    return value == Literal("", value.at) or (isinstance(value, Items) and not value.items)


def _alias(field: Field, inner: AnnotationUse) -> str:
    """The attribute of an inner annotation that an attribute stands for, "" for none."""
    for use in field.annotations:
        if not use.candidates or use.candidates[0].rpartition(".")[2] != "AliasFor":
            continue
        target = use.argument("annotation")
        if not isinstance(target, TypeName) or set(target.candidates).isdisjoint(inner.candidates):
            continue
        named = use.argument("attribute") or use.argument("value")
        return named.text if isinstance(named, Literal) and named.text else field.name
    return ""

"""Spring's side of a file: annotated listeners, the conditions around them, and functional beans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from subdrift.linter.clients.apis import JAVA_ANNOTATIONS, V5_ONLY_ATTRIBUTES, JavaAnnotation
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Expr, Interpolate, Items, Literal, Unknown, Why
from subdrift.linter.model.facts import (
    AnnotationUse,
    Attribute,
    Condition,
    ConsumerSite,
    Setting,
    SubscriptionSite,
    Type,
    TypeKind,
)
from subdrift.linter.model.location import Span
from subdrift.linter.model.walk import nodes
from subdrift.linter.recognise.names import Names, Scope
from subdrift.linter.recognise.tested import tested_tags
from subdrift.linter.recognise.values import Values

_BY_TYPE: dict[str, JavaAnnotation] = {name: row for row in JAVA_ANNOTATIONS for name in row.types}
_SIMPLE = frozenset(name.rpartition(".")[2] for name in _BY_TYPE)
_ENUMS = frozenset({Attribute.MESSAGE_MODEL, Attribute.CONSUME_MODE, Attribute.CONSUME_FROM})
_STEREOTYPES = frozenset({
    "Component", "Service", "Configuration", "Controller", "RestController", "Repository", "Named",
    "SpringBootApplication", "ManagedBean", "ControllerAdvice", "RestControllerAdvice", "TestConfiguration",
    "AutoConfiguration", "TestComponent", "SpringCloudApplication", "JobHandler", "FeignClient",
})  # fmt: skip
_PLAIN = frozenset({
    "Slf4j", "Log4j2", "Log", "Log4j", "CommonsLog", "RequiredArgsConstructor", "AllArgsConstructor",
    "NoArgsConstructor", "Data", "Getter", "Setter", "ToString", "EqualsAndHashCode", "SuppressWarnings",
    "Deprecated", "Order", "Lazy", "Scope", "Primary", "Profile", "RefreshScope", "ConditionalOnProperty",
    "ConditionalOnExpression", "ConditionalOnClass", "ConditionalOnBean", "ConditionalOnMissingBean",
    "RocketMQMessageListener", "EnableConfigurationProperties", "DependsOn", "Transactional", "Validated",
    "Generated", "Conditional", "Async", "Tag", "Api",
})  # fmt: skip
"""Annotations that surely make no bean; any other may be a stereotype of the project's own."""

_FUNCTIONS = {"Consumer": "consumer", "Function": "function", "Supplier": "supplier"}

Functional = tuple[str, str, Span]
"""Name, kind (consumer, function, supplier) and place of a bean."""


class Spring:
    """Reads the types of one file, which are given with the scopes they were read from."""

    def __init__(self, unit: ir.Unit, names: Names, types: Iterable[Type]) -> None:
        self.unit = unit
        self.values = Values(names)
        self.declared = tuple(zip(names.scopes, types, strict=True))
        self.types = {type_.name: type_ for type_ in reversed([each for _, each in self.declared])}

    # -- annotated listeners ----------------------------------------------------------------------------------

    def sites(self) -> Iterator[ConsumerSite]:
        """A site for every annotation of a type that declares a consumer."""
        for scope, type_ in self.declared:
            for use in type_.annotations:
                row = _row(use)
                if row is not None:
                    yield self._site(scope, type_, use, row)

    def _site(self, scope: Scope, type_: Type, use: AnnotationUse, row: JavaAnnotation) -> ConsumerSite:
        written = dict(use.args)
        settings = []
        for name, attribute in row.attributes.items():
            value = _text(written, name, row, use.at, enum=attribute in _ENUMS)
            if value is not None:
                settings.append(Setting(attribute, value, use.at))
        topic = _text(written, row.topic, row, use.at) or Unknown(Why.UNDEFINED, row.topic, use.at)
        expressions = (_text(written, name, row, use.at) for name in row.expression)
        expression = next((found for found in expressions if found is not None), None)
        kind = _text(written, row.filter_type, row, use.at, enum=not row.api.endswith("-v5"))
        return ConsumerSite(
            row.api,
            use.at,
            type_.name,
            type_.name,
            tuple(settings),
            (SubscriptionSite(use.at, topic, expression, kind),),
            () if row.is_bean or self._is_bean(scope, type_) else (Condition("not-a-bean", "", use.at),),
            any(place[0] <= use.at.end_line and use.at.line <= place[2] for place in self.unit.broken),
            tuple(self.values.of(one, scope) for one in tested_tags(scope.decl)),
        )

    def _is_bean(self, scope: Scope, type_: Type) -> bool:
        """Whether a type is, or may be, a bean: a stereotype, an annotation that may be one, or made in this file."""
        names = {each.name.rpartition(".")[2] for each in scope.decl.annotations}
        if names & _STEREOTYPES or names - _PLAIN - _SIMPLE:
            return True
        if type_.abstract:
            return True  # its subclasses decide
        return self._is_mentioned(scope.simple)

    def _is_mentioned(self, simple: str) -> bool:
        """Whether the file makes an object of a type or hands its class on: a `@Bean`, an `@Import`, a test."""
        return any(
            node.type.name.rpartition(".")[2] == simple
            if isinstance(node, ir.New | ir.TypeLiteral)
            else self.unit.language == "kotlin" and isinstance(node, ir.Call) and node.name == simple
            for node in nodes(self.unit.types)
        )

    # -- functional beans -------------------------------------------------------------------------------------

    def functional(self) -> Iterator[Functional]:
        """Beans that Spring Cloud Function binds."""
        for _, type_ in self.declared:
            for method in type_.methods:
                kind = _function(method.return_type)
                for use in method.annotations if kind else ():
                    if _simple(use) == "Bean":
                        name = _first(use.argument("value") or use.argument("name")) or method.name
                        yield name, kind, method.at
            kind = next((found for names in type_.supers if (found := _function(names))), "")
            for use in type_.annotations if kind and type_.kind is TypeKind.CLASS else ():
                if _simple(use) in ("Component", "Service"):
                    simple = type_.name.rpartition(".")[2]
                    name = _first(use.argument("value")) or simple[:1].lower() + simple[1:]
                    yield name, kind, type_.at


def _row(use: AnnotationUse) -> JavaAnnotation | None:
    """The kind of listener an annotation declares, where two libraries share its name by the attributes it has."""
    rows = list({row.api: row for name in use.candidates if (row := _BY_TYPE.get(name))}.values())
    if len(rows) > 1:
        v5 = any(name in V5_ONLY_ATTRIBUTES for name, _ in use.args)
        rows = [row for row in rows if row.api.endswith("-v5") == v5]
    return rows[0] if rows else None


def _text(
    written: dict[str, Expr], name: str, row: JavaAnnotation, at: Span, *, enum: bool = False
) -> Expr | None:
    """A written attribute with its placeholders to be resolved, else the library's own default text."""
    value = written.get(name)
    if value is None:
        default = row.defaults.get(name)
        return Interpolate(Literal(default, at), at) if default is not None else None
    return value if enum else Interpolate(value, value.at)


def _simple(use: AnnotationUse) -> str:
    return use.candidates[0].rpartition(".")[2] if use.candidates else ""


def _function(candidates: tuple[str, ...]) -> str:
    for candidate in candidates:
        package, _, simple = candidate.rpartition(".")
        if package == "java.util.function" and simple in _FUNCTIONS:
            return _FUNCTIONS[simple]
    return ""


def _first(expr: Expr | None) -> str:
    if isinstance(expr, Items) and expr.items:
        expr = expr.items[0]
    return expr.text if isinstance(expr, Literal) else ""

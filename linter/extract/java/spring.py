"""Spring's side of a file: annotated listeners, their hooks and conditions, and functional beans."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from linter.clients.apis import JAVA_ANNOTATIONS, JAVA_CONSUMERS, V5_ONLY_ATTRIBUTES, JavaAnnotation
from linter.extract.java.flow import parameter_type, parameters
from linter.extract.java.members import Members
from linter.extract.java.names import Names, Place, Scope
from linter.extract.java.objects import ROWS, Object, Objects
from linter.extract.java.source import Source
from linter.model.expr import Expr, Interpolate, Items, Literal, Unknown, Why
from linter.model.facts import (
    AnnotationUse,
    Attribute,
    Condition,
    Setting,
    SubscriptionSite,
    TypeKind,
)
from linter.model.location import Span

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


class Spring:
    def __init__(self, source: Source, names: Names, members: Members, objects: Objects) -> None:
        self.source = source
        self.names = names
        self.members = members
        self.objects = objects
        self.annotated: dict[int, JavaAnnotation] = {}  # start of an annotation that became a site

    # -- annotated listeners ----------------------------------------------------------------------------------

    def declare(self) -> None:
        """An object for every annotated type, and its `prepareStart` hook."""
        for scope in self.names.scopes:
            for node in self.members.annotation_nodes(scope.node):
                name = self.members.annotation_name(node)
                if name.rpartition(".")[2] not in _SIMPLE:
                    continue
                use = self.members.annotation(node, scope)
                row = self._row(use)
                if row is not None:
                    self.annotated[node.start_byte] = row
                    self._object(scope, node, use, row)

    def _row(self, use: AnnotationUse) -> JavaAnnotation | None:
        rows = list({row.api: row for name in use.candidates if (row := _BY_TYPE.get(name))}.values())
        if len(rows) > 1:
            v5 = any(name in V5_ONLY_ATTRIBUTES for name, _ in use.args)
            rows = [row for row in rows if row.api.endswith("-v5") == v5]
        return rows[0] if rows else None

    def _object(self, scope: Scope, node: Node, use: AnnotationUse, row: JavaAnnotation) -> None:
        api = "grpc-push" if row.api.endswith("-v5") else "push"
        consumer = next(each for each in JAVA_CONSUMERS if each.api == api)
        made = Object(consumer, row.api, node, use.at, Place(scope, None, scope.name), started=True)
        order = node.start_byte
        written = dict(use.args)
        for name, attribute in row.attributes.items():
            value = self._text(written, name, row, use.at, enum=attribute in _ENUMS)
            if value is not None:
                made.settings.append((order, Setting(attribute, value, use.at)))
        topic = self._text(written, row.topic, row, use.at) or Unknown(Why.UNDEFINED, row.topic, use.at)
        expression = next(
            (
                found
                for name in row.expression
                if (found := self._text(written, name, row, use.at)) is not None
            ),
            None,
        )
        kind = self._text(written, row.filter_type, row, use.at, enum=not row.api.endswith("-v5"))
        made.subscriptions.append((order, SubscriptionSite(use.at, topic, expression, kind)))
        self.objects.declare(made)
        for method in scope.methods.get("prepareStart", ()):
            given = parameters(method)
            kinds = self.names.of_type(parameter_type(given[0]), scope) if len(given) == 1 else ()
            if any(name in ROWS for name in kinds):
                self.objects.hook(given[0], made)

    def _text(
        self, written: dict[str, Expr], name: str, row: JavaAnnotation, at: Span, *, enum: bool = False
    ) -> Expr | None:
        """A written attribute with its placeholders to be resolved, else the library's own default text."""
        value = written.get(name)
        if value is None:
            default = row.defaults.get(name)
            return Interpolate(Literal(default, at), at) if default is not None else None
        return value if enum else Interpolate(value, value.at)

    # -- conditions -------------------------------------------------------------------------------------------

    def conditions(self, made: Object) -> tuple[Condition, ...]:
        """Why the object may not exist: no bean, a profile, a property; on its type, its method or around."""
        found: list[Condition] = []
        scope = made.place.scope
        row = self.annotated.get(made.node.start_byte) if made.place.member is None else None
        if row is not None and scope is not None and not row.is_bean and not self._is_bean(scope):
            found.append(Condition("not-a-bean", "", made.at))
        if made.place.member is not None and scope is not None:
            found += self._conditions_on(made.place.member, scope)
        for outer in scope.chain if scope is not None else ():
            found += self._conditions_on(outer.node, outer)
        if not made.started and self._never_started(made):
            found.append(Condition("never-started", "", made.at))
        return tuple(found)

    def _is_bean(self, scope: Scope) -> bool:
        """Whether a type is, or may be, a bean: a stereotype, an annotation that may be one, or made in this file."""
        names = {
            self.members.annotation_name(n).rpartition(".")[2]
            for n in self.members.annotation_nodes(scope.node)
        }
        if names & _STEREOTYPES or names - _PLAIN - _SIMPLE:
            return True
        if "abstract" in self.members.modifiers(scope.node) or scope.kind is TypeKind.INTERFACE:
            return True  # its subclasses decide
        return self._mentioned(scope)

    def _mentioned(self, scope: Scope) -> bool:
        """Whether the file makes an object of the type or hands its class on: a `@Bean`, an `@Import`, a test."""
        for path in self.objects.hits({scope.simple.encode()}):
            kinds = {node.type for node in path[-4:-1]}
            if kinds & {"object_creation_expression", "class_literal"}:
                return True
        return False

    def _conditions_on(self, node: Node, scope: Scope) -> Iterator[Condition]:
        for each in self.members.annotation_nodes(node):
            simple = self.members.annotation_name(each).rpartition(".")[2]
            if simple != "Profile" and not simple.startswith("ConditionalOn"):
                continue
            use = self.members.annotation(each, scope)
            if simple == "Profile":
                yield Condition("profile", _texts(use.argument("value")), use.at)
            elif simple == "ConditionalOnProperty":
                yield Condition("property", _property(use), use.at)
            elif simple == "ConditionalOnExpression":
                yield Condition("expression", _texts(use.argument("value")), use.at)

    def _never_started(self, made: Object) -> bool:
        """Whether nothing in the file starts a consumer that cannot leave the method that makes it."""
        if made.api not in ("push", "lite-pull", "pull", "ons"):
            return False
        path = self.source.path(made.node.start_byte, made.node.end_byte)
        parent = path[-2] if len(path) > 1 and path[-1] == made.node else None
        if parent is None or parent.type != "variable_declarator" or not len(path) > 2:
            return False
        named = parent.child_by_field_name("name")
        member = made.place.member
        if path[-3].type != "local_variable_declaration" or named is None or member is None:
            return False
        return not self.objects.leaves(self.source.text(named), made.node.end_byte, member.end_byte)

    # -- functional beans -------------------------------------------------------------------------------------

    def functional(self) -> tuple[tuple[str, str, Span], ...]:
        """Beans that Spring Cloud Function binds: name, kind and place."""
        found: list[tuple[str, str, Span]] = []
        for scope in self.names.scopes:
            for methods in scope.methods.values():
                for method in methods:
                    found += self._bean_method(method, scope)
            found += self._component(scope)
        return tuple(found)

    def _bean_method(self, method: Node, scope: Scope) -> Iterator[tuple[str, str, Span]]:
        kind = self._function(self.names.of_type(method.child_by_field_name("type"), scope))
        named = method.child_by_field_name("name")
        if not kind or named is None:
            return
        for node in self.members.annotation_nodes(method):
            if self.members.annotation_name(node).rpartition(".")[2] == "Bean":
                use = self.members.annotation(node, scope)
                name = _first(use.argument("value") or use.argument("name")) or self.source.text(named)
                yield name, kind, self.source.span(named)

    def _component(self, scope: Scope) -> Iterator[tuple[str, str, Span]]:
        kind = next((found for names in scope.supers if (found := self._function(names))), "")
        named = scope.node.child_by_field_name("name")
        if not kind or named is None or scope.kind is not TypeKind.CLASS:
            return
        for node in self.members.annotation_nodes(scope.node):
            if self.members.annotation_name(node).rpartition(".")[2] in ("Component", "Service"):
                use = self.members.annotation(node, scope)
                name = _first(use.argument("value")) or scope.simple[:1].lower() + scope.simple[1:]
                yield name, kind, self.source.span(named)

    def _function(self, candidates: tuple[str, ...]) -> str:
        for candidate in candidates:
            package, _, simple = candidate.rpartition(".")
            if package == "java.util.function" and simple in _FUNCTIONS:
                return _FUNCTIONS[simple]
        return ""


def _first(expr: Expr | None) -> str:
    if isinstance(expr, Items) and expr.items:
        expr = expr.items[0]
    return expr.text if isinstance(expr, Literal) else ""


def _texts(expr: Expr | None) -> str:
    """The literal texts of an attribute, joined by commas; `?` for one that is not literal."""
    if expr is None:
        return ""
    items = expr.items if isinstance(expr, Items) else (expr,)
    return ",".join(item.text if isinstance(item, Literal) else "?" for item in items)


def _property(use: AnnotationUse) -> str:
    """`prefix.name=value` of a `@ConditionalOnProperty`; without `=value` any value but false will do."""
    prefix = _texts(use.argument("prefix"))
    prefix = prefix + "." if prefix and not prefix.endswith(".") else prefix
    names = _texts(use.argument("name") or use.argument("value")).split(",")
    wanted = _texts(use.argument("havingValue"))
    text = ",".join(f"{prefix}{name}{'=' + wanted if wanted else ''}" for name in names)
    return text + (" or missing" if _texts(use.argument("matchIfMissing")) == "true" else "")

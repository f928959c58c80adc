"""The types a file declares -> `Type` facts: fields with initialisers, methods summarised, annotations."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from tree_sitter import Node

from linter.extract.java.combine import alternatives, asks_presence, one_of
from linter.extract.java.expressions import Expressions
from linter.extract.java.flow import parameter_name, parameter_type, parameters
from linter.extract.java.names import METHOD_NODES, Names, Scope
from linter.extract.java.source import Source
from linter.extract.java.syntax import code
from linter.extract.java.variables import MUTATORS
from linter.model.expr import Argument, Call, Entries, Expr, Items, New, Unknown, Why
from linter.model.facts import AnnotationUse, Field, Method, Type, TypeKind

RETURNS_MAX = 16
"""Return statements of one method that are read."""

ASSIGNS_MAX = 64
"""Field assignments of one method that are read."""

_KNOWN = frozenset({
    "Bean", "Value", "NacosValue", "ApolloJsonValue", "Qualifier", "Autowired", "Resource", "Inject", "Profile",
    "ConfigurationProperties", "ConditionalOnProperty", "ConditionalOnExpression", "ConditionalOnMissingBean",
    "PostConstruct", "StreamListener", "Input", "Output", "ServiceActivator", "Getter", "Setter", "Data", "Lazy",
    "Primary", "Configuration", "Component", "Named", "NestedConfigurationProperty", "Builder", "Scope", "AliasFor",
    "EventListener",
})  # fmt: skip
"""Annotations of fields, methods and parameters that mean something to resolution; others are left out."""

SHORT_MAX = 500
"""Bytes of a method body that is summarised whatever it returns; longer ones only for some types."""

_CARRIERS = frozenset({
    "String", "Object", "Map", "HashMap", "LinkedHashMap", "List", "ArrayList", "Set", "Collection", "Properties",
    "Optional", "Subscription", "FilterExpression", "MessageSelector", "CharSequence", "T",
})  # fmt: skip

_LOGGERS = frozenset(
    {"Logger", "Log", "InternalLogger", "ObjectMapper", "Gson", "AtomicInteger", "AtomicLong"}
)
"""Types of fields whose initialiser never says a name."""

_UNINTERESTING = frozenset({"void_type", "boolean_type", "floating_point_type"})
_EQUALS = re.compile(rb"=(?!=)")
_BEFORE = re.compile(rb"\+?\s*([\w$]*[A-Za-z_$])(?:\s*\.\s*([\w$]+))?")
"""What stands before an assignment sign, read backwards: the name, and the word before its dot."""


class Members:
    def __init__(
        self, source: Source, names: Names, expressions: Expressions, tracked: frozenset[str]
    ) -> None:
        self.source = source
        self.names = names
        self.expressions = expressions
        self.wanted = _KNOWN | tracked
        self._assigned: dict[str, list[tuple[int, str, str]]] = {}

    def types(self) -> tuple[Type, ...]:
        return tuple(self._type(scope) for scope in self.names.scopes)

    def _type(self, scope: Scope) -> Type:
        body = scope.node.child_by_field_name("body")
        members = list(_members(body)) if body is not None else []
        fields: list[Field] = []
        methods: list[Method] = []
        if scope.kind is TypeKind.RECORD:
            fields += [self._parameter(node, scope) for node in parameters(scope.node)]
        for node in members:
            kind = node.type
            if kind in ("field_declaration", "constant_declaration"):
                fields += self._fields(node, scope)
            elif kind == "enum_constant":
                fields.append(self._constant(node, scope))
            elif kind == "annotation_type_element_declaration":
                fields.append(self._attribute(node, scope))
            elif kind in METHOD_NODES:
                methods.append(self._method(node, scope))
        modifiers = self.modifiers(scope.node)
        abstract = scope.kind is TypeKind.INTERFACE or "abstract" in modifiers
        named = scope.node.child_by_field_name("name")
        return Type(
            scope.name,
            scope.kind,
            scope.supers,
            self.annotations(scope.node, scope, everything=True),
            tuple(fields),
            tuple(methods),
            abstract,
            self.source.span(named if named is not None else scope.node),
            self._is_inner(scope),
        )

    def _is_inner(self, scope: Scope) -> bool:
        """Whether a nested class is not static, written or implied."""
        outer = scope.parent
        return (
            outer is not None
            and scope.kind is TypeKind.CLASS
            and outer.kind not in (TypeKind.INTERFACE, TypeKind.ANNOTATION)
            and "static" not in self.modifiers(scope.node)
        )

    # -- annotations ------------------------------------------------------------------------------------------

    def modifiers(self, node: Node) -> frozenset[str]:
        first = node.child(0)
        if first is None or first.type != "modifiers":
            return frozenset()
        return frozenset(child.type for child in first.children)

    def annotation_nodes(self, node: Node) -> Iterator[Node]:
        first = node.child(0)
        if first is not None and first.type == "modifiers":
            for each in first.named_children:
                if each.type in ("annotation", "marker_annotation"):
                    yield each

    def annotations(self, node: Node, scope: Scope, *, everything: bool = False) -> tuple[AnnotationUse, ...]:
        return tuple(
            self.annotation(each, scope)
            for each in self.annotation_nodes(node)
            if everything or self.annotation_name(each).rpartition(".")[2] in self.wanted
        )

    def annotation_name(self, node: Node) -> str:
        named = node.child_by_field_name("name")
        return self.source.text(named) if named is not None else ""

    def annotation(self, node: Node, scope: Scope) -> AnnotationUse:
        candidates = self.names.types(self.annotation_name(node), scope)[0]
        args: list[tuple[str, Expr]] = []
        held = node.child_by_field_name("arguments")
        for child in code(held) if held is not None else ():
            if child.type == "element_value_pair":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is not None and value is not None:
                    args.append((self.source.text(key), self._attribute_value(value, scope)))
            else:
                args.append(("value", self._attribute_value(child, scope)))
        return AnnotationUse(candidates, tuple(args), self.source.span(node))

    def _attribute_value(self, node: Node, scope: Scope) -> Expr:
        if node.type in ("annotation", "marker_annotation"):
            use = self.annotation(node, scope)
            args = tuple(Argument(value, name) for name, value in use.args)
            return New(use.candidates, args, use.at)
        if node.type == "element_value_array_initializer":
            items = tuple(self._attribute_value(child, scope) for child in code(node))
            return Items(items, self.source.span(node))
        return self.expressions.expr(node, scope)

    # -- fields -----------------------------------------------------------------------------------------------

    def _fields(self, node: Node, scope: Scope) -> Iterator[Field]:
        modifiers = self.modifiers(node)
        interface = scope.kind in (TypeKind.INTERFACE, TypeKind.ANNOTATION)
        kind = node.child_by_field_name("type")
        annotations = self.annotations(node, scope)
        for declarator in node.children_by_field_name("declarator"):
            named = declarator.child_by_field_name("name")
            if named is None:
                continue
            value = declarator.child_by_field_name("value")
            if kind is not None and self.source.text(kind) in _LOGGERS:
                value = None
            expr = self.expressions.expr(value, scope) if value is not None else None
            if isinstance(expr, Entries | Items):
                expr = self._filled(expr, self.source.text(named), scope)
            yield Field(
                self.source.text(named),
                self.names.of_type(kind, scope),
                self.names.element_of(kind, scope),
                None if value is not None and value.type == "null_literal" else expr,
                interface or "static" in modifiers,
                interface or "final" in modifiers,
                annotations,
                self.source.span(named),
            )

    def _filled(self, made: Expr, name: str, scope: Scope) -> Expr:
        """A collection field with what initializers and methods of the type put into it."""
        node = scope.node
        for call in self.expressions.variables.calls_on(
            name, f"{MUTATORS}|load", node.start_byte, node.end_byte
        ):
            target = call.child_by_field_name("object")
            if target is None or (
                target.type == "identifier" and self.expressions.flow.variable(target, name) is not None
            ):
                continue
            if self._at_run_time(call):
                return Unknown(Why.DYNAMIC, f"{name} is filled at run time", self.source.span(call))
            made = self.expressions.variables.added(made, call, scope)
        if made in (Entries((), made.at), Items((), made.at)):
            return Unknown(Why.DYNAMIC, f"{name} is filled elsewhere", made.at)
        return made

    def _at_run_time(self, node: Node) -> bool:
        """Whether a statement stands in a method with parameters: what it stores comes from its callers."""
        path = self.source.path(node.start_byte, node.end_byte)
        method = next((each for each in path if each.type == "method_declaration"), None)
        return method is not None and bool(parameters(method))

    def _constant(self, node: Node, scope: Scope) -> Field:
        named = node.child_by_field_name("name") or node
        held = node.child_by_field_name("arguments")
        args = tuple(
            Argument(self.expressions.expr(arg, scope)) for arg in (code(held) if held is not None else ())
        )
        at = self.source.span(named)
        value = New((scope.name,), args, at)
        return Field(self.source.text(named), (scope.name,), (), value, True, True, (), at)

    def _attribute(self, node: Node, scope: Scope) -> Field:
        named = node.child_by_field_name("name") or node
        value = node.child_by_field_name("value")
        expr = self._attribute_value(value, scope) if value is not None else None
        kind = node.child_by_field_name("type")
        types = self.names.of_type(kind, scope)
        return Field(
            self.source.text(named),
            types,
            self.names.element_of(kind, scope),
            expr,
            False,
            True,
            self.annotations(node, scope, everything=True),
            self.source.span(named),
        )

    def _parameter(self, node: Node, scope: Scope) -> Field:
        named = parameter_name(node)
        kind = parameter_type(node)
        text = self.source.text(named) if named is not None else ""
        return Field(
            f"*{text}" if node.type == "spread_parameter" else text,
            self.names.of_type(kind, scope),
            self.names.element_of(kind, scope),
            None,
            False,
            False,
            self.annotations(node, scope),
            self.source.span(named if named is not None else node),
        )

    # -- methods ----------------------------------------------------------------------------------------------

    def _method(self, node: Node, scope: Scope) -> Method:
        named = node.child_by_field_name("name")
        constructor = node.type != "method_declaration"
        body = node.child_by_field_name("body")
        kind = node.child_by_field_name("type")
        returns = None
        if body is not None and kind is not None and self._interesting(kind, body, scope):
            returns = self._returns(body, scope)
        assigns = self._assigns(body, scope) if body is not None else ()
        params = tuple(self._parameter(each, scope) for each in parameters(node))
        if node.type == "compact_constructor_declaration":
            params = tuple(self._parameter(each, scope) for each in parameters(scope.node))
        return Method(
            "<init>" if constructor or named is None else self.source.text(named),
            params,
            returns,
            self.names.of_type(kind, scope),
            assigns,
            "static" in self.modifiers(node),
            body is None,
            self.annotations(node, scope, everything=self._is_bean_method(node)),
            self.source.span(named if named is not None else node),
        )

    def _is_bean_method(self, node: Node) -> bool:
        """Whether every annotation of a method counts: any of them may be a condition of the bean it makes."""
        names = {self.annotation_name(each).rpartition(".")[2] for each in self.annotation_nodes(node)}
        return "Bean" in names

    def _interesting(self, kind: Node, body: Node, scope: Scope) -> bool:
        """Whether what a method returns may matter: a short method, or a type that carries names or consumers."""
        if kind.type in _UNINTERESTING:
            return False
        if body.end_byte - body.start_byte <= SHORT_MAX:
            return True
        if any(name in self.names.by_name for name in self.names.of_type(kind, scope)):
            return True
        text = self.source.text(kind)
        return "onsumer" in text or text.partition("<")[0].removesuffix("[]") in _CARRIERS

    def _returns(self, body: Node, scope: Scope) -> Expr | None:
        options: list[Expr] = []
        null = False
        for node in self.return_values(body):
            if node.type == "null_literal":
                null = True
            elif len(options) < RETURNS_MAX:
                options.append(self.expressions.expr(node, scope))
            else:
                return Unknown(Why.TOO_MANY, f"more than {RETURNS_MAX} returns", self.source.span(node))
        asks = asks_presence(self.source.text(body)) if len(options) > 1 else False
        found = (alternatives if asks else one_of)(options, self.source.span(body))
        if found is None and null:
            return Call(("builtin:none",), (), self.source.span(body))
        return found

    def return_values(self, body: Node) -> Iterator[Node]:
        """What the return statements of a body return, those of lambdas and classes inside left out."""
        for offset in self.source.standing(b"return", body.start_byte, body.end_byte):
            path = self.source.path(offset, offset + len(b"return"), body)
            if len(path) < 2 or path[-1].type != "return" or path[-2].type != "return_statement":
                continue
            if any(node.type in ("lambda_expression", "class_body") for node in path[1:]):
                continue
            inside = code(path[-2])
            if inside:
                yield inside[0]

    def _assigns(self, body: Node, scope: Scope) -> tuple[tuple[str, Expr], ...]:
        found: list[tuple[str, Expr]] = []
        for name, node, _ in self.assignments(body, scope):
            if len(found) >= ASSIGNS_MAX:
                break
            right = node.child_by_field_name("right")
            if right is not None and right.type not in ("lambda_expression", "null_literal"):
                value = self.expressions.expr(node, scope)
                if isinstance(value, Entries):
                    for call in self.expressions.variables.calls_on(
                        name, "load", node.end_byte, body.end_byte
                    ):
                        value = self.expressions.variables.added(value, call, scope)
                found.append((name, value))
        return tuple(found)

    def assignments(
        self, body: Node, scope: Scope, wanted: str | None = None
    ) -> Iterator[tuple[str, Node, Node]]:
        """(field, assignment, left side) of every assignment to a field of the type or of one around it.

        With `wanted` only that field's, and those in anonymous classes too.
        """
        candidates = self._candidates(scope)
        first = bisect_left(candidates, (body.start_byte, "", ""))
        for start, name, prefix in candidates[first : bisect_left(candidates, (body.end_byte, "", ""))]:
            if (wanted is not None and name != wanted) or (wanted is None and self._is_number(name, scope)):
                continue
            path = self.source.path(start, start + len(name.encode()), body)
            node = next((each for each in reversed(path[-3:]) if each.type == "assignment_expression"), None)
            left = node.child_by_field_name("left") if node is not None else None
            if node is None or left is None or not left.start_byte <= start < left.end_byte:
                continue
            if wanted is None and any(each.type == "class_body" for each in path[1:]):
                continue
            if not prefix and self.expressions.flow.variable(path[-1], name) is not None:
                continue
            yield name, node, left

    @staticmethod
    def _is_number(name: str, scope: Scope) -> bool:
        """Whether a field holds a number or a truth value."""
        field = scope.fields.get(name)
        kind = field[0].child_by_field_name("type") if field is not None else None
        return kind is not None and kind.type in ("integral_type", "boolean_type", "floating_point_type")

    def _candidates(self, scope: Scope) -> list[tuple[int, str, str]]:
        """(where, name, qualifier) of what looks like an assignment to a field inside a type, in source order."""
        known = self._assigned.get(scope.name)
        if known is not None:
            return known
        data, node = self.source.data, scope.node
        found: list[tuple[int, str, str]] = []
        fields = {name.encode() for outer in scope.chain for name in outer.fields}
        for match in _EQUALS.finditer(data, node.start_byte, node.end_byte):
            before = _BEFORE.match(data[max(0, match.start() - 100) : match.start()][::-1])
            if before is None:
                continue
            word = before[1][::-1]
            prefix = (before[2] or b"")[::-1].decode("utf-8", "replace")
            if prefix not in ("", "this", scope.simple) or not (scope.inherits or word in fields):
                continue
            start = match.start() - before.end(1)
            found.append((start, word.decode("utf-8", "replace"), prefix))
        self._assigned[scope.name] = found
        return found


def _members(body: Node) -> Iterator[Node]:
    for child in body.named_children:
        if child.type == "enum_body_declarations":
            yield from child.named_children
        else:
            yield child

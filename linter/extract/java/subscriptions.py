"""The arguments of a subscribing call -> `SubscriptionSite`s: topics, filters, maps written out, sets of topics."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from linter.clients.apis import Action, JavaConsumer
from linter.extract.java.combine import EXPRESSION, TYPE
from linter.extract.java.expressions import Expressions
from linter.extract.java.names import Scope
from linter.extract.java.syntax import arguments
from linter.model.expr import Call, Entries, Expr, Items, Literal, LoopVar, Member, New, OneOf, Unknown, Why
from linter.model.facts import SubscriptionSite
from linter.model.location import START, Span

_SELECTORS = ("MessageSelector", "FilterExpression")
PART = Unknown(Why.UNSUPPORTED, "part", START)
"""The topic of a subscription that only sets the expression or type of the object's single one."""


class Subscriptions:
    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.source = expressions.source

    def written(self, arg: Node, scope: Scope | None) -> Expr | None:
        return None if arg.type == "null_literal" else self.expressions.expr(arg, scope)

    def of(
        self, action: Action, row: JavaConsumer, call: Node, at: Span, scope: Scope | None
    ) -> Iterator[SubscriptionSite]:
        args = arguments(call)
        if not args:
            return
        match action:
            case Action.SUBSCRIBE:
                yield self._subscribed(row, args, at, scope)
            case Action.UNSUBSCRIBE:
                topic = self.expressions.expr(args[0], scope)
                yield SubscriptionSite(at, topic, None, None, removes=True)
            case Action.TABLE | Action.TABLE_ALL:
                yield from self._table(args[0], at, scope, row, action is Action.TABLE_ALL)
            case Action.TOPICS:
                yield from self._topics(args[0], at, scope)
            case Action.TOPIC:
                yield SubscriptionSite(at, self.expressions.expr(args[0], scope), None, None)
            case Action.PART_TOPIC:
                lite = Unknown(Why.NOT_APPLICABLE, "a lite consumer", at) if row.api == "grpc-lite" else None
                yield SubscriptionSite(at, self.expressions.expr(args[0], scope), lite, None)
            case Action.PART_EXPRESSION:
                yield SubscriptionSite(at, PART, self.expressions.expr(args[0], scope), None)
            case Action.PART_TYPE:
                yield SubscriptionSite(at, PART, None, self.expressions.expr(args[0], scope))

    def _subscribed(
        self, row: JavaConsumer, args: list[Node], at: Span, scope: Scope | None
    ) -> SubscriptionSite:
        topic = self.expressions.expr(args[0], scope)
        if len(args) == 1 or args[1].type == "null_literal":
            return SubscriptionSite(at, topic, None, None)
        if (
            len(args) == 3
            and row.class_filter
            and args[2].type not in ("lambda_expression", "object_creation_expression")
        ):
            return SubscriptionSite(at, topic, self.expressions.expr(args[1], scope), Literal("CLASS", at))
        expression, kind = self._selector(args[1], scope, row)
        return SubscriptionSite(at, topic, expression, kind)

    def _selector(self, arg: Node, scope: Scope | None, row: JavaConsumer) -> tuple[Expr | None, Expr | None]:
        """Expression and type of a filter argument: a text, or a selector object taken apart."""
        value = self.expressions.expr(arg, scope)
        return self._parts(value, _filters(row) or self.expressions.kinds.types_of(arg, scope))

    def _parts(self, value: Expr, kinds: tuple[str, ...]) -> tuple[Expr | None, Expr | None]:
        match value:
            case Call(candidates=("builtin:none",)):
                return None, None
            case Entries(entries=((Literal(text="expression"), expression), (Literal(text="type"), kind))):
                return expression, kind
            case OneOf(options=options, at=at):
                parts = [self._parts(option, ()) for option in options]
                if any(kind is not None for _, kind in parts):
                    expressions = tuple(each if each is not None else Literal("*", at) for each, _ in parts)
                    types = tuple(kind if kind is not None else Literal("TAG", at) for _, kind in parts)
                    return OneOf(expressions, at), OneOf(types, at)
        if any(kind.rpartition(".")[2] in _SELECTORS for kind in kinds):
            return Member(value, EXPRESSION, None, value.at), Member(value, TYPE, None, value.at)
        return value, None

    def _table(
        self, arg: Node, at: Span, scope: Scope | None, row: JavaConsumer, everything: bool
    ) -> Iterator[SubscriptionSite]:
        written = self._entries(arg, at, scope)
        if written is None:
            value = self.expressions.expr(arg, scope)
            yield SubscriptionSite(at, value, None, None, replaces_all=everything, table=True)
            return
        for place, key, item in written:
            expression, kind = (
                self._parts(item, _filters(row)) if not isinstance(item, Unknown) else (item, None)
            )
            topic = key
            if row.api == "ons-bean":
                topic, expression, kind = self._subscription(key)
                if row.ignores_type:
                    kind = None
            yield SubscriptionSite(place, topic, expression, kind, replaces_all=everything)
            everything = False

    def _subscription(self, key: Expr) -> tuple[Expr, Expr | None, Expr | None]:
        """Topic, expression and type of an ONS `Subscription` object, as a record of what its setters were given."""
        if isinstance(key, New):
            parts = {argument.name: argument.value for argument in key.args}
            missing = Unknown(Why.UNDEFINED, "topic", key.at)
            return parts.get("topic", missing), parts.get(EXPRESSION), parts.get(TYPE)
        return (
            Member(key, "topic", None, key.at),
            Member(key, EXPRESSION, None, key.at),
            Member(key, TYPE, None, key.at),
        )

    def _entries(self, arg: Node, at: Span, scope: Scope | None) -> list[tuple[Span, Expr, Expr]] | None:
        """The entries of a map written out in this method, each with its place; None when it is not."""
        if arg.type == "identifier":
            variable = self.expressions.flow.variable(arg, self.source.text(arg))
            if variable is None or len(variable.values) != 1 or variable.values[0] is None:
                return None
            value = variable.values[0]
            made = self._entries(value, at, scope)
            if made is None:
                return None
            for call in self.expressions.variables.calls_on(
                self.source.text(arg), "put|putIfAbsent|putAll", value.end_byte, arg.start_byte
            ):
                added = self._put(call, scope)
                if added is None:
                    return None
                made.append(added)
            return made
        if arg.type == "object_creation_expression":
            value_expr = self.expressions.expr(arg, scope)
            if isinstance(value_expr, Entries):
                entries = [self._put(call, scope) for call in self._initializers(arg)]
                if len(entries) == len(value_expr.entries):
                    return [entry for entry in entries if entry is not None]
            return None
        if arg.type == "method_invocation":
            value_expr = self.expressions.expr(arg, scope)
            args = arguments(arg)
            if isinstance(value_expr, Entries) and len(args) == 2 * len(value_expr.entries):
                return [
                    (self.source.span(args[2 * index]), key, item)
                    for index, (key, item) in enumerate(value_expr.entries)
                ]
            if isinstance(value_expr, Entries):
                return [(at, key, item) for key, item in value_expr.entries]
        return None

    def _initializers(self, node: Node) -> Iterator[Node]:
        for body in node.named_children:
            for block in body.named_children if body.type == "class_body" else ():
                for statement in block.named_children:
                    for call in statement.named_children:
                        if call.type == "method_invocation":
                            yield call

    def _put(self, call: Node, scope: Scope | None) -> tuple[Span, Expr, Expr] | None:
        args, named = arguments(call), call.child_by_field_name("name")
        if len(args) != 2 or named is None:
            return None
        key, item = (self.expressions.expr(arg, scope) for arg in args)
        return self.source.span(named), key, item

    def _topics(self, arg: Node, at: Span, scope: Scope | None) -> Iterator[SubscriptionSite]:
        value = self.expressions.expr(arg, scope)
        if isinstance(value, Items):
            for index, item in enumerate(value.items):
                yield SubscriptionSite(at, item, None, None, replaces_all=index == 0)
            return
        yield SubscriptionSite(at, LoopVar(value.at, value, (), value.at), None, None, replaces_all=True)


def _filters(row: JavaConsumer) -> tuple[str, ...]:
    """The type of a filter argument where the API takes nothing but objects."""
    return ("FilterExpression",) if row.api.startswith("grpc") else ()

"""Calls on consumer objects -> their settings and subscriptions; what acts on objects made elsewhere -> `Use`s."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from tree_sitter import Node

from linter.clients.apis import (
    JAVA_CONSUMERS,
    ONS_PROPERTIES,
    Action,
    JavaConsumer,
    Operation,
)
from linter.extract.java.branches import branches
from linter.extract.java.expressions import Expressions
from linter.extract.java.listeners import Listeners
from linter.extract.java.names import Names, Place, Scope
from linter.extract.java.objects import Object, Objects, Target
from linter.extract.java.sites import parameters_of
from linter.extract.java.source import Source
from linter.extract.java.subscriptions import Subscriptions
from linter.extract.java.substitution import Bindings, substituted
from linter.extract.java.syntax import arguments, code
from linter.model.expr import (
    Argument,
    Created,
    Entries,
    Expr,
    Literal,
    Member,
    TypeName,
    Unknown,
    Why,
)
from linter.model.facts import Attribute, Setting, SubscriptionSite, Use
from linter.model.location import Span

_SUBSCRIBING = frozenset({Action.SUBSCRIBE, Action.UNSUBSCRIBE, Action.TABLE, Action.TABLE_ALL})
_VIEWS = {"getSubscription": Action.TABLE, "getRegisterTopics": Action.TOPICS}


@cache
def _words() -> frozenset[bytes]:
    return frozenset(name.encode() for row in JAVA_CONSUMERS for name in row.operations) - {
        b"start",
        b"build",
    }


class Operations:
    """Applies every call of a file to the consumers it acts on."""

    def __init__(self, source: Source, names: Names, expressions: Expressions, objects: Objects) -> None:
        self.source = source
        self.names = names
        self.expressions = expressions
        self.objects = objects
        self.subscriptions = Subscriptions(expressions)
        self.listeners = Listeners(expressions)
        self.uses: list[tuple[int, Use]] = []

    def apply(self) -> None:
        for made in self.objects.all:
            self._construct(made)
        words = _words() | ({b"start", b"build"} if self.objects.all else set())
        for path in self.objects.hits(words, rb"\s*\("):
            self._call(path)
        for path in self.objects.hits({name.encode() for name in _VIEWS}, rb"\s*\(\s*\)\s*\."):
            self._view(path)

    # -- constructors -----------------------------------------------------------------------------------------

    def _construct(self, made: Object) -> None:
        scope = made.place.scope
        args = arguments(made.node)
        if made.factory is not None:
            self._roles(made, made.factory.roles[len(args)], args, scope)
        elif made.node.type in ("object_creation_expression", "explicit_constructor_invocation"):
            roles = self._fitting(made.row, args, scope)
            if roles is None:
                why = Unknown(Why.UNSUPPORTED, "a constructor that is not known", made.at)
                if args:
                    made.settings.append((made.node.start_byte, Setting(Attribute.GROUP, why, made.at)))
            else:
                self._roles(made, roles, args, scope)
            if made.row.default_group and not any(
                each.attribute is Attribute.GROUP for _, each in made.settings
            ):
                self._set(made, Attribute.GROUP, Literal(made.row.default_group, made.at), made.node, made.at)
        if made.mode:
            self._set(made, Attribute.CONSUME_MODE, Literal(made.mode, made.at), made.node, made.at)

    def _roles(self, made: Object, roles: str, args: list[Node], scope: Scope | None) -> None:
        topic: Expr | None = None
        expression: Expr | None = None
        for role, arg in zip(roles, args, strict=True):
            if role == "-" or arg.type == "null_literal":
                continue
            value = self.expressions.expr(arg, scope)
            at = self.source.span(arg)
            if role == "p":
                self._properties(made, value, made.node.start_byte, at)
            elif role == "t":
                topic = value
            elif role == "e":
                expression = value
            else:
                attribute = {"g": Attribute.GROUP, "n": Attribute.NAMESPACE, "a": Attribute.STRATEGY}[role]
                self._set(made, attribute, value, made.node, at)
        if topic is not None:
            site = SubscriptionSite(made.at, topic, expression, None)
            made.subscriptions.append((made.node.start_byte, site))

    def _fitting(self, row: JavaConsumer, args: list[Node], scope: Scope | None) -> str | None:
        """The roles of the constructor the arguments fit; where several fit and disagree, the likelier by names."""
        kinds = [self._kind(arg, scope) for arg in args]
        fitting = [
            roles
            for pattern, roles in row.constructors
            if len(pattern) == len(kinds)
            and all(k in (p, "?") or (k == "0" and p != "b") for k, p in zip(kinds, pattern, strict=True))
        ]
        if len(set(fitting)) > 1 and kinds[0] == "0":
            # a null before a string is a namespace left out, never a null group
            fitting = [roles for roles in fitting if roles.startswith("n")] or fitting
        return fitting[0] if fitting else None

    def _kind(self, arg: Node, scope: Scope | None) -> str:
        """The letter of an argument's type as in `JavaConsumer.constructors`; `?` unknown, `0` null."""
        match arg.type:
            case "string_literal" | "binary_expression":
                return "S"
            case "null_literal":
                return "0"
            case "true" | "false":
                return "b"
            case "ternary_expression":
                branch = arg.child_by_field_name("consequence")
                return self._kind(branch, scope) if branch is not None else "?"
            case "parenthesized_expression":
                inside = code(arg)
                return self._kind(inside[0], scope) if inside else "?"
        declared = self.expressions.kinds.declared_type(arg, scope)
        text = self.source.text(declared) if declared is not None else ""
        kinds = self.expressions.kinds.types_of(arg, scope)
        simple = kinds[0].rpartition(".")[2] if kinds else text
        if simple == "String":
            return "S"
        if simple in ("boolean", "Boolean"):
            return "b"
        if "Strategy" in simple or "Allocate" in simple:
            return "A"
        if "Hook" in simple:
            return "H"
        written = self.source.text(arg).lower()
        if "hook" in written.rpartition(".")[2] or "hook" in written:
            return "H"
        if "strategy" in written or "allocate" in written:
            return "A"
        if simple:
            return (
                "?"
                if simple in ("Object", "var")
                else "O"
                if arg.type == "object_creation_expression"
                else "?"
            )
        # a constant or getter whose type stands in another file: strings are the rule
        return "S"

    # -- calls ------------------------------------------------------------------------------------------------

    def _call(self, path: list[Node]) -> None:
        if len(path) < 2 or path[-2].type != "method_invocation":
            return
        call, named = path[-2], path[-1]
        if call.child_by_field_name("name") != named:
            return
        name = self.source.text(named)
        place = self.names.place(path)
        targets, foreign = self.objects.receiver(call, path, place)
        at = self.source.span(named)
        for target in targets:
            operation = target.object.row.operations.get(name)
            if operation is None:
                continue
            if self._elsewhere(target, call, place):
                made = target.object
                self._use(Created(made.at, at), made.row, operation, call, at, place)
            else:
                self._operate(target, operation, call, at, place)
        if foreign is not None:
            operation = foreign.row.operations.get(name)
            if operation is not None and (foreign.sure or operation.action in _SUBSCRIBING):
                receiver = self.expressions.expr(foreign.node, place.scope)
                self._use(receiver, foreign.row, operation, call, at, place)

    def _elsewhere(self, target: Target, call: Node, place: Place) -> bool:
        """Whether a call stands in another method than the object and hands on parameters of that method."""
        member = place.member
        if target.bindings or member is None or target.object.place.member == member:
            return False
        return any(parameters_of(self.expressions.expr(arg, place.scope)) for arg in arguments(call)[:2])

    def _view(self, path: list[Node]) -> None:
        """`consumer.getSubscription().put(topic, expression)`, `consumer.getRegisterTopics().add(topic)`."""
        if len(path) < 3 or path[-2].type != "method_invocation" or path[-3].type != "method_invocation":
            return
        call, outer = path[-2], path[-3]
        named = outer.child_by_field_name("name")
        if (
            call.child_by_field_name("name") != path[-1]
            or outer.child_by_field_name("object") != call
            or named is None
        ):
            return
        place = self.names.place(path)
        targets, foreign = self.objects.receiver(call, path, place)
        args = arguments(outer)
        method = self.source.text(named)
        if (
            not (targets or foreign)
            or method not in ("put", "add")
            or len(args) != (2 if method == "put" else 1)
        ):
            return
        at = self.source.span(named)
        topic = self.expressions.expr(args[0], place.scope)
        expression = self.subscriptions.written(args[1], place.scope) if method == "put" else None
        site = SubscriptionSite(at, topic, expression, None)
        for target in targets:
            self._subscribe(target, site, outer.start_byte)
        if foreign is not None:
            self._add_use(self.expressions.expr(foreign.node, place.scope), site, outer, place)

    def _operate(self, target: Target, operation: Operation, call: Node, at: Span, place: Place) -> None:
        made = target.object
        args = arguments(call)
        end = call.end_byte
        match operation.action:
            case Action.START:
                made.started = True
            case Action.CLEAR:
                made.cleared.append(end)
            case Action.SET if operation.attribute is not None and args:
                value = self._value(operation.attribute, args[0], place.scope)
                value = substituted(value, target.bindings)
                made.settings.append((end, Setting(operation.attribute, value, at)))
            case Action.LISTENER if args:
                mode = self.listeners.mode(args[-1], place.scope)
                if mode is not None:
                    mode = substituted(mode, target.bindings)
                    made.settings.append((end, Setting(Attribute.CONSUME_MODE, mode, at)))
            case Action.PROPERTIES if args:
                value = substituted(self.expressions.expr(args[0], place.scope), target.bindings)
                self._properties(made, value, end, at)
            case _:
                line = made.at if operation.action is Action.PART_TOPIC else at
                for site in self.subscriptions.of(operation.action, made.row, call, line, place.scope):
                    branched = replace(site, branches=branches(self.source, call, made.node))
                    self._subscribe(target, branched, end)

    def _subscribe(self, target: Target, site: SubscriptionSite, order: int) -> None:
        bound = bind(site, target.bindings)
        if bound != site and target.at is not None:
            bound = replace(bound, at=target.at)
        target.object.subscriptions.append((order, bound))

    def _use(
        self, receiver: Expr, row: JavaConsumer, operation: Operation, call: Node, at: Span, place: Place
    ) -> None:
        args = arguments(call)
        match operation.action:
            case Action.START | Action.CLEAR | Action.PROPERTIES:
                return
            case Action.SET if operation.attribute is not None and args:
                value = self._value(operation.attribute, args[0], place.scope)
                self._add_use(receiver, Setting(operation.attribute, value, at), call, place)
            case Action.LISTENER if args:
                mode = self.listeners.mode(args[-1], place.scope)
                if mode is not None:
                    self._add_use(receiver, Setting(Attribute.CONSUME_MODE, mode, at), call, place)
            case _:
                for site in self.subscriptions.of(operation.action, row, call, at, place.scope):
                    branched = replace(site, branches=branches(self.source, call, None))
                    self._add_use(receiver, branched, call, place)

    def _add_use(self, receiver: Expr, what: Setting | SubscriptionSite, call: Node, place: Place) -> None:
        if not self.objects.is_machinery(place):
            self.uses.append((call.end_byte, Use(receiver, what, place.symbol, place.type)))

    def _set(self, made: Object, attribute: Attribute, value: Expr, node: Node, at: Span) -> None:
        made.settings.append((node.start_byte, Setting(attribute, value, at)))

    def _value(self, attribute: Attribute, arg: Node, scope: Scope | None) -> Expr:
        if attribute is Attribute.STRATEGY:
            kinds = self.expressions.kinds.types_of(arg, scope)
            return TypeName(kinds, self.source.span(arg)) if kinds else self.expressions.expr(arg, scope)
        return self.expressions.expr(arg, scope)

    def _properties(self, made: Object, value: Expr, order: int, at: Span) -> None:
        """Settings out of a `Properties` object: its entries, or one question per key that matters."""
        if isinstance(value, Entries):
            found: dict[Attribute, tuple[str, Expr]] = {}
            for key, item in value.entries:
                text = key.text if isinstance(key, Literal) else ""
                attribute = ONS_PROPERTIES.get(text)
                if attribute is not None and not (
                    text == "ConsumerId" and found.get(attribute, ("",))[0] == "GROUP_ID"
                ):
                    found[attribute] = (text, item)
            for attribute, (_, item) in found.items():
                made.settings.append((order, Setting(attribute, item, at)))
            return
        key = Literal("GROUP_ID", at)
        group = Member(value, "getProperty", (Argument(key),), at)
        made.settings.append((order, Setting(Attribute.GROUP, group, at)))


def bind(site: SubscriptionSite, bindings: Bindings) -> SubscriptionSite:
    """The subscription with parameters replaced by what a call hands them."""
    if not bindings:
        return site
    return replace(
        site,
        topic=substituted(site.topic, bindings),
        expression=substituted(site.expression, bindings) if site.expression is not None else None,
        filter_type=substituted(site.filter_type, bindings) if site.filter_type is not None else None,
    )

"""Calls on consumer objects -> their settings and subscriptions; what acts on objects made elsewhere -> `Use`s."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache

from tree_sitter import Node

from linter.extract.apis import (
    JAVA_CONSUMERS,
    LISTENER_MODES,
    ONS_PROPERTIES,
    Action,
    JavaConsumer,
    Operation,
)
from linter.extract.java.expressions import EXPRESSION, TYPE, Expressions, arguments, code
from linter.extract.java.names import Names, Place, Scope
from linter.extract.java.objects import Object, Objects, Target
from linter.extract.java.source import Source
from linter.extract.java.substitution import Bindings, substituted
from linter.model.expr import (
    Argument,
    Call,
    Created,
    Entries,
    Expr,
    Items,
    Literal,
    LoopVar,
    Member,
    Name,
    New,
    OneOf,
    Param,
    TypeName,
    Unknown,
    Why,
    walk,
)
from linter.model.facts import Attribute, Condition, ConsumerSite, Setting, SubscriptionSite, Use
from linter.model.location import Span

_SELECTORS = ("MessageSelector", "FilterExpression")
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
        declared = self.expressions.declared_type(arg, scope)
        text = self.source.text(declared) if declared is not None else ""
        kinds = self.expressions.types_of(arg, scope)
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
        expression = self._written(args[1], place.scope) if method == "put" else None
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
                mode = self._mode(args[-1], place.scope)
                if mode is not None:
                    mode = substituted(mode, target.bindings)
                    made.settings.append((end, Setting(Attribute.CONSUME_MODE, mode, at)))
            case Action.PROPERTIES if args:
                value = substituted(self.expressions.expr(args[0], place.scope), target.bindings)
                self._properties(made, value, end, at)
            case _:
                line = made.at if operation.action is Action.PART_TOPIC else at
                for site in self._subscriptions(operation.action, made.row, call, line, place.scope):
                    self._subscribe(target, site, end)

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
                mode = self._mode(args[-1], place.scope)
                if mode is not None:
                    self._add_use(receiver, Setting(Attribute.CONSUME_MODE, mode, at), call, place)
            case _:
                for site in self._subscriptions(operation.action, row, call, at, place.scope):
                    self._add_use(receiver, site, call, place)

    def _add_use(self, receiver: Expr, what: Setting | SubscriptionSite, call: Node, place: Place) -> None:
        if not self.objects.is_machinery(place):
            self.uses.append((call.end_byte, Use(receiver, what, place.symbol, place.type)))

    def _set(self, made: Object, attribute: Attribute, value: Expr, node: Node, at: Span) -> None:
        made.settings.append((node.start_byte, Setting(attribute, value, at)))

    # -- arguments --------------------------------------------------------------------------------------------

    def _value(self, attribute: Attribute, arg: Node, scope: Scope | None) -> Expr:
        if attribute is Attribute.STRATEGY:
            kinds = self.expressions.types_of(arg, scope)
            return TypeName(kinds, self.source.span(arg)) if kinds else self.expressions.expr(arg, scope)
        return self.expressions.expr(arg, scope)

    def _written(self, arg: Node, scope: Scope | None) -> Expr | None:
        return None if arg.type == "null_literal" else self.expressions.expr(arg, scope)

    def _subscriptions(
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
                yield SubscriptionSite(at, _PART, self.expressions.expr(args[0], scope), None)
            case Action.PART_TYPE:
                yield SubscriptionSite(at, _PART, None, self.expressions.expr(args[0], scope))

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
        return self._parts(value, _filters(row) or self.expressions.types_of(arg, scope))

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
            for call in self.expressions.calls_on(
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

    # -- consume mode -----------------------------------------------------------------------------------------

    def _mode(self, arg: Node, scope: Scope | None) -> Expr | None:
        """The consume mode a listener stands for: by its type, its cast, or what its lambda returns; a type of
        another file is left to whoever knows its supertypes. None when nothing can be told."""
        at = self.source.span(arg)
        node = arg
        while node.type == "parenthesized_expression" and code(node):
            node = code(node)[0]
        if node.type == "lambda_expression":
            return self._word(self.source.data[node.start_byte : node.end_byte], at)
        if node.type == "method_reference":
            return self._reference(node, scope, at)
        kinds = self.expressions.types_of(node, scope)
        mode = self._listener(kinds)
        if mode:
            return Literal(mode, at)
        if node.type == "identifier":
            variable = self.expressions.flow.variable(node, self.source.text(node))
            values = [value for value in variable.values if value is not None] if variable else []
            if len(values) == 1 and values[0].type in ("lambda_expression", "object_creation_expression"):
                return self._mode(values[0], scope)
        value = self.expressions.expr(node, scope)
        if isinstance(value, Param | Name | Call | Member):
            return value if isinstance(value, Param) else TypeName(kinds, at) if kinds else None
        return TypeName(kinds, at) if kinds else None

    def _listener(self, kinds: tuple[str, ...]) -> str:
        """The mode of a listener type, through supertypes declared in this file."""
        pending, seen = list(kinds), set(kinds)
        while pending:
            name = pending.pop(0)
            mode = LISTENER_MODES.get(name.rpartition(".")[2])
            if mode is not None:
                return mode
            scope = self.names.by_name.get(name)
            for names in scope.supers if scope is not None else ():
                pending += [each for each in names if each not in seen]
                seen.update(names)
        return ""

    def _word(self, text: bytes, at: Span) -> Expr | None:
        for word, mode in LISTENER_MODES.items():
            if word.encode() in text:
                return Literal(mode, at)
        return None

    def _reference(self, node: Node, scope: Scope | None, at: Span) -> Expr | None:
        parts = code(node)
        if scope is None or not parts or parts[0].type != "this":
            return None
        for method in scope.methods.get(self.source.text(parts[-1]), ()):
            kind = method.child_by_field_name("type")
            if kind is not None:
                return self._word(self.source.data[kind.start_byte : kind.end_byte], at)
        return None


def _filters(row: JavaConsumer) -> tuple[str, ...]:
    """The type of a filter argument where the API takes nothing but objects."""
    return ("FilterExpression",) if row.api.startswith("grpc") else ()


_PART = Unknown(Why.UNSUPPORTED, "part", Span(1, 1, 1, 1))


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


def merged(made: Object, sites: dict[int, ConsumerSite]) -> ConsumerSite | None:
    """One site for objects made in branches that exclude each other; None where they subscribe differently.

    `sites` are the finished sites of the objects by identity; what their settings disagree in becomes `OneOf`.
    """
    own = sites[id(made)]
    others = [sites[id(each)] for each in made.instead]
    if any(
        [_shape(s) for s in other.subscriptions] != [_shape(s) for s in own.subscriptions] for other in others
    ):
        return None
    settings: list[Setting] = []
    for attribute in Attribute:
        found = [_last(site, attribute) for site in (own, *others)]
        written = [setting for setting in found if setting is not None]
        if not written:
            continue
        distinct = {_shape(setting.value): setting.value for setting in written}
        first = written[0]
        if len(distinct) == 1:
            settings.append(first)
        else:
            settings.append(replace(first, value=OneOf(tuple(distinct.values()), own.at)))
    return replace(own, settings=tuple(settings))


def _last(site: ConsumerSite, attribute: Attribute) -> Setting | None:
    return next((each for each in reversed(site.settings) if each.attribute is attribute), None)


def _shape(value: object) -> object:
    """A value of facts without its places, for comparing what two pieces of code say."""
    if isinstance(value, Span):
        return None
    if isinstance(value, tuple):
        return tuple(map(_shape, value))
    if is_dataclass(value):
        return (type(value).__name__, *(_shape(getattr(value, each.name)) for each in fields(value)))
    return value


def finished(made: Object, conditions: tuple[Condition, ...]) -> ConsumerSite:
    """The site of an object after every call was applied, in source order."""
    made.settings.sort(key=lambda each: each[0])
    made.subscriptions.sort(key=lambda each: each[0])
    forgotten = max(made.cleared, default=-1)
    subscriptions = [site for order, site in made.subscriptions if order > forgotten]
    return ConsumerSite(
        made.api,
        made.at,
        made.place.symbol,
        made.place.type,
        tuple(setting for _, setting in made.settings),
        tuple(_joined(subscriptions)),
        conditions,
        made.broken,
    )


def _joined(subscriptions: list[SubscriptionSite]) -> list[SubscriptionSite]:
    """Topic, expression and type that were set apart become one subscription."""
    parts = [site for site in subscriptions if site.topic is _PART]
    whole = [site for site in subscriptions if site.topic is not _PART]
    for part in parts:
        for index, site in enumerate(whole):
            whole[index] = replace(
                site,
                expression=part.expression if part.expression is not None else site.expression,
                filter_type=part.filter_type if part.filter_type is not None else site.filter_type,
            )
    return whole


def parameters_of(expr: Expr) -> frozenset[str]:
    """Names of the parameters an expression depends on."""
    return frozenset(part.name for part in walk(expr) if isinstance(part, Param))

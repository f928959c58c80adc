"""Consumers in a Python file: sites, what is called on them, and how the two are linked.

What a consumer object is told (`subscribe`, `set_group`, …) is kept as an event and linked to its site when the
whole file is known, for methods and functions may stand before the place that makes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from linter.clients import python as clients
from linter.clients.python import Maker, Shape
from linter.extract.python.declarations import Declarations
from linter.extract.python.scope import (
    ClassInfo,
    Scope,
    has_param,
    is_none,
)
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
    This,
    Unknown,
    Why,
    walk,
)
from linter.model.facts import (
    Attribute,
    CallSite,
    ConsumerSite,
    Problem,
    Setting,
    SubscriptionSite,
    Use,
)
from linter.model.location import Span
from linter.model.message import say

if TYPE_CHECKING:
    from libcst.metadata import CodeRange

LINK_DEPTH_MAX = 12
"""Names, attributes and base classes followed to find the consumer an expression stands for."""
"""Names, attributes and base classes followed to find the consumer an expression stands for."""


@dataclass(slots=True)
class Site:
    """A consumer site while the file is read."""

    maker: Maker
    at: Span
    symbol: str
    type: str
    settings: list[Setting] = field(default_factory=list)
    subscriptions: list[SubscriptionSite] = field(default_factory=list)


@dataclass(slots=True)
class Event:
    """One call on what may be a consumer; `shape` is guessed from the file's imports until it is linked."""

    method: str
    receiver: Expr
    args: tuple[Argument, ...]
    at: Span
    symbol: str
    type: str
    branches: tuple[tuple[Span, int], ...] = ()


class Reader(Declarations):
    """Reads a module, then links what was found."""

    def __init__(
        self, positions: Mapping[cst.CSTNode, CodeRange], tracked: frozenset[str], once: frozenset[str]
    ) -> None:
        super().__init__(positions, tracked, once)
        self.sites: dict[Span, Site] = {}
        self.events: dict[Span, Event] = {}

    # -- client calls ----------------------------------------------------------------------------------------

    def client_call(
        self,
        node: cst.Call,
        target: Expr | None,
        names: Sequence[str],
        args: tuple[Argument, ...],
        scope: Scope,
    ) -> Expr | None:
        simple = node.func.attr.value if isinstance(node.func, cst.Attribute) else ""
        for name in names:
            maker = clients.maker(name) or self._derived(name)
            if maker is not None:
                self.client_names_used.add(name)
                return self._make(maker, node, args, scope)
            module, _, function = name.rpartition(".")
            if function in clients.FUNCTIONS and clients.is_client_module(module) and args:
                self._event(clients.FUNCTIONS[function], args[0].value, args[1:], node, scope)
                return args[0].value
            if (
                function.startswith("RegisterMessageCallbackOrderly")
                and clients.is_client_module(module)
                and args
            ):
                self._event("orderly", args[0].value, (), node, scope)
                return args[0].value
        if target is None or not simple:
            return None
        if simple == "__init__":
            return self._base_init(node, target, args, scope)
        if simple == "get_consumer" and self._http_client(target):
            return self._make(clients.HTTP, node, args, scope)
        if simple == "pull" and self._pulls(target):
            self._event("pull", target, args, node, scope)
            return Unknown(Why.DYNAMIC, "pull()", self.span(node))
        if simple in clients.METHODS and self._may_be_consumer(target, simple, scope):
            self._event(simple, target, args, node, scope)
            result: Expr = Member(target, simple, args, self.span(node))
            self.note_call(node, simple, result, args, scope)
            return result
        return None

    def _derived(self, name: str) -> Maker | None:
        """The row of a class of this file that extends a consumer class and has no constructor of its own."""
        info = self.classes.get(name[2:]) if name.startswith("~.") else None
        if info is None or info.maker is None or "__init__" in info.method_names:
            return None
        parent = next(
            (b for names in info.bases for b in names if b.startswith("~.") and b[2:] in self.classes), None
        )
        return info.maker if parent is None else self._derived(parent)

    def _http_client(self, target: Expr) -> bool:
        held = self.known(target)
        if isinstance(held, New):
            return any(name in clients.HTTP_CLIENT for name in held.candidates)
        if isinstance(held, Literal | Items | Entries):
            return False
        return any(module.partition(".")[0] == "mq_http_sdk" for module in self.imported)

    def _pulls(self, target: Expr) -> bool:
        return any(site.maker.pulls for site in self._linked(target, "", 0))

    def _may_be_consumer(self, target: Expr, method: str, scope: Scope) -> bool:
        held = self.known(target)
        if isinstance(held, This):
            info = self.classes.get(scope.type[2:]) if scope.type.startswith("~.") else None
            return info is not None and info.maker is not None and method not in info.method_names
        if isinstance(held, New):
            own = next(
                (
                    self.classes[c[2:]]
                    for c in held.candidates
                    if c.startswith("~.") and c[2:] in self.classes
                ),
                None,
            )
            return own is None or (method not in own.method_names and own.maker is not None)
        return isinstance(held, Created | OneOf | Name | Member | Param | Call | LoopVar)

    def _base_init(
        self, node: cst.Call, target: Expr, args: tuple[Argument, ...], scope: Scope
    ) -> Expr | None:
        """`super().__init__(…)` and `Base.__init__(self, …)`: a consumer where the base class is one, else a call."""
        info = self.classes.get(scope.type[2:]) if scope.type.startswith("~.") else None
        if info is None:
            return None
        if isinstance(target, Name):
            args = args[1:]
        if info.maker is not None and not any(
            b.startswith("~.") and "__init__" in self.classes[b[2:]].method_names
            for names in info.bases
            for b in names
            if b.startswith("~.") and b[2:] in self.classes
        ):
            made = self._make(info.maker, node, args, scope)
            info.own_sites.append(self.span(node))
            return made
        for names in info.bases:
            simple = names[0].rpartition(".")[2]
            if simple in self.tracked or "<init>" in self.tracked:
                candidates = tuple(f"{name}#<init>" for name in names)
                at = self.span(node.func.attr) if isinstance(node.func, cst.Attribute) else self.span(node)
                self.calls.append(CallSite(simple, candidates, None, args, at, scope.symbol, scope.type))
                break
        return Unknown(Why.DYNAMIC, "super().__init__()", self.span(node))

    def _make(self, maker: Maker, node: cst.Call, args: tuple[Argument, ...], scope: Scope) -> Expr:
        at = self.span(node)
        site = Site(maker, at, scope.symbol, scope.type)
        self.sites[at] = site
        given = _by_parameter(args, maker.parameters)
        name_at = self.span(node.func.attr if isinstance(node.func, cst.Attribute) else node.func)
        topic: Expr | None = None
        expression: Expr | None = None
        opaque = next((a.value for a in args if a.name in ("*", "**")), None)
        for name, role in maker.parameters:
            value = given.get(name)
            if value is None:
                if role == "g" and opaque is not None:
                    value = Unknown(Why.UNSUPPORTED, "arguments passed on", opaque.at)
                    site.settings.append(Setting(Attribute.GROUP, value, at))
                continue
            if is_none(value) and role != "g":
                continue
            match role:
                case "g":
                    site.settings.append(Setting(Attribute.GROUP, value, value.at))
                case "o":
                    site.settings.append(Setting(Attribute.CONSUME_MODE, _orderly(value), value.at))
                case "m":
                    site.settings.append(Setting(Attribute.MESSAGE_MODEL, _model(value), value.at))
                case "n":
                    site.settings.append(Setting(Attribute.NAME_SERVER, value, value.at))
                case "i":
                    site.settings.append(Setting(Attribute.NAMESPACE, value, value.at))
                case "c":
                    self._configuration(site, value)
                case "k":
                    self._pure_configuration(site, value)
                case "s":
                    self._table(site, value, name_at)
                case "b" | "t":
                    topic = value
                case "e":
                    expression = value
                case _:
                    pass
        if topic is not None:
            lite = any(role == "b" for _, role in maker.parameters)
            if lite:
                expression = Unknown(Why.NOT_APPLICABLE, "a lite consumer has no filter", name_at)
            site.subscriptions.append(SubscriptionSite(name_at, topic, expression, None))
        if maker.mode:
            site.settings.append(Setting(Attribute.CONSUME_MODE, Literal(maker.mode, at), at))
        return Created(at, at)

    def _configuration(self, site: Site, value: Expr) -> None:
        for key, attribute, default in (
            ("namespace", Attribute.NAMESPACE, Literal("", value.at)),
            ("endpoints", Attribute.NAME_SERVER, None),
        ):
            held = self.item(None, value, Literal(key, value.at), default, value.at, self.module)
            if isinstance(self.known(value), Entries) and isinstance(held, Call):
                entries = self.known(value)
                assert isinstance(entries, Entries)
                found = [v for k, v in entries.entries if isinstance(k, Literal) and k.text == key]
                held = found[-1] if found else held
            if isinstance(held, Literal) and held.text == "" and attribute is Attribute.NAMESPACE:
                continue
            site.settings.append(Setting(attribute, held, held.at))

    def _pure_configuration(self, site: Site, value: Expr) -> None:
        for key, attribute in (
            ("consumer_group", Attribute.GROUP),
            ("namesrv_addr", Attribute.NAME_SERVER),
            ("message_model", Attribute.MESSAGE_MODEL),
        ):
            held = self.item(None, value, Literal(key, value.at), None, value.at, self.module)
            entries = self.known(value)
            if isinstance(entries, Entries):
                found = [v for k, v in entries.entries if isinstance(k, Literal) and k.text == key]
                if not found:
                    continue
                held = found[-1]
            site.settings.append(Setting(attribute, held, held.at))

    def _filter(self, value: Expr | None) -> tuple[Expr | None, Expr | None]:
        """Expression and filter type of a filter object, a selector, a bare text or nothing."""
        if value is None or is_none(value):
            return None, None
        held = self.known(value)
        if isinstance(held, Entries):
            found = {k.text: v for k, v in held.entries if isinstance(k, Literal)}
            if "expression" in found or "filter_type" in found:
                return found.get("expression"), found.get("filter_type")
        if isinstance(held, Literal):
            return held, None
        if isinstance(held, Name) and held.candidates[0].rpartition("#")[2] == "SUBSCRIBE_ALL":
            return None, None
        return _read_item(value, "expression", "*"), _read_item(value, "filter_type", "TAG")

    def _table(self, site: Site, value: Expr, at: Span) -> None:
        held = self.known(value)
        if isinstance(held, Entries):
            for key, filter_ in held.entries:
                expression, kind = self._filter(filter_)
                site.subscriptions.append(SubscriptionSite(key.at, key, expression, kind))
            return
        site.subscriptions.append(SubscriptionSite(at, value, None, None, table=True))

    def _event(
        self, method: str, receiver: Expr, args: tuple[Argument, ...], node: cst.Call, scope: Scope
    ) -> None:
        at = self.span(node.func.attr if isinstance(node.func, cst.Attribute) else node.func)
        self.events[at] = Event(method, receiver, args, at, scope.symbol, scope.type, self.branches)

    # -- linking ---------------------------------------------------------------------------------------------

    def _linked(self, value: Expr, type_: str, depth: int) -> list[Site]:
        """The sites of this file whose consumer an expression certainly is."""
        if depth > LINK_DEPTH_MAX:
            return []
        match value:
            case Created(site=span):
                return [self.sites[span]] if span in self.sites else []
            case OneOf(options=options):
                return [site for option in options for site in self._linked(option, type_, depth + 1)]
            case Items(items=items):
                return [site for item in items for site in self._linked(item, type_, depth + 1)]
            case LoopVar(source=source, path=path):
                held = self.known(source)
                return self._linked(held, type_, depth + 1) if isinstance(held, Items) and not path else []
            case Name(candidates=candidates):
                owner, _, member = candidates[0].partition("#")
                if owner == "~" and member:
                    return [
                        s for v in self.module_values.get(member, ()) for s in self._linked(v, "", depth + 1)
                    ]
                if owner.startswith("~.") and member and owner[2:] in self.classes:
                    return self._attribute_sites(owner, member, depth)
                return []
            case This():
                info = self.classes.get(type_[2:]) if type_ else None
                return (
                    [self.sites[span] for span in info.own_sites if span in self.sites]
                    if info is not None
                    else []
                )
            case Member(target=This(), name=name, args=None) if type_:
                return self._attribute_sites(type_, name, depth)
            case Member(target=New(candidates=candidates), name=name, args=None):
                return (
                    self._attribute_sites(candidates[0], name, depth)
                    if candidates[0].startswith("~.")
                    else []
                )
            case _:
                return []

    def _attribute_sites(self, type_: str, name: str, depth: int) -> list[Site]:
        info = self.classes.get(type_[2:])
        if info is None:
            return []
        values = list(info.attributes.get(name, ()))
        held = info.fields.get(name)
        if held is not None and held.value is not None:
            values.append(held.value)
        found = [site for value in values for site in self._linked(value, type_, depth + 1)]
        if found or values:
            return found
        parents = [base for names in info.bases for base in names if base.startswith("~.")]
        return [site for base in parents for site in self._attribute_sites(base, name, depth + 1)]

    def link(self) -> list[Use]:
        """Give every event to its site, or make it a use of a consumer from elsewhere."""
        uses: list[Use] = []
        default = self._default_shape()
        imports_client = any(clients.is_client_module(module) for module in self.imported)
        for event in sorted(self.events.values(), key=lambda e: e.at):
            sites = list({site.at: site for site in self._linked(event.receiver, event.type, 0)}.values())
            if sites:
                for site in sites:
                    for what in self._what(event, site.maker.shape):
                        here = event.symbol == site.symbol or (
                            event.type == site.type and not any(has_param(value) for value in _values(what))
                        )
                        if here and isinstance(what, Setting):
                            site.settings.append(what)
                        elif here and isinstance(what, SubscriptionSite):
                            site.subscriptions.append(what)
                        else:
                            uses.append(
                                Use(Created(site.at, event.receiver.at), what, event.symbol, event.type)
                            )
                continue
            if not imports_client and self._is_foreign(event.receiver):
                continue
            uses += [
                Use(event.receiver, what, event.symbol, event.type) for what in self._what(event, default)
            ]
        return uses

    def _is_foreign(self, receiver: Expr) -> bool:
        """Whether an object is made by something nobody has asked for: `mqtt.Client().subscribe(…)`."""
        held = self.known(receiver)
        if not isinstance(held, New | Call):
            return False
        names = {name.replace("#", ".").rpartition(".")[2] for name in held.candidates}
        own = any(name.startswith("~") for name in held.candidates)
        return not own and not names & self.tracked and ".conftest#" not in held.candidates[0]

    def _default_shape(self) -> Shape:
        """How `subscribe` of a consumer from elsewhere is read: as the library this file imports does."""
        for module in self.imported:
            if module.startswith("pyrocketmq"):
                return Shape.SELECTOR
            if module == "rocketmq" or module.startswith("rocketmq.v5"):
                return Shape.FILTER
            if module == "librocketmqclientpython":
                return Shape.EXPRESSION
        return Shape.CALLBACK

    def _what(self, event: Event, shape: Shape) -> list[Setting | SubscriptionSite]:
        if event.method in clients.SETTERS:
            if not event.args:
                return []
            attribute = clients.SETTERS[event.method]
            value = event.args[0].value
            return [
                Setting(attribute, _model(value) if attribute is Attribute.MESSAGE_MODEL else value, event.at)
            ]
        if event.method == "orderly":
            return [Setting(Attribute.CONSUME_MODE, Literal("ORDERLY", event.at), event.at)]
        if event.method == "pull":
            given = _by_parameter(event.args, (("topic", ""), ("expression", "")))
            topic = given.get("topic")
            return (
                [SubscriptionSite(event.at, topic, given.get("expression"), None)]
                if topic is not None
                else []
            )
        if event.method == "subscribe_lite":
            return []  # a lite topic below the bound one: dynamic by design
        names = {
            Shape.CALLBACK: ("topic", "callback", "expression"),
            Shape.FILTER: ("topic", "filter_expression"),
            Shape.SELECTOR: ("topic", "selector", "listener"),
            Shape.EXPRESSION: ("topic", "expression"),
        }[shape]
        given = _by_parameter(event.args, tuple((name, "") for name in names))
        topic = given.get("topic")
        if topic is None:
            if any(argument.name in ("*", "**") for argument in event.args):
                topic = Unknown(Why.UNSUPPORTED, "arguments passed on", event.at)
            else:
                return []
        if event.method == "unsubscribe":
            return [SubscriptionSite(event.at, topic, None, None, removes=True, branches=event.branches)]
        expression: Expr | None = None
        kind: Expr | None = None
        match shape:
            case Shape.CALLBACK:
                second = given.get("callback")
                third = given.get("expression")
                if third is None and second is not None and isinstance(self.known(second), Entries):
                    expression, kind = self._filter(second)
                else:
                    expression = None if third is not None and is_none(third) else third
                    if any(clients.is_client_module(module) for module in self.imported):
                        self._check_callback(second, third, event)
            case Shape.FILTER:
                expression, kind = self._filter(given.get("filter_expression"))
            case Shape.SELECTOR:
                expression, kind = self._filter(given.get("selector"))
            case Shape.EXPRESSION:
                expression = given.get("expression")
        return [SubscriptionSite(event.at, topic, expression, kind, branches=event.branches)]

    def _check_callback(self, second: Expr | None, third: Expr | None, event: Event) -> None:
        if third is None and second is not None and isinstance(self.known(second), Literal):
            text = self.known(second)
            assert isinstance(text, Literal)
            problem = Problem(
                "unrecognised-use",
                say("text-as-callback", text=repr(text.text)),
                say("expression-third"),
                second.at,
            )
            if problem not in self.problems:
                self.problems.append(problem)

    def lacks_values(self, info: ClassInfo) -> bool:
        """Whether a class makes a consumer from attributes of `self` that only its subclasses can give."""
        outside = any(base not in ("object", "builtins.object") for names in info.bases for base in names)
        for site in self.sites.values():
            if site.type != info.name:
                continue
            parts = [setting.value for setting in site.settings if setting.attribute is Attribute.GROUP]
            parts += [each.topic for each in site.subscriptions]
            for part in (inner for value in parts for inner in walk(value)):
                if isinstance(part, Member) and part.args is None and isinstance(part.target, This):
                    held = info.fields.get(part.name)
                    assigned = part.name in info.attributes or part.name in info.method_names
                    empty = held is not None and (held.value is None or is_none(held.value))
                    if not assigned and (empty or (held is None and not outside)):
                        return True
        return False

    def consumer_sites(self) -> tuple[ConsumerSite, ...]:
        return tuple(
            ConsumerSite(
                site.maker.api,
                site.at,
                site.symbol,
                site.type,
                tuple(site.settings),
                tuple(site.subscriptions),
            )
            for site in sorted(self.sites.values(), key=lambda s: s.at)
        )


def _by_parameter(args: tuple[Argument, ...], parameters: tuple[tuple[str, str], ...]) -> dict[str, Expr]:
    given: dict[str, Expr] = {}
    position = 0
    for argument in args:
        if argument.name in ("*", "**"):
            position = len(parameters)
        elif argument.name:
            given[argument.name] = argument.value
        elif position < len(parameters):
            given[parameters[position][0]] = argument.value
            position += 1
    return given


def _read_item(value: Expr, key: str, default: str) -> Expr:
    """One parameter of a value object that stands elsewhere."""
    at = value.at
    args = (Argument(value), Argument(Literal(key, at)), Argument(Literal(default, at)))
    return Call(("builtin:getitem",), args, at)


def _orderly(value: Expr) -> Expr:
    """`orderly=` in the words of the model."""
    at = value.at
    if isinstance(value, Literal):
        return Literal("ORDERLY" if value.text == "True" else "CONCURRENTLY", at)
    words = Entries(
        (
            (Literal("True", at), Literal("ORDERLY", at)),
            (Literal("False", at), Literal("CONCURRENTLY", at)),
        ),
        at,
    )
    return Call(("builtin:getitem",), (Argument(words), Argument(value)), at)


def _model(value: Expr) -> Expr:
    if isinstance(value, Literal) and value.text in ("0", "1"):
        return Literal("BROADCASTING" if value.text == "0" else "CLUSTERING", value.at)
    return value


def _values(what: Setting | SubscriptionSite) -> tuple[Expr | None, ...]:
    if isinstance(what, Setting):
        return (what.value,)
    return (what.topic, what.expression, what.filter_type)

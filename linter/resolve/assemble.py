"""The row of a consumer: what is set of it, made whole with what its API, its environment and its deployable say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.clients.apis import MACHINERY_PACKAGES
from subdrift.linter.model.api import APIS, SENDERS, Client
from subdrift.linter.model.consumer import (
    NOT_APPLICABLE,
    Confidence,
    Consumer,
    Subscription,
    TrailStep,
    Value,
)
from subdrift.linter.model.expr import Expr, Name, Why
from subdrift.linter.model.facts import Attribute, Condition, ConsumerSite
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import names_of, phrase
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve import bindings
from subdrift.linter.resolve.described import OBJECT_OF
from subdrift.linter.resolve.environment import Entry, Environment
from subdrift.linter.resolve.evaluate import Evaluator
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.programs.texts import named
from subdrift.linter.resolve.spring.registration import Registered, is_made_by_code
from subdrift.linter.resolve.stream.inputs import BoundSite
from subdrift.linter.resolve.values import (
    Constant,
    FileVal,
    Many,
    Missing,
    Null,
    Text,
    TypeVal,
    Val,
    known,
    unknown,
)
from subdrift.linter.resolve.versions import client_version
from subdrift.linter.resolve.world import Fork, World

_NAME = re.compile(r"[%|a-zA-Z0-9_-]+")

TAKEN_APART = phrase("text-that-is-not-a-name")
_GROUP_CHARS_MAX = 255


class Row(Struct):
    """One consumer in one environment under one set of choices. `code`: the file whose program it is one of, where that
    is not the one it stands in. `unmet` as in `Consumers`."""

    consumer: Consumer
    member: tuple[object, ...]
    alternative: tuple[object, ...]
    undefined: frozenset[str]
    asked: bool
    through: frozenset[Origin] = frozenset()
    code: Origin | None = None
    unmet: bool = False

    @property
    def deployed(self) -> bool:
        """Whether its environment is a deployment file, not a profile."""
        return ":" in self.consumer.environments[0]


class Assembler:
    """Makes the row of one site in one environment."""

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        placed: Placed,
        site: ConsumerSite,
        registered: Registered | None,
    ) -> None:
        self.world = world
        self.deployable = deployable
        self.environment = environment.seen_from(placed.origin)
        self.placed = placed
        self.site = site
        self.api = APIS.get(site.api) or SENDERS[site.api]
        self.registered = registered

    def assemble(
        self, evaluator: Evaluator, settings: dict[Attribute, Value], subscriptions: list[Subscription]
    ) -> Row:
        """The row of a consumer with these settings and subscriptions."""
        consumer = self._consumer(evaluator, settings, subscriptions)
        # what a configuration centre or a deployment may answer keeps nothing from starting
        lacking = any(value.why in (Why.UNDEFINED, Why.CYCLE) for _, value in consumer.values)
        undefined = frozenset(evaluator.undefined_keys) if lacking else frozenset()
        ordinal = self.registered.ordinal if self.registered is not None else 0
        alternative = tuple(
            (choice.origin, choice.span, evaluator.choices.get(choice, 0))
            for choice in sorted(evaluator.used, key=lambda one: (one.origin, one.span))
        )
        return Row(
            consumer,
            (self.placed.origin, self.site.at, self.site.symbol, ordinal),
            alternative,
            undefined,
            evaluator.asked_configuration,
            frozenset(evaluator.through),
            self.site.code if isinstance(self.site, BoundSite) else None,
        )

    def _consumer(
        self, evaluator: Evaluator, settings: dict[Attribute, Value], subscriptions: list[Subscription]
    ) -> Consumer:
        at = self.placed.at(self.site.at)
        if not subscriptions:
            nothing = Value(None, Why.NEVER_SUBSCRIBED)
            subscriptions = [Subscription(at, nothing, NOT_APPLICABLE, NOT_APPLICABLE)]
        group = named(settings.get(Attribute.GROUP, Value(None, Why.DYNAMIC, phrase("no-group-is-set"))))
        group = self._as_named(group)
        if group.symbol:
            whole = f"{self.deployable.key.repo}:{self.deployable.key}".removesuffix(":.")
            group = replace(group, symbol=f"{group.symbol} of {whole}")
        name_server = self._name_server(settings)
        conditions, disabled = self._switches(settings, group, subscriptions)
        return Consumer(
            id="",
            choice="",
            api=self.site.api,
            at=at,
            symbol=self.site.symbol,
            deployable=self.deployable.name_in(at.origin.repo),
            scope=self._scope(at, evaluator),
            group=group,
            namespace=self._namespace(settings, name_server),
            message_model=self._model(settings),
            consume_mode=self._mode(settings),
            instance_name=settings.get(Attribute.INSTANCE_NAME, Value("", default=True)),
            name_server=name_server,
            post_subscription=settings.get(Attribute.POST_SUBSCRIPTION, Value("false", default=True)),
            strategy=class_of(settings.get(Attribute.STRATEGY, Value("AVG", default=True))),
            consume_from=self._consume_from(settings),
            version=client_version(self.api, self.world.modules, self.deployable),
            subscriptions=tuple(subscriptions),
            environments=(self.environment.name,),
            profiles=self.environment.configuration.profiles,
            conditions=tuple(conditions),
            disabled=disabled,
            broken=self.site.broken,
            tags=self._tags(evaluator),
        )

    def belongs_here(self, row: Row) -> bool:
        """Whether the deployable is the one that reports a row.

        Every known deployable reports what it runs; one that is not known only what no known one and no earlier one
        runs, tests only in the module they stand in.
        """
        if self.deployable.known:
            return True
        modules = self.world.modules
        place = row.consumer.at.origin
        places = {place, self.placed.origin, *row.through}
        holders = modules.together(*{modules.of(each) for each in places})
        tests = {modules.of(each) for each in places if scope_of(each.path) == "test"}
        if holders and tests:
            return self.deployable.key in tests
        return not holders or holders[0].key == self.deployable.key

    def is_machinery(self, attributes: Iterable[Attribute]) -> bool:
        """Whether the consumer, which sets these attributes, is made by a client's or starter's own code for those who use
        it, or is a listener container put together without a group, as only its own tests do."""
        if self.site.api == "spring-listener" and Attribute.GROUP not in attributes:
            return True
        return self.site.symbol.startswith(MACHINERY_PACKAGES) and scope_of(self.placed.origin.path) != "test"

    def _switches(
        self, settings: dict[Attribute, Value], group: Value, subscriptions: Sequence[Subscription]
    ) -> tuple[list[Condition], bool]:
        """What a consumer hangs on, and whether it is switched off."""
        conditions = self._conditions()
        disabled = any(c.kind in ("not-a-bean", "disabled") for c in conditions)
        disabled = disabled or (self.registered is not None and self.registered.refused is not None)
        before = len(conditions)
        if self._is_refused(group):
            conditions.append(Condition("invalid-group", group.text or "", self.site.at))
        enabled = settings.get(Attribute.ENABLED)
        if enabled is not None and (enabled.text or "").strip().lower() == "false":
            conditions.append(Condition("disabled", "", self.site.at))
        for gate in self._gates(group, subscriptions):
            conditions.append(Condition("disabled", f"{gate.key}={gate.text}", self.site.at))
        return conditions, disabled or len(conditions) > before

    def _tags(self, evaluator: Evaluator) -> tuple[TrailStep, ...]:
        """The tags that the listener's code names, none where one of them is not known."""
        found = [(self.placed.at(one.at), self._quiet(evaluator, one)) for one in self.site.tags]
        if not all(value.known for _, value in found):
            return ()
        return tuple(TrailStep(at, value.text or "") for at, value in found)

    def _is_refused(self, group: Value) -> bool:
        """Whether the client does not start for the name of its group. Mirrors Validators#checkGroup, RocketMQ 5.3.3."""
        if group.text is None or self.api.client is not Client.REMOTING:
            return False
        return _NAME.fullmatch(group.text) is None or len(group.text) > _GROUP_CHARS_MAX

    def _conditions(self) -> list[Condition]:
        """Why the consumer may not run: as Spring decided, else what the file says."""
        if self.registered is None:
            found = list(self.site.conditions)
            if any(each.kind == "not-a-bean" for each in found) and is_made_by_code(
                self.world, self.deployable, self.site.type
            ):
                found = [each for each in found if each.kind != "not-a-bean"]
            return found
        of_spring = ("not-a-bean", "profile", "property", "expression")
        kept = [each for each in self.site.conditions if each.kind not in of_spring]
        refused = [self.registered.refused] if self.registered.refused is not None else []
        return [*kept, *refused, *self.registered.conditions]

    def _gates(self, group: Value, subscriptions: Sequence[Subscription]) -> Iterator[Entry]:
        """The configuration entries that keep this consumer from running here."""
        for condition in self.site.conditions if self.registered is None else ():
            entry = bindings.ruled_out(self.environment, condition)
            if entry is not None:
                yield entry
        if self.site.api == "spring-listener" and group.text:
            for one in subscriptions:
                if one.topic.text:
                    entry = bindings.switched_off(self.environment, group.text, one.topic.text)
                    if entry is not None:
                        yield entry

    @staticmethod
    def _scope(at: Location, evaluator: Evaluator) -> str:
        """The scope of the place; what a test or an example makes, through whatever code, is a consumer of theirs."""
        scopes = {scope_of(origin.path) for origin in (at.origin, *evaluator.through)}
        return next((scope for scope in ("test", "sample") if scope in scopes), "main")

    def _namespace(self, settings: dict[Attribute, Value], name_server: Value) -> Value:
        written = settings.get(Attribute.NAMESPACE)
        if written is not None and (written.text or written.why not in (None, Why.NOT_APPLICABLE)):
            return written
        if self.site.api == "spring-listener" and (common := self._common_namespace()) is not None:
            return common
        host = (name_server.text or "").rpartition("//")[2].partition(".")[0]
        if self.api.client is Client.REMOTING and host.startswith("MQ_INST_"):
            return Value(host, trail=name_server.trail, confidence=name_server.confidence)
        second = settings.get(Attribute.NAMESPACE_V2)
        if second is not None and second.text != "":
            # a field of requests that open-source brokers pass over: one group, unless a proxy before them looks at it
            return Value("", trail=second.trail, confidence=Confidence.MEDIUM)
        return Value("", default=True)

    def _name_server(self, settings: dict[Attribute, Value]) -> Value:
        """The name servers that are set, else those of the application a listener belongs to."""
        written = settings.get(Attribute.NAME_SERVER, Value("", default=True))
        if self.site.api == "spring-listener" and not written.text and written.why in (None, Why.UNDEFINED):
            key = "rocketmq.name-server"
            if self.environment.lookup(key, loosely=True) is not None:
                evaluator = Evaluator(self.world, self.deployable, self.environment)
                found = evaluator.lookup(key, self.placed.at(self.site.at), 0, loosely=True)
                value = public_of(found)
                return value if value.known else Value("", default=True)
        return written

    def _common_namespace(self) -> Value | None:
        """The namespace of all listeners of an application, where its configuration sets one."""
        key = "rocketmq.consumer.namespace"
        if self.environment.lookup(key, loosely=True) is None:
            return None
        evaluator = Evaluator(self.world, self.deployable, self.environment)
        found = evaluator.lookup(key, self.placed.at(self.site.at), 0, loosely=True)
        return public_of(found)

    def _model(self, settings: dict[Attribute, Value]) -> Value:
        if not self.api.has_model:
            return NOT_APPLICABLE
        value = settings.get(Attribute.MESSAGE_MODEL)
        if value is None:
            return Value("CLUSTERING", default=True)
        text = (value.text or "").strip().upper()
        if text in ("TRUE", "FALSE"):  # Spring Cloud Stream's `broadcasting`
            text = "BROADCASTING" if text == "TRUE" else "CLUSTERING"
        return _one_of(value, text, ("CLUSTERING", "BROADCASTING"))

    def _consume_from(self, settings: dict[Attribute, Value]) -> Value:
        """Where a queue begins for which the group has no offset; frameworks with defaults of their own are not known."""
        if self.api.client is not Client.REMOTING:
            return NOT_APPLICABLE
        value = settings.get(Attribute.CONSUME_FROM)
        if value is not None:
            return value
        if self.site.api in ("push", "lite-pull", "spring-listener"):
            return Value("CONSUME_FROM_LAST_OFFSET", default=True)
        return Value(None, Why.DYNAMIC, phrase("framework-default"))

    def _mode(self, settings: dict[Attribute, Value]) -> Value:
        if not self.api.has_mode:
            return NOT_APPLICABLE
        value = settings.get(Attribute.CONSUME_MODE)
        if value is None:
            if self.site.api == "push":
                return Value(None, Why.DYNAMIC, phrase("listener-is-not-seen"))
            return Value("CONCURRENTLY", default=True)
        text = (value.text or "").strip().upper()
        if text in ("TRUE", "FALSE"):
            text = "ORDERLY" if text == "TRUE" else "CONCURRENTLY"
        return _one_of(value, text, ("CONCURRENTLY", "ORDERLY"))

    def _as_named(self, value: Value) -> Value:
        """A group or topic of an own annotation: what is not a name for RocketMQ is taken apart by the code that reads it."""
        if self.site.api != "own-annotation" or not value.text or _NAME.fullmatch(value.text):
            return value
        return Value(None, Why.DYNAMIC, TAKEN_APART, value.trail)

    def _quiet(self, evaluator: Evaluator, expr: Expr) -> Value:
        """A value that must not multiply consumers: what is open stays unknown."""
        try:
            return self._value(evaluator, expr)
        except Fork as fork:
            return Value(None, Why.DYNAMIC, phrase("possibilities", fork.count))

    def _value(self, evaluator: Evaluator, expr: Expr) -> Value:
        value = public_of(evaluator.text(expr, self.placed))
        if value.why is Why.UNDEFINED and (word := word_of(expr)) is not None:
            return Value(word, trail=(TrailStep(self.placed.at(expr.at), word),))
        return value


def class_of(value: Value) -> Value:
    """A strategy is known by the class of its object."""
    names = names_of(value.detail, OBJECT_OF)
    if value.text is not None or not names:
        return value
    return Value(names[0], trail=value.trail, confidence=value.confidence)


def word_of(expr: Expr) -> str | None:
    """A constant of a client library's enum, recognised by its name."""
    if isinstance(expr, Name) and expr.candidates:
        last = expr.candidates[0].rpartition("#")[2]
        if last in _WORDS:
            return last
    return None


_WORDS = frozenset(
    [
        "TAG",
        "SQL92",
        "CLASS",
        "CLUSTERING",
        "BROADCASTING",
        "CONCURRENTLY",
        "ORDERLY",
        "CONSUME_FROM_LAST_OFFSET",
        "CONSUME_FROM_FIRST_OFFSET",
        "CONSUME_FROM_TIMESTAMP",
    ]
)


def public_of(value: Val) -> Value:
    match value:
        case Text(text=text):
            if "${" in text:  # a template's gap, or a placeholder nothing resolves: never a name
                return Value(None, Why.UNDEFINED, text, value.trail)
            return known(value)
        case Missing():
            return unknown(value)
        case Null(trail=trail):
            return Value(None, Why.DYNAMIC, phrase("it-is-null"), trail)
        case Constant(text=text):
            return known(text)
        case Many() | TypeVal() | FileVal():
            return Value(None, Why.DYNAMIC, phrase("not-a-text"))


def _one_of(value: Value, text: str, words: tuple[str, ...]) -> Value:
    """A value that is one of some words; a name that is none of them is that of a constant nobody sees."""
    if value.known and text not in words:
        return Value(None, Why.UNDEFINED, value.text or "", value.trail)
    return replace(value, text=text) if value.known else value

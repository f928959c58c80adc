"""The row of a consumer: what is set of it, made whole with what its API, its environment and its deployable say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

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
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Attribute, Condition, ConsumerSite
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import names_of, phrase
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve import bindings
from subdrift.linter.resolve.configured import Resolver
from subdrift.linter.resolve.environment import Entry, Environment
from subdrift.linter.resolve.evaluate import OBJECT_OF
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.spring.registration import Registered
from subdrift.linter.resolve.stream.inputs import BoundSite
from subdrift.linter.resolve.values import named
from subdrift.linter.resolve.versions import client_version
from subdrift.linter.resolve.world import World

_NAME = re.compile(r"[%|a-zA-Z0-9_-]+")

TAKEN_APART = phrase("text-that-is-not-a-name")
_GROUP_CHARS_MAX = 255


class Row(Struct):
    """One consumer in one environment under one set of choices. `code`: the file whose program it is one of, where that
    is not the one it stands in. `unmet` as in `Consumers`."""

    consumer: Consumer
    member: tuple[object, ...]
    alternative: tuple[object, ...] = ()
    undefined: frozenset[str] = frozenset()
    asked: bool = False
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
        self,
        settings: Mapping[Attribute, Value],
        subscriptions: Sequence[Subscription],
        *,
        undefined: Set[str] = frozenset(),
        through: Set[Origin] = frozenset(),
        tags: tuple[TrailStep, ...] = (),
    ) -> Row:
        """The row of a consumer with these settings and subscriptions. `undefined` are keys that nothing sets, `through` the
        files that it came through, `tags` as of `Consumer`."""
        consumer = self._consumer(settings, subscriptions, through, tags)
        # what a configuration centre or a deployment may answer keeps nothing from starting
        lacking = any(value.why in (Why.UNDEFINED, Why.CYCLE) for _, value in consumer.values)
        ordinal = self.registered.ordinal if self.registered is not None else 0
        return Row(
            consumer,
            (self.placed.origin, self.site.at, self.site.symbol, ordinal),
            undefined=frozenset(undefined if lacking else ()),
            through=frozenset(through),
            code=self.site.code if isinstance(self.site, BoundSite) else None,
        )

    def _consumer(
        self,
        settings: Mapping[Attribute, Value],
        subscriptions: Sequence[Subscription],
        through: Set[Origin],
        tags: tuple[TrailStep, ...],
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
            scope=_scope(at, through),
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
            tags=tags,
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
        self, settings: Mapping[Attribute, Value], group: Value, subscriptions: Sequence[Subscription]
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

    def _is_refused(self, group: Value) -> bool:
        """Whether the client does not start for the name of its group. Mirrors Validators#checkGroup, RocketMQ 5.3.3."""
        if group.text is None or self.api.client is not Client.REMOTING:
            return False
        return _NAME.fullmatch(group.text) is None or len(group.text) > _GROUP_CHARS_MAX

    def _conditions(self) -> list[Condition]:
        """Why the consumer may not run: as Spring decided, else what the file says."""
        if self.registered is None:
            return list(self.site.conditions)
        kept = [each for each in self.site.conditions if each.kind != "not-a-bean"]
        refused = [self.registered.refused] if self.registered.refused is not None else []
        return [*kept, *refused, *self.registered.conditions]

    def _gates(self, group: Value, subscriptions: Sequence[Subscription]) -> Iterator[Entry]:
        """The configuration entries that keep this consumer from running here."""
        if self.site.api == "spring-listener" and group.text:
            for one in subscriptions:
                if one.topic.text:
                    entry = bindings.switched_off(self.environment, group.text, one.topic.text)
                    if entry is not None:
                        yield entry

    def _namespace(self, settings: Mapping[Attribute, Value], name_server: Value) -> Value:
        written = settings.get(Attribute.NAMESPACE)
        if written is not None and (written.text or written.why not in (None, Why.NOT_APPLICABLE)):
            return written
        if (
            self.site.api == "spring-listener"
            and (common := self._set_to("rocketmq.consumer.namespace")) is not None
        ):
            return common
        host = (name_server.text or "").rpartition("//")[2].partition(".")[0]
        if self.api.client is Client.REMOTING and host.startswith("MQ_INST_"):
            return Value(host, trail=name_server.trail, confidence=name_server.confidence)
        second = settings.get(Attribute.NAMESPACE_V2)
        if second is not None and second.text != "":
            # a field of requests that open-source brokers pass over: one group, unless a proxy before them looks at it
            return Value("", trail=second.trail, confidence=Confidence.MEDIUM)
        return Value("", default=True)

    def _name_server(self, settings: Mapping[Attribute, Value]) -> Value:
        """The name servers that are set, else those of the application a listener belongs to."""
        written = settings.get(Attribute.NAME_SERVER, Value("", default=True))
        if self.site.api == "spring-listener" and not written.text and written.why in (None, Why.UNDEFINED):
            value = self._set_to("rocketmq.name-server")
            if value is not None:
                return value if value.known else Value("", default=True)
        return written

    def _set_to(self, key: str) -> Value | None:
        """What the configuration of an application sets for all of its listeners, None where it does not."""
        configured = Resolver(self.world, self.deployable, self.environment)
        return configured.set_to(key, self.placed.at(self.site.at))

    def _model(self, settings: Mapping[Attribute, Value]) -> Value:
        if not self.api.has_model:
            return NOT_APPLICABLE
        value = settings.get(Attribute.MESSAGE_MODEL)
        if value is None:
            return Value("CLUSTERING", default=True)
        text = (value.text or "").strip().upper()
        if text in ("TRUE", "FALSE"):  # Spring Cloud Stream's `broadcasting`
            text = "BROADCASTING" if text == "TRUE" else "CLUSTERING"
        return _one_of(value, text, ("CLUSTERING", "BROADCASTING"))

    def _consume_from(self, settings: Mapping[Attribute, Value]) -> Value:
        """Where a queue begins for which the group has no offset; frameworks with defaults of their own are not known."""
        if self.api.client is not Client.REMOTING:
            return NOT_APPLICABLE
        value = settings.get(Attribute.CONSUME_FROM)
        if value is not None:
            return value
        if self.site.api in ("push", "lite-pull", "spring-listener"):
            return Value("CONSUME_FROM_LAST_OFFSET", default=True)
        return Value(None, Why.DYNAMIC, phrase("framework-default"))

    def _mode(self, settings: Mapping[Attribute, Value]) -> Value:
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


def _scope(at: Location, through: Set[Origin]) -> str:
    """The scope of the place; what a test or an example makes, through whatever code, is a consumer of theirs."""
    scopes = {scope_of(origin.path) for origin in (at.origin, *through)}
    return next((scope for scope in ("test", "sample") if scope in scopes), "main")


def class_of(value: Value) -> Value:
    """A strategy is known by the class of its object."""
    names = names_of(value.detail, OBJECT_OF)
    if value.text is not None or not names:
        return value
    return Value(names[0], trail=value.trail, confidence=value.confidence)


def _one_of(value: Value, text: str, words: tuple[str, ...]) -> Value:
    """A value that is one of some words; a name that is none of them is that of a constant nobody sees."""
    if value.known and text not in words:
        return Value(None, Why.UNDEFINED, value.text or "", value.trail)
    return replace(value, text=text) if value.known else value

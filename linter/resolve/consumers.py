"""One deployable -> its consumers, with the environments in which they differ.

Declared consumers are evaluated here in every environment, those that programs make come from `linter.resolve.programs`.
What differs by an alternative is a row that excludes its siblings; what differs by environment is a row of its own, rows
with equal values are merged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.clients.apis import MACHINERY_PACKAGES
from subdrift.linter.model.answers import DeclaredApi
from subdrift.linter.model.api import APIS, SENDERS, Client
from subdrift.linter.model.consumer import (
    NOT_APPLICABLE,
    Confidence,
    Consumer,
    Subscription,
    TrailStep,
    Value,
)
from subdrift.linter.model.expr import Expr, Interpolate, Literal, Name, Why
from subdrift.linter.model.facts import Attribute, Condition, ConsumerSite, SubscriptionSite
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.message import names_of, phrase, say
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve import bindings, declared_apis, own_annotations
from subdrift.linter.resolve.configuration import Configuration
from subdrift.linter.resolve.environment import PROFILES_MAX, Entry, Environment
from subdrift.linter.resolve.evaluate import OBJECT_OF, Choice, Evaluator, Fork, World
from subdrift.linter.resolve.frameworks import SPRING
from subdrift.linter.resolve.modules import Deployable, Ring
from subdrift.linter.resolve.profiles import profile_holds
from subdrift.linter.resolve.programs import Hooked, Programs, Rows, run_programs
from subdrift.linter.resolve.scopes import scoped
from subdrift.linter.resolve.spring.annotations import Annotations
from subdrift.linter.resolve.spring.registration import Registered, Registrations, is_made_by_code
from subdrift.linter.resolve.stream import BoundSite
from subdrift.linter.resolve.symbols import SAME_UNKNOWN, symbol_of
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

ROWS_MAX = 256
"""Alternatives of one declared consumer that are told apart in one environment; of more nothing is compared."""

RING_SHOWN_MAX = 6
"""Steps of a ring of modules that are named."""

_NAME = re.compile(r"[%|a-zA-Z0-9_-]+")
_TAKEN_APART = phrase("text-that-is-not-a-name")
_GROUP_CHARS_MAX = 255
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

_QUIET = (
    Attribute.INSTANCE_NAME,
    Attribute.UNIT_NAME,
    Attribute.NAME_SERVER,
    Attribute.CONSUME_FROM,
    Attribute.STRATEGY,
    Attribute.ENABLED,
)


class Consumers(Struct, frozen=True):
    """What `consume` makes of one deployable.

    Of the places that make a consumer in a module which several deployables take in: `followed` are those whose code was
    run here, `unmet` a consumer for each of the others, which is one where nobody has run it.
    """

    consumers: tuple[Consumer, ...]
    diagnostics: tuple[Diagnostic, ...]
    unmet: tuple[Consumer, ...] = ()
    followed: frozenset[Location] = frozenset()


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


def consume(
    world: World,
    deployable: Deployable,
    files: Sequence[Placed],
    configuration: Configuration,
    cluster: str,
    apis: Sequence[DeclaredApi] = (),
    scopes: Sequence[tuple[str, str]] = (),
) -> Consumers:
    """The consumers of one deployable; `files` are those of the modules it takes in, `apis` those that are declared,
    `scopes` what `[scope]` says of paths."""
    rows: list[Row] = []
    diagnostics: dict[tuple[str, Location], Diagnostic] = {
        (one.name, one.at): one for one in declared_apis.unseen(world, deployable, files, apis)
    }
    for key in deployable.takes_in[:1] if deployable.known else deployable.takes_in:
        if (ring := ring_named(world.modules.ring_of(key))) is not None:
            diagnostics["ring", ring.at] = ring
    declared = _declared(world, deployable, files, apis)
    annotations = Annotations(world.definitions, deployable)
    programs = run_programs(world, world.program, deployable, files, configuration)
    profiles = configuration.profiles
    if len(profiles) > PROFILES_MAX:
        first = next(iter(files))
        left = ", ".join(profiles[PROFILES_MAX:])
        diagnostics["", first.at(Span(1, 1, 1, 1))] = Diagnostic(
            "not-followed",
            say(
                "too-many-profiles",
                deployable=str(deployable),
                count=len(profiles),
                most=PROFILES_MAX,
                left_out=left,
            ),
            first.at(Span(1, 1, 1, 1)),
        )
    learns = world.program.explores and bool(world.program.marks.telling)
    for name in ("", *profiles[:PROFILES_MAX]):
        environment = configuration.environment(name)
        made = list(
            _environment_rows(
                world, deployable, files, environment, cluster, diagnostics, programs, declared, annotations
            )
        )
        rows += made
        alike = not any(row.asked for row in made) and not _profiled(files)
        if name == "" and profiles and alike and configuration.framework is SPRING:
            rows = [_everywhere(row, profiles) for row in rows]
            break
        if (
            learns and profiles
        ):  # what is sent in the others is told in the round that settles: it asks for the same files
            world.program.postponed = True
            break
    deployments = () if learns else tuple(sorted(configuration.asked))
    world.program.postponed = world.program.postponed or (learns and bool(configuration.asked))
    for name in deployments:
        environment = configuration.environment(name)
        rows += _environment_rows(
            world, deployable, files, environment, cluster, diagnostics, programs, declared, annotations
        )
    if deployments:
        rows = [_deployed(row, deployments) for row in rows]
    names = ("", *profiles[:PROFILES_MAX], *deployments)

    def is_defined(key: str) -> bool:
        return any(configuration.environment(name).lookup(key) is not None for name in names)

    def program_of(origin: Origin) -> str:
        return world.modules.program(deployable, world.modules.of(origin)).name_in(origin.repo)

    merged = tuple(_merge((row for row in rows if not row.unmet), is_defined, program_of))
    unmet = tuple(_merge((row for row in rows if row.unmet), is_defined, program_of))
    if world.program.marks.telling:
        from subdrift.linter.resolve.sends import told_once

        merged = told_once(merged)
    found = scoped(world, merged, scopes)
    unmet = scoped(world, unmet, scopes)
    return Consumers(found, tuple(diagnostics.values()), unmet, frozenset(programs.followed))


def ring_named(ring: Ring | None) -> Diagnostic | None:
    """What is said of modules that take each other in, where no tool builds them or where that is not followed."""
    if ring is None or ring.at is None or not (ring.refused or ring.cut):
        return None
    way = [str(key) for key in ring.around]
    if len(way) > RING_SHOWN_MAX + 1:
        way[RING_SHOWN_MAX - 1 : -1] = ["..."]
    code = "modules-in-a-ring.cut" if ring.cut else "modules-in-a-ring"
    message = say(code, count=len(ring.modules), ring=" -> ".join(way))
    return Diagnostic("not-followed", message, ring.at, say("break-the-ring"))


def _profiled(files: Sequence[Placed]) -> bool:
    """Whether anything but a looked-up value may differ by profile: conditions, bindings made of keys."""
    return any(site.conditions for placed in files for site in placed.facts.sites) or any(
        entry.key.startswith(("spring.cloud.stream", "spring.cloud.function", "rocketmq."))
        for placed in files
        for entry in placed.facts.config
    )


def _everywhere(row: Row, profiles: tuple[str, ...]) -> Row:
    return replace(row, consumer=replace(row.consumer, environments=("", *profiles)))


def _deployed(row: Row, deployments: tuple[str, ...]) -> Row:
    """The row of a deployable for which deployment alternatives count as profiles it defines."""
    consumer = row.consumer
    return replace(row, consumer=replace(consumer, profiles=(*consumer.profiles, *deployments)))


def _environment_rows(
    world: World,
    deployable: Deployable,
    files: Sequence[Placed],
    environment: Environment,
    cluster: str,
    diagnostics: dict[tuple[str, Location], Diagnostic],
    programs: Programs,
    declared: Sequence[tuple[Placed, ConsumerSite]],
    annotations: Annotations,
) -> Iterator[Row]:
    registrations = (
        Registrations(world, deployable, environment, files, annotations)
        if environment.configuration.applications
        else None
    )

    def builder_of(placed: Placed, site: ConsumerSite, registered: Registered | None = None) -> Builder:
        return Builder(world, deployable, environment, placed, site, cluster, registered)

    if world.program.marks.telling:
        from subdrift.linter.resolve.sends import SendRows

        sending = SendRows(world, deployable, environment, programs, builder_of, diagnostics, registrations)
        sending.sources = files
        yield from sending.rows()
        return
    made = Rows(world, deployable, environment, programs, builder_of, diagnostics, registrations)
    sites = [
        *((placed, site) for placed in files for site in placed.facts.sites),
        *declared,
        *bindings.sites(world, deployable, environment, files, registrations),
    ]
    for placed, site in sites:
        if site.api == "own-annotation" and (placed.origin, site.type) in made.annotated:
            continue  # what a program has made of it is told
        registered = registrations.of(placed, site) if registrations is not None else None
        for one in registered or (None,):
            builder = builder_of(placed, site, one)
            try:
                rows = list(builder.rows(made.hooks(placed, site)))
            except _TooManyError:
                rows = [builder.crowd()]
            yield from rows
    taken_over = all(
        file.language != "python" for file in programs.files
    )  # scripts are run again in each round
    if world.program.explores and taken_over and any(programs.executed.clients()):
        world.program.postponed = True  # what is read next hangs on the runs, which have asked for it
    else:
        yield from made.rows()


def _declared(
    world: World, deployable: Deployable, files: Sequence[Placed], apis: Sequence[DeclaredApi]
) -> list[tuple[Placed, ConsumerSite]]:
    """The consumers of own annotations and of declared APIs, the same in all environments; what `[[apis]]` says of an
    annotation or class wins."""
    declared = list(declared_apis.sites(world, deployable, files, apis))
    if world.program.marks.telling:
        return declared
    said = {(placed.origin, site.at) for placed, site in declared}
    own = own_annotations.sites(world, deployable, files)
    return [*((placed, site) for placed, site in own if (placed.origin, site.at) not in said), *declared]


class _TooManyError(Exception):
    """A site stands for more consumers than the bound."""


class Builder:
    """Builds the rows of one site in one environment."""

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        placed: Placed,
        site: ConsumerSite,
        cluster: str,
        registered: Registered | None,
    ) -> None:
        self.world = world
        self.deployable = deployable
        self.environment = environment.seen_from(placed.origin)
        self.placed = placed
        self.site = site
        self.cluster = cluster
        self.api = APIS.get(site.api) or SENDERS[site.api]
        self.registered = registered

    def rows(self, hooks: Sequence[Hooked]) -> Iterator[Row]:
        """The rows of a declared consumer. `hooks`: what code does to it before it starts, as alternatives."""
        if not self._active() or self.is_machinery(each.attribute for each in self.site.settings):
            return
        for hooked in hooks or (None,):
            pending: list[dict[Choice, int]] = [{}]
            count = 0
            while pending:
                choices = pending.pop()
                try:
                    row = self._row(choices, hooked)
                except Fork as fork:
                    pending += [{**choices, fork.choice: index} for index in reversed(range(fork.count))]
                    if len(pending) > ROWS_MAX:
                        raise _TooManyError from None
                    continue
                count += 1
                if count > ROWS_MAX:
                    raise _TooManyError
                if self.belongs_here(row):
                    yield row

    def crowd(self) -> Row:
        """One row for a site that stands for more consumers than the bound: nothing of it is compared."""
        crowded = Value(None, Why.TOO_MANY, phrase("more-than-consumers", ROWS_MAX))
        evaluator = Evaluator(self.world, self.deployable, self.environment)
        one = Subscription(self.placed.at(self.site.at), crowded, crowded, crowded)
        return self.assemble(evaluator, {Attribute.GROUP: crowded}, [one])

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

    def _active(self) -> bool:
        """Whether the site's own profile conditions hold here; where Spring has a say, it said so already."""
        if self.registered is not None:
            return True
        active = self.environment.active
        for condition in self.site.conditions:
            if condition.kind == "profile" and not any(
                profile_holds(part, active) for part in condition.text.split(",")
            ):
                return False
        return True

    # -- values -----------------------------------------------------------------------------------------------

    def _row(self, choices: dict[Choice, int], hooked: Hooked | None) -> Row:
        evaluator = Evaluator(self.world, self.deployable, self.environment, choices)
        evaluator.speaks = self.site.api != "spring-listener"
        settings: dict[Attribute, Value] = {}
        for setting in self.site.settings:
            quiet = setting.attribute in _QUIET
            value = (self._quiet if quiet else self._value)(evaluator, setting.value)
            if setting.attribute is Attribute.GROUP and value.why in SAME_UNKNOWN:
                value = replace(value, symbol=symbol_of(setting.value, self.environment))
            settings[setting.attribute] = value
        subscriptions = [self._declared(evaluator, site) for site in self.site.subscriptions]
        if hooked is None:
            return self.assemble(evaluator, settings, subscriptions)
        settings.update(hooked.settings)
        row = self.assemble(evaluator, settings, hooked.after(subscriptions))
        return replace(
            row, alternative=(*row.alternative, *hooked.alternative), asked=row.asked or hooked.asked
        )

    def _value(self, evaluator: Evaluator, expr: Expr) -> Value:
        value = _public(evaluator.text(expr, self.placed))
        if value.why is Why.UNDEFINED and (word := _word(expr)) is not None:
            return Value(word, trail=(TrailStep(self.placed.at(expr.at), word),))
        return value

    def _as_named(self, value: Value) -> Value:
        """A group or topic of an own annotation: what is no name for RocketMQ is taken apart by the code that reads it."""
        if self.site.api != "own-annotation" or not value.text or _NAME.fullmatch(value.text):
            return value
        return Value(None, Why.DYNAMIC, _TAKEN_APART, value.trail)

    def _quiet(self, evaluator: Evaluator, expr: Expr) -> Value:
        """A value that must not multiply consumers: what is open stays unknown."""
        try:
            return self._value(evaluator, expr)
        except Fork as fork:
            return Value(None, Why.DYNAMIC, phrase("possibilities", fork.count))

    def _declared(self, evaluator: Evaluator, site: SubscriptionSite) -> Subscription:
        topic = self._as_named(_name(self._value(evaluator, site.topic)))
        if topic.why is Why.DYNAMIC and topic.detail == _TAKEN_APART:
            return Subscription(
                self.placed.at(site.at), topic, topic, self._filter_type(evaluator, site.filter_type)
            )
        if site.expression is None:
            expression = Value("*", default=True)
        else:
            expression = self._expression(evaluator, site.expression)
        kind = self._filter_type(evaluator, site.filter_type)
        return Subscription(self.placed.at(site.at), topic, expression, kind)

    def _expression(self, evaluator: Evaluator, expr: Expr) -> Value:
        """A filter expression; null, empty and `*` all mean everything, lists are joined as tags."""
        value = evaluator.value(expr, self.placed)
        match value:
            case Null(trail=trail):
                return Value("*", trail=trail)
            case Text() if value.text == "":
                return replace(_public(value), text=self._when_empty(expr))
            case Many(items=items):
                parts = [_public(item) for item in items if isinstance(item, Text)]
                if len(parts) == len(items):
                    texts = [part.text or "" for part in parts]
                    trail = tuple(step for part in parts for step in part.trail)
                    return Value("||".join(texts) or "*", trail=trail)
        return self._value(evaluator, expr)

    def _when_empty(self, expr: Expr) -> str:
        """What an expression that turns out empty stands for: everything.

        The starter then keeps the text of the annotation, placeholders and all. Mirrors
        ListenerContainerConfiguration#createRocketMQListenerContainer, rocketmq-spring 2.0.0 to 2.3.5.
        """
        if self.site.api == "spring-listener" and isinstance(expr, Interpolate):
            raw = expr.text
            if isinstance(raw, Literal) and "${" in raw.text:
                return raw.text
        return "*"

    def _filter_type(self, evaluator: Evaluator, expr: Expr | None) -> Value:
        if expr is None:
            return Value("TAG", default=True)
        value = self._value(evaluator, expr)
        if value.text is None:
            return value
        text = value.text.strip().upper()
        known = {"SQL": "SQL92", "SQL92": "SQL92", "CLASS": "CLASS"}
        return replace(value, text=known.get(text, "TAG" if text in ("TAG", "") else value.text))

    # -- the row ----------------------------------------------------------------------------------------------

    def assemble(
        self, evaluator: Evaluator, settings: dict[Attribute, Value], subscriptions: list[Subscription]
    ) -> Row:
        """The row of a consumer with these settings and subscriptions."""
        at = self.placed.at(self.site.at)
        if not subscriptions:
            nothing = Value(None, Why.NEVER_SUBSCRIBED)
            subscriptions = [Subscription(at, nothing, NOT_APPLICABLE, NOT_APPLICABLE)]
        group = _name(settings.get(Attribute.GROUP, Value(None, Why.DYNAMIC, phrase("no-group-is-set"))))
        group = self._as_named(group)
        if group.symbol:
            whole = f"{self.deployable.key.repo}:{self.deployable.key}".removesuffix(":.")
            group = replace(group, symbol=f"{group.symbol} of {whole}")
        name_server = self._name_server(settings)
        conditions = self._conditions()
        enabled = settings.get(Attribute.ENABLED)
        disabled = any(c.kind in ("not-a-bean", "disabled") for c in conditions)
        if self.registered is not None and self.registered.refused is not None:
            disabled = True
        if self._is_refused(group):
            conditions.append(Condition("invalid-group", group.text or "", self.site.at))
            disabled = True
        if enabled is not None and (enabled.text or "").strip().lower() == "false":
            conditions.append(Condition("disabled", "", self.site.at))
            disabled = True
        for gate in self._gates(group, subscriptions):
            conditions.append(Condition("disabled", f"{gate.key}={gate.text}", self.site.at))
            disabled = True
        alternative = tuple(
            (choice.origin, choice.span, evaluator.choices.get(choice, 0))
            for choice in sorted(evaluator.used, key=lambda one: (one.origin, one.span))
        )
        consumer = Consumer(
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
            strategy=_class_of(settings.get(Attribute.STRATEGY, Value("AVG", default=True))),
            consume_from=self._consume_from(settings),
            version=client_version(self.api, self.world.modules, self.deployable),
            subscriptions=tuple(subscriptions),
            environments=(self.environment.name,),
            profiles=self.environment.configuration.profiles,
            conditions=tuple(conditions),
            disabled=disabled,
            broken=self.site.broken,
            cluster=self.cluster,
            tags=self._tags(evaluator),
        )
        # what a configuration centre or a deployment may answer keeps nothing from starting
        lacking = any(value.why in (Why.UNDEFINED, Why.CYCLE) for _, value in consumer.values)
        undefined = frozenset(evaluator.undefined_keys) if lacking else frozenset()
        ordinal = self.registered.ordinal if self.registered is not None else 0
        return Row(
            consumer,
            (self.placed.origin, self.site.at, self.site.symbol, ordinal),
            alternative,
            undefined,
            evaluator.asked_configuration,
            frozenset(evaluator.through),
            self.site.code if isinstance(self.site, BoundSite) else None,
        )

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
                value = _public(found)
                return value if value.known else Value("", default=True)
        return written

    def _common_namespace(self) -> Value | None:
        """The namespace of all listeners of an application, where its configuration sets one."""
        key = "rocketmq.consumer.namespace"
        if self.environment.lookup(key, loosely=True) is None:
            return None
        evaluator = Evaluator(self.world, self.deployable, self.environment)
        found = evaluator.lookup(key, self.placed.at(self.site.at), 0, loosely=True)
        return _public(found)

    def _model(self, settings: dict[Attribute, Value]) -> Value:
        if not self.api.has_model:
            return NOT_APPLICABLE
        value = settings.get(Attribute.MESSAGE_MODEL)
        if value is None:
            return Value("CLUSTERING", default=True)
        text = (value.text or "").strip().upper()
        if text in ("TRUE", "FALSE"):  # Spring Cloud Stream's `broadcasting`
            text = "BROADCASTING" if text == "TRUE" else "CLUSTERING"
        return replace(value, text=text) if value.known else value

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
        return replace(value, text=text) if value.known else value


def _class_of(value: Value) -> Value:
    """A strategy is known by the class of its object."""
    names = names_of(value.detail, OBJECT_OF)
    if value.text is not None or not names:
        return value
    return Value(names[0], trail=value.trail, confidence=value.confidence)


def _name(value: Value) -> Value:
    """The value of a group or topic: an empty text is none, it stands for what is set where the code runs."""
    if value.text is None or value.text.strip():
        return value
    return Value(None, Why.SET_AT_DEPLOY, "", value.trail)


def _word(expr: Expr) -> str | None:
    """A constant of a client library's enum, recognised by its name."""
    if isinstance(expr, Name) and expr.candidates:
        last = expr.candidates[0].rpartition("#")[2]
        if last in _WORDS:
            return last
    return None


def _public(value: Val) -> Value:
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


def _merge(
    rows: Iterable[Row], is_defined: Callable[[str], bool], program_of: Callable[[Origin], str]
) -> Iterator[Consumer]:
    """Rows of one member with equal values become one that lists their environments; ids and choices are given.

    The id names the program: where an application is packaged once more inside another deployable, the rows of both are
    those of one member.
    """
    members: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        members.setdefault(row.member, []).append(row)
    ordinals: dict[tuple[Origin, str, str], int] = {}
    for group in members.values():
        symbol = group[0].consumer.symbol
        stands = group[0].code or group[0].consumer.at.origin
        program = program_of(stands)
        place = (stands, symbol, program)
        ordinal = ordinals[place] = ordinals.get(place, -1) + 1
        name = f"{stands.repo}:{program}:{stands.path}:{symbol}:{ordinal}"
        exclusive = len({row.alternative for row in group}) > 1
        merged: dict[object, Consumer] = {}
        for row in _told_once(_without_empty_profile(group, is_defined)):
            consumer = row.consumer
            key = (_values(consumer), row.alternative)
            kept = merged.get(key)
            if kept is None:
                merged[key] = replace(consumer, id=name, choice=name if exclusive else "")
            else:
                environments = (*kept.environments, *consumer.environments)
                merged[key] = replace(kept, environments=tuple(dict.fromkeys(environments)))
        yield from merged.values()


def _without_empty_profile(group: list[Row], is_defined: Callable[[str], bool]) -> list[Row]:
    """Drops rows of environments in which the application cannot start.

    The row without profile, where it lacks a key that a profile answers; any row that lacks what a deployment sets.
    """
    if any(row.deployed and not row.undefined for row in group):
        group = [row for row in group if row.deployed or not row.undefined]
    named = [row for row in group if row.consumer.environments[0] != ""]
    if not named or all(not row.undefined for row in group):
        return group
    answered = [row for row in named if not row.undefined]
    missing = {key for row in group if row.consumer.environments[0] == "" for key in row.undefined}
    if not answered or not any(map(is_defined, missing)):
        return group
    return [row for row in group if row.consumer.environments[0] != "" or not row.undefined]


def _told_once(group: list[Row]) -> list[Row]:
    """Leaves out rows that a profile switches off, where the consumer runs in another environment."""
    live = any(not row.consumer.disabled for row in group)
    return [row for row in group if not (live and row.consumer.disabled and _is_off_by_profile(row.consumer))]


def _is_off_by_profile(consumer: Consumer) -> bool:
    return any(condition.kind == "profile" for condition in consumer.conditions)


def _values(consumer: Consumer) -> tuple[object, ...]:
    return (
        tuple((name, value.text, value.why, value.detail) for name, value in consumer.values),
        tuple(one.at for one in consumer.subscriptions),
        consumer.disabled,
        tuple((one.kind, one.text) for one in consumer.switches),
    )

"""One deployable -> its consumers, with the environments in which they differ.

Every site of the deployable's modules is evaluated in every environment under every open choice. What differs by
caller, subtype or turn of a loop is a consumer of its own; what differs by an alternative is a row that excludes
its siblings; what differs by environment is a row of its own, rows with equal values are merged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from linter.clients.apis import MACHINERY_PACKAGES
from linter.model.api import APIS, Client
from linter.model.consumer import NOT_APPLICABLE, Consumer, Subscription, TrailStep, Value
from linter.model.expr import Expr, Interpolate, Literal, Name, Param, Why
from linter.model.facts import Attribute, Condition, ConsumerSite, Setting, SubscriptionSite, TypeKind, Use
from linter.model.finding import Diagnostic
from linter.model.location import Location, Origin, Span
from linter.model.message import say, verbatim
from linter.resolve import bindings, own_annotations
from linter.resolve.configuration import PROFILES_MAX, Configuration, Entry, Environment, profile_holds
from linter.resolve.definitions import TypeDef
from linter.resolve.evaluate import OBJECT_OF, Choice, Evaluator, Fork, Open, World
from linter.resolve.modules import Deployable, ModuleKey
from linter.resolve.place import Placed, scope_of
from linter.resolve.programs import PROGRAMMATIC, Programs, Rows, run_programs
from linter.resolve.spring.registration import Registered, Registrations
from linter.resolve.symbols import SAME_UNKNOWN, symbol_of
from linter.resolve.values import (
    FileVal,
    Frame,
    Many,
    Mapping,
    Missing,
    Null,
    Obj,
    SiteVal,
    Text,
    TypeVal,
    Val,
    known,
    unknown,
)
from linter.resolve.versions import client_version

ROWS_MAX = 256
"""Consumers one site may stand for in one environment (callers, subtypes, loops, alternatives together)."""

DEMOS_MIN = 3
"""Programs with consumers in one module that make it a collection of demos."""

_GROUP = re.compile(r"[%|a-zA-Z0-9_-]+")
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
_CLIENTS = (
    "org.apache.rocketmq.",
    "com.alibaba.rocketmq.",
    "com.aliyun.openservices.",
    "com.aliyun.mq.",
    "rocketmq",
    "mq_http_sdk",
    "pyrocketmq",
)
"""A file that imports none of these may call `subscribe` on anything."""

_QUIET = (
    Attribute.INSTANCE_NAME,
    Attribute.UNIT_NAME,
    Attribute.NAME_SERVER,
    Attribute.CONSUME_FROM,
    Attribute.STRATEGY,
    Attribute.ENABLED,
)


@dataclass(frozen=True, slots=True)
class Consumers:
    """What `consume` makes of one deployable."""

    consumers: tuple[Consumer, ...]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class _Linked:
    """A use of a consumer in another place, and the frame its consumer was created in."""

    use: Use
    frame: Frame
    calls: tuple[Location, ...]
    created_in: Frame


@dataclass(slots=True)
class Row:
    """One consumer in one environment under one set of choices."""

    consumer: Consumer
    member: tuple[object, ...]
    alternative: tuple[object, ...]
    undefined: frozenset[str]
    asked: bool
    through: frozenset[Origin] = frozenset()

    @property
    def deployed(self) -> bool:
        """Whether its environment is a deployment file, not a profile."""
        return ":" in self.consumer.environments[0]


@dataclass(slots=True)
class _Sites:
    """The sites of a deployable in one environment, with what is linked to them."""

    sites: list[tuple[Placed, ConsumerSite]] = field(default_factory=list)
    linked: dict[tuple[Origin, Span], list[_Linked]] = field(default_factory=dict)
    open_uses: list[tuple[Placed, Use, Missing]] = field(default_factory=list)


def consume(
    world: World, deployable: Deployable, files: Sequence[Placed], configuration: Configuration, cluster: str
) -> Consumers:
    """The consumers of one deployable; `files` are those of the modules it takes in."""
    rows: list[Row] = []
    diagnostics: dict[tuple[str, Location], Diagnostic] = {}
    programs = run_programs(world, world.program, deployable, files, configuration)
    profiles = configuration.profiles
    if len(profiles) > PROFILES_MAX:
        first = next(iter(files))
        left = ", ".join(profiles[PROFILES_MAX:])
        diagnostics["", first.at(Span(1, 1, 1, 1))] = Diagnostic(
            "unresolved-value",
            say(
                "too-many-profiles",
                deployable=str(deployable),
                count=len(profiles),
                most=PROFILES_MAX,
                left_out=left,
            ),
            first.at(Span(1, 1, 1, 1)),
        )
    for name in ("", *profiles[:PROFILES_MAX]):
        environment = configuration.environment(name)
        found = list(_environment_rows(world, deployable, files, environment, cluster, diagnostics, programs))
        rows += found
        if name == "" and profiles and not any(row.asked for row in found) and not _profiled(files):
            rows = [_everywhere(row, profiles) for row in rows]
            break
    deployments = tuple(sorted(configuration.asked))
    for name in deployments:
        environment = configuration.environment(name)
        rows += _environment_rows(world, deployable, files, environment, cluster, diagnostics, programs)
    if deployments:
        rows = [_deployed(row, deployments) for row in rows]
    names = ("", *profiles[:PROFILES_MAX], *deployments)

    def is_defined(key: str) -> bool:
        return any(configuration.environment(name).lookup(key) is not None for name in names)

    found_all = _demos(world, tuple(_merge(rows, is_defined)))
    return Consumers(found_all, tuple(diagnostics.values()))


def _demos(world: World, consumers: tuple[Consumer, ...]) -> tuple[Consumer, ...]:
    """The consumers, where those of a module with many programs of their own are samples."""
    programs: dict[ModuleKey, set[str]] = {}
    for one in consumers:
        if one.process and one.scope == "main" and not one.disabled:
            programs.setdefault(world.modules.of(one.at.origin), set()).add(one.process)
    demos = {key for key, found in programs.items() if len(found) >= DEMOS_MIN}
    return tuple(
        replace(one, scope="sample")
        if one.process and one.scope == "main" and world.modules.of(one.at.origin) in demos
        else one
        for one in consumers
    )


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
) -> Iterator[Row]:
    registrations = (
        Registrations(world, deployable, environment, files)
        if environment.configuration.applications
        else None
    )
    found = _collect(world, deployable, files, environment, registrations)
    for placed, use, missing in found.open_uses:
        at = placed.at(use.what.at)
        diagnostics.setdefault(
            ("unrecognised-use", at),
            Diagnostic(
                "unrecognised-use",
                say(
                    "consumer-made-elsewhere",
                    reason=verbatim(missing.detail) if missing.detail else say(f"why.{missing.why.value}"),
                ),
                at,
                say("make-where-subscribed"),
            ),
        )
    for placed, site in found.sites:
        made = registrations.of(placed, site) if registrations is not None else None
        for registered in made or (None,):
            builder = _Builder(world, deployable, environment, placed, site, cluster, found, registered)
            try:
                rows = list(builder.rows())
            except _TooManyError:
                rows = [builder.crowd()]
            yield from rows

    def builder_of(placed: Placed, site: ConsumerSite, registered: Registered | None = None) -> _Builder:
        return _Builder(world, deployable, environment, placed, site, cluster, found, registered)

    yield from Rows(world, deployable, environment, programs, builder_of, diagnostics, registrations).rows()


def _collect(
    world: World,
    deployable: Deployable,
    files: Sequence[Placed],
    environment: Environment,
    registrations: Registrations | None,
) -> _Sites:
    found = _Sites()
    for placed in files:
        found.sites += [(placed, site) for site in placed.facts.sites if not executes(placed, site)]
    found.sites += own_annotations.sites(world, deployable, files)
    found.sites += bindings.sites(world, deployable, environment, files, registrations)
    for placed in files:
        for use in placed.facts.uses:
            if use.symbol.endswith("#prepareStart") and isinstance(use.receiver, Param):
                _hook(world, deployable, placed, use, found)
            elif placed.facts.unit is None:
                _link(world, deployable, environment, placed, use, found)
    return found


def _hook(world: World, deployable: Deployable, placed: Placed, use: Use, found: _Sites) -> None:
    """Links what a listener's superclass does to its consumer before it starts."""
    owner = world.definitions.own(placed.origin, use.type)
    for holder, site in found.sites:
        if site.api != "spring-listener" or owner is None:
            continue
        listener = world.definitions.own(holder.origin, site.symbol)
        if listener is None or listener.key == owner.key or listener.methods("prepareStart"):
            continue
        if world.definitions.is_a(listener, owner, deployable):
            frame = _frame(world, placed, use.type, use.symbol)
            frame.this = Obj(listener, (listener.name,), (), None, holder.at(listener.type.at))
            found.linked.setdefault((holder.origin, site.at), []).append(_Linked(use, frame, (), frame))


def _link(
    world: World, deployable: Deployable, environment: Environment, placed: Placed, use: Use, found: _Sites
) -> None:
    """Finds the consumers a use elsewhere acts on, under every open choice."""
    pending: list[dict[Choice, int]] = [{}]
    done = 0
    resolved = False
    gap = Missing(Why.DYNAMIC, "")
    while pending and done < ROWS_MAX:
        choices = pending.pop()
        evaluator = Evaluator(world, deployable, environment, choices)
        frame = _frame(world, placed, use.type, use.symbol)
        try:
            if _on_own_field(use):
                evaluator.enter(frame, use.receiver.at)
            receiver = evaluator.value(use.receiver, frame)
        except Fork as fork:
            pending += [{**choices, fork.choice: index} for index in range(fork.count)]
            continue
        done += 1
        if isinstance(receiver, SiteVal):
            resolved = True
            link = _Linked(use, frame, frame.calls, receiver.frame)
            found.linked.setdefault((receiver.origin, receiver.site), []).append(link)
        elif isinstance(receiver, Missing):
            gap = receiver
        elif isinstance(receiver, Obj):
            gap = Missing(
                Why.DYNAMIC,
                f"an injected {receiver.candidates[0].rpartition('.')[2]}"
                if receiver.candidates
                else "an object",
            )
    speaks = any(imported.startswith(_CLIENTS) for imported in placed.facts.imports)
    if not resolved and speaks and scope_of(placed.origin.path) != "test":
        found.open_uses.append((placed, use, gap))


def _on_own_field(use: Use) -> bool:
    """Whether a consumer is reached through the object the code runs on, which each caller has made its own way."""
    return isinstance(use.receiver, Name) and use.receiver.candidates[0].startswith(f"{use.type}#")


def _frame(world: World, placed: Placed, type_name: str, symbol: str) -> Frame:
    own = world.definitions.own(placed.origin, type_name) if type_name else None
    this = Obj(own, (own.name,), (), None, placed.at(own.type.at)) if own else None
    return Frame(placed, type_name, symbol, this)


def executes(placed: Placed, site: ConsumerSite) -> bool:
    """Whether a site is found by execution."""
    return (
        placed.facts.unit is not None
        and site.api in PROGRAMMATIC
        and placed.facts.unit.language in ("java", "kotlin", "python")
    )


def is_machinery(builder: _Builder) -> bool:
    """Whether a site is a client's own code."""
    return builder._is_machinery()


class _TooManyError(Exception):
    """A site stands for more consumers than the bound."""


class _Builder:
    """Builds the rows of one site in one environment."""

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        placed: Placed,
        site: ConsumerSite,
        cluster: str,
        found: _Sites,
        registered: Registered | None,
    ) -> None:
        self.world = world
        self.deployable = deployable
        self.environment = environment.seen_from(placed.origin)
        self.placed = placed
        self.site = site
        self.cluster = cluster
        self.api = APIS[site.api]
        self.linked = found.linked.get((placed.origin, site.at), [])
        self.supplied: Location | None = None
        self.registered = registered

    def rows(self) -> Iterator[Row]:
        if not self._active() or self._is_machinery():
            return
        instances = {link.created_in.calls for link in self.linked if link.created_in.calls}
        for calls in sorted(instances) or [()]:
            pending: list[dict[Choice, int]] = [{}]
            count = 0
            while pending:
                choices = pending.pop()
                try:
                    row = self._row(choices, calls)
                except Fork as fork:
                    pending += [{**choices, fork.choice: index} for index in reversed(range(fork.count))]
                    if len(pending) > ROWS_MAX:
                        raise _TooManyError from None
                    continue
                count += 1
                if count > ROWS_MAX:
                    raise _TooManyError
                if row is not None and self._belongs_here(row):
                    yield row

    def crowd(self) -> Row:
        """One row for a site that stands for more consumers than the bound: nothing of it is compared."""
        crowded = Value(None, Why.TOO_MANY, f"more than {ROWS_MAX} consumers")
        evaluator = Evaluator(self.world, self.deployable, self.environment, {})
        frame = _frame(self.world, self.placed, self.site.type, self.site.symbol)
        one = Subscription(self.placed.at(self.site.at), crowded, crowded, crowded)
        return self._assemble(evaluator, frame, {Attribute.GROUP: crowded}, [one])

    def _belongs_here(self, row: Row) -> bool:
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
        if holders and scope_of(place.path) == "test":
            return modules.of(place) == self.deployable.key
        return not holders or holders[0].key == self.deployable.key

    def _is_machinery(self) -> bool:
        """Whether the site is a client's or starter's own code, which makes consumers for those who use it, or a
        listener container put together without a group, as only its own tests do."""
        if self.site.api == "spring-listener" and not any(
            s.attribute is Attribute.GROUP for s in self.site.settings
        ):
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

    def _row(self, choices: dict[Choice, int], calls: tuple[Location, ...]) -> Row | None:
        evaluator = Evaluator(self.world, self.deployable, self.environment, choices)
        frame = self._site_frame(evaluator, calls)
        if frame is None:
            return None
        links = [link for link in self.linked if not calls or link.created_in.calls == calls]
        settings = self._settings(evaluator, frame, links)
        subscriptions = self._subscriptions(evaluator, frame, links)
        if evaluator.unreached:
            return None
        return self._assemble(evaluator, frame, settings, subscriptions)

    def _site_frame(self, evaluator: Evaluator, calls: tuple[Location, ...]) -> Frame | None:
        """Where the site runs; None where only other deployables have a concrete type that runs it."""
        frame = _frame(self.world, self.placed, self.site.type, self.site.symbol)
        for link in self.linked:
            if calls and link.created_in.calls == calls:
                frame.params.update(link.created_in.params)
                frame.this = link.created_in.this or frame.this
                frame.calls = calls
                return frame
        own = self.world.definitions.own(self.placed.origin, self.site.type) if self.site.type else None
        if own is not None and own.type.kind is not TypeKind.MODULE and self.site.at != own.type.at:
            options: tuple[TypeDef, ...] = (own,)
            if not self._annotated() and not self._static(own):
                below = self.world.definitions.subtypes(own, self.deployable)
                options = below if own.type.abstract else (own, *below)
                if own.type.abstract and self.world.definitions.extended_elsewhere(own, self.deployable):
                    return None
            if len(options) > 1:
                choice = Choice(Open.SUBTYPE, self.placed.origin, own.type.at, own.name)
                picked = evaluator._choose(choice, len(options))
                own = options[picked]
            elif options:
                own = options[0]
            frame.this = Obj(own, (own.name,), (), None, own.placed.at(own.type.at))
        return frame

    def _static(self, own: TypeDef) -> bool:
        """Whether the site stands in a static method, which no subtype runs as its own."""
        name = self.site.symbol.partition("#")[2]
        methods = [method for method in own.methods(name) if method.at <= self.site.at]
        return bool(methods) and max(methods, key=lambda method: method.at).static

    def _annotated(self) -> bool:
        return self.site.api.startswith("spring-")

    # -- values -----------------------------------------------------------------------------------------------

    def _settings(
        self, evaluator: Evaluator, frame: Frame, links: Sequence[_Linked]
    ) -> dict[Attribute, Value]:
        written: dict[Attribute, tuple[Setting, Frame]] = {}
        for setting in self.site.settings:
            written[setting.attribute] = (setting, frame)
        for link in links:
            if isinstance(link.use.what, Setting):
                written[link.use.what.attribute] = (link.use.what, link.frame)
        values: dict[Attribute, Value] = {}
        evaluator.called, evaluator.root = [], frame
        for attribute, (setting, inside) in written.items():
            if attribute in _QUIET:
                values[attribute] = self._quiet(evaluator, setting.value, inside)
            else:
                values[attribute] = self._value(evaluator, setting.value, inside)
                if attribute is Attribute.GROUP and values[attribute].why in SAME_UNKNOWN:
                    symbol = symbol_of(setting.value, self.environment)
                    values[attribute] = replace(values[attribute], symbol=symbol)
        self.supplied = _supplier(evaluator.called)
        return values

    def _value(self, evaluator: Evaluator, expr: Expr, frame: Frame) -> Value:
        value = _public(evaluator.text(expr, frame))
        if value.why is Why.UNDEFINED and (word := _word(expr)) is not None:
            return Value(word, trail=(TrailStep(frame.at(expr.at), word),))
        return value

    def _quiet(self, evaluator: Evaluator, expr: Expr, frame: Frame) -> Value:
        """A value that must not multiply consumers: what is open stays unknown."""
        copy = Frame(frame.file, frame.type, frame.symbol, frame.this, dict(frame.params), frame.calls)
        called = list(evaluator.called)
        try:
            return self._value(evaluator, expr, copy)
        except Fork as fork:
            return Value(None, Why.DYNAMIC, f"{fork.count} possibilities")
        finally:
            evaluator.called = called

    def _subscriptions(
        self, evaluator: Evaluator, frame: Frame, links: Sequence[_Linked]
    ) -> list[Subscription]:
        found: list[Subscription] = []
        declared = [(site, frame) for site in self.site.subscriptions]
        declared += [
            (link.use.what, link.frame) for link in links if isinstance(link.use.what, SubscriptionSite)
        ]
        for site, inside in self._taken(evaluator, declared):
            made = self._turns(evaluator, site, inside)
            if site.removes:
                gone = {one.topic.text for one in made}
                found = [one for one in found if one.topic.text not in gone]
                continue
            if site.replaces_all:
                found = []
            if self._is_hook(site):
                again = {one.topic.text for one in made}
                found = [one for one in found if one.topic.text is None or one.topic.text not in again]
            found += made
        return found

    def _is_hook(self, site: SubscriptionSite) -> bool:
        """Whether a subscription of a listener is not that of its annotation, but made by its hook afterwards."""
        return self.site.api == "spring-listener" and site.at != self.site.at

    @staticmethod
    def _taken(
        evaluator: Evaluator, declared: list[tuple[SubscriptionSite, Frame]]
    ) -> list[tuple[SubscriptionSite, Frame]]:
        """Of subscriptions in branches that exclude each other those of one branch; the others are alternatives."""
        decisions = {
            (inside.file.origin, span): None for site, inside in declared for span, _ in site.branches
        }
        for origin, span in sorted(decisions, key=lambda each: (each[0], each[1].line, each[1].column)):
            branches = [
                next((branch for at, branch in site.branches if at == span), None)
                if inside.file.origin == origin
                else None
                for site, inside in declared
            ]
            known = sorted({branch for branch in branches if branch is not None})
            if len(known) < 2:
                continue
            picked = known[evaluator._choose(Choice(Open.ALTERNATIVE, origin, span, "branch"), len(known))]
            declared = [
                each for each, branch in zip(declared, branches, strict=True) if branch in (None, picked)
            ]
        return declared

    def _turns(self, evaluator: Evaluator, site: SubscriptionSite, frame: Frame) -> list[Subscription]:
        """The subscriptions one declaration makes: one, or one for each turn of the loops around it."""
        base = evaluator.choices
        pending: list[dict[Choice, int]] = [{}]
        found: list[Subscription] = []
        while pending:
            extra = pending.pop()
            evaluator.choices = {**base, **extra}
            try:
                found += self._declared(evaluator, site, frame)
            except Fork as fork:
                if fork.choice.kind is not Open.LOOP or self._around_creation(fork.choice):
                    raise
                pending += [{**extra, fork.choice: index} for index in reversed(range(fork.count))]
                if len(pending) > ROWS_MAX:
                    raise _TooManyError from None
            finally:
                evaluator.choices = base
        return found

    def _around_creation(self, choice: Choice) -> bool:
        """Whether a loop runs around the place that makes the consumer, so that each turn makes one."""
        loop, site = choice.span, self.site.at
        return choice.origin == self.placed.origin and (
            (loop.line, loop.column) <= (site.line, site.column)
            and (site.end_line, site.end_column) <= (loop.end_line, loop.end_column)
        )

    def _declared(self, evaluator: Evaluator, site: SubscriptionSite, frame: Frame) -> list[Subscription]:
        if site.table:
            return self._table(evaluator, site, frame)
        evaluator.called, evaluator.root = [], frame
        topic = _name(self._value(evaluator, site.topic, frame))
        if site.expression is None:
            expression = Value("*", default=True)
        else:
            expression = self._expression(evaluator, site.expression, frame)
        kind = self._filter_type(evaluator, site.filter_type, frame)
        line = _supplier(evaluator.called) or self._line(site.at, frame)
        return [Subscription(line, topic, expression, kind)]

    def _expression(self, evaluator: Evaluator, expr: Expr, frame: Frame) -> Value:
        """A filter expression; null, empty and `*` all mean everything, lists are joined as tags."""
        value = evaluator.value(expr, frame)
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
        return self._value(evaluator, expr, frame)

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

    def _filter_type(self, evaluator: Evaluator, expr: Expr | None, frame: Frame) -> Value:
        if expr is None:
            return Value("TAG", default=True)
        value = self._value(evaluator, expr, frame)
        if value.text is None:
            return value
        text = value.text.strip().upper()
        return replace(
            value,
            text={"SQL": "SQL92", "SQL92": "SQL92", "CLASS": "CLASS"}.get(
                text, "TAG" if text in ("TAG", "") else value.text
            ),
        )

    def _table(self, evaluator: Evaluator, site: SubscriptionSite, frame: Frame) -> list[Subscription]:
        evaluator.called, evaluator.root = [], frame
        table = evaluator.value(site.topic, frame)
        line = self._line(site.at, frame)
        match table:
            case Mapping(entries=entries):
                return [self._entry(evaluator, site, frame, key, item) for key, item in entries]
            case Missing():
                value = unknown(table)
            case _:
                value = Value(None, Why.DYNAMIC, "a table of topics")
        return [Subscription(line, value, replace(value), Value("TAG", default=True))]

    def _entry(
        self, evaluator: Evaluator, site: SubscriptionSite, frame: Frame, key: Val, item: Val
    ) -> Subscription:
        topic = _public(key)
        line = _supplier(evaluator.called) or self._line(site.at, frame)
        if not frame.calls and topic.trail and topic.trail[0].at.origin == line.origin:
            line = topic.trail[0].at
        kind = self._filter_type(evaluator, site.filter_type, frame)
        if isinstance(item, Mapping):  # {"expression": …, "type": …}, a FilterExpression written out
            values = {key.text: value for key, value in item.entries if isinstance(key, Text)}
            expression = _public(values.get("expression", Null()))
            if "type" in values:
                shown = _public(values["type"])
                kind = replace(shown, text=shown.text and ("SQL92" if "SQL" in shown.text.upper() else "TAG"))
        else:
            expression = _public(item)
        if expression.why is None and expression.text in (None, ""):
            expression = replace(expression, text="*")
        return Subscription(line, topic, expression, kind)

    def _line(self, span: Span, frame: Frame) -> Location:
        """The outermost call that supplies values, else the declaration itself."""
        if frame.entered:
            return frame.outermost_call() or frame.at(span)
        return frame.calls[0] if frame.calls else frame.at(span)

    # -- the row ----------------------------------------------------------------------------------------------

    def _assemble(
        self,
        evaluator: Evaluator,
        frame: Frame,
        settings: dict[Attribute, Value],
        subscriptions: list[Subscription],
    ) -> Row:
        at = self.supplied or self._line(self.site.at, frame)
        if self.supplied:
            subscriptions = [
                replace(one, at=self.supplied) if self._stands_here(one) else one for one in subscriptions
            ]
        if not subscriptions:
            nothing = Value(None, Why.NEVER_SUBSCRIBED)
            subscriptions = [Subscription(at, nothing, NOT_APPLICABLE, NOT_APPLICABLE)]
        group = _name(settings.get(Attribute.GROUP, Value(None, Why.DYNAMIC, "no group is set")))
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
        member = tuple(
            (choice.kind.value, choice.origin, choice.span, choice.detail, evaluator.choices.get(choice, 0))
            for choice in sorted(evaluator.used, key=_choice_order)
            if choice.kind is not Open.ALTERNATIVE
        )
        alternative = tuple(
            (choice.origin, choice.span, evaluator.choices.get(choice, 0))
            for choice in sorted(evaluator.used, key=_choice_order)
            if choice.kind is Open.ALTERNATIVE
        )
        consumer = Consumer(
            id="",
            choice="",
            api=self.site.api,
            at=at,
            symbol=self.site.symbol,
            deployable=self._deployable(at.origin),
            scope=self._scope(at, evaluator),
            group=group,
            namespace=self._namespace(settings, name_server),
            message_model=self._model(settings),
            consume_mode=self._mode(settings),
            instance_name=settings.get(Attribute.INSTANCE_NAME, Value("", default=True)),
            name_server=name_server,
            post_subscription=settings.get(Attribute.POST_SUBSCRIPTION, Value("false", default=True)),
            strategy=_class_of(settings.get(Attribute.STRATEGY, Value("AVG", default=True))),
            version=client_version(self.api, self.world.modules, self.deployable),
            subscriptions=tuple(subscriptions),
            environments=(self.environment.name,),
            profiles=self.environment.configuration.profiles,
            conditions=tuple(conditions),
            disabled=disabled,
            broken=self.site.broken,
            cluster=self.cluster,
        )
        # what a configuration centre or a deployment may answer keeps nothing from starting
        lacking = any(value.why is Why.UNDEFINED for _, value in consumer.values)
        undefined = frozenset(evaluator.undefined_keys) if lacking else frozenset()
        ordinal = self.registered.ordinal if self.registered is not None else 0
        site_key = (self.placed.origin, self.site.at, self.site.symbol, frame.calls, ordinal)
        return Row(
            consumer,
            (*site_key, *member),
            alternative,
            undefined,
            evaluator.asked_configuration,
            frozenset(evaluator.through),
        )

    def _is_refused(self, group: Value) -> bool:
        """Whether the client does not start for the name of its group. Mirrors Validators#checkGroup, RocketMQ 5.3.3."""
        if group.text is None or self.api.client is not Client.REMOTING:
            return False
        return _GROUP.fullmatch(group.text) is None or len(group.text) > _GROUP_CHARS_MAX

    def _conditions(self) -> list[Condition]:
        """Why the consumer may not run: as Spring decided, else what the file says."""
        if self.registered is None:
            return list(self.site.conditions)
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
        """The scope of the place; values that only a test passes in make a consumer of the test."""
        if any(scope_of(origin.path) == "test" for origin in evaluator.through):
            return "test"
        return scope_of(at.origin.path)

    def _deployable(self, origin: Origin) -> str:
        """The deployable's folder, with its repository where the code stands in another one."""
        name = self.deployable.name
        return (
            name
            if not name or origin.repo == self.deployable.key.repo
            else f"{self.deployable.key.repo}:{name}"
        )

    def _stands_here(self, one: Subscription) -> bool:
        """Whether a subscription's line is that of its declaration in the site's own file."""
        return any(one.at == self.placed.at(site.at) for site in self.site.subscriptions)

    def _namespace(self, settings: dict[Attribute, Value], name_server: Value) -> Value:
        written = settings.get(Attribute.NAMESPACE)
        if written is not None and (written.text or written.why not in (None, Why.NOT_APPLICABLE)):
            return written
        if self.site.api == "spring-listener" and (common := self._common_namespace()) is not None:
            return common
        host = (name_server.text or "").rpartition("//")[2].partition(".")[0]
        if self.api.client is Client.REMOTING and host.startswith("MQ_INST_"):
            return Value(host, trail=name_server.trail, confidence=name_server.confidence)
        return Value("", default=True)

    def _name_server(self, settings: dict[Attribute, Value]) -> Value:
        """The name servers that are set, else those of the application a listener belongs to."""
        written = settings.get(Attribute.NAME_SERVER, Value("", default=True))
        if self.site.api == "spring-listener" and not written.text and written.why in (None, Why.UNDEFINED):
            key = "rocketmq.name-server"
            if self.environment.lookup(key, loosely=True) is not None:
                evaluator = Evaluator(self.world, self.deployable, self.environment, {})
                found = evaluator.lookup(key, self.placed.at(self.site.at), 0, loosely=True)
                value = _public(found)
                return value if value.known else Value("", default=True)
        return written

    def _common_namespace(self) -> Value | None:
        """The namespace of all listeners of an application, where its configuration sets one."""
        key = "rocketmq.consumer.namespace"
        if self.environment.lookup(key, loosely=True) is None:
            return None
        evaluator = Evaluator(self.world, self.deployable, self.environment, {})
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

    def _mode(self, settings: dict[Attribute, Value]) -> Value:
        if not self.api.has_mode:
            return NOT_APPLICABLE
        value = settings.get(Attribute.CONSUME_MODE)
        if value is None:
            if self.site.api == "push":
                return Value(None, Why.DYNAMIC, "the listener is not seen")
            return Value("CONCURRENTLY", default=True)
        text = (value.text or "").strip().upper()
        if text in ("TRUE", "FALSE"):
            text = "ORDERLY" if text == "TRUE" else "CONCURRENTLY"
        return replace(value, text=text) if value.known else value


def _class_of(value: Value) -> Value:
    """A strategy is known by the class of its object."""
    _, made, name = value.detail.partition(OBJECT_OF)
    if value.text is not None or not made or not name:
        return value
    return Value(name, trail=value.trail, confidence=value.confidence)


def _name(value: Value) -> Value:
    """The value of a group or topic: an empty text is none, it stands for what is set where the code runs."""
    if value.text is None or value.text.strip():
        return value
    return Value(None, Why.SET_AT_DEPLOY, "", value.trail)


def _supplier(called: Sequence[Frame]) -> Location | None:
    """The outermost call that supplies a value evaluated just now, None when the code here holds it all."""
    return next((found for frame in called if (found := frame.outermost_call()) is not None), None)


def _choice_order(choice: Choice) -> tuple[str, Origin, Span, str]:
    return (choice.kind.value, choice.origin, choice.span, choice.detail)


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
            return Value(None, Why.DYNAMIC, "null", trail)
        case Obj(constant=constant, at=at) if constant:
            return Value(constant, trail=(TrailStep(at, f"enum constant {constant}"),))
        case Obj() | Many() | Mapping() | TypeVal() | SiteVal() | FileVal():
            return Value(None, Why.DYNAMIC, "no text")


def _merge(rows: Iterable[Row], is_defined: Callable[[str], bool]) -> Iterator[Consumer]:
    """Rows of one member with equal values become one that lists their environments; ids and choices are given."""
    members: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        members.setdefault(row.member, []).append(row)
    ordinals: dict[tuple[Origin, str, str], int] = {}
    for group in members.values():
        first = group[0].consumer
        place = (first.at.origin, first.symbol, first.deployable)
        ordinal = ordinals[place] = ordinals.get(place, -1) + 1
        name = f"{first.at.origin.repo}:{first.deployable}:{first.at.origin.path}:{first.symbol}:{ordinal}"
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
    )

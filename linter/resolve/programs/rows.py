"""Consumers that programs make: execution's guarded logs -> rows, in every environment.

A log is replayed under every assignment of the choices that its values and guards hang on, as far as the environment
does not decide them: alternatives of one consumer, be it a condition or the class of an object that nobody knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import product
from typing import Any

from msgspec.structs import replace

from subdrift.linter import net
from subdrift.linter.clients.apis import Action
from subdrift.linter.model.api import SENDERS
from subdrift.linter.model.consumer import NOT_APPLICABLE, Subscription, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Attribute, Condition, ConsumerSite
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.assemble import Assembler, Row
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.execute.clients import Client, Event, frames_of
from subdrift.linter.resolve.execute.entries import is_root
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.needs import subscribes
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.programs import diagnostics
from subdrift.linter.resolve.programs.hooks import HOOKED, Hooked
from subdrift.linter.resolve.programs.places import line_of
from subdrift.linter.resolve.programs.replay import ABSENT, Replayed, in_use
from subdrift.linter.resolve.programs.runs import Programs
from subdrift.linter.resolve.programs.starts import Starts
from subdrift.linter.resolve.programs.subscriptions import Subscribing
from subdrift.linter.resolve.programs.together import (
    Made,
    Together,
    identity,
    is_anyones,
    says_nothing,
    spelled,
    unknown_shape,
)
from subdrift.linter.resolve.programs.unfollowed import Unfollowed
from subdrift.linter.resolve.programs.ways import ROWS_MAX, Ways, kind_of
from subdrift.linter.resolve.spring.registration import Registered, Registrations
from subdrift.linter.resolve.values import less_sure
from subdrift.linter.resolve.world import World

_SETTERS = {
    "setconsumergroup": Attribute.GROUP,
    "consumergroup": Attribute.GROUP,
    "setgroup": Attribute.GROUP,
    "setmessagemodel": Attribute.MESSAGE_MODEL,
    "messagemodel": Attribute.MESSAGE_MODEL,
}
"""What a setter or property of a consumer sets, by its name in small letters."""


@lru_cache(1 << 14)
def _set_by(name: str) -> Attribute | None:
    return _SETTERS.get(name.replace("_", "").lower())


class Rows(Subscribing):
    """Builds the rows of executed programs in one environment."""

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        programs: Programs,
        diagnostics: dict[tuple[str, Location], Diagnostic],
        registrations: Registrations | None = None,
    ) -> None:
        super().__init__(world, deployable, environment, programs, registrations)
        self.diagnostics = diagnostics
        self.unfollowed = Unfollowed.of(world, deployable, programs)
        self.starts = Starts(world, deployable, environment, programs, registrations)

    def builder(self, placed: Placed, site: ConsumerSite, registered: Registered | None = None) -> Assembler:
        """What makes the row of a site."""
        return Assembler(self.world, self.deployable, self.environment, placed, site, registered)

    def rows(self) -> Iterator[Row]:
        seen: set[object] = set()
        together = Together()
        made = Counter(client.at for _, _, client, _ in self.programs.executed.clients())
        self._crowded = frozenset(at for at, count in made.items() if count > ROWS_MAX)
        clients = [
            (entry, run, client, unreached)
            for entry, run, client, unreached in self.programs.executed.clients()
            if not self.programs.beside.stands_for(entry, client)
        ]
        used = {kind_of(client) for _, _, client, _ in clients if _is_used(client)}
        beans = {client.at for _, _, client, _ in clients if _is_operated(client)}
        reached = {client.at: False for _, client in self.programs.executed.every_hook()}
        for entry, run, client, unreached in clients:
            reached.setdefault(client.at, False)
            if kind_of(client) in used and not _is_used(client) and not _may_be_used(run):
                continue  # one of many: a run that ends early or takes another way does not use it
            if client.at in beans and not _is_operated(client) and _is_bean(client):
                continue  # the one that other code gets from the container
            for row, born in self._rows_or_none(entry, run, client, unreached):
                reached[client.at] = reached[client.at] or says_nothing(
                    row, run, client, self.unfollowed.calls
                )
                together.add(Made(row, born, client.born, entry, run, client))
        members: dict[object, list[Row]] = {}
        for row in together.rows():
            members.setdefault(row.member, []).append(row)
        for rows in members.values():
            identities = [identity(row) for row in rows]
            fresh = [row for row, key in zip(rows, identities, strict=True) if key not in seen]
            seen.update(identities)
            # one that is told of another consumer is told again beside its alternatives: they are not certain
            several = fresh and len({row.alternative for row in rows}) > 1
            yield from filter(None, map(self._met, rows if several else fresh))
        for one, why, unmet in self.unfollowed.places(reached):
            told = self.not_reached(one.api, one.at, one.symbol, one.owner, why)
            if told is not None:
                yield replace(told, unmet=unmet)
        self.tell_of_runs()

    def _met(self, row: Row) -> Row | None:
        """A row as it is told. Of code that several deployables take in, one of which nothing is known, on an object that
        nothing here makes, says what each of them would say: it is one that nobody has met (`Consumers.unmet`)."""
        at = row.consumer.at
        if self.world.modules.of(at.origin) == self.deployable.key:
            return row
        tellers = self.unfollowed.tellers(at.origin)
        _, entry, *_ = row.member
        if is_root(str(entry)) and is_anyones(row):
            if tellers and self.deployable.key not in tellers:
                return None
            return replace(row, unmet=len(tellers) > 1)
        self.programs.followed.add(at)
        return row

    def tell_of_runs(self) -> None:
        """Adds what is told of runs to the diagnostics."""
        for each in diagnostics.of_runs(self.programs):
            self.diagnostics.setdefault((each.name, each.at), each)

    def not_reached(self, api: str, at: Location, symbol: str, owner: str, why: str) -> Row | None:
        """The row of which nothing is known but where it is made; None where it is not one of the deployable."""
        unknown = Value(None, Why.DYNAMIC, why)
        site = ConsumerSite(api, at.span, symbol, owner, (), (), (Condition("not-reached", why, at.span),))
        builder = self.builder(self.world.files[at.origin], site)
        kind, settings = (NOT_APPLICABLE, {}) if api in SENDERS else (unknown, _all_of(unknown))
        row = builder.assemble(settings, [Subscription(at, unknown, unknown, kind)])
        if not builder.belongs_here(row):
            return None
        return replace(row, member=("not reached", at.origin, at.span))

    @property
    def annotated(self) -> frozenset[tuple[Origin, str]]:
        """The classes whose annotations runs have read that made consumers, by file and full name."""
        runs = {id(run): run for _, run, client, _ in self.programs.executed.clients() if subscribes(client)}
        return frozenset(mark for run in runs.values() for mark in run.heap.get("annotations read", ()))

    def _rows_or_none(
        self, entry: str, run: Interpreter, client: Client, unreached: bool
    ) -> Sequence[tuple[Row, Any]]:
        try:
            with net.under():
                return tuple(self._client_rows(entry, run, client, unreached))
        except net.Overdue:
            why = phrase("more-time-than-a-run-may-take")
        except MemoryError:
            why = phrase("more-memory-than-a-run-may-take")
        except Exception as error:  # noqa: BLE001 - totality: what one consumer does is lost, and it says so
            each = diagnostics.failure(error, client.at)
            self.diagnostics.setdefault((each.name, each.at), each)
            why = phrase("bug-met-here")
        return ((self._crowd(client, entry, why), True),)

    def _client_rows(
        self, entry: str, run: Interpreter, client: Client, unreached: bool
    ) -> Iterator[tuple[Row, Any]]:
        """Rows, each with the guard under which the consumer exists as far as nothing decides it."""
        ways = self.ways(run, client)
        if isinstance(ways, str):
            yield self._crowd(client, entry, ways), True
            return
        made: dict[object, Row] = {}
        replays = [(one, self.replay(client, ways.events, one)) for one in ways.assignments]
        bean = entry == "container" and client.escaped and any(one.started for _, one in replays)
        for assignment, replayed in in_use(client, replays):
            replayed.started |= bean  # who else has it may start it in the other ways
            row = self._row(entry, run, client, replayed, assignment, ways, unreached)
            if row is None:
                continue
            shape = unknown_shape(row) or identity(replace(row, alternative=()))
            made.setdefault((shape, row.member), row)
        if not made and self._differs:
            self.programs.elsewhere = True
        # ways that differ in nothing that is compared are one row; a lone one excludes nothing
        alone = len({row.member for row in made.values()}) == len(made)
        yield from ((replace(row, alternative=()) if alone else row, ways.born) for row in made.values())

    def hooks(self, placed: Placed, site: ConsumerSite) -> list[tuple[Hooked, ...]]:
        """What code does to the consumer of a listener, one after the other, in each way it may go."""
        prepared = self.programs.executed.hooks.get((placed.origin, site.symbol), ())
        if site.api not in HOOKED:
            return []
        return [*product(*(self._hook(placed, run, client) for run, client in prepared))]

    def _hook(self, placed: Placed, run: Interpreter, client: Client) -> list[Hooked]:
        ways = self.ways(run, client)
        if isinstance(ways, str):
            crowded = Value(None, Why.TOO_MANY, ways)
            return [Hooked(_all_of(crowded), (), frozenset(), (), False)]
        found: dict[object, Hooked] = {}
        for assignment in ways.assignments:
            self._asked, self._undefined = False, set()
            replayed = self.replay(client, ways.events, assignment)
            near = placed.origin
            settings = {
                attribute: self.value(value, near) for attribute, (value, _) in replayed.settings.items()
            }
            subscriptions = tuple(
                self.subscription(client, one, near, None) for one in replayed.subscriptions
            )
            taken = tuple((run.decisions[number].at, number, assignment[number]) for number in ways.free)
            one = Hooked(settings, subscriptions, replayed.removed, taken, self._asked)
            if client.api in HOOKED:  # a container, of which code sets parts
                parts = [
                    _parts(each, shown)
                    for each, shown in zip(replayed.subscriptions, subscriptions, strict=True)
                ]
                one = replace(one, subscriptions=(), parts=parts[0] if parts else {})
            found.setdefault(
                (tuple(settings.items()), subscriptions, tuple(one.parts), replayed.removed), one
            )
        return list(found.values())

    def _row(
        self,
        entry: str,
        run: Interpreter,
        client: Client,
        replayed: Replayed,
        assignment: Mapping[int, int],
        ways: Ways,
        unreached: bool,
    ) -> Row | None:
        """The row of a consumer under one assignment of its choices; None where there is none here."""
        self._asked, self._undefined = False, set()
        missed = run.missed | self.unfollowed.called_unseen if client.escaped else run.missed
        settings = self._settings(client, replayed, missed)
        supplied = self._supplied_by_group(client, replayed)
        subscriptions = self.subscriptions(run, client, replayed, missed, supplied)
        if not replayed.subscriptions and not replayed.settings and not client.events:
            return None
        if ways.unsure or any(run.decisions[number].kind == "subtype" for number in ways.free):
            settings = {attribute: less_sure(value) for attribute, value in settings.items()}
            subscriptions = [
                replace(one, topic=less_sure(one.topic), expression=less_sure(one.expression))
                for one in subscriptions
            ]
        conditions = self.starts.conditions(entry, run, client, replayed.started, unreached)
        at = supplied or line_of(client.frame, client.at, ())
        builder = self._builder_of(entry, client, at, conditions)
        through = {place.origin for place in (*client.stack, *(one.at for one in subscriptions))}
        row = builder.assemble(settings, subscriptions, undefined=self._undefined, through=through)
        if builder.is_machinery(settings) or not builder.belongs_here(row):
            return None
        process = "" if entry == "container" or is_root(entry) else entry
        where = tuple((one.origin, one.span) for one in client.stack)
        made: Row = replace(
            row,
            asked=self._asked or self._differs,
            consumer=replace(row.consumer, process=process, made_under=spelled(entry, client.born)),
            member=(where, entry, client.object.number),
            alternative=tuple((run.decisions[one].at, one, assignment[one]) for one in ways.free),
        )
        return made

    def _settings(self, client: Client, replayed: Replayed, missed: Set[str]) -> dict[Attribute, Value]:
        """What is set of a consumer. `missed`: names that may have been called on it."""
        near = client.at.origin
        found = {attribute: self.value(value, near) for attribute, (value, _) in replayed.settings.items()}
        if client.escaped and not client.api.startswith(
            "py-grpc"
        ):  # those get both when they are made, for good
            # it may be what a method or property was set of that nobody knows
            lost = Value(None, Why.DYNAMIC, phrase("handed-to-code-nobody-sees"))
            unseen = set(map(_set_by, missed))
            found |= {each: lost for each in unseen if each is not None}
            if client.api.startswith("py") and self.unfollowed.unread_modules:
                found[Attribute.MESSAGE_MODEL] = lost
        return found

    def _builder_of(
        self, entry: str, client: Client, at: Location, conditions: Sequence[Condition]
    ) -> Assembler:
        """The builder of a consumer's row, which stands at `at`."""
        method = next((f.method for f in frames_of(client.frame) if f.method is not None), None)
        owner = method.owner if method is not None else client.frame.owner
        symbol = method.symbol if method is not None else owner.name if owner is not None else entry
        if method is not None and method.owner.file.placed.facts.language == "xml":
            of_class, numbered, _ = method.name.rpartition("#")  # what Spring calls a bean without a name
            symbol = of_class.rpartition(".")[2] if numbered else method.name
        site = ConsumerSite(
            api=client.api,
            at=at.span,
            symbol=symbol,
            type=owner.name if owner is not None else "",
            settings=(),
            subscriptions=(),
            conditions=tuple(conditions),
            broken=self.is_broken(client),
        )
        return self.builder(self.world.files[at.origin], site, self.starts.registered(client))

    def is_broken(self, client: Client) -> bool:
        """Whether the code around a consumer does not parse."""
        file = self.programs.program.file(client.at.origin)
        if file is None:
            return False
        span = client.at.span
        whole = file.placed.facts.language == "xml"  # of a bean file that does not parse nothing is loaded
        return any(whole or abs(place[0] - span.line) <= 1 for place in file.unit.broken)

    def _crowd(self, client: Client, entry: str, why: str) -> Row:
        """One row for consumers beyond a bound: nothing of them is compared, but where one of few subscribes is known. What
        a test makes stands in the test."""
        made_at = client.stack[0] if kind_of(client)[1] == "test" else client.at
        placed = self.world.files[made_at.origin]
        crowded = Value(None, Why.TOO_MANY, why)
        site = ConsumerSite(client.api, made_at.span, entry, "", (), ())
        builder = self.builder(placed, site)
        places = {
            line_of(event.frame, event.at, event.values[:2]): None
            for event in client.events
            if event.action is Action.SUBSCRIBE and event.guard is not False
        }
        shown = places if places and client.at not in self._crowded else (made_at,)
        subscriptions = [Subscription(at, crowded, crowded, crowded) for at in shown]
        row = builder.assemble(_all_of(crowded), subscriptions)
        where = tuple((place.origin, place.span) for place in client.stack)
        made: Row = replace(row, member=(where, entry, client.object.number))
        return made


def _may_be_used(run: Interpreter) -> bool:
    """Whether a program subscribed or started something of which nobody knows which consumer it is."""
    return bool(run.heap.get("program")) and not run.missed.isdisjoint(("subscribe", "start"))


def _is_used(client: Client) -> bool:
    """Whether anything of a consumer is more than made and set up."""
    return (
        bool(client.crowded)
        or client.escaped
        or subscribes(client)
        or any(event.action is Action.START for event in client.events)
    )


def _is_operated(client: Client) -> bool:
    """Whether a consumer is subscribed or started in sight."""
    return subscribes(client) or any(event.action is Action.START for event in client.events)


def _is_bean(client: Client) -> bool:
    """Whether a consumer is made by a method that makes a bean: there is one of it in an application."""
    return any(
        frame.method is not None and frame.method.annotation("Bean") is not None
        for frame in frames_of(client.frame)
    )


def _parts(replayed: tuple[Any, Any, Any, Event], shown: Subscription) -> dict[str, Value]:
    """What code has set of the one subscription of a container."""
    topic, expression, kind, _ = replayed
    found = {"topic": shown.topic} if topic is not None else {}
    found |= {"expression": shown.expression} if expression is not ABSENT else {}
    return found | ({"filter_type": shown.filter_type} if kind is not ABSENT else {})


def _all_of(unknown: Value) -> dict[Attribute, Value]:
    """The settings of a consumer of which nothing is known, for one reason: without them a row would say the defaults."""
    return dict.fromkeys((Attribute.GROUP, Attribute.MESSAGE_MODEL, Attribute.CONSUME_FROM), unknown)

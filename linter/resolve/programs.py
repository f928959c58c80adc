"""Consumers that programs make: execution's guarded logs -> rows, in every environment.

A log is replayed under every assignment of the choices that its values and guards hang on, as far as the environment
does not decide them: alternatives of one consumer, be it a condition or the class of an object that nobody knows.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter import net
from subdrift.linter.clients.apis import WORDS, Action
from subdrift.linter.model import ir
from subdrift.linter.model.consumer import NOT_APPLICABLE, Confidence, Subscription, TrailStep, Value
from subdrift.linter.model.expr import Call, Concat, Config, EnvVar, Expr, Interpolate, Literal, Name, Why
from subdrift.linter.model.expr import Unknown as UnknownExpr
from subdrift.linter.model.facts import Attribute, Condition, ConsumerSite
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import START, Location, Origin, Span
from subdrift.linter.model.message import phrase, say
from subdrift.linter.model.placed import Placed, python_module, scope_of
from subdrift.linter.resolve.beside import Beside
from subdrift.linter.resolve.configuration import Configuration
from subdrift.linter.resolve.definitions import Distance
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.evaluate import Evaluator, World
from subdrift.linter.resolve.execute import guards
from subdrift.linter.resolve.execute.clients import Client, Event, frames_of
from subdrift.linter.resolve.execute.deferred import operation_of, parts_of
from subdrift.linter.resolve.execute.entries import Executed, execute, is_mentioned, is_root
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.needs import is_compared, subscribes
from subdrift.linter.resolve.execute.program import Class, File, Method, Program, Scope
from subdrift.linter.resolve.execute.protocol import Decision, Test
from subdrift.linter.resolve.execute.state import CHOICES_MAX
from subdrift.linter.resolve.execute.values import (
    Entry,
    Frame,
    Gap,
    Key,
    LibraryConstant,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
)
from subdrift.linter.resolve.listed import ConfiguredSettings, count, settled
from subdrift.linter.resolve.modules import Deployable, ModuleKey
from subdrift.linter.resolve.spring.annotations import Annotations, Meant
from subdrift.linter.resolve.spring.conditions import Conditions
from subdrift.linter.resolve.spring.registration import Registered, Registrations
from subdrift.linter.resolve.symbols import SAME_UNKNOWN, symbol_of
from subdrift.linter.resolve.unreached import ANY_FUNCTION, Construction, Leads, constructions
from subdrift.linter.resolve.values import FileVal, Missing, Null
from subdrift.linter.resolve.values import Text as EvaluatedText

if TYPE_CHECKING:
    from subdrift.linter.resolve.consumers import Builder, Row

BuilderOf = Callable[[Placed, ConsumerSite, "Registered | None"], "Builder"]

ROWS_MAX = 256
"""Consumers made at one place that are told apart; of more nothing is compared."""

COMBINATIONS_MAX = 64
"""Alternatives of one consumer that are written out; beyond that its values are `too-many`."""


class Programs(Struct):
    """The executed programs of one deployable; `at` is the beginning of its first file. `kept`: what whoever makes rows in
    several environments has found out for all of them. `followed` as in `Consumers`."""

    executed: Executed
    scope: Scope
    program: Program
    at: Location
    beside: Beside
    files: tuple[File, ...]
    kept: dict[object, Any] = field(default_factory=dict)
    followed: set[Location] = field(default_factory=set)


_LANGUAGES = ("java", "kotlin", "python")

_STARTS = frozenset({"init", "start", "run", "afterPropertiesSet", "initialize", "open", "setup", "main"})
"""Names by which descriptions that are not read here (XML, properties of a framework) call methods of beans."""


_SETTERS = {
    "setconsumergroup": Attribute.GROUP,
    "consumergroup": Attribute.GROUP,
    "setgroup": Attribute.GROUP,
    "setmessagemodel": Attribute.MESSAGE_MODEL,
    "messagemodel": Attribute.MESSAGE_MODEL,
}
"""What a setter or property of a consumer sets, by its name in small letters."""


class _Languages(dict[str, Any]):
    """What languages mean, by name: a language's library is imported where code of it runs, and nowhere else."""

    def __missing__(self, language: str) -> Any:
        made: Any
        if language == "python":
            from subdrift.linter.resolve.semantics.python.language import Python

            made = Python()
        elif language == "kotlin":
            from subdrift.linter.resolve.semantics.jvm.kotlin import Kotlin

            made = Kotlin()
        else:
            from subdrift.linter.resolve.semantics.jvm import Java

            made = Java()
        self[language] = made
        return made


class _Sending(_Languages):
    """The same where sends are looked for."""

    def __missing__(self, language: str) -> Any:
        from subdrift.linter.resolve.semantics import sends

        made = self[language] = sends.semantics(language)
        return made


def run_programs(
    world: World,
    program: Program,
    deployable: Deployable,
    files: Sequence[Placed],
    configuration: Configuration | None = None,
) -> Programs:
    """Executes what the deployable's files make consumers with; asks for callers that are not in sight."""
    scope = Scope(program, world.definitions, deployable)
    if configuration is not None:
        scope.settings = ConfiguredSettings(
            configuration,
            partial(_evaluated, world, deployable),
            partial(_loaded, world, deployable, configuration.environment("")),
        )
    semantics = _Sending() if program.marks.telling else _Languages()
    lowered: list[File] = []
    for placed in files:
        file = program.file(placed.origin)
        if file is not None and file.language in _LANGUAGES:
            lowered.append(file)
    executed = execute(scope, lowered, semantics.__getitem__, program.slice)
    world.wanted |= executed.wanted
    world.ran.update(method.owner.origin for _, run, _ in executed.runs for method in run.ran)
    classes = tuple(one for file in lowered for one in file.all_classes())
    beside = Beside(executed, scope, classes)
    return Programs(executed, scope, program, next(iter(files)).at(START), beside, tuple(lowered))


def _loaded(
    world: World, deployable: Deployable, environment: Environment, tail: str, near: Origin
) -> Placed | None:
    placed = world.files.get(near)
    if placed is None:
        return None
    at = Span(1, 1, 1, 1)
    found = Evaluator(world, deployable, environment).value(
        Call("load_file", (Literal(tail, at),), at), placed
    )
    return found.file if isinstance(found, FileVal) else None


def _evaluated(
    world: World, deployable: Deployable, environment: Environment, value: Text
) -> EvaluatedText | Missing:
    return Texts(world, deployable, environment).text(value)


_HOOKED = frozenset(("spring-listener", "spring-listener-v5"))
"""The declared listeners that the library hands their consumer, or its builder, before it starts."""


class Hooked(Struct, frozen=True):
    """What a listener's hook (`prepareStart`) does to the consumer of its annotation, under one set of choices.

    `removed` are topics it unsubscribes from; None where it clears all subscriptions. `alternative` tells the sets of
    choices apart, `asked`: whether configuration was asked for.
    """

    settings: Mapping[Attribute, Value]
    subscriptions: tuple[Subscription, ...]
    removed: frozenset[str] | None
    alternative: tuple[object, ...]
    asked: bool

    def after(self, declared: Sequence[Subscription]) -> list[Subscription]:
        """The subscriptions of a consumer that was declared with some."""
        if self.removed is None:
            return list(self.subscriptions)
        gone = self.removed | {one.topic.text for one in self.subscriptions}
        kept = [one for one in declared if one.topic.text is None or one.topic.text not in gone]
        return [*kept, *self.subscriptions]


class _Replayed(Struct):
    """What one assignment of choices makes of a log. `removed` as in `Hooked`."""

    settings: dict[Attribute, tuple[Any, Event]] = field(default_factory=dict)
    subscriptions: list[tuple[Any, Any, Any, Event]] = field(default_factory=list)
    removed: frozenset[str] | None = frozenset()
    started: bool = False
    started_in: Any = None
    reads_queues: bool = False
    running_in: Frame | None = None  # the code that started it, as long as it did not stop it
    late: list[Event] = field(default_factory=list)
    dropped: dict[str, Event] = field(default_factory=dict)

    def consumes(self) -> bool:
        """Whether it is no consumer that was started with nothing to consume: what only an unknown condition takes away is
        there."""
        return bool(self.subscriptions) or self.reads_queues or not self.started

    def runs_in(self, event: Event) -> bool:
        """Whether something happens after the start in one order that is known: both stand under one activation."""
        return self.running_in is not None and self.running_in is _outermost(event.frame)


class _Ways(Struct, frozen=True):
    """The ways in which a consumer may have been configured: the choices nobody decides (`free`), what may happen once the
    others are made, and every way to make them all under which the consumer exists. `born` is what is left open of the
    conditions under which it does; `unsure`: a value hangs on a choice that a default has made."""

    free: list[int]
    events: list[Event]
    assignments: list[dict[int, int]]
    born: Any
    unsure: bool


class Texts:
    """Evaluates texts in one environment; `_asked` and `_undefined` are what that took since they were last cleared,
    `_differs` whether anything was decided by the environment."""

    def __init__(self, world: World, deployable: Deployable, environment: Environment) -> None:
        self.world = world
        self.deployable = deployable
        self.environment = environment
        self._asked = False
        self._differs = False
        self._undefined: set[str] = set()

    def text(self, value: Text) -> EvaluatedText | Missing:
        """A text with its keys looked up in this environment, and what waited for them done."""
        found = settled(self.environment, value, lambda _, inner: self.text(inner))
        return self._text(found) if isinstance(found, Text) else found

    def _text(self, value: Text) -> EvaluatedText | Missing:
        """A text with its keys looked up in this environment."""
        at = value.steps[0].at if value.steps else None
        placed = self.world.files.get(at.origin) if at is not None else None
        if placed is None:
            placed = next(iter(self.world.files.values()))
        evaluator = Evaluator(self.world, self.deployable, self.environment.seen_from(placed.origin))
        span = at.span if at is not None else Span(1, 1, 1, 1)
        found = evaluator.value(_expr(value, span), placed)
        self._asked = evaluator.asked_configuration or self._asked
        self._undefined |= evaluator.undefined_keys
        if isinstance(found, EvaluatedText):
            return found
        if isinstance(found, Missing):
            return found
        if isinstance(found, Null):
            return Missing(Why.DYNAMIC, phrase("it-is-null"), found.trail)
        return Missing(Why.DYNAMIC, phrase("not-a-text"))


class Rows(Texts):
    """Builds the rows of executed programs in one environment."""

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        programs: Programs,
        builder: BuilderOf,
        diagnostics: dict[tuple[str, Location], Diagnostic],
        registrations: Registrations | None = None,
    ) -> None:
        super().__init__(world, deployable, environment)
        self.registrations = registrations
        self.programs = programs
        self.builder = builder
        self.diagnostics = diagnostics
        self._crowded: frozenset[Location] = frozenset()
        self._called: frozenset[str] | None = None
        self._tests = False  # the consumer at hand is one of a test
        self._assumed = False  # the last choice was decided by a variable or key that nothing in sight sets
        self._by_default = False  # the last choice was decided by a default

    def rows(self) -> Iterator[Row]:
        seen: set[object] = set()
        together = _Together()
        made = Counter(client.at for _, _, client, _ in self.programs.executed.clients())
        self._crowded = frozenset(at for at, count in made.items() if count > ROWS_MAX)
        used = {_kind_of(client) for _, _, client, _ in self.programs.executed.clients() if _is_used(client)}
        beans = {client.at for _, _, client, _ in self.programs.executed.clients() if _is_operated(client)}
        reached = {client.at: False for _, client in self.programs.executed.hooks.values()}
        for entry, run, client, unreached in self.programs.executed.clients():
            reached.setdefault(client.at, False)
            if _kind_of(client) in used and not _is_used(client):
                continue  # one of many: a run that ends early or takes another way does not use it
            if client.at in beans and not _is_operated(client) and _is_bean(client):
                continue  # the one that other code gets from the container
            if self.programs.beside.stands_for(entry, client):
                continue
            for row, born in self._rows_or_none(entry, run, client, unreached):
                reached[client.at] = reached[client.at] or _says_nothing(row, run)
                together.add(_Made(row, born, client.born, entry, run, client))
        members: dict[object, list[Row]] = {}
        for row in together.rows():
            members.setdefault(row.member, []).append(row)
        for rows in members.values():
            identities = [_identity(row) for row in rows]
            fresh = [row for row, key in zip(rows, identities, strict=True) if key not in seen]
            seen.update(identities)
            # one that is told of another consumer is told again beside its alternatives: they are no certain ones
            yield from rows if fresh and len({row.alternative for row in rows}) > 1 else fresh
        yield from self._not_reached(reached)
        self._tell_of_runs()

    def _tell_of_runs(self) -> None:
        """The diagnostics of runs: tests that were left, what was not followed to its end, consumers made elsewhere."""
        executed = self.programs.executed
        for one, left in executed.unrun.items():
            at = left[0].owner.at(left[0].decl.name_at)
            self.diagnostics.setdefault(
                ("not-followed", at),
                Diagnostic(
                    "not-followed",
                    say("tests-not-run", count=str(len(left)), owner=one.simple),
                    at,
                    say("tests-come-last"),
                ),
            )
        counted = {run for _, run in executed.left}
        if executed.left:
            at = executed.left[0][0]
            self.diagnostics.setdefault(
                ("not-followed", at),
                Diagnostic(
                    "not-followed",
                    say("scripts-not-run", count=str(len(executed.left))),
                    at,
                    say("scripts-come-last"),
                ),
            )
        for run in (*(run for _, run, _ in executed.runs), *(run for run, _ in executed.hooks.values())):
            if run.failed is not None:
                self._failed(run.failed, run.ended[1] if run.ended else self.programs.at)
            elif run.ended is not None and run not in counted:
                why, ended = run.ended
                self.diagnostics.setdefault(
                    ("not-followed", ended),
                    Diagnostic(
                        "not-followed",
                        say("program-not-followed", reason=say("hangs-on", detail=why)),
                        ended,
                        say("move-into-a-method"),
                    ),
                )
            for stack, leaf, _ in run.heap.get("elsewhere", ()):
                at = stack[-1]
                if scope_of(stack[0].origin.path) == "test":
                    continue  # the stand-in of a test
                self.diagnostics.setdefault(
                    ("unrecognised-use", at),
                    Diagnostic(
                        "unrecognised-use",
                        say(
                            "consumer-made-elsewhere",
                            reason=say("hangs-on", detail=leaf.detail)
                            if leaf.detail
                            else say(f"why.{leaf.why.value}"),
                        ),
                        at,
                        say("make-where-subscribed"),
                    ),
                )

    def _not_reached(self, reached: Mapping[Location, bool]) -> Iterator[Row]:
        """A row for each place that makes a consumer and that no run came to, or that a call may come to again which nobody
        could follow: nothing is known of it but that it is there. `reached`: the places that runs came to, and whether a
        row says of one that it may be any.

        Of a module that several deployables take in, one whose runs were given up before the place tells it; else it is
        told as one that nobody has met.
        """
        executed = self.programs.executed
        told = {at for at, anything in reached.items() if anything}
        # a run that went through the method to its end has shown that the place is not come to
        passed = {
            method
            for _, run, _ in executed.runs
            if run.ended is None and run.died is None
            for method in run.ran - run.left
        }
        for one in constructions(self.programs.scope, self.programs.files):
            if one.at in told or one.method in executed.elsewhere:
                continue
            why = self._given_up_before(one)
            tellers = () if why else self._tellers(one.at.origin)
            followed = one.at in reached or one.method in passed
            if len(tellers) > 1 and followed:
                self.programs.followed.add(one.at)
            if tellers and self.deployable.key not in tellers:
                continue
            why = self._not_followed(one, why, followed)
            if not why:
                continue
            told.add(one.at)
            row = self._unknown_row(one, why)
            if row is not None:
                yield replace(row, unmet=len(tellers) > 1)

    def _not_followed(self, one: Construction, why: str, followed: bool) -> str:
        """Why a place that makes a consumer may make one that no row tells; "" where it does not. `why` as
        `_given_up_before` gives it."""
        if not followed and not one.referred:
            ended = next(
                (run.ended[0] for _, run, _ in self.programs.executed.runs if run.ended is not None), ""
            )
            return ended or phrase("no-run-came-through")
        if not why and self._unfollowed_calls:
            found = self._leads.to(one.at.origin, one.written) & self._unfollowed_calls
            if found:
                shown = f"{min(found)}()" if min(found) else phrase("callback")
                return phrase("called-where-nobody-sees", shown)
        if not why and one.given and self._unread_types:
            return phrase("called-by-unread-code", min(self._unread_types))
        return why

    def _unknown_row(self, one: Construction, why: str) -> Row | None:
        """The row of a consumer of which nothing is known but where it is made; None where it is not one of the deployable."""
        unknown = Value(None, Why.DYNAMIC, why)
        condition = Condition("not-reached", why, one.at.span)
        placed = self.world.files[one.at.origin]
        site = ConsumerSite(one.api, one.at.span, one.symbol, one.owner, (), (), (condition,))
        builder = self.builder(placed, site, None)
        evaluator = Evaluator(self.world, self.deployable, self.environment)
        subscription = Subscription(one.at, unknown, unknown, unknown)
        row = builder.assemble(evaluator, _all_of(unknown), [subscription])
        if not builder.belongs_here(row):
            return None
        return replace(row, member=("not reached", one.at.origin, one.at.span))

    def _given_up_before(self, one: Construction) -> str:
        """Why a run did not get to its end, by no doing of the program, that may come to a place behind it; "" where none
        may."""
        if not self._given_up:
            return ""
        leading = self._leads.to(one.at.origin, one.written)
        module = (python_module(one.at.origin.path) or ("",))[-1]
        return next(
            (
                why
                for why, origins, called in self._given_up
                if one.at.origin in origins or module in called or not called.isdisjoint(leading)
            ),
            "",
        )

    @cached_property
    def _given_up(self) -> list[tuple[str, set[Origin], set[str]]]:
        """The runs that were given up: why, the files whose code they ran, and what these call and import."""
        found: list[tuple[str, set[Origin], set[str]]] = []
        for _, run, _ in self.programs.executed.runs:
            if run.ended is None or not run.is_given_up:
                continue
            origins = {method.owner.origin for method in run.ran}
            origins |= {client.at.origin for client in run.clients} | {run.ended[1].origin}
            called: set[str] = set()
            for origin in origins:
                placed = self.world.files.get(origin)
                if placed is not None and placed.facts.unit is not None:
                    called |= {name for name, _ in placed.facts.unit.calls}
                    called |= {
                        part
                        for each in placed.facts.unit.imports
                        for part in (*each.path.split("."), each.member)
                    }
            found.append((run.ended[0], origins, called - {""}))
        return found

    @cached_property
    def _leads(self) -> Leads:
        return Leads(self.programs.files)

    @cached_property
    def _called_unseen(self) -> Set[str]:
        """The names that code calls which calls lead to that nobody could follow."""
        return self._leads.beyond(self._unfollowed_calls) if self._unfollowed_calls else frozenset()

    @cached_property
    def _unfollowed_calls(self) -> frozenset[str]:
        """The names that runs of programs called on what nobody knows."""
        return frozenset().union(
            *(run.unfollowed for _, run, _ in self.programs.executed.runs if not run.brief)
        )

    @cached_property
    def _unread_types(self) -> frozenset[str]:
        """The types of the program's own that runs came to and that no file declares: their code may call any other."""
        return frozenset().union(*(run.unread for _, run, _ in self.programs.executed.runs if not run.brief))

    @cached_property
    def _unread_modules(self) -> tuple[str, ...]:
        """Those of them that are modules of Python: they may set what the others hold, and stand below their classes."""
        return tuple(one for one in sorted(self._unread_types) if not one.rpartition(".")[2][:1].isupper())

    def _tellers(self, origin: Origin) -> list[ModuleKey]:
        """The deployables that may tell of a place that no run came to: those that take a library in make what it makes;
        of a library of another repository none but one that is alone with it."""
        key = self.world.modules.of(origin)
        takers = self.world.modules.together(key)
        others = [each.key for each in takers if each.known and each.key != key]
        if len(others) > 1 and any(each.repo != origin.repo for each in others):
            return [key]
        if others:
            return others
        keys = [each.key for each in takers]
        return [key] if not keys or key in keys else keys[:1]

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
            return ((self._crowd(client, entry, phrase("more-time-than-a-run-may-take")), True),)
        except MemoryError:
            return ((self._crowd(client, entry, phrase("more-memory-than-a-run-may-take")), True),)
        except Exception as error:  # noqa: BLE001 - totality: one consumer is lost, and says so
            self._failed(error, client.at)
            return ()

    def _failed(self, error: Exception, at: Location) -> None:
        reason = f"{type(error).__name__}: {error}"
        found = Diagnostic("internal-error", say("running-failed", error=reason), at, say("report-this-file"))
        self.diagnostics.setdefault(("internal-error", at), found)

    # -- one consumer ---------------------------------------------------------------------------------------

    def _client_rows(
        self, entry: str, run: Interpreter, client: Client, unreached: bool
    ) -> Iterator[tuple[Row, Any]]:
        """Rows, each with the guard under which the consumer exists as far as nothing decides it."""
        ways = self._ways(run, client)
        if isinstance(ways, str):
            yield self._crowd(client, entry, ways), True
            return
        made: dict[object, Row] = {}
        replays = [(one, self._replay(client, ways.events, one)) for one in ways.assignments]
        if client.lost is not False:
            replays = _carried_through(client, replays)
        if subscribes(client):
            replays = [pair for pair in replays if pair[1].consumes()] or replays
        for assignment, replayed in replays:
            row = self._row(entry, run, client, replayed, assignment, ways, unreached)
            if row is None:
                continue
            shape = _unknown_shape(row) or _identity(replace(row, alternative=()))
            made.setdefault((shape, row.member), row)
        # ways that differ in nothing that is compared are one row; a lone one excludes nothing
        alone = len({row.member for row in made.values()}) == len(made)
        yield from ((replace(row, alternative=()) if alone else row, ways.born) for row in made.values())

    def _ways(self, run: Interpreter, client: Client) -> _Ways | str:
        """Every way in which a consumer may have been configured; in words, why they are too many to be told apart."""
        events = [event for event in client.events if event.guard is not False]
        numbers = sorted(
            {
                number
                for value in (
                    client.born,
                    *(e.guard for e in events),
                    *(v for e in events for v in _inner(e)),
                )
                for number in guards.choices(value)
            }
        )
        fixed: dict[int, int] = {}
        free: list[int] = []
        assumed: list[int] = []
        by_default: list[int] = []
        self._differs = False
        self._tests = _kind_of(client)[1] == "test"
        for number in numbers:
            self._assumed = self._by_default = self._asked = False
            way = self._decided(run.decisions[number])
            self._differs = self._differs or self._asked
            if way is None:
                free.append(number)
            else:
                fixed[number] = way
                if self._assumed:
                    assumed.append(number)
                if self._assumed or self._by_default:
                    by_default.append(number)
        if assumed and not _can_start(client, events, fixed):
            free = sorted([*free, *assumed])  # it runs only where somebody sets what nothing in sight does
            fixed = {number: way for number, way in fixed.items() if number not in assumed}
        unsure = bool(self._relevant(True, events, [number for number in by_default if number in fixed]))
        events = [_narrowed(event, fixed) for event in events]
        events = [event for event in events if event.guard is not False]
        free = self._relevant(guards.narrow(client.born, fixed), events, free)
        if client.crowded:
            return client.crowded
        if client.at in self._crowded:
            return phrase("more-than-consumers", ROWS_MAX)
        born, told = guards.narrow(client.born, fixed), free
        if _combinations(run, free) > COMBINATIONS_MAX:
            # once it exists, what it took to come to exist makes no difference to it
            events = [_once(event, born) for event in events]
            free = self._relevant(True, events, told)
            forced = {number: way for number, way in guards.forced(born).items() if number not in free}
            fixed, told = fixed | forced, [*forced, *free]
        if any(run.decisions[number].kind == "overflow" for number in free):
            return phrase("more-than-choices", CHOICES_MAX)
        if _combinations(run, free) > COMBINATIONS_MAX:
            return phrase("more-than-alternatives", COMBINATIONS_MAX)
        every = (
            {**fixed, **dict(zip(free, ways, strict=True))}
            for ways in product(*(range(run.decisions[number].ways) for number in free))
        )
        possible = [
            one
            for one in every
            if self._consistent(run, one) and guards.narrow(client.born, one) is not False
        ]
        return _Ways(told, events, possible, born, unsure)

    # -- hooks of listeners ---------------------------------------------------------------------------------

    def hooks(self, placed: Placed, site: ConsumerSite) -> list[Hooked]:
        """What the hook of a listener does to its consumer, in each way it may go; nothing where there is no hook."""
        prepared = self.programs.executed.hooks.get((placed.origin, site.symbol))
        if prepared is None or site.api not in _HOOKED:
            return []
        run, client = prepared
        ways = self._ways(run, client)
        if isinstance(ways, str):
            crowded = Value(None, Why.TOO_MANY, ways)
            return [Hooked(_all_of(crowded), (), frozenset(), (), False)]
        found: dict[object, Hooked] = {}
        for assignment in ways.assignments:
            self._asked, self._undefined = False, set()
            replayed = self._replay(client, ways.events, assignment)
            near = placed.origin
            settings = {
                attribute: self._value(value, near) for attribute, (value, _) in replayed.settings.items()
            }
            subscriptions = tuple(
                self._subscription(client, one, near, None) for one in replayed.subscriptions
            )
            taken = tuple((run.decisions[number].at, number, assignment[number]) for number in ways.free)
            one = Hooked(settings, subscriptions, replayed.removed, taken, self._asked)
            found.setdefault((tuple(settings.items()), subscriptions, replayed.removed), one)
        return list(found.values())

    def _relevant(self, born: Any, events: Sequence[Event], free: list[int]) -> list[int]:
        """The choices that change what is compared: not those of attributes nobody reads."""
        compared = [event for event in events if is_compared(event)]
        used = {
            number
            for value in (
                born,
                *(event.guard for event in compared if event.action not in (Action.START, Action.STOP)),
                *(value for event in compared for value in _inner(event)),
            )
            for number in guards.choices(value)
        }
        starts = [event.guard for event in events if event.action is Action.START]
        whole: Any = False
        for guard in starts:
            whole = guards.either(whole, guard)
        used |= set(guards.choices(guards.under(whole, born)))
        return [number for number in free if number in used]

    def _decided(self, decision: Decision) -> int | None:
        """The way a choice takes in this environment, None where nothing decides it."""
        test = decision.test
        if test is None:
            return None
        if test.kind in ("part", "element", "entry"):
            return 0 if self._is_there(test) else 1
        if test.kind == "bean":
            self._differs = True
            if self._tests:
                return None  # a test may say what its application is configured by
            there = self.registrations.makes(test.operands[0]) if self.registrations is not None else True
            return None if there is None else 0 if there else 1
        if test.kind == "true":
            (operand,) = test.operands
            if not isinstance(operand, Text):
                return None
            value = self.text(operand)
            if isinstance(value, EvaluatedText):
                return 0 if value.text.strip().lower() == "true" else 1
            return None
        if test.kind == "filled":
            (operand,) = test.operands
            if not isinstance(operand, Text):
                return None
            value = self.text(operand)
            if isinstance(value, EvaluatedText):
                return 0 if value.text else 1
            self._assumed = self._is_unset(operand)
            return 1 if self._assumed else None
        if test.kind == "equal":
            left, right = (self._plain(each) for each in test.operands)
            if left is None or right is None:
                return None
            return 0 if left == right else 1
        if test.kind == "present":
            (operand,) = test.operands
            if isinstance(operand, Text):
                value = self.text(operand)
                if isinstance(value, EvaluatedText):
                    return 0
                self._assumed = isinstance(value, Missing) and self._is_unset(operand)
                return 1 if self._assumed else None
        return None

    def _is_there(self, test: Test) -> bool:
        """Whether a list or map of configuration has an element in this environment; an unknown list has one."""
        self._differs = True
        if test.kind == "part":
            whole, separator, index = test.operands
            value = self.text(whole)
            return bool(
                index < (len(parts_of(value.text, separator)) if isinstance(value, EvaluatedText) else 1)
            )
        prefix, item = test.operands
        if test.kind == "element":
            return bool(item < count(self.environment, prefix, lambda _, value: self.text(value)))
        return item in self.environment.children(prefix)

    def _is_unset(self, operand: Text) -> bool:
        """Whether nothing in sight sets the one variable or key a text is: code that asks takes its own default."""
        part = operand.parts[0] if len(operand.parts) == 1 else None
        if (
            not isinstance(part, Key)
            or part.key.known is None
            or part.variable not in ("env", "system", "property", "")
        ):
            return False
        if part.variable in ("", "property") and self.environment.configuration.centre:
            return False
        return self.environment.lookup(part.key.known) is None

    def _plain(self, operand: Any) -> str | None:
        if isinstance(operand, Text):
            value = self.text(operand)
            self._by_default = self._by_default or (isinstance(value, EvaluatedText) and value.default)
            return value.text if isinstance(value, EvaluatedText) else None
        if isinstance(operand, LibraryConstant):
            return operand.name
        if isinstance(operand, Object) and operand.constant:
            return operand.constant
        if isinstance(operand, bool):
            return "true" if operand else "false"
        return str(operand) if isinstance(operand, int) else None

    def _consistent(self, run: Interpreter, assignment: Mapping[int, int]) -> bool:
        """Whether one unknown is not taken for two constants at once."""
        held: dict[object, str] = {}
        for number, way in assignment.items():
            test = run.decisions[number].test
            if test is None or test.kind != "equal" or way != 0:
                continue
            left, right = test.operands
            constant = self._plain(right)
            if constant is None:
                continue
            from subdrift.linter.resolve.execute.identity import symbol_of

            symbol = symbol_of(left)
            if symbol is not None and held.setdefault(symbol, constant) != constant:
                return False
        return True

    def _replay(self, client: Client, events: Sequence[Event], assignment: Mapping[int, int]) -> _Replayed:
        found = _Replayed()
        for event in events:
            if guards.settle(event.guard, assignment) is not True:
                continue
            values = tuple(guards.settle(value, assignment) for value in event.values)
            self._apply(client, found, event, values, assignment)
        return found

    def _apply(
        self,
        client: Client,
        found: _Replayed,
        event: Event,
        values: tuple[Any, ...],
        assignment: Mapping[int, int],
    ) -> None:
        first = values[0] if values else _NOT_GIVEN
        match event.action:
            case Action.SET:
                assert event.attribute is not None
                if not (event.attribute is Attribute.GROUP and found.started):
                    found.settings[event.attribute] = (first, event)
            case Action.START:
                found.started = True
                found.started_in = event.frame if client.api.startswith("grpc") else None
                found.running_in = _outermost(event.frame)
            case Action.STOP:
                if found.runs_in(event):  # what it is told on the way out concerns nobody
                    found.running_in = None
                    found.dropped = {}
            case Action.PROPERTIES:
                from subdrift.linter.resolve.semantics.jvm.consumers import properties

                for attribute, value in properties(first).items():
                    found.settings[attribute] = (guards.settle(value, assignment), event)
                if isinstance(first, Unknown | Text) or getattr(first, "open", None) is not None:
                    found.settings.setdefault(Attribute.GROUP, (Unknown(Why.DYNAMIC, "properties"), event))
            case Action.SUBSCRIBE:
                _, expression, kind = (*(values or (first,)), _ABSENT, _ABSENT)[:3]
                plain = self._plain(first)
                if found.runs_in(event) and all(self._plain(one[0]) != plain for one in found.subscriptions):
                    found.late.append(event)
                found.dropped.pop(plain or "", None)
                found.subscriptions += self._subscribed(client, event, first, expression, kind, assignment)
            case Action.UNSUBSCRIBE:
                gone = self._plain(values[0]) if values else None
                if gone is not None and found.runs_in(event):
                    found.dropped[gone] = event
                if values and (not found.started or event.frame is found.started_in):
                    if gone is not None and found.removed is not None:
                        found.removed |= {gone}
                    found.subscriptions = [
                        one if gone is None or self._plain(one[0]) is not None else _perhaps_another(one)
                        for one in found.subscriptions
                        if (one[0] is not values[0] if gone is None else self._plain(one[0]) != gone)
                    ]
            case Action.CLEAR:
                found.subscriptions = []
                found.removed = None
            case Action.TABLE | Action.TABLE_ALL:
                if event.action is Action.TABLE_ALL:
                    found.subscriptions = []
                    found.removed = None
                    found.removed = None
                found.subscriptions += self._table(client, event, first, assignment)
            case Action.TOPICS:
                found.subscriptions = []
                items = first.items if isinstance(first, Object) else None
                if items is None:
                    found.subscriptions.append((first, _ABSENT, _ABSENT, event))
                for guard, item in items or ():
                    if guards.settle(guard, assignment) is True:
                        found.subscriptions.append((guards.settle(item, assignment), _ABSENT, _ABSENT, event))
            case Action.TOPIC:
                if event.type:
                    found.reads_queues = True
                    return  # the group's heartbeats say nothing of what it takes itself
                if values:
                    plain = self._plain(values[0])
                    if plain is None or all(self._plain(one[0]) != plain for one in found.subscriptions):
                        found.subscriptions.append((values[0], _ABSENT, _ABSENT, event))
            case Action.PART_TOPIC | Action.PART_EXPRESSION | Action.PART_TYPE:
                self._part(client, found, event, first)

    def _subscribed(
        self,
        client: Client,
        event: Event,
        topic: Any,
        expression: Any,
        kind: Any,
        assignment: Mapping[int, int],
    ) -> Iterator[tuple[Any, Any, Any, Event]]:
        if event.type == "CLASS":
            yield topic, expression, "CLASS", event
            return
        if isinstance(expression, Object):
            held = expression.fields
            if "expression" in held:
                inner = guards.settle(held["expression"], assignment)
                yield topic, inner, guards.settle(held.get("type", _ABSENT), assignment), event
                return
        if client.api.startswith("ons") or client.api == "http" or not isinstance(kind, Text | Unknown):
            kind = _ABSENT
        if (
            not isinstance(expression, Text | Unknown | LibraryConstant | type(None))
            and expression is not _ABSENT
        ):
            if isinstance(expression, Object) and expression.items is not None:
                yield topic, expression, _ABSENT, event
                return
            expression = (
                _ABSENT if not isinstance(expression, Object) else Unknown(Why.DYNAMIC, phrase("selector"))
            )
        if isinstance(expression, Unknown) and (
            client.api.startswith("py-grpc") or not client.api.startswith("py")
        ):
            written = expression.type is not None and expression.type.simple in ("String", "CharSequence")
            kind = kind if written or kind is not _ABSENT else expression  # it may be a selector
        yield topic, expression, kind, event

    def _table(
        self, client: Client, event: Event, table: Any, assignment: Mapping[int, int]
    ) -> Iterator[tuple[Any, Any, Any, Event]]:
        entries = table.entries if isinstance(table, Object) else None
        open_ = table if isinstance(table, Unknown) else getattr(table, "open", None)
        if entries is None and open_ is None:
            open_ = Unknown(Why.DYNAMIC, phrase("table-of-topics"))
        for entry in entries or ():
            if guards.settle(entry.guard, assignment) is not True:
                continue
            key = guards.settle(entry.key, assignment)
            item = guards.settle(entry.value, assignment)
            topic: Any = key
            event_here = self._entry_event(event, entry)
            if isinstance(key, Object):  # an ONS Subscription: topic and expression of its own
                topic = guards.settle(
                    key.fields.get("topic", Unknown(Why.DYNAMIC, phrase("topic"))), assignment
                )
                expression = guards.settle(key.fields.get("expression", _ABSENT), assignment)
                kind = (
                    _ABSENT
                    if client.ignores_type
                    else guards.settle(key.fields.get("type", _ABSENT), assignment)
                )
                yield topic, expression, kind, event_here
            else:
                yield from self._subscribed(client, event_here, topic, item, _ABSENT, assignment)
        if open_ is not None:  # gRPC's tables hold filters of either type
            yield open_, open_, open_ if client.api.startswith("grpc") else _ABSENT, event

    @staticmethod
    def _entry_event(event: Event, entry: Entry) -> Event:
        """A table's subscription stands where its entry is written, where that is the code at hand."""
        at = entry.at
        if at is None or at.origin != event.at.origin:
            return event
        return Event(event.guard, event.action, event.values, at, event.frame, event.attribute, event.type)

    def _part(self, client: Client, found: _Replayed, event: Event, value: Any) -> None:
        """An object with one subscription, set part by part: it stands where the object is made."""
        topic, expression, kind, at = (
            found.subscriptions[0] if found.subscriptions else (None, _ABSENT, _ABSENT, event)
        )
        match event.action:
            case Action.PART_TOPIC:
                topic, at = value, replace(event, at=client.at, frame=client.frame)
            case Action.PART_EXPRESSION:
                expression = value
            case Action.PART_TYPE:
                kind = value
        found.subscriptions = [(topic, expression, kind, at)]

    # -- values ---------------------------------------------------------------------------------------------

    def _value(self, value: Any, near: Origin) -> Value:
        """The public form of a plain value."""
        if isinstance(value, Text):
            known = value.known
            trail = _trail(value.steps)
            if known is not None:
                if "${" in known:
                    return Value(None, Why.UNDEFINED, known, trail)
                confidence = self._confidence(value.steps, near)
                default = any(step.default for step in value.steps)
                if default:
                    confidence = min(confidence, Confidence.MEDIUM)
                return Value(known, None, "", trail, confidence, default)
            found = self.text(value)
            if isinstance(found, Missing):
                symbol = symbol_of(_expr(value, Span(1, 1, 1, 1)), self.environment)
                symbol = symbol if found.why in SAME_UNKNOWN else ""
                return Value(None, found.why, found.detail, (*trail, *found.trail), symbol=symbol)
            if "${" in found.text:
                return Value(None, Why.UNDEFINED, found.text, (*trail, *found.trail))
            confidence = min(found.confidence, self._confidence(value.steps, near))
            return Value(found.text, None, "", (*trail, *found.trail), confidence, found.default)
        if value is None:
            return Value(None, Why.DYNAMIC, phrase("it-is-null"))
        if isinstance(value, bool):
            return Value("true" if value else "false")
        if isinstance(value, int | float):
            return Value(str(value))
        if isinstance(value, LibraryConstant):
            return self._library_constant(value, near)
        if isinstance(value, Object):
            if value.constant:
                return Value(value.constant)
            return Value(None, Why.DYNAMIC, phrase("not-a-text"))
        if isinstance(value, Unknown):
            return Value(None, value.why, value.detail, _trail(value.steps))
        if isinstance(value, TypeValue):
            if value.guessed:
                owner, _, name = value.name.rpartition(".")
                return self._library_constant(LibraryConstant(owner, name), near)
            if value.declared is None and value.simple not in WORDS:
                return Value(None, Why.UNDEFINED, value.name)  # of a class or module nobody has read
            return Value(value.simple)
        return Value(None, Why.DYNAMIC, phrase("not-a-text"))

    def _library_constant(self, value: LibraryConstant, near: Origin) -> Value:
        """A constant whose class is not here: a word of a client library, an answer, or not defined."""
        if value.name in WORDS:
            return Value(value.name)
        placed = self.world.files[near]
        evaluator = Evaluator(self.world, self.deployable, self.environment.seen_from(placed.origin))
        name = Name((f"{value.owner}#{value.name}",), Span(1, 1, 1, 1))
        found = evaluator.value(name, placed)
        if isinstance(found, EvaluatedText):
            return Value(found.text, None, "", found.trail, found.confidence, found.default)
        if isinstance(found, Missing):
            return Value(None, found.why, found.detail or f"{value.owner}.{value.name}", found.trail)
        return Value(None, Why.UNDEFINED, f"{value.owner}.{value.name}")

    def _confidence(self, steps: Sequence[Step], near: Origin) -> Confidence:
        """No more than the farthest place a value came through allows."""
        found = Confidence.HIGH
        placed = self.world.files.get(near)
        if placed is None:
            return found
        for step in steps:
            if step.at.origin.repo == near.repo:
                continue
            distance = self.world.definitions.distance(placed, step.at.origin, self.deployable)
            found = min(found, Confidence.MEDIUM if distance <= Distance.DEPENDENCY else Confidence.LOW)
        return found

    # -- the row --------------------------------------------------------------------------------------------

    def _row(
        self,
        entry: str,
        run: Interpreter,
        client: Client,
        replayed: _Replayed,
        assignment: Mapping[int, int],
        ways: _Ways,
        unreached: bool,
    ) -> Row | None:
        self._asked, self._undefined = False, set()
        free = ways.free
        near = client.at.origin
        settings = {
            attribute: self._value(value, near) for attribute, (value, _) in replayed.settings.items()
        }
        missed = run.missed
        if client.escaped:  # it may be what a method or property was set of that nobody knows
            missed = missed | self._called_unseen
            lost = Value(None, Why.DYNAMIC, phrase("handed-to-code-nobody-sees"))
            set_unseen = {_SETTERS.get(name.replace("_", "").lower()) for name in missed}
            if not client.api.startswith("py-grpc"):  # those get both when they are made, for good
                settings |= {each: lost for each in set_unseen if each is not None}
                if client.api.startswith("py") and self._unread_modules:
                    settings[Attribute.MESSAGE_MODEL] = lost
        supplied = self._supplied_by_group(client, replayed)
        subscriptions = [
            self._told(replayed, one, self._subscription(client, one, near, supplied))
            for one in replayed.subscriptions
        ]
        if not subscriptions and not replayed.settings and not client.events:
            return None
        at = supplied or (self._line(client.frame, client.at, ()))
        if not replayed.subscriptions and (
            replayed.reads_queues or client.api == "pull"
        ):  # it asks for queues
            subscriptions = [_queues(at)]
        elif not replayed.subscriptions:
            subscriptions = list(self._unfollowed(entry, run, client, replayed, at))
        elif client.escaped and "subscribe" in missed:  # it may be what that was called on
            subscriptions.append(_nobody_knows(at, Why.DYNAMIC, phrase("handed-to-code-nobody-sees")))
        conditions: list[Condition] = []
        if not replayed.started and client.api not in ("http", "py-http"):  # these have no start
            if client.escaped:
                if self.programs.executed.closed or client.api.startswith(
                    "py"
                ):  # else a framework may start it
                    conditions.append(_open(client, phrase("started-by-unseen-code")))
            elif "start" in run.missed:  # on what may be this one
                conditions.append(_open(client, phrase("started-by-unresolved-call")))
            elif self.programs.executed.closed or not self._is_started_beside(run, client):
                conditions.append(Condition("never-started", "", client.at.span))
        elif (
            unreached or client.unreached or (is_root(entry) and self.programs.executed.closed)
        ) and self._is_called_unseen(client):
            conditions.append(_open(client, phrase("called-by-unresolved-call")))
        elif (
            unreached
            or client.unreached
            or self._is_made_by_nobody(entry, client)
            or self._is_called_by_nobody(entry, run, client)
        ):
            unread = self._unread_types
            why = phrase("called-by-unread-code", min(unread)) if unread else phrase("nothing-calls-it")
            kind = "not-reached" if unread else "never-started"
            conditions.append(Condition(kind, why, client.at.span))
        elif client.perhaps:
            conditions.append(_open(client, phrase("called-by-unresolved-call")))
        elif "#" in entry and client.api.startswith("py") and self._unread_modules:
            # nothing in sight calls it: who does may do so on an object of a class that is not here
            conditions.append(_open(client, phrase("called-by-unread-code", self._unread_modules[0])))
        method = next((f.method for f in frames_of(client.frame) if f.method is not None), None)
        owner = method.owner if method is not None else client.frame.owner
        symbol = method.symbol if method is not None else owner.name if owner is not None else entry
        placed = self.world.files[at.origin]
        site = ConsumerSite(
            api=client.api,
            at=at.span,
            symbol=symbol,
            type=owner.name if owner is not None else "",
            settings=(),
            subscriptions=(),
            conditions=tuple(conditions),
            broken=self._broken(client),
        )
        builder = self.builder(placed, site, self._registered(client))
        if ways.unsure or any(run.decisions[number].kind == "subtype" for number in free):
            settings = {attribute: _less_sure(value) for attribute, value in settings.items()}
            subscriptions = [
                replace(one, topic=_less_sure(one.topic), expression=_less_sure(one.expression))
                for one in subscriptions
            ]
        evaluator = Evaluator(self.world, self.deployable, self.environment)
        evaluator.through = {place.origin for place in client.stack}
        evaluator.undefined_keys = self._undefined
        evaluator.asked_configuration = True
        row = builder.assemble(evaluator, settings, subscriptions)
        process = "" if entry == "container" or is_root(entry) else entry
        row = replace(
            row,
            asked=self._asked or self._differs,
            consumer=replace(row.consumer, process=process, made_under=_spelled(entry, client.born)),
        )
        if builder.is_machinery(settings) or not builder.belongs_here(row):
            return None
        where = tuple((one.origin, one.span) for one in client.stack)
        alternative = tuple((run.decisions[number].at, number, assignment[number]) for number in free)
        made: Row = replace(row, member=(where, entry, client.object.number), alternative=alternative)
        return made

    def _unfollowed(
        self, entry: str, run: Interpreter, client: Client, replayed: _Replayed, at: Location
    ) -> Iterator[Subscription]:
        """What a consumer subscribes to that nothing was seen to subscribe, where that is not certain."""
        if "subscribe" in run.missed:  # on what may be this one
            yield _nobody_knows(at, Why.DYNAMIC, phrase("subscribed-where-no-run-came-through"))
            return
        if client.api.startswith("py"):
            if client.escaped:
                yield _nobody_knows(at, Why.DYNAMIC, phrase("handed-to-code-nobody-sees"))
            return
        beside = self.programs.beside.of(client)
        if beside.reads and not beside.subscribed:
            yield _queues(at)
            return
        if beside.subscribed:
            (call, place), *_ = beside.subscribed
            unknown = Value(None, Why.DYNAMIC, phrase("subscribed-where-no-run-came-through"))
            written = call.args[1].value if len(call.args) > 1 else None
            if isinstance(written, ir.Const) and isinstance(written.value, str):
                yield Subscription(place, unknown, Value(written.value or "*"), Value("TAG", default=True))
            else:
                yield Subscription(place, unknown, unknown, unknown)
            return
        if run.ended is not None and replayed.started:
            yield _nobody_knows(at, Why.TOO_MANY, run.ended[0])
        elif beside.doubt:
            yield _nobody_knows(at, Why.DYNAMIC, phrase("subscribed-where-no-run-came-through"))
        elif client.escaped:
            yield _nobody_knows(at, Why.DYNAMIC, phrase("handed-to-code-nobody-sees"))

    def _registered(self, client: Client) -> Registered | None:
        """What Spring says of the methods that led to a consumer; None where it has no say."""
        if self.registrations is None:
            return self._required(client)
        found: Registered | None = None
        for frame in frames_of(client.frame):
            method = frame.method
            if method is None:
                continue
            at = method.owner.at(method.decl.name_at)
            this = frame.this.declared if isinstance(frame.this, Object) and frame.this.bean else None
            if frame.caller is not None and this is None and method.annotation("Bean") is None:
                continue  # code calls it itself, on what is not a bean
            said = self.registrations.entered(at.origin, method.owner.name, method.name, at.span, this)
            if said is not None and (said.refused is not None or found is None):
                found = said
        return found

    def _required(self, client: Client) -> Registered | None:
        """What Micronaut's `@Requires` at the classes and methods that led to a consumer comes to; None without any."""
        annotations = Annotations(self.world.definitions, self.deployable)
        written: list[Meant] = []
        for frame in frames_of(client.frame):
            method = frame.method
            owner = (
                self.world.definitions.own(method.owner.origin, method.owner.name)
                if method is not None
                else None
            )
            if method is None or owner is None:
                continue
            line = method.owner.at(method.decl.name_at).span.line
            uses = [
                use for one in owner.methods(method.name) if one.at.line == line for use in one.annotations
            ]
            written += annotations.of(owner.placed, (*owner.type.annotations, *uses))
        asked = [each for each in written if each.simple == "Requires"]
        if not asked:
            return None
        outcome = Conditions(self.world, self.deployable, self.environment).asked(asked)
        return Registered(0, outcome.open, outcome.failed)

    def _is_started_beside(self, run: Interpreter, client: Client) -> bool:
        """Whether a method of the class that makes the consumer starts something, and the run did not come through."""
        if not client.api.startswith("py") and self.programs.beside.of(client).starts:
            return True
        called = self.programs.program.slice.methods
        owners = {frame.method.owner for frame in frames_of(client.frame) if frame.method is not None}
        return any(
            method not in run.ran and method in called and "start" in called[method].called
            for owner in owners
            for methods in owner.methods.values()
            for method in methods
        )

    def _is_called_unseen(self, client: Client) -> bool:
        """Whether a method that led to a consumer, or to what was done with it, may be one that a run called on what nobody
        knows; a function that code hands on may be any."""
        frames = (client.frame, *(event.frame for event in client.events))
        every = [each for frame in frames for each in frames_of(frame)]
        names = {each.method.name for each in every if each.method is not None}
        if not names.isdisjoint(self._unfollowed_calls):
            return True
        runs = (run for _, run, _ in self.programs.executed.runs if not run.brief)
        held = any(each.function is not None for each in every) or ANY_FUNCTION in self._leads.callers_of(
            names
        )
        return held and any(run.missed for run in runs)

    def _is_made_by_nobody(self, entry: str, client: Client) -> bool:
        """Whether a consumer stands in a class that is no bean of the application and that nothing in sight calls."""
        if self.registrations is None or not is_root(entry):
            return False
        methods = [frame.method for frame in frames_of(client.frame) if frame.method is not None]
        if not methods or methods[-1].decl.static or methods[-1].name == "<init>":
            return False
        owner = methods[-1].owner
        if scope_of(owner.origin.path) == "test" or self.registrations.is_bean(owner.origin, owner.name):
            return False
        if owner.decl.annotations or owner.decl.supers:
            return False  # a container of another kind may make it, and call it as what stands above it
        return not is_mentioned(owner, dict.fromkeys(one.file for one in self.programs.program.slice.classes))

    def _is_called_by_nobody(self, entry: str, run: Interpreter, client: Client) -> bool:
        """Whether a consumer stands in a method of a bean of the application that no code in sight calls, no annotation
        names to a framework, and no type above declares; or in a job of an application that schedules none."""
        if self.registrations is None or entry != "container":
            return False
        methods = [frame.method for frame in frames_of(client.frame) if frame.method is not None]
        if not methods:
            return False
        outer = methods[-1]
        owner = outer.owner
        if (
            outer.decl.static
            or outer.name == "<init>"
            or outer.name in _STARTS
            or owner.file.unit.language != "java"
        ):
            return False
        if scope_of(owner.origin.path) == "test" or not self.registrations.is_bean(owner.origin, owner.name):
            return False
        if outer.decl.annotations:
            only = [each.name.rpartition(".")[2] for each in outer.decl.annotations]
            if only == ["EventListener"]:
                return self._hears_nothing(run, outer)
            return only == ["Scheduled"] and not self._is_named("EnableScheduling")
        if run.scope.library_supers(owner):
            return False  # a library may call what it declares
        above = [each for each in run.scope.supers(owner) if each is not owner and outer.name in each.methods]
        return not above and outer.name not in self._called_names()

    def _hears_nothing(self, run: Interpreter, method: Method) -> bool:
        """Whether a method listens to events of the program, or of Java's own types, and nothing publishes any."""
        params = method.decl.params
        ref = params[0].type if len(params) == 1 and not method.decl.annotations[0].args else None
        named = run.scope.named(ref.name, method.owner) if ref is not None else None
        own = isinstance(named, Class) or named in (
            "String",
            "Object",
            "java.lang.String",
            "java.lang.Object",
        )
        return own and "publishEvent" not in self._called_names()

    def _is_named(self, name: str) -> bool:
        return any(name in file.unit.names for file in self._files_of_slice())

    def _files_of_slice(self) -> Iterable[File]:
        return dict.fromkeys(one.file for one in self.programs.program.slice.classes)

    def _called_names(self) -> frozenset[str]:
        """The names of all methods that code of the program calls or refers to."""
        if self._called is None:
            self._called = frozenset(name for file in self._files_of_slice() for name, _ in file.unit.calls)
        return self._called

    def _broken(self, client: Client) -> bool:
        file = self.programs.program.file(client.at.origin)
        if file is None:
            return False
        span = client.at.span
        return any(abs(place[0] - span.line) <= 1 for place in file.unit.broken)

    def _subscription(
        self, client: Client, one: tuple[Any, Any, Any, Event], near: Origin, supplied: Location | None
    ) -> Subscription:
        topic, expression, kind, event = one
        if client.api == "grpc-lite":
            topic_value = named(self._value(topic, near))
            return Subscription(client.at, topic_value, NOT_APPLICABLE, NOT_APPLICABLE)
        line = self._line(event.frame, event.at, (topic, expression))
        if (
            supplied is not None
            and line != event.at
            and not _handed_over(event.frame, line, (topic, expression))
        ):
            line = supplied  # the values came in by the constructor, not by the call that subscribes
        if client.api == "http":
            line = client.at
        shown_topic = named(self._value(topic, near))
        shown: Value
        if expression is _ABSENT or expression is None:
            shown = Value("*", default=expression is _ABSENT)
        elif isinstance(expression, Object) and expression.items is not None:
            parts = [self._value(item, near) for _, item in expression.items]
            if all(part.text is not None for part in parts):
                shown = Value("||".join(part.text or "" for part in parts) or "*")
            else:
                shown = next(part for part in parts if part.text is None)
        else:
            shown = self._value(expression, near)
            if shown.text == "":
                shown = replace(shown, text="*")
        return Subscription(line, shown_topic, shown, self._filter_type(kind, near))

    @staticmethod
    def _told(replayed: _Replayed, one: tuple[Any, Any, Any, Event], made: Subscription) -> Subscription:
        """The subscription with what becomes of it while the consumer runs."""
        dropped = replayed.dropped.get(made.topic.text or "")
        late = any(event is one[3] for event in replayed.late)
        return replace(made, late=late, dropped=dropped.at if dropped is not None else None)

    def _filter_type(self, kind: Any, near: Origin) -> Value:
        if kind is _ABSENT or kind is None:
            return Value("TAG", default=True)
        if kind == "CLASS":
            return Value("CLASS")
        value = self._value(kind, near)
        if value.text is None:
            return value
        text = value.text.strip().upper()
        known = {"SQL": "SQL92", "SQL92": "SQL92", "CLASS": "CLASS"}
        return replace(value, text=known.get(text, "TAG" if text in ("TAG", "") else value.text))

    def _supplied_by_group(self, client: Client, replayed: _Replayed) -> Location | None:
        held = replayed.settings.get(Attribute.GROUP)
        if held is None:
            return None
        found = self._line(held[1].frame, held[1].at, (held[0],))
        return found if found != held[1].at else None

    def _line(self, frame: Frame, at: Location, values: Sequence[Any]) -> Location:
        """The outermost call whose arguments supply a value; else the place itself."""
        born = {value.frame for value in values if isinstance(value, Text) and value.frame}
        if born.isdisjoint(one.number for one in frames_of(frame)):  # unknown, or written beside a field
            return _made_known(frame, at, [one for one in values if _can_be_told(one)])
        found = at
        inner = at
        for one in frames_of(frame):
            if one.number in born:
                found = inner
            if one.called_at is not None and not one.inlined:
                inner = one.called_at
        return found

    def _crowd(self, client: Client, entry: str, why: str) -> Row:
        """One row for consumers beyond a bound: nothing of them is compared, but where one of few subscribes is known. What
        a test makes stands in the test."""
        made_at = client.stack[0] if _kind_of(client)[1] == "test" else client.at
        placed = self.world.files[made_at.origin]
        crowded = Value(None, Why.TOO_MANY, why)
        site = ConsumerSite(client.api, made_at.span, entry, "", (), ())
        builder = self.builder(placed, site, None)
        evaluator = Evaluator(self.world, self.deployable, self.environment)
        places = {
            self._line(event.frame, event.at, event.values[:2]): None
            for event in client.events
            if event.action is Action.SUBSCRIBE and event.guard is not False
        }
        shown = places if places and client.at not in self._crowded else (made_at,)
        subscriptions = [Subscription(at, crowded, crowded, crowded) for at in shown]
        row = builder.assemble(evaluator, _all_of(crowded), subscriptions)
        where = tuple((place.origin, place.span) for place in client.stack)
        made: Row = replace(row, member=(where, entry, client.object.number))
        return made


class _Made(Struct):
    """A row and what it is made under: `born` as far as nothing decides it, `whole` with what an environment decides."""

    row: Row
    born: Any
    whole: Any
    entry: str
    run: Interpreter
    client: Client

    def finished(self) -> Row:
        """The row with the conditions of the program that nothing in sight decides."""
        numbers = [one for one in guards.choices(self.born) if self.run.decisions[one].kind == "condition"]
        one = self.row.consumer
        ways = guards.forced(self.born) if numbers else {}
        at = {number: self.run.decisions[number].at for number in numbers}
        more = dict.fromkeys(_at_condition(self.client, at[number], ways.get(number)) for number in numbers)
        under = _spelled(self.entry, self.whole) if one.made_under else ""
        return replace(self.row, consumer=replace(one, conditions=(*one.conditions, *more), made_under=under))


class _Together:
    """Rows in their order; objects of one run of which at most one exists, and that are configured in the same way at
    the same places, are one consumer: `if (acl) c = new C(g, hook); else c = new C(g); c.subscribe(...)`."""

    def __init__(self) -> None:
        self.made: list[_Made] = []
        self.alike: dict[object, list[_Made]] = {}

    def add(self, made: _Made) -> None:
        if made.born is not True and made.row.consumer.subscriptions:
            decided = guards.forced(made.born)
            others = tuple(
                one for one in made.row.alternative if not (isinstance(one, tuple) and one[1] in decided)
            )
            shape = _identity(replace(made.row, alternative=others))[1:]
            alike = self.alike.setdefault((id(made.run), shape), [])
            for other in alike:
                if other.client is not made.client and guards.both(other.born, made.born) is False:
                    other.born = guards.either(other.born, made.born)
                    other.whole = guards.either(other.whole, made.whole)
                    return
            alike.append(made)
        self.made.append(made)

    def rows(self) -> Iterator[Row]:
        return (one.finished() for one in self.made)


def _open(client: Client, words: str) -> Condition:
    """A condition that nothing in sight decides."""
    return Condition("condition", words, client.at.span)


def _at_condition(client: Client, at: Location | None, way: int | None) -> Condition:
    """The condition of a program, by where it stands and the way it must take (None: any of several)."""
    if at is None:
        return _open(client, phrase("only-a-run-decides"))
    place = f"{at.origin.path.rpartition('/')[2]}:{at.span.line}"
    words = phrase("condition-at", place) if not way else phrase("condition-otherwise-at", place)
    return Condition("condition", words, at.span, at.origin)


def _carried_through(
    client: Client, replays: list[tuple[dict[int, int], _Replayed]]
) -> list[tuple[dict[int, int], _Replayed]]:
    """Without the ways in which an exception ends the code that makes a consumer before it is used, where there are
    others: nobody has that consumer."""
    used = [
        (assignment, one)
        for assignment, one in replays
        if one.started
        or one.subscriptions
        or one.reads_queues
        or guards.settle(client.lost, assignment) is not True
    ]
    return used or replays


def _less_sure(value: Value) -> Value:
    """A value that hangs on the class of an object that nobody has seen being made, or on a default."""
    return replace(value, confidence=min(value.confidence, Confidence.MEDIUM))


def _outermost(frame: Frame) -> Frame:
    """The activation that a call began in."""
    *_, first = frames_of(frame)
    return first


def _perhaps_another(one: tuple[Any, Any, Any, Event]) -> tuple[Any, Any, Any, Event]:
    """A subscription of a topic that nobody knows, once that of a topic was taken back: it may be the one that is gone."""
    topic, _, _, event = one
    return topic, Unknown(Why.DYNAMIC, "unsubscribe()"), Unknown(Why.DYNAMIC, "unsubscribe()"), event


def _can_be_told(value: Any) -> bool:
    """Whether a value can be told from others."""
    return isinstance(value, Text) or (isinstance(value, Unknown) and value.symbol is not None)


def _made_known(frame: Frame, at: Location, values: Sequence[Any]) -> Location:
    """The call in the code where values of no call come into sight: outward as long as they are arguments, or held by the
    object that the code runs on."""
    found = at
    for one in frames_of(frame):
        if one.inlined:
            continue
        given = [one.variables.get(param.name) for param in one.method.decl.params] if one.method else []
        if _is_held(values, given):
            if one.called_at is None:
                return at
            found = one.called_at
        elif not (isinstance(one.this, Object) and _is_held(values, one.this.fields.values())):
            return found
    return found


def _is_held(values: Sequence[Any], held: Iterable[Any]) -> bool:
    """Whether one of some values is held, be it under a choice."""
    return any(value == leaf for each in held for _, leaf in guards.leaves(each) for value in values)


def _handed_over(frame: Frame, call: Location, values: Sequence[Any]) -> bool:
    """Whether one of some values is among the variables of the code that a call entered."""
    told = [value for value in values if _can_be_told(value) and (type(value) is Unknown or value.frame)]
    for one in frames_of(frame):
        if one.called_at == call and not one.inlined:
            held = [leaf for variable in one.variables.values() for _, leaf in guards.leaves(variable)]
            items = [
                leaf
                for each in held
                if isinstance(each, Object) and each is not one.this
                for item in (
                    *(item for _, item in each.items or ()),
                    *(entry.value for entry in each.entries or ()),
                    *each.fields.values(),
                )
                for _, leaf in guards.leaves(item)
            ]
            flat = [
                part for leaf in (*held, *items) for part in (leaf if isinstance(leaf, tuple) else (leaf,))
            ]
            return any(_is_same(leaf, each) for leaf in flat for each in told)
    return True


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values are one, whatever it is."""
    if type(one) is not type(other):
        return False
    return bool(one.parts == other.parts if type(one) is Text else one.symbol == other.symbol)


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


def _kind_of(client: Client) -> tuple[Location, str]:
    """Where a consumer is made, and in what kind of code the calls begin that lead there."""
    return client.at, scope_of(client.stack[0].origin.path)


def _queues(at: Location) -> Subscription:
    """What stands for the topics of a consumer that asks for its queues."""
    nothing = Value(None, Why.NOT_APPLICABLE, phrase("reads-its-queues-directly"))
    return Subscription(at, nothing, nothing, nothing)


def _all_of(unknown: Value) -> dict[Attribute, Value]:
    """The settings of a consumer of which nothing is known, for one reason: without them a row would say the defaults."""
    return dict.fromkeys((Attribute.GROUP, Attribute.MESSAGE_MODEL, Attribute.CONSUME_FROM), unknown)


def _nobody_knows(at: Location, why: Why, detail: str) -> Subscription:
    """A subscription of which nothing is known."""
    unknown = Value(None, why, detail)
    return Subscription(at, unknown, unknown, unknown)


class _Absent:
    """An argument that was not written: the API's default holds."""

    def __repr__(self) -> str:
        return "ABSENT"


_ABSENT = _Absent()

_NOT_GIVEN = Unknown(Why.UNSUPPORTED, phrase("argument-that-is-not-there"))


def named(value: Value) -> Value:
    """An empty group or topic stands for what is set where the code runs."""
    if value.text is None or value.text.strip():
        return value
    return Value(None, Why.SET_AT_DEPLOY, "", value.trail)


def _trail(steps: Sequence[Step]) -> tuple[TrailStep, ...]:
    return tuple(TrailStep(step.at, step.what) for step in steps)


def _expr(value: Text, span: Span) -> Expr:
    """A text with keys as the evaluator of configuration reads it."""
    parts: list[Expr] = []
    for part in value.parts:
        if isinstance(part, str):
            parts.append(Literal(part, span))
        elif isinstance(part, Gap):
            parts.append(UnknownExpr(part.why, part.detail, span))
        else:
            parts.append(_key_expr(part, span))
    return parts[0] if len(parts) == 1 else Concat(tuple(parts), span)


def _key_expr(part: Key, span: Span) -> Expr:
    if operation_of(part) is not None:
        return UnknownExpr(Why.DYNAMIC, phrase("computed-text"), span)
    key = _expr(part.key, span)
    default = _expr(part.default, span) if part.default is not None else None
    if part.variable in ("env", "system"):
        return EnvVar(key, default, span)
    if part.variable in ("value", "placeholders"):
        return Interpolate(key, span)
    if part.variable.startswith("file:"):
        loaded = Call("load_file", (Literal(part.variable[5:], span),), span)
        return Call("item", (loaded, key) if default is None else (loaded, key, default), span)
    return Config(key, default, span)


_PARTS_MAX = 64
"""Values inside the arguments of one event that are asked what they hang on."""


def _inner(event: Event) -> Iterator[Any]:
    """The values of an event, and what the tables, lists and filters among them hold."""
    yield from event.values
    stack = [leaf for value in event.values for leaf in guards.some(value, 8) if isinstance(leaf, Object)]
    seen: set[int] = set()
    while stack and len(seen) < _PARTS_MAX:
        leaf = stack.pop()
        if id(leaf) in seen or leaf.client is not None:
            continue
        seen.add(id(leaf))
        parts = [part for pair in leaf.items or () for part in pair]
        parts += [part for entry in leaf.entries or () for part in (entry.guard, entry.key, entry.value)]
        parts += [leaf.fields[name] for name in ("topic", "expression", "type") if name in leaf.fields]
        yield from parts
        stack += [one for part in parts for one in guards.some(part, 8) if isinstance(one, Object)]


def _narrowed(event: Event, fixed: Mapping[int, int]) -> Event:
    """The event where an environment has decided some choices."""
    if not fixed:
        return event
    return replace(
        event,
        guard=guards.narrow(event.guard, fixed),
        values=tuple(guards.narrow(value, fixed) for value in event.values),
    )


def _can_start(client: Client, events: Sequence[Event], fixed: Mapping[int, int]) -> bool:
    """Whether a consumer exists, and is started if anything starts it, once an environment has decided some choices."""
    if guards.narrow(client.born, fixed) is False:
        return False
    starts = [event.guard for event in events if event.action is Action.START]
    return not starts or any(guards.narrow(guard, fixed) is not False for guard in starts)


def _once(event: Event, born: Any) -> Event:
    """The event as far as it is open once its consumer exists."""
    return replace(
        event,
        guard=guards.under(event.guard, born),
        values=tuple(guards.under(value, born) for value in event.values),
    )


def _combinations(run: Interpreter, free: Iterable[int]) -> int:
    """How many ways there are to make some choices."""
    return math.prod(run.decisions[number].ways for number in free)


def _unknown_shape(row: Row) -> object:
    """Equal for alternatives of which nothing that is compared is known: one says as much as all; None for others."""
    one = row.consumer
    compared = (one.group, *(value for each in one.subscriptions for value in (each.topic, each.expression)))
    if any(value.text is not None or value.symbol for value in compared):
        return None
    return (
        one.at,
        one.disabled,
        one.message_model.text,
        tuple((each.at, each.topic.why) for each in one.subscriptions),
    )


def _says_nothing(row: Row, run: Interpreter) -> bool:
    """Whether a row may stand for any consumer of its place; what comes behind the end of a run that was given up may differ
    in its tags, too."""
    one = row.consumer
    return (
        one.takes_part
        and one.group.text is None
        and all(each.topic.text is None for each in one.subscriptions)
        and not (
            (run.is_given_up or (run.unread and one.api.startswith("py")))
            and any(each.expression.text for each in one.subscriptions)
        )
    )


def _identity(row: Row) -> tuple[object, ...]:
    """Equal for consumers of equal values at equal places, whatever entry reached them; first what made it."""
    one = row.consumer
    return (
        one.at,
        one.api,
        one.symbol,
        tuple((name, value.text, value.why, value.detail) for name, value in one.values),
        tuple(each.at for each in one.subscriptions),
        one.disabled,
        tuple(condition.kind for condition in one.conditions),
        row.alternative,
        one.scope,
    )


def _spelled(entry: str, born: Any) -> str:
    """The guard of a run's entry as a short text, "" for one that always holds: equal for equal guards."""
    if born is True:
        return ""
    done: dict[int, str] = {}

    def text(part: Any) -> str:
        if type(part) is not guards.Diagram:
            return str(part)
        if id(part) not in done:
            inner = f"{entry}:{part.choice}({','.join(map(text, part.branches))})"
            done[id(part)] = hashlib.sha256(inner.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return done[id(part)]

    return text(born)

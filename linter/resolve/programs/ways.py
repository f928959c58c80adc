"""The ways in which a consumer may have been configured: the choices that its log hangs on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice, product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.clients.apis import Action
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.execute import guards
from subdrift.linter.resolve.execute.clients import Client, Event
from subdrift.linter.resolve.execute.deferred import lenient, parts_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.needs import is_compared
from subdrift.linter.resolve.execute.protocol import Decision, Test
from subdrift.linter.resolve.execute.state import CHOICES_MAX
from subdrift.linter.resolve.execute.values import Key, LibraryConstant, Object, Text, Unknown
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.profiles import profile_holds
from subdrift.linter.resolve.programs.values import Values
from subdrift.linter.resolve.spring.registration import Registrations
from subdrift.linter.resolve.world import World

ROWS_MAX = 256
"""Consumers made at one place that are told apart; of more nothing is compared."""

COMBINATIONS_MAX = 64
"""Alternatives of one consumer that are written out; beyond that its values are `too-many`."""

_PARTS_MAX = 64
"""Values inside the arguments of one event that are asked what they hang on."""


class Ways(Struct, frozen=True):
    """The ways in which a consumer may have been configured: the choices nobody decides (`free`), what may happen once the
    others are made, and every way to make them all under which the consumer exists. `born` is what is left open of the
    conditions under which it does; `unsure`: a value hangs on a choice that a default has made."""

    free: list[int]
    events: list[Event]
    assignments: list[dict[int, int]]
    born: Any
    unsure: bool


class Choosing(Values):
    """Decides the choices that a log hangs on, as far as one environment does."""

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        registrations: Registrations | None,
    ) -> None:
        super().__init__(world, deployable, environment)
        self.registrations = registrations
        self._crowded: frozenset[Location] = frozenset()
        self._tests = False  # the consumer at hand is one of a test
        self._assumed = False  # the last choice was decided by a variable or key that nothing in sight sets
        self._by_default = False  # the last choice was decided by a default

    def ways(self, run: Interpreter, client: Client) -> Ways | str:
        """Every way in which a consumer may have been configured; in words, why they are too many to be told apart."""
        try:
            return self._ways(run, client)
        except guards.Overgrown:
            return phrase("more-alternatives-than-can-be-told-apart")

    def _ways(self, run: Interpreter, client: Client) -> Ways | str:
        events = [event for event in client.events if event.guard is not False]
        fixed, free, unsure = self._choices(run, client, events)
        events = [_narrowed(event, fixed) for event in events]
        events = [event for event in events if event.guard is not False]
        free = self._relevant(guards.narrow(client.born, fixed), events, free)
        if client.crowded:
            return client.crowded
        if client.at in self._crowded:
            return phrase("more-than-consumers", ROWS_MAX)
        born, forced = guards.narrow(client.born, fixed), dict[int, int]()
        if not run.shared.isdisjoint(guards.choices(born)):  # it may exist where no path leads to it
            return phrase("more-than-choices", CHOICES_MAX)
        if combinations(run, free) > COMBINATIONS_MAX or not run.shared.isdisjoint(free):
            # once it exists, what it took to come to exist makes no difference to it
            events = [_once(event, born) for event in events]
            free = self._relevant(True, events, free)
            forced = {number: way for number, way in guards.forced(born).items() if number not in free}
            fixed |= forced
        if not run.shared.isdisjoint(free):
            events = [_apart_from(event, run.shared) for event in events]
            free = self._relevant(True, events, free)
            if not run.shared.isdisjoint(free):  # what happens at all
                return phrase("more-than-choices", CHOICES_MAX)
        told = [*forced, *free]
        if combinations(run, free) <= COMBINATIONS_MAX:
            return Ways(told, events, self.possible(run, client, fixed, free), born, unsure)
        outcomes = self._outcomes(run, born, events, fixed, free)
        if outcomes is None:
            return phrase("more-than-alternatives", COMBINATIONS_MAX)
        return Ways(told, events, outcomes, born, unsure)

    def possible(
        self, run: Interpreter, client: Client, fixed: Mapping[int, int], free: Sequence[int]
    ) -> list[dict[int, int]]:
        """Every way to make the choices that are left, under which a consumer exists."""
        every = (
            {**fixed, **dict(zip(free, ways, strict=True))}
            for ways in product(*(range(run.decisions[number].ways) for number in free))
        )
        return [
            one
            for one in every
            if self._consistent(run, one) and guards.narrow(client.born, one) is not False
        ]

    def _outcomes(
        self,
        run: Interpreter,
        born: Any,
        events: Sequence[Event],
        fixed: Mapping[int, int],
        free: Sequence[int],
    ) -> list[dict[int, int]] | None:
        """Of choices that are too many to make each of them, one way to make them for each thing that may come of it; None
        where more than `COMBINATIONS_MAX` may. Many a choice is but one more place where what comes before may throw."""
        compared = [event for event in events if is_compared(event)]
        worlds = [born]
        for value in (value for event in compared for value in (event.guard, *_inside(event.values))):
            worlds = [world for one in worlds for world, _ in guards.leaves(value, one)]
            if len(worlds) > COMBINATIONS_MAX:
                return None
        found: list[dict[int, int]] = []
        for world in worlds:
            ways = list(islice(_ways_to(world), COMBINATIONS_MAX + 1))
            every = ({**fixed, **{one: run.decisions[one].ways - 1 for one in free}, **way} for way in ways)
            first = next((one for one in every if self._consistent(run, one)), None)
            if first is not None:
                found.append(first)
            elif len(ways) > COMBINATIONS_MAX:
                return None
        return found

    def _choices(
        self, run: Interpreter, client: Client, events: Sequence[Event]
    ) -> tuple[dict[int, int], list[int], bool]:
        """Of the choices that a log hangs on those that this environment decides, with their ways, and the others; and
        whether what is compared hangs on one that a default decides."""
        values = [client.born, *(e.guard for e in events), *(v for e in events for v in _inside(e.values))]
        fixed: dict[int, int] = {}
        free: list[int] = []
        assumed: list[int] = []
        by_default: list[int] = []
        self._differs = False
        self._tests = kind_of(client)[1] == "test"
        for number in sorted({number for value in values for number in guards.choices(value)}):
            self._assumed = self._by_default = self._asked = False
            way = self._decided(run.decisions[number])
            self._differs = self._differs or self._asked
            if way is None:
                free.append(number)
                continue
            fixed[number] = way
            if self._assumed:
                assumed.append(number)
            if self._assumed or self._by_default:
                by_default.append(number)
        if assumed and not _can_start(client, events, fixed):
            free = sorted([*free, *assumed])  # it runs only where somebody sets what nothing in sight does
            fixed = {number: way for number, way in fixed.items() if number not in assumed}
        unsure = self._relevant(True, events, [number for number in by_default if number in fixed])
        return fixed, free, bool(unsure)

    def _relevant(self, born: Any, events: Sequence[Event], free: list[int]) -> list[int]:
        """The choices that change what is compared: not those of attributes nobody reads."""
        compared = [event for event in events if is_compared(event)]
        used = {
            number
            for value in (
                born,
                *(event.guard for event in compared if event.action not in (Action.START, Action.STOP)),
                *(value for event in compared for value in _inside(event.values)),
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
        match test.kind:
            case "part" | "element" | "entry":
                return _way(self._is_there(test))
            case "bean":
                self._differs = True
                if self._tests:
                    return None  # a test may say what its application is configured by
                return _way(self.registrations is None or self.registrations.makes(test.operands[0]))
            case "profiles":
                self._differs = True
                active = self.environment.active or self.environment.default_profiles
                holds = any(profile_holds(one.known or "", active) for one in test.operands)
                return None if self.environment.is_open else _way(holds)
            case "equal":
                return self._equal(test)
            case "true" | "filled" | "written" | "present" if isinstance(test.operands[0], Text):
                return self._of_text(test.kind, test.operands[0])
            case _:
                return None

    def _equal(self, test: Test) -> int | None:
        left, right = (self.plain(each) for each in test.operands)
        if left is None or right is None:
            return 1 if any(map(self._is_null, test.operands)) else None
        if any(isinstance(each, Object) for each in test.operands):
            left, right = lenient(left), lenient(right)
        return _way(left == right)

    def _of_text(self, kind: str, operand: Text) -> int | None:
        """The way of a test that looks at one text: whether it says true, is not empty, or is there at all."""
        value = self.text(operand)
        if value.text is None:
            if kind == "true":
                return 1 if self._is_null(operand) else None
            self._assumed = self._is_unset(operand)
            return 1 if self._assumed else None
        if kind == "true":
            return _way(value.text.strip().lower() == "true")
        if kind == "present":
            return 0
        shown = value.text.strip() if kind == "written" else value.text
        self._assumed = value.default and not shown
        return _way(bool(shown))

    def _is_there(self, test: Test) -> bool:
        """Whether a list or map of configuration has an element in this environment; an unknown list has one."""
        self._differs = True
        if test.kind == "part":
            whole, separator, index = test.operands
            value = self.text(whole)
            return bool(index < (len(parts_of(value.text, separator)) if value.text is not None else 1))
        prefix, item = test.operands
        if test.kind == "element":
            return bool(item < self.count(prefix))
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
        if part.variable == "property" and "[" in part.key.known:  # of a list that another source may replace
            return self.text(operand).why is Why.UNDEFINED
        return self.environment.lookup(part.key.known) is None

    def _is_null(self, operand: Any) -> bool:
        """Whether code gets null for a key of configuration, for nothing in sight sets it."""
        if not isinstance(operand, Text) or not self._is_unset(operand):
            return False
        part = operand.parts[0]
        self._assumed = isinstance(part, Key) and part.default is None and part.variable in ("", "property")
        return self._assumed

    def plain(self, operand: Any) -> str | None:
        if isinstance(operand, Text):
            value = self.text(operand)
            self._by_default = self._by_default or value.default
            return value.text
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
            constant = self.plain(right)
            if constant is None:
                continue
            from subdrift.linter.resolve.execute.identity import symbol_of

            symbol = symbol_of(left)
            if symbol is not None and held.setdefault(symbol, constant) != constant:
                return False
        return True


def _way(holds: bool | None) -> int | None:
    """The way of a test that holds (the first), does not, or may do either."""
    return None if holds is None else 0 if holds else 1


def kind_of(client: Client) -> tuple[Location, str]:
    """Where a consumer is made, and in what kind of code the calls begin that lead there."""
    return client.at, scope_of(client.stack[0].origin.path)


def _inside(values: Sequence[Any]) -> Iterator[Any]:
    """The values of an event, and what the tables, lists and filters among them hold."""
    yield from values
    stack = [leaf for value in values for leaf in guards.some(value, 8) if isinstance(leaf, Object)]
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


_PERHAPS = frozenset({Action.SET, Action.SUBSCRIBE, Action.TOPIC, Action.START})
"""What may be told of a consumer as something that nobody knows where nobody knows whether it happens."""


def _apart_from(event: Event, shared: Set[int]) -> Event:
    """The event, of which nobody knows what hangs on choices that stand for several."""
    lost = Unknown(Why.TOO_MANY, phrase("more-than-choices", CHOICES_MAX))

    def hangs(*values: Any) -> bool:
        return any(not shared.isdisjoint(guards.choices(part)) for part in _inside(values))

    perhaps = event.action in _PERHAPS and hangs(event.guard)
    values = tuple(lost if perhaps or hangs(value) else value for value in event.values)
    return replace(
        event, guard=guards.somehow(event.guard, shared) if perhaps else event.guard, values=values
    )


def _ways_to(guard: Any) -> Iterator[dict[int, int]]:
    """The ways to make some choices under which a guard holds, each with those that it asks for."""
    stack: list[tuple[Any, dict[int, int]]] = [(guard, {})]
    while stack:
        part, made = stack.pop()
        if part is True:
            yield made
        elif part is not False:
            stack += [(each, {**made, part.choice: way}) for way, each in enumerate(part.branches)]


def _once(event: Event, born: Any) -> Event:
    """The event as far as it is open once its consumer exists."""
    return replace(
        event,
        guard=guards.under(event.guard, born),
        values=tuple(guards.under(value, born) for value in event.values),
    )


def combinations(run: Interpreter, free: Iterable[int]) -> int:
    """How many ways there are to make some choices."""
    return math.prod(run.decisions[number].ways for number in free)

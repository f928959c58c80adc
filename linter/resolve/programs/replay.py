"""A log is replayed under one assignment of its choices: what the consumer is when its start is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.clients.apis import Action
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Attribute
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute import guards
from subdrift.linter.resolve.execute.clients import Client, Event, frames_of
from subdrift.linter.resolve.execute.needs import subscribes
from subdrift.linter.resolve.execute.values import Entry, Frame, LibraryConstant, Object, Text, Unknown
from subdrift.linter.resolve.programs.ways import Choosing


class _Absent:
    """An argument that was not written: the API's default holds."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()

_NOT_GIVEN = Unknown(Why.UNSUPPORTED, phrase("argument-that-is-not-there"))


class Replayed(Struct):
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

    @property
    def is_idle(self) -> bool:
        """Whether nothing subscribes it, and nothing makes it ask for its queues."""
        return not self.subscriptions and not self.reads_queues

    def clear(self) -> None:
        """All that it subscribed to is gone."""
        self.subscriptions = []
        self.removed = None

    def runs_in(self, event: Event) -> bool:
        """Whether something happens after the start in one order that is known: both stand under one activation."""
        return self.running_in is not None and self.running_in is outermost(event.frame)


class Replaying(Choosing):
    """Replays logs in one environment."""

    def replay(self, client: Client, events: Sequence[Event], assignment: Mapping[int, int]) -> Replayed:
        found = Replayed()
        for event in events:
            if guards.settle(event.guard, assignment) is not True:
                continue
            values = tuple(guards.settle(value, assignment) for value in event.values)
            self._apply(client, found, event, values, assignment)
        return found

    def _apply(
        self,
        client: Client,
        found: Replayed,
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
                found.running_in = outermost(event.frame)
            case Action.STOP:
                if found.runs_in(event):  # what it is told on the way out concerns nobody
                    found.running_in = None
                    found.dropped = {}
            case Action.PROPERTIES:
                self._properties(found, event, first, assignment)
            case Action.SUBSCRIBE:
                plain = self.plain(first)
                if found.runs_in(event) and all(self.plain(one[0]) != plain for one in found.subscriptions):
                    found.late.append(event)
                found.dropped.pop(plain or "", None)
                _, expression, kind = (*(values or (first,)), ABSENT, ABSENT)[:3]
                found.subscriptions += self._subscribed(client, event, first, expression, kind, assignment)
            case Action.UNSUBSCRIBE:
                self._unsubscribe(found, event, values)
            case Action.CLEAR:
                found.clear()
            case Action.TABLE | Action.TABLE_ALL:
                if event.action is Action.TABLE_ALL:
                    found.clear()
                found.subscriptions += self._table(client, event, first, assignment)
            case Action.TOPICS:
                found.subscriptions = [(topic, ABSENT, ABSENT, event) for topic in _topics(first, assignment)]
            case Action.TOPIC:
                self._topic(found, event, values)
            case Action.PART_TOPIC | Action.PART_EXPRESSION | Action.PART_TYPE:
                self._part(client, found, event, first)

    @staticmethod
    def _properties(found: Replayed, event: Event, given: Any, assignment: Mapping[int, int]) -> None:
        from subdrift.linter.resolve.semantics.jvm.consumers import properties

        for attribute, value in properties(given, assignment).items():
            found.settings[attribute] = (value, event)
        if isinstance(given, Unknown | Text) or getattr(given, "open", None) is not None:
            for attribute in (Attribute.GROUP, Attribute.MESSAGE_MODEL):
                found.settings.setdefault(attribute, (Unknown(Why.DYNAMIC, "properties"), event))

    def _unsubscribe(self, found: Replayed, event: Event, values: tuple[Any, ...]) -> None:
        gone = self.plain(values[0]) if values else None
        if gone is not None and found.runs_in(event):
            found.dropped[gone] = event
        if not values or (found.started and event.frame is not found.started_in):
            return
        if gone is not None and found.removed is not None:
            found.removed |= {gone}
        found.subscriptions = [
            one if gone is None or self.plain(one[0]) is not None else _perhaps_another(one)
            for one in found.subscriptions
            if (one[0] is not values[0] if gone is None else self.plain(one[0]) != gone)
        ]

    def _topic(self, found: Replayed, event: Event, values: tuple[Any, ...]) -> None:
        if event.type:
            found.reads_queues = True  # the group's heartbeats say nothing of what it takes itself
        elif values:
            plain = self.plain(values[0])
            if plain is None or all(self.plain(one[0]) != plain for one in found.subscriptions):
                found.subscriptions.append((values[0], ABSENT, ABSENT, event))

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
                yield topic, inner, guards.settle(held.get("type", ABSENT), assignment), event
                return
        if client.api.startswith("ons") or client.api == "http" or not isinstance(kind, Text | Unknown):
            kind = ABSENT
        if (
            not isinstance(expression, Text | Unknown | LibraryConstant | type(None))
            and expression is not ABSENT
        ):
            if isinstance(expression, Object) and expression.items is not None:
                tags = Object(expression.declared, expression.type, expression.number, expression.at)
                tags.items = [(True, item) for item in _present(expression, assignment)]
                tags.open = expression.open
                yield topic, tags, ABSENT, event
                return
            expression = (
                ABSENT if not isinstance(expression, Object) else Unknown(Why.DYNAMIC, phrase("selector"))
            )
        if isinstance(expression, Unknown) and (
            client.api.startswith("py-grpc") or not client.api.startswith("py")
        ):
            written = expression.type is not None and expression.type.simple in ("String", "CharSequence")
            kind = kind if written or kind is not ABSENT else expression  # it may be a selector
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
                expression = guards.settle(key.fields.get("expression", ABSENT), assignment)
                kind = (
                    ABSENT
                    if client.ignores_type
                    else guards.settle(key.fields.get("type", ABSENT), assignment)
                )
                yield topic, expression, kind, event_here
            else:
                yield from self._subscribed(client, event_here, topic, item, ABSENT, assignment)
        if open_ is not None:  # gRPC's tables hold filters of either type
            yield open_, open_, open_ if "grpc" in client.api else ABSENT, event

    @staticmethod
    def _entry_event(event: Event, entry: Entry) -> Event:
        """A table's subscription stands where its entry is written, where that is the code at hand."""
        at = entry.at
        if at is None or at.origin != event.at.origin:
            return event
        return Event(event.guard, event.action, event.values, at, event.frame, event.attribute, event.type)

    def _part(self, client: Client, found: Replayed, event: Event, value: Any) -> None:
        """An object with one subscription, set part by part: it stands where the object is made."""
        topic, expression, kind, at = (
            found.subscriptions[0] if found.subscriptions else (None, ABSENT, ABSENT, event)
        )
        match event.action:
            case Action.PART_TOPIC:
                topic, at = value, replace(event, at=client.at, frame=client.frame)
            case Action.PART_EXPRESSION:
                expression = value
            case Action.PART_TYPE:
                kind = value
        found.subscriptions = [(topic, expression, kind, at)]


def in_use(
    client: Client, replays: list[tuple[dict[int, int], Replayed]]
) -> list[tuple[dict[int, int], Replayed]]:
    """Without the ways in which a consumer comes to nothing, where there are others: an exception ends the code that makes it
    before it is used, so that nobody has it; of one that subscribes those in which it is started with nothing to consume, for
    what only an unknown condition takes away is there; and where code in sight starts it and nobody else has it, those in
    which it is left behind before it is subscribed or started."""
    used = [
        (assignment, one)
        for assignment, one in replays
        if one.started or not one.is_idle or guards.settle(client.lost, assignment) is not True
    ]
    found = used or replays
    if subscribes(client):
        own = not client.escaped and any(one.started for _, one in found)
        found = [pair for pair in found if not pair[1].is_idle or not (own or pair[1].started)] or found
    return found


def outermost(frame: Frame) -> Frame:
    """The activation that a call began in."""
    *_, first = frames_of(frame)
    return first


def _perhaps_another(one: tuple[Any, Any, Any, Event]) -> tuple[Any, Any, Any, Event]:
    """A subscription of a topic that nobody knows, once that of a topic was taken back: it may be the one that is gone."""
    topic, _, _, event = one
    return topic, Unknown(Why.DYNAMIC, "unsubscribe()"), Unknown(Why.DYNAMIC, "unsubscribe()"), event


def _topics(given: Any, assignment: Mapping[int, int]) -> Iterator[Any]:
    """The topics of a collection of them; what is not a collection in sight stands for itself."""
    if isinstance(given, Object) and given.items is not None:
        yield from _present(given, assignment)
    else:
        yield given


def _present(given: Object, assignment: Mapping[int, int]) -> Iterator[Any]:
    """The elements that a collection has under some choices."""
    for guard, item in given.items or ():
        if guards.settle(guard, assignment) is True:
            yield guards.settle(item, assignment)

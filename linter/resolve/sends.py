"""Messages that programs send: execution's guarded sends -> rows, in every environment.

A row is carried as that of a consumer with one subscription, the topic with the tag that is sent ("" for none), so that
environments, alternatives and places mean the same for both. Its consume mode is the order it is sent in, where that is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from subdrift.linter.clients.sends import ADDS_PROPERTIES, NOT_SENT
from subdrift.linter.model.api import SENDERS
from subdrift.linter.model.consumer import NOT_APPLICABLE, Carried, Consumer, Property, Subscription, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.facts import Attribute, Condition, ConsumerSite
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve.assemble import Row
from subdrift.linter.resolve.configured import Resolver
from subdrift.linter.resolve.declared import Builder
from subdrift.linter.resolve.execute import guards
from subdrift.linter.resolve.execute.clients import Client, Event, frames_of
from subdrift.linter.resolve.execute.declarations import Method
from subdrift.linter.resolve.execute.entries import is_root
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.sending import (
    BINDING,
    DESTINATION,
    STREAMING,
    Place,
    Written,
    written_in_python,
)
from subdrift.linter.resolve.execute.state import CHOICES_MAX
from subdrift.linter.resolve.execute.values import Frame, Gap, Text, Unknown
from subdrift.linter.resolve.programs import COMBINATIONS_MAX, Rows
from subdrift.linter.resolve.programs.places import line_of
from subdrift.linter.resolve.programs.ways import combinations
from subdrift.linter.resolve.semantics.jvm.managed import is_found
from subdrift.linter.resolve.spring.registration import Registered
from subdrift.linter.resolve.stream.outputs import Outputs
from subdrift.linter.resolve.values import less_sure, named

_SPRING = "spring-send"
_OF_SPRING = ("spring-", "stream-")
_NAMESPACE = "rocketmq.producer.namespace"
_GROUP = "rocketmq.producer.group"
_NO_TAG = Value("", default=True)


class SendRows(Rows):
    """Builds the rows of what executed programs send, in one environment. `sources` are the files of the deployable."""

    sources: Sequence[Placed] = ()

    @cached_property
    def _outputs(self) -> Outputs:
        return Outputs(self.world, self.deployable, self.environment, self.sources, self.registrations)

    def rows(self) -> Iterator[Row]:
        seen: set[object] = set()
        reached: set[Location] = set()
        self._wrappers: dict[str, dict[Method, str]] = {}
        for entry, run, client, unreached in self.programs.executed.clients():
            if client.api not in SENDERS:
                continue
            reached.add(client.at)
            reached.update(one.called_at for one in frames_of(client.events[-1].frame) if one.called_at)
            for row, _ in self._rows_or_none(entry, run, client, unreached):
                if row.member not in seen:
                    seen.add(row.member)
                    yield row
        yield from self._sends_not_reached(reached)
        yield from self._declared()
        self.tell_of_runs()

    def _declared(self) -> Iterator[Row]:
        """What is sent by declarations, of which no code calls anything."""
        for placed, site in self._outputs.sites():
            for row in Builder(self.world, self.deployable, self.environment, placed, site, None).rows(()):
                (sent,) = row.consumer.subscriptions
                sent = replace(sent, filter_type=NOT_APPLICABLE)
                yield replace(row, asked=True, consumer=replace(row.consumer, subscriptions=(sent,)))

    # -- one send -------------------------------------------------------------------------------------------

    def _client_rows(
        self, entry: str, run: Interpreter, client: Client, unreached: bool
    ) -> Iterator[tuple[Row, Any]]:
        *made, sent = client.events
        settings: dict[Attribute, Any] = {}
        for event in made:
            assert event.attribute is not None
            before = settings.get(event.attribute, guards.UNSET)
            settings[event.attribute] = guards.pick(event.guard, event.values[0], before)
        values = [guards.under(each, client.born) for each in (*sent.values, *settings.values())]
        ways = self._ways_of(run, client, values)
        near = client.at.origin
        if isinstance(ways, str):  # what is the same in all of them is known
            lost = Unknown(Why.TOO_MANY, ways)
            values = [lost if isinstance(each, guards.Diagram) else each for each in values]
            ways = [{}]
        seen: set[object] = set()
        for assignment in ways:
            self._asked, self._undefined = False, set()
            plain = [guards.settle(each, assignment) for each in values]
            count = len(sent.values)
            where = self._where(sent, plain[:count], near)
            if where is None or where in seen:
                continue
            seen.add(where)
            topic, tag = where
            given = {
                attribute: self.value(value, near)
                for attribute, value in zip(settings, plain[count:], strict=True)
            }
            if sent.type == BINDING:
                given |= self._outputs.settings(self.value(plain[0], near).text or "")
            line = line_of(sent.frame, sent.at, [each for each in plain[:count] if each is not None])
            if line == sent.at and sent.type == DESTINATION:  # put together here, of what a call brought in
                line = line_of(sent.frame, sent.at, [Text((one.text,)) for one in (topic, tag) if one.text])
            way = tuple(sorted(assignment.items()))
            row = self._sent(entry, run, client, line, sent.frame, topic, tag, given, unreached, way)
            yield row, client.born

    def _ways_of(self, run: Interpreter, client: Client, values: Sequence[Any]) -> list[dict[int, int]] | str:
        """Every assignment of the choices that the values hang on, as far as this environment leaves them open, under which
        the call is come to; in words, why they are too many to be told apart."""
        fixed: dict[int, int] = {}
        self._tests = scope_of(client.stack[0].origin.path) == "test"
        self._differs = False
        for number in sorted({n for value in (client.born, *values) for n in guards.choices(value)}):
            self._assumed = self._asked = False
            way = self._decided(run.decisions[number])
            self._differs = self._differs or self._asked
            if way is not None and not self._assumed:
                fixed[number] = way
        born = guards.narrow(client.born, fixed)
        if born is False:
            return []
        open_ = [guards.under(guards.narrow(each, fixed), born) for each in values]
        free = sorted({number for value in open_ for number in guards.choices(value)})
        if any(run.decisions[number].kind == "overflow" for number in free):
            return phrase("more-than-choices", CHOICES_MAX)
        if combinations(run, free) > COMBINATIONS_MAX:
            return phrase("more-than-alternatives", COMBINATIONS_MAX)
        return self.possible(run, client, fixed, free)

    def _where(self, event: Event, values: Sequence[Any], near: Origin) -> tuple[Value, Value] | None:
        """Topic and tag of a send; None where it goes to another broker."""
        if event.type == DESTINATION:
            return self._parted(values[0], near)
        topic, tag = (*values, None)[:2]
        if event.type == BINDING:
            found = self._of_binding(self.value(topic, near))
            return None if found is None else (named(found), self._tag(tag, near))
        return named(self.value(topic, near)), self._tag(tag, near)

    def _of_binding(self, binding: Value) -> Value | None:
        """The topic of a binding of Spring Cloud Stream; None where it is none of RocketMQ's."""
        if not self._outputs.concerned:
            return None
        if binding.text is None:
            return binding
        found = self._outputs.topic(binding.text)
        if found is None:
            return None
        confidence = min(found.confidence, binding.confidence)
        return replace(found, trail=(*binding.trail, *found.trail), confidence=confidence)

    def _tag(self, value: Any, near: Origin) -> Value:
        if value is None or value is guards.UNSET:
            return _NO_TAG
        return self.value(value, near)

    def _parted(self, destination: Any, near: Origin) -> tuple[Value, Value]:
        """`topic:tag`, parted at the first colon, or a topic alone. Of a text that is known in part, what stands before a
        colon that is surely the first is known."""
        whole = self.value(destination, near)
        if whole.text is not None:
            topic, colon, tag = whole.text.partition(":")
            return named(replace(whole, text=topic)), replace(whole, text=tag) if colon else _NO_TAG
        for index, part in enumerate(destination.parts if isinstance(destination, Text) else ()):
            if isinstance(part, Gap):
                break
            if isinstance(part, str) and ":" in part:
                before, _, after = part.partition(":")
                head = replace(destination, parts=(*destination.parts[:index], *filter(None, (before,))))
                value = self.value(head, near)
                if value.text is None or ":" in value.text:
                    break
                tail = (*filter(None, (after,)), *destination.parts[index + 1 :])
                return named(value), self.value(replace(destination, parts=tail), near)
        return named(whole), replace(whole, symbol="")

    def _sent(
        self,
        entry: str,
        run: Interpreter,
        client: Client,
        line: Location,
        frame: Frame,
        topic: Value,
        tag: Value,
        settings: Mapping[Attribute, Value],
        unreached: bool,
        way: tuple[tuple[int, int], ...],
    ) -> Row:
        conditions: tuple[Condition, ...] = ()
        if unreached or client.unreached:
            conditions = (Condition("never-started", phrase("nothing-calls-it"), client.at.span),)
        elif client.perhaps:
            conditions = (Condition("condition", client.perhaps, client.at.span),)
        if any(run.decisions[number].kind == "subtype" for number, _ in way):
            topic, tag = (less_sure(one) for one in (topic, tag))
        owner, symbol = _around(frame, client.at, line, entry)
        for method in _within(frame, client.at, line):
            self._wrappers.setdefault(method.decl.name, {})[method] = client.api
        broken = self.is_broken(client)
        site = ConsumerSite(client.api, line.span, symbol, owner, (), (), conditions, broken=broken)
        builder = self.builder(self.world.files[line.origin], site, self._registered(client))
        through = {place.origin for place in client.stack}
        subscription = Subscription(line, topic, tag, NOT_APPLICABLE, carried=self._carried(client))
        injected = client.api == _SPRING and client.shape == "injected"
        group = self._configured(_GROUP, line) if injected else None
        given = {Attribute.GROUP: group, **settings} if group is not None else dict(settings)
        row = builder.assemble(given, [subscription], undefined=self._undefined, through=through)
        namespace = self._namespace_of(client, settings, row.consumer, line)
        process = "" if entry == "container" or is_root(entry) else entry
        where = tuple((one.origin, one.span) for one in client.stack)
        return replace(
            row,
            asked=True,
            consumer=replace(
                row.consumer,
                namespace=namespace,
                process=process,
                consume_mode=settings.get(Attribute.CONSUME_MODE, NOT_APPLICABLE),
            ),
            member=(where, entry, client.object.number, way),
        )

    def _registered(self, client: Client) -> Registered | None:
        """As of a consumer; of a component whose method only the framework is left to call, whether it is a bean."""
        found = self.starts.registered(client)
        methods = [frame.method for frame in frames_of(client.frame) if frame.method is not None]
        if found is not None or self.registrations is None or not methods:
            return found
        owner = methods[-1].owner
        if methods[-1].decl.static or not is_found(self.programs.scope, owner):
            return None
        return self.registrations.entered(owner.origin, owner.name, "<init>", client.at.span, owner)

    def _carried(self, client: Client) -> Carried | None:
        """The properties and the delay of a send, on whatever path it is come to."""
        held = client.carries
        if held is None:
            return None
        near = client.at.origin
        found: dict[str, bool] = {}
        more = held.more
        for guard, key in held.names:
            for inner, leaf in guards.leaves(key, guard):
                name = self.value(leaf, near).text
                if name is None:
                    more = more or phrase("names-of-properties")
                elif name not in NOT_SENT or not client.api.startswith(_OF_SPRING):
                    found[name] = found.get(name, False) or guards.under(inner, client.born) is True
        if not more and self._is_changed_on_its_way:
            more = phrase("hook-of-the-program")
        delays = guards.leaves(guards.under(held.delay, client.born))
        delay = Value("") if delays[0][1] is None else self.value(delays[0][1], near)
        if len(delays) > 1:
            delay = Value(None, Why.DYNAMIC, phrase("one-of-several-delays"))
        properties = tuple(Property(name, sure) for name, sure in sorted(found.items()))
        return Carried(properties, more, delay)

    @cached_property
    def _is_changed_on_its_way(self) -> bool:
        """Whether the program hands its producers something that gets each message before it is sent."""
        return any(
            name in ADDS_PROPERTIES
            for placed in self.sources
            if placed.facts.unit is not None and scope_of(placed.origin.path) != "test"
            for name, _ in placed.facts.unit.calls
        )

    def _namespace_of(
        self, client: Client, settings: Mapping[Attribute, Value], made: Consumer, line: Location
    ) -> Value:
        """The namespace a message is sent in: the sender's, the application's where the framework makes the sender, else not
        known."""
        if client.shape == "seen" or made.namespace.trail or made.namespace.text or client.api in STREAMING:
            return made.namespace
        if client.api == _SPRING:
            return self._configured(_NAMESPACE, line) or made.namespace
        return Value(None, Why.DYNAMIC, phrase("sender-is-not-seen"))

    def _configured(self, key: str, line: Location) -> Value | None:
        """What configuration gives the template that the framework makes; None where it says nothing."""
        return Resolver(self.world, self.deployable, self.environment).set_to(key, line)

    # -- what no run came to --------------------------------------------------------------------------------

    def _sends_not_reached(self, reached: Set[Location]) -> Iterator[Row]:
        """A row for each call that sends, by the type of what it is called on, or that supplies what a method of the program
        sends elsewhere, and that no run came to."""
        key = frozenset((method, api) for held in self._wrappers.values() for method, api in held.items())
        if key not in self.programs.kept:
            self.programs.kept[key] = tuple(self._places_not_reached(reached))
        executed = self.programs.executed
        ended = next((run.ended[0] for _, run, _ in executed.runs if run.ended is not None), "")
        for place in self.programs.kept[key]:
            if place.api in STREAMING and not self._outputs.concerned:
                continue
            symbol = place.method.symbol if place.method is not None else place.owner.name
            why = ended or phrase("no-run-came-through")
            row = self.not_reached(place.api, place.at, symbol, place.owner.name, why)
            if row is not None:
                yield row

    def _places_not_reached(self, reached: Set[Location]) -> Iterator[Place]:
        executed = self.programs.executed
        whole = {m for _, run, _ in executed.runs if run.ended is None and run.died is None for m in run.ran}
        written = self.programs.kept.setdefault(Written, Written(self.programs.scope))
        for file in self.programs.files:
            if scope_of(file.origin.path) == "test" or self.programs.program.is_machinery(file):
                continue
            if self.unfollowed.tellers(file.origin) != [self.deployable.key]:
                continue
            if file.language == "python":
                calls = written_in_python(file)
                yield from (one for one in calls if reached.isdisjoint((one.at, one.whole)))
                continue
            places = {one.at: one for one in written.calls(file, self._wrappers)}
            for at, place in {**places, **written.of(file)}.items():
                if at in reached or place.whole in reached or place.method in executed.elsewhere:
                    continue
                if place.method in whole:
                    continue  # a run that went through the method to its end has shown that it is not come to
                yield place


def _around(frame: Frame, at: Location, line: Location, entry: str) -> tuple[str, str]:
    """The class and the method that a place on the way to a call stands in."""
    here, place = frame, at
    for one in frames_of(frame):
        if place == line:
            here = one
            break
        place = one.called_at or place
    method = next((one.method for one in frames_of(here) if one.method is not None), None)
    owner = method.owner if method is not None else here.owner
    name = owner.name if owner is not None else ""
    return name, method.symbol if method is not None else name or entry


def _within(frame: Frame, at: Location, line: Location) -> Iterator[Method]:
    """The methods that a call leads through on the way to the send at a place, when what is sent is supplied at a line."""
    place = at
    for one in frames_of(frame):
        if place == line:
            return
        if one.method is not None:
            yield one.method
        place = one.called_at or place


def told_once(consumers: Iterable[Consumer]) -> tuple[Consumer, ...]:
    """Sends that entries came to by several ways, once each: equal in all that is told."""
    found: dict[object, Consumer] = {}
    for one in consumers:
        (sent,) = one.subscriptions
        key = (
            sent.at, one.symbol, one.deployable, one.scope, sent.topic.text, sent.topic.why, sent.expression.text,
            sent.expression.why, one.namespace.text, one.environments, one.disabled, one.takes_part,
        )  # fmt: skip
        known = found.setdefault(key, one)
        if known is not one:
            (before,) = known.subscriptions
            carried = _either(before.carried, sent.carried)
            found[key] = replace(known, subscriptions=(replace(before, carried=carried),))
    return tuple(found.values())


def _either(one: Carried | None, other: Carried | None) -> Carried | None:
    """What is sent one way or the other."""
    if one is None or other is None or one == other:
        return one if one == other else None
    sure = [{each.name for each in ways.properties if each.sure} for ways in (one, other)]
    names = {each.name for ways in (one, other) for each in ways.properties}
    delay = one.delay
    if delay.text != other.delay.text:
        delay = Value(None, Why.DYNAMIC, phrase("one-of-several-delays"))
    properties = tuple(Property(name, all(name in each for each in sure)) for name in sorted(names))
    return Carried(properties, one.more or other.more, delay)

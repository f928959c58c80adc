"""What an engineer has at hand in, observations in the scenario's names out.

Accepted are recordings, console tables, JSON of heartbeats and subscriptions, and log lines; tables and log lines may
stand in one file. Client ids are matched with the members: by `clientId` in the scenario, else by the member's name as
the whole id or as the instance name in it. What cannot be used is said in `Given.unused`; what cannot be read, or
contradicts the scenario, is an error with its line.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from subdrift.linter.broker.names import RETRY_PREFIX
from subdrift.linter.broker.scenario import Member, Scenario
from subdrift.linter.broker.scenario.document import ScenarioError, ScenarioProblem
from subdrift.linter.broker.scenario.given import Given, Observation, Passed, recording, wire
from subdrift.linter.broker.scenario.given.console import Console
from subdrift.linter.broker.scenario.given.logs import Logs
from subdrift.linter.broker.scenario.given.sightings import Beat, Entry, Owned, Sightings
from subdrift.linter.broker.scenario.given.status import Status
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel, Subscription
from subdrift.linter.model.tags import java_order
from subdrift.linter.text.bounded import BoundedError, check_json

READABLE = (
    "give the output of mqadmin consumerConnection, consumerProgress or consumerStatus, heartbeat or SubscriptionData JSON, "
    "lines of broker.log, or the observed object of a recording"
)

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
"""What a terminal's colours leave in a copy of its text."""


def parse_given(text: str, name: str, scenario: Scenario, group: str = "") -> Given:
    """The observations a file holds, of one `group` where it is named. Raises ScenarioError with every line that cannot
    be read."""
    text = _COLOUR.sub("", text.lstrip("\ufeff"))
    if text.lstrip()[:1] in ("{", "[", '"'):
        return _from_json(text, name, scenario, group)
    found = Sightings(only=group)
    console, logs, status = Console(found), Logs(found), Status(found)
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removesuffix("\r")
        if not logs.line(line, number) and not status.line(line, number):
            console.line(line, number)
    if found.is_empty:
        first = next((n for n, line in enumerate(text.split("\n"), 1) if line.strip()), None)
        found.problems.append(
            ScenarioProblem("the file", first, "no line says anything about a group", READABLE)
        )
    return _Resolver(found, name, scenario).given()


def _from_json(text: str, name: str, scenario: Scenario, group: str) -> Given:
    try:
        check_json(text)
        listed = list(wire.documents(text))
    except BoundedError as error:
        problem = ScenarioProblem("the file", error.line, error.message, "no observation needs that")
        raise ScenarioError(name, (problem,)) from error
    except json.JSONDecodeError as error:
        remedy = f"mend the JSON at column {error.colno}"
        raise ScenarioError(name, (ScenarioProblem("the file", error.lineno, error.msg, remedy),)) from error
    except (RecursionError, ValueError) as error:
        problem = ScenarioProblem(
            "the file", None, "the JSON is nested too deeply or holds a huge number", READABLE
        )
        raise ScenarioError(name, (problem,)) from error
    if len(listed) == 1 and not wire.is_wire(listed[0][0]):
        return recording.recorded_from(listed[0][0], name, scenario)
    found = Sightings(only=group)
    for value, line in listed:
        if wire.is_wire(value):
            wire.read(value, line, found)
        else:
            found.wrong(line, "it is neither a heartbeat nor a subscription", READABLE)
    return _Resolver(found, name, scenario).given()


class _Resolver:
    """Puts the scenario's names in place of those of the text."""

    def __init__(self, found: Sightings, name: str, scenario: Scenario) -> None:
        self._found, self._name, self._scenario = found, name, scenario
        self._topics = dict(scenario.topics)
        self._broadcasting = frozenset(
            one.name for one in scenario.members if one.model is MessageModel.BROADCASTING
        )
        self._strange: set[str] = set()

    def given(self) -> Given:
        self._check_group()
        members = self._members()
        order = self._order(members)
        shares = self._shares(members, order or self._scenario.id_order)
        winner = self._winners()
        beats = self._beaten(members)
        observation = Observation(
            winner={**beats, **winner} if winner or beats else None,
            shares=shares,
            looked_at=frozenset(self._looked_at()) if shares is not None else None,
            refused=frozenset(
                topic for topic, line in self._found.refused.items() if self._known(topic, line)
            ),
            passed=tuple(self._passed()),
        )
        if self._found.problems:
            raise ScenarioError(
                self._name, tuple(sorted(self._found.problems, key=lambda one: one.line or 0))
            )
        phases = {} if observation == Observation() else {"": observation}
        return Given(order, phases, tuple(self._found.unused))

    def _check_group(self) -> None:
        groups = list(self._found.groups.items())
        for other, line in groups[1:]:
            self._found.wrong(
                line,
                f"it is about group {other!r}, lines above about {groups[0][0]!r}",
                "keep the lines of one group, or name it with --group",
            )

    # clients

    def _members(self) -> dict[str, Member]:
        """The member of each client id that the text names; each that belongs to none is a problem, once."""
        ids = {one.client_id: one.line for one in self._found.connections}
        for owned in self._found.owned:
            if owned.client is not None and "@" in owned.client:
                ids.setdefault(owned.client, owned.line)
        for beat in self._found.beats:
            if beat.client_id is not None:
                ids.setdefault(beat.client_id, beat.line)
        known: dict[str, Member] = {}
        for client, line in ids.items():
            member = self._member(client)
            if member is not None:
                known[client] = member
            else:
                self._found.wrong(
                    line,
                    f"client id {client!r} is none of the scenario's members",
                    f'write clientId = "{client}" under its member',
                )
        return known

    def _member(self, client: str) -> Member | None:
        members = self._scenario.members
        for one in members:
            if one.client_id == client:
                return one
        parts = client.split("@")
        named = [one for one in members if one.client_id is None and one.name in (client, *parts[1:])]
        return named[0] if len(named) == 1 else None

    def _order(self, members: Mapping[str, Member]) -> tuple[str, ...] | None:
        """The order of client ids, where the text lists every member; else None."""
        listed = {one.client_id for one in self._found.connections}
        if {members[one].name for one in listed if one in members} != {
            one.name for one in self._scenario.members
        }:
            if listed and all(one in members for one in listed):
                there = {members[one].name for one in listed}
                absent = ", ".join(one.name for one in self._scenario.members if one.name not in there)
                self._found.skip(
                    self._found.connections[0].line,
                    f"the order of client ids is open, as {absent} is not connected",
                    "leave the member out of the scenario, or list the output while it runs",
                )
            return None
        ids = sorted(listed, key=java_order)
        return tuple(dict.fromkeys(members[one].name for one in ids))

    # queues

    def _shares(
        self, members: Mapping[str, Member], order: Sequence[str]
    ) -> dict[str, dict[str, tuple[int, ...]]] | None:
        by_ip: dict[str, set[str]] = {}
        for one in self._found.connections:
            if one.client_id in members:
                by_ip.setdefault(one.ip, set()).add(members[one.client_id].name)
        for member in self._scenario.members:
            if member.client_id is not None:
                by_ip.setdefault(member.client_id.partition("@")[0], set()).add(member.name)
        self._without_partial_answers(members)
        found: dict[str, dict[str, list[int]]] = {name: {} for name in order}
        used: list[Owned] = []
        unclear: set[str] = set()
        for owned in self._found.owned:
            topic = self._topic_of(owned)
            if topic is None:
                continue
            queue = self._queue(owned, topic)
            if owned.client is None:
                used.append(owned)
                continue
            names = (
                {members[owned.client].name} if owned.client in members else by_ip.get(owned.client, set())
            )
            if names and names <= self._broadcasting:
                # the table names one client of each queue, and this one reads every queue for itself
                if topic not in unclear:
                    self._found.skip(
                        owned.line,
                        f"{', '.join(sorted(names))} (BROADCASTING) reads every queue of {owned.topic} for itself: "
                        "who reads it for the group is not told",
                        "compare with what is predicted",
                    )
                unclear.add(topic)
            elif len(names) != 1:
                self._no_owner(owned, names)
                unclear.add(topic)
            elif queue is not None:
                used.append(owned)
                found[min(names)].setdefault(topic, []).append(queue)
        self._found.owned = [one for one in used if self._topic_of(one) not in unclear]
        if not self._found.owned:
            return None
        return {
            member: {
                topic: tuple(sorted(set(queues))) for topic, queues in topics.items() if topic not in unclear
            }
            for member, topics in found.items()
        }

    def _without_partial_answers(self, members: Mapping[str, Member]) -> None:
        """Clients that name their own queues say who reads a topic once all members have."""
        told = [one for one in self._found.owned if one.own]
        silent = {one.name for one in self._scenario.members} - {
            member.name for one in self._found.beats if (member := members.get(one.client_id or ""))
        }
        if told and silent:
            self._found.skip(
                told[0].line,
                f"who reads which queue is open without what {', '.join(sorted(silent))} answers",
                "give the files of all clients that consumerStatus writes",
            )
            self._found.owned = [one for one in self._found.owned if not one.own]

    def _looked_at(self) -> Iterable[str]:
        return (topic for one in self._found.owned if (topic := self._topic_of(one)) is not None)

    def _no_owner(self, owned: Owned, names: Iterable[str]) -> None:
        shared = ", ".join(sorted(names))
        self._found.skip(
            owned.line,
            f"queue {owned.queue} of {owned.topic} is read from {owned.client}, "
            + (f"which {shared} share" if shared else "an address of no known member"),
            'write clientId = "..." under the members, or add the output of consumerConnection',
        )

    def _topic_of(self, owned: Owned) -> str | None:
        if owned.topic in self._topics:
            return owned.topic
        cut = [one for one in self._topics if owned.cut and one.startswith(owned.topic)]
        if len(cut) == 1:
            return cut[0]
        self._known(owned.topic, owned.line)
        return None

    def _queue(self, owned: Owned, topic: str) -> int | None:
        """The number of the queue over all brokers."""
        brokers = sorted(self._scenario.brokers)
        each = self._topics[topic] // len(brokers)
        index = brokers.index(owned.broker) if owned.broker in brokers else 0
        if len(brokers) > 1 and owned.broker not in brokers:
            self._found.wrong(
                owned.line,
                f"there is no broker {owned.broker!r} in the scenario",
                f"name it under brokers; it has {', '.join(brokers)}",
            )
            return None
        if owned.queue >= each:
            self._found.wrong(
                owned.line,
                f"queue {owned.queue} of {topic} is not in the scenario",
                f"give the topic its real number of queues under topics; a broker has {each} of it",
            )
            return None
        return index * each + owned.queue

    # subscriptions

    def _known(self, topic: str, line: int) -> bool:
        if topic in self._topics:
            return True
        if not topic.startswith(RETRY_PREFIX) and topic not in self._strange:
            self._strange.add(topic)
            self._found.skip(line, f"topic {topic!r} is not in the scenario", "add it there if it matters")
        return False

    def _subscription(self, entry: Entry) -> Subscription:
        """With its type: as the text says, else as a member writes the same expression, else TAG."""
        if entry.filter_type is not None:
            return Subscription(entry.topic, FilterType(entry.filter_type or "TAG"), entry.expression)
        for member in self._scenario.members:
            own = member.subscription(entry.topic)
            if own is not None and (own.expression or "*") == entry.expression:
                return own
        return Subscription(entry.topic, FilterType.TAG, entry.expression)

    def _winners(self) -> dict[str, Subscription]:
        """What the broker was seen to hold; a topic that was removed last is refused from then on."""
        found = {}
        for topic, (entry, line) in self._found.table.items():
            if not self._known(topic, line):
                continue
            if entry is None:
                self._found.refused.setdefault(topic, line)
            else:
                found[topic] = self._subscription(entry)
        return found

    def _beaten(self, members: Mapping[str, Member]) -> dict[str, Subscription]:
        """Who holds a topic by the versions that heartbeats carry, where those of all its subscribers are there."""
        sent: dict[str, dict[str, Entry]] = {}
        for beat in self._found.beats:
            member = members.get(beat.client_id) if beat.client_id is not None else self._sender(beat)
            if member is None:
                continue
            own = {one.topic: one for one in beat.entries if not one.topic.startswith(RETRY_PREFIX)}
            self._compare(member, own, beat.line)
            sent[member.name] = own
        found = {}
        for topic in dict.fromkeys(topic for own in sent.values() for topic in own):
            subscribers = [one.name for one in self._scenario.members if one.subscription(topic) is not None]
            silent = [one for one in subscribers if one not in sent]
            line = self._found.beats[0].line
            versions = [
                (entry.version, entry) for own in sent.values() if (entry := own.get(topic)) is not None
            ]
            numbers = [number for number, _ in versions if number is not None]
            if silent and numbers:
                self._found.skip(
                    line,
                    f"whose subscription of {topic} is newest is open without a heartbeat of {', '.join(silent)}",
                    "add one, or give what the broker holds (mqadmin consumerConnection)",
                )
            elif len(subscribers) == len(self._scenario.members) and len(numbers) == len(versions):
                newest = [entry for number, entry in versions if number == max(numbers)]
                if len({(one.filter_type, one.expression) for one in newest}) == 1:
                    found[topic] = self._subscription(newest[0])
        return found

    def _sender(self, beat: Beat) -> Member | None:
        """The one member whose subscriptions these are; a part of a heartbeat does not say whose it is."""
        told = {(one.topic, one.expression) for one in beat.entries if not one.topic.startswith(RETRY_PREFIX)}
        fitting = [
            member
            for member in self._scenario.members
            if {(one.topic, one.expression or "*") for one in member.subscriptions} == told
        ]
        if len(fitting) == 1:
            return fitting[0]
        self._found.skip(
            beat.line,
            "these subscriptions fit no member of the scenario"
            if not fitting
            else f"these subscriptions fit {', '.join(one.name for one in fitting)}",
            "give the whole heartbeat, with its clientID",
        )
        return None

    def _compare(self, member: Member, own: Mapping[str, Entry], line: int) -> None:
        """A heartbeat that asks for something else than the scenario says is a mistake in one of the two."""
        told = any(one.filter_type is None for one in own.values())  # then no type is compared
        asked = {topic: ("" if told else one.filter_type, one.expression) for topic, one in own.items()}
        said = {
            one.topic: ("" if told else one.filter_type.value, one.expression or "*")
            for one in member.subscriptions
        }
        for topic in sorted(asked.keys() | said.keys()):
            if asked.get(topic) != said.get(topic):
                in_beat = f"{asked[topic][1]!r}" if topic in asked else "nothing"
                in_scenario = f"{said[topic][1]!r}" if topic in said else "nothing"
                self._found.wrong(
                    line,
                    f"{member.name} asks for {in_beat} of {topic}, the scenario says {in_scenario}",
                    "correct the member in the scenario",
                )

    # messages

    def _passed(self) -> Iterable[Passed]:
        """Received messages, where every member that may have received one is filtered by the table."""
        for one in self._found.received:
            if not self._known(one.topic, one.line):
                continue
            own = [
                member.name
                for member in self._scenario.members
                if member.subscription(one.topic) is not None
                and (
                    member.kind is not ClientKind.PUSH
                    or member.options.post_subscription
                    or self._scenario.pop
                )
            ]
            if own:
                self._found.skip(
                    one.line,
                    f"the message may have come through the own filter of {', '.join(own)}",
                    "give what the broker holds (mqadmin consumerConnection)",
                )
            else:
                yield Passed(one.topic, one.tag, one.properties)

"""Recorded runs of real brokers, read for replay: who owned which queue when, and what the table held.

Everything is taken from the record; nothing here predicts. Times are milliseconds after the first step began.
"""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from subdrift.linter.broker.filter import SubscriptionData, build_subscription
from subdrift.linter.broker.group import ConsumerGroupInfo, Heartbeat, close, register
from subdrift.linter.broker.scenario import Scenario, Verb
from subdrift.linter.broker.scenario.given import Observation
from subdrift.linter.broker.versions import Version
from subdrift.linter.broker.vocabulary import FilterType, MessageModel, Subscription
from tests.broker.decoded import scenario_from

TRACES = Path(__file__).parents[2] / "fixtures" / "traces"
FILES = sorted(TRACES.glob("*.jsonl.gz"))
SAMPLING_MS = 60
"""Allocations are sampled every 50 ms, the table every 25 ms."""

Table = Mapping[str, SubscriptionData]


@cache
def records(file: Path) -> tuple["Record", ...]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return tuple(Record(json.loads(line)) for line in lines)


@dataclass(frozen=True)
class Phase:
    """One `send` or `snapshot` with what was seen at its judgement; several sends may share one judgement."""

    name: str
    sent_from_ms: int
    sent_until_ms: int
    seen: dict[str, Any]
    own: bool
    """Whether it was judged by itself."""

    @property
    def judged_ms(self) -> int:
        return int(self.seen["judgedMs"])

    def committed(self, topic: str, queue: int) -> int:
        return int(self.seen["committed"].get(topic, {}).get(str(queue), 0))


class Record:
    """One run of one scenario."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw
        self.observed: dict[str, Any] = raw["observed"]
        self.name = f"{raw['id']} run {raw['run']}"

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario, without members that never reached the broker.

        A member whose start met no error and whose id the broker never listed is none of the group: the recording
        host could not connect (a shifted clock), or a pull consumer knew no broker to tell.
        """
        whole = scenario_from({"scenario": self.raw["scenario"], "versions": self.raw["versions"]}, self.name)
        listed = {
            name for entry in self.observed["idHistory"] for one in entry["ids"] for name in one.split("=")
        }
        started = {name for step in whole.steps if step.verb is Verb.START for name in step.members}
        absent = {
            name
            for name in started - listed - set(self.observed["startErrors"])
            if any(m.name == name and m.subscriptions for m in whole.members) and listed
        }
        if not absent:
            return whole
        raw = dict(self.raw["scenario"])
        raw["members"] = [one for one in raw["members"] if one["name"] not in absent]
        raw["steps"] = [one for one in raw["steps"] if one.get("start") not in absent]
        raw["idOrder"] = [one for one in self.observed["clientIds"] if one not in absent]
        return scenario_from({"scenario": raw, "versions": self.raw["versions"]}, self.name)

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        found = self.observed["phases"]
        judged = [next((one for one in found[i:] if "judgedMs" in one), None) for i in range(len(found))]
        return tuple(
            Phase(str(one["phase"]), one["sendMs"], one.get("sentMs", one["sendMs"]), at, at is one)
            for one, at in zip(found, judged, strict=True)
            if at is not None
        )

    @cached_property
    def offsets(self) -> dict[str, int]:
        """Message -> its place in its queue."""
        ends: dict[tuple[str, int], int] = {}
        found = {}
        for one in sorted(self.scenario.messages, key=lambda message: message.phase):
            found[one.id] = ends.get((one.topic, one.queue), 0)
            ends[one.topic, one.queue] = found[one.id] + 1
        return found

    def receivers(self, message: str, until_ms: int) -> frozenset[str]:
        """Who had received a message for the first time by then."""
        return frozenset(member for at, member in self._deliveries.get(message, ()) if at <= until_ms)

    @cached_property
    def _deliveries(self) -> dict[str, list[tuple[int, str]]]:
        found: dict[str, list[tuple[int, str]]] = {}
        for one in self.observed["deliveries"]:
            if one["reconsume"] == 0:
                found.setdefault(one["message"], []).append((one["atMs"], one["member"]))
        return found

    def passed(self, message: str, topic: str, queue: int, phase: Phase) -> bool:
        """Whether the group's offset had gone past a message, or some member's pull had, when it was judged."""
        return phase.committed(topic, queue) > self.offsets[message] or self._pulled_past(
            message, topic, queue, phase, self._clustering
        )

    def passed_by_anybody(self, message: str, topic: str, queue: int, phase: Phase) -> bool:
        """The same, with BROADCASTING members counted, who pass messages for themselves only."""
        everybody = frozenset(one.name for one in self.scenario.members)
        return self.passed(message, topic, queue, phase) or self._pulled_past(
            message, topic, queue, phase, everybody
        )

    def _pulled_past(self, message: str, topic: str, queue: int, phase: Phase, by: frozenset[str]) -> bool:
        return any(
            at <= phase.judged_ms and reached > self.offsets[message] and member in by
            for at, member, reached in self._progress.get((topic, queue), ())
        )

    @cached_property
    def _clustering(self) -> frozenset[str]:
        return frozenset(one.name for one in self.scenario.members if one.model is MessageModel.CLUSTERING)

    def ended_ms(self, message: str, topic: str, queue: int) -> int | None:
        """When a message was delivered for the group or first known to be passed; None if neither was seen."""
        offset = self.offsets[message]
        cluster = self._clustering
        times = [at for at, member in self._deliveries.get(message, ()) if member in cluster]
        times += [
            at
            for at, member, reached in self._progress.get((topic, queue), ())
            if reached > offset and member in cluster
        ]
        return min(times, default=None)

    @cached_property
    def _progress(self) -> dict[tuple[str, int], list[tuple[int, str, int]]]:
        """Topic and queue -> time, member and offset of each recorded pull."""
        found: dict[tuple[str, int], list[tuple[int, str, int]]] = {}
        for one in self.observed["progress"]:
            found.setdefault((one["topic"], one["queue"]), []).append(
                (one["atMs"], one["member"], one["offset"])
            )
        return found

    # who owned what

    def owners(self, topic: str, queue: int, begin_ms: int, end_ms: int) -> list[tuple[int, frozenset[str]]]:
        """Who worked on a queue for the group in that time: each change with its time, the first at its begin."""
        found: list[tuple[int, frozenset[str]]] = []
        for at, shares in self._shares:
            if at > end_ms:
                break
            now = frozenset(member for member, topics in shares.items() if queue in topics.get(topic, ()))
            if at <= begin_ms:
                found = [(begin_ms, now)]
            elif not found or found[-1][1] != now:
                found.append((at, now))
        return found or [(begin_ms, frozenset())]

    @cached_property
    def _shares(self) -> list[tuple[int, dict[str, dict[str, list[int]]]]]:
        """The queues of every clustering member after each change; who has left works on none."""
        events: list[tuple[int, str, dict[str, list[int]]]] = [
            (one["atMs"], one["member"], one["allocation"]) for one in self.observed["allocationHistory"]
        ]
        events += [(at, name, {}) for at, name in self._departures() if name != "*"]
        held: dict[str, dict[str, list[int]]] = {}
        found: list[tuple[int, dict[str, dict[str, list[int]]]]] = []
        for at, member, allocation in sorted(events, key=lambda one: one[0]):
            if member in self._clustering:
                held = {**held, member: allocation}
                found.append((at, held))
        return found

    # the broker's table

    @cached_property
    def tables(self) -> list[tuple[int, Table]]:
        """The table after every recorded heartbeat, by the registration rule; empty while nobody is there."""
        version = Version.parse(self.raw["versions"]["broker"])
        models = {one.name: one.model for one in self.scenario.members}
        v2 = {one.name for one in self.scenario.members if one.options.heartbeat_v2}
        events: list[tuple[int, int, dict[str, Any]]] = [
            *((one["atMs"], 1, one) for one in self.observed["heartbeats"]),
            *((at, 2, {"left": name}) for at, name in self._departures()),
        ]
        group: ConsumerGroupInfo | None = None
        sent: dict[str, tuple[SubscriptionData, ...]] = {}
        found: list[tuple[int, Table]] = []
        for at, _, event in sorted(events, key=lambda one: (one[0], one[1])):
            if "member" in event:
                member = event["member"]
                if event.get("subscriptions") == {} and member in v2:
                    continue  # a heartbeat V2 that leaves the subscriptions out
                if "subscriptions" in event:
                    sent[member] = tuple(_data(t, one) for t, one in event["subscriptions"].items())
                model = models.get(member.split("=")[0], MessageModel.CLUSTERING)
                beat = Heartbeat(member, member, sent.get(member, ()), model)
                group = register(group, beat, at, version).group
            else:
                for channel in group.channels if group is not None else ():
                    if event["left"] in (channel.channel, "*"):
                        group = close(group, channel.channel, version).group
            found.append((at, {one.topic: one for one in group.subscriptions} if group is not None else {}))
        return found

    def _departures(self) -> Iterator[tuple[int, str]]:
        """When members left, "*" for all: stopped, killed, not started after all, or the broker restarted."""
        for step in self.observed["steps"]:
            if "brokerRestart" in step:
                yield step["atMs"], "*"
            name = step.get("stop", step.get("kill"))
            if name is not None:
                yield step["doneMs"], name
            started = step.get("start", [])
            for name in [started] if isinstance(started, str) else started:
                if name in self.observed["startErrors"] and not self._listed(
                    name, step["doneMs"] + SAMPLING_MS
                ):
                    yield step["doneMs"], name

    def _listed(self, member: str, at_ms: int) -> bool:
        """Whether the broker listed a member's client id at a time."""
        ids: list[str] = []
        for one in self.observed["idHistory"]:
            if one["atMs"] <= at_ms:
                ids = one["ids"]
        return member in ids

    def table_at(self, at_ms: int) -> Table:
        """The table after the last heartbeat until then."""
        return next((table for at, table in reversed(self.tables) if at <= at_ms), {})

    def held(self, topic: str, begin_ms: int, end_ms: int) -> list[SubscriptionData | None]:
        """What the table held for a topic in that time, each once, None while it was absent."""
        found: list[SubscriptionData | None] = []
        current: SubscriptionData | None = None
        for at, table in self.tables:
            if at <= begin_ms:
                current = table.get(topic)
            elif at <= end_ms:
                found.append(table.get(topic))
        return list(dict.fromkeys([current, *found]))

    def _as_seen(self, held: SubscriptionData, phase: Phase) -> SubscriptionData:
        """The subscription, or the one of equal version that the broker was seen to hold instead."""
        seen = phase.seen["winner"].get(held.topic, {})
        tied = [
            one
            for one in self.ties(held)
            if (one.text, one.version) == (seen.get("expression"), seen.get("version"))
        ]
        return tied[0] if tied else held

    def ties(self, held: SubscriptionData) -> list[SubscriptionData]:
        """Subscriptions of others with the same version: the order of arrival within a millisecond decided."""
        return [
            one
            for one in self._sent
            if (one.topic, one.version) == (held.topic, held.version) and one != held
        ]

    @cached_property
    def _sent(self) -> list[SubscriptionData]:
        sent = [
            _data(topic, entry)
            for one in self.observed["heartbeats"]
            for topic, entry in one.get("subscriptions", {}).items()
        ]
        return list(dict.fromkeys(sent))

    def sql_held(self, topic: str, phase: Phase) -> list[str]:
        """The SQL92 expressions the broker's separate store held for a topic since the messages were sent."""
        found = []
        entry = phase.seen.get("sqlFilter", {}).get(topic)
        if entry is not None:
            found.append(entry["expression"])
        for one in self.observed["heartbeats"]:
            held = one.get("subscriptions", {}).get(topic)
            if held and held["type"] == "SQL92" and phase.sent_from_ms < one["atMs"] <= phase.judged_ms:
                found.append(held["expression"])
        return list(dict.fromkeys(found))

    def observations(
        self, topic: str, queue: int, owners: frozenset[str], phase: Phase, begin_ms: int, end_ms: int
    ) -> Iterator[Observation]:
        """What is given to the model: each subscription the table held in that time, and who read the queue."""
        shares = {member: {topic: (queue,)} for member in owners}
        held = [self._as_seen(one, phase) for one in self.held(topic, begin_ms, end_ms) if one is not None]
        for one in held:
            kind = FilterType(one.expression_type)
            expressions: list[str] = self.sql_held(topic, phase) if kind is FilterType.SQL92 else [""]
            for expression in expressions or [one.text]:
                yield Observation(
                    {topic: Subscription(topic, kind, one.text)},
                    {topic: expression} if kind is FilterType.SQL92 else None,
                    shares,
                )
        if not held:
            yield Observation(None, None, shares)


def _data(topic: str, entry: dict[str, Any]) -> SubscriptionData:
    return build_subscription(topic, entry["expression"], entry["type"], entry["version"])

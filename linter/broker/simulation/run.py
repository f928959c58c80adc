"""A scenario and a seed in, one history out; and many seeds in, how often each outcome came."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, assert_never

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.broker.allocate import MessageQueue
from subdrift.linter.broker.scenario import Message, Scenario, ScenarioStep, Verb
from subdrift.linter.broker.simulation import faults
from subdrift.linter.broker.simulation.clock import MS
from subdrift.linter.broker.simulation.cluster import Cluster
from subdrift.linter.broker.simulation.latency import Latency
from subdrift.linter.broker.simulation.result import (
    Allocation,
    MessageFate,
    Phase,
    QueueState,
    SimulationResult,
    Standing,
    TableChange,
    TableEntry,
)
from subdrift.linter.broker.simulation.subscription import GROUP
from subdrift.linter.broker.simulation.trace import Kind
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel
from subdrift.linter.model.tags import parse_tags

JUDGE_MS: Final = 34_000
JUDGE_AT_LEAST_MS: Final = 1_500
JUDGE_AT_LEAST_WITHOUT_COMMITS_MS: Final = 8_000
"""Where a member commits nothing at the broker that one could wait for."""
JUDGE_LOOKS_EVERY_MS: Final = 400
SETTLE_AT_MOST_MS: Final = 20_000
SETTLED_MS: Final = 2_500
"""A group counts as settled when no share changed for so long."""
SETTLE_LOOKS_EVERY_MS: Final = 100


def simulate(scenario: Scenario, seed: int = 0, latency: Latency | None = None) -> SimulationResult:
    """One run of a scenario's steps. The same arguments give the same result."""
    scenario = replace(scenario, messages=messages_of(scenario))
    return _Run(scenario, seed, latency).result()


def messages_of(scenario: Scenario) -> tuple[Message, ...]:
    """The scenario's messages; for classes, or where nothing is said, one of each kind into every queue.

    Where nothing is said the kinds are the tags that somebody mentions, and an untagged message.
    """
    if scenario.messages:
        return scenario.messages
    first = min((step.phase for step in scenario.steps if step.verb is Verb.SEND), default=1)
    kinds: list[tuple[str, str | None, tuple[tuple[str, str], ...], str]] = [
        (one.topic, one.tag, one.properties, one.label or str(one.tag)) for one in scenario.classes
    ]
    if not kinds:
        for topic, _ in scenario.topics:
            tags = {
                tag
                for member in scenario.members
                for held in member.subscriptions
                if held.topic == topic and held.filter_type is FilterType.TAG
                for tag in parse_tags(held.expression).tags
            }
            kinds += [(topic, tag, (), tag) for tag in sorted(tags)]
            kinds.append((topic, None, (), "untagged"))
    return tuple(
        Message(f"{topic}.{label}.{queue}", topic, queue, tag, properties, first)
        for topic, tag, properties, label in kinds
        for queue in range(scenario.queues(topic))
    )


class MessageFrequency(Struct, frozen=True):
    """How often a message met a fate, and who received it then."""

    message: str
    fate: Standing
    members: tuple[str, ...]
    runs: int


class WinnerFrequency(Struct, frozen=True):
    """How often a subscription was in force at the end of a phase; None: the topic was not in the table."""

    phase: str
    topic: str
    expression: str | None
    runs: int


class Frequencies(Struct, frozen=True):
    """Outcomes over many runs; most frequent first within a message, phase and topic."""

    runs: int
    first_seed: int
    winners: tuple[WinnerFrequency, ...]
    messages: tuple[MessageFrequency, ...]


def simulate_many(
    scenario: Scenario, runs: int, seed: int = 0, latency: Latency | None = None
) -> Frequencies:
    """Runs with the seeds `seed`, `seed + 1`, ...; how often each message met each fate, and who won.

    The frequencies are those of the latencies assumed here, not of any real network.
    """
    winners: Counter[tuple[str, str, str | None]] = Counter()
    fates: Counter[MessageFate] = Counter()
    topics = [topic for topic, queues in scenario.topics if queues]
    for number in range(runs):
        result = simulate(scenario, seed + number, latency)
        for phase in result.phases:
            for topic in topics:
                entry = phase.winner(topic)
                winners[phase.name, topic, entry.expression if entry is not None else None] += 1
        fates.update(result.fates)
    order = {message.id: position for position, message in enumerate(messages_of(scenario))}
    return Frequencies(
        runs,
        seed,
        tuple(
            WinnerFrequency(phase, topic, expression, count)
            for (phase, topic, expression), count in sorted(
                winners.items(), key=lambda item: (item[0][0], item[0][1], -item[1], item[0][2] or "")
            )
        ),
        tuple(
            MessageFrequency(one.message, one.fate, one.members, count)
            for one, count in sorted(
                fates.items(),
                key=lambda item: (order[item[0].message], -item[1], item[0].fate.value, item[0].members),
            )
        ),
    )


Place = tuple[str, str]
"""Phase and topic."""


def usual_winners(
    scenario: Scenario, places: Iterable[Place], runs: int, seed: int = 0, latency: Latency | None = None
) -> dict[Place, str]:
    """The expression that most of so many runs end with, for each place where the table then held one.

    Equal numbers leave a place out. It stops where the runs that are left cannot change an answer.
    """
    counts: dict[Place, Counter[str]] = {place: Counter() for place in places}
    for number in range(runs if counts else 0):
        for phase in simulate(scenario, seed + number, latency).phases:
            for entry in phase.winners:
                if (phase.name, entry.topic) in counts:
                    counts[phase.name, entry.topic][entry.expression] += 1
        if all(_lead(one) > runs - number - 1 for one in counts.values()):
            break
    return {place: one.most_common(1)[0][0] for place, one in counts.items() if _lead(one) > 0}


def _lead(counts: Counter[str]) -> int:
    """By how much the first is ahead of the second."""
    first, second = (*counts.most_common(2), ("", 0), ("", 0))[:2]
    return first[1] - second[1]


class _Run:
    """Does the steps of a scenario to a cluster."""

    def __init__(self, scenario: Scenario, seed: int, latency: Latency | None) -> None:
        self.scenario, self.seed = scenario, seed
        self.cluster = Cluster(scenario, seed, latency)
        self.phases: list[Phase] = []
        self.alive: set[str] = set()
        self.sent_name, self.sent_ms = "", 0
        for step in scenario.steps:
            self._do(step)

    def _do(self, step: ScenarioStep) -> None:
        cluster = self.cluster
        cluster.note(Kind.STEP, ",".join(step.members), topic=step.topic, details={"verb": step.verb.value})
        match step.verb:
            case Verb.START:
                for name in step.members:
                    cluster.apply(faults.Start(name))
                self.alive |= set(step.members)
                self._await_start(step.members)
            case Verb.CREATE:
                for name in step.members:
                    cluster.apply(faults.Create(name))
            case Verb.STOP | Verb.KILL:
                for name in step.members:
                    cluster.apply(faults.Stop(name) if step.verb is Verb.STOP else faults.Kill(name))
                self.alive -= set(step.members)
            case Verb.FREEZE | Verb.THAW:
                for name in step.members:
                    cluster.apply(faults.Freeze(name) if step.verb is Verb.FREEZE else faults.Thaw(name))
            case Verb.WAIT | Verb.EXPIRE:
                cluster.run(step.ms)  # files are never old enough to expire: topics are young here
            case Verb.SETTLE:
                self._settle(step.ms)
            case Verb.SEND:
                self.sent_name, self.sent_ms = str(step.phase), cluster.now_ms
                for message in self.scenario.messages:
                    if message.phase == step.phase:
                        cluster.send(message)
                        cluster.run_us(cluster.latency.draw(cluster.latency.send_us, cluster.random))
            case Verb.JUDGE:
                self._judge(step.ms or JUDGE_MS)
            case Verb.SNAPSHOT:
                self.sent_name, self.sent_ms = step.label, cluster.now_ms
                self._look()
            case Verb.SUBSCRIBE:
                assert step.subscription is not None
                cluster.apply(faults.Subscribe(step.members[0], step.subscription))
            case Verb.UNSUBSCRIBE:
                cluster.apply(faults.Unsubscribe(step.members[0], step.topic))
            case Verb.BROKER_RESTART:
                for name in (step.label,) if step.label else self.scenario.brokers:
                    cluster.apply(faults.RestartBroker(name, step.ms))
                cluster.run(step.ms)
            case Verb.DUMP:
                pass
            case _:
                assert_never(step.verb)

    def _await_start(self, names: tuple[str, ...]) -> None:
        """`start()` returns when the client runs and has sent its first heartbeat, a few requests later."""
        latency = self.cluster.latency
        self.cluster.run((2 * (latency.start_us + latency.spin_up_us) + 12 * latency.one_way_us) // MS)

    def _settle(self, least_ms: int) -> None:
        begin = self.cluster.now_ms
        while self.cluster.now_ms - begin < SETTLE_AT_MOST_MS:
            self.cluster.run(SETTLE_LOOKS_EVERY_MS)
            quiet = self.cluster.now_ms - self.cluster.last_share_change_us // MS
            if self.cluster.now_ms - begin > least_ms and quiet > SETTLED_MS:
                return

    def _judge(self, limit_ms: int) -> None:
        """Waits until every queue that a clustering push member works on is committed to its end, then looks."""
        committing = {
            name
            for name in self.alive
            if self.scenario.member(name).kind is ClientKind.PUSH
            and self.scenario.member(name).model is MessageModel.CLUSTERING
        }
        least = JUDGE_AT_LEAST_MS if committing == self.alive else JUDGE_AT_LEAST_WITHOUT_COMMITS_MS
        begin = self.cluster.now_ms
        while self.cluster.now_ms - begin < limit_ms:
            self.cluster.run(JUDGE_LOOKS_EVERY_MS)
            if self.cluster.now_ms - begin > least and not any(map(self._behind, sorted(committing))):
                break
        self._look()

    def _behind(self, name: str) -> bool:
        client = self.cluster.clients[name]
        topics = dict(self.scenario.topics)
        for queue in client.owned:
            if queue.topic in topics and queue.queue_id >= 0:
                broker = self.cluster.brokers[queue.broker_name]
                if broker.offsets.get(queue, 0) < broker.log(queue).end:
                    return True
        return False

    def _look(self) -> None:
        cluster = self.cluster
        brokers = [cluster.brokers[name] for name in self.scenario.brokers]
        groups = [broker.group for broker in brokers if broker.group is not None]
        table = groups[0].subscriptions if groups else ()
        filters = [
            broker.filters.find(topic, GROUP) for broker in brokers for topic, _ in self.scenario.topics
        ]
        shares = tuple(
            Allocation(name, topic, cluster.share(cluster.clients[name], topic))
            for name in sorted(self.alive)
            for topic in sorted({queue.topic for queue in cluster.clients[name].owned})
        )
        queues = tuple(
            QueueState(
                topic,
                cluster.position(queue),
                cluster.brokers[queue.broker_name].offsets.get(queue),
                cluster.brokers[queue.broker_name].log(queue).end,
            )
            for topic, _ in self.scenario.topics
            for queue in cluster.queues(topic)
        )
        self.phases.append(
            Phase(
                self.sent_name,
                self.sent_ms,
                cluster.now_ms,
                tuple(TableEntry(s.topic, s.text, s.expression_type, s.version) for s in table),
                tuple(
                    TableEntry(f.topic, f.expression, f.expression_type, f.version)
                    for f in filters
                    if f is not None
                ),
                shares,
                queues,
            )
        )

    def result(self) -> SimulationResult:
        cluster = self.cluster
        return SimulationResult(
            self.scenario.id,
            self.seed,
            tuple(self.phases),
            tuple(cluster.deliveries),
            fates(cluster),
            tuple(_table_changes(cluster)),
            tuple(cluster.trace),
            tuple(sorted(cluster.start_errors.items())),
        )


def fates(cluster: Cluster) -> tuple[MessageFate, ...]:
    """What became of every message so far."""
    received: dict[str, set[str]] = {}
    for delivery in cluster.deliveries:
        if delivery.ok:
            received.setdefault(delivery.message, set()).add(delivery.member)
    found = []
    for topic, _ in cluster.scenario.topics:
        for queue in cluster.queues(topic):
            group, own = _offsets(cluster, queue)
            for offset, message in enumerate(cluster.brokers[queue.broker_name].log(queue).messages):
                members = received.get(message.id, set())
                wanting = cluster.wanted_by(message)
                # a BROADCASTING member passes messages for itself; that counts where no other wants them
                shared = any(not cluster.clients[name].broadcasting for name in wanting)
                committed, read = group if shared else own
                happy = wanting & members
                if not wanting:
                    fate = Standing.UNWANTED
                elif happy and (
                    offset < max(committed, read) or any(not cluster.clients[n].broadcasting for n in happy)
                ):
                    fate = Standing.DELIVERED
                elif offset < committed:
                    fate = Standing.LOST
                else:
                    fate = Standing.PASSED if offset < read else Standing.WAITING
                found.append(MessageFate(message.id, fate, tuple(sorted(members))))
    return tuple(found)


def _offsets(cluster: Cluster, queue: MessageQueue) -> tuple[tuple[int, int], tuple[int, int]]:
    """Up to where a queue is committed and read: by the group, and by the furthest BROADCASTING member."""
    group = [cluster.brokers[queue.broker_name].offsets.get(queue, 0), 0]
    own = [0, 0]
    for client in cluster.clients.values():
        owned = client.owned.get(queue)
        if owned is None or not client.alive:
            continue
        side = own if client.broadcasting else group
        side[1] = max(side[1], owned.next_offset)
        if client.broadcasting:
            own[0] = max(own[0], client.offsets.get(queue) or 0)
    return (group[0], group[1]), (own[0], own[1])


def _table_changes(cluster: Cluster) -> list[TableChange]:
    changes = []
    for event in cluster.trace:
        if event.kind is Kind.TABLE:
            entry = None
            if event.detail("version"):
                entry = TableEntry(
                    event.topic,
                    event.detail("expression"),
                    event.detail("type"),
                    int(event.detail("version")),
                )
            changes.append(TableChange(event.at_ms, event.broker, event.topic, entry))
    return changes

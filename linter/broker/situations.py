"""The states a group comes to rest in: a scenario's steps in, one `Situation` after each change of membership out.

Nothing is simulated. Each change says which versions it may have set and within which time; the broker's winner is
any subscription whose version may be the greatest. Times are those the scenario writes down, and steps that take
unknown time are taken to take none: real gaps can only be longer, which leaves fewer candidates, never others.

Mirrors: ConsumerGroupInfo#updateSubscription, RebalancePushImpl#messageQueueChanged, RebalanceImpl,
RocketMQ 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.broker.allocate import (
    Averagely,
    AveragelyByCircle,
    ConsistentHash,
    MessageQueue,
    Strategy,
    allocate,
)
from subdrift.linter.broker.scenario import Member, Scenario, ScenarioStep, Verb
from subdrift.linter.broker.states import Claim, Live, Sending, Situation, Stage, TopicState, presence_of
from subdrift.linter.broker.versions import Feature, Version, behaves
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel, Subscription
from subdrift.linter.model.message import Message, say

REACTION_MS: Final = 2_400
"""Within this time after a step every member that was notified has settled; recordings show 1,650 ms at most."""
SILENT_MAX_MS: Final = 120_000
"""Silence after which the broker drops a client."""
EXPIRY_SCAN_MS: Final = 10_000
WATCHED_MIN_MS: Final = 1_500
"""`judge` and `settle` take at least this long."""
JUDGED_MAX_MS: Final = 34_000
"""`judge` takes at most this long where it does not say how long."""
PULL_CONSUMER_LATE_MS: Final = 6_000
"""A pull consumer without topics may register so late with clients before 5.0.0."""
KNOWS_NO_BROKER_SINCE: Final = Version(5, 0, 0)
"""A pull consumer without topics of these clients was never seen to join: it knows no broker to tell."""

_STRATEGIES: Final[dict[str, Strategy]] = {
    one.name: one for one in (Averagely(), AveragelyByCircle(), ConsistentHash())
}


def sendings(scenario: Scenario) -> tuple[Sending, ...]:
    """Every `send` and `snapshot` of a scenario with the situations around it."""
    history, marks = _history(scenario)
    found = []
    for phase, at, judged in marks:
        at_send = _possible(history, at)
        later = [stage for stage in history if at <= stage.from_ms <= judged and stage not in at_send]
        found.append(
            Sending(
                phase,
                at,
                judged,
                _situations(at_send),
                tuple(stage.situations for stage in later),
                _situations(_possible(history, judged)),
            )
        )
    return tuple(found)


def _situations(stages: Iterable[Stage]) -> tuple[Situation, ...]:
    return tuple(one for stage in stages for one in stage.situations)


def _possible(history: Sequence[Stage], at_ms: int) -> list[Stage]:
    """The stages the group may be in at a time, oldest first: the last one, and those not surely left yet."""
    kept: list[Stage] = []
    for one in reversed([stage for stage in history if stage.from_ms <= at_ms]):
        kept.append(one)
        if one.settled_ms <= at_ms:
            break
    return kept[::-1]


def _history(scenario: Scenario) -> tuple[list[Stage], list[tuple[str, int, int]]]:
    """All stages, and for each `send` or `snapshot` its phase, its time and when it is judged."""
    group = _Group(scenario)
    history = group.stages(say("situation.nobody"), 0)
    marks: list[tuple[int, str, int]] = []
    waiting: list[tuple[int, str]] = []
    for step in scenario.steps:
        before = group.now
        history += group.apply(step)
        if step.verb is Verb.SEND:
            waiting.append((before, str(step.phase)))
        if step.verb is Verb.SNAPSHOT:
            marks.append((before, step.label, before))
        if step.verb is Verb.JUDGE:
            marks += [(at, phase, before) for at, phase in waiting]
            waiting = []
    marks += [(at, phase, group.now) for at, phase in waiting]
    return history, [(phase, at, judged) for at, phase, judged in sorted(marks, key=lambda one: one[0])]


Shares = dict[str, dict[str, tuple[int, ...]]]
"""Topic -> member -> queues."""


class _Group(Struct):
    """The group while the steps are walked through."""

    scenario: Scenario
    now: int = 0
    lives: dict[str, Live] = field(default_factory=dict)
    perhaps: dict[str, Live] = field(default_factory=dict)
    """Who may take part or not: dead client ids, pull consumers that know no broker."""
    versions: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    """Member and topic -> first and last time its version may have been set."""
    created: dict[str, int] = field(default_factory=dict)
    ghosts: dict[str, list[Claim]] = field(default_factory=dict)
    haunting: dict[str, list[Claim]] = field(default_factory=dict)
    """Ghosts that only stay while a dead client id holds the group."""
    old_sql: dict[str, list[Claim]] = field(default_factory=dict)
    """Filter data outlives table and group."""
    flapping_since: dict[str, int] = field(default_factory=dict)
    open_until: dict[str, int] = field(default_factory=dict)
    """Topic -> time until which any subscriber may hold it, whatever the versions."""
    stale: set[tuple[str, str]] = field(default_factory=set)
    emptied: bool = False
    late: int = 0
    """By so much the real time may be ahead of `now`."""

    def apply(self, step: ScenarioStep) -> list[Stage]:
        """Walk one step; the stages it leads to, none for steps that change nothing."""
        match step.verb:
            case Verb.WAIT | Verb.EXPIRE:
                return self._pass(step.ms)
            case Verb.SETTLE:
                return self._pass(max(step.ms, WATCHED_MIN_MS))
            case Verb.JUDGE:
                found = self._pass(WATCHED_MIN_MS)
                self.late += max(0, (step.ms or JUDGED_MAX_MS) - WATCHED_MIN_MS)
                return found
            case Verb.CREATE:
                self.created |= dict.fromkeys(step.members, self.now)
                return []
            case Verb.START:
                return self._start(step)
            case Verb.STOP | Verb.KILL:
                return self._leave(step)
            case Verb.FREEZE | Verb.THAW:
                return self._freeze(step)
            case Verb.SUBSCRIBE:
                return self._subscribe(step)
            case Verb.UNSUBSCRIBE:
                return self._unsubscribe(step)
            case Verb.BROKER_RESTART:
                return self._restart(step)
            case Verb.SEND | Verb.SNAPSHOT | Verb.DUMP:
                return []

    def _pass(self, ms: int) -> list[Stage]:
        """Time goes by; who is silent for too long is dropped."""
        end = self.now + ms
        found: list[Stage] = []
        timing = self.scenario.timing
        wait = timing.heartbeat_ms + EXPIRY_SCAN_MS + timing.rebalance_ms + REACTION_MS
        for name, live in list(self.lives.items()):
            if live.frozen_ms is None:
                continue
            expiry = live.frozen_ms + SILENT_MAX_MS - timing.heartbeat_ms
            if expiry <= end:
                self.now = max(self.now, expiry)
                found += self._without([name], say("situation.expires", names=name), wait)
        for name, live in list(self.perhaps.items()):
            if live.dead_id and live.joined_ms + SILENT_MAX_MS + wait <= end:
                self.now = max(self.now, live.joined_ms + SILENT_MAX_MS + wait)
                del self.perhaps[name]
                if not self.perhaps:
                    self.haunting.clear()
                found += self.stages(say("situation.id-gone", names=name), 0)
        self.now = end
        return found

    def _start(self, step: ScenarioStep) -> list[Stage]:
        before = self._all_shares()
        late = REACTION_MS
        for name in step.members:
            member = self.scenario.member(name)
            at = self.created.pop(name, self.now)
            fails = start_fails(self.scenario, member)
            client = self.scenario.version_of(member)
            self.lives.pop(name, None)
            if fails and behaves(Feature.FAILED_EXPRESSION_CHECK_LEAVES_NO_CONSUMER, client):
                self._haunt(member, at)
                self.perhaps[name] = Live(member, (), self.now, dead_id=True)
                timing = self.scenario.timing
                late = SILENT_MAX_MS + EXPIRY_SCAN_MS + timing.rebalance_ms + REACTION_MS
                continue
            unseen = self.scenario.proxy_apart and member.kind is ClientKind.GRPC
            live = Live(
                member, _last_ones(member), self.now, half_started=fails, unseen=unseen, late_ms=self.late
            )
            if member.kind is ClientKind.PULL and not live.subscriptions:
                if client >= KNOWS_NO_BROKER_SINCE and not member.assigned:
                    self.perhaps[name] = live
                    continue
                live = replace(live, late_ms=self.late + PULL_CONSUMER_LATE_MS)
                late = max(late, PULL_CONSUMER_LATE_MS + REACTION_MS)
            self.lives[name] = live
            for one in live.subscriptions:
                self._set_version(member, one.topic, at, at)
        self._raise(before, step.members, late)
        told = late if late == PULL_CONSUMER_LATE_MS + REACTION_MS else 0
        return self.stages(_words(step), max(self._reaction(), told), before)

    def _haunt(self, member: Member, at_ms: int) -> None:
        """A start that failed sent its heartbeat before: its subscriptions stay without it.

        With nobody else in the group they only stay if the dead client id does.
        """
        offset = member.clock_offset_s * 1000
        kept = self.ghosts if self.lives else self.haunting
        for one in member.subscriptions:
            claim = Claim(member.name, one, at_ms + offset, at_ms + offset, True)
            kept.setdefault(one.topic, []).append(claim)
            self._keep_sql([claim])

    def _leave(self, step: ScenarioStep) -> list[Stage]:
        names = [name for name in step.members if name in self.lives]
        for name in step.members:
            self.perhaps.pop(name, None)
        return self._without(names, _words(step), self._reaction()) if names else []

    def _without(self, names: Iterable[str], cause: Message, reaction_ms: int) -> list[Stage]:
        before = self._all_shares()
        for name in names:
            live = self.lives.pop(name)
            claims = [self._claim(live, one, True) for one in live.subscriptions if not live.unseen]
            for one in claims:
                self.ghosts.setdefault(one.subscription.topic, []).append(one)
            self._keep_sql(claims)
            for topic, _ in self.scenario.topics:
                self.versions.pop((name, topic), None)
        if not self.lives:
            self.ghosts.clear()
            self.open_until.clear()
        self._raise(before, (), reaction_ms)
        return self.stages(cause, reaction_ms, before)

    def _freeze(self, step: ScenarioStep) -> list[Stage]:
        since = self.now if step.verb is Verb.FREEZE else None
        for name in step.members:
            if name in self.lives:
                self.lives[name] = replace(self.lives[name], frozen_ms=since)
        return self.stages(_words(step), 0 if step.verb is Verb.FREEZE else REACTION_MS)

    def _subscribe(self, step: ScenarioStep) -> list[Stage]:
        (name,), new = step.members, step.subscription
        live = self.lives.get(name)
        if live is None or new is None:
            return []
        before = self._all_shares()
        old = live.subscription(new.topic)
        others = tuple(one for one in live.subscriptions if one.topic != new.topic)
        self._keep_sql([self._claim(live, one) for one in live.subscriptions])
        self.lives[name] = replace(live, subscriptions=(*others, new))
        self._set_version(live.member, new.topic, self.now, self.now)
        if old == new and self._heartbeats_without_subscriptions():
            self.stale.add((name, new.topic))
            return self.stages(_words(step), 0)
        if old is not None:
            return self.stages(_words(step), REACTION_MS)
        late = self.scenario.timing.route_poll_ms + self.scenario.timing.rebalance_ms + REACTION_MS
        self._raise(before, (name,), late)
        return self.stages(_words(step), late)

    def _unsubscribe(self, step: ScenarioStep) -> list[Stage]:
        (name,) = step.members
        live = self.lives.get(name)
        if live is None:
            return []
        kept = tuple(one for one in live.subscriptions if one.topic != step.topic)
        self.lives[name] = replace(live, subscriptions=kept)
        timing = self.scenario.timing
        return self.stages(_words(step), max(timing.heartbeat_ms, timing.rebalance_ms))

    def _restart(self, step: ScenarioStep) -> list[Stage]:
        """The table is empty; members come back one by one, each a join that may change everybody's share."""
        timing = self.scenario.timing
        late = step.ms + timing.heartbeat_ms + timing.rebalance_ms + REACTION_MS
        if not self._others_run_on(step):
            self.ghosts.clear()
            self.haunting.clear()
        self.perhaps.clear()
        if self._heartbeats_without_subscriptions():
            self.emptied = True
            stages = self.stages(say("situation.broker-restarts"), 0)
            self.now += step.ms
            return stages
        for live in self.lives.values():
            for one in live.subscriptions:
                self._set_version(live.member, one.topic, self.now, self.now + late)
        race = tuple(
            replace(one, open_race=True) for one in self._situations(say("situation.broker-restarts"))
        )
        stages = [Stage(self.now, self.now, race), *self.stages(say("situation.back"), late)]
        self.now += step.ms
        return stages

    def _others_run_on(self, step: ScenarioStep) -> bool:
        """Whether other brokers keep their tables, and the ghosts in them."""
        return bool(step.label) and len(self.scenario.brokers) > 1

    def _heartbeats_without_subscriptions(self) -> bool:
        """Heartbeat V2 between members with equal subscriptions: only the first heartbeat of each carries them."""
        lives = self.lives.values()
        return (
            bool(lives)
            and behaves(Feature.HEARTBEAT_V2, self.scenario.broker_version)
            and all(one.member.options.heartbeat_v2 for one in lives)
            and len({frozenset(one.subscriptions) for one in lives}) == 1
        )

    # versions

    def _set_version(self, member: Member, topic: str, low_ms: int, high_ms: int) -> None:
        offset = member.clock_offset_s * 1000
        self.versions[member.name, topic] = (low_ms + offset, high_ms + offset)

    def _raise(self, before: tuple[Shares, ...], joined: Iterable[str], reaction_ms: int) -> None:
        """Push members whose share of a topic changed take the time as its version once they have rebalanced.

        Where it is open whether the share changed, the version may also be what it was. Members that were there before
        learn of a newcomer after it has subscribed: where it gets no queue, they raise past it.
        """
        after = self._all_shares()
        newcomers = frozenset(joined)
        late = max(reaction_ms, self._reaction())
        for name, live in self.lives.items():
            if live.member.kind is not ClientKind.PUSH:
                continue
            for one in live.subscriptions:
                changed = [
                    old.get(one.topic, {}).get(name, ()) != new[one.topic][name]
                    for old, new in zip(before, after, strict=True)
                ]
                if self._hashes_blindly(self.lives):
                    changed = [True, False]
                if not any(changed):
                    continue
                self.stale.discard((name, one.topic))
                self.emptied = False
                joins = name in newcomers
                low, high = self.now + (not joins), self.now + (REACTION_MS if joins else late)
                known = self.versions.get((name, one.topic))
                offset = live.member.clock_offset_s * 1000
                if not all(changed) and known is not None:
                    low = min(low, known[0] - offset)
                self._set_version(live.member, one.topic, low, high)

    def _claim(self, live: Live, one: Subscription, departed: bool = False) -> Claim:
        low, high = self.versions.get((live.member.name, one.topic), (self.now, self.now))
        return Claim(live.member.name, one, low, high, departed)

    def _keep_sql(self, claims: Iterable[Claim]) -> None:
        for one in claims:
            if one.subscription.filter_type is FilterType.SQL92:
                self.old_sql.setdefault(one.subscription.topic, []).append(one)

    # shares

    def _hashes_blindly(self, lives: Mapping[str, Live]) -> bool:
        """Whether some member hashes the ids of several clients, and not all of them are known."""
        return (
            len(lives) > 1
            and any(one.member.options.strategy == ConsistentHash().name for one in lives.values())
            and any(one.member.client_id is None for one in lives.values())
        )

    def _variants(self) -> tuple[dict[str, Live], ...]:
        """Who takes part: without those of whom it is open, and with them."""
        return (self.lives, self.lives | self.perhaps)

    def _all_shares(self) -> tuple[Shares, ...]:
        return tuple(
            {topic: self._shares(topic, queues, lives) for topic, queues in self.scenario.topics}
            for lives in self._variants()
        )

    def _shares(self, topic: str, queues: int, lives: Mapping[str, Live]) -> dict[str, tuple[int, ...]]:
        """What each member's own allocation gives it; members that subscribe other topics count, too."""
        every = tuple(range(queues))
        order = [name for name in self.scenario.id_order if name in lives and not lives[name].unseen]
        real = {name: lives[name].member.client_id for name in order}
        known = [one for one in real.values() if one is not None]
        named = (
            {**real} if len(known) == len(real) else {one: _client_id(self.scenario, one) for one in order}
        )
        ids = [named[name] or "" for name in order]
        found: dict[str, tuple[int, ...]] = {}
        for name in order:
            member = lives[name].member
            if queues == 0 or (member.model is MessageModel.BROADCASTING and not lives[name].dead_id):
                found[name] = every
            else:
                strategy = member.options.strategy
                found[name] = shares_of(
                    strategy, named[name] or "", queues, ids, topic, self.scenario.brokers
                )
        return found

    def _reaction(self) -> int:
        """How long members may take to notice a change: at once if they are told, else their next rebalance."""
        if behaves(Feature.BROADCASTING_GROUP_NOTIFIED, self.scenario.broker_version):
            return REACTION_MS
        if not any(one.member.model is MessageModel.BROADCASTING for one in self.lives.values()):
            return REACTION_MS
        return self.scenario.timing.rebalance_ms + REACTION_MS

    # the situation

    def stages(self, cause: Message, reaction_ms: int, before: tuple[Shares, ...] = ()) -> list[Stage]:
        """The state the group comes to rest in if nothing else happens.

        Where members are not told, there is a stage before it in which they keep the shares they had.
        """
        self._note_flapping()
        found = []
        if before and reaction_ms > REACTION_MS:
            old = before[::-1] if self.perhaps else before
            kept = tuple(
                _keeping(one, shares) for one, shares in zip(self._situations(cause), old, strict=False)
            )
            found.append(Stage(self.now, self.now, kept))
        return [*found, Stage(self.now, self.now + reaction_ms, self._situations(cause))]

    def _situations(self, cause: Message) -> tuple[Situation, ...]:
        """Who takes part for sure comes last: that is the state to speak of where one is wanted."""
        without, with_all = self._variants()
        named = say("situation.counting", cause=cause, names=", ".join(self.perhaps))
        variants = [(named, with_all), (cause, without)] if self.perhaps else [(cause, without)]
        return tuple(
            Situation(
                words,
                tuple(lives.values()),
                tuple(self._topic_state(topic, queues, lives) for topic, queues in self.scenario.topics),
                tuple(sorted(self.stale)),
                owners_unknown=self._hashes_blindly(lives),
            )
            for words, lives in variants
        )

    def _note_flapping(self) -> None:
        """Remember since when heartbeats delete a topic: deletion ends ghosts and forgets versions."""
        cycle = self.scenario.timing.heartbeat_ms + REACTION_MS
        for topic, _ in self.scenario.topics:
            having, lacking = _parties(self.lives, topic)
            if having and lacking:
                began = self.flapping_since.setdefault(topic, self.now)
            elif topic in self.flapping_since:
                began = self.flapping_since.pop(topic)
                self.open_until[topic] = self.now + cycle
            else:
                continue
            if self.now - began >= cycle:
                self.ghosts.pop(topic, None)

    def _topic_state(self, topic: str, queues: int, lives: Mapping[str, Live]) -> TopicState:
        having, lacking = _parties(lives, topic)
        flaps = bool(having and lacking)
        own = [self._claim(one, subscription) for one in having if (subscription := one.subscription(topic))]
        claims = list(own)
        if lives:
            claims += self.ghosts.get(topic, [])
        if any(one.dead_id for one in lives.values()):
            claims += self.haunting.get(topic, [])
        settled = queues > 0 and not flaps and self.now >= self.open_until.get(topic, self.now)
        if settled:
            claims = list(_greatest(claims))
        rivals = [*own, *self.old_sql.get(topic, [])]
        return TopicState(
            topic,
            queues,
            tuple(self._shares(topic, queues, lives).items()),
            tuple(claims),
            tuple(_greatest(one for one in rivals if one.subscription.filter_type is FilterType.SQL92)),
            flaps,
            presence_of(having, lacking, self.scenario.timing.heartbeat_ms),
            absent=self.emptied,
        )


def _parties(lives: Mapping[str, Live], topic: str) -> tuple[list[Live], list[Live]]:
    """Whose heartbeats have a topic, and whose leave it out; frozen members and dead ids send none."""
    beating = [one for one in lives.values() if not one.dead_id and not one.unseen]
    having = [one for one in beating if one.subscription(topic) is not None]
    lacking = [one for one in beating if one.subscription(topic) is None and one.frozen_ms is None]
    return having, lacking


def _keeping(situation: Situation, before: Shares) -> Situation:
    """The situation in which old members have not noticed yet and keep their shares."""
    topics = tuple(
        replace(
            state,
            shares=tuple(
                (name, before.get(state.topic, {}).get(name, share)) for name, share in state.shares
            ),
        )
        for state in situation.topics
    )
    return replace(situation, topics=topics, cause=say("situation.unnoticed", cause=situation.cause))


def start_fails(scenario: Scenario, member: Member) -> bool:
    """Whether `start()` throws: the broker refuses SQL92, and the client asks it before it runs."""
    return (
        not scenario.property_filter
        and member.kind in (ClientKind.PUSH, ClientKind.LITE_PULL)
        and any(one.filter_type is FilterType.SQL92 for one in member.subscriptions)
    )


def shares_of(
    strategy: str, own_id: str, queues: int, ids: Sequence[str], topic: str, brokers: Sequence[str]
) -> tuple[int, ...]:
    """The queues, numbered over all brokers, that a member with this id gets by its strategy."""
    each = queues // len(brokers)
    listed = [MessageQueue(topic, broker, number) for broker in sorted(brokers) for number in range(each)]
    position = {one: index for index, one in enumerate(listed)}
    return tuple(sorted(position[one] for one in allocate(_STRATEGIES[strategy], own_id, listed, ids)))


def _client_id(scenario: Scenario, name: str) -> str:
    """A client id that sorts as the scenario says; members with one id share it."""
    shared = scenario.same_client_id
    name = shared[0] if name in shared else name
    return f"{scenario.id_order.index(name):03d}-{name}"


def _greatest(claims: Iterable[Claim]) -> Iterator[Claim]:
    """The claims whose version may be the greatest of all; the latest claim of a member stands for it."""
    latest: dict[tuple[str, bool], Claim] = {}
    for one in claims:
        held = latest.get((one.member, one.departed))
        if held is None or one.low_ms >= held.low_ms:
            latest[one.member, one.departed] = one
    floor = max((one.low_ms for one in latest.values()), default=0)
    return (one for one in latest.values() if one.high_ms >= floor)


def _last_ones(member: Member) -> tuple[Subscription, ...]:
    return tuple({one.topic: one for one in member.subscriptions}.values())


def _words(step: ScenarioStep) -> Message:
    names = ", ".join(step.members)
    match step.verb:
        case Verb.SUBSCRIBE:
            text = step.subscription.expression if step.subscription else ""
            return say("situation.subscribes", names=names, topic=step.topic, expression=text)
        case Verb.UNSUBSCRIBE:
            return say("situation.unsubscribes", names=names, topic=step.topic)
        case _:
            return say(f"situation.{step.verb.value}", names=names)

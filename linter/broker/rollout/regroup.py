"""Groups of their own for some members, one set of topics or one strategy for all: the orders of steps there.

Recorded runs say what a split needs. The offsets of the group are cloned before the member that leaves begins under
the new name: a group that is new to the broker starts at the end of an old topic, and what was sent while it changed
over is lost (22 of 22), or at the beginning of a young one, and everything comes again. From 5.x on the group must
exist for that (`Group not exist!`), so it is created first; and `mqadmin` asks for the group's topic for retries, which
a group of gRPC members alone has not. The members that stay are restarted last: the subscription of one that left
without a queue stays in the broker's table (415 of 415 lost until somebody restarted). While heartbeats delete a topic
from the table `cloneGroupOffset` passes over it and says that it succeeded; so where the members' topics differ, all
are stopped first. Queues that the group has never read have no offset to clone: members begin them at the first
message, and all stop at once, or the last one would begin them at their end. A BROADCASTING member keeps its offsets for
itself and begins at the end: its new instance is started before the old one stops.

Mirrors: CloneGroupOffsetSubCommand, DefaultMQPushConsumerImpl#computePullFromWhere by RebalancePushImpl,
ConsumerManager#unregisterConsumer, RocketMQ 4.8.0 to 5.3.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from subdrift.linter.broker.rollout.plan import (
    RUNS,
    TOPICS_MAX,
    Change,
    Do,
    Jobs,
    Order,
    Placement,
    Plan,
    RolloutError,
    Setting,
    State,
    Step,
    Way,
    check_size,
    is_tag,
    with_states,
)
from subdrift.linter.broker.versions import LATEST, Version
from subdrift.linter.broker.vocabulary import Subscription
from subdrift.linter.model.tags import parse_tags

if TYPE_CHECKING:
    from subdrift.linter.broker.rollout.judge import Judge


def split(
    setting: Setting,
    moves: Mapping[str, str],
    broker: Version = LATEST,
    client: Version = LATEST,
    property_filter: bool = True,
    runs: int = RUNS,
) -> Plan:
    """The ways to give members (`moves`: member -> name of its new group) groups of their own. Raises RolloutError."""
    from subdrift.linter.broker.rollout.judge import Judge

    _check(setting)
    unknown = sorted(set(moves) - {one.name for one in setting.members})
    if unknown:
        names = ", ".join(one.name for one in setting.members)
        raise RolloutError("rollout.no-member", name=repr(unknown[0]), names=names)
    if setting.group in moves.values():
        raise RolloutError("rollout.same-group", group=repr(setting.group))
    jobs = _jobs(setting, moves)
    judge = Judge(setting, (), jobs, broker, client, property_filter, runs)
    ways = _Split(setting, moves, _sent(setting, judge), property_filter)
    return _judged(setting, judge, ways.goal, Change.SPLIT, ways.all())


def orders_of_split(setting: Setting, moves: Mapping[str, str]) -> tuple[Order, ...]:
    """The orders that a split has, without what they cost: a finding says no more of them. Raises RolloutError."""
    _check(setting)
    ways = _Split(setting, moves, ())
    return tuple(one.order for one in ways.all())


def union(
    setting: Setting,
    broker: Version = LATEST,
    client: Version = LATEST,
    property_filter: bool = True,
    runs: int = RUNS,
) -> Plan:
    """The ways to let every member subscribe to every topic of the group. Raises RolloutError."""
    from subdrift.linter.broker.rollout.judge import Judge

    _check(setting)
    filters: dict[str, set[object]] = {}
    firsts: dict[str, Subscription] = {}
    for member in setting.members:
        for one in member.subscriptions:
            firsts.setdefault(one.topic, one)
            filters.setdefault(one.topic, set()).add(_meaning(one))
    torn = sorted(topic for topic, found in filters.items() if len(found) > 1)
    if torn:
        raise RolloutError("rollout.union-of-filters", topic=repr(torn[0]))
    judge = Judge(setting, (), None, broker, client, property_filter, runs)
    ways = _Union(setting, tuple(firsts.values()), _sent(setting, judge))
    return _judged(setting, judge, ways.goal, Change.UNION, ways.all())


def one_strategy(
    setting: Setting, strategy: str, broker: Version = LATEST, client: Version = LATEST, runs: int = RUNS
) -> Plan:
    """The ways to let every member divide the queues by one strategy. Raises RolloutError."""
    from subdrift.linter.broker.rollout.judge import Judge

    _check(setting)
    judge = Judge(setting, (), None, broker, client, runs=runs)
    ways = _OneStrategy(setting, strategy, _sent(setting, judge))
    return _judged(setting, judge, ways.goal, Change.ALIKE, ways.all())


def _meaning(one: Subscription) -> object:
    tags = parse_tags(one.expression) if one.filter_type.value == "TAG" else None
    return (
        (one.filter_type, tags.is_all, tags.tags) if tags is not None else (one.filter_type, one.expression)
    )


def _check(setting: Setting) -> None:
    check_size(setting)
    if len(setting.topics) > TOPICS_MAX:
        raise RolloutError("rollout.too-many-topics", topics=len(setting.topics), topics_max=TOPICS_MAX)


def _jobs(setting: Setting, moves: Mapping[str, str]) -> Jobs:
    """Who shares a group afterwards does one job; a BROADCASTING member does its own."""
    where = {one.name: moves.get(one.name, setting.group) for one in setting.members}
    return {
        name: tuple(other for other in setting.jobs.get(name, where) if where[other] == group)
        for name, group in where.items()
    }


def _judged(
    setting: Setting, judge: Judge, goal: tuple[Placement, ...], change: Change, ways: Iterable[Way]
) -> Plan:
    now = State(setting.placements(), _sent(setting, judge))
    (now_judged,) = judge.states([now])
    found = []
    for one in ways:
        states = judge.states([now, *(step.after for step in one.steps)])
        found.append(with_states(one, states[1:], setting.broadcasting))
    careful = [one for one in found if one.order is not Order.CARELESS]
    careful.sort(key=lambda one: (not one.is_safe, not one.is_once))
    careless = [one for one in found if one.order is Order.CARELESS]
    return Plan(
        setting.group,
        "",
        goal,
        change,
        now_judged,
        (*careful, *careless),
        judge.basis,
        setting.supposed(judge.client),
        namespace=setting.namespace,
        pops=setting.pops,
        shares=setting.shares,
    )


def _sent(setting: Setting, judge: Judge) -> tuple[tuple[str, str], ...]:
    return tuple((topic, label) for topic in setting.topics for label in judge.labels(topic))


class _Ways:
    """Orders of steps, not judged yet."""

    goal: tuple[Placement, ...]

    def __init__(self, setting: Setting, sent: tuple[tuple[str, str], ...]) -> None:
        self.setting, self.group, self.sent = setting, setting.group, sent
        self.now = setting.placements()
        topics = {frozenset(one.topic for one in each.subscriptions) for each in setting.members}
        self.torn = len(topics) > 1 or len({one.options.strategy for one in setting.members}) > 1
        """Whether the members' topics differ, or how they divide queues, so that nobody may have read some queues."""

    def state(self, placements: Iterable[Placement]) -> State:
        return State(tuple(placements), self.sent)

    def put(self, state: Sequence[Placement], names: Iterable[str]) -> tuple[Placement, ...]:
        """These members as they shall be, the others as they are."""
        goal = {one.member: one for one in self.goal}
        wanted = set(names)
        return tuple(goal[one.member] if one.member in wanted else one for one in state)


class _Split(_Ways):
    def __init__(
        self,
        setting: Setting,
        moves: Mapping[str, str],
        sent: tuple[tuple[str, str], ...],
        property_filter: bool = True,
    ) -> None:
        super().__init__(setting, sent)
        refused = not property_filter and any(
            not is_tag(one) for each in setting.members for one in each.subscriptions
        )
        self.torn = self.torn or refused  # where such a member was the last to tell the broker, nobody reads
        self.moves = moves
        self.goal = tuple(replace(one, group=moves.get(one.member, one.group)) for one in self.now)
        self.leaving = tuple(one.member for one in self.now if one.member in moves)
        self.staying = tuple(one.member for one in self.now if one.member not in moves)
        self.apart = tuple(one for one in self.leaving if one in setting.broadcasting)
        """Who keeps offsets for itself."""
        left = any(one in setting.broadcasting for one in self.leaving) and not all(
            one in setting.broadcasting for one in self.staying
        )
        self.from_first = self.torn or left
        """Whether queues may have no offset that somebody waits behind."""

    def all(self) -> Iterable[Way]:
        yield Way(Order.PAUSE, tuple(self._paused()))
        if not self.from_first and not self.apart:  # who keeps offsets for itself has none of a new group
            yield Way(Order.CAREFUL, tuple(self._careful()))
        yield Way(Order.CARELESS, tuple(self._careless()))

    def _clones(self, placements: Sequence[Placement]) -> Iterable[Step]:
        groups: dict[str, set[str]] = {}
        for member in self.leaving:
            if member not in self.apart:
                own = self.setting.member(member).subscriptions
                groups.setdefault(self.moves[member], set()).update(one.topic for one in own)
        if groups and self.setting.is_grpc:
            yield Step(Do.CREATE_RETRY_TOPIC, self.state(placements), group=self.group)
        for group in groups:
            with_all = tuple(
                one.member for one in self.goal if one.group == group and one.member in self.apart
            )
            yield Step(Do.CREATE_GROUP, self.state(placements), with_all, group)
        for group, topics in groups.items():
            yield Step(Do.CLONE_OFFSETS, self.state(placements), group=group, topics=tuple(sorted(topics)))

    def _beside(self) -> Iterable[Step]:
        """New instances of those that keep offsets for themselves, while the old ones run."""
        added = tuple(
            replace(one, group=self.moves[one.member], beside=True)
            for one in self.now
            if one.member in self.apart
        )
        for number, one in enumerate(added, 1):
            yield Step(Do.START_BESIDE, self.state((*self.now, *added[:number])), (one.member,), one.group)

    def _paused(self) -> Iterable[Step]:
        beside = tuple(self._beside())
        yield from beside
        kept = tuple(
            replace(one, group=self.moves[one.member], beside=True)
            for one in self.now
            if one.member in self.apart
        )
        everybody = tuple(one.member for one in self.now)
        yield Step(Do.STOP, self.state(kept), everybody, together=self.torn)
        yield from self._clones(kept)
        running = list(kept)
        for group in dict.fromkeys((*self.moves.values(), self.group)):
            come = [one for one in self.goal if one.group == group and one.member not in self.apart]
            running += come
            if come:
                names = tuple(one.member for one in come)
                yield Step(Do.START, self.state(running), names, group, from_first=self.from_first)

    def _careful(self) -> Iterable[Step]:
        yield from self._clones(self.now)
        state = self.now
        for name in self.leaving:
            state = self.put(state, [name])
            yield Step(Do.RESTART, self.state(state), (name,), self.moves[name], again=True)
        for name in self.staying:
            # the same subscription, registered anew: another client for the model
            state = tuple(replace(one, beside=True) if one.member == name else one for one in state)
            yield Step(Do.RESTART, self.state(state), (name,), self.group)

    def _careless(self) -> Iterable[Step]:
        state = self.now
        for name in self.leaving:
            state = self.put(state, [name])
            yield Step(Do.RESTART, self.state(state), (name,), self.moves[name], gap=True)


class _Union(_Ways):
    def __init__(
        self, setting: Setting, wanted: tuple[Subscription, ...], sent: tuple[tuple[str, str], ...]
    ) -> None:
        super().__init__(setting, sent)
        self.goal = tuple(
            replace(one, subscriptions=tuple(_own(one, each) for each in wanted)) for one in self.now
        )
        self.changed = tuple(
            new.member
            for old, new in zip(self.now, self.goal, strict=True)
            if len(old.subscriptions) < len(new.subscriptions)
        )

    def all(self) -> Iterable[Way]:
        if not self.changed:
            return
        names = tuple(one.member for one in self.now)
        yield Way(
            Order.PAUSE,
            (
                Step(Do.STOP, self.state(()), names, together=True),
                Step(
                    Do.START,
                    self.state(self.goal),
                    names,
                    self.group,
                    from_first=True,
                    topics=self.setting.topics,
                ),
            ),
        )
        yield Way(Order.CARELESS, tuple(self._restarts()))

    def _restarts(self) -> Iterable[Step]:
        """A member that has not been restarted takes over what another one leaves, and begins at the end."""
        state = self.now
        for name in self.changed:
            state = self.put(state, [name])
            yield Step(
                Do.RESTART, self.state(state), (name,), self.group, topics=self.setting.topics, gap=True
            )


class _OneStrategy(_Ways):
    """Queues that nobody owned have no offset: their owner begins them at their first message, where all stop first."""

    def __init__(self, setting: Setting, strategy: str, sent: tuple[tuple[str, str], ...]) -> None:
        super().__init__(setting, sent)
        self.goal = tuple(
            replace(one, options=replace(setting.member(one.member).options, strategy=strategy))
            for one in self.now
        )

    def all(self) -> Iterable[Way]:
        names = tuple(one.member for one in self.now)
        stopped, started = self.state(()), self.state(self.goal)
        yield Way(
            Order.PAUSE,
            (
                Step(Do.STOP, stopped, names, together=True),
                Step(Do.START, started, names, self.group, from_first=True),
            ),
        )
        states = [self.put(self.now, names[:number]) for number in range(1, len(names) + 1)]
        restarts = zip(names, states, strict=True)
        yield Way(
            Order.CAREFUL,
            tuple(Step(Do.RESTART, self.state(state), (name,), self.group) for name, state in restarts),
        )


def _own(placement: Placement, wanted: Subscription) -> Subscription:
    """What it asks for of the topic already, else what is wanted."""
    return next((one for one in placement.subscriptions if one.topic == wanted.topic), wanted)

"""Other tags for all members of a group: the tags to come to in, the orders of steps there out.

What only some members ask for must not be sent while old and new subscriptions meet: a new tag is sent when the last
member asks for it, an old one is no longer sent, and consumed to its end, before the first member gives it up. Of a group
that disagrees already, every tag that only some ask for is held back first: recorded runs lost 221 messages without that.
To replace tags, members ask for both in between. With a pause, where all members are stopped before the first one starts
again, nothing need be held back.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from subdrift.linter.broker.classes import OTHER_LABEL
from subdrift.linter.broker.rollout.judge import Judge
from subdrift.linter.broker.rollout.plan import (
    RUNS,
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
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, Subscription


def plan(
    setting: Setting,
    topic: str,
    goal: str,
    broker: Version = LATEST,
    client: Version = LATEST,
    jobs: Jobs | None = None,
    runs: int = RUNS,
) -> Plan:
    """The ways for members of one group, all subscribing the topic by tags. Raises RolloutError."""
    _check(setting, topic)
    wanted = Subscription(topic, FilterType.TAG, goal)
    judge = Judge(setting, (wanted,), jobs, broker, client, runs=runs)
    way = _Ways(setting, topic, goal, judge)
    ways = [
        Way(Order.CAREFUL, tuple(way.careful())),
        *([Way(Order.PAUSE, tuple(way.paused()))] if way.can_pause else []),
    ]
    careless = tuple(way.careless())
    now = State(setting.placements(), way.kinds(way.in_some))
    found = judge.states([now, *(one.after for each in ways for one in each.steps)])
    swift = judge.states([replace(now, sent=way.kinds(way.everything)), *(one.after for one in careless)])
    begin, judged = 1, []
    for one in ways:
        judged.append(with_states(one, found[begin : begin + len(one.steps)], setting.broadcasting))
        begin += len(one.steps)
    judged.sort(key=lambda one: (not one.is_safe, not one.is_once))
    return Plan(
        setting.group,
        topic,
        tuple(way.placed(dict.fromkeys(way.texts, goal))),
        _change(way.added, way.removed),
        found[0],
        (*judged, with_states(Way(Order.CARELESS, careless), swift[1:], setting.broadcasting)),
        judge.basis,
        setting.supposed(client),
        namespace=setting.namespace,
        pops=setting.pops,
        shares=setting.shares,
        lite=tuple(one.name for one in setting.members if one.kind is ClientKind.LITE_PULL),
    )


def _check(setting: Setting, topic: str) -> None:
    if not setting.members:
        raise RolloutError("rollout.no-subscriber", topic=repr(topic))
    check_size(setting)
    for one in setting.members:
        own = one.subscription(topic)
        if own is None:
            raise RolloutError("rollout.not-subscribed", name=one.name, topic=repr(topic))
        if not is_tag(own):
            raise RolloutError("rollout.by-sql", name=one.name, topic=repr(topic))


def _change(added: Sequence[str], removed: Sequence[str]) -> Change:
    if added and removed:
        return Change.REPLACE
    if added or removed:
        return Change.WIDEN if added else Change.NARROW
    return Change.NOTHING


class _Ways:
    """The orders of steps, not judged yet."""

    def __init__(self, setting: Setting, topic: str, goal: str, judge: Judge) -> None:
        self._setting, self._topic, self._goal = setting, topic, goal
        old = {one.name: own for one in setting.members if (own := one.subscription(topic)) is not None}
        self.texts = {name: one.expression or "*" for name, one in old.items()}
        tags = judge.labels(topic)
        new = Subscription(topic, FilterType.TAG, goal)
        in_all = [tag for tag in tags if all(judge.wants(one, tag) for one in old.values())]
        self.in_some = tuple(tag for tag in tags if any(judge.wants(one, tag) for one in old.values()))
        self._in_new = tuple(tag for tag in tags if judge.wants(new, tag))
        self.everything = tuple(dict.fromkeys((*self.in_some, *self._in_new)))
        self.added = tuple(tag for tag in self._in_new if tag not in in_all)
        self.removed = tuple(tag for tag in self.in_some if tag not in self._in_new)
        self._held = tuple(tag for tag in self.in_some if tag not in in_all)
        self._given_up = tuple(tag for tag in self.removed if tag in in_all)

    @property
    def can_pause(self) -> bool:
        """Whether a pause helps: the members disagree now, and nothing is given up that would have to be consumed first
        (a member that drops all it is sent moves no offset while more is sent)."""
        return bool(self._held) and not self.removed

    def kinds(self, tags: Iterable[str]) -> tuple[tuple[str, str], ...]:
        return tuple((self._topic, tag) for tag in tags)

    def placed(self, texts: Mapping[str, str]) -> Iterable[Placement]:
        """The members, asking for these tags."""
        for one in self._setting.members:
            new = Subscription(self._topic, FilterType.TAG, texts[one.name])
            if new.expression == self.texts[one.name]:
                yield Placement(one.name, self._setting.group, one.subscriptions)
                continue
            kept = (new if each.topic == self._topic else each for each in one.subscriptions)
            yield Placement(one.name, self._setting.group, tuple(kept))

    def _state(self, texts: Mapping[str, str], tags: Iterable[str]) -> State:
        return State(tuple(self.placed(texts)), self.kinds(tags))

    def _restarts(self, texts: Mapping[str, str], goal: str, tags: Sequence[str]) -> Iterable[Step]:
        """The members that change, one after the other."""
        state = dict(texts)
        for name in state:
            if state[name] != goal:
                state[name] = goal
                yield Step(Do.RESTART, self._state(state, tags), (name,), self._setting.group, goal)

    def careful(self) -> Iterable[Step]:
        """Hold back, widen, let the producers change over, narrow; each part only where there is something to do."""
        sent = tuple(tag for tag in self.in_some if tag not in self._held)
        if self._held:
            yield from self._stopped(self._held, self.texts, sent)
        state: Mapping[str, str] = self.texts
        added = self.added
        if added and self._given_up:
            both = _listed((*self._in_new, *self._given_up))
            yield from self._restarts(state, both, sent)
            state = dict.fromkeys(state, both)
            sent = (*sent, *added)
            yield Step(Do.START_SENDING, self._state(state, sent), tags=added)
            added = ()
        if self._given_up:
            sent = tuple(tag for tag in sent if tag not in self._given_up)
            yield from self._stopped(self._given_up, state, sent)
        yield from self._restarts(state, self._goal, sent)
        if added:
            state = dict.fromkeys(state, self._goal)
            yield Step(Do.START_SENDING, self._state(state, (*sent, *added)), tags=added)

    def _stopped(
        self, tags: tuple[str, ...], texts: Mapping[str, str], sent: Sequence[str]
    ) -> Iterable[Step]:
        yield Step(Do.STOP_SENDING, self._state(texts, sent), tags=tags)
        if self._setting.is_grpc:
            yield Step(Do.CREATE_RETRY_TOPIC, self._state(texts, sent), group=self._setting.group)
        apart = tuple(one for one in texts if one in self._setting.broadcasting)
        yield Step(Do.WAIT_UNTIL_CONSUMED, self._state(texts, sent), apart, tags=tags)

    def paused(self) -> Iterable[Step]:
        """Stop all, start all."""
        members = tuple(self.texts)
        yield Step(Do.STOP, State((), self.kinds(self.in_some)), members)
        goal = self._state(dict.fromkeys(self.texts, self._goal), self._in_new)
        yield Step(Do.START, goal, members, self._setting.group, self._goal)

    def careless(self) -> Iterable[Step]:
        """The restarts alone, while all old and new tags are sent."""
        return self._restarts(self.texts, self._goal, self.everything)


def _listed(tags: Iterable[str]) -> str:
    listed = list(tags)
    return "*" if OTHER_LABEL in listed else " || ".join(sorted(listed))

"""Changing the tags a group filters a topic by: its members and the goal in, the order of steps that loses nothing out.

While members are restarted one after the other, old and new subscriptions meet in one group, and the broker keeps only one
of them. So what only some members want must not be sent meanwhile: a new tag is sent when the last member asks for it, an
old one is no longer sent, and consumed to its end, before the first member gives it up. To replace tags, members ask for
both in between. Every state between two steps is judged like any scenario: the closed form says what may be lost, runs of
the event model how much that usually is. The careless order, one restart after the other while everything is sent, is judged
beside it.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.broker import predict
from subdrift.linter.broker.fates import Fate
from subdrift.linter.broker.scenario import Member, Message, Scenario, ScenarioStep, Timing, Verb
from subdrift.linter.broker.simulation.result import Standing
from subdrift.linter.broker.simulation.run import simulate
from subdrift.linter.broker.versions import LATEST, Version
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, Subscription
from subdrift.linter.model.message import UnusableError
from subdrift.linter.model.prediction import NONE, Basis, Share
from subdrift.linter.model.tags import TagFilter, parse_tags

MEMBERS_MAX: Final = 12
"""Members whose rollout is worked out; each is two more states to judge."""
TAGS_MAX: Final = 24
"""Tags that the old and new subscriptions may name together."""
RUNS: Final = 10
"""Runs of the event model for the usual loss."""
AT_REST_MS: Final = 25_000
"""Within this time every member has noticed a restart, also where the broker does not tell."""
APART_MS: Final = 3_000
OTHER: Final = "other tags"
_OTHER_TAG: Final = "?other?"


class Change(Enum):
    """What the goal does to the tags that the members ask for now."""

    NOTHING = "nothing"
    WIDEN = "widen"
    NARROW = "narrow"
    REPLACE = "replace"


class Do(Enum):
    """One thing to do; the comment says which fields of a step count."""

    RESTART = "restart"  # member, expression
    STOP_SENDING = "stop-sending"  # tags
    WAIT_UNTIL_CONSUMED = "wait-until-consumed"  # tags
    START_SENDING = "start-sending"  # tags


class TagLoss(Struct, frozen=True):
    """What becomes of the messages of one tag that are sent in a state."""

    tag: str
    lost: Share
    stuck: Share
    usually: Fraction
    """The part that is lost in simulated runs, on average."""


class State(Struct, frozen=True):
    """The group between two steps."""

    expressions: tuple[tuple[str, str], ...]
    """Member and its expression."""
    sent: tuple[str, ...]
    losses: tuple[TagLoss, ...] = ()
    """Of every tag that is sent, in that order."""

    @property
    def is_safe(self) -> bool:
        """Whether nothing that is sent can be lost or stay unread."""
        return not any(one.lost.is_possible or one.stuck.is_possible for one in self.losses)


class RolloutStep(Struct, frozen=True):
    """One thing to do, and the group after it."""

    do: Do
    after: State
    member: str = ""
    expression: str = ""
    tags: tuple[str, ...] = ()


class Rollout(Struct, frozen=True):
    """The way from what members ask for to what they shall ask for."""

    topic: str
    goal: str
    change: Change
    now: State
    careful: tuple[RolloutStep, ...]
    careless: tuple[RolloutStep, ...]
    """The restarts alone, while all old and new tags are sent."""
    basis: Basis


class RolloutError(UnusableError):
    """The rollout cannot be worked out; the text says why and what would help."""


def plan(
    topic: str,
    members: Sequence[Member],
    goal: str,
    queues: int = 4,
    broker: Version = LATEST,
    client: Version = LATEST,
) -> Rollout:
    """The order of steps for members of one group, all subscribing the topic by tags. Raises RolloutError."""
    old = _old(topic, members)
    wanted = parse_tags(goal)
    tags = _tags([*old.values(), wanted])
    in_all = [tag for tag in tags if all(_wants(one, tag) for one in old.values())]
    in_some = [tag for tag in tags if any(_wants(one, tag) for one in old.values())]
    in_new = [tag for tag in tags if _wants(wanted, tag)]
    added = tuple(tag for tag in in_new if tag not in in_all)
    removed = tuple(tag for tag in in_some if tag not in in_new)
    texts = {one.name: _expression(one, topic) for one in members}
    judge = _Judge(topic, members, queues, broker, client)

    everything = tuple(dict.fromkeys((*in_some, *in_new)))
    careless = [
        RolloutStep(Do.RESTART, State(tuple(state.items()), everything), name, goal)
        for name, state in _restarts(texts, dict.fromkeys(texts, goal))
    ]
    careful = list(_careful(texts, goal, tuple(in_some), added, removed, old, wanted))
    now = State(tuple(texts.items()), tuple(in_some))
    found = judge.states([now, *(one.after for one in careful)])
    swift = judge.states([replace(now, sent=everything), *(one.after for one in careless)])
    return Rollout(
        topic,
        goal,
        _change(added, removed),
        found[0],
        tuple(replace(one, after=state) for one, state in zip(careful, found[1:], strict=True)),
        tuple(replace(one, after=state) for one, state in zip(careless, swift[1:], strict=True)),
        judge.basis,
    )


def _old(topic: str, members: Sequence[Member]) -> dict[str, TagFilter]:
    if not members:
        raise RolloutError("rollout.no-subscriber", topic=repr(topic))
    if len(members) > MEMBERS_MAX:
        raise RolloutError("rollout.too-many-members", members=len(members), members_max=MEMBERS_MAX)
    found = {}
    for one in members:
        own = one.subscription(topic)
        if own is None:
            raise RolloutError("rollout.not-subscribed", name=one.name, topic=repr(topic))
        if own.filter_type is not FilterType.TAG:
            raise RolloutError("rollout.by-sql", name=one.name, topic=repr(topic))
        found[one.name] = parse_tags(own.expression)
    return found


def _tags(filters: Iterable[TagFilter]) -> list[str]:
    listed = list(filters)
    tags = sorted({tag for one in listed for tag in one.tags})
    if len(tags) > TAGS_MAX:
        raise RolloutError("rollout.too-many-tags", tags=len(tags), tags_max=TAGS_MAX)
    return [*tags, *([OTHER] if any(one.is_all for one in listed) else [])]


def _wants(one: TagFilter, tag: str) -> bool:
    return one.is_all or tag in one.tags


def _expression(member: Member, topic: str) -> str:
    own = member.subscription(topic)
    return (own.expression if own is not None else "") or "*"


def _change(added: Sequence[str], removed: Sequence[str]) -> Change:
    if added and removed:
        return Change.REPLACE
    if added or removed:
        return Change.WIDEN if added else Change.NARROW
    return Change.NOTHING


def _restarts(texts: dict[str, str], goal: dict[str, str]) -> Iterable[tuple[str, dict[str, str]]]:
    """The members that change, one after the other, each with what all ask for then."""
    state = dict(texts)
    for name in texts:
        if state[name] != goal[name]:
            state = {**state, name: goal[name]}
            yield name, state


def _careful(
    texts: dict[str, str],
    goal: str,
    sent: tuple[str, ...],
    added: tuple[str, ...],
    removed: tuple[str, ...],
    old: dict[str, TagFilter],
    wanted: TagFilter,
) -> Iterable[RolloutStep]:
    """Widen, let the producers change over, narrow; each part only where there is something to do."""
    state = dict(texts)
    asked = tuple(tag for tag in sent if tag not in added)

    def at(tags: tuple[str, ...]) -> State:
        return State(tuple(state.items()), tags)

    held_back = tuple(tag for tag in added if tag in sent)
    if held_back:
        yield RolloutStep(Do.STOP_SENDING, at(asked), tags=held_back)
        yield RolloutStep(Do.WAIT_UNTIL_CONSUMED, at(asked), tags=held_back)
    both = goal
    if removed:
        every = [*old.values(), wanted]
        both = "*" if any(one.is_all for one in every) else " || ".join(_tags(every))
    if added and both != goal:
        for name, changed in _restarts(state, dict.fromkeys(texts, both)):
            state = changed
            yield RolloutStep(Do.RESTART, at(asked), name, both)
        asked = (*asked, *added)
        yield RolloutStep(Do.START_SENDING, at(asked), tags=added)
    if removed:
        asked = tuple(tag for tag in asked if tag not in removed)
        yield RolloutStep(Do.STOP_SENDING, at(asked), tags=removed)
        yield RolloutStep(Do.WAIT_UNTIL_CONSUMED, at(asked), tags=removed)
    for name, changed in _restarts(state, dict.fromkeys(texts, goal)):
        state = changed
        yield RolloutStep(Do.RESTART, at(asked), name, goal)
    if added and both == goal:
        asked = (*asked, *added)
        yield RolloutStep(Do.START_SENDING, at(asked), tags=added)


class _Judge:
    """Says of states that follow each other what becomes of the messages sent in each."""

    def __init__(
        self, topic: str, members: Sequence[Member], queues: int, broker: Version, client: Version
    ) -> None:
        self._topic, self._members, self._queues = topic, members, queues
        self._broker, self._client = broker, client
        unrecorded = any(one.kind is ClientKind.GRPC for one in members)
        self.basis = Basis.SOURCE if unrecorded else Basis.RECORDED

    def states(self, states: Sequence[State]) -> list[State]:
        """The same states with their losses."""
        scenario = self._scenario(states)
        predicted = predict.run(scenario, timeline=False)
        ends = {
            one.id: tuple(end.fate for end in one.ends)
            for phase in predicted.phases
            for one in phase.messages
        }
        runs = [{one.message: one.fate for one in simulate(scenario, seed).fates} for seed in range(RUNS)]
        lost = (Standing.LOST, Standing.PASSED)
        found = []
        for number, state in enumerate(states, 1):
            losses = []
            for tag in state.sent:
                ids = [_id(number, tag, queue) for queue in range(self._queues)]
                usually = Fraction(sum(run[one] in lost for run in runs for one in ids), len(ids) * RUNS)
                fates = [ends[one] for one in ids]
                losses.append(TagLoss(tag, _part(fates, Fate.LOST), _part(fates, Fate.STUCK), usually))
            found.append(replace(state, losses=tuple(losses)))
        return found

    def _scenario(self, states: Sequence[State]) -> Scenario:
        """All states one after the other; a member with another expression is another client in its place."""
        clients: dict[tuple[str, str], Member] = {}
        for state in states:
            for name, text in state.expressions:
                if (name, text) not in clients:
                    clients[name, text] = self._client_of(name, text, len(clients))
        order = tuple(
            client.name
            for member in self._members
            for (name, _), client in clients.items()
            if name == member.name
        )
        steps: list[ScenarioStep] = []
        for name, text in states[0].expressions:
            steps += [
                ScenarioStep(Verb.START, (clients[name, text].name,)),
                ScenarioStep(Verb.WAIT, ms=APART_MS),
            ]
        steps += self._asked(1)
        for number, (before, after) in enumerate(pairwise(states), 2):
            for (name, old), (_, new) in zip(before.expressions, after.expressions, strict=True):
                if old != new:
                    steps += [
                        ScenarioStep(Verb.STOP, (clients[name, old].name,)),
                        ScenarioStep(Verb.WAIT, ms=APART_MS),
                        ScenarioStep(Verb.START, (clients[name, new].name,)),
                    ]
            steps += self._asked(number)
        topics = {one.topic: self._queues for member in self._members for one in member.subscriptions}
        return Scenario(
            id="rollout",
            description="",
            topics=tuple({self._topic: self._queues, **topics}.items()),
            brokers=("b",),
            timing=Timing.DEFAULT,
            members=tuple(clients.values()),
            id_order=order,
            id_order_given=False,
            same_client_id=(),
            steps=tuple(steps),
            messages=tuple(
                Message(
                    _id(number, tag, queue),
                    self._topic,
                    queue,
                    _OTHER_TAG if tag == OTHER else tag,
                    phase=number,
                )
                for number, state in enumerate(states, 1)
                for tag in state.sent
                for queue in range(self._queues)
            ),
            classes=(),
            broker_config=(("enablePropertyFilter", "true"),),
            pop=False,
            broker_version=self._broker,
            client_version=self._client,
        )

    def _client_of(self, name: str, text: str, number: int) -> Member:
        member = next(one for one in self._members if one.name == name)
        others = tuple(one for one in member.subscriptions if one.topic != self._topic)
        return replace(
            member,
            name=f"{number}:{name}",
            subscriptions=(*others, Subscription(self._topic, FilterType.TAG, text)),
            client_id=None,
        )

    def _asked(self, number: int) -> list[ScenarioStep]:
        return [
            ScenarioStep(Verb.SETTLE, ms=AT_REST_MS),
            ScenarioStep(Verb.SEND, phase=number),
            ScenarioStep(Verb.JUDGE),
        ]


def _id(number: int, tag: str, queue: int) -> str:
    return f"{number}.{tag}.{queue}"


def _part(cases: Sequence[Sequence[Fate]], fate: Fate) -> Share:
    """The fraction of messages that end so: in every case, and in some."""
    if not cases:
        return NONE
    return Share(
        Fraction(sum(all(each is fate for each in one) for one in cases), len(cases)),
        Fraction(sum(fate in one for one in cases), len(cases)),
    )

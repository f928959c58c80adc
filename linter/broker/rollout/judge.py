"""What becomes of messages in each state of a plan: states that follow each other in, the same with their losses out.

Every group is a scenario of its own: all states one after the other, where a member with another subscription or in
another group is another client. A message counts as handled by a job if one of its members receives it in any group.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.broker import predict
from subdrift.linter.broker.classes import Kind, kinds
from subdrift.linter.broker.fates import Fate, sieve_of
from subdrift.linter.broker.rollout.plan import (
    RUNS,
    TAGS_MAX,
    Jobs,
    Loss,
    Placement,
    RolloutError,
    Setting,
    State,
)
from subdrift.linter.broker.scenario import Member, Message, Scenario, ScenarioStep, Timing, Verb
from subdrift.linter.broker.simulation.result import Standing
from subdrift.linter.broker.simulation.run import simulate
from subdrift.linter.broker.versions import LATEST, Version
from subdrift.linter.broker.vocabulary import ClientKind, Subscription
from subdrift.linter.model.prediction import NONE, Basis, Share

AT_REST_MS: Final = 25_000
"""Within this time every member has noticed a restart, also where the broker does not tell."""
APART_MS: Final = 3_000


class Judge:
    """Judges states of the groups of one plan."""

    def __init__(
        self,
        setting: Setting,
        goal: Iterable[Subscription] = (),
        jobs: Jobs | None = None,
        broker: Version = LATEST,
        client: Version = LATEST,
        property_filter: bool = True,
        runs: int = RUNS,
    ) -> None:
        """`goal`: what members shall ask for beside what they ask for now. `runs` 0: nothing is said of what is usual."""
        self._setting, self._broker, self.client, self._runs = setting, broker, client, runs
        self._property_filter = property_filter
        self._jobs = dict(jobs or setting.jobs)
        self._listeners_change = not jobs
        """Whether who asks for more handles more; else it is what members ask for now that their listeners handle."""
        every = [*goal, *(one for each in setting.members for one in each.subscriptions)]
        self._wishes = every
        self._kinds = {topic: self._told_apart(topic) for topic in dict.fromkeys(one.topic for one in every)}
        grpc = any(one.kind is ClientKind.GRPC for one in setting.members)
        self.basis = Basis.SOURCE if grpc else Basis.RECORDED

    def _told_apart(self, topic: str) -> dict[str, Kind]:
        sieves = [sieve_of(one, self._broker) for one in self._wishes if one.topic == topic]
        tags = {tag for one in sieves if one.tags is not None for tag in one.tags.tags}
        if len(tags) > TAGS_MAX:
            raise RolloutError("rollout.too-many-tags", tags=len(tags), tags_max=TAGS_MAX)
        found, _ = kinds(sieves)
        return {one.label: one for one in found if any(each.wants(one.content) for each in sieves)}

    def labels(self, topic: str) -> tuple[str, ...]:
        """The kinds of messages of a topic that somebody asks for or shall ask for."""
        return tuple(self._kinds.get(topic, ()))

    def wants(self, subscription: Subscription, label: str) -> bool:
        """Whether a subscription asks for a kind of message of its topic."""
        kind = self._kinds[subscription.topic][label]
        return sieve_of(subscription, self._broker).wants(kind.content)

    # judging

    def states(self, states: Sequence[State]) -> list[State]:
        """The same states with their losses."""
        groups = list(dict.fromkeys(one.group for state in states for one in state.placements))
        seen = [self._seen(group, states) for group in groups]
        return [replace(state, losses=tuple(self._losses(state, n, seen))) for n, state in enumerate(states)]

    def _losses(self, state: State, number: int, seen: "Sequence[_Seen]") -> Iterable[Loss]:
        if not state.placements:
            return
        for topic, label in state.sent:
            for job in self._wanting(topic, label, state):
                waiting = not any(self._does(one.member, job) for one in state.placements)
                if waiting:
                    continue
                yield self._loss(state, number, topic, label, job, seen)

    def _wanting(self, topic: str, label: str, state: State) -> Iterable[tuple[str, ...]]:
        """The jobs that a kind of message belongs to: those of members that ask for it now, or in the state."""
        if not self._jobs:
            return [()]
        placed = (*self._setting.placements(), *(state.placements if self._listeners_change else ()))
        asked = [
            self._jobs.get(each.member, ())
            for each in placed
            for one in each.subscriptions
            if one.topic == topic and self.wants(one, label)
        ]
        return dict.fromkeys(asked)

    def _times(self, receivers: Sequence[str], job: tuple[str, ...]) -> int:
        """How often a job does it; BROADCASTING members, each of which shall have it, by the one that has it most often."""
        doing = [one for one in receivers if self._does(one, job)]
        each = self._setting.broadcasting.issuperset(doing)
        return max(Counter(doing).values(), default=0) if each else len(doing)

    def _does(self, member: str, job: tuple[str, ...]) -> bool:
        return not job or member in job

    def _loss(
        self, state: State, number: int, topic: str, label: str, job: tuple[str, ...], seen: "Sequence[_Seen]"
    ) -> Loss:
        def mine(members: Iterable[str]) -> int:
            return sum(self._does(one, job) for one in members)

        groups = {one.group for one in state.placements if self._does(one.member, job)}
        here = [one for one in seen if one.group in groups]
        queues = range(dict(self._setting.queues).get(topic, 0))
        lost, stuck, twice = [], [], []
        usually = Fraction(0)
        for queue in queues:
            found = [one.ends(number, topic, label, queue) for one in here]
            ends = [each for each in found if each]
            if not ends:
                continue
            missed = [[_missed(end, mine) for end in each] for each in ends]
            lost.append(_all_of(missed, "lost"))
            stuck.append(_all_of(missed, "stuck"))
            got = [[self._times(end.receivers, job) for end in each] for each in ends]
            again = sum(max(each) for each in got) > 1 or self._is_contested(state, job)
            twice.append((sum(min(each) for each in got) > 1, again))
            usually += self._usually((number, topic, label, queue), mine, here)
        asked = any(
            self._does(one.member, job) and each.topic == topic and self.wants(each, label)
            for one in state.placements
            for each in one.subscriptions
        )
        part = usually / len(queues) if queues else Fraction(0)
        return Loss(topic, label, job, _share(lost), _share(stuck), _share(twice), part, asked)

    def _is_contested(self, state: State, job: tuple[str, ...]) -> bool:
        """Whether a member that does the job pops beside others of its group that pull: these set the group's offsets back,
        and it is given again, up to four times, what it has handled (recorded)."""
        popping = {one.name for one in self._setting.members if one.kind is ClientKind.GRPC}
        pulling = {one.group for one in state.placements if one.member not in popping}
        return not self._setting.pop and any(
            one.group in pulling and self._does(one.member, job)
            for one in state.placements
            if one.member in popping
        )

    def _usually(
        self, place: tuple[int, str, str, int], mine: Callable[[Iterable[str]], int], seen: "Sequence[_Seen]"
    ) -> Fraction:
        """The part of simulated runs in which the message is lost for a job."""
        if not self._runs:
            return Fraction(0)
        lost = 0
        for run in range(self._runs):
            stories = [story for one in seen if (story := one.story(run, *place)) is not None]
            handled = any(mine(members) for _, members in stories)
            waits = all(standing is Standing.WAITING for standing, _ in stories)
            lost += bool(stories) and not handled and not waits
        return Fraction(lost, self._runs)

    # one group

    def _seen(self, group: str, states: Sequence[State]) -> "_Seen":
        clients: dict[Placement, str] = {}
        for state in states:
            for one in state.placements:
                if one.group == group and one not in clients:
                    clients[one] = f"{len(clients)}:{one.member}"
        scenario = self._scenario(group, states, clients)
        members = {name: one.member for one, name in clients.items()}
        predicted = predict.run(scenario, timeline=False)
        ends = {
            one.id: tuple(_Case(end.fate, tuple(members[each] for each in end.receivers)) for end in one.ends)
            for phase in predicted.phases
            for one in phase.messages
        }
        stories = [
            {
                one.message: (one.fate, tuple(members[each] for each in one.members))
                for one in simulate(scenario, seed).fates
            }
            for seed in range(self._runs)
        ]
        return _Seen(group, ends, stories)

    def _scenario(self, group: str, states: Sequence[State], clients: Mapping[Placement, str]) -> Scenario:
        """All states one after the other."""
        here = [tuple(one for one in state.placements if one.group == group) for state in states]
        order = [
            name
            for member in self._setting.members
            for one, name in clients.items()
            if one.member == member.name
        ]
        steps: list[ScenarioStep] = []
        for one in here[0]:
            steps += [ScenarioStep(Verb.START, (clients[one],)), ScenarioStep(Verb.WAIT, ms=APART_MS)]
        steps += _asked(1) if here[0] else []
        for number, (before, after) in enumerate(pairwise(here), 2):
            for one in before:
                if one not in after:
                    steps += [ScenarioStep(Verb.STOP, (clients[one],)), ScenarioStep(Verb.WAIT, ms=APART_MS)]
            for one in after:
                if one not in before:
                    steps += [ScenarioStep(Verb.START, (clients[one],)), ScenarioStep(Verb.WAIT, ms=APART_MS)]
            steps += _asked(number) if after else []
        queues = dict(self._setting.queues)
        return Scenario(
            id="rollout",
            description="",
            topics=tuple(queues.items()),
            brokers=("b",),
            timing=Timing.DEFAULT,
            members=tuple(self._client_of(one, name) for one, name in clients.items()),
            id_order=tuple(order),
            id_order_given=False,
            same_client_id=(),
            steps=tuple(steps),
            messages=tuple(self._messages(states, here)),
            classes=(),
            broker_config=(("enablePropertyFilter", str(self._property_filter).lower()),),
            pop=self._setting.pop and group == self._setting.group,
            proxy_apart=self._setting.proxy_apart and self._setting.is_grpc,
            broker_version=self._broker,
            client_version=self.client,
        )

    def _messages(self, states: Sequence[State], here: Sequence[Sequence[Placement]]) -> Iterable[Message]:
        for number, (state, present) in enumerate(zip(states, here, strict=True)):
            for topic, label in state.sent if present else ():
                content = self._kinds[topic][label].content
                for queue in range(dict(self._setting.queues).get(topic, 0)):
                    where = _id(number, topic, label, queue)
                    yield Message(where, topic, queue, content.tag, content.properties, number + 1)

    def _client_of(self, one: Placement, name: str) -> Member:
        member = self._setting.member(one.member)
        return replace(
            member,
            name=name,
            subscriptions=one.subscriptions,
            options=one.options or member.options,
            client_id=None,
        )


class _Case(Struct, frozen=True):
    """One possible end of a message in one group."""

    fate: Fate
    receivers: tuple[str, ...]
    """Members of the plan."""


class _Seen(Struct, frozen=True):
    """What the models say of one group, message by message."""

    group: str
    _ends: dict[str, tuple[_Case, ...]]
    _stories: list[dict[str, tuple[Standing, tuple[str, ...]]]]

    def ends(self, number: int, topic: str, label: str, queue: int) -> tuple[_Case, ...]:
        """Its possible ends; none where nobody is in the group."""
        return self._ends.get(_id(number, topic, label, queue), ())

    def story(
        self, run: int, number: int, topic: str, label: str, queue: int
    ) -> tuple[Standing, tuple[str, ...]] | None:
        """What became of it in a simulated run."""
        return self._stories[run].get(_id(number, topic, label, queue))


def _asked(number: int) -> list[ScenarioStep]:
    return [
        ScenarioStep(Verb.SETTLE, ms=AT_REST_MS),
        ScenarioStep(Verb.SEND, phase=number),
        ScenarioStep(Verb.JUDGE),
    ]


def _id(number: int, topic: str, label: str, queue: int) -> str:
    return f"{number}.{topic}.{label}.{queue}"


def _missed(end: _Case, mine: Callable[[Iterable[str]], int]) -> str:
    """What a message's end is for a job: handled, stuck, or lost."""
    if mine(end.receivers):
        return "handled"
    if end.fate is Fate.STUCK:
        return "stuck"
    return "handled" if end.fate is Fate.DELAYED else "lost"


def _all_of(groups: Sequence[Sequence[str]], what: str) -> tuple[bool, bool]:
    """Whether a message comes to this in every case, and in some: in no group it is handled, and in one comes to this."""
    unhandled = [[one != "handled" for one in each] for each in groups]
    some = all(any(each) for each in unhandled) and any(what in each for each in groups)
    every = all(all(each) for each in unhandled) and any(all(one == what for one in each) for each in groups)
    return every, some


def _share(cases: Sequence[tuple[bool, bool]]) -> Share:
    """The fraction of messages of which something holds: in every case, and in some."""
    if not cases:
        return NONE
    return Share(
        Fraction(sum(every for every, _ in cases), len(cases)),
        Fraction(sum(some for _, some in cases), len(cases)),
    )

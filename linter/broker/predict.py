"""The what-if desk: a scenario in, every message's possible ends with the steps that lead there out.

The ends come from the closed form. One run of the event model, always with the same seed, is added as an example of
how such a history looks in time: heartbeats, rebalances, refused pulls and the broker's table. Which of several winners is
likely, most of a number of such runs say.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.broker.classes import kinds
from subdrift.linter.broker.fates import Content, Fate, sieve_of
from subdrift.linter.broker.observed import observed_in
from subdrift.linter.broker.outcomes import Possibility, Question, possibilities
from subdrift.linter.broker.scenario import Message, Scenario, TagClass
from subdrift.linter.broker.scenario.given import Given
from subdrift.linter.broker.simulation.result import SimulationResult
from subdrift.linter.broker.simulation.run import simulate, usual_winners
from subdrift.linter.broker.simulation.trace import Kind, TraceEvent
from subdrift.linter.broker.situations import sendings, start_fails
from subdrift.linter.broker.states import Claim, Sending, Situation
from subdrift.linter.broker.vocabulary import ClientKind
from subdrift.linter.model.prediction import Basis, MemberShare, Share, StartFailure, Step, StepCode

TIMELINE_SEED: Final = 0
LIKELY_RUNS: Final = 31
"""Runs of the event model whose majority says which winner is likely: right in 92 % of 963 recorded races, one run in 74 %."""
LIKELY_EVENTS_MAX: Final = 60_000
"""Events of all these runs together; a large scenario has fewer runs."""
TIMELINE_KINDS: Final = (
    Kind.STEP,
    Kind.HEARTBEAT,
    Kind.HEARTBEAT_DROPPED,
    Kind.TABLE,
    Kind.CLIENT_IDS,
    Kind.NOTIFY,
    Kind.REBALANCE,
    Kind.SHARE,
    Kind.RAISE,
    Kind.START_FAILED,
)


class Winner(Struct, frozen=True):
    """One way the race for a topic's subscription can end."""

    member: str | None
    """None: nobody who reads the queue depends on the table."""
    expression: str | None
    applied: str | None
    """The expression the broker filters by; another one than the winner's only with SQL92."""
    departed: bool
    """The winner has left; its subscription stays in force."""
    version_ms: tuple[int, int] | None
    """Between which times its version was set, ms after the scenario began, as its own clock says."""


class End(Struct, frozen=True):
    """One possible end of a message."""

    fate: Fate
    receivers: tuple[str, ...]
    unexpected: tuple[str, ...]
    winner: Winner | None
    delay_ms: int | None
    """So long it may wait for the heartbeat that brings its topic back into the table; None: without a bound."""
    possibility: Possibility
    """With the steps that explain it."""


class MessageResult(Struct, frozen=True):
    """One message, or one class of messages in one queue, with all its possible ends."""

    id: str
    topic: str
    queue: int
    offset: int | None
    """Its place in the queue; None for a class."""
    tag: str | None
    properties: tuple[tuple[str, str], ...]
    wanted_by: tuple[str, ...]
    ends: tuple[End, ...]

    @property
    def certain(self) -> Fate | None:
        """Its fate if every end has the same, else None; who receives it may still be open, `ends` say so."""
        return self.fates[0] if len(self.fates) == 1 else None

    @property
    def is_unreceived(self) -> bool:
        """Whether in no end anybody receives it; only whether it is passed over, and when, may be open."""
        return not any(one.receivers for one in self.ends)

    @property
    def is_not_lost(self) -> bool:
        """Whether it is passed over in no end: it is delivered, or waits for its topic to come back into the table."""
        return {*self.fates} <= {Fate.DELIVERED, Fate.DELAYED}

    @property
    def fates(self) -> tuple[Fate, ...]:
        return tuple(dict.fromkeys(one.fate for one in self.ends))


class ClassResult(Struct, frozen=True):
    """All messages of one kind, under one winner: the shares that end so and so."""

    topic: str
    label: str
    wanted_by: tuple[str, ...]
    winner: Winner | None
    count: int
    """Messages, or queues for a class that is spread evenly."""
    shares: tuple[tuple[Fate, Share], ...]
    members: tuple[MemberShare, ...]
    duplicate: Share

    def share(self, fate: Fate) -> Share:
        return dict(self.shares).get(fate, Share.exactly(0))


class TopicResult(Struct, frozen=True):
    """One topic while the messages of a phase are judged."""

    topic: str
    queues: int
    shares: tuple[tuple[str, tuple[int, ...]], ...]
    """In the state the group comes to rest in; a member that does not subscribe the topic leaves its share unread."""
    winners: tuple[Winner, ...]
    likely: str | None
    """The expression that won most simulated runs, where several can; a hint, never more."""
    flaps: bool
    availability: Share
    """Part of the time the topic is in the table."""
    delay_ms: int | None
    """Longest wait for it to come back; 0: it stays, None: no bound."""


class PhaseResult(Struct, frozen=True):
    """The messages of one `send`, or the state at one `snapshot`."""

    phase: str
    at_ms: int
    situations: tuple[Situation, ...]
    """The states the messages may meet, in order."""
    topics: tuple[TopicResult, ...]
    messages: tuple[MessageResult, ...]
    classes: tuple[ClassResult, ...]
    given: bool
    """Whether observations replaced predictions."""


class PredictResult(Struct, frozen=True):
    """What is predicted for a scenario."""

    scenario: Scenario
    basis: Basis
    fails_to_start: tuple[StartFailure, ...]
    phases: tuple[PhaseResult, ...]
    timeline: tuple[TraceEvent, ...]
    """Of one simulated run; empty where none was asked for."""


def run(scenario: Scenario, given: Given | None = None, timeline: bool = True) -> PredictResult:
    """Predict every message of a scenario, phase by phase.

    `given` puts observed winners, shares and the order of client ids in place of predicted ones. Without messages
    and classes, every kind of message that the subscriptions tell apart is asked about in every queue. `timeline`:
    also run the event model once; without it no winner is called likely.
    """
    if given is not None and given.id_order is not None:
        scenario = replace(scenario, id_order=given.id_order, id_order_given=True)
    simulated = simulate(scenario, TIMELINE_SEED) if timeline else None
    asked = _messages(scenario)
    phases = tuple(_phase(scenario, one, asked, given) for one in sendings(scenario))
    if simulated is not None:
        phases = _with_likely(scenario, phases, simulated)
    unrecorded = any(one.kind is ClientKind.GRPC for one in scenario.members) and len(scenario.brokers) > 1
    events = simulated.trace if simulated is not None else ()
    return PredictResult(
        scenario,
        Basis.SOURCE if unrecorded else Basis.RECORDED,
        tuple(
            StartFailure(one.name, Step(StepCode.SQL_SWITCHED_OFF, (("members", one.name),)))
            for one in scenario.members
            if start_fails(scenario, one)
        ),
        phases,
        tuple(_timeline(events)),
    )


def _with_likely(
    scenario: Scenario, phases: tuple[PhaseResult, ...], simulated: SimulationResult
) -> tuple[PhaseResult, ...]:
    """The phases with the usual winner of simulated runs, where several are possible."""
    places = [
        (phase.phase, one.topic)
        for phase in phases
        for one in phase.topics
        if len({winner.expression for winner in one.winners}) > 1
    ]
    if not places:
        return phases
    runs = min(LIKELY_RUNS, LIKELY_EVENTS_MAX // max(1, len(simulated.trace)))
    usual = usual_winners(scenario, places, max(1, runs), TIMELINE_SEED)

    def told(phase: PhaseResult, one: TopicResult) -> TopicResult:
        found = usual.get((phase.phase, one.topic))
        texts = {winner.expression or "*": winner.expression for winner in one.winners}
        return replace(one, likely=texts.get(found or ""))

    return tuple(replace(phase, topics=tuple(told(phase, one) for one in phase.topics)) for phase in phases)


def _timeline(events: Iterable[TraceEvent]) -> list[TraceEvent]:
    """What is told of a run. Refusals that one state of the table causes are one event: the first, with the number of
    all, the queues, and the time of the last."""
    told: list[TraceEvent] = []
    refusals: dict[tuple[str, str, str, str], list[TraceEvent]] = {}
    places: dict[int, list[TraceEvent]] = {}
    for one in events:
        if one.kind is Kind.REFUSED:
            key = (one.member, one.broker, one.topic, one.detail("code"))
            if key not in refusals:
                refusals[key] = places[len(told)] = []
                told.append(one)
            refusals[key].append(one)
        elif one.kind in TIMELINE_KINDS:
            told.append(one)
            if one.kind is Kind.TABLE:
                refusals = {key: each for key, each in refusals.items() if key[2] != one.topic}
    for place, each in places.items():
        told[place] = _together(each)
    return told


def _together(refusals: Sequence[TraceEvent]) -> TraceEvent:
    queues = ",".join(str(one) for one in sorted({one.queue for one in refusals}))
    details = (
        ("code", refusals[0].detail("code")),
        ("queues", queues),
        ("times", str(len(refusals))),
        ("until", str(refusals[-1].at_ms)),
    )
    return replace(refusals[0], queue=-1, details=details)


class _Asked(Struct, frozen=True):
    """A message to ask about, with what the tables call its kind."""

    id: str
    topic: str
    queue: int
    offset: int | None
    content: Content
    label: str
    phase: int


def _messages(scenario: Scenario) -> tuple[_Asked, ...]:
    if scenario.messages:
        return tuple(_listed(scenario.messages))
    first = min((step.phase for step in scenario.steps if step.phase), default=1)
    every: Iterable[tuple[str, str, Content]]
    if scenario.classes:
        every = [(one.topic, _label(one), Content(one.tag, one.properties)) for one in scenario.classes]
    else:
        every = [
            (topic, kind.label, kind.content)
            for topic, _ in scenario.topics
            for kind in kinds(
                [
                    sieve_of(one, scenario.broker_version)
                    for member in scenario.members
                    for one in member.subscriptions
                    if one.topic == topic
                ]
            )[0]
        ]
    return tuple(
        _Asked(f"{label}@{queue}", topic, queue, None, content, label, first)
        for topic, label, content in every
        for queue in range(scenario.queues(topic))
    )


def _label(one: TagClass | Message) -> str:
    if isinstance(one, TagClass) and one.label:
        return one.label
    parts = [one.tag if one.tag is not None else "(no tag)"]
    return ", ".join([*parts, *(f"{key}={value}" for key, value in one.properties)])


def _listed(messages: Sequence[Message]) -> Iterable[_Asked]:
    """The messages in the order they are sent, each with its offset: its rank in its queue."""
    ends: dict[tuple[str, int], int] = {}
    for one in sorted(messages, key=lambda message: message.phase):
        offset = ends.get((one.topic, one.queue), 0)
        ends[one.topic, one.queue] = offset + 1
        content = Content(one.tag, (*one.properties, ("MID", one.id)))
        yield _Asked(one.id, one.topic, one.queue, offset, content, _label(one), one.phase)


def _phase(scenario: Scenario, sending: Sending, asked: Sequence[_Asked], given: Given | None) -> PhaseResult:
    seen = given.of(sending.phase) if given is not None else None
    if seen is not None and sending.judged_in:
        final = observed_in(sending.judged_in[-1], seen, scenario.broker_version)
        moved = bool(sending.later)
        sending = replace(
            sending,
            at_send=sending.at_send if moved else (final,),
            later=((final,),) if moved else (),
            judged_in=(final,),
        )
    messages = tuple(_message(scenario, sending, one) for one in asked if str(one.phase) == sending.phase)
    labels = {one.id: one.label for one in asked}
    return PhaseResult(
        phase=sending.phase,
        at_ms=sending.at_ms,
        situations=(*sending.at_send, *(one for stage in sending.later for one in stage)),
        topics=tuple(_topics(scenario, sending)),
        messages=messages,
        classes=tuple(_classes(messages, labels)),
        given=seen is not None,
    )


def _message(scenario: Scenario, sending: Sending, asked: _Asked) -> MessageResult:
    question = Question(
        asked.topic, asked.queue, asked.content, asked.id if asked.offset is not None else asked.label
    )
    found = possibilities(scenario, sending, question)
    situation = sending.at_send[-1]
    wanted = tuple(
        live.member.name
        for live in situation.lives
        if not live.dead_id
        and (own := live.subscription(asked.topic)) is not None
        and sieve_of(own, scenario.broker_version).wants(asked.content)
    )
    properties = tuple(one for one in asked.content.properties if one[0] != "MID")
    return MessageResult(
        asked.id,
        asked.topic,
        asked.queue,
        asked.offset,
        asked.content.tag,
        properties,
        wanted,
        tuple(
            End(
                one.ending.fate,
                one.ending.receivers,
                one.ending.unexpected,
                _winner(one.winner, one.applied) if one.winner is not None else None,
                one.delay_ms,
                one,
            )
            for one in found
        ),
    )


def _winner(claim: Claim, applied: str | None) -> Winner:
    version = (claim.low_ms, claim.high_ms) if claim.member != "?" else None
    return Winner(claim.member, claim.subscription.expression, applied, claim.departed, version)


def _topics(scenario: Scenario, sending: Sending) -> Iterable[TopicResult]:
    for topic, queues in scenario.topics:
        state = sending.judged_in[-1].topic(topic)
        if state is None:
            continue
        winners = dict.fromkeys(
            _winner(claim, claim.subscription.expression)
            for situation in sending.judged_in
            if (held := situation.topic(topic)) is not None
            for claim in held.claims
        )
        found = tuple(winners)
        delay = state.presence.delay_ms if state.flaps else 0
        shares = () if sending.judged_in[-1].owners_unknown else state.shares
        yield TopicResult(topic, queues, shares, found, None, state.flaps, state.presence.part, delay)


def _classes(messages: Sequence[MessageResult], labels: dict[str, str]) -> Iterable[ClassResult]:
    """The shares of each kind of message, once for each winner that some message of its topic may meet."""
    grouped: dict[tuple[str, str], list[MessageResult]] = {}
    for one in messages:
        grouped.setdefault((one.topic, labels[one.id]), []).append(one)
    for (topic, label), group in grouped.items():
        winners = dict.fromkeys(
            _key(end.winner) for one in messages if one.topic == topic for end in one.ends
        )
        if len(winners) > 1:
            winners.pop(None, None)
        for key in winners:
            yield _class(topic, label, group, key)


WinnerKey = tuple[str | None, str | None, str | None]


def _key(winner: Winner | None) -> WinnerKey | None:
    return None if winner is None else (winner.member, winner.expression, winner.applied)


def _class(topic: str, label: str, group: Sequence[MessageResult], key: WinnerKey | None) -> ClassResult:
    """One row of the loss table: what ends how if this subscription holds the topic."""
    ends = [[end for end in one.ends if _key(end.winner) in (key, None)] or list(one.ends) for one in group]
    winner = next((end.winner for each in ends for end in each if _key(end.winner) == key), None)
    members = dict.fromkeys(name for each in ends for end in each for name in end.receivers)
    wanted = tuple(dict.fromkeys(name for one in group for name in one.wanted_by))
    return ClassResult(
        topic=topic,
        label=label,
        wanted_by=wanted,
        winner=winner,
        count=len(group),
        shares=tuple(
            (fate, share)
            for fate in Fate
            if (share := _part([[end.fate is fate for end in each] for each in ends])).is_possible
        ),
        members=tuple(
            MemberShare(
                name,
                _part(
                    [[name in end.receivers and name not in end.unexpected for end in each] for each in ends]
                ),
                _part([[name in end.unexpected for end in each] for each in ends]),
            )
            for name in members
        ),
        duplicate=_part([[len(end.receivers) > 1 for end in each] for each in ends]),
    )


def _part(cases: Sequence[Sequence[bool]]) -> Share:
    """The fraction of messages for which it holds: in every case, and in some."""
    return Share(
        Fraction(sum(all(one) for one in cases), len(cases)),
        Fraction(sum(any(one) for one in cases), len(cases)),
    )

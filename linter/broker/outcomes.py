"""What may become of single messages in a situation: the situation and a message in, every possible ending out."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.broker.fates import Content, Ending, Fate, Reader, Sieve, ending, sieve_of
from subdrift.linter.broker.scenario import Member, Scenario
from subdrift.linter.broker.states import Claim, Live, Sending, Situation, TopicState
from subdrift.linter.broker.versions import Feature, behaves
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel, Subscription
from subdrift.linter.model.message import Message
from subdrift.linter.model.prediction import Step, StepCode

RACERS_MAX: Final = 6
"""Members whose combinations are listed after a broker restart; of more, all of them and each alone."""
CODE_NO_FILTER: Final = 1
CODE_NOT_SUPPORTED: Final = 3
CODE_ABSENT: Final = 24
CODE_NOT_LATEST: Final = 25


class Possibility(Struct, frozen=True):
    """One way a message can end, and what has to be so for it."""

    ending: Ending
    winner: Claim | None
    """Whose subscription the broker applies; None where nobody who reads the queue depends on it."""
    applied: str | None
    """The expression the broker applies: the winner's, or for SQL92 the greatest one it ever registered."""
    cause: Message
    """The situation, named by the step that led to it."""
    delay_ms: int | None = 0
    """The reader's pulls are refused while the topic is not in the table; so long the message may wait for a heartbeat.
    None: without a bound."""

    @property
    def may_wait(self) -> bool:
        """Whether it may wait for the heartbeat that brings its topic back."""
        return self.delay_ms != 0


class Question(Struct, frozen=True):
    """A message to ask about."""

    topic: str
    queue: int
    content: Content
    label: str


def possibilities(scenario: Scenario, sending: Sending, asked: Question) -> tuple[Possibility, ...]:
    """Every way a message of that sending can end, the likely state of the group last; equal ones are kept once."""
    found: list[Possibility] = []
    for one in sending.at_send:
        found += in_situation(scenario, one, asked)
    previous = sending.at_send
    for stage in sending.later:
        found = _continued(scenario, found, previous, stage, asked)
        previous = stage
    unique: dict[tuple[object, ...], Possibility] = {}
    for each in found:
        unique.setdefault(
            (each.ending.fate, each.ending.receivers, each.winner, each.applied, each.delay_ms), each
        )
    return tuple(unique.values())


def in_situation(scenario: Scenario, situation: Situation, asked: Question) -> list[Possibility]:
    """Every way a message can end while the group stays in one situation."""
    state = situation.topic(asked.topic)
    if state is None:
        return []
    lives = [one for one in situation.lives if not one.dead_id]
    sieves = _sieves(scenario, lives, asked)
    wanted = tuple(name for name, one in sieves.items() if one.wants(asked.content))
    models = {one.member.name: one.member.model for one in lives}
    clustered = any(models[name] is MessageModel.CLUSTERING for name in wanted or models)
    fixed, rivals, silent = _readers(scenario, situation, state, asked.queue, sieves)
    groups = [[*fixed, one] for one in rivals]
    if not rivals or any(not one.own_offset for one in fixed):
        groups.insert(0, fixed)  # who pulls commits for the group, and whoever pops may come too late
    if contending := _contending(scenario, fixed):
        others = [one for one in fixed if one not in contending]
        groups = [[*others, *some] for some in _sets(contending, 0)]
        silent = (*silent, *(Step.of(StepCode.LOCK_HELD, member=one.member) for one in contending))
    if situation.open_race:
        groups = _any_of(scenario, situation, sieves)
    elif situation.owners_unknown:
        groups = _any_one(scenario, situation, sieves, fixed)
    found = []
    for readers in groups:
        for winner, applied in _filters(scenario, state, readers):
            served = [_served(scenario, situation, state, one, applied, winner) for one in readers]
            depends = any(not one.own_filter for one in readers)
            rounds = [served]
            if any(one.refused == CODE_NOT_LATEST for one in served):
                # a pull that was held before the version went up is still served, once for each queue
                rounds.append([_without_code(one, CODE_NOT_LATEST) for one in served])
            delay = state.presence.delay_ms if state.flaps and depends else 0
            if delay is None and state.claims:
                rounds.append(
                    [one if one.own_filter else replace(one, refused=CODE_ABSENT) for one in served]
                )
            found += [
                Possibility(
                    ending(asked.content, asked.label, wanted, one, applied, clustered, silent),
                    winner if depends else None,
                    applied.expression if depends and applied is not None else None,
                    situation.cause,
                    delay_ms=delay,
                )
                for one in rounds
            ]
    return found


def _sieves(scenario: Scenario, lives: Sequence[Live], asked: Question) -> dict[str, Sieve]:
    """What the clients that read the topic let pass; whoever reads a queue by hand reads all of it."""
    read = {one.member.name: own for one in lives if (own := one.subscription(asked.topic)) is not None}
    everything = Subscription(asked.topic, FilterType.TAG, "*")
    read |= {one.member.name: everything for one in lives if one.member.reads(asked.topic, asked.queue)}
    return {name: sieve_of(own, scenario.broker_version) for name, own in read.items()}


def _without_code(reader: Reader, code: int) -> Reader:
    return replace(reader, refused=0) if reader.refused == code else reader


def _any_of(scenario: Scenario, situation: Situation, sieves: dict[str, Sieve]) -> list[list[Reader]]:
    """Every set of members that may read a queue one after the other while shares collapse and re-form."""
    every = [
        Reader(name, sieves[name], own_filter(scenario, live), live.member.model is MessageModel.BROADCASTING)
        for live in situation.lives
        if (name := live.member.name) in sieves
    ]
    return _sets(every, 1) or [[]]


def _sets(every: Sequence[Reader], least: int) -> list[list[Reader]]:
    """Every set of at least so many of them; of more than `RACERS_MAX`, all of them, each alone, and perhaps nobody."""
    if len(every) > RACERS_MAX:
        return [*([[]] if least == 0 else []), [*every], *([one] for one in every)]
    return [list(some) for size in range(least, len(every) + 1) for some in combinations(every, size)]


def _contending(scenario: Scenario, fixed: Sequence[Reader]) -> list[Reader]:
    """Orderly readers of a queue that may be without its lock, as an older client asks for it in BROADCASTING, too, and
    keeps it for a minute when it stops; none where the group never has another orderly member."""
    orderly = [one for one in scenario.members if one.options.orderly and one.kind is ClientKind.PUSH]
    asks = any(
        one.model is MessageModel.BROADCASTING
        and not behaves(Feature.BROADCASTING_ORDERLY_NEEDS_NO_LOCK, scenario.version_of(one))
        for one in orderly
    )
    if not asks or len(orderly) < 2:
        return []
    names = {
        one.name
        for one in orderly
        if one.model is MessageModel.CLUSTERING
        or not behaves(Feature.BROADCASTING_ORDERLY_NEEDS_NO_LOCK, scenario.version_of(one))
    }
    return [one for one in fixed if one.member in names]


def _any_one(
    scenario: Scenario, situation: Situation, sieves: dict[str, Sieve], fixed: Sequence[Reader]
) -> list[list[Reader]]:
    """The readers of a queue whose owner may be any clustering member, also one that does not subscribe."""
    apart = [one for one in fixed if one.own_offset]
    clustering = [one for one in situation.lives if one.member.model is MessageModel.CLUSTERING]
    owners = [
        [Reader(name, sieves[name], own_filter(scenario, one))] if (name := one.member.name) in sieves else []
        for one in clustering
    ]
    return [[*apart, *owner] for owner in owners] or [apart]


def _readers(
    scenario: Scenario, situation: Situation, state: TopicState, queue: int, sieves: dict[str, Sieve]
) -> tuple[list[Reader], list[Reader], tuple[Step, ...]]:
    """Who reads a queue for sure, who competes for it by popping, and why its owner does not read it."""
    fixed: list[Reader] = []
    rivals: list[Reader] = []
    silent: list[Step] = []
    owned = False
    for live in situation.lives:
        name, member = live.member.name, live.member
        broadcasts = member.model is MessageModel.BROADCASTING
        owns = queue in state.share(name) and not (broadcasts and not live.dead_id)
        owned = owned or owns
        if live.dead_id or live.frozen_ms is not None:
            if owns:
                silent.append(Step.of(StepCode.OWNER_SILENT, member=name))
            continue
        if name not in sieves:
            if owns and not pops(scenario, live):
                silent.append(Step.of(StepCode.OWNER_NOT_SUBSCRIBED, member=name, topic=state.topic))
            continue
        reader = Reader(
            name, sieves[name], own_filter(scenario, live), broadcasts and not pops(scenario, live)
        )
        if pops(scenario, live):
            rivals.append(reader)
        elif member.reads(state.topic, queue):
            fixed.append(reader)
        elif member.kind is ClientKind.PULL:
            silent.append(Step.of(StepCode.OWNER_NOT_SUBSCRIBED, member=name, topic=state.topic))
        elif owns or broadcasts:
            fixed.append(reader)
    if not owned and not rivals:
        for live in situation.lives:
            if live.member.model is MessageModel.BROADCASTING and queue in _clustered_share(
                scenario, situation, state, live
            ):
                silent.append(Step.of(StepCode.BROADCAST_COUNTS, member=live.member.name))
                break
        else:
            silent.append(Step.of(StepCode.NOBODY_OWNS, topic=state.topic))
    return fixed, rivals, tuple(silent)


def _clustered_share(
    scenario: Scenario, situation: Situation, state: TopicState, live: Live
) -> tuple[int, ...]:
    """The queues the others leave to a BROADCASTING member, because they count its client id."""
    taken = {
        queue
        for one in situation.lives
        if one.member.model is MessageModel.CLUSTERING
        for queue in state.share(one.member.name)
    }
    return tuple(queue for queue in range(state.queues) if queue not in taken)


def pops(scenario: Scenario, live: Live) -> bool:
    """Whether a member reads every queue by POP requests."""
    return live.member.kind is ClientKind.GRPC or (scenario.pop and not live.member.options.client_rebalance)


def own_filter(scenario: Scenario, live: Live) -> bool:
    """Whether its pulls carry its own expression."""
    return (
        pops(scenario, live)
        or live.member.options.post_subscription
        or live.member.kind in (ClientKind.LITE_PULL, ClientKind.PULL)
    )


def _filters(
    scenario: Scenario, state: TopicState, readers: Sequence[Reader]
) -> Iterator[tuple[Claim | None, Sieve | None]]:
    """Every subscription the broker may hold for the topic, with the filter it then applies."""
    if all(one.own_filter for one in readers) or not state.claims:
        yield None, None
        return
    seen = set()
    for claim in state.claims:
        for applied in _applied(claim, state):
            sieve = sieve_of(applied.subscription, scenario.broker_version)
            key = (claim.subscription.filter_type, claim.subscription.expression, sieve.expression)
            if key not in seen:
                seen.add(key)
                yield claim, sieve


def _applied(claim: Claim, state: TopicState) -> Iterable[Claim]:
    """For SQL92 the broker applies the greatest expression it ever registered, which may be another one."""
    if claim.subscription.filter_type is not FilterType.SQL92:
        return (claim,)
    return [one for one in state.sql_claims if one.high_ms >= claim.low_ms] or (claim,)


def _served(
    scenario: Scenario,
    situation: Situation,
    state: TopicState,
    reader: Reader,
    applied: Sieve | None,
    winner: Claim | None,
) -> Reader:
    """The reader with the code that refuses its pulls, if one does."""
    member = scenario.member(reader.member)
    if member.kind is ClientKind.LITE_PULL and not _understands_lite_pull(scenario, member):
        return replace(reader, refused=CODE_NOT_SUPPORTED)
    used = reader.own if reader.own_filter else applied
    if used is not None and used.is_sql and not scenario.property_filter:
        return replace(reader, refused=CODE_NO_FILTER)
    if not reader.own_filter:
        if winner is None or state.absent:
            return replace(reader, refused=CODE_ABSENT)
        if (reader.member, state.topic) in situation.stale:
            return replace(reader, refused=CODE_NOT_LATEST)
    return reader


def _understands_lite_pull(scenario: Scenario, member: Member) -> bool:
    """Whether the broker knows the request by which the client's lite pull consumer pulls."""
    feature = Feature.LITE_PULL_HAS_OWN_REQUEST_CODE
    return behaves(feature, scenario.broker_version) or not behaves(feature, scenario.version_of(member))


def _continued(
    scenario: Scenario,
    so_far: Sequence[Possibility],
    before: Sequence[Situation],
    after: Sequence[Situation],
    asked: Question,
) -> list[Possibility]:
    """What may have become of a message once the group has changed.

    What waited is read in the new situation. What was passed may be read again where the queue has a new reader,
    because the old one may not have committed yet.
    """
    anew = [each for one in after for each in in_situation(scenario, one, asked)]
    moved = {_owners(one, asked) for one in before} != {_owners(one, asked) for one in after}
    found: list[Possibility] = []
    for one in so_far:
        fate = one.ending.fate
        waits = fate in (Fate.STUCK, Fate.DELAYED)
        if not waits or one.ending.receivers:
            found.append(one)
        if waits or one.may_wait:
            found += [_joined(one, each) for each in anew]
        elif moved or fate is not Fate.DELIVERED:
            found += anew
            found += [_joined(one, each) for each in anew if one.ending.receivers]
    return found or anew


def _owners(situation: Situation, asked: Question) -> tuple[str, ...]:
    state = situation.topic(asked.topic)
    return (
        state.owners(asked.queue)
        if state is not None and not (situation.open_race or situation.owners_unknown)
        else ("?",)
    )


def _joined(first: Possibility, then: Possibility) -> Possibility:
    """Both readers had it, one after the other."""
    receivers = tuple(dict.fromkeys((*first.ending.receivers, *then.ending.receivers)))
    unexpected = tuple(dict.fromkeys((*first.ending.unexpected, *then.ending.unexpected)))
    fate = then.ending.fate
    if len(receivers) > len(unexpected) and fate is not Fate.STUCK:
        fate = Fate.DELIVERED
    return replace(then, ending=Ending(fate, receivers, unexpected, (*first.ending.why, *then.ending.why)))

"""What a group comes to rest in: its clients, the versions of their subscriptions, and how steadily a topic is in the table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct

from subdrift.linter.broker.scenario import Member
from subdrift.linter.broker.vocabulary import Subscription
from subdrift.linter.model.message import Message
from subdrift.linter.model.prediction import ALL, NONE, Share

MET_BY_A_PULL_MS: Final = 4_500
"""A topic that is in the table for so long without a break is met by a pull: the retry, and what requests and starts
take. In a shorter window the pulls may miss it, cycle after cycle."""
PULL_RETRY_MS: Final = 3_000
"""A refused pull is repeated after this time (pullTimeDelayMillsWhenException)."""


class Claim(Struct, frozen=True):
    """A subscription that may be the greatest for its topic, with the time its version was set at."""

    member: str
    subscription: Subscription
    low_ms: int
    high_ms: int
    departed: bool = False
    """A ghost: its member has left."""


class Live(Struct, frozen=True):
    """A member that takes part."""

    member: Member
    subscriptions: tuple[Subscription, ...]
    joined_ms: int
    frozen_ms: int | None = None
    half_started: bool = False
    """Its `start()` threw, but its timers run on."""
    dead_id: bool = False
    """Only its client id is left at the broker."""
    unseen: bool = False
    """A proxy speaks for it: no broker has its id or its subscriptions."""
    late_ms: int = 0
    """It may have joined so much later, because steps before took longer than the scenario says."""

    def subscription(self, topic: str) -> Subscription | None:
        return next((one for one in self.subscriptions if one.topic == topic), None)


class Presence(Struct, frozen=True):
    """How a topic comes and goes in the table with the members' heartbeats."""

    part: Share
    """Part of the time it is there; a range where it is open how the heartbeats follow each other."""
    delay_ms: int | None
    """Longest wait of a message for it; 0: it stays, None: no bound, as pulls may miss it in every cycle."""


AT_TIMES: Final = Presence(Share(Fraction(0), Fraction(1)), None)
ALWAYS: Final = Presence(ALL, 0)
NEVER: Final = Presence(NONE, None)


class TopicState(Struct, frozen=True):
    """One topic while the group is at rest."""

    topic: str
    queues: int
    shares: tuple[tuple[str, tuple[int, ...]], ...]
    """Member and the queues its allocation gives it, whether or not it subscribes the topic."""
    claims: tuple[Claim, ...]
    """Whose subscription the broker may hold."""
    sql_claims: tuple[Claim, ...]
    """Whose SQL92 expression the broker may apply while an SQL92 subscription holds the topic."""
    flaps: bool
    """Whether heartbeats delete it again and again."""
    presence: Presence
    absent: bool = False
    """Nobody's heartbeats bring it back (heartbeat V2 after a broker restart)."""

    def share(self, member: str) -> tuple[int, ...]:
        return dict(self.shares).get(member, ())

    def owners(self, queue: int) -> tuple[str, ...]:
        return tuple(member for member, share in self.shares if queue in share)


class Situation(Struct, frozen=True):
    """The group between two changes."""

    cause: Message
    """The step that led here, in words of the scenario."""
    lives: tuple[Live, ...]
    topics: tuple[TopicState, ...]
    stale: tuple[tuple[str, str], ...] = ()
    """Member and topic whose pulls are newer than the table and stay refused (heartbeat V2)."""
    open_race: bool = False
    """Shares collapse and re-form: any member may get any queue for a while (broker restart)."""
    owners_unknown: bool = False
    """Queues are divided by a hash of client ids that nobody knows: each has one owner, and it may be any member."""

    def topic(self, name: str) -> TopicState | None:
        return next((one for one in self.topics if one.topic == name), None)

    def live(self, member: str) -> Live | None:
        return next((one for one in self.lives if one.member.name == member and not one.dead_id), None)


class Stage(Struct, frozen=True):
    """From one change to the next: one situation, or several where it is open who takes part."""

    from_ms: int
    settled_ms: int
    """From then on the group surely is in one of these situations; before, it may be as it was."""
    situations: tuple[Situation, ...]


class Sending(Struct, frozen=True):
    """One `send` or `snapshot` step: the states its messages may meet."""

    phase: str
    at_ms: int
    judged_ms: int
    at_send: tuple[Situation, ...]
    """The group may be in any of them when the messages arrive; the last is the one it settles in."""
    later: tuple[tuple[Situation, ...], ...]
    """What follows before the messages are judged: changes in order, each with the situations it may lead to."""
    judged_in: tuple[Situation, ...] = ()
    """The group may be in any of them when the messages are judged."""


def presence_of(having: Sequence[Live], lacking: Sequence[Live], period_ms: int) -> Presence:
    """From each heartbeat that has the topic to the next one without it, it is in the table."""
    if not having:
        return Presence(NONE, 0)
    if not lacking:
        return ALWAYS
    having = [one for one in having if one.frozen_ms is None]
    if not having:
        return NEVER
    windows = [min(_after(one, other, period_ms)[0] for other in lacking) for one in having]
    gaps = [min(_after(one, other, period_ms)[0] for other in having) for one in lacking]
    exact = all(low == high for a in having for b in lacking for low, high in (_after(a, b, period_ms),))
    if exact:
        part = Share.exactly(Fraction(_covered(having, lacking, period_ms), period_ms))
    else:
        part = Share(Fraction(max(windows), period_ms), 1 - Fraction(max(gaps), period_ms))
    return Presence(part, period_ms + PULL_RETRY_MS if max(windows) >= MET_BY_A_PULL_MS else None)


def _after(first: Live, then: Live, period_ms: int) -> tuple[int, int]:
    """How long after a heartbeat of the first one of the other follows, at least and at most."""
    low = then.joined_ms - first.joined_ms
    high = low + then.late_ms - first.late_ms
    low, high = min(low, high), max(low, high)
    if first.joined_ms == then.joined_ms or low // period_ms != high // period_ms:
        return 0, period_ms
    return low % period_ms, high % period_ms


def _covered(having: Sequence[Live], lacking: Sequence[Live], period_ms: int) -> int:
    """The time of a cycle in which the topic is in the table, ms, where all phases are known."""
    beats = sorted(
        [(one.joined_ms % period_ms, True) for one in having]
        + [(one.joined_ms % period_ms, False) for one in lacking]
    )
    following = [*(at for at, _ in beats[1:]), beats[0][0] + period_ms]
    return sum(until - at for (at, has), until in zip(beats, following, strict=True) if has)

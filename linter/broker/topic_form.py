"""The prediction of one topic of a group at rest: which sides read it, how the race can end, what becomes of each class.

Nothing is known of client ids and start order, so every side may win the topic. Where sides, winners and classes are
too many to be listed, the same impacts are found by camps of sides (`crowd`) and shares are ranges over all winners.

Mirrors: the steady state of ConsumerGroupInfo, RebalanceImpl and PullMessageProcessor, RocketMQ 4.8.0 to 5.3.3.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct

from subdrift.linter.broker.assume import Assume
from subdrift.linter.broker.classes import CLASSES_MAX, Kind, kinds
from subdrift.linter.broker.crowd import Camp, Camps, Nature, Sure, indices, lowest
from subdrift.linter.broker.fates import Ending, Fate, Reader, Sieve, ending, sieve_of
from subdrift.linter.broker.partition import ORDERS_MAX, UNKNOWN, Partition
from subdrift.linter.broker.side import Side
from subdrift.linter.broker.vocabulary import ClientKind, MessageModel
from subdrift.linter.model.prediction import (
    ALL,
    NONE,
    ClassOutcome,
    Impact,
    MemberShare,
    MessageClass,
    Outcome,
    Share,
    Step,
    StepCode,
    TopicPrediction,
)

CELLS_MAX: Final = 5_000
"""Sides times winners times classes of one topic that are listed one by one; beyond, ranges over all winners."""
CLASSES_JUDGED_MAX: Final = 2_048
"""Classes of one topic that are judged where not all of them are listed."""
CLASSES_LISTED_MIN: Final = 8
"""Classes that are listed however many sides there are, the worst first."""
NAMED_MAX: Final = 12
"""Members one step names; the others it counts."""
HEARTBEAT_S: Final = 30
RETRY_PULL_S: Final = 3
"""A refused pull is repeated after this time (pullTimeDelayMillsWhenException)."""
CODE_SQL_REFUSED: Final = 1


class _Reading(Struct, frozen=True):
    """What may become of a class in a queue that one side owns: every ending that its readers allow."""

    endings: tuple[Ending, ...]
    """Empty where the owner's behaviour is not known."""

    def certainly(self, fate: Fate) -> bool:
        return bool(self.endings) and all(one.fate is fate for one in self.endings)

    def possibly(self, fate: Fate) -> bool:
        return not self.endings or any(one.fate is fate for one in self.endings)

    @property
    def impact(self) -> Impact:
        """The worst that is sure to be possible; nothing is held against an owner that is not known."""
        fates = {one.fate for one in self.endings}
        if Fate.LOST in fates:
            return Impact.LOST
        return Impact.STUCK if fates & {Fate.STUCK, Fate.DELAYED} else Impact.NOTHING

    @property
    def least(self) -> Impact:
        if self.certainly(Fate.LOST):
            return Impact.LOST
        harmed = self.endings and all(one.fate is not Fate.DELIVERED for one in self.endings)
        return Impact.STUCK if harmed else Impact.NOTHING


_Race = tuple[bool, bool] | None
"""What of a winner counts for one class: whether its filter lets it pass, whether it is SQL92. None: nobody races."""
_Met = dict[tuple[_Race, object], _Reading]


class TopicForm:
    """The prediction of one topic: the sides that read it, whoever else counts, and the ways the race can end."""

    def __init__(self, topic: str, sides: tuple[Side, ...], assume: Assume) -> None:
        self.topic = topic
        self.sides = sides
        self.assume = assume
        self.partition = Partition(sides, assume.queues_of(topic))
        self.having = tuple(side for side in sides if side.subscription(topic) is not None)
        self.sieves = {
            side.label: sieve_of(own, assume.broker_version)
            for side in self.having
            if (own := side.subscription(topic)) is not None
        }
        self.clustered = any(side.model is not MessageModel.BROADCASTING for side in sides)
        self.by_table = tuple(side for side in self.having if not side.own_filter)
        self.lacking = tuple(side for side in sides if side.lacks(topic))
        self.flaps = bool(self.lacking and self.by_table)

    def predict(self) -> TopicPrediction:
        sieves = tuple(self.sieves.values())
        winners = self._winners()
        found, cut = kinds(sieves)
        if len(self.sides) * len(winners) * len(found) > CELLS_MAX:
            return self._crowded(winners, *kinds(sieves, CLASSES_JUDGED_MAX))
        return self._listed(winners, found, cut)

    def _listed(
        self, winners: list[tuple[str | None, tuple[str, ...]]], found: Sequence[Kind], cut: bool
    ) -> TopicPrediction:
        """Every outcome by itself."""
        wanted = [(kind, names) for kind in found if (names := self._wanting(kind))]
        outcomes = []
        possible: list[Impact] = [Impact.NOTHING]
        certain: list[Impact] = []
        certainly_lost = {kind.label for kind, _ in wanted}
        for winner, also in winners:
            classes = []
            by_owner: dict[str, Impact] = {side.label: Impact.NOTHING for side in self.sides}
            for kind, names in wanted:
                readings = {side.label: self._reading(side, winner, kind, names) for side in self.sides}
                classes.append(self._class_outcome(kind, names, readings))
                possible += [one.impact for one in readings.values()]
                for label, one in readings.items():
                    by_owner[label] = max(by_owner[label], one.least, self._delay(one))
                if not all(one.certainly(Fate.LOST) for one in readings.values()):
                    certainly_lost.discard(kind.label)
            certain += by_owner.values()
            expression = None if winner is None else self.sieves[winner].expression
            outcomes.append(Outcome(winner, expression, also, tuple(classes)))
            possible += [Impact.DELAYED for one in classes if one.delayed.is_possible]
            if self.partition.is_mixed and any(one.stuck.is_possible for one in classes):
                possible.append(Impact.STUCK)
        return self._prediction(
            outcomes,
            max(possible),
            min(certain, default=Impact.NOTHING),
            certainly_lost,
            tuple(self._why(CLASSES_MAX if cut else 0)),
        )

    def _prediction(
        self,
        outcomes: Sequence[Outcome],
        possible: Impact,
        certain: Impact,
        certainly_lost: Iterable[str],
        why: tuple[Step, ...],
    ) -> TopicPrediction:
        dark = any(side.may_have(self.topic) or side.model is None for side in self.sides)
        return TopicPrediction(
            topic=self.topic,
            outcomes=tuple(outcomes),
            availability=UNKNOWN if self.flaps else ALL,
            delay_s=HEARTBEAT_S + RETRY_PULL_S if self.flaps else 0,
            retry_stuck=self._retry(),
            possible=possible,
            certain=Impact.NOTHING if dark else certain,
            certainly_lost=() if dark else tuple(sorted(certainly_lost)),
            why=why,
        )

    # -- many sides ---------------------------------------------------------------------------------------------

    def _crowded(
        self, winners: list[tuple[str | None, tuple[str, ...]]], found: Sequence[Kind], cut: bool
    ) -> TopicPrediction:
        """One outcome for all winners: shares are ranges over them, the impacts are those of every single one."""
        camps = Camps(
            [self._nature(side) for side in self.sides],
            [side.clients for side in self.sides],
            {index: self.sieves[s.label] for index, s in enumerate(self.sides) if s.label in self.sieves},
        )
        position = {side.label: index for index, side in enumerate(self.sides)}
        racing = sum(1 << position[winner] for winner, _ in winners if winner is not None)
        sure = Sure((1 << len(self.sides)) - 1, racing or 1)
        answers: dict[object, _Met] = {}
        judged: list[tuple[Impact, Kind]] = []
        possible = Impact.NOTHING
        certainly_lost: set[str] = set()
        kept_label: set[str] = set()
        for kind in found:
            met = camps.of(kind)
            if not any(one.treatment[2] for one in met):
                continue
            races = self._races(met, racing)
            key = (frozenset(one.key for one in met), frozenset(races))
            if key not in answers:
                answers[key] = self._met(kind, met, races)
            worst, all_lost = self._worst(met, races, answers[key], sure)
            (certainly_lost if all_lost else kept_label).add(kind.label)
            possible = max(possible, worst)
            judged.append((worst, kind))
        if self.partition.is_mixed and judged:
            possible = max(possible, Impact.STUCK)  # their partitions may leave queues to nobody
        most = max(CLASSES_LISTED_MIN, min(CLASSES_MAX, CELLS_MAX // len(self.sides)))
        worst_first = sorted(range(len(judged)), key=lambda index: (-judged[index][0], index))[:most]
        classes = tuple(self._over_winners(judged[index][1], camps, racing) for index in sorted(worst_first))
        return self._prediction(
            [Outcome(None, None, (), classes)],
            possible,
            sure.least() if judged else Impact.NOTHING,
            certainly_lost - kept_label,
            (
                Step.of(
                    StepCode.TOO_MANY_SIDES,
                    topic=self.topic,
                    sides=str(len(self.sides)),
                    bound=str(CELLS_MAX),
                ),
                *self._why(most if cut or len(judged) > most else 0),
            ),
        )

    def _worst(
        self, met: Sequence[Camp], races: Mapping[_Race, int], answer: _Met, sure: Sure
    ) -> tuple[Impact, bool]:
        """How a class of messages may end at worst, and whether it is lost however that comes."""
        worst, all_lost = Impact.NOTHING, True
        for race, mask in races.items():
            for one in met:
                reading = answer[race, one.key]
                worst = max(worst, reading.impact)
                all_lost = all_lost and reading.certainly(Fate.LOST)
                sure.add(mask or 1, one.mask, max(reading.least, self._delay(reading)))
                flaps = self.flaps and one.nature[1] and not one.nature[4]
                if flaps and reading.endings and reading.possibly(Fate.DELIVERED):
                    worst = max(worst, Impact.DELAYED)
        return worst, all_lost

    def _nature(self, side: Side) -> Nature:
        dark = side.may_have(self.topic) or side.model is None or self._pulls_by_hand(side)
        own = self.sieves.get(side.label)
        return (dark, own is not None, side.model, side.kind, side.own_filter, own is not None and own.is_sql)

    def _races(self, met: Sequence[Camp], racing: int) -> dict[_Race, int]:
        """The ways the race for a class may end, with the sides that end it so; one for all where nobody races."""
        races: dict[_Race, int] = {}
        for one in met:
            if one.mask & racing:
                race = (one.treatment[0], one.nature[5])
                races[race] = races.get(race, 0) | one.mask & racing
        return races or {None: 0}

    def _met(self, kind: Kind, met: Sequence[Camp], races: Mapping[_Race, int]) -> _Met:
        """What becomes of a class with each camp as the owner, answered by the first side of each."""
        first = [self.sides[one.first] for one in met]
        having = [side for side in first if side.label in self.sieves]
        names = tuple(side.label for side, one in zip(first, met, strict=True) if one.treatment[2])
        return {
            (race, one.key): self._reading(
                side, self.sides[lowest(mask)].label if mask else None, kind, names, having
            )
            for race, mask in races.items()
            for side, one in zip(first, met, strict=True)
        }

    def _over_winners(self, kind: Kind, camps: Camps, racing: int) -> ClassOutcome:
        """One class with whatever winner: each share as a range."""
        met = camps.of(kind)
        races = self._races(met, racing)
        answers = self._met(kind, met, races)
        names = self._wanting(kind)
        shares: dict[str, list[Share]] = {}
        members: dict[int, list[Share]] = {}
        for race in races:
            readings = {one: answers[race, one.key] for one in met}
            for name, share in self._shares_of_camps(readings).items():
                shares.setdefault(name, []).append(share)
            for one in met:
                for index, share in self._member_shares(one, readings):
                    members.setdefault(index, []).append(share)
        wanting = frozenset(names)
        shown = []
        for index in sorted(members):
            share, label = Share.over(members[index]), self.sides[index].label
            if share.is_possible:
                shown.append(MemberShare(label, *((share, NONE) if label in wanting else (NONE, share))))
        steps = dict.fromkeys(step for one in answers.values() for each in one.endings for step in each.why)
        return ClassOutcome(
            message=MessageClass(self.topic, kind.label, kind.tag, names, kind.matches),
            delivered=Share.over(shares["delivered"]),
            lost=Share.over(shares["lost"]),
            stuck=Share.over(shares["stuck"]),
            delayed=Share.over(shares["delayed"]),
            duplicate=Share.over(shares["duplicate"]),
            members=tuple(shown),
            why=tuple(steps),
        )

    def _shares_of_camps(self, readings: Mapping[Camp, _Reading]) -> dict[str, Share]:
        def share(*fates: Fate) -> Share:
            low = sum(
                camp.clients
                for camp, one in readings.items()
                if one.endings and all(each.fate in fates for each in one.endings)
            )
            high = sum(
                camp.clients
                for camp, one in readings.items()
                if not one.endings or any(each.fate in fates for each in one.endings)
            )
            return self.partition.counted(low, high, Fate.STUCK in fates) or UNKNOWN

        waiting = {
            camp: one
            for camp, one in readings.items()
            if camp.nature[1] and not camp.nature[4] and one.endings
        }
        delayed = NONE
        if self.flaps:
            low = sum(camp.clients for camp, one in waiting.items() if one.certainly(Fate.DELIVERED))
            high = sum(camp.clients for camp, one in waiting.items() if one.possibly(Fate.DELIVERED))
            delayed = self.partition.counted(low, high, False) or UNKNOWN
        refused = share(Fate.DELAYED)
        arrives = any(one.possibly(Fate.DELIVERED) for one in readings.values())
        labels = {camp: self.sides[camp.first].label for camp in readings}
        popped = sum(camp.clients for camp, one in readings.items() if self._may_be_popped(labels[camp], one))
        return {
            "delivered": share(Fate.DELIVERED),
            "lost": share(Fate.LOST),
            "stuck": share(Fate.STUCK, Fate.DELAYED) if refused.is_possible else share(Fate.STUCK),
            "delayed": delayed,
            "duplicate": NONE
            if not arrives or self.partition.clients < 2
            else self.partition.counted(0, popped, False) or UNKNOWN
            if self.partition.is_one
            else UNKNOWN,
        }

    def _member_shares(self, camp: Camp, readings: Mapping[Camp, _Reading]) -> Iterator[tuple[int, Share]]:
        """What each side of a camp receives."""
        _, having, model, kind, *_ = camp.nature
        if not having:
            return
        label = self.sides[camp.first].label
        if kind is ClientKind.GRPC or model is MessageModel.BROADCASTING:
            share = _range(label in each.receivers for one in readings.values() for each in one.endings)
            if kind is ClientKind.GRPC and camp.size > 1:
                share = Share(Fraction(0), share.high)  # the others of the camp may read it first
            for index in indices(camp.mask):
                yield index, share
            return
        got = [label in each.receivers for each in readings[camp].endings]
        known: dict[int, Share] = {}
        for index in indices(camp.mask):
            clients = self.sides[index].clients
            if clients not in known:
                known[clients] = (
                    self.partition.counted(clients if all(got) else 0, clients if any(got) else 0, False)
                    or UNKNOWN
                )
            yield index, known[clients]

    # -- one outcome --------------------------------------------------------------------------------------------

    def _wanting(self, kind: Kind) -> tuple[str, ...]:
        return tuple(side.label for side in self.having if self.sieves[side.label].wants(kind.content))

    def _winners(self) -> list[tuple[str | None, tuple[str, ...]]]:
        """One representative of each different subscription, with the others that share it.

        A single None where the table does not matter, because nobody pulls by it.
        """
        alike: dict[object, list[str]] = {}
        for side in self.having:
            if side.lacks(self.topic):
                continue
            alike.setdefault(_meaning(self.sieves[side.label]), []).append(side.label)
        if not self.by_table:
            return [(None, ())]
        return [(first, tuple(others)) for first, *others in alike.values()]

    def _reading(
        self,
        owner: Side,
        winner: str | None,
        kind: Kind,
        names: tuple[str, ...],
        having: Sequence[Side] | None = None,
    ) -> _Reading:
        """`having` are the sides that subscribe the topic, or one of each camp of them."""
        having = self.having if having is None else having
        if owner.may_have(self.topic) or owner.model is None or self._pulls_by_hand(owner):
            return _Reading(())
        filters = None if winner is None else self.sieves[winner]
        broadcasting = [
            self._reader(side, filters)
            for side in having
            if side.model is MessageModel.BROADCASTING and not side.pops
        ]
        popping = [[self._reader(side, filters)] for side in having if side.pops]
        pulling: list[list[Reader]] = popping
        if self._pulls(owner):  # and commits for the group: whoever pops has it too, or comes too late
            own = self._reader(owner, filters)
            pulling = [[own], *([own, *each] for each in popping)]
        wanting = frozenset(names)
        clustered = any(
            side.model is not MessageModel.BROADCASTING for side in having if side.label in wanting
        )
        return _Reading(
            tuple(
                ending(
                    kind.content,
                    kind.label,
                    names,
                    [*broadcasting, *each],
                    filters,
                    clustered,
                    (Step.of(StepCode.OWNER_NOT_SUBSCRIBED, member=owner.label, topic=self.topic),),
                )
                for each in pulling or [[]]
            )
        )

    def _pulls(self, side: Side) -> bool:
        """Whether it reads the queues of the topic that its share holds."""
        return (
            side.subscription(self.topic) is not None
            and side.model is MessageModel.CLUSTERING
            and side.kind in (ClientKind.PUSH, ClientKind.LITE_PULL)
        )

    def _pulls_by_hand(self, side: Side) -> bool:
        """Whether its code decides which queues it reads and which offsets it stores."""
        return side.kind is ClientKind.PULL and side.subscription(self.topic) is not None

    def _reader(self, side: Side, winner: Sieve | None) -> Reader:
        own = self.sieves[side.label]
        applied = own if side.own_filter else winner
        refused = applied is not None and applied.is_sql and not self.assume.property_filter
        return Reader(
            side.label,
            own,
            side.own_filter,
            side.model is MessageModel.BROADCASTING and not side.pops,
            CODE_SQL_REFUSED if refused else 0,
        )

    def _class_outcome(
        self, kind: Kind, names: tuple[str, ...], readings: dict[str, _Reading]
    ) -> ClassOutcome:
        delivered = self._share(readings, Fate.DELIVERED)
        stuck, refused = self._share(readings, Fate.STUCK), self._share(readings, Fate.DELAYED)
        members = tuple(self._member_share(side, names, readings) for side in self.sides)
        waiting = frozenset(side.label for side in self.by_table)
        steps = dict.fromkeys(step for one in readings.values() for each in one.endings for step in each.why)
        return ClassOutcome(
            message=MessageClass(self.topic, kind.label, kind.tag, names, kind.matches),
            delivered=delivered,
            lost=self._share(readings, Fate.LOST),
            stuck=stuck if not refused.is_possible else self._either(readings, (Fate.STUCK, Fate.DELAYED)),
            delayed=self._delayed(readings, waiting) if self.flaps else NONE,
            duplicate=self._duplicate(readings),
            members=tuple(one for one in members if one.delivered.is_possible or one.unexpected.is_possible),
            why=(*steps, *self._same_hash(kind)),
        )

    def _same_hash(self, kind: Kind) -> Iterator[Step]:
        if kind.tag is None:
            return
        for one in dict.fromkeys(self.sieves.values()):
            if one.tags is not None and kind.tag not in one.tags.tags and kind.content.code in one.tags.codes:
                yield Step.of(StepCode.SAME_HASH, message=kind.label, expression=one.expression)

    def _share(self, readings: dict[str, _Reading], fate: Fate) -> Share:
        return self._either(readings, (fate,))

    def _either(self, readings: dict[str, _Reading], fates: tuple[Fate, ...]) -> Share:
        """The part of the queues in which messages end so."""
        certain = frozenset(
            label
            for label, one in readings.items()
            if one.endings and all(each.fate in fates for each in one.endings)
        )
        possible = frozenset(
            label
            for label, one in readings.items()
            if not one.endings or any(each.fate in fates for each in one.endings)
        )
        return self.partition.owned(certain, possible, Fate.STUCK in fates)

    def _delayed(self, readings: dict[str, _Reading], waiting: frozenset[str]) -> Share:
        def waits(label: str, need: Callable[[Iterable[bool]], bool]) -> bool:
            endings = readings[label].endings
            return label in waiting and bool(endings) and need(one.fate is Fate.DELIVERED for one in endings)

        certain = frozenset(label for label in readings if waits(label, all))
        possible = frozenset(label for label in readings if waits(label, any))
        return self.partition.owned(certain, possible, False)

    def _duplicate(self, readings: dict[str, _Reading]) -> Share:
        """Members with different strategies read one queue twice in a group at rest, and who pops what others pull."""
        got = {label: [label in each.receivers for each in one.endings] for label, one in readings.items()}
        certain = frozenset(label for label, each in got.items() if each and all(each))
        possible = frozenset(label for label, each in got.items() if any(each))
        found = self.partition.doubled(certain, possible)
        popped = frozenset(label for label, one in readings.items() if self._may_be_popped(label, one))
        more = self.partition.owned(frozenset(), popped, False).high if popped else found.high
        return Share(found.low, max(found.high, more))

    def _may_be_popped(self, owner: str, reading: _Reading) -> bool:
        """Whether what the owner of a queue receives by pulling may come to somebody who pops, too."""
        pops = {side.label for side in self.having if side.pops}
        both = any(owner in one.receivers and pops.intersection(one.receivers) for one in reading.endings)
        return owner not in pops and both

    def _member_share(self, side: Side, names: tuple[str, ...], readings: dict[str, _Reading]) -> MemberShare:
        if side.subscription(self.topic) is None:
            return MemberShare(side.label, NONE, NONE)
        if side.pops or side.model is MessageModel.BROADCASTING:
            endings = [each for one in readings.values() for each in one.endings]
            share = _range(side.label in each.receivers for each in endings)
        else:
            got = [side.label in each.receivers for each in readings[side.label].endings]
            own = frozenset((side.label,))
            share = self.partition.owned(
                own if all(got) else frozenset(), own if any(got) else frozenset(), False
            )
        return MemberShare(side.label, *((share, NONE) if side.label in names else (NONE, share)))

    def _delay(self, reading: _Reading) -> Impact:
        """Delay in every case: what is delivered waits for the topic to come back."""
        delayed = self.flaps and reading.certainly(Fate.DELIVERED) and len(self.by_table) == len(self.having)
        return Impact.DELAYED if delayed else Impact.NOTHING

    def _retry(self) -> Share:
        """How surely failed messages are read again: by whoever owns the retry queue."""
        if not any(self._pulls(side) and side.kind is ClientKind.PUSH for side in self.having):
            return NONE
        return _range(not _reads_retry(side) for side in self.sides)

    def _why(self, classes: int) -> Iterator[Step]:
        """Why it is so for the topic as a whole; `classes` is the bound that left some out, 0 if none did."""
        if self.flaps:
            yield Step.of(StepCode.TOPIC_FLAPS, topic=self.topic, members=_joined(self.lacking))
        for side in self.sides:
            if side.model is MessageModel.BROADCASTING and self.clustered and not side.pops:
                yield Step.of(StepCode.BROADCAST_COUNTS, member=side.label)
        if self._retry().is_possible:
            for side in self.sides:
                if not _reads_retry(side):
                    yield Step.of(StepCode.RETRY_NOT_PULLED, member=side.label)
        if sum(side.pops for side in self.having) > 0 and len(self.having) > 1:
            yield Step.of(StepCode.ANY_POP, topic=self.topic)
        if not self.partition.is_one and self.partition.clients > 1 and not self.partition.orders_listed():
            yield Step.of(
                StepCode.TOO_MANY_ORDERS, clients=str(self.partition.clients), bound=str(ORDERS_MAX)
            )
        if classes:
            yield Step.of(StepCode.TOO_MANY_CLASSES, bound=str(classes))


def _reads_retry(side: Side) -> bool:
    return side.kind is ClientKind.PUSH and side.model is not MessageModel.BROADCASTING


def _meaning(one: Sieve) -> object:
    """Equal for subscriptions that no filter can tell apart."""
    if one.tags is not None:
        return (one.tags.is_all, one.tags.tags)
    return one.selector.text or one.expression if one.selector is not None else one.expression


def _range(cases: Iterable[bool]) -> Share:
    """0 to 1 as far as the cases differ; 0 without any."""
    listed = tuple(cases)
    return Share(Fraction(bool(listed) and all(listed)), Fraction(any(listed)))


def _joined(sides: Sequence[Side]) -> str:
    """Their labels, of many the first ones and the number of the others."""
    names = ", ".join(side.label for side in sides[:NAMED_MAX])
    return names + (f", … (+{len(sides) - NAMED_MAX})" if len(sides) > NAMED_MAX else "")

"""`python -m tests.broker.certainty`: of how many recorded messages the end is certain, and what leaves the others open.

Certain is what has one predicted fate, and of several that nobody receives the message in any of them, whenever it is
passed over, or that it is lost in none.

Of these it counts how many ended in different ways in runs of the very same scenario, and how many are certain once the
table and the owners are given.

A race is open where one event, a join or a leave, changed the queues of two members: each sets its version when it has
rebalanced, milliseconds apart, and nothing that a scenario says orders them. How such races ended in the recordings says
what any prediction from the same facts could know.
"""

from collections import Counter
from collections.abc import Iterator

from subdrift.linter.broker.predict import MessageResult, run
from subdrift.linter.broker.scenario import Message, Timing, Verb
from subdrift.linter.broker.states import Claim, Sending
from subdrift.linter.broker.versions import Feature, behaves
from tests.broker.recorded import FILES, Phase, Record, records
from tests.broker.test_replay import agrees, given_ends, phases_of

CERTAIN = "one fate"
RACE = "several members set their version after the same event"
FLAPPING = "heartbeats delete the topic again and again"
MOVING = "queues move, or a member may be absent, while the message waits"
POP = "several members pop one queue"
UNWANTED = "nobody subscribes to it and in no end anybody receives it"
UNRECEIVED = "somebody subscribes to it and in no end anybody receives it"
NOT_LOST = "in every end it is delivered, or waits for its topic"
SURE = (CERTAIN, UNWANTED, UNRECEIVED, NOT_LOST)
OTHER = "another reason"
INTERVALS = {
    Timing.DEFAULT: "clients since 5.2, default intervals",
    Timing.FAST: "clients since 5.2, shorter ones",
}
RUNS = {9: "9 or more", 5: "5 to 8", 1: "1 to 4"}
"""At least so many runs of one scenario."""


class Count:
    """What the recordings hold: messages by what leaves their fate open, and how races ended."""

    def __init__(self) -> None:
        self.messages: Counter[str] = Counter()
        self.wanted: Counter[str] = Counter()
        """Of these, messages that somebody subscribes to."""
        self.given: Counter[str] = Counter()
        """Of the open ones, those of one fate once it is given what the broker held and who owned the queue."""
        self.ends: dict[tuple[str, str], list[tuple[str, str]]] = {}
        """Scenario and message -> what left each of its recorded runs open, and how it ended."""
        self.races: Counter[tuple[str, bool]] = Counter()
        """By the broker's version, or the intervals of clients since 5.2, and whether the member won that started last."""
        self.wrong: list[tuple[str, str]] = []
        """Records and messages: the one predicted fate was not what happened, or somebody received what nobody should."""
        for record in (one for file in FILES for one in records(file)):
            self._add(record)

    def share(self, counted: Counter[str]) -> float:
        return sum(counted[one] for one in SURE) / counted.total()

    @property
    def both(self) -> Counter[str]:
        """Messages by what leaves them open, where runs of the same scenario, on any version, ended in different ways."""
        found: Counter[str] = Counter()
        for runs in self.ends.values():
            if len({end for _, end in runs}) > 1:
                found.update(reason for reason, _ in runs)
        return found

    @property
    def ended_both_ways(self) -> dict[str, tuple[int, int]]:
        """How often the very same scenario was run -> its messages that hang on a race, and those that ended both ways."""
        found: dict[str, tuple[int, int]] = {}
        for runs in self.ends.values():
            if any(reason == RACE for reason, _ in runs):
                often = next(words for least, words in RUNS.items() if len(runs) >= least)
                seen, both = found.get(often, (0, 0))
                found[often] = (seen + 1, both + (len({end for _, end in runs}) > 1))
        return {one: found[one] for one in reversed(RUNS.values())}

    def _add(self, record: Record) -> None:
        predicted = {one.phase: one for one in run(record.scenario, timeline=False).phases}
        version = str(record.scenario.broker_version)
        for phase, sending in phases_of(record):
            paced = all(
                behaves(Feature.REBALANCE_PACED, record.scenario.version_of(one))
                for one in record.scenario.members
            )
            for last in _races(record, phase, sending):
                self.races[version, last] += 1
                self.races[INTERVALS[record.scenario.timing], last] += paced
            for message in predicted[phase.name].messages:
                reason = _reason(record, sending, message)
                self.messages[reason] += 1
                self.wanted[reason] += bool(message.wanted_by)
                said = next(one for one in record.scenario.messages if one.id == message.id)
                ends = [one.possibility for one in message.ends]
                end = _ended(record, said, phase)
                self.ends.setdefault((record.raw["id"], message.id), []).append((reason, end))
                if reason != CERTAIN:
                    seen = given_ends(record, said, phase, sending)
                    self.given[reason] += seen is not None and len({one.ending.fate for one in seen}) == 1
                refuted = {
                    CERTAIN: not agrees(record, said, phase, ends),
                    UNWANTED: end == "received",
                    UNRECEIVED: end == "received",
                    NOT_LOST: end == "passed over",
                }
                if refuted.get(reason):
                    self.wrong.append((record.name, message.id))


def _ended(record: Record, message: Message, phase: Phase) -> str:
    """What was seen of a message when it was judged."""
    if record.receivers(message.id, phase.judged_ms):
        return "received"
    gone = record.passed_by_anybody(message.id, message.topic, message.queue, phase)
    return "passed over" if gone else "waits"


def _reason(record: Record, sending: Sending, message: MessageResult) -> str:
    """What leaves a message's fate open."""
    if message.certain is not None:
        return CERTAIN
    if message.is_unreceived:
        return UNRECEIVED if message.wanted_by else UNWANTED
    if message.is_not_lost:
        return NOT_LOST
    if any(state.flaps for one in sending.at_send if (state := one.topic(message.topic)) is not None):
        return FLAPPING
    if record.scenario.pop:
        return POP
    if len(sending.at_send) > 1 or sending.later:
        return MOVING
    return RACE if len(_racers(sending, message.topic)) > 1 else OTHER


def _racers(sending: Sending, topic: str) -> list[Claim]:
    """The members whose version is set after the last event that may decide."""
    state = sending.judged_in[-1].topic(topic)
    if state is None or state.flaps:
        return []
    last = max((one.low_ms for one in state.claims), default=0)
    return [one for one in state.claims if one.low_ms < one.high_ms > last]


def _races(record: Record, phase: Phase, sending: Sending) -> Iterator[bool]:
    """For each race of two that started one after the other, whether the later one won."""
    begun = {
        name: number
        for number, step in enumerate(record.scenario.steps)
        if step.verb is Verb.START
        for name in step.members
    }
    for topic, held in phase.seen["winner"].items() if phase.own else ():
        racers = sorted(_racers(sending, topic), key=lambda one: begun[one.member])
        texts = [one.subscription.expression or "*" for one in racers]
        two = len(set(texts)) == 2 == len(racers) and begun[racers[0].member] < begun[racers[1].member]
        if two and held["expression"] in texts:
            yield held["expression"] == texts[1]


def table(count: Count) -> str:
    """The tables of docs/predict.md."""
    rows = [
        "| | messages | of those somebody subscribes to | ended in different ways in runs of the same scenario"
        " | certain once table and owners are given |",
        "|---|---|---|---|---|",
    ]
    both = count.both
    for reason in dict.fromkeys([*SURE, *(one for one, _ in count.messages.most_common())]):
        cells = (
            f"{one[reason]:,} ({one[reason] / one.total():.1%})" for one in (count.messages, count.wanted)
        )
        opened = ("", "") if reason == CERTAIN else (f"{both[reason]:,}", f"{count.given[reason]:,}")
        rows.append(f"| {reason} | {' | '.join((*cells, *opened))} |")
    rows += [
        "",
        "| races of two members, broker | won by the one that started last | by the other |",
        "|---|---|---|",
    ]
    for version in sorted({one[0] for one in count.races}):
        rows.append(f"| {version} | {count.races[version, True]} | {count.races[version, False]} |")
    rows += [
        "",
        "| runs of one scenario | its messages that hang on a race | ended both ways |",
        "|---|---|---|",
    ]
    rows += [f"| {often} | {seen} | {both} |" for often, (seen, both) in count.ended_both_ways.items()]
    return "\n".join(rows)


if __name__ == "__main__":
    found = Count()
    print(table(found))
    print(f"\n{len(found.wrong)} certain ones were wrong {found.wrong[:3] or ''}")

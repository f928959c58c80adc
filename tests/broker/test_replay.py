"""What real brokers did, against what the closed form says: every recorded message, winner and table.

Three questions for each recording. Given the table and the queues as they were, does every message end as predicted?
Without them, does what happened lie among the ends that were called possible? Is the winner always a candidate?
A message is left open in the first question where ids or shares moved while it waited.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from subdrift.linter.broker.fates import Content, Fate
from subdrift.linter.broker.observed import observed_in
from subdrift.linter.broker.outcomes import Possibility, Question, in_situation, possibilities
from subdrift.linter.broker.scenario import Message, Verb
from subdrift.linter.broker.situations import sendings
from subdrift.linter.broker.states import Sending, Situation
from tests.broker.recorded import FILES, SAMPLING_MS, Phase, Record, records

LEFT_OPEN_MAX = 0.03
RETRY = "%RETRY%g"


def phases_of(record: Record) -> Iterable[tuple[Phase, Sending]]:
    """Each judged phase with the prediction for it."""
    predicted = sendings(record.scenario)
    names = [one.phase for one in predicted]
    seen = [str(one["phase"]) for one in record.observed["phases"]]
    assert names == seen, record.name
    judged = {id(one.seen): one for one in record.phases}
    assert judged or not seen, record.name
    yield from zip(record.phases, predicted, strict=False)


def question(message: Message) -> Question:
    content = Content(message.tag, (*message.properties, ("MID", message.id)))
    return Question(message.topic, message.queue, content, message.id)


def agrees(record: Record, message: Message, phase: Phase, found: Sequence[Possibility]) -> bool:
    """Whether what was seen of a message is one of these ends.

    That a message may wait excuses silence for as long as was announced and not longer.
    """
    receivers = record.receivers(message.id, phase.judged_ms)
    place = (message.id, message.topic, message.queue, phase)
    passed, gone = record.passed(*place), record.passed_by_anybody(*place)
    for one in found:
        fate = one.ending.fate
        if frozenset(one.ending.receivers) == receivers:
            if fate is Fate.DELIVERED:
                return True
            if fate in (Fate.LOST, Fate.SKIPPED) and (gone or one.may_wait):
                return True
            if fate in (Fate.STUCK, Fate.DELAYED) and not passed:
                return True
        announced = one.delay_ms is not None and phase.judged_ms - phase.sent_until_ms <= one.delay_ms
        if one.may_wait and announced and not receivers and not passed:
            return True
    return False


def given_ends(record: Record, message: Message, phase: Phase, sending: Sending) -> list[Possibility] | None:
    """The ends of a message with the observed table and owners in place of predicted ones.

    Where its queue changed hands, it must have ended before, or have had nobody to read it until the last owner
    came; otherwise None: it is left open.
    """
    begin, end = phase.sent_from_ms - SAMPLING_MS, phase.judged_ms
    owners = record.owners(message.topic, message.queue, begin, end)
    first, last = sending.at_send[-1], sending.judged_in[-1]
    if len(owners) == 1:
        return _under(record, message, phase, owners[0][1], begin, end, (first, last))
    ended = record.ended_ms(message.id, message.topic, message.queue)
    if ended is not None and ended < owners[1][0] - SAMPLING_MS:
        found = _under(record, message, phase, owners[0][1], begin, owners[1][0], (first,))
        if record.receivers(message.id, ended):
            return found
        # passed, but perhaps not committed before the next owner came, who then reads it again
        return [*found, *_under(record, message, phase, owners[-1][1], owners[-1][0], end, (last,))]
    for (at, earlier), (until, _) in pairwise(owners):
        unread = _under(record, message, phase, earlier, at, until, (first, last))
        if any(one.ending.fate not in (Fate.STUCK, Fate.DELAYED) for one in unread):
            return None
    at, final = owners[-1]
    return _under(record, message, phase, final, at - SAMPLING_MS, end, (last,))


def _under(
    record: Record,
    message: Message,
    phase: Phase,
    owners: frozenset[str],
    begin_ms: int,
    end_ms: int,
    situations: Iterable[Situation],
) -> list[Possibility]:
    """The ends of a message while these members own its queue."""
    found = []
    for situation in dict.fromkeys(situations):
        for seen in record.observations(message.topic, message.queue, owners, phase, begin_ms, end_ms):
            found += in_situation(record.scenario, observed_in(situation, seen), question(message))
    return found


def differing(found: Sequence[Possibility]) -> int:
    return len({(one.ending.fate, frozenset(one.ending.receivers)) for one in found})


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".jsonl.gz"))
def test_given_table_and_queues_every_message_ends_as_predicted(file: Path) -> None:
    counts: Counter[str] = Counter()
    wrong = []
    for record in records(file):
        for phase, sending in phases_of(record):
            for message in record.scenario.messages:
                if str(message.phase) != phase.name:
                    continue
                found = given_ends(record, message, phase, sending)
                if found is None:
                    counts["left open"] += 1
                    continue
                counts["two outcomes" if differing(found) > 1 else "judged"] += 1
                if not agrees(record, message, phase, found):
                    wrong.append((record.name, message.id, [one.ending for one in found]))
    print(f"{file.name}: {dict(counts)}")
    assert not wrong, wrong[:3]
    assert counts["judged"]
    assert counts["left open"] <= LEFT_OPEN_MAX * counts.total(), counts


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".jsonl.gz"))
def test_what_happened_was_called_possible_and_what_was_called_certain_happened(file: Path) -> None:
    counts: Counter[str] = Counter()
    wrong = []
    for record in records(file):
        for phase, sending in phases_of(record):
            for message in record.scenario.messages:
                if str(message.phase) != phase.name:
                    continue
                found = possibilities(record.scenario, sending, question(message))
                number = differing(found)
                counts["certain" if number == 1 else "two outcomes" if number == 2 else "more outcomes"] += 1
                if not agrees(record, message, phase, found):
                    wrong.append((record.name, message.id, [one.ending for one in found]))
    print(f"{file.name}: {dict(counts)}")
    assert not wrong, wrong[:3]
    assert counts["certain"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".jsonl.gz"))
def test_the_winner_was_always_a_candidate(file: Path) -> None:
    counts: Counter[int] = Counter()
    wrong = []
    for record in records(file):
        for phase, sending in phases_of(record):
            for topic, held in phase.seen["winner"].items() if phase.own else ():
                if topic == RETRY:
                    continue
                candidates = {
                    (claim.subscription.filter_type.value, claim.subscription.expression or "*")
                    for situation in sending.judged_in
                    if (state := situation.topic(topic)) is not None
                    for claim in state.claims
                }
                counts[len(candidates)] += 1
                if (held["type"], held["expression"]) not in candidates:
                    wrong.append((record.name, topic, held, candidates))
    print(f"{file.name}: winners judged by number of candidates {dict(sorted(counts.items()))}")
    assert not wrong, wrong[:3]
    assert counts.total()


def tables_replay(record: Record) -> bool:
    """Whether the heartbeats tell the table: V2 heartbeats after a broker restart carry no subscriptions."""
    restarted = any(one.verb is Verb.BROKER_RESTART for one in record.scenario.steps)
    return not (restarted and any(one.options.heartbeat_v2 for one in record.scenario.members))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".jsonl.gz"))
def test_heartbeats_replayed_through_registration_give_the_recorded_tables(file: Path) -> None:
    """At each judgement; equal versions of two members leave it to the order of arrival, which was not recorded."""
    compared = ties = 0
    wrong = []
    for record in records(file):
        if not tables_replay(record):
            continue
        for phase in record.phases:
            if not phase.own:
                continue
            table = record.table_at(phase.judged_ms)
            compared += 1
            for topic in table.keys() | phase.seen["winner"].keys():
                seen = phase.seen["winner"].get(topic)
                held = table.get(topic)
                if seen is None or held is None:
                    same = seen is None and held is None
                else:
                    same = (seen["expression"], seen["version"]) == (held.text, held.version)
                if not same and held is not None and record.ties(held):
                    ties += 1
                elif not same:
                    wrong.append((record.name, topic, seen, held))
    print(f"{file.name}: {compared} tables, {ties} decided by the order within one millisecond")
    assert not wrong, wrong[:3]
    assert compared

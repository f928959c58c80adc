"""A record -> does what the clients received lie in what the model calls possible?

Twice: as predicted from the scenario alone, and once more given whose subscription won and who owned which queue, which
leaves the model next to no freedom.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from subdrift.linter.broker.fates import Fate
from subdrift.linter.broker.predict import MessageResult, PhaseResult, run
from subdrift.linter.broker.scenario import Scenario
from subdrift.rules.selectors import Refused, compiled
from tests.broker.decoded import given_from, scenario_from

from .hosts import Json
from .wider import wider_record

PASSED = (Fate.LOST, Fate.SKIPPED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judged phase of one record."""

    scenario: str
    broker: str
    client: str
    phase: str
    winner: str
    received: int
    sent: int
    judged: int
    open: int
    """Messages for which the model leaves more than one end, even with the winner given."""
    differences: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        return not self.differences

    @property
    def words(self) -> str:
        return "agrees" if self.agrees else "DIFFERS: " + "; ".join(self.differences[:3])


def judge(record: Json) -> Iterator[Verdict]:
    """One verdict for each phase of each group in which something was sent."""
    for _, group in wider_record(record):
        yield from (_refused(group) if _is_refused(group["scenario"]) else _judge(group))


def _is_refused(scenario: Json) -> bool:
    """Whether the broker compiles none of the selectors: no scenario that `predict` reads."""
    every = [one for member in scenario["members"] for one in member["subscriptions"]]
    refused = [
        one for one in every if one["type"] == "SQL92" and isinstance(compiled(one["expression"]), Refused)
    ]
    return bool(every) and refused == every


def _refused(record: Json) -> Iterator[Verdict]:
    """What `selector-refused` says of gRPC members: they start, and nothing is delivered to them."""
    observed = record["observed"]
    for phase in observed["phases"]:
        got = _received(record, phase["judgedMs"])
        sent = sum(one["phase"] == phase["phase"] for one in record["scenario"]["messages"])
        differences = [f"{name} does not start: {why}" for name, why in observed["startErrors"].items()]
        differences += [f"{one} received by {','.join(sorted(members))}" for one, members in got.items()]
        yield Verdict(
            record["id"], record["versions"]["broker"], record["versions"]["client"], str(phase["phase"]), "",
            len(got), sent, sent, 0, tuple(differences),
        )  # fmt: skip


def _judge(record: Json) -> Iterator[Verdict]:
    scenario = scenario_from(record, record["id"])
    free = {phase.phase: phase for phase in run(scenario, timeline=False).phases}
    fixed = _given(record, scenario)
    for observed in record["observed"]["phases"]:
        name = str(observed["phase"])
        messages = fixed[name]
        if not messages:
            continue
        received = _received(record, observed["judgedMs"])
        differences = [*_unforeseen_winners(free[name], observed)]
        moved = _moved(record, observed)
        for message in (*free[name].messages, *(one for one in messages if one.topic not in moved)):
            members = frozenset(received.get(message.id, ()))
            if not _possible(message, members, _committed(observed, message)):
                got = ",".join(sorted(members)) or "nobody"
                ways = ", ".join(f"{e.fate.value} {'/'.join(e.receivers) or '-'}" for e in message.ends)
                differences.append(f"{message.id} received by {got}, possible: {ways}")
        table = [(t, e["expression"]) for t, e in sorted(observed["winner"].items()) if t[0] != "%"]
        yield Verdict(
            record["id"],
            record["versions"]["broker"],
            record["versions"]["client"],
            name,
            " ".join(f"{topic}={expression}" for topic, expression in table),
            sum(bool(received.get(message.id)) for message in messages),
            len(messages),
            len(messages),
            sum(len({(e.fate, e.receivers) for e in message.ends}) > 1 for message in messages),
            tuple(dict.fromkeys(differences)),
        )


def _moved(record: Json, phase: Json) -> frozenset[str]:
    """Topics whose subscription changed between sending and looking, say by a heartbeat that was dropped and came again
    with the next tick: what was seen last says nothing of the messages then."""
    return frozenset(
        one["topic"]
        for one in record["observed"]["tableHistory"]
        if phase["sendMs"] < one["atMs"] <= phase["judgedMs"]
    )


def _received(record: Json, until_ms: int) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in record["observed"]["deliveries"]:
        if one["reconsume"] == 0 and one["atMs"] <= until_ms:
            found.setdefault(one["message"], set()).add(one["member"])
    return found


def _given(record: Json, scenario: Scenario) -> dict[str, list[MessageResult]]:
    """The messages of each phase, given what was observed: each queue under the table of its own broker."""
    found: dict[str, list[MessageResult]] = {}
    for number, broker in enumerate(scenario.brokers):
        phases = [
            {**one, "winner": one["winners"][broker]} if "winners" in one else one
            for one in record["observed"]["phases"]
        ]
        given = given_from({**record["observed"], "phases": phases}, record["id"], scenario)
        for phase in run(scenario, given, timeline=False).phases:
            for message in phase.messages:
                if message.queue * len(scenario.brokers) // scenario.queues(message.topic) == number:
                    found.setdefault(phase.phase, []).append(message)
            found.setdefault(phase.phase, [])
    return found


def _unforeseen_winners(phase: PhaseResult, observed: Json) -> Iterator[str]:
    for topic in phase.topics:
        foreseen = {winner.expression or "*" for winner in topic.winners}
        for table in observed.get("winners", {"": observed["winner"]}).values():
            entry = table.get(topic.topic)
            if entry is not None and entry["expression"] not in foreseen:
                yield f"{topic.topic} is held by {entry['expression']!r}, possible: {', '.join(sorted(foreseen))}"


def _committed(observed: Json, message: MessageResult) -> bool:
    """Whether the group's offset at the broker is past the message."""
    offset = observed["committed"].get(message.topic, {}).get(str(message.queue), 0)
    return message.offset is not None and int(offset) > message.offset


def _possible(message: MessageResult, members: frozenset[str], committed: bool) -> bool:
    """Whether one of the predicted ends is what was seen; what nobody received must not be stuck if it was passed."""
    return any(
        frozenset(end.receivers) == members and (members or not committed or end.fate in PASSED)
        for end in message.ends
    )

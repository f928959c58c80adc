"""What a disagreement costs: the console's and the messages' verdict in words, the loss of each winner as a table."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from linter.model.prediction import (
    Assumptions,
    Basis,
    ClassOutcome,
    ConsoleVerdict,
    Impact,
    Outcome,
    Prediction,
    Share,
    Step,
    TopicPrediction,
)
from linter.report.content import plural
from linter.report.names import Names, renamer
from linter.report.steps_text import sentence
from linter.report.terminal import CELL_CHARS_MAX, cells, safe

TOPICS_MAX: Final = 6
WINNERS_MAX: Final = 6
CLASSES_MAX: Final = 16
"""Tables, columns and rows a finding shows, the worst ones; what is left out is counted."""
NAMED_MAX: Final = 6
"""Kinds of messages or members a sentence names."""

_WORDS: Final = {
    Impact.NOTHING: "delivered",
    Impact.CONSOLE_ONLY: "delivered",
    Impact.DELAYED: "delayed",
    Impact.STUCK: "stuck",
    Impact.LOST: "lost",
    Impact.FAILS_TO_START: "fails-to-start",
}


def console_sentence(prediction: Prediction) -> str:
    """What `mqadmin consumerStatus` and the dashboards will say of the group."""
    match prediction.console:
        case ConsoleVerdict.DIFFERENT:
            return "will be called inconsistent"
        case ConsoleVerdict.SAME:
            return "will be called consistent"
        case ConsoleVerdict.NOT_COMPARED:
            return "will not compare this group"


def messages_sentence(prediction: Prediction, topic: str | None, names: Names | None = None) -> str:
    """What becomes of the messages of a topic, or of the whole group where it is None."""
    found = prediction.topic(topic) if topic is not None else None
    about = prediction.topics if found is None else (found,)
    possible = prediction.impact(topic)
    certain = prediction.certain if found is None else found.certain
    lost = [label for one in about for label in one.certainly_lost]
    match possible:
        case Impact.FAILS_TO_START:
            failing = [(names or {}).get(one.member, one.member) for one in prediction.fails_to_start]
            return f"{_joined(failing) or 'a member'} fails to start"
        case Impact.LOST:
            if lost:
                return f"some of {_joined(lost)} will be lost, whoever registers last"
            return (
                "some will be lost, whoever registers last" if certain >= Impact.LOST else "some can be lost"
            )
        case Impact.STUCK:
            return f"some {'will' if certain >= Impact.STUCK else 'can'} stay in queues that nobody reads"
        case Impact.DELAYED:
            delay = max((one.delay_s for one in about), default=0)
            return "none is lost, some wait" + (f" up to {delay} s" if delay else "")
        case Impact.CONSOLE_ONLY | Impact.NOTHING:
            return "none is lost"


def _joined(names: list[str]) -> str:
    more = [f"{len(names) - NAMED_MAX} more"] if len(names) > NAMED_MAX else []
    return " and ".join(names[:NAMED_MAX] + more)


def messages_word(prediction: Prediction, topic: str | None) -> str:
    """The same as one word for machines: delivered, delayed, stuck, lost, fails-to-start."""
    return _WORDS[prediction.impact(topic)]


def loss_table(prediction: Prediction, topic: str | None, names: Names) -> Iterator[str]:
    """What becomes of each kind of message for each winner, under the assumptions that make the shares true.

    A block of lines for each topic; nothing where nothing can go wrong with it.
    """
    topics = [one for one in prediction.topics if topic in (None, one.topic)]
    topics = [one for one in topics if one.possible > Impact.CONSOLE_ONLY]
    for one in topics[:TOPICS_MAX]:
        subject = f"topic {one.topic}, " if topic is None else ""
        yield f"predicted for {subject}{_assumed(prediction.assumptions)}:"
        yield ""
        yield from (f"    {line}".rstrip() for line in _grid(_rows(one, names)))
        yield ""
    if len(topics) > TOPICS_MAX:
        yield f"and {len(topics) - TOPICS_MAX} more topics"


def reasons(prediction: Prediction, topic: str | None, names: Names) -> tuple[str, ...]:
    """Why it is so, as far as it concerns the group or the topic as a whole."""
    steps = list(prediction.why)
    for one in prediction.topics:
        if topic in (None, one.topic):
            steps += one.why
    steps += [one.why for one in prediction.fails_to_start]
    return tuple(dict.fromkeys(sentence(step, name=renamer(names)) for step in steps))


def prediction_object(prediction: Prediction, topic: str | None, names: Names) -> dict[str, Any]:
    """The prediction as JSON objects, of the finding's topic or of all; shares are exact fractions as text."""
    topics = [one for one in prediction.topics if topic in (None, one.topic)]
    assumed = prediction.assumptions
    return {
        "assumptions": {
            "queues": assumed.queues,
            "clients": [
                {"member": name, "name": names.get(name, name), "instances": count}
                for name, count in assumed.clients
            ],
            "client_version": assumed.client_version,
            "broker_version": assumed.broker_version,
            "strategy": assumed.strategy,
            "property_filter": assumed.property_filter,
            "basis": assumed.basis.value,
            "id_orders": assumed.id_orders,
        },
        "outcomes": [
            _outcome_object(one.topic, outcome, names) for one in topics for outcome in one.outcomes
        ],
        "topics": [_topic_object(one, names) for one in topics],
        "fails_to_start": [
            {"member": one.member, "why": sentence(one.why, name=renamer(names))}
            for one in prediction.fails_to_start
        ],
        "worst": _name(prediction.worst),
        "certain": _name(prediction.certain),
        "why": [_step_object(step, names) for step in prediction.why],
    }


def _assumed(assumed: Assumptions) -> str:
    counts = [count for _, count in assumed.clients]
    if len(counts) > WINNERS_MAX:
        instances = plural(sum(counts), "instance")
    else:
        instances = f"{' + '.join(map(str, counts))} instances"
    parts = [
        instances,
        plural(assumed.queues, "queue"),
        f"clients {assumed.client_version}",
        f"broker {assumed.broker_version}",
    ]
    parts += [assumed.strategy] * (assumed.strategy != "AVG")
    parts += ["from RocketMQ's sources"] * (assumed.basis is Basis.SOURCE)
    return ", ".join(parts)


def _rows(topic: TopicPrediction, names: Names) -> list[list[str]]:
    """The head and a row for each kind of message; a column for each winner."""
    outcomes = _worst(topic.outcomes)
    head = ["messages", *(_column(one, names, len(topic.outcomes)) for one in outcomes)]
    if len(topic.outcomes) > WINNERS_MAX:
        head.append(f"and {len(topic.outcomes) - WINNERS_MAX} more winners")
    rows: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for column, outcome in enumerate(outcomes):
        for one in outcome.classes:
            row = rows.setdefault((one.message.label, one.message.wanted_by), [""] * len(outcomes))
            row[column] = _fate(one)
    listed = [[label, *row] for (label, _), row in rows.items()]
    if len(listed) > CLASSES_MAX:
        listed = [*listed[:CLASSES_MAX], [f"and {len(listed) - CLASSES_MAX} more kinds"]]
    return [head, *listed]


def _worst(outcomes: tuple[Outcome, ...]) -> list[Outcome]:
    """Those that hurt most kinds of messages, in their order."""

    def harm(index: int) -> tuple[int, Fraction, int]:
        hurt = [one for one in outcomes[index].classes if one.lost.is_possible or one.stuck.is_possible]
        return (-len(hurt), -sum((one.lost.high + one.stuck.high for one in hurt), Fraction(0)), index)

    return [outcomes[index] for index in sorted(sorted(range(len(outcomes)), key=harm)[:WINNERS_MAX])]


def _column(outcome: Outcome, names: Names, outcomes: int) -> str:
    if outcome.winner is None or outcomes == 1:
        return "outcome"
    winners = [names.get(name, name) for name in (outcome.winner, *outcome.also)]
    shown = " or ".join(winners[:3]) + (f" or {len(winners) - 3} more" if len(winners) > 3 else "")
    return f"{shown} registers last"


def _fate(one: ClassOutcome) -> str:
    parts = [
        f"{_percent(share)} {word}"
        for word, share in (
            ("lost", one.lost),
            ("stuck", one.stuck),
            ("delayed", one.delayed),
            ("twice", one.duplicate),
        )
        if share.is_possible
    ]
    return ", ".join(parts) or "arrive"


def _percent(share: Share) -> str:
    if share.is_exact:
        return f"{_number(share.low)} %"
    return f"{_number(share.low)}-{_number(share.high)} %"


def _number(part: Fraction) -> str:
    """A percentage; what is neither nothing nor all never looks like it."""
    value = float(part * 100)
    if 0 < value < 0.1:
        return "<0.1"
    if 99.9 < value < 100:
        return ">99.9"
    return f"{value:.3g}"


def _grid(rows: list[list[str]]) -> Iterator[str]:
    columns = max(map(len, rows))
    clean = [[safe(cell, CELL_CHARS_MAX) for cell in row] + [""] * (columns - len(row)) for row in rows]
    widths = [max(cells(row[column]) for row in clean) for column in range(columns)]
    for row in clean:
        yield "   ".join(cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=True))


def _outcome_object(topic: str, outcome: Outcome, names: Names) -> dict[str, Any]:
    return {
        "topic": topic,
        "winner": outcome.winner,
        "expression": outcome.expression,
        "also": list(outcome.also),
        "classes": [
            {
                "label": one.message.label,
                "tag": one.message.tag,
                "wanted_by": list(one.message.wanted_by),
                "delivered": _share_object(one.delivered),
                "lost": _share_object(one.lost),
                "stuck": _share_object(one.stuck),
                "delayed": _share_object(one.delayed),
                "duplicate": _share_object(one.duplicate),
                "members": [
                    {
                        "member": each.member,
                        "delivered": _share_object(each.delivered),
                        "unexpected": _share_object(each.unexpected),
                    }
                    for each in one.members
                ],
                "why": [_step_object(step, names) for step in one.why],
            }
            for one in outcome.classes
        ],
    }


def _topic_object(topic: TopicPrediction, names: Names) -> dict[str, Any]:
    return {
        "topic": topic.topic,
        "availability": _share_object(topic.availability),
        "delay_s": topic.delay_s,
        "retry_stuck": _share_object(topic.retry_stuck),
        "possible": _name(topic.possible),
        "certain": _name(topic.certain),
        "certainly_lost": list(topic.certainly_lost),
        "why": [_step_object(step, names) for step in topic.why],
    }


def _step_object(step: Step, names: Names) -> dict[str, Any]:
    return {"code": step.code.value, "values": dict(step.values), "text": sentence(step, name=renamer(names))}


def _share_object(share: Share) -> dict[str, str]:
    return {"low": str(share.low), "high": str(share.high)}


def _name(impact: Impact) -> str:
    return impact.name.lower().replace("_", "-")

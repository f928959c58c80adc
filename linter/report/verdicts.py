"""What a disagreement costs: the console's and the messages' verdict in words, the loss of each winner as a table."""

from __future__ import annotations

import string
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct

from subdrift.linter.model.prediction import (
    Basis,
    ClassOutcome,
    Impact,
    Outcome,
    Prediction,
    Share,
    Step,
    StepCode,
    TopicPrediction,
)
from subdrift.linter.report.cost import cost, label_text, percent
from subdrift.linter.report.language import Language, english
from subdrift.linter.report.names import Names, renamer
from subdrift.linter.report.steps_text import sentence
from subdrift.linter.report.terminal import CELL_CHARS_MAX, Style, cells, first_cells, last_cells, safe

TOPICS_MAX: Final = 6
WINNERS_MAX: Final = 6
CLASSES_MAX: Final = 16
"""Tables, columns and rows a finding shows, the worst ones; what is left out is counted."""
WINNERS_NAMED_MAX: Final = 2
"""Members a column's title names."""
LABEL_CELLS_MIN: Final = 12
"""Cells the first column keeps at least."""

_WORDS: Final = {
    Impact.NOTHING: "delivered",
    Impact.CONSOLE_ONLY: "delivered",
    Impact.DELAYED: "delayed",
    Impact.STUCK: "stuck",
    Impact.LOST: "lost",
    Impact.FAILS_TO_START: "fails-to-start",
}


def console_sentence(prediction: Prediction, language: Language | None = None) -> str:
    """What `mqadmin consumerStatus` and the dashboards will say of the group."""
    return (language or english()).word(f"console.{prediction.console.value}")


def messages_sentence(
    prediction: Prediction, topic: str | None, names: Names | None = None, language: Language | None = None
) -> str:
    """What becomes of the messages of a topic, or of the whole group where it is None; with a full stop."""
    return cost(prediction, topic, names or {}, language or english()).sentence


def messages_word(prediction: Prediction | None, topic: str | None) -> str:
    """The same as one word for machines: delivered, delayed, stuck, lost, fails-to-start. None: nothing is its doing."""
    return _WORDS[Impact.NOTHING if prediction is None else prediction.impact(topic)]


def loss_table(
    prediction: Prediction, topic: str | None, names: Names, style: Style, language: Language | None = None
) -> Iterator[str]:
    """What becomes of each kind of message for each winner: a block of lines for each topic, none wider than the
    terminal. Nothing for a topic with which nothing can go wrong."""
    words = language or english()
    topics = [one for one in prediction.topics if topic in (None, one.topic)]
    topics = [one for one in topics if one.possible > Impact.CONSOLE_ONLY]
    for one in topics[:TOPICS_MAX]:
        if topic is None and len(topics) > 1:
            yield words.word("table-of-topic", topic=safe(one.topic))
        yield from Table(one, names, style, words).lines()
    if len(topics) > TOPICS_MAX:
        yield words.word("more-topics", count=len(topics) - TOPICS_MAX)


def reasons(
    prediction: Prediction, topic: str | None, names: Names, language: Language | None = None
) -> tuple[str, ...]:
    """Why it is so, as far as it concerns the group or the topic as a whole."""
    steps = list(prediction.why)
    for one in prediction.topics:
        if topic in (None, one.topic):
            steps += one.why
    steps += [one.why for one in prediction.fails_to_start]
    lang = (language or english()).name
    return tuple(dict.fromkeys(sentence(step, lang, renamer(names)) for step in steps))


def prediction_object(
    prediction: Prediction, topic: str | None, names: Names, language: Language | None = None
) -> dict[str, Any]:
    """The prediction as JSON objects, of the finding's topic or of all; shares are exact fractions as text."""
    lang = (language or english()).name
    topics = [one for one in prediction.topics if topic in (None, one.topic)]
    assumed = prediction.assumptions
    return {
        "assumptions": {
            "queues": assumed.queues,
            "spread": "even",
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
            _outcome_object(one.topic, outcome, names, lang) for one in topics for outcome in one.outcomes
        ],
        "topics": [_topic_object(one, names, lang) for one in topics],
        "fails_to_start": [
            {"member": one.member, "why": sentence(one.why, lang, renamer(names))}
            for one in prediction.fails_to_start
        ],
        "worst": _name(prediction.worst),
        "certain": _name(prediction.certain),
        "why": [_step_object(step, names, lang) for step in prediction.why],
    }


def assumed(prediction: Prediction, language: Language) -> str:
    """What had to be supposed, in one line: `1 + 1 instances, 4 queues, clients 4.9.8, broker 5.3.3`."""
    made = prediction.assumptions
    counts = [count for _, count in made.clients]
    if len(counts) > WINNERS_MAX:
        instances = language.word("instances", count=sum(counts))
    elif counts == [1]:
        instances = language.word("instances", count=1)
    else:
        instances = language.word("instances-each", counts=" + ".join(map(str, counts)))
    queues = language.word("queues" if made.queues == 1 else "queues-evenly", count=made.queues)
    parts = [instances, queues]
    clients = language.joined(made.client_version.split(", "))
    parts.append(language.word("clients-and-broker", clients=clients, broker=made.broker_version))
    if _filters_by_sql(prediction):
        parts.append(language.word("property-filter", value=str(made.property_filter).lower()))
    if made.strategy not in ("AVG", ""):
        parts.append(_strategies(made.strategy, language))
    if made.basis is Basis.SOURCE:
        parts.append(language.word("from-sources"))
    return language.comma.join(parts)


def _filters_by_sql(prediction: Prediction) -> bool:
    """Whether somebody filters by SQL92, which a broker refuses unless it is told otherwise."""
    if any(one.why.code is StepCode.SQL_SWITCHED_OFF for one in prediction.fails_to_start):
        return True
    return any(
        one.message.matches for topic in prediction.topics for end in topic.outcomes for one in end.classes
    )


def _strategies(joined: str, language: Language) -> str:
    names = [language.word("strategy-unknown") if one in ("?", "") else one for one in joined.split(", ")]
    return language.word("allocated-by", strategies=language.joined(names))


class Table(Struct, frozen=True):
    """The fates of one topic's messages; columns are headed by letters where the winners' names leave no room."""

    topic: TopicPrediction
    names: Names
    style: Style
    language: Language

    def lines(self) -> Iterator[str]:
        outcomes = _worst(self.topic.outcomes)
        titles = [self._title(one) for one in outcomes]
        body = self._body(outcomes)
        fits = self._grid([["", *titles], *body])
        if fits is None:
            letters = [string.ascii_uppercase[number] for number in range(len(outcomes))]
            fits = self._grid([["", *letters], *body])
            while fits is None and len(outcomes) > 1:  # the mildest outcomes leave
                outcomes = outcomes[:-1]
                body = self._body(outcomes)
                fits = self._grid([["", *letters[: len(outcomes)]], *body])
            if fits is None:
                return
            legend = [f"    {letter}: {title}" for letter, title in zip(letters, titles, strict=False)]
            fits += [_cropped(line, self.style.width) for line in legend[: len(outcomes)]]
        yield from fits
        if len(outcomes) < len(self.topic.outcomes):
            count = len(self.topic.outcomes) - len(outcomes)
            yield f"    {self.language.word('more-winners', count=count)}"

    def _title(self, outcome: Outcome) -> str:
        if outcome.winner is None or len(self.topic.outcomes) == 1:
            return self.language.word("outcome")
        winners = [self.names.get(name, name) for name in (outcome.winner, *outcome.also)]
        if len(winners) > WINNERS_NAMED_MAX:
            more = self.language.word("more", count=len(winners) - WINNERS_NAMED_MAX)
            winners = [*winners[:WINNERS_NAMED_MAX], more]
        return self.language.word("registers-last", winners=self.language.word("or").join(winners))

    def _body(self, outcomes: list[Outcome]) -> list[list[str]]:
        rows: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for column, outcome in enumerate(outcomes):
            for one in outcome.classes:
                row = rows.setdefault((one.message.label, one.message.wanted_by), [""] * len(outcomes))
                row[column] = self._fate(one)
        listed = [[label_text(label, self.language), *row] for (label, _), row in rows.items()]
        if len(listed) > CLASSES_MAX:
            more = self.language.word("more-kinds", count=len(listed) - CLASSES_MAX)
            listed = [*listed[:CLASSES_MAX], [more]]
        return listed

    def _fate(self, one: ClassOutcome) -> str:
        parts = [
            self.language.word(f"cell.{word}", share=_percent(share))
            for word, share in (
                ("lost", one.lost),
                ("stuck", one.stuck),
                ("delayed", one.delayed),
                ("twice", one.duplicate),
            )
            if share.is_possible
        ]
        unexpected = [each.unexpected for each in one.members if each.unexpected.is_possible]
        if unexpected:
            parts.append(self.language.word("cell.unexpected", share=_percent(Share.over(unexpected))))
        return self.language.comma.join(parts) or self.language.word("cell.arrive")

    def _grid(self, rows: list[list[str]]) -> list[str] | None:
        """The rows as columns, a first cell cut where it is long; None where they do not fit the terminal."""
        columns = max(map(len, rows))
        clean = [[safe(cell, CELL_CHARS_MAX) for cell in row] + [""] * (columns - len(row)) for row in rows]
        widths = [max(cells(row[column]) for row in clean) for column in range(columns)]
        room = self.style.width - 4 - 3 * (columns - 1) - sum(widths[1:])
        if widths[0] > room:
            if room < LABEL_CELLS_MIN:
                return None
            widths[0] = room
        found = []
        for number, row in enumerate(clean):
            padded = []
            for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
                shown = _cropped(cell, width)
                pad = " " * (width - cells(shown))
                padded.append((shown if number == 0 or column == 0 else self._colored(shown)) + pad)
            found.append(self.style.plain(f"    {'   '.join(padded)}".rstrip()))
        return found

    def _colored(self, cell: str) -> str:
        """A cell in the colour of the worst it says."""
        for word, color in (
            ("lost", "red"),
            ("stuck", "yellow"),
            ("delayed", "yellow"),
            ("unexpected", "yellow"),
        ):
            if self.language.word(f"cell-word.{word}") in cell:
                return self.style.paint(cell, color)
        return self.style.paint(cell, "green") if cell == self.language.word("cell.arrive") else cell


def _cropped(text: str, room: int) -> str:
    """The text, or its beginning and end around an ellipsis where it is longer."""
    if cells(text) <= room:
        return text
    half = (room - 1) // 2
    return f"{first_cells(text, room - 1 - half)}…{last_cells(text, half)}"


def _worst(outcomes: tuple[Outcome, ...]) -> list[Outcome]:
    """Those that hurt most kinds of messages, in their order."""

    def harm(index: int) -> tuple[int, Fraction, int]:
        hurt = [one for one in outcomes[index].classes if one.lost.is_possible or one.stuck.is_possible]
        return (-len(hurt), -sum((one.lost.high + one.stuck.high for one in hurt), Fraction(0)), index)

    return [outcomes[index] for index in sorted(sorted(range(len(outcomes)), key=harm)[:WINNERS_MAX])]


def _percent(share: Share) -> str:
    if share.is_exact:
        return f"{percent(share.low)} %"
    return f"{percent(share.low)}-{percent(share.high)} %"


def _outcome_object(topic: str, outcome: Outcome, names: Names, lang: str) -> dict[str, Any]:
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
                "why": [_step_object(step, names, lang) for step in one.why],
            }
            for one in outcome.classes
        ],
    }


def _topic_object(topic: TopicPrediction, names: Names, lang: str) -> dict[str, Any]:
    return {
        "topic": topic.topic,
        "availability": _share_object(topic.availability),
        "delay_s": topic.delay_s,
        "retry_stuck": _share_object(topic.retry_stuck),
        "possible": _name(topic.possible),
        "certain": _name(topic.certain),
        "certainly_lost": list(topic.certainly_lost),
        "why": [_step_object(step, names, lang) for step in topic.why],
    }


def _step_object(step: Step, names: Names, lang: str) -> dict[str, Any]:
    text = sentence(step, lang, renamer(names))
    return {"code": step.code.value, "values": dict(step.values), "text": text}


def _share_object(share: Share) -> dict[str, str]:
    return {"low": str(share.low), "high": str(share.high)}


def _name(impact: Impact) -> str:
    return impact.name.lower().replace("_", "-")

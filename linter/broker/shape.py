"""The shape of a group, without the names in it, and a shape's prediction with the names put back.

Groups of one shape have one prediction but for names: it is computed once and remembered.
"""

import re
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from subdrift.linter.broker.side import Side
from subdrift.linter.model.prediction import (
    ClassOutcome,
    Outcome,
    Prediction,
    StartFailure,
    Step,
    TopicPrediction,
)


def anonymous(side: Side, index: int, numbers: dict[str, str]) -> Side:
    """The side with a number for its label and for each of its topics, in the spelling that `named` looks for."""
    return replace(
        side,
        label=f"\0m{index}\0",
        subscriptions=tuple(
            sorted(
                (replace(one, topic=numbers[one.topic]) for one in side.subscriptions),
                key=lambda one: one.topic,
            )
        ),
        dark_topics=tuple(sorted(numbers[one] for one in side.dark_topics)),
    )


_MARK: Final = re.compile("\0[mt][0-9]+\0")
"""Stands for the name of a side or topic in the prediction of a shape."""


def named(prediction: Prediction, real: dict[str, str]) -> Prediction:
    """The prediction of a shape with the real names of members and topics."""

    def text(value: str) -> str:
        if "\0" not in value:
            return value
        return real[value] if value in real else _MARK.sub(lambda mark: real[mark[0]], value)

    def texts(values: Iterable[str]) -> tuple[str, ...]:
        return tuple(text(one) for one in values)

    def steps(why: Iterable[Step]) -> tuple[Step, ...]:
        return tuple(Step(one.code, tuple((key, text(value)) for key, value in one.values)) for one in why)

    def of_class(one: ClassOutcome) -> ClassOutcome:
        message = replace(one.message, topic=text(one.message.topic), wanted_by=texts(one.message.wanted_by))
        members = tuple(replace(member, member=text(member.member)) for member in one.members)
        return replace(one, message=message, members=members, why=steps(one.why))

    def of_outcome(one: Outcome) -> Outcome:
        winner = None if one.winner is None else text(one.winner)
        classes = tuple(of_class(each) for each in one.classes)
        return replace(one, winner=winner, also=texts(one.also), classes=classes)

    def of_topic(one: TopicPrediction) -> TopicPrediction:
        outcomes = tuple(of_outcome(each) for each in one.outcomes)
        return replace(one, topic=text(one.topic), outcomes=outcomes, why=steps(one.why))

    assumed = replace(
        prediction.assumptions,
        clients=tuple((text(member), count) for member, count in prediction.assumptions.clients),
    )
    return replace(
        prediction,
        assumptions=assumed,
        topics=tuple(of_topic(one) for one in prediction.topics),
        fails_to_start=tuple(
            StartFailure(text(one.member), steps((one.why,))[0]) for one in prediction.fails_to_start
        ),
        why=steps(prediction.why),
    )

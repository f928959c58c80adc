"""Short names for the members of a prediction, as short as they stay distinct within it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from subdrift.linter.model.called import shortest
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.prediction import Prediction

Names = Mapping[str, str]


def members_of(prediction: Prediction) -> tuple[str, ...]:
    """Every member a prediction speaks of, by its id."""
    found = dict.fromkeys(name for name, _ in prediction.assumptions.clients)
    for topic in prediction.topics:
        for outcome in topic.outcomes:
            found |= dict.fromkeys((*((outcome.winner,) if outcome.winner else ()), *outcome.also))
            for one in outcome.classes:
                found |= dict.fromkeys((*one.message.wanted_by, *(each.member for each in one.members)))
    found |= dict.fromkeys(one.member for one in prediction.fails_to_start)
    return tuple(found)


def names_of(prediction: Prediction, consumers: Mapping[str, Consumer]) -> Names:
    """Id -> what a reader calls it: what tells it apart, never the id of a known consumer.

    Its repository, else its code, else both, else its module, else its line; consumers of one line are numbered.
    """
    members = members_of(prediction)
    return shortest(members, {name: consumers[name] for name in members if name in consumers})


def renamer(names: Names) -> Callable[[str], str]:
    """A function that puts the short names into a text of ids, one or several."""
    longest = sorted(names, key=len, reverse=True)

    def rename(text: str) -> str:
        parts = text.split(", ")
        if all(part in names for part in parts):
            return ", ".join(names[part] for part in parts)
        for name in longest:
            text = text.replace(name, names[name])
        return text

    return rename

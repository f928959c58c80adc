"""Rules and broker model judge the same small groups, all of them: two strangers that must not contradict each other.

Where no rule fires the model loses nothing, and where the model loses something a rule fires, for that topic or for the
group. What does not fit is listed here as data, with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Final

import pytest
from msgspec import Struct
from msgspec.structs import replace

from subdrift import rules
from subdrift.linter.broker.assume import Assume
from subdrift.linter.broker.members import predict_group
from subdrift.linter.model.consumer import Consumer, Value
from subdrift.linter.model.finding import Severity
from subdrift.linter.model.prediction import Impact, Prediction
from tests.rules.members import group_of, member

MEMBERS_MAX: Final = 3

Subscribed = tuple[str, ...]
"""Topic, expression, and the type where it is not TAG."""


class Kind(Struct, frozen=True):
    """What a member may be; members of one kind are alike."""

    subscriptions: tuple[Subscribed, ...]
    api: str = "push"
    model: str | None = "CLUSTERING"

    def build(self, name: str) -> Consumer:
        return member(name, *self.subscriptions, api=self.api, model=self.model)


POOL: Final = (
    ("*",),
    ("A",),
    ("B",),
    ("A||B",),
    ("B||A",),
    ("TAGS = 'A'", "SQL92"),
    ("TAGS = 'B'", "SQL92"),
)
NARROW: Final = (("*",), ("A",))

TWO_TOPICS: Final = tuple(
    Kind(tuple((topic, *filtered) for topic, filtered in (("T", first), ("U", second)) if filtered))
    for first in ((), *POOL)
    for second in ((), *NARROW)
    if first or second
)
ONE_TOPIC: Final = tuple(
    Kind((("T", *filtered),), api, model)
    for filtered in POOL
    for api, model in (
        ("push", "CLUSTERING"),
        ("push", "BROADCASTING"),
        ("lite-pull", "CLUSTERING"),
        ("grpc-push", None),
    )
)
WRITTEN_WRONGLY: Final = tuple(
    Kind((("T", text),)) for text in ("*", "A", " ", "||", "A|B", "A,B", "A || *", " * ", "A=1", "A\u3000")
)
ENUMERATIONS: Final = {
    "two topics": TWO_TOPICS,
    "clients and models": ONE_TOPIC,
    "wrong expressions": WRITTEN_WRONGLY,
}


class Harmless(Struct, frozen=True):
    """Why a rule of level error fires where the model sees no damage: judging lowers it to a note."""

    reason: str
    holds: Callable[[Sequence[Consumer]], bool]


_MEANING: Final = {"TAGS = 'A'": "A", "TAGS = 'B'": "B", "B||A": "A||B"}


def _means_the_same(members: Sequence[Consumer]) -> bool:
    wanted = {
        tuple(
            (one.topic.text, _MEANING.get(one.expression.text or "", one.expression.text))
            for one in each.subscriptions
        )
        for each in members
    }
    return len(wanted) == 1


def _grpc_beside_broadcasting(members: Sequence[Consumer]) -> bool:
    return any(one.api == "grpc-push" for one in members) and any(
        one.message_model.text == "BROADCASTING" for one in members
    )


def _wrong_alone(members: Sequence[Consumer]) -> bool:
    return len({one.expression.text for each in members for one in each.subscriptions}) == 1


HARMLESS: Final = (
    Harmless("a selector that says the same as the tags: rules compare texts, not meanings", _means_the_same),
    Harmless(
        "a gRPC member reads every queue, and broadcasting members read for themselves",
        _grpc_beside_broadcasting,
    ),
    Harmless("what a wrong expression meant nobody knows: the model takes it at its word", _wrong_alone),
)


def groups(kinds: Sequence[Kind]) -> Iterator[tuple[Consumer, ...]]:
    """Every group of up to MEMBERS_MAX members of these kinds."""
    for count in range(1, MEMBERS_MAX + 1):
        for chosen in combinations_with_replacement(kinds, count):
            yield tuple(kind.build(f"m{index}") for index, kind in enumerate(chosen))


def fired(members: tuple[Consumer, ...], at_most: Severity) -> set[tuple[str, str | None]]:
    """Rule and topic of every remark of rules about messages' fates with this highest level."""
    group = group_of(*members)
    found: set[tuple[str, str | None]] = set()
    for rule in rules.ALL:
        if rule.at_most is at_most and rule.predicted:
            if rule.check_group is not None:
                found |= {(rule.name, remark.topic) for remark in rule.check_group(group, members)}
            elif rule.check_consumer is not None:
                found |= {(rule.name, r.topic) for one in members for r in rule.check_consumer(one)}
    return found


def _contradictions(members: tuple[Consumer, ...], prediction: Prediction) -> Iterator[str]:
    errors = fired(members, Severity.ERROR)
    notes = fired(members, Severity.NOTE)
    if not errors and prediction.worst > Impact.CONSOLE_ONLY:
        yield f"no rule fires and the worst is {prediction.worst.name}"
    if not errors and not notes and prediction.worst > Impact.NOTHING:
        yield "no rule fires and the console calls the group inconsistent"
    for topic in prediction.topics:
        if topic.possible.is_damage and not any(about in (None, topic.topic) for _, about in errors):
            yield f"{topic.topic} can be {topic.possible.name} and no rule speaks of it"
    if errors and not prediction.worst.is_damage and not any(one.holds(members) for one in HARMLESS):
        yield f"{sorted(name for name, _ in errors)} fire, the worst is {prediction.worst.name}, no listed reason"


def _shown(members: Sequence[Consumer]) -> str:
    return "; ".join(
        f"{one.api} {one.message_model.text} "
        + ", ".join(f"{s.topic.text} {s.expression.text!r}" for s in one.subscriptions)
        for one in members
    )


@pytest.mark.parametrize("name", ENUMERATIONS)
def test_rules_and_model_agree_on_every_small_group(name: str) -> None:
    wrong: list[str] = []
    seen: Counter[Impact] = Counter()
    for members in groups(ENUMERATIONS[name]):
        prediction = predict_group(members, Assume())
        seen[prediction.worst] += 1
        wrong += [f"{_shown(members)}: {each}" for each in _contradictions(members, prediction)]
    assert not wrong, f"{len(wrong)} contradictions, for example:\n" + "\n".join(wrong[:10])
    assert seen[Impact.NOTHING] > 0
    assert seen[Impact.LOST] > 0


# -- what the model sees and no rule of this list says ------------------------------------------------------------


def _with(consumer: Consumer, **changes: object) -> Consumer:
    return replace(consumer, **changes)


class Unsaid(Struct, frozen=True):
    """A group that agrees about everything rules look at, and is damaged all the same."""

    reason: str
    members: tuple[Consumer, ...]
    worst: Impact


UNSAID: Final = {
    "allocation strategies": Unsaid(
        "members that divide the queues by different strategies: no subscription differs",
        (
            member("a", ("T", "*")),
            _with(member("b", ("T", "*")), strategy=Value("AllocateMessageQueueAveragelyByCircle")),
        ),
        Impact.STUCK,
    ),
}


@pytest.mark.parametrize("name", UNSAID)
def test_damage_that_no_rule_names_is_listed(name: str) -> None:
    listed = UNSAID[name]
    assert not fired(listed.members, Severity.ERROR)
    assert predict_group(listed.members, Assume()).worst is listed.worst


def test_unknown_values_make_neither_rules_nor_model_speak() -> None:
    known = member("a", ("T", "A"))
    for other in (
        member("b", ("T", None)),
        member("b", (None, "A")),
        member("b", ("T", "A"), model=None),
        member("b", ("T", "A", None)),
    ):
        members = (known, other)
        assert not fired(members, Severity.ERROR)
        assert predict_group(members, Assume()).certain is Impact.NOTHING


def test_the_model_confirms_what_a_failed_start_and_a_topic_given_up_cost() -> None:
    healthy, refused = member("a", ("T", "A")), member("b", ("T", "a >", "SQL92"))
    assert ("ghost-of-a-failed-sql-start", "T") in fired((healthy, refused), Severity.ERROR)
    assert predict_group((healthy, refused), Assume()).worst is Impact.FAILS_TO_START
    # once it has unsubscribed, the member is one that never subscribed to the topic
    gave_up, goes_on = member("a", ("T", "*")), member("b", ("T", "*"), ("U", "*"))
    assert predict_group((gave_up, goes_on), Assume()).impact("U") is Impact.STUCK

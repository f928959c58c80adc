"""Groups of many different members: the same impacts as listing everything, shares as ranges, bounded work."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.broker import classes, closed_form, partition, topic_form
from subdrift.linter.broker.assume import Assume
from subdrift.linter.broker.closed_form import predict_sides
from subdrift.linter.broker.side import Side
from subdrift.linter.broker.topic_form import TopicForm
from subdrift.linter.broker.vocabulary import ClientKind, MessageModel
from subdrift.linter.model.prediction import (
    ClassOutcome,
    Impact,
    Prediction,
    Share,
    StepCode,
    TopicPrediction,
)
from tests.broker.test_closed_form import side

EXPRESSIONS = st.sampled_from(
    ["*", "a", "b", "a||b", "a||c", " ", "Aa", "BB", "a||*", "sql:TAGS = 'a'", "sql:k = 1"]
)
SIDES = st.tuples(
    st.lists(st.tuples(st.sampled_from(["T", "U"]), EXPRESSIONS), max_size=2, unique_by=lambda one: one[0]),
    st.sampled_from([ClientKind.PUSH, ClientKind.PUSH, ClientKind.PUSH, ClientKind.GRPC, ClientKind.PULL]),
    st.sampled_from([MessageModel.CLUSTERING, MessageModel.CLUSTERING, MessageModel.BROADCASTING, None]),
    st.integers(1, 2),
    st.booleans(),
    st.sampled_from([(), (), (), ("T",)]),
)


def made(
    index: int, one: tuple[list[tuple[str, str]], ClientKind, MessageModel | None, int, bool, tuple[str, ...]]
) -> Side:
    subscriptions, kind, model, clients, post, dark = one
    known = [each for each in subscriptions if each[0] not in dark]
    model = MessageModel.CLUSTERING if kind is ClientKind.GRPC else model
    return side(f"m{index}", *known, kind=kind, model=model, clients=clients, post=post, dark=dark)


def both(sides: tuple[Side, ...], assume: Assume) -> tuple[Prediction, Prediction]:
    """Every outcome listed, and the answer for crowds."""
    answers = []
    for bound in (10**9, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(topic_form, "CELLS_MAX", bound)
            patch.setattr(topic_form, "CLASSES_LISTED_MIN", 64)
            closed_form._predict.cache_clear()
            answers.append(predict_sides(sides, assume))
    closed_form._predict.cache_clear()
    return answers[0], answers[1]


def shares(one: ClassOutcome) -> Iterator[tuple[str, Share]]:
    for name in ("delivered", "lost", "stuck", "delayed", "duplicate"):
        yield name, getattr(one, name)
    for member in one.members:
        yield f"{member.member} delivered", member.delivered
        yield f"{member.member} unexpected", member.unexpected


def ranges(topic: TopicPrediction) -> dict[tuple[str, tuple[str, ...], str], Share]:
    """Each share over all winners."""
    found: dict[tuple[str, tuple[str, ...], str], list[Share]] = {}
    labels = {name for outcome in topic.outcomes for one in outcome.classes for name, _ in shares(one)}
    for outcome in topic.outcomes:
        for one in outcome.classes:
            known = dict(shares(one))
            for name in labels:
                share = known.get(name, Share.exactly(0))
                found.setdefault((one.message.label, one.message.matches, name), []).append(share)
    return {key: Share.over(listed) for key, listed in found.items()}


@given(given_sides=st.lists(SIDES, min_size=1, max_size=5), queues=st.integers(1, 5), allowed=st.booleans())
@settings(max_examples=400, deadline=None)
def test_a_crowd_is_judged_as_if_every_outcome_had_been_listed(
    given_sides: list[
        tuple[list[tuple[str, str]], ClientKind, MessageModel | None, int, bool, tuple[str, ...]]
    ],
    queues: int,
    allowed: bool,
) -> None:
    sides = tuple(made(index, one) for index, one in enumerate(given_sides))
    listed, crowded = both(sides, Assume(queues=queues, property_filter=allowed))
    assert (crowded.worst, crowded.certain, crowded.console) == (listed.worst, listed.certain, listed.console)
    for whole, brief in zip(listed.topics, crowded.topics, strict=True):
        assert (brief.topic, brief.possible, brief.certain) == (whole.topic, whole.possible, whole.certain)
        assert brief.certainly_lost == whole.certainly_lost
        exact, stated = ranges(whole), ranges(brief)
        for key, share in exact.items():
            assert stated.get(key, Share.exactly(0)) == share, key
        assert brief.why[0].code is StepCode.TOO_MANY_SIDES


def test_mixed_strategies_give_ranges_that_hold_the_listed_ones() -> None:
    sides = (
        side("A", ("T", "a"), clients=2),
        side("B", ("T", "b"), strategy="AVG_BY_CIRCLE"),
        side("C", ("T", "a||b"), strategy="CONSISTENT_HASH"),
        side("D", ("T", "*")),
    )
    for some in (sides[:2], sides[:3], sides):
        listed, crowded = both(some, Assume())
        assert (crowded.worst, crowded.certain) == (listed.worst, listed.certain)
        for whole, brief in zip(listed.topics, crowded.topics, strict=True):
            stated = ranges(brief)
            for key, share in ranges(whole).items():
                assert stated[key].low <= share.low <= share.high <= stated[key].high


@pytest.mark.parametrize(
    "expressions",
    [
        [f"tag{n}" for n in range(500)],
        [f"tag{n}||tag{n + 1}||tag{n + 2}" for n in range(500)],
        [f"sql:k = {n}" for n in range(300)],
        [f"sql:k = {n} AND j = 'x{n}'" for n in range(300)],
    ],
    ids=["tags", "overlapping", "selectors", "two-properties"],
)
def test_hundreds_of_different_members_take_bounded_work_and_say_so(
    expressions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = 0
    plain = TopicForm._reading

    def counting(self: TopicForm, *args: object, **more: object) -> object:
        nonlocal readings
        readings += 1
        return plain(self, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(TopicForm, "_reading", counting)
    closed_form._predict.cache_clear()
    prediction = predict_sides([side(f"m{n}", ("T", text)) for n, text in enumerate(expressions)], Assume())
    assert 0 < readings < 1_000
    assert (prediction.worst, prediction.certain) == (Impact.LOST, Impact.LOST)
    (topic,) = prediction.topics
    assert StepCode.TOO_MANY_SIDES in {step.code for step in topic.why}
    assert len(topic.outcomes) == 1
    assert len(topic.outcomes[0].classes) <= classes.CLASSES_MAX
    assert all(one.lost.high == 1 for one in topic.outcomes[0].classes)


def test_many_members_that_agree_are_no_crowd() -> None:
    sides = [side(f"m{n}", ("T", f"a{n // 300}||b"), clients=100_000) for n in range(2)]
    prediction = predict_sides(sides, Assume())
    assert prediction.worst is Impact.NOTHING


def test_the_orders_of_ids_are_looked_at_once_for_a_group() -> None:
    """Not once for each share: six members by two strategies have 720 orders."""
    partition._owners.cache_clear()
    closed_form._predict.cache_clear()
    sides = [side(f"m{n}", ("T", f"t{n}"), strategy="AVG_BY_CIRCLE" if n % 2 else "AVG") for n in range(6)]
    predict_sides(sides, Assume())
    assert partition._owners.cache_info().misses == 1

"""The prediction for a group at rest: the articles' tables, derived cases, and properties of every small group."""

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.broker.allocate import average_share
from subdrift.linter.broker.assume import Assume
from subdrift.linter.broker.closed_form import predict_sides
from subdrift.linter.broker.fates import Fate
from subdrift.linter.broker.predict import run
from subdrift.linter.broker.side import Side
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel, Subscription
from subdrift.linter.model.prediction import (
    ClassOutcome,
    ConsoleVerdict,
    Impact,
    Prediction,
    Share,
    StepCode,
)
from tests.broker.decoded import scenario_from

HALF = Share.exactly(Fraction(1, 2))
ALL = Share.exactly(1)
NONE = Share.exactly(0)


def side(
    label: str,
    *subscriptions: tuple[str, str],
    kind: ClientKind = ClientKind.PUSH,
    model: MessageModel | None = MessageModel.CLUSTERING,
    clients: int = 1,
    post: bool = False,
    strategy: str = "AVG",
    dark: tuple[str, ...] = (),
    more: bool = False,
) -> Side:
    """A member; an expression that begins with `sql:` is SQL92."""
    parsed = tuple(
        Subscription(
            topic,
            FilterType.SQL92 if text.startswith("sql:") else FilterType.TAG,
            text.removeprefix("sql:"),
        )
        for topic, text in subscriptions
    )
    return Side(label, clients, kind, model, parsed, post, strategy, None, dark, more)


def predict(*sides: Side, queues: int = 4, property_filter: bool = True) -> Prediction:
    return predict_sides(sides, Assume(queues=queues, property_filter=property_filter))


def of_class(prediction: Prediction, winner: str | None, label: str, topic: str = "T") -> ClassOutcome:
    found = prediction.topic(topic)
    assert found is not None
    outcome = next(one for one in found.outcomes if one.winner == winner)
    return next(one for one in outcome.classes if one.message.label == label)


def ends(one: ClassOutcome) -> tuple[Share, Share, Share]:
    return one.delivered, one.lost, one.stuck


def test_two_tags_lose_the_loser_whole_and_half_of_the_winner() -> None:
    prediction = predict(side("A", ("T", "tagA")), side("B", ("T", "tagB")))
    assert ends(of_class(prediction, "B", "tagA")) == (NONE, ALL, NONE)
    assert ends(of_class(prediction, "B", "tagB")) == (HALF, HALF, NONE)
    assert ends(of_class(prediction, "A", "tagB")) == (NONE, ALL, NONE)
    assert ends(of_class(prediction, "A", "tagA")) == (HALF, HALF, NONE)
    assert (prediction.worst, prediction.certain) == (Impact.LOST, Impact.LOST)
    assert prediction.console is ConsoleVerdict.DIFFERENT


def test_two_topics_lose_nothing_but_stick_half_and_delay_the_rest() -> None:
    prediction = predict(side("C1", ("TopicTest", "*")), side("C2", ("mytest", "*")))
    for topic, member in (("TopicTest", "C1"), ("mytest", "C2")):
        outcome = of_class(prediction, member, "*", topic)
        assert ends(outcome) == (HALF, NONE, HALF)
        assert outcome.delayed == HALF
        found = prediction.topic(topic)
        assert found is not None
        assert found.delay_s == 33
        assert found.possible is Impact.STUCK
    assert prediction.worst is Impact.STUCK


def test_a_subset_of_topics_sticks_only_what_the_other_does_not_read() -> None:
    prediction = predict(side("C1", ("A", "*"), ("B", "*")), side("C2", ("A", "*")))
    assert ends(of_class(prediction, "C1", "*", "A")) == (ALL, NONE, NONE)
    assert ends(of_class(prediction, "C1", "*", "B")) == (HALF, NONE, HALF)


@pytest.mark.parametrize(
    ("first", "second", "winner", "label", "delivered", "lost"),
    [
        ("a", "*", "A", "(other)", NONE, ALL),  # only the winner's tags flow
        ("a", "*", "B", "(other)", HALF, HALF),  # the tag member passes over what it does not want
        ("a", "*", "A", "a", ALL, NONE),
        ("TagA", "TagA||TagB", "A", "TagB", NONE, ALL),  # a rolling upgrade
        ("TagA", "TagA||TagB", "B", "TagB", HALF, HALF),
        ("Aa", "BB", "A", "BB", HALF, HALF),  # one hash code, either winner lets both pass
        ("Aa", "BB", "B", "Aa", HALF, HALF),
        ("TagA", "taga", "A", "taga", NONE, ALL),  # case counts
        (" * ", "*", "A", "(other)", NONE, ALL),  # a star with blanks is a tag
        ("TagA", "sql:TAGS = 'TagB'", "A", "TagB", NONE, ALL),
        ("TagA", "sql:TAGS = 'TagB'", "B", "TagB", HALF, HALF),
    ],
)
def test_what_two_members_lose_of_a_class(
    first: str, second: str, winner: str, label: str, delivered: Share, lost: Share
) -> None:
    prediction = predict(side("A", ("T", first)), side("B", ("T", second)))
    assert ends(of_class(prediction, winner, label)) == (delivered, lost, NONE)


def test_a_member_without_tags_takes_what_it_did_not_ask_for() -> None:
    prediction = predict(side("A", ("T", "TagA")), side("S", ("T", "sql:TAGS = 'TagB'")))
    outcome = of_class(prediction, "A", "TagA")
    assert {one.member: (one.delivered, one.unexpected) for one in outcome.members} == {
        "A": (HALF, NONE),
        "S": (NONE, HALF),
    }


def test_a_blank_list_wants_nothing_and_lets_nothing_pass() -> None:
    prediction = predict(side("A", ("T", "TagA")), side("B", ("T", " ")))
    assert ends(of_class(prediction, "B", "TagA")) == (NONE, ALL, NONE)
    assert (
        of_class(prediction, "A", "TagA").lost == HALF
    )  # the blank member receives it, and does not want it


def test_tag_order_and_blanks_are_a_matter_of_the_console_only() -> None:
    prediction = predict(side("A", ("T", "TagA||TagB")), side("B", ("T", " TagB || TagA")))
    assert prediction.worst is Impact.CONSOLE_ONLY
    assert of_class(prediction, "A", "TagB").delivered == ALL


def test_members_that_post_their_expression_need_no_winner() -> None:
    prediction = predict(side("A", ("T", "TagA"), post=True), side("B", ("T", "TagB"), post=True))
    assert ends(of_class(prediction, None, "TagA")) == (HALF, HALF, NONE)


def test_a_broadcasting_member_reads_everything_and_still_takes_a_share_from_the_others() -> None:
    prediction = predict(side("C", ("T", "*")), side("B", ("T", "*"), model=MessageModel.BROADCASTING))
    outcome = of_class(prediction, "C", "*")
    assert outcome.stuck == HALF
    assert {one.member: one.delivered for one in outcome.members} == {"C": HALF, "B": ALL}
    found = prediction.topic("T")
    assert found is not None
    assert found.retry_stuck == Share(Fraction(0), Fraction(1))


def test_broadcasting_members_alone_lose_only_what_no_winner_passes() -> None:
    broadcast = MessageModel.BROADCASTING
    prediction = predict(side("A", ("T", "a"), model=broadcast), side("B", ("T", "b"), model=broadcast))
    assert ends(of_class(prediction, "A", "a")) == (ALL, NONE, NONE)
    assert ends(of_class(prediction, "A", "b")) == (NONE, ALL, NONE)


def test_different_topics_are_harmless_for_grpc_clients_and_different_tags_are_not() -> None:
    grpc = ClientKind.GRPC
    topics = predict(side("A", ("T", "*"), kind=grpc), side("B", ("U", "*"), kind=grpc))
    assert topics.worst is Impact.NOTHING
    tags = predict(side("A", ("T", "a"), kind=grpc), side("B", ("T", "b"), kind=grpc))
    assert tags.worst is Impact.LOST
    assert of_class(tags, None, "a").lost == Share(Fraction(0), Fraction(1))


def test_sql92_does_not_start_where_the_broker_forbids_it() -> None:
    prediction = predict(side("A", ("T", "a")), side("S", ("T", "sql:k = 1")), property_filter=False)
    assert prediction.worst is Impact.FAILS_TO_START
    assert [one.member for one in prediction.fails_to_start] == ["S"]
    assert predict(side("A", ("T", "a")), property_filter=False).worst is Impact.NOTHING


def test_equal_sql_in_other_spacing_is_one_subscription() -> None:
    assert (
        predict(side("A", ("T", "sql:k  >  1")), side("B", ("T", "sql:k > 1"))).worst is Impact.CONSOLE_ONLY
    )


def test_sql_classes_are_messages_that_exist() -> None:
    """Nothing is greater than 2 without being greater than 1, so that class is not invented."""
    prediction = predict(side("A", ("T", "sql:k > 1")), side("B", ("T", "sql:k > 2")))
    found = prediction.topic("T")
    assert found is not None
    matched = {one.message.matches for one in found.outcomes[0].classes}
    assert matched == {("k > 1", "k > 2"), ("k > 1",)}


def test_different_strategies_leave_queues_to_nobody() -> None:
    prediction = predict(side("A", ("T", "*")), side("B", ("T", "*"), strategy="AVG_BY_CIRCLE"))
    assert of_class(prediction, "A", "*").stuck == Share.exactly(Fraction(1, 4))
    assert prediction.worst is Impact.STUCK


def test_instances_of_a_member_widen_shares_to_what_the_order_of_ids_allows() -> None:
    prediction = predict(side("A", ("T", "a"), clients=2), side("B", ("T", "b")))
    assert of_class(prediction, "A", "a").delivered == Share(Fraction(1, 2), Fraction(3, 4))
    assert prediction.assumptions.id_orders == 3


def test_one_queue_may_lose_everything_and_something_is_certain_to_be_lost() -> None:
    prediction = predict(side("A", ("T", "a")), side("X", ("T", "b")), queues=1)
    assert of_class(prediction, "X", "b").lost == Share(Fraction(0), Fraction(1))
    assert prediction.certain is Impact.LOST


def test_nothing_is_held_against_what_is_not_known() -> None:
    unknown = side("U", dark=("T",))
    assert predict(side("A", ("T", "a")), unknown).worst is Impact.NOTHING
    assert predict(side("A", ("T", "a")), side("U", more=True)).worst is Impact.NOTHING
    known = predict(side("A", ("T", "a")), side("B", ("T", "b")), unknown)
    assert known.worst is Impact.LOST
    assert known.certain < Impact.DELAYED
    assert {one.code for one in known.why} == {StepCode.UNKNOWN_MEMBER}


def test_a_member_without_topics_empties_the_table() -> None:
    prediction = predict(side("P", ("T", "*")), side("Q", kind=ClientKind.PULL))
    assert of_class(prediction, "P", "*").stuck == HALF
    found = prediction.topic("T")
    assert found is not None
    assert found.delay_s == 33


EXPRESSIONS = st.sampled_from(["*", "a", "b", "a||b", "b || a", "a||c", " ", "Aa", "BB", "", "a||*"])
KINDS = st.sampled_from([ClientKind.PUSH, ClientKind.PUSH, ClientKind.LITE_PULL, ClientKind.GRPC])


@given(
    topics=st.dictionaries(st.sampled_from(["T", "U"]), EXPRESSIONS, min_size=1),
    clients=st.lists(st.integers(1, 3), min_size=1, max_size=4),
    queues=st.integers(1, 9),
)
def test_a_consistent_group_loses_nothing(topics: dict[str, str], clients: list[int], queues: int) -> None:
    members = [side(f"m{i}", *topics.items(), clients=n) for i, n in enumerate(clients)]
    prediction = predict(*members, queues=queues)
    assert prediction.worst is Impact.NOTHING
    for topic in prediction.topics:
        for outcome in topic.outcomes:
            assert all(one.delivered == ALL for one in outcome.classes)


@given(
    members=st.lists(st.tuples(EXPRESSIONS, st.integers(1, 2)), min_size=1, max_size=3),
    queues=st.integers(1, 4),
)
@settings(max_examples=150)
def test_shares_are_those_of_the_best_and_the_worst_order_of_ids(
    members: list[tuple[str, int]], queues: int
) -> None:
    """Every order of the clients, counted by hand, against the closed form's range."""
    sides = [side(f"m{i}", ("T", text), clients=n) for i, (text, n) in enumerate(members)]
    prediction = predict(*sides, queues=queues)
    found = prediction.topic("T")
    assert found is not None
    order = [one.label for one in sides for _ in range(one.clients)]
    for outcome in found.outcomes:
        for one in outcome.classes:
            getting = {share.member for share in one.members if share.delivered.is_possible}
            counts = [
                sum(
                    len(average_share(queues, len(order), index))
                    for index, label in enumerate(arranged)
                    if label in getting
                )
                for arranged in set(permutations(order))
            ]
            assert one.delivered == Share(Fraction(min(counts), queues), Fraction(max(counts), queues))
            assert one.lost == Share(1 - one.delivered.high, 1 - one.delivered.low)


@given(
    first=EXPRESSIONS,
    second=EXPRESSIONS,
    queues=st.integers(1, 5),
    swapped=st.booleans(),
    topics=st.sampled_from([("T", "T"), ("T", "U")]),
)
@settings(max_examples=60, deadline=None)
def test_group_and_message_predictions_agree(
    first: str, second: str, queues: int, swapped: bool, topics: tuple[str, str]
) -> None:
    """The shares of a scenario's messages lie in the ranges that the group's prediction gives."""
    order = ["B", "A"] if swapped else ["A", "B"]
    members = [
        {"name": name, "subscriptions": [{"topic": topic, "expression": text}]}
        for name, topic, text in (("A", topics[0], first), ("B", topics[1], second))
    ]
    raw: dict[str, Any] = {"topics": {"T": queues, "U": queues}, "members": members, "idOrder": order}
    if topics[0] != topics[1]:  # so far apart that the wait for a topic that comes and goes has a bound
        raw["steps"] = [{"start": "A"}, {"wait": 10_000}, {"start": "B"}, {"settle": 4000}, {"send": 1}]
    result = run(scenario_from(raw), timeline=False)
    group = predict(side("A", (topics[0], first)), side("B", (topics[1], second)), queues=queues)
    compared = unread = 0
    for row in result.phases[0].classes:
        if not row.wanted_by:
            continue
        if row.winner is None:  # nobody pulls the topic's only queue
            unread += 1
            continue
        found = group.topic(row.topic)
        assert found is not None
        for outcome in found.outcomes:
            if row.winner.member not in (outcome.winner, *outcome.also):
                continue
            for one in outcome.classes:
                if one.message.label == row.label:
                    compared += 1
                    for fate, share in (
                        (Fate.DELIVERED, one.delivered),
                        (Fate.LOST, one.lost),
                        (Fate.STUCK, one.stuck),
                    ):
                        assert share.low <= row.share(fate).low <= row.share(fate).high <= share.high
    wants_something = any(text.strip() for text in (first, second) if text != "") or "" in (first, second)
    assert compared or unread or not wants_something


@given(
    pool=st.lists(
        st.tuples(st.sampled_from(["T", "U"]), EXPRESSIONS, st.sampled_from(list(MessageModel)), KINDS),
        min_size=1,
        max_size=3,
    )
)
@settings(max_examples=150)
def test_what_is_called_certain_holds_for_every_number_of_instances_and_queues(
    pool: list[tuple[str, str, MessageModel, ClientKind]],
) -> None:
    for instances in (1, 2, 4):
        for queues in (1, 2, 5, 16):
            sides = [
                side(f"m{i}", (topic, text), model=model, kind=kind, clients=instances)
                for i, (topic, text, model, kind) in enumerate(pool)
            ]
            prediction = predict(*sides, queues=queues)
            for topic in prediction.topics:
                assert topic.certain <= topic.possible
                for label in topic.certainly_lost:
                    for outcome in topic.outcomes:
                        one = next(one for one in outcome.classes if one.message.label == label)
                        assert one.lost.low > 0
                if topic.certain is Impact.LOST:
                    assert all(
                        any(one.lost.high > 0 for one in outcome.classes) for outcome in topic.outcomes
                    )

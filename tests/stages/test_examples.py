"""Large groups: which members are alike, which of them rules are shown, and how the others are counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from subdrift.linter.model.consumer import Confidence, Consumer, Subscription, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.finding import Place, Remark
from subdrift.linter.model.message import say
from subdrift.linter.stages.examples import EXAMPLES_MAX, counting, examples_of, shapes_of
from tests.rules.members import member, place

A = member("a", ("T", "A"))


def subscribing(change: Callable[[Subscription], Subscription]) -> Consumer:
    return replace(A, subscriptions=tuple(map(change, A.subscriptions)))


def surely(value: Value, confidence: Confidence) -> Value:
    return replace(value, confidence=confidence)


LOW = Confidence.LOW

ALIKE = {
    "another place": replace(A, at=place("z", 40)),
    "another deployable": replace(A, id="z", deployable="z", symbol="z"),
    "another way to the same topic": subscribing(lambda one: replace(one, at=place("z", 40))),
    "another environment": replace(A, environments=("prod",)),
    "profiles": replace(A, profiles=("dev",)),
}

APART = {
    "the API": replace(A, api="grpc-push"),
    "a test": replace(A, scope="test"),
    "the group": replace(A, group=Value("other")),
    "the namespace": replace(A, namespace=Value("other")),
    "the client's version": replace(A, version="4.8.0"),
    "broken code": replace(A, broken=True),
    "switched off": replace(A, disabled=True),
    "how sure the group is": replace(A, group=surely(A.group, LOW)),
    "how sure the namespace is": replace(A, namespace=surely(A.namespace, LOW)),
    "the mode": replace(A, consume_mode=Value("ORDERLY")),
    "how sure the mode is": replace(A, consume_mode=surely(A.consume_mode, LOW)),
    "the message model": replace(A, message_model=Value("BROADCASTING")),
    "why the message model is not known": replace(A, message_model=Value(None, Why.DYNAMIC)),
    "how sure the message model is": replace(A, message_model=surely(A.message_model, LOW)),
    "the instance's name": replace(A, instance_name=Value("i")),
    "a switch after subscribing": replace(A, post_subscription=Value("true")),
    "the strategy": replace(A, strategy=Value("circle")),
    "where it begins": replace(A, consume_from=Value("first")),
    "owners": replace(A, owners=("@acme",)),
    "another topic": member("a", ("U", "A")),
    "other tags": member("a", ("T", "B")),
    "tags that are not known": member("a", ("T", None)),
    "another type of filter": member("a", ("T", "A", "SQL92")),
    "one more topic": member("a", ("T", "A"), ("U", "A")),
    "a late subscription": subscribing(lambda one: replace(one, late=True)),
    "a subscription that is given up": subscribing(lambda one: replace(one, dropped=place("a", 9))),
}


@pytest.mark.parametrize("name", ALIKE)
def test_members_of_one_shape(name: str) -> None:
    assert set(shapes_of((A, ALIKE[name])).values()) == {0}


@pytest.mark.parametrize("name", APART)
def test_members_of_two_shapes(name: str) -> None:
    assert list(shapes_of((A, APART[name], ALIKE["another place"])).values()) == [0, 1, 0]


def crowd(count: int, expression: str, name: str = "m") -> tuple[Consumer, ...]:
    """Members that say the same, each of a line of its own."""
    return tuple(
        replace(
            member(f"{name}{number}", ("T", expression)),
            at=place(name, number + 1),
        )
        for number in range(count)
    )


@pytest.mark.parametrize(
    ("counts", "shown", "left_out"),
    [
        ((3, 2), (3, 2), {}),
        ((EXAMPLES_MAX, EXAMPLES_MAX), (EXAMPLES_MAX, EXAMPLES_MAX), {}),
        ((EXAMPLES_MAX + 1, 1), (EXAMPLES_MAX, 1), {0: 1}),
        ((2, EXAMPLES_MAX + 3), (2, EXAMPLES_MAX), {1: 3}),
        ((EXAMPLES_MAX, EXAMPLES_MAX + 3), (EXAMPLES_MAX, EXAMPLES_MAX), {1: 3}),
        ((EXAMPLES_MAX + 2, EXAMPLES_MAX + 1), (EXAMPLES_MAX, EXAMPLES_MAX), {0: 2, 1: 1}),
        ((EXAMPLES_MAX, 0), (EXAMPLES_MAX, 0), {}),
    ],
)
def test_the_first_members_of_each_shape_are_shown(
    counts: tuple[int, int], shown: tuple[int, int], left_out: dict[int, int]
) -> None:
    sides = (crowd(counts[0], "A", "a"), crowd(counts[1], "B", "b"))
    members = (*sides[0], *sides[1])
    seen, others = examples_of(members, shapes_of(members))
    assert seen == (*sides[0][: shown[0]], *sides[1][: shown[1]])
    assert {shape: len(alike) for shape, alike in others.items()} == left_out


def remark(topic: str | None, *sides: tuple[Consumer, ...]) -> Remark:
    """What a rule says of the members it was shown: a place of each."""
    members = tuple(one for side in sides for one in side)
    return Remark(
        message=say("verbatim", text="x"),
        topic=topic,
        places=tuple(
            Place(one.at if topic is None else one.subscriptions[0].at, say("no-topic")) for one in members
        ),
        differs=("A", "B"),
        members=members,
        help=(),
        counts=tuple(map(len, sides)),
    )


@pytest.mark.parametrize("topic", [None, "T"])
def test_members_that_were_left_out_are_counted_on_their_side(topic: str | None) -> None:
    a, b = crowd(EXAMPLES_MAX + 5, "A", "a"), crowd(3, "B", "b")
    members = (*a, *b)
    shapes = shapes_of(members)
    _, others = examples_of(members, shapes)
    counted = counting(remark(topic, a[:EXAMPLES_MAX], b), others, shapes)
    assert counted.counts == (EXAMPLES_MAX + 5, 3)
    assert counted.more_places == 5


def test_a_side_that_has_no_member_left_out_is_as_it_was() -> None:
    a, b, c = crowd(EXAMPLES_MAX + 5, "A", "a"), crowd(3, "B", "b"), crowd(2, "C", "c")
    members = (*a, *b, *c)
    shapes = shapes_of(members)
    _, others = examples_of(members, shapes)
    counted = counting(remark("T", b, c), others, shapes)
    assert (counted.counts, counted.more_places) == ((3, 2), 0)


def test_places_that_are_shown_already_are_not_counted_again() -> None:
    """Many members of one line of a library, and members that do not subscribe to the topic."""
    one_line = tuple(replace(one, at=place("library", 1)) for one in crowd(EXAMPLES_MAX + 4, "A", "a"))
    shapes = shapes_of(one_line)
    _, others = examples_of(one_line, shapes)
    assert counting(remark(None, one_line[:EXAMPLES_MAX]), others, shapes).more_places == 0
    elsewhere = counting(replace(remark("T", one_line[:2]), topic="U"), others, shapes)
    assert elsewhere.more_places == 1


def test_the_last_subscription_to_a_topic_is_the_place() -> None:
    twice = tuple(member(f"m{number}", ("T", "A"), ("T", "A")) for number in range(EXAMPLES_MAX + 1))
    shapes = shapes_of(twice)
    _, others = examples_of(twice, shapes)
    last = twice[-1].subscriptions[1].at
    shown = remark("T", twice[:EXAMPLES_MAX])
    assert counting(shown, others, shapes).more_places == 1
    with_last = replace(shown, places=(*shown.places, Place(last, say("no-topic"))))
    assert counting(with_last, others, shapes).more_places == 0

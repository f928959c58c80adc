"""The picture of a group: what differs is red, what agrees is one box, and it stays small."""

from __future__ import annotations

import itertools

import pytest

from subdrift.linter.model.consumer import Consumer, Subscription
from subdrift.linter.report.language import english
from subdrift.linter.report.page.picture import (
    LINES_MAX,
    MEMBERS_MAX,
    TOPICS_MAX,
    WIDTH,
    Odds,
    Picture,
    picture,
)
from subdrift.linter.report.terminal import cells
from tests.report.sample import CALL, TAG, consumer, value


def member(name: str, *lines: tuple[str, str]) -> Consumer:
    subscriptions = (Subscription(CALL, value(topic), value(tags), TAG) for topic, tags in lines)
    return consumer(name, "push", CALL, value("g"), *subscriptions)


def drawn(*members: Consumer, odds: Odds | None = None) -> Picture:
    found = picture(members, {}, odds or Odds(), english())
    assert found is not None
    return found


def texts(found: Picture) -> list[str]:
    return [text.shown for box in found.boxes for text in box.texts]


def test_only_what_is_at_odds_is_red() -> None:
    found = drawn(
        member("a", ("T", "x"), ("U", "*")), member("b", ("T", "y"), ("U", "*")), odds=Odds(topics=("T",))
    )
    assert [(edge.label.shown, edge.differs) for edge in found.edges] == [
        ("x", True),
        ("*", False),
        ("y", True),
        ("*", False),
    ]
    assert [(box.texts[0].shown, box.differs) for box in found.topics] == [("T", True), ("U", False)]


def test_members_that_ask_for_the_same_are_one_box() -> None:
    found = drawn(*(member(f"m{number}", ("T", "x")) for number in range(9)), member("n", ("T", "y")))
    assert texts(found) == ["m0", "m1", "m2", "6 more", "n"]
    assert len(found.edges) == 2


def test_a_topic_that_a_member_does_not_subscribe_to_is_drawn_as_missing() -> None:
    found = drawn(member("a", ("T", "*")), member("b", ("U", "*")), odds=Odds(missing=True))
    labels = [(edge.label.shown, edge.missing, edge.differs) for edge in found.edges]
    assert labels == [
        ("*", False, True),
        ("not subscribed to", True, True),
        ("*", False, True),
        ("not subscribed to", True, True),
    ]


def test_words_say_what_the_lines_show() -> None:
    found = drawn(member("a", ("T", "x")), member("b", ("T", "y")))
    assert found.words == "a: T x. b: T y."


def test_what_is_too_long_is_cut_and_kept_whole_beside() -> None:
    name = "很长的名字" * 20
    found = drawn(member(name, ("T" * 200, "x || " * 50)))
    for text in [box.texts[0] for box in (*found.boxes, *found.topics)] + [
        edge.label for edge in found.edges
    ]:
        begin, _, end = text.shown.partition("…")
        assert begin
        assert end
        assert text.whole.startswith(begin)
        assert text.whole.endswith(end)
        assert cells(text.shown) < 40


@pytest.mark.parametrize("count", [1, 7, 40])
def test_it_stays_small_and_nothing_lies_upon_another(count: int) -> None:
    members = [
        member(f"m{number}", *((f"T{number + line}", f"t{number}") for line in range(count)))
        for number in range(count)
    ]
    found = drawn(*members, odds=Odds(missing=True))
    boxes = [box for box in found.boxes if box.width]
    assert len(boxes) <= MEMBERS_MAX
    assert len(found.topics) <= TOPICS_MAX
    assert len(found.edges) <= MEMBERS_MAX * LINES_MAX
    for column in (boxes, sorted(found.topics, key=lambda box: box.y)):
        for upper, lower in itertools.pairwise(column):
            assert upper.y + upper.height <= lower.y
        assert all(box.x >= 0 and box.x + box.width <= WIDTH for box in column)
        assert all(box.y + box.height <= found.height for box in column)
    ends = [edge.label.y for edge in found.edges]
    assert len(ends) == len(set(ends))


def test_a_group_that_subscribes_to_nothing_has_no_picture() -> None:
    assert picture((member("a"),), {}, Odds(), english()) is None

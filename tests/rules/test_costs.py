"""Rules that no prediction stands behind say themselves what becomes of messages."""

from __future__ import annotations

import pytest

from subdrift.linter import stages
from subdrift.linter.broker.assume import Assume
from subdrift.linter.report.language import LANGUAGES, language
from subdrift.rules import ALL
from tests.rules.members import group_of, member

COSTS = (
    ("wrong-tag-separator", ("A,B",), "Messages tagged `A` and `B` are lost, unless a producer really sends the tag `A,B`."),
    ("wrong-tag-separator", ("A || B,A",), "Messages tagged `B` are lost, unless a producer really sends the tag `B,A`."),
    ("wrong-tag-separator", ("A || A,A",), ""),
    ("wrong-tag-separator", (",",), "No message arrives, unless a producer really sends the tag `,`."),
    ("wrong-tag-separator", ("a = 1",), "No message arrives, unless a producer really sends the tag `a = 1`."),
    ("star-in-list", ("* || A",), "Only messages tagged `A` arrive."),
    ("star-in-list", ("**",), "No message arrives, unless a producer really sends the tag `**`."),
    ("topic-subscribed-twice", ("A || B", "B || C"), "Messages tagged `A` are lost."),
    ("topic-subscribed-twice", ("A", "B", "C"), "Messages tagged `A` and `B` are lost."),
    ("topic-subscribed-twice", ("*", "A"), "Only messages that match `A` are received."),
    ("topic-subscribed-twice", ("A", "*"), "Nothing is lost by it: the last call asks for what the earlier ones do."),
)  # fmt: skip


@pytest.mark.parametrize(("rule", "filters", "expected"), COSTS)
def test_a_rule_without_prediction_says_the_cost(rule: str, filters: tuple[str, ...], expected: str) -> None:
    consumer = member("m", *(("T", one) for one in filters))
    found = stages.judge(group_of(consumer), ALL, Assume()).findings
    told = [language("en").text(one.cost) for one in found if one.rule == rule]
    assert told == [expected]


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_finding_of_a_consumer_rule_is_either_told_its_cost_or_names_it(name: str) -> None:
    """Codes of costs are in every language; a code that is missing would raise."""
    consumer = member("m", ("T", "A,B"), ("U", "* || A"), ("V", "A"), ("V", "B"))
    found = stages.judge(group_of(consumer), ALL, Assume()).findings
    assert {one.rule for one in found} == {"wrong-tag-separator", "star-in-list", "topic-subscribed-twice"}
    assert all(language(name).text(one.cost) for one in found)

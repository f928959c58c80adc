"""Large groups: a few examples of each shape are looked at, nothing is lost from the answer, reports stay readable."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from subdrift.linter import stages
from subdrift.linter.broker.assume import Assume
from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import PLACES_MAX, Finding, Remark, Rule, Scope, Severity
from subdrift.linter.report.content import Content, Texts, nothing
from subdrift.linter.report.detail import Detail
from subdrift.linter.report.terminal import Style
from subdrift.linter.report.text import render
from subdrift.linter.stages import examples
from subdrift.rules import ALL
from tests.rules.members import group_of, member


def mixed(count: int) -> tuple[Consumer, ...]:
    """Members of three shapes; one tag expression is written wrongly."""
    return tuple(member(f"m{n:04}", ("T", ("a", "b||c", "x,y")[n % 3])) for n in range(count))


BY_TAGS = [rule for rule in ALL if rule.name != "shared-group"]
"""The members of these tests are services of their own."""


def judged(*members: Consumer) -> tuple[Finding, ...]:
    return stages.judge(group_of(*members), BY_TAGS, Assume()).findings


def test_examples_of_each_shape_give_the_answer_of_all_members(monkeypatch: pytest.MonkeyPatch) -> None:
    members = mixed(300)
    few = judged(*members)
    monkeypatch.setattr(examples, "EXAMPLES_MAX", 10_000)
    assert few == judged(*members)
    assert {one.rule for one in few} == {"divergent-tags", "wrong-tag-separator"}
    (group_finding,) = (one for one in few if one.scope is Scope.GROUP)
    assert len(group_finding.places) == PLACES_MAX
    assert group_finding.more_places == len(members) - PLACES_MAX


def test_group_rules_see_a_bounded_number_of_members() -> None:
    seen: list[int] = []

    def check(group: ConsumerGroup, members: tuple[Consumer, ...]) -> Iterator[Remark]:
        seen.append(len(members))
        return iter(())

    rule = Rule("counting", Severity.NOTE, Scope.GROUP, check_group=check)
    verdict = stages.judge(group_of(*mixed(3_000)), [rule], Assume())
    assert seen == [3 * examples.EXAMPLES_MAX]
    assert verdict.consumers == 3_000
    assert verdict.prediction is not None
    assert [count for _, count in verdict.prediction.assumptions.clients] == [1_000, 1_000, 1_000]


@pytest.mark.parametrize(
    "odd", [{"scope": "test"}, {"broken": True}, {"version": "4.8.0"}], ids=["scope", "confidence", "version"]
)
def test_one_odd_member_among_many_equal_ones_is_seen(
    odd: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last member comes after all examples of its kind, and is still no example of theirs."""
    equal = [member(f"m{n:04}", ("T", "a")) for n in range(200)]
    members = (*equal, replace(member("z", ("T", "b")), **odd), replace(member("zz", ("T", "a")), **odd))
    few = judged(*members)
    monkeypatch.setattr(examples, "EXAMPLES_MAX", 10_000)
    assert few == judged(*members)
    assert few


def test_the_report_of_two_hundred_different_members_stays_readable() -> None:
    members = tuple(member(f"m{n:03}", ("T", f"tag{n}")) for n in range(200))
    content = Content("1", judged(*members), (), members, 200, "")
    text = render(content, Texts(nothing), Style(), Detail(verbose=True))
    assert len(text.splitlines()) < 100
    assert max(map(len, text.splitlines())) <= Style().width
    assert "198 more places (--all-places)" in text
    assert "shares are ranges over all winners" in " ".join(text.split())

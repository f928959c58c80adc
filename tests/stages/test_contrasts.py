"""Rules that contrast members say nothing of members that all say the same, so judging need not ask them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from subdrift import rules
from subdrift.linter.broker.assume import Assume
from subdrift.linter.model.consumer import NOT_APPLICABLE, Confidence, Consumer, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.finding import Rule
from subdrift.linter.stages.examples import shapes_of
from subdrift.linter.stages.verdicts import judge
from tests.rules.members import group_of, member, place

CONTRASTING = [rule for rule in rules.ALL if rule.contrasts]
PLAIN = tuple(replace(rule, contrasts=False) for rule in rules.ALL)

topics = st.sampled_from(["T", "U", "%RETRY%g", None])
expressions = st.sampled_from(["A", "A || B", "B||A", "a || A", "*", "a > 1", "a >", "AaAa || BBBB", None])
kinds = st.sampled_from(["TAG", "SQL92", "CLASS", None])
subscriptions = st.lists(st.tuples(topics, expressions, kinds), max_size=3)


@st.composite
def consumers(draw: st.DrawFn) -> Consumer:
    """One consumer of any shape."""
    one = member(
        "m",
        *draw(subscriptions),
        api=draw(st.sampled_from(["push", "lite-pull", "pull", "spring-listener", "grpc-push"])),
        model=draw(st.sampled_from(["CLUSTERING", "BROADCASTING", None])),
        scope=draw(st.sampled_from(["main", "test"])),
        version=draw(st.sampled_from(["4.8.0", "5.3.3", None])),
    )
    dropped = draw(st.sampled_from([None, place("m", 9)]))
    return replace(
        one,
        subscriptions=tuple(replace(each, dropped=dropped) for each in one.subscriptions[:1])
        + one.subscriptions[1:],
        consume_mode=draw(st.sampled_from([NOT_APPLICABLE, Value("ORDERLY"), Value(None, Why.DYNAMIC)])),
        strategy=draw(st.sampled_from([NOT_APPLICABLE, Value("AVG"), Value("a.b.Circle")])),
        consume_from=draw(st.sampled_from([NOT_APPLICABLE, Value("CONSUME_FROM_FIRST_OFFSET")])),
        group=replace(one.group, confidence=draw(st.sampled_from(Confidence))),
        owners=draw(st.sampled_from([(), ("@a",), ("@a", "@b")])),
        broken=draw(st.booleans()),
    )


def moved(one: Consumer, number: int) -> Consumer:
    """The same said elsewhere."""
    name = f"m{number}"
    apart = tuple(replace(each, at=place(name, line)) for line, each in enumerate(one.subscriptions, 2))
    return replace(
        one,
        id=name,
        deployable=name,
        symbol=f"com.acme.{name}#main",
        at=place(name, 1),
        subscriptions=apart,
    )


@pytest.mark.parametrize("rule", CONTRASTING, ids=lambda rule: str(rule.name))
@settings(deadline=None)
@given(one=consumers(), count=st.integers(2, 4))
def test_a_contrasting_rule_says_nothing_of_members_of_one_shape(
    rule: Rule, one: Consumer, count: int
) -> None:
    members = tuple(moved(one, number) for number in range(count))
    assert len(set(shapes_of(members).values())) == 1
    assert rule.check_group is not None
    assert list(rule.check_group(group_of(*members), members)) == []


@settings(deadline=None)
@given(drawn=st.lists(consumers(), min_size=1, max_size=4), picked=st.lists(st.integers(0, 3), max_size=6))
def test_judging_with_all_rules_gives_the_same(drawn: list[Consumer], picked: list[int]) -> None:
    group = group_of(*(moved(drawn[pick % len(drawn)], number) for number, pick in enumerate(picked)))
    assert judge(group, rules.ALL, Assume()) == judge(group, PLAIN, Assume())


def test_most_group_rules_contrast() -> None:
    others = {rule.name for rule in rules.ALL if rule.check_group is not None and not rule.contrasts}
    assert others == {"shared-group", "same-client-id", "almost-equal-tags", "tag-hash-collision"}

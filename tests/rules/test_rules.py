"""What rules say, apart from when they fire (that is shown by cases): messages, places, order, unknown values, texts."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

from subdrift import rules
from subdrift.linter.model.consumer import Consumer, Subscription, TrailStep, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.finding import Remark, Rule, Scope
from subdrift.rules import (
    almost_equal_tags,
    divergent_allocation_strategy,
    divergent_consume_from,
    divergent_consume_mode,
    divergent_filter_type,
    divergent_message_model,
    divergent_sql,
    divergent_tags,
    divergent_topics,
    ghost_of_a_failed_sql_start,
    group_of_another_service,
    mixed_client_generations,
    same_client_id,
    shared_group,
    star_in_list,
    tag_hash_collision,
    tag_order_differs,
    topic_subscribed_twice,
    unsubscribed_topic_still_listed,
    wrong_tag_separator,
)
from subdrift.rules.filters import same_sql
from tests.rules.members import group_of, member, place
from tests.words import en, en_all

GROUP_RULES = [rule for rule in rules.ALL if rule.scope is Scope.GROUP]


def remarks(rule: Rule, *members: Consumer) -> list[Remark]:
    if rule.check_group is not None:
        return list(rule.check_group(group_of(*members), members))
    assert rule.check_consumer is not None
    return [remark for one in members for remark in rule.check_consumer(one)]


def _giving_up(one: Consumer) -> Consumer:
    subscriptions = tuple(
        replace(each, dropped=place(one.at.origin.repo, each.at.span.line + 10)) for each in one.subscriptions
    )
    return replace(one, subscriptions=subscriptions)


DISAGREEMENTS: dict[Rule, tuple[Consumer, ...]] = {
    divergent_topics.RULE: (
        member("a", ("T", "*")),
        member("b", ("U", "*")),
        member("c", ("T", "*"), ("U", "*")),
    ),
    divergent_tags.RULE: (member("a", ("T", "A")), member("b", ("T", "B||A")), member("c", ("T", "*"))),
    divergent_filter_type.RULE: (member("a", ("T", "A")), member("b", ("T", "a = 1", "SQL92"))),
    divergent_sql.RULE: (member("a", ("T", "a = 1", "SQL92")), member("b", ("T", "a = 2", "SQL92"))),
    divergent_message_model.RULE: (member("a", ("T", "*")), member("b", ("T", "*"), model="BROADCASTING")),
    divergent_consume_mode.RULE: (
        replace(member("a", ("T", "*")), consume_mode=Value("ORDERLY")),
        replace(member("b", ("T", "*")), consume_mode=Value("CONCURRENTLY")),
    ),
    divergent_allocation_strategy.RULE: (
        replace(member("a", ("T", "*")), strategy=Value("AVG")),
        replace(member("b", ("T", "*")), strategy=Value("org.x.AllocateMessageQueueAveragelyByCircle")),
    ),
    divergent_consume_from.RULE: (
        replace(member("a", ("T", "*")), consume_from=Value("CONSUME_FROM_FIRST_OFFSET")),
        replace(member("b", ("T", "*")), consume_from=Value("CONSUME_FROM_LAST_OFFSET")),
    ),
    ghost_of_a_failed_sql_start.RULE: (
        member("a", ("T", "A")),
        member("b", ("T", "a >", "SQL92")),
        member("c", ("T", "b >", "SQL92")),
    ),
    unsubscribed_topic_still_listed.RULE: (
        member("a", ("T", "*")),
        _giving_up(member("b", ("T", "*"))),
        member("c", ("T", "*")),
    ),
    shared_group.RULE: (member("a", ("T", "*")), member("b", ("T", "*"))),
    group_of_another_service.RULE: (
        replace(member("a", ("T", "*")), owners=("@a", "@b")),
        replace(member("b", ("U", "*")), owners=("@c",)),
        replace(member("c", ("U", "*")), owners=("@b", "@c")),
    ),
    mixed_client_generations.RULE: (member("a", ("T", "*")), member("b", ("T", "*"), api="grpc-push")),
    same_client_id.RULE: tuple(
        replace(
            member(name, ("T", "*"), version="4.8.0"),
            deployable="app",
            at=place("app", line),
            symbol="com.acme.App#main",
        )
        for line, name in enumerate("ab", 1)
    ),
    tag_order_differs.RULE: (
        member("a", ("T", "A||B")),
        member("b", ("T", "B||A")),
        member("c", ("T", "A || B")),
    ),
    almost_equal_tags.RULE: (
        member("a", ("T", "PAID")),
        member("b", ("T", "ＰＡＩＤ")),
        member("c", ("T", "Paid")),
    ),
    tag_hash_collision.RULE: (member("a", ("T", "Aa")), member("b", ("T", "BB"))),
}


@pytest.mark.parametrize("rule", DISAGREEMENTS, ids=lambda rule: rule.name)
def test_a_disagreement_is_one_remark_with_every_side_whatever_the_order(rule: Rule) -> None:
    members = DISAGREEMENTS[rule]
    found = {tuple(remarks(rule, *order)) for order in permutations(members)}
    assert len(found) == 1
    [remark] = found.pop()
    assert {one.at.origin.repo for one in remark.places} == {one.at.origin.repo for one in members}
    assert set(remark.members) == set(members)
    assert "`g`" in en(remark.message)
    assert en(remark.message).endswith(".")
    assert remark.help
    assert list(remark.differs) == sorted(remark.differs)


def test_every_group_rule_has_a_disagreement_to_be_tested_with() -> None:
    assert list(DISAGREEMENTS) == GROUP_RULES


@pytest.mark.parametrize("rule", GROUP_RULES, ids=lambda rule: rule.name)
def test_members_that_agree_are_left_alone(rule: Rule) -> None:
    alike = tuple(
        replace(member(name, ("T", "A||B"), ("U", "a = 1", "SQL92")), deployable="app", at=place("app", line))
        for line, name in enumerate("abc", 1)
    )
    assert not remarks(rule, *alike)
    assert not remarks(rule, alike[0])


@pytest.mark.parametrize("rule", DISAGREEMENTS, ids=lambda rule: rule.name)
def test_an_unknown_value_contradicts_nobody(rule: Rule) -> None:
    known = DISAGREEMENTS[rule][0]
    dark = member("dark", (None, None, None), model=None)
    assert not remarks(rule, known, dark)
    assert not remarks(rule, dark, replace(dark, id="darker"))


def test_what_holds_for_every_value_of_the_unknown_is_said() -> None:
    dark = member("dark", ("T", "*"), (None, "*"))
    assert not remarks(divergent_topics.RULE, dark, member("b", ("T", "*"), ("U", "*")))
    [remark] = remarks(divergent_topics.RULE, dark, member("b", ("U", "*")))
    assert en(remark.message) == (
        "Consumers of group `g` subscribe to different topics: `U` and (`T` and others not known)."
    )


def test_a_pull_consumer_without_topics_disagrees_with_those_that_have_some() -> None:
    silent = member("pull", (None, None, None), api="pull")
    why = Value(None, Why.NEVER_SUBSCRIBED)
    silent = replace(silent, subscriptions=(replace(silent.subscriptions[0], topic=why),))
    [remark] = remarks(divergent_topics.RULE, member("push", ("T", "*")), silent)
    assert en(remark.message) == "Consumers of group `g` subscribe to different topics: no topic and `T`."
    assert not remarks(divergent_topics.RULE, member("push", ("T", "*")), replace(silent, api="push"))


def test_only_clients_with_heartbeats_of_the_classic_kind_need_equal_topics() -> None:
    new = [member(name, (topic, "*"), api="grpc-push") for name, topic in (("a", "T"), ("b", "U"))]
    old = [member(name, (topic, "*")) for name, topic in (("c", "T"), ("d", "U"))]
    assert not remarks(divergent_topics.RULE, *new)
    assert not remarks(divergent_topics.RULE, *new, old[0])
    [remark] = remarks(divergent_topics.RULE, *new, *old)
    assert {one.id for one in remark.members} == {"c", "d"}


def test_the_retry_topic_is_nobodys_business() -> None:
    assert not remarks(
        divergent_topics.RULE, member("a", ("T", "*"), ("%RETRY%g", "*")), member("b", ("T", "*"))
    )


def test_main_code_comes_first_and_every_side_before_a_second_place_of_one() -> None:
    members = [member(name, ("T", "A")) for name in ("b", "c", "d")]
    members += [member("a", ("T", "B"), scope="test"), member("e", ("T", "C"))]
    [remark] = remarks(divergent_tags.RULE, *members)
    assert [one.at.origin.repo for one in remark.places] == ["b", "e", "a", "c", "d"]
    assert [en(one.label) for one in remark.places][:3] == [
        "subscribes to A",
        "subscribes to C",
        "subscribes to B",
    ]


def _from(consumer: Consumer, expression: str, config: str) -> Consumer:
    """The consumer as it stands in a library, with an expression of a deployable's configuration."""
    trail = (TrailStep(place("library", 2), "${tags}"), TrailStep(place(config, 9), "tags"))
    one = consumer.subscriptions[0]
    return replace(
        consumer,
        id=f"{consumer.id} in {config}",
        subscriptions=(Subscription(one.at, one.topic, Value(expression, trail=trail), one.filter_type),),
    )


def test_one_line_with_several_values_shows_where_each_was_written() -> None:
    listener = member("library", ("T", "x"))
    [remark] = remarks(divergent_tags.RULE, _from(listener, "A", "crm"), _from(listener, "B", "loyalty"))
    assert [(str(one.at.origin.repo), en(one.label)) for one in remark.places] == [
        ("library", "declared once, with different values"),
        ("crm", "subscribes to A"),
        ("loyalty", "subscribes to B"),
    ]


def test_a_crowd_is_named_within_bounds() -> None:
    members = [member(f"m{index}", ("T", f"tag{index}")) for index in range(9)]
    [remark] = remarks(divergent_tags.RULE, *members)
    assert en(remark.message) == (
        "Consumers of group `g` filter topic `T` by different tags: `tag0`, `tag1`, `tag2` and 6 more."
    )
    assert len(remark.places) == 9


def test_blank_and_star_are_not_the_same_wish() -> None:
    members = (member("a", ("T", "*")), member("b", ("T", " ")))
    [remark] = remarks(divergent_tags.RULE, *members)
    assert en(remark.message).endswith("different tags: all tags (`*`) and no tag at all.")
    assert not remarks(tag_order_differs.RULE, *members)


def test_null_empty_and_star_are_written_alike() -> None:
    assert not remarks(tag_order_differs.RULE, member("a", ("T", "*")), member("b", ("T", "")))


def test_tag_order_is_not_worth_a_word_where_the_tags_differ() -> None:
    members = [member(name, ("T", text)) for name, text in (("a", "A||B"), ("b", "B||A"), ("c", "C"))]
    assert not remarks(tag_order_differs.RULE, *members)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("a = 1 AND b = 2", "a=1\n  AND\tb =2", True),
        ("s = 'a  b'", "s = 'a b'", False),
        ("s = 'it''s'", "s='it''s'", True),
        ("a < > 1", "a <> 1", False),
        ("a = 1 -- b\n AND b = 2", "a = 1 -- b AND b = 2", False),
        ("A = 1", "a = 1", False),
        ("a BETWEEN 1 AND 2", "a BETWEEN 1 AND 2 ", True),
        ("a\u3000= 1", "a = 1", False),
    ],
)
def test_selectors_are_equal_up_to_white_space_outside_strings(left: str, right: str, same: bool) -> None:
    assert (same_sql(left) == same_sql(right)) is same


def test_the_later_subscription_of_a_topic_counts_against_others() -> None:
    twice = member("a", ("T", "A"), ("T", "B"))
    assert not remarks(divergent_tags.RULE, twice, member("b", ("T", "B")))
    assert remarks(divergent_tags.RULE, twice, member("b", ("T", "A")))
    [remark] = remarks(topic_subscribed_twice.RULE, twice)
    assert en(remark.message) == (
        "Topic `T` is subscribed to 2 times by one consumer of group `g`: `B` replaces `A`."
    )
    assert [one.at.span.line for one in remark.places] == [3, 2]


@pytest.mark.parametrize(
    "subscriptions",
    [
        (("T", "A"), ("U", "B")),
        (("T", "A||B"), ("T", "B || A")),
        (("T", "A"), ("T", None)),
        (("T", "A"), (None, "B")),
    ],
)
def test_subscribing_twice_to_the_same_effect_or_to_something_unknown_is_no_mistake(
    subscriptions: tuple[tuple[str | None, ...], ...],
) -> None:
    assert not remarks(topic_subscribed_twice.RULE, member("a", *subscriptions))


WRONG = {
    "A|B": "A || B",
    "A|||B": "A || B",
    "A,B": "A || B",
    "A, B , C": "A || B || C",
    "A;B": "A || B",
    "A && B": "A || B",
    "A or B": "A || B",
    "A OR B": "A || B",
    "A｜｜B": "A || B",
    "A，B": "A || B",
    "订单、退款": "订单 || 退款",
    "A||\u3000B": "A || B",
    "A\u00a0": "A",
    "\ufeffA": "A",
    "A || B|C": "A || B || C",
    " ": "*",
    "||": "*",
    "|| ||": "*",
    "||||": "*",
    "a = 1": "SQL92",
    "TAGS = 'A'": "SQL92",
    "price > 10 AND a IS NOT NULL": "SQL92",
    "a in ('x', 'y')": "SQL92",
    "(a = TRUE)": "SQL92",
    "a not between 1 and 3": "SQL92",
}


@pytest.mark.parametrize("text", WRONG)
def test_an_expression_that_is_no_list_of_tags_is_found_and_the_remedy_named(text: str) -> None:
    [remark] = remarks(wrong_tag_separator.RULE, member("a", ("T", text)))
    assert f"`{text}` of topic `T` in group `g`" in en(remark.message)
    assert f"{WRONG[text]}" in en_all(remark.help)
    assert not remarks(star_in_list.RULE, member("a", ("T", text)))


@pytest.mark.parametrize(
    "text",
    [
        "A",
        "A||B",
        "A || B",
        "||A",
        "A||",
        "A|| ||B",
        "*",
        "",
        " A ",
        "order",
        "R&D",
        "for-and-or",
        "a b",
        "tag=x",
        "订单",
    ],
)
def test_lists_of_tags_are_left_alone(text: str) -> None:
    assert not remarks(wrong_tag_separator.RULE, member("a", ("T", text)))
    assert not remarks(star_in_list.RULE, member("a", ("T", text)))


def test_selectors_and_unknown_expressions_are_not_read_as_tags() -> None:
    for subscribed in (("T", "a = 1 | b", "SQL92"), ("T", "A,B", "CLASS"), ("T", None), ("T", "A,B", None)):
        assert not remarks(wrong_tag_separator.RULE, member("a", subscribed))


@pytest.mark.parametrize("text", [" * ", "A || *", "*||", "**", "* || *", "*||A||B"])
def test_a_star_that_is_a_tag_is_found(text: str) -> None:
    [remark] = remarks(star_in_list.RULE, member("a", ("T", text)))
    assert "is the name of a tag and does not mean all messages" in en(remark.message)
    assert not remarks(wrong_tag_separator.RULE, member("a", ("T", text)))


def test_consumer_rules_speak_where_group_and_topic_are_unknown() -> None:
    [remark] = remarks(wrong_tag_separator.RULE, member("a", (None, "A,B"), group=None))
    assert en(remark.message) == (
        "The tag expression `A,B` names one tag called `A,B`, because only `||` separates tags."
    )
    assert remark.topic is None


def test_several_mistakes_of_one_consumer_are_told_apart() -> None:
    for rule, wrong in ((wrong_tag_separator.RULE, "A,B"), (star_in_list.RULE, "A||*")):
        found = remarks(rule, member("a", ("T", wrong), ("U", "A"), ("V", wrong)))
        assert [one.ordinal for one in found] == [0, 1]


def test_rules_are_named_as_their_files_and_documented() -> None:
    for rule in rules.ALL:
        module = __import__(f"subdrift.rules.{rule.name.replace('-', '_')}", fromlist=["RULE"])
        assert module.RULE is rule
        assert module.__doc__
        assert (rule.check_group is None) is (rule.scope is Scope.CONSUMER)


@pytest.mark.parametrize("name", rules.names())
@pytest.mark.parametrize("lang", rules.LANGUAGES)
def test_every_rule_and_diagnostic_has_a_text_in_both_languages(name: str, lang: str) -> None:
    text = rules.docs(name, lang)
    assert text.startswith(f"# {name}\n")
    assert ("怎么" in text or "如何" in text or "处理" in text) is (lang == "zh")
    assert f"subdrift: ignore[{name}]" in text
    assert not re.search(r"(//|#) (subscribes|finds|problem):", text), (
        "what the tests expect is for the tests"
    )
    assert "\norganisation\n" not in text
    assert "\n\n\n" not in text


@pytest.mark.parametrize("name", [rule.name for rule in rules.ALL])
def test_every_rule_shows_a_bad_and_a_good_example_and_names_the_versions_it_speaks_of(name: str) -> None:
    for lang, titles in (("en", ("Bad", "Good", "Sources")), ("zh", ("反例", "正例", "依据"))):
        text = (
            Path(rules.__file__).with_name("docs").joinpath(f"{name}.{lang}.md").read_text(encoding="utf-8")
        )
        bad, good, sources = (text.partition(f"\n## {title}")[2].partition("\n## ")[0] for title in titles)
        assert f"finds: {name}" in bad
        assert "subscribes:" in good
        assert "finds:" not in good
        assert re.search(r"\d+\.\d+\.\d+", sources)


def test_a_text_that_does_not_exist_is_an_error_of_its_own() -> None:
    for name, lang in (("no-such-rule", "en"), ("divergent-tags", "de"), ("../filters", "en")):
        with pytest.raises(rules.UnknownTextError):
            rules.docs(name, lang)

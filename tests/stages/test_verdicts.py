"""What judging adds to what rules say: levels, conditions, environments, places and identities."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from subdrift import rules
from subdrift.linter.broker.assume import Assume
from subdrift.linter.model.consumer import Confidence, Consumer, Value
from subdrift.linter.model.finding import PLACES_MAX, Finding, Verdict
from subdrift.linter.model.prediction import Impact
from subdrift.linter.stages.verdicts import judge, judge_consumer
from tests.rules.members import group_of, member, place
from tests.words import en


def judged(*members: Consumer) -> Verdict:
    return judge(group_of(*members), rules.ALL, Assume())


def found(verdict: Verdict, rule: str = "divergent-tags") -> Finding:
    (one,) = [one for one in verdict.findings if one.rule == rule]
    return one


def sure(consumer: Consumer, confidence: Confidence) -> Consumer:
    return replace(consumer, group=replace(consumer.group, confidence=confidence))


def at(consumer: Consumer, server: str) -> Consumer:
    return replace(consumer, name_server=Value(server))


A = member("a", ("T", "A"))
B = member("b", ("T", "B"))
TESTED = member("t", ("T", "C"), scope="test")
SHOWN = member("s", ("T", "D"), scope="sample")
LIKE_A = member("c", ("T", "A"))
PROD = replace(member("p", ("T", "B")), environments=("prod",), profiles=("prod",))
DEFINED = replace(member("q", ("T", "A")), environments=("prod",), profiles=("prod",))


@pytest.mark.parametrize(
    ("members", "level", "condition"),
    [
        ((A, B), "error", ""),
        ((A, TESTED), "warning", "Only test code is concerned."),
        ((A, SHOWN), "warning", "Only sample code is concerned."),
        ((TESTED, SHOWN), "warning", "Only sample and test code is concerned."),
        ((A, B, TESTED), "error", ""),
        ((A, LIKE_A, TESTED), "warning", "Only test code is concerned."),
        ((sure(A, Confidence.MEDIUM), B), "error", ""),
        ((sure(A, Confidence.LOW), B), "warning", ""),
        (
            (replace(A, profiles=("dev",)), PROD),
            "warning",
            "Only in profile prod, which some side does not define.",
        ),
        ((DEFINED, PROD), "error", ""),
    ],
)
def test_the_level_says_what_is_hurt_and_how_surely(
    members: tuple[Consumer, ...], level: str, condition: str
) -> None:
    one = found(judged(*members))
    assert (one.level.text, en(one.conditional)) == (level, condition)
    assert one.confidence is min(each.confidence for each in members)


def test_what_only_a_console_sees_is_a_note() -> None:
    verdict = judged(member("a", ("T", "A || B")), member("b", ("T", "B || A")))
    assert found(verdict, "tag-order-differs").level.text == "note"


def test_a_topic_is_main_codes_own_only_if_main_code_disagrees_about_it() -> None:
    members = (
        member("a", ("T", "A"), ("U", "A")),
        member("b", ("T", "B"), ("U", "A")),
        member("t", ("T", "B"), ("U", "B"), scope="test"),
    )
    levels = {one.topic: one.level.text for one in judged(*members).findings if one.rule == "divergent-tags"}
    assert levels == {"T": "error", "U": "warning"}


def test_one_fact_in_several_environments_is_one_finding_at_its_highest_level() -> None:
    everywhere = ("", "dev", "prod")
    first = [replace(A, environments=(name,), profiles=("dev", "prod")) for name in everywhere]
    second = [replace(B, environments=(name,), profiles=("dev", "prod")) for name in everywhere[1:]]
    third = [replace(B, environments=("",), profiles=("dev", "prod"), scope="test")]
    one = found(judged(*first, *third, *second))
    assert one.environments == everywhere
    assert (one.level.text, en(one.conditional)) == ("error", "")


@pytest.mark.parametrize("rows", [("", "dev"), ("dev", "")])
def test_the_unconditional_is_told_whichever_environment_comes_first(rows: tuple[str, str]) -> None:
    scopes = dict(zip(rows, ("test", "main"), strict=True))
    first = [replace(A, environments=(name,), profiles=("dev",)) for name in rows]
    second = [replace(B, environments=(name,), profiles=("dev",), scope=scopes[name]) for name in rows]
    one = found(judged(*first, *second))
    assert (one.level.text, en(one.conditional)) == ("error", "")


@pytest.mark.parametrize("rows", [("", "dev"), ("dev", "")])
def test_of_two_notes_the_unconditional_is_told(rows: tuple[str, str]) -> None:
    scopes = dict(zip(rows, ("test", "main"), strict=True))
    one, other = member("a", ("T", "A||B")), member("b", ("T", "B||A"))
    first = [replace(one, environments=(name,), profiles=("dev",)) for name in rows]
    second = [replace(other, environments=(name,), profiles=("dev",), scope=scopes[name]) for name in rows]
    note = found(judged(*first, *second), "tag-order-differs")
    assert (note.level.text, en(note.conditional), note.environments) == ("note", "", ("", "dev"))


@pytest.mark.parametrize(
    ("scope", "confidence", "level", "condition"),
    [
        ("main", Confidence.HIGH, "error", ""),
        ("main", Confidence.MEDIUM, "error", ""),
        ("main", Confidence.LOW, "warning", ""),
        ("test", Confidence.HIGH, "warning", "Only in test code."),
        ("sample", Confidence.HIGH, "warning", "Only in sample code."),
    ],
)
def test_the_level_of_what_one_consumer_does(
    scope: str, confidence: Confidence, level: str, condition: str
) -> None:
    consumer = sure(member("a", ("T", "A, B"), scope=scope), confidence)
    (one,) = judge_consumer(consumer, rules.ALL)
    assert (one.rule, one.level.text, en(one.conditional)) == ("wrong-tag-separator", level, condition)


def test_a_note_of_one_consumer_stays_a_note_in_test_code() -> None:
    levels = {
        one.level.text
        for scope in ("main", "test")
        for one in judge_consumer(
            member("a", ("T", "x <> 1", "SQL92"), ("U", "NOT (x = 1)", "SQL92"), scope=scope), rules.ALL
        )
    }
    assert levels == {"note"}


def test_what_one_consumer_does_names_its_namespace() -> None:
    consumer = member("a", ("T", "A, B"))
    for namespace, told in ((Value("trade"), "trade"), (Value(None), "")):
        (one,) = judge_consumer(replace(consumer, namespace=namespace), rules.ALL)
        assert one.namespace == told


@pytest.mark.parametrize(
    ("ids", "ordinals"), [(("r:a:0", "r:a:1"), {0, 1000}), (("r:a:0", "r:a:12"), {0, 12000}), (("a",), {0})]
)
def test_consumers_of_one_symbol_are_told_apart(ids: tuple[str, ...], ordinals: set[int]) -> None:
    each = [replace(member("a", ("T", "A, B")), id=one) for one in ids]
    every = [one for consumer in each for one in judge_consumer(consumer, rules.ALL)]
    assert {one.ordinal for one in every} == ordinals
    assert len({one.identity for one in every}) == len(ids)


def test_what_one_consumer_does_in_two_environments_is_one_finding_with_both() -> None:
    rows = [
        replace(member("a", ("T", "A, B")), environments=(name,), profiles=("dev",)) for name in ("", "dev")
    ]
    assert found(judged(*rows), "wrong-tag-separator").environments == ("", "dev")


def test_members_of_other_name_servers_are_named_and_not_compared() -> None:
    one, other = (
        replace(each, at=place("r", line)) for line, each in enumerate((at(A, "x:1"), at(B, "x:1")), 1)
    )
    apart = [
        replace(at(member(f"n{n}", ("T", "Z")), "y:1"), at=place("r", 10 + n), id=f"n{n}") for n in range(4)
    ]
    off = replace(at(member("off", ("T", "Z")), "y:1"), at=place("r", 3), disabled=True, environments=("",))
    told = found(judged(one, other, off, *apart))
    assert told.left_out == ("r.java:10", "r.java:11", "r.java:12")


def test_a_member_of_another_environment_is_not_left_out() -> None:
    one, other = (
        replace(at(each, "x:1"), at=place("r", line), environments=("dev",), profiles=("dev",))
        for line, each in enumerate((A, B), 1)
    )
    apart = replace(at(PROD, "y:1"), at=place("r", 9))
    assert found(judged(one, other, apart)).left_out == ()


@pytest.mark.parametrize("count", [2, PLACES_MAX, PLACES_MAX + 3])
def test_places_beyond_the_bound_are_counted(count: int) -> None:
    told = found(judged(*(member(f"m{n:02}", ("T", f"A{n}")) for n in range(count))))
    assert (len(told.places), told.more_places) == (min(count, PLACES_MAX), max(0, count - PLACES_MAX))


def test_a_verdict_counts_members_and_keeps_the_worst_prediction() -> None:
    calm = [replace(A, environments=(name,), profiles=("dev",)) for name in ("", "dev")]
    torn = [
        replace(LIKE_A, environments=("",), profiles=("dev",)),
        replace(member("c", ("T", "B")), environments=("dev",), profiles=("dev",)),
    ]
    verdict = judged(*calm, *torn)
    assert verdict.consumers == 2
    assert verdict.prediction is not None
    assert verdict.prediction.worst is Impact.LOST
    for early, late in ((calm, torn), (torn, calm)):
        again = judged(
            *(
                replace(one, environments=("dev",) if one.environments == ("",) else ("",))
                for one in (*early, *late)
            )
        )
        assert again.prediction is not None
        assert again.prediction.worst is Impact.LOST


def test_findings_are_worst_first_and_then_by_rule_and_topic() -> None:
    members = (
        member("a", ("T", "A"), ("U", "A"), ("V", "A || B")),
        member("b", ("T", "B"), ("U", "B"), ("V", "B || A")),
    )
    told = [(one.rule, one.topic) for one in judged(*members).findings]
    assert told[:2] == [("divergent-tags", "T"), ("divergent-tags", "U")]
    assert told.index(("tag-order-differs", "V")) > 1


def test_two_facts_of_one_kind_have_identities_of_their_own() -> None:
    either = [replace(member("b", ("T", tags)), choice="b") for tags in ("B", "C")]
    every = [one for one in judged(A, *either).findings if one.rule == "divergent-tags"]
    assert sorted(one.ordinal for one in every) == [0, 1]
    assert len({one.identity for one in every}) == 2


def test_one_member_has_nobody_to_disagree_with() -> None:
    verdict = judged(A)
    assert (verdict.findings, verdict.prediction, verdict.consumers) == ((), None, 1)

"""Suppressions: who silences what, what stays visible, what is reported as useless; and the exit code."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from subdrift import rules
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.counts import Tally
from subdrift.linter.model.facts import Suppression
from subdrift.linter.model.finding import Diagnostic, Finding, Place, Severity
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.message import verbatim
from subdrift.linter.triage import NO_REASON, Triaged, exit_code, triage, under
from tests.report import sample
from tests.words import en

HERE = Origin("billing", "A.java")
ALSO_HERE = Origin("billing", "B.java")
THERE = Origin("shipping", "C.java")


def place(origin: Origin, line: int, lines: int = 1) -> Place:
    return Place(Location(origin, Span(line, 5, line + lines - 1, 9)), verbatim("x"))


def finding(*places: Place, rule: str = "divergent-tags") -> Finding:
    return replace(sample.TAGS, rule=rule, places=places, suppressed_on=None)


def ignore(
    origin: Origin, *lines: int, rule: str = "divergent-tags", reason: str = "known"
) -> tuple[Origin, Suppression]:
    return origin, Suppression((rule,) if rule else (), reason, lines, Span(lines[0], 1, lines[0], 9))


def judged(
    *findings: Finding,
    by: tuple[tuple[Origin, Suppression], ...] = (),
    diagnostics: tuple[Diagnostic, ...] = (),
    consumers: tuple[Consumer, ...] = (),
    whole: bool = True,
) -> Triaged:
    return triage(findings, diagnostics, by, consumers, rules.ALL, whole)


def complaints(found: Triaged) -> list[str]:
    return [en(one.message) for one in found.diagnostics if one.name == "unused-suppression"]


def test_without_suppressions_nothing_changes() -> None:
    one = finding(place(HERE, 3), place(THERE, 4))
    assert judged(one) == Triaged((one,), ())


@pytest.mark.parametrize("lines", [(3,), (2, 3), (5, 6)])
def test_any_line_of_a_place_speaks_for_it(lines: tuple[int, ...]) -> None:
    found = judged(finding(place(HERE, 3, lines=4)), by=(ignore(HERE, *lines),))
    assert [one.suppressed for one in found.findings] == ["known"]
    assert complaints(found) == []


def test_one_suppression_silences_a_finding_of_one_repository() -> None:
    found = judged(finding(place(HERE, 3), place(ALSO_HERE, 7)), by=(ignore(ALSO_HERE, 7),))
    assert found.active == ()
    assert Tally.of(found.findings, found.diagnostics).suppressed == 1


def test_one_side_of_two_repositories_leaves_it_visible_and_says_so() -> None:
    found = judged(finding(place(HERE, 3), place(THERE, 4)), by=(ignore(HERE, 3),))
    (one,) = found.active
    assert en(one.suppressed_on) == "Suppressed on one side: known (billing)."
    assert complaints(found) == []


def test_all_sides_silence_it_with_all_their_reasons() -> None:
    by = (ignore(HERE, 3, reason="ours"), ignore(THERE, 4, reason="theirs"))
    (one,) = judged(finding(place(HERE, 3), place(THERE, 4)), by=by).findings
    assert one.suppressed == "ours; theirs"


@pytest.mark.parametrize(
    "by",
    [ignore(HERE, 4), ignore(HERE, 3, rule="divergent-topics"), ignore(ALSO_HERE, 3)],
    ids=["another line", "another rule", "another file"],
)
def test_what_speaks_of_something_else_silences_nothing(by: tuple[Origin, Suppression]) -> None:
    found = judged(finding(place(HERE, 3)), by=(by,))
    assert len(found.active) == 1
    assert complaints(found) == [f"This suppression of `{by[1].rules[0]}` silences nothing."]


def test_a_suppression_without_a_reason_works_and_is_reported() -> None:
    found = judged(finding(place(HERE, 3)), by=(ignore(HERE, 3, reason=""),))
    assert [one.suppressed for one in found.findings] == [NO_REASON]
    assert complaints(found) == ["This suppression has no reason."]


def test_a_suppression_without_a_rule_silences_nothing() -> None:
    found = judged(finding(place(HERE, 3)), by=(ignore(HERE, 3, rule=""),))
    assert len(found.active) == 1
    assert complaints(found) == ["This suppression names no rule and silences nothing."]


def test_an_unknown_rule_gets_a_suggestion() -> None:
    found = judged(by=(ignore(HERE, 3, rule="divergent-tag"),))
    (one,) = found.diagnostics
    assert en(one.message) == "`divergent-tag` is not a rule, so this suppression silences nothing."
    assert en(one.help) == "Did you mean `divergent-tags`?"
    assert one.at == Location(HERE, Span(3, 1, 3, 9))


def test_diagnostics_are_silenced_by_their_names() -> None:
    one = Diagnostic("unresolved-value", verbatim("m"), Location(HERE, Span(3, 1, 3, 2)))
    found = judged(by=(ignore(HERE, 2, 3, rule="unresolved-value"),), diagnostics=(one,))
    assert [each.suppressed for each in found.diagnostics] == ["known"]
    assert found.active_diagnostics == ()
    assert Tally.of(found.findings, found.diagnostics).suppressed == 1


def member(identity: str, line: int, origin: Origin = HERE) -> Consumer:
    at = Location(origin, Span(line, 1, line, 9))
    return sample.consumer(identity, "push", at, sample.value("g"))


def test_next_to_a_lone_member_a_suppression_may_answer_another_repository() -> None:
    by = (ignore(HERE, 3),)
    assert complaints(judged(by=by, consumers=(member("a", 3),), whole=False)) == []
    assert len(complaints(judged(by=by, consumers=(member("a", 3),), whole=True))) == 1
    both = (member("a", 3), member("b", 9))
    assert len(complaints(judged(by=by, consumers=both, whole=False))) == 1
    elsewhere = (member("a", 30),)
    assert len(complaints(judged(by=by, consumers=elsewhere, whole=False))) == 1
    star = (ignore(HERE, 3, rule="star-in-list"),)
    assert len(complaints(judged(by=star, consumers=(member("a", 3),), whole=False))) == 1


def test_only_what_has_a_place_among_the_selected_files_is_reported() -> None:
    diagnostic = Diagnostic("parse-error", verbatim("m"), Location(THERE, Span(1, 1, 1, 1)))
    found = judged(
        finding(place(HERE, 3), place(THERE, 4)), finding(place(THERE, 9)), diagnostics=(diagnostic,)
    )
    kept = under(found, lambda origin: origin.repo == "billing")
    assert (len(kept.findings), len(kept.diagnostics)) == (1, 0)


NOTE, WARNING, ERROR = (replace(sample.TAGS, level=level) for level in Severity)
SILENT = replace(ERROR, suppressed="known")
BLIND = Diagnostic("parse-error", verbatim("m"), Location(HERE, Span(1, 1, 1, 1)))


@pytest.mark.parametrize(
    ("findings", "diagnostics", "fail_on", "strict", "code"),
    [
        ((), (), "error", False, 0),
        ((ERROR,), (), "error", False, 1),
        ((WARNING, NOTE), (), "error", False, 0),
        ((WARNING,), (), "warning", False, 1),
        ((NOTE,), (), "warning", False, 0),
        ((NOTE,), (), "note", False, 1),
        ((SILENT,), (), "note", False, 0),
        ((ERROR,), (BLIND,), "never", True, 0),
        ((), (BLIND,), "error", False, 0),
        ((), (BLIND,), "note", False, 0),
        ((), (BLIND,), "error", True, 1),
        ((), (replace(BLIND, suppressed="known"),), "error", True, 0),
    ],
)
def test_the_exit_code_follows_level_and_strictness(
    findings: tuple[Finding, ...], diagnostics: tuple[Diagnostic, ...], fail_on: str, strict: bool, code: int
) -> None:
    assert exit_code(Triaged(findings, diagnostics), fail_on, strict) == code

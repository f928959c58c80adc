"""The sample organisations give what the table in their README announces, and nothing else."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest

from subdrift import rules
from subdrift.linter import pipeline
from subdrift.linter.model.finding import Finding, Scope, Severity
from subdrift.linter.sources.checkout import discover
from tests.words import en

ORGS = Path(__file__).parent.parent.parent / "fixtures" / "orgs"
NAMES = sorted(path.name for path in ORGS.iterdir() if path.is_dir())

Row = tuple[str, str, str, str, tuple[str, ...]]
"""Rule, level, group, topic ("" for the group as a whole), repositories."""


@lru_cache(maxsize=len(NAMES))
def analysed(org: str) -> pipeline.Result:
    repositories = discover((), org=str(ORGS / org))
    return pipeline.analyse(repositories, rules.ALL, None, pipeline.Options(workers=1))


def announced(org: str) -> list[Row]:
    lines = (ORGS / org / "README.md").read_text(encoding="utf-8").split("\n")
    start = next(index for index, line in enumerate(lines) if line.startswith("| rule |"))
    found: list[Row] = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rule, level, group, topic, repositories = (cell.strip() for cell in line.strip("|").split("|"))
        names = tuple(sorted(re.findall(r"`([^`]+)`", repositories)))
        found.append((rule.strip("`"), level, group.strip("`"), topic.strip("`"), names))
    return sorted(found)


def row(finding: Finding) -> Row:
    repositories = tuple(sorted({place.at.origin.repo for place in finding.places}))
    return (finding.rule, finding.level.text, finding.group or "", finding.topic or "", repositories)


@pytest.mark.parametrize("org", NAMES)
def test_an_organisation_gives_what_its_readme_announces(org: str) -> None:
    assert sorted(row(finding) for finding in analysed(org).findings) == announced(org)


@pytest.mark.parametrize("org", NAMES)
def test_nothing_in_an_organisation_is_left_unread_or_unresolved(org: str) -> None:
    assert [
        f"{one.name} {one.at.origin.repo} {one.at}: {en(one.message)}" for one in analysed(org).diagnostics
    ] == []


OWN_CASES = {"divergent-allocation-strategy", "ghost-of-a-failed-sql-start", "same-client-id"}
"""Rules that need more than subscriptions that differ: they have cases of their own."""


def test_every_group_rule_fires_once_in_the_shop_and_needs_two_repositories() -> None:
    found = [row(finding) for finding in analysed("shop").findings]
    told = {r.name for r in rules.ALL if r.scope is Scope.GROUP and r.predicted} - OWN_CASES
    assert sorted(one[0] for one in found if one[0] in told) == sorted(told)
    assert all(len(one[4]) > 1 for one in found)
    assert len({path.name for path in (ORGS / "shop").iterdir() if path.is_dir()}) >= 5


def test_the_calm_organisation_is_large_and_quiet() -> None:
    result = analysed("calm")
    assert len({consumer.id for consumer in result.consumers}) >= 60
    assert len({consumer.at.origin.repo for consumer in result.consumers}) >= 8
    assert {finding.rule for finding in result.findings if finding.level > Severity.NOTE} <= {"shared-group"}


def test_a_library_listener_is_a_member_in_each_deployable_that_takes_it_in() -> None:
    members = [c for c in analysed("shared-listener").consumers if c.symbol.endswith(".AddressListener")]
    assert len({one.id for one in members}) == 2
    assert {one.subscriptions[0].expression.text for one in members} == {"MOVED"}

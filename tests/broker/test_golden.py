"""The model answers every recorded case as the real classes of every recorded version did."""

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from subdrift.linter.broker.protocol import answer

ORACLE = Path(__file__).parents[2] / "fixtures" / "oracle"
VERSIONS = ("4.8.0", "4.9.8", "5.3.3")
CASES = {
    "tags": 1598,
    "build": 360,
    "sql": 6752,
    "allocate": 1632,
    "hash": 309,
    "validate": 424,
    "register": 771,
}
"""How many cases of each kind were recorded: a truncated file must not pass for agreement."""

SHOWN_MAX = 10


@cache
def recorded(kind: str) -> tuple[dict[str, object], ...]:
    with gzip.open(ORACLE / f"{kind}.jsonl.gz", "rt", encoding="ascii") as lines:
        return tuple(map(json.loads, lines))


@cache
def answers(kind: str, version: str) -> tuple[dict[str, object], ...]:
    """What the model says of every recorded case."""
    asked = ({key: value for key, value in case.items() if key != "expect"} for case in recorded(kind))
    return tuple(answer({**one, "version": version}) for one in asked)


def results_by_version(case: dict[str, object]) -> dict[str, dict[str, object]]:
    expect = case["expect"]
    assert isinstance(expect, list)
    return {version: entry["result"] for entry in expect for version in entry["versions"]}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", CASES)
def test_every_case_is_answered_as_recorded(kind: str, version: str) -> None:
    """All fields: the compiled text, the cause of a rejection and the wording of an exception too."""
    counts: Counter[str] = Counter()
    differing: list[str] = []
    for case, answered in zip(recorded(kind), answers(kind, version), strict=True):
        expected = {"id": case["id"], **results_by_version(case)[version]}
        counts["cases"] += 1
        if json.loads(json.dumps(answered)) == expected:
            counts["agreed"] += 1
        elif len(differing) < SHOWN_MAX:
            differing.append(f"{case['id']}: expected {str(expected)[:300]}, answered {str(answered)[:300]}")
    print(f"{kind} {version}: {counts['agreed']} of {counts['cases']} agree")
    assert not differing, "\n".join(differing)
    assert counts["agreed"] == counts["cases"] == CASES[kind]


def test_the_list_of_differences_names_the_cases_on_which_the_versions_disagree() -> None:
    with gzip.open(ORACLE / "differences.jsonl.gz", "rt", encoding="ascii") as lines:
        listed = {entry["id"]: entry["groups"] for entry in map(json.loads, lines)}
    found = {}
    for kind in CASES:
        for case in recorded(kind):
            expect = case["expect"]
            assert isinstance(expect, list)
            if len(expect) > 1:
                found[case["id"]] = [entry["versions"] for entry in expect]
    assert found == listed


@pytest.mark.parametrize(
    ("unrecorded", "recorded_twin"),
    [("4.8.1", "4.8.0"), ("4.9.7", "4.9.8"), ("5.3.4", "5.3.3"), ("5.3.1", "5.3.3")],
)
def test_a_version_between_or_behind_the_recorded_ones_answers_like_its_neighbour(
    unrecorded: str, recorded_twin: str
) -> None:
    for kind in CASES:
        assert answers(kind, unrecorded) == answers(kind, recorded_twin)

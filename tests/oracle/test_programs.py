"""The recorded sample against the analyzer, and the scorer, the grammar and the harness against themselves."""

from __future__ import annotations

import shutil
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.oracle import sample, store
from tests.oracle.analyzer import rows
from tests.oracle.generate import generate
from tests.oracle.program import Made, Program, Subscribed, Variant, dumps, loads
from tests.oracle.report import Thresholds, totals
from tests.oracle.score import Judged, judge, perfect
from tests.oracle.truth import record

THRESHOLDS = tomllib.loads((Path(__file__).parent / "thresholds.toml").read_text(encoding="utf-8"))
HELD_OUT = range(70_000, 80_000)


@cache
def programs() -> tuple[Program, ...]:
    return tuple(store.load(sample.SAMPLE))


@cache
def judged() -> dict[str, Judged]:
    return {program.name: judge(program, rows(program.files)) for program in programs()}


@pytest.mark.parametrize("part", ["first", "all"])
def test_the_analyzer_reaches_its_thresholds(part: str) -> None:
    total = totals(
        judged()[program.name] for program in programs() if part == "all" or sample.is_first(program)
    )
    total["wrong"] = total["false"] + total["phantom"]
    assert not list(Thresholds(**THRESHOLDS[part]).broken(total)), dict(total)


def test_the_sample_holds_every_feature_and_both_halves() -> None:
    tags = Counter(tag for program in programs() for tag in program.tags)
    assert not set(sample.features()) - set(tags)
    generated = [program for program in programs() if program.seed]
    first = sum(map(sample.is_first, generated))
    assert len(generated) >= 200
    assert 0.4 <= first / len(generated) <= 0.6
    assert not any(program.seed in HELD_OUT or program.error for program in programs())


def test_truth_against_itself_is_without_a_fault() -> None:
    for program in programs():
        counts = judge(program, perfect(program)).counts
        assert counts["exact"] == counts["expected"], program.name
        assert counts["whole"] == counts["consumers"], program.name
        assert not counts["wrong"] + counts["infeasible"] + counts["noise"], program.name


def test_programs_survive_writing_and_reading() -> None:
    for program in programs()[::20]:
        assert loads(dumps(program)) == program


@pytest.mark.parametrize("seed", [1, 2, 40_003, 40_004, 40_007])
def test_a_seed_decides_a_program(seed: int) -> None:
    assert generate(seed) == generate(seed)


def test_python_programs_do_again_what_was_recorded() -> None:
    python = [one for one in programs() if one.language == "python" and not one.random][::12]
    assert len(python) > 3
    assert [one.truth for one in record(python)] == [one.truth for one in python]


@pytest.mark.skipif(shutil.which("javac") is None, reason="running Java programs needs a JDK 17")
def test_java_programs_do_again_what_was_recorded() -> None:
    java = [one for one in programs() if one.language == "java" and not one.random][::40]
    assert len(java) > 3
    assert [one.truth for one in record(java)] == [one.truth for one in java]


def test_a_program_that_throws_has_no_truth() -> None:
    files = {"main.py": "raise ValueError('no')\n"}
    program = Program("p", 0, "python", "by hand", (), ("main.py",), ((),), False, files)
    assert record([program])[0].error == "run: ValueError('no')"


# -- the scorer, on figures computed by hand ------------------------------------------------------------------------


def made(line: int, group: str, subscriptions: dict[str, str], started: bool = True) -> Made:
    main = f"M.java:{line}"
    held = tuple(
        Subscribed(topic, expression, "TAG", True, (f"F.java:{line + 1}", main))
        for topic, expression in subscriptions.items()
    )
    return Made(
        ("M",), "push", (f"F.java:{line}", main), (Variant(group, None, "CLUSTERING", started, held),)
    )


TRUTH = (
    made(10, "g1", {"T1": "a || b", "T2": "*"}),
    made(20, "g2", {"T3": "*"}),
    made(30, "g3", {"T4": "*"}),
    made(40, "g4", {"T5": "*"}, started=False),
    made(50, "zqenvgroup", {"T6": "*"}),
)
FIVE = Program("x", 0, "java", "by hand", (), ("M",), ((),), False, {}, TRUTH)


def test_what_comes_from_outside_may_be_unknown() -> None:
    counts = judge(FIVE, perfect(FIVE)).counts
    assert (counts["expected"], counts["exact"], counts["wrong"], counts["whole"]) == (5, 5, 0, 4)


def test_each_kind_of_deviation_is_counted_once() -> None:
    said = perfect(FIVE)
    first, second, third, _, outside = said
    first["expression"] = "b||a"  # the same set: exact
    second |= {"topic": None, "unresolved": {"topic": "dynamic"}}  # T2: unknown
    third["topic"] = "T4"  # g2 with the topic of g3: values of two consumers, and T3 is missing
    outside["group"] = "guess"  # a guess where nothing can be known: wrong, and T6 is missing
    idle = {**third, "consumer": "idle", "line": 41, "group": "g4", "topic": "T5"}
    nobody = {**third, "consumer": "far", "path": "Z.java", "line": 1, "group": "g9", "topic": "T9"}
    again = {**first, "consumer": "again"}
    extra = {**first, "topic": "T7"}
    counts = judge(FIVE, [first, second, third, outside, idle, nobody, again, extra]).counts
    expected = {
        "expected": 5, "exact": 1, "unknown": 1, "missing": 3, "false": 3, "phantom": 2, "duplicate": 1, "whole": 0,
        "infeasible": 0, "wrong:mixed-instances": 1, "wrong:extra-subscription": 1, "wrong:value:group": 1,
        "wrong:never-started": 1, "wrong:never-run": 1,
    }  # fmt: skip
    assert {name: counts[name] for name in expected} == expected


def test_an_alternative_that_no_run_takes_is_infeasible() -> None:
    said = perfect(FIVE)
    for row in said[:2]:
        row["choice"] = "c0"
    counts = judge(FIVE, [*said, {**said[0], "expression": "never"}]).counts
    assert (counts["exact"], counts["infeasible"], counts["wrong"]) == (5, 1, 0)


def test_said_never_to_subscribe_is_wrong_where_it_subscribes() -> None:
    said = perfect(FIVE)
    nothing = {
        "topic": None,
        "expression": None,
        "filter_type": None,
        "unresolved": {"topic": "never-subscribed"},
    }
    counts = judge(FIVE, [said[2] | nothing if row is said[2] else row for row in said]).counts
    assert (counts["exact"], counts["missing"], counts["wrong:never-subscribed"], counts["wrong"]) == (
        4,
        1,
        1,
        1,
    )


def test_a_row_of_low_confidence_is_counted_apart() -> None:
    said = perfect(FIVE)
    low = {
        **said[2],
        "consumer": "low",
        "path": "Z.java",
        "line": 9,
        "group": "g9",
        "topic": "T9",
        "confidence": "low",
    }
    counts = judge(FIVE, [*said, low]).counts
    assert (counts["wrong"], counts["wrong-low"], counts["phantom"], counts["false"]) == (0, 1, 0, 0)


def test_thresholds_say_what_is_broken() -> None:
    counts = {"expected": 100, "exact": 90, "wrong": 2, "missing": 1, "infeasible": 0}
    assert list(Thresholds(exact=0.9, wrong=0.02, missing=0.01, infeasible=0.0).broken(counts)) == []
    assert list(Thresholds(exact=0.95, wrong=0.01).broken(counts)) == [
        "exact 90.00%, at least 95.00% is asked for",
        "wrong 2.00%, at most 1.00% is asked for",
    ]

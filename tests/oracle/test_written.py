"""The programs written by hand: what they say is true or not known, and what was recorded is what they are."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.oracle import store, written
from tests.oracle.analyzer import rows
from tests.oracle.report import Thresholds, totals
from tests.oracle.score import judge
from tests.oracle.truth import record

THRESHOLDS = tomllib.loads((Path(__file__).parent / "thresholds.toml").read_text(encoding="utf-8"))


def test_the_analyzer_says_what_they_do_or_that_it_does_not_know() -> None:
    total = totals(judge(program, rows(program.files)) for program in store.load(written.RECORDED))
    total["wrong"] = total["false"] + total["phantom"]
    assert not list(Thresholds(**THRESHOLDS["written"]).broken(total)), dict(total)


def test_what_was_recorded_is_what_is_written() -> None:
    recorded = {program.name: program for program in store.load(written.RECORDED)}
    assert {name: program.files for name, program in recorded.items()} == {
        program.name: program.files for program in written.programs()
    }
    assert not any(program.error for program in recorded.values())


def test_python_programs_do_again_what_was_recorded() -> None:
    python = [program for program in store.load(written.RECORDED) if program.language == "python"][::5]
    assert len(python) > 1
    assert [one.truth for one in record(python)] == [one.truth for one in python]

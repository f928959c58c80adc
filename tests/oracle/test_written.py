"""The programs written by hand: what they say is true or not known, and what was recorded is what they are."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.oracle import store, written
from tests.oracle.analyzer import Row, rows
from tests.oracle.report import Thresholds, totals
from tests.oracle.score import judge
from tests.oracle.sound import faults
from tests.oracle.truth import record

THRESHOLDS = tomllib.loads((Path(__file__).parent / "thresholds.toml").read_text(encoding="utf-8"))


PROGRAMS = {program.name: program for program in store.load(written.RECORDED)}


@cache
def _rows(name: str) -> list[Row]:
    return rows(PROGRAMS[name].files)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_said_of_a_program_is_true_and_all_of_it_is_said(name: str) -> None:
    assert not list(faults(PROGRAMS[name], _rows(name)))


def test_nearly_all_of_them_is_known() -> None:
    total = totals(judge(program, _rows(name)) for name, program in PROGRAMS.items())
    total["wrong"] = total["false"] + total["phantom"]
    assert not list(Thresholds(**THRESHOLDS["written"]).broken(total)), dict(total)


def test_what_was_recorded_is_what_is_written() -> None:
    assert {name: program.files for name, program in PROGRAMS.items()} == {
        program.name: program.files for program in written.programs()
    }
    assert not any(program.error for program in PROGRAMS.values())


def test_python_programs_do_again_what_was_recorded() -> None:
    python = [program for program in PROGRAMS.values() if program.language == "python"][::5]
    assert len(python) > 1
    assert [one.truth for one in record(python)] == [one.truth for one in python]

"""The recorded Kotlin programs against the analyzer; `tests.oracle.kotlin` ran them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.oracle import kotlin, store
from tests.oracle.analyzer import Row, rows
from tests.oracle.report import Thresholds, totals
from tests.oracle.score import judge
from tests.oracle.sound import faults

PROGRAMS = {program.tags[0]: program for program in store.load(kotlin.RECORDED)}
THRESHOLDS = tomllib.loads((Path(__file__).parent / "thresholds.toml").read_text(encoding="utf-8"))["kotlin"]
FAULTY = THRESHOLDS.pop("faulty")


@cache
def _rows(name: str) -> list[Row]:
    return rows(PROGRAMS[name].files)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_said_of_a_program_is_true_and_all_of_it_is_said(
    name: str, request: pytest.FixtureRequest
) -> None:
    if name in FAULTY:
        request.applymarker(pytest.mark.xfail(reason=FAULTY[name], strict=True))
    assert not list(faults(PROGRAMS[name], _rows(name)))


def test_nearly_all_of_them_is_known() -> None:
    total = totals(judge(program, _rows(name)) for name, program in PROGRAMS.items())
    total["wrong"] = total["false"] + total["phantom"]
    assert not list(Thresholds(**THRESHOLDS).broken(total)), dict(total)


def test_what_was_recorded_is_what_is_written() -> None:
    assert {one.name: one.files for one in PROGRAMS.values()} == {
        one.name: one.files for one in kotlin.programs()
    }
    assert not any(program.error or not program.truth for program in PROGRAMS.values())

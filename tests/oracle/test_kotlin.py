"""The recorded Kotlin programs against the analyzer; `tests.oracle.kotlin` ran them."""

from __future__ import annotations

import pytest

from tests.oracle import store
from tests.oracle.analyzer import rows
from tests.oracle.kotlin import RECORDED
from tests.oracle.program import Program
from tests.oracle.score import judge

PROGRAMS = {program.tags[0]: program for program in store.load(RECORDED)}
KNOWN = {"functions": ("missing", 1), "generics": ("unknown", 1)}
"""What is short of the truth: closures over the variable of a loop share it; `T::class` is not followed to its caller."""


@pytest.mark.parametrize("program", [pytest.param(each, id=tag) for tag, each in PROGRAMS.items()])
def test_a_kotlin_program_is_read_as_it_ran(program: Program) -> None:
    counts = judge(program, rows(program.files)).counts
    short = KNOWN.get(program.tags[0])
    assert not counts["wrong"] + counts["infeasible"] + counts["noise"]
    assert counts["exact"] == counts["expected"] - (short[1] if short else 0)
    if short is not None:
        assert counts[short[0]] == short[1]


def test_there_are_more_than_a_dozen_programs() -> None:
    assert len(PROGRAMS) >= 14
    assert not any(program.error or not program.truth for program in PROGRAMS.values())

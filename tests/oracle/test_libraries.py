"""The recorded programs with Lombok against the analyzer; `tests.oracle.libraries` ran them with the processor itself."""

from __future__ import annotations

import pytest

from tests.oracle import libraries, store
from tests.oracle.analyzer import rows
from tests.oracle.score import judge
from tests.oracle.sound import faults

PROGRAMS = {program.name: program for program in store.load(libraries.RECORDED)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_the_processor_writes_is_run_as_it_is(name: str) -> None:
    program = PROGRAMS[name]
    found = rows(program.files)
    assert not list(faults(program, found))
    counts = judge(program, found).counts
    assert counts["exact"] == counts["expected"]


def test_what_was_recorded_is_what_is_written() -> None:
    assert {name: one.files for name, one in PROGRAMS.items()} == {
        one.name: one.files for one in libraries.programs()
    }

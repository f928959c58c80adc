"""Small repositories at the edge, programs in idioms: nothing is false, nothing is missing in silence, the rest is known."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.oracle import edge, idioms, store
from tests.oracle.analyzer import Row, rows
from tests.oracle.program import Program
from tests.oracle.score import judge
from tests.oracle.sound import faults
from tests.oracle.truth import record

OF_DRAWS = {draw: list(store.load(idioms.recorded(draw))) for draw in idioms.DRAWS}
PROGRAMS = {one.name: one for one in (*edge.programs(), *(one for draw in OF_DRAWS.values() for one in draw))}
SHORT = tomllib.loads((Path(__file__).parent / "edge.toml").read_text(encoding="utf-8"))


def _programs(kind: str) -> Iterator[object]:
    for name in PROGRAMS:
        why = SHORT[kind].get(name)
        yield pytest.param(name, marks=[pytest.mark.xfail(reason=why, strict=True)] if why else [])


@cache
def _rows(name: str) -> list[Row]:
    return rows(PROGRAMS[name].files)


@pytest.mark.parametrize("name", _programs("faults"))
def test_nothing_is_false_and_nothing_missing_in_silence(name: str) -> None:
    assert not list(faults(PROGRAMS[name], _rows(name)))


@pytest.mark.parametrize("name", _programs("unknown"))
def test_what_can_be_known_is_known(name: str) -> None:
    judged = judge(PROGRAMS[name], _rows(name))
    assert judged.counts["exact"] == judged.counts["expected"], judged.notes


def test_every_program_that_falls_short_is_there() -> None:
    assert not {name for kind in SHORT.values() for name in kind} - set(PROGRAMS)
    assert all(program.truth for program in PROGRAMS.values())


def test_python_programs_do_again_what_was_recorded() -> None:
    needing = {
        one.name
        for draw in ("services", "bindings", "hostels", "taverns", "inns", "chapels")
        for one in OF_DRAWS[draw]
    }  # libraries that are not installed here
    python: list[Program] = [
        one for one in PROGRAMS.values() if one.language == "python" and one.name not in needing
    ][::4]
    again = [sorted(map(repr, one.truth)) for one in record(python)]  # threads make theirs in any order
    assert again == [sorted(map(repr, one.truth)) for one in python]


@pytest.mark.parametrize("draw", idioms.DRAWS)
def test_what_was_recorded_of_idioms_is_what_is_written(draw: str) -> None:
    recorded = {program.name: program.files for program in OF_DRAWS[draw]}
    assert recorded == {program.name: program.files for program in idioms.programs(draw)}

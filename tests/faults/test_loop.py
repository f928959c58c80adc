"""A few faults of each kind; `make faults` goes on for ten minutes, and has those that need Spark."""

from __future__ import annotations

import random

import pytest

from tests.faults.loop import QUICK, Place


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("faults"))


@pytest.mark.parametrize("name", QUICK)
def test_what_is_damaged_is_answered_as_by_a_run_from_nothing_or_refused_or_named(
    name: str, place: Place
) -> None:
    for seed in range(3):
        found = QUICK[name](place, random.Random(seed))
        assert found.kind != "wrong", found

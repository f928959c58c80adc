"""The recorded sequences: of each type the model gives the same content, or does not know it."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import pytest

from tests.oracle.sequences.__main__ import LANGUAGES, OF_EACH, Replayed, chunks, load, replay, tables
from tests.oracle.sequences.calls import Language, Sequence
from tests.oracle.sequences.programs import run
from tests.turn import turn

TURNS = 3
TYPES = [(language, name) for language in LANGUAGES for name in tables(language)]


@cache
def _recorded(language: Language) -> dict[str, list[Sequence]]:
    found: defaultdict[str, list[Sequence]] = defaultdict(list)
    for one in load(language):
        found[one.type].append(one)
    return found


@pytest.mark.parametrize(("language", "name"), TYPES)
def test_what_a_sequence_leaves_is_right_or_unknown(language: Language, name: str) -> None:
    """Each single call, and of the drawn ones those whose turn it is."""
    replayed = Replayed()
    every = _recorded(language)[name]
    single, drawn = every[:-OF_EACH], every[-OF_EACH:]
    for several in chunks([*single, *turn(drawn, TURNS, "linter/resolve")]):
        replay(language, several, replayed)
    assert sum(replayed.counts.values()) >= len(single) + OF_EACH // TURNS
    assert not replayed.faults, "\n".join(replayed.faults[:3])


def test_python_sequences_do_again_what_was_recorded() -> None:
    recorded = [one for several in _recorded("python").values() for one in several[::10]]
    assert run("python", recorded) == recorded

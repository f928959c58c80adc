"""The corpus of past crashes and a little fuzzing of every surface; `make fuzz` does it for minutes."""

from __future__ import annotations

import os
import random

import pytest

from tests.fuzz.engine import fuzz, seeds_of, trouble
from tests.fuzz.surfaces import CORPUS, SURFACES, Surface

RUNS = 3000 if os.environ.get("SUBDRIFT_HOSTILE") else 40


@pytest.mark.parametrize("surface", SURFACES, ids=lambda one: one.name)
def test_no_input_brings_a_surface_down(surface: Surface) -> None:
    tried, found = fuzz(surface, 600.0, random.Random(11), RUNS)
    assert not found
    assert tried >= min(RUNS, 30)


def test_every_kept_input_belongs_to_a_surface() -> None:
    kept = {path.name for path in CORPUS.iterdir() if path.is_dir()} if CORPUS.is_dir() else set()
    assert kept <= {surface.name for surface in SURFACES}


def test_the_harness_finds_what_raises_and_what_takes_long() -> None:
    def fragile(content: bytes) -> None:
        if b"\xff" in content:
            raise KeyError("fragile")

    surface = Surface("fragile", fragile, lambda: iter([b"seed"]))
    _, found = fuzz(surface, 600.0, random.Random(1), 2000)
    assert [one.what for one in found] == ["KeyError: 'fragile'"]
    assert found[0].content == b"\xff"
    slow = Surface("slow", lambda content: None, lambda: iter([b"x"]), microseconds_per_byte=1)
    assert trouble(slow, b"x", 1.0, iter([0.0, 2.0]).__next__) == "took 2.0 s for 1 bytes"
    assert not trouble(slow, b"x", 2.0, iter([0.0, 2.0]).__next__)
    large = Surface("large", lambda content: bytearray(200 << 20 if content else 1), lambda: iter([b"x"]))
    assert trouble(large, b"x", 100.0) == "held 200 MiB for 1 bytes"
    assert not trouble(large, b"", 100.0)
    assert seeds_of(surface) == (b"seed", b"")

"""What is packed comes out as it was, and what was not packed by us is refused."""

from __future__ import annotations

import lzma
import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subdrift.linter import stages
from subdrift.linter.extract import source
from subdrift.linter.model import ir
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.registry import blocks
from subdrift.linter.registry.blocks import Block, Content, pack_contents
from subdrift.linter.registry.checked import DamagedError
from subdrift.linter.registry.keys import Bucket, Kind, halves, spelled

ORGS = Path(__file__).parents[2] / "fixtures" / "orgs"
SUFFIXES = {".java": "java", ".kt": "kotlin", ".py": "python"}
SOURCES = sorted(path for path in ORGS.rglob("*") if path.suffix in SUFFIXES and path.is_file())


def read(path: Path) -> FileFacts:
    return source.reader(SUFFIXES[path.suffix])(path.name, path.read_bytes())


def test_the_facts_of_every_sample_are_whole_again() -> None:
    every = [read(path) for path in SOURCES]
    briefs = [stages.brief(facts) for facts in every]
    assert [brief and stages.whole(brief) for brief in briefs] == every
    units = [ir.encode(facts.unit) for facts in every if facts.unit is not None]
    block = Block(pack_contents(Content(str(number), unit) for number, unit in enumerate(units)))
    assert [ir.decode(block[number].unit) for number in range(len(block))] == [
        ir.decode(one) for one in units
    ]
    assert sum(one >= 0 for one in block._block.places) == len(units)  # none was left as it is


def test_facts_that_say_less_than_their_unit_are_kept_as_they_are() -> None:
    facts = next(one for one in map(read, SOURCES) if one.types)
    assert stages.brief(msgspec.structs.replace(facts, types=())) is None


numbers = st.integers(-(1 << 40), 1 << 40)
values = st.recursive(
    st.none()
    | st.booleans()
    | numbers
    | st.floats(allow_nan=False)
    | st.text(alphabet=st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=5),
)


@given(st.lists(values, max_size=4))
def test_any_unit_comes_out_as_it_was(units: list[object]) -> None:
    given_units = [msgspec.msgpack.encode(one) for one in units]
    block = Block(pack_contents(Content("", one) for one in given_units))
    assert [msgspec.msgpack.decode(block[number].unit) for number in range(len(block))] == units


@given(st.sets(st.tuples(st.text(max_size=3), st.integers(0, 1 << 31)), max_size=50))
def test_a_name_finds_its_numbers_and_no_others(entries: set[tuple[str, int]]) -> None:
    rows = sorted((halves(Kind.HOLDS, name)[1], number) for name, number in entries)
    bucket = Bucket(spelled(rows))
    for name in {name for name, _ in entries} | {"absent"}:
        assert set(bucket.numbers(halves(Kind.HOLDS, name)[1])) == {n for each, n in entries if each == name}


def test_a_block_that_was_not_written_by_us_is_refused() -> None:
    good = pack_contents(
        Content("text", ir.encode(facts.unit)) for facts in map(read, SOURCES[:3]) if facts.unit
    )
    plain = lzma.decompress(good, lzma.FORMAT_RAW, filters=blocks._FILTERS)
    chance = random.Random(3)
    refused = 0
    for _ in range(200):
        content = bytearray(plain)
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        try:
            block = Block(lzma.compress(content, lzma.FORMAT_RAW, filters=blocks._FILTERS))
            for number in range(len(block)):
                _ = block[number]
        except DamagedError:
            refused += 1
    assert refused
    for bad in (None, b"", good[:-9], good[9:], b"\0" * 40):
        with pytest.raises(DamagedError):
            Block(bad)


def test_a_block_that_unpacks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "TEXT_BYTES_MAX", 1 << 16)
    with pytest.raises(DamagedError, match="does not end"):
        Block(lzma.compress(bytes(1 << 17), lzma.FORMAT_RAW, filters=blocks._FILTERS))

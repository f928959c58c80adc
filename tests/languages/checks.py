"""What holds for the lowering of any language."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

from subdrift.linter.model import ir
from tests.languages.walk import places

Lower = Callable[[bytes], ir.Unit]


def check(lower: Lower, content: bytes) -> ir.Unit:
    """Lowers; the form survives the wire and its places lie in the text."""
    unit = lower(content)
    assert ir.decode(ir.encode(unit)) == unit
    lines = content.count(b"\n") + content.count(b"\r") + 2
    for line, column, end_line, end_column in places(unit):
        assert 1 <= line <= end_line <= lines
        assert column >= 1
        assert (line, column) <= (end_line, end_column)
    return unit


def steps(lower: Lower, content: bytes) -> int:
    """Lines of Python that lowering runs."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        lower(content)
    finally:
        sys.settrace(before)
    return count


def mutated(source: bytes, chance: random.Random, words: Sequence[str]) -> bytes:
    """A source with parts deleted, doubled and put in."""
    content = bytearray(source[:20_000])
    for _ in range(chance.randint(1, 12)):
        start = chance.randrange(len(content) + 1)
        match chance.randrange(3):
            case 0:
                del content[start : start + chance.randint(1, 200)]
            case 1:
                content[start:start] = chance.choice(words).encode()
            case _:
                end = min(start + chance.randint(1, 100), len(content))
                content[start:start] = content[start:end]
    return bytes(content)

"""A part of a large sample in each turn: the same for the same code, another one once the code that it is about changes.

What a run of the gate leaves out is looked at after one of the next changes, and all of it by `make hostile`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).parent.parent


@cache
def _number(about: str) -> int:
    """A number that is drawn anew with each change of a folder's Python files."""
    seen = hashlib.sha256()
    for path in sorted((ROOT / about).rglob("*.py")):
        seen.update(path.read_bytes())
    return int.from_bytes(seen.digest()[:8])


T = TypeVar("T")


def turn(sample: Sequence[T], of: int, about: str) -> Sequence[T]:
    """One of so many parts of a sample; `about`: the folder of the code that it tries."""
    return sample if "SUBDRIFT_HOSTILE" in os.environ else sample[_number(about) % of :: of]

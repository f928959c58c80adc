"""What a refusal says, in English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from subdrift.linter.model.message import UnusableError
from subdrift.linter.report.language import english


@contextmanager
def refused(kind: type[UnusableError], pattern: str) -> Iterator[None]:
    """The block raises `kind`, and what it says holds the pattern."""
    with pytest.raises(kind) as caught:
        yield
    said = english().text(caught.value.message)
    assert re.search(pattern, said), said

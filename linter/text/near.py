"""The known name a mistyped one is nearest to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

NAME_CHARS_MAX: Final = 64
"""Longer names are nobody's typing mistake; comparing takes quadratic time."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that was probably meant; "" where none is near."""
    from difflib import get_close_matches  # most runs have no mistake to explain

    return "" if len(name) > NAME_CHARS_MAX else next(iter(get_close_matches(name, list(known), 1)), "")

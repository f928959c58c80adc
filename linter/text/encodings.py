"""Bytes of a source file in any Unicode encoding -> UTF-8, where the encoding is certain."""

from __future__ import annotations

import codecs
from typing import Final

_MARKS: Final = (  # the longer ones first: the mark of UTF-16 begins that of UTF-32
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
UTF16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UNMARKED: Final = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
SAMPLE_BYTES: Final = 4096
NULS_MIN: Final = 0.2
"""Share of NUL bytes from which a file is not in an encoding of single bytes."""


def to_utf8(content: bytes) -> bytes | None:
    """The same text in UTF-8; None where it is in none of the Unicode encodings, or in which is not certain.

    Without a mark an encoding is certain if it alone gives text: no NUL, no unassigned pair, ASCII for the most part.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _decoded(content, encoding)
    sample = content[:SAMPLE_BYTES]
    if sample.count(0) < NULS_MIN * len(sample) or not sample:
        return content
    found = [one for name in _UNMARKED if (one := _decoded(content, name)) is not None and _is_text(one)]
    return found[0] if len(found) == 1 else None


def _decoded(content: bytes, encoding: str) -> bytes | None:
    try:
        return content.decode(encoding).encode()
    except UnicodeError:
        return None


def _is_text(content: bytes) -> bool:
    sample = content[:SAMPLE_BYTES]
    plain = sum(32 <= byte < 127 or byte in b"\t\r\n\f" for byte in sample)
    return 0 not in sample and plain > len(sample) // 2

"""Bytes of a Python file -> its text, decoded as CPython does."""

from __future__ import annotations

import codecs
import re

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_NO_TEXT = frozenset({"idna", "punycode", "undefined"})
"""Codecs of single labels: nobody writes files in them, and they take quadratic time."""


def decode(content: bytes) -> str:
    """The text by byte-order mark, PEP 263 cookie or UTF-8, with `\\n` at the end of each line; what does not decode becomes
    U+FFFD.

    A cookie stands in the first line, or in the second behind a blank or comment line. An unknown encoding is read as
    UTF-8. Never raises.
    """
    text = _decoded(content)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _decoded(content: bytes) -> str:
    if content.startswith(codecs.BOM_UTF8):
        return content[len(codecs.BOM_UTF8) :].decode("utf-8", "replace")
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    encoding = _cookie(content)
    try:
        if codecs.lookup(encoding).name not in _NO_TEXT:
            return content.decode(encoding, "replace")
    except (LookupError, ValueError, AssertionError):  # no such codec, or one that is no text encoding
        pass
    return content.decode("utf-8", "replace")


def _cookie(content: bytes) -> str:
    for line in re.split(rb"\r\n|\r|\n", content[:4096], maxsplit=2)[:2]:
        if cookie := _COOKIE.match(line):
            return cookie.group(1).decode("ascii", "replace")
        if not _BLANK.match(line):
            break
    return "utf-8"

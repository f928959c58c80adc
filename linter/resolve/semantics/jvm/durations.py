"""Durations that configuration spells."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Guarded, Long, Text, Unknown
from subdrift.linter.resolve.semantics.jvm import modelled

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

NAME: Final = "java.time.Duration"

_SIMPLE = re.compile(r"([+-]?\d{1,15})([a-z]{0,2})", re.IGNORECASE)
_ISO = re.compile(
    r"([-+]?)P(?:([-+]?\d{1,12})D)?(T(?:([-+]?\d{1,12})H)?(?:([-+]?\d{1,12})M)?(?:([-+]?\d{1,12})S)?)?",
    re.IGNORECASE,
)
_NANOS = {
    "ns": 1, "us": 10**3, "ms": 10**6, "": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3_600 * 10**9, "d": 86_400 * 10**9,
}  # fmt: skip


def parsed(java: Java, run: Interpreter, texts: Guarded, unknown: Unknown) -> Guarded:
    """Texts of configuration as durations; `unknown` where nobody knows what one says."""
    return run.over(texts, partial(_parsed, java, run, unknown))


def _parsed(java: Java, run: Interpreter, unknown: Unknown, leaf: Any) -> Guarded:
    nanos = _nanos(leaf.known.strip()) if isinstance(leaf, Text) and leaf.known is not None else None
    if nanos is None or abs(nanos) >= 1 << 63:
        return unknown
    return modelled.static_call(java, run, NAME, "ofNanos", [Long(nanos)], None, None)


def _nanos(known: str) -> int | None:
    """Mirrors DurationStyle, Spring Boot 2.2 to 3.4; of ISO-8601 what has no fractions."""
    simple = _SIMPLE.fullmatch(known)
    if simple is not None:
        unit = _NANOS.get(simple[2].lower())
        return None if unit is None else int(simple[1]) * unit
    iso = _ISO.fullmatch(known)
    if iso is None or (iso[3] or "").upper() == "T" or not any(iso.group(2, 4, 5, 6)):
        return None
    days, hours, minutes, seconds = (int(each or 0) for each in iso.group(2, 4, 5, 6))
    total = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * _NANOS["s"]
    return -total if iso[1] == "-" else total

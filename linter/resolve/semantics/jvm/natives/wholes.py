"""Peers of the models of `java.math`: whole numbers of any size, by the texts of their digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from math import gcd, isfinite, isqrt
from typing import Any, Final

from subdrift.linter.resolve.execute.values import Guarded, Long, Text, text
from subdrift.linter.resolve.semantics.jvm.calls import Call, static
from subdrift.linter.resolve.semantics.jvm.natives.numbers import digits
from subdrift.linter.resolve.semantics.jvm.operators import convert

BITS_MAX: Final = 20_000
"""Numbers of more are not known."""


def _towards_zero(above: int, below: int) -> int:
    found = abs(above) // abs(below)
    return found if (above < 0) == (below < 0) else -found


_OF: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": _towards_zero,
    "%": lambda a, b: a - b * _towards_zero(a, b), "mod": lambda a, b: a % b, "gcd": gcd, "&": lambda a, b: a & b,
    "|": lambda a, b: a | b, "^": lambda a, b: a ^ b, "sqrt": lambda a, _: isqrt(a),
    "<<": lambda a, b: a << b if b >= 0 else a >> -b, "pow": lambda a, b: a**b,
}  # fmt: skip


def _number(leaf: Any) -> int | None:
    known = leaf.known if isinstance(leaf, Text) else None
    return None if known is None else int(known)


def _text(call: Call, found: int | None) -> Guarded:
    if found is None or found.bit_length() > BITS_MAX:
        return call.unknown()
    return call.run.wrote(text(str(found)))


@static("Wholes", "of", known=True)
def _of(call: Call) -> Guarded:
    name, one, other = call.args.first(3)
    a, b = _number(one), _number(other)
    if not isinstance(name, Text) or a is None or b is None:
        return call.unknown()
    growth = max(1, abs(b)) * a.bit_length() if name.known == "pow" else abs(b) if name.known == "<<" else 0
    return call.unknown() if growth > BITS_MAX else _text(call, _OF[name.known or ""](a, b))


@static("Wholes", "power", known=True)
def _power(call: Call) -> Guarded:
    a, b, c = (_number(each) for each in call.args.first(3))
    return call.unknown() if a is None or b is None or c is None else _text(call, pow(a, b, c))


@static("Wholes", "read", known=True)
def _read(call: Call) -> Guarded:
    """The digits of a number to the base ten, null where a text is none."""
    given, base = call.args.first(2)
    known = given.known if isinstance(given, Text) else None
    if known is None or not isinstance(base, int) or len(known) * 6 > BITS_MAX or not known.isascii():
        return call.unknown()
    try:
        return None if known != known.strip() or "_" in known else text(str(int(known, base)), given.steps)
    except ValueError:
        return None


@static("Wholes", "written", known=True)
def _written(call: Call) -> Guarded:
    number, base = _number(call.args[0]), call.args[1]
    return call.unknown() if number is None or not isinstance(base, int) else text(digits(number, base))


@static("Wholes", "longOf", "bits", known=True)
def _bits(call: Call) -> Guarded:
    number = _number(call.args[-1])
    if number is None:
        return call.unknown()
    if call.name == "longOf":
        return convert(Long(number), "long")
    kind = call.args[0].known
    if kind == "length":
        return (number if number >= 0 else ~number).bit_length()
    if kind == "count":
        return (number if number >= 0 else ~number).bit_count()
    found = 0
    for shift in range((abs(number).bit_length() + 31) // 32 - 1, -1, -1):
        found = (31 * found + (abs(number) >> 32 * shift & 0xFFFFFFFF)) & 0xFFFFFFFF
    return convert(found if number >= 0 else -found, "int")


@static("Wholes", "exactly", known=True)
def _exactly(call: Call) -> Guarded:
    """A number with a point in all its digits."""
    value = call.args[0]
    if not isinstance(value, int | float) or not isfinite(value):
        return call.unknown()
    return text(f"{Decimal(value) if not isinstance(value, float) else Decimal(float(value)):f}")

"""Numbers, truth values and characters: static methods of `Integer`, `Math`, `Character` and the like."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import ceil, copysign, floor, isfinite, isinf, isnan, sqrt
from typing import Any
from unicodedata import category

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import UNSET, apply
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    Guarded,
    Long,
    Single,
    Text,
    Unknown,
    is_whole,
    text,
    widened,
)
from subdrift.linter.resolve.semantics.jvm.calls import Call, static
from subdrift.linter.resolve.semantics.jvm.natives.texts import opaque
from subdrift.linter.resolve.semantics.jvm.operators import convert, raise_in
from subdrift.linter.resolve.semantics.jvm.texts import BLANKS, beyond_a_unit

_DECODED = re.compile(
    r"(?P<sign>[-+]?)(?P<prefix>0[xX]|#|0(?=[0-9a-fA-F])|)(?P<digits>[0-9a-fA-F]+)", re.ASCII
)


@static("Boolean", "parseBoolean", "valueOf", "getBoolean", effect=Effect.PURE)
def _parse_boolean(call: Call) -> Guarded:
    def parse(leaf: Any) -> Any:
        if isinstance(leaf, bool | Test):
            return leaf
        if leaf is None:
            return False
        if isinstance(leaf, Text):
            known = leaf.known
            return known.lower() == "true" if known is not None else Test("true", (leaf,))
        return Test(
            "true", (leaf if isinstance(leaf, Unknown) else Unknown(Why.DYNAMIC, phrase("truth-value")),)
        )

    return apply(parse, call.args[0])


def _parse_number(bits: int, call: Call) -> Guarded:
    if call.name.startswith("parse") and len(call.args) == 4:  # of a part of a text
        part = call.method(call.args[0], "substring", *call.args[1:3])
        return _parse_number(bits, call.renamed(call.name, part, call.args[3]))

    def refused(said: str) -> Any:
        raise_in(call.run, "NumberFormatException", text(said))
        return UNSET

    def parse(leaf: Any) -> Any:
        found = parsed(leaf)
        return Long(found) if bits == 64 and is_whole(found) else found

    def parsed(leaf: Any) -> Any:
        if leaf is None:
            return refused("Cannot parse null string")
        if is_whole(leaf):
            return leaf
        if isinstance(leaf, Text):
            known = leaf.known
            if known is not None:
                if leaf.char:
                    return ord(known)
                base = call.args[1] if len(call.args) > 1 else 10
                if not isinstance(base, int) or not 2 <= base <= 36:
                    return Unknown(Why.DYNAMIC, phrase("number"))
                try:
                    plain_one = known == known.strip() and "_" not in known
                    found = (
                        _decoded(known) if call.name == "decode" else int(known if plain_one else "x", base)
                    )
                except ValueError:
                    found = 1 << 64
                most = 1 << (bits - 1)
                radix = "" if base == 10 else f" under radix {base}"
                return found if -most <= found < most else refused(f'For input string: "{known}"{radix}')
        symbol = symbol_of(leaf)
        reason = leaf if isinstance(leaf, Unknown) else None
        unknown = Unknown(
            reason.why if reason else Why.DYNAMIC,
            reason.detail if reason else phrase("number"),
            None if symbol is None else ("number", symbol),
        )
        call.run.perhaps(call.made("NumberFormatException"), unknown)
        return unknown

    return call.run.over(call.args[0], parse)


def _decoded(known: str) -> int:
    """`Integer.decode`: `0x`, `#` and `0` before the digits say their base."""
    found = _DECODED.fullmatch(known)
    if found is None and not known.isascii():
        return int(known)
    if found is None:
        raise ValueError(known)
    prefix = found["prefix"].lower()
    digits = found["digits"]
    value = int(digits, 16 if prefix in ("0x", "#") else 8 if prefix == "0" and digits else 10)
    return -value if found["sign"] == "-" else value


for _owner, _size in (("Integer", 32), ("Long", 64), ("Short", 16), ("Byte", 8)):
    static(
        _owner,
        "parseInt",
        "parseLong",
        "valueOf",
        "parseShort",
        "parseByte",
        "decode",
        effect=Effect.MAY_RAISE,
    )(partial(_parse_number, _size))


_DECIMAL = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFdD]?\s*", re.ASCII)
"""What `Double.parseDouble` reads, but for its hexadecimal form and its words."""


def _parse_decimal(kind: str, call: Call) -> Guarded:
    def parse(leaf: Any) -> Any:
        if isinstance(leaf, Text) and leaf.known is not None:
            known = leaf.known.strip()
            if _DECIMAL.fullmatch(known):
                return widened(float(known.rstrip("fFdD")), kind)
            if not re.search(r"0[xX]|NaN|Infinity", known):
                raise_in(call.run, "NumberFormatException")
                return UNSET
        if isinstance(leaf, int | float):
            return widened(float(leaf), kind)
        return Unknown(Why.DYNAMIC, phrase("number"))

    return call.run.over(call.args[0], parse)


for _owner, _named in (("Double", "double"), ("Float", "float")):
    static(_owner, "parseDouble", "valueOf", "parseFloat", effect=Effect.MAY_RAISE)(
        partial(_parse_decimal, _named)
    )


def digits(number: int, base: int) -> str:
    """A number as `Integer.toString` writes it to a base."""
    found = ""
    rest = abs(number)
    while rest or not found:
        rest, digit = divmod(rest, base)
        found = _DIGITS[digit] + found
    return f"-{found}" if number < 0 else found


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_BASES = {"toHexString": 16, "toOctalString": 8, "toBinaryString": 2}


def _radix(bits: int, call: Call) -> Guarded:
    def shown(leaf: Any) -> Any:
        if not isinstance(leaf, int):
            return opaque(leaf, call.name)
        return text(digits(leaf % (1 << bits), _BASES[call.name]))

    return apply(shown, call.args[0])


@static("Integer|Long", "toString", known=True)
def _to_base(call: Call) -> Guarded:
    def shown(leaf: Any, base: Any) -> Any:
        if not isinstance(leaf, int) or not isinstance(base, int) or not 2 <= base <= 36:
            return call.java.shown(call.run, leaf) if base == 10 else opaque(leaf, call.name)
        return text(digits(leaf, base))

    return apply(shown, call.args[0], call.args[1] if len(call.args) > 1 else 10)


def _of_bits(bits: int, call: Call) -> Guarded:
    def compute(leaf: Any, count: Any) -> Any:
        if not isinstance(leaf, int) or not isinstance(count, int):
            return call.unknown()
        number = leaf % (1 << bits)
        turn = (count if call.name == "rotateLeft" else -count) % bits
        match call.name:
            case "bitCount":
                return number.bit_count()
            case "numberOfTrailingZeros":
                return (number & -number).bit_length() - 1 if number else bits
            case "numberOfLeadingZeros":
                return bits - number.bit_length()
            case "highestOneBit":
                found = 1 << number.bit_length() - 1 if number else 0
            case "lowestOneBit":
                found = number & -number
            case "reverse":
                found = int(format(number, f"0{bits}b")[::-1], 2)
            case _:
                found = number << turn | number >> (bits - turn)
        return convert(int(found), "long" if bits == 64 else "int")

    return apply(compute, call.args[0], call.args[1] if len(call.args) > 1 else 0)


for _owner, _width in (("Integer", 32), ("Long", 64)):
    static(_owner, *_BASES, known=True)(partial(_radix, _width))
    static(
        _owner, "bitCount", "highestOneBit", "lowestOneBit", "numberOfTrailingZeros", "numberOfLeadingZeros", "rotateLeft",
        "rotateRight", "reverse", known=True,
    )(partial(_of_bits, _width))  # fmt: skip


@static("Boolean", "logicalAnd", "logicalOr", "logicalXor", "compare", known=True)
def _of_truths(call: Call) -> Guarded:
    def compute(left: Any, right: Any) -> Any:
        if not isinstance(left, bool) or not isinstance(right, bool):
            return Unknown(Why.DYNAMIC, phrase("truth-value"))
        found = {"logicalAnd": left and right, "logicalOr": left or right, "logicalXor": left != right}
        return found.get(call.name, left - right)

    return apply(compute, call.args[0], call.args[1] if len(call.args) > 1 else False)


def _of_decimals(kind: str, call: Call) -> Guarded:
    def compute(leaf: Any) -> Any:
        if not isinstance(leaf, int | float):
            return opaque(leaf, call.name) if call.name == "toString" else Test("true", (leaf,))
        value = widened(leaf, kind)
        if call.name == "toString":
            return call.java.shown(call.run, value)
        return {"isNaN": isnan, "isInfinite": isinf, "isFinite": isfinite}[call.name](value)

    return apply(compute, call.args[0])


def _of_numbers(kind: str, call: Call) -> Guarded:
    def one(left: Any, right: Any) -> Any:
        pair = [
            ord(each.known[0]) if isinstance(each, Text) and each.char and each.known else each
            for each in (left, right)
        ]
        if not all(isinstance(each, int | float) for each in pair):
            return call.unknown()
        pair = [widened(each, "int" if kind == "short" else kind) for each in pair]
        if call.name == "hashCode":
            if isinstance(pair[0], float):
                return Unknown(Why.DYNAMIC, "hashCode()")
            return convert(pair[0] ^ pair[0] >> 32, "int") if kind == "long" else int(pair[0])
        if call.name == "sum":
            return convert(pair[0] + pair[1], kind)
        if kind == "short":
            return pair[0] - pair[1]
        one, other = pair
        if one == other == 0 and isinstance(one, float) and isinstance(other, float):
            one, other = copysign(1, one), copysign(1, other)
        return (
            Unknown(Why.DYNAMIC, "compare()")
            if one != one or other != other
            else (one > other) - (one < other)
        )

    return apply(one, call.args[0], call.args[1] if len(call.args) > 1 else 0)


for _box, _kind in (("Integer", "int"), ("Long", "long"), ("Short", "short"), ("Byte", "short"), ("Character", "short"),
                    ("Double", "double"), ("Float", "float")):  # fmt: skip
    static(_box, "compare", "sum", "signum", "hashCode")(partial(_of_numbers, _kind))
    if _kind in ("double", "float"):
        static(_box, "isNaN", "isInfinite", "isFinite", "toString", known=True)(partial(_of_decimals, _kind))


_MATH: Mapping[str, Callable[..., Any]] = {
    "max": lambda a, b: max(_alike(a, b)), "min": lambda a, b: min(_alike(a, b)), "abs": abs,
    "floorMod": lambda a, b: a % b, "floorDiv": lambda a, b: a // b,
    "addExact": lambda a, b: a + b, "subtractExact": lambda a, b: a - b, "multiplyExact": lambda a, b: a * b,
    "negateExact": lambda a: -a, "toIntExact": lambda a: a, "incrementExact": lambda a: a + 1,
    "decrementExact": lambda a: a - 1, "round": lambda a: _nearest(a),
    "ceil": lambda a: copysign(ceil(a), a), "floor": lambda a: copysign(floor(a), a),
    "rint": lambda a: copysign(round(a), a), "sqrt": sqrt, "pow": lambda a, b: _power(a, b),
    "signum": lambda a: float((a > 0) - (a < 0)),
}  # fmt: skip


@static("Integer|Long", "max", "min")
@static("Math|StrictMath", *_MATH)
def _math(call: Call) -> Guarded:
    def compute(*leaf: Any) -> Any:
        if all(isinstance(x, int | float) and not isinstance(x, bool) for x in leaf):
            try:
                found = _MATH[call.name](*leaf)
            except (ZeroDivisionError, OverflowError, TypeError, ValueError):
                found = None  # it throws, or takes other arguments
            small = all(-(1 << 31) <= x < 1 << 31 and type(x) is not Long for x in leaf)
            width = 31 if small or call.name == "toIntExact" else 63
            if isinstance(found, float) or (found is not None and -(1 << width) <= found < 1 << width):
                whole = not isinstance(found, float) and not small and call.name != "toIntExact"
                return Long(found) if whole else found
        return Unknown(Why.DYNAMIC, phrase("calculation"))

    return apply(compute, *call.args)


def _nearest(value: float) -> int:
    """`Math.round`, of a `float` to an `int`."""
    most = 1 << (31 if type(value) is Single else 63)
    return max(-most, min(most - 1, floor(Fraction(value) + Fraction(1, 2))))


def _alike(one: float, other: float) -> tuple[float, float]:
    """Two numbers as Java compares them: both with a point, or none."""
    return (one, other) if is_whole(one) and is_whole(other) else (float(one), float(other))


def _power(base: float, exponent: float) -> float | None:
    """`Math.pow` where a number has its result without rounding: others may differ in their last digit."""
    found = float(base) ** float(exponent)
    whole = isfinite(base) and float(exponent).is_integer() and 0 <= exponent <= 64
    return found if whole and Fraction(base) ** int(exponent) == found else None


@static("Character", "digit", "forDigit", known=True)
def _digit(call: Call) -> Guarded:
    def compute(leaf: Any, base: Any) -> Any:
        if not isinstance(base, int) or not 2 <= base <= 36:
            return Unknown(Why.DYNAMIC, phrase("character"))
        if call.name == "forDigit":
            known = isinstance(leaf, int) and 0 <= leaf < base
            return text(_DIGITS[leaf], char=True) if known else Unknown(Why.DYNAMIC, phrase("character"))
        char = leaf.known if isinstance(leaf, Text) else chr(leaf) if isinstance(leaf, int) else None
        if not char:
            return Unknown(Why.DYNAMIC, phrase("number"))
        value = _DIGITS.find(char.lower()) if char.isascii() else -1
        return value if value < base else -1

    return apply(compute, *call.args)


_CHARACTERS: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(("toString", "valueOf"), str),
    "toUpperCase": lambda known: _alone(known.upper(), known),
    "toLowerCase": lambda known: _alone(known.lower(), known),
    "isUpperCase": str.isupper,
    "isLowerCase": str.islower,
    "isDigit": str.isdecimal,
    "isLetter": str.isalpha,
    "isAlphabetic": lambda known: known.isalpha() or (None if not known.isascii() else False),
    "isLetterOrDigit": lambda known: known.isalpha() or known.isdecimal(),
    "isWhitespace": lambda known: known in BLANKS,
    "isSpaceChar": lambda known: category(known) in ("Zs", "Zl", "Zp"),
    "isISOControl": lambda known: category(known) == "Cc",
    "getNumericValue": lambda known: (
        None if not known.isascii() else int(known, 36) if known.isalnum() else -1
    ),
}
"""Functions of a character; None is what is not known."""


def _alone(found: str, known: str) -> str:
    """A character where one stands for another: those that are several in the other case are left as they are."""
    return found if len(found) == 1 else known


@static("Character", *_CHARACTERS, known=True)
def _character(call: Call) -> Guarded:
    def compute(leaf: Any) -> Any:
        known = leaf.known if isinstance(leaf, Text) else chr(leaf) if isinstance(leaf, int) else None
        if not known:
            return call.unknown(phrase("character"))
        found = None if beyond_a_unit(known) else _CHARACTERS[call.name](known)
        if found is None:
            return call.unknown(phrase("character"))
        if isinstance(leaf, int) and isinstance(found, str) and call.name.endswith("Case"):
            return ord(found) if len(found) == 1 else call.unknown(phrase("character"))
        steps = leaf.steps if isinstance(leaf, Text) and call.name.endswith("Case") else ()
        return text(found, steps, char=call.name != "toString") if isinstance(found, str) else found

    return apply(compute, call.args[0])

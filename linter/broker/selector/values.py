"""Values of a selector and how two of them compare, with Java's classes and conversions.

A value is an ``int`` (Integer), a ``Long``, a ``float`` (Double), a ``bool``, a text of UTF-16 units, or None for
null. Mirrors: ComparisonExpression#__compare and the ``valueOf`` methods it calls, RocketMQ 4.8.0 to 5.3.3.
"""

import math
import re
import struct
from typing import Final
from unicodedata import decimal

from subdrift.linter.broker.selector.errors import CastError, ConversionError
from subdrift.linter.model.message import phrase
from subdrift.linter.model.tags import java_trim


class Long(int):
    """A Java Long; a plain ``int`` is an Integer. The class matters: it decides how a text is read."""


Value = bool | int | float | str | None

INTEGER_MAX: Final = 2**31 - 1
LONG_MAX: Final = 2**63 - 1

_ASCII_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_DECIMAL_DOUBLE: Final = re.compile(r"([+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?)[fFdD]?")
_HEXADECIMAL_DOUBLE: Final = re.compile(
    r"([+-]?0[xX](?:[0-9a-fA-F]++\.?|[0-9a-fA-F]*+\.[0-9a-fA-F]++)[pP][+-]?[0-9]++)[fFdD]?"
)
_NAMED_DOUBLE: Final = re.compile(r"[+-]?(?:NaN|Infinity)")


def utf16_units(text: str) -> str:
    """The text with one character for each UTF-16 unit, so that lengths, searches and order are Java's."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    units = text.encode("utf-16-be", "surrogatepass")
    return "".join(map(chr, struct.unpack(f">{len(units) // 2}H", units)))


def joined_units(units: str) -> str:
    """The text that UTF-16 units spell: pairs of surrogates become one character, unpaired ones stay."""
    if units.isascii():
        return units
    return units.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")


def read_integer(text: str, largest: int) -> int:
    """``Integer.valueOf`` or ``Long.valueOf``: an optional sign and decimal digits of any script, in range.

    ``largest`` is INTEGER_MAX or LONG_MAX; the smallest number is one further from zero. Raises ConversionError.
    """
    if not text.isascii():
        text = "".join(_ascii_digit(unit) for unit in text)
    if not _ASCII_INTEGER.fullmatch(text):
        raise ConversionError(phrase("not-an-integer", repr(text[:40])))
    digits = text.lstrip("+-").lstrip("0")
    if len(digits) <= len(str(largest)):
        number = -int(digits or "0") if text[0] == "-" else int(digits or "0")
        if -largest - 1 <= number <= largest:
            return number
    raise ConversionError(phrase("out-of-range", repr(text[:40])))


def _ascii_digit(unit: str) -> str:
    value = decimal(unit, None)
    return unit if value is None else str(value)


def read_double(text: str) -> float:
    """``Double.valueOf``: trimmed; decimal or hexadecimal, with a suffix or not; or a named value.

    Raises ConversionError.
    """
    trimmed = java_trim(text)
    if match := _DECIMAL_DOUBLE.fullmatch(trimmed):
        return float(match[1])
    if _NAMED_DOUBLE.fullmatch(trimmed):
        return float(trimmed)
    if match := _HEXADECIMAL_DOUBLE.fullmatch(trimmed):
        try:
            return float.fromhex(match[1])
        except OverflowError:
            return -math.inf if trimmed[0] == "-" else math.inf
    raise ConversionError(phrase("not-a-decimal-number", repr(trimmed[:40])))


def negated(value: Value) -> Value:
    """``-value``: a number changes sign, wrapping at the minimum of its class; anything else gives null.

    Mirrors UnaryExpression#createNegate.
    """
    match value:
        case bool() | str() | None:
            return None
        case float():
            return -value
        case Long():
            return Long(-value if value >= -LONG_MAX else value)
        case int():
            return -value if value >= -INTEGER_MAX else value


def compared(left: Value, right: Value) -> int:
    """Negative, zero or positive; the class of the left value decides. Neither may be null.

    Raises ConversionError for a text that is no number, CastError for a boolean against a text.
    """
    match left:
        case bool():
            if isinstance(right, str):
                raise CastError(phrase("boolean-with-text"))
            return left - right if isinstance(right, bool) else -1
        case str():
            return _compared_text(left, right)
        case int() | float():
            return _compared_number(left, right)
        case None:
            raise TypeError("null does not compare")


def equal(left: Value, right: Value) -> bool | None:
    """``left = right``: null on the left gives null, on the right false, on both true."""
    if left is None:
        return True if right is None else None
    if right is None:
        return False
    return compared(left, right) == 0


def ordered(left: Value, right: Value) -> int:
    """As ``compared``, for ``> >= < <=``: two texts are read as Doubles."""
    if isinstance(left, str) and isinstance(right, str):
        return _compared_doubles(read_double(left), read_double(right))
    return compared(left, right)


def _compared_text(left: str, right: Value) -> int:
    match right:
        case str():
            return (left > right) - (left < right)
        case bool():
            return (left.lower() == "true") - right
        case float():
            return _compared_doubles(read_double(left), right)
        case int():
            number = read_integer(left, LONG_MAX if isinstance(right, Long) else INTEGER_MAX)
            return (number > right) - (number < right)
        case None:
            raise TypeError("null does not compare")


def _compared_number(left: int | float, right: Value) -> int:
    match right:
        case bool():
            return -1
        case str():
            return -_compared_text(right, left)
        case float():
            return _compared_doubles(float(left), right)
        case int():
            if isinstance(left, float):
                return _compared_doubles(left, float(right))
            return (left > right) - (left < right)
        case None:
            raise TypeError("null does not compare")


def _compared_doubles(left: float, right: float) -> int:
    """``Double.compareTo``: a total order in which -0.0 precedes 0.0 and NaN, equal to itself, comes last."""
    a, b = _double_key(left), _double_key(right)
    return (a > b) - (a < b)


def _double_key(value: float) -> tuple[bool, float, bool]:
    if math.isnan(value):
        return (True, 0.0, False)
    return (False, value, math.copysign(1.0, value) > 0)

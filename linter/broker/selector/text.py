"""The compiled form of a selector as it prints itself.

Mirrors: ``toString`` of the expression classes, RocketMQ 4.8.0 to 5.3.3.
"""

from decimal import Decimal
from typing import Final

from subdrift.linter.broker.selector.values import Value
from subdrift.linter.model.tags import java_hash

Rope = str | tuple["Rope", ...]
"""Text in pieces, joined only when asked for: joining at each step would cost the square of a long chain."""

LISTED_AS_WRITTEN_MAX: Final = 4
"""Longer IN lists are kept in a hash set and print in its order."""

PLAIN_MIN: Final = 1e-3
PLAIN_END: Final = 1e7


def joined(rope: Rope, units_max: int) -> str | None:
    """The text of a rope, however deep; None if it is longer than ``units_max``."""
    pieces: list[str] = []
    length = 0
    waiting: list[Rope] = [rope]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            pieces.append(piece)
            length += len(piece)
            if length > units_max:
                return None
        else:
            waiting.extend(reversed(piece))
    return "".join(pieces)


def constant_text(value: Value) -> str:
    """A constant as it prints itself: texts quoted, numbers as Java writes them."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "TRUE" if value else "FALSE"
        case str():
            return "'" + value.replace("'", "''") + "'"
        case float():
            return _double_text(value)
        case int():
            return str(int(value))


def in_list_text(items: tuple[str, ...]) -> str:
    """The items of an IN list, unquoted: as written up to four, else each once in the order of a Java HashSet."""
    if len(items) > LISTED_AS_WRITTEN_MAX:
        wanted = max(int(len(items) / 0.75) + 1, 16)
        buckets = 1 << (wanted - 1).bit_length()
        items = tuple(sorted(dict.fromkeys(items), key=lambda item: _bucket(item, buckets)))
    return " ( " + ", ".join(items) + " )"


def _bucket(item: str, buckets: int) -> int:
    unsigned = java_hash(item) & 0xFFFFFFFF
    return (unsigned ^ unsigned >> 16) & (buckets - 1)


def _double_text(value: float) -> str:
    """``Double.toString`` of a positive finite number: plain from 0.001 up to ten million, else with exponent."""
    shortest = Decimal(repr(value)).normalize()
    if len(shortest.as_tuple().digits) == 1:
        shortest = Decimal(f"{value:.1e}")  # never a single digit: 4.9E-324, not 5E-324
    exponent = shortest.adjusted()
    digits = "".join(map(str, shortest.as_tuple().digits))
    if not PLAIN_MIN <= value < PLAIN_END:
        return f"{digits[0]}.{digits[1:]}E{exponent}"
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + (digits.rstrip("0"))
    whole, fraction = digits[: exponent + 1].ljust(exponent + 1, "0"), digits[exponent + 1 :].rstrip("0")
    return f"{whole}.{fraction or '0'}"

"""`String.format`: what a pattern makes of values, as `java.util.Formatter` says. What it would refuse is not known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from math import copysign, isfinite
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    Gap,
    Long,
    Object,
    Single,
    Text,
    Unknown,
    is_whole,
    join,
    text,
)
from subdrift.linter.resolve.semantics.jvm.operators import number_text

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

AS_IN_ENGLISH = frozenset(
    {"ROOT", "ENGLISH", "US", "UK", "CANADA", "CHINA", "CHINESE", "SIMPLIFIED_CHINESE", "PRC", "TAIWAN", "JAPAN", "JAPANESE",
     "KOREA", "KOREAN"}
)  # fmt: skip
"""Locales that write numbers as English does."""

_SPECIFIER: Final = re.compile(r"%(\d{1,3}\$)?([-#+ 0,(<]*)(\d{1,3})?(?:\.(\d{1,3}))?([a-zA-Z%])|%")
"""A number of more digits is one that nobody means."""

_TAKEN: Final = {
    "s": "-", "b": "-", "h": "-", "c": "-", "%": "-", "n": "", "d": "-0+ ,(", "x": "-0#", "o": "-0#", "f": "-0+ ,(",
    "e": "-0+ (", "g": "-0+ ,(",
}  # fmt: skip
"""Conversions -> the flags they take."""


class _How(NamedTuple):
    """A specifier: its flags, width and precision, 0 and None where it has none, and its conversion as written."""

    flags: str
    width: int
    precision: int | None
    conversion: str

    @property
    def is_taken(self) -> bool:
        """Whether the formatter takes it."""
        kind = self.conversion.lower() if self.conversion in "SBHCXEG" else self.conversion
        if (
            kind not in _TAKEN
            or not set(self.flags) <= set(_TAKEN[kind])
            or len(set(self.flags)) < len(self.flags)
        ):
            return False
        sided = "-" in self.flags or "0" in self.flags
        if (sided and not self.width) or {"-", "0"} <= set(self.flags) or {"+", " "} <= set(self.flags):
            return False
        return (self.precision is None or kind in "sbhfeg") and (kind != "n" or not self.width)

    @property
    def is_plain(self) -> bool:
        """Whether it changes nothing of a text or a whole number."""
        return self[:3] == ("", 0, None) and self.conversion in "sd"

    def padded(self, body: str) -> str:
        """A text in its width."""
        body = body.upper() if self.conversion.isupper() else body
        return body.ljust(self.width) if "-" in self.flags else body.rjust(self.width)

    def cut(self, body: str) -> str:
        """A text of at most so many characters."""
        return self.padded(body if self.precision is None else body[: self.precision])

    def signed(self, digits: str, negative: bool) -> str:
        """A number with its sign, and zeros before its digits."""
        before, behind = "", ""
        if negative:
            before, behind = ("(", ")") if "(" in self.flags else ("-", "")
        else:
            before = "+" if "+" in self.flags else " " if " " in self.flags else ""
        zeros = self.width - len(before) - len(behind) if "0" in self.flags and digits[-1].isdigit() else 0
        return self.padded(f"{before}{digits.zfill(zeros)}{behind}")


def format_text(java: Java, run: Interpreter, pattern: Any, args: Sequence[Any]) -> Text:
    """What a pattern makes of values; what is not computed becomes a gap."""
    known = pattern.known if isinstance(pattern, Text) else None
    if known is None:
        return Text((Gap(Why.DYNAMIC, phrase("format")),))
    pieces: list[Text] = []
    position = following = 0
    last = -1
    for match in _SPECIFIER.finditer(known):
        pieces.append(text(known[position : match.start()], pattern.steps))
        position = match.end()
        index, flags, width, precision, conversion = match.groups()
        how = _How(
            (flags or "").replace("<", ""),
            int(width or 0),
            int(precision) if precision else None,
            conversion or "",
        )
        if not how.is_taken or ("<" in (flags or "") and index):
            return Text((Gap(Why.DYNAMIC, phrase("format")),))
        if conversion in ("n", "%"):
            pieces.append(text("\n" if conversion == "n" else how.padded("%")))
            continue
        if "<" not in flags:  # else the one before
            last = int(index[:-1]) - 1 if index else following
            following += not index
        if not 0 <= last < len(args):
            return Text((Gap(Why.DYNAMIC, phrase("format-without-its-argument")),))
        pieces.append(_formatted(java, run, args[last], how))
    pieces.append(text(known[position:], pattern.steps))
    joined = run.wrote(join(pieces))
    joined.frame = pattern.frame
    return joined


def _formatted(java: Java, run: Interpreter, value: Any, how: _How) -> Text:
    kind = how.conversion.lower()
    if kind == "s":
        shown = java.shown(run, value)
        if shown.known is None:
            return shown if how.is_plain else _changed(shown, how)
        return text(how.cut(shown.known), shown.steps, frame=shown.frame)
    if kind == "b" and not isinstance(value, Test | Unknown):
        return text(how.cut(str(value if isinstance(value, bool) else value is not None).lower()))
    if value is None:
        return text(how.cut("null"))
    body: str | None = None
    if kind == "c":
        body = _character(value, how)
    elif kind in "dxo":
        number = _whole(java, run, value)
        body = None if number is None else _digits(number, isinstance(value, Object), how)
    elif kind in "feg":
        body = _decimal(java, run, value, how)
    if body is not None:
        return text(body)
    return java.shown(run, value) if isinstance(value, Unknown) and how.is_plain else _changed(value, how)


def _character(value: Any, how: _How) -> str | None:
    if is_whole(value) and 0 <= value < 0x10000:
        return how.padded(chr(value))
    return how.padded(value.known) if isinstance(value, Text) and value.char and value.known else None


def _whole(java: Java, run: Interpreter, value: Any) -> int | None:
    """A whole number, also one of `BigInteger`."""
    if isinstance(value, Object) and value.type.endswith("BigInteger"):
        shown = java.shown(run, value).known
        return None if shown is None else int(shown)
    return value if is_whole(value) else None


def _digits(number: int, of_any_size: bool, how: _How) -> str | None:
    kind = how.conversion.lower()
    if kind == "d":
        return how.signed(f"{abs(number):{',' if ',' in how.flags else ''}d}", number < 0)
    if number < 0 and not of_any_size:
        if number >= -(1 << 15) and type(number) is not Long:
            return None  # the two digits of a byte, the four of a short, or the eight of an int
        number += 1 << (64 if type(number) is Long else 32)
    prefix = "" if "#" not in how.flags else "0x" if kind == "x" else "0"
    zeros = how.width - len(prefix) - (number < 0) if "0" in how.flags else 0
    return how.padded(f"{'-' if number < 0 else ''}{prefix}{f'{abs(number):{kind}}'.zfill(zeros)}")


def _decimal(java: Java, run: Interpreter, value: Any, how: _How) -> str | None:
    """A number with a point; also one of `BigDecimal`."""
    if isinstance(value, float):
        if not isfinite(value):
            return how.signed("NaN" if value != value else "Infinity", value < 0)
        negative = copysign(1, value) < 0
        exact = abs(Decimal(number_text(float(value) if type(value) is Single else value)))
    elif isinstance(value, Object) and value.type.endswith("BigDecimal") and how.conversion == "f":
        shown = java.shown(run, value).known
        if shown is None:
            return None
        negative, exact = shown.startswith("-"), abs(Decimal(shown))
    else:
        return None
    places = 6 if how.precision is None else how.precision
    kind = how.conversion.lower()
    if kind == "g":
        places = max(places, 1)
        exact = _rounded(exact, places - 1 - exact.adjusted()) if exact else exact
        kind = "f" if not exact or -4 <= exact.adjusted() < places else "e"
        places -= 1 if kind == "e" or not exact else exact.adjusted() + 1
    if kind == "f":
        return how.signed(f"{_rounded(exact, places):{',' if ',' in how.flags else ''}f}", negative)
    exact = _rounded(exact, places - exact.adjusted()) if exact else exact
    power = exact.adjusted() if exact else 0
    return how.signed(
        f"{_rounded(exact.scaleb(-power), places):f}e{'-' if power < 0 else '+'}{abs(power):02d}", negative
    )


def _rounded(exact: Decimal, places: int) -> Decimal:
    return exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, Context(prec=2_000))


def _changed(value: Any, how: _How) -> Text:
    """What a format makes of a value that is not known: another text than the value, the same for the same value."""
    symbol = symbol_of(value)
    changed = None if symbol is None else ("format", tuple(how), symbol)
    parts = value.parts if isinstance(value, Text) else (value,)
    for part in parts:
        if isinstance(part, Gap | Unknown):
            return Text((Gap(part.why, part.detail, changed, part.needs),))
    return Text((Gap(Why.DYNAMIC, f"%{how.conversion}", changed),))

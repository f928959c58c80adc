"""Numbers, truth values and characters: static methods of `Integer`, `Math`, `Character` and the like."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    apply,
)
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.peers import (
    Effect,
)
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    Guarded,
    Text,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.jvm.operators import raise_in

if TYPE_CHECKING:
    pass
from subdrift.linter.resolve.semantics.jvm.calls import Call, static
from subdrift.linter.resolve.semantics.jvm.natives.texts import opaque

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


@static(
    "Integer|Long|Short|Byte",
    "parseInt",
    "parseLong",
    "valueOf",
    "parseShort",
    "decode",
    effect=Effect.MAY_RAISE,
)
def _parse_number(call: Call) -> Guarded:
    def parse(leaf: Any) -> Any:
        if isinstance(leaf, int) and not isinstance(leaf, bool):
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
                    if call.name == "decode":
                        return _decoded(known)
                    return int(known if known == known.strip() and "_" not in known else "x", base)
                except ValueError:
                    raise_in(call.run, "NumberFormatException")
                    return UNSET
        symbol = symbol_of(leaf)
        reason = leaf if isinstance(leaf, Unknown) else None
        unknown = Unknown(
            reason.why if reason else Why.DYNAMIC,
            reason.detail if reason else phrase("number"),
            None if symbol is None else ("number", symbol),
        )
        call.run.perhaps(call.run.make(None, "NumberFormatException", call.place), unknown)
        return unknown

    return call.run.over(call.args[0], parse)


def _decoded(known: str) -> int:
    """`Integer.decode`: `0x`, `#` and `0` before the digits say their base."""
    found = _DECODED.fullmatch(known)
    if found is None:
        raise ValueError(known)
    prefix = found["prefix"].lower()
    digits = found["digits"]
    value = int(digits, 16 if prefix in ("0x", "#") else 8 if prefix == "0" and digits else 10)
    return -value if found["sign"] == "-" else value


@static("Double|Float", "parseDouble", "valueOf", "parseFloat")
def _parse_decimal(call: Call) -> Guarded:
    def parse(leaf: Any) -> Any:
        if isinstance(leaf, Text) and leaf.known is not None:
            try:
                return float(leaf.known)
            except ValueError:
                return Unknown(Why.DYNAMIC, phrase("number"))
        return float(leaf) if isinstance(leaf, int | float) else Unknown(Why.DYNAMIC, phrase("number"))

    return apply(parse, call.args[0])


@static("Integer", "toHexString", "toBinaryString", known=True)
def _radix(call: Call) -> Guarded:
    code = "x" if call.name == "toHexString" else "b"
    return apply(
        lambda leaf: (
            text(format(leaf % (1 << 32), code)) if isinstance(leaf, int) else opaque(leaf, call.name)
        ),
        call.args[0],
    )


@static("Integer|Long|Short|Byte|Character|Double|Float", "compare", "sum", "signum")
def _of_numbers(call: Call) -> Guarded:
    def one(left: Any, right: Any) -> Any:
        pair = [
            ord(each.known[0]) if isinstance(each, Text) and each.char and each.known else each
            for each in (left, right)
        ]
        if not all(isinstance(each, int | float) for each in pair):
            return Unknown(Why.DYNAMIC, f"{call.name}()")
        if call.name == "sum":
            return pair[0] + pair[1]
        return (pair[0] > pair[1]) - (pair[0] < pair[1])

    return apply(one, call.args[0], call.args[1] if len(call.args) > 1 else 0)


@static(
    "Math|StrictMath", "max", "min", "abs", "floorMod", "floorDiv", "addExact", "subtractExact", "multiplyExact",
    "negateExact", "toIntExact", "incrementExact", "decrementExact",
)  # fmt: skip
def _math(call: Call) -> Guarded:
    functions: Mapping[str, Callable[..., Any]] = {
        "max": max, "min": min, "abs": abs, "floorMod": lambda a, b: a % b, "floorDiv": lambda a, b: a // b,
        "addExact": lambda a, b: a + b, "subtractExact": lambda a, b: a - b, "multiplyExact": lambda a, b: a * b,
        "negateExact": lambda a: -a, "toIntExact": lambda a: a, "incrementExact": lambda a: a + 1,
        "decrementExact": lambda a: a - 1,
    }  # fmt: skip

    def compute(*leaf: Any) -> Any:
        if all(isinstance(x, int | float) and not isinstance(x, bool) for x in leaf):
            try:
                return functions[call.name](*leaf)
            except (ZeroDivisionError, OverflowError, TypeError):
                pass  # it throws, or takes other arguments
        return Unknown(Why.DYNAMIC, phrase("calculation"))

    return apply(compute, *call.args)


@static(
    "Character",
    "toUpperCase",
    "toLowerCase",
    "isUpperCase",
    "isDigit",
    "isLetter",
    "isLowerCase",
    "isAlphabetic",
    "isLetterOrDigit",
    "isWhitespace",
    "toString",
    "getNumericValue",
    "toChars",
    "valueOf",
    known=True,
)
def _character(call: Call) -> Guarded:
    def compute(leaf: Any) -> Any:
        known = leaf.known if isinstance(leaf, Text) else chr(leaf) if isinstance(leaf, int) else None
        if not known:
            return Unknown(Why.DYNAMIC, phrase("character"))
        match call.name:
            case "toUpperCase":
                return text(known.upper(), leaf.steps if isinstance(leaf, Text) else (), char=True)
            case "toLowerCase":
                return text(known.lower(), leaf.steps if isinstance(leaf, Text) else (), char=True)
            case "isUpperCase":
                return known.isupper()
            case "isLowerCase":
                return known.islower()
            case "isDigit":
                return known.isdigit()
            case "isLetter" | "isAlphabetic":
                return known.isalpha()
            case "isLetterOrDigit":
                return known.isalpha() or known.isdigit()
            case "isWhitespace":
                return known.isspace()
            case "toString":
                return text(known)
            case "getNumericValue":
                return int(known, 36) if known.isalnum() else -1
        return text(known, char=True)

    return apply(compute, call.args[0])

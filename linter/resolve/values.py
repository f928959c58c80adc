"""What evaluation makes of expressions: texts, constants, lists, types, settings files, or a reason.

Internal to `linter.resolve`; only `Value` (linter.model.consumer) leaves it.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.consumer import Confidence, TrailStep, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.definitions import TypeDef

Trail = tuple[TrailStep, ...]


class Text(Struct, frozen=True):
    text: str
    trail: Trail = ()
    confidence: Confidence = Confidence.HIGH
    default: bool = False


class Missing(Struct, frozen=True):
    why: Why
    detail: str = ""
    trail: Trail = ()


class Null(Struct, frozen=True):
    """Java's `null`, Python's `None`."""

    trail: Trail = ()


class Constant(Struct, frozen=True):
    """A constant of an enumeration; its name is what it says where a text is asked for."""

    text: Text


class Many(Struct, frozen=True):
    items: tuple[Val, ...]
    trail: Trail = ()


class TypeVal(Struct, frozen=True, eq=False):
    type: TypeDef | None
    name: str
    at: Location


class FileVal(Struct, frozen=True):
    """A settings file loaded by code."""

    file: Placed


Val = Text | Missing | Null | Constant | Many | TypeVal | FileVal


def known(value: Text) -> Value:
    """The public form of a text."""
    return Value(value.text, None, "", value.trail, value.confidence, value.default)


def unknown(value: Missing) -> Value:
    """The public form of a reason."""
    return Value(None, value.why, value.detail, value.trail)


def with_step(value: Val, step: TrailStep, confidence: Confidence = Confidence.HIGH) -> Val:
    """The value with one more stop at the front of its trail, no more confident than `confidence`."""
    match value:
        case Text():
            return replace(value, trail=(step, *value.trail), confidence=min(value.confidence, confidence))
        case Missing() | Null() | Many():
            return replace(value, trail=(step, *value.trail))
        case Constant(text=text):
            return Constant(replace(text, confidence=min(text.confidence, confidence)))
        case _:
            return value

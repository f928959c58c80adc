"""What evaluation makes of expressions: texts and reasons (`Value`), constants, lists and types; and how they are put together.

Internal to `linter.resolve`; only `Value` (linter.model.consumer) leaves it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.consumer import Confidence, TrailStep, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.definitions import TypeDef

TEXT_MAX = 65_536
"""Characters of one text that is put together; the longest selector a broker takes is far below."""

TRAIL_MAX = 64
"""Places told of the way to one text that is put together; the first ones are kept."""

Trail = tuple[TrailStep, ...]


class Null(Struct, frozen=True):
    """Java's `null`, Python's `None`."""

    trail: Trail = ()


class Constant(Struct, frozen=True):
    """A constant of an enumeration; its name is what it says where a text is asked for."""

    text: Value


class Many(Struct, frozen=True):
    items: tuple[Val, ...]
    trail: Trail = ()


class TypeVal(Struct, frozen=True, eq=False):
    type: TypeDef | None
    name: str
    at: Location


Val = Value | Null | Constant | Many | TypeVal


def with_step(value: Val, step: TrailStep, confidence: Confidence = Confidence.HIGH) -> Val:
    """The value with one more stop at the front of its trail, no more confident than `confidence`."""
    match value:
        case Value():
            least = min(value.confidence, confidence) if value.known else value.confidence
            return replace(value, trail=(step, *value.trail), confidence=least)
        case Null() | Many():
            return replace(value, trail=(step, *value.trail))
        case Constant(text=text):
            return Constant(replace(text, confidence=min(text.confidence, confidence)))
        case _:
            return value


def joined(values: Sequence[Val]) -> Value:
    """The texts of several values, one behind the other: their trails joined, as confident as the least of them. The first
    that has no text is the reason why there is none; the whole has a symbol where each has a text or a symbol."""
    texts: list[Value] = []
    for value in values:
        match value:
            case Value():
                texts.append(value)
            case Constant(text=text):
                texts.append(text)
            case Null():
                texts.append(Value("null", trail=value.trail))
            case _:
                texts.append(Value(None, Why.UNSUPPORTED, phrase("value-not-a-text")))
    missing = next((one for one in texts if one.text is None), None)
    if missing is None:
        return merged(texts, "".join(one.text or "" for one in texts))
    told = all(one.known or one.symbol for one in texts)
    return replace(missing, symbol="".join(one.text or one.symbol for one in texts) if told else "")


def merged(texts: Sequence[Value], text: str) -> Value:
    """A text made from several others."""
    if len(text) > TEXT_MAX:
        return Value(None, Why.TOO_MANY, phrase("text-of-more-than-characters", f"{TEXT_MAX:,}"))
    trail: Trail = ()
    for one in texts:
        if len(trail) < TRAIL_MAX:
            trail = (trail + one.trail)[:TRAIL_MAX]
    confidence = min((one.confidence for one in texts), default=Confidence.HIGH)
    return Value(text, None, "", trail, confidence, any(one.default for one in texts))


def shown(value: Value) -> Value:
    """A text as rows tell it: with a template's gap, or a placeholder that nothing resolves, it is never a name."""
    if value.text is not None and "${" in value.text:
        return Value(None, Why.UNDEFINED, value.text, value.trail)
    return value


def named(value: Value) -> Value:
    """The value of a group or topic: an empty one stands for what is set where the code runs."""
    if value.text is None or value.text.strip():
        return value
    return Value(None, Why.SET_AT_DEPLOY, "", value.trail)


def filter_kind(value: Value) -> Value:
    """A filter type by the name that the client knows it by."""
    if value.text is None:
        return value
    text = value.text.strip().upper()
    known = {"SQL": "SQL92", "SQL92": "SQL92", "CLASS": "CLASS", "TAG": "TAG", "": "TAG"}
    return replace(value, text=known.get(text, value.text))


def tags_of(parts: Sequence[Value]) -> Value:
    """The expression that a list of tags stands for; one that is not known is the reason why it is not."""
    unknown = next((part for part in parts if part.text is None), None)
    return unknown or merged(parts, "||".join(part.text or "" for part in parts) or "*")


def less_sure(value: Value) -> Value:
    """A value that hangs on the class of an object that nobody has seen being made, or on a default."""
    return replace(value, confidence=min(value.confidence, Confidence.MEDIUM))


def describe(value: Val) -> str:
    match value:
        case Many():
            return phrase("list")
        case TypeVal(name=name):
            return phrase("class", short(name))
        case Constant(text=text):
            return phrase("constant", text.text or "")
        case Null():
            return "null"
        case Value(text=None, detail=detail):
            return detail
        case Value(text=text):
            return f'"{text}"'


def short(name: str) -> str:
    """The part of a full name a reader would say."""
    plain = name.partition("#")
    tail = plain[0].rpartition(".")[2]
    if tail == "*":
        return plain[2]
    return f"{tail}.{plain[2]}" if plain[2] else tail

"""What evaluation makes of expressions: texts, objects, lists, maps, types, consumers, or a reason.

Internal to `linter.resolve`; only `Value` (linter.model.consumer) leaves it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from linter.model.consumer import Confidence, TrailStep, Value
from linter.model.expr import Argument, Expr, Why
from linter.model.location import Location, Origin, Span
from linter.resolve.definitions import TypeDef
from linter.resolve.place import Placed

Trail = tuple[TrailStep, ...]


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    trail: Trail = ()
    confidence: Confidence = Confidence.HIGH
    default: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    why: Why
    detail: str = ""
    trail: Trail = ()


@dataclass(frozen=True, slots=True)
class Null:
    """Java's `null`, Python's `None`."""

    trail: Trail = ()


@dataclass(frozen=True, slots=True, eq=False)
class Obj:
    """An object: of a known type, made with `args` in `frame`, or bound to configuration below `prefix`.

    `constant` is the name of an enum constant. `candidates` name a type that no tracked file defines.
    """

    type: TypeDef | None
    candidates: tuple[str, ...]
    args: tuple[Argument, ...]
    frame: Frame | None
    at: Location
    prefix: str | None = None
    constant: str = ""


@dataclass(frozen=True, slots=True)
class Many:
    items: tuple[Val, ...]
    trail: Trail = ()


@dataclass(frozen=True, slots=True)
class Mapping:
    entries: tuple[tuple[Val, Val], ...]
    trail: Trail = ()


@dataclass(frozen=True, slots=True, eq=False)
class TypeVal:
    type: TypeDef | None
    name: str
    at: Location


@dataclass(frozen=True, slots=True, eq=False)
class SiteVal:
    """A consumer object, by the site that creates it and the frame it was created in."""

    origin: Origin
    site: Span
    frame: Frame


@dataclass(frozen=True, slots=True)
class FileVal:
    """A settings file loaded by code: the keys below `prefix` of that file."""

    file: Placed
    prefix: str


Val = Text | Missing | Null | Obj | Many | Mapping | TypeVal | SiteVal | FileVal

Bound = tuple[Expr, "Frame"] | Val


@dataclass(slots=True, eq=False)
class Frame:
    """Where code runs: its file, enclosing type and symbol, the object it runs on, and its parameters.

    `calls` are the calls that evaluation followed inwards to get here, outermost first. `outer` is the frame of the
    caller that was picked for this frame's parameters, `called_at` the place of that call, `depth` how many such calls
    lie inwards. `entered`: the caller was picked for its object, so its call is where this code is used. Frames are
    compared by identity.
    """

    file: Placed
    type: str
    symbol: str
    this: Obj | None = None
    params: dict[str, Bound] = field(default_factory=dict)
    calls: tuple[Location, ...] = ()
    outer: Frame | None = None
    called_at: Location | None = None
    depth: int = 0
    entered: bool = False

    def outermost_call(self) -> Location | None:
        """The outermost call that supplies this frame's parameters, None when no caller was picked."""
        frame, found = self, self.called_at
        while frame.outer is not None:
            frame = frame.outer
            found = frame.called_at or found
        return found

    def at(self, span: Span) -> Location:
        return Location(self.file.origin, span)


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
        case Missing() | Null() | Many() | Mapping():
            return replace(value, trail=(step, *value.trail))
        case _:
            return value

"""Wire text from a file anybody may have written: decoded within bounds, and every value of the type it claims.

The wire itself trusts its writer. Here a number is a number, a place is a place inside its repository, and a text is
no larger than it may be, before anything else sees it.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from subdrift.linter.model import ir, wire
from subdrift.linter.model.location import Origin, Span

TEXT_BYTES_MAX = 64 << 20
"""Bytes of one facts or consumer text, unpacked."""
NUMBER_MAX = 1 << 31
SPAN_LINES_MAX = 1 << 20
NAME_CHARS_MAX = 4096

T = TypeVar("T")
_Check = Callable[[Any], bool]
_CHECKS: dict[Any, _Check] = {}


class DamagedError(ValueError):
    """The text is not what a registry holds."""


def unit(data: bytes) -> ir.Unit:
    """The lowered file that bytes stand for. Raises `DamagedError`."""
    try:
        return ir.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise DamagedError("not a unit") from error


def checked(cls: type[T], text: object) -> T:
    """The instance a wire text stands for, all its values of their types. Raises `DamagedError`."""
    if not isinstance(text, str):
        raise DamagedError("not a text")
    try:
        found = wire.loads(cls, text)
    except (wire.WireError, msgspec.MsgspecError, RecursionError) as error:
        raise DamagedError("not a wire text") from error
    confirm(found)
    return found


def confirm(value: object) -> None:
    """Raises `DamagedError` for an instance that holds values of other types than its fields say, or odd places."""
    try:
        fits = _check(type(value))(value)
    except RecursionError as error:
        raise DamagedError("a text that is nested too deep") from error
    if not fits:
        raise DamagedError("values of other kinds than there should be")


def _check(hint: Any) -> _Check:
    found = _CHECKS.get(hint)
    if found is None:
        found = _CHECKS[hint] = _derive(hint)
    return found


def _derive(hint: Any) -> _Check:
    if hint is int:
        return lambda v: type(v) is int and -NUMBER_MAX < v < NUMBER_MAX
    if hint is Span:
        return _is_span
    if hint is Origin:
        return _is_origin
    if hint in (str, bool, float, type(None), Fraction, ir.Unit):
        return lambda v: type(v) is hint
    if isinstance(hint, type) and issubclass(hint, Enum):
        return lambda v: isinstance(v, hint)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _record(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (tuple, frozenset):
        return _sequence(origin, args)
    if origin in (typing.Union, types.UnionType):
        choices = [late(arg) for arg in args]
        return lambda v: any(fits(v) for fits in choices)
    raise TypeError(f"no check for {hint!r}")


def late(hint: Any) -> _Check:
    """A check that is derived when it is first needed: a class may refer back to itself."""
    return lambda v: _check(hint)(v)


def _record(cls: type[msgspec.Struct]) -> _Check:
    hints = typing.get_type_hints(cls)
    parts = [(name, late(hints[name])) for name in cls.__struct_fields__]
    return lambda v: type(v) is cls and all(fits(getattr(v, name)) for name, fits in parts)


def _sequence(origin: Any, args: tuple[Any, ...]) -> _Check:
    if origin is frozenset or (len(args) == 2 and args[1] is Ellipsis):
        item = late(args[0])
        return lambda v: type(v) is origin and all(map(item, v))
    items = [late(arg) for arg in args]
    return lambda v: (
        type(v) is tuple and len(v) == len(items) and all(fits(x) for fits, x in zip(items, v, strict=True))
    )


def _is_span(value: Any) -> bool:
    numbers = (value.line, value.column, value.end_line, value.end_column) if type(value) is Span else ()
    return (
        len(numbers) == 4
        and all(type(one) is int and 0 < one < NUMBER_MAX for one in numbers)
        and value.line <= value.end_line < value.line + SPAN_LINES_MAX
    )


def _is_origin(value: Any) -> bool:
    return type(value) is Origin and is_name(value.repo) and is_path(value.path)


def is_name(text: object) -> bool:
    return isinstance(text, str) and 0 < len(text) <= NAME_CHARS_MAX and "\0" not in text


def is_path(text: object) -> bool:
    """Whether a text is a path below a root."""
    return (
        isinstance(text, str)
        and is_name(text)
        and not text.startswith("/")
        and "\\" not in text.split("/")[0][:2]
        and ".." not in text.split("/")
    )

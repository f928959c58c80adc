"""The one serialised shape of facts and verdicts: compact JSON text derived from the structs.

Private to cache, shuffle and registry; `SCHEMA_VERSION` is part of every cache key. A struct is the array of its
fields, a union member is prefixed by its class name, an enum is its value. `loads(cls, dumps(x)) == x`.
"""

from __future__ import annotations

import base64
import json
import types
import typing
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

import msgspec

from subdrift.linter.model import ir

SCHEMA_VERSION = 1

T = TypeVar("T")
_Codec = tuple[Callable[[Any], Any], Callable[[Any], Any]]
_CODECS: dict[Any, _Codec] = {}


class WireError(ValueError):
    """The text is not of the expected shape (another version, or damaged)."""


def dumps(value: object) -> str:
    """The wire text of a struct."""
    encode, _ = _codec(type(value))
    return json.dumps(encode(value), ensure_ascii=True, separators=(",", ":"))


def loads(cls: type[T], text: str) -> T:
    """The instance a wire text stands for. Raises `WireError`."""
    if issubclass(cls, msgspec.Struct) and cls.__struct_config__.array_like:
        # its parts are arrays to msgspec too, which reads them ten times as fast
        try:
            plain: T = _plain(cls).decode(text)
            return plain
        except msgspec.DecodeError:
            pass  # half a surrogate pair, which Python reads; or damage, which is told below
    _, decode = _codec(cls)
    try:
        result = decode(json.loads(text))
    except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise WireError(f"not the wire text of {cls.__name__}: {error}") from error
    if not isinstance(result, cls):
        raise WireError(f"not the wire text of {cls.__name__}")
    return result


@cache
def _plain(cls: type[T]) -> msgspec.json.Decoder[T]:
    """What reads the texts of a class by itself."""
    return msgspec.json.Decoder(cls)


def shape(cls: type) -> dict[str, list[str]]:
    """Every class reachable from `cls` with its fields and their types, for the golden schema file.

    The records of `ir` stand in it as `Unit`: they have a shape of their own.
    """
    found: dict[str, list[str]] = {}
    stack: list[Any] = [cls]
    while stack:
        current = stack.pop()
        if (
            isinstance(current, type)
            and issubclass(current, msgspec.Struct)
            and not issubclass(current, ir.Record)
        ):
            if current.__name__ in found:
                continue
            hints = typing.get_type_hints(current)
            found[current.__name__] = [f"{name}: {_spell(hints[name])}" for name in current.__struct_fields__]
            stack.extend(hints[name] for name in current.__struct_fields__)
        elif isinstance(current, type) and issubclass(current, Enum):
            found[current.__name__] = [str(member.value) for member in current]
        else:
            stack.extend(typing.get_args(current))
    return dict(sorted(found.items()))


def _spell(hint: Any) -> str:
    if isinstance(hint, type) and not typing.get_args(hint):
        return hint.__name__
    args = typing.get_args(hint)
    if typing.get_origin(hint) is tuple:
        return "tuple[" + ", ".join("..." if a is Ellipsis else _spell(a) for a in args) + "]"
    return " | ".join(_spell(a) for a in args)


def _identity(value: Any) -> Any:
    return value


def _codec(hint: Any) -> _Codec:
    found = _CODECS.get(hint)
    if found is None:
        found = _CODECS[hint] = _derive(hint)
    return found


def _derive(hint: Any) -> _Codec:
    if hint in (str, int, bool, float, type(None)):
        return _identity, _identity
    if hint is Fraction:
        return (lambda v: [v.numerator, v.denominator]), (lambda v: Fraction(v[0], v[1]))
    if hint is ir.Unit:
        return (lambda v: base64.b64encode(ir.encode(v)).decode(), lambda v: ir.decode(base64.b64decode(v)))
    if isinstance(hint, type) and issubclass(hint, Enum):
        members = {member.value: member for member in hint}
        return (lambda v: v.value), (lambda v: members[v])
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _record(hint)
    origin = typing.get_origin(hint)
    args = typing.get_args(hint)
    if origin in (tuple, frozenset):
        return _sequence(origin, args)
    if origin in (typing.Union, types.UnionType):
        return _union(args)
    raise TypeError(f"the wire knows no {hint!r}")


def _record(cls: type[msgspec.Struct]) -> _Codec:
    """The array of the fields. Most values are what they are: only the others are turned into something, in place."""
    names = cls.__struct_fields__
    encoders: list[tuple[int, Callable[[Any], Any]]] = []
    decoders: list[tuple[int, Callable[[Any], Any]]] = []
    known = False

    def resolve() -> None:
        # late: a field may refer back to this class
        nonlocal known
        hints = typing.get_type_hints(cls)
        parts = [_codec(hints[name]) for name in names]
        encoders.extend((number, part[0]) for number, part in enumerate(parts) if part[0] is not _identity)
        decoders.extend((number, part[1]) for number, part in enumerate(parts) if part[1] is not _identity)
        known = True

    def encode(value: Any) -> Any:
        if not known:
            resolve()
        data = [getattr(value, name) for name in names]
        for number, part in encoders:
            data[number] = part(data[number])
        return data

    def decode(data: Any) -> Any:
        if not known:
            resolve()
        if len(data) != len(names):
            raise ValueError(f"{len(data)} fields")
        for number, part in decoders:
            data[number] = part(data[number])
        return cls(*data)

    return encode, decode


def _sequence(origin: Any, args: tuple[Any, ...]) -> _Codec:
    if origin is frozenset or (len(args) == 2 and args[1] is Ellipsis):
        holder: list[_Codec] = []

        def item() -> _Codec:
            if not holder:
                holder.append(_codec(args[0]))
            return holder[0]

        order = sorted if origin is frozenset else _identity
        return (
            lambda v: [item()[0](x) for x in order(v)] if v else [],
            lambda v: origin(map(item()[1], v)) if v else origin(v),
        )
    codecs = tuple(_codec(arg) for arg in args)
    return (
        lambda v: [c[0](x) for c, x in zip(codecs, v, strict=True)],
        lambda v: tuple([c[1](x) for c, x in zip(codecs, v, strict=True)]),
    )


def _union(args: tuple[Any, ...]) -> _Codec:
    optional = type(None) in args
    choices = tuple(a for a in args if a is not type(None))
    if len(choices) == 1:
        holder: list[_Codec] = []

        def only() -> _Codec:
            if not holder:
                holder.append(_codec(choices[0]))
            return holder[0]

        return (lambda v: None if v is None else only()[0](v), lambda v: None if v is None else only()[1](v))
    by_name = {choice.__name__: choice for choice in choices}

    def encode(value: Any) -> Any:
        if value is None and optional:
            return None
        return [type(value).__name__, _codec(type(value))[0](value)]

    def decode(data: Any) -> Any:
        if data is None and optional:
            return None
        return _codec(by_name[data[0]])[1](data[1])

    return encode, decode

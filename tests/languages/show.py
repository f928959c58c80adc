"""The lowered form as text to compare: S-expressions without places."""

from __future__ import annotations

import json

import msgspec

from subdrift.linter.model import ir

WIDTH = 100
_HIDDEN = {"at", "name_at"}


def show(value: object, indent: int = 0) -> str:
    """`(Call This f [1])`: a record is its kind and its parts. Parts that have their default value are left out, and
    those behind a left-out part are named."""
    head, opening, parts, closing = _split(value)
    line = head + opening + " ".join(show(part) for part in parts) + closing
    if indent + len(line) <= WIDTH or not parts:
        return line
    inner = indent + 2
    lines = [show(part, inner) for part in parts]
    return head + opening + ("\n" + " " * inner).join(lines) + closing


def _split(value: object) -> tuple[str, str, list[object], str]:
    """A value as what is written in front, between its parts and behind; the parts may be texts already."""
    match value:
        case _Named(name, inner):
            head, opening, parts, closing = _split(inner)
            return f"{name}={head}", opening, parts, closing
        case _Word(text):
            return text, "", [], ""
        case tuple():
            return "", "[", list(value), "]"
        case ir.Do(value=inner):
            return _split(inner)
        case ir.Argument(value=inner, name=name, spread=spread):
            head, opening, parts, closing = _split(inner)
            return (f"{name}=" if name else "") + spread + head, opening, parts, closing
        case ir.Const() | ir.Name() | ir.TypeRef():
            return _atom(value), "", [], ""
        case msgspec.Struct():
            parts = _parts(value)
            kind = type(value).__name__
            return ("", f"({kind} ", parts, ")") if parts else (kind, "", [], "")
    return _atom(value), "", [], ""


class _Word(msgspec.Struct):
    text: str


class _Named(msgspec.Struct):
    name: str
    value: object


def _parts(value: msgspec.Struct) -> list[object]:
    parts: list[object] = []
    skipped = False
    for field in msgspec.structs.fields(type(value)):
        if field.name in _HIDDEN:
            continue
        part = getattr(value, field.name)
        if field.default is not msgspec.NODEFAULT and part == field.default and part is not True:
            skipped = True
        elif isinstance(part, bool):
            if part:
                parts.append(_Word(field.name))
        else:
            parts.append(_Named(field.name, part) if skipped else part)
    return parts


def _atom(value: object) -> str:
    match value:
        case ir.Const(value=str(text), char=char):
            return ("'" if char else "") + json.dumps(text, ensure_ascii=False)
        case ir.Const(value=bool(truth)):
            return str(truth).lower()
        case ir.Const(value=None):
            return "null"
        case ir.Const(value=number):
            return repr(number)
        case ir.Name(name=name):
            return name
        case ir.TypeRef(name=name, args=args):
            return name + (f"<{', '.join(map(_atom, args))}>" if args else "")
        case None:
            return "-"
        case "":
            return '""'
    return str(value)

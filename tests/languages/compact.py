"""`ir` records as compact S-expressions, for tests that people read.

A record is `(tag field …)`: fields without default in order, the others as `name=value` where they differ from it; places
are left out. Texts are quoted, names and types are bare, `_` is an absent part, `[…]` a sequence.
"""

from __future__ import annotations

import msgspec

from subdrift.linter.model import ir

_TAGS = {
    "Argument": "arg",
    "Param": "param",
    "FieldDecl": "field",
    "Clause": "for",
    "Case": "case",
    "Catch": "catch",
}
_PLACES = ("at", "name_at")


def show(value: object) -> str:
    """One line for any part of a unit."""
    if value is None:
        return "_"
    if isinstance(value, str):
        return value or "''"
    if isinstance(value, tuple):
        return "[" + " ".join(show(item) for item in value) + "]"
    if isinstance(value, ir.Const):
        word = value.value is None or isinstance(value.value, bool)
        shown = {"True": "true", "False": "false", "None": "null"}[str(value.value)] if word else None
        return (shown or repr(value.value)) + ("c" if value.char else "") + ("b" if value.binary else "")
    if isinstance(value, ir.Name):
        return value.name
    if isinstance(value, ir.TypeRef):
        return value.name + ("<" + ",".join(show(item) for item in value.args) + ">" if value.args else "")
    if isinstance(value, ir.Argument):
        return value.spread + (f"{value.name}=" if value.name else "") + show(value.value)
    if isinstance(value, ir.Do):
        return show(value.value)
    if isinstance(value, msgspec.Struct):
        return _record(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _record(value: msgspec.Struct) -> str:
    config = type(value).__struct_config__
    parts = [
        str(config.tag)
        if config.tag is not None
        else _TAGS.get(type(value).__name__, type(value).__name__.lower())
    ]
    for field in msgspec.structs.fields(type(value)):
        if field.name in _PLACES:
            continue
        content = getattr(value, field.name)
        if field.required:
            parts.append(show(content))
        elif content != field.default:
            parts.append(f"{field.name}={show(content)}")
    return "(" + " ".join(parts) + ")"


def show_body(statements: tuple[ir.Stmt, ...]) -> str:
    """A line for each statement."""
    return "\n".join(show(statement) for statement in statements)

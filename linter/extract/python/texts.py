"""Pure functions on symbolic texts: what Python's operators and methods make of them."""

from __future__ import annotations

import ast
import string
from collections.abc import Sequence

from linter.extract.python.scope import is_none
from linter.model.expr import (
    Argument,
    Call,
    Concat,
    Entries,
    EnvVar,
    Expr,
    Items,
    Literal,
    Unknown,
    Why,
)
from linter.model.location import Span

FILE = "builtin:file"
"""The path of the file itself, as a call without arguments."""


def evaluated(source: str) -> str | bytes:
    try:
        value = ast.literal_eval(source)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return "\ufffd"
    return value if isinstance(value, str | bytes) else "\ufffd"


def concat(parts: Sequence[Expr], at: Span) -> Expr:
    """Texts one after the other; neighbouring literals become one when they are all there is."""
    flat: list[Expr] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Concat) else (part,))
    if not flat:
        return Literal("", at)
    texts = [part.text for part in flat if isinstance(part, Literal)]
    if len(texts) == len(flat):
        return Literal("".join(texts), at)
    return flat[0] if len(flat) == 1 else Concat(tuple(flat), at)


def either(left: Expr, right: Expr, at: Span) -> Expr:
    """`left or right`: a fallback for a setting that is absent, a choice otherwise."""
    if isinstance(left, EnvVar) and left.default is None:
        return EnvVar(left.name, right, left.at)
    if isinstance(left, Call) and left.candidates == ("builtin:getitem",) and len(left.args) == 2:
        return Call(left.candidates, (*left.args, Argument(right)), left.at)
    if is_none(left):
        return right
    if isinstance(left, Literal) and left.text:
        return left
    return Call(("builtin:or",), (Argument(left), Argument(right)), at)


def percent(template: Literal, right: Expr, at: Span) -> Expr:
    """`"…%s…" % values` for plain `%s` and `%d`."""
    parts: list[Expr] = []
    given = list(right.items) if isinstance(right, Items) else [right]
    named = (
        {key.text: value for key, value in right.entries if isinstance(key, Literal)}
        if isinstance(right, Entries)
        else {}
    )
    text = template.text
    position = index = 0
    literal = ""
    while position < len(text):
        char = text[position]
        if char != "%":
            literal += char
            position += 1
            continue
        if text[position : position + 2] == "%%":
            literal += "%"
            position += 2
            continue
        value: Expr | None = None
        if text[position + 1 : position + 2] == "(":
            end = text.find(")", position)
            value = named.get(text[position + 2 : end]) if end > 0 else None
            kind = text[end + 1 : end + 2]
            position = end + 2
        else:
            kind = text[position + 1 : position + 2]
            value = given[index] if index < len(given) else None
            index += 1
            position += 2
        if value is None or kind not in ("s", "d", "i"):
            return Unknown(Why.UNSUPPORTED, "a % format", at)
        parts += [Literal(literal, at), value]
        literal = ""
    parts.append(Literal(literal, at))
    return concat([part for part in parts if not (isinstance(part, Literal) and not part.text)], at)


def formatted(template: Literal, args: tuple[Argument, ...], at: Span) -> Expr:
    """`"…{}…".format(…)` for fields without format specification."""
    plain = [argument.value for argument in args if not argument.name]
    named = {argument.name: argument.value for argument in args if argument.name}
    parts: list[Expr] = []
    index = 0
    try:
        fields = list(string.Formatter().parse(template.text))
    except ValueError:
        return Unknown(Why.UNSUPPORTED, "a format", at)
    for literal, name, spec, conversion in fields:
        if literal:
            parts.append(Literal(literal, at))
        if name is None:
            continue
        value: Expr | None
        if name == "":
            value = plain[index] if index < len(plain) else None
            index += 1
        elif name.isdecimal():
            value = plain[int(name)] if len(name) < 4 and int(name) < len(plain) else None
        else:
            value = named.get(name)
        if value is None or spec or conversion:
            return Unknown(Why.UNSUPPORTED, "a format", at)
        parts.append(value)
    return concat(parts, at)


def concat_path(parts: list[Expr], at: Span) -> Expr:
    """`os.path.join`."""
    joined: list[Expr] = []
    for index, part in enumerate(parts):
        if index:
            joined.append(Literal("/", at))
        joined.append(part)
    return concat(joined, at)


def parent(path: Expr, at: Span) -> Expr:
    """`os.path.dirname`: of the file itself `.`, of that `..`."""
    if isinstance(path, Call) and path.candidates == (FILE,):
        return Literal(".", at)
    if isinstance(path, Literal):
        if path.text == ".":
            return Literal("..", at)
        if path.text.endswith(".."):
            return Literal(path.text + "/..", at)
        return Literal(path.text.rpartition("/")[0], at)
    return Unknown(Why.UNSUPPORTED, "a path", at)

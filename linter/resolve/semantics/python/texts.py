"""Python's texts: methods, `%`, `format` and f-strings, on texts that may hold gaps and configuration keys."""

from __future__ import annotations

import codecs
import re
import string
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import told
from subdrift.linter.resolve.execute.guards import CROWDED, UNSET, Diagram, apply, crowded, pick, under
from subdrift.linter.resolve.execute.handed import beyond
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    TEXT_MAX,
    Gap,
    Guarded,
    Key,
    Object,
    Text,
    Unknown,
    join,
    text,
)
from subdrift.linter.resolve.semantics.python.concrete import (
    PARTS_MAX,
    NotKnown,
    computed,
    concrete,
    steps_of,
    unknown_from,
)
from subdrift.linter.resolve.semantics.python.equality import plain
from subdrift.linter.resolve.semantics.python.natives import METHODS, Call

_PURE = frozenset(
    """
    capitalize casefold count endswith expandtabs find index isalnum isalpha isascii isdecimal isdigit isidentifier
    islower isnumeric isprintable isspace istitle isupper lower lstrip partition removeprefix removesuffix replace rfind
    rindex rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper
    """.split()  # noqa: SIM905
)
_CODECS = frozenset(
    {
        "ascii",
        "gb18030",
        "gb2312",
        "gbk",
        "iso8859-1",
        "utf-16",
        "utf-16-be",
        "utf-16-le",
        "utf-8",
        "utf-8-sig",
    }
)
"""Encodings that cost no more than a text is long."""
_SIZED = frozenset({"center", "ljust", "rjust", "zfill"})
_FIELD = re.compile(r"(^[^.\[]*)|([.\[])([^.\[\]]*)\]?")
_PERCENT = re.compile(r"%(\((.*?)\))?([#0\- +.1-9]*)(.?)", re.DOTALL)
_FIELD_MAX = 1_000
"""Width and precision of a formatted field."""


def as_text(value: Any) -> Text | None:
    """A value that can only be a text, None for one of another type."""
    if isinstance(value, Text):
        return value
    if isinstance(value, Unknown):
        return Text((Gap(value.why, value.detail, value.symbol),), value.steps)
    if isinstance(value, Object) and isinstance(value.fields.get("<plain>"), Text):
        found = value.fields["<plain>"]
        assert isinstance(found, Text)
        return found
    return None


Show = Callable[[Any], Text]
"""`str(value)` of any value."""
Write = Callable[[Any, str, str], Text]
"""A value in a field, with a conversion and a format."""
Read = Callable[[Any, str | int, bool], Guarded]
"""The attribute (True) or element (False) of a value."""


def encoded(call: Call, leaf: Text, encoding: Guarded, errors: Guarded) -> Guarded:
    """The bytes of a text, held as Latin-1; those of one that is not known hold that text, which `decoded` gives back."""
    if leaf.known is None:
        return call.make("bytes", **{"<text>": leaf})
    return computed(call.run, _encode, call.at, leaf, encoding, errors, detail="encode()")


def decoded(call: Call, leaf: Object) -> Guarded:
    """The text of bytes."""
    held = leaf.fields["<text>"]
    if isinstance(held, Text) and held.known is None:
        return held
    given = (call.get(0, "encoding", text("utf-8")), call.get(1, "errors", text("strict")))
    return computed(call.run, _decode, call.at, leaf, *given, detail="decode()")


METHODS["bytes.decode"] = decoded


def _encode(value: str, encoding: str, errors: str) -> bytes:
    return value.encode(_codec(encoding), errors)


def _decode(value: bytes, encoding: str, errors: str) -> str:
    return value.decode(_codec(encoding), errors)


def _codec(name: str) -> str:
    found = codecs.lookup(name).name
    if found not in _CODECS:
        raise NotKnown
    return found


def _method(call: Call, leaf: Text, name: str) -> Guarded:
    """`leaf.name(…)`."""
    run, arguments, at = call.run, call.arguments, call.at

    def write(value: Any, conversion: str, spec: str) -> Text:
        return call.python.formatted(run, value, conversion, text(spec))

    def read(value: Any, key: str | int, is_attribute: bool) -> Guarded:
        return call.python.read_field(run, value, key, is_attribute, call.frame)

    values = [*arguments.values, *arguments.names.values()]
    if name == "format":
        return formatted(run, leaf, arguments, write, read)
    if name == "format_map" and len(values) == 1 and isinstance(values[0], Object):
        names = {
            each: call.python.element(run, values[0], text(each), call.frame, at)
            for each in _names_in(leaf.known or "")
        }
        return formatted(run, leaf, Arguments([], names), write, read)
    if name == "join" and len(values) == 1:
        return _join(run, leaf, values[0])
    if name == "encode":
        return encoded(
            call, leaf, call.get(0, "encoding", text("utf-8")), call.get(1, "errors", text("strict"))
        )
    if name in _PURE or (
        name in _SIZED and values and isinstance(values[0], int) and values[0] <= _FIELD_MAX
    ):
        if leaf.known is None and name in ("strip", "lstrip", "rstrip") and not values:
            bare = _bare(leaf)
            if bare is not None:
                return bare
        keywords = list(arguments.names)

        def called(own: str, *given: Any) -> Any:
            count = len(given) - len(keywords)
            return getattr(own, name)(*given[:count], **dict(zip(keywords, given[count:], strict=True)))

        return computed(run, called, at, leaf, *values, detail=f"{name}()")
    return unknown_from((leaf, *values), f"{name}()")


for _name in (*sorted(_PURE | _SIZED), "format", "format_map", "join", "encode"):
    METHODS[f"builtins.str.{_name}"] = partial(_method, name=_name)


def _bare(leaf: Text) -> Text | None:
    """A text without the white space around it, as far as that can be seen: what is configured has none, a default is
    stripped. None where an end is unknown or blank."""
    parts = list(leaf.parts)
    for index in {0, len(parts) - 1}:
        part = parts[index]
        if isinstance(part, str):
            if part != (part.lstrip() if index == 0 else part.rstrip()):
                return None
        elif not isinstance(part, Key):
            return None
        elif len(parts) == 1 and part.default is not None and part.default.known is not None:
            default = part.default
            parts[index] = Key(
                part.key, text(part.default.known.strip(), default.steps, frame=default.frame), part.variable
            )
    return Text(tuple(parts), leaf.steps, leaf.char, leaf.frame)


def _join(run: Interpreter, leaf: Text, items: Guarded) -> Guarded:
    if isinstance(items, tuple):
        parts = list(items)
    elif (
        isinstance(items, Object)
        and beyond(items) is None
        and (items.items is not None or items.entries is not None)
    ):
        pairs = items.items if items.items is not None else [(e.guard, e.key) for e in items.entries or ()]
        pairs = [(under(guard, run.guard), under(item, run.guard)) for guard, item in pairs]
        if any(guard is not True or isinstance(item, Diagram) for guard, item in pairs):
            return _joined_under_guards(leaf, pairs)
        parts = [item for _, item in pairs]
    elif isinstance(items, Text) and items.known is not None:
        parts = [text(character, items.steps) for character in items.known]
    else:
        return unknown_from((leaf, items), "join()")
    pieces: list[Text] = []
    for index, part in enumerate(parts):
        piece = None if isinstance(part, Diagram) else as_text(part)
        if piece is None:
            return unknown_from((leaf, part), "join()")
        pieces += [leaf, piece] if index else [piece]
    return run.wrote(join(pieces)) if pieces else text("", leaf.steps)


def _joined_under_guards(leaf: Text, pairs: list[tuple[Guarded, Guarded]]) -> Guarded:
    """Texts of which some are there under a guard only."""
    found: Guarded = None  # nothing so far
    for guard, item in pairs:

        def more(so_far: Any, part: Any) -> Any:
            piece = as_text(part)
            if isinstance(so_far, Unknown) or piece is None:
                return unknown_from((part,), "join()")
            return piece if so_far is None else join([so_far, leaf, piece])

        found = pick(guard, apply(more, found, item), found)
        if crowded(found):
            return CROWDED
    return apply(lambda each: text("") if each is None else each, found)


def shown_plain(value: Any) -> Text | None:
    """`str(value)` where no class of the program decides it; None for other objects."""
    if isinstance(value, Text):
        return value
    if isinstance(value, bool | int | float) or value is None:
        return text(str(value))
    if isinstance(value, Unknown):
        return Text((Gap(value.why, value.detail, value.symbol),), value.steps)
    if isinstance(value, tuple) or (isinstance(value, Object) and value.declared is None):
        if not _has_literal(value, [PARTS_MAX]):
            return None
        try:
            return text(str(concrete(value))[:TEXT_MAX], steps_of(value))
        except NotKnown:
            return None
    return None


_LITERALS: Final = frozenset({"list", "range", "dict", "bytes", "tuple", "keys", "values", "items"})


def _has_literal(value: Any, left: list[int]) -> bool:
    """Whether `str` shows a value as a literal that is the same in each version and run: a set has no order."""
    left[0] -= 1
    if left[0] < 0:
        return False
    if isinstance(value, tuple):
        return all(_has_literal(each, left) for each in value)
    if not isinstance(value, Object):
        return True
    if value.type in ("set", "frozenset"):
        return value.type == "set" and len(value.items or ()) == 1
    inner = [item for _, item in value.items or ()] + [entry.value for entry in value.entries or ()]
    return value.type in _LITERALS and all(_has_literal(each, left) for each in inner)


def format_value(value: Any, conversion: str, spec: str, show: Show) -> Text:
    """`{value!conversion:spec}`; `show` gives the text of any value."""
    if not conversion and not spec:
        if (
            isinstance(value, Object)
            and value.constant
            and value.fields.get("<format>") is None
            and "<plain>" in value.fields
        ):
            return Text(
                (Gap(Why.UNSUPPORTED, phrase("python-versions-format-this-enumeration-differently")),)
            )
        return show(value)
    if _width(spec) > _FIELD_MAX:
        return Text((Gap(Why.TOO_MANY, phrase("very-wide-field")),))
    try:
        known = concrete(value)
        if conversion:
            known = {"r": repr, "a": ascii}.get(conversion, str)(known)
        return text(format(known, spec), steps_of(value))
    except (NotKnown, ValueError, TypeError):
        if isinstance(value, Text) and conversion in ("", "s") and spec in ("", "s"):
            return value
        gap = unknown_from((value,), phrase("format"))
        return Text((Gap(gap.why, gap.detail, gap.symbol),), steps_of(value))


def _width(spec: str) -> int:
    digits = "".join(character if character.isdecimal() else " " for character in spec).split()
    return max((int(each[:9]) for each in digits), default=0)


def formatted(run: Interpreter, template: Text, arguments: Arguments, write: Write, read: Read) -> Guarded:
    """`template.format(…)`."""
    if template.known is None or arguments.open is not None:
        return unknown_from((template, *arguments.values, *arguments.names.values()), "format()")
    pieces: list[Text] = []
    index = 0
    try:
        fields = list(string.Formatter().parse(template.known))
    except ValueError:
        return Unknown(Why.DYNAMIC, phrase("format"))
    numbered = {
        name[:1].isdigit() for _, name, _, _ in fields if name is not None and (not name or name[0].isdigit())
    }
    if len(numbered) > 1:  # "{} {0}"
        run.throw(run.make(None, "builtins.ValueError", None))
        return UNSET
    for literal, name, spec, conversion in fields:
        if literal:
            pieces.append(text(literal, template.steps))
        if name is None:
            continue
        if name == "" or name[0] in ".[":
            name, index = f"{index}{name}", index + 1
        if "{" in (spec or ""):
            rest = Arguments(arguments.values[index:], arguments.names)
            inner = formatted(run, text(spec or ""), rest, write, read)
            if not isinstance(inner, Text) or inner.known is None:
                return Unknown(Why.DYNAMIC, phrase("format"))
            spec = inner.known
        value = _field(name, arguments, read)
        if isinstance(value, Diagram):
            return Unknown(Why.UNSUPPORTED, phrase("format-of-alternatives"))
        pieces.append(write(value, conversion or "", spec or ""))
    return join(pieces) if pieces else template


def _names_in(template: str) -> list[str]:
    """The names that the fields of a template begin with, those in the formats of other fields too."""
    found: list[str] = []
    try:
        for _, name, spec, _ in string.Formatter().parse(template):
            if name:
                found.append(_FIELD.findall(name)[0][0])
            if spec and "{" in spec:
                found += _names_in(spec)
    except ValueError:
        return []
    return found


def _field(name: str, arguments: Arguments, read: Read) -> Guarded:
    """The value of `0`, `name`, `0.attribute`, `name[key]`."""
    pieces = _FIELD.findall(name)
    first = int(pieces[0][0]) if pieces[0][0].isdecimal() else pieces[0][0]
    rest = [
        (kind == ".", int(key) if kind == "[" and key.isdecimal() else key) for _, kind, key in pieces[1:]
    ]
    if isinstance(first, int):
        value = (
            arguments.values[first]
            if first < len(arguments.values)
            else Unknown(Why.DYNAMIC, phrase("format"))
        )
    else:
        value = arguments.names.get(first, Unknown(Why.DYNAMIC, phrase("format-without", first)))
    for is_attribute, key in rest:
        value = (
            Unknown(Why.UNSUPPORTED, phrase("format"))
            if isinstance(value, Diagram)
            else read(value, key, is_attribute)
        )
    return value


def percent(template: Text, given: Any, show: Show) -> Guarded:
    """`template % given`."""
    if template.known is None:
        return unknown_from((template, given), phrase("percent-format"))
    values = list(given) if isinstance(given, tuple) else [given]
    names = (
        {e.key.known: e.value for e in given.entries if isinstance(e.key, Text) and e.key.known is not None}
        if isinstance(given, Object) and given.entries is not None
        else {}
    )
    unknown = unknown_from((template, given), phrase("percent-format"))
    pieces: list[Text] = []
    position = index = 0
    for match in _PERCENT.finditer(template.known):
        pieces.append(text(template.known[position : match.start()], template.steps))
        position = match.end()
        is_named, name, flags, kind = match.groups()
        if kind == "%":
            pieces.append(text("%"))
            continue
        if (name not in names) if is_named else index >= len(values):
            return unknown
        value = names[name] if is_named else values[index]
        index += not is_named
        if isinstance(value, Diagram) or _width(flags) > _FIELD_MAX:
            return Unknown(Why.UNSUPPORTED, phrase("percent-format"))
        piece = _field_of(value, flags, kind, show)
        if piece is None:
            return unknown
        pieces.append(piece)
    pieces.append(text(template.known[position:], template.steps))
    return join([piece for piece in pieces if piece.parts] or [text("")])


def _field_of(value: Any, flags: str, kind: str, show: Show) -> Text | None:
    """A value as one field of a format shows it; None for a kind of field that there is none of."""
    if kind == "s" and not flags:
        return show(value)
    value = show(value) if kind == "s" else plain(value)
    try:
        return text(f"%{flags}{kind}" % (concrete(value),), steps_of(value))
    except (NotKnown, ValueError, TypeError):
        if kind not in "sdiufFgGeExXr":
            return None
        gap = unknown_from((value,), phrase("percent-format"))
        return Text((Gap(gap.why, gap.detail, gap.symbol),), steps_of(value))


def is_of_environment(run: Interpreter, key: Guarded, at: Location | None) -> bool:
    """Whether a key is a text of which the environment says what it is."""
    return isinstance(key, Text) and key.known is None and told(run, key, at) is not None


def of_key(run: Interpreter, key: Guarded, at: Location | None, found: Callable[[Any], Guarded]) -> Guarded:
    """What stands under a key, one of which the environment says what it is as the texts that it is there: what stands
    under its default holds where nothing else is said."""
    known = told(run, key, at) if isinstance(key, Text) and key.known is None else None
    if known is None:
        return run.over(key, found)

    def one(each: Any) -> Guarded:
        step = each.steps[0] if isinstance(each, Text) and each.steps else None
        value = found(each)
        if step is None or not step.default:
            return value
        return apply(
            lambda leaf: (
                Text(leaf.parts, (step, *leaf.steps), leaf.char, leaf.frame)
                if isinstance(leaf, Text)
                else leaf
            ),
            value,
        )

    return run.over(known, one)

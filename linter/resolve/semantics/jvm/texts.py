"""The methods of `String` and its formatting."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import later
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    TEXT_MAX,
    Gap,
    Key,
    LibraryConstant,
    Part,
    Text,
    Unknown,
    join,
    text,
)
from subdrift.linter.resolve.semantics.jvm.operators import equal, number_text
from subdrift.linter.text.patterns import COST_MAX, affordable

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

_NUMBER_MAX = 4
"""Characters of a width, precision or position in a format; nobody means a longer one."""

_SPECIFIER = re.compile(r"%(\d+\$)?([-#+ 0,(]*)(\d+)?(\.\d+)?([a-zA-Z%])")


def text_method(java: Java, run: Interpreter, leaf: Text, name: str, args: list[Any]) -> Any:
    """`leaf.name(args)`; a tuple stands for an array, NotImplemented for what is not computed here."""
    match name:
        case "toString" | "intern" if leaf.known is None:
            return leaf
        case "strip" | "trim" if leaf.known is None and any(isinstance(part, Gap) for part in leaf.parts):
            return _stripped(leaf)
        case "equals" | "contentEquals" if args:
            return equal(leaf, args[0])
        case "concat" if args:
            return join([leaf, java.shown(run, args[0])])
        case "equalsIgnoreCase" if args:
            return _ignoring_case(leaf, args[0])
        case "formatted":
            return format_text(java, run, leaf, args)
        case "isEmpty" | "isBlank" if len(leaf.parts) == 1 and isinstance(leaf.parts[0], Key):
            return Test("filled" if name == "isEmpty" else "written", (leaf,), negated=True)
        case "isEmpty" | "isBlank" if leaf.known is None and any(
            isinstance(p, str) and p.strip() for p in leaf.parts
        ):
            return False
        case "startsWith" if (
            leaf.known is None and args and isinstance(args[0], Text) and args[0].known is not None
        ):
            first = leaf.parts[0]
            if isinstance(first, str) and len(first) >= len(args[0].known):
                return first.startswith(args[0].known)
    known = leaf.known
    if known is None and any(isinstance(part, Key) for part in leaf.parts):
        return _later(leaf, name, args)
    if known is None or not all(_usable(arg) for arg in args):
        return NotImplemented
    values = [arg.known if isinstance(arg, Text) else arg for arg in args]
    if any(isinstance(value, LibraryConstant) for value in values):
        values = [value for value in values if not isinstance(value, LibraryConstant)]  # a Locale
    result = _compute(known, name, values)
    if result is NotImplemented:
        return NotImplemented
    if isinstance(result, str):
        if len(result) > TEXT_MAX:
            return Text(
                (Gap(Why.TOO_MANY, phrase("text-of-more-than-characters", f"{TEXT_MAX:,}")),), leaf.steps
            )
        return run.wrote(text(result, leaf.steps, char=name == "charAt", frame=leaf.frame))
    if isinstance(result, list):
        run.work(len(result))
        return tuple(text(each, leaf.steps, frame=leaf.frame) for each in result)
    return result


_WAITING = {"toLowerCase": "lower", "toUpperCase": "upper", "trim": "trim", "strip": "trim"}


def _later(leaf: Text, name: str, args: list[Any]) -> Any:
    """A method of a text with keys, done in each environment."""
    if any(isinstance(part, Gap) for part in leaf.parts):
        return NotImplemented
    if name in _WAITING:
        return later(leaf, _WAITING[name])
    known = [arg.known for arg in args if isinstance(arg, Text)]
    if name == "replace" and len(known) == 2 and known[0] is not None and known[1] is not None:
        return later(leaf, "replace", known[0], known[1])
    return NotImplemented


def _usable(arg: Any) -> bool:
    if isinstance(arg, Text):
        return arg.known is not None
    return isinstance(arg, int | LibraryConstant)


def _stripped(leaf: Text) -> Text:
    """A text with gaps loses the white space at its known ends; a gap's own ends are unchanged."""
    parts: list[Part] = list(leaf.parts)
    if parts and isinstance(parts[0], str):
        parts[0] = parts[0].lstrip()
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip()
    return Text(tuple(part for part in parts if part != ""), leaf.steps, False, leaf.frame)


def _ignoring_case(leaf: Text, other: Any) -> bool | Test:
    if isinstance(other, Text):
        return equal(_lowered(leaf), _lowered(other))
    if isinstance(other, Unknown):
        return equal(_lowered(leaf), other)
    return False


def _lowered(leaf: Text) -> Text:
    """In lower case; a text with gaps stays what it is."""
    if leaf.known is not None:
        return text(leaf.known.lower(), leaf.steps)
    return leaf if any(isinstance(part, Gap) for part in leaf.parts) else later(leaf, "lower")


def _compute(known: str, name: str, values: list[Any]) -> Any:
    """A method of a known text with known arguments."""
    for answer in (_piece, _place):
        found = answer(known, name, values)
        if found is not NotImplemented:
            return found
    match name, values:
        case ("toString" | "intern", []):
            return known
        case ("length", []):
            return len(known)
        case ("isEmpty", []):
            return not known
        case ("isBlank", []):
            return not known.strip()
        case ("regionMatches", [int(start), str(other), int(begin), int(size)]):
            return known[start : start + size] == other[begin : begin + size]
        case ("regionMatches", [bool(folds), int(start), str(other), int(begin), int(size)]):
            one, two = known[start : start + size], other[begin : begin + size]
            return one.lower() == two.lower() if folds else one == two
        case ("compareTo", [str(other)]):
            return compared(known, other)
        case ("compareToIgnoreCase", [str(other)]):
            return compared(known.upper().lower(), other.upper().lower())
        case ("hashCode", []):
            return java_hash(known)
        case ("split", [str(pattern)]):
            return split(known, pattern, 0)
        case ("split", [str(pattern), int(limit)]):
            return split(known, pattern, limit)
        case ("matches", [str(pattern)]):
            return _matches(pattern, known)
    return NotImplemented


def _piece(known: str, name: str, values: list[Any]) -> Any:
    """A text made of a known one."""
    match name, values:
        case ("trim" | "strip", []):
            return known.strip()
        case ("stripLeading", []):
            return known.lstrip()
        case ("stripTrailing", []):
            return known.rstrip()
        case ("toLowerCase", _):
            return known.lower()
        case ("toUpperCase", _):
            return known.upper()
        case ("charAt", [int(index)]):
            return known[index] if 0 <= index < len(known) else NotImplemented
        case ("substring" | "subSequence", [int(start)]) if 0 <= start <= len(known):
            return known[start:]
        case ("substring" | "subSequence", [int(start), int(end)]) if 0 <= start <= end <= len(known):
            return known[start:end]
        case ("replace", [str(old), str(new)]):
            return replaced(known, old, new)
        case ("replaceAll" | "replaceFirst", [str(old), str(new)]):
            return _replaced(known, old, new, name)
        case ("repeat", [int(count)]) if 0 <= count * max(1, len(known)) <= TEXT_MAX:
            return known * count
    return NotImplemented


def _place(known: str, name: str, values: list[Any]) -> Any:
    """Where something stands in a known text, and whether it does."""
    match name, values:
        case ("startsWith", [str(prefix)]):
            return known.startswith(prefix)
        case ("startsWith", [str(prefix), int(offset)]):
            return known.startswith(prefix, offset)
        case ("endsWith", [str(suffix)]):
            return known.endswith(suffix)
        case ("contains", [str(part)]):
            return part in known
        case ("indexOf", [str(part)]):
            return known.find(part)
        case ("indexOf", [str(part), int(start)]):
            return known.find(part, start)
        case ("indexOf" | "lastIndexOf", [int(code), *rest]) if 0 <= code < 0x110000:
            return _place(known, name, [chr(code), *rest])
        case ("lastIndexOf", [str(part)]):
            return known.rfind(part)
        case ("lastIndexOf", [str(part), int(start)]):
            return known.rfind(part, 0, start + len(part)) if start >= 0 else -1
        case ("codePointAt", [int(index)]) if 0 <= index < len(known):
            return ord(known[index])
    return NotImplemented


def replaced(known: str, old: str, new: str) -> str:
    """`String.replace`; a text of more than `TEXT_MAX` characters is as good as any other."""
    if len(known) + known.count(old) * (len(new) - len(old)) > TEXT_MAX:
        return "x" * (TEXT_MAX + 1)
    return known.replace(old, new)


def edited(known: str, name: str, values: list[Any]) -> str | None:
    """What a method of `StringBuilder` makes of its text; None where it throws, or the text would be too long."""
    size = len(known)
    match name, values:
        case ("reverse", []):
            return known[::-1]
        case ("setLength", [int(length)]) if 0 <= length <= TEXT_MAX:
            return known[:length].ljust(length, "\0")
        case ("deleteCharAt", [int(at)]) if 0 <= at < size:
            return known[:at] + known[at + 1 :]
        case ("delete", [int(start), int(end)]) if 0 <= start <= min(end, size):
            return known[:start] + known[end:]
        case ("setCharAt", [int(at), str(new)]) if 0 <= at < size:
            return known[:at] + new + known[at + 1 :]
        case ("replace", [int(start), int(end), str(new)]) if 0 <= start <= min(end, size):
            return known[:start] + new + known[end:]
    return None


_SIMPLE_PATTERN = re.compile(
    r"(?:[^\\.^$*+?()\[\]{}|]|\\[^a-zA-Z0-9]|\\[swdSWDnrtf]|\[(?:[^\]\\&\[]|\\[^a-zA-Z0-9]|\\[swdSWD])*\]|[*+?|.$^()]|\}|\]|\{\d{1,3}(?:,\d{0,3})?\})*"
)

SPLIT_MAX = 200
"""Characters a text of configuration is expected to have that a pattern takes apart."""


def pattern_of(pattern: str, known: str) -> re.Pattern[str] | None:
    """A Java pattern where Python's means the same and cannot take long on a text."""
    pattern = _QUOTED.sub(lambda quoted: re.escape(quoted[1]), pattern)
    if pattern == r"\R":
        return re.compile("\r\n|[\n\x0b\x0c\r\x85\u2028\u2029]")
    if len(pattern) > 100 or not affordable(pattern, len(known)) or not _SIMPLE_PATTERN.fullmatch(pattern):
        return None
    try:
        return re.compile(_NAMED.sub("(?P<", pattern), re.ASCII)
    except re.error:
        return None


_QUOTED = re.compile(r"\\Q(.*?)\\E", re.DOTALL)
"""A stretch that is meant as it is written."""

_NAMED = re.compile(r"\(\?<(?=\w)")
"""A group with a name."""


def is_plain_pattern(pattern: str) -> bool:
    """Whether a Java pattern means the same here and cannot take long."""
    return pattern_of(pattern, " " * SPLIT_MAX) is not None and "(" not in pattern


def _matches(pattern: str, known: str) -> Any:
    compiled = pattern_of(pattern, known)
    return NotImplemented if compiled is None else compiled.fullmatch(known) is not None


def _replaced(known: str, pattern: str, new: str, name: str) -> Any:
    compiled = pattern_of(pattern, known)
    groups = _GROUP.findall(new)
    plain = _GROUP.sub("", new)
    if compiled is None or len(new) * len(known) > COST_MAX or "$" in plain or "\\" in plain:
        return NotImplemented
    if any(int(group) > compiled.groups for group in groups):
        return NotImplemented

    def one(match: re.Match[str]) -> str:
        return _GROUP.sub(lambda group: match[int(group[1])] or "", new)

    return compiled.sub(one, known, count=0 if name == "replaceAll" else 1)


_GROUP = re.compile(r"\$(\d)(?!\d)")
"""A group in a replacement."""


def split(known: str, pattern: str, limit: int) -> Any:
    """`String.split`: trailing empty parts go unless a limit keeps them."""
    compiled = pattern_of(pattern, known)
    if compiled is None:
        return NotImplemented
    if not known:
        return [""]
    parts = compiled.split(known, maxsplit=max(0, limit - 1) if limit > 0 else 0)
    if compiled.groups:
        return NotImplemented
    if parts and parts[0] == "" and pattern == "":
        parts = parts[1:]
    if limit == 0:
        while len(parts) > 1 and not parts[-1]:
            parts.pop()
        if parts == [""] and known:
            return []
    return parts


def compared(one: str, other: str) -> int:
    """`String.compareTo`: how far the first characters are apart that differ, or the lengths."""
    units = [memoryview(each.encode("utf-16-le", "surrogatepass")).cast("H") for each in (one, other)]
    return next((a - b for a, b in zip(*units, strict=False) if a != b), len(units[0]) - len(units[1]))


def java_hash(known: str) -> int:
    """`String.hashCode` over UTF-16 units."""
    found = 0
    data = known.encode("utf-16-be", "surrogatepass")
    for index in range(0, len(data), 2):
        found = (31 * found + (data[index] << 8 | data[index + 1])) & 0xFFFFFFFF
    return found - (1 << 32) if found >= 1 << 31 else found


def format_text(java: Java, run: Interpreter, pattern: Any, args: Sequence[Any]) -> Text:
    """`String.format`: what is not computed becomes a gap."""
    known = pattern.known if isinstance(pattern, Text) else None
    if known is None:
        return Text((Gap(Why.DYNAMIC, phrase("format")),))
    pieces: list[Text] = []
    position = 0
    following = 0
    for match in _SPECIFIER.finditer(known):
        pieces.append(text(known[position : match.start()], pattern.steps))
        position = match.end()
        index, flags, width, precision, conversion = match.groups()
        if any(len(one or "") > _NUMBER_MAX for one in (index, width, precision)):
            return Text((Gap(Why.DYNAMIC, phrase("format")),))
        if conversion == "n":
            pieces.append(text("\n"))
            continue
        if conversion == "%":
            pieces.append(text("%"))
            continue
        number = int(index[:-1]) - 1 if index else following
        if not index:
            following += 1
        if number >= len(args):
            return Text((Gap(Why.DYNAMIC, phrase("format-without-its-argument")),))
        pieces.append(_formatted(java, run, args[number], flags, width, precision, conversion))
    pieces.append(text(known[position:], pattern.steps))
    joined = run.wrote(join(pieces))
    joined.frame = pattern.frame
    return joined


def _formatted(
    java: Java,
    run: Interpreter,
    value: Any,
    flags: str,
    width: str | None,
    precision: str | None,
    conversion: str,
) -> Text:
    how = (flags or "", width or "", precision or "", conversion)
    if conversion in "sS":
        shown = java.shown(run, value)
        if shown.known is None:
            return shown if how == ("", "", "", "s") else _changed(shown, how)
        body = shown.known[: int(precision[1:])] if precision else shown.known
        if conversion == "S":
            body = body.upper()
        return text(_padded(body, flags, width), shown.steps, frame=shown.frame)
    if conversion in "bB" and not isinstance(value, Test | Unknown):
        shown = java.shown(run, value if isinstance(value, bool) else value is not None)
        body = (shown.known or "").upper() if conversion == "B" else shown.known or ""
        return text(_padded(body, flags.replace("0", ""), width))
    if conversion in "cC":
        shown = java.shown(
            run, text(chr(value)) if isinstance(value, int) and 0 <= value < 0x110000 else value
        )
        return text(_padded(shown.known, flags, width)) if shown.known is not None else _changed(shown, how)
    if conversion in "dxXo" and isinstance(value, int) and not isinstance(value, bool):
        base = {"d": "d", "x": "x", "X": "X", "o": "o"}[conversion]
        number = value if value >= 0 or conversion == "d" else value + (1 << 32)
        body = format(number, ("," if "," in flags else "") + base)
        if "+" in flags and value >= 0:
            body = f"+{body}"
        return text(_padded(body, flags, width))
    if conversion == "f" and isinstance(value, int | float) and isfinite(value):
        exact = Decimal(number_text(value)) if isinstance(value, float) else Decimal(value)
        places = int(precision[1:]) if precision else 6
        body = f"{exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, Context(prec=400)):{',' if ',' in flags else ''}f}"
        if "+" in flags and value >= 0:
            body = f"+{body}"
        return text(_padded(body, flags, width))
    if isinstance(value, Unknown) and how == ("", "", "", "d"):
        return java.shown(run, value)
    return _changed(value, how)


def _changed(value: Any, how: tuple[str, ...]) -> Text:
    """What a format makes of a value that is not known: another text than the value, the same for the same value."""
    symbol = symbol_of(value)
    changed = None if symbol is None else ("format", how, symbol)
    parts = value.parts if isinstance(value, Text) else (value,)
    for part in parts:
        if isinstance(part, Gap | Unknown):
            return Text((Gap(part.why, part.detail, changed, part.needs),))
    return Text((Gap(Why.DYNAMIC, f"%{how[-1]}", changed),))


def _padded(body: str, flags: str, width: str | None) -> str:
    if not width or int(width) > 1_000:
        return body
    if "-" in flags:
        return body.ljust(int(width))
    return body.zfill(int(width)) if "0" in flags else body.rjust(int(width))

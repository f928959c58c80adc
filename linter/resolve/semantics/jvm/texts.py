"""The methods of `String` and its formatting."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import later
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
from subdrift.linter.resolve.semantics.jvm.equality import equal
from subdrift.linter.resolve.semantics.jvm.formats import format_text
from subdrift.linter.text.patterns import COST_MAX, affordable

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

Functions = Mapping[str, Callable[..., Any]]
"""Functions of a known text and further arguments, by name."""


def text_method(java: Java, run: Interpreter, leaf: Text, name: str, args: list[Any]) -> Any:
    """`leaf.name(args)`; a tuple stands for an array, NotImplemented for what is not computed here."""
    match name:
        case "toString" | "intern" if leaf.known is None:
            return leaf
        case "strip" | "trim" if leaf.known is None and any(isinstance(part, Gap) for part in leaf.parts):
            return _stripped(leaf)
        case "equals" if len(args) == 1:
            return equal(leaf, args[0])
        case "contentEquals" if len(args) == 1 and isinstance(args[0], Text):
            return equal(leaf, args[0])
        case "concat" if len(args) == 1:
            return join([leaf, java.shown(run, args[0])])
        case "equalsIgnoreCase" if len(args) == 1:
            return _ignoring_case(leaf, args[0])
        case "formatted" if leaf.known is not None:
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
    if name not in _WHOLE and beyond_a_unit(known):
        return NotImplemented
    values = [arg.known if isinstance(arg, Text) else arg for arg in args]
    if any(isinstance(value, LibraryConstant) for value in values):
        values = [value for value in values if not isinstance(value, LibraryConstant)]  # a Locale
    result = computed(_TEXTS, name, known, *values)
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


_WHOLE = frozenset(
    {"toString", "intern", "trim", "strip", "stripLeading", "stripTrailing", "toLowerCase", "toUpperCase", "startsWith",
     "endsWith", "contains", "isEmpty", "isBlank", "compareTo", "hashCode", "replace"}
)  # fmt: skip
"""Methods to which it is the same of how many units a character is."""


def beyond_a_unit(known: str) -> bool:
    """Whether a text has a character that is two of Java's."""
    return not known.isascii() and max(known) > "\uffff"


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


_CONTROLS: Final = "".join(map(chr, range(33)))
"""What `trim` takes away."""

BLANKS: Final = "".join(
    each for each in map(chr, range(0x3001)) if each.isspace() and each not in "\x85\xa0\u2007\u202f"
)
"""What `Character.isWhitespace` says of."""


def computed(functions: Functions, name: str, known: str, *values: Any, **named: Any) -> Any:
    """What a function gives of a known text and known arguments; NotImplemented where there is none, or none for these."""
    function = functions.get(name)
    if function is None:
        return NotImplemented
    try:
        return function(known, *values, **named)
    except (
        TypeError,
        AttributeError,
        IndexError,
        ValueError,
    ):  # another overload, or what the library throws at too
        return NotImplemented


def _at(known: str, index: int) -> str:
    """The character at a place. Raises `IndexError` where there is none."""
    return known[_within(0, index, len(known) - 1)]


def _part(known: str, start: int, end: int | None = None) -> str:
    """`substring`. Raises `IndexError` where a place is not of the text."""
    last = len(known) if end is None else _within(0, end, len(known))
    return known[_within(0, start, last) : last]


def _within(least: int, number: int, most: int) -> int:
    """A number between two others. Raises `IndexError` for another one."""
    if not least <= number <= most:
        raise IndexError(number)
    return number


def _letter(part: str | int) -> str:
    """A text, or the one of a code of a character."""
    return chr(part) if isinstance(part, int) else part


def _last_place(known: str, part: str | int, start: int | None = None) -> int:
    word = _letter(part)
    if start is None:
        return known.rfind(word)
    return known.rfind(word, 0, start + len(word)) if start >= 0 else -1


def _same_region(known: str, *given: Any) -> bool:
    folds, (start, other, begin, size) = (
        (given[0], given[1:]) if isinstance(given[0], bool) else (False, given)
    )
    if min(start, begin) < 0 or start > len(known) - size or begin > len(other) - size:
        return False
    one, two = known[start : start + size], other[begin : begin + size]
    return bool(one.lower() == two.lower() if folds else one == two)


def replaced(known: str, old: str, new: str) -> str:
    """`String.replace`; a text of more than `TEXT_MAX` characters is as good as any other."""
    if len(known) + known.count(old) * (len(new) - len(old)) > TEXT_MAX:
        return "x" * (TEXT_MAX + 1)
    return known.replace(old, new)


BUILDERS: Functions = {
    "reverse": lambda known: known[::-1],
    "setLength": lambda known, length: known[:length].ljust(_within(0, length, TEXT_MAX), "\0"),
    "deleteCharAt": lambda known, at: known[: _within(0, at, len(known) - 1)] + known[at + 1 :],
    "delete": lambda known, start, end: known[: _within(0, start, min(end, len(known)))] + known[end:],
    "setCharAt": lambda known, at, new: known[: _within(0, at, len(known) - 1)] + new + known[at + 1 :],
    "replace": lambda known, start, end, new: (
        known[: _within(0, start, min(end, len(known)))] + new + known[end:]
    ),
}
"""What methods of `StringBuilder` make of its text."""


_SIMPLE_PATTERN = re.compile(
    r"(?:[^\\.^$*+?()\[\]{}|]|\\[^a-zA-Z0-9]|\\[swdSWDnrtfbB1-9]|\[(?:[^\]\\&\[]|\\[^a-zA-Z0-9]|\\[swdSWD])*\]|[*+?|.$^()]|\}|\]|\{\d{1,3}(?:,\d{0,3})?\})*"
)

SPLIT_MAX = 200
"""Characters a text of configuration is expected to have that a pattern takes apart."""


def pattern_of(pattern: str, known: str) -> re.Pattern[str] | None:
    """A Java pattern where Python's means the same and cannot take long on a text."""
    pattern = _QUOTED.sub(lambda quoted: re.escape(quoted[1]), pattern)
    if pattern == r"\R":
        return re.compile("\r\n|[\n\x0b\x0c\r\x85\u2028\u2029]")
    if r"\p{" in pattern or r"\b" in pattern.lower():
        if not known.isascii():
            return None
        pattern = _classes_written(pattern)
    if len(pattern) > PATTERN_MAX or not affordable(pattern, len(known)):
        return None
    if not _SIMPLE_PATTERN.fullmatch(pattern) or (_LINE_ENDS.search(known) and _OF_LINES.search(pattern)):
        return None
    try:
        return re.compile(_NAMED.sub("(?P<", pattern), re.ASCII)
    except re.error:
        return None


PATTERN_MAX = 300
"""Characters of a pattern that is looked for."""

_LINE_ENDS = re.compile("[\r\x85\u2028\u2029]")
_OF_LINES = re.compile(r"(?<!\\)[.$]")
"""What means another thing here where a line ends in another way than by a line feed."""

_CLASSES = {
    "Alpha": "a-zA-Z", "L": "a-zA-Z", "IsAlphabetic": "a-zA-Z", "Digit": "0-9", "N": "0-9", "Nd": "0-9", "IsDigit": "0-9",
    "Alnum": "a-zA-Z0-9", "Upper": "A-Z", "Lu": "A-Z", "Lower": "a-z", "Ll": "a-z", "XDigit": "0-9a-fA-F",
    "Space": r"\t\n\x0b\f\r ", "Punct": r"!-/:-@\[-`{-~", "ASCII": r"\x00-\x7f",
}  # fmt: skip
"""Classes of characters by their names -> which of ASCII they hold."""


def _classes_written(pattern: str) -> str:
    """A pattern with what its named classes hold in place of them; those that nobody knows stay."""
    made, is_inside = [], False
    for token in re.findall(r"\\p\{\w+\}|\\.|.", pattern, re.DOTALL):
        held = _CLASSES.get(token[3:-1]) if len(token) > 3 else None
        is_inside = token == "[" or (is_inside and token != "]")
        made.append(token if held is None else held if is_inside else f"[{held}]")
    return "".join(made)


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


def _replaced(known: str, pattern: str, new: str, count: int) -> Any:
    compiled = pattern_of(pattern, known)
    groups = _GROUP.findall(new)
    plain = _GROUP.sub("", new)
    if compiled is None or len(new) * len(known) > COST_MAX or "$" in plain or "\\" in plain:
        return NotImplemented
    if any(int(group) > compiled.groups for group in groups):
        return NotImplemented

    def one(match: re.Match[str]) -> str:
        return _GROUP.sub(lambda group: match[int(group[1])] or "", new)

    return compiled.sub(one, known, count=count)


_GROUP = re.compile(r"\$(\d)(?!\d)")
"""A group in a replacement."""


def split(known: str, pattern: str, limit: int) -> Any:
    """`String.split`: trailing empty parts go unless a limit keeps them."""
    compiled = pattern_of(pattern, known)
    if compiled is None:
        return NotImplemented
    if not known:
        return [""]
    parts = [known] if limit == 1 else compiled.split(known, maxsplit=max(0, limit - 1))
    if compiled.groups:
        return NotImplemented
    first = compiled.search(known)
    if first is not None and first.end() == 0 and limit != 1:  # nothing before the text is a part of it
        if limit > 0:
            return NotImplemented
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


_TEXTS: Functions = {
    **dict.fromkeys(("toString", "intern"), lambda known: known),
    "trim": lambda known: known.strip(_CONTROLS),
    "strip": lambda known: known.strip(BLANKS),
    "stripLeading": lambda known: known.lstrip(BLANKS),
    "stripTrailing": lambda known: known.rstrip(BLANKS),
    "toLowerCase": lambda known, *_: known.lower(),
    "toUpperCase": lambda known, *_: known.upper(),
    "charAt": _at,
    **dict.fromkeys(("substring", "subSequence"), _part),
    "replace": replaced,
    "replaceAll": lambda known, old, new: _replaced(known, old, new, 0),
    "replaceFirst": lambda known, old, new: _replaced(known, old, new, 1),
    "repeat": lambda known, count: known * _within(0, count, TEXT_MAX // max(1, len(known))),
    "startsWith": lambda known, prefix, offset=0: known.startswith(prefix, offset),
    "endsWith": lambda known, suffix: known.endswith(suffix),
    "contains": lambda known, part: part in known,
    "indexOf": lambda known, part, start=0: known.find(_letter(part), start),
    "lastIndexOf": _last_place,
    "codePointAt": lambda known, index: ord(_at(known, index)),
    "length": len,
    "isEmpty": lambda known: not known,
    "isBlank": lambda known: not known.strip(BLANKS),
    "regionMatches": _same_region,
    "compareTo": compared,
    "compareToIgnoreCase": lambda known, other: compared(known.upper().lower(), other.upper().lower()),
    "hashCode": java_hash,
    "split": lambda known, pattern, limit=0: split(known, pattern, limit),
    "matches": lambda known, pattern: _matches(pattern, known),
}
"""The methods of a text that is known, by name."""

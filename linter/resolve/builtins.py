"""The pure functions of Java and Python that evaluation knows by heart, over texts and collections."""

from __future__ import annotations

import re
from collections.abc import Sequence

from linter.model.consumer import Confidence
from linter.model.expr import Why
from linter.resolve.values import Many, Mapping, Missing, Null, Text, Trail, Val

FORMAT_ARGUMENTS_MAX = 64

TEXT_MAX = 65_536
"""Characters of one text that is put together; the longest selector a broker takes is far below."""

TRAIL_MAX = 64
"""Places told of the way to one text that is put together; the first ones are kept."""

_JAVA_FORMAT = re.compile(r"%(?:(\d+)\$)?([-#+ 0,(]*\d*(?:\.\d+)?)([a-zA-Z%])")
_PYTHON_PERCENT = re.compile(r"%(?:\((\w+)\))?([sdr%])")
_PYTHON_FORMAT = re.compile(r"\{\{|\}\}|\{([\w.]*)(?:![rsa])?(?::[^{}]*)?\}")


def merged(values: Sequence[Val], text: str) -> Text | Missing:
    """A text made from several values: their trails joined, as confident as the least of them."""
    if len(text) > TEXT_MAX:
        return Missing(Why.TOO_MANY, f"a text of more than {TEXT_MAX:,} characters")
    trail: Trail = ()
    confidence = Confidence.HIGH
    default = False
    for value in values:
        if isinstance(value, Text):
            if len(trail) < TRAIL_MAX:
                trail = (trail + value.trail)[:TRAIL_MAX]
            confidence = min(confidence, value.confidence)
            default = default or value.default
    return Text(text, trail, confidence, default)


def missing_in(values: Sequence[Val]) -> Missing | None:
    """The first reason among the values; a value that is no text is one."""
    for value in values:
        if isinstance(value, Missing):
            return value
        if not isinstance(value, Text | Null):
            return Missing(Why.UNSUPPORTED, "a value that is no text")
    return None


def plain(value: Val) -> str:
    match value:
        case Text(text=text):
            return text
        case _:
            return "null"


def method(name: str, target: Val, args: Sequence[Val], keywords: dict[str, Val]) -> Val | None:
    """A method of a text or collection; None when it is not known by heart."""
    match target:
        case Text():
            return _text_method(name, target, args, keywords)
        case Many():
            return _list_method(name, target, args)
        case Mapping():
            return _map_method(name, target, args)
        case _:
            return None


def _text_method(name: str, target: Text, args: Sequence[Val], keywords: dict[str, Val]) -> Val | None:
    if name in ("toString", "intern", "stripIndent", "encode", "decode", "get"):
        return target if not args or name != "get" else None
    simple = {
        "trim": lambda s: s.strip("".join(map(chr, range(33)))),
        "strip": str.strip,
        "toLowerCase": str.lower,
        "lower": str.lower,
        "toUpperCase": str.upper,
        "upper": str.upper,
        "capitalize": str.capitalize,
        "title": str.title,
        "rstrip": str.rstrip,
        "lstrip": str.lstrip,
    }
    if name in simple and not args:
        return merged([target], simple[name](target.text))
    gap = missing_in(args)
    texts = [plain(arg) for arg in args]
    if name in ("concat", "__add__") and len(args) == 1:
        return gap or merged([target, *args], target.text + texts[0])
    if name in ("replace", "replaceAll") and len(args) == 2:
        if gap:
            return gap
        if name == "replaceAll" and re.escape(texts[0]) != texts[0]:
            return None
        return merged([target, *args], target.text.replace(texts[0], texts[1]))
    if name in ("split", "tokenizeToStringArray"):
        return gap or split(target, texts[0] if texts else "")
    if name in ("substring",) and args:
        if gap or not all(text.isdigit() for text in texts):
            return gap
        end = int(texts[1]) if len(texts) > 1 else len(target.text)
        return merged([target], target.text[int(texts[0]) : end])
    if name in ("format", "formatted"):
        if name == "formatted":
            return java_format(target, args)
        return python_format(target, args, keywords)
    if name == "join" and len(args) == 1:
        return join(target, args)
    return None


def split(target: Text, separator: str) -> Val:
    """A text cut at a separator; regular expressions only where they mean themselves."""
    literal = separator
    if separator.startswith("\\") and len(separator) == 2:
        literal = separator[1]
    elif separator in ("\\|\\|",):
        literal = "||"
    elif separator in (",\\s*", "\\s*,\\s*"):
        parts = [part.strip() for part in target.text.split(",")]
        return Many(tuple(merged([target], part) for part in parts), target.trail)
    parts = target.text.split(literal) if literal else target.text.split()
    while len(parts) > 1 and parts[-1] == "":
        parts.pop()
    return Many(tuple(merged([target], part) for part in parts), target.trail)


def join(separator: Val, args: Sequence[Val]) -> Val:
    """`String.join`, `str.join`: a separator between the parts of one collection, or between the arguments."""
    if isinstance(separator, Missing):
        return separator
    parts: Sequence[Val] = args
    if len(args) == 1:
        match args[0]:
            case Many(items=()):
                return Missing(Why.DYNAMIC, "a list that is filled elsewhere")
            case Many(items=items):
                parts = items
            case Mapping(entries=entries):
                parts = [key for key, _ in entries]
    missing = missing_in(parts)
    if missing:
        return missing
    return merged([separator, *parts], plain(separator).join(plain(part) for part in parts))


def java_format(pattern: Val, args: Sequence[Val]) -> Val:
    """`String.format` and `MessageFormat.format` for texts and integers without width or precision."""
    if not isinstance(pattern, Text):
        return pattern if isinstance(pattern, Missing) else Missing(Why.UNSUPPORTED, "format")
    flat: list[Val] = []
    for arg in args[:FORMAT_ARGUMENTS_MAX]:
        flat.extend(arg.items if isinstance(arg, Many) else (arg,))
    if "%" not in pattern.text and re.search(r"\{\d+\}", pattern.text):
        return _message_format(pattern, flat)
    used: list[Val] = [pattern]
    position = 0
    parts: list[str] = []
    last = 0
    for match in _JAVA_FORMAT.finditer(pattern.text):
        parts.append(pattern.text[last : match.start()])
        last = match.end()
        index, flags, kind = match.groups()
        if kind == "%":
            parts.append("%")
            continue
        if kind == "n":
            parts.append("\n")
            continue
        if kind not in "sSd" or flags:
            return Missing(Why.UNSUPPORTED, f"format {match[0]}")
        chosen = int(index) - 1 if index else position
        if not index:
            position += 1
        if chosen >= len(flat):
            return Missing(Why.UNSUPPORTED, "format without enough arguments")
        value = flat[chosen]
        gap = missing_in([value])
        if gap:
            return gap
        used.append(value)
        parts.append(plain(value).upper() if kind == "S" else plain(value))
    parts.append(pattern.text[last:])
    return merged(used, "".join(parts))


def _message_format(pattern: Text, args: Sequence[Val]) -> Val:
    used: list[Val] = [pattern]
    parts: list[str] = []
    last = 0
    for match in re.finditer(r"\{(\d+)\}", pattern.text):
        index = int(match[1])
        if index >= len(args):
            return Missing(Why.UNSUPPORTED, "format without enough arguments")
        gap = missing_in([args[index]])
        if gap:
            return gap
        used.append(args[index])
        parts += [pattern.text[last : match.start()], plain(args[index])]
        last = match.end()
    return merged(used, "".join(parts) + pattern.text[last:])


def percent(pattern: Val, argument: Val) -> Val:
    """Python's `pattern % argument` for `%s`, `%d`, `%r` of texts."""
    if not isinstance(pattern, Text):
        return pattern if isinstance(pattern, Missing) else Missing(Why.UNSUPPORTED, "%")
    args = argument.items if isinstance(argument, Many) else (argument,)
    names: dict[str, Val] = {}
    if isinstance(argument, Mapping):
        names = {plain(key): value for key, value in argument.entries}
    used: list[Val] = [pattern]
    parts: list[str] = []
    last = position = 0
    for match in _PYTHON_PERCENT.finditer(pattern.text):
        parts.append(pattern.text[last : match.start()])
        last = match.end()
        if match[2] == "%":
            parts.append("%")
            continue
        value = names.get(match[1]) if match[1] else (args[position] if position < len(args) else None)
        position += 0 if match[1] else 1
        if value is None or match[2] == "r":
            return Missing(Why.UNSUPPORTED, f"format {match[0]}")
        gap = missing_in([value])
        if gap:
            return gap
        used.append(value)
        parts.append(plain(value))
    return merged(used, "".join(parts) + pattern.text[last:])


def python_format(pattern: Text, args: Sequence[Val], keywords: dict[str, Val]) -> Val:
    """`str.format` with plain fields."""
    used: list[Val] = [pattern]
    parts: list[str] = []
    last = automatic = 0
    for match in _PYTHON_FORMAT.finditer(pattern.text):
        parts.append(pattern.text[last : match.start()])
        last = match.end()
        if match[0] in ("{{", "}}"):
            parts.append(match[0][0])
            continue
        field = match[1] or str(automatic)
        automatic += 0 if match[1] else 1
        value = args[int(field)] if field.isdigit() and int(field) < len(args) else keywords.get(field)
        if value is None:
            return Missing(Why.UNSUPPORTED, f"format {match[0]}")
        gap = missing_in([value])
        if gap:
            return gap
        used.append(value)
        parts.append(plain(value))
    return merged(used, "".join(parts) + pattern.text[last:])


def _list_method(name: str, target: Many, args: Sequence[Val]) -> Val | None:
    if name in (
        "stream",
        "iterator",
        "toArray",
        "toList",
        "collect",
        "copy",
        "distinct",
        "parallelStream",
        "boxed",
    ):
        return target
    if name in ("get", "__getitem__", "getFirst") and (not args or isinstance(args[0], Text)):
        text = plain(args[0]) if args else "0"
        if text.lstrip("-").isdigit() and -len(target.items) <= int(text) < len(target.items):
            return target.items[int(text)]
    if name == "size" or name == "length":
        return Text(str(len(target.items)), target.trail)
    return None


def _map_method(name: str, target: Mapping, args: Sequence[Val]) -> Val | None:
    if name in ("entrySet", "items", "entries"):
        return Many(tuple(Many((key, value)) for key, value in target.entries), target.trail)
    if name in ("keySet", "keys"):
        return Many(tuple(key for key, _ in target.entries), target.trail)
    if name == "values":
        return Many(tuple(value for _, value in target.entries), target.trail)
    if name in ("get", "getOrDefault", "getProperty", "__getitem__") and args and isinstance(args[0], Text):
        if not target.entries:
            return Missing(Why.DYNAMIC, "a map that is filled elsewhere")
        for key, value in reversed(target.entries):
            if isinstance(key, Text) and key.text == args[0].text:
                return value
        if any(not isinstance(key, Text) for key, _ in target.entries):
            return Missing(Why.DYNAMIC, "a map with keys that are not known")
        return args[1] if len(args) > 1 else Null(target.trail)
    return None

"""Peers of the models of `java.util.regex`, `Base64`, `URLEncoder` and `URLDecoder`: on texts that are known."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote_plus, unquote_plus

from subdrift.linter.resolve.execute.values import Guarded, Long, Object, Step, Text, text
from subdrift.linter.resolve.semantics.jvm.calls import Call, static
from subdrift.linter.resolve.semantics.jvm.texts import pattern_of

_FLAGS = {2: "i", 4: "x", 8: "m", 32: "s"}
_LITERAL = 16


def _known(leaf: Any) -> str | None:
    return leaf.known if isinstance(leaf, Text) else None


def _compiled(pattern: Any, input_: str = "") -> re.Pattern[str] | None:
    known = _known(pattern)
    return None if known is None else pattern_of(known, input_)


def _match(call: Call, match: re.Match[str], steps: tuple[Step, ...]) -> Object:
    """Start, end and text of a match, then those of each group."""
    parts: list[Guarded] = []
    for number in range(match.re.groups + 1):
        part = match[number]
        parts += [match.start(number), match.end(number), None if part is None else text(part, steps)]
    return call.all_of("List", parts)


@static("Matches", "all", "whole", "first", known=True)
def _matches(call: Call) -> Guarded:
    pattern, input_, start = call.args.first(3)
    known = _known(input_)
    compiled = None if known is None else _compiled(pattern, known)
    if compiled is None or known is None:
        return call.unknown()
    if call.name != "all":
        match = compiled.fullmatch(known) if call.name == "whole" else compiled.match(known)
        return None if match is None else _match(call, match, input_.steps)
    found = [_match(call, each, input_.steps) for each in compiled.finditer(known, start)]
    call.run.work(len(found))
    return call.all_of("List", found)


@static("Matches", "number", "groups", known=True)
def _groups(call: Call) -> Guarded:
    compiled = _compiled(call.args[0])
    if compiled is None:
        return call.unknown()
    if call.name == "groups":
        return compiled.groups
    number = compiled.groupindex.get(_known(call.args[1]) or "")
    return call.unknown() if number is None else number


@static("Matches", "flagged", known=True)
def _flagged(call: Call) -> Guarded:
    pattern, flags = call.args.first(2)
    known = _known(pattern)
    if known is None or not isinstance(flags, int) or flags & ~(sum(_FLAGS) + _LITERAL):
        return call.unknown()
    letters = "".join(letter for bit, letter in _FLAGS.items() if flags & bit)
    body = re.escape(known) if flags & _LITERAL else known
    return text(f"(?{letters}){body}" if letters else body, pattern.steps)


@static("Matches", "quoted", known=True)
def _quoted(call: Call) -> Guarded:
    """`Pattern.quote`."""
    known = _known(call.args[0])
    refused = known is None or "\\E" in known
    return call.unknown() if refused else text(f"\\Q{known}\\E", call.args[0].steps)


_REFERENCE = re.compile(r"\\(.)|\$(\d)|\$\{(\w+)\}|[\\$]")


@static("Matches", "filled", known=True)
def _filled(call: Call) -> Guarded:
    """A replacement with what it says of groups in their places."""
    replacement, pattern, match = call.args.first(3)
    known, compiled = _known(replacement), _compiled(pattern)
    parts = [one for _, one in match.items or ()] if isinstance(match, Object) else []
    if known is None or compiled is None:
        return call.unknown()
    made = _replaced(known, compiled, parts)
    return call.unknown() if made is None else text(made, replacement.steps)


def _replaced(known: str, compiled: re.Pattern[str], parts: Sequence[Any]) -> str | None:
    """None for what Java refuses, or where a part is not known."""
    made, position = [], 0
    for each in _REFERENCE.finditer(known):
        made.append(known[position : each.start()])
        position = each.end()
        if each[1] is not None:
            made.append(each[1])
            continue
        number = int(each[2]) if each[2] else compiled.groupindex.get(each[3] or "", -1)
        if number < 0 or 3 * number + 2 >= len(parts):
            return None
        part = parts[3 * number + 2]
        if part is not None and _known(part) is None:
            return None
        made.append(_known(part) or "")
    return "".join((*made, known[position:]))


@static("Codes", "encoded", "decoded", "quoted", "unquoted", known=True)
def _coded(call: Call) -> Guarded:
    """Another spelling of a text in ASCII: what other bytes stand for hangs on an encoding."""
    leaf = call.args[0]
    known = _known(leaf)
    made = None if known is None or not known.isascii() else _spelled(call, known)
    return call.unknown() if made is None or not made.isascii() else text(made, leaf.steps)


_UNQUOTED = re.compile(r"%(?![0-9a-fA-F]{2})")


@static("Codes", "crc", "joined", known=True)
def _summed(call: Call) -> Guarded:
    """Sums of bytes that are characters of ASCII."""
    parts = [_known(each) for each in call.args]
    whole = "".join(each or "" for each in parts)
    if None in parts or not whole.isascii():
        return call.unknown()
    return text(whole, call.args[0].steps) if call.name == "joined" else Long(binascii.crc32(whole.encode()))


def _spelled(call: Call, known: str) -> str | None:
    if call.name == "quoted":
        return quote_plus(known, safe="*-._").replace("~", "%7E")
    if call.name == "unquoted":
        return None if _UNQUOTED.search(known) else unquote_plus(known)
    of_url = call.args[1] is True
    if call.name == "encoded":
        made = (base64.urlsafe_b64encode if of_url else base64.b64encode)(known.encode()).decode()
        return made if call.args[2] is True else made.rstrip("=")
    if (len(known) % 4 and "=" in known) or (of_url and set("+/").intersection(known)):
        return None
    try:
        padded = known + "=" * (-len(known) % 4)
        return base64.b64decode(padded, b"-_" if of_url else b"+/", validate=True).decode("ascii")
    except (binascii.Error, UnicodeDecodeError):
        return None

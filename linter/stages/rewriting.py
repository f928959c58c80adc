"""The text of a file with edits made: Python by LibCST, which is imported for that alone, all else by exact ranges."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from subdrift.linter.model.edit import Edit, Left, Removal, Retext, Rewritten
from subdrift.linter.model.languages import language_of

_QUOTES: Final = ('"', "'")
_SETTINGS: Final = (".yml", ".yaml", ".properties")
_PLAIN: Final = re.compile(r"\w[\w|. -]*")
"""What may stand in a file of settings without quotes, whatever is before and after it."""
_CALL: Final = re.compile(
    r"(?!.*(?:\+\+|--))\s*(?P<receiver>(?:this\.)?\w+)\.(?P<method>subscribe|set\w+)"
    r"""\((?P<arguments>(?:[^()"'/;=]|"(?:[^"\\]|\\.)*")*)\)(?P<end>;?)\s*"""
)
"""A line that is one call with plain arguments."""
_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.)*"')


def rewrite(path: str, text: str, wanted: Sequence[Edit]) -> Rewritten:
    """The text with the edits made that fit it. Pure; a file that is not read whole stays as it is."""
    if language_of(path) == "python":
        from subdrift.linter.languages.python.rewrite import rewrite as by_libcst

        return by_libcst(text, wanted)
    lines = text.split("\n")
    left: dict[Edit, Left] = {}
    for one in sorted(
        wanted, key=lambda each: each.at, reverse=True
    ):  # the last first, so that no place moves
        if isinstance(one, Retext) and (why := _retext(path, lines, one)) is not None:
            left[one] = why
    removals = [one for one in wanted if isinstance(one, Removal)]
    left |= {one: Left.STATEMENT for one in removals if not _may_go(lines, one)}
    gone = {one.at.line - 1 for one in removals if one not in left}
    return Rewritten("\n".join(line for at, line in enumerate(lines) if at not in gone), left)


def _retext(path: str, lines: list[str], one: Retext) -> Left | None:
    """Change a line; why not, where it is not written as expected."""
    span = one.at
    if span.line != span.end_line or span.line > len(lines):
        return Left.COMPOSED
    line = lines[span.line - 1]
    fixed = _fixed(path, line[span.column - 1 : span.end_column - 1], one)
    if isinstance(fixed, Left):
        return fixed
    lines[span.line - 1] = line[: span.column - 1] + fixed + line[span.end_column - 1 :]
    return None


def _fixed(path: str, written: str, one: Retext) -> str | Left:
    """A literal, or a key with its value, as it is to be."""
    quote = written[:1]
    if quote in _QUOTES and written == f"{quote}{one.old}{quote}":
        return Left.SPELLED if quote in one.new or "\\" in one.new else f"{quote}{one.new}{quote}"
    if not path.endswith(_SETTINGS):
        return Left.SPELLED if _TEXT.fullmatch(written) else Left.COMPOSED
    found = re.fullmatch(
        rf"(?P<key>[^:=]*[:=]\s*)(?P<quote>[\"']?){re.escape(one.old)}(?P=quote)", written, re.ASCII
    )
    if found is None or not (_PLAIN.fullmatch(one.new) or (found["quote"] and found["quote"] not in one.new)):
        return Left.SPELLED
    return f"{found['key']}{found['quote']}{one.new}{found['quote']}"


def _may_go(lines: Sequence[str], one: Removal) -> bool:
    """Whether a line is a call that stands as a statement before the one that covers it, without a branch between."""
    at = one.at.line - 1
    call = _CALL.fullmatch(lines[at]) if at < len(lines) else None
    if call is None or call.start("method") != one.at.column - 1 or not _begins_statement(lines, at):
        return False
    for number in range(at + 1, len(lines)):
        later = _CALL.fullmatch(lines[number])
        if later is None and lines[number].strip():
            return False
        if later is None:
            continue
        if (later["receiver"], later["end"]) != (call["receiver"], call["end"]):
            return False
        if any((span.line - 1, span.column - 1) == (number, later.start("method")) for span in one.covers):
            return _arguments(call) == _arguments(later)
    return False


def _arguments(call: re.Match[str]) -> list[str]:
    """All arguments but the second, which is the expression in every client of the JVM."""
    texts = iter(_TEXT.findall(call["arguments"]))
    split = [part.strip() for part in _TEXT.sub("\0", call["arguments"]).split(",")]
    whole = [re.sub("\0", lambda _: next(texts), part) for part in split]
    return [part for number, part in enumerate(whole) if number != 1]


def _begins_statement(lines: Sequence[str], at: int) -> bool:
    """Whether what stands before a line has ended there, so that the line is not the body of a condition."""
    before = next((line.strip() for line in reversed(lines[:at]) if line.strip()), "")
    return before.endswith((";", "{", "}"))

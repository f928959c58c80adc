"""Procfiles, units of systemd, supervisor's programs and start scripts -> what they start, and with which variables."""

from __future__ import annotations

import re
import shlex
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from subdrift.linter.model.commands import OUTSIDE, split, words_of
from subdrift.linter.model.facts import EnvEntry, Launch
from subdrift.linter.model.location import Span

LINES_MAX = 20_000
"""Lines of a script whose variables are followed."""

LAUNCHES_MAX = 200
"""Command lines of one file, and settings of variables for them."""

_LAUNCHED = re.compile(
    r"^[ \t]*(?:(?P<process>[\w-]+):[ \t]+|ExecStart[ \t]*=[ \t]*[-@:+!]*|command[ \t]*=[ \t]*|exec[ \t]+|nohup[ \t]+)?"
    r"(?P<line>(?:\S*/)?(?:java|python[\d.]*|gunicorn|celery)[ \t].*)$",
    re.MULTILINE,
)
_PROGRAM = re.compile(r"^\[program:([^\]]+)\]", re.MULTILINE)
_OF_UNIT = re.compile(r"^Environment[ \t]*=[ \t]*(.*)$", re.MULTILINE)
_OF_PROGRAM = re.compile(r"^environment[ \t]*=[ \t]*(.*(?:\n[ \t]+\S.*)*)$", re.MULTILINE)
_PAIR = re.compile(r"(?<!\w)([A-Za-z_]\w*)=(?:\"([^\"]*)\"|'([^']*)'|([^,\s]*))")
_ASSIGNED = re.compile(r"(?P<indent>[ \t]*)(?P<export>export[ \t]+)?(?P<name>[A-Za-z_]\w*)=(?P<text>.*)")
_EXPORTED = re.compile(r"[ \t]*export((?:[ \t]+[A-Za-z_]\w*)+)[ \t]*(?:#.*)?")
_OPENS = re.compile(r"[ \t]*(?:if|case|for|while|until)\b|.*\{[ \t]*$")
_CLOSES = re.compile(r"[ \t]*(?:fi|esac|done)\b|[ \t]*\}")
_BESIDE = re.compile(
    r"(?:&&|\|\||[;{(]|\bthen|\belse|\bdo|\bread)[ \t]*(?:export[ \t]+|local[ \t]+)?([A-Za-z_]\w*)(?:=|[ \t]*$)"
)
_SOURCED = re.compile(r"[ \t]*(?:source|\.)[ \t]")
_REFERENCE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")


def launched(name: str, text: str) -> tuple[tuple[EnvEntry, ...], tuple[Launch, ...]]:
    """The lines of a file of such a name that start Java or Python, and the variables that these are given."""
    joined = re.sub(r"\\\r?\n", lambda match: " " * len(match[0]), text)
    launches = tuple(_launches(joined))
    if not launches:
        return (), ()
    if name.endswith(".sh"):
        return _Script(joined).run(launches)
    pattern = _OF_UNIT if name.endswith(".service") else _OF_PROGRAM
    return tuple(_told(joined, pattern)), launches


def _launches(text: str) -> Iterator[Launch]:
    programs = _Programs(text)
    for match in islice(_LAUNCHED.finditer(text), LAUNCHES_MAX):
        start = match.start("line")
        process = match["process"] or programs.around(start)
        yield Launch(words_of(match["line"]), _place(text, start, match["line"]), process)


def _told(text: str, pattern: re.Pattern[str]) -> Iterator[EnvEntry]:
    """What a unit or a program sets for what it starts."""
    programs = _Programs(text)
    for match in islice(pattern.finditer(text), LAUNCHES_MAX):
        at = _place(text, match.start(1), match[1].partition("\n")[0])
        for pair in islice(_PAIR.finditer(_unquoted(match[1])), LAUNCHES_MAX):
            value = next((part for part in pair.groups()[1:] if part is not None), "")
            known = None if "%" in value or "$" in value else value
            yield EnvEntry(pair[1], known, "", at, programs.around(match.start()))


class _Programs:
    """Where the sections of supervisor's programs begin."""

    def __init__(self, text: str) -> None:
        self._found = [(match.start(), match[1].strip()) for match in _PROGRAM.finditer(text)]

    def around(self, start: int) -> str:
        """The program in whose section a place lies, "" for none."""
        number = bisect_left(self._found, (start, ""))
        return self._found[number - 1][1] if number else ""


def _unquoted(text: str) -> str:
    """`"A=b c" D=e` of systemd with the quotes around the texts alone."""
    return re.sub(r"([\"'])([A-Za-z_]\w*)=([^\"']*)\1", r"\2=\1\3\1", text)


class _Script:
    """The variables of a shell script: what it sets before it starts something, where every run comes by."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[str, str | None] = {}
        self._exported: dict[str, Span] = {}

    def run(self, launches: tuple[Launch, ...]) -> tuple[tuple[EnvEntry, ...], tuple[Launch, ...]]:
        pending = list(launches)
        made: list[Launch] = []
        depth = 0
        for number, line in enumerate(self._text.splitlines()[:LINES_MAX], 1):
            if not pending:
                break
            if pending[0].at.line == number:
                one = pending.pop(0)
                made.append(replace(one, words=("sh", "-c", *self._expanded(one.words))))
            depth = max(0, depth + bool(_OPENS.match(line)) - bool(_CLOSES.match(line)))
            self._assign(line, number, depth > 0)
        return tuple(self._told()), tuple(made)

    def _told(self) -> Iterator[EnvEntry]:
        for name, at in self._exported.items():
            if name in self._known:
                text = self._known[name]
                yield EnvEntry(name, None if text is None or "$" in text else text, "", at)

    def _expanded(self, words: tuple[str, ...]) -> Iterator[str]:
        for word in words:
            if _REFERENCE.fullmatch(word):
                yield from split(self._filled(word))
            else:
                yield self._filled(word)

    def _assign(self, line: str, number: int, perhaps: bool) -> None:
        exported = _EXPORTED.fullmatch(line)
        match = _ASSIGNED.fullmatch(line)
        at = Span(number, 1, number, len(line) + 1)
        if exported is not None:
            self._exported |= dict.fromkeys(exported[1].split(), at)
        elif match is not None and not perhaps:
            self._known[match["name"]] = self._text_of(match["text"])
            if match["export"]:
                self._exported[match["name"]] = at
        else:
            perhaps_set = {match["name"]} if match is not None else set(_BESIDE.findall(line))
            if _SOURCED.match(line):
                perhaps_set |= self._known.keys()
            self._known |= dict.fromkeys(perhaps_set)

    def _text_of(self, written: str) -> str | None:
        """The text that an assignment gives, None where it comes from outside."""
        if "`" in written or "$(" in written or re.search(r"\$[\d@*#]|\$\{\d", written):
            return None
        try:
            words = shlex.split(written, comments=True)
        except ValueError:
            return None
        text = words[0] if words else ""
        return self._filled(text) if len(words) < 2 else None

    def _filled(self, text: str) -> str:
        """A text with the variables of the script filled in; one whose text is not known hides that of the process."""

        def held(match: re.Match[str]) -> str:
            name = match[1] or match[2]
            return (self._known[name] or OUTSIDE) if name in self._known else match[0]

        return _REFERENCE.sub(held, text)


def _place(text: str, start: int, written: str) -> Span:
    line = text.count("\n", 0, start) + 1
    column = start - text.rfind("\n", 0, start)
    return Span(line, column, line, column + len(written))

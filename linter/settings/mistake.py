"""What is wrong with a configuration: each mistake with its file and line, and all of them in one error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from subdrift.linter.model.message import Message, UnusableError, say
from subdrift.linter.text.places import Path, toml_lines

KeyPath = tuple[str, ...]
MISTAKES_MAX = 20
"""Mistakes that are told; the others are counted."""
INDEX_DIGITS_MAX = 6
_MARKED_MAX = 160
"""Characters of a line that are shown above the marks."""


class SettingsError(UnusableError):
    """A configuration that cannot be used: where, what, and what was probably meant ("" if nothing is near).

    `frame` is the line and what marks the place in it, where that is known; `others` are its further mistakes.
    """

    def __init__(
        self,
        file: str,
        line: int,
        what: Message,
        suggestion: str = "",
        frame: tuple[str, ...] = (),
        others: Sequence[SettingsError] = (),
    ) -> None:
        hint = say("or-rather", name=suggestion) if suggestion else say("nowhere")
        place = f"{file}:{line}" if line else file
        marked = "".join(f"\n{one}" for one in frame)
        super().__init__(
            "settings.mistake", place=place, what=what, hint=hint, frame=marked, more=_further(others)
        )
        self.file = file
        self.line = line
        self.what = what
        self.suggestion = suggestion
        self.frame = frame
        self.others = tuple(others)


def _further(others: Sequence[SettingsError]) -> Message:
    """The messages of further mistakes, each on a line of its own."""
    told = others[: MISTAKES_MAX - 1]
    left = len(others) - len(told)
    said = say("settings.more", count=left) if left else say("nowhere")
    for one in reversed(told):
        said = say("settings.further", one=one.message, more=said)
    return said


def together(found: Iterable[SettingsError]) -> SettingsError:
    """One error for all the mistakes, by file as they were met, and by line."""
    every = [each for one in found for each in (one, *one.others)]
    files = list(dict.fromkeys(one.file for one in every))
    first, *others = sorted(every, key=lambda one: (files.index(one.file), one.line))
    return SettingsError(
        first.file, first.line, first.what, first.suggestion, first.frame, [_alone(one) for one in others]
    )


def _alone(one: SettingsError) -> SettingsError:
    return SettingsError(one.file, one.line, one.what, one.suggestion, one.frame) if one.others else one


class Written(Struct, frozen=True):
    """The text of one configuration, for messages that name a line."""

    file: str
    text: str
    prefix: KeyPath
    counted: dict[Path, int] = field(default_factory=dict)
    """The line of every path, filled when a line is first asked for."""
    lines: dict[KeyPath, int] = field(default_factory=dict)
    """Those of the paths without the indexes of lists, filled likewise."""
    rows: list[str] = field(default_factory=list)
    """The lines of the text, filled when one is first shown."""

    def error(self, path: KeyPath, what: Message, suggestion: str = "", wrong: str = "") -> SettingsError:
        """What is wrong about a path; `wrong` is the text to mark, where that is not the key."""
        # the line says which entry of a list of tables it is
        name = ".".join(part for position, part in enumerate(path) if not (position == 1 and _counts(path)))
        line = self.line(path)
        said = say("settings.of-key", key=name, what=what) if name else what
        return SettingsError(self.file, line, said, suggestion, self._frame(line, path, wrong))

    def _frame(self, line: int, path: KeyPath, wrong: str) -> tuple[str, ...]:
        if not line or not path:
            return ()
        if not self.rows:
            self.rows.extend(self.text.split("\n"))
        text = self.rows[line - 1]
        words = (json.dumps(wrong, ensure_ascii=False), wrong) if wrong else ()
        word = next((part for part in (*words, *reversed(path)) if part in text), "")
        return marked(text, text.index(word), len(word)) if word else ()

    def line(self, path: KeyPath) -> int:
        """The line on which a key, or else what is around it, is first set; 0 where nothing says."""
        full = self.prefix + path
        # the parts of a list of tables are counted: `ignore`, `1`, `rule`
        counted = self._counted().get(tuple(_index(one) for one in full), 0)
        if counted:
            return counted
        while full and full not in self._first():
            full = full[:-1]
        return self._first().get(full, 0)

    def _counted(self) -> Mapping[Path, int]:
        if not self.counted:
            self.counted.update(toml_lines(self.text))
        return self.counted

    def _first(self) -> Mapping[tuple[str, ...], int]:
        if not self.lines:
            for key, line in self._counted().items():
                named = tuple(part for part in key if isinstance(part, str))
                for end in range(len(named), 0, -1):
                    if self.lines.setdefault(named[:end], line) != line:
                        break
        return self.lines


def _index(part: str) -> int | str:
    """The index of a list's entry that a part of a key path stands for; any other part as it is."""
    return int(part) if part.isdecimal() and len(part) <= INDEX_DIGITS_MAX else part


def _counts(path: KeyPath) -> bool:
    """Whether the second part of a path is the number of a table in a list, and no key."""
    return path[0] == "ignore" and len(path) > 1 and path[1].isdecimal()


def marked(text: str, column: int, length: int) -> tuple[str, str]:
    """A line and the marks below a part of it; a tab above stays a tab below."""
    if column > _MARKED_MAX // 2:
        text, column = f"…{text[column - _MARKED_MAX // 4 :]}", _MARKED_MAX // 4 + 1
    if len(text) > _MARKED_MAX:
        text = f"{text[:_MARKED_MAX]}…"
    lead = "".join("\t" if one == "\t" else " " * _cells(one) for one in text[:column])
    return text, lead + "^" * max(1, _cells(text[column : column + length]))


def _cells(text: str) -> int:
    import unicodedata  # mistakes alone need it

    return sum(1 + (unicodedata.east_asian_width(one) in "WF") for one in text)

"""Characters fit for a terminal: nothing from a source file may steer it; widths are those of cells, not of letters."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

WIDTH_WITHOUT_TERMINAL: Final = 100
WIDTH_MIN: Final = 60
TAB_CELLS: Final = 4
CELL_CHARS_MAX: Final = 400
"""Characters of one cell of a table."""
SHOWN_CHARS_MAX: Final = 1000
"""Characters of one text that reports for people show; JSON and SARIF have it whole."""

_UNSAFE: Final = (  # compiled when a text is met that has more than printable characters
    # C0 without tab, DEL and C1; line and paragraph separators; marks that turn the direction of writing; half pairs
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_AT_START: Final = re.compile(r"^((?:[^\S\n]|\x1b\[[0-9;]*m)*+)::", re.MULTILINE)
_ANYWHERE: Final = re.compile(r"##(?=\w{0,32}\[)")
_ASCII: Final = str.maketrans({"·": "-", "…": "...", "→": "->", "–": "-", "—": "-"})


def safe(text: str, chars_max: int = SHOWN_CHARS_MAX) -> str:
    """The text fit to be shown: what could steer a terminal or hide text is spelled out, what floods is shortened."""
    return spelled(shortened(text, chars_max))


def spelled(text: str) -> str:
    """Everything that could steer a terminal or hide text spelled out: `\\x1b`, `\\u202e`."""
    return text if text.isprintable() else re.sub(_UNSAFE, _spell, text)


def shortened(text: str, chars_max: int = SHOWN_CHARS_MAX) -> str:
    """Start and end of a text that is too long, and how much of it is left out."""
    if len(text) <= chars_max:
        return text
    half = chars_max // 2
    return f"{text[:half]}…[{len(text) - 2 * half:,} more characters]…{text[-half:]}"


def settled(text: str) -> str:
    """A text for people that no CI takes for commands.

    GitHub reads `::name::` at the start of a line (after blanks) and `##[name]` anywhere in one, Azure `##vso[`, TeamCity
    `##teamcity[`. Reports show source text, so both are spelled in a way that is still readable.
    """
    return _AT_START.sub(r"\1\\x3a:", without_commands(text))


def without_commands(text: str) -> str:
    """Without those that count anywhere in a line, for lines whose start is our own."""
    return _ANYWHERE.sub(r"#\\x23", text)


def _spell(found: re.Match[str]) -> str:
    code = ord(found[0])
    return {10: "\\n", 13: "\\r"}.get(code) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def cells(text: str) -> int:
    """How many cells a terminal needs for the text: wide characters take two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_cells_of, text))


def _cells_of(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def first_cells(text: str, room: int) -> str:
    """The longest beginning that fits so many cells."""
    taken = 0
    for index, char in enumerate(text):
        taken += cells(char)
        if taken > room:
            return text[:index]
    return text


def last_cells(text: str, room: int) -> str:
    """The longest end that fits so many cells."""
    return first_cells(text[::-1], room)[::-1]


_OPENING: Final = "（《「『【〔“‘"
_COPIED: Final = re.compile('`[^`]*`|"[^"\\s]+" = "…"')
_COMMANDS: Final = ("`subdrift ", "`mqadmin ", '"')
_CODE_CHARS_MAX: Final = 60
"""Characters of code that no line ends in, unless it is to be copied."""
_CLOSING: Final = "，。、；：！？）》」』】〕”’…"


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """The text as lines of at most `width` cells, led by `first` and `rest`.

    Lines end at blanks and between wide characters, never before a closing mark; a word is never broken, so one that
    is wider than the line has a line of its own.
    """
    lines: list[str] = []
    line, room = first, width
    empty = True
    for word, glued in _words(text):
        blank = "" if empty or glued else " "
        if not empty and cells(line) + cells(blank) + cells(word) > room:
            lines.append(line)
            line, blank = rest, ""
        line += blank + word
        empty = False
    lines.append(line)
    return lines


def paragraphs(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """A text of several lines, each made safe to be shown and `wrapped`; the first is led by `first`."""
    return [
        line
        for number, part in enumerate(text.split("\n"))
        for line in wrapped(safe(part), width, rest if number else first, rest)
    ]


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """The pieces between which a line may end, and whether a piece follows the one before it without a blank.

    Short code in backticks is one piece, whatever it holds; so is a command, or a line of configuration, of any
    length, which is to be copied.
    """
    for chunk in _chunks(text):
        if len(chunk) == 1 or all(map(str.isascii, chunk)):
            yield "".join(chunk), False
            continue
        pieces: list[str] = []
        for char in chunk:
            wide = len(char) == 1 and (_is_wide(char) or char in _OPENING)
            starts = (
                not pieces
                or (wide and char not in _CLOSING and pieces[-1][-1] not in _OPENING)
                or (not wide and _is_wide(pieces[-1][-1]) and pieces[-1][-1] not in _OPENING)
            )
            if starts:
                pieces.append(char)
            else:
                pieces[-1] += char
        for index, piece in enumerate(pieces):
            yield piece, index > 0


def _chunks(text: str) -> Iterator[list[str]]:
    """What stands between blanks: its characters, and whole the code in which no line may end."""
    if "`" not in text and text.isascii():
        yield from ([word] for word in text.split())
        return
    chunk: list[str] = []
    for piece in _pieces(text):
        if not piece.isspace():
            chunk.append(piece)
        elif chunk:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _pieces(text: str) -> Iterator[str]:
    done = 0
    for found in _COPIED.finditer(text):
        yield from text[done : found.start()]
        whole = found[0].startswith(_COMMANDS) or 2 < len(found[0]) <= _CODE_CHARS_MAX + 2
        yield from (found[0],) if whole else found[0]
        done = found.end()
    yield from text[done:]


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF" or char in _CLOSING


class Style(Struct, frozen=True):
    """How a report is to look: colour or not, characters beyond ASCII or not, how many cells a line has."""

    color: bool = False
    ascii: bool = False
    width: int = WIDTH_WITHOUT_TERMINAL

    def paint(self, text: str, *names: str) -> str:
        if not self.color or not text:
            return text
        return f"\x1b[{';'.join(_CODES[name] for name in names)}m{text}\x1b[0m"

    def plain(self, text: str) -> str:
        """Our own decoration as the output's encoding can show it."""
        return text.translate(_ASCII) if self.ascii else text


_CODES: Final[Mapping[str, str]] = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "cyan": "36",
}


def wants_color(choice: str, is_terminal: bool, environment: Mapping[str, str]) -> bool:
    """`--color` beats NO_COLOR beats FORCE_COLOR beats whether it is a terminal; empty variables say nothing."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return is_terminal and environment.get("TERM") != "dumb"


def style_for(choice: str, is_terminal: bool, encoding: str, environment: Mapping[str, str]) -> Style:
    """The style of an output stream."""
    try:
        "·…→—".encode(encoding)
        ascii_only = False
    except (UnicodeEncodeError, LookupError):
        ascii_only = True
    return Style(wants_color(choice, is_terminal, environment), ascii_only, _width(is_terminal, environment))


def _width(is_terminal: bool, environment: Mapping[str, str]) -> int:
    columns = environment.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return max(WIDTH_MIN, int(columns))
    if is_terminal:
        try:
            return max(WIDTH_MIN, os.get_terminal_size().columns)
        except OSError:
            pass  # a terminal that does not tell its size gets the width of none
    return WIDTH_WITHOUT_TERMINAL

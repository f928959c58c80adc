"""Where the values of a file of ours stand: TOML or JSON text in, the line of each key path out.

The parsers of the standard library say nothing about lines. This scan runs after they accepted the text, so it may
be lenient: what it cannot follow has no line, and the reader falls back to the key path.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

Path = tuple[str | int, ...]
"""Keys and list indexes from the top of the document down to a value."""

_TOKEN: Final = re.compile(
    r"(?P<skip>(?:[\s,]+|\#[^\n]*)+)"
    r'|(?P<text>"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
    r"|(?P<mark>[\[\]{}=:])"
    r"|(?P<bare>[^\s,\[\]{}=:\#\"']+)",
    re.DOTALL,
)


def path_text(path: Path) -> str:
    """`members[1].options`, the way people write a key path; `the file` for the document itself."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text or "the file"


def json_lines(text: str) -> dict[Path, int]:
    """Line of every key and list entry of a JSON document, counted from 1."""
    scan = _Scan(text)
    scan.value(())
    return scan.lines


def toml_lines(text: str) -> dict[Path, int]:
    """Line of every key, table and list entry of a TOML document, counted from 1."""
    scan = _Scan(text)
    scan.toml()
    return scan.lines


def line_of(lines: Mapping[Path, int], path: Path) -> int | None:
    """The line of a path, or of the nearest thing around it that has one."""
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return None


class _Token(Struct, frozen=True):
    kind: str
    text: str
    line: int


class _Scan:
    """One pass over the tokens of a document, with one token of look-ahead."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._tokens = _tokens(text)
        self._next = next(self._tokens, None)

    def toml(self) -> None:
        entries: dict[Path, int] = {}
        table: Path = ()
        while (token := self._next) is not None:
            if token.text == "[":
                table = self._header(entries)
                self.lines[table] = token.line
            else:
                self._pair(table)

    def _header(self, entries: dict[Path, int]) -> Path:
        """`[a.b]` or `[[a.b]]`: the path it opens; names of lists of tables stand for their last entry."""
        self._take()
        is_entry = self._next is not None and self._next.text == "["
        names: list[str] = []
        while (token := self._next) is not None and token.text != "]":
            self._take()
            if token.kind != "mark":
                names += _key(token)
        while self._next is not None and self._next.text == "]":
            self._take()
        path: Path = ()
        for position, name in enumerate(names):
            path = (*path, name)
            if is_entry and position == len(names) - 1:
                entries[path] = entries.get(path, -1) + 1
            if path in entries:
                path = (*path, entries[path])
        return path

    def _pair(self, table: Path) -> None:
        """`key = value` or `"key": value`; without a separator the token is passed over."""
        token = self._take()
        path = (*table, *_key(token))
        self.lines[path] = token.line
        if self._next is not None and self._next.text in ("=", ":"):
            self._take()
            self.value(path)

    def value(self, path: Path) -> None:
        """A value, with all paths inside it."""
        if self._next is None:
            return
        token = self._take()
        if token.text == "{" and token.kind == "mark":
            while self._next is not None and self._next.text != "}":
                self._pair(path)
            self._take()
        elif token.text == "[" and token.kind == "mark":
            index = 0
            while self._next is not None and self._next.text != "]":
                self.lines[*path, index] = self._next.line
                self.value((*path, index))
                index += 1
            self._take()

    def _take(self) -> _Token:
        token = self._next
        self._next = next(self._tokens, None)
        return token or _Token("mark", "", 0)


def _tokens(text: str) -> Iterator[_Token]:
    line = 1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind != "skip":
            yield _Token(kind, match.group(), line)
        line += match.group().count("\n")


def _key(token: _Token) -> list[str]:
    if token.kind == "bare":
        return [part for part in token.text.split(".") if part]
    if token.text.startswith('"'):
        try:
            return [str(json.loads(token.text))]
        except ValueError:  # an escape that only TOML knows
            return [token.text.strip('"')]
    return [token.text.strip("'")]

"""Selector text in, tokens out, one at a time and only as far as they are asked for.

At each place the longest token wins, and of equally long ones the keyword. The laziness shows: an illegal character
far behind the place where the parser stops is never seen.

Mirrors: SelectorParserTokenManager of the filter module, RocketMQ 4.8.0 to 5.3.3.
"""

import re
from enum import Enum
from typing import Final

from msgspec import Struct

from subdrift.linter.broker.selector.errors import Cause, SelectorRejected
from subdrift.linter.model.message import phrase


class Kind(Enum):
    """What a token is."""

    NOT = "NOT"
    AND = "AND"
    OR = "OR"
    BETWEEN = "BETWEEN"
    IN = "IN"
    TRUE = "TRUE"
    FALSE = "FALSE"
    NULL = "NULL"
    IS = "IS"
    CONTAINS = "CONTAINS"
    STARTSWITH = "STARTSWITH"
    ENDSWITH = "ENDSWITH"
    INTEGER = phrase("integer")
    DECIMAL = phrase("decimal-number")
    STRING = phrase("string")
    NAME = phrase("name")
    EQUAL = "="
    NOT_EQUAL = "<>"
    GREATER = ">"
    GREATER_EQUAL = ">="
    LESS = "<"
    LESS_EQUAL = "<="
    OPEN = "("
    CLOSE = ")"
    COMMA = ","
    PLUS = "+"
    MINUS = "-"
    END = phrase("end")


TEXT_OPERATORS: Final = frozenset({Kind.CONTAINS, Kind.STARTSWITH, Kind.ENDSWITH})

_KEYWORDS: Final = {
    kind.value: kind
    for kind in (
        Kind.NOT,
        Kind.AND,
        Kind.OR,
        Kind.BETWEEN,
        Kind.IN,
        Kind.TRUE,
        Kind.FALSE,
        Kind.NULL,
        Kind.IS,
    )
}
_KEYWORDS_WITH_TEXT_OPERATORS: Final = _KEYWORDS | {kind.value: kind for kind in TEXT_OPERATORS}

_OPERATORS: Final = {
    kind.value: kind
    for kind in (
        Kind.EQUAL,
        Kind.NOT_EQUAL,
        Kind.GREATER,
        Kind.GREATER_EQUAL,
        Kind.LESS,
        Kind.LESS_EQUAL,
        Kind.OPEN,
        Kind.CLOSE,
        Kind.COMMA,
        Kind.PLUS,
        Kind.MINUS,
    )
}

_BLANKS: Final = re.compile(r"[ \t\n\r\f]*+")
_LINE_COMMENT: Final = re.compile(r"--[^\n\r]*+(?:\r\n|\n|\r)")
_NAME: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*+")
_INTEGER: Final = re.compile(r"0|[1-9][0-9]*+[lL]?")
_DECIMAL: Final = re.compile(
    r"[0-9]++\.[0-9]*+(?:[eE][+-]?[0-9]++)?|\.[0-9]++(?:[eE][+-]?[0-9]++)?|[0-9]++[eE][+-]?[0-9]++"
)
_STRING: Final = re.compile(r"'[^']*+(?:''[^']*+)*'")
_OPERATOR: Final = re.compile(r"<>|>=|<=|[=<>(),+\-]")


class Token(Struct, frozen=True):
    """A token and where it ends."""

    kind: Kind
    text: str
    """As written."""
    end: int
    """Offset just behind it in the selector, in UTF-16 units."""


class Lexer:
    """The tokens of one selector by position; what was read once is kept.

    The text must be given as UTF-16 units, one character each.
    """

    def __init__(self, text: str, text_operators: bool) -> None:
        self._text = text
        self._keywords = _KEYWORDS_WITH_TEXT_OPERATORS if text_operators else _KEYWORDS
        self._tokens: list[Token] = []
        self._last_line_end = max(text.rfind("\n"), text.rfind("\r"))

    def token(self, position: int) -> Token:
        """The token at a position, reading up to it; behind the last one there is always END.

        Raises SelectorRejected for an illegal character on the way.
        """
        while position >= len(self._tokens):
            self._tokens.append(self._read(self._tokens[-1].end if self._tokens else 0))
        return self._tokens[position]

    def _read(self, offset: int) -> Token:
        text = self._text
        offset = self._skipped(offset)
        if offset == len(text):
            return Token(Kind.END, "", offset)
        if name := _NAME.match(text, offset):
            word = name.group()
            return Token(self._keywords.get(word.upper(), Kind.NAME), word, name.end())
        if decimal := _DECIMAL.match(text, offset):
            return Token(Kind.DECIMAL, decimal.group(), decimal.end())
        if integer := _INTEGER.match(text, offset):
            return Token(Kind.INTEGER, integer.group(), integer.end())
        if string := _STRING.match(text, offset):
            return Token(Kind.STRING, string.group(), string.end())
        if operator := _OPERATOR.match(text, offset):
            return Token(_OPERATORS[operator.group()], operator.group(), operator.end())
        raise SelectorRejected(
            Cause.LEXICAL, phrase("illegal-character-at-unit", repr(text[offset]), offset + 1)
        )

    def _skipped(self, offset: int) -> int:
        """Where the next token begins, behind blanks and comments."""
        text = self._text
        while True:
            blanks = _BLANKS.match(text, offset)
            if blanks is not None:
                offset = blanks.end()
            # Without a line end "--" is no comment; asking first keeps a long row of minus signs from being
            # searched to the end again and again.
            if offset < self._last_line_end and (comment := _LINE_COMMENT.match(text, offset)):
                offset = comment.end()
            elif text.startswith("/*", offset) and (closed := text.find("*/", offset + 2)) >= 0:
                offset = closed + 2
            else:
                return offset

"""The comments of a Python file."""

from __future__ import annotations

import re
import tokenize

from subdrift.linter.languages.python.text import decode
from subdrift.linter.model import ir


def comments(content: bytes) -> tuple[list[str], list[tuple[ir.At, str]]]:
    """The lines of a file, and the place and text of each comment in it: by tokens, so that a text that holds the words is
    not one. Of a file whose tokens end early, those before."""
    lines = re.split(r"\r\n|\r|\n", decode(content))
    found: list[tuple[ir.At, str]] = []
    try:
        for token in tokenize.generate_tokens((line + "\n" for line in lines).__next__):
            if token.type == tokenize.COMMENT:
                (line, column), (end_line, end_column) = token.start, token.end
                found.append(((line, column + 1, end_line, end_column + 1), token.string))
    except (tokenize.TokenError, SyntaxError):
        return lines, found
    return lines, found

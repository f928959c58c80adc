"""The text a Java literal stands for: escapes, unicode escapes, text blocks."""

from __future__ import annotations

import re

_SIMPLE = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "s": " ", '"': '"', "'": "'", "\\": "\\"}
_ESCAPE = re.compile(r"\\(u+[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|\r?\n|.)", re.DOTALL)
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def string(source: str) -> str:
    """The value of a string literal, character literal or text block as written, quotes included."""
    if source.startswith('"""'):
        return _unescape(_strip_indent(source[3:].removesuffix('"""')))
    return _unescape(source[1:-1])


def integer(source: str) -> str:
    """The decimal spelling of an integer literal; others as written."""
    text = source.replace("_", "").rstrip("lL")
    try:
        if text.lower().startswith(("0x", "0b")):
            return str(int(text, 0))
        return str(int(text, 8 if text.startswith("0") and len(text) > 1 else 10))
    except ValueError:
        return source


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    found = _ESCAPE.sub(_escaped, text)
    found = _SURROGATES.sub(lambda m: m[0].encode("utf-16", "surrogatepass").decode("utf-16"), found)
    return found.encode("utf-8", "replace").decode()  # a lone surrogate is no text


def _escaped(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] == "u" and len(code) > 1:
        return chr(int(code.lstrip("u"), 16))
    if code[0] in "01234567":
        return chr(int(code, 8))
    if code[-1] == "\n":
        return ""
    return _SIMPLE.get(code, code)


def _strip_indent(text: str) -> str:
    """A text block without its opening line break, common indentation and trailing blanks (JLS 3.10.6)."""
    lines = text.replace("\r\n", "\n").split("\n")[1:]
    if not lines:
        return ""
    counted = [line for line in lines[:-1] if line.strip()] + [lines[-1]]
    indent = min((len(line) - len(line.lstrip(" \t")) for line in counted), default=0)
    stripped = [line[indent:].rstrip(" \t") for line in lines[:-1]]
    return "\n".join([*stripped, lines[-1][indent:] if lines[-1].strip() else ""])

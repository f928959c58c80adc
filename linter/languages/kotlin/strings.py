"""Texts of Kotlin -> `ir`, with their templates."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from tree_sitter import Node

from subdrift.linter.languages.jvm import literals
from subdrift.linter.languages.kotlin.operators import Operators
from subdrift.linter.languages.kotlin.syntax import kind
from subdrift.linter.model import ir

_NAME = r"\$([^\W\d]\w*|`[^`\n]+`)"
_DOLLARS = re.compile(rb"\$+\Z")
_DOLLARS_MAX = 8
"""Dollars before a text that are counted."""
INTERPOLATION = kind("interpolation")


class _Written(NamedTuple):
    """How a text is written: `\"\"\"`, and how many dollars begin a template."""

    raw: bool
    dollars: int


@cache
def _template(written: _Written) -> re.Pattern[str]:
    """A template that is a name; in a text that is not raw, also an escape."""
    escape = "" if written.raw else r"\\.|"
    return re.compile(escape + r"\$" * (written.dollars - 1) + _NAME, re.DOTALL)


class Strings(Operators):
    """Lowers texts."""

    __slots__ = ()

    def string(self, node: Node, depth: int) -> ir.Expr:
        """A text, which is a `Join` where it holds templates. The grammar sees `${…}`, and `$name` only in raw texts."""
        children = node.children
        raw = children[0].end_byte - children[0].start_byte > 1 if children else False
        before = _DOLLARS.search(self.data, max(node.start_byte - _DOLLARS_MAX, 0), node.start_byte)
        written = _Written(raw, len(before[0]) if before else 1)
        parts: list[ir.Expr] = []
        start = children[0].end_byte if children else node.start_byte
        for child in children[1:]:
            if child.kind_id == INTERPOLATION:
                self._plain(start, max(start, child.start_byte + 1 - written.dollars), written, parts)
                inner = self.named(child)
                parts.append(self.needed(inner[0] if inner else None, child, depth + 1))
                start = child.end_byte
        end = children[-1].start_byte if children and not children[-1].is_named else node.end_byte
        self._plain(start, max(start, end), written, parts)
        at = self.at(node)
        if not parts:
            return ir.Const("", at)
        if len(parts) == 1 and isinstance(parts[0], ir.Const | ir.Opaque):
            only = parts[0]
            return ir.Const(only.value, at) if isinstance(only, ir.Const) else only
        return ir.Join(tuple(parts), at)

    def _plain(self, start: int, end: int, written: _Written, parts: list[ir.Expr]) -> None:
        """What stands between `${…}` of a text: plain text, escapes, `$name`."""
        text = self.data[start:end].decode("utf-8", "replace")
        offset = start  # in bytes, of `position` in the text
        position = 0
        for match in _template(written).finditer(text):
            name = match[1]
            if name is None:  # an escape
                continue
            offset = self._piece(text[position : match.start()], offset, written.raw, parts)
            sign = offset + written.dollars
            offset = sign + len(name.encode())
            at = self.between(sign, offset)
            word = name.strip("`")
            self.names.add(word)
            parts.append(ir.This(at) if word == "this" else ir.Name(word, at))
            position = match.end()
        self._piece(text[position:], offset, written.raw, parts)

    def _piece(self, text: str, start: int, raw: bool, parts: list[ir.Expr]) -> int:
        """Adds a piece of text without templates; where it ends."""
        end = start + len(text.encode())
        if text:
            at = self.between(start, end)
            value = text if raw else literals.unescape(text)
            parts.append(ir.Opaque("escape", at) if value is None else ir.Const(value, at))
        return end

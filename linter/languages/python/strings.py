"""Literals of texts and bytes -> `ir`, those with fields and those that stand side by side included."""

from __future__ import annotations

from tree_sitter import Node

from subdrift.linter.languages.python import literals
from subdrift.linter.languages.python.operators import Operators
from subdrift.linter.languages.python.syntax import COMMENTS, STRING, field, first, kind, token
from subdrift.linter.model import ir

CONVERSION = kind("type_conversion")
FORMAT_EXPRESSION = kind("format_expression")
FORMAT_SPECIFIER = kind("format_specifier")
INTERPOLATION = kind("interpolation")
_EQUALS = token("=")
EXPRESSION = field("expression")


class Strings(Operators):
    """Lowers texts."""

    def _string(self, node: Node) -> ir.Expr:
        at = self.at(node)
        pieces = _Pieces(at)
        binary = formatted = False
        for part in [node] if node.kind_id == STRING else self.named(node):
            written = self.text(part)
            prefix, quote = literals.opening(written)
            if not quote or "t" in prefix:
                return self.opaque(node, "TemplateStr" if quote else "repr")
            start = len(prefix) + len(quote)
            try:
                if "f" in prefix:
                    formatted = True
                    self._fields(
                        part,
                        part.start_byte + start,
                        part.end_byte - len(quote),
                        prefix,
                        pieces,
                        self.at(part),
                    )
                else:
                    binary = binary or "b" in prefix
                    pieces.text(literals.text(written[start : -len(quote)], prefix))
            except literals.MalformedError:
                return self.opaque(node, "escape")
        if binary:
            return ir.Const("".join(pieces.texts), at, binary=True)
        return pieces.whole() if formatted else pieces.one()

    def _fields(self, node: Node, start: int, end: int, prefix: str, pieces: _Pieces, at: ir.At) -> None:
        """The texts and fields between two places of a f-string, or of the format of one of its fields."""
        for child in node.named_children:
            if child.kind_id == INTERPOLATION or child.kind_id == FORMAT_EXPRESSION:
                pieces.text(literals.formatted_text(self._between(start, child.start_byte), prefix))
                self._formatted_field(child, prefix, pieces, at)
                start = child.end_byte
        pieces.text(literals.formatted_text(self._between(start, end), prefix))

    def _between(self, start: int, end: int) -> str:
        if self.plain is not None:
            return self.plain[start:end]
        return self.data[start:end].decode("utf-8", "replace")

    def _formatted_field(self, node: Node, prefix: str, pieces: _Pieces, at: ir.At) -> None:
        written = node.child_by_field_id(EXPRESSION) or first(node)
        if written is None:
            raise literals.MalformedError(self.text(node))
        conversion = ""
        shown: int | None = None  # where `{value=}` ends its text
        spec: Node | None = None
        for child in node.children:
            if child.kind_id == _EQUALS:
                shown = child.end_byte
            elif shown is not None and shown >= 0 and child.kind_id not in COMMENTS:
                pieces.text(self._between(node.start_byte + 1, child.start_byte))
                shown = -1
            if child.kind_id == CONVERSION:
                conversion = self.text(child)[1:].strip()
            elif child.kind_id == FORMAT_SPECIFIER:
                spec = child
        if shown is not None and not conversion and spec is None:
            conversion = "r"
        value = self.expression(written)
        if not conversion and spec is None:
            pieces.add(value)
            return
        form: ir.Expr | None = None
        if spec is not None:
            inner = _Pieces(at)
            self._fields(spec, spec.start_byte + 1, spec.end_byte, prefix, inner, at)
            form = inner.whole()
        pieces.add(ir.Format(value, conversion, form, value.at))


class _Pieces:
    """The texts and fields of a literal so far."""

    def __init__(self, at: ir.At) -> None:
        self.at = at
        self.texts: list[str] = []
        self._parts: list[ir.Expr] = []

    def text(self, text: str) -> None:
        if text:
            self.texts.append(text)

    def add(self, field: ir.Expr) -> None:
        if self.texts:
            self._parts.append(self.one())
            self.texts = []
        self._parts.append(field)

    def one(self) -> ir.Expr:
        """The texts since the last field."""
        text = "".join(self.texts)
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            return ir.Opaque("surrogate", self.at)
        return ir.Const(text, self.at)

    def whole(self) -> ir.Expr:
        """All of it."""
        if self.texts:
            self._parts.append(self.one())
        if not self._parts:
            return ir.Const("", self.at)
        only = self._parts[0]
        if (
            len(self._parts) == 1
            and isinstance(only, ir.Const)
            and isinstance(only.value, str)
            and not only.binary
        ):
            return only
        return ir.Join(tuple(self._parts), self.at)

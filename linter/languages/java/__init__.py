"""Java up to 25 -> `ir.Unit`."""

from __future__ import annotations

from subdrift.linter.languages import trees
from subdrift.linter.languages.java import lombok
from subdrift.linter.languages.java.comments import comments as comments
from subdrift.linter.languages.java.declarations import Declarations
from subdrift.linter.languages.java.escapes import translate
from subdrift.linter.languages.java.newer import respelled
from subdrift.linter.languages.java.syntax import GRAMMAR
from subdrift.linter.languages.text import CONTENT_MAX, Places, decode
from subdrift.linter.model import ir
from subdrift.linter.model.message import say

START: ir.At = (1, 1, 1, 1)


def lower(content: bytes) -> ir.Unit:
    """The lowered file. Total: syntax errors are `broken` places; a file above `CONTENT_MAX` is `skipped`, and one that
    the parser gives up is an empty unit that is broken at its start."""
    if len(content) > CONTENT_MAX:
        reason = say("too-many-bytes", count=len(content), most=CONTENT_MAX)
        return ir.Unit("java", "", (), (), (), (), (START,), reason)
    data = decode(content)[0]
    written, marks = data, None
    if b"\\u" in data:
        data, marks = translate(data)
    tree = trees.parse(GRAMMAR.parser, data) if data or not content else None
    if tree is None:
        return ir.Unit("java", "", (), (), (), (), (START,))
    if tree.root_node.has_error:
        newer = respelled(tree.root_node, data)
        tree = (trees.parse(GRAMMAR.parser, newer) if newer != data else None) or tree
    root = tree.root_node
    lowering = Declarations(data, Places(written, marks))
    unit = lowering.unit(root, tuple(lowering.at(node) for node in trees.broken(root)))
    return lombok.expanded(unit, _written) if lombok.MARK in data else unit


def _written(source: str, at: ir.At) -> ir.ClassDecl:
    """The lowered form of a class that a processor writes, all of it at one place."""
    data = source.encode()
    tree = trees.parse(GRAMMAR.parser, data)
    if tree is None:
        return ir.ClassDecl("", "class", at, at)
    return Declarations(data, _At(data, at)).unit(tree.root_node, ()).types[0]


class _At(Places):
    """Everything stands at one place."""

    __slots__ = ("_at",)

    def __init__(self, data: bytes, at: ir.At) -> None:
        super().__init__(data)
        self._at = at

    def between(self, start: int, end: int) -> ir.At:
        return self._at

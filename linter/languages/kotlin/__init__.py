"""Kotlin, also its build scripts -> `ir.Unit`."""

from __future__ import annotations

from tree_sitter import Tree

from subdrift.linter.languages import trees
from subdrift.linter.languages.kotlin.comments import comments as comments
from subdrift.linter.languages.kotlin.declarations import Declarations
from subdrift.linter.languages.kotlin.repair import Taken, close_members, put_right, wrong
from subdrift.linter.languages.kotlin.spelling import respelled
from subdrift.linter.languages.kotlin.syntax import GRAMMAR, ended
from subdrift.linter.languages.text import Places, decode
from subdrift.linter.model import ir
from subdrift.linter.model.message import say

CONTENT_MAX = 256 * 1024
"""Bytes of a file that are read: in a broken file the parser's time grows with the square of its length."""

START: ir.At = (1, 1, 1, 1)


def lower(content: bytes, stem: str = "") -> ir.Unit:
    """The lowered file. `stem`: the file's name without its suffix, which names the class of what is declared outside of
    any (`main` makes `MainKt`); without it, and without `@file:JvmName`, that class has the name "".

    Total: syntax errors are `broken` places; a file above `CONTENT_MAX` is `skipped`, and one that the parser gives up is an
    empty unit that is broken at its start.
    """
    if len(content) > CONTENT_MAX:
        reason = say("too-many-bytes", count=len(content), most=CONTENT_MAX)
        return ir.Unit("kotlin", "", (), (), (), (), (START,), reason)
    data = ended(decode(content)[0])
    tree = trees.parse(GRAMMAR.parser, data)
    if tree is None:
        return ir.Unit("kotlin", "", (), (), (), (), (START,))
    tree, taken = _read(tree, data)
    root = tree.root_node
    lowering = Declarations(data, Places(data), taken)
    return lowering.unit(root, tuple(lowering.at(node) for node in trees.broken(root)), facade(stem))


def _read(tree: Tree, data: bytes) -> tuple[Tree, Taken]:
    """The tree with the fewest errors of all spellings of a text, and what is not in it."""
    best, text, taken = put_right(tree, data)
    errors = wrong(best.root_node, text)
    all_taken = taken
    for change in (respelled, close_members):
        spelled = change(text) if errors else text
        again = trees.parse(GRAMMAR.parser, spelled) if spelled is not text else None
        if again is None:
            continue
        again, text, more = put_right(again, spelled)
        all_taken = all_taken.merged(more)
        left = wrong(again.root_node, text)
        if left < errors:
            best, taken, errors = again, all_taken, left
    return best, taken


def facade(stem: str) -> str:
    """The class that the JVM has for what a file declares outside of any class: `MainKt` for `main`."""
    name = "".join(letter if letter.isalnum() or letter == "_" else "_" for letter in stem)
    return f"{name[:1].upper()}{name[1:]}Kt" if name else ""

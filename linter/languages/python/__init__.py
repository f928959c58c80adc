"""Python source -> `ir.Unit`."""

from __future__ import annotations

import re

from subdrift.linter.languages import trees
from subdrift.linter.languages.python.comments import comments as comments
from subdrift.linter.languages.python.declarations import Declarations
from subdrift.linter.languages.python.syntax import GRAMMAR
from subdrift.linter.languages.python.text import decode
from subdrift.linter.languages.text import Places
from subdrift.linter.model import ir
from subdrift.linter.model.message import say

_TYPE = re.compile(rb"\btype\b(?=[ \t]*[(\[.])")
_CONTINUED = re.compile(rb"^[ \t]*\\\n", re.MULTILINE)
_ALIGNED = re.compile(rb"(\{[A-Za-z_][\w.]*(?:![rsa])?):=(?=[-+ #0-9,._a-zA-Z%{}]*\})")

SOURCE_BYTES_MAX = 1024 * 1024
"""Larger files are left out: they are data or generated, and syntax trees take many times the source."""


def lower(content: bytes) -> ir.Unit:
    """The lowered form of a Python file, whatever version of Python runs this. Total: syntax errors are `broken` places, a
    file that is too large has a reason in `skipped`. Nothing is executed, nothing but the bytes is looked at."""
    if len(content) > SOURCE_BYTES_MAX:
        reason = say("too-many-bytes", count=len(content), most=SOURCE_BYTES_MAX)
        return ir.Unit("python", "", (), (), (), (), skipped=reason)
    text = decode(content)
    data = text.encode("utf-8", "replace")
    last = text.rpartition("\n")[2]
    end = (1, 1, text.count("\n") + 1, len(last) + 1)
    parsed = prepared(data)
    tree = trees.parse(GRAMMAR.parser, parsed)
    if tree is None:
        return ir.Unit("python", "", (), (), (), (), (end,))
    cut: dict[int, ir.At] = {}
    if tree.root_node.has_error:
        from subdrift.linter.languages.python.repair import repaired  # needed for few files

        tree, cut = repaired(data, parsed, tree)
    lowering = Declarations(data, Places(data), cut)
    module = lowering.module(tree.root_node, end)
    return ir.Unit(
        "python",
        "",
        tuple(lowering.imports),
        (module,),
        tuple(sorted(lowering.calls)),
        tuple(sorted(lowering.names)),
        tuple(sorted(lowering.broken)[: trees.BROKEN_MAX]),
    )


def prepared(data: bytes) -> bytes:
    """The text that is parsed in the place of a text, as long as it. The grammar takes `type(self).x = 1` for an alias, which
    nothing is where a name does not follow, and the format in `f"{n:=5}"` for an assignment; and its time grows with the
    square of empty lines that go on."""
    if b"type" in data:
        data = _TYPE.sub(b"typE", data)
    if b":=" in data:
        data = _ALIGNED.sub(rb"\1:<", data)
    return _CONTINUED.sub(lambda found: b" " * len(found[0]), data) if b"\\\n" in data else data

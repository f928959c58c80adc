"""Python source -> `ir.Unit`."""

from __future__ import annotations

from subdrift.linter.languages.python.comments import comments as comments
from subdrift.linter.languages.python.parse import parse
from subdrift.linter.languages.python.statements import Statements
from subdrift.linter.model import ir


def lower(content: bytes) -> ir.Unit:
    """The lowered form of a Python file. Total: syntax errors are `broken` places, a file that cannot be read at all
    has a reason in `skipped`. Nothing is executed, nothing but the bytes is looked at."""
    source = parse(content)
    if source.tree is None:
        return ir.Unit("python", "", (), (), (), (), source.broken, source.skipped)
    statements = Statements(source.text, source.replaced or {})
    module = statements.module(source.tree)
    return ir.Unit(
        "python",
        "",
        tuple(statements.imports),
        (module,),
        tuple(sorted(statements.calls)),
        tuple(sorted(statements.names)),
        source.broken,
    )

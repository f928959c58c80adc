"""Loops while they are read: what their `break` and `continue` leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from subdrift.linter.model import ir

if TYPE_CHECKING:
    from subdrift.linter.languages.python.statements import Statements


class Loop:
    """A loop whose body is being lowered: how many switches are between it and here, the label `break` needs."""

    __slots__ = ("label", "switches")

    def __init__(self) -> None:
        self.label = ""
        self.switches = 0

    def around(self, statement: ir.Stmt, at: ir.At) -> ir.Stmt:
        return ir.Block((statement,), at, self.label) if self.label else statement


class InSwitch:
    """What stands inside is in a `Switch`, which a `break` without label would leave instead of the loop."""

    __slots__ = ("_statements",)

    def __init__(self, statements: Statements) -> None:
        self._statements = statements

    def __enter__(self) -> None:
        if self._statements.loops:
            self._statements.loops[-1].switches += 1

    def __exit__(self, *_: object) -> None:
        if self._statements.loops:
            self._statements.loops[-1].switches -= 1

"""The table of library functions that execution knows, by full name (`builtins.len`, `os.path.join`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.guards import UNSET, both, either, leaves, negate, pick
from subdrift.linter.resolve.execute.interpreter import Arguments, Interpreter
from subdrift.linter.resolve.execute.values import Frame, Function, Guarded, Object, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


def function_key(function: Function) -> object:
    """Under which the attributes of a function are kept: each turn of a `def` makes a function of its own."""
    frame = function.frame or getattr(function.native, "frame", None)
    outer = 0 if frame is None else frame.number
    return ("python function", function.method or function, outer)


class Call(Struct, frozen=True):
    """A call of a library function: on which run, with what, from where."""

    python: Python
    run: Interpreter
    arguments: Arguments
    frame: Frame
    at: Location | None

    @property
    def program_frame(self) -> Frame:
        """The code of the program that calls: not that of a library's model."""
        found: Frame | None = self.frame
        while found is not None and found.owner is not None and found.owner.file.model:
            found = found.caller
        return found or self.frame

    @property
    def values(self) -> list[Guarded]:
        return self.arguments.values

    def get(self, index: int, name: str = "", default: Guarded = UNSET) -> Guarded:
        return self.arguments.get(index, name, default)

    def each(self, value: Guarded, function: Callable[[Any], Guarded]) -> Guarded:
        """A function with effects, on each possible value."""
        return self.run.over(value, function)

    def items(self, value: Guarded) -> list[tuple[Guarded, Guarded]] | None:
        """What iterating over a value gives; None where nobody knows."""
        return self.python.items(self.run, value, self.frame)

    def elements(self, value: Guarded) -> list[tuple[Guarded, Guarded]]:
        """What iterating gives; one unknown element where nobody knows."""
        found: list[tuple[Guarded, Guarded]] = []
        for guard, leaf in leaves(value, self.run.guard):
            at = self.frame.owner.decl.name_at if self.frame.owner is not None else (1, 1, 1, 1)
            found += [(both(guard, inner), item) for inner, item in self.run.elements(leaf, self.frame, at)]
        if self.run.guard is not True:
            found = [(True if guard == self.run.guard else guard, item) for guard, item in found]
        return found

    def apply(self, function: Guarded, *values: Guarded, names: dict[str, Guarded] | None = None) -> Guarded:
        """Calls a function value."""
        given = Arguments(list(values), names or {})
        return self.run.over(
            function, lambda leaf: self.python.call(self.run, leaf, given, self.frame, self.at)
        )

    def make(self, kind: str, **fields: Guarded) -> Object:
        made = self.run.make(None, kind, self.at)
        made.fields.update(fields)
        return made

    def function(self, name: str, body: Callable[[Call], Guarded]) -> Function:
        """A function value with native behaviour."""

        def native(
            run: Interpreter, arguments: Arguments, caller: Frame | None, at: Location | None
        ) -> Guarded:
            return body(Call(self.python, run, arguments, caller or self.frame, at))

        return Function((), (), None, name, native=native)

    def throw(self, error: str) -> Guarded:
        self.run.throw(self.run.make(None, f"builtins.{error}", self.at))
        return UNSET

    def unknown(self, detail: str, why: Why = Why.DYNAMIC, symbol: object = None) -> Unknown:
        return Unknown(why, detail, symbol)

    def under(self, guard: Guarded, function: Callable[[], Guarded], otherwise: Guarded) -> Guarded:
        """The value of a function run where a guard holds, else another value."""
        before = self.run.guard
        self.run.guard = both(before, guard)
        value = UNSET if self.run.guard is False else function()
        self.run.guard = either(self.run.guard, both(before, negate(guard)))
        return otherwise if value is UNSET else pick(guard, value, otherwise)


Native = Callable[[Call], Guarded]
FUNCTIONS: dict[str, Native] = {}


def native(*names: str) -> Callable[[Native], Native]:
    """Registers what some library functions do."""

    def register(function: Native) -> Native:
        for name in names:
            FUNCTIONS[name] = function
        return function

    return register

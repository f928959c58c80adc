"""What the interpreter and the semantics of a language say to each other: arguments, choices, tests, what ends a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct, field

from subdrift.linter.model import ir
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET, or_else
from subdrift.linter.resolve.execute.values import Entry, Frame, Guarded, Object, Text, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.interpreter import Interpreter


class Test(Struct, frozen=True):
    """A truth value that is not known while running: `true` of one operand (a text is true that says so), `filled`
    of one (a text is true that is not empty), `equal` of two, `present` of one, `profiles` of expressions of which one
    must hold.

    Operands may hold configuration keys: each environment decides the test by itself where it can.
    """

    kind: str
    operands: tuple[Guarded, ...]
    negated: bool = False

    def negate(self) -> Test:
        return Test(self.kind, self.operands, not self.negated)


class Decision(Struct, frozen=True):
    """A choice of the run: what it hangs on, its number of ways and where it was met.

    `kind` is `condition`, `subtype` (which class an object has that nobody has seen being made) or `overflow`: it stands
    for all the choices beyond `CHOICES_MAX`.
    """

    kind: str
    ways: int
    at: Location | None
    test: Test | None = None
    shown: str = ""


class Overdrawn(Exception):
    """A call that cannot reach a client library ran longer than its bound."""


class Unmodelled(Exception):
    """The model of a library calls what nobody knows: what it would tell is not known either."""

    def __init__(self, model: Origin) -> None:
        super().__init__(model.path)
        self.model = model


class Exhausted(Exception):
    """A bound of the whole entry was reached."""


class Arguments(Struct):
    """Evaluated arguments of a call. `open`: an argument spread over unknown many places."""

    values: list[Guarded]
    names: dict[str, Guarded] = field(default_factory=dict)
    open: Unknown | None = None
    written: Sequence[ir.Argument] = ()
    """The arguments as they are written, where `values` are theirs."""
    near: Frame | None = None
    """Where they are written."""
    types: Sequence[ir.TypeRef] = ()
    """The type arguments, as they are written there."""
    wanted: tuple[ir.TypeRef, Frame] | None = None
    """The type that what the call gives is declared with, and where that is written."""
    on: ir.Expr | None = None
    """What the call is written on."""

    def __len__(self) -> int:
        return len(self.values) + len(self.names)

    def get(self, index: int, name: str = "", default: Guarded = UNSET) -> Guarded:
        """An argument by position or name."""
        if index < len(self.values):
            return self.values[index]
        found = self.names.get(name, UNSET) if name else UNSET
        return or_else(found, default)


Watch = Callable[[int], Guarded]
"""Is asked before each turn of a loop, and behind the last, by their number: throws what going on would, and gives the guard
under which the loop is at its end."""


class Semantics(Protocol):
    """What a language means by names, operators and its library. All values are guarded unless called leaf."""

    def of_text(self, run: Interpreter, value: Text, ref: ir.TypeRef, frame: Frame) -> Guarded: ...
    def name(self, run: Interpreter, node: ir.Name, frame: Frame) -> Guarded: ...
    def assign_name(self, run: Interpreter, name: str, value: Guarded, frame: Frame, at: ir.At) -> None: ...
    def call_name(self, run: Interpreter, node: ir.Call, arguments: Arguments, frame: Frame) -> Guarded: ...
    def attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded: ...
    def super_attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded: ...
    def attribute_as(
        self, run: Interpreter, leaf: Any, view: Class, name: str, frame: Frame, at: ir.At
    ) -> Guarded: ...
    def set_attribute(
        self, run: Interpreter, leaf: Any, name: str, value: Guarded, frame: Frame, at: ir.At
    ) -> None: ...
    def call_method(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded: ...
    def family(self, run: Interpreter, declared: Class) -> Sequence[Class]:
        """A class, and those of the program above it."""
        ...

    def construct(self, run: Interpreter, node: ir.New, arguments: Arguments, frame: Frame) -> Guarded: ...
    def index(self, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> Guarded: ...
    def set_index(
        self, run: Interpreter, leaf: Any, key: Guarded, value: Guarded, frame: Frame, at: ir.At
    ) -> None: ...
    def delete(self, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> None: ...
    def delete_attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> None: ...
    def binary(self, run: Interpreter, operator: str, left: Any, right: Any) -> Any: ...
    def unary(self, run: Interpreter, operator: str, operand: Any) -> Any: ...
    def truth(self, leaf: Any) -> Guarded:
        """True, False, a guard, or the test that would tell."""
        ...

    def fallback(self, run: Interpreter, left: Guarded, right: ir.Expr, frame: Frame) -> Guarded:
        """What `left || right` is where the language makes a value with a default of it; UNSET elsewhere."""
        ...

    def items(self, run: Interpreter, leaf: Any, frame: Frame) -> list[tuple[Guarded, Guarded]] | None: ...
    def watch(self, run: Interpreter, source: Guarded) -> Watch | None:
        """What a loop over a value asks in each turn; None where its body cannot disturb it."""
        ...

    def shown(self, run: Interpreter, leaf: Any) -> Text: ...
    def is_instance(self, run: Interpreter, leaf: Any, type_: ir.TypeRef, frame: Frame) -> bool | Test: ...
    def literal(self, run: Interpreter, node: ir.Const, frame: Frame) -> Guarded: ...
    def sequence(
        self, run: Interpreter, kind: str, items: list[tuple[Guarded, Guarded]], at: Location
    ) -> Any: ...
    def mapping(self, run: Interpreter, entries: list[Entry], at: Location) -> Any: ...
    def catches(self, run: Interpreter, leaf: Any, types: Sequence[ir.TypeRef], frame: Frame) -> bool | None:
        """Whether a handler for some types takes what was thrown; None where nobody knows."""

    def enter(self, run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> Guarded: ...
    def on_null(self, run: Interpreter, guard: Guarded, frame: Frame) -> None:
        """Where a guard holds, a condition is null."""

    def truth_of(self, run: Interpreter, leaf: Object, frame: Frame) -> Guarded:
        """The truth of an object of a declared class, which may decide it itself."""

    def parted(
        self, run: Interpreter, leaf: Any, types: Sequence[ir.TypeRef], frame: Frame
    ) -> tuple[Any, Any]:
        """What a handler takes that takes parts of a thrown value, and what it leaves; None for nothing."""
        ...

    def swallows(self, run: Interpreter, leaf: Any, thrown: Any, frame: Frame, at: ir.At) -> bool:
        """The end of a `with` whose body threw; whether the program goes on behind it."""

    def captured(self, frame: Frame) -> Frame:
        """What a function made in a frame sees of it."""

    def narrowed(
        self, run: Interpreter, node: ir.Assign, before: Guarded, added: Guarded, value: Guarded, frame: Frame
    ) -> Guarded:
        """What a variable keeps of the result of `variable op= …`, with what it held before and what is added."""

    def promoted(self, run: Interpreter, node: ir.Conditional, value: Guarded, frame: Frame) -> Guarded:
        """The value of a conditional expression as its other part makes it."""
        ...

    def unpacked(self, run: Interpreter, value: Guarded, frame: Frame) -> Guarded:
        """What stands behind `**`, as a dict where it is one of the program's own mappings."""
        ...

    def of_width(
        self, run: Interpreter, node: ir.Binary, left: Guarded, right: Guarded, frame: Frame
    ) -> Guarded:
        """What an operator gives whose result hangs on how many bits its operands have."""

    def leave(self, run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> None: ...
    def define(
        self, run: Interpreter, what: ir.ClassDecl | ir.MethodDecl | ir.Import, frame: Frame
    ) -> None: ...
    def expression(self, run: Interpreter, node: ir.Expr, frame: Frame) -> Guarded: ...
    def call_value(
        self, run: Interpreter, leaf: Any, arguments: Arguments, frame: Frame | None, at: Location | None
    ) -> Guarded: ...
    def match(self, run: Interpreter, leaf: Any, label: Any, frame: Frame) -> Guarded: ...
    def forget(self, run: Interpreter, names: frozenset[str], frame: Frame, at: ir.At) -> None: ...

"""What stands for a value in the key of a choice: equal for what must be equal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import LibraryConstant, Object, Text, TypeValue, Unknown

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.interpreter import Interpreter

SYMBOL_PARTS_MAX = 200
"""Parts of the symbol of an unknown value; one with more is equal to nothing."""

PRESENT = "present"
"""Begins the symbol of what nobody knows, but that it is not null."""


def symbol_of(value: Any) -> object:
    """What stands for a value in the key of a choice: equal for what must be equal; None where nothing does, or only what
    is larger than `SYMBOL_PARTS_MAX`."""
    found = _named(value)
    return found if type(found) is not tuple or _is_small(found) else None


_VALUES: Final = frozenset(
    {
        "String", "CharSequence", "Integer", "Long", "Short", "Byte", "Boolean", "Double", "Float", "Character", "BigDecimal",
        "BigInteger", "Duration", "int", "long", "short", "byte", "boolean", "double", "float", "char", "Int", "Char", "Class",
    }
)  # fmt: skip
"""Types of which an object is always the same."""


def as_it_is(run: Interpreter, leaf: Any) -> object:
    """The symbol of what nobody knows or sees into, another one after each call that may have changed it; None where it has
    none."""
    symbol = symbol_of(leaf)
    is_value = type(leaf) is Text or (
        type(leaf) is Unknown and leaf.type is not None and leaf.type.simple in _VALUES
    )
    return symbol if symbol is None or is_value or not run.unseen else ("as it is", symbol, run.unseen)


def as_seen(run: Interpreter, leaf: Any) -> Any:
    """What nobody knows, told apart from what it was before something that may have changed it."""
    is_known = type(leaf) is not Unknown or leaf.symbol is None or not run.unseen
    return leaf if is_known else replace(leaf, symbol=as_it_is(run, leaf))


def lasting(value: Any) -> object:
    """What stands for an argument in the symbol of what a call gives that nobody sees: None for an object or class whose
    state may be another at the next call, as the call then may say something else."""
    can_change = type(value) is Object and not value.constant
    is_written = (
        type(value) is TypeValue and value.declared is not None and value.declared.file.language == "python"
    )
    return None if can_change or is_written else symbol_of(value)


def _is_small(symbol: tuple[Any, ...]) -> bool:
    """Whether a symbol has few parts, those it holds twice counted twice: `n = n + f(n)` doubles it with each turn, and
    whoever asks whether two are equal walks all of them."""
    for part in symbol:
        if type(part) is tuple:
            break
    else:
        return len(symbol) <= SYMBOL_PARTS_MAX
    count = 0
    level: list[tuple[Any, ...]] = [symbol]
    while level:
        for part in level:
            count += len(part)
        if count > SYMBOL_PARTS_MAX:
            return False
        level = [each for part in level for each in part if type(each) is tuple]
    return True


def _named(value: Any) -> object:
    if isinstance(value, Unknown):
        return value.symbol
    if isinstance(value, Text):
        parts = tuple(part if not hasattr(part, "symbol") else part.symbol for part in value.parts)
        return None if any(part is None for part in parts) else ("text", parts)
    if isinstance(value, Test):
        operands = tuple(symbol_of(each) for each in value.operands)
        return None if any(each is None for each in operands) else (value.kind, operands, value.negated)
    if isinstance(value, bool | int | float | TypeValue | LibraryConstant):
        return ("plain", type(value).__name__, value)
    if value is None:
        return ("null",)
    if isinstance(value, Object):
        return ("object", value.number)
    return None

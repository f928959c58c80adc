"""Operators on plain values, as Java computes them; what cannot be known keeps what it hangs on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Context, Decimal
from math import copysign
from typing import TYPE_CHECKING, Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import counted
from subdrift.linter.resolve.execute.exceptions import may_refuse
from subdrift.linter.resolve.execute.guards import UNSET, both, negate, some
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import LEAVES_MAX
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    BY_ZERO,
    NUMBERS,
    OF_A_BOX,
    OF_A_WIDTH,
    OF_CHARACTERS,
    Function,
    Gap,
    Guarded,
    LibraryConstant,
    Long,
    Object,
    Single,
    Text,
    TypeValue,
    Unknown,
    is_whole,
    join,
    made_of,
    text,
    widened,
)
from subdrift.linter.resolve.semantics.jvm.equality import identical, is_number, is_text, number_of, unseen

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

_INT_MIN, _INT_RANGE = -(1 << 31), 1 << 32
_LONG_MIN, _LONG_RANGE = -(1 << 63), 1 << 64


def wrap(value: int) -> int:
    """An integer as a 32-bit one where it was one, else as a 64-bit one."""
    if _INT_MIN <= value < -_INT_MIN:
        return value
    return (value - _LONG_MIN) % _LONG_RANGE + _LONG_MIN


def number_text(value: int | float) -> str:
    """A number as Java writes it."""
    if isinstance(value, int):
        return str(value)
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    shortest = _shortest(value)
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return f"{Decimal(shortest):f}" if "e" in shortest else shortest
    exact = Decimal(float(value))
    least = (
        Context(prec=2).plus(exact)
        if len(Decimal(shortest).normalize().as_tuple().digits) == 1
        else Decimal(shortest)
    )
    sign, digits, exponent = least.as_tuple()
    whole = "".join(map(str, digits)).rstrip("0")
    power = int(exponent) + len(digits) - 1
    return f"{'-' if sign else ''}{whole[0]}.{whole[1:] or '0'}E{power}"


def _shortest(value: float) -> str:
    """The fewest digits that tell a number from its neighbours, with a point."""
    if type(value) is not Single:
        return repr(float(value))
    tries = (f"{value:.{digits}g}" for digits in range(1, 10))
    return repr(float(next(each for each in tries if Single.of(float(each)) == value)))


def binary(java: Java, run: Interpreter, operator: str, left: Any, right: Any) -> Any:
    """`left operator right`."""
    if operator == "+" and (is_number(left) or is_number(right)):
        left, right = unseen(left), unseen(right)
    if (
        operator == "+"
        and any(made_of(each) in NUMBERS for each in (left, right))
        and all(
            is_number(each) or made_of(each) in NUMBERS or (isinstance(each, Text) and each.char)
            for each in (left, right)
        )
    ):
        return _numbers(operator, left, right)
    if operator == "+" and (is_text(left) or is_text(right) or _is_object(left) or _is_object(right)):
        if isinstance(left, Text) and left.char and isinstance(right, Text) and right.char:
            return _numbers(operator, left, right)
        if (isinstance(left, Text) and left.char and isinstance(right, int)) or (
            isinstance(right, Text) and right.char and isinstance(left, int)
        ):
            return _numbers(operator, left, right)
        return run.wrote(join([java.shown(run, left), java.shown(run, right)]))
    match operator:
        case "==" | "===":
            return identical(left, right)
        case "!=" | "!==":
            found = identical(left, right)
            if found is OF_A_BOX:
                return found
            return found.negate() if isinstance(found, Test) else not found
        case "&" | "|" | "^" if isinstance(left, bool | Test) or isinstance(right, bool | Test):
            return _truths(operator, unseen(left), unseen(right))
    found = _numbers(operator, unseen(left), unseen(right))
    if left is None or right is None:
        may_refuse(run, "NullPointerException", Unknown(Why.DYNAMIC, "null"), None)
    return found


def calculable(
    java: Java, run: Interpreter, operator: str, left: Guarded, right: Guarded, place: Location
) -> tuple[Guarded, Guarded]:
    """The operands of an operator that calculates or compares sizes, numbers of configuration as those that they are, and
    of one that joins texts the texts of objects."""
    if operator in ("==", "!=", "===", "!=="):
        return left, right
    if operator == "+" and java.joins(left, right):
        return java.told(run, left), java.told(run, right)
    leaves = [*some(left, LEAVES_MAX), *some(right, LEAVES_MAX)]
    if operator == "+" and any(isinstance(leaf, Text) and made_of(leaf) not in NUMBERS for leaf in leaves):
        return left, right
    return counted(run, left, place), counted(run, right, place)


def _is_object(value: Any) -> bool:
    return isinstance(value, Object | LibraryConstant | TypeValue)


def _truths(operator: str, left: Any, right: Any) -> Any:
    if isinstance(left, bool) and isinstance(right, bool):
        return {"&": left and right, "|": left or right, "^": left != right}[operator]
    for known, other in ((left, right), (right, left)):
        if isinstance(known, bool) and isinstance(other, Test):
            if operator == "^":
                return other.negate() if known else other
            decided = known if operator == "|" else not known
            return known if decided else other
    symbols = symbol_of(left), symbol_of(right)
    return Test(
        "true",
        (Unknown(Why.DYNAMIC, operator, None if None in symbols else (operator, *symbols)),),
    )


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


_COMPARES: Final = frozenset({"<", "<=", ">", ">="})
_SHIFTS: Final = frozenset({"<<", ">>", ">>>"})


def _numbers(operator: str, left: Any, right: Any) -> Any:
    a, b = number_of(left), number_of(right)
    if a is not None and b is not None:
        whole = isinstance(a, int) and isinstance(b, int)
        if whole and (type(a) is Long or (type(b) is Long and operator not in _SHIFTS)):
            return _of_longs(operator, int(a), int(b))
        if operator in _ARITHMETIC:
            if operator in "&|^" and not whole:
                return Unknown(Why.UNSUPPORTED, operator)
            found = _ARITHMETIC[operator](a, b)
            return found if isinstance(found, bool) else _kept(found, a, b)
        if operator in ("/", "%"):
            return _kept(_divide(operator, a, b), a, b)
        if operator in _SHIFTS and isinstance(a, int) and isinstance(b, int):
            if operator == "<<":
                return _kept(a << (b & 63), a, b) if 0 <= b < 32 or not _is_int(a) else OF_A_WIDTH
            if _is_int(a) and (not 0 <= b < 32 or (operator == ">>>" and a < 0)):
                return OF_A_WIDTH
            return (a % _LONG_RANGE if operator == ">>>" else a) >> (b & 63)
        return Unknown(Why.UNSUPPORTED, operator)
    return _open(operator, left, right)


def _of_longs(operator: str, a: int, b: int) -> Any:
    """An operation of which one side at least is a `long`."""
    if operator in _COMPARES:
        return _ARITHMETIC[operator](a, b)
    if operator in ("/", "%"):
        found = _divide(operator, a, b)
        return found if found is BY_ZERO else Long(wrap(found))
    return of_width(operator, a, b, 64)


def of_width(operator: str, left: Any, right: Any, bits: int) -> Any:
    """An operation on integers that are known to have 32 or 64 bits."""
    a, b = number_of(left), number_of(right)
    if not isinstance(a, int) or not isinstance(b, int):
        return OF_A_WIDTH
    if operator == "<<":
        exact = a << (b & (bits - 1))
    elif operator == ">>>":
        exact = (a % (1 << bits)) >> (b & (bits - 1))
    elif operator == ">>":
        exact = a >> (b & (bits - 1))
    elif operator in _ARITHMETIC:
        exact = _ARITHMETIC[operator](a, b)
    else:
        return OF_A_WIDTH
    found = (exact + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
    return Long(found) if bits == 64 else found


def _is_int(value: int | float) -> bool:
    return _INT_MIN <= value < -_INT_MIN


def _kept(value: Any, a: int | float, b: int | float) -> Any:
    """A result as a number of the width of its operands: a large integer tells that they are `long`."""
    if isinstance(value, float):
        of_singles = all(type(each) is Single or isinstance(each, int) for each in (a, b))
        return Single.of(value) if of_singles and not (is_whole(a) and is_whole(b)) else value
    if not isinstance(value, int):
        return value
    return OF_A_WIDTH if _is_int(a) and _is_int(b) and not _is_int(value) else wrap(value)


def _divide(operator: str, a: int | float, b: int | float) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        if b == 0:
            return BY_ZERO
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if operator == "/" else a - quotient * b
    if b == 0:
        infinite = operator == "/" and a == a and a != 0
        return float("inf") * copysign(1, a) * copysign(1, b) if infinite else float("nan")
    return a / b if operator == "/" else float(abs(a) % abs(b)) * (-1 if a < 0 else 1)


def _open(operator: str, left: Any, right: Any) -> Any:
    """An operation on something unknown: a test where it compares, else another unknown."""
    symbols = symbol_of(left), symbol_of(right)
    symbol = None if None in symbols else (operator, *symbols)
    why, detail = _reason(left, right)
    if operator in ("<", "<=", ">", ">="):
        return _comparison(operator, left, right, why, detail)
    return Unknown(why, detail, symbol)


def _reason(*values: Any) -> tuple[Why, str]:
    for value in values:
        if isinstance(value, Unknown):
            return value.why, value.detail
        if isinstance(value, Text):
            gap = next((part for part in value.parts if isinstance(part, Gap)), None)
            if gap is not None:
                return gap.why, gap.detail
    return Why.DYNAMIC, phrase("calculation")


def _comparison(operator: str, left: Any, right: Any, why: Why, detail: str) -> Test:
    """A comparison with an unknown: `n > 0`, `n >= 1`, `n != 0` of a length are one test."""
    flipped = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    if isinstance(left, int) and not isinstance(left, bool):
        left, right, operator = right, left, flipped[operator]
    symbol = symbol_of(left)
    if isinstance(right, int) and not isinstance(right, bool) and symbol is not None:
        # everything as "at least": x > n is x >= n + 1, x < n is its negation
        least = right + (operator in (">", "<="))
        test = Test("true", (Unknown(why, detail, (">=", symbol, least)),))
        return test if operator in (">", ">=") else test.negate()
    other = symbol_of(right)
    key = None if symbol is None or other is None else (operator, symbol, other)
    return Test("true", (Unknown(why, detail, key),))


def convert(leaf: Any, type_name: str) -> Any:
    """A cast between numbers and characters."""
    name = type_name.rpartition(".")[2]
    if isinstance(leaf, Text) and leaf.char and leaf.known and (name in OF_CHARACTERS or name == "Integer"):
        return widened(ord(leaf.known), name)
    if isinstance(leaf, int) and not isinstance(leaf, bool) and name in ("char", "Character"):
        return text(chr(leaf % 65536), char=True)
    if isinstance(leaf, float) and name in ("int", "long", "short", "byte", "char"):
        most = (1 << (63 if name == "long" else 31)) - 1
        whole = 0 if leaf != leaf else int(max(-most - 1, min(most, leaf)))
        return convert(whole, name)
    if isinstance(leaf, int | float) and not isinstance(leaf, bool):
        bits = _BITS.get(name)
        if bits is None or isinstance(leaf, float):
            return widened(leaf, name)
        found = (leaf + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
        return Long(found) if name == "long" else found
    return leaf


_BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
"""How many bits an integer has."""


_LEAST: Final[Mapping[type, tuple[int, ...]]] = {int: (-(1 << 31),), Long: (-(1 << 63),)}
"""The numbers of which there is none of the other sign."""


def unary(operator: str, operand: Any) -> Any:
    """`operator operand`."""
    operand = unseen(operand)
    if operator == "!":
        if isinstance(operand, bool):
            return not operand
        if isinstance(operand, Test):
            return operand.negate()
        return Test(
            "true", (operand if isinstance(operand, Unknown | Text) else Unknown(Why.DYNAMIC, "!"),), True
        )
    number = number_of(operand)
    if number is not None:
        if operator == "-":
            if type(number) is Single:
                return Single.of(-number)
            return number if number in _LEAST.get(type(number), ()) else _alike(number, -number)
        if operator == "+":
            return number
        if operator == "~" and isinstance(number, int):
            return _alike(number, ~number)
    if operator == "!!":
        return operand
    symbol = symbol_of(operand)
    return Unknown(Why.DYNAMIC, operator, None if symbol is None else (operator, symbol))


def _alike(one: float, other: float) -> float:
    """A number that is as wide as another."""
    return Long(other) if type(one) is Long else other


def plain(value: Any) -> bool:
    """Whether a value is fully known."""
    if isinstance(value, Text):
        return value.known is not None
    if isinstance(value, TypeValue):
        return not value.guessed
    return value is None or isinstance(value, bool | int | float | LibraryConstant | Object | Function)


def raise_where(run: Interpreter, guard: Guarded, type_name: str, message: Guarded = UNSET) -> None:
    """Library behaviour throws where a guard holds."""
    before = run.guard
    run.guard = both(before, guard)
    if run.guard is not False:
        raise_in(run, type_name, message)
    run.guard = both(before, negate(guard))


_TELLING = ("IndexOutOfBoundsException", "ClassCastException")
"""Exceptions that say what was asked for."""


def raise_in(run: Interpreter, type_name: str, message: Guarded = UNSET) -> None:
    """Library behaviour throws on the path that is being run."""
    thrown = run.make(None, type_name, None)
    if message is UNSET and type_name.endswith(_TELLING):
        message = Unknown(Why.DYNAMIC, "getMessage()")
    if message is not UNSET:
        thrown.fields["<arguments>"] = (message,)
    run.throw(thrown)

"""A selector in, a program for the evaluator out.

The grammar, from loose to tight: OR; AND; ``= <>`` IS; ``> >= < <=`` BETWEEN IN and the text operators; the prefixes
``+ -`` NOT; literals, names and parentheses. Every level associates to the left. Checks run as soon as a construct
has been read. The parser stops at the first token that no level wants and does not ask what follows it: the rest is
the ignored tail.

The levels lie on a stack of its own instead of Python's, so no text can exhaust that; NESTED_PARENTHESES_JUDGED_MAX
and NESTED_OPERATORS_JUDGED_MAX say what is judged.

Mirrors: SelectorParser#JmsSelector with the ``create`` methods of the expression classes, RocketMQ 4.8.0 to 5.3.3.
"""

import math
from collections.abc import Callable
from enum import Enum, auto
from typing import Final, ParamSpec

from msgspec import Struct

from subdrift.linter.broker.selector.errors import (
    CastError,
    Cause,
    ConversionError,
    SelectorRejected,
    SelectorTooDeep,
)
from subdrift.linter.broker.selector.lexer import TEXT_OPERATORS, Kind, Lexer, Token
from subdrift.linter.broker.selector.program import (
    Cast,
    Compare,
    Constant,
    Equal,
    High,
    In,
    Instruction,
    Junction,
    Low,
    Negate,
    Not,
    Property,
    SkipIf,
    SkipIfNull,
    TextTest,
)
from subdrift.linter.broker.selector.text import Rope, constant_text, in_list_text
from subdrift.linter.broker.selector.values import INTEGER_MAX, LONG_MAX, Long, Value, compared
from subdrift.linter.model.message import phrase

NESTED_PARENTHESES_JUDGED_MAX: Final = 500
"""Deeper than this the answer depends on how warm the virtual machine is (1 MiB of stack)."""
NESTED_OPERATORS_JUDGED_MAX: Final = 12_000
"""Prefixes before one operand, or operators of one chain: so many were always fine."""
NESTED_ALWAYS_REJECTED_MIN: Final = 30_000
"""So many parentheses or prefixes always exhausted the stack."""


class _Class(Enum):
    """What the checks ask of an operand."""

    CONSTANT = auto()
    """A text or number."""
    BOOLEAN_CONSTANT = auto()
    """TRUE, FALSE or NULL."""
    PROPERTY = auto()
    NEGATION = auto()
    BOOLEAN = auto()
    """Any comparison or condition."""


_CONSTANTS: Final = frozenset({_Class.CONSTANT, _Class.BOOLEAN_CONSTANT})
_BOOLEANS: Final = frozenset({_Class.BOOLEAN, _Class.BOOLEAN_CONSTANT})


class _Operand(Struct, frozen=True, eq=False):
    """An expression read so far; its instructions begin at ``start`` in the program."""

    cls: _Class
    start: int
    text: Rope
    depth: int
    value: Value = None
    """Of a constant."""


class _Level(Enum):
    """Which construct waits for the operand that is being read."""

    OR = auto()
    AND = auto()
    EQUALITY = auto()
    COMPARISON = auto()
    BETWEEN_LOW = auto()
    BETWEEN_HIGH = auto()
    PREFIX = auto()
    PARENTHESIS = auto()


class _Waiting(Struct, frozen=True, eq=False):
    """A construct whose next operand is being read."""

    level: _Level
    kind: Kind
    operands: tuple[_Operand, ...] = ()
    """Those read so far."""
    negated: bool = False
    skips: tuple[int, ...] = ()
    """Where the program holds skips that have still to be aimed behind this construct."""


class Parsed(Struct, frozen=True, eq=False):
    """A compiled selector's parts."""

    program: tuple[Instruction, ...]
    text: Rope
    end: int
    """Offset behind the last used token, in UTF-16 units."""
    has_tail: bool


_ORDER_OPERATORS: Final = frozenset({Kind.GREATER, Kind.GREATER_EQUAL, Kind.LESS, Kind.LESS_EQUAL})
_EQUALITY_OPERATORS: Final = frozenset({Kind.EQUAL, Kind.NOT_EQUAL})
_PREFIXES: Final = frozenset({Kind.PLUS, Kind.MINUS, Kind.NOT})
_LITERALS: Final = frozenset({Kind.STRING, Kind.INTEGER, Kind.DECIMAL, Kind.TRUE, Kind.FALSE, Kind.NULL})
_UNAIMED: Final = -1

_P = ParamSpec("_P")


def parse(units: str, text_operators: bool) -> Parsed:
    """Compile a selector given as UTF-16 units.

    Raises SelectorRejected, or SelectorTooDeep where a virtual machine's stack decides.
    """
    return _Parser(Lexer(units, text_operators)).parse()


class _Parser:
    def __init__(self, lexer: Lexer) -> None:
        self._lexer = lexer
        self._position = 0
        self._program: list[Instruction] = []
        self._waiting: list[_Waiting] = []
        self._open_parentheses = 0
        self._open_prefixes = 0
        self._deepest_parentheses = 0
        self._deepest_prefixes = 0
        self._open_pluses = 0
        self._postponed: SelectorRejected | None = None

    def parse(self) -> Parsed:
        operand: _Operand | None = None
        while operand is None:
            operand = self._after_primary(self._primary())
        self._check_condition(operand)
        if (
            self._deepest_parentheses > NESTED_PARENTHESES_JUDGED_MAX
            or max(self._deepest_prefixes, operand.depth) > NESTED_OPERATORS_JUDGED_MAX
        ):
            raise SelectorTooDeep(
                phrase("stack-decides", NESTED_PARENTHESES_JUDGED_MAX, NESTED_OPERATORS_JUDGED_MAX)
            )
        if operand.cls is _Class.PROPERTY:
            self._program.append(Cast())
        end = self._lexer.token(self._position - 1).end
        return Parsed(tuple(self._program), operand.text, end, self._peek().kind is not Kind.END)

    # Tokens

    def _peek(self) -> Token:
        return self._lexer.token(self._position)

    def _next(self) -> Token:
        token = self._peek()
        self._position += 1
        return token

    def _expect(self, kind: Kind) -> Token:
        token = self._next()
        if token.kind is not kind:
            raise SelectorRejected(
                Cause.SYNTAX, phrase("expected-found", kind.value, token.text[:40] or token.kind.value)
            )
        return token

    # The grammar

    def _primary(self) -> _Operand:
        """Read prefixes and open parentheses, which wait, up to a literal or name."""
        while True:
            token = self._next()
            if token.kind in _PREFIXES:
                self._open_prefixes += 1
                self._open_pluses += token.kind is Kind.PLUS
                self._deepest_prefixes = max(self._deepest_prefixes, self._open_prefixes)
                self._waiting.append(_Waiting(_Level.PREFIX, token.kind))
            elif token.kind is Kind.OPEN:
                self._open_parentheses += 1
                self._deepest_parentheses = max(self._deepest_parentheses, self._open_parentheses)
                self._waiting.append(_Waiting(_Level.PARENTHESIS, token.kind))
            elif token.kind is Kind.NAME:
                self._program.append(Property(token.text))
                return _Operand(_Class.PROPERTY, len(self._program) - 1, token.text, 1)
            elif token.kind in _LITERALS:
                return self._checked(self._literal, token)
            else:
                raise SelectorRejected(
                    Cause.SYNTAX, phrase("expected-an-operand-found", token.text[:40] or token.kind.value)
                )
            if max(self._open_prefixes, self._open_parentheses) >= NESTED_ALWAYS_REJECTED_MIN:
                raise SelectorRejected(Cause.STACK, phrase("nested-prefixes", NESTED_ALWAYS_REJECTED_MIN))

    def _after_primary(self, operand: _Operand) -> _Operand | None:
        """Finish what a complete primary finishes, level by level.

        None if another operand must be read first, else the whole condition.
        """
        while True:
            operand = self._finish_prefixes(operand)
            if self._top() is _Level.BETWEEN_LOW:
                self._expect(Kind.AND)
                self._waiting.append(self._between_high(self._waiting.pop(), operand))
                return None
            if self._top() is _Level.BETWEEN_HIGH:
                operand = self._checked(self._between, self._waiting.pop(), operand)
            elif self._top() is _Level.COMPARISON:
                operand = self._checked(self._comparison, self._waiting.pop(), operand)
            compared_or_none = self._comparisons_behind(operand)
            if compared_or_none is None:
                return None
            operand = compared_or_none
            if self._top() is _Level.EQUALITY:
                operand = self._checked(self._equality, self._waiting.pop(), operand)
            equated_or_none = self._equalities_behind(operand)
            if equated_or_none is None:
                return None
            operand = equated_or_none
            for level, kind in ((_Level.AND, Kind.AND), (_Level.OR, Kind.OR)):
                if self._top() is level:
                    operand = self._checked(self._junction, self._waiting.pop(), operand)
                if self._peek().kind is kind:
                    self._position += 1
                    self._waiting.append(self._begin_junction(level, kind, operand))
                    return None
            if not self._waiting:
                return operand
            self._expect(Kind.CLOSE)
            self._waiting.pop()
            self._open_parentheses -= 1

    def _top(self) -> _Level | None:
        return self._waiting[-1].level if self._waiting else None

    def _finish_prefixes(self, operand: _Operand) -> _Operand:
        while self._top() is _Level.PREFIX:
            prefix = self._waiting.pop().kind
            self._open_prefixes -= 1
            if prefix is Kind.PLUS:
                self._open_pluses -= 1
                if self._postponed is not None and not self._open_pluses:
                    raise self._postponed
            else:
                operand = self._checked(self._prefixed, prefix, operand)
        return operand

    def _comparisons_behind(self, operand: _Operand) -> _Operand | None:
        """The loop of the comparison level: None once an operator needs another operand."""
        while True:
            token = self._peek()
            negated = token.kind is Kind.NOT
            if negated:
                token = self._lexer.token(self._position + 1)
            if token.kind in _ORDER_OPERATORS and not negated:
                self._position += 1
                self._waiting.append(
                    _Waiting(_Level.COMPARISON, token.kind, (operand,), skips=(self._emit_skip(),))
                )
                return None
            if token.kind is Kind.BETWEEN:
                self._position += 1 + negated
                self._waiting.append(
                    _Waiting(_Level.BETWEEN_LOW, token.kind, (operand,), negated, (self._emit_skip(),))
                )
                return None
            if token.kind is Kind.IN:
                self._position += 1 + negated
                operand = self._checked(self._in_list, operand, self._string_list(), negated)
            elif token.kind in TEXT_OPERATORS:
                self._position += 1 + negated
                search = _string_value(self._expect(Kind.STRING))
                operand = self._text_test(token.kind, operand, search, negated)
            elif negated:
                raise SelectorRejected(
                    Cause.SYNTAX, phrase("not-behind-an-operand", token.text[:40] or token.kind.value)
                )
            else:
                return operand

    def _string_list(self) -> tuple[str, ...]:
        self._expect(Kind.OPEN)
        items = [_string_value(self._expect(Kind.STRING))]
        while self._peek().kind is Kind.COMMA:
            self._position += 1
            items.append(_string_value(self._expect(Kind.STRING)))
        self._expect(Kind.CLOSE)
        return tuple(items)

    def _equalities_behind(self, operand: _Operand) -> _Operand | None:
        """The loop of the equality level: None once an operator needs another operand."""
        while True:
            kind = self._peek().kind
            if kind in _EQUALITY_OPERATORS:
                self._position += 1
                self._waiting.append(_Waiting(_Level.EQUALITY, kind, (operand,)))
                return None
            if kind is not Kind.IS:
                return operand
            self._position += 1
            negated = self._peek().kind is not Kind.NULL
            if negated:
                self._expect(Kind.NOT)
            self._expect(Kind.NULL)
            self._program += (Constant(None), Equal())
            operand = self._equal_result(
                operand, ("(", operand.text, " == NULL)"), operand.depth + 1, negated
            )

    # Checks and instructions

    def _checked(self, build: Callable[_P, _Operand], *args: _P.args, **kwargs: _P.kwargs) -> _Operand:
        """What ``build`` gives; behind a ``+`` a failing check is postponed.

        RocketMQ reads the whole operand of ``+`` once for its syntax before it reads it with checks.
        """
        try:
            return build(*args, **kwargs)
        except SelectorRejected as rejected:
            if not self._open_pluses:
                raise
            self._postponed = self._postponed or rejected
            return _Operand(_Class.BOOLEAN, len(self._program), "", 0)

    def _literal(self, token: Token) -> _Operand:
        value = _literal_value(token)
        self._program.append(Constant(value))
        boolean = value is None or isinstance(value, bool)
        cls = _Class.BOOLEAN_CONSTANT if boolean else _Class.CONSTANT
        return _Operand(cls, len(self._program) - 1, constant_text(value), 1, value)

    def _prefixed(self, kind: Kind, operand: _Operand) -> _Operand:
        if kind is Kind.MINUS:
            self._program.append(Negate())
            return _Operand(_Class.NEGATION, operand.start, ("(- ", operand.text, ")"), operand.depth + 1)
        self._check_condition(operand)
        if operand.cls is _Class.PROPERTY:
            self._program.append(Cast())
        self._program.append(Not())
        return _Operand(_Class.BOOLEAN, operand.start, ("(NOT ", operand.text, ")"), operand.depth + 1)

    def _emit_skip(self) -> int:
        """Reserve a skip for a null on the left; it is aimed once the construct is complete."""
        self._program.append(SkipIfNull(_UNAIMED))
        return len(self._program) - 1

    def _comparison(self, waiting: _Waiting, right: _Operand) -> _Operand:
        (left,), (skip,) = waiting.operands, waiting.skips
        _check_order_operands(left, right)
        self._program.append(Compare(waiting.kind))
        self._program[skip] = SkipIfNull(len(self._program))
        text = ("(", left.text, f" {waiting.kind.value} ", right.text, ")")
        return _Operand(_Class.BOOLEAN, left.start, text, 1 + max(left.depth, right.depth))

    def _between_high(self, waiting: _Waiting, low: _Operand) -> _Waiting:
        """Between the bounds: the lower one may decide."""
        self._program.append(Low(waiting.negated, _UNAIMED))
        skips = (*waiting.skips, len(self._program) - 1)
        operands = (*waiting.operands, low)
        return _Waiting(_Level.BETWEEN_HIGH, waiting.kind, operands, waiting.negated, skips)

    def _between(self, waiting: _Waiting, high: _Operand) -> _Operand:
        (value, low), negated = waiting.operands, waiting.negated
        if not negated:
            _check_bounds(low, high)
        _check_order_operands(value, low)
        _check_order_operands(value, high)
        self._program.append(High(negated))
        null_skip, low_skip = waiting.skips
        self._program[null_skip] = SkipIfNull(len(self._program))
        self._program[low_skip] = Low(negated, len(self._program))
        first, joint, second = (" < ", ") || (", " > ") if negated else (" >= ", ") && (", " <= ")
        text = ("((", value.text, first, low.text, joint, value.text, second, high.text, "))")
        depth = 2 + max(value.depth, low.depth, high.depth)
        return _Operand(_Class.BOOLEAN, value.start, text, depth)

    def _in_list(self, operand: _Operand, items: tuple[str, ...], negated: bool) -> _Operand:
        if operand.cls is not _Class.PROPERTY:
            raise SelectorRejected(Cause.CHECK, phrase("in-needs-property"))
        self._program.append(In(frozenset(items), negated))
        text = (operand.text, " NOT IN" if negated else " IN", in_list_text(items))
        return _Operand(_Class.BOOLEAN, operand.start, text, operand.depth + 1)

    def _text_test(self, kind: Kind, operand: _Operand, search: str, negated: bool) -> _Operand:
        if search:
            self._program.append(TextTest(kind, search, negated))
        else:
            del self._program[operand.start :]  # an empty search is false before the left side is looked at
            self._program.append(Constant(False))
        text = ("(NOT " if negated else "(", kind.value, " ", operand.text, ")")
        return _Operand(_Class.BOOLEAN, operand.start, text, operand.depth + 1)

    def _equality(self, waiting: _Waiting, right: _Operand) -> _Operand:
        (left,) = waiting.operands
        _check_equality_operands(left, right)
        self._program.append(Equal())
        text = ("(", left.text, " == ", right.text, ")")
        depth = 1 + max(left.depth, right.depth)
        return self._equal_result(left, text, depth, waiting.kind is Kind.NOT_EQUAL)

    def _equal_result(self, left: _Operand, text: Rope, depth: int, negated: bool) -> _Operand:
        if not negated:
            return _Operand(_Class.BOOLEAN, left.start, text, depth)
        self._program.append(Not())
        return _Operand(_Class.BOOLEAN, left.start, ("(NOT ", text, ")"), depth + 1)

    def _begin_junction(self, level: _Level, kind: Kind, left: _Operand) -> _Waiting:
        """A property on the left becomes a cast here; whether the left side is allowed is checked at the end."""
        if left.cls is _Class.PROPERTY:
            self._program.append(Cast())
        self._program.append(SkipIf(level is _Level.OR, _UNAIMED))
        return _Waiting(level, kind, (left,), skips=(len(self._program) - 1,))

    def _junction(self, waiting: _Waiting, right: _Operand) -> _Operand:
        (left,), (skip,) = waiting.operands, waiting.skips
        self._check_condition(left)
        self._check_condition(right)
        if right.cls is _Class.PROPERTY:
            self._program.append(Cast())
        deciding = waiting.level is _Level.OR
        self._program.append(Junction(deciding))
        self._program[skip] = SkipIf(deciding, len(self._program))
        text = ("(", left.text, " || " if deciding else " && ", right.text, ")")
        return _Operand(_Class.BOOLEAN, left.start, text, 1 + max(left.depth, right.depth))

    def _check_condition(self, operand: _Operand) -> None:
        """``asBooleanExpression``."""
        if operand.cls not in _BOOLEANS and operand.cls is not _Class.PROPERTY:
            raise SelectorRejected(Cause.SYNTAX, phrase("not-a-condition"))


def _string_value(token: Token) -> str:
    return token.text[1:-1].replace("''", "'")


def _literal_value(token: Token) -> Value:
    match token.kind:
        case Kind.STRING:
            return _string_value(token)
        case Kind.INTEGER:
            digits = token.text.rstrip("lL")
            if len(digits) > len(str(LONG_MAX)) or int(digits) > LONG_MAX:
                raise SelectorRejected(Cause.NUMBER, phrase("no-integer-may-exceed", LONG_MAX))
            number = int(digits)
            return number if number <= INTEGER_MAX else Long(number)
        case Kind.DECIMAL:
            decimal = float(token.text)
            if not 0.0 < decimal < math.inf:
                raise SelectorRejected(Cause.CHECK, phrase("outside-double", token.text[:40]))
            return decimal
        case Kind.TRUE | Kind.FALSE:
            return token.kind is Kind.TRUE
        case _:
            return None


def _check_order_operands(left: _Operand, right: _Operand) -> None:
    for operand in (left, right):
        number = isinstance(operand.value, int | float) and not isinstance(operand.value, bool)
        if operand.cls in _CONSTANTS and not number:
            raise SelectorRejected(
                Cause.CHECK, phrase("constant-has-no-order", constant_text(operand.value)[:40])
            )
        if operand.cls is _Class.BOOLEAN:
            raise SelectorRejected(Cause.CHECK, phrase("condition-has-no-order"))


def _check_equality_operands(left: _Operand, right: _Operand) -> None:
    for operand in (left, right):
        if operand.cls in _CONSTANTS and operand.value is None:
            raise SelectorRejected(Cause.CHECK, phrase("null-does-not-compare"))
    if left.cls is _Class.BOOLEAN_CONSTANT and right.cls is _Class.CONSTANT:
        raise SelectorRejected(Cause.CHECK, phrase("boolean-on-the-left"))


def _check_bounds(low: _Operand, high: _Operand) -> None:
    """``createBetween``: two constants must not be NULL and must stand in order."""
    if low.cls not in _CONSTANTS or high.cls not in _CONSTANTS:
        return
    if low.value is None or high.value is None:
        raise SelectorRejected(Cause.CHECK, phrase("bound-of-between-is-null"))
    try:
        in_order = compared(high.value, low.value) >= 0
    except ConversionError as error:
        raise SelectorRejected(Cause.CHECK, phrase("bounds-of-between-do-not-compare", str(error))) from error
    except CastError as error:
        raise SelectorRejected(Cause.CAST, phrase("bounds-of-between-do-not-compare", str(error))) from error
    if not in_order:
        raise SelectorRejected(Cause.CHECK, phrase("bounds-of-between-are-reversed"))

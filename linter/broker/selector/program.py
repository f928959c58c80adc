"""The program a selector compiles to, and the stack machine that runs it on the properties of a message.

Instructions stand in the order in which RocketMQ evaluates: left before right, with skips where the left side
decides. A flat program instead of a tree, so that a long chain of conditions needs no deep recursion.

Mirrors: ``evaluate`` of ComparisonExpression, LogicExpression, UnaryExpression and UnaryInExpression and their three
truth values, RocketMQ 4.8.0 to 5.3.3.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from subdrift.linter.broker.selector.lexer import Kind
from subdrift.linter.broker.selector.values import Value, equal, negated, ordered, utf16_units

Stack = list[Value]
Properties = Mapping[str, str]


class Instruction(Protocol):
    """One step of a program."""

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        """Do it, and give the position of the next instruction, as a rule ``following``."""


def run(program: Sequence[Instruction], properties: Properties) -> Value:
    """What the program leaves; raises EvaluationError."""
    stack: Stack = []
    position = 0
    while position < len(program):
        position = program[position].step(stack, properties, position + 1)
    return stack.pop()


class Constant(Struct, frozen=True):
    """A literal."""

    value: Value

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        stack.append(self.value)
        return following


class Property(Struct, frozen=True):
    """A property of the message: its text, or null."""

    name: str

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        text = properties.get(self.name)
        stack.append(None if text is None else utf16_units(text))
        return following


class Cast(Struct, frozen=True):
    """A bare property as a condition: null stays null, any text is false."""

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        if stack[-1] is not None:
            stack[-1] = False
        return following


class Not(Struct, frozen=True):
    """NOT: null stays null."""

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        if stack[-1] is not None:
            stack[-1] = not stack[-1]
        return following


class Negate(Struct, frozen=True):
    """The minus sign."""

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        stack[-1] = negated(stack[-1])
        return following


class Equal(Struct, frozen=True):
    """``=`` and IS NULL; both sides were evaluated."""

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        right = stack.pop()
        stack[-1] = equal(stack[-1], right)
        return following


class SkipIfNull(Struct, frozen=True):
    """Keeps a null and goes to ``target``: with a null on the left the right side is not evaluated."""

    target: int

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        return self.target if stack[-1] is None else following


class Compare(Struct, frozen=True):
    """``>``, ``>=``, ``<`` or ``<=``; the left side is not null."""

    kind: Kind

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        right = stack.pop()
        stack[-1] = None if right is None else holds(self.kind, ordered(stack[-1], right))
        return following


def holds(kind: Kind, comparison: int) -> bool:
    """Whether an order operator accepts the outcome of a comparison."""
    match kind:
        case Kind.GREATER:
            return comparison > 0
        case Kind.GREATER_EQUAL:
            return comparison >= 0
        case Kind.LESS:
            return comparison < 0
        case Kind.LESS_EQUAL:
            return comparison <= 0
        case _:
            raise ValueError(f"{kind} is no order operator")


class SkipIf(Struct, frozen=True):
    """Keeps a left side that decides (false for AND, true for OR) and goes to ``target``."""

    deciding: bool
    target: int

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        return self.target if stack[-1] is self.deciding else following


class Junction(Struct, frozen=True):
    """AND (deciding false) or OR (deciding true) of a left side that did not decide and a right side."""

    deciding: bool

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        right = stack.pop()
        stack[-1] = _joined(self.deciding, stack[-1], right)
        return following


def _joined(deciding: bool, left: Value, right: Value) -> bool | None:
    if right is deciding:
        return deciding
    return None if left is None or right is None else not deciding


class Low(Struct, frozen=True):
    """BETWEEN after its lower bound: ``x >= low`` (negated: ``x < low``), and to ``target`` if that decides.

    The value, which is not null, stays for ``High``.
    """

    negated: bool
    target: int

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        low = stack.pop()
        kind = Kind.LESS if self.negated else Kind.GREATER_EQUAL
        first = None if low is None else holds(kind, ordered(stack[-1], low))
        if first is self.negated:
            stack[-1] = first
            return self.target
        stack.append(first)
        return following


class High(Struct, frozen=True):
    """BETWEEN after its upper bound: joins ``x <= high`` (negated: ``x > high``) with what ``Low`` found."""

    negated: bool

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        high = stack.pop()
        first = stack.pop()
        kind = Kind.GREATER if self.negated else Kind.LESS_EQUAL
        second = None if high is None else holds(kind, ordered(stack[-1], high))
        stack[-1] = _joined(self.negated, first, second)
        return following


class In(Struct, frozen=True):
    """[NOT] IN: null stays null."""

    items: frozenset[str]
    negated: bool

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        if stack[-1] is not None:
            stack[-1] = (stack[-1] in self.items) is not self.negated
        return following


class TextTest(Struct, frozen=True):
    """[NOT] CONTAINS, STARTSWITH or ENDSWITH of a search text that is not empty: false for anything but a text."""

    kind: Kind
    search: str
    negated: bool

    def step(self, stack: Stack, properties: Properties, following: int) -> int:
        value = stack[-1]
        stack[-1] = isinstance(value, str) and self._found(value) is not self.negated
        return following

    def _found(self, value: str) -> bool:
        match self.kind:
            case Kind.CONTAINS:
                return self.search in value
            case Kind.STARTSWITH:
                return value.startswith(self.search)
            case Kind.ENDSWITH:
                return value.endswith(self.search)
            case _:
                raise ValueError(f"{self.kind} is no text operator")

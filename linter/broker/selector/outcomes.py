"""What a selector can come to over all messages, from its compiled form alone.

The program is run with every property either missing or some unknown text, and every outcome that a text could bring
about is followed. Two mentions of one property are taken for independent, so the answer may hold outcomes that no
message has; it never lacks one. What is not in it is certain not to happen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import Enum
from typing import Final

from subdrift.linter.broker.selector import Selector
from subdrift.linter.broker.selector.errors import EvaluationError
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
from subdrift.linter.broker.selector.values import Value

STATES_MAX: Final = 20_000
"""States that are looked at; beyond it nothing is said."""


class Outcome(Enum):
    TRUE = "true"
    FALSE = "false"
    NULL = "null"
    ERROR = "error"


class _Text(Enum):
    """Some text that a message has in a property."""

    ANY = "any"


_Abstract = Value | _Text
_Stack = tuple[_Abstract, ...]


def outcomes(selector: Selector, missing: Collection[str] = ()) -> frozenset[Outcome] | None:
    """All that can come of it; with `missing` for messages without those properties. None beyond STATES_MAX."""
    program = selector.program
    waiting: list[tuple[int, _Stack]] = [(0, ())]
    seen = set(waiting)
    found: set[Outcome] = set()
    while waiting:
        position, stack = waiting.pop()
        if position >= len(program):
            found.add(_outcome(stack[-1]))
            continue
        for following in _steps(program[position], position + 1, stack, missing):
            if following is None:
                found.add(Outcome.ERROR)
            elif following not in seen:
                seen.add(following)
                waiting.append(following)
        if len(seen) > STATES_MAX:
            return None
    return frozenset(found)


def properties(selector: Selector) -> tuple[str, ...]:
    """The properties it asks for, each once, in the order of the text."""
    return tuple(dict.fromkeys(one.name for one in selector.program if isinstance(one, Property)))


def negated(selector: Selector) -> frozenset[str]:
    """The properties under a NOT or `<>`, in whose place a missing one surprises."""
    found: set[str] = set()
    stack: list[
        frozenset[str]
    ] = []  # what each value was made of; the order of the text is that of the stack
    for one in selector.program:
        if isinstance(one, Property):
            stack.append(frozenset((one.name,)))
        elif isinstance(one, Constant):
            stack.append(frozenset())
        else:
            if isinstance(one, Not) or (isinstance(one, In | TextTest | Low) and one.negated):
                found |= stack[-1] | (stack[-2] if isinstance(one, Low) else frozenset())
            taken = _TAKES.get(type(one), 1)
            made = frozenset().union(*stack[len(stack) - taken :])
            stack[len(stack) - taken :] = [made, made] if isinstance(one, Low) else [made]
    return frozenset(found)


def _outcome(value: _Abstract) -> Outcome:
    if value is None:
        return Outcome.NULL
    return Outcome.TRUE if value is True else Outcome.FALSE


def _steps(
    one: Instruction, following: int, stack: _Stack, missing: Collection[str]
) -> Iterator[tuple[int, _Stack] | None]:
    """The states after one instruction; None for an exception."""
    if isinstance(one, Property):
        yield following, (*stack, None)
        if one.name not in missing:
            yield following, (*stack, _Text.ANY)
        return
    taken = _TAKES.get(type(one), 0)
    operands = stack[len(stack) - taken :] if taken else ()
    if _Text.ANY not in operands:
        yield _concrete(one, following, stack)
        return
    below = stack[: len(stack) - taken]
    if isinstance(one, Cast):
        yield following, (*below, False)
    elif isinstance(one, SkipIfNull | SkipIf):
        yield following, stack  # a text is neither null nor a truth value
    elif isinstance(one, Low):
        yield None
        if operands[-1] is None:
            yield following, (*below, operands[0], None)
            return
        yield one.target, (*below, one.negated)
        yield following, (*below, operands[0], not one.negated)
    elif isinstance(one, In | TextTest):
        yield from ((following, (*below, truth)) for truth in (True, False))
    elif isinstance(one, Equal) and None in operands:
        yield following, (*below, False)
    elif isinstance(one, Equal) and isinstance(operands[0], bool):
        yield None  # TRUE = p reads the text as a truth value, which throws
    elif isinstance(one, Equal | Compare | High):
        yield None  # the text may be no number
        yield from ((following, (*below, truth)) for truth in (True, False, None))
    else:
        yield None
        yield following, (*below, _Text.ANY)


_TAKES: Final[dict[type, int]] = {
    Cast: 1,
    Not: 1,
    Negate: 1,
    Equal: 2,
    SkipIfNull: 1,
    Compare: 2,
    SkipIf: 1,
    Junction: 2,
    Low: 2,
    High: 3,
    In: 1,
    TextTest: 1,
}


def _concrete(one: Instruction, following: int, stack: _Stack) -> tuple[int, _Stack] | None:
    """One instruction on values that are all known."""
    values: list[Value] = [None if isinstance(value, _Text) else value for value in stack]
    try:
        position = one.step(values, {}, following)
    except EvaluationError:
        return None
    kept = _kept(stack, values)
    return position, kept


def _kept(before: _Stack, after: Sequence[Value]) -> _Stack:
    """The stack after a step, with the unknown texts below the operands in their places again."""
    return tuple(
        before[index] if index < len(before) and isinstance(before[index], _Text) else value
        for index, value in enumerate(after)
    )

"""Operators on plain values, as Python computes them; what cannot be known keeps what it hangs on."""

from __future__ import annotations

import operator as _operator
from collections.abc import Callable
from typing import Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.exceptions import may_refuse
from subdrift.linter.resolve.execute.guards import Diagram, both, either, negate
from subdrift.linter.resolve.execute.handed import beyond
from subdrift.linter.resolve.execute.identity import as_seen, symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import ELEMENTS_MAX
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import TEXT_MAX, Entry, Guarded, Object, Text, Unknown, join
from subdrift.linter.resolve.semantics.python import paths
from subdrift.linter.resolve.semantics.python.concrete import BITS_MAX, unknown_from
from subdrift.linter.resolve.semantics.python.equality import (
    distinct,
    equal,
    identical,
    live,
    may_replace,
    plain,
    put,
)
from subdrift.linter.resolve.semantics.python.texts import Show, as_text, percent

_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": _operator.add,
    "-": _operator.sub,
    "*": _operator.mul,
    "/": _operator.truediv,
    "//": _operator.floordiv,
    "%": _operator.mod,
    "&": _operator.and_,
    "|": _operator.or_,
    "^": _operator.xor,
    ">>": _operator.rshift,
}

_DIVISIONS = frozenset({"/", "//", "%"})

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": _operator.lt,
    "<=": _operator.le,
    ">": _operator.gt,
    ">=": _operator.ge,
}

_ITEMS_MAX = 2_048

Compare = Callable[[str, Any, Any], Any]
"""What an operator gives, also for objects of the program's own classes."""


def binary(
    run: Interpreter, operator: str, left: Any, right: Any, show: Show, compare: Compare | None = None
) -> Any:
    """`left operator right`; `compare` is asked for the parts of what is compared in parts."""
    if operator in ("==", "!="):
        return _maybe_not(equal(left, right), operator == "!=")
    if operator in ("===", "!=="):
        return _maybe_not(identical(left, right), operator == "!==")
    if operator in ("in", "!in"):
        return _maybe_not(contains(run, right, left), operator == "!in")
    if isinstance(left, Text) and operator == "%":
        return percent(left, right, show)
    left, right = live(plain(left)), live(plain(right))
    if isinstance(left, Test) or isinstance(right, Test):
        return Unknown(Why.DYNAMIC, phrase("calculation"))
    if isinstance(left, int | float) and isinstance(right, int | float):
        return _numbers(run, operator, left, right)
    if operator in _ORDER:
        found = _compare(operator, left, right, compare or _compare_plain)
        if run.handlers and isinstance(found, Test) and type(left) is not type(right):
            _refused(run, operator, left, right)
        return found
    if operator == "+" and (isinstance(left, Text) or isinstance(right, Text)):
        return _joined(run, left, right)
    if operator == "*":
        for one, count in ((left, right), (right, left)):
            if isinstance(count, int) and not isinstance(count, bool):
                return _repeated(run, one, count)
    if isinstance(left, tuple) and isinstance(right, tuple) and operator == "+":
        run.work(len(left) + len(right))
        if len(left) + len(right) > ELEMENTS_MAX:
            return Unknown(Why.TOO_MANY, phrase("very-long-value"))
        return left + right
    if isinstance(left, Object) and isinstance(right, Object):
        found = collections(run, operator, left, right)
        if found is not None:
            return found
    if operator == "/" and isinstance(left, Unknown):
        found_path = paths.below(run, left, right)
        if found_path is not None:
            return found_path
    return _refused(run, operator, left, right)


def _refused(run: Interpreter, operator: str, left: Any, right: Any) -> Any:
    """An operation that nothing is known of: its operands may not go together."""
    found = unknown_from((left, right), phrase("operation-on-values", operator))
    for error in ("TypeError", "ZeroDivisionError")[: 2 if operator in _DIVISIONS else 1]:
        may_refuse(run, f"builtins.{error}", found, None)
    return found


def _maybe_not(value: Any, negated: bool) -> Any:
    if not negated:
        return value
    return value.negate() if isinstance(value, Test) else negate(value)


def _numbers(run: Interpreter, operator: str, left: int | float, right: int | float) -> Any:
    if operator in _ORDER:
        return _ORDER[operator](left, right)
    try:
        if operator in ("**", "<<"):
            if isinstance(left, int) and isinstance(right, int):
                size = left.bit_length() * abs(right) if operator == "**" else left.bit_length() + abs(right)
                if size > BITS_MAX:
                    return Unknown(Why.TOO_MANY, phrase("very-large-number"))
                return left**right if operator == "**" else left << right
            return left**right
        if operator in _ARITHMETIC:
            result = _ARITHMETIC[operator](left, right)
            if isinstance(result, int) and result.bit_length() > BITS_MAX:
                return Unknown(Why.TOO_MANY, phrase("very-large-number"))
            return result
    except ZeroDivisionError:
        run.throw(run.make(None, "builtins.ZeroDivisionError", None))
        return Unknown(Why.DYNAMIC, phrase("division-by-zero"))
    except (TypeError, ValueError, OverflowError):
        return Unknown(Why.DYNAMIC, phrase("calculation"))
    return Unknown(Why.UNSUPPORTED, operator)


def _joined(run: Interpreter, left: Any, right: Any) -> Any:
    """A text and something that must be one too."""
    one, other = as_text(left), as_text(right)
    if one is None or other is None:
        return _refused(run, "+", left, right)
    joined = join([one, other])
    if sum(len(part) for part in joined.parts if isinstance(part, str)) > TEXT_MAX:
        return Unknown(Why.TOO_MANY, phrase("very-long-text"))
    return run.wrote(joined)


_ROWS: Final = frozenset({"list", "tuple", "deque"})
"""Kinds of collections that `+` and `*` are for."""


def _repeated(run: Interpreter, value: Any, count: int) -> Any:
    if isinstance(value, Text):
        size = sum(len(part) for part in value.parts if isinstance(part, str))
        if not value.parts or count <= 0:
            return Text((), value.steps, value.char, value.frame)
        if size * count > TEXT_MAX:
            return Unknown(Why.TOO_MANY, phrase("very-long-text"))
        return (
            run.wrote(join([value] * max(count, 0)))
            if len(value.parts) * count <= _ITEMS_MAX
            else Unknown(Why.TOO_MANY, phrase("text"))
        )
    if isinstance(value, tuple) and len(value) * count <= _ITEMS_MAX:
        return value * count if value and count > 0 else ()
    if (
        isinstance(value, Object)
        and value.items is not None
        and value.type in _ROWS
        and len(value.items) * count <= _ITEMS_MAX
    ):
        made = run.make(None, value.type, value.at)
        made.items = list(value.items) * count if value.items and count > 0 else []
        made.open = beyond(value)
        run.bound(made)
        return made
    return unknown_from((value,), phrase("repeated-value"))


_COUNTS: Final[dict[str, Callable[[int, int], int]]] = {
    "+": _operator.add,
    "-": _operator.sub,
    "|": max,
    "&": min,
}


def _counts(run: Interpreter, operator: str, left: Object, right: Object) -> Object | None:
    """What an operator makes of two counters; None where not all of them is known."""
    every, split = [*(left.entries or ()), *(right.entries or ())], len(left.entries or ())
    if beyond(left) or beyond(right) or not all(e.guard is True and type(e.value) is int for e in every):
        return None
    made = run.make(None, "Counter", left.at)
    made.entries, made.fields["<default>"] = [], 0
    run.work(len(every) ** 2)
    for place, entry in enumerate(every):
        same = [equal(entry.key, each.key) for each in every]
        if any(isinstance(each, Test) for each in same):
            return None
        if True in same[:place]:
            continue
        mine = next((each.value for each, is_one in zip(every[:split], same, strict=False) if is_one), 0)
        its = next(
            (each.value for each, is_one in zip(every[split:], same[split:], strict=True) if is_one), 0
        )
        count = _COUNTS[operator](mine, its)
        if count > 0:
            made.entries.append(Entry(True, entry.key, count))
    return made


def collections(run: Interpreter, operator: str, left: Object, right: Object) -> Object | None:
    """`list + list`, `dict | dict` and the operators of sets; None for anything else."""
    if left.type == right.type == "Counter" and operator in _COUNTS:
        return _counts(run, operator, left, right)
    if left.entries is not None and right.entries is not None and operator == "|":
        made = run.make(None, left.type, left.at)
        made.open = beyond(left)
        made.entries = [Entry(entry.guard, entry.key, entry.value, entry.at) for entry in left.entries]
        more = beyond(right)
        if more is not None:
            may_replace(made, True, more)
        for entry in right.entries:
            put(made, entry.key, entry.value, entry.guard, entry.at)
        return made
    if left.items is None or right.items is None:
        return None
    made = run.make(None, "set" if left.type == "keys" else left.type, left.at)
    made.open = beyond(left) or beyond(right)
    if operator == "+":
        if left.type not in _ROWS or right.type not in _ROWS:
            return None
        made.items = [*left.items, *right.items]
        run.bound(made)
        return made
    if left.type not in ("set", "frozenset", "keys") or made.open is not None:
        return None
    if operator == "|":
        made.items = distinct([*left.items, *right.items])
    elif operator == "^":
        one, other = collections(run, "-", left, right), collections(run, "-", right, left)
        if one is None or other is None:
            return None
        made.items = [*(one.items or ()), *(other.items or ())]
    elif operator in ("-", "&"):
        run.work(len(left.items) * len(right.items))
        made.items = []
        for guard, item in left.items:
            inside: Any = False
            for other, each in right.items:
                found = equal(item, each)
                if isinstance(found, Test):
                    return None
                inside = either(inside, both(other, found))
            made.items.append((both(guard, negate(inside) if operator == "-" else inside), item))
        made.items = [pair for pair in made.items if pair[0] is not False]
    else:
        return None
    return made


def _compare(operator: str, left: Any, right: Any, compare: Compare) -> Any:
    if (
        isinstance(left, Text)
        and isinstance(right, Text)
        and left.known is not None
        and right.known is not None
    ):
        return _ORDER[operator](left.known, right.known)
    if isinstance(left, Object) and isinstance(right, Object) and left.type == right.type == "set":
        small, large = (right, left) if operator[0] == ">" else (left, right)
        counted = all(guard is True for guard, _ in (*(small.items or ()), *(large.items or ())))
        if small.open is None and large.open is None and counted:
            inside = [_inside(large, item) for _, item in small.items or ()]
            if all(isinstance(each, bool) for each in inside):
                proper = len(small.items or ()) < len(large.items or ())
                return all(inside) and (operator in ("<=", ">=") or proper)
    mine, its = _parts(left, right), _parts(right, left)
    if mine is not None and its is not None:
        for one, other in zip(mine, its, strict=False):
            found = equal(one, other)
            if isinstance(found, Test):
                return found
            if not found:
                return compare(operator, one, other)
        return _ORDER[operator](len(mine), len(its))
    one, other = symbol_of(left), symbol_of(right)
    if isinstance(left, int | float) and not isinstance(left, bool):  # n > 0 and 0 < n are one test
        flipped = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
        operator, one, other = flipped[operator], other, one
    symbol = None if one is None or other is None else (operator, one, other)
    return Test("true", (Unknown(Why.DYNAMIC, phrase("comparison"), symbol),))


def _parts(value: Any, other: Any) -> tuple[Any, ...] | None:
    """What a value is compared by, one part after the other: a tuple, a list, a dataclass with `order=True`."""
    if isinstance(value, tuple):
        return value
    if not isinstance(value, Object) or not isinstance(other, Object | tuple):
        return None
    if "<compare>" in value.fields and value.items is not None:  # a named tuple
        return tuple(item for _, item in value.items)
    if not isinstance(other, Object):
        return None
    if "<ordered>" in value.fields and value.declared is other.declared:
        return tuple(map(value.fields.get, value.fields["<compared>"]))
    if (
        value.type != "list"
        or value.open is not None
        or any(guard is not True for guard, _ in value.items or ())
    ):
        return None
    return tuple(item for _, item in value.items or ())


def _inside(holder: Object, item: Any) -> bool | Test:
    """Whether a set certainly holds an item, certainly does not, or nobody knows."""
    found = [equal(item, each) for guard, each in holder.items or () if guard is True]
    if any(each is True for each in found):
        return True
    sure = len(found) == len(holder.items or ()) and all(each is False for each in found)
    return False if sure else Test("true", (Unknown(Why.DYNAMIC, phrase("comparison-of-sets")),))


def _compare_plain(operator: str, left: Any, right: Any) -> Any:
    if isinstance(left, int | float) and isinstance(right, int | float):
        return _ORDER[operator](left, right)
    return _compare(operator, left, right, _compare_plain)


def contains(run: Interpreter, holder: Any, item: Any) -> Any:
    """`item in holder`: a guard, or a test."""
    holder = live(plain(holder))
    if isinstance(holder, Text):
        part = plain(item)
        if isinstance(part, Text) and part.known is not None:
            if holder.known is not None:
                return part.known in holder.known
            if any(isinstance(each, str) and part.known in each for each in holder.parts):
                return True
    members: list[tuple[Any, Any]] | None = None
    if isinstance(holder, tuple):
        members = [(True, each) for each in holder]
    elif isinstance(holder, Object) and holder.entries is not None:
        members = [(entry.guard, entry.key) for entry in holder.entries]
    elif isinstance(holder, Object) and holder.items is not None:
        members = holder.items
    if isinstance(holder, Object) and holder.type == "generator" and members is not None:
        holder.items, holder.open = (
            [],
            Unknown(Why.DYNAMIC, "in"),
        )  # it was drawn from up to what was looked for
        holder.fields["<unordered>"] = holder.open
        if not members:
            return False
    if members is not None:
        inside: Any = False
        unsure: Test | None = None
        for guard, each in members:
            found = (
                equal(item, each)
                if not isinstance(each, Diagram)
                else Test("true", (Unknown(Why.DYNAMIC, "in"),))
            )
            if isinstance(found, Test):
                unsure = found
            elif found:
                inside = either(inside, guard)
        if inside is True or (
            unsure is None
            and not (isinstance(holder, Object) and holder.open is not None and holder.type != "generator")
        ):
            return inside
    one, other = symbol_of(item), symbol_of(as_seen(run, holder))
    symbol = None if one is None or other is None else ("in", one, other)
    return Test("true", (Unknown(Why.DYNAMIC, "in", symbol),))


def unary(operator: str, operand: Any, truth: Callable[[Any], Guarded]) -> Any:
    """`operator operand`."""
    if operator == "!":
        found = truth(operand)
        return found.negate() if isinstance(found, Test) else negate(found)
    operand = plain(operand)
    if isinstance(operand, int | float):
        if operator == "-":
            return -operand
        if operator == "+":
            return operand
        if operator == "~" and isinstance(operand, int):
            return ~operand
    return unknown_from((operand,), operator)


def truth(leaf: Any) -> Guarded:
    """`bool(leaf)`, as far as no method of a class decides it."""
    leaf = live(plain(leaf))
    if leaf is None or isinstance(leaf, bool | int | float):
        return bool(leaf)
    if isinstance(leaf, Test):
        return leaf
    if isinstance(leaf, Text):
        if leaf.known is not None:
            return bool(leaf.known)
        if any(isinstance(part, str) and part for part in leaf.parts):
            return True
        return Test("filled", (leaf,))
    if isinstance(leaf, tuple):
        return bool(leaf)
    if isinstance(leaf, Unknown):
        return Test("true", (leaf,))
    if isinstance(leaf, Object) and (
        leaf.declared is None or leaf.items is not None or leaf.entries is not None
    ):
        held: list[Any] | None = None
        if leaf.items is not None:
            held = [guard for guard, _ in leaf.items]
        elif leaf.entries is not None:
            held = [entry.guard for entry in leaf.entries]
        if held is not None:
            some: Guarded = False
            for guard in held:
                some = either(some, guard)
            if leaf.open is not None:  # what a loop of unknown turns has put in need not be there
                return Test("true", (leaf.open,))
            return some
        if leaf.type == "bytes":
            return truth(leaf.fields["<text>"])
    return True

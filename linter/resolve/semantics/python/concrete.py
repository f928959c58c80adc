"""Known values of execution <-> Python's own values, so that pure functions of Python can be asked what they give."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import told
from subdrift.linter.resolve.execute.guards import Diagram, apply
from subdrift.linter.resolve.execute.handed import beyond
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import ELEMENTS_MAX
from subdrift.linter.resolve.execute.values import (
    STEPS_KEPT_MAX,
    TEXT_MAX,
    Entry,
    Gap,
    Guarded,
    Object,
    Step,
    Text,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python.equality import OF

_NESTED_MAX = 20
PARTS_MAX = 20_000
"""Parts of one value that is handed to a function of Python's."""
CHARACTERS_MAX = 16 * TEXT_MAX
"""Characters of one value that is handed to a function of Python's, a text that it holds twice counted twice."""

_PLAIN = (bool, int, float, type(None))
BITS_MAX = 4_096
"""Of an integer."""


class NotKnown(Exception):
    """A value, or a part of it, is not known while running."""


def concrete(value: Guarded) -> Any:
    """Python's own value. Raises `NotKnown`, also for one of very many parts (a list in a list counts each time)."""
    return _concrete(value, 0, [PARTS_MAX, CHARACTERS_MAX])


def _concrete(value: Guarded, depth: int, left: list[int]) -> Any:
    left[0] -= 1
    if isinstance(value, Text):
        left[1] -= len(value.known or "")
        if value.known is None or left[1] < 0:
            raise NotKnown
        return value.known
    if left[0] < 0:
        raise NotKnown
    if isinstance(value, _PLAIN):
        return value
    if depth > _NESTED_MAX:
        raise NotKnown
    if isinstance(value, tuple):
        return tuple(_concrete(item, depth + 1, left) for item in value)
    if isinstance(value, Object) and value.declared is None and beyond(value) is None:
        if value.type == "bytes":
            return bytes(_concrete(value.fields["<text>"], depth + 1, left), "latin-1")
        if value.items is not None and all(guard is True for guard, _ in value.items):
            items = [_concrete(item, depth + 1, left) for _, item in value.items]
            if OF in value.fields:
                return _view(value, depth, left)
            if value.type == "range":
                return as_range(value)
            try:
                return set(items) if value.type in ("set", "frozenset") else items
            except TypeError as error:
                raise NotKnown from error
        if value.entries is not None and all(entry.guard is True for entry in value.entries):
            try:
                return {
                    _concrete(e.key, depth + 1, left): _concrete(e.value, depth + 1, left)
                    for e in value.entries
                }
            except TypeError as error:
                raise NotKnown from error
    if isinstance(value, Object) and "<plain>" in value.fields:
        return _concrete(value.fields["<plain>"], depth + 1, left)
    raise NotKnown


def as_range(leaf: Object) -> range:
    """Python's own of a `range`."""
    own: Any = leaf.fields
    return range(own["start"], own["stop"], own["step"])


def _view(value: Object, depth: int, left: list[int]) -> Any:
    """`keys`, `values` or `items` of a mapping."""
    shown = value.fields[OF]
    if not isinstance(shown, Object) or shown.type not in ("dict", "defaultdict"):
        raise NotKnown
    return getattr(_concrete(shown, depth + 1, left), value.type)()


def abstract(run: Interpreter, value: Any, at: Location | None, steps: tuple[Step, ...] = ()) -> Guarded:
    """The value of execution that stands for one of Python's."""
    if isinstance(value, str):
        return run.wrote(text(value, steps)) if len(value) <= TEXT_MAX else _too_long()
    if isinstance(value, bytes):
        made = run.make(None, "bytes", at)
        made.fields["<text>"] = text(value.decode("latin-1"), steps)
        return made
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > BITS_MAX:
        return _too_long()
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, tuple):
        if len(value) > ELEMENTS_MAX:
            return _too_long()
        return tuple(abstract(run, item, at, steps) for item in value)
    if isinstance(value, dict):
        made = run.make(None, "dict", at)
        made.entries = [
            Entry(True, abstract(run, key, at, steps), abstract(run, each, at, steps))
            for key, each in islice(value.items(), ELEMENTS_MAX + 1)
        ]
        run.bound(made)
        return made
    if isinstance(value, set | frozenset):
        some = sorted(value, key=repr)[: ELEMENTS_MAX + 1]
        return sequence(run, "set", [abstract(run, item, at, steps) for item in some], at)
    if isinstance(value, list | range):
        return sequence(
            run, "list", [abstract(run, item, at, steps) for item in value[: ELEMENTS_MAX + 1]], at
        )
    return Unknown(Why.DYNAMIC, type(value).__name__)


def _too_long() -> Unknown:
    return Unknown(Why.TOO_MANY, phrase("very-long-value"))


def sequence(run: Interpreter, kind: str, items: Iterable[Guarded], at: Location | None) -> Object:
    """A collection whose items are certainly there."""
    made = run.make(None, kind, at)
    made.items = [(True, item) for item in items]
    run.bound(made)
    return made


def steps_of(*values: Guarded) -> tuple[Step, ...]:
    """The ways of all texts among some values."""
    found: list[Step] = []
    for value in values:
        if isinstance(value, Text | Unknown):
            found += [step for step in value.steps if step not in found]
        elif isinstance(value, tuple):
            found += [step for step in steps_of(*value) if step not in found]
    return tuple(found[:STEPS_KEPT_MAX])


def frame_of(*values: Guarded) -> int:
    return next((value.frame for value in values if isinstance(value, Text) and value.frame), 0)


def computed(
    run: Interpreter, function: Callable[..., Any], at: Location | None, *values: Guarded, detail: str = ""
) -> Guarded:
    """A pure function of Python on values; unknown where one of them is not known or the function refuses them."""
    try:
        result = function(*[concrete(value) for value in values])
    except (RecursionError, MemoryError, OverflowError):
        return Unknown(Why.TOO_MANY, detail or function.__name__)
    except NotKnown:
        found = [_told(run, value, at) for value in values]
        if any(one is not value for one, value in zip(found, values, strict=True)):
            return apply(lambda *given: _of_told(run, function, at, given, values, detail), *found)
        return unknown_from(values, detail or function.__name__)
    except (
        ValueError,
        TypeError,
        KeyError,
        IndexError,
        ArithmeticError,
        AttributeError,
        LookupError,
        SyntaxError,
        csv.Error,
    ) as error:
        kind = type(error)
        run.throw(run.make(None, f"{kind.__module__.lstrip('_')}.{kind.__name__}", at))
        return Unknown(Why.DYNAMIC, detail or function.__name__)
    made = abstract(run, result, at, steps_of(*values))
    if isinstance(made, Text):
        made.frame = frame_of(*values)
    return made


def _told(run: Interpreter, value: Guarded, at: Location | None) -> Guarded:
    """A text with keys of configuration as the texts it is in the environments."""
    if isinstance(value, Text) and value.known is None:
        found = told(run, value, at)
        if found is not None:
            return found
    return value


def _of_told(
    run: Interpreter,
    function: Callable[..., Any],
    at: Location | None,
    given: tuple[Guarded, ...],
    values: tuple[Guarded, ...],
    detail: str,
) -> Guarded:
    """`computed` of one way in which texts are configured; unknown where that leaves one of them unknown."""
    if any(isinstance(one, Text) and one.known is None for one in given):
        return unknown_from(values, detail or function.__name__)
    return computed(run, function, at, *given, detail=detail)


def unknown_from(values: Iterable[Guarded], detail: str) -> Unknown:
    """What something gives that depends on values that are not known: the same for the same values."""
    why: Why | None = None
    reason = ""
    symbols: list[object] = []
    for value in values:
        leaf = value
        if isinstance(leaf, Diagram):
            leaf = None
            symbols.append(None)
        else:
            symbols.append(symbol_of(leaf))
        if why is None and isinstance(leaf, Unknown):
            why, reason = leaf.why, leaf.detail
        elif why is None and isinstance(leaf, Text):
            gap = next((part for part in leaf.parts if isinstance(part, Gap)), None)
            if gap is not None:
                why, reason = gap.why, gap.detail
    symbol = None if None in symbols or not symbols else ("computed", detail, *symbols)
    return Unknown(why or Why.DYNAMIC, reason or detail, symbol)

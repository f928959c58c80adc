"""What code does to texts whose keys only an environment knows: `split`, `trim`, `toLowerCase` wait for it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.guards import UNSET, apply, choose, pick, some
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.settings import Asked, Settings
from subdrift.linter.resolve.execute.values import INT, LONG, Gap, Guarded, Key, Long, Text, made_of, text

_MARK = "text:"
PROFILES = "profiles"
"""What a key is asked by that stands for the active profiles, with commas (`Key.variable`)."""
TEXTS_MAX = 16
"""Texts of one value in the environments of a deployable that a run tells apart."""

ELEMENTS_MAX = 64
"""Elements of a list or map of configuration that a run follows."""

_SIMPLE: dict[str, Callable[[str], str]] = {"trim": str.strip, "lower": str.lower, "upper": str.upper}


def settings_of(run: Interpreter) -> Settings | None:
    """The settings of the deployable that runs; what it asks them is kept in its trace."""
    settings = run.scope.settings
    return None if settings is None else Asked(settings, run.scope.trace.settings)


def later(value: Text, *operation: str | int) -> Text:
    """The text that an operation makes of one that is not known yet."""
    key = Key(Text(value.parts), None, _MARK + json.dumps(operation))
    return Text((key,), value.steps, False, value.frame)


def operation_of(part: Key) -> tuple[str | int, ...] | None:
    """The operation a part of a text waits for, None where it is a key."""
    return tuple(json.loads(part.variable[len(_MARK) :])) if part.variable.startswith(_MARK) else None


def performed(known: str, operation: Sequence[str | int]) -> str | None:
    """What an operation makes of a known text; None for a part that is not there."""
    match operation:
        case ["replace", str(old), str(new)]:
            return known.replace(old, new)
        case ["part", str(separator), int(index)]:
            parts = parts_of(known, separator)
            return parts[index] if index < len(parts) else None
        case [str(name)] if name in _SIMPLE:
            return _SIMPLE[name](known)
    raise ValueError(f"no operation on texts: {operation!r}")


def parts_of(known: str, separator: str) -> list[str]:
    """A text taken apart as `String.split` does; without a separator as Spring makes lists: by commas, trimmed."""
    if not separator:
        return [part.strip() for part in known.split(",")] if known else []
    parts = re.split(separator, known)
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts


def parts(
    run: Interpreter, value: Text, separator: str, at: Location | None
) -> list[tuple[Guarded, Text]] | None:
    """The parts of a text that environments know, each with the guard of its presence; None where none knows it.

    `separator` is a pattern, "" for Spring's own way to make a list of a text.
    """
    settings = settings_of(run)
    if settings is None:
        return None
    known = [each.text if each is not None else None for each in settings.texts(value)]
    counts = [len(parts_of(each, separator)) if each is not None else 1 for each in known]
    if not any(each is not None for each in known) or max(counts) > ELEMENTS_MAX:
        return None
    plain = Text(value.parts)
    guards = _guards(run, counts, at, lambda index: Test("part", (plain, separator, index)))
    return [(guard, later(value, "part", separator, index)) for index, guard in enumerate(guards)]


def present(run: Interpreter, value: Text, at: Location | None) -> Guarded:
    """The guard under which an environment sets what a text of one key stands for."""
    return _guard(run, Test("present", (Text(value.parts),)), at)


def told(run: Interpreter, value: Text, at: Location | None, *, where_there: bool = False) -> Guarded | None:
    """A text with keys as the texts it is in the environments, each under the guard that it is the one; itself where an
    environment does not know it, unless it is asked only where it is there. None where none knows it: for what can be done
    to known texts alone."""
    if any(isinstance(part, Gap) for part in value.parts) or not any(isinstance(p, Key) for p in value.parts):
        return None
    settings = settings_of(run)
    if settings is None:
        return None
    found = settings.texts(value)
    every = list(dict.fromkeys(each for each in found if each is not None))
    if not 0 < len(every) <= TEXTS_MAX:
        return None
    plain = Text(value.parts)
    result: Guarded = value if None in found and not where_there else UNSET
    for each in reversed(every):
        steps = value.steps
        if each.default and steps:
            steps = (replace(steps[0], default=True), *steps[1:])
        one = text(each.text, steps, frame=value.frame)
        if result is UNSET:
            result = one
        else:
            result = pick(_guard(run, Test("equal", (plain, text(each.text))), at), one, result)
    return result


def known_texts(run: Interpreter, value: Guarded, at: Location | None) -> Guarded:
    """A value, texts with keys as those that they are in the environments."""

    def one(leaf: Any) -> Guarded:
        known = told(run, leaf, at) if type(leaf) is Text and leaf.known is None else None
        if known is None or not _may_be_absent(run, leaf):
            return leaf if known is None else known
        there = told(run, leaf, at, where_there=True)
        part = leaf.parts[0]
        is_part = (
            isinstance(part, Key) and operation_of(part) is not None
        )  # it is asked for only where a list has it
        return there if is_part else pick(present(run, leaf, at), there, None)

    return run.over(value, one)


def _may_be_absent(run: Interpreter, value: Text) -> bool:
    """Whether a text is what configuration has at a key, or a part of that, in some environments and nothing in all others."""
    part = value.parts[0] if len(value.parts) == 1 else None
    if not isinstance(part, Key):
        return False
    if operation_of(part) is None and (part.variable != "property" or part.default is not None):
        return False
    settings = settings_of(run)
    assert settings is not None
    pairs = list(zip(settings.texts(value), settings.lacks(value), strict=True))
    return any(lacks for _, lacks in pairs) and all(lacks or found is not None for found, lacks in pairs)


def is_known(run: Interpreter, value: Text) -> bool:
    """Whether some environment knows a text."""
    settings = settings_of(run)
    return settings is not None and any(each is not None for each in settings.texts(value))


_WHOLE = re.compile(r"[-+]?\d{1,18}")


def counted(run: Interpreter, value: Guarded, at: Location | None) -> Guarded:
    """A value that may be a whole number of configuration, as the integers that environments know it as."""
    if all(made_of(leaf) not in (INT, LONG) for leaf in some(value, TEXTS_MAX)):
        return value

    def one(leaf: Any) -> Guarded:
        kind = made_of(leaf)
        known = told(run, leaf, at) if kind in (INT, LONG) else None
        return leaf if known is None else apply(lambda each: _whole(each, leaf, kind), known)

    return run.over(value, one)


def _whole(leaf: Text, otherwise: Text, kind: str) -> Any:
    known = (leaf.known or "").strip()
    if not _WHOLE.fullmatch(known) or (kind == INT and not -(1 << 31) <= int(known) < 1 << 31):
        return otherwise
    return int(known) if kind == INT else Long(known)


def lenient(name: str) -> str:
    """The name of a constant as configuration may spell it. Mirrors LenientObjectToEnumConverterFactory, Spring Boot 2.2 to
    3.4."""
    return "".join(filter(str.isalnum, name)).lower()


def elements(run: Interpreter, prefix: str, at: Location | None) -> list[Guarded] | None:
    """The guards of the elements of a list of configuration; None where no environment has one."""
    settings = settings_of(run)
    counts = settings.counts(prefix) if settings is not None else ()
    if not 0 < max(counts, default=0) <= ELEMENTS_MAX:
        return None
    return _guards(run, counts, at, lambda index: Test("element", (prefix, index)))


def entries(run: Interpreter, prefix: str, at: Location | None) -> list[tuple[Guarded, str]] | None:
    """The names below a key of configuration, each with the guard of its presence; None where there are none."""
    settings = settings_of(run)
    named = settings.names(prefix) if settings is not None else ()
    if not 0 < len({name for names in named for name in names}) <= ELEMENTS_MAX:
        return None
    found: list[tuple[Guarded, str]] = []
    for name in _in_order(named):
        always = all(name in names for names in named)
        found.append((True if always else _guard(run, Test("entry", (prefix, name)), at), name))
    return found


def _in_order(named: Sequence[Sequence[str]]) -> list[str]:
    """The names of several orders in one that agrees with each of them; where they contradict one another, with the first."""
    found: list[str] = []
    left = [list(names) for names in dict.fromkeys(map(tuple, named)) if names]
    while left:
        later_on = {name for names in left for name in names[1:]}
        first = next((names[0] for names in left if names[0] not in later_on), left[0][0])
        found.append(first)
        left = [rest for names in left if (rest := [name for name in names if name != first])]
    return found


def _guards(
    run: Interpreter, counts: Sequence[int], at: Location | None, test: Callable[[int], Test]
) -> list[Guarded]:
    least = min(counts)
    return [True if index < least else _guard(run, test(index), at) for index in range(max(counts))]


def _guard(run: Interpreter, test: Test, at: Location | None) -> Guarded:
    number = run.decide((test.kind, test.operands), 2, "condition", at, test=test)
    found: Guarded = choose(number, 2, 0)
    return found

"""`re`: patterns of the program on texts that are known, and what they find."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import UNSET, apply
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Guarded, Object, Text, Unknown, join, text
from subdrift.linter.resolve.semantics.python import containers
from subdrift.linter.resolve.semantics.python.concrete import (
    NotKnown,
    abstract,
    concrete,
    steps_of,
    unknown_from,
)
from subdrift.linter.resolve.semantics.python.equality import put
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, METHODS, Call, pure
from subdrift.linter.text.patterns import affordable, terse

PATTERN: Final = "re.Pattern"
MATCH: Final = "re.Match"

FLAGS: Final = {
    name: int(flag)
    for name, flag in re.RegexFlag.__members__.items()
    if name not in ("DEBUG", "TEMPLATE", "T")
}
"""The names of flags, `re.M` as `re.MULTILINE`, with their values."""


def _compile(call: Call, pattern: Guarded, known: str, *, anchored: bool = False) -> re.Pattern[str]:
    """`anchored`: it is looked for at one place. Raises `NotKnown` for a pattern that is not known or could take long."""
    flags: Guarded = 0
    if isinstance(pattern, Object) and pattern.type == PATTERN:
        flags, pattern = pattern.fields["flags"], pattern.fields["pattern"]
    written = concrete(pattern)
    given = flags if type(flags) is int else 0
    if not isinstance(written, str):
        raise NotKnown
    if given & re.VERBOSE:
        written, given = terse(written), given & ~re.VERBOSE
    if not affordable(written, len(known), anchored=anchored, text=known):
        raise NotKnown
    try:
        return re.compile(written, given)
    except (re.error, RecursionError, OverflowError) as error:
        raise NotKnown from error


def _made_pattern(call: Call) -> Guarded:
    flags = call.get(1, "flags", 0)
    if type(flags) is not int:
        return unknown_from(call.values, "re.compile()")
    return call.make(PATTERN, pattern=call.get(0, "pattern"), flags=flags)


def _found(call: Call, match: re.Match[str] | None, *sources: Guarded) -> Guarded:
    if match is None:
        return None
    steps = steps_of(*sources)

    def shown(value: str | None) -> Guarded:
        return None if value is None else text(value, steps)

    made = call.make(MATCH)
    made.fields["<groups>"] = tuple(map(shown, (match[0], *match.groups())))
    made.fields["<names>"] = {name: shown(value) for name, value in match.groupdict().items()}
    made.fields |= {"lastgroup": shown(match.lastgroup), "lastindex": match.lastindex, "string": sources[-1]}
    made.fields["<places>"] = match.re.groupindex
    made.fields["<spans>"] = tuple(match.span(number) for number in range(len(match.groups()) + 1))
    return made


def _search(name: str) -> Callable[..., Guarded]:
    def one(call: Call, pattern: Guarded, subject: Guarded, *part: int) -> Guarded:
        known = concrete(subject)
        compiled = _compile(call, pattern, known, anchored=name != "search")
        return _found(call, getattr(compiled, name)(known, *part), pattern, subject)

    return one


def _every(call: Call, pattern: Guarded, subject: Guarded, *part: int) -> Guarded:
    known = concrete(subject)
    found = _compile(call, pattern, known).findall(known, *part)
    return abstract(call.run, found, call.at, steps_of(subject))


def _each(call: Call, pattern: Guarded, subject: Guarded, *part: int) -> Guarded:
    known = concrete(subject)
    matches = _compile(call, pattern, known).finditer(known, *part)
    found = [_found(call, match, subject) for match in matches]
    return containers.made_of(call.run, "generator", [(True, one) for one in found], call.at)


def _split(call: Call, pattern: Guarded, subject: Guarded, *most: int) -> Guarded:
    known = concrete(subject)
    return abstract(call.run, _compile(call, pattern, known).split(known, *most), call.at, steps_of(subject))


_ON_TEXT: Final = {
    **{name: _search(name) for name in ("match", "search", "fullmatch")},
    "findall": _every,
    "finditer": _each,
    "split": _split,
}


def _on_text(name: str) -> None:
    named = ("maxsplit",) if name == "split" else ("pos", "endpos")

    def function(call: Call, values: list[Guarded]) -> Guarded:
        rest = {**dict(zip(named, values[2:], strict=False)), **call.arguments.names}
        is_bytes = len(values) > 1 and isinstance(values[1], Object) and values[1].type == "bytes"
        if len(values) not in range(2, len(named) + 3) or rest.keys() - set(named) or is_bytes:
            return unknown_from(values, f"re.{name}()")
        ordered = [rest[each] for each in named if each in rest]
        if "endpos" in rest and "pos" not in rest:
            ordered.insert(0, 0)

        def one(pattern: Any, subject: Any, *numbers: Any) -> Guarded:
            try:
                if not isinstance(subject, Text) or any(type(each) is not int for each in numbers):
                    raise NotKnown
                return _ON_TEXT[name](call, pattern, subject, *numbers)
            except NotKnown:
                return unknown_from((pattern, subject, *numbers), f"re.{name}()")

        return apply(one, *values[:2], *ordered)

    METHODS[f"{PATTERN}.{name}"] = lambda call, leaf: function(call, [leaf, *call.values])
    FUNCTIONS[f"re.{name}"] = _of_module(function, 3 if name == "split" else 2)


def _of_module(function: Callable[[Call, list[Guarded]], Guarded], place: int) -> Callable[[Call], Guarded]:
    """A function of the module `re`: a method of a pattern, with its flags as argument `place`."""

    def run(call: Call) -> Guarded:
        flags = call.get(place, "flags", 0)
        pattern, *rest = call.values[:place] or [UNSET]
        if flags == 0 or pattern is UNSET:
            return function(call, call.values)
        if type(flags) is not int:
            return unknown_from(call.values, "re.compile()")
        names = {name: value for name, value in call.arguments.names.items() if name != "flags"}
        inner = Call(call.python, call.run, Arguments(rest, names, call.arguments.open), call.frame, call.at)
        return function(inner, [call.make(PATTERN, pattern=pattern, flags=flags), *rest])

    return run


def _substituted(call: Call, values: list[Guarded]) -> Guarded:
    """`re.sub(pattern, new, text, count)`; `new` may be a function of the match."""
    count = call.arguments.names.get("count", values[3] if len(values) == 4 else 0)
    if len(values) not in (3, 4) or set(call.arguments.names) - {"count"} or type(count) is not int:
        return unknown_from(values, "re.sub()")

    def one(pattern: Any, subject: Any) -> Guarded:
        new = values[1]
        try:
            known = concrete(subject)
            if not isinstance(known, str):
                raise NotKnown
            compiled = _compile(call, pattern, known)
            if isinstance(new, Text):
                return abstract(
                    call.run, _replaced(compiled, concrete(new), known, count), call.at, steps_of(subject)
                )
            pieces: list[Guarded] = []
            position = 0
            for match in islice(compiled.finditer(known), count or None):
                pieces += [
                    text(known[position : match.start()], steps_of(subject)),
                    call.apply(new, _found(call, match, subject)),
                ]
                position = match.end()
            return apply(_joined, *pieces, text(known[position:], steps_of(subject)))
        except (NotKnown, TypeError):
            return unknown_from((pattern, new, subject), "re.sub()")

    return apply(one, values[0], values[2])


def _joined(*pieces: Any) -> Guarded:
    """Raises `NotKnown` where a piece is not a text."""
    if not all(isinstance(each, Text) for each in pieces):
        raise NotKnown
    return join(list(pieces))


def _replaced(compiled: re.Pattern[str], new: str, known: str, count: int) -> str:
    """Raises `NotKnown` where the result could be long, or the replacement is refused."""
    if len(known) * max(len(new), 1) > 100_000:
        raise NotKnown
    try:
        return compiled.sub(new, known, count)
    except (re.error, IndexError) as error:
        raise NotKnown from error


def _group(call: Call, leaf: Object) -> Guarded:
    keys = call.values or [0]
    found = [_one_group(call, leaf, key) for key in keys]
    return found[0] if len(found) == 1 else tuple(found)


def _one_group(call: Call, leaf: Object, key: Guarded) -> Guarded:
    if isinstance(key, int) and 0 <= key < len(leaf.fields["<groups>"]):
        return leaf.fields["<groups>"][key]
    name = key.known if isinstance(key, Text) else None
    if name in leaf.fields["<names>"]:
        return leaf.fields["<names>"][name]
    if isinstance(key, Unknown):
        return unknown_from((key,), phrase("element"))
    return call.throw("IndexError")


def _groups(call: Call, leaf: Object) -> Guarded:
    other = call.get(0, "default", None)
    return tuple(other if each is None else each for each in leaf.fields["<groups>"][1:])


def _named(call: Call, leaf: Object) -> Guarded:
    made = call.run.make(None, "dict", call.at)
    made.entries = []
    for name, value in leaf.fields["<names>"].items():
        put(made, text(name), call.get(0, "default", None) if value is None else value, True)
    return made


def _span(part: int | None) -> Callable[[Call, Object], Guarded]:
    def one(call: Call, leaf: Object) -> Guarded:
        number = call.get(0, default=0)
        if isinstance(number, Text):
            number = leaf.fields["<places>"].get(number.known, number)
        spans = leaf.fields["<spans>"]
        if not isinstance(number, int) or not 0 <= number < len(spans):
            return unknown_from((number,), "span()")
        return spans[number] if part is None else spans[number][part]

    return one


for _name in _ON_TEXT:
    _on_text(_name)
FUNCTIONS["re.compile"] = _made_pattern
FUNCTIONS["re.sub"] = _of_module(_substituted, 4)
METHODS[f"{PATTERN}.sub"] = lambda call, leaf: _substituted(call, [leaf, *call.values])
pure("re.escape", re.escape, "re.escape()")
METHODS[f"{MATCH}.group"] = _group
METHODS[f"{MATCH}.__getitem__"] = _group
METHODS[f"{MATCH}.groups"] = _groups
METHODS[f"{MATCH}.groupdict"] = _named
METHODS[f"{MATCH}.start"] = _span(0)
METHODS[f"{MATCH}.end"] = _span(1)
METHODS[f"{MATCH}.span"] = _span(None)


__all__ = ["MATCH", "PATTERN"]

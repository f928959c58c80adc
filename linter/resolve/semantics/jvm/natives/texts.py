"""Texts: static methods of `String`, `MessageFormat` and the `StringUtils` of several libraries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import counted, known_texts
from subdrift.linter.resolve.execute.guards import Diagram, apply, both, pick, some
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    Bound,
    Function,
    Gap,
    Guarded,
    LibraryConstant,
    Object,
    Text,
    Unknown,
    is_whole,
    join,
    text,
)
from subdrift.linter.resolve.semantics.jvm.calls import Call, static
from subdrift.linter.resolve.semantics.jvm.collections import items, join_items
from subdrift.linter.resolve.semantics.jvm.elements import is_settled, size
from subdrift.linter.resolve.semantics.jvm.equality import absent, equal
from subdrift.linter.resolve.semantics.jvm.formats import AS_IN_ENGLISH, format_text
from subdrift.linter.resolve.semantics.jvm.natives.collections import characters_of
from subdrift.linter.resolve.semantics.jvm.texts import text_method


@static("String|Boolean|Objects|Short|Byte|Enum", "toString")
@static("String", "valueOf", "copyValueOf")
def _value_of(call: Call) -> Guarded:
    if (
        call.name in ("valueOf", "copyValueOf")
        and isinstance(call.args[0], Object)
        and call.args[0].type == "[]"
    ):
        if len(call.args) > 1:
            return Unknown(Why.DYNAMIC, phrase("calculation"))
        return characters_of(call.args[0])
    if len(call.args) == 2:  # Objects.toString(value, default)
        return apply(
            lambda leaf, other: other if leaf is None else call.java.shown(call.run, leaf),
            *call.args.first(2),
        )
    return apply(lambda leaf: call.java.shown(call.run, leaf), call.java.told(call.run, call.args[0]))


def opaque(leaf: Any, operation: str) -> Text:
    """The text that an operation makes of a value that is not known: the same for the same value."""
    why = leaf.why if isinstance(leaf, Unknown) else Why.DYNAMIC
    detail = leaf.detail if isinstance(leaf, Unknown) else phrase("number")
    symbol = symbol_of(leaf)
    return Text((Gap(why, detail, None if symbol is None else (operation, symbol)),))


def _is_locale(value: Guarded) -> bool:
    if isinstance(value, Unknown):
        return "Locale" in value.detail or (value.type is not None and value.type.simple == "Locale")
    return not isinstance(value, Text | Diagram)


@static("String", "format")
@static("MessageFormatter", "format")
def _format(call: Call) -> Guarded:
    values: list[Guarded] = call.args
    if not values:
        return NotImplemented  # no such call compiles
    if len(values) > 1 and _is_locale(values[0]):
        if isinstance(values[0], LibraryConstant) and values[0].name not in AS_IN_ENGLISH:
            return opaque(call.unknown(), "format()")
        values = values[1:]
    if (
        len(values) == 2
        and isinstance(values[1], Object)
        and values[1].type == "[]"
        and values[1].items is not None
    ):
        if not is_settled(call.run, values[1]):
            return opaque(call.unknown(), "format()")
        values = [values[0], *(item for _, item in values[1].items)]
    given = [counted(call.run, each, call.place) for each in values[1:]]
    values = [known_texts(call.run, values[0], call.place), *given]
    return apply(lambda *parts: format_text(call.java, call.run, parts[0], parts[1:]), *values)


@static("Messages", "filled")
def _message_format(call: Call) -> Guarded:
    def fill(pattern: Any, *rest: Any) -> Any:
        known = pattern.known if isinstance(pattern, Text) else None
        alone = rest[0] if len(rest) == 1 else None
        if isinstance(alone, Object) and alone.type == "[]" and alone.items is not None:
            rest = tuple(value for _, value in alone.items)
            known = None if alone.open is not None else known
        parts = [] if known is None else list(_elements(known))
        if known is None or any(part == ("",) for part in parts):
            return opaque(pattern, "MessageFormat")
        return apply(lambda *values: join([_element(call, part, values) for part in parts]), *rest)

    pattern, *rest = call.args or call.args.first(1)
    return apply(fill, known_texts(call.run, pattern, call.place), *rest)


_ELEMENT: Final = re.compile(r"''|'([^']*(?:''[^']*)*)(?:'|$)|\{([^{}']*)\}|[^'{]+|.", re.DOTALL)


def _elements(pattern: str) -> Iterator[str | tuple[str]]:
    """The literal parts of a pattern of `MessageFormat`, and what stands in its braces."""
    for found in _ELEMENT.finditer(pattern):
        whole, quoted, inside = found[0], found[1], found[2]
        if inside is not None or whole == "{":  # braces inside of braces
            yield (inside or "",)
        elif whole == "''":
            yield "'"
        else:
            yield whole if quoted is None else quoted.replace("''", "'")


def _element(call: Call, part: str | tuple[str], values: Sequence[Any]) -> Text:
    if isinstance(part, str):
        return text(part)
    number, _, kind = part[0].partition(",")
    gap = Text((Gap(Why.DYNAMIC, "MessageFormat"),))
    if not number.isdecimal() or len(number) > 3:
        return gap
    if int(number) >= len(values):
        return text("{" + number + "}")
    value = values[int(number)]
    if is_whole(value) and kind.replace(" ", "") in ("number,#", "number,0"):
        return text(str(value))
    if is_whole(value) and kind.strip() in ("", "number", "number,integer"):
        return text(str(value)) if -1000 < value < 1000 else gap  # how it is grouped hangs on the locale
    return gap if kind or isinstance(value, float) else call.java.shown(call.run, value)


@static("String", "join")
@static("StringUtils", "join", "collectionToDelimitedString", "arrayToDelimitedString")
def _join(call: Call) -> Guarded:
    separator, values = call.args[0], call.args[1:]
    if separator is None and call.name == "join" and not isinstance(values[:1], Object):
        return call.unknown()
    if call.name != "join" or not isinstance(some(separator, 1)[0], Text | type(None)):
        separator, values = (call.args[1] if len(call.args) > 1 else text(",")), [call.args[0]]
    if len(values) != 1:
        return join_items(call, separator, [(True, one) for one in values])

    def joined(leaf: Any) -> Guarded:
        if isinstance(leaf, Unknown):
            return opaque(leaf, "join")
        found = items(call.java, call.run, leaf, call.frame) if isinstance(leaf, Object) else [(True, leaf)]
        if found is None:
            return Text((Gap(Why.DYNAMIC, phrase("joined-list")),))
        return join_items(call, separator, found)

    return call.run.over(values[0], joined)


@static(
    "ObjectUtils|ObjectUtil|StrUtil|StringUtils",
    "defaultIfNull",
    "defaultString",
    "defaultIfBlank",
    "defaultIfEmpty",
)
def _or_else(call: Call) -> Guarded:
    value, other = call.args[0], call.args[1] if len(call.args) > 1 else text("")
    run = call.run
    if len(call.args) > 2 or isinstance(other, Function | Bound):
        return NotImplemented
    missing = call.holds(apply(lambda leaf: _is_missing(leaf, call.name), value))
    if missing is False:
        return value
    before = run.guard
    run.guard = both(before, missing)
    fallback = call.invoke(other) if call.name.endswith("ElseGet") and run.guard is not False else other
    run.guard = before
    return pick(missing, fallback, value)


def _is_missing(leaf: Any, called: str) -> bool | Test:
    if isinstance(leaf, Text) and leaf.known is not None and called in ("defaultIfBlank", "defaultIfEmpty"):
        return not (leaf.known.strip() if called == "defaultIfBlank" else leaf.known)
    return absent(leaf)


@static("Objects", "equals")
@static("StringUtils|StrUtil|ObjectUtil", "equals", "equal")
def _equals(call: Call) -> Guarded:
    return apply(equal, *call.args.first(2))


@static("StringUtils|StrUtil", "equalsIgnoreCase")
def _equals_ignoring_case(call: Call) -> Guarded:
    return apply(
        lambda a, b: (
            text_method(call.java, call.run, a, "equalsIgnoreCase", [b])
            if isinstance(a, Text)
            else equal(a, b)
        ),
        *call.args.first(2),
    )


@static("StringUtils|StrUtil|CollectionUtils|CollUtil|CollectionUtil|ObjectUtils|UtilAll|MapUtils|MapUtil|Strings|CharSequenceUtil",
         "isEmpty", "isBlank", "isNotEmpty", "isNotBlank", "hasText", "hasLength", "isNullOrEmpty")  # fmt: skip
def _blank_test(call: Call) -> Guarded:
    positive = call.name in ("isNotEmpty", "isNotBlank", "hasText", "hasLength")
    asked = "isBlank" if call.name in ("isBlank", "isNotBlank", "hasText") else "isEmpty"

    def test(leaf: Any) -> Any:
        if leaf is None:
            return not positive
        if isinstance(leaf, Text):
            empty = text_method(call.java, call.run, leaf, asked, [])
            if isinstance(empty, Test):
                return empty.negate() if positive else empty
            if isinstance(empty, bool):
                return empty != positive
        if isinstance(leaf, Object):
            count = size(leaf)
            if isinstance(count, int):
                return (count == 0) != positive
        found = Test("present", (leaf,), not positive)
        return found if isinstance(leaf, Unknown | Text) else positive

    return apply(test, call.args[0])

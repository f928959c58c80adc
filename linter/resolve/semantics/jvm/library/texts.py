"""Methods of texts, and of what builds them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import parts, told
from subdrift.linter.resolve.execute.exceptions import may_throw
from subdrift.linter.resolve.execute.guards import UNSET, apply, pick, under
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    Bound,
    Function,
    Gap,
    Guarded,
    Key,
    Object,
    Text,
    TypeValue,
    Unknown,
    is_whole,
    join,
    text,
)
from subdrift.linter.resolve.semantics.jvm.calls import Call, of_type
from subdrift.linter.resolve.semantics.jvm.collections import array
from subdrift.linter.resolve.semantics.jvm.equality import copied
from subdrift.linter.resolve.semantics.jvm.natives.collections import characters_of
from subdrift.linter.resolve.semantics.jvm.operators import raise_in
from subdrift.linter.resolve.semantics.jvm.texts import (
    BUILDERS,
    beyond_a_unit,
    computed,
    is_plain_pattern,
    text_method,
)


def text_call(call: Call, leaf: Text, arguments: Arguments) -> Guarded:
    """A method of a text: what it gives, with the arrays and streams that Java makes of it."""
    run, name, values, place = call.run, call.name, arguments.values, call.place
    first = values[0] if values else None
    if name == "getBytes":
        return leaf  # bytes are only ever read as a text again
    if name == "repeat" and is_whole(first) and first < 0:
        raise_in(run, "IllegalArgumentException", text(f"count is negative: {first}"))
        return UNSET
    if leaf.known is not None and _is_outside_of(leaf.known, name, values) and not run.stand_in:
        raise_in(run, "StringIndexOutOfBoundsException")
        return UNSET
    if name == "getClass" and not leaf.char:
        return TypeValue(None, "String")
    if name == "toCharArray" and leaf.known is not None:
        return array(run, [text(char, leaf.steps, char=True, frame=leaf.frame) for char in leaf.known], place)
    if name == "transform" and len(values) == 1 and isinstance(first, Function | Bound):
        return call.invoke(first, leaf)
    if name in ("chars", "lines", "codePoints"):
        return _text_stream(call, leaf)
    if name == "split" and leaf.known is None and len(values) == 1:
        taken = _split_later(run, leaf, first, place)
        if taken is not None:
            return taken
    found = apply(lambda *args: text_method(call.java, run, leaf, name, list(args)), *values)
    if found is NotImplemented or found is UNSET:
        known = told(run, leaf, place)
        if known is not None and known is not leaf:

            def of_known(each: Any) -> Guarded:
                same = each is leaf
                return opaque_call(run, leaf, name, arguments) if same else text_call(call, each, arguments)

            return run.over(known, of_known)
        found = opaque_call(run, leaf, name, arguments)
    if isinstance(found, tuple):
        return array(run, list(found), place)
    return apply(lambda each: array(run, list(each), place) if isinstance(each, tuple) else each, found)


def _is_outside_of(known: str, name: str, given: Sequence[Guarded]) -> bool:
    """Whether a method of a text is asked for characters that it does not have."""
    if (
        not given
        or name not in ("charAt", "substring", "subSequence")
        or any(not is_whole(one) for one in given)
    ):
        return False
    if name == "charAt":
        return not 0 <= given[0] < len(known)
    start, end = given[0], given[1] if len(given) > 1 else len(known)
    return not 0 <= start <= end <= len(known)


def _split_later(run: Interpreter, leaf: Text, separator: Guarded, place: Location | None) -> Object | None:
    """The array that `split` makes of a text with keys: its length differs by environment."""
    pattern = separator.known if isinstance(separator, Text) else None
    if (
        not pattern
        or any(not isinstance(part, str | Key) for part in leaf.parts)
        or not is_plain_pattern(pattern)
    ):
        return None
    found = parts(run, leaf, pattern, place)
    if found is None:
        return None
    made = array(run, [], place)
    made.items = list(found)
    return made


def _text_stream(call: Call, leaf: Text) -> Guarded:
    known = leaf.known
    if known is None:
        return call.listed("Stream", open_=Unknown(Why.DYNAMIC, phrase("text")))
    return call.all_of("Stream", map(text, known.splitlines()) if call.name == "lines" else map(ord, known))


_GIVES_TEXT = re.compile(
    r"(?:sub|replace|remove|strip|trim|repeat|indent|intern|format|concat|pad|plus|drop|reversed|ifEmpty|ifBlank|orEmpty"
    r"|take(?!If|Unless)|to(?:Lower|Upper|String)|(?:lower|upper)case|capital|decapital|prepend|translate)(?!\w*OrNull)"
)
"""Methods of texts whose names say that they give a text."""


def opaque_call(run: Interpreter, leaf: Text, name: str, arguments: Arguments) -> Guarded:
    symbols = (symbol_of(leaf), *(symbol_of(value) for value in arguments.values))
    symbol = None if None in symbols else ("text", name, *symbols)
    gap = next((part for part in leaf.parts if isinstance(part, Gap)), None)
    if name in (
        "equals",
        "equalsIgnoreCase",
        "startsWith",
        "endsWith",
        "contains",
        "isEmpty",
        "isBlank",
        "matches",
    ):
        return Test("true", (Unknown(Why.DYNAMIC, f"{name}()", symbol),))
    key = next((part for part in leaf.parts if isinstance(part, Key)), None)
    detail = gap.detail if gap else (key.key.known or "") if key else f"{name}()"
    if not _GIVES_TEXT.match(name):
        return Unknown(Why.DYNAMIC, detail if name == "split" else f"{name}()", symbol)
    if (
        gap is None and key is None and leaf.known is not None
    ):  # a method that is not modelled may refuse a text
        may_throw(run, Unknown(Why.DYNAMIC, f"{name}()", symbol))
    return Text((Gap(gap.why if gap else Why.DYNAMIC, detail, symbol),), leaf.steps)


@of_type("StringBuilder", "StringBuffer")
def _string_builder(call: Call, leaf: Object) -> Guarded:
    run, args = call.run, call.args
    old = leaf.fields.get("text", text(""))
    match call.name:
        case "append" if args:
            return _write(call, leaf, _appended(call, old))
        case "insert" if len(args) == 2:
            return _write(call, leaf, apply(lambda *each: _inserted(call, *each), old, *args))
        case "reverse" | "setLength" | "deleteCharAt" | "delete" | "replace" | "setCharAt":
            return _write(call, leaf, apply(lambda *each: _edited(call, *each), old, *args))
        case "toString":
            given = under(old, run.guard)
            return apply(lambda one: copied(one, call.place) if isinstance(one, Text) else one, given)
        case "length" | "isEmpty" | "charAt" | "indexOf" | "lastIndexOf" | "substring":

            def asked(one: Any, *rest: Any) -> Any:
                if isinstance(one, Text):
                    return text_method(call.java, run, one, call.name, list(rest))
                return Unknown(one.why, f"{one.detail}.{call.name}()")

            return apply(asked, old, *args)
    return NotImplemented


def _write(call: Call, leaf: Object, value: Guarded) -> Object:
    leaf.fields["text"] = pick(call.run.guard, value, leaf.fields.get("text", UNSET))
    return leaf


def _appended(call: Call, old: Guarded) -> Guarded:
    run, args = call.run, list(call.args)
    if isinstance(args[0], Object) and args[0].type == "[]":
        if len(args) == 3 and args[1] == 0:
            args = [call.modelled("java.util.Arrays", "copyOf", args[0], args[2])]
        args = [characters_of(args[0])] if len(args) == 1 and isinstance(args[0], Object) else args
    if len(args) == 3 and all(is_whole(each) for each in args[1:]):
        if not isinstance(args[0], Text):
            return Text((Gap(Why.UNSUPPORTED, "append"),))
        part = call.renamed("substring", *args[1:])
        args = [text_call(part, args[0], Arguments(args[1:]))]
    told = [call.java.told(run, each) for each in args]
    return apply(lambda *each: run.wrote(join([call.java.shown(run, one) for one in each])), old, *told)


def _inserted(call: Call, so_far: Any, index: Any, value: Any) -> Any:
    run, shown = call.run, call.java.shown
    if isinstance(so_far, Text) and index == 0:
        return run.wrote(join([shown(run, value), so_far]))
    known = so_far.known if isinstance(so_far, Text) else None
    if known is not None and isinstance(index, int) and 0 <= index <= len(known):
        return run.wrote(join([text(known[:index]), shown(run, value), text(known[index:], so_far.steps)]))
    return run.due(Text((Gap(Why.DYNAMIC, "insert"),)), so_far, value, index)


def _edited(call: Call, so_far: Any, *rest: Any) -> Any:
    known = so_far.known if isinstance(so_far, Text) else None
    if known is None or not all(isinstance(r, int | Text) for r in rest):
        return call.run.due(Text((Gap(Why.DYNAMIC, call.name),)), so_far, *rest)
    result = (
        NotImplemented
        if beyond_a_unit(known)
        else computed(BUILDERS, call.name, known, *(r.known if isinstance(r, Text) else r for r in rest))
    )
    if result is NotImplemented:
        return Text((Gap(Why.DYNAMIC, call.name),))
    return call.run.wrote(join([text(result, so_far.steps)]))
